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
//! The units of 64 bytes are two vectors, of their lower and of their upper bytes. Interleaving these in one order
//! or the other makes either byte order.
//!
//! There are two drivers for this step. In a *group*, blocks follow each other every 64 bytes. Each is checked up to the
//! byte after it before anything of it is written. The characters of a group decide which loop comes next. The first
//! block of a text has no bytes before it, and the last one overlaps bytes that have been converted. A *single block*
//! knows nothing of its neighbours: it starts with a character, is checked by itself, and leaves a character that it cuts
//! to the next. It is used for short texts, and between ASCII.
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
//! A character that ends in a block is complete in it and the 3 bytes before it, which have been checked. The byte
//! *after* it, already checked, tells whether the last character ends there. So a block cuts nothing of the output but
//! a pair of surrogates. If the block with the second half is refused, or does not fit, plain Rust begins before the first
//! (`last_boundary`). If a group begins after bytes that were not checked this way (ASCII, a single block), its first byte
//! is checked by itself: may a character start with it (`may_start`)?
//!
//! In a single block, zeros come before the first byte and after the last, so a character that lacks bytes there is an
//! error, unless it is the one left out. Characters of up to two bytes need no table: they are well-formed exactly if
//! the continuations are the bytes after the leads, and no byte is C0, C1, or E0 and above.
//!
//! # What it costs
//!
//! By count, for 64 bytes with characters of up to 3 bytes: about 30 micro-ops on the two vector ports that Intel has
//! for such vectors, of which about 15 go to port 5. The loop cannot be faster than about 15 cycles: each of two
//! compressions has two there, and so has each of two permutations of two registers (`vpermt2b`), which interleave.
//! Stores are masked in short texts and where there is no room for a whole block: on Zen 4, a masked store takes as long
//! as several others. Compression goes to registers only: compression to memory is very slow there.
//!
//! Which loop comes next is decided for 8 blocks together, since a misprediction costs more than a block. A single
//! block costs about 80 instructions, and calls: on Zen 5, each call takes as long as 5 to 10 instructions. So short
//! texts and ASCII are converted in [`convert`] itself, which calls others only as the last thing it does.
//!
//! # Where it comes from
//!
//! Robert Clausecker and Daniel Lemire, *Transcoding Unicode characters with AVX-512 instructions*, Software: Practice
//! and Experience 53 (12), 2023, doi:10.1002/spe.3261, arXiv:2212.05098, compress as well, but bring the bytes of each
//! character together before they decode it, and move on by as many bytes as were used. Here each byte is decoded where
//! it is, and the stride is fixed.

#[cfg(all(test, fastutf_proofs, fastutf_on_paper))]
#[path = "../../proof/avx512/to_utf16.rs"]
pub(in crate::kernels) mod proof;

use crate::endian::ByteOrder;
use crate::kernels::validate_utf8::avx512::{any, before_first, errors};
use crate::output::Output;
use crate::parts::Parts;
use crate::replacement::Items;
use crate::report::Reached;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{
    A, B, C, SELECT, Table, compress, filled, load, load_partial, low_bits, splat8 as splat, store, store_partial,
    store_units,
};

const BLOCK: usize = 64;
/// From this length on, a text that is not ASCII is converted by groups.
const LONG: usize = 2 * BLOCK + 1;
/// How many blocks one decision covers.
const GROUP: usize = 8;
/// After this many blocks without a block of ASCII between them, a text is not ASCII with a few other characters.
const PATIENCE: usize = 3;

/// Which loop the text ahead needs.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ascii,
    /// Characters of up to 2, 3 and 4 bytes.
    UpTo2,
    UpTo3,
    UpTo4,
    /// It is ill-formed, or there is too little room.
    Rest,
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
pub(in crate::kernels) struct Units {
    pub low: __m512i,
    pub high: __m512i,
    ends: u64,
}

