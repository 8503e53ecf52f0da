//! Races the library against an earlier build of itself: every operation, on every instruction set, on strings of each
//! size. `cargo xtask race` compiles this program together with the earlier build.
//!
//! Both get the same input at the same place, and exactly as much room as the result needs, in the same memory.

use std::borrow::Cow;
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::sync::LazyLock;

use bytemuck::{Pod, cast_slice, cast_slice_mut, must_cast_slice};
use fastutf::{Isa, utf32::chars_as_utf32};
use fastutf_testkit::oracle::form::{Family, Form};

use crate::kind::{Answer, Filling, Value};
use crate::language::Class;
use crate::ours::{FREE, Whose};
use crate::race::{self, Contender, Role, Run};
use crate::results::{distinct, mean};
use crate::size::Size;
use crate::windows::{self, Arena, Copies, Input, Windows};
use crate::{Arguments, known};

/// The length of the chunks in which streams get their text.
const CHUNK: usize = 4 << 10;

struct Operation {
    name: &'static str,
    /// One of [`Texts`], or a form.
    input: &'static str,
    /// Whether it continues after ill-formed sequences: others stop at the first one.
    lossy: bool,
}

/// The input, in the types that operations take, and the memory for the output.
struct Texts<'a> {
    utf8: Vec<&'a [u8]>,
    /// Empty strings if the text is ill-formed, and so the next three.
    str: Vec<&'a str>,
    latin1: Vec<&'a [u8]>,
    chars: Vec<&'a [char]>,
    utf32: Vec<&'a [u32]>,
    utf16: Vec<&'a [u16]>,
    utf16le: Vec<&'a [u8]>,
    utf16be: Vec<&'a [u8]>,
    wtf8: Vec<&'a [u8]>,
    mutf8: Vec<&'a [u8]>,
    windows: &'a Windows<'a>,
    dst: RefCell<Arena>,
}

impl<'a> Texts<'a> {
    fn new(windows: &'a Windows<'a>, room: usize) -> Self {
        let all = 0..windows.len();
        Self {
            utf8: windows.utf8.clone(),
            str: windows.utf8.iter().map(|text| std::str::from_utf8(text).unwrap_or_default()).collect(),
            latin1: all.clone().map(|i| &windows.latin1()[i]).collect(),
            chars: all.clone().map(|i| &windows.chars()[i]).collect(),
            utf32: all.clone().map(|i| chars_as_utf32(&windows.chars()[i])).collect(),
            utf16: windows.utf16le.clone(),
            utf16le: windows.utf16le.iter().map(|text| must_cast_slice(text)).collect(),
            utf16be: windows.utf16be.iter().map(|text| must_cast_slice(text)).collect(),
            wtf8: all.clone().map(|i| &windows.wtf8()[i]).collect(),
            mutf8: all.map(|i| &windows.mutf8()[i]).collect(),
            windows,
            dst: RefCell::new(Arena::new(room)),
        }
    }

    /// Those in a form, as bytes.
    fn of(&self, form: &str) -> Vec<&'a [u8]> {
        let (windows, input) = (self.windows, input(form));
        (0..windows.len()).map(|i| windows.input(input, i)).collect()
    }
}

/// What the operation gets of which this is the input.
fn input(name: &str) -> Input {
    let name = name.to_lowercase().replace("str", "utf8").replace("chars", "utf32");
    let form = Form::ALL.into_iter().find(|form| form.name() == name).expect("it is the name of a form");
    match form.family() {
        Family::OneByte => Input::Latin1,
        Family::Utf8 => Input::Utf8,
        Family::Generalised if form == Form::Mutf8 => Input::Mutf8,
        Family::Generalised => Input::Wtf8,
        Family::Utf16 if form == Form::Utf16Be => Input::Utf16be,
        Family::Utf16 => Input::Utf16le,
        Family::Utf32 => Input::Utf32,
    }
}

fn value<'a, T: Answer>(operation: impl FnMut(usize) -> T + 'a) -> Box<dyn Run + 'a> {
    Box::new(Value(operation))
}

