//! UTF-32 to UTF-16 and back: a loop for the BMP, and one for any characters.
//!
//! # The BMP
//!
//! A double word becomes a word, or a word a double word. Two vectors are loaded so that each lane has units that are next
//! to each other. So the narrowed words are in order, lane by lane. The text is in the BMP if no unit has an upper half
//! and no word is a surrogate.
//!
//! # Any characters, to UTF-16
//!
//! A unit above FFFF becomes a pair in its own double word: `unit >> 10`, plus its last 10 bits in the upper half, plus
//! `DC00_D7C0`. A table then keeps the lower word of each unit, and the upper word of each pair:
//!
//! ```text
//! unit     0000_006E    0001_F600
//! words    6E 0         D83D DE00        the lower word first
//! kept     6E           D83D DE00
//! ```
//!
//! # Any characters, from UTF-16
//!
//! Each word gets the next one as its upper half: a second load, 2 bytes further on. Where the lower half is a high
//! surrogate, the two become a character. A table drops the low surrogates, as pairs of words:
//!
//! ```text
//! units        6E           D83D         DE00
//! both         D83D_006E    DE00_D83D    …._DE00
//! character    6E           1F600        dropped
//! ```
//!
//! The block is well-formed if high surrogates are exactly where the next unit is a low one. A low surrogate at its start
//! belongs to the block before, which has converted it, so a block never begins with one that is not read already.
//!
//! # From one loop to the other
//!
//! The loop for the BMP ends at the first block with something else, the other one after the first block of the BMP. The
//! second loop takes twice as long for such a block, so that staying in it costs more than a mispredicted branch. Both store
//! whole vectors. The last vector ends with the text: units that were converted before are converted again, and their output
//! is dropped. Plain Rust does the rest: text that does not fit, and errors.

use super::{MAX, at_most, in_order, of_pairs, rank, whole_units, widened};
use crate::endian::ByteOrder;
use crate::kernels::tables::KEEP_WORDS;
use crate::kernels::utf8_to_utf16::units::words_in_order;
use crate::kernels::validate_utf16::matches;
use crate::output::{Output, Scratch};
use crate::parts::Parts;
use crate::report::Reached;
use crate::simd::{Lanes, SLACK, Simd};

/// Converts UTF-32 to UTF-16.
#[inline(always)]
pub(crate) fn to_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let (read, written) = if src.len() < 16 {
        few_to_utf16(order, src, dst)
    } else if src.len() < 4 * S::WIDTH {
        bmp_to_utf16(isa.single(), order, src, dst, 0, 0)
    } else {
        long_to_utf16(isa, order, src, dst)
    };
    let (read, written) = if read == src.len() || src.len() < 32 {
        (read, written)
    } else {
        last_to_utf16(isa.single(), order, src, dst, read, written)
    };
    Reached { read, written }
}

/// Converts up to 3 units, while they are of the BMP and fit.
#[inline(always)]
fn few_to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> (usize, usize) {
    let (units, out, mut at) = (src.as_chunks::<4>().0, dst.as_chunks_mut::<2>().0, 0);
    while at < units.len() && at < out.len() {
        let unit = order.unit_32(units[at]);
        if unit > 0xFFFF || unit & 0xF800 == 0xD800 {
            break;
        }
        out.set(at, order.bytes(unit as u16));
        at += 1;
    }
    (4 * at, 2 * at)
}

/// Words of two vectors of units of the BMP, lane by lane.
#[inline(always)]
fn narrowed<S: Lanes>(isa: S, order: ByteOrder, a: S::V, b: S::V) -> S::V {
    match order {
        ByteOrder::Little => isa.narrow_u32(a, b),
        ByteOrder::Big => {
            // The last two bytes of each unit.
            isa.narrow_u32(isa.shr32::<16>(a), isa.shr32::<16>(b))
        }
    }
}

/// Whether these are characters of the BMP: `units` are some merged by `or`, `words` what they are narrowed to.
#[inline(always)]
fn are_bmp<S: Lanes>(isa: S, order: ByteOrder, units: S::V, words: [S::V; 2]) -> bool {
    let above = if order.is_big() { 0x0000_FFFF } else { 0xFFFF_0000 };
    let surrogates = surrogates(isa, order, words[0]) | surrogates(isa, order, words[1]);
    isa.is_zero(units & isa.splat32(above) | surrogates)
}

