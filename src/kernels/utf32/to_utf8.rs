//! UTF-32 to UTF-8: a unit becomes all bytes that a character may have, and a table keeps those in use.
//!
//! # Bytes
//!
//! A double word has room for the longest character. The bits of the unit are spread over its bytes, and each byte is marked
//! as the first or another one of a character of this length. Bytes that a shorter character lacks are dropped, so their
//! values do not matter:
//!
//! ```text
//!                  first                                      last
//! bits             u >> 18        u >> 12 & 3F   u >> 6 & 3F   u & 3F     (all of u if it is ASCII)
//! up to 7F                                                     [0xxx|xxxx]
//! up to 7FF                                      [110x|xxxx]   [10xx|xxxx]
//! up to FFFF                      [1110|xxxx]    [10xx|xxxx]   [10xx|xxxx]
//! above            [1111|0xxx]    [10xx|xxxx]    [10xx|xxxx]   [10xx|xxxx]
//! ```
//!
//! # Lengths
//!
//! The index of a row has two bits for each of four units: its length minus 1. Bit 1 says that the unit is above 7FF, bit 0
//! that it is above an odd number of the limits 7F, 7FF and FFFF. Both are found as words of the unit's double word.
//!
//! # Blocks
//!
//! A block is four vectors. If it is ASCII, it is narrowed. If it is in the BMP, it is narrowed to UTF-16 and goes on as
//! there, in one of three ways: up to 2 bytes, only 3, or up to 3. Only what is left goes through the table above. Each
//! block takes the cheapest way that it can: most texts take the same one nearly always, so branches are predicted.
//!
//! The last units are converted 4 at a time, each time by an exact store where a whole one would not fit. The last 4 overlap
//! the ones before, and what is written again is the same.
//!
//! # What it costs
//!
//! By count, for 32 units in 128 bytes with AVX2, without loads: 8 operations for ASCII, 31 for up to 2 bytes, 55 for 3 bytes,
//! 67 for up to 3. Where units are above FFFF, it takes 14 to validate a block, 22 for each vector, and for each of 8 lanes a
//! shuffle, a store and a lookup of the length.

use super::bytes::{load_four, narrow, narrowed, none_above};
use super::{MAX, at_most, in_order, rank, whole_units};
use crate::endian::ByteOrder;
use crate::kernels::tables::{LENGTHS, ONE_TO_FOUR};
use crate::kernels::utf16_to_utf8::{
    any_surrogates, are_three_bytes, none_has, one_to_three_bytes, store_three, store_up_to_two,
};
use crate::output::Output;
use crate::parts::Parts;
use crate::report::Reached;
use crate::simd::{Lanes, SLACK};

/// Converts UTF-32 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let ascii = narrow(isa, order, 0x7F, src, dst);
    if 4 * ascii == src.len() || src.len() < 16 {
        return Reached::after(ascii, 4, 1);
    }
    isa.vectorize_with(
        src,
        dst,
        #[inline(always)]
        move |src, dst| {
            let src = whole_units(src);
            let (mut read, mut written) = blocks(isa, order, src, dst, 4 * ascii, ascii);
            if S::WIDTH > 16 {
                (read, written) = blocks(isa.single(), order, src, dst, read, written);
            }
            last(isa.single(), order, src, dst, read, written)
        },
    )
}

/// Converts four vectors at a time, while their units are well-formed and there is room for whole stores.
#[inline(always)]
fn blocks<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> (usize, usize) {
    while let Some(window) = src.part_at(read, 4 * S::WIDTH) {
        let (units, out) = (load_four(isa, window), &mut dst[written..]);
        let [a, b, c, d] = units;
        let len = if none_above(isa, order, 0x7F, (a | b) | (c | d)) {
            let Some(out) = out.get_mut(..S::WIDTH) else { break };
            isa.store(out, 0, narrowed(isa, order, units));
            path!("a block of ASCII");
            S::WIDTH
        } else {
            let (a, b) = (in_order(isa, order, a), in_order(isa, order, b));
            let (c, d) = (in_order(isa, order, c), in_order(isa, order, d));
            let in_bmp = isa.is_zero(((a | b) | (c | d)) & isa.splat32(0xFFFF_0000));
            let len = if in_bmp { bmp(isa, [a, b, c, d], out) } else { any(isa, [a, b, c, d], out) };
            let Some(len) = len else { break };
            len
        };
        (read, written) = (read + 4 * S::WIDTH, written + len);
    }
    (read, written)
}

