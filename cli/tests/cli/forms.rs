//! Latin-1, UTF-32 and WTF-8, next to UTF-8 and UTF-16: every pair, byte-order marks, and what cannot be converted.

use std::fs;

use tempfile::TempDir;

use crate::{encode, every_label, fail, fastutf, has, succeed, text};

/// Every pair converts what both have, also in files that several threads read.
#[test]
fn every_pair() {
    let (directory, labels) = (TempDir::new().unwrap(), every_label());
    for (short, repeated) in [("", 1), ("caf\u{E9}\u{FF}\0\n", 1), ("caf\u{E9}\u{80}\u{FF} x\r\n", 60_000)] {
        let all = short.repeat(repeated);
        for from in &labels {
            let input = if all.is_empty() { vec![] } else { encode(&all, from) };
            let path = directory.path().join("in");
            fs::write(&path, &input).unwrap();
            for to in &labels {
                let expected = if all.is_empty() { vec![] } else { encode(&all, to) };
                let output = succeed(fastutf(&format!("convert -q -f {from} -t {to}")).arg(&path), b"");
                assert!(output == expected, "{from} to {to}, {repeated}");
            }
        }
    }
}

/// The same for characters that not all have, and in pieces from a pipe.
#[test]
fn every_pair_of_those_that_have_all_characters() {
    let all = "zł€😀\u{FEFF}\n".repeat(40_000);
    let labels: Vec<_> = every_label().into_iter().filter(|label| has(label, &all)).collect();
    assert!(labels.len() >= 8);
    for from in &labels {
        let input = encode(&all, from);
        for to in &labels {
            let output = succeed(&mut fastutf(&format!("convert -f {from} -t {to}")), &input);
            assert!(output == encode(&all, to), "{from} to {to}");
        }
        for command in ["check -v", "stat"] {
            succeed(&mut fastutf(&format!("{command} -e {from}")), &input);
        }
    }
}

/// A character that Latin-1 does not have is reported with its place. An output file stays what it was.
#[test]
fn what_latin1_does_not_have() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let hint = "use `--lossy` to replace it by a question mark";
    for (label, byte, shown) in [
        ("utf-8", 8, "E2 82 AC"),
        ("utf-16le", 14, "20AC"),
        ("utf-16be", 14, "20AC"),
        ("utf-32le", 28, "000020AC"),
        ("utf-32be", 28, "000020AC"),
        ("wtf-8", 8, "E2 82 AC"),
    ] {
        let input = encode("un\ncaf\u{E9}\u{20AC}\u{1F600}!\n", label);
        let convert = format!("convert -f {label} -t latin1");
        let what = format!("character U+20AC is not in latin-1 ({shown})");
        let (written, error) = fail(&mut fastutf(&convert), &input, 1);
        let expected =
            |name: &str| format!("fastutf: {name}: invalid at byte {byte}, line 2, column 5: {what}; {hint}\n");
        assert_eq!((&written[..], error), (&b"un\ncaf\xE9"[..], expected("<stdin>")), "{label}");
        fs::write(directory.join("in"), &input).unwrap();
        fs::write(directory.join("out"), "old").unwrap();
        let (_, error) = fail(fastutf(&convert).args(["in", "-o", "out"]).current_dir(directory), b"", 1);
        assert_eq!((fs::read(directory.join("out")).unwrap(), error), (b"old".to_vec(), expected("in")));

        let (written, error) = fail(&mut fastutf(&format!("{convert} --lossy")), &input, 0);
        assert_eq!(written, b"un\ncaf\xE9??!\n", "{label}");
        let count = "2 characters or invalid sequences replaced by a question mark";
        assert_eq!(error, format!("fastutf: <stdin>: {count}\n"));
    }
    // Far into a large file, which several threads read.
    let start = "caf\u{E9}\n".repeat(500_000);
    fs::write(directory.join("in"), format!("{start}a\u{100}")).unwrap();
    let mut command = fastutf("convert -f utf-8 -t latin1 in -o out");
    let (_, error) = fail(command.current_dir(directory), b"", 1);
    let what = "invalid at byte 3000001, line 500001, column 2: character U+0100 is not in latin-1 (C4 80)";
    assert_eq!(error, format!("fastutf: in: {what}; {hint}\n"));
    assert_eq!(fs::read(directory.join("out")).unwrap(), b"old");
    // Ill-formed text is what it is elsewhere.
    let (_, error) = fail(&mut fastutf("convert -f utf-8 -t latin1"), b"a\xFF\xE2\x82\xAC", 1);
    assert_eq!(
        error,
        format!("fastutf: <stdin>: invalid at byte 1, line 1, column 2: invalid lead byte (FF); {hint}\n")
    );
    // The byte-order mark is a character, too.
    let marked = b"\xEF\xBB\xBFa";
    let (_, error) = fail(&mut fastutf("convert -f utf-8 -t latin1"), marked, 1);
    assert!(error.contains("use `--bom strip` to remove it"), "{error}");
    for bom in ["strip", "keep", "add"] {
        assert_eq!(succeed(&mut fastutf(&format!("convert -f utf-8 -t latin1 --bom {bom}")), marked), b"a");
    }
}

