//! Measures contenders in turns, on the same windows, each with the input in the cache and not learned by the
//! predictors.

use std::hint::black_box;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use fastutf_testkit::counter::Counter;
use serde::{Deserialize, Serialize};

use crate::windows::{Input, Windows};

/// A contender that has taken this long sits out the rest of a race: slow ones need no fine comparison.
const PATIENCE: Duration = Duration::from_millis(20);
/// But none is measured less often.
const LEAST_ROUNDS: usize = 5;
/// The time that a round of two may take if there shall be all of them.
const DUEL_ROUND: Duration = Duration::from_micros(400);
/// An even number: each of the two is the first in one half of them.
const DUEL_LEAST_ROUNDS: usize = 10;

/// The role of a contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Ours,
    Peer,
    /// Does less than the operation, as fast as the machine can.
    Limit,
}

/// A contender's operation on one window at a time.
pub trait Run {
    fn run(&mut self, windows: Range<usize>);
    /// The output for a window.
    fn answer(&mut self, window: usize) -> Vec<u8>;
}

pub struct Contender<'a> {
    pub name: &'static str,
    pub role: Role,
    pub run: Box<dyn Run + 'a>,
}

/// The cost of one window: nanoseconds, or instructions if these are counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    pub name: String,
    pub role: Role,
    pub min: f64,
}

/// Checks that all contenders do the work.
///
/// # Panics
///
/// If a contender's answer differs from that of the last one: the standard library, or a plain loop.
pub fn check(contenders: &mut [Contender], windows: &Windows, what: &str) {
    // At most a megabyte: checking takes as long as a round of the slowest.
    let mut bytes = 0;
    for window in 0..windows.len() {
        bytes += windows.utf8[window].len() + 64;
        if window > 0 && bytes > 1 << 20 {
            break;
        }
        let (oracle, others) = contenders.split_last_mut().expect("there are contenders");
        let expected = oracle.run.answer(window);
        for other in others.iter_mut().filter(|other| other.role != Role::Limit) {
            if other.run.answer(window) != expected {
                let text = String::from_utf8_lossy(windows.utf8[window]);
                let text: String = text.chars().take(100).collect();
                panic!("{what}: {} and {} differ on window {window}: {text:?}", other.name, oracle.name);
            }
        }
    }
}

/// Runs all contenders `rounds` times.
///
/// An interruption spoils the time of only one part of the text: the minimum is that of each part, added up.
pub fn race(contenders: &mut [Contender], windows: &Windows, input: Input, rounds: usize) -> Vec<Cost> {
    // The least time of each contender, in nanoseconds, for each part; and of how many.
    let mut least = vec![vec![f64::INFINITY; windows.parts.len()]; contenders.len()];
    let mut measured = vec![0; contenders.len()];
    let mut quickest = vec![Duration::MAX; contenders.len()];
    // The first round warms up: caches, page tables, clock frequency.
    for round in 0..=rounds {
        for turn in 0..contenders.len() {
            // Another one starts each time, so that none always follows the same one.
            let who = (turn + round) % contenders.len();
            if measured[who] >= LEAST_ROUNDS && quickest[who] * measured[who] as u32 > PATIENCE {
                continue;
            }
            measured[who] += usize::from(round > 0);
            let mut sum = Duration::ZERO;
            for (part, least) in windows.parts.iter().zip(&mut least[who]) {
                fetch(windows, input, part.clone());
                let start = Instant::now();
                contenders[who].run.run(part.clone());
                let time = start.elapsed();
                if round > 0 {
                    *least = least.min(time.as_secs_f64() * 1e9);
                }
                sum += time;
            }
            quickest[who] = quickest[who].min(sum);
        }
    }
    let cost = |(contender, parts): (&Contender, Vec<f64>)| Cost {
        name: contender.name.to_owned(),
        role: contender.role,
        min: parts.iter().sum::<f64>() / windows.len() as f64,
    };
    contenders.iter().zip(least).map(cost).collect()
}

/// Runs two contenders at most `rounds` times, part by part of the text, and returns the time of the second divided by
/// that of the first.
///
/// The median of the ratios: the two times in each are from the same moment, and of the same piece of text. For two that
/// are nearly even, this is more exact than the ratio of the minima, which are from moments of their own.
pub fn duel(contenders: &mut [Contender; 2], windows: &Windows, input: Input, rounds: usize) -> f64 {
    let mut ratios = Vec::new();
    let begin = Instant::now();
    // The first round warms up, as above.
    for round in 0..=rounds {
        if round > DUEL_LEAST_ROUNDS && begin.elapsed() > DUEL_ROUND * rounds as u32 {
            break; // long texts, and slow code, need fewer
        }
        for (index, part) in windows.parts.iter().enumerate() {
            let mut times = [0.0; 2];
            for turn in 0..2 {
                let who = (turn + round + index) % 2;
                fetch(windows, input, part.clone());
                let start = Instant::now();
                contenders[who].run.run(part.clone());
                times[who] = start.elapsed().as_secs_f64();
            }
            if round > 0 {
                ratios.push(times[1] / times[0]);
            }
        }
    }
    median(ratios)
}

/// The geometric mean of the two in the middle, if their number is even.
fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    (ratios[(ratios.len() - 1) / 2] * ratios[ratios.len() / 2]).sqrt()
}

/// Loads windows into the cache, without teaching the branch predictors anything about the text.
fn fetch(windows: &Windows, input: Input, part: Range<usize>) {
    for window in part {
        let bytes = windows.input(input, window);
        if bytes.len() > 1 << 20 {
            return; // no cache holds it
        }
        black_box(bytes.iter().step_by(64).fold(0, |sum, byte| sum | byte));
    }
}

/// The average instructions of each contender per window.
///
/// # Errors
///
/// If no plugin counts.
pub fn count(counter: &mut Counter, contenders: &mut [Contender], windows: &Windows) -> io::Result<Vec<Cost>> {
    let mut costs = Vec::new();
    for contender in contenders {
        // The first run looks up symbols and features, and makes buffers; the second one does not.
        contender.run.run(windows.parts[0].clone());
        let instructions =
            counter.count(|| windows.parts.iter().for_each(|part| contender.run.run(part.clone())))?;
        let min = instructions as f64 / windows.len() as f64;
        costs.push(Cost { name: contender.name.to_owned(), role: contender.role, min });
    }
    Ok(costs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::Size;
    use crate::windows::Copies;

    struct Constant(u8);

    impl Run for Constant {
        fn run(&mut self, _: Range<usize>) {}
        fn answer(&mut self, _: usize) -> Vec<u8> {
            vec![self.0]
        }
    }

    fn contender(role: Role, answer: u8) -> Contender<'static> {
        Contender { name: "constant", role, run: Box::new(Constant(answer)) }
    }

    #[test]
    #[should_panic(expected = "differ on window 0")]
    fn who_is_wrong_does_not_race() {
        let copies = Copies::new("abcdefgh", Size::Even(4), 0.0);
        check(&mut [contender(Role::Ours, 1), contender(Role::Peer, 2)], &copies.windows(), "test");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![4.0, 0.5, 1.0]), 1.0);
        assert_eq!(median(vec![1.0, 9.0, 4.0, 1.0]), 2.0);
    }
}
