//! AVX-512 as in Ice Lake and Zen 4: F, BW, VL, DQ, VBMI, VBMI2, GFNI, BITALG, and BMI1, BMI2, LZCNT, POPCNT. It
//! permutes bytes across the whole register and compresses them by a mask, so it has larger kernels of its own.

use self::arch::*;
use super::detect::{Detected, Set};
use crate::output::Output;
use crate::parts::Parts;
use crate::simd::Simd;

/// The intrinsics. `cargo xtask emulate` has others here.
pub(crate) mod arch {
    cfg_if::cfg_if! {
        if #[cfg(target_arch = "x86")] {
            pub(crate) use core::arch::x86::*;
        } else {
            pub(crate) use core::arch::x86_64::*;
        }
    }
}

/// Lets a function use the features that the token proves.
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
    pub(crate) fn new(found: Detected) -> Option<Self> {
        found.has(Set::Avx512).then_some(Self(()))
    }
}

vector!(U8x64(__m512i), _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512);

impl Simd for Avx512 {
    type V = U8x64;
    const WIDTH: usize = 64;

    vectorize_by_token!();

    #[inline(always)]
    fn load(self, src: &[u8], at: usize) -> Self::V {
        let bytes = src.expect_chunk::<64>(at);
        // SAFETY: `bytes` is 64 readable bytes; the load needs no alignment, and `self` proves the feature.
        U8x64(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    register_ops! {
        fn bitmask(a: U8x64) -> u64 { _mm512_movepi8_mask(a.0) }
    }
}

// The kernels of this instruction set access memory with these functions; everything else in them is safe code. A
// function names the features it uses, and its callers have them too, or they could not call it without `unsafe`.

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

/// Makes a function that fills a vector with a constant, which its caller has to know at compile time. The compiler stores a
/// constant of 64 bytes with each function that uses it, and keeps those of functions that nothing calls. So the frequent ones
/// are here, once. (Not as statics, whose addresses are loaded first: short strings took 4 to 9 % longer. And not all of them: a
/// load hinders the compiler in inlining.)
macro_rules! splat {
    ($(#[$doc:meta])* $name:ident($value:ident: $ty:ty) $intrinsic:ident($signed:ty) $($known:literal)*) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512bw")]
        pub(crate) fn $name($value: $ty) -> __m512i {
            match $value {
                $($known => {
                    const FULL: &Table = &filled(&<$ty>::to_le_bytes($known));
                    FULL.load()
                })*
                _ => $intrinsic($value as $signed),
            }
        }
    };
}
splat! {
    /// A constant in all bytes.
    splat8(byte: u8) _mm512_set1_epi8(i8)
    0x01 0x02 0x03 0x07 0x0F 0x3F 0x7F 0xBF 0xC0 0xC2 0xC4 0xD7 0xDC 0xDF 0xE0 0xEF 0xF0 0xF5
}
splat! {
    /// A constant in all words.
    splat16(word: u16) _mm512_set1_epi16(i16)
    0x0001 0x003F 0x0080 0x0100 0x0800 0x13FF 0x3F3F 0x80C0 0x80E0 0x80FF 0x8080 0xC0FF 0xD800 0xDC00 0xE840 0xF0FF 0xF800 0xFC00 0xFF00
}

/// `bytes`, repeated.
pub(crate) const fn filled(bytes: &[u8]) -> Table {
    let mut table = [0; 64];
    let mut k = 0;
    while k < 64 {
        table[k] = bytes[k % bytes.len()];
        k += 1;
    }
    Table(table)
}

/// The 64 bytes at `src[at..]`. Panics if there are fewer.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn load(src: &[u8], at: usize) -> __m512i {
    let bytes = src.expect_chunk::<64>(at);
    // SAFETY: `bytes` is 64 readable bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// `bytes`, at most 64, padded with zeros. In a loop, its constants are loaded early: a short text should not go there.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
pub(crate) fn load_partial(bytes: &[u8]) -> __m512i {
    debug_assert!(bytes.len() <= 64);
    if crosses_page(bytes.as_ptr().addr(), 64) {
        rarely();
        return load_last(bytes);
    }
    // SAFETY: elements outside the mask are not read, and `low_bits` never sets more than `bytes.len()` bits.
    unsafe { _mm512_maskz_loadu_epi8(low_bits(bytes.len()), bytes.as_ptr().cast()) }
}

/// The first 64 of `bytes`, at most 128, and the others, padded with zeros.
#[allow(dead_code)] // not every set of features needs it
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
pub(crate) fn load_two_partial(bytes: &[u8]) -> [__m512i; 2] {
    debug_assert!(bytes.len() <= 128);
    let (first, second) = bytes.split_at(bytes.len().min(64));
    if crosses_page(bytes.as_ptr().addr(), 128) {
        rarely();
        return [load_last(first), load_last(second)];
    }
    // A load with an empty mask is slow if its address is not mapped, as may be the case right after the last byte.
    let second_at = if second.is_empty() { bytes.as_ptr() } else { second.as_ptr() };
    // SAFETY: elements outside the mask are not read, and `low_bits` never sets more than `first.len()` bits.
    let low = unsafe { _mm512_maskz_loadu_epi8(low_bits(first.len()), first.as_ptr().cast()) };
    // SAFETY: likewise. Without a second part, no element is read.
    let high = unsafe { _mm512_maskz_loadu_epi8(low_bits(second.len()), second_at.cast()) };
    [low, high]
}

/// Whether `len` bytes from this address on are in two pages of memory. No page is smaller than this.
#[inline(always)]
fn crosses_page(address: usize, len: usize) -> bool {
    address % 4096 > 4096 - len
}

/// Tells the compiler that the branch in which it stands is seldom taken.
#[cold]
#[inline(always)]
fn rarely() {}

/// The number of each byte of a vector.
static INDICES: Table = {
    let mut table = [0; 64];
    let mut k = 0;
    while k < 64 {
        table[k] = k as u8;
        k += 1;
    }
    Table(table)
};

/// [`load_partial`] for bytes near the end of a page. If the next page is not mapped, a masked load that reaches into it
/// takes 50 times as long: the CPU learns from a fault that no element there is selected.
///
/// So this selects the last elements of the 64 bytes that end where `bytes` do, not the first of those that start there.
/// They are in the page where `bytes` start, or in pages that `bytes` are in.
///
/// Inlined: with a call, a short text would need a stack frame.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
fn load_last(bytes: &[u8]) -> __m512i {
    debug_assert!(bytes.len() <= 64);
    let (len, first) = (bytes.len().min(64), bytes.as_ptr().wrapping_add(bytes.len()).wrapping_sub(64));
    // SAFETY: elements outside the mask are not read. It has all bits but the lowest `64 - len`, which `low_bits` sets
    // exactly, and the last `len` of the 64 elements before the end of `bytes` are in it.
    let last = unsafe { _mm512_maskz_loadu_epi8(!low_bits(64 - len), first.cast()) };
    let from = _mm512_add_epi8(INDICES.load(), _mm512_set1_epi8((64 - len) as i8));
    _mm512_maskz_permutexvar_epi8(low_bits(len), from, last)
}

/// The last `len` bytes of the last 64 of `src`, with zeros in place of the others.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn load_end(src: &[u8], len: usize) -> __m512i {
    _mm512_maskz_mov_epi8(!low_bits(64 - len), load(src, src.len() - 64))
}

/// Whether a mask has any bit set: for answers of which only the disjunction matters. (A proof asks fewer of them.)
#[inline(always)]
pub(crate) fn any_bit(mask: __mmask64) -> bool {
    mask != 0
}

/// Writes `v` to `dst[at..at + 64]`. Panics if that is out of bounds.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn store(dst: &mut Output, at: usize, v: __m512i) {
    let bytes = dst.expect_part(at, 64);
    // SAFETY: `bytes` is 64 writable bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), v) }
}

/// Fills `bytes`, at most 64, with the first bytes of `v`.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
pub(crate) fn store_partial(bytes: &mut Output, v: __m512i) {
    debug_assert!(bytes.len() <= 64);
    if crosses_page(bytes.as_mut_ptr().addr(), 64) {
        rarely();
        return store_last(bytes, v);
    }
    // SAFETY: elements outside the mask are not written, and `low_bits` never sets more than `bytes.len()` bits.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), low_bits(bytes.len()), v) }
}

/// [`store_partial`] near the end of a page, where it would take as long as [`load_last`] says: writes the last elements
/// of a vector that ends with `bytes`.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
fn store_last(bytes: &mut Output, v: __m512i) {
    debug_assert!(bytes.len() <= 64);
    let (len, end) = (bytes.len().min(64), bytes.len());
    let first = bytes.as_mut_ptr().wrapping_add(end).wrapping_sub(64);
    let to = _mm512_add_epi8(INDICES.load(), _mm512_set1_epi8(len as i8));
    // SAFETY: elements outside the mask are not written. It has all bits but the lowest `64 - len`, which `low_bits` sets
    // exactly, and the last `len` of the 64 elements before the end of `bytes` are in it.
    unsafe { _mm512_mask_storeu_epi8(first.cast(), !low_bits(64 - len), _mm512_permutexvar_epi8(to, v)) }
}

/// [`store_partial`] to initialised memory.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
pub(crate) fn overwrite(bytes: &mut [u8], v: __m512i) {
    store_partial(Output::over(bytes), v);
}

/// Fills `bytes` with the first `first` bytes of `v[0]`, or fewer if it is full, and then with the first bytes of
/// `v[1]`. Neither part may be more than 64 bytes.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
pub(crate) fn store_two_partial(bytes: &mut Output, first: usize, v: [__m512i; 2]) {
    let first = first.min(bytes.len());
    let second = bytes.len() - first;
    debug_assert!(first <= 64 && second <= 64);
    if crosses_page(bytes.as_mut_ptr().addr(), 128) {
        rarely();
        return store_two_last(bytes, first, v);
    }
    // A store with an empty mask is slow if its address is not mapped, as may be the case right after the last byte.
    let at = if second == 0 { 0 } else { first };
    // SAFETY: elements outside the mask are not written, and `low_bits` never sets more than `first` bits, where
    // `first` is at most `bytes.len()`.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), low_bits(first), v[0]) }
    // SAFETY: likewise, at most `second` bytes at `at` are written. If there are any, `at` is `first`, after which
    // there are `second` bytes.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().add(at).cast(), low_bits(second), v[1]) }
}

/// [`store_two_partial`] near the end of a page, one after the other.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
fn store_two_last(bytes: &mut Output, first: usize, v: [__m512i; 2]) {
    let (a, b) = bytes.split_at_mut(first);
    store_last(a, v[0]);
    store_last(b, v[1]);
}

/// Fills `bytes`, the room of at most 64 words, with the first words of `v[0]` and then `v[1]`.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
pub(crate) fn store_units(bytes: &mut Output, v: [__m512i; 2]) {
    let units = bytes.len() / 2;
    debug_assert!(units <= 64);
    if crosses_page(bytes.as_mut_ptr().addr(), 128) {
        rarely();
        let first = bytes.len().min(64);
        return store_two_last(bytes, first, v);
    }
    let lanes = low_bits(units);
    // A store with an empty mask is slow if its address is not mapped, as may be the case right after the last unit.
    let at = if units > 32 { 64 } else { 0 };
    // SAFETY: elements outside the mask are not written, so only units that exist are, at most the first 32.
    unsafe { _mm512_mask_storeu_epi16(bytes.as_mut_ptr().cast(), lanes as u32, v[0]) }
    // SAFETY: likewise, at most the units after the first 32 are written, if there are any; if not, the mask is
    // empty.
    unsafe { _mm512_mask_storeu_epi16(bytes.as_mut_ptr().add(at).cast(), (lanes >> 32) as u32, v[1]) }
}

/// The bytes of `v` whose bits in `keep` are set, contiguously; the bytes after them are unspecified.
#[inline]
#[target_feature(enable = "avx512vbmi2")]
pub(crate) fn compress(keep: u64, v: __m512i) -> __m512i {
    // Not the form that zeroes the rest: on Zen 5, it waits for the last use of its destination register.
    _mm512_mask_compress_epi8(v, keep, v)
}

// Operands for building the truth table of a function of three bits: `{ A & B | C }` is the immediate of
// `_mm512_ternarylogic` for that function. `SELECT` takes A where C is set, otherwise B.
pub(crate) const A: i32 = 0b1111_0000;
pub(crate) const B: i32 = 0b1100_1100;
pub(crate) const C: i32 = 0b1010_1010;
pub(crate) const SELECT: i32 = A & C | B & !C;

/// The lowest `count` bits, where `count` must be at most 64. Whatever `count` is, no more than `count` bits are set, and
/// exactly `count` up to 64: masked loads and stores rely on this.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn low_bits(count: usize) -> u64 {
    debug_assert!(count <= 64);
    cfg_if::cfg_if! {
        if #[cfg(target_arch = "x86_64")] {
            _bzhi_u64(!0, count as u32)
        } else {
            if count < 64 { (1 << count) - 1 } else { !0 }
        }
    }
}
