//! UTF-32 for AVX-512: 16 code units in a vector. Validation ranks units as the parent module does. In the conversions,
//! a compression takes the place of its tables.
//!
//! # To UTF-8
//!
//! As in `to_utf8.rs`. A byte is kept where its mark is not 0, or as the last one of its unit.
//!
//! # From UTF-8
//!
//! Each byte becomes the character that would end with it, in three vectors: bits 0 to 7, 8 to 15, and from 16 on. The first two
//! are those of UTF-16 (`utf8_to_utf16`), but for the last of 4 bytes. A compression keeps the bytes that do end a character, and
//! 16 characters at a time are put together.
//!
//! ```text
//! bytes      20 E2 82 AC 35 F0 9F 98 80
//! low        20 62 82 AC 35 70 1F D8 00
//! high       00 08 08 20 00 0D 0C 07 F6
//! upper      00 00 00 00 00 00 00 00 01
//! ends        1  .  .  1  1  .  .  .  1
//! ```
//!
//! A block starts with a character, and leaves one that it cuts to the next, so nothing is carried over.
//!
//! # To UTF-16
//!
//! While all units are in the BMP, a permutation picks the lower words of two vectors. Otherwise each vector is converted
//! by itself: a unit above FFFF becomes a pair in its own double word, and a compression drops the upper words that are 0.
//!
//! ```text
//! unit                               0000_006E    0001_F600
//! low = unit << 16 & 03FF_0000                    0200_0000
//! high = unit >> 10                               0000_007D
//! low | high, + DC00_D7C0                         DE00_D83D
//! words, the lower one first         6E 0         D83D DE00
//! kept                               6E           D83D DE00
//! ```
//!
//! Two vectors are stored as a whole, the second right after the output of the first, if there is room for both.
//!
//! # From UTF-16
//!
//! While there are no surrogates, words are widened. Otherwise each word gets the next one as its upper half, which is
//! loaded from 2 bytes further on. A high surrogate and its neighbour become a character there, and a compression drops
//! the low surrogates.
//!
//! ```text
//! units         6E           D83D          DE00         next block …
//! both          D83D_006E    DE00_D83D     …._DE00
//! character     6E           1F600         dropped      (high - D800) << 10 + low - DC00 + 1_0000
//! ```
//!
//! A block is well-formed if high surrogates are exactly where the next unit is a low one. The first unit must be a low
//! surrogate exactly if the block before ended with a high one (`inside`).
//!
//! Text with pairs tends to have more of them. After a block with some, the next [`PATIENCE`] blocks take the loop for any
//! characters without asking.

#[cfg(all(test, fastutf_proofs, fastutf_on_paper))]
#[path = "../../proof/avx512/utf32.rs"]
mod proof;

use super::{MAX, whole_units};
use crate::endian::ByteOrder;
use crate::kernels::utf8_to_utf16::avx512::{GREATEST_UNCUT, Units, decode, whole_chars};
use crate::kernels::validate_utf8::avx512::{any, before_first, errors};
use crate::kernels::validate_utf16::word;
use crate::output::Output;
use crate::parts::Parts;
use crate::report::Reached;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{
    A, B, C, SELECT, Table, compress, load, load_partial, load_two_partial, low_bits, splat8, store, store_partial,
};

/// Bytes in a vector.
const BLOCK: usize = 64;
/// The greatest rank of a character up to U+FFFF.
const MAX_OF_BMP: u32 = 0xFFFF - 0x800;
/// Bytes for which validation makes one decision.
const GROUP: usize = 4 * BLOCK;

/// A table of which byte `k` is `$byte`, for each byte order.
macro_rules! by_order {
    (|$big:ident, $k:ident| $byte:expr) => {
        [by_order!(@one |$big = false, $k| $byte), by_order!(@one |$big = true, $k| $byte)]
    };
    (@one |$big:ident = $value:literal, $k:ident| $byte:expr) => {{
        let ($big, mut table, mut $k) = ($value, [0; 64], 0);
        while $k < 64 {
            table[$k] = $byte as u8;
            $k += 1;
        }
        Table(table)
    }};
}

