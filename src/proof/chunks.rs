//! Chunks of UTF-8: their text is well-formed, and they are those of the standard library.

use std::vec::Vec;

use super::*;
use crate::proof::classes::{CLASSES, strings};
use crate::proof::{one_in, report_timed};
use crate::replacement::WINDOW;

/// Compares all chunks of a text. Those of std are `str`s that std has checked.
#[track_caller]
fn check(text: &[u8]) {
    for isa in Isa::available() {
        let mut chunks = Utf8Chunks::new(isa, text);
        for want in text.utf8_chunks() {
            let got = chunks.next().map(|chunk| (chunk.valid.as_bytes(), chunk.invalid));
            assert_eq!(got, Some((want.valid().as_bytes(), want.invalid())), "{isa}: {text:02X?}");
        }
        assert_eq!(chunks.next(), None, "{isa}: {text:02X?}");
    }
}

fn report(what: &str, cases: &str, test: impl FnOnce()) {
    let names = Isa::available().map(Isa::name).collect::<Vec<_>>().join(", ");
    report_timed(what, &names, "all cases", cases, test);
}

/// At the start of a text, where `next` looks for itself, and after so much that vectors do.
const BEFORE: [usize; 2] = [0, NEAR + 1];

/// All strings of up to 3 bytes, at the end of a text and with text after them; all of 4 bytes by the first and the last byte
/// of each class.
#[test]
#[ignore = "all strings of 3 bytes: seconds, in release builds: cargo xtask prove"]
fn every_short_string() {
    report("Utf8Chunks: strings", "all strings of up to 3 bytes, of 4 by classes", || {
        for before in BEFORE {
            let mut text = [b'a'; NEAR + 1 + 4 + 2];
            for string in 0..1u32 << 24 {
                text[before..before + 3].copy_from_slice(&string.to_le_bytes()[..3]);
                check(&text[..before + 3]);
                // The shorter ones, once.
                (1..3).filter(|len| string >> (8 * len) == 0).for_each(|len| check(&text[..before + len]));
            }
            strings::<4>(|classes| {
                for edges in 0..16 {
                    for (k, class) in classes.into_iter().enumerate() {
                        text[before + k] = CLASSES[class][edges >> k & 1];
                    }
                    check(&text[..before + 4]);
                    check(&text[..before + 6]);
                }
            });
        }
    });
}

/// What is ill-formed, of each length and for each reason, and a character.
const ITEMS: [&[u8]; 12] = [
    b"\xFF",
    b"\xE0\xA0",
    b"\xF4\x8F\xBF",
    b"\x80",
    b"\xBF",
    b"\xC1",
    b"\xC2",
    b"\xED",
    b"\xED\x9F",
    b"\xEF\xBF",
    b"\xF0\x90\x80",
    b"\xF0\x90\x80\x80",
];

/// What is between them.
const FILLERS: [&str; 4] = ["a", "é", "€", "😀"];

/// An item of each length at each place of a window and more, any at each distance after it up to two windows and a character,
/// in texts of characters of each length.
#[test]
fn every_place_of_two_items() {
    report("Utf8Chunks: texts", "two items at each place and distance", || {
        let one_in = one_in(7);
        let mut number = 0;
        for filler in FILLERS {
            for (first, second) in
                (0..=WINDOW + 9).flat_map(|first| (0..=2 * WINDOW + 4).map(move |second| (first, second)))
            {
                for (a, b) in ITEMS[..3].iter().flat_map(|a| ITEMS.map(|b| (a, b))) {
                    number += 1;
                    if number % one_in != 0 {
                        continue;
                    }
                    let mut text = Vec::new();
                    // What is left at the end of characters is ASCII.
                    let fill = |text: &mut Vec<u8>, len: usize| {
                        text.extend(filler.repeat(len / filler.len()).bytes());
                        text.extend(core::iter::repeat_n(b'a', len % filler.len()));
                    };
                    fill(&mut text, first);
                    text.extend_from_slice(a);
                    fill(&mut text, second);
                    text.extend_from_slice(b);
                    // At the end of the text, or in it.
                    fill(&mut text, number % 5 * 7);
                    check(&text);
                }
            }
        }
    });
}
