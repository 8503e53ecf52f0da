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
use crate::utf8::{self, is_cut};

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
    let mut cursor = Cursor { src, read: 0, dst, written: 0, saved: None, runs: OFTEN };
    let mut next = Next::Blocks;
    loop {
        if src.len() - cursor.read <= BLOCK {
            next = Next::Edge;
        }
        next = match next {
            Next::Blocks => isa.vectorize(
                #[inline(always)]
                || blocks::<S, E, false>(isa, &mut cursor),
            ),
            Next::Four => isa.vectorize(
                #[inline(always)]
                || blocks::<S, E, true>(isa, &mut cursor),
            ),
            Next::ThreeOnly => {
                cursor.settle();
                isa.vectorize(
                    #[inline(always)]
                    || run::<S, E, ThreeBytes>(isa, &mut cursor),
                );
                Next::Blocks
            }
            Next::FourOnly => {
                cursor.settle();
                isa.vectorize(
                    #[inline(always)]
                    || run::<S, E, FourBytes>(isa, &mut cursor),
                );
                Next::Four
            }
            Next::Edge => {
                cursor.settle();
                let more = isa.vectorize(
                    #[inline(always)]
                    || edge::<S, E>(isa, &mut cursor),
                );
                if !more {
                    break;
                }
                Next::Blocks
            }
            Next::Stop => {
                cursor.settle();
                break;
            }
        };
    }
    let Cursor { read, dst, written, .. } = cursor;
    if read == src.len() {
        return Conversion { read, written, stop: Stop::Complete };
    }
    scalar::utf8_to_utf16_from::<E>(src, dst, read, written)
}

/// How far the conversion has come.
struct Cursor<'a> {
    src: &'a [u8],
    /// Bytes read.
    read: usize,
    dst: &'a mut [MaybeUninit<u8>],
    /// Bytes written.
    written: usize,
    /// After blocks: what is to be put back. All units that end before `read` are written then, and a character may
    /// be cut there. Otherwise both counts are at a character boundary.
    saved: Option<Saved>,
    /// How seldom to look for characters of one length: [`OFTEN`] or [`SELDOM`].
    runs: usize,
}

/// What the stores of a block overwrote from one unit before the end of its output on. The last store ends less than 14
/// bytes after it, since 8 bytes of UTF-8 have at least two code units; and one unit may have to be taken back. What the
/// block before has overwritten ends before that: a block has at least 21 units.
type Saved = [MaybeUninit<u8>; SAVED];
const SAVED: usize = 16;

impl Cursor<'_> {
    /// Puts back what was overwritten, and goes back to a character boundary.
    #[inline(always)]
    fn settle(&mut self) {
        let Some(saved) = self.saved.take() else { return };
        let (start, units_after) = boundary(self.src, self.read);
        let target: &mut Saved = self.dst[self.written - 2..].first_chunk_mut().unwrap();
        let last = [target[0], target[1]];
        *target = saved;
        if units_after > 0 {
            self.written -= 2;
        } else {
            [target[0], target[1]] = last;
        }
        self.read = start;
    }
}

/// What to do next.
enum Next {
    /// Characters of up to 3 bytes follow.
    Blocks,
    /// Characters of up to 4 bytes follow.
    Four,
    /// Characters of 3 bytes only follow, as far as one can see.
    ThreeOnly,
    /// Characters of 4 bytes only follow, as far as one can see.
    FourOnly,
    /// There are less than a block's bytes, or room for them, left; or there are not yet 3 bytes before the block.
    Edge,
    /// The next block is ill-formed.
    Stop,
}

/// Bytes in a block, and in what it needs to see: 3 before it, 1 after it.
const BLOCK: usize = 64;
const BEFORE: usize = 3;
/// Blocks without characters of 4 bytes after which no more are expected.
const QUIET: usize = 8;

/// No bit of these is set in what is left of the input at every fourth block, or every 64th.
const OFTEN: usize = 3 * BLOCK;
const SELDOM: usize = 63 * BLOCK;