/// The other byte order within double words.
static SWAPPED: Table = by_order!(@one |_big = true, k| k ^ 3);
/// The other byte order within words.
static SWAPPED_WORDS: Table = by_order!(@one |_big = true, k| k ^ 1);
/// Of the units of two vectors: the lower words.
static LOWER_WORDS: [Table; 2] = by_order!(|big, k| k / 2 * 4 + k % 2 + if big { 2 } else { 0 });
/// Of the units of two vectors: the lowest bytes, in the first half.
static LOWEST_BYTES: [Table; 2] = by_order!(|big, k| k % 32 * 4 + if big { 3 } else { 0 });
/// Double words of 16 bytes: their place in a vector is to be added. What is not selected becomes 0.
static BYTES_APART: Table = by_order!(@one |_big = true, k| k / 4);
/// Of the lower and the upper bytes of 16 words: double words, likewise.
static LOW_AND_HIGH: [Table; 2] = by_order!(|big, k| k / 4 + if (k % 2 == 1) != big { 64 } else { 0 });
/// Double words of 16 words, likewise.
static WORDS_APART: Table = by_order!(@one |_big = true, k| k / 4 * 2 + k % 2);
/// Words of two vectors in turn, 16 of each: the place in the vectors is to be added.
static WORDS_IN_TURN: Table = by_order!(@one |_big = true, k| k / 4 * 2 + k % 2 + if k & 2 != 0 { 64 } else { 0 });

#[inline]
#[target_feature(enable = "avx512bw")]
fn of_order(tables: &'static [Table; 2], order: ByteOrder) -> __m512i {
    tables[usize::from(order.is_big())].load()
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn splat(dword: u32) -> __m512i {
    _mm512_set1_epi32(dword as i32)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn or3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ A | B | C }>(a, b, c)
}

/// These code units in the byte order of the machine, or back.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn in_order(order: ByteOrder, units: __m512i) -> __m512i {
    if order.is_big() { _mm512_shuffle_epi8(units, SWAPPED.load()) } else { units }
}

/// See the parent module.
#[inline]
#[target_feature(enable = "avx512bw")]
fn rank(units: __m512i) -> __m512i {
    _mm512_sub_epi32(_mm512_xor_si512(units, splat(0xD800)), splat(0x800))
}

/// A bit for each number that is greater than `max`.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn above(numbers: __m512i, max: u32) -> u16 {
    _mm512_cmpgt_epu32_mask(numbers, splat(max))
}

/// The ranks of a vector of units.
#[inline]
#[target_feature(enable = "avx512bw")]
fn ranks(order: ByteOrder, src: &[u8], at: usize) -> __m512i {
    rank(in_order(order, load(src, at)))
}

/// The length in bytes of the well-formed text at the start of `src`, or less: nothing of the group with the first
/// ill-formed code unit.
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn prefix(order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    if src.len() <= BLOCK {
        if src.is_empty() || above(rank(in_order(order, load_partial(src))), MAX) == 0 {
            return src.len();
        }
        return 0;
    }
    if src.len() <= GROUP {
        // The vectors overlap.
        let last = src.len() - BLOCK;
        let a = _mm512_max_epu32(ranks(order, src, 0), ranks(order, src, last.min(BLOCK)));
        let b = _mm512_max_epu32(ranks(order, src, last.saturating_sub(BLOCK)), ranks(order, src, last));
        path!("check of up to a group");
        return if above(_mm512_max_epu32(a, b), MAX) == 0 { src.len() } else { 0 };
    }
    let mut at = 0;
    while at < src.len() {
        // The last one overlaps the one before.
        let window = src.expect_part(at.min(src.len() - GROUP), GROUP);
        let a = _mm512_max_epu32(ranks(order, window, 0), ranks(order, window, BLOCK));
        let b = _mm512_max_epu32(ranks(order, window, 2 * BLOCK), ranks(order, window, 3 * BLOCK));
        if above(_mm512_max_epu32(a, b), MAX) != 0 {
            return at;
        }
        path!("check of a group");
        at += GROUP;
    }
    src.len()
}

/// Widens the 16 bytes at `bytes[first..]`.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn widen_16(order: ByteOrder, bytes: __m512i, first: usize) -> __m512i {
    let lowest = if order.is_big() { u64::MAX / 0b1111 * 0b1000 } else { u64::MAX / 0b1111 };
    let from = _mm512_add_epi8(BYTES_APART.load(), _mm512_set1_epi8(first as i8));
    _mm512_maskz_permutexvar_epi8(lowest, from, bytes)
}

/// Widens bytes, as many as fit; only ASCII, if `ascii`: then it stops at the first block that has something else. Returns
/// their number.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn widen(order: ByteOrder, ascii: bool, src: &[u8], dst: &mut Output) -> usize {
    let len = src.len().min(dst.len() / 4);
    let (src, dst) = (&src[..len], &mut dst[..4 * len]);
    if len == 0 {
        return 0;
    }
    if len > 16 {
        return widen_long(order, ascii, src, dst);
    }
    let bytes = load_partial(src);
    if ascii && _mm512_movepi8_mask(bytes) != 0 {
        return 0;
    }
    store_partial(dst, widen_16(order, bytes, 0));
    path!("up to 16 bytes to UTF-32");
    len
}

