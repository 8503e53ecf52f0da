use super::form::{Family, Form};
use super::{Fault, Kind, Utf16Kind, Whole};

/// The result of a conversion of a whole text from any encoding to any other, one character after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The text before the fault, or all of it.
    pub bytes: Vec<u8>,
    /// Why it stopped.
    pub fault: Option<Fault<Kind>>,
    /// What has been replaced.
    pub replacements: u64,
}

impl Converted {
    /// Converts; with a byte, what cannot be converted is replaced: by this byte in encodings of one byte, by U+FFFD elsewhere.
    pub fn new(from: Form, bytes: &[u8], to: Form, lossy: Option<u8>) -> Self {
        let mut converted = Self { bytes: Vec::new(), fault: None, replacements: 0 };
        let mut at = 0;
        for item in from.items_for(to, bytes) {
            let known = item.point.filter(|&point| to.has(point));
            match (known, lossy) {
                (Some(point), _) => to.put(point, &mut converted.bytes),
                (None, Some(replacement)) => {
                    let replacement =
                        if to.family() == Family::OneByte { replacement.into() } else { to.replacement() };
                    to.put(replacement, &mut converted.bytes);
                    converted.replacements += 1;
                }
                (None, None) => {
                    let unknown = |kind| Fault { at, len: Some(item.len), kind };
                    converted.fault = match item.point {
                        Some(point) => Some(unknown(match char::from_u32(point) {
                            Some(character) => format!("Not{to:?}({character:?})"),
                            None => format!("Surrogate({point})"),
                        })),
                        // The surrogates before it could be converted.
                        None if to == Form::Wtf8 && from.family() == Family::Utf16 => {
                            Some(Fault { at, len: None, kind: Utf16Kind::TrailingByte }.of("Utf16"))
                        }
                        None => Whole::fault_of(from, bytes),
                    };
                    break;
                }
            }
            at += item.len;
        }
        converted
    }
}
