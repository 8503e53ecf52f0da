//! AVX-512's validation of UTF-8, for texts of every length; [`utf16`] has that of UTF-16.
//!
//! Its kernels are written with intrinsics. `cargo xtask prove` compiles their files once more, without `#[target_feature]`
//! and with the intrinsics of [`arch`], as the modules `kernel` here and in [`utf16`]. These are only in the copy that it
//! makes, where this file is compiled at all. The intrinsics are compared with those of `xtask/emulated/avx512.rs`, which has
//! tests that compare it with the CPU's.
//!
//! What differs from the generic kernels: the invariant is stronger, as F8 to FF are never its last byte: after FF, these kernels
//! would accept anything but a continuation. "Shorter than a vector" is up to 64 bytes; what is left is less than 384, from two
//! places. A text with fewer than 384 bytes after ASCII has no blocks (`validate_medium`): without ASCII, all lengths are followed
//! in `whole_texts`, and with it in `rests_of_texts`.
//!
//! By reading: `load`, `load_end`, `load_partial`, whose real form cares for the end of a page, and `Table::load`, which are models;
//! what masks do by themselves (`==`, `|=`); that `first_not_ascii` returns 0 above 4096 bytes, and up to there is as for the 1100
//! that are followed; that the invariant of the first vector also holds where an aligned block starts inside it.

use core::array::from_fn;
use std::collections::BTreeSet;
use std::format;
use std::time::Instant;
use std::vec::Vec;

use super::paths::{ILL_FORMED, Outcome, Proof, Texts};
use super::report;
use super::utf8::{loop_over_blocks, outcome, place, step, utf8_by};
use arch::*;

#[allow(dead_code)]
#[path = "../../xtask/emulated/avx512.rs"]
mod emulated;

// Those of `kernels` are not in scope here.
#[allow(unused_macros)]
macro_rules! path {
    ($name:expr) => {};
}
#[allow(unused_macros)]
macro_rules! plain {
    ($bytes:ident => $ask:expr) => {
        crate::proof::plain($bytes, |$bytes| $ask)
    };
}

mod counts;
mod utf16;

/// The intrinsics and loads that the kernels use.
#[allow(non_camel_case_types)]
mod arch {
    use core::ops::{BitOr, BitOrAssign, BitXor, Shl, Shr};

    use super::super::paper::{Terms, WordOp};
    use super::super::terms::{Arena, Id, Op, with};
    pub(super) use crate::simd::x86::avx512::{A, B, C};

    pub(super) type __m512i = Terms<64>;

    /// A byte for each bit: `FF` or 0.
    #[derive(Clone, Copy)]
    pub(super) struct Mask<const N: usize>(pub(super) Terms<N>);
    pub(super) type __mmask32 = Mask<32>;
    pub(super) type __mmask64 = Mask<64>;

    impl<const N: usize> Mask<N> {
        pub(super) const MIN: Self = Self(Terms([0; N]));

        /// A sum of weights does not fit `u32`.
        pub(super) fn count_ones(self) -> u64 {
            let ones = self.0.by(Op::Shr, 7);
            with(|arena| arena.number(&ones.0))
        }
        /// Where a text is wrong is not asked on paper.
        pub(super) fn trailing_zeros(self) -> u64 {
            unreachable!()
        }
        fn moved(self, from: impl Fn(usize) -> Option<usize>) -> Self {
            Self(Terms(core::array::from_fn(|k| from(k).and_then(|k| self.0.0.get(k)).copied().unwrap_or(0))))
        }
    }

