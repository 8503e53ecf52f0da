//! Changes the kernels in one place at a time and runs the tests: a change that none of them notices is listed.
//!
//! Compiling the library for each change would take ten seconds, and there are thousands. So all changes are compiled
//! into one program, and an environment variable chooses one of them (*mutant schemata*: Untch, Offutt, Harrold,
//! *Mutation analysis using mutant schemata*, 1993). Then only the tests take time.

mod points;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

use crate::copy::{self, write_if_new};
use crate::emulate::{self, Emulation};
use crate::source;

/// Lists the changes of kernel code that no test notices
///
/// Changes that make no result wrong are listed in `xtask/equivalent.toml`, with the reason.
#[derive(clap::Args)]
pub struct Options {
    /// Only changes in files whose path contains this
    #[arg(short, long)]
    file: Vec<String>,
    /// Only changes whose line in the list contains this
    #[arg(short, long)]
    grep: Option<String>,
    /// Also change numbers and constants, each by 1 more and 1 less
    #[arg(long)]
    numbers: bool,
    /// Only every Nth change, from K on
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// The number of tests that run in parallel
    #[arg(short, long, default_value_t = 2)]
    jobs: usize,
    /// Only print the changes
    #[arg(long)]
    list: bool,
    /// Also try changes that are known to make no result wrong
    #[arg(long)]
    known: bool,
    /// Stop after the quick tests, and list what they do not notice
    #[arg(long)]
    quick: bool,
    /// Whether the intrinsics of AVX-512 are emulated, so that tests reach its kernels (see `cargo xtask emulate`); auto:
    /// if this CPU does not have them
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    emulate: Emulate,
}

#[derive(clap::ValueEnum, Clone, Copy)]
enum Emulate {
    Auto,
    Always,
    Never,
}

impl Emulate {
    fn emulation(self, root: &Path) -> anyhow::Result<Option<Emulation>> {
        let wanted = match self {
            Self::Auto => cfg!(target_arch = "x86_64") && !emulate::is_here(),
            Self::Always => true,
            Self::Never => false,
        };
        wanted.then(|| Emulation::new(root)).transpose()
    }
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    parts.filter(|(k, n)| k < n).ok_or_else(|| String::from("K/N with K less than N"))
}

/// The kernels, their callers, columns, positions, and the vector operations. Code for NEON and WebAssembly alone does not run here.
const SOURCES: &[&str] = &[
    "src/kernels",
    "src/api/large_input.rs",
    "src/api/lossy/chunks.rs",
    "src/api/lossy/utf8.rs",
    "src/borders.rs",
    "src/columns",
    "src/positions",
    "src/isa.rs",
    "src/replacement.rs",
    "src/scalar/borders.rs",
    "src/scalar/masks.rs",
    "src/scalar/sections.rs",
    "src/sections",
    "src/simd/mod.rs",
    "src/simd/x86/avx2.rs",
    "src/simd/x86/avx512.rs",
    "src/simd/x86/sse41.rs",
];

/// Code that only NEON and WebAssembly use, and code that only watches tests.
const LEFT_OUT: &[&str] = &["src/kernels/validate_utf8/chained.rs", "src/kernels/coverage.rs"];

/// Code for the changed library, which selects the active change. `ALL` records which changes are reached.
const SWITCH: &str = r#"
#[allow(unsafe_code, missing_docs)]
mod mutant {
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
    use std::string::String;

    const ALL: u32 = u32::MAX - 1;
    static ACTIVE: AtomicU32 = AtomicU32::new(u32::MAX);
    static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

    #[inline(always)]
    pub(crate) fn at(first: u32) -> u32 {
        let active = ACTIVE.load(Relaxed);
        if active == ALL {
            REACHED[first as usize].store(true, Relaxed);
        }
        active.wrapping_sub(first)
    }

    extern "C" fn begin() {
        if let Ok(number) = std::env::var("MUTANT") {
            ACTIVE.store(number.parse().unwrap_or(ALL), Relaxed);
        }
    }

    extern "C" fn end() {
        if let Ok(path) = std::env::var("MUTANTS_REACHED") {
            let text: String = REACHED.iter().map(|reached| if reached.load(Relaxed) { '1' } else { '0' }).collect();
            std::fs::write(path, text).unwrap();
        }
    }

    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEGIN: extern "C" fn() = begin;
    #[used]
    #[unsafe(link_section = ".fini_array")]
    static END: extern "C" fn() = end;
}
"#;

