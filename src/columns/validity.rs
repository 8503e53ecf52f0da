//! Which rows of a column are null: a bit for each row, in Arrow's order.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Bound, Range, RangeBounds};

use super::layout_error::{LayoutError, LayoutErrorKind};

/// A validity bitmap: row `i` is null if bit `i` is 0. Bits are counted from the lowest of the first byte, as in Arrow,
/// and the first row may have any bit.
///
/// ```
/// use fastutf::columns::Validity;
///
/// let validity = Validity::new(&[0b1011_0000], 4, 3)?;
/// assert!(validity.is_valid(0) && validity.is_valid(1) && !validity.is_valid(2));
/// # Ok::<(), fastutf::columns::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Validity<'a> {
    /// From the byte that has the first row's bit on.
    bytes: &'a [u8],
    /// The bit of the first row, less than 8.
    shift: usize,
    rows: usize,
}

impl<'a> Validity<'a> {
    /// The bits `offset`, `offset + 1`, … of `bytes`, for `rows` rows.
    ///
    /// # Errors
    ///
    /// [`ValidityTooShort`](LayoutErrorKind::ValidityTooShort) and the first row without a bit, if `bytes` has fewer
    /// than `offset + rows` bits.
    ///
    /// ```
    /// use fastutf::columns::Validity;
    ///
    /// assert!(Validity::new(&[0xFF, 0xFF], 3, 13).is_ok());
    /// assert_eq!(Validity::new(&[0xFF, 0xFF], 3, 14).unwrap_err().row, 13);
    /// ```
    pub fn new(bytes: &'a [u8], offset: usize, rows: usize) -> Result<Self, LayoutError> {
        let (first, shift) = (offset / 8, offset % 8);
        let bytes = bytes.get(first..).unwrap_or(&[]);
        // A slice has at most `isize::MAX` bytes, of which the bits may be more than a `usize` holds.
        let bits = bytes.len().saturating_mul(8).saturating_sub(shift);
        if rows > bits {
            return Err(LayoutError::new(bits, LayoutErrorKind::ValidityTooShort));
        }
        Ok(Self { bytes, shift, rows })
    }

    /// Returns the bitmap of some of the rows.
    ///
    /// # Panics
    ///
    /// If there are no such rows.
    ///
    /// ```
    /// use fastutf::columns::Validity;
    ///
    /// let validity = Validity::new(&[0b1011_0000], 4, 3)?.slice(1..);
    /// assert!(validity.rows() == 2 && validity.is_valid(0) && !validity.is_valid(1));
    /// # Ok::<(), fastutf::columns::LayoutError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn slice(self, rows: impl RangeBounds<usize>) -> Self {
        let rows = rows_of(rows, self.rows);
        let bit = self.shift + rows.start;
        Self { bytes: &self.bytes[bit / 8..], shift: bit % 8, rows: rows.len() }
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// # use fastutf::columns::Validity;
    /// assert_eq!(Validity::new(&[0xFF], 3, 5).unwrap().rows(), 5);
    /// ```
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns whether a row is there and not null.
    ///
    /// ```
    /// # use fastutf::columns::Validity;
    /// let validity = Validity::new(&[0b10], 0, 2).unwrap();
    /// assert_eq!([0, 1, 2].map(|row| validity.is_valid(row)), [false, true, false]);
    /// ```
    #[must_use]
    pub const fn is_valid(&self, row: usize) -> bool {
        if row >= self.rows {
            return false;
        }
        let bit = row + self.shift;
        self.bytes[bit / 8] >> (bit % 8) & 1 != 0
    }

    /// Returns the number of null rows.
    ///
    /// ```
    /// # use fastutf::columns::Validity;
    /// assert_eq!(Validity::new(&[0b0111], 0, 4).unwrap().null_count(), 1);
    /// ```
    #[must_use]
    pub fn null_count(&self) -> usize {
        let mut nulls = 0;
        let mut row = 0;
        while row < self.rows {
            nulls += self.nulls(row).count_ones() as usize;
            row += 64;
        }
        nulls
    }

