//! Why a text cannot become Latin-1.

use core::fmt;

#[cfg(feature = "utf32")]
use crate::report::Utf32Error;
use crate::report::{InUnits, OffsetUnit, Utf8Error, Utf16Error};

/// The first character of a text that Latin-1 does not have, and where it is.
///
/// Offsets and lengths are in units of the input: **code units** for functions that take `&[u16]` or `&[u32]`, otherwise
/// **bytes**.
/// The `Display` text says which.
///
/// ```
/// let error = fastutf::latin1::to_latin1("5 €").unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len(), error.character()), (2, 3, '€'));
/// assert_eq!(error.to_string(), "character U+20AC at byte 2 is not in latin-1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NotLatin1Error {
    valid_up_to: usize,
    character: char,
    /// The length of a code unit in bytes.
    unit_len: u8,
    /// How many bytes count as one: `unit_len` or 1.
    counted: u8,
}

impl NotLatin1Error {
    pub(crate) const fn in_utf8(valid_up_to: usize, character: char) -> Self {
        Self { valid_up_to, character, unit_len: 1, counted: 1 }
    }

    /// `valid_up_to` is in bytes.
    pub(crate) const fn in_utf16(valid_up_to: usize, character: char) -> Self {
        Self { valid_up_to, character, unit_len: 2, counted: 1 }
    }

    /// `valid_up_to` is in bytes.
    #[cfg(feature = "utf32")]
    pub(crate) const fn in_utf32(valid_up_to: usize, character: char) -> Self {
        Self { valid_up_to, character, unit_len: 4, counted: 1 }
    }

    /// An error in bytes, counted in code units.
    const fn in_units(self) -> Self {
        Self { valid_up_to: self.valid_up_to / self.unit_len as usize, counted: self.unit_len, ..self }
    }

    /// An error in any text, counted in bytes.
    pub(crate) const fn in_bytes(self) -> Self {
        Self { valid_up_to: self.valid_up_to * self.counted as usize, counted: 1, ..self }
    }

    /// Returns the offset of the character. Everything before it is in Latin-1.
    ///
    /// ```
    /// assert_eq!(fastutf::latin1::to_latin1("é €").unwrap_err().valid_up_to(), 3);
    /// ```
    #[must_use]
    pub const fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// Returns the length of the character in the input: how far to skip to resume after it.
    ///
    /// ```
    /// assert_eq!(fastutf::latin1::to_latin1("é €").unwrap_err().error_len(), 3);
    /// ```
    #[must_use]
    pub const fn error_len(&self) -> usize {
        let units = match self.unit_len {
            1 => self.character.len_utf8(),
            2 => self.character.len_utf16(),
            _ => 1,
        };
        units * (self.unit_len / self.counted) as usize
    }

    /// Returns what [`valid_up_to`](Self::valid_up_to) and [`error_len`](Self::error_len) count: code units for `&[u16]` and
    /// `&[u32]` input, bytes for any other.
    ///
    /// ```
    /// use fastutf::{OffsetUnit, latin1};
    ///
    /// assert_eq!(latin1::to_latin1("é €").unwrap_err().unit(), OffsetUnit::Bytes);
    /// ```
    #[must_use]
    pub const fn unit(&self) -> OffsetUnit {
        if self.counted > 1 { OffsetUnit::CodeUnits } else { OffsetUnit::Bytes }
    }

    /// Returns the character, which is above U+00FF.
    ///
    /// ```
    /// assert_eq!(fastutf::latin1::to_latin1("é €").unwrap_err().character(), '€');
    /// ```
    #[must_use]
    pub const fn character(&self) -> char {
        self.character
    }
}

impl fmt::Display for NotLatin1Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "character U+{:04X} at {} {} is not in latin-1",
            u32::from(self.character),
            self.unit().one(),
            self.valid_up_to
        )
    }
}

error!(NotLatin1Error: valid_up_to, error_len, character, unit);

/// Why bytes or code units cannot become Latin-1, and where: the first character that Latin-1 does not have, or the first
/// ill-formed place. The error of the latter is `E`: [`Utf8Error`], [`Utf16Error`] or, with the feature `utf32`, `Utf32Error`.
///
/// ```
/// use fastutf::{Utf8ErrorKind, latin1::ToLatin1Error};
///
/// let error = |src: &[u8]| fastutf::latin1::validate_latin1_in_utf8(src).unwrap_err();
/// match error("5 €".as_bytes()) {
///     ToLatin1Error::NotLatin1(error) => assert_eq!((error.valid_up_to(), error.character()), (2, '€')),
///     ToLatin1Error::IllFormed(_) => unreachable!(),
/// }
/// match error(b"ab\xC3") {
///     ToLatin1Error::NotLatin1(_) => unreachable!(),
///     ToLatin1Error::IllFormed(error) => assert_eq!(error.kind(), Utf8ErrorKind::Incomplete),
/// }
/// assert_eq!(error(b"ab\xFF").valid_up_to(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToLatin1Error<E> {
    /// A character above U+00FF.
    NotLatin1(NotLatin1Error),
    /// An ill-formed place.
    IllFormed(E),
}

macro_rules! offset {
    ($error:ty) => {
        impl ToLatin1Error<$error> {
            /// Returns the offset of the character or of the ill-formed place. Everything before it is in Latin-1.
            ///
            /// ```
            /// let error = fastutf::latin1::validate_latin1_in_utf16(&[0xE9, 0x20AC]).unwrap_err();
            /// assert_eq!(error.valid_up_to(), 1);
            /// ```
            #[must_use]
            pub const fn valid_up_to(&self) -> usize {
                match self {
                    Self::NotLatin1(error) => error.valid_up_to(),
                    Self::IllFormed(error) => error.valid_up_to(),
                }
            }
        }
    };
}
offset!(Utf8Error);
offset!(Utf16Error);
#[cfg(feature = "utf32")]
offset!(Utf32Error);

either!(ToLatin1Error: NotLatin1);

impl<E: InUnits> InUnits for ToLatin1Error<E> {
    #[cold]
    #[inline(never)]
    fn in_units(self) -> Self {
        match self {
            Self::NotLatin1(error) => Self::NotLatin1(error.in_units()),
            Self::IllFormed(error) => Self::IllFormed(error.in_units()),
        }
    }
}
