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
//! | ASCII, Latin-1 or UTF-16 | [`narrowest_from_utf8`], [`narrowest_from_utf16`], [`narrowest_from_utf16le`], [`narrowest_from_utf16be`] |
//! | … replacing ill-formed text by U+FFFD | [`narrowest_from_utf8_lossy`], [`narrowest_from_utf16_lossy`], [`narrowest_from_utf16le_lossy`], [`narrowest_from_utf16be_lossy`] |
//! | ASCII, Latin-1, UCS-2 or UCS-4, as CPython has strings; with the feature `utf32`, too | [`narrowest_chars_from_utf8`], [`narrowest_chars_from_utf16`], [`narrowest_chars_from_utf8_lossy`], [`narrowest_chars_from_utf16_lossy`] |
//! | validate, count characters, and tell which form that is | [`utf8_info`](fn@crate::utf8_info), [`utf16_info`], [`utf16le_info`], [`utf16be_info`] |
#![cfg_attr(not(feature = "full"), allow(rustdoc::broken_intra_doc_links))] // to what other features have

use crate::endian::ByteOrder;
use crate::isa::Isa;
pub use crate::report::Utf16Info;
use crate::report::{InUnits, Utf16Error};

#[cfg(feature = "alloc")]
mod convert;
#[cfg(feature = "alloc")]
pub use convert::*;

impl Isa {
    by_kernel! {
        #[inline(always)]
        fn utf16_info_bytes[order](src: &[u8]) -> Result<Utf16Info, Utf16Error> = utf16_info;
    }
}

in_orders! { in "fastutf::narrowest";
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
    |isa, order, src| -> Result<Utf16Info, Utf16Error>, InUnits::in_units { isa.utf16_info_bytes(order, src) }
    plain ".unwrap().width() == fastutf::Width::Bmp", damaged ".is_err()";
    { utf16: utf16_info; utf16le: utf16le_info; utf16be: utf16be_info; }
}
