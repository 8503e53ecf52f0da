//! UTF-16 to UTF-8, validated on the way: each code unit of a vector becomes 1, 2 or 3 bytes of 4, and a table shuffles
//! those of 4 units together.
//!
//! # The problem
//!
//! ```text
//! [0000|0000|0ccc|cccc]                         ->  [0ccc|cccc]
//! [0000|0bbb|bbcc|cccc]                         ->  [110b|bbbb] [10cc|cccc]
//! [aaaa|bbbb|bbcc|cccc]                         ->  [1110|aaaa] [10bb|bbbb] [10cc|cccc]
//! [1101|10vv|vvbb|bbcc] [1101|11cc|ccdd|dddd]   ->  [1111|0aaa] [10bb|bbbb] [10cc|cccc] [10dd|dddd]   aaabb = v + 1
//! ```
//!
//! The input is easy: a unit is 16 bits, and tells its length in UTF-8. It is hard to write 1 to 3 bytes for each,
//! without gaps, and without a branch on how many.
//!
//! # The idea
//!
//! Every unit becomes all of the 4 bytes that it could need: those of 3 bytes (`b0`, `b1`, `last`) and the lead
//! byte that it would have with 2 (`lead2`). The last byte of 2 and 3, and the only one of 1, share a place. Then a
//! table shuffles the needed ones together, for 4 units at a time. Its index is two bits for each unit.
//!
//! A half of a surrogate pair is 2 bytes by itself. The low one takes bits of the high one from memory, so that
//! pairs may lie across vectors and blocks. In the lane, a half looks like a character of 2 bytes, so the table
//! treats it as one.
//!
//! ```text
//! for each vector of units:
//!     b0, b1, last, lead2 = see below
//!     bits = 00 below U+0080: last
//!            01 below U+0800, and each half of a pair: lead2, last
//!            11 from U+0800 on: b0, b1, last
//!     for each 4 units: store 16 bytes shuffled by table[8 bits], and go on 4 + (ones in them) bytes further
//! stop before the block if a surrogate is unpaired
//! ```
//!
//! So the length of 4 units is 4 plus the number of ones in the index: nothing else is looked up.
//!
//! # A unit, step by step
//!
//! With words (the lower byte is the first in memory):
//!
//! ```text
//! unit                                          [aaaa|bbbb] [bbcc|cccc]
//! middle = unit << 2 & 3F00                     [00bb|bbbb] [0000|0000]
//! leads  = unit >> 12 | middle | 80E0           [10bb|bbbb] [1110|aaaa]      b1, b0
//! last   = min(unit, unit & 3F | 80)            [0000|0000] [10cc|cccc]      or ASCII, which is the lesser there
//! lasts  = last | middle | C000                 [110b|bbbb] [10cc|cccc]      lead2, last
//! bits   = bit 7 of `last`, and bit 15 of `unit + 7800`, which saturates     from U+0080, from U+0800 on
//! ```
//!
//! `lead2` uses `middle` as `b1` does; its upper bit of `b` is 0 below U+0800, so C0 and not 80 above it makes it
//! right. The halves of a pair replace `lasts`. `u` is the high one less D800 and 0040 more: that makes `aaabb` of `v`,
//! and `u` `[0000|0aaa] [bbbb|bbcc]`.
//!
//! ```text
//! high   = u & 0700 | u >> 2 & 3F | F080                           [1111|0aaa] [10bb|bbbb]
//! low    = unit << 2 & 0F00 | unit & 3F | before << 12 | 8080      [10cc|cccc] [10dd|dddd]   two c of the one before
//! ```
//!
//! # An example
//!
//! `né €😀!Ω` is 8 units, 16 bytes. The lane of each unit is `b0 b1 last lead2`; what is kept is in brackets:
//!
//! ```text
//! unit        006E         00E9         0020         20AC         D83D         DE00         0021         03A9
//! leads       81E0         83E0         80E0         82E2         A0ED         B8ED         80E0         8EE0
//! lasts       C16E         C3A9         C020         C2AC         F09F         9880         C021         CEA9
//! lane        E0 81[6E]C1  E0 83[A9 C3] E0 80[20]C0 [E2 82 AC]C2  ED A0[9F F0] ED B8[80 98] E0 80[21]C0  E0 8E[A9 CE]
//! bits        00           01           00           11           01           01           00           01
//! ```
//!
//! The first unit's bits are the lowest, so the indices are C4 and 45, of which 3 bits each are set: 7 bytes and 7.
//!
//! ```text
//! row C4      02 07 06 0A 0C 0D 0E     ->  6E C3 A9 20 E2 82 AC
//! row 45      03 02 07 06 0A 0F 0E     ->  F0 9F 98 80 21 CE A9
//! ```
//!
//! # Why it is right
//!
//! Lengths and bytes are those of RFC 3629 §3, unit by unit. A low surrogate must come exactly after a high one: the
//! units of each vector and those one unit before, loaded from memory, are compared. A high one at the end of a block
//! is not an error yet: its two bytes are taken back when a loop ends there. A loop without surrogates ends at the
//! first block that has one, before anything of that is written.
//!
//! The last store of a block writes up to 12 bytes more than the output: a loop ends where there is no room for that. Text
//! that is ill-formed, or does not fit, is left to `scalar`, which describes the error.
//!
//! # Loops
//!
//! Each kind of text has its loop: ASCII, up to 2 bytes, 3 bytes, any of these, and with surrogates. Up to 2 bytes the
//! lane is one word `[lead, last]`, and the table keeps one or two bytes of each of 8. The loops look at the kind of the
//! text only every few blocks: on mixed text a mispredicted branch costs more than a block does. Short texts, and the
//! last units of any text, have code without loops, in `ends`.
//!
//! # What it costs
//!
//! By count, for 16 units in 32 bytes with AVX2, little-endian (in big-endian text there is a shuffle more):
//!
//! | loop | operations | of these shuffles and interleavings | stores |
//! |---|---|---|---|
//! | ASCII | 3 | 1 | half a vector |
//! | up to 2 bytes | 12 | 2 | 2 of 16 bytes |
//! | up to 3 bytes | 23 | 4 | 4 of 16 bytes |
//! | with surrogates | 45 | 4 | 4 of 16 bytes |
//!
//! With three vector ports (Intel) the loop for up to 3 bytes takes about 8 cycles. Its only chain is the addition
//! that moves the output on: the places of the four stores come from four separate counts of bits.
//!
//! # Where it comes from
//!
//! Expanding each unit to all bytes that it could be, and compressing by a table, are in Daniel Lemire and Wojciech
//! Muła, *Transcoding billions of Unicode characters per second with SIMD instructions*, Software: Practice and
//! Experience 52 (2), 2022, doi:10.1002/spe.3036, arXiv:2109.10433. Here the lane has `lead2` in a place of its own, so
//! that no lane is selected by its length; `min` picks ASCII; the index has the length in it; and surrogates are
//! converted, too, which the paper leaves to scalar code.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
pub(super) mod ends;
#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/to_utf8.rs"]
mod proof;

