//! `fastutf check`: every kind of error, where it is reported to be, and the exit status of several files.

use std::fs;

use fastutf::Isa;
use tempfile::TempDir;

use crate::{LABELS, encode, fail, fastutf, sample, sample_text, succeed, text};

#[test]
fn samples_are_valid() {
    for isa in Isa::available() {
        let command = format!("check --isa {isa}");
        assert_eq!(succeed(fastutf(&command).arg(sample("multilingual.utf8.txt")), b""), b"");
        for (encoding, names) in [
            ("utf-16", ["multilingual.utf16le-bom.txt", "multilingual.utf16be-bom.txt"]),
            ("utf-16le", ["multilingual.utf16le-bom.txt", "multilingual.utf16le.txt"]),
            ("utf-16be", ["multilingual.utf16be-bom.txt", "multilingual.utf16be.txt"]),
        ] {
            let command = format!("check --isa {isa} --encoding {encoding}");
            assert_eq!(succeed(fastutf(&command).args(names.map(sample)), b""), b"");
        }
    }
    for label in LABELS {
        for option in ["-e", "-f", "--from", "--encoding"] {
            let mut command = fastutf(&format!("check -v {option} {label}"));
            assert_eq!(succeed(&mut command, &encode("zł", label)), b"<stdin>: valid\n");
        }
        assert_eq!(succeed(&mut fastutf(&format!("check -e {label}")), &encode(&sample_text(), label)), b"");
        assert_eq!(succeed(&mut fastutf(&format!("check -v -e {label}")), b""), b"<stdin>: valid\n");
    }
}

