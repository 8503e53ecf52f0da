//! Counting in UTF-8 as it is validated, for texts of every length.
//!
//! A count is a sum over the places of a text: of 1 where the byte is counted, and 0 elsewhere. Kernels only add such sums,
//! and subtract them. So a path is followed once more, and now a number is not that of a text, but the sum of *weights*: one of
//! 40 bits for each byte that may be at a place, in any text on this path that may still become well-formed. It is compared
//! with the sum of the weights of all bytes that are to be counted there. If a kernel counts any byte at any place
//! once too often, or not at all, the two differ, but for an accident of about 1 in 2^40.
//!
//! Sums in bytes are made of terms, of which the maximum is known: so it is shown that none overflows.
//!
//! The flag for bytes from C4 on: the question about it splits paths. If it is clear, no such byte may be at any of the places
//! that are claimed; if it is set, one answer "not zero" must be impossible without one. A check for up to 2 bytes may leave the
//! byte before the first block and the last byte to others; the longer checks always set the flag.
//!
//! | step | what is proved | by |
//! |---|---|---|
//! | 1 | A text shorter than a vector: counts and flag. | `short_texts` |
//! | 2 | `count`: counts and flag of 0 to 8 vectors, from three places. | `rests_of_texts` |
//! | 3 | A run of blocks counts the bytes from its start to its end, and step 4 of validation holds for it. If a check for up to 2 bytes sets the flag or rejects a block, there is a byte from C4 on; if it does not, there is none from the byte before the first block to the last but one. Longer checks always set it. | `loops_over_blocks` |
//! | 4 | A run of more blocks than bytes can count stops before a byte overflows. | `no_byte_overflows` |
//! | 5 | Counts of runs are added up, and a flag once set stays. | `choices_of_checks` |
//!
//! What is argued by hand:
//!
//! - The order of the parts: `counts` and `check_long`. `whole_texts_of_some_lengths` follows all of it for three lengths.
//! - What a block adds to the tally depends on that block only, so that what holds for three holds for all numbers up to the
//!   limit, after which no byte has overflowed.
//! - A longer check comes only after a refusal, or where the first vector has a byte from E0 on: it may always set the flag.
//! - The byte before a place where two runs meet is looked at by the next run, if that is one for up to 2 bytes; otherwise
//!   the flag is set anyway. After the last one, `check_long` looks.
//! - After a vector in which `count_from` has found a byte from C4 on, a proof takes it for granted that the others have one, too:
//!   these answers only meet in an `or`.
//! - A nibble of a sum is the sum of nibbles under the condition in `addends`.

use core::ops::Range;
use std::format;
use std::string::String;
use std::time::Instant;
use std::vec::Vec;

use super::paper::Paper;
use super::paths::{Outcome, Proof, Texts};
use super::report;
use super::terms::{Question, counting, weight, with};
use super::utf8::{blocks, on_each, outcome, utf8};
use crate::kernels::validate_utf8::{End, MIX, THREE, TWO, count, counts, run};
use crate::report::Counts;
use crate::simd::Lanes;

/// What a kernel says of the bytes of a text, unless this is ill-formed.
pub(super) struct Claim {
    pub(super) counts: Counts,
    /// The places that are counted.
    pub(super) counted: Range<usize>,
    /// Places where there is no byte from C4 on.
    pub(super) no_c4: Range<usize>,
    /// Whether there is a byte from C4 on anywhere in the text.
    pub(super) some_c4: bool,
}

impl Claim {
    /// All that counts say of these places.
    pub(super) fn of(counts: Counts, counted: Range<usize>) -> Self {
        let some_c4 = counts.from_f0 >= Counts::FROM_C4;
        Self { counts, no_c4: if some_c4 { 0..0 } else { counted.clone() }, counted, some_c4 }
    }
}

/// Follows all paths, and panics if anything that the kernel says is not so.
pub(super) fn all_counts(proof: &mut Proof, name: &str, texts: Texts, kernel: impl Fn(&[u8]) -> (Outcome, Claim)) {
    let see = |proof: &mut Proof, questions: &[Question], (outcome, claim): (Outcome, Claim)| {
        let is_right = proof.check(texts, questions, outcome);
        if let Err(wrong) = is_right.and_then(|()| check(proof, texts, questions, outcome, &claim, &kernel)) {
            panic!("{name}, {} bytes: {outcome:?}, but {wrong}", texts.len);
        }
    };
    counting(Vec::new(), || proof.each_path(texts, &kernel, see));
}

/// Checks what is claimed of one path.
fn check(
    proof: &mut Proof,
    texts: Texts,
    questions: &[Question],
    outcome: Outcome,
    claim: &Claim,
    kernel: impl Fn(&[u8]) -> (Outcome, Claim),
) -> Result<(), String> {
    let whole = match outcome {
        Outcome::IllFormed { .. } | Outcome::Nowhere => return Ok(()),
        Outcome::WellFormed => true,
        Outcome::SoFar(_) | Outcome::Whole(_) => false,
    };
    let bytes = proof.bytes_on_path(texts, questions, whole);
    if let Some(place) = claim.no_c4.clone().find(|&place| bytes[place][0xC4..].contains(&true)) {
        return Err(format!("there may be a byte from C4 on at {place}"));
    }
    if claim.some_c4 {
        // One of the answers "not 0" says so: without such a byte, it would be "all 0".
        let mut without = questions.to_vec();
        without.push((with(|arena| (0..texts.len).map(|place| arena.above(0xC3, place)).collect()), false));
        let mut answers = (0..questions.len()).rev().filter(|&k| questions[k].1);
        if answers.all(|k| proof.has_texts(texts, &without, k, whole)) {
            return Err("there may be no byte from C4 on".into());
        }
    }
    let script = questions.iter().map(|(_, answer)| *answer).collect();
    let ((same, again), asked) = counting(bytes.clone(), || proof.follow(texts, script, kernel));
    assert!(same == outcome && asked == questions, "a number decides what is done");
    let sum = |from: usize, to: usize| {
        let bytes_at = |place: usize| (from..=to).map(move |byte| (place, byte));
        let there = again.counted.clone().flat_map(bytes_at).filter(|&(place, byte)| bytes[place][byte]);
        there.map(|(place, byte)| weight(place, byte)).sum::<u64>() as usize
    };
    match (again.counts.continuations, again.counts.from_f0 & !Counts::FROM_C4) {
        (number, _) if number != sum(0x80, 0xBF) => Err("continuations are counted wrongly".into()),
        (_, number) if number != sum(0xF0, 0xFF) => Err("bytes from F0 on are counted wrongly".into()),
        _ => Ok(()),
    }
}

