//! How the bytes of an input become text at some alignment and room for the result.

use std::fmt::Debug;

use fastutf::Isa;

/// One character each of 1 to 4 bytes of UTF-8, the last a surrogate pair in UTF-16.
const FILLERS: [char; 4] = ['a', 'ж', '語', '😀'];

/// The bytes of [`Input`] that say how, before those that are text.
pub const HEADER: usize = 8;

/// An input taken apart. Its first [`HEADER`] bytes say, in this order: where the source and where the destination
/// start in their allocations; how the room is chosen (low two bits) and filler (next two); how many fillers stand
/// before and after the text, which brings it into a kernel's main loop at every offset of a block; the room (two
/// bytes); and one to spare. What is missing is 0.
pub struct Input {
    pub src: Placed<u8>,
    pub dst_offset: usize,
    /// 0 or 1: whether a destination of code units in bytes has half a unit too much.
    pub odd: usize,
    how: u8,
    drawn: usize,
}

impl Input {
    /// Text and filler are UTF-8, the text as it may be.
    pub fn utf8(data: &[u8]) -> Self {
        Self::new(data, |filler| filler.to_string().into_bytes())
    }

    /// Text and filler are UTF-16LE.
    pub fn utf16(data: &[u8]) -> Self {
        Self::new(data, |filler| {
            filler.encode_utf16(&mut [0; 2]).iter().copied().flat_map(u16::to_le_bytes).collect()
        })
    }

    fn new(data: &[u8], encode: impl Fn(char) -> Vec<u8>) -> Self {
        let (header, text) = data.split_at(data.len().min(HEADER));
        let [src, dst, how, before, after, low, high, odd] = std::array::from_fn(|i| *header.get(i).unwrap_or(&0));
        let filler = encode(FILLERS[usize::from(how >> 2 & 3)]);
        let bytes = [&filler.repeat(before.into()), text, &filler.repeat(after.into())].concat();
        Self {
            src: Placed::new(usize::from(src & 63), &bytes),
            dst_offset: usize::from(dst & 63),
            odd: usize::from(odd & 1),
            how: how & 3,
            drawn: usize::from(u16::from_le_bytes([low, high])),
        }
    }

    /// The room for a result of length `exact`, where `most` is what always suffices.
    pub fn room(&self, exact: usize, most: usize) -> usize {
        match self.how {
            0 => exact,
            1 => most,
            _ => self.drawn % (exact + 1),
        }
    }

    /// A UTF-16LE input as UTF-16BE. An odd last byte stays.
    pub fn swapped(&self) -> Placed<u8> {
        let mut bytes = self.src.get().to_vec();
        bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse());
        Placed::new(self.dst_offset, &bytes)
    }

    /// A UTF-16LE input as code units, without an odd last byte.
    pub fn units(&self) -> Placed<u16> {
        let units: Vec<u16> =
            self.src.get().as_chunks::<2>().0.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
        Placed::new(self.dst_offset, &units)
    }
}

/// A slice that starts anywhere in its allocation and ends with it.
pub struct Placed<T> {
    allocation: Box<[T]>,
    offset: usize,
}

impl<T: Copy + Default> Placed<T> {
    pub fn new(offset: usize, elements: &[T]) -> Self {
        let allocation = [&vec![T::default(); offset], elements].concat().into_boxed_slice();
        Self { allocation, offset }
    }

    pub fn get(&self) -> &[T] {
        &self.allocation[self.offset..]
    }

    pub fn get_mut(&mut self) -> &mut [T] {
        &mut self.allocation[self.offset..]
    }
}

/// What a destination holds before: no filler, and seldom the result.
pub trait Untouched {
    const PATTERN: Self;
}

impl Untouched for u8 {
    const PATTERN: Self = 0xA5;
}

impl Untouched for u16 {
    const PATTERN: Self = 0xA5B6;
}

/// A destination that knows what has been written to it.
pub struct Buffer<T>(Placed<T>);

impl<T: Copy + Default + PartialEq + Debug + Untouched> Buffer<T> {
    pub fn new(offset: usize, len: usize) -> Self {
        let mut placed = Placed::new(offset, &vec![T::PATTERN; len]);
        placed.allocation.fill(T::PATTERN);
        Self(placed)
    }

    pub fn get(&mut self) -> &mut [T] {
        self.0.get_mut()
    }

    /// Asserts that it starts with `written`, and that nothing else has been touched.
    #[track_caller]
    pub fn assert_holds(&self, written: &[T], isa: Isa, operation: &str) {
        let (result, beyond) = self.0.get().split_at(written.len());
        assert_eq!(result, written, "{operation} on {isa}");
        let before = &self.0.allocation[..self.0.offset];
        let touched = [before, beyond].concat().iter().any(|element| *element != T::PATTERN);
        assert!(!touched, "{operation} on {isa} wrote beyond what it reports: {beyond:02X?}");
    }
}
