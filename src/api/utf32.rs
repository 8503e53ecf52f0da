//! UTF-32: each character as its number, in a `u32` or in 4 bytes of either order, at any alignment.
//!
//! Surrogates and numbers above 10FFFF are ill-formed, and so is an incomplete code unit at the end: [`Utf32Error`] says which.
//! `_lossy` has one U+FFFD for each. A `char` is a code unit that is known to be well-formed, so [`as_chars`] and
//! [`chars_as_utf32`] are casts.
//!
//! ```
//! use fastutf::utf32;
//!
//! assert_eq!(utf32::to_utf32("zł"), [0x7A, 0x142]);
//! assert_eq!(utf32::from_utf32(&[0x7A, 0x142])?, "zł");
//! assert_eq!(utf32::as_chars(&[0x7A, 0xDC00]).unwrap_err().valid_up_to(), 1);
//! # Ok::<(), utf32::Utf32Error>(())
//! ```
//!
//! # Functions
//!
//! | | native | LE bytes | BE bytes |
//! |---|---|---|---|
//! | validate | [`validate_utf32`], [`as_chars`] | [`validate_utf32le`] | [`validate_utf32be`] |
//! | decode | [`from_utf32`], [`from_chars`] | [`from_utf32le`] | [`from_utf32be`] |
//! | … with U+FFFD, also with `_counted` | [`from_utf32_lossy`] | [`from_utf32le_lossy`] | [`from_utf32be_lossy`] |
//! | encode a `&str` | [`to_utf32`], [`to_chars`] | [`to_utf32le`] | [`to_utf32be`] |
//! | from UTF-8 | [`utf8_to_utf32`] | [`utf8_to_utf32le`] | [`utf8_to_utf32be`] |
//! | to UTF-8 | [`utf32_to_utf8`] | [`utf32le_to_utf8`] | [`utf32be_to_utf8`] |
//! | from UTF-16 | [`utf16_to_utf32`] | [`utf16le_to_utf32le`] | [`utf16be_to_utf32be`] |
//! | to UTF-16 | [`utf32_to_utf16`] | [`utf32le_to_utf16le`] | [`utf32be_to_utf16be`] |
//! | from Latin-1, with the feature `latin1` | [`latin1_to_utf32`] | [`latin1_to_utf32le`] | [`latin1_to_utf32be`] |
//! | to Latin-1, with the feature `latin1` | [`utf32_to_latin1`] | [`utf32le_to_latin1`] | [`utf32be_to_latin1`] |
//! | length in UTF-8, also with `_lossy` | [`utf8_len_from_utf32`] | [`utf8_len_from_utf32le`] | [`utf8_len_from_utf32be`] |
//! | length in UTF-16, also with `_lossy` | [`utf16_len_from_utf32`] | [`utf16_len_from_utf32le`] | [`utf16_len_from_utf32be`] |
//!
//! Conversions also have `_uninit` and `_append` and, except those from Latin-1, `_lossy` with the same. The lossy ones to Latin-1
//! take the byte to put there, such as `b'?'`. The length in UTF-32 is the number of characters:
//! [`count_chars_utf8`](fn@crate::count_chars_utf8), [`count_chars_utf16`](fn@crate::count_chars_utf16).
#![cfg_attr(not(feature = "full"), allow(rustdoc::broken_intra_doc_links))] // to what other features have

#[cfg(feature = "alloc")]
use crate::api::into_vec::{self, String, Vec};
use crate::api::large_input;
#[cfg(feature = "alloc")]
use crate::buffer::CodeUnit;
use crate::buffer::{chars_as_units, units_as_chars};
use crate::endian::ByteOrder;
use crate::isa::{Best, Isa};
use crate::output::Output;
use crate::report::{Conversion, InUnits, LossyConversion, Utf8Error, Utf16Error};
pub use crate::report::{Utf32Error, Utf32ErrorKind};
use crate::scalar;
#[cfg(feature = "latin1")]
pub use latin1::*;

#[cfg(feature = "latin1")]
mod latin1;

