//! Races operations on UTF-32 against simdutf and the standard library.
//!
//! Our conversions get exactly the room that the result needs, the peers all the room there is.

use std::error::Error;
use std::ops::RangeInclusive;

use fastutf::Isa;
use fastutf_testkit::Rng;

use crate::task::{self, Sums, in_children};

/// UTF-32: how many times as fast as simdutf and the standard library
#[derive(clap::Args)]
pub struct Arguments {
    /// Instruction sets [default: all of this CPU but scalar]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    isa: Vec<Isa>,

    /// Operations, such as utf8_to_utf32,utf32_to_utf16 [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    operation: Vec<String>,

    /// Texts, such as ascii,russian [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    text: Vec<String>,

    /// Sizes, such as 64,1..256 [default: all]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    size: Vec<String>,

    /// How often everybody is measured
    #[arg(long, value_name = "NUMBER", default_value_t = 25)]
    rounds: usize,

    /// Measures in this process
    #[arg(long, hide = true)]
    child: bool,
}

/// Kinds of text: what one character in how many is, and what all others are.
const TEXTS: [(&str, &[char], usize); 6] = [
    ("ascii", &['e'], 1),
    // Among ASCII, as in French.
    ("french", &['é', 'ç', 'œ', 'à'], 20),
    ("russian", &['ж', 'и', 'р', 'а', 'ф', 'о', 'в'], 0),
    ("chinese", &['漢', '字', '文', '章', '。', '的'], 0),
    ("emoji", &['😀', '🎉', '🦀', '🚀'], 0),
    // Emoji in text.
    ("chat", &['😀', '漢', 'é', '🦀', 'ж'], 12),
];

/// The number of characters of each text.
const SIZES: [(&str, RangeInclusive<usize>); 9] = [
    ("1", 1..=1),
    ("3", 3..=3),
    ("8", 8..=8),
    ("16", 16..=16),
    ("1..64", 1..=64),
    ("64", 64..=64),
    ("256", 256..=256),
    ("4K", 4096..=4096),
    ("256K", 1 << 18..=1 << 18),
];

/// The same texts in each encoding.
#[derive(Default)]
struct Texts {
    utf8: Vec<String>,
    utf16: Vec<Vec<u16>>,
    chars: Vec<Vec<char>>,
    /// In Latin-1, with another character where there is none.
    latin1: Vec<Vec<u8>>,
}

impl Texts {
    /// About 256 KB of ASCII, so that no CPU remembers all branches, or one text if that is longer.
    fn new(kind: &(&str, &[char], usize), size: &RangeInclusive<usize>) -> Self {
        let rng = &mut Rng::new(7);
        let mut texts = Self::default();
        let mut total = 0;
        while total < 256 << 10 {
            let len = rng.within((*size.start(), *size.end()));
            let character = |_| match kind.2 {
                // In words: every sixth is a space, or so.
                0 if rng.below(6) == 0 && kind.0 == "russian" => ' ',
                0 => rng.pick(kind.1),
                often if rng.below(often) == 0 => rng.pick(kind.1),
                _ => char::from(b'a' + rng.below(26) as u8),
            };
            let chars: Vec<char> = (0..len).map(character).collect();
            let text: String = chars.iter().collect();
            texts.utf16.push(text.encode_utf16().collect());
            texts.latin1.push(chars.iter().map(|&c| c as u8).collect());
            texts.utf8.push(text);
            texts.chars.push(chars);
            total += 2 * len.max(16);
        }
        texts
    }
}

/// Where conversions write, again and again.
struct Output {
    bytes: Vec<u8>,
    words: Vec<u16>,
    units: Vec<u32>,
}

type Way<'a> = task::Way<'a, Output>;

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let options = [
        ("--operation", &arguments.operation[..]),
        ("--text", &arguments.text),
        ("--size", &arguments.size),
        ("--rounds", &[arguments.rounds.to_string()]),
    ];
    in_children("utf32", &arguments.isa, arguments.child, &options, |isa| measure(isa, arguments))
}

fn measure(isa: Isa, arguments: &Arguments) {
    let asked = |list: &[String], name: &str| list.is_empty() || list.iter().any(|asked| asked == name);
    let room = 4 << 18;
    let output = &mut Output { bytes: vec![0; room + 64], words: vec![0; room], units: vec![0; room] };
    for operation in OPERATIONS {
        if !asked(&arguments.operation, operation) {
            continue;
        }
        let mut sums = Sums::default();
        for kind in TEXTS.iter().filter(|kind| asked(&arguments.text, kind.0)) {
            // Nothing else is in Latin-1.
            if operation.contains("latin1") && kind.0 != "ascii" {
                continue;
            }
            for (name, size) in SIZES.iter().filter(|size| asked(&arguments.size, size.0)) {
                let texts = Texts::new(kind, size);
                let what = format!("{isa} {operation} {} × {name}", kind.0);
                task::race(
                    &what,
                    texts.utf8.len(),
                    ways(isa, operation, &texts),
                    output,
                    arguments.rounds,
                    &mut sums,
                );
            }
        }
        println!("{:48} mean (least){sums}", format!("{isa} {operation}"));
    }
}

const OPERATIONS: [&str; 9] = [
    "validate_utf32",
    "utf8_to_utf32",
    "utf32_to_utf8",
    "utf16_to_utf32",
    "utf32_to_utf16",
    "utf8_len_from_utf32",
    "utf16_len_from_utf32",
    "latin1_to_utf32",
    "utf32_to_latin1",
];

