//! The operations on whole texts. Each line of a table becomes two functions: for the best instruction set, and for one
//! that the caller chooses.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

use crate::memory::{Unit, apart, both, destination, in_place, source, usual, usual_both};
use crate::types::Described;
use crate::*;

/// The functions of the library, whatever module they are in.
mod all {
    pub(super) use utf::{latin1::*, utf32::*, *};
}

// Each macro below is one kind of operation: its functions take the same arguments and return the same type. A line of its
// table gives the names in C, what the pointers point to, and the function of the library. The function for the best
// instruction set handles usual arguments only, so that it is a few instructions and a call. The other one handles all.
//
// `native::` instead of `utf::` is for code units: for usual arguments, the function of the library for bytes in the order of
// this machine is called. The library's function for code units calls it, too, and copies what it returns, to count units;
// here this is copied anyway.
mod native {
    #[cfg(target_endian = "big")]
    pub(super) use super::all::{
        latin1_to_utf16be_uninit as latin1_to_utf16_uninit, latin1_to_utf32be_uninit as latin1_to_utf32_uninit,
        utf8_to_utf16be_uninit as utf8_to_utf16_uninit, utf8_to_utf32be_uninit as utf8_to_utf32_uninit,
        utf16be_to_latin1_uninit as utf16_to_latin1_uninit, utf16be_to_utf8_uninit as utf16_to_utf8_uninit,
        utf16be_to_utf32be_uninit as utf16_to_utf32_uninit, utf32be_to_latin1_uninit as utf32_to_latin1_uninit,
        utf32be_to_utf8_uninit as utf32_to_utf8_uninit, utf32be_to_utf16be_uninit as utf32_to_utf16_uninit,
        validate_utf16be as validate_utf16, validate_utf32be as validate_utf32,
    };
    #[cfg(target_endian = "little")]
    pub(super) use super::all::{
        latin1_to_utf16le_uninit as latin1_to_utf16_uninit, latin1_to_utf32le_uninit as latin1_to_utf32_uninit,
        utf8_to_utf16le_uninit as utf8_to_utf16_uninit, utf8_to_utf32le_uninit as utf8_to_utf32_uninit,
        utf16le_to_latin1_uninit as utf16_to_latin1_uninit, utf16le_to_utf8_uninit as utf16_to_utf8_uninit,
        utf16le_to_utf32le_uninit as utf16_to_utf32_uninit, utf32le_to_latin1_uninit as utf32_to_latin1_uninit,
        utf32le_to_utf8_uninit as utf32_to_utf8_uninit, utf32le_to_utf16le_uninit as utf32_to_utf16_uninit,
        validate_utf16le as validate_utf16, validate_utf32le as validate_utf32,
    };
}

/// What a function without `_with_isa` uses.
pub(crate) const BEST: u8 = fastutf_isa::FASTUTF_ISA_BEST as u8;

/// What a check of bytes makes of code units, counted in them.
#[inline(always)]
fn units<S: Unit, E: Described>(src: &[S], check: fn(&[u8]) -> Result<(), E>) -> fastutf_check {
    fastutf_check::of_units(src.len(), size_of::<S>(), check(S::bytes(src)))
}

/// Checks of a text.
macro_rules! checks {
    // Not worth twice the code.
    (@usual isa::$operation:ident($src:ident, $length:ident), $with_isa:ident) => {
        // SAFETY: the caller's promise.
        unsafe { $with_isa($src, $length, BEST) }
    };
    (@usual $from:ident::$operation:ident($src:ident, $length:ident), $with_isa:ident) => {
        // SAFETY: the caller's promise.
        match unsafe { usual($src, $length) } {
            Some(src) => checks!(@call $from::$operation(src)),
            // SAFETY: the same.
            None => unsafe { $with_isa($src, $length, BEST) },
        }
    };
    (@call utf::$operation:ident($src:ident)) => {
        fastutf_check::of($src.len(), all::$operation($src))
    };
    (@call native::$operation:ident($src:ident)) => {
        units($src, native::$operation)
    };
    ($(
        $(#[$doc:meta])*
        $name:ident, $with_isa:ident($src:ty) = $from:ident::$operation:ident;
    )*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(src: *const $src, length: usize) -> fastutf_check {
            checks!(@usual $from::$operation(src, length), $with_isa)
        }

        #[doc = concat!(" `", stringify!($name), "` on an instruction set of the caller's choice.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $with_isa(src: *const $src, length: usize, isa: u8) -> fastutf_check {
            // SAFETY: the caller's promise.
            match (unsafe { source(src, length) }, isa::isa(isa)) {
                (Ok(src), Ok(isa)) => fastutf_check::of(length, isa.$operation(src)),
                (Err(status), _) | (_, Err(status)) => status.into(),
            }
        }
    )*};
}

