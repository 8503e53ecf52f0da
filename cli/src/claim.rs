//! What the user claims about the encoding of an input or output: labels, and the encodings they stand for.

use std::ffi::OsStr;
use std::sync::LazyLock;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, ValueEnum};
use fastutf::Isa;

use crate::encoding::Encoding;
use crate::guess::{self, Doubt, Guess, Order};

const UTF16: &[&str] = &["utf16", "csutf16"];
const UTF32: &[&str] = &["utf32", "csutf32"];

/// The encoding of an input as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// One encoding, with its byte order.
    Of(Encoding),
    /// UTF-16, in the byte order of its byte-order mark.
    Utf16,
    /// UTF-32, in the byte order of its byte-order mark.
    Utf32,
    /// That of the byte-order mark, or a guess.
    Detect,
    /// That of the byte-order mark of UTF-16 or UTF-32, otherwise UTF-8. It has no name.
    Marked,
}

/// All encodings, as `of` makes values of them, and the two without a byte order, before those with one.
fn all<T>(of: fn(Encoding) -> T, utf16: T, utf32: T) -> Vec<T> {
    let (mut utf16, mut utf32) = (Some(utf16), Some(utf32));
    let mut before = |encoding: &Encoding| match encoding {
        Encoding::Utf16Le => utf16.take(),
        Encoding::Utf32Le => utf32.take(),
        _ => None,
    };
    Encoding::ALL.into_iter().flat_map(|encoding| [before(&encoding), Some(of(encoding))]).flatten().collect()
}

impl Label {
    /// Whether what it means [is doubted](Encoding::is_doubted).
    pub fn is_doubted(self) -> bool {
        matches!(self, Self::Of(encoding) if encoding.is_doubted())
    }
}

impl ValueEnum for Label {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Label>> = LazyLock::new(|| {
            let mut all = all(Label::Of, Label::Utf16, Label::Utf32);
            all.push(Label::Detect);
            all
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        const MARKED: &str = "a byte-order mark, if present, determines the byte order (else `--fallback`) and is not part of the text";
        let (name, aliases, help) = match self {
            Self::Of(encoding) => (encoding.label(), encoding.names().aliases, encoding.names().input.into()),
            Self::Utf16 => ("utf-16", UTF16, format!("UTF-16; {MARKED}")),
            Self::Utf32 => ("utf-32", UTF32, format!("UTF-32; {MARKED}")),
            Self::Detect => {
                let help = "Detected: by a byte-order mark, which is not part of the text, or by a guess, which is reported; \
                            otherwise an error";
                ("detect", &[][..], help.into())
            }
            Self::Marked => return None,
        };
        Some(PossibleValue::new(name).aliases(aliases).help(help))
    }
}

/// Parses a label as the WHATWG Encoding Standard does: ignores case and surrounding white space.
#[derive(Clone)]
pub struct LabelParser<T: ValueEnum + Clone + Send + Sync + 'static>(EnumValueParser<T>);

/// Returns the parser of [`Label`]s or [`Target`]s.
pub fn label_parser<T: ValueEnum + Clone + Send + Sync + 'static>() -> LabelParser<T> {
    LabelParser(EnumValueParser::new())
}

impl<T: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for LabelParser<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let trimmed = value.to_str().map(|value| value.trim_ascii().to_ascii_lowercase());
        self.0.parse_ref(command, arg, trimmed.as_deref().map_or(value, OsStr::new)).map_err(|mut error| {
            let is_plain = |name: &&str| {
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c))
            };
            let name = value.to_str().map(str::trim_ascii).filter(is_plain).unwrap_or("NAME");
            let is_target = arg.is_some_and(|arg| arg.get_id() == "to");
            let iconv = |command: &str| format!("for other encodings, use iconv: `{command} INPUT > OUTPUT`");
            let advice = match trimmed.as_deref() {
                // What other programs call it.
                Some("auto" | "autodetect" | "guess" | "unknown") if !is_target => {
                    "to guess it, use `detect`".into()
                }
                // Suffixes of iconv.
                Some(label) if label.ends_with("//ignore") || label.ends_with("//translit") => {
                    "to replace what cannot be converted, use `--lossy`".into()
                }
                _ if is_target => iconv(&format!("iconv -f utf-8 -t {name}")),
                _ => iconv(&format!("iconv -f {name} -t utf-8")),
            };
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// The byte order of `utf-16` and `utf-32` input that has no byte-order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ByteOrder {
    /// Big-endian, the default of RFC 2781
    Be,
    /// Little-endian, as used by Windows
    Le,
}