/// UTF-32's byte-order marks are recognised, and are not taken for those of UTF-16.
#[test]
fn marks() {
    let le = [&b"\xFF\xFE\0\0"[..], &encode("zł", "utf-32le")].concat();
    let be = [&b"\0\0\xFE\xFF"[..], &encode("zł", "utf-32be")].concat();
    for (input, label) in [(&le, "UTF-32LE"), (&be, "UTF-32BE")] {
        for from in ["utf-32", "detect"] {
            assert_eq!(succeed(&mut fastutf(&format!("convert -f {from} -t utf-8")), input), "zł".as_bytes());
            let kept = succeed(&mut fastutf(&format!("convert -f {from} -t utf-16be --bom keep")), input);
            assert_eq!(kept, encode("\u{FEFF}zł", "utf-16be"));
        }
        assert_eq!(text(&succeed(&mut fastutf("check -v -e detect"), input)), format!("<stdin>: valid {label}\n"));
        let stat = succeed(&mut fastutf("stat -e detect --format json"), input);
        assert!(text(&stat).contains(&format!("\"bom\":\"{label}\",\"looks_like\":null")), "{}", text(&stat));
        let stat = feed_stat(input);
        assert!(stat.contains(&format!("\"looks_like\":\"{label}\"")), "{stat}");
        let (_, error) = fail(&mut fastutf("convert -f utf-8 -t utf-16"), input, 1);
        assert!(error.contains("this looks like UTF-32: try `--from utf-32`"), "{error}");
        // With a label that names the byte order, it is a character.
        let label = label.to_lowercase();
        let kept = succeed(&mut fastutf(&format!("convert -f {label} -t utf-8")), input);
        assert_eq!(kept, "\u{FEFF}zł".as_bytes());
    }
    // In UTF-16, FF FE 00 00 is a byte-order mark and U+0000.
    let nul = b"\xFF\xFE\0\0a\0b\0";
    assert_eq!(succeed(&mut fastutf("convert -f utf-16 -t utf-8"), nul), b"\0ab");
    let (written, error) = fail(&mut fastutf("convert -f detect -t utf-8"), nul, 1);
    assert_eq!(written, b"");
    assert!(error.contains("it starts like UTF-32LE, but is not well-formed UTF-32LE"), "{error}");
    // Without a byte-order mark, the text must look like what it is said to be.
    let (le, be) = (encode("zł", "utf-32le"), encode("zł", "utf-32be"));
    assert_eq!(succeed(&mut fastutf("convert -f utf-32 -t utf-8"), &be), "zł".as_bytes());
    assert_eq!(succeed(&mut fastutf("convert -f utf-32 --fallback le -t utf-8"), &le), "zł".as_bytes());
    for (input, why) in [
        (&le[..], "looks like UTF-32LE; use `--fallback le`, or `--fallback be` if it is big-endian"),
        (
            b"abcd\n",
            "looks like UTF-8 and not like UTF-32; use `--from utf-8`, or `--fallback be` if it is UTF-32",
        ),
        (b"\0\0\0\0", "its byte order cannot be detected; use `--fallback be` or `--fallback le`"),
    ] {
        let (_, error) = fail(&mut fastutf("convert -f utf-32 -t utf-8"), input, 1);
        assert_eq!(error, format!("fastutf: <stdin>: has no byte-order mark, and {why}\n"));
    }
    assert_eq!(succeed(&mut fastutf("convert -f utf-8 -t utf-32"), "z".as_bytes()), b"\0\0\xFE\xFF\0\0\0z");
    assert_eq!(succeed(&mut fastutf("convert -f utf-8 -t utf-32le --bom add"), b"z"), b"\xFF\xFE\0\0z\0\0\0");
    assert_eq!(succeed(&mut fastutf("convert -f utf-8 -t utf-32"), b""), b"");
}

