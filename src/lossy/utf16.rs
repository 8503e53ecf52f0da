//! UTF-16 made well-formed: U+FFFD for each unpaired surrogate.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::mem::MaybeUninit;

use super::{REPLACEMENT, outcome};
use crate::buffer::write;
use crate::conversion::LossyConversion;
use crate::endian::Endian;
use crate::isa::Isa;
use crate::scalar;

impl Isa {
    pub(crate) fn utf16_bytes_to_utf8_lossy<E: Endian>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyConversion {
        let (mut read, mut written, mut replacements) = (0, 0, 0);
        loop {
            let out = self.utf16_bytes_to_utf8::<E>(&src[read..], &mut dst[written..]);
            (read, written) = (read + out.read, written + out.written);
            if out.error().is_none() || dst.len() - written < REPLACEMENT.len() {
                break;
            }
            write(&mut dst[written..], REPLACEMENT.as_bytes());
            (read, written) = (read + 2.min(src.len() - read), written + REPLACEMENT.len());
            replacements += 1;
        }
        outcome(src.len(), read, written, replacements)
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn append_utf8_from_utf16_lossy<E: Endian>(self, src: &[u8], dst: &mut String) -> LossyConversion {
        dst.reserve(self.utf8_len_from_utf16_bytes_lossy::<E>(src));
        // SAFETY: only whole characters of well-formed UTF-8 are appended.
        let dst = unsafe { dst.as_mut_vec() };
        let out = self.utf16_bytes_to_utf8_lossy::<E>(src, dst.spare_capacity_mut());
        // SAFETY: a conversion initialises the first `written` elements of what it is given.
        unsafe { dst.set_len(dst.len() + out.written) };
        out
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn string_from_utf16_bytes_lossy<E: Endian>(self, src: &[u8]) -> (String, usize) {
        let mut text = String::new();
        let out = self.append_utf8_from_utf16_lossy::<E>(src, &mut text);
        (text, out.replacements)
    }

    pub(crate) fn utf8_len_from_utf16_bytes_lossy<E: Endian>(self, src: &[u8]) -> usize {
        let (mut at, mut len) = (0, 0);
        while let Err(error) = self.validate_utf16_bytes::<E>(&src[at..]) {
            let end = at + error.valid_up_to();
            len += self.utf8_len_from_utf16_bytes::<E>(&src[at..end]) + REPLACEMENT.len();
            at = (end + 2).min(src.len());
        }
        len + self.utf8_len_from_utf16_bytes::<E>(&src[at..])
    }

    /// Replaces unpaired surrogates; an odd last byte stays. Returns how many.
    pub(crate) fn to_well_formed_utf16_bytes<E: Endian>(self, bytes: &mut [u8]) -> usize {
        scalar::to_well_formed_utf16::<E>(bytes)
    }
}
