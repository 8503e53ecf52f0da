//! The library's test programs, for runners that are no part of Cargo.

use std::path::Path;
use std::process::Stdio;

use anyhow::ensure;
use serde_json::Value;

use crate::source;

/// Prints the paths of the library's test programs, its unit tests and the suite, as `cargo test` builds them
///
/// For what runs the same programs in another way: in QEMU as another CPU, or in valgrind.
#[derive(clap::Args)]
pub struct Options {}

pub fn run(_: Options) -> anyhow::Result<()> {
    let mut cargo = source::cargo();
    cargo.current_dir(source::root()).args(["test", "--no-run", "--message-format=json"]);
    let output = cargo.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "the tests do not compile");
    let (mut found, library) = (0, source::root().join("Cargo.toml"));
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        let target = &message["target"];
        if message["manifest_path"].as_str().map(Path::new) != Some(&library) {
            continue;
        }
        if let ("fastutf" | "suite", Some("lib" | "test"), Some(path)) = (
            target["name"].as_str().unwrap_or_default(),
            target["kind"][0].as_str(),
            message["executable"].as_str(),
        ) {
            println!("{path}");
            found += 1;
        }
    }
    ensure!(found == 2, "{found} programs were found");
    Ok(())
}