/// Each kind of error, on every instruction set.
#[test]
fn every_kind_of_error() {
    type Case = (&'static str, &'static [u8], &'static str);
    let cases: [Case; 29] = [
        ("utf-8", b"\xE2\x82", "byte 0, line 1, column 1: incomplete sequence at the end (E2 82)"),
        ("utf-8", b"a\n\xC3", "byte 2, line 2, column 1: incomplete sequence at the end (C3)"),
        ("utf-8", b"\xE2\x82A", "byte 0, line 1, column 1: missing continuation byte (E2 82)"),
        ("utf-8", b"\xF0\x9F\x92A", "byte 0, line 1, column 1: missing continuation byte (F0 9F 92)"),
        ("utf-8", b"a\xC3\xC3\xA9", "byte 1, line 1, column 2: missing continuation byte (C3)"),
        ("utf-8", b"\xC3\xA9\x80\x80", "byte 2, line 1, column 2: stray continuation byte (80)"),
        ("utf-8", b"/\xC0\xAE./", "byte 1, line 1, column 2: overlong encoding (C0 AE)"),
        ("utf-8", b"\xC0", "byte 0, line 1, column 1: overlong encoding (C0)"),
        ("utf-8", b"\xE0\x80\x80", "byte 0, line 1, column 1: overlong encoding (E0 80 80)"),
        ("utf-8", b"\xF0\x80\x80A", "byte 0, line 1, column 1: overlong encoding (F0 80 80)"),
        ("utf-8", b"\n\n\xED\xA0\x80", "byte 2, line 3, column 1: encoded surrogate (ED A0 80)"),
        ("utf-8", b"\xF4\x90\x80\x80", "byte 0, line 1, column 1: value above U+10FFFF (F4 90 80 80)"),
        ("utf-8", b"\xF5\x80\x80\x80", "byte 0, line 1, column 1: value above U+10FFFF (F5 80 80 80)"),
        ("utf-8", b"\xFF\xFF", "byte 0, line 1, column 1: byte that starts no character (FF)"),
        ("utf-8", b"\xFE\x80", "byte 0, line 1, column 1: byte that starts no character (FE)"),
        (
            "utf-8",
            b"\xF8\x88\x80\x80\x80",
            "byte 0, line 1, column 1: byte that starts no character (F8 88 80 80 80)",
        ),
        (
            "utf-8",
            b"\xFD\xBF\xBF\xBF\xBF\xBF\xBF",
            "byte 0, line 1, column 1: byte that starts no character (FD BF BF BF BF BF)",
        ),
        // The signature is a character to UTF-8, and none to bare UTF-16; both are bytes.
        ("utf-8", b"\xEF\xBB\xBF\xFF", "byte 3, line 1, column 2: byte that starts no character (FF)"),
        ("utf-16", b"\xFE\xFF\xDC\0", "byte 2, line 1, column 1: unpaired low surrogate (DC00)"),
        ("utf-16", b"\xFF\xFE\n\0a\0\0\xDC", "byte 6, line 2, column 2: unpaired low surrogate (DC00)"),
        ("utf-16", b"\xDC\0", "byte 0, line 1, column 1: unpaired low surrogate (DC00)"),
        ("utf-16 --fallback le", b"\0\xDC", "byte 0, line 1, column 1: unpaired low surrogate (DC00)"),
        ("utf-16le", b"\xFF\xFE\0\xDC", "byte 2, line 1, column 2: unpaired low surrogate (DC00)"),
        ("utf-16le", b"\x3D\xD8\x3D\xD8\x00\xDE", "byte 0, line 1, column 1: unpaired high surrogate (D83D)"),
        ("utf-16le", b"\x3D\xD8", "byte 0, line 1, column 1: high surrogate at the end (D83D)"),
        ("utf-16be", b"\xD8\x3D\xDE\0\0\n\xD8\x3D", "byte 6, line 2, column 1: high surrogate at the end (D83D)"),
        ("utf-16be", b"\0a\0", "byte 2, line 1, column 2: half a code unit at the end (00)"),
        // U+0A0A and U+0A00 hold a byte 0A that ends no line.
        ("utf-16be", b"\x0A\x0A\x0A\x00\xDC\0", "byte 4, line 1, column 3: unpaired low surrogate (DC00)"),
        ("utf-16", b"\xFE", "byte 0, line 1, column 1: half a code unit at the end (FE)"),
    ];
    for isa in Isa::available() {
        for (encoding, input, expected) in cases {
            let (report, error) =
                fail(&mut fastutf(&format!("check --no-excerpt --isa {isa} --encoding {encoding}")), input, 1);
            assert_eq!(
                text(&report),
                format!("<stdin>: invalid at {expected}\n"),
                "{isa} {encoding} {input:02X?}"
            );
            assert_eq!(error, "");
        }
    }
}

/// All the names that the WHATWG and IANA have for the encodings, in any case, also with white space around them.
#[test]
fn labels() {
    for (names, canonical) in [
        ("utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 csUTF8", "utf-8"),
        ("utf-16 utf16 csUTF16", "utf-16"),
        ("utf-16le utf16le utf-16-le unicode unicodefeff csUnicode ucs-2 ISO-10646-UCS-2 csUTF16LE", "utf-16le"),
        ("utf-16be utf16be utf-16-be unicodefffe csUTF16BE", "utf-16be"),
    ] {
        let input = encode("a\u{3042}", canonical);
        for name in names.split(' ') {
            for name in [name, &name.to_uppercase(), &format!(" \t\n\u{C}\r{name} ")] {
                assert_eq!(succeed(fastutf("check -v -e").arg(name), &input), b"<stdin>: valid\n", "{name:?}");
                let back = succeed(fastutf("convert -f").arg(name).arg("-t").arg(name), &input);
                assert_eq!(back, input, "{name:?}");
            }
        }
    }
    for name in ["", "utf-7", "utf-32", "utf 8", "\u{A0}utf-8", "latin1"] {
        let (_, error) = fail(fastutf("check -e").arg(name), b"", 2);
        assert!(error.contains("[possible values: utf-8, utf-16, utf-16le, utf-16be]"), "{name:?}: {error}");
    }
}

/// An error far inside a long text, in whatever read it comes, is found where it is.
#[test]
fn errors_at_every_distance() {
    let line = "Zażółć gęślą jaźń 😀\n";
    let lines = 20_000;
    for (label, bad, what) in [
        ("utf-8", &b"\x80"[..], "stray continuation byte (80)"),
        ("utf-16le", b"\0\xDC", "unpaired low surrogate (DC00)"),
        ("utf-16be", b"\xDC\0", "unpaired low surrogate (DC00)"),
    ] {
        let mut good = encode(&line.repeat(lines), label);
        good.extend(encode("ő😀", label));
        assert!(good.len() > 512 << 10, "two reads and more");
        let place = good.len();
        let input = [&good, bad, &good].concat();
        let (report, _) = fail(&mut fastutf(&format!("check --no-excerpt -e {label}")), &input, 1);
        let expected = format!("<stdin>: invalid at byte {place}, line {}, column 3: {what}\n", lines + 1);
        assert_eq!(text(&report), expected);
    }
}

/// All files are checked, and the worst decides the status: 2 is worse than 1.
#[test]
fn several_files() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("good"), "zł").unwrap();
    fs::write(directory.join("bad"), b"a\xFF").unwrap();
    fs::write(directory.join("worse"), b"\n\n\xC3").unwrap();
    let bad = "bad: invalid at byte 1, line 1, column 2: byte that starts no character (FF)\n";
    let worse = "worse: invalid at byte 2, line 3, column 1: incomplete sequence at the end (C3)\n";
    let check = |files: &str| {
        let output =
            crate::feed(fastutf(&format!("check --no-excerpt {files}")).current_dir(directory), b"a\xC0b");
        (output.status.code().unwrap(), text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
    };
    assert_eq!(check("good good"), (0, String::new(), String::new()));
    assert_eq!(check("--verbose good good"), (0, "good: valid\n".repeat(2), String::new()));
    assert_eq!(check("bad good worse"), (1, [bad, worse].concat(), String::new()));
    assert_eq!(check("-v worse good bad"), (1, [worse, "good: valid\n", bad].concat(), String::new()));
    let stdin = "<stdin>: invalid at byte 1, line 1, column 2: overlong encoding (C0)\n";
    assert_eq!(check("bad - good"), (1, [bad, stdin].concat(), String::new()));
    assert_eq!(check(""), (1, stdin.into(), String::new()));
    for unreadable in ["missing", "good/file"] {
        for files in [
            format!("bad {unreadable} worse"),
            format!("{unreadable} bad worse"),
            format!("bad worse {unreadable}"),
        ] {
            let (status, report, error) = check(&files);
            assert_eq!((status, report), (2, [bad, worse].concat()), "{files}");
            assert!(
                error.starts_with(&format!("fastutf: {unreadable}: ")) && error.lines().count() == 1,
                "{error}"
            );
        }
    }
}