checks! {
    /// Checks that `src`, `length` bytes, is well-formed UTF-8.
    fastutf_validate_utf8, fastutf_validate_utf8_with_isa(c_char) = utf::validate_utf8;

    /// Checks that `src`, `length` code units, is well-formed UTF-16 in the byte order of this machine.
    fastutf_validate_utf16, fastutf_validate_utf16_with_isa(u16) = native::validate_utf16;

    /// Checks that `src`, `length` bytes at any address, is well-formed UTF-16LE.
    fastutf_validate_utf16le, fastutf_validate_utf16le_with_isa(c_void) = utf::validate_utf16le;

    /// Checks that `src`, `length` bytes at any address, is well-formed UTF-16BE.
    fastutf_validate_utf16be, fastutf_validate_utf16be_with_isa(c_void) = utf::validate_utf16be;

    /// Checks that `src`, `length` bytes of UTF-8, is well-formed and fits into Latin-1.
    fastutf_validate_latin1_in_utf8, fastutf_validate_latin1_in_utf8_with_isa(c_char) = isa::validate_latin1_in_utf8;

    /// Checks that `src`, `length` code units of UTF-16, is well-formed and fits into Latin-1.
    fastutf_validate_latin1_in_utf16, fastutf_validate_latin1_in_utf16_with_isa(u16) = isa::validate_latin1_in_utf16;

    /// Checks that `src`, `length` bytes of UTF-16LE, is well-formed and fits into Latin-1.
    fastutf_validate_latin1_in_utf16le, fastutf_validate_latin1_in_utf16le_with_isa(c_void)
        = isa::validate_latin1_in_utf16le;

    /// Checks that `src`, `length` bytes of UTF-16BE, is well-formed and fits into Latin-1.
    fastutf_validate_latin1_in_utf16be, fastutf_validate_latin1_in_utf16be_with_isa(c_void)
        = isa::validate_latin1_in_utf16be;

    /// Checks that `src`, `length` code units, is well-formed UTF-32 in the byte order of this machine.
    fastutf_validate_utf32, fastutf_validate_utf32_with_isa(u32) = native::validate_utf32;
}

/// Numbers of characters, and lengths of results.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident, $with_isa:ident($src:ty) = $operation:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(src: *const $src, length: usize) -> usize {
            // SAFETY: the caller's promise.
            match unsafe { usual(src, length) } {
                Some(src) => all::$operation(src),
                // SAFETY: the same.
                None => unsafe { $with_isa(src, length, BEST) },
            }
        }

        #[doc = concat!(" `", stringify!($name), "` on an instruction set of the caller's choice.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $with_isa(src: *const $src, length: usize, isa: u8) -> usize {
            // SAFETY: the caller's promise.
            match (unsafe { source(src, length) }, isa::isa(isa)) {
                (Ok(src), Ok(isa)) => isa.$operation(src),
                _ => FASTUTF_NO_LENGTH,
            }
        }
    )*};
}

