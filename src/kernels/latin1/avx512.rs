//! Latin-1 for AVX-512: 64 bytes at a time, with the same ideas as in the parent module and a compression in place of
//! tables.
//!
//! # To UTF-8
//!
//! Every byte becomes two, `[lead, last]`, by interleaving two vectors; where it is ASCII, its lead has bit 7 clear, and
//! a compression drops that:
//!
//! ```text
//! byte         n     é     !              6E           E9           21
//! lead         bit 7, and bit 6 as bit 0  [0100|0011]  [1100|0011]  [0100|0010]     by a matrix of bits (GFNI)
//! last         bit 6 clear if bit 7 set   6E           A9           21
//! interleaved                             43 6E        C3 A9        42 21
//! kept         bit 7 of the lead, each last   6E C3 A9 21
//! ```
//!
//! The mask is bit 7 of all bytes after an `or` that sets it in each last one: no compare, and no constant but that. Text
//! without ASCII needs no compression, and ASCII is copied: each has a loop. One decision between these is made for 8
//! blocks, as a misprediction costs more than two blocks. ASCII with a few other characters is different: there, one block is
//! converted wherever something else comes, and ASCII goes on after it. This is the same in both directions.
//!
//! # From UTF-8
//!
//! A character is in Latin-1 if it is ASCII or if its lead is C2 or C3. Its last byte is right but for bit 6, which is
//! bit 0 of the lead before it. Lead bytes are dropped, by one compression for 64 bytes:
//!
//! ```text
//! leads = bytes ^ C2 < 2              a number of 64 bits
//! tails = bytes are continuations
//! stop unless tails == leads << 1 | carry, and all others are ASCII
//! store compress(!leads, bytes ^ (bit 0 of the byte before, as bit 6, at tails))
//! ```
//!
//! A block is stored as a whole where there is room for that, and otherwise by a masked store.
//!
//! # What it costs
//!
//! By count, for 64 bytes on the two vector ports that Intel has for such vectors: to UTF-8 about 16 micro-ops, of which 7
//! go to port 5 (two compressions of two each, a permutation, two interleavings). From UTF-8 about 12, of which 4 go
//! there.

use crate::endian::ByteOrder;
use crate::kernels::utf8_to_utf16::avx512::{widen, widen_once};
use crate::kernels::utf16_to_utf8::avx512::{narrow_64, spread};
use crate::kernels::validate_utf8::avx512::before_first;
use crate::kernels::validate_utf16::{whole_units, word};
use crate::output::Output;
use crate::parts::Parts;
use crate::report::Reached;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{
    A, B, C, compress, load, load_partial, load_two_partial, low_bits, splat8 as splat, store, store_partial,
    store_two_partial, store_units,
};

/// Bytes in a vector.
const BLOCK: usize = 64;
/// How many bytes one decision covers.
const GROUP: usize = 8 * BLOCK;
/// After this many blocks with less than [`RUN`] bytes of ASCII before each, a text is not ASCII with a few other characters. At
/// the start, one is enough.
const PATIENCE: usize = 3;
/// See [`PATIENCE`].
const RUN: usize = 2 * BLOCK;

/// The matrix that makes `gf2p8affine` move bits: each pair is a bit of the operand and the bit that it becomes.
const fn bits(moves: &[(usize, usize)]) -> i64 {
    // Row 7 - i selects the bits that make up bit i.
    let mut rows = [0u8; 8];
    let mut k = 0;
    while k < moves.len() {
        let (from, to) = moves[k];
        rows[7 - to] = 1 << from;
        k += 1;
    }
    i64::from_le_bytes(rows)
}

