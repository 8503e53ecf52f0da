//! Arrays that unsafe code has built out of anything: lengths, offsets, views, buffers, nulls and their number. Every function
//! of this crate refuses such an array, or says what the standard library says of its rows.
//!
//! Each buffer is an allocation of exactly its size, so that AddressSanitizer notices a read of one byte too many:
//! `scripts/sanitize arrow`. `FASTUTF_FORGED=N` makes N arrays and not 3,000, `FASTUTF_FORGED=FROM..TO` those of these numbers.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, GenericBinaryArray, GenericStringArray, OffsetSizeTrait, StringViewArray,
    StructArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use fastutf_arrow::{
    Encoding, Policy, TextError, check_layout, decode, decode_any, encode, encode_any, errors, is_well_formed,
    string_array, string_view_array,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

mod common;
use common::{ENCODINGS, decoded, encoded};

const POLICIES: [Policy; 3] = [Policy::Error, Policy::Replace, Policy::Null];

/// The rows of an array, or the reason why it has none: its layout.
type Rows = Result<Vec<Option<Vec<u8>>>, &'static str>;

/// Validity bits from a bit on, for some rows, and how many nulls there are said to be.
#[derive(Clone, Debug)]
struct Nulls {
    bits: Vec<u8>,
    at: usize,
    rows: usize,
    count: usize,
}

impl Nulls {
    fn is_valid(&self, row: usize) -> bool {
        let bit = self.at + row;
        self.bits[bit / 8] >> (bit % 8) & 1 == 1
    }

    fn nulls(&self) -> usize {
        (0..self.rows).filter(|&row| !self.is_valid(row)).count()
    }

    fn buffer(&self) -> NullBuffer {
        let bits = BooleanBuffer::new(exactly(self.bits.clone()), self.at, self.rows);
        // SAFETY: none, which is what is tested: the number of nulls may be another.
        unsafe { NullBuffer::new_unchecked(bits, self.count) }
    }
}

/// An allocation of exactly this size.
fn exactly<T: arrow_buffer::ArrowNativeType>(elements: Vec<T>) -> Buffer {
    Buffer::from_vec(elements.into_boxed_slice().into_vec())
}

fn nulls(rng: &mut StdRng, rows: usize) -> Option<Nulls> {
    if rng.random_bool(0.4) {
        return None;
    }
    let rows = if rng.random_bool(0.1) { rng.random_range(0..=rows + 2) } else { rows };
    let at = rng.random_range(0..20);
    let ones = *[0.0, 0.5, 0.9, 1.0].choose(rng).unwrap();
    let byte = |rng: &mut StdRng| (0..8).fold(0, |byte, _| byte << 1 | u8::from(rng.random_bool(ones)));
    let bits = (0..(at + rows).div_ceil(8)).map(|_| byte(rng)).collect();
    let mut nulls = Nulls { bits, at, rows, count: 0 };
    nulls.count = nulls.nulls();
    if rng.random_bool(0.1) {
        nulls.count = *[0, 1, rows, rows + 1, usize::MAX].choose(rng).unwrap();
    }
    Some(nulls)
}

/// Text, which may be ill-formed, of a row.
fn text(rng: &mut StdRng, encoding: Encoding, bad: f64) -> Vec<u8> {
    let pieces = ["a", "Latin text ", "ł", "żółć", "中文", "😀", "\u{7FF}\u{800}\u{FFFF}\u{10000}"];
    let text: String = (0..rng.random_range(0..4)).map(|_| *pieces.choose(rng).unwrap()).collect();
    let mut bytes = encoded(&text, encoding);
    if rng.random_bool(bad) {
        let at = rng.random_range(0..=bytes.len());
        bytes.insert(at, *[0xD8, 0xFF, 0x80, 0xC3, 0xF0].choose(rng).unwrap());
    }
    bytes
}

fn texts(rng: &mut StdRng) -> Vec<Vec<u8>> {
    let rows = match rng.random_range(0..20) {
        0..10 => rng.random_range(0..4),
        10..19 => rng.random_range(4..40),
        _ => rng.random_range(500..1100),
    };
    let encoding = *ENCODINGS.choose(rng).unwrap();
    let bad = *[0.0, 0.01, 0.3].choose(rng).unwrap();
    (0..rows).map(|_| text(rng, encoding, bad)).collect()
}

/// How many lies an array has: none, which is half of them, or a few.
fn lies(rng: &mut StdRng) -> usize {
    if rng.random_bool(0.5) { 0 } else { rng.random_range(1..3) }
}

/// A type of offsets, of which there are as many as 64-bit numbers, or fewer.
trait Offset: OffsetSizeTrait + fastutf::columns::Offset + Into<i64> {
    fn wrapped(number: i64) -> Self;
}

impl Offset for i32 {
    fn wrapped(number: i64) -> Self {
        number as Self
    }
}

impl Offset for i64 {
    fn wrapped(number: i64) -> Self {
        number
    }
}

/// What an array with offsets is made of.
#[derive(Debug)]
struct Offsets<O> {
    offsets: Vec<O>,
    values: Vec<u8>,
    nulls: Option<Nulls>,
}

impl<O: Offset> Offsets<O> {
    fn new(rng: &mut StdRng) -> Self {
        let mut values: Vec<u8> = (0..rng.random_range(0..3)).map(|_| rng.random()).collect();
        let mut offsets = vec![values.len() as i64];
        for text in texts(rng) {
            values.extend(text);
            offsets.push(values.len() as i64);
        }
        for _ in 0..lies(rng) {
            let len = values.len() as i64;
            match rng.random_range(0..12) {
                0 => drop(offsets.pop()),
                1 => offsets.clear(),
                2 => values.truncate(values.len().saturating_sub(rng.random_range(1..20))),
                3 => values.push(rng.random()),
                _ if offsets.is_empty() => {}
                _ => {
                    let at = rng.random_range(0..offsets.len());
                    let limits = [i64::MIN, i32::MIN.into(), -1, 0, i32::MAX.into(), 1 << 32, i64::MAX];
                    let near = [
                        offsets[at].wrapping_sub(1),
                        offsets[at].wrapping_add(1),
                        len - 1,
                        len,
                        len + 1,
                        rng.random_range(-4..len + 4),
                    ];
                    let lie = *if rng.random_bool(0.5) { limits.choose(rng) } else { near.choose(rng) }.unwrap();
                    // Also for several rows, which then agree with each other.
                    let most = if rng.random_bool(0.2) { 3 } else { 1 };
                    offsets[at..].iter_mut().take(most).for_each(|offset| *offset = lie);
                }
            }
        }
        let nulls = nulls(rng, offsets.len().saturating_sub(1));
        Self { offsets: offsets.into_iter().map(O::wrapped).collect(), values, nulls }
    }

    fn rows(&self) -> Rows {
        let rows = self.offsets.len().checked_sub(1).ok_or("no offsets")?;
        let mut bounds = Vec::new();
        for &offset in &self.offsets {
            let at = usize::try_from(offset.into()).map_err(|_| "a negative offset")?;
            if at > self.values.len() || bounds.last().is_some_and(|&before| before > at) {
                return Err("offsets that run backwards, or out of the values");
            }
            bounds.push(at);
        }
        if self.nulls.as_ref().is_some_and(|nulls| nulls.rows != rows) {
            return Err("another number of nulls");
        }
        let is_valid = |row| self.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
        Ok((0..rows)
            .map(|row| is_valid(row).then(|| self.values[bounds[row]..bounds[row + 1]].to_vec()))
            .collect())
    }

    fn check(&self) {
        let rows = self.rows();
        let (offsets, values) = (exactly(self.offsets.clone()), exactly(self.values.clone()));
        let offsets = ScalarBuffer::<O>::new(offsets, 0, self.offsets.len());
        let nulls = self.nulls.as_ref().map(Nulls::buffer);
        for policy in POLICIES {
            let made = string_array(offsets.clone(), values.clone(), nulls.clone(), policy);
            check_decoded(made.as_ref().map(|text| text as _), &rows, Encoding::Utf8, policy);
        }
        // SAFETY: none, which is what is tested.
        let offsets = unsafe { OffsetBuffer::new_unchecked(offsets) };
        // SAFETY: as above.
        let bytes = unsafe { GenericBinaryArray::new_unchecked(offsets.clone(), values.clone(), nulls.clone()) };
        check_bytes(Arc::new(bytes.clone()), &rows);
        check_decoded(
            decode(&bytes, Encoding::Utf16Le, Policy::Replace).as_ref().map(|text| text as _),
            &rows,
            Encoding::Utf16Le,
            Policy::Replace,
        );
        // SAFETY: as above.
        let text = unsafe { GenericStringArray::new_unchecked(offsets, values, nulls) };
        check_text(&text, &rows);
        check_encoded(encode(&text, Encoding::Utf16Be).as_ref().map(|bytes| bytes as _), &rows, Encoding::Utf16Be);
        if let Ok(rows) = rows {
            let half = rows.len() / 2;
            check_bytes(Arc::new(bytes.slice(half, rows.len() - half)), &Ok(rows[half..].to_vec()));
            check_text(&text.slice(0, half), &Ok(rows[..half].to_vec()));
        }
    }
}

/// What an array of views is made of.
#[derive(Debug)]
struct Views {
    views: Vec<u128>,
    buffers: Vec<Vec<u8>>,
    nulls: Option<Nulls>,
}

impl Views {
    fn new(rng: &mut StdRng) -> Self {
        let mut buffers = vec![Vec::new(); rng.random_range(1..4)];
        let mut views = Vec::new();
        for text in texts(rng) {
            let buffer = rng.random_range(0..buffers.len());
            views.push(make_view(&text, buffer as u32, buffers[buffer].len() as u32));
            if text.len() > 12 {
                buffers[buffer].extend(text);
            }
        }
        for _ in 0..lies(rng) {
            let buffer = rng.random_range(0..buffers.len().max(1));
            match rng.random_range(0..12) {
                0 => drop(buffers.pop()),
                1 | 2 if !buffers.is_empty() => {
                    let len = buffers[buffer].len();
                    buffers[buffer].truncate(len.saturating_sub(rng.random_range(1..20)));
                }
                _ if views.is_empty() => views.push(rng.random()),
                _ => {
                    let at = rng.random_range(0..views.len());
                    // The length, the prefix or start of the text, the buffer, the offset.
                    let shift = 32 * rng.random_range(0..4);
                    let old = (views[at] >> shift) as u32;
                    let limits = [0, 1, 12, 13, 1 << 31, u32::MAX, rng.random()];
                    let len = buffers.get(buffer).map_or(0, Vec::len) as u32;
                    let near = [old.wrapping_sub(1), old.wrapping_add(1), len, len.wrapping_sub(13), old ^ 1 << 8];
                    let lie = *if rng.random_bool(0.5) { limits.choose(rng) } else { near.choose(rng) }.unwrap();
                    views[at] = views[at] & !(u128::from(u32::MAX) << shift) | u128::from(lie) << shift;
                }
            }
        }
        let nulls = nulls(rng, views.len());
        Self { views, buffers, nulls }
    }

    fn row(&self, view: u128) -> Result<Vec<u8>, &'static str> {
        let number = |at: u32| (view >> (32 * at)) as u32 as usize;
        let (len, start) = (number(0), view.to_le_bytes());
        if len <= 12 {
            let (text, padding) = start[4..].split_at(len);
            return if padding.iter().all(|&byte| byte == 0) { Ok(text.to_vec()) } else { Err("padding") };
        }
        let buffer = self.buffers.get(number(2)).ok_or("no such buffer")?;
        let text = buffer.get(number(3)..number(3) + len).ok_or("a row that is not within its buffer")?;
        if text[..4] == start[4..8] { Ok(text.to_vec()) } else { Err("another prefix") }
    }

    fn rows(&self) -> Rows {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.rows != self.views.len()) {
            return Err("another number of nulls");
        }
        let is_valid = |row| self.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
        let row = |(row, &view)| if is_valid(row) { self.row(view).map(Some) } else { Ok(None) };
        self.views.iter().enumerate().map(row).collect()
    }

    fn check(&self) {
        let rows = self.rows();
        let views = ScalarBuffer::new(exactly(self.views.clone()), 0, self.views.len());
        let buffers: Vec<Buffer> = self.buffers.iter().map(|buffer| exactly(buffer.clone())).collect();
        let nulls = self.nulls.as_ref().map(Nulls::buffer);
        for policy in POLICIES {
            let made = string_view_array(views.clone(), buffers.clone(), nulls.clone(), policy);
            // This one looks at the views of nulls, too, as Arrow does.
            if rows.is_err() || self.views.iter().all(|&view| self.row(view).is_ok()) {
                check_decoded(made.as_ref().map(|text| text as _), &rows, Encoding::Utf8, policy);
            }
        }
        // SAFETY: none, which is what is tested.
        let bytes = unsafe { BinaryViewArray::new_unchecked(views.clone(), buffers.clone(), nulls.clone()) };
        check_bytes(Arc::new(bytes.clone()), &rows);
        check_decoded(
            decode(&bytes, Encoding::Utf16Be, Policy::Null).as_ref().map(|text| text as _),
            &rows,
            Encoding::Utf16Be,
            Policy::Null,
        );
        // SAFETY: as above.
        let text = unsafe { StringViewArray::new_unchecked(views, buffers, nulls) };
        check_text(&text, &rows);
        check_encoded(encode(&text, Encoding::Utf16Le).as_ref().map(|bytes| bytes as _), &rows, Encoding::Utf16Le);
        if let Ok(rows) = rows {
            let half = rows.len() / 2;
            check_bytes(Arc::new(bytes.slice(half, rows.len() - half)), &Ok(rows[half..].to_vec()));
            check_text(&text.slice(0, half), &Ok(rows[..half].to_vec()));
        }
    }
}

