//! Short texts, and the last units of long ones: up to two times 16 units.
//!
//! # The problem
//!
//! A loop writes whole vectors, where there is room for them. For a few units that costs more than the conversion,
//! and so does a loop with a branch on how many there are. Here there are four cases, by length, and none of them has a
//! loop in it (but for 3 units at most, which go one by one).
//!
//! The whole output is known before the first store. Either there is room for it or not, and nothing beyond it is
//! written.
//!
//! # Reading
//!
//! 4 to 15 units are two loads that overlap, the first units and the last. The second is moved on by a shuffle, so that
//! what both have is there only once, and zeros come after the end (`MOVE` in `tables.rs` holds all such shuffles).
//! From 16 to 32 units there are two windows of 16, one at the start and one that ends with the text. The second may
//! begin with units of the first: both make the same bytes of these.
//!
//! ```text
//! 19 units      0123456789abcdefghi
//! first         0123456789abcdef
//! second           3456789abcdefghi        3 to f become the same bytes twice, in the same place
//! ```
//!
//! # Writing
//!
//! A lane of 4 units is stored as 16 bytes, however many it has. If its place is too near the end, it is stored as
//! the last 16 bytes of all. These are put together in a register, and stored once more, last.
//!
//! Say 9 units become 11, 5 and 3 bytes, 19 in all. `.` is a byte that will be overwritten:
//!
//! ```text
//!                  0               16
//! lane 0           aaaaaaaaaaa.....            in its place
//! lane 1              bbbbb...........         its place is 11, but only up to 3 there are 16 bytes left
//! lane 2              ccc.............         likewise
//! the last 16         aaaaaaaabbbbbccc         stored last
//! result           aaaaaaaaaaabbbbbccc
//! ```
//!
//! The last lane needs no store of its own: all of it is in the last 16 bytes. These are the `or` of all lanes, each
//! moved so that it ends where it should, with zeros around it (`before_end`). If there are less than 16 bytes in all,
//! these are written in two parts that overlap.
//!
//! # What it costs
//!
//! There are no loops, and no branches but those on the kind of text. Nothing is copied through memory: copying bytes
//! that were stored one by one, or in another size, would have to wait for these stores. It takes four lookups of rows,
//! eight shuffles, and four stores for 16 units.

use core::ops::BitOr;

use super::{
    UnitBytes, any_surrogates, narrow, none_has, not_ascii, one_to_four_bytes, one_to_three_bytes, two_units,
    units,
};
use crate::endian::ByteOrder;
use crate::kernels::tables::{MOVE, ONE_TO_THREE};
use crate::kernels::validate_utf16::ends_high;
use crate::output::Output;
use crate::simd::{Lanes, Simd};

#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/ends.rs"]
mod proof;

/// A vector of one lane.
type V<S> = <<S as Lanes>::Single as Simd>::V;

/// Bytes in 16 units.
pub(super) const BYTES_OF_16_UNITS: usize = 32;

/// The bytes of `v` from `end - 16` to `end`, with zeros for bytes outside it.
#[inline(always)]
pub(in crate::kernels) fn before_end<L: Lanes>(isa: L, v: L::V, end: usize) -> L::V {
    isa.shuffle(v, isa.load(&MOVE, end))
}

/// Fills `out`, 5 to 15 bytes, with the last bytes of `last`.
#[inline(always)]
pub(in crate::kernels) fn store_up_to_15<L: Lanes>(isa: L, out: &mut Output, last: L::V) {
    let first = before_end(isa, last, 32 - out.len());
    let (first, last) = (isa.number(first).to_le_bytes(), isa.number(last).to_le_bytes());
    #[inline(always)]
    fn two_of<const N: usize>(out: &mut Output, first: &[u8; 16], last: &[u8; 16]) -> bool {
        let Some(end) = out.len().checked_sub(N) else { return false };
        out.write(&first[..N]);
        out[end..].write(&last[16 - N..]);
        true
    }
    // The least there is: 4 units, of which one is not ASCII and takes 2 bytes.
    assert!(two_of::<8>(out, &first, &last) || two_of::<4>(out, &first, &last));
}

