//! What AVX-512 has of its own for [`repair_utf8`](crate::kernels::repair_utf8).

use super::{BEFORE, Bits};
use crate::kernels::validate_utf8::avx512::{any, errors_at};
use crate::replacement::WINDOW;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::load;

/// [`Bits`] of a window.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn bits(window: &[u8; WINDOW]) -> Bits {
    let bytes = load(window, 0);
    let bit = |bit: u8| _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(1i8 << bit));
    [bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7)]
}

/// Whether a block is well-formed after the three bytes before it.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
pub(crate) fn is_block_valid(view: &[u8; BEFORE + WINDOW]) -> bool {
    !any(errors_at::<4>(view, 0))
}
