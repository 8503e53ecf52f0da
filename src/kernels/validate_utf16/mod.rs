//! UTF-16 without converting it: validation, repair, counting, and swapping its bytes.
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
//! Text is UTF-16 if each unit is a high surrogate exactly where the next one is a low surrogate, the first one is not
//! a low and the last one not a high surrogate. A vector with its neighbour unit needs nothing carried along:
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
//! view. What a place can be wrong about is a high surrogate with no low one after it, or a low one with no high one
//! before it; if both are there, or neither, the `xor` is 0. The two ends of the text are no such places, so they are
//! asked for by themselves (`starts_low`, `ends_high`).
//!
//! The last vector ends one unit before the end of the text, and overlaps with the one before it. Nothing is carried
//! from vector to vector, so it does no harm to check a unit twice. Text of at most one vector is checked with zeros
//! after it.
//!
//! # Byte orders
//!
//! Both byte orders run the same loops: a code unit is a word, and for big-endian text the constants are swapped
//! instead of the text. (Only where the order of words matters, as in `min`, is something done to the text: a shift by
//! 8 bits, for the upper byte is all that tells a surrogate.)
//!
//! # Repair, counting, swapping
//!
//! *Repair* needs to know which units are unpaired, not only whether there are any. For a block of 64 units with
//! surrogates in it, the upper bytes of all units are packed together, so that each unit is one byte; two compares
//! become two numbers of 64 bits. On these, a shift by one leads to the unit before or after:
//!
//! ```text
//! unpaired = high & !(low >> 1) | low & !(high << 1)        the ends filled in from the units before and after
//! ```
//!
//! The bits are turned into masks again, 16 at a time, by comparing each with its own bit of a constant, and select
//! U+FFFD.
//!
//! *Counting* is a sum of compares: the characters are the units that are no low surrogates. A unit becomes 1 byte of
//! UTF-8, 1 more from U+0080 on and 1 more from U+0800 on, but a surrogate does not, so that a pair is 4. Sums are kept
//! in bytes, two of them side by side so that neither waits for the other, and added up before a byte could overflow
//! (`sum_counts`, which counts in UTF-8, too).
//!
//! *Swapping* bytes is a shuffle.
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
//! surrogates: then loads are the limit, 2 or 3 a cycle from the first-level cache, and memory beyond it. That is why a
//! long text is read at multiples of the vector's width (`LONG`): half of all other loads of 32 bytes lie in two cache
//! lines. In big-endian text there is a shift more.
//!
//! # Where it comes from
//!
//! simdutf, the library of Daniel Lemire, Wojciech Muła and others (*Transcoding billions of Unicode characters per
//! second with SIMD instructions*, Software: Practice and Experience 52 (2), 2022, doi:10.1002/spe.3036,
//! arXiv:2109.10433), packs the upper bytes and makes numbers of the masks, as repair does here. Validation here does
//! not: to load the neighbours takes fewer steps than to pack bytes and to move masks to general registers. AVX-512 has
//! them in mask registers to begin with: see `avx512.rs`.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use core::mem::MaybeUninit;

use crate::endian::Endian;
use crate::error::Utf16Error;
use crate::scalar;
use crate::simd::Lanes;

/// The word that a code unit of byte order `E` is to the CPU.
#[inline(always)]
pub(crate) const fn word<E: Endian>(unit: u16) -> u16 {
    if E::BIG { unit.swap_bytes() } else { unit }
}

/// `FFFF` where the code unit, with only the bits of `mask`, is `value`.
#[inline(always)]
fn matches<S: Lanes, E: Endian>(isa: S, units: S::V, mask: u16, value: u16) -> S::V {
    isa.eq16(units & isa.splat16(word::<E>(mask)), isa.splat16(word::<E>(value)))
}

#[inline(always)]
fn high<S: Lanes, E: Endian>(isa: S, units: S::V) -> S::V {
    matches::<S, E>(isa, units, 0xFC00, 0xD800)
}

