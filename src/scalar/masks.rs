//! Bit masks of 64 bytes in plain Rust.

/// Bit 7 of each byte.
pub(super) const TOP: u64 = 0x8080_8080_8080_8080;

/// The bytes of UTF-8 that are no continuations, and those from F0 on, in bit 7 of each.
#[inline(always)]
pub(super) fn tops_utf8(bytes: u64) -> (u64, u64) {
    let starts = !bytes | bytes << 1;
    let from_f0 = bytes & bytes << 1 & bytes << 2 & bytes << 3;
    (starts & TOP, from_f0 & TOP)
}

/// Two masks of a block. `tops` gives them for 8 bytes, in bit 7 of each.
#[inline(always)]
pub(super) fn masks(block: &[u8; 64], tops: impl Fn(u64) -> (u64, u64)) -> (u64, u64) {
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
