//! Compares all operations on WTF-8 and modified UTF-8, on one input, with the oracles. The fuzz target compiles this file as
//! well.

use std::borrow::Cow;

use fastutf::mutf8::{Mutf8Error, Mutf8ErrorKind};
use fastutf::wtf8::{ToUtf8Error, Wtf8Error};
use fastutf::{Conversion, Isa};
use fastutf_testkit::hex;
use fastutf_testkit::oracle::{Fault, Form, FormKind, FormOracle, NotUtf8, Stopped, mutf8_from_utf8, to_bytes};

use super::room::{Parts, into, stop};
use super::told::{Report, told};

impl Report for Wtf8Error {
    type Told = Fault<FormKind>;
    fn told(self) -> Self::Told {
        Fault { at: self.valid_up_to(), len: self.error_len(), kind: self.kind().told() }
    }
}

impl Report for Mutf8ErrorKind {
    type Told = FormKind;
    fn told(self) -> FormKind {
        match self {
            Self::Incomplete => FormKind::Incomplete,
            Self::MissingContinuation => FormKind::MissingContinuation,
            Self::StrayContinuation => FormKind::StrayContinuation,
            Self::Overlong => FormKind::Overlong,
            Self::Nul => FormKind::Nul,
            Self::FourByteForm => FormKind::FourByteForm,
            Self::AboveMax => FormKind::AboveMax,
            Self::FiveOrSixByteForm => FormKind::FiveOrSixByteForm,
            Self::InvalidLead => FormKind::InvalidLead,
            _ => panic!("the oracles do not know {self:?}"),
        }
    }
}

impl Report for Mutf8Error {
    type Told = Fault<FormKind>;
    fn told(self) -> Self::Told {
        Fault { at: self.valid_up_to(), len: self.error_len(), kind: self.kind().told() }
    }
}

impl<E: Report<Told = Fault<FormKind>>> Report for ToUtf8Error<E> {
    type Told = NotUtf8;
    fn told(self) -> NotUtf8 {
        match self {
            Self::Surrogate(error) => {
                assert_eq!(error.error_len(), 3);
                NotUtf8::Surrogate(error.valid_up_to(), error.surrogate())
            }
            Self::IllFormed(error) => NotUtf8::IllFormed(error.told()),
        }
    }
}

/// The two byte orders.
pub const LE: fn(u16) -> [u8; 2] = u16::to_le_bytes;
pub const BE: fn(u16) -> [u8; 2] = u16::to_be_bytes;

