//! Compares all operations on UTF-32, on one input, with the oracles. The fuzz target compiles this file as well.

use fastutf::utf32::Utf32Error;
use fastutf_testkit::hex;
use fastutf_testkit::oracle::{Decoded, Fault, Utf32Kind, to_bytes};

use super::room::{Parts, into, stop};
use super::told::{Report, told};

impl Report for Utf32Error {
    type Told = Fault<Utf32Kind>;
    fn told(self) -> Self::Told {
        Fault { at: self.valid_up_to(), len: self.error_len(), kind: self.kind().told() }
    }
}

/// The two byte orders.
pub const LE: fn(u32) -> [u8; 4] = u32::to_le_bytes;
pub const BE: fn(u32) -> [u8; 4] = u32::to_be_bytes;

/// These code units as bytes, in the order of `bytes`.
pub fn bytes_32(units: &[u32], bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    units.iter().map(|&unit| bytes(unit)).collect::<Vec<_>>().into_flattened()
}

// How a character is appended.
fn utf8(c: char, to: &mut Vec<u8>) {
    to.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}
fn units_16(c: char, to: &mut Vec<u16>) {
    to.extend_from_slice(c.encode_utf16(&mut [0; 2]));
}
fn le_16(c: char, to: &mut Vec<u8>) {
    c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| to.extend(unit.to_le_bytes()));
}
fn be_16(c: char, to: &mut Vec<u8>) {
    c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| to.extend(unit.to_be_bytes()));
}
fn units_32(c: char, to: &mut Vec<u32>) {
    to.push(c.into());
}
fn le_32(c: char, to: &mut Vec<u8>) {
    to.extend(LE(c.into()));
}
fn be_32(c: char, to: &mut Vec<u8>) {
    to.extend(BE(c.into()));
}

/// Compares a strict and a lossy conversion, each into a slice and to the end of what grows.
macro_rules! conversion {
    (
        $parts:ident, $oracle:expr, $src:expr, $room:expr, $of:expr, $encode:ident, $before:expr,
        $strict:ident, $append:ident, $lossy:ident, $lossy_append:ident
    ) => {{
        let (oracle, src, of, room, isa) = (&$oracle, $src, $of, $room, $parts.isa);
        let before = $before.clone();
        if $parts.has_next() {
            let (out, got) = into(room, |dst| {
                let out = isa.$strict(src, dst);
                (out, out.written)
            });
            assert_eq!(
                (out.read, got, stop(out)),
                oracle.strict(room, $encode),
                "{} {}",
                stringify!($strict),
                of()
            );
        }
        if $parts.has_next() {
            let (_, units, expected) = oracle.strict(usize::MAX, $encode);
            let mut appended = before.clone();
            let out = isa.$append(src, &mut appended).map_err(told);
            assert_eq!(appended[..before.len()], before[..], "{} {}", stringify!($append), of());
            assert_eq!(AsRef::<[_]>::as_ref(&appended)[before.len()..], units, "{} {}", stringify!($append), of());
            assert_eq!(out, expected.appended(units.len()), "{} {}", stringify!($append), of());
        }
        if $parts.has_next() {
            let got = into(room, |dst| {
                let out = isa.$lossy(src, dst);
                (told(out), out.written)
            });
            assert_eq!(got, oracle.lossy(room, $encode), "{} {}", stringify!($lossy), of());
        }
        if $parts.has_next() {
            let mut appended = before.clone();
            let out = isa.$lossy_append(src, &mut appended);
            let got = AsRef::<[_]>::as_ref(&appended)[before.len()..].to_vec();
            assert_eq!(
                (told(out), got),
                oracle.lossy(usize::MAX, $encode),
                "{} {}",
                stringify!($lossy_append),
                of()
            );
        }
    }};
}

