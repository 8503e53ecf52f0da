//! UTF-32 to and from UTF-8, UTF-16 and Latin-1: all characters, every length with every room, and everything that is
//! ill-formed in every place of two blocks of all kinds of text.

use fastutf::Isa;

use crate::common::utf32::{self as check, LE, bytes_32, of_utf8, of_utf16};
#[cfg(feature = "latin1")]
use crate::common::utf32_latin1::{of_latin1, to_latin1};
use crate::common::{Rng, hex, one_in, one_in_emulated};

/// Texts, of which kernels convert nearly each in another loop.
#[derive(Clone, Copy, Debug)]
enum Text {
    Ascii,
    /// 2 bytes in UTF-8, partly in Latin-1.
    Two,
    Three,
    /// Above U+FFFF.
    Four,
    /// ASCII and 2 bytes.
    OneOrTwo,
    /// Up to U+FFFF.
    Bmp,
    Any,
    /// ASCII with few others.
    Few,
    /// Runs of 1 to 150 characters of one kind.
    Runs,
}

impl Text {
    const ALL: [Self; 9] = [
        Self::Ascii,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::OneOrTwo,
        Self::Bmp,
        Self::Any,
        Self::Few,
        Self::Runs,
    ];

    fn chars(self, len: usize, rng: &mut Rng) -> Vec<char> {
        let (mut run, mut kind) = (0, 0);
        let character = |_| {
            run = if run == 0 { 1 + rng.below(150) } else { run - 1 };
            kind = match self {
                Self::Ascii => 1,
                Self::Two => 2,
                Self::Three => 3,
                Self::Four => 4,
                Self::OneOrTwo => 1 + rng.below(2),
                Self::Bmp => 1 + rng.below(3),
                Self::Any => 1 + rng.below(4),
                Self::Few if rng.below(60) > 0 => 1,
                Self::Few => 2 + rng.below(3),
                Self::Runs if run > 0 && kind > 0 => kind,
                Self::Runs => 1 + rng.below(4),
            };
            let any = rng.next() as u32;
            let number = match kind {
                1 => any % 0x80,
                // Half of them in Latin-1.
                2 if any & 1 << 20 != 0 => 0x80 + any % 0x80,
                2 => 0x80 + any % 0x780,
                3 => 0x800 + any % 0xF800,
                _ => 0x1_0000 + any % 0x10_0000,
            };
            char::from_u32(number).unwrap_or('\u{D7FF}')
        };
        (0..len).map(character).collect()
    }
}

fn units(chars: &[char]) -> Vec<u32> {
    fastutf::utf32::chars_as_utf32(chars).to_vec()
}

fn utf8(chars: &[char]) -> Vec<u8> {
    chars.iter().collect::<String>().into_bytes()
}

fn utf16(chars: &[char]) -> Vec<u16> {
    chars.iter().collect::<String>().encode_utf16().collect()
}

/// All conversions of UTF-32.
#[track_caller]
fn of_utf32(isa: Isa, units: &[u32], trailing: &[u8], room: usize) {
    check::of_utf32(isa, units, trailing, room);
    #[cfg(feature = "latin1")]
    to_latin1(isa, units, trailing, room);
}

/// All conversions of one text to UTF-32 and back, where this is the room.
fn all(isa: Isa, chars: &[char], room: usize) {
    of_utf8(isa, &utf8(chars), room);
    of_utf16(isa, &utf16(chars), None, room);
    of_utf32(isa, &units(chars), &[], room);
    #[cfg(feature = "latin1")]
    of_latin1(isa, &chars.iter().map(|&c| c as u8).collect::<Vec<_>>(), room);
}

/// Blocks of which each vector has units of another kind, or of the same: none hides another.
#[test]
fn each_vector_of_a_block() {
    const KINDS: [u32; 5] = [0x61, 0xE9, 0x6F22, 0x1_F600, 0xD800];
    for kinds in 0..5usize.pow(4) {
        // A lane has 4 units, and a block 4 vectors of one lane or two: all of a vector are of one kind.
        let units: Vec<u32> = (0..64).map(|k| KINDS[kinds / 5usize.pow(k / 4 % 4) % 5]).collect();
        for isa in Isa::available() {
            of_utf32(isa, &units, &[], 4 * units.len());
        }
    }
}

