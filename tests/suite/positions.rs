//! Indices of positions: the same as a walk over the text, on every instruction set, and after edits.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fastutf::Isa;
use fastutf::positions::{Index, Position, Unit};

use crate::common::positions::{between_characters, check, edit};
use crate::common::{Filler, Rng, one_in, one_in_emulated};

/// Line ends, and what is not quite one.
const ENDS: [&str; 8] = ["\n", "\r", "\r\n", "\n\r", "\r\r\n", "\n\n", "\u{2028}", "\u{85}"];

fn check_all(text: &str, most: usize, rng: &mut Rng) {
    for isa in Isa::available() {
        check(&Index::with_isa(isa, text), text, most, rng);
    }
}

/// A text of this kind with line ends: one after about so many bytes.
fn with_lines(filler: Filler, len: usize, one_in: usize, rng: &mut Rng) -> String {
    let text = String::from_utf8(filler.after(len)).unwrap();
    let mut lines = String::with_capacity(len + len / 8);
    for char in text.chars() {
        lines.push(char);
        if rng.below(one_in) < char.len_utf8() {
            lines.push_str(rng.pick(&ENDS));
        }
    }
    lines
}

#[test]
fn all_offsets_of_all_kinds_of_text() {
    let rng = &mut Rng::new(81);
    check_all("", 10, rng);
    for end in ENDS {
        check_all(end, 10, rng);
        check_all(&end.repeat(700), 3000, rng);
    }
    for filler in Filler::ALL {
        for len in (0..140).step_by(one_in_emulated()) {
            let lines = 1 + rng.seldom(40);
            check_all(&with_lines(filler, len, lines, rng), 1000, rng);
        }
        for lines in [1, 8, 70, 3000] {
            check_all(&with_lines(filler, 2600, lines, rng), 5000 / one_in(2), rng);
        }
    }
}

/// Texts of several chapters, of 32 KB.
#[test]
fn long_texts() {
    let rng = &mut Rng::new(82);
    let lens = if cfg!(miri) { [1500, 2000] } else { [32 << 10, 75_000] };
    for filler in Filler::ALL {
        for (len, lines) in lens.into_iter().flat_map(|len| [3, 60, 5000, 1 << 30].map(|lines| (len, lines))) {
            check_all(&with_lines(filler, len, lines, rng), 600 / one_in(1).min(10), rng);
        }
    }
}

