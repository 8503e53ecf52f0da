//! UTF-8 without converting it: validation and counting.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod avx512;

use crate::error::Utf8Error;
use crate::scalar;
use crate::simd::{Lanes, Simd};
use crate::utf16::sum_counts;

#[inline(always)]
pub(crate) fn validate<S: Lanes>(_isa: S, src: &[u8]) -> Result<(), Utf8Error> {
    scalar::validate_utf8(src)
}

#[inline(always)]
pub(crate) fn is_ascii<S: Simd>(isa: S, src: &[u8]) -> bool {
    /// Vectors to a block.
    const UNROLL: usize = 4;
    let Some(last) = src.len().checked_sub(S::WIDTH) else { return scalar::is_ascii(src) };
    let mut rest = src;
    while let Some(block) = rest.get(..UNROLL * S::WIDTH) {
        let mut all = isa.load(block, 0);
        for k in 1..UNROLL {
            all = all | isa.load(block, k * S::WIDTH);
        }
        if isa.bitmask(all) != 0 {
            return false;
        }
        rest = &rest[UNROLL * S::WIDTH..];
    }
    // What is left, and one vector that ends where the input does.
    let mut all = isa.load(src, last);
    for vector in rest.chunks_exact(S::WIDTH) {
        all = all | isa.load(vector, 0);
    }
    isa.bitmask(all) == 0
}

/// `FF` where a byte starts a character: C0 and up or below 80, which is above BF as a signed byte.
#[inline(always)]
fn starts<S: Simd>(isa: S, bytes: S::V) -> S::V {
    isa.gt_i8(bytes, isa.splat8(0xBF))
}

#[inline(always)]
pub(crate) fn count_chars<S: Simd>(isa: S, src: &[u8]) -> usize {
    let (count, rest) = sum_counts::<1, S>(
        isa,
        src,
        #[inline(always)]
        |bytes| starts(isa, bytes),
    );
    count + scalar::count_chars_utf8(rest)
}

/// One unit for each character, and one more for each that starts with F0 or above.
#[inline(always)]
pub(crate) fn utf16_len<S: Simd>(isa: S, src: &[u8]) -> usize {
    let (count, rest) = sum_counts::<2, S>(
        isa,
        src,
        #[inline(always)]
        |bytes| {
            // As signed bytes F0–FF is above EF, and so is ASCII: leave that out by its clear bit 7.
            let from_f0 = isa.gt_i8(bytes, isa.splat8(0xEF)) & isa.gt_i8(isa.splat8(0), bytes);
            isa.add8(starts(isa, bytes), from_f0)
        },
    );
    count + scalar::utf16_len_from_utf8(rest)
}
