//! Decoding to `str`.
//!
//! The stable ABI makes a `str` only by decoding something. The codecs for Latin-1 and UTF-16 are much faster than the one
//! for UTF-8, so text is converted to what CPython decodes fastest.

use fastutf::stream::{ByteOrder, Encoding};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::buffer::{Input, read};
use crate::entry::functions;
use crate::errors::decode_error;
use crate::options::{replace, utf16_source};
use crate::strings;

/// Below this many bytes, CPython's decoder is faster.
const SHORT: usize = 160;

/// How much shows whether something is worth trying.
const SAMPLE: usize = 64;

/// Whether no decoder is faster than CPython's for UTF-8: for ASCII, which it copies, and for text that is mostly ASCII or
/// beyond U+FFFF, unless it is Latin-1. Samples tell, as a look at all of a text would take a tenth of the time.
fn is_best_left(src: &[u8]) -> bool {
    let last = src.len() - SAMPLE;
    let places = if src.len() < 8 * SAMPLE { 1 } else { 4 };
    let (mut continuations, mut from_f0, mut highest) = (0, 0, 0);
    for place in 0..places {
        let bytes = &src[last / 4 * place..][..SAMPLE];
        // Counted in bytes, which the compiler does for many at once.
        continuations += usize::from(bytes.iter().fold(0u8, |sum, &byte| sum + u8::from(byte & 0xC0 == 0x80)));
        from_f0 += usize::from(bytes.iter().fold(0u8, |sum, &byte| sum + u8::from(byte >= 0xF0)));
        highest = bytes.iter().fold(highest, |highest, &byte| byte.max(highest));
    }
    let not_latin1 = highest >= 0xC4;
    let sample = places * SAMPLE;
    highest < 0x80 || (not_latin1 && continuations < sample / 3) || from_f0 > sample / 16
}

/// Whether UTF-8 that is well-formed begins as Latin-1 does, of which the lead bytes are C2 and C3.
fn seems_latin1(src: &[u8]) -> bool {
    src[..src.len().min(SAMPLE)].iter().fold(true, |all, &byte| all & (byte < 0xC4))
}

/// Whether the start of a text in UTF-16 is Latin-1.
fn is_latin1(src: &[u8], order: ByteOrder) -> bool {
    let start = &src[..src.len().min(SAMPLE)];
    match order {
        ByteOrder::Little => fastutf::latin1::validate_latin1_in_utf16le(start).is_ok(),
        ByteOrder::Big => fastutf::latin1::validate_latin1_in_utf16be(start).is_ok(),
    }
}

/// Decodes UTF-16 that is well-formed.
fn from_units<'py>(input: &Input<'_, 'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    if is_slow(units) {
        let chars = input.release(|_| widened(units));
        return strings::from_chars(input.py(), &chars);
    }
    strings::from_units(input.py(), units)
}

/// Whether CPython's decoder goes unit by unit. It has a fast path for units below U+8000: three quarters of those in
/// use, but none of Korean or emoji.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn is_slow(units: &[u16]) -> bool {
    let sample = &units[..units.len().min(256)];
    let high = sample.iter().filter(|&&unit| unit >= 0x8000).count();
    high > sample.len() / 4
}

/// UTF-16 that is well-formed as UTF-32.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn widened(units: &[u16]) -> Vec<u32> {
    let is_surrogate = |unit: u16| unit & 0xF800 == 0xD800;
    let mut out = Vec::with_capacity(units.len());
    let mut rest = units;
    while let Some((block, after)) = rest.split_first_chunk::<32>() {
        if !block.iter().fold(false, |found, &unit| found | is_surrogate(unit)) {
            out.extend(block.map(u32::from));
            rest = after;
            continue;
        }
        let mut at = 0;
        while at < block.len() {
            let (unit, next) = (rest[at], rest.get(at + 1).copied().unwrap_or_default());
            let pair = is_surrogate(unit);
            out.push(if pair { joined(unit, next) } else { u32::from(unit) });
            at += 1 + usize::from(pair);
        }
        rest = rest.get(at..).unwrap_or_default();
    }
    out.extend(
        char::decode_utf16(rest.iter().copied()).map(|c| u32::from(c.unwrap_or(char::REPLACEMENT_CHARACTER))),
    );
    out
}

