//! UTF-16 to UTF-8 for AVX-512: 32 code units at a time become all the bytes they could, and a compression keeps
//! those that are.
//!
//! Text of one kind has a loop of its own, which does less. A branch that is mispredicted costs more than a block
//! in the general loop, so which loop comes next is decided once in 8 blocks, by looking at all of them.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::conversion::{Conversion, Stop};
use crate::endian::Endian;
use crate::error::Utf16Error;
use crate::scalar;
use crate::simd::avx512::{A, B, C, Position, SELECT, Table, compress, load, load_partial, store, store_partial};

/// Bytes of input in a vector.
const BLOCK: usize = 64;
/// What a decision is made for.
const GROUP: usize = 8 * BLOCK;
/// The output of a group is at most 3 bytes for 2, and the last vector is stored as a whole.
const GROUP_ROOM: usize = GROUP / 2 * 3 + 64;
/// An ASCII run of this many bytes makes it likely that another one follows a single other character.
const LONG_RUN: usize = 256;

/// What a group is, or what it takes to convert the text ahead.
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

/// Code units as words, whatever their byte order.
#[inline]
#[target_feature(enable = "avx512vbmi2")]
fn units<E: Endian>(bytes: __m512i) -> __m512i {
    if E::BIG { _mm512_shldi_epi16::<8>(bytes, bytes) } else { bytes }
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn splat(word: u16) -> __m512i {
    _mm512_set1_epi16(word as i16)
}

/// Words that are not below `limit`.
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

/// Stands for no byte: it never occurs in UTF-8.
const NONE: u8 = 0xFF;
const TAIL: u8 = 0b1000_0000;
const TAIL_BITS: u8 = 0b0011_1111;
const LEAD_2: u8 = 0b1100_0000;
const LEAD_3: u8 = 0b1110_0000;
const LEAD_4: u8 = 0b1111_0000;

const fn pair(first: u8, second: u8) -> u16 {
    u16::from_le_bytes([first, second])
}

/// Up to 32 encoded units in two vectors: bytes, and how many of them count.
struct Encoded {
    parts: [__m512i; 2],
    lens: [usize; 2],
}

/// Fills `out` with the first of the bytes.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn put(out: &mut [MaybeUninit<u8>], encoded: &Encoded) {
    let (first, second) = out.split_at_mut(encoded.lens[0].min(out.len()));
    store_partial(first, encoded.parts[0]);
    store_partial(second, encoded.parts[1]);
}

/// Exchanges the middle quarters so that interleaving within each lane, first the lower and then the upper halves,
/// leaves all in order.
#[inline]
#[target_feature(enable = "avx512bw")]
fn spread(units: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), units)
}

/// What each unit outside of surrogates becomes: `[first, second]` and `[last, NONE]`, with `NONE` for the first
/// or both in `[first, second]` if it is less than three bytes.
#[inline]
#[target_feature(enable = "avx512bw")]
fn encode_units(units: __m512i) -> (__m512i, __m512i) {
    const TWO: u16 = pair(NONE, LEAD_2);
    const THREE: u16 = pair(LEAD_3, TAIL);
    let tags = _mm512_mask_mov_epi16(splat(TWO), from(0x800, units), splat(THREE));
    let tags = _mm512_mask_mov_epi16(splat(u16::MAX), from(0x80, units), tags);
    let first = _mm512_srli_epi16::<12>(units);
    let second = _mm512_slli_epi16::<2>(units);
    let bits = _mm512_ternarylogic_epi32::<{ A & B | C }>(second, splat(pair(0, TAIL_BITS)), first);
    // ASCII is less than anything with the tail's bit.
    let tail = _mm512_ternarylogic_epi32::<{ A & B | C }>(units, splat(TAIL_BITS as u16), splat(TAIL as u16));
    let last = _mm512_min_epu16(units, tail);
    (_mm512_or_si512(bits, tags), _mm512_or_si512(last, splat(pair(0, NONE))))
}