/// Every function for an array of bytes.
fn check_bytes(array: ArrayRef, rows: &Rows) {
    check_layout_of(&array, rows);
    for encoding in ENCODINGS {
        for policy in POLICIES {
            let text = decode_any(&array, encoding, policy);
            check_decoded(text.as_deref(), rows, encoding, policy);
        }
        let (found, fine) = (errors(&array, encoding), is_well_formed(&array, encoding));
        let Ok(rows) = rows else {
            refused(found);
            refused(fine);
            continue;
        };
        let expected: Vec<Option<bool>> =
            rows.iter().map(|row| row.as_ref().map(|bytes| decoded(bytes, encoding).is_ok())).collect();
        assert!(fine.unwrap().iter().eq(expected.iter().copied()));
        let bad = (0..rows.len()).filter(|&row| expected[row] == Some(false));
        assert!(found.unwrap().iter().map(|error| error.row).eq(bad));
    }
    refused(encode_any(&array, Encoding::Utf8));
    // As the only column of a struct, which is another type.
    let fields = vec![Field::new("a", array.data_type().clone(), true)].into();
    // SAFETY: as above: the column may have another number of rows.
    let nested = unsafe { StructArray::new_unchecked_with_length(fields, vec![array], None, 7) };
    refused(check_layout(&nested));
    refused(decode_any(&nested, Encoding::Utf8, Policy::Replace));
    refused(errors(&nested, Encoding::Utf8));
}

