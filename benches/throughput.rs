//! Throughput of every operation on every instruction set, of the standard library, and of crates that also have the
//! operation, in bytes of input per second.
//!
//! A benchmark's name is `operation/text/implementation`; for short strings it is `short/operation/text-length/…`,
//! where `mixed` is log-uniform from 1 to 256 bytes and `fastutf` is the free function, including dispatch. Lossy
//! operations get text in which one byte, or code unit, in 100 is ill-formed. Examples:
//! `cargo bench -- '^validate_utf8/'`, `cargo bench -- utf8_to_utf16le/chinese`, `cargo bench -- short/`. All
//! benchmarks take some ten minutes.

use std::fmt::Display;
use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use encoding_rs::{Encoding, UTF_8, UTF_16LE, mem};
use fastutf::Isa;
use fastutf_testkit::language::{LANGUAGES, Language, pieces, random_pieces};
use fastutf_testkit::{Rng, damage};

/// The length of the text of a language: too long for a branch predictor to memorise.
const LONG: usize = 1 << 20;
/// The length of the text for one call, so that input and output stay in the second-level cache.
const PIECE: usize = 64 << 10;

/// The length of the text of a language in short strings, their lengths, and the number of strings in one iteration.
const SHORT: usize = 256 << 10;
const SHORT_LENGTHS: [usize; 5] = [8, 16, 32, 64, 100];
const SHORT_MOST: usize = 256;
const SHORT_BATCH: usize = 512;
const SHORT_LANGUAGES: [&str; 3] = ["english", "french", "chinese"];

/// One input in the forms that operations take.
struct Text {
    utf8: String,
    utf16: Vec<u16>,
    utf16le: Vec<u8>,
    utf32: Vec<u32>,
    chars: Vec<char>,
    /// What of it is in Latin-1, in three encodings.
    latin1: [Vec<u8>; 2],
    latin1_utf16: Vec<u16>,
    /// With one byte in 100 replaced by another one that is not ASCII.
    damaged_utf8: Vec<u8>,
    /// With one code unit in 100 replaced by a surrogate.
    damaged_utf16: Vec<u16>,
}

impl Text {
    fn new(text: &str) -> Self {
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let utf16le = utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let mut rng = Rng::new(0xBAD);
        let mut damaged_utf8 = text.as_bytes().to_vec();
        damage::utf8(&mut damaged_utf8, &mut rng, damage::one_in(100));
        let mut damaged_utf16 = utf16.clone();
        damage::utf16(&mut damaged_utf16, &mut rng, damage::one_in(100));
        let in_latin1: String = text.chars().map(|c| if c <= '\u{FF}' { c } else { ' ' }).collect();
        let latin1_utf16 = in_latin1.encode_utf16().collect();
        let latin1 = [in_latin1.chars().map(|c| c as u8).collect(), in_latin1.into_bytes()];
        let chars: Vec<char> = text.chars().collect();
        let utf32 = fastutf::chars_as_utf32(&chars).to_vec();
        Self {
            latin1,
            latin1_utf16,
            utf8: text.to_owned(),
            utf16,
            utf16le,
            utf32,
            chars,
            damaged_utf8,
            damaged_utf16,
        }
    }
}

/// One operation on one set of texts.
struct Contest<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    case: &'a str,
    texts: &'a [Text],
    /// The number of texts in one iteration.
    batch: usize,
}

impl Contest<'_, '_> {
    /// Measures an implementation; each iteration takes the next texts.
    fn enter<R>(&mut self, who: impl Display, mut operation: impl FnMut(&Text) -> R) {
        self.group.bench_function(BenchmarkId::new(self.case, who), |bencher| {
            let mut batches = self.texts.chunks_exact(self.batch).cycle();
            bencher.iter(|| {
                for text in batches.next().expect("there is a batch") {
                    black_box(operation(black_box(text)));
                }
            });
        });
    }

    /// Measures the free function, where dispatch matters.
    fn enter_free<R>(&mut self, operation: impl FnMut(&Text) -> R) {
        if self.batch > 1 {
            self.enter("fastutf", operation);
        }
    }

