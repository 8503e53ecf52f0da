//! UTF-8 to UTF-16 for AVX-512: each byte becomes the code unit that would end with it, and a compression keeps
//! those of the bytes that do end one.
//!
//! The units of 64 bytes are two vectors, one of their lower and one of their upper bytes, so either byte order is
//! a matter of how they are interleaved in the end. Text is taken in groups: all of a group is looked at and
//! validated before anything of it is written, and which loop comes next is decided.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::conversion::{Conversion, Stop};
use crate::endian::Endian;
use crate::error::Utf8Error;
use crate::scalar;
use crate::simd::avx512::{
    A, B, C, Position, SELECT, Table, compress, load, load_partial, low_bits, store, store_partial,
};
use crate::utf8::avx512::{any, before_first, errors, errors_at};

const BLOCK: usize = 64;
/// What a decision is made for.
const GROUP: usize = 8 * BLOCK;
/// An ASCII run of this many bytes makes it likely that another one follows a few other characters.
const LONG_RUN: usize = 64;

/// What a group is made of, or what it takes to convert the text ahead.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ascii,
    /// Characters of up to 2, 3 and 4 bytes.
    UpTo2,
    UpTo3,
    UpTo4,
    /// Characters of just 4 bytes.
    All4,
    /// Less than a group, too little room for one, or an error in it.
    Rest,
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte as i8)
}

/// Bytes that are not below `limit`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn from(limit: u8, bytes: __m512i) -> u64 {
    _mm512_cmpge_epu8_mask(bytes, splat(limit))
}

/// Bytes that are no continuation: as signed numbers, those are the lowest.
#[inline]
#[target_feature(enable = "avx512bw")]
fn starts(bytes: __m512i) -> u64 {
    _mm512_cmpgt_epi8_mask(bytes, splat(0xBF))
}

/// The code units that would end with each byte, and the bytes that do end one.
struct Units {
    low: __m512i,
    high: __m512i,
    ends: u64,
}

/// The matrix with which `gf2p8affine` shifts bytes left by 6 bits.
const SHIFT_LEFT_6: i64 = {
    // Row 7 - i says which bits make bit i.
    let mut rows = [0u8; 8];
    let mut bit = 6;
    while bit < 8 {
        rows[7 - bit] = 1 << (bit - 6);
        bit += 1;
    }
    i64::from_le_bytes(rows)
};

/// What each of the bytes `now` would end, after the bytes 1, 2 and 3 before it; `ends` are the last bytes of
/// characters.
#[inline]
#[target_feature(enable = "avx512vbmi,gfni")]
fn decode<const LONGEST: usize>(now: __m512i, before: [__m512i; 3], ends: u64) -> Units {
    // low = 01111111 of the last byte (a continuation has bit 6 clear) and the lowest 2 bits of the second last;
    // high = 4 bits of that one, or 3 of a lead 110xxxxx, and 4 bits of a lead 1110xxxx. ASCII has none of these.
    let second_last = _mm512_maskz_mov_epi8(_mm512_movepi8_mask(now), before[0]);
    let upper_2 = _mm512_gf2p8affine_epi64_epi8::<0>(second_last, _mm512_set1_epi64(SHIFT_LEFT_6));
    let low = _mm512_ternarylogic_epi32::<{ A & B | C }>(now, splat(0b0111_1111), upper_2);
    let lower_4 = _mm512_srli_epi16::<2>(second_last);
    if LONGEST == 2 {
        return Units { low, high: _mm512_and_si512(lower_4, splat(0b0000_0111)), ends };
    }
    let third_last = _mm512_maskz_mov_epi8(from(0xE0, before[1]), before[1]);
    let upper_4 = _mm512_slli_epi16::<4>(third_last);
    let high = _mm512_ternarylogic_epi32::<SELECT>(lower_4, upper_4, splat(0b0000_1111));
    if LONGEST == 3 {
        return Units { low, high, ends };
    }
    decode_pairs(now, before, Units { low, high, ends })
}

