//! Latin-1 (ISO 8859-1) to UTF-8 and back, and to UTF-16 and back.
//!
//! # The problem
//!
//! ```text
//! Latin-1            UTF-8                        UTF-16
//! [0ccc|cccc]        [0ccc|cccc]                  [0000|0000|0ccc|cccc]
//! [10cc|cccc]        [1100|0010] [10cc|cccc]      [0000|0000|10cc|cccc]
//! [11cc|cccc]        [1100|0011] [10cc|cccc]      [0000|0000|11cc|cccc]
//! ```
//!
//! A byte of Latin-1 is the number of its character. In UTF-16 it is the lower byte of a code unit whose upper byte is 0.
//! In UTF-8 it is one byte or two, and of two the first is C2 or C3.
//!
//! # To UTF-8
//!
//! Every byte becomes a word, `[lead, last]`, and the same table as from UTF-16 keeps one or two bytes of each, 8 words at
//! a time. The index is bit 7 of 8 bytes of the input.
//!
//! ```text
//! lead = byte >> 6 & 03 | C0                  C2 or C3
//! last = min(byte, byte & 3F | 80)            [10cc|cccc], or ASCII, which is the lesser there
//! ```
//!
//! # From UTF-8
//!
//! The other way round a byte is dropped: the lead. So a table keeps the bytes of 8 that a bit mask names (`KEEP_BYTES`).
//!
//! ```text
//! for each vector of the block:
//!     wrong |= byte is a continuation ^ byte before is C0 or above
//!     least = min(least, byte before, if it is C0 or above), as signed bytes        C0 and C1 are the least
//!     most  = max(most, byte)
//!     latin1 = byte | 40 where the byte before is C3
//!     keep  = byte is below C0                                                     a number, 1 bit for each byte
//! stop before the block if anything is wrong, or least is C0 or C1, or most is C4 or above
//! ```
//!
//! `10cc|cccc` with bit 6 set is `11cc|cccc`: that is all there is to decoding. `café Ñ`:
//!
//! ```text
//! UTF-8        63 61 66 C3 A9 20 C3 91
//! latin1       63 61 66 C3 E9 20 C3 D1
//! keep          1  1  1  .  1  1  .  1
//! Latin-1      63 61 66 E9 20 D1
//! ```
//!
//! # Why it is right
//!
//! A lead byte at the end of a block is looked at again as the byte before the next one. So all of a block is right but,
//! perhaps, a lead byte at its end, of which nothing has been written. If the conversion stops there, it has read one byte
//! less. Text that is not in Latin-1, or does not fit, is left to `scalar`, which describes the error.
//!
//! The last store of a block writes more than the output, where there is room. The last bytes of a text are converted
//! 16 at a time, in registers, and no more than the output is written. They may start with bytes that have been
//! converted before, and become the same again in the same place.
//!
//! # Loops
//!
//! ASCII, any text, and text without ASCII each have a loop. The loop for any text looks for a better one only every few
//! blocks, and stores what is ASCII in a block as it is: with one character in a hundred that is not, the branches that are
//! mispredicted cost less than the shuffles they save.
//!
//! # What it costs
//!
//! By count, for 32 bytes with AVX2: to UTF-8 10 operations, 2 of which interleave, and 4 shuffles and stores for the output.
//! From UTF-8 13 operations, and the same for the output. To and from UTF-16 one shuffle for each vector.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
mod utf16;

use crate::endian::ByteOrder;
use crate::kernels::tables::{KEEP_BYTES, ONE_OR_TWO};
use crate::kernels::utf8_to_utf16::units::{from, overlong_2};
use crate::kernels::utf16_to_utf8::ends::{before_end, store_up_to_15};
use crate::kernels::utf16_to_utf8::{load_two, narrow, none_has};
use crate::output::Output;
use crate::parts::Parts;
use crate::report::Reached;
use crate::simd::{Lanes, SLACK, Simd};

pub(crate) use utf16::{from_utf16, prefix_of_utf16, to_utf16};