/// The matrix that makes `gf2p8affine` shift bytes left by 6 bits.
const SHIFT_LEFT_6: &Table = &{
    // Row 7 - i selects the bits that make up bit i.
    let mut rows = [0u8; 8];
    let mut bit = 6;
    while bit < 8 {
        rows[7 - bit] = 1 << (bit - 6);
        bit += 1;
    }
    filled(&rows)
};

/// The code unit that each byte of `now` would end, given the bytes 1, 2 and 3 before it. `ends` is the mask of the
/// last bytes of characters.
#[inline]
#[target_feature(enable = "avx512vbmi,gfni")]
pub(in crate::kernels) fn decode<const LONGEST: usize>(now: __m512i, before: [__m512i; 3], ends: u64) -> Units {
    // low = 01111111 of the last byte (a continuation has bit 6 clear) and the lowest 2 bits of the second last;
    // high = 4 bits of that one, or 3 of a lead 110xxxxx, and 4 bits of a lead 1110xxxx. ASCII has none of these.
    let second_last = _mm512_maskz_mov_epi8(_mm512_movepi8_mask(now), before[0]);
    let upper_2 = _mm512_gf2p8affine_epi64_epi8::<0>(second_last, SHIFT_LEFT_6.load());
    let low = _mm512_ternarylogic_epi32::<{ A & B | C }>(now, splat(0b0111_1111), upper_2);
    let lower_4 = _mm512_srli_epi16::<2>(second_last);
    if LONGEST == 2 {
        return Units { low, high: _mm512_and_si512(lower_4, splat(0b0000_0111)), ends };
    }
    // Leaves 0 for anything but a lead byte of three or four bytes.
    let third_last = _mm512_subs_epu8(before[1], splat(0b1110_0000));
    let upper_4 = _mm512_slli_epi16::<4>(third_last);
    let high = _mm512_ternarylogic_epi32::<SELECT>(lower_4, upper_4, splat(0b0000_1111));
    if LONGEST == 3 {
        return Units { low, high, ends };
    }
    decode_pairs(now, before, Units { low, high, ends })
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
    Units { low, high, ends: units.ends | third }
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

/// For little and for big endian: the first and the other 32.
static INTERLEAVE: [[Table; 2]; 2] =
    [[interleave(0, false), interleave(32, false)], [interleave(0, true), interleave(32, true)]];

/// Up to 64 code units, and how many of them are output.
struct Encoded {
    parts: [__m512i; 2],
    count: usize,
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,popcnt")]
fn join(order: ByteOrder, units: &Units) -> Encoded {
    let (low, high) = (compress(units.ends, units.low), compress(units.ends, units.high));
    let order = &INTERLEAVE[usize::from(order.is_big())];
    Encoded {
        parts: [
            _mm512_permutex2var_epi8(low, order[0].load(), high),
            _mm512_permutex2var_epi8(low, order[1].load(), high),
        ],
        count: units.ends.count_ones() as usize,
    }
}

/// [`widen`], for little endian without tables, which take longer to load than they gain unless in a loop.
#[inline]
#[target_feature(enable = "avx512vbmi")]
pub(in crate::kernels) fn widen_once(order: ByteOrder, ascii: __m512i) -> [__m512i; 2] {
    if order.is_big() {
        return widen(order, ascii);
    }
    let (first, second) = (_mm512_castsi512_si256(ascii), _mm512_extracti64x4_epi64::<1>(ascii));
    [_mm512_cvtepu8_epi16(first), _mm512_cvtepu8_epi16(second)]
}

/// Widens 64 ASCII characters.
#[inline]
#[target_feature(enable = "avx512vbmi")]
pub(in crate::kernels) fn widen(order: ByteOrder, ascii: __m512i) -> [__m512i; 2] {
    widen_by(widening(order), ascii)
}

/// The bytes that are not 0 in widened ASCII, and where they come from.
#[inline]
#[target_feature(enable = "avx512bw")]
fn widening(order: ByteOrder) -> (u64, [__m512i; 2]) {
    /// Every other byte, starting with the first.
    const FIRST_BYTES: u64 = u64::MAX / 0b11;
    // There is no upper byte to interleave with, but zeros.
    let tables = &INTERLEAVE[usize::from(order.is_big())];
    (FIRST_BYTES << u32::from(order.is_big()), [tables[0].load(), tables[1].load()])
}

#[inline]
#[target_feature(enable = "avx512vbmi")]
fn widen_by((lower, tables): (u64, [__m512i; 2]), ascii: __m512i) -> [__m512i; 2] {
    [
        _mm512_maskz_permutexvar_epi8(lower, tables[0], ascii),
        _mm512_maskz_permutexvar_epi8(lower, tables[1], ascii),
    ]
}

/// Writes the units to the start of `out`, if there is room. Returns the number of bytes. May write more where there is room.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn put(out: &mut Output, encoded: &Encoded) -> Option<usize> {
    match out.first_chunk_mut::<{ 2 * BLOCK }>() {
        Some(out) => store_two(out, encoded.parts),
        None => store_units(out.get_mut(..2 * encoded.count)?, encoded.parts),
    }
    Some(2 * encoded.count)
}

/// Converts `src` to UTF-16 in this byte order up to about the first error or the end of `dst`.
///
/// Calls are the last thing that happens here, so they are jumps, and nothing is saved for them.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
pub(crate) fn convert(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    if src.len() > BLOCK {
        return beyond_block(order, src, dst);
    }
    // A load with an empty mask is slow if its address is not mapped, as may be the case for an empty slice.
    if src.is_empty() {
        return Reached::START;
    }
    match up_to_block::<0>(order, src, dst) {
        Some(at) => {
            path!("up to 64 bytes");
            at
        }
        None => Reached::START,
    }
}

/// Converts up to 64 bytes from the start of `src`, which must not be empty, but no part of a character. Returns the
/// number of bytes read and written: zeros if these bytes are ill-formed or there is no room.
///
/// Not inlined, since a loop would first load all constants, of which most blocks need few.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn block(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let mut len = src.len();
    if let Some(window) = src.first_chunk::<{ BLOCK + 1 }>() {
        len = whole_chars(window);
    }
    up_to_block::<1>(order, &src[..len], dst).unwrap_or(Reached::START)
}

