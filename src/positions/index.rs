//! The index: checkpoints in the text, and lookups from the nearest one on.
//!
//! Each section of the text, 512 bytes or less, starts with a checkpoint, and up to 127 sections are a chapter. A checkpoint has the
//! number of bytes, UTF-16 code units, characters and line ends between the start of its chapter and itself, each in 16 bits. A
//! chapter has the same numbers for the whole text before it. So one search finds the chapter, another one the section, and a
//! kernel counts in the section. An edit changes one chapter's checkpoints, and moves the starts of later chapters.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::Position;
use crate::isa::Isa;
use crate::sections::{MAX_LEN, SectionCounts, Sections, Unit};

/// The number of sections in a chapter of a new index.
pub(super) const SECTIONS: usize = 64;

/// What is before a place in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub bytes: usize,
    pub utf16: usize,
    pub chars: usize,
    pub lines: usize,
}

impl Sums {
    pub(super) fn plus(self, counts: SectionCounts) -> Self {
        Self {
            bytes: self.bytes + usize::from(counts.bytes),
            utf16: self.utf16 + usize::from(counts.utf16),
            chars: self.chars + usize::from(counts.chars),
            lines: self.lines + usize::from(counts.lines),
        }
    }

    /// The offset in this unit.
    pub(super) fn in_units(&self, unit: Unit) -> usize {
        match unit {
            Unit::Utf8 => self.bytes,
            Unit::Utf16 => self.utf16,
            Unit::Utf32 => self.chars,
        }
    }
}

/// Sections that count from the same place.
#[derive(Clone, Copy)]
pub(super) struct Chapter {
    pub start: Sums,
    /// Its first checkpoint.
    pub first: usize,
}

/// What is looked for among the checkpoints.
#[derive(Clone, Copy)]
enum Key {
    Offset(Unit),
    Line,
}

/// A section that was found.
#[derive(Clone, Copy)]
pub(super) struct Section {
    pub chapter: usize,
    /// Its checkpoint.
    pub number: usize,
    pub start: Sums,
}

/// An index of a text, for offsets in other units, lines and columns. See [the module](super).
///
/// Its size is about 2 % of a text of some KB, up to 4 % after many edits. It does not store the text: every method takes it as an
/// argument.
///
/// ```
/// use fastutf::positions::{Index, Position, Unit};
///
/// let mut text = String::from("naïve\ntext");
/// let mut index = Index::new(&text);
/// assert_eq!(index.position(&text, 7, Unit::Utf16), Position { line: 1, column: 0 });
///
/// // The text changes, and the index follows.
/// text.replace_range(0..6, "two\nlines");
/// index.edit(0..6, &text);
/// assert_eq!(index.position(&text, 10, Unit::Utf16), Position { line: 2, column: 0 });
/// ```
#[derive(Clone)]
pub struct Index {
    pub(super) isa: Isa,
    /// At least one, and each has at least one section.
    pub(super) chapters: Vec<Chapter>,
    /// What is between the start of a chapter and each of its sections.
    pub(super) checkpoints: Vec<SectionCounts>,
    pub(super) total: Sums,
}

