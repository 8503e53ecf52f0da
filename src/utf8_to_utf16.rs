//! UTF-8 to UTF-16, validated on the way: blocks of 64 bytes at a fixed stride.
//!
//! A block emits the code units of all characters that *end* in it, each at the place of its last byte, whatever
//! came before: the bytes 1, 2 and 3 before each byte are loaded from memory, so that nothing is carried from block
//! to block but where the output goes on. The low and the high byte of the code unit that would end at each byte are
//! computed for all bytes at once (*planes*), interleaved to words, and a table shuffles the words that count
//! together, 8 at a time.
//!
//! A character of 4 bytes emits its high surrogate at its third byte and the low one at its fourth.

pub(crate) mod avx512;

use core::mem::MaybeUninit;

use crate::conversion::{Conversion, Stop};
use crate::endian::Endian;
use crate::error::Utf8Error;
use crate::scalar::{self, is_continuation};
use crate::simd::{Lanes, copy_short};
use crate::tables::{KEEP_WORDS_BE, KEEP_WORDS_LE, ShuffleTable};
use crate::utf8::{self, MIX, is_cut};

#[inline(always)]
pub(crate) fn convert<S: Lanes, E: Endian>(
    isa: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Conversion<Utf8Error> {
    // A character or two are faster one by one.
    if src.len() < 16 {
        return scalar::utf8_to_utf16::<E>(src, dst);
    }
    let mut cursor = Cursor { src, read: 0, dst, written: 0 };
    loop {
        let next = if src.len() - cursor.read <= BLOCK {
            Next::Edge
        } else {
            isa.vectorize(
                #[inline(always)]
                || blocks::<S, E>(isa, &mut cursor),
            )
        };
        match next {
            Next::Three => isa.vectorize(
                #[inline(always)]
                || three_byte_run::<S, E>(isa, &mut cursor),
            ),
            Next::Four => isa.vectorize(
                #[inline(always)]
                || four_byte_run::<S, E>(isa, &mut cursor),
            ),
            Next::Edge => {
                let more = isa.vectorize(
                    #[inline(always)]
                    || edge::<S, E>(isa, &mut cursor),
                );
                if !more {
                    break;
                }
            }
            Next::Stop => break,
        }
    }
    let Cursor { read, dst, written, .. } = cursor;
    if read == src.len() {
        return Conversion { read, written, stop: Stop::Complete };
    }
    scalar::utf8_to_utf16_from::<E>(src, dst, read, written)
}

/// How far the conversion has come: at a character boundary, between any two of the loops below.
struct Cursor<'a> {
    src: &'a [u8],
    /// Bytes read.
    read: usize,
    dst: &'a mut [MaybeUninit<u8>],
    /// Bytes written.
    written: usize,
}

/// What to do after a run of blocks.
enum Next {
    /// Characters of 3 bytes follow, as far as one can see.
    Three,
    /// Characters of 4 bytes follow.
    Four,
    /// There are less than a block's bytes, or room for them, left; or there are not yet 3 bytes before the block.
    Edge,
    /// The next block is ill-formed.
    Stop,
}

/// Bytes in a block, and in what it needs to see: 3 before it, 1 after it.
const BLOCK: usize = 64;
const BEFORE: usize = 3;
/// Bytes put back, from one code unit before the end of the output on: the last store ends less than 14 bytes
/// after it, since 8 bytes of UTF-8 have at least two code units; and one unit may have to be taken back. What the block
/// before has overwritten ends before that: a block has at least 15 units.
const SAVED: usize = 16;

