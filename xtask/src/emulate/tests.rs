//! Compares the emulated intrinsics with real ones, on operands of many kinds.

/// The operands of a call: three vectors, a mask and a number.
#[derive(Clone, Copy, Debug)]
struct Operands {
    vectors: [[u8; 64]; 3],
    mask: u64,
    number: u64,
}

/// Calls as text, and their results as bytes.
type Results = Vec<(&'static str, Vec<u8>)>;

/// Return values as bytes.
trait Bytes {
    fn bytes(self) -> Vec<u8>;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Bytes for $number {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
        }
    )*};
}
numbers!(u16, u32, u64, i32, i64);

macro_rules! vectors {
    ($($vector:ty: $size:literal;)*) => {$(
        impl Bytes for $vector {
            fn bytes(self) -> Vec<u8> {
                // SAFETY: both have this size.
                unsafe { core::mem::transmute::<Self, [u8; $size]>(self) }.to_vec()
            }
        }
    )*};
}
vectors! {
    super::avx512::__m512i: 64;
    super::avx512::__m256i: 32;
    core::arch::x86_64::__m512i: 64;
    core::arch::x86_64::__m256i: 32;
}

impl Bytes for [u8; 64] {
    fn bytes(self) -> Vec<u8> {
        self.to_vec()
    }
}

macro_rules! list {
    ($($call:expr;)*) => { vec![$((stringify!($call), Bytes::bytes($call))),*] };
}

macro_rules! loaded {
    ($call:expr) => {{
        // SAFETY: there are as many bytes as the mask selects.
        unsafe { $call }
    }};
}

macro_rules! stored {
    ($to:ident => $call:expr) => {{
        let mut $to = [7u8; 64];
        // SAFETY: there are as many bytes as the mask selects.
        unsafe { $call };
        $to
    }};
}

/// Calls the intrinsics of BMI2, and those with an equivalent for 32 bytes in AVX2. Names are resolved in the module
/// that calls the macro.
macro_rules! known_to_avx2 {
    ($operands:expr) => {{
        let Operands { vectors, mask: _, number } = $operands;
        // SAFETY: all of them are 64 bytes.
        let [a, b, _] = vectors.map(|bytes| unsafe { core::mem::transmute::<[u8; 64], __m512i>(bytes) });
        list! {
            _mm512_set1_epi8(number as i8); _mm512_set1_epi16(number as i16); _mm512_set1_epi32(number as i32);
            _mm512_set1_epi64(number as i64); _mm512_and_si512(a, b); _mm512_or_si512(a, b);
            _mm512_xor_si512(a, b); _mm512_andnot_si512(a, b); _mm512_slli_epi16::<0>(a);
            _mm512_slli_epi16::<1>(a); _mm512_slli_epi16::<8>(a); _mm512_slli_epi16::<15>(a);
            _mm512_slli_epi16::<16>(a); _mm512_slli_epi32::<2>(a); _mm512_slli_epi32::<31>(a);
            _mm512_slli_epi32::<32>(a); _mm512_srli_epi16::<0>(a); _mm512_srli_epi16::<2>(a);
            _mm512_srli_epi16::<15>(a); _mm512_srli_epi16::<16>(a); _mm512_srli_epi32::<10>(a);
            _mm512_srli_epi32::<26>(a); _mm512_srli_epi32::<32>(a); _mm512_add_epi8(a, b); _mm512_add_epi16(a, b);
            _mm512_add_epi32(a, b); _mm512_add_epi64(a, b); _mm512_sub_epi16(a, b); _mm512_subs_epu8(a, b);
            _mm512_min_epu8(a, b); _mm512_min_epu16(a, b); _mm512_max_epu8(a, b); _mm512_max_epu16(a, b);
            _mm512_sad_epu8(a, b); _mm512_movepi8_mask(a);
            _mm512_shuffle_epi8(a, b); _mm512_alignr_epi8::<0>(a, b); _mm512_alignr_epi8::<1>(a, b);
            _mm512_alignr_epi8::<13>(a, b); _mm512_alignr_epi8::<16>(a, b); _mm512_alignr_epi8::<31>(a, b);
            _mm512_alignr_epi8::<32>(a, b); _mm512_unpacklo_epi8(a, b); _mm512_unpackhi_epi8(a, b);
            _mm512_unpacklo_epi16(a, b); _mm512_unpackhi_epi16(a, b); _bzhi_u64(number, (number >> 32) as u32);
            _bzhi_u64(number, (number >> 32) as u32 & 0xFF); _bzhi_u64(number, (number >> 32) as u32 & 63);
            _bzhi_u64(!0, 63); _bzhi_u64(!0, 64); _bzhi_u64(!0, 256); _pdep_u64(number, number.swap_bytes());
            _pdep_u64(1 << (number & 63), !number); _pdep_u64(number, !0); _pdep_u64(!0, number);
        }
    }};
}

