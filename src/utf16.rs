//! UTF-16 without converting it: validation, counting, and swapping its bytes.
//!
//! Both byte orders run the same loop: a code unit is a word, and for big-endian text the constants are swapped
//! instead of the text.

use crate::endian::Endian;
use crate::error::Utf16Error;
use crate::scalar;
use crate::simd::Simd;

/// The word that a code unit of byte order `E` is to the CPU.
#[inline(always)]
const fn word<E: Endian>(unit: u16) -> u16 {
    if E::BIG { unit.swap_bytes() } else { unit }
}

/// `FFFF` where the code unit, with only the bits of `mask`, is `value`.
#[inline(always)]
fn matches<S: Simd, E: Endian>(isa: S, units: S::V, mask: u16, value: u16) -> S::V {
    isa.eq16(units & isa.splat16(word::<E>(mask)), isa.splat16(word::<E>(value)))
}

/// Text is UTF-16 if each unit is a high surrogate exactly where the next one is a low surrogate, the first one is
/// not a low and the last one not a high surrogate. A block with its neighbour unit needs nothing carried along.
#[inline(always)]
pub(crate) fn validate<S: Simd, E: Endian>(isa: S, src: &[u8]) -> Result<(), Utf16Error> {
    /// Vectors to a block.
    const UNROLL: usize = 4;
    let block = UNROLL * S::WIDTH;
    // All up to `at` is valid, and if the unit before `at` is a high surrogate, the one at `at` is a low one.
    let mut at = 0;
    let starts_low = |units: &[u8]| E::unit([units[0], units[1]]) & 0xFC00 == 0xDC00;
    if src.len() >= block + 2 && !starts_low(src) {
        while let Some(window) = src[at..].get(..block + 2) {
            let mut surrogates = isa.splat8(0);
            for k in 0..UNROLL {
                surrogates = surrogates | matches::<S, E>(isa, isa.load(window, k * S::WIDTH), 0xF800, 0xD800);
            }
            // Without surrogates inside, only the first unit after the block could be wrong.
            if !isa.is_zero(surrogates) || starts_low(&window[block..]) {
                let mut unpaired = isa.splat8(0);
                for k in 0..UNROLL {
                    let high = matches::<S, E>(isa, isa.load(window, k * S::WIDTH), 0xFC00, 0xD800);
                    let low = matches::<S, E>(isa, isa.load(window, k * S::WIDTH + 2), 0xFC00, 0xDC00);
                    unpaired = unpaired | (high ^ low);
                }
                if !isa.is_zero(unpaired) {
                    break;
                }
            }
            at += block;
        }
        // Start over from the high surrogate whose other half the next unit is.
        if at > 0 && starts_low(&src[at..]) {
            at -= 2;
        }
    }
    scalar::validate_utf16_from::<E>(src, at)
}

/// Sums, over all vectors of `src`, the bytes of `minus_counts`, each of which is minus a count of at most `MOST`.
/// Returns the sum of the counts and the rest of `src`.
#[inline(always)]
pub(crate) fn sum_counts<const MOST: usize, S: Simd>(
    isa: S,
    mut src: &[u8],
    minus_counts: impl Fn(S::V) -> S::V,
) -> (usize, &[u8]) {
    let mut total = 0;
    while src.len() >= S::WIDTH {
        // Four sums side by side, so that none waits for the one before; and as many blocks as cannot overflow a byte.
        let blocks = (src.len() / (4 * S::WIDTH)).min(255 / MOST);
        let len = if blocks > 0 { blocks * 4 * S::WIDTH } else { S::WIDTH };
        let (part, rest) = src.split_at(len);
        let mut counts = [isa.splat8(0); 4];
        for block in part.chunks_exact(4 * S::WIDTH) {
            let mut k = 0;
            while k < 4 {
                counts[k] = isa.sub8(counts[k], minus_counts(isa.load(block, k * S::WIDTH)));
                k += 1;
            }
        }
        if blocks == 0 {
            counts[0] = isa.sub8(counts[0], minus_counts(isa.load(part, 0)));
        }
        let [a, b, c, d] = counts;
        total += (isa.sum8(a) + isa.sum8(b) + isa.sum8(c) + isa.sum8(d)) as usize;
        src = rest;
    }
    (total, src)
}

#[inline(always)]
pub(crate) fn count_chars<S: Simd, E: Endian>(isa: S, src: &[u8]) -> usize {
    let (low_bytes, rest) = sum_counts::<1, S>(
        isa,
        src,
        #[inline(always)]
        |units| matches::<S, E>(isa, units, 0xFC00, 0xDC00),
    );
    (src.len() - rest.len()) / 2 - low_bytes / 2 + scalar::count_chars_utf16::<E>(rest)
}

/// 3 bytes for a unit, but one less for each of these that it is: below U+0080, below U+0800, a surrogate.
#[inline(always)]
pub(crate) fn utf8_len<S: Simd, E: Endian>(isa: S, src: &[u8]) -> usize {
    let (saved, rest) = sum_counts::<2, S>(
        isa,
        src,
        #[inline(always)]
        |units| {
            let below_80 = matches::<S, E>(isa, units, 0xFF80, 0);
            let below_800 = matches::<S, E>(isa, units, 0xF800, 0);
            let surrogate = matches::<S, E>(isa, units, 0xF800, 0xD800);
            isa.add8(below_80, below_800 | surrogate)
        },
    );
    // Each unit was counted in both of its bytes.
    (src.len() - rest.len()) / 2 * 3 - saved / 2 + scalar::utf8_len_from_utf16::<E>(rest)
}

/// Swaps the bytes of each word.
#[inline(always)]
pub(crate) fn swapped<S: Simd>(isa: S, v: S::V) -> S::V {
    isa.shuffle(v, isa.lanes([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
}

#[inline(always)]
pub(crate) fn swap_bytes<S: Simd>(isa: S, bytes: &mut [u8]) {
    let mut vectors = bytes.chunks_exact_mut(S::WIDTH);
    for vector in &mut vectors {
        let v = swapped(isa, isa.load(vector, 0));
        isa.overwrite(vector, 0, v);
    }
    scalar::swap_utf16_bytes(vectors.into_remainder());
}

#[inline(always)]
pub(crate) fn swap_bytes_into<S: Simd>(isa: S, src: &[u8], dst: &mut [u8]) {
    let (mut from, mut to) = (src.chunks_exact(S::WIDTH), dst.chunks_exact_mut(S::WIDTH));
    for (from, to) in (&mut from).zip(&mut to) {
        isa.overwrite(to, 0, swapped(isa, isa.load(from, 0)));
    }
    scalar::swap_utf16_bytes_into(from.remainder(), to.into_remainder());
}
