//! Races operations on columns against loops over their rows, against one call for all rows without their borders, and
//! against arrow-rs.

use std::error::Error;
use std::hint::black_box;
use std::io;

use encoding_rs::UTF_16LE;
use fastutf::Isa;
use fastutf::columns::{self, Column, ColumnRoom, Policy};
use fastutf_testkit::Rng;
use fastutf_testkit::language::{LANGUAGES, MORE, random_pieces};

use crate::counter::Counter;
use crate::task::{isas, least_times};

/// Columns of strings: how many times as fast as loops over rows
#[derive(clap::Args)]
pub struct Arguments {
    /// Instruction sets [default: all of this CPU but scalar]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    isa: Vec<Isa>,

    /// Operations: validate_utf8, utf16le_to_utf8, utf8_to_utf16le, utf8_lossy, count_chars_utf8 [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    operation: Vec<String>,

    /// Who takes part, such as ours,loop [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    who: Vec<String>,

    /// Languages: ascii, russian, chinese, mixed [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    language: Vec<String>,

    /// Numbers of rows
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_values_t = [8192, 1_000_000])]
    rows: Vec<usize>,

    /// How often everybody is measured
    #[arg(long, value_name = "NUMBER", default_value_t = 15)]
    rounds: usize,

    /// Count instructions instead of time. Needs an emulator that counts: `compare/count TARGET columns`
    #[arg(long, conflicts_with = "rounds")]
    counted: bool,
}

/// The lengths of rows, in bytes of UTF-8.
const LENGTHS: [(usize, usize); 2] = [(5, 30), (60, 250)];
const TEXTS: [(&str, &str); 4] =
    [("ascii", "english"), ("russian", "russian"), ("chinese", "chinese"), ("mixed", "mix")];
/// Of how many rows one is ill-formed, for lossy operations.
const BAD: [usize; 4] = [0, 1000, 100, 10];

struct Rows {
    values: Vec<u8>,
    offsets: Vec<i32>,
}

impl Rows {
    fn new<'a>(rows: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut new = Self { values: Vec::new(), offsets: vec![0] };
        for row in rows {
            new.values.extend_from_slice(row);
            new.offsets.push(new.values.len() as i32);
        }
        new
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.offsets.windows(2).map(|row| &self.values[row[0] as usize..row[1] as usize])
    }

    fn column(&self, isa: Isa) -> Column<'_, i32> {
        Column::new(&self.values, &self.offsets).expect("a layout").with_isa(isa)
    }
}

/// Where conversions write, again and again.
#[derive(Default)]
struct Output {
    values: Vec<u8>,
    offsets: Vec<i32>,
    text: String,
    room: Vec<u8>,
}

/// Somebody's way to do an operation. The result is not used, but computed.
type Way<'a> = (&'static str, Box<dyn FnMut(&mut Output) + 'a>);

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut counter = arguments.counted.then(Counter::new).transpose()?;
    let unit = if arguments.counted { "instructions" } else { "ns" };
    println!("{unit}/row of ours; how many times that each other takes");
    for isa in isas(&arguments.isa) {
        for &count in &arguments.rows {
            for (least, most) in LENGTHS {
                for (name, language) in TEXTS {
                    if !arguments.language.is_empty() && !arguments.language.iter().any(|chosen| chosen == name) {
                        continue;
                    }
                    let language = LANGUAGES
                        .iter()
                        .chain(&MORE)
                        .find(|known| known.name == language)
                        .ok_or("no such language")?;
                    let text = language.text(count.min(60_000) * (least + most) / 2 * 3 / 2);
                    let rows: Vec<&[u8]> =
                        random_pieces(&text, least, most).into_iter().map(str::as_bytes).collect();
                    let rows = Rows::new(rows.into_iter().cycle().take(count));
                    let what = format!("{isa} {count} × {least}..{most} {name}");
                    for (operation, mut ways) in ways(isa, &rows) {
                        ways.retain(|way| {
                            arguments.who.is_empty() || arguments.who.iter().any(|who| who == way.0)
                        });
                        if !arguments.operation.is_empty()
                            && !arguments.operation.iter().any(|chosen| operation.starts_with(chosen))
                        {
                            continue;
                        }
                        let costs = match &mut counter {
                            Some(counter) => counted(counter, &mut ways)?,
                            None => {
                                let mut output = Output::default();
                                least_times(ways.len(), arguments.rounds, |k| ways[k].1(&mut output))
                            }
                        };
                        let what = format!("{what}: {operation}");
                        print!("{what:60} {:6.2}", costs[0] / count as f64);
                        for (way, cost) in ways.iter().zip(&costs).skip(1) {
                            print!("  {} {:.2}", way.0, cost / costs[0]);
                        }
                        println!();
                    }
                }
            }
        }
    }
    Ok(())
}