/// Vectors per block.
const BLOCK_VECTORS: usize = 4;
/// Blocks between two decisions on which loop comes next.
const PATIENCE: usize = 4;
/// Shorter texts are faster in plain Rust.
const LEAST: usize = 4;
/// Bytes of UTF-8 that are converted at a time near the end.
const EDGE: usize = 32;
/// Bytes that are converted at a time where nothing may be written but the result.
const CHUNK: usize = 16;

/// Where a conversion is.
struct Cursor<'a> {
    src: &'a [u8],
    /// Bytes read.
    read: usize,
    dst: &'a mut Output,
    /// Bytes written.
    written: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    fn new(src: &'a [u8], dst: &'a mut Output) -> Self {
        Self { src, read: 0, dst, written: 0 }
    }

    /// The next `len` bytes of text, and all of the room.
    #[inline(always)]
    fn next(&mut self, len: usize) -> Option<(&'a [u8], &mut Output)> {
        let window = self.src.part_at(self.read, len)?;
        Some((window, &mut self.dst[self.written..]))
    }
}

/// What to do next.
enum Next {
    Ascii,
    Mixed,
    NoAscii,
    /// Less than a block of text or of room is left, or the next block cannot be converted.
    Edge,
}

/// Copies ASCII of 16 to 64 bytes, if it is ASCII and fits. The loads overlap.
#[inline(always)]
fn copy_ascii_up_to_64<S: Lanes>(isa: S, src: &[u8], dst: &mut Output) -> bool {
    let isa = isa.single();
    let last = src.len() - 16;
    let any =
        (isa.load(src, 0) | isa.load(src, last.min(16))) | (isa.load(src, last.min(32)) | isa.load(src, last));
    if isa.any_high_bit(any) || dst.len() < src.len() {
        return false;
    }
    path!("up to 64 bytes of ASCII");
    dst[..src.len()].copy_short(src);
    true
}

/// Four vectors.
#[inline(always)]
fn load_block<S: Lanes>(isa: S, window: &[u8]) -> [S::V; BLOCK_VECTORS] {
    [
        isa.load(window, 0),
        isa.load(window, S::WIDTH),
        isa.load(window, 2 * S::WIDTH),
        isa.load(window, 3 * S::WIDTH),
    ]
}

/// Stores four vectors.
#[inline(always)]
fn store_block<S: Lanes>(isa: S, out: &mut Output, [a, b, c, d]: [S::V; BLOCK_VECTORS]) {
    isa.store(out, 0, a);
    isa.store(out, S::WIDTH, b);
    isa.store(out, 2 * S::WIDTH, c);
    isa.store(out, 3 * S::WIDTH, d);
}

/// Copies whole blocks of ASCII.
#[inline(always)]
fn ascii_run<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let len = BLOCK_VECTORS * S::WIDTH;
    while let Some((window, out)) = cursor.next(len)
        && let Some(out) = out.get_mut(..len)
    {
        let [a, b, c, d] = load_block(isa, window);
        if isa.any_high_bit((a | b) | (c | d)) {
            return Next::Mixed;
        }
        store_block(isa, out, [a, b, c, d]);
        path!("ASCII");
        (cursor.read, cursor.written) = (cursor.read + len, cursor.written + len);
    }
    Next::Edge
}

/// Each byte as a word `[lead, last]`: 8 words per lane, as `zip_lo8` and `zip_hi8` leave them.
#[inline(always)]
fn pairs<S: Lanes>(isa: S, bytes: S::V) -> (S::V, S::V) {
    let leads = isa.shr16::<6>(bytes) & isa.splat8(0b11) | isa.splat8(0b1100_0000);
    let lasts = isa.min_u8(bytes, bytes & isa.splat8(0b0011_1111) | isa.splat8(0b1000_0000));
    (isa.zip_lo8(leads, lasts), isa.zip_hi8(leads, lasts))
}

/// Converts Latin-1 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Lanes>(isa: S, src: &[u8], dst: &mut Output) -> Reached {
    let single = isa.single();
    if src.len() < LEAST {
        few_to_utf8(src, dst)
    } else if src.len() <= CHUNK {
        match put_utf8(single, single.load_padded(src), src.len(), dst) {
            Some(written) => Reached { read: src.len(), written },
            None => Reached::START,
        }
    } else if src.len() <= 64 && copy_ascii_up_to_64(isa, src, dst) {
        Reached { read: src.len(), written: src.len() }
    } else {
        isa.vectorize_with(
            src,
            dst,
            #[inline(always)]
            move |src, dst| long_to_utf8(isa, src, dst),
        )
    }
}

