//! Columns: the text of an input is the values, as UTF-8 or as UTF-16; the function and the shape of the column (its borders,
//! its bitmap, and whether it is longer than what the library works with at a time) are drawn from the two bytes that are the
//! room of others.

use fastutf_testkit::Rng;

use crate::input::Input;
use check::{PARTS, check};

#[path = "../../tests/suite/common/columns.rs"]
mod check;

/// Rows are text of one of these encodings. The others read them as well.
#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// Whether a row that starts at `at` starts inside of a code unit or of a character.
    fn is_inside(self, values: &[u8], start: usize, at: usize) -> bool {
        match self {
            Self::Utf8 => values[at] & 0xC0 == 0x80,
            _ if !(at - start).is_multiple_of(2) => true,
            Self::Utf16Le => values.get(at + 1).is_some_and(|upper| upper & 0xFC == 0xDC),
            Self::Utf16Be => values[at] & 0xFC == 0xDC,
        }
    }

    fn is_well_formed(self, row: &[u8]) -> bool {
        let units = |from: fn([u8; 2]) -> u16| row.as_chunks().0.iter().map(move |&unit| from(unit));
        match self {
            Self::Utf8 => std::str::from_utf8(row).is_ok(),
            _ if !row.len().is_multiple_of(2) => false,
            Self::Utf16Le => char::decode_utf16(units(u16::from_le_bytes)).all(|char| char.is_ok()),
            Self::Utf16Be => char::decode_utf16(units(u16::from_be_bytes)).all(|char| char.is_ok()),
        }
    }

    /// Up to 24 KB of one character, longer than a piece.
    fn filler(self, rng: &mut Rng) -> Vec<u8> {
        let char = rng.pick(&['a', 'ж', '語', '😀']);
        let text = char.to_string().repeat(rng.below(24_000 / char.len_utf8()));
        match self {
            Self::Utf8 => text.into_bytes(),
            Self::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Self::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }
    }
}

/// Runs one input through an operation on columns, and through the loop over their rows.
pub fn columns(data: &[u8]) {
    let mut input = Input::utf8(data);
    let mut encoding = Encoding::Utf8;
    let rng = &mut Rng::new(input.drawn() as u64);
    if input.odd == 1 {
        input = Input::utf16(data);
        encoding = Encoding::Utf16Le;
        if rng.below(3) == 0 {
            input.src = input.swapped();
            encoding = Encoding::Utf16Be;
        }
    }
    let mut values = input.src.get();
    let long;
    let is_long = rng.below(256) == 0;
    if is_long {
        long = [&encoding.filler(rng)[..], values, &encoding.filler(rng)].concat();
        values = &long;
    }

    // One border in so many may be anywhere, the others are between characters.
    let anywhere = rng.pick(&[1, 8, 200, usize::MAX]);
    let longest = rng.pick(&[2, 3, 8, 40, 3000, 100_000]);
    let one_empty = rng.pick(&[2, 10, 1000]);
    let most = if is_long { 5000 } else { rng.pick(&[8, 30, 200]) };
    let mut offsets = vec![rng.below(values.len().min(4) + 1)];
    let mut at = offsets[0];
    while at < values.len() && offsets.len() < most {
        if rng.below(one_empty) != 0 {
            at = values.len().min(at + rng.below(longest));
            if rng.below(anywhere) != 0 {
                while at < values.len() && encoding.is_inside(values, offsets[0], at) {
                    at += 1;
                }
            }
        }
        offsets.push(at);
    }

    // Null: no row, any, few, ill-formed ones, or runs of rows.
    let how = rng.below(5);
    let first = rng.below(12);
    let mut bits = vec![0; (first + offsets.len()).div_ceil(8)];
    bits.fill_with(|| rng.next() as u8);
    let mut set = |bit: usize, valid: bool| {
        bits[bit / 8] &= !(1 << (bit % 8));
        bits[bit / 8] |= u8::from(valid) << (bit % 8);
    };
    let run = 1 + rng.below(200);
    for (row, bounds) in offsets.windows(2).enumerate() {
        match how {
            2 => set(first + row, rng.below(run) != 0),
            3 => set(first + row, encoding.is_well_formed(&values[bounds[0]..bounds[1]])),
            4 => set(first + row, (row / run).is_multiple_of(2)),
            _ => {}
        }
    }
    let validity = (how > 0).then_some((&bits[..], first));
    check(input.choice.isa(), values, &offsets, validity, rng.below(5), Some(rng.below(PARTS)));
}