/// Corrects what `encode_units` has made of surrogates: the high one becomes `[first, second]` and nothing, the
/// low one `[NONE, third]` and `[last, NONE]`. `previous` is the unit before each.
#[inline]
#[target_feature(enable = "avx512bw")]
fn encode_surrogates(units: __m512i, previous: __m512i, (start, end): (__m512i, __m512i)) -> (__m512i, __m512i) {
    let kind = _mm512_and_si512(units, splat(0xFC00));
    let high = _mm512_cmpeq_epi16_mask(kind, splat(0xD800));
    let low = _mm512_cmpeq_epi16_mask(kind, splat(0xDC00));
    // The upper 11 bits of the character: a high surrogate is the upper 10 of what is left after 10000 is taken off.
    const TO_UPPER: u16 = (0x1_0000u32 >> 10).wrapping_sub(0xD800) as u16;
    let upper = _mm512_add_epi16(units, splat(TO_UPPER));
    let first = _mm512_srli_epi16::<8>(upper);
    let second = _mm512_slli_epi16::<6>(upper);
    let bits = _mm512_ternarylogic_epi32::<{ A & B | C }>(second, splat(pair(0, TAIL_BITS)), first);
    let start = _mm512_mask_mov_epi16(start, high, _mm512_or_si512(bits, splat(pair(LEAD_4, TAIL))));
    let end = _mm512_mask_mov_epi16(end, high, splat(pair(NONE, NONE)));
    // The third byte: the lowest 2 bits of the high surrogate, then 4 of the low one.
    let upper_2 = _mm512_slli_epi16::<12>(previous);
    let lower_4 = _mm512_slli_epi16::<2>(units);
    let bits = _mm512_ternarylogic_epi32::<SELECT>(lower_4, upper_2, splat(pair(0, 0b0000_1111)));
    let third =
        _mm512_ternarylogic_epi32::<{ A & B | C }>(bits, splat(pair(0, TAIL_BITS)), splat(pair(NONE, TAIL)));
    (_mm512_mask_mov_epi16(start, low, third), end)
}

/// Interleaves what spread units have become and drops what is no byte.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn join((start, end): (__m512i, __m512i)) -> Encoded {
    let none = _mm512_set1_epi8(NONE as i8);
    let parts = [_mm512_unpacklo_epi16(start, end), _mm512_unpackhi_epi16(start, end)];
    let keep = [_mm512_cmpneq_epi8_mask(parts[0], none), _mm512_cmpneq_epi8_mask(parts[1], none)];
    Encoded {
        parts: [compress(keep[0], parts[0]), compress(keep[1], parts[1])],
        lens: [keep[0].count_ones() as usize, keep[1].count_ones() as usize],
    }
}

/// Units below U+0800 as words `[lead, last]`, ASCII as `[last, 0]`, and which words are not ASCII.
#[inline]
#[target_feature(enable = "avx512bw")]
fn encode_two_bytes(units: __m512i) -> (__m512i, u32) {
    let two = from(0x80, units);
    let (lead, last) = (_mm512_srli_epi16::<6>(units), _mm512_slli_epi16::<8>(units));
    let bits = _mm512_ternarylogic_epi32::<{ (A | B) & C }>(lead, last, splat(pair(TAIL_BITS, TAIL_BITS)));
    (_mm512_mask_add_epi16(units, two, bits, splat(pair(LEAD_2, TAIL))), two)
}

/// Drops the second byte of all words of `encode_two_bytes` but those of `two`.
#[inline]
#[target_feature(enable = "avx512vbmi2,bmi2")]
fn join_two_bytes((words, two): (__m512i, u32)) -> __m512i {
    /// Every other bit, from the first.
    const FIRST_BYTES: u64 = u64::MAX / 0b11;
    #[cfg(target_arch = "x86_64")]
    let second_bytes = _pdep_u64(u64::from(two), !FIRST_BYTES);
    #[cfg(target_arch = "x86")]
    let second_bytes = {
        let _ = two;
        _mm512_movepi8_mask(words)
    };
    compress(second_bytes | FIRST_BYTES, words)
}

/// Converts `src`, UTF-16 in byte order `E`, until it ends or is invalid or `dst` is full.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
pub(crate) fn convert<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
    if src.len() > BLOCK { beyond_block::<E>(src, dst) } else { up_to_block::<E>(src, dst, Position::START) }
}

/// Converts what is left, if it is no more than a vector.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn up_to_block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], at: Position) -> Conversion<Utf16Error> {
    let rest = &src[at.read..];
    // A load without a single lane is slow where its address is no memory, as that of an empty slice may be.
    let simple = if rest.is_empty() { Some(0) } else { simple_block::<E>(rest, &mut dst[at.written..]) };
    match simple {
        Some(written) if rest.len().is_multiple_of(2) => {
            Conversion { read: src.len(), written: at.written + written, stop: Stop::Complete }
        }
        _ => finish_blocks::<E>(src, dst, at),
    }
}

