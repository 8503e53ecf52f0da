//! `fastutf convert` writes the same bytes as `iconv`, if that is installed.

use std::fs;
use std::process::Command;

use crate::{fastutf, sample, succeed};

#[test]
fn same_as_iconv_on_the_samples() {
    if Command::new("iconv").arg("--version").output().is_err() {
        eprintln!("skipped: iconv is not installed");
        return;
    }
    // Not to utf-16, which iconv writes in the byte order of its machine.
    for (from, names) in [
        ("utf-8", &["multilingual.utf8.txt"][..]),
        ("utf-16le", &["multilingual.utf16le.txt", "multilingual.utf16le-bom.txt"]),
        ("utf-16be", &["multilingual.utf16be.txt", "multilingual.utf16be-bom.txt"]),
        ("utf-16", &["multilingual.utf16le-bom.txt", "multilingual.utf16be-bom.txt"]),
    ] {
        for name in names {
            let input = fs::read(sample(name)).unwrap();
            for to in ["utf-8", "utf-16le", "utf-16be"] {
                let theirs = succeed(Command::new("iconv").args(["-f", from, "-t", to]), &input);
                let ours = succeed(&mut fastutf(&format!("convert --from {from} --to {to}")), &input);
                assert!(ours == theirs, "{name} from {from} to {to}");
            }
        }
    }
    // UTF-32, and Latin-1 of the text that is in it.
    let text = fs::read(sample("multilingual.utf8.txt")).unwrap();
    let western: String =
        text.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|&c| c <= 'ÿ').collect();
    for (input, labels) in [
        (&text[..], &["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"][..]),
        (western.as_bytes(), &["utf-8", "utf-16be", "utf-32le", "iso-8859-1"]),
    ] {
        for from in labels {
            let input = succeed(Command::new("iconv").args(["-f", "utf-8", "-t", from]), input);
            for to in labels {
                let theirs = succeed(Command::new("iconv").args(["-f", from, "-t", to]), &input);
                let ours = succeed(&mut fastutf(&format!("convert --from {from} --to {to}")), &input);
                assert!(ours == theirs, "from {from} to {to}");
            }
        }
    }
    let theirs = succeed(Command::new("iconv").args(["-f", "utf-8", "-t", "utf-32"]), &text);
    assert!(succeed(&mut fastutf("convert --from utf-32 --to utf-8"), &theirs) == text);
    assert!(succeed(&mut fastutf("convert --from detect --to utf-8"), &theirs) == text);
    let ours = succeed(&mut fastutf("convert --from utf-8 --to utf-32"), &text);
    assert!(succeed(Command::new("iconv").args(["-f", "utf-32", "-t", "utf-8"]), &ours) == text);
    // Each reads the other's output with a BOM.
    let theirs = succeed(Command::new("iconv").args(["-f", "utf-8", "-t", "utf-16"]), &text);
    assert!(succeed(&mut fastutf("convert --from utf-16 --to utf-8"), &theirs) == text);
    let ours = succeed(&mut fastutf("convert --from utf-8 --to utf-16"), &text);
    assert!(succeed(Command::new("iconv").args(["-f", "utf-16", "-t", "utf-8"]), &ours) == text);
}
