//! UTF-32. Loops over `char`s do not check what is in one already.

use bytemuck::cast_slice_mut;
use fastutf::{Isa, chars_as_utf32};

use super::{Field, Operation, all, as_str, bytes_mut, encode, enter_simdutf, entries, fill, narrow};
use crate::windows::Input;

pub const OPERATIONS: [Operation; 9] = entries! { methods, lossy: false;
    validate_utf32: Utf32, all;
    utf8_to_utf32: Utf8, all;
    utf32_to_utf8: Utf32, all;
    utf16_to_utf32: Utf16le, all;
    utf32_to_utf16: Utf32, all;
    utf8_len_from_utf32: Utf32, all;
    utf16_len_from_utf32: Utf32, all;
    latin1_to_utf32: Latin1, narrow;
    utf32_to_latin1: Utf32, narrow;
};

fn validate_utf32(field: &mut Field<Isa>) {
    let (isa, chars) = (field.isa, field.windows.chars());
    field.ours(move |i| isa.validate_utf32(chars_as_utf32(&chars[i])).is_ok());
    #[cfg(feature = "simdutf")]
    field.peer("simdutf", move |i| simdutf::validate_utf32(chars_as_utf32(&chars[i])));
    field.limited_by_reading(Input::Utf32);
    field.peer("std", move |i| chars_as_utf32(&chars[i]).iter().all(|&unit| char::from_u32(unit).is_some()));
}

fn utf8_to_utf32(field: &mut Field<Isa>) {
    let (isa, src, chars) = (field.isa, &field.windows.utf8, field.windows.chars());
    field.ours_into(move |i, dst| {
        4 * isa.utf8_to_utf32(src[i], &mut cast_slice_mut(dst)[..chars[i].len()]).written
    });
    enter_simdutf!(field, |i| src[i], convert_utf8_to_utf32, u32, 1);
    field.peer_into("std", move |i, dst| fill(cast_slice_mut(dst), as_str(src[i]).chars().map(u32::from)));
}

fn utf32_to_utf8(field: &mut Field<Isa>) {
    let (isa, chars, result) = (field.isa, field.windows.chars(), &field.windows.utf8);
    field.ours_into(move |i, dst| {
        isa.utf32_to_utf8(chars_as_utf32(&chars[i]), &mut bytes_mut(dst)[..result[i].len()]).written
    });
    enter_simdutf!(field, |i| chars_as_utf32(&chars[i]), convert_utf32_to_utf8, u8, 4);
    field.peer_into("std", move |i, dst| encode(chars[i].iter().copied(), bytes_mut(dst)));
}

fn utf16_to_utf32(field: &mut Field<Isa>) {
    let (isa, src, chars) = (field.isa, &field.windows.utf16le, field.windows.chars());
    field.ours_into(move |i, dst| {
        4 * isa.utf16_to_utf32(src[i], &mut cast_slice_mut(dst)[..chars[i].len()]).written
    });
    enter_simdutf!(field, |i| src[i], convert_utf16_to_utf32, u32, 1);
    field.peer_into("std", move |i, dst| {
        let chars = char::decode_utf16(src[i].iter().copied());
        fill(cast_slice_mut(dst), chars.map(|char| u32::from(char.expect("windows hold valid text"))))
    });
}

fn utf32_to_utf16(field: &mut Field<Isa>) {
    let (isa, chars, result) = (field.isa, field.windows.chars(), &field.windows.utf16le);
    field.ours_into(move |i, dst| {
        2 * isa.utf32_to_utf16(chars_as_utf32(&chars[i]), &mut dst[..result[i].len()]).written
    });
    enter_simdutf!(field, |i| chars_as_utf32(&chars[i]), convert_utf32_to_utf16, u16, 2);
    field.peer_into("std", move |i, dst| {
        2 * chars[i].iter().fold(0, |written, char| written + char.encode_utf16(&mut dst[written..]).len())
    });
}

fn utf8_len_from_utf32(field: &mut Field<Isa>) {
    let (isa, chars) = (field.isa, field.windows.chars());
    field.ours(move |i| isa.utf8_len_from_utf32(chars_as_utf32(&chars[i])));
    #[cfg(feature = "simdutf")]
    field.peer("simdutf", move |i| simdutf::utf8_length_from_utf32(chars_as_utf32(&chars[i])));
    field.limited_by_reading(Input::Utf32);
    field.peer("std", move |i| chars[i].iter().map(|char| char.len_utf8()).sum::<usize>());
}

fn utf16_len_from_utf32(field: &mut Field<Isa>) {
    let (isa, chars) = (field.isa, field.windows.chars());
    field.ours(move |i| isa.utf16_len_from_utf32(chars_as_utf32(&chars[i])));
    #[cfg(feature = "simdutf")]
    field.peer("simdutf", move |i| simdutf::utf16_length_from_utf32(chars_as_utf32(&chars[i])));
    field.limited_by_reading(Input::Utf32);
    field.peer("std", move |i| chars[i].iter().map(|char| char.len_utf16()).sum::<usize>());
}

fn latin1_to_utf32(field: &mut Field<Isa>) {
    let (isa, src) = (field.isa, field.windows.latin1());
    field.ours_into(move |i, dst| {
        4 * isa.latin1_to_utf32(&src[i], &mut cast_slice_mut(dst)[..src[i].len()]).written
    });
    enter_simdutf!(field, |i| &src[i], convert_latin1_to_utf32, u32, 1);
    field.peer_into("std", move |i, dst| fill(cast_slice_mut(dst), src[i].iter().map(|&byte| u32::from(byte))));
}

fn utf32_to_latin1(field: &mut Field<Isa>) {
    let (isa, chars) = (field.isa, field.windows.chars());
    field.ours_into(move |i, dst| {
        isa.utf32_to_latin1(chars_as_utf32(&chars[i]), &mut bytes_mut(dst)[..chars[i].len()]).written
    });
    enter_simdutf!(field, |i| chars_as_utf32(&chars[i]), convert_utf32_to_latin1, u8, 1);
    field.peer_into("std", move |i, dst| {
        fill(bytes_mut(dst), chars[i].iter().map_while(|&char| u8::try_from(char).ok()))
    });
}
