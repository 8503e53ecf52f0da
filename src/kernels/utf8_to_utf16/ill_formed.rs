//! Windows of UTF-8 that may be ill-formed, to UTF-16 with U+FFFD for ill-formed sequences.
//!
//! `repair` has found the items of a window: which bytes start a character or an ill-formed sequence. With that known,
//! the kernel for well-formed text does the rest:
//!
//! 1. Ill-formed bytes are cleared. A 0 is ASCII, asks for nothing and ends a unit by itself, so the window is
//!    well-formed now, and nothing that was beside an error is read wrongly.
//! 2. Units are computed as in any block. But where they end is taken from the items, not from the text: one unit for
//!    each item, at its last byte (and the high surrogates).
//! 3. U+FFFD is written over the units of the items that were ill-formed. Where each of them is in the output is a
//!    count of the ends before it.
//!
//! ```text
//! bytes        61 E2 82 62 F0 9F 98 80       E2 82 lacks a byte
//! items         1  2  2  3  4  4  4  4
//! cleared      61 00 00 62 F0 9F 98 80
//! ends          1  .  1  1  .  .  1  1       of E2 82 at 82; the third byte of 4 has the high surrogate
//! units        0061 0000 0062 D83D DE00
//! replaced     0061 FFFD 0062 D83D DE00
//! ```
//!
//! If every byte is an item by itself, as in ASCII with a bad byte here and there, the bytes are just zero-extended.
//!
//! The cost is that of a block, one `and` for each vector to clear bytes, and a few scalar instructions for each error.
//! So damage is dealt with in masks, by `repair`, and the fast kernel need not know of it.

use super::units::{Units, Vectors};
use super::{BLOCK, OutputForm as _, Utf16, ascii_run};
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::replacement::{Items, WINDOW};
use crate::simd::{Lanes, SLACK};

/// A window on its own: nothing comes before it, and bytes without meaning are 0, so that they have no effect below.
#[inline(always)]
fn cleared<S: Lanes>(isa: S, window: &[u8; WINDOW], meaningless: u64) -> Vectors<S> {
    let mut vectors = [isa.splat8(0); WINDOW / 16];
    let mut k = 0;
    while k < WINDOW {
        vectors[k / S::WIDTH] = isa.load(window, k) & without(isa, meaningless >> k);
        k += S::WIDTH;
    }
    Vectors(vectors)
}

/// `FF` in each byte whose bit in `bits` is clear.
#[inline(always)]
fn without<S: Lanes>(isa: S, bits: u64) -> S::V {
    const BYTE: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let single = isa.single();
    let bits = isa.join(single.splat16(bits as u16), single.splat16((bits >> 16) as u16));
    isa.eq8(isa.shuffle(bits, isa.lanes(BYTE)) & isa.lanes(BIT), isa.splat8(0))
}

/// Converts the items of a window that starts with `src`, if there is room, with U+FFFD for ill-formed ones. Returns
/// the number of bytes written.
#[inline(always)]
pub(crate) fn convert_items<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    items: Items,
    dst: &mut Output,
) -> Option<usize> {
    if items.starts == u64::MAX
        && let (Some(window), Some(out)) = (src.first_chunk::<WINDOW>(), dst.first_chunk_mut::<{ 2 * WINDOW }>())
        && items.end == WINDOW
    {
        path!("a code unit for each byte");
        for_each_order!(order, Utf16::widen(isa, order, window, out));
        replace(order, u64::MAX, items.ill_formed, out);
        return Some(2 * WINDOW);
    }
    let ill_formed = items.ill_formed_bytes();
    let meaningless = ill_formed | !items.bytes();
    let view = match src.first_chunk() {
        Some(window) => cleared(isa, window, meaningless),
        None => {
            let mut window = [0; WINDOW];
            Output::over(&mut window[..src.len()]).copy_short(src);
            cleared(isa, &window, meaningless)
        }
    };
    let mut units = Units::find::<Utf16, _>(isa, view, BLOCK, true)?;
    let ends = items.ends();
    units.ends = ends | units.thirds;
    let written = 2 * units.count();
    if let Some(out) = dst.get_mut(..written + SLACK) {
        units.store_utf16(isa, order, BLOCK, out);
        replace(order, units.ends, ends & ill_formed, out);
    } else {
        let dst = dst.get_mut(..written)?;
        let mut bytes = [0; 2 * WINDOW + SLACK];
        let out = Output::over(&mut bytes);
        units.store_utf16(isa, order, BLOCK, out);
        replace(order, units.ends, ends & ill_formed, out);
        dst.write(&bytes[..written]);
        path!("a window just before the end of the output");
    }
    path!("a window");
    Some(written)
}

/// Writes U+FFFD over the units that end at the bytes in `replaced`.
#[inline(always)]
fn replace(order: ByteOrder, ends: u64, mut replaced: u64, out: &mut Output) {
    while replaced != 0 {
        let before = ends & (replaced - 1) & !replaced;
        out[2 * before.count_ones() as usize..].write(&order.bytes(0xFFFD));
        replaced &= replaced - 1;
    }
}

/// Converts the ASCII at the start of `src[read..]`. Returns the number of bytes read, in whole blocks.
#[inline(always)]
pub(crate) fn convert_ascii<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    read: usize,
    written: usize,
) -> usize {
    let (src, mut room) = (&src[read..], &mut dst[written..]);
    src.len() - ascii_run::<S, Utf16>(isa, order, src, &mut room).len()
}
