//! Rows of text whatever the type of their offsets, and the first of them that is not well-formed by itself.
//!
//! Rows lie one behind the other, so that a piece of a column is checked as one text, by the kernels for whole texts. If
//! the text is well-formed and no row starts inside of a character, every row is well-formed by itself. Otherwise, this
//! is the ill-formed row:
//!
//! * If the text is ill-formed at some byte, the row that has this byte. The text before it is well-formed, and the
//!   sequence there is no character, neither with the bytes of the next row nor without them.
//! * But if a row starts inside of a character before that byte, the row that has the start of that character.

use super::layout::{Column, Offset};
use super::validity::Validity;
use crate::endian::ByteOrder;
use crate::isa::Isa;

/// The maximum number of bytes in a piece of several rows: a piece, what it becomes, and its offsets stay in the
/// first-level cache.
pub(super) const PIECE: usize = crate::borders::MAX_LEN;

/// How many rows to take for the next piece. If a row of a piece is ill-formed, the work on the rows after it is lost. So
/// a piece should not be much longer than the well-formed text before such a row.
#[derive(Clone, Copy)]
pub(super) struct RowsAtOnce(usize);

impl RowsAtOnce {
    pub const START: Self = Self(crate::borders::MAX_ROWS);
    /// How many rows are taken by themselves before the choice is made again.
    pub const FEW: Self = Self(64);
    /// Below this number of rows, it is faster to take each by itself.
    const SHORT: usize = 36;

    /// Called after `rows` well-formed rows and, unless `all` are, an ill-formed one.
    pub fn next(&mut self, rows: usize, all: bool) {
        self.0 = if !all {
            self.0 / 2 + rows
        } else if self.is_short() {
            self.0 + rows
        } else {
            2 * self.0
        };
        self.0 = self.0.clamp(1, Self::START.0);
    }

    pub fn is_short(self) -> bool {
        self.0 < Self::SHORT
    }
}

#[derive(Clone, Copy)]
pub(super) enum Form {
    Utf8,
    Utf16(ByteOrder),
}

/// How to tell from a byte that a row starts inside of a character: `values[start + at]` has the upper bits of `first`,
/// and the others are less than `few`.
#[derive(Clone, Copy)]
struct Inside {
    at: usize,
    first: u8,
    few: u8,
}

impl Inside {
    /// Less than `few` for such a byte, and only for that.
    #[inline(always)]
    const fn distance(self, byte: u8) -> u8 {
        byte ^ self.first
    }
}

impl Form {
    /// In well-formed text, a continuation byte or a low surrogate is inside of a character.
    const fn inside(self) -> Inside {
        match self {
            Self::Utf8 => Inside { at: 0, first: 0x80, few: 0x40 },
            Self::Utf16(order) => Inside { at: if order.is_big() { 0 } else { 1 }, first: 0xDC, few: 4 },
        }
    }
}

/// The offsets of a column. One copy of all other code serves all types of offsets.
trait Rows {
    /// Where a row starts, or the last one ends.
    fn at(&self, row: usize) -> usize;
    /// Where the rows `from..to` start and end.
    fn bounds(&self, from: usize, to: usize) -> (usize, usize);
    /// The number of rows of `from..=to` that start at or before `at`, of which `from` is one, plus `from`.
    fn after(&self, at: usize, from: usize, to: usize) -> usize;
    /// The first row of `from..to` that starts inside of a character.
    fn first_inside(&self, values: &[u8], inside: Inside, from: usize, to: usize) -> Option<usize>;
    /// The first row of `from..to` of an odd length.
    fn first_odd(&self, from: usize, to: usize) -> Option<usize>;
    /// The starts of the rows from `from` on, from `start` on.
    fn starts(&self, from: usize, start: usize, starts: &mut [u32]);
    /// The first row of `from..to` that is null and not empty.
    fn first_full_null(&self, validity: Validity<'_>, from: usize, to: usize) -> Option<usize>;
}

impl<O: Offset> Rows for Column<'_, O> {
    fn at(&self, row: usize) -> usize {
        self.offsets()[row].low()
    }