/// Converts a few bytes, as far as they fit. Returns the number of bytes read and written.
#[inline(always)]
fn few_to_utf8(src: &[u8], dst: &mut Output) -> Reached {
    let mut written = 0;
    let mut read = 0;
    while read < src.len() {
        let (byte, rest) = (src[read], &mut dst[written..]);
        let pair = [0b1100_0000 | byte >> 6, 0b1000_0000 | byte & 0b0011_1111];
        let Some(len) = (if byte < 0x80 { rest.put(&[byte]) } else { rest.put(&pair) }) else { break };
        (read, written) = (read + 1, written + len);
    }
    Reached { read, written }
}

/// Writes the first `count` bytes (4 to 16) of `bytes` in UTF-8, and nothing else, if they fit. The others must be zeros.
#[inline(always)]
fn put_utf8<L: Lanes>(isa: L, bytes: L::V, count: usize, dst: &mut Output) -> Option<usize> {
    let two = isa.bitmask(bytes) as u32;
    if two == 0 {
        let out = dst.get_mut(..count)?;
        out.copy_short(&isa.number(bytes).to_le_bytes()[..count]);
        path!("up to 16 bytes of ASCII");
        return Some(count);
    }
    let (a, b) = pairs(isa, bytes);
    let row = |index: u32| isa.load(&ONE_OR_TWO.0[(index & 0xFF) as usize], 0);
    let (a, b) = (isa.shuffle(a, row(two)), isa.shuffle(b, row(two >> 8)));
    let len = count + two.count_ones() as usize;
    let len_b = count.saturating_sub(8) + (two >> 8).count_ones() as usize;
    let out = dst.get_mut(..len)?;
    let last = before_end(isa, a, len) | before_end(isa, b, len_b);
    if len >= 16 {
        isa.store(out, 0, a);
        isa.store(out, len - 16, last);
    } else {
        store_up_to_15(isa, out, last);
    }
    path!("up to 16 bytes");
    Some(len)
}

/// [`to_utf8`] for more than 16 bytes.
#[inline(always)]
fn long_to_utf8<S: Lanes>(isa: S, src: &[u8], dst: &mut Output) -> Reached {
    let mut cursor = Cursor::new(src, dst);
    let mut next = Next::Ascii;
    loop {
        next = match next {
            Next::Ascii => ascii_run(isa, &mut cursor),
            Next::Mixed => mixed_to_utf8(isa, &mut cursor),
            Next::NoAscii => no_ascii_to_utf8(isa, &mut cursor),
            Next::Edge => break,
        };
    }
    // Vectors, while there is room for whole stores.
    while let Some((window, out)) = cursor.next(S::WIDTH) {
        let bytes = isa.load(window, 0);
        let two = isa.bitmask(bytes) as u32;
        let len = S::WIDTH + two.count_ones() as usize;
        let Some(out) = out.get_mut(..len + SLACK) else { break };
        let (a, b) = pairs(isa, bytes);
        isa.store_shuffled::<8, 1>(out, 0, a, b, &ONE_OR_TWO, two);
        path!("a vector");
        (cursor.read, cursor.written) = (cursor.read + S::WIDTH, cursor.written + len);
    }
    let Cursor { mut read, dst, mut written, .. } = cursor;
    let single = isa.single();
    while read < src.len() {
        // The last one may start with bytes that have been converted.
        let at = read.min(src.len() - CHUNK);
        let bytes = single.load(src, at);
        let again = read - at;
        let start = written - again - (single.bitmask(bytes) & ((1 << again) - 1)).count_ones() as usize;
        let Some(len) = put_utf8(single, bytes, CHUNK, &mut dst[start..]) else { break };
        (read, written) = (at + CHUNK, start + len);
    }
    Reached { read, written }
}

