//! Columns of strings, as pyarrow, polars, pandas and DuckDB have them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, new_empty_array};
use arrow_schema::{ArrowError, DataType};
use fastutf::stream::ByteOrder;
use fastutf_arrow::{Encoding, Policy, TextError, TextErrorKind};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};

use crate::arrow::{Imported, array_capsules, import, schema_capsule, stream_capsule};
use crate::entry::{Optional, functions};
use crate::errors::error_in;
use crate::options;
use crate::transcode::without_odd_end;

/// A column that a function of this package has made. It has ``__arrow_c_array__``: ``pyarrow.array(column)`` and
/// ``polars.Series(column)`` take it over without a copy.
#[pyclass(module = "fastutf", frozen)]
#[derive(Debug)]
pub(crate) struct Column {
    array: ArrayRef,
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self) -> String {
        format!("<fastutf.Column of {} {}>", self.array.len(), self.array.data_type())
    }

    /// The number of rows that are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    /// Arrow's name of the type, such as "Utf8" or "LargeBinary".
    #[getter]
    fn r#type(&self) -> String {
        self.array.data_type().to_string()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, self.array.data_type())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // a wish, which need not be granted
        array_capsules(py, &self.array)
    }
}

/// A column in chunks, made of one in chunks. It has ``__arrow_c_stream__``: ``pyarrow.chunked_array(column)`` and
/// ``polars.Series(column)`` take it over without a copy.
#[pyclass(module = "fastutf", frozen)]
#[derive(Debug)]
pub(crate) struct ChunkedColumn {
    chunks: Vec<ArrayRef>,
    data_type: DataType,
}

#[pymethods]
impl ChunkedColumn {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        let (rows, chunks) = (self.__len__(), self.chunks.len());
        format!("<fastutf.ChunkedColumn of {rows} {} in {chunks} chunks>", self.data_type)
    }

    /// The number of rows that are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count()).sum()
    }

    /// Arrow's name of the type, such as "Utf8" or "LargeBinary".
    #[getter]
    fn r#type(&self) -> String {
        self.data_type.to_string()
    }

    /// The chunks, each a Column.
    #[getter]
    fn chunks(&self) -> Vec<Column> {
        self.chunks.iter().map(|array| Column { array: Arc::clone(array) }).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.data_type)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        stream_capsule(py, &self.data_type, &self.chunks)
    }
}

/// The error that stops a column.
enum Failure {
    Arrow(ArrowError),
    /// The first ill-formed row: its number in the whole column, its bytes, and where in it.
    IllFormed {
        row: usize,
        bytes: Vec<u8>,
        at: usize,
    },
    TooLong {
        row: usize,
    },
}

impl Failure {
    fn exception(self, py: Python<'_>, encoding: Encoding) -> PyErr {
        match self {
            Self::IllFormed { row, bytes, at } => {
                let error = error_in(&PyBytes::new(py, &bytes), encoding, at);
                in_row(py, &error, row).unwrap_or(error)
            }
            Self::TooLong { row } => PyOverflowError::new_err(format!(
                "row {row} ends beyond 2 GB, which the offsets of this type cannot say: use large_binary or chunks"
            )),
            Self::Arrow(error) => PyValueError::new_err(error.to_string()),
        }
    }
}

/// The same exception as `ColumnDecodeError`, which names the row.
fn in_row(py: Python<'_>, error: &PyErr, row: usize) -> PyResult<PyErr> {
    let value = error.value(py);
    let class = py.import("fastutf._errors")?.getattr("ColumnDecodeError")?;
    let arguments =
        (value.getattr("encoding")?, value.getattr("object")?, value.getattr("start")?, value.getattr("end")?);
    let exception = class.call1((arguments.0, arguments.1, arguments.2, arguments.3, value.getattr("reason")?))?;
    exception.setattr("row", row)?;
    Ok(PyErr::from_value(exception))
}

/// The error of a row of the chunk that begins with the row `before` of the column.
fn failure(error: TextError, chunk: &dyn Array, before: usize) -> Failure {
    let row = before + error.row;
    if error.kind == TextErrorKind::TooLong {
        return Failure::TooLong { row };
    }
    let bytes = match chunk.data_type() {
        DataType::Binary => chunk.as_binary::<i32>().value(error.row),
        DataType::LargeBinary => chunk.as_binary::<i64>().value(error.row),
        _ => chunk.as_binary_view().value(error.row),
    };
    Failure::IllFormed { row, bytes: bytes.to_vec(), at: error.offset }
}

