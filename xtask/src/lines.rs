//! How much there is to read: lines of the product, of its tests, and of the instruments around it.

use std::process::Command;

use anyhow::ensure;

use crate::source;

/// Counts the lines of each part of the project; fails if the instruments have more than their limit
#[derive(clap::Args)]
pub struct Options {
    /// Another revision: a commit, branch or tag
    revision: Option<String>,
}

/// Names of parts, and their paths. All lines count but those that tools write: lock files and charts.
const PARTS: [(&str, &[&str]); 5] = [
    ("library", &["src", "build.rs", ":!src/proof"]),
    ("proofs", &["src/proof"]),
    ("command, bindings, adapters, examples", &["cli", "capi", "python", "engines", "examples", "tokio"]),
    ("tests", &["tests", "testkit"]),
    (INSTRUMENTS, &["compare", "xtask", "benches", "fuzz", "scripts", ".ci", "mutants.toml"]),
];
const INSTRUMENTS: &str = "instruments";

/// Lower this with each step; raise it only with the reason in the commit.
const MOST: usize = 15_000;

pub fn run(options: Options) -> anyhow::Result<()> {
    for (name, paths) in PARTS {
        let mut grep = Command::new("git");
        grep.current_dir(source::root()).args(["grep", "-I", "-h", "-c", ""]).args(&options.revision);
        grep.arg("--").args(paths).args([":!*.lock", ":!*.svg"]);
        let output = grep.output()?;
        let counts = String::from_utf8(output.stdout)?;
        let lines: Vec<usize> = counts.lines().map(str::parse).collect::<Result<_, _>>()?;
        let total: usize = lines.iter().sum();
        ensure!(total > 0, "lines: {name}: {}", String::from_utf8_lossy(&output.stderr));
        println!("{total:6} lines in {:4} files: {name}", lines.len());
        if name == INSTRUMENTS && options.revision.is_none() {
            ensure!(total <= MOST, "lines: more than {MOST} of {INSTRUMENTS}");
        }
    }
    Ok(())
}
