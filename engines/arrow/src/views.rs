//! Arrays of views: 16 bytes for each row, which have a text of at most 12 bytes, or say where it is.

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::{Array, BinaryViewArray, StringViewArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use fastutf::columns::{self, Column, Outcome};

use crate::error::{column_error, of_row, unknown};
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

/// An array of text. Its callers have checked, or converted, every row; rows that are null, too.
fn text(views: ScalarBuffer<u128>, buffers: Arc<[Buffer]>, nulls: Option<NullBuffer>) -> StringViewArray {
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == views.len()));
    // SAFETY: Safe if `try_new` would not fail. It demands `nulls` of as many rows: that was compared. And it demands
    // that every view, null or not, is one into `buffers` and is UTF-8. There are two callers in this file. `decode`
    // passes the views of a `BinaryViewArray`, all of which were found to be UTF-8, with all its buffers; those that were
    // not are replaced by what `make_view` has returned for a text, which lies in the last buffer at that offset, or by
    // 0, the empty text. `convert` passes what `make_view` has returned for rows of a conversion to UTF-8, which lie in
    // the buffer of this number at that offset, or 0.
    unsafe { StringViewArray::new_unchecked(views, buffers, nulls) }
}

impl Decode for BinaryViewArray {
    type Text = StringViewArray;

    fn decode(&self, from: Encoding, policy: Policy) -> Result<Self::Text, ArrowError> {
        if from != Encoding::Utf8 {
            let (views, buffers, nulls) = convert(self, Conversion::Decode(from, policy))?;
            return Ok(text(views, buffers, nulls));
        }
        let Some(first) = first_ill_formed(self, 0) else {
            return Ok(text(self.views().clone(), self.data_buffers().into(), self.nulls().cloned()));
        };
        repair(self, first, policy)
    }

    fn errors(&self, encoding: Encoding) -> Result<Vec<TextError>, ArrowError> {
        let mut errors = Vec::new();
        for row in 0..self.len() {
            let is_ascii = encoding == Encoding::Utf8 && is_short_ascii(self.views()[row]);
            if !is_ascii && self.is_valid(row) {
                errors.extend(of_row(self.value(row), row, encoding)?);
            }
        }
        Ok(errors)
    }
}

fn is_short_ascii(view: u128) -> bool {
    view as u32 <= INLINE && view & NOT_ASCII == 0
}

/// The first row from `from` on that is not UTF-8, null or not.
fn first_ill_formed(array: &BinaryViewArray, from: usize) -> Option<usize> {
    let views = array.views().get(from..)?;
    let is_ill_formed = |(at, &view): (usize, &u128)| {
        !is_short_ascii(view) && fastutf::validate_utf8(array.value(from + at)).is_err()
    };
    views.iter().enumerate().position(is_ill_formed).map(|at| from + at)
}

