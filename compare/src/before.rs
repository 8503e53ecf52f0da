//! Races the library against an earlier build of itself: every operation, on every instruction set, on strings of each
//! size. `cargo xtask race` compiles this program together with the earlier build.
//!
//! Both get the same input at the same place, and exactly as much room as the result needs, in the same memory.

use std::borrow::Cow;
use std::cell::RefCell;
use std::error::Error;
use std::fmt;

use bytemuck::{NoUninit, cast_slice_mut, must_cast_slice};
use clap::Parser;
use fastutf::Isa;

#[cfg(fastutf_before)]
use ::earlier;
// What CI compiles and tests: there is no difference to find.
#[cfg(not(fastutf_before))]
use fastutf as earlier;

use crate::kind::{Filling, Giving, Making, Value};
use crate::language::{Class, Profile};
use crate::ours::FREE;
use crate::race::{self, Contender, Role, Run};
use crate::results::{distinct, mean};
use crate::size::Size;
use crate::windows::{self, Arena, Copies, Input, Windows};
use crate::{known, per_cent};

/// Races fastutf against an earlier build of itself, and fails if a row is slower in the mean.
#[derive(Parser)]
pub struct Arguments {
    /// Instruction sets, such as avx2,sse4.1,scalar; `free` stands for the free functions [default: all of this CPU]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    isa: Vec<String>,

    /// Operations, such as validate_utf8,utf8_to_utf16le [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    operation: Vec<String>,

    /// Languages [default: one of each kind of text]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    language: Vec<String>,

    /// Lengths in bytes of UTF-8: 33..256 (random), 64, 4K, 4K+odd (unaligned) [default: ranges from 1 to 64K, and 1M]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    size: Vec<Size>,

    /// Per cent of the text that are made ill-formed, for operations that replace that
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = per_cent, default_value = "0,1")]
    corrupt: Vec<f64>,

    /// How often both are measured, at the most. Slow code is measured less often
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,

    /// The speed to keep, as a part of what it was: less, as the mean of a row, is a failure
    #[arg(long, value_name = "RATIO", default_value_t = 0.97)]
    limit: f64,
}

/// One language of each kind that kernels tell apart.
const LANGUAGES: [&str; 6] = ["english", "french", "russian", "chinese", "emoji", "mix"];
/// The length of the chunks in which streams get their text.
const CHUNK: usize = 4 << 10;

struct Operation {
    name: &'static str,
    input: Input,
    /// Whether it continues after ill-formed sequences: others stop at the first one.
    lossy: bool,
}

/// The input, in the types that operations take, and the memory for the output.
struct Texts<'a> {
    utf8: Vec<&'a [u8]>,
    /// Empty strings if the text is ill-formed.
    str: Vec<&'a str>,
    utf16: Vec<&'a [u16]>,
    utf16le: Vec<&'a [u8]>,
    utf16be: Vec<&'a [u8]>,
    dst: RefCell<Arena>,
}

impl<'a> Texts<'a> {
    fn new(windows: &Windows<'a>, room: usize) -> Self {
        Self {
            utf8: windows.utf8.clone(),
            str: windows.utf8.iter().map(|text| std::str::from_utf8(text).unwrap_or_default()).collect(),
            utf16: windows.utf16le.clone(),
            utf16le: windows.utf16le.iter().map(|text| must_cast_slice(text)).collect(),
            utf16be: windows.utf16be.iter().map(|text| must_cast_slice(text)).collect(),
            dst: RefCell::new(Arena::new(room)),
        }
    }
}

fn value<'a>(operation: impl FnMut(usize) -> usize + 'a) -> Box<dyn Run + 'a> {
    Box::new(Value(operation))
}

fn filling<'a>(
    dst: &'a RefCell<Arena>,
    convert: impl FnMut(usize, &mut [u16]) -> usize + 'a,
) -> Box<dyn Run + 'a> {
    Box::new(Filling { dst, convert })
}

fn making<'a, T: NoUninit>(operation: impl FnMut(usize) -> Vec<T> + 'a) -> Box<dyn Run + 'a> {
    Box::new(Making(operation))
}

fn giving<'a>(operation: impl FnMut(usize) -> Cow<'a, str> + 'a) -> Box<dyn Run + 'a> {
    Box::new(Giving(operation))
}

