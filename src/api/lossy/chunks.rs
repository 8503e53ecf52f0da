//! An iterator over UTF-8 in chunks: well-formed text, and the ill-formed sequence after it.

#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/chunks.rs"]
mod proof;

use crate::isa::{Isa, Level};
use crate::replacement::Items;
use crate::scalar;

/// How many bytes `next` checks one item at a time before it searches with SIMD, because an error is often followed
/// by another.
const NEAR: usize = 8;

/// A piece of possibly ill-formed UTF-8: well-formed text, and the ill-formed sequence that follows it.
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
    /// Returns the well-formed text, which is empty if one ill-formed sequence follows another.
    #[must_use]
    pub fn valid(&self) -> &'a str {
        self.valid
    }

    /// Returns the ill-formed sequence: 1 to 3 bytes, for which lossy decoding puts one U+FFFD. Empty at the end of
    /// the input.
    #[must_use]
    pub fn invalid(&self) -> &'a [u8] {
        self.invalid
    }
}

/// An iterator over the chunks of possibly ill-formed UTF-8, the same as those of [`core::str::Utf8Chunks`]. Created
/// by [`utf8_chunks`](fn@crate::utf8_chunks).
#[derive(Clone, Debug)]
pub struct Utf8Chunks<'a> {
    isa: Isa,
    /// The input that has not been returned yet.
    rest: &'a [u8],
    /// The ill-formed sequences found in the current window.
    found: Items,
    /// Where that window starts, counted from the end of `rest`, so that it does not change as `rest` shrinks.
    window: usize,
}

impl<'a> Utf8Chunks<'a> {
    pub(crate) fn new(isa: Isa, src: &'a [u8]) -> Self {
        Self { isa, rest: src, found: Items::default(), window: src.len() }
    }

    /// The input that has not been returned yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the start and end of the first ill-formed sequence in `rest`, which is well-formed up to `at`. Both
    /// are the end of `rest` if there is none.
    ///
    /// All bytes of the window before `found` are well-formed or have been returned. The window may start before
    /// `rest`, at the first of the items returned.
    #[inline(never)]
    fn search(&mut self, at: usize) -> (usize, usize) {
        let (isa, end) = (self.isa, self.rest.len());
        if isa == Isa::SCALAR {
            // One at a time: storing them as items would take as long as finding them.
            let ill_formed = scalar::ill_formed_utf8(&self.rest[at..]);
            return match ill_formed {
                Some((start, end)) => (at + start, at + end),
                None => (end, end),
            };
        }
        // Everything before this offset is known to be well-formed, too.
        let known = end.saturating_sub(self.window - self.found.end);
        let mut unseen = &self.rest[at.max(known)..];
        if self.found.end == 0 {
            // Nothing has been searched yet.
            match isa.check(unseen) {
                Ok(()) => return (end, end),
                Err(valid) => unseen = &unseen[valid..],
            }
        }
        let len = unseen.len();
        let Some((skipped, items)) = isa.ill_formed_items(unseen) else { return (end, end) };
        (self.found, self.window) = (items, len - skipped);
        self.take()
    }

    /// Splits `rest` at `end` and returns the bytes before, themselves split at `start`.
    #[inline(always)]
    fn chunk(&mut self, start: usize, end: usize) -> Utf8Chunk<'a> {
        let (chunk, rest) = self.rest.split_at(end);
        let (valid, invalid) = chunk.split_at(start);
        self.rest = rest;
        debug_assert!(core::str::from_utf8(valid).is_ok());
        // SAFETY: `rest` starts with an item, and its first ill-formed item starts after these bytes, as `next` and
        // `search` ensure (invariant 4 in SAFETY.md): so these bytes are whole characters.
        Utf8Chunk { valid: unsafe { core::str::from_utf8_unchecked(valid) }, invalid }
    }

    /// What `next` returns if `rest` is well-formed up to `at`.
    #[inline(never)]
    fn far_chunk(&mut self, at: usize) -> Option<Utf8Chunk<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (start, end) = if self.found.ill_formed != 0 { self.take() } else { self.search(at) };
        Some(self.chunk(start, end))
    }

    /// Skips the ill-formed sequences at the start of `rest`, at most `max`, and returns how many. The number is the
    /// same on every instruction set, whatever is already known about `rest`.
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

    /// Takes the first sequence of `found`, which must not be empty, and returns its start and end in `rest`.
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
            // The standard library's iterator has been compiled with optimisation.
            let chunk = self.rest.utf8_chunks().next()?;
            let (valid, invalid) = (chunk.valid(), chunk.invalid());
            self.rest = &self.rest[valid.len() + invalid.len()..];
            return Some(Utf8Chunk { valid, invalid });
        }
        // Errors close to each other are found here, with few registers, before a whole window would be searched.
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
