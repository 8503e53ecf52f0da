//! The public operations. Each is written once here and becomes both a free function, which uses the best instruction
//! set of this CPU, and a method of [`Isa`], which uses that instruction set.

use core::convert::Infallible;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::api::into_vec::{String, Vec};
#[cfg(feature = "columns")]
use crate::borders::Borders;
#[cfg(feature = "alloc")]
use crate::buffer::CodeUnit;
use crate::endian::ByteOrder;
use crate::isa::{Best, Isa};
use crate::output::Output;
#[cfg(feature = "alloc")]
use crate::report::FromUtf8Error;
use crate::report::{Conversion, InUnits, Utf8Error, Utf8Info, Utf16Error};
use crate::scalar::{self, is_short, is_short_ascii};

/// A free function. `[short]` marks those that are often called for short strings. With `#[inline] if CONDITION => RESULT`, the
/// condition is compiled into the caller, and the kernel is only called if it is false.
///
/// With `rarely CONDITION => CALL`, only that is called in this case. Otherwise the body would test the condition after the
/// instruction set is chosen, and the compiler could not turn choice and call into one jump.
///
/// `[inlined]` ones are compiled into the caller, for the instruction set [`Best`]: what is called is only a kernel.
macro_rules! free {
    (
        [inlined]
        $(#[$attribute:meta])*
        fn $name:ident($isa:ident $(, $arg:ident: $ty:ty)*) $(-> $ret:ty)? $body:block
    ) => {
        $(#[$attribute])*
        #[inline]
        pub fn $name($($arg: $ty),*) $(-> $ret)? {
            let $isa = Best;
            $body
        }
    };
    (
        [short #[$inline:meta] if $done:expr => $result:expr, rarely $rare:expr => $rarely:expr]
        $(#[$attribute:meta])*
        fn $name:ident($isa:ident $(, $arg:ident: $ty:ty)*) -> $ret:ty $body:block
    ) => {
        $(#[$attribute])*
        #[$inline]
        pub fn $name($($arg: $ty),*) -> $ret {
            #[inline(never)]
            fn not_inlined($($arg: $ty),*) -> $ret {
                if $rare {
                    return $rarely;
                }
                body::$name(best!([short] not_inlined($($arg: $ty),*) -> $ret), $($arg),*)
            }
            if $done { $result } else { not_inlined($($arg),*) }
        }
    };
    (
        [$($short:ident)?]
        $(#[$attribute:meta])*
        fn $name:ident($isa:ident $(, $arg:ident: $ty:ty)*) $(-> $ret:ty)? $body:block
    ) => {
        $(#[$attribute])*
        pub fn $name($($arg: $ty),*) $(-> $ret)? {
            body::$name(best!($([$short])? $name($($arg: $ty),*) $(-> $ret)?), $($arg),*)
        }
    };
}

/// A method of [`Isa`]: `[inlined]` ones, too, are compiled into the caller.
macro_rules! method {
    (
        [inlined]
        $(#[$attribute:meta])*
        fn $name:ident($isa:ident, $($arg:ident: $ty:ty),*) $(-> $ret:ty)?
    ) => {
        method! { [] $(#[$attribute])* #[inline] fn $name($isa, $($arg: $ty),*) $(-> $ret)? }
    };
    (
        [$($short:ident)?]
        $(#[$attribute:meta])*
        fn $name:ident($isa:ident, $($arg:ident: $ty:ty),*) $(-> $ret:ty)?
    ) => {
        $(#[$attribute])*
        pub fn $name($isa, $($arg: $ty),*) $(-> $ret)? {
            body::$name($isa, $($arg),*)
        }
    };
}

/// The instruction set of a free function.
macro_rules! best {
    ([short] $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {{
        // Detection is called from a function of its own. If the free function called it and went on, it would have to
        // save its arguments in every call; so it only jumps: to the kernel or, the first time, here.
        #[cold]
        #[inline(never)]
        fn detect_first($($arg: $ty),*) $(-> $ret)? {
            let _ = Isa::best();
            $name($($arg),*)
        }
        match Isa::known_best() {
            Some(isa) => isa,
            None => return detect_first($($arg),*),
        }
    }};
    ($name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        Isa::best()
    };
}

/// A name before `fn` is a feature that the operation needs, such as `"alloc" fn`.
macro_rules! operations {
    ($(
        $(#[$attribute:meta])*
        $($feature:literal)*
        $([$short:ident $(#[$inline:meta] if $done:expr => $result:expr, rarely $rare:expr => $rarely:expr)?])?
        fn $name:ident($isa:ident $(, $arg:ident: $ty:ty)*) $(-> $ret:ty)? $body:block
    )*) => {
        /// Shared by the function and the method, so that each kernel has one closure and one copy.
        #[cfg(not(doctest))] // the examples run for both already
        mod body {
            use super::*;
            $(
                $(#[$attribute])*
                $(#[cfg(feature = $feature)])*
                #[inline(always)]
                pub(super) fn $name($isa: Isa $(, $arg: $ty)*) $(-> $ret)? $body
            )*
        }

        $(
            free! {
                [$($short $(#[$inline] if $done => $result, rarely $rare => $rarely)?)?]
                $(#[$attribute])*
                $(#[cfg(feature = $feature)])*
                fn $name($isa $(, $arg: $ty)*) $(-> $ret)? $body
            }
        )*

        /// The operations on this instruction set. The free function of the same name describes each.
        impl Isa {
            $(
                method! {
                    [$($short)?]
                    $(#[$attribute])*
                    $(#[cfg(feature = $feature)])*
                    fn $name(self, $($arg: $ty),*) $(-> $ret)?
                }
            )*
        }
    };
}

#[macro_use]
pub(crate) mod converter;
#[macro_use]
pub(crate) mod forms;
#[macro_use]
pub(crate) mod two_parts;
#[cfg(feature = "alloc")]
pub(crate) mod into_vec;
#[deny(unsafe_code)]
mod large_input;
#[cfg(feature = "latin1")]
pub mod latin1;
pub(crate) mod lossy;
#[cfg(feature = "mutf8")]
pub mod mutf8;
#[cfg(feature = "latin1")]
pub mod narrowest;
#[cfg(feature = "positions")]
#[deny(unsafe_code)]
mod sections;
#[cfg(feature = "utf32")]
pub mod utf32;
#[cfg(feature = "wtf8")]
pub mod wtf8;

pub use lossy::*;

two_parts! {
    pub(crate) fn utf8_to_utf16_bytes[order] -> Utf8Error {
        utf8_to_utf16, |src, dst, at| scalar::utf8_to_utf16(order, src, dst, at)
    }
    fn str_to_utf16_bytes[order] -> Infallible {
        utf8_to_utf16, |src, dst, at| {
            let Conversion { read, written, stop } = scalar::utf8_to_utf16(order, src, dst, at);
            Conversion { read, written, stop: stop.map(|_| ill_formed_str()) }
        }
    }
    pub(crate) fn utf16_bytes_to_utf8[order] -> Utf16Error {
        utf16_to_utf8, |src, dst, at| scalar::utf16_to_utf8(order, src, dst, at)
    }
}

/// What several public operations share, for either byte order. Offsets are in bytes.
impl Isa {
    #[inline(always)]
    pub(crate) fn validate_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
        dispatch!(self, validate_utf16[const order](src))
    }

    // Each `dispatch!` compiles its kernel for each instruction set, so there is only one for each kernel.

    #[inline(always)]
    fn validate_utf8_part(self, src: &[u8]) -> Result<(), Utf8Error> {
        dispatch!(self, validate_utf8(src))
    }

    #[cold]
    #[inline(never)]
    fn validate_large_utf8(self, src: &[u8]) -> Result<(), Utf8Error> {
        let ascii = large_input::ascii_prefix(src);
        self.validate_utf8_part(&src[ascii..]).map_err(|error| error.moved_by(ascii))
    }

    #[inline(always)]
    fn swap_utf16_bytes_to(self, src: &[u8], dst: &mut Output) -> usize {
        assert_eq!(src.len(), dst.len(), "source and destination must have the same length");
        dispatch!(self, swap_utf16_bytes_into(src, dst));
        src.len()
    }

    /// Copies `src` to `dst`, which has the same length, with the two bytes of every code unit swapped. Returns the copy.
    pub(crate) fn swapped_utf16_bytes<'a>(self, src: &[u8], dst: &'a mut Output) -> &'a mut [u8] {
        converter!(self.swap_utf16_bytes_to(src)).run_and_view(dst).1
    }

    #[inline(always)]
    pub(crate) fn utf8_len_from_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        if order.is_big() { self.utf8_len_from_units::<true>(src) } else { self.utf8_len_from_units::<false>(src) }
    }

    /// [`utf8_len_from_utf16_bytes`](Self::utf8_len_from_utf16_bytes), compiled for one byte order.
    #[inline(always)]
    fn utf8_len_from_units<const BIG: bool>(self, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            let count = |isa: Self, _, src: &[u8]| isa.utf8_len_from_units::<BIG>(src);
            return large_input::sum(src, self, ByteOrder::of(BIG), count);
        }
        dispatch!(@isa self, utf8_len_from_utf16[const { ByteOrder::of(BIG) }](src))
    }

    #[inline(always)]
    pub(crate) fn count_chars_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            return large_input::sum(src, self, order, Self::count_chars_utf16_bytes);
        }
        dispatch!(self, count_chars_utf16[const order](src))
    }
}

#[cfg(feature = "columns")]
impl Isa {
    /// Replaces the borders in UTF-8 by what is counted before each. Returns whether any is inside of a character, if
    /// the text is well-formed.
    pub(crate) fn utf8_borders(self, src: &[u8], borders: &mut Borders) -> bool {
        dispatch!(self, utf8_borders(src, borders))
    }

    /// The same in UTF-16.
    pub(crate) fn utf16_borders(self, order: ByteOrder, src: &[u8], borders: &mut Borders) -> bool {
        dispatch!(self, utf16_borders[const order](src, borders))
    }
}

/// Into a new `Vec` or `String`.
#[cfg(feature = "alloc")]
impl Isa {
    #[inline(always)]
    fn utf16_from_str<T: CodeUnit>(self, order: ByteOrder, text: &str) -> Vec<T> {
        let (src, units) = (text.as_bytes(), const { 2 / size_of::<T>() });
        let count = move || units * self.utf16_len_from_utf8(src);
        let (vec, out) =
            into_vec::collect(units * src.len(), count, of_row!(self.utf8_to_utf16_bytes[order](src) -> T));
        debug_assert!(out.is_complete());
        vec
    }

    #[inline(always)]
    fn string_from_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> Result<String, Utf16Error> {
        if order.is_big() { self.string_from_units::<true>(src) } else { self.string_from_units::<false>(src) }
    }

    /// [`string_from_utf16_bytes`](Self::string_from_utf16_bytes), compiled for one byte order.
    fn string_from_units<const BIG: bool>(self, src: &[u8]) -> Result<String, Utf16Error> {
        #[cfg(fastutf_scalar_default)]
        if self == Self::SCALAR {
            let mut text = String::new();
            crate::scalar::precompiled::append_utf16(ByteOrder::of(BIG), src, &mut text)?;
            text.shrink_to_fit();
            return Ok(text);
        }
        let count = move || self.utf8_len_from_units::<BIG>(src);
        let convert = converter!(self.utf16_bytes_to_utf8(ByteOrder::of(BIG), src));
        let (bytes, out) = into_vec::collect(src.len() / 2 * 3, count, convert);
        out.appended()?;
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        Ok(unsafe { String::from_utf8_unchecked(bytes) })
    }
}

impl Best {
    #[inline(always)]
    fn validate_utf8(self, src: &[u8]) -> Result<(), Utf8Error> {
        validate_utf8(src)
    }
}

/// Whether `src` should not go to a kernel at once: it is large, empty, or starts with a byte that starts no character. Most text
/// in another encoding than UTF-8 is rejected there.
#[inline(always)]
fn is_rare(src: &[u8]) -> bool {
    // One branch for both.
    src.first().is_none_or(|&first| scalar::starts_none(first) | (src.len() >= large_input::FROM))
}

/// Validates `src`, which [`is_rare`], on an instruction set or on the best one.
#[cold]
#[inline(never)]
fn validate_rare(src: &[u8], isa: Option<Isa>) -> Result<(), Utf8Error> {
    match (src, isa) {
        ([], _) => Ok(()),
        ([first, ..], _) if src.len() < large_input::FROM => {
            Err(Utf8Error::new(0, scalar::AMISS[usize::from(*first)]))
        }
        _ => isa.unwrap_or_else(Isa::best).validate_large_utf8(src),
    }
}

#[cold]
#[inline(never)]
fn ill_formed_str() -> ! {
    unreachable!("a `str` is well-formed")
}

operations! {
    /// Checks that `src` is well-formed UTF-8; the error describes the first ill-formed sequence.
    ///
    /// # Errors
    ///
    /// The offset in bytes, the length and the kind of the first ill-formed sequence; offset and length are those
    /// of [`core::str::from_utf8`].
    ///
    /// ```
    /// use fastutf::Utf8ErrorKind;
    ///
    /// assert!(fastutf::validate_utf8("naïve".as_bytes()).is_ok());
    /// let error = fastutf::validate_utf8(b"ab\xC0\xAF").unwrap_err();
    /// assert_eq!(error.valid_up_to(), 2);
    /// assert_eq!(error.error_len(), Some(1));
    /// assert_eq!(error.kind(), Utf8ErrorKind::Overlong);
    /// ```
    [short #[inline] if is_short_ascii(src) => Ok(()), rarely is_rare(src) => validate_rare(src, None)]
    fn validate_utf8(isa, src: &[u8]) -> Result<(), Utf8Error> {
        if is_rare(src) {
            return validate_rare(src, Some(isa));
        }
        isa.validate_utf8_part(src)
    }

    /// Checks that `src` is well-formed UTF-8 and, in the same pass, counts its characters and the UTF-16 code units
    /// that it converts to.
    ///
    /// Equivalent to [`validate_utf8`](fn@crate::validate_utf8), [`count_chars_utf8`](fn@crate::count_chars_utf8),
    /// [`utf16_len_from_utf8`](fn@crate::utf16_len_from_utf8) and [`is_ascii`](fn@crate::is_ascii), at little more than
    /// the cost of the first.
    ///
    /// # Errors
    ///
    /// As [`validate_utf8`](fn@crate::validate_utf8).
    ///
    /// ```
    /// let info = fastutf::utf8_info("a€😀".as_bytes()).unwrap();
    /// assert_eq!((info.chars, info.utf16_len, info.is_ascii()), (3, 1 + 1 + 2, false));
    /// assert_eq!(fastutf::utf8_info(b"ab\xC0").unwrap_err().valid_up_to(), 2);
    /// ```
    fn utf8_info(isa, src: &[u8]) -> Result<Utf8Info, Utf8Error> {
        dispatch!(isa, utf8_info(src))
    }

    /// Returns `src` as a `&str`: [`core::str::from_utf8`] with SIMD.
    ///
    /// # Errors
    ///
    /// As [`validate_utf8`](fn@crate::validate_utf8).
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf8(b"na\xC3\xAFve"), Ok("naïve"));
    /// assert!(fastutf::from_utf8(b"na\xC3").is_err());
    /// ```
    [inlined] fn from_utf8(isa, src: &[u8]) -> Result<&str, Utf8Error> {
        isa.validate_utf8(src)?;
        // SAFETY: it has just been validated.
        Ok(unsafe { core::str::from_utf8_unchecked(src) })
    }

    /// Returns `src` as a `&mut str`: [`core::str::from_utf8_mut`] with SIMD.
    ///
    /// # Errors
    ///
    /// As [`validate_utf8`](fn@crate::validate_utf8).
    ///
    /// ```
    /// let mut bytes = *b"na\xC3\xAFve";
    /// fastutf::from_utf8_mut(&mut bytes).unwrap().make_ascii_uppercase();
    /// assert_eq!(bytes, *b"NA\xC3\xAFVE");
    /// ```
    [inlined] fn from_utf8_mut(isa, src: &mut [u8]) -> Result<&mut str, Utf8Error> {
        isa.validate_utf8(src)?;
        // SAFETY: it has just been validated.
        Ok(unsafe { core::str::from_utf8_unchecked_mut(src) })
    }

    /// Returns `src` as a `String` in the same allocation: [`String::from_utf8`] with SIMD.
    ///
    /// # Errors
    ///
    /// As [`validate_utf8`](fn@crate::validate_utf8); the error returns the `Vec`.
    ///
    /// ```
    /// assert_eq!(fastutf::string_from_utf8(b"abc".to_vec()).as_deref(), Ok("abc"));
    /// let error = fastutf::string_from_utf8(b"ab\xFF".to_vec()).unwrap_err();
    /// assert_eq!(error.into_bytes(), b"ab\xFF");
    /// ```
    "alloc" fn string_from_utf8(isa, src: Vec<u8>) -> Result<String, FromUtf8Error> {
        match isa.validate_utf8(&src) {
            // SAFETY: it has just been validated.
            Ok(()) => Ok(unsafe { String::from_utf8_unchecked(src) }),
            Err(error) => Err(FromUtf8Error { bytes: src, error }),
        }
    }

    /// Returns whether every byte of `src` is ASCII (below `0x80`).
    ///
    /// ```
    /// assert!(fastutf::is_ascii(b"naive"));
    /// assert!(!fastutf::is_ascii("naïve".as_bytes()));
    /// ```
    [short #[inline] if is_short(src) => is_short_ascii(src), rarely src.len() >= large_input::FROM => Isa::best().is_ascii(src)]
    fn is_ascii(isa, src: &[u8]) -> bool {
        if src.len() >= large_input::FROM {
            return large_input::is_ascii(src, isa, Isa::is_ascii);
        }
        dispatch!(isa, is_ascii(src))
    }

    /// Encodes `text` as UTF-16: `text.encode_utf16().collect()` with SIMD. The allocation fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::to_utf16("zł"), [0x7A, 0x142]);
    /// ```
    #[must_use]
    "alloc" fn to_utf16(isa, text: &str) -> Vec<u16> {
        isa.utf16_from_str(ByteOrder::NATIVE, text)
    }

    /// Encodes `text` as UTF-16LE bytes, without a byte-order mark. The allocation fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::to_utf16le("zł"), [0x7A, 0x00, 0x42, 0x01]);
    /// ```
    #[must_use]
    "alloc" fn to_utf16le(isa, text: &str) -> Vec<u8> {
        isa.utf16_from_str(ByteOrder::Little, text)
    }

    /// Encodes `text` as UTF-16BE bytes, without a byte-order mark. The allocation fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::to_utf16be("zł"), [0x00, 0x7A, 0x01, 0x42]);
    /// ```
    #[must_use]
    "alloc" fn to_utf16be(isa, text: &str) -> Vec<u8> {
        isa.utf16_from_str(ByteOrder::Big, text)
    }

    /// Returns the number of UTF-16 code units that `src` converts to, if it is well-formed UTF-8.
    ///
    /// For ill-formed input, returns the number of bytes that are not continuation bytes (`80`–`BF`) plus the number of
    /// bytes from `F0` up. That is enough room for the text before the first error.
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf8("a€😀".as_bytes()), 1 + 1 + 2);
    /// ```
    #[must_use]
    [short] fn utf16_len_from_utf8(isa, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            return large_input::sum(src, isa, ByteOrder::NATIVE, |isa, _, src| isa.utf16_len_from_utf8(src));
        }
        dispatch!(isa, utf16_len_from_utf8(src))
    }

    /// Returns the number of characters (Unicode scalar values) in `src`, if it is well-formed UTF-8, as
    /// `chars().count()` does.
    ///
    /// For ill-formed input, returns the number of bytes that are not continuation bytes (`80`–`BF`).
    ///
    /// ```
    /// assert_eq!(fastutf::count_chars_utf8("a€😀".as_bytes()), 3);
    /// ```
    #[must_use]
    [short] fn count_chars_utf8(isa, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            return large_input::sum(src, isa, ByteOrder::NATIVE, |isa, _, src| isa.count_chars_utf8(src));
        }
        dispatch!(isa, count_chars_utf8(src))
    }

    /// Swaps the two bytes of every code unit in place: UTF-16LE to UTF-16BE and back. An odd last byte is left as it
    /// is.
    ///
    /// ```
    /// let mut bytes = fastutf::to_utf16le("zł");
    /// fastutf::swap_utf16_bytes(&mut bytes);
    /// assert_eq!(bytes, fastutf::to_utf16be("zł"));
    /// ```
    fn swap_utf16_bytes(isa, bytes: &mut [u8]) {
        dispatch!(isa, swap_utf16_bytes(bytes));
    }

    /// Copies `src` to `dst` with the two bytes of every code unit swapped: UTF-16LE to UTF-16BE and back. An odd last
    /// byte is copied as it is.
    ///
    /// # Panics
    ///
    /// If the two lengths (in bytes) differ.
    ///
    /// ```
    /// let mut be = [0; 4];
    /// fastutf::swap_utf16_bytes_into(&fastutf::to_utf16le("zł"), &mut be);
    /// assert_eq!(be, *fastutf::to_utf16be("zł"));
    /// ```
    fn swap_utf16_bytes_into(isa, src: &[u8], dst: &mut [u8]) {
        isa.swap_utf16_bytes_to(src, Output::over(dst));
    }

    /// Like [`swap_utf16_bytes_into`](fn@crate::swap_utf16_bytes_into), but into memory that may be uninitialised. After the
    /// call, all of `dst` is initialised.
    ///
    /// # Panics
    ///
    /// If the two lengths (in bytes) differ.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut be = [MaybeUninit::uninit(); 4];
    /// fastutf::swap_utf16_bytes_into_uninit(&fastutf::to_utf16le("zł"), &mut be);
    /// ```
    fn swap_utf16_bytes_into_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        isa.swap_utf16_bytes_to(src, Output::new(dst));
    }
}

in_orders! { in "fastutf";
    /// Checks that `src` is well-formed UTF-16; the error describes the first ill-formed place.
    ///
    /// # Errors
    ///
    /// The offset, in units of `src`, and the kind of the first unpaired surrogate or, in bytes, of an odd last one.
    [short] |isa, order, src| -> Result<(), Utf16Error>, InUnits::in_units { isa.validate_utf16_bytes(order, src) }
    plain ".is_ok()", damaged ".is_err()";
    { utf16: validate_utf16; utf16le: validate_utf16le; utf16be: validate_utf16be; }

    /// Decodes UTF-16 into a `String`: [`String::from_utf16`] and its relatives with SIMD, and with an error that has a position. The
    /// allocation fits the text.
    ///
    /// # Errors
    ///
    /// The offset, in units of `src`, and the kind of the first unpaired surrogate or, in bytes, of an odd last one.
    #[cfg(feature = "alloc")]
    |isa, order, src| -> Result<String, Utf16Error>, InUnits::in_units { isa.string_from_utf16_bytes(order, src) }
    plain ".unwrap() == \"zł\"", damaged ".is_err()";
    { utf16: from_utf16; utf16le: from_utf16le; utf16be: from_utf16be; }

    /// Returns the number of bytes of UTF-8 that `src` converts to, if it is well-formed UTF-16.
    ///
    /// For ill-formed input, returns a sum over the code units: 1 for each below U+0080, 2 for each other one below U+0800
    /// and for each surrogate, 3 for each of the rest. That is enough room for the text before the first error. In bytes, an odd last
    /// one is not counted.
    #[must_use]
    [short] |isa, order, src| -> usize { isa.utf8_len_from_utf16_bytes(order, src) }
    plain " == 1 + 2";
    { utf16: utf8_len_from_utf16; utf16le: utf8_len_from_utf16le; utf16be: utf8_len_from_utf16be; }

    /// Returns the number of characters (Unicode scalar values) in `src`, if it is well-formed UTF-16.
    ///
    /// For ill-formed input, returns the number of code units that are not low surrogates. In bytes, an odd last one is not counted.
    #[must_use]
    |isa, order, src| -> usize { isa.count_chars_utf16_bytes(order, src) }
    plain " == 2";
    { utf16: count_chars_utf16; utf16le: count_chars_utf16le; utf16be: count_chars_utf16be; }
}

strict! { in "fastutf";
    inlined utf8_to_utf16_bytes -> Utf8Error, plain;
    // For ill-formed text, the count may be twice its length.
    length(isa, order, src): max src.len(), count isa.utf16_len_from_utf8(src).min(src.len());
    {
        /// As many code units as `src` has bytes are always enough; [`utf16_len_from_utf8`](fn@utf16_len_from_utf8) returns
        /// the exact number.
        utf8 => utf16 [ByteOrder::NATIVE]: utf8_to_utf16, utf8_to_utf16_uninit, utf8_to_utf16_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf8`](fn@utf16_len_from_utf8). `dst` may have any alignment; an odd last byte of it is not used.
        utf8 => utf16le [ByteOrder::Little]: utf8_to_utf16le, utf8_to_utf16le_uninit, utf8_to_utf16le_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf8`](fn@utf16_len_from_utf8). `dst` may have any alignment; an odd last byte of it is not used.
        utf8 => utf16be [ByteOrder::Big]: utf8_to_utf16be, utf8_to_utf16be_uninit, utf8_to_utf16be_append;
    }

    inlined utf16_bytes_to_utf8 -> Utf16Error, plain;
    length(isa, order, src): max src.len() / 2 * 3, count isa.utf8_len_from_utf16_bytes(order, src);
    {
        /// Three bytes for each code unit are always enough; [`utf8_len_from_utf16`](fn@utf8_len_from_utf16) returns the
        /// exact number.
        utf16 => utf8 [ByteOrder::NATIVE]: utf16_to_utf8, utf16_to_utf8_uninit, utf16_to_utf8_append;
        /// Three bytes for each code unit are always enough; [`utf8_len_from_utf16le`](fn@utf8_len_from_utf16le) returns the
        /// exact number. `src` may have any alignment; an odd last byte is an error.
        utf16le => utf8 [ByteOrder::Little]: utf16le_to_utf8, utf16le_to_utf8_uninit, utf16le_to_utf8_append;
        /// Three bytes for each code unit are always enough; [`utf8_len_from_utf16be`](fn@utf8_len_from_utf16be) returns the
        /// exact number. `src` may have any alignment; an odd last byte is an error.
        utf16be => utf8 [ByteOrder::Big]: utf16be_to_utf8, utf16be_to_utf8_uninit, utf16be_to_utf8_append;
    }
}

infallible! { in "fastutf";
    inlined str_to_utf16_bytes, plain;
    length(isa, order, src): max src.len(), count isa.utf16_len_from_utf8(src);
    {
        /// As many code units as `src` has bytes are always enough; [`utf16_len_from_utf8`](fn@utf16_len_from_utf8) returns
        /// the exact number.
        str => utf16 [ByteOrder::NATIVE]: str_to_utf16, str_to_utf16_uninit, str_to_utf16_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf8`](fn@utf16_len_from_utf8). An odd last byte of `dst` is not used.
        str => utf16le [ByteOrder::Little]: str_to_utf16le, str_to_utf16le_uninit, str_to_utf16le_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf8`](fn@utf16_len_from_utf8). An odd last byte of `dst` is not used.
        str => utf16be [ByteOrder::Big]: str_to_utf16be, str_to_utf16be_uninit, str_to_utf16be_append;
    }
}
