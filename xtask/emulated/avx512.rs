//! The intrinsics that AVX-512's kernels use, in plain Rust. In a copy of the library, these stand for those of
//! `core::arch`: so the kernels run on CPUs that do not have AVX-512 (`cargo xtask emulate`).
//!
//! Each function has the name and the signature of the intrinsic, and does what the pseudocode in Intel's Intrinsics
//! Guide says, one element after the other. They are meant to be obviously right, not fast. `../src/emulate/tests.rs`
//! compares them with the intrinsics where the CPU has them, and with those of AVX2 and BMI2 that do the same with fewer
//! bytes.
#![allow(non_camel_case_types, clippy::too_many_arguments, clippy::missing_safety_doc, clippy::modulo_one)]

use core::array::from_fn;

pub type __mmask16 = u16;
pub type __mmask32 = u32;
pub type __mmask64 = u64;

/// 64 bytes: elements of any size, in little-endian order.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct __m512i(pub [u8; 64]);

#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct __m256i(pub [u8; 32]);

/// Elements of a vector.
trait Elements<const N: usize>: Sized {
    fn of(v: __m512i) -> [Self; N];
    fn vector(elements: [Self; N]) -> __m512i;
}

macro_rules! elements {
    ($($number:ty, $count:literal;)*) => {$(
        impl Elements<$count> for $number {
            #[inline(always)]
            fn of(v: __m512i) -> [Self; $count] {
                const SIZE: usize = size_of::<$number>();
                from_fn(|k| Self::from_le_bytes(from_fn(|byte| v.0[SIZE * k + byte])))
            }
            #[inline(always)]
            fn vector(elements: [Self; $count]) -> __m512i {
                const SIZE: usize = size_of::<$number>();
                __m512i(from_fn(|byte| elements[byte / SIZE].to_le_bytes()[byte % SIZE]))
            }
        }
    )*};
}

elements! {
    u8, 64;
    i8, 64;
    u16, 32;
    i16, 32;
    u32, 16;
    i32, 16;
    u64, 8;
    i64, 8;
}

/// Intrinsics that compute each element of the result from those in the same place.
macro_rules! each_element {
    ($(fn $name:ident $(<const $n:ident: $int:ty>)? ($($v:ident),+) of $number:ty = $result:expr;)*) => {$(
        #[inline(always)]
        pub fn $name $(<const $n: $int>)? ($($v: __m512i),+) -> __m512i {
            $(let $v = <$number>::of($v);)+
            <$number>::vector(from_fn(|k| {
                $(let $v = $v[k];)+
                $result
            }))
        }
    )*};
}

/// Intrinsics that return the mask of the places in which a condition holds for the elements.
macro_rules! compare {
    ($($mask:ident { $(fn $name:ident($($v:ident),+) of $number:ty = $holds:expr;)* })*) => {$($(
        #[inline(always)]
        pub fn $name($($v: __m512i),+) -> $mask {
            $(let $v = <$number>::of($v);)+
            (0..512 / <$number>::BITS).fold(0, |mask, k| {
                $(let $v = $v[k as usize];)+
                mask | $mask::from($holds) << k
            })
        }
    )*)*};
}

/// The results of other intrinsics where the mask has a bit, otherwise the elements of the first argument.
macro_rules! masked {
    ($(fn $name:ident $(<const $n:ident: $int:ty>)? ($mask:ty $(, $v:ident)+) of $number:ty = $result:expr;)*) => {$(
        #[inline(always)]
        pub fn $name $(<const $n: $int>)? (src: __m512i, k: $mask $(, $v: __m512i)+) -> __m512i {
            let (src, a) = (<$number>::of(src), <$number>::of($result));
            <$number>::vector(from_fn(|at| if is_set(k.into(), at) { a[at] } else { src[at] }))
        }
    )*};
}

#[inline(always)]
fn is_set(mask: u64, k: usize) -> bool {
    mask >> k & 1 == 1
}

// Loads and stores: those with a mask touch only what it selects.

#[inline(always)]
pub unsafe fn _mm512_loadu_si512(from: *const __m512i) -> __m512i {
    // SAFETY: as the caller promises.
    __m512i(unsafe { from.cast::<[u8; 64]>().read_unaligned() })
}