/// One change.
struct Change {
    name: String,
    point: u32,
}

/// A run of tests. A change that an earlier stage catches is not tested in later stages.
struct Stage {
    name: &'static str,
    program: Program,
    args: &'static [&'static str],
    /// `FASTUTF_TEST_THIN`: one case in so many of the large loops is run.
    thin: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Program {
    Quick,
    Lib,
}

/// The most sensitive tests come first, with a few cases of each, as they catch nearly all changes. A panic ends the
/// program `quick`, so tests that expect a panic are left out.
const STAGES: &[Stage] = &[
    Stage { name: "drivers, few cases", program: Program::Quick, args: &["drivers"], thin: "400" },
    Stage { name: "replacement, few cases", program: Program::Quick, args: &["lossy"], thin: "400" },
    Stage {
        name: "few cases",
        program: Program::Quick,
        args: &[
            "--skip=swapping_panics",
            "--skip=tested_here",
            "--skip=drivers",
            "--skip=lossy",
            "--skip=columns::",
            "--skip=positions::",
            "--skip=guard_pages",
            "--skip=huge",
            "--skip=all_strings_of_two_bytes_in_texts",
        ],
        thin: "200",
    },
    Stage {
        name: "columns and positions, few cases",
        program: Program::Quick,
        args: &["columns::", "positions::", "--skip=what_panics"],
        thin: "100",
    },
    Stage { name: "drivers", program: Program::Quick, args: &["drivers"], thin: "50" },
    Stage { name: "library's own", program: Program::Lib, args: &[], thin: "100" },
    Stage { name: "drivers, many cases", program: Program::Quick, args: &["drivers"], thin: "5" },
    Stage {
        name: "many cases",
        program: Program::Quick,
        args: &[
            "--skip=swapping_panics",
            "--skip=tested_here",
            "--skip=drivers",
            "--skip=columns::",
            "--skip=positions::",
        ],
        thin: "20",
    },
    Stage {
        name: "columns and positions, many cases",
        program: Program::Quick,
        args: &["columns::", "positions::", "--skip=what_panics"],
        thin: "10",
    },
];

/// How many stages are quick.
const QUICK: usize = 5;

pub fn run(options: Options) -> anyhow::Result<()> {
    let root = &source::root();
    let work = root.join("target/mutants");
    let emulation = options.emulate.emulation(root)?;
    let mut mutated = Mutated::new(root, &work, emulation, options.numbers)?;
    mutated.check()?;
    let changes = mutated.changes();
    let known = Known::read(&root.join("xtask/equivalent.toml"))?;
    let mut chosen: Vec<usize> = (0..changes.len())
        .filter(|&number| {
            let Change { name, .. } = &changes[number];
            (options.file.is_empty()
                || options.file.iter().any(|file| name.split(':').next().unwrap().contains(&**file)))
                && options.grep.as_ref().is_none_or(|text| name.contains(&**text))
        })
        .collect();
    if let Some((k, n)) = options.shard {
        chosen = chosen.into_iter().skip(k).step_by(n).collect();
    }
    if options.list {
        for &number in &chosen {
            println!("{number:5} {}", changes[number].name);
        }
        return Ok(());
    }
    println!("{} changes; {} more do not compile", chosen.len(), mutated.dropped);
    let programs = mutated.build()?;
    let stages = &STAGES[..if options.quick { QUICK } else { STAGES.len() }];

    // Find out which changes each stage reaches, with all of them switched off. The tests must pass then. A change that
    // no stage reaches need not be tried.
    let mut reached = Vec::new();
    let mut limits = Vec::new();
    for stage in stages {
        let path = work.join("reached");
        let start = Instant::now();
        let outcome = test(&programs[&stage.program], stage, None, Some(&path), Duration::from_secs(3600))?;
        ensure!(outcome.passed, "without a change, these tests fail: {}\n{}", stage.name, outcome.output);
        let of_points = fs::read(&path)?;
        reached.push(of_points.iter().map(|&byte| byte == b'1').collect::<Vec<_>>());
        println!("{:7.2} s  {}", start.elapsed().as_secs_f64(), stage.name);
        limits.push(start.elapsed() * 3 + Duration::from_secs(3));
    }

    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(BTreeMap::new());
    let log = Mutex::new(fs::File::create(work.join("log"))?);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs)
            .map(|_| {
                scope.spawn(|| -> anyhow::Result<()> {
                    while let Some(&number) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let change = &changes[number];
                        let mut outcome = Outcome::Unreached;
                        if known.has(&change.name) && !options.known {
                            outcome = Outcome::Known;
                        }
                        let stages = if outcome == Outcome::Known { &[] } else { stages };
                        for (k, stage) in stages.iter().enumerate() {
                            if !reached[k][change.point as usize] {
                                continue;
                            }
                            let result = test(&programs[&stage.program], stage, Some(number), None, limits[k])?;
                            if result.passed {
                                outcome = Outcome::Missed;
                            } else {
                                outcome = if result.timed_out { Outcome::Endless } else { Outcome::Caught(k) };
                                break;
                            }
                        }
                        writeln!(log.lock().unwrap(), "{number} {outcome:?} {}", change.name)?;
                        outcomes.lock().unwrap().insert(number, outcome);
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap())
    })?;
    report(&outcomes.into_inner().unwrap(), &changes, &known, stages)
}