/// Converts some blocks of any text.
#[inline(always)]
fn mixed_to_utf8<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let len = BLOCK_VECTORS * S::WIDTH;
    let (mut any, mut all) = (0, u64::MAX);
    for _ in 0..PATIENCE {
        let Some((window, out)) = cursor.next(len) else { return Next::Edge };
        let [a, b, c, d] = load_block(isa, window);
        let (first, second) = (isa.bitmask_of_two(a, b), isa.bitmask_of_two(c, d));
        let half = 2 * S::WIDTH + first.count_ones() as usize;
        let end = half + 2 * S::WIDTH + second.count_ones() as usize;
        let Some(out) = out.get_mut(..end + SLACK) else { return Next::Edge };
        store_two_in_utf8(isa, out, (a, b), first);
        // Loaded again: there are few registers.
        let [_, _, c, d] = load_block(isa, window);
        store_two_in_utf8(isa, &mut out[half..], (c, d), second);
        path!("block");
        (cursor.read, cursor.written) = (cursor.read + len, cursor.written + end);
        (any, all) = (any | first | second, all & first & second);
    }
    match (any, all | !low_bits(2 * S::WIDTH)) {
        (0, _) => Next::Ascii,
        (_, u64::MAX) => Next::NoAscii,
        _ => Next::Mixed,
    }
}

/// Writes two vectors in UTF-8, with a bit of `two` for each byte that becomes two. Needs [`SLACK`] after the output.
#[inline(always)]
fn store_two_in_utf8<S: Lanes>(isa: S, out: &mut Output, (a, b): (S::V, S::V), two: u64) {
    if two == 0 {
        isa.store(out, 0, a);
        isa.store(out, S::WIDTH, b);
        path!("ASCII in a block");
    } else {
        let ((a, b), (c, d)) = (pairs(isa, a), pairs(isa, b));
        isa.store_one_or_two(out, [a, b, c, d], &ONE_OR_TWO, two);
    }
}

/// The lowest `count` bits, at most 64.
#[inline(always)]
const fn low_bits(count: usize) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

/// Converts vectors without ASCII: nothing is to be dropped.
#[inline(always)]
fn no_ascii_to_utf8<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    while let Some((window, out)) = cursor.next(2 * S::WIDTH)
        && let Some(out) = out.get_mut(..4 * S::WIDTH)
    {
        let (first, second) = (isa.load(window, 0), isa.load(window, S::WIDTH));
        // Bit 7 where one is ASCII.
        if isa.any_high_bit((first & second) ^ isa.splat8(0x80)) {
            return Next::Mixed;
        }
        store_pairs(isa, out, 0, first);
        store_pairs(isa, out, 2 * S::WIDTH, second);
        path!("no ASCII");
        (cursor.read, cursor.written) = (cursor.read + 2 * S::WIDTH, cursor.written + 4 * S::WIDTH);
    }
    Next::Edge
}

/// Writes all [`pairs`].
#[inline(always)]
fn store_pairs<S: Lanes>(isa: S, out: &mut Output, at: usize, bytes: S::V) {
    let (a, b) = pairs(isa, bytes);
    let ([a0, a1], [b0, b1]) = (isa.split(a), isa.split(b));
    if S::WIDTH == 16 {
        isa.store(out, at, a);
        isa.store(out, at + S::WIDTH, b);
    } else {
        isa.store(out, at, isa.join(a0, b0));
        isa.store(out, at + S::WIDTH, isa.join(a1, b1));
    }
}

/// What is found of a block of UTF-8. In each, bit 7 counts.
struct Findings<S: Lanes> {
    right: S::V,
    least: S::V,
    most: S::V,
}

impl<S: Lanes> Findings<S> {
    #[inline(always)]
    fn none(isa: S) -> Self {
        Self { right: isa.splat8(0xFF), least: isa.splat8(0), most: isa.splat8(0) }
    }

    /// Looks at some bytes, and at the byte before each.
    #[inline(always)]
    fn add(&mut self, isa: S, bytes: S::V, before: S::V) {
        let lead_before = from(isa, before, 0xC0);
        self.right = self.right & (isa.gt_i8(bytes, isa.splat8(0xBF)) ^ lead_before);
        self.least = isa.min_i8(self.least, lead_before);
        self.most = isa.max_u8(self.most, bytes);
    }

