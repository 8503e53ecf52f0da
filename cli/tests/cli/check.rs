//! `fastutf check`: every kind of error, its reported place, and the exit status for several files.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use fastutf::Isa;
use tempfile::TempDir;

use crate::{LABELS, encode, every_label, fail, fastutf, has, sample, sample_text, succeed, text};

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
        ("utf-8", b"\xE2\x82", "byte 0, line 1, column 1: incomplete sequence at end of input (E2 82)"),
        ("utf-8", b"a\n\xC3", "byte 2, line 2, column 1: incomplete sequence at end of input (C3)"),
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
        ("utf-8", b"\xFF\xFF", "byte 0, line 1, column 1: invalid lead byte (FF)"),
        ("utf-8", b"\xFE\x80", "byte 0, line 1, column 1: invalid lead byte (FE)"),
        (
            "utf-8",
            b"\xF8\x88\x80\x80\x80",
            "byte 0, line 1, column 1: obsolete 5- or 6-byte sequence (F8 88 80 80 80)",
        ),
        (
            "utf-8",
            b"\xFD\xBF\xBF\xBF\xBF\xBF\xBF",
            "byte 0, line 1, column 1: obsolete 5- or 6-byte sequence (FD BF BF BF BF BF)",
        ),
        // A BOM counts as a character in `utf-8`, and not in `utf-16`. Its bytes always count.
        ("utf-8", b"\xEF\xBB\xBF\xFF", "byte 3, line 1, column 2: invalid lead byte (FF)"),
        ("utf-16", b"\xFE\xFF\xDC\0", "byte 2, line 1, column 1: unpaired low surrogate (DC00)"),
        ("utf-16", b"\xFF\xFE\n\0a\0\0\xDC", "byte 6, line 2, column 2: unpaired low surrogate (DC00)"),
        ("utf-16", b"\xDC\0", "byte 0, line 1, column 1: unpaired low surrogate (DC00)"),
        ("utf-16 --fallback le", b"\0\xDC", "byte 0, line 1, column 1: unpaired low surrogate (DC00)"),
        ("utf-16le", b"\xFF\xFE\0\xDC", "byte 2, line 1, column 2: unpaired low surrogate (DC00)"),
        ("utf-16le", b"\x3D\xD8\x3D\xD8\x00\xDE", "byte 0, line 1, column 1: unpaired high surrogate (D83D)"),
        ("utf-16le", b"\x3D\xD8", "byte 0, line 1, column 1: high surrogate at end of input (D83D)"),
        (
            "utf-16be",
            b"\xD8\x3D\xDE\0\0\n\xD8\x3D",
            "byte 6, line 2, column 1: high surrogate at end of input (D83D)",
        ),
        ("utf-16be", b"\0a\0", "byte 2, line 1, column 2: incomplete code unit at end of input (00)"),
        // U+0A0A and U+0A00 contain a byte 0A that does not end a line.
        ("utf-16be", b"\x0A\x0A\x0A\x00\xDC\0", "byte 4, line 1, column 3: unpaired low surrogate (DC00)"),
        ("utf-16", b"\xFE", "byte 0, line 1, column 1: incomplete code unit at end of input (FE)"),
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

/// All names of the encodings in the lists of WHATWG and IANA, in any case, also with white space around them.
#[test]
fn labels() {
    let (mut labels, mut known) = (every_label(), Vec::new());
    for (names, canonical) in [
        ("utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 csUTF8", "utf-8"),
        ("utf-16 utf16 csUTF16", "utf-16"),
        ("utf-16le utf16le utf-16-le unicode unicodefeff csUnicode ucs-2 ISO-10646-UCS-2 csUTF16LE", "utf-16le"),
        ("utf-16be utf16be utf-16-be unicodefffe csUTF16BE", "utf-16be"),
        ("utf-32 utf32 csUTF32", "utf-32"),
        ("utf-32le utf32le utf-32-le csUTF32LE", "utf-32le"),
        ("utf-32be utf32be utf-32-be csUTF32BE", "utf-32be"),
        ("latin1 Latin-1 ISO-8859-1 ISO_8859-1 ISO8859-1 l1 csISOLatin1 iso-ir-100 ISO_8859-1:1987", "latin1"),
        ("wtf-8 wtf8", "wtf-8"),
    ] {
        let input = encode(if has(canonical, "\u{3042}") { "a\u{3042}" } else { "a\u{E9}" }, canonical);
        known.push(canonical);
        for name in names.split(' ') {
            for name in [name, &name.to_uppercase(), &format!(" \t\n\u{C}\r{name} ")] {
                assert_eq!(succeed(fastutf("check -v -e").arg(name), &input), b"<stdin>: valid\n", "{name:?}");
                let back = succeed(fastutf("convert -f").arg(name).arg("-t").arg(name), &input);
                assert_eq!(back, input, "{name:?}");
            }
        }
    }
    for name in ["", "utf-7", "utf-64", "utf 8", "\u{A0}utf-8", "latin2"] {
        let (_, error) = fail(fastutf("check -e").arg(name), b"", 2);
        assert!(error.contains(&format!("[possible values: {}, detect]", labels.join(", "))), "{name:?}: {error}");
    }
    labels.retain(|label| known.contains(&&**label));
    assert_eq!(labels, known);
}

