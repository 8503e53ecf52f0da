//! The conversions of columns, and what they return.

use alloc::vec::Vec;

use super::append::{Direction, Policy};
use super::error::ColumnError;
use super::layout::{Column, Offset};
use super::text::Text;
use super::vectors::{Outcome, append};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::{Utf8Error, Utf16Error};

/// A column with memory of its own.
///
/// ```
/// use fastutf::columns::{self, Column, Policy};
///
/// let column = Column::new("zł".as_bytes(), &[0i32, 1, 3])?;
/// let out = columns::utf8_to_utf16be::<_, u32>(column, Policy::Error).unwrap();
/// assert_eq!(out.row(1), Some(&b"\x01\x42"[..]));
/// assert_eq!(Column::new(&out.values, &out.offsets)?.rows(), 2);
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnBuf<O> {
    /// The bytes of all rows.
    pub values: Vec<u8>,
    /// Where rows start and end, in bytes: one more than there are rows, from 0 on.
    pub offsets: Vec<O>,
    /// What became of ill-formed rows.
    pub outcome: Outcome,
}

impl<O: Offset> ColumnBuf<O> {
    /// Returns the bytes of a row, empty if it is null, or `None` if there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<&[u8]> {
        let (from, to) = (self.offsets.get(row)?, self.offsets.get(row.checked_add(1)?)?);
        self.values.get(from.get()?..to.get()?)
    }
}

macro_rules! conversions {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident, $append:ident($kind:expr, $validate:path) -> $error:ty;
    )*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        ///
        /// With [`Policy::Error`], the first ill-formed row. With any, the first row that ends beyond the largest `P`.
        pub fn $name<O: Offset, P: Offset>(
            column: Column<'_, O>,
            policy: Policy,
        ) -> Result<ColumnBuf<P>, ColumnError<$error>> {
            let (mut values, mut offsets) = (Vec::new(), Vec::new());
            let outcome = $append(column, policy, &mut values, &mut offsets)?;
            Ok(ColumnBuf { values, offsets, outcome })
        }

        #[doc = concat!("Like [`", stringify!($name), "`], but appends to the caller's vectors.")]
        ///
        /// If `offsets` is empty, the length of `values` is appended first, as the start of the first row; otherwise its
        /// last element must be that length. So one column can be appended to another.
        ///
        /// # Errors
        ///
        #[doc = concat!("As [`", stringify!($name), "`], and [`ColumnError::Misplaced`]. Then both vectors hold what they")]
        /// held before.
        pub fn $append<O: Offset, P: Offset>(
            column: Column<'_, O>,
            policy: Policy,
            values: &mut Vec<u8>,
            offsets: &mut Vec<P>,
        ) -> Result<Outcome, ColumnError<$error>> {
            append(Text::of(&column), $kind, policy, values, offsets)
                .map_err(|refusal| refusal.error(&column, $validate))
        }
    )*};
}

conversions! {
    /// Converts a column of UTF-16LE bytes to UTF-8. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new(b"z\0\x42\x01\xAC\x20", &[0i32, 4, 6])?;
    /// let out = columns::utf16le_to_utf8::<_, i32>(column, Policy::Error).unwrap();
    /// assert_eq!((&*out.values, &*out.offsets), ("zł€".as_bytes(), &[0, 3, 6][..]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16le_to_utf8, utf16le_to_utf8_append(Direction::Utf16ToUtf8(ByteOrder::Little), Isa::validate_utf16le) -> Utf16Error;

    /// Converts a column of UTF-16BE bytes to UTF-8. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new(b"\0z\x01\x42\x20\xAC", &[0i32, 4, 6])?;
    /// let out = columns::utf16be_to_utf8::<_, i32>(column, Policy::Error).unwrap();
    /// assert_eq!((&*out.values, &*out.offsets), ("zł€".as_bytes(), &[0, 3, 6][..]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16be_to_utf8, utf16be_to_utf8_append(Direction::Utf16ToUtf8(ByteOrder::Big), Isa::validate_utf16be) -> Utf16Error;

    /// Converts a column of UTF-8 to UTF-16LE bytes. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new("zł€".as_bytes(), &[0i32, 3, 6])?;
    /// let out = columns::utf8_to_utf16le::<_, i32>(column, Policy::Error).unwrap();
    /// assert_eq!((&*out.values, &*out.offsets), (&b"z\0\x42\x01\xAC\x20"[..], &[0, 4, 6][..]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf16le, utf8_to_utf16le_append(Direction::Utf8ToUtf16(ByteOrder::Little), Isa::validate_utf8) -> Utf8Error;

    /// Converts a column of UTF-8 to UTF-16BE bytes. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new("zł€".as_bytes(), &[0i32, 3, 6])?;
    /// let out = columns::utf8_to_utf16be::<_, i32>(column, Policy::Error).unwrap();
    /// assert_eq!((&*out.values, &*out.offsets), (&b"\0z\x01\x42\x20\xAC"[..], &[0, 4, 6][..]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf16be, utf8_to_utf16be_append(Direction::Utf8ToUtf16(ByteOrder::Big), Isa::validate_utf8) -> Utf8Error;

    /// Copies a column of UTF-8, with a [`Policy`] for ill-formed rows. Null rows become empty.
    /// [`utf8_lossy`](super::utf8_lossy) copies only if there is something to replace.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new(b"a\xFFb", &[0i32, 2, 3])?;
    /// let out = columns::utf8_to_utf8::<_, i64>(column, Policy::Replace).unwrap();
    /// assert_eq!((&*out.values, &*out.offsets), ("a\u{FFFD}b".as_bytes(), &[0, 4, 5][..]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf8, utf8_to_utf8_append(Direction::Utf8ToUtf8, Isa::validate_utf8) -> Utf8Error;
}
