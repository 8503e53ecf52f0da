//! UTF-16 to UTF-8 for AVX-512: 32 code units at a time become all the bytes that they could need, and a compression
//! keeps those that they have.
//!
//! # The algorithm
//!
//! The idea is that of the parent module. But no table brings the bytes together: `vpcompressb` moves those that a mask
//! names to the front. And the mask need not be made of lengths. Where a unit has no byte, FF is put, which never
//! occurs in UTF-8, and a compare with it finds all of them.
//!
//! ```text
//! units = with the middle quarters exchanged, so that interleaving in each lane leaves them in order
//! start = first two of three bytes, or FF and the first of two, or FF FF         [b0, b1]
//! end   = the last byte, and FF                                                  [last, FF]
//! for both halves of start and end interleaved: store compress(bytes != FF, bytes)
//! ```
//!
//! A half of a surrogate pair is two bytes: FF F0 and a last byte, or FF 80 and a last byte. Its bits are first moved
//! to the places that they have in a unit of two bytes (`fold`, whose bits 12 and 13 have no meaning). `né €😀!Ω`:
//!
//! ```text
//! unit          006E         00E9         0020         20AC         D83D         DE00         0021         03A9
//! folded        006E         00E9         0020         20AC         301F         1600         0021         03A9
//! start, end    FF FF 6E FF  FF C3 A9 FF  FF FF 20 FF  E2 82 AC FF  FF F0 9F FF  FF 98 80 FF  FF FF 21 FF  FF CE A9 FF
//! compressed    6E C3 A9 20 E2 82 AC F0 9F 98 80 21 CE A9
//! ```
//!
//! # A unit, step by step
//!
//! ```text
//! unit                                                [aaaa|bbbb] [bbcc|cccc]
//! start = unit >> 12 | unit << 2 & 3F00 | tags        [10bb|bbbb] [1110|aaaa]    tags 80E0: three bytes
//!                                                     [110b|bbbb] [1111|1111]    tags C0FF: two
//!                                                     [1111|1111] [1111|1111]    tags FFFF: one
//! end   = min(unit, unit & 3F | 80) | FF00            [1111|1111] [10cc|cccc]    or ASCII, which is the lesser there
//! ```
//!
//! Text of one kind has a loop of its own, which does less. Below U+0800 a unit is a word `[lead, last]` or `[last, 0]`,
//! and the mask is that of the bytes that are at least 0 or 1 in turn. Halves of pairs are such words as well, if no
//! other unit needs three bytes. ASCII is every other byte of two vectors (`vpermt2b`). A mispredicted branch costs more
//! than a block in the general loop. So the next loop is chosen once in 8 blocks, by looking at all of them.
//!
//! # Short texts
//!
//! ```text
//! up to 32 units       one masked load, one decision; mostly one store
//! up to 64 units       two blocks, one decision for both, unless there are surrogates
//! less than a group    one decision for the whole text, then its loop
//! ```
//!
//! The first decision is made of all units or-ed together, as ASCII and text below U+0800 need no other. ASCII ends with
//! 64 units that may overlap those before. In the other loops stores may be masked, as the output may end anywhere. Of
//! the loads, only the last is masked: masked loads between these stores were up to twice as slow on Zen 5. A pair that
//! is cut by the end of a block is left to the next one. A byte in memory tells whether the block is cut: a compare of
//! vectors would take 20 cycles to tell where the next block begins.
//!
//! # Why it is right
//!
//! A byte is dropped exactly if it is FF. Of a unit's bytes none is: `b0`, `b1` and `last` are less, and `tags` puts FF
//! only in place of those that the unit does not have. (The bits of `start` are `or`ed to the tags, and FF stays FF.)
//! Surrogates are checked before as in `validate_utf16`: low ones exactly after high ones. A high one at the end of a
//! group is not written, and comes first in the next group.
//!
//! # What it costs
//!
//! By count, for 32 units of up to 3 bytes: about 25 micro-ops on the two vector ports that Intel has for such vectors
//! (0 and 5), so about 13 cycles. About 11 go to port 5: four for two compressions, four compares into masks, two
//! interleavings, and the exchange of quarters. The loop for up to 2 bytes has one compression for 32 units, and about
//! 5 cycles. The last store of a group with 3 bytes is masked, as there may be no room for all of it. Others may write too much.
//!
//! # Where it comes from
//!
//! Robert Clausecker and Daniel Lemire, *Transcoding Unicode characters with AVX-512 instructions*, Software: Practice
//! and Experience 53 (12), 2023, doi:10.1002/spe.3261, arXiv:2212.05098, expand units and compress by a mask as well.
//! That FF marks bytes to be dropped, and that each half of a pair is two bytes, are choices made here.

