//! Compares every method of an index with a walk over the text. The fuzz targets compile this file as well.

use std::ops::Range;

use fastutf::positions::{self, Index, Position};
use fastutf_testkit::Rng;
use fastutf_testkit::oracle::{Places, Unit};

const ENCODINGS: [(positions::Unit, Unit); 3] = [
    (positions::Unit::Utf8, Unit::Utf8),
    (positions::Unit::Utf16, Unit::Utf16),
    (positions::Unit::Utf32, Unit::Utf32),
];

/// Numbers up to `end` and some beyond, in order: about `most` of them.
fn numbers(end: usize, most: usize, rng: &mut Rng) -> Vec<usize> {
    let mut numbers: Vec<usize> = if end <= most {
        (0..=end).collect()
    } else {
        // In clusters, as what is near is looked up in another way.
        let mut numbers = vec![end];
        while numbers.len() < most {
            let (from, step) = (rng.below(end), 1 + rng.seldom(200));
            numbers.extend((0..1 + rng.below(8)).map(|k| from + k * step));
        }
        numbers.sort_unstable();
        numbers
    };
    numbers.extend([end + 1, end + 70, usize::MAX]);
    numbers
}

/// Checks everything about this index of `text`, at about `most` places.
#[allow(dead_code)] // in fuzz targets
pub fn check(index: &Index, text: &str, most: usize, rng: &mut Rng) {
    check_some(index, text, most, 1, rng);
}

/// Checks about one part in `one_in` of that.
pub fn check_some(index: &Index, text: &str, most: usize, one_in: usize, rng: &mut Rng) {
    let places = Places::new(text);
    let bytes = numbers(text.len(), most, rng);
    let mut shuffled = bytes.clone();
    (0..shuffled.len() / 8).for_each(|_| shuffled.swap(rng.below(bytes.len()), rng.below(bytes.len())));
    assert_eq!(index.lines(), places.lines(), "lines of {text:?}");
    assert_eq!(index.is_empty(), text.is_empty());

    for (encoding, unit) in ENCODINGS {
        let len = places.offset_in(text.len(), unit);
        assert_eq!(index.len(encoding), len, "{encoding:?}");

        let expected = |byte: usize| places.offset_in(byte, unit);
        for &byte in some(&bytes, one_in, rng) {
            assert_eq!(index.offset_in(text, byte, encoding), expected(byte), "{byte} in {encoding:?}");
        }
        for bytes in [&bytes, &shuffled] {
            let bytes = some(bytes, one_in, rng);
            let offsets = index.offsets_in(text, bytes.iter().copied(), encoding);
            assert_all(offsets, bytes, expected, encoding);
        }

        let expected = |byte: usize| {
            let (line, column) = places.position(byte, unit);
            Position { line, column }
        };
        for &byte in some(&bytes, one_in, rng) {
            assert_eq!(index.position(text, byte, encoding), expected(byte), "{byte} in {encoding:?}");
        }
        for bytes in [&bytes, &shuffled] {
            let bytes = some(bytes, one_in, rng);
            let positions = index.positions(text, bytes.iter().copied(), encoding);
            assert_all(positions, bytes, expected, encoding);
        }

        let offsets = numbers(len, most, rng);
        let mut shuffled = offsets.clone();
        (0..shuffled.len() / 8).for_each(|_| shuffled.swap(rng.below(offsets.len()), rng.below(offsets.len())));
        let expected = |offset: usize| places.byte_offset(offset, unit);
        for &offset in some(&offsets, one_in, rng) {
            assert_eq!(index.byte_offset(text, offset, encoding), expected(offset), "{offset} of {encoding:?}");
        }
        for offsets in [&offsets, &shuffled] {
            let offsets = some(offsets, one_in, rng);
            let bytes = index.byte_offsets(text, offsets.iter().copied(), encoding);
            assert_all(bytes, offsets, expected, encoding);
        }

        let lines = numbers(places.lines(), most / 4, rng);
        for &line in some(&lines, one_in, rng) {
            let Range { start, end } = places.line_range(line);
            assert_eq!(index.line_range(text, line), start..end, "line {line}");
            let columns = places.offset_in(end, unit) - places.offset_in(start, unit);
            for column in numbers(columns, 6, rng) {
                let found = index.byte_offset_at(text, Position { line, column }, encoding);
                let expected = places.byte_offset_at((line, column), unit);
                assert_eq!(found, expected, "{line}:{column} in {encoding:?}");
            }
        }
    }
}

/// All of these, or mostly none.
fn some<'a>(all: &'a [usize], one_in: usize, rng: &mut Rng) -> &'a [usize] {
    if rng.below(one_in) == 0 { all } else { &[] }
}

/// One is found for each that is given, and no more.
fn assert_all<T: PartialEq + std::fmt::Debug>(
    mut found: impl Iterator<Item = T>,
    given: &[usize],
    expected: impl Fn(usize) -> T,
    encoding: positions::Unit,
) {
    for (k, &at) in given.iter().enumerate() {
        let left = given.len() - k;
        assert_eq!(found.size_hint(), (left, Some(left)), "{k} of {} in {encoding:?}", given.len());
        assert_eq!(found.next(), Some(expected(at)), "one of many: {at} in {encoding:?}");
    }
    assert_eq!(found.size_hint(), (0, Some(0)), "at the end, in {encoding:?}");
    assert_eq!(found.next(), None, "more than {} in {encoding:?}", given.len());
}

/// Replaces a part of `text`, in the index as well.
pub fn edit(index: &mut Index, text: &mut String, range: Range<usize>, new: &str) {
    text.replace_range(range.clone(), new);
    index.edit(range, text);
    // Otherwise the next edit would take what is missing for inserted text, and count it.
    assert_eq!(index.len(positions::Unit::Utf8), text.len());
}

/// The range from `at` on of about `len` bytes, between characters.
pub fn between_characters(text: &str, at: usize, len: usize) -> Range<usize> {
    let boundary = |at: usize| (at.min(text.len())..).find(|&at| text.is_char_boundary(at)).unwrap();
    let start = boundary(at);
    start..boundary(start.saturating_add(len))
}
