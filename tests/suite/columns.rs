//! Columns: the same as the loop over their rows, on every instruction set.

use fastutf::Isa;
use fastutf::columns::{self, Column, ColumnError, LayoutErrorKind, Policy, Validity, ViewColumn};
use fastutf_testkit::{damage, filler::random_text};

use crate::common::columns::{Bits, check};
use crate::common::{Rng, one_in};

/// What is longer than a piece, with which the library works.
const PIECES: usize = 40_000;

/// A column of these rows: its values, which do not start with the first row nor end with the last, and its offsets.
fn column_of<T: AsRef<[u8]>>(rows: impl IntoIterator<Item = T>) -> (Vec<u8>, Vec<usize>) {
    let (mut values, mut offsets) = (b"\xE2\x82".to_vec(), vec![2]);
    for row in rows {
        values.extend_from_slice(row.as_ref());
        offsets.push(values.len());
    }
    values.extend_from_slice(b"\xAC\x80");
    (values, offsets)
}

fn check_all(values: &[u8], offsets: &[usize], validity: Bits, turn: usize) {
    for (k, isa) in Isa::available().enumerate() {
        check(isa, values, offsets, validity, turn + k, None);
    }
}

/// A sequence in which each of `n` numbers stands right before each.
fn all_pairs(n: usize) -> Vec<usize> {
    let mut sequence = Vec::new();
    for a in 0..n {
        sequence.push(a);
        for b in a + 1..n {
            sequence.extend([a, b]);
        }
    }
    sequence.push(0);
    sequence
}

#[test]
fn all_pairs_are_there() {
    let sequence = all_pairs(9);
    for a in 0..9 {
        for b in 0..9 {
            assert!(sequence.windows(2).any(|pair| pair == [a, b]), "{a} {b}");
        }
    }
}

/// Every length right before every other.
#[test]
fn all_lengths_in_all_mixes() {
    let rng = &mut Rng::new(71);
    for (turn, chars) in ["a", "é", "漢", "😀", "aé漢😀 b"].iter().enumerate() {
        let chars: Vec<char> = chars.chars().collect();
        let mut row = |len: usize| {
            let mut row = String::new();
            loop {
                let char = rng.pick(&chars);
                if row.len() + char.len_utf8() > len {
                    row.extend(std::iter::repeat_n('.', len - row.len()));
                    return row;
                }
                row.push(char);
            }
        };
        let lengths: Vec<usize> = all_pairs(71).into_iter().step_by(one_in(1)).collect();
        let (values, offsets) = column_of(lengths.iter().map(|&len| row(len)));
        check_all(&values, &offsets, None, turn);
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let encode = |row: String| row.encode_utf16().flat_map(order).collect::<Vec<u8>>();
            let (values, offsets) = column_of(lengths.iter().map(|&len| encode(row(len))));
            check_all(&values, &offsets, None, turn);
        }
    }
}