fn arrow_failure(error: ArrowError, chunk: &dyn Array, before: usize) -> Failure {
    if let ArrowError::ExternalError(inner) = &error
        && let Some(error) = inner.downcast_ref::<TextError>()
    {
        return failure(*error, chunk, before);
    }
    Failure::Arrow(error)
}

/// Does the same to each chunk, while other threads run.
fn each<'py>(
    column: &Bound<'py, PyAny>,
    encoding: Encoding,
    output: impl FnOnce(&DataType) -> DataType,
    work: impl Fn(&dyn Array, usize) -> Result<ArrayRef, Failure> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let py = column.py();
    let Imported { chunks, data_type, is_stream } = import(column)?;
    let done: Result<Vec<ArrayRef>, Failure> = py.detach(|| {
        let mut before = 0;
        let done = chunks.iter().map(|chunk| {
            let out = work(chunk, before)?;
            before += chunk.len();
            Ok(out)
        });
        done.collect()
    });
    let mut done = done.map_err(|failure| failure.exception(py, encoding))?;
    if is_stream {
        let column = ChunkedColumn { chunks: done, data_type: output(&data_type) };
        return Ok(Bound::new(py, column)?.into_any());
    }
    let array = done.pop().expect("an array has one chunk");
    Ok(Bound::new(py, Column { array })?.into_any())
}

fn text_type(bytes: &DataType) -> DataType {
    match bytes {
        DataType::Binary => DataType::Utf8,
        DataType::LargeBinary => DataType::LargeUtf8,
        _ => DataType::Utf8View,
    }
}

/// The encoding of each row: without a byte-order mark.
fn encoding(value: Optional<'_, '_>, default: Encoding) -> PyResult<Encoding> {
    value.map_or(Ok(default), |value| options::without_bom(value, "encoding", "a row of a column"))
}

/// The array, whose layout has been checked, without the bytes that CPython's codecs do not look at when they replace:
/// `without_odd_end`. `None`, if no row has one.
fn without_odd_ends(chunk: &dyn Array, order: ByteOrder) -> Option<ArrayRef> {
    fn trimmed<'a, A: FromIterator<Option<&'a [u8]>> + Array + 'static>(
        rows: impl Iterator<Item = Option<&'a [u8]>> + Clone,
        order: ByteOrder,
    ) -> Option<ArrayRef> {
        let any = rows.clone().flatten().any(|row| without_odd_end(row, order).len() != row.len());
        any.then(|| {
            let rows = rows.map(|row| row.map(|row| without_odd_end(row, order)));
            Arc::new(rows.collect::<A>()) as ArrayRef
        })
    }
    match chunk.data_type() {
        DataType::Binary => trimmed::<BinaryArray>(chunk.as_binary::<i32>().iter(), order),
        DataType::LargeBinary => trimmed::<LargeBinaryArray>(chunk.as_binary::<i64>().iter(), order),
        _ => trimmed::<BinaryViewArray>(chunk.as_binary_view().iter(), order),
    }
}

fn decoded(chunk: &dyn Array, before: usize, from: Encoding, policy: Policy) -> Result<ArrayRef, Failure> {
    let order = if from == Encoding::Utf16Be { ByteOrder::Big } else { ByteOrder::Little };
    let trimmed = match (policy, from) {
        (Policy::Replace, Encoding::Utf16Le | Encoding::Utf16Be) => {
            fastutf_arrow::check_layout(chunk).map_err(Failure::Arrow)?;
            without_odd_ends(chunk, order)
        }
        _ => None,
    };
    let chunk = trimmed.as_deref().unwrap_or(chunk);
    fastutf_arrow::decode_any(chunk, from, policy).map_err(|error| arrow_failure(error, chunk, before))
}