    /// A bit for each of the 64 rows from `row` on: 1 if it is null. There are none after the last row.
    pub(super) fn nulls(&self, row: usize) -> u64 {
        let Some(rows @ 1..) = self.rows.checked_sub(row) else { return 0 };
        let bit = row + self.shift;
        let bytes = &self.bytes[bit / 8..];
        let word = match bytes.first_chunk::<9>() {
            Some(&[a, b, c, d, e, f, g, h, last]) => {
                let word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
                // Not by 64 bits, if the shift is 0.
                word >> (bit % 8) | u64::from(last) << 1 << (63 - bit % 8)
            }
            None => {
                let mut word = [0; 16];
                word[..bytes.len()].copy_from_slice(bytes);
                (u128::from_le_bytes(word) >> (bit % 8)) as u64
            }
        };
        let there = if rows < 64 { !(u64::MAX << rows) } else { u64::MAX };
        !word & there
    }
}

/// The rows that a range means, of this number of rows.
#[track_caller]
pub(super) fn rows_of(range: impl RangeBounds<usize>, rows: usize) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(&row) => row,
        Bound::Excluded(&row) => row.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&row) => row.saturating_add(1),
        Bound::Excluded(&row) => row,
        Bound::Unbounded => rows,
    };
    assert!(start <= end && end <= rows, "rows {start}..{end} of a column of {rows}");
    start..end
}

/// Writes the bits of the first rows of `validity` to `bits`, at most `rows`. In `bits`, the first row has the lowest bit of
/// the first byte. Without a validity, no row is null. Bits after the last row are 0.
pub(super) fn copy_bits(validity: Option<Validity<'_>>, rows: usize, bits: &mut [u8]) {
    for (word, bits) in bits.chunks_mut(8).enumerate() {
        let row = 64 * word;
        let there = match rows.saturating_sub(row) {
            left @ 0..64 => !(u64::MAX << left),
            _ => u64::MAX,
        };
        let valid = !validity.map_or(0, |validity| validity.nulls(row)) & there;
        bits.copy_from_slice(&valid.to_le_bytes()[..bits.len()]);
    }
}

/// Clears the bit of a row.
pub(super) fn set_null(bits: &mut [u8], row: usize) {
    bits[row / 8] &= !(1 << (row % 8));
}

impl fmt::Debug for Validity<'_> {
    /// The numbers only: there may be millions of rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validity").field("rows", &self.rows).field("nulls", &self.null_count()).finish()
    }
}

/// A validity bitmap with memory of its own. Its first row has the lowest bit of the first byte.
///
/// ```
/// use fastutf::columns::{self, Column, Policy};
///
/// let column = Column::new(b"a\xFFb", &[0i32, 1, 2, 3])?;
/// let out = columns::utf8_to_utf8::<_, i32>(column, Policy::Null).unwrap();
/// assert_eq!(out.outcome.validity.unwrap().as_bytes(), [0b101]);
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq)]
pub struct Bitmap {
    bytes: Vec<u8>,
    rows: usize,
}

#[cfg(feature = "alloc")]
impl Bitmap {
    /// A copy of `validity`; without one, no row is null. Bits after the last row are 0.
    pub(super) fn of(validity: Option<Validity<'_>>, rows: usize) -> Self {
        let mut bytes = alloc::vec![0; rows.div_ceil(8)];
        copy_bits(validity, rows, &mut bytes);
        Self { bytes, rows }
    }

    pub(super) fn set_null(&mut self, row: usize) {
        set_null(&mut self.bytes, row);
    }

    /// Returns the bytes; bits after the last row are 0.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes; bits after the last row are 0.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the bitmap as that of a [`Column`](super::Column).
    #[must_use]
    pub fn as_validity(&self) -> Validity<'_> {
        Validity { bytes: &self.bytes, shift: 0, rows: self.rows }
    }
}

#[cfg(feature = "alloc")]
impl fmt::Debug for Bitmap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bitmap").field(&self.as_validity()).finish()
    }
}
