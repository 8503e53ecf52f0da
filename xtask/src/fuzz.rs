//! Runs the fuzz targets with libFuzzer. (`cargo test --manifest-path fuzz/Cargo.toml` is their short run without it.)

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context as _, ensure};

use crate::{objects, source};

/// Fuzzes with guard pages around text: fast, for long runs
#[derive(clap::Args)]
pub struct Options {
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// At most so many executions for each target
    #[arg(long)]
    executions: Option<u64>,
    /// How many targets run at once; by default, as many as there are cores
    #[arg(long)]
    jobs: Option<usize>,
    /// With AddressSanitizer, debug assertions, and an allocation of exactly the right size for each text: some tens of times
    /// slower
    #[arg(long)]
    asan: bool,
    /// By default all
    targets: Vec<String>,
}

/// What libFuzzer needs to see which code an input reaches.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Ccodegen-units=1";

/// Inputs are short, as fillers make the texts long. Weighing inputs by their rarity, and minimising the corpus while it
/// grows, are not worth their time.
const LIBFUZZER: [&str; 6] =
    ["-max_len=160", "-entropic=0", "-reduce_inputs=0", "-shrink=0", "-verbosity=1", "-print_final_stats=1"];

pub fn run(options: Options) -> anyhow::Result<()> {
    let folder = source::root().join("fuzz");
    let mut targets = Vec::new();
    for file in source::files(&folder.join("fuzz_targets"), ".rs")? {
        targets.extend(file.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    if let Some(unknown) = options.targets.iter().find(|target| !targets.contains(target)) {
        anyhow::bail!("fuzz: {unknown} is none of {}", targets.join(", "));
    }
    let targets = if options.targets.is_empty() { targets } else { options.targets.clone() };
    let programs = build(&folder, &targets, options.asan)?;

    let jobs = options.jobs.map_or_else(|| thread::available_parallelism().map(usize::from), Ok)?;
    let (queue, failures) = (Mutex::new(VecDeque::from(targets)), Mutex::new(Vec::new()));
    println!("{:16} {:>12} {:>8} {:>7} {:>8}", "target", "executions", "/s", "edges", "features");
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(target) = { queue.lock().expect("no thread panics").pop_front() } {
                    if let Err(error) = fuzz(&folder, &programs, &target, &options) {
                        println!("{target} FAILED: {error:#}");
                        failures.lock().expect("no thread panics").push(target);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner()?;
    ensure!(failures.is_empty(), "fuzz: {} failed; the inputs are in fuzz/artifacts/", failures.join(", "));
    Ok(())
}

/// Compiles the targets and writes the inputs to start from. Returns the folder of both.
fn build(folder: &Path, targets: &[String], asan: bool) -> anyhow::Result<PathBuf> {
    let target = source::target(&source::root()).join(if asan { "fuzz-asan" } else { "fuzz" });
    let cargo = || {
        let mut cargo = source::cargo();
        cargo.current_dir(folder).env("CARGO_TARGET_DIR", &target);
        cargo
    };
    let triple = objects::host()?;
    let programs = target.join(&triple).join("release");
    let mut flags = COVERAGE.to_owned();
    let mut build = cargo();
    // With a target, the flags do not apply to build scripts.
    build.args(["build", "--quiet", "--release", "--target", &triple, "--features"]);
    if asan {
        // Accepted by a stable compiler that is set to act as a nightly one.
        flags += " -Zsanitizer=address -Cdebug-assertions";
        build.env("RUSTC_BOOTSTRAP", "1").arg("libfuzzer,exact");
    } else {
        build.arg("libfuzzer");
    }
    build.args(targets.iter().flat_map(|target| ["--bin", target])).env("RUSTFLAGS", flags);
    ensure!(build.status()?.success(), "fuzz: the targets do not compile");
    let seeds = cargo().args(["run", "--quiet", "--example", "seed"]).arg(programs.join("seeds")).status()?;
    ensure!(seeds.success(), "fuzz: there are no seeds");
    Ok(programs)
}

/// Runs a target, from the seeds and what earlier runs have found, and prints a line of totals.
fn fuzz(folder: &Path, programs: &Path, target: &str, options: &Options) -> anyhow::Result<()> {
    let (corpus, artifacts) = (folder.join("corpus").join(target), folder.join("artifacts").join(target));
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    let mut program = Command::new(programs.join(target));
    program.args(LIBFUZZER).arg(format!("-max_total_time={}", options.seconds));
    program.arg(format!("-artifact_prefix={}/", artifacts.display()));
    program.args(options.executions.map(|executions| format!("-runs={executions}")));
    let output = program.arg(corpus).arg(programs.join("seeds")).output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let from = log.find("panicked at").or_else(|| log.find("ERROR: ")).unwrap_or_default();
        let about: Vec<&str> = log[from..].lines().take(8).collect();
        anyhow::bail!("{}", about.join("\n"));
    }
    let stat = |name: &str| {
        let (_, rest) = log.rsplit_once(name).with_context(|| format!("libFuzzer does not say {name}"))?;
        anyhow::Ok(rest.split_whitespace().next().unwrap_or_default())
    };
    let (executions, speed) = (stat("number_of_executed_units:")?, stat("average_exec_per_sec:")?);
    println!("{target:16} {executions:>12} {speed:>8} {:>7} {:>8}", stat(" cov: ")?, stat(" ft: ")?);
    Ok(())
}