#[cfg(all(test, fastutf_proofs, fastutf_on_paper))]
#[path = "../../proof/avx512/to_utf8.rs"]
mod proof;

use crate::endian::ByteOrder;
use crate::kernels::swap_utf16::avx512::swapped;
use crate::output::Output;
use crate::parts::Parts;
use crate::report::Reached;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{
    A, B, C, Table, compress, load, load_partial, splat16 as splat, store, store_partial, store_two_partial,
};

/// Bytes of input in a vector.
const BLOCK: usize = 64;
/// How many bytes one decision covers.
const GROUP: usize = 8 * BLOCK;
/// The output of a group is at most 3 bytes for 2. Its last vector is stored in part.
const GROUP_ROOM: usize = GROUP / 2 * 3;
/// After an ASCII run of this many bytes, another one is likely after a single other character.
const LIKELY_RUN: usize = 256;

/// The kind of text in a group, which decides the loop that converts it.
#[derive(PartialEq)]
enum Kind {
    Ascii,
    /// All below U+0800.
    TwoBytes,
    /// Anything without surrogates.
    Mixed,
    Surrogates,
    /// Less than a group, or too little room for one.
    Rest,
}

/// Converts code units in this byte order to words.
#[inline]
#[target_feature(enable = "avx512bw")]
fn units(order: ByteOrder, bytes: __m512i) -> __m512i {
    if order.is_big() { swapped(bytes) } else { bytes }
}

/// The mask of words that are at least `limit`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn from(limit: u16, units: __m512i) -> u32 {
    _mm512_cmpge_epu16_mask(units, splat(limit))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn surrogates(units: __m512i) -> u32 {
    _mm512_cmplt_epu16_mask(_mm512_xor_si512(units, splat(0xD800)), splat(0x800))
}

/// Whether no word has a bit in common with `mask`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn all_clear(units: __m512i, mask: u16) -> bool {
    _mm512_test_epi16_mask(units, splat(mask)) == 0
}

/// Bits that ASCII leaves clear.
const NOT_ASCII: u16 = 0xFF80;
/// Bits that code units below U+0800 leave clear.
const NOT_TWO_BYTES: u16 = 0xF800;

/// A placeholder for no byte, which never occurs in UTF-8.
const NONE: u8 = 0xFF;
const TAIL: u8 = 0b1000_0000;
const TAIL_BITS: u8 = 0b0011_1111;
const LEAD_2: u8 = 0b1100_0000;
const LEAD_3: u8 = 0b1110_0000;
const LEAD_4: u8 = 0b1111_0000;

const fn pair(first: u8, second: u8) -> u16 {
    u16::from_le_bytes([first, second])
}

/// Up to 32 encoded units in two vectors, and the number of output bytes in each.
struct Encoded {
    parts: [__m512i; 2],
    lens: [usize; 2],
}

/// Writes the first `len` bytes to the start of `out`, if there is room. May write more where there is room.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn put(out: &mut Output, encoded: &Encoded, len: usize) -> Option<usize> {
    if let Some(out) = out.first_chunk_mut::<{ 2 * BLOCK }>() {
        store(out, 0, encoded.parts[0]);
        store(out, encoded.lens[0], encoded.parts[1]);
    } else {
        store_two_partial(out.get_mut(..len)?, encoded.lens[0], encoded.parts);
    }
    Some(len)
}

/// Exchanges the middle quarters so that interleaving within each lane, first the lower and then the upper halves,
/// leaves all in order.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(in crate::kernels) fn spread(units: __m512i) -> __m512i {
    const QUARTERS: &Table = &Table({
        let (mut table, mut k) = ([0; 64], 0);
        while k < 8 {
            table[8 * k] = (k / 2 + 4 * (k % 2)) as u8;
            k += 1;
        }
        table
    });
    _mm512_permutexvar_epi64(QUARTERS.load(), units)
}

/// The tags of the first two of three bytes, with `NONE` for those that a unit of two or one does not have. To be
/// or-ed with the bits.
#[inline]
#[target_feature(enable = "avx512bw")]
fn tags(units: __m512i) -> __m512i {
    const TWO: u16 = pair(NONE, LEAD_2);
    const THREE: u16 = pair(LEAD_3, TAIL);
    let tags = _mm512_mask_mov_epi16(splat(TWO), from(0x800, units), splat(THREE));
    _mm512_mask_mov_epi16(splat(u16::MAX), from(0x80, units), tags)
}

