//! Columns of strings, as databases and Arrow have them.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use utf::columns::{self, Column, ColumnConversion, ColumnRoom, LayoutError, Offset, Policy, RowError, Validity};
use utf::{Isa, Stop};

use crate::fastutf_error::FASTUTF_NO_ERROR;
use crate::memory::{Pointee, apart, destination, one, source, zeroed};
use crate::types::Described;
use crate::*;

/// Rows of bytes in one buffer, as in Apache Arrow. Row `i` is from the offset number `i` to the next one, in bytes. Offsets
/// are not negative, do not run backwards and are within the values; the first one need not be 0.
///
/// Functions for columns are only in a library that was built with the feature `columns`:
/// `scripts/install PREFIX --features columns`, or `cargo cinstall --features columns`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fastutf_column {
    /// The bytes of all rows.
    pub values: *const c_void,
    /// The number of these bytes.
    pub values_length: usize,
    /// `int32_t` or `int64_t`: one more than there are rows. Without rows it may be null.
    pub offsets: *const c_void,
    /// The number of rows.
    pub rows: usize,
    /// A bit for each row, from the lowest of the first byte on: if it is 0, the row is null, and never read as text. A null
    /// pointer if no row is null.
    pub validity: *const u8,
    /// The number of bytes of that.
    pub validity_length: usize,
    /// The bit of the first row.
    pub validity_offset: usize,
    /// The size of an offset: 4 or 8 bytes.
    pub offset_size: u8,
    /// A `fastutf_isa`; 0 for the best one.
    pub isa: u8,
    /// 0.
    pub reserved: [u8; 6],
}

/// The caller's memory for a column. It may be uninitialised.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fastutf_column_room {
    /// Memory for the values.
    pub values: *mut c_void,
    /// How many bytes there is room for.
    pub values_capacity: usize,
    /// Memory for offsets of the same size as those of the input. The first one written is 0.
    pub offsets: *mut c_void,
    /// How many offsets there is room for: one more than rows.
    pub offsets_capacity: usize,
    /// Memory for a bit for each row, which is written with `FASTUTF_ON_ERROR_NULL` only, and then all of it.
    pub validity: *mut u8,
    /// How many bytes of it there are.
    pub validity_capacity: usize,
}

/// What becomes of a row that is ill-formed and not null.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum fastutf_on_error {
    /// The conversion stops before it.
    FASTUTF_ON_ERROR_STOP = 0,
    /// It gets U+FFFD in place of ill-formed sequences, as from the functions for one text that end in `_lossy`.
    FASTUTF_ON_ERROR_REPLACE = 1,
    /// It becomes null, and empty.
    FASTUTF_ON_ERROR_NULL = 2,
}

/// Whether all rows of a column are well-formed, each by itself.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_column_check {
    /// The first row that is ill-formed or, with `FASTUTF_BAD_LAYOUT`, breaks a rule; otherwise the number of rows.
    pub row: usize,
    /// How many bytes of that row are well-formed.
    pub position: usize,
    /// `FASTUTF_OK`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    pub status: fastutf_status,
    /// What is wrong, with `FASTUTF_INVALID`.
    pub error: fastutf_error,
    /// How many bytes to skip to resume after the error; 0 if the row ends inside a character.
    pub error_length: u8,
    /// 0.
    pub reserved: [u8; 5],
}

/// How far the conversion of a column got, and why it stopped.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_column_conversion {
    /// How many rows are in the output, each as a whole: one more offset was written. If the status is not `FASTUTF_OK`, the
    /// row with this number is the one that does not fit, is ill-formed or, with `FASTUTF_BAD_LAYOUT`, breaks a rule. Of the
    /// rows behind it, no offset is promised to have been checked.
    pub rows: usize,
    /// How many bytes of values they have: the last offset. The memory after these may have been changed.
    pub written: usize,
    /// How many of these rows were ill-formed, and not null.
    pub ill_formed_rows: usize,
    /// How many times U+FFFD was written for something ill-formed.
    pub replacements: usize,
    /// How many bytes of the ill-formed row are well-formed, with `FASTUTF_INVALID`.
    pub position: usize,
    /// `FASTUTF_OK`, `FASTUTF_OUTPUT_FULL`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    pub status: fastutf_status,
    /// What is wrong, with `FASTUTF_INVALID`.
    pub error: fastutf_error,
    /// How many bytes to skip to resume after the error; 0 if the row ends inside a character.
    pub error_length: u8,
    /// 0.
    pub reserved: [u8; 5],
}

impl From<fastutf_status> for fastutf_column_check {
    fn from(status: fastutf_status) -> Self {
        Self { row: 0, position: 0, status, error: FASTUTF_NO_ERROR, error_length: 0, reserved: [0; 5] }
    }
}

