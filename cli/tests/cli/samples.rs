//! The sample texts are as their README describes them.

use std::collections::BTreeSet;
use std::fs;

use crate::{encode, sample, sample_text};

#[test]
fn the_same_text_in_every_encoding() {
    let text = sample_text();
    for (name, expected) in [
        ("multilingual.utf16le.txt", encode(&text, "utf-16le")),
        ("multilingual.utf16be.txt", encode(&text, "utf-16be")),
        ("multilingual.utf16le-bom.txt", encode(&format!("\u{FEFF}{text}"), "utf-16le")),
        ("multilingual.utf16be-bom.txt", encode(&format!("\u{FEFF}{text}"), "utf-16be")),
    ] {
        assert!(fs::read(sample(name)).unwrap() == expected, "{name}");
    }
}

#[test]
fn many_scripts_and_all_lengths() {
    let text = sample_text();
    assert!(text.ends_with('\n') && !text.contains('\r') && !text.contains('\u{FEFF}'));
    let lengths: BTreeSet<_> = text.chars().map(char::len_utf8).collect();
    assert_eq!(lengths, BTreeSet::from([1, 2, 3, 4]));
    for (script, letters) in [
        ("Latin", 'À'..='ſ'),
        ("Greek", 'Α'..='ω'),
        ("Cyrillic", 'А'..='я'),
        ("Hebrew", 'א'..='ת'),
        ("Arabic", 'ء'..='ي'),
        ("Devanagari", 'अ'..='ह'),
        ("Thai", 'ก'..='ฮ'),
        ("Han", '一'..='龥'),
        ("Hiragana", 'ぁ'..='ん'),
        ("Katakana", 'ァ'..='ヺ'),
        ("Hangul", '가'..='힣'),
    ] {
        let count = text.chars().filter(|letter| letters.contains(letter)).count();
        assert!(count >= 10, "{count} letters of {script}");
    }
    for sequence in ["👨\u{200D}👩\u{200D}👧\u{200D}👦", "👩🏽\u{200D}💻", "𠜎", "𝒇", "𐍈", "\u{10000}", "\u{10FFFF}"]
    {
        assert!(text.contains(sequence), "{sequence}");
    }
}
