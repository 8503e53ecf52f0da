//! Ill-formed input made well-formed: U+FFFD for each maximal subpart of an ill-formed UTF-8 sequence (Unicode 3.9, as
//! std and WHATWG have it), and for each unpaired surrogate of UTF-16.

mod utf16;

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::mem::MaybeUninit;

use crate::buffer::write;
use crate::conversion::{LossyConversion, Stop};
use crate::endian::Endian;
use crate::isa::Isa;

/// U+FFFD in UTF-8.
pub(crate) const REPLACEMENT: &str = "\u{FFFD}";

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
    rest: &'a [u8],
}

impl<'a> Utf8Chunks<'a> {
    pub(crate) fn new(isa: Isa, src: &'a [u8]) -> Self {
        Self { isa, rest: src }
    }
}

impl<'a> Iterator for Utf8Chunks<'a> {
    type Item = Utf8Chunk<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (valid, invalid) = match self.isa.validate_utf8(self.rest) {
            Ok(()) => (self.rest.len(), 0),
            Err(error) => {
                let valid = error.valid_up_to();
                (valid, error.error_len().unwrap_or(self.rest.len() - valid))
            }
        };
        let (valid, rest) = self.rest.split_at(valid);
        let (invalid, rest) = rest.split_at(invalid);
        self.rest = rest;
        // SAFETY: it has just been validated up to there.
        Some(Utf8Chunk { valid: unsafe { core::str::from_utf8_unchecked(valid) }, invalid })
    }
}

impl core::iter::FusedIterator for Utf8Chunks<'_> {}

/// What UTF-8 becomes with replacements.
pub(crate) struct Lengths {
    /// In bytes.
    pub utf8: usize,
    /// In code units.
    pub utf16: usize,
}

/// The outcome, where `stop` is not known otherwise.
fn outcome(len: usize, read: usize, written: usize, replacements: usize) -> LossyConversion {
    let stop = if read == len { Stop::Complete } else { Stop::OutputFull };
    LossyConversion { read, written, replacements, stop }
}

impl Isa {
    pub(crate) fn utf8_to_utf8_bytes_lossy(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        let (mut read, mut written, mut replacements) = (0, 0, 0);
        for chunk in Utf8Chunks::new(self, src) {
            let room = dst.len() - written;
            let valid = chunk.valid();
            let fits = (0..=valid.len().min(room)).rev().find(|&end| valid.is_char_boundary(end)).unwrap_or(0);
            write(&mut dst[written..], &valid.as_bytes()[..fits]);
            (read, written) = (read + fits, written + fits);
            if fits < valid.len() || !chunk.invalid().is_empty() && dst.len() - written < REPLACEMENT.len() {
                break;
            }
            if !chunk.invalid().is_empty() {
                write(&mut dst[written..], REPLACEMENT.as_bytes());
                (read, written) = (read + chunk.invalid().len(), written + REPLACEMENT.len());
                replacements += 1;
            }
        }
        outcome(src.len(), read, written, replacements)
    }

    pub(crate) fn utf8_to_utf16_bytes_lossy<E: Endian>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyConversion {
        let (mut read, mut written, mut replacements) = (0, 0, 0);
        loop {
            let out = self.utf8_to_utf16_bytes::<E>(&src[read..], &mut dst[written..]);
            (read, written) = (read + out.read, written + out.written);
            let Stop::Invalid(error) = out.stop else { break };
            if dst.len() - written < 2 {
                break;
            }
            write(&mut dst[written..], &E::bytes(0xFFFD));
            (read, written) = (read + error.error_len().unwrap_or(src.len() - read), written + 2);
            replacements += 1;
        }
        outcome(src.len(), read, written, replacements)
    }

    /// What `src`, valid up to `valid`, is with replacements, and how many of them.
    #[cfg(feature = "alloc")]
    pub(crate) fn repaired_utf8(self, src: &[u8], valid: usize) -> (String, usize) {
        let mut text = String::with_capacity(src.len());
        let (valid, rest) = src.split_at(valid);
        // SAFETY: the caller says so.
        text.push_str(unsafe { core::str::from_utf8_unchecked(valid) });
        let replacements = self.append_utf8_lossy(rest, &mut text).replacements;
        (text, replacements)
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn append_utf8_lossy(self, src: &[u8], dst: &mut String) -> LossyConversion {
        let start = dst.len();
        let mut replacements = 0;
        for chunk in Utf8Chunks::new(self, src) {
            dst.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                dst.push_str(REPLACEMENT);
                replacements += 1;
            }
        }
        outcome(src.len(), src.len(), dst.len() - start, replacements)
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn append_utf16_lossy(self, src: &[u8], dst: &mut Vec<u16>) -> LossyConversion {
        dst.reserve(self.lossy_lengths(src).utf16);
        let out = self.utf8_to_utf16_lossy_uninit(src, dst.spare_capacity_mut());
        // SAFETY: a conversion initialises the first `written` elements of what it is given.
        unsafe { dst.set_len(dst.len() + out.written) };
        out
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn append_utf16_bytes_lossy<E: Endian>(self, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        dst.reserve(2 * self.lossy_lengths(src).utf16);
        let out = self.utf8_to_utf16_bytes_lossy::<E>(src, dst.spare_capacity_mut());
        // SAFETY: a conversion initialises the first `written` elements of what it is given.
        unsafe { dst.set_len(dst.len() + out.written) };
        out
    }

    pub(crate) fn lossy_lengths(self, src: &[u8]) -> Lengths {
        let mut lengths = Lengths { utf8: 0, utf16: 0 };
        for chunk in Utf8Chunks::new(self, src) {
            lengths.utf8 += chunk.valid().len();
            lengths.utf16 += self.utf16_len_from_utf8(chunk.valid().as_bytes());
            if !chunk.invalid().is_empty() {
                lengths.utf8 += REPLACEMENT.len();
                lengths.utf16 += 1;
            }
        }
        lengths
    }
}
