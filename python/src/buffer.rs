//! The bytes of an object: of `bytes`, or of whatever exports a contiguous buffer. Nothing is copied.
//!
//! # When other threads run
//!
//! The bytes of a `bytes` object never change, so the GIL is released while much of it is read. All other buffers may be
//! written to by whoever holds the GIL: a `bytearray`, an array, and a read-only `memoryview` of either. It is held while
//! they are read, in pieces if the work allows that: [`Input::in_pieces`].
//!
//! Code that writes to a buffer without the GIL, and processes that write to a mapped file, are out of reach, as they are
//! for every other function that takes a buffer. Memory safety never depends on bytes that were read before: a conversion
//! checks the room for all that it writes, and CPython's decoders make `str` objects.

use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use pyo3::{PyErr, PyTypeInfo, ffi};

/// From how many bytes on other threads may run: some microseconds of work, beside a tenth for letting go of the GIL.
const RELEASE: usize = 1 << 16;

/// The pieces of buffers that may change, between which other threads may run.
const PIECE: usize = 1 << 20;

/// How often they may run: as between Python's own instructions, by default. After every piece would be too often. A thread
/// asks for the GIL after waiting this long without being woken; if it is woken, it finds the GIL taken again.
const TURN: Duration = Duration::from_millis(5);

/// Releases a buffer, also when its reader panics.
struct Release<'a>(&'a mut MaybeUninit<ffi::Py_buffer>);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        // SAFETY: `read` makes it after `PyObject_GetBuffer` has filled the view, and drops it in a function that holds the
        // GIL.
        unsafe { ffi::PyBuffer_Release(self.0.as_mut_ptr()) }
    }
}

/// The bytes of an object for the duration of a call.
pub(crate) struct Input<'a, 'py> {
    pub(crate) object: &'a Bound<'py, PyAny>,
    start: *const u8,
    len: usize,
}

/// Whether an object exports a buffer.
pub(crate) fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a call into CPython, with the GIL and a live object.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// Calls `reader` with the bytes of `object`. Fails as CPython does if there are none: `TypeError` for a `str` or a number,
/// `BufferError` for a buffer that is not contiguous, `ValueError` for one that has been closed or released.
#[inline]
pub(crate) fn read<'a, 'py, R>(
    object: &'a Bound<'py, PyAny>,
    reader: impl FnOnce(Input<'a, 'py>) -> PyResult<R>,
) -> PyResult<R> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        return reader(Input { object, start: bytes.as_ptr(), len: bytes.len() });
    }
    if !is_buffer(object) {
        let name = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a bytes-like object is required, not '{name}'")));
    }
    // It stays where it is until it is released: exporters may keep pointers into it. (pyo3's `PyUntypedBuffer` allocates
    // memory for it, and asks for formats and shapes, too: `is_valid_utf8` of a `bytearray` of 8 to 32 bytes then takes 1.7 times
    // as long, 57 ns for 34.)
    let mut view = MaybeUninit::uninit();
    // SAFETY: a call into CPython, with the GIL, a live object and room for the view. If the call succeeds, it has filled it.
    if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), ffi::PyBUF_SIMPLE) } != 0 {
        return Err(PyErr::fetch(object.py()));
    }
    let view = Release(&mut view);
    // SAFETY: filled, as above.
    let (start, len) = unsafe {
        let view = view.0.assume_init_ref();
        (view.buf.cast_const().cast::<u8>(), view.len as usize)
    };
    // An empty buffer may be at null.
    let start = if len == 0 { std::ptr::dangling() } else { start };
    reader(Input { object, start, len })
}

impl<'py> Input<'_, 'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.object.py()
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All bytes, to be read while the GIL is held.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: an `Input` exists only within `read`: while the object of `bytes` is borrowed, or while the exporter must
        // keep the buffer where it is. Such a buffer has `len` bytes from `start` on, all initialised. They do not change
        // while the GIL is held. It is held except in `release`, which checks for `bytes`, and between the pieces of
        // `in_pieces`, which keeps no slice there. (Writers without the GIL: see the head of this file.)
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    /// Whether the bytes cannot change: those of `bytes`, maybe in a `memoryview`.
    fn is_constant(&self) -> bool {
        if PyBytes::is_type_of(self.object) {
            return true;
        }
        PyMemoryView::is_exact_type_of(self.object)
            && self.object.getattr("obj").is_ok_and(|owner| PyBytes::is_exact_type_of(&owner))
    }

    /// Does some work on all bytes, and lets other threads run if there are many bytes, which cannot change.
    #[inline]
    pub(crate) fn release<R: Send>(&self, work: impl FnOnce(&[u8]) -> R + Send) -> R {
        let bytes = self.bytes();
        if bytes.len() >= RELEASE && self.is_constant() { self.py().detach(|| work(bytes)) } else { work(bytes) }
    }

    /// Whether the bytes are best looked at all at once: there are not many, or other threads run meanwhile.
    pub(crate) fn is_whole(&self) -> bool {
        self.len <= PIECE || self.is_constant()
    }

    /// Does some work piece by piece, and lets other threads run between two of them, every 5 milliseconds.
    pub(crate) fn in_pieces<E>(&self, mut work: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let (mut at, mut turn) = (0, None);
        while at < self.len {
            // Anew for each piece, as the bytes may change in between.
            let bytes = self.bytes();
            let end = bytes.len().min(at + PIECE);
            work(&bytes[at..end])?;
            at = end;
            if at < self.len && turn.get_or_insert_with(Instant::now).elapsed() >= TURN {
                self.py().detach(|| ());
                turn = None;
            }
        }
        Ok(())
    }
}
