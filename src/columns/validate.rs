//! Validation: every row by itself.

use super::error::RowError;
use super::layout::{Column, Offset};
use super::text::{Form, Text};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::{Utf8Error, Utf16Error};

/// Checks that each row that is not null is well-formed UTF-8 by itself.
///
/// # Errors
///
/// The first ill-formed row, and the error that [`validate_utf8`](fn@crate::validate_utf8) has for it.
///
/// ```
/// use fastutf::columns::{self, Column};
///
/// let column = Column::new("złoty".as_bytes(), &[0i32, 3, 6])?;
/// assert!(columns::validate_utf8(column).is_ok());
/// // The second row starts inside of "ł".
/// let column = Column::new("złoty".as_bytes(), &[0i32, 2, 6])?;
/// assert_eq!(columns::validate_utf8(column).unwrap_err().row, 0);
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub fn validate_utf8<O: Offset>(column: Column<'_, O>) -> Result<(), RowError<Utf8Error>> {
    validate(column, Form::Utf8, Isa::validate_utf8)
}

/// Checks that each row that is not null is well-formed UTF-16LE by itself.
///
/// # Errors
///
/// The first ill-formed row, and the error, in bytes, that [`validate_utf16le`](fn@crate::validate_utf16le) has for it.
///
/// ```
/// use fastutf::columns::{self, Column};
///
/// // The two halves of a surrogate pair are no text by themselves.
/// let column = Column::new(b"a\0\x3D\xD8\x00\xDE", &[0i32, 2, 6])?;
/// assert!(columns::validate_utf16le(column).is_ok());
/// let column = Column::new(b"a\0\x3D\xD8\x00\xDE", &[0i32, 4, 6])?;
/// let error = columns::validate_utf16le(column).unwrap_err();
/// assert_eq!((error.row, error.error.valid_up_to()), (0, 2));
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub fn validate_utf16le<O: Offset>(column: Column<'_, O>) -> Result<(), RowError<Utf16Error>> {
    validate(column, Form::Utf16(ByteOrder::Little), Isa::validate_utf16le)
}

/// Checks that each row that is not null is well-formed UTF-16BE by itself.
///
/// # Errors
///
/// The first ill-formed row, and the error, in bytes, that [`validate_utf16be`](fn@crate::validate_utf16be) has for it.
///
/// ```
/// use fastutf::columns::{self, Column};
///
/// let column = Column::new(b"\0a\xD8\x3D\xDE\x00", &[0i32, 2, 6])?;
/// assert!(columns::validate_utf16be(column).is_ok());
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub fn validate_utf16be<O: Offset>(column: Column<'_, O>) -> Result<(), RowError<Utf16Error>> {
    validate(column, Form::Utf16(ByteOrder::Big), Isa::validate_utf16be)
}

/// `validate` gives the error of a row that is ill-formed.
fn validate<O: Offset, E>(
    column: Column<'_, O>,
    encoding: Form,
    validate: impl Fn(Isa, &[u8]) -> Result<(), E>,
) -> Result<(), RowError<E>> {
    match Text::of(&column).first_ill_formed(encoding) {
        Some(row) => Err(RowError::of(&column, row, validate)),
        None => Ok(()),
    }
}
