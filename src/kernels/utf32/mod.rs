//! UTF-32: validation, conversions to and from UTF-8, UTF-16, ASCII and Latin-1.
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
//! UTF-32 goes to UTF-8 by a kernel of its own (`to_utf8.rs`). UTF-8 goes to UTF-32 by the one to UTF-16 (`utf8_to_utf16`), as
//! another form of its output (`from_utf8.rs`). AVX-512 has a kernel of its own. ASCII goes both ways by itself (`bytes.rs`).
//!
//! # Where things go
//!
//! From each lane, the elements that count are stored contiguously. Between UTF-16 and UTF-32 this is done by the tables that
//! keep words, as from UTF-8 to UTF-16: a double word is two of them. To UTF-8, a table has the lengths of four units.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
mod bytes;
mod from_utf8;
#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/utf32.rs"]
mod proof;
mod to_utf8;
mod utf16;

use crate::endian::ByteOrder;
use crate::parts::Parts;
use crate::simd::{Lanes, Simd};

#[cfg(feature = "latin1")]
pub(crate) use bytes::{narrow, widen};
#[cfg(all(test, fastutf_proofs))]
pub(super) use from_utf8::Utf32;
pub(crate) use from_utf8::from_utf8;
pub(crate) use to_utf8::to_utf8;
pub(crate) use utf16::{from_utf16, to_utf16};

/// The greatest rank of a character.
const MAX: u32 = 0x10_FFFF - 0x800;
/// Vectors for which validation makes one decision.
const GROUP: usize = 8;

/// Cuts off trailing bytes.
#[inline(always)]
pub(super) fn whole_units(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() & !3]
}

/// The characters of surrogate pairs, the high surrogate of which is the lower word. Whatever the words are, these are
/// characters.
#[inline(always)]
fn of_pairs<S: Lanes>(isa: S, words: S::V) -> S::V {
    let high = isa.shl32::<10>(words & isa.splat32(0x3FF));
    let low = isa.shr32::<16>(words) & isa.splat32(0x3FF);
    isa.add32(high | low, isa.splat32(0x1_0000))
}

/// These code units in the byte order of the machine, or back.
#[inline(always)]
pub(super) fn in_order<S: Lanes>(isa: S, order: ByteOrder, units: S::V) -> S::V {
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
    while let Some(window) = src.part_at(at, GROUP * S::WIDTH) {
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
