//! Modified UTF-8 as Android writes it: a character above U+FFFF may also be a sequence of four bytes.

use super::{Mutf8Error, ToUtf8Error};
#[cfg(feature = "alloc")]
use crate::api::into_vec::{Cow, String, Vec};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::{Conversion, LossyConversion};
use crate::scalar::FourByteForms::Taken;

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
    /// The first unpaired surrogate or ill-formed sequence, whichever comes first.
    ///
    /// ```
    /// use fastutf::mutf8::from_android_mutf8;
    ///
    /// assert_eq!(from_android_mutf8(b"a\xF0\x9F\x98\x80").as_deref(), Ok("a😀"));
    /// assert_eq!(from_android_mutf8(b"a\xED\xA0\xBD\xED\xB8\x80").as_deref(), Ok("a😀"));
    /// assert_eq!(from_android_mutf8(b"a\xF0\x9F\x98").unwrap_err().valid_up_to(), 1);
    /// ```
    "alloc" fn from_android_mutf8(isa, src: &[u8]) -> Result<Cow<'_, str>, ToUtf8Error<Mutf8Error>> {
        isa.text_from_mutf8(Taken, src)
    }

    /// Like [`from_mutf8_lossy`](fn@super::from_mutf8_lossy), but takes sequences of four bytes as well.
    ///
    /// ```
    /// use fastutf::mutf8::from_android_mutf8_lossy;
    ///
    /// assert_eq!(from_android_mutf8_lossy(b"\xF0\x9F\x98\x80\xED\xA0\xBD\xF0\x9F"), "😀\u{FFFD}\u{FFFD}");
    /// ```
    #[must_use]
    "alloc" fn from_android_mutf8_lossy(isa, src: &[u8]) -> Cow<'_, str> {
        isa.text_from_mutf8_lossy(Taken, src)
    }
}

strict! { in "fastutf::mutf8";
    short mutf8_bytes_to_utf8 -> ToUtf8Error<Mutf8Error>, four_bytes;
    length(isa, order, src): max src.len(), count src.len();
    {
        /// An unpaired surrogate is an error, too. The length of `src` is always enough;
        /// [`utf8_len_from_mutf8`](fn@crate::mutf8::utf8_len_from_mutf8) returns the exact number.
        android_mutf8 => utf8 [Taken]:
            android_mutf8_to_utf8, android_mutf8_to_utf8_uninit, android_mutf8_to_utf8_append;
    }

    short mutf8_to_utf16_bytes -> Mutf8Error, four_bytes;
    length(isa, order, src): max src.len(), count isa.utf16_len_from_mutf8(src);
    {
        /// A surrogate pair is not split. As many code units as `src` has bytes are always enough;
        /// [`utf16_len_from_mutf8`](fn@crate::mutf8::utf16_len_from_mutf8) returns the exact number.
        android_mutf8 => utf16 [Taken, ByteOrder::NATIVE]:
            android_mutf8_to_utf16, android_mutf8_to_utf16_uninit, android_mutf8_to_utf16_append, utf16_from_android_mutf8;
    }
}

lossy! { in "fastutf::mutf8";
    mutf8_bytes_to_utf8_lossy, "U+FFFD for each unpaired surrogate, and for each ill-formed sequence (a maximal subpart)";
    // Only ill-formed sequences become longer.
    length(isa, order, src): max src.len().saturating_mul(3), count src.len(), exact src.len().saturating_mul(3);
    {
        /// As many bytes as `src` has are always enough for modified UTF-8, and three times as many for any input.
        android_mutf8 => utf8 [Taken]:
            android_mutf8_to_utf8_lossy, android_mutf8_to_utf8_lossy_uninit, android_mutf8_to_utf8_lossy_append;
    }
}
