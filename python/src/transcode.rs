//! Conversions from bytes to bytes.

use fastutf::stream::{ByteOrder, Encoding};
use fastutf::{Conversion, Stop};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Input, read};
use crate::entry::functions;
use crate::errors::{changed, decode_error, utf16};
use crate::options::{replace, utf16_source, utf16_target};
use crate::output::{self, Converter, new_bytes};
use crate::strings;

/// What CPython's codecs look at when they replace: of a high surrogate and an odd byte at the end, they make one U+FFFD,
/// not two. Without that byte, the library does so, too.
pub(crate) fn without_odd_end(src: &[u8], order: ByteOrder) -> &[u8] {
    let high = match order {
        ByteOrder::Little => src.len().checked_sub(2),
        ByteOrder::Big => src.len().checked_sub(3),
    };
    match high {
        Some(at) if !src.len().is_multiple_of(2) && src[at] & 0xFC == 0xD8 => &src[..src.len() - 1],
        _ => src,
    }
}

/// Makes `bytes` of exactly the length that was counted, from all bytes but the first `skip`.
#[inline]
fn convert<'py, E: Copy + Send>(
    input: &Input<'_, 'py>,
    skip: usize,
    len: usize,
    converter: Converter<Conversion<E>>,
    error: impl FnOnce(E) -> PyErr,
) -> PyResult<Bound<'py, PyBytes>> {
    new_bytes(input, len, |src| &src[skip..], converter)?.map_err(|report| match report.stop {
        Stop::Invalid(found) => error(found),
        Stop::Complete | Stop::OutputFull => changed(),
    })
}

/// CPython's error of encoding what it has decoded.
#[cold]
fn encode_error(text: PyResult<Bound<'_, pyo3::types::PyString>>) -> PyErr {
    match text.and_then(|text| text.call_method1("encode", ("latin-1",))) {
        Ok(_) => changed(),
        Err(error) => error,
    }
}