#[inline(always)]
fn blocks<S: Lanes, E: Endian>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { src, read, ref mut dst, written } = *cursor;
    let end = dst.len();
    // ASCII from a character boundary on needs nothing before it.
    let mut room = &mut dst[written..];
    let rest = ascii_run::<S, E>(isa, &src[read..], &mut room);
    (cursor.read, cursor.written) = (src.len() - rest.len(), end - room.len());
    let Some(start) = cursor.read.checked_sub(BEFORE) else { return Next::Edge };
    // The rest of the input and the 3 bytes before it.
    let mut view = &src[start..];
    // What the last block's stores overwrote from one unit before its end on, if the last block was not ASCII.
    let mut saved: Option<[MaybeUninit<u8>; SAVED]> = None;
    let next = loop {
        let Some(window) = view.get(..BEFORE + BLOCK + 1) else { break Next::Edge };
        if is_ascii(isa, window, BEFORE) {
            if is_cut(window.first_chunk().unwrap()) {
                break Next::Stop;
            }
            if room.len() < 2 * BLOCK {
                break Next::Edge;
            }
            let rest = ascii_run::<S, E>(isa, &view[BEFORE..], &mut room);
            view = &view[view.len() - rest.len() - BEFORE..];
            saved = None;
            continue;
        }
        let Some(out) = room.get_mut(..2 * BLOCK + SAVED) else { break Next::Edge };
        let ends_after = !is_continuation(window[BEFORE + BLOCK]);
        let Some(units) = Units::find::<_, BLOCK>(isa, Window(window), ends_after) else { break Next::Stop };
        let count = units.count();
        saved = Some(*out[2 * count - 2..].first_chunk::<SAVED>().unwrap());
        units.store::<E, BLOCK>(isa, out);
        view = &view[BLOCK..];
        room = &mut room[2 * count..];
        // Every third byte ends a character: nothing but characters of 3 bytes.
        if units.ends ^ units.ends << 3 < 0b1000 && units.longest == 3 {
            break Next::Three;
        }
        // 64 bytes hold 16 characters of 4 bytes.
        if units.longest == 4 && count == 32 {
            break Next::Four;
        }
    };
    (cursor.read, cursor.written) = (src.len() - (view.len() - BEFORE), end - room.len());
    if let Some(saved) = saved {
        let (start, units_after) = boundary(src, cursor.read);
        let target: &mut [_; SAVED] = dst[cursor.written - 2..].first_chunk_mut().unwrap();
        let last = [target[0], target[1]];
        *target = saved;
        if units_after > 0 {
            cursor.written -= 2;
        } else {
            [target[0], target[1]] = last;
        }
        cursor.read = start;
    }
    next
}

/// Blocks of ASCII at the start of `src`, which is a character boundary. Takes their room; returns what follows.
#[inline(always)]
fn ascii_run<'a, S: Lanes, E: Endian>(isa: S, mut src: &'a [u8], room: &mut &mut [MaybeUninit<u8>]) -> &'a [u8] {
    let mut out = core::mem::take(room);
    while let (Some(block), Some(to)) = (src.get(..BLOCK), out.get_mut(..2 * BLOCK)) {
        if !is_ascii(isa, block, 0) {
            break;
        }
        widen::<S, E>(isa, block, 0, to);
        src = &src[BLOCK..];
        out = &mut out[2 * BLOCK..];
    }
    *room = out;
    src
}

/// The blocks before `at` emitted what ends before `at`. Returns where to restart at a character boundary: its
/// offset, at most `at`, and how many code units past it were emitted: none or one.
#[inline(always)]
fn boundary(src: &[u8], at: usize) -> (usize, usize) {
    let start = scalar::last_char_start(&src[..at]);
    let len = match src[start] {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    };
    if start + len == at && !is_continuation(src[at]) {
        return (at, 0);
    }
    // The character is cut at `at`, or a stray continuation follows it. A unit was emitted at its last byte if what
    // follows starts a character, and at the third byte of four; never at both, or it would be complete.
    let ended = !is_continuation(src[at]);
    let high_surrogate = len == 4 && at - start >= 3;
    (start, usize::from(ended || high_surrogate))
}

#[inline(always)]
fn is_ascii<S: Lanes>(isa: S, window: &[u8], at: usize) -> bool {
    let mut all = isa.load(window, at);
    let mut k = S::WIDTH;
    while k < BLOCK {
        all = all | isa.load(window, at + k);
        k += S::WIDTH;
    }
    isa.bitmask(all) == 0
}

