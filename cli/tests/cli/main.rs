//! Tests of the built `fastutf` program, from the outside.

mod check;
mod convert;
mod detect;
mod files;
mod forms;
mod generate;
mod guess;
mod hostile;
mod iconv;
mod isa;
mod many;
mod paths;
#[cfg(unix)]
mod readme;
#[cfg(unix)]
mod robust;
mod samples;
mod segments;
mod stat;
mod stream;
#[cfg(unix)]
mod terminal;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use fastutf_testkit::oracle::form::Form;
#[cfg(unix)]
use tempfile::TempDir;

/// The labels of the four encodings.
const LABELS: [&str; 4] = ["utf-8", "utf-16", "utf-16le", "utf-16be"];

/// The program with these arguments, separated by spaces.
fn fastutf(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fastutf"));
    command.args(arguments.split_whitespace());
    command
}

/// The program with these arguments, run by a user who, unlike root, may not read and write everything. The caller must
/// keep the directory until the program has run.
#[cfg(unix)]
fn unprivileged(arguments: &str) -> (TempDir, Command) {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let directory = TempDir::new().unwrap();
    let everything = directory.path().join("everything");
    std::fs::write(&everything, "").unwrap();
    std::fs::set_permissions(&everything, std::fs::Permissions::from_mode(0o0)).unwrap();
    let mut command = fastutf(arguments);
    if std::fs::File::open(&everything).is_ok() {
        // In a place where another user may run it.
        let program = directory.path().join("program");
        std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        // Another process writes the copy. If this one did, a child that another test starts at this moment would
        // inherit the file open for writing, and such a file cannot be run.
        assert!(Command::new("cp").arg(command.get_program()).arg(&program).status().unwrap().success());
        let mut other = Command::new(program);
        other.args(command.get_args()).uid(65534).gid(65534);
        command = other;
    }
    (directory, command)
}

/// Runs a program to its end on this standard input. Environment variables that change the output are removed, unless
/// the command sets them.
fn feed(command: &mut Command, stdin: &[u8]) -> Output {
    for name in ["CI", "CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR", "COLUMNS"] {
        if !command.get_envs().any(|(set, _)| set == name) {
            command.env_remove(name);
        }
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    thread::scope(|scope| {
        // A program that stops at an error does not read everything.
        scope.spawn(move || pipe.write_all(stdin).ok());
        child.wait_with_output().unwrap()
    })
}

/// Runs a program that should succeed without messages, and returns its standard output.
#[track_caller]
fn succeed(command: &mut Command, stdin: &[u8]) -> Vec<u8> {
    let output = feed(command, stdin);
    assert_eq!(text(&output.stderr), "", "{command:?}");
    assert_eq!(output.status.code(), Some(0), "{command:?}");
    output.stdout
}

/// Runs a program that should exit with this status, and returns its standard output and standard error.
#[track_caller]
fn fail(command: &mut Command, stdin: &[u8], status: i32) -> (Vec<u8>, String) {
    let output = feed(command, stdin);
    let stderr = text(&output.stderr).to_owned();
    assert_eq!(output.status.code(), Some(status), "{command:?}: {stderr}");
    (output.stdout, stderr)
}

/// Messages are UTF-8.
#[track_caller]
fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

/// All labels of encodings, as the message on one that does not exist lists them.
fn every_label() -> Vec<String> {
    let (_, error) = fail(&mut fastutf("check -e none"), b"", 2);
    let (_, rest) = error.split_once("[possible values: ").expect("it lists them");
    let (all, _) = rest.split_once(", detect]").expect("what is no encoding comes last");
    all.split(", ").map(str::to_owned).collect()
}

/// Encodes `text` as the oracles do, in the encoding with this label.
fn encode(text: &str, label: &str) -> Vec<u8> {
    match label {
        "utf-16" | "utf-32" => encode(&format!("\u{FEFF}{text}"), &format!("{label}be")),
        _ => Form::of_encoding(label).encode(text.chars().map(u32::from)),
    }
}

/// Whether the encoding with this label has all characters of `text`.
fn has(label: &str, text: &str) -> bool {
    let form = Form::of_encoding(label);
    text.chars().all(|character| form.has(character.into()))
}

/// The path of a shipped sample text.
fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").join(name)
}

/// The sample text.
fn sample_text() -> String {
    std::fs::read_to_string(sample("multilingual.utf8.txt")).unwrap()
}
