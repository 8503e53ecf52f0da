//! Counting for AVX-512: by tables of 64 bytes.
//!
//! In UTF-8 a lookup by the upper 6 bits of a byte says what it counts. In UTF-16, a masked shuffle puts the upper bytes
//! of two vectors of units into one: those of `a` and `b` in turn. Then a lookup by the upper 6 bits of that byte says
//! what a unit counts. These bits tell high surrogates (D8-DB) from low ones (DC-DF), and units below U+0800 (00-07) from
//! the rest. Units below U+0080 are told by the upper byte and bit 7 of the lower one. The order of the units does not
//! matter for a sum.
//!
//! In UTF-32, each limit that a character is above costs one more byte of UTF-8, or one more unit of UTF-16. One compare for
//! each limit gives a mask, and a masked addition counts it. Units above U+10FFFF become U+FFFD, and do not count as above
//! U+FFFF.

use crate::endian::ByteOrder;
use crate::kernels::swap_utf16::avx512::neighbours;
#[cfg(feature = "utf32")]
use crate::kernels::utf32::{
    avx512::{above, in_order},
    whole_units as whole_units_32,
};
use crate::kernels::validate_utf16::avx512::{ALIGNED_FROM, to_alignment};
use crate::kernels::validate_utf16::whole_units;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{A, B, C, Table, load, load_end, load_partial, low_bits};

/// What a byte adds to a count, by its upper 6 bits: nothing for a continuation byte, `four` for a 4-byte lead,
/// otherwise 1.
const fn weights_utf8(four: u8) -> Table {
    let mut table = [1; 64];
    let mut k = 0;
    while k < 64 {
        match 4 * k as u8 {
            0x80..0xC0 => table[k] = 0,
            0xF0.. => table[k] = four,
            _ => {}
        }
        k += 1;
    }
    Table(table)
}

/// Returns the number of characters in `src`.
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn chars_utf8(src: &[u8]) -> usize {
    static WEIGHTS: Table = weights_utf8(1);
    sum_utf8(src, WEIGHTS.load())
}

/// Returns the length of `src` in UTF-16 code units.
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn utf16_len(src: &[u8]) -> usize {
    static WEIGHTS: Table = weights_utf8(2);
    sum_utf8(src, WEIGHTS.load())
}

/// Returns the length in UTF-8 of Latin-1: 1 for ASCII, otherwise 2.
#[cfg(feature = "latin1")]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    static WEIGHTS: Table = {
        let mut table = [1; 64];
        let mut k = 0x80 / 4;
        while k < 64 {
            table[k] = 2;
            k += 1;
        }
        Table(table)
    };
    sum_utf8(src, WEIGHTS.load())
}

/// At most 64 bytes, and zeros.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn load_short(src: &[u8]) -> __m512i {
    // A load with an empty mask is slow if its address is not mapped.
    if src.is_empty() { _mm512_setzero_si512() } else { load_partial(src) }
}

/// The sum of the weights of all bytes of `src`. A weight is at most 2.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn sum_utf8(src: &[u8], weights: __m512i) -> usize {
    let weigh = |bytes| _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(bytes), weights);
    let zero = _mm512_setzero_si512();
    let mut totals = zero;
    let (mut src, all) = (src, src);
    if src.len() < 64 {
        let counts = _mm512_maskz_mov_epi8(low_bits(src.len()), weigh(load_short(src)));
        totals = _mm512_sad_epu8(counts, zero);
        src = &[];
    }
    // As many vectors as cannot overflow a byte.
    for part in src.chunks(64 * (255 / 2)) {
        let mut counts = zero;
        let (vectors, rest) = part.as_chunks::<64>();
        for vector in vectors {
            counts = _mm512_add_epi8(counts, weigh(load(vector, 0)));
        }
        totals = _mm512_add_epi64(totals, _mm512_sad_epu8(counts, zero));
        if !rest.is_empty() {
            let counts = _mm512_maskz_mov_epi8(!low_bits(64 - rest.len()), weigh(load(all, all.len() - 64)));
            totals = _mm512_add_epi64(totals, _mm512_sad_epu8(counts, zero));
        }
    }
    _mm512_reduce_add_epi64(totals) as usize
}

