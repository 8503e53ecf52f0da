//! AVX-512's counting in UTF-8, for texts of every length: as in [`utf8_counts`](super::super::utf8_counts), with the blocks of this
//! kernel.
//!
//! What differs: texts of up to 64 bytes; parts of 0 to 383 bytes, from two places, and of 512 and 1024. `count` also counts what is
//! before the first block: at most 64 bytes, or ASCII of any number of blocks, each vector of which adds what the ones before it
//! do (by hand). Counts of blocks are added in 64 bits, so that a run has no limit: in one of 66 blocks no nibble overflows, and
//! nothing in bytes is carried along. That 64 bits do not overflow is by hand: there are not so many bytes. A number of 64 bits is
//! two numbers on paper (`Node::Wide`), which can only be added, and become a weight.

use std::format;
use std::time::Instant;

use super::super::paths::{Outcome, Texts};
use super::super::report;
use super::super::utf8::outcome;
use super::super::utf8_counts::{Claim, all_counts, long_run};
use super::{BLOCK, blocks, kernel, proof};
use crate::report::Counts;

fn whole(text: &[u8]) -> (Outcome, Claim) {
    let result = kernel::counts(text);
    (outcome(result.map(|_| ())), Claim::of(result.unwrap_or(Counts::ZERO), 0..text.len()))
}

/// Texts up to a vector.
#[test]
fn short_texts() {
    proof().reported("utf8_info: short texts", "avx512", "proved", |proof| {
        for len in 0..=64 {
            all_counts(proof, "counts", Texts::of(len), whole);
        }
    });
}

/// What is left after blocks or after ASCII, of less than 384 bytes; and what is before the first block: less than a vector,
/// or whole blocks.
#[test]
fn rests_of_texts() {
    proof().reported("utf8_info: rests", "avx512", "proved", |proof| {
        for (at, rest) in [0, 256].into_iter().flat_map(|at| (0..384).chain([512, 1024]).map(move |n| (at, n))) {
            all_counts(proof, "count", Texts::of(at + rest), |text| {
                (Outcome::SoFar(0), Claim::of(kernel::count(&text[at..]), at..text.len()))
            });
        }
    });
}

/// The loops over blocks.
#[test]
fn loops_over_blocks() {
    blocks::<2, true>();
    blocks::<3, true>();
    blocks::<4, true>();
}

fn longest_run<const LONGEST: usize>(blocks: usize) {
    long_run(&mut proof(), 64, blocks * BLOCK, LONGEST as u8, |text| {
        kernel::run::<LONGEST, true>(text, 64, usize::MAX)
    });
}

/// More blocks than a byte can count, none of them ASCII.
#[test]
fn no_byte_overflows() {
    let (started, blocks) = (Instant::now(), 66);
    longest_run::<2>(blocks);
    longest_run::<3>(blocks);
    longest_run::<4>(blocks);
    report("utf8_info: longest runs", "avx512", "proved", format_args!("up to {blocks} blocks"), started);
}

/// All of it, for some lengths without blocks and with one or two, at some alignments: the parts fit together.
#[test]
#[ignore = "half a minute"]
fn whole_texts_of_some_lengths() {
    proof().reported("utf8_info: whole texts", "avx512", "proved for some lengths", |proof| {
        let short = [0, 64, 65, 66, 67, 128, 256, 320, 383].map(|len| (len, 0));
        for (len, address) in short.into_iter().chain([(384, 0), (511, 1), (580, 1)]) {
            all_counts(proof, "counts", Texts { address, ..Texts::of(len) }, whole);
        }
    });
}