/// The statistics of UTF-32 that is read as UTF-8, which is invalid.
fn feed_stat(input: &[u8]) -> String {
    text(&fail(&mut fastutf("stat -e utf-8 --format json"), input, 1).0).to_owned()
}

/// Errors in UTF-32 and WTF-8: where and what.
#[test]
fn errors() {
    let cases: [(&str, &[u8], &str, &str); 6] = [
        (
            "utf-32be",
            b"\0\0\0a\0\0\0\n\0\0\xD8\0\0\0\0b",
            "byte 8, line 2, column 1: surrogate (0000D800)",
            "surrogate",
        ),
        (
            "utf-32le",
            b"a\0\0\0\0\0\x11\0",
            "byte 4, line 1, column 2: code point above U+10FFFF (00110000)",
            "above-max",
        ),
        (
            "utf-32le",
            b"a\0\0\0\n\0",
            "byte 4, line 1, column 2: incomplete code unit at end of input (0A 00)",
            "trailing-bytes",
        ),
        (
            "wtf-8",
            b"\xED\xB8\x80\n\xED\xA0\xBD\xED\xB8\x80",
            "byte 7, line 2, column 2: surrogate pair as two sequences (ED B8 80)",
            "surrogate-pair",
        ),
        ("wtf-8", b"a\xC0\xAF", "byte 1, line 1, column 2: overlong encoding (C0 AF)", "overlong"),
        (
            "wtf-8",
            b"a\xED\xA0",
            "byte 1, line 1, column 2: incomplete sequence at end of input (ED A0)",
            "incomplete",
        ),
    ];
    for (label, input, what, kind) in cases {
        let (report, _) = fail(&mut fastutf(&format!("check --no-excerpt -e {label}")), input, 1);
        assert_eq!(text(&report), format!("<stdin>: invalid at {what}\n"));
        let (report, _) = fail(&mut fastutf(&format!("check --format json -e {label}")), input, 1);
        assert!(text(&report).contains(&format!("\"kind\":\"{kind}\"")), "{}", text(&report));
        fail(&mut fastutf(&format!("check --all -e {label}")), input, 1);
        fail(&mut fastutf(&format!("stat -e {label}")), input, 1);
    }
    let (report, _) = fail(&mut fastutf("check -e utf-32be"), cases[0].1, 1);
    let (shown, marks) = ("00 61 00 00 00 0A 00 00 D8 00 00 00 00 62", "^^ ^^ ^^ ^^");
    let expected = format!("         2: {shown}        .\u{FFFD}b\n{:30}{marks}\n", "");
    assert!(text(&report).ends_with(&expected), "{}", text(&report));
    assert_eq!(succeed(&mut fastutf("check -v -e latin1"), b"\x80\xFF\0"), b"<stdin>: valid\n");
}