/// What a unit adds to a count, by the upper 6 bits of its upper byte: `surrogates[0]` for a high and `[1]` for a low
/// surrogate, `from_800` for others from U+0800 on.
const fn weights_utf16(from_800: u8, surrogates: [u8; 2]) -> Table {
    let mut table = [from_800; 64];
    [table[0x00 >> 2], table[0x04 >> 2]] = [0; 2];
    [table[0xD8 >> 2], table[0xDC >> 2]] = surrogates;
    Table(table)
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn chars_utf16(order: ByteOrder, src: &[u8]) -> usize {
    static LOW: Table = weights_utf16(0, [0, 1]);
    let src = whole_units(src);
    src.len() / 2 - sum_utf16::<false>(order, src, &LOW)
}

/// Counts 1 byte for a unit, one more from U+0080 on, and another from U+0800 on unless it is a surrogate.
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn utf8_len(order: ByteOrder, src: &[u8]) -> usize {
    static FROM_800: Table = weights_utf16(1, [0, 0]);
    let src = whole_units(src);
    src.len() / 2 + sum_utf16::<true>(order, src, &FROM_800)
}

/// The sum of the weights of all units (at most 1 each) and, if `FROM_80`, of 1 for each unit from U+0080 on.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn sum_utf16<const FROM_80: bool>(order: ByteOrder, src: &[u8], weights: &Table) -> usize {
    /// Two vectors, which have as many units as one vector has bytes.
    const PAIR: usize = 2 * 64;
    let zero = _mm512_setzero_si512();
    let weights = weights.load();
    let weigh = |a, b| {
        let upper = upper_bytes(order, a, b);
        let mut counts = _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(upper), weights);
        if FROM_80 {
            let bit_7 = _mm512_set1_epi8(0x80u8 as i8);
            let from_80 = _mm512_ternarylogic_epi64::<{ A | B & C }>(upper, lower_bytes(order, a, b), bit_7);
            counts = _mm512_add_epi8(counts, _mm512_min_epu8(from_80, _mm512_set1_epi8(1)));
        }
        counts
    };
    let mut totals = zero;
    let (mut src, all) = (src, src);
    if src.len() < 64 {
        totals = _mm512_sad_epu8(weigh(load_short(src), zero), zero);
        src = &[];
    } else if src.len() >= ALIGNED_FROM {
        let unaligned = to_alignment(src);
        let first = _mm512_maskz_mov_epi8(low_bits(unaligned), load(src, 0));
        totals = _mm512_sad_epu8(weigh(first, zero), zero);
        src = &src[unaligned..];
    }
    // As many pairs as cannot overflow a byte.
    for part in src.chunks(PAIR * (255 / 2)) {
        let (pairs, rest) = part.as_chunks::<PAIR>();
        let mut counts = zero;
        for pair in pairs {
            counts = _mm512_add_epi8(counts, weigh(load(pair, 0), load(pair, 64)));
        }
        totals = _mm512_add_epi64(totals, _mm512_sad_epu8(counts, zero));
        if rest.is_empty() {
            continue;
        }
        let end = load_end(all, rest.len() % 64);
        let first = if let Some(first) = rest.first_chunk::<64>() { load(first, 0) } else { zero };
        totals = _mm512_add_epi64(totals, _mm512_sad_epu8(weigh(first, end), zero));
    }
    _mm512_reduce_add_epi64(totals) as usize
}

/// The first bytes of the words of `a` and `b`: in each word, that of `a` before that of `b`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn first_bytes(a: __m512i, b: __m512i) -> __m512i {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    _mm512_mask_shuffle_epi8(a, ODD, b, neighbours())
}

