//! Instructions of NEON's kernels, counted in an emulator: exact, so this needs neither an idle machine nor an ARM CPU.

use std::collections::HashMap;
use std::process::Command;

use anyhow::ensure;

use crate::source;

/// Fails if a NEON kernel executes over 5 % more instructions per byte of input than recorded
#[derive(clap::Args)]
pub struct Options {}

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

pub fn run(_: Options) -> anyhow::Result<()> {
    let target = "aarch64-unknown-linux-gnu";
    let mut rustup = Command::new("rustup");
    if !rustup.args(["target", "add", target]).output()?.status.success() {
        println!("NOT COUNTED: {target}, as its standard library is neither here nor to be had");
        return Ok(());
    }
    let mut count = Command::new(source::root().join("compare/count"));
    count.args([target, "--isa", "neon", "--size", "64,256,64K", "--language", "english,russian,chinese,emoji"]);
    let output = count.env("FASTUTF_SIMDUTF", "0").stderr(std::process::Stdio::inherit()).output()?;
    ensure!(output.status.success(), "count: compare/count fails");
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
        "count: compare/count has another table"
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