#[inline(always)]
pub unsafe fn _mm512_storeu_si512(to: *mut __m512i, a: __m512i) {
    // SAFETY: as the caller promises.
    unsafe { to.cast::<[u8; 64]>().write_unaligned(a.0) }
}

#[inline(always)]
pub unsafe fn _mm512_maskz_loadu_epi8(k: __mmask64, from: *const i8) -> __m512i {
    let mut out = [0; 64];
    for (at, byte) in out.iter_mut().enumerate() {
        if is_set(k, at) {
            // SAFETY: the caller promises it for the bytes that the mask selects.
            *byte = unsafe { from.add(at).cast::<u8>().read() };
        }
    }
    __m512i(out)
}

#[inline(always)]
pub unsafe fn _mm512_mask_storeu_epi8(to: *mut i8, k: __mmask64, a: __m512i) {
    for (at, byte) in a.0.into_iter().enumerate() {
        if is_set(k, at) {
            // SAFETY: the caller promises it for the bytes that the mask selects.
            unsafe { to.add(at).cast::<u8>().write(byte) };
        }
    }
}

#[inline(always)]
pub unsafe fn _mm512_mask_storeu_epi16(to: *mut i16, k: __mmask32, a: __m512i) {
    for (at, word) in i16::of(a).into_iter().enumerate() {
        if is_set(k.into(), at) {
            // SAFETY: the caller promises it for the words that the mask selects.
            unsafe { to.add(at).write_unaligned(word) };
        }
    }
}

// Constants.

#[inline(always)]
pub fn _mm512_setzero_si512() -> __m512i {
    __m512i([0; 64])
}

macro_rules! set1 {
    ($(fn $name:ident($number:ty);)*) => {$(
        #[inline(always)]
        pub fn $name(a: $number) -> __m512i {
            <$number>::vector(from_fn(|_| a))
        }
    )*};
}

set1! {
    fn _mm512_set1_epi8(i8);
    fn _mm512_set1_epi16(i16);
    fn _mm512_set1_epi32(i32);
    fn _mm512_set1_epi64(i64);
}

/// The last argument is the first element.
#[inline(always)]
pub fn _mm512_set4_epi32(d: i32, c: i32, b: i32, a: i32) -> __m512i {
    i32::vector(from_fn(|k| [a, b, c, d][k % 4]))
}

#[inline(always)]
pub fn _mm512_setr_epi64(e0: i64, e1: i64, e2: i64, e3: i64, e4: i64, e5: i64, e6: i64, e7: i64) -> __m512i {
    i64::vector([e0, e1, e2, e3, e4, e5, e6, e7])
}

// Bitwise logic.

each_element! {
    fn _mm512_and_si512(a, b) of u8 = a & b;
    fn _mm512_or_si512(a, b) of u8 = a | b;
    fn _mm512_xor_si512(a, b) of u8 = a ^ b;
    fn _mm512_andnot_si512(a, b) of u8 = !a & b;
}

/// Three bits, that of `a` the highest, are the number of a bit of `IMM8`: the result.
#[inline(always)]
pub fn _mm512_ternarylogic_epi32<const IMM8: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    __m512i(from_fn(|k| {
        let (a, b, c) = (a.0[k], b.0[k], c.0[k]);
        let has = |number: u8, index: u8, byte: u8| if number & index != 0 { byte } else { !byte };
        let selected = (0..8).filter(|number| IMM8 >> number & 1 == 1);
        selected.fold(0, |all, number| all | has(number, 4, a) & has(number, 2, b) & has(number, 1, c))
    }))
}

#[inline(always)]
pub fn _mm512_ternarylogic_epi64<const IMM8: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<IMM8>(a, b, c) // they differ with a mask only
}

// Shifts: by as many bits as the element has, or more, the result is 0.

