//! WTF-8 and modified UTF-8, from and to UTF-16 and UTF-8: all code units, pairs of them, all characters, every kind of
//! ill-formed sequence at every offset of some blocks, every length with every room, and garbage.

use std::borrow::Cow;

use fastutf::Isa;

use crate::common::wtf8::{of_mutf8, of_utf8, of_utf16, of_wtf8};
use crate::common::{Rng, one_in, one_in_emulated, oracle};
use oracle::Form;

/// Texts of UTF-16, of which each has other stretches without anything special.
#[derive(Clone, Copy, Debug)]
enum Text {
    Ascii,
    Bmp,
    /// ASCII, or any BMP, with a few unpaired surrogates and U+0000.
    Few,
    Pairs,
    /// Characters in pairs among others.
    Emoji,
    /// Surrogates in any order.
    Surrogates,
    Garbage,
    /// Runs of 1 to 200 units of any kind.
    Runs,
}

impl Text {
    const ALL: [Self; 8] =
        [Self::Ascii, Self::Bmp, Self::Few, Self::Pairs, Self::Emoji, Self::Surrogates, Self::Garbage, Self::Runs];

    fn units(self, len: usize, rng: &mut Rng) -> Vec<u16> {
        let mut units = Vec::with_capacity(len + 1);
        let (mut kind, mut run) = (self, 0);
        while units.len() < len {
            if let Self::Runs = self {
                if run == 0 {
                    kind = rng.pick(&Self::ALL[..7]);
                    run = 1 + rng.seldom(200);
                }
                run -= 1;
            }
            let draw = rng.below(64);
            match kind {
                Self::Ascii => units.push(1 + rng.below(0x7F) as u16),
                Self::Pairs => units.extend(pair(rng)),
                Self::Emoji if draw < 8 => units.extend(pair(rng)),
                Self::Few if draw == 0 => units.push(0xD800 | rng.next() as u16 & 0x7FF),
                Self::Few if draw == 1 => units.push(0),
                Self::Few if len.is_multiple_of(2) => units.push(1 + rng.below(0x7F) as u16),
                Self::Surrogates => units.push(0xD800 | rng.next() as u16 & 0x7FF),
                Self::Garbage if draw < 8 => {
                    units.push(rng.pick(&[0, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000]))
                }
                Self::Garbage => units.push(rng.next() as u16),
                _ => units.push(rng.pick(&[0x61, 0xE9, 0x7FF, 0x800, 0x4E2D, 0xD7FF, 0xE000, 0xFFFF])),
            }
        }
        units.truncate(len);
        units
    }
}

fn pair(rng: &mut Rng) -> [u16; 2] {
    [0xD800 | rng.next() as u16 & 0x3FF, 0xDC00 | rng.next() as u16 & 0x3FF]
}

/// These bytes as each of the forms.
#[track_caller]
fn of_bytes(isa: Isa, src: &[u8], room: usize) {
    of_wtf8(isa, src, room);
    of_mutf8(isa, src, room);
    of_utf8(isa, src, room);
}

/// All operations on one text, and on what it becomes; which is ill-formed in the other form.
fn all(isa: Isa, units: &[u16], room: usize) {
    of_utf16(isa, units, None, room);
    for form in [Form::Wtf8, Form::Mutf8] {
        of_bytes(isa, &form.from_utf16(units, usize::MAX).1, room);
    }
}

#[test]
fn every_length_and_room() {
    let rng = &mut Rng::new(110);
    let thin = one_in(20);
    for len in 0..=130 {
        for text in Text::ALL {
            let units = text.units(len, rng);
            let most = Form::Mutf8.from_utf16(&units, usize::MAX).1.len();
            for isa in Isa::available() {
                for room in 0..=most + 3 {
                    // Just enough for each conversion, and any other.
                    let close = room.abs_diff(len) <= 1 || room.abs_diff(most) <= 1;
                    if rng.below(if close { thin.div_ceil(8) } else { 4 * thin }) == 0 {
                        all(isa, &units, room);
                    }
                }
            }
        }
    }
}

