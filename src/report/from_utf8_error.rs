//! Bytes that are not UTF-8, with the error.

use alloc::vec::Vec;
use core::fmt;

use super::Utf8Error;

/// The error of [`string_from_utf8`](crate::string_from_utf8), which gives back the bytes that were passed in.
///
/// ```
/// let error = fastutf::string_from_utf8(b"a\xFF".to_vec()).unwrap_err();
/// assert_eq!(error.utf8_error().valid_up_to(), 1);
/// assert_eq!(error.as_bytes(), b"a\xFF");
/// assert_eq!(error.into_bytes(), b"a\xFF".to_vec());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromUtf8Error {
    pub(crate) bytes: Vec<u8>,
    pub(crate) error: Utf8Error,
}

impl FromUtf8Error {
    /// Returns the bytes that were passed in.
    ///
    /// ```
    /// let error = fastutf::string_from_utf8(b"a\xFF".to_vec()).unwrap_err();
    /// assert_eq!(error.as_bytes(), b"a\xFF");
    /// ```
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes that were passed in, in their own allocation.
    ///
    /// ```
    /// let error = fastutf::string_from_utf8(b"a\xFF".to_vec()).unwrap_err();
    /// assert_eq!(error.into_bytes(), b"a\xFF".to_vec());
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the error: its position, length and kind.
    ///
    /// ```
    /// let error = fastutf::string_from_utf8(b"a\xFF".to_vec()).unwrap_err();
    /// assert_eq!(error.utf8_error().valid_up_to(), 1);
    /// ```
    #[must_use]
    #[doc(alias = "error")]
    pub const fn utf8_error(&self) -> Utf8Error {
        self.error
    }
}

impl fmt::Display for FromUtf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for FromUtf8Error {}

impl From<FromUtf8Error> for Utf8Error {
    /// Returns the error without the bytes.
    fn from(error: FromUtf8Error) -> Self {
        error.error
    }
}

#[cfg(feature = "std")]
impl From<FromUtf8Error> for std::io::Error {
    /// Returns an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains the [`Utf8Error`].
    /// The bytes are dropped.
    fn from(error: FromUtf8Error) -> Self {
        error.error.into()
    }
}