/// A function of either build, given as `isa.name` or `library::name`, as a contender.
macro_rules! contender {
    // Returns something that is made a number.
    (value, $texts:ident.$input:ident, [$($function:tt)*], $out:ident => $result:expr) => {
        value(move |i| {
            let $out = $($function)*($texts.$input[i]);
            $result
        })
    };
    // Fills a slice, which is as long as the result.
    (fill, $texts:ident.$input:ident, [$($function:tt)*]) => {{
        let convert = move |i: usize, dst: &mut [_]| $($function)*($texts.$input[i], dst).written;
        let room: Vec<usize> = {
            let mut dst = $texts.dst.borrow_mut();
            (0..$texts.$input.len()).map(|i| convert(i, cast_slice_mut(dst.units_mut()))).collect()
        };
        filling(&$texts.dst, move |i, dst| {
            let dst = &mut cast_slice_mut(dst)[..room[i]];
            let written = convert(i, dst);
            size_of_val(&dst[..written])
        })
    }};
    // Fills a slice that is as long as the input.
    (copy, $texts:ident.$input:ident, [$($function:tt)*]) => {
        filling(&$texts.dst, move |i, dst| {
            let text = $texts.$input[i];
            let dst = &mut cast_slice_mut(dst)[..text.len()];
            let _ = $($function)*(text, dst);
            size_of_val(text)
        })
    };
    // Changes the text in place: a copy of it, which is part of the time.
    (change, $texts:ident.$input:ident, [$($function:tt)*]) => {
        filling(&$texts.dst, move |i, dst| {
            let text = $texts.$input[i];
            let dst = &mut cast_slice_mut(dst)[..text.len()];
            dst.copy_from_slice(text);
            let _ = $($function)*(dst);
            size_of_val(text)
        })
    };
    // Appends to a new `Vec` or `String`.
    (append, $texts:ident.$input:ident, [$($function:tt)*], $out:ident => $result:expr) => {
        making(move |i| {
            let mut $out = Default::default();
            let _ = $($function)*($texts.$input[i], &mut $out);
            $result
        })
    };
    // Returns a `Vec` (make) or a `Cow` (give).
    (make, $texts:ident.$input:ident, [$($function:tt)*], $out:ident => $result:expr) => {
        making(move |i| {
            let $out = $($function)*($texts.$input[i]);
            $result
        })
    };
    (give, $texts:ident.$input:ident, [$($function:tt)*], $out:ident => $result:expr) => {
        giving(move |i| {
            let $out = $($function)*($texts.$input[i]);
            $result
        })
    };
}

/// The operations of one build.
macro_rules! build {
    ($build:ident is $library:ident: $($kind:ident $name:ident($input:ident) $($out:ident => $result:expr)?;)*) => {
        // `cargo xtask race` sets the names of the operations that the earlier build does not have.
        #[allow(unexpected_cfgs)]
        mod $build {
            use super::*;
            use $library as library;
            use library::stream::{Encoding, Transcoder, Utf8Decoder, Validator};

            /// Nothing if this build has no such operation or instruction set.
            pub fn enter<'a>(texts: &'a Texts<'a>, operation: &str, isa: &str) -> Option<Box<dyn Run + 'a>> {
                let isa = match isa {
                    FREE => None,
                    name => Some(name.parse::<library::Isa>().ok()?),
                };
                Some(match operation {
                    $(
                        #[cfg(not($name))]
                        stringify!($name) => match isa {
                            Some(isa) => contender!($kind, texts.$input, [isa.$name] $(, $out => $result)?),
                            None => contender!($kind, texts.$input, [library::$name] $(, $out => $result)?),
                        },
                    )*
                    "validator_utf8" => {
                        let validator = Validator::new(Encoding::Utf8);
                        let validator = isa.map_or(validator.clone(), |isa| validator.with_isa(isa));
                        value(move |i| {
                            let mut validator = validator.clone();
                            let mut chunks = texts.utf8[i].chunks(CHUNK);
                            usize::from(chunks.all(|chunk| validator.push(chunk).is_ok()) && validator.finish().is_ok())
                        })
                    }
                    "utf8_decoder" => {
                        let decoder = move || {
                            let decoder = Utf8Decoder::new().lossy();
                            isa.map_or(decoder.clone(), |isa| decoder.with_isa(isa))
                        };
                        making(move |i| {
                            let (mut decoder, mut text) = (decoder(), String::with_capacity(texts.utf8[i].len()));
                            for chunk in texts.utf8[i].chunks(CHUNK) {
                                decoder.push(chunk).for_each(|piece| text += piece.unwrap_or_default());
                            }
                            text += decoder.finish().unwrap_or_default();
                            text.into_bytes()
                        })
                    }
                    "stream_utf8_to_utf16le" => {
                        transcoder(texts, &texts.utf8, Transcoder::new(Encoding::Utf8, Encoding::Utf16Le), isa)
                    }
                    "stream_utf16le_to_utf8" => {
                        transcoder(texts, &texts.utf16le, Transcoder::new(Encoding::Utf16Le, Encoding::Utf8), isa)
                    }
                    _ => return None,
                })
            }

            fn transcoder<'a>(
                texts: &'a Texts<'a>,
                src: &'a [&'a [u8]],
                transcoder: Transcoder,
                isa: Option<library::Isa>,
            ) -> Box<dyn Run + 'a> {
                let transcoder = transcoder.lossy();
                let transcoder = isa.map_or(transcoder.clone(), |isa| transcoder.with_isa(isa));
                filling(&texts.dst, move |i, dst| {
                    let (mut transcoder, dst, mut written) = (transcoder.clone(), cast_slice_mut(dst), 0);
                    for chunk in src[i].chunks(CHUNK) {
                        written += transcoder.convert(chunk, &mut dst[written..]).written;
                    }
                    written + transcoder.finish(&mut dst[written..]).written
                })
            }
        }
    };
}