/// `FFFF` where a word is a surrogate.
#[inline(always)]
fn surrogates<S: Lanes>(isa: S, order: ByteOrder, words: S::V) -> S::V {
    matches(isa, order, words, 0xF800, 0xD800)
}

/// Two vectors, of which each lane has units that are next to each other: what they are narrowed to is in order.
#[inline(always)]
fn load_pair<S: Lanes>(isa: S, window: &[u8]) -> (S::V, S::V) {
    (isa.load_lanes(window, 0, 32), isa.load_lanes(window, 16, 32))
}

/// Converts units of the BMP by two vectors, up to the end, from `read` and `written` on. The last vectors overlap the ones
/// before, if all of their units are of the BMP. Needs 4 units or more. Stops at anything else.
#[inline(always)]
fn bmp_to_utf16<L: Lanes>(
    isa: L,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> (usize, usize) {
    let end = src.len() & !3;
    while read < end {
        if end < 32 {
            // 4 to 7 units.
            let (a, b) = (isa.load(src, 0), isa.load(src, end - 16));
            let words = narrowed(isa, order, a, b);
            let Some(out) = dst.get_mut(..end / 2) else { break };
            if !are_bmp(isa, order, a | b, [words; 2]) {
                break;
            }
            let words = isa.number(words).to_le_bytes();
            out.write(&words[..8]);
            out[end / 2 - 8..].write(&words[8..]);
            path!("up to 7 units to UTF-16");
            return (end, end / 2);
        }
        let from = read.min(end - 32);
        let again = (read - from) / 2;
        let Some(window) = src.part_at(from, 32) else { break };
        let (a, b) = load_pair(isa, window);
        let words = narrowed(isa, order, a, b);
        // If all units here are in the BMP, so were those that are converted again.
        if again > written || dst.len() - (written - again) < 16 || !are_bmp(isa, order, a | b, [words; 2]) {
            break;
        }
        isa.store(dst, written - again, words);
        path!("the last units to UTF-16");
        (read, written) = (from + 32, written - again + 16);
    }
    (read, written)
}

/// Converts more than a few units.
#[inline(always)]
fn long_to_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        while let (Some(window), Some(out)) = (src.part_at(read, 4 * S::WIDTH), dst.part_at(written, 2 * S::WIDTH))
        {
            let ((a, b), (c, d)) = (load_pair(isa, window), load_pair(isa, &window[2 * S::WIDTH..]));
            let words = [narrowed(isa, order, a, b), narrowed(isa, order, c, d)];
            if !are_bmp(isa, order, (a | b) | (c | d), words) {
                break;
            }
            isa.store(out, 0, words[0]);
            isa.store(out, S::WIDTH, words[1]);
            path!("units to UTF-16");
            (read, written) = (read + 4 * S::WIDTH, written + 2 * S::WIDTH);
        }
        let start = read;
        (read, written) = any_to_utf16(isa, order, src, dst, read, written);
        if read == start {
            break;
        }
    }
    bmp_to_utf16(isa.single(), order, src, dst, read, written)
}

/// Converts blocks of any characters, up to one that is of the BMP only, or until one is ill-formed, or as many as there are and
/// fit.
#[inline(always)]
fn any_to_utf16<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> (usize, usize) {
    while let Some(window) = src.part_at(read, 2 * S::WIDTH)
        && let Some(out) = dst.part_at(written, 2 * S::WIDTH + SLACK)
    {
        let (a, b) = load_pair(isa, window);
        let (a, b) = (in_order(isa, order, a), in_order(isa, order, b));
        if !at_most(isa, isa.max_u32(rank(isa, a), rank(isa, b)), MAX) {
            break;
        }
        let ((a, above_a), (b, above_b)) = (pairs(isa, a), pairs(isa, b));
        let above = isa.bitmask(isa.narrow_i16(above_a, above_b)) as u32;
        // The first word of each character, and the second of a pair.
        let keep = above | 0x5555_5555 & mask_of_words(S::WIDTH);
        let len = 2 * keep.count_ones() as usize;
        let (a, b) = (words_in_order(isa, order, a), words_in_order(isa, order, b));
        isa.store_shuffled::<0, 2>(out, 0, a, b, &KEEP_WORDS, keep);
        path!("any units to UTF-16");
        (read, written) = (read + 2 * S::WIDTH, written + len);
        if above == 0 {
            break;
        }
    }
    (read, written)
}