    impl<const N: usize> PartialEq for Mask<N> {
        fn eq(&self, other: &Self) -> bool {
            !(self.0 ^ other.0).ask()
        }
    }
    /// A mask is compared with no number but 0.
    impl<const N: usize> PartialEq<u64> for Mask<N> {
        fn eq(&self, number: &u64) -> bool {
            assert_eq!(*number, 0);
            *self == Self::MIN
        }
    }
    impl From<Mask<32>> for Mask<64> {
        fn from(mask: Mask<32>) -> Self {
            Self(Terms(core::array::from_fn(|k| mask.0.0.get(k).copied().unwrap_or(0))))
        }
    }
    impl<const N: usize> Shl<usize> for Mask<N> {
        type Output = Self;
        fn shl(self, by: usize) -> Self {
            self.moved(|k| k.checked_sub(by))
        }
    }
    impl<const N: usize> Shr<usize> for Mask<N> {
        type Output = Self;
        fn shr(self, by: usize) -> Self {
            self.moved(|k| Some(k + by))
        }
    }
    /// A bit that is known to be 0 is no longer a term: it may be carried far along.
    impl<const N: usize> BitOr for Mask<N> {
        type Output = Self;
        fn bitor(self, other: Self) -> Self {
            let known = |mask: Self| with(|arena| Terms(mask.0.0.map(|id| arena.known(id))));
            Self(known(self) | known(other))
        }
    }
    impl<const N: usize> BitOrAssign for Mask<N> {
        fn bitor_assign(&mut self, other: Self) {
            *self = *self | other;
        }
    }
    impl<const N: usize> BitXor for Mask<N> {
        type Output = Self;
        fn bitxor(self, other: Self) -> Self {
            Self(self.0 ^ other.0)
        }
    }

    pub(super) fn any_bit(mask: __mmask64) -> bool {
        with(|arena| arena.ask_any(&mask.0.0))
    }

    #[repr(C, align(64))]
    pub(super) struct Table(pub(super) [u8; 64]);

    impl Table {
        pub(super) fn load(&self) -> __m512i {
            load(&self.0, 0)
        }
    }