fn whole<S: Lanes>(isa: S, text: &[u8]) -> (Outcome, Claim) {
    let result = counts::<false, S>(isa, text);
    (outcome(result.map(|_| ())), Claim::of(result.unwrap_or(Counts::ZERO), 0..text.len()))
}

fn starts<S: Lanes>(name: &str, isa: S) {
    utf8().reported("utf8_info: short texts", name, "proved", |proof| {
        for len in 0..S::WIDTH {
            all_counts(proof, "counts", Texts::of(len), |text| whole(isa, text));
        }
    });
}

/// Texts shorter than a vector.
#[test]
#[cfg_attr(target_pointer_width = "32", ignore = "sums of weights have 64 bits")]
fn short_texts() {
    on_each!(starts);
}

fn rests<S: Lanes>(name: &str, isa: S) {
    utf8().reported("utf8_info: rests", name, "proved", |proof| {
        for (at, rest) in
            [0, S::WIDTH, 3 * S::WIDTH].into_iter().flat_map(|at| (0..=8 * S::WIDTH).map(move |n| (at, n)))
        {
            if at + rest >= S::WIDTH {
                all_counts(proof, "count", Texts::of(at + rest), |text| {
                    (Outcome::SoFar(0), Claim::of(count(isa, text, at), at..text.len()))
                });
            }
        }
    });
}

/// What is left after ASCII, or after blocks; also the first vector, and a block that is refused.
#[test]
#[cfg_attr(target_pointer_width = "32", ignore = "sums of weights have 64 bits")]
fn rests_of_texts() {
    on_each!(rests);
}

fn loops<S: Lanes>(name: &str, isa: S) {
    blocks(name, isa, true);
}

/// The loops over blocks.
#[test]
#[cfg_attr(target_pointer_width = "32", ignore = "sums of weights have 64 bits")]
fn loops_over_blocks() {
    on_each!(loops);
}

/// Follows a run of so many bytes from `start` on, in which no block is ASCII, and all are accepted.
pub(super) fn long_run(
    proof: &mut Proof,
    start: usize,
    len: usize,
    longest: u8,
    run: impl Fn(&[u8]) -> (usize, End, Counts),
) {
    let texts = Texts::after(start, start + len);
    let kernel = |text: &[u8]| {
        let (at, end, counts) = run(text);
        assert!(matches!(end, End::Enough | End::Input), "{longest}: {end:?} at {at}");
        (Outcome::SoFar(at), Claim { no_c4: 0..0, some_c4: false, ..Claim::of(counts, start..at) })
    };
    // The bytes before are short enough; then each block is not ASCII, and accepted.
    let before = if longest == MIX { None } else { Some(false) };
    let script: Vec<bool> = before.into_iter().chain((0..len).map(|k| k % 2 == 0)).collect();
    let ((outcome, claim), questions) = counting(Vec::new(), || proof.follow(texts, script, kernel));
    let is_right = proof.check(texts, &questions, outcome);
    let is_right = is_right.and_then(|()| check(proof, texts, &questions, outcome, &claim, kernel));
    is_right.unwrap_or_else(|wrong| panic!("run, {longest}: {wrong}"));
}

fn longest_runs<S: Lanes>(name: &str, isa: S) {
    let (mut proof, started) = (utf8(), Instant::now());
    let (start, blocks) = (S::WIDTH, 255 / S::UNROLL + 2);
    for longest in [TWO, THREE, MIX] {
        long_run(&mut proof, start, blocks * S::UNROLL * S::WIDTH, longest, |text| {
            let (at, end, counts) = run(isa, text, start, usize::MAX, longest, true);
            assert!(end == End::Enough, "more blocks than a byte counts");
            (at, end, counts)
        });
    }
    report("utf8_info: longest runs", name, "proved", format_args!("up to {blocks} blocks"), started);
}

/// As many blocks as are counted together, none of them ASCII.
#[test]
#[cfg_attr(target_pointer_width = "32", ignore = "sums of weights have 64 bits")]
fn no_byte_overflows() {
    on_each!(longest_runs);
}

fn some_lengths<S: Lanes>(name: &str, isa: S) {
    utf8().reported("utf8_info: whole texts", name, "proved for some lengths", |proof| {
        for len in [S::WIDTH, 8 * S::WIDTH, 9 * S::WIDTH + 5] {
            all_counts(proof, "counts", Texts::of(len), |text| whole(isa, text));
        }
    });
}

/// All of it: the parts fit together.
#[test]
#[ignore = "half a minute"]
fn whole_texts_of_some_lengths() {
    on_each!(some_lengths);
}
