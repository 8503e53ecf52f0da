//! Arrays of views: 16 bytes for each row, which have a text of at most 12 bytes, or say where it is.

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::types::ByteViewType;
use arrow_array::{Array, BinaryViewArray, GenericByteViewArray, StringViewArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use fastutf::columns::{self, Validity, ViewColumn};

use crate::bytes::{counted, nulls_after};
use crate::error::{column_error, layout, of_row, unknown};
use crate::sealed::{Decode, Encode};
use crate::{Bytes, Encoding, Policy, Text, TextError};

impl Bytes for BinaryViewArray {}
impl Text for StringViewArray {}

/// The maximum length of a text that is in its view.
const INLINE: u32 = 12;

/// The most that a buffer holds before another one is begun, as in Arrow's own builders. Arrow allows 2 GB.
const FULL: usize = 1 << 20;

/// The bits of a view in which a text that is not ASCII has a 1. (Bytes after the text are 0.)
const NOT_ASCII: u128 = 0x8080_8080_8080_8080_8080_8080_0000_0000;

/// The rows of an array, which may have been built without a check: this checks the view of each row that is not null.
/// No other code of this file reads what a view points to.
pub(crate) fn with_rows<T: ByteViewType + ?Sized, R>(
    array: &GenericByteViewArray<T>,
    work: impl FnOnce(ViewColumn<'_>) -> Result<R, ArrowError>,
) -> Result<R, ArrowError> {
    let buffers: Vec<&[u8]> = array.data_buffers().iter().map(Buffer::as_slice).collect();
    let validity = array.nulls().map(|nulls| Validity::new(nulls.validity(), nulls.offset(), nulls.len()));
    let validity = validity.transpose().map_err(layout)?;
    work(ViewColumn::new(array.views(), &buffers, validity).map_err(layout)?)
}

/// An array of text.
///
/// # Safety
///
/// Each view is 0, or one into `buffers` of which the text is UTF-8, as `StringViewArray::try_new` demands; those of null
/// rows, too.
unsafe fn text(views: ScalarBuffer<u128>, buffers: Arc<[Buffer]>, nulls: Option<NullBuffer>) -> StringViewArray {
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == views.len()));
    // SAFETY: Safe if `try_new` would not fail. It demands `nulls` of as many rows: that was compared. The caller
    // promises the rest.
    unsafe { StringViewArray::new_unchecked(views, buffers, nulls) }
}

impl Decode for BinaryViewArray {
    type Text = StringViewArray;

    fn decode(&self, from: Encoding, policy: Policy) -> Result<Self::Text, ArrowError> {
        with_rows(self, |rows| {
            if from != Encoding::Utf8 {
                return converted(self, rows, from, policy);
            }
            if let Some(first) = first_to_change(self, rows, 0) {
                return repair(self, rows, first, policy);
            }
            let (views, buffers, nulls) =
                (self.views().clone(), self.data_buffers().into(), counted(self.nulls()));
            // SAFETY: `rows` has checked the views of all rows but nulls, and they are UTF-8. Those of nulls are 0.
            Ok(unsafe { text(views, buffers, nulls) })
        })
    }

    fn errors(&self, encoding: Encoding) -> Result<Vec<TextError>, ArrowError> {
        with_rows(self, |rows| {
            let mut errors = Vec::new();
            for (row, &view) in self.views().iter().enumerate() {
                let is_ascii = encoding == Encoding::Utf8 && is_short_ascii(view);
                if !is_ascii && let Some(bytes) = rows.row(row) {
                    errors.extend(of_row(bytes, row, encoding)?);
                }
            }
            Ok(errors)
        })
    }
}

/// The text of rows of UTF-16. They are copied behind each other, so that they are converted as one text.
fn converted(
    array: &BinaryViewArray,
    rows: ViewColumn<'_>,
    from: Encoding,
    policy: Policy,
) -> Result<StringViewArray, ArrowError> {
    let rows = rows.to_column::<usize>().map_err(|error| TextError::too_long(error.row))?;
    let column = crate::bytes::column(&rows.values, &rows.offsets, array.nulls())?;
    let out = match from {
        Encoding::Utf16Le => {
            columns::utf16le_to_utf8_views(column, policy).map_err(|error| column_error(0, &error))
        }
        Encoding::Utf16Be => {
            columns::utf16be_to_utf8_views(column, policy).map_err(|error| column_error(0, &error))
        }
        _ => return Err(unknown(from)),
    }?;
    let nulls = nulls_after(out.outcome, array.nulls());
    let buffers = out.buffers.into_iter().map(Buffer::from_vec).collect();
    // SAFETY: a conversion to UTF-8 has returned them: its views point into its buffers, and each row is text by itself. Null
    // rows are empty.
    Ok(unsafe { text(out.views.into(), buffers, nulls) })
}