use crate::endian::ByteOrder;
use crate::kernels::swap_utf16::swapped;
use crate::kernels::tables::{ONE_OR_TWO, ONE_TO_THREE};
use crate::kernels::validate_utf16::{ends_high, word};
use crate::output::Output;
use crate::parts::Parts;
use crate::report::Reached;
use crate::simd::{Lanes, SLACK, Simd};
use ends::BYTES_OF_16_UNITS;

/// Converts `src` up to about the first error or the end of `dst`.
#[inline(always)]
pub(crate) fn convert<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let src = &src[..src.len() & !1];
    let whole = if src.is_empty() {
        Some(0)
    } else if src.len() < BYTES_OF_4_UNITS {
        path!("up to 3 units");
        ends::up_to_3(order, src, dst)
    } else if src.len() < BYTES_OF_8_UNITS {
        path!("up to 7 units");
        ends::up_to_7(isa, order, src, dst)
    } else if src.len() < BYTES_OF_16_UNITS {
        path!("up to 15 units");
        ends::up_to_15(isa, order, src, dst)
    } else if src.len() <= BYTES_OF_32_UNITS
        && let Some(written) = ends::ascii_up_to_32(isa, order, src, 0, dst, 0)
    {
        path!("up to 32 units of ASCII");
        Some(written)
    } else {
        return isa.vectorize_with(
            src,
            dst,
            #[inline(always)]
            move |src, dst| from_16(isa, order, src, dst),
        );
    };
    match whole {
        Some(written) => Reached { read: src.len(), written },
        None => Reached::START,
    }
}

/// Bytes in 4, 8 and 32 units.
const BYTES_OF_4_UNITS: usize = BYTES_OF_16_UNITS / 4;
const BYTES_OF_8_UNITS: usize = BYTES_OF_16_UNITS / 2;
const BYTES_OF_32_UNITS: usize = 2 * BYTES_OF_16_UNITS;