/// The place of an error far inside a long text is right, whichever read contains it.
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

/// All files are checked. The worst result decides the status: 2 is worse than 1.
#[test]
fn several_files() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("good"), "zł").unwrap();
    fs::write(directory.join("bad"), b"a\xFF").unwrap();
    fs::write(directory.join("worse"), b"\n\n\xC3").unwrap();
    let bad = "bad: invalid at byte 1, line 1, column 2: invalid lead byte (FF)\n";
    let worse = "worse: invalid at byte 2, line 3, column 1: incomplete sequence at end of input (C3)\n";
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

/// The bytes around an error, and their text, with the ill-formed bytes marked.
#[test]
fn excerpts() {
    let cases: [(&str, &[u8], &str); 8] = [
        (
            "utf-8",
            b"GET /scripts/..\xC0\xAF../winnt/system32",
            "         9: 70 74 73 2F 2E 2E C0 AF 2E 2E 2F 77 69 6E 6E 74  pts/..\u{FFFD}\u{FFFD}../winnt\n\
             \x20                             ^^ ^^\n",
        ),
        (
            "utf-8",
            b"\xFF",
            "         0: FF                                               \u{FFFD}\n            ^^\n",
        ),
        (
            "utf-8",
            b"ab\xF0\x9F\x92",
            "         0: 61 62 F0 9F 92                                   ab\u{FFFD}\n\
             \x20                 ^^ ^^ ^^\n",
        ),
        // Characters cut at either end are not shown as ill-formed. Characters that move the cursor become a full stop.
        (
            "utf-8",
            b"0123456789\xE2\x82\xAC\t1234\xFF\x1B\xE2\x80\xAE\n\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC",
            "        12: AC 09 31 32 33 34 FF 1B E2 80 AE 0A E2 82 AC E2  .1234\u{FFFD}...€\n\
             \x20                             ^^\n",
        ),
        (
            "utf-16le",
            b"\x3D\xD8\x00\xDEa\0b\0\x00\xDC\n\0\xAC\x20c\0",
            "         2: 00 DE 61 00 62 00 00 DC 0A 00 AC 20 63 00        ab\u{FFFD}.€c\n\
             \x20                             ^^ ^^\n",
        ),
        (
            "utf-16be",
            b"\0a\xD8\x3D",
            "         0: 00 61 D8 3D                                      a\u{FFFD}\n\
             \x20                 ^^ ^^\n",
        ),
        (
            "utf-16",
            b"\xFE\xFF\0a\0",
            "         0: FE FF 00 61 00                                   .a\u{FFFD}\n\
             \x20                       ^^\n",
        ),
        (
            "utf-8",
            b"\xFD\xBF\xBF\xBF\xBF\xBF\xBF",
            "         0: FD BF BF BF BF BF BF                             \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n\
             \x20           ^^ ^^ ^^ ^^ ^^ ^^\n",
        ),
    ];
    for (encoding, input, expected) in cases {
        let output = crate::feed(&mut fastutf(&format!("check -e {encoding}")), input);
        let report = text(&output.stdout);
        let excerpt = report.split_once('\n').map_or("", |(_, excerpt)| excerpt);
        assert_eq!(excerpt, expected, "{encoding} {input:02X?}");
    }
}

