//! Changes the library in one place at a time and runs the tests: a change that none of them notices is listed.

pub mod points;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde_json::Value;

use crate::copy::{self, write_if_new};
use crate::emulate::{self, Emulation};
use crate::schemata::{self, LIB, Outcome};
use crate::source;

/// Lists the changes of the library that no test notices
///
/// Changes that make no result wrong are listed in `xtask/equivalent.txt`, with the reason. Constants are not
/// changed, nor what `macro_rules!` expands to; but the operations that are arguments of `operations!` are.
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
    /// At the end, also print the numbers for each module, and each file of an instruction set
    #[arg(long)]
    summary: bool,
    /// Only with this instruction set, and plain Rust
    #[arg(long, value_parser = ["avx512", "avx2", "sse4.1"])]
    isa: Option<String>,
    /// Whether the intrinsics of AVX-512 are emulated, so that tests reach its kernels (see `cargo xtask emulate`); auto:
    /// if this CPU does not have them
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = ["auto", "always", "never"])]
    emulate: String,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    parts.filter(|(k, n)| k < n).ok_or_else(|| String::from("K/N with K less than N"))
}

/// What is not changed: tests and what watches them, what only NEON and WebAssembly use, what only debug builds run, tables,
/// which the compiler computes, and which CPU this is.
const LEFT_OUT: &[&str] = &[
    "src/kernels/coverage",
    "src/kernels/tables.rs",
    "src/kernels/validate_utf8/chained.rs",
    "src/proof/",
    "src/scalar/precompiled.rs",
    "src/simd/neon.rs",
    "src/simd/tests.rs",
    "src/simd/wasm.rs",
    "src/simd/x86/detect.rs",
];

/// One change.
struct Change {
    path: String,
    line: usize,
    function: String,
    what: String,
    /// The number of the first change of its place.
    place: usize,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, line, function, what, .. } = self;
        write!(f, "{path}:{line} {function}: {what}")
    }
}

