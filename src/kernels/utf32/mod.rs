//! UTF-32: validation, lengths, conversions to UTF-8, and to and from UTF-16, ASCII and Latin-1.
//!
//! # Validation
//!
//! A code unit is a character if it is at most 10FFFF and not from D800 to DFFF. One number says both, and so vectors are
//! merged by their maximum:
//!
//! ```text
//! unit                 unit ^ D800          rank = that - 800
//! 0000 … D7FF          0800 … FFFF          0000 … F7FF          (in another order)
//! D800 … DFFF          0000 … 07FF          FFFF_F800 … FFFF_FFFF
//! E000 … FFFF          3800 … 27FF          less than F800
//! 1_0000 … 10_FFFF     the same range       F800 … 10_F7FF
//! 11_0000 …            the same range       10_F800 …
//! ```
//!
//! # UTF-8
//!
//! UTF-32 goes to UTF-8 directly (`to_utf8.rs`). UTF-8 goes to UTF-32 by way of UTF-16, in pieces that stay in the first
//! cache (`api`): the kernel from UTF-8 does nearly all of the work, and the step to UTF-32 takes little time. ASCII is
//! converted directly (`bytes.rs`): it is so fast that another store and load would count.
//!
//! # Where things go
//!
//! From each lane, the elements that count are stored contiguously. Between UTF-16 and UTF-32 this is done by the tables that
//! keep words, as from UTF-8 to UTF-16: a double word is two of them. To UTF-8, a table has the lengths of four units.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
mod bytes;
#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/utf32.rs"]
mod proof;
mod to_utf8;
mod utf16;

use crate::endian::ByteOrder;
use crate::scalar;
use crate::simd::{Lanes, Simd};

#[cfg(feature = "latin1")]
pub(crate) use bytes::narrow;
pub(crate) use bytes::widen;
pub(crate) use to_utf8::to_utf8;
pub(crate) use utf16::{from_utf16, to_utf16};

/// The greatest rank of a character.
const MAX: u32 = 0x10_FFFF - 0x800;
/// Vectors for which validation makes one decision.
const GROUP: usize = 8;

/// Cuts off trailing bytes.
#[inline(always)]
fn whole_units(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() & !3]
}

/// These code units in the byte order of the machine, or back.
#[inline(always)]
fn in_order<S: Lanes>(isa: S, order: ByteOrder, units: S::V) -> S::V {
    const SWAPPED: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
    if order.is_big() { isa.shuffle(units, isa.lanes(SWAPPED)) } else { units }
}

/// A number for each code unit, which is at most [`MAX`] if it is a character.
#[inline(always)]
fn rank<S: Lanes>(isa: S, units: S::V) -> S::V {
    isa.sub32(units ^ isa.splat32(0xD800), isa.splat32(0x800))
}

/// Whether no number is greater than `max`.
#[inline(always)]
fn at_most<S: Lanes>(isa: S, numbers: S::V, max: u32) -> bool {
    let max = isa.splat32(max);
    isa.is_zero(isa.max_u32(numbers, max) ^ max)
}

/// The ranks of a vector of units.
#[inline(always)]
fn ranks<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], at: usize) -> S::V {
    rank(isa, in_order(isa, order, isa.load(src, at)))
}

/// The length in bytes of the well-formed text at the start of `src`, or less: nothing of the group with the first
/// ill-formed code unit.
#[inline(always)]
pub(crate) fn prefix<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    if src.len() <= S::WIDTH {
        // Zeros are well-formed.
        let units = in_order(isa, order, isa.load_padded(src));
        return if at_most(isa, rank(isa, units), MAX) { src.len() } else { 0 };
    }
    let mut at = 0;
    while let Some(window) = src[at..].get(..GROUP * S::WIDTH) {
        let (mut greatest, mut k) = (isa.splat8(0), 0);
        while k < GROUP * S::WIDTH {
            let (a, b) = (ranks(isa, order, window, k), ranks(isa, order, window, k + S::WIDTH));
            greatest = isa.max_u32(greatest, isa.max_u32(a, b));
            k += 2 * S::WIDTH;
        }
        if !at_most(isa, greatest, MAX) {
            return at;
        }
        path!("check of a group");
        at += GROUP * S::WIDTH;
    }
    let (start, mut greatest) = (at, isa.splat8(0));
    while at < src.len() {
        // The last one overlaps the one before.
        greatest = isa.max_u32(greatest, ranks(isa, order, src, at.min(src.len() - S::WIDTH)));
        path!("check of the last units");
        at += S::WIDTH;
    }
    if at_most(isa, greatest, MAX) { src.len() } else { start }
}

/// The length in UTF-8, where each code unit that is ill-formed becomes U+FFFD.
#[inline(always)]
pub(crate) fn utf8_len<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let limits = [0x7F, 0x7FF, 0xFFFF];
    if let Some(sum) = sum_of_few(isa, order, src, limits) {
        return sum;
    }
    for_each_order!(order, sum(isa, order, src, scalar::utf8_len_from_utf32, limits))
}

/// The length in UTF-16, where each code unit that is ill-formed becomes U+FFFD.
#[inline(always)]
pub(crate) fn utf16_len<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    if let Some(sum) = sum_of_few(isa, order, src, [0xFFFF]) {
        return sum;
    }
    for_each_order!(order, sum(isa, order, src, scalar::utf16_len_from_utf32, [0xFFFF]))
}

