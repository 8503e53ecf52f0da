//! Races fastutf against its peers: simdutf, simdutf8, encoding_rs and the standard library.
//!
//! simdutf chooses its kernel at the first call, by an environment variable. So this program runs itself once for
//! each instruction set, with that variable set, and collects the measurements of these children.

#[macro_use]
#[path = "../../tests/suite/common/all_conversions.rs"]
mod conversions;

mod before;
mod goal;
mod kind;
mod language;
mod operation;
mod ours;
mod pages;
mod race;
mod results;
mod size;
mod table;
mod windows;

use std::cell::RefCell;
use std::error::Error;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

use clap::Parser;
use fastutf::Isa;
use fastutf_testkit::Rng;
use fastutf_testkit::counter::Counter;

use crate::language::{Class, Profile};
use crate::operation::{Group, Operation};
use crate::ours::Whose;
use crate::results::{Cell, Head, Results};
use crate::size::Size;
use crate::windows::{Arena, Copies};

/// Races fastutf against its peers and prints how many times as fast it is.
#[derive(Parser)]
#[command(name = "fastutf-compare", version)]
struct Arguments {
    #[arg(value_enum, default_value = "core")]
    group: Group,

    /// Instruction sets, such as avx512,avx2,sse4.1,scalar; `free` stands for the free functions, against each peer's
    /// own choice [default: all of this CPU but scalar, and free]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    isa: Vec<Whose>,

    /// Operations, such as validate_utf8,utf8_to_utf16le [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    operation: Vec<String>,

    /// Languages, such as english,russian [default: those of the group; of 64M, a few]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    language: Vec<String>,

    /// Lengths in bytes of UTF-8: 16, 4K, 1M, 4K+odd (unaligned), 1..256 (random) [default: those of the group]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    size: Vec<Size>,

    /// Per cent of the text that are made ill-formed, for operations that replace that [default: 0,0.1,1,10, of which only 0
    /// on all texts and sizes]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = per_cent)]
    corrupt: Vec<f64>,

    /// How often everybody is measured, at the most [default: 9, or 3 with --quick; against an earlier build 100]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,

    /// Few sizes and rounds
    #[arg(long)]
    quick: bool,

    /// Take all *.txt of this directory, in UTF-8, instead of made texts
    #[arg(long, value_name = "DIRECTORY")]
    texts: Option<PathBuf>,

    /// Print nanoseconds for a string of everybody, instead of ratios
    #[arg(long)]
    each: bool,

    /// Say which goals are missed
    #[arg(long)]
    goals: bool,

    /// Store the results
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Make the tables and charts of docs/performance.md of the results stored in docs/results
    #[arg(long)]
    pages: bool,

    /// Measure what docs/performance.md shows, and the texts of --texts beside; a few minutes
    #[arg(long, conflicts_with_all = ["isa", "operation", "language", "size", "corrupt", "counter"])]
    record: bool,

    /// Measure nothing: show results that --json has stored
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,

    /// Count instructions instead of time. COMMAND runs a program under an emulator that counts: cargo xtask count knows it
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["rounds", "quick", "goals", "load", "pages"])]
    counter: Option<String>,

    /// Against an earlier build: the speed to keep, as a part of what it was. Less, as the mean of a row, is a failure
    #[arg(long, value_name = "RATIO", default_value_t = 0.97)]
    limit: f64,

    /// Measure on this instruction set and print JSON
    #[arg(long, hide = true)]
    child: Option<Whose>,
}

/// What is counted by default.
const COUNTED_OPERATIONS: [&str; 3] = ["validate_utf8", "utf8_to_utf16le", "utf16le_to_utf8"];

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.child {
        Some(isa) => measure(&arguments, isa),
        None if arguments.group == Group::Before => before::run(&arguments),
        None => run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fastutf-compare: {error}");
            ExitCode::FAILURE
        }
    }
}

fn per_cent(number: &str) -> Result<f64, String> {
    number.parse().ok().filter(|number| (0.0..=100.0).contains(number)).ok_or_else(|| "from 0 to 100".into())
}

