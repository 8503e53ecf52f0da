//! Runs of characters of 3 or 4 bytes only, and a little ASCII between them: each at its place without a search, faster
//! than blocks.
//!
//! # Three bytes
//!
//! If all characters have 3 bytes, their places are known: 4 to a lane, in 12 bytes of it. One shuffle, `CHARS`, brings
//! bytes of a kind together. Two lanes side by side then have their last and middle bytes in one vector, and their lead
//! bytes in another, as upper bytes of words:
//!
//! ```text
//!               中       文       字       符       4 bytes not used
//! lane          E4 B8 AD E6 96 87 E5 AD 97 E7 AC A6 E3 80 82 61
//! shuffled      AD B8 87 96 97 AD A6 AC     00 E4 00 E6 00 E5 00 E7
//! tails         [10ll|llll] [10hh|hhll]      & 3F; the first + 64 * the second:  [0000|hhhh|llll|llll]
//! leads         [0000|0000] [1110|hhhh]      as a word, << 4:                    [hhhh|0000|0000|0000]
//! units         4E2D 6587 5B57 7B26
//! ```
//!
//! Both are merged by `or`. Bytes that are not of this form, characters below U+0800 and surrogates leave bits in
//! their words.
//!
//! # Four bytes
//!
//! 16 bytes are 4 characters and become 4 pairs, in the same place. As a little-endian number of 32 bits, for U+1F600:
//!
//! ```text
//! [1111|0aaa] [10bb|bbbb] [10cc|cccc] [10dd|dddd]     F0 9F 98 80
//! a * 64 + b, c * 64 + d, as words                    001F 0600
//! less 10 in the first: 10000 is taken off            000F 0600      it must be at most FF
//! first << 2 | second >> 10, second & 3FF             003D 0200
//! with D800 and DC00                                  D83D DE00
//! ```
//!
//! Here a multiply-add joins two fields of 6 bits, as in the parent module.
//!
//! # ASCII between
//!
//! Real text of such scripts has spaces and line ends in it, too. At a vector that is not all good, the characters
//! before the first other one are stored and then up to 8 bytes of ASCII. That is a *break*. It costs a misprediction,
//! for which whole vectors must pay (`COST`, `MAX_BALANCE`). Text with too many breaks goes back to blocks, which then
//! look for runs more seldom.
//!
//! # What it costs
//!
//! By count, with AVX2: 21 operations for 48 bytes of 3, of which 2 shuffle, 2 interleave and 2 put lanes together; 15
//! for 32 bytes of 4. That is 7 and 5 cycles on three vector ports, where a block would take about 15 and 18. There is
//! no mask and no chain, and the one branch is easily predicted.

use super::{Cursor, OutputForm, SELDOM};
use crate::endian::ByteOrder;
use crate::parts::Parts;
use crate::scalar::NOT_ASCII;
use crate::simd::Lanes;

#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/runs.rs"]
mod proof;

/// A conversion of characters of a single length, from a character boundary on.
pub(super) trait Run {
    /// The bytes of a character in UTF-8 and in UTF-16.
    const FROM: usize;
    const TO: usize;
    /// Converts as many characters at the start of `window` as make a vector. Returns their words, little-endian, and
    /// a vector that is nonzero in the words of each that is ill-formed or of another length.
    fn convert<S: Lanes>(isa: S, window: &[u8]) -> (S::V, S::V);
}

pub(super) struct ThreeBytes;
pub(super) struct FourBytes;

impl Run for ThreeBytes {
    const FROM: usize = 3;
    const TO: usize = 2;

