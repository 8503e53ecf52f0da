//! Counting without validation: characters, and how long a text is in the other encoding.
//!
//! A count is a sum of compares. A compare gives `FF`, which is -1, for each byte or unit that counts, so subtracting
//! the result adds 1:
//!
//! * characters in UTF-8: the bytes that are no continuations;
//! * code units that UTF-8 becomes: the same, and 1 more for each byte from F0 on;
//! * characters in UTF-16: the units that are no low surrogates;
//! * bytes that UTF-16 becomes: 1 for each unit, 1 more from U+0080 on, and 1 more from U+0800 on unless it is a
//!   surrogate. So a pair is 4;
//! * units that UTF-32 becomes, in UTF-16: 1 for each, and 1 more from U+10000 to U+10FFFF. In UTF-8 also 1 more from U+0080
//!   on, and another from U+0800 on. Ill-formed units count as U+FFFD does.
//!
//! Sums are kept in bytes, two of them side by side so that neither waits for the other, and added up before a byte could
//! overflow (`sum_counts`). Ill-formed text is counted by the same rules.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use crate::endian::ByteOrder;
use crate::kernels::swap_utf16::swapped;
#[cfg(feature = "utf32")]
use crate::kernels::utf32;
use crate::kernels::validate_utf8::continuations;
use crate::kernels::validate_utf16::{low, matches, whole_units};
use crate::simd::Lanes;

/// What is counted in the bytes of two vectors.
///
/// Not a closure: there is one copy of `sum_counts` in an instruction set's code before optimisation, not one for each.
#[derive(Clone, Copy)]
enum Counted {
    Continuations,
    /// One for each character in UTF-8, and one more for each that starts with F0 or above.
    Utf16Units,
    /// Both bytes of each low surrogate.
    LowSurrogateBytes(ByteOrder),
    /// One for each unit from U+0080 on, and one more from U+0800 on unless it is a surrogate.
    MoreUtf8Bytes(ByteOrder),
    /// One for each byte that is not ASCII.
    #[cfg(feature = "latin1")]
    NotAscii,
    /// Of each unit of UTF-32, the bytes of UTF-8 after the first.
    #[cfg(feature = "utf32")]
    MoreUtf8BytesOfUtf32(ByteOrder),
    /// One for each unit of UTF-32 that becomes a surrogate pair.
    #[cfg(feature = "utf32")]
    Pairs(ByteOrder),
}

impl Counted {
    /// The largest count in a byte.
    #[inline(always)]
    fn max(self) -> usize {
        if matches!(self, Self::Utf16Units) { 4 } else { 2 }
    }

    /// In each byte, minus the count for some bytes of `a` and `b`.
    #[inline(always)]
    fn minus<S: Lanes>(self, isa: S, a: S::V, b: S::V) -> S::V {
        match self {
            Self::Continuations => isa.add8(continuations(isa, a), continuations(isa, b)),
            Self::Utf16Units => {
                // Minus the number of units, by the high nibble of the byte.
                const NO: u8 = 0;
                const ONE: u8 = 1u8.wrapping_neg();
                const TWO: u8 = 2u8.wrapping_neg();
                let table = [ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, NO, NO, NO, NO, ONE, ONE, ONE, TWO];
                let table = isa.lanes(table);
                isa.add8(isa.shuffle(table, isa.high_nibbles(a)), isa.shuffle(table, isa.high_nibbles(b)))
            }
            Self::LowSurrogateBytes(order) => isa.add8(low(isa, order, a), low(isa, order, b)),
            Self::MoreUtf8Bytes(order) => minus_more_utf8_bytes(isa, order, a, b),
            #[cfg(feature = "latin1")]
            Self::NotAscii => isa.add8(isa.gt_i8(isa.splat8(0), a), isa.gt_i8(isa.splat8(0), b)),
            #[cfg(feature = "utf32")]
            Self::MoreUtf8BytesOfUtf32(order) => {
                let sizes = sizes_of_utf32(isa, order, a, b);
                let above = |low, high| isa.gt_i8(sizes, isa.lanes(two_halves(low, high)));
                // Nothing is above 7F: the upper half counts once only.
                isa.add8(above(0x7F >> 6, FIRST_OF_4 - 1 + MOVED), above((0x7FF >> 6) as u8, 0x7F))
            }
            #[cfg(feature = "utf32")]
            Self::Pairs(order) => {
                isa.gt_i8(sizes_of_utf32(isa, order, a, b), isa.lanes(two_halves(0x7F, FIRST_OF_4 - 1 + MOVED)))
            }
        }
    }
}

