//! Latin-1 to UTF-8 and UTF-16, and back: all characters, all pairs of bytes, every length with every room, and everything
//! that is not Latin-1 in every place of two blocks of all kinds of text.

use fastutf::Isa;

use crate::common::latin1::{of_latin1, of_utf8, of_utf16};
use crate::common::{Rng, one_in, one_in_emulated};

/// Texts in Latin-1, of which kernels convert nearly each in another loop.
#[derive(Clone, Copy, Debug)]
enum Text {
    Ascii,
    High,
    /// A high byte after each of ASCII, or the other way round.
    InTurn,
    Half,
    Few,
    /// Runs of 1 to 300 bytes of one kind.
    Runs,
}

impl Text {
    const ALL: [Self; 6] = [Self::Ascii, Self::High, Self::InTurn, Self::Half, Self::Few, Self::Runs];

    fn bytes(self, len: usize, rng: &mut Rng) -> Vec<u8> {
        let (mut run, mut high) = (0, rng.below(2) == 0);
        let byte = |at| {
            run = if run == 0 { 1 + rng.below(300) } else { run - 1 };
            high = match self {
                Self::Ascii => false,
                Self::High => true,
                Self::InTurn => at % 2 == 0,
                Self::Half => rng.below(2) == 0,
                Self::Few => rng.below(80) == 0,
                Self::Runs => high != (run == 0),
            };
            (rng.next() as u8) >> 1 | if high { 0x80 } else { 0 }
        };
        (0..len).map(byte).collect()
    }
}

fn utf8(latin1: &[u8]) -> Vec<u8> {
    latin1.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
}

fn utf16(latin1: &[u8]) -> Vec<u16> {
    latin1.iter().copied().map(u16::from).collect()
}

/// All conversions of one text to Latin-1 and back, where this is the room.
fn all(isa: Isa, latin1: &[u8], room: usize) {
    of_latin1(isa, latin1, room);
    of_utf8(isa, &utf8(latin1), room);
    of_utf16(isa, &utf16(latin1), None, room);
}

#[test]
fn every_length_and_room() {
    let rng = &mut Rng::new(90);
    let thin = one_in(8);
    for len in 0..=200 {
        for text in Text::ALL {
            let latin1 = text.bytes(len, rng);
            let most = utf8(&latin1).len();
            for isa in Isa::available() {
                for room in 0..=most + 3 {
                    // Just enough for each conversion, and any other.
                    let is_enough = room.abs_diff(len) <= 1 || room.abs_diff(most) <= 1;
                    if rng.below(if is_enough { one_in_emulated().div_ceil(4) } else { thin }) == 0 {
                        all(isa, &latin1, room);
                    }
                }
            }
        }
    }
}

#[test]
fn every_alignment() {
    let rng = &mut Rng::new(91);
    for len in [7, 40, 100, 130, 700] {
        for text in Text::ALL {
            let latin1 = text.bytes(len + 64, rng);
            for isa in Isa::available() {
                for at in 0..64 {
                    if rng.below(one_in(4)) == 0 {
                        all(isa, &latin1[at..at + len], 2 * len);
                    }
                }
            }
        }
    }
}

/// How a loop continues, ends, and hands over to another: long texts, with nearly enough room.
#[test]
fn long_texts() {
    let rng = &mut Rng::new(92);
    for turn in 0..120 / one_in(2).min(20) {
        for text in Text::ALL {
            let len = 200 + rng.below(if turn % 10 == 0 { 9000 } else { 1600 });
            let mut latin1 = text.bytes(len, rng);
            let from = rng.below(len);
            let other = rng.pick(&Text::ALL).bytes(len - from, rng);
            latin1[from..].copy_from_slice(&other);
            for isa in Isa::available() {
                all(isa, &latin1, 2 * len);
                let most = utf8(&latin1).len();
                all(isa, &latin1, most - rng.seldom(200));
                all(isa, &latin1, len - rng.seldom(200));
            }
        }
    }
}

