//! Every row of every shuffle table, and the stores that use them: where each lane begins, and that nothing else changes.

use std::format;
use std::vec::Vec;

use crate::kernels::tables::{KEEP_WORDS, MOVE, ONE_OR_TWO, ONE_TO_THREE};
use crate::simd::tests::{assert_footprint, numbers, on_all_lanes, shuffled, written};
use crate::simd::{Lanes, ShuffleTable};

/// The bits of an index that are set.
fn ones(index: usize) -> impl Iterator<Item = u8> {
    (0..8).filter(move |bit| index >> bit & 1 == 1)
}

/// Whether each unit of a row of [`ONE_TO_THREE`] has a length: `10` is none.
fn has_lengths(row: usize) -> bool {
    row & 0xAA & !(row << 1) == 0
}

#[test]
fn every_row_is_what_its_index_says() {
    crate::proof::report_lanes("shuffle tables", "all cases", "each row", || {
        for index in 0..256 {
            let row = |table: &ShuffleTable, places: Vec<u8>| {
                assert_eq!(table.0[index][..places.len()], places, "row {index:02X}");
                assert!(table.0[index][places.len()..].iter().all(|&control| control == 0x80), "row {index:02X}");
            };
            row(&KEEP_WORDS, ones(index).flat_map(|word| [2 * word, 2 * word + 1]).collect());
            // Words of `[lead, last]`: the last, after the lead if there are two.
            let pair = |word: u8| {
                if index >> word & 1 == 1 { [2 * word, 2 * word + 1].to_vec() } else { [2 * word + 1].to_vec() }
            };
            row(&ONE_OR_TWO, (0..8).flat_map(pair).collect());
            // Double words of `[b0, b1, last, lead2]`.
            let unit = |unit: u8| match index >> (2 * unit) & 3 {
                0 => [2].to_vec(),
                1 => [3, 2].to_vec(),
                _ => [0, 1, 2].to_vec(),
            };
            if has_lengths(index) {
                row(
                    &ONE_TO_THREE,
                    (0..4).flat_map(|k| unit(k).into_iter().map(move |byte| 4 * k + byte)).collect(),
                );
            }
            #[cfg(feature = "latin1")]
            row(&crate::kernels::tables::KEEP_BYTES, ones(index).collect());
        }
        for end in 0..=48 {
            let byte = |k: usize| if (16..32).contains(&(end + k)) { (end + k - 16) as u8 } else { 0x80 };
            assert_eq!(MOVE[end..end + 16], core::array::from_fn::<u8, 16, _>(byte), "{end}");
        }
    });
}

/// Calls `test` with indices in which the lanes have each number of set bits, in all combinations, with rows that
/// differ from one to the next, and (for two lanes all, for four of each two neighbours) all rows in all combinations.
fn indices<S: Lanes>(rows: &[usize], mut test: impl FnMut(u32)) {
    let with_ones: Vec<Vec<usize>> =
        (0..=8).map(|ones| rows.iter().copied().filter(|row| row.count_ones() == ones).collect()).collect();
    for n in 0..9usize.pow(S::WIDTH as u32 / 8) {
        let mut index = 0;
        for lane in 0..S::WIDTH / 8 {
            let rows = &with_ones[n / 9usize.pow(lane as u32) % 9];
            let Some(row) = rows.get((n + n / 9 + n / 81) % rows.len().max(1)) else { continue };
            index |= (*row as u32) << (8 * lane);
        }
        test(index);
    }
    for &first in rows {
        for &second in rows {
            for lane in 0..S::WIDTH / 8 - 1 {
                test((first | second << 8) as u32 * (1 << (8 * lane)));
            }
        }
    }
}

fn stores<const BASE: usize, const UNIT: usize, S: Lanes>(
    name: &str,
    isa: S,
    table: &'static ShuffleTable,
    rows: &[usize],
) {
    let bytes = numbers();
    let (a, b) = (isa.load(&bytes, 0), isa.load(&bytes, 64));
    indices::<S>(rows, |index| {
        let want = shuffled(&bytes[..S::WIDTH], &bytes[64..64 + S::WIDTH], table, index, BASE, UNIT);
        let len = BASE * S::WIDTH / 8 + UNIT * index.count_ones() as usize;
        let what = format!("{name}: store_shuffled::<{BASE}, {UNIT}> by {index:08X}");
        // The store of the last lane is the last, and of 16 bytes.
        let slack = 16 - BASE - UNIT * (index >> (S::WIDTH - 8)).count_ones() as usize;
        for more in [16, 50] {
            let out = written(2 + len + more, true, &what, |out| {
                assert_eq!(isa.store_shuffled::<BASE, UNIT>(out, 2, a, b, table, index), len, "{what}");
            });
            assert_footprint(&out.unwrap(), 2, &want, slack, &what);
        }
    });
}

fn all_stores<S: Lanes>(name: &str, isa: S) {
    let all: Vec<usize> = (0..256).collect();
    stores::<0, 2, S>(name, isa, &KEEP_WORDS, &all);
    stores::<8, 1, S>(name, isa, &ONE_OR_TWO, &all);
    stores::<4, 1, S>(name, isa, &ONE_TO_THREE, &(0..256).filter(|&row| has_lengths(row)).collect::<Vec<_>>());
}

#[test]
#[ignore = "all lengths of lanes, all rows of neighbours: seconds, in release builds: cargo xtask prove"]
fn each_lane_begins_where_the_last_one_ends() {
    crate::proof::report_lanes("store_shuffled", "all cases", "lengths of lanes, rows of neighbours", || {
        on_all_lanes!(all_stores);
    });
}