/// One unit among zeros: a vector that is read at a wrong place has the same bits as these.
#[test]
fn one_unit_among_zeros() {
    for (at, unit) in (0..150).flat_map(|at| [0xD800, 0x11_0000].map(|unit| (at, unit))) {
        let mut units = [0; 150];
        units[at] = unit;
        for isa in Isa::available() {
            let error = isa.validate_utf32(&units).map_err(|error| error.valid_up_to());
            assert_eq!(error, Err(at), "{isa}: {unit:X}");
        }
    }
}

#[test]
fn every_length_and_room() {
    let rng = &mut Rng::new(120);
    let thin = one_in(100) * one_in_emulated();
    for len in 0..=150 {
        for text in Text::ALL {
            let chars = text.chars(len, rng);
            let (utf8, utf16) = (utf8(&chars).len(), utf16(&chars).len());
            for isa in Isa::available() {
                for room in 0..=utf8 + 3 {
                    // Just enough for each conversion, and any other.
                    let near = [len, utf8, utf16].iter().any(|len| len.abs_diff(room) <= 1);
                    if near && rng.below(one_in(6)) == 0 || rng.below(thin) == 0 {
                        all(isa, &chars, room);
                    }
                }
            }
        }
    }
}

#[test]
fn every_alignment() {
    let rng = &mut Rng::new(121);
    for len in [3, 17, 40, 130, 300] {
        for text in Text::ALL {
            let chars = text.chars(len, rng);
            let all = [bytes_32(&units(&chars), LE), utf8(&chars)];
            for isa in Isa::available() {
                for at in 0..64 {
                    if rng.below(one_in(4)) > 0 {
                        continue;
                    }
                    let [le, bytes] = all.each_ref().map(|text| [&vec![0; at][..], text].concat());
                    let (le, bytes) = (&le[at..], &bytes[at..]);
                    assert_eq!(isa.validate_utf32le(le), Ok(()), "{isa}: {text:?}");
                    let (mut a, mut b) = (vec![0; 4 * len + at], vec![0; 4 * len + at]);
                    let out = isa.utf32le_to_utf8(le, &mut a[at..]);
                    assert_eq!((out.read, &a[at..at + out.written]), (le.len(), bytes), "{isa}: {text:?} at {at}");
                    let out = isa.utf8_to_utf32le(bytes, &mut b[at..]);
                    assert_eq!((out.read, &b[at..]), (bytes.len(), le), "{isa}: {text:?} at {at}");
                    let out = isa.utf32le_to_utf16le(le, &mut a[at..]);
                    let utf16 = &a[at..at + out.written];
                    let out = isa.utf16le_to_utf32le(utf16, &mut b[at..]);
                    assert_eq!((out.read, &b[at..]), (utf16.len(), le), "{isa}: {text:?} at {at}");
                }
            }
        }
    }
}

/// How a loop continues, ends, and hands over to another: long texts, with nearly enough room.
#[test]
fn long_texts() {
    let rng = &mut Rng::new(122);
    for _ in 0..30 / one_in(2).min(30) {
        for text in Text::ALL {
            let most = rng.pick(&[1300, 1300, 1300, 1300, 1300, 1300, 1300, 7000]);
            let len = 200 + rng.below(most);
            let mut chars = text.chars(len, rng);
            let from = rng.below(len);
            let other = rng.pick(&Text::ALL).chars(len - from, rng);
            chars[from..].copy_from_slice(&other);
            let (utf8, utf16) = (utf8(&chars).len(), utf16(&chars).len());
            for isa in Isa::available() {
                let any = rng.below(len);
                let room = rng.pick(&[4 * len, utf8, utf16, len, any]);
                all(isa, &chars, room);
                all(isa, &chars, room.saturating_sub(rng.seldom(200)));
            }
        }
    }
}

/// UTF-8 that goes from each loop to each other one, and then ends or is ill-formed.
#[test]
fn utf8_between_loops() {
    let rng = &mut Rng::new(127);
    let ends: [&[u8]; 6] = [b"", b"\xFF", b"\xC3", b"\xE2\x82", b"\xF0\x9F\x98", b"\xA9 "];
    for isa in Isa::available() {
        for kinds in [["a", "é", "€", "😀"], ["é", "a", "😀", "€"], ["€", "é", "€ ", "a"], ["😀", "€", "a", "😀 "]]
        {
            for end in ends.into_iter().step_by(one_in_emulated().min(5)) {
                let mut text = "a".repeat(rng.below(70));
                for kind in kinds {
                    text += &kind.repeat((rng.pick(&[8, 70, 200, 800]) + rng.below(64)) / kind.len());
                }
                let room = text.chars().count();
                let src = [text.as_bytes(), end].concat();
                for room in [room + 1, room, room - 1 - rng.below(9), rng.below(room)] {
                    of_utf8(isa, &src, room);
                }
            }
        }
    }
}

