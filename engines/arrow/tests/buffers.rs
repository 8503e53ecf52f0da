//! What is shared and what is copied; what null rows hold; buffers that nobody has checked.

use arrow_array::builder::make_view;
use arrow_array::{Array, BinaryArray, BinaryViewArray, StringArray, StringViewArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::ArrowError;
use fastutf_arrow::{
    Encoding, Policy, check_layout, decode, decode_any, encode, errors, is_well_formed, string_array,
    string_view_array,
};

const POLICIES: [Policy; 3] = [Policy::Error, Policy::Replace, Policy::Null];

#[test]
fn well_formed_values_are_shared() {
    let bytes = BinaryArray::from(vec![Some("zło".as_bytes()), None, Some(b"ty")]);
    for policy in POLICIES {
        let text = decode(&bytes, Encoding::Utf8, policy).unwrap();
        assert_eq!(text.values().as_ptr(), bytes.values().as_ptr());
        assert_eq!(text.value_offsets().as_ptr(), bytes.value_offsets().as_ptr());
        assert_eq!(text.nulls().unwrap().validity().as_ptr(), bytes.nulls().unwrap().validity().as_ptr());
        // A slice: the offsets are counted anew, the values are shared.
        let slice = bytes.slice(1, 2);
        let text = decode(&slice, Encoding::Utf8, policy).unwrap();
        assert_eq!(text.values().as_ptr(), bytes.values()[4..].as_ptr());
        assert_eq!(text, StringArray::from(vec![None, Some("ty")]));
    }
    let text = StringArray::from(vec!["zł"]);
    assert_eq!(encode(&text, Encoding::Utf8).unwrap().values().as_ptr(), text.values().as_ptr());
}

#[test]
fn views_are_shared_except_for_what_is_repaired() {
    let long = "a text of more than twelve bytes".as_bytes();
    let bad = b"more than twelve bytes, too, and then \xFF";
    let bytes = BinaryViewArray::from(vec![long, b"short", bad, b"\xFF", b"caf\xC3"]);
    let before: Vec<_> = bytes.data_buffers().iter().map(|buffer| buffer.as_ptr()).collect();
    let text = decode(&bytes, Encoding::Utf8, Policy::Replace).unwrap();
    assert_eq!(text.value(0).as_bytes(), long);
    assert_eq!(text.value(2), "more than twelve bytes, too, and then \u{FFFD}");
    assert_eq!((text.value(3), text.value(4)), ("\u{FFFD}", "caf\u{FFFD}"));
    let after: Vec<_> = text.data_buffers().iter().map(|buffer| buffer.as_ptr()).collect();
    assert_eq!((&after[..before.len()], after.len()), (&before[..], before.len() + 1));

    let text = decode(&bytes, Encoding::Utf8, Policy::Null).unwrap();
    assert_eq!((text.data_buffers().len(), text.null_count(), text.views()[2]), (before.len(), 3, 0));
    let well_formed = bytes.slice(0, 2);
    let text = decode(&well_formed, Encoding::Utf8, Policy::Error).unwrap();
    assert_eq!(text.views().as_ptr(), bytes.views().as_ptr());
}

#[test]
fn short_texts_need_no_buffer() {
    let bytes: BinaryViewArray = (0..5000).map(|row| Some([b'a' + (row % 26) as u8, 0])).collect();
    let text = decode(&bytes, Encoding::Utf16Le, Policy::Error).unwrap();
    assert_eq!((text.data_buffers().len(), text.value(4999)), (0, "h"));
}

/// Text for several buffers, converted and repaired, with rows that are null and rows that are longer than a buffer.
#[test]
fn views_into_several_buffers() {
    let row = |row: usize| match row {
        1000 => Some("a row that is longer than a buffer ".repeat(40_000)),
        _ if row.is_multiple_of(7) => None,
        _ => Some(format!("row {row} of a long array, ł €")),
    };
    let rows: Vec<Option<String>> = (0..50_000).map(row).collect();
    let expected: StringViewArray = rows.iter().map(Option::as_deref).collect();
    let utf16 = |text: &String| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let bytes: BinaryViewArray = rows.iter().map(|row| row.as_ref().map(utf16)).collect();
    let text = decode(&bytes, Encoding::Utf16Be, Policy::Error).unwrap();
    text.to_data().validate_full().unwrap();
    // The memory of the conversion.
    assert_eq!(text.data_buffers().len(), 1);
    assert!(text == expected);
    let back = encode(&text, Encoding::Utf16Be).unwrap();
    assert!(back == bytes && back.data_buffers().len() > 2);

    let damaged = |text: &String| [text.as_bytes(), b"\xFF"].concat();
    let bytes: BinaryViewArray = rows.iter().map(|row| row.as_ref().map(damaged)).collect();
    let text = decode(&bytes, Encoding::Utf8, Policy::Replace).unwrap();
    text.to_data().validate_full().unwrap();
    let expected: StringViewArray =
        rows.iter().map(|row| row.as_ref().map(|row| format!("{row}\u{FFFD}"))).collect();
    assert!(text == expected);
    assert!(text.data_buffers().len() > bytes.data_buffers().len() + 2);
}

/// A null row may hold anything, but Arrow promises text in all rows of a string array.
#[test]
fn null_rows_that_are_not_text() {
    let nulls = NullBuffer::from(vec![true, false, true]);
    let offsets = OffsetBuffer::from_lengths([1, 1, 1]);
    let bytes = BinaryArray::new(offsets, Buffer::from(b"a\xFFb"), Some(nulls.clone()));
    let views = vec![make_view(b"a", 0, 0), make_view(b"\xFF", 0, 0), make_view(b"b", 0, 0)];
    let views = BinaryViewArray::new(views.into(), vec![], Some(nulls));
    for policy in POLICIES {
        let text = decode(&bytes, Encoding::Utf8, policy).unwrap();
        text.to_data().validate_full().unwrap();
        assert_eq!(text, StringArray::from(vec![Some("a"), None, Some("b")]));
        assert_eq!(text.value(1), "");
        let text = decode(&views, Encoding::Utf8, policy).unwrap();
        assert_eq!((text.value(0), text.value(1), text.value(2), text.null_count()), ("a", "", "b", 1));
    }
}

/// Bytes outside of the rows may be anything, but not in a string array.
#[test]
fn text_around_a_slice() {
    let bytes = BinaryArray::from(vec![b"\xFF".as_slice(), b"a", "ł".as_bytes(), b"\xFF\xFF"]);
    let slice = bytes.slice(1, 2);
    let text = decode(&slice, Encoding::Utf8, Policy::Error).unwrap();
    assert_eq!(text, StringArray::from(vec!["a", "ł"]));
    assert_eq!(text.values().as_slice(), "ał".as_bytes());
    let error = decode(&bytes.slice(2, 2), Encoding::Utf8, Policy::Error).unwrap_err();
    assert_eq!(error.to_string(), "External error: row 1, byte 0: invalid lead byte");
}

#[test]
fn buffers_that_nobody_has_checked() {
    let values = || Buffer::from("zł".as_bytes());
    let error = |offsets: Vec<i32>, nulls: Option<NullBuffer>| {
        string_array(offsets.into(), values(), nulls, Policy::Error).unwrap_err().to_string()
    };
    assert_eq!(error(vec![], None), "Invalid argument error: row 0: no offsets");
    assert_eq!(error(vec![-1, 1], None), "Invalid argument error: row 0: negative offset");
    assert_eq!(error(vec![0, 3, 1], None), "Invalid argument error: row 1: the row ends before it starts");
    assert_eq!(error(vec![0, 4], None), "Invalid argument error: row 0: the row is not within the values");
    assert!(error(vec![0, 3], Some(NullBuffer::new_null(2))).contains("differ in their number of rows"));
    assert_eq!(error(vec![0, 2, 3], None), "External error: row 0, byte 1: incomplete sequence at end of input");
    let replaced = string_array(vec![0i64, 2, 3].into(), values(), None, Policy::Replace).unwrap();
    assert_eq!((replaced.value(0), replaced.value(1)), ("z\u{FFFD}", "\u{FFFD}"));

    let view = make_view(b"a text of more than 12 bytes", 0, 0);
    let error = string_view_array(vec![view].into(), vec![], None, Policy::Replace).unwrap_err();
    assert!(error.to_string().contains("Invalid buffer index"), "{error}");
}

#[test]
fn other_types_are_refused() {
    let numbers = arrow_array::Int32Array::from(vec![1]);
    let error = decode_any(&numbers, Encoding::Utf8, Policy::Error).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Invalid argument error: expected an array of Binary, LargeBinary or BinaryView, not Int32"
    );
}