/// All errors in UTF-8 according to the standard library: their places, and their bytes.
fn oracle(bytes: &[u8]) -> Vec<(usize, usize, usize, usize)> {
    let (mut offset, mut line, mut column) = (0, 1, 1);
    let mut errors = Vec::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        offset += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            errors.push((offset, line, column, chunk.invalid().len()));
            column += 1;
            offset += chunk.invalid().len();
        }
    }
    errors
}

/// The same, in UTF-16LE.
fn oracle_utf16(bytes: &[u8]) -> Vec<(usize, usize, usize, usize)> {
    let (mut offset, mut line, mut column) = (0, 1, 1);
    let mut errors = Vec::new();
    let (units, rest) = bytes.as_chunks();
    for unit in char::decode_utf16(units.iter().map(|&unit| u16::from_le_bytes(unit))) {
        if unit.is_err() {
            errors.push((offset, line, column, 2));
        }
        (line, column) = if unit == Ok('\n') { (line + 1, 1) } else { (line, column + 1) };
        offset += 2 * unit.map_or(1, char::len_utf16);
    }
    if !rest.is_empty() {
        errors.push((offset, line, column, 1));
    }
    errors
}

/// A text of `len` bytes, with bytes here and there that are often ill-formed.
fn damaged(len: usize, seed: u64) -> Vec<u8> {
    const BYTES: [u8; 16] =
        [b'a', b'\n', 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xA0, 0xF0, 0x9F, 0xF4, 0xFF, 0xD8, 0xDC, 0xDF, 0xDB];
    let mut state = seed;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut bytes = Vec::new();
    while bytes.len() < len {
        bytes.extend("Zażółć gęślą jaźń 😀, 漢字。\n".repeat(1 + random(200) as usize).bytes());
        bytes.extend((0..random(12)).map(|_| BYTES[random(16) as usize]));
    }
    bytes
}

/// All errors of large texts, wherever these are cut: from a pipe, and from a file that several threads read. With a
/// limit of `COUNT`, the first ones are reported.
#[test]
fn all_errors() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    // More than two windows of 4 MiB; less than one; and less than a buffer.
    for (len, seed) in [(9 << 20, 1), (3 << 20, 2), (200 << 10, 3), (2000, 4)] {
        let utf8 = damaged(len, seed);
        let utf16: Vec<u8> =
            utf8.as_chunks().0.iter().flat_map(|&unit| u16::from_le_bytes(unit).to_le_bytes()).collect();
        let mut utf16 = utf16;
        utf16.push(b'!');
        for (label, input, errors) in [("utf-8", &utf8, oracle(&utf8)), ("utf-16le", &utf16, oracle_utf16(&utf16))]
        {
            assert!(errors.len() > len / 200_000, "{} errors in {len}", errors.len());
            fs::write(&path, input).unwrap();
            let path = path.to_str().unwrap();
            for arguments in [
                "--all -",
                &format!("--all {path}"),
                &format!("--all --threads 3 {path}"),
                &format!("--max 7 {path}"),
                &format!("-m 3 {path}"),
                path,
            ] {
                let output =
                    crate::feed(&mut fastutf(&format!("check --format json -e {label} {arguments}")), input);
                assert_eq!(output.status.code(), Some(1));
                let lines: Vec<serde_json::Value> =
                    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
                let number = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
                let found = lines.iter().filter(|line| line["type"] == "error").map(|line| {
                    let excerpt = &line["excerpt"];
                    let start = number(&excerpt["offset"]);
                    let bytes: Vec<_> = input[start..input.len().min(start + 16)]
                        .iter()
                        .map(|byte| format!("{byte:02X}"))
                        .collect();
                    assert_eq!(excerpt["bytes"], bytes.join(" "));
                    (number(&line["offset"]), number(&line["line"]), number(&line["column"]))
                });
                let count = match arguments {
                    _ if arguments.contains("--all") => usize::MAX,
                    _ if arguments.contains("--max") => 7,
                    _ if arguments.contains("-m") => 3,
                    _ => 1,
                };
                let expected = errors.iter().take(count).map(|&(offset, line, column, _)| (offset, line, column));
                assert!(found.eq(expected), "{label}, {len} bytes, {arguments}");
                let [.., file, summary] = &lines[..] else { panic!() };
                assert_eq!(number(&file["errors"]), errors.len().min(count));
                assert_eq!(file["complete"], errors.len() < count, "{arguments}");
                assert_eq!((number(&summary["files"]), number(&summary["invalid"])), (1, 1));
                if count == usize::MAX {
                    assert_eq!((number(&file["bytes"]), number(&summary["bytes"])), (input.len(), input.len()));
                }
            }
        }
    }
}

