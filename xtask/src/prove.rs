//! Runs the proofs of `src/proof/`, and shows that each can fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

use crate::{copy, source};

/// Runs the proofs about the kernels, also those that `cargo test` ignores, and prints what they prove
///
/// In a copy, in target/prove, in which a kernel of AVX-512 is compiled with intrinsics on paper, on any CPU. docs/proof.md
/// says what the table means. Takes about four minutes of one core.
#[derive(clap::Args)]
pub struct Options {
    /// Instead, changes the sources in a copy, in target/prove-mutants, as xtask/proof-mutants.toml says, one change at a
    /// time, and checks that the proof named there fails
    #[arg(long)]
    mutants: bool,
    /// Only tests, or changes, whose names have this in them
    filter: Option<String>,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    if options.mutants { mutants(options.filter.as_deref()) } else { prove(options.filter.as_deref()) }
}

/// By hand: see the reason there.
const TOO_LONG: &str = "every_pair_of_words";

fn prove(filter: Option<&str>) -> anyhow::Result<()> {
    let tests = ["test", "--release", "--package=fastutf", "--features=full", "--lib", "--"];
    let what = ["proof::", "--include-ignored", "--skip", TOO_LONG, "--nocapture"];
    let work = source::root().join("target/prove");
    let output = in_copy(&copied(&work)?, &work).args(tests).args(what).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let rows = rows(&text, filter);
    println!("{}", table(&rows));
    ensure!(output.status.success(), "prove: a proof failed:\n{text}");
    ensure!(!rows.is_empty(), "prove: nothing was proved");
    Ok(())
}

/// Copies the project, with a kernel of AVX-512 on paper.
fn copied(work: &Path) -> anyhow::Result<PathBuf> {
    let (root, copy) = (source::root(), work.join("copy"));
    let files = copy::files(&root)?;
    copy::remove_others(&copy, &files)?;
    for path in files {
        if path != PAPER {
            copy::write_if_new(&copy.join(&path), &std::fs::read(root.join(&path))?)?;
        }
    }
    let paper =
        source::read(&root.join(PAPER))? + "\n#[allow(dead_code)]\n#[path = \"kernels/avx512.rs\"]\nmod kernel;\n";
    copy::write_if_new(&copy.join(PAPER), paper.as_bytes())?;
    write_on_paper(&copy)?;
    Ok(copy)
}

const PAPER: &str = "src/proof/avx512.rs";

/// Writes AVX-512's validation of UTF-8 a second time, with the intrinsics of `PAPER`.
fn write_on_paper(copy: &Path) -> anyhow::Result<()> {
    let text = source::read(&copy.join("src/kernels/validate_utf8/avx512.rs"))?;
    copy::write_if_new(&copy.join("src/proof/kernels/avx512.rs"), on_paper(&text)?.as_bytes())
}

fn on_paper(kernel: &str) -> anyhow::Result<String> {
    const IMPORTS: [&str; 5] = [
        "#[cfg(target_arch = \"x86\")]\n",
        "use core::arch::x86::*;\n",
        "#[cfg(target_arch = \"x86_64\")]\n",
        "use core::arch::x86_64::*;\n",
        "crate::simd::x86::avx512::",
    ];
    let mut text = kernel.to_owned();
    for (import, new) in IMPORTS.into_iter().zip(["", "", "", "use super::arch::*;\n", "super::arch::"]) {
        ensure!(text.matches(import).count() == 1, "`{}` is not there once", import.trim());
        text = text.replace(import, new);
    }
    let is_kept = |line: &&str| !line.trim_start().starts_with("#[target_feature(");
    Ok(text.split_inclusive('\n').filter(is_kept).collect())
}

fn in_copy(copy: &Path, work: &Path) -> Command {
    let mut cargo = source::cargo();
    // A folder of its own: cargo gives the copy's programs the names of the project's. Lints: a change, and what is not
    // on paper, may leave something without a use.
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", work.join("build"));
    cargo.env("RUSTFLAGS", "--cfg=fastutf_on_paper --cap-lints=allow");
    // Proofs do not need the fastest code, but many functions of it.
    cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    cargo
}

/// The cells of the lines that tests print: kernel, instruction set, how it is proved, cases, time.
fn rows<'a>(text: &'a str, filter: Option<&str>) -> Vec<[&'a str; 5]> {
    let cells = |line: &'a str| line.split_once("proof | ")?.1.split(" | ").collect::<Vec<_>>().try_into().ok();
    let has = |row: &[&str; 5]| filter.is_none_or(|filter| row.iter().any(|cell| cell.contains(filter)));
    text.lines().filter_map(cells).filter(has).collect()
}