/// The bytes of each unit: `[first, second]` and `[last, NONE]`. Where it has less than three, the first or both in
/// `[first, second]` are `NONE`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn encode_units(units: __m512i, tags: __m512i) -> (__m512i, __m512i) {
    let first = _mm512_srli_epi16::<12>(units);
    let second = _mm512_slli_epi16::<2>(units);
    let bits = _mm512_ternarylogic_epi32::<{ A & B | C }>(second, splat(pair(0, TAIL_BITS)), first);
    // ASCII is less than any value with the tail's bit.
    let tail = _mm512_ternarylogic_epi32::<{ A & B | C }>(units, splat(TAIL_BITS as u16), splat(TAIL as u16));
    let last = _mm512_min_epu16(units, tail);
    (_mm512_or_si512(bits, tags), _mm512_or_si512(last, splat(pair(0, NONE))))
}

/// The masks of high and of low surrogates.
#[inline]
#[target_feature(enable = "avx512bw")]
fn halves(units: __m512i) -> (u32, u32) {
    let kind = _mm512_and_si512(units, splat(0xFC00));
    (_mm512_cmpeq_epi16_mask(kind, splat(0xD800)), _mm512_cmpeq_epi16_mask(kind, splat(0xDC00)))
}

/// Moves the bits of surrogates to where a unit of two bytes has them: each half of a pair becomes two of its four
/// bytes. `previous` is the unit before each. Bits 12 and 13 have no meaning, except that one of them is set.
#[inline]
#[target_feature(enable = "avx512bw")]
fn fold(units: __m512i, previous: __m512i, (high, low): (u32, u32)) -> __m512i {
    // For the high one, the upper 9 of 11 bits of the character: it holds the upper 10 bits after 10000 has been
    // subtracted.
    const TO_UPPER: u16 = (0x1_0000u32 >> 10).wrapping_sub(0xD800) as u16 | 0xC000; // which becomes bits 12 and 13
    let upper = _mm512_add_epi16(units, splat(TO_UPPER));
    let folded = _mm512_mask_srli_epi16::<2>(units, high, upper);
    // For the low one, the other 2, and its own.
    let upper_2 = _mm512_srli_epi16::<4>(_mm512_slli_epi16::<14>(previous));
    let lower = _mm512_ternarylogic_epi32::<{ A & B | C }>(units, splat(0x13FF), upper_2);
    _mm512_mask_mov_epi16(folded, low, lower)
}

/// Replaces the tags of surrogates by these.
#[inline]
#[target_feature(enable = "avx512bw")]
fn retag(tags: __m512i, (high, low): (u32, u32), [high_tag, low_tag]: [u16; 2]) -> __m512i {
    let tags = _mm512_mask_mov_epi16(tags, high, splat(high_tag));
    _mm512_mask_mov_epi16(tags, low, splat(low_tag))
}

/// Drops the placeholders.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn pack(parts: [__m512i; 2]) -> Encoded {
    let ((a, first), (b, second)) = (pack_part(parts[0]), pack_part(parts[1]));
    Encoded { parts: [a, b], lens: [first, second] }
}

/// Drops the placeholders of 16 units. Returns the number of bytes as well.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn pack_part(part: __m512i) -> (__m512i, usize) {
    let keep = _mm512_cmpneq_epi8_mask(part, _mm512_set1_epi8(NONE as i8));
    (compress(keep, part), keep.count_ones() as usize)
}

/// Encodes units below U+0800 as words `[lead, last]`, ASCII as `[last, 0]`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn encode_two_bytes(units: __m512i) -> __m512i {
    _mm512_mask_add_epi16(units, from(0x80, units), two_bits(units), splat(pair(LEAD_2, TAIL)))
}

/// The bits of two bytes.
#[inline]
#[target_feature(enable = "avx512bw")]
fn two_bits(units: __m512i) -> __m512i {
    let (lead, last) = (_mm512_srli_epi16::<6>(units), _mm512_slli_epi16::<8>(units));
    _mm512_ternarylogic_epi32::<{ (A | B) & C }>(lead, last, splat(pair(TAIL_BITS, TAIL_BITS)))
}

/// As `encode_two_bytes`, but also for halves of pairs, which are two bytes each as well.
#[inline]
#[target_feature(enable = "avx512bw")]
fn encode_two_bytes_or_halves(previous: __m512i, units: __m512i) -> __m512i {
    let halves = halves(units);
    let tags = retag(splat(pair(LEAD_2, TAIL)), halves, [pair(LEAD_4, TAIL), pair(TAIL, TAIL)]);
    _mm512_mask_add_epi16(units, from(0x80, units), two_bits(fold(units, previous, halves)), tags)
}

