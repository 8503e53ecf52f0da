//! UTF-8 to UTF-16 for AVX-512: each byte becomes the code unit that would end with it, and a compression keeps those
//! of the bytes that do end one.
//!
//! # The algorithm
//!
//! The idea is that of the parent module. The tools differ: no table is needed to bring units together, as
//! `vpcompressb` moves the bytes that a mask names to the front of a vector.
//!
//! ```text
//! for each block of 64 bytes:
//!     stop if there is an error in the 64 bytes from the second one on          see `validate_utf8`
//!     low, high = the bytes of the unit that would end at each byte
//!     ends = the next byte is no continuation | third byte of 4                 a number of 64 bits
//!     low, high = compress(ends, low), compress(ends, high)
//!     store low and high interleaved, in the byte order asked for: 2 * (ones in `ends`) bytes
//! ```
//!
//! The units of 64 bytes are two vectors, one of their lower and one of their upper bytes, so either byte order is a
//! matter of how they are interleaved in the end. Blocks follow each other every 64 bytes; each is checked up to the
//! byte after it before anything of it is written, and what a group of them was made of decides which loop comes next.
//!
//! `naïve €5 😀` as the first 16 of 64 lanes:
//!
//! ```text
//!              n  a  ï     v  e     €        5     U+1F600
//! bytes       6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98 80
//! low         6E 61 43 EF 76 65 20 62 82 AC 35 20 70 1F 3D 00
//! high        00 00 08 00 00 00 00 08 08 20 00 00 08 0C D8 DE
//! ends         1  1  .  1  1  1  1  .  .  1  1  1  .  .  1  1
//! low         6E 61 EF 76 65 20 AC 35 20 3D 00                     compressed
//! high        00 00 00 00 00 00 20 00 00 D8 DE
//! ```
//!
//! # A unit, step by step
//!
//! ```text
//! bytes & 7F                          [00ll|llll]     of [10ll|llll]
//! byte before << 6                    [ll00|0000]     of [10hh|hhll], or 0 before ASCII; by a matrix of bits (GFNI)
//! byte before >> 2                    [..10|hhhh]     a shift of words: the upper two bits may be the neighbour's
//! (2 bytes before - E0) << 4          [hhhh|....]     not below 0; the lower bits may be the neighbour's
//! high = lower 4 bits of the one, upper 4 of the other                    one `vpternlog`
//! ```
//!
//! x86 has no shift of bytes. Where the bits that come in from the neighbour are dropped in any case, a shift of words
//! will do. Where they are not, GFNI multiplies each byte by a matrix of 8 by 8 bits, which can be any shift.
//! Characters of 4 bytes are corrected afterwards, by masked operations, as the parent module describes.
//!
//! # Why it is right
//!
//! What ends in a block is complete in it and the 3 bytes before it, which have been checked. To look at the byte
//! *after* it tells whether the last character ends there, and it is checked already: so of all that is written nothing
//! is cut by the block but a pair of surrogates, whose second half has room kept for it. Where a block begins after
//! bytes that were not checked this way (ASCII, the start), its first byte is asked by itself whether a character may
//! start with it (`may_start`).
//!
//! # What it costs
//!
//! By count, for 64 bytes with characters of up to 3 bytes: about 30 micro-ops on the two vector ports that Intel has
//! for such vectors, of which about 15 go to port 5. The loop cannot be faster than about 15 cycles: each of two
//! compressions has two there, and so has each of two permutations of two registers (`vpermt2b`), which interleave.
//! Stores are masked, so nothing after the output is touched. Compression goes to registers only: compression to memory
//! is very slow on Zen 4.
//!
//! Which loop comes next is decided for 8 blocks together, since a misprediction costs more than a block.
//!
//! # Where it comes from
//!
//! Robert Clausecker and Daniel Lemire, *Transcoding Unicode characters with AVX-512 instructions*, Software: Practice
//! and Experience 53 (12), 2023, doi:10.1002/spe.3261, arXiv:2212.05098, compress as well, but bring the bytes of each
//! character together before they decode it, and move on by as many bytes as were used. Here each byte is decoded where
//! it is, and the stride is fixed.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::conversion::{Conversion, Stop};
use crate::endian::ByteOrder;
use crate::error::Utf8Error;
use crate::kernels::validate_utf8::avx512::{any, before_first, errors};
use crate::kernels::validate_utf8::is_cut;
use crate::replacement::Items;
use crate::scalar;
use crate::simd::x86::avx512::{
    A, B, C, Position, SELECT, Table, compress, load, load_partial, low_bits, store, store_units,
};

