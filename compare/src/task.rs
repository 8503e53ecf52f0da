//! What the tasks for optional features of the library share: which instruction sets, and how their ways are timed.

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