/// UTF-16 becomes WTF-8 and is the same again, with surrogates that are not in pairs, in pieces and in segments.
#[test]
fn surrogates_survive() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("in");
    for times in [1, 150_000] {
        let units = [0x61, 0xD83D, 0xDE00, 0xDE00, 0xD83D, 0x20AC, 0xD83D, 0xD83D, 0xDE00].repeat(times);
        let utf16: Vec<u8> = units.iter().flat_map(|unit: &u16| unit.to_be_bytes()).collect();
        fs::write(&path, &utf16).unwrap();
        let wtf8 = succeed(fastutf("convert -f utf-16be -t wtf-8").arg(&path), b"");
        assert!(succeed(&mut fastutf("convert -f utf-16be -t wtf-8"), &utf16) == wtf8);
        fs::write(&path, &wtf8).unwrap();
        assert!(succeed(fastutf("convert -f wtf-8 -t utf-16be").arg(&path), b"") == utf16);
        assert!(succeed(fastutf("convert -f wtf-8 -t wtf-8").arg(&path), b"") == wtf8);
        assert_eq!(succeed(fastutf("check -v -e wtf-8").arg("in").current_dir(&directory), b""), b"in: valid\n");
        let (written, error) =
            fail(fastutf("convert -f wtf-8 -t utf-8").arg("in").current_dir(&directory), b"", 1);
        assert_eq!(text(&written), "a😀");
        let place = "invalid at byte 5, line 1, column 3: unpaired surrogate U+DE00 (ED B8 80)";
        assert_eq!(error, format!("fastutf: in: {place}; use `--lossy` to replace it by U+FFFD\n"));
        let mut command = fastutf("convert -f wtf-8 -t utf-8 --lossy");
        let (written, error) = fail(command.arg("in").current_dir(&directory), b"", 0);
        assert!(text(&written) == String::from_utf16_lossy(&units));
        assert_eq!(error, format!("fastutf: in: {} invalid sequences replaced by U+FFFD\n", 3 * times));
    }
}

/// A text has the same counts in every encoding.
#[test]
fn counts() {
    let counted = |text_of: &str, label: &str| {
        let report = succeed(&mut fastutf(&format!("stat --format json -e {label}")), &encode(text_of, label));
        let report = text(&report);
        report[report.find("\"lines\"").unwrap()..].to_owned()
    };
    for (all, labels) in [
        (
            "a\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\n\u{10FFFF}",
            &["utf-16le", "utf-32le", "utf-32be", "wtf-8"][..],
        ),
        ("a\u{7F}\u{80}\u{FF}\n\n", &["latin1", "utf-32le", "wtf-8"]),
    ] {
        for label in labels {
            assert_eq!(counted(all, label), counted(all, "utf-8"), "{label}");
        }
    }
    // Surrogates count as characters of 3 bytes; ill-formed sequences do not count.
    let (report, _) = fail(&mut fastutf("stat --format json -e wtf-8"), b"a\xED\xA0\xBD\xFF", 1);
    let counts = "\"bytes\":5,\"lines\":0,\"chars\":2,\"utf16_units\":2,\"utf8_bytes\":4,\"utf8_lengths\":[1,0,1,0],\"errors\":1,\"error_bytes\":1";
    assert!(text(&report).contains(counts), "{}", text(&report));
}