/// Shuffles 8 units to two lanes of 4 to 12 bytes each, padded with zeros.
#[inline(always)]
fn join_bytes<L: Lanes>(isa: L, leads: L::V, lasts: L::V, lengths: u32) -> [L::V; 2] {
    let (a, b) = (isa.zip_lo16(leads, lasts), isa.zip_hi16(leads, lasts));
    let (row_a, row_b) =
        (&ONE_TO_THREE.0[(lengths & 0xFF) as usize], &ONE_TO_THREE.0[(lengths >> 8 & 0xFF) as usize]);
    [isa.shuffle(a, isa.load(row_a, 0)), isa.shuffle(b, isa.load(row_b, 0))]
}

/// 16 units as four lanes of 4 to 12 bytes, padded with zeros.
struct Encoded<V> {
    lanes: [V; 4],
    /// As in [`UnitBytes`].
    lengths: u32,
}

impl<V: Copy + BitOr<Output = V>> Encoded<V> {
    /// The number of bytes that the first `units` units have become.
    #[inline(always)]
    fn len_of(&self, units: usize) -> usize {
        units + (u64::from(self.lengths) & ((1 << (2 * units)) - 1)).count_ones() as usize
    }

    /// The number of bytes from lane `j` to the end, if there are `count` units.
    #[inline(always)]
    fn len_from(&self, j: usize, count: usize) -> usize {
        count.saturating_sub(4 * j) + (self.lengths >> (8 * j)).count_ones() as usize
    }

    /// Writes the first `count` units, so that they end where `out` does. They and what is before them in `out` are
    /// at least 16 bytes.
    #[inline(always)]
    fn store_last<L: Lanes<V = V>>(&self, isa: L, out: &mut Output, count: usize) {
        let len = out.len();
        let [a, b, c, _] = self.lanes;
        isa.store_inside(out, len - self.len_from(0, count), a);
        isa.store_inside(out, len - self.len_from(1, count), b);
        isa.store_inside(out, len - self.len_from(2, count), c);
        // All of the last lane, at least.
        isa.store_inside(out, len - 16, self.last(isa, count));
    }

    /// The last 16 bytes of the first `count` units, after zeros if there are fewer.
    #[inline(always)]
    fn last<L: Lanes<V = V>>(&self, isa: L, count: usize) -> V {
        let [a, b, c, d] = self.lanes;
        (before_end(isa, a, self.len_from(0, count)) | before_end(isa, b, self.len_from(1, count)))
            | (before_end(isa, c, self.len_from(2, count)) | before_end(isa, d, self.len_from(3, count)))
    }

    /// Writes the lanes from `at` on, keeping all stores inside `out`.
    #[inline(always)]
    fn store<L: Lanes<V = V>>(&self, isa: L, out: &mut Output, at: usize) {
        let [a, b, c, d] = self.lanes;
        isa.store_inside(out, at, a);
        isa.store_inside(out, at + self.len_of(4), b);
        isa.store_inside(out, at + self.len_of(8), c);
        isa.store_inside(out, at + self.len_of(12), d);
    }
}

/// 16 units in one vector, or in the first lanes of two.
type Window<S> = [<S as Simd>::V; 2];

#[inline(always)]
fn window<S: Lanes>(isa: S, (low, high): (V<S>, V<S>)) -> Window<S> {
    let first = isa.join(low, high);
    [first, if S::WIDTH < BYTES_OF_16_UNITS { isa.join(high, high) } else { first }]
}

/// Encodes 16 units that are no surrogates.
#[inline(always)]
fn encode<S: Lanes>(isa: S, [first, second]: Window<S>) -> Encoded<V<S>> {
    encoded(isa, [one_to_three_bytes(isa, first), one_to_three_bytes(isa, second)])
}

/// Encodes 16 units, given the unit before them as the last one in `before`. Returns `None` if a surrogate is
/// unpaired, except for a high one at the end.
#[inline(always)]
fn encode_with_surrogates<S: Lanes>(isa: S, [first, second]: Window<S>, before: V<S>) -> Option<Encoded<V<S>>> {
    let before = isa.prev::<2>(first, isa.join(before, before));
    let before_second = if S::WIDTH < BYTES_OF_16_UNITS { isa.prev::<2>(second, first) } else { before };
    Some(encoded(isa, [one_to_four_bytes(isa, first, before)?, one_to_four_bytes(isa, second, before_second)?]))
}

