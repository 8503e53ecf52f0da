//! Speed goals: for every kind of text, how many times as fast as which peer, on each instruction set.

use std::fmt::Write;

use crate::language::Class;
use crate::ours::FREE;
use crate::results::{Cell, distinct, mean};

type Names = &'static [&'static str];
type Classes = &'static [Class];
/// The peer to beat, and how many times as fast as it to be.
type Least = Option<(&'static str, f64)>;

/// Empty lists of operations, texts and sizes stand for all.
struct Goal {
    operations: Names,
    classes: Classes,
    sizes: Names,
    /// For each of [`ISAS`].
    at_least: [Least; ISAS.len()],
    /// The percentage of the text that is ill-formed.
    corrupt: f64,
    /// Whether the goal is for the geometric mean of the texts, or for each of them.
    mean: bool,
}

const ISAS: [&str; 4] = ["avx512", "avx2", "sse4.1", FREE];
/// In place of a peer's name: the fastest of all of them.
const FASTEST: &str = "fastest peer";
/// What the first two caches hold.
const MEDIUM: Names = &["4K", "16K", "64K"];
const LONG: Names = &["64K"];
const RANDOM: Names = &["1..256"];
/// Mixed text that no predictor can learn completely.
const PAGES: Names = &["1M"];
/// More than fits into the last-level cache.
const HUGE: Names = &["64M"];
/// `1..64` is only measured on request.
const SHORT: Names = &["4", "8", "16", "32", "64", "100", "256", "1..64", "1..256"];

/// To be this many times as fast as simdutf's kernel for the same instruction set.
const fn simdutf(ratio: f64) -> Least {
    Some(("simdutf", ratio))
}

/// A goal for AVX-512, AVX2 and SSE4.1.
const fn goal(operations: Names, classes: Classes, sizes: Names, [avx512, avx2, sse41]: [Least; 3]) -> Goal {
    Goal { operations, classes, sizes, at_least: [avx512, avx2, sse41, None], corrupt: 0.0, mean: false }
}

const fn mean_goal(operations: Names, classes: Classes, sizes: Names, [avx512, avx2, sse41]: [f64; 3]) -> Goal {
    Goal { mean: true, ..goal(operations, classes, sizes, [simdutf(avx512), simdutf(avx2), simdutf(sse41)]) }
}

/// A goal for the free functions.
const fn free(operations: Names, classes: Classes, sizes: Names, peer: &'static str, ratio: f64) -> Goal {
    Goal { at_least: [None, None, None, Some((peer, ratio))], ..goal(operations, classes, sizes, [None; 3]) }
}

const VALIDATION: Names = &["validate_utf8"];
const TO_UTF16: Names = &["utf8_to_utf16le", "utf8_to_utf16be", "utf8_to_utf16"];
const TO_UTF8: Names = &["utf16le_to_utf8", "utf16be_to_utf8"];
const CONVERSION: Names =
    &["utf8_to_utf16le", "utf8_to_utf16be", "utf8_to_utf16", "utf16le_to_utf8", "utf16be_to_utf8"];
const REST: Names = &[
    "validate_utf16le",
    "utf16_len_from_utf8",
    "utf8_len_from_utf16le",
    "count_chars_utf8",
    "count_chars_utf16le",
    "swap_utf16_bytes_into",
];

/// To cost at most 15 % more than validation alone.
const ALMOST_FREE: Least = Some(("validate_utf8", 1.0 / 1.15));

/// The lossy operations that others have too, and the goals for them.
const LOSSY: Names = &[
    "from_utf8_lossy",
    "utf8_to_utf16_lossy",
    "utf8_chunks",
    "from_utf16_lossy",
    "utf16_to_utf8_lossy",
    "make_well_formed_utf16",
];

const fn lossy(corrupt: f64, peer: &'static str, ratio: f64) -> Goal {
    Goal { corrupt, at_least: [Some((peer, ratio)); ISAS.len()], ..goal(LOSSY, &[], &[], [None; 3]) }
}

/// No operation may take longer than this peer's. The free functions do the same as those of an instruction set, but for
/// short strings, where they have goals of their own.
const fn everywhere(peer: &'static str) -> Goal {
    goal(&[], &[], &[], [Some((peer, 1.0)); 3])
}

const GOALS: &[Goal] = {
    use Class::{Ascii, Cjk, Emoji, Latin, Mix, ThreeByte, TwoByte};
    &[
        // Short strings, by the free functions.
        free(VALIDATION, &[], SHORT, FASTEST, 1.0),
        free(VALIDATION, &[Ascii], &["8", "32"], "smoothutf8", 1.1),
        free(CONVERSION, &[], SHORT, FASTEST, 1.0),
        free(&["reject_at_start", "reject_at_half", "reject_at_end"], &[], &[], FASTEST, 1.0 / 1.3),
        mean_goal(VALIDATION, &[], RANDOM, [1.4, 1.9, 1.4]),
        mean_goal(TO_UTF16, &[], RANDOM, [1.25, 2.2, 1.9]),
        mean_goal(TO_UTF8, &[], RANDOM, [1.2, 2.0, 1.6]),
        // One kind of text that a cache holds.
        goal(VALIDATION, &[TwoByte], LONG, [simdutf(3.2), simdutf(2.7), simdutf(2.6)]),
        goal(VALIDATION, &[ThreeByte, Cjk], LONG, [simdutf(2.6), Some(("simdutf8", 1.5)), simdutf(1.35)]),
        goal(VALIDATION, &[Emoji, Mix], LONG, [simdutf(2.1), simdutf(1.4), simdutf(1.15)]),
        goal(VALIDATION, &[Ascii], LONG, [simdutf(1.5), simdutf(1.5), simdutf(1.0)]),
        goal(VALIDATION, &[Latin], LONG, [simdutf(1.1), None, None]),
        goal(&["utf8_info"], &[], LONG, [ALMOST_FREE; 3]),
        goal(TO_UTF16, &[TwoByte], LONG, [simdutf(1.7), simdutf(3.1), None]),
        goal(TO_UTF16, &[Cjk], LONG, [simdutf(2.2), simdutf(2.5), None]),
        goal(TO_UTF16, &[ThreeByte], LONG, [simdutf(2.0), simdutf(2.3), None]),
        goal(TO_UTF16, &[Emoji], LONG, [simdutf(7.0), simdutf(10.0), None]),
        goal(TO_UTF8, &[TwoByte], LONG, [simdutf(1.5), simdutf(2.0), None]),
        goal(TO_UTF8, &[Cjk], LONG, [simdutf(2.2), simdutf(1.8), None]),
        goal(TO_UTF8, &[ThreeByte], LONG, [simdutf(1.9), simdutf(1.5), None]),
        goal(TO_UTF8, &[Emoji], LONG, [simdutf(7.0), simdutf(7.0), None]),
        goal(REST, &[], LONG, [simdutf(1.2), simdutf(1.2), simdutf(1.0)]),
        // Text with few other characters than ASCII.
        mean_goal(CONVERSION, &[Latin], MEDIUM, [1.0; 3]),
        // Changing text, too long for a predictor to learn.
        mean_goal(VALIDATION, &[Latin, Mix], PAGES, [2.6, 1.9, 1.4]),
        mean_goal(TO_UTF16, &[Latin, Mix], PAGES, [2.0, 2.6, 2.4]),
        goal(TO_UTF16, &[Latin, Mix], PAGES, [simdutf(1.1); 3]),
        mean_goal(TO_UTF8, &[Latin, Mix], PAGES, [1.6, 1.5, 1.3]),
        goal(TO_UTF8, &[Latin, Mix], PAGES, [simdutf(1.05); 3]),
        // From memory.
        mean_goal(VALIDATION, &[], HUGE, [1.5, 1.3, 1.2]),
        mean_goal(TO_UTF16, &[], HUGE, [1.6, 1.6, 1.6]),
        mean_goal(TO_UTF8, &[], HUGE, [1.4, 1.4, 1.4]),
        // Nobody is faster anywhere.
        everywhere("simdutf"),
        everywhere("simdutf8"),
        everywhere("std"),
        everywhere("encoding_rs"),
        // Well-formed text takes as long as in the strict operation.
        lossy(0.0, "strict", 1.0 / 1.05),
        lossy(0.1, "std", 2.0),
        lossy(0.1, "encoding_rs", 2.0),
        lossy(1.0, "std", 1.3),
        lossy(1.0, "encoding_rs", 1.3),
        lossy(10.0, "std", 1.1),
        lossy(10.0, "encoding_rs", 1.1),
    ]
};

/// One goal compared with the measurements.
struct Outcome<'a> {
    isa: &'static str,
    operation: &'a str,
    size: &'a str,
    language: &'a str,
    peer: &'static str,
    at_least: f64,
    ratio: f64,
}

