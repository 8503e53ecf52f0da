//! Compares the functions that find the narrowest form of a text, on one input, with the oracles. The fuzz target compiles
//! this file as well.

use std::borrow::Cow;

use fastutf::{
    Isa, Utf16Error,
    narrowest::{Narrowest, Utf16Info},
};
use fastutf_testkit::hex;
use fastutf_testkit::oracle::{Utf8Oracle, Utf16Oracle, to_bytes, width_of_utf16};

use super::told::told;

/// The units that a text has, or an error.
type Told<F> = Result<Vec<u16>, F>;

/// The units of this text, which must be in the narrowest form.
#[track_caller]
fn units(text: &Narrowest) -> Vec<u16> {
    let units = match text {
        Narrowest::Ascii(text) => text.bytes().map(u16::from).collect(),
        Narrowest::Latin1(bytes) => bytes.iter().copied().map(u16::from).collect(),
        Narrowest::Utf16(units) => units.to_vec(),
    };
    let greatest = units.iter().copied().max().unwrap_or(0);
    let fits = match text {
        Narrowest::Ascii(_) => greatest < 0x80,
        Narrowest::Latin1(_) => (0x80..0x100).contains(&greatest),
        Narrowest::Utf16(_) => greatest >= 0x100,
    };
    assert!(fits, "not the narrowest form: {text:?}");
    assert_eq!(text.utf16_len(), units.len());
    assert_eq!(text.as_latin1().map(<[u8]>::len), (greatest < 0x100).then_some(units.len()));
    units
}

/// How many more elements were allocated than the text has.
fn unused(text: &Narrowest) -> usize {
    match text {
        Narrowest::Ascii(Cow::Owned(text)) => text.capacity() - text.len(),
        Narrowest::Latin1(bytes) => bytes.capacity() - bytes.len(),
        Narrowest::Utf16(Cow::Owned(units)) => units.capacity() - units.len(),
        _ => 0,
    }
}

/// Finds the form of this UTF-8, perhaps ill-formed.
#[track_caller]
pub fn of_utf8(isa: Isa, src: &[u8]) {
    let of = || format!("{isa}: {}", hex(src));
    let lossy: Vec<u16> = String::from_utf8_lossy(src).encode_utf16().collect();
    let strict: Told<_> = Utf8Oracle::new(src).result().map(|()| lossy.clone());
    let got = isa.narrowest_from_utf8(src);
    assert_eq!(got.as_ref().map(units).map_err(|&error| told(error)), strict, "{}", of());
    let got_lossy = isa.narrowest_from_utf8_lossy(src);
    assert_eq!(units(&got_lossy), lossy, "{}", of());
    for text in got.iter().chain([&got_lossy]) {
        assert_eq!(matches!(text, Narrowest::Ascii(Cow::Borrowed(_))), src.is_ascii(), "{}", of());
        assert_eq!(unused(text), 0, "{}", of());
    }
}

/// Finds the form of this UTF-16, perhaps ill-formed; with an odd last byte, if there is one.
#[track_caller]
pub fn of_utf16(isa: Isa, src: &[u16], odd: Option<u8>) {
    let of = || format!("{isa}: {} and {odd:?}", hex(src));
    let mut lossy: Vec<u16> =
        char::decode_utf16(src.iter().copied()).flat_map(|c| encoded(c.unwrap_or('\u{FFFD}'))).collect();
    let info = |scale: usize, odd: bool| {
        let info = Utf16Oracle::new(src, odd).result(scale);
        info.map(|()| (char::decode_utf16(src.iter().copied()).count(), width_of_utf16(src).unwrap()))
    };
    let told_info = |info: Result<Utf16Info, Utf16Error>| {
        if let Ok(info) = info {
            assert_eq!(info.is_ascii(), info.width() as u8 == 0);
        }
        info.map(|info| (info.chars, info.width() as u8)).map_err(told)
    };
    assert_eq!(told_info(isa.utf16_info(src)), info(1, false), "{}", of());
    let got = isa.narrowest_from_utf16(src);
    let want: Told<_> = Utf16Oracle::new(src, false).result(1).map(|()| lossy.clone());
    assert_eq!(got.as_ref().map(units).map_err(|&error| told(error)), want, "{}", of());
    let got_lossy = isa.narrowest_from_utf16_lossy(src);
    assert_eq!(units(&got_lossy), lossy, "{}", of());
    // What is UTF-16 already is borrowed, unless it was repaired.
    for text in got.iter().chain([&got_lossy]) {
        assert_eq!(unused(text), 0, "{}", of());
        if let Narrowest::Utf16(units) = text {
            assert_eq!(matches!(units, Cow::Borrowed(_)), **units == *src, "{}", of());
        }
    }

    lossy.extend(odd.map(|_| 0xFFFD));
    let want = Utf16Oracle::new(src, odd.is_some()).result(2).map(|()| lossy.clone());
    macro_rules! bytes {
        ($order:ident $info:ident $strict:ident $lossy:ident) => {
            let mut bytes = to_bytes(src, u16::$order);
            bytes.extend(odd);
            assert_eq!(told_info(isa.$info(&bytes)), info(2, odd.is_some()), "{} {}", stringify!($info), of());
            let got = isa.$strict(&bytes);
            assert_eq!(got.as_ref().map(units).map_err(|&error| told(error)), want, "{}", of());
            assert_eq!(units(&isa.$lossy(&bytes)), lossy, "{} {}", stringify!($lossy), of());
        };
    }
    bytes!(to_le_bytes utf16le_info narrowest_from_utf16le narrowest_from_utf16le_lossy);
    bytes!(to_be_bytes utf16be_info narrowest_from_utf16be narrowest_from_utf16be_lossy);
}

fn encoded(character: char) -> Vec<u16> {
    character.encode_utf16(&mut [0; 2]).to_vec()
}