#[test]
fn every_alignment() {
    let rng = &mut Rng::new(111);
    for len in [7, 40, 100, 300] {
        for text in Text::ALL {
            let units = text.units(len + 64, rng);
            for isa in Isa::available() {
                for at in 0..64 {
                    if rng.below(one_in(8)) == 0 {
                        all(isa, &units[at..at + len], 3 * len);
                    }
                }
            }
        }
    }
}

/// All bits that are tested are the same everywhere.
#[test]
fn runs_of_one_byte() {
    for isa in Isa::available() {
        for len in [1, 3, 4, 7, 8, 9, 16, 24, 33, 64, 70] {
            for byte in [0, 1, 0x7F, 0x80, 0x81, 0xA0, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xFF] {
                of_bytes(isa, &vec![byte; len], 3 * len);
                of_bytes(isa, &[&"é".repeat(len).into_bytes()[..], &vec![byte; len]].concat(), 5 * len);
                let unit = u16::from_ne_bytes([byte, byte]);
                of_utf16(isa, &vec![unit; len], None, 3 * len);
            }
        }
    }
}

/// Sequences of three bytes again and again, with any upper bits of the second and of the last byte.
#[test]
fn runs_of_three_bytes() {
    let any = (0..16).map(|bits| bits << 4).flat_map(|byte| [(byte, 0x80), (0xA0, byte)]);
    for (second, last) in any {
        for lead in [0xE0, 0xE2, 0xED, 0xF0, 0xFF] {
            for isa in Isa::available() {
                of_bytes(isa, &[lead, second, last].repeat(9), 40);
            }
        }
    }
}

/// How stretches follow each other in long texts, with nearly enough room.
#[test]
fn long_texts() {
    let rng = &mut Rng::new(112);
    for _ in 0..60 / one_in(6).min(30) {
        for text in Text::ALL {
            // Sometimes more than what is looked through at a time.
            let most = rng.pick(&[1600, 1600, 1600, 1600, 1600, 1600, 1600, 22_000]);
            let len = 200 + rng.below(most);
            let mut units = text.units(len, rng);
            let from = rng.below(len);
            let other = rng.pick(&Text::ALL).units(len - from, rng);
            units[from..].copy_from_slice(&other);
            let most = Form::Mutf8.from_utf16(&units, usize::MAX).1.len();
            for isa in Isa::available() {
                all(isa, &units, most - rng.seldom(300));
                all(isa, &units, len - rng.seldom(300).min(len));
                all(isa, &units, rng.below(len));
            }
        }
    }
}

#[test]
fn all_code_units() {
    let rng = &mut Rng::new(113);
    let thin = one_in(30) * one_in_emulated();
    for isa in Isa::available() {
        for unit in 0..=u16::MAX {
            let always = unit % 0x100 == 0 || unit & 0xF83F == 0xD800;
            if !always && rng.below(thin) > 0 {
                continue;
            }
            of_utf16(isa, &[unit], Some(0xD8), rng.below(5));
            let mut units = Text::Emoji.units(20 + rng.below(120), rng);
            let at = rng.below(units.len());
            units[at] = unit;
            of_utf16(isa, &units, None, 400);
        }
    }
}

/// Where classes of units begin and end.
const EDGES: [u16; 20] = [
    0, 1, 0x61, 0x7F, 0x80, 0x7FF, 0x800, 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xD800, 0xDA12, 0xDBFF, 0xDC00, 0xDD34,
    0xDFFF, 0xE000, 0xFFFD, 0xFFFF,
];

#[test]
fn pairs_of_code_units() {
    let rng = &mut Rng::new(114);
    let thin = one_in(40) * one_in_emulated();
    for isa in Isa::available() {
        for edge in EDGES {
            for other in EDGES.into_iter().chain(0xD800..=0xDFFF) {
                let is_edge = EDGES.contains(&other);
                if rng.below(if is_edge { one_in_emulated().div_ceil(4) } else { thin }) > 0 {
                    continue;
                }
                for pair in [[edge, other], [other, edge]] {
                    of_utf16(isa, &pair, None, rng.below(7));
                    // In the middle of longer text, and at its end.
                    let text = rng.pick(&[Text::Ascii, Text::Bmp]);
                    let before = text.units(rng.below(140), rng);
                    let after = text.units(rng.pick(&[0, 1, 40]), rng);
                    all(isa, &[&before[..], &pair, &after].concat(), 700);
                }
            }
        }
    }
}