/// [`sum`] of at most two vectors, if no unit is greater than 10FFFF.
#[inline(always)]
fn sum_of_few<S: Lanes, const N: usize>(isa: S, order: ByteOrder, src: &[u8], limits: [u32; N]) -> Option<usize> {
    let src = whole_units(src);
    let (mut first, mut rest) = (isa.splat8(0), src);
    if src.len() > S::WIDTH {
        if src.len() > 2 * S::WIDTH {
            return None;
        }
        (first, rest) = (in_order(isa, order, isa.load(src, 0)), &src[S::WIDTH..]);
        path!("lengths of one to two vectors");
    }
    // Zeros are not counted.
    let last = in_order(isa, order, isa.load_padded(rest));
    if !at_most(isa, isa.max_u32(first, last), 0x10_FFFF) {
        return None;
    }
    path!("lengths of few units");
    let more = count_above(isa, count_above(isa, isa.splat8(0), first, limits), last, limits);
    Some(src.len() / 4 + sum32(isa, more))
}

/// Counts 1 for each code unit, and 1 for each of `limits` that it is greater than. Where one is greater than 10FFFF,
/// `plain` counts.
#[inline(always)]
fn sum<S: Lanes, const N: usize>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    plain: fn(ByteOrder, &[u8]) -> usize,
    limits: [u32; N],
) -> usize {
    let src = whole_units(src);
    let (mut at, mut total) = (0, 0);
    loop {
        // A call in the inner loop would keep its vectors in memory.
        let (start, mut more) = (at, isa.splat8(0));
        while let Some(window) = src[at..].get(..4 * S::WIDTH) {
            let (mut greatest, mut sums, mut k) = (isa.splat8(0), more, 0);
            while k < 4 * S::WIDTH {
                let units = in_order(isa, order, isa.load(window, k));
                greatest = isa.max_u32(greatest, units);
                sums = count_above(isa, sums, units, limits);
                k += S::WIDTH;
            }
            if !at_most(isa, greatest, 0x10_FFFF) {
                break;
            }
            (more, at) = (sums, at + window.len());
            path!("lengths of a group");
        }
        if at > start {
            total += (at - start) / 4 + sum32(isa, more);
        }
        let Some(window) = src[at..].get(..4 * S::WIDTH) else { break };
        (total, at) = (total + plain(order, window), at + window.len());
    }
    let mut more = isa.splat8(0);
    while at < src.len() {
        let rest = &src[at..src.len().min(at + S::WIDTH)];
        // Zeros are not counted.
        let units = if rest.len() == S::WIDTH { isa.load(rest, 0) } else { isa.load_padded(rest) };
        let units = in_order(isa, order, units);
        if at_most(isa, units, 0x10_FFFF) {
            (more, total) = (count_above(isa, more, units, limits), total + rest.len() / 4);
            path!("lengths of the last units");
        } else {
            total += plain(order, rest);
        }
        at += S::WIDTH;
    }
    total + sum32(isa, more)
}

/// Adds 1 to each of `sums` for each of `limits` that the code unit there is greater than.
#[inline(always)]
fn count_above<S: Lanes, const N: usize>(isa: S, sums: S::V, units: S::V, limits: [u32; N]) -> S::V {
    // The sums are a chain from vector to vector: one link for all limits.
    let (mut all, mut k) = (isa.gt_i32(units, isa.splat32(limits[0])), 1);
    while k < N {
        all = isa.add32(all, isa.gt_i32(units, isa.splat32(limits[k])));
        k += 1;
    }
    isa.sub32(sums, all)
}

/// The sum of all double words.
#[inline(always)]
fn sum32<S: Lanes>(isa: S, v: S::V) -> usize {
    let [low, high] = isa.split(v);
    let single = isa.single();
    let sum = if S::WIDTH == 16 { low } else { single.add32(low, high) };
    let number = single.number(sum);
    let halves = [number as u64, (number >> 64) as u64];
    let dword = u64::from(u32::MAX);
    ((halves[0] & dword) + (halves[0] >> 32) + (halves[1] & dword) + (halves[1] >> 32)) as usize
}

/// Shuffle controls that make of each element of `size` bytes (1 or 2) a double word: one for each quarter of 16 elements, or
/// half of 8.
const fn widening(size: usize, order: ByteOrder) -> [[u8; 16]; 4] {
    let mut controls = [[0x80; 16]; 4];
    let mut element = 0;
    while element < 16 / size {
        let control = &mut controls[element / 4];
        let (mut k, first) = (0, if order.is_big() { 4 - size } else { 0 });
        while k < size {
            control[4 * (element % 4) + first + k] = (size * element + k) as u8;
            k += 1;
        }
        element += 1;
    }
    controls
}

/// The vectors of double words that 16 bytes become, and how many there are: each element of `size` bytes is one. All lanes of
/// `bytes` are the same.
#[inline(always)]
fn widened<S: Lanes, const SIZE: usize>(isa: S, order: ByteOrder, bytes: S::V) -> ([S::V; 4], usize) {
    let little = const { widening(SIZE, ByteOrder::Little) };
    let big = const { widening(SIZE, ByteOrder::Big) };
    let controls = if order.is_big() { big } else { little };
    let single = isa.single();
    let (lanes, count) = (S::WIDTH / 16, 64 / SIZE / S::WIDTH);
    let (mut out, mut k) = ([bytes; 4], 0);
    while k < count {
        let first = single.load(&controls[lanes * k], 0);
        let last = single.load(&controls[lanes * k + lanes - 1], 0);
        out[k] = isa.shuffle(bytes, isa.join(first, last));
        k += 1;
    }
    (out, count)
}