impl Index {
    /// Makes the index of a text.
    ///
    /// ```
    /// use fastutf::positions::{Index, Unit};
    ///
    /// let index = Index::new("zł\r\n😀");
    /// assert_eq!((index.lines(), index.len(Unit::Utf16)), (2, 6));
    /// ```
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::with_isa(Isa::best(), text)
    }

    /// Like [`new`](Self::new), with the kernels of this instruction set, which give the same results.
    #[must_use]
    pub fn with_isa(isa: Isa, text: &str) -> Self {
        let text = text.as_bytes();
        let number = text.len().div_ceil(MAX_LEN).max(1);
        let mut checkpoints = vec![SectionCounts::default(); number];
        let mut chapters = Vec::with_capacity(number.div_ceil(SECTIONS));
        let mut start = Sums::default();
        for counts in checkpoints.chunks_mut(SECTIONS) {
            let rest = &text[start.bytes..];
            let len = rest.len().min(SECTIONS * MAX_LEN);
            chapters.push(Chapter { start, first: SECTIONS * chapters.len() });
            isa.count_sections(rest, &mut Sections { counts, each: MAX_LEN, len });
            start = into_checkpoints(start, counts);
        }
        Self { isa, chapters, checkpoints, total: start }
    }

    /// Returns the length of the text in this unit.
    ///
    /// ```
    /// # use fastutf::positions::{Index, Unit};
    /// assert_eq!(Index::new("zł").len(Unit::Utf8), 3);
    /// ```
    #[must_use]
    pub fn len(&self, unit: Unit) -> usize {
        self.total.in_units(unit)
    }

    /// Returns whether the text is empty.
    ///
    /// ```
    /// # use fastutf::positions::Index;
    /// assert!(Index::new("").is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total.bytes == 0
    }

    /// Returns the number of lines, at least 1: one more than there are line ends.
    ///
    /// ```
    /// # use fastutf::positions::Index;
    /// assert_eq!(Index::new("a\rb\r\nc\n").lines(), 4);
    /// ```
    #[must_use]
    pub fn lines(&self) -> usize {
        self.total.lines + 1
    }

    /// Returns the size of the stored index, in bytes.
    ///
    /// ```
    /// # use fastutf::positions::Index;
    /// assert!(Index::new(&"text ".repeat(20_000)).stored() < 2000);
    /// ```
    #[must_use]
    pub fn stored(&self) -> usize {
        size_of_val(&*self.chapters) + size_of_val(&*self.checkpoints)
    }

    /// Returns the offset in this unit of the byte at `byte`.
    ///
    /// Inside of a character, it is that of its start; beyond the end, that of the end.
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
    /// assert_eq!(index.offset_in(text, 7, Unit::Utf16), 4);
    /// assert_eq!(index.offset_in(text, 7, Unit::Utf32), 3);
    /// assert_eq!(index.offset_in(text, 5, Unit::Utf16), 2); // inside of the third character
    /// ```
    #[must_use]
    pub fn offset_in(&self, text: &str, byte: usize, unit: Unit) -> usize {
        self.check(text);
        self.units_before(text.as_bytes(), floor(text, byte), unit)
    }

    /// Returns the byte offset of the place that has this offset in `unit`.
    ///
    /// Between the halves of a surrogate pair, or inside of a character, it is that of the start; beyond the end, the end.
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
    /// assert_eq!(index.byte_offset(text, 4, Unit::Utf16), 7);
    /// assert_eq!(index.byte_offset(text, 3, Unit::Utf16), 3); // inside of the third character
    /// assert_eq!(index.byte_offset(text, 9, Unit::Utf16), 8);
    /// ```
    #[must_use]
    pub fn byte_offset(&self, text: &str, offset: usize, unit: Unit) -> usize {
        self.check(text);
        if unit == Unit::Utf8 {
            return floor(text, offset);
        }
        if offset >= self.total.in_units(unit) {
            return text.len();
        }
        let section = self.find(Key::Offset(unit), offset);
        let n = offset - section.start.in_units(unit);
        if self.is_ascii(section) {
            return section.start.bytes + n;
        }
        section.start.bytes + self.find_unit(&text.as_bytes()[section.start.bytes..], n, unit)
    }

    /// Returns line and column of the byte at `byte`, the column in `unit`.
    ///
    /// Inside of a character they are those of its start; between `\r` and `\n`, those of the `\r`; beyond the end, those of the
    /// end.
    ///
    /// # Panics
    ///
    /// If `text` has another length than the text of the index.
    ///
    /// ```
    /// use fastutf::positions::{Index, Position, Unit};
    ///
    /// let text = "zł\r\n😀!";
    /// let index = Index::new(text);
    /// assert_eq!(index.position(text, 9, Unit::Utf16), Position { line: 1, column: 2 });
    /// assert_eq!(index.position(text, 9, Unit::Utf32), Position { line: 1, column: 1 });
    /// assert_eq!(index.position(text, 4, Unit::Utf32), Position { line: 0, column: 2 }); // before the `\n`
    /// ```
    #[must_use]
    pub fn position(&self, text: &str, byte: usize, unit: Unit) -> Position {
        self.check(text);
        let byte = floor_in_line(text, byte);
        let text = text.as_bytes();
        let section = self.section_of(byte);
        let from = section.start.bytes;
        let before = self.isa.before(&text[from..], byte - from);
        let line = section.start.lines + before.lines;
        // From the last line end on, or from the start of the section.
        let column = match unit {
            Unit::Utf8 => byte - from - before.last,
            Unit::Utf16 => before.utf16,
            Unit::Utf32 => before.chars,
        };
        if before.lines > 0 {
            return Position { line, column };
        }
        let start = self.start_before(text, section);
        let earlier = if from - start <= 2 * MAX_LEN {
            self.count(&text[start..from], unit)
        } else {
            section.start.in_units(unit).saturating_sub(self.units_before(text, start, unit))
        };
        Position { line, column: earlier + column }
    }

    /// Returns the byte offset of this position, whose column is in `unit`.
    ///
    /// Inside of a character, it is that of its start. With a column beyond the end of the line, it is that of its end,
    /// before the line end. With a line beyond the last one, it is that of the end of the text.
    ///
    /// # Panics
    ///
    /// If `text` has another length than the text of the index.
    ///
    /// ```
    /// use fastutf::positions::{Index, Position, Unit};
    ///
    /// let text = "zł\r\n😀!";
    /// let index = Index::new(text);
    /// assert_eq!(index.byte_offset_at(text, Position { line: 1, column: 2 }, Unit::Utf16), 9);
    /// assert_eq!(index.byte_offset_at(text, Position { line: 0, column: 80 }, Unit::Utf16), 3);
    /// assert_eq!(index.byte_offset_at(text, Position { line: 7, column: 0 }, Unit::Utf16), 10);
    /// ```
    #[must_use]
    pub fn byte_offset_at(&self, text: &str, position: Position, unit: Unit) -> usize {
        self.check(text);
        if position.line > self.total.lines {
            return text.len();
        }
        let Range { start, end } = self.range_of(text.as_bytes(), position.line);
        if position.column >= end - start {
            return end;
        }
        let bytes = text.as_bytes();
        match unit {
            Unit::Utf8 => floor(text, start + position.column),
            // A character is at most 4 bytes.
            _ if position.column <= MAX_LEN / 2 => {
                (start + self.find_unit(&bytes[start..], position.column, unit)).min(end)
            }
            _ => {
                let offset = self.units_before(bytes, start, unit) + position.column;
                self.byte_offset(text, offset, unit).min(end)
            }
        }
    }

    /// Returns the range of a line in bytes, without its line end. If the text has no such line, the range is
    /// empty and at the end of the text.
    ///
    /// # Panics
    ///
    /// If `text` has another length than the text of the index.
    ///
    /// ```
    /// use fastutf::positions::Index;
    ///
    /// let text = "zł\r\n😀\n";
    /// let index = Index::new(text);
    /// let lines: Vec<&str> = (0..index.lines()).map(|line| &text[index.line_range(text, line)]).collect();
    /// assert_eq!(lines, ["zł", "😀", ""]);
    /// ```
    #[must_use]
    pub fn line_range(&self, text: &str, line: usize) -> Range<usize> {
        self.check(text);
        if line > self.total.lines {
            return text.len()..text.len();
        }
        self.range_of(text.as_bytes(), line)
    }

    #[track_caller]
    pub(super) fn check(&self, text: &str) {
        assert_eq!(text.len(), self.total.bytes, "this is not the text of the index");
    }

    /// [`line_range`](Self::line_range) of a line that exists.
    fn range_of(&self, text: &[u8], line: usize) -> Range<usize> {
        let section = if line == 0 { self.section(0, 0) } else { self.find(Key::Line, line - 1) };
        let from = section.start.bytes;
        let found = self.isa.find_line(&text[from..], line - section.start.lines);
        let start = from + found.start;
        // Where the last byte of the line end is, if there is one.
        let last = match found.end {
            Some(end) => from + end,
            None if line == self.total.lines => return start..text.len(),
            None => self.start_of(text, line + 1) - 1,
        };
        // With another text than that of the index, it may be anywhere.
        let end = last.max(start);
        let two = end > start && text.get(end) == Some(&b'\n') && text[end - 1] == b'\r';
        start..end - usize::from(two)
    }

    /// Where a line starts that exists.
    fn start_of(&self, text: &[u8], line: usize) -> usize {
        if line == 0 {
            return 0;
        }
        let section = self.find(Key::Line, line - 1);
        let from = section.start.bytes;
        from + self.isa.find_line(&text[from..], line - section.start.lines).start
    }

    /// Where the line starts that a section starts in.
    fn start_before(&self, text: &[u8], section: Section) -> usize {
        // It is often the section before it.
        if section.number > self.chapters[section.chapter].first {
            let before = self.section(section.chapter, section.number - 1).start;
            if before.lines < section.start.lines {
                let len = section.start.bytes - before.bytes;
                return before.bytes + self.isa.before(&text[before.bytes..], len).last;
            }
        }
        // With another text than that of the index, it may be anywhere.
        self.start_of(text, section.start.lines).min(section.start.bytes)
    }

    /// The offset of a byte.
    pub(super) fn units_before(&self, text: &[u8], byte: usize, unit: Unit) -> usize {
        if unit == Unit::Utf8 {
            return byte;
        }
        let section = self.section_of(byte);
        let start = section.start;
        let text = &text[start.bytes..byte];
        start.in_units(unit) + if self.is_ascii(section) { text.len() } else { self.count(text, unit) }
    }

    /// The length in a unit.
    pub(super) fn count(&self, text: &[u8], unit: Unit) -> usize {
        match unit {
            Unit::Utf8 => text.len(),
            Unit::Utf16 => self.isa.utf16_len_from_utf8(text),
            Unit::Utf32 => self.isa.count_chars_utf8(text),
        }
    }

    /// Where the character starts that this unit belongs to.
    fn find_unit(&self, text: &[u8], n: usize, unit: Unit) -> usize {
        match unit {
            Unit::Utf8 => n,
            Unit::Utf16 => self.isa.find_utf16(text, n),
            Unit::Utf32 => self.isa.find_char(text, n),
        }
    }

    /// The checkpoints of a chapter.
    fn checkpoints_of(&self, chapter: usize) -> &[SectionCounts] {
        let end = self.chapters.get(chapter + 1).map_or(self.checkpoints.len(), |next| next.first);
        &self.checkpoints[self.chapters[chapter].first..end]
    }

    pub(super) fn section(&self, chapter: usize, number: usize) -> Section {
        Section { chapter, number, start: self.chapters[chapter].start.plus(self.checkpoints[number]) }
    }

    /// The section that this byte is in, or the last one.
    pub(super) fn section_of(&self, byte: usize) -> Section {
        // Without edits, it is known which.
        let chapter = (byte / (SECTIONS * MAX_LEN)).min(self.chapters.len() - 1);
        let Chapter { start, first } = self.chapters[chapter];
        let number = first + (byte % (SECTIONS * MAX_LEN)) / MAX_LEN;
        if let Some(&checkpoint) = self.checkpoints.get(number)
            && start.bytes + usize::from(checkpoint.bytes) == byte / MAX_LEN * MAX_LEN
            && self.checkpoints_of(chapter).len() > number - first
            && self.end_of(chapter, number).bytes > byte
        {
            return Section { chapter, number, start: start.plus(checkpoint) };
        }
        self.find(Key::Offset(Unit::Utf8), byte)
    }

    /// Where a section ends.
    #[inline]
    pub(super) fn end_of(&self, chapter: usize, number: usize) -> Sums {
        let next = self.chapters.get(chapter + 1);
        match self.checkpoints.get(number + 1) {
            Some(&checkpoint) if next.is_none_or(|next| number + 1 < next.first) => {
                self.chapters[chapter].start.plus(checkpoint)
            }
            _ => next.map_or(self.total, |next| next.start),
        }
    }

    /// Whether each byte of a section is one character, and one code unit. (It may be the first of a character whose others
    /// are in the next section, if that is one code unit.)
    fn is_ascii(&self, section: Section) -> bool {
        let (start, end) = (section.start, self.end_of(section.chapter, section.number));
        let bytes = end.bytes - start.bytes;
        end.chars - start.chars == bytes && end.utf16 - start.utf16 == bytes
    }

    /// The last section before which there are no more than `n`.
    fn find(&self, key: Key, n: usize) -> Section {
        // A search for each key, so that nothing is decided inside of it.
        match key {
            Key::Offset(Unit::Utf8) => self.find_by(n, |sums| sums.bytes, |counts| counts.bytes),
            Key::Offset(Unit::Utf16) => self.find_by(n, |sums| sums.utf16, |counts| counts.utf16),
            Key::Offset(Unit::Utf32) => self.find_by(n, |sums| sums.chars, |counts| counts.chars),
            Key::Line => self.find_by(n, |sums| sums.lines, |counts| counts.lines),
        }
    }

    #[inline(always)]
    fn find_by(
        &self,
        n: usize,
        of_sums: impl Fn(&Sums) -> usize,
        of_counts: impl Fn(&SectionCounts) -> u16,
    ) -> Section {
        let chapters = &*self.chapters;
        let chapter = last_up_to(chapters.len(), n, of_sums(&self.total), |k| of_sums(&chapters[k].start));
        let Chapter { start, first } = chapters[chapter];
        let end = chapters.get(chapter + 1).map_or(self.total, |next| next.start);
        let (n, len) = (n - of_sums(&start), of_sums(&end) - of_sums(&start));
        let checkpoints = self.checkpoints_of(chapter);
        let number = last_up_to(checkpoints.len(), n, len, |k| usize::from(of_counts(&checkpoints[k])));
        self.section(chapter, first + number)
    }
}

