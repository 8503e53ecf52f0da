//! UTF-16 in the other byte order, for AVX-512.

use crate::kernels::validate_utf16::whole_units;
use crate::output::Output;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{Table, filled, load, load_partial, overwrite, store, store_partial};

/// Indices that swap the two bytes of each word.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn neighbours() -> __m512i {
    const NEIGHBOURS: &Table = &filled(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
    NEIGHBOURS.load()
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
pub(crate) fn swap_bytes_into(src: &[u8], dst: &mut Output) {
    let len = whole_units(src).len();
    if let Some(odd) = src.get(len) {
        dst.set(len, *odd);
    }
    let (vectors, rest) = src[..len].as_chunks::<64>();
    for (k, vector) in vectors.iter().enumerate() {
        store(dst, 64 * k, swapped(load(vector, 0)));
    }
    if !rest.is_empty() {
        store_partial(&mut dst[len - rest.len()..len], swapped(load_partial(rest)));
    }
}

/// Swaps the bytes of each word.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn swapped(units: __m512i) -> __m512i {
    _mm512_shuffle_epi8(units, neighbours())
}
