//! UTF-32 in plain Rust. Conversions continue where a kernel stopped. As bytes, in either byte order; offsets are
//! in bytes, too.
//!
//! All but the errors and the replacements also run in builds without optimisation, so they are loops that call little.

#[cfg(feature = "latin1")]
use core::convert::Infallible;

use super::{NOT_ASCII, decode_utf8, decode_utf16, encode_utf8, encode_utf16, first_item, utf8_error_at};
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::parts::Parts;
use crate::replacement::Repair;
use crate::report::{Conversion, Reached, Stop, Utf8Error, Utf16Error, Utf32Error, Utf32ErrorKind};
#[cfg(feature = "latin1")]
use crate::report::{NotLatin1Error, ToLatin1Error};

/// Whether this is no character: a surrogate, or above 10FFFF. Surrogates become the greatest numbers.
#[inline(always)]
const fn is_ill_formed(unit: u32) -> bool {
    (unit ^ 0xD800).wrapping_sub(0x800) > 0x10_FFFF - 0x800
}

/// The length in bytes of the well-formed UTF-32 at the start of `src`.
pub(crate) fn utf32_prefix(order: ByteOrder, src: &[u8]) -> usize {
    for_each_order!(order, well_formed_units(order, src))
}

#[inline(always)]
fn well_formed_units(order: ByteOrder, src: &[u8]) -> usize {
    let units = src.as_chunks::<4>().0;
    let mut at = 0;
    while let Some(units) = units.chunk_at::<8>(at) {
        let (mut any, mut k) = (false, 0);
        while k < 8 {
            any |= (order.unit_32(units[k]) ^ 0xD800).wrapping_sub(0x800) > 0x10_FFFF - 0x800;
            k += 1;
        }
        if any {
            break;
        }
        at += 8;
    }
    while at < units.len() && !is_ill_formed(order.unit_32(units[at])) {
        at += 1;
    }
    4 * at
}

/// What is wrong with the code unit, or the rest of one, at `src[at..]`, if anything is.
#[cold]
#[inline(never)]
pub(crate) fn utf32_error(order: ByteOrder, src: &[u8], at: usize) -> Option<Utf32Error> {
    let kind = match src.chunk_at::<4>(at) {
        None => Utf32ErrorKind::TrailingBytes,
        Some(&bytes) => match order.unit_32(bytes) {
            0xD800..0xE000 => Utf32ErrorKind::Surrogate,
            0x11_0000.. => Utf32ErrorKind::AboveMax,
            _ => return None,
        },
    };
    Some(Utf32Error::in_bytes_at(at, kind))
}

/// Why a conversion has stopped: because of the next input, or because there is no room for it.
#[inline(always)]
fn stop<E>(error: Option<E>) -> Stop<E> {
    match error {
        Some(error) => Stop::Invalid(error),
        None => Stop::OutputFull,
    }
}

/// The outcome of a conversion from UTF-32 that goes no further.
#[inline(always)]
fn stopped(order: ByteOrder, src: &[u8], read: usize, written: usize) -> Conversion<Utf32Error> {
    let stop = if read == src.len() { Stop::Complete } else { stop(utf32_error(order, src, read)) };
    Conversion { read, written, stop }
}

/// The number of bytes of UTF-8 that these code units become, where what is ill-formed becomes U+FFFD.
#[inline(never)]
pub(crate) fn utf8_len_from_utf32(order: ByteOrder, src: &[u8]) -> usize {
    let units = src.as_chunks::<4>().0;
    let (mut total, mut at) = (0, 0);
    while at < units.len() {
        // As many as cannot overflow 32 bits.
        let (end, mut sum) = (units.len().min(at + (1 << 16)), 0);
        while at < end {
            let unit = order.unit_32(units[at]);
            let four = unit.wrapping_sub(0x1_0000) < 0x10_0000;
            sum += 1 + (unit >= 0x80) as u32 + (unit >= 0x800) as u32 + four as u32;
            at += 1;
        }
        total += sum as usize;
    }
    total
}

/// The number of code units of UTF-16 that these become, where what is ill-formed becomes U+FFFD.
#[inline(never)]
pub(crate) fn utf16_len_from_utf32(order: ByteOrder, src: &[u8]) -> usize {
    let units = src.as_chunks::<4>().0;
    let (mut total, mut at) = (units.len(), 0);
    while at < units.len() {
        let (end, mut sum) = (units.len().min(at + (1 << 16)), 0);
        while at < end {
            sum += (order.unit_32(units[at]).wrapping_sub(0x1_0000) < 0x10_0000) as u32;
            at += 1;
        }
        total += sum as usize;
    }
    total
}

