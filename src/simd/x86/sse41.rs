//! SSE4.1 with SSSE3 and POPCNT: nearly every x86 CPU since 2011. One lane.

use super::arch::*;
use super::detect::{Detected, Set};
use crate::output::Output;
use crate::parts::Parts;
use crate::simd::{Lanes, ShuffleTable, Simd};

/// Lets a function use the features that the token proves.
macro_rules! proven {
    ($($function:tt)*) => {
        #[target_feature(enable = "sse4.1,ssse3,popcnt")]
        $($function)*
    };
}

/// Proof that this CPU has SSE4.1 (with SSSE3 and POPCNT).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sse41(());

impl Sse41 {
    #[inline(always)]
    pub(crate) fn new(found: Detected) -> Option<Self> {
        found.has(Set::Sse41).then_some(Self(()))
    }

    /// The token that AVX2's contains: AVX2 is only found together with SSE4.1 (`detect::detect`).
    #[inline(always)]
    pub(super) fn with_avx2(found: Detected) -> Option<Self> {
        found.has(Set::Avx2).then_some(Self(()))
    }
}

#[inline(always)]
pub(super) fn vector(bytes: [u8; 16]) -> __m128i {
    // SAFETY: both types have 16 bytes, and any bytes are a valid value of either.
    unsafe { core::mem::transmute(bytes) }
}

#[inline(always)]
pub(super) fn number(vector: __m128i) -> u128 {
    // SAFETY: both types have 16 bytes, and any bytes are a valid value of either.
    unsafe { core::mem::transmute(vector) }
}

vector!(U8x16(pub(super) __m128i), _mm_and_si128, _mm_or_si128, _mm_xor_si128);

impl Simd for Sse41 {
    type V = U8x16;
    const WIDTH: usize = 16;

    vectorize_by_token!();

    #[inline(always)]
    fn load(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<16>(at);
        // SAFETY: `bytes` is 16 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x16(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    register_ops! {
        fn bitmask(a: U8x16) -> u64 { u64::from(_mm_movemask_epi8(a.0) as u32) }
    }
}

impl Lanes for Sse41 {
    const SMALL: bool = true;
    single_lane!();

    #[inline(always)]
    fn store(self, dst: &mut Output, at: usize, v: Self::V) {
        let bytes = dst.expect_part(at, 16);
        // SAFETY: `bytes` is 16 writable bytes; the store needs no alignment, and `self` proves the feature.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), v.0) }
    }

    #[inline(always)]
    fn load_widened(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<8>(at);
        // SAFETY: `bytes` is 8 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x16(unsafe { _mm_cvtepu8_epi16(_mm_loadl_epi64(bytes.as_ptr().cast())) })
    }

    #[inline(always)]
    fn store_shuffled<const BASE: usize, const UNIT: usize>(
        self,
        dst: &mut Output,
        at: usize,
        a: Self::V,
        b: Self::V,
        table: &'static ShuffleTable,
        index: u32,
    ) -> usize {
        let second = BASE + UNIT * (index & 0xFF).count_ones() as usize;
        let len = 2 * BASE + UNIT * (index & 0xFFFF).count_ones() as usize;
        const { assert!(BASE + 8 * UNIT <= 16) };
        let out = &mut dst[at..];
        // The first condition does not need `len`, and is almost always true.
        assert!(out.len() >= 32 || out.len() >= len + 16);
        let (row_a, row_b) = (&table.0[index as usize & 0xFF], &table.0[index as usize >> 8 & 0xFF]);
        // SAFETY: the second lane starts at offset 16 at most, by the constant's assertion, and at `len` at most,
        // since `len` counts all that `second` does and more. By the assertion above, 16 bytes after one of the two
        // are writable, so both stores end inside `out`. Rows are 16 readable bytes; the instructions need no
        // alignment, and `self` proves the features.
        unsafe {
            let (row_a, row_b) = (_mm_loadu_si128(row_a.as_ptr().cast()), _mm_loadu_si128(row_b.as_ptr().cast()));
            let out = out.as_mut_ptr();
            _mm_storeu_si128(out.cast(), _mm_shuffle_epi8(a.0, row_a));
            _mm_storeu_si128(out.add(second).cast(), _mm_shuffle_epi8(b.0, row_b));
        }
        len
    }

    mask_is_number!();

