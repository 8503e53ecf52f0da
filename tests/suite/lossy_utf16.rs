//! Repair of UTF-16, compared with the standard library, for every kind of error at every place.

use std::cell::RefCell;

use fastutf::{Isa, LossyConversion};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::oracle::{LossyUtf16, to_bytes};
use crate::common::{Filler, Rng, damage, hex, one_in, one_in_emulated, told};

/// Compares repair with std: in each byte order, as code units and as bytes, the latter at even and odd addresses.
pub struct Check {
    rng: Rng,
    cells: Vec<u8>,
}

/// The value of elements that must not be overwritten.
const PAINT: u8 = 0xA5;

impl Check {
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), cells: Vec::new() }
    }

    pub fn keep(&mut self, one_in: usize) -> bool {
        self.rng.below(one_in) == 0
    }

    pub fn all(&mut self, units: &[u16]) {
        for odd in [false, true] {
            self.with(units, odd);
        }
    }

    pub fn with(&mut self, units: &[u16], odd: bool) {
        let oracle = LossyUtf16::new(units, odd);
        let most = oracle.text.len();
        let room = self.rng.below(most + 1);
        for isa in Isa::available() {
            self.on(isa, units, odd, &oracle, &[most, room, most + 1 + room]);
        }
    }

    /// Checks all operations, into buffers of every size.
    fn every_room(&mut self, units: &[u16], odd: bool) {
        let oracle = LossyUtf16::new(units, odd);
        let rooms: Vec<usize> = (0..=oracle.text.len() + 3).collect();
        for isa in Isa::available() {
            self.on(isa, units, odd, &oracle, &rooms);
        }
    }

    fn on(&mut self, isa: Isa, units: &[u16], odd: bool, oracle: &LossyUtf16, rooms: &[usize]) {
        let case = || format!("{isa}, odd: {odd}, units: {}", hex(units));
        if !odd {
            let mut repaired = units.to_vec();
            assert_eq!(isa.make_well_formed_utf16(&mut repaired), oracle.replacements, "{}", case());
            assert_eq!(repaired, oracle.well_formed, "{}", case());
            assert_eq!(isa.utf8_len_from_utf16_lossy(units), oracle.text.len(), "{}", case());
            let made = isa.from_utf16_lossy_counted(units);
            assert!(made.0 == oracle.text && made.1 == oracle.replacements, "{made:?}\n{}", case());
            assert_eq!(made.0.capacity(), made.0.len(), "{}", case());
            assert!(isa.from_utf16_lossy(units) == oracle.text, "{}", case());
            self.appended(oracle, units.len(), 2, &|dst| isa.utf16_to_utf8_lossy_append(units, dst), &case);
            for &room in rooms {
                self.converted(oracle, units.len(), 2, room, &|dst| isa.utf16_to_utf8_lossy(units, dst), &case);
            }
        }
        let shift = self.rng.below(64);
        let half = [0xD8, 0xDC, 0x00][self.rng.below(3)];
        macro_rules! in_order {
            ($to_bytes:path, $make_well_formed:ident, $len:ident, $from:ident, $counted:ident, $append:ident, $convert:ident) => {
                let mut memory = vec![0xD8; shift];
                memory.extend(to_bytes(units, $to_bytes));
                memory.extend(odd.then_some(half));
                let end = memory.len();
                memory.resize(end + 64, 0xDC);
                let src = &memory[shift..end];
                let case = || format!("{}, {}, shift {shift}", stringify!($convert), case());
                assert_eq!(isa.$len(src), oracle.text.len(), "{}", case());
                let made = isa.$counted(src);
                assert!(made.0 == oracle.text && made.1 == oracle.replacements, "{made:?}\n{}", case());
                assert!(isa.$from(src) == oracle.text, "{}", case());
                self.appended(oracle, src.len(), 1, &|dst| isa.$append(src, dst), &case);
                for &room in rooms {
                    self.converted(oracle, src.len(), 1, room, &|dst| isa.$convert(src, dst), &case);
                }
                let mut expected = memory.clone();
                expected[shift..][..2 * units.len()].copy_from_slice(&to_bytes(&oracle.well_formed, $to_bytes));
                let replaced = isa.$make_well_formed(&mut memory[shift..end]);
                assert_eq!(replaced, oracle.replacements - usize::from(odd), "{}", case());
                assert!(memory == expected, "{} became {}", case(), hex(&memory[shift..end]));
            };
        }
        in_order!(
            u16::to_le_bytes,
            make_well_formed_utf16le,
            utf8_len_from_utf16le_lossy,
            from_utf16le_lossy,
            from_utf16le_lossy_counted,
            utf16le_to_utf8_lossy_append,
            utf16le_to_utf8_lossy
        );
        in_order!(
            u16::to_be_bytes,
            make_well_formed_utf16be,
            utf8_len_from_utf16be_lossy,
            from_utf16be_lossy,
            from_utf16be_lossy_counted,
            utf16be_to_utf8_lossy_append,
            utf16be_to_utf8_lossy
        );
    }

    fn appended(
        &mut self,
        oracle: &LossyUtf16,
        len: usize,
        size: usize,
        append: &dyn Fn(&mut String) -> LossyConversion,
        case: &dyn Fn() -> String,
    ) {
        let most = oracle.text.len();
        let mut text = String::with_capacity(3 + self.rng.below(most + 1));
        text.push('é');
        assert_eq!(told(append(&mut text)), oracle.outcome(len, size, most), "{}", case());
        assert!(text.strip_prefix('é') == Some(&oracle.text), "appended {text:?}\n{}", case());
    }

    fn converted(
        &mut self,
        oracle: &LossyUtf16,
        len: usize,
        size: usize,
        room: usize,
        convert: &dyn Fn(&mut [u8]) -> LossyConversion,
        case: &dyn Fn() -> String,
    ) {
        let start = self.rng.below(64);
        self.cells.clear();
        self.cells.resize(start + room + 64, PAINT);
        let out = convert(&mut self.cells[start..][..room]);
        assert_eq!(told(out), oracle.outcome(len, size, room), "into {room}: {}", case());
        let (before, rest) = self.cells.split_at(start);
        let (buffer, after) = rest.split_at(room);
        let written = &buffer[..out.written];
        assert!(
            written == &oracle.text.as_bytes()[..out.written],
            "wrote {} into {room}: {}",
            hex(written),
            case()
        );
        let painted = |cells: &[u8]| cells.iter().all(|&cell| cell == PAINT);
        assert!(painted(before) && painted(after), "wrote too much into {room}: {}", case());
    }
}

