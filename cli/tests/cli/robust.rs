//! If the program is killed or interrupted, or the disk is full, files contain either the original or the whole result.
// Other systems can run only some of these tests.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::files::names;
use crate::{encode, fail, fastutf, feed, succeed, text};

/// Sends a signal by its name.
fn signal(child: &Child, name: &str) {
    let arguments = ["-c", "kill -s \"$1\" \"$2\"", "sh", name, &child.id().to_string()];
    assert!(Command::new("sh").args(arguments).status().unwrap().success());
}

/// Starts a conversion to the existing file `out`. It has written to its temporary file, and waits for more input.
fn in_the_middle(directory: &Path, command: &mut Command) -> Child {
    fs::write(directory.join("out"), "as it was").unwrap();
    let mut child = command
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"some text").unwrap();
    let is_written = || {
        let mut entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
        entries.any(|entry| {
            entry.file_name().to_str().unwrap().starts_with(".fastutf-")
                && entry.metadata().is_ok_and(|metadata| metadata.len() == 18)
        })
    };
    let begun = Instant::now();
    while !is_written() {
        assert!(begun.elapsed() < Duration::from_secs(600), "nothing is written");
        sleep(Duration::from_millis(1));
    }
    child
}

/// On Ctrl-C and similar signals, the temporary file is removed, and the exit status contains the signal. (Programs
/// that a shell starts in the background ignore Ctrl-C, and so would the tests. Hence `--default-signal`.)
#[test]
#[cfg(target_os = "linux")]
fn interrupted() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)] {
        let directory = TempDir::new().unwrap();
        let program = fastutf("convert -f utf-8 -t utf-16le -o out");
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP,QUIT").arg(program.get_program()).args(program.get_args());
        let mut child = in_the_middle(directory.path(), &mut command);
        // The pipe stays open, or the program might end before the signal.
        let _stdin = child.stdin.take();
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(number), "{name}");
        assert_eq!(text(&output.stderr), "");
        assert_eq!(names(directory.path()), ["out"], "{name}");
        assert_eq!(fs::read(directory.path().join("out")).unwrap(), b"as it was");
    }
}

/// If a signal is ignored when the program starts, as with `nohup`, it stays ignored.
#[test]
#[cfg(target_os = "linux")]
fn ignored_signals() {
    let directory = TempDir::new().unwrap();
    let program = fastutf("convert -f utf-8 -t utf-16le -o out");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(program.get_program()).args(program.get_args());
    let mut child = in_the_middle(directory.path(), &mut command);
    signal(&child, "HUP");
    sleep(Duration::from_millis(20));
    child.stdin.as_mut().unwrap().write_all(b", and more").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    assert_eq!(fs::read(directory.path().join("out")).unwrap(), encode("some text, and more", "utf-16le"));
}

/// Killed at any moment, in place and with a backup: each file contains its original or its conversion, and the backup,
/// if it exists, contains the original. Only a temporary file may be left over, and only if the program could not
/// remove it.
#[test]
fn killed_at_any_moment() {
    let text = "Ünï→𝒄öδé, 漢字 и 😀\n".repeat(60_000);
    let (old, new) = (text.as_bytes(), encode(&text, "utf-16le"));
    let (mut originals, mut results) = (0, 0);
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    // A little longer than an undisturbed run takes.
    fs::write(directory.join("a"), old).unwrap();
    fs::write(directory.join("b"), old).unwrap();
    let begun = Instant::now();
    let arguments = "convert -f utf-8 -t utf-16le --in-place --backup .orig a b";
    succeed(fastutf(arguments).current_dir(directory), b"");
    let time = begun.elapsed() * 5 / 4;
    for round in 0..40 {
        let name = ["KILL", "INT"][round % 2];
        for file in ["a", "b"] {
            fs::write(directory.join(file), old).unwrap();
            let _ = fs::remove_file(directory.join(format!("{file}.orig")));
        }
        let mut child = fastutf(arguments).current_dir(directory).spawn().unwrap();
        // The last round is not killed.
        if round < 39 {
            sleep(time * round as u32 / 39);
            signal(&child, name);
        }
        child.wait().unwrap();
        for file in names(directory) {
            let path = directory.join(&file);
            let content = fs::read(&path).unwrap();
            match &*file {
                "a" | "b" if content == old => originals += 1,
                "a" | "b" if content == new => results += 1,
                "a.orig" | "b.orig" if content == old => {}
                _ if file.starts_with(".fastutf-") && name == "KILL" => fs::remove_file(path).unwrap(),
                _ => panic!("{name}, round {round}: {file} has {} bytes", content.len()),
            }
        }
    }
    assert!(results > 0, "the last round is not killed");
    if originals == 0 {
        eprintln!("NOT TESTED: this machine was too slow to kill anything in time");
    }
    eprintln!("{originals} files were as before, {results} converted");
}

