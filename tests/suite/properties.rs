//! Property tests, which shrink failing inputs: arbitrary bytes and code units, bytes of chosen classes, and
//! well-formed text with a few changes.

use std::cell::RefCell;

use fastutf::Isa;
use proptest::char::range;
use proptest::collection::vec;
use proptest::prelude::*;

#[cfg(feature = "latin1")]
use crate::common::narrowest;
use crate::common::oracle::{Utf8Oracle, Utf16Oracle};
use crate::common::{Checker, Rng, hex, one_in};
use fastutf_testkit::filler::random_text;

pub fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 20_000 / one_in(20) as u32,
        // A failing input is shrunk and printed. Once fixed, it becomes a test with a name and the reason.
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A change: its place, as a fraction of the length, and its kind.
#[derive(Clone, Debug)]
enum Change<T> {
    Replace(T),
    Insert(T),
    Remove,
    /// Cuts the text off there.
    Cut,
}

fn change<T: Clone + std::fmt::Debug + 'static>(
    item: impl Strategy<Value = T> + Clone + 'static,
) -> BoxedStrategy<Change<T>> {
    prop_oneof![
        8 => item.clone().prop_map(Change::Replace),
        4 => item.prop_map(Change::Insert),
        4 => Just(Change::Remove),
        1 => Just(Change::Cut),
    ]
    .boxed()
}

fn apply<T: Copy>(mut items: Vec<T>, changes: Vec<(prop::sample::Index, Change<T>)>) -> Vec<T> {
    for (at, change) in changes {
        let at = at.index(items.len() + 1);
        match change {
            Change::Insert(item) => items.insert(at, item),
            _ if at == items.len() => {}
            Change::Replace(item) => items[at] = item,
            Change::Remove => drop(items.remove(at)),
            Change::Cut => items.truncate(at),
        }
    }
    items
}

/// Valid text: single characters, which shrinking can remove one by one, or much text at once.
fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => range('\0', '\x7F'),
        3 => range('\u{80}', '\u{7FF}'),
        3 => range('\u{800}', '\u{FFFF}'),
        2 => range('\u{10000}', '\u{10FFFF}'),
    ];
    let long = (0..5000_usize, any::<u64>()).prop_map(|(len, seed)| random_text(len, &mut Rng::new(seed)));
    prop_oneof![vec(character, 0..300).prop_map(String::from_iter), long]
}

fn byte() -> impl Strategy<Value = u8> + Clone {
    prop_oneof![
        any::<u8>(),
        prop::sample::select(vec![
            0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF
        ]),
    ]
}

fn unit() -> impl Strategy<Value = u16> + Clone {
    prop_oneof![
        any::<u16>(),
        0xD800..=0xDBFF_u16,
        0xDC00..=0xDFFF_u16,
        prop::sample::select(vec![0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x00D8, 0x00DC]),
    ]
}

pub fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let changed = (text().prop_map(String::into_bytes), vec((any::<prop::sample::Index>(), change(byte())), 0..4))
        .prop_map(|(text, changes)| apply(text, changes));
    prop_oneof![1 => vec(any::<u8>(), 0..200), 2 => vec(byte(), 0..200), 6 => changed]
}

pub fn units() -> impl Strategy<Value = Vec<u16>> {
    let text = text().prop_map(|text| text.encode_utf16().collect::<Vec<u16>>());
    let changed = (text, vec((any::<prop::sample::Index>(), change(unit())), 0..4))
        .prop_map(|(text, changes)| apply(text, changes));
    prop_oneof![1 => vec(any::<u16>(), 0..200), 1 => vec(unit(), 0..200), 6 => changed]
}

/// Sizes of buffers, from nothing to more than enough.
fn room() -> impl Strategy<Value = prop::sample::Index> {
    any::<prop::sample::Index>()
}

