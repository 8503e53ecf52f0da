//! The arguments `encoding` and `errors`, which mean what they mean to CPython's codecs.

use std::convert::Infallible;

use fastutf::columns::Policy;
use fastutf::stream::{ByteOrder, Encoding, Source};
use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::entry::{Optional, is};

pub(crate) const NATIVE: ByteOrder =
    if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };

/// The byte order of a text in UTF-16.
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

/// An argument of a class that may be left out. `None` is not left out, as for functions.
pub(crate) struct Argument<'a, 'py>(pub(crate) Optional<'a, 'py>);

impl<'a, 'py> FromPyObject<'a, 'py> for Argument<'a, 'py> {
    type Error = Infallible;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(value)))
    }
}

fn check_type(value: Borrowed<'_, '_, PyAny>, name: &str) -> PyResult<()> {
    if value.is_instance_of::<PyString>() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} must be str, not {}", value.get_type().name()?)))
}

/// The encodings that there are, by the names that CPython's codecs have.
#[derive(Clone, Copy)]
enum Codec {
    Utf8,
    Utf8Sig,
    Utf16,
    Utf16Le,
    Utf16Be,
}

/// The codec that CPython has for a name, in any spelling that CPython accepts.
fn codec(value: Borrowed<'_, '_, PyAny>, argument: &str) -> PyResult<Codec> {
    let known = |name| {
        Some(match name {
            _ if is(name, c"utf-8") => Codec::Utf8,
            _ if is(name, c"utf-16-le") => Codec::Utf16Le,
            _ if is(name, c"utf-16-be") => Codec::Utf16Be,
            _ if is(name, c"utf-16") => Codec::Utf16,
            _ if is(name, c"utf-8-sig") => Codec::Utf8Sig,
            _ => return None,
        })
    };
    if let Some(codec) = known(value) {
        return Ok(codec);
    }
    check_type(value, argument)?;
    // It refuses what is no encoding at all, or has a zero in it.
    let found = value.py().import("codecs")?.call_method1("lookup", (value,))?.getattr("name")?;
    known(found.as_borrowed()).ok_or_else(|| {
        PyLookupError::new_err(format!(
            "unknown encoding: {} (known are utf-8, utf-8-sig, utf-16, utf-16-le and utf-16-be)",
            &*value
        ))
    })
}

/// `encoding` of UTF-16: "utf-16-le" if it is not given.
pub(crate) fn utf16_source(value: Optional<'_, '_>) -> PyResult<Order> {
    let Some(value) = value else { return Ok(Order::Fixed(ByteOrder::Little)) };
    match codec(value, "encoding")? {
        Codec::Utf16Le => Ok(Order::Fixed(ByteOrder::Little)),
        Codec::Utf16Be => Ok(Order::Fixed(ByteOrder::Big)),
        Codec::Utf16 => Ok(Order::Bom),
        Codec::Utf8 | Codec::Utf8Sig => Err(PyValueError::new_err(format!(
            "encoding must be 'utf-16-le', 'utf-16-be' or 'utf-16', not {}",
            value.repr()?
        ))),
    }
}

/// `encoding` of an output in UTF-16, which has no byte-order mark.
pub(crate) fn utf16_target(value: Optional<'_, '_>) -> PyResult<ByteOrder> {
    match utf16_source(value)? {
        Order::Fixed(order) => Ok(order),
        Order::Bom => Err(PyValueError::new_err(
            "the output has no byte-order mark: its encoding is 'utf-16-le' or 'utf-16-be'",
        )),
    }
}

/// The encoding of an input, as CPython's codec of that name treats it.
pub(crate) fn source(value: Borrowed<'_, '_, PyAny>, argument: &str) -> PyResult<Source> {
    Ok(match codec(value, argument)? {
        Codec::Utf8 => Source::KeepBom(Encoding::Utf8),
        Codec::Utf8Sig => Source::StripBom(Encoding::Utf8),
        Codec::Utf16 => Source::Utf16 { fallback: NATIVE },
        Codec::Utf16Le => Source::KeepBom(Encoding::Utf16Le),
        Codec::Utf16Be => Source::KeepBom(Encoding::Utf16Be),
    })
}

/// The encoding of what has no byte-order mark: of `what`.
pub(crate) fn without_bom(value: Borrowed<'_, '_, PyAny>, argument: &str, what: &str) -> PyResult<Encoding> {
    match codec(value, argument)? {
        Codec::Utf8 => Ok(Encoding::Utf8),
        Codec::Utf16Le => Ok(Encoding::Utf16Le),
        Codec::Utf16Be => Ok(Encoding::Utf16Be),
        Codec::Utf8Sig | Codec::Utf16 => Err(PyValueError::new_err(format!(
            "{what} has no byte-order mark: its encoding is 'utf-8', 'utf-16-le' or 'utf-16-be'"
        ))),
    }
}

/// `errors`: "strict" if it is not given.
pub(crate) fn policy(value: Optional<'_, '_>) -> PyResult<Policy> {
    let Some(value) = value else { return Ok(Policy::Error) };
    known_policy(value)?.ok_or_else(|| wrong_errors(value, "'strict', 'replace' or 'null'"))
}

/// `errors` of what has no nulls: whether it is "replace".
pub(crate) fn replace(value: Optional<'_, '_>) -> PyResult<bool> {
    let Some(value) = value else { return Ok(false) };
    match known_policy(value)? {
        Some(Policy::Error) => Ok(false),
        Some(Policy::Replace) => Ok(true),
        _ => Err(wrong_errors(value, "'strict' or 'replace'")),
    }
}

fn known_policy(value: Borrowed<'_, '_, PyAny>) -> PyResult<Option<Policy>> {
    let known = [(c"strict", Policy::Error), (c"replace", Policy::Replace), (c"null", Policy::Null)];
    match known.into_iter().find(|(name, _)| is(value, name)) {
        Some((_, policy)) => Ok(Some(policy)),
        None => check_type(value, "errors").map(|()| None),
    }
}

#[cold]
fn wrong_errors(value: Borrowed<'_, '_, PyAny>, known: &str) -> PyErr {
    match value.repr() {
        Ok(value) => PyValueError::new_err(format!("errors must be {known}, not {value}")),
        Err(error) => error,
    }
}
