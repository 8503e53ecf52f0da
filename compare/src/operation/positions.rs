//! The index of positions, next to tables made by a loop over the text, as oxc, rust-analyzer and biome have them, and to the
//! crate `line-index`. Offsets are in UTF-16; there is a lookup for 8 bytes of the text, on average.

use std::cell::RefCell;

use fastutf::Isa;
use fastutf::positions::{Index, Position, Unit::Utf16};
use fastutf_testkit::Rng;
#[cfg(feature = "line-index")]
use line_index::{LineIndex, TextSize, WideEncoding};

use super::{all, as_str, known_str, operations};

/// What a loop over the text collects.
struct Table {
    /// Where lines start, except for the first.
    lines: Vec<u32>,
    /// For each character that is not ASCII, where it ends, and how many bytes more than UTF-16 code units there are up to
    /// there.
    wide: Vec<(u32, u32)>,
}

impl Table {
    /// The lines end with line feeds.
    fn new(text: &str) -> Self {
        let mut new = Self { lines: Vec::new(), wide: Vec::new() };
        let (bytes, mut at, mut more) = (text.as_bytes(), 0, 0);
        while at < bytes.len() {
            let len = match bytes[at] {
                0..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                0xF0.. => 4,
            };
            if bytes[at] == b'\n' {
                new.lines.push(at as u32 + 1);
            }
            at += len;
            if len > 1 {
                more += if len == 2 { 1 } else { 2 };
                new.wide.push((at as u32, more));
            }
        }
        new
    }

    fn offset(&self, byte: usize) -> usize {
        let wide = self.wide.partition_point(|wide| wide.0 as usize <= byte);
        byte - wide.checked_sub(1).map_or(0, |wide| self.wide[wide].1 as usize)
    }

    fn position(&self, byte: usize) -> usize {
        let line = self.lines.partition_point(|&start| start as usize <= byte);
        let start = line.checked_sub(1).map_or(0, |line| self.lines[line] as usize);
        number(line, self.offset(byte) - self.offset(start))
    }

    /// Passes all lines and characters before each of sorted bytes, and adds up what is found there.
    fn walked(&self, bytes: &[usize], found: impl Fn(usize, usize, usize) -> usize) -> usize {
        let (mut wide, mut more, mut line, mut start, mut sum) = (0, 0, 0, 0, 0_usize);
        let pass = |to: u32, wide: &mut usize, more: &mut u32| {
            while let Some(next) = self.wide.get(*wide).filter(|next| next.0 <= to) {
                *more = next.1;
                *wide += 1;
            }
        };
        for &byte in bytes {
            while let Some(&next) = self.lines.get(line).filter(|next| **next as usize <= byte) {
                pass(next, &mut wide, &mut more);
                start = (next - more) as usize;
                line += 1;
            }
            pass(byte as u32, &mut wide, &mut more);
            sum = sum.wrapping_add(found(byte - more as usize, line, start));
        }
        sum
    }
}

/// A line and a column as one number, to be added up.
fn number(line: usize, column: usize) -> usize {
    (line << 20).wrapping_add(column)
}

fn place(place: Position) -> usize {
    number(place.line, place.column)
}

/// A text, and where to look something up in it.
struct Document<'a> {
    text: &'a str,
    index: Index,
    table: Table,
    #[cfg(feature = "line-index")]
    lines: LineIndex,
    /// Bytes, in order and at random; both in UTF-16; and the latter as lines and columns.
    sorted: Vec<usize>,
    any: Vec<usize>,
    units: Vec<usize>,
    any_units: Vec<usize>,
    places: Vec<Position>,
}

impl<'a> Document<'a> {
    fn new(isa: Isa, text: &'a str) -> Self {
        let (mut rng, mut sorted, mut at) = (Rng::new(9), Vec::new(), 0);
        while at < text.len() {
            if text.is_char_boundary(at) {
                sorted.push(at);
            }
            at += 1 + rng.below(16);
        }
        let mut any = sorted.clone();
        (0..any.len()).rev().for_each(|k| any.swap(k, rng.below(k + 1)));
        let index = Index::with_isa(isa, text);
        Self {
            text,
            table: Table::new(text),
            #[cfg(feature = "line-index")]
            lines: LineIndex::new(text),
            units: index.offsets_in(text, sorted.iter().copied(), Utf16).collect(),
            any_units: any.iter().map(|&byte| index.offset_in(text, byte, Utf16)).collect(),
            places: any.iter().map(|&byte| index.position(text, byte, Utf16)).collect(),
            index,
            sorted,
            any,
        }
    }

    #[cfg(feature = "line-index")]
    fn line_index(&self, byte: usize) -> usize {
        let place = self.lines.line_col(TextSize::from(byte as u32));
        let place = self.lines.to_wide(WideEncoding::Utf16, place).expect("it is in the text");
        number(place.line as usize, place.col as usize)
    }
}

