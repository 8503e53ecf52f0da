//! What is wrong with a row.

use core::fmt;

use arrow_schema::ArrowError;
use fastutf::columns::{ColumnError, LayoutError};
use fastutf::stream::Encoding;
use fastutf::{Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};

/// An ill-formed row of an array, and the first place in it. It is inside of [`ArrowError::ExternalError`].
///
/// ```
/// use arrow_array::BinaryArray;
/// use fastutf_arrow::{Encoding, errors};
///
/// let bytes = BinaryArray::from(vec![b"fine".as_slice(), b"not \xFF"]);
/// let errors = errors(&bytes, Encoding::Utf8)?;
/// assert_eq!(errors[0].to_string(), "row 1, byte 4: invalid lead byte");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextError {
    /// The row of the array, counted from 0.
    pub row: usize,
    /// Where the ill-formed sequence starts, in bytes from the start of the row, for UTF-16 as well.
    pub offset: usize,
    /// What is wrong there.
    pub kind: TextErrorKind,
}

/// What is wrong with a row. Its `Display` text is what the SQL functions say, too.
///
/// ```
/// use fastutf_arrow::TextErrorKind;
///
/// assert_eq!(TextErrorKind::Utf8(fastutf::Utf8ErrorKind::Overlong).to_string(), "overlong encoding");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// Ill-formed UTF-8.
    Utf8(Utf8ErrorKind),
    /// Ill-formed UTF-16.
    Utf16(Utf16ErrorKind),
    /// The row ends, in the output, beyond what its type of offsets can say.
    TooLong,
}

impl TextError {
    pub(crate) fn too_long(row: usize) -> Self {
        Self { row, offset: 0, kind: TextErrorKind::TooLong }
    }

    pub(crate) fn utf8(row: usize, error: &Utf8Error) -> Self {
        Self { row, offset: error.valid_up_to(), kind: TextErrorKind::Utf8(error.kind()) }
    }

    pub(crate) fn utf16(row: usize, error: &Utf16Error) -> Self {
        Self { row, offset: error.valid_up_to(), kind: TextErrorKind::Utf16(error.kind()) }
    }
}

impl fmt::Display for TextErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf8(kind) => kind.fmt(f),
            Self::Utf16(kind) => kind.fmt(f),
            Self::TooLong => f.write_str("the output is longer than its type of offsets can say"),
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TextErrorKind::TooLong => write!(f, "row {}: {}", self.row, self.kind),
            _ => write!(f, "row {}, byte {}: {}", self.row, self.offset, self.kind),
        }
    }
}

impl std::error::Error for TextError {}

impl From<TextError> for ArrowError {
    fn from(error: TextError) -> Self {
        Self::ExternalError(Box::new(error))
    }
}

/// An error of fastutf's columns, of which the first row is `base`.
pub(crate) trait IntoTextError {
    fn at(&self, row: usize) -> TextError;
}

impl IntoTextError for Utf8Error {
    fn at(&self, row: usize) -> TextError {
        TextError::utf8(row, self)
    }
}

impl IntoTextError for Utf16Error {
    fn at(&self, row: usize) -> TextError {
        TextError::utf16(row, self)
    }
}

pub(crate) fn column_error<E: IntoTextError>(base: usize, error: &ColumnError<E>) -> TextError {
    match error {
        ColumnError::IllFormed(error) => error.error.at(base + error.row),
        ColumnError::TooLong { row } => TextError::too_long(base + row),
        _ => unreachable!("the vectors to append to belong together"),
    }
}

/// An array that says what cannot be.
pub(crate) fn layout(error: LayoutError) -> ArrowError {
    ArrowError::InvalidArgumentError(error.to_string())
}

pub(crate) fn unknown(encoding: Encoding) -> ArrowError {
    ArrowError::NotYetImplemented(format!("arrays in {encoding}"))
}

/// The error of a row by itself, if it is ill-formed.
pub(crate) fn of_row(bytes: &[u8], row: usize, encoding: Encoding) -> Result<Option<TextError>, ArrowError> {
    Ok(match encoding {
        Encoding::Utf8 => fastutf::validate_utf8(bytes).err().map(|error| error.at(row)),
        Encoding::Utf16Le => fastutf::validate_utf16le(bytes).err().map(|error| error.at(row)),
        Encoding::Utf16Be => fastutf::validate_utf16be(bytes).err().map(|error| error.at(row)),
        _ => return Err(unknown(encoding)),
    })
}
