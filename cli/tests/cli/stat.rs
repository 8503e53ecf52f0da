//! `fastutf stat`: every number is compared with the standard library's.

use std::fs;

use fastutf::Isa;
use serde_json::Value;
use tempfile::TempDir;

use crate::{LABELS, encode, fail, fastutf, feed, sample, sample_text, succeed, text};

/// The lines of JSON for this input, with the exit status.
fn stat(arguments: &str, input: &[u8]) -> (Value, i32) {
    let output = feed(&mut fastutf(&format!("stat --format json {arguments}")), input);
    assert_eq!(text(&output.stderr), "", "{arguments}");
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

/// The counts of well-formed text.
fn counts(text: &str) -> [(&'static str, Value); 5] {
    let length = |len| text.chars().filter(|character| character.len_utf8() == len).count();
    [
        ("lines", text.matches('\n').count().into()),
        ("chars", text.chars().count().into()),
        ("utf16_units", text.encode_utf16().count().into()),
        ("utf8_bytes", text.len().into()),
        ("utf8_lengths", (1..=4).map(length).collect::<Vec<_>>().into()),
    ]
}

#[test]
fn well_formed() {
    let sample = sample_text();
    let long = "aé€😀\n漢字 и ".repeat(40_000);
    for content in ["", "a", "\n\n", "é", "€", "😀", "\u{FEFF}a", &sample, &long] {
        for label in LABELS {
            let input = encode(content, label);
            for isa in Isa::available() {
                let (found, status) = stat(&format!("-e {label} --isa {isa}"), &input);
                assert_eq!(status, 0);
                assert_eq!((&found["valid"], &found["errors"]), (&true.into(), &0.into()), "{label} {isa}");
                assert_eq!(found["bytes"], input.len(), "with the mark");
                for (name, expected) in counts(content) {
                    assert_eq!(found[name], expected, "{name}, {label}, {isa}, {} bytes", input.len());
                }
                assert_eq!(found["first_error"], Value::Null);
            }
        }
    }
}

/// What is wrong with a sequence that ends where a block of a mapped file ends is not that the text ends there.
#[test]
fn ill_formed_at_the_end_of_a_block() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    for (label, sequence, kind) in [
        ("utf-8", &b"\xE2\x82"[..], "missing-continuation"),
        ("wtf-8", b"\xED\xA0", "missing-continuation"),
        ("utf-16le", b"\x00\xD8", "unpaired-high-surrogate"),
        ("utf-16be", b"\xD8\x00", "unpaired-high-surrogate"),
    ] {
        for end in [128 << 10, 4 << 20] {
            let mut input = encode(&"a".repeat(5 << 20), label);
            input[end - sequence.len()..end].copy_from_slice(sequence);
            fs::write(&path, &input).unwrap();
            let arguments = format!("-e {label}");
            let (piped, _) = stat(&arguments, &input);
            let (found, _) = stat(&format!("{arguments} {}", path.display()), b"");
            assert_eq!(found["first_error"]["kind"], kind, "{label}, {end}");
            assert_eq!(found["first_error"], piped["first_error"], "{label}, {end}");
        }
    }
}

/// In ill-formed text, the well-formed parts are counted, and the errors separately: from a pipe, and from a file large
/// enough for several threads.
#[test]
fn ill_formed() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    let mut utf8 = "zł€😀\n".repeat(500_000).into_bytes();
    let places: Vec<usize> =
        (1..).map(|number| number * number * 131 / 11 * 11).take_while(|&at| at < utf8.len()).collect();
    for &at in places.iter().rev() {
        utf8.splice(at..at, *b"\xF0\x9F\x98\xC0");
    }
    let well_formed: String = utf8.utf8_chunks().map(|chunk| chunk.valid()).collect();
    let bad: Vec<usize> = utf8.utf8_chunks().map(|chunk| chunk.invalid().len()).filter(|&len| len > 0).collect();
    assert!(utf8.len() > 5 << 20 && bad.len() > 300, "{} bytes, {} errors", utf8.len(), bad.len());
    let first = utf8.utf8_chunks().next().unwrap().valid();
    let mut utf16: Vec<u16> = well_formed.encode_utf16().collect();
    for at in [utf16.len(), 3_000_000, 2_097_152, 2_097_151, 5] {
        utf16.insert(at, 0xDC00);
    }
    let mut utf16: Vec<u8> = utf16.into_iter().flat_map(u16::to_be_bytes).collect();
    utf16.push(0);
    for (label, input, errors, bytes, offset) in
        [("utf-8", &utf8, bad.len(), bad.iter().sum::<usize>(), first.len()), ("utf-16be", &utf16, 6, 11, 10)]
    {
        fs::write(&path, input).unwrap();
        for arguments in [
            "-",
            path.to_str().unwrap(),
            &format!("{} --threads 1", path.display()),
            &format!("{} --threads 3", path.display()),
        ] {
            let (found, status) = stat(&format!("-e {label} {arguments}"), input);
            assert_eq!(status, 1);
            assert_eq!(found["bytes"], input.len());
            for (name, expected) in counts(&well_formed) {
                assert_eq!(found[name], expected, "{name}, {label}, {arguments}");
            }
            assert_eq!((&found["errors"], &found["error_bytes"]), (&errors.into(), &bytes.into()), "{arguments}");
            let error = &found["first_error"];
            assert_eq!(error["offset"], offset);
            assert_eq!((&found["valid"], error["kind"].is_string()), (&false.into(), true));
            let (report, _) = feed_check(label, arguments, input);
            for field in ["offset", "line", "column", "kind", "message"] {
                assert_eq!(error[field], report[field], "as `check` has it");
            }
        }
    }
}

