//! What must come out, from the standard library and the tables of RFC 3629 and RFC 2781 alone.

use fastutf::{LossyConversion, Stop, Utf8ErrorKind, Utf16ErrorKind};

/// An error, in the units of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault<K> {
    pub valid_up_to: usize,
    pub error_len: Option<usize>,
    pub kind: K,
}

/// The report of a conversion with replacement, in the units of its input and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossyOutcome {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub complete: bool,
}

impl PartialEq<LossyOutcome> for LossyConversion {
    fn eq(&self, other: &LossyOutcome) -> bool {
        let LossyOutcome { read, written, replacements, complete } = *other;
        (self.read, self.written, self.replacements, self.is_complete()) == (read, written, replacements, complete)
    }
}

/// The report of a conversion, in the units of its input and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<K> {
    pub read: usize,
    pub written: usize,
    pub stop: Stop<Fault<K>>,
}

pub fn validate_utf8(src: &[u8]) -> Result<(), Fault<Utf8ErrorKind>> {
    let Err(error) = std::str::from_utf8(src) else { return Ok(()) };
    let at = error.valid_up_to();
    let kind = match (error.error_len(), src[at], src.get(at + 1)) {
        (None, ..) => Utf8ErrorKind::Incomplete,
        (_, 0x80..=0xBF, _) => Utf8ErrorKind::StrayContinuation,
        (_, 0xC0 | 0xC1, _) | (_, 0xE0, Some(0x80..=0x9F)) | (_, 0xF0, Some(0x80..=0x8F)) => {
            Utf8ErrorKind::Overlong
        }
        (_, 0xED, Some(0xA0..=0xBF)) => Utf8ErrorKind::Surrogate,
        (_, 0xF4, Some(0x90..=0xBF)) | (_, 0xF5..=0xF7, _) => Utf8ErrorKind::AboveMax,
        (_, 0xF8..=0xFD, _) => Utf8ErrorKind::FiveOrSixByteForm,
        (_, 0xFE..=0xFF, _) => Utf8ErrorKind::InvalidLead,
        _ => Utf8ErrorKind::MissingContinuation,
    };
    Err(Fault { valid_up_to: at, error_len: error.error_len(), kind })
}

/// Offsets are in code units.
pub fn validate_utf16(src: &[u16]) -> Result<(), Fault<Utf16ErrorKind>> {
    let mut at = 0;
    for decoded in char::decode_utf16(src.iter().copied()) {
        match decoded {
            Ok(char) => at += char.len_utf16(),
            Err(error) => {
                let (error_len, kind) = match error.unpaired_surrogate() {
                    0xDC00.. => (Some(1), Utf16ErrorKind::UnpairedLowSurrogate),
                    _ if at + 1 == src.len() => (None, Utf16ErrorKind::TrailingHighSurrogate),
                    _ => (Some(1), Utf16ErrorKind::UnpairedHighSurrogate),
                };
                return Err(Fault { valid_up_to: at, error_len, kind });
            }
        }
    }
    Ok(())
}

/// The same for `len` bytes, of which the last may be half a unit. Offsets are in bytes.
pub fn validity_in_bytes(
    validity: Result<(), Fault<Utf16ErrorKind>>,
    len: usize,
) -> Result<(), Fault<Utf16ErrorKind>> {
    validity.map_err(fault_in_bytes)?;
    if len.is_multiple_of(2) { Ok(()) } else { Err(trailing_byte(len)) }
}

fn fault_in_bytes(fault: Fault<Utf16ErrorKind>) -> Fault<Utf16ErrorKind> {
    Fault { valid_up_to: 2 * fault.valid_up_to, error_len: fault.error_len.map(|len| 2 * len), ..fault }
}

fn trailing_byte(len: usize) -> Fault<Utf16ErrorKind> {
    Fault { valid_up_to: len - 1, error_len: None, kind: Utf16ErrorKind::TrailingByte }
}