    pub(super) fn load(src: &[u8], at: usize) -> __m512i {
        Terms::load(&src[at..at + 64])
    }
    pub(super) fn load_partial(src: &[u8]) -> __m512i {
        Terms::load(src)
    }
    pub(super) fn load_end(src: &[u8], len: usize) -> __m512i {
        let last = load(src, src.len() - 64);
        Terms(core::array::from_fn(|k| if k < 64 - len { 0 } else { last.0[k] }))
    }
    pub(super) fn _mm512_setzero_si512() -> __m512i {
        Terms([0; 64])
    }
    pub(super) fn splat8(byte: u8) -> __m512i {
        Terms::of([byte; 64])
    }
    pub(super) fn _mm512_and_si512(a: __m512i, b: __m512i) -> __m512i {
        a & b
    }
    pub(super) fn _mm512_or_si512(a: __m512i, b: __m512i) -> __m512i {
        a | b
    }
    pub(super) fn _mm512_subs_epu8(a: __m512i, b: __m512i) -> __m512i {
        a.bytes(Op::SubsU, b)
    }
    pub(super) fn _mm512_add_epi8(a: __m512i, b: __m512i) -> __m512i {
        a.bytes(Op::Add, b)
    }
    pub(super) fn _mm512_srli_epi16<const N: u32>(a: __m512i) -> __m512i {
        a.shifted(2, -(N as i32))
    }
    pub(super) fn _mm512_shldi_epi16<const N: i32>(a: __m512i, b: __m512i) -> __m512i {
        a.shifted(2, N) | b.shifted(2, N - 16)
    }
    pub(super) fn _mm512_alignr_epi8<const N: i32>(a: __m512i, b: __m512i) -> __m512i {
        b.moved(a, |k| k + N as usize)
    }
    pub(super) fn _mm512_alignr_epi32<const N: i32>(a: __m512i, b: __m512i) -> __m512i {
        let from = |at: usize| if at < 64 { b.0[at] } else { a.0[at - 64] };
        Terms(core::array::from_fn(|k| from(k + 4 * N as usize)))
    }
    pub(super) fn _mm512_permutexvar_epi8(index: __m512i, a: __m512i) -> __m512i {
        let (table, index) = (a.constant(), index.by(Op::And, 0x3F));
        let entry = |index: u8| table[usize::from(index % 64)];
        with(|arena| Terms(index.0.map(|index| arena.lookup(entry, index))))
    }
    pub(super) fn _mm512_mask_permutexvar_epi8(src: __m512i, k: __mmask64, index: __m512i, a: __m512i) -> __m512i {
        k.0 & _mm512_permutexvar_epi8(index, a) | k.0.by(Op::Xor, 0xFF) & src
    }
    pub(super) fn _mm512_cmplt_epu8_mask(a: __m512i, b: __m512i) -> __mmask64 {
        Mask(b.bytes(Op::SubsU, a).by(Op::NonZero, 0))
    }
    pub(super) fn _mm512_mask_cmplt_epu8_mask(k: __mmask64, a: __m512i, b: __m512i) -> __mmask64 {
        Mask(k.0 & _mm512_cmplt_epu8_mask(a, b).0)
    }
    pub(super) fn _mm512_cmpge_epu8_mask(a: __m512i, b: __m512i) -> __mmask64 {
        Mask(_mm512_cmplt_epu8_mask(a, b).0.by(Op::Xor, 0xFF))
    }
    pub(super) fn _mm512_cmplt_epi8_mask(a: __m512i, b: __m512i) -> __mmask64 {
        Mask(b.bytes(Op::GtI, a))
    }
    pub(super) fn _mm512_movepi8_mask(a: __m512i) -> __mmask64 {
        Mask(a.by(Op::Spread, 0))
    }
    pub(super) fn _mm512_test_epi8_mask(a: __m512i, b: __m512i) -> __mmask64 {
        Mask((a & b).by(Op::NonZero, 0))
    }
    pub(super) fn _mm512_set1_epi16(word: i16) -> __m512i {
        Terms(core::array::from_fn(|k| word.to_le_bytes()[k % 2].into()))
    }
    pub(super) fn _mm512_min_epu16(a: __m512i, b: __m512i) -> __m512i {
        a.words(WordOp::MinU, b)
    }
    /// The or of all combinations of bits for which the number has a bit.
    pub(super) fn _mm512_ternarylogic_epi32<const N: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        let is = |v: __m512i, bit: usize| if bit == 1 { v } else { v.by(Op::Xor, 0xFF) };
        let cases = (0..8).filter(|k| N >> k & 1 == 1).map(|k| is(a, k >> 2) & is(b, k >> 1 & 1) & is(c, k & 1));
        cases.fold(_mm512_setzero_si512(), |all, case| all | case)
    }
    pub(super) fn _mm512_cmpeq_epi16_mask(a: __m512i, b: __m512i) -> __mmask32 {
        let equal = a.words(WordOp::Eq, b);
        Mask(Terms(core::array::from_fn(|k| equal.0[2 * k])))
    }
    /// Only whether a word is less than 1 is known.
    pub(super) fn _mm512_cmplt_epu16_mask(a: __m512i, b: __m512i) -> __mmask32 {
        assert_eq!(b.constant(), _mm512_set1_epi16(1).constant());
        _mm512_cmpeq_epi16_mask(a, _mm512_setzero_si512())
    }
    fn numbers(v: __m512i) -> [[Id; 8]; 8] {
        core::array::from_fn(|k| *v.0[8 * k..].first_chunk().unwrap())
    }
    fn vector(numbers: [[Id; 8]; 8]) -> __m512i {
        Terms(*numbers.as_flattened().first_chunk().unwrap())
    }
    fn sum(arena: &mut Arena, numbers: [[Id; 8]; 8]) -> [Id; 8] {
        numbers.into_iter().reduce(|a, b| arena.wide_sum(a, b)).unwrap()
    }
    /// Only the differences from 0 are known.
    pub(super) fn _mm512_sad_epu8(a: __m512i, b: __m512i) -> __m512i {
        assert_eq!(b.0, [0; 64]);
        let widened = |byte: Id| [byte, 0, 0, 0, 0, 0, 0, 0];
        with(|arena| vector(numbers(a).map(|bytes| sum(arena, bytes.map(widened)))))
    }
    pub(super) fn _mm512_add_epi64(a: __m512i, b: __m512i) -> __m512i {
        let (a, b) = (numbers(a), numbers(b));
        with(|arena| vector(core::array::from_fn(|k| arena.wide_sum(a[k], b[k]))))
    }
    pub(super) fn _mm512_reduce_add_epi64(a: __m512i) -> i64 {
        with(|arena| {
            let all = sum(arena, numbers(a));
            arena.wide_number(all) as i64
        })
    }
}

