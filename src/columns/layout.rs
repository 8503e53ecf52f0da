//! The layout of a column: one buffer of values, one of offsets, and which rows are null. It is checked once, here, so that
//! no other file of the module can meet a row outside of the values.

use core::fmt;
use core::ops::RangeBounds;

use super::layout_error::{LayoutError, LayoutErrorKind};
use super::validity::{Validity, rows_of};
use crate::isa::Isa;

mod sealed {
    /// What the module needs to know of a type of offsets.
    pub trait Sealed: Copy + Ord + Send + Sync + 'static {
        const ZERO: Self;
        /// The largest offset, as far as a `usize` can hold it.
        const MAX: usize;
        /// The offset, if it is not negative and a `usize` holds it.
        fn get(self) -> Option<usize>;
        /// The low bits of an offset that has been checked.
        fn low(self) -> usize;
        /// An offset that is at most `MAX`.
        fn of(at: usize) -> Self;
    }
}
pub(super) use sealed::Sealed;

/// A type of offsets: `i32`, `i64`, `u32`, `u64` or `usize`. It cannot be implemented for others.
///
/// ```
/// use fastutf::columns::Column;
///
/// assert!(Column::new(b"ab", &[0i32, 1, 2]).is_ok());
/// assert!(Column::new(b"ab", &[0u64, 1, 2]).is_ok());
/// ```
pub trait Offset: Sealed + fmt::Debug {}

macro_rules! offsets {
    ($($ty:ty)*) => {$(
        impl Sealed for $ty {
            const ZERO: Self = 0;
            const MAX: usize = {
                // Both are less than 2^64.
                let (max, most) = (<$ty>::MAX as u64, usize::MAX as u64);
                if max < most { max as usize } else { usize::MAX }
            };

            #[inline(always)]
            fn get(self) -> Option<usize> {
                usize::try_from(self).ok()
            }

            #[inline(always)]
            fn low(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn of(at: usize) -> Self {
                at as Self
            }
        }

        impl Offset for $ty {}
    )*};
}
offsets!(i32 i64 u32 u64 usize);
// For tests of offsets that are too large, without gigabytes of values.
#[cfg(test)]
offsets!(u8);

/// Rows of bytes in one buffer: row `i` is `values[offsets[i]..offsets[i + 1]]`.
///
/// The first offset need not be 0, nor the last one the length of the values: a [`slice`](Self::slice) of a longer column is a
/// column.
/// The layout is checked when the column is made, so that no function of this module fails because of it.
///
/// ```
/// use fastutf::columns::{self, Column};
///
/// let column = Column::new("zł€".as_bytes(), &[0i32, 1, 3, 6])?;
/// assert_eq!(column.rows(), 3);
/// assert_eq!(column.row(1), Some("ł".as_bytes()));
/// assert!(columns::validate_utf8(column).is_ok());
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Column<'a, O> {
    values: &'a [u8],
    offsets: &'a [O],
    validity: Option<Validity<'a>>,
    isa: Isa,
}

impl<'a, O: Offset> Column<'a, O> {
    /// Checks the layout: for n rows there are n + 1 offsets, which are not negative, do not run backwards and do not
    /// exceed the length of `values`, in bytes. For UTF-16, too, offsets are in bytes.
    ///
    /// # Errors
    ///
    /// The first row that breaks one of these rules, and which.
    ///
    /// ```
    /// use fastutf::columns::{Column, LayoutErrorKind};
    ///
    /// let error = Column::new(b"abc", &[0i32, 2, 1, 3]).unwrap_err();
    /// assert_eq!((error.row, error.kind), (1, LayoutErrorKind::Backwards));
    /// let error = Column::new(b"abc", &[0i32, 2, 4]).unwrap_err();
    /// assert_eq!((error.row, error.kind), (1, LayoutErrorKind::OutOfBounds));
    /// ```
    pub fn new(values: &'a [u8], offsets: &'a [O]) -> Result<Self, LayoutError> {
        let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else {
            return Err(LayoutError { row: 0, kind: LayoutErrorKind::NoOffsets });
        };
        // Without a branch in it, this loop is vectorised.
        let mut backwards = false;
        for (from, to) in offsets.iter().zip(&offsets[1..]) {
            backwards |= from > to;
        }
        if backwards || first < O::ZERO || last.get().is_none_or(|last| last > values.len()) {
            return Err(layout_error(values, offsets));
        }
        Ok(Self { values, offsets, validity: None, isa: Isa::best() })
    }

