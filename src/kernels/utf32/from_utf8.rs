//! UTF-8 to UTF-32: the kernel to UTF-16 (`utf8_to_utf16`), with other stores.
//!
//! A block has a word for each byte, as there, but a character of 4 bytes has no surrogates. The lower half of its unit is the
//! word at its last byte, and the upper half comes from a second vector. Both go through the table that keeps words, and are
//! then interleaved. In blocks without such characters, words are widened:
//!
//! ```text
//!          é     €        U+1F600
//! bytes    C3 A9 E2 82 AC F0 9F 98 80
//! words       E9      20AC         F600       by the last byte; the others are not kept
//! uppers       0         0            1
//! units    0000_00E9 0000_20AC 0001_F600
//! ```
//!
//! A run of characters of 3 bytes comes as words, and one of 4 bytes as pairs of surrogates; each pair becomes a unit in the same
//! place.

use super::bytes::{widen, widen_64};
use super::{in_order, of_pairs, widened};
use crate::endian::ByteOrder;
use crate::kernels::tables::KEEP_WORDS;
use crate::kernels::utf8_to_utf16::units::{Units, words_in_order};
use crate::kernels::utf8_to_utf16::{OutputForm, convert_to};
use crate::output::Output;
use crate::report::Reached;
use crate::simd::{Lanes, Simd};

/// Converts UTF-8 to UTF-32.
#[inline(always)]
pub(crate) fn from_utf8<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
    let ascii = widen(isa, order, true, src, dst);
    if ascii == src.len() {
        return Reached::after(ascii, 1, 4);
    }
    isa.vectorize_with(
        src,
        dst,
        #[inline(always)]
        move |src, dst| {
            let Reached { read, written } =
                convert_to::<S, Utf32>(isa, order, &src[ascii..], &mut dst[4 * ascii..]);
            Reached { read: ascii + read, written: 4 * ascii + written }
        },
    )
}

/// The lanes of two vectors of words in the order of their bytes, in this byte order.
#[inline(always)]
fn in_turn<S: Lanes>(isa: S, order: ByteOrder, (low, high): (S::V, S::V)) -> [<S::Single as Simd>::V; 4] {
    let [first, third] = isa.split(words_in_order(isa, order, low));
    let [second, fourth] = isa.split(words_in_order(isa, order, high));
    [first, second, third, fourth]
}

/// Writes 8 words, which are in this byte order, as units with upper halves of 0.
#[inline(always)]
fn store_8<S: Lanes>(isa: S, order: ByteOrder, words: <S::Single as Simd>::V, out: &mut Output) {
    let (units, count) = widened::<S, 2>(isa, order, isa.join(words, words));
    let mut k = 0;
    while k < count {
        isa.store(out, k * S::WIDTH, units[k]);
        k += 1;
    }
}

/// UTF-32: a character of 4 bytes has one unit, at the last.
pub(in crate::kernels) struct Utf32;

impl OutputForm for Utf32 {
    const PAIRS: bool = false;

    #[inline(always)]
    fn store<S: Lanes>(isa: S, order: ByteOrder, units: &Units<S>, len: usize, out: &mut Output) {
        let single = isa.single();
        let (mut at, mut k) = (0, 0);
        while k < len {
            let words = in_turn(isa, order, units.words[k / S::WIDTH]);
            let mut uppers = words;
            if let Some(all) = units.uppers {
                uppers = in_turn(isa, order, isa.widened(all[k / S::WIDTH]));
                path!("a vector with upper halves");
            }
            let mut lane = 0;
            while lane < S::WIDTH / 8 {
                let keep = (units.ends >> (k + 8 * lane)) as usize & 0xFF;
                let row = single.load(&KEEP_WORDS.0[keep], 0);
                let (low, high) = (single.shuffle(words[lane], row), single.shuffle(uppers[lane], row));
                if units.uppers.is_none() {
                    store_8(isa, order, low, &mut out[at..]);
                    path!("a lane without upper halves");
                } else {
                    let (low, high) = if order.is_big() { (high, low) } else { (low, high) };
                    single.store(out, at, single.zip_lo16(low, high));
                    single.store(out, at + 16, single.zip_hi16(low, high));
                }
                at += 4 * keep.count_ones() as usize;
                lane += 1;
            }
            k += S::WIDTH;
        }
    }

    #[inline(always)]
    fn store_run<S: Lanes>(isa: S, order: ByteOrder, (words, bad): (S::V, S::V), pairs: bool, out: &mut Output) {
        if pairs {
            isa.store(out, 0, in_order(isa, order, of_pairs(isa, words)));
            path!("a run of pairs");
            return;
        }
        // What is ill-formed may look like a surrogate, and nothing but characters is written as UTF-32.
        let words = words & isa.eq16(bad, isa.splat8(0));
        let [low, high] = isa.split(words_in_order(isa, order, words));
        store_8(isa, order, low, out);
        if S::WIDTH > 16 {
            store_8(isa, order, high, &mut out[32..]);
        }
        path!("a run without pairs");
    }

    #[inline(always)]
    fn widen_one(order: ByteOrder, ascii: u8, out: &mut Output) {
        out.write(&order.bytes_32(u32::from(ascii)));
    }

    #[inline(always)]
    fn widen<S: Lanes>(isa: S, order: ByteOrder, block: &[u8], out: &mut Output) {
        widen_64(isa, order, block, out);
    }

    #[inline(always)]
    fn widen_last<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> bool {
        widen(isa, order, true, src, dst) == src.len()
    }
}
