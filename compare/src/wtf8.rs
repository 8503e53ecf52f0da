//! Races operations on WTF-8 and modified UTF-8 against loops over code units, against simd_cesu8, and against what is plain:
//! the same text between UTF-8 and UTF-16. The latter is as fast as can be hoped for where a text has nothing special.

use std::error::Error;

use fastutf::Isa;
use fastutf_testkit::Rng;

use crate::task::{self, Sums, UTF_8, isas};

/// WTF-8 and modified UTF-8: how many times as fast as loops, as simd_cesu8, and as UTF-8
#[derive(clap::Args)]
pub struct Arguments {
    /// Instruction sets [default: all of this CPU but scalar]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    isa: Vec<Isa>,

    /// Operations, such as utf16_to_wtf8,from_mutf8 [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    operation: Vec<String>,

    /// Texts, such as ascii,emoji [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    text: Vec<String>,

    /// Lengths in code units [default: 8, 30, 100, 1000, 65536, 1000000]
    #[arg(long, value_name = "LENGTHS", value_delimiter = ',')]
    size: Vec<usize>,

    /// How often everybody is measured
    #[arg(long, value_name = "NUMBER", default_value_t = 25)]
    rounds: usize,
}

/// How many code units out of so many are a surrogate pair, an unpaired surrogate, U+0000.
struct Special {
    pairs: usize,
    unpaired: usize,
    nuls: usize,
}

const fn special(pairs: usize, unpaired: usize, nuls: usize) -> Special {
    Special { pairs, unpaired, nuls }
}

/// A text: the code units that most of it consists of, and how rare others are (0 is never).
type Text = (&'static str, &'static [u16], Special);

const TEXTS: [Text; 11] = [
    ("ascii", &[0x61, 0x62, 0x20, 0x65], special(0, 0, 0)),
    ("french", &[0x61, 0x62, 0x20, 0x65, 0x65, 0x74, 0x6E, 0x73, 0xE9], special(0, 0, 0)),
    ("russian", &[0x436, 0x43E, 0x430, 0x20, 0x43D, 0x438], special(0, 0, 0)),
    ("chinese", &[0x4E2D, 0x6587, 0x5B57, 0x3002], special(0, 0, 0)),
    ("chat", &[0x61, 0x62, 0x20, 0x65], special(30, 0, 0)),
    ("chinese chat", &[0x4E2D, 0x6587, 0x5B57, 0x3002], special(10, 0, 0)),
    ("emoji", &[0x20], special(1, 0, 0)),
    ("few nuls", &[0x61, 0x62, 0x20, 0x65], special(0, 0, 1000)),
    ("few unpaired", &[0x61, 0x62, 0x20, 0x65], special(0, 1000, 0)),
    ("many unpaired", &[0x61, 0x62, 0x20, 0x65], special(0, 20, 0)),
    ("all unpaired", &[0x20], special(0, 1, 0)),
];

const SIZES: [usize; 6] = [8, 30, 100, 1000, 65_536, 1_000_000];

/// The same texts in each encoding; in UTF-8 with replacements.
#[derive(Default)]
struct Texts {
    utf16: Vec<Vec<u16>>,
    utf8: Vec<String>,
    wtf8: Vec<Vec<u8>>,
    mutf8: Vec<Vec<u8>>,
    /// Whether there are no unpaired surrogates.
    well_formed: bool,
}

impl Texts {
    /// About 256 K code units, so that no CPU remembers all branches, or one text if that is longer.
    fn new((_, usual, special): &Text, len: usize) -> Self {
        let rng = &mut Rng::new(len as u64);
        let (mut texts, mut total) = (Self { well_formed: special.unpaired == 0, ..Self::default() }, 0);
        while total < 256 << 10 {
            let mut units = Vec::new();
            while units.len() < len {
                let mut one_in = |n: usize| n > 0 && rng.below(n) == 0;
                if one_in(special.pairs) && units.len() + 1 < len {
                    units.extend(
                        ['\u{1F600}', '\u{1F44D}', '\u{1F422}'][rng.below(3)].encode_utf16(&mut [0; 2]).iter(),
                    );
                } else if one_in(special.unpaired) {
                    // Low ones: no two are a pair.
                    units.push(0xDC00 | rng.next() as u16 & 0x3FF);
                } else if one_in(special.nuls) {
                    units.push(0);
                } else {
                    units.push(rng.pick(usual));
                }
            }
            texts.wtf8.push(fastutf::wtf8::wtf8_from_utf16(&units));
            texts.mutf8.push(fastutf::mutf8::mutf8_from_utf16(&units));
            texts.utf8.push(String::from_utf16_lossy(&units));
            texts.utf16.push(units);
            total += len.max(16);
        }
        texts
    }
}