/// Converts four vectors of units of the BMP to the start of `dst`. Their lanes are as [`load_four`] loads them, and their bytes
/// in the order of the machine. Returns the length, or `None` if one is ill-formed, or if whole stores do not fit.
#[inline(always)]
fn bmp<S: Lanes>(isa: S, [a, b, c, d]: [S::V; 4], dst: &mut Output) -> Option<usize> {
    let words = [isa.narrow_u32(a, b), isa.narrow_u32(c, d)];
    if none_has(isa, words[0] | words[1], 0xF800) {
        path!("a block of up to 2 bytes");
        return store_up_to_two(isa, words, dst);
    }
    let all_three = are_three_bytes(isa, words);
    if !all_three && any_surrogates(isa, words) {
        return None;
    }
    let ([first, third], [second, fourth]) = (isa.split(words[0]), isa.split(words[1]));
    let in_turn = if S::WIDTH == 16 { words } else { [isa.join(first, second), isa.join(third, fourth)] };
    let bytes = [one_to_three_bytes(isa, in_turn[0]), one_to_three_bytes(isa, in_turn[1])];
    if all_three {
        let len = 3 * S::WIDTH;
        store_three(isa, bytes, dst.get_mut(..len + SLACK)?);
        path!("a block of 3 bytes");
        return Some(len);
    }
    let len = bytes[0].len::<S>() + bytes[1].len::<S>();
    let out = dst.get_mut(..len + SLACK)?;
    let at = bytes[0].store(isa, out, 0);
    bytes[1].store(isa, out, at);
    path!("a block of up to 3 bytes");
    Some(len)
}

/// [`bmp`] for units of any kind.
#[inline(always)]
fn any<S: Lanes>(isa: S, [a, b, c, d]: [S::V; 4], dst: &mut Output) -> Option<usize> {
    let ranks = [rank(isa, a), rank(isa, b), rank(isa, c), rank(isa, d)];
    let greatest = isa.max_u32(isa.max_u32(ranks[0], ranks[1]), isa.max_u32(ranks[2], ranks[3]));
    if !at_most(isa, greatest, MAX) {
        return None;
    }
    let ((a, len_a), (b, len_b)) = (spread(isa, a), spread(isa, b));
    let ((c, len_c), (d, len_d)) = (spread(isa, c), spread(isa, d));
    let rows = isa.bitmask_of_two(isa.narrow_i16(len_a, len_b), isa.narrow_i16(len_c, len_d));
    let len = S::WIDTH + rows.count_ones() as usize + (rows & 0xAAAA_AAAA_AAAA_AAAA).count_ones() as usize;
    let out = dst.get_mut(..len + SLACK)?;
    let lanes = [isa.split(a), isa.split(b), isa.split(c), isa.split(d)];
    let (mut at, mut k) = (0, 0);
    while k < S::WIDTH / 4 {
        // Two vectors are together in `rows`, all of their first lanes before their second ones.
        let row = (rows >> (k / 2 % 2 * S::WIDTH + k / 4 * 16 + k % 2 * 8)) as usize & 0xFF;
        isa.single().store(out, at, kept(isa.single(), lanes[k % 4][k / 4], row));
        at += usize::from(LENGTHS[row]);
        k += 1;
    }
    path!("a block of up to 4 bytes");
    Some(len)
}

/// Converts the last units, 4 at a time, while they are well-formed and fit. Needs 4 units or more.
#[inline(always)]
fn last<L: Lanes>(
    isa: L,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> Reached {
    while read < src.len() {
        let from = read.min(src.len() - 16);
        let units = in_order(isa, order, isa.load(src, from));
        if !at_most(isa, rank(isa, units), MAX) {
            break;
        }
        let (bytes, lengths) = spread(isa, units);
        let index = isa.bitmask(isa.narrow_i16(lengths, lengths)) as usize & 0xFF;
        // Units that are converted again come first. In their row, all others have one byte.
        let again = (read - from) / 4;
        let start = written - (usize::from(LENGTHS[index & !(0xFF << (2 * again))]) - (4 - again));
        let (bytes, len) = (kept(isa, bytes, index), usize::from(LENGTHS[index]));
        let out = &mut dst[start..];
        if out.len() >= 16 {
            isa.store(out, 0, bytes);
        } else {
            let Some(out) = out.get_mut(..len) else { break };
            out.copy_short(&isa.number(bytes).to_le_bytes()[..len]);
        }
        path!("the last units");
        (read, written) = (from + 16, start + len);
    }
    Reached { read, written }
}

/// The bytes of each unit, and two words: all bits or none, as bits 0 and 1 of the length in UTF-8 minus 1.
#[inline(always)]
fn spread<S: Lanes>(isa: S, units: S::V) -> (S::V, S::V) {
    let above = |limit| isa.gt_i32(units, isa.splat32(limit));
    let (two, three, four) = (above(0x7F), above(0x7FF), above(0xFFFF));
    let last = isa.shl32::<24>(units);
    let bits = (isa.shr32::<18>(units) | isa.shr32::<4>(units) & isa.splat32(0x3F00))
        | (isa.shl32::<10>(units) & isa.splat32(0x3F_0000) | last & isa.splat32(0x3F00_0000));
    // Marks of first bytes, and of the last one. Where a longer character has another byte than its first, that becomes 80.
    let leads = isa.splat32(0x80C0_E0F0);
    let marks = leads ^ (three & isa.splat32(0x40_0000) | four & isa.splat32(0x6000));
    (isa.select(two, bits | marks, last), three ^ (two ^ four) & isa.splat32(0xFFFF))
}

/// The bytes of 4 units that are in use, where `index` has their lengths.
#[inline(always)]
fn kept<L: Lanes>(isa: L, bytes: L::V, index: usize) -> L::V {
    isa.shuffle(bytes, isa.load(&ONE_TO_FOUR.0[index & 0xFF], 0))
}