/// Widens more than 16 bytes.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn widen_long(order: ByteOrder, ascii: bool, src: &[u8], dst: &mut Output) -> usize {
    let mut at = 0;
    while let (Some(window), Some(out)) = (src.chunk_at::<BLOCK>(at), dst.chunk_at::<{ 4 * BLOCK }>(4 * at)) {
        let bytes = load(window, 0);
        if ascii && _mm512_movepi8_mask(bytes) != 0 {
            return at;
        }
        store(out, 0, widen_16(order, bytes, 0));
        store(out, BLOCK, widen_16(order, bytes, 16));
        store(out, 2 * BLOCK, widen_16(order, bytes, 32));
        store(out, 3 * BLOCK, widen_16(order, bytes, 48));
        path!("64 bytes to UTF-32");
        at += BLOCK;
    }
    while at < src.len() {
        // The last one overlaps the one before.
        let from = at.min(src.len() - 16);
        let bytes = load_partial(src.expect_part(from, 16));
        if ascii && _mm512_movepi8_mask(bytes) != 0 {
            return at;
        }
        store(dst, 4 * from, widen_16(order, bytes, 0));
        path!("the last bytes to UTF-32");
        at = from + 16;
    }
    at
}

/// Converts UTF-8 to UTF-32.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    if src.len() > BLOCK {
        return long_from_utf8(order, src, dst);
    }
    // A load with an empty mask is slow if its address is not mapped.
    if src.is_empty() {
        return Reached::START;
    }
    match up_to_block_from_utf8(order, src, dst) {
        Some(written) => Reached { read: src.len(), written },
        None => Reached::START,
    }
}

/// Converts 1 to 64 bytes, if they are well-formed and there is room. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn up_to_block_from_utf8(order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<usize> {
    let (now, len) = (load_partial(src), src.len());
    if _mm512_movepi8_mask(now) == 0 {
        path!("up to 64 bytes of ASCII to UTF-32");
        put::<1>(order, &Characters::of_ascii(now, len), dst)
    } else if _mm512_cmpge_epu8_mask(now, splat8(0xF0)) == 0 {
        path!("up to 64 bytes of up to 3 to UTF-32");
        put_bytes::<3>(order, now, len, dst)
    } else {
        path!("up to 64 bytes of up to 4 to UTF-32");
        put_bytes::<4>(order, now, len, dst)
    }
}

/// Converts more than 64 bytes, up to 64 at a time, from the start of a character on.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn long_from_utf8(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let mut at = Reached::START;
    // How many blocks of ASCII come before the loop for it, and how many blocks take the loop for any characters.
    let (mut ascii, mut four) = (0, 0);
    while at.read < src.len() {
        if ascii == 0 {
            let run = widen(order, true, &src[at.read..], &mut dst[at.written..]);
            at.advance(run, 4 * run);
            ascii = PATIENCE;
        }
        let Some(window) = src.chunk_at::<{ BLOCK + 1 }>(at.read) else { break };
        let out = &mut dst[at.written..];
        let (len, now) = (whole_chars(window), load(window, 0));
        let written = if _mm512_movepi8_mask(now) == 0 {
            path!("64 bytes of ASCII to UTF-32");
            ascii -= 1;
            put::<1>(order, &Characters::of_ascii(now, len), out)
        } else {
            let now = _mm512_maskz_mov_epi8(low_bits(len), now);
            if _mm512_cmpge_epu8_mask(now, splat8(0xF0)) != 0 {
                four = PATIENCE;
            }
            ascii = PATIENCE;
            if four == 0 {
                path!("a block of up to 3 bytes to UTF-32");
                put_bytes::<3>(order, now, len, out)
            } else {
                path!("a block of up to 4 bytes to UTF-32");
                four -= 1;
                put_bytes::<4>(order, now, len, out)
            }
        };
        let Some(written) = written else { return at };
        at.advance(len, written);
    }
    if let Some(rest @ [_, ..]) = src.get(at.read..)
        && let Some(written) = up_to_block_from_utf8(order, rest, &mut dst[at.written..])
    {
        at.advance(rest.len(), written);
    }
    at
}

/// Up to 64 characters: bits 0 to 7, 8 to 15 and from 16 on, and their number.
struct Characters {
    low: __m512i,
    high: __m512i,
    upper: __m512i,
    count: usize,
}

impl Characters {
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn of_ascii(ascii: __m512i, count: usize) -> Self {
        Self { low: ascii, high: _mm512_setzero_si512(), upper: _mm512_setzero_si512(), count }
    }
}

