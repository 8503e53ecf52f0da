//! Many offsets of one text: kernels go from one to the next.

use super::Position;
use super::index::{Index, floor, floor_in_line};
use crate::sections::{Batch, Located, Unit, WINDOW, Walk};

impl Index {
    /// Returns [`offset_in`](Self::offset_in) of each of these byte offsets.
    ///
    /// They may be in any order, but it is fast if they are sorted: then it costs little more than to count the text between
    /// them. Takes up to 32 at a time.
    ///
    /// # Panics
    ///
    /// If `text` has another length than the text of the index.
    ///
    /// ```
    /// use fastutf::positions::{Index, Unit};
    ///
    /// let text = "zł😀!";
    /// let index = Index::new(text);
    /// let offsets: Vec<usize> = index.offsets_in(text, [1, 3, 7], Unit::Utf16).collect();
    /// assert_eq!(offsets, [1, 2, 4]);
    /// ```
    pub fn offsets_in<'a, I: IntoIterator<Item = usize>>(
        &'a self,
        text: &'a str,
        bytes: I,
        unit: Unit,
    ) -> impl Iterator<Item = usize> + use<'a, I> {
        Ahead::new(self, text, bytes.into_iter(), unit, Sought::Offset).map(|found| found.offset)
    }

    /// Returns [`byte_offset`](Self::byte_offset) of each of these offsets in `unit`.
    ///
    /// They may be in any order, but it is fast if they are sorted. Takes up to 32 at a time.
    ///
    /// # Panics
    ///
    /// If `text` has another length than the text of the index.
    ///
    /// ```
    /// use fastutf::positions::{Index, Unit};
    ///
    /// let text = "zł😀!";
    /// let index = Index::new(text);
    /// let bytes: Vec<usize> = index.byte_offsets(text, [1, 2, 4], Unit::Utf16).collect();
    /// assert_eq!(bytes, [1, 3, 7]);
    /// ```
    pub fn byte_offsets<'a, I: IntoIterator<Item = usize>>(
        &'a self,
        text: &'a str,
        offsets: I,
        unit: Unit,
    ) -> impl Iterator<Item = usize> + use<'a, I> {
        Ahead::new(self, text, offsets.into_iter(), unit, Sought::Byte).map(|found| found.offset)
    }

    /// Returns [`position`](Self::position) of each of these byte offsets.
    ///
    /// They may be in any order, but it is fast if they are sorted. Takes up to 32 at a time.
    ///
    /// # Panics
    ///
    /// If `text` has another length than the text of the index.
    ///
    /// ```
    /// use fastutf::positions::{Index, Position, Unit};
    ///
    /// let text = "zł\n😀!";
    /// let index = Index::new(text);
    /// let positions: Vec<Position> = index.positions(text, [1, 4, 8], Unit::Utf16).collect();
    /// let expected = [(0, 1), (1, 0), (1, 2)].map(|(line, column)| Position { line, column });
    /// assert_eq!(positions, expected);
    /// ```
    pub fn positions<'a, I: IntoIterator<Item = usize>>(
        &'a self,
        text: &'a str,
        bytes: I,
        unit: Unit,
    ) -> impl Iterator<Item = Position> + use<'a, I> {
        Ahead::new(self, text, bytes.into_iter(), unit, Sought::Position)
            .map(|Located { line, column, .. }| Position { line, column })
    }
}

/// Places that are looked up in advance, some at a time.
struct Ahead<'a, I> {
    index: &'a Index,
    text: &'a str,
    unit: Unit,
    given: I,
    what: Sought,
    batch: Batch,
    /// How many have been returned.
    next: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    Offset,
    Position,
    Byte,
}

impl<'a, I: Iterator<Item = usize>> Ahead<'a, I> {
    fn new(index: &'a Index, text: &'a str, given: I, unit: Unit, what: Sought) -> Self {
        index.check(text);
        let (given_here, found) = ([0; WINDOW], [Located::default(); WINDOW]);
        let total = index.len(unit);
        let lines = what == Sought::Position;
        let batch = Batch { walk: Walk::default(), unit, lines, total, given: given_here, found, len: 0, done: 0 };
        Self { index, text, unit, given, what, batch, next: 0 }
    }

    /// Takes the next ones, and looks them up.
    #[inline(never)]
    fn fill(&mut self) {
        self.batch.len = 0;
        for to in &mut self.batch.given {
            let Some(at) = self.given.next() else { break };
            *to = at;
            self.batch.len += 1;
        }
        (self.batch.done, self.next) = (0, 0);
        self.index.look_up(self.text, self.unit, self.what, &mut self.batch);
    }
}

impl<I: Iterator<Item = usize>> Iterator for Ahead<'_, I> {
    type Item = Located;

    #[inline]
    fn next(&mut self) -> Option<Located> {
        if self.next >= self.batch.len {
            self.fill();
            if self.batch.len == 0 {
                return None;
            }
        }
        let found = self.batch.found[self.next % WINDOW];
        self.next += 1;
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (least, most) = self.given.size_hint();
        let here = self.batch.len - self.next;
        (least.saturating_add(here), most.and_then(|most| most.checked_add(here)))
    }
}

impl Index {
    /// Looks up a batch. Uses the index for a place that is not close behind the one before.
    fn look_up(&self, text: &str, unit: Unit, what: Sought, batch: &mut Batch) {
        let given = &mut batch.given[..batch.len];
        match what {
            Sought::Offset => given.iter_mut().for_each(|at| *at = floor(text, *at)),
            Sought::Position => given.iter_mut().for_each(|at| *at = floor_in_line(text, *at)),
            Sought::Byte if unit == Unit::Utf8 => given.iter_mut().for_each(|at| *at = floor(text, *at)),
            Sought::Byte => {}
        }
        if what != Sought::Position && self.total.chars == self.total.bytes {
            // All of it is ASCII.
            for (found, &at) in batch.found.iter_mut().zip(&*given) {
                found.offset = at.min(self.total.bytes);
            }
            return;
        }
        loop {
            match what {
                Sought::Byte => self.isa.find_all(text.as_bytes(), batch),
                Sought::Offset | Sought::Position => self.isa.place_all(text.as_bytes(), batch),
            }
            if batch.done == batch.len {
                return;
            }
            let next = batch.given[batch.done];
            let at = if what == Sought::Byte { self.byte_offset(text, next, unit) } else { next };
            let offset = self.units_before(text.as_bytes(), at, unit);
            batch.walk = Walk { at, offset, line: 0, line_start: 0 };
            match what {
                Sought::Position => {
                    let Position { line, column } = self.position(text, at, unit);
                    (batch.walk.line, batch.walk.line_start) = (line, offset.saturating_sub(column));
                }
                // With another text than that of the index, it may be far from it.
                Sought::Byte => batch.walk.offset = offset.clamp(next.saturating_sub(1), next),
                Sought::Offset => {}
            }
        }
    }
}
