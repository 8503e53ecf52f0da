//! NEON, which every AArch64 CPU has. One lane.
//!
//! There is no detection at run time: this module is only compiled if the target itself has NEON (`build.rs`).

use core::arch::aarch64::*;

use super::{Lanes, ShuffleTable, Simd};
use crate::output::Output;
use crate::parts::Parts;

const _: () = assert!(cfg!(all(target_feature = "neon", target_endian = "little")));

/// Lets a function use the features that the token proves.
macro_rules! proven {
    ($($function:tt)*) => {
        #[target_feature(enable = "neon")]
        $($function)*
    };
}

/// Proof that this CPU has NEON: by the assertion above, this code runs on no other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Neon(());

impl Neon {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self(())
    }

    register_ops! {
        /// The high nibbles of the bytes of `a` then of `b`, two to a byte; and the low nibbles.
        fn halves(a: U8x16, b: U8x16) -> [U8x16; 2] {
            let (even, odd) = (vuzp1q_u8(a.0, b.0), vuzp2q_u8(a.0, b.0));
            [U8x16(vsriq_n_u8::<4>(odd, even)), U8x16(vsliq_n_u8::<4>(even, odd))]
        }
        fn ones_of_bytes(number: u64) -> u64 { vget_lane_u64::<0>(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(number)))) }
    }
}

vector!(U8x16(uint8x16_t), vandq_u8, vorrq_u8, veorq_u8);

#[inline(always)]
fn vector(bytes: [u8; 16]) -> uint8x16_t {
    // SAFETY: both types have 16 bytes, and any bytes are a valid value of either.
    unsafe { core::mem::transmute(bytes) }
}

#[inline(always)]
fn numbers(vector: uint8x16_t) -> [u64; 2] {
    // SAFETY: both types have 16 bytes, and any bytes are a valid value of either.
    unsafe { core::mem::transmute(vector) }
}

/// Applies an operation on words, double words or signed bytes to vectors of bytes.
macro_rules! of_bytes {
    ($from:ident, $to:ident, $intrinsic:ident $(::<$n:ident>)? ($($arg:expr),*)) => {
        U8x16($from($intrinsic $(::<$n>)? ($($to($arg.0)),*)))
    };
}
/// … from signed bytes to signed bytes.
macro_rules! i8s {
    ($($operation:tt)*) => { of_bytes!(vreinterpretq_u8_s8, vreinterpretq_s8_u8, $($operation)*) };
}
/// … from words to words.
macro_rules! u16s {
    ($($operation:tt)*) => { of_bytes!(vreinterpretq_u8_u16, vreinterpretq_u16_u8, $($operation)*) };
}
/// … from double words to double words.
macro_rules! u32s {
    ($($operation:tt)*) => { of_bytes!(vreinterpretq_u8_u32, vreinterpretq_u32_u8, $($operation)*) };
}
/// … from quad words to quad words.
macro_rules! u64s {
    ($($operation:tt)*) => { of_bytes!(vreinterpretq_u8_u64, vreinterpretq_u64_u8, $($operation)*) };
}

/// The number of bits set in each byte. NEON counts only in vector registers, and moving there and back is slow.
static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        ones[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    ones
};

/// Bit `j % 8` in byte `j`.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Bit `j % 8` of byte `j`, where bit 7 is set.
#[inline(always)]
fn bit_of_each(a: U8x16) -> U8x16 {
    // SAFETY: register-only; a value of this type exists, so the CPU has the instruction set.
    U8x16(unsafe {
        // No instruction if each byte is known to be `FF` or 0.
        let set = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(a.0)));
        // The minimum, which here equals `and`. With `and`, the compiler would see that the sums equal `or`, for
        // which there is no pairwise instruction.
        vminq_u8(set, vector(BITS))
    })
}

/// The bytes 0, 4, 8, …; 1, 5, 9, …; and so on.
#[inline(always)]
fn load_every_4th(bytes: &[u8; 64]) -> [U8x16; 4] {
    // SAFETY: the load reads these 64 bytes and needs no alignment; NEON is available wherever this is compiled.
    let uint8x16x4_t(a, b, c, d) = unsafe { vld4q_u8(bytes.as_ptr()) };
    [U8x16(a), U8x16(b), U8x16(c), U8x16(d)]
}

