//! Reports findings as text, as lines of JSON, or as commands with which GitHub's runners annotate the code.

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::ser::Formatter;

use crate::encoding::{Encoding, Units, hex, is_continuation};
use crate::error::Error;
use crate::name::{Name, github_name, github_text, is_command};
use crate::scan::Finding;
use crate::style::Styles;

/// The formats of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One JSON object on each line
    Json,
    /// Annotations of GitHub Actions (workflow commands)
    Github,
}

/// How findings are written.
pub struct Reporter {
    /// The format.
    pub format: Format,
    /// Whether text has an excerpt of the bytes.
    pub excerpt: bool,
    /// Whether text mentions valid files and skipped ones.
    pub verbose: bool,
    /// Whether it mentions the encoding of valid files.
    pub tell: bool,
    /// The colours of text.
    pub styles: Styles,
}

/// A name as JSON: a string, and its bytes if it is not Unicode.
#[derive(Serialize)]
pub struct JsonName {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
}

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Error {
        #[serde(flatten)]
        name: JsonName,
        encoding: &'a str,
        offset: u64,
        line: u64,
        column: u64,
        kind: String,
        message: String,
        bytes: String,
        excerpt: Excerpt,
        #[serde(skip_serializing_if = "Option::is_none")]
        hint: Option<&'a str>,
    },
    File {
        #[serde(flatten)]
        name: JsonName,
        #[serde(flatten)]
        outcome: Outcome,
    },
    Summary {
        #[serde(flatten)]
        totals: &'a Totals,
    },
}

/// Some bytes, and the offset of the first.
#[derive(Serialize)]
struct Excerpt {
    offset: u64,
    bytes: String,
}

/// The result for a file.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Outcome {
    /// The file is valid.
    Valid {
        #[allow(missing_docs)]
        encoding: &'static str,
        #[allow(missing_docs)]
        bytes: u64,
    },
    /// The file is invalid.
    Invalid {
        #[allow(missing_docs)]
        encoding: &'static str,
        /// How many bytes have been checked.
        bytes: u64,
        /// How many errors there are in these.
        errors: u64,
        /// Whether that is all of the file.
        complete: bool,
    },
    /// The file is not text, and was skipped.
    Binary {},
    /// The encoding of the file cannot be determined.
    Undecided {
        /// Why.
        message: String,
    },
    /// The file cannot be read.
    Unreadable {
        /// Why.
        message: String,
        /// How many errors have been found before.
        errors: u64,
    },
}

/// The results for all files.
#[derive(Default, Serialize)]
pub struct Totals {
    /// How many files there were.
    pub files: u64,
    /// How many of them are not valid.
    pub invalid: u64,
    /// How many have been skipped, which are none of the others.
    pub binary: u64,
    /// For how many the encoding cannot be determined.
    pub undecided: u64,
    /// How many cannot be read.
    pub unreadable: u64,
    /// How many errors have been found.
    pub errors: u64,
    /// How many bytes have been checked.
    pub bytes: u64,
    /// The time taken.
    pub seconds: f64,
}

impl JsonName {
    /// Returns the name of this file.
    pub fn of(path: &Path) -> Self {
        let name = if path == Path::new("-") { "<stdin>".into() } else { path.to_string_lossy() };
        let bytes = path.as_os_str().as_encoded_bytes();
        let path_hex = path.to_str().is_none().then(|| hex(bytes).replace(' ', ""));
        Self { path: name.into(), path_hex }
    }
}

