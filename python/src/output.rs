//! New `bytes` objects, filled by a conversion.

use std::convert::Infallible;
use std::mem::MaybeUninit;

use fastutf::{Conversion, LossyConversion, Stop, Utf8Error, Utf16Error, latin1::ToLatin1Error};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::Input;

/// A conversion of the library: it initialises as many bytes of its output, from the start, as its report says. Only this file
/// makes them, out of the library's own functions: that is what the `unsafe` code below relies on.
pub(crate) struct Converter<R>(fn(&[u8], &mut [MaybeUninit<u8>]) -> R);

/// What a conversion says of its output.
pub(crate) trait Report: Send {
    /// How many bytes it has written, if it has reached the end of the text.
    fn complete(&self) -> Option<usize>;
}

impl<E: Send> Report for Conversion<E> {
    fn complete(&self) -> Option<usize> {
        matches!(self.stop, Stop::Complete).then_some(self.written)
    }
}

impl Report for LossyConversion {
    fn complete(&self) -> Option<usize> {
        matches!(self.stop, Stop::Complete).then_some(self.written)
    }
}

/// The functions of the library, whatever module they are in.
mod all {
    pub(super) use fastutf::{latin1::*, *};
}

macro_rules! converters {
    ($($name:ident: $report:ty = $function:ident;)*) => {
        $(pub(crate) const $name: Converter<$report> = Converter(all::$function);)*
    };
}

converters! {
    UTF16LE_TO_UTF8: Conversion<Utf16Error> = utf16le_to_utf8_uninit;
    UTF16BE_TO_UTF8: Conversion<Utf16Error> = utf16be_to_utf8_uninit;
    UTF16LE_TO_UTF8_LOSSY: LossyConversion = utf16le_to_utf8_lossy_uninit;
    UTF16BE_TO_UTF8_LOSSY: LossyConversion = utf16be_to_utf8_lossy_uninit;
    UTF8_TO_UTF16LE: Conversion<Utf8Error> = utf8_to_utf16le_uninit;
    UTF8_TO_UTF16BE: Conversion<Utf8Error> = utf8_to_utf16be_uninit;
    UTF8_TO_UTF16LE_LOSSY: LossyConversion = utf8_to_utf16le_lossy_uninit;
    UTF8_TO_UTF16BE_LOSSY: LossyConversion = utf8_to_utf16be_lossy_uninit;
    REPAIR_UTF8: LossyConversion = utf8_to_utf8_lossy_uninit;
    LATIN1_TO_UTF8: Conversion<Infallible> = latin1_to_utf8_uninit;
    LATIN1_TO_UTF16LE: Conversion<Infallible> = latin1_to_utf16le_uninit;
    LATIN1_TO_UTF16BE: Conversion<Infallible> = latin1_to_utf16be_uninit;
    UTF8_TO_LATIN1: Conversion<ToLatin1Error<Utf8Error>> = utf8_to_latin1_uninit;
    UTF16LE_TO_LATIN1: Conversion<ToLatin1Error<Utf16Error>> = utf16le_to_latin1_uninit;
    UTF16BE_TO_LATIN1: Conversion<ToLatin1Error<Utf16Error>> = utf16be_to_latin1_uninit;
}

/// Makes a `bytes` object of `len` bytes: the part of the input that `part` returns, converted. `Err` has the report of a
/// conversion that has stopped before the end, or has not made exactly `len` bytes.
///
/// Nothing is zeroed before, as pyo3's function for this does: that would cost as much as the conversion.
#[inline]
pub(crate) fn new_bytes<'py, R: Report>(
    input: &Input<'_, 'py>,
    len: usize,
    part: impl Fn(&[u8]) -> &[u8] + Sync,
    converter: Converter<R>,
) -> PyResult<Result<Bound<'py, PyBytes>, R>> {
    let py = input.py();
    let convert = |room: &mut [MaybeUninit<u8>]| {
        let report = input.release(|src| (converter.0)(part(src), room));
        if report.complete() == Some(room.len()) { Ok(()) } else { Err(report) }
    };
    if len <= 1 {
        // CPython has only one empty `bytes` object, and one of each byte: they are no memory of ours.
        let mut byte = [MaybeUninit::uninit()];
        let room = &mut byte[..len];
        // SAFETY: a conversion has initialised all bytes of `room`.
        let made = convert(room).map(|()| PyBytes::new(py, unsafe { room.assume_init_ref() }));
        return Ok(made);
    }
    // SAFETY: with a null pointer, CPython makes an object with `len` uninitialised bytes, which nobody else knows yet, or
    // returns null with the exception set. `len` is at most `isize::MAX`, or CPython refuses it as negative. These bytes are at
    // the address that it tells, and `bytes` is the only reference to them while the conversion writes.
    let (bytes, room) = unsafe {
        let object = ffi::PyBytes_FromStringAndSize(std::ptr::null(), len as ffi::Py_ssize_t);
        let bytes = Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked::<PyBytes>();
        let start = ffi::PyBytes_AsString(object).cast::<MaybeUninit<u8>>();
        (bytes, std::slice::from_raw_parts_mut(start, len))
    };
    // If not all bytes are written, the object is dropped here, unread.
    Ok(convert(room).map(|()| bytes))
}
