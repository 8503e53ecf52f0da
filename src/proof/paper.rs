//! An instruction set on paper: the vocabulary of the kernels, on vectors of terms.
//!
//! Where all terms are constants, this is a plain model of an instruction set, which `instructions` compares with the real
//! ones. What has a default in the traits has that default here, or a model that both the default and overrides are compared
//! with.

use core::ops::{BitAnd, BitOr, BitXor};

use super::terms::{Arena, Id, Op, eval, with};
use crate::output::Output;
use crate::simd::{Lanes, ShuffleTable, Simd};

/// An instruction set with vectors of `W` bytes, and with the constants of [`Simd`] and [`Lanes`].
#[derive(Clone, Copy)]
pub(crate) struct Paper<const W: usize, const UNROLL: usize, const PREFERS_REGISTERS: bool>;

/// A vector of terms.
#[derive(Clone, Copy)]
pub(crate) struct Terms<const W: usize>(pub [Id; W]);

/// What is computed of two words. The last two have one operand: the second is 0.
#[derive(Clone, Copy)]
pub(super) enum WordOp {
    Add,
    Sub,
    AddsU,
    MinU,
    Eq,
    MulAdd,
    NarrowI,
    NarrowU,
}

fn eval_word(op: WordOp, a: u16, b: u16) -> u16 {
    let [[a0, a1], [b0, b1]] = [a, b].map(|word| word.to_le_bytes().map(u16::from));
    match op {
        WordOp::Add => a.wrapping_add(b),
        WordOp::Sub => a.wrapping_sub(b),
        WordOp::AddsU => a.saturating_add(b),
        WordOp::MinU => a.min(b),
        WordOp::Eq => {
            if a == b {
                0xFFFF
            } else {
                0
            }
        }
        WordOp::MulAdd => {
            let sum = u32::from(a0) * u32::from(b0) + u32::from(a1) * u32::from(b1);
            assert!(b0 < 0x80 && b1 < 0x80 && sum < 0x8000, "mul_add8: out of range");
            sum as u16
        }
        WordOp::NarrowI => u16::from((a as i16).clamp(-128, 127) as u8),
        WordOp::NarrowU => {
            assert!(a <= 0xFF, "narrow_u16: out of range");
            a
        }
    }
}

/// The terms of the result of an operation on words. Comparisons, the upper byte of a minimum, and the lower byte where the
/// upper ones, or the lower ones, are the same, are operations on bytes: `words_are_made_of_bytes`.
fn word(arena: &mut Arena, op: WordOp, a: [Id; 2], b: [Id; 2]) -> [Id; 2] {
    if let ([Some(a0), Some(a1)], [Some(b0), Some(b1)]) = (a.map(Arena::constant), b.map(Arena::constant)) {
        return eval_word(op, u16::from_le_bytes([a0, a1]), u16::from_le_bytes([b0, b1]))
            .to_le_bytes()
            .map(Id::from);
    }
    match op {
        WordOp::Eq => {
            let [low, high] = [0, 1].map(|k| arena.byte(Op::Eq, a[k], b[k]));
            [arena.byte(Op::And, low, high); 2]
        }
        WordOp::MinU if a[0] == b[0] || a[1] == b[1] => [0, 1].map(|k| arena.byte(Op::MinU, a[k], b[k])),
        WordOp::MinU => [arena.unknown(), arena.byte(Op::MinU, a[1], b[1])],
        _ => [arena.unknown(), arena.unknown()],
    }
}

impl<const W: usize> Terms<W> {
    pub(super) fn of(bytes: [u8; W]) -> Self {
        Self(bytes.map(Id::from))
    }

    /// The bytes of terms that are constants.
    pub(super) fn constant(self) -> [u8; W] {
        self.0.map(|id| Arena::constant(id).expect("a number that depends on the text"))
    }

    pub(super) fn bytes(self, op: Op, b: Self) -> Self {
        with(|arena| Self(core::array::from_fn(|k| arena.byte(op, self.0[k], b.0[k]))))
    }

    /// An operation with the same byte everywhere.
    pub(super) fn by(self, op: Op, b: u8) -> Self {
        self.bytes(op, Self([b.into(); W]))
    }

    pub(super) fn words(self, op: WordOp, b: Self) -> Self {
        let mut out = self;
        with(|arena| {
            for k in (0..W).step_by(2) {
                let result = word(arena, op, [self.0[k], self.0[k + 1]], [b.0[k], b.0[k + 1]]);
                out.0[k..k + 2].copy_from_slice(&result);
            }
        });
        out
    }

