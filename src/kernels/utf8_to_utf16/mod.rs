//! UTF-8 to UTF-16, validated on the way: blocks of 64 bytes at a fixed stride. UTF-32 is another
//! [`OutputForm`] of the same kernel: see `utf32/from_utf8.rs`.
//!
//! # The problem
//!
//! A character of 1, 2 or 3 bytes becomes one code unit, one of 4 bytes becomes two. The letters stand for bits that
//! are kept; `h` and `l` are those of the upper and the lower byte of the unit:
//!
//! ```text
//! [0lll|llll]                                       ->  [0000|0000|0lll|llll]
//! [110h|hhll] [10ll|llll]                           ->  [0000|0hhh|llll|llll]
//! [1110|hhhh] [10hh|hhll] [10ll|llll]               ->  [hhhh|hhhh|llll|llll]
//! [1111|0aaa] [10bb|bbbb] [10cc|cccc] [10dd|dddd]   ->  [1101|10vv|vvbb|bbcc] [1101|11cc|ccdd|dddd]   v = aaabb - 1
//! ```
//!
//! Two things make that hard for vectors. Where a character is in the input depends on all those before it, and so does
//! where its unit goes in the output. A kernel that moves on by as many bytes as the next few characters take has a
//! chain from each step to the next: load, compare, count, add, load again.
//!
//! # The idea: every byte ends something
//!
//! A block emits the code units of all characters that *end* in it, each at the place of its last byte. The bytes 1, 2
//! and 3 before each byte are loaded from memory, so that only the place in the output is carried from block to block.
//! So the stride is always 64, and the only chain is one addition, for the output.
//!
//! The code unit that would end at each byte is computed for all bytes at once, as if each were the last one of a
//! character. Most of these are nonsense. Then a table shuffles those that count together, 8 at a time.
//!
//! ```text
//! for each block of 64 bytes:
//!     if it is ASCII: zero-extend it
//!     longest = 2, 3 or 4, by the greatest byte in view
//!     for each vector of the block:
//!         low, high = the unit that would end at each byte                by shifts and masks, see below
//!         start = this byte is no continuation
//!         wrong |= start == (a lead byte before asks for a continuation)  and values that no character may have
//!     stop before the block if anything is wrong
//!     ends = start >> 1, with the first bit of the next block             a character ends where the next one starts
//!          | third bytes of 4                                             where the high surrogate goes
//!     for each 8 bytes: store 16 bytes shuffled by table[8 bits of ends], and go on 2 * (ones in them) bytes further
//! ```
//!
//! A character of 4 bytes emits its high surrogate at its third byte and the low one at its fourth.
//!
//! # A unit, step by step
//!
//! For up to 3 bytes (`cur` is the last byte; `prev1` counts only if `cur` is not ASCII):
//!
//! ```text
//! cur & 7F                   [00ll|llll]    of [10ll|llll]; all of [0lll|llll]
//! prev1 << 6                 [ll00|0000]    of [10hh|hhll] or [110h|hhll]
//! low  = both                [llll|llll]
//! prev1 >> 2 & 0F            [0000|hhhh]    of [10hh|hhll]; [0000|0hhh] of [110h|hhll]
//! (prev2 - E0) << 4          [hhhh|0000]    of [1110|hhhh]; the difference is 0 for all that is less
//! high = both                [hhhh|hhhh]
//! ```
//!
//! A fourth byte gets `low` in the same way. Of `high` the lower two bits are right, and `[1101|11cc]` is put above
//! them. A third byte of 4 sees `aaa`, all of `b` and two bits of `c`: 11 bits of the character. 10000 is taken off by
//! adding D7C0 and not D800:
//!
//! ```text
//! low  = C0 + [bbbb|bbcc]
//! high = D7 + [0000|0aaa] + 1 if that was a carry, which it is if bbbb|bbcc is 40 or more
//! ```
//!
//! If all characters have at most 2 bytes, `low` and `high` need not be separate. The two bytes stand side by side as a
//! word, and one multiply-add makes `64 * (lead - C2) + last` of them. The continuation's own 80 makes up for the 2 of
//! C2.
//!
//! # An example
//!
//! `naïve €5 😀` is 16 bytes. `low` and `high` are computed for each; a dot is a bit that is not set:
//!
//! ```text
//!          n  a  ï     v  e     €        5     U+1F600
//! cur     6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98 80
//! prev1   00 6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98
//! prev2   00 00 6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F
//! low     6E 61 43 EF 76 65 20 62 82 AC 35 20 70 1F 3D 00
//! high    00 00 08 00 00 00 00 08 08 20 00 00 08 0C D8 DE
//! start    1  1  1  .  1  1  1  1  .  .  1  1  1  .  .  .
//! inside   .  .  .  1  .  .  .  .  1  1  .  .  .  1  1  1    what lead bytes before ask for: exactly the others
//! ends     1  1  .  1  1  1  1  .  .  1  1  1  .  .  1  1    7B and CE, the first byte being bit 0
//!
//! words   006E 0061 0843 00EF 0076 0065 0020 0862    0882 20AC 0035 0020 0870 0C1F D83D DE00
//! kept    006E 0061 00EF 0076 0065 0020              20AC 0035 0020 D83D DE00
//! ```
//!
//! `words` are `high` and `low` interleaved, and the two rows of the table keep six and five of eight. The first store
//! writes 16 bytes, of which 12 count; the second one begins after these and overwrites the rest.
//!
//! # Why it is right
//!
//! *Structure.* A byte must be a continuation exactly if one of the three before it is a lead byte of a character that
//! reaches it. This is compared for every byte, so all lengths are right.
//!
//! *Values.* What is left are sequences with the right structure and a wrong value. C0 and C1 are found as lead bytes
//! below C2. Otherwise the unit itself tells, at the third byte. After E0, a `high` below 08 is overlong. A `high`
//! from D8 to DF is a surrogate, which only three bytes can encode. The high surrogate of four bytes is from D8 to DB
//! only if the character is from U+10000 to U+10FFFF.
//!
//! *Edges.* A block is checked for the bytes in it, given those before. That its last character goes on in the next
//! block is seen there. At an error, nothing of the block has been written; `boundary` finds where the last whole
//! character before it ends, and takes back a unit that was emitted for half of it. Then `scalar` goes on, finds the
//! error again and describes it. It also goes on where `dst` is full.
//!
//! *Output.* The last shuffled store of a block writes more than the output. Blocks end where that has no room.
//!
//! # What it costs
//!
//! By count, for a vector of 32 bytes with AVX2, with the test for ASCII and the greatest byte (2 more) left out:
//!
//! * up to 2 bytes: 2 loads, 12 operations;
//! * up to 3 bytes: 3 loads, 26 operations;
//! * up to 4 bytes: 4 loads, 48 operations;
//! * and for the output of any: 4 shuffles by a row of the table, 4 stores of 16 bytes.
//!
//! The four shuffles are two instructions on pairs of lanes, and two more put the rows together. With three vector
//! ports (Intel) that is about 5, 10 and 18 cycles for 32 bytes; with four (Zen) less. Four of them interleave or
//! shuffle, for port 5 of Intel cores before Ice Lake: not the limit. Nor are the stores, one or two a cycle; their
//! places come from separate counts of bits, not from a running sum.
//!
//! Text that is nearly all of 3 or of 4 bytes has a loop of its own, two or three times as fast by count: see `run.rs`.
//! Short text and the last bytes: `short.rs`. What a block's units are: `units.rs`.
//!
//! # Where it comes from
//!
//! To decode without branches on lengths, by shuffles looked up in a table: Hiroshi Inoue, Hideaki Komatsu and Toshio
//! Nakatani, *Accelerating UTF-8 decoding using SIMD instructions*, 2008. Daniel Lemire and Wojciech Muła, *Transcoding
//! billions of Unicode characters per second with SIMD instructions*, Software: Practice and Experience 52 (2), 2022,
//! doi:10.1002/spe.3036, arXiv:2109.10433, look up a shuffle by 12 bits, which say where characters end. It brings the
//! bytes of each character together before they are decoded, and the loop moves on by as many bytes as were used. Here,
//! bytes are decoded first, at every byte, and then moved. So the stride is fixed, and the table has 256 rows of 16
//! bytes for each byte order. Merging fields of 6 bits by a multiply-add is known from Muła and Lemire, *Faster Base64
//! encoding and decoding using AVX2 instructions*, 2018, doi:10.1145/3132709.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
mod ill_formed;
pub(super) mod run;
mod short;
pub(super) mod units;

