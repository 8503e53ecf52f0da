//! Rows, read and written, whole and damaged.

use fastutf_examples::nvarchar_rows::{Fault, Row, RowError, Rows, write_row};

const ROWS: [[Option<&str>; 3]; 4] = [
    [Some("Łódź"), None, Some("")],
    [Some("naïve"), Some("😀😀"), Some("z")],
    [None, None, None],
    [Some("\u{FEFF}"), Some("a\0b"), Some("€")],
];

/// A packet with rows after the bytes `before`.
fn packet(before: &[u8]) -> Vec<u8> {
    let mut packet = before.to_vec();
    for row in ROWS {
        write_row(&row, &mut packet).unwrap();
    }
    packet
}

fn owned(row: [Option<&str>; 3]) -> Row {
    row.map(|text| text.map(String::from)).into()
}

/// Reads rows of one column, up to the error.
fn read(packet: &[u8]) -> (Vec<Row>, Option<RowError>) {
    let (mut rows, mut error) = (Vec::new(), None);
    for row in Rows::new(packet, 1) {
        assert!(error.is_none(), "more rows after an error");
        row.map_or_else(|fault| error = Some(fault), |row| rows.push(row));
    }
    (rows, error)
}

#[test]
fn what_is_written_is_read() {
    for before in [&b""[..], b"x"] {
        let packet = packet(before);
        for rows in [Rows::new(&packet[before.len()..], 3), Rows::new(&packet[before.len()..], 3).lossy()] {
            assert_eq!(rows.collect::<Result<Vec<_>, _>>(), Ok(ROWS.map(owned).into()));
        }
    }
    let mut packet = Vec::new();
    write_row(&[Some("zł"), None], &mut packet).unwrap();
    assert_eq!(packet, b"\xD1\x04\0z\0B\x01\xFF\xFF");
}

#[test]
fn ill_formed_text_is_refused_or_replaced() {
    let cases: [(&[u8], usize, &str, &str); 5] = [
        (b"\xD1\x04\0z\0\0\xDC", 5, "row 1, byte 10: unpaired low surrogate", "z\u{FFFD}"),
        (b"\xD1\x06\0z\0\x3D\xD8!\0", 5, "row 1, byte 10: unpaired high surrogate", "z\u{FFFD}!"),
        (b"\xD1\x02\0\x3D\xD8", 3, "row 1, byte 8: high surrogate at end of input", "\u{FFFD}"),
        (b"\xD1\x03\0z\0!", 5, "row 1, byte 10: incomplete code unit at end of input", "z\u{FFFD}"),
        (b"\xD1\x03\0\x3D\xD8!", 3, "row 1, byte 8: high surrogate at end of input", "\u{FFFD}\u{FFFD}"),
    ];
    for (bad, offset, message, repaired) in cases {
        let packet = [b"\xD1\x02\0a\0", bad, b"\xD1\xFF\xFF"].concat();
        let (rows, error) = read(&packet);
        assert_eq!(rows, [[Some("a".into())]]);
        let error = error.unwrap();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.offset, 5 + offset);
        assert!(matches!(error.fault, Fault::Text(_)));
        let all: Vec<Row> = Rows::new(&packet, 1).lossy().collect::<Result<_, _>>().unwrap();
        assert_eq!(all, [[Some("a".into())], [Some(repaired.into())], [None]]);
    }
}

#[test]
fn damaged_packets_are_refused_where_they_are_damaged() {
    let whole = packet(b"");
    let ends: Vec<usize> = (0..=4)
        .map(|rows| {
            let mut packet = Vec::new();
            ROWS.iter().take(rows).for_each(|row| write_row(row, &mut packet).unwrap());
            packet.len()
        })
        .collect();
    for len in 0..whole.len() {
        let rows: Vec<_> = Rows::new(&whole[..len], 3).collect();
        let complete = ends.iter().filter(|end| **end <= len).count() - 1;
        assert!(rows[..complete].iter().zip(ROWS).all(|(row, expected)| *row == Ok(owned(expected))), "{len}");
        match &rows[complete..] {
            [] => assert!(ends.contains(&len)),
            [Err(error)] => assert!(error.row == complete && error.fault == Fault::Truncated, "{len}: {error}"),
            more => panic!("{len}: {more:?}"),
        }
    }
    let (_, error) = read(b"\xD1\x02\0a\0\xFD");
    assert_eq!(error.unwrap().to_string(), "row 1, byte 5: FD begins no row");
}

#[test]
fn a_text_that_is_too_long_is_not_written() {
    let (fits, too_long) = ("ł".repeat(0x7FFF), "z".repeat(0x8000));
    let mut packet = Vec::from(*b"before");
    assert_eq!(write_row(&[Some("a"), Some(&too_long)], &mut packet), Err(1));
    assert_eq!(packet, b"before");
    packet.clear();
    assert_eq!(write_row(&[Some(&fits)], &mut packet), Ok(()));
    assert_eq!(read(&packet), (vec![vec![Some(fits)]], None));
}
