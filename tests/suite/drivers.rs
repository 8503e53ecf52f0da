//! Tests what happens between blocks: how a loop continues after a block, ends, and hands over to another loop.
//!
//! Other tests check the work on a single block, byte by byte. Here, a *seam* is at the edge of a block. The text
//! before it ends with a whole character, or with one that lacks 1, 2 or 3 bytes. The text after it completes the
//! character, or not, or has a byte too many. Before the seam comes enough text of one kind for the loop for that kind
//! to run for a while. After it comes text of each kind, for which the kernel may choose another loop, or the end. The
//! seam is placed at each offset of a block of 256 bytes, the largest block, and half of the time at a multiple of 64
//! in memory, where the blocks of some kernels start.
//!
//! All combinations of the seam, its place and the kinds on both sides are tested. The rest (the lengths of the parts,
//! the text before them, the address of the text, the size of the buffer) is random for each case.

use fastutf::Isa;

use crate::common::oracle::{Utf8Oracle, Utf16Oracle};
use crate::common::{Checker, Filler, Rng, one_in};

/// The distance between the edges of the largest blocks, in bytes of UTF-8 or in units of UTF-16.
const PERIOD: usize = 256;

/// Characters of each length, including the first and the last.
const CHARS: [&[&[u8]]; 3] = [
    &[b"\xC2\x80", b"\xC3\xA9", b"\xDF\xBF"],
    &[b"\xE0\xA0\x80", b"\xE2\x82\xAC", b"\xED\x9F\xBF", b"\xEE\x80\x80", b"\xEF\xBF\xBF"],
    &[b"\xF0\x90\x80\x80", b"\xF0\x9F\x98\x80", b"\xF3\xA0\x80\x81", b"\xF4\x8F\xBF\xBF"],
];

/// Sequences that are ill-formed because of their bytes, not of their number.
const WRONG: [&[u8]; 15] = [
    b"\x80",
    b"\xBF\xBF",
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80\x80\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xC3\xFF",
    b"\xFF",
];

/// The text right before the edge, and right after it.
type Seam<T> = [Vec<T>; 2];

/// Each of `CHARS`: whole, with a stray continuation byte, truncated at each place, and cut there by the edge. Each of
/// `WRONG`, cut by the edge at each place.
fn seams() -> Vec<Vec<Seam<u8>>> {
    let mut seams = Vec::new();
    for chars in CHARS {
        let len = chars[0].len();
        for edge in 1..=len {
            for end in edge..=len + 1 {
                // These characters are equivalent, so each test draws one of them.
                let variants = chars.iter().map(|c| {
                    let bytes = [*c, b"\x80"].concat();
                    let (before, after) = bytes[..end].split_at(edge);
                    [before.to_vec(), after.to_vec()]
                });
                seams.push(variants.collect());
            }
        }
    }
    for wrong in WRONG {
        for edge in 0..=wrong.len() {
            let (before, after) = wrong.split_at(edge);
            seams.push(vec![[before.to_vec(), after.to_vec()]]);
        }
    }
    seams
}

/// Lengths of the text after a seam: short ends, lengths around those of vectors and blocks, and (in [`REST`]) lengths
/// for which loops run again.
const END: [usize; 32] = [
    0, 0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 20, 29, 31, 32, 33, 47, 48, 60, 61, 63, 64, 65, 67, 95, 128,
    130, 193,
];
const REST: [usize; 8] = [256, 300, 385, 420, 520, 600, 700, 1100];
/// How long a loop has run before the seam, in blocks of 256.
const RUNS: [usize; 12] = [0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 9];
/// The length of the text before that, in bytes.
const FIRST: [usize; 8] = [0, 0, 0, 0, 64, 130, 270, 600];

/// The kinds of the parts of a text, and their lengths in bytes of UTF-8 or in units.
struct Parts {
    first: (Filler, usize),
    before: (Filler, usize),
    /// A little text of another kind, between the text before and the seam.
    between: (Filler, usize),
    after: (Filler, usize),
    last: (Filler, usize),
}