numbers! {
    /// Returns the number of characters of well-formed UTF-8 (of ill-formed: the bytes that are not 80 to BF);
    /// `FASTUTF_NO_LENGTH` for bad arguments.
    fastutf_count_chars_utf8, fastutf_count_chars_utf8_with_isa(c_char) = count_chars_utf8;

    /// Returns the number of characters of well-formed UTF-16 (of ill-formed: the code units that are not low
    /// surrogates); `FASTUTF_NO_LENGTH` for bad arguments.
    fastutf_count_chars_utf16, fastutf_count_chars_utf16_with_isa(u16) = count_chars_utf16;

    /// The same for UTF-16LE. `length` is in bytes, and an odd last byte is not counted.
    fastutf_count_chars_utf16le, fastutf_count_chars_utf16le_with_isa(c_void) = count_chars_utf16le;

    /// The same for UTF-16BE. `length` is in bytes, and an odd last byte is not counted.
    fastutf_count_chars_utf16be, fastutf_count_chars_utf16be_with_isa(c_void) = count_chars_utf16be;

    /// Returns the number of code units of UTF-16 that `src` converts to. For ill-formed UTF-8, it is enough for the text
    /// before the first error. `FASTUTF_NO_LENGTH` for bad arguments.
    fastutf_utf16_length_from_utf8, fastutf_utf16_length_from_utf8_with_isa(c_char) = utf16_len_from_utf8;

    /// Returns the number of bytes of UTF-8 that `src` converts to. For ill-formed UTF-16, it is enough for the text
    /// before the first error. `FASTUTF_NO_LENGTH` for bad arguments.
    fastutf_utf8_length_from_utf16, fastutf_utf8_length_from_utf16_with_isa(u16) = utf8_len_from_utf16;

    /// The same for UTF-16LE. `length` is in bytes, and an odd last byte is not counted.
    fastutf_utf8_length_from_utf16le, fastutf_utf8_length_from_utf16le_with_isa(c_void) = utf8_len_from_utf16le;

    /// The same for UTF-16BE. `length` is in bytes, and an odd last byte is not counted.
    fastutf_utf8_length_from_utf16be, fastutf_utf8_length_from_utf16be_with_isa(c_void) = utf8_len_from_utf16be;

    /// Returns the number of bytes that `fastutf_utf8_to_utf8_lossy` writes, with enough room.
    fastutf_utf8_length_from_utf8_lossy, fastutf_utf8_length_from_utf8_lossy_with_isa(c_char) = utf8_len_from_utf8_lossy;

    /// Returns the number of code units that `fastutf_utf8_to_utf16_lossy` writes, with enough room.
    fastutf_utf16_length_from_utf8_lossy, fastutf_utf16_length_from_utf8_lossy_with_isa(c_char)
        = utf16_len_from_utf8_lossy;

    /// Returns the number of bytes that `fastutf_utf16_to_utf8_lossy` writes, with enough room.
    fastutf_utf8_length_from_utf16_lossy, fastutf_utf8_length_from_utf16_lossy_with_isa(u16) = utf8_len_from_utf16_lossy;

    /// The same for UTF-16LE. `length` is in bytes.
    fastutf_utf8_length_from_utf16le_lossy, fastutf_utf8_length_from_utf16le_lossy_with_isa(c_void)
        = utf8_len_from_utf16le_lossy;

    /// The same for UTF-16BE. `length` is in bytes.
    fastutf_utf8_length_from_utf16be_lossy, fastutf_utf8_length_from_utf16be_lossy_with_isa(c_void)
        = utf8_len_from_utf16be_lossy;

    /// Returns the number of bytes of UTF-8 that Latin-1 converts to.
    fastutf_utf8_length_from_latin1, fastutf_utf8_length_from_latin1_with_isa(c_char) = utf8_len_from_latin1;

    /// Returns the number of bytes of UTF-8 that UTF-32 converts to, also with U+FFFD in place of ill-formed units.
    fastutf_utf8_length_from_utf32, fastutf_utf8_length_from_utf32_with_isa(u32) = utf8_len_from_utf32;

    /// Returns the number of code units of UTF-16 that UTF-32 converts to, also with U+FFFD in place of ill-formed units.
    fastutf_utf16_length_from_utf32, fastutf_utf16_length_from_utf32_with_isa(u32) = utf16_len_from_utf32;
}

