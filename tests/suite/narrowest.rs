//! The narrowest form of a text: every length, every wider character and everything ill-formed in every place, in texts
//! of all widths.

use fastutf::{Isa, narrowest::Narrowest};

use crate::common::{Filler, Rng, narrowest, one_in};

fn of_utf8(isa: Isa, src: &[u8]) {
    narrowest::of_utf8(isa, src);
    #[cfg(feature = "utf32")]
    crate::common::narrowest_chars::of_utf8(isa, src);
}

fn of_utf16(isa: Isa, src: &[u16], odd: Option<u8>) {
    narrowest::of_utf16(isa, src, odd);
    #[cfg(feature = "utf32")]
    crate::common::narrowest_chars::of_utf16(isa, src);
}

/// A text of so many characters, of a width.
fn text(kind: usize, len: usize, rng: &mut Rng) -> String {
    let mut character = || match kind {
        0 => 'a',
        1 => 'é',
        2 => rng.pick(&['a', 'a', 'a', '\u{80}', '\u{FF}']),
        3 => rng.pick(&['a', '\u{BF}', 'Ж', '€']),
        4 => '😀',
        _ => rng.pick(&['a', '\u{C0}', '\u{100}', '\u{FFFF}', '\u{D7FF}', '\u{10000}', '\u{10FFFF}']),
    };
    (0..len).map(|_| character()).collect()
}

const KINDS: usize = 6;

#[test]
fn every_length() {
    let rng = &mut Rng::new(110);
    for len in (0..=300).chain([510, 511, 512, 513, 1030, 2100, 5000]) {
        for kind in 0..KINDS {
            // So many pairs are more than can be counted in a byte.
            if len < 2100 && rng.below(one_in(2)) > 0 {
                continue;
            }
            let text = text(kind, len, rng);
            let units: Vec<u16> = text.encode_utf16().collect();
            for isa in Isa::available() {
                of_utf8(isa, text.as_bytes());
                of_utf16(isa, &units, (len % 3 == 0).then_some(7));
            }
        }
    }
}

/// One unit again and again: vectors that are wrong in the same way must not cancel out.
#[test]
fn runs_of_one_unit() {
    for isa in Isa::available() {
        for unit in [0x80, 0x100, 0xD800, 0xDBFF, 0xDC00, 0xFF00] {
            for len in 1..=100 {
                for end in [&[][..], &[0x61], &[0x20AC]] {
                    of_utf16(isa, &[&[0x20AC], &vec![unit; len][..], end].concat(), None);
                }
            }
        }
    }
}

/// UTF-16 in bytes at any address, odd ones, too. There are no surrogates in the first vector.
#[test]
fn every_address() {
    let rng = &mut Rng::new(114);
    for (kind, len) in (0..KINDS).flat_map(|kind| [40, 1100].map(|len| (kind, len))) {
        let units: Vec<u16> = (text(3, 40, rng) + &text(kind, len, rng)).encode_utf16().collect();
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        for at in 0..64 {
            let all = [&vec![0; at][..], &bytes].concat();
            for isa in Isa::available() {
                let (found, expected) = (isa.utf16le_info(&all[at..]), Isa::SCALAR.utf16_info(&units));
                assert_eq!(found, expected, "{isa}: kind {kind}, {len} characters at {at}");
            }
        }
    }
}

/// One unit among zeros: a vector that is read at a wrong place has the same bits as these.
#[test]
fn one_unit_among_zeros() {
    for (at, unit) in (0..300).flat_map(|at| [0x100, 0xDC00].map(|unit| (at, unit))) {
        let mut units = [0; 300];
        units[at] = unit;
        for isa in Isa::available() {
            assert_eq!(isa.utf16_info(&units), Isa::SCALAR.utf16_info(&units), "{isa}: {unit:04X} at {at}");
            assert_eq!(isa.utf16_to_latin1(&units, &mut [0; 300]).read, at, "{isa}: {unit:04X}");
        }
    }
}