/// The operations, strict and lossy: what each takes, and what of its result counts.
macro_rules! operations {
    (
        strict { $($kind:ident $name:ident($input:ident) $($out:ident => $result:expr)?;)* }
        lossy { $($lossy_kind:ident $lossy:ident($lossy_input:ident) $($lossy_out:ident => $lossy_result:expr)?;)* }
    ) => {
        const OPERATIONS: &[Operation] = &[
            $(Operation { name: stringify!($name), input: input!($input), lossy: false },)*
            Operation { name: "validator_utf8", input: Input::Utf8, lossy: false },
            $(Operation { name: stringify!($lossy), input: input!($lossy_input), lossy: true },)*
            Operation { name: "utf8_decoder", input: Input::Utf8, lossy: true },
            Operation { name: "stream_utf8_to_utf16le", input: Input::Utf8, lossy: true },
            Operation { name: "stream_utf16le_to_utf8", input: Input::Utf16le, lossy: true },
        ];
        build! { now is fastutf:
            $($kind $name($input) $($out => $result)?;)*
            $($lossy_kind $lossy($lossy_input) $($lossy_out => $lossy_result)?;)*
        }
        build! { before is earlier:
            $($kind $name($input) $($out => $result)?;)*
            $($lossy_kind $lossy($lossy_input) $($lossy_out => $lossy_result)?;)*
        }
    };
}

/// As little-endian machines have it: others are not measured.
macro_rules! input {
    (utf8) => {
        Input::Utf8
    };
    (str) => {
        Input::Utf8
    };
    (utf16be) => {
        Input::Utf16be
    };
    ($utf16:ident) => {
        Input::Utf16le
    };
}