/// Pairs of bytes are exhaustive, in every place; the others are samples, and bytes that are all different.
#[test]
fn intrinsics_are_as_emulated() {
    let (started, mut seen, mut seed) = (Instant::now(), BTreeSet::new(), 1);
    fn bits<const N: usize>(mask: Mask<N>) -> u64 {
        mask.0.constant().iter().rev().fold(0, |all, byte| all << 1 | u64::from(byte & 1))
    }
    let both = |bytes: [u8; 64]| (emulated::__m512i(bytes), __m512i::of(bytes));
    macro_rules! same {
        ($($op:ident $(<$n:tt>)? ($($a:ident),*))*) => {$({
            let on_paper = $op$(::<$n>)?($($a.1),*).constant();
            assert_eq!(emulated::$op$(::<$n>)?($($a.0),*).0, on_paper, stringify!($op));
            seen.insert(stringify!($op));
        })*};
    }
    macro_rules! same_mask {
        ($($op:ident ($($a:ident),*))*) => {$({
            assert_eq!(u64::from(emulated::$op($($a.0),*)), bits($op($($a.1),*)), stringify!($op));
            seen.insert(stringify!($op));
        })*};
    }
    let zero = both([0; 64]);
    for n in 0..=0xFFFFu32 {
        let mut random = || from_fn(|_| super::instructions::random(&mut seed) as u8);
        let [b, a, ..] = n.to_le_bytes();
        let (x, y) = (both([a; 64]), both(from_fn(|k| b.wrapping_add(k as u8))));
        same! { _mm512_subs_epu8(x, y) _mm512_add_epi8(x, y) _mm512_and_si512(x, y) _mm512_or_si512(x, y) }
        same_mask! {
            _mm512_cmplt_epu8_mask(x, y) _mm512_cmpge_epu8_mask(x, y) _mm512_cmplt_epi8_mask(x, y)
            _mm512_test_epi8_mask(x, y) _mm512_movepi8_mask(y)
        }
        let words = both(from_fn(|k| (n as u16).wrapping_add(k as u16 / 2).to_le_bytes()[k % 2]));
        same! { _mm512_srli_epi16<2>(words) _mm512_srli_epi16<4>(words) }
        let (v, w) = if n == 0 { (from_fn(|k| k as u8), from_fn(|k| !k as u8)) } else { (random(), random()) };
        let (v, w) = (both(v), both(w));
        let k = (emulated::_mm512_cmplt_epu8_mask(v.0, w.0), _mm512_cmplt_epu8_mask(v.1, w.1));
        same! {
            _mm512_permutexvar_epi8(y, v) _mm512_mask_permutexvar_epi8(x, k, y, v) _mm512_shldi_epi16<8>(v, w)
            _mm512_alignr_epi8<13>(v, w) _mm512_alignr_epi8<14>(v, w) _mm512_alignr_epi8<15>(v, w)
            _mm512_alignr_epi32<12>(v, w) _mm512_sad_epu8(v, zero) _mm512_add_epi64(v, w) _mm512_add_epi64(x, y)
        }
        assert_eq!(emulated::_mm512_reduce_add_epi64(v.0), _mm512_reduce_add_epi64(v.1));
        same_mask! { _mm512_mask_cmplt_epu8_mask(k, w, v) }
        assert_eq!(u64::from(k.0.count_ones()), k.1.count_ones());
        let one = (emulated::_mm512_set1_epi16(1), _mm512_set1_epi16(1));
        let few = both(from_fn(|k| if k % 2 == 0 { n as u8 & 3 } else { (n >> k) as u8 & 1 }));
        same! { _mm512_min_epu16(words, v) _mm512_ternarylogic_epi32<{ A & B ^ C }>(x, y, v) }
        same_mask! {
            _mm512_cmpeq_epi16_mask(words, y) _mm512_cmpeq_epi16_mask(few, one) _mm512_cmplt_epu16_mask(words, one)
            _mm512_cmplt_epu16_mask(few, one)
        }
        let masks =
            [v, few].map(|v| (emulated::_mm512_cmpeq_epi16_mask(v.0, one.0), _mm512_cmpeq_epi16_mask(v.1, one.1)));
        let [a, b] = masks;
        assert_eq!(u64::from(a.0 << 1 | b.0), bits(a.1 << 1 | b.1));
        assert_eq!(u64::from(a.0 ^ b.0 >> 31), bits(a.1 ^ b.1 >> 31));
        assert_eq!(u64::from(b.0) << 1, bits(__mmask64::from(b.1) << 1));
        if n <= 0xFF {
            assert_eq!(emulated::_mm512_set1_epi8(n as i8).0, splat8(n as u8).constant());
        }
        assert_eq!(emulated::_mm512_set1_epi16(n as i16).0, _mm512_set1_epi16(n as i16).constant());
    }
    assert_eq!(emulated::_mm512_setzero_si512().0, _mm512_setzero_si512().constant());
    seen.extend(["_mm512_set1_epi16", "_mm512_setzero_si512", "_mm512_reduce_add_epi64"]);
    let names = include_str!("avx512.rs").split(concat!("fn ", "_mm")).skip(1);
    let names: Vec<_> = names.map(|rest| format!("_mm{}", rest.split(['<', '(']).next().unwrap())).collect();
    let missing: Vec<_> = names.iter().filter(|name| !seen.contains(&***name)).collect();
    assert!(names.len() > 15 && missing.is_empty(), "not compared: {missing:?}");
    report("instructions", "avx512", "compared with emulated", format_args!("{} intrinsics", seen.len()), started);
}