#[inline(always)]
fn encoded<S: Lanes>(isa: S, [first, second]: [UnitBytes<S::V>; 2]) -> Encoded<V<S>> {
    let lengths = if S::WIDTH < BYTES_OF_16_UNITS { first.lengths | second.lengths << 16 } else { first.lengths };
    let ([leads, _], [_, later_leads]) = (isa.split(first.leads), isa.split(second.leads));
    let ([lasts, _], [_, later_lasts]) = (isa.split(first.lasts), isa.split(second.lasts));
    let [a, b] = join_bytes(isa.single(), leads, lasts, lengths);
    let [c, d] = join_bytes(isa.single(), later_leads, later_lasts, lengths >> 16);
    Encoded { lanes: [a, b, c, d], lengths }
}

/// A vector whose last unit is the one before `src[at..]`, or zeros if there is none.
#[inline(always)]
fn before<L: Lanes>(isa: L, order: ByteOrder, src: &[u8], at: usize) -> L::V {
    match src[..at].last_chunk() {
        Some(&unit) => isa.splat16(order.unit(unit)),
        None => isa.splat16(0),
    }
}

/// Converts 1 to 3 units, if they are well-formed and fit: one at a time, which is faster. Returns the number of
/// bytes written.
#[inline(always)]
pub(super) fn up_to_3(order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<usize> {
    let mut written = 0;
    let mut units = src.as_chunks().0.iter();
    while let Some(&unit) = units.next() {
        let unit = u32::from(order.unit(unit));
        let byte = |tag: u32, bits: u32| (tag | bits) as u8;
        let tail = |bits: u32| byte(0b1000_0000, bits & 0b0011_1111);
        let rest = &mut dst[written..];
        if unit < 0x80 {
            written += rest.put(&[byte(0, unit)])?;
        } else if unit < 0x800 {
            written += rest.put(&[byte(0b1100_0000, unit >> 6), tail(unit)])?;
        } else if unit & 0xF800 != 0xD800 {
            written += rest.put(&[byte(0b1110_0000, unit >> 12), tail(unit >> 6), tail(unit)])?;
        } else {
            let low = u32::from(order.unit(*units.next()?));
            if unit & 0xFC00 != 0xD800 || low & 0xFC00 != 0xDC00 {
                return None;
            }
            let value = 0x1_0000 + ((unit & 0x3FF) << 10 | low & 0x3FF);
            written +=
                rest.put(&[byte(0b1111_0000, value >> 18), tail(value >> 12), tail(value >> 6), tail(value)])?;
        }
    }
    Some(written)
}

/// Converts 4 to 7 units, if they are well-formed and fit. Returns the number of bytes written.
#[inline(always)]
pub(super) fn up_to_7<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<usize> {
    let isa = isa.single();
    let count = src.len() / 2;
    let (first, last) = (u64::from_le_bytes(*src.first_chunk()?), u64::from_le_bytes(*src.last_chunk()?));
    let both = isa.two_lanes(u128::from(first) | u128::from(last) << 64, 0);
    if none_has(isa, both, not_ascii(order)) {
        let out = dst.get_mut(..count)?;
        let bytes = isa.number(narrow(isa, order, (both, both))).to_le_bytes();
        out.write(&bytes[..4]);
        out[count - 4..].write(&bytes[4..8]);
        return Some(count);
    }
    // The last units, without those that are among the first.
    let (first, last) = (isa.two_lanes(u128::from(first), 0), isa.two_lanes(u128::from(last), 0));
    let v = first | before_end(isa, last, 24 - src.len());
    let v = units(isa, order, v);
    let UnitBytes { leads, lasts, lengths } = if !any_surrogates(isa, [v, v]) {
        one_to_three_bytes(isa, v)
    } else {
        // At least one unit of zeros follows the text, so a high surrogate at the end is found to be unpaired.
        one_to_four_bytes(isa, v, isa.prev::<2>(v, isa.splat8(0)))?
    };
    let [a, b] = join_bytes(isa, leads, lasts, lengths);
    let len = count + lengths.count_ones() as usize;
    let out = dst.get_mut(..len)?;
    let len_b = count.saturating_sub(4) + (lengths >> 8).count_ones() as usize;
    let last = before_end(isa, a, len) | before_end(isa, b, len_b);
    if len >= 16 {
        isa.store(out, 0, a);
        isa.store(out, len - 16, last);
    } else {
        store_up_to_15(isa, out, last);
    }
    Some(len)
}

/// Converts 8 to 15 units, if they are well-formed and fit. Returns the number of bytes written.
#[inline(always)]
pub(super) fn up_to_15<S: Lanes>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Option<usize> {
    let single = isa.single();
    let count = src.len() / 2;
    let (low, last) = (single.load(src, 0), single.load(src, src.len() - 16));
    if none_has(single, low | last, not_ascii(order)) {
        let out = dst.get_mut(..count)?;
        let bytes = single.number(narrow(single, order, (low, last))).to_le_bytes();
        out.write(&bytes[..8]);
        out[count - 8..].write(&bytes[8..]);
        return Some(count);
    }
    let high = before_end(single, last, 48 - src.len());
    let window = window(isa, two_units(single, order, low, high));
    let bytes = if !any_surrogates(isa, window) {
        encode(isa, window)
    } else {
        // At least one unit of zeros follows the text, so a high surrogate at the end is found to be unpaired.
        encode_with_surrogates(isa, window, single.splat8(0))?
    };
    let len = bytes.len_of(count);
    let out = dst.get_mut(..len)?;
    if len >= 16 {
        bytes.store_last(single, out, count);
    } else {
        store_up_to_15(single, out, bytes.last(single, count));
    }
    Some(len)
}

/// [`up_to_32`] for ASCII only.
#[inline(always)]
pub(super) fn ascii_up_to_32<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    read: usize,
    dst: &mut Output,
    written: usize,
) -> Option<usize> {
    let isa = isa.single();
    let second = src.len() - BYTES_OF_16_UNITS;
    let first = read.min(second);
    let a = (isa.load(src, first), isa.load(src, first + 16));
    let b = (isa.load(src, second), isa.load(src, second + 16));
    if !none_has(isa, (a.0 | a.1) | (b.0 | b.1), not_ascii(order)) {
        return None;
    }
    let end = written + (src.len() - read) / 2;
    let out = dst.get_mut(..end)?;
    let (a, b) = for_each_order!(order, (narrow(isa, order, a), narrow(isa, order, b)));
    isa.store(out, written - (read - first) / 2, a);
    isa.store(out, end - 16, b);
    Some(end)
}

