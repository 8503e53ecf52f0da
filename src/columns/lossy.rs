//! UTF-8 columns repaired, without a copy if there is nothing to repair.

use super::append::Policy;
use super::convert::{ColumnBuf, utf8_to_utf8};
use super::error::ColumnError;
use super::layout::{Column, Offset};
use super::text::{Form, Text};
use super::vectors::Outcome;
use crate::report::Utf8Error;

/// A column as it came, or a repaired copy.
///
/// ```
/// use fastutf::columns::{self, Column, CowColumn};
///
/// let column = Column::new(b"ab", &[0i32, 1, 2])?;
/// assert!(matches!(columns::utf8_lossy(column), Ok(CowColumn::Borrowed(_))));
/// let column = Column::new(b"a\xFF", &[0i32, 1, 2])?;
/// assert!(matches!(columns::utf8_lossy(column), Ok(CowColumn::Owned(_))));
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub enum CowColumn<'a, O: Offset> {
    /// The column itself: every row that is not null is well-formed.
    Borrowed(Column<'a, O>),
    /// A copy in which ill-formed rows are repaired, or null, and null rows are empty.
    Owned(ColumnBuf<O>),
}

impl<O: Offset> CowColumn<'_, O> {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Borrowed(column) => column.rows(),
            Self::Owned(column) => column.offsets.len() - 1,
        }
    }

    /// Returns the bytes of all rows, and those before and after them.
    #[must_use]
    pub fn values(&self) -> &[u8] {
        match self {
            Self::Borrowed(column) => column.values(),
            Self::Owned(column) => &column.values,
        }
    }

    /// Returns the offsets, one more than there are rows.
    #[must_use]
    pub fn offsets(&self) -> &[O] {
        match self {
            Self::Borrowed(column) => column.offsets(),
            Self::Owned(column) => &column.offsets,
        }
    }

    /// Returns what was replaced: nothing, if the column is borrowed.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Borrowed(_) => Outcome::default(),
            Self::Owned(column) => column.outcome.clone(),
        }
    }
}

/// Returns a column whose rows are all well-formed UTF-8, with U+FFFD in place of ill-formed sequences:
/// [`from_utf8_lossy`](fn@crate::from_utf8_lossy) for each row. Nothing is copied if all rows are well-formed.
///
/// # Errors
///
/// [`ColumnError::TooLong`] and the first row that ends beyond the largest `O`, as U+FFFD may be longer than what it
/// replaces.
///
/// ```
/// use fastutf::columns::{self, Column};
///
/// let column = Column::new(b"caf\xC3\xA9lait", &[0i32, 4, 9])?;
/// let out = columns::utf8_lossy(column).unwrap();
/// assert_eq!(out.values(), "caf\u{FFFD}\u{FFFD}lait".as_bytes());
/// assert_eq!((out.offsets(), out.outcome().replacements), (&[0, 6, 13][..], 2));
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub fn utf8_lossy<O: Offset>(column: Column<'_, O>) -> Result<CowColumn<'_, O>, ColumnError<Utf8Error>> {
    repaired(column, Policy::Replace)
}

/// Returns a column whose rows are all well-formed UTF-8 or null. Nothing is copied if no row becomes null.
///
/// # Errors
///
/// None: the output is not longer than the input. The type is that of [`utf8_lossy`].
///
/// ```
/// use fastutf::columns::{self, Column};
///
/// let column = Column::new(b"caf\xC3\xA9lait!", &[0i32, 4, 9, 10])?;
/// let out = columns::utf8_or_null(column).unwrap();
/// assert_eq!((out.values(), out.offsets()), (&b"!"[..], &[0, 0, 0, 1][..]));
/// assert_eq!(out.outcome().validity.unwrap().as_bytes(), [0b100]);
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub fn utf8_or_null<O: Offset>(column: Column<'_, O>) -> Result<CowColumn<'_, O>, ColumnError<Utf8Error>> {
    repaired(column, Policy::Null)
}

fn repaired<O: Offset>(column: Column<'_, O>, policy: Policy) -> Result<CowColumn<'_, O>, ColumnError<Utf8Error>> {
    if Text::of(&column).first_ill_formed(Form::Utf8).is_none() {
        return Ok(CowColumn::Borrowed(column));
    }
    utf8_to_utf8(column, policy).map(CowColumn::Owned)
}