/// The bytes in the words of `encode_two_bytes`, and their number: all first ones, and the second ones except those
/// that are 0.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn join_two_bytes(words: __m512i) -> (__m512i, usize) {
    let keep = _mm512_cmpge_epu8_mask(words, splat(pair(0, 1)));
    (compress(keep, words), keep.count_ones() as usize)
}

/// Converts `src`, UTF-16 in this byte order, up to about the first error or the end of `dst`.
///
/// Calls are the last thing that happens here, so they are jumps, and nothing is saved for them.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
pub(crate) fn convert(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    if src.len() > 2 * BLOCK {
        return beyond_two_blocks(order, src, dst);
    }
    if src.len() > BLOCK {
        return up_to_two_blocks(order, src, dst);
    }
    // A load with an empty mask is slow if its address is not mapped, as may be the case for an empty slice.
    if !src.is_empty()
        && src.len().is_multiple_of(2)
        && let Some(written) = up_to_block(order, src, dst)
    {
        path!("up to 32 units");
        return Reached { read: src.len(), written };
    }
    Reached::START
}

/// Converts a text of 1 to 32 units, if it is well-formed and fits.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn up_to_block(order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<usize> {
    let (w, count) = (units(order, load_partial(src)), src.len() / 2);
    if all_clear(w, NOT_TWO_BYTES) {
        return put_two_bytes(dst, w, count);
    }
    if surrogates(w) == 0 {
        return if count <= 16 { put_bmp_16(w, count, dst) } else { put_bmp(w, 32 - count, dst) };
    }
    if cut(order, src) != 0 {
        return None;
    }
    put_any(w, 32 - count, dst)
}

/// Converts a text of 33 to 64 units.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn up_to_two_blocks(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    if src.len().is_multiple_of(2)
        && let Some(written) = two_blocks(order, src, dst)
    {
        return Reached { read: src.len(), written };
    }
    rest(order, src, dst, Reached::START)
}

/// Converts a text of more than 64 units. If there are too few for groups, the whole text decides on the loop.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn beyond_two_blocks(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let at = if src.len() < GROUP { Reached::START } else { from_group(order, src, dst) };
    if at.read == src.len() {
        return at;
    }
    let end = end_of_rest(src, dst, at);
    let any = any_from(order, &src[..end], at.read);
    if at.read == 0
        && all_clear(any, NOT_ASCII)
        && end == src.len()
        && let Some(out) = dst.get_mut(..end / 2)
    {
        narrow_all(order, src, out);
        path!("ASCII, less than a group");
        return Reached { read: end, written: end / 2 };
    }
    if !all_clear(any, NOT_TWO_BYTES) {
        return rest(order, src, dst, at);
    }
    let (text, out) = (&src[at.read..end], &mut dst[at.written..]);
    let room = out.len();
    let (text, out) = end_of_two_bytes(order, text, out);
    Reached { read: end - text, written: at.written + (room - out) }
}

/// Converts a text of a group or more, except for its end: first a start of only ASCII, then groups.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn from_group(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let at = ascii(order, src, dst, Reached::START);
    if src.len() - at.read < GROUP { at } else { groups(order, src, dst, at) }
}

/// How far into `src`, in whole units, a conversion can get if there was no other group.
#[inline]
fn end_of_rest(src: &[u8], dst: &Output, at: Reached) -> usize {
    // Either an unpaired surrogate is in the next group, or there is less room than for that, or less text.
    let most = if dst.len() - at.written >= GROUP_ROOM { GROUP } else { 4 * GROUP };
    (src.len() & !1).min(at.read + most)
}

/// Converts the rest of a text of more than 32 units, of any kind.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn rest(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Reached {
    let end = end_of_rest(src, dst, at);
    let (text, out) = (&src[at.read..end], &mut dst[at.written..]);
    let room = out.len();
    let (text, out) = if end < 2 * BLOCK || has_surrogates(order, &src[..end], at.read) {
        end_of_any(order, text, out)
    } else {
        end_of_mixed(order, text, out)
    };
    Reached { read: end - text, written: at.written + (room - out) }
}

/// The bits that occur in the units from `read` on. Those of the last 64 take part in any case.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi2")]
fn any_from(order: ByteOrder, src: &[u8], read: usize) -> __m512i {
    let last = src.len() - 2 * BLOCK;
    let mut any = _mm512_or_si512(load(src, last), load(src, last + BLOCK));
    let mut at = read;
    while at < last {
        any = _mm512_or_si512(any, _mm512_or_si512(load(src, at), load(src, at + BLOCK)));
        at += 2 * BLOCK;
    }
    units(order, any)
}