/// What the user claims about the encoding of an input.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its label.
    pub label: Label,
    /// The byte order of `utf-16` or `utf-32` without a byte-order mark, if the user gives one.
    pub fallback: Option<ByteOrder>,
    /// The option with the label.
    pub option: &'static str,
    /// Whether `utf-16` or `utf-32` without a byte-order mark must look big-endian, if the user gives no byte order, and
    /// `latin1` and the like must not look like UTF-8.
    pub is_strict: bool,
}

impl Claim {
    /// Returns what the user claims about files that are only looked at.
    pub fn of_files(label: Label, fallback: Option<ByteOrder>) -> Self {
        Self { label, fallback, option: "--encoding", is_strict: false }
    }

    /// Returns the encoding of an input that starts with these bytes (at least 4, or the whole input), and the length
    /// of the signature to remove from it (RFC 2781 §4.3). Returns none if more of the input must be seen.
    pub fn resolve(self, start: &[u8]) -> Option<(Encoding, usize)> {
        match (self.label, start) {
            (Label::Of(encoding), _) => Some((encoding, 0)),
            (Label::Utf32 | Label::Detect | Label::Marked, [0, 0, 0xFE, 0xFF, ..]) => Some((Encoding::Utf32Be, 4)),
            (Label::Utf32, [0xFF, 0xFE, 0, 0, ..]) => Some((Encoding::Utf32Le, 4)),
            // Text in UTF-16 hardly ever starts with U+0000, but only more of it tells.
            (Label::Detect | Label::Marked, [0xFF, 0xFE, 0, 0, ..]) => None,
            (Label::Detect, [0xEF, 0xBB, 0xBF, ..]) => Some((Encoding::Utf8, 3)),
            (Label::Utf16 | Label::Detect | Label::Marked, [0xFE, 0xFF, ..]) => Some((Encoding::Utf16Be, 2)),
            (Label::Utf16 | Label::Detect | Label::Marked, [0xFF, 0xFE, ..]) => Some((Encoding::Utf16Le, 2)),
            (Label::Utf16, _) => match self.fallback {
                Some(ByteOrder::Be) => Some((Encoding::Utf16Be, 0)),
                Some(ByteOrder::Le) => Some((Encoding::Utf16Le, 0)),
                None if self.is_strict => None,
                None => Some((Encoding::Utf16Be, 0)),
            },
            (Label::Utf32, _) => match self.fallback {
                Some(ByteOrder::Be) => Some((Encoding::Utf32Be, 0)),
                Some(ByteOrder::Le) => Some((Encoding::Utf32Le, 0)),
                None if self.is_strict => None,
                None => Some((Encoding::Utf32Be, 0)),
            },
            (Label::Detect, _) => None,
            (Label::Marked, _) => Some((Encoding::Utf8, 0)),
        }
    }

