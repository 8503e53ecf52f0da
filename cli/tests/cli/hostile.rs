//! Names and texts that contain commands for a terminal: no subcommand, format or message prints these commands.
#![cfg(target_os = "linux")]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::{fastutf, feed, unprivileged};

/// ESC, BEL, the bytes 9B and 7F, U+009B, U+061C, U+200E, U+200F, U+2028, U+202A, U+202E, U+2066, U+2069, CR, LF, BS.
const HOSTILE: &[u8] =
    b"x\x1B]0;x\x07\x1B[31m\x9B1m\x7F\xC2\x9B\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\xA8\xE2\x80\xAA\
    \xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9\r\n::error::\x08%";

fn hostile() -> &'static OsStr {
    OsStr::from_bytes(HOSTILE)
}

/// The same without the byte that is not UTF-8: arguments that are not UTF-8 may be refused without quoting them.
fn unicode() -> String {
    String::from_utf8(HOSTILE.iter().copied().filter(|&byte| byte != 0x9B).collect::<Vec<_>>())
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).replace('\u{FFFD}', "\u{9B}"))
}

/// Fails if the output contains anything that a terminal might obey. The program's own line feeds are allowed.
#[track_caller]
fn assert_harmless(bytes: &[u8], what: &str) {
    let text = str::from_utf8(bytes).unwrap_or_else(|error| panic!("{what}: {error}: {bytes:02X?}"));
    for (line, character) in text.lines().flat_map(|line| line.chars().map(move |character| (line, character))) {
        let code = u32::from(character);
        let is_harmless = !matches!(code,
            0..=0x1F | 0x7F..=0x9F | 0x61C | 0x200E | 0x200F | 0x2028..=0x202E | 0x2066..=0x206F);
        assert!(is_harmless, "{what}: U+{code:04X} in {line:?}");
    }
    // No line end of the name starts a new line of the message.
    assert!(!text.lines().any(|line| line.starts_with("::error::")), "{what}: {text:?}");
}

/// Runs a command, and returns its output. Fails if it prints something harmful, or nothing at all.
#[track_caller]
fn harmless(command: &mut Command, expected: &str) -> Output {
    let output = feed(command, b"");
    let what = format!("{command:?}");
    assert_harmless(&output.stdout, &what);
    assert_harmless(&output.stderr, &what);
    let said = String::from_utf8([output.stdout.clone(), output.stderr.clone()].concat()).unwrap();
    assert!(said.contains(expected), "{what}: {said:?} has no {expected:?}");
    output
}

/// A directory with a file of that name and with ill-formed, hostile contents; and a directory, a pipe, a link, and an
/// unreadable file.
fn folder() -> TempDir {
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(root.join(hostile()), HOSTILE).unwrap();
    fs::write(root.join("good"), "text\n").unwrap();
    let place = |name: &str| root.join([name.as_bytes(), HOSTILE].concat().iter().copied().collect::<Bytes>().0);
    fs::create_dir(place("d")).unwrap();
    symlink("..", place("d").join(hostile())).unwrap();
    symlink("nowhere", place("l")).unwrap();
    fs::write(place("secret"), "").unwrap();
    fs::set_permissions(place("secret"), fs::Permissions::from_mode(0o000)).unwrap();
    assert!(Command::new("mkfifo").arg(place("p")).status().unwrap().success());
    directory
}

/// A name from bytes.
struct Bytes(OsString);

impl FromIterator<u8> for Bytes {
    fn from_iter<T: IntoIterator<Item = u8>>(bytes: T) -> Self {
        Self(OsStr::from_bytes(&bytes.into_iter().collect::<Vec<_>>()).to_owned())
    }
}

fn named(before: &str, after: &str) -> OsString {
    [before.as_bytes(), HOSTILE, after.as_bytes()].concat().into_iter().collect::<Bytes>().0
}

/// Every report of every subcommand.
#[test]
fn reports() {
    let directory = folder();
    let root = directory.path();
    for arguments in [
        "check --all --verbose --follow",
        "check --all --format json --follow",
        "check --all --format github --follow",
        "check --no-excerpt --summary --follow",
        "check -e utf-16le --all",
        "check -e utf-16be --all",
        "stat --follow",
        "stat --format json --follow",
        "stat -e utf-16",
    ] {
        // The whole directory, and the file alone.
        harmless(fastutf(arguments).arg(".").current_dir(root), "");
        harmless(fastutf(arguments).arg(hostile()).current_dir(root), "");
        harmless(fastutf(arguments).arg(named("missing", "")).current_dir(root), "missing");
        let (_program, mut command) = unprivileged(arguments);
        harmless(command.arg(named("secret", "")).current_dir(root), "Permission denied");
    }
    // JSON contains the real name.
    let output = harmless(fastutf("check --format json").arg(hostile()).current_dir(root), "path_hex");
    let line = str::from_utf8(&output.stdout).unwrap().lines().next().unwrap();
    let json: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(json["path"], *String::from_utf8_lossy(HOSTILE));
    let hex: String = HOSTILE.iter().map(|byte| format!("{byte:02X}")).collect();
    assert_eq!(json["path_hex"], *hex);
}