/// Zero-extends the block at `window[at..]`.
#[inline(always)]
fn widen<S: Lanes, E: Endian>(isa: S, window: &[u8], at: usize, out: &mut [MaybeUninit<u8>]) {
    let mut k = 0;
    while k < BLOCK {
        widen_half::<S, E>(isa, window, at + k, out, 2 * k);
        k += S::WIDTH / 2;
    }
}

/// Zero-extends the `WIDTH / 2` bytes at `src[from..]` to `out[to..]`.
#[inline(always)]
fn widen_half<S: Lanes, E: Endian>(isa: S, src: &[u8], from: usize, out: &mut [MaybeUninit<u8>], to: usize) {
    let words = isa.load_widened(src, from);
    isa.store(out, to, if E::BIG { isa.shl16::<8>(words) } else { words });
}

/// A block and what comes before it.
trait View: Copy {
    /// The vector that starts `N` bytes (0 to 3) before byte `k` of the block.
    fn back<const N: usize, S: Lanes>(self, isa: S, k: usize) -> S::V;
    /// The bytes 2 and 1 before the block.
    fn two_before(self) -> [u8; 2];
}

/// The block at byte 3 of these.
#[derive(Clone, Copy)]
struct Window<'a>(&'a [u8]);

impl View for Window<'_> {
    #[inline(always)]
    fn back<const N: usize, S: Lanes>(self, isa: S, k: usize) -> S::V {
        isa.load(self.0, BEFORE + k - N)
    }
    #[inline(always)]
    fn two_before(self) -> [u8; 2] {
        [self.0[1], self.0[2]]
    }
}

/// The code units that end in a block of well-formed UTF-8.
struct Units<S: Lanes> {
    /// The unit that would end at each byte: 8 words to a lane, as `zip_lo8` and `zip_hi8` leave them.
    words: [(S::V, S::V); BLOCK / 16],
    /// The bytes at which one ends.
    ends: u64,
    /// How long the longest character may be: 2, 3 or 4 bytes.
    longest: u8,
}