/// Calls all other intrinsics.
macro_rules! only_avx512 {
    ($operands:expr) => {{
        let Operands { vectors, mask: k, number } = $operands;
        // SAFETY: all of them are 64 bytes.
        let [a, b, c] = vectors.map(|bytes| unsafe { core::mem::transmute::<[u8; 64], __m512i>(bytes) });
        let half: __m256i = _mm512_castsi512_si256(a);
        let memory: [u8; 128] = core::array::from_fn(|k| vectors[k / 64][k % 64]);
        let (from, len) = (&memory[1..65], (number >> 8) as usize % 65);
        let low = (!0u64).checked_shr(64 - len as u32).unwrap_or(0);
        list! {
            loaded!(_mm512_loadu_si512(from.as_ptr().cast()));
            loaded!(_mm512_maskz_loadu_epi8(k, from.as_ptr().cast()));
            loaded!(_mm512_maskz_loadu_epi8(low, from[..len].as_ptr().cast()));
            stored!(to => _mm512_storeu_si512(to.as_mut_ptr().cast(), a));
            stored!(to => _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), k, a));
            stored!(to => _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), k as u32, a));
            stored!(to => _mm512_mask_storeu_epi16(to[1..].as_mut_ptr().cast(), k as u32 >> 1, a));
            _mm512_setzero_si512(); _mm512_set4_epi32(number as i32, k as i32, 3, 4);
            _mm512_setr_epi64(number as i64, k as i64, 3, 4, 5, 6, 7, 8);
            _mm512_ternarylogic_epi32::<0x00>(a, b, c); _mm512_ternarylogic_epi32::<0x1E>(a, b, c);
            _mm512_ternarylogic_epi32::<0xD8>(a, b, c); _mm512_ternarylogic_epi32::<0xEA>(a, b, c);
            _mm512_ternarylogic_epi32::<0xA8>(a, b, c); _mm512_ternarylogic_epi32::<0x6A>(a, b, c);
            _mm512_ternarylogic_epi32::<0xE4>(a, b, c); _mm512_ternarylogic_epi64::<0xF8>(a, b, c);
            _mm512_mask_srli_epi16::<2>(c, k as u32, a); _mm512_shldi_epi16::<1>(a, b);
            _mm512_shldi_epi16::<8>(a, b); _mm512_shldi_epi16::<15>(a, b); _mm512_shldi_epi32::<1>(a, b);
            _mm512_shldi_epi32::<16>(a, b); _mm512_shldi_epi32::<31>(a, b); _mm512_mask_add_epi8(c, k, a, b);
            _mm512_mask_add_epi16(c, k as u32, a, b); _mm512_reduce_add_epi64(a); _mm512_cmpeq_epi16_mask(a, b);
            _mm512_cmpge_epu16_mask(a, b); _mm512_cmplt_epu16_mask(a, b); _mm512_cmpge_epu8_mask(a, b);
            _mm512_cmplt_epu8_mask(a, b); _mm512_cmpneq_epi8_mask(a, b); _mm512_cmpgt_epi8_mask(a, b);
            _mm512_cmpgt_epu8_mask(a, b); _mm512_cmplt_epi8_mask(a, b); _mm512_cmpneq_epi32_mask(a, b);
            _mm512_mask_cmpge_epu8_mask(k, a, b); _mm512_mask_cmplt_epu8_mask(k, a, b);
            _mm512_test_epi8_mask(a, b); _mm512_test_epi16_mask(a, b);
            _mm512_test_epi32_mask(a, b); _mm512_mask_mov_epi8(a, k, b); _mm512_mask_mov_epi16(a, k as u32, b);
            _mm512_maskz_mov_epi8(k, a); _mm512_mask_shuffle_epi8(c, k, a, b); _mm512_alignr_epi32::<0>(a, b);
            _mm512_alignr_epi32::<1>(a, b); _mm512_alignr_epi32::<12>(a, b); _mm512_alignr_epi32::<15>(a, b);
            _mm512_permutexvar_epi8(a, b); _mm512_mask_permutexvar_epi8(c, k, a, b);
            _mm512_maskz_permutexvar_epi8(k, a, b); _mm512_permutexvar_epi64(a, b);
            _mm512_permutex2var_epi64(a, c, b); _mm512_permutex2var_epi8(a, c, b);
            _mm512_mask_compress_epi8(c, k, a); _mm512_mask_compress_epi8(a, k, a);
            _mm512_mask_compress_epi16(c, k as u32, a); _mm512_mask_compress_epi16(a, k as u32, a);
            _mm512_mask_compress_epi32(c, k as u16, a); _mm512_mask_compress_epi32(a, k as u16, a);
            _mm512_max_epu32(a, b); _mm512_sub_epi32(a, b); _mm512_mask_add_epi32(c, k as u16, a, b);
            _mm512_reduce_add_epi32(a); _mm512_cmpgt_epu32_mask(a, b); _mm512_mask_mov_epi32(c, k as u16, a);
            _mm512_gf2p8affine_epi64_epi8::<0>(a, b);
            _mm512_gf2p8affine_epi64_epi8::<0x5A>(a, b); _mm512_maskz_gf2p8affine_epi64_epi8::<0x5A>(k, a, b);
            _mm512_castsi512_si256(a); _mm512_extracti64x4_epi64::<0>(a); _mm512_extracti64x4_epi64::<1>(a);
            _mm512_cvtepu8_epi16(half);
        }
    }};
}

