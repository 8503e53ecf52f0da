use super::{Fault, LossyOutcome, Stopped, Utf8Kind, Utf8Oracle};

/// The forms of UTF-8 that may have surrogates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// WTF-8.
    Wtf8,
    /// Modified UTF-8.
    Mutf8,
    /// The same, with sequences of four bytes as well. It is only read; what is written is `Mutf8`.
    Android,
}

/// Kinds of errors in these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "`fastutf::wtf8::Wtf8ErrorKind` and `fastutf::mutf8::Mutf8ErrorKind` document them"
)]
pub enum FormKind {
    Incomplete,
    MissingContinuation,
    StrayContinuation,
    Overlong,
    SurrogatePair,
    AboveMax,
    Nul,
    FourByteForm,
    FiveOrSixByteForm,
    InvalidLead,
}

/// What keeps a text from being UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUtf8 {
    /// A surrogate, at this offset.
    Surrogate(usize, u16),
    /// An ill-formed sequence.
    IllFormed(Fault<FormKind>),
}

/// A range of bytes.
type Range = (u8, u8);
const TAIL: Range = (0x80, 0xBF);

impl Form {
    /// The well-formed sequences: those of Table 3-7 of the Unicode Standard, with surrogates.
    fn sequences(self) -> &'static [&'static [Range]] {
        match self {
            Self::Wtf8 => &[
                &[(0x00, 0x7F)],
                &[(0xC2, 0xDF), TAIL],
                &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
                &[(0xE1, 0xEF), TAIL, TAIL],
                &[(0xF0, 0xF0), (0x90, 0xBF), TAIL, TAIL],
                &[(0xF1, 0xF3), TAIL, TAIL, TAIL],
                &[(0xF4, 0xF4), (0x80, 0x8F), TAIL, TAIL],
            ],
            Self::Mutf8 => &[
                &[(0x01, 0x7F)],
                &[(0xC0, 0xC0), (0x80, 0x80)],
                &[(0xC2, 0xDF), TAIL],
                &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
                &[(0xE1, 0xEF), TAIL, TAIL],
            ],
            Self::Android => &[
                &[(0x01, 0x7F)],
                &[(0xC0, 0xC0), (0x80, 0x80)],
                &[(0xC2, 0xDF), TAIL],
                &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
                &[(0xE1, 0xEF), TAIL, TAIL],
                &[(0xF0, 0xF0), (0x90, 0xBF), TAIL, TAIL],
                &[(0xF1, 0xF3), TAIL, TAIL, TAIL],
                &[(0xF4, 0xF4), (0x80, 0x8F), TAIL, TAIL],
            ],
        }
    }

    /// The length of the longest part at the start of `src` that a well-formed sequence could start with, and whether it is
    /// one.
    fn longest(self, src: &[u8]) -> (usize, bool) {
        let fits = |(range, byte): &(&Range, &u8)| (range.0..=range.1).contains(*byte);
        // No byte starts two of them.
        let found = self.sequences().iter().find(|sequence| fits(&(&sequence[0], &src[0])));
        let Some(sequence) = found else { return (0, false) };
        let len = sequence.iter().zip(src).take_while(fits).count();
        (len, len == sequence.len())
    }

    /// What is wrong with the sequence at the start of `src`.
    fn kind(self, src: &[u8], incomplete: bool) -> FormKind {
        use FormKind::*;
        let second = src.get(1).copied().unwrap_or(0);
        match (self, src[0], second) {
            _ if incomplete => Incomplete,
            (_, 0x80..=0xBF, _) => StrayContinuation,
            (Self::Mutf8 | Self::Android, 0, _) => Nul,
            (Self::Mutf8, 0xF0..=0xF7, _) => FourByteForm,
            (_, 0xC0, 0x80..=0xBF) | (Self::Wtf8, 0xC0, _) | (_, 0xC1, _) => Overlong,
            (_, 0xE0, 0x80..=0x9F) | (_, 0xF0, 0x80..=0x8F) => Overlong,
            (_, 0xF4, 0x90..=0xBF) | (_, 0xF5..=0xF7, _) => AboveMax,
            (_, 0xF8..=0xFD, _) => FiveOrSixByteForm,
            (_, 0xFE..=0xFF, _) => InvalidLead,
            _ => MissingContinuation,
        }
    }

    /// Appends this number as one sequence.
    fn sequence(self, value: u32, to: &mut Vec<u8>) {
        if self != Self::Wtf8 && value == 0 {
            to.extend([0xC0, 0x80]);
        } else if let Some(character) = char::from_u32(value) {
            to.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            to.extend([0xED, 0x80 | (value >> 6) as u8 & 0x3F, 0x80 | value as u8 & 0x3F]);
        }
    }

    /// Appends a character, or a surrogate, as it is in this form, if the whole is no longer than `room` then.
    fn encode(self, character: Result<char, u16>, room: usize, to: &mut Vec<u8>) -> bool {
        let before = to.len();
        match character {
            Ok(character) if self != Self::Wtf8 => {
                character.encode_utf16(&mut [0; 2]).iter().for_each(|&unit| self.sequence(unit.into(), to));
            }
            Ok(character) => self.sequence(u32::from(character), to),
            Err(surrogate) => self.sequence(u32::from(surrogate), to),
        }
        let fits = to.len() <= room;
        to.truncate(if fits { to.len() } else { before });
        fits
    }

    /// Converts these code units into a buffer of this size: how many were read, and the bytes.
    pub fn from_utf16(self, units: &[u16], room: usize) -> (usize, Vec<u8>) {
        let (mut read, mut bytes) = (0, Vec::new());
        for character in char::decode_utf16(units.iter().copied()) {
            let character = character.map_err(|error| error.unpaired_surrogate());
            if !self.encode(character, room, &mut bytes) {
                break;
            }
            read += character.map_or(1, char::len_utf16);
        }
        (read, bytes)
    }
}