#[derive(Debug, PartialEq)]
enum Outcome {
    /// By the stage with this index.
    Caught(usize),
    /// The tests did not end in time.
    Endless,
    /// No test reaches it on this CPU.
    Unreached,
    /// It is in `equivalent.toml`, and was not tried.
    Known,
    Missed,
}

fn report(
    outcomes: &BTreeMap<usize, Outcome>,
    changes: &[Change],
    known: &Known,
    stages: &[Stage],
) -> anyhow::Result<()> {
    let count = |wanted: &dyn Fn(&Outcome) -> bool| outcomes.values().filter(|outcome| wanted(outcome)).count();
    println!("{:5} in all", outcomes.len());
    for (k, stage) in stages.iter().enumerate() {
        println!("{:5} caught by: {}", count(&|outcome| *outcome == Outcome::Caught(k)), stage.name);
    }
    println!("{:5} caught because the tests did not end", count(&|outcome| *outcome == Outcome::Endless));
    println!("{:5} not reached by any test on this CPU", count(&|outcome| *outcome == Outcome::Unreached));
    let missed = || {
        outcomes
            .iter()
            .filter(|(_, outcome)| **outcome == Outcome::Missed)
            .map(|(&number, _)| &changes[number].name)
    };
    let new: Vec<_> = missed().filter(|name| !known.has(name)).collect();
    let not_tried = count(&|outcome| *outcome == Outcome::Known);
    println!("{:5} known to change no result (xtask/equivalent.toml)", missed().count() - new.len() + not_tried);
    println!("{:5} not noticed", new.len());
    for (&number, outcome) in outcomes {
        if *outcome == Outcome::Unreached {
            println!("not reached: {}", changes[number].name);
        }
    }
    for name in &new {
        println!("NOT NOTICED: {name}");
    }
    if !new.is_empty() {
        bail!("{} changes are not noticed by any test", new.len());
    }
    Ok(())
}

/// The listed changes that make no result wrong.
struct Known(Vec<String>);

impl Known {
    fn read(path: &Path) -> anyhow::Result<Self> {
        #[derive(serde::Deserialize)]
        struct File {
            equivalent: Vec<Entry>,
        }
        #[derive(serde::Deserialize)]
        struct Entry {
            #[allow(dead_code)] // for the reader
            reason: String,
            changes: Vec<String>,
        }
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let file: File = toml::from_str(&text)?;
        Ok(Self(file.equivalent.into_iter().flat_map(|entry| entry.changes).collect()))
    }

    /// An entry is the name of a change without its line number: `src/utf8.rs check: a < b -> <=`.
    fn has(&self, name: &str) -> bool {
        let (place, change) = name.split_once(' ').unwrap();
        let file = place.split(':').next().unwrap();
        self.0.contains(&format!("{file} {change}"))
    }
}

struct Tested {
    passed: bool,
    timed_out: bool,
    output: String,
}