#[inline(always)]
fn low<S: Lanes, E: Endian>(isa: S, units: S::V) -> S::V {
    matches::<S, E>(isa, units, 0xFC00, 0xDC00)
}

/// Whether the text starts with a low surrogate.
#[inline(always)]
pub(crate) fn starts_low<E: Endian>(units: &[u8]) -> bool {
    units.first_chunk().is_some_and(|&unit| E::unit(unit) & 0xFC00 == 0xDC00)
}

/// Whether the text ends with a high surrogate.
#[inline(always)]
pub(crate) fn ends_high<E: Endian>(units: &[u8]) -> bool {
    units.last_chunk().is_some_and(|&unit| E::unit(unit) & 0xFC00 == 0xD800)
}

/// Without an odd last byte.
#[inline(always)]
pub(crate) fn whole_units(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() & !1]
}

/// Bytes that one test for surrogates is made for.
const BLOCK: usize = 128;
/// From this length on it pays to load from aligned addresses only.
const LONG: usize = 2048;

/// Text is UTF-16 if each unit is a high surrogate exactly where the next one is a low surrogate, the first one is
/// not a low and the last one not a high surrogate. A vector with its neighbour unit needs nothing carried along.
#[inline(always)]
pub(crate) fn validate<S: Lanes, E: Endian>(isa: S, src: &[u8]) -> Result<(), Utf16Error> {
    verdict::<E>(src, check::<S, E>(isa, whole_units(src)))
}

/// What a check of the whole units of `src` says of all of it. Its error is an offset before which everything is valid,
/// save for a pair cut there.
#[inline(always)]
pub(crate) fn verdict<E: Endian>(src: &[u8], checked: Result<(), usize>) -> Result<(), Utf16Error> {
    match checked {
        Ok(()) if src.len().is_multiple_of(2) => Ok(()),
        Ok(()) => scalar::validate_utf16_from::<E>(src, src.len() - 1),
        Err(checked) => locate_error::<E>(src, checked),
    }
}

/// Validates `src`, of which a kernel knows that everything before `checked` is valid, save that a pair may be cut
/// there.
#[cold]
#[inline(never)]
fn locate_error<E: Endian>(src: &[u8], checked: usize) -> Result<(), Utf16Error> {
    let cut = ends_high::<E>(&src[..checked]);
    scalar::validate_utf16_from::<E>(src, if cut { checked - 2 } else { checked })
}

/// Checks whole units. The error is an offset before which everything is valid, save for a pair cut there.
#[inline(always)]
fn check<S: Lanes, E: Endian>(isa: S, src: &[u8]) -> Result<(), usize> {
    // A vector and the unit after it.
    let Some(last) = src.len().checked_sub(S::WIDTH + 2) else {
        let units = isa.load_padded(src);
        let before = isa.back::<2>(units, isa.splat8(0));
        let unpaired = high::<S, E>(isa, before) ^ low::<S, E>(isa, units);
        return if isa.is_zero(unpaired) && !ends_high::<E>(src) { Ok(()) } else { Err(0) };
    };
    if starts_low::<E>(src) {
        return Err(0);
    }
    let checked = if src.len() < 2 * BLOCK { 0 } else { check_blocks::<S, E>(isa, src)? };
    // The last vector overlaps with the one before it.
    let mut unpaired = unpaired_at::<S, E>(isa, src, last);
    let mut at = checked;
    while at < last {
        unpaired = unpaired | unpaired_at::<S, E>(isa, src, at);
        at += S::WIDTH;
    }
    if isa.is_zero(unpaired) && !ends_high::<E>(src) { Ok(()) } else { Err(checked) }
}

/// Bits that are not 0 where a unit of the vector at `src[at..]` is a high surrogate and the next one not a low one,
/// or the other way round.
#[inline(always)]
fn unpaired_at<S: Lanes, E: Endian>(isa: S, src: &[u8], at: usize) -> S::V {
    high::<S, E>(isa, isa.load(src, at)) ^ low::<S, E>(isa, isa.load(src, at + 2))
}

