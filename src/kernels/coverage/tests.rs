//! Runs every operation on texts of all kinds, and finds the paths that none has taken.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::format;
use std::io::Read;
use std::string::String;
use std::vec;
use std::vec::Vec;

use crate::Isa;
pub(crate) use crate::proof::plain;

/// A source file, with a name in it or with its whole text.
type InFile = (&'static str, &'static str);

std::thread_local! {
    static TAKEN: RefCell<BTreeSet<InFile>> = const { RefCell::new(BTreeSet::new()) };
}

pub(crate) fn note(file: &'static str, name: &'static str) {
    let (_, file) = file.rsplit_once("kernels/").expect("it is a kernel's source file");
    TAKEN.with_borrow_mut(|taken| taken.insert((file, name)));
}

macro_rules! sources {
    ($($file:literal),*) => { &[$(($file, include_str!(concat!("../", $file)))),*] };
}
/// The sources of the generic kernels, and those of AVX-512.
const LANES: &[InFile] = sources![
    "validate_utf8/mod.rs",
    "validate_utf16/mod.rs",
    "repair_utf16/mod.rs",
    "utf8_to_utf16/mod.rs",
    "utf8_to_utf16/run.rs",
    "utf8_to_utf16/ill_formed.rs",
    "utf16_to_utf8/mod.rs",
    "repair_utf8/mod.rs"
];
const AVX512: &[InFile] = sources![
    "validate_utf8/avx512.rs",
    "validate_utf16/avx512.rs",
    "repair_utf16/avx512.rs",
    "utf8_to_utf16/avx512.rs",
    "utf16_to_utf8/avx512.rs",
    "repair_utf8/mod.rs"
];

/// Those of Latin-1, likewise. They are only called if the feature is on.
const LATIN1: [&[InFile]; 2] = [
    sources!["latin1/mod.rs", "latin1/utf16.rs", "utf16_info/mod.rs"],
    sources!["latin1/avx512.rs", "utf16_info/avx512.rs"],
];

/// Those of UTF-32, likewise.
const UTF32: [&[InFile]; 2] = [
    sources!["utf32/mod.rs", "utf32/bytes.rs", "utf32/from_utf8.rs", "utf32/to_utf8.rs", "utf32/utf16.rs"],
    sources!["utf32/avx512.rs"],
];

/// The paths named in these sources.
fn named(sources: &[InFile]) -> BTreeSet<InFile> {
    let in_file = |&(file, source): &InFile| {
        let uses = source.split("path!(").skip(1).map(|rest| rest.split_once(");").expect("a statement").0);
        // The strings: one name, or several to choose from.
        uses.flat_map(|name| name.split('"').skip(1).step_by(2)).map(move |name| (file, name))
    };
    sources.iter().flat_map(in_file).collect()
}

/// Runs of every kind of character between runs of every other kind, of all short lengths and some long ones, and
/// ASCII with an occasional other character.
fn texts() -> Vec<String> {
    let kinds =
        ["a", "é", "漢", "😀", "aé", "a漢", "é漢", "漢漢漢漢漢漢漢漢漢漢漢漢漢a", "😀😀😀😀😀😀😀😀 ", "aé漢😀"];
    let lengths = (0..150).chain([200, 300, 513, 1000]);
    let mut texts = Vec::new();
    for len in lengths {
        for kind in kinds {
            texts.push(kind.repeat(len));
            for other in kinds {
                texts.push(format!("{}{}{}", kind.repeat(len), other.repeat(2 + len / 2), kind.repeat(40)));
            }
        }
    }
    for rare in ["é", "漢", "😀", "éé漢"] {
        for distance in [30, 70, 150, 600, 1500] {
            texts.push(format!("{}{rare}", "a".repeat(distance)).repeat(8));
        }
    }
    // Overflows counters of a byte, if blocks are 256 bytes or less.
    texts.push("é".repeat(8500));
    texts
}

