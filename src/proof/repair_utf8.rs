//! UTF-8 with U+FFFD: how a window falls into characters and ill-formed sequences.
//!
//! Where an item starts depends on a byte and the three before it, and whether it is whole on the three after it. So
//! strings of 7 have everything that their middle depends on. The definition is the standard library's, asked for each
//! string of four.
//!
//! By hand: a window is repaired to at most 192 bytes; a run begins before these end, and its copy of 64 bytes ends within the room.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::*;
use crate::proof::classes::{COUNT, NUMBERS, number, of_bytes, representative, strings};
use crate::simd::tests::{on_all_lanes, written};

/// What a text consists of, up to its first 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Split {
    starts: u64,
    /// The starts of ill-formed sequences, and all their bytes.
    ill_formed: u64,
    ill_formed_bytes: u64,
}

struct Definition {
    /// For each string of four classes, the length of the item at its start, and whether that is a character.
    first_items: Vec<(u8, bool)>,
    class_of: Vec<usize>,
}

impl Definition {
    fn new() -> Self {
        let mut first_items = vec![(0, false); NUMBERS];
        strings::<4>(|classes| {
            let bytes = classes.map(representative);
            let first = bytes.utf8_chunks().next().unwrap();
            first_items[number(&classes)] = match first.valid().chars().next() {
                Some(char) => (char.len_utf8() as u8, true),
                None => (first.invalid().len() as u8, false),
            };
        });
        Self { first_items, class_of: of_bytes() }
    }

    /// Splits a text that begins with an item, as if ASCII followed.
    fn split(&self, text: &[u8]) -> Split {
        let mut classes = [0; WINDOW + 6];
        for (class, &byte) in classes.iter_mut().zip(text) {
            *class = self.class_of[usize::from(byte)];
        }
        let len = text.len().min(WINDOW);
        let mut at = text[..len].iter().position(|&byte| byte >= 0x80).unwrap_or(len);
        let mut split = Split { starts: (1u128 << at).wrapping_sub(1) as u64, ..Split::default() };
        while at < len {
            let (len, whole) = self.first_items[number(&classes[at..at + 4])];
            split.starts |= 1 << at;
            if !whole {
                split.ill_formed |= 1 << at;
                split.ill_formed_bytes |= ((1 << len) - 1) << at;
            }
            at += usize::from(len);
        }
        split
    }

    /// Compares a window that is not followed by more text.
    fn check<S: Lanes>(&self, name: &str, isa: S, window: &[u8; WINDOW]) {
        let items = isa.vectorize(
            #[inline(always)]
            || items(bits(isa, window), true),
        );
        let ill_formed_bytes = items.ill_formed_bytes();
        let want = self.split(window);
        let got = Split { starts: items.starts, ill_formed: items.ill_formed, ill_formed_bytes };
        assert_eq!(got, want, "{name}: {window:02X?}");
        let more = 3 * want.ill_formed.count_ones() as usize;
        let repaired_len = WINDOW + more - want.ill_formed_bytes.count_ones() as usize;
        assert_eq!(items.repaired_len(), repaired_len, "{name}: {window:02X?}");
    }
}

/// All strings of 7 classes, in turn at each eighth place, with ASCII between.
fn windows_of_7<S: Lanes>(name: &str, isa: S) {
    let definition = Definition::new();
    let (mut window, mut place) = ([b'a'; WINDOW], 0);
    strings::<7>(|classes| {
        window[place..place + 7].copy_from_slice(&classes.map(representative));
        place = (place + 8) % WINDOW;
        if place == 0 || classes == [COUNT - 1; 7] {
            definition.check(name, isa, &window);
        }
    });
}

