//! WTF-8 and modified UTF-8 in plain Rust: text between the stretches that are the same in UTF-8. Each of these loops
//! starts at a sequence that is not UTF-8, and ends when there has been none for a while: then a kernel is worth its start.
//!
//! `modified` tells modified UTF-8 from WTF-8. It is a constant wherever it matters.

use super::{NOT_ASCII, REPLACEMENT, decode_utf8, is_continuation, pair, utf8_error_at, widen_ascii};
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::parts::Parts;
use crate::replacement::Repair;
use crate::report::{Mutf8Error, Mutf8ErrorKind, Utf8ErrorKind, Wtf8Error, Wtf8ErrorKind};

/// After so many bytes or code units without anything special, a kernel goes on.
const CALM: usize = 48;

/// A 1 in each byte.
const EACH_ASCII: u64 = 0x0101_0101_0101_0101;

/// Whether modified UTF-8 may have sequences of four bytes as well, as Android writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FourByteForms {
    Refused,
    Taken,
}
use FourByteForms::Taken;

/// How far one of these loops got, and whether it stopped at ill-formed text. If not, it stopped at the end, for lack of room,
/// or because all has been calm.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    pub done: Repair,
    pub ill_formed: bool,
}

impl Stretch {
    /// The outcome of a loop that replaces nothing.
    #[inline(always)]
    const fn new(read: usize, written: usize, ill_formed: bool) -> Self {
        Self { done: Repair { read, written, replacements: 0 }, ill_formed }
    }
}

