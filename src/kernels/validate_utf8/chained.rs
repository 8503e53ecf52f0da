//! The checks for longer characters where moving bytes on from one vector to the next is as cheap as loading them again:
//! each byte is looked up once, and what is found is moved on to the bytes that it says something about.
//!
//! Of the three bytes before it, those that ask for a continuation are added up, and only the lowest bit of the sum is
//! looked at. In text that is valid so far at most one asks, so the first error is seen, whatever comes after it.

use core::ops::{BitAnd, BitOr, BitXor};

use super::{CONTINUATION, MIX, OVERLONG_2, OVERLONG_3, OVERLONG_4, SURROGATE, TOO_LARGE, Wrong, nibbles, tables};
use crate::kernels::tables::MOVE;
use crate::simd::Lanes;

/// The bit of a continuation, and of what asks for one in the next byte. The bits above ask for one in the second and in the
/// third byte after: shifts by one and two make them this bit.
const EXPECTED: u8 = 0x01;
const IS_CONTINUATION: Wrong = Wrong { bit: EXPECTED, first_high: 0, first_low: 0, second_high: CONTINUATION };
const FROM_C0: Wrong = Wrong { bit: EXPECTED, first_high: nibbles(0xC, 0xF), first_low: !0, second_high: 0 };
const FROM_E0: Wrong = Wrong { bit: EXPECTED << 1, first_high: nibbles(0xE, 0xF), ..FROM_C0 };
const FROM_F0: Wrong = Wrong { bit: EXPECTED << 2, first_high: nibbles(0xF, 0xF), ..FROM_C0 };
/// In the bit that is left.
const OVERLONG: Wrong = Wrong { bit: 0x80, ..OVERLONG_3 };
/// For text without characters of 4 bytes.
const ANY_OF_4: Wrong = Wrong { first_low: !0, second_high: CONTINUATION, ..TOO_LARGE };

const MIX_TABLES: [[u8; 16]; 3] =
    tables(&[IS_CONTINUATION, FROM_C0, FROM_E0, FROM_F0, OVERLONG_2, OVERLONG, SURROGATE, TOO_LARGE, OVERLONG_4]);
const THREE_TABLES: [[u8; 16]; 3] =
    tables(&[IS_CONTINUATION, FROM_C0, FROM_E0, OVERLONG_2, OVERLONG, SURROGATE, ANY_OF_4]);

/// Vectors that are checked one after the other.
#[derive(Clone, Copy)]
pub(super) struct Chain<V> {
    /// What the bytes of the last vector say about those after it.
    before: V,
    /// Bit 0 is set where a continuation was missing, or came unexpected.
    unexpected: V,
    /// Other bits are set where two bytes do not go together.
    wrong: V,
}

impl<V: Copy + BitAnd<Output = V> + BitOr<Output = V> + BitXor<Output = V>> Chain<V> {
    /// After the start of the text, or after ASCII.
    #[inline(always)]
    pub(super) fn new<S: Lanes<V = V>>(isa: S) -> Self {
        Self { before: isa.splat8(0), unexpected: isa.splat8(0), wrong: isa.splat8(0) }
    }

    /// After `bytes`.
    #[inline(always)]
    pub(super) fn after<const LONGEST: u8, S: Lanes<V = V>>(isa: S, bytes: V) -> Self {
        Self { before: facts::<LONGEST, S>(isa, bytes), ..Self::new(isa) }
    }

    #[inline(always)]
    pub(super) fn push<const LONGEST: u8, S: Lanes<V = V>>(&mut self, isa: S, bytes: V) {
        let [_, _, second_high] = tables_for::<LONGEST>();
        let second = isa.shuffle(isa.lanes(second_high), isa.high_nibbles(bytes));
        let facts = facts::<LONGEST, S>(isa, bytes);
        let first = isa.prev::<1>(facts, self.before);
        self.wrong = self.wrong | (first & second);
        let mut expected = isa.add_shr8::<1>(first, isa.prev::<2>(facts, self.before));
        if LONGEST == MIX {
            expected = isa.add_shr8::<2>(expected, isa.prev::<3>(facts, self.before));
        }
        self.unexpected = self.unexpected | (expected ^ second);
        self.before = facts;
    }

    /// Whether all vectors since the last such question were well-formed, save for a character cut at the end.
    #[inline(always)]
    pub(super) fn is_valid<S: Lanes<V = V>>(&mut self, isa: S) -> bool {
        let Self { before, unexpected, wrong } = *self;
        *self = Self { before, ..Self::new(isa) };
        isa.is_zero(unexpected & isa.splat8(EXPECTED) | wrong & isa.splat8(!EXPECTED))
    }
}

#[inline(always)]
const fn tables_for<const LONGEST: u8>() -> [[u8; 16]; 3] {
    if LONGEST == MIX { MIX_TABLES } else { THREE_TABLES }
}

/// What bytes say about those after them.
#[inline(always)]
fn facts<const LONGEST: u8, S: Lanes>(isa: S, bytes: S::V) -> S::V {
    let [first_high, first_low, _] = tables_for::<LONGEST>();
    isa.shuffle(isa.lanes(first_high), isa.high_nibbles(bytes))
        & isa.shuffle(isa.lanes(first_low), bytes & isa.splat8(0x0F))
}

/// Checks the rest of `src`, at least a lane long, from `at` on, which is 0 or at least a lane. Everything before is
/// valid.
#[inline(always)]
pub(super) fn rest_is_valid<L: Lanes>(isa: L, src: &[u8], at: usize) -> bool {
    let mut chain = match at.checked_sub(L::WIDTH) {
        Some(before) => Chain::after::<MIX, L>(isa, isa.load(src, before)),
        None => Chain::new(isa),
    };
    let (vectors, rest) = src[at..].as_chunks::<16>();
    for vector in vectors {
        chain.push::<MIX, L>(isa, isa.load(vector, 0));
    }
    // What is left, and zeros, which are what a character cut by the end lacks.
    let last = isa.shuffle(isa.load(src, src.len() - 16), isa.load(&MOVE, 32 - rest.len()));
    chain.push::<MIX, L>(isa, last);
    chain.is_valid(isa)
}