/// What a function for bytes makes of code units, counted in them.
#[inline(always)]
fn in_units<S: Unit, D: Unit, E: Described>(
    src: &[S],
    dst: &mut [MaybeUninit<D>],
    conversion: fn(&[u8], &mut [MaybeUninit<u8>]) -> utf::Conversion<E>,
) -> fastutf_conversion {
    fastutf_conversion::of(conversion(S::bytes(src), D::room(dst)), size_of::<S>(), size_of::<D>())
}

/// The function for an instruction set of the caller's choice.
macro_rules! of_an_isa {
    ($name:ident, $with_isa:ident($src:ty $(, $replacement:ident)? => $dst:ty) = $operation:ident) => {
        #[doc = concat!(" `", stringify!($name), "` on an instruction set of the caller's choice.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $with_isa(
            src: *const $src, length: usize, $($replacement: u8,)? dst: *mut $dst, capacity: usize, isa: u8,
        ) -> fastutf_conversion {
            // SAFETY: the caller's promise.
            match (unsafe { both((src, length), (dst, capacity)) }, isa::isa(isa)) {
                (Ok((src, dst)), Ok(isa)) => isa.$operation(src, $($replacement,)? dst).into(),
                (Err(status), _) | (_, Err(status)) => status.into(),
            }
        }
    };
}

/// Conversions.
macro_rules! conversions {
    (@call utf::$operation:ident($src:ident => $dst:ident)) => {
        all::$operation($src, $dst).into()
    };
    (@call native::$operation:ident($src:ident => $dst:ident)) => {
        in_units($src, $dst, native::$operation)
    };
    ($(
        $(#[$doc:meta])*
        $name:ident, $with_isa:ident($src:ty => $dst:ty) = $from:ident::$operation:ident;
    )*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            src: *const $src, length: usize, dst: *mut $dst, capacity: usize,
        ) -> fastutf_conversion {
            // SAFETY: the caller's promise.
            match unsafe { usual_both((src, length), (dst, capacity)) } {
                Some((src, dst)) => conversions!(@call $from::$operation(src => dst)),
                // SAFETY: the same.
                None => unsafe { $with_isa(src, length, dst, capacity, BEST) },
            }
        }

        of_an_isa!($name, $with_isa($src => $dst) = $operation);
    )*};
}