    fn bounds(&self, from: usize, to: usize) -> (usize, usize) {
        (self.offsets()[from].low(), self.offsets()[to].low())
    }

    fn after(&self, at: usize, from: usize, to: usize) -> usize {
        from + self.offsets()[from..=to].partition_point(|offset| offset.low() <= at)
    }

    fn first_inside(&self, values: &[u8], inside: Inside, from: usize, to: usize) -> Option<usize> {
        let starts = self.offsets().get(from..to)?;
        let values = values.get(inside.at..)?;
        // The least of all tells whether any is small enough, in two instructions.
        // They are kept in four places, so that none waits for the one before it.
        let mut least = [u8::MAX; 4];
        let (fours, rest) = starts.as_chunks::<4>();
        for four in fours {
            for k in 0..4 {
                least[k] = least[k].min(inside.distance(values[four[k].low()]));
            }
        }
        for start in rest {
            least[0] = least[0].min(inside.distance(values[start.low()]));
        }
        if least.iter().all(|&least| least >= inside.few) {
            return None;
        }
        starts.iter().position(|start| inside.distance(values[start.low()]) < inside.few).map(|row| from + row)
    }

    fn first_odd(&self, from: usize, to: usize) -> Option<usize> {
        let offsets = &self.offsets()[from..=to];
        let mut odd = 0;
        for offset in offsets {
            odd |= offset.low() ^ offsets[0].low();
        }
        if odd & 1 == 0 {
            return None;
        }
        offsets.windows(2).position(|row| (row[0].low() ^ row[1].low()) & 1 != 0).map(|row| from + row)
    }

    fn starts(&self, from: usize, start: usize, starts: &mut [u32]) {
        for (to, offset) in starts.iter_mut().zip(&self.offsets()[from..]) {
            *to = offset.low().wrapping_sub(start) as u32;
        }
    }

    fn first_full_null(&self, validity: Validity<'_>, from: usize, to: usize) -> Option<usize> {
        let mut row = from;
        while row < to {
            let mut nulls = validity.nulls(row);
            if to - row < 64 {
                nulls &= !(u64::MAX << (to - row));
            }
            while nulls != 0 {
                let null = row + nulls.trailing_zeros() as usize;
                if self.offsets()[null] != self.offsets()[null + 1] {
                    return Some(null);
                }
                nulls &= nulls - 1;
            }
            row += 64;
        }
        None
    }
}

/// A column, whatever the type of its offsets.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    values: &'a [u8],
    rows: &'a dyn Rows,
    pub count: usize,
    pub validity: Option<Validity<'a>>,
    pub isa: Isa,
}

impl<'a> Text<'a> {
    pub fn of<O: Offset>(column: &'a Column<'_, O>) -> Self {
        Self {
            values: column.values(),
            rows: column,
            count: column.rows(),
            validity: column.validity(),
            isa: column.isa(),
        }
    }

    /// Where a row starts, or the last one ends.
    pub fn at(&self, row: usize) -> usize {
        self.rows.at(row)
    }

