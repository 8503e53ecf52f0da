//! The instruction set on paper is the one of the CPU: each operation of the vocabulary does the same to bytes.
//!
//! Where an operation looks at one or two bytes, or at one word, all of them are compared. Where it looks at two words, they
//! are samples, and all pairs in `every_pair_of_words`. What moves bytes is compared with bytes that are all different.
//! Operations are recorded by their names, and a name in `src/simd/mod.rs` that is missing is a failure.

use core::array::from_fn;
use std::borrow::ToOwned;
use std::collections::BTreeSet;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::paper::{Paper, Terms};
use super::{one_in, report};
use crate::isa::{Isa, Level};
use crate::kernels::tables::{KEEP_WORDS, ONE_OR_TWO, ONE_TO_THREE};
use crate::output::Output;
use crate::simd::{Lanes, Simd};

/// Calls a function with each instruction set of this CPU that implements `Lanes`, and the number of bytes in a vector.
macro_rules! on_each {
    ($compare:ident) => {
        for isa in Isa::available() {
            match isa.level() {
                #[cfg(fastutf_x86)]
                Level::Avx2(isa) => $compare::<_, 32>("avx2", isa),
                #[cfg(fastutf_x86)]
                Level::Sse41(isa) => $compare::<_, 16>("sse4.1", isa),
                #[cfg(fastutf_neon)]
                Level::Neon(isa) => $compare::<_, 16>("neon", isa),
                #[cfg(fastutf_wasm)]
                Level::Simd128(isa) => $compare::<_, 16>("simd128", isa),
                #[cfg(fastutf_x86)]
                Level::Avx512(_) => {}
                Level::Scalar => {}
            }
        }
    };
}

/// Words at which something changes.
const EDGES: [u16; 16] =
    [0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0x7FFF, 0x8000, 0x8001, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xFFFF];

fn bytes<S: Lanes, const W: usize>(isa: S, v: S::V) -> [u8; W] {
    let mut out = [0; W];
    isa.overwrite(&mut out, 0, v);
    out
}

/// A vector in a register, and on paper.
type Both<S, const W: usize> = (<S as Simd>::V, Terms<W>);

struct Comparison<'a, S, const W: usize> {
    name: &'a str,
    isa: S,
    compared: BTreeSet<&'static str>,
}

impl<S: Lanes, const W: usize> Comparison<'_, S, W> {
    const PAPER: Paper<W, 4, false> = Paper;

    fn both(&self, bytes: [u8; W]) -> Both<S, W> {
        (self.isa.load(&bytes, 0), Terms::of(bytes))
    }

    fn same(&mut self, operation: &'static str, real: S::V, paper: Terms<W>) {
        let (real, paper) = (bytes::<S, W>(self.isa, real), paper.constant());
        self.equal(operation, real, paper);
    }

    fn equal<T: PartialEq + core::fmt::Debug>(&mut self, operation: &'static str, real: T, paper: T) {
        assert!(real == paper, "{operation}: {} has {real:02X?}, paper {paper:02X?}", self.name);
        self.compared.insert(operation);
    }
}

/// Compares operations on vectors: `same!(all, (x, y): add8 shl16<1>)`.
macro_rules! same {
    ($all:ident, ($x:expr): $($op:ident $(<$n:literal>)?)*) => {{
        let (x, p) = $x;
        $(
            let (real, paper) = ($all.isa.$op$(::<$n>)?(x), Comparison::<S, W>::PAPER.$op$(::<$n>)?(p));
            $all.same(stringify!($op), real, paper);
        )*
    }};
    ($all:ident, ($x:expr, $y:expr): $($op:ident $(<$n:literal>)?)*) => {{
        let ((x, p), (y, q)) = ($x, $y);
        $(
            let (real, paper) = ($all.isa.$op$(::<$n>)?(x, y), Comparison::<S, W>::PAPER.$op$(::<$n>)?(p, q));
            $all.same(stringify!($op), real, paper);
        )*
    }};
}

