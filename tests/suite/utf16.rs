//! UTF-16 with paired and unpaired surrogates.

use crate::common::{Checker, Filler, one_in, one_in_emulated};

/// Both ends of each range that kernels distinguish, and units that look like surrogates when their bytes are swapped.
const CLASSES: [u16; 24] = [
    0x0000, 0x0041, 0x007F, 0x0080, 0x00D8, 0x00DC, 0x00FF, 0x0100, 0x07FF, 0x0800, 0x20AC, 0x41D8, 0x41DC,
    0xD7FF, 0xD800, 0xD8DC, 0xDBFF, 0xDC00, 0xDCD8, 0xDFFF, 0xE000, 0xFEFF, 0xFFFE, 0xFFFF,
];

/// Ill-formed sequences.
const WRONG: [&[u16]; 9] = [
    &[0xD800],
    &[0xDBFF],
    &[0xDC00],
    &[0xDFFF],
    &[0xDC00, 0xD800],
    &[0xD83D, 0xD83D, 0xDCA9],
    &[0xD83D, 0xDCA9, 0xDCA9],
    &[0xD83D, 0x0041, 0xDCA9],
    &[0xDBFF, 0xE000],
];

fn with_error(before: Filler, offset: usize, wrong: &[u16], after: Filler, len: usize) -> Vec<u16> {
    let mut units = before.units_before(offset);
    units.extend_from_slice(wrong);
    units.truncate(len);
    units.extend(after.units_after(len - units.len()));
    units
}

#[test]
fn every_code_unit_alone_and_in_a_text() {
    let mut check = Checker::new(20);
    for unit in 0..=0xFFFF {
        if unit & 0xFF != 0 && unit & 0xFF != 0xFF && !check.keep(one_in(3)) {
            continue;
        }
        check.utf16(&[unit]);
        let filler = check.rng.pick(&Filler::ALL);
        let offset = check.rng.below(130);
        check.utf16(&with_error(filler, offset, &[unit], filler, offset + 70));
    }
}

#[test]
fn pairs_and_triples_of_classes_at_every_offset() {
    let mut check = Checker::new(21);
    for first in CLASSES {
        for second in CLASSES {
            check.utf16_every_room(&[first, second], false);
            check.utf16_every_room(&[first, second], true);
            for offset in 0..=66 {
                for filler in [Filler::Ascii, Filler::Two, Filler::Three, Filler::Four, Filler::Mixed] {
                    if check.keep(one_in(8)) {
                        let third = check.rng.pick(&CLASSES);
                        let rest = check.rng.below(70);
                        let wrong = [first, second, third];
                        let len = offset + 2 + rest;
                        check.utf16(&with_error(filler, offset, &wrong, filler, len));
                    }
                }
            }
        }
    }
}

fn lengths_and_offsets(lengths: impl Iterator<Item = usize>) {
    let mut check = Checker::new(22);
    let thin = one_in(12);
    for len in lengths {
        for offset in 0..=len {
            let always = (check.rng.pick(&Filler::ALL), check.rng.pick(&WRONG));
            for filler in Filler::ALL {
                for wrong in WRONG {
                    if check.keep(if (filler, wrong) == always { one_in_emulated() } else { thin }) {
                        check.utf16(&with_error(filler, offset, wrong, filler, len));
                    }
                }
            }
        }
    }
}

#[test]
fn an_error_at_every_offset_of_every_length_to_128() {
    lengths_and_offsets(0..=128);
}

#[test]
fn an_error_at_every_offset_of_every_length_to_192() {
    lengths_and_offsets(129..=192);
}

#[test]
fn an_error_at_every_offset_of_two_blocks_deep_in_a_text() {
    let mut check = Checker::new(23);
    for filler in Filler::ALL {
        for offset in 2000..2000 + 300 {
            let always = check.rng.pick(&WRONG);
            for wrong in WRONG {
                if check.keep(if wrong == always { one_in_emulated() } else { one_in(6) }) {
                    check.utf16(&with_error(filler, offset, wrong, filler, 2700));
                }
            }
        }
    }
}

