//! The arguments `byteorder` and `errors`, and names of encodings.

use fastutf::stream::{ByteOrder, Encoding, Source};
use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::entry::{Optional, is};

pub(crate) const NATIVE: ByteOrder =
    if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };

/// The argument `byteorder`.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Fixed(ByteOrder),
    /// A byte-order mark decides, and is no part of the text.
    Bom,
}

impl Order {
    /// The byte order of a text, and the length of the byte-order mark to skip.
    pub(crate) fn resolve(self, src: &[u8]) -> (ByteOrder, usize) {
        match self {
            Self::Fixed(order) => (order, 0),
            Self::Bom => match (Source::Utf16 { fallback: NATIVE }).resolve(src) {
                (Encoding::Utf16Be, skip) => (ByteOrder::Big, skip),
                (_, skip) => (ByteOrder::Little, skip),
            },
        }
    }
}

pub(crate) fn check_type(value: Borrowed<'_, '_, PyAny>, name: &str) -> PyResult<()> {
    if value.is_instance_of::<PyString>() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} must be str, not {}", value.get_type().name()?)))
}

/// `byteorder`: "little" if it is not given.
pub(crate) fn byte_order(value: Optional<'_, '_>) -> PyResult<Order> {
    let Some(value) = value else { return Ok(Order::Fixed(ByteOrder::Little)) };
    if is(value, c"little") {
        Ok(Order::Fixed(ByteOrder::Little))
    } else if is(value, c"big") {
        Ok(Order::Fixed(ByteOrder::Big))
    } else if is(value, c"bom") {
        Ok(Order::Bom)
    } else {
        check_type(value, "byteorder")?;
        Err(PyValueError::new_err("byteorder must be 'little', 'big' or 'bom'"))
    }
}

/// `byteorder` of an output, which has no byte-order mark.
pub(crate) fn output_order(value: Optional<'_, '_>) -> PyResult<ByteOrder> {
    match byte_order(value)? {
        Order::Fixed(order) => Ok(order),
        Order::Bom => Err(PyValueError::new_err("byteorder must be 'little' or 'big' here")),
    }
}

/// `errors`: whether it is "replace"; "strict" if it is not given.
pub(crate) fn replace(value: Optional<'_, '_>) -> PyResult<bool> {
    let Some(value) = value else { return Ok(false) };
    if is(value, c"strict") {
        Ok(false)
    } else if is(value, c"replace") {
        Ok(true)
    } else {
        check_type(value, "errors")?;
        Err(PyValueError::new_err(format!("errors must be 'strict' or 'replace', not {}", value.repr()?)))
    }
}

/// The name of an encoding as CPython's codecs have it, in any of its spellings that are common.
fn normalized(name: &str) -> String {
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    name.to_ascii_lowercase()
}

/// The encoding of an input, as CPython's codec of that name treats it.
pub(crate) fn source(name: &str) -> PyResult<Source> {
    Ok(match &*normalized(name) {
        "utf8" | "u8" => Source::KeepBom(Encoding::Utf8),
        "utf8sig" => Source::StripBom(Encoding::Utf8),
        "utf16" | "u16" => Source::Utf16 { fallback: NATIVE },
        "utf16le" => Source::KeepBom(Encoding::Utf16Le),
        "utf16be" => Source::KeepBom(Encoding::Utf16Be),
        _ => return Err(unknown(name)),
    })
}

/// The encoding of an output, without a byte-order mark.
pub(crate) fn target(name: &str) -> PyResult<Encoding> {
    Ok(match &*normalized(name) {
        "utf8" | "u8" => Encoding::Utf8,
        "utf16le" => Encoding::Utf16Le,
        "utf16be" => Encoding::Utf16Be,
        "utf8sig" | "utf16" | "u16" => {
            return Err(PyValueError::new_err(
                "the output has no byte-order mark: its encoding is 'utf-8', 'utf-16-le' or 'utf-16-be'",
            ));
        }
        _ => return Err(unknown(name)),
    })
}

fn unknown(name: &str) -> PyErr {
    PyLookupError::new_err(format!(
        "unknown encoding: {name} (known are utf-8, utf-8-sig, utf-16, utf-16-le and utf-16-be)"
    ))
}