/// Converts UTF-8 to modified UTF-8, into a buffer of this size: how much was read, the bytes, and why it stopped.
pub fn mutf8_from_utf8(src: &[u8], room: usize) -> (usize, Vec<u8>, Stopped<Fault<Utf8Kind>>) {
    let oracle = Utf8Oracle::new(src);
    let (mut read, mut bytes) = (0, Vec::new());
    for character in oracle.valid.chars() {
        if !Form::Mutf8.encode(Ok(character), room, &mut bytes) {
            return (read, bytes, Stopped::OutputFull);
        }
        read += character.len_utf8();
    }
    (read, bytes, oracle.fault.map_or(Stopped::Complete, Stopped::Invalid))
}

/// Bytes in one of these forms, as sequences, each with its value; or `None` if it is ill-formed.
#[derive(Clone, Debug)]
pub struct FormOracle {
    form: Form,
    pub(super) items: Vec<(usize, Option<u32>)>,
    /// The first ill-formed place.
    pub fault: Option<Fault<FormKind>>,
}

impl FormOracle {
    /// By the tables.
    pub fn new(form: Form, src: &[u8]) -> Self {
        let (mut items, mut fault, mut at): (Vec<(usize, Option<u32>)>, _, _) = (Vec::new(), None, 0);
        while at < src.len() {
            let rest = &src[at..];
            let (len, whole) = form.longest(rest);
            if !whole {
                let incomplete = len == rest.len();
                let (len, kind) = (len.max(1), form.kind(rest, incomplete));
                fault = fault.or(Some(Fault { at, len: (!incomplete).then_some(len), kind }));
                items.push((len, None));
                at += len;
                continue;
            }
            let lead = u32::from(rest[0]) & [0x7F, 0x1F, 0x0F, 0x07][len - 1];
            let value = rest[1..len].iter().fold(lead, |value, &byte| value << 6 | u32::from(byte & 0x3F));
            let high_before = matches!(items.last(), Some(&(_, Some(0xD800..=0xDBFF))));
            if form == Form::Wtf8 && high_before && matches!(value, 0xDC00..=0xDFFF) {
                fault = fault.or(Some(Fault { at, len: Some(3), kind: FormKind::SurrogatePair }));
            }
            items.push((len, Some(value)));
            at += len;
        }
        Self { form, items, fault }
    }

    /// The result of validation.
    pub fn result(&self) -> Result<(), Fault<FormKind>> {
        self.fault.map_or(Ok(()), Err)
    }

    /// Converts into a buffer of this size: how much was read, the code units, and why it stopped.
    pub fn to_utf16(&self, room: usize) -> (usize, Vec<u16>, Stopped<Fault<FormKind>>) {
        let (mut read, mut units) = (0, Vec::new());
        for (len, character) in self.characters() {
            if let Some(fault) = self.fault
                && fault.at == read
            {
                return (read, units, Stopped::Invalid(fault));
            }
            let mut two = [0; 2];
            let encoded = match character {
                Ok(character) => character.encode_utf16(&mut two),
                Err(surrogate) => &mut [surrogate.unwrap()],
            };
            if units.len() + encoded.len() > room {
                return (read, units, Stopped::OutputFull);
            }
            units.extend_from_slice(encoded);
            read += len;
        }
        (read, units, Stopped::Complete)
    }

    /// The items with their characters, or with what is none: pairs of surrogates are one in modified UTF-8.
    fn characters(&self) -> impl Iterator<Item = (usize, Result<char, Option<u16>>)> {
        let mut items = self.items.iter().copied().peekable();
        std::iter::from_fn(move || {
            let (len, value) = items.next()?;
            let low = match (value, items.peek()) {
                (Some(0xD800..=0xDBFF), Some(&(_, Some(low @ 0xDC00..=0xDFFF)))) if self.form != Form::Wtf8 => low,
                _ => {
                    let value = value.map(|value| char::from_u32(value).ok_or(value as u16));
                    return Some((len, value.map_or(Err(None), |value| value.map_err(Some))));
                }
            };
            items.next();
            let pair = [value? as u16, low as u16];
            Some((6, Ok(char::decode_utf16(pair).next()?.unwrap())))
        })
    }