conversions! {
    /// Converts UTF-8, `length` bytes, to UTF-16 in the byte order of this machine. `capacity` is in code units: as many
    /// as `length` are always enough.
    fastutf_utf8_to_utf16, fastutf_utf8_to_utf16_with_isa(c_char => u16) = native::utf8_to_utf16_uninit;

    /// Converts UTF-8 to UTF-16LE. `capacity` is in bytes: twice `length` is always enough.
    fastutf_utf8_to_utf16le, fastutf_utf8_to_utf16le_with_isa(c_char => c_void) = utf::utf8_to_utf16le_uninit;

    /// Converts UTF-8 to UTF-16BE. `capacity` is in bytes: twice `length` is always enough.
    fastutf_utf8_to_utf16be, fastutf_utf8_to_utf16be_with_isa(c_char => c_void) = utf::utf8_to_utf16be_uninit;

    /// Converts UTF-16 in the byte order of this machine, `length` code units, to UTF-8. `capacity` is in bytes: three
    /// times `length` is always enough.
    fastutf_utf16_to_utf8, fastutf_utf16_to_utf8_with_isa(u16 => c_char) = native::utf16_to_utf8_uninit;

    /// Converts UTF-16LE, `length` bytes, to UTF-8. One and a half times `length` is always enough.
    fastutf_utf16le_to_utf8, fastutf_utf16le_to_utf8_with_isa(c_void => c_char) = utf::utf16le_to_utf8_uninit;

    /// Converts UTF-16BE, `length` bytes, to UTF-8. One and a half times `length` is always enough.
    fastutf_utf16be_to_utf8, fastutf_utf16be_to_utf8_with_isa(c_void => c_char) = utf::utf16be_to_utf8_uninit;

    /// Converts Latin-1 (ISO 8859-1) to UTF-8. Twice `length` is always enough.
    fastutf_latin1_to_utf8, fastutf_latin1_to_utf8_with_isa(c_char => c_char) = utf::latin1_to_utf8_uninit;

    /// Converts Latin-1 to UTF-16: as many code units as `length`.
    fastutf_latin1_to_utf16, fastutf_latin1_to_utf16_with_isa(c_char => u16) = native::latin1_to_utf16_uninit;

    /// Converts Latin-1 to UTF-16LE: twice as many bytes.
    fastutf_latin1_to_utf16le, fastutf_latin1_to_utf16le_with_isa(c_char => c_void) = utf::latin1_to_utf16le_uninit;

    /// Converts Latin-1 to UTF-16BE: twice as many bytes.
    fastutf_latin1_to_utf16be, fastutf_latin1_to_utf16be_with_isa(c_char => c_void) = utf::latin1_to_utf16be_uninit;

    /// Converts UTF-8 to Latin-1, up to the first character that Latin-1 does not have. As many bytes as `length` are
    /// always enough.
    fastutf_utf8_to_latin1, fastutf_utf8_to_latin1_with_isa(c_char => c_char) = utf::utf8_to_latin1_uninit;

    /// Converts UTF-16 to Latin-1, up to the first character that Latin-1 does not have.
    fastutf_utf16_to_latin1, fastutf_utf16_to_latin1_with_isa(u16 => c_char) = native::utf16_to_latin1_uninit;

    /// Converts UTF-16LE to Latin-1, up to the first character that Latin-1 does not have.
    fastutf_utf16le_to_latin1, fastutf_utf16le_to_latin1_with_isa(c_void => c_char) = utf::utf16le_to_latin1_uninit;

    /// Converts UTF-16BE to Latin-1, up to the first character that Latin-1 does not have.
    fastutf_utf16be_to_latin1, fastutf_utf16be_to_latin1_with_isa(c_void => c_char) = utf::utf16be_to_latin1_uninit;

    /// Converts UTF-8 to UTF-32 in the byte order of this machine: as many code units as `length` are always enough.
    fastutf_utf8_to_utf32, fastutf_utf8_to_utf32_with_isa(c_char => u32) = native::utf8_to_utf32_uninit;

    /// Converts UTF-16 to UTF-32: as many code units as `length` are always enough.
    fastutf_utf16_to_utf32, fastutf_utf16_to_utf32_with_isa(u16 => u32) = native::utf16_to_utf32_uninit;

    /// Converts UTF-32 to UTF-8: four times `length` is always enough.
    fastutf_utf32_to_utf8, fastutf_utf32_to_utf8_with_isa(u32 => c_char) = native::utf32_to_utf8_uninit;

    /// Converts UTF-32 to UTF-16: twice as many code units as `length` are always enough.
    fastutf_utf32_to_utf16, fastutf_utf32_to_utf16_with_isa(u32 => u16) = native::utf32_to_utf16_uninit;

    /// Converts Latin-1 to UTF-32: as many code units as `length`.
    fastutf_latin1_to_utf32, fastutf_latin1_to_utf32_with_isa(c_char => u32) = native::latin1_to_utf32_uninit;

    /// Converts UTF-32 to Latin-1, up to the first character that Latin-1 does not have.
    fastutf_utf32_to_latin1, fastutf_utf32_to_latin1_with_isa(u32 => c_char) = native::utf32_to_latin1_uninit;
}

/// Conversions with a replacement for what cannot be converted, some with a byte that the caller chooses. They are not worth
/// twice the code: the function for the best instruction set is the other one.
macro_rules! replacing {
    ($(
        $(#[$doc:meta])*
        $name:ident, $with_isa:ident($src:ty $(, $replacement:ident)? => $dst:ty) = $operation:ident;
    )*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            src: *const $src, length: usize, $($replacement: u8,)? dst: *mut $dst, capacity: usize,
        ) -> fastutf_conversion {
            // SAFETY: the caller's promise.
            unsafe { $with_isa(src, length, $($replacement,)? dst, capacity, BEST) }
        }

        of_an_isa!($name, $with_isa($src $(, $replacement)? => $dst) = $operation);
    )*};
}