/// For each group of `2 * N` bits: the upper `N` of `a` and of `b`, with those of `b` on top; and the lower ones
/// likewise. `low` is the mask of the lower bits.
#[inline(always)]
fn exchange<const N: i32>(a: U8x16, b: U8x16, low: U8x16) -> [U8x16; 2] {
    // SAFETY: register-only; values of this type exist, so the CPU has the instruction set.
    unsafe {
        let upper = vbslq_u8(low.0, vshrq_n_u8::<N>(a.0), b.0);
        let lower = vbslq_u8(low.0, a.0, vshlq_n_u8::<N>(b.0));
        [U8x16(upper), U8x16(lower)]
    }
}

impl Simd for Neon {
    type V = U8x16;
    const WIDTH: usize = 16;
    const UNROLL: usize = 8;

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
        // SAFETY: `bytes` is 16 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x16(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    register_ops! {
        fn bitmask(a: U8x16) -> u64 {
            let bits = bit_of_each(a).0;
            // Pairs a byte from each half into a word, and adds the words.
            let words = vzip1q_u8(bits, vextq_u8::<8>(bits, bits));
            u64::from(vaddvq_u16(vreinterpretq_u16_u8(words)))
        }
        fn any_high_bit(a: U8x16) -> bool {
            let pairs = vreinterpretq_u64_u8(vpmaxq_u8(a.0, a.0));
            vgetq_lane_u64::<0>(pairs) & 0x8080_8080_8080_8080 != 0
        }
    }

    #[inline(always)]
    fn bitmask_64(self, bytes: &[u8; 64]) -> u64 {
        let [a, b, c, d] = load_every_4th(bytes);
        // SAFETY: register-only; `self` proves the feature.
        unsafe {
            // Each inserts the bits of earlier vectors above its first bit, which leaves bytes of 4 bits each, …
            let four = vsriq_n_u8::<2>(vsriq_n_u8::<1>(d.0, c.0), vsriq_n_u8::<1>(b.0, a.0));
            // … and with those of the next byte, of 8.
            let eight = vshrn_n_u16::<4>(vreinterpretq_u16_u8(vsriq_n_u8::<4>(four, four)));
            vget_lane_u64::<0>(vreinterpret_u64_u8(eight))
        }
    }
}

impl Lanes for Neon {
    single_lane!();

    #[inline(always)]
    fn store(self, dst: &mut Output, at: usize, v: Self::V) {
        let bytes = dst.expect_part(at, 16);
        // SAFETY: `bytes` is 16 writable bytes; the store needs no alignment, and `self` proves the feature.
        unsafe { vst1q_u8(bytes.as_mut_ptr().cast(), v.0) }
    }

    #[inline(always)]
    fn load_widened(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<8>(at);
        // SAFETY: `bytes` is 8 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x16(unsafe { vreinterpretq_u8_u16(vmovl_u8(vld1_u8(bytes.as_ptr()))) })
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
        const { assert!(BASE + 8 * UNIT <= 16) };
        let [low, high] = [index as usize & 0xFF, index as usize >> 8 & 0xFF];
        let second = BASE + UNIT * usize::from(ONES[low]);
        let len = second + BASE + UNIT * usize::from(ONES[high]);
        let out = &mut dst[at..];
        // The first condition does not need `len`, and is almost always true.
        assert!(out.len() >= 32 || out.len() >= len + 16);
        // SAFETY: by the constant's assertion, the second lane starts at offset 16 at most, as no byte has more than
        // 8 bits. It starts at `len` at most, as `len` is `second` and more. By the assertion above, 16 bytes after
        // one of the two are writable, so both stores end inside `out`. Rows are 16 readable bytes; the instructions
        // need no alignment, and `self` proves the feature.
        unsafe {
            let (row_a, row_b) = (vld1q_u8(table.0[low].as_ptr()), vld1q_u8(table.0[high].as_ptr()));
            let out = out.as_mut_ptr().cast::<u8>();
            vst1q_u8(out, vqtbl1q_u8(a.0, row_a));
            vst1q_u8(out.add(second), vqtbl1q_u8(b.0, row_b));
        }
        len
    }

    const PREFERS_REGISTERS: bool = true;

