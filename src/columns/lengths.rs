//! The length of each row, in characters or in the other encoding.

use alloc::vec::Vec;

use super::layout::{Column, Offset};
use super::text::{Form, PIECE, RowsAtOnce, Text};
use crate::borders::{Borders, Count};
use crate::endian::ByteOrder;

/// A row has more characters, or would be longer, than the type of the result can hold.
///
/// ```
/// use fastutf::columns::LengthError;
///
/// // Only of a row of more than 2 GB.
/// fn row(error: LengthError) -> usize {
///     error.row
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LengthError {
    /// The first such row, counted from 0.
    pub row: usize,
}

impl core::fmt::Display for LengthError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "row {}: the length is more than its type can say", self.row)
    }
}

impl core::error::Error for LengthError {}

macro_rules! lengths {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident, $append:ident($encoding:expr, chars: $chars:literal);
    )*) => {$(
        $(#[$attribute])*
        /// Null rows have the length 0. Ill-formed rows are counted by the same rules as others.
        ///
        /// # Errors
        ///
        /// The first row whose length does not fit `P`.
        pub fn $name<O: Offset, P: Offset>(column: Column<'_, O>) -> Result<Vec<P>, LengthError> {
            let mut lengths = Vec::new();
            $append(column, &mut lengths)?;
            Ok(lengths)
        }

        #[doc = concat!("Like [`", stringify!($name), "`], but appends to the caller's vector.")]
        ///
        /// # Errors
        ///
        #[doc = concat!("As [`", stringify!($name), "`]; then the vector is unchanged.")]
        pub fn $append<O: Offset, P: Offset>(
            column: Column<'_, O>,
            lengths: &mut Vec<P>,
        ) -> Result<(), LengthError> {
            let before = lengths.len();
            let what = Wanted { encoding: $encoding, chars: $chars };
            let done = append(Text::of(&column), what, lengths);
            if done.is_err() {
                lengths.truncate(before);
            }
            done
        }
    )*};
}

lengths! {
    /// Counts the characters of each row of UTF-8: [`count_chars_utf8`](fn@crate::count_chars_utf8).
    ///
    /// ```
    /// use fastutf::columns::{self, Column};
    ///
    /// let column = Column::new("zł€😀".as_bytes(), &[0i32, 3, 6, 10])?;
    /// assert_eq!(columns::count_chars_utf8::<_, i32>(column), Ok(vec![2, 1, 1]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    ///
    fn count_chars_utf8, count_chars_utf8_append(Form::Utf8, chars: true);

    /// Returns how many code units each row of UTF-8 has in UTF-16:
    /// [`utf16_len_from_utf8`](fn@crate::utf16_len_from_utf8).
    ///
    /// ```
    /// use fastutf::columns::{self, Column};
    ///
    /// let column = Column::new("zł€😀".as_bytes(), &[0i32, 3, 6, 10])?;
    /// assert_eq!(columns::utf16_len_from_utf8::<_, i32>(column), Ok(vec![2, 1, 2]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    ///
    fn utf16_len_from_utf8, utf16_len_from_utf8_append(Form::Utf8, chars: false);

    /// Counts the characters of each row of UTF-16LE bytes: [`count_chars_utf16le`](fn@crate::count_chars_utf16le).
    ///
    /// ```
    /// use fastutf::columns::{self, Column};
    ///
    /// let column = Column::new(b"a\0\x3D\xD8\x00\xDE", &[0i32, 2, 6])?;
    /// assert_eq!(columns::count_chars_utf16le::<_, i32>(column), Ok(vec![1, 1]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    ///
    fn count_chars_utf16le, count_chars_utf16le_append(Form::Utf16(ByteOrder::Little), chars: true);

    /// Counts the characters of each row of UTF-16BE bytes: [`count_chars_utf16be`](fn@crate::count_chars_utf16be).
    ///
    /// ```
    /// use fastutf::columns::{self, Column};
    ///
    /// let column = Column::new(b"\0a\xD8\x3D\xDE\x00", &[0i32, 2, 6])?;
    /// assert_eq!(columns::count_chars_utf16be::<_, i32>(column), Ok(vec![1, 1]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    ///
    fn count_chars_utf16be, count_chars_utf16be_append(Form::Utf16(ByteOrder::Big), chars: true);

    /// Returns how many bytes each row of UTF-16LE bytes has in UTF-8:
    /// [`utf8_len_from_utf16le`](fn@crate::utf8_len_from_utf16le).
    ///
    /// ```
    /// use fastutf::columns::{self, Column};
    ///
    /// let column = Column::new(b"a\0\x3D\xD8\x00\xDE", &[0i32, 2, 6])?;
    /// assert_eq!(columns::utf8_len_from_utf16le::<_, i32>(column), Ok(vec![1, 4]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    ///
    fn utf8_len_from_utf16le, utf8_len_from_utf16le_append(Form::Utf16(ByteOrder::Little), chars: false);

    /// Returns how many bytes each row of UTF-16BE bytes has in UTF-8:
    /// [`utf8_len_from_utf16be`](fn@crate::utf8_len_from_utf16be).
    ///
    /// ```
    /// use fastutf::columns::{self, Column};
    ///
    /// let column = Column::new(b"\0a\xD8\x3D\xDE\x00", &[0i32, 2, 6])?;
    /// assert_eq!(columns::utf8_len_from_utf16be::<_, i32>(column), Ok(vec![1, 4]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    ///
    fn utf8_len_from_utf16be, utf8_len_from_utf16be_append(Form::Utf16(ByteOrder::Big), chars: false);
}