operations! {
    strict {
        value validate_utf8(utf8) out => usize::from(out.is_ok());
        value utf8_info(utf8) out => out.map_or(0, |info| (info.chars << 16).wrapping_add(info.utf16_len));
        value is_ascii(utf8) out => usize::from(out);
        value validate_utf16(utf16) out => usize::from(out.is_ok());
        value validate_utf16le(utf16le) out => usize::from(out.is_ok());
        value validate_utf16be(utf16be) out => usize::from(out.is_ok());
        value utf16_len_from_utf8(utf8) out => out;
        value count_chars_utf8(utf8) out => out;
        value utf8_len_from_utf16(utf16) out => out;
        value utf8_len_from_utf16le(utf16le) out => out;
        value utf8_len_from_utf16be(utf16be) out => out;
        value count_chars_utf16(utf16) out => out;
        value count_chars_utf16le(utf16le) out => out;
        value count_chars_utf16be(utf16be) out => out;
        change swap_utf16_bytes(utf16le);
        copy swap_utf16_bytes_into(utf16le);
        fill utf8_to_utf16(utf8);
        fill utf8_to_utf16le(utf8);
        fill utf8_to_utf16be(utf8);
        fill str_to_utf16(str);
        fill str_to_utf16le(str);
        fill str_to_utf16be(str);
        fill utf16_to_utf8(utf16);
        fill utf16le_to_utf8(utf16le);
        fill utf16be_to_utf8(utf16be);
        append utf8_to_utf16_append(utf8) out => out;
        append utf8_to_utf16le_append(utf8) out => out;
        append utf16_to_utf8_append(utf16) out => String::into_bytes(out);
        append utf16be_to_utf8_append(utf16be) out => String::into_bytes(out);
        make to_utf16(str) out => out;
        make to_utf16le(str) out => out;
        make to_utf16be(str) out => out;
        make from_utf16(utf16) out => out.unwrap_or_default().into_bytes();
        make from_utf16le(utf16le) out => out.unwrap_or_default().into_bytes();
        make from_utf16be(utf16be) out => out.unwrap_or_default().into_bytes();
    }
    lossy {
        give from_utf8_lossy(utf8) out => out;
        value utf8_chunks(utf8) out => out.fold(0, |sum: usize, chunk| {
            (sum + chunk.valid().len()).wrapping_mul(31) + chunk.invalid().len()
        });
        make from_utf16_lossy(utf16) out => out.into_bytes();
        make from_utf16le_lossy(utf16le) out => out.into_bytes();
        make from_utf16be_lossy(utf16be) out => out.into_bytes();
        fill utf8_to_utf8_lossy(utf8);
        fill utf8_to_utf16_lossy(utf8);
        fill utf8_to_utf16le_lossy(utf8);
        fill utf8_to_utf16be_lossy(utf8);
        fill utf16_to_utf8_lossy(utf16);
        fill utf16le_to_utf8_lossy(utf16le);
        fill utf16be_to_utf8_lossy(utf16be);
        value utf8_len_from_utf8_lossy(utf8) out => out;
        value utf16_len_from_utf8_lossy(utf8) out => out;
        value utf8_len_from_utf16_lossy(utf16) out => out;
        value utf8_len_from_utf16le_lossy(utf16le) out => out;
        value utf8_len_from_utf16be_lossy(utf16be) out => out;
        change make_well_formed_utf16(utf16);
        change make_well_formed_utf16le(utf16le);
        change make_well_formed_utf16be(utf16be);
    }
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    operation: &'static str,
    corrupt: f64,
    isa: String,
    size: Size,
}

/// How many times as fast as before a row is, on one text.
struct Cell {
    row: Row,
    language: String,
    ratio: f64,
}

/// The ratios of one row.
struct Outcome {
    mean: f64,
    least: f64,
    least_language: String,
}

impl Outcome {
    fn new(row: &Row, cells: &[Cell]) -> Self {
        let cells = || cells.iter().filter(|cell| cell.row == *row);
        let least = cells().min_by(|a, b| a.ratio.total_cmp(&b.ratio)).expect("a row has cells");
        Self {
            mean: mean(cells().map(|cell| cell.ratio)).expect("a row has cells"),
            least: least.ratio,
            least_language: least.language.clone(),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = match self.corrupt {
            0.0 => self.operation.to_owned(),
            corrupt => format!("{}~{corrupt}%", self.operation),
        };
        write!(f, "{operation:<32}{:<8}{:>9}", self.isa, self.size)
    }
}

/// Prints a line for each operation, instruction set and size.
///
/// # Errors
///
/// If something in the arguments does not exist, or a row is below the limit.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut field = Field::new(arguments)?;
    let cells = field.race(|_| true, arguments.rounds);
    let rows = distinct(&cells, |cell| &cell.row);
    // One that seems to be slower is measured anew, and longer: of hundreds, some always had bad luck.
    let slow = |row: &Row, cells: &[Cell]| Outcome::new(row, cells).mean < arguments.limit;
    let suspects: Vec<&Row> = rows.iter().copied().filter(|row| slow(row, &cells)).collect();
    let again = field.race(|row| suspects.contains(&row), arguments.rounds.saturating_mul(4));

