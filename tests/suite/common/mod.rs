//! What every test needs: answers made by the standard library, texts, and a way to hold one input against both.

pub mod check;
pub mod oracle;
pub mod texts;

pub use check::Checker;
pub use texts::Filler;

use std::fmt::Write;

/// A small generator of pseudo-random numbers (xorshift64*): the same sequence on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self((seed ^ 0x9E37_79B9_7F4A_7C15).max(1))
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 to `end`, not `end` itself.
    pub fn below(&mut self, end: usize) -> usize {
        (((self.next() >> 32) * end as u64) >> 32) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What the environment asks for.
fn thin() -> usize {
    std::env::var("FASTUTF_TEST_THIN").map_or(1, |n| n.parse().expect("FASTUTF_TEST_THIN: a number"))
}

/// How many cases stand behind one that is run: 1 in a release build, `debug` in others, more if the environment
/// asks for it.
pub fn one_in(debug: usize) -> usize {
    thin() * if cfg!(debug_assertions) { debug } else { 1 }
}

/// The same for what is always run whole, but under an emulator: 1 in 5 where the environment asks for 1 in 50.
pub fn one_in_emulated() -> usize {
    thin().div_ceil(10)
}

/// Hexadecimal bytes or code units, repetitions written as `61×300` or `(D0 B6)×150`.
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