use crate::endian::ByteOrder;
use crate::kernels::validate_utf8::is_cut;
use crate::output::Output;
use crate::report::Reached;
use crate::scalar::{self, is_continuation};
use crate::simd::Lanes;

pub(crate) use ill_formed::{convert_ascii, convert_items};
use run::{FourBytes, ThreeBytes, run};
use short::{REST, SHORT, finish, short, widen_short, widen_vectors};
use units::{Units, Window, longest};

/// What UTF-8 is converted to.
pub(in crate::kernels) trait OutputForm {
    /// Whether a character of 4 bytes has two units.
    const PAIRS: bool;
    /// A mask for third bytes of 4: whether a unit ends there.
    const THIRDS: u64 = if Self::PAIRS { u64::MAX } else { 0 };
    /// Bytes of a unit.
    const UNIT: usize = if Self::PAIRS { 2 } else { 4 };
    /// Bytes after the last unit that `store` may overwrite.
    const SLACK: usize = 8 * Self::UNIT;
    /// Writes the units of `len` bytes contiguously. There is room for [`SLACK`](Self::SLACK) more.
    fn store<S: Lanes>(isa: S, order: ByteOrder, units: &Units<S>, len: usize, out: &mut Output);
    /// Writes the units of what `Run::convert` returns, of pairs or of other words; those of ill-formed ones are any.
    fn store_run<S: Lanes>(isa: S, order: ByteOrder, words: (S::V, S::V), pairs: bool, out: &mut Output);
    /// Zero-extends a byte to the start of `out`.
    fn widen_one(order: ByteOrder, ascii: u8, out: &mut Output);
    /// Zero-extends a block.
    fn widen<S: Lanes>(isa: S, order: ByteOrder, block: &[u8], out: &mut Output);
    /// Zero-extends `src`, 16 to 64 bytes, if it is ASCII. `dst` must have room for it.
    fn widen_last<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> bool;
}

