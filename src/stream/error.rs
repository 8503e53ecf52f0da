//! What is wrong with a stream, and where in it.

use core::fmt;

#[cfg(feature = "alloc")]
use crate::report::FromUtf8Error;
#[cfg(feature = "latin1")]
use crate::report::{NotLatin1Error, ToLatin1Error};
#[cfg(feature = "wtf8")]
use crate::report::{SurrogateError, ToUtf8Error, Wtf8Error, Wtf8ErrorKind};
use crate::report::{Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};
#[cfg(feature = "utf32")]
use crate::report::{Utf32Error, Utf32ErrorKind};

/// Why a stream cannot be read, or cannot be converted.
///
/// ```
/// use fastutf::Utf8ErrorKind;
/// use fastutf::stream::{Encoding, StreamErrorKind, Validator};
///
/// let error = Validator::new(Encoding::Utf8).push(b"\xFF").unwrap_err();
/// assert_eq!(error.kind(), StreamErrorKind::Utf8(Utf8ErrorKind::InvalidLead));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreamErrorKind {
    /// The stream is ill-formed UTF-8.
    Utf8(Utf8ErrorKind),
    /// The stream is ill-formed UTF-16.
    Utf16(Utf16ErrorKind),
    /// The stream is well-formed so far, but has this character, which is not in Latin-1, to which it is converted.
    #[cfg(feature = "latin1")]
    NotLatin1(char),
    /// The stream is ill-formed UTF-32.
    #[cfg(feature = "utf32")]
    Utf32(Utf32ErrorKind),
    /// The stream is ill-formed WTF-8.
    #[cfg(feature = "wtf8")]
    Wtf8(Wtf8ErrorKind),
    /// The stream is well-formed WTF-8 so far, but has this surrogate, which is no character, and cannot be converted.
    #[cfg(feature = "wtf8")]
    Surrogate(u16),
}

impl fmt::Display for StreamErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf8(kind) => kind.fmt(f),
            Self::Utf16(kind) => kind.fmt(f),
            #[cfg(feature = "latin1")]
            Self::NotLatin1(character) => {
                write!(f, "character U+{:04X} is not in latin-1", u32::from(*character))
            }
            #[cfg(feature = "utf32")]
            Self::Utf32(kind) => kind.fmt(f),
            #[cfg(feature = "wtf8")]
            Self::Wtf8(kind) => kind.fmt(f),
            #[cfg(feature = "wtf8")]
            Self::Surrogate(surrogate) => write!(f, "unpaired surrogate U+{surrogate:04X}"),
        }
    }
}

/// The first place of a stream that is ill-formed, or that the target encoding does not have: its position, its length, and
/// what is wrong with it.
///
/// With the feature `std` it converts into a [`std::io::Error`](https://doc.rust-lang.org/std/io/struct.Error.html) of
/// the kind `InvalidData` that contains it.
///
/// ```
/// use fastutf::stream::{Encoding, Validator};
///
/// let mut validator = Validator::new(Encoding::Utf8);
/// validator.push(b"../")?;
/// let error = validator.push(b"\xC0\xAE").unwrap_err();
/// assert_eq!((error.offset(), error.error_len()), (3, Some(1)));
/// assert_eq!(error.to_string(), "invalid utf-8 at byte 3: overlong encoding");
/// # Ok::<(), fastutf::stream::StreamError>(())
/// ```
///
/// The errors of functions for whole texts convert into a `StreamError` by `?`, so a program that does both needs only
/// one error type:
///
/// ```
/// use fastutf::stream::{Encoding, StreamError, Validator};
///
/// fn check(header: &[u8], body: &[&[u8]]) -> Result<(), StreamError> {
///     fastutf::validate_utf16le(header)?;
///     let mut validator = Validator::new(Encoding::Utf8);
///     body.iter().try_for_each(|chunk| validator.push(chunk))?;
///     validator.finish()
/// }
/// assert_eq!(check(b"a\0\0\xDC", &[]).unwrap_err().offset(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StreamError {
    offset: u64,
    /// 0 stands for "the input ends here": `error_len` of `None`.
    error_len: u8,
    kind: StreamErrorKind,
}

impl StreamError {
    pub(super) fn utf8(error: Utf8Error) -> Self {
        Self {
            offset: error.valid_up_to() as u64,
            error_len: error.error_len().unwrap_or(0) as u8,
            kind: StreamErrorKind::Utf8(error.kind()),
        }
    }

    /// `error` must have its offset in bytes.
    pub(super) fn utf16(error: Utf16Error) -> Self {
        Self {
            offset: error.valid_up_to() as u64,
            error_len: error.error_len().unwrap_or(0) as u8,
            kind: StreamErrorKind::Utf16(error.kind()),
        }
    }

    /// `error` must have its offset in bytes.
    #[cfg(feature = "utf32")]
    pub(super) fn utf32(error: Utf32Error) -> Self {
        Self {
            offset: error.valid_up_to() as u64,
            error_len: error.error_len().unwrap_or(0) as u8,
            kind: StreamErrorKind::Utf32(error.kind()),
        }
    }

    #[cfg(feature = "wtf8")]
    pub(super) fn wtf8(error: Wtf8Error) -> Self {
        Self {
            offset: error.valid_up_to() as u64,
            error_len: error.error_len().unwrap_or(0) as u8,
            kind: StreamErrorKind::Wtf8(error.kind()),
        }
    }

    /// At the start.
    #[cfg(feature = "wtf8")]
    pub(super) fn surrogate(surrogate: u16) -> Self {
        Self { offset: 0, error_len: 3, kind: StreamErrorKind::Surrogate(surrogate) }
    }

