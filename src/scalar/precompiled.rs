//! Functions of the standard library for builds without optimisation: they have been compiled with optimisation.
//!
//! They tell that there is an error, but not always where. So the rest of the text, and with it each error, is left to the
//! plain Rust of all builds: the results are the same.

use alloc::{borrow::Cow, string::String};

use super::{swap_utf16_bytes, validate_utf16_from};
use crate::buffer::units_as_bytes_mut;
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::report::{Reached, Utf16Error};

/// The most code units that are decoded at a time, and the fewest: each call allocates.
const MOST: usize = 1024;
const FEWEST: usize = 16;

/// [`String::from_utf8_lossy`], but without the doubled capacity that a single error may cause there.
pub(crate) fn from_utf8_lossy(src: &[u8]) -> Cow<'_, str> {
    let mut text = String::from_utf8_lossy(src);
    if let Cow::Owned(text) = &mut text {
        text.shrink_to_fit();
    }
    text
}

/// Appends `src` up to the first error. Returns the number of bytes appended.
pub(crate) fn append_utf16(order: ByteOrder, src: &[u8], dst: &mut String) -> Result<usize, Utf16Error> {
    let before = dst.len();
    dst.reserve(src.len() / 2);
    let read = decode(order, src, |text| {
        dst.push_str(text);
        true
    });
    let units = src[read..].as_chunks::<2>().0.iter().map(|&unit| order.unit(unit));
    dst.extend(char::decode_utf16(units).map_while(Result::ok));
    validate_utf16_from(order, src, read)?;
    Ok(dst.len() - before)
}

/// Converts as [`scalar`](super::utf16_to_utf8) does, up to about the first error or the end of `dst`.
pub(crate) fn utf16_to_utf8(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Reached {
    let (src, mut written) = (&src[at.read..], at.written);
    // A code unit becomes at least one byte.
    let read = decode(order, &src[..src.len().min(2 * (dst.len() - written))], |text| {
        let fits = text.len() <= dst.len() - written;
        if fits {
            dst[written..].write(text.as_bytes());
            written += text.len();
        }
        fits
    });
    Reached { read: at.read + read, written }
}

/// Passes pieces of `src` to `take`, as far as they have no error and it returns `true`. Returns how many bytes it has
/// taken: all that it can, but for less than [`FEWEST`] code units.
fn decode(order: ByteOrder, src: &[u8], mut take: impl FnMut(&str) -> bool) -> usize {
    let (mut buffer, mut most, mut read) = ([0; MOST], MOST, 0);
    while read + 1 < src.len() {
        let mut len = (src.len() - read).min(2 * most) / 2;
        let bytes = units_as_bytes_mut(&mut buffer[..len]);
        bytes.copy_from_slice(&src[read..read + 2 * len]);
        if order != ByteOrder::NATIVE {
            swap_utf16_bytes(bytes);
        }
        // The second half of a pair may be in the next piece.
        len -= usize::from(len == most && buffer[len - 1] & 0xFC00 == 0xD800);
        if String::from_utf16(&buffer[..len]).is_ok_and(|text| take(&text)) {
            read += 2 * len;
        } else if most > FEWEST {
            most /= 2;
        } else {
            break;
        }
    }
    read
}