/// Rows that are ill-formed, each in another way, and some that are not.
fn kinds() -> Vec<Vec<u8>> {
    let mut kinds: Vec<Vec<u8>> = [
        &b""[..],
        b"a",
        b"ab",
        b"\xC3\xA9",
        b"\xE6\xBC\xA2",
        b"\xF0\x9F\x98\x80",
        b"abcdefghijklmnopqrstuvwxyz",
        // UTF-8: cut, without a start, overlong, surrogates, too large, no lead.
        b"caf\xC3",
        b"\xA9lait",
        b"\xE6\xBC",
        b"\xA2",
        b"\xBC\xA2",
        b"\xF0\x9F\x98",
        b"\xF0",
        b"\x98\x80",
        b"\xC0\xAF",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF4\x90\x80\x80",
        b"\xFC\x80",
        b"\xFF",
        // UTF-16: the halves of a pair, both in either order, and odd lengths.
        b"a\0\x3D\xD8",
        b"\x00\xDE",
        b"\x00\xDEb\0",
        b"\xD8\x3D",
        b"\xDE\x00",
        b"\xDE\x00\xD8\x3D",
        b"a\0\x3D",
        b"\xD8",
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    // Longer than a vector.
    kinds.push([&b"0123456789".repeat(7)[..], b"\xE6\xBC"].concat());
    kinds
}

#[test]
fn ill_formed_rows_next_to_each_other() {
    let kinds = kinds();
    let mut turn = 0;
    for first in &kinds {
        for second in &kinds {
            turn += 1;
            if turn % one_in(1) != 0 {
                continue;
            }
            for before in [&b""[..], b"fine row of even length.", b"odd"] {
                let (values, offsets) = column_of([before, first, second, b"a\0"]);
                check_all(&values, &offsets, None, turn);
            }
        }
    }
    // All in one column, so that a policy meets all.
    let (values, offsets) = column_of(all_pairs(kinds.len()).into_iter().map(|kind| &kinds[kind]));
    check_all(&values, &offsets, None, 1);
}

/// Every way to cut a text into rows, with empty ones.
#[test]
fn characters_split_over_borders() {
    for (turn, text) in
        ["aé漢😀".as_bytes(), "😀漢é".as_bytes(), b"a\0\x3D\xD8\x00\xDEb\0", b"\0a\xD8\x3D\xDE\x00"]
            .into_iter()
            .enumerate()
    {
        for cuts in (0..1usize << (text.len() + 1)).step_by(one_in(1)) {
            let mut offsets = vec![0];
            for at in 0..=text.len() {
                if cuts >> at & 1 != 0 {
                    offsets.extend([at; 2]);
                    offsets.truncate(offsets.len() - at % 2);
                }
            }
            offsets.push(text.len());
            check_all(text, &offsets, None, turn + cuts);
        }
    }
}

/// Rows that start with a pair, or with a character whose bytes are nearly those of half of one, are no faults; a pair that
/// is split after them is, in the row with its first half.
#[test]
fn a_split_pair_after_others() {
    let (high, low) = (&[0xD83D_u16][..], &[0xDE00_u16][..]);
    let pair = [high, low].concat();
    for before in [&[0x61][..], &pair, &[0xD83D, 0xDE00, 0x61], &[0xE000], &[0xD7FF], &[0xDC]] {
        for count in [0, 1, 2, 70] {
            let rows = std::iter::repeat_n(before, count).chain([high, low, before]);
            for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let (values, offsets) = column_of(
                    rows.clone().map(|row| row.iter().flat_map(|&unit| to_bytes(unit)).collect::<Vec<_>>()),
                );
                check_all(&values, &offsets, None, count);
            }
        }
    }
}

/// A long column with few faults: characters cut by a border, bytes changed, rows of any length.
#[test]
fn long_columns() {
    for seed in 0..60 / one_in(1).min(20) as u64 {
        let rng = &mut Rng::new(1000 + seed);
        let longest = rng.pick(&[3, 30, 250, 3000]);
        let one_bad_in = rng.pick(&[10, 100, 1000, 1_000_000]);
        let mut rows = Vec::new();
        let mut len = 0;
        let wide = rng.below(2) == 0;
        while len < PIECES {
            let ascii = rng.below(3) == 0;
            let text = if ascii { "x".repeat(rng.below(longest)) } else { random_text(rng.below(longest), rng) };
            let mut row = text.into_bytes();
            if wide {
                row = std::str::from_utf8(&row).unwrap().encode_utf16().flat_map(u16::to_le_bytes).collect();
            }
            if rng.below(one_bad_in) == 0 {
                damage::utf8(&mut row, rng, |rng| rng.below(5) == 0);
            }
            if rng.below(one_bad_in) == 0 {
                row.pop();
            }
            len += row.len() + 1;
            rows.push(row);
        }
        let (values, mut offsets) = column_of(&rows);
        if rng.below(2) == 0 {
            // A border moved into a row, and maybe into a character.
            for _ in 0..rng.below(4) {
                let row = 1 + rng.below(offsets.len() - 2);
                offsets[row] = rng.within((offsets[row - 1], offsets[row + 1]));
            }
        }
        let bits: Vec<u8> = (0..offsets.len() / 8 + 2).map(|_| rng.next() as u8 | rng.next() as u8).collect();
        let validity = [None, Some((&bits[..], rng.below(9)))][rng.below(2)];
        check_all(&values, &offsets, validity, seed as usize);
    }
}

