//! Validation of UTF-8, for texts of every length.
//!
//! Each part of the driver is proved by itself, for any text that may come before it: it keeps the *invariant*, and it says
//! of no text what is not so. The invariant is that everything before a place is well-formed so far: it may end in a
//! character that is cut, or in a byte that starts none, which only what comes after it shows. `docs/proof.md` puts the parts
//! together; `whole_texts_of_some_lengths` does it once more, by following all paths of all of `check`.
//!
//! What is argued by hand:
//!
//! - Loops over blocks: the variables are the place, the number of blocks left and, on NEON, what the last vector said (zeros
//!   after ASCII, by reading). At the start of the loop, the question about the bytes before has been answered by no; after
//!   each accepted block, no text would answer it by yes. So each block is checked as a first one is, from any text before it
//!   that keeps the invariant. `loops_over_blocks` asserts that the third block is asked what the second was: the same set of
//!   terms over all paths without a limit, but for terms that end in the last three bytes of a block. The order of questions,
//!   and what follows from an answer, is by reading. It follows one place, four lengths, limits of 1 and of 2 blocks, and none;
//!   that other places, lengths and limits are no different, is by hand.
//! - ASCII longer than 20 vectors is no different from what `starts_of_texts` follows: by reading.
//! - What is left does not depend on where it starts: three places are compared.
//! - Nothing else in the generic kernels depends on addresses.
//! - The loop over checks is followed for 7 calls; more are by reading.
//!
//! On NEON, bytes move from vector to vector (`chained.rs`), in blocks of 8 vectors. WebAssembly has the constants of SSE4.1.

use core::cell::Cell;
use std::collections::BTreeSet;
use std::format;
use std::time::Instant;
use std::vec::Vec;

use super::paper::Paper;
use super::paths::{EMPTY, ILL_FORMED, Outcome, Proof, Reference, Texts};
use super::utf8_counts::{Claim, all_counts};
use super::{one_in, plain, report};
use crate::kernels::validate_utf8::{
    Choice, End, MIX, THREE, TWO, check, check_by_choice, check_rest, first_not_ascii, head_is_valid, run,
};
use crate::report::{Counts, Utf8Error};
use crate::scalar;
use crate::simd::Lanes;

/// The state after a byte that starts no character, where a character could start.
const NO_LEAD: u32 = 9;

/// RFC 3629 §4. State 1 is between characters, and 2, 3 and 4 need so many continuations less one.
pub(super) fn step(state: u32, byte: u8) -> u32 {
    match (state, byte) {
        (1, 0x00..=0x7F) | (2, 0x80..=0xBF) => 1,
        (1, 0xC2..=0xDF) | (3, 0x80..=0xBF) | (5, 0xA0..=0xBF) | (6, 0x80..=0x9F) => 2,
        (1, 0xE0) => 5,
        (1, 0xED) => 6,
        (1, 0xE1..=0xEF) | (4, 0x80..=0xBF) | (7, 0x90..=0xBF) | (8, 0x80..=0x8F) => 3,
        (1, 0xF0) => 7,
        (1, 0xF1..=0xF3) => 4,
        (1, 0xF4) => 8,
        (1, 0xC0 | 0xC1 | 0xF5..=0xFF) => NO_LEAD,
        _ => ILL_FORMED,
    }
}

pub(super) fn utf8() -> Proof {
    utf8_by(step)
}

/// The reference by these steps, which may notice sooner that a text is ill-formed.
pub(super) fn utf8_by(step: fn(u32, u8) -> u32) -> Proof {
    Proof::new(Reference {
        states: 10,
        step,
        is_lost: |state| matches!(state, ILL_FORMED | NO_LEAD),
        is_border: |state| state != ILL_FORMED,
        is_whole: |state| state == EMPTY,
    })
}

fn after(state: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(state, |state, &byte| step(state, byte))
}

/// Calls a function with each instruction set that the generic kernels run on. WebAssembly has the constants of SSE4.1.
macro_rules! on_each {
    ($prove:ident) => {
        $prove("sse4.1, simd128", Paper::<16, 4, false>);
        $prove("avx2", Paper::<32, 4, false>);
        $prove("neon", Paper::<16, 8, true>);
    };
}
pub(super) use on_each;

/// What is proved here is what RFC 3629 says, if the standard library knows: by all texts of 3 bytes, and by all of 4 in
/// which bytes stand for those that the automaton does not tell apart.
#[test]
fn the_reference_is_that_of_std() {
    let started = Instant::now();
    let is_right = |text: &[u8]| (after(EMPTY, text) == EMPTY) == core::str::from_utf8(text).is_ok();
    for n in (0..1u32 << 24).step_by(one_in(1)) {
        let bytes = n.to_le_bytes();
        assert!((0..=3).all(|len| is_right(&bytes[..len])), "{bytes:02X?}");
    }
    four_bytes().for_each(|text| assert!(is_right(&text), "{text:02X?}"));
    report(
        "validate_utf8: the reference",
        "all",
        "compared with std",
        format_args!("texts of 3 bytes; of 4 by classes"),
        started,
    );
}

