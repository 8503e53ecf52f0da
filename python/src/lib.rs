//! The native part of the Python package `fastutf`: its functions and classes are documented where they are defined, as
//! Python's docstrings, and in `docs/python.md`.
//!
//! Layers: `arrow.rs`, `buffer.rs`, `entry.rs`, `output.rs` and `strings.rs` are the borders to
//! CPython and Arrow, and have the unsafe code; `errors.rs` makes
//! CPython's exceptions; `options.rs` reads arguments; `validate.rs`, `transcode.rs`, `decode.rs`, `stream.rs` and `columns.rs` are what
//! users call.
#![deny(unsafe_code)] // but in the modules below that allow it

#[allow(unsafe_code)]
mod arrow;
#[allow(unsafe_code)]
mod buffer;
mod columns;
mod decode;
#[allow(unsafe_code)]
mod entry;
mod errors;
mod options;
#[allow(unsafe_code)]
mod output;
mod stream;
#[allow(unsafe_code)]
mod strings;
mod transcode;
mod validate;

/// UTF-8 and UTF-16, validated and converted with SIMD.
// Without the GIL, a `bytearray` could change while it is read: a free-threaded interpreter switches it on.
#[pyo3::pymodule(gil_used = true)]
mod _fastutf {
    #[pymodule_export]
    use crate::columns::{ChunkedColumn, Column};
    #[pymodule_export]
    use crate::stream::{Chunks, Transcoder, Validator};
    #[pymodule_export]
    use crate::validate::Utf8Info;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        crate::entry::add(module, crate::columns::table())?;
        crate::entry::add(module, crate::decode::table())?;
        crate::entry::add(module, crate::transcode::table())?;
        crate::entry::add(module, crate::validate::table())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
