//! The masks for AVX-512: a compare makes one.

#[cfg(feature = "positions")]
use crate::sections::Masks;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::load;

#[inline]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn utf8(block: &[u8; 64]) -> (u64, u64) {
    let bytes = load(block, 0);
    let starts = _mm512_cmpgt_epi8_mask(bytes, _mm512_set1_epi8(0xBFu8 as i8));
    let from_f0 = _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(0xF0u8 as i8));
    (starts, from_f0)
}

#[cfg(feature = "positions")]
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn text(block: &[u8; 64]) -> Masks {
    let (starts, from_f0) = utf8(block);
    let equal = |byte: u8| !_mm512_cmpneq_epi8_mask(load(block, 0), _mm512_set1_epi8(byte as i8));
    Masks { starts, from_f0, line_feeds: equal(b'\n'), returns: equal(b'\r') }
}

/// On CPUs with AVX-512, a deposit is fast. (On others with BMI2, it may take 100 cycles and more.)
#[cfg(feature = "positions")]
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
pub(crate) fn nth_bit(bits: u64, n: usize) -> usize {
    cfg_if::cfg_if! {
        if #[cfg(target_arch = "x86_64")] {
            _pdep_u64(1 << n, bits).trailing_zeros() as usize
        } else {
            crate::sections::nth_bit(bits, n)
        }
    }
}