/// Some tests: what they are, arguments ([`OWN`] for the library's unit tests), and `FASTUTF_TEST_THIN`, which runs one case in so
/// many of the large loops.
type Stage = (&'static str, &'static str, &'static str);

/// What detection finds depends on `--isa`.
const OWN: &str = "--skip=detection_agrees_with_std";

/// What is around the kernels: adapters, streams, errors, other encodings.
const AROUND: &str = "drivers lossy boundary:: bytes:: errors:: forms:: io:: stream:: web:: wtf8::";

const STAGES: &[Stage] = &[
    ("drivers, replacement, and what is around the kernels, few cases", AROUND, "400"),
    (
        "few cases",
        "--skip=drivers --skip=lossy --skip=columns:: --skip=positions:: --skip=guard_pages --skip=huge --skip=limits:: \
        --skip=all_strings_of_two_bytes_in_texts",
        "200",
    ),
    ("columns and positions, few cases", "columns:: positions::", "100"),
    ("drivers", "drivers", "50"),
    ("limits", "limits::", "200"),
    ("library's own", OWN, "100"),
    ("drivers, many cases", "drivers", "5"),
    ("many cases", "--skip=drivers --skip=columns:: --skip=positions:: --skip=limits::", "20"),
    ("columns and positions, many cases", "columns:: positions::", "10"),
];

/// How many stages are quick.
const QUICK: usize = 5;

pub fn run(options: Options) -> anyhow::Result<()> {
    let root = &source::root();
    let work = root.join("target/mutants");
    let emulated = match &*options.emulate {
        "auto" => cfg!(target_arch = "x86_64") && !emulate::is_here(),
        when => when == "always",
    };
    let mut mutated = Mutated::new(root, &work, emulated, options.numbers)?;
    mutated.check()?;
    let changes = mutated.changes();
    let rules = rules::rules(&source::read(&root.join("xtask/equivalent.txt"))?)?;
    let mut chosen: Vec<usize> = (0..changes.len()).collect();
    chosen.retain(|&number| {
        let change = &changes[number];
        (options.file.is_empty() || options.file.iter().any(|file| change.path.contains(&**file)))
            && options.grep.as_ref().is_none_or(|text| change.to_string().contains(&**text))
    });
    if let Some((k, n)) = options.shard {
        chosen = chosen.into_iter().skip(k).step_by(n).collect();
    }
    if options.list {
        chosen.iter().for_each(|&number| println!("{number:5} {}", changes[number]));
        return Ok(());
    }
    println!("{} changes; {} more do not compile", chosen.len(), mutated.dropped);
    let programs = mutated.build()?;
    let stages = &STAGES[..if options.quick { QUICK } else { STAGES.len() }];

    // Find out which changes each test reaches, with all of them switched off. It must pass then. A change that none reaches need
    // not be tried; others are tried with those that reach it, the quickest first.
    let mut tests = Vec::new();
    for (k, stage) in stages.iter().enumerate() {
        let program = &*programs[if stage.1 == OWN { "fastutf" } else { "suite" }];
        let (path, start, before) = (work.join("reached"), Instant::now(), tests.len());
        for name in names(program, stage.1)? {
            let start = Instant::now();
            match test(program, stage, &name, None, Some(&path), Duration::from_secs(3600), &options.isa)? {
                Outcome::Passed => tests.push((start.elapsed(), k, program, name, fs::read(&path)?)),
                outcome => ensure!(outcome == Outcome::Ignored, "without a change, {name} fails: {outcome:?}"),
            }
        }
        println!("{:7.2} s  {:3} tests: {}", start.elapsed().as_secs_f64(), tests.len() - before, stage.0);
    }
    tests.sort();

    let fates = Mutex::new(BTreeMap::new());
    let log = Mutex::new(fs::File::create(work.join("log"))?);
    schemata::in_parallel(options.jobs, &chosen, |&number| {
        let change = &changes[number];
        let mut fate = Fate::Unreached;
        if !options.known && rules.iter().any(|rule| rule.covers(change)) {
            fate = Fate::Known;
        } else {
            for (time, k, program, name, _) in tests.iter().filter(|(.., reached)| reached[change.place] == b'1') {
                let limit = *time * 3 + Duration::from_secs(3);
                fate = match test(program, &stages[*k], name, Some(number), None, limit, &options.isa)? {
                    Outcome::Passed => Fate::Missed,
                    Outcome::Endless => Fate::Endless,
                    _ => Fate::Noticed(*k),
                };
                if fate != Fate::Missed {
                    break;
                }
            }
        }
        writeln!(log.lock().unwrap(), "{number} {fate:?} {change}")?;
        fates.lock().unwrap().insert(number, fate);
        Ok(())
    })?;
    let fates = fates.into_inner().unwrap();
    report(&fates, &changes, stages);
    if options.summary {
        print!("\n{}", summary(&fates, &changes));
    }
    let missed = fates.values().filter(|fate| **fate == Fate::Missed).count();
    ensure!(missed == 0, "{missed} changes are not noticed by any test");
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// By the stage with this index.
    Noticed(usize),
    /// The tests did not end in time.
    Endless,
    /// No test reaches it on this CPU.
    Unreached,
    /// A rule in `equivalent.txt` covers it, and it was not tried.
    Known,
    Missed,
}

fn report(fates: &BTreeMap<usize, Fate>, changes: &[Change], stages: &[Stage]) {
    let count = |wanted| fates.values().filter(|fate| **fate == wanted).count();
    println!("{:5} in all", fates.len());
    for (k, stage) in stages.iter().enumerate() {
        println!("{:5} noticed by: {}", count(Fate::Noticed(k)), stage.0);
    }
    println!("{:5} noticed because the tests did not end", count(Fate::Endless));
    println!("{:5} not reached by any test on this CPU", count(Fate::Unreached));
    println!("{:5} known to change no result (xtask/equivalent.txt)", count(Fate::Known));
    println!("{:5} not noticed", count(Fate::Missed));
    for (wanted, name) in [(Fate::Unreached, "not reached"), (Fate::Missed, "NOT NOTICED")] {
        for (&number, _) in fates.iter().filter(|(_, fate)| **fate == wanted) {
            println!("{name}: {}", changes[number]);
        }
    }
}

/// A line for each module, and for each file of an instruction set.
fn summary(fates: &BTreeMap<usize, Fate>, changes: &[Change]) -> String {
    const IN_ALL: &str = "(in all)";
    let mut rows = BTreeMap::from([(IN_ALL, [0; 5])]);
    for (&number, fate) in fates {
        let path = changes[number].path.strip_prefix("src/").unwrap();
        let folder = path.rsplit_once('/').map_or(path, |(folder, _)| folder);
        let is_own = ["avx2.rs", "avx512.rs", "sse41.rs"].iter().any(|file| path.ends_with(file));
        for row in [IN_ALL, if is_own { path } else { folder }] {
            let row = rows.entry(row).or_default();
            row[0] += 1;
            row[match fate {
                Fate::Noticed(_) | Fate::Endless => 1,
                Fate::Known => 2,
                Fate::Unreached => 3,
                Fate::Missed => 4,
            }] += 1;
        }
    }
    let mut text = String::from("changes  noticed  equivalent  not reached  missed  module\n");
    for (name, [all, noticed, known, unreached, missed]) in rows {
        text += &format!("{all:7}  {noticed:7}  {known:10}  {unreached:11}  {missed:6}  {name}\n");
    }
    text
}

/// The names of a stage's tests.
fn names(program: &Path, args: &str) -> anyhow::Result<Vec<String>> {
    let list = Command::new(program).args(args.split_whitespace()).arg("--list").output()?.stdout;
    let names = str::from_utf8(&list)?.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(str::to_owned).collect())
}

