//! Arrays whose type is known at run time.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryType, ByteArrayType, LargeBinaryType, LargeUtf8Type, Utf8Type};
use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::{ArrowError, DataType};
use fastutf::columns;

use crate::bytes::{column, counted};
use crate::sealed::Decode;
use crate::views::with_rows;
use crate::{Encoding, Policy, TextError, decode, encode};

fn wrong_type(wanted: &str, is: &DataType) -> ArrowError {
    ArrowError::InvalidArgumentError(format!("expected an array of {wanted}, not {is}"))
}

fn not_bytes(array: &dyn Array) -> ArrowError {
    wrong_type("Binary, LargeBinary or BinaryView", array.data_type())
}

/// [`decode`] for an array of type `Binary`, `LargeBinary` or `BinaryView`, which becomes one of type `Utf8`, `LargeUtf8`
/// or `Utf8View`.
///
/// # Errors
///
/// As [`decode`]; and [`ArrowError::InvalidArgumentError`] for an array of another type.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, LargeBinaryArray};
/// use arrow_array::cast::AsArray;
/// use fastutf_arrow::{Encoding, Policy, decode_any};
///
/// let bytes: ArrayRef = Arc::new(LargeBinaryArray::from(vec![b"\x42\x01".as_slice()]));
/// let text = decode_any(&bytes, Encoding::Utf16Le, Policy::Error)?;
/// assert_eq!(text.as_string::<i64>().value(0), "ł");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn decode_any(array: &dyn Array, from: Encoding, policy: Policy) -> Result<ArrayRef, ArrowError> {
    Ok(match array.data_type() {
        DataType::Binary => Arc::new(decode(array.as_binary::<i32>(), from, policy)?),
        DataType::LargeBinary => Arc::new(decode(array.as_binary::<i64>(), from, policy)?),
        DataType::BinaryView => Arc::new(decode(array.as_binary_view(), from, policy)?),
        _ => return Err(not_bytes(array)),
    })
}

/// [`encode`] for an array of type `Utf8`, `LargeUtf8` or `Utf8View`, which becomes one of type `Binary`, `LargeBinary` or
/// `BinaryView`.
///
/// # Errors
///
/// As [`encode`]; and [`ArrowError::InvalidArgumentError`] for an array of another type.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use fastutf_arrow::{Encoding, encode_any};
///
/// let bytes = encode_any(&StringArray::from(vec!["ł"]), Encoding::Utf16Be)?;
/// assert_eq!(bytes.as_binary::<i32>().value(0), b"\x01\x42");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn encode_any(array: &dyn Array, to: Encoding) -> Result<ArrayRef, ArrowError> {
    Ok(match array.data_type() {
        DataType::Utf8 => Arc::new(encode(array.as_string::<i32>(), to)?),
        DataType::LargeUtf8 => Arc::new(encode(array.as_string::<i64>(), to)?),
        DataType::Utf8View => Arc::new(encode(array.as_string_view(), to)?),
        is => return Err(wrong_type("Utf8, LargeUtf8 or Utf8View", is)),
    })
}

/// Checks that each row of an array is within its values: offsets do not run backwards, and views that are not null have
/// the right prefix and point into buffers that exist.
///
/// Arrays have that if Arrow has built them. Others may come from `unsafe` code or over the C data interface. All other
/// functions of this crate check it, too; this one is for code of your own that looks at the rows.
///
/// # Errors
///
/// [`ArrowError::InvalidArgumentError`] that names the first such row; the same for an array that is neither of bytes nor
/// of text.
///
/// ```
/// use arrow_array::BinaryViewArray;
/// use fastutf_arrow::check_layout;
///
/// // SAFETY: nobody reads the row.
/// let forged = unsafe { BinaryViewArray::new_unchecked(vec![100].into(), [], None) };
/// let error = check_layout(&forged).unwrap_err();
/// assert_eq!(error.to_string(), "Invalid argument error: row 0: the view names a buffer that does not exist");
/// ```
pub fn check_layout(array: &dyn Array) -> Result<(), ArrowError> {
    fn bytes<T: ByteArrayType<Offset: columns::Offset>>(array: &dyn Array) -> Result<(), ArrowError> {
        let array = array.as_bytes::<T>();
        column(array.value_data(), array.value_offsets(), array.nulls()).map(|_| ())
    }
    match array.data_type() {
        DataType::Binary => bytes::<BinaryType>(array),
        DataType::LargeBinary => bytes::<LargeBinaryType>(array),
        DataType::Utf8 => bytes::<Utf8Type>(array),
        DataType::LargeUtf8 => bytes::<LargeUtf8Type>(array),
        DataType::BinaryView => with_rows(array.as_binary_view(), |_| Ok(())),
        DataType::Utf8View => with_rows(array.as_string_view(), |_| Ok(())),
        is => Err(wrong_type("bytes or text", is)),
    }
}

/// Returns the error of each row that is ill-formed and not null, in the order of rows.
///
/// # Errors
///
/// [`ArrowError::InvalidArgumentError`] for an array that is not of type `Binary`, `LargeBinary` or `BinaryView`.
///
/// ```
/// use arrow_array::BinaryArray;
/// use fastutf_arrow::{Encoding, errors};
///
/// let bytes = BinaryArray::from(vec![b"a\0".as_slice(), b"a\0\x3D\xD8", b"a"]);
/// let found = errors(&bytes, Encoding::Utf16Le)?;
/// assert_eq!(found[0].to_string(), "row 1, byte 2: high surrogate at end of input");
/// assert_eq!(found[1].to_string(), "row 2, byte 0: incomplete code unit at end of input");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn errors(array: &dyn Array, encoding: Encoding) -> Result<Vec<TextError>, ArrowError> {
    match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().errors(encoding),
        DataType::LargeBinary => array.as_binary::<i64>().errors(encoding),
        DataType::BinaryView => array.as_binary_view().errors(encoding),
        _ => Err(not_bytes(array)),
    }
}

/// Returns which rows are well-formed. Nulls stay null.
///
/// # Errors
///
/// [`ArrowError::InvalidArgumentError`] for an array that is not of type `Binary`, `LargeBinary` or `BinaryView`.
///
/// ```
/// use arrow_array::{BinaryArray, BooleanArray};
/// use fastutf_arrow::{Encoding, is_well_formed};
///
/// let bytes = BinaryArray::from(vec![Some(b"zl".as_slice()), Some(b"z\xFF"), None]);
/// let expected = BooleanArray::from(vec![Some(true), Some(false), None]);
/// assert_eq!(is_well_formed(&bytes, Encoding::Utf8)?, expected);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn is_well_formed(array: &dyn Array, encoding: Encoding) -> Result<BooleanArray, ArrowError> {
    let errors = errors(array, encoding)?;
    let fine = if errors.is_empty() {
        BooleanBuffer::new_set(array.len())
    } else {
        let mut fine = BooleanBufferBuilder::new(array.len());
        fine.append_n(array.len(), true);
        for error in errors {
            fine.set_bit(error.row, false);
        }
        fine.finish()
    };
    Ok(BooleanArray::new(fine, counted(array.nulls())))
}
