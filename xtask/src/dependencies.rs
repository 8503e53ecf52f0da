//! What the library and the other workspaces depend on.

use std::process::Command;

use anyhow::{bail, ensure};

use crate::{copy, source};

/// Checks that the library depends on cfg-if alone by default, and every workspace on crates.io alone
#[derive(clap::Args)]
pub struct Options {
    /// Also checks licences, and advisories if their database can be had, with cargo-deny, which takes minutes to install
    #[arg(long)]
    full: bool,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let root = source::root();
    // Without optional features.
    for (manifest, package) in [("Cargo.toml", "fastutf"), ("capi/Cargo.toml", "fastutf-capi")] {
        let tree = ["tree", "--quiet", "--locked", "-e", "normal,build", "--target", "all", "--prefix", "none"];
        let mut cargo = source::cargo();
        let output =
            cargo.current_dir(&root).args(tree).args(["--manifest-path", manifest, "-p", package]).output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for line in String::from_utf8(output.stdout)?.lines() {
            let name = line.split(' ').next().unwrap_or_default();
            ensure!([package, "fastutf", "cfg-if"].contains(&name), "{package} now depends on {name}");
        }
    }
    for lock in copy::files(&root)?.iter().filter(|path| path.ends_with("Cargo.lock")) {
        if let Some(source) = foreign(&source::read(&root.join(lock))?) {
            bail!("{lock}: {source} is not from crates.io");
        }
    }
    if options.full {
        deny(&["check", "bans", "licenses", "sources"])?;
        if deny(&["fetch", "db"]).is_ok() {
            deny(&["check", "advisories"])?;
        } else {
            println!("NOT TESTED: advisories, as their database cannot be had");
        }
    }
    Ok(())
}

/// A package of a lock file that is neither from crates.io nor from this repository.
fn foreign(lock: &str) -> Option<&str> {
    const REGISTRY: &str = "\"registry+https://github.com/rust-lang/crates.io-index\"";
    lock.lines().filter_map(|line| line.strip_prefix("source = ")).find(|&source| source != REGISTRY)
}

fn deny(arguments: &[&str]) -> anyhow::Result<()> {
    if Command::new("cargo-deny").arg("--version").output().is_err() {
        let installed =
            source::cargo().args(["install", "--locked", "cargo-deny", "--version", "0.20.2"]).status()?;
        ensure!(installed.success(), "cargo-deny cannot be installed");
    }
    let status =
        source::cargo().current_dir(source::root()).args(["deny", "--all-features"]).args(arguments).status()?;
    ensure!(status.success(), "cargo deny {}", arguments.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sources_are_found() {
        let registry = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
        assert_eq!(foreign(registry), None);
        let git = "source = \"git+https://example.com/a\"\n";
        assert_eq!(foreign(&[registry, git].concat()), Some("\"git+https://example.com/a\""));
    }
}
