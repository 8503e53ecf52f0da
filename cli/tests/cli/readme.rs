//! The examples in the README show the real output.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use tempfile::TempDir;

use crate::{feed, text};

/// The commands of each recording, run one after the other in an empty directory, print the text below them.
#[test]
fn recordings() {
    let readme = include_str!("../../README.md");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_fastutf"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap());
    let mut commands = 0;
    for recording in readme.split("```console\n").skip(1) {
        let directory = TempDir::new().unwrap();
        let (recording, _) = recording.split_once("```\n").unwrap();
        for step in recording.split("$ ").skip(1) {
            let (line, expected) = step.split_once('\n').unwrap();
            let mut command = Command::new("sh");
            command.args(["-c", &format!("exec 2>&1; {line}")]).env("PATH", &path).env("LC_ALL", "C");
            let output = feed(command.current_dir(directory.path()), b"");
            assert_eq!(text(&output.stdout), expected, "{line}");
            commands += 1;
        }
    }
    assert!(commands >= 9, "{commands}");
}

/// The package contains the licences of the repository, and its README only links to files in the package.
#[test]
fn package() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let [own, root] = [package.join(name), package.join("..").join(name)];
        assert!(fs::symlink_metadata(&own).unwrap().is_file(), "{name}");
        assert!(fs::read(own).unwrap() == fs::read(root).unwrap(), "{name} differs from that of the repository");
    }
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    assert!(
        manifest.contains(r#"include = ["/src", "/README.md", "/LICENSE-*"]"#),
        "the list of packaged files has changed"
    );
    let readme = include_str!("../../README.md");
    let headings: Vec<_> = readme
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .map(|line| line.trim_matches(['#', ' ']).to_lowercase().replace(' ', "-"))
        .collect();
    for link in readme.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        let is_there =
            link.strip_prefix('#').is_some_and(|anchor| headings.iter().any(|heading| heading == anchor))
                || link.starts_with("https://")
                || package.join(link).is_file() && link.starts_with("LICENSE");
        assert!(is_there, "{link} is not in the package");
    }
}

/// The lines of a page that are not code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.starts_with("    ")
    })
}

/// The anchors of a page's headings.
fn anchors(page: &str) -> impl Iterator<Item = String> {
    let is_kept = |c: &char| c.is_alphanumeric() || "-_".contains(*c);
    let anchor = move |title: &str| title.to_lowercase().replace(' ', "-").chars().filter(is_kept).collect();
    prose(page).filter(|line| line.starts_with('#')).map(move |line| anchor(line.trim_start_matches('#').trim()))
}

/// Links between the pages of the repository lead to files, and to headings.
#[test]
fn links_of_all_pages_resolve() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let git =
        Command::new("git").current_dir(root).args(["ls-files", "-co", "--exclude-standard", "*.md"]).output();
    let pages = String::from_utf8(git.unwrap().stdout).unwrap();
    let (mut count, mut lost) = (0, Vec::new());
    for page in pages.lines() {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let lines: Vec<&str> = prose(&text).collect();
        for target in lines.join("\n").split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file =
                if file.is_empty() { root.join(page) } else { root.join(page).parent().unwrap().join(file) };
            let leads = |text: String| anchor.is_empty() || anchors(&text).any(|heading| heading == anchor);
            if !(file.is_dir() && anchor.is_empty() || fs::read_to_string(file).is_ok_and(leads)) {
                lost.push(format!("{page}: {target}"));
            }
            count += 1;
        }
    }
    assert!(count > 50, "only {count} links found: does this still look for the right thing?");
    assert!(lost.is_empty(), "links that lead nowhere:\n{}", lost.join("\n"));
}