/// One character that is split, anywhere in ASCII: the only border that is not fine, and no other character around.
#[test]
fn one_split_character() {
    for char in ["é", "漢", "😀"] {
        for at in (0..200).step_by(one_in(1).min(13)) {
            let text = "x".repeat(at) + char + &"x".repeat(90);
            for inside in 1..char.len() {
                check_all(text.as_bytes(), &[0, at + inside, text.len()], None, at);
            }
            let units = text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
            check_all(&units, &[0, 2 * at + 2, units.len()], None, at);
            let units = text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
            check_all(&units, &[0, 2 * at + 2, units.len()], None, at);
        }
    }
}

/// Text is not taken for ASCII because there is something before it in the output: six bytes in these tests, by which the
/// input may be longer than it would be if it were ASCII.
#[test]
fn not_ascii_after_other_output() {
    for count in 0..14 {
        for row in ["é", "éx", "漢", "漢x"] {
            let (values, offsets) = column_of(vec![row; count]);
            check_all(&values, &offsets, None, count);
        }
    }
}

/// Where most rows are ill-formed, rows are converted by themselves, as many at a time as are in a piece; these fill it.
#[test]
fn ill_formed_rows_that_fill_pieces() {
    let (values, offsets) = column_of(std::iter::repeat_n(b"ab\x00\xDCcd\x80\xDC", 6000));
    check_all(&values, &offsets, None, 1);
}

/// Where most rows are ill-formed, a row that is longer than a piece is converted by itself, too: fine, ill-formed at its end, of odd
/// length, null. Those before and after it keep the rows from being taken together.
#[test]
fn long_rows_among_ill_formed_ones() {
    const PIECE: usize = 64 * 255;
    let mut turn = 0;
    for (unit, end) in [("ab", ""), ("漢字", ""), ("aé漢😀bc", "\u{7F}"), ("a\0", ""), ("a\0", "b")] {
        for len in [PIECE - 1, PIECE, PIECE + 2, PIECE + 5000] {
            let mut long = unit.repeat(len / unit.len() + 1).into_bytes();
            long.truncate(len);
            long.extend_from_slice(end.as_bytes());
            let few = vec![b"\xFF".to_vec(); 9];
            let (values, offsets) =
                column_of([&few[..], &[long.clone()], &few[..3], &[long.clone(), long, vec![b'c'; 2]]].concat());
            check_all(&values, &offsets, None, turn);
            check_all(&values, &offsets, Some((&[0xFF, 0b1110_1101], 0)), turn + 1);
            turn += 1;
        }
    }
}

/// Rows that end where a piece does, at the very byte or one off.
#[test]
fn rows_at_the_end_of_a_piece() {
    const PIECE: usize = 64 * 255;
    let mut turn = 0;
    for end in PIECE - 5..PIECE + 6 {
        for char in ["a", "é", "漢", "😀"] {
            let mut text = ".".repeat(end - 2) + &char.repeat(3);
            text += &"x".repeat(100);
            let short = (0..end / 20).map(|row| 20 * row);
            for rest in [vec![], vec![end - 1], vec![end], vec![end + 1], vec![end, end, end + 1, end + 2]] {
                turn += 1;
                if turn % one_in(1).min(37) != 0 {
                    continue;
                }
                let offsets: Vec<usize> = short.clone().chain(rest.clone()).chain([text.len()]).collect();
                check_all(text.as_bytes(), &offsets, None, turn);
                // One long row before that.
                let offsets: Vec<usize> = [0].into_iter().chain(rest).chain([text.len()]).collect();
                check_all(text.as_bytes(), &offsets, None, turn);
            }
        }
    }
}

