//! The operations of [`scalar`](super) for a build without optimisation, where iterators, closures and small functions
//! cost ten times what they do otherwise.
//!
//! The standard library has been compiled with optimisation, so it is called wherever it can help, on one piece at a
//! time. The rest is loops over indices, which call no other function. Where these end, at an error or when the
//! output is full, `scalar` takes over, with the same results as in any build.

#![allow(clippy::manual_map, clippy::precedence)]

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String};
use core::mem::MaybeUninit;

use super::{EACH_BYTE, REPLACEMENT};
use crate::buffer::{as_bytes, as_words, units_as_bytes_mut, write};
use crate::endian::ByteOrder;
use crate::replacement::{Items, Repair};
use crate::report::{Conversion, Utf8Error, Utf8Info, Utf16Error};
use crate::scalar;
#[cfg(all(fastutf_scalar_default, feature = "utf32"))]
pub(crate) use crate::scalar::{
    ascii_to_utf32, utf8_len_from_utf32, utf16_len_from_utf32, utf16_to_utf32, utf32_prefix, utf32_to_ascii,
    utf32_to_utf16,
};
#[cfg(all(fastutf_scalar_default, feature = "positions"))]
pub(crate) use crate::scalar::{before, count_sections, find_all, find_char, find_line, find_utf16, place_all};
#[cfg(all(fastutf_scalar_default, feature = "mutf8"))]
pub(crate) use crate::scalar::{
    disguise_mutf8, disguise_utf16, mutf8_len_from_utf8, mutf8_len_from_utf16, reveal_utf8, reveal_utf16,
    utf8_len_from_mutf8, utf8_without_specials, utf16_without_specials,
};
#[cfg(fastutf_scalar_default)]
pub(crate) use crate::scalar::{is_ascii, swap_utf16_bytes, swap_utf16_bytes_into};
#[cfg(all(fastutf_scalar_default, feature = "latin1"))]
pub(crate) use crate::scalar::{
    latin1_prefix_of_utf8, latin1_to_utf8, latin1_to_utf16, utf8_len_from_latin1, utf8_to_latin1, utf16_info,
    utf16_to_latin1,
};
#[cfg(all(fastutf_scalar_default, feature = "utf32", feature = "latin1"))]
pub(crate) use crate::scalar::{latin1_to_utf32, utf32_to_latin1};
#[cfg(all(fastutf_scalar_default, feature = "columns"))]
pub(crate) use crate::scalar::{utf8_borders, utf16_borders};

/// Computes a bit for each continuation byte of some words, of which bit 7 is set and bit 6 clear. The two bits of
/// each byte share a word with those of three other words.
macro_rules! marks {
    ($words:ident, $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {{
        const TOP: usize = EACH_BYTE * 0xC0;
        const ODD: usize = EACH_BYTE * 0xAA;
        let first =
            $words[$a] & TOP | ($words[$b] & TOP) >> 2 | ($words[$c] & TOP) >> 4 | ($words[$d] & TOP) >> 6;
        let second =
            $words[$e] & TOP | ($words[$f] & TOP) >> 2 | ($words[$g] & TOP) >> 4 | ($words[$h] & TOP) >> 6;
        first & !(first << 1) & ODD | (second & !(second << 1) & ODD) >> 1
    }};
}

/// How many elements are handled at a time.
const PIECE: usize = 1024;

/// As in [`scalar::check_utf8`].
pub(crate) fn check_utf8(src: &[u8]) -> Result<(), usize> {
    match core::str::from_utf8(src) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.valid_up_to()),
    }
}

pub(crate) fn validate_utf8(src: &[u8]) -> Result<(), Utf8Error> {
    match core::str::from_utf8(src) {
        Ok(_) => Ok(()),
        Err(error) => Err(scalar::utf8_error_at(src, error.valid_up_to())),
    }
}

pub(crate) fn utf8_info(src: &[u8]) -> Result<Utf8Info, Utf8Error> {
    validate_utf8(src)?;
    Ok(scalar::info_of_valid(src, count_chars_utf8(src), has_from_c4(src)))
}