fn outcomes(cells: &[Cell]) -> Vec<Outcome<'_>> {
    let mut outcomes = Vec::new();
    let every = distinct(cells, |cell| &*cell.operation);
    for (isa, name) in ISAS.into_iter().enumerate() {
        for goal in GOALS {
            let Some((peer, at_least)) = goal.at_least[isa] else { continue };
            let operations = if goal.operations.is_empty() { &every[..] } else { goal.operations };
            for &operation in operations {
                let about = |cell: &&Cell| {
                    cell.isa == name
                        && cell.operation == operation
                        && cell.corrupt == goal.corrupt
                        && (goal.sizes.is_empty() || goal.sizes.contains(&&*cell.size))
                        && (goal.classes.is_empty() || goal.classes.contains(&cell.class))
                };
                let ratio = |cell: &Cell| match peer {
                    FASTEST => cell.ratio_to_best(),
                    _ => cell.ratio_to(peer),
                };
                let mut outcome = |size, language, ratio| {
                    outcomes.push(Outcome { isa: name, operation, size, language, peer, at_least, ratio });
                };
                let measured = cells.iter().filter(about).filter_map(|cell| Some((cell, ratio(cell)?)));
                if !goal.mean {
                    for (cell, ratio) in measured {
                        outcome(&cell.size, &cell.language, ratio);
                    }
                } else if let Some(ratio) = mean(measured.map(|(_, ratio)| ratio)) {
                    outcome(goal.sizes[0], "(mean)", ratio);
                }
            }
        }
    }
    outcomes
}