#[test]
fn all_characters() {
    let rng = &mut Rng::new(115);
    let thin = one_in(100);
    let often = |c: char| c <= '\u{900}' || ('\u{D000}'..'\u{10100}').contains(&c);
    let all: Vec<char> =
        ('\0'..=char::MAX).filter(|&c| rng.below(if often(c) { thin.div_ceil(10) } else { thin }) == 0).collect();
    for isa in Isa::available() {
        for part in all.chunks(50) {
            // One by one, and each after ASCII.
            let text: String = part.iter().collect();
            of_bytes(isa, text.as_bytes(), 400);
            let text: String = part.iter().flat_map(|&c| ['a', c]).collect();
            let units: Vec<u16> = text.encode_utf16().collect();
            of_utf16(isa, &units, None, 400);
            assert_eq!(isa.wtf8_from_utf16(&units), text.as_bytes(), "{isa}");
            assert_eq!(isa.from_mutf8(&isa.to_mutf8(&text)).as_deref(), Ok(&text[..]), "{isa}");
        }
    }
}

/// Each kind of what is ill-formed in a form, and of what is special in it, at every offset of some blocks.
#[test]
fn everything_everywhere() {
    let rng = &mut Rng::new(116);
    let kinds: [&[u8]; 40] = [
        b"\0",
        b"\x80",
        b"\xBF",
        b"\xC0",
        b"\xC0\x80",
        b"\xC0\x81",
        b"\xC0\xC0\x80",
        b"\xC1\xBF",
        b"\xC2",
        b"\xC2\xC2\x80",
        b"\xDF\xBF",
        b"\xE0",
        b"\xE0\x80\x80",
        b"\xE0\x9F\xBF",
        b"\xE0\xA0\x80",
        b"\xE2\x82",
        b"\xED",
        b"\xED\x9F\xBF",
        b"\xED\xA0",
        b"\xED\xA0\x80",
        b"\xED\xA0A",
        b"\xED\xAF\xBF",
        b"\xED\xAF\xBF\xED\xB0",
        b"\xED\xAF\xBF\xED\xB0A",
        b"\xED\xAF\xBF\xED",
        b"\xED\xB0\x80",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xB8\x80\xED\xA0\xBD",
        b"\xED\xBF\xBF",
        b"\xEE\x80\x80",
        b"\xF0\x8F\xBF\xBF",
        b"\xF0\x9F\x98",
        b"\xF0\x9F\x98\x80",
        b"\xF4\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
        b"\xF5",
        b"\xF8\x88\x80\x80\x80",
        b"\xFE",
        b"\xFF",
    ];
    let thin = one_in(40) * one_in_emulated();
    for text in [Text::Ascii, Text::Bmp, Text::Few, Text::Emoji] {
        for len in [0, 20, 70, 140, 400] {
            for at in 0..=len {
                let units = text.units(len, rng);
                let form = rng.pick(&[Form::Wtf8, Form::Mutf8]);
                let [before, after] = [&units[..at], &units[at..]].map(|part| form.from_utf16(part, usize::MAX).1);
                let end = rng.pick(&[&b""[..], &after]);
                for (k, isa) in Isa::available().enumerate() {
                    for (n, kind) in kinds.iter().enumerate() {
                        if rng.below(thin) == 0 || (at + k) % 40 == n && rng.below(thin.div_ceil(20)) == 0 {
                            let src = [&before[..], kind, end].concat();
                            of_bytes(isa, &src, rng.pick(&[src.len(), before.len(), at, at + 1, 3 * src.len()]));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn all_pairs_of_bytes() {
    let rng = &mut Rng::new(117);
    let thin = one_in(60) * one_in_emulated();
    for isa in Isa::available() {
        for pair in 0..=u16::MAX {
            if rng.below(thin) > 0 {
                continue;
            }
            let pair = pair.to_be_bytes();
            of_bytes(isa, &pair, 6);
            for lead in [0xE0, 0xED, 0xF0, 0xF4] {
                of_bytes(isa, &[lead, pair[0], pair[1]], rng.below(6));
            }
            let text = rng.pick(&[Text::Ascii, Text::Bmp]);
            let before = Form::Wtf8.from_utf16(&text.units(rng.below(140), rng), usize::MAX).1;
            let after = &before[..rng.pick(&[0, 1, before.len() / 2, before.len()]).min(before.len())];
            of_bytes(isa, &[&before[..], &pair, after].concat(), 900);
        }
    }
}

/// Damaged bytes, few or many.
#[test]
fn damage_of_any_density() {
    let rng = &mut Rng::new(118);
    for isa in Isa::available() {
        for distance in [1, 2, 5, 17, 40, 200, 1000] {
            for turn in 0..24 / one_in(3).min(12) {
                let form = [Form::Wtf8, Form::Mutf8][turn % 2];
                let text = rng.pick(&Text::ALL);
                let mut src = form.from_utf16(&text.units(rng.below(900), rng), usize::MAX).1;
                for _ in 0..src.len() / distance {
                    let at = rng.below(src.len());
                    src[at] = rng.next() as u8;
                }
                let rooms = [3 * src.len(), src.len(), src.len() / 2];
                of_bytes(isa, &src, rng.pick(&rooms));
            }
        }
    }
}

/// Cut at every place: each part by itself, and joined again.
#[test]
fn pieces() {
    let rng = &mut Rng::new(119);
    for isa in Isa::available() {
        for text in Text::ALL {
            let units = text.units(90 / one_in(1).min(10) + 20, rng);
            let whole = Form::Wtf8.from_utf16(&units, usize::MAX).1;
            for a in 0..=units.len() {
                let b = a + rng.below(units.len() - a + 1);
                let (mut joined, mut appended, mut le) = (Vec::new(), Vec::new(), Vec::new());
                for piece in [&units[..a], &units[a..b], &units[b..]] {
                    let grown = joined.len();
                    let written = isa.utf16_to_wtf8_append(piece, &mut joined);
                    assert_eq!(written, joined.len() - grown, "{isa}");
                    fastutf::wtf8::append(&isa.wtf8_from_utf16(piece), &mut appended);
                    let piece = oracle::to_bytes(piece, u16::to_le_bytes);
                    assert!(isa.utf16le_to_wtf8_append(&piece, &mut le).is_ok(), "{isa}");
                }
                for (k, result) in [joined, appended, le].into_iter().enumerate() {
                    assert_eq!(result, whole, "{isa}: {k}, {text:?} cut at {a} and {b}");
                }
            }
        }
    }
}

/// The free functions use the best instruction set: the results are the same.
#[test]
fn free_functions_have_the_same_result() {
    let units = &Text::Runs.units(500, &mut Rng::new(120))[..];
    let (le, be) =
        (&oracle::to_bytes(units, u16::to_le_bytes)[..], &oracle::to_bytes(units, u16::to_be_bytes)[..]);
    let (wtf8, mutf8) =
        (&Form::Wtf8.from_utf16(units, usize::MAX).1[..], &Form::Mutf8.from_utf16(units, usize::MAX).1[..]);
    let text = String::from_utf16_lossy(units);
    let utf8 = text.as_bytes();
    macro_rules! same {
        ($module:ident: $src:expr; $($name:ident)*) => {$(
            for isa in Isa::available() {
                assert_eq!(isa.$name($src), fastutf::$module::$name($src), "{isa}: {}", stringify!($name));
            }
        )*};
    }
    same!(wtf8: units; wtf8_from_utf16 wtf8_len_from_utf16);
    same!(wtf8: le; wtf8_from_utf16le wtf8_len_from_utf16le);
    same!(wtf8: be; wtf8_from_utf16be wtf8_len_from_utf16be);
    same!(wtf8: wtf8; validate_wtf8 from_wtf8 from_wtf8_lossy utf16_from_wtf8 utf16le_from_wtf8 utf16be_from_wtf8 utf16_len_from_wtf8);
    same!(wtf8: wtf8.to_vec(); string_from_wtf8_lossy);
    same!(wtf8: &mut wtf8.to_vec(); replace_surrogates_in_wtf8);
    same!(mutf8: units; mutf8_from_utf16 mutf8_len_from_utf16 mutf8_c_string_from_utf16);
    same!(mutf8: mutf8; validate_mutf8 from_mutf8 from_mutf8_lossy utf16_from_mutf8 utf16_len_from_mutf8 utf8_len_from_mutf8);
    same!(mutf8: mutf8; validate_android_mutf8 from_android_mutf8 from_android_mutf8_lossy utf16_from_android_mutf8);
    same!(mutf8: &text; to_mutf8 to_mutf8_c_string);
    same!(mutf8: utf8; mutf8_len_from_utf8);
}

/// Every character as Android writes it, in both ways.
#[test]
fn all_characters_of_android() {
    // But U+0000, which is neither.
    let text: String = ('\u{1}'..=char::MAX).collect();
    let units: Vec<u16> = text.encode_utf16().collect();
    let pairs = fastutf::mutf8::to_mutf8(&text);
    let mut mixed = Vec::with_capacity(pairs.len());
    for (k, character) in text.chars().enumerate() {
        match k % 5 {
            0 | 3 => mixed.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            _ => mixed.extend_from_slice(&Form::Mutf8.from_utf16(character.encode_utf16(&mut [0; 2]), 6).1),
        }
    }
    for isa in Isa::available() {
        for (src, borrows) in [(text.as_bytes(), true), (&pairs, false), (&mixed, false)] {
            let got = isa.from_android_mutf8(src).unwrap();
            assert!(got == text && matches!(got, Cow::Borrowed(_)) == borrows, "{isa}");
            assert!(isa.from_android_mutf8_lossy(src) == text, "{isa}");
            assert!(isa.utf16_from_android_mutf8(src).unwrap() == units, "{isa}");
            assert_eq!(isa.validate_android_mutf8(src), Ok(()), "{isa}");
            assert_eq!((isa.utf8_len_from_mutf8(src), isa.utf16_len_from_mutf8(src)), (text.len(), units.len()));
            let strict = isa.from_mutf8(src).map_err(|error| error.valid_up_to());
            // The first of four bytes is U+10000.
            let before = text.find('\u{10000}').unwrap();
            assert!(
                if borrows { strict == Err(before) } else { strict.is_ok() == (src.len() == pairs.len()) },
                "{isa}"
            );
        }
    }
}

/// Sequences of four bytes and other special ones around where a piece ends or a loop begins, with room that ends before, at and
/// behind each of their bytes.
#[test]
fn four_bytes_at_the_borders_of_pieces() {
    let rng = &mut Rng::new(122);
    let thin = one_in(60) * one_in_emulated();
    let specials: [&[u8]; 7] = [
        "😀".as_bytes(),
        b"\xED\xA0\xBD\xED\xB8\x80\xF0\x9F\x98\x80",
        b"\xF0\x9F\x98\x80\xED\xA0\xBD\xED\xB8\x80",
        b"\xC0\x80\xF0\x9F\x98\x80\xED\xA0\xBD",
        b"\xF0\x9F\x98",
        b"\xF4\x90\x80\x80",
        b"\xF0\x8F\xBF\xBF",
    ];
    for border in [48, 128, 256, 384, 512, 1536, 2048, 16 << 10] {
        let thin = if border > 2048 { 8 * thin } else { thin };
        for (kind, special) in specials.iter().enumerate() {
            for at in border - 8..=border + 2 {
                for after in [0, 700] {
                    let letter = rng.pick(&["a", "\u{7FF}", "\u{FFFD}"]);
                    let mut src = letter.repeat(at / letter.len()).into_bytes();
                    src.resize(at, b'a');
                    src.extend_from_slice(special);
                    let dense = rng.below(2) == 0;
                    src.extend(if dense { special.repeat(after / special.len()) } else { vec![b'b'; after] });
                    for isa in Isa::available() {
                        if rng.below(thin) > 0 && (at != border || kind > 0 || after > 0) {
                            continue;
                        }
                        // Code units of the letters, and bytes.
                        for units in [at / letter.len() + at % letter.len(), at] {
                            of_mutf8(isa, &src, units + rng.below(8));
                        }
                        of_mutf8(isa, &src, src.len());
                    }
                }
            }
        }
    }
}

/// What is ill-formed in UTF-8 and has nothing of modified UTF-8 is ill-formed in the same way for Android.
#[test]
fn errors_of_android_are_those_of_std() {
    assert_eq!(fastutf::mutf8::from_android_mutf8(b"a\xF0\x9F\x98\x80").as_deref(), Ok("a😀"));
    let mut kinds: Vec<Vec<u8>> = Vec::new();
    for lead in 0xF0..=0xFF {
        for second in [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0xA0, 0xBF, 0xC0, 0xFF] {
            for rest in [&b""[..], b"\x80", b"\x80\x80", b"\xBF\xBF\xBF", b"\x80A", b"A"] {
                kinds.push([&[lead, second], rest].concat());
            }
        }
        kinds.push(vec![lead]);
    }
    let mut reached = 0;
    for isa in Isa::available() {
        for (k, kind) in kinds.iter().enumerate() {
            for at in [0, 1, 15, 31, 63, 64, 100, 128 + k % 300] {
                for end in ["", "!", "😀 and more text after it, which is well-formed"] {
                    let src = [&b"a".repeat(at)[..], kind, end.as_bytes()].concat();
                    let Err(error) = std::str::from_utf8(&src) else { continue };
                    // Bytes that it refuses before that, or that std does.
                    if src[..error.valid_up_to()].contains(&0) {
                        continue;
                    }
                    reached += 1;
                    let got = isa.validate_android_mutf8(&src).unwrap_err();
                    let want = (error.valid_up_to(), error.error_len());
                    assert_eq!((got.valid_up_to(), got.error_len()), want, "{isa}: {kind:02X?} at {at}");
                    assert_eq!(isa.from_android_mutf8(&src).unwrap_err().valid_up_to(), want.0, "{isa}");
                    assert_eq!(isa.utf16_from_android_mutf8(&src), Err(got), "{isa}");
                    if !src.contains(&0) && !src.contains(&0xC0) {
                        assert_eq!(isa.from_android_mutf8_lossy(&src), String::from_utf8_lossy(&src), "{isa}");
                    }
                }
            }
        }
    }
    assert!(reached > 1000);
}

#[cfg(windows)]
#[test]
fn strings_of_windows() {
    use std::ffi::OsString;
    use std::os::windows::ffi::{OsStrExt, OsStringExt};

    use fastutf::wtf8::{os_string_from_wtf8, wtf8_from_os_str};

    let rng = &mut Rng::new(121);
    for text in Text::ALL {
        for len in [0, 1, 7, 300] {
            let units = text.units(len, rng);
            let string = OsString::from_wide(&units);
            let bytes = Form::Wtf8.from_utf16(&units, usize::MAX).1;
            assert_eq!(*wtf8_from_os_str(&string), bytes);
            assert_eq!(matches!(wtf8_from_os_str(&string), Cow::Borrowed(_)), string.to_str().is_some());
            assert_eq!(os_string_from_wtf8(&bytes).unwrap().encode_wide().collect::<Vec<u16>>(), units);
        }
    }
    assert_eq!(os_string_from_wtf8(b"ab\xFF").unwrap_err().valid_up_to(), 2);
}

#[test]
fn reports_are_readable() {
    use fastutf::{mutf8, wtf8};

    let error = wtf8::validate_wtf8(b"a\xED\xA0").unwrap_err();
    assert_eq!(error.to_string(), "invalid wtf-8 at byte 1: incomplete sequence at end of input");
    assert_eq!(format!("{error:?}"), "Wtf8Error { valid_up_to: 1, error_len: None, kind: Incomplete }");
    let error = mutf8::validate_mutf8(b"a\0").unwrap_err();
    assert_eq!(error.to_string(), "invalid modified utf-8 at byte 1: NUL as one byte");
    assert_eq!(format!("{error:?}"), "Mutf8Error { valid_up_to: 1, error_len: Some(1), kind: Nul }");
    let error = wtf8::from_wtf8(b"ab\xED\xB0\x80").unwrap_err();
    assert_eq!(error.to_string(), "unpaired surrogate U+DC00 at byte 2");
    let inner = "SurrogateError { valid_up_to: 2, error_len: 3, surrogate: 56320 }";
    assert_eq!(format!("{error:?}"), format!("Surrogate({inner})"));
    assert_eq!(error.valid_up_to(), 2);
    assert_eq!(wtf8::from_wtf8(b"abc\xFF").unwrap_err().valid_up_to(), 3);
    assert_eq!(mutf8::from_mutf8(b"a\xED\xB0\x80").unwrap_err().valid_up_to(), 1);
    let error = mutf8::from_mutf8(b"ab\xFF").unwrap_err();
    assert_eq!(
        (error.valid_up_to(), &error.to_string()[..]),
        (2, "invalid modified utf-8 at byte 2: invalid lead byte")
    );
    #[cfg(feature = "std")]
    {
        let errors = [
            std::io::Error::from(error),
            wtf8::validate_wtf8(b"\xFF").unwrap_err().into(),
            mutf8::validate_mutf8(b"\xFF").unwrap_err().into(),
        ];
        assert!(errors.iter().all(|error| error.kind() == std::io::ErrorKind::InvalidData));
    }
}

#[cfg(feature = "alloc")]
#[test]
fn c_strings_of_nothing() {
    for isa in Isa::available() {
        let strings = [isa.to_mutf8_c_string(""), isa.mutf8_c_string_from_utf16(&[])];
        assert_eq!(strings.each_ref().map(|string| string.as_c_str()), [c""; 2], "{isa}");
    }
}

/// Where pairs are dense, an overlong sequence that is not U+0000's is not taken for it.
#[test]
fn overlong_sequences_among_pairs() {
    for (last, before) in (0x81..=0xBF).flat_map(|last| [0, 64, 100, 200].map(|before| (last, before))) {
        let bytes = [&b"\xED\xA0\xBD\xED\xB8\x80".repeat(before)[..], &[0xC0, last], b"y"].concat();
        for isa in Isa::available() {
            let error = isa.validate_mutf8(&bytes).map_err(|error| error.valid_up_to());
            assert_eq!(error, Err(6 * before), "{isa}: {last:x}");
            let out = isa.mutf8_to_utf16(&bytes, &mut vec![0; bytes.len()]);
            assert!(out.error().is_some() && out.read == 6 * before, "{isa}: {last:x}");
        }
    }
}

/// Where specials are dense, what is escaped together ends between two characters, at each length of the text.
#[test]
fn dense_specials_are_cut_anywhere() {
    let text = "\0ą€😀".repeat(160);
    let units: Vec<u16> = text.encode_utf16().collect();
    for src in [text.as_bytes(), &Form::Mutf8.from_utf16(&units, usize::MAX).1] {
        for len in [390, 512, 1536].into_iter().flat_map(|len| len..len + 13) {
            for isa in Isa::available() {
                of_bytes(isa, &src[..len], 3 * len);
            }
        }
    }
}

/// Zeros have none of the bits that are tested: what is merged or compared wrongly is seen by the unit that differs.
#[test]
fn one_unit_among_zeros() {
    for (at, unit) in (0..20).flat_map(|at| [1, 0x80, 0x100, 0x800, 0xD800, 0xDC00].map(|unit| (at, unit))) {
        for first in [0, 0xD800] {
            let mut units = [0; 20];
            (units[0], units[at]) = (first, unit);
            for isa in Isa::available() {
                all(isa, &units, 3 * units.len());
            }
        }
    }
}

/// A surrogate pair in which any byte is another.
#[test]
fn pairs_with_another_byte() {
    for (at, byte) in (0..6).flat_map(|at| (0..=0xFF).map(move |byte| (at, byte))) {
        let mut src = *b"\xED\xA0\xBD\xED\xB8\x80abcdefgh";
        src[at] = byte;
        for isa in Isa::available() {
            of_bytes(isa, &src, 3 * src.len());
        }
    }
}
