//! WebAssembly's fixed-width SIMD. One lane.
//!
//! There is no detection at run time, since an engine refuses to load a module with instructions that it lacks. This
//! module is only compiled if the build has the target feature `simd128` (`build.rs`). For the same reason,
//! intrinsics are safe functions here, except for loads and stores.

use core::arch::wasm32::*;

use super::{Lanes, ShuffleTable, Simd};
use crate::output::Output;
use crate::parts::Parts;

const _: () = assert!(cfg!(target_feature = "simd128"));

/// Lets a function use the features that the token proves.
macro_rules! proven {
    ($($function:tt)*) => {
        #[target_feature(enable = "simd128")]
        $($function)*
    };
}

/// Proof that the engine has SIMD: by the assertion above, another engine would have refused this program.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Simd128(());

impl Simd128 {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self(())
    }
}

vector!(U8x16(v128), v128_and, v128_or, v128_xor);

impl Simd for Simd128 {
    type V = U8x16;
    const WIDTH: usize = 16;

    #[inline(always)]
    fn vectorize_with<A, B, R>(self, a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R {
        #[inline(never)]
        fn with_features<A, B, R>(a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R {
            kernel(a, b)
        }
        with_features(a, b, kernel)
    }

    #[inline(always)]
    fn load(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<16>(at);
        // SAFETY: `bytes` is 16 readable bytes; the load needs no alignment.
        U8x16(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    register_ops! {
        fn bitmask(a: U8x16) -> u64 { u64::from(u8x16_bitmask(a.0)) }
    }
}

impl Lanes for Simd128 {
    single_lane!();

    #[inline(always)]
    fn store(self, dst: &mut Output, at: usize, v: Self::V) {
        let bytes = dst.expect_part(at, 16);
        // SAFETY: `bytes` is 16 writable bytes; the store needs no alignment.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), v.0) }
    }

    #[inline(always)]
    fn load_widened(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<8>(at);
        // SAFETY: `bytes` is 8 readable bytes; the load needs no alignment.
        U8x16(unsafe { u16x8_load_extend_u8x8(bytes.as_ptr()) })
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
        // alignment.
        unsafe {
            let (row_a, row_b) = (v128_load(row_a.as_ptr().cast()), v128_load(row_b.as_ptr().cast()));
            let out = out.as_mut_ptr();
            v128_store(out.cast(), u8x16_swizzle(a.0, row_a));
            v128_store(out.add(second).cast(), u8x16_swizzle(b.0, row_b));
        }
        len
    }

    mask_is_number!();

    #[inline(always)]
    fn lanes(self, lane: [u8; 16]) -> U8x16 {
        self.two_lanes(u128::from_le_bytes(lane), 0)
    }

    register_ops! {
        fn splat8(byte: u8) -> U8x16 { U8x16(u8x16_splat(byte)) }
        fn splat16(word: u16) -> U8x16 { U8x16(u16x8_splat(word)) }
        fn splat32(dword: u32) -> U8x16 { U8x16(u32x4_splat(dword)) }
        fn two_lanes(low: u128, high: u128) -> U8x16 {
            assert!(high == 0);
            U8x16(u64x2(low as u64, (low >> 64) as u64))
        }
        fn number(v: U8x16) -> u128 {
            u128::from(u64x2_extract_lane::<0>(v.0)) | u128::from(u64x2_extract_lane::<1>(v.0)) << 64
        }
        fn is_zero(a: U8x16) -> bool { !v128_any_true(a.0) }
        fn sum8(a: U8x16) -> u64 {
            let dwords = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(a.0));
            let pairs = u64x2_extract_lane::<0>(dwords) + u64x2_extract_lane::<1>(dwords);
            (pairs & 0xFFFF_FFFF) + (pairs >> 32)
        }
        fn prev<const N: usize>(cur: U8x16, before: U8x16) -> U8x16 {
            let [a, b] = [before.0, cur.0];
            U8x16(match N {
                1 => u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(a, b),
                2 => u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(a, b),
                3 => u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(a, b),
                _ => unreachable!(),
            })
        }
        fn shuffle(table: U8x16, index: U8x16) -> U8x16 { U8x16(u8x16_swizzle(table.0, index.0)) }
        fn select(mask: U8x16, a: U8x16, b: U8x16) -> U8x16 {
            // No instruction if each byte is known to be `FF` or 0.
            U8x16(v128_bitselect(a.0, b.0, i8x16_shr(mask.0, 7)))
        }
        fn gt_i8(a: U8x16, b: U8x16) -> U8x16 { U8x16(i8x16_gt(a.0, b.0)) }
        fn add8(a: U8x16, b: U8x16) -> U8x16 { U8x16(u8x16_add(a.0, b.0)) }
        fn sub8(a: U8x16, b: U8x16) -> U8x16 { U8x16(u8x16_sub(a.0, b.0)) }
        fn adds_i8(a: U8x16, b: U8x16) -> U8x16 { U8x16(i8x16_add_sat(a.0, b.0)) }
        fn subs_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(u8x16_sub_sat(a.0, b.0)) }
        fn min_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(u8x16_min(a.0, b.0)) }
        fn max_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(u8x16_max(a.0, b.0)) }
        fn min_i8(a: U8x16, b: U8x16) -> U8x16 { U8x16(i8x16_min(a.0, b.0)) }
        fn eq8(a: U8x16, b: U8x16) -> U8x16 { U8x16(u8x16_eq(a.0, b.0)) }
        fn zip_lo8(a: U8x16, b: U8x16) -> U8x16 {
            U8x16(u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a.0, b.0))
        }
        fn zip_hi8(a: U8x16, b: U8x16) -> U8x16 {
            U8x16(u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a.0, b.0))
        }
        fn eq16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_eq(a.0, b.0)) }
        fn add16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_add(a.0, b.0)) }
        fn sub16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_sub(a.0, b.0)) }
        fn adds_u16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_add_sat(a.0, b.0)) }
        fn min_u16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_min(a.0, b.0)) }
        fn shl16<const N: i32>(a: U8x16) -> U8x16 { U8x16(u16x8_shl(a.0, N as u32)) }
        fn shr16<const N: i32>(a: U8x16) -> U8x16 { U8x16(u16x8_shr(a.0, N as u32)) }
        fn zip_lo16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a.0, b.0)) }
        fn zip_hi16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a.0, b.0)) }
        fn mul_add8(a: U8x16, b: U8x16) -> U8x16 {
            let even = u16x8_splat(0xFF);
            let low = u16x8_mul(v128_and(a.0, even), v128_and(b.0, even));
            U8x16(u16x8_add(low, u16x8_mul(u16x8_shr(a.0, 8), u16x8_shr(b.0, 8))))
        }
        fn narrow_i16(a: U8x16, b: U8x16) -> U8x16 { U8x16(i8x16_narrow_i16x8(a.0, b.0)) }
        fn narrow_u16(a: U8x16, b: U8x16) -> U8x16 { U8x16(u8x16_narrow_i16x8(a.0, b.0)) }
        fn shr32<const N: i32>(a: U8x16) -> U8x16 { U8x16(u32x4_shr(a.0, N as u32)) }
        fn zip_lo64(a: U8x16, b: U8x16) -> U8x16 { U8x16(u64x2_shuffle::<0, 2>(a.0, b.0)) }
        fn zip_hi64(a: U8x16, b: U8x16) -> U8x16 { U8x16(u64x2_shuffle::<1, 3>(a.0, b.0)) }
    }

    #[cfg(feature = "utf32")]
    register_ops! {
        fn shl32<const N: i32>(a: U8x16) -> U8x16 { U8x16(u32x4_shl(a.0, N as u32)) }
        fn add32(a: U8x16, b: U8x16) -> U8x16 { U8x16(u32x4_add(a.0, b.0)) }
        fn sub32(a: U8x16, b: U8x16) -> U8x16 { U8x16(u32x4_sub(a.0, b.0)) }
        fn max_u32(a: U8x16, b: U8x16) -> U8x16 { U8x16(u32x4_max(a.0, b.0)) }
        fn gt_i32(a: U8x16, b: U8x16) -> U8x16 { U8x16(i32x4_gt(a.0, b.0)) }
        fn narrow_i32(a: U8x16, b: U8x16) -> U8x16 { U8x16(i16x8_narrow_i32x4(a.0, b.0)) }
        fn narrow_u32(a: U8x16, b: U8x16) -> U8x16 { U8x16(u16x8_narrow_i32x4(a.0, b.0)) }
    }
}
