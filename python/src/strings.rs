//! `str` objects, made by CPython's own decoders: the stable ABI has no other way.

use std::ffi::{CStr, c_char, c_int};

use fastutf::stream::ByteOrder;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

const STRICT: &CStr = c"strict";
const REPLACE: &CStr = c"replace";

fn handler(replace: bool) -> *const c_char {
    if replace { REPLACE } else { STRICT }.as_ptr()
}

fn text(py: Python<'_>, object: *mut ffi::PyObject) -> PyResult<Bound<'_, PyString>> {
    // SAFETY: all callers pass what a function of CPython has just returned: a new reference to a `str`, or null with the
    // exception set.
    unsafe { Ok(Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked()) }
}

/// `bytes.decode("utf-8", errors)`.
pub(crate) fn decode_utf8<'py>(py: Python<'py>, src: &[u8], replace: bool) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (src.as_ptr().cast(), src.len() as ffi::Py_ssize_t);
    // SAFETY: a call into CPython, with the GIL (`py`), a buffer and a string that ends with zero. It only reads them.
    text(py, unsafe { ffi::PyUnicode_DecodeUTF8(start, len, handler(replace)) })
}

/// `bytes.decode("utf-16-le", errors)`, or "utf-16-be".
pub(crate) fn decode_utf16<'py>(
    py: Python<'py>,
    src: &[u8],
    order: ByteOrder,
    replace: bool,
) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (src.as_ptr().cast(), src.len() as ffi::Py_ssize_t);
    let mut order: c_int = match order {
        ByteOrder::Little => -1,
        ByteOrder::Big => 1,
    };
    // SAFETY: as above; `order` is written to.
    text(py, unsafe { ffi::PyUnicode_DecodeUTF16(start, len, handler(replace), &mut order) })
}

/// `bytes.decode("latin-1")`.
pub(crate) fn decode_latin1<'py>(py: Python<'py>, src: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (src.as_ptr().cast(), src.len() as ffi::Py_ssize_t);
    // SAFETY: as above.
    text(py, unsafe { ffi::PyUnicode_DecodeLatin1(start, len, STRICT.as_ptr()) })
}

/// `bytes.decode("utf-16")`.
pub(crate) fn decode_utf16_bom<'py>(py: Python<'py>, src: &[u8], replace: bool) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (src.as_ptr().cast(), src.len() as ffi::Py_ssize_t);
    let mut order: c_int = 0;
    // SAFETY: as above.
    text(py, unsafe { ffi::PyUnicode_DecodeUTF16(start, len, handler(replace), &mut order) })
}

/// A `str` of UTF-32. What is no code point is an error.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(crate) fn from_chars<'py>(py: Python<'py>, src: &[u32]) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (src.as_ptr().cast(), src.len() as ffi::Py_ssize_t);
    // SAFETY: as above; on these systems, a `wchar_t` is a number of 32 bits and means a code point.
    text(py, unsafe { ffi::PyUnicode_FromWideChar(start, len) })
}

/// A `str` of units of UTF-16 in the byte order of this machine.
pub(crate) fn from_units<'py>(py: Python<'py>, src: &[u16]) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (src.as_ptr().cast(), 2 * src.len() as ffi::Py_ssize_t);
    let mut order: c_int = if cfg!(target_endian = "little") { -1 } else { 1 };
    // SAFETY: as above; the units are twice as many bytes.
    text(py, unsafe { ffi::PyUnicode_DecodeUTF16(start, len, STRICT.as_ptr(), &mut order) })
}
