//! Characters that the end of a chunk cuts: how to see that one is, and what to keep of it for the next chunk.

#[cfg(feature = "wtf8")]
use super::StreamErrorKind;
use super::{Encoding, StreamError};
use crate::scalar;

/// The longest character, in bytes, in any of the encodings.
const LONGEST: usize = 4;

/// The bytes, at most 3, that wait for the next chunk; or these and the ones that follow.
///
/// Cuts cannot be predicted, so the work for each chunk has no branches that depend on them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pending {
    /// The bytes past `len` are 0.
    bytes: [u8; LONGEST],
    len: usize,
}

impl Pending {
    /// The last `len` bytes of `text`, at most 3.
    #[inline(always)]
    pub(super) fn end_of(text: &[u8], len: usize) -> Self {
        if len == 0 && text.len() < LONGEST {
            return Self::default();
        }
        let Some(last) = text.last_chunk::<LONGEST>() else {
            return Self::default().followed_by_few(&text[text.len() - len..]);
        };
        let bytes = u64::from(u32::from_le_bytes(*last)) >> (8 * (LONGEST - len));
        Self { bytes: (bytes as u32).to_le_bytes(), len }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The first `len` bytes, which must be a whole character or none.
    #[inline(always)]
    pub(super) fn text(&self, len: usize) -> &str {
        if len == 0 { "" } else { core::str::from_utf8(&self.bytes[..len]).unwrap_or_default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// These bytes and the ones that follow, up to the length of the longest character.
    #[inline(always)]
    pub(super) fn followed_by(self, chunk: &[u8]) -> Self {
        let Some(next) = chunk.first_chunk::<LONGEST>() else { return self.followed_by_few(chunk) };
        let next = u32::from_le_bytes(*next) << (8 * self.len);
        Self { bytes: (u32::from_le_bytes(self.bytes) | next).to_le_bytes(), len: LONGEST }
    }

    #[cold]
    fn followed_by_few(mut self, chunk: &[u8]) -> Self {
        for &byte in &chunk[..chunk.len().min(LONGEST - self.len)] {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
        self
    }

    /// What is left after the first `len` bytes.
    pub(super) fn without(self, len: usize) -> Self {
        Self::end_of(self.as_slice(), self.len.saturating_sub(len))
    }
}

/// See [`Encoding::joined`]. The lengths are those of the character and of the ill-formed sequence.
pub(super) enum Joined {
    Whole(usize),
    Incomplete,
    IllFormed(usize),
}

impl Encoding {
    /// Describes the error at `at`: text that is ill-formed, or cannot be converted to the encoding `to`. It considers all bytes
    /// that follow: a kernel that was not given the incomplete character at the end takes the sequence before for incomplete.
    #[cold]
    pub(super) fn error_at(self, text: &[u8], at: usize, to: Self) -> StreamError {
        let error = match self.decode_first(&text[at..]) {
            Err(error) => error,
            #[cfg(feature = "wtf8")]
            Ok((0xDC00..0xE000, _)) if self.ends_with_high(&text[..at]) => StreamError::second_surrogate(),
            #[cfg(feature = "wtf8")]
            Ok((surrogate @ 0xD800..0xE000, len)) => {
                StreamError::at_start(StreamErrorKind::Surrogate(surrogate as u16), len)
            }
            Ok((value, len)) => match to.lacks(value) {
                Some(kind) => StreamError::at_start(kind, len),
                None => unreachable!("{self} was rejected that is well-formed, and can be {to}"),
            },
        };
        error.moved_by(at as u64)
    }

    /// Classifies the bytes of a cut character, which are well-formed so far, together with those that follow.
    #[inline(always)]
    pub(super) fn joined(self, text: &[u8]) -> Joined {
        match self {
            Self::Utf8 => match scalar::first_item(text) {
                Ok(len) => Joined::Whole(len),
                Err(len) if len == text.len() => Joined::Incomplete,
                Err(len) => Joined::IllFormed(len),
            },
            _ => match self.first(text) {
                Ok(len) => Joined::Whole(len),
                Err(error) => match error.error_len() {
                    Some(len) => Joined::IllFormed(len),
                    None => Joined::Incomplete,
                },
            },
        }
    }

    /// The length of the character at the start of `text`, which must not be empty, or the error there.
    pub(super) fn first(self, text: &[u8]) -> Result<usize, StreamError> {
        self.decode_first(text).map(|(_, len)| len)
    }

    /// Whether it is WTF-8: no other encoding has surrogates.
    pub(super) fn has_surrogates(self) -> bool {
        match self {
            #[cfg(feature = "wtf8")]
            Self::Wtf8 => true,
            _ => false,
        }
    }

    /// The surrogate at the start of WTF-8.
    #[inline(always)]
    pub(super) fn surrogate(self, text: &[u8]) -> Option<u16> {
        match (self, text) {
            #[cfg(feature = "wtf8")]
            (Self::Wtf8, [_, ..]) => scalar::surrogate(text, 0),
            _ => None,
        }
    }

    /// Whether WTF-8 ends with a high surrogate, after which no low one may follow.
    #[inline(always)]
    pub(super) fn ends_with_high(self, text: &[u8]) -> bool {
        text.len() >= 3 && matches!(self.surrogate(&text[text.len() - 3..]), Some(0xD800..0xDC00))
    }
}
