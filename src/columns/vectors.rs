//! Conversions to vectors, which grow: see [`append`].

use alloc::vec::Vec;

use super::append::{Append, Direction, Ends, Policy, Refusal, Values};
use super::error::{ColumnError, RowError};
use super::layout::{Column, Offset};
use super::text::Text;
use super::validity::Bitmap;
use crate::api::converter::Converter;
use crate::api::into_vec;
use crate::isa::Isa;
use crate::output::Output;
use crate::report;

/// What became of ill-formed rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The number of rows that were ill-formed, and not null.
    pub ill_formed_rows: usize,
    /// How many times U+FFFD was written for something ill-formed. Only with [`Policy::Replace`].
    pub replacements: usize,
    /// Which rows are null now. `None`: none became null, and the validity is that of the input. Only with
    /// [`Policy::Null`].
    pub validity: Option<Bitmap>,
}

/// The ends of rows in a vector, which may have some already.
pub(super) trait Growing: Ends {
    fn len(&self) -> usize;
    fn last(&self) -> Option<usize>;
    fn truncate(&mut self, len: usize);
    fn reserve(&mut self, more: usize);
}

impl<P: Offset> Ends for Vec<P> {
    fn max(&self) -> usize {
        P::MAX
    }

    #[inline]
    fn push(&mut self, end: usize) {
        self.push(P::of(end));
    }

    fn repeat(&mut self, end: usize, times: usize) {
        self.resize(self.len() + times, P::of(end));
    }

    fn extend(&mut self, base: usize, ends: &[u32]) {
        Extend::extend(self, ends.iter().map(|&end| P::of(base + end as usize)));
    }
}

impl<P: Offset> Growing for Vec<P> {
    fn len(&self) -> usize {
        self.len()
    }

    fn last(&self) -> Option<usize> {
        // One that is negative is not where any values end.
        self.as_slice().last().map(|last| last.get().unwrap_or(usize::MAX))
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn reserve(&mut self, more: usize) {
        self.reserve(more);
    }
}

/// The values of rows, and which of them are null, if any became that.
struct Grown<'a> {
    values: &'a mut Vec<u8>,
    validity: Option<Bitmap>,
}

impl Values for Grown<'_> {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
    }

    fn room(&self) -> usize {
        usize::MAX
    }

    fn reserve(&mut self, most: usize, left: impl FnOnce() -> usize) {
        if self.values.capacity() - self.values.len() < most {
            self.values.reserve(left().max(most));
        }
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.values.extend_from_slice(bytes);
    }

    fn convert<O: report::Written>(
        &mut self,
        most: usize,
        count: impl Fn() -> usize,
        converter: Converter<impl Fn(&mut Output) -> O>,
    ) -> O {
        into_vec::append(self.values, most, count, converter)
    }

    #[inline(always)]
    fn repair(&mut self, isa: Isa, src: &[u8]) -> Option<usize> {
        // Most rows are well-formed, even here: copying after a check is faster than checking and copying at once.
        let (valid, rest) = isa.split_valid(src);
        self.values.extend_from_slice(valid.as_bytes());
        Some(if rest.is_empty() { 0 } else { isa.append_repaired(rest, self.values).replacements })
    }

    fn set_null(&mut self, text: &Text<'_>, row: usize) {
        self.validity.get_or_insert_with(|| Bitmap::of(text.validity, text.count)).set_null(row);
    }
}

/// Why nothing was appended.
pub(super) enum Failure {
    IllFormed(usize),
    TooLong(usize),
    Misplaced,
}

impl Failure {
    pub fn error<O: Offset, E>(
        self,
        column: &Column<'_, O>,
        validate: impl Fn(Isa, &[u8]) -> Result<(), E>,
    ) -> ColumnError<E> {
        match self {
            Self::IllFormed(row) => ColumnError::IllFormed(RowError::of(column, row, validate)),
            Self::TooLong(row) => ColumnError::TooLong { row },
            Self::Misplaced => ColumnError::Misplaced,
        }
    }
}

