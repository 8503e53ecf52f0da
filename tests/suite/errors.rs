//! Every kind of error at every place of two blocks, after and before every kind of text: all operations, strict and
//! lossy, on every instruction set. Nothing is left to chance in a release build; a debug build thins it out.

use std::collections::BTreeSet;

use crate::common::oracle::{Utf8Oracle, Utf16Oracle};
use crate::common::{Checker, Filler, one_in};
use crate::{lossy_utf8, lossy_utf16};

/// Twice what a position can be in a block of 64.
const POSITIONS: usize = 128;

/// Ill-formed UTF-8: of each kind the first and the last sequence there is, or nearly, in each length that it can have
/// before it is known to be wrong. What is cut short is so before any of [`following`], and incomplete at the end.
const UTF8: [&[u8]; 40] = [
    // Stray continuations.
    b"\x80",
    b"\xBF",
    b"\x80\x80\x80\x80",
    // Overlong.
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xC0",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xE0\x80",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x8F",
    // Surrogates, alone and as pairs.
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xED\xA0",
    b"\xED\xA0\x80\xED\xB0\x80",
    // Above U+10FFFF.
    b"\xF4\x90\x80\x80",
    b"\xF4\xBF\xBF\xBF",
    b"\xF4\x90",
    b"\xF5\x80\x80\x80",
    b"\xF7\xBF\xBF\xBF",
    // What starts no character.
    b"\xF8\x88\x80\x80\x80",
    b"\xFC\x84\x80\x80\x80\x80",
    b"\xFE",
    b"\xFF",
    // Cut short: after the first byte, the second, the third.
    b"\xC2",
    b"\xDF",
    b"\xE0",
    b"\xE0\xA0",
    b"\xE1",
    b"\xE1\xBF",
    b"\xED\x9F",
    b"\xEF\xBF",
    b"\xF0",
    b"\xF0\x90",
    b"\xF0\x90\x80",
    b"\xF3\xBF\xBF",
    b"\xF4",
    b"\xF4\x8F",
    b"\xF4\x8F\xBF",
];

/// Ill-formed UTF-16: each half of a pair alone, at both ends of its range, and next to others.
const UTF16: [&[u16]; 11] = [
    &[0xD800],
    &[0xDBFF],
    &[0xDC00],
    &[0xDFFF],
    &[0xD800, 0xD800],
    &[0xDBFF, 0xE000],
    &[0xDFFF, 0xDC00],
    &[0xDC00, 0xD800],
    &[0xD83D, 0xD83D, 0xDCA9],
    &[0xD83D, 0x0041, 0xDCA9],
    &[0xDCA9, 0xD83D, 0xDCA9],
];

/// What follows an error: nothing; a character; enough of each kind of text for a loop to be entered.
fn following() -> impl Iterator<Item = (Filler, usize)> {
    let short = [(Filler::Ascii, 0), (Filler::Ascii, 1), (Filler::Two, 2), (Filler::Three, 3), (Filler::Four, 4)];
    short.into_iter().chain(Filler::ALL.map(|filler| (filler, 150)))
}

/// All inputs: the error, its position, the input. What is before is of each kind; at position 0 there is nothing.
fn texts<'a, T: Copy + 'a>(
    errors: &'a [&'a [T]],
    before: fn(Filler, usize) -> Vec<T>,
    after: fn(Filler, usize) -> Vec<T>,
) -> impl Iterator<Item = (&'a [T], usize, Vec<T>)> {
    errors.iter().flat_map(move |&error| {
        (0..POSITIONS).flat_map(move |position| {
            let contexts = if position == 0 { &Filler::ALL[..1] } else { &Filler::ALL };
            contexts.iter().flat_map(move |&filler| {
                following().map(move |(behind, len)| {
                    (error, position, [&before(filler, position), error, &after(behind, len)].concat())
                })
            })
        })
    })
}

fn texts_utf8() -> impl Iterator<Item = (&'static [u8], usize, Vec<u8>)> {
    texts(&UTF8, Filler::before, Filler::after)
}

fn texts_utf16() -> impl Iterator<Item = (&'static [u16], usize, Vec<u16>)> {
    texts(&UTF16, Filler::units_before, Filler::units_after)
}

/// That the inputs are what they are said to be: every kind of error, of every length, at every position.
#[test]
fn every_kind_is_at_every_position() {
    let mut seen = BTreeSet::new();
    for (error, position, text) in texts_utf8() {
        let fault = Utf8Oracle::new(&text).fault.expect("an error");
        assert_eq!(fault.at, position, "{error:02X?}");
        seen.insert((format!("{:?} of {:?}", fault.kind, fault.len), position));
    }
    // The kinds that can be found after 1, 2 or 3 bytes, and the one of no known length.
    let kinds = [
        "Incomplete of None",
        "StrayContinuation of Some(1)",
        "Overlong of Some(1)",
        "Surrogate of Some(1)",
        "AboveMax of Some(1)",
        "InvalidLead of Some(1)",
        "MissingContinuation of Some(1)",
        "MissingContinuation of Some(2)",
        "MissingContinuation of Some(3)",
    ];
    let all = |kinds: &[&str]| {
        kinds.iter().flat_map(|kind| (0..POSITIONS).map(|position| (kind.to_string(), position))).collect()
    };
    assert_eq!(seen, all(&kinds));

    let mut seen = BTreeSet::new();
    for (error, position, units) in texts_utf16() {
        let fault = Utf16Oracle::new(&units, false).fault.expect("an error");
        assert_eq!(fault.at, position, "{error:04X?}");
        seen.insert((format!("{:?}", fault.kind), position));
    }
    assert_eq!(seen, all(&["TrailingHighSurrogate", "UnpairedHighSurrogate", "UnpairedLowSurrogate"]));
}

#[test]
fn utf8_strict() {
    let mut check = Checker::new(70);
    for (.., text) in texts_utf8() {
        if check.keep(one_in(8)) {
            check.utf8(&text);
        }
    }
}

#[test]
fn utf8_lossy() {
    let mut check = Checker::new(71);
    for (.., text) in texts_utf8() {
        if check.keep(one_in(60)) {
            fastutf::Isa::available().for_each(|isa| lossy_utf8::check(isa, &text));
        }
    }
}

#[test]
fn utf16_strict() {
    let mut check = Checker::new(72);
    for (.., units) in texts_utf16() {
        if check.keep(one_in(4)) {
            check.utf16(&units);
        }
    }
}

#[test]
fn utf16_lossy() {
    let mut check = lossy_utf16::Check::new(73);
    for (.., units) in texts_utf16() {
        if check.keep(one_in(20)) {
            check.all(&units);
        }
    }
}

/// Half a code unit too much after each number of units, of each kind of text.
#[test]
fn utf16_with_half_a_unit_behind() {
    let mut check = Checker::new(74);
    let mut lossy = lossy_utf16::Check::new(75);
    for len in 0..2 * POSITIONS {
        for filler in Filler::ALL {
            let units = filler.units_before(len);
            let oracle = Utf16Oracle::new(&units, true);
            let exact = oracle.text.len();
            check.utf16_with(&units, true, &oracle, &[exact, exact + 200, exact.saturating_sub(1), exact / 2]);
            lossy.with(&units, true);
        }
    }
}
