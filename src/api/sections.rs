//! The kernels of [`positions`](crate::positions).

use crate::isa::Isa;
use crate::sections::{Batch, Before, Line, Sections};

impl Isa {
    /// Counts what is in each of the sections at the start of `src`.
    pub(crate) fn count_sections(self, src: &[u8], sections: &mut Sections<'_>) {
        dispatch!(self, count_sections(src, sections))
    }

    /// What is before `src[at]`, or before the end.
    pub(crate) fn before(self, src: &[u8], at: usize) -> Before {
        dispatch!(self, before(src, at))
    }

    /// Where the character starts that UTF-16 code unit `n` belongs to; the end if there are no more than `n`.
    pub(crate) fn find_utf16(self, src: &[u8], n: usize) -> usize {
        dispatch!(self, find_utf16(src, n))
    }

    /// Where character `n` starts; the end if there are no more than `n`.
    pub(crate) fn find_char(self, src: &[u8], n: usize) -> usize {
        dispatch!(self, find_char(src, n))
    }

    /// The line after `skip` line ends.
    pub(crate) fn find_line(self, src: &[u8], skip: usize) -> Line {
        dispatch!(self, find_line(src, skip))
    }

    /// Finds the places of bytes, as long as each is near the one before it and not before it.
    pub(crate) fn place_all(self, src: &[u8], batch: &mut Batch) {
        dispatch!(self, place_all(src, batch))
    }

    /// Finds the bytes of offsets, as long as each is near the one before it and not before it.
    pub(crate) fn find_all(self, src: &[u8], batch: &mut Batch) {
        dispatch!(self, find_all(src, batch))
    }
}