/// Blocks of ASCII and of characters of up to 3 bytes, or up to 4 if there are some (`FOUR`).
#[inline(always)]
fn blocks<S: Lanes, E: Endian, const FOUR: bool>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { src, read, ref mut dst, written, mut saved, runs } = *cursor;
    let end = dst.len();
    let mut room = &mut dst[written..];
    let mut start = read;
    if saved.is_none() {
        // ASCII from a character boundary on needs nothing before it.
        start = src.len() - ascii_run::<S, E>(isa, &src[read..], &mut room).len();
        (cursor.read, cursor.written) = (start, end - room.len());
    }
    let Some(start) = start.checked_sub(BEFORE) else { return Next::Edge };
    // The rest of the input and the 3 bytes before it.
    let mut view = &src[start..];
    let mut quiet = 0;
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
        let window = Window(window);
        let longest = if FOUR { 4 } else { longest::<S, _, BLOCK>(isa, window) };
        let units = match longest {
            2 => Units::of_2_bytes::<_, BLOCK>(isa, window, ends_after),
            3 => Units::of_more::<_, BLOCK, false>(isa, window, ends_after),
            _ if FOUR => Units::of_more::<_, BLOCK, true>(isa, window, ends_after),
            _ => break Next::Four,
        };
        let Some(units) = units else { break Next::Stop };
        let count = units.count();
        saved = Some(*out[2 * count - 2..].first_chunk().unwrap());
        units.store::<E, BLOCK>(isa, out);
        view = &view[BLOCK..];
        room = &mut room[2 * count..];
        if FOUR {
            // 64 bytes hold 16 characters of 4 bytes.
            let only_pairs = (count == 32) & (units.thirds.count_ones() == 16);
            if only_pairs {
                break Next::FourOnly;
            }
            quiet = if units.thirds == 0 { quiet + 1 } else { 0 };
            if quiet == QUIET {
                break Next::Blocks;
            }
        } else if longest == 3 && view.len() & runs == 0 && units.ends ^ units.ends << 3 < 0b1000 {
            // Every third byte ends a character.
            break Next::ThreeOnly;
        }
    };
    (cursor.read, cursor.written) = (src.len() - (view.len() - BEFORE), end - room.len());
    cursor.saved = saved;
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
}

/// The block at byte 3 of these.
#[derive(Clone, Copy)]
struct Window<'a>(&'a [u8]);

impl View for Window<'_> {
    #[inline(always)]
    fn back<const N: usize, S: Lanes>(self, isa: S, k: usize) -> S::V {
        isa.load(self.0, BEFORE + k - N)
    }
}

/// How long the longest character may be: 2, 3 or 4 bytes.
///
/// All bytes up to the last but one count: the last byte is in view of the next block.
#[inline(always)]
fn longest<S: Lanes, T: View, const LEN: usize>(isa: S, view: T) -> u8 {
    let mut greatest = view.back::<3, S>(isa, 0);
    let mut k = 0;
    while k < LEN {
        greatest = isa.max_u8(greatest, view.back::<1, S>(isa, k));
        k += S::WIDTH;
    }
    if isa.is_zero(isa.subs_u8(greatest, isa.splat8(0xDF))) {
        2
    } else if isa.is_zero(isa.subs_u8(greatest, isa.splat8(0xEF))) {
        3
    } else {
        4
    }
}

/// The code units that end in a block of well-formed UTF-8.
struct Units<S: Lanes> {
    /// The unit that would end at each byte: 8 words to a lane, as `zip_lo8` and `zip_hi8` leave them.
    words: [(S::V, S::V); BLOCK / 16],
    /// The bytes at which one ends.
    ends: u64,
    /// Those of them that are the third of 4.
    thirds: u64,
}