/// The length of a block.
const BLOCK: usize = 256;

/// The invariant of these kernels is stronger than that of the others: F8 to FF are seen in their own place. They have to be:
/// after FF, anything but a continuation would be right.
fn proof() -> Proof {
    utf8_by(|state, byte| if byte >= 0xF8 { ILL_FORMED } else { step(state, byte) })
}

/// Texts up to a vector, the first vector, and ASCII at the start.
#[test]
fn starts_of_texts() {
    proof().reported("validate_utf8: starts of texts", "avx512", "proved", |proof| {
        for len in 0..=64 {
            proof.all_paths("check", Texts::of(len), |text| outcome(place(kernel::check::<false>(text))));
        }
        proof.all_paths("errors_of_start", Texts::of(64), |text| {
            let is_valid = kernel::errors_of_start(load(text, 0)) == 0;
            if is_valid { Outcome::SoFar(64) } else { Outcome::IllFormed { at: 0, by: Some(64) } }
        });
        for len in 65..=1100 {
            proof.all_paths("first_not_ascii", Texts::of(len), |text| {
                let at = kernel::first_not_ascii(text);
                assert!(at.is_none_or(|at| at % 256 == 0));
                at.map_or(Outcome::WellFormed, Outcome::SoFar)
            });
        }
    });
}

/// The loop over blocks that checks for characters of up to so many bytes.
fn blocks<const LONGEST: usize, const COUNT: bool>() {
    let kernel = if COUNT { "utf8_info" } else { "validate_utf8" };
    let kernel = format!("{kernel}: blocks, up to {LONGEST} bytes");
    proof().reported(&kernel, "avx512", "proved by induction", |proof| {
        for start in [3, 64] {
            loop_over_blocks(proof, start, BLOCK, LONGEST as u8, COUNT, |text, max_blocks| {
                kernel::run::<LONGEST, COUNT>(text, start, max_blocks)
            });
        }
    });
}

#[test]
fn loops_over_blocks() {
    blocks::<2, false>();
    blocks::<3, false>();
    blocks::<4, false>();
}

/// What is left after blocks, or after ASCII: less than 384 bytes.
#[test]
fn rests_of_texts() {
    proof().reported("validate_utf8: rests", "avx512", "proved", |proof| {
        for rest in 0..384 {
            let asked = [256, 320].map(|at| {
                proof.all_paths("check_vectors", Texts::after(at, at + rest), |text| {
                    let is_valid = kernel::check_vectors(text, at);
                    if is_valid { Outcome::WellFormed } else { Outcome::IllFormed { at, by: None } }
                });
                proof.asked_in(0..at + rest, at)
            });
            assert!(asked[0] == asked[1], "check_vectors depends on where it starts");
        }
    });
}

/// All of `check`: every length of those without blocks, and some with one or two, at some alignments.
#[test]
#[ignore = "half a minute"]
fn whole_texts() {
    let (mut proof, started) = (proof(), Instant::now());
    let long = [384, 385, 450, 511, 512, 640].into_iter().flat_map(|len| [0, 1, 3, 62].map(|at| (len, at)));
    for (len, address) in (0..384).map(|len| (len, 0)).chain(long) {
        let texts = Texts { address, ..Texts::of(len) };
        proof.all_paths("check", texts, |text| outcome(place(kernel::check::<false>(text))));
    }
    let cases = format_args!("lengths up to 383 and some to 640, {} paths", proof.paths);
    report("validate_utf8: whole texts", "avx512", "proved for some lengths", cases, started);
}
