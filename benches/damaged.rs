//! Dense errors and tiny inputs: lossy operations compared with the standard library, which such inputs hardly slow
//! down.
//!
//!     cargo bench --bench damaged                       # everything, in half a minute
//!     cargo bench --bench damaged -- utf8_chunks FF     # only rows whose names have all these words in them
//!
//! A number is the speed on an instruction set relative to the standard library; below 1, it is slower and marked with
//! `!`. Contestants take turns in one process, and the minimum time of each counts, so that a busy machine hardly
//! affects the ratio.

use std::env;
use std::hint::black_box;
use std::time::Instant;

use fastutf::Isa;
use fastutf::stream::{Encoding, Utf8Decoder, Validator};
use fastutf_testkit::language::SENTENCES;
use fastutf_testkit::{Rng, damage};

/// The length of a long text in bytes.
const LEN: usize = 4 << 10;
/// The approximate length of a turn in nanoseconds, and the number of turns of a contestant.
const TURN: u128 = 40_000;
const TURNS: usize = 40;

/// A text, or many tiny ones, in both encodings.
struct Case {
    name: String,
    valid: bool,
    utf8: Vec<Vec<u8>>,
    utf16: Vec<Vec<u16>>,
}

impl Case {
    fn new(name: impl Into<String>, utf8: Vec<Vec<u8>>) -> Self {
        let valid = utf8.iter().all(|text| std::str::from_utf8(text).is_ok());
        let utf16 = utf8.iter().map(|text| damage::with_surrogates(text)).collect();
        Self { name: name.into(), valid, utf8, utf16 }
    }

    fn long(name: impl Into<String>, mut utf8: Vec<u8>) -> Self {
        let end = (0..4).map(|back| LEN - back).find(|&at| utf8.get(at).is_none_or(|byte| byte & 0xC0 != 0x80));
        utf8.truncate(end.unwrap_or(LEN));
        Self::new(name, vec![utf8])
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, bytes) in [
        ("FF", &b"\xFF"[..]),
        ("80", b"\x80"),
        ("E2 82", b"\xE2\x82"),
        ("F0 9F 98", b"\xF0\x9F\x98"),
        ("ED A0 80", b"\xED\xA0\x80"),
        ("C0 AF", b"\xC0\xAF"),
        ("E0 80 80", b"\xE0\x80\x80"),
    ] {
        cases.push(Case::long(name, bytes.repeat(LEN)));
    }
    for (name, text) in &SENTENCES[..3] {
        for every in [2, 4, 8, 16] {
            cases.push(Case::long(format!("{name}, FF every {every}"), damage::ff_every(text, every, LEN)));
        }
    }
    for (name, text) in SENTENCES {
        cases.push(Case::long(name, text.repeat(LEN).into_bytes()));
    }
    // Tiny texts, in an order that branch predictors cannot learn.
    let mut rng = Rng::new(1);
    let mut tiny = |name: &str, texts: &[&[u8]]| {
        cases.push(Case::new(name, (0..256).map(|_| rng.pick(texts).to_vec()).collect()));
    };
    tiny("1 byte", &[b"a", b"b"]);
    tiny("2 bytes", &[b"ab", b"cd"]);
    tiny("3 bytes", &[b"abc", b"def"]);
    tiny("4 bytes", &[b"abcd", b"efgh"]);
    tiny("1..4 bytes", &[b"a", b"ab", b"abc", b"abcd"]);
    tiny("1..4 bytes, a character", &[b"a", "я".as_bytes(), "我".as_bytes(), "😀".as_bytes()]);
    tiny(
        "1..4 bytes, characters",
        &[b"a", b"ab", "я".as_bytes(), "aя".as_bytes(), "我".as_bytes(), "яя".as_bytes()],
    );
    tiny("1 byte, ill-formed", &[b"\xFF", b"\x80", b"\xE2", b"\xC0"]);
    tiny("2 bytes, ill-formed", &[b"a\xFF", b"\xE2\x82", b"\xC0\xAF", b"\x80\x80"]);
    tiny("3 bytes, ill-formed", &[b"ab\xFF", b"\xF0\x9F\x98", b"\xED\xA0\x80", b"\xFFab"]);
    tiny("4 bytes, ill-formed", &[b"ab\xFFc", b"a\xF0\x9F\x98", b"\xED\xA0\x80b", b"\xFF\xFF\xFF\xFF"]);
    cases
}

/// One contestant: it handles all texts of a case, and returns a number that depends on its results.
type Run<'a> = Box<dyn FnMut() -> usize + 'a>;