/// Converts text of 16 units or more. If there are no more than 32, they are not all ASCII.
#[inline(always)]
fn from_16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let ahead = src.len().saturating_sub(BYTES_OF_32_UNITS);
    let rest = &src[..ahead.next_multiple_of(2 * S::WIDTH)];
    let (written, _) = for_each_order!(order, ascii_vectors(isa, order, rest, dst));
    let read = 2 * written;
    if read >= ahead {
        if read > 0
            && let Some(end) = ends::ascii_up_to_32(isa, order, src, read, dst, written)
        {
            return Reached { read: src.len(), written: end };
        }
        if !S::SMALL
            && let Some(end) = ends::up_to_32(isa, order, src, read, dst, written)
        {
            return Reached { read: src.len(), written: end };
        }
    }
    let mut cursor = Cursor { order, src, read, dst, written };
    if src.len() - read < SURVEYED_FROM {
        edge(isa, &mut cursor);
    } else {
        isa.vectorize(
            #[inline(always)]
            || long(isa, &mut cursor),
        );
    }
    Reached { read: cursor.read, written: cursor.written }
}

/// Converts any text, from the cursor on.
#[inline(always)]
fn long<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) {
    let mut next = survey(isa, cursor);
    loop {
        next = match next {
            Next::Ascii => isa.vectorize(
                #[inline(always)]
                || ascii_run(isa, cursor),
            ),
            Next::Two => isa.vectorize(
                #[inline(always)]
                || two_byte_run(isa, cursor),
            ),
            Next::Three => isa.vectorize(
                #[inline(always)]
                || {
                    let order = cursor.order;
                    for_each_order!(order, three_byte_run(isa, order, cursor))
                },
            ),
            Next::Mix => isa.vectorize(
                #[inline(always)]
                || mixed_run(isa, cursor),
            ),
            Next::Surrogates => isa.vectorize(
                #[inline(always)]
                || surrogate_run(isa, cursor),
            ),
            Next::Edge => edge(isa, cursor),
            Next::Stop => break,
        };
    }
}

/// What to do with the text at the cursor, by the ASCII before it, or by its first two vectors.
#[inline(always)]
fn survey<S: Lanes>(isa: S, cursor: &Cursor<'_>) -> Next {
    if cursor.written >= 4 * RUN {
        return Next::Ascii;
    }
    let two = load_two(isa, &cursor.src[cursor.read..]);
    let others = others(isa, cursor.order, two);
    if none_has(isa, two.0 | two.1, word(cursor.order, 0xF800)) {
        Next::Two
    } else if others >> others.trailing_zeros() < 1 << 8 {
        // They are close together: a character, or a short word.
        Next::Ascii
    } else {
        Next::Mix
    }
}

/// Inputs of fewer bytes are not worth a survey of the kind of text.
const SURVEYED_FROM: usize = 256;

/// How far the conversion has got: at a character boundary whenever one of the loops below ends.
struct Cursor<'a> {
    order: ByteOrder,
    src: &'a [u8],
    /// Bytes read.
    read: usize,
    dst: &'a mut Output,
    /// Bytes written.
    written: usize,
}

/// What to do next.
enum Next {
    /// What follows is ASCII.
    Ascii,
    /// … has only units below U+0800.
    Two,
    /// … has only units from U+0800 up, and no surrogates.
    Three,
    /// … has anything but surrogates.
    Mix,
    /// … has surrogates.
    Surrogates,
    /// Less than a block of input or of room is left.
    Edge,
    /// The input has ended or is ill-formed, or the next character does not fit.
    Stop,
}

/// Vectors per block.
const BLOCK_VECTORS: usize = 4;
/// Blocks between two surveys of what kind of text it is.
const PATIENCE: u32 = 4;
/// The loop for ASCII continues while there are this many units of it between other characters.
const RUN: usize = 32;
/// It ends after as many shorter runs in a row as there are ones.
const SHORT_RUNS: u32 = 0b11;

/// The words of code units in this byte order.
#[inline(always)]
fn units<S: Lanes>(isa: S, order: ByteOrder, raw: S::V) -> S::V {
    if order.is_big() { swapped(isa, raw) } else { raw }
}

/// [`units`] of two vectors.
#[inline(always)]
fn two_units<S: Lanes>(isa: S, order: ByteOrder, a: S::V, b: S::V) -> Two<S> {
    if order.is_big() { (swapped(isa, a), swapped(isa, b)) } else { (a, b) }
}

/// The bytes of a block in the longest vectors.
type BlockBuffer = [u8; BLOCK_VECTORS * 32];

