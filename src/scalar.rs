//! Every operation in plain Rust: the fallback where there is no SIMD, the last bytes of every kernel, the exact
//! position and kind of every error, and the reference the kernels are tested against.

use core::mem::MaybeUninit;

use crate::conversion::{Conversion, Stop};
use crate::endian::Endian;
use crate::error::{Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};
use crate::info::Utf8Info;

/// Bit 7 of each byte: set in none of 8 ASCII bytes.
const NOT_ASCII: u64 = 0x8080_8080_8080_8080;

pub(crate) fn is_ascii(src: &[u8]) -> bool {
    src.is_ascii()
}

pub(crate) fn validate_utf8(src: &[u8]) -> Result<(), Utf8Error> {
    match core::str::from_utf8(src) {
        Ok(_) => Ok(()),
        Err(error) => Err(utf8_error_at(src, error.valid_up_to())),
    }
}

pub(crate) fn utf8_info(src: &[u8]) -> Result<Utf8Info, Utf8Error> {
    validate_utf8(src)?;
    let chars = count_chars_utf8(src);
    Ok(Utf8Info::new(src.len(), src.len() - chars, utf16_len_from_utf8(src) - chars))
}

/// Returns the first error of `src`, of which a kernel knows that everything before `checked` is valid, save that
/// a character may be cut there, and that something at or after the start of that character is not.
#[cfg(fastutf_x86)]
#[cold]
#[inline(never)]
pub(crate) fn locate_utf8_error(src: &[u8], checked: usize) -> Utf8Error {
    let start = last_char_start(&src[..checked]);
    match core::str::from_utf8(&src[start..]) {
        Err(error) => utf8_error_at(src, start + error.valid_up_to()),
        Ok(_) => unreachable!("a kernel rejected valid UTF-8 after byte {checked}"),
    }
}

/// Returns where the last character of `text` starts, complete or not (the end, if there is none): `text` is
/// valid but may be cut inside a character.
#[cfg(fastutf_x86)]
pub(crate) fn last_char_start(text: &[u8]) -> usize {
    let mut at = text.len();
    for back in 1..=text.len().min(4) {
        if !is_continuation(text[text.len() - back]) {
            at = text.len() - back;
            break;
        }
    }
    at
}

#[inline(always)]
pub(crate) const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// Describes the ill-formed sequence that starts at `at` (RFC 3629 §4, and the maximal subparts of Unicode 3.9).
#[cold]
pub(crate) fn utf8_error_at(src: &[u8], at: usize) -> Utf8Error {
    use Utf8ErrorKind::*;
    let rest = &src[at..];
    // How many continuation bytes the lead asks for, and what its first one may be.
    let (wanted, second, out_of_range) = match rest[0] {
        0xC2..=0xDF => (1, 0x80..=0xBF, MissingContinuation),
        0xE0 => (2, 0xA0..=0xBF, Overlong),
        0xED => (2, 0x80..=0x9F, Surrogate),
        0xE1..=0xEF => (2, 0x80..=0xBF, MissingContinuation),
        0xF0 => (3, 0x90..=0xBF, Overlong),
        0xF1..=0xF3 => (3, 0x80..=0xBF, MissingContinuation),
        0xF4 => (3, 0x80..=0x8F, AboveMax),
        lead => {
            let kind = match lead {
                0x80..=0xBF => StrayContinuation,
                0xC0..=0xC1 => Overlong,
                0xF5..=0xF7 => AboveMax,
                _ => InvalidLead,
            };
            return Utf8Error { valid_up_to: at, error_len: 1, kind };
        }
    };
    let found = rest[1..].iter().take(wanted).take_while(|&&byte| is_continuation(byte)).count();
    let (error_len, kind) = match rest.get(1) {
        Some(byte) if is_continuation(*byte) && !second.contains(byte) => (1, out_of_range),
        _ if 1 + found == rest.len() => (0, Incomplete),
        _ => (1 + found as u8, MissingContinuation),
    };
    Utf8Error { valid_up_to: at, error_len, kind }
}