#[inline(always)]
const fn is_high(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

#[inline(always)]
const fn is_low(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// The surrogate at `src[at..]`, if there is a whole one.
#[inline(always)]
pub(crate) fn surrogate(src: &[u8], at: usize) -> Option<u16> {
    if src.len() - at < 3
        || src[at] != 0xED
        || src[at + 1] & 0b1110_0000 != 0b1010_0000
        || !is_continuation(src[at + 2])
    {
        return None;
    }
    Some(0xD000 | u16::from(src[at + 1] & 0b0011_1111) << 6 | u16::from(src[at + 2] & 0b0011_1111))
}

/// Whether the text before `at`, which is well-formed, ends with a high surrogate.
#[inline(always)]
pub(crate) fn ends_with_high(src: &[u8], at: usize) -> bool {
    at >= 3 && src[at - 3] == 0xED && src[at - 2] & 0b1111_0000 == 0b1010_0000
}

/// The sequence at `src[at..]`: its value, which may be a surrogate, and its length.
#[inline(always)]
fn decode(modified: bool, four: FourByteForms, src: &[u8], at: usize) -> Option<(u32, usize)> {
    let left = src.len() - at;
    let lead = src[at];
    if lead < 0x80 {
        return if modified && lead == 0 { None } else { Some((u32::from(lead), 1)) };
    }
    if left >= 3 && lead & 0b1111_0000 == 0b1110_0000 {
        let (b, c) = (src[at + 1], src[at + 2]);
        let value = u32::from(lead & 0b1111) << 12 | u32::from(b & 0b11_1111) << 6 | u32::from(c & 0b11_1111);
        let whole = is_continuation(b) && is_continuation(c) && value >= 0x800;
        return if whole { Some((value, 3)) } else { None };
    }
    if lead >= 0xF0 && matches!(four, FourByteForms::Refused) {
        return None;
    }
    if modified && lead == 0xC0 {
        return if left >= 2 && src[at + 1] == 0x80 { Some((0, 2)) } else { None };
    }
    decode_utf8(&src[at..])
}

/// Whether a kernel stops at this value.
#[inline(always)]
const fn is_special(modified: bool, value: u32) -> bool {
    value & 0xFFFF_F800 == 0xD800 || modified && (value == 0 || value >= 0x1_0000)
}

/// Writes a value to `dst[at..]`. Returns its length in code units, or `None` if there is too little room.
#[inline(always)]
fn put_utf16(order: ByteOrder, value: u32, dst: &mut Output, at: usize) -> Option<usize> {
    let room = dst.len() - at;
    if value < 0x1_0000 {
        if room < 2 {
            return None;
        }
        dst[at..].write(&order.bytes(value as u16));
        return Some(2);
    }
    if room < 4 {
        return None;
    }
    dst[at..].write(&order.bytes((0xD7C0 + (value >> 10)) as u16));
    dst[at + 2..].write(&order.bytes((0xDC00 | value & 0x3FF) as u16));
    Some(4)
}

/// Writes a value to `dst[at..]`. Returns its length in bytes, or `None` if there is too little room.
#[inline(always)]
fn put_utf8(value: u32, dst: &mut Output, at: usize) -> Option<usize> {
    let room = dst.len() - at;
    let tail = |shift: u32| 0b1000_0000 | (value >> shift) as u8 & 0b0011_1111;
    if value < 0x80 {
        if room < 1 {
            return None;
        }
        dst.set(at, value as u8);
        Some(1)
    } else if value < 0x800 {
        if room < 2 {
            return None;
        }
        dst[at..].write(&[0b1100_0000 | (value >> 6) as u8, tail(0)]);
        Some(2)
    } else if value < 0x1_0000 {
        if room < 3 {
            return None;
        }
        dst[at..].write(&[0b1110_0000 | (value >> 12) as u8, tail(6), tail(0)]);
        Some(3)
    } else {
        if room < 4 {
            return None;
        }
        dst[at..].write(&[0b1111_0000 | (value >> 18) as u8, tail(12), tail(6), tail(0)]);
        Some(4)
    }
}

/// Writes U+0000 to `dst[at..]` as modified UTF-8 has it.
#[inline(always)]
fn put_nul(dst: &mut Output, at: usize) -> Option<usize> {
    if dst.len() - at < 2 {
        return None;
    }
    dst[at..].write(&[0xC0, 0x80]);
    Some(2)
}

/// The next 8 bytes, if they are ASCII; in modified UTF-8, without `00`.
#[inline(always)]
fn ascii(modified: bool, src: &[u8], at: usize) -> Option<&[u8; 8]> {
    let bytes = src.chunk_at::<8>(at)?;
    let word = u64::from_le_bytes(*bytes);
    // A byte 00 is borrowed from, which sets its highest bit.
    let special = if modified { word | word.wrapping_sub(EACH_ASCII) } else { word };
    if special & NOT_ASCII == 0 { Some(bytes) } else { None }
}

/// A code unit as three bytes, in the order of a little-endian number.
#[inline(always)]
const fn three_bytes(unit: u16) -> u32 {
    let unit = unit as u32;
    0x80_80E0 | unit >> 12 | (unit >> 6 & 0b11_1111) << 8 | (unit & 0b11_1111) << 16
}

/// How many sequences of three bytes are handled together.
const TRIPLES: usize = 4;

/// The next sequences, if all are of three bytes and well-formed one by one, and whether any is a surrogate.
#[inline(always)]
fn triples(src: &[u8], at: usize) -> Option<([u16; TRIPLES], bool)> {
    let bytes = src.chunk_at::<{ 3 * TRIPLES }>(at)?;
    let mut units = [0; TRIPLES];
    let (mut ok, mut surrogate, mut k) = (true, false, 0);
    while k < TRIPLES {
        let (a, b, c) = (bytes[3 * k], bytes[3 * k + 1], bytes[3 * k + 2]);
        let unit = u16::from(a) << 12 | u16::from(b & 0b11_1111) << 6 | u16::from(c & 0b11_1111);
        ok &= (a & 0xF0 == 0xE0) & (b & 0xC0 == 0x80) & (c & 0xC0 == 0x80) & (unit >= 0x800);
        surrogate |= unit & 0xF800 == 0xD800;
        units[k] = unit;
        k += 1;
    }
    if ok { Some((units, surrogate)) } else { None }
}

/// Whether any of these is a low surrogate after a high one, or the first a low one and `after_high`.
#[inline(always)]
fn have_pair(units: &[u16; TRIPLES], after_high: bool) -> bool {
    let mut pair = after_high & is_low(units[0]);
    let mut k = 1;
    while k < TRIPLES {
        pair |= is_high(units[k - 1]) & is_low(units[k]);
        k += 1;
    }
    pair
}

/// UTF-16 to WTF-8, from `read` on. Reads whole code units.
#[inline(never)]
pub(crate) fn utf16_to_wtf8(order: ByteOrder, src: &[u8], dst: &mut Output, read: usize) -> Stretch {
    for_each_order!(order, from_utf16(false, order, &src[read..], dst))
}

/// UTF-16 to modified UTF-8, from `read` on. Reads whole code units.
#[inline(never)]
pub(crate) fn utf16_to_mutf8(order: ByteOrder, src: &[u8], dst: &mut Output, read: usize) -> Stretch {
    for_each_order!(order, from_utf16(true, order, &src[read..], dst))
}

#[inline(always)]
fn from_utf16(modified: bool, order: ByteOrder, src: &[u8], dst: &mut Output) -> Stretch {
    let units = src.as_chunks::<2>().0;
    let (mut at, mut written, mut calm) = (0, 0, 0);
    while at < units.len() && calm < CALM {
        // With room for the other half of a pair.
        if let (Some(block), Some(out)) = (units.chunk_at::<8>(at), dst.chunk_at::<27>(written)) {
            let first = order.unit(block[0]);
            if first < 0x80 {
                let (mut all, mut nul, mut k) = (0, false, 0);
                while k < 8 {
                    let unit = order.unit(block[k]);
                    all |= unit;
                    nul |= unit == 0;
                    k += 1;
                }
                if all < 0x80 && !(modified && nul) {
                    k = 0;
                    while k < 8 {
                        out.set(k, order.unit(block[k]) as u8);
                        k += 1;
                    }
                    (at, written, calm) = (at + 8, written + 8, calm + 8);
                    continue;
                }
            } else if first >= 0x800 {
                // Pairs are not sequences of three bytes in WTF-8; nor may they begin with the last of these.
                let (mut ok, mut surrogate, mut k) = (true, false, 0);
                let mut after_high = false;
                while k < 8 {
                    let unit = order.unit(block[k]);
                    ok &= unit >= 0x800;
                    surrogate |= unit & 0xF800 == 0xD800;
                    if !modified {
                        ok &= !(after_high & is_low(unit));
                        after_high = is_high(unit);
                    }
                    k += 1;
                }
                if ok && (modified || !after_high) {
                    // Each but the last with a byte that the next one overwrites.
                    k = 0;
                    while k < 7 {
                        out[3 * k..].write(&three_bytes(order.unit(block[k])).to_le_bytes());
                        k += 1;
                    }
                    out[21..].write(&three_bytes(order.unit(block[7])).to_le_bytes()[..3]);
                    (at, written) = (at + 8, written + 24);
                    calm = if surrogate { 0 } else { calm + 8 };
                    continue;
                }
            }
        }
        let unit = order.unit(units[at]);
        let (mut value, mut len) = (u32::from(unit), 1);
        let mut special = unit & 0xF800 == 0xD800;
        if is_high(unit) && at + 1 < units.len() {
            let low = order.unit(units[at + 1]);
            if is_low(low) && modified && dst.len() - written < 6 {
                break;
            }
            if is_low(low) && !modified {
                (value, len, special) = (pair(unit, low), 2, false);
            }
        }
        let put = if modified && unit == 0 {
            special = true;
            put_nul(dst, written)
        } else {
            put_utf8(value, dst, written)
        };
        let Some(bytes) = put else { break };
        (at, written) = (at + len, written + bytes);
        calm = if special { 0 } else { calm + 1 };
    }
    Stretch::new(2 * at, written, false)
}

/// WTF-8 to UTF-16, from `read` on.
#[inline(never)]
pub(crate) fn wtf8_to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output, read: usize) -> Stretch {
    for_each_order!(order, to_utf16(false, Taken, order, src, dst, read))
}

/// Modified UTF-8 to UTF-16, from `read` on.
#[inline(never)]
pub(crate) fn mutf8_to_utf16(
    four: FourByteForms,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    read: usize,
) -> Stretch {
    for_each_order!(order, to_utf16(true, four, order, src, dst, read))
}

/// `dst` is the room for what is at `read`.
#[inline(always)]
fn to_utf16(
    modified: bool,
    four: FourByteForms,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
) -> Stretch {
    let (start, mut written, mut calm) = (read, 0, 0);
    while read < src.len() && calm < CALM {
        if let Some(out) = dst.chunk_at::<16>(written) {
            if let Some(bytes) = ascii(modified, src, read) {
                let word = u64::from_le_bytes(*bytes);
                out.write(&widen_ascii(order, word as u32));
                out[8..].write(&widen_ascii(order, (word >> 32) as u32));
                (read, written, calm) = (read + 8, written + 16, calm + 8);
                continue;
            }
            if src[read] >= 0xE0
                && let Some((units, surrogate)) = triples(src, read)
                && (modified || !surrogate || !have_pair(&units, ends_with_high(src, read)))
            {
                let mut k = 0;
                while k < TRIPLES {
                    out[2 * k..].write(&order.bytes(units[k]));
                    k += 1;
                }
                (read, written) = (read + 3 * TRIPLES, written + 2 * TRIPLES);
                calm = if surrogate { 0 } else { calm + TRIPLES };
                continue;
            }
        }
        let Some((value, len)) = decode(modified, four, src, read) else {
            return Stretch::new(read - start, written, true);
        };
        let special = is_special(modified, value);
        if !modified && special && value >= 0xDC00 && ends_with_high(src, read) {
            return Stretch::new(read - start, written, true);
        }
        // A pair is not split.
        if modified
            && dst.len() - written < 4
            && (0xD800..0xDC00).contains(&value)
            && read + len < src.len()
            && let Some((0xDC00..0xE000, _)) = decode(modified, four, src, read + len)
        {
            break;
        }
        let Some(bytes) = put_utf16(order, value, dst, written) else { break };
        (read, written) = (read + len, written + bytes);
        calm = if special { 0 } else { calm + 1 };
    }
    Stretch::new(read - start, written, false)
}

/// Checks WTF-8 from `at` on.
#[inline(never)]
pub(crate) fn check_wtf8(src: &[u8], at: usize) -> Stretch {
    check(false, Taken, src, at)
}

/// Checks modified UTF-8 from `at` on.
#[inline(never)]
pub(crate) fn check_mutf8(four: FourByteForms, src: &[u8], at: usize) -> Stretch {
    check(true, four, src, at)
}

#[inline(always)]
fn check(modified: bool, four: FourByteForms, src: &[u8], mut at: usize) -> Stretch {
    let (start, mut calm) = (at, 0);
    while at < src.len() && calm < CALM {
        if ascii(modified, src, at).is_some() {
            (at, calm) = (at + 8, calm + 8);
            continue;
        }
        if src[at] >= 0xE0
            && let Some((units, surrogate)) = triples(src, at)
            && (modified || !surrogate || !have_pair(&units, ends_with_high(src, at)))
        {
            at += 3 * TRIPLES;
            calm = if surrogate { 0 } else { calm + TRIPLES };
            continue;
        }
        let Some((value, len)) = decode(modified, four, src, at) else { return Stretch::new(at - start, 0, true) };
        let special = is_special(modified, value);
        if !modified && special && value >= 0xDC00 && ends_with_high(src, at) {
            return Stretch::new(at - start, 0, true);
        }
        at += len;
        calm = if special { 0 } else { calm + 1 };
    }
    Stretch::new(at - start, 0, false)
}

/// Modified UTF-8 to UTF-8, from `read` on, up to the first unpaired surrogate.
#[inline(never)]
pub(crate) fn mutf8_to_utf8(four: FourByteForms, src: &[u8], dst: &mut Output, read: usize) -> Stretch {
    to_utf8(true, four, false, src, dst, read)
}

/// Modified UTF-8 to UTF-8, from `read` on, with replacements.
#[inline(never)]
pub(crate) fn mutf8_to_utf8_lossy(four: FourByteForms, src: &[u8], dst: &mut Output, read: usize) -> Stretch {
    to_utf8(true, four, true, src, dst, read)
}

/// WTF-8 to UTF-8, from `read` on, with replacements.
#[inline(never)]
pub(crate) fn wtf8_to_utf8_lossy(src: &[u8], dst: &mut Output, read: usize) -> Stretch {
    to_utf8(false, Taken, true, src, dst, read)
}

#[inline(always)]
fn to_utf8(
    modified: bool,
    four: FourByteForms,
    lossy: bool,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
) -> Stretch {
    let (start, mut written, mut replacements, mut calm) = (read, 0, 0, 0);
    while read < src.len() && calm < CALM {
        if let Some(out) = dst.chunk_at::<8>(written) {
            if let Some(bytes) = ascii(modified, src, read) {
                out.write(bytes);
                (read, written, calm) = (read + 8, written + 8, calm + 8);
                continue;
            }
            if modified && let Some(value) = next_pair(src, read) {
                put_utf8(value, out, 0);
                (read, written, calm) = (read + 6, written + 4, 0);
                continue;
            }
        }
        let (value, len, special) = match decode(modified, four, src, read) {
            Some((value, len)) if value & 0xFFFF_F800 != 0xD800 => (Some(value), len, is_special(modified, value)),
            Some((high, _)) if modified && high < 0xDC00 => match surrogate(src, read + 3) {
                Some(low) if is_low(low) => (Some(pair(high as u16, low)), 6, true),
                _ => (None, 3, true),
            },
            Some(_) => (None, 3, true),
            None if lossy => (None, ill_formed_len(modified, four, src, read), true),
            None => (None, 0, true),
        };
        if !lossy && value.is_none() {
            return Stretch::new(read - start, written, true);
        }
        let Some(bytes) = put_utf8(value.unwrap_or(0xFFFD), dst, written) else { break };
        (read, written) = (read + len, written + bytes);
        replacements += usize::from(value.is_none());
        calm = if special { 0 } else { calm + 1 };
    }
    Stretch { done: Repair { read: read - start, written, replacements }, ill_formed: false }
}

/// The character of the surrogate pair at `at`, as two sequences.
#[inline(always)]
fn next_pair(src: &[u8], at: usize) -> Option<u32> {
    let &[a, b, c, d, e, f] = src.chunk_at::<6>(at)?;
    let pair = (a == 0xED)
        & (b & 0xF0 == 0xA0)
        & (c & 0xC0 == 0x80)
        & (d == 0xED)
        & (e & 0xF0 == 0xB0)
        & (f & 0xC0 == 0x80);
    if !pair {
        return None;
    }
    let high = u32::from(b & 0b1111) << 6 | u32::from(c & 0b11_1111);
    let low = u32::from(e & 0b1111) << 6 | u32::from(f & 0b11_1111);
    Some(0x1_0000 + (high << 10 | low))
}

/// The length of the ill-formed sequence at `at`: all that is left, if it is incomplete.
#[cold]
fn ill_formed_len(modified: bool, four: FourByteForms, src: &[u8], at: usize) -> usize {
    let len =
        if modified { mutf8_error_at(four, src, at).error_len() } else { wtf8_error_at(src, at).error_len() };
    len.unwrap_or(src.len() - at)
}

/// UTF-8 to modified UTF-8, from `read` on.
#[inline(never)]
pub(crate) fn utf8_to_mutf8(src: &[u8], dst: &mut Output, mut read: usize) -> Stretch {
    let (start, mut written, mut calm) = (read, 0, 0);
    while read < src.len() && calm < CALM {
        if let Some(out) = dst.chunk_at::<8>(written)
            && let Some(bytes) = ascii(true, src, read)
        {
            out.write(bytes);
            (read, written, calm) = (read + 8, written + 8, calm + 8);
            continue;
        }
        let Some((value, len)) = decode_utf8(&src[read..]) else {
            return Stretch::new(read - start, written, true);
        };
        let put = if value == 0 {
            put_nul(dst, written)
        } else if value < 0x1_0000 {
            put_utf8(value, dst, written)
        } else if dst.len() - written < 6 {
            None
        } else {
            put_utf8(0xD7C0 + (value >> 10), dst, written);
            put_utf8(0xDC00 | value & 0x3FF, dst, written + 3);
            Some(6)
        };
        let Some(bytes) = put else { break };
        (read, written) = (read + len, written + bytes);
        calm = if value == 0 || value >= 0x1_0000 { 0 } else { calm + 1 };
    }
    Stretch::new(read - start, written, false)
}

/// Replaces surrogates by U+FFFD, from `at` on. Returns how far it got, and how many there were.
#[inline(never)]
pub(crate) fn replace_surrogates(bytes: &mut [u8], mut at: usize) -> (usize, usize) {
    let (mut replaced, mut calm) = (0, 0);
    while at < bytes.len() && calm < CALM {
        if ascii(false, bytes, at).is_some() {
            (at, calm) = (at + 8, calm + 8);
            continue;
        }
        if surrogate(bytes, at).is_some() {
            bytes[at..at + 3].copy_from_slice(REPLACEMENT.as_bytes());
            (at, replaced, calm) = (at + 3, replaced + 1, 0);
            continue;
        }
        match decode_utf8(&bytes[at..]) {
            Some((_, len)) => (at, calm) = (at + len, calm + 1),
            None => (at, calm) = (at + 1, 0),
        }
    }
    (at, replaced)
}

/// Describes the ill-formed sequence at `at` of WTF-8.
#[cold]
#[inline(never)]
pub(crate) fn wtf8_error_at(src: &[u8], at: usize) -> Wtf8Error {
    if let Some(whole) = cut_surrogate(src, at) {
        return match whole {
            false => Wtf8Error::new(at, 0, Wtf8ErrorKind::Incomplete),
            true => Wtf8Error::new(at, 2, Wtf8ErrorKind::MissingContinuation),
        };
    }
    let error = utf8_error_at(src, at);
    let kind = match error.kind() {
        Utf8ErrorKind::Incomplete => Wtf8ErrorKind::Incomplete,
        Utf8ErrorKind::MissingContinuation => Wtf8ErrorKind::MissingContinuation,
        Utf8ErrorKind::StrayContinuation => Wtf8ErrorKind::StrayContinuation,
        Utf8ErrorKind::Overlong => Wtf8ErrorKind::Overlong,
        // All three bytes of one.
        Utf8ErrorKind::Surrogate => return Wtf8Error::new(at, 3, Wtf8ErrorKind::SurrogatePair),
        Utf8ErrorKind::AboveMax => Wtf8ErrorKind::AboveMax,
        Utf8ErrorKind::FiveOrSixByteForm => Wtf8ErrorKind::FiveOrSixByteForm,
        Utf8ErrorKind::InvalidLead => Wtf8ErrorKind::InvalidLead,
    };
    Wtf8Error::new(at, error.error_len().unwrap_or(0) as u8, kind)
}

/// Whether there are two bytes of a surrogate at `at`, and no third: at the end of the text (`false`), or before something
/// else.
fn cut_surrogate(src: &[u8], at: usize) -> Option<bool> {
    match src[at..] {
        [0xED, 0xA0..=0xBF] => Some(false),
        [0xED, 0xA0..=0xBF, next, ..] if !is_continuation(next) => Some(true),
        _ => None,
    }
}

/// Describes the ill-formed sequence at `at` of modified UTF-8.
#[cold]
#[inline(never)]
pub(crate) fn mutf8_error_at(four: FourByteForms, src: &[u8], at: usize) -> Mutf8Error {
    if let Some(whole) = cut_surrogate(src, at) {
        return match whole {
            false => Mutf8Error::new(at, 0, Mutf8ErrorKind::Incomplete),
            true => Mutf8Error::new(at, 2, Mutf8ErrorKind::MissingContinuation),
        };
    }
    match src[at..] {
        [0, ..] => return Mutf8Error::new(at, 1, Mutf8ErrorKind::Nul),
        [0xC0] => return Mutf8Error::new(at, 0, Mutf8ErrorKind::Incomplete),
        [0xC0, next, ..] if !is_continuation(next) => {
            return Mutf8Error::new(at, 1, Mutf8ErrorKind::MissingContinuation);
        }
        [0xF0..=0xF7, ..] if four == FourByteForms::Refused => {
            return Mutf8Error::new(at, 1, Mutf8ErrorKind::FourByteForm);
        }
        _ => {}
    }
    let error = utf8_error_at(src, at);
    let kind = match error.kind() {
        Utf8ErrorKind::Incomplete => Mutf8ErrorKind::Incomplete,
        Utf8ErrorKind::StrayContinuation => Mutf8ErrorKind::StrayContinuation,
        Utf8ErrorKind::Overlong => Mutf8ErrorKind::Overlong,
        Utf8ErrorKind::AboveMax => Mutf8ErrorKind::AboveMax,
        Utf8ErrorKind::FiveOrSixByteForm => Mutf8ErrorKind::FiveOrSixByteForm,
        Utf8ErrorKind::InvalidLead => Mutf8ErrorKind::InvalidLead,
        Utf8ErrorKind::MissingContinuation | Utf8ErrorKind::Surrogate => Mutf8ErrorKind::MissingContinuation,
    };
    Mutf8Error::new(at, error.error_len().unwrap_or(0) as u8, kind)
}