/// 64 bytes of Latin-1 as words `[lead, last]`, in order. Bit 7 of the lead is clear if there is none.
#[inline]
#[target_feature(enable = "avx512vbmi,gfni")]
fn pairs(bytes: __m512i) -> [__m512i; 2] {
    const LEAD: i64 = bits(&[(7, 7), (6, 0)]);
    const BIT_6_IF_7: i64 = bits(&[(7, 6)]);
    let bytes = spread(bytes);
    // C2 or C3, where bit 7 is set already.
    let leads = _mm512_gf2p8affine_epi64_epi8::<{ 0xC2 - 0x80 }>(bytes, _mm512_set1_epi64(LEAD));
    let bit_6 = _mm512_gf2p8affine_epi64_epi8::<0>(bytes, _mm512_set1_epi64(BIT_6_IF_7));
    let lasts = _mm512_andnot_si512(bit_6, bytes);
    [_mm512_unpacklo_epi8(leads, lasts), _mm512_unpackhi_epi8(leads, lasts)]
}

/// The bytes that one of [`pairs`] becomes, and their number.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn pack(pairs: __m512i) -> (__m512i, usize) {
    let keep = _mm512_movepi8_mask(_mm512_or_si512(pairs, _mm512_set1_epi16(0x8000u16 as i16)));
    (compress(keep, pairs), keep.count_ones() as usize)
}

/// Converts Latin-1 to UTF-8.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
pub(crate) fn to_utf8(src: &[u8], dst: &mut Output) -> Reached {
    if src.len() > BLOCK {
        return beyond_block_to_utf8(src, dst);
    }
    // A load with an empty mask is slow if its address is not mapped, as may be the case for an empty slice.
    if src.is_empty() {
        return Reached::START;
    }
    match put_utf8(src, dst) {
        Some(written) => Reached { read: src.len(), written },
        None => Reached::START,
    }
}

/// Writes 1 to 64 bytes of Latin-1 as UTF-8, if there is room. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn put_utf8(src: &[u8], dst: &mut Output) -> Option<usize> {
    let bytes = load_partial(src);
    if _mm512_movepi8_mask(bytes) == 0 {
        store_partial(dst.get_mut(..src.len())?, bytes);
        path!("up to 64 bytes of ASCII");
        return Some(src.len());
    }
    let [a, b] = pairs(bytes);
    let (a, first) = pack(a);
    if src.len() <= 32 {
        let len = first - (32 - src.len());
        store_partial(dst.get_mut(..len)?, a);
        path!("up to 32 bytes");
        return Some(len);
    }
    let (b, second) = pack(b);
    let len = first + second - (BLOCK - src.len());
    store_two_partial(dst.get_mut(..len)?, first, [a, b]);
    path!("up to 64 bytes");
    Some(len)
}

/// Converts a text of more than a block.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn beyond_block_to_utf8(src: &[u8], dst: &mut Output) -> Reached {
    let mut at = Reached::START;
    let mut kind = if _mm512_movepi8_mask(load(src, 0)) == 0 { Kind::Ascii } else { Kind::Mixed };
    loop {
        kind = match kind {
            Kind::Ascii => sparse_to_utf8(src, dst, &mut at),
            Kind::Mixed => mixed_to_utf8(src, dst, &mut at),
            Kind::NoAscii => no_ascii_to_utf8(src, dst, &mut at),
            Kind::Rest => break,
        };
    }
    while at.read < src.len() {
        let block = &src[at.read..src.len().min(at.read + BLOCK)];
        let Some(written) = put_utf8(block, &mut dst[at.written..]) else { break };
        at.advance(block.len(), written);
    }
    at
}

/// Converts ASCII, and a block wherever something else interrupts it, until [`PATIENCE`] of them are close together.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn sparse_to_utf8(src: &[u8], dst: &mut Output, at: &mut Reached) -> Kind {
    let mut close = PATIENCE - 1;
    loop {
        if let Some(kind) = after_ascii(src, dst, at, &mut close) {
            return kind;
        }
        let (Some(window), Some(out)) =
            (src.chunk_at::<BLOCK>(at.read), dst.chunk_at::<{ 2 * BLOCK }>(at.written))
        else {
            return Kind::Rest;
        };
        let [a, b] = pairs(load(window, 0));
        let ((a, first), (b, second)) = (pack(a), pack(b));
        store(out, 0, a);
        store(out, first, b);
        path!("a block among ASCII");
        at.advance(BLOCK, first + second);
    }
}

