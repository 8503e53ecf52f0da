//! Characters that the end of a chunk cuts: how to see that one is, and what to keep of it for the next chunk.

use super::{Encoding, StreamError};
use crate::api::lossy::TINY;
use crate::endian::ByteOrder;
use crate::error::Utf16Error;
use crate::isa::Isa;
use crate::scalar::{self, incomplete_utf8, incomplete_utf16};

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
        if len == 0 && (cfg!(fastutf_scalar_default) || text.len() < LONGEST) {
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
    /// Checks whole text. The error is where the first ill-formed sequence starts; [`error_at`](Self::error_at)
    /// describes it.
    #[inline(always)]
    pub(super) fn validate(self, isa: Isa, text: &[u8]) -> Result<(), usize> {
        match self {
            Self::Utf8 if text.len() <= TINY => match scalar::near(text, TINY) {
                Ok((valid, _)) => Err(valid),
                Err(_) => Ok(()),
            },
            Self::Utf8 => isa.validate_utf8(text).map_err(|error| error.valid_up_to()),
            Self::Utf16Le => isa.validate_utf16le(text).map_err(|error| error.valid_up_to()),
            Self::Utf16Be => isa.validate_utf16be(text).map_err(|error| error.valid_up_to()),
        }
    }

    /// Describes the ill-formed sequence at `at`, considering all that follows: a kernel that was not given the
    /// incomplete character at the end takes the sequence before it for incomplete.
    #[cold]
    pub(super) fn error_at(self, text: &[u8], at: usize) -> StreamError {
        match self.first(&text[at..]) {
            Err(error) => error.moved_by(at as u64),
            Ok(_) => unreachable!("{self} was rejected that is well-formed at {at}"),
        }
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
        fn utf16(order: ByteOrder, text: &[u8]) -> Result<usize, StreamError> {
            match scalar::decode_utf16(order, text) {
                Ok((_, len)) => Ok(len),
                Err(kind) => Err(StreamError::utf16(Utf16Error::in_bytes_at(0, kind))),
            }
        }
        match self {
            Self::Utf8 => match scalar::decode_utf8(text) {
                Some((_, len)) => Ok(len),
                None => Err(StreamError::utf8(scalar::utf8_error_at(text, 0))),
            },
            Self::Utf16Le => utf16(ByteOrder::Little, text),
            Self::Utf16Be => utf16(ByteOrder::Big, text),
        }
    }

    /// The length of the incomplete character at the end of `text`, 0 if there is none.
    #[inline(always)]
    pub(crate) fn incomplete_end(self, text: &[u8]) -> usize {
        match self {
            Self::Utf8 => incomplete_utf8(text),
            Self::Utf16Le => incomplete_utf16(ByteOrder::Little, text),
            Self::Utf16Be => incomplete_utf16(ByteOrder::Big, text),
        }
    }
}