/// Whether there are surrogates from `read` on, or among the last 64 units.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi2")]
fn has_surrogates(order: ByteOrder, src: &[u8], read: usize) -> bool {
    let last = src.len() - 2 * BLOCK;
    let mut at = read.min(last);
    loop {
        let (a, b) = (units(order, load(src, at)), units(order, load(src, at + BLOCK)));
        let found = surrogates(a) | surrogates(b) != 0;
        if found || at == last {
            return found;
        }
        at = last.min(at + 2 * BLOCK);
    }
}

/// Converts 64 units or more, which are ASCII, to as many bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2")]
fn narrow_all(order: ByteOrder, src: &[u8], out: &mut Output) {
    let last = src.len() - 2 * BLOCK;
    let mut at = 0;
    while at < last {
        store(out, at / 2, narrow_64(order, load(src, at), load(src, at + BLOCK)));
        at += 2 * BLOCK;
    }
    store(out, last / 2, narrow_64(order, load(src, last), load(src, last + BLOCK)));
}

/// 64 units as bytes, if they are ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512bw")]
fn narrow(order: ByteOrder, a: __m512i, b: __m512i) -> Option<__m512i> {
    let mask = if order.is_big() { NOT_ASCII.swap_bytes() } else { NOT_ASCII };
    if all_clear(_mm512_or_si512(a, b), mask) { Some(narrow_64(order, a, b)) } else { None }
}

/// 64 units of ASCII as bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512bw")]
pub(in crate::kernels) fn narrow_64(order: ByteOrder, a: __m512i, b: __m512i) -> __m512i {
    let index = if order.is_big() { SECOND_BYTES.load() } else { FIRST_BYTES.load() };
    _mm512_permutex2var_epi8(a, index, b)
}

/// Converts units below U+0800. Returns what is left of the text and of the room.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn end_of_two_bytes(order: ByteOrder, mut text: &[u8], mut out: &mut Output) -> (usize, usize) {
    // A load for the last block apart from the loop's is faster here than `load_block`.
    while let Some((block, rest)) = text.split_first_chunk::<BLOCK>() {
        let Some(written) = put_two_bytes(out, units(order, load(block, 0)), 32) else {
            return (text.len(), out.len());
        };
        path!("block of up to 2 bytes");
        (text, out) = (rest, &mut out[written..]);
    }
    if !text.is_empty()
        && let Some(written) = put_two_bytes(out, units(order, load_partial(text)), text.len() / 2)
    {
        path!("last units of up to 2 bytes");
        (text, out) = (&[], &mut out[written..]);
    }
    (text.len(), out.len())
}

/// Up to 64 bytes, padded with zeros: by a masked load only if there are fewer.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn load_block(bytes: &[u8]) -> __m512i {
    match bytes.first_chunk::<BLOCK>() {
        Some(block) => load(block, 0),
        None => load_partial(bytes),
    }
}

/// Converts units without surrogates. Returns what is left of the text and of the room.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn end_of_mixed(order: ByteOrder, mut text: &[u8], mut out: &mut Output) -> (usize, usize) {
    while !text.is_empty() {
        let (block, rest) = text.split_at(text.len().min(BLOCK));
        let Some(written) = put_bmp(units(order, load_block(block)), 32 - block.len() / 2, out) else { break };
        path!("block of up to 3 bytes");
        (text, out) = (rest, &mut out[written..]);
    }
    (text.len(), out.len())
}

/// Converts units of any kind. Returns what is left of the text and of the room.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn end_of_any(order: ByteOrder, mut text: &[u8], mut out: &mut Output) -> (usize, usize) {
    while !text.is_empty() {
        let block = &text[..text.len().min(BLOCK)];
        let cut = cut(order, block);
        let Some(written) = put_block(order, block, cut, out) else { break };
        (text, out) = (&text[block.len() - 2 * cut..], &mut out[written..]);
    }
    (text.len(), out.len())
}

/// Converts a text of 33 to 64 units, if it has no surrogates and fits.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn two_blocks(order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<usize> {
    let (a, b) = (load(src, 0), load_partial(&src[BLOCK..]));
    if let Some(bytes) = narrow(order, a, b) {
        let len = src.len() / 2;
        store_partial(dst.get_mut(..len)?, bytes);
        path!("two blocks of ASCII");
        return Some(len);
    }
    let (a, b) = (units(order, a), units(order, b));
    if all_clear(_mm512_or_si512(a, b), NOT_TWO_BYTES) {
        let (a, first) = join_two_bytes(encode_two_bytes(a));
        let (b, second) = join_two_bytes(encode_two_bytes(b));
        // Units that were not loaded have become one byte each.
        let len = first + second - (64 - src.len() / 2);
        put(dst, &Encoded { parts: [a, b], lens: [first, second] }, len)?;
        path!("two blocks of up to 2 bytes");
        return Some(len);
    }
    if surrogates(a) | surrogates(b) != 0 {
        return None;
    }
    let first = put_bmp(a, 0, dst)?;
    let second = put_bmp(b, 64 - src.len() / 2, &mut dst[first..])?;
    path!("two blocks of up to 3 bytes");
    Some(first + second)
}

