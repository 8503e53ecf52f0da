//! Debug builds are about as fast as the standard library, where that comes compiled: counted in instructions, which
//! neither depends on the machine nor on what else it does.

use std::process::Command;

use anyhow::ensure;

use crate::{count, source};

/// Fails if a debug build executes over 1.2 times the instructions of what the standard library ships compiled
#[derive(clap::Args)]
pub struct Options {}

const PACKAGE: &str = "fastutf-debug-speed";

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
    let mut emulator = Command::new("qemu-x86_64");
    emulator.args(["-cpu", "max", "-plugin"]).args([count::plugin(&[])?, program]);
    ensure!(emulator.status()?.success(), "debug-speed: too many instructions");
    Ok(())
}
