//! The lossy operations. On well-formed text, the strict operation races too: it shows the cost of being lossy.

use std::hint::black_box;

use encoding_rs::{UTF_8, UTF_16LE, mem};

use fastutf::Isa;

use super::{Field, STRICT, all, bytes, bytes_mut, encode, fill, operations};
use crate::kind::Filling;
use crate::race::Role;

operations! { OPERATIONS, lossy: true;
    from_utf8_lossy(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.from_utf8_lossy(src[i]));
        if is_valid(field) {
            field.limit(STRICT, move |i| isa.from_utf8(src[i]).map_or(0, str::len));
        }
        // It validates with simdutf8, which uses AVX2 where available, whatever the row says.
        if matches!(isa.name(), "avx512" | "avx2") {
            field.peer("encoding_rs", move |i| UTF_8.decode_without_bom_handling(src[i]).0);
        }
        field.peer("std", move |i| String::from_utf8_lossy(src[i]));
    }
    utf8_chunks(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        // A number that depends on where each of them ends.
        let next = |sum: usize, valid: &str, invalid: &[u8]| (sum + valid.len()).wrapping_mul(31) + invalid.len();
        field.ours(move |i| isa.utf8_chunks(src[i]).fold(0, |sum, chunk| next(sum, chunk.valid(), chunk.invalid())));
        if is_valid(field) {
            field.limit(STRICT, move |i| isa.validate_utf8(src[i]).is_ok());
        }
        field.peer("std", move |i| {
            src[i].utf8_chunks().fold(0, |sum, chunk| next(sum, chunk.valid(), chunk.invalid()))
        });
    }
    utf8_to_utf16_lossy(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        let room: Vec<usize> = src.iter().map(|src| isa.utf16_len_from_utf8_lossy(src)).collect();
        field.ours_into(move |i, dst| 2 * isa.utf8_to_utf16_lossy(src[i], &mut dst[..room[i]]).written);
        if is_valid(field) {
            let result = &field.windows.utf16le;
            field.limit_into(STRICT, move |i, dst| 2 * isa.utf8_to_utf16(src[i], &mut dst[..result[i].len()]).written);
        }
        field.peer_into("encoding_rs", move |i, dst| 2 * mem::convert_utf8_to_utf16(src[i], dst));
        field.peer_into("std", move |i, dst| fill(dst, pieces(src[i]).flat_map(str::encode_utf16)));
    }
    from_utf16_lossy(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours(move |i| isa.from_utf16_lossy(src[i]).into_bytes());
        if is_valid(field) {
            field.limit(STRICT, move |i| isa.from_utf16(src[i]).map_or(0, |text| black_box(text).len()));
        }
        field.peer("encoding_rs", move |i| UTF_16LE.decode_without_bom_handling(bytes(src[i])).0);
        field.peer("std", move |i| String::from_utf16_lossy(src[i]).into_bytes());
    }
    utf16_to_utf8_lossy(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        let room: Vec<usize> = src.iter().map(|src| isa.utf8_len_from_utf16_lossy(src)).collect();
        field.ours_into(move |i, dst| isa.utf16_to_utf8_lossy(src[i], &mut bytes_mut(dst)[..room[i]]).written);
        if is_valid(field) {
            let result = &field.windows.utf8;
            field.limit_into(STRICT, move |i, dst| {
                isa.utf16_to_utf8(src[i], &mut bytes_mut(dst)[..result[i].len()]).written
            });
        }
        field.peer_into("encoding_rs", move |i, dst| mem::convert_utf16_to_utf8(src[i], bytes_mut(dst)));
        field.peer_into("std", move |i, dst| encode(replaced(src[i]), bytes_mut(dst)));
    }
    /// In place, so each works on its own copy. Making the copy is part of the time of all, and by itself the limit.
    make_well_formed_utf16(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        let mut enter = |name, role, repair: fn(Isa, &mut [u16])| {
            let convert = move |i: usize, dst: &mut [u16]| {
                let units = &mut dst[..src[i].len()];
                units.copy_from_slice(src[i]);
                repair(isa, units);
                2 * units.len()
            };
            field.enter(name, role, Filling { dst: field.dst, convert });
        };
        enter("fastutf", Role::Ours, |isa, units| {
            isa.make_well_formed_utf16(units);
        });
        enter("limit", Role::Limit, |_, _| {});
        enter("encoding_rs", Role::Peer, |_, units| mem::ensure_utf16_validity(units));
        enter("std", Role::Peer, |_, units| {
            let mut at = 0;
            while at < units.len() {
                match char::decode_utf16(units[at..].iter().copied()).next() {
                    Some(Ok(char)) => at += char.len_utf16(),
                    _ => {
                        units[at] = REPLACEMENT;
                        at += 1;
                    }
                }
            }
        });
    }
}

/// The replacement for an ill-formed code unit.
const REPLACEMENT: u16 = 0xFFFD;

/// Whether the strict operation gets to the end of the text.
fn is_valid(field: &Field<Isa>) -> bool {
    field.corrupt == 0.0
}

/// The text according to the standard library, in pieces.
pub fn pieces(src: &[u8]) -> impl Iterator<Item = &str> {
    src.utf8_chunks().flat_map(|chunk| [chunk.valid(), if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" }])
}

/// The characters according to the standard library.
fn replaced(units: &[u16]) -> impl Iterator<Item = char> {
    char::decode_utf16(units.iter().copied()).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
}
