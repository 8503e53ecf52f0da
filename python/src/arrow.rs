//! Arrow's PyCapsule interface: arrays and streams of arrays from other packages, and for them. Nothing is copied.
//!
//! An array from elsewhere is input. `checked` compares its numbers with what its type has, before anything uses them. Its
//! offsets, and the views of rows that are not null, are checked by each function of fastutf-arrow, and before this package
//! looks at a row itself. Text is taken as bytes. That memory is there behind the pointers cannot be checked, as the interface
//! does not say how long it is: SAFETY.md says what the producer promises.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The arrays of a column, as bytes.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) chunks: Vec<ArrayRef>,
    /// What becomes of no chunks at all.
    pub(crate) data_type: DataType,
    pub(crate) is_stream: bool,
}

/// Reads an object with `__arrow_c_array__` or `__arrow_c_stream__`.
pub(crate) fn import(column: &Bound<'_, PyAny>) -> PyResult<Imported> {
    if let Some(export) = column.getattr_opt("__arrow_c_array__")? {
        let capsules = export.call0()?;
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
        let data_type = read_schema(schema.cast()?)?;
        let chunks = vec![read_array(array.cast()?, &data_type)?];
        return Ok(Imported { chunks, data_type, is_stream: false });
    }
    if let Some(export) = column.getattr_opt("__arrow_c_stream__")? {
        let capsule = export.call0()?;
        let (data_type, chunks) = read_stream(capsule.cast()?)?;
        return Ok(Imported { chunks, data_type, is_stream: true });
    }
    Err(PyTypeError::new_err(format!(
        "a column of pyarrow, polars, pandas or another package is required, with __arrow_c_array__ or __arrow_c_stream__, \
         not '{}'",
        column.get_type().name()?
    )))
}

fn invalid(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn released(what: &str) -> PyErr {
    PyValueError::new_err(format!("the {what} has been released"))
}

/// The type of a column: text is bytes that may be ill-formed.
fn bytes_type(schema: &FFI_ArrowSchema) -> PyResult<DataType> {
    if schema.release.is_none() {
        return Err(released("schema"));
    }
    if !schema.dictionary.is_null() {
        return Err(PyTypeError::new_err(
            "a column of binary or text is required, not of a dictionary: cast it first",
        ));
    }
    if schema.format.is_null() {
        return Err(PyValueError::new_err("the schema has no format"));
    }
    // SAFETY: it has one, which ends with 0.
    let format = unsafe { CStr::from_ptr(schema.format) };
    let found = match format.to_bytes() {
        b"z" | b"u" => return Ok(DataType::Binary),
        b"Z" | b"U" => return Ok(DataType::LargeBinary),
        b"vz" | b"vu" => return Ok(DataType::BinaryView),
        b"+s" => "a table or struct: a single column is needed".to_owned(),
        // arrow-array would look for their children, or panic.
        [b'+', ..] => "a column of lists or other nested types".to_owned(),
        _ => match format.to_str().ok().and_then(|_| DataType::try_from(schema).ok()) {
            Some(found) => found.to_string(),
            None => format!("of the unknown format {format:?}"),
        },
    };
    Err(PyTypeError::new_err(format!("a column of binary or text is required, not {found}")))
}

fn read_schema(capsule: &Bound<'_, PyCapsule>) -> PyResult<DataType> {
    let schema = capsule.pointer_checked(Some(SCHEMA))?;
    // SAFETY: by this name, the capsule has an `ArrowSchema`, which lives as long as the capsule.
    bytes_type(unsafe { schema.cast::<FFI_ArrowSchema>().as_ref() })
}

fn read_array(capsule: &Bound<'_, PyCapsule>, data_type: &DataType) -> PyResult<ArrayRef> {
    let array = capsule.pointer_checked(Some(ARRAY))?;
    // SAFETY: by this name, the capsule has an `ArrowArray`. It is moved out, and a released one left in its place.
    let array = unsafe { FFI_ArrowArray::from_raw(array.cast().as_ptr()) };
    made_array(array, data_type)
}

/// An `ArrowArray` of the C data interface: its layout is the same in all programs. arrow-array's own type has no access to
/// all of its fields, or panics.
#[repr(C)]
struct RawArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *const c_void,
    dictionary: *const c_void,
    release: Option<unsafe extern "C" fn()>,
    private_data: *const c_void,
}
const _: () = assert!(size_of::<RawArray>() == size_of::<FFI_ArrowArray>());

