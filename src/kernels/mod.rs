//! Which function does each operation on an instruction set.
//!
//! Above are the public functions, which come here by `dispatch!`. Below are the kernels: written once for all that is
//! [`Lanes`], and beside each, under the same name in an `avx512.rs`, the one that AVX-512 has instead.

#[macro_use]
mod coverage;
#[cfg(fastutf_x86)]
#[allow(unsafe_code)]
mod avx512;
mod count;
#[cfg(any(feature = "columns", feature = "positions"))]
mod masks;
mod repair_utf16;
mod repair_utf8;
mod swap_utf16;
pub(crate) mod tables;
mod utf16_to_utf8;
mod utf8_to_utf16;
pub(crate) mod validate_utf16;
pub(crate) mod validate_utf8;

use crate::endian::ByteOrder;
use crate::output::Output;
use crate::replacement::{Items, Repair, WINDOW};
use crate::report::{Reached, Utf8Error, Utf8Info, Utf16Error};
#[cfg(feature = "positions")]
use crate::sections::{self, Batch, Before, Line, Marks, Masks, Sections, Unit};
use crate::simd::{Lanes, Simd};
use repair_utf8::{BEFORE, Bits};

cfg_if::cfg_if! {
    if #[cfg(feature = "columns")] {
        mod borders;
        use crate::borders::Borders;
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "latin1")] {
        mod latin1;
        mod utf16_info;
        use crate::report::Utf16Info;
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "utf32")] {
        mod utf32;
    }
}

/// The operations of an instruction set. UTF-16 is passed as bytes, in either byte order, and all counts and offsets
/// are in bytes.
///
/// All methods are `#[inline(always)]`, like those of [`Simd`]: they are called inside [`Simd::vectorize`].
pub(crate) trait Kernels: Simd {
    fn validate_utf8(self, src: &[u8]) -> Result<(), Utf8Error>;
    fn utf8_info(self, src: &[u8]) -> Result<Utf8Info, Utf8Error>;
    fn count_chars_utf8(self, src: &[u8]) -> usize;
    fn utf16_len_from_utf8(self, src: &[u8]) -> usize;
    fn validate_utf16(self, order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error>;
    fn count_chars_utf16(self, order: ByteOrder, src: &[u8]) -> usize;
    fn utf8_len_from_utf16(self, order: ByteOrder, src: &[u8]) -> usize;
    fn count_unpaired_utf16(self, order: ByteOrder, src: &[u8]) -> usize;
    fn repair_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> usize;
    fn swap_utf16_bytes(self, bytes: &mut [u8]);
    fn swap_utf16_bytes_into(self, src: &[u8], dst: &mut Output);
    fn utf8_to_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
    fn utf16_to_utf8(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;

    // Parts of the operations on columns.

    cfg_if::cfg_if! {
        if #[cfg(feature = "columns")] {
            /// Replaces the borders in well-formed UTF-8 by what is counted before each. Returns whether any is inside of a
            /// character.
            fn utf8_borders(self, src: &[u8], borders: &mut Borders) -> bool;
            /// The same in UTF-16.
            fn utf16_borders(self, order: ByteOrder, src: &[u8], borders: &mut Borders) -> bool;
        }
    }

    // Of indices of positions.

    cfg_if::cfg_if! {
        if #[cfg(feature = "positions")] {
            /// The masks of a block.
            fn masks(self, block: &[u8; 64]) -> Masks;
            /// The bit that is the one number `n` of `bits`, which has more than `n`.
            #[inline(always)]
            fn nth_bit(self, bits: u64, n: usize) -> usize {
                sections::nth_bit(bits, n)
            }
        }
    }

    // Latin-1. What returns a length may stop before the first character that is not in it: plain Rust goes on from there.

    cfg_if::cfg_if! {
        if #[cfg(feature = "latin1")] {
            fn latin1_to_utf8(self, src: &[u8], dst: &mut Output) -> Reached;
            fn utf8_len_from_latin1(self, src: &[u8]) -> usize;
            fn utf8_to_latin1(self, src: &[u8], dst: &mut Output) -> Reached;
            fn latin1_prefix_of_utf8(self, src: &[u8]) -> usize;
            fn latin1_to_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
            fn utf16_to_latin1(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
            fn latin1_prefix_of_utf16(self, order: ByteOrder, src: &[u8]) -> usize;
            fn utf16_info(self, order: ByteOrder, src: &[u8]) -> Result<Utf16Info, Utf16Error>;
        }
    }