/// Converts a text that is longer than a vector.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn beyond_block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
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

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn long<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Conversion<Utf16Error> {
    let mut kind = Kind::Mixed;
    loop {
        let (after, next) = match kind {
            Kind::Mixed => mixed::<E>(src, dst, at),
            Kind::Ascii => (ascii_runs::<E>(src, dst, at), Kind::Mixed),
            Kind::TwoBytes => (two_bytes::<E>(src, dst, at), Kind::Mixed),
            Kind::Surrogates => surrogate_pairs::<E>(src, dst, at),
            Kind::Rest => return finish::<E>(src, dst, at),
        };
        // A loop that has got nowhere lacks room.
        kind = if after.read == at.read && kind != Kind::Mixed { Kind::Rest } else { next };
        at = after;
    }
}

/// Converts what is left when there is less than a group of input or of room: ASCII, then text below U+0800, then
/// anything.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn finish<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Conversion<Utf16Error> {
    while let Some(window) = src[at.read..].first_chunk::<BLOCK>()
        && let w = units::<E>(load(window, 0))
        && all_clear(w, NOT_TWO_BYTES)
    {
        let (words, two) = encode_two_bytes(w);
        let len = 32 + two.count_ones() as usize;
        let Some(out) = dst[at.written..].get_mut(..len) else { break };
        store_partial(out, join_two_bytes((words, two)));
        at.advance(BLOCK, len);
    }
    let rest = &src[at.read..];
    if (2..BLOCK).contains(&rest.len())
        && let Some(written) = simple_block::<E>(rest, &mut dst[at.written..])
    {
        at.advance(rest.len() & !1, written);
    }
    if at.read == src.len() {
        return Conversion { read: at.read, written: at.written, stop: Stop::Complete };
    }
    finish_blocks::<E>(src, dst, at)
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn finish_blocks<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Conversion<Utf16Error> {
    while src.len() - at.read >= 2
        && let Some(after) = block::<E>(src, dst, at)
    {
        at = after;
    }
    if at.read == src.len() {
        return Conversion { read: at.read, written: at.written, stop: Stop::Complete };
    }
    scalar::utf16_to_utf8_from::<E>(src, dst, at.read, at.written)
}

/// Converts the first 32 units, or all if there are fewer, if they are below U+0800 and there is room.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn simple_block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let count = (src.len() / 2).min(32);
    let w = units::<E>(load_partial(&src[..2 * count]));
    if !all_clear(w, NOT_TWO_BYTES) {
        return None;
    }
    let (words, two) = encode_two_bytes(w);
    let len = count + two.count_ones() as usize;
    store_partial(dst.get_mut(..len)?, join_two_bytes((words, two)));
    Some(len)
}

/// Converts the next 32 units, or what is left of the text: of any kind, if they are valid and there is room. A pair
/// that is cut is left to the next block.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn block<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Option<Position> {
    let rest = &src[at.read..];
    let count = (rest.len() / 2).min(32);
    let w = units::<E>(load_partial(&rest[..2 * count]));
    let (bytes, cut) = if surrogates(w) == 0 { (join(encode_units(spread(w))), 0) } else { encode_pairs(w)? };
    // What was not loaded has become a byte each, and half a pair has become two.
    let len = bytes.lens[0] + bytes.lens[1] - (32 - count) - 2 * cut;
    put(dst[at.written..].get_mut(..len)?, &bytes);
    at.advance(2 * (count - cut), len);
    Some(at)
}

/// Encodes units with surrogates among them, if they are in pairs. Returns 1 if the last one is half a pair, too.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn encode_pairs(units: __m512i) -> Option<(Encoded, usize)> {
    let previous = after_zero(units);
    let cut = usize::from(ends_high(units));
    (unpaired_after(previous, units) == 0).then(|| (encode_any(previous, units), cut))
}

/// The unit before each, and 0 before the first.
#[inline]
#[target_feature(enable = "avx512vbmi2")]
fn after_zero(units: __m512i) -> __m512i {
    _mm512_shldi_epi32::<16>(units, _mm512_alignr_epi32::<15>(units, _mm512_setzero_si512()))
}

/// Low surrogates after something else, and what is not one after a high surrogate.
#[inline]
#[target_feature(enable = "avx512bw")]
fn unpaired_after(previous: __m512i, units: __m512i) -> u32 {
    let kind = splat(0xFC00);
    let low = _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, kind), splat(0xDC00));
    let high = _mm512_cmpeq_epi16_mask(_mm512_and_si512(previous, kind), splat(0xD800));
    low ^ high
}

/// Whether the last unit is a high surrogate.
#[inline]
#[target_feature(enable = "avx512bw")]
fn ends_high(units: __m512i) -> bool {
    let high = _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, splat(0xFC00)), splat(0xD800));
    high >> 31 != 0
}