impl<S: Lanes> Units<S> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.ends.count_ones() as usize
    }

    /// Checks a block of `LEN` bytes, and finds the code units that end in it. `ends_after` says whether the byte after
    /// the block is no continuation.
    ///
    /// What is checked of each byte is whether it may follow the 3 before it.
    #[inline(always)]
    fn find<T: View, const LEN: usize>(isa: S, view: T, ends_after: bool) -> Option<Self> {
        let mut starts = 0;
        // All bytes up to the last but one: the last byte is in view of the next block.
        let mut greatest = view.back::<3, S>(isa, 0);
        let mut k = 0;
        while k < LEN {
            let cur = view.back::<0, S>(isa, k);
            starts |= isa.bitmask(is_start(isa, cur)) << k;
            greatest = isa.max_u8(greatest, view.back::<1, S>(isa, k));
            k += S::WIDTH;
        }
        let ends = starts >> 1 | u64::from(ends_after) << (LEN - 1);
        if isa.is_zero(isa.subs_u8(greatest, isa.splat8(0xDF))) {
            let words = Self::of_2_bytes::<T, LEN>(isa, view)?;
            return Some(Self { words, ends, longest: 2 });
        }
        if isa.is_zero(isa.subs_u8(greatest, isa.splat8(0xEF))) {
            let words = Self::of_3_bytes::<T, LEN>(isa, view)?;
            return Some(Self { words, ends, longest: 3 });
        }
        let (words, thirds) = Self::of_4_bytes::<T, LEN>(isa, view)?;
        Some(Self { words, ends: ends | thirds, longest: 4 })
    }

    /// The words of characters of up to 2 bytes.
    #[inline(always)]
    fn of_2_bytes<T: View, const LEN: usize>(isa: S, view: T) -> Option<[(S::V, S::V); BLOCK / 16]> {
        let mut words = [(isa.splat8(0), isa.splat8(0)); BLOCK / 16];
        let mut right = isa.splat8(0xFF);
        let mut least = isa.splat8(0);
        let mut k = 0;
        while k < LEN {
            let (cur, prev1) = (view.back::<0, S>(isa, k), view.back::<1, S>(isa, k));
            let lead_before = after(isa, prev1, 0xC0);
            right = right & (is_start(isa, cur) ^ lead_before);
            least = isa.min_i8(least, lead_before);
            // 64 * (lead - C2) + last: the continuation's own 80 makes up for the 2 of C2. What is before
            // an ASCII byte is no lead, and less than C2: 0.
            let word = |zipped| isa.mul_add8(isa.subs_u8(zipped, isa.splat16(0xC200)), isa.splat16(0x4001));
            words[k / S::WIDTH] = (word(isa.zip_lo8(cur, prev1)), word(isa.zip_hi8(cur, prev1)));
            k += S::WIDTH;
        }
        let wrong = right ^ isa.splat8(0xFF);
        (isa.bitmask(wrong | has_overlong_2(isa, least)) == 0).then_some(words)
    }

    /// The words of characters of up to 3 bytes.
    #[inline(always)]
    fn of_3_bytes<T: View, const LEN: usize>(isa: S, view: T) -> Option<[(S::V, S::V); BLOCK / 16]> {
        let mut words = [(isa.splat8(0), isa.splat8(0)); BLOCK / 16];
        let mut right = isa.splat8(0xFF);
        let mut least_lead = isa.splat8(0);
        let mut least = isa.splat8(0xFF);
        let mut k = 0;
        while k < LEN {
            let (cur, prev1) = (view.back::<0, S>(isa, k), view.back::<1, S>(isa, k));
            let prev2 = view.back::<2, S>(isa, k);
            let lead_before = after(isa, prev1, 0xC0);
            right = right & (is_start(isa, cur) ^ (lead_before | after(isa, prev2, 0xE0)));
            least_lead = isa.min_i8(least_lead, lead_before);
            let (low, high) = planes_of_3(isa, cur, prev1, prev2);
            // A third byte: lead E0 and a value below 0800; or a value from D800 to DFFF, which only 3 bytes can make.
            let overlong = prev2 ^ isa.splat8(0xE0) | high;
            let surrogate = high ^ isa.splat8(0xD8);
            least = isa.min_u8(least, isa.min_u8(overlong, surrogate));
            words[k / S::WIDTH] = (isa.zip_lo8(low, high), isa.zip_hi8(low, high));
            k += S::WIDTH;
        }
        let out_of_range = isa.eq8(isa.min_u8(least, isa.splat8(7)), least);
        let wrong = right ^ isa.splat8(0xFF);
        (isa.bitmask(wrong | has_overlong_2(isa, least_lead) | out_of_range) == 0).then_some(words)
    }

    /// The words of any characters, and where the third bytes of 4 are, at which a high surrogate ends.
    #[inline(always)]
    fn of_4_bytes<T: View, const LEN: usize>(isa: S, view: T) -> Option<([(S::V, S::V); BLOCK / 16], u64)> {
        let mut words = [(isa.splat8(0), isa.splat8(0)); BLOCK / 16];
        let mut wrong = isa.splat8(0);
        let mut thirds = 0;
        let mut k = 0;
        while k < LEN {
            let cur = view.back::<0, S>(isa, k);
            let before = [view.back::<1, S>(isa, k), view.back::<2, S>(isa, k), view.back::<3, S>(isa, k)];
            let [prev1, prev2, prev3] = before;
            wrong = wrong | utf8::errors::<MIX, S>(isa, cur, prev1, prev2, prev3);
            thirds |= isa.bitmask(at_least(isa, prev2, 0xF0)) << k;
            let (low, high) = planes_of_4(isa, cur, before);
            words[k / S::WIDTH] = (isa.zip_lo8(low, high), isa.zip_hi8(low, high));
            k += S::WIDTH;
        }
        // A block of up to 3 bytes a character, such as the one before may have been, judges a character's range at
        // its third byte, this check at its second: that of a character whose second byte is the last before this
        // block would fall between the two.
        let [prev2, prev1] = view.two_before();
        let unjudged_is_bad = match prev2 {
            0xE0 => prev1 < 0xA0,
            0xED => prev1 >= 0xA0,
            _ => false,
        };
        (isa.is_zero(wrong) && !unjudged_is_bad).then_some((words, thirds))
    }

    /// Writes the units, one after the other.
    #[inline(always)]
    fn store<E: Endian, const LEN: usize>(&self, isa: S, out: &mut [MaybeUninit<u8>]) {
        let table: &'static ShuffleTable = if E::BIG { &KEEP_WORDS_BE } else { &KEEP_WORDS_LE };
        let mut at = 0;
        let mut k = 0;
        while k < LEN {
            let (first, second) = self.words[k / S::WIDTH];
            at += isa.store_shuffled::<0, 2>(out, at, first, second, table, (self.ends >> k) as u32);
            k += S::WIDTH;
        }
    }
}

