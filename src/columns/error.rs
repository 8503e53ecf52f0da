//! What operations on columns report: a row and its error.

use core::fmt;

use super::layout::{Column, Offset};
use crate::isa::Isa;

/// The first ill-formed row, and the error inside it.
///
/// ```
/// use fastutf::Utf8ErrorKind;
/// use fastutf::columns::{self, Column};
///
/// // "é" is well-formed, but not if it belongs to two rows.
/// let column = Column::new(b"caf\xC3\xA9lait", &[0i32, 4, 9])?;
/// let error = columns::validate_utf8(column).unwrap_err();
/// assert_eq!((error.row, error.error.valid_up_to()), (0, 3));
/// assert_eq!(error.error.kind(), Utf8ErrorKind::Incomplete);
/// assert_eq!(error.to_string(), "row 0: invalid utf-8 at byte 3: incomplete sequence at end of input");
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RowError<E> {
    /// The row, counted from 0.
    pub row: usize,
    /// The error that the row has by itself; its offset, in bytes, counts from the start of the row.
    pub error: E,
}

impl<E> RowError<E> {
    /// The error of a row that is ill-formed.
    #[cold]
    #[inline(never)]
    pub(super) fn of<O: Offset>(
        column: &Column<'_, O>,
        row: usize,
        validate: impl Fn(Isa, &[u8]) -> Result<(), E>,
    ) -> Self {
        match column.row(row).map(|bytes| validate(column.isa(), bytes)) {
            Some(Err(error)) => Self { row, error },
            _ => unreachable!("row {row} was found to be ill-formed"),
        }
    }
}

impl<E: fmt::Display> fmt::Display for RowError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}: {}", self.row, self.error)
    }
}

impl<E: core::error::Error + 'static> core::error::Error for RowError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Why a column was not converted. The caller's vectors are then unchanged.
///
/// ```
/// use fastutf::columns::{self, Column, ColumnError, Policy};
///
/// let column = Column::new(b"a\0\0\xDC", &[0i32, 2, 4])?;
/// let error = columns::utf16le_to_utf8::<_, i32>(column, Policy::Error).unwrap_err();
/// let ColumnError::IllFormed(error) = error else { panic!() };
/// assert_eq!((error.row, error.error.valid_up_to()), (1, 0));
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColumnError<E> {
    /// A row is ill-formed, and the policy is [`Policy::Error`](super::Policy::Error).
    IllFormed(RowError<E>),
    /// The row ends, in the output, beyond the largest offset of its type.
    TooLong {
        /// The first such row, counted from 0.
        row: usize,
    },
    /// The offsets to append to do not end where the values do.
    Misplaced,
}

#[cfg(feature = "alloc")]
impl<E: fmt::Display> fmt::Display for ColumnError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllFormed(error) => error.fmt(f),
            Self::TooLong { row } => {
                write!(f, "row {row}: the output is longer than its type of offsets can say")
            }
            Self::Misplaced => f.write_str("the offsets to append to do not end where the values do"),
        }
    }
}

#[cfg(feature = "alloc")]
impl<E: core::error::Error + 'static> core::error::Error for ColumnError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::IllFormed(error) => Some(error),
            _ => None,
        }
    }
}