impl From<fastutf_status> for fastutf_column_conversion {
    fn from(status: fastutf_status) -> Self {
        Self {
            rows: 0,
            written: 0,
            ill_formed_rows: 0,
            replacements: 0,
            position: 0,
            status,
            error: FASTUTF_NO_ERROR,
            error_length: 0,
            reserved: [0; 5],
        }
    }
}

impl fastutf_column_check {
    fn of<E: Described>(rows: usize, result: Result<(), RowError<E>>) -> Self {
        match result {
            Ok(()) => Self { row: rows, ..FASTUTF_OK.into() },
            Err(RowError { row, error, .. }) => {
                let (position, length, error) = error.described();
                let error_length = length.unwrap_or(0) as u8;
                Self { row, position: position as usize, error, error_length, ..FASTUTF_INVALID.into() }
            }
        }
    }
}

impl fastutf_column_conversion {
    fn of<E: Described>(out: ColumnConversion<E>) -> Self {
        let new = Self {
            rows: out.rows,
            written: out.written,
            ill_formed_rows: out.ill_formed_rows,
            replacements: out.replacements,
            ..FASTUTF_OK.into()
        };
        match out.stop {
            Stop::Complete => new,
            Stop::OutputFull => Self { status: FASTUTF_OUTPUT_FULL, ..new },
            Stop::Invalid(error) => {
                let check = fastutf_column_check::of(0, Err(error));
                let fastutf_column_check { position, status, error, error_length, .. } = check;
                Self { position, status, error, error_length, ..new }
            }
        }
    }
}

/// Why a column cannot be used, and which row it is that breaks a rule.
struct Refused(fastutf_status, usize);

impl From<fastutf_status> for Refused {
    fn from(status: fastutf_status) -> Self {
        Self(status, 0)
    }
}

impl From<LayoutError> for Refused {
    fn from(error: LayoutError) -> Self {
        Self(FASTUTF_BAD_LAYOUT, error.row)
    }
}

impl From<Refused> for fastutf_column_check {
    fn from(Refused(status, row): Refused) -> Self {
        Self { row, ..status.into() }
    }
}

impl From<Refused> for fastutf_column_conversion {
    fn from(Refused(status, rows): Refused) -> Self {
        Self { rows, ..status.into() }
    }
}

/// A type of offsets.
trait Number: Offset + Pointee<Unit = Self> {
    /// Those of a column without rows.
    const NO_ROWS: &'static [Self];
    /// The largest one, as far as a length can be.
    const MOST: usize;

    /// This and `more`, which is not above the largest one.
    fn plus(self, more: usize) -> Self;
}

impl Number for i32 {
    const NO_ROWS: &'static [Self] = &[0];
    const MOST: usize = Self::MAX as usize;

    fn plus(self, more: usize) -> Self {
        self + more as Self
    }
}

impl Number for i64 {
    const NO_ROWS: &'static [Self] = &[0];
    const MOST: usize = isize::MAX as usize;

    fn plus(self, more: usize) -> Self {
        self + more as Self
    }
}

/// The number of bytes of offsets.
fn offsets_size(column: &fastutf_column, offsets: usize) -> Result<usize, fastutf_status> {
    offsets.checked_mul(column.offset_size.into()).ok_or(FASTUTF_BAD_LENGTH)
}

/// How many rows are checked and converted at a time, so that a call does not check the offsets of rows that it does not come to.
/// It is a multiple of 8: each part has bytes of its own in a bitmap.
const PART: usize = 8192;

/// The column that a caller passes, of which no offset has been looked at.
struct Passed<'a, O> {
    values: &'a [u8],
    offsets: &'a [O],
    validity: Option<Validity<'a>>,
    isa: Isa,
}

impl<O: Number> Passed<'_, O> {
    /// # Safety
    ///
    /// As for [`source`], for all that it points to.
    unsafe fn of(column: &fastutf_column) -> Result<Self, Refused> {
        let isa = isa::isa(column.isa)?;
        let count = column.rows.checked_add(1).ok_or(FASTUTF_BAD_LENGTH)?;
        // SAFETY: the caller's promise.
        let (values, validity) = unsafe {
            (
                source(column.values, column.values_length)?,
                source::<c_void>(column.validity.cast(), column.validity_length)?,
            )
        };
        let offsets = if column.rows == 0 && column.offsets.is_null() {
            O::NO_ROWS
        } else {
            // SAFETY: the caller's promise.
            unsafe { source::<O>(column.offsets.cast(), count)? }
        };
        let validity = if column.validity.is_null() {
            None
        } else {
            Some(Validity::new(validity, column.validity_offset, column.rows)?)
        };
        Ok(Self { values, offsets, validity, isa })
    }

    /// The rows `from..to`, after a check of their offsets.
    fn rows(&self, from: usize, to: usize) -> Result<Column<'_, O>, Refused> {
        let column = Column::new(self.values, &self.offsets[from..=to])
            .map_err(|error| Refused(FASTUTF_BAD_LAYOUT, from + error.row))?
            .with_isa(self.isa);
        match self.validity {
            Some(validity) => Ok(column.with_validity(validity.slice(from..to))?),
            None => Ok(column),
        }
    }
}

