//! Validation, lengths and counts.

use fastutf::stream::{ByteOrder, Encoding, Validator};
use pyo3::prelude::*;

use crate::buffer::{Input, read};
use crate::entry::functions;
use crate::errors::{decode_error, utf16};
use crate::options::{Order, utf16_source};

/// Where the first ill-formed sequence starts, in a text without its first `skip` bytes.
#[inline]
fn first_error(input: &Input<'_, '_>, encoding: Encoding, skip: usize) -> Option<usize> {
    if !input.is_whole() {
        let mut validator = Validator::new(encoding);
        let mut skip = skip;
        let all = input.in_pieces(|piece| validator.push(&piece[std::mem::take(&mut skip)..]));
        return all.and_then(|()| validator.finish()).err().map(|error| error.offset() as usize);
    }
    input.release(|src| match encoding {
        Encoding::Utf8 => fastutf::validate_utf8(&src[skip..]).err().map(|error| error.valid_up_to()),
        Encoding::Utf16Le => fastutf::validate_utf16le(&src[skip..]).err().map(|error| error.valid_up_to()),
        _ => fastutf::validate_utf16be(&src[skip..]).err().map(|error| error.valid_up_to()),
    })
}

fn first_utf16_error(input: &Input<'_, '_>, order: Order) -> Option<(Encoding, usize)> {
    let (order, skip) = order.resolve(input.bytes());
    first_error(input, utf16(order), skip).map(|at| (utf16(order), skip + at))
}

/// The lengths of a well-formed text: see utf8_info.
#[pyclass(module = "fastutf", frozen, get_all, eq)]
#[derive(Debug, PartialEq)]
pub(crate) struct Utf8Info {
    /// The number of characters: ``len(bytes(data).decode())``.
    chars: usize,
    /// The number of code units in UTF-16, of two bytes each.
    utf16_len: usize,
    /// Whether there are only characters below U+0080.
    is_ascii: bool,
}

#[pymethods]
impl Utf8Info {
    fn __repr__(&self) -> String {
        let Self { chars, utf16_len, is_ascii } = self;
        let is_ascii = if *is_ascii { "True" } else { "False" };
        format!("Utf8Info(chars={chars}, utf16_len={utf16_len}, is_ascii={is_ascii})")
    }
}