/// Where conversions write, again and again.
struct Output {
    bytes: Vec<u8>,
    units: Vec<u16>,
}

type Way<'a> = task::Way<'a, Output>;

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    println!("ns for a text of ours; how many times as fast it is as each other");
    let asked_for = |names: &[String], name: &str| names.is_empty() || names.iter().any(|other| other == name);
    let sizes = if arguments.size.is_empty() { &SIZES[..] } else { &arguments.size };
    let room = 4 << 20;
    let output = &mut Output { bytes: vec![0; room], units: vec![0; room] };
    let mut sums = Sums::default();
    for isa in isas(&arguments.isa) {
        for operation in OPERATIONS {
            if !asked_for(&arguments.operation, operation) {
                continue;
            }
            for text in TEXTS.iter().filter(|text| asked_for(&arguments.text, text.0)) {
                for &size in sizes {
                    let texts = Texts::new(text, size);
                    let what = format!("{isa} {operation} {} × {size}", text.0);
                    task::race(
                        &what,
                        texts.utf16.len(),
                        ways(isa, operation, &texts),
                        output,
                        arguments.rounds,
                        &mut sums,
                    );
                }
            }
        }
    }
    Ok(())
}

const OPERATIONS: [&str; 29] = [
    "utf16_to_wtf8",
    "wtf8_to_utf16",
    "validate_wtf8",
    "wtf8_to_utf8_lossy",
    "utf16_to_mutf8",
    "mutf8_to_utf16",
    "validate_mutf8",
    "from_mutf8",
    "to_mutf8",
    "mutf8_to_utf8",
    "mutf8_to_utf8_lossy",
    "utf8_to_mutf8",
    "wtf8_from_utf16",
    "utf16_from_wtf8",
    "from_wtf8",
    "from_wtf8_lossy",
    "string_from_wtf8_lossy",
    "replace_surrogates_in_wtf8",
    "wtf8_len_from_utf16",
    "utf16_len_from_wtf8",
    "mutf8_from_utf16",
    "utf16_from_mutf8",
    "from_mutf8_lossy",
    "to_mutf8_c_string",
    "mutf8_c_string_from_utf16",
    "mutf8_len_from_utf16",
    "mutf8_len_from_utf8",
    "utf8_len_from_mutf8",
    "utf16_len_from_mutf8",
];

/// Writes each character of UTF-16 by std, and a surrogate by hand.
fn loop_to_wtf8(units: &[u16], bytes: &mut [u8]) -> usize {
    let mut at = 0;
    for character in char::decode_utf16(units.iter().copied()) {
        at += match character {
            Ok(character) => character.encode_utf8(&mut bytes[at..]).len(),
            Err(error) => surrogate(error.unpaired_surrogate(), &mut bytes[at..]),
        };
    }
    at
}

/// Writes each code unit as Java does.
fn loop_to_mutf8(units: &[u16], bytes: &mut [u8]) -> usize {
    let mut at = 0;
    for &unit in units {
        at += match char::from_u32(u32::from(unit)) {
            Some('\0') => {
                bytes[at..at + 2].copy_from_slice(&[0xC0, 0x80]);
                2
            }
            Some(character) => character.encode_utf8(&mut bytes[at..]).len(),
            None => surrogate(unit, &mut bytes[at..]),
        };
    }
    at
}

fn surrogate(unit: u16, bytes: &mut [u8]) -> usize {
    bytes[..3].copy_from_slice(&[0xED, 0x80 | (unit >> 6) as u8 & 0x3F, 0x80 | unit as u8 & 0x3F]);
    3
}