/// The first line of JSON that `check` prints.
fn feed_check(label: &str, arguments: &str, input: &[u8]) -> (Value, i32) {
    let output = feed(&mut fastutf(&format!("check --format json -e {label} {arguments}")), input);
    let line = text(&output.stdout).lines().next().unwrap();
    (serde_json::from_str(line).unwrap(), output.status.code().unwrap())
}

/// Without `--encoding`, a byte-order mark of UTF-16 or UTF-32 decides. It is a signature.
#[test]
fn marks() {
    for (input, encoding, bom, chars, status) in [
        (&b"\xFF\xFEa\0\n\0"[..], "UTF-16LE", "UTF-16LE", 2, 0),
        (b"\xFE\xFF\0a\0\n", "UTF-16BE", "UTF-16BE", 2, 0),
        (b"\xFE\xFF\xDC\0", "UTF-16BE", "UTF-16BE", 0, 1),
        (b"\xFF\xFE\0\0a\0\0\0", "UTF-32LE", "UTF-32LE", 1, 0),
        (b"\0\0\xFE\xFF\0\0\0a", "UTF-32BE", "UTF-32BE", 1, 0),
        // U+0000 in UTF-16.
        (b"\xFF\xFE\0\0a\0", "UTF-16LE", "UTF-16LE", 2, 0),
        // That of UTF-8 is a character.
        (b"\xEF\xBB\xBFa", "UTF-8", "UTF-8", 2, 0),
        (b"\xFF", "UTF-8", "", 0, 1),
        (b"", "UTF-8", "", 0, 0),
    ] {
        let (found, code) = stat("", input);
        let told =
            (found["encoding"].as_str().unwrap(), found["bom"].as_str().unwrap_or(""), &found["chars"], code);
        assert_eq!(told, (encoding, bom, &chars.into(), status), "{input:02X?}");
        assert_eq!((&found["bytes"], &found["looks_like"]), (&input.len().into(), &Value::Null), "{input:02X?}");
    }
}