/// The length of the first 64 bytes of this window without a character that continues after them. The last bytes tell sooner
/// than a vector where the next block starts.
#[inline(always)]
pub(in crate::kernels) fn whole_chars(window: &[u8; BLOCK + 1]) -> usize {
    let last = u32::from_le_bytes([window[61], window[62], window[63], window[64]]);
    let starts = (last & 0xC0C0_C0C0) ^ 0x8080_8080;
    BLOCK - 3 + (31 - (starts | 1).leading_zeros() as usize) / 8
}

/// Converts 1 to 64 bytes, if they are well-formed and there is room. Returns the number of bytes read and written.
///
/// The compiler inlines a function that has only one caller: `SITE` makes one copy for each. Site 1 is for blocks of longer
/// text, and stores whole vectors where there is room. In short text there mostly is not, and the test would take a nanosecond.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn up_to_block<const SITE: u8>(order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<Reached> {
    let (now, len) = (load_partial(src), src.len());
    let others = _mm512_movepi8_mask(now);
    if others == 0 {
        // No branch on the length: for ASCII, which takes this path at any length, it would be mispredicted.
        store_units(dst.get_mut(..2 * len)?, widen_once(order, now));
        return Some(Reached { read: len, written: 2 * len });
    }
    let before = before_first(now);
    let continuations = _mm512_cmplt_epi8_mask(now, splat(0xC0));
    let mut units = if from(0xE0, now) == 0 {
        // No table is needed to see that a continuation follows each lead, and nothing else, and that none is C0 or C1.
        let leads = others & !continuations;
        // Nor may a lead be the last byte of the block.
        if continuations != leads << 1
            || leads >> 63 != 0
            || _mm512_mask_cmplt_epu8_mask(leads, now, splat(0xC2)) != 0
        {
            return None;
        }
        path!("up to 2 bytes, without tables");
        decode::<2>(now, before, !leads)
    } else if _mm512_cmpgt_epu8_mask(now, GREATEST_UNCUT.load()) != 0 {
        // The block ends inside a character. (After a shorter text, zeros follow, which are an error there.)
        return None;
    } else if from(0xF0, now) == 0 {
        decode_if_valid::<3>(now, before, !(continuations >> 1))?
    } else {
        decode_if_valid::<4>(now, before, !(continuations >> 1))?
    };
    units.ends &= low_bits(len);
    let Encoded { parts, count } = join(order, &units);
    if SITE == 1
        && let Some(out) = dst.first_chunk_mut::<{ 2 * BLOCK }>()
    {
        store_two(out, parts);
    } else {
        let out = dst.get_mut(..2 * count)?;
        // One store is a tenth faster, and most such text has two or three bytes for each unit.
        if count <= 32 {
            store_partial(out, parts[0]);
        } else {
            store_units(out, parts);
        }
    }
    Some(Reached { read: len, written: 2 * count })
}

