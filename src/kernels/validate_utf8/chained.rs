//! The checks for longer characters, for CPUs where moving bytes on from one vector to the next is as cheap as
//! loading them again. Each byte is looked up once, and the result is moved on to the bytes that it concerns.
//!
//! # Why there are two ways
//!
//! The check in the parent module loads each byte four times: as itself, and as the first, second and third byte before
//! another. With AVX2 that is cheaper than to move bytes from one register on to the next, which takes two shuffles,
//! since they have to cross lanes. On NEON it is not: `ext` takes 16 bytes at any offset of two registers, and costs as
//! much as other operations. Then the demands of a byte on those after it are computed only once, and moved.
//!
//! # The algorithm
//!
//! `facts` is one byte for each byte of the text. Its bits 0, 1 and 2 ask for a continuation in the next, the second
//! and the third byte after. The other bits are errors that the next byte may complete.
//!
//! ```text
//! facts      = high1[bytes >> 4] & low1[bytes & 15]
//! second     = high2[bytes >> 4]                       bit 0: a continuation; others: what it must not come after
//! first      = facts, 1 byte on                        with the last byte of the vector before in front
//! expected   = first + (facts, 2 bytes on >> 1) + (facts, 3 bytes on >> 2)
//! unexpected |= expected ^ second                      of which bit 0 counts
//! wrong      |= first & second                         of which bits 1 to 7 count
//! ```
//!
//! `naïve €5 😀` again:
//!
//! ```text
//!              n  a  ï     v  e     €        5     U+1F600
//! bytes       6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98 80
//! facts       00 00 01 00 00 00 00 03 00 00 00 00 47 00 00 00
//! first       00 00 00 01 00 00 00 00 03 00 00 00 00 47 00 00
//! 2 on, >> 1  00 00 00 00 00 00 00 00 00 01 00 00 00 00 23 00
//! 3 on, >> 2  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 11
//! expected    00 00 00 01 00 00 00 00 03 01 00 00 00 47 23 11    bit 0 is set where …
//! second      00 00 00 39 00 00 00 00 E1 39 00 00 00 A9 A9 E1    … bit 0 is set
//! wrong       00 00 00 01 00 00 00 00 01 00 00 00 00 01 00 00    bits 1 to 7 are clear
//! ```
//!
//! # Why it is right
//!
//! Of the three bytes before it, those that ask for a continuation are added up, and only the lowest bit of the sum is
//! looked at. In text that is valid so far at most one asks, so the first error is seen, whatever comes after it. (A
//! sum and not an `or`, since NEON shifts and adds in one instruction.) The five other errors are those of a pair, as
//! in the parent module, and have the five bits that are left.
//!
//! # What it costs
//!
//! By count, 15 operations and 1 load for 16 bytes: 3 lookups (`tbl`), 3 `ext`, and 9 of the kind that any vector pipe
//! does. Without characters of 4 bytes it is 13. Cores have two to four vector pipes, so that is about 4 to 8 cycles.
//! Across vectors only `facts` is carried, which is ready early.
//!
//! # Where it comes from
//!
//! The tables and the `and` are Keiser and Lemire's (see the parent module). They move the bytes themselves, three
//! times, and compare two of the results with E0 and F0. Here the lookup already answers that, and its result is
//! moved.

use core::ops::{BitAnd, BitOr, BitXor};

use super::{CONTINUATION, MIX, OVERLONG_2, OVERLONG_3, OVERLONG_4, SURROGATE, TOO_LARGE, Wrong, nibbles, tables};
use crate::kernels::tables::MOVE;
use crate::simd::Lanes;

/// The bit of a continuation byte, and of a byte that requires one next. The bits above require one as the second and
/// third byte after: shifts by one and two move them to this bit.
const EXPECTED: u8 = 0x01;
const IS_CONTINUATION: Wrong = Wrong { bit: EXPECTED, first_high: 0, first_low: 0, second_high: CONTINUATION };
const FROM_C0: Wrong = Wrong { bit: EXPECTED, first_high: nibbles(0xC, 0xF), first_low: !0, second_high: 0 };
const FROM_E0: Wrong = Wrong { bit: EXPECTED << 1, first_high: nibbles(0xE, 0xF), ..FROM_C0 };
const FROM_F0: Wrong = Wrong { bit: EXPECTED << 2, first_high: nibbles(0xF, 0xF), ..FROM_C0 };
/// Uses the bit that is left.
const OVERLONG: Wrong = Wrong { bit: 0x80, ..OVERLONG_3 };
/// For text without characters of 4 bytes.
const ANY_OF_4: Wrong = Wrong { first_low: !0, second_high: CONTINUATION, ..TOO_LARGE };

