//! The loop of all conversions: a piece of a column is converted as one text, and the borders of its rows are counted
//! afterwards. Rows that are ill-formed, or longer than a piece, are converted by themselves.
//!
//! What the rows become goes to vectors (`vectors.rs`), or to memory of a fixed size (`room.rs`).

use crate::output::Output;

use super::text::{Form, PIECE, RowsAtOnce, Text};
use crate::api::converter::Converter;
use crate::borders::{Borders, Count};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::{LossyConversion, Stop, Written};

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
    /// The conversion stops with an error that names the row. To the caller's vectors, it appends nothing.
    Error,
    /// Ill-formed sequences become U+FFFD, as many as in the standard library's lossy functions.
    Replace,
    /// The row becomes null, and is empty in the output.
    Null,
}

/// From which encoding to which.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Utf8ToUtf8,
    Utf8ToUtf16(ByteOrder),
    Utf16ToUtf8(ByteOrder),
}

impl Direction {
    fn from(self) -> Form {
        match self {
            Self::Utf8ToUtf8 | Self::Utf8ToUtf16(_) => Form::Utf8,
            Self::Utf16ToUtf8(order) => Form::Utf16(order),
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

/// Where the values of rows go.
pub(super) trait Values {
    fn len(&self) -> usize;
    fn truncate(&mut self, len: usize);
    /// How many more bytes there can be.
    fn room(&self) -> usize;
    /// Makes room for at least `most` more bytes, if that is possible. `left` guesses how many all of them will be.
    fn reserve(&mut self, most: usize, left: impl FnOnce() -> usize);
    /// Appends bytes for which there is room.
    fn extend(&mut self, bytes: &[u8]);
    /// Appends what `converter` writes: at most `most` bytes, and about as many as `count` says.
    fn convert<O: Written>(
        &mut self,
        most: usize,
        count: impl Fn() -> usize,
        converter: Converter<impl Fn(&mut Output) -> O>,
    ) -> O;
    /// Appends UTF-8 with U+FFFD for ill-formed sequences. Returns their number, or `None` if there is too little room.
    fn repair(&mut self, isa: Isa, src: &[u8]) -> Option<usize>;
    /// Makes a row null.
    fn set_null(&mut self, text: &Text<'_>, row: usize);
}

/// Where the ends of rows go: offsets of any type.
pub(super) trait Ends {
    /// The largest offset.
    fn max(&self) -> usize;
    fn push(&mut self, end: usize);
    fn repeat(&mut self, end: usize, times: usize);
    /// Each of `ends`, counted from `base`.
    fn extend(&mut self, base: usize, ends: &[u32]);
}

/// Why a row and those after it are not in the output. All rows before it are.
pub(super) enum Refusal {
    IllFormed(usize),
    /// The end of its values is more than an offset can say.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))]
    TooLong(usize),
    /// There is no room for its values.
    Full,
}

/// How many times U+FFFD was written, unless there was too little room for all.
#[inline(always)]
pub(super) fn replacements(out: LossyConversion) -> Option<usize> {
    if out.is_complete() { Some(out.replacements) } else { None }
}

pub(super) struct Append<'a, V> {
    text: Text<'a>,
    kind: Direction,
    policy: Policy,
    /// The length of `values` at first.
    start: usize,
    /// The largest offset.
    max: usize,
    pub values: V,
    ends: &'a mut dyn Ends,
    pub ill_formed_rows: usize,
    pub replacements: usize,
}

impl<'a, V: Values> Append<'a, V> {
    /// The ends begin with the length of the values.
    pub fn new(text: Text<'a>, kind: Direction, policy: Policy, values: V, ends: &'a mut dyn Ends) -> Self {
        let (start, max) = (values.len(), ends.max());
        Self { text, kind, policy, start, max, values, ends, ill_formed_rows: 0, replacements: 0 }
    }

    /// Appends all rows.
    pub fn all(&mut self) -> Result<(), Refusal> {
        let mut borders = Borders::new(match self.kind {
            Direction::Utf16ToUtf8(_) => Count::Utf8Bytes,
            _ => Count::Utf16Bytes,
        });
        let (mut row, mut run) = (0, RowsAtOnce::START);
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
            let (fault, full) = self.piece(&mut borders, row, end)?;
            run.next(fault - row, fault == end);
            row = fault;
            if fault < end {
                if full {
                    // By itself it may be ill-formed.
                    self.row(fault, self.text.bytes(fault, fault + 1))?;
                } else {
                    self.ill_formed(fault)?;
                }
                self.push(fault)?;
                row += 1;
            }
        }
        Ok(())
    }

    /// Converts the rows from `row` to `end` up to the first that is ill-formed or does not fit. Returns that row, and whether
    /// it does not fit. Null rows among them must be empty.
    fn piece(&mut self, borders: &mut Borders, row: usize, end: usize) -> Result<(usize, bool), Refusal> {
        let end = self.text.first_odd(self.kind.from(), row, end);
        if end == row {
            return Ok((row, false));
        }
        let src = self.text.bytes(row, end);
        let base = self.values.len();
        if src.len() > PIECE {
            // One row.
            let stop = self.strict(src).1;
            if stop == Stop::Complete {
                self.push(row)?;
                return Ok((end, false));
            }
            self.values.truncate(base);
            return Ok((row, stop == Stop::OutputFull));
        }
        let (fault, full) = match self.kind {
            Direction::Utf8ToUtf8 => self.copy(borders, row, end, src),
            Direction::Utf8ToUtf16(_) | Direction::Utf16ToUtf8(_) => self.convert(borders, row, end, src),
        };
        self.commit(row, base, &borders.at[1..=fault - row])?;
        Ok((fault, full))
    }

    /// Converts rows from `row` on, each by itself, while the run is short: for a piece at most, so that their starts and
    /// ends are looked up and appended together. Returns the row to go on with.
    fn row_by_row(&mut self, borders: &mut Borders, row: usize, run: &mut RowsAtOnce) -> Result<usize, Refusal> {
        let base = self.values.len();
        let end = self.text.piece_end(row, RowsAtOnce::FEW);
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
                    // A row before this one may be too long: its error comes first.
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
    #[inline(always)]
    fn row(&mut self, row: usize, src: &[u8]) -> Result<bool, Refusal> {
        if self.text.is_null(row) {
            return Ok(true);
        }
        let base = self.values.len();
        if matches!(self.policy, Policy::Replace) {
            let replacements = self.lossy(src)?;
            self.replacements += replacements;
            self.ill_formed_rows += usize::from(replacements != 0);
            return Ok(replacements == 0);
        }
        let stop = self.strict(src).1;
        if stop == Stop::Complete {
            return Ok(true);
        }
        self.values.truncate(base);
        // An ill-formed row is never in the output, however much room there is.
        if stop == Stop::OutputFull && self.text.first_fault(self.kind.from(), row, row + 1) > row {
            return Err(Refusal::Full);
        }
        self.ill_formed(row)?;
        Ok(false)
    }

    /// Copies the rows of UTF-8 from `row` to `end`, up to the first that is ill-formed or does not fit. Returns that row,
    /// and whether it does not fit.
    fn copy(&mut self, borders: &mut Borders, row: usize, end: usize, src: &[u8]) -> (usize, bool) {
        // In little room, no more than the first row that does not fit is looked at.
        let room = self.values.room();
        let end = if room < src.len() { self.text.row_of(self.text.at(row) + room, row, end) + 1 } else { end };
        let mut fault = self.text.first_fault(Form::Utf8, row, end);
        self.reserve(row, src.len());
        let room = self.values.room();
        borders.len = fault - row + 1;
        let at = &mut borders.at[..borders.len];
        self.text.starts(row, at);
        let full = at[at.len() - 1] as usize > room;
        if full {
            // The last of them that ends where there is room.
            fault = row + at.partition_point(|&end| end as usize <= room) - 1;
        }
        self.values.extend(self.text.bytes(row, fault));
        (fault, full)
    }

    /// Converts the rows from `row` to `end` up to the first that is ill-formed or does not fit, and counts their borders in
    /// the output. Returns that row, and whether it does not fit.
    fn convert(&mut self, borders: &mut Borders, row: usize, end: usize, src: &[u8]) -> (usize, bool) {
        let base = self.values.len();
        self.reserve(row, self.kind.most(src.len()));
        let (read, stop) = self.strict(src);
        let written = self.values.len() - base;
        let reached =
            if stop == Stop::Complete { end } else { self.text.row_of(self.text.at(row) + read, row, end) };
        borders.len = reached - row + 1;
        let at = &mut borders.at[..borders.len];
        self.text.starts(row, at);
        // Of ASCII, and only of that, each byte is a unit.
        let inside = match self.kind {
            Direction::Utf8ToUtf16(_) if written == 2 * read => {
                for at in at {
                    *at *= 2;
                }
                false
            }
            Direction::Utf16ToUtf8(_) if 2 * written == read => {
                for at in at {
                    *at /= 2;
                }
                false
            }
            Direction::Utf16ToUtf8(order) => self.text.isa.utf16_borders(order, &src[..read], borders),
            _ => self.text.isa.utf8_borders(&src[..read], borders),
        };
        // If a row starts inside of a character, the row that has the start of the character is before the one reached.
        let fault = if inside { self.text.fault(self.kind.from(), row, end, read) } else { reached };
        self.values.truncate(base + borders.at[fault - row] as usize);
        (fault, stop == Stop::OutputFull && fault == reached)
    }

    /// Makes room for a piece from `row` on that becomes at most `most` bytes. If there is too little, makes room for all rows
    /// that are left, as if they grew like those before.
    fn reserve(&mut self, row: usize, most: usize) {
        let (text, written) = (self.text, self.values.len() - self.start);
        self.values.reserve(most, || {
            let (first, here, last) = (text.at(0), text.at(row), text.at(text.count));
            let left = written as u128 * (last - here) as u128 / (here - first).max(1) as u128;
            // A little more, as texts differ.
            usize::try_from(left + left / 32).unwrap_or(0).saturating_add(PIECE)
        });
    }

    /// Converts `src` up to the first error, or as much as there is room for. Returns how much was read, and why it
    /// stopped.
    fn strict(&mut self, src: &[u8]) -> (usize, Stop<()>) {
        let (isa, kind, values) = (self.text.isa, self.kind, &mut self.values);
        let most = kind.most(src.len());
        match kind {
            Direction::Utf8ToUtf8 => {
                let valid = isa.validate_utf8(src).map_or_else(|error| error.valid_up_to(), |()| src.len());
                if valid < src.len() {
                    return (valid, Stop::Invalid(()));
                }
                values.reserve(valid, || 0);
                if valid > values.room() {
                    return (0, Stop::OutputFull);
                }
                values.extend(src);
                (valid, Stop::Complete)
            }
            Direction::Utf8ToUtf16(order) => {
                // For ill-formed text, the count may be twice its length, and twice that may overflow a `usize`.
                let count = || 2 * isa.utf16_len_from_utf8(src).min(src.len());
                let out = values.convert(most, count, converter!(isa.utf8_to_utf16_bytes(order, src)));
                (out.read, out.stop.map(|_| ()))
            }
            Direction::Utf16ToUtf8(order) => {
                let count = || isa.utf8_len_from_utf16_bytes(order, src);
                let out = values.convert(most, count, converter!(isa.utf16_bytes_to_utf8(order, src)));
                (out.read, out.stop.map(|_| ()))
            }
        }
    }

    /// Appends an ill-formed row that is not null, as the policy says.
    #[inline(never)]
    fn ill_formed(&mut self, row: usize) -> Result<(), Refusal> {
        match self.policy {
            Policy::Error => return Err(Refusal::IllFormed(row)),
            Policy::Replace => self.replacements += self.lossy(self.text.bytes(row, row + 1))?,
            Policy::Null => self.values.set_null(&self.text, row),
        }
        self.ill_formed_rows += 1;
        Ok(())
    }

    /// Converts a row with U+FFFD for ill-formed sequences, and returns their number.
    #[inline(always)]
    fn lossy(&mut self, src: &[u8]) -> Result<usize, Refusal> {
        let base = self.values.len();
        let replacements = match self.kind {
            Direction::Utf8ToUtf8 => self.values.repair(self.text.isa, src),
            Direction::Utf8ToUtf16(order) => self.lossy_to_utf16(order, src),
            Direction::Utf16ToUtf8(order) => self.lossy_from_utf16(order, src),
        };
        if replacements.is_none() {
            self.values.truncate(base);
        }
        replacements.ok_or(Refusal::Full)
    }

    /// UTF-8 to UTF-16. `None`: there is too little room.
    #[inline(never)]
    fn lossy_to_utf16(&mut self, order: ByteOrder, src: &[u8]) -> Option<usize> {
        let isa = self.text.isa;
        replacements(self.values.convert(
            2 * src.len(),
            || 2 * isa.utf16_len_from_utf8_lossy(src),
            converter!(isa.utf8_to_utf16_bytes_lossy(order, src)),
        ))
    }

    /// UTF-16 to UTF-8. `None`: there is too little room.
    #[inline(never)]
    fn lossy_from_utf16(&mut self, order: ByteOrder, src: &[u8]) -> Option<usize> {
        let isa = self.text.isa;
        replacements(self.values.convert(
            src.len().div_ceil(2) * 3,
            || match order {
                ByteOrder::Little => isa.utf8_len_from_utf16le_lossy(src),
                ByteOrder::Big => isa.utf8_len_from_utf16be_lossy(src),
            },
            converter!(isa.utf16_bytes_to_utf8_lossy(order, src)),
        ))
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