/// Bit 7 is set where a byte is at least `lead`, which is C0 or E0.
#[inline(always)]
fn after<S: Lanes>(isa: S, bytes: S::V, lead: u8) -> S::V {
    isa.subs_u8(bytes, isa.splat8(lead - 0x80))
}

/// `FF` where a byte is no continuation.
#[inline(always)]
fn is_start<S: Lanes>(isa: S, bytes: S::V) -> S::V {
    isa.gt_i8(bytes, isa.splat8(0xBF))
}

/// Bit 7 is set somewhere if `least`, the least of [`after`] C0, as signed bytes, comes from C0 or C1.
#[inline(always)]
fn has_overlong_2<S: Lanes>(isa: S, least: S::V) -> S::V {
    isa.gt_i8(isa.splat8(0x82), least)
}

/// `FF` where a byte is at least `least`.
#[inline(always)]
fn at_least<S: Lanes>(isa: S, bytes: S::V, least: u8) -> S::V {
    isa.eq8(isa.max_u8(bytes, isa.splat8(least)), bytes)
}

/// The low and the high byte of the code unit that ends at each of a vector's bytes, for characters of up to 3
/// bytes: `1110hhhh 10hhhhll 10llllll`, `110hhhll 10llllll`, `0lllllll`.
#[inline(always)]
fn planes_of_3<S: Lanes>(isa: S, cur: S::V, prev1: S::V, prev2: S::V) -> (S::V, S::V) {
    // The byte before counts only if this one is a continuation, which in well-formed text is if it is not ASCII,
    // or a lead, at which nothing ends.
    let prev1 = prev1 & isa.gt_i8(isa.splat8(0), cur);
    let low = cur & isa.splat8(0x7F) | isa.shl16::<6>(prev1) & isa.splat8(0xC0);
    // Saturation leaves the 4 bits of a lead of 3 bytes and makes anything less 0.
    let lead = isa.subs_u8(prev2, isa.splat8(0xE0));
    let high = isa.shr16::<2>(prev1) & isa.splat8(0x0F) | isa.shl16::<4>(lead);
    (low, high)
}

/// [`planes_of_3`] for characters of up to 4 bytes.
#[inline(always)]
fn planes_of_4<S: Lanes>(isa: S, cur: S::V, [prev1, prev2, prev3]: [S::V; 3]) -> (S::V, S::V) {
    let seconds = prev1 & isa.gt_i8(isa.splat8(0), cur);
    let thirds = prev2 & at_least(isa, prev2, 0xE0);
    let low = cur & isa.splat8(0x7F) | isa.shl16::<6>(seconds) & isa.splat8(0xC0);
    let high = isa.shr16::<2>(seconds) & isa.splat8(0x0F) | isa.shl16::<4>(thirds) & isa.splat8(0xF0);
    // Fourth byte: the low surrogate, 110111ll with the low two bits of `high`.
    let fourth = at_least(isa, prev3, 0xF0);
    let high = isa.select(fourth, high & isa.splat8(0b11) | isa.splat8(0xDC), high);
    // Third byte of four: the high surrogate, D7C0 + (value >> 10), that is D7C0 + the 11 bits `aaa bbbbbb cc`
    // of 11110aaa 10bbbbbb 10cc....; C0 carries into the upper byte if bbbbbbcc is 40 or more.
    let bits = isa.shl16::<2>(prev1) & isa.splat8(0xFC) | isa.shr16::<4>(cur) & isa.splat8(0b11);
    let upper = isa.add8(prev2 & isa.splat8(0b111), isa.splat8(0xD7));
    let upper = isa.sub8(upper, at_least(isa, bits, 0x40));
    let third = at_least(isa, prev2, 0xF0);
    (isa.select(third, isa.add8(bits, isa.splat8(0xC0)), low), isa.select(third, upper, high))
}

