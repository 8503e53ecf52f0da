//! What streams must know of the characters of each kind of encoding: a module each, which the table of
//! [`Encoding`](super::Encoding) names.
//!
//! - `validate`: checks whole text. The error is where the first ill-formed sequence starts.
//! - `first`: the character at the start of a text that is not empty, and its length in bytes, or the error there.
//! - `incomplete_end`: the length in bytes of the incomplete character at the end, 0 if there is none.

#[cfg(all(feature = "alloc", any(feature = "latin1", feature = "wtf8")))]
use alloc::borrow::Cow;

use super::StreamError;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::scalar;

pub(super) mod utf8 {
    use super::*;
    use crate::api::lossy::TINY;
    pub(crate) use scalar::incomplete_utf8 as incomplete_end;

    #[inline(always)]
    pub(crate) fn validate(isa: Isa, text: &[u8]) -> Result<(), usize> {
        if text.len() <= TINY {
            return match scalar::near(text, TINY) {
                Ok((valid, _)) => Err(valid),
                Err(_) => Ok(()),
            };
        }
        isa.validate_utf8(text).map_err(|error| error.valid_up_to())
    }

    pub(crate) fn first(text: &[u8]) -> Result<(u32, usize), StreamError> {
        match scalar::decode_utf8(text) {
            Some(first) => Ok(first),
            None => Err(scalar::utf8_error_at(text, 0).into()),
        }
    }
}

pub(super) mod utf16 {
    use super::*;
    use crate::report::Utf16Error;

    #[inline(always)]
    pub(crate) fn validate(isa: Isa, text: &[u8], order: ByteOrder) -> Result<(), usize> {
        let result = match order {
            ByteOrder::Little => isa.validate_utf16le(text),
            ByteOrder::Big => isa.validate_utf16be(text),
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => Err(error.valid_up_to()),
        }
    }

    pub(crate) fn first(text: &[u8], order: ByteOrder) -> Result<(u32, usize), StreamError> {
        match scalar::decode_utf16(order, text) {
            Ok(first) => Ok(first),
            Err(kind) => Err(Utf16Error::in_bytes_at(0, kind).into()),
        }
    }

    #[inline(always)]
    pub(crate) fn incomplete_end(text: &[u8], order: ByteOrder) -> usize {
        scalar::incomplete_utf16(order, text)
    }
}

#[cfg(feature = "latin1")]
pub(super) mod latin1 {
    use super::*;

    pub(crate) fn validate(_: Isa, _: &[u8]) -> Result<(), usize> {
        Ok(())
    }

    pub(crate) fn first(text: &[u8]) -> Result<(u32, usize), StreamError> {
        Ok((u32::from(text[0]), 1))
    }

    pub(crate) fn incomplete_end(_: &[u8]) -> usize {
        0
    }

    cfg_if::cfg_if! {
        if #[cfg(feature = "alloc")] {
            pub(crate) fn decode(isa: Isa, text: &[u8]) -> Result<Cow<'_, str>, StreamError> {
                Ok(isa.from_latin1(text))
            }

            pub(crate) fn decode_lossy(isa: Isa, text: &[u8]) -> (Cow<'_, str>, usize) {
                (isa.from_latin1(text), 0)
            }
        }
    }
}

#[cfg(feature = "utf32")]
pub(super) mod utf32 {
    use super::*;

    pub(crate) fn validate(isa: Isa, text: &[u8], order: ByteOrder) -> Result<(), usize> {
        let result = match order {
            ByteOrder::Little => isa.validate_utf32le(text),
            ByteOrder::Big => isa.validate_utf32be(text),
        };
        result.map_err(|error| error.valid_up_to())
    }

    pub(crate) fn first(text: &[u8], order: ByteOrder) -> Result<(u32, usize), StreamError> {
        match (scalar::utf32_error(order, text, 0), text.first_chunk()) {
            (None, Some(&unit)) => Ok((order.unit_32(unit), 4)),
            (error, _) => {
                Err(error.map_or_else(|| unreachable!("an incomplete unit is an error"), StreamError::from))
            }
        }
    }

    pub(crate) fn incomplete_end(text: &[u8], _: ByteOrder) -> usize {
        text.len() % 4
    }
}

#[cfg(feature = "wtf8")]
pub(super) mod wtf8 {
    use super::*;

    pub(crate) fn validate(isa: Isa, text: &[u8]) -> Result<(), usize> {
        isa.validate_wtf8(text).map_err(|error| error.valid_up_to())
    }

    /// A surrogate, too.
    pub(crate) fn first(text: &[u8]) -> Result<(u32, usize), StreamError> {
        let surrogate = || scalar::surrogate(text, 0).map(|surrogate| (u32::from(surrogate), 3));
        scalar::decode_utf8(text).or_else(surrogate).ok_or_else(|| scalar::wtf8_error_at(text, 0).into())
    }

    pub(crate) fn incomplete_end(text: &[u8]) -> usize {
        match text {
            [.., 0xED, 0xA0..=0xBF] => 2,
            _ => scalar::incomplete_utf8(text),
        }
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn decode_lossy(isa: Isa, text: &[u8]) -> (Cow<'_, str>, usize) {
        match isa.from_utf8(text) {
            Ok(text) => (text.into(), 0),
            Err(_) => {
                let mut repaired = alloc::string::String::new();
                let replacements = isa.wtf8_to_utf8_lossy_append(text, &mut repaired).replacements;
                (repaired.into(), replacements)
            }
        }
    }
}
