//! `str` objects, made by CPython's own decoders: the stable ABI has no other way.

use std::ffi::c_int;

use fastutf::stream::ByteOrder;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::options::NATIVE;

/// What CPython decodes.
#[derive(Clone, Copy)]
enum Encoded<'a> {
    /// `bytes.decode("utf-8", errors)`.
    Utf8(&'a [u8]),
    /// `bytes.decode("utf-16-le", errors)`, or "utf-16-be"; "utf-16" without a byte order.
    Utf16(&'a [u8], Option<ByteOrder>),
    /// `bytes.decode("latin-1")`.
    Latin1(&'a [u8]),
    /// Units of UTF-16 in the byte order of this machine.
    Units(&'a [u16]),
    /// UTF-32. What is no code point is an error.
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    Chars(&'a [u32]),
}

fn decoded<'py>(py: Python<'py>, text: Encoded<'_>, replace: bool) -> PyResult<Bound<'py, PyString>> {
    let errors = if replace { c"replace" } else { c"strict" }.as_ptr();
    let number = |order| match order {
        None => 0,
        Some(ByteOrder::Little) => -1,
        Some(ByteOrder::Big) => 1,
    };
    // A slice has at most `isize::MAX` bytes.
    let len = |bytes: usize| bytes as ffi::Py_ssize_t;
    // SAFETY: calls into CPython, with the GIL (`py`), with the start of a slice and how much memory it has, in bytes or, for
    // `wchar_t`, which is a code point of 32 bits on these systems, in elements; and with a string that ends with zero. They
    // only read these, and write to `order`. Each returns a new reference to a `str`, or null with the exception set.
    unsafe {
        let object = match text {
            Encoded::Utf8(src) => ffi::PyUnicode_DecodeUTF8(src.as_ptr().cast(), len(src.len()), errors),
            Encoded::Utf16(src, order) => {
                let mut order: c_int = number(order);
                ffi::PyUnicode_DecodeUTF16(src.as_ptr().cast(), len(src.len()), errors, &mut order)
            }
            Encoded::Latin1(src) => ffi::PyUnicode_DecodeLatin1(src.as_ptr().cast(), len(src.len()), errors),
            Encoded::Units(src) => {
                let mut order: c_int = number(Some(NATIVE));
                ffi::PyUnicode_DecodeUTF16(src.as_ptr().cast(), len(size_of_val(src)), errors, &mut order)
            }
            #[cfg(any(target_os = "linux", target_vendor = "apple"))]
            Encoded::Chars(src) => ffi::PyUnicode_FromWideChar(src.as_ptr().cast(), len(src.len())),
        };
        Ok(Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked())
    }
}

/// `bytes.decode("utf-8", errors)`.
pub(crate) fn decode_utf8<'py>(py: Python<'py>, src: &[u8], replace: bool) -> PyResult<Bound<'py, PyString>> {
    decoded(py, Encoded::Utf8(src), replace)
}

/// `bytes.decode("utf-16-le", errors)`, or "utf-16-be".
pub(crate) fn decode_utf16<'py>(
    py: Python<'py>,
    src: &[u8],
    order: ByteOrder,
    replace: bool,
) -> PyResult<Bound<'py, PyString>> {
    decoded(py, Encoded::Utf16(src, Some(order)), replace)
}

/// `bytes.decode("utf-16", errors)`.
pub(crate) fn decode_utf16_bom<'py>(py: Python<'py>, src: &[u8], replace: bool) -> PyResult<Bound<'py, PyString>> {
    decoded(py, Encoded::Utf16(src, None), replace)
}

/// `bytes.decode("latin-1")`.
pub(crate) fn decode_latin1<'py>(py: Python<'py>, src: &[u8]) -> PyResult<Bound<'py, PyString>> {
    decoded(py, Encoded::Latin1(src), false)
}

/// A `str` of UTF-32. What is no code point is an error.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(crate) fn from_chars<'py>(py: Python<'py>, src: &[u32]) -> PyResult<Bound<'py, PyString>> {
    decoded(py, Encoded::Chars(src), false)
}

/// A `str` of units of UTF-16 in the byte order of this machine.
pub(crate) fn from_units<'py>(py: Python<'py>, src: &[u16]) -> PyResult<Bound<'py, PyString>> {
    decoded(py, Encoded::Units(src), false)
}