/// Corrects the units of characters of four bytes: the third byte ends the high surrogate, the fourth the low one.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn decode_pairs(now: __m512i, before: [__m512i; 3], units: Units) -> Units {
    let (third, fourth) = (from(0xF0, before[1]), from(0xF0, before[2]));
    // The low surrogate's 10 bits are where they should be, below what must become 110111.
    let low_tag = _mm512_ternarylogic_epi32::<{ A & B | C }>(units.high, splat(0b0000_0011), splat(0xDC));
    let high = _mm512_mask_mov_epi8(units.high, fourth, low_tag);
    // The high surrogate is D7C0 (D800, less the 10000 that it leaves out) and the character's upper 11 bits: 3 of
    // the lead, 6 of the second byte, 2 of this one. All but the lead's and 2 of the next add up in the low byte.
    let (shifted, second) = (_mm512_srli_epi16::<4>(now), _mm512_slli_epi16::<2>(before[0]));
    let lower_8 = _mm512_ternarylogic_epi32::<SELECT>(shifted, second, splat(0b0000_0011));
    let low = _mm512_mask_add_epi8(units.low, third, lower_8, splat(0xC0));
    let carry = _mm512_mask_cmpge_epu8_mask(third, lower_8, splat(0x100u16.wrapping_sub(0xC0) as u8));
    let upper_3 = _mm512_and_si512(before[1], splat(0b0000_0111));
    let high = _mm512_mask_add_epi8(high, third, upper_3, splat(0xD7));
    let high = _mm512_mask_add_epi8(high, carry, high, splat(1));
    Units { low, high, ends: units.ends | third }
}

/// Interleaves 32 of 64 lower and upper bytes, the upper ones in the second operand.
const fn interleave(first: usize, big_endian: bool) -> Table {
    let mut table = [0; 64];
    let mut k = 0;
    while k < 64 {
        let upper = (k % 2 == 1) != big_endian;
        table[k] = (first + k / 2 + if upper { 64 } else { 0 }) as u8;
        k += 1;
    }
    Table(table)
}
static INTERLEAVE_LE: [Table; 2] = [interleave(0, false), interleave(32, false)];
static INTERLEAVE_BE: [Table; 2] = [interleave(0, true), interleave(32, true)];

/// Up to 64 code units as bytes, and how many bytes count.
struct Encoded {
    parts: [__m512i; 2],
    len: usize,
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,popcnt")]
fn join<E: Endian>(units: &Units) -> Encoded {
    let (low, high) = (compress(units.ends, units.low), compress(units.ends, units.high));
    let order = if E::BIG { &INTERLEAVE_BE } else { &INTERLEAVE_LE };
    Encoded {
        parts: [
            _mm512_permutex2var_epi8(low, order[0].load(), high),
            _mm512_permutex2var_epi8(low, order[1].load(), high),
        ],
        len: 2 * units.ends.count_ones() as usize,
    }
}

/// 64 ASCII characters.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn widen<E: Endian>(ascii: __m512i) -> [__m512i; 2] {
    let order = if E::BIG { &INTERLEAVE_BE } else { &INTERLEAVE_LE };
    let zero = _mm512_setzero_si512();
    [
        _mm512_permutex2var_epi8(ascii, order[0].load(), zero),
        _mm512_permutex2var_epi8(ascii, order[1].load(), zero),
    ]
}

/// Fills `out`, which must be as long, with the bytes that count.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn put(out: &mut [MaybeUninit<u8>], encoded: &Encoded) {
    if let Some((first, second)) = out.split_first_chunk_mut::<64>() {
        store(first, 0, encoded.parts[0]);
        store_partial(second, encoded.parts[1]);
    } else {
        store_partial(out, encoded.parts[0]);
    }
}

/// How many bytes at the end of valid text, of which these are the last three, are an unfinished character.
#[inline]
fn cut_len(end: [u8; 3]) -> usize {
    if end[2] >= 0xC0 {
        1
    } else if end[1] >= 0xE0 {
        2
    } else if end[0] >= 0xF0 {
        3
    } else {
        0
    }
}

