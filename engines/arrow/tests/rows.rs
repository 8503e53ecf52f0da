//! Every function against a loop over the rows with the standard library, on Arrow's own random arrays, on arrays of
//! damaged text, and on slices of all of them.

use arrow::util::bench_util::{
    create_binary_array_with_seed, create_string_array_with_len_range_and_prefix_and_seed,
    create_string_view_array_with_len_range_and_seed,
};
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray,
};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use fastutf_arrow::{Encoding, Policy, TextError, decode_any, encode_any, errors, is_well_formed};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::sync::Arc;

mod common;
use common::{ENCODINGS, decoded, encoded};

type Rows = Vec<Option<Vec<u8>>>;

fn arrays(rows: &Rows) -> [ArrayRef; 3] {
    let rows = || rows.iter().map(|row| row.as_deref());
    [
        Arc::new(rows().collect::<BinaryArray>()),
        Arc::new(rows().collect::<LargeBinaryArray>()),
        Arc::new(rows().collect::<BinaryViewArray>()),
    ]
}

fn bytes(array: &dyn Array) -> Rows {
    let owned = |row: Option<&[u8]>| row.map(<[u8]>::to_vec);
    match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().iter().map(owned).collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().map(owned).collect(),
        DataType::BinaryView => array.as_binary_view().iter().map(owned).collect(),
        is => panic!("{is}"),
    }
}

fn texts(array: &dyn Array) -> Vec<Option<String>> {
    // Everything that Arrow demands of an array, text in null rows included.
    array.to_data().validate_full().unwrap();
    let owned = |row: Option<&str>| row.map(str::to_string);
    match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            StringArray::try_new(array.offsets().clone(), array.values().clone(), None).unwrap();
            array.iter().map(owned).collect()
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            LargeStringArray::try_new(array.offsets().clone(), array.values().clone(), None).unwrap();
            array.iter().map(owned).collect()
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            StringViewArray::try_new(array.views().clone(), array.data_buffers().to_vec(), None).unwrap();
            array.iter().map(owned).collect()
        }
        is => panic!("{is}"),
    }
}

fn text_error(error: ArrowError) -> TextError {
    match error {
        ArrowError::ExternalError(error) => *error.downcast().unwrap(),
        error => panic!("{error}"),
    }
}

/// Compares row by row, as an array would fill the screen.
fn same<T: PartialEq + std::fmt::Debug>(ours: &[T], expected: &[T], context: &str) {
    assert_eq!(ours.len(), expected.len(), "{context}");
    for (row, (ours, expected)) in ours.iter().zip(expected).enumerate() {
        assert_eq!(ours, expected, "{context}, row {row}");
    }
}

/// Checks an array, and some slices of it.
fn check(array: &ArrayRef, encoding: Encoding) {
    check_whole(array, encoding);
    let mut rng = StdRng::seed_from_u64(array.len() as u64);
    for _ in 0..4 {
        let from = rng.random_range(0..=array.len());
        let slice = array.slice(from, rng.random_range(0..=array.len() - from));
        check_whole(&slice, encoding);
    }
}