/// Compares what is no vector, or needs more: `equal!(all, sum8, |isa, v| isa.sum8(v), x)`. The closure runs on both.
macro_rules! equal {
    ($all:ident, $op:ident, |$isa:ident $(, $v:ident)*| $body:expr, $($x:expr),*) => {{
        let real = {
            let $isa = $all.isa;
            $(let $v = $x.0;)*
            $body
        };
        let paper = {
            let $isa = Comparison::<S, W>::PAPER;
            $(let $v = $x.1;)*
            $body
        };
        $all.equal(stringify!($op), real, paper);
    }};
    ($all:ident, $op:ident, |$isa:ident| $body:expr) => { equal!($all, $op, |$isa| $body,) };
}

pub(super) fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

/// All pairs of bytes, and all words: each in every place in a release build, in one place otherwise.
fn exhaustively<S: Lanes, const W: usize>(all: &mut Comparison<'_, S, W>) {
    let mut seed = 1;
    let once = cfg!(debug_assertions);
    for pair in (0..=0xFFFFu32).step_by(if once { 16 } else { 1 }) {
        let [b, a, ..] = pair.to_le_bytes();
        let (x, y) = (all.both([a; W]), all.both(from_fn(|k| b.wrapping_add(k as u8))));
        same!(all, (x, y): gt_i8 add8 sub8 adds_i8 subs_u8 min_u8 max_u8 min_i8 eq8);
        same!(all, (x, y): add_shr8<1> add_shr8<2> add_shr8<3> add_shr8<4> add_shr8<5> add_shr8<6> add_shr8<7>);
        same!(all, (y): shl8<1> shl8<2> shl8<3> shl8<4> shl8<5> shl8<6> shl8<7> high_nibbles);
        same!(all, (x, y): bitand bitor bitxor);
        let index = all.both(from_fn(|k| {
            if pair as usize + k < 0x8000 { (pair as u8).wrapping_add(k as u8) % 16 } else { b | 0x80 }
        }));
        let table = all.both(from_fn(|_| random(&mut seed) as u8));
        same!(all, (table, index): shuffle);
        equal!(all, select, |isa, m, v, w| bytes::<_, W>(isa, isa.select(m, v, w)), y, x, table);
    }
    for word in (0..=0xFFFFu16).step_by(if once { 8 } else { 1 }) {
        let x = all.both(from_fn(|k| word.wrapping_add(k as u16 / 2).to_le_bytes()[k % 2]));
        same!(all, (x): shl16<1> shl16<2> shl16<3> shl16<4> shl16<5> shl16<6> shl16<7> shl16<8>);
        same!(all, (x): shl16<9> shl16<10> shl16<11> shl16<12> shl16<13> shl16<14> shl16<15>);
        same!(all, (x): shr16<1> shr16<2> shr16<3> shr16<4> shr16<5> shr16<6> shr16<7> shr16<8>);
        same!(all, (x): shr16<9> shr16<10> shr16<11> shr16<12> shr16<13> shr16<14> shr16<15>);
        let y = all.both(from_fn(|k| EDGES[(k / 2 + usize::from(word)) % 16].to_le_bytes()[k % 2]));
        same!(all, (x, y): eq16 add16 sub16 adds_u16 min_u16 narrow_i16);
        same!(all, (y, x): sub16 narrow_i16);
    }
    for (a, b) in EDGES.into_iter().flat_map(|a| EDGES.map(|b| (a, b))) {
        let [x, y] = [a, b].map(|word| all.both(from_fn(|k| word.to_le_bytes()[k % 2])));
        same!(all, (x, y): eq16 add16 sub16 adds_u16 min_u16);
    }
    for byte in 0..=0xFF {
        same!(all, (all.both([byte; W])): widened_first widened_second);
        equal!(all, splat8, |isa| bytes::<_, W>(isa, isa.splat8(byte)));
        equal!(
            all,
            mul_add8,
            |isa, v, w| bytes::<_, W>(isa, isa.mul_add8(v, w)),
            all.both([byte; W]),
            all.both([0x40; W])
        );
    }
    for word in 0..=0xFFu8 {
        let x = all.both(from_fn(|k| if k % 2 == 0 { word.wrapping_add(k as u8 / 2) } else { 0 }));
        same!(all, (x, x): narrow_u16);
    }
}