/// Converts a group of blocks, or as many as there are before the last.
///
/// The excess of a store is at most 32 bytes. The block after overwrites it: with all of its output, or with as much as
/// fits, which fills all of the room but perhaps one byte.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn mixed_to_utf8(src: &[u8], dst: &mut Output, at: &mut Reached) -> Kind {
    let Some(window) = src.chunk_at::<{ GROUP + BLOCK }>(at.read) else {
        blocks_to_utf8(src, dst, at);
        return Kind::Rest;
    };
    let Some(out) = dst.chunk_at::<{ 2 * GROUP + BLOCK }>(at.written) else {
        blocks_to_utf8(src, dst, at);
        return Kind::Rest;
    };
    let mut written = 0;
    for k in 0..GROUP / BLOCK {
        for part in pairs(load(window, k * BLOCK)) {
            let (bytes, len) = pack(part);
            store(out, written, bytes);
            written += len;
        }
    }
    path!("group");
    at.advance(GROUP, written);
    match written {
        GROUP => Kind::Ascii,
        len if len == 2 * GROUP => Kind::NoAscii,
        _ => Kind::Mixed,
    }
}

/// Converts blocks, except for the last bytes, while there is room.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn blocks_to_utf8(src: &[u8], dst: &mut Output, at: &mut Reached) {
    while src.len() - at.read > BLOCK {
        let [a, b] = pairs(load(src, at.read));
        let ((a, first), (b, second)) = (pack(a), pack(b));
        if let Some(out) = dst.chunk_at::<{ 2 * BLOCK }>(at.written) {
            store(out, 0, a);
            store(out, first, b);
        } else if let Some(out) = dst.part_at(at.written, first + second) {
            // The second has at least 32 bytes, which overwrite the excess of the first.
            store(out, 0, a);
            store_partial(&mut out[first..], b);
        } else {
            return;
        }
        path!("block before others");
        at.advance(BLOCK, first + second);
    }
}

/// Converts blocks without ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,gfni")]
fn no_ascii_to_utf8(src: &[u8], dst: &mut Output, at: &mut Reached) -> Kind {
    while let (Some(window), Some(out)) =
        (src.chunk_at::<BLOCK>(at.read), dst.chunk_at::<{ 2 * BLOCK }>(at.written))
    {
        let bytes = load(window, 0);
        if _mm512_movepi8_mask(bytes) != u64::MAX {
            return Kind::Mixed;
        }
        let [a, b] = pairs(bytes);
        store(out, 0, a);
        store(out, BLOCK, b);
        path!("no ASCII");
        at.advance(BLOCK, 2 * BLOCK);
    }
    Kind::Rest
}

/// 64 bytes of UTF-8 as Latin-1, where each lead byte is to be dropped: these are the bits of the second number. `None`
/// if any is not in Latin-1. `carry` is 1 if `before`, the byte before each, starts with a lead byte.
#[inline]
#[target_feature(enable = "avx512bw,gfni")]
fn decode(bytes: __m512i, before: __m512i, carry: u64) -> Option<(__m512i, u64)> {
    const BIT_0_AS_6: i64 = bits(&[(0, 6)]);
    let leads = _mm512_cmplt_epu8_mask(_mm512_xor_si512(bytes, splat(0xC2)), splat(2));
    let tails = _mm512_cmplt_epi8_mask(bytes, splat(0xC0));
    if tails != leads << 1 | carry || _mm512_movepi8_mask(bytes) != leads | tails {
        return None;
    }
    let bit_6 = _mm512_maskz_gf2p8affine_epi64_epi8::<0>(tails, before, _mm512_set1_epi64(BIT_0_AS_6));
    Some((_mm512_xor_si512(bytes, bit_6), leads))
}