/// A high surrogate that nothing completes, at each place, after and before text without surrogates.
#[test]
fn a_high_surrogate_at_each_place() {
    for before in [0, 40] {
        for (at, after) in (0..300).flat_map(|at| [0, 10, 40, 300].map(|after| (at, after))) {
            let wide = [0x416; 300];
            let units = [&[0x61; 40][..before], &wide[..at], &[0xD83D], &wide[..after]].concat();
            for isa in Isa::available() {
                let (found, expected) = (isa.utf16_info(&units), Isa::SCALAR.utf16_info(&units));
                assert_eq!(found, expected, "{isa}: {before}, {at}, {after}");
            }
        }
    }
}

#[test]
fn everything_else_everywhere_in_utf8() {
    let rng = &mut Rng::new(111);
    let others: [&[u8]; 11] = [
        "\u{80}".as_bytes(),
        "\u{FF}".as_bytes(),
        "\u{100}".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"\xFF",
        b"\xC3",
        b"\x80",
        b"\xC1\x81",
        b"\xED\xA0\x80",
        b"\xF0\x9F\x98",
    ];
    let thin = one_in(8);
    for len in [1, 15, 16, 17, 63, 64, 65, 130, 255, 256, 257, 300, 700] {
        for kind in 0..3 {
            let text = text(kind, len, rng);
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for at in ends {
                for other in others {
                    if rng.below(thin) == 0 {
                        let src = [&text.as_bytes()[..at], other, &text.as_bytes()[at..]].concat();
                        Isa::available().for_each(|isa| of_utf8(isa, &src));
                    }
                }
            }
        }
    }
}

#[test]
fn everything_else_everywhere_in_utf16() {
    let rng = &mut Rng::new(112);
    let others: [&[u16]; 10] = [
        &[0x80],
        &[0xFF],
        &[0x100],
        &[0x8000],
        &[0xD7FF, 0xE000],
        &[0xD800, 0xDC00],
        &[0xDBFF, 0xDFFF],
        &[0xD800],
        &[0xDC00],
        &[0xDC00, 0xD800],
    ];
    let thin = one_in(10);
    for len in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 128, 130, 200, 255, 256, 300, 1030, 1100] {
        for kind in 0..KINDS {
            let units: Vec<u16> = text(kind, len, rng).encode_utf16().collect();
            for at in 0..=units.len() {
                for other in others {
                    if rng.below(if len > 300 { 8 * thin } else { thin }) == 0 {
                        let src = [&units[..at], other, &units[at..]].concat();
                        let odd = (rng.below(8) == 0).then_some(0xD8);
                        Isa::available().for_each(|isa| of_utf16(isa, &src, odd));
                    }
                }
            }
        }
    }
}

/// Long texts of all kinds, of which counts in a byte would overflow, from any address.
#[test]
fn long_texts() {
    let rng = &mut Rng::new(113);
    for turn in 0..400 / one_in(2) {
        let mut all = String::new();
        for _ in 0..1 + rng.below(3) {
            let len = rng.below(if turn % 4 == 0 { 30_000 } else { 3000 });
            all += &if rng.below(2) == 0 {
                text(rng.below(KINDS), len, rng)
            } else {
                String::from_utf8(rng.pick(&Filler::ALL).before(len)).unwrap()
            };
        }
        let mut units: Vec<u16> = all.encode_utf16().collect();
        let mut bytes = all.into_bytes();
        if let (0, 1..) = (rng.below(3), bytes.len()) {
            let (at, of_units) = (rng.below(bytes.len()), rng.below(units.len()));
            (bytes[at], units[of_units]) = (0xFF, 0xDC00);
        }
        let start = rng.below(bytes.len().min(70) + 1);
        let start_of_units = rng.below(units.len().min(70) + 1);
        for isa in Isa::available() {
            of_utf8(isa, &bytes[start..]);
            of_utf16(isa, &units[start_of_units..], None);
        }
    }
}