/// Characters of 3 bytes only, from a character boundary on: `WIDTH / 2` of them at a time.
#[inline(always)]
fn three_byte_run<S: Lanes, E: Endian>(isa: S, cursor: &mut Cursor<'_>) {
    // 4 characters of 12 bytes to a lane; the last 4 bytes of each load are not used.
    const CHARS: [u8; 16] = [2, 1, 5, 4, 8, 7, 11, 10, 0x80, 0, 0x80, 3, 0x80, 6, 0x80, 9];
    const MARKS: [u8; 16] = marks([0b1111_0000, 0b1100_0000, 0b1100_0000]);
    const TAGS: [u8; 16] = marks([0b1110_0000, 0b1000_0000, 0b1000_0000]);
    const fn marks(of: [u8; 3]) -> [u8; 16] {
        let mut marks = [0; 16];
        let mut i = 0;
        while i < 12 {
            marks[i] = of[i % 3];
            i += 1;
        }
        marks
    }
    let Cursor { src, mut read, ref mut dst, mut written } = *cursor;
    let bytes = S::WIDTH / 2 * 3;
    while let (Some(window), Some(out)) = (src[read..].get(..bytes + 4), dst[written..].get_mut(..S::WIDTH)) {
        let a = isa.load_lanes(window, 0, 24);
        let b = isa.load_lanes(window, 12, 24);
        let structure = (a & isa.lanes(MARKS) ^ isa.lanes(TAGS)) | (b & isa.lanes(MARKS) ^ isa.lanes(TAGS));
        // Last and middle bytes in the first half, leads, as the upper byte of a word, in the second.
        let (a, b) = (isa.shuffle(a, isa.lanes(CHARS)), isa.shuffle(b, isa.lanes(CHARS)));
        let (tails, leads) = (isa.zip_lo64(a, b), isa.zip_hi64(a, b));
        let word = isa.mul_add8(tails & isa.splat8(0b0011_1111), isa.splat16(0x4001)) | isa.shl16::<4>(leads);
        // Below 0800 is overlong, D800 to DFFF is a surrogate.
        let least = isa.min_u16(word, word ^ isa.splat16(0xD800));
        let bad = isa.eq16(isa.min_u16(least, isa.splat16(0x7FF)), least);
        if !isa.is_zero(structure | bad) {
            break;
        }
        isa.store(out, 0, in_order::<S, E>(isa, word));
        (read, written) = (read + bytes, written + S::WIDTH);
    }
    (cursor.read, cursor.written) = (read, written);
}

/// Characters of 4 bytes only, from a character boundary on: each becomes a pair in its own place.
#[inline(always)]
fn four_byte_run<S: Lanes, E: Endian>(isa: S, cursor: &mut Cursor<'_>) {
    let Cursor { src, mut read, ref mut dst, mut written } = *cursor;
    while let (Some(window), Some(out)) = (src[read..].get(..S::WIDTH), dst[written..].get_mut(..S::WIDTH)) {
        let chars = isa.load(window, 0);
        // 11110aaa 10bbbbbb 10cccccc 10dddddd, as little-endian numbers.
        let structure = chars & isa.splat32(0xC0C0_C0F8) ^ isa.splat32(0x8080_80F0);
        // aaabbbbbb and ccccccdddddd; less 1_0000 the first must be at most FF.
        let halves = isa.mul_add8(chars & isa.splat32(0x3F3F_3F07), isa.splat32(0x0140_0140));
        let halves = isa.sub16(halves, isa.splat32(0x0000_0010));
        if !isa.is_zero(structure | halves & isa.splat32(0x0000_FF00)) {
            break;
        }
        // 110110aabbbbbbcc 110111ccccdddddd
        let high = (isa.shl16::<2>(halves) | isa.shr32::<26>(halves)) & isa.splat32(0x0000_03FF);
        let low = halves & isa.splat32(0x03FF_0000);
        isa.store(out, 0, in_order::<S, E>(isa, high | low | isa.splat32(0xDC00_D800)));
        (read, written) = (read + S::WIDTH, written + S::WIDTH);
    }
    (cursor.read, cursor.written) = (read, written);
}