/// 1 if the byte before `at`, which has been found right, is a lead byte.
#[inline(always)]
fn carry(src: &[u8], at: usize) -> u64 {
    u64::from(at > 0 && src[at - 1] >= 0xC0)
}

/// Up to 64 bytes from `at` on, and the byte before each.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn load_with_before(src: &[u8], at: usize) -> (__m512i, __m512i, usize) {
    let end = src.len().min(at + BLOCK);
    let bytes = load_partial(&src[at..end]);
    let before = if at == 0 { before_first(bytes)[0] } else { load_partial(&src[at - 1..end - 1]) };
    (bytes, before, end - at)
}

/// Converts UTF-8 to Latin-1.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
pub(crate) fn from_utf8(src: &[u8], dst: &mut Output) -> Reached {
    if src.len() > BLOCK {
        return beyond_block_from_utf8(src, dst);
    }
    if src.is_empty() {
        return Reached::START;
    }
    match up_to_block_from_utf8(src, dst) {
        Some(written) => Reached { read: src.len(), written },
        None => Reached::START,
    }
}

/// Converts 1 to 64 bytes, if they are in Latin-1 and fit. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn up_to_block_from_utf8(src: &[u8], dst: &mut Output) -> Option<usize> {
    let bytes = load_partial(src);
    if _mm512_movepi8_mask(bytes) == 0 {
        store_partial(dst.get_mut(..src.len())?, bytes);
        path!("up to 64 bytes of ASCII to Latin-1");
        return Some(src.len());
    }
    if src[src.len() - 1] >= 0xC0 {
        return None;
    }
    put_latin1(bytes, before_first(bytes)[0], 0, src.len(), dst)
}

/// Writes the first `len` of these bytes as Latin-1, if they are and there is room. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn put_latin1(bytes: __m512i, before: __m512i, carry: u64, len: usize, dst: &mut Output) -> Option<usize> {
    let (latin1, leads) = decode(bytes, before, carry)?;
    let keep = !leads & low_bits(len);
    let count = keep.count_ones() as usize;
    let out = dst.get_mut(..count)?;
    // A store with an empty mask is slow if its address is not mapped.
    if count > 0 {
        store_partial(out, compress(keep, latin1));
    }
    path!("up to 64 bytes to Latin-1");
    Some(count)
}

/// Which loop the text ahead needs.
enum Kind {
    Ascii,
    Mixed,
    /// Only characters of 2 bytes in UTF-8.
    NoAscii,
    /// Less than a block or too little room, or something that is not in Latin-1.
    Rest,
}

/// Converts a text of more than a block.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn beyond_block_from_utf8(src: &[u8], dst: &mut Output) -> Reached {
    let mut at = Reached::START;
    let mut kind = if _mm512_movepi8_mask(load(src, 0)) == 0 { Kind::Ascii } else { Kind::Mixed };
    loop {
        kind = match kind {
            Kind::Ascii => sparse_from_utf8(src, dst, &mut at),
            Kind::Mixed => mixed(src, dst, &mut at),
            Kind::NoAscii => two_bytes(src, dst, &mut at),
            Kind::Rest => break,
        };
    }
    while at.read < src.len() {
        let (bytes, before, len) = load_with_before(src, at.read);
        let (carry, room) = (carry(src, at.read), &mut dst[at.written..]);
        let Some(written) = put_latin1(bytes, before, carry, len, room) else { break };
        at.advance(len, written);
    }
    Reached { read: at.read - carry(src, at.read) as usize, ..at }
}