/// For each place, the greatest byte whose character ends within the block.
pub(in crate::kernels) static GREATEST_UNCUT: Table = {
    let mut table = [0xFF; 64];
    [table[61], table[62], table[63]] = [0xEF, 0xDF, 0xBF];
    Table(table)
};

/// The code units of 64 bytes that follow `before`, if there is no error in these bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni")]
fn decode_if_valid<const LONGEST: usize>(now: __m512i, before: [__m512i; 3], ends: u64) -> Option<Units> {
    if any(errors::<LONGEST>(now, before)) { None } else { Some(decode::<LONGEST>(now, before, ends)) }
}

/// Converts the items of a window that starts with `src`, if there is room, with U+FFFD for ill-formed ones. Returns
/// the number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
pub(crate) fn convert_items(order: ByteOrder, src: &[u8], items: Items, dst: &mut Output) -> Option<usize> {
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
        return put(dst, &Encoded { parts, count: items.end });
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

/// Converts the ASCII at the start of `src[read..]`. Returns the number of bytes read, in whole blocks.
#[inline]
#[target_feature(enable = "avx512vbmi")]
pub(crate) fn convert_ascii(order: ByteOrder, src: &[u8], dst: &mut Output, read: usize, written: usize) -> usize {
    ascii_blocks(order, src, dst, Reached { read, written }).read - read
}

/// Whether a character may start with this byte. The check of a group's block begins at its second byte. Its first byte
/// was checked by the block before. The first block of a group has none, so this is asked instead.
#[inline]
fn may_start(byte: u8) -> bool {
    matches!(byte, 0x00..=0x7F | 0xC2..=0xF4)
}

/// Converts a text that is longer than a vector.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn beyond_block(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let mut at = Reached::START;
    if _mm512_movepi8_mask(load(src, 0)) == 0 {
        at = ascii::<0>(order, src, dst, at);
        if at.read == src.len() {
            return at;
        }
    }
    blocks_and_groups(order, src, dst, at.read)
}

/// Converts up to about the first error or the end of `dst`. The first `done` bytes are ASCII and have been converted.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn blocks_and_groups(order: ByteOrder, src: &[u8], dst: &mut Output, done: usize) -> Reached {
    let mut at = Reached { read: done, written: 2 * done };
    while at.read < src.len() {
        // What follows ASCII is likely a single other character: convert one block before trying groups.
        if src.len() - at.read >= LONG && (at.read > done || done == 0) {
            at = long(order, src, dst, at);
            break;
        }
        let Reached { read, written } = block(order, &src[at.read..], &mut dst[at.written..]);
        if read == 0 {
            break;
        }
        path!("block");
        at.advance(read, written);
    }
    at
}