/// Where one loop hands over to another, at every multiple of 64 bytes: to one for ASCII with a lead byte before it, from
/// one for ASCII to the last few bytes, and from one for high bytes to others.
#[test]
fn loops_hand_over() {
    for isa in Isa::available() {
        for end in (64..=1100).step_by(64 * one_in_emulated().min(3)) {
            // Blocks start at the first byte or, with all but AVX-512, at the second. The same bit has two leads, or three.
            for end in [end, end + 1] {
                for pairs in [&[][..], &[63], &[64], &[63, 127], &[1]] {
                    let mut utf8 = vec![b'a'; end];
                    for &at in pairs.iter().filter(|&&at| at + 2 < end) {
                        utf8[at..at + 2].copy_from_slice(b"\xC3\xA9");
                    }
                    utf8[end - 1] = 0xC3;
                    utf8.resize(end + 300, b'a');
                    of_utf8(isa, &utf8, end + 300);
                    utf8[end] = 0xA9;
                    of_utf8(isa, &utf8, end + 300);
                }
            }
            for few in [1, 30, 62, 64, 100] {
                let runs: [(u8, &[u8]); 4] = [(b'a', b"\xE9a"), (b'a', b"\xE9"), (0xE9, b"\xE9aa"), (0xE9, b"a")];
                for (run, others) in runs {
                    let others = others.iter().copied().cycle().take(few);
                    let latin1: Vec<u8> = vec![run; end].into_iter().chain(others).collect();
                    all(isa, &latin1, 2 * latin1.len());
                }
            }
        }
    }
}

/// Lead bytes alone: each is right behind the one before it, but for what it is.
#[test]
fn runs_of_lead_bytes() {
    for isa in Isa::available() {
        for len in 0..=300 {
            for lead in [0xC2, 0xC3, 0xC4] {
                of_utf8(isa, &vec![lead; len], len);
            }
            of_utf8(isa, &[&b"a\xC3\xA9"[..], &vec![0xC3; len]].concat(), len + 2);
        }
    }
}

#[test]
fn all_pairs_of_bytes() {
    let rng = &mut Rng::new(93);
    let thin = one_in(40) * one_in_emulated();
    for isa in Isa::available() {
        for pair in 0..=u16::MAX {
            if rng.below(thin) > 0 {
                continue;
            }
            let pair = pair.to_be_bytes();
            of_utf8(isa, &pair, 2);
            of_latin1(isa, &pair, 4);
            // In the middle of longer text, and at its end.
            let text = rng.pick(&[Text::Ascii, Text::Half]);
            let before = utf8(&text.bytes(rng.below(140), rng));
            let after = utf8(&text.bytes(rng.pick(&[0, 1, 40, 150]), rng));
            of_utf8(isa, &[&before[..], &pair, &after].concat(), 300);
        }
    }
}

#[test]
fn all_characters() {
    let rng = &mut Rng::new(94);
    let thin = one_in(300);
    let mut all: Vec<char> = (0..=0x17F).filter_map(char::from_u32).collect();
    all.extend(('\u{180}'..=char::MAX).filter(|_| rng.below(thin) == 0));
    for isa in Isa::available() {
        for part in all.chunks(64) {
            for &c in part {
                let error = isa.validate_latin1_in_utf8(c.encode_utf8(&mut [0; 4]).as_bytes());
                assert_eq!(error.is_ok(), c <= '\u{FF}', "{isa}: {c:?}");
                let error = isa.validate_latin1_in_utf16(c.encode_utf16(&mut [0; 2]));
                assert_eq!(error.is_ok(), c <= '\u{FF}', "{isa}: {c:?}");
            }
            // One by one, and each after ASCII, so that each stops the kernel.
            let mut text: String = part.iter().collect();
            of_utf8(isa, text.as_bytes(), 64);
            text = part.iter().flat_map(|&c| ['a', c]).collect();
            of_utf8(isa, text.as_bytes(), 200);
            of_utf16(isa, &text.encode_utf16().collect::<Vec<_>>(), None, 200);
        }
        for &c in all.iter().step_by(1 + all.len() / 3000) {
            of_utf8(isa, c.to_string().as_bytes(), 1);
            of_utf16(isa, c.encode_utf16(&mut [0; 2]), Some(7), 1);
        }
    }
}