/// Converts groups until less than one of input or of room is left, or there is an unpaired surrogate.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn groups(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    let mut kind = Kind::Mixed;
    loop {
        let (after, next) = match kind {
            Kind::Mixed => mixed(order, src, dst, at),
            Kind::Ascii => (ascii_runs(order, src, dst, at), Kind::Mixed),
            Kind::TwoBytes => (two_bytes(order, src, dst, at), Kind::Mixed),
            Kind::Surrogates => surrogate_pairs(order, src, dst, at),
            Kind::Rest => return at,
        };
        // A loop that has made no progress lacks room.
        kind = if after.read == at.read && kind != Kind::Mixed { Kind::Rest } else { next };
        at = after;
    }
}

/// Writes the first `count` units, which are below U+0800, to the start of `out`, if there is room. Returns the
/// number of bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn put_two_bytes(out: &mut Output, units: __m512i, count: usize) -> Option<usize> {
    let (bytes, len) = join_two_bytes(encode_two_bytes(units));
    // Units that were not loaded have become one byte each.
    let len = len - (32 - count);
    store_partial(out.get_mut(..len)?, bytes);
    Some(len)
}

/// Converts the next 32 units, or the rest of the text, of any kind, if they are well-formed and fit. A pair that is
/// cut is left to the next block.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn block(order: ByteOrder, src: &[u8], dst: &mut Output, at: &mut Reached) -> bool {
    let rest = &src[at.read..];
    let block = &rest[..rest.len().min(BLOCK)];
    let cut = cut(order, block);
    let Some(written) = put_block(order, block, cut, &mut dst[at.written..]) else { return false };
    at.advance(block.len() - 2 * cut, written);
    true
}

/// The bytes of units without surrogates among them, and placeholders, in order.
#[inline]
#[target_feature(enable = "avx512bw")]
fn parts_of_bmp(units: __m512i) -> [__m512i; 2] {
    let units = spread(units);
    let (start, end) = encode_units(units, tags(units));
    [_mm512_unpacklo_epi16(start, end), _mm512_unpackhi_epi16(start, end)]
}

/// Encodes units without surrogates among them.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn encode_bmp(units: __m512i) -> Encoded {
    pack(parts_of_bmp(units))
}

/// Writes units of any kind to the start of `out`, if they are well-formed and fit, except for the last `excess` bytes.
/// Returns the number of bytes. Half a pair at the end of 32 units is 2 bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn put_any(units: __m512i, excess: usize, out: &mut Output) -> Option<usize> {
    let (high, low) = halves(units);
    if high << 1 != low {
        return None;
    }
    let previous = after_zero(units);
    if from(0x800, units) == high | low {
        let (bytes, len) = join_two_bytes(encode_two_bytes_or_halves(previous, units));
        let len = len - excess;
        store_partial(out.get_mut(..len)?, bytes);
        path!("block without 3 bytes");
        return Some(len);
    }
    let bytes = encode_any(previous, units);
    let len = bytes.lens[0] + bytes.lens[1] - excess;
    store_two_partial(out.get_mut(..len)?, bytes.lens[0], bytes.parts);
    path!("block of any kind");
    Some(len)
}

/// Writes a block with this `cut` to the start of `out`, if it is well-formed and fits, except for half a pair at its end. Returns
/// the number of bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn put_block(order: ByteOrder, block: &[u8], cut: usize, out: &mut Output) -> Option<usize> {
    // Units that were not loaded become one byte each.
    put_any(units(order, load_block(block)), 32 - block.len() / 2 + 2 * cut, out)
}

/// Writes units without surrogates to the start of `out`, if they fit, except for the last `padding`, which are ASCII.
/// Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_bmp(units: __m512i, padding: usize, out: &mut Output) -> Option<usize> {
    let bytes = encode_bmp(units);
    put(out, &bytes, bytes.lens[0] + bytes.lens[1] - padding)
}

/// [`put_bmp`] of the first `count` units, at most 16: with one store, and one compression.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn put_bmp_16(units: __m512i, count: usize, out: &mut Output) -> Option<usize> {
    let (bytes, len) = pack_part(parts_of_bmp(units)[0]);
    let len = len - (16 - count);
    store_partial(out.get_mut(..len)?, bytes);
    path!("up to 16 units of up to 3 bytes");
    Some(len)
}

