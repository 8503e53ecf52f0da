//! Instruction sets: which are available, their names, and that the free functions use the best one.

use std::io::Write;

use fastutf::{Isa, ParseIsaError};

/// All instruction sets that the crate has kernels for, on any architecture.
const KNOWN: [&str; 5] = ["avx512", "avx2", "sse4.1", "neon", "simd128"];

/// Prints which instruction sets the tests use, even if the output of passing tests is captured.
#[test]
fn tested_here() {
    let names: Vec<_> = Isa::available().map(Isa::name).collect();
    let missing: Vec<_> = KNOWN.into_iter().filter(|name| !names.contains(name)).collect();
    let _ = writeln!(
        std::io::BufWriter::new(std::io::stderr()), // one write, as other tests print, too
        "\ninstruction sets tested here: {}; this CPU or this build lacks: {}; the free functions use {}",
        names.join(" "),
        if missing.is_empty() { "none".into() } else { missing.join(" ") },
        Isa::best(),
    );
    if cfg!(not(unix)) {
        let _ = writeln!(std::io::stderr(), "NOT TESTED here: accesses beyond a buffer, by guard pages");
    }
    for name in missing {
        assert_eq!(name.parse::<Isa>(), Err(ParseIsaError::Unavailable), "{name}");
    }
    if let Ok(expected) = std::env::var("FASTUTF_EXPECT_ISA") {
        assert_eq!(names[0], expected, "FASTUTF_EXPECT_ISA is set, but {names:?} are available");
    }
}

#[test]
fn available_lists_each_once_and_scalar_last() {
    let all: Vec<_> = Isa::available().collect();
    assert_eq!(all.last(), Some(&Isa::SCALAR));
    for (i, isa) in all.iter().enumerate() {
        assert!(!all[..i].contains(isa), "{isa} twice");
        assert!(isa.name() == "scalar" || KNOWN.contains(&isa.name()), "{isa} is not known to these tests");
    }
    // They are in the order of `KNOWN`.
    let ranks: Vec<_> = all.iter().filter_map(|isa| KNOWN.iter().position(|name| *name == isa.name())).collect();
    assert!(ranks.is_sorted(), "{all:?}");
}

/// Without optimisation it is scalar: see `build.rs`.
#[test]
fn best_is_the_first_available() {
    let best = if cfg!(fastutf_scalar_default) { Some(Isa::SCALAR) } else { Isa::available().next() };
    assert_eq!(Some(Isa::best()), best);
}

#[test]
fn names_parse_in_any_case() {
    for isa in Isa::available() {
        assert_eq!(isa.name().parse(), Ok(isa));
        assert_eq!(isa.name().to_uppercase().parse(), Ok(isa));
        assert_eq!(isa.to_string(), isa.name());
        assert_eq!(format!("{isa:>9}|{isa:<9}|"), format!("{:>9}|{:<9}|", isa.name(), isa.name()));
        assert_eq!(format!("{isa:?}"), format!("Isa({})", isa.name()));
    }
    for unknown in ["", " ", "mmx", "avx-512", "avx2 ", "sse41", "scalar\0"] {
        assert_eq!(unknown.parse::<Isa>(), Err(ParseIsaError::Unknown), "{unknown:?}");
    }
}

#[test]
fn parse_errors_list_the_names() {
    let unknown = ParseIsaError::Unknown.to_string();
    for name in KNOWN.iter().chain(&["scalar"]) {
        assert!(unknown.split(' ').any(|word| word == *name), "{name} in {unknown:?}");
    }
    let unavailable = ParseIsaError::Unavailable.to_string();
    for isa in Isa::available() {
        assert!(unavailable.split(' ').any(|word| word == isa.name()), "{isa} in {unavailable:?}");
    }
    let _: &dyn std::error::Error = &ParseIsaError::Unknown;
}