/// UTF-16: a character of 4 bytes has its high surrogate at the third.
struct Utf16;

impl OutputForm for Utf16 {
    const PAIRS: bool = true;

    #[inline(always)]
    fn store<S: Lanes>(isa: S, order: ByteOrder, units: &Units<S>, len: usize, out: &mut Output) {
        units.store_utf16(isa, order, len, out);
    }
    #[inline(always)]
    fn store_run<S: Lanes>(isa: S, order: ByteOrder, (words, _): (S::V, S::V), _: bool, out: &mut Output) {
        isa.store(out, 0, units::words_in_order(isa, order, words));
    }
    #[inline(always)]
    fn widen_one(order: ByteOrder, ascii: u8, out: &mut Output) {
        out.write(&order.bytes(u16::from(ascii)));
    }
    #[inline(always)]
    fn widen<S: Lanes>(isa: S, order: ByteOrder, block: &[u8], out: &mut Output) {
        if S::PREFERS_REGISTERS {
            // Loads everything before storing anything, so that nothing need be loaded again after the test for ASCII.
            let mut vectors = [isa.splat8(0); BLOCK / 16];
            let mut k = 0;
            while k < BLOCK {
                vectors[k / S::WIDTH] = isa.load(block, k);
                k += S::WIDTH;
            }
            let mut k = 0;
            while k < BLOCK {
                let (low, high) = isa.widened(vectors[k / S::WIDTH]);
                isa.store(out, 2 * k, ascii_in_order(isa, order, low));
                isa.store(out, 2 * k + S::WIDTH, ascii_in_order(isa, order, high));
                k += S::WIDTH;
            }
            return;
        }
        let mut k = 0;
        while k < BLOCK {
            widen_half(isa, order, block, k, out, 2 * k);
            k += S::WIDTH / 2;
        }
    }
    #[inline(always)]
    fn widen_last<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> bool {
        for_each_order!(order, widen_vectors(isa, order, src, BLOCK, dst))
    }
}