fn filling<'a>(
    dst: &'a RefCell<Arena>,
    convert: impl FnMut(usize, &mut [u16]) -> usize + 'a,
) -> Box<dyn Run + 'a> {
    Box::new(Filling { dst, convert })
}

/// One that fills a slice, which is as long as the result.
fn filled<'a, S: Copy + 'a, T: Pod>(
    dst: &'a RefCell<Arena>,
    src: Vec<S>,
    convert: impl Fn(S, &mut [T]) -> usize + 'a,
) -> Box<dyn Run + 'a> {
    let len = |&text| convert(text, cast_slice_mut(dst.borrow_mut().units_mut()));
    let room: Vec<usize> = src.iter().map(len).collect();
    filling(dst, move |i, dst| {
        let dst = &mut cast_slice_mut(dst)[..room[i]];
        let written = convert(src[i], dst);
        size_of_val(&dst[..written])
    })
}

/// Lists the rows of `every_conversion!`, or returns the contender of the name that is asked for.
macro_rules! conversions {
    ($to:tt $module:tt $($from:ident $src:ty => $into:ident $dst:ty:
        $strict:tt, $lossy:tt $(($more:literal))?, $len:tt $(, $lossy_len:ident)?;)*) => {$(
        conversions!(@ $to $module $from $into $src, $strict, false);
        conversions!(@ $to $module $from $into $src, $lossy, true $(, $more)?);
    )*};
    // UTF-32 in bytes has the loops of that in code units.
    (@ $to:tt $module:tt Utf32Le $($row:tt)*) => {};
    (@ $to:tt $module:tt Utf32Be $($row:tt)*) => {};
    (@ $to:tt $module:tt $from:ident Utf32Le $($row:tt)*) => {};
    (@ $to:tt $module:tt $from:ident Utf32Be $($row:tt)*) => {};
    (@ $to:tt $module:tt $from:ident $into:ident $src:ty, _, $($more:tt)*) => {};
    (@ ($all:ident) $module:tt $from:ident $into:ident $src:ty, ($name:ident $($other:ident)*), $lossy:literal $($more:tt)*) => {
        // What has surrogates keeps those that damage makes.
        let (name, input) = (stringify!($name), stringify!($from));
        $all.extend([Operation { name, input, lossy: $lossy || name.contains("wtf8") || name.contains("mutf8") }]);
    };
    (
        @ ($texts:ident $asked:ident $isa:ident) (fastutf $(:: $module:ident)?)
        $from:ident $into:ident $src:ty, ($name:ident $($other:ident)*), $lossy:literal $(, $more:literal)?
    ) => {
        #[cfg(not($name))]
        if $asked == stringify!($name) {
            let src: Vec<&[$src]> = $texts.of(stringify!($from)).iter().map(|text| cast_slice(text)).collect();
            return Some(match $isa {
                Some(isa) => filled(&$texts.dst, src, move |text, dst| isa.$name(text, $($more,)? dst).written),
                None => filled(&$texts.dst, src, move |text, dst| library$(::$module)?::$name(text, $($more,)? dst).written),
            });
        }
    };
}