/// Checks the numbers of an array that has rows: what arrow-array calculates from them does not overflow, and it finds the
/// buffers that it expects.
fn checked(array: &FFI_ArrowArray, data_type: &DataType) -> Result<(), &'static str> {
    // SAFETY: both have the layout that the C data interface prescribes.
    let array = unsafe { &*(&raw const *array).cast::<RawArray>() };
    // No memory has as many rows, of at least 4 bytes each.
    let most = isize::MAX as i64 / 16;
    if !(0..most).contains(&array.length) || !(0..most - array.length).contains(&array.offset) {
        return Err("its length or its offset cannot be");
    }
    if !(-1..=array.length).contains(&array.null_count) {
        return Err("its number of nulls cannot be");
    }
    if array.n_children != 0 || !array.dictionary.is_null() {
        return Err("it has children or a dictionary");
    }
    let is_view = *data_type == DataType::BinaryView;
    let enough = if is_view { (3..=i64::from(i32::MAX)).contains(&array.n_buffers) } else { array.n_buffers == 3 };
    if !enough || array.buffers.is_null() {
        return Err("its type has another number of buffers");
    }
    // SAFETY: it has as many pointers to buffers as it says.
    let buffers = unsafe { std::slice::from_raw_parts(array.buffers, array.n_buffers as usize) };
    // The rows before the first one exist, too.
    let rows = (array.offset + array.length) as usize;
    if buffers[0].is_null() && array.null_count > 0 {
        return Err("it has nulls, and no validity bitmap");
    }
    if buffers[1].is_null() {
        return Err("it has rows, and no offsets or views");
    }
    if is_view {
        let [data @ .., sizes] = &buffers[2..] else { return Err("its type has another number of buffers") };
        if sizes.is_null() && !data.is_empty() {
            return Err("the lengths of its buffers are missing");
        }
        for (at, data) in data.iter().enumerate() {
            // SAFETY: this buffer has the length of each other one. It need not be aligned.
            let size = unsafe { sizes.cast::<i64>().add(at).read_unaligned() };
            if size < 0 || size as u64 > isize::MAX as u64 || data.is_null() && size != 0 {
                return Err("a buffer has a length that cannot be, or is missing");
            }
        }
        return Ok(());
    }
    let last = if *data_type == DataType::Binary {
        // SAFETY: there is one more offset than rows. It need not be aligned.
        unsafe { buffers[1].cast::<i32>().add(rows).read_unaligned() }.into()
    } else {
        // SAFETY: as above.
        unsafe { buffers[1].cast::<i64>().add(rows).read_unaligned() }
    };
    if last < 0 || last as u64 > isize::MAX as u64 || buffers[2].is_null() && last != 0 {
        return Err("its last offset cannot be, or its values are missing");
    }
    Ok(())
}

fn made_array(mut array: FFI_ArrowArray, data_type: &DataType) -> PyResult<ArrayRef> {
    if array.is_released() {
        return Err(released("array"));
    }
    if array.is_empty() {
        // An empty slice: arrow-array would give it no values, and offsets beyond them.
        return Ok(new_empty_array(data_type));
    }
    checked(&array, data_type)
        .map_err(|why| PyValueError::new_err(format!("the array is forged or damaged: {why}")))?;
    // SAFETY: as in `checked`. Nulls are counted by the bitmap, as another number would make rows null that are not, or text
    // of those that are.
    unsafe { (*(&raw mut array).cast::<RawArray>()).null_count = -1 };
    // SAFETY: `checked` has compared its numbers with what its type has; that its memory is there, the producer promises.
    // Binary and text have the same buffers, and all bytes are binary.
    let mut data = unsafe { from_ffi_and_data_type(array, data_type.clone()) }.map_err(invalid)?;
    data.align_buffers();
    Ok(make_array(data))
}