/// ASCII of each length after another character, and then something ill-formed: what a block takes for the start of a character that it
/// cuts is right before it.
#[test]
fn utf8_after_ascii_after_others() {
    let ends: [&[u8]; 4] = [b"\x80", b"\xA9\xA9\xA9\xA9", b"\xC3", b"\xF0\x9F\x98"];
    for isa in Isa::available() {
        for (before, len) in ["é", "€", "😀"].into_iter().flat_map(|before| (0..270).map(move |len| (before, len)))
        {
            for end in ends.into_iter().step_by(one_in_emulated().min(4)) {
                let text = [before, &"abcdefg".repeat(39)[..len]].concat();
                let src = [text.as_bytes(), end, &[b'z'; 70]].concat();
                for room in [len + 100, len + 1, len] {
                    of_utf8(isa, &src, room);
                }
            }
        }
    }
}

/// All scalar values, alone and in a row, and what is next to the ranges that kernels tell apart.
#[test]
fn all_characters() {
    let rng = &mut Rng::new(123);
    let thin = one_in(20) * one_in_emulated();
    let all_chars: Vec<char> = ('\0'..=char::MAX).collect();
    for isa in Isa::available() {
        for part in all_chars.chunks(96) {
            if u32::from(part[0]) > 0x1000 && rng.below(thin) > 0 {
                continue;
            }
            all(isa, part, 4 * part.len());
        }
        for &c in all_chars.iter().step_by(1 + rng.below(7000) + 50 * (one_in_emulated() - 1)) {
            all(isa, &[c], rng.below(5));
        }
        // In every place of a vector.
        let edges = [
            0, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x1_0000, 0x10_27FF,
            0x10_FFFF,
        ];
        for edge in edges {
            for at in (0..36).step_by(one_in_emulated().min(5)) {
                let mut chars = rng.pick(&Text::ALL).chars(36 + rng.below(40), rng);
                chars[at] = char::from_u32(edge).unwrap();
                all(isa, &chars, rng.pick(&[400, chars.len()]));
            }
        }
    }
}

/// Numbers that are no characters, and those beside them.
const EDGES: [u32; 19] = [
    0xD7FF,
    0xD800,
    0xD801,
    0xDBFF,
    0xDC00,
    0xDFFF,
    0xE000,
    0x1_D800,
    // The greatest of them, as these kernels order them.
    0x10_27FF,
    0x10_D800,
    0x10_FFFF,
    0x11_0000,
    0x11_D800,
    0xFF_FFFF,
    0x100_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_D800,
    0xFFFF_FFFF,
];

/// Each kind of ill-formed code unit, at every offset of some blocks, with every number of trailing bytes.
#[test]
fn ill_formed_everywhere() {
    let rng = &mut Rng::new(124);
    let thin = one_in(30) * one_in_emulated();
    for text in Text::ALL {
        for len in [1, 9, 20, 70, 140, 300] {
            for at in 0..len {
                for (k, isa) in Isa::available().enumerate() {
                    for (kind, &edge) in EDGES.iter().enumerate() {
                        let is_next = at <= 80 && (at + k) % EDGES.len() == kind;
                        if rng.below(if is_next { one_in_emulated().div_ceil(4) } else { thin }) > 0 {
                            continue;
                        }
                        let mut src = units(&text.chars(len, rng));
                        src[at] = edge;
                        if rng.below(4) == 0 {
                            src[rng.below(len)] = rng.pick(&EDGES);
                        }
                        let trailing = &[0xFF, 0, 0x11][..rng.below(4)];
                        of_utf32(isa, &src, trailing, rng.pick(&[4 * len, at, at + 1, 2 * at + 1]));
                    }
                }
            }
            for isa in Isa::available() {
                let src = units(&text.chars(len, rng));
                for trailing in [&[][..], &[0], &[0, 0], &[1, 2, 3]] {
                    of_utf32(isa, &src, trailing, 4 * len + rng.below(4));
                }
            }
        }
    }
}

