//! CPython's exceptions for ill-formed text.
//!
//! The library says where the first ill-formed sequence starts. Its end and the reason are CPython's own words: its decoder
//! is asked for the few bytes from there on, which are enough for it to decide.

use fastutf::stream::{ByteOrder, Encoding};
use pyo3::exceptions::{PyRuntimeError, PyUnicodeDecodeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::Input;
use crate::strings;

/// A sequence is decided within 4 bytes: of UTF-8, the longest; of UTF-16, a high surrogate and what follows. So these are
/// never "unexpected end of data", unless the text ends with them.
const WINDOW: usize = 4;

pub(crate) fn utf16(order: ByteOrder) -> Encoding {
    match order {
        ByteOrder::Little => Encoding::Utf16Le,
        ByteOrder::Big => Encoding::Utf16Be,
    }
}

/// `UnicodeDecodeError` for the ill-formed sequence that starts at `at`.
#[cold]
pub(crate) fn decode_error(input: &Input<'_, '_>, encoding: Encoding, at: usize) -> PyErr {
    let object = match input.object.cast_exact::<PyBytes>() {
        Ok(bytes) => bytes.clone(),
        Err(_) => PyBytes::new(input.py(), input.bytes()),
    };
    error_in(&object, encoding, at)
}

/// The same for a text that is `object`.
#[cold]
pub(crate) fn error_in(object: &Bound<'_, PyBytes>, encoding: Encoding, at: usize) -> PyErr {
    let make = || {
        let py = object.py();
        let bytes = object.as_bytes();
        let window = &bytes[at..bytes.len().min(at + WINDOW)];
        let error = match encoding {
            Encoding::Utf8 => strings::decode_utf8(py, window, false),
            Encoding::Utf16Le => strings::decode_utf16(py, window, ByteOrder::Little, false),
            _ => strings::decode_utf16(py, window, ByteOrder::Big, false),
        };
        let Err(error) = error else { return Ok(changed()) };
        if !error.is_instance_of::<PyUnicodeDecodeError>(py) {
            return Ok(error);
        }
        let error = error.into_value(py).into_bound(py);
        let start: usize = error.getattr("start")?.extract()?;
        let end: usize = error.getattr("end")?.extract()?;
        if start != 0 {
            return Ok(changed());
        }
        let arguments = (error.getattr("encoding")?, object, at, at + end, error.getattr("reason")?);
        let error = py.get_type::<PyUnicodeDecodeError>().call1(arguments)?;
        Ok(PyErr::from_value(error))
    };
    make().unwrap_or_else(|error: PyErr| error)
}

/// Two looks at a buffer saw different bytes.
#[cold]
pub(crate) fn changed() -> PyErr {
    PyRuntimeError::new_err("the buffer was changed by somebody else while it was read")
}
