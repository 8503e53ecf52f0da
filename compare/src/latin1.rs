//! Races operations on Latin-1 against simdutf and encoding_rs.
//!
//! Our conversions get exactly the room that the result needs, the peers all the room there is.

use std::error::Error;
use std::ops::RangeInclusive;

use encoding_rs::mem;
use fastutf::Isa;
use fastutf_testkit::Rng;

use crate::task::{self, Sums, in_children, race};

/// Latin-1: how many times as fast as simdutf and encoding_rs
#[derive(clap::Args)]
pub struct Arguments {
    /// Instruction sets [default: all of this CPU but scalar]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    isa: Vec<Isa>,

    /// Operations, such as latin1_to_utf8,utf16_to_latin1 [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    operation: Vec<String>,

    /// Sizes, such as 64,1..256 [default: all]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    size: Vec<String>,

    /// How often everybody is measured
    #[arg(long, value_name = "NUMBER", default_value_t = 25)]
    pub rounds: usize,

    /// Measures in this process
    #[arg(long, hide = true)]
    child: bool,
}

/// How many bytes in a hundred are not ASCII.
const DENSITIES: [usize; 4] = [0, 1, 30, 100];

/// The number of characters of each text.
const SIZES: [(&str, RangeInclusive<usize>); 11] = [
    ("1", 1..=1),
    ("3", 3..=3),
    ("8", 8..=8),
    ("16", 16..=16),
    ("1..64", 1..=64),
    ("64", 64..=64),
    ("1..256", 1..=256),
    ("256", 256..=256),
    ("4K", 4096..=4096),
    ("64K", 65_536..=65_536),
    ("1M", 1 << 20..=1 << 20),
];

/// The same texts in each encoding.
#[derive(Default)]
struct Texts {
    latin1: Vec<Vec<u8>>,
    utf8: Vec<Vec<u8>>,
    utf16: Vec<Vec<u16>>,
}

impl Texts {
    /// About 512 KB, so that no CPU remembers all branches, or one text if that is longer.
    fn new(density: usize, size: &RangeInclusive<usize>) -> Self {
        let rng = &mut Rng::new(density as u64);
        let mut texts = Self::default();
        let mut total = 0;
        while total < 512 << 10 {
            let len = rng.within((*size.start(), *size.end()));
            let byte = |_| rng.next() as u8 >> 1 | if rng.below(100) < density { 0x80 } else { 0 };
            let latin1: Vec<u8> = (0..len).map(byte).collect();
            let text: String = latin1.iter().map(|&byte| char::from(byte)).collect();
            texts.utf16.push(text.encode_utf16().collect());
            texts.utf8.push(text.into_bytes());
            texts.latin1.push(latin1);
            total += len.max(16);
        }
        texts
    }
}

/// Where conversions write, again and again.
pub struct Output {
    pub bytes: Vec<u8>,
    pub units: Vec<u16>,
}

pub type Way<'a> = task::Way<'a, Output>;

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    run_task("latin1", arguments, measure)
}

/// Runs a task with these arguments in a process for each instruction set, where `measure` does the work.
pub fn run_task(name: &str, arguments: &Arguments, measure: fn(Isa, &Arguments)) -> Result<(), Box<dyn Error>> {
    let options = [
        ("--operation", &arguments.operation[..]),
        ("--size", &arguments.size),
        ("--rounds", &[arguments.rounds.to_string()]),
    ];
    in_children(name, &arguments.isa, arguments.child, &options, |isa| measure(isa, arguments))
}

impl Output {
    /// Enough for every text.
    pub fn new() -> Self {
        let room = 2 << 20;
        Self { bytes: vec![0; room], units: vec![0; room] }
    }
}

impl Arguments {
    pub fn operations<'a>(&self, all: &[&'a str]) -> Vec<&'a str> {
        let chosen = |name: &&str| self.operation.is_empty() || self.operation.iter().any(|chosen| chosen == name);
        all.iter().copied().filter(chosen).collect()
    }

    pub fn sizes(&self) -> Vec<&'static (&'static str, RangeInclusive<usize>)> {
        let chosen = |name: &str| self.size.is_empty() || self.size.iter().any(|chosen| chosen == name);
        SIZES.iter().filter(|(name, _)| chosen(name)).collect()
    }
}

fn measure(isa: Isa, arguments: &Arguments) {
    let mut output = Output::new();
    for operation in arguments.operations(&OPERATIONS) {
        let mut sums = Sums::default();
        for density in DENSITIES {
            for (name, size) in arguments.sizes() {
                let texts = Texts::new(density, size);
                let what = format!("{isa} {operation} {density} % × {name}");
                race(
                    &what,
                    texts.latin1.len(),
                    ways(isa, operation, &texts),
                    &mut output,
                    arguments.rounds,
                    &mut sums,
                );
            }
        }
        println!("{:48} mean (least){sums}", format!("{isa} {operation}"));
    }
}