/// A function of either build as a contender: what kind it is, what it takes, and what is told of its result.
macro_rules! contender {
    (value $texts:ident ($input:ident $(, $more:expr)*) [] $($function:tt)*) => {
        value(move |i| $($function)*($texts.$input[i] $(, $more)*))
    };
    (value $texts:ident ($input:ident $(, $more:expr)*) [$out:ident => $result:expr] $($function:tt)*) => {
        value(move |i| {
            let $out = $($function)*($texts.$input[i] $(, $more)*);
            $result
        })
    };
    // Takes a `Vec`: making it is part of the time.
    (own $texts:ident ($input:ident) [] $($function:tt)*) => {
        value(move |i| $($function)*($texts.$input[i].to_vec()))
    };
    // Fills a slice, which is as long as the result.
    (fill $texts:ident ($input:ident) [] $($function:tt)*) => {
        filled(&$texts.dst, $texts.$input.clone(), move |text, dst| $($function)*(text, dst).written)
    };
    // Fills a slice that is as long as the input.
    (copy $texts:ident ($input:ident) [] $($function:tt)*) => {
        filling(&$texts.dst, move |i, dst| {
            let text = $texts.$input[i];
            let _ = $($function)*(text, &mut cast_slice_mut(dst)[..text.len()]);
            size_of_val(text)
        })
    };
    // Changes the text in place: a copy of it, which is part of the time.
    (change $texts:ident ($input:ident) [] $($function:tt)*) => {
        filling(&$texts.dst, move |i, dst| {
            let text = $texts.$input[i];
            let dst = &mut cast_slice_mut(dst)[..text.len()];
            dst.copy_from_slice(text);
            let _ = $($function)*(dst);
            size_of_val(text)
        })
    };
    // Appends to a new `Vec` or `String`.
    (append $texts:ident ($input:ident, $new:expr) [] $($function:tt)*) => {
        value(move |i| {
            let mut new = $new;
            let _ = $($function)*($texts.$input[i], &mut new);
            new
        })
    };
}

