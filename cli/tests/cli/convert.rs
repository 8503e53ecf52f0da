//! `fastutf convert`: every pair of encodings, BOMs, and the messages for invalid input.

use std::fs;

use fastutf::Isa;

use crate::{LABELS, encode, fail, fastutf, sample, sample_text, succeed, text};

/// All pairs, on every instruction set, from a file and from a pipe.
#[test]
fn every_pair_on_the_sample() {
    let text = sample_text();
    for (from, name) in [
        ("utf-8", "multilingual.utf8.txt"),
        ("utf-16", "multilingual.utf16le-bom.txt"),
        ("utf-16", "multilingual.utf16be-bom.txt"),
        ("utf-16", "multilingual.utf16be.txt"),
        ("utf-16le", "multilingual.utf16le.txt"),
        ("utf-16be", "multilingual.utf16be.txt"),
    ] {
        for to in LABELS {
            let expected = encode(&text, to);
            for isa in Isa::available() {
                let arguments = format!("convert --isa {isa} --from {from} --to {to}");
                let written = succeed(fastutf(&arguments).arg(sample(name)), b"");
                assert!(written == expected, "{arguments} {name}");
                let written = succeed(&mut fastutf(&arguments), &fs::read(sample(name)).unwrap());
                assert!(written == expected, "{arguments} < {name}");
            }
        }
    }
}