    /// Room for the result of any conversion of any text.
    fn room(&self) -> usize {
        self.texts.iter().map(|text| text.utf8.len().max(text.utf16.len()) * 3).max().unwrap_or(0)
    }
}

fn validate_utf8(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::validate_utf8(text.utf8.as_bytes()).is_ok());
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.validate_utf8(text.utf8.as_bytes()).is_ok());
    }
    contest.enter("std", |text| std::str::from_utf8(text.utf8.as_bytes()).is_ok());
    contest.enter("simdutf8", |text| simdutf8::basic::from_utf8(text.utf8.as_bytes()).is_ok());
    contest.enter("simdutf8-compat", |text| simdutf8::compat::from_utf8(text.utf8.as_bytes()).is_ok());
    contest.enter("encoding_rs", |text| Encoding::utf8_valid_up_to(text.utf8.as_bytes()));
}

fn utf8_info(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::utf8_info(text.utf8.as_bytes()).is_ok());
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_info(text.utf8.as_bytes()).is_ok());
    }
    contest.enter("std", |text| {
        let text = std::str::from_utf8(text.utf8.as_bytes()).expect("valid");
        (text.chars().count(), text.encode_utf16().count())
    });
}

fn is_ascii(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::is_ascii(text.utf8.as_bytes()));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.is_ascii(text.utf8.as_bytes()));
    }
    contest.enter("std", |text| text.utf8.is_ascii());
    contest.enter("encoding_rs", |text| mem::is_ascii(text.utf8.as_bytes()));
}

fn validate_utf16(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::validate_utf16(&text.utf16).is_ok());
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.validate_utf16(&text.utf16).is_ok());
    }
    contest.enter("std", |text| char::decode_utf16(text.utf16.iter().copied()).all(|char| char.is_ok()));
    contest.enter("encoding_rs", |text| mem::utf16_valid_up_to(&text.utf16));
}

/// `encoding_rs` only supports native byte order, which is the same on a little-endian machine.
fn utf8_to_utf16le(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    let mut units = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::utf8_to_utf16le(text.utf8.as_bytes(), &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_to_utf16le(text.utf8.as_bytes(), &mut dst).written);
    }
    contest.enter("std", |text| {
        let text = std::str::from_utf8(text.utf8.as_bytes()).expect("valid");
        let out = dst.as_chunks_mut::<2>().0.iter_mut();
        out.zip(text.encode_utf16()).map(|(out, unit)| *out = unit.to_le_bytes()).count()
    });
    contest.enter("encoding_rs", |text| {
        mem::convert_utf8_to_utf16_without_replacement(text.utf8.as_bytes(), &mut units)
    });
}

fn to_utf16(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::to_utf16(&text.utf8));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.to_utf16(&text.utf8));
    }
    contest.enter("std", |text| text.utf8.encode_utf16().collect::<Vec<u16>>());
}

fn str_to_utf16(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::str_to_utf16(&text.utf8, &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.str_to_utf16(&text.utf8, &mut dst).written);
    }
    contest.enter("encoding_rs", |text| mem::convert_str_to_utf16(&text.utf8, &mut dst));
}

fn utf16le_to_utf8(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::utf16le_to_utf8(&text.utf16le, &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16le_to_utf8(&text.utf16le, &mut dst).written);
    }
    contest.enter("std", |text| {
        let units = text.utf16le.as_chunks::<2>().0.iter().map(|&unit| u16::from_le_bytes(unit));
        let mut written = 0;
        for char in char::decode_utf16(units) {
            written += char.expect("valid").encode_utf8(&mut dst[written..]).len();
        }
        written
    });
    contest.enter("encoding_rs", |text| {
        let mut decoder = UTF_16LE.new_decoder_without_bom_handling();
        decoder.decode_to_utf8_without_replacement(&text.utf16le, &mut dst, true)
    });
}

fn from_utf16(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::from_utf16(&text.utf16));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.from_utf16(&text.utf16));
    }
    contest.enter("std", |text| String::from_utf16(&text.utf16));
}