/// `first` is the first row that is not UTF-8. All others keep their views and their memory.
fn repair(array: &BinaryViewArray, first: usize, policy: Policy) -> Result<StringViewArray, ArrowError> {
    let mut views = array.views().to_vec();
    let mut buffers = array.data_buffers().to_vec();
    let mut valid: Option<BooleanBufferBuilder> = None;
    let mut repaired = Vec::new();
    let mut next = Some(first);
    while let Some(row) = next {
        views[row] = 0;
        if array.is_valid(row) {
            let bytes = array.value(row);
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
        next = first_ill_formed(array, row + 1);
    }
    if !repaired.is_empty() {
        buffers.push(Buffer::from_vec(repaired));
    }
    let nulls = match valid {
        Some(mut valid) => Some(NullBuffer::new(valid.finish())),
        None => array.nulls().cloned(),
    };
    Ok(text(views.into(), buffers.into(), nulls))
}

/// The view of bytes that are, or will be, in this buffer at this offset.
fn view(bytes: &[u8], buffer: usize, offset: usize, row: usize) -> Result<u128, TextError> {
    let fits = bytes.len() <= i32::MAX as usize && offset <= i32::MAX as usize;
    match u32::try_from(buffer) {
        Ok(buffer) if fits => Ok(make_view(bytes, buffer, offset as u32)),
        _ => Err(TextError::too_long(row)),
    }
}

#[derive(Clone, Copy)]
enum Conversion {
    Decode(Encoding, Policy),
    Encode(Encoding),
}

type Parts = (ScalarBuffer<u128>, Arc<[Buffer]>, Option<NullBuffer>);

/// Converts all rows. A block of them is copied to one place, so that it is converted as one text; the output stays where
/// the conversion has written it, and views point there.
fn convert<A: Rows>(array: &A, conversion: Conversion) -> Result<Parts, ArrowError> {
    /// The most rows in a block, and the bytes that end it.
    const BLOCK: usize = 512;
    const LONG: usize = 1 << 26;
    let nulls = array.nulls();
    let mut views = Vec::with_capacity(array.len());
    let mut buffers = Vec::new();
    let mut valid: Option<BooleanBufferBuilder> = None;
    let (mut bytes, mut ends) = (Vec::new(), Vec::<usize>::with_capacity(BLOCK + 1));
    let (mut values, mut offsets) = (Vec::new(), Vec::<usize>::with_capacity(BLOCK + 1));
    let mut any_long = false;
    let mut start = 0;
    while start < array.len() {
        bytes.clear();
        ends.clear();
        ends.push(0);
        let mut rows = 0;
        while rows < BLOCK.min(array.len() - start) && bytes.len() < LONG {
            if nulls.is_none_or(|nulls| nulls.is_valid(start + rows)) {
                array.append(start + rows, &mut bytes);
            }
            ends.push(bytes.len());
            rows += 1;
        }
        let nulls = nulls.map(|nulls| nulls.slice(start, rows));
        if values.len() > FULL || !any_long {
            // All texts so far are in their views, or the buffer is full.
            if any_long {
                buffers.push(Buffer::from_vec(std::mem::take(&mut values)));
                any_long = false;
            }
            values.clear();
        }
        offsets.clear();
        let column = crate::bytes::column(&bytes, &ends, nulls.as_ref())?;
        let outcome = convert_block(column, conversion, start, &mut values, &mut offsets)?;
        if outcome.validity.is_some() || valid.is_some() {
            let valid = valid.get_or_insert_with(|| {
                let mut valid = BooleanBufferBuilder::new(array.len());
                match array.nulls() {
                    Some(nulls) => valid.append_buffer(nulls.slice(0, start).inner()),
                    None => valid.append_n(start, true),
                }
                valid
            });
            match crate::bytes::nulls_after(outcome, nulls.as_ref()) {
                Some(nulls) => valid.append_buffer(nulls.inner()),
                None => valid.append_n(rows, true),
            }
        }
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
    let nulls = match valid {
        Some(mut valid) => Some(NullBuffer::new(valid.finish())),
        None => nulls.cloned(),
    };
    Ok((views.into(), buffers.into(), nulls))
}

/// Appends rows of which the first is the row `base` of its array.
fn convert_block(
    column: Column<'_, usize>,
    conversion: Conversion,
    base: usize,
    values: &mut Vec<u8>,
    offsets: &mut Vec<usize>,
) -> Result<Outcome, ArrowError> {
    let outcome = match conversion {
        Conversion::Decode(Encoding::Utf16Le, policy) => {
            columns::utf16le_to_utf8_append(column, policy, values, offsets)
                .map_err(|error| column_error(base, &error))
        }
        Conversion::Decode(Encoding::Utf16Be, policy) => {
            columns::utf16be_to_utf8_append(column, policy, values, offsets)
                .map_err(|error| column_error(base, &error))
        }
        Conversion::Encode(Encoding::Utf16Le) => {
            columns::utf8_to_utf16le_append(column, Policy::Error, values, offsets)
                .map_err(|error| column_error(base, &error))
        }
        Conversion::Encode(Encoding::Utf16Be) => {
            columns::utf8_to_utf16be_append(column, Policy::Error, values, offsets)
                .map_err(|error| column_error(base, &error))
        }
        Conversion::Decode(encoding, _) | Conversion::Encode(encoding) => return Err(unknown(encoding)),
    };
    Ok(outcome?)
}

/// Views of bytes or of text.
trait Rows: Array {
    /// Appends the bytes of a row.
    fn append(&self, row: usize, bytes: &mut Vec<u8>);
}

impl Rows for BinaryViewArray {
    fn append(&self, row: usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.value(row));
    }
}

impl Rows for StringViewArray {
    fn append(&self, row: usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.value(row).as_bytes());
    }
}

impl Encode for StringViewArray {
    type Bytes = BinaryViewArray;

    fn encode(&self, to: Encoding) -> Result<Self::Bytes, ArrowError> {
        if to == Encoding::Utf8 {
            return Ok(self.clone().to_binary_view());
        }
        let (views, buffers, nulls) = convert(self, Conversion::Encode(to))?;
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
