//! What the proofs with real instructions share. First of all the definition of well-formed UTF-8: Table 3-7 of the
//! Unicode Standard, row by row, and the classes of bytes that it distinguishes.

use std::vec::Vec;

#[cfg(fastutf_simd)]
use crate::simd::Lanes;

/// The first and the last byte of each class, in ascending order. A column of Table 3-7 has all bytes of a class or none.
pub(crate) const CLASSES: [[u8; 2]; 14] = [
    [0x00, 0x7F],
    [0x80, 0x8F],
    [0x90, 0x9F],
    [0xA0, 0xBF],
    [0xC0, 0xC1],
    [0xC2, 0xDF],
    [0xE0, 0xE0],
    [0xE1, 0xEC],
    [0xED, 0xED],
    [0xEE, 0xEF],
    [0xF0, 0xF0],
    [0xF1, 0xF3],
    [0xF4, 0xF4],
    [0xF5, 0xFF],
];
pub(crate) const COUNT: usize = CLASSES.len();

/// The class of each byte.
pub(crate) fn of_bytes() -> Vec<usize> {
    let class = |byte| CLASSES.iter().position(|&[first, last]| first <= byte && byte <= last);
    (0..=255).map(|byte| class(byte).unwrap()).collect()
}

/// A byte of a class, neither the first nor the last if there are more than four. Of F5 to FF, it is F7: AVX-512 refuses F8 to
/// FF sooner.
pub(crate) fn representative(class: usize) -> u8 {
    let [first, last] = CLASSES[class];
    first + (last - first) / 4
}

/// Table 3-7: the first byte, the second, and how many bytes follow the second, each of which is from 80 to BF.
const ROWS: [([u8; 2], [u8; 2], u8); 8] = [
    ([0xC2, 0xDF], [0x80, 0xBF], 0),
    ([0xE0, 0xE0], [0xA0, 0xBF], 1),
    ([0xE1, 0xEC], [0x80, 0xBF], 1),
    ([0xED, 0xED], [0x80, 0x9F], 1),
    ([0xEE, 0xEF], [0x80, 0xBF], 1),
    ([0xF0, 0xF0], [0x90, 0xBF], 2),
    ([0xF1, 0xF3], [0x80, 0xBF], 2),
    ([0xF4, 0xF4], [0x80, 0x8F], 2),
];

/// How far a text has got: which bytes may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// Any character.
    Boundary,
    /// The second byte of this row of the table.
    Second(usize),
    /// So many bytes from 80 to BF.
    Tail(u8),
    /// None: it is ill-formed.
    Wrong,
}

impl State {
    pub(crate) fn after(self, byte: u8) -> Self {
        let within = |[first, last]: [u8; 2]| first <= byte && byte <= last;
        let tail = |left| if left == 0 { Self::Boundary } else { Self::Tail(left) };
        match self {
            Self::Boundary if byte < 0x80 => Self::Boundary,
            Self::Boundary => ROWS.iter().position(|row| within(row.0)).map_or(Self::Wrong, Self::Second),
            Self::Second(row) if within(ROWS[row].1) => tail(ROWS[row].2),
            Self::Tail(left) if within([0x80, 0xBF]) => tail(left - 1),
            _ => Self::Wrong,
        }
    }
}

/// Calls `test` with all strings of `N` classes.
pub(crate) fn strings<const N: usize>(mut test: impl FnMut([usize; N])) {
    let mut string = [0; N];
    loop {
        test(string);
        let Some(k) = string.iter().rposition(|&class| class + 1 < COUNT) else { return };
        string[k] += 1;
        string[k + 1..].fill(0);
    }
}

/// The number of a string of classes, four bits each.
pub(crate) fn number(classes: &[usize]) -> usize {
    classes.iter().fold(0, |number, class| number << 4 | class)
}

/// More than the number of any string of four classes.
pub(crate) const NUMBERS: usize = 1 << 16;

#[test]
fn the_table_is_that_of_the_standard_library() {
    strings::<5>(|string| {
        for edges in [0b00000, 0b11111, 0b01010, 0b10101] {
            let text: [u8; 5] = core::array::from_fn(|k| CLASSES[string[k]][edges >> k & 1]);
            let mut state = State::Boundary;
            for (k, &byte) in text.iter().enumerate() {
                state = state.after(byte);
                let std = std::str::from_utf8(&text[..=k]);
                let (boundary, wrong) = (std.is_ok(), std.is_err_and(|error| error.error_len().is_some()));
                assert_eq!((boundary, wrong), (state == State::Boundary, state == State::Wrong), "{text:02X?}");
            }
        }
    });
}

pub(crate) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

pub(crate) fn is_high_surrogate(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

pub(crate) fn is_low_surrogate(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// The bytes of a vector; those that a shorter one lacks are 0.
#[inline(always)]
#[cfg(fastutf_simd)]
pub(crate) fn bytes<S: Lanes>(isa: S, v: S::V) -> [u8; 32] {
    let mut bytes = [0; 32];
    isa.overwrite(&mut bytes, 0, v);
    bytes
}

/// The words of a vector.
#[inline(always)]
#[cfg(fastutf_simd)]
pub(crate) fn words<S: Lanes>(isa: S, v: S::V) -> [u16; 16] {
    let bytes = bytes(isa, v);
    core::array::from_fn(|k| u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]))
}