    #[inline(always)]
    fn store_one_or_two(self, dst: &mut Output, words: [U8x16; 4], table: &'static ShuffleTable, two: u64) {
        // Where each of the four lanes ends: its 8 bytes, one more for each bit, and all lanes before.
        let lens = self.ones_of_bytes(two & 0xFFFF_FFFF) as u32 + 0x0808_0808;
        let ends = lens.wrapping_mul(0x0101_0101);
        assert!(dst.len() >= 16 + (ends >> 16 & 0xFF) as usize);
        let mut start = 0;
        for (j, words) in words.into_iter().enumerate() {
            let row = &table.0[(two >> (8 * j) & 0xFF) as usize];
            // SAFETY: no length is more than 16, so no sum overflows its byte. The last of the four starts where the
            // third one ends, after the others, and by the assertion 16 bytes are writable there. Rows are 16
            // readable bytes; the instructions need no alignment, and `self` proves the feature.
            unsafe { vst1q_u8(dst.as_mut_ptr().add(start).cast(), vqtbl1q_u8(words.0, vld1q_u8(row.as_ptr()))) };
            start = (ends >> (8 * j) & 0xFF) as usize;
        }
    }

    #[inline(always)]
    fn store_words(self, dst: &mut Output, words: &[(U8x16, U8x16); 4], table: &'static ShuffleTable, keep: u64) {
        let out = dst.first_chunk_mut::<128>().expect("room for 64 words");
        let lanes =
            [words[0].0, words[0].1, words[1].0, words[1].1, words[2].0, words[2].1, words[3].0, words[3].1];
        // Where each lane ends: the number of bytes that it and all lanes before become.
        let ends = (self.ones_of_bytes(keep) << 1).wrapping_mul(0x0101_0101_0101_0101);
        let mut start = 0;
        for (j, lane) in lanes.into_iter().enumerate() {
            let row = &table.0[(keep >> (8 * j) & 0xFF) as usize];
            // SAFETY: a byte of `keep` has at most 8 bits, so no sum overflows its byte. Lane `j` starts at
            // offset 16 * j <= 112 at most: each store ends inside `out`. Rows are 16 readable bytes; the
            // instructions need no alignment, and `self` proves the feature.
            unsafe { vst1q_u8(out.as_mut_ptr().add(start).cast(), vqtbl1q_u8(lane.0, vld1q_u8(row.as_ptr()))) };
            start = (ends >> (8 * j) & 0xFF) as usize;
        }
    }

    type PartialMask = [U8x16; 4];

    #[inline(always)]
    fn empty_mask(self) -> Self::PartialMask {
        [self.splat8(0); 4]
    }

    #[inline(always)]
    fn add_to_mask(self, mut before: Self::PartialMask, k: usize, v: U8x16) -> Self::PartialMask {
        before[k / 16] = bit_of_each(v);
        before
    }

    #[inline(always)]
    fn transposed(self, bytes: &[u8; 64]) -> [u64; 8] {
        let [a, b, c, d] = load_every_4th(bytes);
        // First pairs of bits, the odd and the even ones of two vectors; then groups of four.
        let [ab_odd, ab_even] = exchange::<1>(a, b, self.splat8(0x55));
        let [cd_odd, cd_even] = exchange::<1>(c, d, self.splat8(0x55));
        let [bits_7_3, bits_5_1] = exchange::<2>(ab_odd, cd_odd, self.splat8(0x33));
        let [bits_6_2, bits_4_0] = exchange::<2>(ab_even, cd_even, self.splat8(0x33));
        let [bits_7_6, bits_3_2] = self.halves(bits_7_3, bits_6_2);
        let [bits_5_4, bits_1_0] = self.halves(bits_5_1, bits_4_0);
        let ([bit_7, bit_6], [bit_5, bit_4]) = (numbers(bits_7_6.0), numbers(bits_5_4.0));
        let ([bit_3, bit_2], [bit_1, bit_0]) = (numbers(bits_3_2.0), numbers(bits_1_0.0));
        [bit_0, bit_1, bit_2, bit_3, bit_4, bit_5, bit_6, bit_7]
    }