/// All bits that are tested are the same everywhere: in units that are no characters, and in bytes.
#[test]
fn runs_of_one_unit() {
    let masks = [
        0xFFFF_0000,
        0xFFFF_F800,
        0xFFFF_D800,
        0xFFFF_FF00,
        0xFFFF_FF80,
        0xFFE0_0000,
        0x20_0000,
        0xF800,
        0xFF00,
        0xFFFF,
        0xFF,
        0x80,
    ];
    for isa in Isa::available() {
        for len in [1, 3, 4, 7, 8, 9, 16, 20, 33, 64, 70] {
            for unit in EDGES.into_iter().chain(masks) {
                for room in [len - 1, 2 * len] {
                    of_utf32(isa, &vec![unit; len], &[], room);
                }
                of_utf16(isa, &vec![unit as u16; len], None, len);
            }
            for byte in [0x7F, 0x80, 0x81, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xFF] {
                of_utf8(isa, &vec![byte; len], len);
                of_utf8(isa, &[&"é".repeat(len).into_bytes()[..], &vec![byte; len]].concat(), 2 * len);
            }
        }
    }
}

/// Pairs of surrogates, and shorter characters at the end, with just enough room: more has been written than a half of what has
/// been read, and it stays as it is.
#[test]
fn pairs_before_the_last_units() {
    for pairs in (4..=40).step_by(4) {
        for others in 0..=20 {
            let units = [vec![0x1_F600; pairs], vec![0x20AC; others]].concat();
            for isa in Isa::available() {
                of_utf32(isa, &units, &[], 2 * pairs + others);
            }
        }
    }
}

/// Errors of UTF-8 and UTF-16 at every offset.
#[test]
fn ill_formed_utf8_and_utf16() {
    let rng = &mut Rng::new(125);
    let kinds: [&[u8]; 14] = [
        b"\x80",
        b"\xBF\xBF",
        b"\xC0\x80",
        b"\xC3",
        b"\xC3\xC3\x80",
        b"\xE0\x80\x80",
        b"\xE2\x82",
        b"\xED\xA0\x80",
        b"\xF0\x9F\x98",
        b"\xF0\x80\x80\x80",
        b"\xF4\x90\x80\x80",
        b"\xF8",
        b"\xFE",
        b"\xFF",
    ];
    let surrogates: [&[u16]; 4] = [&[0xD800], &[0xDC00], &[0xDC00, 0xD800], &[0xD83D, 0x41]];
    let thin = one_in(30) * one_in_emulated();
    for text in Text::ALL {
        for len in [5, 40, 140, 300] {
            for at in 0..=len {
                let chars = text.chars(len, rng);
                let (before, after) = chars.split_at(at);
                for (k, isa) in Isa::available().enumerate() {
                    let end = if rng.below(3) == 0 { &[][..] } else { after };
                    let is_tried = |kind, rng: &mut Rng| {
                        let is_next = at < 150 && (at + k) % 14 == kind;
                        rng.below(if is_next { one_in_emulated().div_ceil(4) } else { thin }) == 0
                    };
                    for (kind, bytes) in kinds.iter().enumerate() {
                        if is_tried(kind, rng) {
                            let src = [&utf8(before)[..], bytes, &utf8(end)].concat();
                            of_utf8(isa, &src, rng.pick(&[src.len(), at, at + 1]));
                        }
                    }
                    for (kind, units) in surrogates.iter().enumerate() {
                        if is_tried(kind, rng) {
                            let src = [&utf16(before)[..], units, &utf16(end)].concat();
                            let odd = rng.pick(&[None, Some(0xDC), Some(0)]);
                            of_utf16(isa, &src, odd, rng.pick(&[src.len(), at, at + 1]));
                        }
                    }
                }
            }
        }
    }
}

/// Characters that are replaced, few or many.
#[test]
fn replacements_of_any_number() {
    let rng = &mut Rng::new(126);
    for isa in Isa::available() {
        for distance in [1, 2, 5, 17, 40, 200, 1000] {
            for _ in 0..12 / one_in(4).min(6) {
                let chars = rng.pick(&Text::ALL).chars(1 + rng.below(1500), rng);
                let (mut bytes, mut short, mut long) = (utf8(&chars), utf16(&chars), units(&chars));
                for _ in 0..chars.len() / distance {
                    let at = rng.below(bytes.len());
                    bytes[at] = rng.next() as u8;
                    let at = rng.below(short.len());
                    short[at] = 0xD800 | rng.next() as u16 & 0x7FF;
                    let at = rng.below(long.len());
                    long[at] = if rng.below(2) == 0 { rng.pick(&EDGES) } else { rng.next() as u32 };
                }
                let room = rng.pick(&[4 * chars.len(), chars.len(), chars.len() / 2, 3 * chars.len()]);
                of_utf8(isa, &bytes, room);
                of_utf16(isa, &short, None, room);
                of_utf32(isa, &long, &[0, 1][..rng.below(3)], room);
            }
        }
    }
}