/// Converts `src` up to about the first error or the end of `dst`.
#[inline(always)]
pub(crate) fn convert<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let len = src.len();
    if len <= SHORT && for_each_order!(order, widen_short(isa, order, src, dst)) {
        path!("short ASCII");
        return Reached { read: len, written: 2 * len };
    }
    convert_to::<S, Utf16>(isa, order, src, dst)
}

/// [`convert`], to any form, but not as fast for short ASCII.
#[inline(always)]
pub(in crate::kernels) fn convert_to<S: Lanes, F: OutputForm>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
) -> Reached {
    if src.len() < 4 {
        // A single character is faster in scalar code.
        Reached::START
    } else if src.len() <= SHORT {
        path!("short");
        short::<S, F>(isa, order, src, dst)
    } else {
        isa.vectorize_with(
            src,
            dst,
            #[inline(always)]
            move |src, dst| long::<S, F>(isa, order, src, dst),
        )
    }
}

/// Converts more than [`SHORT`] bytes, as far as they are well-formed and fit.
#[inline(always)]
fn long<S: Lanes, F: OutputForm>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let mut cursor = Cursor { order, src, read: 0, dst, written: 0, after_blocks: false, runs: OFTEN };
    let mut next = head::<S, F>(isa, &mut cursor);
    loop {
        next = match next {
            Next::Blocks if !S::SMALL => isa.vectorize(
                #[inline(always)]
                || blocks::<S, F, false>(isa, &mut cursor),
            ),
            Next::Blocks | Next::Four => isa.vectorize(
                #[inline(always)]
                || blocks::<S, F, true>(isa, &mut cursor),
            ),
            Next::ThreeOnly => {
                cursor.settle::<F>();
                isa.vectorize(
                    #[inline(always)]
                    || run::<S, F, ThreeBytes>(isa, &mut cursor),
                );
                Next::Blocks
            }
            Next::FourOnly => {
                cursor.settle::<F>();
                isa.vectorize(
                    #[inline(always)]
                    || run::<S, F, FourBytes>(isa, &mut cursor),
                );
                Next::Four
            }
            Next::Edge => {
                let done = src.len() - cursor.read <= REST
                    && isa.vectorize(
                        #[inline(always)]
                        || finish::<S, F>(isa, &mut cursor),
                    );
                if done {
                    path!("the end of a long text");
                    return Reached { read: src.len(), written: cursor.written };
                }
                Next::Stop
            }
            Next::Stop => {
                cursor.settle::<F>();
                return Reached { read: cursor.read, written: cursor.written };
            }
        };
    }
}

/// How far the conversion has got.
struct Cursor<'a> {
    order: ByteOrder,
    src: &'a [u8],
    /// Bytes read.
    read: usize,
    dst: &'a mut Output,
    /// Bytes written.
    written: usize,
    /// After blocks, all units that end before `read` have been written, and a character may be cut there. Otherwise, both
    /// counts are at a character boundary.
    after_blocks: bool,
    /// How often to look for characters of one length: [`OFTEN`] or [`SELDOM`].
    runs: usize,
}

impl Cursor<'_> {
    /// Steps back to a character boundary.
    #[inline(always)]
    fn settle<F: OutputForm>(&mut self) {
        if self.after_blocks {
            let (start, units_after) = boundary::<F>(self.src, self.read);
            self.written -= F::UNIT * units_after;
            (self.read, self.after_blocks) = (start, false);
        }
    }
}