/// UTF-8 that is declared as Latin-1 is refused, from a pipe, from a file, to a file, in place, and however long the ASCII
/// text before it is. The options in the message help.
#[test]
fn utf8_as_latin1() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let doubt = "looks like UTF-8 and not like Latin-1; use `--from utf-8`, or `--force` if it is Latin-1\n";
    let ascii = |len: usize| "some text\n".repeat(len / 10);
    for text_of in [
        "na\u{EF}ve\n".to_owned(),
        "\u{FEFF}abc".into(),
        "é".into(),
        // The character crosses the end of a piece, or there are several pieces before it, or several threads.
        "x".repeat((256 << 10) - 1) + "é",
        ascii(700_000) + "é\n" + &ascii(100_000),
        ascii(3 << 20) + "é\n",
        "é".repeat(2 << 20),
    ] {
        let (input, mojibake) = (text_of.as_bytes(), text_of.bytes().map(char::from).collect::<String>());
        fs::write(directory.join("in"), input).unwrap();
        let run = |arguments: &str, status| {
            let arguments = format!("convert -q -f latin1 -t utf-8 {arguments}");
            fail(fastutf(&arguments).current_dir(directory), input, status)
        };
        let before = text_of.find(|c| !char::is_ascii(&c)).unwrap();
        for (arguments, name) in [("", "<stdin>"), ("in", "in"), ("in -o new", "in"), ("-i in", "in")] {
            let (written, error) = run(arguments, 1);
            assert_eq!(error, format!("fastutf: {name}: {doubt}"), "{arguments}");
            assert!(written.len() <= before && input.starts_with(&written), "{arguments}");
            // What is there at once is seen before anything is written.
            let is_seen = text_of.len() < 64 << 10 || arguments.contains('-');
            assert!(written.is_empty() || !is_seen, "{arguments}");
        }
        assert_eq!(crate::files::names(directory), ["in"]);
        assert!(run("--force in", 0).0 == mojibake.as_bytes() && run("--force", 0).0 == mojibake.as_bytes());
        assert!(succeed(fastutf("convert -f utf-8 -t utf-8 in").current_dir(directory), b"") == input);
        // Nothing becomes anything else here.
        assert!(succeed(fastutf("convert -f latin1 -t latin1 in").current_dir(directory), b"") == input);
        succeed(fastutf("check -e latin1 in").current_dir(directory), b"");
    }
    // Latin-1 after all: after more text than is needed, too.
    for text_of in [
        "abc".to_owned(),
        String::new(),
        "Ã©t\u{E9}".into(),
        "\u{E9}".into(),
        "CAFÉ»".to_owned() + &ascii(60_000) + "\u{E9}",
        "x".repeat((256 << 10) - 1) + "Ã©\u{E9}",
        ascii(3 << 20) + "\u{E9}\n" + &ascii(3 << 20),
        "\u{E9}\n".repeat(2 << 20),
    ] {
        let input = encode(&text_of, "latin1");
        fs::write(directory.join("in"), &input).unwrap();
        for arguments in ["in", ""] {
            let mut command = fastutf(&format!("convert -f latin1 -t utf-8 {arguments}"));
            assert!(succeed(command.current_dir(directory), &input) == text_of.as_bytes(), "{arguments}");
        }
    }
    for from in ["utf-8", "utf-16", "detect"] {
        let (_, error) = fail(&mut fastutf(&format!("convert -f {from} -t utf-8 --force")), b"", 2);
        assert!(error.contains("`--force` applies only to `--from latin1`"), "{error}");
    }
}

/// Latin-1 from a pipe is converted as it arrives. Only what may still be UTF-8 is held back.
#[test]
fn latin1_as_it_arrives() {
    use std::io::{Read, Write};
    use std::process::Stdio;
    let mut command = fastutf("convert -f latin1 -t utf-8");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for (sent, expected) in
        [(&b"ascii"[..], "ascii"), (b"caf\xC3", ""), (b"\xE9\n", "cafÃ\u{E9}\n"), (b"\xC3", "Ã"), (b"\xA9", "©")]
    {
        input.write_all(sent).unwrap();
        let mut received = vec![0; expected.len()];
        output.read_exact(&mut received).unwrap();
        assert_eq!(text(&received), expected);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// Bytes that are characters in windows-1252, and control characters in Latin-1, are counted.
#[test]
fn windows_1252() {
    let directory = TempDir::new().unwrap();
    let told = |bytes: &str| {
        let advice = "if this is windows-1252, use `iconv -f windows-1252 -t utf-8`";
        format!("fastutf: in: {bytes} from 80 to 9F became control characters; {advice}\n")
    };
    let edges = b"\x7F \x80 \x9F \xA0 \xFF ";
    for (input, expected) in [
        (b"\x93Quote\x94\n".to_vec(), told("2 bytes")),
        (b"\x85".to_vec(), told("1 byte")),
        (edges.to_vec(), told("2 bytes")),
        (edges.repeat(300_000), told("600,000 bytes")),
        (b"abc \x7F \xA0 \xE9".to_vec(), String::new()),
    ] {
        fs::write(directory.path().join("in"), &input).unwrap();
        for to in ["utf-8", "utf-16le", "utf-8 --lossy"] {
            let mut command = fastutf(&format!("convert -f latin1 -t {to} in"));
            assert_eq!(fail(command.current_dir(&directory), b"", 0).1, expected, "{to}");
        }
        for quiet in ["-t utf-8 -q", "-t latin1", "-t latin1 --lossy"] {
            succeed(fastutf(&format!("convert -f latin1 in {quiet}")).current_dir(&directory), b"");
        }
    }
}