/// `vectors` in little-endian order: themselves, or a copy in `buffer`. So loops test the order once for a block.
#[inline(always)]
fn little_endian<'a, S: Lanes>(
    isa: S,
    order: ByteOrder,
    vectors: &'a [u8],
    buffer: &'a mut BlockBuffer,
) -> &'a [u8] {
    if !order.is_big() {
        return vectors;
    }
    let mut k = 0;
    while k < vectors.len() {
        isa.overwrite(buffer, k, swapped(isa, isa.load(vectors, k)));
        k += S::WIDTH;
    }
    &buffer[..vectors.len()]
}

/// Whether no word has any of these bits.
#[inline(always)]
pub(super) fn none_has<S: Lanes>(isa: S, words: S::V, bits: u16) -> bool {
    isa.is_zero(words & isa.splat16(bits))
}

/// Whether any word is at most `max`.
#[inline(always)]
fn any_at_most<S: Lanes>(isa: S, words: S::V, max: u16) -> bool {
    !isa.is_zero(isa.eq16(isa.min_u16(words, isa.splat16(max)), words))
}

/// Whether any word is a surrogate.
#[inline(always)]
pub(super) fn any_surrogates<S: Lanes>(isa: S, [a, b]: [S::V; 2]) -> bool {
    let d800 = isa.splat16(0xD800);
    any_at_most(isa, isa.min_u16(a ^ d800, b ^ d800), 0x7FF)
}

/// Two vectors of units.
pub(super) type Two<S> = (<S as Simd>::V, <S as Simd>::V);

/// Loads `2 * WIDTH` bytes, with lanes alternating between the two vectors, as narrowing puts them together again.
#[inline(always)]
pub(super) fn load_two<S: Lanes>(isa: S, window: &[u8]) -> Two<S> {
    (isa.load_lanes(window, 0, 32), isa.load_lanes(window, 16, 32))
}

/// Bits that an ASCII code unit leaves clear, in text of this byte order.
const fn not_ascii(order: ByteOrder) -> u16 {
    word(order, 0xFF80)
}

/// The ASCII bytes of [`load_two`].
#[inline(always)]
pub(super) fn narrow<S: Lanes>(isa: S, order: ByteOrder, (a, b): Two<S>) -> S::V {
    if order.is_big() { isa.narrow_u16(isa.shr16::<8>(a), isa.shr16::<8>(b)) } else { isa.narrow_u16(a, b) }
}

/// A bit for each unit of [`load_two`] that is not ASCII.
#[inline(always)]
fn others<S: Lanes>(isa: S, order: ByteOrder, (a, b): Two<S>) -> u64 {
    let (a, b) = two_units(isa, order, a, b);
    // Units from U+0080 up saturate into bit 15.
    let from_80 = isa.splat16(0x7F80);
    isa.bitmask(isa.narrow_i16(isa.adds_u16(a, from_80), isa.adds_u16(b, from_80)))
}

/// Converts ASCII, `WIDTH` units at a time, and occasional other characters, each with the 16 units that begin with it.
#[inline(always)]
fn ascii_run<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { order, src, mut read, ref mut dst, mut written } = *cursor;
    // Bit 0 says whether the last run of ASCII was short, bit 1 the one before. A branch instead would often be mispredicted.
    let mut short_runs = 0u32;
    let next = loop {
        let (rest, room) = (&src[read..], &mut dst[written..]);
        let (run, two) = for_each_order!(order, ascii_vectors(isa, order, rest, room));
        (read, written) = (read + 2 * run, written + run);
        let Some(two) = two else { break Next::Edge };
        short_runs = short_runs << 1 | u32::from(run < RUN);
        if short_runs & SHORT_RUNS == SHORT_RUNS {
            break if none_has(isa, two.0 | two.1, word(order, 0xF800)) { Next::Two } else { Next::Mix };
        }
        // What this stores after the first other character is overwritten.
        isa.store(dst, written, narrow(isa, order, two));
        let count = others(isa, order, two).trailing_zeros() as usize;
        (read, written) = (read + 2 * count, written + count);
        let Some(step) = step(isa, order, src, read, dst, written) else { break Next::Edge };
        path!("others among ASCII");
        (read, written) = step;
    };
    (cursor.read, cursor.written) = (read, written);
    next
}