/// Converts group by group, each with the loop it needs, and ASCII.
///
/// Blocks of a group start every 64 bytes whatever they contain, so none has to wait for the one before. Each is checked
/// up to the byte after it, so characters that end in it are complete.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn long(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    let mut kind = Kind::Ascii;
    // The loop that was last used for text other than ASCII.
    let mut other = Kind::UpTo2;
    // Whether the next byte is not validated yet.
    let mut unseen = true;
    if at.read == 0 {
        kind = kind_of(load(src, 0));
    }
    loop {
        if kind == Kind::Ascii {
            at = ascii_runs(order, src, dst, at);
            unseen = true;
            kind = other;
        }
        if at.read == src.len() {
            return at;
        }
        if kind == Kind::Rest || unseen && !may_start(src[at.read]) {
            return last_boundary(src, at);
        }
        // No group can start before the fourth byte, or end with the text.
        if at.read < 3 || src.len() - at.read <= BLOCK {
            let Some(next) = first_or_last(order, src, dst, at) else { return last_boundary(src, at) };
            path!("first or last block");
            (at, unseen) = (next, false);
            continue;
        }
        unseen = false;
        kind = match kind {
            Kind::UpTo3 => blocks::<3>(order, src, dst, &mut at),
            Kind::UpTo4 => blocks::<4>(order, src, dst, &mut at),
            _ => blocks::<2>(order, src, dst, &mut at),
        };
        if kind != Kind::Ascii {
            other = kind;
        }
        path!("long");
    }
}

/// Converts ASCII, and the blocks that interrupt it, until [`PATIENCE`] of them have no block of ASCII between them. A
/// text that does not start with ASCII leaves at once.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn ascii_runs(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    let mut without_ascii = PATIENCE - 1;
    loop {
        let start = at.read;
        at = ascii::<1>(order, src, dst, at);
        without_ascii = if at.read - start < BLOCK { without_ascii + 1 } else { 0 };
        if without_ascii == PATIENCE || at.read == src.len() {
            return at;
        }
        let (src, dst) = (&src[at.read..], &mut dst[at.written..]);
        let Reached { read, written } = match up_to_2(order, src, dst) {
            Some(converted) => converted,
            None => block(order, src, dst),
        };
        if read == 0 {
            return at;
        }
        path!("a block among ASCII");
        at.advance(read, written);
    }
}

/// Converts a block of characters of up to two bytes, without the last one if the block cuts it. `None` if it is
/// ill-formed, has longer characters, or `dst` has less than 128 bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn up_to_2(order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<Reached> {
    let (src, dst) = (src.first_chunk::<BLOCK>()?, dst.first_chunk_mut::<128>()?);
    let now = load(src, 0);
    let leads = from(0xC0, now);
    let continuations = _mm512_movepi8_mask(now) & !leads;
    // Counted from C2, leads of two bytes are less than E0 - C2; C0 and C1 wrap to the top.
    let counted = _mm512_add_epi8(now, splat(0u8.wrapping_sub(0xC2)));
    let wrong = _mm512_mask_cmpge_epu8_mask(leads, counted, splat(0xE0 - 0xC2));
    if (continuations ^ leads << 1) | wrong != 0 {
        return None;
    }
    let encoded = join(order, &decode::<2>(now, before_first(now), !leads));
    store_two(dst, encoded.parts);
    path!("up to 2 bytes among ASCII");
    Some(Reached { read: BLOCK - (leads >> 63) as usize, written: 2 * encoded.count })
}

/// Returns where the character starts that the end of the blocks at `at` has cut, or `at` if none is cut.
#[cold]
#[inline(never)]
fn last_boundary(src: &[u8], at: Reached) -> Reached {
    let before = |back: usize| if back <= at.read { src[at.read - back] } else { 0 };
    match (before(1), before(2), before(3)) {
        (0xC0.., _, _) => Reached { read: at.read - 1, ..at },
        (_, 0xE0.., _) => Reached { read: at.read - 2, ..at },
        // The third of four bytes has produced half of a pair.
        (_, _, 0xF0..) => Reached { read: at.read - 3, written: at.written - 2 },
        _ => at,
    }
}