/// What is counted: characters, or units of the other encoding.
#[derive(Clone, Copy)]
struct Wanted {
    encoding: Form,
    chars: bool,
}

impl Wanted {
    /// The length of a row.
    fn of(self, text: &Text<'_>, src: &[u8]) -> usize {
        let isa = text.isa;
        match (self.encoding, self.chars) {
            (Form::Utf8, true) => isa.count_chars_utf8(src),
            (Form::Utf8, false) => isa.utf16_len_from_utf8(src),
            (Form::Utf16(order), true) => isa.count_chars_utf16_bytes(order, src),
            (Form::Utf16(order), false) => isa.utf8_len_from_utf16_bytes(order, src),
        }
    }

    fn count(self) -> Count {
        match (self.encoding, self.chars) {
            (Form::Utf8, true) => Count::CharsUtf8,
            (Form::Utf8, false) => Count::Utf16Bytes,
            (Form::Utf16(_), true) => Count::CharsUtf16,
            (Form::Utf16(_), false) => Count::Utf8Bytes,
        }
    }
}

/// Where lengths go.
trait Lengths {
    fn max(&self) -> usize;
    fn reserve(&mut self, more: usize);
    fn push(&mut self, length: usize);
    /// The differences of the sums before each row and after the last one, shifted right.
    fn extend(&mut self, sums: &[u32], shift: u32);
    /// Sets the last `back` to 0 where a bit is set, the first of them by the lowest bit.
    fn clear(&mut self, back: usize, nulls: u64);
}

impl<P: Offset> Lengths for Vec<P> {
    fn max(&self) -> usize {
        P::MAX
    }

    fn reserve(&mut self, more: usize) {
        self.reserve(more);
    }

    fn push(&mut self, length: usize) {
        self.push(P::of(length));
    }

    fn extend(&mut self, sums: &[u32], shift: u32) {
        let pairs = sums.iter().zip(&sums[1..]);
        Extend::extend(self, pairs.map(|(from, to)| P::of((to.wrapping_sub(*from) >> shift) as usize)));
    }

    fn clear(&mut self, back: usize, mut nulls: u64) {
        let first = self.len() - back;
        while nulls != 0 {
            self[first + nulls.trailing_zeros() as usize] = P::ZERO;
            nulls &= nulls - 1;
        }
    }
}

fn append(text: Text<'_>, what: Wanted, lengths: &mut dyn Lengths) -> Result<(), LengthError> {
    lengths.reserve(text.count);
    let mut borders = Borders::new(what.count());
    let shift = u32::from(borders.count == Count::Utf16Bytes);
    let mut row = 0;
    while row < text.count {
        let end = text.piece_end(row, RowsAtOnce::START);
        let even = text.first_odd(what.encoding, row, end);
        let src = text.bytes(row, even);
        if even == row || src.len() > PIECE {
            let length = if text.is_null(row) { 0 } else { what.of(&text, text.bytes(row, row + 1)) };
            if length > lengths.max() {
                return Err(LengthError { row });
            }
            lengths.push(length);
            row += 1;
            continue;
        }
        borders.len = even - row + 1;
        text.starts(row, &mut borders.at[..borders.len]);
        match what.encoding {
            Form::Utf8 => text.isa.utf8_borders(src, &mut borders),
            Form::Utf16(order) => text.isa.utf16_borders(order, src, &mut borders),
        };
        lengths.extend(&borders.at[..borders.len], shift);
        while let (Some(validity), true) = (text.validity, row < even) {
            let rows = 64.min(even - row);
            let nulls = validity.nulls(row) & u64::MAX >> (64 - rows);
            lengths.clear(even - row, nulls);
            row += rows;
        }
        row = even;
    }
    Ok(())
}