two_parts! {
    pub(crate) fn utf8_to_utf32_bytes[order] -> Utf8Error {
        utf8_to_utf32, |src, dst, at| scalar::utf8_to_utf32(order, src, dst, at)
    }
    pub(crate) fn utf16_to_utf32_bytes[order] -> Utf16Error {
        utf16_to_utf32, |src, dst, at| scalar::utf16_to_utf32(order, src, dst, at)
    }
    pub(crate) fn utf32_bytes_to_utf8[order] -> Utf32Error {
        utf32_to_utf8, |src, dst, at| scalar::utf32_to_utf8(order, src, dst, at)
    }
    pub(crate) fn utf32_bytes_to_utf16[order] -> Utf32Error {
        utf32_to_utf16, |src, dst, at| scalar::utf32_to_utf16(order, src, dst, at)
    }
}

/// What several public operations share, for either byte order. Offsets and lengths are in bytes.
impl Isa {
    by_strict!(utf8_to_utf32_bytes_lossy[order] = utf8_to_utf32_bytes, scalar::replace_utf8_to_utf32);
    by_strict!(utf16_to_utf32_bytes_lossy[order] = utf16_to_utf32_bytes, scalar::replace_utf16_to_utf32);
    by_strict!(utf32_bytes_to_utf8_lossy[order] = utf32_bytes_to_utf8, scalar::replace_utf32_to_utf8);
    by_strict!(utf32_bytes_to_utf16_lossy[order] = utf32_bytes_to_utf16, scalar::replace_utf32_to_utf16);

    #[inline(always)]
    pub(crate) fn validate_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> Result<(), Utf32Error> {
        let at = dispatch!(self, utf32_prefix[const order](src));
        if at == src.len() { Ok(()) } else { utf32_result(order, src, at) }
    }

    #[inline(always)]
    fn utf8_len_from_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            return large_input::sum(src, self, order, Self::utf8_len_from_utf32_bytes);
        }
        dispatch!(self, utf8_len_from_utf32[const order](src))
    }

    #[inline(always)]
    fn utf16_len_from_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            return large_input::sum(src, self, order, Self::utf16_len_from_utf32_bytes);
        }
        dispatch!(self, utf16_len_from_utf32[const order](src))
    }
}

/// Into a new `Vec` or `String`.
#[cfg(feature = "alloc")]
impl Isa {
    fn string_from_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> Result<String, Utf32Error> {
        let count = move || self.utf8_len_from_utf32_bytes(order, src);
        let (bytes, out) = into_vec::collect(src.len(), count, converter!(self.utf32_bytes_to_utf8(order, src)));
        out.appended()?;
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        Ok(unsafe { String::from_utf8_unchecked(bytes) })
    }

    fn string_from_utf32_bytes_lossy(self, order: ByteOrder, src: &[u8]) -> (String, usize) {
        let count = move || self.utf8_len_from_utf32_bytes(order, src) + trailing(src, 3);
        let convert = converter!(self.utf32_bytes_to_utf8_lossy(order, src));
        let (bytes, out) = into_vec::collect(max_utf8_len(src), count, convert);
        debug_assert!(out.is_complete());
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        (unsafe { String::from_utf8_unchecked(bytes) }, out.replacements)
    }

    #[inline(always)]
    fn utf32_from_str<T: CodeUnit>(self, order: ByteOrder, text: &str) -> Vec<T> {
        let (src, units) = (text.as_bytes(), const { 4 / size_of::<T>() });
        let (max, count) =
            (src.len().saturating_mul(units), move || self.count_chars_utf8(src).saturating_mul(units));
        let (vec, out) = into_vec::collect(max, count, of_row!(self.utf8_to_utf32_bytes[order](src) -> T));
        debug_assert!(out.is_complete());
        vec
    }
}

