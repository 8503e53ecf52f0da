//! Functions that only modified UTF-8 needs, in plain Rust: how far a text is the same in UTF-8, lengths, and escapes. Each
//! kernel compiles them for its instruction set, and the compiler vectorises their loops. They index slices: with the panic of
//! [`Parts`](crate::parts::Parts), ASCII took 1.5 times as long.

use crate::endian::ByteOrder;
use crate::output::Output;

/// The length in bytes of the part of UTF-16 at the start that has neither U+0000 nor surrogates: it is the same in UTF-8
/// and in modified UTF-8.
#[inline(always)]
pub(crate) fn utf16_without_specials(order: ByteOrder, src: &[u8]) -> usize {
    let units = src.as_chunks::<2>().0;
    let mut at = 0;
    while let Some(block) = units[at..].first_chunk::<256>()
        && !any_unit(order, block)
    {
        at += 256;
    }
    while let Some(block) = units[at..].first_chunk::<32>()
        && !any_unit(order, block)
    {
        at += 32;
    }
    // The last units together with some before them.
    if units.len() - at < 32
        && let Some(block) = units.last_chunk::<32>()
        && !any_unit(order, block)
    {
        return src.len();
    }
    while let Some(block) = units[at..].first_chunk::<8>()
        && !any_unit(order, block)
    {
        at += 8;
    }
    while at < units.len() {
        let unit = order.unit(units[at]);
        if unit == 0 || unit & 0xF800 == 0xD800 {
            break;
        }
        at += 1;
    }
    2 * at
}

/// Whether any of these is U+0000 or a surrogate. Minima need no masks.
#[inline(always)]
fn any_unit<const N: usize>(order: ByteOrder, units: &[[u8; 2]; N]) -> bool {
    let (mut least, mut nearest, mut k) = (u16::MAX, u16::MAX, 0);
    while k < N {
        let unit = order.unit(units[k]);
        // Not `min`: without optimisation, that is a call.
        least = if unit < least { unit } else { least };
        let distance = unit ^ 0xD800;
        nearest = if distance < nearest { distance } else { nearest };
        k += 1;
    }
    least == 0 || nearest < 0x800
}

/// The length of the part at the start that has neither bytes `00` nor lead bytes of 4. If that is UTF-8, it is modified
/// UTF-8. If it is modified UTF-8, it is UTF-8 unless it has U+0000 or surrogates, which UTF-8 refuses.
#[inline(always)]
pub(crate) fn utf8_without_specials(src: &[u8]) -> usize {
    let mut at = 0;
    while let Some(block) = src[at..].first_chunk::<512>()
        && !any_byte(block)
    {
        at += 512;
    }
    while let Some(block) = src[at..].first_chunk::<64>()
        && !any_byte(block)
    {
        at += 64;
    }
    // The last bytes together with some before them.
    if src.len() - at < 64
        && let Some(block) = src.last_chunk::<64>()
        && !any_byte(block)
    {
        return src.len();
    }
    while let Some(block) = src[at..].first_chunk::<16>()
        && !any_byte(block)
    {
        at += 16;
    }
    while at < src.len() && src[at].wrapping_add(0x10) > 0x10 {
        at += 1;
    }
    at
}

/// Whether any of these is `00`, or `F0` or above. The latter become `00` to `0F`, and the former `10`.
#[inline(always)]
fn any_byte<const N: usize>(bytes: &[u8; N]) -> bool {
    let (mut least, mut k) = (u8::MAX, 0);
    while k < N {
        let byte = bytes[k].wrapping_add(0x10);
        least = if byte < least { byte } else { least };
        k += 1;
    }
    least <= 0x10
}

/// The number of bytes of modified UTF-8 that this UTF-16 becomes.
#[inline(always)]
pub(crate) fn mutf8_len_from_utf16(order: ByteOrder, src: &[u8]) -> usize {
    let units = src.as_chunks::<2>().0;
    let (mut at, mut len) = (0, units.len());
    while let Some(block) = units[at..].first_chunk::<128>() {
        let (mut sum, mut k) = (0, 0);
        while k < 128 {
            sum += more_than_one(order.unit(block[k]));
            k += 1;
        }
        (at, len) = (at + 128, len + sum as usize);
    }
    while at < units.len() {
        len += more_than_one(order.unit(units[at])) as usize;
        at += 1;
    }
    len
}

/// The bytes of a code unit in modified UTF-8 beyond the first.
#[inline(always)]
const fn more_than_one(unit: u16) -> u16 {
    (unit == 0) as u16 + (unit > 0x7F) as u16 + (unit > 0x7FF) as u16
}

/// The number of bytes of modified UTF-8 that this UTF-8 becomes.
#[inline(always)]
pub(crate) fn mutf8_len_from_utf8(src: &[u8]) -> usize {
    let (mut at, mut len) = (0, src.len());
    while let Some(block) = src[at..].first_chunk::<64>() {
        let (mut sum, mut k) = (0, 0);
        while k < 64 {
            sum += (block[k] == 0) as u8 + 2 * (block[k] >= 0xF0) as u8;
            k += 1;
        }
        // Three times the length of ill-formed text may overflow 32 bits.
        (at, len) = (at + 64, len.saturating_add(sum as usize));
    }
    while at < src.len() {
        len = len.saturating_add((src[at] == 0) as usize + 2 * (src[at] >= 0xF0) as usize);
        at += 1;
    }
    len
}