/// Whether any of the units of a block is a surrogate.
#[inline(always)]
fn block_has_surrogates<S: Lanes, E: Endian>(isa: S, block: &[u8]) -> bool {
    // Surrogates become less than 0800, and nothing else does.
    let mut least = isa.splat8(0xFF);
    for k in 0..BLOCK / S::WIDTH {
        let units = isa.load(block, k * S::WIDTH);
        // Only the upper byte matters.
        let units = if E::BIG { isa.shl16::<8>(units) } else { units };
        least = isa.min_u16(least, units ^ isa.splat16(0xD800));
    }
    isa.any_high_bit(isa.eq16(least & isa.splat16(0xF800), isa.splat8(0)))
}

/// Checks blocks for as long as there is one and the unit after it. Returns where they end, or as [`check`] an error.
#[inline(always)]
fn check_blocks<S: Lanes, E: Endian>(isa: S, src: &[u8]) -> Result<usize, usize> {
    let mut rest = src;
    // Half of the loads that are not from multiples of their size lie in two cache lines (for 32 bytes), or a quarter.
    if src.len() >= LONG && isa.is_zero(matches::<S, E>(isa, isa.load(src, 0), 0xF800, 0xD800)) {
        rest = &src[src.as_ptr().align_offset(S::WIDTH) & (S::WIDTH - 2)..];
    }
    while let Some(window) = rest.get(..BLOCK + 2) {
        // Without surrogates inside, only the first unit after the block could be wrong.
        if block_has_surrogates::<S, E>(isa, window) || starts_low::<E>(&window[BLOCK..]) {
            let mut unpaired = isa.splat8(0);
            for k in 0..BLOCK / S::WIDTH {
                unpaired = unpaired | unpaired_at::<S, E>(isa, window, k * S::WIDTH);
            }
            path!("surrogates in a block");
            if !isa.is_zero(unpaired) {
                return Err(src.len() - rest.len());
            }
        }
        path!("blocks");
        rest = &rest[BLOCK..];
    }
    Ok(src.len() - rest.len())
}

/// Counts units to which the next one does not fit: each unpaired high surrogate is one, if only at the end, and there is one
/// before each unpaired low one, if only the start.
#[inline(always)]
pub(crate) fn count_unpaired<S: Lanes, E: Endian>(isa: S, src: &[u8]) -> usize {
    let src = whole_units(src);
    // A vector and the unit after it.
    let Some(last) = src.len().checked_sub(S::WIDTH + 2) else { return scalar::count_unpaired_utf16::<E>(src) };
    // Two bits to each.
    let mut bits = 0;
    let mut at = 0;
    while let Some(window) = src[at..].get(..BLOCK + 2) {
        if block_has_surrogates::<S, E>(isa, window) || starts_low::<E>(&window[BLOCK..]) {
            for k in 0..BLOCK / S::WIDTH {
                bits += isa.bitmask(unpaired_at::<S, E>(isa, window, k * S::WIDTH)).count_ones() as usize;
            }
            path!("surrogates in a block to count");
        }
        path!("blocks to count");
        at += BLOCK;
    }
    while at < last {
        bits += isa.bitmask(unpaired_at::<S, E>(isa, src, at)).count_ones() as usize;
        at += S::WIDTH;
    }
    // What the last vector has in common with the one before it has been counted.
    bits += (isa.bitmask(unpaired_at::<S, E>(isa, src, last)) >> (at - last)).count_ones() as usize;
    bits / 2 + usize::from(starts_low::<E>(src)) + usize::from(ends_high::<E>(src))
}