pub(crate) fn utf8_to_utf32(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf8Error> {
    let Reached { mut read, mut written } = at;
    'all: while read < src.len() {
        while let (Some(bytes), Some(out)) = (src.chunk_at::<8>(read), dst.chunk_at::<32>(written))
            && u64::from_ne_bytes(*bytes) & NOT_ASCII == 0
        {
            let (out, mut k) = (out.as_chunks_mut::<4>().0, 0);
            while k < 8 {
                out.set(k, order.bytes_32(u32::from(bytes[k])));
                k += 1;
            }
            (read, written) = (read + 8, written + 32);
        }
        // The next 8 have another character, or are the last.
        let end = src.len().min(read + 8);
        while read < end {
            let Some((value, len)) = decode_utf8(&src[read..]) else { break 'all };
            let Some(out) = dst.chunk_at::<4>(written) else { break 'all };
            out.write(&order.bytes_32(value));
            (read, written) = (read + len, written + 4);
        }
    }
    Conversion { read, written, stop: stopped_in_utf8(src, read) }
}

/// Why a conversion from UTF-8 goes no further than `read`.
#[inline(always)]
fn stopped_in_utf8(src: &[u8], read: usize) -> Stop<Utf8Error> {
    if read == src.len() {
        return Stop::Complete;
    }
    stop(if decode_utf8(&src[read..]).is_none() { Some(utf8_error_at(src, read)) } else { None })
}

pub(crate) fn utf16_to_utf32(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<Utf16Error> {
    for_each_order!(order, convert_utf16(order, src, dst, at))
}

#[inline(always)]
fn convert_utf16(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf16Error> {
    let Reached { mut read, mut written } = at;
    while let (Some(unit), Some(out)) = (src.chunk_at::<2>(read), dst.chunk_at::<4>(written)) {
        let unit = order.unit(*unit);
        if unit & 0xF800 != 0xD800 {
            out.write(&order.bytes_32(unit as u32));
            (read, written) = (read + 2, written + 4);
            continue;
        }
        let Ok((value, _)) = decode_utf16(order, &src[read..]) else { break };
        out.write(&order.bytes_32(value));
        (read, written) = (read + 4, written + 4);
    }
    if read == src.len() {
        return Conversion { read, written, stop: Stop::Complete };
    }
    let error = decode_utf16(order, &src[read..]).err();
    Conversion { read, written, stop: stop(error.map(|kind| Utf16Error::in_bytes_at(read, kind))) }
}

pub(crate) fn utf32_to_utf8(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<Utf32Error> {
    for_each_order!(order, convert_to_utf8(order, src, dst, at))
}

#[inline(always)]
fn convert_to_utf8(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf32Error> {
    let Reached { mut read, mut written } = at;
    while let Some(unit) = src.chunk_at::<4>(read) {
        let unit = order.unit_32(*unit);
        if unit < 0x80 && dst[written..].put(&[unit as u8]).is_some() {
            (read, written) = (read + 4, written + 1);
            continue;
        }
        if is_ill_formed(unit) {
            break;
        }
        let Some(len) = encode_utf8(unit, &mut dst[written..]) else { break };
        (read, written) = (read + 4, written + len);
    }
    stopped(order, src, read, written)
}

pub(crate) fn utf32_to_utf16(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<Utf32Error> {
    for_each_order!(order, convert_to_utf16(order, src, dst, at))
}

#[inline(always)]
fn convert_to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf32Error> {
    let Reached { mut read, mut written } = at;
    while let Some(unit) = src.chunk_at::<4>(read) {
        let unit = order.unit_32(*unit);
        if is_ill_formed(unit) {
            break;
        }
        let Some(len) = encode_utf16(order, unit, &mut dst[written..]) else { break };
        (read, written) = (read + 4, written + len);
    }
    stopped(order, src, read, written)
}

#[cfg(feature = "latin1")]
pub(crate) fn latin1_to_utf32(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<Infallible> {
    let len = src.len().min(dst.len() / 4);
    let (out, mut at) = (dst.as_chunks_mut::<4>().0, at.read);
    while at < len {
        out.set(at, order.bytes_32(u32::from(src[at])));
        at += 1;
    }
    Conversion {
        read: len,
        written: 4 * len,
        stop: if len == src.len() { Stop::Complete } else { Stop::OutputFull },
    }
}

/// Converts up to the first character that is not in Latin-1, or the first ill-formed place.
#[cfg(feature = "latin1")]
pub(crate) fn utf32_to_latin1(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<ToLatin1Error<Utf32Error>> {
    let mut at = at.written;
    let units = src.as_chunks::<4>().0;
    let len = units.len().min(dst.len());
    while at < len {
        let unit = order.unit_32(units[at]);
        if unit > 0xFF {
            break;
        }
        dst.set(at, unit as u8);
        at += 1;
    }
    let (read, written) = (4 * at, at);
    let stop = if read == src.len() { Stop::Complete } else { stop(not_latin1_in_utf32(order, src, read)) };
    Conversion { read, written, stop }
}

/// Why the first character of `src[at..]` cannot become Latin-1, if it cannot.
#[cfg(feature = "latin1")]
#[cold]
#[inline(never)]
fn not_latin1_in_utf32(order: ByteOrder, src: &[u8], at: usize) -> Option<ToLatin1Error<Utf32Error>> {
    if let Some(error) = utf32_error(order, src, at) {
        return Some(ToLatin1Error::IllFormed(error));
    }
    let character = char::from_u32(order.unit_32(*src.chunk_at(at)?))?;
    if character <= '\u{FF}' {
        return None;
    }
    Some(ToLatin1Error::NotLatin1(NotLatin1Error::in_utf32(at, character)))
}

/// After this many characters in a row that need no replacement, kernels are faster.
const RUN: usize = 16;

/// Converts some text with replacements, at least until these are rare, or to the end of `src` or `dst`. `next` returns the next
/// character or its replacement, the length, and whether it is a replacement. `put` writes one, if it fits.
#[inline(always)]
fn replace(
    src: &[u8],
    dst: &mut Output,
    next: impl Fn(&[u8]) -> (u32, usize, bool),
    put: impl Fn(u32, &mut Output) -> Option<usize>,
) -> Repair {
    let (mut done, mut run) = (Repair::default(), 0);
    while done.read < src.len() && run < RUN {
        let (value, read, replaced) = next(&src[done.read..]);
        let Some(written) = put(value, &mut dst[done.written..]) else { break };
        done.add(Repair { read, written, replacements: usize::from(replaced) });
        run = if replaced { 0 } else { run + 1 };
    }
    done
}

/// The next code unit, or U+FFFD for an ill-formed one and for trailing bytes.
#[inline(always)]
fn next_unit(order: ByteOrder, rest: &[u8]) -> (u32, usize, bool) {
    match rest.first_chunk::<4>() {
        Some(&bytes) => match order.unit_32(bytes) {
            unit if is_ill_formed(unit) => (0xFFFD, 4, true),
            unit => (unit, 4, false),
        },
        None => (0xFFFD, rest.len(), true),
    }
}

#[inline(always)]
fn put_unit(order: ByteOrder, value: u32, dst: &mut Output) -> Option<usize> {
    dst.put(&order.bytes_32(value))
}

pub(crate) fn replace_utf8_to_utf32(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    let next = |rest: &[u8]| match decode_utf8(rest) {
        Some((value, len)) => (value, len, false),
        None => (0xFFFD, first_item(rest).unwrap_or_else(|len| len), true),
    };
    replace(src, dst, next, |value, dst| put_unit(order, value, dst))
}

pub(crate) fn replace_utf16_to_utf32(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    let next = |rest: &[u8]| match decode_utf16(order, rest) {
        Ok((value, len)) => (value, len, false),
        Err(_) => (0xFFFD, rest.len().min(2), true),
    };
    replace(src, dst, next, |value, dst| put_unit(order, value, dst))
}

pub(crate) fn replace_utf32_to_utf8(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    replace(src, dst, |rest| next_unit(order, rest), encode_utf8)
}

pub(crate) fn replace_utf32_to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    replace(src, dst, |rest| next_unit(order, rest), |value, dst| encode_utf16(order, value, dst))
}

#[cfg(feature = "latin1")]
pub(crate) fn replace_utf32_to_latin1(order: ByteOrder, src: &[u8], replacement: u8, dst: &mut Output) -> Repair {
    let next = |rest: &[u8]| match next_unit(order, rest) {
        (value @ 0..=0xFF, len, false) => (value, len, false),
        (_, len, _) => (u32::from(replacement), len, true),
    };
    replace(src, dst, next, |value, dst| dst.put(&[value as u8]))
}
