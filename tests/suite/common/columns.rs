//! Compares every operation on a column with the loop over its rows. The fuzz targets compile this file as well.

use std::fmt::Debug;
use std::slice;

use fastutf::columns::{
    self, Column, ColumnConversion, ColumnError, ColumnRoom, CowColumn, Offset, Outcome, Policy, Validity,
    ViewColumn,
};
use fastutf::{Isa, Stop, Utf8Error, Utf16Error};

/// A type of offsets that a test can convert.
pub trait Cast: Offset + PartialEq {
    fn cast(at: usize) -> Self;
}

macro_rules! cast {
    ($($ty:ty)*) => {$(
        impl Cast for $ty {
            fn cast(at: usize) -> Self {
                at.try_into().unwrap()
            }
        }
    )*};
}
cast!(i32 i64 u32 u64 usize);

/// A bitmap and the bit of the first row.
pub type Bits<'a> = Option<(&'a [u8], usize)>;

/// A row as the loop over rows sees it: `None` if it is null.
type Rows<'a> = [Option<&'a [u8]>];

/// How many parts [`check`] has.
pub const PARTS: usize = 25;

/// Checks a part of what there is on this column, or all. `turn` selects the types of offsets.
pub fn check(isa: Isa, values: &[u8], offsets: &[usize], validity: Bits, turn: usize, part: Option<usize>) {
    match turn % 5 {
        0 => check_as::<i32, u64>(isa, values, offsets, validity, part),
        1 => check_as::<i64, i32>(isa, values, offsets, validity, part),
        2 => check_as::<u32, i64>(isa, values, offsets, validity, part),
        3 => check_as::<u64, usize>(isa, values, offsets, validity, part),
        _ => check_as::<usize, u32>(isa, values, offsets, validity, part),
    }
}

fn check_as<O: Cast, P: Cast>(isa: Isa, values: &[u8], offsets: &[usize], validity: Bits, part: Option<usize>) {
    let offsets: Vec<O> = offsets.iter().map(|&at| O::cast(at)).collect();
    check_column::<O, P>(isa, values, &offsets, validity, part);
}