    // UTF-32. What returns a length may stop before the first code unit that is ill-formed: plain Rust goes on from there.

    cfg_if::cfg_if! {
        if #[cfg(feature = "utf32")] {
            fn utf32_prefix(self, order: ByteOrder, src: &[u8]) -> usize;
            fn utf8_len_from_utf32(self, order: ByteOrder, src: &[u8]) -> usize;
            fn utf16_len_from_utf32(self, order: ByteOrder, src: &[u8]) -> usize;
            fn utf16_to_utf32(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
            fn utf32_to_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
            /// Converts ASCII, as much as there is at the start and fits, or less.
            fn ascii_to_utf32(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
            fn utf32_to_ascii(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
        }
    }
    cfg_if::cfg_if! {
        if #[cfg(all(feature = "utf32", feature = "latin1"))] {
            /// Converts as much as fits.
            fn latin1_to_utf32(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
            /// Like `utf32_to_ascii`.
            fn utf32_to_latin1(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached;
        }
    }

    // Parts of the lossy operations.

    /// Checks `src`. The error is an offset before which everything is well-formed, except for a character cut there.
    fn check_utf8(self, src: &[u8]) -> Result<(), usize>;
    /// Converts the items of a window that starts with `src`, with U+FFFD for ill-formed ones. Returns the number of
    /// bytes written, or `None` if there may be too little room.
    fn convert_items(self, order: ByteOrder, src: &[u8], items: Items, dst: &mut Output) -> Option<usize>;
    /// Converts the ASCII at the start of `src[read..]`, by blocks, to `dst[written..]`. Returns the number of bytes
    /// read.
    fn convert_ascii(self, order: ByteOrder, src: &[u8], dst: &mut Output, read: usize, written: usize) -> usize;
    /// The bits of a window, transposed: one mask for each bit of a byte.
    fn bits(self, window: &[u8; WINDOW]) -> Bits;
    /// Whether a block is well-formed after the bytes before it.
    fn is_block_valid(self, view: &[u8; BEFORE + WINDOW]) -> bool;

    // These have one algorithm for all instruction sets.

    #[inline(always)]
    fn utf8_to_utf8_lossy(self, src: &[u8], dst: &mut Output) -> Repair {
        repair_utf8::to_utf8(self, src, dst)
    }

    #[inline(always)]
    fn utf8_to_utf16_lossy(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
        repair_utf8::to_utf16(self, order, src, dst)
    }

    #[inline(always)]
    fn ill_formed_items(self, src: &[u8]) -> Option<(usize, Items)> {
        repair_utf8::ill_formed_items(self, src)
    }

    #[inline(always)]
    fn is_ascii(self, src: &[u8]) -> bool {
        validate_utf8::is_ascii(self, src)
    }

    // Modified UTF-8: plain Rust that compilers vectorise.

    cfg_if::cfg_if! {
        if #[cfg(feature = "mutf8")] {
            #[inline(always)]
            fn utf16_without_specials(self, order: ByteOrder, src: &[u8]) -> usize {
                crate::scalar::utf16_without_specials(order, src)
            }

            #[inline(always)]
            fn utf8_without_specials(self, src: &[u8]) -> usize {
                crate::scalar::utf8_without_specials(src)
            }

            #[inline(always)]
            fn disguise_utf16(self, order: ByteOrder, src: &[u8], dst: &mut [u8]) -> bool {
                crate::scalar::disguise_utf16(order, src, dst)
            }

            #[inline(always)]
            fn reveal_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) {
                crate::scalar::reveal_utf16(order, src, dst);
            }

            #[inline(always)]
            fn disguise_mutf8(self, src: &[u8], dst: &mut [u8]) -> bool {
                crate::scalar::disguise_mutf8(src, dst)
            }

            #[inline(always)]
            fn reveal_utf8(self, src: &[u8], dst: &mut Output) {
                crate::scalar::reveal_utf8(src, dst);
            }

            #[inline(always)]
            fn mutf8_len_from_utf16(self, order: ByteOrder, src: &[u8]) -> usize {
                crate::scalar::mutf8_len_from_utf16(order, src)
            }

            #[inline(always)]
            fn mutf8_len_from_utf8(self, src: &[u8]) -> usize {
                crate::scalar::mutf8_len_from_utf8(src)
            }

            #[inline(always)]
            fn utf8_len_from_mutf8(self, src: &[u8]) -> usize {
                crate::scalar::utf8_len_from_mutf8(src)
            }
        }
    }

    cfg_if::cfg_if! {
        if #[cfg(feature = "positions")] {
            #[inline(always)]
            fn count_sections(self, src: &[u8], sections: &mut Sections<'_>) {
                sections::count(ByKernels(self), src, sections);
            }

            #[inline(always)]
            fn before(self, src: &[u8], at: usize) -> Before {
                sections::before(ByKernels(self), src, at)
            }

            #[inline(always)]
            fn find_utf16(self, src: &[u8], n: usize) -> usize {
                sections::find(ByKernels(self), src, Unit::Utf16, n)
            }

            #[inline(always)]
            fn find_char(self, src: &[u8], n: usize) -> usize {
                sections::find(ByKernels(self), src, Unit::Utf32, n)
            }

            #[inline(always)]
            fn find_line(self, src: &[u8], skip: usize) -> Line {
                sections::line(ByKernels(self), src, skip)
            }

            #[inline(always)]
            fn place_all(self, src: &[u8], batch: &mut Batch) {
                sections::place_all(ByKernels(self), src, batch);
            }

            #[inline(always)]
            fn find_all(self, src: &[u8], batch: &mut Batch) {
                sections::find_all(ByKernels(self), src, batch);
            }
        }
    }
}

