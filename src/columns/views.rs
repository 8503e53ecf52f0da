//! View columns: 16 bytes for each row, which have the text or say where it is.
//!
//! A view, as in Arrow, is in this machine's byte order: a `u32`, the length; then up to 12 bytes of text and zeros, or
//! the first 4 bytes of the text, a `u32`, the number of a buffer, and another, the offset there.

use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeBounds;

use super::append::{Direction, Policy};
use super::convert::ColumnBuf;
use super::error::ColumnError;
use super::error::RowError;
use super::layout::{Column, Offset};
use super::layout_error::{LayoutError, LayoutErrorKind};
use super::lengths::LengthError;
use super::text::Text;
use super::validity::{Validity, rows_of};
use super::vectors::{Failure, Outcome, append};
use crate::buffer::as_bytes;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::{Utf8Error, Utf16Error};

/// The maximum length of a text that is in its view.
const INLINE: usize = 12;
/// Where the text, or its prefix, starts in a view.
const TEXT: usize = 4;

/// What a view says.
#[derive(Clone, Copy)]
enum ViewParts {
    /// The length of the text, which is in the view.
    Inline(usize),
    Long {
        len: usize,
        buffer: usize,
        offset: usize,
    },
}

impl ViewParts {
    #[inline(always)]
    fn of(view: &[u8; 16]) -> Self {
        let number = |at: usize| u32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]) as usize;
        let len = number(0);
        if len <= INLINE { Self::Inline(len) } else { Self::Long { len, buffer: number(8), offset: number(12) } }
    }
}

/// A column of views: row `i` is in `views[i]`, or where that points to in one of the buffers.
///
/// A view is the 16 bytes of Arrow's `Utf8View` and `BinaryView` as one number, in this machine's byte order. The layout
/// is checked when the column is made.
///
/// ```
/// use fastutf::columns::{self, ViewColumn};
///
/// let views = [b"\x04\0\0\0z\xC5\x82o\0\0\0\0\0\0\0\0", b"\x0E\0\0\0long\0\0\0\0\x02\0\0\0"];
/// let views = views.map(|view| u128::from_le_bytes(*view)); // on a little-endian machine
/// # if cfg!(target_endian = "big") { return Ok(()) }
/// let column = ViewColumn::new(&views, &[b"..longer than 12"], None)?;
/// assert_eq!(column.row(0), Some("zło".as_bytes()));
/// assert_eq!(column.row(1), Some(&b"longer than 12"[..]));
/// assert!(columns::validate_utf8_views(column).is_ok());
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ViewColumn<'a> {
    views: &'a [[u8; 16]],
    buffers: &'a [&'a [u8]],
    validity: Option<Validity<'a>>,
    isa: Isa,
}

impl<'a> ViewColumn<'a> {
    /// Checks the layout: a text of more than 12 bytes is within an existing buffer and starts with the view's prefix; a
    /// shorter one is followed by zeros. The views of null rows may be anything.
    ///
    /// # Errors
    ///
    /// The first row that breaks one of these rules, and which; or that `validity` has not one bit for each view.
    ///
    /// ```
    /// use fastutf::columns::{LayoutErrorKind, ViewColumn};
    ///
    /// // More than 12 bytes, in a buffer that does not exist.
    /// assert_eq!(ViewColumn::new(&[u128::MAX], &[], None).unwrap_err().kind, LayoutErrorKind::NoSuchBuffer);
    /// ```
    pub fn new(
        views: &'a [u128],
        buffers: &'a [&'a [u8]],
        validity: Option<Validity<'a>>,
    ) -> Result<Self, LayoutError> {
        let views = as_bytes(views).as_chunks().0;
        if let Some(validity) = validity
            && validity.rows() != views.len()
        {
            let row = validity.rows().min(views.len());
            return Err(LayoutError::new(row, LayoutErrorKind::WrongNumberOfRows));
        }
        for (row, view) in views.iter().enumerate() {
            if let Err(kind) = text(view, buffers)
                && validity.is_none_or(|validity| validity.is_valid(row))
            {
                return Err(LayoutError::new(row, kind));
            }
        }
        Ok(Self { views, buffers, validity, isa: Isa::best() })
    }

    /// Uses this instruction set instead of the best one.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// Returns some of the rows as a column. The layout is not checked again, so this takes no time.
    ///
    /// # Panics
    ///
    /// If there are no such rows.
    ///
    /// ```
    /// use fastutf::columns::ViewColumn;
    ///
    /// let column = ViewColumn::new(&[0; 3], &[], None)?;
    /// assert_eq!(column.slice(1..).rows(), 2);
    /// # Ok::<(), fastutf::columns::LayoutError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn slice(self, rows: impl RangeBounds<usize>) -> Self {
        let rows = rows_of(rows, self.rows());
        let validity = self.validity.map(|validity| validity.slice(rows.clone()));
        Self { views: &self.views[rows], validity, ..self }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.views.len()
    }

    /// Returns the bytes of a row, or `None` if it is null or if there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<&'a [u8]> {
        if self.validity.is_some_and(|validity| !validity.is_valid(row)) {
            return None;
        }
        let view = self.views.get(row)?;
        match ViewParts::of(view) {
            ViewParts::Inline(len) => view.get(TEXT..TEXT + len),
            ViewParts::Long { len, buffer, offset } => self.buffers.get(buffer)?.get(offset..offset + len),
        }
    }

    /// Copies the rows into a column of values and offsets, on which all functions of this module work. Null rows become
    /// empty.
    ///
    /// # Errors
    ///
    /// [`LengthError`], and the first row that ends beyond the largest `P`.
    ///
    /// ```
    /// use fastutf::columns::ViewColumn;
    ///
    /// assert_eq!(ViewColumn::new(&[0, 0], &[], None)?.to_column::<i32>().unwrap().offsets, [0, 0, 0]);
    /// # Ok::<(), fastutf::columns::LayoutError>(())
    /// ```
    pub fn to_column<P: Offset>(&self) -> Result<ColumnBuf<P>, LengthError> {
        let (mut values, mut offsets) = (Vec::new(), Vec::with_capacity(self.rows() + 1));
        offsets.push(P::ZERO);
        for row in 0..self.rows() {
            values.extend_from_slice(self.row(row).unwrap_or_default());
            if values.len() > P::MAX {
                return Err(LengthError { row });
            }
            offsets.push(P::of(values.len()));
        }
        Ok(ColumnBuf { values, offsets, outcome: Outcome::default() })
    }
}