/// Little-endian words in the byte order asked for.
#[inline(always)]
fn in_order<S: Lanes, E: Endian>(isa: S, words: S::V) -> S::V {
    if E::BIG { isa.shl16::<8>(words) | isa.shr16::<8>(words) } else { words }
}

/// At most one block, where there is too little input or output around it for [`blocks`]: exactly what it emits is
/// written, by way of a copy. Returns whether there is more to do; there is not if the block is ill-formed or there
/// is no room for all of it.
#[inline(always)]
fn edge<S: Lanes, E: Endian>(isa: S, cursor: &mut Cursor<'_>) -> bool {
    let src = cursor.src;
    let rest = &src[cursor.read..];
    let room = &mut cursor.dst[cursor.written..];
    if rest.len() <= BLOCK && room.len() >= 2 * rest.len() && widen_all::<S, E>(isa, rest, room) {
        (cursor.read, cursor.written) = (src.len(), cursor.written + 2 * rest.len());
        return false;
    }
    let mut padded = [0; BEFORE + BLOCK];
    let window;
    let (taken, wanted);
    if rest.len() > BLOCK {
        // A whole block, less a character cut at its end.
        taken = (scalar::last_char_start(&src[..cursor.read + BLOCK])).saturating_sub(cursor.read);
        wanted = ends_up_to(taken);
        window = match src.get(cursor.read.wrapping_sub(BEFORE)..cursor.read + BLOCK) {
            Some(window) => window,
            None => {
                copy_short(&rest[..BLOCK], &mut padded[BEFORE..]);
                &padded
            }
        };
    } else {
        // All the rest, at the end of a block that begins with what has been converted already.
        taken = rest.len();
        match src.last_chunk::<{ BEFORE + BLOCK }>() {
            Some(last) => {
                window = last;
                wanted = !(ends_up_to(BLOCK - taken));
            }
            None => {
                copy_short(rest, &mut padded[BEFORE..BEFORE + taken]);
                window = &padded;
                wanted = ends_up_to(taken);
            }
        }
        if rest.is_empty() || is_cut_at_end(src) {
            return false;
        }
    }
    let Some(mut units) = Units::find::<_, BLOCK>(isa, Window(window), true) else { return false };
    units.ends &= wanted;
    let count = units.count();
    let Some(target) = room.get_mut(..2 * count) else { return false };
    let mut out = [MaybeUninit::uninit(); 2 * BLOCK + 16];
    units.store::<E, BLOCK>(isa, &mut out);
    let (first, second) = target.split_at_mut(target.len().min(64));
    copy_short(&out[..first.len()], first);
    copy_short(&out[first.len()..2 * count], second);
    (cursor.read, cursor.written) = (cursor.read + taken, cursor.written + 2 * count);
    taken > 0 && cursor.read < src.len()
}

/// The first `count` bytes of a block.
#[inline(always)]
const fn ends_up_to(count: usize) -> u64 {
    if count == BLOCK { !0 } else { (1 << count) - 1 }
}

/// Whether the input ends inside a character.
#[inline(always)]
fn is_cut_at_end(src: &[u8]) -> bool {
    match src.last_chunk() {
        Some(last) => is_cut(last),
        None => true, // too short to say: scalar code knows
    }
}

/// Converts all of `src`, which is not longer than `out` has room for, if it is ASCII and at least half a vector.
#[inline(always)]
fn widen_all<S: Lanes, E: Endian>(isa: S, src: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
    let half = S::WIDTH / 2;
    if src.len() < half || !utf8::is_ascii(isa, src) {
        return false;
    }
    let mut at = 0;
    while at < src.len() {
        // The last one overlaps the one before.
        let from = at.min(src.len() - half);
        widen_half::<S, E>(isa, src, from, out, 2 * from);
        at += half;
    }
    true
}
