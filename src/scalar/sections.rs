//! The operations on [`sections`] in plain Rust.

use super::masks::{TOP, masks, tops_utf8};
use crate::sections::{self, Batch, Before, Line, Marks, Masks, Sections, Unit};

#[derive(Clone, Copy)]
struct Plain;

impl Marks for Plain {
    #[inline(always)]
    fn masks(self, block: &[u8; 64]) -> Masks {
        let (starts, from_f0) = masks(block, tops_utf8);
        let equal = |bytes: u64, byte: u8| {
            let different = bytes ^ u64::from_le_bytes([byte; 8]);
            // No carry leaves a byte.
            !(((different & !TOP) + !TOP) | different) & TOP
        };
        let (line_feeds, returns) = masks(block, |bytes| (equal(bytes, b'\n'), equal(bytes, b'\r')));
        Masks { starts, from_f0, line_feeds, returns }
    }
}

#[inline(never)]
pub(crate) fn count_sections(src: &[u8], sections: &mut Sections<'_>) {
    sections::count(Plain, src, sections);
}

#[inline(never)]
pub(crate) fn before(src: &[u8], at: usize) -> Before {
    sections::before(Plain, src, at)
}

#[inline(never)]
pub(crate) fn find_utf16(src: &[u8], n: usize) -> usize {
    sections::find(Plain, src, Unit::Utf16, n)
}

#[inline(never)]
pub(crate) fn find_char(src: &[u8], n: usize) -> usize {
    sections::find(Plain, src, Unit::Utf32, n)
}

#[inline(never)]
pub(crate) fn find_line(src: &[u8], skip: usize) -> Line {
    sections::line(Plain, src, skip)
}

#[inline(never)]
pub(crate) fn place_all(src: &[u8], batch: &mut Batch) {
    sections::place_all(Plain, src, batch);
}

#[inline(never)]
pub(crate) fn find_all(src: &[u8], batch: &mut Batch) {
    sections::find_all(Plain, src, batch);
}
