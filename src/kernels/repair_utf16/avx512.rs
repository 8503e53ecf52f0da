//! UTF-16 with U+FFFD for unpaired surrogates, for AVX-512. Unlike in the parent module, a compare gives a number with a
//! bit for each unit, without packing, and a masked move writes U+FFFD.

use super::unpaired;
use crate::endian::ByteOrder;
use crate::kernels::validate_utf16::avx512::{Pairs, TESTED_TOGETHER, block_has_surrogates, surrogates};
use crate::kernels::validate_utf16::{starts_low, whole_units, word};
use crate::output::Output;
use crate::parts::Parts;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{load, load_partial, store, store_two_partial};

/// Counts the units that do not match the one before: there is one (or the end) after each unpaired high surrogate,
/// and each unpaired low surrogate is one.
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn count_unpaired(order: ByteOrder, src: &[u8]) -> usize {
    let mut pairs = Pairs::NONE;
    let mut unpaired = 0;
    let (blocks, rest) = whole_units(src).as_chunks::<TESTED_TOGETHER>();
    for block in blocks {
        if pairs.are_open() || block_has_surrogates(order, block) {
            let mut k = 0;
            while k < TESTED_TOGETHER {
                unpaired += pairs.unfit(order, load(block, k)).count_ones() as usize;
                k += 64;
            }
            path!("surrogates in a block to count");
        }
    }
    let (vectors, rest) = rest.as_chunks::<64>();
    for vector in vectors {
        unpaired += pairs.unfit(order, load(vector, 0)).count_ones() as usize;
    }
    if !rest.is_empty() {
        unpaired += pairs.unfit(order, load_partial(rest)).count_ones() as usize;
    }
    unpaired + usize::from(pairs.are_open())
}

/// Copies whole code units to `dst`, which has the length of `src`, with U+FFFD for each unpaired surrogate. Returns
/// how many were replaced.
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn repair(order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    /// Two vectors, which have as many units as a mask has bits.
    const PAIR: usize = 2 * 64;
    assert!(src.len().is_multiple_of(2) && src.len() == dst.len());
    let (mut at, mut count) = (0, 0);
    let mut after_high = false;
    while let (Some(pair), Some(repaired)) = (src.chunk_at::<PAIR>(at), dst.chunk_at::<PAIR>(at)) {
        at += PAIR;
        let vectors = [load(pair, 0), load(pair, 64)];
        let before_low = starts_low(order, &src[at..]);
        let (vectors, unpaired) = replace_unpaired(order, vectors, &mut after_high, before_low);
        store(repaired, 0, vectors[0]);
        store(repaired, 64, vectors[1]);
        path!("pairs of vectors to repair");
        count += unpaired;
    }
    let rest = &src[at..];
    let (first, second) = rest.split_at(rest.len().min(64));
    // A load or store with an empty mask is slow if its address is not mapped.
    if !first.is_empty() {
        let b = if second.is_empty() { _mm512_setzero_si512() } else { load_partial(second) };
        let (vectors, unpaired) = replace_unpaired(order, [load_partial(first), b], &mut after_high, false);
        store_two_partial(&mut dst[at..], first.len(), vectors);
        count += unpaired;
    }
    count
}

/// Replaces the unpaired surrogates of two vectors, given whether they come after a high and before a low surrogate.
/// Returns how many, and sets `after_high` to whether they end with a high surrogate.
#[inline]
#[target_feature(enable = "avx512bw,popcnt")]
fn replace_unpaired(
    order: ByteOrder,
    [a, b]: [__m512i; 2],
    after_high: &mut bool,
    before_low: bool,
) -> ([__m512i; 2], usize) {
    let ([high_a, low_a], [high_b, low_b]) = (surrogates(order, a), surrogates(order, b));
    let both = |a, b| u64::from(a) | u64::from(b) << 32;
    let unpaired = unpaired([both(high_a, high_b), both(low_a, low_b)], *after_high, before_low);
    *after_high = high_b >> 31 != 0;
    let replacement = _mm512_set1_epi16(word(order, 0xFFFD) as i16);
    let a = _mm512_mask_mov_epi16(a, unpaired as u32, replacement);
    let b = _mm512_mask_mov_epi16(b, (unpaired >> 32) as u32, replacement);
    ([a, b], unpaired.count_ones() as usize)
}