/// The only error of a file that several threads read, around the edges of their parts.
#[test]
fn errors_around_edges() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    let window = 4 << 20;
    for (label, unit, bad) in
        [("utf-8", "😀", &b"\xF0\x9F\x98"[..]), ("utf-16le", "😀", b"\x3D\xD8"), ("utf-16be", "é", b"\xDC\0")]
    {
        let good = encode(&unit.repeat((9 << 20) / encode(unit, label).len()), label);
        let size = encode(unit, label).len();
        for edge in [128 << 10, 256 << 10, window, 2 * window] {
            for shift in 0..4 {
                let at = (edge / size - 2 + shift) * size;
                let input = [&good[..at], bad, &good[at..]].concat();
                fs::write(&path, &input).unwrap();
                for threads in [1, 2] {
                    let mut command = fastutf(&format!("check --no-excerpt -e {label} --threads {threads}"));
                    let (report, _) = fail(command.arg(&path), b"", 1);
                    let place = format!("invalid at byte {at}, line 1, column {}: ", at / size + 1);
                    assert!(text(&report).contains(&place), "{label}, {at}: {}", text(&report));
                }
            }
        }
        fs::write(&path, &good).unwrap();
        assert_eq!(succeed(fastutf(&format!("check -e {label}")).arg(&path), b""), b"");
        // A file that ends inside a character, at the end of a window.
        fs::write(&path, [&good[..window], bad].concat()).unwrap();
        fail(fastutf(&format!("check -e {label}")).arg(&path), b"", 1);
        fs::write(&path, &good[..window]).unwrap();
        assert_eq!(succeed(fastutf(&format!("check -e {label}")).arg(&path), b""), b"");
    }
}

/// `--quiet` prints nothing at all, and `--summary` prints numbers.
#[test]
fn how_much_is_said() {
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    fs::write(root.join("good"), "zł\n").unwrap();
    fs::write(root.join("bad"), b"\xFF\xFF").unwrap();
    for (files, status) in [("good", 0), ("good bad", 1), ("bad missing good", 2)] {
        for options in ["-q", "--quiet --all", "-q --format json", "-q --format github"] {
            let (out, err) = fail(fastutf(&format!("check {options} {files}")).current_dir(root), b"", status);
            assert_eq!((text(&out), &*err), ("", ""), "{options}, {files}");
        }
    }
    for (options, expected) in [
        ("good", ""),
        ("--summary=auto good bad", ""),
        ("--summary=never good bad", ""),
        ("--summary good", "1 file, 4 bytes in TIME: 1 valid\n"),
        ("--summary=always -a good bad", "2 files, 6 bytes in TIME: 1 valid, 1 invalid (2 errors reported)\n"),
        ("--summary bad", "1 file, 1 byte in TIME: 0 valid, 1 invalid (1 error reported)\n"),
        (
            "--summary good missing bad",
            "fastutf: missing: No such file or directory\n\
             3 files, 5 bytes in TIME: 1 valid, 1 invalid (1 error reported), 1 unreadable\n",
        ),
    ] {
        let output = crate::feed(fastutf(&format!("check {options}")).current_dir(root), b"");
        let said = text(&output.stderr);
        // `12.3 ms (4.56 kB/s)`: meaningful numbers.
        let said = match said.find(" in ") {
            Some(start) => {
                let (time, rest) = said[start + 4..].split_once(": ").unwrap();
                let (time, speed) = time.strip_suffix("B/s)").unwrap().split_once(" (").unwrap();
                for (what, units) in [(time, &["µs", "ms", "s"][..]), (speed, &["", "k", "M", "G"])] {
                    let (number, unit) = what.split_once(' ').unwrap();
                    assert!(number.parse::<f64>().unwrap() > 0.0 && units.contains(&unit), "{what}");
                }
                format!("{} in TIME: {rest}", &said[..start])
            }
            _ => said.to_owned(),
        };
        assert_eq!(said, expected, "{options}");
    }
    for arguments in
        ["--all --max 3", "--max 0", "--quiet --verbose", "--quiet --summary", "--format xml", "--summary=often"]
    {
        fail(&mut fastutf(&format!("check {arguments}")), b"", 2);
    }
}