functions! {
    table;

    /// Decodes a column of binary to a column of text: Binary to Utf8, LargeBinary to LargeUtf8, BinaryView to Utf8View.
    ///
    /// column is an array or a chunked array of pyarrow, a Series of polars or pandas, or any other object with
    /// ``__arrow_c_array__`` or ``__arrow_c_stream__``. encoding is "utf-8", "utf-16-le" or "utf-16-be". Each row is text by
    /// itself. errors says what becomes of an ill-formed row: "strict" raises ColumnDecodeError, "replace" puts U+FFFD where
    /// CPython has it, "null" makes the row null. Nulls stay null. Well-formed UTF-8 is not copied. A column of text is taken as bytes, and checked.
    ///
    /// The result has ``__arrow_c_array__`` or, if column has chunks, ``__arrow_c_stream__``.
    ///
    /// >>> import fastutf, pyarrow
    /// >>> column = pyarrow.array([b"z\x00B\x01", b"\x00\xdc", None])
    /// >>> pyarrow.array(fastutf.decode_column(column, "utf-16-le", "null")).to_pylist()
    /// ['zł', None, None]
    /// >>> fastutf.decode_column(column, "utf-16-le")
    /// Traceback (most recent call last):
    ///   ...
    /// fastutf.ColumnDecodeError: row 1: 'utf-16-le' codec can't decode bytes in position 0-1: illegal encoding
    fn decode_column(column, encoding = "utf-8", errors = "strict") -> Bound<'py, PyAny> {
        let (from, policy) = (self::encoding(encoding, Encoding::Utf8)?, options::policy(errors)?);
        each(column, from, text_type, |chunk, before| decoded(chunk, before, from, policy))
    }

    /// Encodes a column of text as UTF-16: Utf8 to Binary, LargeUtf8 to LargeBinary, Utf8View to BinaryView.
    ///
    /// column is as for decode_column, encoding is "utf-16-le", "utf-16-be" or "utf-8". Text that is none raises
    /// ColumnDecodeError.
    ///
    /// >>> import fastutf, pyarrow
    /// >>> pyarrow.array(fastutf.encode_column(pyarrow.array(["zł", None]))).to_pylist()
    /// [b'z\x00B\x01', None]
    fn encode_column(column, encoding = "utf-16-le") -> Bound<'py, PyAny> {
        let to = self::encoding(encoding, Encoding::Utf16Le)?;
        each(column, Encoding::Utf8, DataType::clone, |chunk, before| {
            let text = decoded(chunk, before, Encoding::Utf8, Policy::Error)?;
            fastutf_arrow::encode_any(&text, to).map_err(|error| arrow_failure(error, chunk, before))
        })
    }

    /// Raises ColumnDecodeError for the first row that is ill-formed and not null, if there is one.
    ///
    /// column and encoding are as for decode_column.
    ///
    /// >>> import fastutf, pyarrow
    /// >>> fastutf.validate_column(pyarrow.array([b"fine", None]))
    /// >>> fastutf.validate_column(pyarrow.array([b"fine", b"caf\xe9"]))
    /// Traceback (most recent call last):
    ///   ...
    /// fastutf.ColumnDecodeError: row 1: 'utf-8' codec can't decode byte 0xe9 in position 3: unexpected end of data
    fn validate_column(column, encoding = "utf-8") -> Py<PyAny> {
        let encoding = self::encoding(encoding, Encoding::Utf8)?;
        each(column, encoding, DataType::clone, |chunk, before| match first_error(chunk, encoding)? {
            None => Ok(new_empty_array(&DataType::Binary)),
            Some(error) => Err(failure(error, chunk, before)),
        })?;
        Ok(column.py().None())
    }

    /// Returns a column of booleans: which rows are well-formed. Nulls stay null.
    ///
    /// column and encoding are as for decode_column.
    ///
    /// >>> import fastutf, pyarrow
    /// >>> pyarrow.array(fastutf.is_valid_column(pyarrow.array([b"fine", b"caf\xe9", None]))).to_pylist()
    /// [True, False, None]
    fn is_valid_column(column, encoding = "utf-8") -> Bound<'py, PyAny> {
        let encoding = self::encoding(encoding, Encoding::Utf8)?;
        each(column, encoding, |_| DataType::Boolean, |chunk, _| {
            let found = fastutf_arrow::is_well_formed(chunk, encoding).map_err(Failure::Arrow)?;
            Ok(Arc::new(found))
        })
    }
}

fn first_error(chunk: &dyn Array, encoding: Encoding) -> Result<Option<TextError>, Failure> {
    let errors = fastutf_arrow::errors(chunk, encoding).map_err(Failure::Arrow)?;
    Ok(errors.into_iter().next())
}
