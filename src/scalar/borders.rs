//! The masks of [`Borders`] in plain Rust.

use crate::borders::Borders;
use crate::endian::ByteOrder;

/// Bit 7 of each byte.
const TOP: u64 = 0x8080_8080_8080_8080;

#[inline(never)]
pub(crate) fn utf8_borders(src: &[u8], borders: &mut Borders) -> bool {
    let masks = |block: &[u8; 64]| {
        masks(block, |bytes| {
            let starts = !bytes | bytes << 1;
            let from_f0 = bytes & bytes << 1 & bytes << 2 & bytes << 3;
            (starts & TOP, from_f0 & TOP)
        })
    };
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

/// Two masks of a block. `tops` gives them for 8 bytes, in bit 7 of each.
#[inline(always)]
fn masks(block: &[u8; 64], tops: impl Fn(u64) -> (u64, u64)) -> (u64, u64) {
    let (mut first, mut second) = (0, 0);
    for (k, bytes) in block.as_chunks().0.iter().enumerate() {
        let (a, b) = tops(u64::from_le_bytes(*bytes));
        first |= gathered(a) << (8 * k);
        second |= gathered(b) << (8 * k);
    }
    (first, second)
}

/// Bit 7 of each byte, of which no other bit is set, as the lowest 8 bits.
#[inline(always)]
fn gathered(tops: u64) -> u64 {
    (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
