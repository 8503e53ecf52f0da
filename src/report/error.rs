//! What is wrong with an input, and exactly where.

use core::fmt;

/// What the offsets of an error count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OffsetUnit {
    /// Bytes.
    Bytes,
    /// Code units of the input: `u16`s or `u32`s.
    CodeUnits,
}

impl OffsetUnit {
    /// How messages name one.
    pub(crate) const fn one(self) -> &'static str {
        match self {
            Self::Bytes => "byte",
            Self::CodeUnits => "code unit",
        }
    }
}

error_kinds! {
    /// Why a byte sequence is ill-formed UTF-8 (RFC 3629 §3 and §4).
    ///
    /// ```
    /// use fastutf::{Utf8ErrorKind, validate_utf8};
    ///
    /// let kind = |bytes: &[u8]| validate_utf8(bytes).unwrap_err().kind();
    /// assert_eq!(kind(b"\xE2\x82"), Utf8ErrorKind::Incomplete);
    /// assert_eq!(kind(b"\xE2\x82A"), Utf8ErrorKind::MissingContinuation);
    /// assert_eq!(kind(b"\x80"), Utf8ErrorKind::StrayContinuation);
    /// assert_eq!(kind(b"\xC0\xAF"), Utf8ErrorKind::Overlong);
    /// assert_eq!(kind(b"\xED\xA0\x80"), Utf8ErrorKind::Surrogate);
    /// assert_eq!(kind(b"\xF4\x90\x80\x80"), Utf8ErrorKind::AboveMax);
    /// assert_eq!(kind(b"\xFC\x80\x80\x80\x80\x80"), Utf8ErrorKind::FiveOrSixByteForm);
    /// assert_eq!(kind(b"\xFF"), Utf8ErrorKind::InvalidLead);
    /// assert_eq!(Utf8ErrorKind::Overlong.to_string(), "overlong encoding");
    /// ```
    Utf8ErrorKind;

    /// The input ends inside a sequence that more bytes could complete.
    Incomplete: "incomplete sequence at end of input",
    /// A lead byte is followed by fewer continuation bytes than it requires.
    MissingContinuation: "missing continuation byte",
    /// A continuation byte (`80`–`BF`) where a character must start.
    StrayContinuation: "stray continuation byte",
    /// The sequence is longer than necessary for its character: `C0`, `C1`, `E0 80`–`9F`, `F0 80`–`8F`.
    Overlong: "overlong encoding",
    /// The sequence encodes a surrogate, U+D800 to U+DFFF: `ED A0`–`BF`.
    Surrogate: "encoded surrogate",
    /// The sequence encodes a value above U+10FFFF: `F4 90`–`BF`, `F5`–`F7`.
    AboveMax: "value above U+10FFFF",
    /// `F8`–`FD`: the lead byte of a 5- or 6-byte sequence, which RFC 2279 §2 allowed. RFC 3629 allows at most 4 bytes.
    FiveOrSixByteForm: "obsolete 5- or 6-byte sequence",
    /// `FE`, `FF`: bytes that no version of UTF-8 uses. At the start of a text they may be a UTF-16 byte-order mark.
    InvalidLead: "invalid lead byte",
}

/// The first ill-formed sequence of a UTF-8 input: its position, its length, and its kind.
///
/// [`valid_up_to`](Self::valid_up_to) and [`error_len`](Self::error_len) are those of [`core::str::Utf8Error`]. The `Display`
/// text also includes the [`kind`](Self::kind), as that of all errors of this crate.
///
/// ```
/// use fastutf::Utf8ErrorKind;
///
/// let error = fastutf::validate_utf8(b"caf\xC3").unwrap_err();
/// assert_eq!(error.valid_up_to(), 3);
/// assert_eq!(error.error_len(), None);
/// assert_eq!(error.kind(), Utf8ErrorKind::Incomplete);
/// assert_eq!(error.to_string(), "invalid utf-8 at byte 3: incomplete sequence at end of input");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Utf8Error {
    valid_up_to: usize,
    what: IllFormed,
}

/// The kind and the length of an ill-formed sequence.
///
/// They are a single number because a value of two numbers is returned in registers, and so is its `Result`. A value of
/// three would be returned through memory, which makes a short call slower.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum IllFormed {
    Incomplete,
    Missing1st,
    Missing2nd,
    Missing3rd,
    StrayContinuation,
    Overlong,
    Surrogate,
    AboveMax,
    FiveOrSixByteForm,
    InvalidLead,
}

impl Utf8Error {
    pub(crate) const fn new(valid_up_to: usize, what: IllFormed) -> Self {
        Self { valid_up_to, what }
    }