/// What to do next.
enum Next {
    /// Characters of up to 3 bytes follow.
    Blocks,
    /// Characters of up to 4 bytes follow.
    Four,
    /// Only characters of 3 bytes follow, as far as is known.
    ThreeOnly,
    /// Only characters of 4 bytes follow, as far as is known.
    FourOnly,
    /// Less than a block of input or of room is left.
    Edge,
    /// The next block is ill-formed.
    Stop,
}

/// The bytes of a block. It also needs the 3 bytes before it and the 1 after it.
const BLOCK: usize = 64;
const BEFORE: usize = 3;
/// After this many blocks without characters of 4 bytes, no more are expected.
const QUIET: usize = 8;

/// Masks for the number of bytes left: at every fourth block, or every 64th, all of these bits are clear in it. There
/// the kernel looks for a run of characters of 3 bytes. It does so less often once a run had too many breaks to pay.
/// (Counting blocks would slow down all of them.)
const OFTEN: usize = 3 * BLOCK;
const SELDOM: usize = 63 * BLOCK;

/// Converts blocks of ASCII and of characters of up to 3 bytes, or up to 4 if there are some (`FOUR`), or in any case
/// ([`Lanes::SMALL`]).
#[inline(always)]
fn blocks<S: Lanes, F: OutputForm, const FOUR: bool>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let Cursor { order, src, read, ref mut dst, written, mut after_blocks, runs } = *cursor;
    let end = dst.len();
    let mut room = &mut dst[written..];
    let mut start = read;
    if !after_blocks {
        // ASCII after a character boundary needs no lookback.
        start = src.len() - ascii_run::<S, F>(isa, order, &src[read..], &mut room).len();
        (cursor.read, cursor.written) = (start, end - room.len());
    }
    let Some(start) = start.checked_sub(BEFORE) else { return Next::Stop };
    // The rest of the input and the 3 bytes before it.
    let mut view = &src[start..];
    let mut quiet = 0;
    let next = loop {
        let Some(window) = view.get(..BEFORE + BLOCK + 1) else { break Next::Edge };
        if is_ascii(isa, window, BEFORE) {
            if is_cut(window.first_chunk().unwrap()) {
                break Next::Stop;
            }
            if room.len() < F::UNIT * BLOCK {
                break Next::Edge;
            }
            let rest = ascii_run::<S, F>(isa, order, &view[BEFORE..], &mut room);
            view = &view[view.len() - rest.len() - BEFORE..];
            after_blocks = false;
            continue;
        }
        let Some(out) = room.get_mut(..F::UNIT * BLOCK + F::SLACK) else { break Next::Edge };
        let ends_after = !is_continuation(window[BEFORE + BLOCK]);
        let window = Window::new(window);
        let longest = if FOUR && !S::SMALL { 4 } else { longest(isa, window, BLOCK) };
        let units = match longest {
            2 => Units::of_2_bytes::<F, _>(isa, window, BLOCK, ends_after),
            3 if !FOUR => Units::of_more::<F, _>(isa, window, BLOCK, ends_after, false),
            _ if FOUR => Units::of_more::<F, _>(isa, window, BLOCK, ends_after, true),
            _ => break Next::Four,
        };
        let Some(units) = units else { break Next::Stop };
        let count = units.count();
        after_blocks = true;
        F::store(isa, order, &units, BLOCK, out);
        path!(match longest {
            2 => "block of 2 bytes",
            3 => "block of 3 bytes",
            _ => "block of 4 bytes",
        });
        view = &view[BLOCK..];
        room = &mut room[F::UNIT * count..];
        // A character ends at every third byte.
        if longest == 3 && view.len() & runs == 0 && units.ends ^ units.ends << 3 < 0b1000 && (!FOUR || S::SMALL) {
            break Next::ThreeOnly;
        }
        if FOUR {
            // 64 bytes hold 16 characters of 4 bytes. Not `&&`, whose branches would be mispredicted twice.
            if (F::UNIT * count == BLOCK) & (units.thirds.count_ones() == 16) {
                break Next::FourOnly;
            }
            quiet = if units.thirds == 0 { quiet + 1 } else { 0 };
            path!("4 bytes");
            if quiet == QUIET {
                break Next::Blocks;
            }
        }
    };
    (cursor.read, cursor.written) = (src.len() - (view.len() - BEFORE), end - room.len());
    cursor.after_blocks = after_blocks;
    next
}