/// The number of bytes of UTF-8 that this modified UTF-8 becomes.
#[inline(always)]
pub(crate) fn utf8_len_from_mutf8(src: &[u8]) -> usize {
    // How many fewer.
    let (mut at, mut less) = (0, 0);
    while let Some(block) = src[at..].first_chunk::<68>() {
        let (mut sum, mut k) = (0, 0);
        while k < 64 {
            sum +=
                (block[k] == 0xC0) as u8 + 2 * is_pair(block[k], block[k + 1], block[k + 3], block[k + 4]) as u8;
            k += 1;
        }
        (at, less) = (at + 64, less + sum as usize);
    }
    while at < src.len() {
        less += (src[at] == 0xC0) as usize;
        if at + 4 < src.len() {
            less += 2 * is_pair(src[at], src[at + 1], src[at + 3], src[at + 4]) as usize;
        }
        at += 1;
    }
    src.len() - less
}

/// Whether these are the first two bytes each of a high and a low surrogate.
#[inline(always)]
const fn is_pair(a: u8, b: u8, d: u8, e: u8) -> bool {
    (a == 0xED) & (b & 0xF0 == 0xA0) & (d == 0xED) & (e & 0xF0 == 0xB0)
}

// Where specials are dense, a piece of text is escaped: surrogates as U+F000 to U+F7FF, and U+0000 as U+0080, which have the same
// lengths in UTF-8. The kernels convert that, and the result is unescaped. A piece that has one of these characters itself is left
// to plain Rust. (They are private and a control character.)

/// What is combined with a surrogate to escape or to unescape it.
const SURROGATE_MASK: u16 = 0xD800 ^ 0xF000;

/// Whether a unit is U+0000 or a surrogate, escaped.
#[inline(always)]
const fn is_escaped(unit: u16) -> bool {
    (unit & 0xF800 == 0xF000) | (unit == 0x80)
}

/// Escapes UTF-16 of which all surrogates are special. Returns whether that can be unescaped.
#[inline(always)]
pub(crate) fn escape_utf16(order: ByteOrder, src: &[u8], dst: &mut [u8]) -> bool {
    let len = src.len().min(dst.len()) / 2;
    let (src, dst) = (&src.as_chunks::<2>().0[..len], &mut dst.as_chunks_mut::<2>().0[..len]);
    let (mut at, mut taken) = (0, 0);
    while at < len {
        let unit = order.unit(src[at]);
        taken |= u16::from(is_escaped(unit));
        let surrogate = if unit & 0xF800 == 0xD800 { SURROGATE_MASK } else { 0 };
        let nul = if unit == 0 { 0x80 } else { 0 };
        dst[at] = order.bytes(unit ^ surrogate ^ nul);
        at += 1;
    }
    taken == 0
}

/// Unescapes UTF-16.
#[inline(always)]
pub(crate) fn unescape_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) {
    let len = src.len().min(dst.len()) / 2;
    let (src, dst) = (&src.as_chunks::<2>().0[..len], &mut dst.as_chunks_mut::<2>().0[..len]);
    let mut at = 0;
    while at < len {
        let unit = order.unit(src[at]);
        let surrogate = if unit & 0xF800 == 0xF000 { SURROGATE_MASK } else { 0 };
        let nul = if unit == 0x80 { 0x80 } else { 0 };
        dst.set(at, order.bytes(unit ^ surrogate ^ nul));
        at += 1;
    }
}

/// What changes in a byte, between one before and one after it, when it is unescaped.
#[inline(always)]
const fn unescaped(before: u8, byte: u8, after: u8) -> u8 {
    let lead = if (byte == 0xEF) & (after & 0xE0 == 0x80) { 2 } else { 0 };
    let nul = if (byte == 0xC2) & (after == 0x80) { 2 } else { 0 };
    let second = if (before == 0xEF) & (byte & 0xE0 == 0x80) { 0x20 } else { 0 };
    lead | nul | second
}

/// The same when it is escaped.
#[inline(always)]
const fn escaped(before: u8, byte: u8, after: u8) -> u8 {
    let lead = if (byte == 0xED) & (after & 0xE0 == 0xA0) { 2 } else { 0 };
    let nul = if (byte == 0xC0) & (after == 0x80) { 2 } else { 0 };
    let second = if (before == 0xED) & (byte & 0xE0 == 0xA0) { 0x20 } else { 0 };
    lead | nul | second
}

/// Each byte of `src`, but for the first and the last, with its neighbours.
#[inline(always)]
fn neighbours(src: &[u8], room: usize) -> (&[u8], &[u8], &[u8]) {
    let len = room.min(src.len().saturating_sub(2));
    (&src[..len], &src[1..][..len], &src[2..][..len])
}

/// Unescapes modified UTF-8. It is `src[1..]`, but for the last byte.
#[inline(always)]
pub(crate) fn unescape_utf8(src: &[u8], dst: &mut Output) {
    let (a, b, c) = neighbours(src, dst.len());
    let dst = &mut dst[..b.len()];
    let mut at = 0;
    while at < b.len() {
        dst.set(at, b[at] ^ unescaped(a[at], b[at], c[at]));
        at += 1;
    }
}

/// Escapes modified UTF-8: `src[1..]`, but for the last byte. Returns whether that can be unescaped: text with bytes that modified
/// UTF-8 does not have cannot.
#[inline(always)]
pub(crate) fn escape_mutf8(src: &[u8], dst: &mut [u8]) -> bool {
    let (a, b, c) = neighbours(src, dst.len());
    let dst = &mut dst[..b.len()];
    let (mut at, mut taken, mut least) = (0, 0, u8::MAX);
    while at < b.len() {
        // A character that stands for another; a byte `00`, or from `F0` on.
        taken |= unescaped(a[at], b[at], c[at]);
        least = least.min(b[at].wrapping_add(0x10));
        dst[at] = b[at] ^ escaped(a[at], b[at], c[at]);
        at += 1;
    }
    taken == 0 && least > 0x10
}