each_element! {
    fn _mm512_slli_epi16<const IMM8: u32>(a) of u16 = a.checked_shl(IMM8).unwrap_or(0);
    fn _mm512_slli_epi32<const IMM8: u32>(a) of u32 = a.checked_shl(IMM8).unwrap_or(0);
    fn _mm512_srli_epi16<const IMM8: u32>(a) of u16 = a.checked_shr(IMM8).unwrap_or(0);
    fn _mm512_srli_epi32<const IMM8: u32>(a) of u32 = a.checked_shr(IMM8).unwrap_or(0);
    // The upper half of `a` and `b` as one number, shifted left.
    fn _mm512_shldi_epi16<const IMM8: i32>(a, b) of u16 = ((u32::from(a) << 16 | u32::from(b)) << (IMM8 & 15) >> 16) as u16;
    fn _mm512_shldi_epi32<const IMM8: i32>(a, b) of u32 = ((u64::from(a) << 32 | u64::from(b)) << (IMM8 & 31) >> 32) as u32;
}

// Arithmetic.

each_element! {
    fn _mm512_add_epi8(a, b) of u8 = a.wrapping_add(b);
    fn _mm512_add_epi16(a, b) of u16 = a.wrapping_add(b);
    fn _mm512_add_epi32(a, b) of u32 = a.wrapping_add(b);
    fn _mm512_sub_epi32(a, b) of u32 = a.wrapping_sub(b);
    fn _mm512_add_epi64(a, b) of u64 = a.wrapping_add(b);
    fn _mm512_sub_epi16(a, b) of u16 = a.wrapping_sub(b);
    fn _mm512_subs_epu8(a, b) of u8 = a.saturating_sub(b);
    fn _mm512_min_epu8(a, b) of u8 = a.min(b);
    fn _mm512_min_epu16(a, b) of u16 = a.min(b);
    fn _mm512_max_epu8(a, b) of u8 = a.max(b);
    fn _mm512_max_epu32(a, b) of u32 = a.max(b);
    fn _mm512_max_epu16(a, b) of u16 = a.max(b);
}

#[inline(always)]
pub fn _mm512_reduce_add_epi32(a: __m512i) -> i32 {
    u32::of(a).into_iter().fold(0, u32::wrapping_add) as i32
}

/// In each quad word the sum of 8 differences of bytes.
#[inline(always)]
pub fn _mm512_sad_epu8(a: __m512i, b: __m512i) -> __m512i {
    u64::vector(from_fn(|k| (8 * k..8 * k + 8).map(|at| u64::from(a.0[at].abs_diff(b.0[at]))).sum()))
}

#[inline(always)]
pub fn _mm512_reduce_add_epi64(a: __m512i) -> i64 {
    i64::of(a).into_iter().fold(0, i64::wrapping_add)
}

// Comparisons, and other masks.

compare! {
    __mmask64 {
        fn _mm512_cmpge_epu8_mask(a, b) of u8 = a >= b;
        fn _mm512_cmplt_epu8_mask(a, b) of u8 = a < b;
        fn _mm512_cmpneq_epi8_mask(a, b) of u8 = a != b;
        fn _mm512_cmpgt_epi8_mask(a, b) of i8 = a > b;
        fn _mm512_cmpgt_epu8_mask(a, b) of u8 = a > b;
        fn _mm512_cmplt_epi8_mask(a, b) of i8 = a < b;
        fn _mm512_test_epi8_mask(a, b) of u8 = a & b != 0;
        fn _mm512_movepi8_mask(a) of i8 = a < 0;
    }
    __mmask32 {
        fn _mm512_cmpeq_epi16_mask(a, b) of u16 = a == b;
        fn _mm512_cmpge_epu16_mask(a, b) of u16 = a >= b;
        fn _mm512_cmplt_epu16_mask(a, b) of u16 = a < b;
        fn _mm512_test_epi16_mask(a, b) of u16 = a & b != 0;
    }
    __mmask16 {
        fn _mm512_cmpgt_epu32_mask(a, b) of u32 = a > b;
        fn _mm512_cmpneq_epi32_mask(a, b) of u32 = a != b;
        fn _mm512_test_epi32_mask(a, b) of u32 = a & b != 0;
    }
}

macro_rules! compare_some {
    ($(fn $name:ident by $all:ident;)*) => {$(
        #[inline(always)]
        pub fn $name(k: __mmask64, a: __m512i, b: __m512i) -> __mmask64 {
            k & $all(a, b)
        }
    )*};
}