/// Converts the last units, 8 at a time, whatever characters they are, unless one is ill-formed or they do not fit. The last 8
/// may have been converted in part: these words are dropped. Needs 8 units or more.
#[inline(always)]
fn last_to_utf16<L: Lanes>(
    isa: L,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> (usize, usize) {
    let src = whole_units(src);
    while read < src.len() {
        let from = read.min(src.len() - 32);
        let (a, b) = (isa.load(src, from), isa.load(src, from + 16));
        let (a, b) = (in_order(isa, order, a), in_order(isa, order, b));
        if !at_most(isa, isa.max_u32(rank(isa, a), rank(isa, b)), MAX) {
            break;
        }
        let ((a, above_a), (b, above_b)) = (pairs(isa, a), pairs(isa, b));
        let above = isa.bitmask(isa.narrow_i16(above_a, above_b)) as u32;
        let keep = (above | 0x5555) & words_from((read - from) / 2);
        let (a, b) = (words_in_order(isa, order, a), words_in_order(isa, order, b));
        let Some(len) = put_words(isa, a, b, keep, &mut dst[written..]) else { break };
        path!("the last units, of any kind, to UTF-16");
        (read, written) = (from + 32, written + len);
    }
    (read, written)
}

/// A bit for each of 16 words from this one on.
#[inline(always)]
const fn words_from(first: usize) -> u32 {
    0xFFFF & 0xFFFF << first
}

/// Writes the words of two vectors whose bit in `keep` is set to the start of `dst`, and nothing else, if they fit. Returns how
/// many bytes these are.
#[inline(always)]
fn put_words<L: Lanes>(isa: L, a: L::V, b: L::V, keep: u32, dst: &mut Output) -> Option<usize> {
    let mut words = Scratch::<{ 32 + SLACK }>::new();
    let len = isa.store_shuffled::<0, 2>(words.output(), 0, a, b, &KEEP_WORDS, keep);
    dst.get_mut(..len)?.copy_short(words.written(0..len));
    Some(len)
}

/// A bit for each word of two vectors.
#[inline(always)]
const fn mask_of_words(width: usize) -> u32 {
    if width == 16 { 0xFFFF } else { u32::MAX }
}

/// Units as pairs of surrogates, the high one in the lower half, where they are above U+FFFF; and all bits there.
#[inline(always)]
fn pairs<S: Lanes>(isa: S, units: S::V) -> (S::V, S::V) {
    let above = isa.gt_i32(units, isa.splat32(0xFFFF));
    let low = isa.shl32::<16>(units & isa.splat32(0x3FF));
    let pair = isa.add32(isa.shr32::<10>(units) | low, isa.splat32(0xDC00_D7C0));
    // The second word is dropped where there is none.
    (isa.select(above, pair, units), above & isa.splat32(0xFFFF_0000))
}

/// Converts UTF-16 to UTF-32.
#[inline(always)]
pub(crate) fn from_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let (read, written) = if src.len() < 8 {
        few_from_utf16(order, src, dst)
    } else if src.len() < 16 {
        up_to_7_from_utf16(isa.single(), order, src, dst)
    } else if src.len() < 66 && up_to_32_from_utf16(isa, order, src, dst) {
        (src.len() & !1, 2 * (src.len() & !1))
    } else {
        long_from_utf16(isa, order, src, dst)
    };
    let (read, written) = if read == src.len() || src.len() < 16 {
        (read, written)
    } else {
        last_from_utf16(isa.single(), order, src, dst, read, written)
    };
    Reached { read, written }
}

