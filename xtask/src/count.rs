//! Instructions, counted in an emulator: exact, so this needs neither an idle machine nor, for NEON, an ARM CPU.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::ensure;

use crate::source;

/// Counts the instructions of NEON's kernels; fails if one executes over 5 % more per byte of input than recorded
///
/// With arguments, which are those of `fastutf-compare`, prints what they ask for instead. compare/README.md says what
/// that tells and what not.
#[derive(clap::Args)]
pub struct Options {
    /// Also count simdutf's, whose C++ takes a minute to compile
    #[arg(long)]
    simdutf: bool,
    /// For example `-- --size 64,64K --operation validate_utf8 --language english`
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// Operation, text, size, instructions per byte. Another compiler may need other numbers.
const KNOWN: [(&str, &str, &str, f64); 18] = [
    ("validate_utf8", "english", "64", 1.250),
    ("validate_utf8", "english", "64K", 0.158),
    ("validate_utf8", "russian", "64K", 0.747),
    ("validate_utf8", "chinese", "256", 2.094),
    ("validate_utf8", "chinese", "64K", 1.056),
    ("validate_utf8", "emoji", "64K", 1.240),
    ("utf8_to_utf16le", "english", "64", 1.938),
    ("utf8_to_utf16le", "english", "64K", 0.457),
    ("utf8_to_utf16le", "russian", "64K", 2.377),
    ("utf8_to_utf16le", "chinese", "256", 7.844),
    ("utf8_to_utf16le", "chinese", "64K", 1.687),
    ("utf8_to_utf16le", "emoji", "64K", 2.679),
    ("utf16le_to_utf8", "english", "64", 1.563),
    ("utf16le_to_utf8", "english", "64K", 0.439),
    ("utf16le_to_utf8", "russian", "64K", 1.659),
    ("utf16le_to_utf8", "chinese", "256", 5.618),
    ("utf16le_to_utf8", "chinese", "64K", 1.983),
    ("utf16le_to_utf8", "emoji", "64K", 5.326),
];

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The plugin for QEMU that counts, compiled: `compare/count.c`. Installs what is missing.
pub fn plugin(packages: &[&str]) -> anyhow::Result<PathBuf> {
    let root = source::root();
    let mut need = Command::new(root.join("scripts/need"));
    let installed = need.args(["gcc", "libc6-dev", "qemu-user"]).args(packages).stdout(Stdio::null()).status()?;
    ensure!(installed.success(), "a compiler for C and QEMU are needed");
    let version = String::from_utf8(Command::new("qemu-aarch64").arg("--version").output()?.stdout)?;
    // From QEMU 9 on, plugins are of another version.
    let major = version.split(" version ").nth(1).and_then(|version| version.split('.').next()?.parse().ok());
    let version = if major.is_some_and(|major: u32| major < 9) { 1 } else { 2 };
    let plugin = source::target(&root).join("count.so");
    let mut gcc = Command::new("gcc");
    gcc.current_dir(&root).args(["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]).arg(&plugin);
    gcc.arg(format!("-DPLUGIN_VERSION={version}")).arg("compare/count.c");
    ensure!(gcc.status()?.success(), "count: compare/count.c does not compile");
    Ok(plugin)
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let mut rustup = Command::new("rustup");
    if !rustup.args(["target", "add", TARGET]).output()?.status.success() {
        println!("NOT COUNTED: {TARGET}, as its standard library is neither here nor to be had");
        return Ok(());
    }
    if !options.arguments.is_empty() {
        ensure!(compare(&options)?.status()?.success(), "count: fastutf-compare fails");
        return Ok(());
    }
    let known = ["--isa", "neon", "--size", "64,256,64K", "--language", "english,russian,chinese,emoji"];
    let known = Options { arguments: known.map(String::from).to_vec(), ..options };
    let output = compare(&known)?.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "count: fastutf-compare fails");
    // isa, operation, text, size, and a column for each contender.
    let table = String::from_utf8(output.stdout)?;
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let counts: HashMap<_, _> = rows
        .filter(|row| row.len() > 4 && row[0] == "neon")
        .filter_map(|row| Some(((row[1], row[2], row[3]), row[4].parse::<f64>().ok()?)))
        .collect();
    ensure!(
        table.lines().any(|line| line.split_whitespace().take(5).eq([
            "isa",
            "operation",
            "text",
            "size",
            "fastutf"
        ])),
        "count: fastutf-compare has another table"
    );
    let mut more = 0;
    for (operation, text, size, known) in KNOWN {
        let count = *counts.get(&(operation, text, size)).unwrap_or(&f64::NAN);
        let verdict = match count / known {
            ..0.95 => "less: write it down in xtask/src/count.rs",
            0.95..=1.05 => "",
            _ => "MORE THAN WRITTEN DOWN, or not counted",
        };
        more += usize::from(verdict.starts_with("MORE"));
        println!("{operation:16} {text:9} {size:4} {count:7.3} of {known:7.3}  {verdict}");
    }
    ensure!(more == 0, "count: {more} are more than written down");
    Ok(())
}

/// The command that counts what the arguments ask for.
fn compare(options: &Options) -> anyhow::Result<Command> {
    let mut packages = vec!["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"];
    packages.extend(options.simdutf.then_some("g++-aarch64-linux-gnu"));
    let emulator = "qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu neoverse-n1";
    let emulator = format!("{emulator} -plugin {}", plugin(&packages)?.display());
    let mut build = source::cargo();
    build.current_dir(source::root()).args([
        "build",
        "--quiet",
        "--release",
        "-p",
        "fastutf-compare",
        "--target",
        TARGET,
    ]);
    build.args(options.simdutf.then_some("--features=simdutf"));
    build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    ensure!(build.status()?.success(), "count: fastutf-compare does not compile");
    let mut words = emulator.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(source::target(&source::root()).join(TARGET).join("release/fastutf-compare"));
    command.arg("--counter").arg(&emulator).args(&options.arguments);
    Ok(command)
}
