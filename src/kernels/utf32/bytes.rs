//! ASCII and Latin-1 to UTF-32 and back: a byte becomes a double word, or a double word a byte. All places are known, so the
//! last vector overlaps the one before it.

use super::widened;
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::parts::Parts;
use crate::simd::Lanes;

/// Widens bytes, as many as fit; only ASCII, if `ascii`: then it stops at the first block that has something else. Returns
/// their number.
#[inline(always)]
pub(crate) fn widen<S: Lanes>(isa: S, order: ByteOrder, ascii: bool, src: &[u8], dst: &mut Output) -> usize {
    let len = src.len().min(dst.len() / 4);
    let (src, dst) = (&src[..len], &mut dst[..4 * len]);
    if len < 4 {
        return widen_up_to_3(order, ascii, src, dst);
    }
    if len <= 16 {
        return widen_up_to_16(isa.single(), order, ascii, src, dst);
    }
    let mut at = 0;
    while let (Some(window), Some(out)) = (src.part_at(at, 64), dst.part_at(4 * at, 256)) {
        let mut k = 0;
        if ascii {
            let mut any = isa.splat8(0);
            while k < 64 {
                any = any | isa.load(window, k);
                k += S::WIDTH;
            }
            if isa.any_high_bit(any) {
                return at;
            }
        }
        widen_64(isa, order, window, out);
        path!("64 bytes to UTF-32");
        at += 64;
    }
    while at < len {
        let from = at.min(len - 16);
        let bytes = isa.load_lanes(src, from, 0);
        if ascii && isa.any_high_bit(bytes) {
            return at;
        }
        widen_16(isa, order, bytes, dst, 4 * from);
        path!("the last bytes to UTF-32");
        at = from + 16;
    }
    len
}

/// Widens 64 bytes.
#[inline(always)]
pub(super) fn widen_64<S: Lanes>(isa: S, order: ByteOrder, bytes: &[u8], out: &mut Output) {
    let mut k = 0;
    while k < 64 {
        widen_16(isa, order, isa.load_lanes(bytes, k, 0), out, 4 * k);
        k += 16;
    }
}

/// Widens 16 bytes, which are in each lane.
#[inline(always)]
fn widen_16<S: Lanes>(isa: S, order: ByteOrder, bytes: S::V, out: &mut Output, at: usize) {
    let (units, count) = widened::<S, 1>(isa, order, bytes);
    let mut k = 0;
    while k < count {
        isa.store(out, at + k * S::WIDTH, units[k]);
        k += 1;
    }
}

/// Widens up to 3 bytes.
#[inline(always)]
fn widen_up_to_3(order: ByteOrder, ascii: bool, src: &[u8], dst: &mut Output) -> usize {
    let mut at = 0;
    while at < src.len() && !(ascii && src[at] >= 0x80) {
        dst[4 * at..].write(&order.bytes_32(u32::from(src[at])));
        at += 1;
    }
    at
}

/// Widens 4 to 16 bytes, all or none.
#[inline(always)]
fn widen_up_to_16<L: Lanes>(isa: L, order: ByteOrder, ascii: bool, src: &[u8], dst: &mut Output) -> usize {
    let bytes = isa.load_padded(src);
    let Some(last) = src.last_chunk::<4>() else { return 0 };
    if ascii && isa.any_high_bit(bytes) {
        return 0;
    }
    let (units, _) = widened::<L, 1>(isa, order, bytes);
    let last = isa.two_lanes(u32::from_le_bytes(*last).into(), 0);
    let (last, _) = widened::<L, 1>(isa, order, last);
    let mut k = 0;
    while k < src.len() / 4 {
        isa.store(dst, 16 * k, units[k]);
        k += 1;
    }
    isa.store(dst, dst.len() - 16, last[0]);
    path!("up to 16 bytes to UTF-32");
    src.len()
}