/// Runs the tests of a stage with one change, or with none. `limit` is CPU time, so the load of the machine does not
/// matter. For tests that wait without using the CPU, the limit is a hundred times as long.
fn test(
    program: &Path,
    stage: &Stage,
    change: Option<usize>,
    reached: Option<&Path>,
    limit: Duration,
) -> anyhow::Result<Tested> {
    let mut command = source::limited(program, limit.as_secs() + 1);
    command.args(stage.args).args(["--test-threads=1"]);
    command.env("FASTUTF_TEST_THIN", stage.thin).env("PROPTEST_MAX_SHRINK_ITERS", "0").env("RUST_BACKTRACE", "0");
    command.env("MUTANT", change.map_or(String::from("all"), |number| number.to_string()));
    if let Some(path) = reached {
        command.env("MUTANTS_REACHED", path);
    }
    let output = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?);
    command.current_dir(source::root());
    let mut child = command.spawn()?;
    let end = Instant::now() + 100 * limit;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let passed = status.is_some_and(|status| status.success());
    let output = if reached.is_some() && !passed { read_all(output)? } else { String::new() };
    // At the limit, SIGXCPU or SIGKILL ends the program.
    let timed_out = status.is_none_or(|status| [Some(24), Some(9)].contains(&status.signal()));
    Ok(Tested { passed, timed_out, output })
}

