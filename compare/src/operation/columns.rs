//! Columns of strings, next to loops over their rows, to one call for all rows without their borders (`contiguous`, the
//! limit), and to arrow-rs. The windows are rows, one right behind the other.

use std::ops::Range;

use bytemuck::must_cast_slice;
use encoding_rs::UTF_16LE;
use fastutf::Isa;
use fastutf::columns::{self, Column, Policy};

use super::{Field, all, as_str, operations};
use crate::kind::Output;
use crate::race::Role::{Limit, Ours, Peer};

/// All rows of one encoding.
#[derive(Clone)]
struct Rows<'a> {
    isa: Isa,
    values: &'a [u8],
    offsets: Vec<i32>,
}

impl<'a> Rows<'a> {
    fn utf8(field: &Field<'a, Isa>) -> Self {
        let windows = field.windows;
        let ends = windows.places.iter().map(|(bytes, _)| bytes.end as i32);
        Self { isa: field.isa, values: windows.bytes, offsets: [0].into_iter().chain(ends).collect() }
    }

    fn utf16le(field: &Field<'a, Isa>) -> Self {
        let windows = field.windows;
        let ends = windows.places.iter().map(|(_, units)| 2 * units.end as i32);
        let values = must_cast_slice(windows.units);
        Self { isa: field.isa, values, offsets: [0].into_iter().chain(ends).collect() }
    }

    fn column(&self, rows: Range<usize>) -> Column<'_, i32> {
        let offsets = &self.offsets[rows.start..=rows.end];
        Column::new(self.values, offsets).expect("a layout").with_isa(self.isa)
    }

    fn contiguous(&self, rows: Range<usize>) -> &'a [u8] {
        &self.values[self.offsets[rows.start] as usize..self.offsets[rows.end] as usize]
    }

    fn each(&self, rows: Range<usize>) -> impl Iterator<Item = &'a [u8]> {
        rows.map(|row| self.contiguous(row..row + 1))
    }
}

/// Enters a contender: what it does with some of the rows, and with its output.
macro_rules! enter {
    ($field:ident, $rows:ident, $role:ident $name:literal: |$range:ident, $out:ident| $does:expr) => {{
        let $rows = $rows.clone();
        $field.rows($name, $role, move |$range: Range<usize>, $out: &mut Output| $does);
    }};
}

