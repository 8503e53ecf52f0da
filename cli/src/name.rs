//! The names of files in messages. A path, or other bytes chosen by somebody else, may reach a terminal only through
//! this module: a test searches the sources for other ways.

use std::fmt;
use std::path::Path;

/// The name of a file, safe to show on a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Returns the name of the standard input.
    pub fn stdin() -> Self {
        Self("<stdin>".into())
    }

    /// Returns the name of the standard output.
    pub fn stdout() -> Self {
        Self("<stdout>".into())
    }

    /// Returns the name of an input: `-` is the standard input.
    pub fn of(path: &Path) -> Self {
        if path == Path::new("-") {
            Self::stdin()
        } else {
            Self(escape_bytes(path.as_os_str().as_encoded_bytes()))
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether a terminal might obey a character instead of showing it: C0, DEL and C1 control characters, line
/// separators, and those that set the direction of writing.
pub fn is_command(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{206F}')
}

/// The name of a file for GitHub's runners: its real name, as far as it is Unicode, with their escapes for line ends.
pub fn github_name(path: &Path) -> String {
    if path == Path::new("-") {
        return Name::stdin().0;
    }
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let escaped: Vec<u8> =
        bytes.flat_map(|&byte| github_escape(char::from(byte)).map_or(vec![byte], Vec::from)).collect();
    escape_bytes(&escaped)
}

/// The escape for such a character in a property for GitHub's runners.
fn github_escape(character: char) -> Option<&'static str> {
    match character {
        '%' => Some("%25"),
        '\r' => Some("%0D"),
        '\n' => Some("%0A"),
        ':' => Some("%3A"),
        ',' => Some("%2C"),
        _ => None,
    }
}

/// A text for GitHub's runners.
pub fn github_text(text: &str) -> String {
    escape(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// Escapes such characters as Rust does: `\n`, `\u{1b}`, `\u{202e}`. Escaping the result again does not change it.
pub fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, character| {
        if is_command(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
        escaped
    })
}

/// [`escape`], and ill-formed bytes as `\x9b`: some terminals take that one for ESC and `[`.
pub fn escape_bytes(bytes: &[u8]) -> String {
    let mut escaped = String::new();
    for chunk in bytes.utf8_chunks() {
        escaped += &escape(chunk.valid());
        escaped.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    escaped
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    /// Every character is classified: C0, DEL, C1, and the few others. Escaped text does not have to be escaped
    /// again.
    #[test]
    fn commands() {
        let is_expected = |character: char| {
            matches!(u32::from(character),
                0..=0x1F | 0x7F..=0x9F | 0x61C | 0x200E | 0x200F | 0x2028..=0x202E | 0x2066..=0x206F)
        };
        for character in '\0'..=char::MAX {
            assert_eq!(is_command(character), is_expected(character), "{:04X}", u32::from(character));
            let escaped = escape(&character.to_string());
            assert!(!escaped.contains(is_command) && escape(&escaped) == escaped);
        }
        assert_eq!(escape_bytes(b"a\x9B[31m\xC2\x9B\n\xE2\x80\xAE\xFF\\"), r"a\x9b[31m\u{9b}\n\u{202e}\xff\");
        assert_eq!(Name::of(Path::new("-")).to_string(), "<stdin>");
    }

    /// Nothing else in the program turns a path into text: each way to do so is allowed only where the result is
    /// escaped or not printed.
    #[test]
    fn no_other_way() {
        // A way, and the lines that may use it.
        let ways: [(&str, &[&str]); 9] = [
            (".display()", &[]),
            // JSON, which has its own escapes.
            ("to_string_lossy", &["path.to_string_lossy() };", "argument.to_string_lossy().contains(is_command)"]),
            ("to_str()", &["path.to_str().is_none()", "value.to_str().map"]),
            ("into_string()", &[]),
            (
                "as_encoded_bytes",
                &[
                    "Self(escape_bytes(path.as_os_str().as_encoded_bytes()))",
                    "let bytes = path.as_os_str().as_encoded_bytes()",
                ],
            ),
            (".as_bytes().utf8_chunks", &[]),
            ("OsStrExt", &[]),
            // The `Debug` form of a path, and of an error that may contain one.
            (":?}", &["format!(\"{:?}\", self.0.kind())"]),
            // This bypasses the reports, which escape.
            ("eprint", &[]),
        ];
        let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut seen = 0;
        for source in fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path()) {
            let text = fs::read_to_string(&source).unwrap();
            // Tests may print anything.
            let program = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let program = program.split("#[cfg(test)]\npub mod tests").next().unwrap();
            let program = program.split("#[cfg(all(test, unix))]\nmod tests").next().unwrap();
            for line in program.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
                for (way, allowed) in ways {
                    let is_allowed = allowed.iter().any(|allowed| line.contains(allowed));
                    assert!(!line.contains(way) || is_allowed, "{source:?}: {line}");
                    seen += u32::from(is_allowed && line.contains(way));
                }
            }
        }
        assert!(seen >= 5, "the sources are not where they were: {seen}");
    }
}
