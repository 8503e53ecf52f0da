use super::form::Form;
use super::{Encoding, Fault, Kind, Utf16Kind, Whole};

impl Encoding {
    /// The form of text in this encoding.
    pub fn form(self) -> Form {
        match self {
            Self::Utf8 => Form::Utf8,
            Self::Utf16Le => Form::Utf16Le,
            Self::Utf16Be => Form::Utf16Be,
            Self::Latin1 => Form::Latin1,
            Self::Utf32Le => Form::Utf32Le,
            Self::Utf32Be => Form::Utf32Be,
            Self::Wtf8 => Form::Wtf8,
        }
    }
}

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
    /// Converts; with a byte, what cannot be converted is replaced: by this byte in Latin-1, by U+FFFD elsewhere.
    pub fn new(from: Encoding, bytes: &[u8], to: Encoding, lossy: Option<u8>) -> Self {
        let form = to.form();
        let mut converted = Self { bytes: Vec::new(), fault: None, replacements: 0 };
        let mut at = 0;
        for item in from.form().items_for(form, bytes) {
            let known = item.point.filter(|&point| form.has(point));
            match (known, lossy) {
                (Some(point), _) => form.put(point, &mut converted.bytes),
                (None, Some(replacement)) => {
                    let replacement = if form == Form::Latin1 { replacement.into() } else { form.replacement() };
                    form.put(replacement, &mut converted.bytes);
                    converted.replacements += 1;
                }
                (None, None) => {
                    let unknown = |kind| Fault { at, len: Some(item.len), kind };
                    converted.fault = match item.point {
                        Some(point) => Some(unknown(match char::from_u32(point) {
                            Some(character) => Kind::NotLatin1(character),
                            None => Kind::Surrogate(point as u16),
                        })),
                        // The surrogates before it could be converted.
                        None if to == Encoding::Wtf8 && from.is_utf16() => {
                            Some(Fault { at, len: None, kind: Kind::Utf16(Utf16Kind::TrailingByte) })
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