fn is_short_ascii(view: u128) -> bool {
    view as u32 <= INLINE && view & NOT_ASCII == 0
}

/// The first row from `from` on whose view must change: the row is not UTF-8, or it is null and its view, which may be
/// anything, is not 0.
fn first_to_change(array: &BinaryViewArray, rows: ViewColumn<'_>, from: usize) -> Option<usize> {
    let changes = |(at, &view): (usize, &u128)| {
        if array.is_null(from + at) {
            return view != 0;
        }
        !is_short_ascii(view) && rows.row(from + at).is_some_and(|text| fastutf::validate_utf8(text).is_err())
    };
    array.views().get(from..)?.iter().enumerate().position(changes).map(|at| from + at)
}

/// `first` is the first row of which the view may not stay. All others keep their views and their memory.
fn repair(
    array: &BinaryViewArray,
    rows: ViewColumn<'_>,
    first: usize,
    policy: Policy,
) -> Result<StringViewArray, ArrowError> {
    let mut views = array.views().to_vec();
    let mut buffers = array.data_buffers().to_vec();
    let mut valid: Option<BooleanBufferBuilder> = None;
    let mut repaired = Vec::new();
    let mut next = Some(first);
    while let Some(row) = next {
        views[row] = 0;
        if let Some(bytes) = rows.row(row) {
            match policy {
                Policy::Error => {
                    let error = of_row(bytes, row, Encoding::Utf8)?;
                    return Err(error.map_or_else(|| unknown(Encoding::Utf8), ArrowError::from));
                }
                Policy::Null => {
                    let valid = valid.get_or_insert_with(|| {
                        let mut valid = BooleanBufferBuilder::new(array.len());
                        match array.nulls() {
                            Some(nulls) => valid.append_buffer(nulls.inner()),
                            None => valid.append_n(array.len(), true),
                        }
                        valid
                    });
                    valid.set_bit(row, false);
                }
                Policy::Replace => {
                    let text = fastutf::from_utf8_lossy(bytes);
                    if repaired.len() + text.len() > FULL && !repaired.is_empty() {
                        buffers.push(Buffer::from_vec(std::mem::take(&mut repaired)));
                    }
                    views[row] = view(text.as_bytes(), buffers.len(), repaired.len(), row)?;
                    if text.len() > INLINE as usize {
                        repaired.extend_from_slice(text.as_bytes());
                    }
                }
            }
        }
        next = first_to_change(array, rows, row + 1);
    }
    if !repaired.is_empty() {
        buffers.push(Buffer::from_vec(repaired));
    }
    let nulls = match valid {
        Some(mut valid) => Some(NullBuffer::new(valid.finish())),
        None => counted(array.nulls()),
    };
    // SAFETY: `rows` has checked the views that have stayed, and they are UTF-8. The others are 0, or what `make_view` has
    // returned for a text which lies in the last buffer of then at that offset.
    Ok(unsafe { text(views.into(), buffers.into(), nulls) })
}

/// The view of bytes that are, or will be, in this buffer at this offset.
fn view(bytes: &[u8], buffer: usize, offset: usize, row: usize) -> Result<u128, TextError> {
    let fits = bytes.len() <= i32::MAX as usize && offset <= i32::MAX as usize;
    match u32::try_from(buffer) {
        Ok(buffer) if fits => Ok(make_view(bytes, buffer, offset as u32)),
        _ => Err(TextError::too_long(row)),
    }
}

type Parts = (ScalarBuffer<u128>, Arc<[Buffer]>, Option<NullBuffer>);

