//! UTF-32. Loops over `char`s do not check what is in one already.

use bytemuck::cast_slice_mut;
use fastutf::utf32::chars_as_utf32;

use super::{all, as_str, bytes_mut, encode, enter_simdutf, fill, narrow, operations};

operations! { OPERATIONS, lossy: false;
    validate_utf32(Utf32, all): field, isa = field.isa, chars = field.windows.chars() => {
        field.ours(move |i| isa.validate_utf32(chars_as_utf32(&chars[i])).is_ok());
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::validate_utf32(chars_as_utf32(&chars[i])));
        field.peer("std", move |i| chars_as_utf32(&chars[i]).iter().all(|&unit| char::from_u32(unit).is_some()));
    }
    utf8_to_utf32(Utf8, all): field, isa = field.isa, src = &field.windows.utf8, chars = field.windows.chars() => {
        field.ours_into(move |i, dst| {
            4 * isa.utf8_to_utf32(src[i], &mut cast_slice_mut(dst)[..chars[i].len()]).written
        });
        enter_simdutf!(field, |i| src[i], convert_utf8_to_utf32, u32, 1);
        field.peer_into("std", move |i, dst| fill(cast_slice_mut(dst), as_str(src[i]).chars().map(u32::from)));
    }
    utf32_to_utf8(Utf32, all): field, isa = field.isa, chars = field.windows.chars(), result = &field.windows.utf8 => {
        field.ours_into(move |i, dst| {
            isa.utf32_to_utf8(chars_as_utf32(&chars[i]), &mut bytes_mut(dst)[..result[i].len()]).written
        });
        enter_simdutf!(field, |i| chars_as_utf32(&chars[i]), convert_utf32_to_utf8, u8, 4);
        field.peer_into("std", move |i, dst| encode(chars[i].iter().copied(), bytes_mut(dst)));
    }
    utf16_to_utf32(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le, chars = field.windows.chars() => {
        field.ours_into(move |i, dst| {
            4 * isa.utf16_to_utf32(src[i], &mut cast_slice_mut(dst)[..chars[i].len()]).written
        });
        enter_simdutf!(field, |i| src[i], convert_utf16_to_utf32, u32, 1);
        field.peer_into("std", move |i, dst| {
            let chars = char::decode_utf16(src[i].iter().copied());
            fill(cast_slice_mut(dst), chars.map(|char| u32::from(char.expect("windows hold valid text"))))
        });
    }
    utf32_to_utf16(Utf32, all): field, isa = field.isa, chars = field.windows.chars(), result = &field.windows.utf16le => {
        field.ours_into(move |i, dst| {
            2 * isa.utf32_to_utf16(chars_as_utf32(&chars[i]), &mut dst[..result[i].len()]).written
        });
        enter_simdutf!(field, |i| chars_as_utf32(&chars[i]), convert_utf32_to_utf16, u16, 2);
        field.peer_into("std", move |i, dst| {
            2 * chars[i].iter().fold(0, |written, char| written + char.encode_utf16(&mut dst[written..]).len())
        });
    }
    utf8_len_from_utf32(Utf32, all): field, isa = field.isa, chars = field.windows.chars() => {
        field.ours(move |i| isa.utf8_len_from_utf32(chars_as_utf32(&chars[i])));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::utf8_length_from_utf32(chars_as_utf32(&chars[i])));
        field.peer("std", move |i| chars[i].iter().map(|char| char.len_utf8()).sum::<usize>());
    }
    utf16_len_from_utf32(Utf32, all): field, isa = field.isa, chars = field.windows.chars() => {
        field.ours(move |i| isa.utf16_len_from_utf32(chars_as_utf32(&chars[i])));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::utf16_length_from_utf32(chars_as_utf32(&chars[i])));
        field.peer("std", move |i| chars[i].iter().map(|char| char.len_utf16()).sum::<usize>());
    }
    latin1_to_utf32(Latin1, narrow): field, isa = field.isa, src = field.windows.latin1() => {
        field.ours_into(move |i, dst| {
            4 * isa.latin1_to_utf32(&src[i], &mut cast_slice_mut(dst)[..src[i].len()]).written
        });
        enter_simdutf!(field, |i| &src[i], convert_latin1_to_utf32, u32, 1);
        field.peer_into("std", move |i, dst| fill(cast_slice_mut(dst), src[i].iter().map(|&byte| u32::from(byte))));
    }
    utf32_to_latin1(Utf32, narrow): field, isa = field.isa, chars = field.windows.chars() => {
        field.ours_into(move |i, dst| {
            isa.utf32_to_latin1(chars_as_utf32(&chars[i]), &mut bytes_mut(dst)[..chars[i].len()]).written
        });
        enter_simdutf!(field, |i| chars_as_utf32(&chars[i]), convert_utf32_to_latin1, u8, 1);
        field.peer_into("std", move |i, dst| {
            fill(bytes_mut(dst), chars[i].iter().map_while(|&char| u8::try_from(char).ok()))
        });
    }
}