/// Whether well-formed text has a lead byte from C4 on.
fn has_from_c4(src: &[u8]) -> bool {
    let (words, rest) = src.as_chunks::<{ size_of::<usize>() }>();
    let mut at = 0;
    while at < words.len() {
        let word = usize::from_ne_bytes(words[at]);
        // Bits 7 and 6, and any of the next four.
        if word >> 7 & word >> 6 & (word >> 5 | word >> 4 | word >> 3 | word >> 2) & EACH_BYTE != 0 {
            return true;
        }
        at += 1;
    }
    at = 0;
    while at < rest.len() {
        if rest[at] >= 0xC4 {
            return true;
        }
        at += 1;
    }
    false
}

pub(crate) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    scalar::utf16_len_from_utf8(src)
}

/// As in [`scalar::ill_formed_utf8`].
pub(crate) fn ill_formed_utf8(src: &[u8]) -> Option<(usize, usize)> {
    match core::str::from_utf8(src) {
        Ok(_) => None,
        Err(error) => {
            let start = error.valid_up_to();
            match error.error_len() {
                Some(len) => Some((start, start + len)),
                None => Some((start, src.len())),
            }
        }
    }
}

pub(crate) fn ill_formed_items(src: &[u8]) -> Option<(usize, Items)> {
    match ill_formed_utf8(src) {
        Some((start, end)) => Some((start, Items::one(end - start))),
        None => None,
    }
}

pub(crate) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Repair {
    let (mut read, mut written, mut replacements) = (0, 0, 0);
    loop {
        // As in `scalar`. (Here, slicing a slice would be a function call.)
        let max = read + (dst.len() - written).saturating_add(4);
        let rest = if src.len() > max { &src[read..max] } else { &src[read..] };
        let (start, end) = match core::str::from_utf8(rest) {
            Ok(_) => (rest.len(), rest.len()),
            Err(error) => match error.error_len() {
                Some(len) => (error.valid_up_to(), error.valid_up_to() + len),
                None => (error.valid_up_to(), rest.len()),
            },
        };
        let mut fits = start;
        if fits > dst.len() - written {
            fits = dst.len() - written;
            while rest[fits] & 0xC0 == 0x80 {
                fits -= 1;
            }
        }
        if fits > 8 {
            write(&mut dst[written..], &rest[..fits]);
        } else {
            let mut at = 0;
            while at < fits {
                dst[written + at] = MaybeUninit::new(rest[at]);
                at += 1;
            }
        }
        read += fits;
        written += fits;
        if fits < start || start == end || dst.len() - written < REPLACEMENT.len() {
            return Repair { read, written, replacements };
        }
        dst[written] = MaybeUninit::new(0xEF);
        dst[written + 1] = MaybeUninit::new(0xBF);
        dst[written + 2] = MaybeUninit::new(0xBD);
        read += end - start;
        written += REPLACEMENT.len();
        replacements += 1;
    }
}

pub(crate) fn utf8_to_utf16(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
    let done = to_utf16(order, src, dst, false);
    scalar::utf8_to_utf16_from(order, src, dst, done.read, done.written)
}

pub(crate) fn utf8_to_utf16_prefix(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    // Only kernels gain from leaving out the kind of the error.
    let out = utf8_to_utf16(order, src, dst);
    (out.read, out.written)
}

pub(crate) fn utf8_to_utf16_lossy(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Repair {
    let mut done = to_utf16(order, src, dst, true);
    done.add(scalar::utf8_to_utf16_lossy(order, &src[done.read..], &mut dst[done.written..]));
    done
}

/// Converts until `dst` is nearly full and, unless `lossy`, up to the first error.
fn to_utf16(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>], lossy: bool) -> Repair {
    let mut buffer = [0; PIECE];
    let (mut read, mut written, mut replacements) = (0, 0, 0);
    loop {
        // There are at most as many code units as bytes.
        let mut len = (dst.len() - written) / 2;
        if len > PIECE {
            len = PIECE;
        }
        if len > src.len() - read {
            len = src.len() - read;
        }
        let piece = &src[read..read + len];
        let (valid, ill_formed) = match core::str::from_utf8(piece) {
            Ok(_) => (len, 0),
            Err(error) => match error.error_len() {
                Some(len) => (error.valid_up_to(), len),
                // Cut by the piece, but perhaps complete in `src`.
                None => (error.valid_up_to(), 0),
            },
        };
        if valid > 0 {
            let units = decode(piece, valid, &mut buffer);
            in_order(order, &mut buffer[..units]);
            write(&mut dst[written..], as_bytes(&buffer[..units]));
            read += valid;
            written += 2 * units;
        }
        if ill_formed > 0 && lossy {
            // There is room, since it took more bytes than it made code units.
            let (first, second) = if order.is_big() { (0xFF, 0xFD) } else { (0xFD, 0xFF) };
            dst[written] = MaybeUninit::new(first);
            dst[written + 1] = MaybeUninit::new(second);
            read += ill_formed;
            written += 2;
            replacements += 1;
        } else if ill_formed > 0 || valid == 0 {
            return Repair { read, written, replacements };
        }
    }
}