/// Encodes units that are paired.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn encode_any(previous: __m512i, units: __m512i) -> Encoded {
    let units = spread(units);
    join(encode_surrogates(units, spread(previous), encode_units(units)))
}

/// Converts ASCII and, after a long run of it, only the two blocks in which it has ended before the next one.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn ascii_runs<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    loop {
        let start = at.read;
        at = ascii::<E>(src, dst, at);
        if at.read - start < LONG_RUN || src.len() - at.read < GROUP {
            return at;
        }
        for _ in 0..2 {
            let Some(after) = block::<E>(src, dst, at) else { return at };
            at = after;
        }
    }
}

/// Converts ASCII, 64 units at a time.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2")]
fn ascii<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    while let (Some(window), Some(out)) =
        (src[at.read..].first_chunk::<128>(), dst[at.written..].first_chunk_mut::<64>())
    {
        let (a, b) = (load(window, 0), load(window, 64));
        let mask = if E::BIG { NOT_ASCII.swap_bytes() } else { NOT_ASCII };
        if !all_clear(_mm512_or_si512(a, b), mask) {
            break;
        }
        let index = if E::BIG { SECOND_BYTES.load() } else { FIRST_BYTES.load() };
        store(out, 0, _mm512_permutex2var_epi8(a, index, b));
        at.advance(128, 64);
    }
    at
}

/// Every other byte of 128.
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

/// Writes all of `v` at `*at`, of which only the first `len` bytes count.
#[inline]
#[target_feature(enable = "avx512bw")]
fn append(out: &mut [MaybeUninit<u8>], at: &mut usize, v: __m512i, len: usize) {
    store(out, *at, v);
    *at += len;
}

/// Converts groups that are below U+0800, save those of ASCII.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn two_bytes<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    while let (Some(group), Some(out)) =
        (src[at.read..].first_chunk::<GROUP>(), dst[at.written..].first_chunk_mut::<GROUP>())
    {
        let mut any = _mm512_setzero_si512();
        for k in 0..GROUP / BLOCK {
            any = _mm512_or_si512(any, load(group, k * BLOCK));
        }
        let any = units::<E>(any);
        if !all_clear(any, NOT_TWO_BYTES) || all_clear(any, NOT_ASCII) {
            break;
        }
        let mut written = 0;
        for k in 0..GROUP / BLOCK - 1 {
            let (words, two) = encode_two_bytes(units::<E>(load(group, k * BLOCK)));
            append(out, &mut written, join_two_bytes((words, two)), 32 + two.count_ones() as usize);
        }
        let (words, two) = encode_two_bytes(units::<E>(load(group, GROUP - BLOCK)));
        let len = 32 + two.count_ones() as usize;
        store_partial(&mut out[written..written + len], join_two_bytes((words, two)));
        at.advance(GROUP, written + len);
    }
    at
}

/// Converts groups without surrogates, up to one that is of a simpler kind.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn mixed<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> (Position, Kind) {
    while let Some(group) = src[at.read..].first_chunk::<GROUP>() {
        let kind = survey::<E>(group);
        if kind != Kind::Mixed {
            return (at, kind);
        }
        let Some(out) = dst[at.written..].first_chunk_mut::<GROUP_ROOM>() else { break };
        // The second vector of a block may reach 48 bytes past what counts; two blocks are at least 64 bytes.
        let mut written = 0;
        for k in 0..GROUP / BLOCK - 2 {
            let bytes = join(encode_units(spread(units::<E>(load(group, k * BLOCK)))));
            append(out, &mut written, bytes.parts[0], bytes.lens[0]);
            append(out, &mut written, bytes.parts[1], bytes.lens[1]);
        }
        for k in GROUP / BLOCK - 2..GROUP / BLOCK {
            let bytes = join(encode_units(spread(units::<E>(load(group, k * BLOCK)))));
            let len = bytes.lens[0] + bytes.lens[1];
            put(&mut out[written..written + len], &bytes);
            written += len;
        }
        at.advance(GROUP, written);
    }
    (at, Kind::Rest)
}

#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi2")]
fn survey<E: Endian>(group: &[u8; GROUP]) -> Kind {
    let mut any = _mm512_setzero_si512();
    let mut least = splat(u16::MAX);
    for k in 0..GROUP / BLOCK {
        let w = units::<E>(load(group, k * BLOCK));
        any = _mm512_or_si512(any, w);
        least = _mm512_min_epu16(least, _mm512_xor_si512(w, splat(0xD800)));
    }
    if from(0x800, least) != u32::MAX {
        Kind::Surrogates
    } else if !all_clear(any, NOT_TWO_BYTES) {
        Kind::Mixed
    } else if !all_clear(any, NOT_ASCII) {
        Kind::TwoBytes
    } else {
        Kind::Ascii
    }
}