/// Decodes the character at the start of `src`: its value and its length in bytes, or `None` if it is ill-formed.
#[inline(always)]
fn decode_utf8(src: &[u8]) -> Option<(u32, usize)> {
    let tail = |at: usize| match src.get(at) {
        Some(&byte) if is_continuation(byte) => Some(u32::from(byte & 0b0011_1111)),
        _ => None,
    };
    let lead = u32::from(*src.first()?);
    match lead {
        0..0x80 => Some((lead, 1)),
        0xC2..0xE0 => Some(((lead & 0b1_1111) << 6 | tail(1)?, 2)),
        0xE0..0xF0 => {
            let value = (lead & 0b1111) << 12 | tail(1)? << 6 | tail(2)?;
            (value >= 0x800 && value & 0xF800 != 0xD800).then_some((value, 3))
        }
        0xF0..0xF5 => {
            let value = (lead & 0b111) << 18 | tail(1)? << 12 | tail(2)? << 6 | tail(3)?;
            (0x1_0000..=0x10_FFFF).contains(&value).then_some((value, 4))
        }
        _ => None,
    }
}

pub(crate) fn utf8_to_utf16<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
    utf8_to_utf16_from::<E>(src, dst, 0, 0)
}

/// Goes on from `read` and `written`, where a kernel left off at a character boundary.
pub(crate) fn utf8_to_utf16_from<E: Endian>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
    mut written: usize,
) -> Conversion<Utf8Error> {
    let stop = loop {
        while let (Some(&bytes), Some(out)) =
            (src[read..].first_chunk::<8>(), dst[written..].first_chunk_mut::<16>())
        {
            if u64::from_ne_bytes(bytes) & NOT_ASCII != 0 {
                break;
            }
            for (out, byte) in out.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
                *out = E::bytes(u16::from(byte)).map(MaybeUninit::new);
            }
            (read, written) = (read + 8, written + 16);
        }
        if read == src.len() {
            break Stop::Complete;
        }
        let Some((value, len)) = decode_utf8(&src[read..]) else {
            break Stop::Invalid(utf8_error_at(src, read));
        };
        if value < 0x1_0000 {
            let Some(out) = dst[written..].first_chunk_mut::<2>() else { break Stop::OutputFull };
            *out = E::bytes(value as u16).map(MaybeUninit::new);
            written += 2;
        } else {
            let Some(out) = dst[written..].first_chunk_mut::<4>() else { break Stop::OutputFull };
            let high = E::bytes((0xD7C0 + (value >> 10)) as u16);
            let low = E::bytes((0xDC00 | value & 0x3FF) as u16);
            *out = [high[0], high[1], low[0], low[1]].map(MaybeUninit::new);
            written += 4;
        }
        read += len;
    };
    Conversion { read, written, stop }
}

/// Decodes the character at the start of `src`: its value and its length in bytes, or what is wrong with it.
#[inline(always)]
fn decode_utf16<E: Endian>(src: &[u8]) -> Result<(u32, usize), Utf16ErrorKind> {
    let Some(&first) = src.first_chunk::<2>() else { return Err(Utf16ErrorKind::TrailingByte) };
    let unit = u32::from(E::unit(first));
    match unit {
        0xD800..0xDC00 => {
            let Some(&[_, _, a, b]) = src.first_chunk::<4>() else {
                return Err(Utf16ErrorKind::TrailingHighSurrogate);
            };
            let next = u32::from(E::unit([a, b]));
            if next & 0xFC00 != 0xDC00 {
                return Err(Utf16ErrorKind::UnpairedHighSurrogate);
            }
            Ok((0x1_0000 + ((unit & 0x3FF) << 10 | next & 0x3FF), 4))
        }
        0xDC00..0xE000 => Err(Utf16ErrorKind::UnpairedLowSurrogate),
        _ => Ok((unit, 2)),
    }
}

pub(crate) fn validate_utf16<E: Endian>(src: &[u8]) -> Result<(), Utf16Error> {
    validate_utf16_from::<E>(src, 0)
}

/// Goes on from `at`, where a kernel left off at a character boundary. Offsets are in bytes.
pub(crate) fn validate_utf16_from<E: Endian>(src: &[u8], mut at: usize) -> Result<(), Utf16Error> {
    while at < src.len() {
        match decode_utf16::<E>(&src[at..]) {
            Ok((_, len)) => at += len,
            Err(kind) => return Err(Utf16Error { valid_up_to: at, kind, bytes: true }),
        }
    }
    Ok(())
}