/// Writes the code units of the well-formed `text[..end]`. Returns how many.
fn decode(text: &[u8], end: usize, units: &mut [u16; PIECE]) -> usize {
    let (mut at, mut len) = (0, 0);
    while at < end {
        let lead = text[at];
        if lead < 0x80 {
            units[len] = lead as u16;
            at += 1;
        } else if lead < 0xE0 {
            units[len] = (lead & 0x1F) as u16 * 0x40 + (text[at + 1] & 0x3F) as u16;
            at += 2;
        } else if lead < 0xF0 {
            let second = (text[at + 1] & 0x3F) as u16;
            units[len] = (lead & 0xF) as u16 * 0x1000 | second * 0x40 | (text[at + 2] & 0x3F) as u16;
            at += 3;
        } else {
            let (second, third) = ((text[at + 1] & 0x3F) as u16, (text[at + 2] & 0x3F) as u16);
            // The upper 6 and 4 bits of the value minus 0x1_0000; then the last 10.
            units[len] = 0xD800 - 0x40 + ((lead & 7) as u16 * 0x100 | second * 4 | third / 0x10);
            units[len + 1] = 0xDC00 | (third & 0xF) * 0x40 | (text[at + 3] & 0x3F) as u16;
            at += 4;
            len += 1;
        }
        len += 1;
    }
    len
}

/// Converts code units between native byte order and `E`.
fn in_order(order: ByteOrder, units: &mut [u16]) {
    if order != ByteOrder::NATIVE {
        let mut at = 0;
        while at < units.len() {
            let unit = units[at];
            units[at] = unit.swap_bytes();
            at += 1;
        }
    }
}

/// The first code units of `src` in native byte order: at most `max`, and as many as `buffer` holds. Unless there is
/// only one, the last is not half of a pair that continues in `src`.
fn units<'a>(order: ByteOrder, src: &[u8], max: usize, buffer: &'a mut [u16; PIECE]) -> &'a mut [u16] {
    let mut len = src.len() / 2;
    if len > PIECE {
        len = PIECE;
    }
    if len > max {
        len = max;
    }
    let units = &mut buffer[..len];
    units_as_bytes_mut(units).copy_from_slice(&src[..2 * len]);
    in_order(order, units);
    let cut = len > 1 && 2 * len < src.len() && units[len - 1] & 0xFC00 == 0xD800;
    &mut units[..len - cut as usize]
}

pub(crate) fn validate_utf16(order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
    let mut buffer = [0; PIECE];
    let mut at = 0;
    loop {
        let units = units(order, &src[at..], PIECE, &mut buffer);
        let paired = paired_up_to(units, 0);
        at += 2 * paired;
        if paired == 0 || paired < units.len() {
            return scalar::validate_utf16_from(order, src, at);
        }
    }
}

/// As in [`scalar::latin1_prefix_of_utf16`]: the upper bytes are zeros.
#[cfg(feature = "latin1")]
pub(crate) fn latin1_prefix_of_utf16(order: ByteOrder, src: &[u8]) -> usize {
    let len = src.len() / 2 * 2;
    let mut upper = if order.is_big() { 0 } else { 1 };
    while upper < len && src[upper] == 0 {
        upper += 2;
    }
    upper / 2 * 2
}