impl fmt::Debug for ViewColumn<'_> {
    /// The numbers only: a column may have millions of rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ViewColumn")
            .field("rows", &self.rows())
            .field("buffers", &self.buffers.len())
            .field("validity", &self.validity)
            .field("isa", &self.isa)
            .finish()
    }
}

/// The text of a view.
#[inline(always)]
fn text<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Result<&'a [u8], LayoutErrorKind> {
    match ViewParts::of(view) {
        ViewParts::Inline(len) => {
            if view[TEXT + len..].iter().any(|&byte| byte != 0) {
                return Err(LayoutErrorKind::Padding);
            }
            Ok(&view[TEXT..TEXT + len])
        }
        ViewParts::Long { len, buffer, offset } => {
            let buffer = buffers.get(buffer).ok_or(LayoutErrorKind::NoSuchBuffer)?;
            let text = offset.checked_add(len).and_then(|end| buffer.get(offset..end));
            let text = text.ok_or(LayoutErrorKind::OutOfBounds)?;
            if text[..4] != view[TEXT..8] {
                return Err(LayoutErrorKind::WrongPrefix);
            }
            Ok(text)
        }
    }
}

/// Checks that each row that is not null is well-formed UTF-8.
///
/// # Errors
///
/// The first ill-formed row, and the error that [`validate_utf8`](fn@crate::validate_utf8) has for it.
///
/// ```
/// use fastutf::columns::{self, ViewColumn};
///
/// # if cfg!(target_endian = "big") { return Ok(()) }
/// let view = u128::from_le_bytes(*b"\x04\0\0\0caf\xC3\0\0\0\0\0\0\0\0");
/// let error = columns::validate_utf8_views(ViewColumn::new(&[view], &[], None)?).unwrap_err();
/// assert_eq!((error.row, error.error.valid_up_to()), (0, 3));
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub fn validate_utf8_views(column: ViewColumn<'_>) -> Result<(), RowError<Utf8Error>> {
    const NOT_ASCII: u128 = u128::MAX / 0xFF * 0x80;
    for (row, view) in column.views.iter().enumerate() {
        // A length of at most 12 and zeros are ASCII, too.
        if u128::from_ne_bytes(*view) & NOT_ASCII == 0 && matches!(ViewParts::of(view), ViewParts::Inline(_)) {
            continue;
        }
        if let Some(bytes) = column.row(row) {
            column.isa.validate_utf8(bytes).map_err(|error| RowError { row, error })?;
        }
    }
    Ok(())
}

/// A column of views with memory of its own.
///
/// ```
/// use fastutf::columns::{self, Column, Policy, ViewColumn};
///
/// let column = Column::new(b"z\0\x42\x01", &[0i32, 2, 4])?;
/// let out = columns::utf16le_to_utf8_views(column, Policy::Error).unwrap();
/// let buffers: Vec<&[u8]> = out.buffers.iter().map(|buffer| &buffer[..]).collect();
/// assert_eq!(ViewColumn::new(&out.views, &buffers, None)?.row(1), Some("ł".as_bytes()));
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ViewColumnBuf {
    /// A view for each row.
    pub views: Vec<u128>,
    /// The texts of more than 12 bytes. None is longer than 2 GB, as Arrow demands.
    pub buffers: Vec<Vec<u8>>,
    /// What the conversion has met.
    pub outcome: Outcome,
}