/// 1 if this is a whole block that ends with a high surrogate, otherwise 0.
#[inline(always)]
fn cut(order: ByteOrder, block: &[u8]) -> usize {
    // One byte from memory: what comes next waits for it.
    let upper = if order.is_big() { BLOCK - 2 } else { BLOCK - 1 };
    block.get(upper).is_some_and(|byte| byte & 0xFC == 0xD8).into()
}

/// The unit before each, and 0 before the first.
#[inline]
#[target_feature(enable = "avx512vbmi2")]
fn after_zero(units: __m512i) -> __m512i {
    _mm512_shldi_epi32::<16>(units, _mm512_alignr_epi32::<15>(units, _mm512_setzero_si512()))
}

/// Encodes units that are paired.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn encode_any(previous: __m512i, units: __m512i) -> Encoded {
    let halves = halves(units);
    let tags = retag(tags(units), halves, [pair(NONE, LEAD_4), pair(NONE, TAIL)]);
    let (start, end) = encode_units(fold(units, previous, halves), tags);
    // Quarters are put in order here, and not before by `spread`, as `previous` and the masks would need it as well.
    let (a, b) = (_mm512_unpacklo_epi16(start, end), _mm512_unpackhi_epi16(start, end));
    pack([
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), b),
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), b),
    ])
}

/// Converts ASCII. After a long run of it, converts only the two blocks in which it ended before trying ASCII again.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn ascii_runs(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    loop {
        let start = at.read;
        at = ascii(order, src, dst, at);
        if at.read - start < LIKELY_RUN || src.len() - at.read < GROUP {
            return at;
        }
        path!("others after long ASCII");
        for _ in 0..2 {
            if !block(order, src, dst, &mut at) {
                return at;
            }
        }
    }
}

/// Converts ASCII, 64 units at a time.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2")]
fn ascii(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    while let (Some(window), Some(out)) = (src.chunk_at::<128>(at.read), dst.chunk_at::<64>(at.written))
        && let Some(bytes) = narrow(order, load(window, 0), load(window, 64))
    {
        store(out, 0, bytes);
        path!("ASCII");
        at.advance(128, 64);
    }
    at
}

/// Selects every other byte of 128.
const fn every_other(first: u8) -> Table {
    let mut table = [0; 64];
    let mut k = 0;
    while k < 64 {
        table[k] = first + 2 * k as u8;
        k += 1;
    }
    Table(table)
}
static FIRST_BYTES: Table = every_other(0);
static SECOND_BYTES: Table = every_other(1);

/// Writes all of `v` at `*at`, of which only the first `len` bytes are output.
#[inline]
#[target_feature(enable = "avx512bw")]
fn append(out: &mut Output, at: &mut usize, v: __m512i, len: usize) {
    store(out, *at, v);
    *at += len;
}

/// [`append`] of both vectors of a block, in 96 bytes of room for each block of the group. Its stores end at most 112 bytes after
/// its start: no further than the next block's room. The `last` block has none after it, so of its second vector only the output
/// is written.
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi,bmi2")]
fn append_two(out: &mut Output, at: &mut usize, bytes: Encoded, last: bool) {
    append(out, at, bytes.parts[0], bytes.lens[0]);
    if last {
        store_partial(out.expect_part(*at, bytes.lens[1]), bytes.parts[1]);
        *at += bytes.lens[1];
    } else {
        append(out, at, bytes.parts[1], bytes.lens[1]);
    }
}

/// The length of 32 units of up to two bytes each, or halves of pairs: known earlier than by `join_two_bytes`, which
/// matters where the next store waits for it.
#[inline]
#[target_feature(enable = "avx512bw,popcnt")]
fn two_bytes_len(units: __m512i) -> usize {
    32 + from(0x80, units).count_ones() as usize
}

/// Converts groups of units below U+0800, except groups of ASCII.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn two_bytes(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> Reached {
    while let (Some(group), Some(out)) = (src.chunk_at::<GROUP>(at.read), dst.chunk_at::<GROUP>(at.written)) {
        let mut any = _mm512_setzero_si512();
        for k in 0..GROUP / BLOCK {
            any = _mm512_or_si512(any, load(group, k * BLOCK));
        }
        let any = units(order, any);
        if !all_clear(any, NOT_TWO_BYTES) || all_clear(any, NOT_ASCII) {
            break;
        }
        let mut written = 0;
        for k in 0..GROUP / BLOCK {
            let w = units(order, load(group, k * BLOCK));
            append(out, &mut written, join_two_bytes(encode_two_bytes(w)).0, two_bytes_len(w));
        }
        path!("group of up to 2 bytes");
        at.advance(GROUP, written);
    }
    at
}

