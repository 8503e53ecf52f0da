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