    register_ops! {
        fn bitmask_of_two(a: U8x16, b: U8x16) -> u64 {
            let pairs = vpaddq_u8(bit_of_each(a).0, bit_of_each(b).0);
            let quads = vpaddq_u8(pairs, pairs);
            u64::from(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vpaddq_u8(quads, quads))))
        }
        fn finished_mask(all: [U8x16; 4]) -> u64 {
            let [a, b, c, d] = all;
            let quads = vpaddq_u8(vpaddq_u8(a.0, b.0), vpaddq_u8(c.0, d.0));
            vget_lane_u64::<0>(vreinterpret_u64_u8(vmovn_u16(vpaddlq_u8(quads))))
        }
        fn add_shr8<const N: i32>(a: U8x16, b: U8x16) -> U8x16 { U8x16(vsraq_n_u8::<N>(a.0, b.0)) }
        fn widened(a: U8x16) -> (U8x16, U8x16) {
            // Not with `zip`: with two stores, the compiler would merge it into a slow instruction that does both.
            let (low, high) = (vmovl_u8(vget_low_u8(a.0)), vmovl_high_u8(a.0));
            (U8x16(vreinterpretq_u8_u16(low)), U8x16(vreinterpretq_u8_u16(high)))
        }
        fn unzip8(a: U8x16, b: U8x16) -> (U8x16, U8x16) { (U8x16(vuzp1q_u8(a.0, b.0)), U8x16(vuzp2q_u8(a.0, b.0))) }
        fn shl8<const N: i32>(a: U8x16) -> U8x16 { U8x16(vshlq_n_u8::<N>(a.0)) }
        fn high_nibbles(a: U8x16) -> U8x16 { U8x16(vshrq_n_u8::<4>(a.0)) }
        fn lanes(lane: [u8; 16]) -> U8x16 { U8x16(vector(lane)) }
        fn splat8(byte: u8) -> U8x16 { U8x16(vdupq_n_u8(byte)) }
        fn splat16(word: u16) -> U8x16 { U8x16(vreinterpretq_u8_u16(vdupq_n_u16(word))) }
        fn splat32(dword: u32) -> U8x16 { U8x16(vreinterpretq_u8_u32(vdupq_n_u32(dword))) }
        fn two_lanes(low: u128, high: u128) -> U8x16 {
            assert!(high == 0);
            U8x16(vcombine_u8(vcreate_u8(low as u64), vcreate_u8((low >> 64) as u64)))
        }
        fn number(v: U8x16) -> u128 {
            let [low, high] = numbers(v.0);
            u128::from(low) | u128::from(high) << 64
        }
        fn is_zero(a: U8x16) -> bool {
            let a = vreinterpretq_u32_u8(a.0);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u32(vpmaxq_u32(a, a))) == 0
        }
        fn sum8(a: U8x16) -> u64 { u64::from(vaddlvq_u8(a.0)) }
        fn prev<const N: usize>(cur: U8x16, before: U8x16) -> U8x16 {
            U8x16(match N {
                1 => vextq_u8::<15>(before.0, cur.0),
                2 => vextq_u8::<14>(before.0, cur.0),
                3 => vextq_u8::<13>(before.0, cur.0),
                _ => unreachable!(),
            })
        }
        fn shuffle(table: U8x16, index: U8x16) -> U8x16 { U8x16(vqtbl1q_u8(table.0, index.0)) }
        fn select(mask: U8x16, a: U8x16, b: U8x16) -> U8x16 {
            // No instruction if each byte is known to be `FF` or 0.
            let mask = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(mask.0)));
            U8x16(vbslq_u8(mask, a.0, b.0))
        }
        fn gt_i8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vcgtq_s8(vreinterpretq_s8_u8(a.0), vreinterpretq_s8_u8(b.0))) }
        fn add8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vaddq_u8(a.0, b.0)) }
        fn sub8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vsubq_u8(a.0, b.0)) }
        fn adds_i8(a: U8x16, b: U8x16) -> U8x16 { i8s!(vqaddq_s8(a, b)) }
        fn subs_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vqsubq_u8(a.0, b.0)) }
        fn min_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vminq_u8(a.0, b.0)) }
        fn max_u8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vmaxq_u8(a.0, b.0)) }
        fn min_i8(a: U8x16, b: U8x16) -> U8x16 { i8s!(vminq_s8(a, b)) }
        fn eq8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vceqq_u8(a.0, b.0)) }
        fn zip_lo8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vzip1q_u8(a.0, b.0)) }
        fn zip_hi8(a: U8x16, b: U8x16) -> U8x16 { U8x16(vzip2q_u8(a.0, b.0)) }
        fn eq16(a: U8x16, b: U8x16) -> U8x16 { u16s!(vceqq_u16(a, b)) }
        fn add16(a: U8x16, b: U8x16) -> U8x16 { u16s!(vaddq_u16(a, b)) }
        fn sub16(a: U8x16, b: U8x16) -> U8x16 { u16s!(vsubq_u16(a, b)) }
        fn adds_u16(a: U8x16, b: U8x16) -> U8x16 { u16s!(vqaddq_u16(a, b)) }
        fn min_u16(a: U8x16, b: U8x16) -> U8x16 { u16s!(vminq_u16(a, b)) }
        fn shl16<const N: i32>(a: U8x16) -> U8x16 { u16s!(vshlq_n_u16::<N>(a)) }
        fn shr16<const N: i32>(a: U8x16) -> U8x16 { u16s!(vshrq_n_u16::<N>(a)) }
        fn zip_lo16(a: U8x16, b: U8x16) -> U8x16 { u16s!(vzip1q_u16(a, b)) }
        fn zip_hi16(a: U8x16, b: U8x16) -> U8x16 { u16s!(vzip2q_u16(a, b)) }
        fn mul_add8(a: U8x16, b: U8x16) -> U8x16 {
            // Not with a widening multiplication of bytes, which the compiler turns into more shifts than these.
            let [a, b] = [vreinterpretq_u16_u8(a.0), vreinterpretq_u16_u8(b.0)];
            let low = vmulq_u16(vandq_u16(a, vdupq_n_u16(0xFF)), vandq_u16(b, vdupq_n_u16(0xFF)));
            U8x16(vreinterpretq_u8_u16(vmlaq_u16(low, vshrq_n_u16::<8>(a), vshrq_n_u16::<8>(b))))
        }
        fn pairs(last: U8x16, lead: U8x16) -> (U8x16, U8x16) {
            let lead = vqsubq_u8(lead.0, vdupq_n_u8(0xC2));
            let low = vaddw_u8(vshll_n_u8::<6>(vget_low_u8(lead)), vget_low_u8(last.0));
            let high = vaddw_high_u8(vshll_high_n_u8::<6>(lead), last.0);
            (U8x16(vreinterpretq_u8_u16(low)), U8x16(vreinterpretq_u8_u16(high)))
        }
        fn narrow_i16(a: U8x16, b: U8x16) -> U8x16 {
            let [a, b] = [vreinterpretq_s16_u8(a.0), vreinterpretq_s16_u8(b.0)];
            U8x16(vreinterpretq_u8_s8(vqmovn_high_s16(vqmovn_s16(a), b)))
        }
        fn narrow_u16(a: U8x16, b: U8x16) -> U8x16 {
            U8x16(vuzp1q_u8(a.0, b.0))
        }
        fn shr32<const N: i32>(a: U8x16) -> U8x16 { u32s!(vshrq_n_u32::<N>(a)) }
        fn zip_lo64(a: U8x16, b: U8x16) -> U8x16 { u64s!(vzip1q_u64(a, b)) }
        fn zip_hi64(a: U8x16, b: U8x16) -> U8x16 { u64s!(vzip2q_u64(a, b)) }
    }

    #[cfg(feature = "utf32")]
    register_ops! {
        fn shl32<const N: i32>(a: U8x16) -> U8x16 { u32s!(vshlq_n_u32::<N>(a)) }
        fn add32(a: U8x16, b: U8x16) -> U8x16 { u32s!(vaddq_u32(a, b)) }
        fn sub32(a: U8x16, b: U8x16) -> U8x16 { u32s!(vsubq_u32(a, b)) }
        fn max_u32(a: U8x16, b: U8x16) -> U8x16 { u32s!(vmaxq_u32(a, b)) }
        fn gt_i32(a: U8x16, b: U8x16) -> U8x16 {
            let [a, b] = [vreinterpretq_s32_u8(a.0), vreinterpretq_s32_u8(b.0)];
            U8x16(vreinterpretq_u8_u32(vcgtq_s32(a, b)))
        }
        fn narrow_i32(a: U8x16, b: U8x16) -> U8x16 {
            let [a, b] = [vreinterpretq_s32_u8(a.0), vreinterpretq_s32_u8(b.0)];
            U8x16(vreinterpretq_u8_s16(vqmovn_high_s32(vqmovn_s32(a), b)))
        }
        fn narrow_u32(a: U8x16, b: U8x16) -> U8x16 { u16s!(vuzp1q_u16(a, b)) }
    }
}
