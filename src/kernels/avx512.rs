//! The kernels that AVX-512 has of its own: each stands in an `avx512.rs`, beside the one for all others.

use super::repair_utf8::{BEFORE, Bits};
use super::{
    Kernels, count, repair_utf8, repair_utf16, swap_utf16, utf8_to_utf16, utf16_to_utf8, validate_utf8,
    validate_utf16,
};
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::replacement::{Items, WINDOW};
use crate::report::{Reached, Utf8Error, Utf8Info, Utf16Error};
use crate::simd::x86::avx512::{Avx512, proven};

cfg_if::cfg_if! {
    if #[cfg(feature = "columns")] {
        use super::borders;
        use crate::borders::Borders;
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "latin1")] {
        use super::{latin1, utf16_info};
        use crate::report::Utf16Info;
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "positions")] {
        use super::masks;
        use crate::sections::Masks;
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "utf32")] {
        use super::utf32;
    }
}

/// Turns functions that need features of AVX-512 into methods, which are safe because the token proves these
/// features. `[order]` stands for the argument that most of them have.
macro_rules! proven_by_token {
    ($(
        fn $name:ident $([$order:ident])? (self, $($arg:ident: $ty:ty),*) $(-> $ret:ty)? { $kernel:expr }
    )*) => {$(
        #[inline(always)]
        fn $name(self, $($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)? {
            proven! {
                #[allow(dead_code)]
                fn needs_no_more($($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)? { $kernel }
            }
            // SAFETY: `self` proves every feature that the kernel is compiled for, and it needs nothing else, as
            // `needs_no_more` shows by compiling.
            unsafe { $kernel }
        }
    )*};
}

impl Avx512 {
    proven_by_token! {
        fn is_ascii_up_to_64(self, src: &[u8]) -> bool {
            validate_utf8::avx512::is_ascii_up_to_64(src)
        }
    }
}

impl Kernels for Avx512 {
    #[inline(always)]
    fn is_ascii(self, src: &[u8]) -> bool {
        if src.len() <= 64 { self.is_ascii_up_to_64(src) } else { validate_utf8::is_ascii(self, src) }
    }

    proven_by_token! {
        fn validate_utf8(self, src: &[u8]) -> Result<(), Utf8Error> {
            validate_utf8::avx512::validate(src)
        }

        fn utf8_info(self, src: &[u8]) -> Result<Utf8Info, Utf8Error> {
            validate_utf8::avx512::info(src)
        }

        fn count_chars_utf8(self, src: &[u8]) -> usize {
            count::avx512::chars_utf8(src)
        }

        fn utf16_len_from_utf8(self, src: &[u8]) -> usize {
            count::avx512::utf16_len(src)
        }

        fn validate_utf16[order](self, src: &[u8]) -> Result<(), Utf16Error> {
            validate_utf16::avx512::validate(order, src)
        }

        fn count_chars_utf16[order](self, src: &[u8]) -> usize {
            count::avx512::chars_utf16(order, src)
        }

        fn utf8_len_from_utf16[order](self, src: &[u8]) -> usize {
            count::avx512::utf8_len(order, src)
        }

        fn count_unpaired_utf16[order](self, src: &[u8]) -> usize {
            repair_utf16::avx512::count_unpaired(order, src)
        }

        fn repair_utf16[order](self, src: &[u8], dst: &mut Output) -> usize {
            repair_utf16::avx512::repair(order, src, dst)
        }

        fn swap_utf16_bytes(self, bytes: &mut [u8]) {
            swap_utf16::avx512::swap_bytes(bytes)
        }

        fn swap_utf16_bytes_into(self, src: &[u8], dst: &mut Output) {
            swap_utf16::avx512::swap_bytes_into(src, dst)
        }

        fn utf8_to_utf16[order](self, src: &[u8], dst: &mut Output) -> Reached {
            utf8_to_utf16::avx512::convert(src, dst, order)
        }

        fn utf16_to_utf8[order](self, src: &[u8], dst: &mut Output) -> Reached {
            utf16_to_utf8::avx512::convert(src, dst, order)
        }

        fn check_utf8(self, src: &[u8]) -> Result<(), usize> {
            validate_utf8::avx512::check(src)
        }

        fn convert_items[order](self, src: &[u8], items: Items, dst: &mut Output) -> Option<usize> {
            utf8_to_utf16::avx512::convert_items(order, src, items, dst)
        }

        fn convert_ascii[order](self, src: &[u8], dst: &mut Output, read: usize, written: usize) -> usize {
            utf8_to_utf16::avx512::convert_ascii(order, src, dst, read, written)
        }

        fn bits(self, window: &[u8; WINDOW]) -> Bits {
            repair_utf8::avx512::bits(window)
        }

        fn is_block_valid(self, view: &[u8; BEFORE + WINDOW]) -> bool {
            repair_utf8::avx512::is_block_valid(view)
        }
    }

    #[cfg(feature = "positions")]
    proven_by_token! {
        fn masks(self, block: &[u8; 64]) -> Masks {
            masks::avx512::text(block)
        }

        fn nth_bit(self, bits: u64, n: usize) -> usize {
            masks::avx512::nth_bit(bits, n)
        }
    }

    #[cfg(feature = "columns")]
    proven_by_token! {
        fn utf8_borders(self, src: &[u8], borders: &mut Borders) -> bool {
            borders::avx512::utf8(src, borders)
        }

        fn utf16_borders[order](self, src: &[u8], borders: &mut Borders) -> bool {
            borders::avx512::utf16(order, src, borders)
        }
    }

    #[cfg(feature = "latin1")]
    proven_by_token! {
        fn latin1_to_utf8(self, src: &[u8], dst: &mut Output) -> Reached {
            latin1::avx512::to_utf8(src, dst)
        }

        fn utf8_len_from_latin1(self, src: &[u8]) -> usize {
            count::avx512::utf8_len_from_latin1(src)
        }

        fn utf8_to_latin1(self, src: &[u8], dst: &mut Output) -> Reached {
            latin1::avx512::from_utf8(src, dst)
        }

        fn latin1_prefix_of_utf8(self, src: &[u8]) -> usize {
            latin1::avx512::prefix_of_utf8(src)
        }

        fn latin1_to_utf16[order](self, src: &[u8], dst: &mut Output) -> Reached {
            latin1::avx512::to_utf16(order, src, dst)
        }

        fn utf16_to_latin1[order](self, src: &[u8], dst: &mut Output) -> Reached {
            latin1::avx512::from_utf16(order, src, dst)
        }

        fn latin1_prefix_of_utf16[order](self, src: &[u8]) -> usize {
            latin1::avx512::prefix_of_utf16(order, src)
        }

        fn utf16_info[order](self, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
            utf16_info::avx512::info(order, src)
        }
    }

    #[cfg(feature = "utf32")]
    proven_by_token! {
        fn utf32_prefix[order](self, src: &[u8]) -> usize {
            utf32::avx512::prefix(order, src)
        }

        fn utf8_len_from_utf32[order](self, src: &[u8]) -> usize {
            utf32::avx512::utf8_len(order, src)
        }

        fn utf16_len_from_utf32[order](self, src: &[u8]) -> usize {
            utf32::avx512::utf16_len(order, src)
        }

        fn utf16_to_utf32[order](self, src: &[u8], dst: &mut Output) -> Reached {
            utf32::avx512::from_utf16(order, src, dst)
        }

        fn utf32_to_utf16[order](self, src: &[u8], dst: &mut Output) -> Reached {
            utf32::avx512::to_utf16(order, src, dst)
        }

        fn ascii_to_utf32[order](self, src: &[u8], dst: &mut Output) -> Reached {
            Reached::after(utf32::avx512::widen(order, true, src, dst), 1, 4)
        }

        fn utf32_to_ascii[order](self, src: &[u8], dst: &mut Output) -> Reached {
            Reached::after(utf32::avx512::narrow(order, 0x7F, src, dst), 4, 1)
        }
    }

    #[cfg(all(feature = "utf32", feature = "latin1"))]
    proven_by_token! {
        fn latin1_to_utf32[order](self, src: &[u8], dst: &mut Output) -> Reached {
            Reached::after(utf32::avx512::widen(order, false, src, dst), 1, 4)
        }

        fn utf32_to_latin1[order](self, src: &[u8], dst: &mut Output) -> Reached {
            Reached::after(utf32::avx512::narrow(order, 0xFF, src, dst), 4, 1)
        }
    }
}