const BLOCK: usize = 64;
/// How many blocks one decision covers.
const GROUP: usize = 8;
/// From this length on, the next loop is chosen with more care.
const CAREFUL_FROM: usize = 2 * GROUP * BLOCK;
/// After an ASCII run of this many bytes in such a text, another one is likely after the next block.
const LIKELY_RUN: usize = 2 * BLOCK;

/// Which loop the text ahead needs.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ascii,
    /// Characters of up to 2, 3 and 4 bytes.
    UpTo2,
    UpTo3,
    UpTo4,
    /// Only characters of 4 bytes.
    All4,
    /// It is ill-formed, or there is too little room.
    Rest,
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte as i8)
}

/// The mask of bytes that are at least `limit`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn from(limit: u8, bytes: __m512i) -> u64 {
    _mm512_cmpge_epu8_mask(bytes, splat(limit))
}

/// The mask of bytes that are not continuation bytes, which are the lowest as signed numbers.
#[inline]
#[target_feature(enable = "avx512bw")]
fn starts(bytes: __m512i) -> u64 {
    _mm512_cmpgt_epi8_mask(bytes, splat(0xBF))
}

/// For each byte, the code unit that would end with it, and whether one does.
struct Units {
    low: __m512i,
    high: __m512i,
    ends: u64,
    /// Whether the last of them is a high surrogate.
    half: bool,
}

/// The matrix that makes `gf2p8affine` shift bytes left by 6 bits.
const SHIFT_LEFT_6: i64 = {
    // Row 7 - i selects the bits that make up bit i.
    let mut rows = [0u8; 8];
    let mut bit = 6;
    while bit < 8 {
        rows[7 - bit] = 1 << (bit - 6);
        bit += 1;
    }
    i64::from_le_bytes(rows)
};

/// The code unit that each byte of `now` would end, given the bytes 1, 2 and 3 before it. `ends` is the mask of the
/// last bytes of characters.
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
        return Units { low, high: _mm512_and_si512(lower_4, splat(0b0000_0111)), ends, half: false };
    }
    // Leaves 0 for anything but a lead byte of three or four bytes.
    let third_last = _mm512_subs_epu8(before[1], splat(0b1110_0000));
    let upper_4 = _mm512_slli_epi16::<4>(third_last);
    let high = _mm512_ternarylogic_epi32::<SELECT>(lower_4, upper_4, splat(0b0000_1111));
    if LONGEST == 3 {
        return Units { low, high, ends, half: false };
    }
    decode_pairs(now, before, Units { low, high, ends, half: false })
}

/// Corrects the units of 4-byte characters: the third byte ends the high surrogate, the fourth the low one.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn decode_pairs(now: __m512i, before: [__m512i; 3], units: Units) -> Units {
    let (third, fourth) = (from(0xF0, before[1]), from(0xF0, before[2]));
    // The 10 bits of the low surrogate are in place already, below the tag 110111.
    let low_tag = _mm512_ternarylogic_epi32::<{ A & B | C }>(units.high, splat(0b0000_0011), splat(0xDC));
    let high = _mm512_mask_mov_epi8(units.high, fourth, low_tag);
    // The high surrogate is D7C0 (D800, minus the 10000 that it leaves out) plus the upper 11 bits of the character:
    // 3 of the lead, 6 of the second byte, 2 of this one. All but the lead's and 2 of the next add up in the low
    // byte.
    let (shifted, second) = (_mm512_srli_epi16::<4>(now), _mm512_slli_epi16::<2>(before[0]));
    let lower_8 = _mm512_ternarylogic_epi32::<SELECT>(shifted, second, splat(0b0000_0011));
    let low = _mm512_mask_add_epi8(units.low, third, lower_8, splat(0xC0));
    let carry = _mm512_mask_cmpge_epu8_mask(third, lower_8, splat(0x100u16.wrapping_sub(0xC0) as u8));
    let upper_3 = _mm512_and_si512(before[1], splat(0b0000_0111));
    let high = _mm512_mask_add_epi8(high, third, upper_3, splat(0xD7));
    let high = _mm512_mask_add_epi8(high, carry, high, splat(1));
    Units { low, high, ends: units.ends | third, half: third >> 63 != 0 }
}