/// The masks of an instruction set.
#[cfg(feature = "positions")]
#[derive(Clone, Copy)]
struct ByKernels<K>(K);

#[cfg(feature = "positions")]
impl<K: Kernels> Marks for ByKernels<K> {
    #[inline(always)]
    fn masks(self, block: &[u8; 64]) -> Masks {
        self.0.masks(block)
    }

    #[inline(always)]
    fn nth_bit(self, bits: u64, n: usize) -> usize {
        self.0.nth_bit(bits, n)
    }
}

/// The generic kernels, written once for every instruction set with lanes of 16 bytes.
impl<S: Lanes> Kernels for S {
    #[inline(always)]
    fn validate_utf8(self, src: &[u8]) -> Result<(), Utf8Error> {
        validate_utf8::validate(self, src)
    }

    #[inline(always)]
    fn utf8_info(self, src: &[u8]) -> Result<Utf8Info, Utf8Error> {
        validate_utf8::info(self, src)
    }

    #[inline(always)]
    fn count_chars_utf8(self, src: &[u8]) -> usize {
        count::chars_utf8(self, src)
    }

    #[inline(always)]
    fn utf16_len_from_utf8(self, src: &[u8]) -> usize {
        count::utf16_len(self, src)
    }

    #[inline(always)]
    fn validate_utf16(self, order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
        validate_utf16::validate(self, order, src)
    }

    #[inline(always)]
    fn count_chars_utf16(self, order: ByteOrder, src: &[u8]) -> usize {
        count::chars_utf16(self, order, src)
    }

    #[inline(always)]
    fn utf8_len_from_utf16(self, order: ByteOrder, src: &[u8]) -> usize {
        count::utf8_len(self, order, src)
    }

    #[inline(always)]
    fn count_unpaired_utf16(self, order: ByteOrder, src: &[u8]) -> usize {
        repair_utf16::count_unpaired(self, order, src)
    }

