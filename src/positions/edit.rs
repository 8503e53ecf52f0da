//! Edits: only the sections that an edit touches are counted again.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::index::{Chapter, Index, SECTIONS, Sums, into_checkpoints};
use crate::sections::{MAX_LEN, SectionCounts, Sections};

/// The maximum number of sections in a chapter: all counts in them fit into 16 bits.
const MAX_SECTIONS: usize = u16::MAX as usize / MAX_LEN;
/// A section that has become shorter than this is joined to another.
const MIN_LEN: usize = MAX_LEN / 2;
/// A chapter that becomes shorter than this by an edit, in sections, is joined to another.
const MIN_SECTIONS: usize = SECTIONS / 4;

impl Index {
    /// Follows an edit, which has replaced `range` (in bytes of the text before it). `text` is the whole text after the
    /// edit; its length tells how much was inserted.
    ///
    /// This counts the inserted text and at most a kilobyte next to it, writes up to a few hundred checkpoints, and changes
    /// five numbers of each later chapter (32 KB of text, less after many edits). If the number of checkpoints changes,
    /// later ones move: 8 bytes for each 512 of text.
    ///
    /// # Panics
    ///
    /// If `range` is not within the text before the edit, if `text` is shorter than the text outside of it, or if the inserted
    /// text does not start and end between characters.
    ///
    /// ```
    /// use fastutf::positions::{Index, Unit};
    ///
    /// let mut text = String::from("Łódź");
    /// let mut index = Index::new(&text);
    /// text.replace_range(2..4, "o😀"); // the second character
    /// index.edit(2..4, &text);
    /// assert_eq!(index.offset_in(&text, text.len(), Unit::Utf16), 6);
    /// ```
    pub fn edit(&mut self, range: Range<usize>, text: &str) {
        assert!(
            range.start <= range.end && range.end <= self.total.bytes,
            "{range:?} is not a range of a text of {} bytes",
            self.total.bytes
        );
        let kept = self.total.bytes - range.len();
        let inserted = text.len().checked_sub(kept).expect("the text after an edit has all that was not replaced");
        assert!(
            text.is_char_boundary(range.start) && text.is_char_boundary(range.start + inserted),
            "an edit starts and ends between characters"
        );

        // The sections with the replaced bytes, and with the byte before: it may be, or have been, half of a line end.
        let first = self.section_of(range.start.saturating_sub(1));
        let last = self.section_of(range.end.saturating_sub(1));
        let (mut from, mut to) = (first.number, last.number + 1);
        let start = first.start.bytes;
        let mut end = self.end_of(last.chapter, last.number).bytes;
        let (mut chapter, mut chapters) = (first.chapter, last.chapter + 1);

        // Chapters are put together again from the counts of all their sections. `from`, `to` and `chapters` are their bounds.
        let mut joined = self.counts_of(chapter..chapters);
        let mut base = self.chapters[chapter].first;
        let new_len = |end: usize| end - start - range.len() + inserted;
        let sections = joined.len() - (to - from) + new_len(end).div_ceil(MAX_LEN);
        // With as many, there is also a section to join a short one with.
        if sections < MIN_SECTIONS {
            // A neighbour is needed to join with: the next chapter, or the one before.
            if chapters < self.chapters.len() {
                joined.extend(self.counts_of(chapters..chapters + 1));
                chapters += 1;
            } else if chapter > 0 {
                chapter -= 1;
                let mut before = self.counts_of(chapter..chapter + 1);
                before.append(&mut joined);
                joined = before;
                base = self.chapters[chapter].first;
            }
        }
        let mut start = start;
        if new_len(end) < MIN_LEN {
            if let Some(next) = joined.get(to - base) {
                end += usize::from(next.bytes);
                to += 1;
            } else if from > base {
                from -= 1;
                start -= usize::from(joined[from - base].bytes);
            }
        }

        let len = end - start - range.len() + inserted;
        let sections = len.div_ceil(MAX_LEN).max(1);
        let mut counts = vec![SectionCounts::default(); sections];
        let each = len.div_ceil(sections);
        self.isa.count_sections(&text.as_bytes()[start..], &mut Sections { counts: &mut counts, each, len });
        joined.splice(from - base..to - base, counts);
        self.replace(chapter..chapters, joined);
    }