/// The bytes after each of the last 64 of a text, with zero after the last.
#[inline]
#[target_feature(enable = "avx512bw")]
fn after_last(now: __m512i) -> __m512i {
    // For each lane, the lane after it.
    let later = _mm512_alignr_epi32::<4>(_mm512_setzero_si512(), now);
    _mm512_alignr_epi8::<1>(later, now)
}

/// Converts the first block of a text, or what is left of it, at most 64 bytes, with the last 64. `None` if they are
/// ill-formed, or there is no room. As the text has at least [`LONG`] bytes, there are 3 before its last 64.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn first_or_last(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Option<Reached> {
    let converted = BLOCK.saturating_sub(src.len() - at.read);
    let start = at.read - converted;
    debug_assert!(start == 0 || start >= 3);
    let now = load(src, start);
    let next = if start == 0 { load(src, 1) } else { after_last(now) };
    let before = match src.get(start.wrapping_sub(3)..) {
        Some(earlier) => [load(earlier, 2), load(earlier, 1), load(earlier, 0)],
        None => before_first(now),
    };
    if any(errors::<4>(next, [now, before[0], before[1]])) {
        return None;
    }
    let mut units = decode::<4>(now, before, starts(next));
    units.ends &= u64::MAX << converted;
    let written = put(&mut dst[at.written..], &join(order, &units))?;
    Some(Reached { read: start + BLOCK, written: at.written + written })
}

/// Converts a group of blocks, neither the first nor the last of the text, while they are well-formed, have characters
/// of at most `LONGEST` bytes, and fit. Returns how to continue.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,popcnt")]
fn blocks<const LONGEST: usize>(order: ByteOrder, src: &[u8], dst: &mut Output, position: &mut Reached) -> Kind {
    let mut at = *position;
    let mut top = _mm512_setzero_si512();
    let mut kind = None;
    for _ in 0..GROUP {
        let Some(window) = src.chunk_at::<{ 3 + BLOCK + 1 }>(at.read - 3) else { break };
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
    kind.unwrap_or_else(|| kind_of(top))
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

/// Converts ASCII: whole blocks, then what is left of the text if it is less than a block. A copy for each caller, as
/// [`up_to_block`].
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn ascii<const SITE: u8>(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    at = ascii_blocks(order, src, dst, at);
    // The last block ends with the text, so it overlaps bytes that have been converted.
    if let Some(window) = src.last_chunk::<BLOCK>()
        && let rest = src.len() - at.read
        && let 1..BLOCK = rest
        && let now = load(window, 0)
        && _mm512_movepi8_mask(now) == 0
        && let Some(out) = dst.chunk_at::<128>(at.written - 2 * (BLOCK - rest))
    {
        store_two(out, widen(order, now));
        path!("ASCII at the end");
        at.advance(rest, 2 * rest);
    }
    at
}

/// Converts ASCII in whole blocks.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn ascii_blocks(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    // Before the loop: within it, for all that the compiler knows, a store might change the tables.
    let widening = widening(order);
    while let (Some(block), Some(out)) = (src.chunk_at::<BLOCK>(at.read), dst.chunk_at::<128>(at.written)) {
        let now = load(block, 0);
        if _mm512_movepi8_mask(now) != 0 {
            break;
        }
        store_two(out, widen_by(widening, now));
        path!("ASCII");
        at.advance(BLOCK, 128);
    }
    at
}

/// Fills `out` with 64 code units.
#[inline]
#[target_feature(enable = "avx512bw")]
fn store_two(out: &mut Output, [first, second]: [__m512i; 2]) {
    store(out, 0, first);
    store(out, 64, second);
}