/// Interleaves 32 of 64 lower and upper bytes; the upper ones are in the second operand.
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
const INTERLEAVE_LE: [Table; 2] = [interleave(0, false), interleave(32, false)];
const INTERLEAVE_BE: [Table; 2] = [interleave(0, true), interleave(32, true)];

/// Up to 64 code units, how many of them are output, and how many must fit: if the last one is half a pair, it may
/// only be written if the other half will fit.
struct Encoded {
    parts: [__m512i; 2],
    count: usize,
    room: usize,
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,popcnt")]
fn join(order: ByteOrder, units: &Units) -> Encoded {
    let (low, high) = (compress(units.ends, units.low), compress(units.ends, units.high));
    let order = if order.is_big() { const { &INTERLEAVE_BE } } else { const { &INTERLEAVE_LE } };
    let count = units.ends.count_ones() as usize;
    Encoded {
        parts: [
            _mm512_permutex2var_epi8(low, order[0].load(), high),
            _mm512_permutex2var_epi8(low, order[1].load(), high),
        ],
        count,
        room: count + usize::from(units.half),
    }
}

/// Widens 64 ASCII characters.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn widen(order: ByteOrder, ascii: __m512i) -> [__m512i; 2] {
    let words = [
        _mm512_cvtepu8_epi16(_mm512_castsi512_si256(ascii)),
        _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(ascii)),
    ];
    if order.is_big() { [_mm512_slli_epi16::<8>(words[0]), _mm512_slli_epi16::<8>(words[1])] } else { words }
}

/// Writes the units to the start of `out`, if there is room. Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn put(out: &mut [MaybeUninit<u8>], encoded: &Encoded) -> Option<usize> {
    let out = out.as_chunks_mut::<2>().0.get_mut(..encoded.room)?;
    store_units(&mut out[..encoded.count], encoded.parts);
    Some(2 * encoded.count)
}

/// Converts `src` to UTF-16 in this byte order until the end, an error, or `dst` is full.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
pub(crate) fn convert(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
    convert_to::<true>(order, src, dst)
}

/// Converts `src` up to about the first error or the end of `dst`. Returns the number of bytes read and written, at a
/// character boundary.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
pub(crate) fn convert_prefix(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let out = convert_to::<false>(order, src, dst);
    (out.read, out.written)
}

/// Converts up to the end, the first error or the end of `dst`. If not `EXACT`, it may stop near there, and does not
/// tell why.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn convert_to<const EXACT: bool>(
    order: ByteOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Conversion<Utf8Error> {
    if src.len() > BLOCK {
        return beyond_block::<EXACT>(order, src, dst);
    }
    // A load with an empty mask is slow if its address is not mapped, as may be the case for an empty slice.
    if src.is_empty() {
        return Conversion { read: 0, written: 0, stop: Stop::Complete };
    }
    let now = load_partial(src);
    let encoded = if _mm512_movepi8_mask(now) == 0 {
        Some(Encoded { parts: widen(order, now), count: src.len(), room: src.len() })
    } else if src.last_chunk().is_some_and(is_cut) {
        None
    } else {
        let before = before_first(now);
        let continuations = _mm512_cmplt_epi8_mask(now, splat(0xC0));
        let ends = !(continuations >> 1) & low_bits(src.len());
        decode_any(now, before, now, (now, before), ends).map(|units| join(order, &units))
    };
    if let Some(encoded) = encoded
        && let Some(written) = put(dst, &encoded)
    {
        path!("up to 64 bytes");
        return Conversion { read: src.len(), written, stop: Stop::Complete };
    }
    if EXACT { one_by_one(order, src, dst) } else { Conversion { read: 0, written: 0, stop: Stop::OutputFull } }
}