    /// What is in each of the sections of these chapters.
    fn counts_of(&self, chapters: Range<usize>) -> Vec<SectionCounts> {
        let first = self.chapters[chapters.start].first;
        let end = self.chapters.get(chapters.end).map_or(self.checkpoints.len(), |next| next.first);
        let mut counts = Vec::with_capacity(end - first);
        for chapter in chapters {
            let next = self.chapters.get(chapter + 1);
            let (start, after) = (self.chapters[chapter].start, next.map_or(self.total, |next| next.start));
            let first = self.chapters[chapter].first;
            let last = next.map_or(self.checkpoints.len(), |next| next.first) - 1;
            for number in first..last {
                counts.push(difference(self.checkpoints[number], self.checkpoints[number + 1]));
            }
            let len = SectionCounts {
                bytes: (after.bytes - start.bytes) as u16,
                utf16: (after.utf16 - start.utf16) as u16,
                chars: (after.chars - start.chars) as u16,
                lines: (after.lines - start.lines) as u16,
            };
            counts.push(difference(self.checkpoints[last], len));
        }
        counts
    }

    /// Replaces these chapters by new ones with these sections.
    fn replace(&mut self, old: Range<usize>, mut counts: Vec<SectionCounts>) {
        let first = self.chapters[old.start].first;
        let behind = self.chapters.get(old.end).map_or(self.checkpoints.len(), |next| next.first);
        let before = self.chapters.get(old.end).map_or(self.total, |next| next.start);
        let mut start = self.chapters[old.start].start;

        let len = counts.len();
        let number = if len <= MAX_SECTIONS { 1 } else { len.div_ceil(SECTIONS) };
        let mut chapters = Vec::with_capacity(number);
        let mut at = first;
        for counts in counts.chunks_mut(len.div_ceil(number)) {
            chapters.push(Chapter { start, first: at });
            at += counts.len();
            start = into_checkpoints(start, counts);
        }
        let number = chapters.len();
        if behind - first == len {
            self.checkpoints[first..behind].copy_from_slice(&counts);
        } else {
            self.checkpoints.splice(first..behind, counts);
        }
        if old.len() == number {
            self.chapters[old.clone()].copy_from_slice(&chapters);
        } else {
            self.chapters.splice(old.clone(), chapters);
        }
        // Wrapping, as there may be less than before.
        let moved = Sums {
            bytes: start.bytes.wrapping_sub(before.bytes),
            utf16: start.utf16.wrapping_sub(before.utf16),
            chars: start.chars.wrapping_sub(before.chars),
            lines: start.lines.wrapping_sub(before.lines),
        };
        let add = |sums: &mut Sums| {
            sums.bytes = sums.bytes.wrapping_add(moved.bytes);
            sums.utf16 = sums.utf16.wrapping_add(moved.utf16);
            sums.chars = sums.chars.wrapping_add(moved.chars);
            sums.lines = sums.lines.wrapping_add(moved.lines);
        };
        for chapter in &mut self.chapters[old.start + number..] {
            add(&mut chapter.start);
            chapter.first = chapter.first.wrapping_add(at.wrapping_sub(behind));
        }
        add(&mut self.total);
    }
}

/// What is between two places.
fn difference(before: SectionCounts, after: SectionCounts) -> SectionCounts {
    SectionCounts {
        bytes: after.bytes - before.bytes,
        utf16: after.utf16 - before.utf16,
        chars: after.chars - before.chars,
        lines: after.lines - before.lines,
    }
}