    /// The bytes of the rows `from..to`.
    pub fn bytes(&self, from: usize, to: usize) -> &'a [u8] {
        let (from, to) = self.rows.bounds(from, to);
        &self.values[from..to]
    }

    /// The starts of the rows from `from` on, and of the row after them or the end, counted from the start of `from`.
    pub fn starts(&self, from: usize, starts: &mut [u32]) {
        self.rows.starts(from, self.at(from), starts);
    }

    /// Where a piece ends that starts with the row `from`: after at least one row, and at most [`PIECE`] if there are
    /// several.
    pub fn piece_end(&self, from: usize, run: RowsAtOnce) -> usize {
        let limit = self.at(from).saturating_add(PIECE);
        let most = self.count.min(from + run.0);
        if self.at(most) <= limit {
            return most;
        }
        (self.rows.after(limit, from, most) - 1).max(from + 1)
    }

    /// The first row from `from` on that is not null.
    pub fn next_valid(&self, from: usize) -> usize {
        let Some(validity) = self.validity else { return from };
        let mut row = from;
        while row < self.count {
            let valid = !validity.nulls(row);
            if valid != 0 {
                return self.count.min(row + valid.trailing_zeros() as usize);
            }
            row += 64;
        }
        self.count
    }

    pub fn is_null(&self, row: usize) -> bool {
        self.validity.is_some_and(|validity| !validity.is_valid(row))
    }

    /// The first row of `from..to` that is null and not empty, or `to`.
    pub fn first_full_null(&self, from: usize, to: usize) -> usize {
        let row = self.validity.and_then(|validity| self.rows.first_full_null(validity, from, to));
        row.unwrap_or(to)
    }

    /// In UTF-16, the first row of `from..to` of an odd length; otherwise, or if there is none, `to`.
    pub fn first_odd(&self, encoding: Form, from: usize, to: usize) -> usize {
        match encoding {
            Form::Utf8 => to,
            Form::Utf16(_) => self.rows.first_odd(from, to).unwrap_or(to),
        }
    }

    /// The row of `from..=to` that has the byte `at` of the values; `to`, if that is where it starts.
    pub fn row_of(&self, at: usize, from: usize, to: usize) -> usize {
        self.rows.after(at, from, to) - 1
    }

    /// The first row of `from..to` that is not well-formed by itself, be it null or not, or `to`. The lengths of these
    /// rows are even for UTF-16, and the first `valid` bytes of their text are well-formed, but no more.
    pub fn fault(&self, encoding: Form, from: usize, to: usize, valid: usize) -> usize {
        let end = self.at(from) + valid;
        let fault = if end < self.at(to) { self.row_of(end, from, to) } else { to };
        // The rows that start before `end`.
        let starts = if valid == 0 {
            from
        } else if end <= self.at(to - 1) {
            self.rows.after(end - 1, from, to)
        } else {
            to
        };
        match self.rows.first_inside(self.values, encoding.inside(), from + 1, starts) {
            Some(inside) => self.row_with_start(encoding, from, inside),
            None => fault,
        }
    }

    /// The row that has the start of the character inside of which the row `inside` starts.
    #[cold]
    #[inline(never)]
    fn row_with_start(&self, encoding: Form, from: usize, inside: usize) -> usize {
        let kind = encoding.inside();
        let unit = if matches!(encoding, Form::Utf8) { 1 } else { 2 };
        let mut start = self.at(inside);
        while kind.distance(self.values[start + kind.at]) < kind.few {
            start -= unit;
        }
        self.row_of(start, from, inside)
    }

    /// The first row of `from..to` that is not well-formed by itself, be it null or not, or `to`.
    pub fn first_fault(&self, encoding: Form, from: usize, to: usize) -> usize {
        let to = self.first_odd(encoding, from, to);
        if from == to {
            return to;
        }
        let bytes = self.bytes(from, to);
        let valid = match encoding {
            Form::Utf8 => {
                // Without a look at the borders.
                if self.isa.is_ascii(bytes) {
                    return to;
                }
                self.isa.validate_utf8(bytes).map_err(|error| error.valid_up_to())
            }
            Form::Utf16(order) => self.isa.validate_utf16_bytes(order, bytes).map_err(|error| error.valid_up_to()),
        };
        self.fault(encoding, from, to, valid.err().unwrap_or(bytes.len()))
    }

    /// The first row that is ill-formed and not null.
    pub fn first_ill_formed(&self, encoding: Form) -> Option<usize> {
        let (mut row, mut run) = (0, RowsAtOnce::START);
        while row < self.count {
            let end = self.piece_end(row, run);
            let fault = self.first_fault(encoding, row, end);
            run.next(fault - row, fault == end);
            row = fault;
            if row < end {
                if !self.is_null(row) {
                    return Some(row);
                }
                row = self.next_valid(row);
            }
        }
        None
    }
}
