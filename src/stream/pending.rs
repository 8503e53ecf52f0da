//! Characters that the end of a chunk cuts: how to see that one is, and what to keep of it for the next chunk.

use super::{Encoding, StreamError};
use crate::endian::{Big, Endian, Little};
use crate::error::Utf16Error;
use crate::isa::Isa;
use crate::scalar;

/// The longest character, in bytes, in any of the encodings.
const LONGEST: usize = 4;

/// The bytes, at most 3, that wait for the next chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pending {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Pending {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut pending = Self::default();
        pending.bytes[..bytes.len()].copy_from_slice(bytes);
        pending.len = bytes.len();
        pending
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The first `len` bytes, if they are text.
    pub(super) fn text(&self, len: usize) -> Option<&str> {
        core::str::from_utf8(&self.bytes[..len]).ok()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// These bytes and those that follow them, as far as a character can reach.
    pub(super) fn followed_by(self, chunk: &[u8]) -> Self {
        let mut joined = self;
        for (to, from) in joined.bytes[self.len..].iter_mut().zip(chunk) {
            *to = *from;
            joined.len += 1;
        }
        joined
    }

    /// What is left of them when `len` bytes from their start on are done with.
    pub(super) fn without(self, len: usize) -> Self {
        Self::new(self.as_slice().get(len..).unwrap_or_default())
    }
}

impl Encoding {
    /// Checks whole text; where the first error is, [`error_at`](Self::error_at) can tell what it is.
    #[inline(always)]
    pub(super) fn validate(self, isa: Isa, text: &[u8]) -> Result<(), usize> {
        match self {
            Self::Utf8 => isa.validate_utf8(text).map_err(|error| error.valid_up_to()),
            Self::Utf16Le => isa.validate_utf16le(text).map_err(|error| error.valid_up_to()),
            Self::Utf16Be => isa.validate_utf16be(text).map_err(|error| error.valid_up_to()),
        }
    }

    /// Describes the ill-formed sequence that starts at `at`, with an eye to all that follows: a kernel that was not given
    /// the incomplete character at the end takes what stands before it for incomplete.
    #[cold]
    pub(super) fn error_at(self, text: &[u8], at: usize) -> StreamError {
        match self.first(&text[at..]) {
            Err(error) => error.moved_by(at as u64),
            Ok(_) => unreachable!("{self} was rejected that is well-formed at {at}"),
        }
    }

    /// The length of the character at the start of `text`, which is not empty, or what is wrong there.
    pub(super) fn first(self, text: &[u8]) -> Result<usize, StreamError> {
        fn utf16<E: Endian>(text: &[u8]) -> Result<usize, StreamError> {
            match scalar::decode_utf16::<E>(text) {
                Ok((_, len)) => Ok(len),
                Err(kind) => Err(StreamError::utf16(Utf16Error { valid_up_to: 0, kind, bytes: true })),
            }
        }
        match self {
            Self::Utf8 => match scalar::decode_utf8(text) {
                Some((_, len)) => Ok(len),
                None => Err(StreamError::utf8(scalar::utf8_error_at(text, 0))),
            },
            Self::Utf16Le => utf16::<Little>(text),
            Self::Utf16Be => utf16::<Big>(text),
        }
    }

    /// The length of the character at the end of `text` that more bytes could complete, 0 if there is none.
    #[inline(always)]
    pub(super) fn incomplete_end(self, text: &[u8]) -> usize {
        match self {
            Self::Utf8 => incomplete_utf8(text),
            Self::Utf16Le => incomplete_utf16::<Little>(text),
            Self::Utf16Be => incomplete_utf16::<Big>(text),
        }
    }
}

#[inline(always)]
fn incomplete_utf8(text: &[u8]) -> usize {
    if text.last().is_none_or(|&byte| byte < 0x80) {
        return 0;
    }
    for len in 1..=text.len().min(LONGEST - 1) {
        let end = &text[text.len() - len..];
        let whole = match end[0] {
            0x80..=0xBF => continue,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 0,
        };
        // The second byte may show already that no other can complete it.
        let possible = match (end[0], end.get(1)) {
            (0xE0, Some(second)) => *second >= 0xA0,
            (0xED, Some(second)) => *second < 0xA0,
            (0xF0, Some(second)) => *second >= 0x90,
            (0xF4, Some(second)) => *second < 0x90,
            _ => true,
        };
        return if len < whole && possible { len } else { 0 };
    }
    0
}

#[inline(always)]
fn incomplete_utf16<E: Endian>(text: &[u8]) -> usize {
    let (units, half) = text.as_chunks::<2>();
    let high = units.last().is_some_and(|&unit| E::unit(unit) & 0xFC00 == 0xD800);
    half.len() + if high { 2 } else { 0 }
}