/// The same with offsets in this memory.
pub fn check_column<O: Cast, P: Cast>(
    isa: Isa,
    values: &[u8],
    offsets: &[O],
    validity: Bits,
    part: Option<usize>,
) {
    let mut parts = 0..;
    let mut chosen = || {
        let this = parts.next();
        part.is_none() || part == this
    };
    let mut column = Column::new(values, offsets).unwrap().with_isa(isa);
    if let Some((bits, offset)) = validity {
        column = column.with_validity(Validity::new(bits, offset, column.rows()).unwrap()).unwrap();
    }
    let rows: Vec<Option<&[u8]>> = (0..column.rows()).map(|row| column.row(row)).collect();
    for (row, bytes) in rows.iter().enumerate() {
        let null =
            validity.is_some_and(|(bits, offset)| bits[(offset + row) / 8] >> ((offset + row) % 8) & 1 == 0);
        assert_eq!(bytes.is_none(), null, "row {row}");
    }
    let s = Isa::SCALAR;

    macro_rules! validation {
        ($($name:ident)*) => {$(
            if chosen() {
                let got = columns::$name(column).map_err(|error| (error.row, error.error));
                same(isa, stringify!($name), &rows, got, first_error(&rows, |row| s.$name(row)));
            }
        )*};
    }
    validation!(validate_utf8 validate_utf16le validate_utf16be);

    let decode = |(text, replacements): (String, usize)| (text.into_bytes(), replacements);
    let repair = |bytes: &[u8]| s.string_from_utf8_lossy_counted(bytes.to_vec());
    macro_rules! conversions {
        ($(($name:ident $into:ident): $error:ty, $validate:ident, $convert:expr;)*) => {$(
            let made = || converted(&rows, |row| s.$validate(row), $convert);
            if chosen() {
                conversion::<P, $error>(isa, stringify!($name), &rows, &made(), |policy, values, offsets| {
                    columns::$name(column, policy, values, offsets)
                });
            }
            if chosen() {
                into::<P, $error>(isa, stringify!($into), &made(), |policy, room| {
                    columns::$into(column, policy, room)
                });
            }
        )*};
    }
    conversions! {
        (utf8_to_utf8_append utf8_to_utf8_into): Utf8Error, validate_utf8, |row| decode(repair(row));
        (utf8_to_utf16le_append utf8_to_utf16le_into): Utf8Error, validate_utf8, |row| {
            let (text, replacements) = repair(row);
            (s.to_utf16le(&text), replacements)
        };
        (utf8_to_utf16be_append utf8_to_utf16be_into): Utf8Error, validate_utf8, |row| {
            let (text, replacements) = repair(row);
            (s.to_utf16be(&text), replacements)
        };
        (utf16le_to_utf8_append utf16le_to_utf8_into): Utf16Error, validate_utf16le,
            |row| decode(s.from_utf16le_lossy_counted(row));
        (utf16be_to_utf8_append utf16be_to_utf8_into): Utf16Error, validate_utf16be,
            |row| decode(s.from_utf16be_lossy_counted(row));
    }

    macro_rules! lengths {
        ($($name:ident)*) => {$(
            if chosen() {
                let got = columns::$name::<_, P>(column).unwrap();
                let want: Vec<P> = rows.iter().map(|row| P::cast(row.map_or(0, |row| s.$name(row)))).collect();
                same(isa, stringify!($name), &rows, got, want);
            }
        )*};
    }
    lengths!(count_chars_utf8 count_chars_utf16le count_chars_utf16be);
    lengths!(utf16_len_from_utf8 utf8_len_from_utf16le utf8_len_from_utf16be);

    if chosen() {
        borrows::<O>(isa, &rows, column, first_error(&rows, |row| s.validate_utf8(row)).is_ok());
    }
    macro_rules! to_views {
        ($($name:ident $views:ident)*) => {$(
            if chosen() {
                to_views(isa, &rows, columns::$name(column, Policy::Replace).unwrap(), |policy| {
                    columns::$views(column, policy).unwrap()
                });
            }
        )*};
    }
    to_views! {
        utf8_to_utf8 utf8_to_utf8_views
        utf16le_to_utf8 utf16le_to_utf8_views
        utf16be_to_utf8 utf16be_to_utf8_views
    }
    for is_one in [false, true] {
        if chosen() {
            views::<P>(isa, &rows, validity, is_one);
        }
    }
    assert_eq!(parts.next(), Some(PARTS));
}

/// Checks that text is borrowed if there is nothing to repair.
fn borrows<O: Cast>(isa: Isa, rows: &Rows, column: Column<'_, O>, is_well_formed: bool) {
    for (policy, got) in
        [(Policy::Replace, columns::utf8_lossy(column)), (Policy::Null, columns::utf8_or_null(column))]
    {
        match got.unwrap() {
            CowColumn::Borrowed(same) => {
                let all = same.offsets() == column.offsets() && same.values() == column.values();
                assert!(is_well_formed && all, "{isa}: {policy:?}");
            }
            CowColumn::Owned(out) => {
                assert!(!is_well_formed, "{isa}: {policy:?}: copied without need");
                let again = columns::utf8_to_utf8(column, policy).unwrap();
                same(isa, "utf8_lossy", rows, out, again);
            }
        }
    }
}

/// The first row that is ill-formed, and its error.
fn first_error<E>(rows: &Rows, validate: impl Fn(&[u8]) -> Result<(), E>) -> Result<(), (usize, E)> {
    for (row, bytes) in rows.iter().enumerate() {
        if let Some(bytes) = bytes {
            validate(bytes).map_err(|error| (row, error))?;
        }
    }
    Ok(())
}

