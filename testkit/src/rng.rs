use std::sync::LazyLock;

/// The value of `FASTUTF_TEST_SEED`, which gives other sequences to all generators; 0 without one.
static RUN: LazyLock<u64> = LazyLock::new(|| {
    std::env::var("FASTUTF_TEST_SEED").map_or(0, |n| n.parse().expect("FASTUTF_TEST_SEED: a number"))
});

/// A small generator of pseudo-random numbers (SplitMix64): the same sequence on every machine, and in every run with the
/// same `FASTUTF_TEST_SEED`.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Equal seeds give equal sequences.
    pub fn new(seed: u64) -> Self {
        Self(seed ^ RUN.rotate_left(32))
    }

    /// Any number.
    #[expect(clippy::should_implement_trait, reason = "there is always a next one")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }

    /// A number from 0 to `end`, exclusive.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from `from` to `to`, inclusive.
    pub fn within(&mut self, (from, to): (usize, usize)) -> usize {
        from + self.below(to - from + 1)
    }

    /// A number below `end`; lower ones are more frequent.
    pub fn seldom(&mut self, end: usize) -> usize {
        self.below(end).min(self.below(end)).min(self.below(end))
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