/// Runs all operations on `text`: with just enough room, with plenty, with too little, and with an error at the
/// end.
fn run(isa: Isa, text: &str) {
    let bytes = text.as_bytes();
    let units: Vec<u16> = text.encode_utf16().collect();
    assert!(isa.utf8_info(bytes).is_ok_and(|info| info.utf16_len == units.len()));
    assert!(isa.validate_utf8(bytes).is_ok() && isa.validate_utf16(&units).is_ok());
    assert!(isa.validate_utf8(&[bytes, b"\xFF"].concat()).is_err());
    assert!(isa.validate_utf16(&[&units[..], &[0xDC00]].concat()).is_err());
    assert_eq!(isa.count_chars_utf8(bytes), isa.count_chars_utf16(&units));
    assert_eq!(isa.utf16_len_from_utf8(bytes), units.len());
    assert_eq!(isa.utf8_len_from_utf16(&units), bytes.len());
    let mut broken = [&units[..], &[0xDC00]].concat();
    assert_eq!(isa.utf8_len_from_utf16_lossy(&broken), bytes.len() + 3);
    assert_eq!(isa.make_well_formed_utf16(&mut broken), 1);
    for [utf16, utf8] in [[units.len(), bytes.len()], [bytes.len() + 100, 3 * units.len() + 100]] {
        let (mut utf16, mut utf8) = (vec![0; utf16], vec![0; utf8]);
        assert!(isa.utf8_to_utf16(bytes, &mut utf16).is_complete() && utf16.starts_with(&units));
        assert!(isa.utf16_to_utf8(&units, &mut utf8).is_complete() && utf8.starts_with(bytes));
        let _ = isa.utf8_to_utf16(bytes, &mut utf16[..units.len() / 2]);
        let _ = isa.utf16_to_utf8(&units, &mut utf8[..bytes.len() / 2]);
    }
}

/// Runs the lossy operations on `text` with errors in it.
fn run_lossy(isa: Isa, text: &str) {
    let mut bytes = text.as_bytes().to_vec();
    for distance in [usize::MAX, 700, 90, 20] {
        let errors = (0..bytes.len()).rev().step_by(distance);
        errors.for_each(|at| bytes[at] = 0xFF);
        let want = String::from_utf8_lossy(&bytes);
        // A window is only repaired if there is room for the worst case.
        let mut text = vec![0; want.len() + 512];
        let out = isa.utf8_to_utf8_lossy(&bytes, &mut text);
        assert_eq!(text[..out.written], *want.as_bytes());
        assert_eq!(isa.utf8_len_from_utf8_lossy(&bytes), want.len());
        let mut units = vec![0; isa.utf16_len_from_utf8_lossy(&bytes)];
        assert!(isa.utf8_to_utf16_lossy(&bytes, &mut units).is_complete());
    }
}

/// Runs the operations on Latin-1 on what `text` has of it, and more of the same.
#[cfg(feature = "latin1")]
fn run_latin1(isa: Isa, text: &str) {
    let all: Vec<u16> = text.encode_utf16().collect();
    for units in [&all[..], &all[..all.len().min(7)]] {
        let chars = String::from_utf16(units).map(|text| text.chars().count());
        assert_eq!(isa.utf16_info(units).ok().map(|info| info.chars), chars.ok());
    }
    let latin1: Vec<u8> = text.chars().filter_map(|c| u8::try_from(c).ok()).collect();
    let text: String = latin1.iter().map(|&byte| char::from(byte)).collect();
    let units: Vec<u16> = latin1.iter().copied().map(u16::from).collect();
    assert_eq!(isa.utf8_len_from_latin1(&latin1), text.len());
    assert!(isa.utf16_info(&units).is_ok_and(|info| info.chars == units.len()));
    assert!(isa.validate_latin1_in_utf8(text.as_bytes()).is_ok() && isa.validate_latin1_in_utf16(&units).is_ok());
    for room in [0, 100] {
        let (mut utf8, mut utf16) = (vec![0; text.len() + room], vec![0; units.len() + room]);
        let mut bytes = vec![0; latin1.len() + room];
        assert!(isa.latin1_to_utf8(&latin1, &mut utf8).is_complete() && utf8.starts_with(text.as_bytes()));
        assert!(isa.latin1_to_utf16(&latin1, &mut utf16).is_complete() && utf16.starts_with(&units));
        assert!(isa.utf8_to_latin1(text.as_bytes(), &mut bytes).is_complete() && bytes.starts_with(&latin1));
        bytes.fill(0);
        assert!(isa.utf16_to_latin1(&units, &mut bytes).is_complete() && bytes.starts_with(&latin1));
        #[cfg(feature = "utf32")]
        {
            let (mut utf32, chars) = (vec![0; latin1.len() + room], latin1.iter().copied().map(u32::from));
            assert!(
                isa.latin1_to_utf32(&latin1, &mut utf32).is_complete()
                    && chars.eq(utf32[..latin1.len()].iter().copied())
            );
        }
    }
}

