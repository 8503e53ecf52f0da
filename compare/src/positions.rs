//! Races the index of positions against tables made by a loop over the text, as oxc, rust-analyzer and biome have them, and
//! against the crate `line-index`.

use std::error::Error;
use std::hint::black_box;

use fastutf::Isa;
use fastutf::positions::{Encoding, Index, Position};
use fastutf_testkit::Rng;
use fastutf_testkit::language::{LANGUAGES, MORE};

use crate::task::{isas, least_times};

/// Offsets in UTF-16, lines and columns: how many times as fast as tables
#[derive(clap::Args)]
pub struct Arguments {
    /// Instruction sets [default: all of this CPU but scalar]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    isa: Vec<Isa>,

    /// What: build, position, positions, offset_in, offsets_in, byte_offset, byte_offsets, byte_offset_at, edit [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    operation: Vec<String>,

    /// Languages: english, code, russian, chinese, mix and others [default: these]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values = ["english", "code", "russian", "chinese", "mix"])]
    language: Vec<String>,

    /// Lengths of the text in bytes
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_values_t = [4 << 10, 100 << 10, 4 << 20])]
    len: Vec<usize>,

    /// How many bytes from one sorted offset to the next, on average
    #[arg(long, value_name = "NUMBER", default_value_t = 8)]
    every: usize,

    /// How often everybody is measured
    #[arg(long, value_name = "NUMBER", default_value_t = 15)]
    rounds: usize,
}

/// What a loop over the text collects.
#[derive(Default)]
struct Table {
    /// Where lines start, except for the first.
    lines: Vec<u32>,
    /// For each character that is not ASCII, where it ends, and how many bytes more than UTF-16 code units there are up to there.
    wide: Vec<(u32, u32)>,
}

impl Table {
    fn new(text: &str) -> Self {
        let mut new = Self::default();
        let mut more = 0;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let len = match bytes[at] {
                b'\n' => {
                    new.lines.push(at as u32 + 1);
                    1
                }
                b'\r' => {
                    if bytes.get(at + 1) != Some(&b'\n') {
                        new.lines.push(at as u32 + 1);
                    }
                    1
                }
                0..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                0xF0.. => 4,
            };
            at += len;
            if len > 1 {
                more += if len == 2 { 1 } else { 2 };
                new.wide.push((at as u32, more));
            }
        }
        new
    }

    fn offset(&self, byte: u32) -> u32 {
        let wide = self.wide.partition_point(|wide| wide.0 <= byte);
        byte - wide.checked_sub(1).map_or(0, |wide| self.wide[wide].1)
    }

    fn position(&self, byte: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= byte);
        let start = line.checked_sub(1).map_or(0, |line| self.lines[line]);
        (line as u32, self.offset(byte) - self.offset(start))
    }

    /// Offsets of sorted bytes: the table is walked through.
    fn offsets(&self, bytes: &[u32], mut found: impl FnMut(u32)) {
        let (mut wide, mut more) = (0, 0);
        for &byte in bytes {
            while let Some(next) = self.wide.get(wide).filter(|next| next.0 <= byte) {
                more = next.1;
                wide += 1;
            }
            found(byte - more);
        }
    }

    fn positions(&self, bytes: &[u32], mut found: impl FnMut(u32, u32)) {
        let (mut wide, mut more, mut line, mut start) = (0, 0, 0, 0);
        for &byte in bytes {
            while let Some(&next) = self.lines.get(line).filter(|next| **next <= byte) {
                while let Some(passed) = self.wide.get(wide).filter(|passed| passed.0 <= next) {
                    more = passed.1;
                    wide += 1;
                }
                start = next - more;
                line += 1;
            }
            while let Some(next) = self.wide.get(wide).filter(|next| next.0 <= byte) {
                more = next.1;
                wide += 1;
            }
            found(line as u32, byte - more - start);
        }
    }
}

/// What is measured: the number of bytes or of lookups in a round, and who takes part; ours is first.
type Race<'a> = (&'static str, usize, Vec<Way<'a>>);

