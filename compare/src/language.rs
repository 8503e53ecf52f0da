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
    /// Random letters of ASCII, with one of these others in so many of ten thousand characters.
    Random { name: String, others: Vec<char>, share: usize },
    /// Read from a file.
    File { name: String, text: String },
}

/// Texts in Latin-1; `euro`, with a character that is not at the end of each 64 KB; with U+0000 now and then.
const RANDOM: [(&str, &str, usize); 5] = [
    ("latin1-1%", LATIN1, 100),
    ("latin1-30%", LATIN1, 3000),
    ("latin1-100%", LATIN1, 10_000),
    ("euro", LATIN1, 500),
    ("nul", "\0", 10),
];
const LATIN1: &str = "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüý";
/// ASCII with one of these others in 20 characters, 60, 200 and 600.
const SPARSE: [(&str, &str); 3] = [("sparse2", LATIN1), ("sparse3", "’“”–—…"), ("sparse4", "😀🎉👍🚀")];

impl Profile {
    pub fn seeded() -> Vec<Self> {
        let sparse =
            |one_in: usize| SPARSE.map(|(name, others)| (format!("{name}-{one_in}"), others, 10_000 / one_in));
        let random = RANDOM.map(|(name, others, share)| (name.to_owned(), others, share)).into_iter();
        let random = random.chain([20, 60, 200, 600].into_iter().flat_map(sparse));
        let random =
            random.map(|(name, others, share)| Self::Random { name, others: others.chars().collect(), share });
        LANGUAGES.iter().chain(&MORE).map(Self::Seeded).chain(random).collect()
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
            Self::File { name, .. } | Self::Random { name, .. } => name,
        }
    }

    /// Returns at least `len` bytes, and hardly more. A shorter file is not simply repeated, which a branch predictor
    /// would learn, but in passages of some hundred bytes in random order.
    pub fn text(&self, len: usize) -> String {
        match self {
            Self::Seeded(language) => language.text(len),
            Self::Random { name, others, share } => {
                let (mut rng, mut text) = (Rng::new(7), String::with_capacity(len + 4));
                while text.len() < len {
                    text.push(match (64 << 10) - text.len() % (64 << 10) {
                        3 if name == "euro" => '€',
                        left if rng.below(10_000) < *share && left > 4 => others[rng.below(others.len())],
                        _ => char::from(b'a' + rng.below(26) as u8),
                    });
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
                sparse if sparse.starts_with("sparse") => Class::Latin,
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