#[cfg(not(feature = "latin1"))]
fn run_latin1(_: Isa, _: &str) {}

/// Runs the operations on UTF-32.
#[cfg(feature = "utf32")]
fn run_utf32(isa: Isa, text: &str) {
    let (bytes, words) = (text.as_bytes(), text.encode_utf16().collect::<Vec<u16>>());
    let units: Vec<u32> = text.chars().map(u32::from).collect();
    assert!(isa.validate_utf32(&units).is_ok());
    assert_eq!(isa.utf8_len_from_utf32(&units), bytes.len());
    assert_eq!(isa.utf16_len_from_utf32(&units), words.len());
    for room in [0, 150] {
        let (mut utf8, mut utf16) = (vec![0; bytes.len() + room], vec![0; words.len() + room]);
        let mut utf32 = vec![0; units.len() + room];
        assert!(isa.utf8_to_utf32(bytes, &mut utf32).is_complete() && utf32.starts_with(&units));
        utf32.fill(0);
        assert!(isa.utf16_to_utf32(&words, &mut utf32).is_complete() && utf32.starts_with(&units));
        assert!(isa.utf32_to_utf8(&units, &mut utf8).is_complete() && utf8.starts_with(bytes));
        assert!(isa.utf32_to_utf16(&units, &mut utf16).is_complete() && utf16.starts_with(&words));
    }
}

#[cfg(not(feature = "utf32"))]
fn run_utf32(_: Isa, _: &str) {}

#[test]
fn every_path_is_taken() {
    let texts = texts();
    // What is not among them, `tested_here` of the suite reports.
    for isa in Isa::available() {
        let sources = match isa.name() {
            "scalar" => continue,
            "avx512" => AVX512,
            _ => LANES,
        };
        let latin1 = LATIN1[usize::from(isa.name() == "avx512")];
        let utf32 = UTF32[usize::from(isa.name() == "avx512")];
        let mut sources = if cfg!(feature = "latin1") { [sources, latin1].concat() } else { sources.to_vec() };
        if cfg!(feature = "utf32") {
            sources.extend(utf32);
        }
        let named = named(&sources);
        for (file, _) in &sources {
            assert!(named.iter().any(|(named, _)| named == file), "{file} names no path");
        }
        TAKEN.take();
        texts.iter().for_each(|text| run(isa, text));
        texts.iter().for_each(|text| run_latin1(isa, text));
        texts.iter().for_each(|text| run_utf32(isa, text));
        texts.iter().step_by(7).for_each(|text| run_lossy(isa, text));
        let missed: Vec<_> = named.difference(&TAKEN.take()).copied().collect();
        assert!(missed.is_empty(), "{isa}: never taken: {missed:?}");
    }
}

/// The paths of a file that is in neither list would never be looked for.
#[test]
#[cfg_attr(miri, ignore)] // it has no files
fn every_file_with_paths_is_listed() {
    let kernels = concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernels");
    let Ok(folders) = std::fs::read_dir(kernels) else {
        std::eprintln!("every_file_with_paths_is_listed: NOT TESTED, the sources are not at hand");
        return;
    };
    let mut found = 0;
    // Not every entry is a folder. To ask for the kind of a file, or for its length, is a system call that
    // MemorySanitizer does not know.
    for files in folders.filter_map(|entry| std::fs::read_dir(entry.unwrap().path()).ok()) {
        for path in files.map(|entry| entry.unwrap().path()).filter(|path| !path.ends_with("tests.rs")) {
            let mut text = Vec::new();
            std::fs::File::open(&path).unwrap().take(1 << 20).read_to_end(&mut text).unwrap();
            if String::from_utf8(text).unwrap().contains("path!(") {
                let name = path.strip_prefix(kernels).unwrap();
                let is_listed = LANES
                    .iter()
                    .chain(AVX512)
                    .chain(LATIN1.concat().iter())
                    .chain(UTF32.concat().iter())
                    .any(|(listed, _)| name == std::path::Path::new(listed));
                assert!(is_listed, "{} is in neither list", name.display());
                found += 1;
            }
        }
    }
    assert!(found > 0, "no file names a path");
}