/// Converts the rest of a text of at least 16 units from `read` on, at most 32 units, if they are well-formed and
/// fit. Returns the total number of bytes written.
///
/// Uses two windows of 16 units, one from `read` on, the other before the end. Both may start with units that have
/// been converted already, and become the same bytes again.
#[inline(always)]
pub(super) fn up_to_32<S: Lanes>(
    isa: S,
    order: ByteOrder,
    src: &[u8],
    read: usize,
    dst: &mut Output,
    written: usize,
) -> Option<usize> {
    let single = isa.single();
    let second = src.len() - BYTES_OF_16_UNITS;
    let first = read.min(second);
    let mut a = (single.load(src, first), single.load(src, first + 16));
    let mut b = (single.load(src, second), single.load(src, second + 16));
    if order.is_big() {
        (a, b) = (two_units(single, order, a.0, a.1), two_units(single, order, b.0, b.1));
    }
    let (a, b) = (window(isa, a), window(isa, b));
    let (a, b) = if !any_surrogates(isa, a) && !any_surrogates(isa, b) {
        (encode(isa, a), encode(isa, b))
    } else if !ends_high(order, src) {
        (
            encode_with_surrogates(isa, a, before(single, order, src, first))?,
            encode_with_surrogates(isa, b, before(single, order, src, second))?,
        )
    } else {
        return None;
    };
    let a_at = written - a.len_of((read - first) / 2);
    let end = a_at + a.len_of(16) + b.len_of(16) - b.len_of((first + BYTES_OF_16_UNITS - second) / 2);
    let out = dst.get_mut(..end)?;
    a.store(single, out, a_at);
    b.store_last(single, out, 16);
    Some(end)
}
