//! Reads the project's files, and tokens of Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, anyhow};
use proc_macro2::TokenStream;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask/ is a folder of the workspace").to_path_buf()
}

/// The cargo that runs this program, without the flags that it sets for this program.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo
}

/// Where cargo puts what it builds.
pub fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// All files below `folder` whose paths end with `ending`, sorted. If `folder` is a file, returns that.
pub fn files(folder: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if folder.is_file() {
        files.push(folder.to_path_buf());
        return Ok(files);
    }
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(self::files(&path, ending)?);
        } else if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

pub fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The tokens of Rust code. Comments are left out, and strings are single tokens.
pub fn tokens(code: &str) -> anyhow::Result<TokenStream> {
    code.parse().map_err(|error| anyhow!("not Rust: {error}"))
}