/// One code unit of each class that kernels distinguish.
const LETTERS: [u16; 5] = [0x61, 0xE9, 0x4E2D, 0xD83D, 0xDE00];

#[test]
fn short_sequences_at_the_borders_of_vectors() {
    let mut check = Check::new(60);
    let thin = one_in(8);
    for len in 1..=6 {
        for number in 0..LETTERS.len().pow(len) {
            let sequence: Vec<u16> =
                (0..len).map(|k| LETTERS[number / LETTERS.len().pow(k) % LETTERS.len()]).collect();
            if len <= 3 {
                check.all(&sequence);
            }
            // Across the end of a vector or a block; at the end of the text, or not.
            for border in [8, 16, 32, 64, 128] {
                if check.keep(thin * if len == 6 { 5 } else { 1 }) {
                    let filler = check.rng.pick(&[Filler::Ascii, Filler::Three, Filler::Four]);
                    let mut units = filler.units_before(border - 1 - check.rng.below(len as usize));
                    units.extend(&sequence);
                    if check.keep(2) {
                        units.extend(filler.units_after(check.rng.below(2 * border)));
                    }
                    check.with(&units, number % 8 == 7);
                }
            }
        }
    }
}

#[test]
fn every_length_and_every_offset() {
    let mut check = Check::new(61);
    let wrong: [&[u16]; 6] = [
        &[0xD800],
        &[0xDFFF],
        &[0xDC00, 0xD800],
        &[0xD83D, 0xD83D, 0xDCA9],
        &[0xD83D, 0xDCA9, 0xDCA9],
        &[0xD83D, 0xDCA9],
    ];
    for len in 0..=200 {
        for offset in 0..=len {
            for wrong in wrong {
                if check.keep(one_in(20)) {
                    let filler = check.rng.pick(&Filler::ALL);
                    let mut units = filler.units_before(offset);
                    units.extend(wrong);
                    units.truncate(len);
                    units.extend(filler.units_after(len - units.len()));
                    let odd = check.keep(4);
                    check.with(&units, odd);
                }
            }
        }
    }
}

#[test]
fn nothing_but_surrogates() {
    let mut check = Check::new(62);
    for len in (0..=200).chain([2047, 2048, 2049, 5000]) {
        for kinds in [&[0xD800][..], &[0xDC00], &[0xD800, 0xDC00], &[0xD800, 0xD800, 0xDC00], &[0xDC00, 0xD800]] {
            let units: Vec<u16> =
                (0..len).map(|k| kinds[k % kinds.len()] + check.rng.below(0x400) as u16).collect();
            check.all(&units);
        }
        let units: Vec<u16> = (0..len).map(|_| 0xD800 + check.rng.below(0x800) as u16).collect();
        check.all(&units);
    }
}