/// Converts the items of a window that starts with `src`, if there is room, with U+FFFD for ill-formed ones. Returns
/// the number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
pub(crate) fn convert_items(
    order: ByteOrder,
    src: &[u8],
    items: Items,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let now = load_partial(&src[..items.end]);
    if items.starts == u64::MAX {
        path!("a code unit for each byte");
        let [first, second] = widen(order, now);
        let replacement =
            _mm512_set1_epi16(i16::from_ne_bytes(if order.is_big() { [0xFF, 0xFD] } else { [0xFD, 0xFF] }));
        let parts = [
            _mm512_mask_mov_epi16(first, items.ill_formed as u32, replacement),
            _mm512_mask_mov_epi16(second, (items.ill_formed >> 32) as u32, replacement),
        ];
        return put(dst, &Encoded { parts, count: items.end, room: items.end });
    }
    // Ill-formed bytes become ASCII, so that they have no effect below.
    let ill_formed = items.ill_formed_bytes();
    let now = _mm512_maskz_mov_epi8(!ill_formed, now);
    let ends = items.ends();
    let units = decode::<4>(now, before_first(now), ends);
    let replaced = ends & ill_formed;
    put(
        dst,
        &join(
            order,
            &Units {
                low: _mm512_mask_mov_epi8(units.low, replaced, splat(0xFD)),
                high: _mm512_mask_mov_epi8(units.high, replaced, splat(0xFF)),
                ..units
            },
        ),
    )
}

/// Converts the ASCII at the start of `src[read..]`. Returns the number of bytes read, in whole blocks, or more near
/// the end.
#[inline]
#[target_feature(enable = "avx512vbmi")]
pub(crate) fn convert_ascii(
    order: ByteOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> usize {
    ascii(order, src, dst, Position { read, written }).read - read
}

/// Whether a character may start with this byte. A block is checked from its second byte on, so this checks its first
/// byte if no block before it has.
#[inline]
fn may_start(byte: u8) -> bool {
    matches!(byte, 0x00..=0x7F | 0xC2..=0xF4)
}

/// Converts a text that is ill-formed or does not fit.
#[cold]
#[inline(never)]
fn one_by_one(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
    scalar::utf8_to_utf16(order, src, dst)
}

/// Converts a text that is longer than a vector.
///
/// Blocks start every 64 bytes whatever they contain, so none has to wait for the one before. Each is checked up to
/// the byte after it, so characters that end in it are complete.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn beyond_block<const EXACT: bool>(
    order: ByteOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Conversion<Utf8Error> {
    if src.len() >= CAREFUL_FROM {
        return long::<EXACT>(order, src, dst);
    }
    let mut at = Position::START;
    let mut kind = Kind::UpTo2;
    loop {
        let start = at.read;
        at = ascii(order, src, dst, at);
        if at.read == src.len() {
            return Conversion { read: at.read, written: at.written, stop: Stop::Complete };
        }
        let run = at.read - start;
        // The byte after ASCII, or at the start of the text, is not validated yet.
        if kind == Kind::Rest || (run > 0 || start == 0) && !may_start(src[at.read]) {
            return rest::<EXACT>(order, src, dst, at);
        }
        let count = if run == 0 { GROUP } else { 1 };
        kind = match kind {
            _ if at.read == 0 || src.len() - at.read <= BLOCK => edge(order, src, dst, &mut at),
            Kind::UpTo3 => blocks::<3>(order, src, dst, &mut at, count),
            Kind::UpTo4 | Kind::All4 => blocks::<4>(order, src, dst, &mut at, count),
            _ => blocks::<2>(order, src, dst, &mut at, count),
        };
    }
}

/// Converts what the blocks have left, if `EXACT`.
#[inline(always)]
fn rest<const EXACT: bool>(
    order: ByteOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: Position,
) -> Conversion<Utf8Error> {
    if EXACT {
        return one_by_one_from(order, src, dst, at);
    }
    let Position { read, written } = last_boundary(src, at);
    Conversion { read, written, stop: Stop::OutputFull }
}

/// Converts what the blocks have left, which is ill-formed or does not fit.
#[cold]
#[inline(never)]
fn one_by_one_from(
    order: ByteOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: Position,
) -> Conversion<Utf8Error> {
    let at = last_boundary(src, at);
    scalar::utf8_to_utf16_from(order, src, dst, at.read, at.written)
}

/// Converts group by group, each with the loop it needs, and ASCII.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn long<const EXACT: bool>(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
    let mut at = Position::START;
    let mut kind = Kind::Ascii;
    // The loop last needed for other text than ASCII, and how many blocks to convert next.
    let (mut other, mut count) = (Kind::UpTo2, GROUP);
    // Whether the next byte is not validated yet.
    let mut unseen = true;
    loop {
        if kind == Kind::Ascii {
            let start = at.read;
            at = ascii(order, src, dst, at);
            unseen |= at.read > start;
            count = if at.read - start < LIKELY_RUN { GROUP } else { 1 };
            kind = other;
        }
        if at.read == src.len() {
            return Conversion { read: at.read, written: at.written, stop: Stop::Complete };
        }
        if kind == Kind::Rest || unseen && !may_start(src[at.read]) {
            return rest::<EXACT>(order, src, dst, at);
        }
        unseen = kind == Kind::All4;
        let start = at.read;
        let next = match kind {
            _ if start == 0 || src.len() - start <= BLOCK => edge(order, src, dst, &mut at),
            Kind::UpTo3 => blocks::<3>(order, src, dst, &mut at, count),
            Kind::UpTo4 => blocks::<4>(order, src, dst, &mut at, count),
            Kind::All4 => {
                at = all_4(order, src, dst, last_boundary(src, at));
                Kind::UpTo4
            }
            _ => blocks::<2>(order, src, dst, &mut at, count),
        };
        if next != Kind::Ascii {
            other = next;
        }
        if count == 1 {
            path!("a block among ASCII");
        }
        path!("long");
        let sparse = count == 1 && at.read > start && next != Kind::Rest;
        kind = if sparse { Kind::Ascii } else { next };
    }
}