/// Every function for an array of text, which need not be text.
fn check_text(array: &dyn Array, rows: &Rows) {
    check_layout_of(array, rows);
    for encoding in ENCODINGS {
        check_encoded(encode_any(array, encoding).as_deref(), rows, encoding);
        refused(errors(array, encoding));
        refused(decode_any(array, encoding, Policy::Null));
    }
}

fn check_layout_of(array: &dyn Array, rows: &Rows) {
    match rows {
        Ok(_) => check_layout(array).unwrap(),
        Err(_) => refused(check_layout(array)),
    }
}

/// The error of an array that is not what it should be.
#[track_caller]
fn refused<T>(result: Result<T, ArrowError>) {
    assert!(matches!(result, Err(ArrowError::InvalidArgumentError(_))), "{:?}", result.err());
}

/// Whether this is the error of that row.
#[track_caller]
fn check_row(error: &ArrowError, row: usize) {
    let ArrowError::ExternalError(error) = error else { panic!("{error}") };
    assert_eq!(error.downcast_ref::<TextError>().unwrap().row, row);
}

#[track_caller]
fn check_decoded(text: Result<&dyn Array, &ArrowError>, rows: &Rows, encoding: Encoding, policy: Policy) {
    let Ok(rows) = rows else {
        let refused = matches!(text, Err(ArrowError::InvalidArgumentError(_)));
        return assert!(refused, "{rows:?}, but {:?}", text.err());
    };
    let results: Vec<_> = rows.iter().map(|row| row.as_ref().map(|bytes| decoded(bytes, encoding))).collect();
    let first = results.iter().position(|row| matches!(row, Some(Err(_))));
    let text = match (text, first) {
        (Err(error), Some(row)) if policy == Policy::Error => return check_row(error, row),
        (text, _) => text.unwrap(),
    };
    let expected = results.into_iter().map(|row| match (row?, policy) {
        (Ok(text), _) => Some(text),
        (Err(lossy), Policy::Replace) => Some(lossy),
        (Err(_), Policy::Null) => None,
        (Err(_), Policy::Error) => panic!("it is ill-formed"),
    });
    let expected: Vec<_> = expected.map(|row| row.map(String::into_bytes)).collect();
    // What Arrow demands of text, which includes that of nulls.
    text.to_data().validate_full().unwrap();
    assert!(read(text) == expected);
}

