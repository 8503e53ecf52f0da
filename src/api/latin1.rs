//! Latin-1 (ISO 8859-1): U+0000 to U+00FF, each as one byte.
//!
//! Every byte is a character, so conversions from Latin-1 only stop when the buffer is full. Strict conversions to it stop at the
//! first character above U+00FF or at the first ill-formed place; [`ToLatin1Error`] says which. Functions with `_lossy` take a
//! byte, which replaces each such character, and each sequence that std replaces by one U+FFFD. (Browsers say Latin-1 for
//! windows-1252, whose characters from 80 to 9F differ.)
//!
//! ```
//! use fastutf::latin1;
//!
//! assert_eq!(latin1::from_latin1(b"caf\xE9"), "café");
//! assert_eq!(latin1::to_latin1("café")?, &b"caf\xE9"[..]);
//! assert_eq!(latin1::to_latin1("5 €").unwrap_err().valid_up_to(), 2);
//! # Ok::<(), latin1::NotLatin1Error>(())
//! ```
//!
//! # Functions
//!
//! | | the function |
//! |---|---|
//! | Latin-1 to text | [`from_latin1`], borrowed if it is ASCII |
//! | `&str` to Latin-1 | [`to_latin1`], [`to_latin1_lossy`], borrowed if it is ASCII |
//! | convert from Latin-1, with `_uninit` and `_append` | [`latin1_to_utf8`], [`latin1_to_utf16`], [`latin1_to_utf16le`], [`latin1_to_utf16be`] |
//! | convert to Latin-1, with `_uninit` and `_append` | [`utf8_to_latin1`], [`utf16_to_latin1`], [`utf16le_to_latin1`], [`utf16be_to_latin1`] |
//! | … with a replacement, with `_uninit` and `_append` | [`utf8_to_latin1_lossy`], [`utf16_to_latin1_lossy`], [`utf16le_to_latin1_lossy`], [`utf16be_to_latin1_lossy`] |
//! | check that the text fits | [`validate_latin1_in_utf8`], [`validate_latin1_in_utf16`], [`validate_latin1_in_utf16le`], [`validate_latin1_in_utf16be`] |
//! | length of a result | [`utf8_len_from_latin1`]; in UTF-16 the same; in Latin-1 the number of characters, [`count_chars_utf8`](fn@crate::count_chars_utf8) |
//! | in chunks, through `std::io`, by a BOM with Latin-1 as the fallback | [`stream`](crate::stream), `io` and [`decode`](fn@crate::decode) with `Encoding::Latin1` |
#![cfg_attr(not(feature = "full"), allow(rustdoc::broken_intra_doc_links))] // to what other features have

use core::convert::Infallible;

#[cfg(feature = "alloc")]
use crate::api::into_vec::{self, Cow, String, Vec};
use crate::endian::ByteOrder;
use crate::isa::{Best, Isa};
use crate::output::Output;
use crate::report::{Conversion, InUnits, LossyConversion, Utf8Error, Utf16Error};
use crate::scalar;

two_parts! {
    fn latin1_to_utf8_bytes -> Infallible {
        latin1_to_utf8, |src, dst, at| scalar::latin1_to_utf8(src, dst, at)
    }
    fn latin1_to_utf16_bytes[order] -> Infallible {
        latin1_to_utf16, |src, dst, at| scalar::latin1_to_utf16(order, src, dst, at)
    }
    fn utf8_to_latin1_bytes -> ToLatin1Error<Utf8Error> {
        utf8_to_latin1, |src, dst, at| scalar::utf8_to_latin1(src, dst, at)
    }
    pub(super) fn utf16_to_latin1_bytes[order] -> ToLatin1Error<Utf16Error> {
        utf16_to_latin1, |src, dst, at| scalar::utf16_to_latin1(order, src, dst, at)
    }
}

