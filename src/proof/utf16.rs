//! Validation of UTF-16 in both byte orders, for texts of every length.
//!
//! The generic kernels check, for each unit, whether it and the next one fit. So the invariant of the loop over blocks is
//! that everything before a place, and the unit after it, are well-formed so far.
//!
//! All steps are for both byte orders, and except for 5 for an even number of bytes:
//!
//! | step | what is proved | by |
//! |---|---|---|
//! | 1 | A text of less than 256 bytes is accepted if and only if it is well-formed; otherwise all before the returned place is well-formed so far. | `starts_of_texts` |
//! | 2 | The first block starts at a place of the invariant, whatever the text's address. | `starts_of_texts` |
//! | 3 | The loop over blocks ends at a place of the invariant, with one unit to one block left; or the block after the returned place, with the unit after it, is ill-formed. | `loops_over_blocks` |
//! | 4 | The rest after a place of the invariant is accepted if and only if the text is well-formed. | `ends_of_texts` |
//! | 5 | The result is that of plain Rust, also for odd lengths (up to 4 units from a list). | `errors_are_those_of_plain_rust` |
//!
//! `check` calls 1; or it asks whether the text starts with a low surrogate, then calls 2, 3 and 4.
//!
//! What is argued by hand: the order of the parts. The loop's only variable is the rest of the text. Step 2 is followed for its least
//! length, 4 from two places. Step 5 depends only on the unit before the place and on odd or even length, so its list is enough.

use std::format;
use std::time::Instant;
use std::vec::Vec;

use super::paper::Paper;
use super::paths::{EMPTY, ILL_FORMED, Outcome, Proof, Reference, Texts};
use super::utf8::{on_each, outcome};
use super::{one_in, report};
use crate::endian::ByteOrder;
use crate::kernels::validate_utf16::{
    ALIGNED_FROM, TESTED_TOGETHER as BLOCK, check, check_blocks, check_end, from_first_block, starts_low, verdict,
};
use crate::scalar;
use crate::simd::Lanes;

/// After a high surrogate, and inside a unit: of no surrogate or of a low one that completes a pair, of a high one that
/// waits, and of one that has a high one before it.
const WAITING: u32 = 2;
const IN_UNIT: u32 = 3;
const IN_HIGH: u32 = 4;
const IN_LAST: u32 = 5;

fn little(state: u32, byte: u8) -> u32 {
    match (state, byte) {
        (EMPTY, _) => IN_UNIT,
        (WAITING, _) => IN_LAST,
        (IN_UNIT, 0xD8..=0xDB) => WAITING,
        (IN_UNIT, 0xDC..=0xDF) => ILL_FORMED,
        (IN_UNIT, _) | (IN_LAST, 0xDC..=0xDF) => EMPTY,
        _ => ILL_FORMED,
    }
}

fn big(state: u32, byte: u8) -> u32 {
    match (state, byte) {
        (EMPTY, 0xD8..=0xDB) => IN_HIGH,
        (EMPTY, 0xDC..=0xDF) => ILL_FORMED,
        (EMPTY, _) | (WAITING, 0xDC..=0xDF) => IN_UNIT,
        (IN_HIGH, _) => WAITING,
        (IN_UNIT, _) => EMPTY,
        _ => ILL_FORMED,
    }
}

fn step(order: ByteOrder) -> fn(u32, u8) -> u32 {
    if order.is_big() { big } else { little }
}

fn utf16(order: ByteOrder) -> Proof {
    Proof::new(Reference {
        states: 6,
        step: step(order),
        is_lost: |state| state == ILL_FORMED,
        is_border: |state| matches!(state, EMPTY | WAITING),
        is_whole: |state| state == EMPTY,
    })
}

const ORDERS: [(ByteOrder, &str); 2] = [(ByteOrder::Little, "LE"), (ByteOrder::Big, "BE")];

/// Units at which something changes.
const UNITS: [u16; 10] = [0, 0xD8, 0xDC, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];

fn bytes(order: ByteOrder, units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|&unit| order.bytes(unit)).collect()
}

/// What is proved here is what Unicode says, if the standard library knows.
#[test]
fn the_reference_is_that_of_std() {
    let started = Instant::now();
    let one_in = one_in(1);
    for (order, _) in ORDERS {
        let is_right = |units: &[u16]| {
            let state = bytes(order, units).into_iter().fold(EMPTY, step(order));
            let want = char::decode_utf16(units.iter().copied()).all(|c| c.is_ok());
            assert_eq!(state == EMPTY, want, "{units:04X?}");
        };
        for unit in (0..=u16::MAX).step_by(one_in) {
            is_right(&[unit]);
            UNITS.iter().for_each(|&other| is_right(&[unit, other]));
            UNITS.iter().for_each(|&other| is_right(&[other, unit]));
            UNITS.iter().for_each(|&other| is_right(&[other, unit, other]));
        }
    }
    report(
        "validate_utf16: the reference",
        "all",
        "compared with std",
        format_args!("all units, and some beside them"),
        started,
    );
}