#[test]
fn null_rows() {
    let rng = &mut Rng::new(5);
    let kinds = kinds();
    for turn in 0..400 / one_in(1).min(40) {
        let kind = |rng: &mut Rng| [3, 1, rng.below(kinds.len())][rng.below(3)];
        let rows: Vec<&Vec<u8>> = (0..rng.below(200)).map(|_| &kinds[kind(rng)]).collect();
        let (values, offsets) = column_of(&rows);
        let offset = rng.below(20);
        let random: Vec<u8> = (0..40).map(|_| rng.next() as u8).collect();
        // Those that are ill-formed in some encoding, and maybe others.
        let mut bits = vec![0xFF; 40];
        for (row, bytes) in rows.iter().enumerate() {
            let is_bad = std::str::from_utf8(bytes).is_err() || rng.below(9) == 0;
            bits[(offset + row) / 8] &= !(u8::from(is_bad) << ((offset + row) % 8));
        }
        for bits in [&random, &bits, &vec![0; 40], &vec![0xFF; 40]] {
            check_all(&values, &offsets, Some((bits, offset)), turn);
        }
    }
    // Long runs of either.
    let (values, offsets) =
        column_of((0..3000).map(|row| if row / 500 % 2 == 0 { &b"\xFF\xDE"[..] } else { b"ab" }));
    let bits: Vec<u8> = (0..3000 / 8 + 1).map(|byte| if byte * 8 / 500 % 2 == 0 { 0 } else { 0xFF }).collect();
    check_all(&values, &offsets, Some((&bits, 0)), 0);
    check_all(&values, &offsets, Some((&vec![0; 400], 3)), 0);
}

/// A null row that is not empty, at the end of a piece (which is 2040 of these rows, or 2048) and after it.
#[test]
fn a_null_row_where_a_piece_ends() {
    for row in ["漢字! ", "abc"] {
        let (values, offsets) = column_of(std::iter::repeat_n(row, 2200));
        for null in (2030..2120).step_by(one_in(1).min(30)) {
            let mut bits = vec![0xFF; 2200 / 8];
            bits[null / 8] &= !(1 << (null % 8));
            check_all(&values, &offsets, Some((&bits, 0)), null);
        }
    }
}

#[test]
fn empty_rows() {
    for rows in [0, 1, 2, 63, 64, 65, 2047, 2048, 2049] {
        check_all(b"\x80", &vec![0; rows + 1], None, rows);
        check_all(b"\x80", &vec![1; rows + 1], None, rows);
        check_all(
            b"a\x80",
            &[&vec![0; rows][..], &vec![1; rows]].concat()[..].to_vec().into_iter().chain([1]).collect::<Vec<_>>(),
            None,
            rows,
        );
    }
    let offsets = vec![3i32; 1_000_001];
    for isa in Isa::available() {
        let column = Column::new(b"abc", &offsets).unwrap().with_isa(isa);
        assert!(columns::validate_utf8(column).is_ok());
        let out = columns::utf8_to_utf16le::<_, i64>(column, Policy::Error).unwrap();
        assert!(out.values.is_empty() && out.offsets == vec![0; 1_000_001]);
        assert_eq!(columns::count_chars_utf8::<_, u32>(column).unwrap(), vec![0; 1_000_000]);
    }
}

/// One row of 1 GB, whose end is wrong or not.
#[test]
#[ignore = "takes 5 GB of memory"]
fn huge_row() {
    let mut text = "漢".repeat((1 << 30) / 3).into_bytes();
    let len = text.len();
    for isa in Isa::available() {
        let offsets = [0, len as i32, len as i32];
        let column = Column::new(&text, &offsets).unwrap().with_isa(isa);
        assert!(columns::validate_utf8(column).is_ok());
        let out = columns::utf8_to_utf16le::<_, i32>(column, Policy::Error).unwrap();
        assert_eq!(out.offsets, [0, len as i32 / 3 * 2, len as i32 / 3 * 2]);
        let back =
            columns::utf16le_to_utf8::<_, i32>(Column::new(&out.values, &out.offsets).unwrap(), Policy::Error);
        assert!(back.unwrap().values == text);
        // Its characters are three units each, now: twice as long as an `i32` can say.
        let column = Column::new(&text, &offsets).unwrap().with_isa(isa);
        let latin = vec![b'a'; len + 8];
        let rows = [0, 4, len as i32 + 8];
        let long = Column::new(&latin, &rows).unwrap().with_isa(isa);
        let (mut values, mut offsets) = (vec![7; 100], vec![100i32]);
        let got = columns::utf8_to_utf16be_append(long, Policy::Error, &mut values, &mut offsets);
        assert_eq!(got, Err(ColumnError::TooLong { row: 1 }), "{isa}");
        assert_eq!((values, offsets), (vec![7; 100], vec![100]));
        assert_eq!(columns::count_chars_utf8::<_, i32>(column), Ok(vec![len as i32 / 3, 0]));
    }
    text[len - 1] = b'a';
    for isa in Isa::available() {
        let offsets = [0, len as i64];
        let column = Column::new(&text, &offsets).unwrap().with_isa(isa);
        assert_eq!(columns::validate_utf8(column).unwrap_err().error.valid_up_to(), len - 3, "{isa}");
    }
}