#[test]
fn all_code_units() {
    let rng = &mut Rng::new(95);
    let thin = one_in(30) * one_in_emulated();
    for isa in Isa::available() {
        for unit in 0..=u16::MAX {
            let always = unit < 0x180 || unit % 0x100 == 0;
            if !always && rng.below(thin) > 0 {
                continue;
            }
            of_utf16(isa, &[unit], None, 1);
            let mut units = utf16(&Text::Half.bytes(20 + rng.below(120), rng));
            let at = rng.below(units.len());
            units[at] = unit;
            of_utf16(isa, &units, Some(0xD8), 150);
            units[rng.below(at + 1)] = 0xD83D;
            of_utf16(isa, &units, None, 150);
        }
    }
}

/// Each kind of what is not Latin-1, at every offset of some blocks, and twice.
#[test]
fn everything_else_everywhere() {
    let rng = &mut Rng::new(96);
    let kinds: [&[u8]; 22] = [
        "Ā".as_bytes(),
        "߿".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"\x80",
        b"\xBF",
        b"\xC0\x80",
        b"\xC1\xBF",
        b"\xC2",
        b"\xC3",
        b"\xC2\xC3",
        b"\xC3\xC3\x80",
        b"\xC3\x80\x80",
        b"\xC4",
        b"\xE0\x80\x80",
        b"\xE2\x82",
        b"\xED\xA0\x80",
        b"\xF0\x9F\x98",
        b"\xF4\x90\x80\x80",
        b"\xF8",
        b"\xFE",
        b"\xFF",
    ];
    let units: [&[u16]; 6] = [&[0x100], &[0xFF00], &[0x20AC], &[0xD83D, 0xDE00], &[0xD800], &[0xDC00]];
    let thin = one_in(30) * one_in_emulated();
    for text in Text::ALL {
        for len in [20, 70, 140, 300, 1100] {
            for at in (0..len).chain([len]) {
                let latin1 = text.bytes(len, rng);
                let (before, after) = latin1.split_at(at);
                let end = rng.pick(&[&b""[..], after]);
                for (k, isa) in Isa::available().enumerate() {
                    for kind in kinds {
                        if rng.below(thin) == 0
                            || at < 300 && (at + k) % 22 == kind.len() + usize::from(kind[0]) % 19
                        {
                            let src = [&utf8(before)[..], kind, &utf8(end)].concat();
                            of_utf8(isa, &src, rng.pick(&[src.len(), at, at + 1]));
                        }
                    }
                    for kind in units {
                        if rng.below(thin) == 0 {
                            let src = [&utf16(before)[..], kind, &utf16(end), kind].concat();
                            of_utf16(isa, &src, rng.pick(&[None, Some(0xDC)]), rng.pick(&[src.len(), at, at + 1]));
                        }
                    }
                }
            }
        }
    }
}

/// Characters that are replaced, few or many.
/// One byte again and again: all of a block is wrong in the same way.
#[test]
fn runs_of_one_byte() {
    for isa in Isa::available() {
        for byte in (0..=0xFF).step_by(one_in_emulated().min(5)) {
            for len in [1, 2, 4, 15, 16, 17, 63, 64, 65, 129, 300, 700] {
                let run = vec![byte; len];
                of_utf8(isa, &run, len);
                of_utf8(isa, &[b"caf\xC3", &run[..], b"!"].concat(), len + 4);
            }
            // Two vectors of a block, and the others are ASCII.
            for (before, len) in [(1, 32), (33, 32), (65, 64), (97, 32), (129, 64), (193, 64)] {
                let text = [vec![b'a'; before], vec![byte; len], vec![b'a'; 300]].concat();
                of_utf8(isa, &text, text.len());
            }
        }
    }
}

