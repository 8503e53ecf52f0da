use std::fmt::Debug;

use super::{Kind, to_bytes};

/// Kinds of errors in UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`fastutf::Utf8ErrorKind` documents them")]
pub enum Utf8Kind {
    Incomplete,
    MissingContinuation,
    StrayContinuation,
    Overlong,
    Surrogate,
    AboveMax,
    FiveOrSixByteForm,
    InvalidLead,
}

/// Kinds of errors in UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`fastutf::Utf16ErrorKind` documents them")]
pub enum Utf16Kind {
    UnpairedHighSurrogate,
    UnpairedLowSurrogate,
    TrailingHighSurrogate,
    TrailingByte,
}

/// An error, field by field, in the units of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault<K> {
    /// The length of the well-formed part before it.
    pub at: usize,
    /// Its length, unless more input could complete it.
    pub len: Option<usize>,
    /// Its kind.
    pub kind: K,
}

impl<K> Fault<K> {
    /// With the family of its encoding in the kind.
    pub(super) fn of(self, family: &str) -> Fault<Kind>
    where
        K: Debug,
    {
        Fault { at: self.at, len: self.len, kind: format!("{family}({:?})", self.kind) }
    }

    /// The same error in smaller units, of which `scale` make one.
    fn scaled(self, scale: usize) -> Self {
        Self { at: self.at * scale, len: self.len.map(|len| len * scale), ..self }
    }
}

/// Why a conversion stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped<F> {
    /// All of the input was converted.
    Complete,
    /// The next character does not fit.
    OutputFull,
    /// The input is ill-formed.
    Invalid(F),
}

impl<F> Stopped<F> {
    /// The result of a function that appends `written` units: it never lacks room.
    pub fn appended(self, written: usize) -> Result<usize, F> {
        match self {
            Self::Complete => Ok(written),
            Self::OutputFull => panic!("what is appended to grows"),
            Self::Invalid(fault) => Err(fault),
        }
    }
}

/// The report of a conversion, in the units of its input and of its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`fastutf::Conversion` documents them")]
pub struct Outcome<K> {
    pub read: usize,
    pub written: usize,
    pub stop: Stopped<Fault<K>>,
}

impl<K> Outcome<K> {
    /// The outcome with `written` in bytes instead of code units.
    pub fn written_in_bytes(self) -> Self {
        Self { written: 2 * self.written, ..self }
    }

    /// The same as the result of a function that appends.
    pub fn appended(self) -> Result<usize, Fault<K>> {
        self.stop.appended(self.written)
    }
}

fn stop<K: Copy>(fault: Option<Fault<K>>) -> Stopped<Fault<K>> {
    fault.map_or(Stopped::Complete, Stopped::Invalid)
}

/// The std result for possibly ill-formed UTF-8.
#[derive(Clone, Debug)]
pub struct Utf8Oracle<'a> {
    /// The part before the first error.
    pub valid: &'a str,
    /// The first error.
    pub fault: Option<Fault<Utf8Kind>>,
    /// The well-formed part in UTF-16.
    pub units: Vec<u16>,
}

impl<'a> Utf8Oracle<'a> {
    /// Computes it with std.
    pub fn new(src: &'a [u8]) -> Self {
        let (valid, fault) = split_utf8(src);
        Self { valid, fault, units: valid.encode_utf16().collect() }
    }

    /// The valid part in UTF-16LE.
    pub fn le(&self) -> Vec<u8> {
        to_bytes(&self.units, u16::to_le_bytes)
    }

    /// The valid part in UTF-16BE.
    pub fn be(&self) -> Vec<u8> {
        to_bytes(&self.units, u16::to_be_bytes)
    }

    /// The outcome of a conversion with room for `room` code units, in code units.
    pub fn outcome(&self, room: usize) -> Outcome<Utf8Kind> {
        if room >= self.units.len() {
            return Outcome { read: self.valid.len(), written: self.units.len(), stop: stop(self.fault) };
        }
        let (mut read, mut written) = (0, 0);
        for c in self.valid.chars() {
            if room - written < c.len_utf16() {
                break;
            }
            (read, written) = (read + c.len_utf8(), written + c.len_utf16());
        }
        assert_eq!(written, self.valid[..read].encode_utf16().count());
        Outcome { read, written, stop: Stopped::OutputFull }
    }