    /// Whether all of it is in Latin-1, except for a lead byte at the end.
    #[inline(always)]
    fn are_latin1(self, isa: S) -> bool {
        let wrong = self.right ^ isa.splat8(0xFF) | overlong_2(isa, self.least) | from(isa, self.most, 0xC4);
        !isa.any_high_bit(wrong)
    }
}

/// The bytes of Latin-1 that end at each byte, and a bit for each byte at which none does.
#[inline(always)]
fn decode<S: Lanes>(isa: S, bytes: S::V, before: S::V) -> (S::V, u32) {
    let bit_6 = isa.eq8(before, isa.splat8(0xC3)) & isa.splat8(0b0100_0000);
    (bytes | bit_6, isa.bitmask(from(isa, bytes, 0xC0)) as u32)
}

/// 1 if the byte before `at`, which has been found right, is a lead byte.
#[inline(always)]
fn carry(src: &[u8], at: usize) -> usize {
    usize::from(at > 0 && src[at - 1] >= 0xC0)
}

/// Converts UTF-8 to Latin-1.
#[inline(always)]
pub(crate) fn from_utf8<S: Lanes>(isa: S, src: &[u8], dst: &mut Output) -> Reached {
    let single = isa.single();
    if src.len() < LEAST {
        few_from_utf8(src, dst)
    } else if src.len() <= CHUNK {
        let bytes = single.load_padded(src);
        match put_latin1(single, bytes, single.prev::<1>(bytes, single.splat8(0)), src.len(), dst) {
            Some(written) if carry(src, src.len()) == 0 => Reached { read: src.len(), written },
            _ => Reached::START,
        }
    } else if src.len() <= 64 && copy_ascii_up_to_64(isa, src, dst) {
        Reached { read: src.len(), written: src.len() }
    } else {
        isa.vectorize_with(
            src,
            dst,
            #[inline(always)]
            move |src, dst| long_from_utf8(isa, src, dst),
        )
    }
}

/// Converts the ASCII at the start of a few bytes, as far as it fits. Returns the number of bytes read and written.
#[inline(always)]
fn few_from_utf8(src: &[u8], dst: &mut Output) -> Reached {
    let mut at = 0;
    while at < src.len() && at < dst.len() && src[at] < 0x80 {
        dst.set(at, src[at]);
        at += 1;
    }
    Reached { read: at, written: at }
}

/// Writes the first `count` bytes (up to 16) as Latin-1, and nothing else, if they are and it fits. Returns the number of
/// bytes written.
#[inline(always)]
fn put_latin1<L: Lanes>(isa: L, bytes: L::V, before: L::V, count: usize, dst: &mut Output) -> Option<usize> {
    if !isa.any_high_bit(bytes | before) {
        let out = dst.get_mut(..count)?;
        out.copy_short(&isa.number(bytes).to_le_bytes()[..count]);
        path!("up to 16 bytes of ASCII to Latin-1");
        return Some(count);
    }
    let mut findings = Findings::none(isa);
    findings.add(isa, bytes, before);
    if !findings.are_latin1(isa) {
        return None;
    }
    let (latin1, leads) = decode(isa, bytes, before);
    let keep = !leads & ((1 << count) - 1);
    let row = |index: u32| isa.load(&KEEP_BYTES.0[(index & 0xFF) as usize], 0);
    let (a, b) = (isa.shuffle(latin1, row(keep)), isa.shuffle(isa.zip_hi64(latin1, latin1), row(keep >> 8)));
    let both = isa.number(a) | isa.number(b) << (8 * (keep & 0xFF).count_ones());
    let len = keep.count_ones() as usize;
    dst.get_mut(..len)?.copy_short(&both.to_le_bytes()[..len]);
    path!("up to 16 bytes to Latin-1");
    Some(len)
}