    /// Returns the offset, in bytes, of the ill-formed sequence. Everything before it is well-formed UTF-8.
    ///
    /// ```
    /// let bytes = b"ab\xFFcd";
    /// let error = fastutf::validate_utf8(bytes).unwrap_err();
    /// assert_eq!(fastutf::from_utf8(&bytes[..error.valid_up_to()]), Ok("ab"));
    /// ```
    #[must_use]
    pub const fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// Returns how many bytes to skip to resume after the ill-formed sequence: 1 to 3, its *maximal subpart* (section 3.9 of
    /// the Unicode Standard). Returns `None` if the input ends inside a sequence that more bytes could complete.
    ///
    /// ```
    /// let error_len = |bytes: &[u8]| fastutf::validate_utf8(bytes).unwrap_err().error_len();
    /// assert_eq!(error_len(b"\xF0\x9F\x92!"), Some(3));
    /// assert_eq!(error_len(b"\xF0\x9F\x92"), None);
    /// ```
    #[must_use]
    pub const fn error_len(&self) -> Option<usize> {
        match self.what {
            IllFormed::Incomplete => None,
            IllFormed::Missing3rd => Some(3),
            IllFormed::Missing2nd => Some(2),
            _ => Some(1),
        }
    }

    /// Returns the kind of the error.
    ///
    /// ```
    /// let error = fastutf::validate_utf8(b"../\xC0\xAE").unwrap_err();
    /// assert_eq!(error.kind(), fastutf::Utf8ErrorKind::Overlong);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> Utf8ErrorKind {
        match self.what {
            IllFormed::Incomplete => Utf8ErrorKind::Incomplete,
            IllFormed::Missing1st | IllFormed::Missing2nd | IllFormed::Missing3rd => {
                Utf8ErrorKind::MissingContinuation
            }
            IllFormed::StrayContinuation => Utf8ErrorKind::StrayContinuation,
            IllFormed::Overlong => Utf8ErrorKind::Overlong,
            IllFormed::Surrogate => Utf8ErrorKind::Surrogate,
            IllFormed::AboveMax => Utf8ErrorKind::AboveMax,
            IllFormed::FiveOrSixByteForm => Utf8ErrorKind::FiveOrSixByteForm,
            IllFormed::InvalidLead => Utf8ErrorKind::InvalidLead,
        }
    }

    /// The same error in an input that has `offset` more bytes at its start.
    pub(crate) const fn moved_by(self, offset: usize) -> Self {
        Self { valid_up_to: self.valid_up_to + offset, ..self }
    }

    /// Returns the standard library's own error for the same input. It validates `src` again, up to the end of the ill-formed
    /// sequence.
    ///
    /// This takes as long as [`core::str::from_utf8`] does, as there is no other way to create that type. Use it only
    /// for an interface that requires the type. [`valid_up_to`](Self::valid_up_to) and [`error_len`](Self::error_len)
    /// return the same values at no cost; `error_len().is_none()` says whether a chunk merely ends inside a character.
    ///
    /// # Panics
    ///
    /// If `src` has no error at the same position, because it is not the input that this error came from.
    ///
    /// ```
    /// let src = b"a\xFFb";
    /// let error = fastutf::validate_utf8(src).unwrap_err();
    /// assert_eq!(error.revalidate_with_std(src), std::str::from_utf8(src).unwrap_err());
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "to_std")]
    pub fn revalidate_with_std(&self, src: &[u8]) -> core::str::Utf8Error {
        // An ill-formed sequence is recognised within 4 bytes.
        let end = src.len().min(self.valid_up_to.saturating_add(4));
        match core::str::from_utf8(&src[..end]) {
            Err(error) if error.valid_up_to() == self.valid_up_to => error,
            _ => panic!("not the input this error came from"),
        }
    }
}

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid utf-8 at byte {}: {}", self.valid_up_to, self.kind())
    }
}

error!(Utf8Error: valid_up_to, error_len, kind);

error_kinds! {
    /// Why a sequence of code units is ill-formed UTF-16 (RFC 2781 §2).
    ///
    /// ```
    /// use fastutf::{Utf16ErrorKind, validate_utf16, validate_utf16be};
    ///
    /// let kind = |units: &[u16]| validate_utf16(units).unwrap_err().kind();
    /// assert_eq!(kind(&[0xD83D, 0x0041]), Utf16ErrorKind::UnpairedHighSurrogate);
    /// assert_eq!(kind(&[0x0041, 0xDE00]), Utf16ErrorKind::UnpairedLowSurrogate);
    /// assert_eq!(kind(&[0x0041, 0xD83D]), Utf16ErrorKind::TrailingHighSurrogate);
    /// assert_eq!(validate_utf16be(b"\0a\0").unwrap_err().kind(), Utf16ErrorKind::TrailingByte);
    /// assert_eq!(Utf16ErrorKind::TrailingByte.to_string(), "incomplete code unit at end of input");
    /// ```
    Utf16ErrorKind;

    /// A high surrogate (`D800`–`DBFF`) that is not followed by a low surrogate.
    UnpairedHighSurrogate: "unpaired high surrogate",
    /// A low surrogate (`DC00`–`DFFF`) that does not follow a high surrogate.
    UnpairedLowSurrogate: "unpaired low surrogate",
    /// The input ends after a high surrogate, or after a high surrogate and one more byte. More input could complete
    /// the pair.
    TrailingHighSurrogate: "high surrogate at end of input",
    /// The input has an odd number of bytes, so the last one is an incomplete code unit. More input could complete it,
    /// so `error_len` is `None`; in a complete input it is an error like any other.
    TrailingByte: "incomplete code unit at end of input",
}