#[test]
fn layouts() {
    use LayoutErrorKind::*;
    let error =
        |offsets: &[i32]| Column::new(b"abc", offsets).map(|_| ()).map_err(|error| (error.row, error.kind));
    assert_eq!(error(&[]), Err((0, NoOffsets)));
    assert_eq!(error(&[0]), Ok(()));
    assert_eq!(error(&[3]), Ok(()));
    assert_eq!(error(&[4]), Err((0, OutOfBounds)));
    assert_eq!(error(&[-1]), Err((0, Negative)));
    assert_eq!(error(&[-1, 3]), Err((0, Negative)));
    assert_eq!(error(&[0, 1, -1, 3]), Err((1, Negative)));
    assert_eq!(error(&[0, 2, 1, 3]), Err((1, Backwards)));
    assert_eq!(error(&[1, 0]), Err((0, Backwards)));
    assert_eq!(error(&[0, 2, 1, 3, 2, 3]), Err((1, Backwards)));
    assert_eq!(error(&[0, 2, 4, 3]), Err((1, OutOfBounds)));
    assert_eq!(error(&[0, 2, 3, i32::MAX]), Err((2, OutOfBounds)));
    assert_eq!(Column::new(b"abc", &[u64::MAX]).unwrap_err().kind, OutOfBounds);
    assert_eq!(Column::new(b"abc", &[0, i64::MAX, 3]).unwrap_err().row, 0);
    assert_eq!(Column::new(b"abc", &[usize::MAX, usize::MAX]).unwrap_err().row, 0);
    // One wrong place in a long column, at every row.
    for row in 0..200 {
        let mut offsets = vec![1u32; 201];
        offsets[row + 1] = 0;
        let error = Column::new(b"abc", &offsets).unwrap_err();
        assert_eq!((error.row, error.kind), (row, Backwards));
    }

    let column = Column::new(b"abc", &[0u32, 1, 3]).unwrap();
    assert_eq!((column.row(1), column.row(2)), (Some(&b"bc"[..]), None));

    let validity =
        |bytes: &[u8], offset, rows| Validity::new(bytes, offset, rows).map(|_| ()).map_err(|error| error.row);
    assert_eq!(validity(&[0], 0, 8), Ok(()));
    assert_eq!(validity(&[0], 0, 9), Err(8));
    assert_eq!(validity(&[0], 8, 0), Ok(()));
    assert_eq!(validity(&[0], usize::MAX, 1), Err(0));
    assert_eq!(validity(&[0, 0], 9, 8), Err(7));
    assert_eq!(validity(&[0, 0], 9, usize::MAX), Err(7));
    let column = Column::new(b"abc", &[0, 1]).unwrap();
    for rows in [0, 2] {
        let error = column.with_validity(Validity::new(&[0], 0, rows).unwrap()).unwrap_err();
        assert_eq!((error.row, error.kind), (rows.min(1), WrongNumberOfRows));
    }

    let view = |len: u32, prefix: &[u8; 4], buffer: u32, offset: u32| {
        let mut view = [0; 16];
        view[..4].copy_from_slice(&len.to_ne_bytes());
        view[4..8].copy_from_slice(prefix);
        view[8..12].copy_from_slice(&buffer.to_ne_bytes());
        view[12..].copy_from_slice(&offset.to_ne_bytes());
        u128::from_ne_bytes(view)
    };
    let error = |view: u128| {
        // Behind others, before them, and in another alignment.
        let check = |views: &[u128]| {
            let column = ViewColumn::new(views, &[b"", b"0123456789abcdef"], None);
            column.map(|_| ()).map_err(|error| (error.row, error.kind))
        };
        let result = check(&[0, view]);
        for at in 0..200 {
            let mut views = [0; 200];
            views[at] = view;
            assert_eq!(check(&views), result.map_err(|(_, kind)| (at, kind)));
        }
        // What is wrong twice in the same way is wrong.
        assert_eq!(check(&[0, view, view]), result);
        let views = [[0; 16], view.to_ne_bytes()];
        let column = ViewColumn::new(&views, &[b"", b"0123456789abcdef"], None);
        assert_eq!(column.map(|_| ()).map_err(|error| (error.row, error.kind)), result);
        result
    };
    assert_eq!(error(view(16, b"0123", 1, 0)), Ok(()));
    assert_eq!(error(view(13, b"3456", 1, 3)), Ok(()));
    assert_eq!(error(view(13, b"4567", 1, 4)), Err((1, OutOfBounds)));
    assert_eq!(error(view(u32::MAX, b"0123", 1, u32::MAX)), Err((1, OutOfBounds)));
    assert_eq!(error(view(13, b"0123", 0, 0)), Err((1, OutOfBounds)));
    assert_eq!(error(view(13, b"0123", 2, 0)), Err((1, NoSuchBuffer)));
    assert_eq!(error(view(13, b"0124", 1, 0)), Err((1, WrongPrefix)));
    assert_eq!(error(view(3, b"abc\0", 0, 0)), Ok(()));
    assert_eq!(error(view(3, b"abcd", 0, 0)), Err((1, Padding)));
    assert_eq!(error(view(0, b"\0\0\0\0", 0, 1 << 24)), Err((1, Padding)));
    assert_eq!(error(view(0, b"\0\0\0\x01", 0, 1 << 24)), Err((1, Padding)));
    assert_eq!(error(view(0, b"\0\0\0\x01", 0, 1)), Err((1, Padding)));
    assert_eq!(error(view(12, b"abcd", u32::MAX, u32::MAX)), Ok(()));
    let null = Validity::new(&[0b01], 0, 2).unwrap();
    let garbage = ViewColumn::new(&[0, u128::MAX], &[], Some(null)).unwrap();
    assert!(columns::validate_utf8_views(garbage).is_ok());
    assert_eq!(garbage.to_column::<i32>().unwrap().offsets, [0; 3]);
    // Texts that would be places far out.
    let inline = [view(12, &[0xFF; 4], u32::MAX, u32::MAX), 0];
    let inline = ViewColumn::new(&inline, &[], Some(null)).unwrap();
    assert_eq!(columns::validate_utf8_views(inline).unwrap_err().row, 0);
    assert_eq!(inline.to_column::<i32>().unwrap().row(0), Some(&[0xFF; 12][..]));
    assert_eq!(inline.to_column::<i32>().unwrap().values, [0xFF; 12]);
    // Two buffers, of which the second is not UTF-8.
    let two = [view(13, b"abcd", 0, 0), view(13, b"efgh", 1, 1)];
    let two = ViewColumn::new(&two, &[b"abcdefghijklm", b"\xFFefghijklmnop\xFF"], None).unwrap();
    assert_eq!(columns::validate_utf8_views(two).unwrap_err().row, 1);
    assert_eq!(ViewColumn::new(&[0], &[], Some(null)).unwrap_err().kind, WrongNumberOfRows);
}