/// Two bytes for each ASCII character: more than 2 GB cannot be in an array with offsets of 32 bits.
#[test]
#[ignore = "needs 4 GB of memory"]
fn output_of_more_than_2_gb() {
    let text = StringArray::from(vec!["a".repeat(1 << 29).as_str(), "b".repeat(1 << 29).as_str(), "c"]);
    let error = encode(&text, Encoding::Utf16Le).unwrap_err();
    assert_eq!(error.to_string(), "External error: row 1: the output is longer than its type of offsets can say");
}

/// Arrays that unsafe code has built: what a view or an offset says is not believed, and what that of a null says is not
/// looked at.
#[test]
fn forged_arrays() {
    fn all(array: &dyn Array) -> [Option<String>; 14] {
        let mut results = Vec::new();
        let mut add = |error: Option<ArrowError>| results.push(error.map(|error| error.to_string()));
        add(check_layout(array).err());
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
            for policy in POLICIES {
                add(decode_any(array, encoding, policy).err());
            }
            add(is_well_formed(array, encoding).err());
        }
        add(errors(array, Encoding::Utf8).err());
        results.try_into().unwrap()
    }
    let buffer = Buffer::from(b"abcdefghijklmnopqrst");
    let views = |first: u128, nulls: Option<NullBuffer>| {
        // SAFETY: none, which is what is tested: no row of it may be read before it is checked.
        unsafe { BinaryViewArray::new_unchecked(vec![first, 0].into(), [buffer.clone()], nulls) }
    };
    let view = |len: u32, prefix: &[u8; 4], at: u32, offset: u32| {
        u128::from(len)
            | u128::from(u32::from_le_bytes(*prefix)) << 32
            | u128::from(at) << 64
            | u128::from(offset) << 96
    };
    assert_eq!(all(&views(view(14, b"cdef", 0, 2), None))[..5], [const { None }; 5]);
    for (lie, what) in [
        (view(100, b"abcd", 0, 1 << 30), "the row is not within the values"),
        (view(u32::MAX, b"abcd", 0, u32::MAX), "the row is not within the values"),
        (view(20, b"bcde", 0, 1), "the row is not within the values"),
        (view(14, b"abcd", 1, 0), "the view names a buffer that does not exist"),
        (view(14, b"abcd", u32::MAX, 0), "the view names a buffer that does not exist"),
        (view(14, b"bbcd", 0, 0), "the view's prefix is not the start of its text"),
        (view(1, b"ab\0\0", 0, 0), "the view's padding is not zero"),
    ] {
        let expected = format!("Invalid argument error: row 0: {what}");
        assert_eq!(all(&views(lie, None)), std::array::from_fn(|_| Some(expected.clone())), "{lie:x}");
        // Of a null, a view may say anything. Arrow's arrays of text promise one that is valid.
        let null = views(lie, Some(NullBuffer::from(vec![false, true])));
        assert_eq!(all(&null), [const { None }; 14]);
        for policy in POLICIES {
            let text = decode(&null, Encoding::Utf8, policy).unwrap();
            text.to_data().validate_full().unwrap();
            assert_eq!(text, StringViewArray::from(vec![None, Some("")]));
        }
        // SAFETY: as above.
        let text = unsafe { StringViewArray::new_unchecked(vec![lie].into(), [buffer.clone()], None) };
        assert_eq!(encode(&text, Encoding::Utf16Le).unwrap_err().to_string(), expected);
    }
    for offsets in [[0, 5, 2, 8], [-1, 0, 1, 2], [0, 1, 2, 21], [i32::MAX; 4], [i32::MIN; 4]] {
        // SAFETY: as above.
        let offsets = unsafe { OffsetBuffer::new_unchecked(offsets.to_vec().into()) };
        // SAFETY: as above.
        let array = unsafe { BinaryArray::new_unchecked(offsets.clone(), buffer.clone(), None) };
        for error in all(&array) {
            assert!(error.unwrap().starts_with("Invalid argument error: row "));
        }
        // SAFETY: as above.
        let text = unsafe { StringArray::new_unchecked(offsets, buffer.clone(), None) };
        assert!(encode(&text, Encoding::Utf16Be).is_err());
    }
}