/// The instructions that each takes.
fn counted(counter: &mut Counter, ways: &mut [Way]) -> io::Result<Vec<f64>> {
    let mut output = Output::default();
    let mut costs = Vec::new();
    for way in ways {
        // The first time makes buffers.
        way.1(&mut output);
        costs.push(counter.instructions(|| way.1(&mut output))? as f64);
    }
    Ok(costs)
}

/// All operations, and who takes part; ours is first.
fn ways(isa: Isa, rows: &Rows) -> Vec<(String, Vec<Way<'_>>)> {
    let mut all = vec![("validate_utf8".into(), validate(isa, rows))];
    all.push(("utf8_to_utf16le".into(), to_utf16(isa, rows)));
    let units = |row: &[u8]| isa.to_utf16le(std::str::from_utf8(row).expect("text"));
    let units: Vec<Vec<u8>> = rows.iter().map(units).collect();
    let wide: &Rows = Box::leak(Box::new(Rows::new(units.iter().map(Vec::as_slice))));
    all.push(("utf16le_to_utf8".into(), to_utf8(isa, wide)));
    for one_in in BAD {
        let mut rng = Rng::new(7);
        let mut damaged: Vec<Vec<u8>> = rows.iter().map(<[u8]>::to_vec).collect();
        for row in &mut damaged {
            if one_in > 0 && rng.below(one_in) == 0 {
                let at = rng.below(row.len());
                row[at] = 0xFF;
            }
        }
        let damaged: &Rows = Box::leak(Box::new(Rows::new(damaged.iter().map(Vec::as_slice))));
        all.push((format!("utf8_lossy 1/{one_in}"), lossy(isa, damaged)));
    }
    all.push((
        "count_chars_utf8".into(),
        vec![
            (
                "ours",
                Box::new(move |out: &mut Output| {
                    out.offsets.clear();
                    columns::count_chars_utf8_append(rows.column(isa), &mut out.offsets).expect("short rows");
                }),
            ),
            (
                "loop",
                Box::new(move |out: &mut Output| {
                    out.offsets.clear();
                    out.offsets.extend(rows.iter().map(|row| isa.count_chars_utf8(row) as i32));
                }),
            ),
        ],
    ));
    all
}

fn validate(isa: Isa, rows: &Rows) -> Vec<Way<'_>> {
    #[cfg_attr(not(feature = "arrow"), expect(unused_mut))]
    let mut ways: Vec<Way> = vec![
        ("ours", Box::new(move |_| assert!(columns::validate_utf8(black_box(rows.column(isa))).is_ok()))),
        ("contiguous", Box::new(move |_| assert!(isa.validate_utf8(black_box(&rows.values)).is_ok()))),
        ("loop", Box::new(move |_| assert!(rows.iter().all(|row| isa.validate_utf8(row).is_ok())))),
        ("std", Box::new(move |_| assert!(rows.iter().all(|row| std::str::from_utf8(row).is_ok())))),
        (
            "std+borders",
            Box::new(move |_| {
                let text = std::str::from_utf8(black_box(&rows.values)).expect("text");
                assert!(rows.offsets.iter().all(|&at| text.is_char_boundary(at as usize)));
            }),
        ),
    ];
    #[cfg(feature = "arrow")]
    {
        use arrow_array::StringArray;
        use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
        let offsets: ScalarBuffer<i32> = rows.offsets.clone().into();
        let values = Buffer::from_vec(rows.values.clone());
        ways.push((
            "arrow",
            Box::new(move |_| {
                // The check of the offsets is part of ours.
                let offsets = OffsetBuffer::new(offsets.clone());
                black_box(StringArray::try_new(offsets, values.clone(), None).expect("text"));
            }),
        ));
    }
    ways
}

