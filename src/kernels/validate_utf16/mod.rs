//! Validation of UTF-16.
//!
//! # The problem
//!
//! A code unit is 16 bits. Most stand for a character by themselves. Those from D800 to DFFF, the surrogates, do only
//! in pairs, a high one right before a low one:
//!
//! ```text
//! [xxxx|xxxx|xxxx|xxxx]                         U+0000 to U+FFFF, but not U+D800 to U+DFFF
//! [1101|10aa|aaaa|aaaa] [1101|11bb|bbbb|bbbb]   U+10000 and aaaa|aaaa|aabb|bbbb|bbbb more
//! ```
//!
//! So there is just one question: are all surrogates paired?
//!
//! # The idea: two compares and an `xor`
//!
//! Text is UTF-16 if each unit is a high surrogate exactly where the next one is a low surrogate. The first unit must
//! not be a low surrogate, and the last not a high one. A vector with its neighbour unit needs nothing carried along:
//!
//! ```text
//! for each vector of the block:
//!     high = units & FC00 == D800            the units at `at`
//!     low  = units & FC00 == DC00            the units at `at + 2`: each one unit further on, loaded from memory
//!     unpaired |= high ^ low
//! the block is well-formed if all of `unpaired` is 0
//! ```
//!
//! Most text has no surrogates at all. So for a block of 128 bytes a cheaper question comes first: is any unit in it a
//! surrogate? By `xor` with D800 the surrogates, and only they, become less than 0800, and the least of all units
//! tells:
//!
//! ```text
//! least = min(least, units ^ D800)
//! the block has no surrogates if least >= 0800
//! ```
//!
//! If it has none, and no low surrogate comes right after it, it is well-formed.
//!
//! # An example
//!
//! Eight units of little-endian text, 16 bytes, and the one after them. They have a pair in them, a high surrogate by
//! itself, and a low one by itself:
//!
//! ```text
//! units        0061 D83D DE00 0062 D83D 0063 DE00 0064   0065
//! high            .    1    .    .    1    .    .    .
//! next is low     .    1    .    .    .    1    .    .
//! unpaired        .    .    .    .    1    1    .    .
//! ```
//!
//! The high surrogate is reported in its own place. The low one is reported one unit too early, in the place of the
//! unit before it. That is no matter: a kernel only finds *that* a block is ill-formed, and where it starts. `scalar`
//! then says which unit it was.
//!
//! # Why it is right
//!
//! Each place between two units is looked at once: at the last unit of each vector the first one of the next is in
//! view. A place is wrong if a high surrogate has no low one after it, or a low one no high one before it. If both
//! are there, or neither, the `xor` is 0. The two ends of the text are no such places, so they are checked by
//! themselves (`starts_low`, `ends_high`).
//!
//! The last vector ends one unit before the end of the text, and overlaps with the one before it. Nothing is carried
//! from vector to vector, so it does no harm to check a unit twice. Text of at most one vector is checked with zeros
//! after it.
//!
//! # Byte orders
//!
//! Both byte orders run the same loops: a code unit is a word, and for big-endian text the constants are swapped
//! instead of the text. (Only where the order of words matters, as in `min`, the text is changed: by a shift of 8
//! bits, as the upper byte alone tells a surrogate.)
//!
//! # What it costs
//!
//! By count, for a vector (32 bytes with AVX2), little-endian:
//!
//! | | loads | operations |
//! |---|---|---|
//! | a block without surrogates | 1 | 2 (`xor`, `min`) |
//! | a block with surrogates, in addition | 2 | 6 (2 `and`, 2 compares, `xor`, `or`) |
//!
//! There are no shuffles. With three vector ports (Intel) or four (Zen) that is less than a cycle for 32 bytes without
//! surrogates. Then loads are the limit: 2 or 3 a cycle from the first-level cache, and memory beyond it. That is why a
//! long text is read at multiples of the vector's width (`ALIGNED_FROM`): half of all other loads of 32 bytes lie in two
//! cache lines. In big-endian text there is a shift more.
//!
//! # Where it comes from
//!
//! simdutf, the library of Daniel Lemire, Wojciech Muła and others (*Transcoding billions of Unicode characters per second
//! with SIMD instructions*, Software: Practice and Experience 52 (2), 2022, doi:10.1002/spe.3036, arXiv:2109.10433), packs
//! the upper bytes and makes numbers of the masks, as `repair_utf16` does here. Validation does not: loading the neighbours
//! takes fewer steps than packing bytes and moving masks to general registers. AVX-512 has them in mask registers to begin
//! with: see `avx512.rs`.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use crate::endian::ByteOrder;
use crate::report::Utf16Error;
use crate::scalar;
use crate::simd::Lanes;

