//! New `bytes` objects, filled by a conversion.

use std::mem::MaybeUninit;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Makes a `bytes` object of `len` bytes. `fill` writes them, and returns how many it has written, from the start: if that
/// is not `len`, the result is `None`. Zeroing them first, as pyo3's function for this does, would cost as much as the
/// conversion.
#[inline]
pub(crate) fn new_bytes<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> PyResult<usize>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if len == 0 {
        // CPython has only one empty `bytes` object, which is no memory of ours.
        return Ok((fill(&mut [])? == 0).then(|| PyBytes::new(py, b"")));
    }
    if len == 1 {
        // Nor are those with one byte.
        let mut byte = [MaybeUninit::new(0)];
        let written = fill(&mut byte)?;
        // SAFETY: it was initialised, and what writes to it writes initialised values.
        return Ok((written == 1).then(|| PyBytes::new(py, &[unsafe { byte[0].assume_init() }])));
    }
    // SAFETY: with a null pointer, CPython makes an object with `len` uninitialised bytes, which nobody else knows yet, or
    // returns null with the exception set. `len` is at most `isize::MAX`, or CPython refuses it as negative.
    let bytes = unsafe {
        let object = ffi::PyBytes_FromStringAndSize(std::ptr::null(), len as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked::<PyBytes>()
    };
    // SAFETY: these are its `len` bytes, and `bytes` is the only reference to it while `fill` writes. All callers pass as
    // `fill` a conversion of the library, which writes only initialised values, and as many as it says, from the start.
    let room = unsafe {
        let start = ffi::PyBytes_AsString(bytes.as_ptr()).cast::<MaybeUninit<u8>>();
        std::slice::from_raw_parts_mut(start, len)
    };
    // If not all are written, the object is dropped here, unread.
    Ok((fill(room)? == len).then_some(bytes))
}
