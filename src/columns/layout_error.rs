//! What is wrong with the layout of a column.

use core::fmt;

/// Why a layout was rejected, and the first row concerned.
///
/// ```
/// use fastutf::columns::{Column, LayoutErrorKind};
///
/// let error = Column::new(b"abc", &[0, 1, -2, 3]).unwrap_err();
/// assert_eq!((error.row, error.kind), (1, LayoutErrorKind::Negative));
/// assert_eq!(error.to_string(), "row 1: negative offset");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LayoutError {
    /// The row, counted from 0.
    pub row: usize,
    /// What is wrong with it.
    pub kind: LayoutErrorKind,
}

impl LayoutError {
    pub(super) const fn new(row: usize, kind: LayoutErrorKind) -> Self {
        Self { row, kind }
    }
}

/// What is wrong with a layout.
///
/// ```
/// use fastutf::columns::{Column, LayoutErrorKind};
///
/// assert_eq!(Column::<i32>::new(b"", &[]).unwrap_err().kind, LayoutErrorKind::NoOffsets);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LayoutErrorKind {
    /// There is no offset at all; a column without rows has one.
    NoOffsets,
    /// An offset is negative.
    Negative,
    /// The row ends before it starts.
    Backwards,
    /// The row ends, or starts, after the end of the values or of its buffer.
    OutOfBounds,
    /// The validity bitmap has fewer rows than the column, or more.
    WrongNumberOfRows,
    /// The validity bitmap has fewer bits than rows.
    ValidityTooShort,
    /// A view names a buffer that does not exist.
    NoSuchBuffer,
    /// The prefix in a view is not the start of the text that it points to.
    WrongPrefix,
    /// The bytes of a view after its inline text are not zero.
    Padding,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            LayoutErrorKind::NoOffsets => "no offsets",
            LayoutErrorKind::Negative => "negative offset",
            LayoutErrorKind::Backwards => "the row ends before it starts",
            LayoutErrorKind::OutOfBounds => "the row is not within the values",
            LayoutErrorKind::WrongNumberOfRows => "column and validity bitmap differ in their number of rows",
            LayoutErrorKind::ValidityTooShort => "the validity bitmap has no bit for the row",
            LayoutErrorKind::NoSuchBuffer => "the view names a buffer that does not exist",
            LayoutErrorKind::WrongPrefix => "the view's prefix is not the start of its text",
            LayoutErrorKind::Padding => "the view's padding is not zero",
        };
        write!(f, "row {}: {what}", self.row)
    }
}

impl core::error::Error for LayoutError {}