/// Runs a test with one change, or with none.
fn test(
    program: &Path,
    stage: &Stage,
    name: &str,
    change: Option<usize>,
    reached: Option<&Path>,
    limit: Duration,
    isa: &Option<String>,
) -> anyhow::Result<Outcome> {
    schemata::outcome(program, limit, |command| {
        command.args([name, "--exact", "--test-threads=1"]).current_dir(source::root());
        command.envs(isa.iter().map(|isa| ("FASTUTF_EXPECT_ISA", isa)));
        command.env("FASTUTF_TEST_THIN", stage.2).envs(reached.map(|path| ("MUTANTS_REACHED", path)));
        command.env("MUTANT", change.map_or(String::from("all"), |number| number.to_string()));
    })
}

/// A copy of the project with all changes.
struct Mutated {
    build: PathBuf,
    checked: PathBuf,
    copy: PathBuf,
    lib: String,
    files: Vec<File>,
    /// Changes that do not compile.
    dropped: usize,
}

struct File {
    path: String,
    source: String,
    points: Vec<points::Point>,
    ranges: Vec<std::ops::Range<usize>>,
}

impl Mutated {
    fn new(root: &Path, work: &Path, emulated: bool, numbers: bool) -> anyhow::Result<Self> {
        // One copy is used to find out which changes compile, the other one for the tests. So files in the latter keep
        // their time stamps, and are not compiled again.
        let [checked, copy] = ["checked", "copy"].map(|name| work.join(name));
        let emulation = emulated.then(|| Emulation::new(root)).transpose()?;
        let contents = |path: &str| match &emulation {
            Some(emulation) => emulation.read(root, path),
            None => fs::read(root.join(path)).with_context(|| path.to_owned()),
        };
        // The switch also says which instruction set is found.
        let chosen = "let mut found = found; found.0 &= crate::mutant::ISAS.load(Ordering::Relaxed); CACHE.store";
        let contents = |path: &str| match (path, contents(path)?) {
            ("src/simd/x86/detect.rs", text) => {
                Ok(String::from_utf8(text)?.replace("CACHE.store", chosen).into_bytes())
            }
            (_, text) => anyhow::Ok(text),
        };
        let is_changed = |path: &str| {
            let is_code = path.starts_with("src/") && path.ends_with(".rs") && path != LIB;
            is_code && !LEFT_OUT.iter().any(|left_out| path.starts_with(left_out))
        };
        let mut files = Vec::new();
        for path in copy::files(root)?.into_iter().filter(|path| is_changed(path)) {
            let source = String::from_utf8(contents(&path)?)?;
            let mut points = points::points(&source).with_context(|| path.clone())?;
            points.retain(|point| numbers || !point.is_number);
            files.push(File { path, source, points, ranges: Vec::new() });
        }
        ensure!(!files.is_empty(), "found none of the library's source files");
        for copy in [&checked, &copy] {
            copy::make(root, copy, &|path| Ok((!is_changed(path) && path != LIB).then_some(contents(path)?)))?;
            if let Some(emulation) = &emulation {
                emulation.write_module(copy)?;
            }
        }
        let lib = String::from_utf8(contents(LIB)?)?;
        let build = root.join("target/mutants/build");
        Ok(Self { build, checked, copy, lib, files, dropped: 0 })
    }