/// Returns where the first unpaired surrogate from `at` on is, or the end.
fn paired_up_to(units: &[u16], mut at: usize) -> usize {
    while at < units.len() {
        let unit = units[at];
        if unit & 0xF800 == 0xD800 {
            if unit >= 0xDC00 || at + 1 == units.len() || units[at + 1] & 0xFC00 != 0xDC00 {
                return at;
            }
            at += 1;
        }
        at += 1;
    }
    at
}

/// Replaces unpaired surrogates and returns how many.
fn repair(units: &mut [u16]) -> usize {
    let (mut at, mut unpaired) = (0, 0);
    loop {
        at = paired_up_to(units, at);
        if at == units.len() {
            return unpaired;
        }
        units[at] = 0xFFFD;
        unpaired += 1;
        at += 1;
    }
}

pub(crate) fn repair_utf16(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut buffer = [0; PIECE];
    let (mut at, mut unpaired) = (0, 0);
    while at < src.len() {
        let units = units(order, &src[at..], PIECE, &mut buffer);
        unpaired += repair(units);
        in_order(order, units);
        write(&mut dst[at..], as_bytes(units));
        at += 2 * units.len();
    }
    unpaired
}

pub(crate) fn count_unpaired_utf16(order: ByteOrder, src: &[u8]) -> usize {
    let mut buffer = [0; PIECE];
    let (mut at, mut unpaired) = (0, 0);
    while at + 1 < src.len() {
        let units = units(order, &src[at..], PIECE, &mut buffer);
        unpaired += repair(units);
        at += 2 * units.len();
    }
    unpaired
}

pub(crate) fn count_chars_utf16(order: ByteOrder, src: &[u8]) -> usize {
    let mut buffer = [0; PIECE];
    let (mut at, mut chars) = (0, 0);
    while at + 1 < src.len() {
        let units = units(order, &src[at..], PIECE, &mut buffer);
        let mut i = 0;
        while i < units.len() {
            if units[i] & 0xFC00 != 0xDC00 {
                chars += 1;
            }
            i += 1;
        }
        at += 2 * units.len();
    }
    chars
}

pub(crate) fn utf8_len_from_utf16(order: ByteOrder, src: &[u8]) -> usize {
    let mut buffer = [0; PIECE];
    let (mut at, mut len) = (0, 0);
    while at + 1 < src.len() {
        let units = units(order, &src[at..], PIECE, &mut buffer);
        let mut i = 0;
        while i < units.len() {
            let unit = units[i];
            len += if unit < 0x80 {
                1
            } else if unit < 0x800 || unit & 0xF800 == 0xD800 {
                2
            } else {
                3
            };
            i += 1;
        }
        at += 2 * units.len();
    }
    len
}

pub(crate) fn utf16_to_utf8(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
    let done = to_utf8(order, src, dst, false);
    scalar::utf16_to_utf8_from(order, src, dst, done.read, done.written)
}

pub(crate) fn utf16_to_utf8_lossy(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Repair {
    let mut done = to_utf8(order, src, dst, true);
    done.add(scalar::utf16_to_utf8_lossy(order, &src[done.read..], &mut dst[done.written..]));
    done
}

/// [`String::from_utf8_lossy`], but without the doubled capacity that a single error may cause there.
#[cfg(feature = "alloc")]
pub(crate) fn from_utf8_lossy(src: &[u8]) -> Cow<'_, str> {
    let mut text = String::from_utf8_lossy(src);
    if let Cow::Owned(text) = &mut text {
        text.shrink_to_fit();
    }
    text
}

/// Decodes `src` into an allocation that fits. It grows as needed, since counting first would take half as long as
/// converting.
#[cfg(feature = "alloc")]
pub(crate) fn string_from_utf16(order: ByteOrder, src: &[u8]) -> Result<String, Utf16Error> {
    let mut buffer = [0; PIECE];
    let mut text = String::with_capacity(src.len() / 2);
    let mut at = 0;
    loop {
        let units = units(order, &src[at..], PIECE, &mut buffer);
        let Ok(piece) = String::from_utf16(units) else { break };
        if units.is_empty() {
            break;
        }
        text.push_str(&piece);
        at += 2 * units.len();
    }
    scalar::validate_utf16_from(order, src, at)?;
    text.shrink_to_fit();
    Ok(text)
}