/// Converts blocks of ASCII at the start of `src`, which is a character boundary, into `room`, which shrinks. Returns
/// the rest of `src`.
#[inline(always)]
fn ascii_run<'a, S: Lanes, F: OutputForm>(
    isa: S,
    order: ByteOrder,
    src: &'a [u8],
    room: &mut &mut Output,
) -> &'a [u8] {
    // Two loops: testing the order for each block would be one instruction in fifteen.
    for_each_order!(order, ascii_run_in::<S, F>(isa, order, src, room))
}

#[inline(always)]
fn ascii_run_in<'a, S: Lanes, F: OutputForm>(
    isa: S,
    order: ByteOrder,
    mut src: &'a [u8],
    room: &mut &mut Output,
) -> &'a [u8] {
    let mut out = core::mem::take(room);
    while let (Some(block), Some(to)) = (src.get(..BLOCK), out.get_mut(..F::UNIT * BLOCK)) {
        if !is_ascii(isa, block, 0) {
            break;
        }
        F::widen(isa, order, block, to);
        path!("ASCII");
        src = &src[BLOCK..];
        out = &mut out[F::UNIT * BLOCK..];
    }
    *room = out;
    src
}

/// The blocks before `at` have emitted all units that end before `at`. Returns where to restart at a character
/// boundary: its offset, at most `at`, and how many code units past it were emitted, none or one.
#[inline(always)]
fn boundary<F: OutputForm>(src: &[u8], at: usize) -> (usize, usize) {
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
    // The character is cut at `at`, or a stray continuation byte follows it. A unit was emitted at its last byte if a
    // character starts after it, and in UTF-16 at the third byte of four; never at both, or it would be complete.
    let ended = !is_continuation(src[at]);
    let high_surrogate = F::PAIRS && len == 4 && at - start >= 3;
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
    !isa.any_high_bit(all)
}

/// Zero-extends the `WIDTH / 2` bytes at `src[from..]` to `out[to..]`.
#[inline(always)]
pub(super) fn widen_half<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    from: usize,
    out: &mut Output,
    to: usize,
) {
    isa.store(out, to, ascii_in_order(isa, order, isa.load_widened(src, from)));
}

/// Zero-extended ASCII in this byte order.
#[inline(always)]
fn ascii_in_order<S: Lanes>(isa: S, order: ByteOrder, words: S::V) -> S::V {
    if order.is_big() { isa.shl16::<8>(words) } else { words }
}

/// Converts the first block, unless it is ASCII.
#[inline(always)]
fn head<S: Lanes, F: OutputForm>(isa: S, cursor: &mut Cursor<'_>) -> Next {
    let (order, src) = (cursor.order, cursor.src);
    let mut room = &mut *cursor.dst;
    cursor.read = src.len() - ascii_run::<S, F>(isa, order, src, &mut room).len();
    cursor.written = F::UNIT * cursor.read;
    if cursor.read > 0 {
        return if src.len() - cursor.read > BLOCK { Next::Blocks } else { Next::Edge };
    }
    let Some(units) = Units::find::<F, _>(isa, Window::at_start(src), BLOCK, !is_continuation(src[BLOCK])) else {
        return Next::Stop;
    };
    let count = units.count();
    let Some(out) = cursor.dst.get_mut(..F::UNIT * count + F::SLACK) else { return Next::Stop };
    F::store(isa, order, &units, BLOCK, out);
    path!("first block");
    (cursor.read, cursor.written, cursor.after_blocks) = (BLOCK, F::UNIT * count, true);
    Next::Blocks
}
