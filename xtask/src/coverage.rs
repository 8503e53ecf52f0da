//! What the tests do not reach.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::ensure;
use serde_json::Value;

use crate::source;

/// Lists the lines of src/ that no test runs on this machine. A line of a generic function counts if any instance does
#[derive(clap::Args)]
pub struct Options {
    /// Arguments of `cargo test`, such as a filter
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Tables, which the compiler computes, code for other CPUs or builds, and what only examples in the documentation call are
/// never reached. `FASTUTF_TEST_THIN=N` runs one case in N of the large loops (20).
pub fn run(options: Options) -> anyhow::Result<()> {
    let root = source::root();
    let folder = source::target(&root).join("coverage");
    let profiles = folder.join("profiles");
    let _ = fs::remove_dir_all(&profiles);
    let sysroot = Command::new("rustc").args(["--print", "target-libdir"]).output()?.stdout;
    let tools = PathBuf::from(String::from_utf8(sysroot)?.trim()).with_file_name("bin");
    if !tools.join("llvm-cov").exists() {
        let added = Command::new("rustup").args(["component", "add", "llvm-tools"]).status()?;
        ensure!(added.success(), "no llvm-tools");
    }
    let test = |more: &[String]| {
        let mut test = source::cargo();
        test.current_dir(&root).args(["test", "-p", "fastutf", "--features=full,bytes", "--tests"]).args(more);
        test.env("CARGO_TARGET_DIR", &folder).env("RUSTFLAGS", "-Cinstrument-coverage");
        test.env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_TEST_DEBUG", "0")
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1");
        test.env("FASTUTF_TEST_THIN", std::env::var("FASTUTF_TEST_THIN").unwrap_or_else(|_| "20".into()));
        test.env("LLVM_PROFILE_FILE", profiles.join("%p-%4m.profraw"));
        test
    };
    ensure!(test(&options.arguments).status()?.success(), "coverage: the tests fail");
    let built = test(&["--no-run".into(), "--message-format=json".into()]).stderr(Stdio::null()).output()?.stdout;
    let messages = serde_json::Deserializer::from_slice(&built).into_iter::<Value>().flatten();
    let programs: Vec<_> =
        messages.filter_map(|message| Some(format!("--object={}", message["executable"].as_str()?))).collect();

    let profile = folder.join("all.profdata");
    let mut merge = Command::new(tools.join("llvm-profdata"));
    merge.args(["merge", "--sparse", "-o"]).arg(&profile).args(source::files(&profiles, ".profraw")?);
    ensure!(merge.status()?.success(), "coverage: llvm-profdata fails");
    let mut export = Command::new(tools.join("llvm-cov"));
    export.args(["export", "--format=lcov", "--instr-profile"]).arg(&profile).args(programs).arg("--sources");
    let lcov = String::from_utf8(export.arg(root.join("src")).stderr(Stdio::inherit()).output()?.stdout)?;

    // "SF:" is a file, "DA:" a line of it and how often it ran.
    let (mut files, mut file) = (BTreeMap::<&str, (usize, Vec<&str>)>::new(), "");
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            file = path.strip_prefix(&format!("{}/", root.display())).unwrap_or(path);
        } else if let Some((line, count)) = line.strip_prefix("DA:").and_then(|line| line.split_once(',')) {
            let (all, missed) = files.entry(file).or_default();
            *all += 1;
            missed.extend((count == "0").then_some(line));
        }
    }
    for (file, (all, missed)) in &files {
        println!("{:5} of {all:5}  {file}, not {}", all - missed.len(), missed.join(" "));
    }
    let all: usize = files.values().map(|(all, _)| all).sum();
    let missed: usize = files.values().map(|(_, missed)| missed.len()).sum();
    ensure!(all > 0, "coverage: llvm-cov reports no line");
    println!("{:5} of {all:5}  lines ({:.1} %)", all - missed, 100.0 * (all - missed) as f64 / all as f64);
    Ok(())
}
