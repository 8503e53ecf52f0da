//! What is wrong with UTF-32.

use crate::report::{InUnits, OffsetUnit};

error_kinds! {
    /// Why a sequence of code units is ill-formed UTF-32 (Unicode 3.9, D90).
    ///
    /// ```
    /// use fastutf::utf32::{Utf32ErrorKind, validate_utf32, validate_utf32le};
    ///
    /// let kind = |units: &[u32]| validate_utf32(units).unwrap_err().kind();
    /// assert_eq!(kind(&[0x41, 0xDC00]), Utf32ErrorKind::Surrogate);
    /// assert_eq!(kind(&[0x41, 0x11_0000]), Utf32ErrorKind::AboveMax);
    /// assert_eq!(validate_utf32le(b"a\0\0\0b").unwrap_err().kind(), Utf32ErrorKind::TrailingBytes);
    /// assert_eq!(Utf32ErrorKind::AboveMax.to_string(), "code point above U+10FFFF");
    /// ```
    Utf32ErrorKind;

    /// A surrogate (`D800`–`DFFF`), which is no character.
    Surrogate: "surrogate",
    /// A number above `10FFFF`, the last code point.
    AboveMax: "code point above U+10FFFF",
    /// The number of bytes is not a multiple of 4, so the last 1 to 3 are an incomplete code unit. More input could
    /// complete it, so `error_len` is `None`; in a complete input it is an error like any other.
    TrailingBytes: "incomplete code unit at end of input",
}

error_in_units! {
    /// The first ill-formed place of a UTF-32 input: its position, its length, and its kind.
    ///
    /// Offsets and lengths are in units of the input: **code units** for functions that take `&[u32]`, **bytes** for
    /// functions that take UTF-32LE or UTF-32BE as `&[u8]`. The `Display` text says which.
    ///
    /// ```
    /// use fastutf::utf32::Utf32ErrorKind;
    ///
    /// let error = fastutf::utf32::validate_utf32(&[0x41, 0xD800]).unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.error_len()), (1, Some(1)));
    /// assert_eq!(error.kind(), Utf32ErrorKind::Surrogate);
    /// assert_eq!(error.to_string(), "invalid utf-32 at code unit 1: surrogate");
    ///
    /// let error = fastutf::utf32::validate_utf32be(b"\0\0\0A\0\x11\0\0").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.error_len()), (4, Some(4)));
    /// assert_eq!(error.to_string(), "invalid utf-32 at byte 4: code point above U+10FFFF");
    /// ```
    Utf32Error(NoCharacter), Utf32ErrorKind, "utf-32", 4 bytes;

    /// Returns what [`valid_up_to`](Self::valid_up_to) and [`error_len`](Self::error_len) count: code units for `&[u32]`
    /// input, bytes for UTF-32LE and UTF-32BE.
    ///
    /// ```
    /// use fastutf::{OffsetUnit, utf32};
    ///
    /// assert_eq!(utf32::validate_utf32(&[0xDC00]).unwrap_err().unit(), OffsetUnit::CodeUnits);
    /// assert_eq!(utf32::validate_utf32le(&[0x00, 0xDC, 0, 0]).unwrap_err().unit(), OffsetUnit::Bytes);
    /// ```
    unit
    /// Returns the offset of the ill-formed code unit or of the trailing bytes, in code units for `&[u32]` input and in
    /// bytes for UTF-32LE and UTF-32BE. Everything before it is well-formed UTF-32.
    ///
    /// ```
    /// let units = [0x7A, 0xDC00];
    /// let error = fastutf::utf32::validate_utf32(&units).unwrap_err();
    /// assert_eq!(fastutf::utf32::as_chars(&units[..error.valid_up_to()]), Ok(&['z'][..]));
    /// ```
    valid_up_to
    /// Returns how far to skip to resume after the error: one code unit, which is 1 for `&[u32]` and 4 for bytes.
    /// Returns `None` if the input ends inside a code unit that more input could complete.
    ///
    /// ```
    /// assert_eq!(fastutf::utf32::validate_utf32(&[0xDC00]).unwrap_err().error_len(), Some(1));
    /// assert_eq!(fastutf::utf32::validate_utf32be(b"\0\0\xDC\0").unwrap_err().error_len(), Some(4));
    /// assert_eq!(fastutf::utf32::validate_utf32be(b"\0\0\0").unwrap_err().error_len(), None);
    /// ```
    error_len
    /// Returns the kind of the error.
    ///
    /// ```
    /// let error = fastutf::utf32::validate_utf32(&[0xFFFF_FFFF]).unwrap_err();
    /// assert_eq!(error.kind(), fastutf::utf32::Utf32ErrorKind::AboveMax);
    /// ```
    kind

    whole Surrogate: SurrogateBytes, SurrogateUnit;
    whole AboveMax: AboveMaxBytes, AboveMaxUnit;
    cut TrailingBytes: TrailingBytes;
}