/// Reads sequences of up to three bytes, as many decoders of Java's do, and those of four.
fn loop_to_utf16(src: &[u8], units: &mut [u16]) -> usize {
    let (mut at, mut written) = (0, 0);
    let tail = |at: usize| u32::from(src[at] & 0x3F);
    while at < src.len() {
        let lead = u32::from(src[at]);
        let (value, len) = match lead {
            0..0x80 => (lead, 1),
            0x80..0xE0 => ((lead & 0x1F) << 6 | tail(at + 1), 2),
            0xE0..0xF0 => ((lead & 0xF) << 12 | tail(at + 1) << 6 | tail(at + 2), 3),
            _ => ((lead & 7) << 18 | tail(at + 1) << 12 | tail(at + 2) << 6 | tail(at + 3), 4),
        };
        at += len;
        if value > 0xFFFF {
            units[written] = (0xD7C0 + (value >> 10)) as u16;
            written += 1;
            units[written] = 0xDC00 | value as u16 & 0x3FF;
        } else {
            units[written] = value as u16;
        }
        written += 1;
    }
    written
}

/// Who takes part in an operation; ours is first. Empty, if the texts are not for it.
fn ways<'a>(isa: Isa, operation: &str, texts: &'a Texts) -> Vec<Way<'a>> {
    let Texts { utf16, utf8, wtf8, mutf8, well_formed } = texts;
    let mut ways: Vec<Way<'a>> = Vec::new();
    match operation {
        "utf16_to_wtf8" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.utf16_to_wtf8(&utf16[i], &mut out.bytes[..wtf8[i].len()]).written),
            ));
            ways.push((
                UTF_8,
                Box::new(move |i, out| {
                    isa.utf16_to_utf8_lossy(&utf16[i], &mut out.bytes[..utf8[i].len()]).written
                }),
            ));
            ways.push(("loop", Box::new(|i, out| loop_to_wtf8(&utf16[i], &mut out.bytes))));
        }
        "wtf8_to_utf16" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.wtf8_to_utf16(&wtf8[i], &mut out.units[..utf16[i].len()]).written),
            ));
            ways.push((
                UTF_8,
                Box::new(move |i, out| {
                    isa.utf8_to_utf16(utf8[i].as_bytes(), &mut out.units[..utf16[i].len()]).written
                }),
            ));
            // Not the same: it does not check the text.
            ways.push(("loop", Box::new(|i, out| loop_to_utf16(&wtf8[i], &mut out.units))));
        }
        "validate_wtf8" => {
            ways.push(("fastutf", Box::new(move |i, _| usize::from(isa.validate_wtf8(&wtf8[i]).is_ok()))));
            ways.push((UTF_8, Box::new(move |i, _| usize::from(isa.validate_utf8(utf8[i].as_bytes()).is_ok()))));
        }
        "wtf8_to_utf8_lossy" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.wtf8_to_utf8_lossy(&wtf8[i], &mut out.bytes[..utf8[i].len()]).written),
            ));
            ways.push((
                UTF_8,
                Box::new(move |i, out| {
                    isa.utf8_to_utf8_lossy(utf8[i].as_bytes(), &mut out.bytes[..utf8[i].len()]).written
                }),
            ));
        }
        "utf16_to_mutf8" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.utf16_to_mutf8(&utf16[i], &mut out.bytes[..mutf8[i].len()]).written),
            ));
            ways.push((
                UTF_8,
                Box::new(move |i, out| {
                    isa.utf16_to_utf8_lossy(&utf16[i], &mut out.bytes[..utf8[i].len()]).written
                }),
            ));
            ways.push(("loop", Box::new(|i, out| loop_to_mutf8(&utf16[i], &mut out.bytes))));
        }
        "mutf8_to_utf16" => {
            ways.push((
                "fastutf",
                Box::new(move |i, out| isa.mutf8_to_utf16(&mutf8[i], &mut out.units[..utf16[i].len()]).written),
            ));
            ways.push((
                UTF_8,
                Box::new(move |i, out| {
                    isa.utf8_to_utf16(utf8[i].as_bytes(), &mut out.units[..utf16[i].len()]).written
                }),
            ));
            // Not the same: it does not check the text.
            ways.push(("loop", Box::new(|i, out| loop_to_utf16(&mutf8[i], &mut out.units))));
        }
        "validate_mutf8" => {
            ways.push(("fastutf", Box::new(move |i, _| usize::from(isa.validate_mutf8(&mutf8[i]).is_ok()))));
            ways.push((UTF_8, Box::new(move |i, _| usize::from(isa.validate_utf8(utf8[i].as_bytes()).is_ok()))));
        }
        "from_mutf8" if *well_formed => {
            ways.push(("fastutf", Box::new(move |i, _| isa.from_mutf8(&mutf8[i]).map_or(0, |text| text.len()))));
            ways.push((
                UTF_8,
                Box::new(move |i, _| isa.validate_utf8(utf8[i].as_bytes()).map_or(0, |()| utf8[i].len())),
            ));
            #[cfg(feature = "cesu8")]
            ways.push((
                "simd_cesu8",
                Box::new(|i, _| simd_cesu8::mutf8::decode(&mutf8[i]).map_or(0, |text| text.len())),
            ));
        }
        "to_mutf8" if *well_formed => {
            ways.push(("fastutf", Box::new(move |i, _| isa.to_mutf8(&utf8[i]).len())));
            #[cfg(feature = "cesu8")]
            ways.push(("simd_cesu8", Box::new(|i, _| simd_cesu8::mutf8::encode(&utf8[i]).len())));
        }
        _ => ways.extend(alone(isa, operation, texts)),
    }
    ways
}

