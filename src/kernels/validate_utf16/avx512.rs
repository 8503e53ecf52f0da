//! Validation of UTF-16 for AVX-512: surrogates as masks, which are numbers.
//!
//! A compare gives a number with a bit for each of 32 units, not a vector. So "the unit before" is a shift of that
//! number by one, and what is shifted out is the one bit that has to be carried to the next vector:
//!
//! ```text
//! [high, low]    = units & FC00 == D800, units & FC00 == DC00        two masks
//! after_high     = high << 1 | open
//! open           = the bit shifted out
//! broken        |= low ^ after_high                                  low surrogates must be exactly after high ones
//! ```
//!
//! Eight units of the example in the parent module; the first unit is bit 0, on the left:
//!
//! ```text
//! units        0061 D83D DE00 0062 D83D 0063 DE00 0064
//! high            .    1    .    .    1    .    .    .
//! after_high      .    .    1    .    .    1    .    .
//! low             .    .    1    .    .    .    1    .
//! broken          .    .    .    .    .    1    1    .
//! ```
//!
//! An unpaired high surrogate is seen one unit late here, an unpaired low one in its own place. At the end of the text
//! `open` must be 0.
//!
//! As in the parent module, a block (here of 256 bytes) is first asked whether it has surrogates at all: then the least
//! of all units & F800 ^ D800 is 0. A block with none is well-formed unless a pair is open before it. It costs 4 loads,
//! 4 `vpternlog`, 3 `min` and one compare. That is about 4 cycles by count, as `min` goes to port 0 of Intel's two for
//! such vectors, `vpternlog` to either. Loads of 64 bytes that do not start at a multiple of 64 always lie in two cache
//! lines, so a long text is read at such multiples.

use crate::endian::ByteOrder;
use crate::kernels::validate_utf16::{verdict, whole_units, word};
use crate::report::Utf16Error;
use crate::scalar;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{A, B, C, load, load_partial};

/// How many bytes one test for surrogates covers.
pub(in crate::kernels) const TESTED_TOGETHER: usize = 4 * 64;
/// From this length on, it pays to load only from multiples of 64: other loads touch two cache lines.
pub(in crate::kernels) const ALIGNED_FROM: usize = 2048;

/// The length in bytes of the whole units before the next multiple of 64 bytes in memory. (At an odd address, the
/// next multiple is a byte later.)
#[inline(always)]
pub(in crate::kernels) fn to_alignment(src: &[u8]) -> usize {
    src.as_ptr().align_offset(64) & 0b11_1110
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn validate(order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
    if src.len() <= 64 {
        if src.len().is_multiple_of(2) && is_short_valid(order, src) {
            path!("up to 64 bytes");
            return Ok(());
        }
        return ill_formed(order, src);
    }
    // Nothing is left to be done after the last vectors, so they need no stack frame.
    let units = whole_units(src);
    if units.len() <= TESTED_TOGETHER && no_surrogates_at_end(order, units, 0) && src.len().is_multiple_of(2) {
        path!("up to 256 bytes without surrogates");
        return Ok(());
    }
    validate_any(order, src)
}

/// Finds what is wrong with a short text.
#[cold]
#[inline(never)]
fn ill_formed(order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
    scalar::validate_utf16_from(order, src, 0)
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn validate_any(order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
    verdict(order, src, check(order, whole_units(src)))
}

/// Whether there are no surrogates in what is left of `src` after `checked`: at most four vectors. `src` has one at
/// least.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn no_surrogates_at_end(order: ByteOrder, src: &[u8], checked: usize) -> bool {
    // Always four vectors, overlapping: a loop of one to four would be mispredicted.
    let last = src.len() - 64;
    let mut min = distance(order, load(src, last));
    let mut at = checked;
    while at < checked + TESTED_TOGETHER - 64 {
        min = _mm512_min_epu16(min, distance(order, load(src, at.min(last))));
        at += 64;
    }
    !any_surrogate(min)
}

/// Checks at most 32 units.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn is_short_valid(order: ByteOrder, src: &[u8]) -> bool {
    // A load with an empty mask is slow if its address is not mapped.
    if src.is_empty() {
        return true;
    }
    let units = load_partial(src);
    if !any_surrogate(distance(order, units)) {
        return true;
    }
    let [high, low] = surrogates(order, units);
    __mmask64::from(high) << 1 == __mmask64::from(low)
}

/// Checks whole units. The error is an offset before which everything is well-formed, except for a pair cut there.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn check(order: ByteOrder, src: &[u8]) -> Result<(), usize> {
    let mut pairs = Pairs::NONE;
    let checked = check_blocks(order, src, from_first_block(order, src), &mut pairs)?;
    if check_end(order, src, checked, pairs) { Ok(()) } else { Err(checked) }
}