    /// At the start.
    #[cfg(feature = "latin1")]
    pub(super) fn not_latin1(character: char, len: usize) -> Self {
        Self { offset: 0, error_len: len as u8, kind: StreamErrorKind::NotLatin1(character) }
    }

    /// The same error in a stream that has `offset` more bytes at its start.
    pub(crate) fn moved_by(self, offset: u64) -> Self {
        Self { offset: self.offset + offset, ..self }
    }

    /// Returns the offset of the ill-formed sequence in bytes from the start of the stream, including a byte-order
    /// mark. It is in bytes for native UTF-16 as well.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Source::StripBom(Encoding::Utf8), Encoding::Utf16Le);
    /// let out = transcoder.convert(b"\xEF\xBB\xBFab\xFF", &mut [0; 16]);
    /// assert_eq!(out.error().unwrap().offset(), 5);
    /// ```
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns how many bytes to skip to resume after the ill-formed sequence (UTF-8: 1 to 3, UTF-16: 2, UTF-32: 4) or after the character
    /// that the target does not have, or `None` if the input ends inside a character. Where text comes in chunks, only [`finish`](super::Validator::finish) reports
    /// that; functions for whole texts report it at once.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Validator};
    ///
    /// let mut validator = Validator::new(Encoding::Utf8);
    /// validator.push(b"ab\xC3")?;
    /// assert_eq!(validator.finish().unwrap_err().error_len(), None);
    /// # Ok::<(), fastutf::stream::StreamError>(())
    /// ```
    #[must_use]
    pub const fn error_len(&self) -> Option<usize> {
        match self.error_len {
            0 => None,
            len => Some(len as usize),
        }
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> StreamErrorKind {
        self.kind
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = match self.kind {
            StreamErrorKind::Utf8(_) => "utf-8",
            StreamErrorKind::Utf16(_) => "utf-16",
            #[cfg(feature = "utf32")]
            StreamErrorKind::Utf32(_) => "utf-32",
            #[cfg(feature = "wtf8")]
            StreamErrorKind::Wtf8(_) => "wtf-8",
            #[cfg(feature = "wtf8")]
            StreamErrorKind::Surrogate(_) => return write!(f, "{} at byte {}", self.kind, self.offset),
            #[cfg(feature = "latin1")]
            StreamErrorKind::NotLatin1(character) => {
                let number = u32::from(character);
                return write!(f, "character U+{number:04X} at byte {} is not in latin-1", self.offset);
            }
        };
        write!(f, "invalid {encoding} at byte {}: {}", self.offset, self.kind)
    }
}

impl fmt::Debug for StreamError {
    /// Shows what the methods return, under their names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamError")
            .field("offset", &self.offset)
            .field("error_len", &self.error_len())
            .field("kind", &self.kind)
            .finish()
    }
}

impl core::error::Error for StreamError {}

impl From<Utf8Error> for StreamError {
    /// Returns the same error, as if the validated text were a stream.
    fn from(error: Utf8Error) -> Self {
        Self::utf8(error)
    }
}

impl From<Utf16Error> for StreamError {
    /// Returns the same error, counted in bytes, as if the validated text were a stream.
    fn from(error: Utf16Error) -> Self {
        Self::utf16(error.in_bytes())
    }
}

#[cfg(feature = "utf32")]
impl From<Utf32Error> for StreamError {
    /// Returns the same error, counted in bytes, as if the validated text were a stream.
    fn from(error: Utf32Error) -> Self {
        Self::utf32(error.in_bytes())
    }
}

#[cfg(feature = "wtf8")]
impl From<Wtf8Error> for StreamError {
    /// Returns the same error, as if the validated text were a stream.
    fn from(error: Wtf8Error) -> Self {
        Self::wtf8(error)
    }
}

#[cfg(feature = "wtf8")]
impl From<SurrogateError> for StreamError {
    /// Returns the same error, as if the converted text were a stream.
    fn from(error: SurrogateError) -> Self {
        Self::surrogate(error.surrogate()).moved_by(error.valid_up_to() as u64)
    }
}

#[cfg(feature = "wtf8")]
impl<E: Into<Self>> From<ToUtf8Error<E>> for StreamError {
    /// Returns the same error, as if the converted text were a stream.
    fn from(error: ToUtf8Error<E>) -> Self {
        match error {
            ToUtf8Error::Surrogate(error) => error.into(),
            ToUtf8Error::IllFormed(error) => error.into(),
        }
    }
}

#[cfg(feature = "latin1")]
impl From<NotLatin1Error> for StreamError {
    /// Returns the same error, counted in bytes, as if the converted text were a stream.
    fn from(error: NotLatin1Error) -> Self {
        let error = error.in_bytes();
        Self::not_latin1(error.character(), error.error_len()).moved_by(error.valid_up_to() as u64)
    }
}

#[cfg(feature = "latin1")]
impl<E: Into<Self>> From<ToLatin1Error<E>> for StreamError {
    /// Returns the same error, counted in bytes, as if the converted text were a stream.
    fn from(error: ToLatin1Error<E>) -> Self {
        match error {
            ToLatin1Error::NotLatin1(error) => error.into(),
            ToLatin1Error::IllFormed(error) => error.into(),
        }
    }
}

#[cfg(feature = "alloc")]
impl From<FromUtf8Error> for StreamError {
    /// Returns the same error without the bytes, as if the validated text were a stream.
    fn from(error: FromUtf8Error) -> Self {
        Self::utf8(error.utf8_error())
    }
}

#[cfg(feature = "std")]
impl From<StreamError> for std::io::Error {
    /// Returns an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains this one.
    fn from(error: StreamError) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, error)
    }
}