replacing! {
    /// Copies UTF-8 with U+FFFD for each ill-formed sequence. Three times `length` is always enough.
    fastutf_utf8_to_utf8_lossy, fastutf_utf8_to_utf8_lossy_with_isa(c_char => c_char) = utf8_to_utf8_lossy_uninit;

    /// Converts UTF-8 to UTF-16 with U+FFFD for each ill-formed sequence. As many code units as `length` are always enough.
    fastutf_utf8_to_utf16_lossy, fastutf_utf8_to_utf16_lossy_with_isa(c_char => u16) = utf8_to_utf16_lossy_uninit;

    /// Converts UTF-8 to UTF-16LE with U+FFFD for each ill-formed sequence. Twice `length` is always enough.
    fastutf_utf8_to_utf16le_lossy, fastutf_utf8_to_utf16le_lossy_with_isa(c_char => c_void)
        = utf8_to_utf16le_lossy_uninit;

    /// Converts UTF-8 to UTF-16BE with U+FFFD for each ill-formed sequence. Twice `length` is always enough.
    fastutf_utf8_to_utf16be_lossy, fastutf_utf8_to_utf16be_lossy_with_isa(c_char => c_void)
        = utf8_to_utf16be_lossy_uninit;

    /// Converts UTF-16 to UTF-8 with U+FFFD for each unpaired surrogate. Three times `length` is always enough.
    fastutf_utf16_to_utf8_lossy, fastutf_utf16_to_utf8_lossy_with_isa(u16 => c_char) = utf16_to_utf8_lossy_uninit;

    /// Converts UTF-16LE to UTF-8 with U+FFFD for each unpaired surrogate, and for an odd last byte. One and a half times
    /// `length`, rounded up to a multiple of 3, is always enough.
    fastutf_utf16le_to_utf8_lossy, fastutf_utf16le_to_utf8_lossy_with_isa(c_void => c_char)
        = utf16le_to_utf8_lossy_uninit;

    /// Converts UTF-16BE to UTF-8 with U+FFFD for each unpaired surrogate, and for an odd last byte. One and a half times
    /// `length`, rounded up to a multiple of 3, is always enough.
    fastutf_utf16be_to_utf8_lossy, fastutf_utf16be_to_utf8_lossy_with_isa(c_void => c_char)
        = utf16be_to_utf8_lossy_uninit;

    /// Converts UTF-8 to Latin-1 with `replacement` for each other character and each ill-formed sequence.
    fastutf_utf8_to_latin1_lossy, fastutf_utf8_to_latin1_lossy_with_isa(c_char, replacement => c_char)
        = utf8_to_latin1_lossy_uninit;

    /// Converts UTF-16 to Latin-1 with `replacement` for each other character and each unpaired surrogate.
    fastutf_utf16_to_latin1_lossy, fastutf_utf16_to_latin1_lossy_with_isa(u16, replacement => c_char)
        = utf16_to_latin1_lossy_uninit;

    /// Converts UTF-16LE to Latin-1 with `replacement` for each other character and whatever is ill-formed.
    fastutf_utf16le_to_latin1_lossy, fastutf_utf16le_to_latin1_lossy_with_isa(c_void, replacement => c_char)
        = utf16le_to_latin1_lossy_uninit;

    /// Converts UTF-16BE to Latin-1 with `replacement` for each other character and whatever is ill-formed.
    fastutf_utf16be_to_latin1_lossy, fastutf_utf16be_to_latin1_lossy_with_isa(c_void, replacement => c_char)
        = utf16be_to_latin1_lossy_uninit;

    /// Converts UTF-8 to UTF-32 with U+FFFD for each ill-formed sequence. As many code units as
    /// `length` are always enough.
    fastutf_utf8_to_utf32_lossy, fastutf_utf8_to_utf32_lossy_with_isa(c_char => u32) = utf8_to_utf32_lossy_uninit;

    /// Converts UTF-16 to UTF-32 with U+FFFD for each unpaired surrogate.
    /// As many code units as `length` are always enough.
    fastutf_utf16_to_utf32_lossy, fastutf_utf16_to_utf32_lossy_with_isa(u16 => u32) = utf16_to_utf32_lossy_uninit;

    /// Converts UTF-32 to UTF-8 with U+FFFD for each surrogate and number above 10FFFF.
    /// Four times `length` is always enough.
    fastutf_utf32_to_utf8_lossy, fastutf_utf32_to_utf8_lossy_with_isa(u32 => c_char) = utf32_to_utf8_lossy_uninit;

    /// Converts UTF-32 to UTF-16 with U+FFFD for each surrogate and number above 10FFFF.
    /// Twice as many code units as `length` are always enough.
    fastutf_utf32_to_utf16_lossy, fastutf_utf32_to_utf16_lossy_with_isa(u32 => u16) = utf32_to_utf16_lossy_uninit;

    /// Converts UTF-32 to Latin-1 with `replacement` for each other character and whatever is ill-formed.
    fastutf_utf32_to_latin1_lossy, fastutf_utf32_to_latin1_lossy_with_isa(u32, replacement => c_char)
        = utf32_to_latin1_lossy_uninit;
}