    #[cfg(feature = "utf32")]
    fn double_words(self, b: Self, op: impl Fn(u32, u32) -> u32) -> Self {
        let (a, b, mut out) = (self.constant(), b.constant(), [0; W]);
        for k in (0..W).step_by(4) {
            let [a, b] = [a, b].map(|v| u32::from_le_bytes(*v[k..].first_chunk().unwrap()));
            out[k..k + 4].copy_from_slice(&op(a, b).to_le_bytes());
        }
        Self::of(out)
    }

    /// Elements of `size` bytes, shifted to the left if `by` is positive.
    pub(super) fn shifted(self, size: usize, by: i32) -> Self {
        let mut out = self;
        with(|arena| {
            for k in (0..W).step_by(size) {
                out.0[k..k + size].copy_from_slice(&arena.shift(&self.0[k..k + size], by));
            }
        });
        out
    }

    /// Byte `k` of each lane comes from where `from` says: below 16 it is in the lane of `self`, from 16 on in that of `b`.
    pub(super) fn moved(self, b: Self, from: impl Fn(usize) -> usize) -> Self {
        Self(core::array::from_fn(|k| {
            let (lane, at) = (k / 16 * 16, from(k % 16));
            if at < 16 { self.0[lane + at] } else { b.0[lane + at - 16] }
        }))
    }

    /// Elements of `size` bytes from `self` and `b` in turn: the first half of each lane, or the second.
    fn zipped(self, b: Self, size: usize, second: bool) -> Self {
        self.moved(b, |k| k / (2 * size) * size + k % size + k / size % 2 * 16 + usize::from(second) * 8)
    }

    fn narrowed(self, op: WordOp, b: Self) -> Self {
        let [a, b] = [self, b].map(|v| v.words(op, Self([0; W])));
        a.moved(b, |k| 2 * k)
    }

    /// Whether any byte is not 0.
    pub(super) fn ask(self) -> bool {
        with(|arena| arena.ask(self.0))
    }

    pub(super) fn load(bytes: &[u8]) -> Self {
        assert!(bytes.len() <= W);
        let mut ids = [0; W];
        with(|arena| arena.load(bytes, &mut ids));
        Self(ids)
    }
}

impl<const W: usize> BitAnd for Terms<W> {
    type Output = Self;
    fn bitand(self, b: Self) -> Self {
        self.bytes(Op::And, b)
    }
}

impl<const W: usize> BitOr for Terms<W> {
    type Output = Self;
    fn bitor(self, b: Self) -> Self {
        self.bytes(Op::Or, b)
    }
}

impl<const W: usize> BitXor for Terms<W> {
    type Output = Self;
    fn bitxor(self, b: Self) -> Self {
        self.bytes(Op::Xor, b)
    }
}

/// Methods with the arguments of a vector operation.
macro_rules! on_terms {
    ($(fn $name:ident $(<$n:ident>)? ($a:ident $(, $b:ident)?) { $($body:tt)* })*) => {$(
        fn $name $(<const $n: i32>)? (self, $a: Terms<W> $(, $b: Terms<W>)?) -> Terms<W> { $($body)* }
    )*};
}

impl<const W: usize, const UNROLL: usize, const PREFERS_REGISTERS: bool> Simd
    for Paper<W, UNROLL, PREFERS_REGISTERS>
{
    type V = Terms<W>;
    const WIDTH: usize = W;
    const UNROLL: usize = UNROLL;

    fn vectorize_with<A, B, R>(self, a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R {
        kernel(a, b)
    }
    fn load(self, src: &[u8], at: usize) -> Terms<W> {
        Terms::load(&src[at..at + W])
    }
    fn bitmask(self, a: Terms<W>) -> u64 {
        a.constant().iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(byte >> 7))
    }
    fn any_high_bit(self, a: Terms<W>) -> bool {
        a.by(Op::And, 0x80).ask()
    }
    fn count_high_bits(self, a: Terms<W>, first: usize) -> usize {
        let ones = a.by(Op::Shr, 7);
        with(|arena| arena.number(&ones.0[first..])) as usize
    }
    fn any_high_bit_from(self, a: Terms<W>, first: usize) -> bool {
        let high = a.by(Op::And, 0x80);
        with(|arena| arena.ask_any(&high.0[first..]))
    }
}