/// Collects, measures and prints.
struct Table {
    words: Vec<String>,
    /// Whether to only compare results, without measuring.
    test: bool,
    isas: Vec<Isa>,
    slower: usize,
    cells: usize,
}

impl Table {
    /// Measures one operation on all cases that it accepts.
    fn row<'a>(
        &mut self,
        operation: &str,
        cases: &'a [Case],
        takes: impl Fn(&Case) -> bool,
        mut ours: impl FnMut(Isa, &'a Case) -> Run<'a>,
        mut std: impl FnMut(&'a Case) -> Run<'a>,
    ) {
        for case in cases.iter().filter(|case| takes(case)) {
            let name = format!("{operation}: {}", case.name);
            if !self.words.iter().all(|word| name.contains(word.as_str())) {
                continue;
            }
            let mut runs: Vec<Run> = vec![std(case)];
            runs.extend(self.isas.iter().map(|&isa| ours(isa, case)));
            let bytes: usize = case.utf8.iter().map(Vec::len).sum();
            let unit = if case.utf8.len() > 1 { case.utf8.len() } else { bytes };
            let least = race(&name, &mut runs, if self.test { 0 } else { TURNS });
            if self.test {
                continue;
            }
            print!("{name:<62} {:>7.2}", least[0] / unit as f64);
            for time in &least[1..] {
                let ratio = least[0] / time;
                self.cells += 1;
                self.slower += usize::from(ratio < 1.0);
                print!(" {ratio:>6.2}{}", if ratio < 1.0 { '!' } else { ' ' });
            }
            println!();
        }
    }
}

/// The minimum time of each, in nanoseconds, of runs that take turns.
fn race(name: &str, runs: &mut [Run], turns: usize) -> Vec<f64> {
    let results: Vec<usize> = runs.iter_mut().map(|run| run()).collect();
    assert!(results.iter().all(|result| *result == results[0]), "{name}: results differ: {results:?}");
    let mut times = vec![1; runs.len()];
    let mut least = vec![f64::INFINITY; runs.len()];
    for turn in 0..turns {
        for (i, run) in runs.iter_mut().enumerate() {
            let repeats = times[i];
            let start = Instant::now();
            for _ in 0..repeats {
                black_box(run());
            }
            let time = start.elapsed().as_nanos().max(1);
            if turn < 3 {
                times[i] = (repeats * TURN / time).clamp(1, 1000);
            }
            least[i] = least[i].min(time as f64 / repeats as f64);
        }
    }
    least
}

/// Runs `each` with every text of a case, in UTF-8.
fn utf8<'a>(case: &'a Case, mut each: impl FnMut(&'a [u8]) -> usize + 'a) -> Run<'a> {
    Box::new(move || case.utf8.iter().map(|text| each(black_box(text))).sum())
}

fn utf16<'a>(case: &'a Case, mut each: impl FnMut(&'a [u16]) -> usize + 'a) -> Run<'a> {
    Box::new(move || case.utf16.iter().map(|text| each(black_box(text))).sum())
}

/// Passes the pieces of a text with replacements to `each`, using the standard library.
fn pieces(src: &[u8], mut each: impl FnMut(&str)) {
    for chunk in src.utf8_chunks() {
        each(chunk.valid());
        if !chunk.invalid().is_empty() {
            each("\u{FFFD}");
        }
    }
}

/// A typical decoder of chunks written with the standard library: it passes on whole characters, and keeps the bytes of
/// an incomplete one.
#[derive(Default)]
struct StdDecoder {
    kept: [u8; 4],
    len: usize,
}

impl StdDecoder {
    fn push(&mut self, mut chunk: &[u8], mut each: impl FnMut(&str)) {
        while self.len > 0 && !chunk.is_empty() {
            self.kept[self.len] = chunk[0];
            match std::str::from_utf8(&self.kept[..=self.len]) {
                Ok(text) => {
                    each(text);
                    (chunk, self.len) = (&chunk[1..], 0);
                }
                Err(error) if error.error_len().is_none() => (chunk, self.len) = (&chunk[1..], self.len + 1),
                Err(_) => {
                    each("\u{FFFD}");
                    self.len = 0;
                }
            }
        }
        while !chunk.is_empty() {
            match std::str::from_utf8(chunk) {
                Ok(text) => return each(text),
                Err(error) => {
                    let (valid, rest) = chunk.split_at(error.valid_up_to());
                    if !valid.is_empty() {
                        each(std::str::from_utf8(valid).unwrap());
                    }
                    let Some(len) = error.error_len() else {
                        self.kept[..rest.len()].copy_from_slice(rest);
                        self.len = rest.len();
                        return;
                    };
                    each("\u{FFFD}");
                    chunk = &rest[len..];
                }
            }
        }
    }
}