/// Changes in place that are counted.
macro_rules! repairs {
    ($($(#[$doc:meta])* $name:ident, $with_isa:ident($text:ty) = $operation:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(text: *mut $text, length: usize) -> usize {
            // SAFETY: the caller's promise.
            match unsafe { in_place(text, length) } {
                Ok(text) => all::$operation(text),
                Err(_) => FASTUTF_NO_LENGTH,
            }
        }

        #[doc = concat!(" `", stringify!($name), "` on an instruction set of the caller's choice.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $with_isa(text: *mut $text, length: usize, isa: u8) -> usize {
            // SAFETY: the caller's promise.
            match (unsafe { in_place(text, length) }, isa::isa(isa)) {
                (Ok(text), Ok(isa)) => isa.$operation(text),
                _ => FASTUTF_NO_LENGTH,
            }
        }
    )*};
}

repairs! {
    /// Replaces each unpaired surrogate by U+FFFD, in place, and returns their number; `FASTUTF_NO_LENGTH` for bad
    /// arguments.
    fastutf_make_well_formed_utf16, fastutf_make_well_formed_utf16_with_isa(u16) = make_well_formed_utf16;

    /// The same for UTF-16LE. `length` is in bytes. An odd last byte is left as it is, and not counted.
    fastutf_make_well_formed_utf16le, fastutf_make_well_formed_utf16le_with_isa(c_void) = make_well_formed_utf16le;

    /// The same for UTF-16BE. `length` is in bytes. An odd last byte is left as it is, and not counted.
    fastutf_make_well_formed_utf16be, fastutf_make_well_formed_utf16be_with_isa(c_void) = make_well_formed_utf16be;
}

/// Where a text may be cut.
macro_rules! cuts {
    ($($(#[$doc:meta])* $name:ident($src:ty $(, $at:ident)?) = $operation:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(src: *const $src, length: usize $(, $at: usize)?) -> usize {
            // SAFETY: the caller's promise.
            match unsafe { source(src, length) } {
                Ok(src) => utf::boundary::$operation(src $(, $at)?),
                Err(_) => FASTUTF_NO_LENGTH,
            }
        }
    )*};
}

cuts! {
    /// Returns the length of the longest part at the start that does not end inside a character; `FASTUTF_NO_LENGTH` for
    /// bad arguments. What is after it, at most 3 bytes, could be completed by the next chunk.
    fastutf_complete_utf8(c_char) = complete_utf8;

    /// The same for UTF-16, in code units.
    fastutf_complete_utf16(u16) = complete_utf16;

    /// The same for UTF-16LE, in bytes.
    fastutf_complete_utf16le(c_void) = complete_utf16le;

    /// The same for UTF-16BE, in bytes.
    fastutf_complete_utf16be(c_void) = complete_utf16be;

    /// Returns the last boundary between characters at or before `at`; `length` if `at` is beyond it;
    /// `FASTUTF_NO_LENGTH` for bad arguments. Ill-formed text is cut between what lossy functions replace.
    fastutf_floor_utf8(c_char, at) = floor_utf8;

    /// The same for UTF-16, in code units.
    fastutf_floor_utf16(u16, at) = floor_utf16;

    /// The same for UTF-16LE, in bytes.
    fastutf_floor_utf16le(c_void, at) = floor_utf16le;

    /// The same for UTF-16BE, in bytes.
    fastutf_floor_utf16be(c_void, at) = floor_utf16be;
}