#[inline(always)]
fn minus_more_utf8_bytes<S: Lanes>(isa: S, order: ByteOrder, a: S::V, b: S::V) -> S::V {
    if S::PREFERS_REGISTERS {
        let (even, odd) = isa.unzip8(a, b);
        let (low, high) = if order.is_big() { (odd, even) } else { (even, odd) };
        let (zero, upper) = (isa.splat8(0), high & isa.splat8(0xF8));
        let not_zero = |bytes| isa.eq8(bytes, zero) ^ isa.splat8(0xFF);
        let from_80 = isa.gt_i8(zero, low) | not_zero(high);
        let (from_800, surrogate) = (not_zero(upper), isa.eq8(upper, isa.splat8(0xD8)));
        return isa.add8(from_80, isa.sub8(from_800, surrogate));
    }
    // A byte for each unit of both vectors, saturated to 7F.
    let native = |units| if order.is_big() { swapped(isa, units) } else { units };
    let scaled = |units| isa.shr16::<5>(native(units));
    let scaled = isa.narrow_i16(scaled(a), scaled(b));
    let from_80 = isa.gt_i8(scaled, isa.splat8((0x7F >> 5) as u8));
    let from_800 = isa.gt_i8(scaled, isa.splat8((0x7FF >> 5) as u8));
    let surrogate = |units| matches(isa, order, units, 0xF800, 0xD800);
    let surrogate = isa.narrow_i16(surrogate(a), surrogate(b));
    isa.add8(from_80, isa.sub8(from_800, surrogate))
}

/// `unit >> 14` of U+10000, the first character of 4 bytes.
#[cfg(feature = "utf32")]
const FIRST_OF_4: u8 = 4;
/// What [`sizes_of_utf32`] adds to `unit >> 14`, which is at most 7F: from U+110000 on the sum is negative as a signed byte.
#[cfg(feature = "utf32")]
const MOVED: u8 = 0x80 - 0x44;

/// `low` in the lower half of a lane, `high` in the upper one.
#[cfg(feature = "utf32")]
const fn two_halves(low: u8, high: u8) -> [u8; 16] {
    [low, low, low, low, low, low, low, low, high, high, high, high, high, high, high, high]
}

/// Two signed bytes for each unit of UTF-32 of two vectors: in the lower half of a lane `unit >> 6`, in the upper half
/// `unit >> 14` plus [`MOVED`]. What is above 7F before the addition becomes 7F.
#[cfg(feature = "utf32")]
#[inline(always)]
fn sizes_of_utf32<S: Lanes>(isa: S, order: ByteOrder, a: S::V, b: S::V) -> S::V {
    let scaled = |units| isa.shr32::<6>(utf32::in_order(isa, order, units));
    let words = isa.narrow_i32(scaled(a), scaled(b));
    let bytes = isa.narrow_i16(words, isa.shr16::<8>(words));
    isa.add8(bytes, isa.lanes(two_halves(0, MOVED)))
}