fn stream(table: &mut Table, cases: &[Case]) {
    let long = |case: &Case| case.utf8.len() == 1;
    for size in [LEN, 1] {
        table.row(
            &format!("Utf8Decoder::lossy, {size}"),
            cases,
            long,
            |isa, case| {
                utf8(case, move |text| {
                    let (mut decoder, mut sum) = (Utf8Decoder::new().lossy().with_isa(isa), 0);
                    for chunk in text.chunks(size) {
                        for piece in decoder.push(chunk) {
                            sum += piece.unwrap_or_default().len();
                        }
                    }
                    sum + decoder.finish().unwrap_or_default().len()
                })
            },
            |case| {
                utf8(case, move |text| {
                    let mut sum = 0;
                    if size == LEN {
                        pieces(text, |piece| sum += piece.len());
                        return sum;
                    }
                    let mut decoder = StdDecoder::default();
                    for chunk in text.chunks(size) {
                        decoder.push(chunk, |piece| sum += piece.len());
                    }
                    sum + if decoder.len > 0 { 3 } else { 0 }
                })
            },
        );
        table.row(
            &format!("Utf8Decoder::new, {size}"),
            cases,
            |case| long(case) && case.valid,
            |isa, case| {
                utf8(case, move |text| {
                    let (mut decoder, mut sum) = (Utf8Decoder::new().with_isa(isa), 0);
                    for chunk in text.chunks(size) {
                        for piece in decoder.push(chunk) {
                            sum += piece.unwrap_or_default().len();
                        }
                    }
                    sum + decoder.finish().unwrap_or_default().len()
                })
            },
            |case| {
                utf8(case, move |text| {
                    let mut sum = 0;
                    if size == LEN {
                        return std::str::from_utf8(text).map_or(0, str::len);
                    }
                    let mut decoder = StdDecoder::default();
                    for chunk in text.chunks(size) {
                        decoder.push(chunk, |piece| sum += piece.len());
                    }
                    sum
                })
            },
        );
        table.row(
            &format!("Validator, {size}"),
            cases,
            |case| long(case) && case.valid,
            |isa, case| {
                utf8(case, move |text| {
                    let mut validator = Validator::new(Encoding::Utf8).with_isa(isa);
                    let valid = text.chunks(size).all(|chunk| validator.push(chunk).is_ok());
                    usize::from(valid && validator.finish().is_ok())
                })
            },
            |case| {
                utf8(case, move |text| {
                    if size == LEN {
                        return usize::from(std::str::from_utf8(text).is_ok());
                    }
                    let mut decoder = StdDecoder::default();
                    let mut valid = true;
                    for chunk in text.chunks(size) {
                        decoder.push(chunk, |piece| valid &= piece != "\u{FFFD}");
                    }
                    usize::from(valid && decoder.len == 0)
                })
            },
        );
    }
}

