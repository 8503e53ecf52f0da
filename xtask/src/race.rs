//! Compiles `compare` with an earlier revision of the library next to the working tree's, and compares their speed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use toml::{Table, Value};

use crate::{operations, source};

/// Races the library of the working tree against an earlier revision; fails if it became slower
#[derive(clap::Args)]
pub struct Options {
    /// Links the functions in another order, a different one for each number (with lld): shows whether a row is only
    /// slower because of the address of its code
    #[arg(long, value_name = "N")]
    layout: Option<u16>,
    /// The earlier revision: a commit, branch or tag
    revision: String,
    /// What to race, such as --operation validate_utf8 --isa avx2; --help lists the options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// The package name of the earlier library: a lock file cannot contain two local packages of one name and version.
const EARLIER: &str = "fastutf-earlier";

pub fn run(options: Options) -> anyhow::Result<()> {
    let root = source::root();
    let target = source::target(&root);
    let folder = target.join("before");
    let earlier = check_out(&root, &folder, &options.revision)?;

    let manifest = |path: &Path| -> anyhow::Result<Table> { Ok(source::read(&path.join("Cargo.toml"))?.parse()?) };
    let (new, old) = (manifest(&root)?, manifest(&earlier)?);
    let package = package(new, manifest(&root.join("compare"))?, &root, &old, &earlier)?;
    let race = folder.join("race");
    fs::create_dir_all(&race)?;
    fs::write(race.join("Cargo.toml"), package.to_string())?;
    // The same versions of all dependencies.
    fs::copy(root.join("Cargo.lock"), race.join("Cargo.lock"))?;

    // Align functions to cache lines: otherwise, the address of a loop changes its speed by some per cent.
    let mut flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    flags += " --cfg fastutf_before -Cllvm-args=-align-all-functions=6";
    let had = operations::all(&earlier)?;
    for lacked in operations::all(&root)?.iter().filter(|operation| !had.contains(operation)) {
        flags += &format!(" --cfg {lacked}");
    }
    let built = folder.join("target");
    let layout = options.layout.map(|seed| format!("-Clink-arg=-Wl,--shuffle-sections=.text.*={seed}"));
    let status = source::cargo()
        .args(["rustc", "--quiet", "--release", "--target-dir"])
        .arg(&built)
        .arg("--manifest-path")
        .arg(race.join("Cargo.toml"))
        .arg("--")
        .args(layout)
        .env("RUSTFLAGS", flags)
        .status()?;
    ensure!(status.success(), "race: the two do not compile together");
    let status =
        Command::new(built.join("release/fastutf-race")).arg("before").args(options.arguments).status()?;
    ensure!(status.success(), "race: some operations are slower than in {}", options.revision);
    Ok(())
}

/// The library at a revision, in a folder of that revision.
fn check_out(root: &Path, folder: &Path, revision: &str) -> anyhow::Result<PathBuf> {
    let mut git = Command::new("git");
    let found =
        git.current_dir(root).args(["rev-parse", "--verify", &format!("{revision}^{{commit}}")]).output()?;
    ensure!(found.status.success(), "race: {}", String::from_utf8_lossy(&found.stderr).trim());
    let commit = String::from_utf8(found.stdout)?.trim().to_owned();
    let library = folder.join(&commit);
    if library.exists() {
        return Ok(library);
    }
    // The folder gets its final name when it is complete.
    let part = folder.join("part");
    let _ = fs::remove_dir_all(&part);
    fs::create_dir_all(&part)?;
    let mut archive =
        Command::new("git").current_dir(root).args(["archive", &commit]).stdout(Stdio::piped()).spawn()?;
    let files = archive.stdout.take().context("the output of git is piped")?;
    let unpacked = Command::new("tar").args(["-x", "-C"]).arg(&part).stdin(files).status()?;
    ensure!(archive.wait()?.success() && unpacked.success(), "race: cannot unpack {revision}");
    let manifest = part.join("Cargo.toml");
    fs::write(&manifest, renamed(source::read(&manifest)?.parse()?)?.to_string())?;
    fs::rename(&part, &library)?;
    Ok(library)
}

/// The manifest of the earlier library. Only that is compiled.
fn renamed(mut library: Table) -> anyhow::Result<Table> {
    table(&mut library, "package")?.insert("name".into(), EARLIER.into());
    without_members(table(&mut library, "workspace")?);
    Ok(library)
}

/// The manifest of `compare` outside of its workspace at `root`, with the earlier library as another dependency, of which it
/// gets the same features, if they are there.
fn package(
    mut workspace: Table,
    mut compare: Table,
    root: &Path,
    old: &Table,
    earlier: &Path,
) -> anyhow::Result<Table> {
    let folder = root.join("compare");
    let dependencies = table(&mut compare, "dependencies")?;
    for dependency in dependencies.iter_mut().filter_map(|(_, dependency)| dependency.as_table_mut()) {
        if let Some(path) = dependency.get_mut("path") {
            *path = text(&folder.join(path.as_str().context("a path is a string")?));
        }
    }
    let had = old.get("features").and_then(Value::as_table).context("the earlier library has no features")?;
    let full = workspace.get("features").and_then(|features| features.get("full")?.as_array());
    let mut features = full.context("no feature `full`")?.clone();
    features.retain(|feature| feature.as_str().is_some_and(|feature| had.contains_key(feature)));
    let earlier = [("package", EARLIER.into()), ("path", text(earlier)), ("features", features.into())];
    let earlier = Table::from_iter(earlier.map(|(key, value)| (key.to_owned(), value)));
    dependencies.insert("earlier".into(), earlier.into());
    let program = [("name".into(), "fastutf-race".into()), ("path".into(), text(&folder.join("src/main.rs")))];
    compare.insert("bin".into(), Value::Array(vec![Table::from_iter(program).into()]));
    without_members(table(&mut workspace, "workspace")?);
    for part in ["workspace", "profile"] {
        compare.insert(part.into(), workspace.remove(part).with_context(|| format!("no [{part}]"))?);
    }
    Ok(compare)
}

fn table<'a>(manifest: &'a mut Table, name: &str) -> anyhow::Result<&'a mut Table> {
    manifest.get_mut(name).and_then(Value::as_table_mut).with_context(|| format!("Cargo.toml has no [{name}]"))
}

