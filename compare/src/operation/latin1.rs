//! Latin-1. The conversions of encoding_rs to Latin-1 do not check the text.

use encoding_rs::mem;
use fastutf::Isa;

use super::{Field, as_str, bytes_mut, encode, enter_simdutf, fill, narrow, operations};

operations! { OPERATIONS, lossy: false;
    latin1_to_utf8(Latin1, narrow): field, isa = field.isa, src = field.windows.latin1(), result = &field.windows.utf8 => {
        field.ours_into(move |i, dst| isa.latin1_to_utf8(&src[i], &mut bytes_mut(dst)[..result[i].len()]).written);
        enter_simdutf!(field, |i| &src[i], convert_latin1_to_utf8, u8, 2);
        field.peer_into("encoding_rs", move |i, dst| mem::convert_latin1_to_utf8(&src[i], bytes_mut(dst)));
        field.peer_into("std", move |i, dst| encode(src[i].iter().map(|&byte| char::from(byte)), bytes_mut(dst)));
    }
    utf8_to_latin1(Utf8, narrow): field, isa = field.isa, src = &field.windows.utf8, result = field.windows.latin1() => {
        field.ours_into(move |i, dst| isa.utf8_to_latin1(src[i], &mut bytes_mut(dst)[..result[i].len()]).written);
        enter_simdutf!(field, |i| src[i], convert_utf8_to_latin1, u8, 1);
        utf8_to_latin1_by_others(field);
    }
    latin1_to_utf16(Latin1, narrow): field, isa = field.isa, src = field.windows.latin1() => {
        field.ours_into(move |i, dst| 2 * isa.latin1_to_utf16(&src[i], &mut dst[..src[i].len()]).written);
        enter_simdutf!(field, |i| &src[i], convert_latin1_to_utf16, u16, 1);
        field.peer_into("encoding_rs", move |i, dst| {
            mem::convert_latin1_to_utf16(&src[i], dst);
            2 * src[i].len()
        });
        field.peer_into("std", move |i, dst| fill(dst, src[i].iter().map(|&byte| u16::from(byte))));
    }
    utf16_to_latin1(Utf16le, narrow): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours_into(move |i, dst| isa.utf16_to_latin1(src[i], &mut bytes_mut(dst)[..src[i].len()]).written);
        enter_simdutf!(field, |i| src[i], convert_utf16_to_latin1, u8, 1);
        utf16_to_latin1_by_others(field);
    }
    utf8_len_from_latin1(Latin1, narrow): field, isa = field.isa, src = field.windows.latin1() => {
        field.ours(move |i| isa.utf8_len_from_latin1(&src[i]));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::utf8_length_from_latin1(&src[i]));
        field.peer("std", move |i| src[i].iter().map(|byte| 1 + usize::from(byte >> 7)).sum::<usize>());
    }
    validate_latin1_in_utf8(Utf8, narrow): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.validate_latin1_in_utf8(src[i]).is_ok());
        field.peer("encoding_rs", move |i| mem::utf8_latin1_up_to(src[i]) == src[i].len());
        field.peer("std", move |i| as_str(src[i]).chars().all(|char| char <= '\u{FF}'));
    }
    validate_latin1_in_utf16(Utf16le, narrow): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours(move |i| isa.validate_latin1_in_utf16(src[i]).is_ok());
        field.peer("encoding_rs", move |i| mem::is_utf16_latin1(src[i]));
        field.peer("std", move |i| src[i].iter().all(|&unit| unit <= 0xFF));
    }
    utf8_to_latin1_lossy(Utf8, narrow): field, isa = field.isa, src = &field.windows.utf8, result = field.windows.latin1() => {
        field.ours_into(move |i, dst| {
            isa.utf8_to_latin1_lossy(src[i], b'?', &mut bytes_mut(dst)[..result[i].len()]).written
        });
        utf8_to_latin1_by_others(field);
    }
    utf16_to_latin1_lossy(Utf16le, narrow): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours_into(move |i, dst| {
            isa.utf16_to_latin1_lossy(src[i], b'?', &mut bytes_mut(dst)[..src[i].len()]).written
        });
        utf16_to_latin1_by_others(field);
    }
}

fn utf8_to_latin1_by_others(field: &mut Field<Isa>) {
    let src = &field.windows.utf8;
    field.peer_into("encoding_rs", move |i, dst| mem::convert_utf8_to_latin1_lossy(src[i], bytes_mut(dst)));
    field.peer_into("std", move |i, dst| fill(bytes_mut(dst), as_str(src[i]).chars().map(|char| char as u8)));
}

fn utf16_to_latin1_by_others(field: &mut Field<Isa>) {
    let src = &field.windows.utf16le;
    field.peer_into("encoding_rs", move |i, dst| {
        mem::convert_utf16_to_latin1_lossy(src[i], bytes_mut(dst));
        src[i].len()
    });
    field.peer_into("std", move |i, dst| fill(bytes_mut(dst), src[i].iter().map(|&unit| unit as u8)));
}
