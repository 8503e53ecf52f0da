//! Races the functions that find the narrowest form of a text against validation alone, against conversions to a form that
//! is known beforehand, and against the ways of peers and engines, which look at the text first.

use std::error::Error;
use std::hint::black_box;
use std::ops::RangeInclusive;

use encoding_rs::mem;
use fastutf::{Isa, Narrowest, Width};
use fastutf_testkit::Rng;

use crate::latin1::{Arguments, Output, Way, run_task};
use crate::task::{Sums, race};

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    run_task("narrowest", arguments, measure)
}

/// What the texts are like.
const KINDS: [&str; 7] = ["ascii", "1 % é", "30 % é", "last €", "russian", "chinese", "emoji"];

const OPERATIONS: [&str; 4] = ["utf8_info", "utf16_info", "narrowest_from_utf8", "narrowest_from_utf16"];

#[derive(Default)]
struct Texts {
    utf8: Vec<Vec<u8>>,
    utf16: Vec<Vec<u16>>,
}

impl Texts {
    /// About 512 KB, so that no CPU remembers all branches, or one text if that is longer.
    fn new(kind: &str, size: &RangeInclusive<usize>) -> Self {
        let rng = &mut Rng::new(kind.len() as u64);
        let mut texts = Self::default();
        let mut total = 0;
        while total < 512 << 10 {
            let len = rng.within((*size.start(), *size.end()));
            let mut character = |at: usize| {
                let ascii = char::from(b'a' + rng.below(26) as u8);
                let from = |first: u32, rng: &mut Rng| char::from_u32(first + rng.below(30) as u32).unwrap();
                match kind {
                    "1 % é" if rng.below(100) < 1 => from(0xE0, rng),
                    "30 % é" if rng.below(100) < 30 => from(0xE0, rng),
                    "last €" if at + 1 == len => '€',
                    "last €" if rng.below(100) < 5 => from(0xE0, rng),
                    "russian" if rng.below(6) > 0 => from(0x430, rng),
                    "chinese" if rng.below(20) > 0 => from(0x4E00, rng),
                    "emoji" => from(0x1F600, rng),
                    _ => ascii,
                }
            };
            let text: String = (0..len).map(&mut character).collect();
            texts.utf16.push(text.encode_utf16().collect());
            total += len.max(16);
            texts.utf8.push(text.into_bytes());
        }
        texts
    }
}

fn measure(isa: Isa, arguments: &Arguments) {
    let mut output = Output::new();
    for operation in arguments.operations(&OPERATIONS) {
        let mut sums = Sums::default();
        for kind in KINDS {
            for (name, size) in arguments.sizes() {
                let texts = Texts::new(kind, size);
                let what = format!("{isa} {operation} {kind} × {name}");
                race(
                    &what,
                    texts.utf8.len(),
                    ways(isa, operation, &texts),
                    &mut output,
                    arguments.rounds,
                    &mut sums,
                );
            }
        }
        println!("{:48} mean (least){sums}", format!("{isa} {operation}"));
    }
}

/// The length of a text that was made, which stays until then.
fn len(text: &Narrowest) -> usize {
    black_box(text).utf16_len()
}

/// Who takes part in an operation; ours is first.
fn ways<'a>(isa: Isa, operation: &str, texts: &'a Texts) -> Vec<Way<'a>> {
    let Texts { utf8, utf16 } = texts;
    let mut ways: Vec<Way<'a>> = Vec::new();
    match operation {
        "utf8_info" => {
            ways.push(("fastutf", Box::new(move |i, _| usize::from(isa.utf8_info(&utf8[i]).is_ok()))));
            ways.push(("validation", Box::new(move |i, _| usize::from(isa.validate_utf8(&utf8[i]).is_ok()))));
        }
        "utf16_info" => {
            ways.push(("fastutf", Box::new(move |i, _| usize::from(isa.utf16_info(&utf16[i]).is_ok()))));
            ways.push(("validation", Box::new(move |i, _| usize::from(isa.validate_utf16(&utf16[i]).is_ok()))));
        }
        "narrowest_from_utf8" => from_utf8(isa, utf8, &mut ways),
        _ => {
            ways.push(("fastutf", Box::new(move |i, _| len(&isa.narrowest_from_utf16(&utf16[i]).unwrap()))));
            ways.push((
                "two steps",
                Box::new(move |i, _| {
                    let src = &utf16[i][..];
                    let info = isa.utf16_info(src).unwrap();
                    if info.width() > Width::Latin1 {
                        return black_box(src).len();
                    }
                    let mut latin1 = Vec::with_capacity(info.chars);
                    isa.utf16_to_latin1_append(src, &mut latin1).written
                }),
            ));
            ways.push((
                "encoding_rs",
                Box::new(|i, _| {
                    let src = &utf16[i][..];
                    if !mem::is_utf16_latin1(src) {
                        assert_eq!(mem::utf16_valid_up_to(src), src.len());
                        return black_box(src).len();
                    }
                    let mut latin1 = vec![0; src.len()];
                    mem::convert_utf16_to_latin1_lossy(src, &mut latin1);
                    black_box(latin1).len()
                }),
            ));
        }
    }
    ways
}