/// The operations of one build.
macro_rules! build {
    ($build:ident is $library:ident: $($kind:ident $takes:tt $told:tt: $($name:ident)*;)*) => {
        // `cargo xtask race` sets the names of the operations that the earlier build does not have.
        #[allow(unexpected_cfgs)]
        mod $build {
            use super::*;
            use $library as library;
            use library::stream::{Encoding, Transcoder, Utf8Decoder, Validator};

            /// Some functions are in modules of their own.
            mod free {
                pub use $library::{latin1::*, mutf8::*, narrowest::*, utf32::*, wtf8::*, *};
            }

            /// Nothing if this build has no such operation or instruction set.
            pub fn enter<'a>(texts: &'a Texts<'a>, operation: &str, isa: &str) -> Option<Box<dyn Run + 'a>> {
                let isa = match isa {
                    FREE => None,
                    name => Some(name.parse::<library::Isa>().ok()?),
                };
                every_conversion!(conversions(texts operation isa));
                every_conversion_of_android!(conversions(texts operation isa));
                Some(match operation {
                    $($(
                        #[cfg(not($name))]
                        stringify!($name) => match isa {
                            Some(isa) => contender!($kind texts $takes $told isa.$name),
                            None => contender!($kind texts $takes $told free::$name),
                        },
                    )*)*
                    "validator_utf8" => {
                        let validator = Validator::new(Encoding::Utf8);
                        let validator = isa.map_or(validator.clone(), |isa| validator.with_isa(isa));
                        value(move |i| {
                            let mut validator = validator.clone();
                            let mut chunks = texts.utf8[i].chunks(CHUNK);
                            chunks.all(|chunk| validator.push(chunk).is_ok()) && validator.finish().is_ok()
                        })
                    }
                    "utf8_decoder" => {
                        let decoder = move || {
                            let decoder = Utf8Decoder::new().lossy();
                            isa.map_or(decoder.clone(), |isa| decoder.with_isa(isa))
                        };
                        value(move |i| {
                            let (mut decoder, mut text) = (decoder(), String::with_capacity(texts.utf8[i].len()));
                            for chunk in texts.utf8[i].chunks(CHUNK) {
                                decoder.push(chunk).for_each(|piece| text += piece.unwrap_or_default());
                            }
                            text += decoder.finish().unwrap_or_default();
                            text
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

/// The operations but conversions, strict and lossy: what each takes, and what of its result counts.
macro_rules! operations {
    (strict { $($strict:tt)* } lossy { $($lossy:tt)* }) => {
        const OPERATIONS: [&[Operation]; 2] = [list!(false; $($strict)*), list!(true; $($lossy)*)];
        build! { now is fastutf: $($strict)* $($lossy)* }
        #[cfg(fastutf_before)]
        build! { before is earlier: $($strict)* $($lossy)* }
        // What CI compiles and tests: there is no difference to find.
        #[cfg(not(fastutf_before))]
        build! { before is fastutf: $($strict)* $($lossy)* }
    };
}

macro_rules! input {
    (($input:ident $($more:tt)*)) => {
        stringify!($input)
    };
}

macro_rules! list {
    ($lossy:literal; $($kind:ident $takes:tt $told:tt: $($name:ident)*;)*) => {
        &[$($(Operation { name: stringify!($name), input: input!($takes), lossy: $lossy }),*),*]
    };
}

operations! {
    strict {
        value(utf8)[out => out.is_ok()]: validate_utf8 from_utf8 validate_latin1_in_utf8;
        value(utf8)[out => out.map_or(0, |info| (info.chars << 16).wrapping_add(info.utf16_len))]: utf8_info;
        value(utf8)[]: is_ascii utf16_len_from_utf8 count_chars_utf8 mutf8_len_from_utf8;
        value(utf16)[out => out.is_ok()]: validate_utf16 validate_latin1_in_utf16;
        value(utf16le)[out => out.is_ok()]: validate_utf16le;
        value(utf16be)[out => out.is_ok()]: validate_utf16be;
        value(utf16)[out => out.map_or(0, |info| info.chars)]: utf16_info;
        value(utf16)[]: utf8_len_from_utf16 count_chars_utf16;
        value(utf16le)[]: utf8_len_from_utf16le count_chars_utf16le;
        value(utf16be)[]: utf8_len_from_utf16be count_chars_utf16be;
        change(utf16le)[]: swap_utf16_bytes;
        copy(utf16le)[]: swap_utf16_bytes_into;
        fill(str)[]: str_to_utf16 str_to_utf16le str_to_utf16be;
        append(utf8, Vec::<u16>::new())[]: utf8_to_utf16_append;
        append(utf8, Vec::<u8>::new())[]: utf8_to_utf16le_append;
        append(utf16, String::new())[]: utf16_to_utf8_append;
        append(utf16be, String::new())[]: utf16be_to_utf8_append;
        value(str)[]: to_utf16 to_utf16le to_utf16be to_utf32 to_mutf8;
        value(utf16)[out => out.unwrap_or_default()]: from_utf16;
        value(utf16le)[out => out.unwrap_or_default()]: from_utf16le;
        value(utf16be)[out => out.unwrap_or_default()]: from_utf16be;
        value(utf16le, Encoding::Utf16Le)[out => out.map_or(Cow::Borrowed(""), |text| text.0)]: decode;
        value(latin1)[]: from_latin1 utf8_len_from_latin1;
        value(str)[out => out.unwrap_or_default()]: to_latin1;
        value(utf8)[out => out.map_or(0, |text| text.utf16_len())]: narrowest_from_utf8;
        value(utf16)[out => out.map_or(0, |text| text.utf16_len())]: narrowest_from_utf16;
        value(utf8)[out => out.map_or(0, |text| text.len())]: narrowest_chars_from_utf8;
        value(utf16)[out => out.map_or(0, |text| text.len())]: narrowest_chars_from_utf16;
        value(utf32)[out => out.is_ok()]: validate_utf32;
        value(utf32)[out => out.map_or(0, <[char]>::len)]: as_chars;
        value(str)[out => out.len()]: to_chars;
        value(chars)[]: from_chars;
        value(utf32)[out => out.unwrap_or_default()]: from_utf32;
        value(utf32)[]: from_utf32_lossy utf8_len_from_utf32 utf8_len_from_utf32_lossy utf16_len_from_utf32
            utf16_len_from_utf32_lossy;
        value(mutf8)[out => out.unwrap_or_default()]: from_mutf8 from_android_mutf8;
        value(str)[out => out.into_bytes()]: to_mutf8_c_string;
        value(wtf8)[out => out.map_or(0, str::len)]: from_wtf8;
    }
    lossy {
        value(utf8)[]: from_utf8_lossy utf8_len_from_utf8_lossy utf16_len_from_utf8_lossy;
        own(utf8)[]: string_from_utf8_lossy;
        value(utf8)[out => out.fold(0, |sum: usize, chunk| { (sum + chunk.valid().len()).wrapping_mul(31) + chunk.invalid().len() })]:
            utf8_chunks;
        value(utf16)[]: from_utf16_lossy utf8_len_from_utf16_lossy wtf8_from_utf16 wtf8_len_from_utf16
            mutf8_from_utf16 mutf8_len_from_utf16;
        value(utf16le)[]: from_utf16le_lossy utf8_len_from_utf16le_lossy;
        value(utf16be)[]: from_utf16be_lossy utf8_len_from_utf16be_lossy;
        value(utf8, Encoding::Utf8)[out => out.0]: decode_lossy;
        change(utf16)[]: make_well_formed_utf16;
        change(utf16le)[]: make_well_formed_utf16le;
        change(utf16be)[]: make_well_formed_utf16be;
        value(str, b'?')[]: to_latin1_lossy;
        value(utf8)[out => out.utf16_len()]: narrowest_from_utf8_lossy;
        value(utf16)[out => out.utf16_len()]: narrowest_from_utf16_lossy;
        value(utf8)[out => out.len()]: narrowest_chars_from_utf8_lossy;
        value(utf16)[out => out.len()]: narrowest_chars_from_utf16_lossy;
        value(wtf8)[out => out.is_ok()]: validate_wtf8;
        value(wtf8)[]: from_wtf8_lossy utf16_len_from_wtf8;
        own(wtf8)[]: string_from_wtf8_lossy;
        change(wtf8)[]: replace_surrogates_in_wtf8;
        value(wtf8)[out => out.unwrap_or_default()]: utf16_from_wtf8;
        value(mutf8)[out => out.is_ok()]: validate_mutf8 validate_android_mutf8;
        value(mutf8)[]: from_mutf8_lossy from_android_mutf8_lossy utf8_len_from_mutf8 utf16_len_from_mutf8;
        value(utf16)[out => out.into_bytes()]: mutf8_c_string_from_utf16;
        value(mutf8)[out => out.unwrap_or_default()]: utf16_from_mutf8 utf16_from_android_mutf8;
    }
}

/// What is not a function, but a value with methods. The last three replace what is ill-formed.
const STREAMS: [Operation; 4] = [
    Operation { name: "validator_utf8", input: "utf8", lossy: false },
    Operation { name: "utf8_decoder", input: "utf8", lossy: true },
    Operation { name: "stream_utf8_to_utf16le", input: "utf8", lossy: true },
    Operation { name: "stream_utf16le_to_utf8", input: "utf16le", lossy: true },
];

/// The conversions of the table of the tests.
static CONVERSIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let mut all = Vec::new();
    every_conversion!(conversions(all));
    every_conversion_of_android!(conversions(all));
    all
});

fn all() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.into_iter().flatten().chain(&*CONVERSIONS).chain(&STREAMS)
}

impl Operation {
    /// Whether it is worth measuring on a text: not if it stops at once, nor if another text of its kind is there, too.
    fn takes(&self, language: &str, text: &str) -> bool {
        let is_named = |form: &Form| form.family() == Family::OneByte && self.name.contains(form.name());
        match (self.name, Form::ALL.into_iter().find(is_named)) {
            ("is_ascii", _) => Class::of(text) == Class::Ascii,
            (_, Some(form)) => text.chars().all(|char| form.has(char.into())),
            (name, None) => language != "latin1-30%" || name.contains("narrowest") || name.contains("_info"),
        }
    }
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    operation: &'static str,
    corrupt: f64,
    isa: &'static str,
    size: Size,
}

/// How many times as fast as before a row is, on one text.
struct Cell {
    row: Row,
    language: String,
    ratio: f64,
}

/// The mean of a row's ratios, and the slowest text.
fn outcome<'a>(row: &Row, cells: &'a [Cell]) -> (f64, &'a Cell) {
    let cells = || cells.iter().filter(|cell| cell.row == *row);
    let least = cells().min_by(|a, b| a.ratio.total_cmp(&b.ratio)).expect("a row has cells");
    (mean(cells().map(|cell| cell.ratio)).expect("a row has cells"), least)
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
    let rounds = usize::from(arguments.rounds.unwrap_or(100));
    let mut left_out = Vec::new();
    let cells = race(arguments, rounds, |_| true, &mut left_out)?;
    let rows = distinct(&cells, |cell| &cell.row);
    let limit = arguments.limit;
    // One that seems to be slower is measured anew, and longer: of hundreds, some always had bad luck.
    let suspects: Vec<&Row> = rows.iter().copied().filter(|row| outcome(row, &cells).0 < limit).collect();
    let again = race(arguments, 4 * rounds, |row| suspects.contains(&row), &mut Vec::new())?;

    println!("how many times as fast as before, in the geometric mean and on the slowest text; ! below {limit}\n");
    println!("{:<32}{:<8}{:>9}{:>8}{:>8}", "operation", "isa", "size", "mean", "least");
    let mut below = 0;
    for row in &rows {
        let (mean, least) = outcome(row, if suspects.contains(row) { &again } else { &cells });
        let mark = if mean < limit { "!" } else { " " };
        below += usize::from(mean < limit);
        println!("{row}{mean:>8.3}{mark}{:>7.2} {}", least.ratio, least.language);
    }
    let all = mean(cells.iter().map(|cell| cell.ratio)).ok_or("there is nothing to race")?;
    let (count, rows) = (cells.len(), rows.len());
    println!("\n{all:.3} is the mean of all {count} cells; {below} of {rows} rows are below {limit}");
    for left_out in distinct(left_out, |name| name) {
        println!("left out, as the earlier build does not have it: {left_out}");
    }
    if below > 0 { Err("slower than before".into()) } else { Ok(()) }
}

/// Races the two builds in the rows that are wanted, on all texts. What one of them does not have is left out.
fn race(
    arguments: &Arguments,
    rounds: usize,
    wanted: impl Fn(&Row) -> bool,
    left_out: &mut Vec<String>,
) -> Result<Vec<Cell>, Box<dyn Error>> {
    known("operation", &arguments.operation, all().map(|operation| operation.name))?;
    let isas = match &*arguments.isa {
        [] => Isa::available().map(Whose::Of).chain([Whose::Free]).collect(),
        isas => isas.to_vec(),
    };
    let asked = |name| arguments.operation.is_empty() || arguments.operation.iter().any(|asked| asked == name);
    let mut cells = Vec::new();
    for size in arguments.sizes() {
        let mut rows = Vec::new();
        for operation in all().filter(|operation| asked(operation.name)) {
            for isa in &isas {
                let corrupt = arguments.corrupt().iter().filter(|&&corrupt| corrupt == 0.0 || operation.lossy);
                rows.extend(corrupt.map(|&corrupt| {
                    (operation, Row { operation: operation.name, corrupt, isa: isa.name(), size })
                }));
            }
        }
        rows.retain(|(_, row)| wanted(row));
        if rows.is_empty() {
            continue;
        }
        for profile in arguments.languages()? {
            let (language, text) = (profile.name(), profile.text(windows::text_len(size)));
            for &corrupt in arguments.corrupt() {
                let copies = Copies::new(&text, size, corrupt);
                let windows = copies.windows();
                let texts = Texts::new(&windows, copies.room());
                let takes =
                    |operation: &Operation, row: &Row| row.corrupt == corrupt && operation.takes(language, &text);
                for (operation, row) in rows.iter().filter(|(operation, row)| takes(operation, row)) {
                    let now = now::enter(&texts, operation.name, row.isa);
                    let before = before::enter(&texts, operation.name, row.isa);
                    let (Some(now), Some(before)) = (now, before) else {
                        left_out.push(format!("{} on {}", operation.name, row.isa));
                        continue;
                    };
                    let mut contenders = [
                        Contender { name: "this build", role: Role::Ours, run: now },
                        Contender { name: "the earlier build", role: Role::Peer, run: before },
                    ];
                    race::check(&mut contenders, &windows, &format!("{row}, {language}"));
                    let ratio = race::duel(&mut contenders, &windows, input(operation.input), rounds);
                    cells.push(Cell { row: row.clone(), language: language.to_owned(), ratio });
                }
            }
        }
    }
    Ok(cells)
}