/// Copies ASCII up to the first other byte, or before. Returns the number of bytes, or `None` at the end of the text or of the
/// room.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn ascii(src: &[u8], dst: &mut Output, at: &mut Reached) -> Option<usize> {
    let start = at.read;
    while let (Some(from), Some(to)) =
        (src.chunk_at::<{ 4 * BLOCK }>(at.read), dst.chunk_at::<{ 4 * BLOCK }>(at.written))
    {
        let (a, b, c, d) = (load(from, 0), load(from, 64), load(from, 128), load(from, 192));
        // What comes after the ASCII is overwritten, or beyond what is reported as written.
        store(to, 0, a);
        store(to, 64, b);
        store(to, 128, c);
        store(to, 192, d);
        if _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) != 0 {
            let mask =
                |low, high| u128::from(_mm512_movepi8_mask(low)) | u128::from(_mm512_movepi8_mask(high)) << BLOCK;
            let (low, high) = (mask(a, b), mask(c, d));
            let len = if low != 0 { low.trailing_zeros() } else { 128 + high.trailing_zeros() } as usize;
            path!("ASCII up to another byte");
            at.advance(len, len);
            return Some(at.read - start);
        }
        path!("ASCII");
        at.advance(4 * BLOCK, 4 * BLOCK);
    }
    while at.read < src.len() {
        let block = &src[at.read..src.len().min(at.read + BLOCK)];
        let bytes = load_partial(block);
        if _mm512_movepi8_mask(bytes) != 0 {
            return Some(at.read - start);
        }
        let out = dst.part_at(at.written, block.len())?;
        store_partial(out, bytes);
        path!("the last ASCII");
        at.advance(block.len(), block.len());
    }
    None
}

/// Copies ASCII. Counts in `close` how often in a row less than [`RUN`] bytes of it came before something else. Returns `None` if a
/// block is to be converted, or the loop that comes next: after [`PATIENCE`] times, or at the end of the text or of the room.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn after_ascii(src: &[u8], dst: &mut Output, at: &mut Reached, close: &mut usize) -> Option<Kind> {
    let Some(run) = ascii(src, dst, at) else { return Some(Kind::Rest) };
    *close = if run < RUN { *close + 1 } else { 0 };
    if *close == PATIENCE { Some(Kind::Mixed) } else { None }
}

/// Converts ASCII, and a block wherever something else interrupts it, until [`PATIENCE`] of them are close together.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn sparse_from_utf8(src: &[u8], dst: &mut Output, at: &mut Reached) -> Kind {
    let mut close = PATIENCE - 1;
    loop {
        if let Some(kind) = after_ascii(src, dst, at, &mut close) {
            return kind;
        }
        let (Some(window), Some(out)) = (src.chunk_at::<BLOCK>(at.read), dst.chunk_at::<BLOCK>(at.written)) else {
            return Kind::Rest;
        };
        let bytes = load(window, 0);
        let Some((latin1, leads)) = decode(bytes, before_first(bytes)[0], 0) else { return Kind::Rest };
        store(out, 0, compress(!leads, latin1));
        path!("a block among ASCII to Latin-1");
        // A character that is cut is left out, so that ASCII is next to nothing else.
        at.advance(BLOCK - (leads >> 63) as usize, leads.count_zeros() as usize);
    }
}

/// Converts a group of blocks, or as many as there are.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,bmi2,popcnt")]
fn mixed(src: &[u8], dst: &mut Output, at: &mut Reached) -> Kind {
    let start = *at;
    let mut next = None;
    let mut any = 0;
    for _ in 0..GROUP / BLOCK {
        let Some(window) = src.chunk_at::<BLOCK>(at.read) else {
            next = Some(Kind::Rest);
            break;
        };
        let bytes = load(window, 0);
        let before = if at.read == 0 { before_first(bytes)[0] } else { load(src, at.read - 1) };
        let Some((latin1, leads)) = decode(bytes, before, carry(src, at.read)) else {
            next = Some(Kind::Rest);
            break;
        };
        let len = leads.count_zeros() as usize;
        let bytes = compress(!leads, latin1);
        if let Some(out) = dst.chunk_at::<BLOCK>(at.written) {
            store(out, 0, bytes);
        } else if let Some(out) = dst.part_at(at.written, len) {
            store_partial(out, bytes);
        } else {
            next = Some(Kind::Rest);
            break;
        }
        at.advance(BLOCK, len);
        any |= leads;
        path!("block to Latin-1");
    }
    next.unwrap_or(if any == 0 {
        Kind::Ascii
    } else if 2 * (at.written - start.written) == at.read - start.read {
        Kind::NoAscii
    } else {
        Kind::Mixed
    })
}