    #[inline(always)]
    fn convert<S: Lanes>(isa: S, window: &[u8]) -> (S::V, S::V) {
        // 4 characters, 12 bytes, per lane; the last 4 bytes of each load are not used. Last and middle bytes go to
        // the first half, leads, as the upper byte of a word, to the second.
        const CHARS: [u8; 16] = [2, 1, 5, 4, 8, 7, 11, 10, 0x80, 0, 0x80, 3, 0x80, 6, 0x80, 9];
        let a = isa.shuffle(isa.load_lanes(window, 0, 24), isa.lanes(CHARS));
        let b = isa.shuffle(isa.load_lanes(window, 12, 24), isa.lanes(CHARS));
        let (tails, leads) = (isa.zip_lo64(a, b), isa.zip_hi64(a, b));
        let structure = (tails & isa.splat8(0b1100_0000) ^ isa.splat8(0b1000_0000))
            | (leads & isa.splat16(0xF000) ^ isa.splat16(0xE000));
        let words = isa.mul_add8(tails & isa.splat8(0b0011_1111), isa.splat16(0x4001)) | isa.shl16::<4>(leads);
        // Values below 0800 are overlong, those from D800 to DFFF are surrogates.
        let min = isa.min_u16(words, words ^ isa.splat16(0xD800));
        (words, structure | isa.eq16(isa.min_u16(min, isa.splat16(0x7FF)), min))
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
        // aaabbbbbb and ccccccdddddd; after 1_0000 is subtracted, the first must be at most FF.
        let halves = isa.mul_add8(chars & isa.splat32(0x3F3F_3F07), isa.splat32(0x0140_0140));
        let halves = isa.sub16(halves, isa.splat32(0x0000_0010));
        // 110110aabbbbbbcc 110111ccccdddddd
        let high = (isa.shl16::<2>(halves) | isa.shr32::<26>(halves)) & isa.splat32(0x0000_03FF);
        let low = halves & isa.splat32(0x03FF_0000);
        (high | low | isa.splat32(0xDC00_D800), structure | halves & isa.splat32(0x0000_FF00))
    }
}

/// How many vectors pay for a break between them, which costs a misprediction and more.
const COST: usize = 4;
/// The maximum number that counts, however many there were.
const MAX_BALANCE: usize = 5 * COST;

/// Converts characters of one length, and a little ASCII between them, from a character boundary on.
#[inline(always)]
pub(super) fn run<S: Lanes, F: OutputForm, R: Run>(isa: S, cursor: &mut Cursor<'_>) {
    let order = cursor.order;
    for_each_order!(order, run_in::<S, F, R>(isa, order, cursor))
}

/// [`run`] in byte order `order`.
#[inline(always)]
fn run_in<S: Lanes, F: OutputForm, R: Run>(isa: S, order: ByteOrder, cursor: &mut Cursor<'_>) {
    /// At least as many units as a break writes: those of a vector, and 8 after its good characters, which are at most 15.
    const ROOM: usize = 24;
    let Cursor { src, mut read, ref mut dst, mut written, .. } = *cursor;
    // The characters of a vector, and the bytes of one in this form.
    let (chars, unit) = (S::WIDTH / R::TO, if F::PAIRS { R::TO } else { F::UNIT });
    // The vectors that may pay for breaks.
    let mut balance = MAX_BALANCE;
    while let (Some(window), Some(out)) =
        (src.part_at(read, chars * R::FROM + 8), dst.part_at(written, F::UNIT * ROOM))
    {
        let (words, bad) = R::convert(isa, window);
        if isa.is_zero(bad) {
            F::store_run(isa, order, (words, bad), R::TO == 4, out);
            path!(if R::FROM == 3 { "3 bytes only" } else { "4 bytes only" });
            (read, written, balance) = (read + chars * R::FROM, written + chars * unit, balance + 1);
            continue;
        }
        let good = !isa.bitmask(isa.eq8(bad, isa.splat8(0)));
        let good = good.trailing_zeros() as usize / R::TO;
        let next = good * R::FROM;
        let ascii: [u8; 8] = *window.expect_chunk(next);
        let count = (u64::from_le_bytes(ascii) & NOT_ASCII).trailing_zeros() as usize / 8;
        if count == 0 {
            break;
        }
        if balance < COST {
            path!("too broken a run");
            cursor.runs = SELDOM;
            break;
        }
        balance = balance.min(MAX_BALANCE) - COST;
        F::store_run(isa, order, (words, bad), R::TO == 4, out);
        let out = out.expect_part(good * unit, 8 * F::UNIT);
        let mut at = 0;
        while at < ascii.len() {
            F::widen_one(order, ascii[at], &mut out[F::UNIT * at..]);
            at += 1;
        }
        path!("ASCII in a run");
        (read, written) = (read + next + count, written + good * unit + F::UNIT * count);
    }
    (cursor.read, cursor.written) = (read, written);
}
