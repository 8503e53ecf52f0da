//! Arrays of values and offsets, with offsets of 32 or 64 bits.

use arrow_array::{Array, GenericBinaryArray, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use fastutf::columns::{self, Column, ColumnBuf, Offset, Outcome, Validity};

use crate::error::{column_error, layout, of_row, unknown};
use crate::sealed::{Decode, Encode};
use crate::{Bytes, Encoding, Policy, Text, TextError};

impl<O: OffsetSizeTrait + Offset> Bytes for GenericBinaryArray<O> {}
impl<O: OffsetSizeTrait + Offset> Text for GenericStringArray<O> {}

/// An array's rows, and which are null. The array may have been built without a check: this checks its offsets.
pub(crate) fn column<'a, O: Offset>(
    values: &'a [u8],
    offsets: &'a [O],
    nulls: Option<&'a NullBuffer>,
) -> Result<Column<'a, O>, ArrowError> {
    let column = Column::new(values, offsets).map_err(layout)?;
    match nulls {
        None => Ok(column),
        Some(nulls) => {
            let validity = Validity::new(nulls.validity(), nulls.offset(), nulls.len()).map_err(layout)?;
            column.with_validity(validity).map_err(layout)
        }
    }
}

/// The nulls of an array. They are counted, as what an array says of their number need not be so either.
pub(crate) fn counted(nulls: Option<&NullBuffer>) -> Option<NullBuffer> {
    nulls.map(|nulls| NullBuffer::new(nulls.inner().clone()))
}

/// The nulls of an output: those of the input, or more.
pub(crate) fn nulls_after(outcome: Outcome, before: Option<&NullBuffer>) -> Option<NullBuffer> {
    match outcome.validity {
        None => counted(before),
        Some(validity) => {
            let rows = validity.as_validity().rows();
            Some(NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(validity.into_bytes()), 0, rows)))
        }
    }
}

/// The offsets and the part of the values that they point into: text outside of the rows may be anything. The offsets have
/// been checked.
fn tight<O: OffsetSizeTrait>(offsets: &OffsetBuffer<O>, values: &Buffer) -> (OffsetBuffer<O>, Buffer) {
    let first = offsets[0];
    let (start, end) = (first.as_usize(), offsets[offsets.len() - 1].as_usize());
    let values = values.slice_with_length(start, end - start);
    if start == 0 {
        return (offsets.clone(), values);
    }
    (OffsetBuffer::new(offsets.iter().map(|&offset| offset - first).collect()), values)
}

/// The array of rows that the library has converted to UTF-8.
fn converted<O: OffsetSizeTrait>(column: ColumnBuf<O>, before: Option<&NullBuffer>) -> GenericStringArray<O> {
    let nulls = nulls_after(column.outcome, before);
    let offsets = OffsetBuffer::new(ScalarBuffer::from(column.offsets));
    // SAFETY: every row of what a conversion to UTF-8 has returned is text by itself, and nothing is outside of the rows.
    unsafe { text(offsets, Buffer::from_vec(column.values), nulls) }
}

/// An array of text.
///
/// # Safety
///
/// `values` is UTF-8, and no offset, of which none is less than the one before it, is inside of a character. (The last
/// offset may be another than the length of `values`: that panics.)
unsafe fn text<O: OffsetSizeTrait>(
    offsets: OffsetBuffer<O>,
    values: Buffer,
    nulls: Option<NullBuffer>,
) -> GenericStringArray<O> {
    assert_eq!(offsets[offsets.len() - 1].as_usize(), values.len());
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == offsets.len() - 1));
    // SAFETY: Safe if `try_new` would not fail. It demands offsets into `values`: the caller promises that they do not run
    // backwards, and the last one was compared. It demands `nulls` of as many rows: that was compared. And it demands that
    // every row is text by itself: the caller promises that.
    unsafe { GenericStringArray::new_unchecked(offsets, values, nulls) }
}

impl<O: OffsetSizeTrait + Offset> Decode for GenericBinaryArray<O> {
    type Text = GenericStringArray<O>;

