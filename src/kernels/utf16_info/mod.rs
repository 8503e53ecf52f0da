//! Validation of UTF-16 that also finds the narrowest form that holds the text, and how many characters it has.
//!
//! While a text is in Latin-1, there is no other question: no unit is a surrogate. So it takes an `or` for each vector,
//! less than validation, and one branch for each block:
//!
//! ```text
//! for each vector of the block: all |= units
//! the block is in Latin-1 if all & FF00 == 0, and ASCII if all & FF80 == 0
//! ```
//!
//! From the first other block on, the width is that of the BMP, or more if there are surrogates, which validation
//! looks for. Then the pairs are counted: where blocks have surrogates, their masks are there already, and one
//! subtraction for each vector adds up the high ones.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use crate::endian::ByteOrder;
use crate::kernels::utf16_to_utf8::none_has;
use crate::kernels::validate_utf16::{
    ALIGNED_FROM, TESTED_TOGETHER, block_has_surrogates, ends_high, high, low, matches, starts_low, unpaired_at,
    verdict, whole_units, word,
};
use crate::parts::Parts;
use crate::report::{Utf16Error, Utf16Info, Width};
use crate::simd::Lanes;

/// What is found in well-formed text: its width, and its number of surrogate pairs.
#[derive(Clone, Copy)]
struct Found(Width, usize);

impl Found {
    /// What is found in a text that is not in Latin-1, with so many pairs.
    #[inline(always)]
    const fn beyond_latin1(pairs: usize) -> Self {
        Self(if pairs == 0 { Width::Bmp } else { Width::Full }, pairs)
    }

    #[inline(always)]
    const fn latin1(ascii: bool) -> Self {
        Self(if ascii { Width::Ascii } else { Width::Latin1 }, 0)
    }
}

/// Turns what was found in the whole units of `src` into the result for all of it. An error is an offset as in
/// [`verdict`].
#[inline(always)]
fn outcome(order: ByteOrder, src: &[u8], found: Result<Found, usize>) -> Result<Utf16Info, Utf16Error> {
    match found {
        Ok(Found(width, pairs)) if src.len().is_multiple_of(2) => {
            Ok(Utf16Info { chars: src.len() / 2 - pairs, width })
        }
        Ok(_) => reject(order, src, Ok(())),
        Err(checked) => reject(order, src, Err(checked)),
    }
}

#[cold]
#[inline(never)]
fn reject(order: ByteOrder, src: &[u8], checked: Result<(), usize>) -> Result<Utf16Info, Utf16Error> {
    verdict(order, src, checked)?;
    unreachable!("a kernel rejected valid UTF-16")
}

#[inline(always)]
pub(crate) fn info<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
    outcome(order, src, find(isa, order, whole_units(src)))
}

/// Looks at whole units.
#[inline(always)]
fn find<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> Result<Found, usize> {
    let (beyond_latin1, beyond_ascii) = (word(order, 0xFF00), word(order, 0xFF80));
    let Some(last) = src.len().checked_sub(S::WIDTH) else {
        let units = isa.load_padded(src);
        path!("less than a vector");
        return if none_has(isa, units, beyond_latin1) {
            Ok(Found::latin1(none_has(isa, units, beyond_ascii)))
        } else {
            wide(isa, order, src)
        };
    };
    let (mut all, mut at) = (isa.load(src, 0), 0);
    if none_has(isa, all, beyond_latin1) {
        // Of unaligned loads, half touch two cache lines (for 32 bytes), or a quarter.
        at =
            if src.len() < ALIGNED_FROM { S::WIDTH } else { src.as_ptr().align_offset(S::WIDTH) & (S::WIDTH - 2) };
        while let Some(block) = src.part_at(at, TESTED_TOGETHER) {
            let (mut any, mut k) = (isa.load(block, 0), S::WIDTH);
            while k < TESTED_TOGETHER {
                any = any | isa.load(block, k);
                k += S::WIDTH;
            }
            if !none_has(isa, any, beyond_latin1) {
                break;
            }
            path!("blocks in Latin-1");
            all = all | any;
            at += TESTED_TOGETHER;
        }
        // The last vector overlaps the one before it.
        while at < src.len() {
            let units = isa.load(src, at.min(last));
            if !none_has(isa, units, beyond_latin1) {
                break;
            }
            path!("vectors in Latin-1");
            all = all | units;
            at += S::WIDTH;
        }
        if at >= src.len() {
            return Ok(Found::latin1(none_has(isa, all, beyond_ascii)));
        }
    }
    match wide(isa, order, &src[at..]) {
        Ok(found) => Ok(found),
        Err(checked) => Err(at + checked),
    }
}

/// Looks at whole units that are not all in Latin-1, as validation does, and counts the pairs.
#[inline(always)]
fn wide<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> Result<Found, usize> {
    // The bitmask has two bits for each unit.
    let bits = |units| isa.bitmask(high(isa, order, units));
    let Some(last) = src.len().checked_sub(S::WIDTH + 2) else {
        let units = isa.load_padded(src);
        let unpaired = high(isa, order, isa.prev::<2>(units, isa.splat8(0))) ^ low(isa, order, units);
        path!("at most a vector");
        return if isa.is_zero(unpaired) && !ends_high(order, src) {
            Ok(Found::beyond_latin1(bits(units).count_ones() as usize / 2))
        } else {
            Err(0)
        };
    };
    if starts_low(order, src) {
        return Err(0);
    }
    let (mut rest, mut count) = (src, 0);
    if src.len() >= ALIGNED_FROM && isa.is_zero(matches(isa, order, isa.load(src, 0), 0xF800, 0xD800)) {
        rest = &src[src.as_ptr().align_offset(S::WIDTH) & (S::WIDTH - 2)..];
    }
    // Each byte counts the high surrogates at its place in all vectors of some blocks: as many as cannot overflow it.
    let most = u8::MAX as usize / (TESTED_TOGETHER / S::WIDTH);
    let (mut tally, mut left) = (isa.splat8(0), most);
    while let Some(window) = rest.get(..TESTED_TOGETHER + 2) {
        // Without surrogates inside, only the first unit after the block could be wrong.
        if block_has_surrogates(isa, order, window) || starts_low(order, &window[TESTED_TOGETHER..]) {
            let (mut unpaired, mut k) = (isa.splat8(0), 0);
            while k < TESTED_TOGETHER {
                let high = high(isa, order, isa.load(window, k));
                unpaired = unpaired | (high ^ low(isa, order, isa.load(window, k + 2)));
                tally = isa.sub8(tally, high);
                k += S::WIDTH;
            }
            if !isa.is_zero(unpaired) {
                return Err(src.len() - rest.len());
            }
            path!("pairs in a block");
            left -= 1;
            if left == 0 {
                path!("as many as can be counted");
                count += isa.sum8(tally) as usize;
                (tally, left) = (isa.splat8(0), most);
            }
        }
        path!("blocks beyond Latin-1");
        rest = &rest[TESTED_TOGETHER..];
    }
    count += isa.sum8(tally) as usize;
    // The last vector overlaps the one before it.
    let checked = src.len() - rest.len();
    let (mut unpaired, mut at) = (unpaired_at(isa, order, src, last), checked);
    while at < last {
        unpaired = unpaired | unpaired_at(isa, order, src, at);
        count += bits(isa.load(src, at)).count_ones() as usize;
        at += S::WIDTH;
    }
    count += (bits(isa.load(src, last)) >> (at - last)).count_ones() as usize;
    if isa.is_zero(unpaired) && !ends_high(order, src) {
        Ok(Found::beyond_latin1(count / 2))
    } else {
        Err(checked)
    }
}