/// Checks that count, and find the narrowest form of a text. Of UTF-16 the number of its own code units is known.
macro_rules! infos {
    (@units utf8_info $src:ident $info:ident) => {
        $info.utf16_len
    };
    (@units utf16_info $src:ident $info:ident) => {
        $src.len()
    };
    ($($(#[$doc:meta])* $name:ident, $with_isa:ident($src:ty) = $operation:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(src: *const $src, length: usize) -> fastutf_info {
            // SAFETY: the caller's promise.
            unsafe { $with_isa(src, length, BEST) }
        }

        #[doc = concat!(" `", stringify!($name), "` on an instruction set of the caller's choice.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $with_isa(src: *const $src, length: usize, isa: u8) -> fastutf_info {
            // SAFETY: the caller's promise.
            match (unsafe { source(src, length) }, isa::isa(isa)) {
                (Ok(src), Ok(isa)) => {
                    let info = isa.$operation(src);
                    let counts = info.map(|info| (info.chars, infos!(@units $operation src info), info.width()));
                    fastutf_info::of(length, counts)
                }
                (Err(status), _) | (_, Err(status)) => status.into(),
            }
        }
    )*};
}

infos! {
    /// Checks UTF-8 and, in the same pass, counts its characters and the code units that it converts to, and finds the
    /// narrowest form that holds it.
    fastutf_utf8_info, fastutf_utf8_info_with_isa(c_char) = utf8_info;

    /// Checks UTF-16 and, in the same pass, counts its characters and finds the narrowest form that holds it.
    fastutf_utf16_info, fastutf_utf16_info_with_isa(u16) = utf16_info;
}

/// Returns whether all bytes are below 80; `false` for bad arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_is_ascii(src: *const c_char, length: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { source(src, length) }.is_ok_and(utf::is_ascii)
}

/// `fastutf_is_ascii` on an instruction set of the caller's choice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_is_ascii_with_isa(src: *const c_char, length: usize, isa: u8) -> bool {
    // SAFETY: the caller's promise.
    match (unsafe { source(src, length) }, isa::isa(isa)) {
        (Ok(src), Ok(isa)) => isa.is_ascii(src),
        _ => false,
    }
}

/// Copies `src` with the two bytes of every code unit swapped: UTF-16LE to UTF-16BE and back. An odd last byte is copied
/// as it is. `dst` may be `src`: then it is done in place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_swap_utf16_bytes(
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> fastutf_conversion {
    // SAFETY: the caller's promise.
    unsafe { fastutf_swap_utf16_bytes_with_isa(src, length, dst, capacity, BEST) }
}

/// `fastutf_swap_utf16_bytes` on an instruction set of the caller's choice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fastutf_swap_utf16_bytes_with_isa(
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
    isa: u8,
) -> fastutf_conversion {
    let swap = || -> Result<usize, fastutf_status> {
        let isa = isa::isa(isa)?;
        // What does not fit is not read; a code unit is not split.
        let fits = if capacity < length { capacity & !1 } else { length };
        // SAFETY: the caller's promise: if the two are the same, what is there is the text, which is initialised. Nothing is used
        // twice: if they are not the same, they are apart.
        unsafe {
            if src == dst {
                source(src, length)?;
                destination(dst, capacity)?;
                isa.swap_utf16_bytes(in_place(dst, fits)?);
            } else {
                apart((src, length), (dst, capacity))?;
                isa.swap_utf16_bytes_into_uninit(&source(src, length)?[..fits], destination(dst, fits)?);
            }
        }
        Ok(fits)
    };
    match swap() {
        Ok(fits) => {
            let status = if fits < length { FASTUTF_OUTPUT_FULL } else { FASTUTF_OK };
            fastutf_conversion { read: fits, written: fits, ..status.into() }
        }
        Err(status) => status.into(),
    }
}