/// Text in UTF-16LE, as a whole.
fn decode(contest: &mut Contest) {
    let source = fastutf::stream::Encoding::Utf16Le;
    contest.enter_free(|text| fastutf::decode(&text.utf16le, source).is_ok());
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.decode(&text.utf16le, source).is_ok());
    }
    contest.enter("encoding_rs", |text| {
        UTF_16LE.decode_without_bom_handling_and_without_replacement(&text.utf16le).map(|text| text.len())
    });
}

fn decode_lossy(contest: &mut Contest) {
    let source = fastutf::stream::Encoding::Utf8;
    contest.enter_free(|text| fastutf::decode_lossy(&text.damaged_utf8, source).0.len());
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.decode_lossy(&text.damaged_utf8, source).0.len());
    }
    contest.enter("encoding_rs", |text| UTF_8.decode(&text.damaged_utf8).0.len());
}

fn count_chars_utf8(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::count_chars_utf8(text.utf8.as_bytes()));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.count_chars_utf8(text.utf8.as_bytes()));
    }
    contest.enter("std", |text| text.utf8.chars().count());
}

fn utf16_len_from_utf8(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::utf16_len_from_utf8(text.utf8.as_bytes()));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16_len_from_utf8(text.utf8.as_bytes()));
    }
    contest.enter("std", |text| text.utf8.encode_utf16().count());
}

fn count_chars_utf16(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::count_chars_utf16(&text.utf16));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.count_chars_utf16(&text.utf16));
    }
    contest.enter("std", |text| char::decode_utf16(text.utf16.iter().copied()).count());
}

fn utf8_len_from_utf16(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::utf8_len_from_utf16(&text.utf16));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_len_from_utf16(&text.utf16));
    }
    contest.enter("std", |text| {
        let chars = char::decode_utf16(text.utf16.iter().copied());
        chars.map(|char| char.map_or(0, char::len_utf8)).sum::<usize>()
    });
}

fn swap_utf16_bytes_into(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::swap_utf16_bytes_into(&text.utf16le, &mut dst[..text.utf16le.len()]));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.swap_utf16_bytes_into(&text.utf16le, &mut dst[..text.utf16le.len()]));
    }
    contest.enter("std", |text| {
        let out = dst.as_chunks_mut::<2>().0.iter_mut();
        out.zip(text.utf16le.as_chunks::<2>().0).for_each(|(out, &[a, b])| *out = [b, a]);
    });
}

/// In place, so every other run swaps the bytes back.
fn swap_utf16_bytes(contest: &mut Contest) {
    let mut bytes = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::swap_utf16_bytes(&mut bytes[..text.utf16le.len()]));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.swap_utf16_bytes(&mut bytes[..text.utf16le.len()]));
    }
    contest.enter("std", |text| {
        bytes[..text.utf16le.len()].as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse());
    });
}

fn from_utf8_lossy(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::from_utf8_lossy(&text.damaged_utf8).len());
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.from_utf8_lossy(&text.damaged_utf8).len());
    }
    contest.enter("std", |text| String::from_utf8_lossy(&text.damaged_utf8).len());
    contest.enter("encoding_rs", |text| UTF_8.decode_without_bom_handling(&text.damaged_utf8).0.len());
}

fn utf8_chunks(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::utf8_chunks(&text.damaged_utf8).count());
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_chunks(&text.damaged_utf8).count());
    }
    contest.enter("std", |text| text.damaged_utf8.utf8_chunks().count());
}

fn utf8_to_utf16_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::utf8_to_utf16_lossy(&text.damaged_utf8, &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_to_utf16_lossy(&text.damaged_utf8, &mut dst).written);
    }
    contest.enter("encoding_rs", |text| mem::convert_utf8_to_utf16(&text.damaged_utf8, &mut dst));
}

fn from_utf16_lossy(contest: &mut Contest) {
    contest.enter_free(|text| fastutf::from_utf16_lossy(&text.damaged_utf16));
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.from_utf16_lossy(&text.damaged_utf16));
    }
    contest.enter("std", |text| String::from_utf16_lossy(&text.damaged_utf16));
}

fn utf16_to_utf8_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::utf16_to_utf8_lossy(&text.damaged_utf16, &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16_to_utf8_lossy(&text.damaged_utf16, &mut dst).written);
    }
    contest.enter("encoding_rs", |text| mem::convert_utf16_to_utf8(&text.damaged_utf16, &mut dst));
}