/// Converts up to 3 units, while they are of the BMP and fit.
#[inline(always)]
fn few_from_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> (usize, usize) {
    let (units, out, mut at) = (src.as_chunks::<2>().0, dst.as_chunks_mut::<4>().0, 0);
    while at < units.len() && at < out.len() {
        let unit = order.unit(units[at]);
        if unit & 0xF800 == 0xD800 {
            break;
        }
        out.set(at, order.bytes_32(u32::from(unit)));
        at += 1;
    }
    (2 * at, 4 * at)
}

/// Converts 4 to 7 units, if they are of the BMP and fit. The loads overlap.
#[inline(always)]
fn up_to_7_from_utf16<L: Lanes>(isa: L, order: ByteOrder, src: &[u8], dst: &mut Output) -> (usize, usize) {
    let end = src.len() & !1;
    let (Some(first), Some(last)) = (src[..end].first_chunk(), src[..end].last_chunk()) else { return (0, 0) };
    let both = u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << 64;
    let both = isa.two_lanes(both, 0);
    let Some(out) = dst.get_mut(..2 * end) else { return (0, 0) };
    if !isa.is_zero(surrogates(isa, order, both)) {
        return (0, 0);
    }
    let (units, _) = widened::<L, 2>(isa, order, both);
    isa.store(out, 0, units[0]);
    isa.store(out, 2 * end - 16, units[1]);
    path!("up to 7 units from UTF-16");
    (end, 2 * end)
}

/// Converts 8 to 32 units, if all are of the BMP and fit; otherwise nothing. The loads overlap.
#[inline(always)]
fn up_to_32_from_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> bool {
    let (end, single) = (src.len() & !1, isa.single());
    let Some(out) = dst.get_mut(..2 * end) else { return false };
    let second = (end - 16).min(16);
    let places = [0, second, end - 16 - second, end - 16];
    let (mut any, mut k) = (single.splat8(0), 0);
    while k < 4 {
        any = any | surrogates(single, order, single.load(src, places[k]));
        k += 1;
    }
    if !single.is_zero(any) {
        return false;
    }
    k = 0;
    while k < 4 {
        widen_8(isa, order, src, places[k], out, 2 * places[k]);
        k += 1;
    }
    path!("up to 32 units from UTF-16");
    true
}

/// Widens the 8 units at `src[from..]`.
#[inline(always)]
fn widen_8<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], from: usize, out: &mut Output, to: usize) {
    let (units, count) = widened::<S, 2>(isa, order, isa.load_lanes(src, from, 0));
    let mut k = 0;
    while k < count {
        isa.store(out, to + k * S::WIDTH, units[k]);
        k += 1;
    }
}

/// Converts 8 units or more.
#[inline(always)]
fn long_from_utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        // With `part_at`, AVX2 takes 1.2 times as long.
        while let (Some(window), Some(out)) =
            (src[read..].get(..2 * S::WIDTH), dst[written..].get_mut(..4 * S::WIDTH))
        {
            let (a, b) = (isa.load(window, 0), isa.load(window, S::WIDTH));
            if !isa.is_zero(surrogates(isa, order, a) | surrogates(isa, order, b)) {
                break;
            }
            let mut k = 0;
            while k < 2 * S::WIDTH {
                widen_8(isa, order, window, k, out, 2 * k);
                k += 16;
            }
            path!("units from UTF-16");
            (read, written) = (read + 2 * S::WIDTH, written + 4 * S::WIDTH);
        }
        let start = read;
        (read, written) = any_from_utf16(isa, order, src, dst, read, written);
        if read == start {
            break;
        }
    }
    // The last units of the BMP. The vectors overlap.
    let (end, single) = (src.len() & !1, isa.single());
    while read < end {
        let from = read.min(end - 16);
        let again = 2 * (read - from);
        if again > written || dst.len() - (written - again) < 32 {
            break;
        }
        if !single.is_zero(surrogates(single, order, single.load(src, from))) {
            break;
        }
        widen_8(isa, order, src, from, dst, written - again);
        path!("the last units from UTF-16");
        (read, written) = (from + 16, written - again + 32);
    }
    (read, written)
}