/// Converts pieces that fit and, unless `lossy`, have no error.
#[cfg(feature = "alloc")]
fn to_utf8(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>], lossy: bool) -> Repair {
    let mut done = Repair::default();
    let mut buffer = [0; PIECE];
    loop {
        let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
        let units = units(order, rest, room.len(), &mut buffer);
        let unpaired = if lossy { repair(units) } else { 0 };
        let Ok(text) = String::from_utf16(units) else { return done };
        if units.is_empty() || text.len() > room.len() {
            return done;
        }
        write(room, text.as_bytes());
        done.read += 2 * units.len();
        done.written += text.len();
        done.replacements += unpaired;
    }
}

/// Without an allocator, the standard library has no compiled code for this.
#[cfg(not(feature = "alloc"))]
fn to_utf8(_: ByteOrder, _: &[u8], _: &mut [MaybeUninit<u8>], _: bool) -> Repair {
    Repair::default()
}

pub(crate) fn count_chars_utf8(src: &[u8]) -> usize {
    let (first, words, last) = as_words(src);
    let (groups, rest) = words.as_chunks::<GROUP>();
    let mut continuations = few_continuations(first) + few_continuations(last);
    let mut at = 0;
    while at < groups.len() {
        let group = &groups[at];
        let (a, b, c) = (
            marks!(group, 0 1 2 3 4 5 6 7),
            marks!(group, 8 9 10 11 12 13 14 15),
            marks!(group, 16 17 18 19 20 21 22 23),
        );
        let (d, e, f) = (
            marks!(group, 24 25 26 27 28 29 30 31),
            marks!(group, 32 33 34 35 36 37 38 39),
            marks!(group, 40 41 42 43 44 45 46 47),
        );
        let g = marks!(group, 48 49 50 51 52 53 54 55);
        // Adds seven bits into a number of three bits.
        let (abc, def) = (a ^ b ^ c, d ^ e ^ f);
        let (two_abc, two_def) = (a & b | c & (a | b), d & e | f & (d | e));
        let (one, two) = (abc ^ def ^ g, abc & def | g & (abc | def));
        let four = two_abc & two_def | two & (two_abc | two_def);
        let two = two_abc ^ two_def ^ two;
        continuations += (one.count_ones() + 2 * two.count_ones() + 4 * four.count_ones()) as usize;
        at += 1;
    }
    at = 0;
    while at < rest.len() {
        let word = rest[at];
        continuations += (word & !(word << 1) & EACH_BYTE << 7).count_ones() as usize;
        at += 1;
    }
    src.len() - continuations
}

/// The number of words that are counted together.
const GROUP: usize = 56;