/// Converts this UTF-16, perhaps ill-formed, into buffers of this size; as bytes with an odd last one, if there is one.
#[track_caller]
pub fn of_utf16(parts: impl Into<Parts>, units: &[u16], odd: Option<u8>, room: usize) {
    let parts = parts.into();
    let isa = parts.isa;
    let of = || format!("{isa}: {} into {room}", hex(units));
    let (_, wtf8) = Form::Wtf8.from_utf16(units, usize::MAX);
    let (read, expected) = Form::Wtf8.from_utf16(units, room);
    if parts.has_next() {
        assert_eq!(isa.wtf8_len_from_utf16(units), wtf8.len(), "{}", of());
        assert_eq!(isa.wtf8_from_utf16(units), wtf8, "{}", of());
    }
    if parts.has_next() {
        let (out, bytes) = into(room, |dst| {
            let out = isa.utf16_to_wtf8(units, dst);
            (out, out.written)
        });
        assert_eq!(
            (out.read, &bytes[..], out.is_complete()),
            (read, &expected[..], read == units.len()),
            "{}",
            of()
        );
        let mut appended = b"~".to_vec();
        assert_eq!(isa.utf16_to_wtf8_append(units, &mut appended), wtf8.len(), "{}", of());
        assert_eq!(appended[1..], wtf8, "{}", of());
    }
    if parts.has_next() {
        assert_eq!(isa.validate_wtf8(&wtf8), Ok(()), "{}", of());
        assert_eq!(isa.utf16_from_wtf8(&wtf8).as_deref(), Ok(units), "{}", of());
        assert_eq!(isa.utf16_len_from_wtf8(&wtf8), units.len(), "{}", of());
    }
    // In two pieces.
    if parts.has_next() {
        let middle = (room + units.len() / 2) % (units.len() + 1);
        let (mut pieces, mut appended) = (Vec::new(), Vec::new());
        for piece in [&units[..middle], &units[middle..]] {
            isa.utf16_to_wtf8_append(piece, &mut pieces);
            fastutf::wtf8::append(&isa.wtf8_from_utf16(piece), &mut appended);
        }
        assert_eq!(pieces, wtf8, "{} at {middle}", of());
        assert_eq!(appended, wtf8, "{} at {middle}", of());
    }
    macro_rules! bytes {
        ($order:ident $len:ident $from:ident $convert:ident $append:ident $back:ident) => {
            if parts.has_next() {
                let mut src = to_bytes(units, $order);
                src.extend(odd);
                let fault = odd.map(|_| 2 * units.len());
                let at = |out: Conversion<fastutf::Utf16Error>| out.error().map(|error| error.valid_up_to());
                assert_eq!(isa.$len(&src), wtf8.len(), "{}", of());
                let got = isa.$from(&src).map_err(|error| error.valid_up_to());
                assert_eq!(got, fault.map_or(Ok(wtf8.clone()), Err), "{}", of());
                let (out, bytes) = into(room, |dst| {
                    let out = isa.$convert(&src, dst);
                    (out, out.written)
                });
                assert_eq!((out.read, &bytes[..]), (2 * read, &expected[..]), "{}", of());
                let all = read == units.len();
                assert_eq!(at(out), if all { fault } else { None }, "{}", of());
                assert_eq!(out.is_complete(), all && fault.is_none(), "{}", of());
                let mut appended = b"\xED\xA0\xBD".to_vec();
                let out = isa.$append(&src, &mut appended).map_err(|error| error.valid_up_to());
                let joined = [&[0xD83D][..], units].concat();
                assert_eq!(appended, Form::Wtf8.from_utf16(&joined, usize::MAX).1, "{}", of());
                assert_eq!(out, fault.map_or(Ok(appended.len() - 3), Err), "{}", of());
                assert_eq!(isa.$back(&wtf8), Ok(to_bytes(units, $order)), "{}", of());
            }
        };
    }
    bytes!(LE wtf8_len_from_utf16le wtf8_from_utf16le utf16le_to_wtf8 utf16le_to_wtf8_append utf16le_from_wtf8);
    bytes!(BE wtf8_len_from_utf16be wtf8_from_utf16be utf16be_to_wtf8 utf16be_to_wtf8_append utf16be_from_wtf8);

    let (_, mutf8) = Form::Mutf8.from_utf16(units, usize::MAX);
    let (read, expected) = Form::Mutf8.from_utf16(units, room);
    if parts.has_next() {
        assert_eq!(isa.mutf8_len_from_utf16(units), mutf8.len(), "{}", of());
        assert_eq!(isa.mutf8_from_utf16(units), mutf8, "{}", of());
        assert_eq!(isa.mutf8_c_string_from_utf16(units).to_bytes(), mutf8, "{}", of());
    }
    if parts.has_next() {
        let (out, bytes) = into(room, |dst| {
            let out = isa.utf16_to_mutf8(units, dst);
            (out, out.written)
        });
        assert_eq!(
            (out.read, &bytes[..], out.is_complete()),
            (read, &expected[..], read == units.len()),
            "{}",
            of()
        );
        let mut appended = b"~".to_vec();
        assert_eq!(isa.utf16_to_mutf8_append(units, &mut appended), mutf8.len(), "{}", of());
        assert_eq!(appended[1..], mutf8, "{}", of());
    }
    if parts.has_next() {
        assert_eq!(isa.validate_mutf8(&mutf8), Ok(()), "{}", of());
        assert_eq!(isa.utf16_from_mutf8(&mutf8).as_deref(), Ok(units), "{}", of());
        assert_eq!(isa.utf16_len_from_mutf8(&mutf8), units.len(), "{}", of());
        let text = String::from_utf16_lossy(units);
        assert_eq!(isa.utf8_len_from_mutf8(&mutf8), text.len(), "{}", of());
        assert_eq!(isa.from_mutf8_lossy(&mutf8), text, "{}", of());
    }
}