/// A kernel accepts whole units, or rejects them at a place before which they are well-formed so far. `verdict` makes the
/// result of it that plain Rust finds from the beginning, also for an odd number of bytes.
#[test]
fn errors_are_those_of_plain_rust() {
    let started = Instant::now();
    for (order, n) in ORDERS.into_iter().flat_map(|(order, _)| (0..10usize.pow(4)).map(move |n| (order, n))) {
        let units = [n / 1000, n / 100 % 10, n / 10 % 10, n % 10].map(|k| UNITS[k]);
        let text = [bytes(order, &units), [0xDC].into()].concat();
        let states: Vec<u32> = (0..=8).map(|len| text[..len].iter().copied().fold(EMPTY, step(order))).collect();
        for len in 0..=9 {
            let (text, whole) = (&text[..len], len & !1);
            let want = scalar::validate_utf16_from(order, text, 0);
            if states[whole] == EMPTY {
                assert_eq!(verdict(order, text, Ok(())), want, "{order:?} {text:02X?}");
                continue;
            }
            for checked in (0..=whole).step_by(2).filter(|&at| states[at] != ILL_FORMED) {
                assert_eq!(verdict(order, text, Err(checked)), want, "{order:?} {text:02X?} from {checked}");
            }
        }
    }
    report(
        "validate_utf16: where errors are searched",
        "all",
        "tested",
        format_args!("4 units from a list"),
        started,
    );
}

/// Proves something for both byte orders, and reports it.
pub(super) fn in_both_orders(what: &str, isa: &str, how: &str, prove: impl Fn(ByteOrder, &mut Proof)) {
    for (order, name) in ORDERS {
        utf16(order).reported(&format!("validate_utf16 {name}: {what}"), isa, how, |proof| prove(order, proof));
    }
}

fn starts<S: Lanes>(name: &str, isa: S) {
    in_both_orders("starts of texts", name, "proved", |order, proof| {
        for len in (0..2 * BLOCK).step_by(2) {
            proof.all_paths("check", Texts::of(len), |text| outcome(check(isa, order, text)));
        }
        for address in 0..S::WIDTH {
            let texts = Texts { address, ..Texts::of(ALIGNED_FROM) };
            proof.all_paths("from_first_block", texts, |text| {
                // `check` has asked this before.
                if starts_low(order, text) {
                    return Outcome::SoFar(0);
                }
                let at = text.len() - from_first_block(isa, order, text).len();
                assert_eq!(at % 2, 0);
                Outcome::SoFar(at + 2)
            });
        }
    });
}

fn blocks<S: Lanes>(name: &str, isa: S) {
    /// Before the first block.
    const START: usize = 4;
    in_both_orders("blocks", name, "proved by induction", |order, proof| {
        for rest in (2..2 * BLOCK + 2).step_by(2).chain([2, 64, BLOCK].map(|rest| 3 * BLOCK + rest)) {
            proof.all_paths("check_blocks", Texts::after(START + 2, START + rest), |text| {
                let at = match check_blocks(isa, order, text, &text[START..]) {
                    Err(at) => return Outcome::IllFormed { at, by: Some(at + BLOCK + 2) },
                    Ok(at) => at,
                };
                let left = text.len() - at;
                assert!(
                    (at - START).is_multiple_of(BLOCK) && (2..BLOCK + 2).contains(&left),
                    "ends at {at} of {rest}"
                );
                Outcome::SoFar(at + 2)
            });
            let of_block = |k: usize| {
                let first = START + k * BLOCK;
                proof.asked_in(first..first + BLOCK, first)
            };
            let is_same = !of_block(1).is_empty() && of_block(1) == of_block(2);
            assert!(rest <= 3 * BLOCK || is_same, "blocks differ");
        }
    });
}

fn ends<S: Lanes>(name: &str, isa: S) {
    in_both_orders("ends of texts", name, "proved", |order, proof| {
        for rest in (2..BLOCK + 2).step_by(2) {
            let asked = [1, 3].map(|vectors| {
                let at = vectors * S::WIDTH;
                proof.all_paths("check_end", Texts::after(at + 2, at + rest), |text| {
                    outcome(if check_end(isa, order, text, at) { Ok(()) } else { Err(at) })
                });
                proof.asked_in(0..at + rest, at)
            });
            assert!(asked[0] == asked[1], "check_end depends on where it starts");
        }
    });
}

fn whole_texts<S: Lanes>(name: &str, isa: S) {
    in_both_orders("whole texts", name, "proved for some lengths", |order, proof| {
        let aligned = [(0, 0), (2, 70), (S::WIDTH - 1, 150)];
        let aligned = aligned.map(|(address, len)| Texts { address, answers: 1, ..Texts::of(ALIGNED_FROM + len) });
        for texts in (2 * BLOCK..3 * BLOCK + 2).step_by(one_in(9) * 2).map(Texts::of).chain(aligned) {
            proof.all_paths("check", texts, |text| outcome(check(isa, order, text)));
        }
    });
}

/// Texts without blocks, and where the first block starts.
#[test]
fn starts_of_texts() {
    on_each!(starts);
}

#[test]
fn loops_over_blocks() {
    on_each!(blocks);
}

/// What is left after blocks: at least a unit, and less than a block and a unit.
#[test]
fn ends_of_texts() {
    on_each!(ends);
}

/// All of `check`, with one block, and with many that start where memory is aligned: the parts fit together.
#[test]
fn whole_texts_of_some_lengths() {
    on_each!(whole_texts);
}