/// The sum of all counts. `src` is padded to a multiple of two vectors, with at least one zero.
#[inline(always)]
fn sum_counts<S: Lanes>(isa: S, src: &[u8], counted: Counted) -> usize {
    /// Zeros, then ones: a mask of the last bytes of a vector.
    static LAST: [u8; 64] = {
        let mut mask = [0; 64];
        let mut i = 32;
        while i < 64 {
            mask[i] = 0xFF;
            i += 1;
        }
        mask
    };
    let zeros = isa.splat8(0);
    let Some(last) = src.len().checked_sub(S::WIDTH) else {
        return isa.sum8(isa.sub8(zeros, counted.minus(isa, isa.load_padded(src), zeros))) as usize;
    };
    // The bytes of the last vector that are not in the one before it.
    let only_last = |count: usize| isa.load(src, last) & isa.load(&LAST, 32 - S::WIDTH + count);
    let pair = 2 * S::WIDTH;
    if last < S::WIDTH {
        return isa.sum8(isa.sub8(zeros, counted.minus(isa, isa.load(src, 0), only_last(last)))) as usize;
    }
    let (pairs, rest) = src.split_at(src.len() / pair * pair);
    let (first, second) = (rest.len().saturating_sub(S::WIDTH), rest.len().min(S::WIDTH));
    let before_last = isa.load(src, last - S::WIDTH) & isa.load(&LAST, 32 - S::WIDTH + first);
    let mut counts = isa.sub8(zeros, counted.minus(isa, before_last, only_last(second)));
    let mut total = 0;
    // As many pairs as cannot overflow a byte, where one has been counted already.
    for part in pairs.chunks((255 / counted.max() - 1) * pair) {
        // Two independent sums, so that neither waits for the previous addition.
        let mut others = zeros;
        let mut blocks = part.chunks_exact(2 * pair);
        for block in &mut blocks {
            counts = isa.sub8(counts, counted.minus(isa, isa.load(block, 0), isa.load(block, S::WIDTH)));
            let (a, b) = (isa.load(block, 2 * S::WIDTH), isa.load(block, 3 * S::WIDTH));
            others = isa.sub8(others, counted.minus(isa, a, b));
        }
        if let pair @ [_, ..] = blocks.remainder() {
            counts = isa.sub8(counts, counted.minus(isa, isa.load(pair, 0), isa.load(pair, S::WIDTH)));
        }
        total += isa.sum8(isa.add8(counts, others)) as usize;
        counts = zeros;
    }
    total
}

#[inline(always)]
pub(crate) fn chars_utf8<S: Lanes>(isa: S, src: &[u8]) -> usize {
    src.len() - sum_counts(isa, src, Counted::Continuations)
}

#[inline(always)]
pub(crate) fn utf16_len<S: Lanes>(isa: S, src: &[u8]) -> usize {
    // Subtracts the zeros after `src`.
    sum_counts(isa, src, Counted::Utf16Units) - (2 * S::WIDTH - src.len() % (2 * S::WIDTH))
}

#[inline(always)]
pub(crate) fn chars_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    (src.len() - sum_counts(isa, src, Counted::LowSurrogateBytes(order))) / 2
}

#[inline(always)]
pub(crate) fn utf8_len<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    src.len() / 2 + sum_counts(isa, src, Counted::MoreUtf8Bytes(order))
}

#[cfg(feature = "latin1")]
#[inline(always)]
pub(crate) fn utf8_len_from_latin1<S: Lanes>(isa: S, src: &[u8]) -> usize {
    src.len() + sum_counts(isa, src, Counted::NotAscii)
}

/// The length in UTF-8, where each code unit that is ill-formed becomes U+FFFD.
#[cfg(feature = "utf32")]
#[inline(always)]
pub(crate) fn utf8_len_from_utf32<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = utf32::whole_units(src);
    src.len() / 4 + sum_counts(isa, src, Counted::MoreUtf8BytesOfUtf32(order))
}

/// The length in UTF-16, where each code unit that is ill-formed becomes U+FFFD.
#[cfg(feature = "utf32")]
#[inline(always)]
pub(crate) fn utf16_len_from_utf32<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = utf32::whole_units(src);
    src.len() / 4 + sum_counts(isa, src, Counted::Pairs(order))
}
