//! UTF-8 in pieces: the well-formed text, and the ill-formed sequences between.

use crate::isa::{Isa, Level};
use crate::replacement::Items;
use crate::scalar;

/// Bytes that are looked at one by one, because an error is often followed by another: few, since those of valid text are
/// looked at twice.
const NEAR: usize = 8;

/// A piece of bytes that are nearly UTF-8: valid text, and the ill-formed sequence that follows it.
///
/// ```
/// let chunk = fastutf::utf8_chunks(b"ab\xE2\x82!").next().unwrap();
/// assert_eq!((chunk.valid(), chunk.invalid()), ("ab", &b"\xE2\x82"[..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Utf8Chunk<'a> {
    valid: &'a str,
    invalid: &'a [u8],
}

impl<'a> Utf8Chunk<'a> {
    /// Returns the valid text; empty if ill-formed sequences follow each other.
    #[must_use]
    pub fn valid(&self) -> &'a str {
        self.valid
    }

    /// Returns the ill-formed sequence, 1 to 3 bytes that one U+FFFD stands for; empty at the end of the input.
    #[must_use]
    pub fn invalid(&self) -> &'a [u8] {
        self.invalid
    }
}

/// The pieces of bytes that are nearly UTF-8, as [`core::str::Utf8Chunks`] has them: made by
/// [`utf8_chunks`](fn@crate::utf8_chunks).
#[derive(Clone, Debug)]
pub struct Utf8Chunks<'a> {
    isa: Isa,
    /// What has not been returned yet.
    rest: &'a [u8],
    /// Ill-formed sequences that have been found in it.
    found: Items,
    /// Where these were looked for, counted from the end of `rest`: so it stays where it is.
    window: usize,
}

impl<'a> Utf8Chunks<'a> {
    pub(crate) fn new(isa: Isa, src: &'a [u8]) -> Self {
        Self { isa, rest: src, found: Items::default(), window: src.len() }
    }

    /// What has not been returned yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Where the first ill-formed sequence starts and ends in `rest`, which is well-formed up to `at`: the end, if there is
    /// none.
    ///
    /// What is before `found` in its window is well-formed, or has been returned. The window may start before `rest`: where
    /// the items returned begin in it.
    #[inline(never)]
    fn search(&mut self, at: usize) -> (usize, usize) {
        let (isa, end) = (self.isa, self.rest.len());
        if isa == Isa::SCALAR {
            // One by one: to keep them as items would take as long as to find them.
            let ill_formed = scalar::plain::ill_formed_utf8(&self.rest[at..]);
            return ill_formed.map_or((end, end), |(start, end)| (at + start, at + end));
        }
        // All before this is known, too.
        let known = end.saturating_sub(self.window - self.found.end);
        let mut unseen = &self.rest[at.max(known)..];
        if self.found.end == 0 {
            // Nothing is known yet.
            match isa.check(unseen) {
                Ok(()) => return (end, end),
                Err(valid) => unseen = &unseen[valid..],
            }
        }
        let len = unseen.len();
        let Some((skipped, items)) = dispatch!(isa, ill_formed_items(unseen)) else { return (end, end) };
        (self.found, self.window) = (items, len - skipped);
        self.take()
    }

    /// Returns what is before `start`, and from there on up to `end`.
    #[inline(always)]
    fn chunk(&mut self, start: usize, end: usize) -> Utf8Chunk<'a> {
        let (chunk, rest) = self.rest.split_at(end);
        let (valid, invalid) = chunk.split_at(start);
        self.rest = rest;
        debug_assert!(core::str::from_utf8(valid).is_ok());
        // SAFETY: `rest` begins where an item does, and its first ill-formed one starts after these bytes, as
        // `near` and `search` promise (invariant 4 in SAFETY.md): they are characters.
        Utf8Chunk { valid: unsafe { core::str::from_utf8_unchecked(valid) }, invalid }
    }

    /// What `next` returns, if `rest` is well-formed up to `at`.
    #[inline(never)]
    fn far_chunk(&mut self, at: usize) -> Option<Utf8Chunk<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (start, end) = if self.found.ill_formed != 0 { self.take() } else { self.search(at) };
        Some(self.chunk(start, end))
    }

    /// Takes the ill-formed sequences that `rest` begins with, at most so many. Returns how many: the same on every
    /// instruction set, whatever is known of `rest`.
    pub(crate) fn take_ill_formed(&mut self, max: usize) -> usize {
        let mut count = 0;
        while count < max && !self.rest.is_empty() {
            let before = self.found;
            let (start, end) = if before.ill_formed != 0 {
                self.take()
            } else {
                (0, scalar::first_item(self.rest).err().unwrap_or_default())
            };
            if start > 0 || end == 0 {
                self.found = before;
                break;
            }
            self.rest = &self.rest[end..];
            count += 1;
        }
        count
    }

    /// The first of `found`, of which there is one.
    #[inline(always)]
    fn take(&mut self) -> (usize, usize) {
        let (start, end) = self.found.take().unwrap_or_default();
        let window = self.rest.len().wrapping_sub(self.window);
        (window.wrapping_add(start), window.wrapping_add(end))
    }
}

impl<'a> Iterator for Utf8Chunks<'a> {
    type Item = Utf8Chunk<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if cfg!(fastutf_scalar_default) && matches!(self.isa.level(), Level::Scalar) {
            // It has been compiled with optimisation.
            let chunk = self.rest.utf8_chunks().next()?;
            let (valid, invalid) = (chunk.valid(), chunk.invalid());
            self.rest = &self.rest[valid.len() + invalid.len()..];
            return Some(Utf8Chunk { valid, invalid });
        }
        // As long as errors are close to each other, they are found before a window would be: here, in few registers.
        let (rest, mut at) = (self.rest, 0);
        if self.found.end == 0 {
            while at < NEAR && at < rest.len() {
                match scalar::item_at(rest, at) {
                    Ok(len) => at += len,
                    Err(len) => return Some(self.chunk(at, at + len)),
                }
            }
            if at == rest.len() {
                return if at > 0 { Some(self.chunk(at, at)) } else { None };
            }
        }
        self.far_chunk(at)
    }
}

impl core::iter::FusedIterator for Utf8Chunks<'_> {}