/// Converts characters of 2 bytes. If the last byte read is a lead byte, they start with that.
#[inline]
#[target_feature(enable = "avx512vbmi")]
fn two_bytes(src: &[u8], dst: &mut Output, at: &mut Reached) -> Kind {
    const TAGS: u16 = u16::from_le_bytes([0b1111_1110, 0b1100_0000]);
    const PATTERN: u16 = u16::from_le_bytes([0b1100_0010, 0b1000_0000]);
    let words = |word: u16| _mm512_set1_epi16(word as i16);
    at.read -= carry(src, at.read) as usize;
    while let (Some(window), Some(out)) =
        (src.chunk_at::<{ 2 * BLOCK }>(at.read), dst.chunk_at::<BLOCK>(at.written))
    {
        let (a, b) = (load(window, 0), load(window, BLOCK));
        let wrong = |v| _mm512_ternarylogic_epi32::<{ A & B ^ C }>(v, words(TAGS), words(PATTERN));
        let wrong = _mm512_or_si512(wrong(a), wrong(b));
        if _mm512_test_epi16_mask(wrong, wrong) != 0 {
            break;
        }
        // The last byte in place of the lead byte, and its bit 6.
        let joined = |v| {
            let (bit_6, last) = (_mm512_slli_epi16::<6>(v), _mm512_srli_epi16::<8>(v));
            _mm512_ternarylogic_epi32::<{ A & B | C }>(bit_6, words(0b0100_0000), last)
        };
        store(out, 0, narrow_64(ByteOrder::Little, joined(a), joined(b)));
        path!("2 bytes only");
        at.advance(2 * BLOCK, BLOCK);
    }
    if src.len() - at.read < BLOCK { Kind::Rest } else { Kind::Mixed }
}

/// The length of the text at the start of `src` that is in Latin-1, or less: nothing of the block with the first
/// character that is not.
#[target_feature(enable = "avx512vbmi,gfni,bmi2")]
pub(crate) fn prefix_of_utf8(src: &[u8]) -> usize {
    let mut at = 0;
    loop {
        // ASCII, unless a lead byte is before it.
        while carry(src, at) == 0
            && let Some(window) = src.chunk_at::<{ 4 * BLOCK }>(at)
        {
            let (a, b) = (_mm512_or_si512(load(window, 0), load(window, 64)), load(window, 128));
            let any = _mm512_or_si512(_mm512_or_si512(a, b), load(window, 192));
            if _mm512_movepi8_mask(any) != 0 {
                break;
            }
            path!("check of ASCII");
            at += 4 * BLOCK;
        }
        for _ in 0..GROUP / BLOCK {
            if at == src.len() {
                return at - carry(src, at) as usize;
            }
            let (bytes, before, len) = load_with_before(src, at);
            if decode(bytes, before, carry(src, at)).is_none() {
                return at - carry(src, at) as usize;
            }
            path!("check of a block");
            at += len;
        }
    }
}

/// Converts Latin-1 to UTF-16, as much as fits.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let len = src.len().min(dst.len() / 2);
    // No other branch on the length: it would be mispredicted.
    if len > BLOCK {
        return widen_all(order, &src[..len], dst);
    }
    // A load with an empty mask is slow if its address is not mapped.
    if len == 0 {
        return Reached::START;
    }
    store_units(&mut dst[..2 * len], widen_once(order, load_partial(&src[..len])));
    path!("up to 64 units");
    Reached { read: len, written: 2 * len }
}

