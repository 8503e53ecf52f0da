//! UTF-16 without a BOM, and guessed encodings: the output must never be garbled text with status 0.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use tempfile::TempDir;

use crate::files::names;
use crate::{encode, fail, fastutf, feed, sample, sample_text, succeed, text};

const LITTLE: &str = "has no byte-order mark, and looks like UTF-16LE; use `--fallback le`, or `--fallback be` if it is big-endian\n";
const EIGHT_BIT: &str = "has no byte-order mark, and looks like UTF-8 and not like UTF-16; use `--from utf-8`, or `--fallback be` \
                         if it is UTF-16\n";
const UNKNOWN: &str =
    "has no byte-order mark, and its byte order cannot be detected; use `--fallback be` or `--fallback le`\n";

/// Input declared as UTF-16 that has no BOM and does not look big-endian is refused: from a pipe, from a file, to a
/// file, in place, with replacement, among other files. Nothing is written, and the options in the message help.
#[test]
fn refused() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let long = encode(&sample_text().repeat(100), "utf-16le");
    for (input, why, cure, result) in [
        (&b"h\0i\0"[..], LITTLE, "--fallback le", "hi"),
        (b"hello\n", EIGHT_BIT, "--from utf-8", "hello\n"),
        (b"hello\n", EIGHT_BIT, "--fallback be", "桥汬漊"),
        (b"caf\xE9", UNKNOWN, "--fallback be", "\u{6361}\u{66E9}"),
        (b"\x87\x76\x9B\xE8", UNKNOWN, "--fallback be", "蝶鯨"),
        // A digit, or an ideographic space.
        (b"\x30\x00", UNKNOWN, "--fallback le", "0"),
        (&long, LITTLE, "--fallback le", &sample_text().repeat(100)),
    ] {
        for options in ["", "--lossy", "--bom keep"] {
            let convert = format!("convert -f utf-16 -t utf-8 {options}");
            let run = |arguments: &str, status| {
                let arguments = format!("{convert} {arguments}");
                fail(fastutf(&arguments).current_dir(directory), input, status)
            };
            let expected = |name: &str| format!("fastutf: {name}: {why}");
            assert_eq!(run("", 1), (vec![], expected("<stdin>")));
            assert_eq!(run("--bom add", if options.contains("bom") { 2 } else { 1 }).0, b"");
            fs::write(directory.join("in"), input).unwrap();
            fs::write(directory.join("there"), "as it was").unwrap();
            assert_eq!(run("in", 1), (vec![], expected("in")));
            assert_eq!(run("in -o there", 1), (vec![], expected("in")));
            assert_eq!(run("in -o new", 1), (vec![], expected("in")));
            assert_eq!(run("-i in --backup ~", 1), (vec![], expected("in")));
            assert_eq!(names(directory), ["in", "there"]);
            assert!(fs::read(directory.join("in")).unwrap() == input);
            assert_eq!(fs::read(directory.join("there")).unwrap(), b"as it was");
            // The other files are converted.
            fs::write(directory.join("good"), encode("é\n", "utf-16be")).unwrap();
            assert_eq!(run("in good in --output-dir out", 2).0, b"", "the same name twice");
            assert_eq!(run("in good --output-dir out", 1), (vec![], expected("in")));
            assert_eq!(names(&directory.join("out")), ["good"]);
            fs::remove_dir_all(directory.join("out")).unwrap();
            fs::remove_file(directory.join("good")).unwrap();
        }
        let from = if cure.contains("from") { "" } else { "--from utf-16" };
        let converted = succeed(&mut fastutf(&format!("convert {from} -t utf-8 {cure}")), input);
        assert!(converted == result.as_bytes(), "{cure}");
    }
    // Text that looks big-endian is big-endian, according to RFC 2781.
    let big = encode(&sample_text(), "utf-16be");
    assert!(succeed(&mut fastutf("convert -f utf-16 -t utf-8"), &big) == sample_text().as_bytes());
}

