//! AVX-512's validation of UTF-16, for texts of every length.
//!
//! This kernel carries from vector to vector whether the last unit was a high surrogate. So the invariant of a place is that
//! everything before it is well-formed so far, and that what is carried says whether a low surrogate must follow. The steps are those of
//! `utf16.rs`. Texts up to a block take two other paths, proved with step 1, whose lengths are by reading.

use super::super::paths::{Outcome, Texts};
use super::super::utf8::outcome;
use super::super::utf16::in_both_orders;
use super::arch::load;
use crate::endian::ByteOrder;
use kernel::{ALIGNED_FROM, Pairs, TESTED_TOGETHER as BLOCK, check, check_blocks, check_end, from_first_block};

/// What a kernel carries at this place, after a vector.
fn carried(order: ByteOrder, text: &[u8], at: usize) -> Pairs {
    let mut pairs = Pairs::NONE;
    pairs.unfit(order, load(text, at - 64));
    pairs
}

/// Texts of at most a block, and where the first block of long ones starts.
#[test]
fn starts_of_texts() {
    in_both_orders("starts of texts", "avx512", "proved", |order, proof| {
        for len in (0..=64).step_by(2) {
            proof.all_paths("is_short_valid", Texts::of(len), |text| {
                outcome(if kernel::is_short_valid(order, text) { Ok(()) } else { Err(0) })
            });
        }
        for len in (66..=BLOCK).step_by(2) {
            proof.all_paths("no_surrogates_at_end", Texts::of(len), |text| {
                if kernel::no_surrogates_at_end(order, text, 0) { Outcome::WellFormed } else { Outcome::SoFar(0) }
            });
        }
        for len in (0..=BLOCK).step_by(2) {
            proof.all_paths("check", Texts::of(len), |text| outcome(check(order, text)));
        }
        for address in 0..64 {
            let texts = Texts { address, ..Texts::of(ALIGNED_FROM) };
            // No state inside of a unit is whole.
            proof.all_paths("from_first_block", texts, |text| {
                Outcome::Whole(text.len() - from_first_block(order, text).len())
            });
        }
    });
}

#[test]
fn loops_over_blocks() {
    in_both_orders("blocks", "avx512", "proved by induction", |order, proof| {
        for (start, rest) in
            [64, 128].into_iter().flat_map(|start| [0, 2, 3 * BLOCK, 4 * BLOCK - 2].map(|rest| (start, rest)))
        {
            proof.all_paths("check_blocks", Texts::after(start, start + rest), |text| {
                let mut pairs = carried(order, text, start);
                let at = match check_blocks(order, text, &text[start..], &mut pairs) {
                    Err(at) => return Outcome::IllFormed { at, by: Some(at + BLOCK) },
                    Ok(at) => at,
                };
                assert!((at - start).is_multiple_of(BLOCK) && text.len() - at < BLOCK, "ends at {at} of {rest}");
                let is_right = pairs.are_open() == carried(order, text, at).are_open();
                if is_right { Outcome::SoFar(at) } else { Outcome::Nowhere }
            });
            let of_block = |k: usize| {
                let first = start + k * BLOCK;
                proof.asked_in(first..first + BLOCK, first)
            };
            let is_same = !of_block(1).is_empty() && of_block(1) == of_block(2);
            assert!(rest < 3 * BLOCK || is_same, "blocks differ");
        }
    });
}

/// What is left after blocks: less than one.
#[test]
fn ends_of_texts() {
    in_both_orders("ends of texts", "avx512", "proved", |order, proof| {
        for rest in (0..BLOCK).step_by(2) {
            let asked = [64, 320].map(|at| {
                proof.all_paths("check_end", Texts::after(at, at + rest), |text| {
                    let is_valid = check_end(order, text, at, carried(order, text, at));
                    outcome(if is_valid { Ok(()) } else { Err(at) })
                });
                proof.asked_in(0..at + rest, at)
            });
            assert!(asked[0] == asked[1], "check_end depends on where it starts");
        }
    });
}

/// All of `check`, with one block or two, and with many that start where memory is aligned: the parts fit together.
#[test]
fn whole_texts_of_some_lengths() {
    in_both_orders("whole texts", "avx512", "proved for some lengths", |order, proof| {
        let aligned = [0, 1, 2, 62].map(|address| Texts { address, answers: 2, ..Texts::of(ALIGNED_FROM + 100) });
        for texts in (BLOCK..=2 * BLOCK + 66).step_by(2).map(Texts::of).chain(aligned) {
            proof.all_paths("check", texts, |text| outcome(check(order, text)));
        }
    });
}