#[test]
fn an_error_between_two_kinds_of_text_at_every_offset() {
    let mut check = Checker::new(24);
    for before in Filler::ALL {
        for after in Filler::ALL {
            for offset in 150..150 + 256 {
                let always = check.rng.pick(&WRONG);
                for wrong in WRONG {
                    if check.keep(if wrong == always { one_in_emulated() } else { one_in(30) }) {
                        check.utf16(&with_error(before, offset, wrong, after, offset + 500));
                    }
                }
            }
        }
    }
}

#[test]
fn an_error_after_a_very_long_run() {
    let mut check = Checker::new(25);
    // In code units. The corpora are not long enough for more.
    for before in Filler::ALL {
        for wrong in WRONG {
            let offset = 16_400 + check.rng.below(4000);
            let after = check.rng.pick(&Filler::ALL);
            check.utf16(&with_error(before, offset, wrong, after, offset + 300));
        }
    }
}

#[test]
fn a_pair_across_every_offset() {
    let mut check = Checker::new(26);
    for filler in Filler::ALL {
        for offset in 0..300 {
            for rest in [0, 1, 2, 15, 31, 32, 33, 63, 64, 65, 200] {
                if check.keep(one_in(3)) {
                    let low = 0xDC00 + check.rng.below(0x400) as u16;
                    let high = 0xD800 + check.rng.below(0x400) as u16;
                    check.utf16(&with_error(filler, offset, &[high, low], filler, offset + 2 + rest));
                }
            }
        }
    }
}

#[test]
fn valid_text_of_every_length() {
    let mut check = Checker::new(27);
    for filler in Filler::ALL {
        for len in 0..=400 {
            check.utf16(&filler.units_before(len));
            check.utf16(&filler.units_after(len));
        }
        check.utf16(&filler.units_after(20_000));
    }
}

#[test]
fn buffers_of_every_size() {
    let mut check = Checker::new(28);
    for filler in Filler::ALL {
        for len in (0..=80).chain([127, 128, 129, 192, 256, 300]) {
            if len > 80 || check.keep(one_in(6)) {
                check.utf16_every_room(&filler.units_before(len), false);
                let wrong = check.rng.pick(&WRONG);
                check.utf16_every_room(&with_error(filler, len, wrong, filler, len + 70), len % 2 == 0);
            }
        }
    }
}

/// The same as for UTF-8: runs of each kind of text and of each length, up to some blocks.
#[test]
fn kinds_of_text_follow_each_other() {
    let mut check = Checker::new(29);
    for first in Filler::PLAIN {
        for second in Filler::PLAIN {
            for len in 0..400 {
                if check.keep(one_in(2)) {
                    let mut units = first.units_before(len);
                    units.extend(second.units_after(check.rng.below(300)));
                    units.extend(first.units_after(150));
                    check.utf16(&units);
                    units.insert(len, check.rng.pick(&[0xD800, 0xDBFF, 0xDC00, 0xDFFF]));
                    check.utf16(&units);
                }
            }
        }
    }
}

/// Kernels start at an aligned address, and check the text before it in another way.
#[test]
fn an_error_near_the_start_of_a_long_text() {
    let mut check = Checker::new(30);
    for filler in [Filler::Ascii, Filler::Three, Filler::Mixed] {
        for offset in 0..140 {
            let always = check.rng.pick(&WRONG);
            for wrong in WRONG {
                if wrong == always || check.keep(one_in(4)) {
                    check.utf16(&with_error(filler, offset, wrong, filler, 1100));
                }
            }
        }
    }
}

/// Where many units are checked together, equal errors must not cancel out.
#[test]
fn many_equal_units_after_ascii() {
    let mut check = Checker::new(94);
    for wrong in [[0xDC00, 0xDC00], [0xD800, 0xD800], [0, 0xDC00], [0xDC00, 0], [0, 0xD800], [0xD800, 0]] {
        for offset in 0..=70 {
            // Powers of two and lengths close to them, in units.
            for len in [2, 8, 16, 17, 24, 32, 33, 48, 64, 96, 128, 256, 300] {
                check.utf16(&[vec![0x61; offset], wrong.into_iter().cycle().take(len).collect()].concat());
            }
        }
    }
}