/// All texts of 4 bytes, each of which stands for those that the automaton does not tell apart.
fn four_bytes() -> impl Iterator<Item = [u8; 4]> {
    let mut seen = BTreeSet::new();
    let is_new = |byte: &u8| seen.insert((0..10).map(|state| step(state, *byte)).collect::<Vec<_>>());
    let classes: Vec<u8> = (0..=0xFF).filter(is_new).collect();
    let k = classes.len();
    let text = move |n| [n / (k * k * k), n / (k * k) % k, n / k % k, n % k].map(|class: usize| classes[class]);
    (0..k.pow(4)).map(text)
}

/// A kernel rejects a text at a place for which the invariant holds. From there `cut_len` finds the start of the character that is
/// cut, if one is: everything before that is well-formed. The last 4 bytes decide it.
#[test]
fn errors_are_searched_from_a_border() {
    let started = Instant::now();
    for (state, bytes) in (1..10).flat_map(|state| four_bytes().map(move |bytes| (state, bytes))) {
        for text in (0..=4).map(|len| &bytes[..len]) {
            // A shorter text has nothing before it.
            let before = if text.len() < 4 { EMPTY } else { state };
            if after(before, text) != ILL_FORMED {
                let start = scalar::last_char_start(text);
                assert_eq!(after(before, &text[..start]), EMPTY, "after state {before}: {text:02X?}");
                let cut = text.len() - scalar::cut_len(text);
                assert_eq!(after(before, &text[..cut]), EMPTY, "after state {before}: {text:02X?}");
            }
        }
    }
    report(
        "validate_utf8: where errors are searched",
        "all",
        "all cases",
        format_args!("4 bytes by classes, after any state"),
        started,
    );
}

/// An error that is not exact says from where the first one is searched.
pub(super) fn place(checked: Result<(), Utf8Error>) -> Result<(), usize> {
    checked.map_err(|error| error.valid_up_to())
}

pub(super) fn outcome(checked: Result<(), usize>) -> Outcome {
    match checked {
        Ok(()) => Outcome::WellFormed,
        Err(at) => Outcome::IllFormed { at, by: None },
    }
}

fn starts<S: Lanes>(name: &str, isa: S) {
    utf8().reported("validate_utf8: starts of texts", name, "proved", |proof| {
        for len in 0..S::WIDTH {
            proof.all_paths("check", Texts::of(len), |text| outcome(place(check::<false, S>(isa, text))));
        }
        proof.all_paths("head_is_valid", Texts::of(S::WIDTH), |text| {
            let is_valid = head_is_valid(isa, isa.load(text, 0));
            if is_valid { Outcome::SoFar(text.len()) } else { Outcome::IllFormed { at: 0, by: Some(text.len()) } }
        });
        for len in S::WIDTH..=20 * S::WIDTH {
            proof.all_paths("first_not_ascii", Texts::of(len), |text| match first_not_ascii(isa, text) {
                None => Outcome::WellFormed,
                Some(at) => {
                    assert_eq!(at % (4 * S::WIDTH), 0);
                    Outcome::SoFar(at)
                }
            });
        }
    });
}

/// Texts shorter than a vector, the first vector, and ASCII at the start.
#[test]
fn starts_of_texts() {
    on_each!(starts);
}

/// What a run of blocks says of a text from `start` on, by what it returns, and what it counts. Panics if it stops where it
/// should not.
fn of_run(
    len: usize,
    start: usize,
    block: usize,
    max_blocks: usize,
    longest: u8,
    count_too: bool,
    (at, end, counts): (usize, End, Counts),
) -> (Outcome, Claim) {
    let (passed, left) = ((at - start) / block, len - at);
    assert!(at >= start && (at - start).is_multiple_of(block), "not a whole number of blocks");
    let is_end = left < block && !(end == End::Refused && at == start);
    assert_eq!(end == End::Input, is_end, "{end:?} with {left} bytes left");
    let saw_c4 = counts.from_f0 >= Counts::FROM_C4;
    // The longer checks are only used where there is a byte from C4 on. The one for 2 bytes looks at bytes before others,
    // and refuses only what has such a byte.
    let no_c4 = if saw_c4 || at == start { 0..0 } else { start - 1..at - 1 };
    let some_c4 = longest == TWO && (saw_c4 || end == End::Refused);
    assert!(longest == TWO || saw_c4 || !count_too || at == start);
    let claim = Claim { counts, counted: start..at, no_c4, some_c4 };
    match end {
        End::Enough => assert!(passed >= max_blocks, "stops too early"),
        End::Refused => assert!(longest != MIX, "nothing else would accept it"),
        End::Input => {}
        End::Invalid => return (Outcome::IllFormed { at, by: Some(at + block) }, claim),
    }
    (Outcome::SoFar(at), claim)
}

