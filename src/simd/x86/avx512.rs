//! AVX-512 as Ice Lake and Zen 4 have it: F, BW, VL, DQ, VBMI, VBMI2, GFNI, BITALG, and BMI1, BMI2, LZCNT, POPCNT.
//! Its bytes permute across the whole register and compress by a mask, so the larger kernels are its own.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::detect::{Found, Set};
use crate::buffer::as_uninit;
use crate::simd::Simd;

/// Lets a function use what the token proves.
macro_rules! proven {
    ($($function:tt)*) => {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,gfni,avx512bitalg,bmi1,bmi2,lzcnt,popcnt"
        )]
        $($function)*
    };
}
pub(crate) use proven;

/// Proof that this CPU has the instruction sets named above.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Avx512(());

impl Avx512 {
    #[inline(always)]
    pub(crate) fn new(found: Found) -> Option<Self> {
        found.has(Set::Avx512).then_some(Self(()))
    }
}

vector!(U8x64(__m512i), _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512);

impl Simd for Avx512 {
    type V = U8x64;
    const WIDTH: usize = 64;

    #[inline(always)]
    fn vectorize_with<A, B, R>(self, a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R {
        proven! {
            #[inline(never)]
            fn with_features<A, B, R>(a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R {
                kernel(a, b)
            }
        }
        // SAFETY: `self` proves that this CPU has every feature named by `proven!`, and those that they imply
        // (`detect::detect`).
        unsafe { with_features(a, b, kernel) }
    }

    #[inline(always)]
    fn load(self, src: &[u8], at: usize) -> Self::V {
        let bytes = &src[at..at + 64];
        // SAFETY: `bytes` is 64 readable bytes; the load asks for no alignment, and `self` proves the feature.
        U8x64(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    register_ops! {
        fn bitmask(a: U8x64) -> u64 { _mm512_movepi8_mask(a.0) }
    }
}

// What the kernels of this instruction set read and write memory with: all else in them is safe code. A function
// names the features it uses, and whoever calls it has them too, or could not call it without `unsafe`.

/// 64 bytes as a table or a constant.
#[repr(C, align(64))]
pub(crate) struct Table(pub [u8; 64]);

impl Table {
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn load(&self) -> __m512i {
        load(&self.0, 0)
    }
}

/// The 64 bytes at `src[at..]`. Panics if they are not there.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn load(src: &[u8], at: usize) -> __m512i {
    let bytes = &src[at..at + 64];
    // SAFETY: `bytes` is 64 readable bytes; the load asks for no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// `bytes`, of which there must be at most 64, and zeros after them.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn load_partial(bytes: &[u8]) -> __m512i {
    debug_assert!(bytes.len() <= 64);
    // SAFETY: lanes that are not in the mask are not read; `low_bits` never has more of them than `bytes.len()`.
    unsafe { _mm512_maskz_loadu_epi8(low_bits(bytes.len()), bytes.as_ptr().cast()) }
}

/// Writes `v` to `dst[at..at + 64]`. Panics if that is not there.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn store(dst: &mut [MaybeUninit<u8>], at: usize, v: __m512i) {
    let bytes = &mut dst[at..at + 64];
    // SAFETY: `bytes` is 64 writable bytes; the store asks for no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), v) }
}

/// Fills `bytes`, of which there must be at most 64, with the first of `v`.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn store_partial(bytes: &mut [MaybeUninit<u8>], v: __m512i) {
    debug_assert!(bytes.len() <= 64);
    // SAFETY: lanes that are not in the mask are not written; `low_bits` never has more of them than `bytes.len()`.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), low_bits(bytes.len()), v) }
}

/// [`store_partial`] where there are bytes already.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn overwrite(bytes: &mut [u8], v: __m512i) {
    // SAFETY: what a vector store writes is initialised.
    store_partial(unsafe { as_uninit(bytes) }, v);
}

/// Fills `bytes` with the first `first` of `v[0]`, or fewer if they are full, and then with the first of `v[1]`. Of
/// neither there must be more than 64.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn store_two_partial(bytes: &mut [MaybeUninit<u8>], first: usize, v: [__m512i; 2]) {
    let first = first.min(bytes.len());
    let second = bytes.len() - first;
    debug_assert!(first <= 64 && second <= 64);
    // A store without a single lane is slow where its address is no memory, as that after the last byte may be.
    let at = if second == 0 { 0 } else { first };
    // SAFETY: lanes that are not in the mask are not written; `low_bits` never has more of them than `first`, which
    // there are.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), low_bits(first), v[0]) }
    // SAFETY: likewise at most `second` bytes at `at`, if there are any: then `at` is `first`, after which there are.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().add(at).cast(), low_bits(second), v[1]) }
}

/// Fills `units` with the first of both of `v`, of which there must be at most 64 words.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn store_units(units: &mut [[MaybeUninit<u8>; 2]], v: [__m512i; 2]) {
    debug_assert!(units.len() <= 64);
    let lanes = low_bits(units.len());
    // A store without a single lane is slow where its address is no memory, as that after the last unit may be.
    let at = if units.len() > 32 { 32 } else { 0 };
    // SAFETY: lanes that are not in the mask are not written, so at most the first 32 units are that there are.
    unsafe { _mm512_mask_storeu_epi16(units.as_mut_ptr().cast(), lanes as u32, v[0]) }
    // SAFETY: likewise at most those after the first 32, if there are any; if not, no lane is in the mask.
    unsafe { _mm512_mask_storeu_epi16(units.as_mut_ptr().add(at).cast(), (lanes >> 32) as u32, v[1]) }
}

/// The bytes of `v` that `keep` names, one after the other; what follows them is of no meaning.
#[inline]
#[target_feature(enable = "avx512vbmi2")]
pub(crate) fn compress(keep: u64, v: __m512i) -> __m512i {
    // Not the form that zeroes the rest: on Zen 5 that waits for the last use of its destination register.
    _mm512_mask_compress_epi8(v, keep, v)
}

/// How far a conversion has got, at a character boundary. In bytes.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub read: usize,
    pub written: usize,
}

impl Position {
    pub(crate) const START: Self = Self { read: 0, written: 0 };

    #[inline(always)]
    pub(crate) fn advance(&mut self, read: usize, written: usize) {
        self.read += read;
        self.written += written;
    }
}

// Operands of a function of three bits, as its truth table names them: `{ A & B | C }` is the immediate of
// `_mm512_ternarylogic` for that function, and `SELECT` takes from A where C is set and from B where it is not.
pub(crate) const A: i32 = 0b1111_0000;
pub(crate) const B: i32 = 0b1100_1100;
pub(crate) const C: i32 = 0b1010_1010;
pub(crate) const SELECT: i32 = A & C | B & !C;

/// The lowest `count` bits, of which there must be at most 64. Whatever it is, there are never more than `count`:
/// masked loads and stores rest on it.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn low_bits(count: usize) -> u64 {
    debug_assert!(count <= 64);
    #[cfg(target_arch = "x86_64")]
    {
        _bzhi_u64(!0, count as u32)
    }
    #[cfg(target_arch = "x86")]
    {
        if count < 64 { (1 << count) - 1 } else { !0 }
    }
}