#[track_caller]
fn check_encoded(bytes: Result<&dyn Array, &ArrowError>, rows: &Rows, encoding: Encoding) {
    let Ok(rows) = rows else {
        let refused = matches!(bytes, Err(ArrowError::InvalidArgumentError(_)));
        return assert!(refused, "{rows:?}, but {:?}", bytes.err());
    };
    let is_bad = |row: &Option<Vec<u8>>| row.as_ref().is_some_and(|bytes| std::str::from_utf8(bytes).is_err());
    let bytes = match (bytes, rows.iter().position(is_bad)) {
        (Err(error), Some(row)) if encoding != Encoding::Utf8 => return check_row(error, row),
        (bytes, _) => bytes.unwrap(),
    };
    let expected = rows.iter().map(|row| {
        let bytes = row.as_ref()?;
        Some(if encoding == Encoding::Utf8 {
            bytes.clone()
        } else {
            encoded(std::str::from_utf8(bytes).unwrap(), encoding)
        })
    });
    bytes.to_data().validate_full().unwrap();
    assert!(read(bytes) == expected.collect::<Vec<_>>());
}

/// The rows of an array, which is checked like any other.
fn read(array: &dyn Array) -> Vec<Option<Vec<u8>>> {
    let owned = |row: Option<&[u8]>| row.map(<[u8]>::to_vec);
    match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().iter().map(owned).collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().map(owned).collect(),
        DataType::BinaryView => array.as_binary_view().iter().map(owned).collect(),
        DataType::Utf8 => array.as_string::<i32>().iter().map(|row| owned(row.map(str::as_bytes))).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(|row| owned(row.map(str::as_bytes))).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(|row| owned(row.map(str::as_bytes))).collect(),
        is => panic!("{is}"),
    }
}