/// Converts two vectors at a time while they are ASCII. Returns the number of units converted, and the first two
/// vectors that are not ASCII, unless the end of the input or of the output came first.
#[inline(always)]
fn ascii_vectors<S: Lanes>(
    isa: S,
    order: ByteOrder,
    mut src: &[u8],
    mut dst: &mut Output,
) -> (usize, Option<Two<S>>) {
    let (bytes, room) = (2 * S::WIDTH, dst.len());
    let stop = loop {
        let (Some(window), Some(out)) = (src.get(..bytes), dst.get_mut(..S::WIDTH)) else { break None };
        let two = load_two(isa, window);
        if !none_has(isa, two.0 | two.1, not_ascii(order)) {
            break Some(two);
        }
        isa.store(out, 0, narrow(isa, order, two));
        path!("ASCII");
        (src, dst) = (&src[bytes..], &mut dst[S::WIDTH..]);
    };
    (room - dst.len(), stop)
}

/// Units below U+0800 as words `[lead, last]`, and those below U+0080 as `[_, last]` with bit 15 clear.
#[inline(always)]
fn one_or_two_bytes<S: Lanes>(isa: S, units: S::V) -> S::V {
    isa.shr16::<6>(units) | isa.shl16::<8>(last_byte(isa, units)) | isa.splat16(0xC0)
}

/// The last byte of each unit's UTF-8, except for surrogates: `10xxxxxx`, or the unit itself if it is ASCII, which is
/// the only case where it is the lesser of the two.
#[inline(always)]
fn last_byte<S: Lanes>(isa: S, units: S::V) -> S::V {
    isa.min_u16(units, units & isa.splat16(0x3F) | isa.splat16(0x80))
}

/// Writes two vectors of units below U+0800, as [`load_two`] loads them, to the start of `dst`. Returns the length, or `None`
/// if there is not enough room for whole stores.
#[cfg(feature = "utf32")]
#[inline(always)]
pub(super) fn store_up_to_two<S: Lanes>(isa: S, [a, b]: [S::V; 2], dst: &mut Output) -> Option<usize> {
    let (a, b) = (one_or_two_bytes(isa, a), one_or_two_bytes(isa, b));
    let two = isa.bitmask(isa.narrow_i16(a, b)) as u32;
    let len = S::WIDTH + two.count_ones() as usize;
    isa.store_shuffled::<8, 1>(dst.get_mut(..len + SLACK)?, 0, a, b, &ONE_OR_TWO, two);
    Some(len)
}

/// Converts units below U+0800, a block at a time.
#[inline(always)]
fn two_byte_run<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { order, src, mut read, ref mut dst, mut written } = *cursor;
    let mut any = 0;
    let mut patience = PATIENCE;
    let next = loop {
        let Some(window) = src.part_at(read, BLOCK_VECTORS * S::WIDTH) else { break Next::Edge };
        let (a, b) = load_two(isa, window);
        let (c, d) = load_two(isa, &window[2 * S::WIDTH..]);
        let (a, b, c, d) = match order {
            ByteOrder::Little => (a, b, c, d),
            ByteOrder::Big => (swapped(isa, a), swapped(isa, b), swapped(isa, c), swapped(isa, d)),
        };
        if !none_has(isa, (a | b) | (c | d), 0xF800) {
            break Next::Mix;
        }
        let (a, b) = (one_or_two_bytes(isa, a), one_or_two_bytes(isa, b));
        let (c, d) = (one_or_two_bytes(isa, c), one_or_two_bytes(isa, d));
        // A bit for each unit that becomes two bytes.
        let two = isa.bitmask_of_two(isa.narrow_i16(a, b), isa.narrow_i16(c, d));
        let len = 2 * S::WIDTH + two.count_ones() as usize;
        let Some(out) = dst.part_at(written, len + SLACK) else { break Next::Edge };
        isa.store_one_or_two(out, [a, b, c, d], &ONE_OR_TWO, two);
        path!("up to 2 bytes");
        (read, written) = (read + BLOCK_VECTORS * S::WIDTH, written + len);
        any |= two;
        patience -= 1;
        if patience == 0 {
            if any == 0 {
                break Next::Ascii;
            }
            (any, patience) = (0, PATIENCE);
        }
    };
    (cursor.read, cursor.written) = (read, written);
    next
}

/// A vector of units being converted to 1 to 3 bytes each.
pub(super) struct UnitBytes<V> {
    /// `[b0, b1]` of 3 bytes.
    leads: V,
    /// `[last, lead of 2]`.
    lasts: V,
    /// Two bits per unit: whether it is from U+0080 up, and from U+0800 up.
    lengths: u32,
}

