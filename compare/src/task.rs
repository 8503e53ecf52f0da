//! What the tasks for optional features of the library share: which instruction sets, and how their ways are timed.

#[cfg(any(feature = "latin1", feature = "utf32"))]
use std::env;
#[cfg(any(feature = "latin1", feature = "utf32"))]
use std::error::Error;
#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
use std::fmt;
#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
use std::hint::black_box;
#[cfg(any(feature = "latin1", feature = "utf32"))]
use std::process::Command;
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

/// Somebody's way to convert the text of this number into buffers. Returns the length of the result.
#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
pub type Way<'a, O> = (&'static str, Box<dyn FnMut(usize, &mut O) -> usize + 'a>);

/// The name of a way that converts the same text in UTF-8, and has another result.
#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
pub const UTF_8: &str = "utf-8";

/// Times the ways to convert `count` texts, and prints a line: our time, which is the first way's, and how many times as fast
/// it is as each other. All but [`UTF_8`] must return the same lengths.
#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
pub fn race<O>(what: &str, count: usize, mut ways: Vec<Way<O>>, output: &mut O, rounds: usize, sums: &mut Sums) {
    if ways.is_empty() {
        return;
    }
    for i in 0..count.min(100) {
        let expected = ways[0].1(i, output);
        for way in &mut ways[1..] {
            assert!(way.1(i, output) == expected || way.0 == UTF_8, "{what}: {} differs", way.0);
        }
    }
    let best = least_times(ways.len(), rounds, |k| {
        for i in 0..count {
            black_box(ways[k].1(black_box(i), output));
        }
    });
    print!("{what:52} {:10.1}", best[0] / count as f64);
    for (way, time) in ways.iter().zip(&best).skip(1) {
        let ratio = time / best[0];
        print!("  {} {ratio:.2}", way.0);
        sums.add(way.0, ratio);
    }
    println!();
}

/// Calls `measure` for each instruction set in a process of its own, because simdutf chooses its kernel once in a process.
/// That is this program with the same task, `--child` and these options.
#[cfg(any(feature = "latin1", feature = "utf32"))]
pub fn in_children(
    task: &str,
    asked_for: &[Isa],
    is_child: bool,
    options: &[(&str, &[String])],
    measure: impl FnOnce(Isa),
) -> Result<(), Box<dyn Error>> {
    let isas = isas(asked_for);
    if let ([isa], true) = (&isas[..], is_child) {
        measure(*isa);
        return Ok(());
    }
    println!("ns for a text of ours; how many times as fast it is as each other");
    for isa in isas {
        let mut child = Command::new(env::current_exe()?);
        child.args([task, "--child", "--isa", isa.name()]);
        for (name, values) in options.iter().filter(|(_, values)| !values.is_empty()) {
            child.args([name, &*values.join(",")]);
        }
        if let Some(kernel) = crate::simdutf_kernel(crate::ours::Whose::Of(isa)) {
            child.env("SIMDUTF_FORCE_IMPLEMENTATION", kernel);
        }
        if !child.status()?.success() {
            return Err(format!("measuring {isa} failed").into());
        }
    }
    Ok(())
}

/// For each peer, the mean of ratios and the least one.
#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
#[derive(Default)]
pub struct Sums(Vec<Sum>);

/// A peer, the sum of the logarithms of ratios, their least, and their number.
#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
type Sum = (&'static str, f64, f64, usize);

#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
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

#[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &(peer, logs, least, count) in &self.0 {
            write!(f, "  {peer} {:.2} ({least:.2})", (logs / count as f64).exp())?;
        }
        Ok(())
    }
}

/// Enters a function of simdutf.
#[cfg(all(feature = "simdutf", any(feature = "latin1", feature = "utf32")))]
macro_rules! simdutf {
    ($ways:ident, $way:expr) => {
        $ways.push(("simdutf", Box::new($way)));
    };
}
#[cfg(all(not(feature = "simdutf"), any(feature = "latin1", feature = "utf32")))]
macro_rules! simdutf {
    ($($tokens:tt)*) => {};
}