/// The characters of the first `len` of these bytes, after which there are zeros. `None` if they are ill-formed, or have
/// characters of more than `LONGEST` bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn characters_of_bytes<const LONGEST: usize>(now: __m512i, len: usize) -> Option<Characters> {
    let before = before_first(now);
    if _mm512_cmpgt_epu8_mask(now, GREATEST_UNCUT.load()) != 0 || any(errors::<LONGEST>(now, before)) {
        return None;
    }
    let ends = !(_mm512_cmplt_epi8_mask(now, splat8(0xC0)) >> 1) & low_bits(len);
    let [low, high, upper] = character_at_each::<LONGEST>(now, before);
    let upper = if LONGEST == 4 { compress(ends, upper) } else { upper };
    Some(Characters {
        low: compress(ends, low),
        high: compress(ends, high),
        upper,
        count: ends.count_ones() as usize,
    })
}

/// For each byte, given the bytes 1, 2 and 3 before it, the character that would end with it: bits 0 to 7, 8 to 15 and from 16 on.
#[inline]
#[target_feature(enable = "avx512vbmi,gfni")]
fn character_at_each<const LONGEST: usize>(now: __m512i, before: [__m512i; 3]) -> [__m512i; 3] {
    let Units { low, high, .. } = decode::<3>(now, before, 0);
    if LONGEST < 4 {
        return [low, high, _mm512_setzero_si512()];
    }
    // At the last of 4 bytes, `before[1]` is a continuation, `[10uu|hhhh]`, and `before[2]` a lead, `[1111|0uuu]`.
    let fourth = _mm512_cmpge_epu8_mask(before[2], splat8(0xF0));
    let upper_4 = _mm512_slli_epi16::<4>(before[1]);
    let high_of_4 = _mm512_ternarylogic_epi32::<SELECT>(high, upper_4, splat8(0b0000_1111));
    let (lower_2, upper_3) = (_mm512_srli_epi16::<4>(before[1]), _mm512_slli_epi16::<2>(before[2]));
    let upper = _mm512_ternarylogic_epi32::<SELECT>(lower_2, upper_3, splat8(0b0000_0011));
    let upper = _mm512_and_si512(upper, splat8(0b0001_1111));
    [low, _mm512_mask_mov_epi8(high, fourth, high_of_4), _mm512_maskz_mov_epi8(fourth, upper)]
}

/// Converts the first `len` of these bytes, after which there are zeros, if they are well-formed and there is room. Returns the
/// number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn put_bytes<const LONGEST: usize>(order: ByteOrder, now: __m512i, len: usize, out: &mut Output) -> Option<usize> {
    put::<LONGEST>(order, &characters_of_bytes::<LONGEST>(now, len)?, out)
}

/// Writes these characters, of up to `LONGEST` bytes in UTF-8, if there is room. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn put<const LONGEST: usize>(order: ByteOrder, characters: &Characters, out: &mut Output) -> Option<usize> {
    let count = characters.count;
    if let Some(out) = out.first_chunk_mut::<{ 4 * BLOCK }>() {
        // Nothing but characters is written, so what comes after them becomes U+0000.
        let valid = low_bits(count);
        let characters = &Characters {
            low: _mm512_maskz_mov_epi8(valid, characters.low),
            high: _mm512_maskz_mov_epi8(valid, characters.high),
            upper: _mm512_maskz_mov_epi8(valid, characters.upper),
            count,
        };
        store(out, 0, units_of::<LONGEST>(order, characters, 0));
        store(out, BLOCK, units_of::<LONGEST>(order, characters, 16));
        if count > 32 {
            store(out, 2 * BLOCK, units_of::<LONGEST>(order, characters, 32));
            store(out, 3 * BLOCK, units_of::<LONGEST>(order, characters, 48));
        }
    } else {
        let out = out.get_mut(..4 * count)?;
        let mut first = 0;
        while first < count {
            let part = &mut out[4 * first..4 * count.min(first + 16)];
            store_partial(part, units_of::<LONGEST>(order, characters, first));
            first += 16;
        }
    }
    Some(4 * count)
}

/// The code units of 16 characters, from the one with this number on.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn units_of<const LONGEST: usize>(order: ByteOrder, characters: &Characters, first: usize) -> __m512i {
    if LONGEST == 1 {
        return widen_16(order, characters.low, first);
    }
    let lower = if order.is_big() { u64::MAX / 0b1111 * 0b1100 } else { u64::MAX / 0b1111 * 0b0011 };
    let from = _mm512_add_epi8(of_order(&LOW_AND_HIGH, order), _mm512_set1_epi8(first as i8));
    let words = _mm512_maskz_mov_epi8(lower, _mm512_permutex2var_epi8(characters.low, from, characters.high));
    if LONGEST < 4 {
        return words;
    }
    let upper = widen_16(order, characters.upper, first);
    let upper = if order.is_big() { _mm512_srli_epi32::<16>(upper) } else { _mm512_slli_epi32::<16>(upper) };
    _mm512_or_si512(words, upper)
}