/// Runs the command.
fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.pages {
        for (path, text) in pages::files(Path::new("."))? {
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            println!("{}", path.display());
        }
        return Ok(());
    }
    let results = match &arguments.load {
        Some(path) => Results::read(&fs::read_to_string(path)?)?,
        None => collect(arguments)?,
    };
    if results.head.counted && arguments.goals {
        return Err("goals are about time, not about instructions".into());
    }
    if let Some(path) = &arguments.json {
        fs::write(path, results.file()?)?;
    }
    print!("{}", if arguments.each { table::each(&results) } else { table::tables(&results) });
    if arguments.goals {
        print!("{}", goal::report(&results.cells));
    }
    Ok(())
}

/// What --record measures, within a quarter of an hour; and on the texts of a directory beside our own.
const RECORDED: [&str; 7] = [
    "core --operation validate_utf8,utf8_to_utf16le,utf16le_to_utf8,is_ascii --size 8,16,64,1..16,1..64,1..256,4K,64K --language english,json,html,accents,sparse3-200,chat,french,russian,hindi,chinese,emoji,mix",
    "core --operation reject_at_start,reject_at_half,reject_at_end --size 8,16,64,1..64,256,4K,64K --language english,json,russian,chinese",
    "core --operation utf8_info,validate_utf16le,utf16_len_from_utf8,utf8_len_from_utf16le,count_chars_utf8,to_utf16,from_utf16 --size 1..64,4K,64K --language english,json,russian,chinese,emoji",
    "core --operation from_utf8_lossy,utf8_to_utf16_lossy,utf16_to_utf8_lossy --corrupt 0.1,1,10 --size 256,64K --language english,french,russian,chinese,emoji,mix",
    "latin1 --operation latin1_to_utf8,utf8_to_latin1,latin1_to_utf16,utf16_to_latin1 --size 4,16,64,1..64,4K,64K,1M",
    "utf32 --operation validate_utf32,utf8_to_utf32,utf32_to_utf8,utf16_to_utf32,utf32_to_utf16 --size 4,16,64,1..64,4K,64K,1M",
    "wtf8 --operation from_mutf8,to_mutf8 --corrupt 0 --size 4,16,64,1..64,4K,64K,1M",
];
const RECORDED_TEXTS: &str =
    "core --operation validate_utf8,utf8_to_utf16le,utf16le_to_utf8 --size 1..64,64K --texts";

/// Measures what is asked for.
fn collect(arguments: &Arguments) -> Result<Results, Box<dyn Error>> {
    if cfg!(not(feature = "simdutf")) && arguments.counter.is_none() {
        eprintln!("This is without simdutf, the peer that matters most. With it (a C++ compiler is needed):");
        eprintln!("    cargo run --release -p fastutf-compare --features simdutf");
    }
    // What is in the folder now, not in a quarter of an hour.
    let head = Head::new(arguments.rounds(), arguments.counter.is_some());
    let mut cells = Vec::new();
    if arguments.record {
        let texts = arguments.texts.iter().map(|texts| (RECORDED_TEXTS, Some(texts.into())));
        for (line, texts) in RECORDED.map(|line| (line, None)).into_iter().chain(texts) {
            let mut words: Vec<OsString> = line.split(' ').map(OsString::from).chain(texts).collect();
            words.extend(["--rounds".into(), arguments.rounds().to_string().into()]);
            let part = Arguments::try_parse_from(["".into()].iter().chain(&words))?;
            measure_all(&part, &words, &mut cells)?;
        }
    } else {
        measure_all(arguments, &env::args_os().skip(1).collect::<Vec<_>>(), &mut cells)?;
    }
    Ok(Results { head, cells })
}

