//! Proofs about the kernels. `docs/proof.md` says what is proved, and how to prove a new kernel.
//!
//! On paper, for texts of every length. Kernels are only followed in `cargo xtask prove`: for all other test runs, it would take
//! a quarter of the time to compile. There the instructions are compared.
//!
//! | file | contents |
//! |---|---|
//! | `terms.rs` | bytes as terms over the bytes of a text |
//! | `paper.rs` | an instruction set on paper: the vocabulary of the kernels, on vectors of terms |
//! | `instructions.rs` | the real instructions do what those on paper do |
//! | `paths.rs` | all paths of a kernel, and all texts that take each |
//! | `utf8.rs`, `utf16.rs` | what is proved of validation |
//! | `utf8_counts.rs` | what is proved of counting |
//! | `avx512.rs` | AVX-512's intrinsics on paper, and what is proved of its validation of UTF-8 |
//! | `avx512/` | what is proved of its validation of UTF-16 (`utf16.rs`), and of its counting (`counts.rs`) |
//!
//! With the real instructions, for all of a finite domain, and not samples of it: tests of the drivers are in
//! `tests/suite/`. Files that need private parts of a kernel are modules of that kernel, by `#[path]`:
//!
//! | file | contents |
//! |---|---|
//! | `classes.rs` | the definition of UTF-8 by classes of bytes, and what the others share |
//! | `units.rs`, `runs.rs` | UTF-8 to UTF-16 |
//! | `to_utf8.rs`, `ends.rs` | UTF-16 to UTF-8 |
//! | `avx512/to_utf16.rs`, `avx512/to_utf8.rs` | both conversions with AVX-512, emulated: only in `cargo xtask prove` |
//! | `repair_utf8.rs`, `repair_utf16.rs` | repair |
//! | `utf32.rs`, `short_ascii.rs`, `chunks.rs` | validation of UTF-32, of short ASCII; `Utf8Chunks` |
//! | `tables.rs`, `masks.rs` | shuffle tables, and the stores that use them; masks of bytes |
//!
//! A test that proves something calls [`report`] or [`report_lanes`], from which `cargo xtask prove` makes its table. What
//! takes more than a few seconds is ignored by default, with the reason, and run there.

use std::fmt::Arguments;
use std::println;
use std::time::Instant;
use std::vec::Vec;

pub(crate) mod classes;

cfg_if::cfg_if! {
    if #[cfg(fastutf_simd)] {
        mod instructions;
        mod paper;
        mod tables;
        mod terms;
        pub(crate) use terms::plain;
    }
}
cfg_if::cfg_if! {
    if #[cfg(all(unix, fastutf_on_paper))] {
        mod avx512;
        mod paths;
        mod utf16;
        mod utf8;
        mod utf8_counts;
    }
}

/// Prints a row of the table: what is proved of a kernel, on which instruction set, how, and by how many cases.
fn report(kernel: &str, isa: &str, how: &str, cases: Arguments<'_>, started: Instant) {
    println!("proof | {kernel} | {isa} | {how} | {cases} | {:.1} s", started.elapsed().as_secs_f64());
}

/// Does what a test does, and prints a row for it.
pub(crate) fn report_timed(kernel: &str, isa: &str, how: &str, cases: &str, test: impl FnOnce()) {
    let started = Instant::now();
    test();
    report(kernel, isa, how, format_args!("{cases}"), started);
}

/// The same of a test for each instruction set with lanes: one row for all of them.
pub(crate) fn report_lanes(kernel: &str, how: &str, cases: &str, test: impl FnOnce()) {
    let names: Vec<&str> = crate::Isa::available().map(crate::Isa::name).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !["avx512", "scalar"].contains(name)).collect();
    report_timed(kernel, &names.join(", "), how, cases, test);
}

/// The N in "run one case in N": `debug`, but 1 in a release build, and more where `FASTUTF_TEST_THIN` is set, as in emulators.
pub(crate) fn one_in(debug: usize) -> usize {
    let thin: usize =
        std::env::var("FASTUTF_TEST_THIN").map_or(1, |n| n.parse().expect("FASTUTF_TEST_THIN: a number"));
    thin.div_ceil(10) * if cfg!(debug_assertions) { debug } else { 1 }
}