/// The same two bytes again and again after text without ASCII: vectors that are wrong in the same way must not cancel
/// out.
#[test]
fn runs_of_two_bytes_after_text_without_ascii() {
    let start = utf8(&[0xE9; 700]);
    let some = [0x00, 0x61, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xE2, 0xFF];
    for (first, second) in some.into_iter().flat_map(|first| some.map(|second| (first, second))) {
        for pairs in [16, 32, 64, 150] {
            let run: Vec<u8> = (0..2 * pairs).map(|at| if at % 2 == 0 { first } else { second }).collect();
            let src = [&start[..], &run[..], b"abc"].concat();
            for isa in Isa::available() {
                of_utf8(isa, &src, src.len());
            }
        }
    }
}

/// Text without ASCII, some ASCII for a part of a block, and text without ASCII again: where a loop begins, and elsewhere.
#[test]
fn runs_of_ascii_in_text_without_ascii() {
    let end = utf8(&[0xE9; 100]);
    for isa in Isa::available() {
        for (start, byte) in [512, 700].into_iter().flat_map(|len| [0, b' ', b'B', 0x7F].map(|byte| (len, byte))) {
            for len in 0..=66 {
                let src = [&utf8(&vec![0xE9; start]), &vec![byte; len], &end[..]].concat();
                of_utf8(isa, &src, src.len());
            }
        }
    }
}

/// One unit again and again, for some vectors of a block.
#[test]
fn runs_of_one_unit() {
    for isa in Isa::available() {
        for unit in [0x80, 0x100, 0x20AC, 0xD800, 0xDC00, 0xFF00] {
            for (before, len) in (0..=64).step_by(8).flat_map(|before| [16, 32].map(|len| (before, len))) {
                let src = [vec![0x61; before], vec![unit; len], vec![0x61; 100]].concat();
                of_utf16(isa, &src, None, src.len());
            }
        }
    }
}

/// A lead byte is the last one of a text, or ASCII follows it, which loops for ASCII must not skip.
#[test]
fn lead_bytes_without_more() {
    let rng = &mut Rng::new(99);
    let thin = one_in(3);
    let ascii = vec![b'a'; 600];
    for text in Text::ALL {
        let latin1 = text.bytes(1100, rng);
        for len in 0_usize..=1100 {
            if len > 70 && !(len + 1).is_multiple_of(64) && rng.below(thin) > 0 {
                continue;
            }
            let mut start = utf8(&latin1)[..len].to_vec();
            if start.last().is_some_and(|&last| last >= 0xC0) {
                start.pop();
                start.push(b'a');
            }
            for isa in Isa::available() {
                of_utf8(isa, &[&start[..], b"\xC3"].concat(), len + 1);
                of_utf8(isa, &[&start[..], b"\xC3", &ascii].concat(), len + 601);
                of_utf8(isa, &[&start[..], b"\xC3", &ascii[..len % 40]].concat(), len + 41);
            }
        }
    }
}

/// A byte of the other kind in every place of long texts of one kind, which loops of their own convert.
#[test]
fn one_other_byte_in_long_texts() {
    let rng = &mut Rng::new(100);
    let thin = one_in(4);
    for (text, other) in [(Text::High, b'a'), (Text::Ascii, 0xE9)] {
        let mut latin1 = text.bytes(1400, rng);
        for at in 0..latin1.len() {
            if rng.below(thin) > 0 {
                continue;
            }
            let before = std::mem::replace(&mut latin1[at], other);
            for isa in Isa::available() {
                all(isa, &latin1, 2 * latin1.len());
            }
            latin1[at] = before;
        }
    }
}