/// The complete JSON report, and the one for GitHub.
#[test]
fn formats() {
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    fs::write(root.join("good"), "zł\n").unwrap();
    fs::write(root.join("bad"), b"\xFF\xFEa\0\n\0").unwrap();
    let report = crate::feed(fastutf("check --format JSON --all good bad missing").current_dir(root), b"").stdout;
    let (lines, seconds) = text(&report).split_once("\"seconds\":").unwrap();
    let hint = "this looks like UTF-16: try `--encoding utf-16`";
    let excerpt = r#""excerpt":{"offset":0,"bytes":"FF FE 61 00 0A 00"}"#;
    let expected = format!(
        r#"{{"type":"file","path":"good","status":"valid","encoding":"UTF-8","bytes":4}}
{{"type":"error","path":"bad","encoding":"UTF-8","offset":0,"line":1,"column":1,"kind":"invalid-lead","message":"invalid lead byte","bytes":"FF",{excerpt},"hint":"{hint}"}}
{{"type":"error","path":"bad","encoding":"UTF-8","offset":1,"line":1,"column":2,"kind":"invalid-lead","message":"invalid lead byte","bytes":"FE",{excerpt}}}
{{"type":"file","path":"bad","status":"invalid","encoding":"UTF-8","bytes":6,"errors":2,"complete":true}}
{{"type":"file","path":"missing","status":"unreadable","message":"No such file or directory","errors":0}}
{{"type":"summary","files":3,"invalid":1,"binary":0,"undecided":0,"unreadable":1,"errors":2,"bytes":10,"#
    );
    assert_eq!(lines, expected);
    assert!(seconds.strip_suffix("}\n").unwrap().parse::<f64>().is_ok(), "{seconds}");
    let (report, _) = fail(fastutf("check --format github good bad missing -").current_dir(root), b"ab\xC0", 2);
    let expected = format!(
        "::error file=bad,line=1,col=1,title=invalid UTF-8::invalid lead byte (FF) at byte 0; {hint}\n\
         ::error file=missing,line=1,title=unreadable::No such file or directory\n\
         ::error file=<stdin>,line=1,col=3,title=invalid UTF-8::overlong encoding (C0) at byte 2\n"
    );
    assert_eq!(text(&report), expected);
}

/// There are colours on a terminal, or on request, but not with `NO_COLOR`, and not in a pipe.
#[test]
fn colours() {
    let plain = "<stdin>: invalid at byte 1, line 1, column 2: invalid lead byte (FF)\n         0: 61 FF                                            a\u{FFFD}\n               ^^\n";
    let (report, _) = fail(&mut fastutf("check"), b"a\xFF", 1);
    assert_eq!(text(&report), plain);
    let (report, _) = fail(fastutf("check").env("CLICOLOR_FORCE", "1"), b"a\xFF", 1);
    let report = text(&report);
    assert!(
        report.contains("\x1B[1m\x1B[31mFF\x1B[0m") && report.contains("\x1B[1m\x1B[31m^^\x1B[0m"),
        "{report:?}"
    );
    let mut stripped = report.to_owned();
    while let Some(start) = stripped.find('\x1B') {
        let end = start + stripped[start..].find('m').unwrap();
        stripped.replace_range(start..=end, "");
    }
    assert_eq!(stripped, plain);
    let (report, _) = fail(fastutf("check").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"), b"a\xFF", 1);
    assert_eq!(text(&report), plain);
}

/// An error is reported when it is read, not when the text ends.
#[test]
fn reports_while_it_reads() {
    let mut child =
        fastutf("check --all --no-excerpt").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for number in 0..3 {
        stdin.write_all(b"\xFF then more than what an excerpt shows\n").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("line {}, column 1: ", number + 1)), "{line}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// If the reader closes the pipe, even a check of endless input ends.
#[test]
#[cfg(unix)]
fn stops_when_nobody_reads() {
    let mut child = fastutf("check --all /dev/stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let writer = std::thread::spawn(move || while stdin.write_all(&[0xFF; 4096]).is_ok() {});
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""));
    writer.join().unwrap();
}

/// A file of 10 GB that is nearly all hole is valid, takes little memory, and stays sparse.
#[test]
#[cfg(target_os = "linux")]
fn ten_gigabytes() {
    use std::os::unix::fs::{FileExt, MetadataExt};
    // A file system in memory reads holes fast.
    let Ok(directory) = TempDir::new_in("/dev/shm") else {
        eprintln!("NOT TESTED: there is no /dev/shm");
        return;
    };
    let len = if cfg!(debug_assertions) { 1 << 30 } else { 10 << 30 };
    eprintln!("{} GiB; 10 in a release build", len >> 30);
    let path = directory.path().join("sparse");
    let file = fs::File::create(&path).unwrap();
    file.set_len(len).unwrap();
    let limited = |arguments: &str| {
        let program = fastutf(arguments);
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "ulimit -v 32000 && exec \"$@\"", "sh", program.get_program().to_str().unwrap()]);
        limited.args(program.get_args()).arg(&path);
        limited
    };
    assert_eq!(
        succeed(&mut limited("check -v --threads 1"), b""),
        format!("{}: valid\n", path.display()).as_bytes()
    );
    assert!(file.metadata().unwrap().blocks() < 100, "it stays sparse");
    file.write_all_at(b"\n\xFF", len - 2).unwrap();
    let (report, _) = fail(&mut limited("check --no-excerpt --threads 1"), b"", 1);
    assert!(
        text(&report).contains(&format!("invalid at byte {}, line 2, column 1: ", len - 1)),
        "{}",
        text(&report)
    );
}

/// A file of 64 MiB without holes is read in 32 MB of address space, of which the program itself takes 7.
#[test]
#[cfg(target_os = "linux")]
fn bounded_memory() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("text");
    // In UTF-8 as well as in UTF-16.
    fs::write(&path, "t\0e\0x\0t\0\n\0".repeat((64 << 20) / 10)).unwrap();
    for arguments in ["check --threads 1", "stat --format json --threads 1", "check -e utf-16le --threads 1"] {
        let program = fastutf(arguments);
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "ulimit -v 32000 && exec \"$@\" >/dev/null", "sh"]);
        limited.arg(program.get_program()).args(program.get_args()).arg(&path);
        assert_eq!(text(&succeed(&mut limited, b"")), "", "{arguments}");
    }
}