/// The native word for a code unit in this byte order.
#[inline(always)]
pub(crate) const fn word(order: ByteOrder, unit: u16) -> u16 {
    if order.is_big() { unit.swap_bytes() } else { unit }
}

/// `FFFF` where the code unit, masked by `mask`, is `value`.
#[inline(always)]
pub(in crate::kernels) fn matches<S: Lanes>(isa: S, order: ByteOrder, units: S::V, mask: u16, value: u16) -> S::V {
    isa.eq16(units & isa.splat16(word(order, mask)), isa.splat16(word(order, value)))
}

#[inline(always)]
pub(super) fn high<S: Lanes>(isa: S, order: ByteOrder, units: S::V) -> S::V {
    matches(isa, order, units, 0xFC00, 0xD800)
}

#[inline(always)]
pub(super) fn low<S: Lanes>(isa: S, order: ByteOrder, units: S::V) -> S::V {
    matches(isa, order, units, 0xFC00, 0xDC00)
}

/// Whether the text starts with a low surrogate.
#[inline(always)]
pub(crate) fn starts_low(order: ByteOrder, units: &[u8]) -> bool {
    units.first_chunk().is_some_and(|unit| plain!(unit => order.unit(*unit) & 0xFC00 == 0xDC00))
}

/// Whether the text ends with a high surrogate.
#[inline(always)]
pub(crate) fn ends_high(order: ByteOrder, units: &[u8]) -> bool {
    units.last_chunk().is_some_and(|unit| plain!(unit => order.unit(*unit) & 0xFC00 == 0xD800))
}

/// Cuts off an odd last byte.
#[inline(always)]
pub(crate) fn whole_units(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() & !1]
}

/// How many bytes one test for surrogates covers.
pub(crate) const TESTED_TOGETHER: usize = 128;
/// From this length on, it pays to load only from aligned addresses.
pub(crate) const ALIGNED_FROM: usize = 2048;

/// Text is well-formed UTF-16 if each unit is a high surrogate exactly where the next one is a low surrogate. The
/// first must not be a low surrogate, and the last not a high one. A vector and the unit next to it can be checked
/// without carried state.
#[inline(always)]
pub(crate) fn validate<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
    verdict(order, src, check(isa, order, whole_units(src)))
}

/// Turns the result of checking the whole units of `src` into that of all of `src`. The error of `checked` is an
/// offset before which everything is well-formed, except for a pair cut there.
#[inline(always)]
pub(crate) fn verdict(order: ByteOrder, src: &[u8], checked: Result<(), usize>) -> Result<(), Utf16Error> {
    match checked {
        Ok(()) if src.len().is_multiple_of(2) => Ok(()),
        Ok(()) => scalar::validate_utf16_from(order, src, src.len() - 1),
        Err(checked) => locate_error(order, src, checked),
    }
}

/// Validates `src`. A kernel has found that everything before `checked` is well-formed, except that a pair may be cut
/// there.
#[cold]
#[inline(never)]
fn locate_error(order: ByteOrder, src: &[u8], checked: usize) -> Result<(), Utf16Error> {
    let cut = ends_high(order, &src[..checked]);
    scalar::validate_utf16_from(order, src, if cut { checked - 2 } else { checked })
}

