//! Copies of the project, in which some files are changed before they are compiled.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::source;

/// The paths of the project's files, relative to its root: those that git tracks, and new ones that it does not ignore.
pub fn files(root: &Path) -> anyhow::Result<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()?;
    ensure!(listed.status.success(), "git ls-files failed");
    let paths = String::from_utf8(listed.stdout)?;
    // Tracked files may be deleted without a commit.
    Ok(paths.split_terminator('\0').filter(|path| root.join(path).is_file()).map(String::from).collect())
}

/// Copies the project, with these contents of each file, or without it. Files that have them already keep their time stamps, so that they are
/// not compiled again.
pub fn make(
    root: &Path,
    copy: &Path,
    contents: &dyn Fn(&str) -> anyhow::Result<Option<Vec<u8>>>,
) -> anyhow::Result<()> {
    let files = files(root)?;
    remove_others(copy, &files)?;
    for path in &files {
        if let Some(contents) = contents(path)? {
            write_if_new(&copy.join(path), &contents)?;
        }
    }
    Ok(())
}

/// Removes what an earlier copy has in `src` and the project no longer has, except for the module that emulation adds. Two
/// files for one module do not compile.
fn remove_others(copy: &Path, files: &[String]) -> anyhow::Result<()> {
    let src = copy.join("src");
    if !src.is_dir() {
        return Ok(());
    }
    for path in source::files(&src, "")? {
        let inside = path.strip_prefix(copy)?.to_string_lossy().into_owned();
        if !files.contains(&inside) && inside != "src/emulated.rs" {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Writes a file, unless it already has these contents, so that it is not compiled again.
pub fn write_if_new(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap())?;
    fs::write(path, text).with_context(|| path.display().to_string())
}
