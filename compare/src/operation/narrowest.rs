//! The narrowest form of a text, next to conversions to a form that is `known` beforehand (the limit), and to the ways of
//! peers and engines, which look at the text first.

use std::hint::black_box;

use encoding_rs::mem;
use fastutf::Width;

use super::{all, as_str, bytes_mut, operations};

operations! { OPERATIONS, lossy: false;
    utf16_info(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours(move |i| isa.utf16_info(src[i]).map_or(0, |info| info.chars));
        field.limit("validation", move |i| isa.validate_utf16(src[i]).is_ok());
        field.peer("std", move |i| char::decode_utf16(src[i].iter().copied()).map_while(Result::ok).count());
    }
    narrowest_from_utf8(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.narrowest_from_utf8(src[i]).expect(VALID));
        let width = move |i: usize| isa.utf8_info(src[i]).expect(VALID).width();
        let widths: Vec<Width> = (0..src.len()).map(width).collect();
        field.limit_into("known", move |i, dst| match widths[i] {
            Width::Ascii => src[i].len() * usize::from(isa.is_ascii(src[i])),
            Width::Latin1 => isa.utf8_to_latin1(src[i], bytes_mut(dst)).written,
            _ => isa.utf8_to_utf16(src[i], dst).written,
        });
        // Into memory of the exact size.
        field.peer("two steps", move |i| {
            let info = isa.utf8_info(src[i]).expect(VALID);
            match info.width() {
                Width::Ascii => src[i].len(),
                Width::Latin1 => {
                    let mut latin1 = Vec::with_capacity(info.utf16_len);
                    let written = isa.utf8_to_latin1_uninit(src[i], latin1.spare_capacity_mut()).written;
                    made::<u8>(&mut latin1, written)
                }
                _ => {
                    let mut units = Vec::with_capacity(info.utf16_len);
                    let written = isa.utf8_to_utf16_uninit(src[i], units.spare_capacity_mut()).written;
                    made::<u16>(&mut units, written)
                }
            }
        });
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| {
            let src = src[i];
            if simdutf::validate_ascii(src) {
                return src.len();
            }
            let mut latin1 = Vec::<u8>::with_capacity(src.len());
            // SAFETY: there is room for as many bytes.
            let len = unsafe { simdutf::convert_utf8_to_latin1(src.as_ptr(), src.len(), latin1.as_mut_ptr()) };
            if len > 0 {
                black_box(&mut latin1).shrink_to(len);
                return len;
            }
            let mut units = Vec::<u16>::with_capacity(simdutf::utf16_length_from_utf8(src));
            // SAFETY: there is room for the result, as the text is well-formed.
            let len = unsafe { simdutf::convert_utf8_to_utf16(src.as_ptr(), src.len(), units.as_mut_ptr()) };
            made(&mut units, len)
        });
        field.peer("encoding_rs", move |i| {
            if mem::utf8_latin1_up_to(src[i]) == src[i].len() {
                let mut bytes = vec![0; src[i].len()];
                let len = mem::convert_utf8_to_latin1_lossy(src[i], &mut bytes);
                black_box(bytes).truncate(len);
                return len;
            }
            let mut units = vec![0; src[i].len() + 1];
            let len = mem::convert_utf8_to_utf16(src[i], &mut units);
            black_box(units).truncate(len);
            len
        });
        // As in V8: a first pass finds out the form and the length, a second one writes.
        field.peer("std", move |i| {
            let text = as_str(src[i]);
            let (greatest, len) =
                text.chars().fold(('\0', 0), |(greatest, len), char| (char.max(greatest), len + char.len_utf16()));
            if greatest <= '\u{FF}' {
                let mut latin1: Vec<u8> = Vec::with_capacity(len);
                latin1.extend(text.chars().map(|char| char as u8));
                made(&mut latin1, len)
            } else {
                let mut units: Vec<u16> = Vec::with_capacity(len);
                units.extend(text.encode_utf16());
                made(&mut units, len)
            }
        });
    }
    narrowest_from_utf16(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours(move |i| isa.narrowest_from_utf16(src[i]).expect(VALID));
        field.peer("two steps", move |i| {
            let info = isa.utf16_info(src[i]).expect(VALID);
            if info.width() > Width::Latin1 {
                return black_box(src[i]).len();
            }
            let mut latin1 = Vec::with_capacity(src[i].len());
            let written = isa.utf16_to_latin1_uninit(src[i], latin1.spare_capacity_mut()).written;
            made::<u8>(&mut latin1, written)
        });
        field.peer("std", move |i| {
            let len = char::decode_utf16(src[i].iter().copied()).map(|char| char.expect(VALID).len_utf16()).sum();
            if src[i].iter().all(|&unit| unit <= 0xFF) {
                let mut latin1: Vec<u8> = Vec::with_capacity(len);
                latin1.extend(src[i].iter().map(|&unit| unit as u8));
                made(&mut latin1, len);
            }
            len
        });
    }
}

const VALID: &str = "windows hold valid text";

/// The length of what has been written to memory, which exists until then.
fn made<T>(memory: &mut Vec<T>, len: usize) -> usize {
    black_box(memory);
    len
}