/// The second bytes of the words of `a` and `b`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn second_bytes(a: __m512i, b: __m512i) -> __m512i {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    _mm512_mask_shuffle_epi8(b, EVEN, a, neighbours())
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn upper_bytes(order: ByteOrder, a: __m512i, b: __m512i) -> __m512i {
    if order.is_big() { first_bytes(a, b) } else { second_bytes(a, b) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn lower_bytes(order: ByteOrder, a: __m512i, b: __m512i) -> __m512i {
    if order.is_big() { second_bytes(a, b) } else { first_bytes(a, b) }
}

/// The length in UTF-8, where each code unit that is ill-formed becomes U+FFFD.
#[cfg(feature = "utf32")]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn utf8_len_from_utf32(order: ByteOrder, src: &[u8]) -> usize {
    sum_utf32::<true>(order, src)
}

/// The length in UTF-16, where each code unit that is ill-formed becomes U+FFFD.
#[cfg(feature = "utf32")]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn utf16_len_from_utf32(order: ByteOrder, src: &[u8]) -> usize {
    sum_utf32::<false>(order, src)
}

/// A bit for each unit from U+10000 to U+10FFFF and, if `UTF8`, bits for those from U+0080 on, and from U+0800 on.
#[cfg(feature = "utf32")]
#[inline]
#[target_feature(enable = "avx512bw")]
fn masks<const UTF8: bool>(order: ByteOrder, units: __m512i) -> [u16; 3] {
    let units = in_order(order, units);
    let pairs = !above(_mm512_sub_epi32(units, _mm512_set1_epi32(0x1_0000)), 0xF_FFFF);
    if UTF8 { [above(units, 0x7F), above(units, 0x7FF), pairs] } else { [0, 0, pairs] }
}

/// Adds 1 to the sum of a unit for each of [`masks`] that has its bit.
#[cfg(feature = "utf32")]
#[inline]
#[target_feature(enable = "avx512bw")]
fn add_masks<const UTF8: bool>(order: ByteOrder, sums: __m512i, units: __m512i) -> __m512i {
    let [a, b, c] = masks::<UTF8>(order, units);
    let one = _mm512_set1_epi32(1);
    let sums = _mm512_mask_add_epi32(sums, a, sums, one);
    let sums = _mm512_mask_add_epi32(sums, b, sums, one);
    _mm512_mask_add_epi32(sums, c, sums, one)
}

/// Counts 1 for each unit, and 1 for each bit of [`masks`]. Sums of 32 bits are enough: callers pass less than 16 MB
/// (`large_input`).
#[cfg(feature = "utf32")]
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
fn sum_utf32<const UTF8: bool>(order: ByteOrder, src: &[u8]) -> usize {
    /// Vectors of which each has its own sums, so that none waits for another.
    const GROUP: usize = 4;
    let src = whole_units_32(src);
    if src.len() <= 64 {
        let [a, b, c] = masks::<UTF8>(order, load_short(src));
        return src.len() / 4 + (a.count_ones() + b.count_ones() + c.count_ones()) as usize;
    }
    let mut sums = [_mm512_setzero_si512(); GROUP];
    let (groups, rest) = src.as_chunks::<{ GROUP * 64 }>();
    for group in groups {
        let mut k = 0;
        while k < GROUP {
            sums[k] = add_masks::<UTF8>(order, sums[k], load(group, k * 64));
            k += 1;
        }
    }
    let mut k = 0;
    while k * 64 < rest.len() {
        let units = load_partial(&rest[k * 64..rest.len().min((k + 1) * 64)]);
        sums[k] = add_masks::<UTF8>(order, sums[k], units);
        k += 1;
    }
    let [a, b, c, d] = sums;
    let sum = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
    src.len() / 4 + _mm512_reduce_add_epi32(sum) as usize
}