impl Parts {
    /// The seam is `place` after the start or after a multiple of [`PERIOD`].
    fn draw(before: Filler, after: Filler, place: usize, seam: usize, runs: &[usize], rng: &mut Rng) -> Self {
        let first = rng.pick(&FIRST);
        let len = PERIOD * rng.pick(runs) + place;
        let first = first.min(len.saturating_sub(seam));
        let most = rng.below(24);
        let between = if rng.below(3) == 0 { rng.below(1 + most) } else { 0 };
        let between = between.min(len.saturating_sub(first + seam));
        Self {
            first: (rng.pick(&Filler::ALL), first),
            before: (before, len.saturating_sub(first + between + seam)),
            between: (rng.pick(&Filler::ALL), between),
            after: (after, if rng.below(2) == 0 { rng.pick(&END) } else { rng.pick(&REST) }),
            last: (rng.pick(&Filler::ALL), if rng.below(4) == 0 { rng.below(200) } else { 0 }),
        }
    }
}

/// Returns where to place a text: its byte `edge` at a multiple of 64 in memory, or anywhere.
fn shift(edge: usize, rng: &mut Rng) -> usize {
    if rng.below(2) == 0 { edge.wrapping_neg() % 64 } else { rng.below(64) }
}

/// Sizes of a buffer: exact, plenty, and one that ends around the seam or anywhere.
fn rooms(exact: usize, plenty: usize, seam: usize, rng: &mut Rng) -> [usize; 3] {
    let short = if rng.below(3) == 0 { rng.below(exact + 1) } else { (seam + rng.below(160)).saturating_sub(80) };
    [exact, plenty + rng.below(64), short]
}

/// Calls `test` with every seam, at every place, after and before every kind of text. The arguments are the number of
/// the seam, its place, and the two kinds.
fn every_seam(
    seams: usize,
    check: &mut Checker,
    thin: usize,
    mut test: impl FnMut(&mut Checker, usize, usize, [Filler; 2]),
) {
    for seam in 0..seams {
        for before in Filler::ALL {
            for after in Filler::ALL {
                for place in 0..PERIOD {
                    if check.keep(thin) {
                        test(check, seam, place, [before, after]);
                    }
                }
            }
        }
    }
}

