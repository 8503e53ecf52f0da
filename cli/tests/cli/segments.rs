//! Files large enough for several threads: the result is the same as in one piece.

use std::fs::{self, File};
use std::io::Write;
use std::process::Stdio;

use tempfile::TempDir;

use crate::{LABELS, encode, fail, fastutf, feed, succeed, text};

/// More than one segment for each thread, and not a multiple of anything.
fn long_text() -> String {
    "Ünï→𝒄öδé, 漢字 и 😀\n".repeat(70_001)
}

/// All pairs, with any number of threads, to a pipe and to a file.
#[test]
fn all_pairs() {
    let directory = TempDir::new().unwrap();
    let (input, output) = (directory.path().join("input"), directory.path().join("output"));
    let text = long_text();
    for from in LABELS {
        fs::write(&input, encode(&text, from)).unwrap();
        for to in LABELS {
            let expected = encode(&text, to);
            for threads in [1, 2, 5] {
                let arguments = format!("convert --threads {threads} --from {from} --to {to}");
                assert!(succeed(fastutf(&arguments).arg(&input), b"") == expected, "{arguments}");
                assert_eq!(succeed(fastutf(&arguments).arg(&input).arg("-o").arg(&output), b""), b"");
                assert!(fs::read(&output).unwrap() == expected, "{arguments}, to a file");
            }
        }
    }
}

/// Errors are the same as for a pipe: the first error, its line, and all text before it, or the number of replacements.
#[test]
fn errors() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    let text_ = long_text();
    for from in ["utf-8", "utf-16le"] {
        let mut bytes = encode(&text_, from);
        let size = bytes.len();
        // These bytes are ill-formed in both encodings. They are put at the end, then also before.
        for at in [size, size - 1, 2_000_001, 1 << 20, 17] {
            bytes.splice(at..at, [0xFF, 0xDF]);
            fs::write(&path, &bytes).unwrap();
            for options in ["", " --bom strip", " --lossy", " --lossy --bom add"] {
                let arguments = format!("convert -f {from} -t utf-8{options}");
                let ours = feed(fastutf(&arguments).arg(&path), b"");
                let theirs = feed(&mut fastutf(&arguments), &bytes);
                let name = path.to_str().unwrap();
                assert_eq!(text(&ours.stderr).replace(name, "<stdin>"), text(&theirs.stderr), "{arguments}, {at}");
                assert!(!ours.stderr.is_empty());
                assert_eq!(ours.status, theirs.status);
                assert!(ours.stdout == theirs.stdout, "{arguments}, {at}");
            }
        }
    }
}

/// A closed pipe, and a full disk.
#[test]
fn what_cannot_be_written() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    fs::write(&path, long_text()).unwrap();
    let mut child = fastutf("convert -f utf-8 -t utf-16be")
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 100];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut start).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
    if cfg!(target_os = "linux") {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = fastutf("convert -f utf-8 -t utf-16be").arg(&path).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr), "fastutf: <stdout>: No space left on device\n");
    }
}

/// A file that changes while it is converted in place is not replaced.
#[test]
fn a_file_that_changes() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("log");
    let text_ = long_text().repeat(4);
    fs::write(&path, &text_).unwrap();
    let mut log = File::options().append(true).open(&path).unwrap();
    let mut child = fastutf("convert -f utf-8 -t utf-16le --in-place --backup .b")
        .arg(&path)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = 0;
    while child.try_wait().unwrap().is_none() {
        log.write_all(b"one more line\n").unwrap();
        lines += 1;
    }
    let (_, error) = {
        let output = child.wait_with_output().unwrap();
        (output.status, text(&output.stderr).to_owned())
    };
    assert!(error.ends_with("log: changed while it was being read; convert it again\n"), "{error}");
    assert!(fs::read(&path).unwrap() == (text_ + &"one more line\n".repeat(lines)).into_bytes());
    assert_eq!(crate::files::names(directory.path()), ["log"]);
}

#[test]
fn threads() {
    for arguments in ["convert -f utf-8 -t utf-8 --threads 0", "--threads x isa"] {
        let (_, error) = fail(&mut fastutf(arguments), b"", 2);
        assert!(error.contains("for '--threads <N>'"), "{error}");
    }
}