/// Reads these bytes as WTF-8, perhaps ill-formed, into buffers of this size.
#[track_caller]
pub fn of_wtf8(parts: impl Into<Parts>, src: &[u8], room: usize) {
    let parts = parts.into();
    let isa = parts.isa;
    let of = || format!("{isa}: WTF-8 {} into {room}", hex(src));
    let oracle = FormOracle::new(Form::Wtf8, src);
    assert_eq!(isa.validate_wtf8(src).map_err(told), oracle.result(), "{}", of());
    let all = oracle.to_utf16(usize::MAX);
    if parts.has_next() {
        let (out, units) = into(room, |dst| {
            let out = isa.wtf8_to_utf16(src, dst);
            (out, out.written)
        });
        assert_eq!((out.read, units, stop(out)), oracle.to_utf16(room), "{}", of());
        let mut appended = vec![7];
        let out = isa.wtf8_to_utf16_append(src, &mut appended).map_err(told);
        assert_eq!((out, &appended[1..]), (all.2.appended(all.1.len()), &all.1[..]), "{}", of());
        let got = isa.utf16_from_wtf8(src).map_err(told);
        assert_eq!(got, oracle.result().map(|()| all.1.clone()), "{}", of());
    }
    macro_rules! bytes {
        ($order:ident $convert:ident $append:ident $from:ident) => {
            if parts.has_next() {
                // An odd last byte is not used.
                let (out, bytes) = into(2 * room + src.len() % 2, |dst| {
                    let out = isa.$convert(src, dst);
                    (out, out.written)
                });
                let (read, units, expected) = oracle.to_utf16(room);
                assert_eq!((out.read, bytes, stop(out)), (read, to_bytes(&units, $order), expected), "{}", of());
                let mut appended = vec![7];
                let out = isa.$append(src, &mut appended).map_err(told);
                let bytes = to_bytes(&all.1, $order);
                assert_eq!((out, &appended[1..]), (all.2.appended(bytes.len()), &bytes[..]), "{}", of());
                let got = isa.$from(src).map_err(told);
                assert_eq!(got, oracle.result().map(|()| to_bytes(&all.1, $order)), "{}", of());
            }
        };
    }
    bytes!(LE wtf8_to_utf16le wtf8_to_utf16le_append utf16le_from_wtf8);
    bytes!(BE wtf8_to_utf16be wtf8_to_utf16be_append utf16be_from_wtf8);

    let (_, text, stopped) = oracle.to_utf8(usize::MAX);
    let expected = match stopped {
        Stopped::Invalid(error) => Err(error),
        _ => Ok(&text[..]),
    };
    let (report, lossy) = oracle.to_utf8_lossy(usize::MAX);
    if parts.has_next() {
        assert_eq!(isa.from_wtf8(src).map_err(told), expected, "{}", of());
        assert_eq!(isa.from_wtf8_lossy(src), lossy, "{}", of());
        assert_eq!(matches!(isa.from_wtf8_lossy(src), Cow::Borrowed(_)), expected.is_ok(), "{}", of());
    }
    if parts.has_next() {
        let owned = src.to_vec();
        let memory = owned.as_ptr();
        let got = isa.string_from_wtf8_lossy(owned);
        assert_eq!(got, lossy, "{}", of());
        assert!(oracle.fault.is_some() || got.as_ptr() == memory, "{}", of());
        assert_eq!(got.capacity(), got.len(), "{}", of());
    }
    if parts.has_next() {
        let got = into(room, |dst| {
            let out = isa.wtf8_to_utf8_lossy(src, dst);
            (told(out), out.written)
        });
        let (fits, part) = oracle.to_utf8_lossy(room);
        assert_eq!(got, (fits, part.into_bytes()), "{}", of());
        let mut appended = String::from("é");
        assert_eq!(told(isa.wtf8_to_utf8_lossy_append(src, &mut appended)), report, "{}", of());
        assert_eq!(appended[2..], lossy, "{}", of());
    }
    if parts.has_next() {
        let (mut replaced, mut expected, mut count) = (src.to_vec(), src.to_vec(), 0);
        for at in 2..src.len() {
            if src[at - 2] == 0xED && (0xA0..0xC0).contains(&src[at - 1]) && src[at] & 0xC0 == 0x80 {
                expected[at - 2..=at].copy_from_slice("\u{FFFD}".as_bytes());
                count += 1;
            }
        }
        assert_eq!(isa.replace_surrogates_in_wtf8(&mut replaced), count, "{}", of());
        assert_eq!(replaced, expected, "{}", of());
    }
}