/// Who takes part in an operation; ours is first.
fn ways<'a>(isa: Isa, operation: &str, texts: &'a Texts) -> Vec<Way<'a>> {
    let Texts { utf8, utf16, chars, latin1 } = texts;
    let units = move |i: usize| fastutf::chars_as_utf32(&chars[i]);
    let mut ways: Vec<Way<'a>> = Vec::new();
    macro_rules! ours {
        ($way:expr) => {
            ways.push(("fastutf", Box::new($way)))
        };
    }
    macro_rules! std {
        ($way:expr) => {
            ways.push(("std", Box::new($way)))
        };
    }
    match operation {
        "validate_utf32" => {
            ours!(move |i, _| usize::from(isa.validate_utf32(units(i)).is_ok()));
            simdutf!(ways, move |i, _| usize::from(simdutf::validate_utf32(units(i))));
            std!(move |i, _| usize::from(units(i).iter().all(|&unit| char::from_u32(unit).is_some())));
        }
        "utf8_to_utf32" => {
            ours!(move |i, out| isa.utf8_to_utf32(utf8[i].as_bytes(), &mut out.units[..chars[i].len()]).written);
            // SAFETY: there is room for a unit for each byte.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_utf8_to_utf32(utf8[i].as_ptr(), utf8[i].len(), out.units.as_mut_ptr())
            });
            std!(move |i, out| {
                let mut len = 0;
                for (to, c) in out.units.iter_mut().zip(utf8[i].chars()) {
                    *to = u32::from(c);
                    len += 1;
                }
                len
            });
        }
        "utf32_to_utf8" => {
            ours!(move |i, out| isa.utf32_to_utf8(units(i), &mut out.bytes[..utf8[i].len()]).written);
            // SAFETY: there is room for 4 bytes for each unit.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_utf32_to_utf8(units(i).as_ptr(), units(i).len(), out.bytes.as_mut_ptr())
            });
            std!(move |i, out| {
                let mut len = 0;
                for c in &chars[i] {
                    len += c.encode_utf8(&mut out.bytes[len..]).len();
                }
                len
            });
        }
        "utf16_to_utf32" => {
            ours!(move |i, out| isa.utf16_to_utf32(&utf16[i], &mut out.units[..chars[i].len()]).written);
            // SAFETY: there is room for as many units.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_utf16_to_utf32(utf16[i].as_ptr(), utf16[i].len(), out.units.as_mut_ptr())
            });
            std!(move |i, out| {
                let mut len = 0;
                for (to, c) in out.units.iter_mut().zip(char::decode_utf16(utf16[i].iter().copied())) {
                    *to = u32::from(c.unwrap());
                    len += 1;
                }
                len
            });
        }
        "utf32_to_utf16" => {
            ours!(move |i, out| isa.utf32_to_utf16(units(i), &mut out.words[..utf16[i].len()]).written);
            // SAFETY: there is room for two words for each.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_utf32_to_utf16(units(i).as_ptr(), units(i).len(), out.words.as_mut_ptr())
            });
            std!(move |i, out| {
                let mut len = 0;
                for c in &chars[i] {
                    len += c.encode_utf16(&mut out.words[len..]).len();
                }
                len
            });
        }
        "utf8_len_from_utf32" => {
            ours!(move |i, _| isa.utf8_len_from_utf32(units(i)));
            simdutf!(ways, move |i, _| simdutf::utf8_length_from_utf32(units(i)));
            std!(move |i, _| chars[i].iter().map(|c| c.len_utf8()).sum());
        }
        "utf16_len_from_utf32" => {
            ours!(move |i, _| isa.utf16_len_from_utf32(units(i)));
            simdutf!(ways, move |i, _| simdutf::utf16_length_from_utf32(units(i)));
            std!(move |i, _| chars[i].iter().map(|c| c.len_utf16()).sum());
        }
        #[cfg(feature = "latin1")]
        "latin1_to_utf32" => {
            ours!(move |i, out| isa.latin1_to_utf32(&latin1[i], &mut out.units[..chars[i].len()]).written);
            // SAFETY: there is room for as many units.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_latin1_to_utf32(latin1[i].as_ptr(), latin1[i].len(), out.units.as_mut_ptr())
            });
            std!(move |i, out| {
                out.units.iter_mut().zip(&latin1[i]).for_each(|(to, &byte)| *to = u32::from(byte));
                latin1[i].len()
            });
        }
        #[cfg(feature = "latin1")]
        "utf32_to_latin1" => {
            ours!(move |i, out| isa.utf32_to_latin1(units(i), &mut out.bytes[..chars[i].len()]).written);
            // SAFETY: there is room for as many bytes.
            simdutf!(ways, move |i, out| unsafe {
                simdutf::convert_utf32_to_latin1(units(i).as_ptr(), units(i).len(), out.bytes.as_mut_ptr())
            });
            std!(move |i, out| {
                let mut len = 0;
                for (to, &unit) in out.bytes.iter_mut().zip(units(i)) {
                    let Ok(byte) = u8::try_from(unit) else { break };
                    *to = byte;
                    len += 1;
                }
                len
            });
        }
        _ => {
            let _ = latin1;
            ours!(|_, _| 0);
        }
    }
    ways
}