/// What is checked of each byte is whether it may follow the 3 before it, and whether a character in whose third byte one
/// can see it is in range. `ends_after` says whether the byte after the block is no continuation.
impl<S: Lanes> Units<S> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.ends.count_ones() as usize
    }

    /// Those of a block of characters of any length.
    #[inline(always)]
    fn find<T: View, const LEN: usize>(isa: S, view: T, ends_after: bool) -> Option<Self> {
        match longest::<S, T, LEN>(isa, view) {
            2 => Self::of_2_bytes::<T, LEN>(isa, view, ends_after),
            3 => Self::of_more::<T, LEN, false>(isa, view, ends_after),
            _ => Self::of_more::<T, LEN, true>(isa, view, ends_after),
        }
    }

    /// Those of characters of up to 2 bytes.
    #[inline(always)]
    fn of_2_bytes<T: View, const LEN: usize>(isa: S, view: T, ends_after: bool) -> Option<Self> {
        let mut words = [(isa.splat8(0), isa.splat8(0)); BLOCK / 16];
        let mut starts = 0;
        let mut right = isa.splat8(0xFF);
        let mut least_lead = isa.splat8(0);
        let mut k = 0;
        while k < LEN {
            let (cur, prev1) = (view.back::<0, S>(isa, k), view.back::<1, S>(isa, k));
            let start = isa.gt_i8(cur, isa.splat8(0xBF));
            starts |= isa.bitmask(start) << k;
            let lead_before = from(isa, prev1, 0xC0);
            right = right & (start ^ lead_before);
            least_lead = isa.min_i8(least_lead, lead_before);
            // 64 * (lead - C2) + last: the continuation's own 80 makes up for the 2 of C2. What is before
            // an ASCII byte is no lead, and less than C2: 0.
            let word = |zipped| isa.mul_add8(isa.subs_u8(zipped, isa.splat16(0xC200)), isa.splat16(0x4001));
            words[k / S::WIDTH] = (word(isa.zip_lo8(cur, prev1)), word(isa.zip_hi8(cur, prev1)));
            k += S::WIDTH;
        }
        let wrong = right ^ isa.splat8(0xFF) | overlong_2(isa, least_lead);
        (isa.bitmask(wrong) == 0).then_some(Self { words, ends: ends::<LEN>(starts, ends_after), thirds: 0 })
    }

    /// Those of characters of up to 3 bytes, or 4 (`FOUR`).
    ///
    /// The low and the high byte of the unit that ends at each byte are computed apart, as
    /// `1110hhhh 10hhhhll 10llllll`, `110hhhll 10llllll`, `0lllllll`.
    #[inline(always)]
    fn of_more<T: View, const LEN: usize, const FOUR: bool>(isa: S, view: T, ends_after: bool) -> Option<Self> {
        let mut words = [(isa.splat8(0), isa.splat8(0)); BLOCK / 16];
        let (mut starts, mut thirds) = (0, 0);
        let mut right = isa.splat8(0xFF);
        let mut least_lead = isa.splat8(0);
        let mut least = isa.splat8(0xFF);
        let mut greatest_high = isa.splat8(0);
        let mut k = 0;
        while k < LEN {
            let cur = view.back::<0, S>(isa, k);
            let (prev1, prev2) = (view.back::<1, S>(isa, k), view.back::<2, S>(isa, k));
            let start = isa.gt_i8(cur, isa.splat8(0xBF));
            starts |= isa.bitmask(start) << k;
            let lead_before = from(isa, prev1, 0xC0);
            let mut inside = lead_before | from(isa, prev2, 0xE0);

            // The byte before counts only if this one is a continuation, which in well-formed text is if it is not
            // ASCII, or a lead, at which nothing ends.
            let second = prev1 & isa.gt_i8(isa.splat8(0), cur);
            let mut low = cur & isa.splat8(0x7F) | isa.shl16::<6>(second) & isa.splat8(0xC0);
            // Saturation leaves the 4 bits of a lead of 3 bytes and makes anything less 0.
            let lead = isa.shl16::<4>(isa.subs_u8(prev2, isa.splat8(0xE0)));
            let lead = if FOUR { lead & isa.splat8(0xF0) } else { lead };
            let mut high = isa.shr16::<2>(second) & isa.splat8(0x0F) | lead;
            // A third byte: lead E0 and a value below 0800; or a value from D800 to DFFF, which only 3 bytes can make.
            let overlong = prev2 ^ isa.splat8(0xE0) | high;
            let surrogate = high ^ isa.splat8(0xD8);
            least = isa.min_u8(least, isa.min_u8(overlong, surrogate));

            if FOUR {
                let fourth = from(isa, view.back::<3, S>(isa, k), 0xF0);
                let third = from(isa, prev2, 0xF0);
                inside = inside | fourth;
                thirds |= isa.bitmask(third) << k;
                // Fourth byte: the low surrogate, 110111ll with the low two bits of `high`.
                high = isa.select(fourth, high & isa.splat8(0b11) | isa.splat8(0xDC), high);
                // Third byte: the high surrogate, D7C0 + (value >> 10), that is D7C0 + the 11 bits `aaa bbbbbb cc`
                // of 11110aaa 10bbbbbb 10cc....; C0 carries into the upper byte if bbbbbbcc is 40 or more.
                let bits = isa.shl16::<2>(prev1) & isa.splat8(0xFC) | isa.shr16::<4>(cur) & isa.splat8(0b11);
                let carry = isa.gt_i8(prev1, isa.splat8(0x8F));
                let upper = isa.sub8(isa.add8(prev2, isa.splat8(0xD7u8.wrapping_sub(0xF0))), carry);
                // From D8 to DB if the value is in range.
                let above = isa.select(third, isa.sub8(upper, isa.splat8(0xD8)), isa.splat8(0));
                greatest_high = isa.max_u8(greatest_high, above);
                low = isa.select(third, isa.add8(bits, isa.splat8(0xC0)), low);
                high = isa.select(third, upper, high);
            }
            right = right & (start ^ inside);
            least_lead = isa.min_i8(least_lead, lead_before);
            words[k / S::WIDTH] = (isa.zip_lo8(low, high), isa.zip_hi8(low, high));
            k += S::WIDTH;
        }
        let out_of_range = isa.eq8(isa.min_u8(least, isa.splat8(7)), least);
        let wrong = right ^ isa.splat8(0xFF) | overlong_2(isa, least_lead) | out_of_range;
        let valid = isa.bitmask(wrong) == 0 && (!FOUR || isa.is_zero(greatest_high & isa.splat8(0xFC)));
        valid.then_some(Self { words, ends: ends::<LEN>(starts, ends_after) | thirds, thirds })
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

/// Where characters end that start at `starts` of a block.
#[inline(always)]
fn ends<const LEN: usize>(starts: u64, ends_after: bool) -> u64 {
    // `starts >> 1 | ends_after << (LEN - 1)`, but a double shift, which it would become, is slow on AMD.
    let rotated = (starts & !1 | u64::from(ends_after)).rotate_right(1);
    if LEN == 64 { rotated } else { rotated | rotated >> (64 - LEN) }
}

/// Bit 7 is set where a byte is at least `lead`, which is C0, E0 or F0.
#[inline(always)]
fn from<S: Lanes>(isa: S, bytes: S::V, lead: u8) -> S::V {
    isa.subs_u8(bytes, isa.splat8(lead - 0x80))
}

/// Bit 7 is set somewhere if `least`, the least of [`from`] C0 as signed bytes, comes from C0 or C1.
#[inline(always)]
fn overlong_2<S: Lanes>(isa: S, least: S::V) -> S::V {
    isa.gt_i8(isa.splat8(0x82), least)
}

/// Characters that are all of one length, converted from a character boundary on.
trait Run {
    /// Bytes of a character in UTF-8 and in UTF-16.
    const FROM: usize;
    const TO: usize;
    /// Converts the characters at the start of `window` that make a vector. Returns their words, little-endian, and
    /// something that is not 0 in the words of each that is ill-formed or of another length.
    fn convert<S: Lanes>(isa: S, window: &[u8]) -> (S::V, S::V);
}

struct ThreeBytes;
struct FourBytes;

impl Run for ThreeBytes {
    const FROM: usize = 3;
    const TO: usize = 2;

    #[inline(always)]
    fn convert<S: Lanes>(isa: S, window: &[u8]) -> (S::V, S::V) {
        // 4 characters of 12 bytes to a lane; the last 4 bytes of each load are not used. Last and middle bytes go to
        // the first half, leads, as the upper byte of a word, to the second.
        const CHARS: [u8; 16] = [2, 1, 5, 4, 8, 7, 11, 10, 0x80, 0, 0x80, 3, 0x80, 6, 0x80, 9];
        let a = isa.shuffle(isa.load_lanes(window, 0, 24), isa.lanes(CHARS));
        let b = isa.shuffle(isa.load_lanes(window, 12, 24), isa.lanes(CHARS));
        let (tails, leads) = (isa.zip_lo64(a, b), isa.zip_hi64(a, b));
        let structure = (tails & isa.splat8(0b1100_0000) ^ isa.splat8(0b1000_0000))
            | (leads & isa.splat16(0xF000) ^ isa.splat16(0xE000));
        let words = isa.mul_add8(tails & isa.splat8(0b0011_1111), isa.splat16(0x4001)) | isa.shl16::<4>(leads);
        // Below 0800 is overlong, D800 to DFFF is a surrogate.
        let least = isa.min_u16(words, words ^ isa.splat16(0xD800));
        (words, structure | isa.eq16(isa.min_u16(least, isa.splat16(0x7FF)), least))
    }
}

impl Run for FourBytes {
    const FROM: usize = 4;
    const TO: usize = 4;

    #[inline(always)]
    fn convert<S: Lanes>(isa: S, window: &[u8]) -> (S::V, S::V) {
        let chars = isa.load(window, 0);
        // 11110aaa 10bbbbbb 10cccccc 10dddddd, as little-endian numbers.
        let structure = chars & isa.splat32(0xC0C0_C0F8) ^ isa.splat32(0x8080_80F0);
        // aaabbbbbb and ccccccdddddd; less 1_0000 the first must be at most FF.
        let halves = isa.mul_add8(chars & isa.splat32(0x3F3F_3F07), isa.splat32(0x0140_0140));
        let halves = isa.sub16(halves, isa.splat32(0x0000_0010));
        // 110110aabbbbbbcc 110111ccccdddddd
        let high = (isa.shl16::<2>(halves) | isa.shr32::<26>(halves)) & isa.splat32(0x0000_03FF);
        let low = halves & isa.splat32(0x03FF_0000);
        (high | low | isa.splat32(0xDC00_D800), structure | halves & isa.splat32(0x0000_FF00))
    }
}

/// How many vectors it takes to make up for a break between them.
const COST: usize = 4;
const MOST: usize = 5 * COST;

/// Characters of one length, and a little ASCII between them, from a character boundary on.
#[inline(always)]
fn run<S: Lanes, E: Endian, R: Run>(isa: S, cursor: &mut Cursor<'_>) {
    /// Bytes that a vector and 8 characters of ASCII overwrite, at most.
    const ROOM: usize = 48;
    let Cursor { src, mut read, ref mut dst, mut written, .. } = *cursor;
    let bytes = S::WIDTH / R::TO * R::FROM;
    // What was overwritten after the end of the output, and where, if the last vector was not all used.
    let mut undo = None;
    // Vectors that paid for breaks, and those at the last break.
    let (mut balance, mut spent) = (MOST, 0);
    while let (Some(window), Some(out)) = (src[read..].get(..bytes + 8), dst[written..].first_chunk_mut::<ROOM>()) {
        let (words, bad) = R::convert(isa, window);
        if isa.is_zero(bad) {
            isa.store(out, 0, in_order::<S, E>(isa, words));
            (read, written, balance) = (read + bytes, written + S::WIDTH, balance + 1);
            continue;
        }
        let good = !isa.bitmask(isa.eq8(bad, isa.splat8(0)));
        let good = good.trailing_zeros() as usize & !(R::TO - 1);
        let next = good / R::TO * R::FROM;
        let ascii: [u8; 8] = *window[next..].first_chunk().unwrap();
        let count = (u64::from_le_bytes(ascii) & NOT_ASCII).trailing_zeros() as usize / 8;
        if count == 0 {
            break;
        }
        // What the last break overwrote, a whole vector must have overwritten before the next.
        if balance < COST || balance == spent {
            cursor.runs = SELDOM;
            break;
        }
        balance = balance.min(MOST) - COST;
        spent = balance;
        undo = Some((written, *out));
        isa.store(out, 0, in_order::<S, E>(isa, words));
        for (to, byte) in out[good..][..16].as_chunks_mut::<2>().0.iter_mut().zip(ascii) {
            *to = E::bytes(u16::from(byte)).map(MaybeUninit::new);
        }
        (read, written) = (read + next + count, written + good + 2 * count);
    }
    if let Some((at, overwritten)) = undo && written - at < ROOM {
        let kept = written - at;
        dst[written..at + ROOM].copy_from_slice(&overwritten[kept..]);
    }
    (cursor.read, cursor.written) = (read, written);
}

/// Bit 7 of each byte: set in none of 8 ASCII bytes.
const NOT_ASCII: u64 = 0x8080_8080_8080_8080;

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