fn same<T: PartialEq + Debug>(isa: Isa, what: &str, rows: &Rows, got: T, want: T) {
    if got != want {
        let (got, want) = (format!("{got:?}"), format!("{want:?}"));
        let differ = got.bytes().zip(want.bytes()).position(|(a, b)| a != b).unwrap_or(got.len().min(want.len()));
        let near = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[differ.saturating_sub(200)..text.len().min(differ + 200)])
                .into_owned()
        };
        let first: Vec<_> = rows.iter().take(40).collect();
        panic!(
            "{isa}: {what}\n  got … {} …\n want … {} …\n{} rows: {first:x?}",
            near(&got),
            near(&want),
            rows.len()
        );
    }
}

/// What a row that is not null becomes: text, how many replacements that has, and the error, if the row is ill-formed.
type Converted<E> = Option<(Vec<u8>, usize, Option<E>)>;

/// What each row becomes, for any policy. Finding it takes longer than all that is compared with it.
fn converted<E>(
    rows: &Rows,
    validate: impl Fn(&[u8]) -> Result<(), E>,
    lossy: impl Fn(&[u8]) -> (Vec<u8>, usize),
) -> Vec<Converted<E>> {
    let convert = |row| {
        let ((text, replaced), error) = (lossy(row), validate(row).err());
        assert_eq!(replaced > 0, error.is_some());
        (text, replaced, error)
    };
    rows.iter().map(|row| row.map(convert)).collect()
}

fn conversion<P: Cast, E: Copy + PartialEq + Debug>(
    isa: Isa,
    what: &str,
    rows: &Rows,
    converted: &[Converted<E>],
    append: impl Fn(Policy, &mut Vec<u8>, &mut Vec<P>) -> Result<Outcome, ColumnError<E>>,
) {
    let error = converted.iter().enumerate().find_map(|(row, it)| Some((row, it.as_ref()?.2?)));
    for policy in [Policy::Error, Policy::Replace, Policy::Null] {
        // What the loop over rows makes.
        let (mut values, mut offsets) = (b"before".to_vec(), vec![P::cast(2), P::cast(6)]);
        let (mut ill_formed, mut replacements) = (0, 0);
        let mut validity: Vec<u8> = vec![0; rows.len().div_ceil(8)];
        for (row, it) in converted.iter().enumerate() {
            if let Some((text, replaced, error)) = it {
                ill_formed += usize::from(error.is_some());
                if policy == Policy::Replace || error.is_none() {
                    values.extend(text);
                    replacements += replaced;
                    validity[row / 8] |= 1 << (row % 8);
                }
            }
            offsets.push(P::cast(values.len()));
        }
        let (mut got_values, mut got_offsets) = (b"before".to_vec(), vec![P::cast(2), P::cast(6)]);
        let got = append(policy, &mut got_values, &mut got_offsets);
        if let (Policy::Error, Some((row, error))) = (policy, &error) {
            let Err(ColumnError::IllFormed(got)) = got else { panic!("{isa}: {what}: {got:?}") };
            same(isa, what, rows, (got.row, &got.error), (*row, error));
            assert_eq!((&*got_values, &*got_offsets), (&b"before"[..], &[P::cast(2), P::cast(6)][..]), "{what}");
            continue;
        }
        let got = got.unwrap();
        let of = |part: &str| format!("{what}, {part}, {policy:?}");
        same(isa, &of("offsets"), rows, &got_offsets, &offsets);
        same(isa, &of("values"), rows, &got_values, &values);
        let counts = (got.ill_formed_rows, got.replacements);
        same(isa, &of("counts"), rows, counts, (ill_formed, replacements));
        let nulled = policy == Policy::Null && ill_formed > 0;
        assert_eq!(got.validity.is_some(), nulled, "{isa}: {what}");
        if let Some(got) = got.validity {
            same(isa, &of("validity"), rows, got.as_bytes(), &validity[..]);
        }
    }
}