fn from_utf8(table: &mut Table, cases: &[Case]) {
    let all = |_: &Case| true;
    table.row(
        "from_utf8_lossy",
        cases,
        all,
        |isa, case| utf8(case, move |text| isa.from_utf8_lossy(text).len()),
        |case| utf8(case, |text| String::from_utf8_lossy(text).len()),
    );
    table.row(
        "string_from_utf8_lossy",
        cases,
        all,
        |isa, case| utf8(case, move |text| isa.string_from_utf8_lossy(text.to_vec()).len()),
        |case| {
            utf8(case, |text| {
                let text = String::from_utf8(text.to_vec());
                text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()).len()
            })
        },
    );
    table.row(
        "utf8_to_utf8_lossy",
        cases,
        all,
        |isa, case| {
            let mut dst = vec![0; 3 * LEN];
            utf8(case, move |text| isa.utf8_to_utf8_lossy(text, &mut dst).written)
        },
        |case| {
            let mut dst = vec![0; 3 * LEN];
            utf8(case, move |text| {
                let mut written = 0;
                pieces(text, |piece| {
                    dst[written..][..piece.len()].copy_from_slice(piece.as_bytes());
                    written += piece.len();
                });
                written
            })
        },
    );
    table.row(
        "utf8_to_utf8_lossy_append",
        cases,
        all,
        |isa, case| {
            let mut dst = String::new();
            utf8(case, move |text| {
                dst.clear();
                isa.utf8_to_utf8_lossy_append(text, &mut dst).written
            })
        },
        |case| {
            let mut dst = String::new();
            utf8(case, move |text| {
                dst.clear();
                pieces(text, |piece| dst.push_str(piece));
                dst.len()
            })
        },
    );
    table.row(
        "utf8_to_utf16le_lossy",
        cases,
        all,
        |isa, case| {
            let mut dst = vec![0; 3 * LEN];
            utf8(case, move |text| isa.utf8_to_utf16le_lossy(text, &mut dst).written)
        },
        |case| {
            let mut dst = vec![[0; 2]; 3 * LEN / 2];
            utf8(case, move |text| {
                let mut written = 0;
                pieces(text, |piece| {
                    let units = dst[written..].iter_mut().zip(piece.encode_utf16());
                    written += units.map(|(to, unit)| *to = unit.to_le_bytes()).count();
                });
                2 * written
            })
        },
    );
    table.row(
        "utf8_len_from_utf8_lossy",
        cases,
        all,
        |isa, case| utf8(case, move |text| isa.utf8_len_from_utf8_lossy(text)),
        |case| {
            utf8(case, |text| {
                let mut len = 0;
                pieces(text, |piece| len += piece.len());
                len
            })
        },
    );
    table.row(
        "utf16_len_from_utf8_lossy",
        cases,
        all,
        |isa, case| utf8(case, move |text| isa.utf16_len_from_utf8_lossy(text)),
        |case| {
            utf8(case, |text| {
                let mut len = 0;
                pieces(text, |piece| len += piece.encode_utf16().count());
                len
            })
        },
    );
    table.row(
        "utf8_chunks",
        cases,
        all,
        |isa, case| {
            utf8(case, move |text| {
                isa.utf8_chunks(text).map(|chunk| chunk.valid().len() ^ chunk.invalid().len()).sum()
            })
        },
        |case| {
            utf8(case, |text| text.utf8_chunks().map(|chunk| chunk.valid().len() ^ chunk.invalid().len()).sum())
        },
    );
}

fn from_utf16(table: &mut Table, cases: &[Case]) {
    let all = |_: &Case| true;
    table.row(
        "from_utf16_lossy",
        cases,
        all,
        |isa, case| utf16(case, move |text| isa.from_utf16_lossy(text).len()),
        |case| utf16(case, |text| String::from_utf16_lossy(text).len()),
    );
    table.row(
        "utf16_to_utf8_lossy",
        cases,
        all,
        |isa, case| {
            let mut dst = vec![0; 3 * LEN];
            utf16(case, move |text| isa.utf16_to_utf8_lossy(text, &mut dst).written)
        },
        |case| {
            let mut dst = vec![0; 3 * LEN];
            utf16(case, move |text| {
                let mut written = 0;
                for char in char::decode_utf16(text.iter().copied()) {
                    let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
                    written += char.encode_utf8(&mut dst[written..]).len();
                }
                written
            })
        },
    );
    table.row(
        "utf8_len_from_utf16_lossy",
        cases,
        all,
        |isa, case| utf16(case, move |text| isa.utf8_len_from_utf16_lossy(text)),
        |case| {
            utf16(case, |text| {
                let chars = char::decode_utf16(text.iter().copied());
                chars.map(|char| char.map_or(3, char::len_utf8)).sum()
            })
        },
    );
    table.row(
        "make_well_formed_utf16",
        cases,
        all,
        |isa, case| {
            let mut dst = vec![0; LEN];
            utf16(case, move |text| {
                let units = &mut dst[..text.len()];
                units.copy_from_slice(text);
                isa.make_well_formed_utf16(units)
            })
        },
        |case| {
            let mut dst = vec![0; LEN];
            utf16(case, move |text| {
                let units = &mut dst[..text.len()];
                units.copy_from_slice(text);
                let (mut at, mut replaced) = (0, 0);
                for char in char::decode_utf16(text.iter().copied()) {
                    match char {
                        Ok(char) => at += char.len_utf16(),
                        Err(_) => {
                            units[at] = 0xFFFD;
                            (at, replaced) = (at + 1, replaced + 1);
                        }
                    }
                }
                replaced
            })
        },
    );
}

fn main() {
    // Cargo passes `--bench`, or `--test` for a mere check.
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let test = env::args().any(|word| word == "--test");
    let mut table = Table { words, test, isas: Isa::available().collect(), slower: 0, cells: 0 };
    print!("{:<62} {:>7}", "std in ns per byte, or per tiny text; others: times as fast", "std");
    table.isas.iter().for_each(|isa| print!(" {:>7}", isa.name()));
    println!();
    let cases = cases();
    from_utf8(&mut table, &cases);
    from_utf16(&mut table, &cases);
    stream(&mut table, &cases);
    if table.test {
        return println!("results are the same as those of the standard library");
    }
    println!("{} of {} slower than the standard library", table.slower, table.cells);
}