/// From a pipe, the program waits for a first block only if it has to guess: not after a BOM, and not with
/// `--fallback`.
#[test]
fn streams() {
    let start = encode("some text\n", "utf-16le");
    for (arguments, input) in [
        ("--fallback le", start.clone()),
        ("", [b"\xFF\xFE", &*start].concat()),
        ("--from detect", [b"\xFF\xFE", &*start].concat()),
    ] {
        let from = if arguments.contains("from") { "" } else { "-f utf-16" };
        let mut child = fastutf(&format!("convert {from} -t utf-8 {arguments}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        stdin.write_all(&input).unwrap();
        let mut heard = [0; 10];
        stdout.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, b"some text\n", "{arguments}");
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
    // Without these, the first 64 KiB decide, however the reads are cut.
    let mut odd = encode(&"蝶鯨".repeat(10_000), "utf-16le");
    odd.extend(encode("\n", "utf-16le"));
    assert!(odd.len() < 64 << 10);
    let (written, error) = fail(&mut fastutf("convert -f utf-16 -t utf-8"), &odd, 1);
    assert_eq!((written, error), (vec![], format!("fastutf: <stdin>: {LITTLE}")));
}

/// The encoding of each file is that of its BOM, or guessed. A message reports the guess, and how sure it is.
#[test]
fn detected() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let all = sample_text();
    let mut files = vec![
        ("ascii", b"plain\n".to_vec(), "plain\n", "guessed UTF-8 (sure: it is ASCII)"),
        ("utf8", all.clone().into(), &*all, "guessed UTF-8 (sure: it is well-formed, with "),
        (
            "accent",
            "née\n".into(),
            "née\n",
            "guessed UTF-8 (likely: it is well-formed, with 1 character beyond ASCII)",
        ),
        (
            "short",
            encode("hello", "utf-16le"),
            "hello",
            "guessed UTF-16LE (likely: 5 of 5 code units are ASCII or CJK punctuation)",
        ),
        ("empty", vec![], "", "guessed UTF-8 (it is empty)"),
    ];
    for label in ["utf-16le", "utf-16be"] {
        let guessed = format!("guessed {} (sure: ", label.to_uppercase());
        files.push((label, encode(&all, label), &all, guessed.leak()));
    }
    for (name, bytes, expected, guess) in &files {
        fs::write(directory.join(name), bytes).unwrap();
        let mut command = fastutf("convert -f detect -t utf-8");
        let output = feed(command.arg(name).current_dir(directory), b"");
        assert!(output.stdout == expected.as_bytes(), "{name}");
        let told = text(&output.stderr);
        assert!(told.starts_with(&format!("fastutf: {name}: {guess}")) && told.lines().count() == 1, "{told}");
        assert_eq!(output.status.code(), Some(0), "{name}");
        // The same from a pipe.
        let output = feed(&mut fastutf("convert -f detect -t utf-8"), bytes);
        assert!(output.stdout == expected.as_bytes() && output.status.success(), "{name}");
        let quiet = succeed(fastutf("convert -q -f detect -t utf-8").arg(name).current_dir(directory), b"");
        assert!(quiet == expected.as_bytes(), "{name}");
    }
    // A BOM is not a guess. It is a signature.
    for (name, marked) in [
        ("multilingual.utf16le-bom.txt", fs::read(sample("multilingual.utf16le-bom.txt")).unwrap()),
        ("multilingual.utf16be-bom.txt", fs::read(sample("multilingual.utf16be-bom.txt")).unwrap()),
        ("utf8", [b"\xEF\xBB\xBF", all.as_bytes()].concat()),
    ] {
        assert!(succeed(&mut fastutf("convert -f detect -t utf-8"), &marked) == all.as_bytes(), "{name}");
        let kept = succeed(&mut fastutf("convert -f detect -t utf-8 --bom keep"), &marked);
        assert!(kept == [b"\xEF\xBB\xBF", all.as_bytes()].concat(), "{name}");
    }
    // Many files at once.
    let mut command = fastutf("convert -q -f detect -t utf-8 --in-place");
    succeed(command.args(files.iter().map(|file| file.0)).current_dir(directory), b"");
    for (name, _, expected, _) in &files {
        assert!(fs::read(directory.join(name)).unwrap() == expected.as_bytes(), "{name}");
    }
}

/// If the encoding cannot be guessed, the input is refused, and nothing is written.
#[test]
fn undecided() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    for (input, why) in [
        (&b"h\0i\0"[..], "it is too short"),
        (b"\xC3\xA9", "it is too short"),
        (b"caf\xE9 au lait\n", "it is not UTF-8 and does not look like UTF-16"),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "it is binary, or neither UTF-8 nor UTF-16"),
        (b"a\0bcdefgh", "it contains control characters that text does not have"),
        (b"\xFF\xFE\0\0a\0b\0c\0", "it starts like UTF-32LE, but is not well-formed UTF-32LE"),
    ] {
        let expected = |name: &str, option: &str| {
            format!("fastutf: {name}: cannot detect its encoding: {why}; specify it with `{option}`\n")
        };
        let (written, error) = fail(&mut fastutf("convert -f detect -t utf-8 --lossy"), input, 1);
        assert_eq!((written, error), (vec![], expected("<stdin>", "--from")));
        fs::write(directory.join("in"), input).unwrap();
        let (_, error) = fail(fastutf("convert -q -f detect -t utf-16 -i in").current_dir(directory), b"", 1);
        assert_eq!(error, expected("in", "--from"));
        assert_eq!(fs::read(directory.join("in")).unwrap(), input);
        for command in ["check", "stat"] {
            let (_, error) = fail(fastutf(&format!("{command} -e detect in")).current_dir(directory), b"", 1);
            assert_eq!(error, expected("in", "--encoding"), "{command}");
        }
    }
}