pub(crate) fn utf16_to_utf8<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
    utf16_to_utf8_from::<E>(src, dst, 0, 0)
}

/// Goes on from `read` and `written`, where a kernel left off at a character boundary. Both are in bytes.
pub(crate) fn utf16_to_utf8_from<E: Endian>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
    mut written: usize,
) -> Conversion<Utf16Error> {
    const TAIL: u32 = 0b1000_0000;
    /// Bits of the code units that ASCII leaves clear, in 4 units at once.
    const fn not_ascii<E: Endian>() -> u64 {
        let [a, b] = if E::BIG { [0xFF, 0x80] } else { [0x80, 0xFF] };
        u64::from_ne_bytes([a, b, a, b, a, b, a, b])
    }
    let stop = loop {
        while let (Some(&bytes), Some(out)) =
            (src[read..].first_chunk::<8>(), dst[written..].first_chunk_mut::<4>())
        {
            if u64::from_ne_bytes(bytes) & not_ascii::<E>() != 0 {
                break;
            }
            for (out, unit) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
                *out = MaybeUninit::new(E::unit(*unit) as u8);
            }
            (read, written) = (read + 8, written + 4);
        }
        if read == src.len() {
            break Stop::Complete;
        }
        let (value, len) = match decode_utf16::<E>(&src[read..]) {
            Ok(decoded) => decoded,
            Err(kind) => break Stop::Invalid(Utf16Error { valid_up_to: read, kind, bytes: true }),
        };
        let tail = |shift: u32| (TAIL | value >> shift & 0b0011_1111) as u8;
        let (bytes, count) = match value {
            0..0x80 => ([value as u8, 0, 0, 0], 1),
            0x80..0x800 => ([(0b1100_0000 | value >> 6) as u8, tail(0), 0, 0], 2),
            0x800..0x1_0000 => ([(0b1110_0000 | value >> 12) as u8, tail(6), tail(0), 0], 3),
            _ => ([(0b1111_0000 | value >> 18) as u8, tail(12), tail(6), tail(0)], 4),
        };
        let Some(out) = dst[written..].get_mut(..count) else { break Stop::OutputFull };
        for (out, byte) in out.iter_mut().zip(bytes) {
            *out = MaybeUninit::new(byte);
        }
        (read, written) = (read + len, written + count);
    };
    Conversion { read, written, stop }
}

/// Bytes that start a character.
pub(crate) fn count_chars_utf8(src: &[u8]) -> usize {
    src.iter().map(|&byte| usize::from(!is_continuation(byte))).sum()
}

/// Bytes that start a character, and once more those that start one of 4 bytes.
pub(crate) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    src.iter().map(|&byte| usize::from(!is_continuation(byte)) + usize::from(byte >= 0xF0)).sum()
}

/// Code units, less the low surrogates.
pub(crate) fn count_chars_utf16<E: Endian>(src: &[u8]) -> usize {
    units::<E>(src).map(|unit| usize::from(unit & 0xFC00 != 0xDC00)).sum()
}

/// 1, 2 or 3 bytes a code unit, and 2 for each half of a pair.
pub(crate) fn utf8_len_from_utf16<E: Endian>(src: &[u8]) -> usize {
    units::<E>(src)
        .map(|unit| {
            let surrogate = unit & 0xF800 == 0xD800;
            1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800 && !surrogate)
        })
        .sum()
}

fn units<E: Endian>(src: &[u8]) -> impl Iterator<Item = u16> {
    src.as_chunks::<2>().0.iter().map(|&bytes| E::unit(bytes))
}

pub(crate) fn swap_utf16_bytes(bytes: &mut [u8]) {
    for unit in bytes.as_chunks_mut::<2>().0 {
        unit.reverse();
    }
}

/// Swaps from `src` into `dst`, which is as long; an odd last byte is copied.
pub(crate) fn swap_utf16_bytes_into(src: &[u8], dst: &mut [u8]) {
    dst.copy_from_slice(src);
    swap_utf16_bytes(dst);
}
