//! Code that the tests, the fuzz targets, the benchmarks and `compare` share: oracles, which use the standard library,
//! and texts.
//!
//! Nothing here depends on the library. `tests/suite/common/told.rs`, which is part of the tests and the fuzz targets,
//! translates the library's reports to the types of [`oracle`].

pub mod counter;
pub mod damage;
pub mod filler;
pub mod language;
pub mod oracle;
mod rng;

use std::fmt::Write;

pub use filler::Filler;
pub use rng::Rng;

/// The value of `FASTUTF_TEST_THIN`. Without one, 5, so that `cargo test` takes minutes, and 1 in a release build.
fn thin() -> usize {
    let default = if cfg!(debug_assertions) { 5 } else { 1 };
    std::env::var("FASTUTF_TEST_THIN").map_or(default, |n| n.parse().expect("FASTUTF_TEST_THIN: a number"))
}

/// The N in "run one case in N": 1 in a release build, `debug` in others, times the value of `FASTUTF_TEST_THIN`.
pub fn one_in(debug: usize) -> usize {
    thin() * if cfg!(debug_assertions) { debug } else { 1 }
}

/// The same for loops that always run whole, except under an emulator: 1 in 5 where `FASTUTF_TEST_THIN` is 50.
pub fn one_in_emulated() -> usize {
    thin().div_ceil(10)
}

/// Hexadecimal bytes or code units, with repetitions written as `61×300` or `(D0 B6)×150`.
pub fn hex<T: Copy + PartialEq + std::fmt::UpperHex>(items: &[T]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < items.len() {
        let repeats = |period: usize| {
            let Some(first) = items.get(at..at + period) else { return 0 };
            items[at..].chunks_exact(period).take_while(|&chunk| chunk == first).count()
        };
        let (times, period) = (1..=4).map(|period| (repeats(period), period)).max_by_key(|&(n, p)| n * p).unwrap();
        let (times, period) = if times < 4 { (1, 1) } else { (times, period) };
        let one: Vec<String> = items[at..at + period].iter().map(|x| format!("{x:02X}")).collect();
        let one = one.join(" ");
        match (times, period) {
            (1, _) => write!(out, "{one} "),
            (_, 1) => write!(out, "{one}×{times} "),
            _ => write!(out, "({one})×{times} "),
        }
        .unwrap();
        at += times * period;
    }
    out
}