/// Converts into memory of several sizes, and compares with the loop over rows, each in the room that those before it have
/// left.
#[allow(unsafe_code)] // memory that is not initialised
fn into<P: Cast, E: Copy + PartialEq + Debug>(
    isa: Isa,
    what: &str,
    rows: &[Converted<E>],
    into: impl Fn(Policy, ColumnRoom<'_, P>) -> ColumnConversion<E>,
) {
    let all: usize = rows.iter().flatten().map(|row| row.0.len()).sum();
    // Each call tries others.
    let some = all / 3 + rows.len();
    for policy in [Policy::Error, Policy::Replace, Policy::Null] {
        for (size, count) in [
            (all, rows.len() + 1),
            (all + 100, rows.len() + 70),
            (all.saturating_sub(1 + some % 3), rows.len() + 1),
            (some * 7 % (all + 1), rows.len() + 1),
            (some * 5 % (all + 1), some % (rows.len() + 2)),
        ] {
            let bits = if some % 4 == 3 { count / 16 } else { count.div_ceil(8) };
            let (mut values, mut offsets, mut validity) =
                (vec![0xAA; size], vec![P::cast(99); count], vec![0xAA; bits]);
            let got = into(policy, ColumnRoom::new(&mut values, &mut offsets).with_validity(&mut validity));
            let told =
                format_args!("{isa}: {what}, {policy:?}, {size} bytes, {count} offsets, {bits} bytes of bits");

            let mut limit = count.saturating_sub(1);
            if policy == Policy::Null {
                limit = limit.min(8 * bits);
            }
            let (mut want, mut ends, mut nulls) = (Vec::new(), Vec::new(), vec![0; bits]);
            ends.extend((count > 0).then(|| P::cast(0)));
            let (mut ill_formed, mut replacements, mut stop) = (0, 0, None);
            for (row, text) in rows.iter().enumerate() {
                if row == limit {
                    stop = Some(Stop::OutputFull);
                    break;
                }
                let room = size - want.len();
                match text {
                    None => {}
                    Some((text, replaced, Some(_))) if policy == Policy::Replace && text.len() <= room => {
                        want.extend(text);
                        ill_formed += 1;
                        replacements += replaced;
                    }
                    Some((_, _, Some(error))) if policy != Policy::Replace => {
                        if policy == Policy::Error {
                            stop = Some(Stop::Invalid((row, *error)));
                            break;
                        }
                        ill_formed += 1;
                    }
                    Some((text, _, None)) if text.len() <= room => {
                        want.extend(text);
                        if let Some(byte) = nulls.get_mut(row / 8) {
                            *byte |= 1 << (row % 8);
                        }
                    }
                    _ => {
                        stop = Some(Stop::OutputFull);
                        break;
                    }
                }
                ends.push(P::cast(want.len()));
            }
            let got_stop = match got.stop {
                Stop::Complete => None,
                Stop::OutputFull => Some(Stop::OutputFull),
                Stop::Invalid(error) => Some(Stop::Invalid((error.row, error.error))),
            };
            assert_eq!(got_stop, stop, "{told}");
            assert_eq!(
                (got.rows, got.written, got.ill_formed_rows, got.replacements),
                (ends.len().saturating_sub(1), want.len(), ill_formed, replacements),
                "{told}"
            );
            assert_eq!(offsets[..ends.len()], ends, "{told}");
            assert!(offsets[ends.len()..].iter().all(|&end| end == P::cast(99)), "{told}: offsets after the last");
            assert!(values[..want.len()] == want, "{told}: {:x?}, {want:x?}", &values[..want.len()]);
            let untouched = validity.iter().all(|&byte| byte == 0xAA);
            assert!(if policy == Policy::Null { validity == nulls } else { untouched }, "{told}: {validity:x?}");

            // The same into memory that is not initialised: neither values nor ends are read before they are written.
            let (mut memory, mut memory_of_ends) = (Box::new_uninit_slice(size), Box::new_uninit_slice(count));
            let mut bits = vec![0xAA; bits];
            let room = ColumnRoom::uninit(&mut memory, &mut memory_of_ends).with_validity(&mut bits);
            assert_eq!(into(policy, room), got, "{told}: uninitialised");
            // SAFETY: a conversion initialises what it reports. If one does not, a tool that watches memory says so here, and
            // otherwise the values differ.
            let got = unsafe { slice::from_raw_parts(memory[..want.len()].as_ptr().cast::<u8>(), want.len()) };
            assert!(got == want, "{told}: uninitialised values");
            // SAFETY: as above.
            let got =
                unsafe { slice::from_raw_parts(memory_of_ends[..ends.len()].as_ptr().cast::<P>(), ends.len()) };
            assert!(got == ends && bits == validity, "{told}: uninitialised ends, or bits");
        }
    }
}

/// Compares a conversion to views with the same to a column, with the same policy.
fn to_views(
    isa: Isa,
    rows: &Rows,
    want: columns::ColumnBuf<usize>,
    convert: impl Fn(Policy) -> columns::ViewColumnBuf,
) {
    let out = convert(Policy::Replace);
    let buffers: Vec<&[u8]> = out.buffers.iter().map(|buffer| &buffer[..]).collect();
    let column = ViewColumn::new(&out.views, &buffers, None).unwrap();
    for row in 0..column.rows() {
        same(isa, "to views", rows, column.row(row), want.row(row));
    }
    same(isa, "to views", rows, (column.rows(), out.outcome), (rows.len(), want.outcome.clone()));
    // There is no buffer without need.
    let any_long = (0..rows.len()).any(|row| want.row(row).unwrap().len() > 12);
    assert_eq!(out.buffers, if any_long { vec![want.values] } else { vec![] });
}

/// Puts the rows into views: those of more than 12 bytes in two buffers with bytes between them, or all behind each other.
fn views<P: Cast>(isa: Isa, rows: &Rows, validity: Bits, is_one: bool) {
    let mut buffers = [b"..".to_vec(), Vec::new()];
    let mut views = Vec::new();
    for (row, bytes) in rows.iter().enumerate() {
        let mut view = [0; 16];
        match bytes {
            // Null: a view that is none.
            None if is_one => {}
            None => view = [0xF5; 16],
            Some(bytes) => {
                view[..4].copy_from_slice(&(bytes.len() as u32).to_ne_bytes());
                if bytes.len() <= 12 {
                    view[4..4 + bytes.len()].copy_from_slice(bytes);
                    if is_one {
                        buffers[0].extend_from_slice(bytes);
                    }
                } else {
                    let buffer = usize::from(row % 7 > 4 && !is_one);
                    view[4..8].copy_from_slice(&bytes[..4]);
                    view[8..12].copy_from_slice(&(buffer as u32).to_ne_bytes());
                    view[12..].copy_from_slice(&(buffers[buffer].len() as u32).to_ne_bytes());
                    buffers[buffer].extend_from_slice(bytes);
                    if row % 11 == 3 && !is_one {
                        buffers[buffer].extend_from_slice(b"\x80\xE2");
                    }
                }
            }
        }
        views.push(u128::from_ne_bytes(view));
    }
    let buffers = buffers.each_ref().map(|buffer| &buffer[..]);
    let validity = validity.map(|(bits, offset)| Validity::new(bits, offset, rows.len()).unwrap());
    let column = ViewColumn::new(&views, &buffers, validity).unwrap().with_isa(isa);
    let got = columns::validate_utf8_views(column).map_err(|error| (error.row, error.error));
    same(isa, "validate_utf8_views", rows, got, first_error(rows, |row| Isa::SCALAR.validate_utf8(row)));
    let copy = column.to_column::<P>().unwrap();
    assert_eq!(copy.offsets.len(), rows.len() + 1);
    for (row, bytes) in rows.iter().enumerate() {
        assert_eq!(column.row(row), *bytes);
        assert_eq!(copy.row(row), Some(bytes.unwrap_or_default()));
    }
}
