//! The masks of [`Borders`] in plain Rust.

use super::masks::{masks, tops_utf8};
use crate::borders::Borders;
use crate::endian::ByteOrder;

#[inline(never)]
pub(crate) fn utf8_borders(src: &[u8], borders: &mut Borders) -> bool {
    let masks = |block: &[u8; 64]| masks(block, tops_utf8);
    let (blocks, end) = src.as_chunks();
    for (word, block) in blocks.iter().enumerate() {
        let (first, second) = masks(block);
        borders.set(word, first, second);
    }
    borders.set_end(blocks.len(), end, masks);
    borders.place(src.len())
}

#[inline(never)]
pub(crate) fn utf16_borders(order: ByteOrder, src: &[u8], borders: &mut Borders) -> bool {
    let masks = |block: &[u8; 64]| {
        let (mut first, mut second) = (0, 0);
        for (k, &unit) in block.as_chunks().0.iter().enumerate() {
            let unit = order.unit(unit);
            let from_80 = u64::from(unit >= 0x80);
            let from_800 = u64::from(unit >= 0x800 && unit & 0xF800 != 0xD800);
            first |= (from_80 | from_800 << 1) << (2 * k);
            let low = u64::from(unit & 0xFC00 == 0xDC00);
            second |= (low | low << 1) << (2 * k);
        }
        (first, second)
    };
    let (blocks, end) = src.as_chunks();
    for (word, block) in blocks.iter().enumerate() {
        let (first, second) = masks(block);
        borders.set(word, first, second);
    }
    borders.set_end(blocks.len(), end, masks);
    borders.place(src.len())
}