    /// Converts into a buffer of this size: how much was read, the text, and why it stopped.
    pub fn to_utf8(&self, room: usize) -> (usize, String, Stopped<NotUtf8>) {
        let (mut read, mut text) = (0, String::new());
        for (len, character) in self.characters() {
            match character {
                Ok(character) if text.len() + character.len_utf8() > room => {
                    return (read, text, Stopped::OutputFull);
                }
                Ok(character) => text.push(character),
                Err(Some(surrogate)) => {
                    return (read, text, Stopped::Invalid(NotUtf8::Surrogate(read, surrogate)));
                }
                Err(None) => return (read, text, Stopped::Invalid(NotUtf8::IllFormed(self.fault.unwrap()))),
            }
            read += len;
        }
        (read, text, Stopped::Complete)
    }

    /// The same with U+FFFD for what is no character.
    pub fn to_utf8_lossy(&self, room: usize) -> (LossyOutcome, String) {
        let mut out = LossyOutcome { read: 0, written: 0, replacements: 0, complete: true };
        let mut text = String::new();
        for (len, character) in self.characters() {
            let replaced = character.is_err();
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            if text.len() + character.len_utf8() > room {
                out.complete = false;
                break;
            }
            text.push(character);
            out.read += len;
            out.replacements += usize::from(replaced);
        }
        out.written = text.len();
        (out, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_by_hand() {
        let units = [0x61, 0, 0xD83D, 0xDE00, 0xDE00, 0xD83D];
        let wtf8 = b"a\0\xF0\x9F\x98\x80\xED\xB8\x80\xED\xA0\xBD";
        assert_eq!(Form::Wtf8.from_utf16(&units, 99), (6, wtf8.to_vec()));
        let mutf8 = b"a\xC0\x80\xED\xA0\xBD\xED\xB8\x80\xED\xB8\x80\xED\xA0\xBD";
        assert_eq!(Form::Mutf8.from_utf16(&units, 99), (6, mutf8.to_vec()));
        // A pair is not split.
        assert_eq!(Form::Mutf8.from_utf16(&units, 8), (2, mutf8[..3].to_vec()));
        assert_eq!(Form::Mutf8.from_utf16(&units, 9), (4, mutf8[..9].to_vec()));
        for (form, bytes) in [(Form::Wtf8, &wtf8[..]), (Form::Mutf8, mutf8)] {
            assert_eq!(
                FormOracle::new(form, bytes).to_utf16(99),
                (bytes.len(), units.to_vec(), Stopped::Complete)
            );
            let (read, text, stop) = FormOracle::new(form, bytes).to_utf8(99);
            assert_eq!((&text[..], stop), ("a\0😀", Stopped::Invalid(NotUtf8::Surrogate(read, 0xDE00))));
            assert_eq!(FormOracle::new(form, bytes).to_utf8_lossy(99).1, "a\0😀\u{FFFD}\u{FFFD}");
        }
        let fault =
            |form, src: &[u8]| FormOracle::new(form, src).fault.map(|fault| (fault.at, fault.len, fault.kind));
        assert_eq!(fault(Form::Wtf8, mutf8), Some((1, Some(1), FormKind::Overlong)));
        assert_eq!(fault(Form::Wtf8, &mutf8[3..]), Some((3, Some(3), FormKind::SurrogatePair)));
        assert_eq!(fault(Form::Mutf8, wtf8), Some((1, Some(1), FormKind::Nul)));
        assert_eq!(fault(Form::Mutf8, &wtf8[2..]), Some((0, Some(1), FormKind::FourByteForm)));
        assert_eq!(fault(Form::Android, &wtf8[2..]), None);
        assert_eq!(FormOracle::new(Form::Android, &wtf8[2..9]).to_utf16(99).1, units[2..5]);
        assert_eq!(fault(Form::Android, b"a\xF4\x90"), Some((1, Some(1), FormKind::AboveMax)));
        assert_eq!(fault(Form::Wtf8, b"\xED\xA0"), Some((0, None, FormKind::Incomplete)));
        assert_eq!(fault(Form::Wtf8, b"\xED\xA0A"), Some((0, Some(2), FormKind::MissingContinuation)));
        assert_eq!(fault(Form::Mutf8, b"\xC0"), Some((0, None, FormKind::Incomplete)));
        assert_eq!(fault(Form::Mutf8, b"\xC0A"), Some((0, Some(1), FormKind::MissingContinuation)));
        assert_eq!(mutf8_from_utf8("a\0😀".as_bytes(), 9).1, mutf8[..9]);
        assert_eq!(mutf8_from_utf8("a\0😀".as_bytes(), 8).2, Stopped::OutputFull);
    }
}