/// The memory that a caller passes for a column.
struct Room<'a, O> {
    values: &'a mut [MaybeUninit<u8>],
    offsets: &'a mut [MaybeUninit<O>],
    validity: &'a mut [u8],
}

impl<O: Number> Room<'_, O> {
    /// It has nothing in common with that of the input, or with itself. A bitmap is filled with zeros, if there are `nulls`.
    ///
    /// # Safety
    ///
    /// As for [`destination`], for all that it points to.
    unsafe fn of(column: &fastutf_column, room: &fastutf_column_room, nulls: bool) -> Result<Self, Refused> {
        let count = column.rows.checked_add(1).ok_or(FASTUTF_BAD_LENGTH)?;
        let count = if column.offsets.is_null() { 0 } else { count };
        let inputs = [
            (column.values, column.values_length),
            (column.offsets, offsets_size(column, count)?),
            (column.validity.cast(), column.validity_length),
        ];
        let outputs = [
            (room.values, room.values_capacity),
            (room.offsets, offsets_size(column, room.offsets_capacity)?),
            (room.validity.cast(), room.validity_capacity),
        ];
        for (number, &output) in outputs.iter().enumerate() {
            for &input in &inputs {
                apart::<c_void, c_void>(input, output)?;
            }
            for &(other, length) in &outputs[..number] {
                apart::<c_void, c_void>((other.cast_const(), length), output)?;
            }
        }
        // SAFETY: the caller's promise; they are apart.
        unsafe {
            let values: &mut [MaybeUninit<u8>] = destination(room.values, room.values_capacity)?;
            let offsets: &mut [MaybeUninit<O>] = destination(room.offsets.cast::<O>(), room.offsets_capacity)?;
            let validity = if nulls { zeroed(room.validity, room.validity_capacity)? } else { &mut [] };
            let most = values.len().min(O::MOST);
            Ok(Self { values: &mut values[..most], offsets, validity })
        }
    }

    /// What is for the rows `from..to`, after `written` bytes of values.
    fn rest(&mut self, from: usize, to: usize, written: usize) -> ColumnRoom<'_, O> {
        let bits = self.validity.len();
        let validity = &mut self.validity[(from / 8).min(bits)..to.div_ceil(8).min(bits)];
        ColumnRoom::uninit(&mut self.values[written..], &mut self.offsets[from..]).with_validity(validity)
    }
}

/// Converts part by part. The first `part` has been checked.
fn in_parts<'a, O: Number, E: Described>(
    column: &'a Passed<'_, O>,
    mut part: Column<'a, O>,
    room: &mut Room<'_, O>,
    policy: Policy,
    convert: fn(Column<'_, O>, Policy, ColumnRoom<'_, O>) -> ColumnConversion<E>,
) -> Result<fastutf_column_conversion, Refused> {
    let rows = column.offsets.len() - 1;
    let mut done = fastutf_column_conversion::from(FASTUTF_OK);
    loop {
        let (from, written) = (done.rows, done.written);
        let out = convert(part, policy, room.rest(from, from + part.rows(), written));
        if written > 0 {
            // The offsets of a part begin with 0.
            for offset in &mut room.offsets[from..=from + out.rows] {
                // SAFETY: a conversion initialises one more offset than it converts rows.
                *offset = MaybeUninit::new(unsafe { offset.assume_init() }.plus(written));
            }
        }
        let out = fastutf_column_conversion::of(out);
        done = fastutf_column_conversion {
            rows: from + out.rows,
            written: written + out.written,
            ill_formed_rows: done.ill_formed_rows + out.ill_formed_rows,
            replacements: done.replacements + out.replacements,
            ..out
        };
        if done.status != FASTUTF_OK || done.rows == rows {
            return Ok(done);
        }
        part = column.rows(done.rows, rows.min(done.rows + PART))?;
    }
}

