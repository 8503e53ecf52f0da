//! The masks from which [`Borders`] tells where the rows of a column end up.
//!
//! A mask has a bit for each byte. In UTF-8, masks have the starts of characters, and of those of 4 bytes. In UTF-16,
//! they have the units from U+0080 on, those from U+0800 on, and low surrogates. The sums are those of `count`: there
//! over a whole text, here up to each border.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use crate::borders::Borders;
use crate::endian::ByteOrder;
use crate::kernels::masks;
use crate::kernels::validate_utf16::{low, matches};
use crate::simd::Lanes;

#[inline(always)]
pub(crate) fn utf8<S: Lanes>(isa: S, src: &[u8], borders: &mut Borders) -> bool {
    let (blocks, end) = src.as_chunks();
    let mut k = 0;
    while k < blocks.len() {
        let (first, second) = masks::utf8(isa, &blocks[k]);
        borders.set(k, first, second);
        k += 1;
    }
    borders.set_end(
        k,
        end,
        #[inline(always)]
        |end| masks::utf8(isa, end),
    );
    borders.place(src.len())
}

#[inline(always)]
pub(crate) fn utf16<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], borders: &mut Borders) -> bool {
    let (blocks, end) = src.as_chunks();
    let mut k = 0;
    while k < blocks.len() {
        let (first, second) = masks_utf16(isa, order, &blocks[k]);
        borders.set(k, first, second);
        k += 1;
    }
    borders.set_end(
        k,
        end,
        #[inline(always)]
        |end| masks_utf16(isa, order, end),
    );
    borders.place(src.len())
}

#[inline(always)]
fn masks_utf16<S: Lanes>(isa: S, order: ByteOrder, block: &[u8; 64]) -> (u64, u64) {
    let (mut no_more, mut lows) = (isa.empty_mask(), isa.empty_mask());
    let mut k = 0;
    while k < 64 {
        let units = isa.load(block, k);
        let below_80 = matches(isa, order, units, 0xFF80, 0);
        let one_more_at_most = matches(isa, order, units, 0xF800, 0) | matches(isa, order, units, 0xF800, 0xD800);
        // One byte of each unit for either.
        let both = below_80 & isa.splat16(0x00FF) | one_more_at_most & isa.splat16(0xFF00);
        no_more = isa.add_to_mask(no_more, k, both);
        lows = isa.add_to_mask(lows, k, low(isa, order, units));
        k += S::WIDTH;
    }
    (!isa.finished_mask(no_more), isa.finished_mask(lows))
}
