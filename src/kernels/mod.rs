//! The function of each operation on an instruction set.
//!
//! The layer above has the public functions, which call this one by `dispatch!`. Below are the kernels, each written
//! once for all [`Lanes`]. Beside it, under the same name in an `avx512.rs`, is the kernel of AVX-512.

#[macro_use]
mod coverage;
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

/// The kernels that are written twice: for all [`Lanes`] and, in an `avx512.rs` and under the same name, for AVX-512. A
/// row is a method of [`Kernels`], and the kernel that it calls with its arguments. `[order]` is the first of most; then
/// the kernel gets what is in its parentheses. A name before `fn` is a feature that the method needs.
///
/// `$with!` makes something of all rows: the declaration of the methods, or one of their implementations.
macro_rules! kernels {
    ($with:ident) => { $with! {
        fn validate_utf8(src: &[u8]) -> Result<(), Utf8Error> = validate_utf8::validate;
        fn utf8_info(src: &[u8]) -> Result<Utf8Info, Utf8Error> = validate_utf8::info;
        fn count_chars_utf8(src: &[u8]) -> usize = count::chars_utf8;
        fn utf16_len_from_utf8(src: &[u8]) -> usize = count::utf16_len;
        fn validate_utf16[order](src: &[u8]) -> Result<(), Utf16Error> = validate_utf16::validate;
        fn count_chars_utf16[order](src: &[u8]) -> usize = count::chars_utf16;
        fn utf8_len_from_utf16[order](src: &[u8]) -> usize = count::utf8_len;
        fn count_unpaired_utf16[order](src: &[u8]) -> usize = repair_utf16::count_unpaired;
        fn repair_utf16[order](src: &[u8], dst: &mut Output) -> usize = repair_utf16::repair;
        fn swap_utf16_bytes(bytes: &mut [u8]) = swap_utf16::swap_bytes;
        fn swap_utf16_bytes_into(src: &[u8], dst: &mut Output) = swap_utf16::swap_bytes_into;
        fn utf8_to_utf16[order](src: &[u8], dst: &mut Output) -> Reached = utf8_to_utf16::convert;
        fn utf16_to_utf8[order](src: &[u8], dst: &mut Output) -> Reached = utf16_to_utf8::convert;

        // Parts of the lossy operations.

        /// Converts the items of a window that starts with `src`, with U+FFFD for ill-formed ones. Returns the number of
        /// bytes written, or `None` if there may be too little room.
        fn convert_items[order](src: &[u8], items: Items, dst: &mut Output) -> Option<usize>
            = utf8_to_utf16::convert_items;
        /// Converts the ASCII at the start of `src[read..]`, by blocks, to `dst[written..]`. Returns the number of bytes
        /// read.
        fn convert_ascii[order](src: &[u8], dst: &mut Output, read: usize, written: usize) -> usize
            = utf8_to_utf16::convert_ascii;
        /// The bits of a window, transposed: one mask for each bit of a byte.
        fn bits(window: &[u8; WINDOW]) -> Bits = repair_utf8::bits;
        /// Whether a block is well-formed after the bytes before it.
        fn is_block_valid(view: &[u8; BEFORE + WINDOW]) -> bool = repair_utf8::is_block_valid;

        // Parts of the operations on columns, and of indices of positions.

        /// Replaces the borders in well-formed UTF-8 by what is counted before each. Returns whether any is inside of a
        /// character.
        "columns" fn utf8_borders(src: &[u8], borders: &mut Borders) -> bool = borders::utf8;
        /// The same in UTF-16.
        "columns" fn utf16_borders[order](src: &[u8], borders: &mut Borders) -> bool = borders::utf16;
        /// The masks of a block.
        "positions" fn masks(block: &[u8; 64]) -> Masks = masks::text;

        // Latin-1. Methods that return a length may stop before the first character that is not in it: plain Rust goes
        // on from there.

        "latin1" fn latin1_to_utf8(src: &[u8], dst: &mut Output) -> Reached = latin1::to_utf8;
        "latin1" fn utf8_len_from_latin1(src: &[u8]) -> usize = count::utf8_len_from_latin1;
        "latin1" fn utf8_to_latin1(src: &[u8], dst: &mut Output) -> Reached = latin1::from_utf8;
        "latin1" fn latin1_prefix_of_utf8(src: &[u8]) -> usize = latin1::prefix_of_utf8;
        "latin1" fn latin1_to_utf16[order](src: &[u8], dst: &mut Output) -> Reached = latin1::to_utf16;
        "latin1" fn utf16_to_latin1[order](src: &[u8], dst: &mut Output) -> Reached = latin1::from_utf16;
        "latin1" fn latin1_prefix_of_utf16[order](src: &[u8]) -> usize = latin1::prefix_of_utf16;
        "latin1" fn utf16_info[order](src: &[u8]) -> Result<Utf16Info, Utf16Error> = utf16_info::info;

        // UTF-32. Methods that return a length may stop before the first code unit that is ill-formed: plain Rust goes
        // on from there.

        "utf32" fn utf32_prefix[order](src: &[u8]) -> usize = utf32::prefix;
        "utf32" fn utf8_len_from_utf32[order](src: &[u8]) -> usize = count::utf8_len_from_utf32;
        "utf32" fn utf16_len_from_utf32[order](src: &[u8]) -> usize = count::utf16_len_from_utf32;
        "utf32" fn utf16_to_utf32[order](src: &[u8], dst: &mut Output) -> Reached = utf32::from_utf16;
        "utf32" fn utf32_to_utf8[order](src: &[u8], dst: &mut Output) -> Reached = utf32::to_utf8;
        "utf32" fn utf32_to_utf16[order](src: &[u8], dst: &mut Output) -> Reached = utf32::to_utf16;
        "utf32" fn utf8_to_utf32[order](src: &[u8], dst: &mut Output) -> Reached = utf32::from_utf8;
        /// Converts as much as fits. Returns the number of characters.
        "utf32" "latin1" fn latin1_to_utf32[order](src: &[u8], dst: &mut Output) -> usize = utf32::widen(false);
        /// Converts Latin-1, as much as there is at the start and fits, or less. Returns the number of characters.
        "utf32" "latin1" fn utf32_to_latin1[order](src: &[u8], dst: &mut Output) -> usize = utf32::narrow(0xFF);
    } };
}