/// The character of a surrogate pair.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn joined(high: u16, low: u16) -> u32 {
    0x10000 + (u32::from(high & 0x3FF) << 10 | u32::from(low & 0x3FF))
}

functions! {
    table;

    /// Decodes UTF-8: ``bytes(data).decode("utf-8", errors)``, but faster, and for any buffer.
    ///
    /// errors is "strict" or "replace".
    ///
    /// >>> import fastutf
    /// >>> fastutf.decode_utf8("naïve".encode())
    /// 'naïve'
    /// >>> fastutf.decode_utf8(bytearray(b"caf\xe9"), errors="replace")
    /// 'caf�'
    fn decode_utf8(data, errors = "strict") -> Bound<'py, PyString> {
        let replace = replace(errors)?;
        read(data, |input| {
            if input.len() < SHORT || is_best_left(input.bytes()) {
                return strings::decode_utf8(input.py(), input.bytes(), replace);
            }
            let info = match input.release(fastutf::utf8_info) {
                Ok(info) => info,
                Err(_) if replace => {
                    let mut units = Vec::new();
                    input.release(|src| fastutf::utf8_to_utf16_lossy_append(src, &mut units).written);
                    return from_units(&input, &units);
                }
                Err(error) => return Err(decode_error(&input, Encoding::Utf8, error.valid_up_to())),
            };
            if !info.is_ascii() && seems_latin1(input.bytes()) {
                let mut latin1 = Vec::with_capacity(info.chars);
                if input.release(|src| fastutf::latin1::utf8_to_latin1_append(src, &mut latin1).is_ok()) {
                    return strings::decode_latin1(input.py(), &latin1);
                }
            }
            let mut units = Vec::with_capacity(info.utf16_len);
            // It is well-formed, unless another thread has changed it meanwhile.
            let result = input.release(|src| fastutf::utf8_to_utf16_append(src, &mut units));
            result.map_err(|error| decode_error(&input, Encoding::Utf8, error.valid_up_to()))?;
            from_units(&input, &units)
        })
    }

    /// Decodes UTF-16: ``bytes(data).decode(encoding, errors)``, but faster where all is below U+0100, and for any buffer.
    ///
    /// encoding is "utf-16-le", "utf-16-be" or "utf-16", errors is "strict" or "replace".
    ///
    /// >>> import fastutf
    /// >>> fastutf.decode_utf16(b"z\x00B\x01")
    /// 'zł'
    /// >>> fastutf.decode_utf16(b"\xfe\xff\x00z", "utf-16")
    /// 'z'
    fn decode_utf16(data, encoding = "utf-16-le", errors = "strict") -> Bound<'py, PyString> {
        let (order, replace) = (utf16_source(encoding)?, replace(errors)?);
        read(data, |input| {
            let (order, skip) = order.resolve(input.bytes());
            if input.len() >= SHORT && is_latin1(&input.bytes()[skip..], order) {
                let mut latin1 = Vec::with_capacity(input.len() / 2);
                let fits = input.release(|src| {
                    let src = &src[skip..];
                    match order {
                        ByteOrder::Little => fastutf::latin1::utf16le_to_latin1_append(src, &mut latin1).is_ok(),
                        ByteOrder::Big => fastutf::latin1::utf16be_to_latin1_append(src, &mut latin1).is_ok(),
                    }
                });
                if fits {
                    return strings::decode_latin1(input.py(), &latin1);
                }
            }
            match skip {
                0 => strings::decode_utf16(input.py(), input.bytes(), order, replace),
                _ => strings::decode_utf16_bom(input.py(), input.bytes(), replace),
            }
        })
    }
}