    /// Returns the encoding of an input for which [`resolve`](Self::resolve) returns none, by its start, `sample`,
    /// which is all of it if `is_whole`, and the length of the signature. If it is a guess, also returns how certain it is.
    ///
    /// # Errors
    ///
    /// Why it cannot be determined, and what to do.
    pub fn guess(
        self,
        isa: Isa,
        sample: &[u8],
        is_whole: bool,
    ) -> Result<(Encoding, usize, Option<String>), Refusal> {
        if matches!(self.label, Label::Detect | Label::Marked) {
            if guess::is_utf32le(isa, sample, is_whole) {
                return Ok((Encoding::Utf32Le, 4, None));
            }
            if self.label == Label::Marked {
                return Ok((Encoding::Utf16Le, 2, None));
            }
            return match guess::detect(isa, sample, is_whole) {
                Ok(Guess { encoding, evidence }) => Ok((encoding, 0, Some(evidence))),
                Err(doubt) => Err(Refusal::of(&doubt, self.option, sample)),
            };
        }
        let is_utf32 = self.label == Label::Utf32;
        let order = if is_utf32 { guess::order_32 } else { guess::order };
        let (why, advice) = match order(isa, sample, is_whole) {
            Order::Big if is_utf32 => return Ok((Encoding::Utf32Be, 0, None)),
            Order::Big => return Ok((Encoding::Utf16Be, 0, None)),
            Order::Little => (
                if is_utf32 { "looks like UTF-32LE" } else { "looks like UTF-16LE" },
                "use `--fallback le`, or `--fallback be` if it is big-endian".to_owned(),
            ),
            Order::EightBit => {
                let (why, name) = match is_utf32 {
                    true => ("looks like UTF-8 and not like UTF-32", "UTF-32"),
                    false => ("looks like UTF-8 and not like UTF-16", "UTF-16"),
                };
                (why, format!("use `{} utf-8`, or `--fallback be` if it is {name}", self.option))
            }
            Order::Unknown => {
                ("its byte order cannot be detected", "use `--fallback be` or `--fallback le`".to_owned())
            }
        };
        let doubt = format!("has no byte-order mark, and {why}");
        Err(Refusal { doubt, advice, is_binary: guess::is_binary(sample) })
    }
}

/// Why the encoding of an input cannot be determined.
pub struct Refusal {
    /// What is in doubt, and why.
    pub doubt: String,
    /// What to do.
    pub advice: String,
    /// Whether the input does not look like text.
    pub is_binary: bool,
}

impl Refusal {
    /// Returns the refusal of an input whose encoding had to be guessed from `sample`. `option` would specify it.
    pub fn of(doubt: &Doubt, option: &str, sample: &[u8]) -> Self {
        let advice = match doubt {
            Doubt::Two(_) => "convert the parts separately".to_owned(),
            _ => format!("specify it with `{option}`"),
        };
        // Text in UTF-16 has NULs, too.
        let is_binary = !matches!(doubt, Doubt::Two(_)) && guess::is_binary(sample);
        Self { doubt: format!("cannot detect its encoding: {}", doubt.why()), advice, is_binary }
    }
}

/// The encoding of an output as the user names it: the same names, with other consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// One encoding, with its byte order.
    Of(Encoding),
    /// UTF-16 with a byte-order mark.
    Utf16,
    /// UTF-32 with a byte-order mark.
    Utf32,
}

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Target>> = LazyLock::new(|| all(Target::Of, Target::Utf16, Target::Utf32));
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, aliases, help) = match self {
            Self::Of(encoding) => (encoding.label(), encoding.names().aliases, encoding.names().output),
            Self::Utf16 => (
                "utf-16",
                UTF16,
                "UTF-16, big-endian, after a byte-order mark, on every machine; for what iconv, uconv and Python write on \
                 little-endian ones, use `utf-16le --bom add`",
            ),
            Self::Utf32 => ("utf-32", UTF32, "UTF-32, big-endian, after a byte-order mark; see `utf-16`"),
        };
        Some(PossibleValue::new(name).aliases(aliases).help(help))
    }
}

impl Target {
    /// Returns the encoding of the output.
    pub fn encoding(self) -> Encoding {
        match self {
            Self::Of(encoding) => encoding,
            // RFC 2781 §4.3: text labelled UTF-16 should be big-endian.
            Self::Utf16 => Encoding::Utf16Be,
            // So should UTF-32 (the Unicode Standard, D101).
            Self::Utf32 => Encoding::Utf32Be,
        }
    }
}