fn to_utf16(isa: Isa, rows: &Rows) -> Vec<Way<'_>> {
    let text = std::str::from_utf8(&rows.values).expect("text");
    vec![
        (
            "ours",
            Box::new(move |out| {
                out.values.clear();
                out.offsets.clear();
                let (values, offsets) = (&mut out.values, &mut out.offsets);
                columns::utf8_to_utf16le_append(rows.column(isa), Policy::Error, values, offsets).expect("text");
            }),
        ),
        (
            "into",
            Box::new(move |out| {
                out.room.resize(2 * rows.values.len(), 0);
                out.offsets.resize(rows.offsets.len(), 0);
                let room = ColumnRoom::new(&mut out.room, &mut out.offsets);
                assert!(columns::utf8_to_utf16le_into(rows.column(isa), Policy::Error, room).is_complete());
            }),
        ),
        (
            "contiguous",
            Box::new(move |out| {
                out.values.clear();
                assert!(isa.utf8_to_utf16le_append(black_box(text).as_bytes(), &mut out.values).is_complete());
            }),
        ),
        (
            "loop",
            Box::new(move |out| {
                out.offsets.clear();
                out.room.resize(2 * rows.values.len(), 0);
                let mut at = 0;
                for row in rows.iter() {
                    at += isa.utf8_to_utf16le(row, &mut out.room[at..]).written;
                    out.offsets.push(at as i32);
                }
            }),
        ),
        (
            "std",
            Box::new(move |out| {
                out.values.clear();
                out.offsets.clear();
                for row in rows.iter() {
                    let text = std::str::from_utf8(row).expect("text");
                    out.values.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
                    out.offsets.push(out.values.len() as i32);
                }
            }),
        ),
    ]
}

fn to_utf8(isa: Isa, rows: &Rows) -> Vec<Way<'_>> {
    vec![
        (
            "ours",
            Box::new(move |out| {
                out.values.clear();
                out.offsets.clear();
                let (values, offsets) = (&mut out.values, &mut out.offsets);
                columns::utf16le_to_utf8_append(rows.column(isa), Policy::Error, values, offsets).expect("text");
            }),
        ),
        (
            "into",
            Box::new(move |out| {
                out.room.resize(rows.values.len() / 2 * 3, 0);
                out.offsets.resize(rows.offsets.len(), 0);
                let room = ColumnRoom::new(&mut out.room, &mut out.offsets);
                assert!(columns::utf16le_to_utf8_into(rows.column(isa), Policy::Error, room).is_complete());
            }),
        ),
        (
            "contiguous",
            Box::new(move |out| {
                out.text.clear();
                assert!(isa.utf16le_to_utf8_append(black_box(&rows.values), &mut out.text).is_complete());
            }),
        ),
        (
            "loop",
            Box::new(move |out| {
                out.offsets.clear();
                out.room.resize(rows.values.len() / 2 * 3, 0);
                let mut at = 0;
                for row in rows.iter() {
                    at += isa.utf16le_to_utf8(row, &mut out.room[at..]).written;
                    out.offsets.push(at as i32);
                }
            }),
        ),
        (
            "std",
            Box::new(move |out| {
                out.text.clear();
                out.offsets.clear();
                for row in rows.iter() {
                    let units = row.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit));
                    for char in char::decode_utf16(units) {
                        out.text.push(char.expect("text"));
                    }
                    out.offsets.push(out.text.len() as i32);
                }
            }),
        ),
        (
            "encoding_rs",
            Box::new(move |out| {
                out.text.clear();
                out.offsets.clear();
                for row in rows.iter() {
                    let text = UTF_16LE.decode_without_bom_handling_and_without_replacement(row);
                    out.text.push_str(&text.expect("text"));
                    out.offsets.push(out.text.len() as i32);
                }
            }),
        ),
    ]
}

fn lossy(isa: Isa, rows: &Rows) -> Vec<Way<'_>> {
    vec![
        (
            "ours",
            Box::new(move |out| {
                out.values.clear();
                out.offsets.clear();
                let (values, offsets) = (&mut out.values, &mut out.offsets);
                columns::utf8_to_utf8_append(rows.column(isa), Policy::Replace, values, offsets).expect("short");
            }),
        ),
        ("cow", Box::new(move |_| drop(black_box(columns::utf8_lossy(rows.column(isa)).expect("short"))))),
        (
            "loop",
            Box::new(move |out| {
                out.text.clear();
                out.offsets.clear();
                for row in rows.iter() {
                    out.text.push_str(&isa.from_utf8_lossy(row));
                    out.offsets.push(out.text.len() as i32);
                }
            }),
        ),
        (
            "std",
            Box::new(move |out| {
                out.text.clear();
                out.offsets.clear();
                for row in rows.iter() {
                    out.text.push_str(&String::from_utf8_lossy(row));
                    out.offsets.push(out.text.len() as i32);
                }
            }),
        ),
    ]
}
