//! Debug builds are about as fast as the standard library, where that comes compiled: counted in instructions, which
//! neither depends on the machine nor on what else it does.

use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use crate::{count, source};

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
    let mut build = source::cargo();
    build.current_dir(source::root());
    build.args(["build", "--quiet", "--package", PACKAGE, "--config", "profile.dev.debug=0"]);
    ensure!(build.status()?.success(), "debug-speed: {PACKAGE} does not compile");
    let program = source::target(&source::root()).join("debug").join(PACKAGE);
    let plugin = count::plugin(&[])?;
    let (mut checked, mut over) = (0, 0);
    println!("instructions of std, and fastutf's as a multiple");
    for text in TEXTS {
        let mut emulator = Command::new("qemu-x86_64");
        emulator.args(["-cpu", "max", "-plugin"]).args([&plugin, &program]).arg(text);
        let output = emulator.stderr(Stdio::inherit()).output()?;
        ensure!(output.status.success(), "debug-speed: {text} fails");
        for line in String::from_utf8(output.stdout)?.lines() {
            let mut words = line.split(' ');
            let name = words.next().context("a name")?;
            let (Some(Ok(fastutf)), Some(Ok(std))) = (words.next().map(str::parse), words.next().map(str::parse))
            else {
                bail!("debug-speed: two counts for {name}, not {line}");
            };
            let (fastutf, std): (f64, f64) = (fastutf, std);
            let (times, most) = (fastutf / std, if name == EXCEPT.0 { EXCEPT.1 } else { MOST });
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