/// Whether a unit has other bits than `max`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn any_above(order: ByteOrder, max: u8, units: __m512i) -> bool {
    let others = !u32::from(max);
    _mm512_test_epi32_mask(units, splat(if order.is_big() { others.swap_bytes() } else { others })) != 0
}

/// Narrows units while they are at most `max` (7F or FF) and fit; it may stop before the first that is not. Returns their
/// number.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn narrow(order: ByteOrder, max: u8, src: &[u8], dst: &mut Output) -> usize {
    let len = (src.len() / 4).min(dst.len());
    let (src, dst) = (&src[..4 * len], &mut dst[..len]);
    if len == 0 {
        return 0;
    }
    if len > 16 {
        return narrow_long(order, max, src, dst);
    }
    let units = load_partial(src);
    if any_above(order, max, units) {
        return 0;
    }
    store_partial(dst, _mm512_permutexvar_epi8(of_order(&LOWEST_BYTES, order), units));
    path!("up to 16 units to bytes");
    len
}

/// Narrows more than 16 units.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn narrow_long(order: ByteOrder, max: u8, src: &[u8], dst: &mut Output) -> usize {
    let lowest = of_order(&LOWEST_BYTES, order);
    let mut at = 0;
    while let (Some(window), Some(out)) = (src.chunk_at::<{ 4 * BLOCK }>(4 * at), dst.chunk_at::<BLOCK>(at)) {
        let (a, b) = (load(window, 0), load(window, BLOCK));
        let (c, d) = (load(window, 2 * BLOCK), load(window, 3 * BLOCK));
        if any_above(order, max, _mm512_or_si512(or3(a, b, c), d)) {
            return at;
        }
        let (first, second) = (_mm512_permutex2var_epi8(a, lowest, b), _mm512_permutex2var_epi8(c, lowest, d));
        let halves = _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11);
        store(out, 0, _mm512_permutex2var_epi64(first, halves, second));
        path!("64 units to bytes");
        at += BLOCK;
    }
    while at < dst.len() {
        // The last one overlaps the one before.
        let from = at.min(dst.len() - 16);
        let units = load(src, 4 * from);
        if any_above(order, max, units) {
            return at;
        }
        store_partial(dst.expect_part(from, 16), _mm512_permutexvar_epi8(lowest, units));
        path!("the last units to bytes");
        at = from + 16;
    }
    at
}

/// Converts UTF-32 to UTF-8.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn to_utf8(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let ascii = narrow(order, 0x7F, src, dst);
    if 4 * ascii == src.len() {
        return Reached::after(ascii, 4, 1);
    }
    any_to_utf8(order, whole_units(src), dst, ascii)
}

/// Converts UTF-32 to UTF-8, of any characters but for the first ones, of which `ascii` are converted.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn any_to_utf8(order: ByteOrder, src: &[u8], dst: &mut Output, ascii: usize) -> Reached {
    const LAST_BYTES: u64 = u64::MAX / 0b1111 * 0b1000;
    let (mut read, mut written, mut patience) = (4 * ascii, ascii, PATIENCE);
    while read < src.len() {
        let rest = &src[read..src.len().min(read + BLOCK)];
        let units = if rest.len() == BLOCK { load(rest, 0) } else { load_partial(rest) };
        let units = in_order(order, units);
        if above(rank(units), MAX) != 0 {
            break;
        }
        let (two, three, four) = (above(units, 0x7F), above(units, 0x7FF), above(units, 0xFFFF));
        let last = _mm512_slli_epi32::<24>(units);
        let (first, second) = (_mm512_srli_epi32::<18>(units), _mm512_srli_epi32::<4>(units));
        let third = _mm512_slli_epi32::<10>(units);
        let bits = _mm512_ternarylogic_epi32::<{ A & B | C }>(second, splat(0x3F00), first);
        let ends = _mm512_ternarylogic_epi32::<SELECT>(third, last, splat(0x00FF_FFFF));
        let bits = _mm512_ternarylogic_epi32::<{ A & B | C }>(ends, splat(0x3F3F_0000), bits);
        let marks = _mm512_mask_mov_epi32(_mm512_setzero_si512(), two, splat(0x80C0_0000));
        let marks = _mm512_mask_mov_epi32(marks, three, splat(0x8080_E000));
        let marks = _mm512_mask_mov_epi32(marks, four, splat(0x8080_80F0));
        let kept = _mm512_movepi8_mask(marks) | LAST_BYTES;
        let bytes = _mm512_mask_mov_epi32(last, two, _mm512_or_si512(marks, bits));
        // Zeros after the last unit are not kept.
        let kept = kept & u64::MAX >> (BLOCK - rest.len());
        let len = kept.count_ones() as usize;
        let bytes = _mm512_mask_compress_epi8(bytes, kept, bytes);
        let out = &mut dst[written..];
        if out.len() >= BLOCK {
            store(out, 0, bytes);
        } else {
            let Some(out) = out.get_mut(..len) else { break };
            store_partial(out, bytes);
        }
        path!("up to 16 units to UTF-8");
        (read, written) = (read + rest.len(), written + len);
        patience = if two == 0 { patience - 1 } else { PATIENCE };
        if patience == 0 {
            let run = narrow(order, 0x7F, &src[read..], &mut dst[written..]);
            (read, written, patience) = (read + 4 * run, written + run, PATIENCE);
        }
    }
    Reached { read, written }
}