error_in_units! {
    /// The first ill-formed place of a UTF-16 input: its position, its length, and its kind.
    ///
    /// Offsets and lengths are in units of the input: **code units** for functions that take `&[u16]`, **bytes** for
    /// functions that take UTF-16LE or UTF-16BE as `&[u8]`. The `Display` text says which.
    ///
    /// ```
    /// use fastutf::Utf16ErrorKind;
    ///
    /// let error = fastutf::validate_utf16(&[0x0041, 0xDC00]).unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.error_len()), (1, Some(1)));
    /// assert_eq!(error.kind(), Utf16ErrorKind::UnpairedLowSurrogate);
    /// assert_eq!(error.to_string(), "invalid utf-16 at code unit 1: unpaired low surrogate");
    ///
    /// let error = fastutf::validate_utf16le(&[0x41, 0x00, 0x00, 0xDC]).unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.error_len()), (2, Some(2)));
    /// assert_eq!(error.to_string(), "invalid utf-16 at byte 2: unpaired low surrogate");
    /// ```
    Utf16Error(Unpaired), Utf16ErrorKind, "utf-16", 2 bytes;

    /// Returns what [`valid_up_to`](Self::valid_up_to) and [`error_len`](Self::error_len) count: code units for `&[u16]`
    /// input, bytes for UTF-16LE and UTF-16BE.
    ///
    /// ```
    /// use fastutf::OffsetUnit;
    ///
    /// assert_eq!(fastutf::validate_utf16(&[0xDC00]).unwrap_err().unit(), OffsetUnit::CodeUnits);
    /// assert_eq!(fastutf::validate_utf16le(&[0x00, 0xDC]).unwrap_err().unit(), OffsetUnit::Bytes);
    /// ```
    unit
    /// Returns the offset of the unpaired surrogate or of the trailing byte, in code units for `&[u16]` input and in
    /// bytes for UTF-16LE and UTF-16BE. Everything before it is well-formed UTF-16.
    ///
    /// ```
    /// let units = [0x7A, 0xDC00];
    /// let error = fastutf::validate_utf16(&units).unwrap_err();
    /// assert_eq!(fastutf::from_utf16(&units[..error.valid_up_to()]).as_deref(), Ok("z"));
    /// ```
    valid_up_to
    /// Returns how far to skip to resume after the error: one code unit, which is 1 for `&[u16]` and 2 for bytes.
    /// Returns `None` if the input ends inside a character that more input could complete.
    ///
    /// ```
    /// assert_eq!(fastutf::validate_utf16(&[0xDC00]).unwrap_err().error_len(), Some(1));
    /// assert_eq!(fastutf::validate_utf16be(b"\xDC\x00").unwrap_err().error_len(), Some(2));
    /// assert_eq!(fastutf::validate_utf16be(b"\xD8\x00").unwrap_err().error_len(), None);
    /// ```
    error_len
    /// Returns the kind of the error.
    ///
    /// ```
    /// let error = fastutf::validate_utf16(&[0xDC00]).unwrap_err();
    /// assert_eq!(error.kind(), fastutf::Utf16ErrorKind::UnpairedLowSurrogate);
    /// ```
    kind

    whole UnpairedHighSurrogate: HighBytes, HighUnit;
    whole UnpairedLowSurrogate: LowBytes, LowUnit;
    cut TrailingHighSurrogate: TrailingHighBytes, TrailingHighUnit;
    cut TrailingByte: TrailingByte;
}

impl Utf16Error {
    /// The same error in an input that has `offset` more bytes, or code units, at its start.
    #[cfg(any(feature = "bytes", all(feature = "alloc", feature = "latin1")))]
    pub(crate) const fn moved_by(self, offset: usize) -> Self {
        Self { valid_up_to: self.valid_up_to + offset, ..self }
    }
}

/// An error of a kernel, which has its offset in bytes.
pub(crate) trait InUnits: Copy {
    /// The same in code units, where they are larger than bytes.
    fn in_units(self) -> Self {
        self
    }
}

impl InUnits for core::convert::Infallible {}

impl InUnits for Utf8Error {}
