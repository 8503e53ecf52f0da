use super::{Fault, LossyUtf16, Utf8Kind, Utf16Kind, Utf16Oracle, split_utf8, to_bytes};

/// The encodings of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are clear")]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// Encodes the text with std.
    pub fn encode(self, text: &str) -> Vec<u8> {
        let units = || text.encode_utf16().collect::<Vec<_>>();
        match self {
            Self::Utf8 => text.into(),
            Self::Utf16Le => to_bytes(&units(), u16::to_le_bytes),
            Self::Utf16Be => to_bytes(&units(), u16::to_be_bytes),
        }
    }

    /// The byte-order mark in this encoding.
    pub fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
        }
    }

    /// The code units of these bytes of UTF-16, and whether an odd byte follows.
    pub fn units(self, bytes: &[u8]) -> (Vec<u16>, bool) {
        let (units, half) = bytes.as_chunks::<2>();
        let unit = if self == Self::Utf16Be { u16::from_be_bytes } else { u16::from_le_bytes };
        (units.iter().map(|&bytes| unit(bytes)).collect(), !half.is_empty())
    }
}

/// Kinds of errors of text in some encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are clear")]
pub enum Kind {
    Utf8(Utf8Kind),
    Utf16(Utf16Kind),
}

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
    pub fn new(encoding: Encoding, bytes: &[u8]) -> Self {
        if encoding == Encoding::Utf8 {
            let (valid, fault) = split_utf8(bytes);
            return Self {
                valid: valid.to_owned(),
                fault: fault.map(|fault| fault.map(Kind::Utf8)),
                lossy: String::from_utf8_lossy(bytes).into_owned(),
                replacements: bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64,
            };
        }
        let (units, half) = encoding.units(bytes);
        let lossy = LossyUtf16::new(&units, half);
        let strict = Utf16Oracle::new(&units, half);
        let fault = strict.result(2).err();
        Self {
            valid: strict.text,
            fault: fault.map(|fault| fault.map(Kind::Utf16)),
            lossy: lossy.text,
            replacements: lossy.replacements as u64,
        }
    }

    /// The first error of the text.
    pub fn fault_of(encoding: Encoding, bytes: &[u8]) -> Option<Fault<Kind>> {
        if encoding == Encoding::Utf8 {
            return split_utf8(bytes).1.map(|fault| fault.map(Kind::Utf8));
        }
        let (units, half) = encoding.units(bytes);
        Utf16Oracle::new(&units, half).result(2).err().map(|fault| fault.map(Kind::Utf16))
    }

    /// How many bytes must be seen before the text is known to be ill-formed.
    pub fn known_at(encoding: Encoding, bytes: &[u8]) -> Option<usize> {
        let known =
            |len: &usize| Self::fault_of(encoding, &bytes[..*len]).is_some_and(|fault| fault.len.is_some());
        let fault = Self::fault_of(encoding, bytes).filter(|fault| fault.len.is_some())?;
        (fault.at..=bytes.len()).find(known)
    }
}