fn read_all(mut file: fs::File) -> anyhow::Result<String> {
    use std::io::{Read as _, Seek as _};
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The contents of a file, with emulation if the tests on this CPU need it.
fn contents(root: &Path, path: &str, emulation: Option<&Emulation>) -> anyhow::Result<Vec<u8>> {
    match emulation {
        Some(emulation) => emulation.read(root, path),
        None => fs::read(root.join(path)).with_context(|| path.to_owned()),
    }
}

/// A copy of the project with all changes in its kernels.
struct Mutated {
    root: PathBuf,
    emulation: Option<Emulation>,
    checked: PathBuf,
    copy: PathBuf,
    files: Vec<File>,
    /// Changes that do not compile.
    dropped: usize,
}

struct File {
    path: PathBuf,
    source: String,
    points: Vec<points::Point>,
    /// Places that compile.
    kept: Vec<bool>,
    ranges: Vec<std::ops::Range<usize>>,
}

impl Mutated {
    fn new(root: &Path, work: &Path, emulation: Option<Emulation>, numbers: bool) -> anyhow::Result<Self> {
        // One copy is used to find out which changes compile, the other one for the tests. So files in the latter keep
        // their time stamps, and are not compiled again.
        let copies = ["checked", "copy"].map(|name| work.join(name));
        let mut files = Vec::new();
        let listed = copy::files(root)?;
        copies.iter().try_for_each(|copy| copy::remove_others(copy, &listed))?;
        for path in listed {
            let contents = contents(root, &path, emulation.as_ref())?;
            let is_kernel = path.ends_with(".rs")
                && !LEFT_OUT.contains(&&*path)
                && SOURCES.iter().any(|source| path == *source || path.starts_with(&format!("{source}/")));
            if is_kernel {
                let source = String::from_utf8(contents)?;
                let mut points = points::points(&source).with_context(|| path.clone())?;
                points.retain(|point| numbers || !point.is_number());
                let kept = vec![true; points.len()];
                files.push(File { path: path.into(), source, points, kept, ranges: Vec::new() });
            } else if path != "src/lib.rs" {
                for copy in &copies {
                    write_if_new(&copy.join(&path), &contents)?;
                }
            }
        }
        if let Some(emulation) = &emulation {
            copies.iter().try_for_each(|copy| emulation.write_module(copy))?;
        }
        ensure!(!files.is_empty(), "found none of the kernels' source files");
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let [checked, copy] = copies;
        Ok(Self { root: root.to_owned(), emulation, checked, copy, files, dropped: 0 })
    }

    /// All changes that compile. Their index is their number.
    fn changes(&self) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        for file in &self.files {
            for (point, _) in file.points.iter().zip(&file.kept).filter(|(_, kept)| **kept) {
                let first = u32::try_from(changes.len()).unwrap();
                for change in &point.changes {
                    changes.push(Change {
                        name: format!("{}:{} {}: {change}", file.path.display(), point.line, point.function),
                        point: first,
                    });
                }
            }
        }
        changes
    }

    fn write(&mut self, into: &Path) -> anyhow::Result<()> {
        let mut number = 0;
        for file in &mut self.files {
            let first: Vec<_> = file
                .points
                .iter()
                .zip(&file.kept)
                .map(|(point, kept)| {
                    kept.then(|| {
                        let first = number;
                        number += u32::try_from(point.changes.len()).unwrap();
                        first
                    })
                })
                .collect();
            let rendered = points::render(&file.source, &file.points, &first);
            write_if_new(&into.join(&file.path), rendered.text.as_bytes())?;
            file.ranges = rendered.ranges;
        }
        let lib = String::from_utf8(contents(&self.root, "src/lib.rs", self.emulation.as_ref())?)?;
        let count = format!("const COUNT: usize = {number};");
        let switch = SWITCH.replacen("const ALL", &format!("{count}\n    const ALL"), 1);
        write_if_new(&into.join("src/lib.rs"), (lib + &switch).as_bytes())
    }

    fn cargo(&self, copy: &Path, args: &[&str]) -> anyhow::Result<(bool, String)> {
        let output = source::cargo()
            .args(args)
            .args(["--package=fastutf", "--features=full", "--message-format=json", "--quiet"])
            .current_dir(copy)
            .env("CARGO_TARGET_DIR", self.root.join("target/mutants/build"))
            .env("RUSTFLAGS", "--cap-lints=allow -Ccodegen-units=32")
            .env("CARGO_PROFILE_TEST_DEBUG", "0")
            .output()?;
        Ok((output.status.success(), String::from_utf8(output.stdout)?))
    }

    /// Drops changes that do not compile.
    fn check(&mut self) -> anyhow::Result<()> {
        let copy = self.checked.clone();
        loop {
            self.write(&copy)?;
            let (compiled, messages) = self.cargo(&copy, &["check", "--lib"])?;
            if compiled {
                return Ok(());
            }
            let before = self.dropped;
            for message in messages.lines() {
                let message: serde_json::Value = serde_json::from_str(message)?;
                if message["message"]["level"] == "error" {
                    self.drop_what_fails(&message["message"]);
                }
            }
            if self.dropped == before {
                for message in messages.lines() {
                    let message: serde_json::Value = serde_json::from_str(message)?;
                    eprintln!("{}", message["message"]["rendered"].as_str().unwrap_or_default());
                }
                bail!("the changed library does not compile");
            }
        }
    }

    /// Compiles the tests.
    fn build(&mut self) -> anyhow::Result<BTreeMap<Program, PathBuf>> {
        let copy = self.copy.clone();
        self.write(&copy)?;
        let (compiled, messages) = self.cargo(&copy, &["test", "--no-run", "--lib", "--test=quick"])?;
        ensure!(compiled, "the tests of the changed library do not compile:\n{messages}");
        let mut programs = BTreeMap::new();
        for message in messages.lines() {
            let message: serde_json::Value = serde_json::from_str(message)?;
            if let Some(program) = message["executable"].as_str() {
                let is_quick = message["target"]["name"] == "quick";
                programs.insert(if is_quick { Program::Quick } else { Program::Lib }, PathBuf::from(program));
            }
        }
        ensure!(programs.len() == 2, "expected two test programs: {programs:?}");
        Ok(programs)
    }

    /// Drops the innermost places that contain the error.
    fn drop_what_fails(&mut self, message: &serde_json::Value) {
        for span in message["spans"].as_array().into_iter().flatten() {
            if span["is_primary"] != true {
                continue;
            }
            let position = |name: &str| span[name].as_u64().map_or(0, |byte| usize::try_from(byte).unwrap());
            let (start, end) = (position("byte_start"), position("byte_end"));
            for file in &mut self.files {
                if span["file_name"].as_str().is_none_or(|name| Path::new(name) != file.path) {
                    continue;
                }
                let innermost = (0..file.points.len())
                    .filter(|&k| file.kept[k] && file.ranges[k].start <= start && end <= file.ranges[k].end)
                    .min_by_key(|&k| file.ranges[k].len());
                if let Some(k) = innermost {
                    file.kept[k] = false;
                    self.dropped += file.points[k].changes.len();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of an entry may have gone, or changed: then it says nothing any more.
    #[test]
    fn what_is_listed_as_equivalent_can_be_changed() {
        let (root, work) = (source::root(), tempfile::tempdir().unwrap());
        let listed = Known::read(&root.join("xtask/equivalent.toml")).unwrap().0;
        let changes = Mutated::new(&root, work.path(), None, true).unwrap().changes();
        let names: Vec<String> = changes
            .iter()
            .map(|change| {
                let (place, change) = change.name.split_once(' ').unwrap();
                format!("{} {change}", place.split(':').next().unwrap())
            })
            .collect();
        let stale: Vec<_> = listed.iter().filter(|entry| !names.contains(entry)).collect();
        assert!(stale.is_empty(), "{stale:#?}");
    }
}
