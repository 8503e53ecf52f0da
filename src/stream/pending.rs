//! Characters that the end of a chunk cuts: how to see that one is, and what to keep of it for the next chunk.

use super::{Encoding, StreamError};
use crate::api::lossy::TINY;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::Utf16Error;
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
            #[cfg(feature = "latin1")]
            Self::Latin1 => Ok(()),
            #[cfg(feature = "wtf8")]
            Self::Wtf8 => isa.validate_wtf8(text).map_err(|error| error.valid_up_to()),
            #[cfg(feature = "utf32")]
            Self::Utf32Le => isa.validate_utf32le(text).map_err(|error| error.valid_up_to()),
            #[cfg(feature = "utf32")]
            Self::Utf32Be => isa.validate_utf32be(text).map_err(|error| error.valid_up_to()),
        }
    }

    /// Describes the ill-formed sequence at `at`, considering all that follows: a kernel that was not given the
    /// incomplete character at the end takes the sequence before it for incomplete. If there is a character, a kernel that
    /// converts to Latin-1 has stopped before it.
    #[cold]
    pub(super) fn error_at(self, text: &[u8], at: usize) -> StreamError {
        match self.first(&text[at..]) {
            Err(error) => error.moved_by(at as u64),
            #[cfg(feature = "wtf8")]
            Ok(_) if self.surrogate(&text[at..]).is_some() => {
                let is_second = self.surrogate(&text[at..]) >= Some(0xDC00) && self.ends_with_high(&text[..at]);
                let error = if is_second {
                    StreamError::wtf8(scalar::wtf8_error_at(&text[at..], 0))
                } else {
                    StreamError::surrogate(self.surrogate(&text[at..]).unwrap_or_default())
                };
                error.moved_by(at as u64)
            }
            #[cfg(feature = "latin1")]
            Ok(len) if self.character(&text[at..]) > 0xFF => {
                let character = char::from_u32(self.character(&text[at..]));
                StreamError::not_latin1(character.unwrap_or_default(), len).moved_by(at as u64)
            }
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
        #[cfg(feature = "utf32")]
        fn utf32(order: ByteOrder, text: &[u8]) -> Result<usize, StreamError> {
            scalar::utf32_error(order, text, 0).map_or(Ok(4), |error| Err(StreamError::utf32(error)))
        }
        match self {
            Self::Utf8 => match scalar::decode_utf8(text) {
                Some((_, len)) => Ok(len),
                None => Err(StreamError::utf8(scalar::utf8_error_at(text, 0))),
            },
            Self::Utf16Le => utf16(ByteOrder::Little, text),
            Self::Utf16Be => utf16(ByteOrder::Big, text),
            #[cfg(feature = "latin1")]
            Self::Latin1 => Ok(1),
            #[cfg(feature = "wtf8")]
            Self::Wtf8 => match scalar::decode_utf8(text) {
                Some((_, len)) => Ok(len),
                None if scalar::surrogate(text, 0).is_some() => Ok(3),
                None => Err(StreamError::wtf8(scalar::wtf8_error_at(text, 0))),
            },
            #[cfg(feature = "utf32")]
            Self::Utf32Le => utf32(ByteOrder::Little, text),
            #[cfg(feature = "utf32")]
            Self::Utf32Be => utf32(ByteOrder::Big, text),
        }
    }

    /// The surrogate at the start of WTF-8.
    #[cfg(feature = "wtf8")]
    pub(super) fn surrogate(self, text: &[u8]) -> Option<u16> {
        if self == Self::Wtf8 && !text.is_empty() { scalar::surrogate(text, 0) } else { None }
    }

    /// Whether WTF-8 ends with a high surrogate, after which no low one may follow.
    #[cfg(feature = "wtf8")]
    pub(super) fn ends_with_high(self, text: &[u8]) -> bool {
        text.len() >= 3 && matches!(self.surrogate(&text[text.len() - 3..]), Some(0xD800..0xDC00))
    }

    /// The character at the start of `text`, which is well-formed.
    #[cfg(feature = "latin1")]
    fn character(self, text: &[u8]) -> u32 {
        let utf16 = |order| scalar::decode_utf16(order, text).map_or(0, |(value, _)| value);
        match self {
            Self::Utf8 => scalar::decode_utf8(text).map_or(0, |(value, _)| value),
            #[cfg(feature = "wtf8")]
            Self::Wtf8 => scalar::decode_utf8(text).map_or(0, |(value, _)| value),
            Self::Utf16Le => utf16(ByteOrder::Little),
            Self::Utf16Be => utf16(ByteOrder::Big),
            Self::Latin1 => u32::from(text[0]),
            #[cfg(feature = "utf32")]
            Self::Utf32Le => text.first_chunk().map_or(0, |&unit| u32::from_le_bytes(unit)),
            #[cfg(feature = "utf32")]
            Self::Utf32Be => text.first_chunk().map_or(0, |&unit| u32::from_be_bytes(unit)),
        }
    }

    /// The length of the incomplete character at the end of `text`, 0 if there is none.
    #[inline(always)]
    pub(crate) fn incomplete_end(self, text: &[u8]) -> usize {
        match self {
            Self::Utf8 => incomplete_utf8(text),
            Self::Utf16Le => incomplete_utf16(ByteOrder::Little, text),
            Self::Utf16Be => incomplete_utf16(ByteOrder::Big, text),
            #[cfg(feature = "latin1")]
            Self::Latin1 => 0,
            #[cfg(feature = "utf32")]
            Self::Utf32Le | Self::Utf32Be => text.len() % 4,
            #[cfg(feature = "wtf8")]
            Self::Wtf8 => match text {
                [.., 0xED, 0xA0..=0xBF] => 2,
                _ => incomplete_utf8(text),
            },
        }
    }
}
