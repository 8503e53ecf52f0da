//! Modified UTF-8 as Android writes it: a character above U+FFFF may also be a sequence of four bytes.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::mem::MaybeUninit;

use super::{Mutf8Error, ToUtf8Error};
use crate::buffer::as_uninit;
use crate::conversion::{Conversion, LossyConversion};
use crate::isa::Isa;
use crate::scalar::FourBytes::Taken;

operations! {
    /// Like [`validate_mutf8`](fn@super::validate_mutf8), but takes sequences of four bytes as well.
    ///
    /// # Errors
    ///
    /// The offset in bytes, the length and the kind of the first ill-formed sequence.
    ///
    /// ```
    /// use fastutf::mutf8::{Mutf8ErrorKind, validate_android_mutf8};
    ///
    /// assert!(validate_android_mutf8(b"a\xC0\x80\xF0\x9F\x98\x80\xED\xA0\xBD").is_ok());
    /// let error = validate_android_mutf8(b"a\xF4\x90\x80\x80").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.kind()), (1, Mutf8ErrorKind::AboveMax));
    /// ```
    fn validate_android_mutf8(isa, src: &[u8]) -> Result<(), Mutf8Error> {
        isa.check_mutf8(Taken, src)
    }

    /// Like [`from_mutf8`](fn@super::from_mutf8), but takes sequences of four bytes as well: for what `GetStringUTFChars` returns on
    /// Android. Borrows if it is the same in UTF-8, emoji included.
    ///
    /// # Errors
    ///
    /// The first unpaired surrogate, or the first ill-formed sequence: what comes first.
    ///
    /// ```
    /// use fastutf::mutf8::from_android_mutf8;
    ///
    /// assert_eq!(from_android_mutf8(b"a\xF0\x9F\x98\x80").as_deref(), Ok("a😀"));
    /// assert_eq!(from_android_mutf8(b"a\xED\xA0\xBD\xED\xB8\x80").as_deref(), Ok("a😀"));
    /// assert_eq!(from_android_mutf8(b"a\xF0\x9F\x98").unwrap_err().valid_up_to(), 1);
    /// ```
    #[cfg(feature = "alloc")]
    fn from_android_mutf8(isa, src: &[u8]) -> Result<Cow<'_, str>, ToUtf8Error<Mutf8Error>> {
        isa.text_from_mutf8(Taken, src)
    }

    /// Like [`from_mutf8_lossy`](fn@super::from_mutf8_lossy), but takes sequences of four bytes as well.
    ///
    /// ```
    /// use fastutf::mutf8::from_android_mutf8_lossy;
    ///
    /// assert_eq!(from_android_mutf8_lossy(b"\xF0\x9F\x98\x80\xED\xA0\xBD\xF0\x9F"), "😀\u{FFFD}\u{FFFD}");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_android_mutf8_lossy(isa, src: &[u8]) -> Cow<'_, str> {
        isa.text_from_mutf8_lossy(Taken, src)
    }

    /// Like [`mutf8_to_utf8`](fn@super::mutf8_to_utf8), but takes sequences of four bytes as well.
    ///
    /// As many bytes as `src` has are always enough; [`utf8_len_from_mutf8`](fn@super::utf8_len_from_mutf8) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::mutf8::android_mutf8_to_utf8(b"\xC0\x80\xF0\x9F\x98\x80", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst[..out.written], *"\0😀".as_bytes());
    /// ```
    fn android_mutf8_to_utf8(isa, src: &[u8], dst: &mut [u8]) -> Conversion<ToUtf8Error<Mutf8Error>> {
        // SAFETY: conversions write initialised values only.
        isa.android_mutf8_to_utf8_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`android_mutf8_to_utf8`](fn@android_mutf8_to_utf8), but into memory that may be uninitialised. After the call, its
    /// first [`written`](Conversion::written) bytes are initialised.
    fn android_mutf8_to_utf8_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToUtf8Error<Mutf8Error>> {
        isa.mutf8_bytes_to_utf8(Taken, src, dst)
    }

    /// Like [`android_mutf8_to_utf8`](fn@android_mutf8_to_utf8), but appends to a `String`, which grows as needed. Returns
    /// the number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    #[cfg(feature = "alloc")]
    fn android_mutf8_to_utf8_append(isa, src: &[u8], dst: &mut String) -> Result<usize, ToUtf8Error<Mutf8Error>> {
        isa.append_text_from_mutf8(Taken, src, dst)
    }

    /// Like [`mutf8_to_utf8_lossy`](fn@super::mutf8_to_utf8_lossy), but takes sequences of four bytes as well.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::mutf8::android_mutf8_to_utf8_lossy(b"\xF0\x9F\x98\x80\xFF", &mut dst);
    /// assert_eq!((out.written, out.replacements), (4 + 3, 1));
    /// ```
    fn android_mutf8_to_utf8_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.android_mutf8_to_utf8_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`android_mutf8_to_utf8_lossy`](fn@android_mutf8_to_utf8_lossy), but into memory that may be uninitialised. After the
    /// call, its first [`written`](LossyConversion::written) bytes are initialised.
    fn android_mutf8_to_utf8_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.mutf8_bytes_to_utf8_lossy(Taken, src, dst)
    }

    /// Like [`android_mutf8_to_utf8_lossy`](fn@android_mutf8_to_utf8_lossy), but appends to a `String`, which grows as needed: it
    /// never stops with [`OutputFull`](crate::Stop::OutputFull).
    #[cfg(feature = "alloc")]
    fn android_mutf8_to_utf8_lossy_append(isa, src: &[u8], dst: &mut String) -> LossyConversion {
        isa.append_text_from_mutf8_lossy(Taken, src, dst)
    }

    /// Like [`utf16_from_mutf8`](fn@super::utf16_from_mutf8), but takes sequences of four bytes as well.
    ///
    /// # Errors
    ///
    /// As [`validate_android_mutf8`](fn@validate_android_mutf8).
    ///
    /// ```
    /// let units = fastutf::mutf8::utf16_from_android_mutf8(b"\xF0\x9F\x98\x80\xED\xA0\xBD");
    /// assert_eq!(units.as_deref(), Ok(&[0xD83D, 0xDE00, 0xD83D][..]));
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16_from_android_mutf8(isa, src: &[u8]) -> Result<Vec<u16>, Mutf8Error> {
        isa.units_from_mutf8(Taken, src)
    }

    /// Like [`mutf8_to_utf16`](fn@super::mutf8_to_utf16), but takes sequences of four bytes as well. A surrogate pair is not split.
    ///
    /// As many code units as `src` has bytes are always enough; [`utf16_len_from_mutf8`](fn@super::utf16_len_from_mutf8) returns
    /// the exact number.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::mutf8::android_mutf8_to_utf16(b"\xF0\x9F\x98\x80", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst[..out.written], [0xD83D, 0xDE00]);
    /// ```
    fn android_mutf8_to_utf16(isa, src: &[u8], dst: &mut [u16]) -> Conversion<Mutf8Error> {
        // SAFETY: conversions write initialised values only.
        isa.android_mutf8_to_utf16_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`android_mutf8_to_utf16`](fn@android_mutf8_to_utf16), but into memory that may be uninitialised. After the call, its
    /// first [`written`](Conversion::written) code units are initialised.
    fn android_mutf8_to_utf16_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Conversion<Mutf8Error> {
        isa.mutf8_to_units(Taken, src, dst)
    }

    /// Like [`android_mutf8_to_utf16`](fn@android_mutf8_to_utf16), but appends to a `Vec`, which grows as needed. Returns the
    /// number of code units appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    #[cfg(feature = "alloc")]
    fn android_mutf8_to_utf16_append(isa, src: &[u8], dst: &mut Vec<u16>) -> Result<usize, Mutf8Error> {
        isa.append_units_from_mutf8(Taken, src, dst)
    }
}