/// Returns where the character starts that the end of the blocks at `at` has cut, or `at` if none is cut.
#[cold]
#[inline(never)]
fn last_boundary(src: &[u8], at: Position) -> Position {
    let before = |back: usize| if back <= at.read { src[at.read - back] } else { 0 };
    match (before(1), before(2), before(3)) {
        (0xC0.., _, _) => Position { read: at.read - 1, ..at },
        (_, 0xE0.., _) => Position { read: at.read - 2, ..at },
        // The third of four bytes has produced half of a pair.
        (_, _, 0xF0..) => Position { read: at.read - 3, written: at.written - 2 },
        _ => at,
    }
}

/// Converts the first or the last 64 bytes, if they are well-formed and there is room. Returns the kind of text they
/// are.
///
/// Not inlined, since it needs more constants than a short text should have to load.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn edge(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>], at: &mut Position) -> Kind {
    // The last block ends with the text, so it overlaps bytes that have been converted.
    let first = at.read.min(src.len() - BLOCK);
    let again = at.read - first;
    let now = load(src, first);
    let before = if first == 0 {
        before_first(now)
    } else if let Some(window) = src[..first + BLOCK].last_chunk::<{ 3 + BLOCK }>() {
        [load(window, 2), load(window, 1), load(window, 0)]
    } else {
        return Kind::Rest;
    };
    let next = load_partial(&src[first + 1..src.len().min(first + 1 + BLOCK)]);
    let these = u64::MAX << again;
    let ends = _mm512_mask_cmpgt_epi8_mask(these, next, splat(0xBF));
    let (top, checked) = (_mm512_max_epu8(now, before[2]), (next, [now, before[0], before[1]]));
    let Some(units) = decode_any(now, before, top, checked, ends) else { return Kind::Rest };
    let units = Units { ends: units.ends & these, ..units };
    let Some(written) = put(&mut dst[at.written..], &join(order, &units)) else { return Kind::Rest };
    path!("first or last block");
    at.advance(BLOCK - again, written);
    kind_of(top)
}