/// BOMs without `--bom`: each input with its label, and the output for each of [`LABELS`].
#[test]
fn byte_order_marks() {
    type Case = (&'static str, &'static [u8], [&'static [u8]; 4]);
    let cases: [Case; 15] = [
        // Without a BOM: big-endian according to RFC 2781, unless the user specifies otherwise.
        ("utf-16", b"\0a", [b"a", b"\xFE\xFF\0a", b"a\0", b"\0a"]),
        ("utf-16 --fallback be", b"\0a", [b"a", b"\xFE\xFF\0a", b"a\0", b"\0a"]),
        ("utf-16 --fallback LE", b"a\0", [b"a", b"\xFE\xFF\0a", b"a\0", b"\0a"]),
        // With a BOM: it is a signature, so it is removed, and no fallback overrides it.
        ("utf-16", b"\xFE\xFF\0a", [b"a", b"\xFE\xFF\0a", b"a\0", b"\0a"]),
        ("utf-16 --fallback le", b"\xFE\xFF\0a", [b"a", b"\xFE\xFF\0a", b"a\0", b"\0a"]),
        ("utf-16", b"\xFF\xFEa\0", [b"a", b"\xFE\xFF\0a", b"a\0", b"\0a"]),
        ("utf-16 --fallback be", b"\xFF\xFEa\0", [b"a", b"\xFE\xFF\0a", b"a\0", b"\0a"]),
        // A BOM after the BOM is a character.
        (
            "utf-16",
            b"\xFF\xFE\xFF\xFEa\0",
            [b"\xEF\xBB\xBFa", b"\xFE\xFF\xFE\xFF\0a", b"\xFF\xFEa\0", b"\xFE\xFF\0a"],
        ),
        // Only a BOM.
        ("utf-16", b"\xFE\xFF", [b"", b"\xFE\xFF", b"", b""]),
        ("utf-16", b"\xFF\xFE", [b"", b"\xFE\xFF", b"", b""]),
        // The other labels keep it as a character. The label utf-16 adds another BOM, so nothing is lost.
        ("utf-8", b"\xEF\xBB\xBFa", [b"\xEF\xBB\xBFa", b"\xFE\xFF\xFE\xFF\0a", b"\xFF\xFEa\0", b"\xFE\xFF\0a"]),
        ("utf-16le", b"\xFF\xFEa\0", [b"\xEF\xBB\xBFa", b"\xFE\xFF\xFE\xFF\0a", b"\xFF\xFEa\0", b"\xFE\xFF\0a"]),
        ("utf-16be", b"\xFE\xFF\0a", [b"\xEF\xBB\xBFa", b"\xFE\xFF\xFE\xFF\0a", b"\xFF\xFEa\0", b"\xFE\xFF\0a"]),
        // In the other byte order it is the noncharacter U+FFFE, which is valid and not a BOM.
        ("utf-16le", b"\xFE\xFFa\0", [b"\xEF\xBF\xBEa", b"\xFE\xFF\xFF\xFE\0a", b"\xFE\xFFa\0", b"\xFF\xFE\0a"]),
        // An empty file stays empty.
        ("utf-8", b"", [b"", b"", b"", b""]),
    ];
    for (from, input, expected) in cases {
        for (to, expected) in LABELS.into_iter().zip(expected) {
            let written = succeed(&mut fastutf(&format!("convert --from {from} --to {to}")), input);
            assert_eq!(written, expected, "--from {from} --to {to} {input:02X?}");
        }
    }
}

/// With `--bom`, the labels do not matter: the first BOM, signature or not, is kept, removed or added.
#[test]
fn marks_as_wanted() {
    let text = "a\u{FEFF}é";
    let [plain, marked, twice] = [text, &format!("\u{FEFF}{text}"), &format!("\u{FEFF}\u{FEFF}{text}")];
    // The input, and the output with `keep`, `strip` and `add`.
    let cases = [
        (plain, [plain, plain, marked]),
        (marked, [marked, plain, marked]),
        (twice, [twice, marked, twice]),
        ("\u{FEFF}", ["\u{FEFF}", "", "\u{FEFF}"]),
        ("", ["", "", ""]),
    ];
    for (input, expected) in cases {
        for (what, expected) in ["keep", "STRIP", "add"].into_iter().zip(expected) {
            for from in ["utf-8", "utf-16", "utf-16le", "utf-16be"] {
                for to in LABELS {
                    // `text` already has the BOM, so the label utf-16 must not add one.
                    let bytes =
                        |text, label: &str| encode(text, if label == "utf-16" { "utf-16be" } else { label });
                    let arguments = format!("convert --bom {what} --from {from} --to {to}");
                    let written = succeed(&mut fastutf(&arguments), &bytes(input, from));
                    assert_eq!(written, bytes(expected, to), "{arguments} {input:?}");
                }
            }
        }
    }
    // The byte order is that of the BOM, or else of `--fallback`.
    for (arguments, input) in [("", &b"\xFF\xFEa\0"[..]), ("--fallback le", b"a\0")] {
        let mut command = fastutf(&format!("convert --bom add -f utf-16 -t utf-16be {arguments}"));
        assert_eq!(succeed(&mut command, input), b"\xFE\xFF\0a");
    }
    // The BOM is written before the incomplete sequence turns out to be an error.
    let (written, error) = fail(&mut fastutf("convert --bom add -f utf-8 -t utf-16le"), b"a\xEF\xBB", 1);
    assert_eq!(written, b"\xFF\xFEa\0");
    assert!(error.contains("incomplete sequence at end of input (EF BB)"), "{error}");
}

/// UTF-16 with a BOM is invalid as UTF-8 from the first byte on. The message suggests UTF-16.
#[test]
fn misread_utf16() {
    for start in [&b"\xFF\xFE"[..], b"\xFE\xFF", b"\xFF\xFEa\0", b"\xFE\xFF\0a"] {
        for to in LABELS {
            let mut command = fastutf(&format!("convert -f utf-8 -t {to}"));
            let (_, error) = fail(&mut command, start, 1);
            assert!(error.ends_with("; this looks like UTF-16: try `--from utf-16`\n"), "{error}");
        }
        let (report, _) = fail(&mut fastutf("check --no-excerpt"), start, 1);
        assert!(text(&report).ends_with("; this looks like UTF-16: try `--encoding utf-16`\n"), "{report:?}");
    }
    for (from, input) in
        [("utf-8", &b"a\xFF\xFE"[..]), ("utf-8", b"\xFF"), ("utf-8", b"\xFE\xFE"), ("utf-16le", b"\xFF\xFE\0\xDC")]
    {
        let (_, error) = fail(&mut fastutf(&format!("convert -f {from} -t utf-8")), input, 1);
        assert!(!error.contains("looks like"), "{error}");
    }
}

#[test]
fn labels_have_aliases_in_any_case() {
    for from in ["utf-16le", "UTF-16LE", "utf16le", "UTF16le", "Utf-16-le"] {
        for to in ["utf-8", "UTF-8", "utf8", "UTF8"] {
            assert_eq!(succeed(&mut fastutf(&format!("convert -f {from} -t {to} -")), b"a\0"), b"a");
        }
    }
    assert_eq!(succeed(&mut fastutf("convert -f UTF16BE -t UTF16"), b"\0a"), b"\xFE\xFF\0a");
}

/// In a pipe, valid text goes to the standard output, and the error to the standard error.
#[test]
fn invalid_input() {
    for isa in Isa::available() {
        for to in LABELS {
            let mut command = fastutf(&format!("convert --isa {isa} --from utf-8 --to {to}"));
            let (written, error) = fail(&mut command, b"z\xC5\x82\n\xC5\x91\xE0\x80\x80!", 1);
            assert_eq!(written, encode("zł\nő", to), "{isa}, to {to}");
            assert_eq!(
                error,
                "fastutf: <stdin>: invalid at byte 6, line 2, column 2: overlong encoding (E0 80 80); \
                 use `--lossy` to replace it by U+FFFD\n"
            );

            let mut command = fastutf(&format!("convert --isa {isa} --from utf-16 --to {to}"));
            let (written, error) = fail(&mut command, b"\xFF\xFEa\0\x3D\xD8\x3D\xD8\x00\xDE", 1);
            assert_eq!(written, encode("a", to), "{isa}, to {to}");
            assert_eq!(
                error,
                "fastutf: <stdin>: invalid at byte 4, line 1, column 2: unpaired high surrogate (D83D); \
                 use `--lossy` to replace it by U+FFFD\n"
            );
        }
    }
}

#[test]
fn usage_errors() {
    for (arguments, message) in [
        ("", "Usage"),
        ("transmogrify", "unrecognized subcommand 'transmogrify'"),
        ("convert", "--from <ENCODING>"),
        ("convert --from utf-8", "--to <ENCODING>"),
        ("convert --from utf-8 --to utf-7", "invalid value 'utf-7' for '--to <ENCODING>'"),
        ("convert --from latin2 --to utf-8", "invalid value 'latin2' for '--from <ENCODING>'"),
        (
            "convert --from latin2 --to utf-8",
            "for other encodings, use iconv: `iconv -f latin2 -t utf-8 INPUT > OUTPUT`",
        ),
        ("convert -f auto -t utf-8", "tip: to guess it, use `detect`\n"),
        ("check -e Auto", "tip: to guess it, use `detect`\n"),
        ("convert -f utf-8 -t auto", "for other encodings, use iconv"),
        ("convert -c -f utf-8 -t latin1", "tip: to replace what cannot be converted, use `--lossy`\n"),
        ("convert -f utf-8 -t latin1 -cs", "tip: to replace what cannot be converted, use `--lossy`\n"),
        ("convert -f utf-8 -t latin1//TRANSLIT", "tip: to replace what cannot be converted, use `--lossy`\n"),
        ("check -c", "tip: to pass '-c' as a value, use '-- -c'\n"),
        (
            "check -e Windows-1252",
            "for other encodings, use iconv: `iconv -f Windows-1252 -t utf-8 INPUT > OUTPUT`",
        ),
        (
            "convert --from utf-8 --to gb18030",
            "for other encodings, use iconv: `iconv -f utf-8 -t gb18030 INPUT > OUTPUT`",
        ),
        (
            "convert --from utf-8 --to $(x)",
            "for other encodings, use iconv: `iconv -f utf-8 -t NAME INPUT > OUTPUT`",
        ),
        (
            "convert --from utf-8 --to utf-16 one two",
            "unexpected argument 'two': several files need `--output-dir DIR` or `--in-place`",
        ),
        ("convert --from utf-8 --to utf-16 one two", "to write to two, use `-o two`"),
        ("convert --from utf-8 --to utf-16 one two three", "fastutf convert [OPTIONS]"),
        ("convert --from utf-16 --fallback middle --to utf-8", "invalid value 'middle' for '--fallback <ORDER>'"),
        ("convert --from utf-16le --fallback be --to utf-16", "`--fallback` applies only to `--from utf-16`"),
        ("convert --from utf-16le --fallback be --to utf-16", "Usage: fastutf convert [OPTIONS] --from"),
        ("check --encoding utf-7", "invalid value 'utf-7' for '--encoding <ENCODING>'"),
        ("check --fallback le", "`--fallback` applies only to `--encoding utf-16`"),
        ("check --fallback le", "Usage: fastutf check [OPTIONS] [PATH]..."),
        ("check --from utf-8 --encoding utf-8", "cannot be used multiple times"),
    ] {
        let (written, error) = fail(&mut fastutf(arguments), b"", 2);
        assert_eq!(written, b"", "{arguments}");
        assert!(error.contains(message), "{arguments}: {error}");
    }
    for arguments in ["--help", "--version", "help convert", "convert --help", "check -h", "isa --help"] {
        assert!(!succeed(&mut fastutf(arguments), b"").is_empty(), "{arguments}");
    }
}

/// The help on an encoding depends on the option: for input, whether a BOM is kept; for output, whether one is added.
#[test]
fn help_on_encodings() {
    let help = succeed(&mut fastutf("convert --help"), b"");
    let (from, to) = text(&help).split_once("--to <ENCODING>\n").unwrap();
    assert!(
        from.contains("- utf-16:   UTF-16; a byte-order mark, if present, determines the byte order"),
        "{from}"
    );
    assert!(from.contains("EF BB BF at the start is kept"), "{from}");
    assert!(to.contains("- utf-16:   UTF-16, big-endian, after a byte-order mark, on every machine"), "{to}");
    // Others write the byte order of the machine.
    let words = to.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("what iconv, uconv and Python write on little-endian ones, use `utf-16le --bom add`"),
        "{to}"
    );
    assert!(!to.contains("is kept as a character\n          -"), "{to}");
}