/// Follows a run of blocks from `start` on, which `run` does for a text and a maximum number of blocks, and compares what is
/// asked about the second and the third block.
pub(super) fn loop_over_blocks(
    proof: &mut Proof,
    start: usize,
    block: usize,
    longest: u8,
    count_too: bool,
    run: impl Fn(&[u8], usize) -> (usize, End, Counts),
) {
    for max_blocks in [1, 2, usize::MAX] {
        for rest in [0, 1, 3 * block, 4 * block - 1].map(|rest| Texts::after(start, start + rest)) {
            let what = format!("run, {longest}, at most {max_blocks}");
            let kernel = |text: &[u8]| {
                let result = run(text, max_blocks);
                let (outcome, claim) = of_run(text.len(), start, block, max_blocks, longest, count_too, result);
                // After blocks that were accepted, the bytes before are none that a shorter check refuses at its start.
                let (at, least) = (result.0, [0xE0, 0xF0, 0xFF][usize::from(longest) - 2]);
                let before = text[at - 3..].first_chunk::<2>().unwrap();
                let is_longer = longest != MIX && at > start && plain(before, |b| b[0] >= least || b[1] >= least);
                (if is_longer { Outcome::Nowhere } else { outcome }, claim)
            };
            if count_too {
                all_counts(proof, &what, rest, kernel);
            } else {
                proof.all_paths(&what, rest, |text| kernel(text).0);
            }
            // A third block is asked what the second one was: so are all others, as nothing else is carried along.
            let of_block = |k: usize| {
                let first = start + k * block;
                proof.asked_in(first - 3..first + block - 3, first)
            };
            if rest.len > start + block && max_blocks == usize::MAX {
                assert!(!of_block(1).is_empty() && of_block(1) == of_block(2), "{what}: blocks differ");
            }
        }
    }
}

pub(super) fn blocks<S: Lanes>(name: &str, isa: S, count_too: bool) {
    let kernel = if count_too { "utf8_info: blocks" } else { "validate_utf8: blocks" };
    utf8().reported(kernel, name, "proved by induction", |proof| {
        let (start, block) = (S::WIDTH, S::UNROLL * S::WIDTH);
        for longest in [TWO, THREE, MIX] {
            loop_over_blocks(proof, start, block, longest, count_too, |text, max_blocks| {
                run(isa, text, start, max_blocks, longest, count_too)
            });
        }
    });
}

fn blocks_without_counts<S: Lanes>(name: &str, isa: S) {
    blocks(name, isa, false);
}

/// The loops over blocks.
#[test]
fn loops_over_blocks() {
    on_each!(blocks_without_counts);
}

fn rests<S: Lanes>(name: &str, isa: S) {
    utf8().reported("validate_utf8: rests", name, "proved", |proof| {
        let result =
            |is_valid, at| if is_valid { Outcome::WellFormed } else { Outcome::IllFormed { at, by: None } };
        for len in (S::WIDTH..=8 * S::WIDTH).step_by(one_in(3)) {
            proof.all_paths("check_rest", Texts::of(len), |text| result(check_rest(isa, text, 0), 0));
        }
        for rest in 7 * S::WIDTH + 1..=8 * S::WIDTH {
            let (at, texts) = (S::WIDTH, Texts::after(S::WIDTH, S::WIDTH + rest));
            proof.all_paths("check_rest", texts, |text| result(check_rest(isa, text, at), at));
        }
        for rest in (0..=8 * S::WIDTH).step_by(one_in(3)) {
            let asked = [2, 3, 5].map(|at| at * S::WIDTH).map(|at| {
                let texts = Texts::after(at, at + rest);
                proof.all_paths("check_rest", texts, |text| result(check_rest(isa, text, at), at));
                proof.asked_in(0..texts.len, at)
            });
            // It is asked the same wherever it starts.
            assert!(asked[0] == asked[1] && asked[1] == asked[2], "check_rest depends on where it starts");
        }
    });
}

/// What is left after ASCII, or after blocks: at most 8 vectors. Right after the first vector, it is more than 7.
#[test]
fn rests_of_texts() {
    on_each!(rests);
}