/// Converts groups with surrogates, if they are paired. Each half becomes 2 bytes on its own, so blocks may end
/// inside a pair.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2,popcnt")]
fn surrogate_pairs<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> (Position, Kind) {
    while let (Some(group), Some(out)) =
        (src[at.read..].first_chunk::<GROUP>(), dst[at.written..].first_chunk_mut::<GROUP_ROOM>())
    {
        // A group starts at a character, so what is before it is no high surrogate.
        let first = units::<E>(load(group, 0));
        let mut unpaired = unpaired_after(after_zero(first), first);
        let mut any = surrogates(first);
        for k in 1..GROUP / BLOCK {
            let w = units::<E>(load(group, k * BLOCK));
            unpaired |= unpaired_after(units::<E>(load(group, k * BLOCK - 2)), w);
            any |= surrogates(w);
        }
        if unpaired != 0 {
            return (at, Kind::Rest);
        }
        if are_pairs(first) {
            return (all_pairs::<E>(src, dst, at), Kind::Mixed);
        }
        if any == 0 {
            return (at, Kind::Mixed);
        }
        let mut written = 0;
        let mut bytes = encode_any(after_zero(first), first);
        for k in 1..GROUP / BLOCK - 1 {
            append(out, &mut written, bytes.parts[0], bytes.lens[0]);
            append(out, &mut written, bytes.parts[1], bytes.lens[1]);
            let w = units::<E>(load(group, k * BLOCK));
            bytes = encode_any(units::<E>(load(group, k * BLOCK - 2)), w);
        }
        let last = units::<E>(load(group, GROUP - BLOCK));
        let last_bytes = encode_any(units::<E>(load(group, GROUP - BLOCK - 2)), last);
        let cut = usize::from(ends_high(last));
        for (bytes, cut) in [(bytes, 0), (last_bytes, cut)] {
            let len = bytes.lens[0] + bytes.lens[1] - 2 * cut;
            put(&mut out[written..written + len], &bytes);
            written += len;
        }
        at.advance(GROUP - 2 * cut, written);
    }
    (at, Kind::Rest)
}

/// Whether these are 16 pairs of surrogates.
#[inline]
#[target_feature(enable = "avx512bw")]
fn are_pairs(units: __m512i) -> bool {
    const PAIR: u32 = 0xDC00_D800;
    _mm512_cmpneq_epi32_mask(_mm512_and_si512(units, splat(0xFC00)), _mm512_set1_epi32(PAIR as i32)) == 0
}

/// Converts text that is all pairs of surrogates.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi2")]
fn all_pairs<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>], mut at: Position) -> Position {
    /// Where the bits of the four bytes are in a character, for two characters at once.
    const SHIFTS: u64 = u64::from_le_bytes([18, 12, 6, 0, 32 + 18, 32 + 12, 32 + 6, 32]);
    const BITS: u32 = u32::from_le_bytes([0b0000_0111, TAIL_BITS, TAIL_BITS, TAIL_BITS]);
    const TAGS: u32 = u32::from_le_bytes([LEAD_4, TAIL, TAIL, TAIL]);
    const HIGH_TIMES: i32 = 1 << 10;
    // Words are multiplied as signed numbers, in which a surrogate is 10000 less.
    const BIAS: i32 = 0x1_0000 + (0x1_0000 - 0xD800) * HIGH_TIMES + (0x1_0000 - 0xDC00);
    while let (Some(window), Some(out)) =
        (src[at.read..].first_chunk::<64>(), dst[at.written..].first_chunk_mut::<64>())
    {
        let w = units::<E>(load(window, 0));
        if !are_pairs(w) {
            break;
        }
        let sums = _mm512_madd_epi16(w, _mm512_set1_epi32(1 << 16 | HIGH_TIMES));
        let characters = _mm512_add_epi32(sums, _mm512_set1_epi32(BIAS));
        let bytes = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(SHIFTS as i64), characters);
        let (bits, tags) = (_mm512_set1_epi32(BITS as i32), _mm512_set1_epi32(TAGS as i32));
        store(out, 0, _mm512_ternarylogic_epi32::<{ A & B | C }>(bytes, bits, tags));
        at.advance(64, 64);
    }
    at
}
