//! The texts: languages generated from a seed, or files of real text.

use std::fs;
use std::path::Path;

use fastutf_testkit::Rng;
use fastutf_testkit::language::{LANGUAGES, Language, MORE, char_boundary};
use serde::{Deserialize, Serialize};

/// The origin of a text.
pub enum Profile {
    /// Generated from a seed.
    Seeded(&'static Language),
    /// Random characters, each chosen by the number of bytes before it.
    Random(&'static str, fn(&mut Rng, usize) -> char),
    /// Read from a file.
    File { name: String, text: String },
}

/// Letters of which so many in a hundred are not ASCII, but in Latin-1; the same with a character that is not at the end
/// of each 64 KB; and with U+0000 now and then.
const RANDOM: [Profile; 5] = [
    Profile::Random("latin1-1%", |rng, _| letter(rng, 1)),
    Profile::Random("latin1-30%", |rng, _| letter(rng, 30)),
    Profile::Random("latin1-100%", |rng, _| letter(rng, 100)),
    Profile::Random("euro", |rng, at| match (64 << 10) - at % (64 << 10) {
        3 => '€',
        left => letter(rng, if left == 4 { 0 } else { 5 }),
    }),
    Profile::Random("nul", |rng, _| if rng.below(1000) == 0 { '\0' } else { letter(rng, 0) }),
];

fn letter(rng: &mut Rng, per_cent: usize) -> char {
    let narrow = rng.below(100) >= per_cent;
    char::from(if narrow { b'a' + rng.below(26) as u8 } else { 0xE0 + rng.below(30) as u8 })
}

impl Profile {
    pub fn seeded() -> Vec<Self> {
        LANGUAGES.iter().chain(&MORE).map(Self::Seeded).chain(RANDOM).collect()
    }

    /// All `*.txt` files of a directory, which must be UTF-8.
    pub fn files(directory: &Path) -> Result<Vec<Self>, String> {
        let told = |error: std::io::Error| format!("{}: {error}", directory.display());
        let mut profiles = Vec::new();
        for entry in fs::read_dir(directory).map_err(told)? {
            let path = entry.map_err(told)?.path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = path.file_name().expect("it has an extension").to_string_lossy().to_lowercase();
            let name = name.split('.').next().unwrap_or_default().to_owned();
            if !text.is_empty() {
                profiles.push(Self::File { name, text });
            }
        }
        if profiles.is_empty() {
            return Err(format!("{}: there is no text in any *.txt", directory.display()));
        }
        profiles.sort_by(|a, b| a.name().cmp(b.name()));
        Ok(profiles)
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Seeded(language) => language.name,
            Self::Random(name, _) => name,
            Self::File { name, .. } => name,
        }
    }

    /// Returns at least `len` bytes, and hardly more. A shorter file is not simply repeated, which a branch predictor
    /// would learn, but in passages of some hundred bytes in random order.
    pub fn text(&self, len: usize) -> String {
        match self {
            Self::Seeded(language) => language.text(len),
            Self::Random(_, char) => {
                let (mut rng, mut text) = (Rng::new(7), String::with_capacity(len + 4));
                while text.len() < len {
                    text.push(char(&mut rng, text.len()));
                }
                text
            }
            Self::File { text, .. } if text.len() >= len => {
                let end = (len..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
                text[..end].to_owned()
            }
            Self::File { text, .. } => {
                let mut rng = Rng::new(0xF11E);
                let mut shuffled = String::with_capacity(len + 1024);
                while shuffled.len() < len {
                    let start = char_boundary(text, rng.below(text.len()));
                    let passage = &text[start..];
                    shuffled += &passage[..char_boundary(passage, 200 + rng.below(600))];
                }
                shuffled
            }
        }
    }
}

/// The class of a text, which determines how a kernel handles it, and so what speed to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Nothing but ASCII.
    Ascii,
    /// Mostly ASCII: languages in Latin script, and markup around any.
    Latin,
    /// Scripts with two bytes per character.
    TwoByte,
    /// Scripts with three bytes per character and spaces between words.
    ThreeByte,
    /// Scripts with three bytes per character and no spaces.
    Cjk,
    /// Nearly all characters have four bytes.
    Emoji,
    /// Everything else.
    Mix,
}

impl Class {
    pub fn of(text: &str) -> Self {
        let mut bytes = [0.0; 5];
        for char in text.chars() {
            bytes[char.len_utf8()] += char.len_utf8() as f64 / text.len() as f64;
        }
        let [_, one, two, three, four] = bytes;
        if text.is_ascii() {
            Self::Ascii
        } else if one >= 0.5 {
            Self::Latin
        } else if two >= 0.6 {
            Self::TwoByte
        } else if three >= 0.75 {
            if one < 0.04 { Self::Cjk } else { Self::ThreeByte }
        } else if four >= 0.8 {
            Self::Emoji
        } else {
            Self::Mix
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_of_their_class() {
        for profile in Profile::seeded() {
            let class = match profile.name() {
                "english" | "nul" => Class::Ascii,
                "accents" | "latin1-1%" | "latin1-30%" | "euro" | "chat" | "french" | "german" | "html"
                | "json" => Class::Latin,
                "russian" | "arabic" | "hebrew" | "latin1-100%" => Class::TwoByte,
                "hindi" | "korean" => Class::ThreeByte,
                "chinese" | "japanese" => Class::Cjk,
                "emoji" | "pictures" => Class::Emoji,
                "mix" => Class::Mix,
                other => panic!("{other} has no class"),
            };
            assert_eq!(Class::of(&profile.text(100_000)), class, "{}", profile.name());
        }
    }

    #[test]
    fn files_are_made_as_long_as_needed() {
        let file = Profile::File { name: String::new(), text: "zażółć gęślą jaźń ".repeat(3) };
        assert!(file.text(10_000).len() >= 10_000);
        assert_eq!(file.text(4), "zaż");
        assert_eq!(file.text(5), "zażó");
    }
}