/// Narrows units while they are at most `max` (7F or FF) and fit; it may stop before the first that is not. Returns their
/// number.
#[inline(always)]
pub(crate) fn narrow<S: Lanes>(isa: S, order: ByteOrder, max: u8, src: &[u8], dst: &mut Output) -> usize {
    let len = (src.len() / 4).min(dst.len());
    let (src, dst) = (&src[..4 * len], &mut dst[..len]);
    if len < 4 {
        narrow_up_to_3(order, max, src, dst)
    } else if len < 16 {
        narrow_up_to_15(isa.single(), order, max, src, dst)
    } else if len < S::WIDTH {
        narrow_all(isa.single(), order, max, src, dst)
    } else {
        narrow_all(isa, order, max, src, dst)
    }
}

/// Whether no unit has other bits than `max`.
#[inline(always)]
pub(super) fn none_above<S: Lanes>(isa: S, order: ByteOrder, max: u8, units: S::V) -> bool {
    let others = !u32::from(max);
    isa.is_zero(units & isa.splat32(if order.is_big() { others.swap_bytes() } else { others }))
}

/// Narrows up to 3 units.
#[inline(always)]
fn narrow_up_to_3(order: ByteOrder, max: u8, src: &[u8], dst: &mut Output) -> usize {
    let units = src.as_chunks::<4>().0;
    let mut at = 0;
    while at < units.len() && at < dst.len() {
        let unit = order.unit_32(units[at]);
        if unit > u32::from(max) {
            break;
        }
        dst.set(at, unit as u8);
        at += 1;
    }
    at
}

/// Narrows 4 to 15 units, all or none. The loads overlap.
#[inline(always)]
fn narrow_up_to_15<L: Lanes>(isa: L, order: ByteOrder, max: u8, src: &[u8], dst: &mut Output) -> usize {
    let len = dst.len();
    let second = if len < 8 { len - 4 } else { 4 };
    let third = len - 4 - second;
    let units =
        [isa.load(src, 0), isa.load(src, 4 * second), isa.load(src, 4 * third), isa.load(src, 4 * (len - 4))];
    if !none_above(isa, order, max, (units[0] | units[1]) | (units[2] | units[3])) {
        return 0;
    }
    let bytes = isa.number(narrowed(isa, order, units)).to_le_bytes();
    dst.write(&bytes[..4]);
    dst[second..].write(&bytes[4..8]);
    dst[third..].write(&bytes[8..12]);
    dst[len - 4..].write(&bytes[12..]);
    path!("up to 15 units to bytes");
    len
}

/// The lowest bytes of units which have no others.
#[inline(always)]
fn lowest<S: Lanes>(isa: S, order: ByteOrder, units: S::V) -> S::V {
    if order.is_big() { isa.shr32::<24>(units) } else { units }
}

/// The lowest bytes of the units of four vectors, each lane's in the order in which they are given.
#[inline(always)]
pub(super) fn narrowed<S: Lanes>(isa: S, order: ByteOrder, [a, b, c, d]: [S::V; 4]) -> S::V {
    let (a, b) = (lowest(isa, order, a), lowest(isa, order, b));
    let (c, d) = (lowest(isa, order, c), lowest(isa, order, d));
    isa.narrow_u16(isa.narrow_u32(a, b), isa.narrow_u32(c, d))
}

/// Four vectors, of which each lane has units that are next to each other: what they are narrowed to is in order.
#[inline(always)]
pub(super) fn load_four<S: Lanes>(isa: S, window: &[u8]) -> [S::V; 4] {
    [
        isa.load_lanes(window, 0, 64),
        isa.load_lanes(window, 16, 64),
        isa.load_lanes(window, 32, 64),
        isa.load_lanes(window, 48, 64),
    ]
}

/// Narrows as many units as a vector has bytes, or more, while they are at most `max`.
#[inline(always)]
fn narrow_all<S: Lanes>(isa: S, order: ByteOrder, max: u8, src: &[u8], dst: &mut Output) -> usize {
    let bytes = 4 * S::WIDTH;
    let mut at = 0;
    while at < dst.len() {
        // The last one overlaps the one before.
        let from = at.min(dst.len() - S::WIDTH);
        let window = src.expect_part(4 * from, bytes);
        let units = load_four(isa, window);
        if !none_above(isa, order, max, (units[0] | units[1]) | (units[2] | units[3])) {
            return at;
        }
        isa.store(dst, from, narrowed(isa, order, units));
        path!("units to bytes");
        at = from + S::WIDTH;
    }
    at
}
