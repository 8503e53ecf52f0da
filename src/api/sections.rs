//! The kernels of [`positions`](crate::positions).

use crate::isa::Isa;
use crate::sections::{Batch, Before, Line, Sections};

impl Isa {
    by_kernel! {
        /// Counts what is in each of the sections at the start of `src`.
        pub(crate) fn count_sections(src: &[u8], sections: &mut Sections<'_>) = count_sections;
        /// What is before `src[at]`, or before the end.
        pub(crate) fn before(src: &[u8], at: usize) -> Before = before;
        /// Where the character starts that UTF-16 code unit `n` belongs to; the end if there are no more than `n`.
        pub(crate) fn find_utf16(src: &[u8], n: usize) -> usize = find_utf16;
        /// Where character `n` starts; the end if there are no more than `n`.
        pub(crate) fn find_char(src: &[u8], n: usize) -> usize = find_char;
        /// The line after `skip` line ends.
        pub(crate) fn find_line(src: &[u8], skip: usize) -> Line = find_line;
        /// Finds the places of bytes, as long as each is near the one before it and not before it.
        pub(crate) fn place_all(src: &[u8], batch: &mut Batch) = place_all;
        /// Finds the bytes of offsets, as long as each is near the one before it and not before it.
        pub(crate) fn find_all(src: &[u8], batch: &mut Batch) = find_all;
    }
}
