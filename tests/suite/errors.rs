//! Every kind of error at every place of two blocks, after and before every kind of text: all operations, strict and
//! lossy, on every instruction set. A release build tests all cases; a debug build only some of them.

use std::collections::BTreeSet;

use fastutf::Isa;

use crate::common::oracle::{Utf8Oracle, Utf16Oracle};
use crate::common::{Checker, Filler, one_in, one_in_emulated};
use crate::{lossy_utf8, lossy_utf16};

/// The number of positions to test: those in two blocks of 64.
const POSITIONS: usize = 128;

/// Ill-formed UTF-8: nearly the first and last sequence of each kind, in each length after which the error can be
/// found. Truncated characters are ill-formed before any of [`following`], and incomplete at the end.
const UTF8: [&[u8]; 40] = [
    // Stray continuation bytes.
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
    // Bytes that start no character.
    b"\xF8\x88\x80\x80\x80",
    b"\xFC\x84\x80\x80\x80\x80",
    b"\xFE",
    b"\xFF",
    // Truncated after the first byte, the second, the third.
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

/// The text after an error: nothing; a character; enough of each kind of text for a loop to be entered.
fn following() -> impl Iterator<Item = (Filler, usize)> {
    let short = [(Filler::Ascii, 0), (Filler::Ascii, 1), (Filler::Two, 2), (Filler::Three, 3), (Filler::Four, 4)];
    short.into_iter().chain(Filler::ALL.map(|filler| (filler, 150)))
}

/// An error and the text around it.
struct Case<T: 'static> {
    error: &'static [T],
    position: usize,
    before: Filler,
    behind: (Filler, usize),
}

impl Case<u8> {
    fn text(&self) -> Vec<u8> {
        let (filler, len) = self.behind;
        [&self.before.before(self.position), self.error, &filler.after(len)].concat()
    }
}

impl Case<u16> {
    fn units(&self) -> Vec<u16> {
        let (filler, len) = self.behind;
        [&self.before.units_before(self.position), self.error, &filler.units_after(len)].concat()
    }
}

/// All cases. At position 0, no text comes before the error.
fn cases<T>(errors: &'static [&'static [T]]) -> impl Iterator<Item = Case<T>> {
    errors.iter().flat_map(|&error| {
        (0..POSITIONS).flat_map(move |position| {
            let contexts = if position == 0 { &Filler::ALL[..1] } else { &Filler::ALL };
            contexts
                .iter()
                .flat_map(move |&before| following().map(move |behind| Case { error, position, before, behind }))
        })
    })
}

/// Checks the cases themselves: they have every kind of error, of every length, at every position.
#[test]
fn every_kind_is_at_every_position() {
    let mut seen = BTreeSet::new();
    for case in cases(&UTF8).filter(|case| case.before == Filler::Ascii) {
        let fault = Utf8Oracle::new(&case.text()).fault.expect("an error");
        assert_eq!(fault.at, case.position, "{:02X?}", case.error);
        seen.insert((format!("{:?} of {:?}", fault.kind, fault.len), case.position));
    }
    // The kinds that can be found after 1, 2 or 3 bytes, and the one without a length.
    let kinds = [
        "Incomplete of None",
        "StrayContinuation of Some(1)",
        "Overlong of Some(1)",
        "Surrogate of Some(1)",
        "AboveMax of Some(1)",
        "FiveOrSixByteForm of Some(1)",
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
    for case in cases(&UTF16).filter(|case| case.before == Filler::Ascii) {
        let fault = Utf16Oracle::new(&case.units(), false).fault.expect("an error");
        assert_eq!(fault.at, case.position, "{:04X?}", case.error);
        seen.insert((format!("{:?}", fault.kind), case.position));
    }
    assert_eq!(seen, all(&["TrailingHighSurrogate", "UnpairedHighSurrogate", "UnpairedLowSurrogate"]));
}

#[test]
fn utf8_strict() {
    let mut check = Checker::new(70);
    for case in cases(&UTF8) {
        if check.keep(one_in(8)) {
            check.utf8(&case.text());
        }
    }
}

#[test]
fn utf8_lossy() {
    let mut check = Checker::new(71);
    for case in cases(&UTF8) {
        if check.keep(one_in(60)) {
            let text = case.text();
            Isa::available().for_each(|isa| lossy_utf8::check(isa, &text));
        }
    }
}

#[test]
fn utf16_strict() {
    let mut check = Checker::new(72);
    for case in cases(&UTF16) {
        if check.keep(one_in(4)) {
            check.utf16(&case.units());
        }
    }
}

#[test]
fn utf16_lossy() {
    let mut check = lossy_utf16::Check::new(73);
    for case in cases(&UTF16) {
        if check.keep(one_in(20)) {
            check.all(&case.units());
        }
    }
}

/// An odd byte after each number of units, of each kind of text.
#[test]
fn utf16_with_half_a_unit_behind() {
    let mut check = Checker::new(74);
    let mut lossy = lossy_utf16::Check::new(75);
    for len in 0..2 * POSITIONS {
        for filler in Filler::ALL {
            if !check.keep(one_in_emulated()) {
                continue;
            }
            let units = filler.units_before(len);
            let oracle = Utf16Oracle::new(&units, true);
            let exact = oracle.text.len();
            check.utf16_with(&units, true, &oracle, &[exact, exact + 200, exact.saturating_sub(1), exact / 2]);
            lossy.with(&units, true);
        }
    }
}
