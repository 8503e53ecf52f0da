use super::{
    Decoded, Fault, Form, FormKind, FormOracle, LossyUtf16, Utf8Kind, Utf16Kind, Utf16Oracle, Utf32Kind,
    split_utf8, text_of_latin1, to_bytes,
};

/// The encodings of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are clear")]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Latin1,
    Utf32Le,
    Utf32Be,
    Wtf8,
}

impl Encoding {
    /// The encoding of this name, as IANA has it.
    pub fn named(name: &str) -> Self {
        match name {
            "UTF-8" => Self::Utf8,
            "UTF-16LE" => Self::Utf16Le,
            "UTF-16BE" => Self::Utf16Be,
            "ISO-8859-1" => Self::Latin1,
            "UTF-32LE" => Self::Utf32Le,
            "UTF-32BE" => Self::Utf32Be,
            "WTF-8" => Self::Wtf8,
            _ => panic!("the oracles do not know {name}"),
        }
    }

    /// Encodes the text with std. It must have no characters that the encoding does not have.
    pub fn encode(self, text: &str) -> Vec<u8> {
        text.chars().flat_map(|c| self.character(c).unwrap()).collect()
    }

    /// Encodes a character, if the encoding has it.
    pub fn character(self, character: char) -> Option<Vec<u8>> {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units);
        match self {
            Self::Utf8 | Self::Wtf8 => Some(character.to_string().into_bytes()),
            Self::Utf16Le => Some(to_bytes(units, u16::to_le_bytes)),
            Self::Utf16Be => Some(to_bytes(units, u16::to_be_bytes)),
            Self::Latin1 => u8::try_from(character).ok().map(|byte| vec![byte]),
            Self::Utf32Le => Some(u32::from(character).to_le_bytes().into()),
            Self::Utf32Be => Some(u32::from(character).to_be_bytes().into()),
        }
    }

    /// Whether it is UTF-16, of either byte order.
    pub fn is_utf16(self) -> bool {
        matches!(self, Self::Utf16Le | Self::Utf16Be)
    }

    /// The byte-order mark in this encoding.
    pub fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 | Self::Wtf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
            Self::Latin1 => b"",
            Self::Utf32Le => b"\xFF\xFE\0\0",
            Self::Utf32Be => b"\0\0\xFE\xFF",
        }
    }

    /// The code units of these bytes of UTF-32, and how many bytes follow.
    pub fn units_32(self, bytes: &[u8]) -> (Vec<u32>, usize) {
        let (units, rest) = bytes.as_chunks::<4>();
        let unit = if self == Self::Utf32Be { u32::from_be_bytes } else { u32::from_le_bytes };
        (units.iter().map(|&bytes| unit(bytes)).collect(), rest.len())
    }

    /// Whether it is UTF-32, of either byte order.
    pub fn is_utf32(self) -> bool {
        matches!(self, Self::Utf32Le | Self::Utf32Be)
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
    NotLatin1(char),
    Utf32(Utf32Kind),
    Wtf8(FormKind),
    Surrogate(u16),
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
        if encoding == Encoding::Latin1 {
            let text = text_of_latin1(bytes);
            return Self { valid: text.clone(), fault: None, lossy: text, replacements: 0 };
        }
        if encoding == Encoding::Wtf8 {
            let oracle = FormOracle::new(Form::Wtf8, bytes);
            let (out, lossy) = oracle.to_utf8_lossy(usize::MAX);
            return Self {
                valid: oracle.to_utf8(usize::MAX).1,
                fault: Self::fault_of(encoding, bytes),
                lossy,
                replacements: out.replacements as u64,
            };
        }
        if encoding.is_utf32() {
            let (units, rest) = encoding.units_32(bytes);
            let mut characters: Vec<_> = units.into_iter().map(char::from_u32).collect();
            characters.extend((rest > 0).then_some(None));
            return Self {
                valid: characters.iter().map_while(|&character| character).collect(),
                fault: Self::fault_of(encoding, bytes),
                lossy: characters.iter().map(|character| character.unwrap_or('\u{FFFD}')).collect(),
                replacements: characters.iter().filter(|character| character.is_none()).count() as u64,
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
        if encoding == Encoding::Latin1 {
            return None;
        }
        if encoding == Encoding::Wtf8 {
            return FormOracle::new(Form::Wtf8, bytes).fault.map(|fault| fault.map(Kind::Wtf8));
        }
        if encoding.is_utf32() {
            let (units, rest) = encoding.units_32(bytes);
            return Decoded::of_utf32(&units, rest, 4).result().err().map(|fault| fault.map(Kind::Utf32));
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