/// The result of validation, if at least the text before `at` is well-formed.
#[cold]
#[inline(never)]
fn utf32_result(order: ByteOrder, src: &[u8], at: usize) -> Result<(), Utf32Error> {
    let at = at + scalar::utf32_prefix(order, &src[at..]);
    match if at == src.len() { None } else { scalar::utf32_error(order, src, at) } {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The maximum length in UTF-8 of this UTF-32 with replacements: 4 bytes for each code unit, and 3 for trailing bytes.
#[cfg(feature = "alloc")]
const fn max_utf8_len(src: &[u8]) -> usize {
    4 * (src.len() / 4) + trailing(src, 3)
}

/// The length of U+FFFD, if there are trailing bytes for it to replace.
const fn trailing(src: &[u8], replacement: usize) -> usize {
    if src.len().is_multiple_of(4) { 0 } else { replacement }
}

/// Returns characters as UTF-32, without a copy: for conversions from UTF-32.
///
/// ```
/// let mut dst = [0; 8];
/// let out = fastutf::utf32::utf32_to_utf16(fastutf::utf32::chars_as_utf32(&['z', 'ł']), &mut dst);
/// assert_eq!(dst[..out.written], [0x7A, 0x142]);
/// ```
#[must_use]
pub const fn chars_as_utf32(chars: &[char]) -> &[u32] {
    chars_as_units(chars)
}

operations! {
    /// Views UTF-32 as characters, without a copy, if it is well-formed.
    ///
    /// # Errors
    ///
    /// As [`validate_utf32`](fn@crate::utf32::validate_utf32).
    ///
    /// ```
    /// assert_eq!(fastutf::utf32::as_chars(&[0x7A, 0x142]), Ok(&['z', 'ł'][..]));
    /// assert_eq!(fastutf::utf32::as_chars(&[0x7A, 0xDC00]).unwrap_err().valid_up_to(), 1);
    /// ```
    fn as_chars(isa, src: &[u32]) -> Result<&[char], Utf32Error> {
        isa.validate_utf32(src)?;
        // SAFETY: it has just been found well-formed.
        Ok(unsafe { units_as_chars(src) })
    }

    /// Returns the characters of `text`: `text.chars().collect()` with SIMD. The allocation fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::utf32::to_chars("zł"), ['z', 'ł']);
    /// ```
    #[must_use]
    "alloc" fn to_chars(isa, text: &str) -> Vec<char> {
        let src = text.as_bytes();
        let count = move || isa.count_chars_utf8(src);
        let convert = converter!(chars: isa.utf8_to_utf32_uninit(src));
        let (chars, out) = into_vec::collect(src.len(), count, convert);
        debug_assert!(out.is_complete());
        chars
    }

    /// Returns these characters as text: `chars.iter().collect()` with SIMD. The allocation fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::utf32::from_chars(&['z', 'ł']), "zł");
    /// ```
    #[must_use]
    "alloc" fn from_chars(isa, chars: &[char]) -> String {
        isa.from_utf32(chars_as_units(chars)).unwrap_or_default()
    }

    /// Encodes `text` as UTF-32: `text.chars().map(u32::from).collect()` with SIMD. The allocation
    /// fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::utf32::to_utf32("zł"), [0x7A, 0x142]);
    /// ```
    #[must_use]
    "alloc" fn to_utf32(isa, text: &str) -> Vec<u32> {
        isa.utf32_from_str(ByteOrder::NATIVE, text)
    }

    /// Encodes `text` as UTF-32LE bytes, without a byte-order mark. The allocation
    /// fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::utf32::to_utf32le("zł"), b"z\0\0\0B\x01\0\0");
    /// ```
    #[must_use]
    "alloc" fn to_utf32le(isa, text: &str) -> Vec<u8> {
        isa.utf32_from_str(ByteOrder::Little, text)
    }

    /// Encodes `text` as UTF-32BE bytes, without a byte-order mark. The allocation
    /// fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::utf32::to_utf32be("zł"), b"\0\0\0z\0\0\x01B");
    /// ```
    #[must_use]
    "alloc" fn to_utf32be(isa, text: &str) -> Vec<u8> {
        isa.utf32_from_str(ByteOrder::Big, text)
    }
}

in_orders! { in "fastutf::utf32";
    /// Checks that `src` is well-formed UTF-32: characters only, no surrogates and nothing above 10FFFF.
    ///
    /// # Errors
    ///
    /// The first ill-formed code unit or, in bytes, 1 to 3 at the end that are no code unit. Offsets are in units of `src`.
    [short] |isa, order, src| -> Result<(), Utf32Error>, InUnits::in_units { isa.validate_utf32_bytes(order, src) }
    plain ".is_ok()", damaged ".is_err()";
    { utf32: validate_utf32; utf32le: validate_utf32le; utf32be: validate_utf32be; }

    /// Decodes UTF-32 into a `String`. The allocation fits the text.
    ///
    /// # Errors
    ///
    /// The first ill-formed code unit or, in bytes, 1 to 3 at the end that are no code unit. Offsets are in units of `src`.
    #[cfg(feature = "alloc")]
    |isa, order, src| -> Result<String, Utf32Error>, InUnits::in_units { isa.string_from_utf32_bytes(order, src) }
    plain ".unwrap() == \"zł\"", damaged ".is_err()";
    { utf32: from_utf32; utf32le: from_utf32le; utf32be: from_utf32be; }

    /// Decodes UTF-32 into a `String`, with U+FFFD for each ill-formed code unit and, in bytes, for 1 to 3 at the end that are no code
    /// unit.
    #[cfg(feature = "alloc")]
    #[must_use]
    |isa, order, src| -> String { isa.string_from_utf32_bytes_lossy(order, src).0 }
    damaged " == \"z\\u{FFFD}ł\"";
    { utf32: from_utf32_lossy; utf32le: from_utf32le_lossy; utf32be: from_utf32be_lossy; }

    /// Decodes UTF-32 into a `String`, with U+FFFD for each ill-formed code unit and, in bytes, for 1 to 3 at the end that are no code
    /// unit. Also returns the number of replacements.
    #[cfg(feature = "alloc")]
    #[must_use]
    |isa, order, src| -> (String, usize) { isa.string_from_utf32_bytes_lossy(order, src) }
    damaged " == (\"z\\u{FFFD}ł\".into(), 1)";
    { utf32: from_utf32_lossy_counted; utf32le: from_utf32le_lossy_counted; utf32be: from_utf32be_lossy_counted; }

    /// Returns the number of bytes of UTF-8 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion. In bytes, those at the end that are
    /// no code unit are not counted.
    #[must_use]
    [short] |isa, order, src| -> usize { isa.utf8_len_from_utf32_bytes(order, src) }
    plain " == 1 + 2";
    { utf32: utf8_len_from_utf32; utf32le: utf8_len_from_utf32le; utf32be: utf8_len_from_utf32be; }

    /// Returns the number of bytes of UTF-8 that `src` converts to, with U+FFFD in place of ill-formed sequences.
    #[must_use]
    |isa, order, src| -> usize { isa.utf8_len_from_utf32_bytes(order, src) + trailing(src, 3) }
    damaged " == 1 + 3 + 2";
    { utf32: utf8_len_from_utf32_lossy; utf32le: utf8_len_from_utf32le_lossy; utf32be: utf8_len_from_utf32be_lossy; }

    /// Returns the number of code units of UTF-16 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion. In bytes, those at the end that are
    /// no code unit are not counted.
    #[must_use]
    [short] |isa, order, src| -> usize { isa.utf16_len_from_utf32_bytes(order, src) }
    plain " == 2";
    { utf32: utf16_len_from_utf32; utf32le: utf16_len_from_utf32le; utf32be: utf16_len_from_utf32be; }

    /// Returns the number of code units of UTF-16 that `src` converts to, with U+FFFD in place of ill-formed sequences.
    #[must_use]
    |isa, order, src| -> usize { isa.utf16_len_from_utf32_bytes(order, src) + trailing(src, 1) }
    damaged " == 3";
    { utf32: utf16_len_from_utf32_lossy; utf32le: utf16_len_from_utf32le_lossy; utf32be: utf16_len_from_utf32be_lossy; }
}

strict! { in "fastutf::utf32";
    inlined utf8_to_utf32_bytes -> Utf8Error, plain;
    length(isa, order, src): max src.len(), count isa.count_chars_utf8(src);
    {
        /// As many code units as `src` has bytes are always enough; [`count_chars_utf8`](fn@crate::count_chars_utf8)
        /// returns the exact number.
        utf8 => utf32 [ByteOrder::NATIVE]: utf8_to_utf32, utf8_to_utf32_uninit, utf8_to_utf32_append;
        /// Four times the length of `src` is always enough; the exact number of bytes is four times
        /// [`count_chars_utf8`](fn@crate::count_chars_utf8). `dst` may have any alignment.
        utf8 => utf32le [ByteOrder::Little]: utf8_to_utf32le, utf8_to_utf32le_uninit, utf8_to_utf32le_append;
        /// Four times the length of `src` is always enough; the exact number of bytes is four times
        /// [`count_chars_utf8`](fn@crate::count_chars_utf8). `dst` may have any alignment.
        utf8 => utf32be [ByteOrder::Big]: utf8_to_utf32be, utf8_to_utf32be_uninit, utf8_to_utf32be_append;
    }

    inlined utf16_to_utf32_bytes -> Utf16Error, plain;
    length(isa, order, src): max src.len() / 2, count isa.count_chars_utf16_bytes(order, src);
    {
        /// As many code units as `src` has are always enough; [`count_chars_utf16`](fn@crate::count_chars_utf16) returns
        /// the exact number.
        utf16 => utf32 [ByteOrder::NATIVE]: utf16_to_utf32, utf16_to_utf32_uninit, utf16_to_utf32_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is four times
        /// [`count_chars_utf16le`](fn@crate::count_chars_utf16le).
        utf16le => utf32le [ByteOrder::Little]:
            utf16le_to_utf32le, utf16le_to_utf32le_uninit, utf16le_to_utf32le_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is four times
        /// [`count_chars_utf16be`](fn@crate::count_chars_utf16be).
        utf16be => utf32be [ByteOrder::Big]:
            utf16be_to_utf32be, utf16be_to_utf32be_uninit, utf16be_to_utf32be_append;
    }

    inlined utf32_bytes_to_utf8 -> Utf32Error, plain;
    length(isa, order, src): max src.len(), count isa.utf8_len_from_utf32_bytes(order, src);
    {
        /// Four bytes for each code unit are always enough; [`utf8_len_from_utf32`](fn@crate::utf32::utf8_len_from_utf32)
        /// returns the exact number.
        utf32 => utf8 [ByteOrder::NATIVE]: utf32_to_utf8, utf32_to_utf8_uninit, utf32_to_utf8_append;
        /// The length of `src` is always enough; [`utf8_len_from_utf32le`](fn@crate::utf32::utf8_len_from_utf32le) returns the
        /// exact number.
        utf32le => utf8 [ByteOrder::Little]: utf32le_to_utf8, utf32le_to_utf8_uninit, utf32le_to_utf8_append;
        /// The length of `src` is always enough; [`utf8_len_from_utf32be`](fn@crate::utf32::utf8_len_from_utf32be) returns the
        /// exact number.
        utf32be => utf8 [ByteOrder::Big]: utf32be_to_utf8, utf32be_to_utf8_uninit, utf32be_to_utf8_append;
    }

    inlined utf32_bytes_to_utf16 -> Utf32Error, plain;
    length(isa, order, src): max src.len() / 2, count isa.utf16_len_from_utf32_bytes(order, src);
    {
        /// Twice as many code units as `src` has are always enough;
        /// [`utf16_len_from_utf32`](fn@crate::utf32::utf16_len_from_utf32) returns the exact number.
        utf32 => utf16 [ByteOrder::NATIVE]: utf32_to_utf16, utf32_to_utf16_uninit, utf32_to_utf16_append;
        /// The length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf32le`](fn@crate::utf32::utf16_len_from_utf32le).
        utf32le => utf16le [ByteOrder::Little]:
            utf32le_to_utf16le, utf32le_to_utf16le_uninit, utf32le_to_utf16le_append;
        /// The length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf32be`](fn@crate::utf32::utf16_len_from_utf32be).
        utf32be => utf16be [ByteOrder::Big]:
            utf32be_to_utf16be, utf32be_to_utf16be_uninit, utf32be_to_utf16be_append;
    }
}

lossy! { in "fastutf::utf32";
    utf8_to_utf32_bytes_lossy, "U+FFFD for each ill-formed sequence";
    length(isa, order, src): max src.len(), count isa.count_chars_utf8(src), exact src.len();
    {
        /// As many code units as `src` has bytes are always enough.
        utf8 => utf32 [ByteOrder::NATIVE]:
            utf8_to_utf32_lossy, utf8_to_utf32_lossy_uninit, utf8_to_utf32_lossy_append;
        /// Four times the length of `src` is always enough. `dst` may have any alignment.
        utf8 => utf32le [ByteOrder::Little]:
            utf8_to_utf32le_lossy, utf8_to_utf32le_lossy_uninit, utf8_to_utf32le_lossy_append;
        /// Four times the length of `src` is always enough. `dst` may have any alignment.
        utf8 => utf32be [ByteOrder::Big]:
            utf8_to_utf32be_lossy, utf8_to_utf32be_lossy_uninit, utf8_to_utf32be_lossy_append;
    }

    utf16_to_utf32_bytes_lossy, "U+FFFD for each unpaired surrogate, and for an odd last byte";
    length(isa, order, src): max src.len().div_ceil(2), count src.len().div_ceil(2), exact src.len().div_ceil(2);
    {
        /// As many code units as `src` has are always enough.
        utf16 => utf32 [ByteOrder::NATIVE]:
            utf16_to_utf32_lossy, utf16_to_utf32_lossy_uninit, utf16_to_utf32_lossy_append;
        /// Four bytes for each code unit, and for an odd last byte, are always enough.
        utf16le => utf32le [ByteOrder::Little]:
            utf16le_to_utf32le_lossy, utf16le_to_utf32le_lossy_uninit, utf16le_to_utf32le_lossy_append;
        /// Four bytes for each code unit, and for an odd last byte, are always enough.
        utf16be => utf32be [ByteOrder::Big]:
            utf16be_to_utf32be_lossy, utf16be_to_utf32be_lossy_uninit, utf16be_to_utf32be_lossy_append;
    }

    utf32_bytes_to_utf8_lossy, "U+FFFD for each ill-formed code unit, and for an incomplete one at the end";
    length(isa, order, src): max max_utf8_len(src), count isa.utf8_len_from_utf32_bytes(order, src) + trailing(src, 3),
        exact max_utf8_len(src);
    {
        /// Four bytes for each code unit are always enough;
        /// [`utf8_len_from_utf32_lossy`](fn@crate::utf32::utf8_len_from_utf32_lossy) returns the exact number.
        utf32 => utf8 [ByteOrder::NATIVE]:
            utf32_to_utf8_lossy, utf32_to_utf8_lossy_uninit, utf32_to_utf8_lossy_append;
        /// Four bytes for each code unit, and three for an incomplete one, are always enough;
        /// [`utf8_len_from_utf32le_lossy`](fn@crate::utf32::utf8_len_from_utf32le_lossy) returns the exact number.
        utf32le => utf8 [ByteOrder::Little]:
            utf32le_to_utf8_lossy, utf32le_to_utf8_lossy_uninit, utf32le_to_utf8_lossy_append;
        /// Four bytes for each code unit, and three for an incomplete one, are always enough;
        /// [`utf8_len_from_utf32be_lossy`](fn@crate::utf32::utf8_len_from_utf32be_lossy) returns the exact number.
        utf32be => utf8 [ByteOrder::Big]:
            utf32be_to_utf8_lossy, utf32be_to_utf8_lossy_uninit, utf32be_to_utf8_lossy_append;
    }

    utf32_bytes_to_utf16_lossy, "U+FFFD for each ill-formed code unit, and for an incomplete one at the end";
    length(isa, order, src): max src.len().div_ceil(2), count isa.utf16_len_from_utf32_bytes(order, src) + trailing(src, 1),
        exact src.len().div_ceil(2);
    {
        /// Twice as many code units as `src` has are always enough;
        /// [`utf16_len_from_utf32_lossy`](fn@crate::utf32::utf16_len_from_utf32_lossy) returns the exact number.
        utf32 => utf16 [ByteOrder::NATIVE]:
            utf32_to_utf16_lossy, utf32_to_utf16_lossy_uninit, utf32_to_utf16_lossy_append;
        /// Four bytes for each code unit, and two for an incomplete one, are always enough; the exact number of bytes is
        /// twice [`utf16_len_from_utf32le_lossy`](fn@crate::utf32::utf16_len_from_utf32le_lossy).
        utf32le => utf16le [ByteOrder::Little]:
            utf32le_to_utf16le_lossy, utf32le_to_utf16le_lossy_uninit, utf32le_to_utf16le_lossy_append;
        /// Four bytes for each code unit, and two for an incomplete one, are always enough; the exact number of bytes is
        /// twice [`utf16_len_from_utf32be_lossy`](fn@crate::utf32::utf16_len_from_utf32be_lossy).
        utf32be => utf16be [ByteOrder::Big]:
            utf32be_to_utf16be_lossy, utf32be_to_utf16be_lossy_uninit, utf32be_to_utf16be_lossy_append;
    }
}
