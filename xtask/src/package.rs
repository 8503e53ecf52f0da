//! The packages that users get from the registry, and the programs of the documentation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::source;

/// Checks the packages for the registry, the links of all pages, and that the library's README has programs that run
#[derive(clap::Args)]
pub struct Options {}

/// Writes the programs in a page: each block of C, C++ or Rust, to FOLDER/program1.c and so on
#[derive(clap::Args)]
pub struct Programs {
    page: PathBuf,
    folder: PathBuf,
}

pub fn run(_: Options) -> anyhow::Result<()> {
    let root = source::root();
    for folder in ["", "cli", "tokio", "engines/arrow", "engines/datafusion"] {
        contents(&root, folder)?;
    }
    lost_links(&root)?;

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

/// Fails unless a package contains its README and copies of the licences, and no tests. (A link is text where git makes none.)
fn contents(root: &Path, folder: &str) -> anyhow::Result<()> {
    let (own, last) = (root.join(folder), folder.rsplit('/').next().unwrap_or_default());
    let arguments = format!("package -q --allow-dirty --list -p fastutf-{last}");
    let arguments = arguments.trim_end_matches('-').split(' ');
    let list = String::from_utf8(source::cargo().current_dir(&own).args(arguments).output()?.stdout)?;
    ensure!(!list.contains("/proof/") && !list.contains("tests.rs"), "{folder}: tests are in its package");
    for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        let file = own.join(name);
        let is_right = name == "README.md" || fs::read(&file)? == fs::read(root.join(name))?;
        ensure!(is_right && !file.is_symlink() && list.contains(name), "{folder}: {name} is missing, or no copy");
    }
    Ok(())
}

/// Links from pages to files that are not there, or to headings that these do not have; any in the page of the wheel, whose
/// index knows no repository.
fn lost_links(root: &Path) -> anyhow::Result<()> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-co", "--exclude-standard", "*.md"]);
    for name in String::from_utf8(git.output()?.stdout)?.lines() {
        let page = root.join(name);
        for target in links(&source::read(&page)?) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            let has = |text: String| heading.is_empty() || headings(&text).any(|known| known == heading);
            let leads = file.exists() && has(fs::read_to_string(&file).unwrap_or_default());
            ensure!(leads && name != "python/README.md", "{name}: the link {target} leads nowhere");
        }
    }
    Ok(())
}

/// Targets of links that are no web pages.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|target| !target.starts_with("http"))
}

/// The names of a page's headings in links.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let kept = |letter: &char| letter.is_alphanumeric() || "-_ ".contains(*letter);
    let titles = text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_matches(['#', ' ']));
    titles.map(move |title| title.chars().filter(kept).collect::<String>().to_lowercase().replace(' ', "-"))
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
    fn links_and_headings() {
        let page = "# A & B: c\n[a](#b) [c](d.md#e) [e](https://f)";
        assert!(links(page).eq(["#b", "d.md#e"]) && headings(page).eq(["a--b-c"]));
    }
}
