//! The packages that users get from the registry, and the programs of the documentation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::source;

/// Checks the packages for the registry: their files, the READMEs' links, and that the library's README has programs that run
#[derive(clap::Args)]
pub struct Options {}

/// Writes the programs in a page: each block of C, C++ or Rust, to FOLDER/program1.c and so on
#[derive(clap::Args)]
pub struct Programs {
    page: PathBuf,
    folder: PathBuf,
}

const SHARED: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
const LIBRARY: [&str; 6] =
    ["SAFETY.md", "SECURITY.md", "CHANGELOG.md", "docs/design.md", "docs/glossary.md", "docs/performance.md"];

pub fn run(_: Options) -> anyhow::Result<()> {
    let root = source::root();
    contents(&root, "fastutf", "README.md", &LIBRARY)?;
    contents(&root, "fastutf-cli", "cli/README.md", &[])?;
    contents(&root, "fastutf-tokio", "tokio/README.md", &[])?;

    // The programs of the README, with the library as it is packaged.
    let out = source::target(&root).join("package-check");
    let _ = fs::remove_dir_all(&out);
    let version = env!("CARGO_PKG_VERSION");
    cargo(&root, &["package", "--quiet", "--allow-dirty", "--no-verify", "-p", "fastutf"], &out)?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(out.join(format!("package/fastutf-{version}.crate"))).arg("-C").arg(&out);
    ensure!(tar.status()?.success(), "package: the package cannot be unpacked");
    let folder = out.join("programs");
    let programs = write_programs(&root.join("README.md"), &folder.join("src/bin"))?;
    let library = format!("fastutf-{version}");
    fs::write(out.join("Cargo.toml"), format!("[workspace]\nmembers = ['programs', '{library}']"))?;
    let toml = format!("[package]\nname='programs'\nedition='2024'\n[dependencies]\nfastutf.path='../{library}'");
    fs::write(folder.join("Cargo.toml"), toml)?;
    fs::copy(root.join("Cargo.lock"), out.join("Cargo.lock"))?;
    // The package goes without the files of some tests, and the others compile.
    cargo(&out, &["check", "--quiet", "--profile=test", "--lib", "--all-features", "-p", "fastutf"], &out)?;
    for program in &programs {
        let name = program.file_stem().context("a program has a name")?.to_string_lossy();
        cargo(&folder, &["run", "--quiet", "--bin", &name], &out)?;
    }
    println!("packages: complete; {} programs of README.md compile and run as they stand", programs.len());
    Ok(())
}

fn cargo(folder: &Path, arguments: &[&str], target: &Path) -> anyhow::Result<()> {
    let mut cargo = source::cargo();
    cargo.current_dir(folder).args(arguments).env("CARGO_TARGET_DIR", target).env("RUSTFLAGS", "-Dwarnings");
    ensure!(cargo.status()?.success(), "package: cargo {} fails", arguments.join(" "));
    Ok(())
}

/// Fails unless a package contains all these files, and a README without links to places in the repository.
fn contents(root: &Path, package: &str, readme: &str, files: &[&str]) -> anyhow::Result<()> {
    let mut list = source::cargo();
    list.current_dir(root).args(["package", "--quiet", "--allow-dirty", "--list", "-p", package]);
    let list = String::from_utf8(list.output()?.stdout)?;
    for file in SHARED.iter().chain(files) {
        ensure!(list.lines().any(|line| line == *file), "{package}: its package has no {file}");
    }
    ensure!(!list.contains("/proof/") && !list.contains("tests.rs"), "{package}: a file of tests is in it");
    let readme_text = source::read(&root.join(readme))?;
    let lost = lost_links(&readme_text);
    ensure!(lost.is_empty(), "{readme}: on the registry's page, these links lead nowhere: {}", lost.join(", "));
    Ok(())
}

/// Links to neither a web page nor a place in the text: registries resolve them relative to the repository's address, and
/// the packages do not specify one.
fn lost_links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !["#", "http:", "https:"].iter().any(|start| target.starts_with(start))).collect()
}

pub fn write(programs: Programs) -> anyhow::Result<()> {
    write_programs(&programs.page, &programs.folder).map(|_| ())
}

fn write_programs(page: &Path, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    let mut files = Vec::new();
    for (extension, program) in programs(&source::read(page)?) {
        let file = folder.join(format!("program{}.{extension}", files.len() + 1));
        fs::write(&file, format!("{program}\n"))?;
        files.push(file);
    }
    ensure!(files.len() >= 3, "{}: only {} programs found", page.display(), files.len());
    Ok(files)
}

/// The blocks of code of a page that are whole programs, with the extensions of their files.
fn programs(page: &str) -> Vec<(&'static str, &str)> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    let extensions = [("rust", "rs"), ("c", "c"), ("cpp", "cpp")];
    let extension = |language| extensions.into_iter().find(|(name, _)| *name == language);
    let parts = blocks.filter_map(|block| block.split_once('\n'));
    parts.filter_map(|(language, code)| Some((extension(language)?.1, code))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_whole_blocks() {
        let page = "a\n```c\nint a;\nint b;\n```\n\n```text\n1\n```\nb ```rust\n```rust\nfn main() {}\n```\n";
        assert_eq!(programs(page), [("c", "int a;\nint b;"), ("rs", "fn main() {}")]);
    }

    #[test]
    fn links_into_the_repository_are_lost() {
        assert_eq!(lost_links("[a](#b) [c](d.md) [e](https://f) [g](ftp://h)"), ["d.md", "ftp://h"]);
    }
}