/// The bytes of units that are no surrogates.
#[inline(always)]
pub(super) fn one_to_three_bytes<S: Lanes>(isa: S, units: S::V) -> UnitBytes<S::V> {
    // 1110aaaa 10bbbbbb 10cccccc, or 110bbbbb 10cccccc with the same b: its tag makes up for the other.
    let middle = isa.shl16::<2>(units) & isa.splat16(0x3F00);
    let leads = isa.shr16::<12>(units) | isa.splat16(0x80E0) | middle;
    let last = last_byte(isa, units);
    // Bit 7 of the last byte is clear for ASCII; units from U+0800 up saturate into bit 15.
    let from_800 = isa.adds_u16(units, isa.splat16(0x7800)) & isa.splat16(0x8000);
    let lengths = isa.bitmask(last | from_800) as u32;
    UnitBytes { leads, lasts: last | isa.splat16(0xC000) | middle, lengths }
}

impl<V: Copy> UnitBytes<V> {
    #[inline(always)]
    pub(super) fn len<S: Lanes>(&self) -> usize {
        S::WIDTH / 2 + self.lengths.count_ones() as usize
    }

    #[inline(always)]
    pub(super) fn store<S: Lanes<V = V>>(&self, isa: S, out: &mut Output, at: usize) -> usize {
        let (a, b) = (isa.zip_lo16(self.leads, self.lasts), isa.zip_hi16(self.leads, self.lasts));
        isa.store_shuffled::<4, 1>(out, at, a, b, &ONE_TO_THREE, self.lengths)
    }
}

/// Converts anything but surrogates, a block at a time.
#[inline(always)]
fn mixed_run<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { order, src, mut read, ref mut dst, mut written } = *cursor;
    let mut buffer: BlockBuffer = [0; _];
    let mut any = 0;
    let mut patience = PATIENCE;
    let next = loop {
        let (Some(window), Some(out)) =
            (src.part_at(read, BLOCK_VECTORS * S::WIDTH), dst.part_at(written, max_len::<S>() + SLACK))
        else {
            break Next::Edge;
        };
        let window = little_endian(isa, order, window, &mut buffer);
        if block_has_surrogates(isa, window) {
            break Next::Surrogates;
        }
        // Loads the vectors again, one at a time, which leaves registers for the constants.
        let a = load_and_encode(isa, window, 0);
        let mut len = a.store(isa, out, 0);
        let b = load_and_encode(isa, window, S::WIDTH);
        len += b.store(isa, out, len);
        let c = load_and_encode(isa, window, 2 * S::WIDTH);
        let d = load_and_encode(isa, window, 3 * S::WIDTH);
        // The stores before these two do not reach the end.
        let end = len + c.len::<S>() + d.len::<S>();
        len += c.store(isa, out, len);
        d.store(isa, out, len);
        path!("up to 3 bytes");
        let len = end;
        any |= a.lengths | b.lengths | c.lengths | d.lengths;
        (read, written) = (read + BLOCK_VECTORS * S::WIDTH, written + len);
        patience -= 1;
        if patience == 0 {
            if any & 0xAAAA_AAAA == 0 {
                break if any == 0 { Next::Ascii } else { Next::Two };
            }
            (any, patience) = (0, PATIENCE);
        }
        if len == max_len::<S>() {
            break Next::Three;
        }
    };
    (cursor.read, cursor.written) = (read, written);
    next
}

/// Encodes the vector of units at `src[at..]`, which are no surrogates.
#[inline(always)]
fn load_and_encode<S: Lanes>(isa: S, src: &[u8], at: usize) -> UnitBytes<S::V> {
    one_to_three_bytes(isa, isa.load(src, at))
}

/// The maximum length of a block's output, if all units have 3 bytes.
#[inline(always)]
const fn max_len<S: Lanes>() -> usize {
    BLOCK_VECTORS * S::WIDTH / 2 * 3
}

#[inline(always)]
fn block_has_surrogates<S: Lanes>(isa: S, window: &[u8]) -> bool {
    let mut min = isa.splat16(u16::MAX);
    let mut k = 0;
    while k < BLOCK_VECTORS {
        let distance = isa.load(window, k * S::WIDTH) ^ isa.splat16(0xD800);
        min = isa.min_u16(min, distance);
        k += 1;
    }
    any_at_most(isa, min, 0x7FF)
}