/// Views whose text is of two kinds of bytes, alone in their column: if some of it were not looked at, or something else.
#[test]
fn views_of_all_bytes() {
    let isas: Vec<Isa> = Isa::available().collect();
    for first in 0..=255u8 {
        for second in (0..=255u8).step_by(one_in(1)) {
            let (a, b) = ([first; 4], [second; 4]);
            for (last, isa) in [a, b].into_iter().flat_map(|last| isas.iter().map(move |isa| (last, isa))) {
                let view: Vec<u8> = [12u32.to_ne_bytes(), a, b, last].concat();
                let views = [<[u8; 16]>::try_from(view).unwrap()];
                let expected = std::str::from_utf8(&views[0][4..]).map_err(|error| error.valid_up_to());
                let column = ViewColumn::new(&views, &[], None).unwrap().with_isa(*isa);
                let got = columns::validate_utf8_views(column).map_err(|error| error.error.valid_up_to());
                assert_eq!(got, expected.map(|_| ()), "{isa}: {first:x} {second:x}");
            }
        }
    }
}

/// A text in its view that looks like a place behind that of a long row, which is ill-formed.
#[test]
fn a_text_that_looks_like_a_place() {
    let buffer = [&b"ill-formed here: \xFF"[..], &[b'x'; 100]].concat();
    let view = |len: u32, text: [u8; 4], last: [u32; 2]| {
        let [a, b] = last.map(u32::to_ne_bytes);
        <[u8; 16]>::try_from([len.to_ne_bytes(), text, a, b].concat()).unwrap()
    };
    let long = |start: usize| view(20, buffer[start..][..4].try_into().unwrap(), [0, start as u32]);
    for place in 0..60 {
        let views = [view(12, *b"abcd", [0, place]), long(40), long(0), long(50)];
        for isa in Isa::available() {
            let buffers = [&buffer[..]];
            let column = ViewColumn::new(&views, &buffers, None).unwrap().with_isa(isa);
            assert_eq!(columns::validate_utf8_views(column).unwrap_err().row, 2, "{isa}: {place}");
            assert!(columns::validate_utf8_views(column.slice(..1)).is_ok(), "{isa}: {place}");
            assert!(columns::validate_utf8_views(column.slice(..2)).is_ok(), "{isa}: {place}");
        }
    }
}

