//! Validation of UTF-16 and its width for AVX-512, as in the parent module. Surrogates are masks of 32 bits.
//!
//! A text in Latin-1 needs one `or` for each vector. From the first block on that is not in Latin-1, high and low
//! surrogates are compared, and those masks both validate and count:
//!
//! ```text
//! units           6E    D83D    DE00    E9
//! high            0     1       0       0
//! low             0     0       1       0
//! high << 1       0     0       1       0      must be low; the bit that is shifted out goes to the next vector
//! ```
//!
//! The bits of `high` are the number of pairs. A block that has no surrogate at all, and that no pair reaches into, is
//! skipped after one test for its four vectors.

use super::{Found, outcome};
use crate::endian::ByteOrder;
use crate::kernels::validate_utf16::avx512::{
    ALIGNED_FROM, TESTED_TOGETHER, block_has_surrogates, no_surrogates_at_end, surrogates, to_alignment,
};
use crate::kernels::validate_utf16::{whole_units, word};
use crate::parts::Parts;
use crate::report::{Utf16Error, Utf16Info};
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{load, load_partial};

#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn info(order: ByteOrder, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
    let units = whole_units(src);
    outcome(order, src, if units.len() <= 64 { up_to_64(order, units) } else { long(order, units) })
}

/// Whether no unit has these bits.
#[inline]
#[target_feature(enable = "avx512bw")]
fn none_has(order: ByteOrder, units: __m512i, bits: u16) -> bool {
    _mm512_test_epi16_mask(units, _mm512_set1_epi16(word(order, bits) as i16)) == 0
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn latin1(order: ByteOrder, all: __m512i) -> Found {
    Found::latin1(none_has(order, all, 0xFF80))
}

/// Looks at up to 32 units.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
fn up_to_64(order: ByteOrder, src: &[u8]) -> Result<Found, usize> {
    // A load with an empty mask is slow if its address is not mapped.
    if src.is_empty() {
        return Ok(Found::latin1(true));
    }
    let units = load_partial(src);
    if none_has(order, units, 0xFF00) {
        path!("up to 64 bytes in Latin-1");
        return Ok(latin1(order, units));
    }
    let [high, low] = surrogates(order, units);
    path!("up to 64 bytes");
    if u64::from(high) << 1 == u64::from(low) {
        Ok(Found::beyond_latin1(high.count_ones() as usize))
    } else {
        Err(0)
    }
}

/// Looks at more than 32 units.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
fn long(order: ByteOrder, src: &[u8]) -> Result<Found, usize> {
    let (mut all, mut at) = (load(src, 0), 0);
    if none_has(order, all, 0xFF00) {
        at = if src.len() < ALIGNED_FROM { 64 } else { to_alignment(src) };
        while let Some(block) = src.chunk_at::<TESTED_TOGETHER>(at) {
            let any = _mm512_or_si512(
                _mm512_or_si512(load(block, 0), load(block, 64)),
                _mm512_or_si512(load(block, 2 * 64), load(block, 3 * 64)),
            );
            if !none_has(order, any, 0xFF00) {
                break;
            }
            path!("blocks in Latin-1");
            all = _mm512_or_si512(all, any);
            at += TESTED_TOGETHER;
        }
        let last = src.len() - 64;
        while at < src.len() {
            let units = load(src, at.min(last));
            if !none_has(order, units, 0xFF00) {
                break;
            }
            path!("vectors in Latin-1");
            all = _mm512_or_si512(all, units);
            at += 64;
        }
        if at >= src.len() {
            return Ok(latin1(order, all));
        }
    }
    match wide(order, &src[at..]) {
        Ok(pairs) => Ok(Found::beyond_latin1(pairs)),
        Err(checked) => Err(at + checked),
    }
}

/// Counts the pairs of whole units, of which there is one at least. The error is an offset before which everything is
/// well-formed, except for a pair cut there.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
fn wide(order: ByteOrder, src: &[u8]) -> Result<usize, usize> {
    let mut pairs = Pairs { open: 0, broken: 0, count: 0 };
    let mut rest = src;
    if src.len() >= ALIGNED_FROM {
        let [high, low] = surrogates(order, load(src, 0));
        if high | low == 0 {
            rest = &src[to_alignment(src)..];
        }
    }
    while let Some(block) = rest.first_chunk::<TESTED_TOGETHER>() {
        if pairs.open != 0 || block_has_surrogates(order, block) {
            let mut k = 0;
            while k < TESTED_TOGETHER {
                pairs.add(order, load(block, k));
                k += 64;
            }
            path!("pairs in a block");
            if pairs.broken != 0 {
                return Err(src.len() - rest.len());
            }
        }
        rest = &rest[TESTED_TOGETHER..];
    }
    let checked = src.len() - rest.len();
    if src.len() >= 64 && pairs.open == 0 && no_surrogates_at_end(order, src, checked) {
        path!("no pairs at the end");
        return Ok(pairs.count);
    }
    while let Some(vector) = rest.first_chunk::<64>() {
        pairs.add(order, load(vector, 0));
        rest = &rest[64..];
    }
    if !rest.is_empty() {
        pairs.add(order, load_partial(rest));
    }
    path!("the last pairs");
    if pairs.broken == 0 && pairs.open == 0 { Ok(pairs.count) } else { Err(checked) }
}

/// Checks how surrogates pair up, vector by vector, and counts the high ones.
struct Pairs {
    /// Bit 0: whether the last unit was a high surrogate.
    open: u64,
    /// Whether any unit did not match the one before.
    broken: u32,
    count: usize,
}

impl Pairs {
    #[inline]
    #[target_feature(enable = "avx512bw,popcnt")]
    fn add(&mut self, order: ByteOrder, units: __m512i) {
        let [high, low] = surrogates(order, units);
        let after_high = u64::from(high) << 1 | self.open;
        self.open = after_high >> 32;
        self.broken |= low ^ after_high as u32;
        self.count += high.count_ones() as usize;
    }
}
