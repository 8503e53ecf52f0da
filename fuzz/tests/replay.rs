//! The checks of every fuzz target without a fuzzer: on the inputs that fuzzing starts from, and on others made of them,
//! which are the same in each run. `FASTUTF_REPLAY=N` is how many for each target (5000).

use std::io::Write;

use fastutf_fuzz::{HEADER, seeds};
use fastutf_testkit::Rng;

macro_rules! targets {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name), fastutf_fuzz::$name);
            }
        )*

        #[test]
        fn all_targets_are_here() {
            let files = std::fs::read_dir("fuzz_targets").expect("tests run in the folder of their package");
            let mut names: Vec<_> = files.map(|file| file.unwrap().path().file_stem().unwrap().to_owned()).collect();
            names.sort();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

targets! {
    columns conversions io latin1 lengths lossy_utf16 lossy_utf8 positions stream utf16_to_utf8 utf32 utf8_to_utf16
    validate_utf16 validate_utf8 wtf8
}

fn replay(name: &str, target: fn(&[u8])) {
    let count = std::env::var("FASTUTF_REPLAY").map_or(5000, |count| count.parse().expect("a number"));
    let seeds = seeds();
    let mut rng = Rng::new(0);
    let made = (0..count).map(|_| mutated(&mut rng, &seeds));
    for input in seeds.iter().cloned().chain(made) {
        let failed = std::panic::catch_unwind(|| target(&input)).is_err();
        assert!(!failed, "{name} fails on {input:02X?}");
    }
    // Past the test harness, which shows nothing of tests that pass.
    let mut terminal = std::io::stderr();
    writeln!(terminal, "{name}: {} seeds and {count} inputs made of them", seeds.len()).unwrap();
}

/// A seed with another header and some changes to its text, each anywhere: a byte, a bit, something of another seed, a
/// part left out.
fn mutated(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let seed = |rng: &mut Rng| &seeds[rng.below(seeds.len())];
    let mut input = seed(rng).clone();
    let header = rng.next().to_le_bytes();
    input[..HEADER].copy_from_slice(&header);
    for _ in 0..rng.below(4) {
        let at = HEADER + rng.below(input.len() - HEADER + 1);
        let end = at + rng.below(input.len() - at + 1);
        match rng.below(4) {
            0 if at < input.len() => input[at] = rng.next() as u8,
            1 if at < input.len() => input[at] ^= 1 << rng.below(8),
            2 => drop(input.splice(at..at, seed(rng)[HEADER..].iter().copied())),
            _ => drop(input.drain(at..end)),
        }
    }
    input
}
