//! Decodes an input: its bytes contain a text, its place in memory, the size of the output, and the choice of an
//! operation.

use std::cell::Cell;
use std::sync::LazyLock;

use fastutf::Isa;

use crate::memory::{Place, Placed};
use crate::room::Parts;

/// One character each of 1 to 4 bytes of UTF-8, the last a surrogate pair in UTF-16.
const FILLERS: [char; 4] = ['a', 'ж', '語', '😀'];

/// The number of bytes before the text, which contain all parameters of an [`Input`].
pub const HEADER: usize = 8;

/// The maximum number of fillers on either side of the text.
const MOST: usize = 512;

/// The choice of an instruction set and of an operation.
#[derive(Clone, Copy)]
pub struct Choice(u8);

impl Choice {
    /// Reads the last byte of the header: the lowest bit is used elsewhere, the next three are the instruction set, and
    /// the highest four the operation.
    pub fn of(data: &[u8]) -> Self {
        Self(data.get(HEADER - 1).copied().unwrap_or_default())
    }

    pub fn isa(self) -> Isa {
        static HERE: LazyLock<Vec<Isa>> = LazyLock::new(|| Isa::available().collect());
        HERE[usize::from(self.0 >> 1 & 7) % HERE.len()]
    }

    /// One of `count` operations, at most 16.
    pub fn turn(self, count: usize) -> usize {
        assert!(count <= 16, "four bits choose the operation");
        usize::from(self.0 >> 4) % count
    }
}

/// A decoded input. Its first [`HEADER`] bytes are, in this order: the places of the source and of the destination; how
/// to choose the room (low two bits), the filler before the text (next two) and how the filler after it differs (next
/// two); the number of fillers before and after the text, which bring it into a kernel's main loop at every offset of a
/// block; the room (two bytes); and a [`Choice`]. Missing bytes are 0.
pub struct Input {
    pub src: Placed<u8>,
    pub dst: Place,
    /// 0 or 1: whether a destination of code units in bytes has an odd byte.
    pub odd: usize,
    pub choice: Choice,
    how: u8,
    drawn: usize,
}

impl Input {
    /// Text and filler are UTF-8. The text may be ill-formed.
    pub fn utf8(data: &[u8]) -> Self {
        static LONG: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| long(|filler| filler.to_string().into_bytes()));
        Self::new(data, &LONG)
    }

    /// Text and filler are UTF-16LE.
    pub fn utf16(data: &[u8]) -> Self {
        static LONG: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| {
            long(|filler| filler.encode_utf16(&mut [0; 2]).iter().copied().flat_map(u16::to_le_bytes).collect())
        });
        Self::new(data, &LONG)
    }

    fn new(data: &[u8], long: &[Vec<u8>; 4]) -> Self {
        let (header, text) = data.split_at(data.len().min(HEADER));
        let [src, dst, how, before, behind, low, high, odd] =
            std::array::from_fn(|i| *header.get(i).unwrap_or(&0));
        let some = |kind: u8, count: u8| {
            let long = &long[usize::from(kind & 3)];
            &long[..long.len() / MOST * fillers(count)]
        };
        let (before, behind) = (some(how >> 2, before), some(how >> 2 ^ how >> 4, behind));
        let len = before.len() + text.len() + behind.len();
        let src = Placed::source(Place(src), len, |slice| {
            let (first, rest) = slice.split_at_mut(before.len());
            let (second, third) = rest.split_at_mut(text.len());
            first.copy_from_slice(before);
            second.copy_from_slice(text);
            third.copy_from_slice(behind);
        });
        Self {
            src,
            dst: Place(dst),
            odd: usize::from(odd & 1),
            choice: Choice::of(data),
            how: how & 3,
            drawn: usize::from(u16::from_le_bytes([low, high])),
        }
    }

    /// The room for a result of length `exact`. `most` is always enough.
    pub fn room(&self, exact: usize, most: usize) -> usize {
        match self.how {
            0 => exact,
            1 => most,
            _ => self.drawn % (exact + 1),
        }
    }

    /// One part in `count` of a check, chosen by the upper bits of the number that chooses the room.
    pub fn parts(&self, count: usize) -> Parts {
        Parts { isa: self.choice.isa(), first: (self.drawn >> 8) % count, one_in: count, passed: Cell::new(0) }
    }

    /// The number that chooses the room.
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// A UTF-16LE input as UTF-16BE. An odd last byte stays.
    pub fn swapped(&self) -> Placed<u8> {
        let src = self.src.get();
        Placed::source(self.dst, src.len(), |slice| {
            slice.copy_from_slice(src);
            slice.as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse());
        })
    }

    /// A UTF-16LE input as code units, without an odd last byte.
    pub fn units(&self) -> Placed<u16> {
        let pairs = self.src.get().as_chunks::<2>().0;
        Placed::source(self.dst, pairs.len(), |slice| {
            slice.iter_mut().zip(pairs).for_each(|(unit, &pair)| *unit = u16::from_le_bytes(pair));
        })
    }
}

/// The number of fillers. It is usually small, to save time; larger numbers are multiples of 8.
fn fillers(count: u8) -> usize {
    match count {
        0..0xC0 => usize::from(count % 32),
        _ => 8 * usize::from(count - 0xBF),
    }
}

/// The maximum number of each filler.
fn long(encode: impl Fn(char) -> Vec<u8>) -> [Vec<u8>; 4] {
    FILLERS.map(|filler| encode(filler).repeat(MOST))
}