#[test]
fn reports_are_readable() {
    let error = fastutf::utf32::validate_utf32(&[0x41, 0xDFFF]).unwrap_err();
    assert_eq!(error.to_string(), "invalid utf-32 at code unit 1: surrogate");
    assert_eq!(
        format!("{error:?}"),
        "Utf32Error { valid_up_to: 1, error_len: Some(1), kind: Surrogate, unit: CodeUnits }"
    );
    let error = fastutf::utf32::validate_utf32be(b"\0\0\0A\0\x11\0\0").unwrap_err();
    assert_eq!(error.to_string(), "invalid utf-32 at byte 4: code point above U+10FFFF");
    let error = fastutf::utf32::validate_utf32le(b"A\0\0\0B").unwrap_err();
    assert_eq!(error.to_string(), "invalid utf-32 at byte 4: incomplete code unit at end of input");
    assert_eq!(
        format!("{error:?}"),
        "Utf32Error { valid_up_to: 4, error_len: None, kind: TrailingBytes, unit: Bytes }"
    );
    assert_eq!(size_of::<Option<fastutf::utf32::Utf32Error>>(), size_of::<fastutf::utf32::Utf32Error>());
    #[cfg(feature = "std")]
    {
        let error = std::io::Error::from(error);
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    }
    #[cfg(feature = "latin1")]
    {
        let error = |units: &[u32]| fastutf::utf32::utf32_to_latin1(units, &mut [0; 4]).error().unwrap();
        assert_eq!(error(&[0xE9, 0x20AC]).to_string(), "character U+20AC at code unit 1 is not in latin-1");
        assert_eq!(error(&[0xE9, 0xD800]).to_string(), "invalid utf-32 at code unit 1: surrogate");
        let error = fastutf::utf32::utf32be_to_latin1(b"\0\0\0\xE9\0\x01\xF6\0", &mut [0; 4]).error().unwrap();
        assert_eq!(
            (error.valid_up_to(), &error.to_string()[..]),
            (4, "character U+1F600 at byte 4 is not in latin-1")
        );
    }
}

/// The free functions use the best instruction set: the results are the same.
#[test]
fn free_functions_have_the_same_result() {
    let chars = Text::Any.chars(300, &mut Rng::new(127));
    let (utf8, utf32) = (&utf8(&chars)[..], &units(&chars)[..]);
    let le = &bytes_32(utf32, LE)[..];
    let text = std::str::from_utf8(utf8).unwrap();
    macro_rules! same {
        ($src:ident $($name:ident)*) => {$(
            for isa in Isa::available() {
                assert_eq!(isa.$name($src), fastutf::utf32::$name($src), "{isa}: {}", stringify!($name));
            }
        )*};
    }
    same!(utf32 validate_utf32 as_chars from_utf32 from_utf32_lossy from_utf32_lossy_counted utf8_len_from_utf32
        utf8_len_from_utf32_lossy utf16_len_from_utf32 utf16_len_from_utf32_lossy);
    same!(le validate_utf32le from_utf32le from_utf32le_lossy from_utf32le_lossy_counted utf8_len_from_utf32le
        utf8_len_from_utf32le_lossy utf16_len_from_utf32le utf16_len_from_utf32le_lossy);
    same!(le validate_utf32be from_utf32be from_utf32be_lossy from_utf32be_lossy_counted utf8_len_from_utf32be
        utf8_len_from_utf32be_lossy utf16_len_from_utf32be utf16_len_from_utf32be_lossy);
    same!(text to_utf32 to_utf32le to_utf32be to_chars);
    let list = &chars[..];
    same!(list from_chars);
}

/// So long that room is counted: also for the replacement of trailing bytes.
#[test]
fn long_text_with_trailing_bytes() {
    const COUNT: usize = 40_000;
    for (isa, trailing) in Isa::available().flat_map(|isa| (0..4).map(move |trailing| (isa, trailing))) {
        let bytes = [bytes_32(&[0x20AC; COUNT], LE), vec![0; trailing]].concat();
        let text = "\u{20AC}".repeat(COUNT) + &"\u{FFFD}"[..3 * trailing.min(1)];
        assert!(isa.from_utf32le_lossy_counted(&bytes) == (text, trailing.min(1)), "{isa}: {trailing}");
    }
}