/// Samples, and bytes that are all different.
fn by_samples<S: Lanes, const W: usize>(all: &mut Comparison<'_, S, W>) {
    let mut seed = 1;
    for n in 0..2000usize.div_ceil(one_in(1)) {
        let [a, b]: [[u8; W]; 2] = match n {
            0 => [from_fn(|k| k as u8), from_fn(|k| 0x80 | k as u8)],
            1 => [[0xFF; W], [0x80; W]],
            _ => from_fn(|_| from_fn(|_| random(&mut seed) as u8)),
        };
        let (x, y) = (all.both(a), all.both(b));
        same!(all, (x, y): zip_lo8 zip_hi8 zip_lo16 zip_hi16 zip_lo64 zip_hi64 unzip8_even unzip8_odd);
        same!(all, (x, y): prev<1> prev<2> prev<3> eq16 add16 sub16 adds_u16 min_u16 narrow_i16 pairs_first pairs_second);
        #[cfg(feature = "utf32")]
        same!(all, (x): shl32<1> shl32<2> shl32<4> shl32<6> shl32<8> shl32<10> shl32<12> shl32<16> shl32<24> shl32<31>);
        same!(all, (x): shr32<1> shr32<2> shr32<4> shr32<6> shr32<8> shr32<10> shr32<12> shr32<16> shr32<24> shr32<31>);
        same!(all, (x): widened_first widened_second);
        // Of products and sums that fit.
        let (small, words) =
            (all.both(b.map(|b| b & 0x3F)), all.both(from_fn(|k| if k % 2 == 0 { b[k] } else { 0 })));
        same!(all, (x, small): mul_add8);
        same!(all, (words, words): narrow_u16);
        equal!(all, select, |isa, m, v, w| bytes::<_, W>(isa, isa.select(m, v, w)), x, x, y);
        equal!(all, sum8, |isa, v| isa.sum8(v), x);
        equal!(all, bitmask, |isa, v| isa.bitmask(v), x);
        equal!(all, count_high_bits, |isa, v| isa.count_high_bits(v, n % (W + 1)), x);
        equal!(all, any_high_bit_from, |isa, v| isa.any_high_bit_from(v, n % (W + 1)), x);
        equal!(all, bitmask_of_two, |isa, v, w| isa.bitmask_of_two(v, w), x, y);
        let many: [u8; 80] = from_fn(|_| random(&mut seed) as u8);
        let first = many.first_chunk().unwrap();
        equal!(all, bitmask_64, |isa| isa.bitmask_64(first));
        equal!(all, transposed, |isa| isa.transposed(first));
        let masks = |k: usize| all.both(from_fn(|at| if many[k + at] < 0x80 { 0 } else { 0xFF }));
        let parts: Vec<_> = (0..64).step_by(W).map(|k| (k, masks(k))).collect();
        let (mut real, mut paper) = (all.isa.empty_mask(), Comparison::<S, W>::PAPER.empty_mask());
        for &(k, (x, p)) in &parts {
            (real, paper) = (all.isa.add_to_mask(real, k, x), Comparison::<S, W>::PAPER.add_to_mask(paper, k, p));
        }
        let (real, paper) = (all.isa.finished_mask(real), Comparison::<S, W>::PAPER.finished_mask(paper));
        ["empty_mask", "add_to_mask", "finished_mask"].iter().for_each(|name| all.equal(name, real, paper));

        let (at, part) = (n % (81 - W), &many[..n % (W + 1)]);
        equal!(all, load, |isa| bytes::<_, W>(isa, isa.load(&many, at)));
        equal!(all, load_widened, |isa| bytes::<_, W>(isa, isa.load_widened(&many, at)));
        equal!(all, load_lanes, |isa| bytes::<_, W>(isa, isa.load_lanes(&many, n % 16, 16 + n % 32)));
        equal!(all, load_padded, |isa| bytes::<_, W>(isa, isa.load_padded(part)));
        equal!(all, load_in_parts, |isa| bytes::<_, W>(isa, isa.load_in_parts(part)));
        let [low, high] = [0, 16].map(|k| u128::from_le_bytes(*many[k..].first_chunk().unwrap()));
        let high = if W > 16 { high } else { 0 };
        equal!(all, two_lanes, |isa| bytes::<_, W>(isa, isa.two_lanes(low, high)));
        equal!(all, number, |isa, v| isa.number(v), x);
        equal!(all, lanes, |isa| bytes::<_, W>(isa, isa.lanes(*many.first_chunk().unwrap())));
        let word = u16::from_le_bytes(*many.first_chunk().unwrap());
        let dword = u32::from_le_bytes(*many.first_chunk().unwrap());
        equal!(all, splat16, |isa| bytes::<_, W>(isa, isa.splat16(word)));
        equal!(all, splat32, |isa| bytes::<_, W>(isa, isa.splat32(dword)));
        equal!(all, split, |isa, v| isa.split(v).map(|lane| bytes::<_, 16>(isa.single(), lane)), x);
        equal!(all, single, |isa, v| bytes::<_, 16>(isa.single(), isa.split(v)[1]), y);
        equal!(all, join, |isa, v, w| bytes::<_, W>(isa, isa.join(isa.split(v)[1], isa.split(w)[0])), x, y);

        equal!(all, store, |isa, v| written(|dst| isa.store(dst, at, v), at + W), x);
        equal!(all, overwrite, |isa, v| overwritten(|dst| isa.overwrite(dst, at, v), at + W), x);
        equal!(all, store_inside, |isa, v| written(|dst| isa.store_inside(dst, 60 * (n % 4), v), 200), x);
        // The upper bits are for lanes that do not exist in some.
        let (index, keep) = (random(&mut seed) as u32, random(&mut seed));
        equal!(
            all,
            store_shuffled,
            |isa, v, w| shuffled(|dst| isa.store_shuffled::<0, 2>(dst, at, v, w, &KEEP_WORDS, index), at),
            x,
            y
        );
        equal!(
            all,
            store_shuffled,
            |isa, v, w| shuffled(|dst| isa.store_shuffled::<8, 1>(dst, at, v, w, &ONE_OR_TWO, index), at),
            x,
            y
        );
        let units = index & (index << 1 | 0x5555_5555);
        equal!(
            all,
            store_shuffled,
            |isa, v, w| shuffled(|dst| isa.store_shuffled::<4, 1>(dst, at, v, w, &ONE_TO_THREE, units), at),
            x,
            y
        );
        let two = if W > 16 { keep } else { keep & 0xFFFF_FFFF };
        let len = 2 * W + two.count_ones() as usize;
        equal!(
            all,
            store_one_or_two,
            |isa, v, w| written(|dst| isa.store_one_or_two(dst, [v, w, w, v], &ONE_OR_TWO, two), len),
            x,
            y
        );
        let len = 2 * keep.count_ones() as usize;
        equal!(
            all,
            store_words,
            |isa, v, w| {
                written(|dst| isa.store_words(dst, &[(v, w), (w, v), (v, v), (w, w)], &KEEP_WORDS, keep), len)
            },
            x,
            y
        );
        #[cfg(feature = "utf32")]
        {
            same!(all, (x, y): add32 sub32 max_u32 gt_i32 narrow_i32);
            let words = |v: [u8; W]| from_fn(|k| if k % 4 < 2 { v[k] } else { 0 });
            same!(all, (all.both(words(a)), all.both(words(b))): narrow_u32);
        }
    }
}