const MIX_TABLES: [[u8; 16]; 3] =
    tables(&[IS_CONTINUATION, FROM_C0, FROM_E0, FROM_F0, OVERLONG_2, OVERLONG, SURROGATE, TOO_LARGE, OVERLONG_4]);
const THREE_TABLES: [[u8; 16]; 3] =
    tables(&[IS_CONTINUATION, FROM_C0, FROM_E0, OVERLONG_2, OVERLONG, SURROGATE, ANY_OF_4]);

/// Checks consecutive vectors.
#[derive(Clone, Copy)]
pub(super) struct Chain<V> {
    /// The facts of the last vector, which decide about the bytes after it.
    before: V,
    /// Bit 0 is set where a continuation byte was missing or unexpected.
    unexpected: V,
    /// Other bits are set where two bytes may not follow each other.
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
    pub(super) fn after<S: Lanes<V = V>>(isa: S, bytes: V, longest: u8) -> Self {
        Self { before: facts(isa, bytes, longest), ..Self::new(isa) }
    }

    #[inline(always)]
    pub(super) fn push<S: Lanes<V = V>>(&mut self, isa: S, bytes: V, longest: u8) {
        let [_, _, second_high] = tables_for(longest);
        let second = isa.shuffle(isa.lanes(second_high), isa.high_nibbles(bytes));
        let facts = facts(isa, bytes, longest);
        let first = isa.prev::<1>(facts, self.before);
        self.wrong = self.wrong | (first & second);
        let mut expected = isa.add_shr8::<1>(first, isa.prev::<2>(facts, self.before));
        if longest == MIX {
            expected = isa.add_shr8::<2>(expected, isa.prev::<3>(facts, self.before));
        }
        self.unexpected = self.unexpected | (expected ^ second);
        self.before = facts;
    }

    /// Whether all vectors since the last call were well-formed, except for a character cut at the end.
    #[inline(always)]
    pub(super) fn is_valid<S: Lanes<V = V>>(&mut self, isa: S) -> bool {
        let Self { before, unexpected, wrong } = *self;
        *self = Self { before, ..Self::new(isa) };
        isa.is_zero(unexpected & isa.splat8(EXPECTED) | wrong & isa.splat8(!EXPECTED))
    }
}

#[inline(always)]
fn tables_for(longest: u8) -> [[u8; 16]; 3] {
    if longest == MIX { MIX_TABLES } else { THREE_TABLES }
}

/// What bytes imply for those after them.
#[inline(always)]
fn facts<S: Lanes>(isa: S, bytes: S::V, longest: u8) -> S::V {
    let [first_high, first_low, _] = tables_for(longest);
    isa.shuffle(isa.lanes(first_high), isa.high_nibbles(bytes))
        & isa.shuffle(isa.lanes(first_low), bytes & isa.splat8(0x0F))
}

/// Checks the rest of `src` from `at` on. `src` is at least a lane long; `at` is 0 or at least a lane, and everything
/// before it is well-formed.
#[inline(always)]
pub(super) fn rest_is_valid<L: Lanes>(isa: L, src: &[u8], at: usize) -> bool {
    let mut chain = match at.checked_sub(L::WIDTH) {
        Some(before) => Chain::after(isa, isa.load(src, before), MIX),
        None => Chain::new(isa),
    };
    let (vectors, rest) = src[at..].as_chunks::<16>();
    for vector in vectors {
        chain.push(isa, isa.load(vector, 0), MIX);
    }
    // The last bytes, then zeros, which are errors after a character cut by the end.
    let last = isa.shuffle(isa.load(src, src.len() - 16), isa.load(&MOVE, 32 - rest.len()));
    chain.push(isa, last, MIX);
    chain.is_valid(isa)
}
