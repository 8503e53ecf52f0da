//! Short inputs, and the end of longer ones: vector by vector, of which the last ends where the input does, exactly
//! into the room there is.
//!
//! # The problem
//!
//! A block reads up to its end and one byte more, and writes whole vectors. At the end of the input, or of the output,
//! these are not there. To leave up to 64 bytes to plain Rust would be slow for short texts, and most texts are short.
//!
//! # ASCII
//!
//! To UTF-16, up to 128 bytes that are all ASCII are converted first of all, by moves that overlap: of 8 to 16 bytes, for
//! example, the first 8 and the last 8.
//!
//! ```text
//! 11 bytes      a b c d e f g h i j k
//! first 8       a b c d e f g h
//! last 8              d e f g h i j k          d to h are written twice, with the same result
//! ```
//!
//! Each class of lengths (up to 3, 8, 16, 32, 64 and 128 bytes) does the same for all lengths in it, so no branch
//! depends on the exact length.
//!
//! # All other text
//!
//! The units go to a buffer on the stack first, where there is room for whole stores, and are then copied, again by
//! moves that overlap. The last vector ends where the input does and so begins with bytes that were done before. Their
//! units are the same, and are written again in the same place: as many are counted and stepped back over (`again`).
//! Before the first output of the buffer there is room for that, too.
//!
//! Text that is ill-formed, or does not fit, is left to `scalar`. So are up to 3 bytes that are not ASCII: a
//! character by itself is faster there.

use super::units::{Units, Vectors, Window};
use super::{BEFORE, BLOCK, Cursor, OutputForm, boundary, widen_half};
use core::marker::PhantomData;

use crate::endian::ByteOrder;
use crate::kernels::validate_utf8::is_cut;
use crate::output::{Output, Scratch};
use crate::parts::Parts;
use crate::report::Reached;
use crate::scalar::{NOT_ASCII, is_continuation};
use crate::simd::Lanes;

/// Input of at most this many bytes is converted into a buffer with room for whole stores, then copied.
pub(super) const SHORT: usize = 2 * BLOCK;
/// So is the rest of the input if there is too little room for another block: less than 72 units. They have less than 3 bytes
/// each, or else plain Rust converts them.
pub(super) const REST: usize = 4 * BLOCK;
/// A buffer for the output of at most [`REST`] bytes, which is then copied to its destination.
struct Copied<F> {
    /// Room for UTF-32, the longer form.
    bytes: Scratch<{ 4 * (BLOCK / 2 + REST + 8) }>,
    /// Where the output ends.
    end: usize,
    form: PhantomData<F>,
}

impl<F: OutputForm> Copied<F> {
    /// Bytes before the output: a vector at the end of the input may start with bytes that have been converted.
    const LEAD: usize = BLOCK / 2 * F::UNIT;

    #[inline(always)]
    fn new() -> Self {
        Self { bytes: Scratch::new(), end: Self::LEAD, form: PhantomData }
    }

    /// Appends the units of a vector, of which the first `again` have been written before.
    #[inline(always)]
    fn push<S: Lanes>(&mut self, isa: S, order: ByteOrder, units: &Units<S>, again: usize) {
        let start = self.end - F::UNIT * again;
        F::store(isa, order, units, S::WIDTH, &mut self.bytes.output()[start..]);
        self.end = start + F::UNIT * units.count();
    }

    /// Appends the units that end in `src[k..]`, at most [`REST`] bytes, if it is well-formed. The input must have a
    /// vector and 3 bytes.
    #[inline(always)]
    fn push_rest<S: Lanes>(&mut self, isa: S, order: ByteOrder, src: &[u8], mut k: usize) -> bool {
        while k < src.len() {
            // The last vector ends with the input.
            let at = k.min(src.len() - S::WIDTH);
            let ends_after = src.get(at + S::WIDTH).is_none_or(|&byte| !is_continuation(byte));
            let Some(units) = Units::find::<F, _>(isa, Window::new(&src[at - BEFORE..]), S::WIDTH, ends_after)
            else {
                return false;
            };
            let again = units.ends & ((1 << (k - at)) - 1);
            self.push(isa, order, &units, again.count_ones() as usize);
            k = at + S::WIDTH;
        }
        true
    }

    /// Copies the output to the start of `dst`, if there is room. Returns its length.
    #[inline(always)]
    fn copy_to(&self, dst: &mut Output) -> Option<usize> {
        // `push` has written all of these, one after another.
        let src = self.bytes.written(Self::LEAD..self.end);
        let dst = dst.get_mut(..src.len())?;
        match src.len() {
            0..=64 => dst.copy_short(src),
            65..=128 => copy_in_4::<32>(src, dst),
            129..=256 => copy_in_4::<64>(src, dst),
            257..=512 if !F::PAIRS => copy_in_4::<128>(src, dst),
            // [`SHORT`] bytes do not become that many, nor is there room for them where there is none for a block.
            _ => return None,
        }
        Some(src.len())
    }
}

/// Copies `N` to `4 * N` bytes by four moves, which may overlap, without a branch.
#[inline(always)]
fn copy_in_4<const N: usize>(src: &[u8], dst: &mut Output) {
    let last = src.len() - N;
    #[inline(always)]
    fn copy<const N: usize>(src: &[u8], dst: &mut Output, at: usize) {
        dst[at..].write(src.expect_chunk::<N>(at));
    }
    copy::<N>(src, dst, 0);
    copy::<N>(src, dst, N.min(last));
    copy::<N>(src, dst, (2 * N).min(last));
    copy::<N>(src, dst, last);
}