/// [`from_utf8`] for more than 16 bytes.
#[inline(always)]
fn long_from_utf8<S: Lanes>(isa: S, src: &[u8], dst: &mut Output) -> Reached {
    let mut cursor = Cursor::new(src, dst);
    let mut next = ascii_run(isa, &mut cursor);
    if cursor.read == 0 {
        // All other loops look at the byte before, so they start with the second one.
        match src[0] {
            0..0x80 if cursor.dst.put(&[src[0]]).is_some() => cursor.written = 1,
            0xC2..=0xC3 => {}
            _ => return Reached::START,
        }
        cursor.read = 1;
    }
    loop {
        next = match next {
            Next::Ascii => ascii_run(isa, &mut cursor),
            Next::Mixed => mixed_from_utf8(isa, &mut cursor),
            Next::NoAscii => no_ascii_from_utf8(isa, &mut cursor),
            Next::Edge => break,
        };
    }
    // Less than a block, while there is room for whole stores.
    while let Some(window) = src.part_at(cursor.read - 1, 1 + EDGE)
        && vectors_from_utf8::<S, 2>(isa, &mut cursor, window)
    {
        path!("vectors to Latin-1");
    }
    let Cursor { mut read, dst, mut written, .. } = cursor;
    let single = isa.single();
    while read < src.len() {
        // The last one may start with bytes that have been converted.
        let at = read.min(src.len() - CHUNK);
        let (bytes, before) = (single.load(src, at), single.load(src, at - 1));
        let leads = single.bitmask(from(single, bytes, 0xC0));
        let start = written - (!leads & ((1 << (read - at)) - 1)).count_ones() as usize;
        let Some(len) = put_latin1(single, bytes, before, CHUNK, &mut dst[start..]) else { break };
        (read, written) = (at + CHUNK, start + len);
    }
    Reached { read: read - carry(src, read), written }
}

/// Writes the bytes that are no leads to `out[at..]`. Returns their number.
#[inline(always)]
fn store_latin1<S: Lanes>(isa: S, out: &mut Output, at: usize, latin1: S::V, leads: u32) -> usize {
    if leads == 0 {
        isa.store(out, at, latin1);
        path!("a vector without lead bytes");
        return S::WIDTH;
    }
    isa.store_shuffled::<0, 1>(out, at, latin1, isa.zip_hi64(latin1, latin1), &KEEP_BYTES, keep::<S>(leads))
}

/// The bytes of a vector that are no leads.
#[inline(always)]
fn keep<S: Lanes>(leads: u32) -> u32 {
    !leads & low_bits(S::WIDTH) as u32
}

/// Converts a window of `N` vectors or of [`EDGE`] bytes, if that is less, and the byte before them. Returns whether they
/// are in Latin-1 and fit.
#[inline(always)]
fn vectors_from_utf8<S: Lanes, const N: usize>(isa: S, cursor: &mut Cursor<'_>, window: &[u8]) -> bool {
    let mut findings = Findings::none(isa);
    let mut block = [(isa.splat8(0), 0); N];
    let mut leads = 0;
    let len = window.len() - 1;
    let mut k = 0;
    while k < len / S::WIDTH {
        let (bytes, before) = (isa.load(window, k * S::WIDTH + 1), isa.load(window, k * S::WIDTH));
        findings.add(isa, bytes, before);
        block[k] = decode(isa, bytes, before);
        leads += block[k].1.count_ones() as usize;
        k += 1;
    }
    let written = cursor.written;
    let Some(out) = cursor.dst.part_at(written, len - leads + SLACK) else { return false };
    if !findings.are_latin1(isa) {
        return false;
    }
    let mut at = 0;
    k = 0;
    while k < len / S::WIDTH {
        at += store_latin1(isa, out, at, block[k].0, block[k].1);
        k += 1;
    }
    (cursor.read, cursor.written) = (cursor.read + len, written + len - leads);
    true
}

