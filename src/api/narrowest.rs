//! A text in the narrowest form that holds it, as engines store strings: ASCII, Latin-1, UTF-16 or UTF-32.
//!
//! ```
//! use fastutf::narrowest::{Narrowest, narrowest_from_utf8};
//!
//! assert!(matches!(narrowest_from_utf8("naïve".as_bytes())?, Narrowest::Latin1(bytes) if bytes == b"na\xEFve"));
//! # Ok::<(), fastutf::Utf8Error>(())
//! ```
//!
//! # Functions
//!
//! | | the function |
//! |---|---|
//! | ASCII, Latin-1 or UTF-16 | `narrowest_from_utf8`, `narrowest_from_utf16`, `narrowest_from_utf16le`, `narrowest_from_utf16be` |
//! | … with U+FFFD for what is ill-formed | `narrowest_from_utf8_lossy`, `narrowest_from_utf16_lossy`, `narrowest_from_utf16le_lossy`, `narrowest_from_utf16be_lossy` |
//! | ASCII, Latin-1, UCS-2 or UCS-4, as CPython has strings; with the feature `utf32`, too | `narrowest_chars_from_utf8`, `narrowest_chars_from_utf16`, `narrowest_chars_from_utf8_lossy`, `narrowest_chars_from_utf16_lossy` |
//! | validate, count characters, and tell which form that is | [`utf8_info`](fn@crate::utf8_info), [`utf16_info`], [`utf16le_info`], [`utf16be_info`] |

use crate::buffer::as_bytes;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::Utf16Error;
pub use crate::report::Utf16Info;

#[cfg(feature = "alloc")]
mod convert;
#[cfg(feature = "alloc")]
pub use convert::*;

impl Isa {
    #[inline(always)]
    fn utf16_info_bytes(self, order: ByteOrder, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
        dispatch!(self, utf16_info[const order](src))
    }
}

operations! {
    /// Checks that `src` is well-formed UTF-16 and, in the same pass, counts its characters and finds the narrowest form
    /// that holds it.
    ///
    /// That takes hardly longer than validation, and less for text in Latin-1. The length in UTF-8 is not in it, as that
    /// would take several times as long: [`utf8_len_from_utf16`](fn@crate::utf8_len_from_utf16).
    ///
    /// # Errors
    ///
    /// As [`validate_utf16`](fn@crate::validate_utf16).
    ///
    /// ```
    /// use fastutf::{Width, narrowest::utf16_info};
    ///
    /// let info = utf16_info(&[0xE9, 0x74, 0xE9])?;
    /// assert_eq!((info.chars, info.width()), (3, Width::Latin1));
    /// assert_eq!(utf16_info(&[0xE9, 0xDC00]).unwrap_err().valid_up_to(), 1);
    /// # Ok::<(), fastutf::Utf16Error>(())
    /// ```
    fn utf16_info(isa, src: &[u16]) -> Result<Utf16Info, Utf16Error> {
        isa.utf16_info_bytes(ByteOrder::NATIVE, as_bytes(src)).map_err(crate::report::InUnits::in_units)
    }

    /// [`utf16_info`](fn@crate::narrowest::utf16_info) for UTF-16LE bytes, at any alignment.
    ///
    /// # Errors
    ///
    /// As [`validate_utf16le`](fn@crate::validate_utf16le).
    ///
    /// ```
    /// let info = fastutf::narrowest::utf16le_info(&fastutf::to_utf16le("5 €"))?;
    /// assert_eq!((info.chars, info.width()), (3, fastutf::Width::Bmp));
    /// # Ok::<(), fastutf::Utf16Error>(())
    /// ```
    fn utf16le_info(isa, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
        isa.utf16_info_bytes(ByteOrder::Little, src)
    }

    /// [`utf16_info`](fn@crate::narrowest::utf16_info) for UTF-16BE bytes, at any alignment.
    ///
    /// # Errors
    ///
    /// As [`validate_utf16be`](fn@crate::validate_utf16be).
    ///
    /// ```
    /// let info = fastutf::narrowest::utf16be_info(&fastutf::to_utf16be("5 😀"))?;
    /// assert_eq!((info.chars, info.width()), (3, fastutf::Width::Full));
    /// # Ok::<(), fastutf::Utf16Error>(())
    /// ```
    fn utf16be_info(isa, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
        isa.utf16_info_bytes(ByteOrder::Big, src)
    }
}