/// `src` from its first block on. There are no surrogates before that.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn from_first_block(order: ByteOrder, src: &[u8]) -> &[u8] {
    if src.len() >= ALIGNED_FROM && !any_surrogate(distance(order, load(src, 0))) {
        &src[to_alignment(src)..]
    } else {
        src
    }
}

/// Checks blocks of `rest`, the end of `src`, while there is a whole one. `pairs` is what is known before it. Returns where in
/// `src` they end, or an error as from [`check`].
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn check_blocks(
    order: ByteOrder,
    src: &[u8],
    mut rest: &[u8],
    pairs: &mut Pairs,
) -> Result<usize, usize> {
    while let Some(block) = rest.first_chunk::<TESTED_TOGETHER>() {
        if pairs.are_open() || block_has_surrogates(order, block) {
            let mut k = 0;
            while k < TESTED_TOGETHER {
                pairs.check(order, load(block, k));
                k += 64;
            }
            path!("surrogates in a block");
            if pairs.are_broken() {
                return Err(src.len() - rest.len());
            }
        }
        rest = &rest[TESTED_TOGETHER..];
    }
    Ok(src.len() - rest.len())
}

/// Checks what is left after `checked`, less than a block.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn check_end(order: ByteOrder, src: &[u8], checked: usize, mut pairs: Pairs) -> bool {
    // Most text has no surrogates, and needs no more than this.
    if src.len() >= 64 && !pairs.are_open() && no_surrogates_at_end(order, src, checked) {
        path!("no surrogates at the end");
        return true;
    }
    let mut rest = &src[checked..];
    while let Some(vector) = rest.first_chunk::<64>() {
        pairs.check(order, load(vector, 0));
        rest = &rest[64..];
    }
    // A load with an empty mask is slow if its address is not mapped.
    if !rest.is_empty() {
        pairs.check(order, load_partial(rest));
    }
    !pairs.are_broken() && !pairs.are_open()
}

/// Words that are 0 exactly for surrogates.
#[inline]
#[target_feature(enable = "avx512bw")]
fn distance(order: ByteOrder, units: __m512i) -> __m512i {
    let splat = |unit| _mm512_set1_epi16(word(order, unit) as i16);
    _mm512_ternarylogic_epi32::<{ A & B ^ C }>(units, splat(0xF800), splat(0xD800))
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn block_has_surrogates(order: ByteOrder, block: &[u8; TESTED_TOGETHER]) -> bool {
    let first = _mm512_min_epu16(distance(order, load(block, 0)), distance(order, load(block, 64)));
    let second = _mm512_min_epu16(distance(order, load(block, 2 * 64)), distance(order, load(block, 3 * 64)));
    any_surrogate(_mm512_min_epu16(first, second))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn any_surrogate(min: __m512i) -> bool {
    _mm512_cmplt_epu16_mask(min, _mm512_set1_epi16(1)) != 0
}

/// Checks how surrogates pair up, vector by vector.
pub(crate) struct Pairs {
    /// Bit 0: whether the last unit was a high surrogate.
    open: __mmask32,
    /// A bit is set for each unit that does not match the one before, as in [`unfit`](Self::unfit).
    broken: __mmask32,
}

impl Pairs {
    pub(in crate::kernels) const NONE: Self = Self { open: __mmask32::MIN, broken: __mmask32::MIN };

    #[inline]
    pub(in crate::kernels) fn are_open(&self) -> bool {
        self.open != 0
    }

    #[inline]
    fn are_broken(&self) -> bool {
        self.broken != 0
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn check(&mut self, order: ByteOrder, units: __m512i) {
        let unfit = self.unfit(order, units);
        self.broken |= unfit;
    }

    /// The mask of units that do not match the one before: a low surrogate after anything but a high one, and
    /// anything but a low surrogate after a high one.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(in crate::kernels) fn unfit(&mut self, order: ByteOrder, units: __m512i) -> __mmask32 {
        let [high, low] = surrogates(order, units);
        low ^ self.after(high)
    }

    /// The mask of units after these high surrogates. The last one may be the first of the next vector.
    #[inline]
    fn after(&mut self, high: __mmask32) -> __mmask32 {
        let after_high = high << 1 | self.open;
        self.open = high >> 31;
        after_high
    }
}

/// The masks of high and of low surrogates.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn surrogates(order: ByteOrder, units: __m512i) -> [__mmask32; 2] {
    let splat = |unit| _mm512_set1_epi16(word(order, unit) as i16);
    let upper = _mm512_and_si512(units, splat(0xFC00));
    [_mm512_cmpeq_epi16_mask(upper, splat(0xD800)), _mm512_cmpeq_epi16_mask(upper, splat(0xDC00))]
}