operations! { REFUSING, lossy: false;
    columns_validate_utf8(Utf8, all): field, isa = field.isa, rows = Rows::utf8(field) => {
        enter!(field, rows, Ours "fastutf": |range, _out| {
            assert!(columns::validate_utf8(rows.column(range)).is_ok());
        });
        enter!(field, rows, Limit "contiguous": |range, _out| assert!(isa.validate_utf8(rows.contiguous(range)).is_ok()));
        enter!(field, rows, Peer "loop": |range, _out| {
            assert!(rows.each(range).all(|row| isa.validate_utf8(row).is_ok()));
        });
        #[cfg(feature = "arrow")]
        {
            use arrow_array::StringArray;
            use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
            let values = Buffer::from_vec(rows.values.to_vec());
            let offsets: ScalarBuffer<i32> = rows.offsets.clone().into();
            enter!(field, rows, Peer "arrow": |range, _out| {
                let _ = &rows;
                // The check of the offsets is part of ours.
                let offsets = OffsetBuffer::new(offsets.slice(range.start, range.len() + 1));
                std::hint::black_box(StringArray::try_new(offsets, values.clone(), None).expect("text"));
            });
        }
        enter!(field, rows, Peer "std": |range, _out| {
            assert!(rows.each(range).all(|row| std::str::from_utf8(row).is_ok()));
        });
    }
    columns_utf8_to_utf16le(Utf8, all): field, isa = field.isa, rows = Rows::utf8(field) => {
        enter!(field, rows, Ours "fastutf": |range, out| {
            let column = rows.column(range);
            columns::utf8_to_utf16le_append(column, Policy::Error, &mut out.values, &mut out.offsets).expect("text");
        });
        enter!(field, rows, Limit "contiguous": |range, out| {
            assert!(isa.utf8_to_utf16le_append(rows.contiguous(range), &mut out.values).is_ok());
        });
        enter!(field, rows, Peer "loop": |range, out| {
            out.room.resize(2 * rows.contiguous(range.clone()).len(), 0);
            let mut at = 0;
            for row in rows.each(range) {
                at += isa.utf8_to_utf16le(row, &mut out.room[at..]).written;
                out.offsets.push(at as i32);
            }
        });
        enter!(field, rows, Peer "std": |range, out| {
            for row in rows.each(range) {
                out.values.extend(as_str(row).encode_utf16().flat_map(u16::to_le_bytes));
                out.offsets.push(out.values.len() as i32);
            }
        });
    }
    columns_utf16le_to_utf8(Utf16le, all): field, isa = field.isa, rows = Rows::utf16le(field) => {
        enter!(field, rows, Ours "fastutf": |range, out| {
            let column = rows.column(range);
            columns::utf16le_to_utf8_append(column, Policy::Error, &mut out.values, &mut out.offsets).expect("text");
        });
        enter!(field, rows, Limit "contiguous": |range, out| {
            assert!(isa.utf16le_to_utf8_append(rows.contiguous(range), &mut out.text).is_ok());
        });
        enter!(field, rows, Peer "loop": |range, out| {
            out.room.resize(rows.contiguous(range.clone()).len() / 2 * 3, 0);
            let mut at = 0;
            for row in rows.each(range) {
                at += isa.utf16le_to_utf8(row, &mut out.room[at..]).written;
                out.offsets.push(at as i32);
            }
        });
        enter!(field, rows, Peer "encoding_rs": |range, out| {
            for row in rows.each(range) {
                let text = UTF_16LE.decode_without_bom_handling_and_without_replacement(row);
                out.text.push_str(&text.expect("text"));
                out.offsets.push(out.text.len() as i32);
            }
        });
        enter!(field, rows, Peer "std": |range, out| {
            for row in rows.each(range) {
                let units = row.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit));
                out.text.extend(char::decode_utf16(units).map(|char| char.expect("text")));
                out.offsets.push(out.text.len() as i32);
            }
        });
    }
    columns_count_chars_utf8(Utf8, all): field, isa = field.isa, rows = Rows::utf8(field) => {
        enter!(field, rows, Ours "fastutf": |range, out| {
            columns::count_chars_utf8_append(rows.column(range), &mut out.offsets).expect("short rows");
        });
        enter!(field, rows, Peer "loop": |range, out| {
            out.offsets.extend(rows.each(range).map(|row| isa.count_chars_utf8(row) as i32));
        });
        enter!(field, rows, Peer "std": |range, out| {
            out.offsets.extend(rows.each(range).map(|row| as_str(row).chars().count() as i32));
        });
    }
}

operations! { REPLACING, lossy: true;
    columns_utf8_lossy(Utf8, all): field, isa = field.isa, rows = Rows::utf8(field) => {
        enter!(field, rows, Ours "fastutf": |range, out| {
            let column = rows.column(range);
            columns::utf8_to_utf8_append(column, Policy::Replace, &mut out.values, &mut out.offsets).expect("short");
        });
        enter!(field, rows, Limit "cow": |range, _out| {
            drop(std::hint::black_box(columns::utf8_lossy(rows.column(range)).expect("short")));
        });
        enter!(field, rows, Peer "loop": |range, out| {
            for row in rows.each(range) {
                out.text.push_str(&isa.from_utf8_lossy(row));
                out.offsets.push(out.text.len() as i32);
            }
        });
        enter!(field, rows, Peer "std": |range, out| {
            for row in rows.each(range) {
                out.text.push_str(&String::from_utf8_lossy(row));
                out.offsets.push(out.text.len() as i32);
            }
        });
    }
}
