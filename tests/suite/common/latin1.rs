//! Compares all operations on Latin-1, on one input, with the oracles and with plain Rust. The fuzz target compiles this
//! file as well.

use fastutf::latin1::ToLatin1Error;
use fastutf_testkit::hex;
use fastutf_testkit::oracle::{Latin1Fault, Latin1Oracle, Utf8Kind, Utf16Kind, text_of_latin1, to_bytes};

use super::room::{Parts, into, stop, to_latin1};
use super::told::{Report, told};

impl<K, E: Report<Told = fastutf_testkit::oracle::Fault<K>>> Report for ToLatin1Error<E> {
    type Told = Latin1Fault<K>;
    fn told(self) -> Latin1Fault<K> {
        match self {
            Self::NotLatin1(error) => Latin1Fault::NotLatin1 {
                at: error.valid_up_to(),
                len: error.error_len(),
                character: error.character(),
            },
            Self::IllFormed(error) => Latin1Fault::IllFormed(error.told()),
        }
    }
}

/// The two byte orders.
pub const LE: fn(u16) -> [u8; 2] = u16::to_le_bytes;
pub const BE: fn(u16) -> [u8; 2] = u16::to_be_bytes;

/// Converts these bytes of Latin-1 into buffers with room for `room` code units, or as many bytes.
#[track_caller]
pub fn of_latin1(parts: impl Into<Parts>, src: &[u8], room: usize) {
    let (parts, text) = (parts.into(), text_of_latin1(src));
    let isa = parts.isa;
    let of = || format!("{isa}: {} into {room}", hex(src));
    if parts.has_next() {
        assert_eq!(isa.utf8_len_from_latin1(src), text.len(), "{}", of());
        assert_eq!(isa.from_latin1(src), text, "{}", of());
        let borrows = matches!(isa.from_latin1(src), std::borrow::Cow::Borrowed(_));
        assert_eq!(borrows, src.is_ascii(), "{}", of());
    }

    if parts.has_next() {
        let fits = (0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let (read, expected) = (text[..fits].chars().count(), &text.as_bytes()[..fits]);
        let (out, bytes) = into(room, |dst| {
            let out = isa.latin1_to_utf8(src, dst);
            (out, out.written)
        });
        assert_eq!((out.read, &bytes[..], out.is_complete()), (read, expected, read == src.len()), "{}", of());
        let mut appended = String::from("~é");
        assert_eq!(isa.latin1_to_utf8_append(src, &mut appended), text.len(), "{}", of());
        assert_eq!(appended, format!("~é{text}"), "{}", of());
    }

    let units: Vec<u16> = src.iter().copied().map(u16::from).collect();
    let read = src.len().min(room);
    if parts.has_next() {
        let (out, got) = into(room, |dst| {
            let out = isa.latin1_to_utf16(src, dst);
            (out, out.written)
        });
        let complete = out.is_complete();
        assert_eq!((out.read, &got[..], complete), (read, &units[..read], read == src.len()), "{}", of());
        let mut appended = vec![7];
        assert_eq!(isa.latin1_to_utf16_append(src, &mut appended), src.len(), "{}", of());
        assert_eq!(appended[1..], units, "{}", of());
    }
    macro_rules! bytes {
        ($convert:ident $append:ident $order:ident) => {
            if parts.has_next() {
                let expected = to_bytes(&units, $order);
                // An odd last byte is not used.
                let (out, got) = into(2 * room + src.len() % 2, |dst| {
                    let out = isa.$convert(src, dst);
                    (out, out.written)
                });
                let complete = out.is_complete();
                assert_eq!(
                    (out.read, &got[..], complete),
                    (read, &expected[..2 * read], read == src.len()),
                    "{}",
                    of()
                );
                let mut appended = vec![7];
                assert_eq!(isa.$append(src, &mut appended), expected.len(), "{}", of());
                assert_eq!(appended[1..], expected, "{}", of());
            }
        };
    }
    bytes!(latin1_to_utf16le latin1_to_utf16le_append LE);
    bytes!(latin1_to_utf16be latin1_to_utf16be_append BE);
}

/// Converts UTF-8, perhaps ill-formed, into a buffer of this size.
#[track_caller]
pub fn of_utf8(parts: impl Into<Parts>, src: &[u8], room: usize) {
    let parts = parts.into();
    let isa = parts.isa;
    let of = || format!("{isa}: {} into {room}", hex(src));
    let oracle: Latin1Oracle<Utf8Kind> = Latin1Oracle::of_utf8(src);
    if parts.has_next() {
        assert_eq!(isa.validate_latin1_in_utf8(src).map_err(told), oracle.result(), "{}", of());
    }
    to_latin1!(parts, oracle, src, room, of;
        utf8_to_latin1 utf8_to_latin1_append utf8_to_latin1_lossy utf8_to_latin1_lossy_append);
    let Ok(text) = std::str::from_utf8(src) else { return };
    if !parts.has_next() {
        return;
    }
    let expected = oracle.strict(usize::MAX).1;
    let got = isa.to_latin1(text).map(std::borrow::Cow::into_owned);
    let got = got.map_err(|error| told(ToLatin1Error::<fastutf::Utf8Error>::NotLatin1(error)));
    assert_eq!(got, oracle.result().map(|()| expected), "{}", of());
    assert_eq!(*isa.to_latin1_lossy(text, b'?'), oracle.lossy(usize::MAX, b'?').1, "{}", of());
    if let Ok(bytes) = isa.to_latin1(text) {
        assert_eq!(matches!(bytes, std::borrow::Cow::Borrowed(_)), src.is_ascii(), "{}", of());
    }
}

/// Converts UTF-16, perhaps ill-formed, into a buffer of this size; with an odd last byte, if there is one.
#[track_caller]
pub fn of_utf16(parts: impl Into<Parts>, units: &[u16], odd: Option<u8>, room: usize) {
    let parts = parts.into();
    let of = || format!("{}: {} into {room}", parts.isa, hex(units));
    let in_units: Latin1Oracle<Utf16Kind> = Latin1Oracle::of_utf16(units, false, 1);
    to_latin1!(parts, in_units, units, room, of;
        utf16_to_latin1 utf16_to_latin1_append utf16_to_latin1_lossy utf16_to_latin1_lossy_append);
    let in_bytes: Latin1Oracle<Utf16Kind> = Latin1Oracle::of_utf16(units, odd.is_some(), 2);
    let (mut le, mut be) = (to_bytes(units, LE), to_bytes(units, BE));
    le.extend(odd);
    be.extend(odd);
    if parts.has_next() {
        assert_eq!(parts.isa.validate_latin1_in_utf16(units).map_err(told), in_units.result(), "{}", of());
        assert_eq!(parts.isa.validate_latin1_in_utf16le(&le).map_err(told), in_bytes.result(), "LE {}", of());
        assert_eq!(parts.isa.validate_latin1_in_utf16be(&be).map_err(told), in_bytes.result(), "BE {}", of());
    }
    to_latin1!(parts, in_bytes, &le[..], room, of;
        utf16le_to_latin1 utf16le_to_latin1_append utf16le_to_latin1_lossy utf16le_to_latin1_lossy_append);
    to_latin1!(parts, in_bytes, &be[..], room, of;
        utf16be_to_latin1 utf16be_to_latin1_append utf16be_to_latin1_lossy utf16be_to_latin1_lossy_append);
}