/// All strings of three classes and any byte, at each place: a byte acts only by its class.
fn any_byte<S: Lanes>(name: &str, isa: S) {
    let definition = Definition::new();
    strings::<3>(|classes| {
        let [a, b, c] = classes.map(representative);
        for byte in 0..=255 {
            let mut window = [b'a'; WINDOW];
            for (place, string) in
                [[byte, a, b, c], [a, byte, b, c], [a, b, byte, c], [a, b, c, byte]].iter().enumerate()
            {
                window[10 * place..10 * place + 4].copy_from_slice(string);
            }
            definition.check(name, isa, &window);
        }
    });
}

/// Windows of one string of four classes again and again, repaired: nothing changes outside of the room for a window. Among these are windows that become as long as any can, 3 bytes for each.
fn fills<S: Lanes>(name: &str, isa: S) {
    strings::<4>(|classes| {
        let view: [u8; VIEW] = core::array::from_fn(|k| representative(classes[k % 4]));
        let window = view.first_chunk().unwrap();
        let mut len = 0;
        let out = written(ROOM, true, name, |out| {
            len = fill(items(bits(isa, window), true), &view, out);
        });
        let out = out.unwrap();
        assert_eq!(out[..len], *String::from_utf8_lossy(window).as_bytes(), "{name}: {window:02X?}");
    });
}

#[test]
#[ignore = "all strings of 7 classes: seconds, in release builds: cargo xtask prove"]
fn items_are_those_of_the_definition() {
    crate::proof::report_lanes("repair of UTF-8: items", "all cases", "14^7 strings of classes", || {
        on_all_lanes!(fills);
        on_all_lanes!(any_byte);
        on_all_lanes!(windows_of_7);
    });
}

/// All strings of 6 classes at the end of a window, after which a character may go on. A window ends where an item does,
/// with all that starts in its first 61 bytes.
fn ends_of_windows<S: Lanes>(name: &str, isa: S) {
    let definition = Definition::new();
    let mut text = [b'a'; WINDOW + 3];
    text[WINDOW..].fill(0x80);
    strings::<6>(|classes| {
        text[WINDOW - 6..WINDOW].copy_from_slice(&classes.map(representative));
        let items = isa.vectorize(
            #[inline(always)]
            || items_at(isa, &text, 0),
        );
        let (want, bytes) = (definition.split(&text), items.bytes());
        let ends = items.end == WINDOW || items.end < WINDOW && want.starts >> items.end & 1 == 1;
        assert!(ends && items.end + 3 >= WINDOW, "{name}: {text:02X?} ends at {}", items.end);
        let got = (items.starts & bytes, items.ill_formed);
        assert_eq!(got, (want.starts & bytes, want.ill_formed & bytes), "{name}: {text:02X?}");
    });
}

/// All strings of 4 classes at the end of a text, for each length of the last window. It is padded, or begins with bytes
/// that are not part of it, of which the last would be a lead byte.
fn last_windows<S: Lanes>(name: &str, isa: S) {
    let definition = Definition::new();
    for (len, at) in (1..=WINDOW).flat_map(|len| [(len, 0), (len, WINDOW)]) {
        let mut text = vec![0xF1; at];
        text.resize(at + len, b'a');
        strings::<4>(|classes| {
            let last = classes.map(representative);
            let count = len.min(4);
            text[at + len - count..].copy_from_slice(&last[4 - count..]);
            let items = isa.vectorize(
                #[inline(always)]
                || items_at(isa, &text, at),
            );
            let (want, bytes) = (definition.split(&text[at..]), items.bytes());
            let got = (items.end, items.starts & bytes, items.ill_formed & bytes);
            assert_eq!(got, (len, want.starts, want.ill_formed), "{name}: {text:02X?} from {at}");
        });
    }
}

#[test]
#[ignore = "all strings of 6 classes at the end of a window: seconds, in release builds: cargo xtask prove"]
fn windows_end_where_items_do() {
    crate::proof::report_lanes("repair of UTF-8: ends of windows", "all cases", "strings of 6 classes", || {
        on_all_lanes!(ends_of_windows);
        on_all_lanes!(last_windows);
    });
}
