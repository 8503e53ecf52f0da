//! Where a text may be cut: between characters, also if it is ill-formed.
//!
//! Ill-formed text is never cut inside what the lossy functions replace by one U+FFFD: a maximal subpart of an ill-formed
//! UTF-8 sequence (as in [`slice::utf8_chunks`]), an unpaired surrogate, or an odd last byte of UTF-16. So the lossy
//! conversions of both parts, put together, are that of the whole text.
//!
//! ```
//! use fastutf::boundary;
//!
//! // A chunk from a socket that ends inside of a character: the last byte waits for the next chunk.
//! let chunk = b"na\xC3\xAFv\xC3";
//! assert_eq!(boundary::complete_utf8(chunk), 5);
//!
//! // At most 6 bytes of a text, for a field that has no more room.
//! let text = "tak żółw".as_bytes();
//! assert_eq!(&text[..boundary::floor_utf8(text, 7)], "tak ż".as_bytes());
//! ```
//!
//! [`stream`](crate::stream) does this for whole streams.

use crate::endian::ByteOrder;
use crate::scalar::{incomplete_utf8, incomplete_utf16, is_continuation, item_at};

/// Returns the length of the longest part at the start of `src` that does not end with an incomplete character.
///
/// An incomplete character is well-formed as far as it goes, so at most 3 bytes, and more input could complete it. Other
/// ill-formed sequences stay in that part, also at its end.
///
/// ```
/// use fastutf::boundary::complete_utf8;
///
/// assert_eq!(complete_utf8("a😀".as_bytes()), 5);
/// assert_eq!(complete_utf8(b"a\xF0\x9F\x98"), 1);
/// assert_eq!(complete_utf8(b"a\xE0\x80"), 3); // nothing completes E0 80
/// ```
#[must_use]
#[inline]
pub fn complete_utf8(src: &[u8]) -> usize {
    src.len() - incomplete_utf8(src)
}

/// [`complete_utf8`] for WTF-8: two bytes of a surrogate are incomplete as well.
///
/// A whole high surrogate is complete: if a low one follows, the low one is ill-formed.
///
/// ```
/// use fastutf::boundary::complete_wtf8;
///
/// assert_eq!(complete_wtf8(b"a\xED\xA0"), 1);
/// assert_eq!(complete_wtf8(b"a\xED\xA0\xBD"), 4);
/// ```
#[cfg(feature = "wtf8")]
#[must_use]
#[inline]
pub fn complete_wtf8(src: &[u8]) -> usize {
    match *src {
        [.., 0xED, 0xA0..=0xBF] => src.len() - 2,
        _ => complete_utf8(src),
    }
}

/// Returns the length of the longest part at the start of `src`, in code units, that does not end with a high surrogate.
///
/// ```
/// use fastutf::boundary::complete_utf16;
///
/// assert_eq!(complete_utf16(&[0x61, 0xD83D]), 1);
/// assert_eq!(complete_utf16(&[0x61, 0xD83D, 0xDE00]), 3);
/// ```
#[must_use]
#[inline]
pub fn complete_utf16(src: &[u16]) -> usize {
    src.len() - src.last().is_some_and(|&unit| is_high(unit)) as usize
}

/// Returns the length of the longest part at the start of `src`, in bytes of UTF-16LE, that ends neither with an odd byte nor
/// with a high surrogate.
///
/// ```
/// use fastutf::boundary::complete_utf16le;
///
/// assert_eq!(complete_utf16le(b"a\0b"), 2);
/// assert_eq!(complete_utf16le(b"a\0\x3D\xD8\x00"), 2);
/// ```
#[must_use]
#[inline]
pub fn complete_utf16le(src: &[u8]) -> usize {
    src.len() - incomplete_utf16(ByteOrder::Little, src)
}

/// The same for UTF-16BE.
///
/// ```
/// assert_eq!(fastutf::boundary::complete_utf16be(b"\0a\xD8\x3D"), 2);
/// ```
#[must_use]
#[inline]
pub fn complete_utf16be(src: &[u8]) -> usize {
    src.len() - incomplete_utf16(ByteOrder::Big, src)
}

/// Returns the last boundary between characters at or before `at`; the end of `src` if `at` is beyond it.
///
/// The end of `src` is a boundary, even behind an incomplete character. For a `str`, it is
/// [`str::floor_char_boundary`].
///
/// ```
/// use fastutf::boundary::floor_utf8;
///
/// assert_eq!([0, 1, 2, 3, 9].map(|at| floor_utf8("é!".as_bytes(), at)), [0, 0, 2, 3, 3]);
/// // E2 82 is one ill-formed sequence; 82 without a lead byte another.
/// assert_eq!([1, 2, 3].map(|at| floor_utf8(b"\xE2\x82!", at)), [0, 2, 3]);
/// assert_eq!(floor_utf8(b"\x82\x82", 1), 1);
/// ```
#[must_use]
#[inline]
pub fn floor_utf8(src: &[u8], at: usize) -> usize {
    if at >= src.len() {
        return src.len();
    }
    let mut start = at;
    while is_continuation(src[start]) {
        // Without a lead byte so near, it is a sequence by itself.
        if start == 0 || at - start == 3 {
            return at;
        }
        start -= 1;
    }
    let (Ok(len) | Err(len)) = item_at(src, start);
    if at - start < len { start } else { at }
}

/// Returns the last boundary between characters at or before the code unit `at`; the end of `src` if `at` is beyond it.
///
/// There is one everywhere but between the halves of a surrogate pair.
///
/// ```
/// use fastutf::boundary::floor_utf16;
///
/// let text = [0xD83D, 0xD83D, 0xDE00, 0x61];
/// assert_eq!([1, 2, 3, 9].map(|at| floor_utf16(&text, at)), [1, 1, 3, 4]);
/// ```
#[must_use]
#[inline]
pub fn floor_utf16(src: &[u16], at: usize) -> usize {
    if at >= src.len() {
        return src.len();
    }
    at - (at > 0 && is_high(src[at - 1]) && is_low(src[at])) as usize
}

/// Returns the last boundary between characters at or before the byte `at` of UTF-16LE; the end of `src` if `at` is beyond it.
///
/// ```
/// use fastutf::boundary::floor_utf16le;
///
/// let text = fastutf::to_utf16le("a😀");
/// assert_eq!([1, 2, 3, 4, 5, 6].map(|at| floor_utf16le(&text, at)), [0, 2, 2, 2, 2, 6]);
/// ```
#[must_use]
#[inline]
pub fn floor_utf16le(src: &[u8], at: usize) -> usize {
    floor_utf16_bytes(ByteOrder::Little, src, at)
}

/// The same for UTF-16BE.
///
/// ```
/// assert_eq!(fastutf::boundary::floor_utf16be(b"\0a\xD8\x3D\xDE\0", 4), 2);
/// ```
#[must_use]
#[inline]
pub fn floor_utf16be(src: &[u8], at: usize) -> usize {
    floor_utf16_bytes(ByteOrder::Big, src, at)
}

#[inline(always)]
fn floor_utf16_bytes(order: ByteOrder, src: &[u8], at: usize) -> usize {
    if at >= src.len() {
        return src.len();
    }
    let at = at / 2 * 2;
    let unit = |at: usize| match src.get(at..at + 2) {
        Some(&[a, b]) => order.unit([a, b]),
        // An odd byte.
        _ => 0,
    };
    at - 2 * (at > 0 && is_high(unit(at - 2)) && is_low(unit(at))) as usize
}

#[inline(always)]
const fn is_high(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

#[inline(always)]
const fn is_low(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}