    /// The result of validation.
    pub fn result(&self) -> Result<(), Fault<Utf8Kind>> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// The well-formed start of `src`, and the error after it.
pub fn split_utf8(src: &[u8]) -> (&str, Option<Fault<Utf8Kind>>) {
    match std::str::from_utf8(src) {
        Ok(valid) => (valid, None),
        Err(error) => {
            let at = error.valid_up_to();
            let valid = std::str::from_utf8(&src[..at]).unwrap();
            let kind = utf8_kind(&src[at..], error.error_len());
            (valid, Some(Fault { at, len: error.error_len(), kind }))
        }
    }
}

/// The kind of the error at the start of `bytes`: the ranges of RFC 3629 §4, each with its own kind.
fn utf8_kind(bytes: &[u8], error_len: Option<usize>) -> Utf8Kind {
    use Utf8Kind::*;
    match (bytes[0], bytes.get(1)) {
        _ if error_len.is_none() => Incomplete,
        (0x80..=0xBF, _) => StrayContinuation,
        (0xC0..=0xC1, _) => Overlong,
        (0xE0, Some(0x80..=0x9F)) => Overlong,
        (0xED, Some(0xA0..=0xBF)) => Surrogate,
        (0xF0, Some(0x80..=0x8F)) => Overlong,
        (0xF4, Some(0x90..=0xBF)) => AboveMax,
        (0xF5..=0xF7, _) => AboveMax,
        (0xF8..=0xFD, _) => FiveOrSixByteForm,
        (0xFE..=0xFF, _) => InvalidLead,
        (0xC2..=0xF4, _) => MissingContinuation,
        (lead, _) => panic!("std rejects {lead:02X}"),
    }
}

/// The std result for possibly ill-formed UTF-16. Offsets are in code units.
#[derive(Clone, Debug)]
pub struct Utf16Oracle {
    /// The valid part in UTF-8.
    pub text: String,
    /// Its length in UTF-16.
    pub valid_units: usize,
    /// The first error.
    pub fault: Option<Fault<Utf16Kind>>,
}

impl Utf16Oracle {
    /// `trailing` is whether an odd byte follows `units`.
    pub fn new(units: &[u16], trailing: bool) -> Self {
        let mut text = String::with_capacity(3 * units.len());
        let mut valid_units = 0;
        let mut fault = None;
        for decoded in char::decode_utf16(units.iter().copied()) {
            match decoded {
                Ok(c) => {
                    text.push(c);
                    valid_units += c.len_utf16();
                }
                Err(error) => {
                    let high = error.unpaired_surrogate() < 0xDC00;
                    let (len, kind) = if !high {
                        (Some(1), Utf16Kind::UnpairedLowSurrogate)
                    } else if valid_units + 1 == units.len() {
                        (None, Utf16Kind::TrailingHighSurrogate)
                    } else {
                        (Some(1), Utf16Kind::UnpairedHighSurrogate)
                    };
                    fault = Some(Fault { at: valid_units, len, kind });
                    break;
                }
            }
        }
        if trailing && fault.is_none() {
            fault = Some(Fault { at: valid_units, len: None, kind: Utf16Kind::TrailingByte });
        }
        Self { text, valid_units, fault }
    }

    /// The result of validation, in units of `1 / scale` code units: `scale` is 1 for code units, 2 for bytes.
    pub fn result(&self, scale: usize) -> Result<(), Fault<Utf16Kind>> {
        self.fault.map_or(Ok(()), |fault| Err(fault.scaled(scale)))
    }

    /// The outcome of a conversion with room for `room` bytes.
    pub fn outcome(&self, room: usize, scale: usize) -> Outcome<Utf16Kind> {
        if room >= self.text.len() {
            let stop = stop(self.result(scale).err());
            return Outcome { read: self.valid_units * scale, written: self.text.len(), stop };
        }
        let written = (0..=room).rev().find(|&at| self.text.is_char_boundary(at)).unwrap();
        let read = self.text[..written].encode_utf16().count() * scale;
        Outcome { read, written, stop: Stopped::OutputFull }
    }
}
