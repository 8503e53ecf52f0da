//! `fastutf isa` and `--isa`.

use std::time::Instant;

use fastutf::Isa;
use serde_json::{Value, json};

use crate::{fail, fastutf, succeed, text};

/// The names in the list, and those marked as used.
fn listed(arguments: &str) -> (Vec<String>, Vec<String>) {
    let output = succeed(&mut fastutf(arguments), b"");
    let lines: Vec<(String, String)> = text(&output)
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, note)| (name.to_owned(), note.trim().to_owned()))
        .collect();
    assert!(lines.iter().all(|(_, note)| note == "used" || note == "available"), "{lines:?}");
    let used = lines.iter().filter(|(_, note)| note == "used").map(|(name, _)| name.clone()).collect();
    (lines.into_iter().map(|(name, _)| name).collect(), used)
}

#[test]
fn lists_all_and_marks_the_one_used() {
    let names: Vec<String> = Isa::available().map(|isa| isa.to_string()).collect();
    // The program is built with the profile of its tests, so both use the same one.
    assert_eq!(listed("isa"), (names.clone(), vec![Isa::best().to_string()]));
    for name in &names {
        let upper = name.to_uppercase();
        for arguments in [format!("--isa {name} isa"), format!("isa --isa {name}"), format!("isa --isa={upper}")] {
            assert_eq!(listed(&arguments), (names.clone(), vec![name.clone()]), "{arguments}");
        }
    }
}

#[test]
fn only_available_ones() {
    let mut cases =
        vec![("mmx", "unknown instruction set; the known ones are avx512 avx2 sse4.1 neon simd128 scalar")];
    match ["avx512", "avx2", "sse4.1", "neon", "simd128"]
        .into_iter()
        .find(|name| name.parse::<fastutf::Isa>().is_err())
    {
        Some(missing) => {
            cases.push((missing, "this CPU or this build does not have that instruction set; it has"))
        }
        None => eprintln!("this CPU has all instruction sets, so none of them is refused"),
    }
    for (name, message) in cases {
        for arguments in [
            format!("isa --isa {name}"),
            format!("--isa {name} check"),
            format!("check --isa {name}"),
            format!("convert --from utf-8 --to utf-8 --isa {name}"),
        ] {
            let (written, error) = fail(&mut fastutf(&arguments), b"a", 2);
            assert_eq!(written, b"");
            assert!(error.contains(message), "{arguments}: {error}");
        }
    }
}

/// Each instruction set is measured with each operation on each text, for at least the given time.
#[test]
fn measures() {
    let names: Vec<_> = Isa::available().map(|isa| isa.to_string()).collect();
    let begun = Instant::now();
    let output = succeed(&mut fastutf("isa --bench --seconds 1"), b"");
    let elapsed = begun.elapsed().as_secs_f64();
    // How much longer it takes depends on the machine.
    assert!(elapsed > 0.99, "{elapsed} s");
    let mut blocks = text(&output).split("\n\n");
    assert_eq!(blocks.next().unwrap(), text(&succeed(&mut fastutf("isa"), b"")).trim_end());
    for (block, operation) in blocks.by_ref().zip(["validate UTF-8", "UTF-8 to UTF-16LE", "UTF-16LE to UTF-8"]) {
        let (head, rows) = block.split_once('\n').unwrap();
        assert!(
            head.starts_with(operation) && head.ends_with("English   French  Russian  Chinese    Emoji  GB/s"),
            "{head}"
        );
        let rows: Vec<Vec<_>> = rows.lines().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), names);
        for row in rows {
            assert!(
                row.len() == 6 && row[1..].iter().all(|speed| speed.parse::<f64>().unwrap() >= 0.0),
                "{row:?}"
            );
        }
    }
    assert_eq!(blocks.next(), None);
}

#[test]
fn for_programs() {
    let parse = |arguments: &str| -> Vec<Value> {
        serde_json::from_slice(&succeed(&mut fastutf(arguments), b"")).unwrap()
    };
    let list = parse("isa --format json --isa scalar");
    assert_eq!(list.len(), Isa::available().count());
    for (entry, isa) in list.iter().zip(Isa::available()) {
        assert_eq!(*entry, json!({ "name": isa.name(), "used": isa == Isa::SCALAR }));
    }
    for (entry, isa) in parse("isa --bench --seconds 1 --format json").iter().zip(Isa::available()) {
        assert_eq!(entry["name"], isa.name());
        let measured = entry["measured"].as_array().unwrap();
        assert_eq!(measured.len(), 15);
        assert_eq!(measured[5]["operation"], "UTF-8 to UTF-16LE");
        assert_eq!(measured[5]["text"], "English");
        assert!(measured.iter().all(|one| one["gigabytes_per_second"].as_f64().unwrap() >= 0.0), "{measured:?}");
    }
}

#[test]
fn usage_errors() {
    for (arguments, message) in [
        ("isa --seconds 3", "--bench"),
        ("isa --bench --seconds 0", "invalid value '0' for '--seconds <N>'"),
        ("isa --format xml", "[possible values: text, json]"),
    ] {
        let (_, error) = fail(&mut fastutf(arguments), b"", 2);
        assert!(error.contains(message), "{arguments}: {error}");
    }
}