/// Keeps the parts that packages inherit.
fn without_members(workspace: &mut Table) {
    for key in ["members", "default-members", "exclude"] {
        workspace.remove(key);
    }
}

fn text(path: &Path) -> Value {
    path.to_string_lossy().into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_libraries_are_dependencies_of_the_race() {
        let workspace = "[workspace]\nmembers = ['compare']\npackage.version = '1.0.0'\n[profile.release]\nlto = true\n\
             [features]\nfull = ['std', 'new']";
        let old = "[features]\nstd = []".parse().expect("it is TOML");
        let workspace: Table = workspace.parse().expect("it is TOML");
        let compare = "[package]\nversion.workspace = true\n[dependencies]\nclap = '4'\nfastutf.path = '..'";
        let compare = compare.parse().expect("it is TOML");
        let library = renamed(workspace.clone()).unwrap_err();
        assert!(library.to_string().contains("[package]"));

        let package =
            package(workspace, compare, Path::new("project"), &old, Path::new("earlier")).expect("all is there");
        assert_eq!(package["dependencies"]["fastutf"]["path"].as_str(), Some("project/compare/.."));
        assert_eq!(package["dependencies"]["earlier"]["path"].as_str(), Some("earlier"));
        assert_eq!(package["dependencies"]["earlier"]["features"].as_array().map(Vec::len), Some(1));
        assert_eq!(package["dependencies"]["clap"].as_str(), Some("4"));
        assert_eq!(package["profile"]["release"]["lto"].as_bool(), Some(true));
        let workspace = package["workspace"].as_table().expect("it is one of its own");
        assert!(workspace.contains_key("package") && !workspace.contains_key("members"));
    }
}