/// Every message about a file.
#[test]
fn messages() {
    let directory = folder();
    let root = directory.path();
    let run = |arguments: &str, names: &[&OsStr], expected: &str| {
        harmless(fastutf(arguments).args(names).current_dir(root), expected)
    };
    let convert = "convert -f utf-8 -t utf-8";
    let [folder, pipe, file] = [&*named("d", ""), &*named("p", ""), hostile()];
    let good = OsStr::new("good");
    run(&format!("{convert} -o out"), &[file], "invalid at byte");
    run(&format!("{convert} --lossy -o out"), &[file], "replaced by U+FFFD");
    run(convert, &[&named("missing", "")], "No such file");
    run(convert, &[folder], "is a directory");
    run(&format!("{convert} -o"), &[folder, good], "is a directory");
    run(&format!("{convert} -o"), &[&named("", "/new"), good], "cannot create x");
    run(&format!("{convert} -o"), &[&named("missing", "/"), good], "no such directory");
    run(&format!("{convert} -i"), &[pipe], "is not a regular file");
    run(&format!("{convert} -i"), &[folder], "is a directory");
    run(&format!("{convert} -i"), &[&named("missing", "")], "No such file");
    run(&format!("{convert} -i"), &[file, file], "is given twice");
    let suffix = unicode();
    let taken = format!("good{suffix}");
    run(&format!("{convert} -i --backup"), &[suffix.as_ref(), good, taken.as_ref()], "would overwrite");
    run(&format!("{convert} good --output-dir"), &[file], "cannot create x");
    run(&format!("{convert} --output-dir out"), &[file, &named("./", "")], "would both be written to");
    run(&format!("{convert} --output-dir ."), &[file], "is an input");
    run(&format!("{convert} --output-dir out"), &[&named("missing", "/..")], "is not a file name");
    run(convert, &[good, file], "several files need");
    run("man --output-dir", &[file], "cannot create x");
    run("check . --glob", &[format!("[{}", unicode()).as_ref()], "--glob: ");
    run("check --follow", &[folder], "leads back to");
    // Both the input and the output.
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$1\" convert -f utf-8 -t utf-8 \"$2\" >> \"$2\"", "sh"]);
    harmless(shell.arg(fastutf("").get_program()).arg(file).current_dir(root), "is both the input and");
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$1\" convert -f utf-8 -t utf-8 -o /dev/fd/3 \"$2\" 3>> \"$2\"", "sh"]);
    harmless(shell.arg(fastutf("").get_program()).arg(file).current_dir(root), "is both the input and");
    // No file can be created next to it.
    fs::set_permissions(root.join(folder), fs::Permissions::from_mode(0o755)).unwrap();
    let there = Path::new(folder).join("there");
    fs::write(root.join(&there), "text").unwrap();
    fs::set_permissions(root.join(&there), fs::Permissions::from_mode(0o666)).unwrap();
    for arguments in ["convert -f utf-8 -t utf-16le -i".to_owned(), format!("{convert} good -o")] {
        let (_program, mut command) = unprivileged(&arguments);
        harmless(command.arg(&there).current_dir(root), "cannot create a temporary file next to it");
    }
}

/// Every error of usage that quotes an argument: with `*`, arguments can be names of files.
#[test]
fn usage() {
    let directory = folder();
    for (colours, name) in
        [("0", hostile()), ("1", hostile()), ("0", unicode().as_ref()), ("1", unicode().as_ref())]
    {
        for (arguments, before) in [
            ("", ""),
            ("", "--"),
            ("check", "--"),
            ("check", "-"),
            ("check --quiet=", ""),
            ("check --encoding", ""),
            ("check --max", ""),
            ("check --format", ""),
            ("stat --threads", ""),
            ("isa --isa", ""),
            ("isa --seconds", ""),
            ("convert", "--"),
            ("convert -t utf-8 -f", ""),
            ("convert -f utf-8 -t", ""),
            ("convert -f utf-8 -t utf-8 --bom", ""),
            ("convert -f utf-16 -t utf-8 --fallback", ""),
            ("convert -f utf-8 -t utf-8 -i good --backup", "/"),
            ("completions", ""),
            ("man", ""),
            ("help", ""),
        ] {
            let mut command = fastutf(arguments);
            command
                .arg([OsStr::new(before), name].into_iter().collect::<OsString>())
                .current_dir(directory.path());
            // With colours, the program prints its own escape sequences.
            command.env(if colours == "1" { "CLICOLOR_FORCE" } else { "NO_COLOR" }, "1");
            let mut output = feed(&mut command, b"");
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            if colours == "1" {
                let text = String::from_utf8(output.stderr).unwrap();
                output.stderr = text
                    .split("\x1B[")
                    .map(|part| {
                        // Removes clap's styles. The hostile one is 31, which is none of these.
                        let (style, rest) = part.split_once('m').unwrap_or(("", part));
                        if style.bytes().all(|byte| byte.is_ascii_digit() || byte == b';') && style != "31" {
                            rest
                        } else {
                            part
                        }
                    })
                    .collect::<String>()
                    .into_bytes();
            }
            assert_harmless(&output.stderr, &format!("{command:?}"));
            assert_harmless(&output.stdout, &format!("{command:?}"));
        }
    }
}