/// Somebody's way to do it. The result is not used, but computed.
type Way<'a> = (&'static str, Box<dyn FnMut() + 'a>);

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    println!("build: GB/s of ours; others: ns each; how many times as fast it is as each other");
    for isa in isas(&arguments.isa) {
        for &len in &arguments.len {
            for name in &arguments.language {
                let text = text(name, len)?;
                let index = Index::with_isa(isa, &text);
                let what = format!("{isa} {len} {name}");
                if arguments.operation.is_empty() {
                    let stored = 100.0 * index.stored() as f64 / text.len() as f64;
                    println!("{what}: {} lines, stored: {stored:.2} %", index.lines());
                }
                let mut rng = Rng::new(9);
                let mut sorted: Vec<usize> = Vec::new();
                let mut at = 0;
                while at < text.len() {
                    if text.is_char_boundary(at) {
                        sorted.push(at);
                    }
                    at += 1 + rng.below(2 * arguments.every);
                }
                let mut any: Vec<usize> = sorted.clone();
                (0..any.len()).rev().for_each(|k| any.swap(k, rng.below(k + 1)));
                for (operation, number, ways) in races(isa, &text, &index, &sorted, &any) {
                    if arguments.operation.is_empty() || arguments.operation.iter().any(|name| name == operation) {
                        race(
                            &format!("{what}: {operation}"),
                            operation == "build",
                            number,
                            ways,
                            arguments.rounds,
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// A text with lines of 0 to 80 bytes.
fn text(name: &str, len: usize) -> Result<String, Box<dyn Error>> {
    let known = |wanted: &str| LANGUAGES.iter().chain(&MORE).find(|known| known.name == wanted);
    let language = known(if name == "code" { "english" } else { name }).ok_or("no such language")?;
    let mut rng = Rng::new(8);
    let mut text = String::with_capacity(len + 4);
    let mut left = 40;
    for char in language.text(len).chars() {
        // Program code: few other characters, in a line in ten.
        if name == "code" && left == 20 && rng.below(10) == 0 {
            text.push('é');
        }
        text.push(if char == '\n' { ' ' } else { char });
        if left < char.len_utf8() {
            text.push('\n');
            left = rng.below(80);
        } else {
            left -= char.len_utf8();
        }
        if text.len() >= len {
            break;
        }
    }
    Ok(text)
}

fn race(what: &str, build: bool, number: usize, mut ways: Vec<Way<'_>>, rounds: usize) {
    let times = if number == 2 { 20 } else { (200_000 / number.max(1)).max(1) };
    let best = least_times(ways.len(), rounds, |k| (0..times).for_each(|_| ways[k].1()));
    let each = best[0] / (number * times) as f64;
    print!("{what:44} {:8.2}", if build { 1.0 / each } else { each });
    for (way, time) in ways.iter().zip(&best).skip(1) {
        print!("  {} {:.2}", way.0, time / best[0]);
    }
    println!();
}

fn races<'a>(isa: Isa, text: &'a str, index: &'a Index, sorted: &'a [usize], any: &'a [usize]) -> Vec<Race<'a>> {
    let encoding = Encoding::Utf16;
    let table: &Table = Box::leak(Box::new(Table::new(text)));
    let narrow = |bytes: &[usize]| -> &[u32] { bytes.iter().map(|&byte| byte as u32).collect::<Vec<_>>().leak() };
    let (sorted32, any32) = (narrow(sorted), narrow(any));
    let units: &[usize] = index.offsets_in(text, sorted.iter().copied(), encoding).collect::<Vec<_>>().leak();
    let any_units: &[usize] =
        any.iter().map(|&byte| index.offset_in(text, byte, encoding)).collect::<Vec<_>>().leak();
    let places: &[Position] =
        any.iter().map(|&byte| index.position(text, byte, encoding)).collect::<Vec<_>>().leak();

    #[cfg_attr(not(feature = "line-index"), expect(unused_mut))]
    let mut build: Vec<Way<'_>> = vec![
        ("ours", Box::new(move || drop(black_box(Index::with_isa(isa, black_box(text)))))),
        ("count utf16", Box::new(move || _ = black_box(isa.utf16_len_from_utf8(black_box(text.as_bytes()))))),
        (
            "count utf16+chars",
            Box::new(move || {
                black_box(isa.utf16_len_from_utf8(black_box(text.as_bytes())));
                black_box(isa.count_chars_utf8(black_box(text.as_bytes())));
            }),
        ),
        ("table", Box::new(move || drop(black_box(Table::new(black_box(text)))))),
    ];
    #[cfg_attr(not(feature = "line-index"), expect(unused_mut))]
    let mut position: Vec<Way<'_>> = vec![
        (
            "ours",
            Box::new(move || any.iter().for_each(|&byte| _ = black_box(index.position(text, byte, encoding)))),
        ),
        ("table", Box::new(move || any32.iter().for_each(|&byte| _ = black_box(table.position(byte))))),
    ];
    #[cfg_attr(not(feature = "line-index"), expect(unused_mut))]
    let mut positions: Vec<Way<'_>> = vec![
        (
            "ours",
            Box::new(move || {
                index.positions(text, sorted.iter().copied(), encoding).for_each(|place| _ = black_box(place));
            }),
        ),
        ("table", Box::new(move || sorted32.iter().for_each(|&byte| _ = black_box(table.position(byte))))),
        (
            "table, walked",
            Box::new(move || table.positions(sorted32, |line, column| _ = black_box((line, column)))),
        ),
        (
            "one by one",
            Box::new(move || sorted.iter().for_each(|&byte| _ = black_box(index.position(text, byte, encoding)))),
        ),
    ];
    #[cfg(feature = "line-index")]
    {
        use line_index::{LineIndex, TextSize, WideEncoding};
        build.push(("line-index", Box::new(move || drop(black_box(LineIndex::new(black_box(text)))))));
        let lines: &LineIndex = Box::leak(Box::new(LineIndex::new(text)));
        let look = move |byte: u32| {
            let place = lines.line_col(TextSize::from(byte));
            black_box(lines.to_wide(WideEncoding::Utf16, place));
        };
        position.push(("line-index", Box::new(move || any32.iter().for_each(|&byte| look(byte)))));
        positions.push(("line-index", Box::new(move || sorted32.iter().for_each(|&byte| look(byte)))));
    }
    // The edit and its reverse, in the middle.
    let middle = (text.len() / 2..).find(|&at| text.is_char_boundary(at)).expect("the end is one");
    let mut edited = index.clone();
    let (longer, typed): (&str, &str) = ([&text[..middle], "é", &text[middle..]].concat().leak(), "é");
    let edit: Vec<Way<'_>> = vec![
        (
            "ours",
            Box::new(move || {
                edited.edit(middle..middle, longer);
                edited.edit(middle..middle + typed.len(), text);
            }),
        ),
        (
            "built anew",
            Box::new(move || {
                black_box(Index::with_isa(isa, longer));
                black_box(Index::with_isa(isa, text));
            }),
        ),
        (
            "table",
            Box::new(move || {
                black_box(Table::new(longer));
                black_box(Table::new(text));
            }),
        ),
    ];
    vec![
        ("build", text.len(), build),
        ("position", any.len(), position),
        ("positions", sorted.len(), positions),
        (
            "offset_in",
            any.len(),
            vec![
                (
                    "ours",
                    Box::new(move || {
                        any.iter().for_each(|&byte| _ = black_box(index.offset_in(text, byte, encoding)));
                    }),
                ),
                ("table", Box::new(move || any32.iter().for_each(|&byte| _ = black_box(table.offset(byte))))),
            ],
        ),
        (
            "offsets_in",
            sorted.len(),
            vec![
                (
                    "ours",
                    Box::new(move || {
                        index.offsets_in(text, sorted.iter().copied(), encoding).for_each(|at| _ = black_box(at));
                    }),
                ),
                ("table", Box::new(move || sorted32.iter().for_each(|&byte| _ = black_box(table.offset(byte))))),
                ("table, walked", Box::new(move || table.offsets(sorted32, |at| _ = black_box(at)))),
            ],
        ),
        (
            "byte_offset",
            any.len(),
            vec![(
                "ours",
                Box::new(move || {
                    any_units.iter().for_each(|&at| _ = black_box(index.byte_offset(text, at, encoding)));
                }),
            )],
        ),
        (
            "byte_offsets",
            sorted.len(),
            vec![
                (
                    "ours",
                    Box::new(move || {
                        index.byte_offsets(text, units.iter().copied(), encoding).for_each(|at| _ = black_box(at));
                    }),
                ),
                (
                    "one by one",
                    Box::new(move || {
                        units.iter().for_each(|&at| _ = black_box(index.byte_offset(text, at, encoding)));
                    }),
                ),
            ],
        ),
        (
            "byte_offset_at",
            any.len(),
            vec![(
                "ours",
                Box::new(move || {
                    places.iter().for_each(|&place| _ = black_box(index.byte_offset_at(text, place, encoding)));
                }),
            )],
        ),
        ("edit", 2, edit),
    ]
}