/// Every part of a column has the rows that it should have, and their nulls.
#[test]
fn slices() {
    let (values, offsets) = column_of((0..21).map(|len| vec![b'a' + len; len.into()]));
    let view = |row: u8| {
        let [a, b, c, d] = 1u32.to_ne_bytes();
        u128::from_ne_bytes([a, b, c, d, row, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    };
    let views: Vec<u128> = (0..21).map(view).collect();
    let rows = |parts: &dyn Fn(usize) -> Option<Vec<u8>>, len: usize| (0..len).map(parts).collect::<Vec<_>>();
    for shift in 0..9 {
        let validity = Validity::new(&[0b0110_1011, 0x57, 0x9D, 0xE3], shift, 21).unwrap();
        let column = Column::new(&values, &offsets).unwrap().with_validity(validity).unwrap();
        let view_column = ViewColumn::new(&views, &[], Some(validity)).unwrap();
        let all = rows(&|row| column.row(row).map(<[u8]>::to_vec), 21);
        for from in 0..=21 {
            for to in from..=21 {
                let part = column.slice(from..to);
                assert_eq!((part.rows(), part.values().len()), (to - from, values.len()), "{from}..{to}");
                assert_eq!(
                    rows(&|row| part.row(row).map(<[u8]>::to_vec), to - from),
                    all[from..to],
                    "{from}..{to}"
                );
                let nulls = all[from..to].iter().filter(|row| row.is_none()).count();
                assert_eq!(part.validity().unwrap().null_count(), nulls, "{from}..{to}");
                assert!(part.row(to - from).is_none() && part.validity().unwrap().rows() == to - from);
                // Of a slice, too; and of a column without nulls.
                assert_eq!(column.slice(from..).slice(..to - from).offsets(), part.offsets());
                assert!(column.without_validity().slice(from..to).validity().is_none());
                let part = view_column.slice(from..to);
                assert_eq!(part.rows(), to - from);
                let parts = rows(&|row| part.row(row).map(<[u8]>::to_vec), to - from + 1);
                let want = (from..to).map(|row| all[row].as_ref().map(|_| vec![row as u8])).chain([None]);
                assert!(parts.into_iter().eq(want), "{from}..{to}");
            }
        }
        assert_eq!(column.slice(..=3).rows(), 4);
    }
}

/// Behind the last row, there may be bits of other rows, or nothing.
#[test]
fn rows_that_do_not_exist_are_not_valid() {
    for (shift, rows) in (0..8).flat_map(|shift| (0..=16 - shift).map(move |rows| (shift, rows))) {
        let validity = Validity::new(&[0xFF; 2], shift, rows).unwrap();
        for row in (0..=rows + 1).chain([usize::MAX]) {
            assert_eq!(validity.is_valid(row), row < rows, "row {row} of {rows} from bit {shift} on");
        }
    }
}

#[test]
#[cfg_attr(panic = "abort", ignore = "NOT TESTED: panics abort in this build")]
fn slices_that_do_not_exist() {
    use std::ops::Bound::{self, Excluded, Included, Unbounded};
    let column = Column::new(b"abc", &[0u32, 1, 3]).unwrap();
    let validity = Validity::new(&[0xFF], 3, 2).unwrap();
    let views = ViewColumn::new(&[0, 0], &[], None).unwrap();
    let wrong: [(Bound<usize>, Bound<usize>); 5] = [
        (Included(0), Excluded(3)),
        (Included(3), Unbounded),
        (Included(2), Excluded(1)),
        (Unbounded, Included(usize::MAX)),
        (Excluded(usize::MAX), Unbounded),
    ];
    for range in wrong {
        assert!(std::panic::catch_unwind(|| column.slice(range)).is_err(), "{range:?}");
        assert!(std::panic::catch_unwind(|| validity.slice(range)).is_err(), "{range:?}");
        assert!(std::panic::catch_unwind(|| views.slice(range)).is_err(), "{range:?}");
    }
}

#[test]
fn numbers_of_rows_and_nulls() {
    for rows in (0..200).step_by(one_in(1).min(7)) {
        let (values, offsets) = column_of(vec!["\u{FFFD}"; rows]);
        assert_eq!(columns::utf8_lossy(Column::new(&values, &offsets).unwrap()).unwrap().rows(), rows);
        let (values, offsets) = column_of(vec![b"\xFF"; rows]);
        assert_eq!(columns::utf8_lossy(Column::new(&values, &offsets).unwrap()).unwrap().rows(), rows);
        for shift in 0..9 {
            let validity = Validity::new(&[0b0011_0111; 27], shift, rows).unwrap();
            let nulls = (0..rows).filter(|row| 0b0011_0111 >> ((shift + row) % 8) & 1 == 0).count();
            assert_eq!(validity.null_count(), nulls, "{rows} rows from {shift} on");
        }
    }
}

#[test]
fn sources_of_errors() {
    use std::error::Error;
    let column = Column::new(b"\xFF", &[0u32, 1]).unwrap();
    let error = columns::utf8_to_utf16le::<_, i32>(column, Policy::Error).unwrap_err();
    assert_eq!(error.source().map(ToString::to_string), Some(error.to_string()));
    assert!(ColumnError::<fastutf::Utf8Error>::Misplaced.source().is_none());
}

/// What the vectors held is kept; what they cannot take is refused.
#[test]
fn appending() {
    let column = Column::new("zł€".as_bytes(), &[0u32, 3, 6]).unwrap();
    let (mut values, mut offsets) = (b"..".to_vec(), Vec::<i32>::new());
    columns::utf8_to_utf8_append(column, Policy::Error, &mut values, &mut offsets).unwrap();
    columns::utf8_to_utf16be_append(column, Policy::Error, &mut values, &mut offsets).unwrap();
    assert_eq!(values, [b"..", "zł€".as_bytes(), b"\0z\x01\x42\x20\xAC"].concat());
    assert_eq!(offsets, [2, 5, 8, 12, 14]);
    values.push(0);
    let before = (values.clone(), offsets.clone());
    let got = columns::utf8_to_utf8_append(column, Policy::Error, &mut values, &mut offsets);
    assert_eq!(got, Err(ColumnError::Misplaced));
    assert_eq!((values, offsets), before);
    let (mut values, mut offsets) = (Vec::new(), vec![-1]);
    let got = columns::utf8_to_utf8_append(column, Policy::Error, &mut values, &mut offsets);
    assert_eq!((got, offsets), (Err(ColumnError::Misplaced), vec![-1]));
    // An error takes back the first offset, too.
    let column = Column::new(b"a\xFF", &[0u32, 1, 2]).unwrap();
    let mut offsets = Vec::<i32>::new();
    assert!(columns::utf8_to_utf8_append(column, Policy::Error, &mut values, &mut offsets).is_err());
    assert!(values.is_empty() && offsets.is_empty());
    let mut lengths = vec![7i64];
    columns::count_chars_utf8_append(column, &mut lengths).unwrap();
    assert_eq!(lengths, [7, 1, 1]);
}