functions! {
    table;

    /// Returns whether data is well-formed UTF-16: without unpaired surrogates, and of an even number of bytes.
    ///
    /// encoding is "utf-16-le", "utf-16-be", or "utf-16": a byte-order mark decides, or without one the byte order of this
    /// machine, as for CPython's codec of that name. data may start at any address.
    ///
    /// >>> import fastutf
    /// >>> fastutf.is_valid_utf16(b"z\x00B\x01")
    /// True
    /// >>> fastutf.is_valid_utf16(b"\xfe\xff\x00z", encoding="utf-16")
    /// True
    /// >>> fastutf.is_valid_utf16(b"z\x00\x00\xdc")
    /// False
    fn is_valid_utf16(data, encoding = "utf-16-le") -> bool {
        let order = utf16_source(encoding)?;
        read(data, |input| Ok(first_utf16_error(&input, order).is_none()))
    }

    /// Raises the UnicodeDecodeError that ``bytes(data).decode(encoding)`` would raise, if data is not well-formed UTF-16.
    ///
    /// encoding is as for is_valid_utf16.
    ///
    /// >>> import fastutf
    /// >>> fastutf.validate_utf16(b"\x00z\xdc\x00", "utf-16-be")
    /// Traceback (most recent call last):
    ///   ...
    /// UnicodeDecodeError: 'utf-16-be' codec can't decode bytes in position 2-3: illegal encoding
    fn validate_utf16(data, encoding = "utf-16-le") -> Py<PyAny> {
        let order = utf16_source(encoding)?;
        read(data, |input| match first_utf16_error(&input, order) {
            None => Ok(data.py().None()),
            Some((encoding, at)) => Err(decode_error(&input, encoding, at)),
        })
    }

    /// Returns the number of characters of well-formed UTF-16, without its byte-order mark if encoding is "utf-16". It does not
    /// validate: for other data, the result is the number of code units that are not low surrogates.
    ///
    /// >>> import fastutf
    /// >>> fastutf.count_chars_utf16("naïve 😀".encode("utf-16-be"), "utf-16-be")
    /// 7
    fn count_chars_utf16(data, encoding = "utf-16-le") -> usize {
        let order = utf16_source(encoding)?;
        read(data, |input| {
            let (order, skip) = order.resolve(input.bytes());
            Ok(input.release(|src| match order {
                ByteOrder::Little => fastutf::count_chars_utf16le(&src[skip..]),
                ByteOrder::Big => fastutf::count_chars_utf16be(&src[skip..]),
            }))
        })
    }

    /// Returns the number of bytes that well-formed UTF-16 has in UTF-8: ``len(utf16_to_utf8(data, encoding))``. It does not
    /// validate.
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf8_len_from_utf16(b"z\x00B\x01")
    /// 3
    fn utf8_len_from_utf16(data, encoding = "utf-16-le") -> usize {
        let order = utf16_source(encoding)?;
        read(data, |input| {
            let (order, skip) = order.resolve(input.bytes());
            Ok(input.release(|src| match order {
                ByteOrder::Little => fastutf::utf8_len_from_utf16le(&src[skip..]),
                ByteOrder::Big => fastutf::utf8_len_from_utf16be(&src[skip..]),
            }))
        })
    }

    /// Returns whether data is well-formed UTF-8: whether ``bytes(data).decode()`` would succeed.
    ///
    /// >>> import fastutf
    /// >>> fastutf.is_valid_utf8("naïve".encode())
    /// True
    /// >>> fastutf.is_valid_utf8(b"na\xefve")
    /// False
    /// >>> fastutf.is_valid_utf8(bytearray(b"any buffer"))
    /// True
    fn is_valid_utf8(data) -> bool {
        read(data, |input| Ok(first_error(&input, Encoding::Utf8, 0).is_none()))
    }

    /// Raises the UnicodeDecodeError that ``bytes(data).decode()`` would raise, if data is not well-formed UTF-8.
    ///
    /// >>> import fastutf
    /// >>> fastutf.validate_utf8(b"fine")
    /// >>> fastutf.validate_utf8(b"ab\xc0\xaf")
    /// Traceback (most recent call last):
    ///   ...
    /// UnicodeDecodeError: 'utf-8' codec can't decode byte 0xc0 in position 2: invalid start byte
    fn validate_utf8(data) -> Py<PyAny> {
        read(data, |input| match first_error(&input, Encoding::Utf8, 0) {
            None => Ok(data.py().None()),
            Some(at) => Err(decode_error(&input, Encoding::Utf8, at)),
        })
    }

    /// Returns whether all bytes are below 0x80, as ``bytes.isascii`` does.
    ///
    /// >>> import fastutf
    /// >>> fastutf.is_ascii(memoryview(b"naive")), fastutf.is_ascii("naïve".encode())
    /// (True, False)
    fn is_ascii(data) -> bool {
        read(data, |input| Ok(input.release(fastutf::is_ascii)))
    }

    /// Validates UTF-8 and returns its lengths, in one pass. Raises UnicodeDecodeError as validate_utf8 does.
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf8_info("naïve 😀".encode())
    /// Utf8Info(chars=7, utf16_len=8, is_ascii=False)
    fn utf8_info(data) -> Utf8Info {
        read(data, |input| match input.release(fastutf::utf8_info) {
            Ok(info) => Ok(Utf8Info { chars: info.chars, utf16_len: info.utf16_len, is_ascii: info.is_ascii() }),
            Err(error) => Err(decode_error(&input, Encoding::Utf8, error.valid_up_to())),
        })
    }

    /// Returns the number of characters of well-formed UTF-8. It does not validate: for other bytes, the result is the number
    /// of those that are not continuation bytes.
    ///
    /// >>> import fastutf
    /// >>> fastutf.count_chars_utf8("naïve 😀".encode())
    /// 7
    fn count_chars_utf8(data) -> usize {
        read(data, |input| Ok(input.release(fastutf::count_chars_utf8)))
    }

    /// Returns the number of code units, of two bytes each, that well-formed UTF-8 has in UTF-16: half of
    /// ``len(utf8_to_utf16(data))``. It does not validate.
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf16_len_from_utf8("naïve 😀".encode())
    /// 8
    fn utf16_len_from_utf8(data) -> usize {
        read(data, |input| Ok(input.release(fastutf::utf16_len_from_utf8)))
    }

    /// Returns the number of bytes that Latin-1 has in UTF-8: ``len(latin1_to_utf8(data))``.
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf8_len_from_latin1(b"caf\xe9")
    /// 5
    fn utf8_len_from_latin1(data) -> usize {
        read(data, |input| Ok(input.release(fastutf::latin1::utf8_len_from_latin1)))
    }
}