fn from_utf8<'a>(isa: Isa, utf8: &'a [Vec<u8>], ways: &mut Vec<Way<'a>>) {
    ways.push(("fastutf", Box::new(move |i, _| len(&isa.narrowest_from_utf8(&utf8[i]).unwrap()))));
    ways.push((
        "two steps",
        Box::new(move |i, _| {
            let src = &utf8[i][..];
            let info = isa.utf8_info(src).unwrap();
            if info.is_ascii() {
                src.len()
            } else if info.width() == Width::Latin1 {
                let mut latin1 = Vec::with_capacity(info.chars);
                isa.utf8_to_latin1_uninit(src, &mut latin1.spare_capacity_mut()[..info.chars]).written
                    + black_box(latin1).len()
            } else {
                let mut units = Vec::<u16>::with_capacity(info.utf16_len);
                isa.utf8_to_utf16_uninit(src, &mut units.spare_capacity_mut()[..info.utf16_len]).written
                    + black_box(units).len()
            }
        }),
    ));
    // The form is known beforehand, and there is memory for it.
    let forms: Vec<Width> = utf8.iter().map(|src| isa.utf8_info(src).unwrap().width()).collect();
    ways.push((
        "known",
        Box::new(move |i, out: &mut Output| {
            let src = &utf8[i][..];
            match forms[i] {
                Width::Ascii => src.len() * usize::from(isa.is_ascii(src)),
                Width::Latin1 => isa.utf8_to_latin1(src, &mut out.bytes).written,
                _ => isa.utf8_to_utf16(src, &mut out.units).written,
            }
        }),
    ));
    simdutf!(ways, move |i, _| {
        let src = &utf8[i][..];
        if simdutf::validate_ascii(src) {
            return black_box(src).len();
        }
        let mut latin1 = Vec::<u8>::with_capacity(src.len());
        // SAFETY: there is room for as many bytes.
        let len = unsafe { simdutf::convert_utf8_to_latin1(src.as_ptr(), src.len(), latin1.as_mut_ptr()) };
        if len > 0 {
            black_box(&mut latin1).shrink_to(len);
            return len;
        }
        let mut units = Vec::<u16>::with_capacity(simdutf::utf16_length_from_utf8(src));
        // SAFETY: there is room for the result, if the text is well-formed.
        let len = unsafe { simdutf::convert_utf8_to_utf16(src.as_ptr(), src.len(), units.as_mut_ptr()) };
        assert!(len > 0);
        black_box(&units);
        len
    });
    ways.push((
        "encoding_rs",
        Box::new(|i, _| {
            let src = &utf8[i][..];
            let latin1 = mem::utf8_latin1_up_to(src);
            if latin1 == src.len() {
                let mut bytes = vec![0; src.len()];
                let len = mem::convert_utf8_to_latin1_lossy(src, &mut bytes);
                black_box(bytes).truncate(len);
                return len;
            }
            let mut units = vec![0; src.len() + 1];
            let len = mem::convert_utf8_to_utf16(src, &mut units);
            black_box(units).truncate(len);
            len
        }),
    ));
    // As in V8: a first pass finds out the form and the length, a second one writes.
    ways.push((
        "two passes of std",
        Box::new(|i, _| {
            let text = std::str::from_utf8(&utf8[i]).unwrap();
            let (mut greatest, mut len) = ('\0', 0);
            for character in text.chars() {
                greatest = greatest.max(character);
                len += character.len_utf16();
            }
            if greatest <= '\u{FF}' {
                let mut latin1: Vec<u8> = Vec::with_capacity(len);
                latin1.extend(text.chars().map(|character| character as u8));
                black_box(latin1).len()
            } else {
                let mut units: Vec<u16> = Vec::with_capacity(len);
                units.extend(text.encode_utf16());
                black_box(units).len()
            }
        }),
    ));
}
