//! Latin-1 to UTF-16 and back: a byte becomes a word, or a word a byte.
//!
//! Every element has its place, so nothing is compacted, and nothing beyond the output is written: the last vector ends with
//! the text, and overlaps the one before it.
//!
//! ```text
//! 37 bytes, 16 at a time    0 … 15    16 … 31    21 … 36
//! ```
//!
//! Short texts do the same with smaller pieces: from 4 bytes on, a piece from either end.
//!
//! To Latin-1, units are merged by `or`, and the block is in Latin-1 if none has a bit of `FF00`. The first other block
//! ends the loop: plain Rust finds the unit, describes the error, and converts the text before it.

use super::{load_two, narrow, none_has};
use crate::endian::ByteOrder;
use crate::kernels::utf8_to_utf16::widen_half;
use crate::kernels::validate_utf16::{whole_units, word};
use crate::output::Output;
use crate::parts::Parts;
use crate::report::Reached;
use crate::scalar::widen_ascii;
use crate::simd::Lanes;

/// Pairs of vectors that are checked at a time, to Latin-1.
const BLOCK_PAIRS: usize = 4;

/// Converts Latin-1 to UTF-16, as much as fits.
#[inline(always)]
pub(crate) fn to_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let len = src.len().min(dst.len() / 2);
    let (src, dst) = (&src[..len], &mut dst[..2 * len]);
    if len < 4 {
        widen_up_to_3(order, src, dst);
    } else if len < 8 {
        widen_4(order, src, dst, 0);
        widen_4(order, src, dst, len - 4);
    } else if len < 16 {
        // 8 bytes from either end.
        for at in [0, 4, len - 8, len - 4] {
            widen_4(order, src, dst, at);
        }
    } else {
        widen_all(isa, order, src, dst);
    }
    Reached { read: len, written: 2 * len }
}

/// Widens up to 3 bytes.
#[inline(always)]
fn widen_up_to_3(order: ByteOrder, src: &[u8], dst: &mut Output) {
    let dst = dst.as_chunks_mut::<2>().0;
    let (mut at, len) = (0, src.len().min(dst.len()));
    while at < len {
        dst.set(at, order.bytes(u16::from(src[at])));
        at += 1;
    }
}

/// Widens 4 bytes.
#[inline(always)]
fn widen_4(order: ByteOrder, src: &[u8], dst: &mut Output, at: usize) {
    if let Some(bytes) = src.chunk_at(at) {
        dst[2 * at..].write(&widen_ascii(order, u32::from_le_bytes(*bytes)));
    }
}

/// Widens 16 bytes or more.
#[inline(always)]
fn widen_all<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) {
    let (half, block) = (S::WIDTH / 2, 2 * S::WIDTH);
    let mut at = 0;
    if src.len() <= S::WIDTH {
        widen_half(isa, order, src, 0, dst, 0);
        widen_half(isa, order, src, src.len() - half, dst, 2 * (src.len() - half));
        path!("up to a vector of bytes");
        return;
    }
    while let (Some(window), Some(out)) = (src.part_at(at, block), dst.part_at(2 * at, 2 * block)) {
        let mut k = 0;
        while k < block {
            widen_half(isa, order, window, k, out, 2 * k);
            k += half;
        }
        path!("units");
        at += block;
    }
    let last = src.len() - half;
    while at < src.len() {
        let from = at.min(last);
        widen_half(isa, order, src, from, dst, 2 * from);
        path!("the last units");
        at += half;
    }
}

/// Converts UTF-16 to Latin-1.
#[inline(always)]
pub(crate) fn from_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let len = (src.len() / 2).min(dst.len());
    let (text, out) = (&src[..2 * len], &mut dst[..len]);
    let done = if len < 4 {
        up_to_3(order, text, out)
    } else if len < 8 {
        up_to_7(isa.single(), order, text, out)
    } else if len < 16 {
        up_to_15(isa.single(), order, text, out)
    } else if len < S::WIDTH {
        narrow_all(isa.single(), order, text, out)
    } else {
        narrow_all(isa, order, text, out)
    };
    Reached { read: 2 * done, written: done }
}

/// Converts up to 3 units, as far as they are in Latin-1. Returns the number of units converted.
#[inline(always)]
fn up_to_3(order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let units = src.as_chunks::<2>().0;
    let mut at = 0;
    while at < units.len() && at < dst.len() {
        let unit = order.unit(units[at]);
        if unit > 0xFF {
            break;
        }
        dst.set(at, unit as u8);
        at += 1;
    }
    at
}