/// Converts units from U+0800 up, without surrogates, two vectors at a time.
#[inline(always)]
fn three_byte_run<S: Lanes>(isa: S, order: ByteOrder, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { src, mut read, ref mut dst, mut written, .. } = *cursor;
    let bytes = 2 * S::WIDTH;
    let next = loop {
        let len = bytes / 2 * 3;
        let (Some(window), Some(out)) = (src.part_at(read, bytes), dst.part_at(written, len + SLACK)) else {
            break Next::Edge;
        };
        let (a, b) = two_units(isa, order, isa.load(window, 0), isa.load(window, S::WIDTH));
        if !are_three_bytes(isa, [a, b]) {
            break Next::Mix;
        }
        store_three(isa, [one_to_three_bytes(isa, a), one_to_three_bytes(isa, b)], out);
        path!("3 bytes only");
        (read, written) = (read + bytes, written + len);
    };
    (cursor.read, cursor.written) = (read, written);
    next
}

/// Whether all units are from U+0800 up, and none is a surrogate.
#[inline(always)]
pub(super) fn are_three_bytes<S: Lanes>(isa: S, [a, b]: [S::V; 2]) -> bool {
    let d800 = isa.splat16(0xD800);
    let min = isa.min_u16(isa.min_u16(a, a ^ d800), isa.min_u16(b, b ^ d800));
    !any_at_most(isa, min, 0x7FF)
}

/// Writes two vectors of units that have 3 bytes each to the start of `out`.
#[inline(always)]
pub(super) fn store_three<S: Lanes>(isa: S, [a, b]: [UnitBytes<S::V>; 2], out: &mut Output) {
    // All lengths are known here, and so are the places of all stores and the one row of the table.
    let lengths = ((1u64 << S::WIDTH) - 1) as u32;
    UnitBytes { lengths, ..a }.store(isa, out, 0);
    UnitBytes { lengths, ..b }.store(isa, out, S::WIDTH / 2 * 3);
}

/// [`one_to_three_bytes`] for text with surrogates, each of which has 2 bytes, given the units before. Returns `None`
/// if one is unpaired, except for a high one at the end.
#[inline(always)]
fn one_to_four_bytes<S: Lanes>(isa: S, units: S::V, before: S::V) -> Option<UnitBytes<S::V>> {
    let tag = isa.splat16(0xFC00);
    let (high, low) = (isa.eq16(units & tag, isa.splat16(0xD800)), isa.eq16(units & tag, isa.splat16(0xDC00)));
    if !isa.is_zero(low ^ isa.eq16(before & tag, isa.splat16(0xD800))) {
        return None;
    }
    let bytes = one_to_three_bytes(isa, units);
    // The value above the low surrogate's 10 bits, aaabbbbbbcc of 11110aaa 10bbbbbb 10cc.... 10......: the high
    // surrogate makes the first two bytes …
    let upper = isa.add16(units, isa.splat16(0x40u16.wrapping_sub(0xD800)));
    let of_high = upper & isa.splat16(0x0700) | isa.shr16::<2>(upper) & isa.splat16(0x003F) | isa.splat16(0xF080);
    // … and the low one the last two, with `cc` from the unit before.
    let of_low = (units & isa.splat16(0x003F) | isa.shl16::<2>(units) & isa.splat16(0x0F00))
        | (isa.shl16::<12>(before) & isa.splat16(0x3000) | isa.splat16(0x8080));
    let lasts = isa.select(low, of_low, isa.select(high, of_high, bytes.lasts));
    // Two bytes set the first of the two bits.
    let surrogates = isa.bitmask(high | low) as u32;
    let lengths = (bytes.lengths | surrogates & 0x5555_5555) & !(surrogates & 0xAAAA_AAAA);
    Some(UnitBytes { leads: bytes.leads, lasts, lengths })
}

