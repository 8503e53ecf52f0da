//! UTF-16 with U+FFFD: which units of a block are unpaired.

use std::vec::Vec;

use super::*;
use crate::proof::classes::{is_high_surrogate as is_high, is_low_surrogate as is_low};
use crate::simd::tests::{on_all_lanes, written};

/// A unit of each kind, and those beside them.
const KINDS: [u16; 8] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD7FF, 0xE000, 0x61, 0xDCD8];

/// All kinds of three units in a row, at each place of a block and across its ends; any unit in the middle of each
/// kind of others.
fn three_in_a_row<S: Lanes>(name: &str, isa: S) {
    const UNITS: usize = TESTED_TOGETHER / 2;
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let check = |three: [u16; 3], place: usize| {
            // The units of the block, and one more before it and after it.
            let mut text = [0x78; UNITS + 2];
            for (k, unit) in three.into_iter().enumerate() {
                if let Some(to) = text.get_mut((place + k).wrapping_sub(1)) {
                    *to = unit;
                }
            }
            let unpaired = |k: usize| {
                let after_high = k > 0 && is_high(text[k - 1]);
                let before_low = k + 1 < text.len() && is_low(text[k + 1]);
                is_high(text[k]) && !before_low || is_low(text[k]) && !after_high
            };
            let want = (0..UNITS).filter(|&k| unpaired(k + 1)).fold(0, |all, k| all | 1u64 << k);
            let src: Vec<u8> = text.iter().flat_map(|&unit| order.bytes(unit)).collect();
            let mut got = 0;
            let out = written(src.len(), true, name, |dst| {
                got = isa.vectorize(
                    #[inline(always)]
                    || repair_block(isa, order, &src, dst, 2),
                );
            });
            assert_eq!(got, want, "{name}: {three:04X?} at {place}");
            let block = text[1..].iter().take(UNITS).enumerate();
            let repaired =
                block.flat_map(|(k, &unit)| order.bytes(if want >> k & 1 == 1 { 0xFFFD } else { unit }));
            assert!(
                out.unwrap()[2..2 * UNITS + 2].iter().copied().eq(repaired),
                "{name}: {three:04X?} at {place}"
            );
        };
        for first in KINDS {
            for second in KINDS {
                for third in KINDS {
                    (0..=UNITS + 2).for_each(|place| check([first, second, third], place));
                }
            }
        }
        for unit in 0..=0xFFFF {
            for (k, (first, third)) in
                [(0x61, 0x61), (0xD800, 0x61), (0x61, 0xDC00), (0xDBFF, 0xDFFF)].into_iter().enumerate()
            {
                check([first, unit, third], 1 + (usize::from(unit) + 17 * k) % UNITS);
            }
        }
    }
}

#[test]
#[ignore = "all code units among all kinds: seconds, in release builds: cargo xtask prove"]
fn unpaired_units_are_those_of_the_definition() {
    crate::proof::report_lanes("repair of UTF-16", "all cases", "all units among all kinds", || {
        on_all_lanes!(three_in_a_row);
    });
}