/// BOMs, and texts that look like UTF-16.
#[test]
fn guesses() {
    let chinese = "天地玄黃。宇宙洪荒。\n".repeat(10);
    let no_stops = "天地玄黃宇宙洪荒".repeat(10);
    let bytes = |text: &str, label: &str| encode(text, label);
    let cut = &bytes(&"a😀".repeat(20_000), "utf-16le")[..(64 << 10) + 3];
    type Case = (&'static str, Vec<u8>, Option<&'static str>, Option<&'static str>);
    let cases: [Case; 18] = [
        ("utf-8", b"".to_vec(), None, None),
        ("utf-8", b"plain text\n".to_vec(), None, None),
        ("utf-8", "\u{FEFF}text".into(), Some("UTF-8"), None),
        ("utf-8", b"\xFF\xFEa\0".to_vec(), Some("UTF-16LE"), Some("UTF-16LE")),
        ("utf-8", b"\xFE\xFF\0a".to_vec(), Some("UTF-16BE"), Some("UTF-16BE")),
        ("utf-16", b"\xFE\xFF\0a".to_vec(), Some("UTF-16BE"), None),
        ("utf-16le", b"\xFE\xFF\0a".to_vec(), Some("UTF-16BE"), Some("UTF-16BE")),
        // As UTF-8, these are valid with NULs, except for the accent.
        ("utf-8", bytes("plain text\n", "utf-16le"), None, Some("UTF-16LE")),
        ("utf-8", bytes("plain téxt\n", "utf-16be"), None, Some("UTF-16BE")),
        ("utf-16be", bytes("plain text\n", "utf-16le"), None, Some("UTF-16LE")),
        ("utf-16le", bytes("plain text\n", "utf-16le"), None, None),
        ("utf-8", bytes(&chinese, "utf-16le"), None, Some("UTF-16LE")),
        ("utf-8", bytes(&chinese, "utf-16be"), None, Some("UTF-16BE")),
        // Nothing shows the byte order.
        ("utf-8", bytes(&no_stops, "utf-16le"), None, None),
        // Control characters occur in programs, not in text.
        ("utf-8", bytes("text\u{1}text", "utf-16le"), None, None),
        ("utf-8", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0".to_vec(), None, None),
        ("utf-8", b"a\0\0\xDCa\0".to_vec(), None, None),
        // The sample ends inside a surrogate pair.
        ("utf-8", cut.to_vec(), None, Some("UTF-16LE")),
    ];
    for (label, input, bom, guess) in cases {
        let (found, _) = stat(&format!("-e {label}"), &input);
        let start = &input[..input.len().min(20)];
        assert_eq!((found["bom"].as_str(), found["looks_like"].as_str()), (bom, guess), "{label} {start:02X?}");
    }
    // `check` and `convert` also suggest UTF-16 for invalid text, if the first error is near the start.
    let input = bytes("plain téxt\n", "utf-16be");
    let (report, _) = fail(&mut fastutf("check --no-excerpt"), &input, 1);
    assert!(text(&report).ends_with("; this looks like UTF-16: try `--encoding utf-16be`\n"), "{}", text(&report));
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("text");
    for (len, hint) in
        [(0, "this looks like UTF-16: try `--from utf-16be`"), (3 << 20, "use `--lossy` to replace it by U+FFFD")]
    {
        let input = [bytes("plain text\n", "utf-16be").repeat(len / 22), input.clone()].concat();
        fs::write(&path, input).unwrap();
        let (_, error) = fail(fastutf("convert -f utf-8 -t utf-16").arg(&path), b"", 1);
        assert!(error.ends_with(&format!("; {hint}\n")), "{error}");
    }
}

/// The complete report as text: with bars, the sum of two files, and errors.
#[test]
fn as_text() {
    let mut command = fastutf("stat multilingual.utf8.txt");
    let report = succeed(command.current_dir(sample("")), b"");
    let expected = "multilingual.utf8.txt
  encoding    UTF-8, valid
  bytes       4,569
  lines       69
  characters  2,817
  in UTF-16   2,847 code units, 5,694 bytes
  in UTF-8    4,569 bytes; characters by their length:
              1  ██████████████████▍               57.29 %  1,614
              2  ███████▊                          24.28 %  684
              3  █████▌                            17.36 %  489
              4  ▍                                  1.06 %  30
";
    assert_eq!(text(&report), expected);
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("one"), "\u{FEFF}a\n".repeat(400_000)).unwrap();
    fs::write(directory.path().join("two"), b"caf\xE9\xF0\x9F").unwrap();
    let (report, error) = fail(fastutf("stat one missing two").current_dir(directory.path()), b"", 2);
    assert_eq!(error, "fastutf: missing: No such file or directory\n");
    let expected = "one
  encoding    UTF-8, valid, starts with the byte-order mark of UTF-8
  bytes       2,000,000
  lines       400,000
  characters  1,200,000
  in UTF-16   1,200,000 code units, 2,400,000 bytes
  in UTF-8    2,000,000 bytes; characters by their length:
              1  █████████████████████▍            66.67 %  800,000
              2                                     0.00 %  0
              3  ██████████▋                       33.33 %  400,000
              4                                     0.00 %  0
two
  encoding    UTF-8, invalid
  first error at byte 3, line 1, column 4: missing continuation byte (E9)
  bytes       6
  lines       0
  characters  3
  in UTF-16   3 code units, 6 bytes
  in UTF-8    3 bytes; characters by their length:
              1  ████████████████████████████████ 100.00 %  3
              2                                     0.00 %  0
              3                                     0.00 %  0
              4                                     0.00 %  0
  ill-formed  2 sequences, 3 bytes, not counted above
2 files
  bytes       2,000,006
  lines       400,000
  characters  1,200,003
  in UTF-16   1,200,003 code units, 2,400,006 bytes
  in UTF-8    2,000,003 bytes; characters by their length:
              1  █████████████████████▍            66.67 %  800,003
              2                                     0.00 %  0
              3  ██████████▋                       33.33 %  400,000
              4                                     0.00 %  0
  ill-formed  2 sequences, 3 bytes, not counted above
";
    assert_eq!(text(&report), expected);
    let (report, _) = fail(fastutf("stat --format json one two").current_dir(directory.path()), b"", 1);
    let lines: Vec<Value> = text(&report).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[2]["type"], &lines[2]["files"]), (&"total".into(), &2.into()));
    assert_eq!((&lines[2]["bytes"], &lines[2]["error_bytes"]), (&2_000_006.into(), &3.into()));
}
