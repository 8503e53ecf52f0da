use super::form::{Family, Form};
use super::{Decoded, Fault, FormOracle, LossyUtf16, Utf16Oracle, generalised, split_utf8};

/// The kind of an error in a text of any encoding, as the library's type prints it for debugging: `Utf8(Overlong)`. So no list of
/// encodings has to be kept here.
pub type Kind = String;

/// The standard library's result for a whole text. Offsets are in bytes.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The valid part.
    pub valid: String,
    /// The error after it.
    pub fault: Option<Fault<Kind>>,
    /// The whole text, with U+FFFD for ill-formed sequences.
    pub lossy: String,
    /// The number of replacements.
    pub replacements: u64,
}

impl Whole {
    /// Computes it with std.
    pub fn new(encoding: Form, bytes: &[u8]) -> Self {
        if encoding == Form::Utf8 {
            let (valid, fault) = split_utf8(bytes);
            return Self {
                valid: valid.to_owned(),
                fault: fault.map(|fault| fault.of("Utf8")),
                lossy: String::from_utf8_lossy(bytes).into_owned(),
                replacements: bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64,
            };
        }
        if encoding.family() == Family::OneByte {
            let items = encoding.items(bytes).into_iter();
            let text: String = items.map(|item| item.point.and_then(char::from_u32).unwrap()).collect();
            return Self { valid: text.clone(), fault: None, lossy: text, replacements: 0 };
        }
        if encoding == Form::Wtf8 {
            let oracle = FormOracle::new(generalised::Form::Wtf8, bytes);
            let (out, lossy) = oracle.to_utf8_lossy(usize::MAX);
            return Self {
                valid: oracle.to_utf8(usize::MAX).1,
                fault: Self::fault_of(encoding, bytes),
                lossy,
                replacements: out.replacements as u64,
            };
        }
        if encoding.family() == Family::Utf32 {
            let (units, rest) = (encoding.units(bytes), bytes.len() % 4);
            let mut characters: Vec<_> = units.into_iter().map(char::from_u32).collect();
            characters.extend((rest > 0).then_some(None));
            return Self {
                valid: characters.iter().map_while(|&character| character).collect(),
                fault: Self::fault_of(encoding, bytes),
                lossy: characters.iter().map(|character| character.unwrap_or('\u{FFFD}')).collect(),
                replacements: characters.iter().filter(|character| character.is_none()).count() as u64,
            };
        }
        let (units, half) = encoding.units_16(bytes);
        let lossy = LossyUtf16::new(&units, half);
        let strict = Utf16Oracle::new(&units, half);
        let fault = strict.result(2).err();
        Self {
            valid: strict.text,
            fault: fault.map(|fault| fault.of("Utf16")),
            lossy: lossy.text,
            replacements: lossy.replacements as u64,
        }
    }

    /// The first error of the text.
    pub fn fault_of(encoding: Form, bytes: &[u8]) -> Option<Fault<Kind>> {
        if encoding == Form::Utf8 {
            return split_utf8(bytes).1.map(|fault| fault.of("Utf8"));
        }
        if encoding.family() == Family::OneByte {
            return None;
        }
        if encoding == Form::Wtf8 {
            return FormOracle::new(generalised::Form::Wtf8, bytes).fault.map(|fault| fault.of("Wtf8"));
        }
        if encoding.family() == Family::Utf32 {
            let (units, rest) = (encoding.units(bytes), bytes.len() % 4);
            return Decoded::of_utf32(&units, rest, 4).result().err().map(|fault| fault.of("Utf32"));
        }
        let (units, half) = encoding.units_16(bytes);
        Utf16Oracle::new(&units, half).result(2).err().map(|fault| fault.of("Utf16"))
    }

    /// How many bytes must be seen before the text is known to be ill-formed.
    pub fn known_at(encoding: Form, bytes: &[u8]) -> Option<usize> {
        let known =
            |len: &usize| Self::fault_of(encoding, &bytes[..*len]).is_some_and(|fault| fault.len.is_some());
        let fault = Self::fault_of(encoding, bytes).filter(|fault| fault.len.is_some())?;
        (fault.at..=bytes.len()).find(known)
    }
}