/// Converts up to `count` blocks, neither the first nor the last of the text, while they are well-formed, have
/// characters of at most `LONGEST` bytes, and fit. Returns how to continue.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn blocks<const LONGEST: usize>(
    order: ByteOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    position: &mut Position,
    count: usize,
) -> Kind {
    let start = *position;
    let mut at = start;
    let mut top = _mm512_setzero_si512();
    let mut kind = None;
    for _ in 0..count {
        let Some(window) = src[at.read - 3..].first_chunk::<{ 3 + BLOCK + 1 }>() else { break };
        let [now, next] = [load(window, 3), load(window, 4)];
        let before = [load(window, 2), load(window, 1), load(window, 0)];
        if any(errors::<LONGEST>(next, [now, before[0], before[1]])) {
            kind = Some(match LONGEST {
                2 => Kind::UpTo3,
                3 => Kind::UpTo4,
                _ => Kind::Rest,
            });
            break;
        }
        let encoded = join(order, &decode::<LONGEST>(now, before, starts(next)));
        let Some(written) = put(&mut dst[at.written..], &encoded) else {
            kind = Some(Kind::Rest);
            break;
        };
        path!(match LONGEST {
            2 => "block of 2 bytes",
            3 => "block of 3 bytes",
            _ => "block of 4 bytes",
        });
        at.advance(BLOCK, written);
        top = _mm512_max_epu8(top, now);
    }
    *position = at;
    kind.unwrap_or_else(|| match LONGEST {
        4 if at.read - start.read == at.written - start.written => Kind::All4,
        _ => kind_of(top),
    })
}

/// The kind of text that has no bytes above these.
#[inline]
#[target_feature(enable = "avx512bw")]
fn kind_of(top: __m512i) -> Kind {
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

/// Decodes 64 bytes that follow `before` and are not above `top`, if there is no error in `checked`: these bytes, or
/// those one further on.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni")]
fn decode_any(now: __m512i, before: [__m512i; 3], top: __m512i, checked: Checked, ends: u64) -> Option<Units> {
    if from(0xE0, top) == 0 {
        decode_if_valid::<2>(now, before, checked, ends)
    } else if from(0xF0, top) == 0 {
        decode_if_valid::<3>(now, before, checked, ends)
    } else {
        decode_if_valid::<4>(now, before, checked, ends)
    }
}

/// 64 bytes and the bytes 1, 2 and 3 before them.
type Checked = (__m512i, [__m512i; 3]);

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni")]
fn decode_if_valid<const LONGEST: usize>(
    now: __m512i,
    before: [__m512i; 3],
    checked: Checked,
    ends: u64,
) -> Option<Units> {
    (!any(errors::<LONGEST>(checked.0, checked.1))).then(|| decode::<LONGEST>(now, before, ends))
}

/// Converts ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn ascii(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    while at.read < src.len() {
        // The last block ends with the text, so it overlaps bytes that have been converted.
        let first = at.read.min(src.len() - BLOCK);
        let again = at.read - first;
        let now = load(src, first);
        if _mm512_movepi8_mask(now) != 0 {
            break;
        }
        let Some(out) = dst[at.written - 2 * again..].first_chunk_mut::<128>() else { break };
        let [first, second] = widen(order, now);
        store(out, 0, first);
        store(out, 64, second);
        path!("ASCII");
        at.advance(BLOCK - again, 2 * (BLOCK - again));
    }
    at
}

/// Converts text whose characters are all of 4 bytes, 16 at a time: each is replaced by a surrogate pair of the same
/// size.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl")]
fn all_4(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    const MARKS: u32 = u32::from_le_bytes([0b1111_1000, 0b1100_0000, 0b1100_0000, 0b1100_0000]);
    const PATTERN: u32 = u32::from_le_bytes([0b1111_0000, 0b1000_0000, 0b1000_0000, 0b1000_0000]);
    /// Joins two bytes of 6 bits into a word of 12.
    const JOIN: u32 = u32::from_le_bytes([1 << 6, 1, 1 << 6, 1]);
    const SURROGATES: u32 = 0xDC00_D800;
    let dword = |dword: u32| _mm512_set1_epi32(dword as i32);
    while let (Some(window), Some(out)) =
        (src[at.read..].first_chunk::<BLOCK>(), dst[at.written..].first_chunk_mut::<64>())
    {
        let now = load(window, 0);
        let wrong = _mm512_ternarylogic_epi32::<{ A & B ^ C }>(now, dword(MARKS), dword(PATTERN));
        // Bits 12 to 20 of the character go to the low word, bits 0 to 11 to the high one. Then 10000 is subtracted,
        // after which 8 bits must be left in the former.
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
        let pairs = if order.is_big() { _mm512_shldi_epi16::<8>(pairs, pairs) } else { pairs };
        store(out, 0, pairs);
        path!("4 bytes only");
        at.advance(BLOCK, BLOCK);
    }
    at
}