impl Reporter {
    /// Writes a finding in a file.
    pub fn finding(
        &self,
        out: &mut Vec<u8>,
        path: &Path,
        encoding: Encoding,
        finding: &Finding,
        hint: Option<&str>,
    ) {
        let Finding { at, fault, sequence, .. } = finding;
        match self.format {
            Format::Text => {
                let Styles { error, strong, hint: advice, .. } = self.styles;
                let what = fault.describe(encoding, sequence);
                let place = format!("byte {}, line {}, column {}", at.byte, at.line, at.column);
                let name = Name::of(path);
                put(out, format_args!("{strong}{name}{strong:#}: {error}invalid{error:#} at {place}: {what}"));
                if let Some(hint) = hint {
                    put(out, format_args!("; {advice}{hint}{advice:#}"));
                }
                out.push(b'\n');
                if self.excerpt {
                    self.excerpt(out, encoding, finding);
                }
            }
            Format::Json => json(
                out,
                &Line::Error {
                    name: JsonName::of(path),
                    encoding: encoding.name(),
                    offset: at.byte,
                    line: at.line,
                    column: at.column,
                    kind: fault.kind(),
                    message: fault.to_string(),
                    bytes: hex(sequence),
                    excerpt: Excerpt { offset: at.byte - finding.start as u64, bytes: hex(&finding.excerpt) },
                    hint,
                },
            ),
            Format::Github => {
                let place = format!("line={},col={}", at.line, at.column);
                let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
                let what = format!("{} at byte {}{hint}", fault.describe(encoding, sequence), at.byte);
                github(out, path, &place, &format!("invalid {}", encoding.name()), &what);
            }
        }
    }

    /// Writes the bytes and the text around a finding, with the ill-formed bytes marked.
    fn excerpt(&self, out: &mut Vec<u8>, encoding: Encoding, finding: &Finding) {
        let Finding { at, sequence, excerpt, start, .. } = finding;
        let Styles { error, faint, .. } = self.styles;
        let offset = format!("{:>10}:", at.byte - *start as u64);
        let end = (start + sequence.len()).min(excerpt.len());
        let space = |bytes: &[u8]| if bytes.is_empty() { "" } else { " " };
        let (before, bad, after) = (&excerpt[..*start], &excerpt[*start..end], &excerpt[end..]);
        put(out, format_args!("{faint}{offset}{faint:#} {}{}", hex(before), space(before)));
        put(out, format_args!("{error}{}{error:#}{}{}", hex(bad), space(after), hex(after)));
        put(out, format_args!("{:1$}  {2}\n", "", 3 * (16 - excerpt.len()), text(encoding, excerpt, *start)));
        let marks = vec!["^^"; bad.len()].join(" ");
        put(out, format_args!("{:1$}{error}{marks}{error:#}\n", "", offset.len() + 1 + 3 * start));
    }

    /// Writes the result for a file and, to `err`, why it cannot be read.
    pub fn file(&self, out: &mut Vec<u8>, err: &mut Vec<u8>, path: &Path, outcome: Outcome, why: Option<&Error>) {
        if let Some(why) = why {
            why.report_to(err);
        }
        match (self.format, outcome) {
            (Format::Json, outcome) => json(out, &Line::File { name: JsonName::of(path), outcome }),
            (Format::Github, Outcome::Unreadable { message, .. }) => {
                github(out, path, "line=1", "unreadable", &message);
            }
            (Format::Github, Outcome::Undecided { message }) => {
                github(out, path, "line=1", "encoding unknown", &message);
            }
            (Format::Text, Outcome::Valid { encoding, .. }) if self.verbose => {
                let Styles { good, .. } = self.styles;
                let encoding = if self.tell { format!(" {encoding}") } else { String::new() };
                put(out, format_args!("{}: {good}valid{encoding}{good:#}\n", Name::of(path)));
            }
            (Format::Text, Outcome::Binary {}) if self.verbose => {
                let faint = self.styles.faint;
                put(out, format_args!("{}: {faint}binary, skipped{faint:#}\n", Name::of(path)));
            }
            _ => {}
        }
    }

    /// Writes the results for all files, for programs.
    pub fn summary(&self, out: &mut Vec<u8>, totals: &Totals) {
        if self.format == Format::Json {
            json(out, &Line::Summary { totals });
        }
    }
}