/// The first `len` bytes of a painted buffer after `write`.
fn overwritten(write: impl FnOnce(&mut [u8]), len: usize) -> Vec<u8> {
    let mut out = vec![0xA5; 200];
    write(&mut out);
    out.truncate(len);
    out
}

fn written(write: impl FnOnce(&mut Output), len: usize) -> Vec<u8> {
    overwritten(|out| write(Output::over(out)), len)
}

/// The same after a store that returns how many bytes count.
fn shuffled(write: impl FnOnce(&mut Output) -> usize, at: usize) -> (usize, Vec<u8>) {
    let mut len = 0;
    let mut out = written(|dst| len = write(dst), 200);
    out.truncate(at + len);
    (len, out)
}

/// Questions: for no bit, and for each bit alone.
fn questions<S: Lanes, const W: usize>(all: &mut Comparison<'_, S, W>) {
    for bit in 0..=8 * W {
        let x = all.both(from_fn(|k| if k == bit / 8 { 1 << (bit % 8) } else { 0 }));
        equal!(all, is_zero, |isa, v| isa.is_zero(v), x);
        equal!(all, any_high_bit, |isa, v| isa.any_high_bit(v), x);
        equal!(all, bitmask, |isa, v| isa.bitmask(v), x);
        equal!(all, count_high_bits, |isa, v| isa.count_high_bits(v, W / 2), x);
        equal!(all, any_high_bit_from, |isa, v| isa.any_high_bit_from(v, W / 2), x);
        let others = all.both(from_fn(|k| if k == bit / 8 { !(1 << (bit % 8)) } else { 0xFF }));
        equal!(all, is_zero, |isa, v| isa.is_zero(v), others);
        equal!(all, any_high_bit, |isa, v| isa.any_high_bit(v), others);
        equal!(all, bitmask, |isa, v| isa.bitmask(v), others);
    }
    let low = all.both([0x7F; W]);
    equal!(all, any_high_bit, |isa, v| isa.any_high_bit(v), low);
    equal!(all, vectorize, |isa| isa.vectorize(|| 7));
    equal!(all, vectorize_with, |isa| isa.vectorize_with(1, 2, |a, b| 10 * a + b));
}

