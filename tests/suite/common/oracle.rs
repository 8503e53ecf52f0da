//! The right answers, from the standard library alone.

use fastutf::stream::Encoding;
use fastutf::{Conversion, LossyConversion, Stop, Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};

/// An error, field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault<K> {
    pub at: usize,
    pub len: Option<usize>,
    pub kind: K,
}

impl From<Utf8Error> for Fault<Utf8ErrorKind> {
    fn from(error: Utf8Error) -> Self {
        Self { at: error.valid_up_to(), len: error.error_len(), kind: error.kind() }
    }
}

impl From<Utf16Error> for Fault<Utf16ErrorKind> {
    fn from(error: Utf16Error) -> Self {
        Self { at: error.valid_up_to(), len: error.error_len(), kind: error.kind() }
    }
}

/// A [`Conversion`], field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<K> {
    pub read: usize,
    pub written: usize,
    pub stop: Stop<Fault<K>>,
}

impl<E: Into<Fault<K>>, K> From<Conversion<E>> for Outcome<K> {
    fn from(out: Conversion<E>) -> Self {
        let stop = match out.stop {
            Stop::Complete => Stop::Complete,
            Stop::OutputFull => Stop::OutputFull,
            Stop::Invalid(error) => Stop::Invalid(error.into()),
        };
        Self { read: out.read, written: out.written, stop }
    }
}

fn stop<K: Copy>(fault: Option<Fault<K>>) -> Stop<Fault<K>> {
    fault.map_or(Stop::Complete, Stop::Invalid)
}

/// What std says about bytes that are to be UTF-8.
pub struct Utf8Oracle<'a> {
    pub valid: &'a str,
    pub fault: Option<Fault<Utf8ErrorKind>>,
    /// The valid part in UTF-16.
    pub units: Vec<u16>,
    pub le: Vec<u8>,
    pub be: Vec<u8>,
}

impl<'a> Utf8Oracle<'a> {
    pub fn new(src: &'a [u8]) -> Self {
        let (valid, fault) = split_utf8(src);
        let units: Vec<u16> = valid.encode_utf16().collect();
        let (le, be) = (to_bytes(&units, u16::to_le_bytes), to_bytes(&units, u16::to_be_bytes));
        Self { valid, fault, units, le, be }
    }

    /// What converting gives if there is room for `room` code units, in code units.
    pub fn outcome(&self, room: usize) -> Outcome<Utf8ErrorKind> {
        if room >= self.units.len() {
            return Outcome { read: self.valid.len(), written: self.units.len(), stop: stop(self.fault) };
        }
        let (mut read, mut written) = (0, 0);
        for c in self.valid.chars().take_while(|c| {
            written += c.len_utf16();
            written <= room
        }) {
            read += c.len_utf8();
        }
        let written = self.valid[..read].encode_utf16().count();
        Outcome { read, written, stop: Stop::OutputFull }
    }

    pub fn result(&self) -> Result<(), Fault<Utf8ErrorKind>> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// What a conversion with replacement reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossyOutcome {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub complete: bool,
}

impl From<LossyConversion> for LossyOutcome {
    fn from(out: LossyConversion) -> Self {
        Self { read: out.read, written: out.written, replacements: out.replacements, complete: out.is_complete() }
    }
}

/// What std makes of the text.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.into(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => panic!("{encoding} has no oracle here"),
    }
}

/// The valid part of `src` and what is wrong behind it.
pub fn split_utf8(src: &[u8]) -> (&str, Option<Fault<Utf8ErrorKind>>) {
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

/// The kind of the error that `bytes` begin with: the ranges of RFC 3629 §4, each with its own reason.
fn utf8_kind(bytes: &[u8], error_len: Option<usize>) -> Utf8ErrorKind {
    use Utf8ErrorKind::*;
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

/// What std says about code units that are to be UTF-16. Offsets in code units.
pub struct Utf16Oracle {
    /// The valid part in UTF-8.
    pub text: String,
    pub valid_units: usize,
    pub fault: Option<Fault<Utf16ErrorKind>>,
}

impl Utf16Oracle {
    /// `trailing` is whether half a code unit follows `units`.
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
                        (Some(1), Utf16ErrorKind::UnpairedLowSurrogate)
                    } else if valid_units + 1 == units.len() {
                        (None, Utf16ErrorKind::TrailingHighSurrogate)
                    } else {
                        (Some(1), Utf16ErrorKind::UnpairedHighSurrogate)
                    };
                    fault = Some(Fault { at: valid_units, len, kind });
                    break;
                }
            }
        }
        if trailing && fault.is_none() {
            fault = Some(Fault { at: valid_units, len: None, kind: Utf16ErrorKind::TrailingByte });
        }
        Self { text, valid_units, fault }
    }

    /// The error, in things of which a code unit is `scale`: 1 for code units, 2 for bytes.
    pub fn result(&self, scale: usize) -> Result<(), Fault<Utf16ErrorKind>> {
        let scaled = |f: Fault<_>| Fault { at: f.at * scale, len: f.len.map(|len| len * scale), ..f };
        self.fault.map_or(Ok(()), |fault| Err(scaled(fault)))
    }

    /// What converting gives if there is room for `room` bytes.
    pub fn outcome(&self, room: usize, scale: usize) -> Outcome<Utf16ErrorKind> {
        if room >= self.text.len() {
            let stop = stop(self.result(scale).err());
            return Outcome { read: self.valid_units * scale, written: self.text.len(), stop };
        }
        let written = (0..=room).rev().find(|&at| self.text.is_char_boundary(at)).unwrap();
        let read = self.text[..written].encode_utf16().count() * scale;
        Outcome { read, written, stop: Stop::OutputFull }
    }
}

pub fn to_bytes(units: &[u16], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    units.iter().flat_map(|&unit| bytes(unit)).collect()
}