    /// All changes. Their index is their number.
    fn changes(&self) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        for file in &self.files {
            for points::Point { line, function, changes: of_place, .. } in &file.points {
                let (path, line, function, place) = (&file.path, *line, function, changes.len());
                changes.extend(of_place.iter().map(|what| {
                    let [path, function, what] = [path, function, what].map(String::clone);
                    Change { path, line, function, what, place }
                }));
            }
        }
        changes
    }

    fn write(&mut self, into: &Path) -> anyhow::Result<()> {
        let mut number = 0;
        for file in &mut self.files {
            let mut places = Vec::new();
            for point in &file.points {
                places.push((&point.place, number));
                number += point.changes.len();
            }
            let (text, ranges) = schemata::splice(&file.source, &places);
            write_if_new(&into.join(&file.path), text.as_bytes())?;
            file.ranges = ranges;
        }
        write_if_new(&into.join(LIB), schemata::with_switch(&self.lib, number).as_bytes())
    }

    fn cargo(&self, copy: &Path, args: &[&str]) -> Command {
        let mut cargo = source::cargo();
        cargo.args(args).arg("--features=full,bytes").current_dir(copy).env("CARGO_TARGET_DIR", &self.build);
        cargo.env("RUSTFLAGS", "--cap-lints=allow -Ccodegen-units=32").env("CARGO_PROFILE_TEST_DEBUG", "0");
        cargo
    }

    /// Drops changes that do not compile, in the library or in its unit tests.
    fn check(&mut self) -> anyhow::Result<()> {
        let copy = self.checked.clone();
        for profile in ["--profile=dev", "--profile=test"] {
            loop {
                self.write(&copy)?;
                let mut cargo = self.cargo(&copy, &["check", "--lib", profile]);
                let Err(errors) = schemata::compile(&mut cargo)? else { break };
                if self.drop_what_fails(&errors) == 0 {
                    schemata::print(&errors);
                    bail!("the changed library does not compile");
                }
            }
        }
        Ok(())
    }

    /// Compiles the tests.
    fn build(&mut self) -> anyhow::Result<BTreeMap<String, PathBuf>> {
        let copy = self.copy.clone();
        self.write(&copy)?;
        let mut cargo = self.cargo(&copy, &["test", "--no-run", "--lib", "--test=suite"]);
        let programs = schemata::compile(&mut cargo)?;
        programs.inspect_err(|errors| schemata::print(errors)).map_err(|_| anyhow!("the tests do not compile"))
    }

    /// Drops the innermost places that contain an error, or if there are none, those in it. Returns how many.
    fn drop_what_fails(&mut self, errors: &[Value]) -> usize {
        let mut dropped = BTreeSet::new();
        for span in errors.iter().flat_map(|error| error["spans"].as_array().into_iter().flatten()) {
            let position = |name: &str| span[name].as_u64().map_or(0, |byte| usize::try_from(byte).unwrap());
            let (start, end) = (position("byte_start"), position("byte_end"));
            let file = self.files.iter().position(|file| span["file_name"] == *file.path);
            let Some(file) = file.filter(|_| span["is_primary"] == true) else { continue };
            let ranges = || self.files[file].ranges.iter().enumerate();
            let around = ranges().filter(|(_, range)| range.start <= start && end <= range.end);
            let inside = ranges().filter(|(_, range)| start <= range.start && range.end <= end);
            let innermost = around.min_by_key(|(_, range)| range.len());
            let found: Vec<_> = innermost.map_or_else(|| inside.collect(), |innermost| vec![innermost]);
            dropped.extend(found.into_iter().map(|(k, _)| (file, k)));
        }
        let before = self.dropped;
        for (file, k) in dropped.into_iter().rev() {
            self.dropped += self.files[file].points.remove(k).changes.len();
        }
        self.dropped - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code that a rule is about may have gone, or changed: then it says nothing any more.
    #[test]
    fn each_rule_covers_a_change() {
        let (root, work) = (source::root(), tempfile::tempdir().unwrap());
        let rules = rules::rules(&source::read(&root.join("xtask/equivalent.txt")).unwrap()).unwrap();
        let changes = Mutated::new(&root, work.path(), false, true).unwrap().changes();
        let stale = rules.iter().filter(|rule| !changes.iter().any(|change| rule.covers(change)));
        let stale: Vec<_> = stale.collect();
        assert!(stale.is_empty(), "{stale:#?}");
    }
}