const OPERATIONS: [&str; 9] = [
    "latin1_to_utf8",
    "utf8_to_latin1",
    "latin1_to_utf16",
    "utf16_to_latin1",
    "utf8_len_from_latin1",
    "validate_latin1_in_utf8",
    "validate_latin1_in_utf16",
    "utf8_to_latin1_lossy",
    "utf16_to_latin1_lossy",
];

/// Who takes part in an operation; ours is first.
fn ways<'a>(isa: Isa, operation: &str, texts: &'a Texts) -> Vec<Way<'a>> {
    let Texts { latin1, utf8, utf16 } = texts;
    let mut ways: Vec<Way<'a>> = Vec::new();
    match operation {
        "latin1_to_utf8" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.latin1_to_utf8(&latin1[i], &mut out.bytes[..utf8[i].len()]).written),
            ));
            // SAFETY: there is room for two bytes for each.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_latin1_to_utf8(latin1[i].as_ptr(), latin1[i].len(), out.bytes.as_mut_ptr())
            });
            ways.push(("encoding_rs", Box::new(|i, out| mem::convert_latin1_to_utf8(&latin1[i], &mut out.bytes))));
        }
        "utf8_to_latin1" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.utf8_to_latin1(&utf8[i], &mut out.bytes[..latin1[i].len()]).written),
            ));
            // SAFETY: there is room for as many bytes.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_utf8_to_latin1(utf8[i].as_ptr(), utf8[i].len(), out.bytes.as_mut_ptr())
            });
            // Not the same: it does not check the text.
            ways.push((
                "encoding_rs",
                Box::new(|i, out| mem::convert_utf8_to_latin1_lossy(&utf8[i], &mut out.bytes)),
            ));
        }
        "utf8_to_latin1_lossy" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| {
                    isa.utf8_to_latin1_lossy(&utf8[i], b'?', &mut out.bytes[..latin1[i].len()]).written
                }),
            ));
            ways.push((
                "encoding_rs",
                Box::new(|i, out| mem::convert_utf8_to_latin1_lossy(&utf8[i], &mut out.bytes)),
            ));
        }
        "latin1_to_utf16" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.latin1_to_utf16(&latin1[i], &mut out.units[..utf16[i].len()]).written),
            ));
            // SAFETY: there is room for as many units.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_latin1_to_utf16(latin1[i].as_ptr(), latin1[i].len(), out.units.as_mut_ptr())
            });
            ways.push((
                "encoding_rs",
                Box::new(|i, out| {
                    mem::convert_latin1_to_utf16(&latin1[i], &mut out.units);
                    latin1[i].len()
                }),
            ));
        }
        "utf16_to_latin1" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.utf16_to_latin1(&utf16[i], &mut out.bytes[..utf16[i].len()]).written),
            ));
            // SAFETY: there is room for as many bytes.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_utf16_to_latin1(utf16[i].as_ptr(), utf16[i].len(), out.bytes.as_mut_ptr())
            });
            // Not the same: it does not check the text.
            ways.push((
                "encoding_rs",
                Box::new(|i, out| {
                    mem::convert_utf16_to_latin1_lossy(&utf16[i], &mut out.bytes);
                    utf16[i].len()
                }),
            ));
        }
        "utf16_to_latin1_lossy" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| {
                    isa.utf16_to_latin1_lossy(&utf16[i], b'?', &mut out.bytes[..utf16[i].len()]).written
                }),
            ));
            ways.push((
                "encoding_rs",
                Box::new(|i, out| {
                    mem::convert_utf16_to_latin1_lossy(&utf16[i], &mut out.bytes);
                    utf16[i].len()
                }),
            ));
        }
        "utf8_len_from_latin1" => {
            ways.push(("fastutf", Box::new(move |i, _| isa.utf8_len_from_latin1(&latin1[i]))));
            simdutf!(ways, move |i, _| simdutf::utf8_length_from_latin1(&latin1[i]));
        }
        "validate_latin1_in_utf8" => {
            ways.push((
                "fastutf",
                Box::new(move |i, _| usize::from(isa.validate_latin1_in_utf8(&utf8[i]).is_ok())),
            ));
            ways.push((
                "encoding_rs",
                Box::new(|i, _| usize::from(mem::utf8_latin1_up_to(&utf8[i]) == utf8[i].len())),
            ));
        }
        _ => {
            ways.push((
                "fastutf",
                Box::new(move |i, _| usize::from(isa.validate_latin1_in_utf16(&utf16[i]).is_ok())),
            ));
            ways.push(("encoding_rs", Box::new(|i, _| usize::from(mem::is_utf16_latin1(&utf16[i])))));
        }
    }
    ways
}