/// Converts UTF-8, perhaps ill-formed, into buffers with room for `room` code units.
#[track_caller]
pub fn of_utf8(parts: impl Into<Parts>, src: &[u8], room: usize) {
    let parts = parts.into();
    let isa = parts.isa;
    let of = || format!("{isa}: {} into {room}", hex(src));
    let oracle = Decoded::of_utf8(src);
    // A room in bytes is not always a multiple of 4.
    let bytes = 4 * room + src.len() % 4;
    conversion!(
        parts,
        oracle,
        src,
        room,
        of,
        units_32,
        vec![7],
        utf8_to_utf32,
        utf8_to_utf32_append,
        utf8_to_utf32_lossy,
        utf8_to_utf32_lossy_append
    );
    conversion!(
        parts,
        oracle,
        src,
        bytes,
        of,
        le_32,
        vec![7],
        utf8_to_utf32le,
        utf8_to_utf32le_append,
        utf8_to_utf32le_lossy,
        utf8_to_utf32le_lossy_append
    );
    conversion!(
        parts,
        oracle,
        src,
        bytes,
        of,
        be_32,
        vec![7],
        utf8_to_utf32be,
        utf8_to_utf32be_append,
        utf8_to_utf32be_lossy,
        utf8_to_utf32be_lossy_append
    );
    let Ok(text) = std::str::from_utf8(src) else { return };
    if !parts.has_next() {
        return;
    }
    let units: Vec<u32> = text.chars().map(u32::from).collect();
    assert_eq!(isa.to_utf32(text), units, "{}", of());
    assert_eq!(isa.to_utf32le(text), bytes_32(&units, LE), "{}", of());
    assert_eq!(isa.to_utf32be(text), bytes_32(&units, BE), "{}", of());
    let chars: Vec<char> = text.chars().collect();
    assert_eq!(isa.to_chars(text), chars, "{}", of());
    assert_eq!(isa.from_chars(&chars), text, "{}", of());
}

/// Converts UTF-16, perhaps ill-formed, into buffers with room for `room` code units; with an odd last byte, if there is
/// one.
#[track_caller]
pub fn of_utf16(parts: impl Into<Parts>, units: &[u16], odd: Option<u8>, room: usize) {
    let parts = parts.into();
    let of = || format!("{}: {} into {room}", parts.isa, hex(units));
    let in_units = Decoded::of_utf16(units, false, 1);
    conversion!(
        parts,
        in_units,
        units,
        room,
        of,
        units_32,
        vec![7],
        utf16_to_utf32,
        utf16_to_utf32_append,
        utf16_to_utf32_lossy,
        utf16_to_utf32_lossy_append
    );
    let in_bytes = Decoded::of_utf16(units, odd.is_some(), 2);
    let (mut le, mut be) = (to_bytes(units, u16::to_le_bytes), to_bytes(units, u16::to_be_bytes));
    le.extend(odd);
    be.extend(odd);
    let bytes = 4 * room + units.len() % 4;
    conversion!(
        parts,
        in_bytes,
        &le,
        bytes,
        of,
        le_32,
        vec![7],
        utf16le_to_utf32le,
        utf16le_to_utf32le_append,
        utf16le_to_utf32le_lossy,
        utf16le_to_utf32le_lossy_append
    );
    conversion!(
        parts,
        in_bytes,
        &be,
        bytes,
        of,
        be_32,
        vec![7],
        utf16be_to_utf32be,
        utf16be_to_utf32be_append,
        utf16be_to_utf32be_lossy,
        utf16be_to_utf32be_lossy_append
    );
}