/// Reports which goals are missed, and by how much.
pub fn report(cells: &[Cell]) -> String {
    let outcomes = outcomes(cells);
    let missed: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.ratio < outcome.at_least).collect();
    let mut report = format!("\n== goals: {} of {} reached\n", outcomes.len() - missed.len(), outcomes.len());
    for Outcome { isa, operation, size, language, peer, at_least, ratio } in missed {
        let part = 100.0 * ratio / at_least;
        let what = format!("{isa:<7} {operation:<22} {size:<7} {language}");
        let _ = writeln!(report, "{what:<50} {ratio:5.2} of {at_least:5.2} x {peer:<13} {part:3.0} %");
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Group;
    use crate::results::tests::cell;

    #[test]
    fn goals_are_about_operations_that_exist() {
        for operation in GOALS.iter().flat_map(|goal| goal.operations) {
            assert!(Group::Core.operations().iter().any(|known| known.name == *operation), "{operation}");
        }
    }

    #[test]
    fn what_falls_short_is_listed() {
        let cells = [
            cell("validate_utf8", Class::TwoByte, "64K", [1.0, 2.7, 1.0]),
            cell("validate_utf8", Class::Cjk, "64K", [1.0, 1.2, 1.2]),
        ];
        let report = report(&cells);
        assert!(report.contains("5 of 6 reached"), "{report}");
        assert!(report.contains("cjk") && report.contains(" 80 %") && !report.contains("twobyte"), "{report}");
    }
}