/// Two characters that are equal and not what kernels take: if some of their bits were in the other's place, both would be taken.
#[test]
fn two_equal_characters_that_are_too_high() {
    for len in [15usize, 16, 17, 33, 64] {
        for (first, second) in (0..len).flat_map(|second| (0..second).map(move |first| (first, second))) {
            let with = |unit| (0..len).map(move |k| if k == first || k == second { unit } else { 0x61 });
            for isa in Isa::available() {
                let text: String = with(0x80).filter_map(char::from_u32).collect();
                assert_eq!(isa.from_utf32(&with(0x80).collect::<Vec<_>>()), Ok(text), "{isa}: {first}, {second}");
                let text: String = with(0x1_0000).filter_map(char::from_u32).collect();
                let units: Vec<u16> = text.encode_utf16().collect();
                let mut utf16 = [0; 66];
                let out = isa.utf32_to_utf16(&with(0x1_0000).collect::<Vec<_>>(), &mut utf16);
                assert_eq!(utf16[..out.written], units, "{isa}: {first}, {second} of {len}");
                let out = isa.utf16_to_utf32(&with(0xD800).map(|c| c as u16).collect::<Vec<_>>(), &mut [0; 64]);
                assert!(out.error().is_some() && out.read == first, "{isa}: {first}, {second} of {len}");
                #[cfg(feature = "latin1")]
                {
                    let out = isa.utf32_to_latin1(&with(0x100).collect::<Vec<_>>(), &mut [0; 64]);
                    assert!(out.error().is_some() && out.read == first, "{isa}: {first}, {second} of {len}");
                }
            }
        }
    }
}

/// Zeros are taken by every loop: what is loaded from a wrong place, or stored to one, is seen by the one that differs.
#[test]
fn one_character_among_zeros() {
    for len in [9usize, 20, 40, 70, 140] {
        for at in (0..len).step_by(one_in_emulated().min(5)) {
            for c in ['\u{1}', '\u{80}', '\u{100}', '\u{800}', '\u{10000}'] {
                let mut chars = vec!['\0'; len];
                chars[at] = c;
                for isa in Isa::available() {
                    all(isa, &chars, 2 * len);
                }
            }
        }
    }
}

/// Two ways to be no character of the BMP, in such places that the bits that say so would cancel each other.
#[test]
fn surrogates_and_upper_halves() {
    for (pair, count) in [[0x61, 0xD800], [0xD800, 0x61]].into_iter().flat_map(|pair| [(pair, 4), (pair, 8)]) {
        let units = [pair.repeat(count), vec![0xFFFF_0000; 2 * count], vec![0x61; 40]].concat();
        for isa in Isa::available() {
            of_utf32(isa, &units, &[], 2 * units.len());
        }
    }
}

/// The room of a `Vec<char>` is given to these conversions as room for UTF-32. So all that is written are characters, beyond
/// what is output, too.
#[test]
fn nothing_but_characters_is_written() {
    let mut rng = Rng::new(32_011);
    let kinds =
        ["a", "é", "中", "😀", "a😀", "é中😀", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa😀", "中中中中中中中中中é😀"];
    let wrong: [(&[u8], &[u16]); 4] =
        [(b"", &[]), (b"\xFF", &[0xD83D]), (b"\xED\xA0\x80", &[0xDE00]), (b"\xF0\x9F", &[0xDE00, 0xD83D])];
    for _ in 0..20_000 / one_in(1) {
        let part = |rng: &mut Rng| rng.pick(&kinds).repeat(rng.below(40));
        let (before, after) = (part(&mut rng) + &part(&mut rng), part(&mut rng));
        let (bytes, units) = rng.pick(&wrong);
        let utf8 = [before.as_bytes(), bytes, after.as_bytes()].concat();
        let utf16 = [before.encode_utf16().collect(), units.to_vec(), after.encode_utf16().collect()].concat();
        let room = rng.below(utf8.len() + 100);
        for isa in Isa::available() {
            let mut out = vec![u32::from('a'); room];
            let _ = isa.utf8_to_utf32(&utf8, &mut out);
            assert!(out.iter().all(|&unit| char::from_u32(unit).is_some()), "{isa}: {}", hex(&utf8));
            let mut out = vec![u32::from('a'); room];
            let _ = isa.utf16_to_utf32(&utf16, &mut out);
            assert!(out.iter().all(|&unit| char::from_u32(unit).is_some()), "{isa}: {}", hex(&utf16));
        }
    }
}