functions! {
    table;

    /// Converts UTF-16 to UTF-8: ``bytes(data).decode(encoding, errors).encode()``.
    ///
    /// encoding is "utf-16-le", "utf-16-be", or "utf-16": a byte-order mark decides, and is removed; without one it is the byte
    /// order of this machine. errors is "strict" or "replace". data may start at any address.
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf16_to_utf8(b"z\x00B\x01").decode()
    /// 'zł'
    /// >>> fastutf.utf16_to_utf8(b"\xfe\xff\x00z\xdc\x00", "utf-16", errors="replace").decode()
    /// 'z�'
    /// >>> fastutf.utf16_to_utf8(b"z\x00\x00\xdc")
    /// Traceback (most recent call last):
    ///   ...
    /// UnicodeDecodeError: 'utf-16-le' codec can't decode bytes in position 2-3: illegal encoding
    fn utf16_to_utf8(data, encoding = "utf-16-le", errors = "strict") -> Bound<'py, PyBytes> {
        let (order, replace) = (utf16_source(encoding)?, replace(errors)?);
        read(data, |input| {
            let (order, skip) = order.resolve(input.bytes());
            if replace {
                let len = input.release(|src| {
                    let src = without_odd_end(&src[skip..], order);
                    match order {
                        ByteOrder::Little => fastutf::utf8_len_from_utf16le_lossy(src),
                        ByteOrder::Big => fastutf::utf8_len_from_utf16be_lossy(src),
                    }
                });
                let converter = match order {
                    ByteOrder::Little => output::UTF16LE_TO_UTF8_LOSSY,
                    ByteOrder::Big => output::UTF16BE_TO_UTF8_LOSSY,
                };
                let out = new_bytes(&input, len, |src| without_odd_end(&src[skip..], order), converter)?;
                return out.map_err(|_| changed());
            }
            let len = input.release(|src| match order {
                ByteOrder::Little => fastutf::utf8_len_from_utf16le(&src[skip..]),
                ByteOrder::Big => fastutf::utf8_len_from_utf16be(&src[skip..]),
            });
            let converter = match order {
                ByteOrder::Little => output::UTF16LE_TO_UTF8,
                ByteOrder::Big => output::UTF16BE_TO_UTF8,
            };
            convert(&input, skip, len, converter, |error| {
                decode_error(&input, utf16(order), skip + error.valid_up_to())
            })
        })
    }

    /// Converts UTF-8 to UTF-16, without a byte-order mark: ``bytes(data).decode("utf-8", errors).encode(encoding)``.
    ///
    /// encoding is "utf-16-le" or "utf-16-be", errors is "strict" or "replace".
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf8_to_utf16("zł".encode())
    /// b'z\x00B\x01'
    /// >>> fastutf.utf8_to_utf16(b"z\xff", "utf-16-be", errors="replace")
    /// b'\x00z\xff\xfd'
    fn utf8_to_utf16(data, encoding = "utf-16-le", errors = "strict") -> Bound<'py, PyBytes> {
        let (order, replace) = (utf16_target(encoding)?, replace(errors)?);
        read(data, |input| {
            if replace {
                let len = 2 * input.release(fastutf::utf16_len_from_utf8_lossy);
                let converter = match order {
                    ByteOrder::Little => output::UTF8_TO_UTF16LE_LOSSY,
                    ByteOrder::Big => output::UTF8_TO_UTF16BE_LOSSY,
                };
                return new_bytes(&input, len, |src| src, converter)?.map_err(|_| changed());
            }
            let len = 2 * input.release(fastutf::utf16_len_from_utf8);
            let converter = match order {
                ByteOrder::Little => output::UTF8_TO_UTF16LE,
                ByteOrder::Big => output::UTF8_TO_UTF16BE,
            };
            convert(&input, 0, len, converter, |error| decode_error(&input, Encoding::Utf8, error.valid_up_to()))
        })
    }

    /// Converts Latin-1 to UTF-16, without a byte-order mark: ``bytes(data).decode("latin-1").encode(encoding)``.
    ///
    /// >>> import fastutf
    /// >>> fastutf.latin1_to_utf16(b"\xe9", "utf-16-be")
    /// b'\x00\xe9'
    fn latin1_to_utf16(data, encoding = "utf-16-le") -> Bound<'py, PyBytes> {
        let order = utf16_target(encoding)?;
        read(data, |input| {
            let converter = match order {
                ByteOrder::Little => output::LATIN1_TO_UTF16LE,
                ByteOrder::Big => output::LATIN1_TO_UTF16BE,
            };
            convert(&input, 0, 2 * input.len(), converter, |never| match never {})
        })
    }

    /// Converts UTF-8 to Latin-1: ``bytes(data).decode("utf-8", errors).encode("latin-1", errors)``.
    ///
    /// Strict, it raises UnicodeEncodeError for the first character above U+00FF. With "replace", each of them becomes "?".
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf8_to_latin1("café".encode())
    /// b'caf\xe9'
    /// >>> fastutf.utf8_to_latin1("5 €".encode(), errors="replace")
    /// b'5 ?'
    /// >>> fastutf.utf8_to_latin1("5 €".encode())
    /// Traceback (most recent call last):
    ///   ...
    /// UnicodeEncodeError: 'latin-1' codec can't encode character '\u20ac' in position 2: ordinal not in range(256)
    fn utf8_to_latin1(data, errors = "strict") -> Bound<'py, PyBytes> {
        let replace = replace(errors)?;
        read(data, |input| {
            if replace {
                let mut out = Vec::new();
                input.release(|src| fastutf::latin1::utf8_to_latin1_lossy_append(src, b'?', &mut out).written);
                return Ok(PyBytes::new(input.py(), &out));
            }
            let len = input.release(fastutf::count_chars_utf8);
            convert(&input, 0, len, output::UTF8_TO_LATIN1, |_| {
                encode_error(strings::decode_utf8(input.py(), input.bytes(), false))
            })
        })
    }

    /// Converts UTF-16 to Latin-1: ``bytes(data).decode(encoding, errors).encode("latin-1", errors)``.
    ///
    /// encoding is as for utf16_to_utf8, errors as for utf8_to_latin1.
    ///
    /// >>> import fastutf
    /// >>> fastutf.utf16_to_latin1(b"\x00c\x00\xe9", "utf-16-be")
    /// b'c\xe9'
    fn utf16_to_latin1(data, encoding = "utf-16-le", errors = "strict") -> Bound<'py, PyBytes> {
        let (order, replace) = (utf16_source(encoding)?, replace(errors)?);
        read(data, |input| {
            let (order, skip) = order.resolve(input.bytes());
            if replace {
                let mut out = Vec::new();
                input.release(|src| {
                    let src = without_odd_end(&src[skip..], order);
                    match order {
                        ByteOrder::Little => fastutf::latin1::utf16le_to_latin1_lossy_append(src, b'?', &mut out).written,
                        ByteOrder::Big => fastutf::latin1::utf16be_to_latin1_lossy_append(src, b'?', &mut out).written,
                    }
                });
                return Ok(PyBytes::new(input.py(), &out));
            }
            let converter = match order {
                ByteOrder::Little => output::UTF16LE_TO_LATIN1,
                ByteOrder::Big => output::UTF16BE_TO_LATIN1,
            };
            convert(&input, skip, (input.len() - skip) / 2, converter, |_| {
                // The whole of it, with its byte-order mark, as errors count that, too.
                let all = input.bytes();
                let text = match skip {
                    0 => strings::decode_utf16(input.py(), all, order, false),
                    _ => strings::decode_utf16_bom(input.py(), all, false),
                };
                encode_error(text)
            })
        })
    }

    /// Returns data with U+FFFD in place of ill-formed sequences: ``bytes(data).decode("utf-8", "replace").encode()``. Well-formed
    /// ``bytes`` are returned as they are, without a copy.
    ///
    /// >>> import fastutf
    /// >>> fastutf.repair_utf8(b"caf\xe9!").decode()
    /// 'caf�!'
    /// >>> fine = b"fine"
    /// >>> fastutf.repair_utf8(fine) is fine
    /// True
    fn repair_utf8(data) -> Bound<'py, PyBytes> {
        read(data, |input| {
            if let Ok(bytes) = data.cast_exact::<PyBytes>()
                && input.release(|src| fastutf::validate_utf8(src).is_ok())
            {
                return Ok(bytes.clone());
            }
            let len = input.release(fastutf::utf8_len_from_utf8_lossy);
            new_bytes(&input, len, |src| src, output::REPAIR_UTF8)?.map_err(|_| changed())
        })
    }

    /// Converts Latin-1 (ISO 8859-1) to UTF-8: ``bytes(data).decode("latin-1").encode()``.
    ///
    /// >>> import fastutf
    /// >>> fastutf.latin1_to_utf8(b"caf\xe9").decode()
    /// 'café'
    fn latin1_to_utf8(data) -> Bound<'py, PyBytes> {
        read(data, |input| {
            let len = input.release(fastutf::latin1::utf8_len_from_latin1);
            convert(&input, 0, len, output::LATIN1_TO_UTF8, |never| match never {})
        })
    }
}