fn check_whole(array: &ArrayRef, encoding: Encoding) {
    let rows = bytes(array);
    let results: Vec<_> = rows.iter().map(|row| row.as_ref().map(|bytes| decoded(bytes, encoding))).collect();
    let context = format!("{} in {encoding}, {} rows", array.data_type(), rows.len());

    let expected: Vec<_> = results.iter().map(|row| row.clone().and_then(Result::ok)).collect();
    same(&texts(&decode_any(array, encoding, Policy::Null).unwrap()), &expected, &context);
    let lossy: Vec<_> =
        results.iter().map(|row| row.clone().map(|row| row.unwrap_or_else(|lossy| lossy))).collect();
    same(&texts(&decode_any(array, encoding, Policy::Replace).unwrap()), &lossy, &context);

    let bad: Vec<usize> = (0..rows.len()).filter(|&row| matches!(results[row], Some(Err(_)))).collect();
    let found = errors(array, encoding).unwrap();
    same(&found.iter().map(|error| error.row).collect::<Vec<_>>(), &bad, &context);
    for error in &found {
        let bytes = rows[error.row].as_ref().unwrap();
        assert!(decoded(&bytes[..error.offset], encoding).is_ok(), "{context}, {error}");
        if encoding == Encoding::Utf8 {
            assert_eq!(std::str::from_utf8(bytes).unwrap_err().valid_up_to(), error.offset, "{context}, {error}");
        }
    }
    let fine = is_well_formed(array, encoding).unwrap();
    let expected: Vec<_> = results.iter().map(|row| row.as_ref().map(Result::is_ok)).collect();
    same(&fine.iter().collect::<Vec<_>>(), &expected, &context);

    match decode_any(array, encoding, Policy::Error) {
        Ok(text) => {
            assert!(bad.is_empty(), "{context}");
            same(&texts(&text), &lossy, &context);
            for to in ENCODINGS {
                let there = encode_any(&text, to).unwrap();
                there.to_data().validate_full().unwrap();
                let expected: Rows = lossy.iter().map(|row| row.as_ref().map(|text| encoded(text, to))).collect();
                same(&bytes(&there), &expected, &format!("{context}, to {to}"));
                assert_eq!(there.data_type(), array.data_type());
                let back = decode_any(&there, to, Policy::Error).unwrap();
                same(&texts(&back), &lossy, &format!("{context}, from {to}"));
            }
        }
        Err(error) => assert_eq!(text_error(error), found[0], "{context}"),
    }

    if encoding == Encoding::Utf8 {
        let to = match array.data_type() {
            DataType::Binary => DataType::Utf8,
            DataType::LargeBinary => DataType::LargeUtf8,
            _ => DataType::Utf8View,
        };
        let null = decode_any(array, encoding, Policy::Null).unwrap();
        same(&texts(&null), &texts(&cast(array, &to).unwrap()), &format!("{context}, beside cast"));
        let strict = CastOptions { safe: false, ..CastOptions::default() };
        let nulls_are_text = texts_of_nulls(array);
        match (decode_any(array, encoding, Policy::Error), cast_with_options(array, &to, &strict)) {
            (Ok(ours), Ok(theirs)) => assert!(ours == theirs, "{context}, beside cast"),
            (Err(_), Err(_)) => {}
            // Arrow's cast reads null rows, too.
            (Ok(_), Err(_)) => assert!(!nulls_are_text, "{context}, beside cast"),
            (Err(error), Ok(_)) => panic!("{context}: {error}, and cast succeeds"),
        }
    }
}

/// Whether all rows are text, null or not, and everything around them in their buffer.
fn texts_of_nulls(array: &ArrayRef) -> bool {
    array.to_data().buffers().iter().all(|buffer| std::str::from_utf8(buffer).is_ok())
}

/// Rows in which some bytes are changed, cut off, or repeated, or which are null.
fn damaged(rng: &mut StdRng, rows: usize, encoding: Encoding, bad: f64) -> Rows {
    let pieces =
        ["a", "Latin text ", "ł", "żółć", "Привет", "中文字", "😀", "\u{7FF}\u{800}\u{FFFF}\u{10000}", ""];
    (0..rows)
        .map(|_| {
            if rng.random_bool(0.1) {
                return None;
            }
            let count = rng.random_range(0..6);
            let text: String = (0..count).map(|_| pieces[rng.random_range(0..pieces.len())]).collect();
            let mut bytes = encoded(&text, encoding);
            if rng.random_bool(bad) && !bytes.is_empty() {
                let at = rng.random_range(0..bytes.len());
                match rng.random_range(0..3) {
                    0 => bytes[at] = rng.random(),
                    1 => bytes.truncate(at),
                    _ => bytes[at] = 0xD8,
                }
            }
            Some(bytes)
        })
        .collect()
}

#[test]
fn damaged_text() {
    let mut rng = StdRng::seed_from_u64(1);
    for encoding in ENCODINGS {
        for rows in [0, 1, 7, 64, 511, 512, 513, 1030, 3000] {
            for bad in [0.0, 0.001, 0.02, 0.5] {
                for array in arrays(&damaged(&mut rng, rows, encoding, bad)) {
                    check(&array, encoding);
                }
            }
        }
    }
}

#[test]
fn arrows_random_strings() {
    for nulls in [0.0, 0.2] {
        let strings: [ArrayRef; 3] = [
            Arc::new(create_string_array_with_len_range_and_prefix_and_seed::<i32>(2000, nulls, 0, 40, "", 5)),
            Arc::new(create_string_array_with_len_range_and_prefix_and_seed::<i64>(2000, nulls, 5, 30, "ł", 6)),
            Arc::new(create_string_view_array_with_len_range_and_seed(2000, nulls, 0..40, 7)),
        ];
        for array in strings {
            for encoding in ENCODINGS {
                check(&encode_any(&array, encoding).unwrap(), encoding);
            }
        }
    }
}

#[test]
fn arrows_random_bytes() {
    for encoding in ENCODINGS {
        let array: ArrayRef = Arc::new(create_binary_array_with_seed::<i32>(1500, 0.1, 1, 2));
        check(&array, encoding);
        check(&cast(&array, &DataType::BinaryView).unwrap(), encoding);
        check(&cast(&array, &DataType::LargeBinary).unwrap(), encoding);
    }
}
