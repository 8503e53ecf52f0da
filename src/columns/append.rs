//! The loop of all conversions: a piece of a column is converted as one text, and the borders of its rows are counted
//! afterwards. Rows that are ill-formed, or longer than a piece, are converted by themselves.

use alloc::vec::Vec;

use super::error::{ColumnError, RowError};
use super::layout::{Column, Offset};
use super::text::{Encoding, PIECE, Run, Text};
use super::validity::Bitmap;
use crate::api::into_vec;
use crate::borders::{Borders, Count};
use crate::conversion::LossyConversion;
use crate::endian::ByteOrder;
use crate::isa::Isa;

/// What becomes of a row that is ill-formed and not null.
///
/// ```
/// use fastutf::columns::{self, Column, Policy};
///
/// let column = Column::new(b"a\xFFb", &[0i32, 2, 3])?;
/// assert!(columns::utf8_to_utf8::<_, i32>(column, Policy::Error).is_err());
/// let out = columns::utf8_to_utf8::<_, i32>(column, Policy::Replace).unwrap();
/// assert_eq!((out.values, out.outcome.replacements), ("a\u{FFFD}b".into(), 1));
/// let out = columns::utf8_to_utf8::<_, i32>(column, Policy::Null).unwrap();
/// assert_eq!((out.offsets, out.outcome.ill_formed_rows), (vec![0, 0, 1], 1));
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The conversion stops with an error that names the row, and appends nothing.
    Error,
    /// U+FFFD stands for what is ill-formed: as many times as in the standard library's lossy functions.
    Replace,
    /// The row becomes null, and is empty in the output.
    Null,
}

/// What a conversion has met.
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

/// What is converted to what.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Utf8ToUtf8,
    Utf8ToUtf16(ByteOrder),
    Utf16ToUtf8(ByteOrder),
}

impl Kind {
    fn from(self) -> Encoding {
        match self {
            Self::Utf8ToUtf8 | Self::Utf8ToUtf16(_) => Encoding::Utf8,
            Self::Utf16ToUtf8(order) => Encoding::Utf16(order),
        }
    }

    /// The most that `len` bytes become if they are well-formed.
    fn most(self, len: usize) -> usize {
        match self {
            Self::Utf8ToUtf8 => len,
            Self::Utf8ToUtf16(_) => 2 * len,
            Self::Utf16ToUtf8(_) => len / 2 * 3,
        }
    }
}

/// Where the ends of rows go: offsets of any type.
pub(super) trait Ends {
    /// The largest offset.
    fn max(&self) -> usize;
    fn len(&self) -> usize;
    fn last(&self) -> Option<usize>;
    fn truncate(&mut self, len: usize);
    fn reserve(&mut self, more: usize);
    fn push(&mut self, end: usize);
    fn repeat(&mut self, end: usize, times: usize);
    /// Each of `ends`, counted from `base`.
    fn extend(&mut self, base: usize, ends: &[u32]);
}

impl<P: Offset> Ends for Vec<P> {
    fn max(&self) -> usize {
        P::MAX
    }

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

/// Why nothing was appended.
pub(super) enum Refusal {
    IllFormed(usize),
    TooLong(usize),
    Misplaced,
}

impl Refusal {
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
    kind: Kind,
    policy: Policy,
    values: &mut Vec<u8>,
    ends: &mut dyn Ends,
) -> Result<Outcome, Refusal> {
    let before = (values.len(), ends.len());
    match ends.last() {
        Some(last) if last != values.len() => return Err(Refusal::Misplaced),
        Some(_) => {}
        None if values.len() > ends.max() => return Err(Refusal::TooLong(0)),
        None => ends.push(values.len()),
    }
    ends.reserve(text.count);
    let start = values.len();
    let max = ends.max();
    let mut append = Append { text, kind, policy, start, max, values, ends, outcome: Outcome::default() };
    let done = append.all();
    let outcome = append.outcome;
    if let Err(refusal) = done {
        values.truncate(before.0);
        ends.truncate(before.1);
        return Err(refusal);
    }
    Ok(outcome)
}

struct Append<'a> {
    text: Text<'a>,
    kind: Kind,
    policy: Policy,
    /// The length of `values` at first.
    start: usize,
    /// The largest offset.
    max: usize,
    values: &'a mut Vec<u8>,
    ends: &'a mut dyn Ends,
    outcome: Outcome,
}

