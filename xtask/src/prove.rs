//! Runs the proofs of `src/proof/`, and shows that each can fail.

mod changes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use crate::emulate::Emulation;
use crate::{copy, source};

/// Runs the proofs about the kernels, also those that `cargo test` ignores, and prints what they prove
///
/// In a copy, in target/prove, in which kernels of AVX-512 are compiled with intrinsics on paper, or in plain Rust, on any
/// CPU. docs/proof.md says what the table means. Takes about three minutes on two cores, and the time to compile.
#[derive(clap::Args)]
pub struct Options {
    /// Instead, changes the sources in the copy as xtask/proof-mutants.txt says, and checks that the proof named there
    /// fails. Changes in expressions are compiled together, and switched on one at a time
    #[arg(long)]
    mutants: bool,
    /// Of the changes that must be compiled alone, only one for each proof that has no other. Without a change, only tests that
    /// are not ignored: `cargo xtask prove` runs the others on the same code. About five minutes on two cores; without, more than ten
    #[arg(long, requires = "mutants")]
    quick: bool,
    /// Only tests, or changes, whose names have this in them
    filter: Option<String>,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let filter = options.filter.as_deref();
    if options.mutants { changes::run(filter, options.quick) } else { prove(filter) }
}

/// The folder of the copy and of what is built there.
fn work() -> PathBuf {
    source::root().join("target/prove")
}

/// By hand: see the reason there.
const TOO_LONG: &str = "every_pair_of_words";

fn prove(filter: Option<&str>) -> anyhow::Result<()> {
    let tests = ["test", "--release", "--package=fastutf", "--features=full", "--lib", "--"];
    let what = ["proof::", "--include-ignored", "--skip", TOO_LONG, "--nocapture"];
    let copy = copied(&work(), &BTreeMap::new())?;
    let output = in_copy(&copy).args(tests).args(what).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let rows = rows(&text, filter);
    println!("{}", table(&rows));
    ensure!(output.status.success(), "prove: a proof failed:\n{text}");
    ensure!(!rows.is_empty(), "prove: nothing was proved");
    println!("cases: {} proofs", rows.len());
    Ok(())
}

/// Copies the project, with some texts in place of files. AVX-512's intrinsics are emulated, and two of its kernels are there
/// a second time, on paper, as modules of their proofs.
fn copied(work: &Path, changed: &BTreeMap<String, String>) -> anyhow::Result<PathBuf> {
    let (root, copy) = (source::root(), work.join("copy"));
    let emulation = Emulation::new(&root)?;
    copy::make(&root, &copy, &|path| {
        let mut text = match changed.get(path) {
            Some(text) => text.as_bytes().to_vec(),
            None => std::fs::read(root.join(path)).with_context(|| path.to_owned())?,
        };
        if let Some((_, proof)) = ON_PAPER.iter().find(|(kernel, _)| path == *kernel) {
            let kernel = copy.join(proof).with_extension("").join("kernel.rs");
            copy::write_if_new(&kernel, on_paper(str::from_utf8(&text)?)?.as_bytes())?;
        }
        if ON_PAPER.iter().any(|(_, proof)| path == *proof) {
            text.extend(b"\n#[allow(dead_code)]\nmod kernel;\n");
        }
        if cfg!(target_arch = "x86_64") { emulation.applied(path, text).map(Some) } else { Ok(Some(text)) }
    })?;
    emulation.write_module(&copy)?;
    Ok(copy)
}

/// The kernels of AVX-512 that are on paper, and the files of their proofs.
const ON_PAPER: [(&str, &str); 2] = [
    ("src/kernels/validate_utf8/avx512.rs", "src/proof/avx512.rs"),
    ("src/kernels/validate_utf16/avx512.rs", "src/proof/avx512/utf16.rs"),
];

fn on_paper(kernel: &str) -> anyhow::Result<String> {
    let mut text = kernel.to_owned();
    for import in ["crate::simd::x86::avx512::arch::", "crate::simd::x86::avx512::"] {
        ensure!(text.matches(import).count() == 1, "`{import}` is not there once");
        text = text.replace(import, "crate::proof::avx512::arch::");
    }
    let is_kept = |line: &&str| !line.trim_start().starts_with("#[target_feature(");
    let text = text.split_inclusive('\n').filter(is_kept).collect::<String>();
    Ok(text.replace("pub(in crate::kernels)", "pub(crate)"))
}

fn in_copy(copy: &Path) -> Command {
    let mut cargo = source::cargo();
    // A folder of its own: cargo gives the copy's programs the names of the project's. Lints: a change, and what is not
    // on paper, may leave something without a use.
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", work().join("build"));
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
                && text.contains("use crate::proof::avx512::arch::*;")
        );
    }
}
