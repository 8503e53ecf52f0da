//! Compares the functions that find the narrowest form with as many bytes for each character, on one input, with the
//! oracles. The fuzz target compiles this file as well.

use std::borrow::Cow;

use fastutf::{Isa, narrowest::NarrowestChars};
use fastutf_testkit::hex;
use fastutf_testkit::oracle::{Utf8Oracle, Utf16Oracle};

use super::told::told;

/// The characters of this text, which must be in the narrowest form.
#[track_caller]
fn chars(text: &NarrowestChars) -> Vec<char> {
    let unit = |unit: u16| char::from_u32(unit.into()).expect("a surrogate");
    let chars: Vec<char> = match text {
        NarrowestChars::Ascii(text) => text.chars().collect(),
        NarrowestChars::Latin1(bytes) => bytes.iter().copied().map(char::from).collect(),
        NarrowestChars::Bmp(units) => units.iter().copied().map(unit).collect(),
        NarrowestChars::Full(chars) => chars.clone(),
    };
    let greatest = chars.iter().copied().max().map_or(0, u32::from);
    let fits = match text {
        NarrowestChars::Ascii(_) => greatest < 0x80,
        NarrowestChars::Latin1(_) => (0x80..0x100).contains(&greatest),
        NarrowestChars::Bmp(_) => (0x100..0x1_0000).contains(&greatest),
        NarrowestChars::Full(_) => greatest >= 0x1_0000,
    };
    assert!(fits, "not the narrowest form: {text:?}");
    let width = [0x80, 0x100, 0x1_0000].iter().filter(|&&from| greatest >= from).count();
    assert_eq!(text.width() as usize, width);
    assert_eq!((text.len(), text.is_empty()), (chars.len(), chars.is_empty()));
    assert_eq!((text.get(chars.len() / 2), text.get(chars.len())), (chars.get(chars.len() / 2).copied(), None));
    // Nothing is allocated that is not used.
    let more = match text {
        NarrowestChars::Ascii(Cow::Owned(text)) => text.capacity() - text.len(),
        NarrowestChars::Latin1(bytes) => bytes.capacity() - bytes.len(),
        NarrowestChars::Bmp(Cow::Owned(units)) => units.capacity() - units.len(),
        NarrowestChars::Full(chars) => chars.capacity() - chars.len(),
        _ => 0,
    };
    assert_eq!(more, 0, "more memory than there is text");
    chars
}

/// Finds the form of this UTF-8, perhaps ill-formed.
#[track_caller]
pub fn of_utf8(isa: Isa, src: &[u8]) {
    let of = || format!("{isa}: {}", hex(src));
    let lossy: Vec<char> = String::from_utf8_lossy(src).chars().collect();
    let strict = Utf8Oracle::new(src).result().map(|()| lossy.clone());
    let got = isa.narrowest_chars_from_utf8(src);
    assert_eq!(got.as_ref().map(chars).map_err(|&error| told(error)), strict, "{}", of());
    let got_lossy = isa.narrowest_chars_from_utf8_lossy(src);
    assert_eq!(chars(&got_lossy), lossy, "{}", of());
    for text in got.iter().chain([&got_lossy]) {
        assert_eq!(matches!(text, NarrowestChars::Ascii(Cow::Borrowed(_))), src.is_ascii(), "{}", of());
    }
}

/// Finds the form of this UTF-16, perhaps ill-formed.
#[track_caller]
pub fn of_utf16(isa: Isa, src: &[u16]) {
    let of = || format!("{isa}: {}", hex(src));
    let lossy: Vec<char> = char::decode_utf16(src.iter().copied()).map(|c| c.unwrap_or('\u{FFFD}')).collect();
    let strict = Utf16Oracle::new(src, false).result(1).map(|()| lossy.clone());
    let got = isa.narrowest_chars_from_utf16(src);
    assert_eq!(got.as_ref().map(chars).map_err(|&error| told(error)), strict, "{}", of());
    let got_lossy = isa.narrowest_chars_from_utf16_lossy(src);
    assert_eq!(chars(&got_lossy), lossy, "{}", of());
    for text in got.iter().chain([&got_lossy]) {
        if let NarrowestChars::Bmp(units) = text {
            assert_eq!(matches!(units, Cow::Borrowed(_)), **units == *src, "{}", of());
        }
    }
}