/// Converts anything with surrogates, a block at a time.
#[inline(always)]
fn surrogate_run<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { order, src, mut read, ref mut dst, mut written } = *cursor;
    let (mut buffer, mut before_buffer): (BlockBuffer, BlockBuffer) = ([0; _], [0; _]);
    let mut high_at_end = false;
    let mut patience = PATIENCE;
    let mut start = written;
    let next = loop {
        let Some(window) = src.part_at(read, BLOCK_VECTORS * S::WIDTH) else { break Next::Edge };
        let [mut block, mut before_it] = [[isa.splat8(0); BLOCK_VECTORS]; 2];
        let units = little_endian(isa, order, window, &mut buffer);
        // Not loaded from `buffer`: a load that spans two stores waits for both.
        let before_units = &window[S::WIDTH - 2..window.len() - 2];
        let before_units = little_endian(isa, order, before_units, &mut before_buffer);
        (block[0], before_it[0]) = (isa.load(units, 0), before(isa, order, src, read));
        let mut k = 1;
        while k < BLOCK_VECTORS {
            block[k] = isa.load(units, k * S::WIDTH);
            before_it[k] = isa.load(before_units, (k - 1) * S::WIDTH);
            k += 1;
        }
        let (Some(a), Some(b), Some(c), Some(d)) = (
            one_to_four_bytes(isa, block[0], before_it[0]),
            one_to_four_bytes(isa, block[1], before_it[1]),
            one_to_four_bytes(isa, block[2], before_it[2]),
            one_to_four_bytes(isa, block[3], before_it[3]),
        ) else {
            break Next::Stop;
        };
        let len = a.len::<S>() + b.len::<S>() + c.len::<S>() + d.len::<S>();
        let Some(out) = dst.part_at(written, len + SLACK) else { break Next::Edge };
        let mut at = a.store(isa, out, 0);
        at += b.store(isa, out, at);
        at += c.store(isa, out, at);
        d.store(isa, out, at);
        path!("up to 4 bytes");
        (read, written) = (read + BLOCK_VECTORS * S::WIDTH, written + len);
        high_at_end = ends_high(order, window);
        patience -= 1;
        if patience == 0 {
            if is_sparse::<S>(written - start) {
                break Next::Ascii;
            }
            if !block_has_surrogates(isa, units) {
                break Next::Mix;
            }
            (patience, start) = (PATIENCE, written);
        }
    };
    let taken_back = if high_at_end { 2 } else { 0 };
    (cursor.read, cursor.written) = (read - taken_back, written - taken_back);
    next
}

/// For a vector at `src[at..]`, the unit before each of its units.
#[inline(always)]
fn before<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], at: usize) -> S::V {
    match at.checked_sub(2) {
        Some(start) => units(isa, order, isa.load(src, start)),
        None => isa.prev::<2>(units(isa, order, isa.load(src, 0)), isa.splat8(0)),
    }
}

/// Whether `PATIENCE` blocks whose output has this length are nearly all ASCII.
#[inline(always)]
const fn is_sparse<S: Lanes>(len: usize) -> bool {
    let units = PATIENCE as usize * BLOCK_VECTORS * S::WIDTH / 2;
    len <= units + units / 16
}

/// Converts the 16 units at `src[read..]`, of any kind, or 15 if the last one is the first half of a pair. Returns
/// how far it got, or `None` if the units are ill-formed or do not fit.
#[inline(always)]
fn step<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    read: usize,
    dst: &mut Output,
    written: usize,
) -> Option<(usize, usize)> {
    let window = src.part_at(read, BYTES_OF_16_UNITS)?;
    let (first, second) =
        two_units(isa, order, isa.load(window, 0), isa.load(window, BYTES_OF_16_UNITS - S::WIDTH));
    let (first, second, taken_back) = if any_surrogates(isa, [first, second]) {
        let before = isa.prev::<2>(first, isa.splat8(0));
        let before_second = if S::WIDTH < BYTES_OF_16_UNITS { isa.prev::<2>(second, first) } else { before };
        let taken_back = if ends_high(order, window) { 2 } else { 0 };
        (one_to_four_bytes(isa, first, before)?, one_to_four_bytes(isa, second, before_second)?, taken_back)
    } else {
        // A constant here, due to the branch, so that the next step need not wait.
        (one_to_three_bytes(isa, first), one_to_three_bytes(isa, second), 0)
    };
    let mut len = first.len::<S>();
    if S::WIDTH < BYTES_OF_16_UNITS {
        len += second.len::<S>();
    }
    let out = dst.part_at(written, len + SLACK)?;
    let at = first.store(isa, out, 0);
    if S::WIDTH < BYTES_OF_16_UNITS {
        second.store(isa, out, at);
    }
    Some((read + BYTES_OF_16_UNITS - taken_back, written + len - taken_back))
}

/// Converts 16 units at a time, of any kind, and then the last ones.
#[inline(always)]
fn edge<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    // Here and not in the callers, because each call of `vectorize` compiles a function.
    isa.vectorize(
        #[inline(always)]
        || by_16(isa, cursor),
    );
    Next::Stop
}

#[inline(always)]
fn by_16<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) {
    let Cursor { order, src, mut read, ref mut dst, mut written } = *cursor;
    while src.len() - read > BYTES_OF_32_UNITS {
        let Some(step) = step(isa, order, src, read, dst, written) else { break };
        (read, written) = step;
    }
    if src.len() - read <= BYTES_OF_32_UNITS
        && let Some(end) = ends::up_to_32(isa, order, src, read, dst, written)
    {
        path!("the end of a long text");
        (cursor.read, cursor.written) = (src.len(), end);
        return;
    }
    (cursor.read, cursor.written) = (read, written);
}