compare_some! {
    fn _mm512_mask_cmpge_epu8_mask by _mm512_cmpge_epu8_mask;
    fn _mm512_mask_cmplt_epu8_mask by _mm512_cmplt_epu8_mask;
}

// Bytes moved within lanes of 16.

/// In each lane the bytes of `a` whose numbers are in `b`, or 0 if bit 7 is set there.
#[inline(always)]
pub fn _mm512_shuffle_epi8(a: __m512i, b: __m512i) -> __m512i {
    let lane = |k: usize| k / 16 * 16;
    __m512i(from_fn(|k| if b.0[k] >= 0x80 { 0 } else { a.0[lane(k) + usize::from(b.0[k] & 15)] }))
}

/// In each lane the bytes of `b` and then `a`, from `IMM8` on.
#[inline(always)]
pub fn _mm512_alignr_epi8<const IMM8: i32>(a: __m512i, b: __m512i) -> __m512i {
    __m512i(from_fn(|k| {
        let lane = k / 16 * 16;
        match k % 16 + IMM8 as usize {
            from @ 0..16 => b.0[lane + from],
            from @ 16..32 => a.0[lane + from - 16],
            _ => 0,
        }
    }))
}

/// Half of each lane of `a` and of `b`, their elements in turn.
macro_rules! unpack {
    ($(fn $name:ident of $number:ty, half $half:literal;)*) => {$(
        #[inline(always)]
        pub fn $name(a: __m512i, b: __m512i) -> __m512i {
            const LANE: usize = 16 / size_of::<$number>();
            let (a, b) = (<$number>::of(a), <$number>::of(b));
            <$number>::vector(from_fn(|k| {
                let from = k / LANE * LANE + $half * LANE / 2 + k % LANE / 2;
                if k % 2 == 0 { a[from] } else { b[from] }
            }))
        }
    )*};
}

unpack! {
    fn _mm512_unpacklo_epi8 of u8, half 0;
    fn _mm512_unpackhi_epi8 of u8, half 1;
    fn _mm512_unpacklo_epi16 of u16, half 0;
    fn _mm512_unpackhi_epi16 of u16, half 1;
}

// Elements moved across the whole vector.

/// The double words of `b` and then `a`, from `IMM8` on.
#[inline(always)]
pub fn _mm512_alignr_epi32<const IMM8: i32>(a: __m512i, b: __m512i) -> __m512i {
    let (a, b) = (u32::of(a), u32::of(b));
    u32::vector(from_fn(|k| match k + (IMM8 & 15) as usize {
        from @ 0..16 => b[from],
        from => a[from - 16],
    }))
}

#[inline(always)]
pub fn _mm512_permutexvar_epi8(idx: __m512i, a: __m512i) -> __m512i {
    __m512i(from_fn(|k| a.0[usize::from(idx.0[k] & 63)]))
}

#[inline(always)]
pub fn _mm512_permutexvar_epi64(idx: __m512i, a: __m512i) -> __m512i {
    _mm512_permutex2var_epi64(a, idx, a)
}

/// Bit 3 of an index is set for a quad word of `b`.
#[inline(always)]
pub fn _mm512_permutex2var_epi64(a: __m512i, idx: __m512i, b: __m512i) -> __m512i {
    let (a, b) = (u64::of(a), u64::of(b));
    u64::vector(u64::of(idx).map(|idx| if idx & 8 == 0 { a } else { b }[(idx & 7) as usize]))
}

/// Bit 6 of an index is set for a byte of `b`.
#[inline(always)]
pub fn _mm512_permutex2var_epi8(a: __m512i, idx: __m512i, b: __m512i) -> __m512i {
    __m512i(idx.0.map(|idx| if idx & 64 == 0 { a.0 } else { b.0 }[usize::from(idx & 63)]))
}

/// The elements of `a` that the mask selects, side by side, and then those of `src` that stand there.
macro_rules! compress {
    ($(fn $name:ident($mask:ty), $size:literal bytes;)*) => {$(
        #[inline(always)]
        pub fn $name(src: __m512i, k: $mask, a: __m512i) -> __m512i {
            let mut out = src.0;
            let selected = (0..64 / $size).filter(|&at| is_set(k.into(), at));
            for (to, from) in selected.enumerate() {
                out[$size * to..][..$size].copy_from_slice(&a.0[$size * from..][..$size]);
            }
            __m512i(out)
        }
    )*};
}