/// Appends a note for the standard error that is not an error.
pub fn note(err: &mut Vec<u8>, what: std::fmt::Arguments<'_>) {
    let Styles { strong, .. } = Styles::stderr();
    put(err, format_args!("{strong}fastutf:{strong:#} {what}\n"));
}

/// Appends to a report, which cannot fail.
pub fn put(out: &mut Vec<u8>, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("memory takes it");
}

/// Appends a note about an input that is not an error.
pub fn say(told: &mut Vec<u8>, input: &Path, what: &str) {
    let Styles { strong, .. } = Styles::stderr();
    put(told, format_args!("{strong}fastutf:{strong:#} {}: {what}\n", Name::of(input)));
}

/// Appends a value as a line of JSON.
pub fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Shown);
    value.serialize(&mut serializer).expect("memory takes it, and every value is one of JSON");
    out.push(b'\n');
}

/// JSON that is safe on a terminal. JSON must escape only some of the characters that a terminal might obey, but may
/// escape all.
struct Shown;

impl Formatter for Shown {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_command) {
            let character = rest[at..].chars().next().expect("it is there");
            let (shown, command) = rest.split_at(at);
            // Each of them is one code unit.
            write!(writer, "{shown}\\u{:04x}", u32::from(character))?;
            rest = &command[character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Appends an error for GitHub's runners, which know files by their paths below the current directory.
fn github(out: &mut Vec<u8>, path: &Path, place: &str, title: &str, message: &str) {
    let path = path.strip_prefix(".").unwrap_or(path);
    let (file, message) = (github_name(path), github_text(message));
    put(out, format_args!("::error file={file},{place},title={title}::{message}\n"));
}

/// The text around an ill-formed sequence, with U+FFFD for the sequence, nothing for characters that are cut, and a
/// full stop for characters that a terminal might obey or not show.
fn text(encoding: Encoding, excerpt: &[u8], start: usize) -> String {
    let characters: String = match encoding.units() {
        Units::Utf8 => {
            let cut = excerpt[..start].iter().take(3).take_while(|&&byte| is_continuation(byte)).count();
            let is_cut = |at: &usize| {
                let error = str::from_utf8(&excerpt[*at..]).err();
                error.is_some_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
            };
            let end = (start + 1..excerpt.len()).rev().take(3).find(is_cut).unwrap_or(excerpt.len());
            fastutf::decode_lossy(&excerpt[cut..end], encoding.of_stream()).0.into()
        }
        Units::OneByte => fastutf::decode_lossy(excerpt, encoding.of_stream()).0.into(),
        Units::Utf32 => {
            let unit = if encoding == Encoding::Utf32Le { u32::from_le_bytes } else { u32::from_be_bytes };
            // Before the sequence are whole code units, but for some bytes of the first one.
            let units = excerpt[start % 4..].chunks(4).map(|bytes| bytes.try_into().map(unit));
            units.map(|unit| unit.ok().and_then(char::from_u32).unwrap_or('\u{FFFD}')).collect()
        }
        Units::Utf16 => {
            let unit = if encoding == Encoding::Utf16Le { u16::from_le_bytes } else { u16::from_be_bytes };
            let mut units: Vec<u16> = excerpt.as_chunks().0.iter().map(|&bytes| unit(bytes)).collect();
            if start > 0 && units[0] & 0xFC00 == 0xDC00 {
                units.remove(0);
            }
            if 2 * units.len() > start + 2 && units.last().is_some_and(|unit| unit & 0xFC00 == 0xD800) {
                units.pop();
            }
            let mut text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{FFFD}')).collect();
            // Half a code unit.
            if !excerpt.len().is_multiple_of(2) {
                text.push('\u{FFFD}');
            }
            text
        }
    };
    let is_shown = |character: char| {
        !is_command(character)
            && !matches!(character, '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2065}' | '\u{FEFF}')
    };
    characters.chars().map(|character| if is_shown(character) { character } else { '.' }).collect()
}