/// Measures each instruction set in a child process, which gets these words.
fn measure_all(arguments: &Arguments, words: &[OsString], cells: &mut Vec<Cell>) -> Result<(), Box<dyn Error>> {
    // Errors in the arguments are reported once, not by each child.
    arguments.operations()?;
    arguments.languages()?;
    let isas = match &*arguments.isa {
        // The free functions execute what one of the others does, and a little more; plain Rust is no contender.
        [] if arguments.counter.is_some() => Isa::available().map(Whose::Of).collect(),
        [] => {
            let free = (arguments.group == Group::Core).then_some(Whose::Free);
            Isa::available().filter(|&isa| isa != Isa::SCALAR).map(Whose::Of).chain(free).collect()
        }
        isas => isas.to_vec(),
    };
    for isa in isas {
        let mut child = arguments.program()?;
        child.args(words).args(["--child", isa.name()]).stdout(Stdio::piped());
        match simdutf_kernel(isa) {
            Some(kernel) => child.env("SIMDUTF_FORCE_IMPLEMENTATION", kernel),
            None => child.env_remove("SIMDUTF_FORCE_IMPLEMENTATION"),
        };
        let mut child = child.spawn()?;
        for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
            cells.push(serde_json::from_str(&line?)?);
        }
        if !child.wait()?.success() {
            return Err(format!("measuring {} failed", isa.name()).into());
        }
    }
    Ok(())
}

/// The name of simdutf's kernel for the same instructions. On other architectures it has only one, which it chooses.
fn simdutf_kernel(isa: Whose) -> Option<&'static str> {
    match isa.name() {
        "avx512" => Some("icelake"),
        "avx2" => Some("haswell"),
        "sse4.1" => Some("westmere"),
        "scalar" if cfg!(any(target_arch = "x86", target_arch = "x86_64")) => Some("fallback"),
        _ => None,
    }
}

impl Arguments {
    /// Returns a command that runs this program again, under the emulator if that is to count.
    fn program(&self) -> io::Result<Command> {
        let program = env::current_exe()?;
        let mut words = self.counter.iter().flat_map(|command| command.split_whitespace());
        Ok(match words.next() {
            Some(emulator) => {
                let mut command = Command::new(emulator);
                command.args(words).arg(program);
                command
            }
            None => Command::new(program),
        })
    }

    fn rounds(&self) -> usize {
        self.rounds.map_or(if self.quick { 3 } else { 9 }, usize::from)
    }

    fn operations(&self) -> Result<Vec<&'static Operation>, String> {
        let mut operations = self.group.operations();
        known("operation", &self.operation, operations.iter().map(|operation| operation.name))?;
        let all = self.counter.is_none() || self.group != Group::Core;
        operations.retain(|operation| match &*self.operation {
            [] => all || COUNTED_OPERATIONS.contains(&operation.name),
            names => names.iter().any(|asked| asked == operation.name),
        });
        Ok(operations)
    }

    fn languages(&self) -> Result<Vec<Profile>, String> {
        let mut profiles = match &self.texts {
            Some(directory) => Profile::files(directory)?,
            None => Profile::seeded(),
        };
        known("language", &self.language, profiles.iter().map(Profile::name))?;
        profiles.retain(|profile| match &*self.language {
            [] if self.texts.is_some() => true,
            [] => self.group.takes(profile.name()),
            _ => self.asked_for(profile.name()),
        });
        Ok(profiles)
    }

    fn asked_for(&self, language: &str) -> bool {
        self.language.iter().any(|asked| asked == language)
    }

    fn sizes(&self) -> Vec<Size> {
        let core = self.group == Group::Core;
        match &*self.size {
            [] if self.counter.is_some() && core => Size::list(Size::COUNTED),
            [] if self.quick && core => Size::list(Size::QUICK),
            [] => Size::list(self.group.sizes()),
            sizes => sizes.to_vec(),
        }
    }

    fn corrupt(&self) -> &[f64] {
        match &*self.corrupt {
            [] if self.counter.is_some() => &[0.0],
            [] if self.group == Group::Before => &[0.0, 1.0],
            [] => &[0.0, 0.1, 1.0, 10.0],
            numbers => numbers,
        }
    }

    /// Ill-formed text is measured at all sizes and on all languages only on request.
    fn takes_corrupt(&self, language: &str, size: Size) -> bool {
        const LANGUAGES: [&str; 6] = ["english", "french", "russian", "chinese", "emoji", "mix"];
        let language = self.texts.is_some() || self.asked_for(language) || LANGUAGES.contains(&language);
        language && !size.is_huge() && (!self.size.is_empty() || Size::list(Size::CORRUPT).contains(&size))
    }

    /// Text that fits into no cache takes long: by default, only languages with one, two and three bytes per
    /// character are measured.
    fn takes(&self, language: &str, size: Size) -> bool {
        let huge = size.is_huge() && self.group == Group::Core;
        !huge || self.asked_for(language) || ["english", "russian", "chinese"].contains(&language)
    }
}