fn utf8(seed: u64, seams: impl Iterator<Item = Vec<Seam<u8>>>, runs: &[usize], thin: usize) {
    let mut check = Checker::new(seed);
    let seams: Vec<_> = seams.collect();
    every_seam(seams.len(), &mut check, thin, |check, seam, place, [before, after]| {
        let variants = &seams[seam];
        let [head, tail] = &variants[check.rng.below(variants.len())];
        let parts = Parts::draw(before, after, place, head.len(), runs, &mut check.rng);
        let mut text = parts.first.0.before(parts.first.1);
        text.extend(parts.before.0.before(parts.before.1));
        text.extend(parts.between.0.before(parts.between.1));
        text.extend(head);
        let edge = text.len();
        text.extend(tail);
        text.extend(parts.after.0.after(parts.after.1));
        text.extend(parts.last.0.after(parts.last.1));

        let oracle = Utf8Oracle::new(&text);
        // The number of code units before the edge, in the well-formed part.
        let before_edge = &text[..edge.min(oracle.valid.len())];
        let units =
            before_edge.iter().map(|&byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum();
        let shift = shift(edge, &mut check.rng);
        let rooms = rooms(oracle.units.len(), text.len() + 256, units, &mut check.rng);
        check.shift = Some(shift);
        check.utf8_with(&text, &oracle, &rooms);
        if check.rng.below(4) == 0 {
            let delta = check.rng.below(160);
            check.shift = Some(shift);
            check.utf8_lossy(&text, |exact| {
                vec![exact, 3 * exact + 700, (exact * edge / text.len().max(1) + delta).saturating_sub(80)]
            });
        }
    });
}

#[test]
fn utf8_between_blocks_1() {
    utf8(100, seams().into_iter().step_by(3), &RUNS, one_in(2));
}

#[test]
fn utf8_between_blocks_2() {
    utf8(101, seams().into_iter().skip(1).step_by(3), &RUNS, one_in(2));
}

#[test]
fn utf8_between_blocks_3() {
    utf8(102, seams().into_iter().skip(2).step_by(3), &RUNS, one_in(2));
}

/// Loops that count do so in bytes, which can hold the counts of 63 blocks of 64, 128 or 256 bytes. Loops for longer
/// characters run for as many blocks at a time.
#[test]
fn utf8_after_long_runs() {
    utf8(103, seams().into_iter(), &[15, 31, 31, 63], one_in(60));
}

/// The seam is where validation returns to the check for shorter characters. The check for longer ones has covered a
/// vector and some blocks, and the next check does not look back at them. The sizes of vectors and blocks are those of
/// SSE4.1, of AVX2, and of AVX-512 and others.
#[test]
fn utf8_at_hand_overs() {
    let mut check = Checker::new(104);
    for variants in seams() {
        for before in Filler::ALL {
            for after in Filler::ALL {
                for (vector, block) in [(16, 64), (32, 128), (64, 256)] {
                    for blocks in [0, 1, 2, 4, 8, 12, 16, 28] {
                        if !check.keep(one_in(2)) {
                            continue;
                        }
                        let [head, tail] = &variants[check.rng.below(variants.len())];
                        let edge = vector + block * blocks;
                        let mut text = before.before(edge - head.len());
                        text.extend(head);
                        text.extend(tail);
                        text.extend(after.after(check.rng.pick(&REST)));
                        let oracle = Utf8Oracle::new(&text);
                        check.shift = (check.rng.below(4) > 0).then_some(0);
                        check.utf8_with(&text, &oracle, &[oracle.units.len(), text.len() + 300]);
                    }
                }
            }
        }
    }
}

/// Code units before the edge and after it: pairs that are whole, cut, reversed, or next to an unpaired surrogate; and
/// the neighbours of the surrogates.
const UNITS: [[&[u16]; 2]; 18] = [
    [&[0xD83D], &[0xDE00]],
    [&[0xD800], &[0xDC00]],
    [&[0xDBFF], &[0xDFFF]],
    [&[0xD83D, 0xDE00], &[]],
    [&[], &[0xD83D, 0xDE00]],
    [&[0xD83D], &[]],
    [&[0xDBFF], &[0xE000]],
    [&[], &[0xDE00]],
    [&[0xD7FF], &[0xDC00]],
    [&[0xDE00], &[]],
    [&[], &[0xD83D]],
    [&[0xD83D], &[0xD83D, 0xDE00]],
    [&[0xD83D, 0xD83D], &[0xDE00]],
    [&[0xD83D, 0xDE00], &[0xDE00]],
    [&[0xD83D], &[0xDE00, 0xDE00]],
    [&[0xDE00], &[0xD83D]],
    [&[0xDE00, 0xD83D], &[0xDE00]],
    [&[0xD7FF], &[0xE000]],
];

fn utf16(seed: u64, first: usize, step: usize) {
    let mut check = Checker::new(seed);
    let seams: Vec<_> = UNITS.into_iter().skip(first).step_by(step).collect();
    every_seam(seams.len(), &mut check, one_in(2), |check, seam, place, [before, after]| {
        let [head, tail] = seams[seam];
        let parts = Parts::draw(before, after, place, head.len(), &RUNS, &mut check.rng);
        let mut text = parts.first.0.units_before(parts.first.1);
        text.extend(parts.before.0.units_before(parts.before.1));
        text.extend(parts.between.0.units_before(parts.between.1));
        text.extend(head);
        let edge = text.len();
        text.extend(tail);
        text.extend(parts.after.0.units_after(parts.after.1));
        text.extend(parts.last.0.units_after(parts.last.1));

        let odd = check.rng.below(8) == 0;
        let oracle = Utf16Oracle::new(&text, odd);
        let before_edge = edge.min(oracle.valid_units);
        let bytes: usize = oracle
            .text
            .chars()
            .scan(0, |units, c| {
                *units += c.len_utf16();
                (*units <= before_edge).then_some(c.len_utf8())
            })
            .sum();
        let shift = shift(2 * edge, &mut check.rng);
        let rooms = rooms(oracle.text.len(), 3 * text.len() + 256, bytes, &mut check.rng);
        check.shift = Some(shift);
        check.utf16_with(&text, odd, &oracle, &rooms);
        if check.rng.below(4) == 0 {
            let delta = check.rng.below(160);
            check.shift = Some(shift);
            check.utf16_lossy(&text, |exact| {
                vec![exact, exact + 300, (exact * edge / text.len().max(1) + delta).saturating_sub(80)]
            });
        }
    });
}

#[test]
fn utf16_between_blocks_1() {
    utf16(110, 0, 2);
}

#[test]
fn utf16_between_blocks_2() {
    utf16(111, 1, 2);
}

/// Combining two vectors must not cancel out equal elements in the same place. The texts are short ASCII with two equal
/// characters, or two equal errors, one vector apart.
#[test]
fn two_equal_characters_among_ascii() {
    const UTF8: [&[u8]; 5] = ["é".as_bytes(), "中".as_bytes(), "😀".as_bytes(), b"\xFF", b"\x80"];
    const UTF16: [&[u16]; 5] = [&[0xE9], &[0x4E2D], &[0xD83D, 0xDE00], &[0xD800], &[0xDC00]];
    fn both<T: Copy>(ascii: Vec<T>, at: usize, distance: usize, same: &[T]) -> Vec<T> {
        let (first, last) = (&ascii[..at], &ascii[at..]);
        let (between, last) = last.split_at(distance.saturating_sub(same.len()));
        [first, same, between, same, last].concat()
    }
    let mut check = Checker::new(1009);
    for distance in [4, 8, 16, 32, 64] {
        for len in 0..=72 {
            for at in 0..=len {
                if at + distance > len + 8 || !check.keep(one_in(1)) {
                    continue;
                }
                let len = len.max(at + distance);
                for (utf8, utf16) in UTF8.into_iter().zip(UTF16) {
                    check.utf8(&both(Filler::Ascii.after(len), at, distance, utf8));
                    check.utf16(&both(Filler::Ascii.units_after(len), at, distance, utf16));
                }
            }
        }
    }
}

/// Characters of each length, with as many and as few set bits as possible, and characters whose code units are the
/// masks with which kernels test code units, in both byte orders.
const EXTREMES: [char; 13] = [
    '\u{7F}',
    '\u{80}',
    'é',
    '\u{7FF}',
    '\u{800}',
    '中',
    '\u{FFFF}',
    '😀',
    '\u{10FFFF}',
    '\u{FF80}',
    '\u{80FF}',
    '\u{F800}',
    '\u{F8}',
];

/// Combining the vectors of an unrolled loop must not cancel out equal ones, which occur in repetitive text. The texts
/// have a run of one character after and before others, long enough to reach each unrolled loop, each end and each
/// hand-over.
#[test]
fn runs_of_one_character() {
    let mut check = Checker::new(577);
    for before in [Filler::Ascii, Filler::Two, Filler::Three] {
        for len in [0, 1, 16, 63, 64, 130, 300] {
            for character in EXTREMES {
                for count in (1..=36).chain([48, 64, 65, 96, 128, 129, 200, 300]) {
                    if !check.keep(one_in(4)) {
                        continue;
                    }
                    let run = character.to_string().repeat(count);
                    // The run is at the end, or before a little ASCII, or before more of it.
                    for after in [0, 16, 70] {
                        check.utf8(
                            &[&before.before(len)[..], run.as_bytes(), &Filler::Ascii.after(after)].concat(),
                        );
                        let run: Vec<u16> = run.encode_utf16().collect();
                        check.utf16(&[before.units_before(len), run, Filler::Ascii.units_after(after)].concat());
                    }
                }
            }
        }
    }
}

/// After ASCII or 4-byte characters that a loop need not check, the next byte is the first that another loop sees, and
/// no block before it has looked ahead. Here, this byte is at a multiple of 64 bytes, where blocks start, and long
/// after the start of the text, which is checked in any case.
#[test]
fn ill_formed_right_after_a_run() {
    const BEFORE: [&str; 3] = ["é", "中", "😀"];
    const FIRST: [&[u8]; 4] = [b"\x80", b"\xBF\xBF", b"\xC1\xBF", b"\xE2\x82"];
    let mut check = Checker::new(2477);
    for before in BEFORE {
        for blocks in [1, 2, 8, 9, 10, 11, 12, 17] {
            // Whole blocks. The first one starts with padding.
            let count = 64 * blocks / before.len();
            let padding = 64 * blocks - count * before.len();
            let before = ["x".repeat(padding), before.repeat(count)].concat();
            for ascii in [0, 1, 2, 3, 4, 7, 8, 9, 10, 12] {
                for after in [5, 70, 300, 1100] {
                    if !check.keep(one_in(1)) {
                        continue;
                    }
                    for first in FIRST {
                        let run = "a".repeat(64 * ascii);
                        let after = &Filler::Ascii.after(after)[..];
                        check.utf8(&[before.as_bytes(), run.as_bytes(), first, after].concat());
                    }
                }
            }
        }
    }
}

/// When counting, a loop for short characters sees the lead byte of a longer one at the end of a block, but not the
/// rest of the character, which another loop then counts.
#[test]
fn lead_bytes_at_the_end_of_a_block() {
    let mut check = Checker::new(3089);
    for (before, len) in [("é", 2), ("中", 3)] {
        for at in 0..=256 {
            for character in ["中", "\u{10000}", "\u{3FFFF}", "\u{10FFFF}"] {
                if !check.keep(one_in(1)) {
                    continue;
                }
                let padding = (600 + at) % len;
                let before = ["x".repeat(padding), before.repeat((600 + at) / len)].concat();
                check.utf8([&before, character, &"é".repeat(400)].concat().as_bytes());
            }
        }
    }
}

/// A loop for one kind of text must notice another kind anywhere in a group of blocks: here, a single code unit of
/// three bytes among those of two.
#[test]
fn one_unit_of_three_bytes_among_many_of_two() {
    let mut check = Checker::new(4421);
    // Both bytes of the second unit are small, so it is below U+0800 even with its bytes swapped.
    for two in [0xE9, 0x101] {
        for at in 0..768 {
            for unit in [0x800, 0x4E2D, 0xFFFF] {
                if !check.keep(one_in(1)) {
                    continue;
                }
                let mut units = vec![two; 768 + at % 70];
                units[at] = unit;
                check.utf16(&units);
            }
        }
    }
}

/// If the end of a group of blocks cuts a pair, the pair is left to the next group, and the output for its first half
/// is discarded. If that half is unpaired, nothing overwrites this output, yet nothing past the reported length may
/// change.
#[test]
fn unpaired_at_the_end_of_a_group() {
    let mut check = Checker::new(5413);
    for group in [256, 512] {
        for first in [0xE9, 0x4E2D] {
            for ascii in 0..group {
                if !check.keep(one_in(1)) {
                    continue;
                }
                let mut units = vec![first; group - 1 - ascii];
                units.resize(group - 1, 0x61);
                units.push(0xD83D);
                units.resize(group + 300, 0x62);
                check.utf16(&units);
            }
        }
    }
}

/// A loop for characters of 3 bytes must look at each of the bytes by itself. These three are none, but what is wrong
/// with one byte is as wrong with another, so that an `xor` of both would be 0; or they would be one if a byte's upper
/// bits were cut out by `xor` instead of `and`. They stand right after whole blocks, where the loop begins.
#[test]
fn three_bytes_that_are_twice_wrong() {
    const WRONG: [&[u8]; 5] = [b"a1\x80", b"$A\x80", b"\xA4\xC3\x80", b"\xE4@@", b"\x10\xBF\xBF"];
    let mut check = Checker::new(7027);
    for wrong in WRONG {
        for blocks in 2..=5 {
            let count = 64 * blocks / 3;
            let before = ["x".repeat(64 * blocks - 3 * count), "中".repeat(count)].concat();
            for after in (0..256).step_by(16) {
                if check.keep(one_in(1)) {
                    check.utf8(&[before.as_bytes(), &wrong.repeat(40), &Filler::Three.after(after)].concat());
                    check.utf8(
                        &[before.as_bytes(), "漢字".as_bytes(), wrong, &Filler::Three.after(after)].concat(),
                    );
                }
            }
        }
    }
}

/// What is wrong with two bytes must not cancel out, neither in the same place of two vectors of a block, nor if two
/// checks refuse the same byte: C0 is no lead byte, and what follows it here no continuation.
#[test]
fn errors_that_come_in_pairs() {
    let mut check = Checker::new(8017);
    for filler in [Filler::Ascii, Filler::Two, Filler::Three, Filler::Four] {
        for at in 128..256 {
            for distance in [16, 32] {
                for wrong in [&b"a"[..], b"\x80", b"\xFF", b"\xC0a", b"\xC1a"] {
                    if check.keep(one_in(1)) {
                        let mut text = filler.after(400);
                        for at in [at, at + distance] {
                            text[at..at + wrong.len()].copy_from_slice(wrong);
                        }
                        check.utf8(&text);
                    }
                }
            }
            if check.keep(one_in(1)) {
                let mut text = filler.after(400);
                text[at..at + 2].copy_from_slice(b"\xC0a");
                check.utf8(&text);
            }
        }
    }
}

/// Two errors of different kinds must not cancel out either, if different checks see them in the same place of two
/// vectors. Each kind is noticed at one of its bytes or at the one after it, so one of these distances brings both
/// together.
#[test]
fn two_kinds_of_errors() {
    const KINDS: [&[u8]; 8] = [
        b"\x80",
        b"\xFF",
        b"\xC0\x80",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF0\x80\x80\x80",
        b"\xF4\x90\x80\x80",
        b"\xE2\x82",
    ];
    let mut check = Checker::new(9011);
    for first in KINDS {
        for second in KINDS {
            for filler in Filler::PLAIN {
                for distance in (13..=19).chain(29..=35) {
                    if check.keep(one_in(1)) {
                        // Somewhere in the block of 64 bytes from 128 on.
                        let mut text = filler.after(128 + check.rng.below(30));
                        text.extend(first);
                        text.extend(Filler::Ascii.after(distance - first.len()));
                        text.extend(second);
                        text.extend(filler.after(220));
                        check.utf8(&text);
                    }
                }
            }
        }
    }
}

/// A loop for characters of one length must look at the upper bits of every byte. Here some bytes of each character, or
/// all, have other upper bits: those of ASCII, or of a lead byte. These are many such characters, or one among others,
/// after whole blocks of good ones, where such a loop begins.
#[test]
fn characters_with_other_upper_bits() {
    let mut check = Checker::new(10_007);
    for good in ["\u{1000}", "\u{FFFF}", "\u{10000}", "\u{40000}", "\u{10FFFF}"] {
        let len = good.len();
        let count = 128 / len;
        let before = ["x".repeat(128 - len * count), good.repeat(count)].concat().into_bytes();
        for changed in 1..1 << len {
            for upper in [0x00, 0x40, 0xC0] {
                let mut wrong = good.as_bytes().to_vec();
                for (k, byte) in wrong.iter_mut().enumerate() {
                    if changed >> k & 1 == 1 {
                        *byte = *byte & if k == 0 { 0x0F } else { 0x3F } | upper;
                    }
                }
                for after in (0..256).step_by(64) {
                    if check.keep(one_in(1)) {
                        let after = good.repeat((after + check.rng.below(64)) / len);
                        check.utf8(&[&before, &wrong.repeat(24), after.as_bytes()].concat());
                        check.utf8(&[&before, good.as_bytes(), &wrong, after.as_bytes()].concat());
                    }
                }
            }
        }
    }
}

/// Equal bytes cancel out in an `xor`, and so do those of a mask. These are runs of a byte or a code unit with one bit
/// set or one bit clear, and of lead bytes: by themselves, and after whole blocks or all but the last byte of one.
#[test]
fn runs_of_one_byte() {
    let mut check = Checker::new(11_003);
    let bits = |bits| (0..bits).flat_map(|k| [1 << k, !(1 << k)]).chain([0, !0]);
    for byte in bits(8).map(|byte: i32| byte as u8).chain([0xC3, 0xE2, 0xF0]) {
        for before in [0, 63, 64, 127, 128, 255] {
            for filler in [Filler::Two, Filler::Three] {
                for len in (0..=36).chain([64, 65, 100, 128, 129, 200]) {
                    if check.keep(one_in(1)) {
                        check.utf8(&[filler.before(before), vec![byte; len]].concat());
                    }
                }
            }
        }
    }
    for unit in bits(16).map(|unit: i32| unit as u16).chain([0xD83D, 0xDE00]) {
        for before in [0, 64, 128] {
            for len in (0..=36).chain([64, 65, 100, 128, 129, 200]) {
                if check.keep(one_in(1)) {
                    check.utf16(&[Filler::Three.units_before(before), vec![unit; len]].concat());
                }
            }
        }
    }
}

/// A check may see an error only with the help of what is beside it. So here, all that is beside it is one character,
/// with as few or as many bits as possible: every kind of error, after each length of it.
#[test]
fn errors_among_equal_characters() {
    let mut check = Checker::new(12_007);
    for character in ["\0", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
        for wrong in WRONG {
            for ascii in [0, 64, 128] {
                for count in 0..=64 {
                    if check.keep(one_in(1)) {
                        let before = ["x".repeat(ascii), character.repeat(count)].concat();
                        check.utf8(&[before.as_bytes(), wrong, character.repeat(130).as_bytes()].concat());
                    }
                }
            }
        }
    }
}

/// A loop for ASCII goes on after a few other characters, and must find the next ones wherever they are in its vectors.
#[test]
fn equal_characters_in_long_ascii() {
    let mut check = Checker::new(13_001);
    for character in EXTREMES {
        for distance in 0..=72 {
            for count in [1, 8, 20] {
                if check.keep(one_in(1)) {
                    let (before, between, after) = ("x".repeat(200), "x".repeat(distance), "x".repeat(100));
                    let first = character.to_string();
                    let text = [before, first, between, character.to_string().repeat(count), after].concat();
                    check.utf8(text.as_bytes());
                    check.utf16(&text.encode_utf16().collect::<Vec<_>>());
                }
            }
        }
    }
}

/// Longer characters in the same places of two vectors must not cancel out, nor be taken for ASCII or for shorter ones
/// by a loop that is going on: after long ASCII, where one more shorter character may have been, or after blocks of
/// two-byte characters. The distances are a lane, a vector and two, in code units.
#[test]
fn equal_longer_characters_after_shorter() {
    let mut check = Checker::new(14_009);
    for character in ["\u{800}", "\u{8080}", "\u{FF80}", "\u{F800}", "\u{1F600}"] {
        for (before, filler) in [("x".repeat(160), "x"), ("x".repeat(130) + "é" + &"x".repeat(70), "x")]
            .into_iter()
            .chain([64, 160, 288].map(|count| ("é".repeat(count), "é")))
        {
            for first in 0..40 {
                for distance in [0, 8, 16, 32] {
                    if check.keep(one_in(1)) {
                        let between = filler.repeat(distance.max(1) - 1);
                        let twice = [character, &between, character].concat();
                        let parts = [&before, &filler.repeat(first), &twice, &filler.repeat(100)];
                        let text = parts.map(|part| &**part).concat();
                        check.utf8(text.as_bytes());
                        check.utf16(&text.encode_utf16().collect::<Vec<_>>());
                    }
                }
            }
        }
    }
}

/// A block that the check for two-byte characters refuses is only given to another one if a longer character may be in it. To
/// find out, vectors are joined that may overlap. Two longer characters must not cancel out, wherever in a block they
/// are, and however far apart. What is checked is that well-formed text is accepted.
#[test]
fn two_longer_characters_anywhere_in_a_block() {
    let mut rng = Rng::new(15_013);
    let isas: Vec<Isa> = Isa::available().collect();
    let mut memory = vec![0; 1024];
    let start = memory.as_ptr().align_offset(64);
    // Blocks start at multiples of 64 in memory.
    let text = &mut memory[start..start + 640];
    for longer in ["€", "😀"] {
        for first in 64..64 + PERIOD {
            for second in first + longer.len()..first + PERIOD + 8 {
                if rng.below(one_in(1)) != 0 {
                    continue;
                }
                text.fill(b'x');
                text[40..42].copy_from_slice("é".as_bytes());
                for at in [first, second] {
                    text[at..at + longer.len()].copy_from_slice(longer.as_bytes());
                }
                for isa in &isas {
                    assert_eq!(isa.validate_utf8(text), Ok(()), "{isa}: {longer} at {first} and {second}");
                    assert!(isa.utf8_info(text).is_ok(), "{isa}: {longer} at {first} and {second}");
                }
            }
        }
    }
}

/// A length that is computed wrong may only fit where there is very much room.
#[test]
fn much_more_room_than_needed() {
    const ROOM: usize = 1 << 14;
    let mut check = Checker::new(10_009);
    for kind in ["a", "é", "a漢", "😀", "aé", "é漢", "a😀", "é漢😀"] {
        let text = kind.repeat(130);
        for chars in [1, 2, 3, 5, 9, 17, 20, 33, 40, 50, 64, 65, 100, 130] {
            let part: String = text.chars().take(chars).collect();
            let units: Vec<u16> = part.encode_utf16().collect();
            check.utf8_with(part.as_bytes(), &Utf8Oracle::new(part.as_bytes()), &[ROOM]);
            check.utf16_with(&units, false, &Utf16Oracle::new(&units, false), &[ROOM]);
        }
    }
}
