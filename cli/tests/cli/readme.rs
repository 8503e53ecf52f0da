//! The examples in the README and in `docs/cli.md` show the real output.

use std::env;
use std::process::Command;

use tempfile::TempDir;

use crate::{feed, text};

/// The commands of each recording, run one after the other in an empty directory, print the text below them.
#[test]
fn recordings() {
    let pages = [include_str!("../../README.md"), include_str!("../../../docs/cli.md")].concat();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_fastutf"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap());
    let mut commands = 0;
    for recording in pages.split("```console\n").skip(1) {
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