#[test]
fn free_functions_do_the_same() {
    let (text, wide) = ("naïve".as_bytes(), "naïve 😀\u{FFFD}");
    let units: Vec<u16> = wide.encode_utf16().collect();
    let (le, be) = (fastutf::to_utf16le(wide), fastutf::to_utf16be(wide));
    let best = Isa::best();
    assert_eq!(fastutf::narrowest::narrowest_from_utf8(text), best.narrowest_from_utf8(text));
    assert_eq!(fastutf::narrowest::narrowest_from_utf8_lossy(b"\xE9"), best.narrowest_from_utf8_lossy(b"\xE9"));
    assert_eq!(fastutf::narrowest::narrowest_from_utf16(&units), best.narrowest_from_utf16(&units));
    assert_eq!(fastutf::narrowest::narrowest_from_utf16_lossy(&units), best.narrowest_from_utf16_lossy(&units));
    assert_eq!(fastutf::narrowest::narrowest_from_utf16le(&le), best.narrowest_from_utf16le(&le));
    assert_eq!(fastutf::narrowest::narrowest_from_utf16be(&be), best.narrowest_from_utf16be(&be));
    assert_eq!(fastutf::narrowest::narrowest_from_utf16le_lossy(&be), best.narrowest_from_utf16le_lossy(&be));
    assert_eq!(fastutf::narrowest::narrowest_from_utf16be_lossy(&le), best.narrowest_from_utf16be_lossy(&le));
    #[cfg(feature = "utf32")]
    {
        assert_eq!(fastutf::narrowest::narrowest_chars_from_utf8(text), best.narrowest_chars_from_utf8(text));
        assert_eq!(
            fastutf::narrowest::narrowest_chars_from_utf8_lossy(b"\xE9"),
            best.narrowest_chars_from_utf8_lossy(b"\xE9")
        );
        assert_eq!(
            fastutf::narrowest::narrowest_chars_from_utf16(&units),
            best.narrowest_chars_from_utf16(&units)
        );
        assert_eq!(
            fastutf::narrowest::narrowest_chars_from_utf16_lossy(&units),
            best.narrowest_chars_from_utf16_lossy(&units)
        );
    }
    assert_eq!(fastutf::narrowest::utf16_info(&units), best.utf16_info(&units));
    assert_eq!(fastutf::narrowest::utf16le_info(&le), best.utf16le_info(&le));
    assert_eq!(fastutf::narrowest::utf16be_info(&be), best.utf16be_info(&be));
}

#[test]
fn the_text_is_shown() {
    let shown = |text: &str| format!("{:?}", fastutf::narrowest::narrowest_from_utf8(text.as_bytes()).unwrap());
    assert_eq!(shown("naive"), r#"Ascii("naive")"#);
    assert_eq!(shown("naïve"), r#"Latin1("naïve")"#);
    assert_eq!(shown("5 €"), r#"Utf16("5 €")"#);
    let units = [0x20AC];
    let owned: Narrowest<'static> = fastutf::narrowest::narrowest_from_utf16(&units).unwrap().into_owned();
    assert_eq!(owned, fastutf::narrowest::narrowest_from_utf16(&units).unwrap());
}

#[cfg(feature = "utf32")]
#[test]
fn the_characters_are_shown() {
    let of = |text: &str| fastutf::narrowest::narrowest_chars_from_utf8(text.as_bytes()).unwrap().into_owned();
    let shown = |text: &str| format!("{:?}", of(text));
    assert_eq!(shown("naive"), r#"Ascii("naive")"#);
    assert_eq!(shown("naïve"), r#"Latin1("naïve")"#);
    assert_eq!(shown("5 €"), r#"Bmp("5 €")"#);
    assert_eq!(shown("5 😀"), r#"Full("5 😀")"#);
    for (text, bytes) in [("", 1), ("naive", 1), ("naïve", 1), ("5 €", 2), ("5 😀", 4)] {
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(fastutf::narrowest::narrowest_chars_from_utf16(&units).unwrap().into_owned(), of(text));
        assert_eq!((of(text).is_empty(), of(text).width().bytes_per_char()), (text.is_empty(), bytes));
    }
}