/// Checks whole units. The error is an offset before which everything is well-formed, except for a pair cut there.
#[inline(always)]
pub(crate) fn check<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> Result<(), usize> {
    // A vector and the unit after it are read.
    if src.len() < S::WIDTH + 2 {
        let units = isa.load_padded(src);
        let before = isa.prev::<2>(units, isa.splat8(0));
        let unpaired = high(isa, order, before) ^ low(isa, order, units);
        return if isa.is_zero(unpaired) && !ends_high(order, src) { Ok(()) } else { Err(0) };
    }
    if starts_low(order, src) {
        return Err(0);
    }
    let checked = if src.len() < 2 * TESTED_TOGETHER {
        0
    } else {
        check_blocks(isa, order, src, from_first_block(isa, order, src))?
    };
    if check_end(isa, order, src, checked) { Ok(()) } else { Err(checked) }
}

/// Checks what is left of `src` after `checked`. `src` has a vector and a unit at least.
#[inline(always)]
pub(crate) fn check_end<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], checked: usize) -> bool {
    // The last vector overlaps the one before it.
    let last = src.len() - (S::WIDTH + 2);
    let mut unpaired = unpaired_at(isa, order, src, last);
    let mut at = checked;
    while at < last {
        unpaired = unpaired | unpaired_at(isa, order, src, at);
        at += S::WIDTH;
    }
    isa.is_zero(unpaired) && !ends_high(order, src)
}

/// Nonzero where a unit of the vector at `src[at..]` is a high surrogate and the next one not a low one, or the other
/// way round.
#[inline(always)]
pub(super) fn unpaired_at<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], at: usize) -> S::V {
    high(isa, order, isa.load(src, at)) ^ low(isa, order, isa.load(src, at + 2))
}

/// Whether any of the units of a block is a surrogate.
#[inline(always)]
pub(super) fn block_has_surrogates<S: Lanes>(isa: S, order: ByteOrder, block: &[u8]) -> bool {
    // Surrogates, and only they, become less than 0800.
    let mut min = isa.splat8(0xFF);
    let mut k = 0;
    while k < TESTED_TOGETHER / S::WIDTH {
        let units = isa.load(block, k * S::WIDTH);
        // Only the upper byte matters.
        let units = if order.is_big() { isa.shl16::<8>(units) } else { units };
        min = isa.min_u16(min, units ^ isa.splat16(0xD800));
        k += 1;
    }
    isa.any_high_bit(isa.eq16(min & isa.splat16(0xF800), isa.splat8(0)))
}

/// `src`, of more than a vector, from its first block on. There are no surrogates before that.
#[inline(always)]
pub(crate) fn from_first_block<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> &[u8] {
    // Of unaligned loads, half touch two cache lines (for 32 bytes), or a quarter.
    if src.len() >= ALIGNED_FROM && isa.is_zero(matches(isa, order, isa.load(src, 0), 0xF800, 0xD800)) {
        &src[src.as_ptr().align_offset(S::WIDTH) & (S::WIDTH - 2)..]
    } else {
        src
    }
}

/// Checks blocks of `rest`, the end of `src`, while there is a whole one and the unit after it. Returns where in `src` they
/// end, or an error as from [`check`].
#[inline(always)]
pub(crate) fn check_blocks<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    mut rest: &[u8],
) -> Result<usize, usize> {
    while let Some(window) = rest.get(..TESTED_TOGETHER + 2) {
        // Without surrogates inside, only the first unit after the block could be wrong.
        if block_has_surrogates(isa, order, window) || starts_low(order, &window[TESTED_TOGETHER..]) {
            let mut unpaired = isa.splat8(0);
            let mut k = 0;
            while k < TESTED_TOGETHER / S::WIDTH {
                unpaired = unpaired | unpaired_at(isa, order, window, k * S::WIDTH);
                k += 1;
            }
            path!("surrogates in a block");
            if !isa.is_zero(unpaired) {
                return Err(src.len() - rest.len());
            }
        }
        path!("blocks");
        rest = &rest[TESTED_TOGETHER..];
    }
    Ok(src.len() - rest.len())
}