    println!(
        "how many times as fast as before, in the geometric mean and on the slowest text; ! below {}\n",
        arguments.limit
    );
    println!("{:<32}{:<8}{:>9}{:>8}{:>8}", "operation", "isa", "size", "mean", "least");
    let mut below = 0;
    for row in &rows {
        let outcome = Outcome::new(row, if suspects.contains(row) { &again } else { &cells });
        let mark = if outcome.mean < arguments.limit { "!" } else { " " };
        below += usize::from(mark == "!");
        println!("{row}{:>8.3}{mark}{:>7.2} {}", outcome.mean, outcome.least, outcome.least_language);
    }
    let all = mean(cells.iter().map(|cell| cell.ratio)).ok_or("there is nothing to race")?;
    println!(
        "\n{:.3} is the mean of all {} cells; {below} of {} rows are below {}",
        all,
        cells.len(),
        rows.len(),
        arguments.limit
    );
    for left_out in &field.left_out {
        println!("left out, as the earlier build does not have it: {left_out}");
    }
    if below > 0 { Err("slower than before".into()) } else { Ok(()) }
}

/// What is asked for.
struct Field {
    operations: Vec<&'static Operation>,
    isas: Vec<String>,
    sizes: Vec<Size>,
    languages: Vec<Profile>,
    corrupt: Vec<f64>,
    left_out: Vec<String>,
}

impl Field {
    fn new(arguments: &Arguments) -> Result<Self, String> {
        let isas: Vec<&str> = Isa::available().map(Isa::name).chain([FREE]).collect();
        known("instruction set", &arguments.isa, &isas)?;
        known(
            "operation",
            &arguments.operation,
            &OPERATIONS.iter().map(|operation| operation.name).collect::<Vec<_>>(),
        )?;
        let mut languages = Profile::seeded();
        known("language", &arguments.language, &languages.iter().map(Profile::name).collect::<Vec<_>>())?;
        let asked = |asked: &[String], name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
        languages.retain(|language| match &*arguments.language {
            [] => LANGUAGES.contains(&language.name()),
            names => asked(names, language.name()),
        });
        Ok(Self {
            operations: OPERATIONS
                .iter()
                .filter(|operation| asked(&arguments.operation, operation.name))
                .collect(),
            isas: isas.into_iter().filter(|isa| asked(&arguments.isa, isa)).map(str::to_owned).collect(),
            sizes: if arguments.size.is_empty() { Size::BUILDS.into() } else { arguments.size.clone() },
            languages,
            corrupt: arguments.corrupt.clone(),
            left_out: Vec::new(),
        })
    }

    /// Races the two builds in the rows that are wanted, on all texts.
    fn race(&mut self, wanted: impl Fn(&Row) -> bool, rounds: u16) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &size in &self.sizes {
            let mut rows = Vec::new();
            for &operation in &self.operations {
                for isa in &self.isas {
                    let corrupt = self.corrupt.iter().filter(|&&corrupt| corrupt == 0.0 || operation.lossy);
                    rows.extend(corrupt.map(|&corrupt| {
                        (operation, Row { operation: operation.name, corrupt, isa: isa.clone(), size })
                    }));
                }
            }
            rows.retain(|(_, row)| wanted(row));
            if rows.is_empty() {
                continue;
            }
            for language in &self.languages {
                let text = language.text(windows::text_len(size));
                let class = Class::of(&text);
                for &corrupt in &self.corrupt {
                    let copies = Copies::new(&text, size, corrupt);
                    let windows = copies.windows();
                    let texts = Texts::new(&windows, copies.room());
                    for (operation, row) in rows.iter().filter(|(_, row)| row.corrupt == corrupt) {
                        // On any other text, it stops at once.
                        if operation.name == "is_ascii" && class != Class::Ascii {
                            continue;
                        }
                        let now = now::enter(&texts, operation.name, &row.isa);
                        let before = before::enter(&texts, operation.name, &row.isa);
                        let (Some(now), Some(before)) = (now, before) else {
                            let left_out = format!("{} on {}", operation.name, row.isa);
                            if !self.left_out.contains(&left_out) {
                                self.left_out.push(left_out);
                            }
                            continue;
                        };
                        let mut contenders = [
                            Contender { name: "this build", role: Role::Ours, run: now },
                            Contender { name: "the earlier build", role: Role::Peer, run: before },
                        ];
                        race::check(&mut contenders, &windows, &format!("{row}, {}", language.name()));
                        let rounds = usize::from(rounds);
                        let ratio = race::duel(&mut contenders, &windows, operation.input, rounds);
                        cells.push(Cell { row: row.clone(), language: language.name().to_owned(), ratio });
                    }
                }
            }
        }
        cells
    }
}