/// Operations with two results, as two operations; operators as methods.
trait Halves: Lanes {
    fn widened_first(self, a: Self::V) -> Self::V {
        self.widened(a).0
    }
    fn widened_second(self, a: Self::V) -> Self::V {
        self.widened(a).1
    }
    fn unzip8_even(self, a: Self::V, b: Self::V) -> Self::V {
        self.unzip8(a, b).0
    }
    fn unzip8_odd(self, a: Self::V, b: Self::V) -> Self::V {
        self.unzip8(a, b).1
    }
    fn pairs_first(self, a: Self::V, b: Self::V) -> Self::V {
        self.pairs(a, b).0
    }
    fn pairs_second(self, a: Self::V, b: Self::V) -> Self::V {
        self.pairs(a, b).1
    }
    fn bitand(self, a: Self::V, b: Self::V) -> Self::V {
        a & b
    }
    fn bitor(self, a: Self::V, b: Self::V) -> Self::V {
        a | b
    }
    fn bitxor(self, a: Self::V, b: Self::V) -> Self::V {
        a ^ b
    }
}

impl<S: Lanes> Halves for S {}

/// The methods of the two traits.
fn vocabulary() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in include_str!("../simd/mod.rs").lines() {
        // Those for UTF-32 are inside of `cfg_if!`.
        let for_utf32 = line.strip_prefix("            fn ").filter(|_| cfg!(feature = "utf32"));
        if let Some(rest) = line.strip_prefix("    fn ").or(for_utf32) {
            names.insert(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned());
        }
    }
    assert!(names.len() > 60);
    names
}

fn compare<S: Lanes, const W: usize>(name: &'static str, isa: S) {
    let started = std::time::Instant::now();
    // Those with which the kernels are proved for it (`utf8.rs`).
    let constants = match name {
        "avx2" => (32, 4, false),
        "neon" => (16, 8, true),
        _ => (16, 4, false),
    };
    assert_eq!((S::WIDTH, S::UNROLL, S::PREFERS_REGISTERS), constants, "{name}");
    let mut all = Comparison { name, isa, compared: BTreeSet::new() };
    exhaustively::<S, W>(&mut all);
    by_samples(&mut all);
    questions(&mut all);
    let compared = all.compared.iter().map(|name| {
        ["_first", "_second", "_even", "_odd"].iter().fold(*name, |name, end| name.trim_end_matches(end))
    });
    let compared: BTreeSet<String> = compared.map(str::to_owned).collect();
    let missing: Vec<_> = vocabulary().into_iter().filter(|name| !compared.contains(name)).collect();
    assert!(missing.is_empty(), "not compared: {missing:?}");
    report("instructions", name, "compared", format_args!("{} operations", compared.len()), started);
}

#[test]
fn real_instructions_are_as_on_paper() {
    on_each!(compare);
}

fn pairs_of_words<S: Lanes, const W: usize>(name: &'static str, isa: S) {
    let started = std::time::Instant::now();
    let mut all = Comparison { name, isa, compared: BTreeSet::new() };
    for a in 0..=u16::MAX {
        let x = all.both(from_fn(|k| a.to_le_bytes()[k % 2]));
        for b in (0..=u16::MAX).step_by(W / 2) {
            let y = all.both(from_fn(|k| (b + k as u16 / 2).to_le_bytes()[k % 2]));
            same!(all, (x, y): eq16 add16 sub16 adds_u16 min_u16);
        }
    }
    report("instructions", name, "compared", format_args!("all pairs of words"), started);
}

#[test]
#[ignore = "minutes; by hand, in a release build"]
fn every_pair_of_words() {
    on_each!(pairs_of_words);
}