/// In place, so each run gets a copy of the text.
fn make_well_formed_utf16(contest: &mut Contest) {
    let mut copy = vec![0; contest.room()];
    let mut enter = |who: &dyn Display, repair: &dyn Fn(&mut [u16])| {
        contest.enter(who, |text| {
            let copy = &mut copy[..text.damaged_utf16.len()];
            copy.copy_from_slice(&text.damaged_utf16);
            repair(copy);
        });
    };
    for isa in Isa::available() {
        enter(&isa, &|units| {
            isa.make_well_formed_utf16(units);
        });
    }
    enter(&"encoding_rs", &mem::ensure_utf16_validity);
}

/// Latin-1 and the same in UTF-8.
fn latin1_to_utf8(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::latin1_to_utf8(&text.latin1[0], &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.latin1_to_utf8(&text.latin1[0], &mut dst).written);
    }
    contest.enter("std", |text| text.latin1[0].iter().map(|&byte| char::from(byte)).collect::<String>());
    contest.enter("encoding_rs", |text| mem::convert_latin1_to_utf8(&text.latin1[0], &mut dst));
}

fn from_latin1(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.from_latin1(&text.latin1[0]).len());
    }
    contest.enter("encoding_rs", |text| mem::decode_latin1(&text.latin1[0]).len());
}

fn utf8_len_from_latin1(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_len_from_latin1(&text.latin1[0]));
    }
    contest.enter("std", |text| text.latin1[0].iter().map(|byte| 1 + usize::from(byte >> 7)).sum::<usize>());
}

fn latin1_to_utf16(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.latin1_to_utf16(&text.latin1[0], &mut dst).written);
    }
    contest.enter("std", |text| {
        dst.iter_mut().zip(&text.latin1[0]).map(|(unit, &byte)| *unit = u16::from(byte)).count()
    });
    contest.enter("encoding_rs", |text| mem::convert_latin1_to_utf16(&text.latin1[0], &mut dst));
}

fn utf8_to_latin1(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::utf8_to_latin1(&text.latin1[1], &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_to_latin1(&text.latin1[1], &mut dst).written);
    }
    contest.enter("encoding_rs", |text| mem::convert_utf8_to_latin1_lossy(&text.latin1[1], &mut dst));
}

fn to_latin1(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| {
            let text = std::str::from_utf8(&text.latin1[1]).expect("valid");
            isa.to_latin1(text).map(|bytes| bytes.len())
        });
    }
}

fn utf16_to_latin1(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16_to_latin1(&text.latin1_utf16, &mut dst).written);
    }
    contest.enter("encoding_rs", |text| mem::convert_utf16_to_latin1_lossy(&text.latin1_utf16, &mut dst));
}

fn validate_latin1_in_utf8(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.validate_latin1_in_utf8(&text.latin1[1]).is_ok());
    }
    contest.enter("encoding_rs", |text| mem::is_utf8_latin1(&text.latin1[1]));
}

fn validate_latin1_in_utf16(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.validate_latin1_in_utf16(&text.latin1_utf16).is_ok());
    }
    contest.enter("encoding_rs", |text| mem::is_utf16_latin1(&text.latin1_utf16));
}

fn utf16_info(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16_info(&text.utf16).is_ok());
    }
    contest.enter("encoding_rs", |text| mem::is_utf16_latin1(&text.utf16));
}

fn narrowest_from_utf8(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_from_utf8(text.utf8.as_bytes()).map(|text| text.utf16_len()));
    }
}

fn narrowest_from_utf8_lossy(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_from_utf8_lossy(&text.damaged_utf8).utf16_len());
    }
}

fn narrowest_from_utf16(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_from_utf16(&text.utf16).map(|text| text.utf16_len()));
    }
}

fn narrowest_chars_from_utf8(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_chars_from_utf8(text.utf8.as_bytes()).map(|text| text.len()));
    }
}

fn narrowest_chars_from_utf8_lossy(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_chars_from_utf8_lossy(&text.damaged_utf8).len());
    }
}

fn narrowest_chars_from_utf16(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_chars_from_utf16(&text.utf16).map(|text| text.len()));
    }
}