    register_ops! {
        fn lanes(lane: [u8; 16]) -> U8x16 { U8x16(vector(lane)) }
        fn splat8(byte: u8) -> U8x16 { U8x16(_mm_set1_epi8(byte as i8)) }
        fn splat16(word: u16) -> U8x16 { U8x16(_mm_set1_epi16(word as i16)) }
        fn add8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_add_epi8(a.0, b.0)) }
        fn sub8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_sub_epi8(a.0, b.0)) }
        fn gt_i8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_cmpgt_epi8(a.0, b.0)) }
        fn shuffle(table: U8x16, index: U8x16) -> U8x16 { U8x16(_mm_shuffle_epi8(table.0, index.0)) }
        fn is_zero(a: U8x16) -> bool { _mm_testz_si128(a.0, a.0) != 0 }
        fn eq16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_cmpeq_epi16(a.0, b.0)) }
        fn sum8(a: U8x16) -> u64 {
            let halves = number(_mm_sad_epu8(a.0, _mm_setzero_si128()));
            halves as u64 + (halves >> 64) as u64
        }
        fn prev<const N: usize>(cur: U8x16, before: U8x16) -> U8x16 {
            U8x16(match N {
                1 => _mm_alignr_epi8::<15>(cur.0, before.0),
                2 => _mm_alignr_epi8::<14>(cur.0, before.0),
                3 => _mm_alignr_epi8::<13>(cur.0, before.0),
                _ => unreachable!(),
            })
        }
        fn two_lanes(low: u128, high: u128) -> U8x16 {
            assert!(high == 0);
            U8x16(_mm_set_epi64x((low >> 64) as i64, low as i64))
        }
        fn number(v: U8x16) -> u128 { number(v.0) }
        fn splat32(dword: u32) -> U8x16 { U8x16(_mm_set1_epi32(dword as i32)) }
        fn adds_i8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_adds_epi8(a.0, b.0)) }
        fn subs_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_subs_epu8(a.0, b.0)) }
        fn min_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_min_epu8(a.0, b.0)) }
        fn max_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_max_epu8(a.0, b.0)) }
        fn min_i8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_min_epi8(a.0, b.0)) }
        fn eq8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_cmpeq_epi8(a.0, b.0)) }
        fn zip_lo8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_unpacklo_epi8(a.0, b.0)) }
        fn zip_hi8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_unpackhi_epi8(a.0, b.0)) }
        fn select(mask: U8x16, a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_blendv_epi8(b.0, a.0, mask.0)) }
        fn add16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_add_epi16(a.0, b.0)) }
        fn sub16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_sub_epi16(a.0, b.0)) }
        fn adds_u16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_adds_epu16(a.0, b.0)) }
        fn min_u16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_min_epu16(a.0, b.0)) }
        fn shl16<const N: i32>(a: U8x16) -> U8x16 { U8x16(_mm_slli_epi16::<N>(a.0)) }
        fn shr16<const N: i32>(a: U8x16) -> U8x16 { U8x16(_mm_srli_epi16::<N>(a.0)) }
        fn zip_lo16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_unpacklo_epi16(a.0, b.0)) }
        fn zip_hi16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_unpackhi_epi16(a.0, b.0)) }
        fn mul_add8(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_maddubs_epi16(a.0, b.0)) }
        fn narrow_i16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_packs_epi16(a.0, b.0)) }
        fn narrow_u16(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_packus_epi16(a.0, b.0)) }
        fn shr32<const N: i32>(a: U8x16) -> U8x16 { U8x16(_mm_srli_epi32::<N>(a.0)) }
        fn zip_lo64(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_unpacklo_epi64(a.0, b.0)) }
        fn zip_hi64(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_unpackhi_epi64(a.0, b.0)) }
    }

    #[cfg(feature = "utf32")]
    register_ops! {
        fn shl32<const N: i32>(a: U8x16) -> U8x16 { U8x16(_mm_slli_epi32::<N>(a.0)) }
        fn add32(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_add_epi32(a.0, b.0)) }
        fn sub32(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_sub_epi32(a.0, b.0)) }
        fn max_u32(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_max_epu32(a.0, b.0)) }
        fn gt_i32(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_cmpgt_epi32(a.0, b.0)) }
        fn narrow_i32(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_packs_epi32(a.0, b.0)) }
        fn narrow_u32(a: U8x16, b: U8x16) -> U8x16 { U8x16(_mm_packus_epi32(a.0, b.0)) }
    }
}
