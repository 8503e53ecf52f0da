//! Ill-formed input made well-formed: U+FFFD for each maximal subpart of an ill-formed UTF-8 sequence (Unicode 3.9, as
//! std and WHATWG have it), and for each unpaired surrogate of UTF-16.

mod utf16;

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::mem::MaybeUninit;

use crate::conversion::LossyConversion;
use crate::endian::Endian;
use crate::huge;
use crate::isa::{Isa, Level};
#[cfg(feature = "alloc")]
use crate::output;
#[cfg(feature = "alloc")]
use crate::replacement::WINDOW;
use crate::replacement::{Items, REPLACEMENT, Repair};
use crate::scalar;

/// Bytes of an input that has been repaired before SIMD has begun.
pub(crate) const TINY: usize = 8;
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
    pub(crate) fn take_ill_formed(&mut self, most: usize) -> usize {
        let mut count = 0;
        while count < most && !self.rest.is_empty() {
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

/// Room for `len` bytes with some replacements: without it, a single one would double the capacity.
#[cfg(feature = "alloc")]
pub(crate) const fn repaired_room(len: usize) -> usize {
    len + len / 16 + 4 * WINDOW
}

impl Isa {
    /// Checks that `src` is valid. The error is a character boundary up to which it is, about where the first error is.
    pub(crate) fn check(self, src: &[u8]) -> Result<(), usize> {
        if src.len() >= huge::FROM {
            return self.validate_utf8(src).map_err(|error| error.valid_up_to());
        }
        let isa = self;
        if src.len() <= TINY {
            return scalar::near(src, TINY).map_or(Ok(()), |(valid, _)| Err(valid));
        }
        dispatch!(isa, check_utf8(src)).map_err(|checked| scalar::last_char_start(&src[..checked]))
    }

    /// Repairs `src`, which begins where an item does, up to some place near the one where `dst` is full.
    fn repair(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Repair {
        let isa = self;
        if src.len() <= TINY {
            return scalar::tiny_utf8_to_utf8_lossy(src, dst);
        }
        dispatch!(isa, utf8_to_utf8_lossy(src, dst))
    }

    pub(crate) fn utf8_to_utf8_bytes_lossy(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        if src.len() <= TINY {
            return scalar::tiny_utf8_to_utf8_lossy(src, dst).outcome(src.len());
        }
        // No item becomes shorter, so what is further on, but for the end of the last one, does not matter.
        let part = &src[..src.len().min(dst.len().saturating_add(4))];
        let valid = self.check(part).map_or_else(|valid| valid, |()| part.len());
        let fits = scalar::copy_valid(part, valid, dst);
        let mut done = Repair { read: fits, written: fits, replacements: 0 };
        done.add(self.repair(&part[fits..], &mut dst[fits..]));
        if done.read < part.len() {
            done.add(scalar::plain::utf8_to_utf8_lossy(&part[done.read..], &mut dst[done.written..]));
        }
        done.outcome(src.len())
    }

    pub(crate) fn utf8_to_utf16_bytes_lossy<E: Endian>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyConversion {
        if src.len() <= TINY {
            return scalar::tiny_utf8_to_utf16_lossy::<E>(src, dst).outcome(src.len());
        }
        let (isa, room) = (self, &mut *dst);
        let (read, written) = dispatch!(isa, utf8_to_utf16_most::<E>(src, room));
        let done = Repair { read, written, replacements: 0 };
        if read == src.len() { done.outcome(read) } else { self.go_on_to_utf16::<E>(src, dst, done) }
    }

    #[cold]
    #[inline(never)]
    fn go_on_to_utf16<E: Endian>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        mut done: Repair,
    ) -> LossyConversion {
        let (isa, rest, room) = (self, &src[done.read..], &mut dst[done.written..]);
        // A character is faster by itself.
        if rest.len() >= 4 {
            done.add(dispatch!(isa, utf8_to_utf16_lossy::<E>(rest, room)));
        }
        if done.read < src.len() {
            // The next window does not fit, but some of it may.
            done.add(scalar::plain::utf8_to_utf16_lossy::<E>(&src[done.read..], &mut dst[done.written..]));
        }
        done.outcome(src.len())
    }

    /// The text that `src` begins with, to about where the first error is, and the rest: empty if there is none.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn split_valid(self, src: &[u8]) -> (&str, &[u8]) {
        let (valid, rest) = src.split_at(self.check(src).map_or_else(|valid| valid, |()| src.len()));
        // SAFETY: it has just been checked, up to there.
        (unsafe { core::str::from_utf8_unchecked(valid) }, rest)
    }

    /// What `valid` and `rest` are together with replacements, and how many of them.
    #[cfg(feature = "alloc")]
    #[cold]
    #[inline(never)]
    pub(crate) fn repaired_utf8(self, valid: &str, rest: &[u8]) -> (String, usize) {
        let mut text = String::with_capacity(repaired_room(valid.len() + rest.len()));
        text.push_str(valid);
        let replacements = self.append_repaired(rest, &mut text).replacements;
        (text, replacements)
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn append_utf8_lossy(self, src: &[u8], dst: &mut String) -> LossyConversion {
        if src.len() <= TINY {
            return self.append_repaired(src, dst).outcome(src.len());
        }
        let (valid, rest) = self.split_valid(src);
        dst.reserve(if rest.is_empty() { src.len() } else { repaired_room(src.len()) });
        dst.push_str(valid);
        let mut done = Repair { read: valid.len(), written: valid.len(), replacements: 0 };
        done.add(self.append_repaired(rest, dst));
        done.outcome(src.len())
    }

    /// Appends `src`, which begins where an item does, with replacements.
    #[cfg(feature = "alloc")]
    pub(crate) fn append_repaired(self, src: &[u8], dst: &mut String) -> Repair {
        // SAFETY: only whole characters are appended; a panic comes before the length has grown.
        let dst = unsafe { dst.as_mut_vec() };
        let mut done = Repair::default();
        while done.read < src.len() {
            let rest = &src[done.read..];
            // Every window fits, save for one that is as bad as can be: then there is this much more the next time.
            let room = rest.len() + 4 * WINDOW;
            done.add(output::append(dst, room, || room, |room| self.repair(rest, room)));
        }
        done
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn append_utf16_lossy(self, src: &[u8], dst: &mut Vec<u16>) -> LossyConversion {
        self.append_units(src, dst, 1, |src, room| self.utf8_to_utf16_lossy_uninit(src, room))
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn append_utf16_bytes_lossy<E: Endian>(self, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        self.append_units(src, dst, 2, |src, room| self.utf8_to_utf16_bytes_lossy::<E>(src, room))
    }

    /// Appends what `convert` makes of `src`: code units of `size` elements.
    #[cfg(feature = "alloc")]
    fn append_units<T>(
        self,
        src: &[u8],
        dst: &mut Vec<T>,
        size: usize,
        convert: impl Fn(&[u8], &mut [MaybeUninit<T>]) -> LossyConversion,
    ) -> LossyConversion {
        let mut done = Repair::default();
        let mut slack = 0;
        loop {
            let rest = &src[done.read..];
            // A code unit for each byte is enough. Without errors the count is, too.
            let count = || size * (self.utf16_len_from_utf8(rest).min(rest.len()) + slack).min(rest.len());
            let next = output::append(dst, size * rest.len(), count, |room| convert(rest, room));
            done.add(Repair { read: next.read, written: next.written, replacements: next.replacements });
            if next.is_complete() {
                return done.outcome(src.len());
            }
            slack = 64 + src.len() / 8;
        }
    }

    /// The length in bytes that UTF-8 has with replacements.
    pub(crate) fn repaired_utf8_len(self, src: &[u8]) -> usize {
        let (isa, mut rest, mut len) = (self, src, src.len());
        // Three times the input may be more than a 32-bit number holds.
        let mut add = |more: usize| len = len.saturating_add(more);
        if isa == Self::SCALAR || src.len() <= TINY {
            while let Some((start, end)) = scalar::plain::ill_formed_utf8(rest) {
                add(REPLACEMENT.len() - (end - start));
                rest = &rest[end..];
            }
            return len;
        }
        if let Err(valid) = isa.check(src) {
            rest = &src[valid..];
            while let Some((skipped, items)) = dispatch!(isa, ill_formed_items(rest)) {
                add(items.repaired_len() - items.end);
                rest = &rest[skipped + items.end..];
            }
        }
        len
    }

    /// The length in code units that it has in UTF-16.
    pub(crate) fn repaired_utf16_len(self, src: &[u8]) -> usize {
        let (isa, mut rest) = (self, src);
        let mut len;
        if isa == Self::SCALAR || src.len() <= TINY {
            // Each ill-formed sequence is one code unit: two have been counted for one that starts as if it had 4 bytes, and
            // none for a continuation byte.
            len = if src.len() <= TINY { scalar::few_utf16_len(src) } else { isa.utf16_len_from_utf8(src) };
            while let Some((start, end)) = scalar::plain::ill_formed_utf8(rest) {
                len = match rest[start] {
                    0xF0.. => len - 1,
                    0xC0.. => len,
                    _ => len + 1,
                };
                rest = &rest[end..];
            }
            return len;
        }
        match isa.utf8_info(src) {
            Ok(info) => return info.utf16_len,
            Err(error) => {
                (len, rest) = (isa.utf16_len_from_utf8(&src[..error.valid_up_to()]), &src[error.valid_up_to()..])
            }
        }
        while let Some((skipped, items)) = dispatch!(isa, ill_formed_items(rest)) {
            len += isa.utf16_len_from_utf8(&rest[..skipped]) + items.utf16_len();
            rest = &rest[skipped + items.end..];
        }
        len + isa.utf16_len_from_utf8(rest)
    }
}