/// Converts 4 to 7 units, if they are in Latin-1. Returns the number of units converted.
#[inline(always)]
fn up_to_7<L: Lanes>(isa: L, order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) else { return 0 };
    let both = u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << 64;
    let both = isa.two_lanes(both, 0);
    if !none_has(isa, both, word(order, 0xFF00)) {
        return 0;
    }
    let bytes = isa.number(narrow(isa, order, (both, both))).to_le_bytes();
    dst.write(&bytes[..4]);
    dst[src.len() / 2 - 4..].write(&bytes[4..8]);
    path!("up to 7 units");
    src.len() / 2
}

/// Converts 8 to 15 units, if they are in Latin-1. Returns the number of units converted.
#[inline(always)]
fn up_to_15<L: Lanes>(isa: L, order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let (first, last) = (isa.load(src, 0), isa.load(src, src.len() - 16));
    if !none_has(isa, first | last, word(order, 0xFF00)) {
        return 0;
    }
    let bytes = isa.number(narrow(isa, order, (first, last))).to_le_bytes();
    dst.write(&bytes[..8]);
    dst[src.len() / 2 - 8..].write(&bytes[8..]);
    path!("up to 15 units");
    src.len() / 2
}

/// Converts as many units as a vector has bytes, or more. Returns the number of units
/// converted.
#[inline(always)]
fn narrow_all<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let bits = word(order, 0xFF00);
    let bytes = 2 * S::WIDTH;
    let mut at = 0;
    if src.len() <= 2 * bytes {
        let last = src.len() - bytes;
        let (first, second) = (load_two(isa, src), load_two(isa, &src[last..]));
        if !none_has(isa, (first.0 | first.1) | (second.0 | second.1), bits) {
            return 0;
        }
        isa.store(dst, 0, narrow(isa, order, first));
        isa.store(dst, last / 2, narrow(isa, order, second));
        path!("up to two vectors of bytes");
        return src.len() / 2;
    }
    let block = BLOCK_PAIRS * bytes;
    while let (Some(window), Some(out)) = (src.part_at(at, block), dst.part_at(at / 2, block / 2)) {
        let mut pairs = [load_two(isa, window); BLOCK_PAIRS];
        let mut all = pairs[0].0 | pairs[0].1;
        let mut k = 1;
        while k < BLOCK_PAIRS {
            pairs[k] = load_two(isa, &window[k * bytes..]);
            all = all | (pairs[k].0 | pairs[k].1);
            k += 1;
        }
        if !none_has(isa, all, bits) {
            return at / 2;
        }
        k = 0;
        while k < BLOCK_PAIRS {
            isa.store(out, k * S::WIDTH, narrow(isa, order, pairs[k]));
            k += 1;
        }
        path!("units to Latin-1");
        at += block;
    }
    while at < src.len() {
        let from = at.min(src.len() - bytes);
        let two = load_two(isa, &src[from..]);
        if !none_has(isa, two.0 | two.1, bits) {
            return at / 2;
        }
        isa.store(dst, from / 2, narrow(isa, order, two));
        path!("the last units to Latin-1");
        at += bytes;
    }
    src.len() / 2
}

/// The length in bytes of the text at the start of `src` that is in Latin-1, or less: nothing of the block with the first
/// unit that is not.
#[inline(always)]
pub(crate) fn prefix_of_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    let bits = word(order, 0xFF00);
    if src.len() <= S::WIDTH {
        return if none_has(isa, isa.load_padded(src), bits) { src.len() } else { 0 };
    }
    let mut at = 0;
    while let Some(window) = src.part_at(at, 4 * S::WIDTH) {
        let (a, b) = (isa.load(window, 0), isa.load(window, S::WIDTH));
        let (c, d) = (isa.load(window, 2 * S::WIDTH), isa.load(window, 3 * S::WIDTH));
        if !none_has(isa, (a | b) | (c | d), bits) {
            return at;
        }
        path!("check of units");
        at += 4 * S::WIDTH;
    }
    while at < src.len() {
        if !none_has(isa, isa.load(src, at.min(src.len() - S::WIDTH)), bits) {
            return at;
        }
        path!("check of the last units");
        at += S::WIDTH;
    }
    src.len()
}
