//! Whole texts.

use alloc::{borrow::Cow, vec::Vec};

use super::{Options, TextDecoder};
use crate::bom::{decode as decode_strict, decode_lossy};
use crate::stream::{Encoding, Source, StreamError};

/// Decodes a whole text. Well-formed UTF-8 is borrowed.
///
/// # Errors
///
/// The first ill-formed sequence, if [`fatal`](Options::fatal).
///
/// ```
/// use fastutf::stream::Encoding;
/// use fastutf::web::{Options, decode};
///
/// let options = Options { ignore_bom: true, ..Options::default() };
/// assert_eq!(decode(b"\xFF\xFEz\0", Encoding::Utf16Le, options).unwrap(), "\u{FEFF}z");
/// ```
#[inline]
pub fn decode(src: &[u8], encoding: Encoding, options: Options) -> Result<Cow<'_, str>, StreamError> {
    let source = options.source(encoding);
    if options.fatal {
        return decode_strict(src, source).map(|(text, _)| text);
    }
    Ok(decode_lossy(without_odd_byte(src, encoding), source).0)
}

/// Like [`decode`], but returns the text as UTF-16, the form of JavaScript's strings.
///
/// # Errors
///
/// The first ill-formed sequence, if [`fatal`](Options::fatal).
///
/// ```
/// use fastutf::stream::Encoding;
/// use fastutf::web::{Options, decode_to_utf16};
///
/// let units = decode_to_utf16(b"\xEF\xBB\xBFcaf\xC3\xA9\xFF", Encoding::Utf8, Options::default());
/// assert_eq!(units.unwrap(), fastutf::to_utf16("café\u{FFFD}"));
/// ```
#[inline]
pub fn decode_to_utf16(src: &[u8], encoding: Encoding, options: Options) -> Result<Vec<u16>, StreamError> {
    // No code unit is made of fewer bytes than this.
    let least = if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) { 2 } else { 1 };
    let mut units = alloc::vec![0; src.len().div_ceil(least)];
    let mut decoder = TextDecoder::new(encoding, Encoding::UTF16_NATIVE, options).0;
    let mut out = decoder.convert_to_units(src, &mut units);
    let mut written = out.written;
    if out.is_complete() {
        out = decoder.finish_to_units(&mut units[written..]);
        written += out.written;
    }
    out.appended()?;
    units.truncate(written);
    Ok(units)
}

/// Decodes a whole text whose byte-order mark, of UTF-8, UTF-16LE or UTF-16BE, determines the encoding: the standard's
/// algorithm *decode*. Returns the text without it, and the encoding.
///
/// ```
/// use fastutf::stream::Encoding;
/// use fastutf::web::decode_by_bom;
///
/// assert_eq!(decode_by_bom(b"\xFF\xFEz\0\x3D\xD8\0", Encoding::Utf8), ("z\u{FFFD}".into(), Encoding::Utf16Le));
/// assert_eq!(decode_by_bom(b"caf\xE9", Encoding::Utf8), ("caf\u{FFFD}".into(), Encoding::Utf8));
/// ```
#[must_use]
#[inline]
pub fn decode_by_bom(src: &[u8], fallback: Encoding) -> (Cow<'_, str>, Encoding) {
    let source = Source::DetectBom { fallback };
    decode_lossy(without_odd_byte(src, source.resolve(src).0), source)
}

/// The text without an odd byte at its end that makes one ill-formed sequence with the high surrogate before it. (A
/// byte-order mark has no high surrogate.)
#[inline]
fn without_odd_byte(src: &[u8], encoding: Encoding) -> &[u8] {
    let is_utf16 = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
    if is_utf16 && encoding.incomplete_end(src) == 3 { &src[..src.len() - 1] } else { src }
}
