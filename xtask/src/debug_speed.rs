//! Debug builds are about as fast as the standard library, where that comes compiled: counted in instructions, which
//! neither depends on the machine nor on what else it does.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::source;

/// Fails if a debug build executes over 1.2 times the instructions of what the standard library ships compiled
#[derive(clap::Args)]
pub struct Options {}

const TEXTS: [&str; 9] = ["ascii", "russian", "chinese", "emoji", "mix", "FF", "cut", "dense", "sparse"];

/// Times std's instructions.
const MOST: f64 = 1.2;

/// An operation with another limit: each damaged place is a call of our own `next`, which nothing has optimised.
const EXCEPT: (&str, f64) = ("utf8_chunks", 3.0);

pub fn run(_: Options) -> anyhow::Result<()> {
    if cfg!(not(target_arch = "x86_64")) {
        println!("NOT COUNTED: the limits are for x86-64");
        return Ok(());
    }
    let installed = Command::new(source::root().join("scripts/need")).arg("valgrind").status()?;
    ensure!(installed.success(), "valgrind is needed");
    let root = source::root();
    let folder = tempfile::tempdir()?;
    let mut build = source::cargo();
    build.current_dir(&root).args(["build", "--quiet", "--package", PACKAGE, "--config", "profile.dev.debug=0"]);
    let program = source::target(&root).join("debug").join(PACKAGE);
    ensure!(build.status()?.success(), "debug-speed: {PACKAGE} does not compile");
    let (mut checked, mut over) = (0, 0);
    println!("instructions of std, and fastutf's as a multiple");
    for text in TEXTS {
        let out = folder.path().join(text);
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--tool=callgrind"]).arg(format!("--callgrind-out-file={}", out.display()));
        ensure!(valgrind.arg(&program).arg(text).status()?.success(), "debug-speed: {text} fails");
        let counts = counts(&source::read(&out)?);
        for (name, fastutf) in
            counts.iter().filter_map(|(name, count)| Some((name.strip_suffix("::fastutf")?, count)))
        {
            let std =
                counts.get(&format!("{name}::std")).with_context(|| format!("{name} of std is not counted"))?;
            let (times, most) = (*fastutf as f64 / *std as f64, if name == EXCEPT.0 { EXCEPT.1 } else { MOST });
            println!("{text:8} {name:24} {std:9} {times:5.2}{}", if times > most { " TOO MANY" } else { "" });
            checked += 1;
            over += usize::from(times > most);
        }
    }
    ensure!(checked >= 3 * TEXTS.len(), "debug-speed: only {checked} were counted");
    ensure!(over == 0, "debug-speed: {over} of {checked} are over the limit");
    Ok(())
}

const PACKAGE: &str = "fastutf-debug-speed";

/// The instructions of each `OPERATION::fastutf` and `OPERATION::std`, with all that it calls. Below `fn=`, the last
/// number of each line is the cost of a line of that function, or of a call.
fn counts(profile: &str) -> BTreeMap<String, u64> {
    let (mut names, mut counts, mut current) = (BTreeMap::new(), BTreeMap::new(), None);
    for line in profile.lines() {
        if let Some(function) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            // The name of a function is only given where it is first mentioned.
            let (id, name) = function.split_once(' ').unwrap_or((function, ""));
            if let Some(name) = name.strip_prefix("fastutf_debug_speed::") {
                names.insert(id.to_owned(), name.to_owned());
            }
            if line.starts_with("fn=") {
                current =
                    names.get(id).filter(|name| name.ends_with("::fastutf") || name.ends_with("::std")).cloned();
            }
        } else if let Some(name) = &current
            && line.starts_with(|char: char| char.is_ascii_digit() || "+-*".contains(char))
            && let Some(Ok(count)) = line.rsplit(' ').next().map(str::parse::<u64>)
        {
            *counts.entry(name.clone()).or_insert(0) += count;
        }
    }
    counts
}
