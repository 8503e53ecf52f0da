//! `fastutf isa` and `--isa`.

use fastutf::Isa;

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
    let mut cases = vec![("mmx", "unknown instruction set: the names are avx512 avx2 sse4.1 neon simd128 scalar")];
    match ["avx512", "avx2", "sse4.1", "neon", "simd128"]
        .into_iter()
        .find(|name| name.parse::<fastutf::Isa>().is_err())
    {
        Some(missing) => {
            cases.push((missing, "this CPU or this build does not have that instruction set: it has"))
        }
        None => eprintln!("this CPU has all instruction sets: nothing that it lacks can be asked for"),
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