/// Converts UTF-32, perhaps ill-formed, into buffers with room for `room` code units or bytes; with up to 3 trailing bytes.
#[track_caller]
pub fn of_utf32(parts: impl Into<Parts>, units: &[u32], trailing: &[u8], room: usize) {
    let parts = parts.into();
    let isa = parts.isa;
    let of = || format!("{isa}: {} and {} into {room}", hex(units), hex(trailing));
    let in_units = Decoded::of_utf32(units, 0, 1);
    let in_bytes = Decoded::of_utf32(units, trailing.len(), 4);
    let (mut le, mut be) = (bytes_32(units, LE), bytes_32(units, BE));
    le.extend(trailing);
    be.extend(trailing);
    let (le_bytes, be_bytes) = (&le[..], &be[..]);
    macro_rules! decode {
        ($oracle:ident $src:ident $validate:ident $from:ident $lossy:ident $len:ident $len_lossy:ident
         $len_16:ident $len_16_lossy:ident) => {
            let (oracle, src): (&Decoded<_>, _) = (&$oracle, $src);
            if parts.has_next() {
                assert_eq!(
                    isa.$validate(src).map_err(told),
                    oracle.result(),
                    "{} {}",
                    stringify!($validate),
                    of()
                );
                let text = oracle.result().map(|()| oracle.strict(usize::MAX, utf8).1);
                let got = isa.$from(src).map(String::into_bytes).map_err(told);
                assert_eq!(got, text, "{} {}", stringify!($from), of());
                let (out, text) = oracle.lossy(usize::MAX, utf8);
                let got = isa.$lossy(src);
                assert_eq!(
                    (got.0.into_bytes(), got.1),
                    (text, out.replacements),
                    "{} {}",
                    stringify!($lossy),
                    of()
                );
            }
            if parts.has_next() {
                let (out, _) = oracle.lossy(usize::MAX, utf8);
                assert_eq!(isa.$len_lossy(src), out.written, "{} {}", stringify!($len_lossy), of());
                let cut = if src.len() > units.len() && !trailing.is_empty() { (3, 1) } else { (0, 0) };
                assert_eq!(isa.$len(src), out.written - cut.0, "{} {}", stringify!($len), of());
                let (out, _) = oracle.lossy(usize::MAX, units_16);
                assert_eq!(isa.$len_16_lossy(src), out.written, "{} {}", stringify!($len_16_lossy), of());
                assert_eq!(isa.$len_16(src), out.written - cut.1, "{} {}", stringify!($len_16), of());
            }
        };
    }
    decode!(in_units units validate_utf32 from_utf32 from_utf32_lossy_counted utf8_len_from_utf32
        utf8_len_from_utf32_lossy utf16_len_from_utf32 utf16_len_from_utf32_lossy);
    decode!(in_bytes le_bytes validate_utf32le from_utf32le from_utf32le_lossy_counted utf8_len_from_utf32le
        utf8_len_from_utf32le_lossy utf16_len_from_utf32le utf16_len_from_utf32le_lossy);
    decode!(in_bytes be_bytes validate_utf32be from_utf32be from_utf32be_lossy_counted utf8_len_from_utf32be
        utf8_len_from_utf32be_lossy utf16_len_from_utf32be utf16_len_from_utf32be_lossy);
    if parts.has_next() {
        let chars = units.iter().map(|&unit| char::from_u32(unit)).collect::<Option<Vec<char>>>();
        assert_eq!(isa.as_chars(units).ok(), chars.as_deref(), "{}", of());
        assert_eq!(isa.from_utf32_lossy(units), isa.from_utf32_lossy_counted(units).0, "{}", of());
        assert_eq!(isa.from_utf32le_lossy(&le), isa.from_utf32le_lossy_counted(&le).0, "{}", of());
        assert_eq!(isa.from_utf32be_lossy(&be), isa.from_utf32be_lossy_counted(&be).0, "{}", of());
    }

    let text = String::from("~é");
    conversion!(
        parts,
        in_units,
        units,
        room,
        of,
        utf8,
        text,
        utf32_to_utf8,
        utf32_to_utf8_append,
        utf32_to_utf8_lossy,
        utf32_to_utf8_lossy_append
    );
    conversion!(
        parts,
        in_bytes,
        &le,
        room,
        of,
        utf8,
        text,
        utf32le_to_utf8,
        utf32le_to_utf8_append,
        utf32le_to_utf8_lossy,
        utf32le_to_utf8_lossy_append
    );
    conversion!(
        parts,
        in_bytes,
        &be,
        room,
        of,
        utf8,
        text,
        utf32be_to_utf8,
        utf32be_to_utf8_append,
        utf32be_to_utf8_lossy,
        utf32be_to_utf8_lossy_append
    );
    let bytes = 2 * room + units.len() % 2;
    conversion!(
        parts,
        in_units,
        units,
        room,
        of,
        units_16,
        vec![7],
        utf32_to_utf16,
        utf32_to_utf16_append,
        utf32_to_utf16_lossy,
        utf32_to_utf16_lossy_append
    );
    conversion!(
        parts,
        in_bytes,
        &le,
        bytes,
        of,
        le_16,
        vec![7],
        utf32le_to_utf16le,
        utf32le_to_utf16le_append,
        utf32le_to_utf16le_lossy,
        utf32le_to_utf16le_lossy_append
    );
    conversion!(
        parts,
        in_bytes,
        &be,
        bytes,
        of,
        be_16,
        vec![7],
        utf32be_to_utf16be,
        utf32be_to_utf16be_append,
        utf32be_to_utf16be_lossy,
        utf32be_to_utf16be_lossy_append
    );
}