/// The outcome for code units as that for the same input in `len` bytes, of which the last may be half a unit.
pub fn in_bytes(outcome: Outcome<Utf16ErrorKind>, len: usize) -> Outcome<Utf16ErrorKind> {
    let stop = match outcome.stop {
        Stop::Complete if len % 2 == 1 => Stop::Invalid(trailing_byte(len)),
        Stop::Invalid(fault) => Stop::Invalid(fault_in_bytes(fault)),
        stop => stop,
    };
    Outcome { read: 2 * outcome.read, stop, ..outcome }
}

/// What comes of bytes that are to be UTF-8, in UTF-16.
pub struct FromUtf8<'a> {
    pub validity: Result<(), Fault<Utf8ErrorKind>>,
    pub valid: &'a str,
    pub units: Vec<u16>,
}

impl<'a> FromUtf8<'a> {
    pub fn new(src: &'a [u8]) -> Self {
        let validity = validate_utf8(src);
        let valid = &src[..validity.map_or_else(|fault| fault.valid_up_to, |()| src.len())];
        let valid = std::str::from_utf8(valid).unwrap();
        Self { validity, valid, units: valid.encode_utf16().collect() }
    }

    /// The outcome with room for `room` code units.
    pub fn outcome(&self, room: usize) -> Outcome<Utf8ErrorKind> {
        if room >= self.units.len() {
            let stop = self.validity.map_or_else(Stop::Invalid, |()| Stop::Complete);
            return Outcome { read: self.valid.len(), written: self.units.len(), stop };
        }
        let (mut read, mut written) = (0, 0);
        for char in self.valid.chars() {
            if room - written < char.len_utf16() {
                break;
            }
            (read, written) = (read + char.len_utf8(), written + char.len_utf16());
        }
        Outcome { read, written, stop: Stop::OutputFull }
    }
}

/// What comes of code units that are to be UTF-16, in UTF-8.
pub struct FromUtf16 {
    pub validity: Result<(), Fault<Utf16ErrorKind>>,
    pub read: usize,
    pub text: String,
}

impl FromUtf16 {
    pub fn new(src: &[u16]) -> Self {
        let validity = validate_utf16(src);
        let read = validity.map_or_else(|fault| fault.valid_up_to, |()| src.len());
        Self { validity, read, text: String::from_utf16(&src[..read]).unwrap() }
    }

    /// The outcome with room for `room` bytes.
    pub fn outcome(&self, room: usize) -> Outcome<Utf16ErrorKind> {
        if room >= self.text.len() {
            let stop = self.validity.map_or_else(Stop::Invalid, |()| Stop::Complete);
            return Outcome { read: self.read, written: self.text.len(), stop };
        }
        let (mut read, mut written) = (0, 0);
        for char in self.text.chars() {
            if room - written < char.len_utf8() {
                break;
            }
            (read, written) = (read + char.len_utf16(), written + char.len_utf8());
        }
        Outcome { read, written, stop: Stop::OutputFull }
    }
}

// What the counting functions promise for any input; for valid text, what the standard library counts.

pub fn count_chars_utf8(src: &[u8]) -> usize {
    let count = src.iter().filter(|byte| !matches!(byte, 0x80..=0xBF)).count();
    if let Ok(text) = std::str::from_utf8(src) {
        assert_eq!(count, text.chars().count());
    }
    count
}

pub fn utf16_len_from_utf8(src: &[u8]) -> usize {
    let len = count_chars_utf8(src) + src.iter().filter(|byte| **byte >= 0xF0).count();
    if let Ok(text) = std::str::from_utf8(src) {
        assert_eq!(len, text.encode_utf16().count());
    }
    len
}

pub fn count_chars_utf16(src: &[u16]) -> usize {
    let count = src.iter().filter(|unit| !matches!(unit, 0xDC00..=0xDFFF)).count();
    if let Ok(text) = String::from_utf16(src) {
        assert_eq!(count, text.chars().count());
    }
    count
}

pub fn utf8_len_from_utf16(src: &[u16]) -> usize {
    let len = src
        .iter()
        .map(|unit| match unit {
            0..0x80 => 1,
            0x80..0x800 | 0xD800..=0xDFFF => 2,
            _ => 3,
        })
        .sum();
    if let Ok(text) = String::from_utf16(src) {
        assert_eq!(len, text.len());
    }
    len
}
