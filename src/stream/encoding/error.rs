//! What is wrong with a stream, and where in it.

use core::fmt;

use super::StreamErrorKind;
#[cfg(feature = "alloc")]
use crate::report::FromUtf8Error;
#[cfg(feature = "wtf8")]
use crate::report::{Wtf8Error, Wtf8ErrorKind};

/// Makes [`StreamErrorKind`] of two lists. The first has the errors of ill-formed text: that of functions for whole texts, its kind
/// and how it is counted in bytes. The second has text that cannot be converted, with the beginning and the end of the message.
macro_rules! kinds {
    (
        $(
            $(#[doc = $doc:literal])*
            $(#[cfg($cfg:meta)])?
            $ill_formed:ident $encoding:literal: $error:ident $(. $in_bytes:ident)?, $kind:ident;
        )*
        -
        $(
            $(#[doc = $other_doc:literal])*
            $(#[cfg($other_cfg:meta)])?
            $other:ident($value:ident): $before:literal, $after:literal;
        )*
    ) => {
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
            $($(#[doc = $doc])* $(#[cfg($cfg)])? $ill_formed(crate::report::$kind),)*
            $($(#[doc = $other_doc])* $(#[cfg($other_cfg)])? $other($value),)*
        }

        impl StreamErrorKind {
            /// Returns the character or the surrogate that the target encoding does not have, if that is the error.
            ///
            /// ```
            /// use fastutf::stream::{Encoding, Validator};
            ///
            /// let error = Validator::new(Encoding::Utf8).push(b"\xFF").unwrap_err();
            /// assert_eq!(error.kind().unencodable(), None);
            /// # #[cfg(all(feature = "alloc", feature = "latin1"))]
            /// # {
            /// // Any error of a conversion becomes one of streams.
            /// let error = fastutf::stream::StreamError::from(fastutf::latin1::to_latin1("5 €").unwrap_err());
            /// assert_eq!(error.kind().unencodable(), Some(u32::from('€')));
            /// # }
            /// ```
            #[must_use]
            pub fn unencodable(self) -> Option<u32> {
                match self {
                    $($(#[cfg($other_cfg)])? Self::$other(value) => Some(value.into()),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for StreamErrorKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($(#[cfg($cfg)])? Self::$ill_formed(kind) => kind.fmt(f),)*
                    $($(#[cfg($other_cfg)])? Self::$other(value) => {
                        write!(f, concat!($before, " U+{:04X}", $after), u32::from(*value))
                    })*
                }
            }
        }

        impl fmt::Display for StreamError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let encoding = match self.kind {
                    $($(#[cfg($cfg)])? StreamErrorKind::$ill_formed(_) => $encoding,)*
                    $($(#[cfg($other_cfg)])? StreamErrorKind::$other(value) => {
                        let number = u32::from(value);
                        return write!(f, concat!($before, " U+{:04X} at byte {}", $after), number, self.offset);
                    })*
                };
                write!(f, "invalid {encoding} at byte {}: {}", self.offset, self.kind)
            }
        }

        $(
            $(#[cfg($cfg)])?
            impl From<crate::report::$error> for StreamError {
                /// Returns the same error, counted in bytes, as if the validated text were a stream.
                fn from(error: crate::report::$error) -> Self {
                    $(let error = error.$in_bytes();)?
                    Self {
                        offset: error.valid_up_to() as u64,
                        error_len: error.error_len().unwrap_or(0) as u8,
                        kind: StreamErrorKind::$ill_formed(error.kind()),
                    }
                }
            }
        )*
    };
}

/// The first place of a stream that is ill-formed, or that the target encoding does not have: its position, its length, and
/// its kind.
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
    pub(super) offset: u64,
    /// 0 stands for "the input ends here": `error_len` of `None`.
    pub(super) error_len: u8,
    pub(super) kind: StreamErrorKind,
}

impl StreamError {
    /// The error of the first `len` bytes.
    pub(in crate::stream) fn at_start(kind: StreamErrorKind, len: usize) -> Self {
        Self { offset: 0, error_len: len as u8, kind }
    }

    /// The error of a low surrogate of WTF-8 after a high one.
    pub(in crate::stream) fn second_surrogate() -> Self {
        cfg_if::cfg_if! {
            if #[cfg(feature = "wtf8")] {
                Wtf8Error::new(0, 3, Wtf8ErrorKind::SurrogatePair).into()
            } else {
                unreachable!("only WTF-8 has surrogates")
            }
        }
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

    /// Returns how many bytes to skip to resume after the ill-formed sequence (UTF-8: 1 to 3, UTF-16: 2, UTF-32: 4) or after
    /// the character that the target does not have. Returns `None` if the input ends inside a character. Of text in chunks, only
    /// [`finish`](crate::stream::Validator::finish) reports that; functions for whole texts report it at once.
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

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> StreamErrorKind {
        self.kind
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

#[cfg(feature = "alloc")]
impl From<FromUtf8Error> for StreamError {
    /// Returns the same error without the bytes, as if the validated text were a stream.
    fn from(error: FromUtf8Error) -> Self {
        error.utf8_error().into()
    }
}

#[cfg(feature = "std")]
impl From<StreamError> for std::io::Error {
    /// Returns an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains this one.
    fn from(error: StreamError) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, error)
    }
}