    fn decode(&self, from: Encoding, policy: Policy) -> Result<Self::Text, ArrowError> {
        let column = column(self.value_data(), self.value_offsets(), self.nulls())?;
        let column = match from {
            Encoding::Utf8 => match columns::validate_utf8(column.without_validity()) {
                Ok(()) => {
                    let (offsets, values) = tight(self.offsets(), self.values());
                    // SAFETY: `column` has checked the offsets, and all rows, null or not, are UTF-8. Outside of them there
                    // is nothing.
                    return Ok(unsafe { text(offsets, values, counted(self.nulls())) });
                }
                Err(_) => columns::utf8_to_utf8(column, policy).map_err(|error| column_error(0, &error)),
            },
            Encoding::Utf16Le => columns::utf16le_to_utf8(column, policy).map_err(|error| column_error(0, &error)),
            Encoding::Utf16Be => columns::utf16be_to_utf8(column, policy).map_err(|error| column_error(0, &error)),
            _ => return Err(unknown(from)),
        }?;
        Ok(converted(column, self.nulls()))
    }

    fn errors(&self, encoding: Encoding) -> Result<Vec<TextError>, ArrowError> {
        /// Rows are checked at once; if that fails, those that are left of them one by one.
        const BLOCK: usize = 512;
        let mut errors = Vec::new();
        let column = column(self.value_data(), self.value_offsets(), self.nulls())?;
        for start in (0..column.rows()).step_by(BLOCK) {
            let rows = BLOCK.min(column.rows() - start);
            let block = column.slice(start..start + rows);
            let first = match encoding {
                Encoding::Utf8 => columns::validate_utf8(block).err().map(|error| error.row),
                Encoding::Utf16Le => columns::validate_utf16le(block).err().map(|error| error.row),
                Encoding::Utf16Be => columns::validate_utf16be(block).err().map(|error| error.row),
                _ => return Err(unknown(encoding)),
            };
            for row in first.unwrap_or(rows)..rows {
                if let Some(bytes) = block.row(row) {
                    errors.extend(of_row(bytes, start + row, encoding)?);
                }
            }
        }
        Ok(errors)
    }
}

impl<O: OffsetSizeTrait + Offset> Encode for GenericStringArray<O> {
    type Bytes = GenericBinaryArray<O>;

    fn encode(&self, to: Encoding) -> Result<Self::Bytes, ArrowError> {
        let column = column(self.value_data(), self.value_offsets(), self.nulls())?;
        let nulls = counted(self.nulls());
        let column = match to {
            Encoding::Utf8 => {
                return GenericBinaryArray::try_new(self.offsets().clone(), self.values().clone(), nulls);
            }
            Encoding::Utf16Le => columns::utf8_to_utf16le::<_, O>(column, Policy::Error),
            Encoding::Utf16Be => columns::utf8_to_utf16be(column, Policy::Error),
            _ => return Err(unknown(to)),
        }
        .map_err(|error| column_error(0, &error))?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(column.offsets));
        GenericBinaryArray::try_new(offsets, Buffer::from_vec(column.values), nulls)
    }
}

/// Makes a string array from buffers that nobody has checked: offsets, text, nulls and their lengths. Without errors,
/// nothing is copied.
///
/// # Errors
///
/// [`ArrowError::InvalidArgumentError`] for offsets that do not point into `values` or run backwards, and for `nulls` of
/// another length; [`ArrowError::ExternalError`] with a [`TextError`], as [`decode`](crate::decode).
///
/// ```
/// use arrow_buffer::Buffer;
/// use fastutf_arrow::{Policy, string_array};
///
/// let values = Buffer::from("zł€".as_bytes());
/// let text = string_array(vec![0, 1, 3, 6].into(), values.clone(), None, Policy::Error)?;
/// assert_eq!(text.value(1), "ł");
/// assert_eq!(text.values().as_ptr(), values.as_ptr());
///
/// let error = string_array::<i32>(vec![0, 2, 6].into(), values.clone(), None, Policy::Error).unwrap_err();
/// assert_eq!(error.to_string(), "External error: row 0, byte 1: incomplete sequence at end of input");
/// let error = string_array::<i32>(vec![0, 7].into(), values, None, Policy::Error).unwrap_err();
/// assert_eq!(error.to_string(), "Invalid argument error: row 0: the row is not within the values");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn string_array<O: OffsetSizeTrait + Offset>(
    offsets: ScalarBuffer<O>,
    values: Buffer,
    nulls: Option<NullBuffer>,
    policy: Policy,
) -> Result<GenericStringArray<O>, ArrowError> {
    // `OffsetBuffer::new` would panic.
    column(&values, &offsets, nulls.as_ref())?;
    GenericBinaryArray::try_new(OffsetBuffer::new(offsets), values, nulls)?.decode(Encoding::Utf8, policy)
}