/// Whatever a check of blocks answers, the next one goes on where it stopped, and there are at most two in a row that refuse
/// the next block at once. So the loop ends, and with the answer of the last check.
#[test]
fn choices_of_checks() {
    let started = Instant::now();
    let mut open: Vec<Choice> =
        [4, 16].into_iter().flat_map(|mix| [TWO, THREE, MIX].map(|longest| Choice::new(longest, mix))).collect();
    let mut seen: BTreeSet<Choice> = open.iter().cloned().collect();
    while let Some(choice) = open.pop() {
        let (longest, max_blocks) = (choice.longest(), choice.max_blocks());
        assert!(max_blocks > 0, "{choice:?}");
        for (blocks, refused) in (0..=max_blocks.min(65) + 1).flat_map(|n| [(n, false), (n, true)]) {
            let mut next = choice.clone();
            if longest == MIX && refused {
                continue; // `loops_over_blocks` shows that this does not happen
            }
            next.learn(blocks, refused);
            assert!(!refused || next.longest() > longest, "{choice:?}, then {next:?}");
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    for n in 0..2 * 4u32.pow(6) {
        let calls = Cell::new(0);
        let reached = Cell::new(64);
        // In base 4: how far each call gets, whether it refuses; the seventh is the last, and accepts or not.
        let run = |longest, at, _| {
            assert_eq!(at, reached.get());
            let (k, digit) = (calls.get(), n >> (2 * calls.get()) & 3);
            calls.set(k + 1);
            reached.set(at + 128 * (1 + digit as usize / 2));
            let end = match digit % 2 {
                0 if k == 6 => End::Input,
                _ if k == 6 => End::Invalid,
                1 if longest != MIX => End::Refused,
                _ => End::Enough,
            };
            // A digit for each call; C4 in one of them, or in none.
            (reached.get(), end, Counts::new(10usize.pow(k), 2 * 10usize.pow(k), n % 8 == k))
        };
        let result = check_by_choice(64, 128, Choice::new([TWO, THREE, MIX][n as usize % 3], 4), run);
        let want = if n >> 12 == 0 { Ok(reached.get()) } else { Err(reached.get()) };
        assert!(calls.get() == 7 && result.map(|(at, _)| at) == want);
        if let Ok((_, counts)) = result {
            let all = Counts::new(1_111_111, 2_222_222, n % 8 < 7);
            assert_eq!((counts.continuations, counts.from_f0), (all.continuations, all.from_f0));
        }
    }
    report("validate_utf8: choice of checks", "all", "exhaustive", format_args!("{} states", seen.len()), started);
}

fn whole_texts<S: Lanes>(name: &str, isa: S, lengths: impl Iterator<Item = usize>) {
    let (mut proof, started, mut last) = (utf8(), Instant::now(), 0);
    for len in lengths {
        proof.all_paths("check", Texts::of(len), |text| outcome(place(check::<false, S>(isa, text))));
        last = len;
    }
    let cases = format_args!("lengths up to {last}, {} paths", proof.paths);
    report("validate_utf8: whole texts", name, "proved for some lengths", cases, started);
}

fn some_lengths<S: Lanes>(name: &str, isa: S) {
    whole_texts(name, isa, [1, 8, 9].into_iter().flat_map(|n| [n * S::WIDTH - 1, n * S::WIDTH, n * S::WIDTH + 5]));
}

/// All of `check`: the parts fit together.
#[test]
fn whole_texts_of_some_lengths() {
    on_each!(some_lengths);
}

fn all_lengths<S: Lanes>(name: &str, isa: S) {
    whole_texts(name, isa, 0..=(if S::UNROLL == 8 { 17 } else { 10 }) * S::WIDTH);
}

#[test]
#[ignore = "minutes: all lengths up to the first blocks"]
fn whole_texts_of_all_lengths() {
    on_each!(all_lengths);
}

/// What is not so is noticed: of a kernel that is always content, of one that never is, of one that is too late, and so on.
mod wrong_kernels {
    use super::*;

    fn claim(outcome: Outcome) {
        utf8().all_paths("a wrong kernel", Texts::of(5), |_| outcome);
    }

    #[test]
    #[should_panic = "but it is not in ["]
    fn content() {
        claim(Outcome::WellFormed);
    }

    #[test]
    #[should_panic = "but it is well-formed in ["]
    fn never_content() {
        claim(Outcome::IllFormed { at: 0, by: None });
    }

    #[test]
    #[should_panic = "but it is ill-formed before in ["]
    fn too_late() {
        claim(Outcome::SoFar(3));
    }

    #[test]
    #[should_panic = "but it is not before in ["]
    fn too_early_between_characters() {
        claim(Outcome::Whole(3));
    }

    #[test]
    #[should_panic = "but a text leads here in ["]
    fn nowhere() {
        claim(Outcome::Nowhere);
    }

    /// A wrong invariant, too: not all that is well-formed so far ends between characters.
    #[test]
    #[should_panic = "but it may be well-formed in ["]
    fn too_early() {
        utf8().all_paths("a wrong kernel", Texts::after(8, 9), |_| Outcome::IllFormed { at: 8, by: Some(9) });
    }
}
