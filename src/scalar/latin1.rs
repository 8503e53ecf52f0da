//! Latin-1 in plain Rust. Conversions continue where a kernel stopped. All but the errors also run in builds
//! without optimisation, so they are loops that call little.

use core::convert::Infallible;

use super::{
    EACH_BYTE, NOT_ASCII, WORD, count_chars_utf16, decode_utf8, decode_utf16, first_item, sum_of_bytes,
    utf8_error_at, validate_utf16, widen_ascii,
};
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::parts::Parts;
use crate::replacement::Repair;
use crate::report::{
    Conversion, NotLatin1Error, Reached, Stop, ToLatin1Error, Utf8Error, Utf16Error, Utf16Info, Width,
};

/// The greatest character of Latin-1.
const LAST: u32 = 0xFF;

pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Infallible> {
    let Reached { mut read, mut written } = at;
    while read < src.len() {
        if let (Some(bytes), Some(out)) = (src.chunk_at::<8>(read), dst.chunk_at::<8>(written))
            && u64::from_ne_bytes(*bytes) & NOT_ASCII == 0
        {
            out.write(bytes);
            (read, written) = (read + 8, written + 8);
            continue;
        }
        // The next 8 have another character, or are the last.
        let end = src.len().min(read + 8);
        while read < end {
            let byte = src[read];
            let len = 1 + usize::from(byte >> 7);
            if dst.len() - written < len {
                return Conversion { read, written, stop: Stop::OutputFull };
            }
            if len == 1 {
                dst.set(written, byte);
            } else {
                dst.set(written, 0b1100_0000 | byte >> 6);
                dst.set(written + 1, 0b1000_0000 | byte & 0b0011_1111);
            }
            (read, written) = (read + 1, written + len);
        }
    }
    Conversion { read, written, stop: Stop::Complete }
}

/// The number of bytes of UTF-8 that these bytes of Latin-1 become.
#[inline(never)]
pub(crate) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    src.len() + sum_of_bytes(src, |word| word >> 7 & EACH_BYTE)
}

#[inline(never)]
pub(crate) fn latin1_to_utf16(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<Infallible> {
    let len = src.len().min(dst.len() / 2);
    let mut at = at.read;
    while let (Some(bytes), Some(out)) = (src[at..len].first_chunk::<4>(), dst.chunk_at::<8>(2 * at)) {
        out.write(&widen_ascii(order, u32::from_le_bytes(*bytes)));
        at += 4;
    }
    while at < len {
        dst[2 * at..].write(&order.bytes(u16::from(src[at])));
        at += 1;
    }
    Conversion {
        read: len,
        written: 2 * len,
        stop: if len == src.len() { Stop::Complete } else { Stop::OutputFull },
    }
}

/// Converts up to the first character that is not in Latin-1, or the first ill-formed place.
pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut Output, at: Reached) -> Conversion<ToLatin1Error<Utf8Error>> {
    let Reached { mut read, mut written } = at;
    'all: while read < src.len() && written < dst.len() {
        if let (Some(bytes), Some(out)) = (src.chunk_at::<8>(read), dst.chunk_at::<8>(written))
            && u64::from_ne_bytes(*bytes) & NOT_ASCII == 0
        {
            out.write(bytes);
            (read, written) = (read + 8, written + 8);
            continue;
        }
        let end = src.len().min(read + 8);
        while read < end && written < dst.len() {
            let Some((byte, len)) = next_in_utf8(src, read) else { break 'all };
            dst.set(written, byte);
            (read, written) = (read + len, written + 1);
        }
    }
    let stop = if read == src.len() { Stop::Complete } else { stop(not_latin1_in_utf8(src, read)) };
    Conversion { read, written, stop }
}

/// Why a conversion has stopped: because of `what` is next in the input or, without that, because there is no room.
fn stop<E>(what: Option<ToLatin1Error<E>>) -> Stop<ToLatin1Error<E>> {
    match what {
        Some(error) => Stop::Invalid(error),
        None => Stop::OutputFull,
    }
}

/// The character at `src[at..]` and its length in bytes, if it is in Latin-1.
#[inline(always)]
fn next_in_utf8(src: &[u8], at: usize) -> Option<(u8, usize)> {
    match src[at] {
        byte @ 0..0x80 => Some((byte, 1)),
        lead @ 0xC2..=0xC3 if at + 1 < src.len() && src[at + 1] & 0b1100_0000 == 0b1000_0000 => {
            Some((src[at + 1] | lead << 6, 2))
        }
        _ => None,
    }
}

/// The length of the text at the start of `src` that is in Latin-1.
pub(crate) fn latin1_prefix_of_utf8(src: &[u8]) -> usize {
    latin1_prefix_of_utf8_from(src, 0)
}

pub(crate) fn latin1_prefix_of_utf8_from(src: &[u8], mut at: usize) -> usize {
    while at < src.len() {
        if let Some(bytes) = src.chunk_at::<8>(at)
            && u64::from_ne_bytes(*bytes) & NOT_ASCII == 0
        {
            at += 8;
            continue;
        }
        let end = src.len().min(at + 8);
        while at < end {
            let Some((_, len)) = next_in_utf8(src, at) else { return at };
            at += len;
        }
    }
    at
}

/// Why the first character of `src[at..]` cannot become Latin-1, if it cannot.
#[cold]
#[inline(never)]
pub(crate) fn not_latin1_in_utf8(src: &[u8], at: usize) -> Option<ToLatin1Error<Utf8Error>> {
    match decode_utf8(&src[at..]) {
        Some((0..=LAST, _)) => None,
        Some((value, _)) => {
            let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
            Some(ToLatin1Error::NotLatin1(NotLatin1Error::in_utf8(at, character)))
        }
        None => Some(ToLatin1Error::IllFormed(utf8_error_at(src, at))),
    }
}