/// Converts groups without surrogates, up to one of a simpler kind.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn mixed(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> (Reached, Kind) {
    while let Some(group) = src.chunk_at::<GROUP>(at.read) {
        let kind = survey(order, group);
        if kind != Kind::Mixed {
            return (at, kind);
        }
        let Some(out) = dst.chunk_at::<GROUP_ROOM>(at.written) else { break };
        let mut written = 0;
        for k in 0..GROUP / BLOCK {
            let bytes = encode_bmp(units(order, load(group, k * BLOCK)));
            append_two(out, &mut written, bytes, k + 1 == GROUP / BLOCK);
        }
        path!("group of up to 3 bytes");
        at.advance(GROUP, written);
    }
    (at, Kind::Rest)
}

#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi2")]
fn survey(order: ByteOrder, group: &[u8; GROUP]) -> Kind {
    let mut any = _mm512_setzero_si512();
    let mut min = splat(u16::MAX);
    for k in 0..GROUP / BLOCK {
        let w = units(order, load(group, k * BLOCK));
        any = _mm512_or_si512(any, w);
        min = _mm512_min_epu16(min, _mm512_xor_si512(w, splat(0xD800)));
    }
    if from(0x800, min) != u32::MAX {
        Kind::Surrogates
    } else if !all_clear(any, NOT_TWO_BYTES) {
        Kind::Mixed
    } else if !all_clear(any, NOT_ASCII) {
        Kind::TwoBytes
    } else {
        Kind::Ascii
    }
}

/// Converts groups with surrogates, if they are paired, and as many blocks as there are after them. Each half becomes 2 bytes
/// on its own, so blocks may end inside a pair.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn surrogate_pairs(order: ByteOrder, src: &[u8], dst: &mut Output, mut at: Reached) -> (Reached, Kind) {
    loop {
        // The compiler does not unroll loops over a number that it does not know, which would be much more code.
        let blocks = ((src.len() - at.read) / BLOCK).min(GROUP / BLOCK);
        if blocks < 2 {
            break;
        }
        let group = src.expect_part(at.read, blocks * BLOCK);
        let Some(out) = dst.part_at(at.written, group.len() / 2 * 3) else { break };
        // A group starts at a character boundary, so no high surrogate is before it.
        let first = units(order, load(group, 0));
        let previous = |k: usize| {
            if k == 0 { after_zero(first) } else { units(order, load(group, k * BLOCK - 2)) }
        };
        let (mut unpaired, mut longest) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        let mut min = splat(u16::MAX);
        for k in 0..blocks {
            let w = units(order, load(group, k * BLOCK));
            let (not_low, not_after_high) = (is_not(w, 0xDC00), is_not(previous(k), 0xD800));
            unpaired = _mm512_ternarylogic_epi32::<{ A | (B ^ C) }>(unpaired, not_low, not_after_high);
            // `flipped` is below 800 for surrogates; the minimum of both is, for these and for units of less than
            // three bytes.
            let flipped = _mm512_xor_si512(w, splat(0xD800));
            min = _mm512_min_epu16(min, flipped);
            longest = _mm512_max_epu16(longest, _mm512_min_epu16(w, flipped));
        }
        if !all_clear(unpaired, u16::MAX) {
            return (at, Kind::Rest);
        }
        if from(0x800, min) == u32::MAX {
            return (at, Kind::Mixed);
        }
        let cut = cut(order, &group[group.len() - BLOCK..]);
        let mut written = 0;
        if from(0x800, longest) == 0 {
            path!("group without 3 bytes");
            for k in 0..blocks {
                let w = units(order, load(group, k * BLOCK));
                let (bytes, len) =
                    (join_two_bytes(encode_two_bytes_or_halves(previous(k), w)).0, two_bytes_len(w));
                append(out, &mut written, bytes, len);
            }
        } else {
            for k in 0..blocks {
                let bytes = encode_any(previous(k), units(order, load(group, k * BLOCK)));
                append_two(out, &mut written, bytes, k + 1 == blocks);
            }
        }
        path!("group with surrogates");
        // Half a pair is two bytes.
        at.advance(group.len() - 2 * cut, written - 2 * cut);
    }
    (at, Kind::Rest)
}

/// 1 where the upper 6 bits differ from `kind`, otherwise 0.
#[inline]
#[target_feature(enable = "avx512bw")]
fn is_not(units: __m512i, kind: u16) -> __m512i {
    let difference = _mm512_ternarylogic_epi32::<{ A & B ^ C }>(units, splat(0xFC00), splat(kind));
    _mm512_min_epu16(difference, splat(1))
}