/// Converts at most [`SHORT`] bytes, if they are well-formed and fit. Returns the number read and written: all or
/// none, or all but the last few.
#[inline(always)]
pub(super) fn short<S: Lanes, F: OutputForm>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let len = src.len();
    let mut out = Copied::<F>::new();
    let first = if len < S::WIDTH { isa.load_padded(src) } else { isa.load(src, 0) };
    let ends_after = src.get(S::WIDTH).is_none_or(|&byte| !is_continuation(byte));
    let Some(mut units) = Units::find::<F, _>(isa, Vectors::<S>([first; BLOCK / 16]), S::WIDTH, ends_after) else {
        return Reached::START;
    };
    if len < S::WIDTH {
        units.ends &= (1 << len) - 1;
    } else if is_cut_at_end(src) {
        return Reached::START;
    }
    out.push(isa, order, &units, 0);
    let mut read = len;
    if len >= S::WIDTH + BEFORE {
        if !out.push_rest(isa, order, src, S::WIDTH) {
            return Reached::START;
        }
    } else if len > S::WIDTH {
        // One or two bytes are left: too few for a vector with 3 bytes before it.
        let (start, units_after) = boundary::<F>(src, S::WIDTH);
        read = start;
        out.end -= F::UNIT * units_after;
    }
    match out.copy_to(dst) {
        Some(written) => Reached { read, written },
        None => Reached::START,
    }
}

/// Converts the rest of the input, at most [`REST`] bytes, if it is well-formed and fits.
#[inline(always)]
pub(super) fn finish<S: Lanes, F: OutputForm>(isa: S, cursor: &mut Cursor<'_>) -> bool {
    let (order, src) = (cursor.order, cursor.src);
    let rest = &src[cursor.read..];
    if !cursor.after_blocks && rest.len() <= BLOCK {
        let room = &mut cursor.dst[cursor.written..];
        if room.len() >= F::UNIT * rest.len() && rest.len() >= 16 && F::widen_last(isa, order, rest, room) {
            cursor.written += F::UNIT * rest.len();
            return true;
        }
    }
    if is_cut_at_end(src) {
        return false;
    }
    let mut out = Copied::<F>::new();
    if !out.push_rest(isa, order, src, cursor.read) {
        return false;
    }
    let Some(count) = out.copy_to(&mut cursor.dst[cursor.written..]) else { return false };
    cursor.written += count;
    true
}

/// Converts `src`, at most [`SHORT`] bytes, if it is ASCII and fits.
#[inline(always)]
pub(super) fn widen_short<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> bool {
    dst.len() >= 2 * src.len()
        && match src.len() {
            0..=3 => widen_few(order, src, dst),
            4..=8 => widen_ends::<4>(order, src, dst),
            9..=16 => widen_ends::<8>(order, src, dst),
            17..=32 => widen_vectors(isa, order, src, 32, dst),
            33..=64 => widen_vectors(isa, order, src, 64, dst),
            _ => widen_vectors(isa, order, src, SHORT, dst),
        }
}

/// Converts `src`, at most 3 bytes, if it is ASCII. `dst` must have room for it.
#[inline(always)]
fn widen_few(order: ByteOrder, src: &[u8], dst: &mut Output) -> bool {
    let (Some(first), Some(last)) = (src.first(), src.last()) else { return true };
    let middle = src.len() / 2;
    if (first | src[middle] | last) & 0x80 != 0 {
        return false;
    }
    let ends = [0, middle, src.len() - 1];
    let mut k = 0;
    while k < ends.len() {
        dst[2 * ends[k]..].write(&order.bytes(u16::from(src[ends[k]])));
        k += 1;
    }
    true
}

/// Converts `src`, if it is ASCII, by its first and last `N` bytes (4 or 8), which must cover it. `dst` must have
/// room.
#[inline(always)]
fn widen_ends<const N: usize>(order: ByteOrder, src: &[u8], dst: &mut Output) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else { return false };
    let number = |bytes: &[u8; N]| {
        let mut number = [0; 8];
        number[..N].copy_from_slice(bytes);
        u64::from_ne_bytes(number)
    };
    if (number(first) | number(last)) & NOT_ASCII != 0 {
        return false;
    }
    #[inline(always)]
    fn widen<const N: usize>(order: ByteOrder, bytes: &[u8; N], dst: &mut Output) {
        let dst = &mut dst[..2 * N];
        let mut at = 0;
        while at < N {
            dst[2 * at..].write(&order.bytes(u16::from(bytes[at])));
            at += 1;
        }
    }
    widen(order, first, dst);
    widen(order, last, &mut dst[2 * (src.len() - N)..]);
    true
}

/// Whether the input ends inside a character.
#[inline(always)]
fn is_cut_at_end(src: &[u8]) -> bool {
    match src.last_chunk() {
        Some(last) => is_cut(last),
        None => true, // too short to say: scalar code knows
    }
}

/// Converts `src`, 16 to `max_len` bytes, if it is ASCII. `dst` must have room for it.
///
/// Uses as many vectors as `max_len` bytes need. Those that would go beyond the end overlap instead, without a
/// branch.
#[inline(always)]
pub(super) fn widen_vectors<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    max_len: usize,
    dst: &mut Output,
) -> bool {
    let last = src.len() - S::WIDTH / 2;
    let mut all = isa.splat8(0);
    let mut k = 0;
    while k < max_len {
        all = all | isa.load_widened(src, k.min(last));
        k += S::WIDTH / 2;
    }
    if !isa.is_zero(all & isa.splat8(0x80)) {
        return false;
    }
    let mut k = 0;
    while k < max_len {
        let at = k.min(last);
        widen_half(isa, order, src, at, dst, 2 * at);
        k += S::WIDTH / 2;
    }
    true
}