fn narrowest_chars_from_utf16_lossy(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_chars_from_utf16_lossy(&text.damaged_utf16).len());
    }
}

fn narrowest_from_utf16_lossy(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.narrowest_from_utf16_lossy(&text.damaged_utf16).utf16_len());
    }
}

/// Of any text.
fn utf8_to_latin1_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_to_latin1_lossy(text.utf8.as_bytes(), b'?', &mut dst).written);
    }
}

fn to_latin1_lossy(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.to_latin1_lossy(&text.utf8, b'?').len());
    }
    contest.enter("std", |text| text.utf8.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect::<Vec<u8>>());
}

fn utf16_to_latin1_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16_to_latin1_lossy(&text.utf16, b'?', &mut dst).written);
    }
}

fn validate_utf32(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.validate_utf32(&text.utf32).is_ok());
    }
    contest.enter("std", |text| text.utf32.iter().all(|&unit| char::from_u32(unit).is_some()));
}

fn as_chars(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.as_chars(&text.utf32).is_ok());
    }
}

fn utf8_to_utf32(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::utf8_to_utf32(text.utf8.as_bytes(), &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_to_utf32(text.utf8.as_bytes(), &mut dst).written);
    }
    contest.enter("std", |text| dst.iter_mut().zip(text.utf8.chars()).map(|(to, c)| *to = u32::from(c)).count());
}

fn to_utf32(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.to_utf32(&text.utf8).len());
    }
    contest.enter("std", |text| text.utf8.chars().map(u32::from).collect::<Vec<u32>>());
}

fn to_chars(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.to_chars(&text.utf8).len());
    }
    contest.enter("std", |text| text.utf8.chars().collect::<Vec<char>>());
}

fn from_chars(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.from_chars(&text.chars).len());
    }
    contest.enter("std", |text| text.chars.iter().collect::<String>());
}

fn from_utf32(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.from_utf32(&text.utf32).map(|text| text.len()));
    }
}

/// Of well-formed text: nothing is replaced.
fn from_utf32_lossy(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.from_utf32_lossy(&text.utf32).len());
    }
}

fn utf32_to_utf8(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    contest.enter_free(|text| fastutf::utf32_to_utf8(&text.utf32, &mut dst).written);
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf32_to_utf8(&text.utf32, &mut dst).written);
    }
}

fn utf16_to_utf32(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16_to_utf32(&text.utf16, &mut dst).written);
    }
}

fn utf32_to_utf16(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf32_to_utf16(&text.utf32, &mut dst).written);
    }
}

fn utf8_len_from_utf32(contest: &mut Contest) {
    for isa in Isa::available() {
        contest
            .enter(isa, |text| isa.utf8_len_from_utf32(&text.utf32) + isa.utf8_len_from_utf32_lossy(&text.utf32));
    }
}

fn utf16_len_from_utf32(contest: &mut Contest) {
    for isa in Isa::available() {
        contest.enter(isa, |text| {
            isa.utf16_len_from_utf32(&text.utf32) + isa.utf16_len_from_utf32_lossy(&text.utf32)
        });
    }
}

fn utf8_to_utf32_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf8_to_utf32_lossy(&text.damaged_utf8, &mut dst).written);
    }
}

fn utf16_to_utf32_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf16_to_utf32_lossy(&text.damaged_utf16, &mut dst).written);
    }
}

/// Latin-1 in place of code units, and the reverse, of which nearly nothing is in it for most languages.
fn latin1_to_utf32(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.latin1_to_utf32(&text.latin1[0], &mut dst).written);
    }
}

fn utf32_to_latin1(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf32_to_latin1(&text.utf32, &mut dst).written);
    }
}

fn utf32_to_latin1_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf32_to_latin1_lossy(&text.utf32, b'?', &mut dst).written);
    }
}

/// The same text, with replacements if there were any.
fn utf32_to_utf8_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf32_to_utf8_lossy(&text.utf32, &mut dst).written);
    }
}

fn utf32_to_utf16_lossy(contest: &mut Contest) {
    let mut dst = vec![0; contest.room()];
    for isa in Isa::available() {
        contest.enter(isa, |text| isa.utf32_to_utf16_lossy(&text.utf32, &mut dst).written);
    }
}