/// Everything that a checkpoint can split, at each of its bytes; and the same at the borders of words and chapters.
#[test]
fn split_by_borders() {
    let rng = &mut Rng::new(83);
    let items = ["é", "漢", "😀", "\r\n", "\r", "\n", "\r\r\n\n", "\r😀\n", "a\r\né\n\r漢"];
    for border in [64, 512, 1024, 512 * 64] {
        for item in items {
            for before in (border - item.len() - 1..=border + 1).step_by(one_in_emulated().min(2)) {
                for (filler, after) in [("a", "a"), ("a", ""), ("é", "x"), ("\r", "\n"), ("x\n", "\n")] {
                    // What `by_hand` does with long texts takes most of the time.
                    if border > 2000 && rng.below(one_in_emulated().div_ceil(5).min(12)) > 0 {
                        continue;
                    }
                    let mut text = filler.repeat(before / filler.len());
                    text.push_str(&"b".repeat(before - text.len()));
                    text.push_str(item);
                    text.push_str(after);
                    if border < 2000 {
                        check_all(&text, 40, rng);
                    }
                    // Around the border all of them, next to what is found without an index.
                    let indices: Vec<Index> = Isa::available().map(|isa| Index::with_isa(isa, &text)).collect();
                    for byte in before.saturating_sub(3)..text.len() + 2 {
                        for encoding in [Unit::Utf8, Unit::Utf16, Unit::Utf32] {
                            let expected = by_hand(&text, byte, encoding);
                            for index in &indices {
                                let position = index.position(&text, byte, encoding);
                                assert_eq!(position, expected, "{index:?} {item:?} {byte}");
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Each code unit where a section ends, of which the last byte may be the first of a character of two units.
#[test]
fn code_units_at_borders() {
    for before in [512, 1024, 512 * 64].into_iter().flat_map(|border| border - 4..=border + 1) {
        let text = "a".repeat(before) + "😀b";
        for isa in Isa::available() {
            let index = Index::with_isa(isa, &text);
            for (k, byte) in [before - 1, before, before, before + 4, before + 5].into_iter().enumerate() {
                assert_eq!(index.byte_offset(&text, before - 1 + k, Unit::Utf16), byte, "{isa}: {before}, {k}");
            }
        }
    }
}

/// Line and column by the standard library.
fn by_hand(text: &str, byte: usize, encoding: Unit) -> Position {
    let mut at = (0..=byte.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
    if text[..at].ends_with('\r') && text[at..].starts_with('\n') {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    // What is counted is the line ends, of which `\r\n` is one.
    let line = before.matches(['\n', '\r']).count() - before.matches("\r\n").count();
    let column = match encoding {
        Unit::Utf8 => at - start,
        Unit::Utf16 => before[start..].encode_utf16().count(),
        Unit::Utf32 => before[start..].chars().count(),
    };
    Position { line, column }
}

#[test]
fn huge_lines() {
    let rng = &mut Rng::new(84);
    let len = if cfg!(miri) { 3000 } else { 150_000 };
    for filler in [Filler::Ascii, Filler::Mixed, Filler::Prose] {
        let line = String::from_utf8(filler.after(len.min(80_000))).unwrap();
        let text = [&line, "\r\n", &line, "\n", "x", "\r", &line].concat();
        check_all(&text, 200, rng);
    }
}

/// Random edits of texts of any size: the index is that of the new text, and does not grow without limit.
#[test]
fn edits() {
    let rng = &mut Rng::new(85);
    let isas: Vec<Isa> = Isa::available().collect();
    let lens: &[usize] = if cfg!(miri) { &[0, 2000] } else { &[0, 100, 3000, 40_000, 79_000] };
    for (turn, &len) in lens.iter().enumerate() {
        for round in 0..24 / one_in(3).min(24) {
            let isa = isas[(turn + round) % isas.len()];
            let lines = 1 + rng.seldom(100);
            let mut text = with_lines(rng.pick(&Filler::ALL), len, lines, rng);
            let mut index = Index::with_isa(isa, &text);
            // Most edits are small and near each other.
            let mut near = 0;
            for step in 0..40 {
                if rng.below(8) == 0 {
                    near = rng.below(text.len() + 1);
                }
                let at = if rng.below(4) == 0 {
                    rng.pick(&[0, text.len(), 511, 512, 513])
                } else {
                    near + rng.below(30)
                };
                let longest = rng.pick(&[1, 2, 3, 40, 600, 3000, 70_000]);
                let removed = if rng.below(3) == 0 { 0 } else { rng.below(longest) };
                let range = between_characters(&text, at, removed);
                let longest = rng.pick(&[1, 2, 3, 40, 600, 3000, 40_000]);
                let inserted = if rng.below(3) == 0 { 0 } else { rng.below(longest) };
                let lines = 1 + rng.seldom(60);
                let new = if rng.below(4) == 0 {
                    rng.pick(&ENDS).to_owned()
                } else {
                    with_lines(rng.pick(&Filler::ALL), inserted, lines, rng)
                };
                edit(&mut index, &mut text, range, &new);
                let most = if step % 8 == 7 { 300 } else { 12 };
                check(&index, &text, most, rng);
                let fresh = Index::with_isa(isa, &text).stored();
                assert!(index.stored() <= 3 * fresh + 200, "{} bytes, {fresh} if new", index.stored());
            }
        }
    }
}

/// In 16 bits fits what is counted in 127 sections of 512 bytes each: edits that make so many of one or two chapters, and
/// some less and more.
#[test]
fn as_many_full_sections_as_a_chapter_can_have() {
    const SECTION: usize = 512;
    const CHAPTER: usize = 64 * SECTION;
    let rng = &mut Rng::new(90);
    for isa in Isa::available() {
        for unit in ["a", "\n"] {
            for sections in 126..=130 {
                let check_edit = |mut text: String, range: Range<usize>, new: &str, rng: &mut Rng| {
                    let mut index = Index::with_isa(isa, &text);
                    edit(&mut index, &mut text, range, new);
                    assert_eq!(text.len(), sections * SECTION);
                    check(&index, &text, 40, rng);
                    // One byte more, and one less.
                    edit(&mut index, &mut text, CHAPTER..CHAPTER, "b");
                    edit(&mut index, &mut text, 0..1, "");
                    check(&index, &text, 20, rng);
                };
                // Into one chapter.
                let new = unit.repeat(sections * SECTION - CHAPTER);
                for at in [0, 1, 20 * SECTION, CHAPTER - 1, CHAPTER] {
                    check_edit(unit.repeat(CHAPTER), at..at, &new, rng);
                }
                // Across the border of two chapters.
                check_edit(unit.repeat(sections * SECTION), CHAPTER - 1..CHAPTER + 1, "cd", rng);
            }
        }
    }
}

/// Chapters that begin at a multiple of a section, but not where they do in a text without edits: one of as many sections as
/// there are too many before it, and what is left of the last one.
#[test]
fn edits_around_moved_chapters() {
    const SECTION: usize = 512;
    const CHAPTER: usize = 64 * SECTION;
    let rng = &mut Rng::new(91);
    for isa in Isa::available() {
        // The last edit makes a section longer, or keeps its length. Then all sections here and in the next chapter are equally long.
        for (moved, replaced) in [16, 20, 63].into_iter().flat_map(|moved| [(moved, 1), (moved, 3)]) {
            let mut text = "a".repeat(4 * CHAPTER);
            let mut index = Index::with_isa(isa, &text);
            edit(&mut index, &mut text, 0..0, &"b".repeat(moved * SECTION));
            let start = CHAPTER + moved * SECTION;
            edit(&mut index, &mut text, start + moved * SECTION..start + CHAPTER, "");
            edit(&mut index, &mut text, start + 1..start + 1 + replaced, "é\n");
            check(&index, &text, 20, rng);
            for byte in (start..text.len()).step_by(SECTION / 2) {
                let units = byte - usize::from(byte > start + 1);
                assert_eq!(index.offset_in(&text, byte, Unit::Utf16), units, "{isa}: {byte}");
            }
            let end = text.len();
            edit(&mut index, &mut text, end - SECTION + 10..end, "");
            check(&index, &text, 20, rng);
        }
    }
}

/// Edits that start and end around the border of two sections, the first of which has become shorter.
#[test]
fn edits_behind_a_shorter_section() {
    const BORDER: usize = 2 * 512 - 12;
    let rng = &mut Rng::new(92);
    for isa in Isa::available() {
        for from in BORDER - 2..=BORDER + 2 {
            for to in from..=BORDER + 3 {
                let mut text = "a\n".repeat(1000);
                let mut index = Index::with_isa(isa, &text);
                edit(&mut index, &mut text, 600..612, "");
                edit(&mut index, &mut text, from..to, "é");
                check(&index, &text, 30, rng);
            }
        }
    }
}

/// An index does not keep sections of two bytes: they are joined.
#[test]
fn edits_that_leave_little_of_each_section() {
    for isa in Isa::available() {
        let mut text = "a".repeat(200 * 512);
        let mut index = Index::with_isa(isa, &text);
        for section in 0..200 {
            edit(&mut index, &mut text, 2 * section + 1..2 * section + 511, "");
        }
        check(&index, &text, 100, &mut Rng::new(93));
        let new = Index::new(&text).stored();
        assert!(index.stored() <= 2 * new + 64, "{isa}: {} bytes, {new} if new", index.stored());
    }
}

/// What comes after a `\r` decides whether that is a line end, of another section.
#[test]
fn edits_behind_a_carriage_return() {
    let rng = &mut Rng::new(89);
    for border in [1, 64, 512, 1024, 512 * 64] {
        let mut text = "a".repeat(border - 1) + "\r" + &"b".repeat(2000);
        for isa in Isa::available() {
            let mut index = Index::with_isa(isa, &text);
            for _ in 0..2 {
                edit(&mut index, &mut text, border..border, "\n");
                check(&index, &text, 20, rng);
                assert_eq!(index.lines(), 2);
                edit(&mut index, &mut text, border..border + 1, "c\n");
                assert_eq!(index.lines(), 3);
                edit(&mut index, &mut text, border..border + 1, "");
                check(&index, &text, 20, rng);
                edit(&mut index, &mut text, border - 1..border, "");
                check(&index, &text, 20, rng);
                edit(&mut index, &mut text, border - 1..border, "\r");
                check(&index, &text, 20, rng);
            }
        }
    }
}

/// A text typed character by character, and deleted again, at its start, in its middle and at its end.
#[test]
fn typing() {
    let rng = &mut Rng::new(86);
    let typed: Vec<char> = "let é = \"漢😀\";\r\n\n".chars().cycle().take(1500 / one_in_emulated()).collect();
    for isa in Isa::available() {
        for place in 0..3 {
            let mut text = "fn main() {}\n".repeat(300);
            let mut index = Index::with_isa(isa, &text);
            let start = [0, 1300, text.len()][place];
            let mut at = start;
            for (step, char) in typed.iter().enumerate() {
                edit(&mut index, &mut text, at..at, char.encode_utf8(&mut [0; 4]));
                at += char.len_utf8();
                if step % 97 == 0 {
                    check(&index, &text, 100, rng);
                }
            }
            check(&index, &text, 1000, rng);
            let new = Index::with_isa(isa, &text);
            assert!(index.stored() <= 2 * new.stored() + 64, "{} and {}", index.stored(), new.stored());
            for (step, char) in typed.iter().rev().enumerate() {
                edit(&mut index, &mut text, at - char.len_utf8()..at, "");
                at -= char.len_utf8();
                if step % 97 == 0 {
                    check(&index, &text, 100, rng);
                }
            }
            assert_eq!(at, start);
            check(&index, &text, 1000, rng);
            // All of it goes, piece by piece.
            while !text.is_empty() {
                let range = between_characters(&text, text.len() / 2, 200);
                let range = if range.is_empty() { 0..text.len() } else { range };
                edit(&mut index, &mut text, range, "");
                check(&index, &text, 10, rng);
            }
            assert_eq!(index.stored(), Index::new("").stored());
        }
    }
}

/// About 2 % of the text.
/// Nearly all of each 32 KB is deleted: what is left of them is put together, and not a chapter each.
#[test]
fn deletions_in_every_chapter() {
    const CHAPTER: usize = 32 << 10;
    for isa in Isa::available() {
        for left in [260, 300, 3000] {
            let mut text = "x".repeat(40 * CHAPTER);
            let mut index = Index::with_isa(isa, &text);
            for chapter in (0..40).rev() {
                let range = chapter * CHAPTER + 20..(chapter + 1) * CHAPTER + 20 - left;
                text.replace_range(range.clone(), "");
                index.edit(range, &text);
            }
            assert!(index.stored() <= text.len() / 24, "{isa}: {} bytes for {}", index.stored(), text.len());
        }
    }
}

#[test]
fn size() {
    for len in [1, 1000, 32 << 10, 1 << 20] {
        let index = Index::new(&"a".repeat(len));
        assert!(index.stored() <= 48 + len * 18 / 1000, "{} bytes for {len}", index.stored());
        assert!(index.stored() >= len * 15 / 1000, "{} bytes for {len}", index.stored());
    }
}

/// With those that have been looked up in advance, there may be more than a `usize` can say.
#[test]
fn how_many_there_will_be() {
    let (text, most) = ("aé\n", usize::MAX);
    let index = Index::new(text);
    let mut endless = index.offsets_in(text, std::iter::repeat(3), Unit::Utf16);
    let mut many = index.offsets_in(text, std::iter::repeat_n(3, most), Unit::Utf16);
    let mut some = index.offsets_in(text, (0..50).filter(|at| at % 2 == 0), Unit::Utf16);
    assert_eq!(some.size_hint(), (0, Some(50)));
    for left in (0..25).rev() {
        assert_eq!((endless.next(), many.next()), (Some(2), Some(2)));
        assert_eq!(endless.size_hint(), (most, None));
        assert_eq!(many.size_hint(), (most - 25 + left, Some(most - 25 + left)));
        // All 25 have been looked up.
        assert!(some.next().is_some());
        assert_eq!(some.size_hint(), (left, Some(left)));
    }
    assert_eq!(some.next(), None);
}

#[test]
#[cfg_attr(panic = "abort", ignore = "NOT TESTED: panics abort in this build")]
fn what_panics() {
    let index = Index::new("aé\n");
    let panics = |call: &mut dyn FnMut()| assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
    for text in ["", "aé", "aé\nx\ny"] {
        panics(&mut || _ = index.position(text, 0, Unit::Utf8));
        panics(&mut || _ = index.offset_in(text, 0, Unit::Utf8));
        panics(&mut || _ = index.byte_offset(text, 0, Unit::Utf8));
        panics(&mut || _ = index.byte_offset_at(text, Position::default(), Unit::Utf8));
        panics(&mut || _ = index.line_range(text, 0));
        panics(&mut || drop(index.positions(text, [0], Unit::Utf8)));
        panics(&mut || drop(index.offsets_in(text, [0], Unit::Utf8)));
        panics(&mut || drop(index.byte_offsets(text, [0], Unit::Utf8)));
    }
    for (range, text) in [
        (0..5, ""),
        (2..3, "aé\nx"),
        (1..2, "aé\n"),
        (0..0, "aé"),
        (1..1, "aéé"),
        (Range { start: 3, end: 2 }, "aé\nx"),
    ] {
        panics(&mut || index.clone().edit(range.clone(), text));
    }
}

/// The results are of no meaning, but there are some.
#[test]
fn another_text() {
    let rng = &mut Rng::new(87);
    for isa in Isa::available() {
        for _ in 0..60 / one_in(2).min(20) {
            let len = rng.pick(&[300, 2000, 70_000]);
            let mut texts = [0, 1].map(|_| {
                let (filler, lines) = (rng.pick(&Filler::ALL), 1 + rng.seldom(2000));
                with_lines(filler, len, lines, rng)
            });
            let len = texts.each_ref().map(String::len);
            let most = len[0].max(len[1]);
            texts.iter_mut().for_each(|text| text.push_str(&"x".repeat(most - text.len())));
            let [text, other] = texts;
            let index = Index::with_isa(isa, &text);
            let offsets: Vec<usize> = (0..200).map(|_| rng.below(most + 10)).collect();
            for encoding in [Unit::Utf8, Unit::Utf16, Unit::Utf32] {
                for &offset in &offsets {
                    let _ = index.offset_in(&other, offset, encoding);
                    let _ = index.position(&other, offset, encoding);
                    let _ = index.byte_offset(&other, offset, encoding);
                    let range = index.line_range(&other, offset / 8);
                    assert!(range.end <= most, "{range:?}");
                    let position = Position { line: offset / 8, column: offset % 600 };
                    assert!(index.byte_offset_at(&other, position, encoding) <= most);
                }
                let _ = index.positions(&other, offsets.iter().copied(), encoding).count();
                let _ = index.offsets_in(&other, offsets.iter().copied(), encoding).count();
                let _ = index.byte_offsets(&other, offsets.iter().copied(), encoding).count();
            }
        }
    }
}
