//! UTF-8 with U+FFFD: how a window falls into characters and ill-formed sequences.
//!
//! Where an item starts depends on a byte and the three before it, and whether it is whole on the three after it. So
//! strings of 7 have everything that their middle depends on. The definition is the standard library's, asked for each
//! string of four.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::proof::classes::{COUNT, NUMBERS, number, of_bytes, representative, strings};
use crate::simd::tests::on_all_lanes;

/// For each string of four classes, the length of the item at its start, and whether that is a character.
fn first_items() -> Vec<(u32, bool)> {
    let mut items = vec![(0, false); NUMBERS];
    strings::<4>(|classes| {
        let bytes = classes.map(representative);
        items[number(&classes)] = match std::str::from_utf8(&bytes) {
            Ok(text) => (text.chars().next().unwrap().len_utf8() as u32, true),
            Err(error) if error.valid_up_to() == 0 => (error.error_len().unwrap() as u32, false),
            Err(error) => {
                let text = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap();
                (text.chars().next().unwrap().len_utf8() as u32, true)
            }
        };
    });
    items
}

/// What a string consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Split {
    starts: u64,
    /// The starts of ill-formed sequences, and all their bytes.
    ill_formed: u64,
    ill_formed_bytes: u64,
}

/// Splits a string of classes that begins with an item and has 3 of ASCII after it.
fn split(first_items: &[(u32, bool)], string: &[usize]) -> Split {
    let (mut at, mut split) = (0, Split::default());
    while at < string.len() - 3 {
        let (len, whole) = first_items[number(&string[at..at + 4])];
        split.starts |= 1 << at;
        if !whole {
            split.ill_formed |= 1 << at;
            split.ill_formed_bytes |= ((1 << len) - 1) << at;
        }
        at += len as usize;
    }
    split
}

/// Masks of `len` bits at `at`.
fn part(mask: u64, at: usize, len: usize) -> u64 {
    mask >> at & ((1 << len) - 1)
}

/// All strings of 7 classes, in turn at places 10 apart.
fn windows_of_7<S: Lanes>(name: &str, isa: S) {
    const APART: usize = 10;
    let first_items = first_items();
    let (mut window, mut want, mut place) = ([b'a'; WINDOW], [Split::default(); WINDOW / APART], 0);
    strings::<7>(|classes| {
        let mut string = [0; 10];
        string[..7].copy_from_slice(&classes);
        for (to, class) in window[place * APART..].iter_mut().zip(classes) {
            *to = representative(class);
        }
        want[place] = split(&first_items, &string);
        place += 1;
        // A window for each 6 strings, and one for the last.
        if place < want.len() && classes != [COUNT - 1; 7] {
            return;
        }
        place = 0;
        let items = isa.vectorize(
            #[inline(always)]
            || items(bits(isa, &window), true),
        );
        let (mut repaired_len, ill_formed_bytes) = (WINDOW, items.ill_formed_bytes());
        for (k, want) in want.iter().enumerate() {
            let part = |mask| part(mask, k * APART, 7);
            let got = Split {
                starts: part(items.starts),
                ill_formed: part(items.ill_formed),
                ill_formed_bytes: part(ill_formed_bytes),
            };
            assert_eq!(got, *want, "{name}: {:02X?}", &window[k * APART..][..7]);
            let (count, bytes) = (want.ill_formed.count_ones(), want.ill_formed_bytes.count_ones());
            repaired_len = repaired_len + 3 * count as usize - bytes as usize;
        }
        assert_eq!(items.repaired_len(), repaired_len, "{name}: {window:02X?}");
    });
}

/// All strings of three classes and any byte, at each place: a byte acts only by its class.
fn any_byte<S: Lanes>(name: &str, isa: S) {
    let (first_items, class_of) = (first_items(), of_bytes());
    strings::<3>(|classes| {
        for byte in 0..=255 {
            let mut window = [b'a'; WINDOW];
            for place in 0..4 {
                let mut string = classes.map(representative).to_vec();
                string.insert(place, byte);
                window[10 * place..10 * place + 4].copy_from_slice(&string);
            }
            let items = items(bits(isa, &window), true);
            for place in 0..4 {
                let window = &window[10 * place..10 * place + 7];
                let classes: Vec<usize> = window.iter().map(|&byte| class_of[usize::from(byte)]).collect();
                let got = (part(items.starts, 10 * place, 4), part(items.ill_formed, 10 * place, 4));
                let want = split(&first_items, &classes);
                assert_eq!(got, (want.starts & 15, want.ill_formed), "{name}: {window:02X?}");
            }
        }
    });
}