/// In UTF-16, the bytes of U+0000 look like the upper bytes of others.
#[test]
fn runs_of_zeros() {
    let rng = &mut Rng::new(101);
    for _ in 0..400 / one_in(2) {
        let mut latin1 = Vec::new();
        for _ in 0..2 + rng.below(12) {
            let (zeros, others) = (rng.below(130), rng.below(130));
            latin1.extend(vec![0; zeros]);
            latin1.extend(Text::Half.bytes(others, rng));
        }
        for isa in Isa::available() {
            all(isa, &latin1, 2 * latin1.len());
        }
    }
}

/// Vectors of a block are joined to see that they are ASCII: two equal bytes in the same place of two vectors must not cancel out,
/// in a loop that goes on after others.
#[test]
fn two_equal_bytes_among_ascii() {
    for isa in Isa::available() {
        for byte in [0x80, 0xC3, 0xFF] {
            for offset in (0..280).step_by(one_in_emulated()) {
                for distance in [16, 32, 48, 64, 96] {
                    let parts =
                        ["aéb".repeat(200) + &"x".repeat(offset), "x".repeat(distance - 1), "x".repeat(300)];
                    let text = parts.each_ref().map(|part| part.as_bytes()).join(&byte);
                    of_utf8(isa, &text, text.len());
                }
            }
        }
    }
}

#[test]
fn replacements_of_any_number() {
    let rng = &mut Rng::new(97);
    for isa in Isa::available() {
        for distance in [1, 2, 5, 17, 40, 200, 1000] {
            for _ in 0..20 / one_in(4).min(10) {
                let mut src = utf8(&Text::Half.bytes(rng.below(2500), rng));
                let mut units = utf16(&Text::Half.bytes(rng.below(2500), rng));
                for _ in 0..src.len() / distance {
                    let at = rng.below(src.len());
                    src[at] = rng.next() as u8;
                }
                for _ in 0..units.len() / distance {
                    let at = rng.below(units.len());
                    units[at] = rng.next() as u16 >> rng.below(9);
                }
                let rooms = [src.len() + units.len(), src.len() / 2, units.len() / 2];
                of_utf8(isa, &src, rng.pick(&rooms));
                of_utf16(isa, &units, None, rng.pick(&rooms));
            }
        }
    }
}

#[test]
fn reports_are_readable() {
    let error = fastutf::latin1::to_latin1("é €").unwrap_err();
    assert_eq!(error.to_string(), "character U+20AC at byte 3 is not in latin-1");
    assert_eq!(
        format!("{error:?}"),
        "NotLatin1Error { valid_up_to: 3, error_len: 3, character: '€', unit: Bytes }"
    );
    let error = fastutf::latin1::validate_latin1_in_utf16(&[0xE9, 0xD83D, 0xDE00]).unwrap_err();
    assert_eq!(error.to_string(), "character U+1F600 at code unit 1 is not in latin-1");
    let error = fastutf::latin1::validate_latin1_in_utf16be(b"\0\xE9\xD8\x3D\xDE\0").unwrap_err();
    assert_eq!(
        (error.valid_up_to(), &error.to_string()[..]),
        (2, "character U+1F600 at byte 2 is not in latin-1")
    );
    let error = fastutf::latin1::validate_latin1_in_utf8(b"ab\xFF").unwrap_err();
    assert_eq!(error.to_string(), "invalid utf-8 at byte 2: invalid lead byte");
    let error = fastutf::latin1::validate_latin1_in_utf16(&[0xE9, 0xDC00]).unwrap_err();
    assert_eq!(
        (error.valid_up_to(), &error.to_string()[..]),
        (1, "invalid utf-16 at code unit 1: unpaired low surrogate")
    );
    #[cfg(feature = "std")]
    {
        let error = std::io::Error::from(fastutf::latin1::to_latin1("€").unwrap_err());
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
        let error = std::io::Error::from(fastutf::latin1::validate_latin1_in_utf8(b"\xFF").unwrap_err());
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    }
}

