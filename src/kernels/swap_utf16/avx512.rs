//! UTF-16 in the other byte order, for AVX-512.

use core::mem::MaybeUninit;

use crate::kernels::validate_utf16::whole_units;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{load, load_partial, overwrite, store, store_partial};

/// Indices that swap the two bytes of each word.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn neighbours() -> __m512i {
    _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001)
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn swap_bytes(bytes: &mut [u8]) {
    let len = whole_units(bytes).len();
    let (vectors, rest) = bytes[..len].as_chunks_mut::<64>();
    for vector in vectors {
        let v = swapped(load(vector, 0));
        overwrite(vector, v);
    }
    if !rest.is_empty() {
        overwrite(rest, swapped(load_partial(rest)));
    }
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn swap_bytes_into(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let len = whole_units(src).len();
    if let (Some(from), Some(to)) = (src.get(len), dst.get_mut(len)) {
        to.write(*from);
    }
    let (from, from_rest) = src[..len].as_chunks::<64>();
    let (to, to_rest) = dst[..len].as_chunks_mut::<64>();
    for (from, to) in from.iter().zip(to) {
        store(to, 0, swapped(load(from, 0)));
    }
    if !from_rest.is_empty() {
        store_partial(to_rest, swapped(load_partial(from_rest)));
    }
}

/// Swaps the bytes of each word.
#[inline]
#[target_feature(enable = "avx512bw")]
fn swapped(units: __m512i) -> __m512i {
    _mm512_shuffle_epi8(units, neighbours())
}