mod emulated {
    use super::super::avx512::*;
    use super::{Bytes, Operands, Results};

    pub(super) fn known_to_avx2(operands: Operands) -> Results {
        known_to_avx2!(operands)
    }

    pub(super) fn all(operands: Operands) -> Results {
        [known_to_avx2(operands), only_avx512!(operands)].concat()
    }
}

/// The CPU's own intrinsics.
mod real {
    use core::arch::x86_64::*;

    use super::{Bytes, Operands, Results};

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,gfni,avx512bitalg,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn all(operands: Operands) -> Results {
        [known_to_avx2!(operands), only_avx512!(operands)].concat()
    }
}

/// The same with AVX2: an intrinsic for 64 bytes is one for 32 bytes, called twice.
mod avx2 {
    use core::arch::x86_64::*;

    use super::{Bytes, Operands, Results};

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct Halves([__m256i; 2]);
    #[allow(non_camel_case_types)]
    type __m512i = Halves;

    impl Bytes for Halves {
        fn bytes(self) -> Vec<u8> {
            self.0.into_iter().flat_map(Bytes::bytes).collect()
        }
    }

    macro_rules! twice {
        ($($name:ident, $by:ident $(<const $n:ident>)? ($($arg:ident: $vector:ty),*);)*) => {$(
            #[target_feature(enable = "avx2")]
            fn $name $(<const $n: i32>)? ($($arg: $vector),*) -> Halves {
                Halves(core::array::from_fn(|half| $by $(::<$n>)? ($($arg.0[half]),*)))
            }
        )*};
    }
    macro_rules! constant {
        ($($name:ident, $by:ident($number:ty);)*) => {$(
            #[target_feature(enable = "avx2")]
            fn $name(number: $number) -> Halves {
                Halves([$by(number); 2])
            }
        )*};
    }
    constant! {
        _mm512_set1_epi8, _mm256_set1_epi8(i8);
        _mm512_set1_epi16, _mm256_set1_epi16(i16);
        _mm512_set1_epi32, _mm256_set1_epi32(i32);
        _mm512_set1_epi64, _mm256_set1_epi64x(i64);
    }
    twice! {
        _mm512_and_si512, _mm256_and_si256(a: Halves, b: Halves);
        _mm512_or_si512, _mm256_or_si256(a: Halves, b: Halves);
        _mm512_xor_si512, _mm256_xor_si256(a: Halves, b: Halves);
        _mm512_andnot_si512, _mm256_andnot_si256(a: Halves, b: Halves);
        _mm512_slli_epi16, _mm256_slli_epi16<const N>(a: Halves);
        _mm512_slli_epi32, _mm256_slli_epi32<const N>(a: Halves);
        _mm512_srli_epi16, _mm256_srli_epi16<const N>(a: Halves);
        _mm512_srli_epi32, _mm256_srli_epi32<const N>(a: Halves);
        _mm512_add_epi8, _mm256_add_epi8(a: Halves, b: Halves);
        _mm512_add_epi16, _mm256_add_epi16(a: Halves, b: Halves);
        _mm512_add_epi32, _mm256_add_epi32(a: Halves, b: Halves);
        _mm512_add_epi64, _mm256_add_epi64(a: Halves, b: Halves);
        _mm512_sub_epi16, _mm256_sub_epi16(a: Halves, b: Halves);
        _mm512_subs_epu8, _mm256_subs_epu8(a: Halves, b: Halves);
        _mm512_min_epu8, _mm256_min_epu8(a: Halves, b: Halves);
        _mm512_min_epu16, _mm256_min_epu16(a: Halves, b: Halves);
        _mm512_max_epu8, _mm256_max_epu8(a: Halves, b: Halves);
        _mm512_max_epu16, _mm256_max_epu16(a: Halves, b: Halves);
        _mm512_sad_epu8, _mm256_sad_epu8(a: Halves, b: Halves);
        _mm512_shuffle_epi8, _mm256_shuffle_epi8(a: Halves, b: Halves);
        _mm512_alignr_epi8, _mm256_alignr_epi8<const N>(a: Halves, b: Halves);
        _mm512_unpacklo_epi8, _mm256_unpacklo_epi8(a: Halves, b: Halves);
        _mm512_unpackhi_epi8, _mm256_unpackhi_epi8(a: Halves, b: Halves);
        _mm512_unpacklo_epi16, _mm256_unpacklo_epi16(a: Halves, b: Halves);
        _mm512_unpackhi_epi16, _mm256_unpackhi_epi16(a: Halves, b: Halves);
    }

