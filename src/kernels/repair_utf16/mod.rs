//! UTF-16 with U+FFFD for unpaired surrogates, and how many there are.
//!
//! Repair needs to know *which* units are unpaired, where validation asks whether there are any. For a block of 64
//! units with surrogates in it, the upper bytes of all units are packed together, so that each unit is one byte. Two
//! compares become two numbers of 64 bits. On these, a shift by one leads to the unit before or after:
//!
//! ```text
//! unpaired = high & !(low >> 1) | low & !(high << 1)        the ends filled in from the units before and after
//! ```
//!
//! The bits become masks again, 16 at a time, by comparing each with its own bit of a constant, and select U+FFFD.
//!
//! The example of `validate_utf16`, eight units with a pair, an unpaired high surrogate and an unpaired low one; the
//! first unit is bit 0, on the left:
//!
//! ```text
//! units            0061 D83D DE00 0062 D83D 0063 DE00 0064
//! high                .    1    .    .    1    .    .    .
//! low                 .    .    1    .    .    .    1    .
//! !(low >> 1)         1    .    1    1    1    .    1    1
//! !(high << 1)        1    1    .    1    1    .    1    1
//! unpaired            .    .    .    .    1    .    1    .
//! repaired         0061 D83D DE00 0062 FFFD 0063 FFFD 0064
//! ```
//!
//! The place of each unit is known from its own neighbours alone, so nothing is carried from block to block.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/repair_utf16.rs"]
mod proof;

use crate::endian::ByteOrder;
use crate::kernels::validate_utf16::{
    TESTED_TOGETHER, block_has_surrogates, ends_high, starts_low, unpaired_at, whole_units, word,
};
use crate::output::Output;
use crate::parts::Parts;
use crate::scalar;
use crate::simd::Lanes;

/// Counts the units that do not match the next one: unpaired high surrogates, also at the end, and the unit (or the
/// start) before each unpaired low surrogate.
#[inline(always)]
pub(crate) fn count_unpaired<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    // Reads a vector and the unit after it.
    let Some(last) = src.len().checked_sub(S::WIDTH + 2) else { return scalar::count_unpaired_utf16(order, src) };
    // The bitmask has two bits for each unit.
    let mut bits = 0;
    let mut at = 0;
    while let Some(window) = src.part_at(at, TESTED_TOGETHER + 2) {
        if block_has_surrogates(isa, order, window) || starts_low(order, &window[TESTED_TOGETHER..]) {
            let mut k = 0;
            while k < TESTED_TOGETHER / S::WIDTH {
                bits += isa.bitmask(unpaired_at(isa, order, window, k * S::WIDTH)).count_ones() as usize;
                k += 1;
            }
            path!("surrogates in a block to count");
        }
        path!("blocks to count");
        at += TESTED_TOGETHER;
    }
    while at < last {
        bits += isa.bitmask(unpaired_at(isa, order, src, at)).count_ones() as usize;
        at += S::WIDTH;
    }
    // The units that the last vector shares with the one before have been counted.
    bits += (isa.bitmask(unpaired_at(isa, order, src, last)) >> (at - last)).count_ones() as usize;
    bits / 2 + usize::from(starts_low(order, src)) + usize::from(ends_high(order, src))
}

/// Copies whole code units to `dst`, which has the length of `src`, with U+FFFD for each unpaired surrogate. Returns
/// how many were replaced.
#[inline(always)]
pub(crate) fn repair<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let len = src.len();
    assert!(len.is_multiple_of(2) && len == dst.len());
    let Some(last) = len.checked_sub(TESTED_TOGETHER) else {
        path!("less than a block to repair");
        let (mut block, mut repaired) = ([0; TESTED_TOGETHER], [0; TESTED_TOGETHER]);
        block[..len].copy_from_slice(src);
        let unpaired = repair_block(isa, order, &block, Output::over(&mut repaired), 0);
        dst.write(&repaired[..len]);
        return unpaired.count_ones() as usize;
    };
    let (mut count, mut at) = (0, 0);
    while at < last {
        count += repair_block(isa, order, src, dst, at).count_ones();
        path!("blocks to repair");
        at += TESTED_TOGETHER;
    }
    // The units that the last block shares with the one before have been counted.
    count += (repair_block(isa, order, src, dst, last) >> ((at - last) / 2)).count_ones();
    count as usize
}