/// Compares what reads these bytes in one form with the oracle.
macro_rules! reads {
    (
        $parts:ident $src:ident $room:ident $form:ident $validate_mutf8:ident $mutf8_to_utf16_append:ident
        $mutf8_to_utf16:ident $utf16_from_mutf8:ident $mutf8_to_utf8_lossy_append:ident
        $mutf8_to_utf8_lossy:ident $mutf8_to_utf8_append:ident $mutf8_to_utf8:ident $from_mutf8_lossy:ident
        $from_mutf8:ident
    ) => {{
        let isa = $parts.isa;
        let of = || format!("{isa}: {:?} {} into {}", Form::$form, hex($src), $room);
        let oracle = FormOracle::new(Form::$form, $src);
        if $parts.has_next() {
            assert_eq!(isa.$validate_mutf8($src).map_err(told), oracle.result(), "{}", of());
            let (out, units) = into($room, |dst| {
                let out = isa.$mutf8_to_utf16($src, dst);
                (out, out.written)
            });
            assert_eq!((out.read, units, stop(out)), oracle.to_utf16($room), "{}", of());
            let (_, units, expected) = oracle.to_utf16(usize::MAX);
            let mut appended = vec![7];
            let out = isa.$mutf8_to_utf16_append($src, &mut appended).map_err(told);
            assert_eq!((out, &appended[1..]), (expected.appended(units.len()), &units[..]), "{}", of());
            if oracle.fault.is_none() {
                assert_eq!(isa.utf16_len_from_mutf8($src), units.len(), "{}", of());
            }
            assert_eq!(isa.$utf16_from_mutf8($src).map_err(told), oracle.result().map(|()| units), "{}", of());
        }
        if $parts.has_next() {
            let (out, bytes) = into($room, |dst| {
                let out = isa.$mutf8_to_utf8($src, dst);
                (out, out.written)
            });
            let (read, text, expected) = oracle.to_utf8($room);
            assert_eq!((out.read, bytes, stop(out)), (read, text.into_bytes(), expected), "{}", of());
        }
        let (_, text, expected) = oracle.to_utf8(usize::MAX);
        let borrowed = expected == Stopped::Complete && text.as_bytes() == $src;
        if $parts.has_next() {
            let mut appended = String::from("é");
            let out = isa.$mutf8_to_utf8_append($src, &mut appended).map_err(told);
            assert_eq!((out, &appended[2..]), (expected.appended(text.len()), &text[..]), "{}", of());
            let got = isa.$from_mutf8($src);
            assert_eq!(matches!(got, Ok(Cow::Borrowed(_))), borrowed, "{}", of());
            let expected = match expected {
                Stopped::Invalid(error) => Err(error),
                _ => Ok(text),
            };
            assert_eq!(got.map(Cow::into_owned).map_err(told), expected, "{}", of());
        }
        if $parts.has_next() {
            let (report, text) = oracle.to_utf8_lossy(usize::MAX);
            let got = isa.$from_mutf8_lossy($src);
            assert_eq!((&*got, matches!(got, Cow::Borrowed(_))), (&*text, borrowed), "{}", of());
            let owned = got.into_owned();
            assert_eq!(owned.capacity(), owned.len(), "{}", of());
            let mut appended = String::from("é");
            assert_eq!(told(isa.$mutf8_to_utf8_lossy_append($src, &mut appended)), report, "{}", of());
            assert_eq!(appended[2..], text, "{}", of());
            let got = into($room, |dst| {
                let out = isa.$mutf8_to_utf8_lossy($src, dst);
                (told(out), out.written)
            });
            let (fits, part) = oracle.to_utf8_lossy($room);
            assert_eq!(got, (fits, part.into_bytes()), "{}", of());
            if oracle.fault.is_none() {
                assert_eq!(isa.utf8_len_from_mutf8($src), text.len(), "{}", of());
            }
        }
    }};
}

/// Reads these bytes as modified UTF-8, perhaps ill-formed, into buffers of this size: as it should be, and as Android has it.
#[track_caller]
pub fn of_mutf8(parts: impl Into<Parts>, src: &[u8], room: usize) {
    let parts = parts.into();
    reads!(
        parts src room Mutf8 validate_mutf8 mutf8_to_utf16_append mutf8_to_utf16 utf16_from_mutf8
        mutf8_to_utf8_lossy_append mutf8_to_utf8_lossy mutf8_to_utf8_append mutf8_to_utf8 from_mutf8_lossy
        from_mutf8
    );
    reads!(
        parts src room Android validate_android_mutf8 android_mutf8_to_utf16_append android_mutf8_to_utf16
        utf16_from_android_mutf8 android_mutf8_to_utf8_lossy_append android_mutf8_to_utf8_lossy
        android_mutf8_to_utf8_append android_mutf8_to_utf8 from_android_mutf8_lossy from_android_mutf8
    );
}

/// Converts UTF-8, perhaps ill-formed, to modified UTF-8 in buffers of this size.
#[track_caller]
pub fn of_utf8(isa: Isa, src: &[u8], room: usize) {
    let of = || format!("{isa}: UTF-8 {} into {room}", hex(src));
    let (out, bytes) = into(room, |dst| {
        let out = isa.utf8_to_mutf8(src, dst);
        (out, out.written)
    });
    assert_eq!((out.read, bytes, stop(out)), mutf8_from_utf8(src, room), "{}", of());
    let all = mutf8_from_utf8(src, usize::MAX);
    let mut appended = b"~".to_vec();
    let out = isa.utf8_to_mutf8_append(src, &mut appended).map_err(told);
    assert_eq!((out, &appended[1..]), (all.2.appended(all.1.len()), &all.1[..]), "{}", of());
    let Ok(text) = std::str::from_utf8(src) else { return };
    assert_eq!(isa.mutf8_len_from_utf8(src), all.1.len(), "{}", of());
    assert_eq!(*isa.to_mutf8(text), all.1, "{}", of());
    assert_eq!(matches!(isa.to_mutf8(text), Cow::Borrowed(_)), src == all.1, "{}", of());
    assert_eq!(isa.to_mutf8_c_string(text).to_bytes(), all.1, "{}", of());
    assert_eq!(isa.from_mutf8(&all.1).as_deref(), Ok(text), "{}", of());
}