/// Converts some blocks of any text.
#[inline(always)]
fn mixed_from_utf8<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let (src, start, len) = (cursor.src, (cursor.read, cursor.written), BLOCK_VECTORS * S::WIDTH);
    for _ in 0..PATIENCE {
        let Some(window) = src.part_at(cursor.read - 1, 1 + len) else { return Next::Edge };
        let [a, b, c, d] = load_block(isa, &window[1..]);
        // The byte before it counts, too: it may be a lead.
        if !isa.any_high_bit((a | b) | (c | d) | isa.load(window, 0))
            && let Some(out) = cursor.dst.part_at(cursor.written, len)
        {
            store_block(isa, out, [a, b, c, d]);
            path!("block of ASCII to Latin-1");
            (cursor.read, cursor.written) = (cursor.read + len, cursor.written + len);
            continue;
        }
        if !vectors_from_utf8::<S, BLOCK_VECTORS>(isa, cursor, window) {
            return Next::Edge;
        }
        path!("block to Latin-1");
    }
    let (read, written) = (cursor.read - start.0, cursor.written - start.1);
    if read == written {
        Next::Ascii
    } else if read == 2 * written {
        Next::NoAscii
    } else {
        Next::Mixed
    }
}

/// Converts characters of 2 bytes. If the last byte read is a lead byte, they start with that.
#[inline(always)]
fn no_ascii_from_utf8<S: Lanes>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let src = cursor.src;
    cursor.read -= carry(src, cursor.read);
    while let Some((window, out)) = cursor.next(2 * S::WIDTH)
        && let Some(out) = out.get_mut(..S::WIDTH)
    {
        let (a, b) = load_two(isa, window);
        let tags = isa.splat16(u16::from_le_bytes([0b1111_1110, 0b1100_0000]));
        let pattern = isa.splat16(u16::from_le_bytes([0b1100_0010, 0b1000_0000]));
        if !isa.is_zero((a & tags ^ pattern) | (b & tags ^ pattern)) {
            break;
        }
        // The last byte in place of the lead byte, and its bit 6.
        let joined = |v| isa.shr16::<8>(v) | isa.shl16::<6>(v) & isa.splat16(0b0100_0000);
        isa.store(out, 0, narrow(isa, ByteOrder::Little, (joined(a), joined(b))));
        path!("no ASCII to Latin-1");
        (cursor.read, cursor.written) = (cursor.read + 2 * S::WIDTH, cursor.written + S::WIDTH);
    }
    // The other loops look at the byte before. (Two bytes read are one character at least.)
    if cursor.read == 0 { Next::Edge } else { Next::Mixed }
}

/// The length of the text at the start of `src` that is in Latin-1, or less: nothing of the block with the first
/// character that is not.
#[inline(always)]
pub(crate) fn prefix_of_utf8<S: Lanes>(isa: S, src: &[u8]) -> usize {
    if src.len() <= CHUNK {
        let single = isa.single();
        let bytes = single.load_padded(src);
        let mut findings = Findings::none(single);
        findings.add(single, bytes, single.prev::<1>(bytes, single.splat8(0)));
        path!("check of up to 16 bytes");
        return if findings.are_latin1(single) && carry(src, src.len()) == 0 { src.len() } else { 0 };
    }
    if !matches!(src[0], 0..0x80 | 0xC2..=0xC3) {
        return 0;
    }
    let mut at = 1;
    while let Some(window) = src.part_at(at - 1, 1 + BLOCK_VECTORS * S::WIDTH) {
        let [a, b, c, d] = load_block(isa, &window[1..]);
        if isa.any_high_bit((a | b) | (c | d)) || carry(src, at) > 0 {
            let mut findings = Findings::none(isa);
            let mut k = 0;
            while k < BLOCK_VECTORS {
                findings.add(isa, isa.load(window, k * S::WIDTH + 1), isa.load(window, k * S::WIDTH));
                k += 1;
            }
            if !findings.are_latin1(isa) {
                return at - carry(src, at);
            }
            path!("check of a block");
        }
        path!("check of ASCII");
        at += BLOCK_VECTORS * S::WIDTH;
    }
    let single = isa.single();
    while at < src.len() {
        // The last one may start with bytes that have been checked.
        let from = at.min(src.len() - CHUNK);
        let mut findings = Findings::none(single);
        findings.add(single, single.load(src, from), single.load(src, from - 1));
        if !findings.are_latin1(single) {
            break;
        }
        path!("check of the end");
        at = from + CHUNK;
    }
    at - carry(src, at)
}