struct Operation {
    name: &'static str,
    run: fn(&mut Contest),
    /// How many bytes of a text it reads.
    reads: fn(&Text) -> usize,
    /// Whether it takes the same time, or stops at once, for every language but the first.
    one_language: bool,
    /// Whether it is measured on short strings.
    short: bool,
}

const fn reads_utf8(text: &Text) -> usize {
    text.utf8.len()
}

const fn reads_utf16(text: &Text) -> usize {
    text.utf16le.len()
}

const OPERATIONS: [Operation; 64] = {
    /// Names the operation after its function.
    macro_rules! operation {
        ($run:ident, $reads:ident, one_language: $one_language:literal, short: $short:literal) => {
            Operation {
                name: stringify!($run),
                run: $run,
                reads: $reads,
                one_language: $one_language,
                short: $short,
            }
        };
    }
    [
        operation!(validate_utf8, reads_utf8, one_language: false, short: true),
        operation!(utf8_info, reads_utf8, one_language: false, short: false),
        operation!(is_ascii, reads_utf8, one_language: true, short: false),
        operation!(validate_utf16, reads_utf16, one_language: false, short: false),
        operation!(utf8_to_utf16le, reads_utf8, one_language: false, short: true),
        operation!(to_utf16, reads_utf8, one_language: false, short: true),
        operation!(str_to_utf16, reads_utf8, one_language: false, short: false),
        operation!(utf16le_to_utf8, reads_utf16, one_language: false, short: true),
        operation!(from_utf16, reads_utf16, one_language: false, short: true),
        operation!(decode, reads_utf16, one_language: false, short: false),
        operation!(decode_lossy, reads_utf8, one_language: false, short: false),
        operation!(count_chars_utf8, reads_utf8, one_language: false, short: false),
        operation!(utf16_len_from_utf8, reads_utf8, one_language: false, short: false),
        operation!(count_chars_utf16, reads_utf16, one_language: false, short: false),
        operation!(utf8_len_from_utf16, reads_utf16, one_language: false, short: false),
        operation!(swap_utf16_bytes_into, reads_utf16, one_language: true, short: false),
        operation!(swap_utf16_bytes, reads_utf16, one_language: true, short: false),
        operation!(from_utf8_lossy, reads_utf8, one_language: false, short: false),
        operation!(utf8_chunks, reads_utf8, one_language: false, short: false),
        operation!(utf8_to_utf16_lossy, reads_utf8, one_language: false, short: false),
        operation!(from_utf16_lossy, reads_utf16, one_language: false, short: false),
        operation!(utf16_to_utf8_lossy, reads_utf16, one_language: false, short: false),
        operation!(make_well_formed_utf16, reads_utf16, one_language: false, short: false),
        operation!(latin1_to_utf8, reads_utf8, one_language: false, short: true),
        operation!(from_latin1, reads_utf8, one_language: false, short: false),
        operation!(utf8_len_from_latin1, reads_utf8, one_language: false, short: false),
        operation!(latin1_to_utf16, reads_utf8, one_language: false, short: false),
        operation!(utf8_to_latin1, reads_utf8, one_language: false, short: true),
        operation!(to_latin1, reads_utf8, one_language: false, short: false),
        operation!(utf16_to_latin1, reads_utf8, one_language: false, short: false),
        operation!(validate_latin1_in_utf8, reads_utf8, one_language: false, short: false),
        operation!(validate_latin1_in_utf16, reads_utf8, one_language: false, short: false),
        operation!(utf16_info, reads_utf16, one_language: false, short: false),
        operation!(narrowest_from_utf8, reads_utf8, one_language: false, short: false),
        operation!(narrowest_from_utf8_lossy, reads_utf8, one_language: false, short: false),
        operation!(narrowest_from_utf16, reads_utf16, one_language: false, short: false),
        operation!(narrowest_from_utf16_lossy, reads_utf16, one_language: false, short: false),
        operation!(narrowest_chars_from_utf8, reads_utf8, one_language: false, short: false),
        operation!(narrowest_chars_from_utf8_lossy, reads_utf8, one_language: false, short: false),
        operation!(narrowest_chars_from_utf16, reads_utf16, one_language: false, short: false),
        operation!(narrowest_chars_from_utf16_lossy, reads_utf16, one_language: false, short: false),
        operation!(utf8_to_latin1_lossy, reads_utf8, one_language: false, short: false),
        operation!(to_latin1_lossy, reads_utf8, one_language: false, short: false),
        operation!(utf16_to_latin1_lossy, reads_utf16, one_language: false, short: false),
        operation!(validate_utf32, reads_utf8, one_language: false, short: false),
        operation!(as_chars, reads_utf8, one_language: false, short: false),
        operation!(utf8_to_utf32, reads_utf8, one_language: false, short: true),
        operation!(to_utf32, reads_utf8, one_language: false, short: false),
        operation!(to_chars, reads_utf8, one_language: false, short: false),
        operation!(from_chars, reads_utf8, one_language: false, short: false),
        operation!(from_utf32, reads_utf8, one_language: false, short: false),
        operation!(from_utf32_lossy, reads_utf8, one_language: false, short: false),
        operation!(utf32_to_utf8, reads_utf8, one_language: false, short: true),
        operation!(utf16_to_utf32, reads_utf16, one_language: false, short: false),
        operation!(utf32_to_utf16, reads_utf8, one_language: false, short: false),
        operation!(utf8_len_from_utf32, reads_utf8, one_language: false, short: false),
        operation!(utf16_len_from_utf32, reads_utf16, one_language: false, short: false),
        operation!(utf8_to_utf32_lossy, reads_utf8, one_language: false, short: false),
        operation!(utf16_to_utf32_lossy, reads_utf16, one_language: false, short: false),
        operation!(latin1_to_utf32, reads_utf8, one_language: false, short: false),
        operation!(utf32_to_latin1, reads_utf8, one_language: false, short: false),
        operation!(utf32_to_latin1_lossy, reads_utf8, one_language: false, short: false),
        operation!(utf32_to_utf8_lossy, reads_utf8, one_language: false, short: false),
        operation!(utf32_to_utf16_lossy, reads_utf8, one_language: false, short: false),
    ]
};