fn read_stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<(DataType, Vec<ArrayRef>)> {
    let stream = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: by this name, the capsule has an `ArrowArrayStream`. It is moved out, and a released one left in its place.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.cast().as_ptr()) };
    // What has been released may keep its other pointers.
    let (Some(_), Some(get_schema), Some(get_next)) = (stream.release, stream.get_schema, stream.get_next) else {
        return Err(released("stream"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream's own functions, as it has not been released, with room for the result.
    let status = unsafe { get_schema(&mut stream, &mut schema) };
    check(status, &mut stream)?;
    let data_type = bytes_type(&schema)?;
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let status = unsafe { get_next(&mut stream, &mut array) };
        check(status, &mut stream)?;
        if array.is_released() {
            return Ok((data_type, chunks));
        }
        chunks.push(made_array(array, &data_type)?);
    }
}

/// The error of a stream's last call, if there was one.
fn check(status: c_int, stream: &mut FFI_ArrowArrayStream) -> PyResult<()> {
    if status == 0 {
        return Ok(());
    }
    let message = stream.get_last_error.and_then(|get| {
        // SAFETY: the stream's own function, right after a call that has failed; its string lives until the next one.
        unsafe {
            let message = get(stream);
            (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
        }
    });
    Err(PyRuntimeError::new_err(message.unwrap_or_else(|| format!("the stream of arrays fails with {status}"))))
}

fn field(data_type: &DataType) -> Field {
    Field::new("", data_type.clone(), true)
}

/// A capsule with the type of a column.
pub(crate) fn schema_capsule<'py>(py: Python<'py>, data_type: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field(data_type)).map_err(invalid)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The capsules of `__arrow_c_array__`.
pub(crate) fn array_capsules<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let schema = schema_capsule(py, array.data_type())?;
    let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)?;
    (schema, array).into_pyobject(py)
}

/// What a stream of ours has.
struct Chunks {
    data_type: DataType,
    chunks: std::vec::IntoIter<ArrayRef>,
    error: Option<CString>,
}

/// The capsule of `__arrow_c_stream__`. (arrow-array has streams of record batches only.)
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    data_type: &DataType,
    chunks: &[ArrayRef],
) -> PyResult<Bound<'py, PyCapsule>> {
    let chunks: Vec<ArrayRef> = chunks.to_vec();
    let chunks = Chunks { data_type: data_type.clone(), chunks: chunks.into_iter(), error: None };
    let mut stream = FFI_ArrowArrayStream::empty();
    stream.get_schema = Some(get_schema);
    stream.get_next = Some(get_next);
    stream.get_last_error = Some(get_last_error);
    stream.release = Some(release);
    stream.private_data = Box::into_raw(Box::new(chunks)).cast();
    PyCapsule::new_with_value(py, stream, STREAM)
}

const EINVAL: c_int = 22;

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the consumer passes the stream that `stream_capsule` has made, not released yet, from one thread at a time, and
    // room for the result.
    unsafe {
        let chunks = &mut *(*stream).private_data.cast::<Chunks>();
        match FFI_ArrowSchema::try_from(field(&chunks.data_type)) {
            Ok(schema) => {
                out.write(schema);
                0
            }
            Err(error) => {
                chunks.error = CString::new(error.to_string()).ok();
                EINVAL
            }
        }
    }
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as above.
    unsafe {
        let chunks = &mut *(*stream).private_data.cast::<Chunks>();
        let next = chunks.chunks.next();
        out.write(next.map_or_else(FFI_ArrowArray::empty, |array| FFI_ArrowArray::new(&array.to_data())));
    }
    0
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: as above.
    let chunks = unsafe { &*(*stream).private_data.cast::<Chunks>() };
    chunks.error.as_ref().map_or(std::ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: as above; called once, as it marks the stream as released.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Chunks>()));
        (*stream).private_data = std::ptr::null_mut::<c_void>();
        (*stream).release = None;
    }
}
