//! Counting without validation: characters, and how long a text is in the other encoding.
//!
//! A count is a sum of compares. A compare gives `FF`, which is -1, for each byte or unit that counts, so subtracting
//! the result adds 1:
//!
//! * characters in UTF-8: the bytes that are no continuations;
//! * code units that UTF-8 becomes: the same, and 1 more for each byte from F0 on;
//! * characters in UTF-16: the units that are no low surrogates;
//! * bytes that UTF-16 becomes: 1 for each unit, 1 more from U+0080 on and 1 more from U+0800 on, but that last one not
//!   for surrogates, so that a pair is 4.
//!
//! Sums are kept in bytes, two of them side by side so that neither waits for the other, and added up before a byte could
//! overflow (`sum_counts`). Ill-formed text is counted by the same rules.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use crate::endian::ByteOrder;
use crate::kernels::swap_utf16::swapped;
use crate::kernels::validate_utf8::continuations;
use crate::kernels::validate_utf16::{low, matches, whole_units};
use crate::simd::Lanes;

/// The sum of what `minus_counts` returns for two vectors at a time: in each byte, minus a count of at most `MAX`.
/// `src` is padded to a multiple of two vectors, with at least one zero.
#[inline(always)]
fn sum_counts<const MAX: usize, S: Lanes>(
    isa: S,
    src: &[u8],
    minus_counts: impl Fn(S::V, S::V) -> S::V + Copy,
) -> usize {
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
        return isa.sum8(isa.sub8(zeros, minus_counts(isa.load_padded(src), zeros))) as usize;
    };
    // The bytes of the last vector that are not in the one before it.
    let only_last = |count: usize| isa.load(src, last) & isa.load(&LAST, 32 - S::WIDTH + count);
    let pair = 2 * S::WIDTH;
    if last < S::WIDTH {
        return isa.sum8(isa.sub8(zeros, minus_counts(isa.load(src, 0), only_last(last)))) as usize;
    }
    let (pairs, rest) = src.split_at(src.len() / pair * pair);
    let (first, second) = (rest.len().saturating_sub(S::WIDTH), rest.len().min(S::WIDTH));
    let before_last = isa.load(src, last - S::WIDTH) & isa.load(&LAST, 32 - S::WIDTH + first);
    let mut counts = isa.sub8(zeros, minus_counts(before_last, only_last(second)));
    let mut total = 0;
    // As many pairs as cannot overflow a byte, where one has been counted already.
    for part in pairs.chunks((255 / MAX - 1) * pair) {
        // Two independent sums, so that neither waits for the previous addition.
        let mut others = zeros;
        let mut blocks = part.chunks_exact(2 * pair);
        for block in &mut blocks {
            counts = isa.sub8(counts, minus_counts(isa.load(block, 0), isa.load(block, S::WIDTH)));
            let (a, b) = (isa.load(block, 2 * S::WIDTH), isa.load(block, 3 * S::WIDTH));
            others = isa.sub8(others, minus_counts(a, b));
        }
        if let pair @ [_, ..] = blocks.remainder() {
            counts = isa.sub8(counts, minus_counts(isa.load(pair, 0), isa.load(pair, S::WIDTH)));
        }
        total += isa.sum8(isa.add8(counts, others)) as usize;
        counts = zeros;
    }
    total
}

#[inline(always)]
pub(crate) fn chars_utf8<S: Lanes>(isa: S, src: &[u8]) -> usize {
    let count = sum_counts::<2, S>(
        isa,
        src,
        #[inline(always)]
        |a, b| isa.add8(continuations(isa, a), continuations(isa, b)),
    );
    src.len() - count
}

/// Counts one unit for each character, and one more for each that starts with F0 or above.
#[inline(always)]
pub(crate) fn utf16_len<S: Lanes>(isa: S, src: &[u8]) -> usize {
    // Minus the number of units, by the high nibble of the byte.
    const NO: u8 = 0;
    const ONE: u8 = 1u8.wrapping_neg();
    const TWO: u8 = 2u8.wrapping_neg();
    let units = |bytes| {
        let table = [ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, NO, NO, NO, NO, ONE, ONE, ONE, TWO];
        isa.shuffle(isa.lanes(table), isa.high_nibbles(bytes))
    };
    let units = sum_counts::<4, S>(
        isa,
        src,
        #[inline(always)]
        |a, b| isa.add8(units(a), units(b)),
    );
    // Subtracts the zeros after `src`.
    units - (2 * S::WIDTH - src.len() % (2 * S::WIDTH))
}

#[inline(always)]
pub(crate) fn chars_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    let low_bytes = sum_counts::<2, S>(
        isa,
        src,
        #[inline(always)]
        |a, b| isa.add8(low(isa, order, a), low(isa, order, b)),
    );
    (src.len() - low_bytes) / 2
}

/// Counts 1 byte for a unit, one more from U+0080 on, and another from U+0800 on unless it is a surrogate.
#[inline(always)]
pub(crate) fn utf8_len<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    let more = sum_counts::<2, S>(
        isa,
        src,
        #[inline(always)]
        |a, b| {
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
        },
    );
    src.len() / 2 + more
}