fn table(rows: &[[&str; 5]]) -> String {
    let heading = ["kernel", "instruction set", "what", "cases", "time"];
    let all: Vec<_> = std::iter::once(&heading).chain(rows).collect();
    let width = |k: usize| all.iter().map(|row| row[k].len()).max().unwrap_or(0);
    let line = |row: &&[&str; 5]| {
        let cells = row.iter().enumerate().map(|(k, cell)| format!("{cell:0$}", width(k)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutant: Vec<Mutant>,
}

/// A change that a proof must notice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    /// What is wrong then.
    name: String,
    file: String,
    /// Text that occurs once in the file.
    old: String,
    new: String,
    /// The test that must fail: one of the library, or after `quick::` one of `tests/quick.rs`.
    test: String,
}

impl Mutant {
    fn apply(&self, text: &str) -> anyhow::Result<String> {
        ensure!(text.matches(&self.old).count() == 1, "{}: `{}` is not there once", self.file, self.old);
        Ok(text.replace(&self.old, &self.new))
    }
}

const LIST: &str = "xtask/proof-mutants.toml";

fn mutants(filter: Option<&str>) -> anyhow::Result<()> {
    let root = source::root();
    let list: List = toml::from_str(&source::read(&root.join(LIST))?)?;
    let work = root.join("target/prove-mutants");
    let copy = copied(&work)?;
    let chosen = |mutant: &&Mutant| {
        filter.is_none_or(|filter| mutant.name.contains(filter) || mutant.test.contains(filter))
    };
    let chosen: Vec<&Mutant> = list.mutant.iter().filter(chosen).collect();
    ensure!(!chosen.is_empty(), "prove: no such change");

    // Without a change, all tests pass.
    let mut tests: BTreeMap<&str, usize> = BTreeMap::new();
    chosen.iter().for_each(|mutant| *tests.entry(&mutant.test).or_default() += 1);
    for test in tests.keys() {
        let program = compile(&copy, &work, test)?.context("the unchanged copy does not compile")?;
        ensure!(passes(&program, test)? == Some(true), "{test} fails without a change");
    }
    let mut survivors = 0;
    for mutant in chosen {
        let path = copy.join(&mutant.file);
        let text = source::read(&path)?;
        copy::write_if_new(&path, mutant.apply(&text)?.as_bytes())?;
        write_on_paper(&copy)?;
        let verdict = match compile(&copy, &work, &mutant.test)? {
            None => "DOES NOT COMPILE",
            Some(program) => match passes(&program, &mutant.test)? {
                Some(false) => "noticed",
                Some(true) => "NOT NOTICED",
                None => "noticed, as it does not end",
            },
        };
        copy::write_if_new(&path, text.as_bytes())?;
        write_on_paper(&copy)?;
        survivors += usize::from(!verdict.starts_with("noticed"));
        println!("{verdict}: {} ({}, by {})", mutant.name, mutant.file, mutant.test);
    }
    for (test, changes) in tests {
        println!("{test}: {changes} changes");
    }
    if survivors > 0 {
        bail!("prove: {survivors} changes are not noticed");
    }
    Ok(())
}

/// For tests of the program `quick`.
const QUICK: &str = "quick::";

/// Compiles the program of a copy that has this test. `None` if there are errors.
fn compile(copy: &Path, work: &Path, test: &str) -> anyhow::Result<Option<PathBuf>> {
    #[derive(Deserialize)]
    struct Message {
        executable: Option<PathBuf>,
    }
    let mut cargo = in_copy(copy, work);
    cargo.stderr(Stdio::null());
    let program = if test.starts_with(QUICK) { "--test=quick" } else { "--lib" };
    cargo.args(["test", "--package=fastutf", program, "--no-run", "--message-format=json"]);
    let output = cargo.output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let text = String::from_utf8(output.stdout)?;
    let mut programs = text.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()?.executable);
    Ok(Some(programs.next_back().context("cargo names no program")?))
}

/// Whether a test passes. `None` if it does not end in time.
fn passes(program: &Path, test: &str) -> anyhow::Result<Option<bool>> {
    const TIME: Duration = Duration::from_secs(300);
    let mut command = Command::new(program);
    let test = match test.strip_prefix(QUICK) {
        // One case in 20 is enough for these.
        Some(test) => {
            command.env("FASTUTF_TEST_THIN", "20");
            test
        }
        None => test,
    };
    command.args(["--include-ignored", "--exact", test]).stdout(Stdio::null()).stderr(Stdio::null());
    let (mut child, started) = (command.spawn()?, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if started.elapsed() > TIME {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_print_becomes_a_table() {
        let text = "test proof::a ... proof | a | avx2 | proved | 3 paths | 0.1 s\nok\nproof | abc | neon | compared | 4 | 2.0 s\n";
        assert_eq!(rows(text, None).len(), 2);
        let want =
            "kernel  instruction set  what      cases  time\nabc     neon             compared  4      2.0 s";
        assert_eq!(table(&rows(text, Some("neon"))), want);
    }

    #[test]
    fn what_is_put_on_paper() {
        let kernel = source::read(&source::root().join("src/kernels/validate_utf8/avx512.rs")).unwrap();
        let text = on_paper(&kernel).unwrap();
        assert!(
            !text.contains("target_feature")
                && !text.contains("core::arch")
                && text.contains("use super::arch::*;")
        );
    }

    /// Each change can be made in the sources as they are, and names a test that there is.
    #[test]
    fn all_changes_can_be_made() {
        let root = source::root();
        let list: List = toml::from_str(&source::read(&root.join(LIST)).unwrap()).unwrap();
        let mut tests = String::new();
        for folder in ["src/proof", "tests/suite"] {
            let files = std::fs::read_dir(root.join(folder)).unwrap().map(|file| file.unwrap().path());
            files.filter(|file| file.is_file()).for_each(|file| tests += &source::read(&file).unwrap());
        }
        for mutant in list.mutant {
            let text = source::read(&root.join(&mutant.file)).unwrap();
            assert_ne!(mutant.apply(&text).unwrap(), text);
            let (_, test) = mutant.test.rsplit_once("::").unwrap();
            assert!(tests.contains(&format!("fn {test}()")), "{}", mutant.test);
        }
    }
}