/// Does one operation with 32-bit offsets, or the other with 64-bit offsets.
///
/// # Safety
///
/// As for [`Passed::of`].
unsafe fn check<E: Described>(
    column: *const fastutf_column,
    of_32_bits: fn(Column<'_, i32>) -> Result<(), RowError<E>>,
    of_64_bits: fn(Column<'_, i64>) -> Result<(), RowError<E>>,
) -> fastutf_column_check {
    let check = || -> Result<fastutf_column_check, Refused> {
        // SAFETY: the caller's promise.
        let (rows, result) = unsafe {
            let arguments = one(column)?;
            match arguments.offset_size {
                4 => (arguments.rows, of_32_bits(Passed::of(arguments)?.rows(0, arguments.rows)?)),
                8 => (arguments.rows, of_64_bits(Passed::of(arguments)?.rows(0, arguments.rows)?)),
                _ => return Err(FASTUTF_BAD_OPTION.into()),
            }
        };
        Ok(fastutf_column_check::of(rows, result))
    };
    check().unwrap_or_else(|refused| refused.into())
}

macro_rules! checks {
    ($($(#[$doc:meta])* $name:ident = $operation:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(column: *const fastutf_column) -> fastutf_column_check {
            // SAFETY: the caller's promise.
            unsafe { check(column, columns::$operation, columns::$operation) }
        }
    )*};
}

checks! {
    /// Checks that each row of UTF-8 that is not null is well-formed by itself.
    fastutf_column_validate_utf8 = validate_utf8;

    /// The same for UTF-16LE.
    fastutf_column_validate_utf16le = validate_utf16le;

    /// The same for UTF-16BE.
    fastutf_column_validate_utf16be = validate_utf16be;
}

/// Does one operation with offsets of this type.
///
/// # Safety
///
/// As for [`Passed::of`] and [`Room::of`].
unsafe fn convert_as<O: Number, E: Described>(
    column: &fastutf_column,
    room: &fastutf_column_room,
    policy: Policy,
    convert: fn(Column<'_, O>, Policy, ColumnRoom<'_, O>) -> ColumnConversion<E>,
) -> Result<fastutf_column_conversion, Refused> {
    // SAFETY: the caller's promise.
    let passed = unsafe { Passed::<O>::of(column)? };
    // Before anything is written.
    let part = passed.rows(0, column.rows.min(PART))?;
    // SAFETY: the caller's promise.
    let mut room = unsafe { Room::of(column, room, policy == Policy::Null)? };
    in_parts(&passed, part, &mut room, policy, convert)
}

/// Does one operation with 32-bit offsets, or the other with 64-bit offsets.
///
/// # Safety
///
/// As for [`convert_as`].
unsafe fn convert<E: Described>(
    column: *const fastutf_column,
    room: *const fastutf_column_room,
    on_error: u8,
    of_32_bits: fn(Column<'_, i32>, Policy, ColumnRoom<'_, i32>) -> ColumnConversion<E>,
    of_64_bits: fn(Column<'_, i64>, Policy, ColumnRoom<'_, i64>) -> ColumnConversion<E>,
) -> fastutf_column_conversion {
    let convert = || -> Result<fastutf_column_conversion, Refused> {
        let policy = match on_error {
            0 => Policy::Error,
            1 => Policy::Replace,
            2 => Policy::Null,
            _ => return Err(FASTUTF_BAD_OPTION.into()),
        };
        // SAFETY: the caller's promise.
        unsafe {
            let (column, room) = (one(column)?, one(room)?);
            match column.offset_size {
                4 => convert_as(column, room, policy, of_32_bits),
                8 => convert_as(column, room, policy, of_64_bits),
                _ => Err(FASTUTF_BAD_OPTION.into()),
            }
        }
    };
    convert().unwrap_or_else(|refused| refused.into())
}

macro_rules! conversions {
    ($($(#[$doc:meta])* $name:ident = $operation:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            column: *const fastutf_column,
            room: *const fastutf_column_room,
            on_error: u8,
        ) -> fastutf_column_conversion {
            // SAFETY: the caller's promise.
            unsafe { convert(column, room, on_error, columns::$operation, columns::$operation) }
        }
    )*};
}

conversions! {
    /// Converts as many rows of UTF-16LE to UTF-8 as there is room for. `on_error` is a `fastutf_on_error`. After
    /// `FASTUTF_OUTPUT_FULL`, go on with the rows from that number on. It checks at most 8192 of these.
    fastutf_column_utf16le_to_utf8 = utf16le_to_utf8_into;

    /// The same for UTF-16BE.
    fastutf_column_utf16be_to_utf8 = utf16be_to_utf8_into;

    /// The same for UTF-8 to UTF-16LE.
    fastutf_column_utf8_to_utf16le = utf8_to_utf16le_into;

    /// The same for UTF-8 to UTF-16BE.
    fastutf_column_utf8_to_utf16be = utf8_to_utf16be_into;

    /// The same for UTF-8 to UTF-8: a copy without what is ill-formed.
    fastutf_column_utf8_to_utf8 = utf8_to_utf8_into;
}