/// Repairs the block at `src[at..]` into `dst`. Returns the mask of the units that it replaced, of 64.
#[inline(always)]
fn repair_block<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output, at: usize) -> u64 {
    let (before, rest) = src.split_at(at);
    let (block, after) = rest.split_at(TESTED_TOGETHER);
    let dst = dst.expect_part(at, TESTED_TOGETHER);
    if !block_has_surrogates(isa, order, block) {
        let mut k = 0;
        while k < TESTED_TOGETHER / S::WIDTH {
            isa.store(dst, k * S::WIDTH, isa.load(block, k * S::WIDTH));
            k += 1;
        }
        path!("a block without surrogates");
        return 0;
    }
    let unpaired = unpaired_in_block(isa, order, block, ends_high(order, before), starts_low(order, after));
    copy_replacing(isa, order, block, dst, unpaired);
    path!("a block with surrogates");
    unpaired
}

/// The mask of unpaired surrogates among the 64 units of a block, given what is before and after it.
#[inline(always)]
fn unpaired_in_block<S: Lanes>(isa: S, order: ByteOrder, block: &[u8], after_high: bool, before_low: bool) -> u64 {
    let (mut high, mut low) = (isa.empty_mask(), isa.empty_mask());
    let mut k = 0;
    while k < TESTED_TOGETHER / 2 / S::WIDTH {
        let at = 2 * k * S::WIDTH;
        let (a, b) = (isa.load_lanes(block, at, 32), isa.load_lanes(block, at + 16, 32));
        let upper = isa.narrow_u16(upper_bytes(isa, order, a), upper_bytes(isa, order, b));
        let kind = upper & isa.splat8(0xFC);
        high = isa.add_to_mask(high, k * S::WIDTH, isa.eq8(kind, isa.splat8(0xD8)));
        low = isa.add_to_mask(low, k * S::WIDTH, isa.eq8(kind, isa.splat8(0xDC)));
        k += 1;
    }
    unpaired([isa.finished_mask(high), isa.finished_mask(low)], after_high, before_low)
}

/// The upper byte of each unit, as a word.
#[inline(always)]
fn upper_bytes<S: Lanes>(isa: S, order: ByteOrder, units: S::V) -> S::V {
    if order.is_big() { units & isa.splat16(0xFF) } else { isa.shr16::<8>(units) }
}

/// The mask of unpaired surrogates among 64 units, given the masks of high and low surrogates, and what is before and
/// after.
#[inline(always)]
pub(crate) fn unpaired([high, low]: [u64; 2], after_high: bool, before_low: bool) -> u64 {
    let (after_high, before_low) = (high << 1 | u64::from(after_high), low >> 1 | u64::from(before_low) << 63);
    high & !before_low | low & !after_high
}

/// Copies a block with U+FFFD for the units in the mask `which`.
#[inline(always)]
fn copy_replacing<S: Lanes>(isa: S, order: ByteOrder, block: &[u8], dst: &mut Output, which: u64) {
    /// A bit for each of 16 units, as the words of little-endian numbers.
    const BITS: [u128; 2] = [0x0080_0040_0020_0010_0008_0004_0002_0001, 0x8000_4000_2000_1000_0800_0400_0200_0100];
    let bits = isa.two_lanes(BITS[0], if S::WIDTH > 16 { BITS[1] } else { 0 });
    let mut k = 0;
    while k < TESTED_TOGETHER / S::WIDTH {
        let which = isa.splat16((which >> (k * S::WIDTH / 2)) as u16) & bits;
        let units = isa.load(block, k * S::WIDTH);
        let units = isa.select(isa.eq16(which, bits), isa.splat16(word(order, 0xFFFD)), units);
        isa.store(dst, k * S::WIDTH, units);
        k += 1;
    }
}