/// Converts `src` to UTF-16 in byte order `E` until it ends or is invalid or `dst` is full.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
pub(crate) fn convert<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
    if src.len() > BLOCK { beyond_block::<E>(src, dst) } else { up_to_block::<E>(src, dst, Position::START) }
}

/// Converts what is left, if it is no more than a vector.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
fn up_to_block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], at: Position) -> Conversion<Utf8Error> {
    let rest = &src[at.read..];
    // A load without a single lane is slow where its address is no memory, as that of an empty slice may be.
    let simple = if rest.is_empty() { Some(0) } else { simple_block::<E>(rest, &mut dst[at.written..]) };
    match simple {
        Some(written) => Conversion { read: src.len(), written: at.written + written, stop: Stop::Complete },
        _ => finish::<E>(src, dst, at),
    }
}

/// Converts a text that is longer than a vector.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
fn beyond_block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
    let at = ascii::<E>(src, dst, Position::START);
    let left = src.len() - at.read;
    if left <= BLOCK {
        up_to_block::<E>(src, dst, at)
    } else if left < GROUP {
        finish::<E>(src, dst, at)
    } else {
        long::<E>(src, dst, at)
    }
}

/// Converts all of at most 64 bytes if they are ASCII, or valid with characters of up to 2 bytes, and there is room.
/// A function that needs few constants is quick to enter.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn simple_block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let now = load_partial(src);
    let encoded = if _mm512_movepi8_mask(now) == 0 {
        Encoded { parts: widen::<E>(now), len: 2 * src.len() }
    } else if from(0xE0, now) == 0 && (src.len() < BLOCK || src[BLOCK - 1] < 0xC0) {
        encode_block::<E, 2>(now, src.len())?
    } else {
        return None;
    };
    put(dst.get_mut(..encoded.len)?, &encoded);
    Some(encoded.len)
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
fn long<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Conversion<Utf8Error> {
    let mut kind = Kind::UpTo2;
    loop {
        let (after, next) = match kind {
            Kind::Ascii => (ascii_runs::<E>(src, dst, at), Kind::UpTo3),
            Kind::UpTo2 => groups::<E, 2>(src, dst, at),
            Kind::UpTo3 => groups::<E, 3>(src, dst, at),
            Kind::UpTo4 => groups::<E, 4>(src, dst, at),
            Kind::All4 => (all_4::<E>(src, dst, at), Kind::UpTo4),
            Kind::Rest => return finish::<E>(src, dst, at),
        };
        // A group that is known to be ASCII and yet is not converted lacks room.
        kind = if kind == Kind::Ascii && after.read == at.read { Kind::Rest } else { next };
        at = after;
    }
}

/// Converts what is left when there is less than a group of input or of room, or an error in it.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
fn finish<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Conversion<Utf8Error> {
    while at.read < src.len()
        && let Some(after) = block::<E>(src, dst, at)
    {
        at = after;
    }
    if at.read == src.len() {
        return Conversion { read: at.read, written: at.written, stop: Stop::Complete };
    }
    scalar::utf8_to_utf16_from::<E>(src, dst, at.read, at.written)
}

/// Converts the next 64 bytes, or what is left of the text, if they are valid and there is room. A character that is
/// cut is left to the next block.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
fn block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Option<Position> {
    let rest = &src[at.read..];
    let count = rest.len().min(BLOCK);
    // Where a character is cut by the end of the text, the zero after it is an error.
    let cut = rest.get(61..64).map_or(0, |end| cut_len([end[0], end[1], end[2]]));
    let now = load_partial(&rest[..count]);
    let encoded = if from(0xE0, now) == 0 {
        encode_block::<E, 2>(now, count - cut)?
    } else {
        encode_block::<E, 4>(now, count - cut)?
    };
    put(dst[at.written..].get_mut(..encoded.len)?, &encoded);
    at.advance(count - cut, encoded.len);
    Some(at)
}