    #[inline(always)]
    fn repair_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
        repair_utf16::repair(self, order, src, dst)
    }

    #[inline(always)]
    fn swap_utf16_bytes(self, bytes: &mut [u8]) {
        swap_utf16::swap_bytes(self, bytes)
    }

    #[inline(always)]
    fn swap_utf16_bytes_into(self, src: &[u8], dst: &mut Output) {
        swap_utf16::swap_bytes_into(self, src, dst)
    }

    #[inline(always)]
    fn utf8_to_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
        utf8_to_utf16::convert(self, order, src, dst)
    }

    #[inline(always)]
    fn utf16_to_utf8(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
        utf16_to_utf8::convert(self, order, src, dst)
    }

    cfg_if::cfg_if! {
        if #[cfg(feature = "columns")] {
            #[inline(always)]
            fn utf8_borders(self, src: &[u8], borders: &mut Borders) -> bool {
                borders::utf8(self, src, borders)
            }

            #[inline(always)]
            fn utf16_borders(self, order: ByteOrder, src: &[u8], borders: &mut Borders) -> bool {
                borders::utf16(self, order, src, borders)
            }
        }
    }

    #[cfg(feature = "positions")]
    #[inline(always)]
    fn masks(self, block: &[u8; 64]) -> Masks {
        masks::text(self, block)
    }

    cfg_if::cfg_if! {
        if #[cfg(feature = "latin1")] {
            #[inline(always)]
            fn latin1_to_utf8(self, src: &[u8], dst: &mut Output) -> Reached {
                latin1::to_utf8(self, src, dst)
            }

            #[inline(always)]
            fn utf8_len_from_latin1(self, src: &[u8]) -> usize {
                count::utf8_len_from_latin1(self, src)
            }

            #[inline(always)]
            fn utf8_to_latin1(self, src: &[u8], dst: &mut Output) -> Reached {
                latin1::from_utf8(self, src, dst)
            }

            #[inline(always)]
            fn latin1_prefix_of_utf8(self, src: &[u8]) -> usize {
                latin1::prefix_of_utf8(self, src)
            }

            #[inline(always)]
            fn latin1_to_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                latin1::to_utf16(self, order, src, dst)
            }

            #[inline(always)]
            fn utf16_to_latin1(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                latin1::from_utf16(self, order, src, dst)
            }

            #[inline(always)]
            fn utf16_info(self, order: ByteOrder, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
                utf16_info::info(self, order, src)
            }

            #[inline(always)]
            fn latin1_prefix_of_utf16(self, order: ByteOrder, src: &[u8]) -> usize {
                latin1::prefix_of_utf16(self, order, src)
            }
        }
    }

    cfg_if::cfg_if! {
        if #[cfg(feature = "utf32")] {
            #[inline(always)]
            fn utf32_prefix(self, order: ByteOrder, src: &[u8]) -> usize {
                utf32::prefix(self, order, src)
            }

            #[inline(always)]
            fn utf8_len_from_utf32(self, order: ByteOrder, src: &[u8]) -> usize {
                utf32::utf8_len(self, order, src)
            }

            #[inline(always)]
            fn utf16_len_from_utf32(self, order: ByteOrder, src: &[u8]) -> usize {
                utf32::utf16_len(self, order, src)
            }

            #[inline(always)]
            fn utf16_to_utf32(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                utf32::from_utf16(self, order, src, dst)
            }

            #[inline(always)]
            fn utf32_to_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                utf32::to_utf16(self, order, src, dst)
            }

            #[inline(always)]
            fn ascii_to_utf32(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                Reached::after(utf32::widen(self, order, true, src, dst), 1, 4)
            }

            #[inline(always)]
            fn utf32_to_ascii(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                Reached::after(utf32::narrow(self, order, 0x7F, src, dst), 4, 1)
            }
        }
    }

    cfg_if::cfg_if! {
        if #[cfg(all(feature = "utf32", feature = "latin1"))] {
            #[inline(always)]
            fn latin1_to_utf32(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                Reached::after(utf32::widen(self, order, false, src, dst), 1, 4)
            }

            #[inline(always)]
            fn utf32_to_latin1(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
                Reached::after(utf32::narrow(self, order, 0xFF, src, dst), 4, 1)
            }
        }
    }

    #[inline(always)]
    fn check_utf8(self, src: &[u8]) -> Result<(), usize> {
        validate_utf8::check(self, src)
    }

    #[inline(always)]
    fn convert_items(self, order: ByteOrder, src: &[u8], items: Items, dst: &mut Output) -> Option<usize> {
        utf8_to_utf16::convert_items(self, order, src, items, dst)
    }

    #[inline(always)]
    fn convert_ascii(self, order: ByteOrder, src: &[u8], dst: &mut Output, read: usize, written: usize) -> usize {
        utf8_to_utf16::convert_ascii(self, order, src, dst, read, written)
    }

    #[inline(always)]
    fn bits(self, window: &[u8; WINDOW]) -> Bits {
        repair_utf8::bits(self, window)
    }

    #[inline(always)]
    fn is_block_valid(self, view: &[u8; BEFORE + WINDOW]) -> bool {
        repair_utf8::is_block_valid(self, view)
    }
}
