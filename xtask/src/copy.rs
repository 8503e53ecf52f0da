//! Copies of the project, in which some files are changed before they are compiled.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

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

/// Writes a file, unless it already has these contents, so that it is not compiled again.
pub fn write_if_new(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap())?;
    fs::write(path, text).with_context(|| path.display().to_string())
}