/// Measures one operation on several sets of texts.
fn measure<'a>(
    criterion: &mut Criterion,
    group: &str,
    operation: &Operation,
    cases: impl IntoIterator<Item = &'a (String, Vec<Text>)>,
    batch: usize,
) {
    let mut group = criterion.benchmark_group(group);
    for (case, texts) in cases {
        let bytes: usize = texts.iter().map(operation.reads).sum();
        group.throughput(Throughput::Bytes((bytes * batch / texts.len()) as u64));
        (operation.run)(&mut Contest { group: &mut group, case, texts, batch });
    }
    group.finish();
}

fn texts<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<Text> {
    pieces.into_iter().map(Text::new).collect()
}

fn short_cases(language: &Language) -> Vec<(String, Vec<Text>)> {
    let text = language.text(SHORT);
    let mut cases: Vec<_> = SHORT_LENGTHS
        .iter()
        .map(|&length| (format!("{}-{length}", language.name), texts(pieces(&text, length))))
        .collect();
    cases.push((format!("{}-mixed", language.name), texts(random_pieces(&text, 1, SHORT_MOST))));
    cases
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(250))
        .nresamples(1000)
        .without_plots()
        .configure_from_args();

    let long: Vec<_> = LANGUAGES
        .iter()
        .map(|language| (language.name.to_owned(), texts(pieces(&language.text(LONG), PIECE))))
        .collect();
    for operation in &OPERATIONS {
        let languages = if operation.one_language { 1 } else { long.len() };
        measure(&mut criterion, operation.name, operation, &long[..languages], 1);
    }
    drop(long);

    let languages = LANGUAGES.iter().filter(|language| SHORT_LANGUAGES.contains(&language.name));
    let short: Vec<_> = languages.flat_map(short_cases).collect();
    for operation in OPERATIONS.iter().filter(|operation| operation.short) {
        measure(&mut criterion, &format!("short/{}", operation.name), operation, &short, SHORT_BATCH);
    }
    criterion.final_summary();
}