/// Copies whole units to `dst`, which is as long, with U+FFFD for each unpaired surrogate. Returns how many.
#[inline(always)]
pub(crate) fn repair<S: Lanes, E: Endian>(isa: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len();
    assert!(len.is_multiple_of(2) && len == dst.len());
    let Some(last) = len.checked_sub(BLOCK) else {
        path!("less than a block to repair");
        let (mut block, mut repaired) = ([0; BLOCK], [MaybeUninit::uninit(); BLOCK]);
        block[..len].copy_from_slice(src);
        let unpaired = repair_block::<S, E>(isa, &block, &mut repaired, 0);
        dst.copy_from_slice(&repaired[..len]);
        return unpaired.count_ones() as usize;
    };
    let mut count = 0;
    for at in (0..last).step_by(BLOCK) {
        count += repair_block::<S, E>(isa, src, dst, at).count_ones();
        path!("blocks to repair");
    }
    // What the last block has in common with the one before it has been counted.
    let counted = last.next_multiple_of(BLOCK) - last;
    count += (repair_block::<S, E>(isa, src, dst, last) >> (counted / 2)).count_ones();
    count as usize
}

/// Repairs the block at `src[at..]` into `dst`, and says which of its 64 units it has replaced.
#[inline(always)]
fn repair_block<S: Lanes, E: Endian>(isa: S, src: &[u8], dst: &mut [MaybeUninit<u8>], at: usize) -> u64 {
    let (before, rest) = src.split_at(at);
    let (block, after) = rest.split_at(BLOCK);
    let dst = &mut dst[at..at + BLOCK];
    if !block_has_surrogates::<S, E>(isa, block) {
        for k in 0..BLOCK / S::WIDTH {
            isa.store(dst, k * S::WIDTH, isa.load(block, k * S::WIDTH));
        }
        path!("a block without surrogates");
        return 0;
    }
    let unpaired = unpaired_in_block::<S, E>(isa, block, ends_high::<E>(before), starts_low::<E>(after));
    copy_replacing::<S, E>(isa, block, dst, unpaired);
    path!("a block with surrogates");
    unpaired
}

/// Where the 64 units of a block are unpaired surrogates, given what is before and after it.
#[inline(always)]
fn unpaired_in_block<S: Lanes, E: Endian>(isa: S, block: &[u8], after_high: bool, before_low: bool) -> u64 {
    let (mut high, mut low) = (isa.none_collected(), isa.none_collected());
    for k in 0..BLOCK / 2 / S::WIDTH {
        let at = 2 * k * S::WIDTH;
        let upper = |at| {
            let units = isa.load_lanes(block, at, 32);
            if E::BIG { units & isa.splat16(0xFF) } else { isa.shr16::<8>(units) }
        };
        let kind = isa.narrow_u16(upper(at), upper(at + 16)) & isa.splat8(0xFC);
        high = isa.collect(high, k * S::WIDTH, isa.eq8(kind, isa.splat8(0xD8)));
        low = isa.collect(low, k * S::WIDTH, isa.eq8(kind, isa.splat8(0xDC)));
    }
    unpaired([isa.collected(high), isa.collected(low)], after_high, before_low)
}

/// Where surrogates are unpaired among 64 units, given where there are high and low ones, and what is before and after them.
#[inline(always)]
pub(crate) fn unpaired([high, low]: [u64; 2], after_high: bool, before_low: bool) -> u64 {
    let (after_high, before_low) = (high << 1 | u64::from(after_high), low >> 1 | u64::from(before_low) << 63);
    high & !before_low | low & !after_high
}

/// Copies a block with U+FFFD for the units that `which` names.
#[inline(always)]
fn copy_replacing<S: Lanes, E: Endian>(isa: S, block: &[u8], dst: &mut [MaybeUninit<u8>], which: u64) {
    /// A bit for each unit of 16, as words of little-endian numbers.
    const BITS: [u128; 2] = [0x0080_0040_0020_0010_0008_0004_0002_0001, 0x8000_4000_2000_1000_0800_0400_0200_0100];
    let bits = isa.two_lanes(BITS[0], if S::WIDTH > 16 { BITS[1] } else { 0 });
    for k in 0..BLOCK / S::WIDTH {
        let which = isa.splat16((which >> (k * S::WIDTH / 2)) as u16) & bits;
        let units = isa.load(block, k * S::WIDTH);
        let units = isa.select(isa.eq16(which, bits), isa.splat16(word::<E>(0xFFFD)), units);
        isa.store(dst, k * S::WIDTH, units);
    }
}