#[test]
fn forged_arrays_are_refused_or_read_right() {
    let cases = std::env::var("FASTUTF_FORGED").unwrap_or_else(|_| "3000".to_owned());
    let number = |number: &str| number.parse::<u64>().expect("FASTUTF_FORGED is a number, or two");
    let cases: Range<u64> = match cases.split_once("..") {
        Some((from, to)) => number(from)..number(to),
        None => 0..number(&cases),
    };
    let (mut fine, mut refused) = (0, 0);
    for case in cases {
        let tried = std::panic::catch_unwind(|| match case % 3 {
            0 => {
                let array = Offsets::<i32>::new(&mut StdRng::seed_from_u64(case));
                array.check();
                array.rows().is_ok()
            }
            1 => {
                let array = Offsets::<i64>::new(&mut StdRng::seed_from_u64(case));
                array.check();
                array.rows().is_ok()
            }
            _ => {
                let array = Views::new(&mut StdRng::seed_from_u64(case));
                array.check();
                array.rows().is_ok()
            }
        });
        match tried {
            Ok(true) => fine += 1,
            Ok(false) => refused += 1,
            Err(_) => panic!("FASTUTF_FORGED={case}..{} fails", case + 1),
        }
    }
    // Both must have been tried.
    println!("{fine} arrays were read, {refused} refused");
    assert!(fine + refused < 100 || fine.min(refused) > (fine + refused) / 10);
}