/// Encodes the first `count` of 64 bytes from a character's start on, if there is no error.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn encode_block<E: Endian, const LONGEST: usize>(now: __m512i, count: usize) -> Option<Encoded> {
    let before = before_first(now);
    if any(errors::<LONGEST>(now, before)) {
        return None;
    }
    Some(join::<E>(&decode_last::<LONGEST>(now, before, count)))
}

/// As `decode`, but only up to `count` bytes, which is where a character ends.
#[inline]
#[target_feature(enable = "avx512vbmi,gfni,bmi2")]
fn decode_last<const LONGEST: usize>(now: __m512i, before: [__m512i; 3], count: usize) -> Units {
    let mut units = decode::<LONGEST>(now, before, starts(now) >> 1 | 1 << 63);
    units.ends &= low_bits(count);
    units
}

/// Converts ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn ascii<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    while let (Some(window), Some(out)) =
        (src[at.read..].first_chunk::<BLOCK>(), dst[at.written..].first_chunk_mut::<128>())
    {
        let now = load(window, 0);
        if _mm512_movepi8_mask(now) != 0 {
            break;
        }
        let [first, second] = widen::<E>(now);
        store(out, 0, first);
        store(out, 64, second);
        at.advance(BLOCK, 128);
    }
    at
}

/// Converts ASCII and, after a long run of it, only the block in which it has ended before the next one.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
fn ascii_runs<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    loop {
        let start = at.read;
        at = ascii::<E>(src, dst, at);
        if at.read - start < LONG_RUN || at.read == src.len() {
            return at;
        }
        let Some(after) = block::<E>(src, dst, at) else { return at };
        at = after;
    }
}

/// Writes all of a block at `*at`, of which not all may count.
#[inline]
#[target_feature(enable = "avx512bw")]
fn append(out: &mut [MaybeUninit<u8>], at: &mut usize, encoded: &Encoded) {
    store(out, *at, encoded.parts[0]);
    store(out, *at + 64, encoded.parts[1]);
    *at += encoded.len;
}

/// What a group is, from all its bytes or-ed and the highest of each column.
#[inline]
#[target_feature(enable = "avx512bw")]
fn survey(group: &[u8; GROUP]) -> Kind {
    let mut top = _mm512_setzero_si512();
    for k in 0..GROUP / BLOCK {
        top = _mm512_max_epu8(top, load(group, k * BLOCK));
    }
    if _mm512_movepi8_mask(top) == 0 {
        Kind::Ascii
    } else if from(0xE0, top) == 0 {
        Kind::UpTo2
    } else if from(0xF0, top) == 0 {
        Kind::UpTo3
    } else {
        Kind::UpTo4
    }
}

/// Converts groups of characters of at most `LONGEST` bytes, as long as they are of that kind.
///
/// A group starts at a character. It may end inside one, with which the next group then starts.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi2,popcnt")]
fn groups<E: Endian, const LONGEST: usize>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: Position,
) -> (Position, Kind) {
    let own_kind = match LONGEST {
        2 => Kind::UpTo2,
        3 => Kind::UpTo3,
        _ => Kind::UpTo4,
    };
    // How many blocks at the end of a group must be written exactly so that they cover what those before have
    // written too far: 128 bytes are written of which 64 count, or 40 if characters are longer.
    let exact = if LONGEST == 2 { 1 } else { 3 };
    while let Some(group) = src[at.read..].first_chunk::<GROUP>() {
        let kind = survey(group);
        if kind != own_kind {
            return (at, kind);
        }
        let first = load(group, 0);
        let mut wrong = errors::<LONGEST>(first, before_first(first));
        for k in 1..GROUP / BLOCK {
            wrong = _mm512_or_si512(wrong, errors_at::<LONGEST>(group, k * BLOCK - 3));
        }
        if any(wrong) {
            break;
        }
        let Some(out) = dst[at.written..].first_chunk_mut::<{ 2 * GROUP }>() else { break };
        let mut written = 0;
        let encoded = join::<E>(&decode::<LONGEST>(first, before_first(first), starts(load(group, 1))));
        append(out, &mut written, &encoded);
        for k in 1..GROUP / BLOCK - exact {
            let ends = starts(load(group, k * BLOCK + 1));
            let encoded = join::<E>(&decode_at::<LONGEST>(group, k, ends));
            append(out, &mut written, &encoded);
        }
        for k in GROUP / BLOCK - exact..GROUP / BLOCK - 1 {
            let ends = starts(load(group, k * BLOCK + 1));
            let encoded = join::<E>(&decode_at::<LONGEST>(group, k, ends));
            put(&mut out[written..written + encoded.len], &encoded);
            written += encoded.len;
        }
        let cut = cut_len([group[GROUP - 3], group[GROUP - 2], group[GROUP - 1]]);
        let last = load(group, GROUP - BLOCK);
        let mut units = decode_at::<LONGEST>(group, GROUP / BLOCK - 1, starts(last) >> 1 | 1 << 63);
        units.ends &= low_bits(BLOCK - cut);
        let encoded = join::<E>(&units);
        put(&mut out[written..written + encoded.len], &encoded);
        written += encoded.len;
        at.advance(GROUP - cut, written);
        if LONGEST == 4 && written == GROUP - cut {
            return (at, Kind::All4);
        }
    }
    (at, Kind::Rest)
}

