//! Fetched columns, compared with a loop over their rows.

use fastutf::columns::{ColumnError, Policy};
use fastutf_examples::wide_column::{FetchError, NULL, to_utf8};

const WIDTH: usize = 16;

/// The column that ODBC would fetch, with the rest of each row's room full of something else.
fn fetched(rows: &[Option<&[u16]>]) -> (Vec<u8>, Vec<i64>) {
    let mut block = vec![0x3D; rows.len() * WIDTH];
    let mut indicators = Vec::new();
    for (room, row) in block.chunks_exact_mut(WIDTH).zip(rows) {
        indicators.push(row.map_or(NULL, |units| 2 * units.len() as i64));
        for (to, unit) in room.chunks_exact_mut(2).zip(row.unwrap_or(&[])) {
            to.copy_from_slice(&unit.to_le_bytes());
        }
    }
    (block, indicators)
}

#[test]
fn rows_are_as_in_a_loop() {
    let texts = ["", "a", "Łódź", "naïve", "😀😀", "eightlng"].map(|text| text.encode_utf16().collect::<Vec<_>>());
    let rows: Vec<Option<&[u16]>> = (0..1000).map(|k| (k % 7 < 6).then(|| &*texts[k % 7 % 6])).collect();
    let (block, indicators) = fetched(&rows);
    let (text, validity) = to_utf8(&block, WIDTH, &indicators, Policy::Error).unwrap();
    for (row, units) in rows.iter().enumerate() {
        assert_eq!(validity[row / 8] >> (row % 8) & 1 == 1, units.is_some());
        let expected = String::from_utf16(units.unwrap_or(&[])).unwrap();
        assert_eq!(text.row(row), Some(expected.as_bytes()), "row {row}");
    }
}

#[test]
fn ill_formed_rows_are_told() {
    let rows: [Option<&[u16]>; 4] = [Some(&[0x61]), None, Some(&[0x62, 0xD800]), Some(&[0xDC00])];
    let (block, indicators) = fetched(&rows);
    let Err(FetchError::Text(ColumnError::IllFormed(error))) = to_utf8(&block, WIDTH, &indicators, Policy::Error)
    else {
        panic!("well-formed")
    };
    assert_eq!((error.row, error.error.valid_up_to()), (2, 2));
    let (text, validity) = to_utf8(&block, WIDTH, &indicators, Policy::Replace).unwrap();
    assert_eq!((&*text.values, &*validity), ("ab\u{FFFD}\u{FFFD}".as_bytes(), &[0b1101][..]));
    let (text, validity) = to_utf8(&block, WIDTH, &indicators, Policy::Null).unwrap();
    assert_eq!((&*text.values, &*validity), (&b"a"[..], &[0b0001][..]));
}

#[test]
fn truncated_rows_are_told() {
    let (block, mut indicators) = fetched(&[Some(&[0x61]), Some(&[0x62])]);
    for wrong in [WIDTH as i64 + 2, -4] {
        indicators[1] = wrong;
        let error = to_utf8(&block, WIDTH, &indicators, Policy::Replace).unwrap_err();
        assert_eq!(error, FetchError::Truncated { row: 1 });
        assert_eq!(error.to_string(), "row 1 is longer than the room it was fetched into");
    }
    assert_eq!(to_utf8(&block[..WIDTH], WIDTH, &[2, 2], Policy::Error), Err(FetchError::Truncated { row: 1 }));
}
