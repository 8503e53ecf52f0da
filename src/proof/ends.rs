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

/// 8 to 16 units by themselves; 16 of them before the end of more, of which nothing changes.
fn last_ones<S: Lanes>(name: &str, isa: S) {
    let isa = isa.single();
    for count in 8..=16 {
        each(count, |lengths| {
            let (lanes, want) = lanes(isa, lengths, 1);
            assert_eq!(lanes.len_of(count), want.len(), "{name}: {lengths:?}");
            for before in if count < 16 { 0..1 } else { 0..4 } {
                let out = written(before + want.len(), true, name, |out| {
                    if out.len() >= 16 {
                        lanes.store_last(isa, out, count);
                    } else {
                        store_up_to_15(isa, out, lanes.last(isa, count));
                    }
                });
                let out = out.unwrap();
                assert_eq!(out[before..], want, "{name}: {count} units, {lengths:?}");
                assert!(out[..before].iter().all(|&byte| byte == PAINT), "{name}: {lengths:?}");
            }
        });
    }
}

/// 16 units anywhere, but for the last 16 bytes, which other units fill after that. Nothing before them changes.
fn first_ones<S: Lanes>(name: &str, isa: S) {
    let isa = isa.single();
    each(16, |lengths| {
        let (lanes, want) = lanes(isa, lengths, 1);
        for (before, after) in [(0, 0), (3, 0), (0, 7), (3, 16), (0, 28), (17, 48)] {
            let len = before + want.len() + after;
            let out = written(len, true, name, |out| lanes.store(isa, out, before)).unwrap();
            let kept = &out[..len - 16];
            let (kept_before, got) = kept.split_at(before);
            assert!(kept_before.iter().all(|&byte| byte == PAINT), "{name}: {lengths:?} at {before}");
            let got = &got[..want.len().min(got.len())];
            assert_eq!(*got, want[..got.len()], "{name}: {lengths:?} at {before} of {len}");
        }
    });
}

#[test]
#[ignore = "all lengths of four lanes: seconds, in release builds: cargo xtask prove"]
fn each_lane_is_where_it_belongs() {
    crate::proof::report_lanes("UTF-16 to UTF-8: the last units", "all cases", "lengths of 4 lanes", || {
        on_all_lanes!(last_ones);
        on_all_lanes!(first_ones);
    });
}
