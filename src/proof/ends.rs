//! UTF-16 to UTF-8, the last units: where each lane is stored, whatever is in it.
//!
//! What is stored is moved and combined only by whole lanes, so that where it goes depends on the lengths of the lanes
//! alone. These are all tried: four lanes of 0 to 4 units, which have 1 to 3 bytes each.

use std::vec::Vec;

use super::*;
use crate::simd::tests::{PAINT, on_all_lanes, written};

/// A length for each of four lanes, as two bits for each unit, of which the lane has `units`: any that add up.
fn lengths(units: usize) -> Vec<u32> {
    (0..=2 * units).map(|more| (0..more).fold(0, |bits, k| bits | 1 << (2 * (k % units) + k / units))).collect()
}

/// Lanes with these lengths and a number for each byte, the numbers of all, and the bits of the lengths.
fn lanes<L: Lanes>(isa: L, lengths: [(usize, u32); 4], first: u8) -> (Encoded<L::V>, Vec<u8>) {
    let mut next = first;
    let mut all = Vec::new();
    let lanes = lengths.map(|(units, bits)| {
        let len = units + bits.count_ones() as usize;
        let mut lane = [0; 16];
        for byte in &mut lane[..len] {
            *byte = next;
            next += 1;
        }
        all.extend(&lane[..len]);
        isa.load(&lane, 0)
    });
    let bits = lengths.iter().rev().fold(0, |all, &(_, bits)| all << 8 | bits);
    (Encoded { lanes, lengths: bits }, all)
}

/// Calls `test` for all lengths of the lanes of `count` units.
fn each(count: usize, mut test: impl FnMut([(usize, u32); 4])) {
    let units = [0, 1, 2, 3].map(|lane| count.saturating_sub(4 * lane).min(4));
    let [a, b, c, d] = units.map(|units| if units == 0 { [0].into() } else { lengths(units) });
    for &a in &a {
        for &b in &b {
            for &c in &c {
                for &d in &d {
                    let bits = [a, b, c, d];
                    test(core::array::from_fn(|k| (units[k], bits[k])));
                }
            }
        }
    }
}

/// 8 to 16 units by themselves, and 16 after others.
fn one_window<S: Lanes>(name: &str, isa: S) {
    let isa = isa.single();
    for count in 8..=16 {
        each(count, |lengths| {
            let (lanes, want) = lanes(isa, lengths, 1);
            assert_eq!(lanes.len_of(count), want.len(), "{name}: {lengths:?}");
            let out = written(want.len(), true, name, |out| {
                if out.len() >= 16 {
                    lanes.store_last(isa, out, count);
                } else {
                    store_up_to_15(isa, out, lanes.last(isa, count));
                }
            });
            assert_eq!(out.unwrap(), want, "{name}: {count} units, {lengths:?}");
        });
    }
}

/// Two windows of 16 units of which the second begins with some that the first has, or none: all places where that may
/// be, and all lengths of the first, with some of the second, and the reverse.
fn two_windows<S: Lanes>(name: &str, isa: S) {
    let isa = isa.single();
    // The fewest bytes, the most, and some between.
    let some = [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x03, 0xF0, 0x55, 0x07], [0xFF, 0, 0x35, 0]];
    for other in some {
        each(16, |lengths| {
            for both in [0, 1, 4, 7, 15, 16] {
                // What both windows have is of the same length in both.
                let unit = |bits: [u32; 4], k: usize| bits[k / 4] >> (2 * (k % 4)) & 3;
                let mut second = [0; 4];
                for k in 0..16 {
                    let bits =
                        if k < both { unit(lengths.map(|lane| lane.1), 16 - both + k) } else { unit(other, k) };
                    second[k / 4] |= bits << (2 * (k % 4));
                }
                let (a, first) = lanes(isa, lengths, 1);
                let start = first.len()
                    - (16 - both..16)
                        .map(|k| 1 + unit(lengths.map(|lane| lane.1), k).count_ones() as usize)
                        .sum::<usize>();
                let (b, last) = lanes(isa, second.map(|bits| (4, bits)), 1 + start as u8);
                let want = [&first[..start], &last].concat();
                for before in [0, 3] {
                    let end = before + a.len_of(16) + b.len_of(16) - b.len_of(both);
                    assert_eq!(end, before + want.len(), "{name}: {lengths:?} {both} {other:?}");
                    let out = written(end, true, name, |out| {
                        a.store(isa, out, before);
                        b.store_last(isa, out, 16);
                    });
                    let out = out.unwrap();
                    assert_eq!(out[before..], want, "{name}: {lengths:?} {both} {other:?}");
                    assert!(out[..before].iter().all(|&byte| byte == PAINT), "{name}: {lengths:?}");
                }
            }
        });
    }
}

#[test]
#[ignore = "all lengths of four lanes: seconds, in release builds: cargo xtask prove"]
fn each_lane_is_where_it_belongs() {
    crate::proof::report_lanes("UTF-16 to UTF-8: the last units", "all cases", "lengths of 4 lanes", || {
        on_all_lanes!(one_window);
        on_all_lanes!(two_windows);
    });
}