/// Decodes block `k` of a group, which is not the first.
#[inline]
#[target_feature(enable = "avx512vbmi,gfni")]
fn decode_at<const LONGEST: usize>(group: &[u8; GROUP], k: usize, ends: u64) -> Units {
    let at = k * BLOCK;
    let before = [load(group, at - 1), load(group, at - 2), load(group, at - 3)];
    decode::<LONGEST>(load(group, at), before, ends)
}

/// Converts text whose characters are all of 4 bytes, 16 at a time: each becomes a pair of surrogates in its place.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl")]
fn all_4<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    const MARKS: u32 = u32::from_le_bytes([0b1111_1000, 0b1100_0000, 0b1100_0000, 0b1100_0000]);
    const PATTERN: u32 = u32::from_le_bytes([0b1111_0000, 0b1000_0000, 0b1000_0000, 0b1000_0000]);
    /// Makes two bytes of 6 bits one word of 12.
    const JOIN: u32 = u32::from_le_bytes([1 << 6, 1, 1 << 6, 1]);
    const SURROGATES: u32 = 0xDC00_D800;
    let dword = |dword: u32| _mm512_set1_epi32(dword as i32);
    while let (Some(window), Some(out)) =
        (src[at.read..].first_chunk::<BLOCK>(), dst[at.written..].first_chunk_mut::<64>())
    {
        let now = load(window, 0);
        let wrong = _mm512_ternarylogic_epi32::<{ A & B ^ C }>(now, dword(MARKS), dword(PATTERN));
        // Bits 12 to 20 of the character in the low word, bits 0 to 11 in the high one; then 10000 is taken off,
        // after which 8 bits must be left of the former.
        let words = _mm512_maddubs_epi16(_mm512_andnot_si512(dword(MARKS), now), dword(JOIN));
        let words = _mm512_sub_epi16(words, dword(0x1_0000 >> 12));
        if any(wrong) || _mm512_test_epi32_mask(words, dword(0xFF00)) != 0 {
            break;
        }
        // high = 8 bits and the upper 2 of the other word, low = the lower 10.
        let upper_8 = _mm512_slli_epi32::<2>(words);
        let next_2 = _mm512_srli_epi32::<{ 16 + 10 }>(words);
        let high = _mm512_ternarylogic_epi32::<{ A & B | C }>(upper_8, dword(0x3FC), next_2);
        let bits = _mm512_ternarylogic_epi32::<{ A & B | C }>(words, dword(0x03FF_0000), high);
        let pairs = _mm512_or_si512(bits, dword(SURROGATES));
        let pairs = if E::BIG { _mm512_shldi_epi16::<8>(pairs, pairs) } else { pairs };
        store(out, 0, pairs);
        at.advance(BLOCK, BLOCK);
    }
    at
}