/// Widens more than 64 bytes.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn widen_all(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let dst = &mut dst[..2 * src.len()];
    let put = |out: &mut Output, bytes| {
        let [a, b] = widen(order, bytes);
        store(out, 0, a);
        store(out, BLOCK, b);
    };
    let mut at = 0;
    while let (Some(window), Some(out)) =
        (src.chunk_at::<{ 2 * BLOCK }>(at), dst.chunk_at::<{ 4 * BLOCK }>(2 * at))
    {
        put(out, load(window, 0));
        put(&mut out[2 * BLOCK..], load(window, BLOCK));
        path!("units");
        at += 2 * BLOCK;
    }
    let last = src.len() - BLOCK;
    while at < src.len() {
        // The last one overlaps the one before.
        let from = at.min(last);
        put(&mut dst[2 * from..], load(src, from));
        path!("the last units");
        at += BLOCK;
    }
    Reached { read: src.len(), written: dst.len() }
}

/// Whether all of these units are in Latin-1.
#[inline]
#[target_feature(enable = "avx512bw")]
fn are_latin1(order: ByteOrder, units: __m512i) -> bool {
    _mm512_test_epi16_mask(units, _mm512_set1_epi16(word(order, 0xFF00) as i16)) == 0
}

/// Converts UTF-16 to Latin-1.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn from_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let len = (src.len() / 2).min(dst.len());
    let (text, out) = (&src[..2 * len], &mut dst[..len]);
    if len == 0 {
        return Reached::START;
    }
    let done = if len <= BLOCK { narrow_up_to_64(order, text, out) } else { narrow_all(order, text, out) };
    Reached { read: 2 * done, written: done }
}

/// Converts 1 to 64 units, if they are in Latin-1. Returns the number of units converted.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn narrow_up_to_64(order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let [a, b] = load_two_partial(src);
    if !are_latin1(order, _mm512_or_si512(a, b)) {
        return 0;
    }
    store_partial(dst, narrow_64(order, a, b));
    path!("up to 64 units to Latin-1");
    dst.len()
}

/// Converts more than 64 units, as far as they are in Latin-1. Returns the number of units converted.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn narrow_all(order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let mut at = 0;
    while let (Some(window), Some(out)) =
        (src.chunk_at::<{ 4 * BLOCK }>(at), dst.chunk_at::<{ 2 * BLOCK }>(at / 2))
    {
        let (a, b) = (load(window, 0), load(window, BLOCK));
        let (c, d) = (load(window, 2 * BLOCK), load(window, 3 * BLOCK));
        if !are_latin1(order, _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) {
            return at / 2;
        }
        store(out, 0, narrow_64(order, a, b));
        store(out, BLOCK, narrow_64(order, c, d));
        path!("two times 64 units to Latin-1");
        at += 4 * BLOCK;
    }
    let last = src.len() - 2 * BLOCK;
    while at < src.len() {
        // The last one overlaps the one before.
        let from = at.min(last);
        let (a, b) = (load(src, from), load(src, from + BLOCK));
        if !are_latin1(order, _mm512_or_si512(a, b)) {
            return at / 2;
        }
        store(dst, from / 2, narrow_64(order, a, b));
        path!("units to Latin-1");
        at += 2 * BLOCK;
    }
    dst.len()
}

/// The length in bytes of the text at the start of `src` that is in Latin-1, or less: nothing of the block with the first
/// unit that is not.
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn prefix_of_utf16(order: ByteOrder, src: &[u8]) -> usize {
    let src = whole_units(src);
    if src.len() <= BLOCK {
        return if src.is_empty() || are_latin1(order, load_partial(src)) { src.len() } else { 0 };
    }
    let last = src.len() - BLOCK;
    let mut at = 0;
    while let Some(window) = src.chunk_at::<{ 4 * BLOCK }>(at) {
        let (a, b) = (_mm512_or_si512(load(window, 0), load(window, 64)), load(window, 128));
        if !are_latin1(order, _mm512_or_si512(_mm512_or_si512(a, b), load(window, 192))) {
            return at;
        }
        path!("check of units");
        at += 4 * BLOCK;
    }
    while at < src.len() {
        if !are_latin1(order, load(src, at.min(last))) {
            return at;
        }
        path!("check of the last units");
        at += BLOCK;
    }
    src.len()
}