#[test]
fn buffers_of_every_size() {
    let mut check = Check::new(63);
    for filler in Filler::ALL {
        for len in [0, 1, 2, 7, 8, 15, 16, 17, 30, 33, 64, 100, 150, 260] {
            for damage in [0, 20, 3] {
                let units = damaged(filler.units_before(len), damage, &mut check.rng);
                let odd = check.keep(3);
                check.every_room(&units, odd);
            }
        }
    }
}

/// Repair works on pieces: errors are at their ends, too, and there may be no more errors in the rest.
#[test]
fn long_texts_with_few_errors_and_many() {
    let mut check = Check::new(64);
    for filler in Filler::ALL {
        for damage in [5, 50, 500, 2000, 5000] {
            for _ in 0..8 / one_in(4).min(8) {
                let units = filler.units_before(check.rng.below(20_000));
                let units = damaged(units, damage, &mut check.rng);
                check.all(&units);
            }
        }
    }
}

#[test]
fn pairs_at_the_ends_of_pieces() {
    let mut check = Check::new(65);
    for piece in [1024, 2048, 4096] {
        for offset in piece - 5..piece + 5 {
            if !check.keep(one_in_emulated().min(5)) {
                continue;
            }
            for end in [&[0xD83D, 0xDE00][..], &[0xD83D], &[0xDE00], &[0xD83D, 0xD83D, 0xDE00]] {
                // The first piece starts with the error. Then come pairs, or ASCII.
                for filler in [Filler::Ascii, Filler::Four] {
                    let start = check.rng.below(70);
                    let mut units = filler.units_before(start);
                    units.push(0xDC00);
                    units.extend(filler.units_before(offset));
                    units.extend(end);
                    check.all(&units);
                    units.extend(filler.units_after(300));
                    check.all(&units);
                }
            }
        }
    }
}

/// Nothing but errors in all pieces that are repaired, each twice as long as the one before, and a short end.
#[test]
fn the_end_after_pieces_with_errors() {
    let mut check = Check::new(69);
    for pieces in [512, 1536, 3584, 5632] {
        for end in [&[][..], &[0x61], &[0x20AC, 0x61], &[0xD83D, 0xDE00], &[0xDC00], &[0x61, 0xD83D]] {
            check.all(&[&vec![0xDC00; pieces], end].concat());
        }
    }
}

/// Results that are longer than the first allocation.
#[test]
fn very_long_texts_with_errors() {
    let mut check = Check::new(66);
    for filler in [Filler::Ascii, Filler::Four, Filler::Mixed] {
        for damage in [3, 1000] {
            let mut units = Vec::new();
            (0..3).for_each(|_| units.extend(filler.units_before(19_000)));
            let units = damaged(units, damage, &mut check.rng);
            check.with(&units, false);
            check.with(&units, true);
        }
    }
}

/// `units` with one in `one_in` replaced by a surrogate, or none if it is 0.
fn damaged(mut units: Vec<u16>, one_in: usize, rng: &mut Rng) -> Vec<u16> {
    damage::utf16(&mut units, rng, damage::one_in(one_in));
    units
}

#[test]
fn going_on_with_more_room_gives_the_same() {
    let mut rng = Rng::new(67);
    for filler in Filler::ALL {
        for damage in [0, 4, 60, 1000] {
            let units = damaged(filler.units_before(6000), damage, &mut rng);
            let oracle = LossyUtf16::new(&units, false);
            for isa in Isa::available() {
                let (mut rest, mut text, mut replacements) = (&units[..], Vec::new(), 0);
                loop {
                    let mut buffer = vec![0; 4 + rng.below(1000)];
                    let out = isa.utf16_to_utf8_lossy(rest, &mut buffer);
                    text.extend_from_slice(&buffer[..out.written]);
                    rest = &rest[out.read..];
                    replacements += out.replacements;
                    if out.is_complete() {
                        break;
                    }
                }
                assert!(text == oracle.text.as_bytes(), "{isa}: {}", hex(&units));
                assert_eq!(replacements, oracle.replacements, "{isa}: {}", hex(&units));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000 / one_in(10) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_units_are_repaired_as_std_does(
        units in vec(prop_oneof![any::<u16>(), 0xD800..=0xDFFFu16, 0x20..0x7Fu16], 0..400),
        odd in any::<bool>(),
        seed in any::<u64>(),
    ) {
        thread_local!(static CHECK: RefCell<Check> = RefCell::new(Check::new(68)));
        CHECK.with_borrow_mut(|check| {
            check.rng = Rng::new(seed);
            check.with(&units, odd);
        });
    }
}