macro_rules! to_views {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($kind:expr, $validate:path) -> $error:ty;
    )*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        ///
        /// With [`Policy::Error`], the first ill-formed row. With any, the first row of more than 2 GB.
        pub fn $name<O: Offset>(
            column: Column<'_, O>,
            policy: Policy,
        ) -> Result<ViewColumnBuf, ColumnError<$error>> {
            to_views(Text::of(&column), $kind, policy).map_err(|refusal| refusal.error(&column, $validate))
        }
    )*};
}

to_views! {
    /// Converts a column of UTF-16LE bytes to views of UTF-8. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new(b"z\0\x42\x01", &[0i32, 4])?;
    /// let out = columns::utf16le_to_utf8_views(column, Policy::Error).unwrap();
    /// assert_eq!(out.views[0].to_ne_bytes()[4..7], *"zł".as_bytes());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16le_to_utf8_views(Direction::Utf16ToUtf8(ByteOrder::Little), Isa::validate_utf16le) -> Utf16Error;

    /// Converts a column of UTF-16BE bytes to views of UTF-8. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new(b"\0z\x01\x42", &[0i32, 4])?;
    /// let out = columns::utf16be_to_utf8_views(column, Policy::Error).unwrap();
    /// assert_eq!(out.views[0].to_ne_bytes()[4..7], *"zł".as_bytes());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16be_to_utf8_views(Direction::Utf16ToUtf8(ByteOrder::Big), Isa::validate_utf16be) -> Utf16Error;

    /// Copies a column of UTF-8 into views. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new("zł".as_bytes(), &[0i32, 3])?;
    /// let out = columns::utf8_to_utf8_views(column, Policy::Error).unwrap();
    /// assert_eq!(out.views[0].to_ne_bytes()[4..7], *"zł".as_bytes());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf8_views(Direction::Utf8ToUtf8, Isa::validate_utf8) -> Utf8Error;
}

/// The maximum length of a buffer.
const MOST: usize = i32::MAX as usize;

fn to_views(text: Text<'_>, kind: Direction, policy: Policy) -> Result<ViewColumnBuf, Failure> {
    let (mut values, mut ends) = (Vec::new(), Vec::<usize>::new());
    let outcome = append(text, kind, policy, &mut values, &mut ends)?;
    let (views, buffers) = in_buffers(&values, &ends, MOST).map_err(Failure::TooLong)?;
    Ok(ViewColumnBuf { views, buffers, outcome })
}

/// The views of rows, and their buffers of at most `most` bytes. The error is a row that is longer.
fn in_buffers(values: &[u8], ends: &[usize], most: usize) -> Result<(Vec<u128>, Vec<Vec<u8>>), usize> {
    let (mut views, mut buffers) = (Vec::with_capacity(ends.len()), Vec::new());
    let mut buffer = Vec::new();
    for (row, bounds) in ends.windows(2).enumerate() {
        let text = &values[bounds[0]..bounds[1]];
        let mut view = [0; 16];
        let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
        view[..TEXT].copy_from_slice(&len.to_ne_bytes());
        if text.len() <= INLINE {
            view[TEXT..TEXT + text.len()].copy_from_slice(text);
        } else {
            if text.len() > most {
                return Err(row);
            }
            if text.len() > most - buffer.len() {
                buffers.push(core::mem::take(&mut buffer));
            }
            view[TEXT..8].copy_from_slice(&text[..4]);
            view[8..12].copy_from_slice(&(buffers.len() as u32).to_ne_bytes());
            view[12..].copy_from_slice(&(buffer.len() as u32).to_ne_bytes());
            buffer.extend_from_slice(text);
        }
        views.push(u128::from_ne_bytes(view));
    }
    if !buffer.is_empty() {
        buffers.push(buffer);
    }
    Ok((views, buffers))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of all lengths up to that of a buffer, which begins anew where the next row does not fit.
    #[test]
    fn rows_in_several_buffers() {
        const LONGEST: usize = 40;
        let lens = (0..=LONGEST).chain((0..=LONGEST).rev()).chain([13, 27, 14, 27, 40, 40]);
        let (mut values, mut ends) = (Vec::new(), std::vec![0]);
        for len in lens {
            values.extend((0..len).map(|k| b'a' + ((k + len) % 26) as u8));
            ends.push(values.len());
        }
        let (views, buffers) = in_buffers(&values, &ends, LONGEST).unwrap();
        assert!(buffers.iter().all(|buffer| (1..=LONGEST).contains(&buffer.len())));
        // 14, 13 and 13 bytes fill one.
        assert_eq!(buffers.iter().rev().take(6).map(Vec::len).collect::<Vec<_>>(), [40, 40, 27, 14, 27, 40]);
        let buffers: Vec<&[u8]> = buffers.iter().map(Vec::as_slice).collect();
        let column = ViewColumn::new(&views, &buffers, None).unwrap();
        for (row, bounds) in ends.windows(2).enumerate() {
            assert_eq!(column.row(row), Some(&values[bounds[0]..bounds[1]]), "{row}");
        }
        assert_eq!(in_buffers(&values, &ends, LONGEST - 1), Err(LONGEST));
    }
}