    #[target_feature(enable = "avx2")]
    fn _mm512_movepi8_mask(a: Halves) -> u64 {
        let [low, high] = a.0.map(|half| u64::from(_mm256_movemask_epi8(half) as u32));
        low | high << 32
    }

    #[target_feature(enable = "avx2,bmi2")]
    pub(super) fn known_to_avx2(operands: Operands) -> Results {
        known_to_avx2!(operands)
    }
}

/// Different numbers each time (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Bytes of one of several kinds, in which edges are frequent.
    fn vector(&mut self) -> [u8; 64] {
        const EDGES: [u8; 8] = [0x00, 0x01, 0x7F, 0x80, 0x81, 0xFE, 0xFF, 0x0F];
        let kind = self.next() % 5;
        let (one, two) = (self.next() as u8, self.next());
        core::array::from_fn(|k| match kind {
            0 => self.next() as u8,
            1 => EDGES[self.next() as usize % EDGES.len()],
            2 => one,
            // Mostly equal words and double words.
            3 if !self.next().is_multiple_of(16) => two.to_le_bytes()[k % 4],
            // Indices.
            _ => self.next() as u8 & 0x7F,
        })
    }

    fn number(&mut self) -> u64 {
        match self.next() % 4 {
            0 => self.next() & self.next() & self.next(),
            1 => self.next() | self.next() | self.next(),
            2 => [0, !0, 1, 1 << 63, !0 << 32, !0 >> 32][self.next() as usize % 6],
            _ => self.next(),
        }
    }

    fn operands(&mut self) -> Operands {
        let mut vectors = [self.vector(), self.vector(), self.vector()];
        if self.next().is_multiple_of(4) {
            // Nearly equal vectors.
            let changed = self.next();
            vectors[1] = vectors[0];
            vectors[1][changed as usize % 64] ^= (changed >> 8) as u8;
        }
        Operands { vectors, mask: self.number(), number: self.number() }
    }
}

/// The number of sets of operands.
const ROUNDS: usize = 2000;

fn compare(random: &mut Random, emulated: fn(Operands) -> Results, real: impl Fn(Operands) -> Results) {
    for _ in 0..ROUNDS {
        let operands = random.operands();
        let (emulated, real) = (emulated(operands), real(operands));
        assert_eq!(emulated.len(), real.len());
        for ((call, emulated), (_, real)) in emulated.into_iter().zip(real) {
            assert_eq!(emulated, real, "{call}: emulated result differs, for {operands:02X?}");
        }
    }
}

