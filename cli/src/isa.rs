//! `fastutf isa`: the instruction sets of this CPU, and how fast each is.

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use fastutf::Isa;
use serde::Serialize;

use crate::error::{Error, Status};
use crate::output::Output;
use crate::style::Styles;

/// List the instruction sets of this CPU, and which one is used
///
/// The best comes first. With `--bench`, measures each of them on generated text.
#[derive(Args)]
pub struct Arguments {
    /// Measure the speed of each in gigabytes of input per second, on one thread, with text in the cache
    #[arg(long)]
    bench: bool,

    /// The time for all measurements together, in seconds
    #[arg(long, value_name = "N", default_value_t = 10, requires = "bench", value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How to print a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// The approximate size of a sample in bytes: it and its conversions fit into a cache of 256 KiB.
const SAMPLE: usize = 64 << 10;

/// How many words a line of a sample has.
const WORDS: u32 = 40;

/// The scripts of the samples: a name, the letters of a word, the maximum length of a word, and what ends it.
const SCRIPTS: [(&str, &str, usize, &str); 5] = [
    ("English", "etaoinshrdlcumwfgypbvkjxqz", 9, " "),
    ("French", "esaitnrulodcpmvqfghjxyzéàèç", 10, " "),
    ("Russian", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", 11, " "),
    ("Chinese", "的一是不了人我在有他这中大来上国个到说们", 4, "，"),
    ("Emoji", "😀😂🙏🎉🚀👍🔥🌍🐱🍕", 5, "\n"),
];

/// A measured operation: its name, and a function of the bytes of a sample, with a buffer for the result. It returns
/// whether it has succeeded.
type Operation = (&'static str, fn(Isa, &[u8], &mut [u8]) -> bool);
const OPERATIONS: [Operation; 3] = [
    ("validate UTF-8", |isa, utf8, _| isa.validate_utf8(utf8).is_ok()),
    ("UTF-8 to UTF-16LE", |isa, utf8, room| isa.utf8_to_utf16le(utf8, room).is_complete()),
    ("UTF-16LE to UTF-8", |isa, utf16, room| isa.utf16le_to_utf8(utf16, room).is_complete()),
];

/// A text to measure with.
struct Sample {
    utf8: Vec<u8>,
    utf16: Vec<u8>,
}

/// The output for an instruction set.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    used: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measured: Vec<Measured>,
}

/// The speed of an instruction set.
#[derive(Serialize)]
struct Measured {
    operation: &'static str,
    text: &'static str,
    gigabytes_per_second: f64,
}

impl Arguments {
    /// Prints a line for each instruction set, with its name and whether it is the one `used`, and then the
    /// measurements.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the standard output cannot be written.
    pub fn run(&self, used: Isa) -> Result<Status, Error> {
        let mut output = Output::stdout();
        let entry = |isa: Isa| Entry { name: isa.name(), used: isa == used, measured: Vec::new() };
        let mut entries: Vec<_> = Isa::available().map(entry).collect();
        let is_text = self.format == Format::Text;
        if is_text {
            let Styles { good, .. } = Styles::stdout();
            let width = entries.iter().map(|entry| entry.name.len() + 1).max().unwrap_or(0).max(8);
            for Entry { name, used, .. } in &entries {
                let line = if *used {
                    format!("{good}{name:<width$}used{good:#}\n")
                } else {
                    format!("{name:<width$}available\n")
                };
                output.write(line.as_bytes())?;
            }
        }
        if self.bench {
            let time = Duration::from_secs(self.seconds.into());
            measure(&mut entries, time, |line| if is_text { output.write(line.as_bytes()) } else { Ok(()) })?;
        }
        if !is_text {
            let mut json = serde_json::to_vec_pretty(&entries).expect("names and numbers are JSON");
            json.push(b'\n');
            output.write(&json)?;
        }
        Ok(Status::Success)
    }
}

/// Measures all instruction sets in this `time`, and passes each line of a table to `print` when it is known.
fn measure(
    entries: &mut [Entry],
    time: Duration,
    mut print: impl FnMut(&str) -> Result<(), Error>,
) -> Result<(), Error> {
    let samples = SCRIPTS.map(|(_, letters, longest, mark)| sample(letters, longest, mark));
    let cells = OPERATIONS.len() * entries.len() * SCRIPTS.len();
    let time = time / cells as u32;
    let mut room = vec![0; 3 * SAMPLE];
    let Styles { strong, faint, .. } = Styles::stdout();
    for (operation, run) in OPERATIONS {
        let names = SCRIPTS.map(|(name, ..)| format!("{name:>9}")).concat();
        print(&format!("\n{strong}{operation:<18}{strong:#}{names}  {faint}GB/s{faint:#}\n"))?;
        for (entry, isa) in entries.iter_mut().zip(Isa::available()) {
            let mut line = format!("  {:<16}", entry.name);
            for ((text, ..), sample) in SCRIPTS.into_iter().zip(&samples) {
                let bytes = if operation.starts_with("UTF-16") { &sample.utf16 } else { &sample.utf8 };
                let gigabytes_per_second = speed(time, bytes.len(), || run(isa, bytes, &mut room));
                line += &format!("{gigabytes_per_second:>9.2}");
                entry.measured.push(Measured { operation, text, gigabytes_per_second });
            }
            print(&format!("{line}\n"))?;
        }
    }
    Ok(())
}

/// Returns the speed in GB/s at which `run` handles `bytes` bytes, undisturbed: the maximum of many rounds that
/// together take this `time`.
fn speed(time: Duration, bytes: usize, mut run: impl FnMut() -> bool) -> f64 {
    let begun = Instant::now();
    let mut best = f64::INFINITY;
    // A round has enough repetitions for the clock to measure.
    let mut repeats = 1;
    while begun.elapsed() < time {
        let round = Instant::now();
        for _ in 0..repeats {
            assert!(run(), "the samples are well-formed");
        }
        let elapsed = round.elapsed();
        best = best.min(elapsed.as_secs_f64() / f64::from(repeats));
        if elapsed < Duration::from_micros(500) {
            repeats *= 2;
        }
    }
    bytes as f64 / best / 1e9
}

/// Generates a text of words of up to `longest` of these letters, each followed by this mark; the same every time.
fn sample(letters: &str, longest: usize, mark: &str) -> Sample {
    let letters: Vec<char> = letters.chars().collect();
    // The generator of Numerical Recipes: nothing better is needed here.
    let mut state = 1u32;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % limit
    };
    let mut text = String::new();
    for word in 1.. {
        for _ in 0..=below(longest) {
            // The first letters are the most frequent.
            let limit = 1 + below(letters.len());
            text.push(letters[below(limit)]);
        }
        text += mark;
        if text.len() >= SAMPLE {
            break;
        }
        // Text has lines, and so some ASCII even if its script has none.
        if word % WORDS == 0 {
            text.push('\n');
        }
    }
    Sample { utf16: text.encode_utf16().flat_map(u16::to_le_bytes).collect(), utf8: text.into_bytes() }
}