/// Appends all rows of `text`, or nothing.
pub(super) fn append(
    text: Text<'_>,
    kind: Direction,
    policy: Policy,
    values: &mut Vec<u8>,
    ends: &mut dyn Growing,
) -> Result<Outcome, Failure> {
    let before = (values.len(), ends.len());
    match ends.last() {
        Some(last) if last != values.len() => return Err(Failure::Misplaced),
        Some(_) => {}
        None if values.len() > ends.max() => return Err(Failure::TooLong(0)),
        None => ends.push(values.len()),
    }
    ends.reserve(text.count);
    let mut append = Append::new(text, kind, policy, Grown { values, validity: None }, ends);
    let done = append.all();
    let outcome = Outcome {
        ill_formed_rows: append.ill_formed_rows,
        replacements: append.replacements,
        validity: append.values.validity,
    };
    if let Err(refusal) = done {
        values.truncate(before.0);
        ends.truncate(before.1);
        return Err(match refusal {
            Refusal::IllFormed(row) => Failure::IllFormed(row),
            Refusal::TooLong(row) => Failure::TooLong(row),
            Refusal::Full => unreachable!("a vector grows"),
        });
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{
        ColumnRoom, LengthError, ViewColumn, count_chars_utf8, count_chars_utf8_append, utf8_to_utf8_into,
    };
    use crate::endian::ByteOrder;
    use crate::report::Stop;

    /// Rows up to the largest offset, and beyond it: all fine, or with an ill-formed one, alone or in the middle. The
    /// row that does not fit is named, and everything is as before.
    #[test]
    fn beyond_the_largest_offset() {
        for isa in Isa::available() {
            for row in [&b"abcdefgh"[..], "привет, ".as_bytes(), b"abc\xFFdefg", b"\xE6\xBC"] {
                for count in 0..200 {
                    let values = row.repeat(count);
                    let offsets: Vec<u64> = (0..=count).map(|k| (k * row.len()) as u64).collect();
                    let column = Column::new(&values, &offsets).unwrap().with_isa(isa);
                    let kinds = [
                        Direction::Utf8ToUtf8,
                        Direction::Utf8ToUtf16(ByteOrder::Little),
                        Direction::Utf16ToUtf8(ByteOrder::Big),
                    ];
                    for kind in kinds {
                        let bounds = [0, row.len()];
                        let one = Column::new(row, &bounds).unwrap();
                        let (mut becomes, mut end) = (Vec::new(), Vec::<usize>::new());
                        let done = append(Text::of(&one), kind, Policy::Replace, &mut becomes, &mut end);
                        assert!(done.is_ok());
                        for start in [0, 1, 245, 248, 255] {
                            let mut values = std::vec![7; start];
                            let mut ends = std::vec![start as u8];
                            let fit = (255 - start) / becomes.len();
                            match append(Text::of(&column), kind, Policy::Replace, &mut values, &mut ends) {
                                Ok(_) => assert!(count <= fit && ends.len() == 1 + count, "{isa}"),
                                Err(Failure::TooLong(row)) => {
                                    assert!(row == fit && fit < count, "{isa}: {row}, {fit}");
                                    assert!(values == std::vec![7; start] && ends == [start as u8], "{isa}");
                                }
                                Err(_) => panic!("{isa}: another refusal"),
                            }
                        }
                    }
                }
            }
        }
        let column = Column::new(b"", &[0i32]).unwrap();
        let (mut values, mut ends) = (std::vec![0; 256], Vec::<u8>::new());
        let done = append(Text::of(&column), Direction::Utf8ToUtf8, Policy::Error, &mut values, &mut ends);
        assert!(matches!(done, Err(Failure::TooLong(0))) && values.len() == 256);
        values.truncate(255);
        let done = append(Text::of(&column), Direction::Utf8ToUtf8, Policy::Error, &mut values, &mut ends);
        assert!(done.is_ok() && ends == [255]);
    }

    /// A row that is longer than a piece, among rows that are converted by themselves. The output has those before it.
    #[test]
    fn a_long_row_beyond_the_largest_offset() {
        let values = [&b"\xFF".repeat(10)[..], &b"a".repeat(20_000), b"bc"].concat();
        let offsets: Vec<usize> = (0..=10).chain([20_010, 20_012]).collect();
        for isa in Isa::available() {
            let column = Column::new(&values, &offsets).unwrap().with_isa(isa);
            for policy in [Policy::Replace, Policy::Null] {
                let (mut to, mut ends) = (std::vec![7; 3], std::vec![3u8]);
                let done = append(Text::of(&column), Direction::Utf8ToUtf8, policy, &mut to, &mut ends);
                assert!(matches!(done, Err(Failure::TooLong(10))), "{isa}");
                assert!(to == [7; 3] && ends == [3], "{isa}");
                let (mut to, mut ends) = (std::vec![7; 20_040], std::vec![9u8; 13]);
                let out = utf8_to_utf8_into(
                    column,
                    policy,
                    ColumnRoom::new(&mut to, &mut ends).with_validity(&mut [0; 2]),
                );
                assert_eq!((out.rows, out.ill_formed_rows, out.stop), (10, 10, Stop::OutputFull), "{isa}");
                assert!(
                    ends[..11]
                        == (0..=10).map(|row| out.written / 10 * row).map(|end| end as u8).collect::<Vec<_>>()[..]
                );
            }
        }
    }

    /// Memory is full where offsets reach their maximum.
    #[test]
    fn room_beyond_the_largest_offset() {
        let values = b"a".repeat(300);
        for isa in Isa::available() {
            for count in 250..260 {
                let offsets: Vec<usize> = (0..=count).collect();
                let column = Column::new(&values, &offsets).unwrap().with_isa(isa);
                let (mut to, mut ends) = (std::vec![7; 300], std::vec![0u8; 300]);
                let out = utf8_to_utf8_into(column, Policy::Error, ColumnRoom::new(&mut to, &mut ends));
                let fit = count.min(255);
                assert_eq!((out.rows, out.written, out.is_complete()), (fit, fit, count == fit), "{isa}");
                assert!((0..=fit).all(|row| usize::from(ends[row]) == row), "{isa}");
            }
        }
    }

    /// A row that is longer than a piece is counted by itself: here, of bytes that begin no character and are not counted, and of
    /// a few that are.
    #[test]
    fn lengths_beyond_the_type() {
        for isa in Isa::available() {
            for count in 250..260 {
                let values = [&b"bc"[..], &b"\x80".repeat(20_000), &b"a".repeat(count)].concat();
                let offsets = [0, 2, values.len()];
                let column = Column::new(&values, &offsets).unwrap().with_isa(isa);
                let fits = count < 256;
                let expected = if fits { Ok(std::vec![2, count as u8]) } else { Err(LengthError { row: 1 }) };
                assert_eq!(count_chars_utf8::<_, u8>(column), expected, "{isa}, {count}");
                let mut lengths = std::vec![9u8];
                let done = count_chars_utf8_append(column, &mut lengths);
                assert_eq!(done.is_ok(), fits, "{isa}, {count}");
                assert_eq!(
                    lengths,
                    if fits { std::vec![9, 2, count as u8] } else { std::vec![9] },
                    "{isa}, {count}"
                );
            }
        }
    }

    #[test]
    fn views_beyond_the_largest_offset() {
        let view = |len: u8| {
            let [a, b, c, d] = u32::from(len).to_ne_bytes();
            [a, b, c, d, if len > 0 { b'a' } else { 0 }, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        };
        for last in 0..12 {
            let views = [&[view(12); 20][..], &[view(9), view(last), view(1)]].concat();
            let ends = ViewColumn::new(&views, &[], None).unwrap().to_column::<u8>();
            match (last, ends) {
                (..=5, Ok(out)) => assert_eq!(out.offsets[20..], [240, 249, 249 + last, 250 + last]),
                (6, Err(error)) => assert_eq!(error, LengthError { row: 22 }),
                (7.., Err(error)) => assert_eq!(error, LengthError { row: 21 }),
                (_, other) => panic!("{last}: {other:?}"),
            }
        }
    }
}