#[cfg(fastutf_x86)]
#[allow(unsafe_code)]
mod avx512; // here, as it uses the macro

/// Declares the methods of [`kernels!`](macro@kernels).
macro_rules! declared {
    ($(
        $(#[$doc:meta])* $($feature:literal)*
        fn $name:ident $([$order:ident])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?
            = $module:ident::$kernel:ident $(($constant:literal))?;
    )*) => {$(
        $(#[$doc])*
        $(#[cfg(feature = $feature)])*
        fn $name(self, $($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)?;
    )*};
}

/// Implements them by the kernels that are written for [`Lanes`].
macro_rules! generic {
    ($(
        $(#[$doc:meta])* $($feature:literal)*
        fn $name:ident $([$order:ident])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?
            = $module:ident::$kernel:ident $(($constant:literal))?;
    )*) => {$(
        $(#[cfg(feature = $feature)])*
        #[inline(always)]
        fn $name(self, $($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)? {
            $module::$kernel(self, $($order,)? $($constant,)? $($arg),*)
        }
    )*};
}

/// Methods that are plain Rust, which compilers vectorise.
macro_rules! in_plain_rust {
    ($(fn $name:ident $([$order:ident])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {$(
        #[cfg(feature = "mutf8")]
        #[inline(always)]
        fn $name(self, $($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)? {
            crate::scalar::$name($($order,)? $($arg),*)
        }
    )*};
}

/// The operations of an instruction set. UTF-16 is passed as bytes, in either byte order, and all counts and offsets
/// are in bytes.
///
/// All methods are `#[inline(always)]`, like those of [`Simd`]: they are called inside [`Simd::vectorize`].
pub(crate) trait Kernels: Simd {
    kernels!(declared);

    /// Of the ones in `bits`, number `n`, as a mask. There are more than `n`.
    #[cfg(feature = "positions")]
    #[inline(always)]
    fn nth_bit(self, bits: u64, n: usize) -> usize {
        sections::nth_bit(bits, n)
    }

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

    // Modified UTF-8.

    in_plain_rust! {
        fn utf16_without_specials[order](src: &[u8]) -> usize;
        fn utf8_without_specials(src: &[u8]) -> usize;
        fn escape_utf16[order](src: &[u8], dst: &mut [u8]) -> bool;
        fn unescape_utf16[order](src: &[u8], dst: &mut Output);
        fn escape_mutf8(src: &[u8], dst: &mut [u8]) -> bool;
        fn unescape_utf8(src: &[u8], dst: &mut Output);
        fn mutf8_len_from_utf16[order](src: &[u8]) -> usize;
        fn mutf8_len_from_utf8(src: &[u8]) -> usize;
        fn utf8_len_from_mutf8(src: &[u8]) -> usize;
    }

    cfg_if::cfg_if! {
        if #[cfg(feature = "positions")] {
            #[inline(always)]
            fn count_sections(self, src: &[u8], sections: &mut Sections<'_>) {
                sections::count(self, src, sections);
            }

            #[inline(always)]
            fn before(self, src: &[u8], at: usize) -> Before {
                sections::before(self, src, at)
            }

            #[inline(always)]
            fn find_utf16(self, src: &[u8], n: usize) -> usize {
                sections::find(self, src, Unit::Utf16, n)
            }

            #[inline(always)]
            fn find_char(self, src: &[u8], n: usize) -> usize {
                sections::find(self, src, Unit::Utf32, n)
            }

            #[inline(always)]
            fn find_line(self, src: &[u8], skip: usize) -> Line {
                sections::line(self, src, skip)
            }

            #[inline(always)]
            fn place_all(self, src: &[u8], batch: &mut Batch) {
                sections::place_all(self, src, batch);
            }

            #[inline(always)]
            fn find_all(self, src: &[u8], batch: &mut Batch) {
                sections::find_all(self, src, batch);
            }
        }
    }
}

#[cfg(feature = "positions")]
impl<K: Kernels> Marks for K {
    #[inline(always)]
    fn masks(self, block: &[u8; 64]) -> Masks {
        Kernels::masks(self, block)
    }

    #[inline(always)]
    fn nth_bit(self, bits: u64, n: usize) -> usize {
        Kernels::nth_bit(self, bits, n)
    }
}

/// The generic kernels, written once for every instruction set with lanes of 16 bytes.
impl<S: Lanes> Kernels for S {
    kernels!(generic);
}