/// Converts UTF-32 to UTF-16.
///
/// Calls are the last thing that happens here, so they are jumps, and nothing is saved for them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    if src.len() > BLOCK {
        return long_to_utf16(order, src, dst);
    }
    if !src.is_empty()
        && src.len().is_multiple_of(4)
        && let Some(out) = dst.get_mut(..src.len() / 2)
    {
        let units = load_partial(src);
        if above(rank(in_order(order, units)), MAX_OF_BMP) == 0 {
            store_partial(out, _mm512_permutexvar_epi8(of_order(&LOWER_WORDS, order), units));
            path!("up to 16 units of the BMP to UTF-16");
            return Reached { read: src.len(), written: src.len() / 2 };
        }
    }
    any_to_utf16(order, src, dst, Reached::START)
}

/// The lower words of two vectors, if all units are in the BMP.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn words_of_bmp(order: ByteOrder, a: __m512i, b: __m512i) -> Option<__m512i> {
    let ranks = _mm512_max_epu32(rank(in_order(order, a)), rank(in_order(order, b)));
    if above(ranks, MAX_OF_BMP) != 0 {
        return None;
    }
    Some(_mm512_permutex2var_epi8(a, of_order(&LOWER_WORDS, order), b))
}

/// Converts more than 16 units of UTF-32 to UTF-16: those before the first that is not in the BMP without loading what the loop for
/// any needs.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn long_to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let mut at = Reached::START;
    while let (Some(window), Some(out)) =
        (src.chunk_at::<{ 2 * BLOCK }>(at.read), dst.chunk_at::<BLOCK>(at.written))
        && let Some(words) = words_of_bmp(order, load(window, 0), load(window, BLOCK))
    {
        store(out, 0, words);
        path!("32 units of the BMP to UTF-16");
        at.advance(2 * BLOCK, BLOCK);
    }
    let rest = &src[at.read..];
    if rest.is_empty() {
        return at;
    }
    if rest.len() < 2 * BLOCK
        && rest.len().is_multiple_of(4)
        && let Some(out) = dst.part_at(at.written, rest.len() / 2)
        && let [a, b] = load_two_partial(rest)
        && let Some(words) = words_of_bmp(order, a, b)
    {
        store_partial(out, words);
        path!("the last units of the BMP to UTF-16");
        return Reached { read: src.len(), written: at.written + rest.len() / 2 };
    }
    any_to_utf16(order, src, dst, at)
}

/// Converts UTF-32 to UTF-16, of any length and of any characters, from `at` on.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn any_to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Reached {
    match order {
        ByteOrder::Little => any_in_order_to_utf16::<false>(src, dst, at),
        ByteOrder::Big => any_in_order_to_utf16::<true>(src, dst, at),
    }
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn any_in_order_to_utf16<const BIG: bool>(src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    let order = if BIG { ByteOrder::Big } else { ByteOrder::Little };
    let text = whole_units(src);
    let mut patience = PATIENCE;
    while let (Some(window), Some(out)) =
        (text.chunk_at::<{ 2 * BLOCK }>(at.read), dst.chunk_at::<{ 2 * BLOCK }>(at.written))
    {
        let (first, second) = (load(window, 0), load(window, BLOCK));
        if patience == 0
            && let Some(words) = words_of_bmp(order, first, second)
        {
            store(out, 0, words);
            path!("32 units to UTF-16");
            at.advance(2 * BLOCK, BLOCK);
            continue;
        }
        let (a, b) = (in_order(order, first), in_order(order, second));
        if above(_mm512_max_epu32(rank(a), rank(b)), MAX) != 0 {
            break;
        }
        let (words, len) = pairs(order, a);
        store(out, 0, words);
        let (words, more) = pairs(order, b);
        store(out, len, words);
        path!("32 units of which some become pairs");
        patience = if len + more > BLOCK { PATIENCE } else { patience - 1 };
        at.advance(2 * BLOCK, len + more);
    }
    while at.read < text.len() {
        let rest = &text[at.read..text.len().min(at.read + BLOCK)];
        let units = in_order(order, load_partial(rest));
        if above(rank(units), MAX) != 0 {
            break;
        }
        // `len` includes the first word of each zero after the last unit.
        let (words, len) = pairs(order, units);
        let len = len - (BLOCK - rest.len()) / 2;
        let Some(out) = dst.part_at(at.written, len) else { break };
        store_partial(out, words);
        path!("up to 16 units to UTF-16");
        at.advance(rest.len(), len);
    }
    at
}

