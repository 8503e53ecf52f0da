//! AVX2 with BMI1, BMI2, LZCNT and POPCNT: Intel since 2013, AMD since 2015. Two lanes.

use super::arch::*;
use super::detect::Detected;
use super::sse41::{Sse41, U8x16, number, vector};
use crate::output::Output;
use crate::parts::Parts;
use crate::simd::{Lanes, ShuffleTable, Simd, short_number};

/// Lets a function use the features that the token proves.
macro_rules! proven {
    ($($function:tt)*) => {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        $($function)*
    };
}

/// Proof that this CPU has AVX2 (with BMI1, BMI2, LZCNT and POPCNT), and with it SSE4.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Avx2(Sse41);

impl Avx2 {
    #[inline(always)]
    pub(crate) fn new(found: Detected) -> Option<Self> {
        Sse41::with_avx2(found).map(Self)
    }
}

vector!(U8x32(__m256i), _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256);

impl Simd for Avx2 {
    type V = U8x32;
    const WIDTH: usize = 32;

    vectorize_by_token!();

    #[inline(always)]
    fn load(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<32>(at);
        // SAFETY: `bytes` is 32 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x32(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    register_ops! {
        fn bitmask(a: U8x32) -> u64 { u64::from(_mm256_movemask_epi8(a.0) as u32) }
    }
}

impl Lanes for Avx2 {
    type Single = Sse41;

    #[inline(always)]
    fn single(self) -> Sse41 {
        self.0
    }

    #[inline(always)]
    fn store(self, dst: &mut Output, at: usize, v: Self::V) {
        let bytes = dst.expect_part(at, 32);
        // SAFETY: `bytes` is 32 writable bytes; the store needs no alignment, and `self` proves the feature.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v.0) }
    }

    #[inline(always)]
    fn load_lanes(self, src: &[u8], at: usize, stride: usize) -> Self::V {
        let (low, high) = (src.expect_chunk::<16>(at), src.expect_chunk::<16>(at + stride));
        // SAFETY: both are 16 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x32(unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) })
    }

