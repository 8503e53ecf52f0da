//! WTF-8 and modified UTF-8, next to loops over code units and to what is plain (`utf-8`, the limit): the same text, with
//! replacements, between UTF-8 and UTF-16. The latter is as fast as can be hoped for where a text has nothing special.

use std::borrow::Cow;

use fastutf::Isa;

use super::{Field, all, as_str, bytes_mut, operations};
use crate::windows::Pieces;

operations! { OPERATIONS, lossy: true;
    utf16_to_wtf8(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le, result = field.windows.wtf8() => {
        field.ours_into(move |i, dst| isa.utf16_to_wtf8(src[i], &mut bytes_mut(dst)[..result[i].len()]).written);
        limited_by_utf8(field);
        field.peer_into("loop", move |i, dst| {
            let (dst, mut at) = (bytes_mut(dst), 0);
            for char in char::decode_utf16(src[i].iter().copied()) {
                at += match char {
                    Ok(char) => char.encode_utf8(&mut dst[at..]).len(),
                    Err(error) => surrogate(error.unpaired_surrogate(), &mut dst[at..]),
                };
            }
            at
        });
    }
    wtf8_to_utf16(Wtf8, all): field, isa = field.isa, src = field.windows.wtf8(), result = &field.windows.utf16le => {
        field.ours_into(move |i, dst| 2 * isa.wtf8_to_utf16(&src[i], &mut dst[..result[i].len()]).written);
        to_utf16_by_others(field, src);
    }
    validate_wtf8(Wtf8, all): field, isa = field.isa, src = field.windows.wtf8(), replaced = field.windows.replaced() => {
        field.ours(move |i| isa.validate_wtf8(&src[i]).is_ok());
        field.limit("utf-8", move |i| isa.validate_utf8(&replaced[i]).is_ok());
    }
    utf16_to_mutf8(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le, result = field.windows.mutf8() => {
        field.ours_into(move |i, dst| isa.utf16_to_mutf8(src[i], &mut bytes_mut(dst)[..result[i].len()]).written);
        limited_by_utf8(field);
        // As Java does.
        field.peer_into("loop", move |i, dst| {
            let (dst, mut at) = (bytes_mut(dst), 0);
            for &unit in src[i] {
                at += match char::from_u32(u32::from(unit)) {
                    Some('\0') => {
                        dst[at..at + 2].copy_from_slice(&[0xC0, 0x80]);
                        2
                    }
                    Some(char) => char.encode_utf8(&mut dst[at..]).len(),
                    None => surrogate(unit, &mut dst[at..]),
                };
            }
            at
        });
    }
    mutf8_to_utf16(Mutf8, all): field, isa = field.isa, src = field.windows.mutf8(), result = &field.windows.utf16le => {
        field.ours_into(move |i, dst| 2 * isa.mutf8_to_utf16(&src[i], &mut dst[..result[i].len()]).written);
        to_utf16_by_others(field, src);
    }
    /// Of text without unpaired surrogates.
    from_mutf8(Mutf8, all): field, isa = field.isa, src = field.windows.mutf8(), utf8 = &field.windows.utf8 => {
        if field.corrupt > 0.0 {
            return;
        }
        field.ours(move |i| isa.from_mutf8(&src[i]).unwrap_or_default());
        #[cfg(feature = "cesu8")]
        field.peer("simd_cesu8", move |i| simd_cesu8::mutf8::decode(&src[i]).unwrap_or_default());
        field.limit("utf-8", move |i| Cow::Borrowed(isa.from_utf8(utf8[i]).unwrap_or_default()));
    }
    /// Of text without unpaired surrogates.
    to_mutf8(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        if field.corrupt > 0.0 {
            return;
        }
        field.ours(move |i| isa.to_mutf8(as_str(src[i])));
        #[cfg(feature = "cesu8")]
        field.peer("simd_cesu8", move |i| simd_cesu8::mutf8::encode(as_str(src[i])));
    }
}

fn to_utf16_by_others<'a>(field: &mut Field<'a, Isa>, src: &'a Pieces<u8>) {
    let (isa, utf8, result) = (field.isa, field.windows.replaced(), &field.windows.utf16le);
    field.limit_into("utf-8", move |i, dst| isa.utf8_to_utf16(&utf8[i], &mut dst[..result[i].len()]).written);
    field.peer_into("loop", move |i, dst| 2 * loop_to_utf16(&src[i], dst));
}

fn limited_by_utf8(field: &mut Field<Isa>) {
    let (isa, src, replaced) = (field.isa, &field.windows.utf16le, field.windows.replaced());
    field.limit_into("utf-8", move |i, dst| {
        isa.utf16_to_utf8_lossy(src[i], &mut bytes_mut(dst)[..replaced[i].len()]).written
    });
}

fn surrogate(unit: u16, bytes: &mut [u8]) -> usize {
    bytes[..3].copy_from_slice(&[0xED, 0x80 | (unit >> 6) as u8 & 0x3F, 0x80 | unit as u8 & 0x3F]);
    3
}

/// Reads sequences of up to three bytes, as many decoders of Java's do, and those of four, without checking them.
fn loop_to_utf16(src: &[u8], units: &mut [u16]) -> usize {
    let (mut at, mut written) = (0, 0);
    let tail = |at: usize| u32::from(src[at] & 0x3F);
    while at < src.len() {
        let lead = u32::from(src[at]);
        let (value, len) = match lead {
            0..0x80 => (lead, 1),
            0x80..0xE0 => ((lead & 0x1F) << 6 | tail(at + 1), 2),
            0xE0..0xF0 => ((lead & 0xF) << 12 | tail(at + 1) << 6 | tail(at + 2), 3),
            _ => ((lead & 7) << 18 | tail(at + 1) << 12 | tail(at + 2) << 6 | tail(at + 3), 4),
        };
        at += len;
        if value > 0xFFFF {
            units[written] = (0xD7C0 + (value >> 10)) as u16;
            written += 1;
            units[written] = 0xDC00 | value as u16 & 0x3FF;
        } else {
            units[written] = value as u16;
        }
        written += 1;
    }
    written
}