/// Checks that everything requested exists.
fn known<'a>(what: &str, asked: &[String], names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let names: Vec<&str> = names.collect();
    match asked.iter().find(|asked| !names.contains(&asked.as_str())) {
        Some(unknown) => Err(format!("there is no {what} {unknown}; there are: {}", names.join(" "))),
        None => Ok(()),
    }
}

/// Measures everything on one instruction set and prints each cell as a line of JSON.
fn measure(arguments: &Arguments, isa: Whose) -> Result<(), Box<dyn Error>> {
    let progress = io::stderr().is_terminal();
    let mut operations = arguments.operations()?;
    operations.retain(|operation| isa != Whose::Free || operation.enter_free.is_some());
    let mut counter = arguments.counter.is_some().then(Counter::new).transpose()?;
    for profile in arguments.languages()? {
        if progress {
            eprint!("\r{}: {:<24}", isa.name(), profile.name());
        }
        for size in arguments.sizes().into_iter().filter(|&size| arguments.takes(profile.name(), size)) {
            let len = if counter.is_some() { windows::counted_text_len } else { windows::text_len };
            let text = profile.text(len(size));
            let text = if arguments.group == Group::Positions { in_lines(&text) } else { text };
            let class = Class::of(&text);
            for &corrupt in arguments.corrupt() {
                if corrupt > 0.0 && !arguments.takes_corrupt(profile.name(), size) {
                    continue;
                }
                let copies = Copies::new(&text, size, corrupt);
                let windows = copies.windows();
                let dst = RefCell::new(Arena::new(copies.room()));
                let language = match corrupt {
                    0.0 => profile.name().to_owned(),
                    _ => format!("{}~{corrupt}%", profile.name()),
                };
                let takes = |operation: &&&Operation| {
                    (operation.lossy || corrupt == 0.0) && (operation.takes)(class, &text)
                };
                for operation in operations.iter().filter(takes) {
                    let mut contenders = operation.contenders(isa, (size, corrupt), &windows, &dst);
                    let what = format!("{} on {}, {language}, {size}", operation.name, isa.name());
                    if contenders.is_empty() {
                        continue;
                    }
                    race::check(&mut contenders, &windows, &what);
                    if size.is_huge() && arguments.group == Group::Core {
                        // The standard library takes long, and is not memory-bound.
                        contenders.retain(|contender| contender.name != "std");
                    }
                    let bytes: usize = (0..windows.len()).map(|i| windows.input(operation.input, i).len()).sum();
                    let cell = Cell {
                        isa: isa.name().to_owned(),
                        operation: operation.name.to_owned(),
                        language: language.clone(),
                        class,
                        corrupt,
                        size: size.to_string(),
                        bytes: bytes as f64 / windows.len() as f64,
                        costs: match &mut counter {
                            Some(counter) => race::count(counter, &mut contenders, &windows)?,
                            None => race::race(&mut contenders, &windows, operation.input, arguments.rounds()),
                        },
                    };
                    println!("{}", serde_json::to_string(&cell)?);
                }
            }
        }
    }
    if progress {
        eprint!("\r{:<32}\r", "");
    }
    Ok(())
}

/// The text in lines of 0 to 80 bytes.
fn in_lines(text: &str) -> String {
    let (mut rng, mut left, mut lines) = (Rng::new(8), 40, String::with_capacity(text.len() + text.len() / 16));
    for char in text.chars() {
        lines.push(if char == '\n' || char == '\r' { ' ' } else { char });
        if left < char.len_utf8() {
            lines.push('\n');
            left = rng.below(80);
        } else {
            left -= char.len_utf8();
        }
    }
    lines
}