/// After a block with characters of 4 bytes, this many take the loop for any. To and from UTF-8, the loop for ASCII is tried again
/// after this many blocks of it.
const PATIENCE: usize = 8;

/// The units of a vector in UTF-16, and their length.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn pairs(order: ByteOrder, units: __m512i) -> (__m512i, usize) {
    let high = _mm512_srli_epi32::<10>(units);
    let low = _mm512_slli_epi32::<16>(units);
    let pair = _mm512_ternarylogic_epi32::<{ A & B | C }>(low, splat(0x03FF_0000), high);
    let pair = _mm512_add_epi32(pair, splat(0xDC00_D7C0));
    let words = _mm512_mask_mov_epi32(units, above(units, 0xFFFF), pair);
    // The first word of each character, and the second of a pair, which is not 0.
    let count = _mm512_or_si512(words, splat(0xFFFF));
    let keep = _mm512_test_epi16_mask(count, count);
    let words = if order.is_big() { _mm512_shuffle_epi8(words, SWAPPED_WORDS.load()) } else { words };
    (_mm512_mask_compress_epi16(words, keep, words), 2 * keep.count_ones() as usize)
}

/// Converts UTF-16 to UTF-32.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn from_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    if !src.is_empty()
        && src.len() <= BLOCK / 2
        && let Some(out) = dst.get_mut(..2 * src.len())
        && src.len().is_multiple_of(2)
    {
        let units = load_partial(src);
        if matching(order, units, 0xF800, 0xD800) == 0 {
            store_partial(out, widen_words(order, units, 0));
            path!("up to 16 units of the BMP from UTF-16");
            return Reached { read: src.len(), written: 2 * src.len() };
        }
    }
    match order {
        ByteOrder::Little => any_from_utf16::<false>(src, dst),
        ByteOrder::Big => any_from_utf16::<true>(src, dst),
    }
}

/// Converts UTF-16 to UTF-32, of any length and of any characters.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn any_from_utf16<const BIG: bool>(src: &[u8], dst: &mut Output) -> Reached {
    let order = if BIG { ByteOrder::Big } else { ByteOrder::Little };
    let text = &src[..src.len() & !1];
    let (mut read, mut written) = (0, 0);
    // `inside`: 1 if the last unit was a high surrogate, so that the next one is the second half of a pair.
    let (mut inside, mut patience) = (0, 0);
    while read < text.len() {
        if patience == 0 {
            (read, written) = blocks_of_bmp(order, text, dst, read, written);
            if read == text.len() {
                break;
            }
        }
        let rest = &text[read..];
        let (units, len) = match rest.first_chunk::<BLOCK>() {
            Some(block) => (load(block, 0), BLOCK),
            None => (load_partial(rest), rest.len()),
        };
        let surrogates = matching(order, units, 0xF800, 0xD800);
        if surrogates == 0 && patience == 0 {
            let Some(out) = dst.part_at(written, 2 * len) else { break };
            put_two(out, BLOCK, [widen_words(order, units, 0), widen_words(order, units, 32)]);
            path!("up to 32 units from UTF-16");
            (read, written) = (read + len, written + 2 * len);
            continue;
        }
        // The last unit has no next one.
        let next = match rest.get(2..BLOCK + 2) {
            Some(next) => load(next, 0),
            None => load_partial(&rest[2..]),
        };
        let (high, low) = (matching(order, units, 0xFC00, 0xD800), matching(order, units, 0xFC00, 0xDC00));
        if high != matching(order, next, 0xFC00, 0xDC00) || low & 1 != inside {
            break;
        }
        let keep = !low;
        // Zeros after the last unit of the text are not kept.
        let keep = if len < BLOCK { keep & ((1 << (len / 2)) - 1) } else { keep };
        let room = 4 * keep.count_ones() as usize;
        let (a, b) = (in_turn(order, units, next, 0), in_turn(order, units, next, 32));
        let a = characters(order, a, high as u16, keep as u16);
        let b = characters(order, b, (high >> 16) as u16, (keep >> 16) as u16);
        let first = 4 * (keep as u16).count_ones() as usize;
        if let Some(out) = dst.chunk_at::<{ 2 * BLOCK }>(written) {
            store(out, 0, a);
            store(out, first, b);
        } else {
            let Some(out) = dst.part_at(written, room) else { break };
            put_two(out, first, [a, b]);
        }
        patience = if surrogates != 0 { PATIENCE } else { patience - 1 };
        path!("units from UTF-16 of which some are pairs");
        (read, written, inside) = (read + len, written + room, high >> 31);
    }
    // That second half has been converted with the first.
    if inside != 0 {
        read += 2;
    }
    Reached { read, written }
}

