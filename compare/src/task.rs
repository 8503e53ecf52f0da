//! What the tasks for optional features of the library share: which instruction sets, and how their ways are timed.

#[cfg(any(feature = "latin1", feature = "utf32"))]
use std::fmt;
use std::time::Instant;

use fastutf::Isa;

/// The instruction sets that were asked for; without any, all of this CPU but plain Rust.
pub fn isas(asked_for: &[Isa]) -> Vec<Isa> {
    if asked_for.is_empty() {
        Isa::available().filter(|&isa| isa != Isa::SCALAR).collect()
    } else {
        asked_for.to_vec()
    }
}

/// The least time that `run` takes for each of `count` ways, in nanoseconds.
pub fn least_times(count: usize, rounds: usize, mut run: impl FnMut(usize)) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; count];
    for round in 0..=rounds {
        for k in 0..count {
            // Each time in another order.
            let k = (k + round) % count;
            let start = Instant::now();
            run(k);
            let time = start.elapsed().as_nanos() as f64;
            // The first round fills caches and buffers.
            if round > 0 {
                least[k] = least[k].min(time);
            }
        }
    }
    least
}

/// For each peer, the mean of ratios and the least one.
#[cfg(any(feature = "latin1", feature = "utf32"))]
#[derive(Default)]
pub struct Sums(Vec<Sum>);

/// A peer, the sum of the logarithms of ratios, their least, and their number.
#[cfg(any(feature = "latin1", feature = "utf32"))]
type Sum = (&'static str, f64, f64, usize);

#[cfg(any(feature = "latin1", feature = "utf32"))]
impl Sums {
    /// Adds a ratio.
    pub fn add(&mut self, peer: &'static str, ratio: f64) {
        if !self.0.iter().any(|sum| sum.0 == peer) {
            self.0.push((peer, 0.0, f64::INFINITY, 0));
        }
        for sum in self.0.iter_mut().filter(|sum| sum.0 == peer) {
            *sum = (peer, sum.1 + ratio.ln(), sum.2.min(ratio), sum.3 + 1);
        }
    }
}

#[cfg(any(feature = "latin1", feature = "utf32"))]
impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &(peer, logs, least, count) in &self.0 {
            write!(f, "  {peer} {:.2} ({least:.2})", (logs / count as f64).exp())?;
        }
        Ok(())
    }
}

/// Enters a function of simdutf.
#[cfg(feature = "simdutf")]
macro_rules! simdutf {
    ($ways:ident, $way:expr) => {
        $ways.push(("simdutf", Box::new($way)));
    };
}
#[cfg(not(feature = "simdutf"))]
macro_rules! simdutf {
    ($($tokens:tt)*) => {};
}