#[test]
fn emulated_as_real() {
    if !super::is_here() {
        eprintln!("NOT TESTED: emulated intrinsics against those of AVX-512, which this CPU does not have");
        return;
    }
    let random = &mut Random(0x9E37_79B9_7F4A_7C15);
    // SAFETY: the CPU has the features that this function is compiled for.
    compare(random, emulated::all, |operands| unsafe { real::all(operands) });
}

#[test]
fn emulated_as_in_avx2() {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")) {
        eprintln!("NOT TESTED: emulated intrinsics against those of AVX2 and BMI2, which this CPU does not have");
        return;
    }
    let random = &mut Random(0xD1B5_4A32_D192_ED03);
    // SAFETY: the CPU has the features that this function is compiled for.
    compare(random, emulated::known_to_avx2, |operands| unsafe { avx2::known_to_avx2(operands) });
}

#[test]
fn every_emulated_intrinsic_is_compared() {
    let operands = Random(1).operands();
    let calls = emulated::all(operands);
    let source = include_str!("../../emulated/avx512.rs");
    let names = source.lines().filter_map(|line| line.split_once("fn _")?.1.split(['(', '<', ' ']).next());
    let names: Vec<_> = names.collect();
    assert!(names.len() > 80, "{names:?}");
    for name in names {
        let is_call = |call: &str| call.contains(&format!("_{name}(")) || call.contains(&format!("_{name}::<"));
        assert!(calls.iter().any(|(call, _)| is_call(&call.replace(' ', ""))), "_{name} is not compared");
    }
}

/// Conventions that are easily confused: which operand comes first, where bit 0 is.
#[test]
fn conventions() {
    use super::avx512::*;
    let count_from = |first: u8| __m512i(core::array::from_fn(|k| first + k as u8));
    let (a, b) = (count_from(0), count_from(100));
    // These numbers are well known for select, exclusive or, and majority.
    let (x, y, z) =
        (_mm512_set1_epi8(0b1111_0000u8 as i8), _mm512_set1_epi8(0b0011_0011), _mm512_set1_epi8(0b0101_0101));
    assert_eq!(_mm512_ternarylogic_epi32::<0xCA>(x, y, z).0, [0b0011_0101; 64]);
    assert_eq!(_mm512_ternarylogic_epi32::<0x96>(x, y, z).0, [0b1001_0110; 64]);
    assert_eq!(_mm512_ternarylogic_epi32::<0xE8>(x, y, z).0, [0b0111_0001; 64]);
    // Well-known matrices, too: the identity, and the reversal of bits.
    let identity = _mm512_set1_epi64(0x0102_0408_1020_4080);
    assert_eq!(_mm512_gf2p8affine_epi64_epi8::<0>(b, identity).0, b.0);
    let reversal = _mm512_set1_epi64(0x8040_2010_0804_0201u64 as i64);
    assert_eq!(_mm512_gf2p8affine_epi64_epi8::<0>(b, reversal).0, b.0.map(u8::reverse_bits));
    // The second operand comes first in memory.
    assert_eq!(_mm512_alignr_epi32::<15>(a, b).0[..8], [160, 161, 162, 163, 0, 1, 2, 3]);
    // The first operand is the upper half.
    assert_eq!(_mm512_shldi_epi16::<4>(_mm512_set1_epi16(0x1234), _mm512_set1_epi16(0x5678)).0[..2], [0x45, 0x23]);
    // Indices are the first operand, or the one in the middle.
    assert_eq!(_mm512_permutexvar_epi8(_mm512_set1_epi8(64 + 5), b).0, [105; 64]);
    assert_eq!(_mm512_permutex2var_epi8(a, _mm512_set1_epi8(5), b).0, [5; 64]);
    assert_eq!(_mm512_permutex2var_epi8(a, _mm512_set1_epi8(64 + 5), b).0, [105; 64]);
    assert_eq!(_mm512_mask_compress_epi8(b, 1 << 3 | 1 << 63, a).0[..4], [3, 63, 102, 103]);
    assert_eq!(_mm512_set4_epi32(4, 3, 2, 1).0[..8], [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(_bzhi_u64(!0, 3), 0b111);
}