/// What several public operations share, for either byte order. Offsets are in bytes.
impl Isa {
    #[inline(always)]
    fn validate_latin1_in_utf16_bytes(
        self,
        order: ByteOrder,
        src: &[u8],
    ) -> Result<(), ToLatin1Error<Utf16Error>> {
        let at = dispatch!(self, latin1_prefix_of_utf16[const order](src));
        if at == src.len() {
            return Ok(());
        }
        let at = at + scalar::latin1_prefix_of_utf16(order, &src[at..]);
        match if at == src.len() { None } else { scalar::not_latin1_in_utf16(order, src, at) } {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    by_strict!(utf8_to_latin1_bytes_lossy(replacement) = utf8_to_latin1_bytes, scalar::replace_in_utf8);
    by_strict!(utf16_to_latin1_bytes_lossy[order](replacement) = utf16_to_latin1_bytes, scalar::replace_in_utf16);
}

pub use crate::report::{NotLatin1Error, ToLatin1Error};

operations! {
    /// Returns Latin-1 as text. Borrows if `src` is ASCII.
    ///
    /// ```
    /// assert_eq!(fastutf::latin1::from_latin1(b"caf\xE9"), "café");
    /// assert!(matches!(fastutf::latin1::from_latin1(b"cafe"), std::borrow::Cow::Borrowed(_)));
    /// ```
    #[must_use]
    "alloc" fn from_latin1(isa, src: &[u8]) -> Cow<'_, str> {
        if isa.is_ascii(src) {
            // SAFETY: ASCII is UTF-8.
            return Cow::Borrowed(unsafe { core::str::from_utf8_unchecked(src) });
        }
        let count = move || isa.utf8_len_from_latin1(src);
        let (bytes, out) = into_vec::collect(2 * src.len(), count, converter!(isa.latin1_to_utf8_bytes(src)));
        debug_assert!(out.is_complete());
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        Cow::Owned(unsafe { String::from_utf8_unchecked(bytes) })
    }

    /// Returns the number of bytes of UTF-8 that Latin-1 converts to.
    ///
    /// ```
    /// assert_eq!(fastutf::latin1::utf8_len_from_latin1(b"caf\xE9"), 5);
    /// ```
    #[must_use]
    [short] fn utf8_len_from_latin1(isa, src: &[u8]) -> usize {
        dispatch!(isa, utf8_len_from_latin1(src))
    }

    /// Checks that `src` is well-formed UTF-8 with characters of Latin-1 only, that is, up to U+00FF.
    ///
    /// Its length in Latin-1 is the number of its characters: [`count_chars_utf8`](fn@crate::count_chars_utf8).
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1 or the first ill-formed sequence, whichever comes first. Offsets are in bytes.
    ///
    /// ```
    /// assert!(fastutf::latin1::validate_latin1_in_utf8("café".as_bytes()).is_ok());
    /// assert_eq!(fastutf::latin1::validate_latin1_in_utf8("café €".as_bytes()).unwrap_err().valid_up_to(), 6);
    /// ```
    fn validate_latin1_in_utf8(isa, src: &[u8]) -> Result<(), ToLatin1Error<Utf8Error>> {
        let at = dispatch!(isa, latin1_prefix_of_utf8(src));
        if at == src.len() {
            return Ok(());
        }
        let at = scalar::latin1_prefix_of_utf8_from(src, at);
        match if at == src.len() { None } else { scalar::not_latin1_in_utf8(src, at) } {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Encodes `text` as Latin-1. Borrows if it is ASCII.
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1.
    ///
    /// ```
    /// assert_eq!(*fastutf::latin1::to_latin1("café").unwrap(), *b"caf\xE9");
    /// let error = fastutf::latin1::to_latin1("5 €").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.character()), (2, '€'));
    /// ```
    "alloc" fn to_latin1(isa, text: &str) -> Result<Cow<'_, [u8]>, NotLatin1Error> {
        let src = text.as_bytes();
        if isa.is_ascii(src) {
            return Ok(Cow::Borrowed(src));
        }
        let count = move || isa.count_chars_utf8(src);
        let (bytes, out) = into_vec::collect(src.len(), count, converter!(isa.utf8_to_latin1_bytes(src)));
        match out.error() {
            None => Ok(Cow::Owned(bytes)),
            Some(ToLatin1Error::NotLatin1(error)) => Err(error),
            Some(ToLatin1Error::IllFormed(_)) => unreachable!("a `str` is well-formed"),
        }
    }

    /// Encodes `text` as Latin-1, with `replacement` for each character that is not in Latin-1. Borrows if it is ASCII.
    ///
    /// ```
    /// assert_eq!(*fastutf::latin1::to_latin1_lossy("caf\u{E9} 5\u{20AC}", b'?'), *b"caf\xE9 5?");
    /// ```
    #[must_use]
    "alloc" fn to_latin1_lossy(isa, text: &str, replacement: u8) -> Cow<'_, [u8]> {
        let src = text.as_bytes();
        if isa.is_ascii(src) {
            return Cow::Borrowed(src);
        }
        let count = move || isa.count_chars_utf8(src);
        let convert = converter!(isa.utf8_to_latin1_bytes_lossy(src, replacement));
        Cow::Owned(into_vec::collect(src.len(), count, convert).0)
    }
}

in_orders! { in "fastutf::latin1";
    /// Checks that `src` is UTF-16 with characters of Latin-1 only, that is, up to U+00FF. Its length in Latin-1 is the
    /// number of its code units.
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1 or the first ill-formed place, whichever comes first. Offsets are in units of `src`.
    |isa, order, src| -> Result<(), ToLatin1Error<Utf16Error>>, InUnits::in_units { isa.validate_latin1_in_utf16_bytes(order, src) }
    accents ".is_ok()", foreign ".is_err()";
    { utf16: validate_latin1_in_utf16; utf16le: validate_latin1_in_utf16le; utf16be: validate_latin1_in_utf16be; }
}

infallible! { in "fastutf::latin1";
    inlined latin1_to_utf8_bytes, accents;
    length(isa, order, src): max 2 * src.len(), count isa.utf8_len_from_latin1(src);
    {
        /// Twice the length of `src` is always enough; [`utf8_len_from_latin1`](fn@utf8_len_from_latin1) returns the exact
        /// number.
        latin1 => utf8 []: latin1_to_utf8, latin1_to_utf8_uninit, latin1_to_utf8_append;
    }

    inlined latin1_to_utf16_bytes, accents;
    length(isa, order, src): max src.len(), count src.len();
    {
        /// As many code units as `src` has bytes are exactly right.
        latin1 => utf16 [ByteOrder::NATIVE]: latin1_to_utf16, latin1_to_utf16_uninit, latin1_to_utf16_append;
        /// Twice the length of `src` is exactly right. `dst` may have any alignment.
        latin1 => utf16le [ByteOrder::Little]: latin1_to_utf16le, latin1_to_utf16le_uninit, latin1_to_utf16le_append;
        /// Twice the length of `src` is exactly right. `dst` may have any alignment.
        latin1 => utf16be [ByteOrder::Big]: latin1_to_utf16be, latin1_to_utf16be_uninit, latin1_to_utf16be_append;
    }
}

strict! { in "fastutf::latin1";
    inlined utf8_to_latin1_bytes -> ToLatin1Error<Utf8Error>, accents;
    length(isa, order, src): max src.len(), count isa.count_chars_utf8(src);
    {
        /// A character that is not in Latin-1 is an error, too. The length of `src` is always enough;
        /// [`count_chars_utf8`](fn@crate::count_chars_utf8) returns the exact number.
        utf8 => latin1 []: utf8_to_latin1, utf8_to_latin1_uninit, utf8_to_latin1_append;
    }

    inlined utf16_to_latin1_bytes -> ToLatin1Error<Utf16Error>, accents;
    length(isa, order, src): max src.len() / 2, count src.len() / 2;
    {
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        utf16 => latin1 [ByteOrder::NATIVE]: utf16_to_latin1, utf16_to_latin1_uninit, utf16_to_latin1_append;
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        utf16le => latin1 [ByteOrder::Little]: utf16le_to_latin1, utf16le_to_latin1_uninit, utf16le_to_latin1_append;
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        utf16be => latin1 [ByteOrder::Big]: utf16be_to_latin1, utf16be_to_latin1_uninit, utf16be_to_latin1_append;
    }
}

lossy! { in "fastutf::latin1";
    utf8_to_latin1_bytes_lossy, "`replacement` for each character that is not in Latin-1, and for each ill-formed sequence";
    length(isa, order, src): max src.len(), count isa.count_chars_utf8(src), exact src.len();
    {
        /// The length of `src` is always enough.
        utf8 => latin1 [] (replacement): utf8_to_latin1_lossy, utf8_to_latin1_lossy_uninit, utf8_to_latin1_lossy_append;
    }

    utf16_to_latin1_bytes_lossy,
        "`replacement` for each character that is not in Latin-1, for each unpaired surrogate, and for an odd last byte";
    length(isa, order, src): max src.len().div_ceil(2), count src.len().div_ceil(2), exact src.len().div_ceil(2);
    {
        /// As many bytes as `src` has code units are always enough.
        utf16 => latin1 [ByteOrder::NATIVE] (replacement):
            utf16_to_latin1_lossy, utf16_to_latin1_lossy_uninit, utf16_to_latin1_lossy_append;
        /// As many bytes as `src` has code units, and one for an odd last byte, are always enough.
        utf16le => latin1 [ByteOrder::Little] (replacement):
            utf16le_to_latin1_lossy, utf16le_to_latin1_lossy_uninit, utf16le_to_latin1_lossy_append;
        /// As many bytes as `src` has code units, and one for an odd last byte, are always enough.
        utf16be => latin1 [ByteOrder::Big] (replacement):
            utf16be_to_latin1_lossy, utf16be_to_latin1_lossy_uninit, utf16be_to_latin1_lossy_append;
    }
}