/// All strings of 6 classes at the end of a window that is not the last one.
fn ends_of_windows<S: Lanes>(name: &str, isa: S) {
    let first_items = first_items();
    strings::<6>(|classes| {
        let mut window = [b'a'; WINDOW];
        window[WINDOW - 6..].copy_from_slice(&classes.map(representative));
        let mut string = [0; 9];
        string[..6].copy_from_slice(&classes);
        let Split { starts, ill_formed, .. } = split(&first_items, &string);
        let end = (3..6).find(|k| starts >> k & 1 == 1).unwrap_or(6);
        let got = items(bits(isa, &window), false);
        assert_eq!(got.end, WINDOW - 6 + end, "{name}: {window:02X?}");
        assert_eq!(part(got.starts, WINDOW - 6, end), part(starts, 0, end), "{name}: {window:02X?}");
        // What is ill-formed after the end belongs to the next window.
        assert_eq!(got.ill_formed >> (WINDOW - 6), part(ill_formed, 0, 3), "{name}: {window:02X?}");
    });
}

/// The window at an item of a text: all strings of three classes at each place of texts of each length around those
/// where a window is cut, padded, or moved back.
fn windows_of_texts<S: Lanes>(name: &str, isa: S) {
    let (first_items, class_of) = (first_items(), of_bytes());
    for len in (3..8).chain(61..72).chain([127, 128, 131]) {
        for beside in ["a", "é", "漢", "😀"] {
            strings::<3>(|string| {
                // From the start of a character on, at most 8 places; those near the end of a window, or of the text.
                let places =
                    [0, 1, 30, 57, 58, 59, 60, 61, 62, 63, 64].into_iter().chain([len - 3, len.max(4) - 4]);
                for place in places.filter(|place| place + 3 <= len) {
                    let whole = place / beside.len() * beside.len();
                    let mut text = beside.repeat(whole / beside.len()).into_bytes();
                    text.resize(place, b'x');
                    text.extend(string.map(representative));
                    let rest = len - text.len();
                    text.extend(&beside.repeat(len).as_bytes()[..rest / beside.len() * beside.len()]);
                    let at = if beside.len() <= whole { beside.len() } else { 0 };
                    let items = isa.vectorize(
                        #[inline(always)]
                        || items_at(isa, &text, at),
                    );
                    let left = text.len() - at;
                    assert!(items.end == left.min(WINDOW) || left > WINDOW && (61..64).contains(&items.end));
                    let mut classes: Vec<usize> =
                        text[at..].iter().map(|&byte| class_of[usize::from(byte)]).collect();
                    classes.extend([0; 3]);
                    classes.truncate(WINDOW + 3);
                    let Split { starts, ill_formed, .. } = split(&first_items, &classes);
                    let got = (items.starts & items.bytes(), items.ill_formed);
                    let want = (starts & items.bytes(), ill_formed & items.bytes());
                    assert_eq!(got, want, "{name}: {text:02X?} from {at}");
                    // Where it ends, an item ends.
                    assert!(
                        items.end == left || items.end == WINDOW || starts >> items.end & 1 == 1,
                        "{name}: {text:02X?}"
                    );
                }
            });
        }
    }
}

#[test]
#[ignore = "all strings of 7 classes: seconds, in release builds: cargo xtask prove"]
fn items_are_those_of_the_definition() {
    crate::proof::report_lanes("repair of UTF-8: items", "all cases", "14^7 strings of classes", || {
        on_all_lanes!(windows_of_7);
        on_all_lanes!(any_byte);
    });
}

#[test]
#[ignore = "all strings of 6 classes at the end of a window: seconds, in release builds: cargo xtask prove"]
fn windows_end_where_items_do() {
    crate::proof::report_lanes("repair of UTF-8: ends of windows", "all cases", "strings of 6 classes", || {
        on_all_lanes!(ends_of_windows);
        on_all_lanes!(windows_of_texts);
    });
}