/// Of `count` places in order, the last that is not above `n`. The first one is 0, and the end is `total`.
#[inline(always)]
fn last_up_to(count: usize, n: usize, total: usize, at: impl Fn(usize) -> usize) -> usize {
    let (mut low, mut high) = (0, count);
    // Where it would be if all were equally far from each other. 32 bits are divided faster.
    let guess = match (u32::try_from(n.saturating_mul(count)), u32::try_from(total)) {
        (Ok(n), Ok(total)) => n / total.max(1),
        _ => (n as u64 / (total as u64 / count as u64).max(1)) as u32,
    };
    let guess = (guess as usize).min(count - 1);
    if at(guess) <= n {
        low = guess;
        if guess + 1 == count || at(guess + 1) > n {
            return guess;
        }
        low += 1;
        if low + 1 == count || at(low + 1) > n {
            return low;
        }
    } else {
        high = guess;
        if at(guess - 1) <= n {
            return guess - 1;
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if at(middle) <= n {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Turns what is in each section of a chapter, which starts at `start`, into checkpoints. Returns where it ends.
pub(super) fn into_checkpoints(start: Sums, counts: &mut [SectionCounts]) -> Sums {
    let mut before = SectionCounts::default();
    for counts in counts {
        let here = *counts;
        *counts = before;
        before.bytes += here.bytes;
        before.utf16 += here.utf16;
        before.chars += here.chars;
        before.lines += here.lines;
    }
    start.plus(before)
}

/// The start of the character that the byte at `byte` belongs to, or the end.
#[inline]
pub(super) fn floor(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The same, and before a line end instead of inside.
#[inline]
pub(super) fn floor_in_line(text: &str, byte: usize) -> usize {
    let at = floor(text, byte);
    let inside = at > 0 && text.as_bytes()[at - 1] == b'\r' && text.as_bytes().get(at) == Some(&b'\n');
    at - usize::from(inside)
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sums { bytes, utf16, chars, lines } = self.total;
        f.debug_struct("Index")
            .field("isa", &self.isa)
            .field("bytes", &bytes)
            .field("utf16", &utf16)
            .field("chars", &chars)
            .field("lines", &(lines + 1))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::last_up_to;

    /// All sequences of up to five places below 7, of a total just above them or far above.
    #[test]
    fn all_short_sequences_of_places() {
        for code in 0..7 * 7 * 7 * 7 {
            let mut places = [0, code % 7, code / 7 % 7, code / 49 % 7, code / 343];
            places.sort_unstable();
            for total in [7, 30] {
                for (count, n) in (1..6).flat_map(|count| (0..9).map(move |n| (count, n))) {
                    let found = last_up_to(count, n, total, |k| places[k]);
                    let last = places[..count].partition_point(|&at| at <= n) - 1;
                    assert_eq!(found, last, "{n} in {:?} of {total}", &places[..count]);
                }
            }
        }
    }
}