impl<const W: usize, const UNROLL: usize, const PREFERS_REGISTERS: bool> Lanes
    for Paper<W, UNROLL, PREFERS_REGISTERS>
{
    type Single = Paper<16, UNROLL, PREFERS_REGISTERS>;
    fn single(self) -> Self::Single {
        Paper
    }
    fn join(self, low: Terms<16>, high: Terms<16>) -> Terms<W> {
        Terms(core::array::from_fn(|k| if k < 16 { low.0[k] } else { high.0[k - 16] }))
    }
    fn split(self, v: Terms<W>) -> [Terms<16>; 2] {
        [0, W - 16].map(|at| Terms(*v.0[at..].first_chunk().unwrap()))
    }
    fn store(self, dst: &mut Output, at: usize, v: Terms<W>) {
        dst[at..].write(&v.constant());
    }
    fn load_lanes(self, src: &[u8], at: usize, stride: usize) -> Terms<W> {
        let lane = |k: usize| self.single().load(src, at + k * stride);
        self.join(lane(0), lane(W / 16 - 1))
    }
    fn load_widened(self, src: &[u8], at: usize) -> Terms<W> {
        let bytes = Self::load_padded(self, &src[at..at + W / 2]);
        Terms(core::array::from_fn(|k| if k % 2 == 0 { bytes.0[k / 2] } else { 0 }))
    }
    fn load_padded(self, src: &[u8]) -> Terms<W> {
        Terms::load(src)
    }
    fn load_in_parts(self, src: &[u8]) -> Terms<W> {
        Terms::load(src)
    }
    fn two_lanes(self, low: u128, high: u128) -> Terms<W> {
        assert!(W > 16 || high == 0);
        self.join(Terms::of(low.to_le_bytes()), Terms::of(high.to_le_bytes()))
    }
    fn number(self, v: Terms<W>) -> u128 {
        u128::from_le_bytes(*v.constant().first_chunk().unwrap())
    }
    fn store_shuffled<const BASE: usize, const UNIT: usize>(
        self,
        dst: &mut Output,
        at: usize,
        a: Terms<W>,
        b: Terms<W>,
        table: &'static ShuffleTable,
        index: u32,
    ) -> usize {
        let (lanes, mut len) = ([self.split(a), self.split(b)], 0);
        for k in 0..W / 8 {
            let row = (index >> (8 * k)) as u8;
            let row_terms = Terms::of(table.0[usize::from(row)]);
            self.single().store(dst, at + len, self.single().shuffle(lanes[k % 2][k / 2], row_terms));
            len += BASE + UNIT * row.count_ones() as usize;
        }
        len
    }
    fn is_zero(self, a: Terms<W>) -> bool {
        !a.ask()
    }

    type PartialMask = u64;
    fn empty_mask(self) -> u64 {
        0
    }
    fn add_to_mask(self, before: u64, k: usize, v: Terms<W>) -> u64 {
        before | self.bitmask(v) << k
    }
    fn finished_mask(self, all: u64) -> u64 {
        all
    }

    fn splat8(self, byte: u8) -> Terms<W> {
        Terms([byte.into(); W])
    }
    fn splat16(self, word: u16) -> Terms<W> {
        Terms(core::array::from_fn(|k| word.to_le_bytes()[k % 2].into()))
    }
    fn splat32(self, dword: u32) -> Terms<W> {
        Terms(core::array::from_fn(|k| dword.to_le_bytes()[k % 4].into()))
    }
    fn lanes(self, lane: [u8; 16]) -> Terms<W> {
        Terms(core::array::from_fn(|k| lane[k % 16].into()))
    }

    const PREFERS_REGISTERS: bool = PREFERS_REGISTERS;
    fn prev<const N: usize>(self, cur: Terms<W>, before: Terms<W>) -> Terms<W> {
        Terms(core::array::from_fn(|k| if k >= N { cur.0[k - N] } else { before.0[W + k - N] }))
    }
    fn shuffle(self, table: Terms<W>, index: Terms<W>) -> Terms<W> {
        let in_lane = |arena: &mut Arena, k: usize| {
            let lane = |at: u8| table.0[k / 16 * 16 + usize::from(at)];
            if let Some(index @ 0..16) = Arena::constant(index.0[k]) {
                return lane(index);
            }
            let high = |byte: u8| byte >= 0x80;
            assert!(
                arena.may(index.0[k]) & 0xF0 == 0 || Arena::constant(index.0[k]).is_some_and(high),
                "an index of a shuffle may be too large"
            );
            let entry = |at| Arena::constant(lane(at)).expect("a table that depends on the text");
            arena.lookup(|at| if at < 16 { entry(at) } else { 0 }, index.0[k])
        };
        with(|arena| Terms(core::array::from_fn(|k| in_lane(arena, k))))
    }
    fn sum8(self, a: Terms<W>) -> u64 {
        with(|arena| arena.number(&a.0))
    }
    fn select(self, mask: Terms<W>, a: Terms<W>, b: Terms<W>) -> Terms<W> {
        let mask = mask.by(Op::Spread, 0);
        mask & a | mask.by(Op::Xor, 0xFF) & b
    }

    on_terms! {
        fn gt_i8(a, b) { a.bytes(Op::GtI, b) }
        fn add8(a, b) { a.bytes(Op::Add, b) }
        fn sub8(a, b) { a.bytes(Op::Sub, b) }
        fn adds_i8(a, b) { a.bytes(Op::AddsI, b) }
        fn subs_u8(a, b) { a.bytes(Op::SubsU, b) }
        fn min_u8(a, b) { a.bytes(Op::MinU, b) }
        fn max_u8(a, b) { a.bytes(Op::MaxU, b) }
        fn min_i8(a, b) { a.bytes(Op::MinI, b) }
        fn eq8(a, b) { a.bytes(Op::Eq, b) }
        fn zip_lo8(a, b) { a.zipped(b, 1, false) }
        fn zip_hi8(a, b) { a.zipped(b, 1, true) }
        fn eq16(a, b) { a.words(WordOp::Eq, b) }
        fn add16(a, b) { a.words(WordOp::Add, b) }
        fn sub16(a, b) { a.words(WordOp::Sub, b) }
        fn adds_u16(a, b) { a.words(WordOp::AddsU, b) }
        fn min_u16(a, b) { a.words(WordOp::MinU, b) }
        fn shl16<N>(a) { a.shifted(2, N) }
        fn shr16<N>(a) { a.shifted(2, -N) }
        fn zip_lo16(a, b) { a.zipped(b, 2, false) }
        fn zip_hi16(a, b) { a.zipped(b, 2, true) }
        fn mul_add8(a, b) { a.words(WordOp::MulAdd, b) }
        fn narrow_i16(a, b) { a.narrowed(WordOp::NarrowI, b) }
        fn narrow_u16(a, b) { a.narrowed(WordOp::NarrowU, b) }
        fn shr32<N>(a) { a.shifted(4, -N) }
        fn zip_lo64(a, b) { a.zipped(b, 8, false) }
        fn zip_hi64(a, b) { a.zipped(b, 8, true) }
    }

    #[cfg(feature = "utf32")]
    on_terms! {
        fn shl32<N>(a) { a.shifted(4, N) }
        fn add32(a, b) { a.double_words(b, u32::wrapping_add) }
        fn sub32(a, b) { a.double_words(b, u32::wrapping_sub) }
        fn max_u32(a, b) { a.double_words(b, u32::max) }
        fn gt_i32(a, b) { a.double_words(b, |a, b| if a as i32 > b as i32 { !0 } else { 0 }) }
        fn narrow_i32(a, b) {
            let saturated = |a, _| (a as i32).clamp(-0x8000, 0x7FFF) as u32;
            a.double_words(a, saturated).moved(b.double_words(b, saturated), |k| k / 2 * 4 + k % 2)
        }
        fn narrow_u32(a, b) {
            let [a, b] = [a, b].map(|v| {
                v.double_words(v, |a, _| {
                    assert!(a <= 0xFFFF, "narrow_u32: out of range");
                    a
                })
            });
            a.moved(b, |k| k / 2 * 4 + k % 2)
        }
    }
}

/// What `word` says of comparisons and minimums is so: all upper bytes, and lower bytes at which something changes.
#[test]
fn words_are_made_of_bytes() {
    const LOWER: [u8; 6] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF];
    for (low, upper) in LOWER.iter().flat_map(|low| (0..=u16::MAX).map(move |upper| (*low, upper.to_le_bytes()))) {
        for other in LOWER {
            let (x, y) = ([low, upper[0]], [other, upper[1]]);
            let [a, b] = [x, y].map(u16::from_le_bytes);
            let equal = [0, 1].map(|k| eval(Op::Eq, x[k], y[k]));
            assert_eq!(eval_word(WordOp::Eq, a, b).to_le_bytes(), [equal[0] & equal[1]; 2], "{a:04X} {b:04X}");
            let [low, high] = eval_word(WordOp::MinU, a, b).to_le_bytes();
            assert_eq!(high, x[1].min(y[1]), "{a:04X} {b:04X}");
            assert!(low == x[0].min(y[0]) || x[0] != y[0] && x[1] != y[1], "{a:04X} {b:04X}");
        }
    }
}