/// What is not raced, but timed.
fn alone<'a>(isa: Isa, operation: &str, texts: &'a Texts) -> Option<Way<'a>> {
    let Texts { utf16, utf8, wtf8, mutf8, well_formed } = texts;
    macro_rules! ours {
        ($i:ident, $out:ident => $length:expr) => {
            Some(("fastutf", Box::new(move |$i, $out: &mut Output| $length)))
        };
    }
    match operation {
        "mutf8_to_utf8" if *well_formed => {
            ours!(i, out => isa.mutf8_to_utf8(&mutf8[i], &mut out.bytes[..utf8[i].len()]).written)
        }
        "mutf8_to_utf8_lossy" => {
            ours!(i, out => isa.mutf8_to_utf8_lossy(&mutf8[i], &mut out.bytes[..utf8[i].len()]).written)
        }
        "utf8_to_mutf8" => {
            ours!(i, out => isa.utf8_to_mutf8(utf8[i].as_bytes(), &mut out.bytes[..mutf8[i].len()]).written)
        }
        "wtf8_from_utf16" => ours!(i, _out => isa.wtf8_from_utf16(&utf16[i]).len()),
        "utf16_from_wtf8" => ours!(i, _out => isa.utf16_from_wtf8(&wtf8[i]).map_or(0, |units| units.len())),
        "from_wtf8" => ours!(i, _out => isa.from_wtf8(&wtf8[i]).map_or(0, str::len)),
        "from_wtf8_lossy" => ours!(i, _out => isa.from_wtf8_lossy(&wtf8[i]).len()),
        "string_from_wtf8_lossy" => ours!(i, _out => isa.string_from_wtf8_lossy(wtf8[i].clone()).len()),
        "replace_surrogates_in_wtf8" => ours!(i, out => {
            let bytes = &mut out.bytes[..wtf8[i].len()];
            bytes.copy_from_slice(&wtf8[i]);
            isa.replace_surrogates_in_wtf8(bytes)
        }),
        "wtf8_len_from_utf16" => ours!(i, _out => isa.wtf8_len_from_utf16(&utf16[i])),
        "utf16_len_from_wtf8" => ours!(i, _out => isa.utf16_len_from_wtf8(&wtf8[i])),
        "mutf8_from_utf16" => ours!(i, _out => isa.mutf8_from_utf16(&utf16[i]).len()),
        "utf16_from_mutf8" => ours!(i, _out => isa.utf16_from_mutf8(&mutf8[i]).map_or(0, |units| units.len())),
        "from_mutf8_lossy" => ours!(i, _out => isa.from_mutf8_lossy(&mutf8[i]).len()),
        "to_mutf8_c_string" => ours!(i, _out => isa.to_mutf8_c_string(&utf8[i]).count_bytes()),
        "mutf8_c_string_from_utf16" => ours!(i, _out => isa.mutf8_c_string_from_utf16(&utf16[i]).count_bytes()),
        "mutf8_len_from_utf16" => ours!(i, _out => isa.mutf8_len_from_utf16(&utf16[i])),
        "mutf8_len_from_utf8" => ours!(i, _out => isa.mutf8_len_from_utf8(utf8[i].as_bytes())),
        "utf8_len_from_mutf8" => ours!(i, _out => isa.utf8_len_from_mutf8(&mutf8[i])),
        "utf16_len_from_mutf8" => ours!(i, _out => isa.utf16_len_from_mutf8(&mutf8[i])),
        _ => None,
    }
}