/// Converts two blocks of UTF-16 at a time, until some have surrogates or do not fit. Returns how much was read and written.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn blocks_of_bmp(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> (usize, usize) {
    while let (Some(window), Some(out)) =
        (src.chunk_at::<{ 2 * BLOCK }>(read), dst.chunk_at::<{ 4 * BLOCK }>(written))
    {
        let (a, b) = (load(window, 0), load(window, BLOCK));
        if matching(order, a, 0xF800, 0xD800) | matching(order, b, 0xF800, 0xD800) != 0 {
            break;
        }
        store(out, 0, widen_words(order, a, 0));
        store(out, BLOCK, widen_words(order, a, 32));
        store(out, 2 * BLOCK, widen_words(order, b, 0));
        store(out, 3 * BLOCK, widen_words(order, b, 32));
        path!("64 units from UTF-16");
        (read, written) = (read + window.len(), written + out.len());
    }
    (read, written)
}

/// Fills `out`, at most two vectors, with the first `first` bytes of one and then with the other.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn put_two(out: &mut Output, first: usize, [a, b]: [__m512i; 2]) {
    let (out_a, out_b) = out.split_at_mut(first.min(out.len()));
    store_partial(out_a, a);
    // A store with an empty mask is slow if its address is not mapped.
    if !out_b.is_empty() {
        store_partial(out_b, b);
    }
}

/// A bit for each word that, masked by `mask`, is `value`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn matching(order: ByteOrder, units: __m512i, mask: u16, value: u16) -> u32 {
    let masked = _mm512_and_si512(units, _mm512_set1_epi16(word(order, mask) as i16));
    _mm512_cmpeq_epi16_mask(masked, _mm512_set1_epi16(word(order, value) as i16))
}

/// Widens the 16 words at byte `first` of `units`.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn widen_words(order: ByteOrder, units: __m512i, first: usize) -> __m512i {
    let lower = if order.is_big() { u64::MAX / 0b1111 * 0b1100 } else { u64::MAX / 0b1111 * 0b0011 };
    let from = _mm512_add_epi8(WORDS_APART.load(), _mm512_set1_epi8(first as i8));
    _mm512_maskz_permutexvar_epi8(lower, from, units)
}

/// The 16 words at byte `first` of `units`, each with that of `next`, in the byte order of the machine.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn in_turn(order: ByteOrder, units: __m512i, next: __m512i, first: usize) -> __m512i {
    let from = _mm512_add_epi8(WORDS_IN_TURN.load(), _mm512_set1_epi8(first as i8));
    let words = _mm512_permutex2var_epi8(units, from, next);
    if order.is_big() { _mm512_shuffle_epi8(words, SWAPPED_WORDS.load()) } else { words }
}

/// The characters of 16 units, each with the next one in its upper half, of which those in `high` are high surrogates. Those in
/// `keep` come first.
#[inline]
#[target_feature(enable = "avx512bw")]
fn characters(order: ByteOrder, both: __m512i, high: u16, keep: u16) -> __m512i {
    // What the tags of both halves add up to is taken off.
    const BASE: u32 = 0x1_0000_u32.wrapping_sub((0xD800 << 10) + 0xDC00);
    let unit = _mm512_and_si512(both, splat(0xFFFF));
    let pair = _mm512_add_epi32(_mm512_slli_epi32::<10>(unit), _mm512_srli_epi32::<16>(both));
    let characters = in_order(order, _mm512_mask_add_epi32(unit, high, pair, splat(BASE)));
    // Zeros after them: nothing but characters is written, beyond what is output, too.
    _mm512_mask_compress_epi32(_mm512_setzero_si512(), keep, characters)
}