/// The sum, over `src` and zeros after it up to a multiple of two vectors (at least one zero), of what `minus_counts`
/// says of two vectors at a time: byte by byte, minus a count of at most `MOST`.
#[inline(always)]
pub(crate) fn sum_counts<const MOST: usize, S: Lanes>(
    isa: S,
    src: &[u8],
    minus_counts: impl Fn(S::V, S::V) -> S::V,
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
    // What the last vector does not have in common with the one before it.
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
    // As many pairs as cannot overflow a byte, one of which has been counted.
    for part in pairs.chunks((255 / MOST - 1) * pair) {
        // Two sums side by side, so that neither waits for the one before.
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
pub(crate) fn count_chars<S: Lanes, E: Endian>(isa: S, src: &[u8]) -> usize {
    let src = whole_units(src);
    let low_bytes = sum_counts::<2, S>(
        isa,
        src,
        #[inline(always)]
        |a, b| isa.add8(low::<S, E>(isa, a), low::<S, E>(isa, b)),
    );
    (src.len() - low_bytes) / 2
}

/// 1 byte for a unit, one more from U+0080 on, and another from U+0800 on, but not for a surrogate.
#[inline(always)]
pub(crate) fn utf8_len<S: Lanes, E: Endian>(isa: S, src: &[u8]) -> usize {
    let src = whole_units(src);
    let more = sum_counts::<2, S>(
        isa,
        src,
        #[inline(always)]
        |a, b| {
            if S::REUSES {
                let (even, odd) = isa.unzip8(a, b);
                let (low, high) = if E::BIG { (odd, even) } else { (even, odd) };
                let (zero, upper) = (isa.splat8(0), high & isa.splat8(0xF8));
                let not_zero = |bytes| isa.eq8(bytes, zero) ^ isa.splat8(0xFF);
                let from_80 = isa.gt_i8(zero, low) | not_zero(high);
                let (from_800, surrogate) = (not_zero(upper), isa.eq8(upper, isa.splat8(0xD8)));
                return isa.add8(from_80, isa.sub8(from_800, surrogate));
            }
            // A byte for each unit of both vectors: 7F where it would be more.
            let native = |units| if E::BIG { swapped(isa, units) } else { units };
            let scaled = |units| isa.shr16::<5>(native(units));
            let scaled = isa.narrow_i16(scaled(a), scaled(b));
            let from_80 = isa.gt_i8(scaled, isa.splat8((0x7F >> 5) as u8));
            let from_800 = isa.gt_i8(scaled, isa.splat8((0x7FF >> 5) as u8));
            let surrogate = |units| matches::<S, E>(isa, units, 0xF800, 0xD800);
            let surrogate = isa.narrow_i16(surrogate(a), surrogate(b));
            isa.add8(from_80, isa.sub8(from_800, surrogate))
        },
    );
    src.len() / 2 + more
}

/// Swaps the bytes of each word.
#[inline(always)]
pub(crate) fn swapped<S: Lanes>(isa: S, v: S::V) -> S::V {
    isa.shuffle(v, isa.lanes([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
}

/// Swaps the bytes of each word from `$src` into `$dst`, which is as long, by two numbers that may overlap: the first
/// and the last. Says whether there are that many bytes.
macro_rules! swap_two {
    ($number:ty, $src:expr, $dst:expr) => {
        if let (Some(&first), Some(&last)) = ($src.first_chunk(), $src.last_chunk()) {
            let [first, last] = [first, last].map(|bytes| {
                const EVEN: $number = <$number>::MAX / 0xFFFF * 0x00FF;
                let number = <$number>::from_ne_bytes(bytes);
                ((number & EVEN) << 8 | number >> 8 & EVEN).to_ne_bytes()
            });
            *$dst.first_chunk_mut().unwrap() = first;
            *$dst.last_chunk_mut().unwrap() = last;
            true
        } else {
            false
        }
    };
}

#[inline(always)]
pub(crate) fn swap_bytes<S: Lanes>(isa: S, bytes: &mut [u8]) {
    let len = bytes.len() & !1;
    let bytes = &mut bytes[..len];
    if len >= 4 * S::WIDTH {
        swap_vectors::<4, S>(isa, bytes);
    } else if len >= S::WIDTH {
        swap_vectors::<1, S>(isa, bytes);
    } else {
        let _ = swap_two!(u128, bytes, bytes)
            || swap_two!(u64, bytes, bytes)
            || swap_two!(u32, bytes, bytes)
            || swap_two!(u16, bytes, bytes);
    }
}

#[inline(always)]
pub(crate) fn swap_bytes_into<S: Lanes>(isa: S, src: &[u8], dst: &mut [u8]) {
    let len = src.len() & !1;
    if let (Some(from), Some(to)) = (src.get(len), dst.get_mut(len)) {
        *to = *from;
    }
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if len >= 4 * S::WIDTH {
        swap_vectors_into::<4, S>(isa, src, dst);
    } else if len >= S::WIDTH {
        swap_vectors_into::<1, S>(isa, src, dst);
    } else {
        let _ = swap_two!(u128, src, dst)
            || swap_two!(u64, src, dst)
            || swap_two!(u32, src, dst)
            || swap_two!(u16, src, dst);
    }
}

/// Swaps `N` vectors at a time, the last of which overlap with those before. There must be as many.
#[inline(always)]
fn swap_vectors<const N: usize, S: Lanes>(isa: S, bytes: &mut [u8]) {
    let (whole, last) = blocks_and_last::<N, S>(bytes.len());
    // Before any of it is swapped.
    let end = load_swapped::<N, S>(isa, &bytes[last..]);
    for block in bytes[..whole].chunks_exact_mut(N * S::WIDTH) {
        overwrite_all(isa, block, load_swapped::<N, S>(isa, block));
    }
    overwrite_all(isa, &mut bytes[last..], end);
}

/// [`swap_vectors`] from `src` into `dst`.
#[inline(always)]
fn swap_vectors_into<const N: usize, S: Lanes>(isa: S, src: &[u8], dst: &mut [u8]) {
    let block = N * S::WIDTH;
    let (whole, last) = blocks_and_last::<N, S>(src.len());
    for (from, to) in src[..whole].chunks_exact(block).zip(dst[..whole].chunks_exact_mut(block)) {
        overwrite_all(isa, to, load_swapped::<N, S>(isa, from));
    }
    overwrite_all(isa, &mut dst[last..], load_swapped::<N, S>(isa, &src[last..]));
}

/// The length of all blocks of `N` vectors but the last, and where that one starts.
#[inline(always)]
fn blocks_and_last<const N: usize, S: Lanes>(len: usize) -> (usize, usize) {
    let block = N * S::WIDTH;
    ((len - 1) / block * block, len - block)
}

#[inline(always)]
fn load_swapped<const N: usize, S: Lanes>(isa: S, src: &[u8]) -> [S::V; N] {
    let mut vectors = [isa.splat8(0); N];
    for (k, vector) in vectors.iter_mut().enumerate() {
        *vector = swapped(isa, isa.load(src, k * S::WIDTH));
    }
    vectors
}

#[inline(always)]
fn overwrite_all<const N: usize, S: Lanes>(isa: S, dst: &mut [u8], vectors: [S::V; N]) {
    for (k, vector) in vectors.into_iter().enumerate() {
        isa.overwrite(dst, k * S::WIDTH, vector);
    }
}