fn few_continuations(bytes: &[u8]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        if bytes[at] & 0xC0 == 0x80 {
            count += 1;
        }
        at += 1;
    }
    count
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use std::format;
    use std::vec::Vec;

    use super::*;
    use crate::api::converter::Converter;
    use crate::api::into_vec;
    use crate::report::Outcome;

    /// Runs a conversion into `room` bytes. Returns its outcome and its output.
    fn filled<O: Outcome>(room: usize, convert: impl Fn(&mut [MaybeUninit<u8>]) -> O) -> (O, Vec<u8>) {
        let mut bytes = Vec::new();
        // SAFETY: these tests pass conversions in plain Rust only, which initialise what they say they have written.
        #[allow(unsafe_code)]
        let converter = unsafe { Converter::new(|dst: &mut [_]| convert(&mut dst[..room])) };
        let out = into_vec::append(&mut bytes, room, || room, converter);
        (out, bytes)
    }

    fn repaired(room: usize, convert: impl Fn(&mut [MaybeUninit<u8>]) -> Repair) -> ([usize; 3], Vec<u8>) {
        let (out, bytes) = filled(room, convert);
        ([out.read, out.written, out.replacements], bytes)
    }

    /// Compares all operations on UTF-8, with a buffer of `room` bytes.
    fn utf8(src: &[u8], room: usize) {
        assert_eq!(from_utf8_lossy(src), crate::Isa::SCALAR.from_utf8_lossy(src), "{src:X?}");
        assert_eq!(check_utf8(src), scalar::check_utf8(src), "{src:X?}");
        assert_eq!(validate_utf8(src), scalar::validate_utf8(src), "{src:X?}");
        assert_eq!(format!("{:?}", utf8_info(src)), format!("{:?}", scalar::utf8_info(src)), "{src:X?}");
        assert_eq!(ill_formed_utf8(src), scalar::ill_formed_utf8(src), "{src:X?}");
        assert_eq!(
            format!("{:?}", ill_formed_items(src)),
            format!("{:?}", scalar::ill_formed_items(src)),
            "{src:X?}"
        );
        assert_eq!(count_chars_utf8(src), scalar::count_chars_utf8(src), "{src:X?}");
        assert_eq!(utf16_len_from_utf8(src), scalar::utf16_len_from_utf8(src), "{src:X?}");
        let got = repaired(room, |dst| utf8_to_utf8_lossy(src, dst));
        assert_eq!(got, repaired(room, |dst| scalar::utf8_to_utf8_lossy(src, dst)), "{src:X?}, {room}");
        if src.len() <= 4 {
            assert_eq!(got, repaired(room, |dst| scalar::tiny_utf8_to_utf8_lossy(src, dst)), "{src:X?}, {room}");
        }
        fn both(order: ByteOrder, src: &[u8], room: usize) {
            let got = filled(room, |dst| utf8_to_utf16(order, src, dst));
            assert_eq!(got, filled(room, |dst| scalar::utf8_to_utf16(order, src, dst)), "{src:X?}, {room}");
            let prefix = |src: &[u8], dst: &mut [MaybeUninit<u8>]| utf8_to_utf16_prefix(order, src, dst);
            let out = repaired(room, |dst| {
                let (read, written) = prefix(src, dst);
                Repair { read, written, replacements: 0 }
            });
            assert_eq!(out, ([got.0.read, got.0.written, 0], got.1), "{src:X?}, {room}");
            let got = repaired(room, |dst| utf8_to_utf16_lossy(order, src, dst));
            assert_eq!(
                got,
                repaired(room, |dst| scalar::utf8_to_utf16_lossy(order, src, dst)),
                "{src:X?}, {room}"
            );
            if src.len() <= 4 {
                let tiny = repaired(room, |dst| scalar::tiny_utf8_to_utf16_lossy(order, src, dst));
                assert_eq!(got, tiny, "{src:X?}, {room}");
            }
        }
        both(ByteOrder::Little, src, room);
        both(ByteOrder::Big, src, room);
    }

    /// Compares all operations on UTF-16.
    fn utf16(order: ByteOrder, src: &[u8], room: usize) {
        assert_eq!(validate_utf16(order, src), scalar::validate_utf16(order, src), "{src:X?}");
        assert_eq!(count_chars_utf16(order, src), scalar::count_chars_utf16(order, src), "{src:X?}");
        assert_eq!(utf8_len_from_utf16(order, src), scalar::utf8_len_from_utf16(order, src), "{src:X?}");
        assert_eq!(count_unpaired_utf16(order, src), scalar::count_unpaired_utf16(order, src), "{src:X?}");
        #[cfg(feature = "latin1")]
        assert_eq!(latin1_prefix_of_utf16(order, src), scalar::latin1_prefix_of_utf16(order, src), "{src:X?}");
        let all = filled(3 * src.len() + 3, |dst| scalar::utf16_to_utf8(order, src, dst));
        let text = string_from_utf16(order, src);
        assert!(text.as_ref().map_or(true, |text| text.capacity() == text.len()), "{src:X?}");
        assert_eq!(text.map(String::into_bytes), all.0.appended().map(|_| all.1), "{src:X?}");
        let got = filled(room, |dst| utf16_to_utf8(order, src, dst));
        assert_eq!(got, filled(room, |dst| scalar::utf16_to_utf8(order, src, dst)), "{src:X?}, {room}");
        let got = repaired(room, |dst| utf16_to_utf8_lossy(order, src, dst));
        assert_eq!(got, repaired(room, |dst| scalar::utf16_to_utf8_lossy(order, src, dst)), "{src:X?}, {room}");
        if src.len() <= 8 {
            let tiny = repaired(room, |dst| scalar::tiny_utf16_to_utf8_lossy(order, src, dst));
            assert_eq!(got, tiny, "{src:X?}, {room}");
        }
        let whole = &src[..src.len() & !1];
        let copy = |replacements| Repair { read: whole.len(), written: whole.len(), replacements };
        let got = repaired(whole.len(), |dst| copy(repair_utf16(order, whole, dst)));
        assert_eq!(got, repaired(whole.len(), |dst| copy(scalar::repair_utf16(order, whole, dst))), "{src:X?}");
        assert_eq!(got.0[2], scalar::count_unpaired_utf16(order, src), "{src:X?}");
        let mut in_place = whole.to_vec();
        let count = scalar::repair_utf16_in_place(order, &mut in_place);
        assert_eq!((got.0[2], got.1), (count, in_place), "{src:X?}");
    }

    /// Each string of up to 3 bytes of all classes, and longer ones around the ends of pieces, gives the same as in
    /// `scalar`, whatever the room.
    #[test]
    fn utf8_as_scalar_has_it() {
        const CLASSES: [u8; 18] = [
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4,
            0xF5,
        ];
        for a in CLASSES {
            for b in CLASSES {
                for c in CLASSES {
                    for room in 0..10 {
                        utf8(&[a, b, c], room);
                    }
                    for d in CLASSES {
                        utf8(&[a, b, c, d], 12);
                    }
                }
            }
        }
        for pattern in ["a", "é", "€", "😀", "aé€😀", "abcdefghijklmnopqrstuvwxyz я"] {
            for len in [PIECE - 5, PIECE, PIECE + 3, 3 * PIECE + 1, GROUP * 8 * 3 + 77] {
                let text: Vec<u8> = pattern.bytes().cycle().take(len).collect();
                for room in
                    [0, 1, 7, len, 2 * PIECE - 1, 2 * PIECE, 2 * PIECE + 1, 2 * len - 1, 2 * len, 3 * len + 9]
                {
                    utf8(&text, room);
                }
                for at in [0, 1, len / 2, len - 2, len - 1, PIECE - 2, PIECE - 1, PIECE, PIECE + 1] {
                    for bad in [0xFF, 0x80, 0xE2, 0xF0, b'a'] {
                        let mut text = text.clone();
                        if let Some(byte) = text.get_mut(at) {
                            *byte = bad;
                            utf8(&text, 2 * len);
                            utf8(&text, at + 2);
                            utf8(&text[at % 9..], 3 * len + 9);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn utf16_as_scalar_has_it() {
        const CLASSES: [u16; 9] = [0x00, 0x7F, 0x80, 0x7FF, 0x800, 0xD800, 0xDBFF, 0xDC00, 0xFFFF];
        let le = |units: &[u16]| units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>();
        let be = |units: &[u16]| units.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>();
        let both = |units: &[u16], room: usize| {
            for odd in [&[][..], &[0xD8]] {
                utf16(ByteOrder::Little, &[&le(units)[..], odd].concat(), room);
                utf16(ByteOrder::Big, &[&be(units)[..], odd].concat(), room);
            }
        };
        for a in CLASSES {
            for b in CLASSES {
                for c in CLASSES {
                    for room in 0..14 {
                        both(&[a, b, c][..room % 4], room);
                        both(&[a, b, c], room);
                    }
                }
            }
        }
        for pattern in [&[0x61][..], &[0xE9], &[0x20AC], &[0xD83D, 0xDE00], &[0x61, 0xE9, 0x20AC, 0xD83D, 0xDE00]]
        {
            for len in [PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 1] {
                let text: Vec<u16> = pattern.iter().copied().cycle().take(len).collect();
                for room in [0, 5, PIECE, 3 * PIECE - 1, 3 * PIECE, 3 * len - 2, 3 * len + 3] {
                    both(&text, room);
                }
                for at in [0, 1, PIECE - 2, PIECE - 1, PIECE, len - 1] {
                    for bad in [0xD800, 0xDC00, 0x61] {
                        let mut text = text.clone();
                        if let Some(unit) = text.get_mut(at) {
                            *unit = bad;
                            both(&text, 3 * len + 3);
                            both(&text, len);
                        }
                    }
                }
            }
        }
    }
}