/// Converts up to the first character that is not in Latin-1, or the first ill-formed place. Offsets are in bytes.
pub(crate) fn utf16_to_latin1(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<ToLatin1Error<Utf16Error>> {
    let (rest, room) = (&src[at.read..], &mut dst[at.written..]);
    let written = at.written + for_each_order!(order, narrow_units(order, rest, room));
    let read = 2 * written;
    let stop = if read == src.len() { Stop::Complete } else { stop(not_latin1_in_utf16(order, src, read)) };
    Conversion { read, written, stop }
}

/// Converts units while they are in Latin-1 and fit. Returns their number.
#[inline(always)]
fn narrow_units(order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    let units = src.as_chunks::<2>().0;
    let len = units.len().min(dst.len());
    let mut at = 0;
    while let (Some(units), Some(out)) = (units[at..len].first_chunk::<8>(), dst.chunk_at::<8>(at)) {
        let (mut all, mut k) = (0, 0);
        while k < 8 {
            all |= order.unit(units[k]);
            k += 1;
        }
        if u32::from(all) > LAST {
            break;
        }
        k = 0;
        while k < 8 {
            out.set(k, order.unit(units[k]) as u8);
            k += 1;
        }
        at += 8;
    }
    while at < len {
        let unit = order.unit(units[at]);
        if u32::from(unit) > LAST {
            break;
        }
        dst.set(at, unit as u8);
        at += 1;
    }
    at
}

/// The length in bytes of the text at the start of `src` that is in Latin-1.
pub(crate) fn latin1_prefix_of_utf16(order: ByteOrder, src: &[u8]) -> usize {
    for_each_order!(order, latin1_units(order, src))
}

#[inline(always)]
fn latin1_units(order: ByteOrder, src: &[u8]) -> usize {
    let units = src.as_chunks::<2>().0;
    let mut at = 0;
    while let Some(units) = units.chunk_at::<8>(at) {
        let (mut all, mut k) = (0, 0);
        while k < 8 {
            all |= order.unit(units[k]);
            k += 1;
        }
        if u32::from(all) > LAST {
            break;
        }
        at += 8;
    }
    while at < units.len() && u32::from(order.unit(units[at])) <= LAST {
        at += 1;
    }
    2 * at
}

/// Why the first character of `src[at..]` cannot become Latin-1, if it cannot. Offsets are in bytes.
#[cold]
#[inline(never)]
pub(crate) fn not_latin1_in_utf16(order: ByteOrder, src: &[u8], at: usize) -> Option<ToLatin1Error<Utf16Error>> {
    match decode_utf16(order, &src[at..]) {
        Ok((0..=LAST, _)) => None,
        Ok((value, _)) => {
            let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
            Some(ToLatin1Error::NotLatin1(NotLatin1Error::in_utf16(at, character)))
        }
        Err(kind) => Some(ToLatin1Error::IllFormed(Utf16Error::in_bytes_at(at, kind))),
    }
}

/// After this many characters in a row that need no replacement, kernels are faster.
const RUN: usize = 2 * WORD;

/// Converts some text, with a replacement for each character that is not in Latin-1, and for each ill-formed sequence.
/// Goes on at least until replacements are rare, or to the end of `src` or `dst`.
pub(crate) fn replace_in_utf8(src: &[u8], replacement: u8, dst: &mut Output) -> Repair {
    let mut done = Repair::default();
    let mut run = 0;
    while done.read < src.len() && done.written < dst.len() && run < RUN {
        let rest = &src[done.read..];
        let (byte, read, replaced) = match decode_utf8(rest) {
            Some((value @ 0..=LAST, len)) => (value as u8, len, 0),
            Some((_, len)) => (replacement, len, 1),
            None => (replacement, first_item(rest).unwrap_or_else(|len| len), 1),
        };
        dst.set(done.written, byte);
        done.add(Repair { read, written: 1, replacements: replaced });
        run = if replaced > 0 { 0 } else { run + 1 };
    }
    done
}

/// [`replace_in_utf8`] for UTF-16. An odd last byte is replaced, too.
pub(crate) fn replace_in_utf16(order: ByteOrder, src: &[u8], replacement: u8, dst: &mut Output) -> Repair {
    let mut done = Repair::default();
    let mut run = 0;
    while done.read < src.len() && done.written < dst.len() && run < RUN {
        let rest = &src[done.read..];
        let (byte, read, replaced) = match decode_utf16(order, rest) {
            Ok((value @ 0..=LAST, len)) => (value as u8, len, 0),
            Ok((_, len)) => (replacement, len, 1),
            Err(_) => (replacement, rest.len().min(2), 1),
        };
        dst.set(done.written, byte);
        done.add(Repair { read, written: 1, replacements: replaced });
        run = if replaced > 0 { 0 } else { run + 1 };
    }
    done
}

#[inline(never)]
pub(crate) fn utf16_info(order: ByteOrder, src: &[u8]) -> Result<Utf16Info, Utf16Error> {
    validate_utf16(order, src)?;
    let (units, chars) = (src.len() / 2, count_chars_utf16(order, src));
    let width = if chars < units {
        Width::Full
    } else {
        match for_each_order!(order, bits_of_units(order, src)) {
            0..0x80 => Width::Ascii,
            0x80..0x100 => Width::Latin1,
            _ => Width::Bmp,
        }
    };
    Ok(Utf16Info { chars, width })
}

/// All bits that any unit has.
#[inline(always)]
fn bits_of_units(order: ByteOrder, src: &[u8]) -> u16 {
    let units = src.as_chunks::<2>().0;
    let (mut all, mut at) = (0, 0);
    while at < units.len() {
        all |= order.unit(units[at]);
        at += 1;
    }
    all
}
