//! Many places of one text, one after the other.

use super::{Marks, Unit, Word, low};

/// How many places are looked up at a time.
pub(crate) const WINDOW: usize = 32;
/// If a place is this many bytes away, the index is faster than going through the text.
const FAR: usize = 1024;

/// A place in the text, and what is before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walk {
    pub at: usize,
    /// Its offset.
    pub offset: usize,
    /// Its line, and the offset of the start of that.
    pub line: usize,
    pub line_start: usize,
}

/// What was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Located {
    /// The offset that was asked for.
    pub offset: usize,
    pub line: usize,
    pub column: usize,
}

/// Places to be looked up.
pub(crate) struct Batch {
    pub walk: Walk,
    pub unit: Unit,
    /// Whether lines and columns are looked for.
    pub lines: bool,
    /// The length of the text in these units.
    pub total: usize,
    pub given: [usize; WINDOW],
    pub found: [Located; WINDOW],
    /// How many are given.
    pub len: usize,
    /// How many of them have been found.
    pub done: usize,
}

impl Walk {
    #[inline(always)]
    fn word<M: Marks>(&self, marks: M, src: &[u8], unit: Unit) -> Word {
        if self.at >= src.len() {
            return Word::default();
        }
        Word::of(marks, src, self.at).in_units(unit, src.len() - self.at)
    }

    /// Goes to the end of a word.
    #[inline(always)]
    fn pass(&mut self, word: Word) {
        let start = word.line_start();
        let line_start = self.offset + word.masked(low(start)).units();
        self.line_start = if word.line_ends != 0 { line_start } else { self.line_start };
        self.line += word.lines();
        self.offset += word.units();
        self.at += 64;
    }
}

/// Finds the places of bytes, as long as each is near the one before it and not before it.
#[inline(always)]
pub(crate) fn place_all<M: Marks>(marks: M, src: &[u8], batch: &mut Batch) {
    let mut walk = batch.walk;
    let mut word = walk.word(marks, src, batch.unit);
    while batch.done < batch.len {
        let byte = batch.given[batch.done % WINDOW];
        // Before that place, or far behind it.
        let Some(len) = byte.checked_sub(walk.at).filter(|&len| len <= FAR) else { break };
        let mut len = len;
        while len > 64 {
            walk.pass(word);
            word = walk.word(marks, src, batch.unit);
            len -= 64;
        }
        let before = word.first(len);
        let offset = walk.offset + before.units();
        if !batch.lines {
            batch.found[batch.done % WINDOW].offset = offset;
            batch.done += 1;
            continue;
        }
        let start = walk.offset + before.masked(low(before.line_start())).units();
        let start = if before.line_ends != 0 { start } else { walk.line_start };
        // With another text than that of the index, the start may be behind.
        let column = offset.saturating_sub(start);
        batch.found[batch.done % WINDOW] = Located { offset, line: walk.line + before.lines(), column };
        batch.done += 1;
    }
    batch.walk = walk;
}

/// Finds the bytes of offsets, as long as each is near the one before it and not before it.
#[inline(always)]
pub(crate) fn find_all<M: Marks>(marks: M, src: &[u8], batch: &mut Batch) {
    let mut walk = batch.walk;
    let mut word = walk.word(marks, src, batch.unit);
    while batch.done < batch.len {
        let offset = batch.given[batch.done % WINDOW];
        let mut found = src.len();
        if offset < batch.total {
            let Some(n) = offset.checked_sub(walk.offset).filter(|&n| n <= FAR) else { break };
            let mut n = n;
            while n >= word.units() && walk.at < src.len() {
                n -= word.units();
                walk.pass(word);
                word = walk.word(marks, src, batch.unit);
            }
            if walk.at < src.len() {
                found = walk.at + word.find(marks, n);
            }
        }
        batch.found[batch.done % WINDOW].offset = found;
        batch.done += 1;
    }
    batch.walk = walk;
}