/// The free functions use the best instruction set: the results are the same.
#[test]
fn free_functions_have_the_same_result() {
    let latin1 = &Text::Half.bytes(300, &mut Rng::new(98))[..];
    let (utf8, utf16) = (&utf8(latin1)[..], &utf16(latin1)[..]);
    macro_rules! same {
        ($src:ident $($name:ident)*) => {$(
            for isa in Isa::available() {
                assert_eq!(isa.$name($src), fastutf::latin1::$name($src), "{isa}: {}", stringify!($name));
            }
        )*};
    }
    same!(latin1 from_latin1 utf8_len_from_latin1 validate_latin1_in_utf8 validate_latin1_in_utf16le);
    same!(utf8 validate_latin1_in_utf8 validate_latin1_in_utf16be);
    same!(utf16 validate_latin1_in_utf16);
    let text = std::str::from_utf8(utf8).unwrap();
    same!(text to_latin1);
    assert_eq!(fastutf::latin1::to_latin1_lossy(text, b'?'), latin1);
}

/// ASCII that a comparison with two bytes takes for them, if it leaves out other bits: in one of two vectors, or in both, which may
/// be of lanes in turn.
#[test]
fn ascii_among_characters_of_two_bytes() {
    for (before, piece) in (0..400).flat_map(|before| ["<@", "00"].map(|piece| (before, piece))) {
        for pattern in ["*", "**", "****", "*é*"] {
            let middle = pattern.replace('*', &piece.repeat(8)).replace('é', &"é".repeat(8));
            for start in ["", "a"] {
                let text = start.to_owned() + &"é".repeat(before) + &middle + &"é".repeat(80);
                let expected: Vec<u8> = text.chars().map(|c| c as u8).collect();
                for isa in Isa::available() {
                    let mut got = vec![0; expected.len()];
                    let out = isa.utf8_to_latin1(text.as_bytes(), &mut got);
                    assert!(
                        out.is_complete() && got == expected,
                        "{isa}: {pattern} of {piece} after {start}, {before}"
                    );
                }
            }
        }
    }
}

/// One vector of ASCII before or after one without, where a loop for text without ASCII begins.
#[test]
fn a_vector_of_ascii_in_text_without_ascii() {
    for (before, count) in (0..=640).step_by(16).flat_map(|before| [16, 32].map(|count| (before, count))) {
        let latin1 = [vec![0xE9; before], vec![b'a'; count], vec![0xE9; 100]].concat();
        for isa in Isa::available() {
            of_latin1(isa, &latin1, 2 * latin1.len());
        }
    }
}

/// One or two equal units that are not in Latin-1, among others: they must not cancel each other, nor be overlooked.
#[test]
fn two_equal_units_that_are_too_high() {
    for (len, other) in
        [5usize, 9, 20, 31, 40, 63, 96].into_iter().flat_map(|len| [0, 0x61].map(|other| (len, other)))
    {
        for (first, second) in (0..len).flat_map(|second| (0..=second).map(move |first| (first, second))) {
            let mut units = vec![other; len];
            (units[first], units[second]) = (0x100, 0x100);
            for isa in Isa::available() {
                let out = isa.utf16_to_latin1(&units, &mut vec![0; len]);
                assert!(out.error().is_some() && out.read == first, "{isa}: {first}, {second} of {len}");
                let error = isa.validate_latin1_in_utf16(&units).map_err(|error| error.valid_up_to());
                assert_eq!(error, Err(first), "{isa}: {first}, {second} of {len}");
            }
        }
    }
}

/// Plain Rust looks at eight bytes at once, which may be equal.
#[test]
fn eight_equal_bytes() {
    for (byte, len) in (0..=255u8).flat_map(|byte| [1, 7, 8, 9, 16, 17].map(|len| (byte, len))) {
        for isa in Isa::available() {
            of_latin1(isa, &vec![byte; len], 2 * len);
            of_utf8(isa, &vec![byte; len], len);
        }
    }
}