/// If the disk is full, existing files stay, nothing is left over, and the message says why. Needs the right to mount.
#[test]
#[cfg(target_os = "linux")]
fn full_disk() {
    /// A file system in memory, of 1 MB.
    struct Disk(PathBuf);
    impl Drop for Disk {
        fn drop(&mut self) {
            Command::new("umount").arg("--lazy").arg(&self.0).status().unwrap();
        }
    }
    let directory = TempDir::new().unwrap();
    let mount = ["-t", "tmpfs", "-o", "size=1m", "fastutf-test"];
    let mounted = Command::new("mount").args(mount).arg(directory.path()).stderr(Stdio::null()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("NOT TESTED: a full disk, as this user cannot mount one");
        return;
    }
    let disk = Disk(directory.path().to_owned());
    let path = |name: &str| disk.0.join(name);
    let text = "ł".repeat(200_000);
    fs::write(path("text"), &text).unwrap();
    fs::write(path("out"), "as it was").unwrap();
    fs::write(path("rest"), vec![0; 400_000]).unwrap();
    for (arguments, output) in [
        ("text -o out", "out"),
        ("text -o new", "new"),
        ("-i text", "text"),
        ("-i text --backup .orig", "text"),
        ("text --output-dir sub", "sub/text"),
    ] {
        let mut command = fastutf(&format!("convert -f utf-8 -t utf-16le {arguments}"));
        let (_, error) = fail(command.current_dir(&disk.0), b"", 2);
        assert_eq!(
            error,
            format!(
                "fastutf: {output}: No space left on device; nothing was changed there; free some space, \
                 or write elsewhere with `-o` or `--output-dir`\n"
            )
        );
        let _ = fs::remove_dir(path("sub"));
        assert_eq!(names(&disk.0), ["out", "rest", "text"], "{arguments}");
        assert_eq!(fs::read(path("out")).unwrap(), b"as it was");
        assert!(fs::read(path("text")).unwrap() == text.as_bytes());
    }
    fs::remove_file(path("rest")).unwrap();
    succeed(fastutf("convert -f utf-8 -t utf-16le -i text").current_dir(&disk.0), b"");
}

/// The most memory a program has used at a time, in KB, and its exit status.
#[cfg(target_os = "linux")]
fn peak(command: &mut Command) -> (u64, Option<i32>) {
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    loop {
        // This file disappears when the program exits. The last value before that is good enough.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(size) = line.and_then(|line| line.split_whitespace().next()) {
            peak = size.parse().unwrap();
        }
        if let Some(status) = child.try_wait().unwrap() {
            return (peak, status.code());
        }
        sleep(Duration::from_millis(1));
    }
}

/// 10 GB from a file, in segments, and 1 GB from the standard input, take constant memory. Holes in files read as
/// U+0000, which is valid.
#[test]
#[cfg(target_os = "linux")]
fn constant_memory() {
    // In memory if possible: otherwise, the file would fill the disk cache.
    let directory = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap();
    let path = directory.path().join("zeros");
    fs::File::create(&path).unwrap().set_len(10_000_000_000).unwrap();
    let (peak_file, status) = peak(fastutf("convert -f utf-8 -t utf-16le --threads 4").arg(&path));
    assert_eq!(status, Some(0));
    assert!((1000..12_000).contains(&peak_file), "{peak_file} KB");
    // This is slower, and takes constant memory, too.
    fs::File::create(&path).unwrap().set_len(1_000_000_000).unwrap();
    for arguments in ["convert -f utf-8 -t utf-16le", "convert --lossy -f utf-16le -t utf-8"] {
        let (peak_stdin, status) = peak(fastutf(arguments).stdin(fs::File::open(&path).unwrap()));
        assert_eq!(status, Some(0));
        assert!((1000..12_000).contains(&peak_stdin), "{arguments}: {peak_stdin} KB");
    }
}

/// Exceeding the shell's limit on file sizes is an error, as a full disk is.
#[test]
#[cfg(target_os = "linux")]
fn too_large_a_file() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("out"), "as it was").unwrap();
    let program = fastutf("convert -f utf-8 -t utf-16 -o out");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 100; exec \"$@\"", "sh"]).arg(program.get_program()).args(program.get_args());
    let (_, error) = fail(command.current_dir(directory), &[b'x'; 1 << 20], 2);
    assert_eq!(error, "fastutf: out: File too large\n");
    assert_eq!(names(directory), ["out"]);
    assert_eq!(fs::read(directory.join("out")).unwrap(), b"as it was");
}

/// If the input is truncated while it is read, that is an error.
#[test]
fn an_input_that_becomes_shorter() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let path = directory.join("in");
    for len in [1_000_000, 8_000_000] {
        fs::write(&path, vec![b'x'; len]).unwrap();
        let mut command = fastutf("convert -f utf-8 -t utf-16le in");
        let mut child =
            command.current_dir(directory).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program has written something. Nothing reads on, so it waits.
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 2]).unwrap();
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(10).unwrap();
        std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr), "fastutf: in: changed while it was being read; convert it again\n");
    }
}

/// Any number of threads is accepted.
#[test]
fn many_threads() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("in"), vec![b'x'; 8_000_000]).unwrap();
    for command in ["check in", "stat in", "convert -f utf-8 -t utf-16le in -o out"] {
        let mut command = fastutf(&format!("{command} --threads 9999999999"));
        assert_eq!(feed(command.current_dir(directory), b"").status.code(), Some(0), "{command:?}");
    }
}

/// A descriptor that cannot be read does not count as empty text, and one that cannot be written is an error.
#[test]
#[cfg(target_os = "linux")]
fn descriptors_of_the_wrong_kind() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("file"), b"x\xFF").unwrap();
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).arg(fastutf("").get_program()).current_dir(directory);
        fail(&mut command, b"", 2)
    };
    for script in [
        "\"$1\" check 0> other",
        "\"$1\" convert -f utf-8 -t utf-16 -o out 0> other",
        "\"$1\" check file 1< /dev/null",
        "\"$1\" stat file 1< /dev/null",
        "\"$1\" convert -f utf-8 -t utf-8 --lossy file 1< /dev/null",
    ] {
        let (_, error) = shell(script);
        assert!(error.lines().any(|line| line.ends_with(">: Bad file descriptor")), "{script}: {error}");
    }
    assert_eq!(names(directory), ["file", "other"]);
}
