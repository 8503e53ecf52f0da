//! Arrow's binary and string arrays, validated and converted between UTF-8 and UTF-16 by
//! fastutf's SIMD code, a whole column at a time.
//!
//! | from | to | function |
//! |---|---|---|
//! | `BinaryArray`, UTF-8 that may be damaged, or UTF-16 | `StringArray` | [`decode`] |
//! | `LargeBinaryArray` | `LargeStringArray` | [`decode`] |
//! | `BinaryViewArray` | `StringViewArray` | [`decode`] |
//! | the string arrays | the binary array of the same kind, UTF-16 or UTF-8 | [`encode`] |
//! | `&dyn Array` | `ArrayRef` | [`decode_any`], [`encode_any`] |
//! | buffers from elsewhere | a string array, checked | [`string_array`], [`string_view_array`] |
//! | an array that `unsafe` code has built | whether its rows are within its values | [`check_layout`] |
//! | a binary array | which rows are text; the errors of the others | [`is_well_formed`], [`errors`] |
//!
//! Arrays need not be valid. An array that `unsafe` code or another library has built is checked before a row is read, and
//! nulls are counted. Views of null rows are not looked at. [`ArrowError::InvalidArgumentError`] names the rule that an array
//! breaks. Results are valid.
//!
//! A [`Policy`] says what becomes of an ill-formed row: an error that names row, byte and kind ([`TextError`]), U+FFFD for
//! what is ill-formed, or a null. Every row is text by itself, as Arrow demands. Nulls stay null, and the bytes of their
//! rows are never an error. If these bytes are not text, they are not shared, as Arrow's string arrays promise text in all
//! rows.
//!
//! Where nothing changes, nothing is copied: the strings of well-formed UTF-8 are the buffer of the bytes. Of a view array,
//! only the rows that are repaired get new memory.
//!
//! ```
//! use arrow_array::{Array, BinaryArray};
//! use fastutf_arrow::{Encoding, Policy, decode};
//!
//! // As a database driver delivers them: "zł" and "€" in UTF-16LE, and a null.
//! let bytes = BinaryArray::from(vec![Some(b"z\0\x42\x01".as_slice()), Some(b"\xAC\x20"), None]);
//! let text = decode(&bytes, Encoding::Utf16Le, Policy::Error)?;
//! assert_eq!((text.value(0), text.value(1), text.is_null(2)), ("zł", "€", true));
//!
//! // UTF-8 of unknown origin. The error says where.
//! let bytes = BinaryArray::from(vec![b"caf\xC3".as_slice(), b"\xA9lait"]);
//! let error = decode(&bytes, Encoding::Utf8, Policy::Error).unwrap_err();
//! assert_eq!(error.to_string(), "External error: row 0, byte 3: incomplete sequence at end of input");
//! let text = decode(&bytes, Encoding::Utf8, Policy::Replace)?;
//! assert_eq!(text.value(0), "caf\u{FFFD}");
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```

mod any;
mod bytes;
mod error;
mod views;

use arrow_array::Array;
use arrow_schema::ArrowError;

pub use any::{check_layout, decode_any, encode_any, errors, is_well_formed};
pub use bytes::string_array;
pub use error::{TextError, TextErrorKind};
pub use fastutf::columns::Policy;
pub use fastutf::stream::Encoding;
pub use views::string_view_array;

/// What is done for each kind of array.
mod sealed {
    use arrow_schema::ArrowError;

    use crate::{Encoding, Policy, TextError};

    pub trait Decode: Sized {
        type Text;
        fn decode(&self, from: Encoding, policy: Policy) -> Result<Self::Text, ArrowError>;
        fn errors(&self, encoding: Encoding) -> Result<Vec<TextError>, ArrowError>;
    }

    pub trait Encode: Sized {
        type Bytes;
        fn encode(&self, to: Encoding) -> Result<Self::Bytes, ArrowError>;
    }
}

/// `BinaryArray`, `LargeBinaryArray` or `BinaryViewArray`.
///
/// ```
/// use arrow_array::{Array, BinaryArray, StringArray};
/// use fastutf_arrow::Bytes;
///
/// fn matching<A: Bytes<Text = T>, T: Array>(_: &A, _: &T) {}
/// matching(&BinaryArray::from(vec![b"a".as_slice()]), &StringArray::from(vec!["a"]));
/// ```
pub trait Bytes: Array + sealed::Decode {}

/// `StringArray`, `LargeStringArray` or `StringViewArray`.
///
/// ```
/// use arrow_array::{Array, BinaryViewArray, StringViewArray};
/// use fastutf_arrow::Text;
///
/// fn matching<A: Text<Bytes = T>, T: Array>(_: &A, _: &T) {}
/// matching(&StringViewArray::from(vec!["a"]), &BinaryViewArray::from(vec![b"a".as_slice()]));
/// ```
pub trait Text: Array + sealed::Encode {}

/// Returns the text of an array of bytes: the string array of the same kind.
///
/// Well-formed UTF-8 is not copied. If the first offset is not 0, because the array is a slice, the offsets are counted
/// anew, and the values are shared.
///
/// # Errors
///
/// [`ArrowError::ExternalError`] with a [`TextError`]: with [`Policy::Error`], the first ill-formed row; with any, the
/// first row that ends beyond 2 GB, in arrays with offsets of 32 bits.
///
/// ```
/// use arrow_array::BinaryViewArray;
/// use fastutf_arrow::{Encoding, Policy, TextError, decode};
/// use arrow_schema::ArrowError;
///
/// let bytes = BinaryViewArray::from(vec![b"\0z".as_slice(), b"\xDC\0"]);
/// let Err(ArrowError::ExternalError(error)) = decode(&bytes, Encoding::Utf16Be, Policy::Error) else { panic!() };
/// let error = error.downcast_ref::<TextError>().unwrap();
/// assert_eq!((error.row, error.offset), (1, 0));
/// assert_eq!(error.kind.to_string(), "unpaired low surrogate");
/// ```
pub fn decode<A: Bytes>(array: &A, from: Encoding, policy: Policy) -> Result<A::Text, ArrowError> {
    array.decode(from, policy)
}

/// Returns the bytes of an array of text in an encoding, without a byte-order mark: the binary array of the same kind.
/// In UTF-8, the buffers are shared.
///
/// # Errors
///
/// [`ArrowError::ExternalError`] with a [`TextError`]: the first row that ends beyond 2 GB, in arrays with offsets of 32
/// bits.
///
/// ```
/// use arrow_array::StringArray;
/// use fastutf_arrow::{Encoding, encode};
///
/// let bytes = encode(&StringArray::from(vec!["zł"]), Encoding::Utf16Le)?;
/// assert_eq!(bytes.value(0), b"z\0\x42\x01");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn encode<A: Text>(array: &A, to: Encoding) -> Result<A::Bytes, ArrowError> {
    array.encode(to)
}
