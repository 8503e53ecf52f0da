//! A string as JavaScript engines keep it: UTF-16 in which surrogates may be unpaired, stored as one byte for each code unit
//! if all are below 100, which is Latin-1, and as two otherwise.

use std::ops::Range;

use fastutf::narrowest::Narrowest;

/// A string of JavaScript.
///
/// It is always in the narrower form that holds it, so the derived comparison is right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JsString(Form);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    OneByte(Vec<u8>),
    TwoByte(Vec<u16>),
}

impl JsString {
    /// The text of a request's body, as `new TextDecoder().decode(body)` has it: without a BOM, and with U+FFFD for what
    /// is ill-formed.
    pub fn from_utf8(body: &[u8]) -> Self {
        let text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
        Self(match fastutf::narrowest::narrowest_from_utf8_lossy(text) {
            Narrowest::Ascii(text) => Form::OneByte(text.into_owned().into_bytes()),
            Narrowest::Latin1(bytes) => Form::OneByte(bytes),
            Narrowest::Utf16(units) => Form::TwoByte(units.into_owned()),
        })
    }

    /// `String.fromCharCode(...units)`: any code units, with unpaired surrogates as they are.
    pub fn from_units(units: &[u16]) -> Self {
        let mut bytes = Vec::with_capacity(units.len());
        if fastutf::latin1::utf16_to_latin1_append(units, &mut bytes).is_ok() {
            Self(Form::OneByte(bytes))
        } else {
            Self(Form::TwoByte(units.to_vec()))
        }
    }

    /// `length`: the number of code units.
    pub fn length(&self) -> usize {
        match &self.0 {
            Form::OneByte(bytes) => bytes.len(),
            Form::TwoByte(units) => units.len(),
        }
    }

    /// Whether each code unit takes only a byte.
    pub fn is_one_byte(&self) -> bool {
        matches!(self.0, Form::OneByte(_))
    }

    /// `charCodeAt(at)`.
    pub fn unit_at(&self, at: usize) -> Option<u16> {
        match &self.0 {
            Form::OneByte(bytes) => bytes.get(at).copied().map(u16::from),
            Form::TwoByte(units) => units.get(at).copied(),
        }
    }

    /// `this + other`: one-byte strings are widened only if the other one is wide.
    pub fn concat(&self, other: &Self) -> Self {
        if let (Form::OneByte(first), Form::OneByte(second)) = (&self.0, &other.0) {
            return Self(Form::OneByte([&first[..], second].concat()));
        }
        let mut units = Vec::with_capacity(self.length() + other.length());
        self.append_to(&mut units);
        other.append_to(&mut units);
        Self(Form::TwoByte(units))
    }

    /// `substring(range.start, range.end)`.
    pub fn substring(&self, range: Range<usize>) -> Self {
        match &self.0 {
            Form::OneByte(bytes) => Self(Form::OneByte(bytes[range].to_vec())),
            Form::TwoByte(units) => Self::from_units(&units[range]),
        }
    }

    /// `isWellFormed()`.
    pub fn is_well_formed(&self) -> bool {
        match &self.0 {
            Form::OneByte(_) => true,
            Form::TwoByte(units) => fastutf::validate_utf16(units).is_ok(),
        }
    }

    /// `toWellFormed()`: with U+FFFD for each unpaired surrogate.
    pub fn to_well_formed(&self) -> Self {
        let mut copy = self.clone();
        if let Form::TwoByte(units) = &mut copy.0 {
            fastutf::make_well_formed_utf16(units);
        }
        copy
    }

    /// `new TextEncoder().encode(this)`: UTF-8, with U+FFFD for each unpaired surrogate.
    pub fn to_utf8(&self) -> String {
        match &self.0 {
            Form::OneByte(bytes) => fastutf::latin1::from_latin1(bytes).into_owned(),
            Form::TwoByte(units) => fastutf::from_utf16_lossy(units),
        }
    }

    /// `Buffer.byteLength(this)`: the length of that, without making it.
    pub fn utf8_len(&self) -> usize {
        match &self.0 {
            Form::OneByte(bytes) => fastutf::latin1::utf8_len_from_latin1(bytes),
            Form::TwoByte(units) => fastutf::utf8_len_from_utf16_lossy(units),
        }
    }

    fn append_to(&self, dst: &mut Vec<u16>) {
        match &self.0 {
            Form::OneByte(bytes) => {
                fastutf::latin1::latin1_to_utf16_append(bytes, dst);
            }
            Form::TwoByte(units) => dst.extend_from_slice(units),
        }
    }
}