/// Converts all rows to UTF-16. A block of them is copied to one place, so that it is converted as one text; the output stays
/// where the conversion has written it, and views point there.
fn convert(array: &StringViewArray, from: ViewColumn<'_>, to: Encoding) -> Result<Parts, ArrowError> {
    /// The most rows in a block, but for long texts.
    const BLOCK: usize = 512;
    let mut views = Vec::with_capacity(array.len());
    let mut buffers = Vec::new();
    let (mut values, mut offsets) = (Vec::new(), Vec::<usize>::with_capacity(BLOCK + 1));
    let mut any_long = false;
    let mut start = 0;
    while start < array.len() {
        let rows = BLOCK.min(array.len() - start);
        let block = from.slice(start..start + rows);
        let block = block.to_column::<usize>().map_err(|error| TextError::too_long(start + error.row))?;
        if values.len() > FULL || !any_long {
            // All texts so far are in their views, or the buffer is full.
            if any_long {
                buffers.push(Buffer::from_vec(std::mem::take(&mut values)));
                any_long = false;
            }
            values.clear();
        }
        offsets.clear();
        let column = crate::bytes::column(&block.values, &block.offsets, None)?;
        match to {
            Encoding::Utf16Le => columns::utf8_to_utf16le_append(column, Policy::Error, &mut values, &mut offsets),
            Encoding::Utf16Be => columns::utf8_to_utf16be_append(column, Policy::Error, &mut values, &mut offsets),
            _ => return Err(unknown(to)),
        }
        .map_err(|error| column_error(start, &error))?;
        for (row, bounds) in offsets.windows(2).enumerate() {
            let text = &values[bounds[0]..bounds[1]];
            any_long |= text.len() > INLINE as usize;
            views.push(view(text, buffers.len(), bounds[0], start + row)?);
        }
        start += rows;
    }
    if any_long {
        buffers.push(Buffer::from_vec(values));
    }
    Ok((views.into(), buffers.into(), counted(array.nulls())))
}

impl Encode for StringViewArray {
    type Bytes = BinaryViewArray;

    fn encode(&self, to: Encoding) -> Result<Self::Bytes, ArrowError> {
        if to == Encoding::Utf8 {
            with_rows(self, |_| Ok(()))?;
            let nulls = counted(self.nulls());
            let is_right = nulls.as_ref().is_none_or(|nulls| nulls.null_count() == self.null_count());
            if is_right && (0..self.len()).all(|row| self.is_valid(row) || self.views()[row] == 0) {
                return Ok(self.clone().to_binary_view());
            }
            // The views of null rows have not been checked, and Arrow demands valid ones.
            let view = |(row, &view)| if self.is_null(row) { 0 } else { view };
            let views = self.views().iter().enumerate().map(view).collect();
            return BinaryViewArray::try_new(views, self.data_buffers().to_vec(), nulls);
        }
        let (views, buffers, nulls) = with_rows(self, |rows| convert(self, rows, to))?;
        BinaryViewArray::try_new(views, buffers, nulls)
    }
}

/// Makes an array of string views from buffers that nobody has checked. Without errors, nothing is copied.
///
/// # Errors
///
/// [`ArrowError::InvalidArgumentError`] for views that do not point into `buffers`, or differ from what is there, and for
/// `nulls` of another length; [`ArrowError::ExternalError`] with a [`TextError`], as [`decode`](crate::decode).
///
/// ```
/// use arrow_array::builder::make_view;
/// use arrow_buffer::Buffer;
/// use fastutf_arrow::{Policy, string_view_array};
///
/// let long = "a text of more than 12 bytes".as_bytes();
/// let views = vec![make_view("zł".as_bytes(), 0, 0), make_view(long, 0, 0)];
/// let text = string_view_array(views.into(), vec![Buffer::from(long)], None, Policy::Error)?;
/// assert_eq!(text.value(0), "zł");
///
/// let views = vec![make_view(b"\xFF", 0, 0)];
/// let error = string_view_array(views.into(), vec![], None, Policy::Error).unwrap_err();
/// assert_eq!(error.to_string(), "External error: row 0, byte 0: invalid lead byte");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn string_view_array(
    views: ScalarBuffer<u128>,
    buffers: Vec<Buffer>,
    nulls: Option<NullBuffer>,
    policy: Policy,
) -> Result<StringViewArray, ArrowError> {
    BinaryViewArray::try_new(views, buffers, nulls)?.decode(Encoding::Utf8, policy)
}