compress! {
    fn _mm512_mask_compress_epi8(__mmask64), 1 bytes;
    fn _mm512_mask_compress_epi16(__mmask32), 2 bytes;
    fn _mm512_mask_compress_epi32(__mmask16), 4 bytes;
}

/// Bit `i` of the result is the parity of `x` and byte `7 - i` of the matrix, which is a quad word of `a`.
#[inline(always)]
pub fn _mm512_gf2p8affine_epi64_epi8<const B: i32>(x: __m512i, a: __m512i) -> __m512i {
    __m512i(from_fn(|k| {
        let matrix = k / 8 * 8;
        let parity = |i: usize| (a.0[matrix + 7 - i] & x.0[k]).count_ones() as u8 & 1;
        (0..8).fold(0, |byte, i| byte | parity(i) << i) ^ B as u8
    }))
}

// To and from vectors of 32 bytes.

#[inline(always)]
pub fn _mm512_castsi512_si256(a: __m512i) -> __m256i {
    __m256i(from_fn(|k| a.0[k]))
}

#[inline(always)]
pub fn _mm512_extracti64x4_epi64<const IMM1: i32>(a: __m512i) -> __m256i {
    __m256i(from_fn(|k| a.0[32 * (IMM1 & 1) as usize + k]))
}

#[inline(always)]
pub fn _mm512_cvtepu8_epi16(a: __m256i) -> __m512i {
    u16::vector(a.0.map(u16::from))
}

// Numbers.

/// `a` without the bits from `index` on; only the lower 8 bits of `index` count.
#[inline(always)]
pub fn _bzhi_u64(a: u64, index: u32) -> u64 {
    match index & 0xFF {
        index @ 0..64 => a & ((1 << index) - 1),
        _ => a,
    }
}

/// The lowest bits of `a` at the places of the bits of `mask`.
#[inline(always)]
pub fn _pdep_u64(a: u64, mask: u64) -> u64 {
    let (mut result, mut from, mut to) = (0, a, mask);
    while to != 0 {
        result |= (to & to.wrapping_neg()) * (from & 1);
        (from, to) = (from >> 1, to & (to - 1));
    }
    result
}

// With a mask: where it has no bit, bytes are 0, or the elements stay those of the first argument.

#[inline(always)]
pub fn _mm512_maskz_mov_epi8(k: __mmask64, a: __m512i) -> __m512i {
    _mm512_mask_mov_epi8(_mm512_setzero_si512(), k, a)
}

#[inline(always)]
pub fn _mm512_maskz_permutexvar_epi8(k: __mmask64, idx: __m512i, a: __m512i) -> __m512i {
    _mm512_maskz_mov_epi8(k, _mm512_permutexvar_epi8(idx, a))
}

#[inline(always)]
pub fn _mm512_maskz_gf2p8affine_epi64_epi8<const B: i32>(k: __mmask64, x: __m512i, a: __m512i) -> __m512i {
    _mm512_maskz_mov_epi8(k, _mm512_gf2p8affine_epi64_epi8::<B>(x, a))
}

masked! {
    fn _mm512_mask_srli_epi16<const IMM8: u32>(__mmask32, a) of u16 = _mm512_srli_epi16::<IMM8>(a);
    fn _mm512_mask_add_epi32(__mmask16, a, b) of u32 = _mm512_add_epi32(a, b);
    fn _mm512_mask_add_epi8(__mmask64, a, b) of u8 = _mm512_add_epi8(a, b);
    fn _mm512_mask_add_epi16(__mmask32, a, b) of u16 = _mm512_add_epi16(a, b);
    fn _mm512_mask_mov_epi8(__mmask64, a) of u8 = a;
    fn _mm512_mask_mov_epi32(__mmask16, a) of u32 = a;
    fn _mm512_mask_mov_epi16(__mmask32, a) of u16 = a;
    fn _mm512_mask_shuffle_epi8(__mmask64, a, b) of u8 = _mm512_shuffle_epi8(a, b);
    fn _mm512_mask_permutexvar_epi8(__mmask64, idx, a) of u8 = _mm512_permutexvar_epi8(idx, a);
}