/// With `--quiet`, the program exits at the first error, without waiting for the rest.
#[test]
fn quiet_does_not_wait() {
    let mut child = fastutf("check --quiet").stdin(Stdio::piped()).spawn().unwrap();
    // The pipe stays open.
    child.stdin.as_mut().unwrap().write_all(b"x\xFF\n").unwrap();
    let begun = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed().as_secs() < 600, "it waits");
        std::thread::sleep(std::time::Duration::from_millis(1));
    };
    assert_eq!(status.code(), Some(1));
}

/// If the standard input is named twice, the first reads it, and the second finds its end.
#[test]
fn standard_input_twice() {
    let text = [b"\xC3\xA9".repeat(1 << 20), b"\xFF".to_vec()].concat();
    for threads in [1, 2] {
        let (report, _) = fail(&mut fastutf(&format!("check --no-excerpt -v --threads {threads} - -")), &text, 1);
        let expected = "<stdin>: invalid at byte 2097152, line 1, column 1048577: invalid lead byte (FF)\n\
                        <stdin>: valid\n";
        // Their order is not specified.
        let mut lines: Vec<&str> = crate::text(&report).split_inclusive('\n').collect();
        lines.sort_unstable();
        assert_eq!(lines.concat(), expected);
    }
}

/// In directories, files are skipped if their first block has a NUL byte and many control characters, and are counted
/// whatever the options. Named files are always checked, and an option checks all files.
#[test]
fn binary_files() {
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    fs::create_dir(root.join("d")).unwrap();
    let block = |controls: &[u8]| {
        let mut block = vec![b'x'; (64 << 10) - controls.len()];
        block.extend(controls);
        block.extend(b"\xFF\0");
        block
    };
    let most = (64 << 10) / 16;
    // What a crash leaves in a log: a page without text. It is less than what random bytes have.
    let (torn, more) = (block(&vec![0; most]), block(&vec![0; most + 1]));
    // Without a NUL byte, nothing is binary.
    let bells = block(&[7; 64 << 10]);
    for (name, bytes) in [
        ("bells", &*bells),
        ("catalogue.mo", &b"\xDE\x12\x04\x95\0\0\0\0"[..]),
        ("last", &more),
        ("log", b"12:00 started \0\n12:01 na\xEFve\n"),
        ("nul", b"a\0b\n"),
        ("text", "zł\n".as_bytes()),
        ("torn", &torn),
        ("utf16", &encode("some text\n", "utf-16le")),
        ("utf16-marked", b"\xFF\xFEa\0"),
    ] {
        fs::write(root.join("d").join(name), bytes).unwrap();
    }
    let run = |arguments: &str| {
        let output = crate::feed(fastutf(&format!("check --no-excerpt {arguments}")).current_dir(root), b"");
        let told = |bytes: &[u8]| text(bytes).replace(std::path::MAIN_SEPARATOR, "/");
        let report = told(&output.stdout);
        let names: Vec<_> = report.lines().map(|line| line.split(" at ").next().unwrap().to_owned()).collect();
        let summary = told(&output.stderr).split(": ").last().unwrap_or_default().to_owned();
        (names.join("\n"), summary, output.status.code().unwrap())
    };
    let expected = "d/bells: invalid\nd/log: invalid\nd/torn: invalid\nd/utf16-marked: invalid";
    let skipped = |what: &str| format!("{what} skipped as binary; `--binary` checks them\n");
    assert_eq!(run("d"), (expected.into(), skipped("4 files"), 1));
    assert_eq!(run("d --quiet"), (String::new(), String::new(), 1));
    let summary = "1 valid, 4 invalid (4 errors reported), 4 binary skipped\n";
    assert_eq!(run("d --summary"), (expected.into(), summary.into(), 1));
    let verbose = "d/bells: invalid\nd/catalogue.mo: binary, skipped\nd/last: binary, skipped\nd/log: invalid\n\
                   d/nul: binary, skipped\nd/text: valid\nd/torn: invalid\nd/utf16: binary, skipped\n\
                   d/utf16-marked: invalid";
    assert_eq!(run("d --verbose"), (verbose.into(), skipped("4 files"), 1));
    let all = "d/bells: invalid\nd/catalogue.mo: invalid\nd/last: invalid\nd/log: invalid\nd/torn: invalid\n\
               d/utf16-marked: invalid";
    assert_eq!(run("d --binary --summary"), (all.into(), "3 valid, 6 invalid (6 errors reported)\n".into(), 1));
    assert_eq!(run("d/catalogue.mo d/nul --summary").0, "d/catalogue.mo: invalid", "named files are checked");
    assert_eq!(run("d -g nul -g last"), (String::new(), skipped("2 files"), 0));
    assert_eq!(run("d -g nul --summary=never"), (String::new(), skipped("1 file"), 0));
    // On request, UTF-16 does not count as binary.
    let (names, _, _) = run("d --verbose --encoding detect -g !bells -g !log -g !torn");
    let detected = "d/catalogue.mo: binary, skipped\nd/last: binary, skipped\nd/nul: binary, skipped\n\
                    d/text: valid UTF-8\nd/utf16: valid UTF-16LE\nd/utf16-marked: valid UTF-16LE";
    assert_eq!(names, detected);
    // The same text with a NUL byte is not skipped, even if its encoding is not clear.
    let (_, told, status) = run("d --encoding detect -g log -g torn");
    assert!(!told.contains("skipped") && status == 1, "{told}");
    let (names, summary, status) = run("d -e utf-16le -v --summary -g utf16 -g nul");
    assert_eq!((&*names, &*summary, status), ("d/nul: valid\nd/utf16: valid", "2 valid\n", 0));
    // The same in JSON.
    let (report, told) = fail(fastutf("check --format json d -g nul -g text").current_dir(root), b"", 0);
    assert_eq!(told, format!("fastutf: {}", skipped("1 file")));
    let lines: Vec<serde_json::Value> =
        text(&report).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["type"], &lines[0]["status"]), (&"file".into(), &"binary".into()));
    assert_eq!((&lines[2]["files"], &lines[2]["binary"]), (&1.into(), &1.into()));
}