    /// Has only one branch on the length, since random lengths would be mispredicted.
    #[inline(always)]
    fn load_padded(self, src: &[u8]) -> Self::V {
        // A masked load that reaches into an unmapped page takes ten times as long, and the next page may be one.
        const SMALLEST_PAGE: usize = 4096;
        if src.as_ptr().addr() % SMALLEST_PAGE > SMALLEST_PAGE - 32 {
            return self.load_in_parts(src);
        }
        assert!(src.len() <= 32);
        let Some(last) = src.last_chunk() else { return self.two_lanes(short_number(src), 0) };
        // The bytes after the last whole double word (there may be none) come from the last 4 bytes.
        let (whole, more) = (src.len() / 4, src.len() % 4);
        let rest = u64::from(u32::from_le_bytes(*last)) >> (32 - 8 * more);
        // SAFETY: the mask selects the double words before `whole`, which are readable bytes of `src`; no others are
        // read. The load needs no alignment, and `self` proves the feature.
        unsafe {
            let (whole, index) = (_mm256_set1_epi32(whole as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            let words = _mm256_maskload_epi32(src.as_ptr().cast(), _mm256_cmpgt_epi32(whole, index));
            let rest = _mm256_and_si256(_mm256_set1_epi32(rest as i32), _mm256_cmpeq_epi32(whole, index));
            U8x32(_mm256_or_si256(words, rest))
        }
    }

    #[inline(always)]
    fn load_widened(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<16>(at);
        // SAFETY: `bytes` is 16 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x32(unsafe { _mm256_cvtepu8_epi16(_mm_loadu_si128(bytes.as_ptr().cast())) })
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
        let row = |lane: u32| table.0[(index >> (8 * lane) & 0xFF) as usize].as_ptr().cast();
        // Where lanes 1 to 3 start. Each counts all lanes before it; a running sum would be a longer dependency
        // chain.
        let start =
            |lane: u32| lane as usize * BASE + UNIT * (index & ((1 << (8 * lane)) - 1)).count_ones() as usize;
        let len = 4 * BASE + UNIT * index.count_ones() as usize;
        const { assert!(BASE + 8 * UNIT <= 16) };
        let out = &mut dst[at..];
        // The first condition does not need `len`, and is almost always true.
        assert!(out.len() >= 64 || out.len() >= len + 16);
        // SAFETY: lane j starts at offset 16 * j <= 48 at most, by the constant's assertion, and at `len` at most,
        // since `len` counts all that `start` does and more. By the assertion above, 16 bytes after one of the two
        // are writable, so all stores end inside `out`. Rows are 16 readable bytes; the instructions need no
        // alignment, and `self` proves the features.
        unsafe {
            let a = _mm256_shuffle_epi8(a.0, _mm256_loadu2_m128i(row(2), row(0)));
            let b = _mm256_shuffle_epi8(b.0, _mm256_loadu2_m128i(row(3), row(1)));
            let out = out.as_mut_ptr();
            _mm_storeu_si128(out.cast(), _mm256_castsi256_si128(a));
            _mm_storeu_si128(out.add(start(1)).cast(), _mm256_castsi256_si128(b));
            _mm_storeu_si128(out.add(start(2)).cast(), _mm256_extracti128_si256::<1>(a));
            _mm_storeu_si128(out.add(start(3)).cast(), _mm256_extracti128_si256::<1>(b));
        }
        len
    }

    mask_is_number!();

    register_ops! {
        fn lanes(lane: [u8; 16]) -> U8x32 { U8x32(_mm256_broadcastsi128_si256(vector(lane))) }
        fn splat8(byte: u8) -> U8x32 { U8x32(_mm256_set1_epi8(byte as i8)) }
        fn splat16(word: u16) -> U8x32 { U8x32(_mm256_set1_epi16(word as i16)) }
        fn add8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_add_epi8(a.0, b.0)) }
        fn sub8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_sub_epi8(a.0, b.0)) }
        fn gt_i8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_cmpgt_epi8(a.0, b.0)) }
        fn shuffle(table: U8x32, index: U8x32) -> U8x32 { U8x32(_mm256_shuffle_epi8(table.0, index.0)) }
        fn is_zero(a: U8x32) -> bool { _mm256_testz_si256(a.0, a.0) != 0 }
        fn eq16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_cmpeq_epi16(a.0, b.0)) }
        fn sum8(a: U8x32) -> u64 {
            let quarters = _mm256_sad_epu8(a.0, _mm256_setzero_si256());
            let [low, high] = [_mm256_castsi256_si128(quarters), _mm256_extracti128_si256::<1>(quarters)];
            let halves = number(_mm_add_epi64(low, high));
            halves as u64 + (halves >> 64) as u64
        }
        fn prev<const N: usize>(cur: U8x32, before: U8x32) -> U8x32 {
            // The lane before each lane of `cur`.
            let before = _mm256_permute2x128_si256::<0x21>(before.0, cur.0);
            U8x32(match N {
                1 => _mm256_alignr_epi8::<15>(cur.0, before),
                2 => _mm256_alignr_epi8::<14>(cur.0, before),
                3 => _mm256_alignr_epi8::<13>(cur.0, before),
                _ => unreachable!(),
            })
        }
        fn two_lanes(low: u128, high: u128) -> U8x32 {
            U8x32(_mm256_set_epi64x((high >> 64) as i64, high as i64, (low >> 64) as i64, low as i64))
        }
        fn join(low: U8x16, high: U8x16) -> U8x32 { U8x32(_mm256_set_m128i(high.0, low.0)) }
        fn split(v: U8x32) -> [U8x16; 2] { [U8x16(_mm256_castsi256_si128(v.0)), U8x16(_mm256_extracti128_si256::<1>(v.0))] }
        fn number(v: U8x32) -> u128 { number(_mm256_castsi256_si128(v.0)) }
        fn splat32(dword: u32) -> U8x32 { U8x32(_mm256_set1_epi32(dword as i32)) }
        fn adds_i8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_adds_epi8(a.0, b.0)) }
        fn subs_u8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_subs_epu8(a.0, b.0)) }
        fn min_u8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_min_epu8(a.0, b.0)) }
        fn max_u8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_max_epu8(a.0, b.0)) }
        fn min_i8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_min_epi8(a.0, b.0)) }
        fn eq8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_cmpeq_epi8(a.0, b.0)) }
        fn zip_lo8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_unpacklo_epi8(a.0, b.0)) }
        fn zip_hi8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_unpackhi_epi8(a.0, b.0)) }
        fn select(mask: U8x32, a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_blendv_epi8(b.0, a.0, mask.0)) }
        fn add16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_add_epi16(a.0, b.0)) }
        fn sub16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_sub_epi16(a.0, b.0)) }
        fn adds_u16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_adds_epu16(a.0, b.0)) }
        fn min_u16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_min_epu16(a.0, b.0)) }
        fn shl16<const N: i32>(a: U8x32) -> U8x32 { U8x32(_mm256_slli_epi16::<N>(a.0)) }
        fn shr16<const N: i32>(a: U8x32) -> U8x32 { U8x32(_mm256_srli_epi16::<N>(a.0)) }
        fn zip_lo16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_unpacklo_epi16(a.0, b.0)) }
        fn zip_hi16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_unpackhi_epi16(a.0, b.0)) }
        fn mul_add8(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_maddubs_epi16(a.0, b.0)) }
        fn narrow_i16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_packs_epi16(a.0, b.0)) }
        fn narrow_u16(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_packus_epi16(a.0, b.0)) }
        fn shr32<const N: i32>(a: U8x32) -> U8x32 { U8x32(_mm256_srli_epi32::<N>(a.0)) }
        fn zip_lo64(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_unpacklo_epi64(a.0, b.0)) }
        fn zip_hi64(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_unpackhi_epi64(a.0, b.0)) }
    }

    #[cfg(feature = "utf32")]
    register_ops! {
        fn shl32<const N: i32>(a: U8x32) -> U8x32 { U8x32(_mm256_slli_epi32::<N>(a.0)) }
        fn add32(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_add_epi32(a.0, b.0)) }
        fn sub32(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_sub_epi32(a.0, b.0)) }
        fn max_u32(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_max_epu32(a.0, b.0)) }
        fn gt_i32(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_cmpgt_epi32(a.0, b.0)) }
        fn narrow_i32(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_packs_epi32(a.0, b.0)) }
        fn narrow_u32(a: U8x32, b: U8x32) -> U8x32 { U8x32(_mm256_packus_epi32(a.0, b.0)) }
    }
}