fn sum(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.fold(0, usize::wrapping_add)
}

/// Enters ways to look everything up in a text: ours, then the others.
macro_rules! lookups {
    ($field:ident, $document:ident, $ours:expr $(, $(#[$if:meta])? $name:literal: $theirs:expr)*) => {{
        let isa = $field.isa;
        let documents = $field.windows.utf8.iter().map(|text| Document::new(isa, as_str(text)));
        let documents: std::rc::Rc<[Document]> = documents.collect();
        {
            let documents = documents.clone();
            $field.ours(move |i| {
                let $document = &documents[i];
                sum($ours)
            });
        }
        $(
            $(#[$if])?
            {
                let documents = documents.clone();
                $field.peer($name, move |i| {
                    let $document = &documents[i];
                    sum($theirs)
                });
            }
        )*
    }};
}

operations! { OPERATIONS, lossy: false;
    positions_build(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| Index::with_isa(isa, known_str(src[i])).lines());
        field.limit("counting", move |i| isa.utf16_len_from_utf8(src[i]));
        #[cfg(feature = "line-index")]
        field.peer("line-index", move |i| {
            LineIndex::new(known_str(src[i])).line_col(TextSize::of(known_str(src[i]))).line as usize + 1
        });
        field.peer("table", move |i| Table::new(known_str(src[i])).lines.len() + 1);
    }
    position(Utf8, all): field => {
        lookups!(
            field, d, d.any.iter().map(|&byte| place(d.index.position(d.text, byte, Utf16))),
            #[cfg(feature = "line-index")]
            "line-index": d.any.iter().map(|&byte| d.line_index(byte)),
            "table": d.any.iter().map(|&byte| d.table.position(byte))
        );
    }
    positions(Utf8, all): field => {
        lookups!(
            field, d, d.index.positions(d.text, d.sorted.iter().copied(), Utf16).map(place),
            "one by one": d.sorted.iter().map(|&byte| place(d.index.position(d.text, byte, Utf16))),
            #[cfg(feature = "line-index")]
            "line-index": d.sorted.iter().map(|&byte| d.line_index(byte)),
            "walked": [d.table.walked(&d.sorted, |at, line, start| number(line, at - start))].into_iter(),
            "table": d.sorted.iter().map(|&byte| d.table.position(byte))
        );
    }
    offset_in(Utf8, all): field => {
        lookups!(
            field, d, d.any.iter().map(|&byte| d.index.offset_in(d.text, byte, Utf16)),
            "table": d.any.iter().map(|&byte| d.table.offset(byte))
        );
    }
    offsets_in(Utf8, all): field => {
        lookups!(
            field, d, d.index.offsets_in(d.text, d.sorted.iter().copied(), Utf16),
            "walked": [d.table.walked(&d.sorted, |at, _, _| at)].into_iter(),
            "table": d.sorted.iter().map(|&byte| d.table.offset(byte))
        );
    }
    byte_offset(Utf8, all): field => {
        lookups!(field, d, d.any_units.iter().map(|&at| d.index.byte_offset(d.text, at, Utf16)));
    }
    byte_offsets(Utf8, all): field => {
        lookups!(
            field, d, d.index.byte_offsets(d.text, d.units.iter().copied(), Utf16),
            "one by one": d.units.iter().map(|&at| d.index.byte_offset(d.text, at, Utf16))
        );
    }
    byte_offset_at(Utf8, all): field => {
        lookups!(field, d, d.places.iter().map(|&place| d.index.byte_offset_at(d.text, place, Utf16)));
    }
    /// A letter is typed in the middle, and deleted again.
    edit(Utf8, all): field, isa = field.isa => {
        let typed = |text: &&'_ [u8]| {
            let text = as_str(text);
            let middle = (text.len() / 2..).find(|&at| text.is_char_boundary(at)).expect("the end is one");
            (middle, [&text[..middle], "é", &text[middle..]].concat())
        };
        let (src, longer) = (&field.windows.utf8, field.windows.utf8.iter().map(typed).collect::<Vec<_>>());
        let longer = std::rc::Rc::new(longer);
        let indices = RefCell::new(src.iter().map(|text| Index::with_isa(isa, as_str(text))).collect::<Vec<_>>());
        let (edited, counted, looped) = (longer.clone(), longer.clone(), longer);
        field.ours(move |i| {
            let index = &mut indices.borrow_mut()[i];
            let (middle, longer) = &edited[i];
            index.edit(*middle..*middle, longer);
            index.edit(*middle..*middle + 2, known_str(src[i]));
            index.lines()
        });
        field.peer("built anew", move |i| {
            std::hint::black_box(Index::with_isa(isa, &counted[i].1));
            Index::with_isa(isa, known_str(src[i])).lines()
        });
        field.peer("table", move |i| {
            std::hint::black_box(Table::new(&looped[i].1));
            Table::new(known_str(src[i])).lines.len() + 1
        });
    }
}