    /// Says which rows are null. The bytes of a null row are never an error, and never read as text.
    ///
    /// # Errors
    ///
    /// [`WrongNumberOfRows`](LayoutErrorKind::WrongNumberOfRows), if `validity` has not exactly as many rows.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Validity};
    ///
    /// let column = Column::new(b"a\xFFb", &[0i32, 1, 2, 3])?;
    /// assert_eq!(columns::validate_utf8(column).unwrap_err().row, 1);
    /// let column = column.with_validity(Validity::new(&[0b101], 0, 3)?)?;
    /// assert!(columns::validate_utf8(column).is_ok());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    pub fn with_validity(self, validity: Validity<'a>) -> Result<Self, LayoutError> {
        if validity.rows() != self.rows() {
            let row = validity.rows().min(self.rows());
            return Err(LayoutError { row, kind: LayoutErrorKind::WrongNumberOfRows });
        }
        Ok(Self { validity: Some(validity), ..self })
    }

    /// The same column without a validity bitmap: no row is null.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Validity};
    ///
    /// let column = Column::new(b"a\xFF", &[0i32, 1, 2])?.with_validity(Validity::new(&[0b01], 0, 2)?)?;
    /// assert_eq!(column.row(1), None);
    /// assert_eq!(column.without_validity().row(1), Some(&b"\xFF"[..]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    #[must_use]
    pub fn without_validity(self) -> Self {
        Self { validity: None, ..self }
    }

    /// Uses this instruction set instead of the best one.
    ///
    /// ```
    /// use fastutf::Isa;
    /// use fastutf::columns::{self, Column};
    ///
    /// let column = Column::new(b"ab", &[0i32, 1, 2])?.with_isa(Isa::SCALAR);
    /// assert!(columns::validate_utf8(column).is_ok());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// Returns some of the rows as a column. The layout is not checked again, so this takes no time: after
    /// [`OutputFull`](crate::Stop::OutputFull), `column.slice(out.rows..)` are the rows to go on with.
    ///
    /// # Panics
    ///
    /// If there are no such rows.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let mut column = Column::new("złoty€".as_bytes(), &[0i32, 3, 6, 9])?;
    /// assert_eq!(column.slice(1..).row(0), Some("oty".as_bytes()));
    ///
    /// // Any column, in memory for 8 bytes and 2 rows.
    /// let (mut values, mut offsets, mut utf16) = ([0; 8], [0i32; 3], Vec::new());
    /// while column.rows() > 0 {
    ///     let out = columns::utf8_to_utf16le_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
    ///     assert!(out.error().is_none() && out.rows > 0, "ill-formed, or longer than 8 bytes");
    ///     utf16.extend_from_slice(&values[..out.written]);
    ///     column = column.slice(out.rows..);
    /// }
    /// assert_eq!(utf16, fastutf::to_utf16le("złoty€"));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn slice(self, rows: impl RangeBounds<usize>) -> Self {
        let rows = rows_of(rows, self.rows());
        let validity = self.validity.map(|validity| validity.slice(rows.clone()));
        Self { offsets: &self.offsets[rows.start..=rows.end], validity, ..self }
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// # use fastutf::columns::Column;
    /// assert_eq!(Column::new(b"ab", &[0u32, 1, 2]).unwrap().rows(), 2);
    /// ```
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the bytes of a row, or `None` if it is null or if there is no such row.
    ///
    /// ```
    /// # use fastutf::columns::Column;
    /// let column = Column::new(b"abc", &[0u32, 1, 3]).unwrap();
    /// assert_eq!(column.row(1), Some(&b"bc"[..]));
    /// assert_eq!(column.row(2), None);
    /// ```
    #[must_use]
    pub fn row(&self, row: usize) -> Option<&'a [u8]> {
        if row >= self.rows() || self.validity.is_some_and(|validity| !validity.is_valid(row)) {
            return None;
        }
        Some(&self.values[self.offsets[row].low()..self.offsets[row + 1].low()])
    }

    /// Returns the buffer of values.
    ///
    /// ```
    /// # use fastutf::columns::Column;
    /// assert_eq!(Column::new(b"ab", &[1u32, 2]).unwrap().values(), b"ab");
    /// ```
    #[must_use]
    pub fn values(&self) -> &'a [u8] {
        self.values
    }

    /// Returns the offsets, one more than there are rows.
    ///
    /// ```
    /// # use fastutf::columns::Column;
    /// assert_eq!(Column::new(b"ab", &[1u32, 2]).unwrap().offsets(), [1, 2]);
    /// ```
    #[must_use]
    pub fn offsets(&self) -> &'a [O] {
        self.offsets
    }

    /// Returns the validity bitmap, if there is one.
    ///
    /// ```
    /// # use fastutf::columns::Column;
    /// assert!(Column::new(b"ab", &[1u32, 2]).unwrap().validity().is_none());
    /// ```
    #[must_use]
    pub fn validity(&self) -> Option<Validity<'a>> {
        self.validity
    }

    /// Returns the instruction set in use.
    ///
    /// ```
    /// # use fastutf::{Isa, columns::Column};
    /// assert_eq!(Column::new(b"ab", &[1u32, 2]).unwrap().isa(), Isa::best());
    /// ```
    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa
    }
}

impl<O: Offset> fmt::Debug for Column<'_, O> {
    /// The lengths only: a column may have millions of rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column")
            .field("rows", &self.rows())
            .field("values", &format_args!("[{} bytes]", self.values.len()))
            .field("validity", &self.validity)
            .field("isa", &self.isa)
            .finish()
    }
}

/// The first row that breaks a rule.
#[cold]
#[inline(never)]
fn layout_error<O: Offset>(values: &[u8], offsets: &[O]) -> LayoutError {
    let mut before = offsets[0];
    if before < O::ZERO {
        return LayoutError { row: 0, kind: LayoutErrorKind::Negative };
    }
    for (at, &offset) in offsets.iter().enumerate() {
        let kind = if offset < O::ZERO {
            LayoutErrorKind::Negative
        } else if offset < before {
            LayoutErrorKind::Backwards
        } else if offset.get().is_none_or(|offset| offset > values.len()) {
            LayoutErrorKind::OutOfBounds
        } else {
            before = offset;
            continue;
        };
        // An offset is the end of the row before it; only the first one is no end.
        return LayoutError { row: at.saturating_sub(1), kind };
    }
    unreachable!("a layout that breaks no rule was refused")
}