impl Append<'_> {
    fn all(&mut self) -> Result<(), Refusal> {
        let mut borders = Borders::new(match self.kind {
            Kind::Utf16ToUtf8(_) => Count::Utf8Bytes,
            _ => Count::Utf16Bytes,
        });
        let (mut row, mut run) = (0, Run::START);
        while row < self.text.count {
            if run.is_short() {
                row = self.row_by_row(&mut borders, row, &mut run)?;
                continue;
            }
            let end = self.text.first_full_null(row, self.text.piece_end(row, run));
            if end == row {
                let next = self.text.next_valid(row);
                self.ends.repeat(self.values.len(), next - row);
                row = next;
                continue;
            }
            let fault = self.piece(&mut borders, row, end)?;
            run.next(fault - row, fault == end);
            row = fault;
            if fault < end {
                self.ill_formed(fault)?;
                self.push(fault)?;
                row += 1;
            }
        }
        Ok(())
    }

    /// Converts the rows from `row` to `end` up to the first that is ill-formed, which it returns. There is no null row
    /// among them that is not empty.
    fn piece(&mut self, borders: &mut Borders, row: usize, end: usize) -> Result<usize, Refusal> {
        let end = self.text.first_odd(self.kind.from(), row, end);
        if end == row {
            return Ok(row);
        }
        let src = self.text.bytes(row, end);
        let base = self.values.len();
        if src.len() > PIECE {
            // One row.
            if !self.strict(src).1 {
                self.values.truncate(base);
                return Ok(row);
            }
            self.push(row)?;
            return Ok(end);
        }
        let fault = match self.kind {
            Kind::Utf8ToUtf8 => {
                let fault = self.text.first_fault(Encoding::Utf8, row, end);
                self.reserve(row, src.len());
                self.values.extend_from_slice(self.text.bytes(row, fault));
                borders.len = fault - row + 1;
                self.text.starts(row, &mut borders.at[..borders.len]);
                fault
            }
            Kind::Utf8ToUtf16(_) | Kind::Utf16ToUtf8(_) => self.convert(borders, row, end, src),
        };
        self.commit(row, base, &borders.at[1..=fault - row])?;
        Ok(fault)
    }

    /// Converts rows from `row` on, each by itself, while the run is short: for a piece at most, so that their starts and
    /// ends are looked up and appended together. Returns the row to go on with.
    fn row_by_row(&mut self, borders: &mut Borders, row: usize, run: &mut Run) -> Result<usize, Refusal> {
        let base = self.values.len();
        let end = self.text.piece_end(row, Run::START);
        let src = self.text.bytes(row, end);
        let at = &mut borders.at[..=end - row];
        self.text.starts(row, at);
        if src.len() > PIECE {
            // One row, whose end may be more than a `u32` holds.
            let fine = self.row(row, src)?;
            run.next(usize::from(fine), fine);
            self.push(row)?;
            return Ok(end);
        }
        let (mut done, mut from) = (0, 0);
        while done < end - row && run.is_short() {
            let to = at[done + 1] as usize;
            match self.row(row + done, &src[from..to]) {
                Ok(fine) => run.next(usize::from(fine), fine),
                Err(refusal) => {
                    // One of those before may be too long, and comes first.
                    self.commit(row, base, &at[1..=done])?;
                    return Err(refusal);
                }
            }
            done += 1;
            at[done] = (self.values.len() - base) as u32;
            from = to;
        }
        self.commit(row, base, &at[1..=done])?;
        Ok(row + done)
    }

    /// Appends what a row becomes by itself. Returns whether it is well-formed, or null.
    #[inline]
    fn row(&mut self, row: usize, src: &[u8]) -> Result<bool, Refusal> {
        if self.text.is_null(row) {
            return Ok(true);
        }
        let base = self.values.len();
        if matches!(self.policy, Policy::Replace) {
            let replacements = self.lossy(src);
            self.outcome.replacements += replacements;
            self.outcome.ill_formed_rows += usize::from(replacements != 0);
            return Ok(replacements == 0);
        }
        let fine = self.strict(src).1;
        if !fine {
            self.values.truncate(base);
            self.ill_formed(row)?;
        }
        Ok(fine)
    }

    /// Converts the rows from `row` to `end` up to the first that is ill-formed, which it returns, and counts their
    /// borders in the output.
    fn convert(&mut self, borders: &mut Borders, row: usize, end: usize, src: &[u8]) -> usize {
        let base = self.values.len();
        self.reserve(row, self.kind.most(src.len()));
        let (read, complete) = self.strict(src);
        let written = self.values.len() - base;
        let fault = if complete { end } else { self.text.row_of(self.text.at(row) + read, row, end) };
        borders.len = fault - row + 1;
        let at = &mut borders.at[..borders.len];
        self.text.starts(row, at);
        // Of ASCII, and only of that, each byte is a unit.
        let inside = match self.kind {
            Kind::Utf8ToUtf16(_) if written == 2 * read => {
                for at in at {
                    *at *= 2;
                }
                false
            }
            Kind::Utf16ToUtf8(_) if 2 * written == read => {
                for at in at {
                    *at /= 2;
                }
                false
            }
            Kind::Utf16ToUtf8(order) => self.text.isa.utf16_borders(order, &src[..read], borders),
            _ => self.text.isa.utf8_borders(&src[..read], borders),
        };
        let fault = if inside { self.text.fault(self.kind.from(), row, end, read) } else { fault };
        self.values.truncate(base + borders.at[fault - row] as usize);
        fault
    }

    /// Makes room for a piece from `row` on that becomes at most `most` bytes: if there is too little, for all rows that
    /// are left, should they become longer as those before.
    fn reserve(&mut self, row: usize, most: usize) {
        if self.values.capacity() - self.values.len() >= most {
            return;
        }
        let (first, here, last) = (self.text.at(0), self.text.at(row), self.text.at(self.text.count));
        let written = (self.values.len() - self.start) as u128;
        let left = written * (last - here) as u128 / (here - first).max(1) as u128;
        // A little more, as texts differ.
        let left = usize::try_from(left + left / 32).unwrap_or(0);
        self.values.reserve(left.saturating_add(PIECE).max(most));
    }

    /// Converts `src` up to the first error. Returns how much was read, and whether that is all.
    fn strict(&mut self, src: &[u8]) -> (usize, bool) {
        let (isa, kind, values) = (self.text.isa, self.kind, &mut *self.values);
        let most = kind.most(src.len());
        match kind {
            Kind::Utf8ToUtf8 => {
                let valid = isa.validate_utf8(src).map_or_else(|error| error.valid_up_to(), |()| src.len());
                values.extend_from_slice(&src[..valid]);
                (valid, valid == src.len())
            }
            Kind::Utf8ToUtf16(order) => {
                // For ill-formed text, the count may be twice its length.
                let count = || (2 * isa.utf16_len_from_utf8(src)).min(most);
                let out = into_vec::append(values, most, count, |room| isa.utf8_to_utf16_bytes(order, src, room));
                (out.read, out.is_complete())
            }
            Kind::Utf16ToUtf8(order) => {
                let count = || isa.utf8_len_from_utf16_bytes(order, src);
                let out = into_vec::append(values, most, count, |room| isa.utf16_bytes_to_utf8(order, src, room));
                (out.read, out.is_complete())
            }
        }
    }

    /// Appends what a row becomes that is ill-formed and not null.
    #[inline(never)]
    fn ill_formed(&mut self, row: usize) -> Result<(), Refusal> {
        let src = self.text.bytes(row, row + 1);
        match self.policy {
            Policy::Error => return Err(Refusal::IllFormed(row)),
            Policy::Replace => self.outcome.replacements += self.lossy(src),
            Policy::Null => {
                let (validity, count) = (self.text.validity, self.text.count);
                self.outcome.validity.get_or_insert_with(|| Bitmap::of(validity, count)).set_null(row);
            }
        }
        self.outcome.ill_formed_rows += 1;
        Ok(())
    }

    /// Converts `src` with U+FFFD for what is ill-formed, and returns how many these are.
    fn lossy(&mut self, src: &[u8]) -> usize {
        let (isa, values) = (self.text.isa, &mut *self.values);
        let out: LossyConversion = match self.kind {
            Kind::Utf8ToUtf8 => {
                // Most rows are well-formed, even here, and are faster copied after a check than while they are checked.
                let (text, replacements) = isa.from_utf8_lossy_counted(src);
                values.extend_from_slice(text.as_bytes());
                return replacements;
            }
            Kind::Utf8ToUtf16(order) => into_vec::append(
                values,
                2 * src.len(),
                || 2 * isa.utf16_len_from_utf8_lossy(src),
                |room| match order {
                    ByteOrder::Little => isa.utf8_to_utf16le_lossy_uninit(src, room),
                    ByteOrder::Big => isa.utf8_to_utf16be_lossy_uninit(src, room),
                },
            ),
            Kind::Utf16ToUtf8(order) => into_vec::append(
                values,
                src.len().div_ceil(2) * 3,
                || match order {
                    ByteOrder::Little => isa.utf8_len_from_utf16le_lossy(src),
                    ByteOrder::Big => isa.utf8_len_from_utf16be_lossy(src),
                },
                |room| match order {
                    ByteOrder::Little => isa.utf16le_to_utf8_lossy_uninit(src, room),
                    ByteOrder::Big => isa.utf16be_to_utf8_lossy_uninit(src, room),
                },
            ),
        };
        debug_assert!(out.is_complete());
        out.replacements
    }

    /// Appends the ends of rows from `row` on, counted from `base`. All their values have been appended.
    fn commit(&mut self, row: usize, base: usize, ends: &[u32]) -> Result<(), Refusal> {
        if self.values.len() > self.max {
            let fits = |end: &u32| base + *end as usize <= self.max;
            return Err(Refusal::TooLong(row + ends.partition_point(fits)));
        }
        self.ends.extend(base, ends);
        Ok(())
    }

    /// Ends a row where the values do, unless that is beyond the largest offset.
    fn push(&mut self, row: usize) -> Result<(), Refusal> {
        if self.values.len() > self.max {
            return Err(Refusal::TooLong(row));
        }
        self.ends.push(self.values.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets that are at most 100.
    struct Short(Vec<usize>);

    impl Ends for Short {
        fn max(&self) -> usize {
            100
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn last(&self) -> Option<usize> {
            self.0.as_slice().last().copied()
        }

        fn truncate(&mut self, len: usize) {
            self.0.truncate(len);
        }

        fn reserve(&mut self, more: usize) {
            self.0.reserve(more);
        }

        fn push(&mut self, end: usize) {
            assert!(end <= 100);
            self.0.push(end);
        }

        fn repeat(&mut self, end: usize, times: usize) {
            (0..times).for_each(|_| self.push(end));
        }

        fn extend(&mut self, base: usize, ends: &[u32]) {
            ends.iter().for_each(|&end| self.push(base + end as usize));
        }
    }

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
                        Kind::Utf8ToUtf8,
                        Kind::Utf8ToUtf16(ByteOrder::Little),
                        Kind::Utf16ToUtf8(ByteOrder::Big),
                    ];
                    for kind in kinds {
                        let bounds = [0, row.len()];
                        let one = Column::new(row, &bounds).unwrap();
                        let (mut becomes, mut end) = (Vec::new(), Vec::<usize>::new());
                        let done = append(Text::of(&one), kind, Policy::Replace, &mut becomes, &mut end);
                        assert!(done.is_ok());
                        for start in [0, 1, 90, 93, 100] {
                            let mut values = std::vec![7; start];
                            let mut ends = Short(std::vec![start]);
                            let fit = (100 - start) / becomes.len();
                            match append(Text::of(&column), kind, Policy::Replace, &mut values, &mut ends) {
                                Ok(_) => assert!(count <= fit && ends.0.len() == 1 + count, "{isa}"),
                                Err(Refusal::TooLong(row)) => {
                                    assert!(row == fit && fit < count, "{isa}: {row}, {fit}");
                                    assert!(values == std::vec![7; start] && ends.0 == [start], "{isa}");
                                }
                                Err(_) => panic!("{isa}: another refusal"),
                            }
                        }
                    }
                }
            }
        }
        let column = Column::new(b"", &[0i32]).unwrap();
        let mut values = std::vec![0; 101];
        let done = append(Text::of(&column), Kind::Utf8ToUtf8, Policy::Error, &mut values, &mut Short(Vec::new()));
        assert!(matches!(done, Err(Refusal::TooLong(0))) && values.len() == 101);
        values.truncate(100);
        let mut ends = Short(Vec::new());
        let done = append(Text::of(&column), Kind::Utf8ToUtf8, Policy::Error, &mut values, &mut ends);
        assert!(done.is_ok() && ends.0 == [100]);
    }
}
