//! Validation of UTF-16 in both byte orders, for texts of every length.
//!
//! The generic kernels check, for each unit, whether it and the next one fit. So the invariant of the loop over blocks is
//! that everything before a place, and the unit after it, are well-formed so far.

use std::format;
use std::time::Instant;
use std::vec::Vec;

use super::paper::Paper;
use super::paths::{EMPTY, ILL_FORMED, Outcome, Proof, Reference, Texts};
use super::{one_in, report};
use crate::endian::ByteOrder;
use crate::kernels::validate_utf16::{ALIGNED_FROM, TESTED_TOGETHER, check, check_blocks, verdict};
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
            UNITS.iter().for_each(|&other| is_right(&[other, unit, other]));
        }
    }
}

/// A kernel accepts whole units, or rejects them at a place before which they are well-formed so far. `verdict` makes the
/// result of it that plain Rust finds from the beginning, also for an odd number of bytes.
#[test]
fn errors_are_those_of_plain_rust() {
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
}

fn outcome(checked: Result<(), usize>) -> Outcome {
    match checked {
        Ok(()) => Outcome::WellFormed,
        Err(at) => Outcome::IllFormed { at, by: None },
    }
}

fn blocks<S: Lanes>(name: &str, isa: S) {
    const BLOCK: usize = TESTED_TOGETHER;
    /// Before the first block.
    const START: usize = 4;
    for (order, order_name) in ORDERS {
        let (mut proof, started) = (utf16(order), Instant::now());
        for rest in (2..2 * BLOCK + 2).step_by(2).chain([2, 64, BLOCK].map(|rest| 3 * BLOCK + rest)) {
            proof.all_paths("check_blocks", Texts::after(START + 2, START + rest), |text| {
                match check_blocks(isa, order, &text[START..]) {
                    Ok(at) => {
                        assert!(
                            at % BLOCK == 0 && (2..BLOCK + 2).contains(&(rest - at)),
                            "ends at {at} of {rest}"
                        );
                        Outcome::SoFar(START + at + 2)
                    }
                    Err(at) => Outcome::IllFormed { at: START + at, by: Some(START + at + BLOCK + 2) },
                }
            });
            let of_block = |k: usize| {
                let first = START + k * BLOCK;
                proof.asked_in(first..first + BLOCK, first)
            };
            assert!(rest <= 3 * BLOCK || of_block(1) == of_block(2), "blocks differ");
        }
        let kernel = format!("validate_utf16 {order_name}: blocks");
        report(&kernel, name, "proved by induction", format_args!("{} paths", proof.paths), started);
    }
}

fn few_blocks<S: Lanes>(name: &str, isa: S) {
    for (order, order_name) in ORDERS {
        let (mut proof, started) = (utf16(order), Instant::now());
        for len in (0..=2 * TESTED_TOGETHER + 2).step_by(2).chain([400]) {
            proof.all_paths("check", Texts::of(len), |text| outcome(check(isa, order, text)));
        }
        let kernel = format!("validate_utf16 {order_name}: short texts");
        report(
            &kernel,
            name,
            "proved",
            format_args!("even lengths up to 258, 400, {} paths", proof.paths),
            started,
        );
    }
}

fn more_blocks<S: Lanes>(name: &str, isa: S) {
    /// Two to three blocks, and what may come after them.
    const LONGEST: usize = 4 * TESTED_TOGETHER + 2;
    for (order, order_name) in ORDERS {
        let (mut proof, started) = (utf16(order), Instant::now());
        let mut ends = Vec::new();
        for len in (0..=LONGEST).step_by(2) {
            proof.all_paths("check", Texts::of(len), |text| outcome(check(isa, order, text)));
            // The end of a long text is asked the same as that of one that has a block less.
            let end = if len < 2 * TESTED_TOGETHER + 2 {
                Default::default()
            } else {
                proof.asked_in(len - 170..len, len)
            };
            let block_less = (len > 3 * TESTED_TOGETHER + 2).then(|| &ends[(len - TESTED_TOGETHER) / 2]);
            assert!(
                block_less.is_none_or(|before| *before == end),
                "the ends of {len} bytes and a block less differ"
            );
            ends.push(end);
        }
        let cases = format_args!("even lengths up to {LONGEST}, {} paths", proof.paths);
        report(&format!("validate_utf16 {order_name}: whole texts"), name, "proved", cases, started);
    }
}

fn aligned<S: Lanes>(name: &str, isa: S) {
    for (order, order_name) in ORDERS {
        let (mut proof, started) = (utf16(order), Instant::now());
        for (address, len) in [(0, 0), (2, 70), (31, 150)] {
            let texts = Texts { address, answers: 2, ..Texts::of(ALIGNED_FROM + len) };
            proof.all_paths("check", texts, |text| outcome(check(isa, order, text)));
        }
        let kernel = format!("validate_utf16 {order_name}: aligned");
        report(&kernel, name, "proved for some lengths", format_args!("{} paths", proof.paths), started);
    }
}

/// Calls a function with both widths of vectors; the kernel does not depend on more.
macro_rules! on_each {
    ($prove:ident) => {
        $prove("sse4.1, simd128, neon", Paper::<16, 4, false>);
        $prove("avx2", Paper::<32, 4, false>);
    };
}

#[test]
fn loops_over_blocks() {
    on_each!(blocks);
}

/// All of `check`, to one block.
#[test]
fn texts_of_few_blocks() {
    on_each!(few_blocks);
}

/// All of `check`, to three blocks, and that the end is the same after two blocks and after three.
#[test]
#[ignore = "half a minute"]
fn texts_of_more_blocks() {
    on_each!(more_blocks);
}

/// Long texts, whose first block starts where memory is aligned: at most two blocks with surrogates.
#[test]
#[ignore = "half a minute"]
fn long_texts() {
    on_each!(aligned);
}