/// Converts blocks of any characters, up to one that is of the BMP only, or until one is ill-formed, or as many as there are and
/// fit.
#[inline(always)]
fn any_from_utf16<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> (usize, usize) {
    // Each low surrogate of a block belongs to a high one before it: for the first unit, it must be known.
    if is_low_at(order, src, read) {
        return (read, written);
    }
    while let Some(window) = src.part_at(read, S::WIDTH + 2)
        && let Some(out) = dst.part_at(written, 2 * S::WIDTH + SLACK)
    {
        let units = words_in_order(isa, order, isa.load(window, 0));
        let next = words_in_order(isa, order, isa.load(window, 2));
        let Some((a, b, keep)) = characters_of(isa, order, units, next) else { break };
        let len = 2 * keep.count_ones() as usize;
        isa.store_shuffled::<0, 2>(out, 0, a, b, &KEEP_WORDS, keep);
        path!("any units from UTF-16");
        (read, written) = (read + S::WIDTH, written + len);
        if keep == mask_of_words(S::WIDTH) {
            break;
        }
    }
    // The second half of a pair whose first half is in the last block.
    if is_low_at(order, src, read) {
        read += 2;
    }
    (read, written)
}

/// Converts the last units, 8 at a time, whatever characters they are, unless one is ill-formed or they do not fit. The last 8
/// may have been converted in part: these characters are dropped. Needs 8 units or more.
#[inline(always)]
fn last_from_utf16<L: Lanes>(
    isa: L,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    mut read: usize,
    mut written: usize,
) -> (usize, usize) {
    const NEXT: [u8; 16] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x80, 0x80];
    let src = &src[..src.len() & !1];
    while read < src.len() && !is_low_at(order, src, read) {
        let from = read.min(src.len() - 16);
        let units = words_in_order(isa, order, isa.load(src, from));
        let next = isa.shuffle(units, isa.lanes(NEXT));
        let Some((a, b, keep)) = characters_of(isa, order, units, next) else { break };
        let keep = keep & words_from(read - from);
        let Some(len) = put_words(isa, a, b, keep, &mut dst[written..]) else { break };
        path!("the last units, of any kind, from UTF-16");
        (read, written) = (from + 16, written + len);
    }
    (read, written)
}

/// The characters of units, as double words at the place of each, and a bit for each word that counts. `None` unless each high
/// surrogate is followed by a low one, and each low one, but for the first, follows a high one. `next` has the unit after
/// each.
#[inline(always)]
fn characters_of<S: Lanes>(isa: S, order: ByteOrder, units: S::V, next: S::V) -> Option<(S::V, S::V, u32)> {
    let high = matches(isa, ByteOrder::Little, units, 0xFC00, 0xD800);
    let low = matches(isa, ByteOrder::Little, units, 0xFC00, 0xDC00);
    if !isa.is_zero(high ^ matches(isa, ByteOrder::Little, next, 0xFC00, 0xDC00)) {
        return None;
    }
    let a = characters(isa, order, isa.zip_lo16(units, next), isa.zip_lo16(high, high));
    let b = characters(isa, order, isa.zip_hi16(units, next), isa.zip_hi16(high, high));
    let dropped = isa.bitmask(isa.narrow_i16(isa.zip_lo16(low, low), isa.zip_hi16(low, low))) as u32;
    Some((a, b, !dropped & mask_of_words(S::WIDTH)))
}

/// Whether the unit at `src[at..]` is a low surrogate.
#[inline(always)]
fn is_low_at(order: ByteOrder, src: &[u8], at: usize) -> bool {
    match src.chunk_at(at) {
        Some(unit) => order.unit(*unit) & 0xFC00 == 0xDC00,
        None => false,
    }
}

/// The characters of units, each with the next unit in its upper half, where `high` has all bits if it is a high surrogate.
#[inline(always)]
fn characters<S: Lanes>(isa: S, order: ByteOrder, both: S::V, high: S::V) -> S::V {
    in_order(isa, order, isa.select(high, of_pairs(isa, both), both & isa.splat32(0xFFFF)))
}