thread_local! {
    static CHECK: RefCell<Checker> = RefCell::new(Checker::new(80));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_as_utf8(src in bytes(), room in room()) {
        CHECK.with_borrow_mut(|check| {
            check.utf8(&src);
            let oracle = Utf8Oracle::new(&src);
            check.utf8_with(&src, &oracle, &[room.index(oracle.units.len() + 70)]);
        });
        #[cfg(feature = "latin1")]
        Isa::available().for_each(|isa| narrowest::of_utf8(isa, &src));
    }

    #[test]
    fn short_bytes_in_buffers_of_every_size(src in vec(byte(), 0..40)) {
        CHECK.with_borrow_mut(|check| check.utf8_every_room(&src));
    }

    #[test]
    fn any_units_as_utf16(src in units(), trailing: bool, room in room()) {
        CHECK.with_borrow_mut(|check| {
            check.utf16(&src);
            let oracle = Utf16Oracle::new(&src, trailing);
            check.utf16_with(&src, trailing, &oracle, &[room.index(oracle.text.len() + 70)]);
        });
        #[cfg(feature = "latin1")]
        Isa::available().for_each(|isa| narrowest::of_utf16(isa, &src, trailing.then_some(0xD8)));
    }

    #[test]
    fn short_units_in_buffers_of_every_size(src in vec(unit(), 0..40), trailing: bool) {
        CHECK.with_borrow_mut(|check| check.utf16_every_room(&src, trailing));
    }

    /// Compares whole results, including private fields, and the contents of the buffer.
    #[test]
    fn every_instruction_set_answers_as_scalar_does(src in bytes(), room in room()) {
        let room = room.index(2 * src.len() + 70);
        for isa in Isa::available() {
            macro_rules! same {
                ($($operation:ident)*) => {$(
                    let (got, want) = (isa.$operation(&src), Isa::SCALAR.$operation(&src));
                    prop_assert_eq!(got, want, "{} on {}: {}", stringify!($operation), isa, hex(&src));
                )*};
            }
            macro_rules! same_conversion {
                ($($operation:ident)*) => {$(
                    let (mut got, mut want) = (vec![0; room], vec![0; room]);
                    let ends = (isa.$operation(&src, &mut got), Isa::SCALAR.$operation(&src, &mut want));
                    let what = stringify!($operation);
                    prop_assert_eq!(ends.0, ends.1, "{} on {}: {} into {}", what, isa, hex(&src), room);
                    let (got, want) = (&got[..ends.0.written], &want[..ends.0.written]);
                    prop_assert_eq!(got, want, "{} on {}: {} into {}", what, isa, hex(&src), room);
                )*};
            }
            same!(validate_utf8 utf8_info is_ascii count_chars_utf8 utf16_len_from_utf8);
            same!(validate_utf16le validate_utf16be);
            same!(count_chars_utf16le count_chars_utf16be utf8_len_from_utf16le utf8_len_from_utf16be);
            same!(from_utf16le from_utf16be);
            same_conversion!(utf8_to_utf16le utf8_to_utf16be utf16le_to_utf8 utf16be_to_utf8);
            #[cfg(feature = "latin1")]
            {
                same!(utf16le_info utf16be_info narrowest_from_utf8 narrowest_from_utf8_lossy);
                same!(narrowest_from_utf16le narrowest_from_utf16be);
                same!(narrowest_from_utf16le_lossy narrowest_from_utf16be_lossy);
            }
        }
    }

    /// If each error is skipped by its length, the errors are in the places of std's replacement characters.
    #[test]
    fn skipping_error_len_is_what_from_utf8_lossy_does(src in bytes()) {
        for isa in Isa::available() {
            let mut text = String::new();
            let mut rest = &src[..];
            while let Err(error) = isa.validate_utf8(rest) {
                let (valid, bad) = rest.split_at(error.valid_up_to());
                text.push_str(isa.from_utf8(valid).unwrap());
                text.push('\u{FFFD}');
                rest = &bad[error.error_len().unwrap_or(bad.len())..];
            }
            text.push_str(isa.from_utf8(rest).unwrap());
            prop_assert_eq!(text, String::from_utf8_lossy(&src), "{}: {}", isa, hex(&src));
        }
    }

    #[test]
    fn skipping_error_len_is_what_from_utf16_lossy_does(src in units()) {
        for isa in Isa::available() {
            let mut text = String::new();
            let mut rest = &src[..];
            while let Err(error) = isa.utf16_to_utf8_append(rest, &mut text) {
                text.push('\u{FFFD}');
                rest = &rest[error.valid_up_to()..][error.error_len().unwrap_or(1)..];
            }
            prop_assert_eq!(text, String::from_utf16_lossy(&src), "{}: {}", isa, hex(&src));
        }
    }

    /// A conversion in pieces, with any size of buffer for each, has the same result as a single one.
    #[test]
    fn going_on_after_output_full_loses_nothing(text in text(), size in 4..70_usize) {
        for isa in Isa::available() {
            let (mut units, mut back, mut at) = (Vec::new(), String::new(), 0);
            let mut piece = vec![0; size];
            loop {
                let out = isa.utf8_to_utf16(&text.as_bytes()[at..], &mut piece);
                units.extend(&piece[..out.written]);
                at += out.read;
                if out.is_complete() {
                    break;
                }
                prop_assert!(out.error().is_none() && out.read > 0, "{}: {:?}", isa, out);
            }
            prop_assert!(units.iter().copied().eq(text.encode_utf16()), "{}: {}", isa, hex(text.as_bytes()));
            let (mut piece, mut at) = (vec![0; size], 0);
            loop {
                let out = isa.utf16_to_utf8(&units[at..], &mut piece);
                back.push_str(isa.from_utf8(&piece[..out.written]).unwrap());
                at += out.read;
                if out.is_complete() {
                    break;
                }
                prop_assert!(out.error().is_none() && out.read > 0, "{}: {:?}", isa, out);
            }
            prop_assert_eq!(&back, &text, "{}", isa);
        }
    }
}
