//! Compares the conversions between UTF-32 and Latin-1 with the oracles. The fuzz target compiles this file as well.

use fastutf_testkit::hex;
use fastutf_testkit::oracle::{Decoded, Latin1Oracle};

use super::room::{Parts, into, stop, to_latin1};
use super::told::told;
use super::utf32::{BE, LE, bytes_32};

/// Converts UTF-32, perhaps ill-formed, to Latin-1, into buffers of this size; with up to 3 trailing bytes.
#[track_caller]
pub fn to_latin1(parts: impl Into<Parts>, units: &[u32], trailing: &[u8], room: usize) {
    let parts = parts.into();
    let (mut le, mut be) = (bytes_32(units, LE), bytes_32(units, BE));
    le.extend(trailing);
    be.extend(trailing);
    let (le, be, trailing) = (&le[..], &be[..], trailing.len());
    let of = || format!("{}: {} and {trailing} bytes into {room}", parts.isa, hex(units));
    let in_units = Latin1Oracle::from(Decoded::of_utf32(units, 0, 1));
    let in_bytes = Latin1Oracle::from(Decoded::of_utf32(units, trailing, 4));
    to_latin1!(parts, in_units, units, room, of;
        utf32_to_latin1 utf32_to_latin1_append utf32_to_latin1_lossy utf32_to_latin1_lossy_append);
    to_latin1!(parts, in_bytes, le, room, of;
        utf32le_to_latin1 utf32le_to_latin1_append utf32le_to_latin1_lossy utf32le_to_latin1_lossy_append);
    to_latin1!(parts, in_bytes, be, room, of;
        utf32be_to_latin1 utf32be_to_latin1_append utf32be_to_latin1_lossy utf32be_to_latin1_lossy_append);
}

/// Converts these bytes of Latin-1 into buffers with room for `room` code units.
#[track_caller]
pub fn of_latin1(parts: impl Into<Parts>, src: &[u8], room: usize) {
    let parts = parts.into();
    let isa = parts.isa;
    let of = || format!("{isa}: {} into {room}", hex(src));
    let units: Vec<u32> = src.iter().copied().map(u32::from).collect();
    macro_rules! from_latin1 {
        ($convert:ident, $append:ident, $expected:expr, $size:literal, $room:expr) => {
            if parts.has_next() {
                let (expected, read) = ($expected, src.len().min(room));
                let (out, got) = into($room, |dst| {
                    let out = isa.$convert(src, dst);
                    (out, out.written)
                });
                let got = (out.read, &got[..], out.is_complete());
                assert_eq!(got, (read, &expected[..$size * read], read == src.len()), "{}", of());
                let mut appended = vec![7];
                assert_eq!(isa.$append(src, &mut appended), expected.len(), "{}", of());
                assert_eq!(appended[1..], expected, "{}", of());
            }
        };
    }
    let bytes = 4 * room + src.len() % 4;
    from_latin1!(latin1_to_utf32, latin1_to_utf32_append, units.clone(), 1, room);
    from_latin1!(latin1_to_utf32le, latin1_to_utf32le_append, bytes_32(&units, LE), 4, bytes);
    from_latin1!(latin1_to_utf32be, latin1_to_utf32be_append, bytes_32(&units, BE), 4, bytes);
}
