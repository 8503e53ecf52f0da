//! The lossy operations, and those that return the length of their output in advance.

mod chunks;
mod utf16;
mod utf8;

use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::api::into_vec::{self, Cow, String, Vec};

use crate::buffer::units_as_bytes_mut;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::output::Output;
use crate::report::LossyConversion;
pub use chunks::{Utf8Chunk, Utf8Chunks};
pub(crate) use utf8::TINY;

operations! {
    /// Returns `src` as text, with U+FFFD for each ill-formed sequence: [`String::from_utf8_lossy`] with SIMD, and the
    /// same result. Borrows if `src` is well-formed.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf8_lossy(b"na\xC3\xAFve"), "naïve");
    /// assert_eq!(fastutf::from_utf8_lossy(b"na\xC3ve\xF0\x9F"), "na\u{FFFD}ve\u{FFFD}");
    /// ```
    #[must_use]
    "alloc" fn from_utf8_lossy(isa, src: &[u8]) -> Cow<'_, str> {
        #[cfg(fastutf_scalar_default)]
        if isa == Isa::SCALAR {
            return crate::scalar::precompiled::from_utf8_lossy(src);
        }
        isa.from_utf8_lossy_counted(src).0
    }

    /// Like [`from_utf8_lossy`](fn@crate::from_utf8_lossy), but also returns the number of replacements.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf8_lossy_counted(b"a\xC0\xAFb"), ("a\u{FFFD}\u{FFFD}b".into(), 2));
    /// ```
    #[must_use]
    "alloc" fn from_utf8_lossy_counted(isa, src: &[u8]) -> (Cow<'_, str>, usize) {
        let (valid, rest) = isa.split_valid(src);
        if rest.is_empty() {
            return (Cow::Borrowed(valid), 0);
        }
        let (text, replacements) = isa.repaired_utf8(valid, rest);
        (Cow::Owned(text), replacements)
    }

    /// Returns `src` as a `String`, with U+FFFD for each ill-formed sequence. If `src` is well-formed, the `String`
    /// reuses its allocation.
    ///
    /// The result is that of [`from_utf8_lossy`](fn@crate::from_utf8_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::string_from_utf8_lossy(b"abc".to_vec()), "abc");
    /// assert_eq!(fastutf::string_from_utf8_lossy(b"ab\xFF".to_vec()), "ab\u{FFFD}");
    /// ```
    #[must_use]
    "alloc" fn string_from_utf8_lossy(isa, src: Vec<u8>) -> String {
        #[cfg(fastutf_scalar_default)]
        if isa == Isa::SCALAR {
            let text = String::from_utf8(src);
            return text.unwrap_or_else(|error| crate::scalar::precompiled::from_utf8_lossy(error.as_bytes()).into_owned());
        }
        isa.string_from_utf8_lossy_counted(src).0
    }

    /// Like [`string_from_utf8_lossy`](fn@crate::string_from_utf8_lossy), but also returns the number of replacements.
    ///
    /// ```
    /// assert_eq!(fastutf::string_from_utf8_lossy_counted(b"ab\xFF".to_vec()), ("ab\u{FFFD}".into(), 1));
    /// ```
    #[must_use]
    "alloc" fn string_from_utf8_lossy_counted(isa, src: Vec<u8>) -> (String, usize) {
        let (mut valid, mut rest) = (src, Vec::new());
        if let Err(end) = isa.check(&valid) {
            rest = valid.split_off(end);
            valid.reserve_exact(into_vec::repaired_room(rest.len()));
        }
        let replacements = if rest.is_empty() { 0 } else { isa.append_repaired(&rest, &mut valid).replacements };
        // SAFETY: `check` has found `valid` well-formed: all of it, or up to where it was split. Then whole characters were
        // appended.
        (unsafe { String::from_utf8_unchecked(valid) }, replacements)
    }

    /// Returns an iterator over the well-formed parts of `src`, each with the ill-formed sequence that follows it:
    /// [`<[u8]>::utf8_chunks`](slice::utf8_chunks) with SIMD.
    ///
    /// ```
    /// let chunks = fastutf::utf8_chunks(b"ab\xE2\x82!\xFF");
    /// let pieces: Vec<_> = chunks.map(|chunk| (chunk.valid(), chunk.invalid())).collect();
    /// assert_eq!(pieces, [("ab", &b"\xE2\x82"[..]), ("!", b"\xFF")]);
    /// ```
    #[must_use]
    fn utf8_chunks(isa, src: &[u8]) -> Utf8Chunks<'_> {
        Utf8Chunks::new(isa, src)
    }

    /// Converts UTF-8 to UTF-8 in `dst`, with U+FFFD for each ill-formed sequence. Reports how much was read (bytes)
    /// and written (bytes), and the number of replacements.
    ///
    /// Three times the length of `src` is always enough;
    /// [`utf8_len_from_utf8_lossy`](fn@crate::utf8_len_from_utf8_lossy) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf8_to_utf8_lossy(b"z\xFF!", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 5, 1));
    /// assert_eq!(dst[..5], *"z\u{FFFD}!".as_bytes());
    /// ```
    fn utf8_to_utf8_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        isa.utf8_to_utf8_bytes_lossy(src, Output::over(dst))
    }

    /// Like [`utf8_to_utf8_lossy`](fn@crate::utf8_to_utf8_lossy), but into memory that may be uninitialised. After the
    /// call, its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf8_to_utf8_lossy_uninit(b"z\xFF!", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 5, 1));
    /// ```
    fn utf8_to_utf8_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf8_to_utf8_bytes_lossy(src, Output::new(dst))
    }

    /// Like [`utf8_to_utf8_lossy`](fn@crate::utf8_to_utf8_lossy), but appends to a `String`, which grows as needed: the
    /// conversion is always complete.
    ///
    /// ```
    /// let mut dst = String::from("a");
    /// assert_eq!(fastutf::utf8_to_utf8_lossy_append(b"z\xFF", &mut dst).replacements, 1);
    /// assert_eq!(dst, "az\u{FFFD}");
    /// ```
    "alloc" fn utf8_to_utf8_lossy_append(isa, src: &[u8], dst: &mut String) -> LossyConversion {
        // SAFETY: only whole characters of well-formed UTF-8 are appended, and if anything panics, it does so before the
        // length has grown.
        isa.append_utf8_lossy(src, unsafe { dst.as_mut_vec() })
    }

    /// Returns the number of bytes of UTF-8 that `src` converts to with
    /// [`utf8_to_utf8_lossy`](fn@crate::utf8_to_utf8_lossy): the length of the result of [`String::from_utf8_lossy`].
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_utf8_lossy(b"a\xFF\xE2\x82"), 1 + 3 + 3);
    /// ```
    #[must_use]
    fn utf8_len_from_utf8_lossy(isa, src: &[u8]) -> usize {
        isa.repaired_utf8_len(src)
    }

    /// Returns the number of UTF-16 code units that `src` converts to with
    /// [`utf8_to_utf16_lossy`](fn@crate::utf8_to_utf16_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf8_lossy("a\u{1F600}".as_bytes()), 1 + 2);
    /// assert_eq!(fastutf::utf16_len_from_utf8_lossy(b"a\xFF\xE2\x82"), 1 + 1 + 1);
    /// ```
    #[must_use]
    fn utf16_len_from_utf8_lossy(isa, src: &[u8]) -> usize {
        isa.repaired_utf16_len(src)
    }

    /// Replaces each unpaired surrogate in UTF-16 by U+FFFD in place, like `toWellFormed` of ECMAScript. Returns the
    /// number of replacements.
    ///
    /// ```
    /// let mut units = [0x7A, 0xDC00, 0xD83D, 0xDE00];
    /// assert_eq!(fastutf::make_well_formed_utf16(&mut units), 1);
    /// assert_eq!(units, [0x7A, 0xFFFD, 0xD83D, 0xDE00]);
    /// ```
    fn make_well_formed_utf16(isa, units: &mut [u16]) -> usize {
        isa.make_well_formed_utf16_bytes(ByteOrder::NATIVE, units_as_bytes_mut(units))
    }

    /// Replaces each unpaired surrogate in UTF-16LE by U+FFFD in place, like `toWellFormed` of ECMAScript. Returns
    /// the number of replacements.
    ///
    /// `bytes` may have any alignment. An odd last byte cannot be replaced in place: it is left unchanged and not
    /// counted.
    ///
    /// ```
    /// let mut bytes = [0x7A, 0x00, 0x00, 0xDC, 0x42, 0x01];
    /// assert_eq!(fastutf::make_well_formed_utf16le(&mut bytes), 1);
    /// assert_eq!(fastutf::from_utf16le(&bytes).as_deref(), Ok("z\u{FFFD}ł"));
    /// ```
    fn make_well_formed_utf16le(isa, bytes: &mut [u8]) -> usize {
        isa.make_well_formed_utf16_bytes(ByteOrder::Little, bytes)
    }

    /// Replaces each unpaired surrogate in UTF-16BE by U+FFFD in place, like `toWellFormed` of ECMAScript. Returns
    /// the number of replacements.
    ///
    /// `bytes` may have any alignment. An odd last byte cannot be replaced in place: it is left unchanged and not
    /// counted.
    ///
    /// ```
    /// let mut bytes = [0x00, 0x7A, 0xDC, 0x00, 0x01, 0x42];
    /// assert_eq!(fastutf::make_well_formed_utf16be(&mut bytes), 1);
    /// assert_eq!(fastutf::from_utf16be(&bytes).as_deref(), Ok("z\u{FFFD}ł"));
    /// ```
    fn make_well_formed_utf16be(isa, bytes: &mut [u8]) -> usize {
        isa.make_well_formed_utf16_bytes(ByteOrder::Big, bytes)
    }
}

in_orders! { in "fastutf";
    /// Decodes UTF-16 into a `String`, with U+FFFD for each unpaired surrogate: [`String::from_utf16_lossy`] and its relatives with
    /// SIMD, and the same result. In bytes, an odd last one also becomes one U+FFFD, even after an unpaired high surrogate.
    #[cfg(feature = "alloc")]
    #[must_use]
    |isa, order, src| -> String { isa.string_from_utf16_bytes_lossy(order, src).0 }
    damaged " == \"z\\u{FFFD}ł\"";
    { utf16: from_utf16_lossy; utf16le: from_utf16le_lossy; utf16be: from_utf16be_lossy; }

    /// Decodes UTF-16 into a `String`, with U+FFFD for each unpaired surrogate, and also returns the number of replacements. In bytes, an
    /// odd last one also becomes one U+FFFD, even after an unpaired high surrogate.
    #[cfg(feature = "alloc")]
    #[must_use]
    |isa, order, src| -> (String, usize) { isa.string_from_utf16_bytes_lossy(order, src) }
    damaged " == (\"z\\u{FFFD}ł\".into(), 1)";
    { utf16: from_utf16_lossy_counted; utf16le: from_utf16le_lossy_counted; utf16be: from_utf16be_lossy_counted; }

    /// Returns the number of bytes of UTF-8 that `src` converts to, with U+FFFD in place of ill-formed sequences.
    #[must_use]
    |isa, order, src| -> usize { isa.utf8_len_from_utf16_bytes_lossy(order, src) }
    damaged " == 1 + 3 + 2";
    { utf16: utf8_len_from_utf16_lossy; utf16le: utf8_len_from_utf16le_lossy; utf16be: utf8_len_from_utf16be_lossy; }
}

lossy! { in "fastutf";
    utf8_to_utf16_bytes_lossy, "U+FFFD for each ill-formed sequence";
    // Without errors, the count is right.
    length(isa, order, src): max src.len(), count isa.utf16_len_from_utf8(src).min(src.len()), exact isa.repaired_utf16_len(src);
    {
        /// As many code units as `src` has bytes are always enough;
        /// [`utf16_len_from_utf8_lossy`](fn@utf16_len_from_utf8_lossy) returns the exact number.
        utf8 => utf16 [ByteOrder::NATIVE]: utf8_to_utf16_lossy, utf8_to_utf16_lossy_uninit, utf8_to_utf16_lossy_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf8_lossy`](fn@utf16_len_from_utf8_lossy). `dst` may have any alignment; an odd last byte of it
        /// is not used.
        utf8 => utf16le [ByteOrder::Little]:
            utf8_to_utf16le_lossy, utf8_to_utf16le_lossy_uninit, utf8_to_utf16le_lossy_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_utf8_lossy`](fn@utf16_len_from_utf8_lossy). `dst` may have any alignment; an odd last byte of it
        /// is not used.
        utf8 => utf16be [ByteOrder::Big]:
            utf8_to_utf16be_lossy, utf8_to_utf16be_lossy_uninit, utf8_to_utf16be_lossy_append;
    }

    utf16_bytes_to_utf8_lossy, "U+FFFD for each unpaired surrogate, and for an odd last byte";
    // Replacements need more room than this counts, but they are few, if any.
    length(isa, order, src): max src.len().div_ceil(2) * 3, count isa.utf8_len_from_utf16_bytes(order, src),
        exact isa.utf8_len_from_utf16_bytes_lossy(order, src);
    {
        /// Three bytes for each code unit are always enough;
        /// [`utf8_len_from_utf16_lossy`](fn@utf8_len_from_utf16_lossy) returns the exact number.
        utf16 => utf8 [ByteOrder::NATIVE]: utf16_to_utf8_lossy, utf16_to_utf8_lossy_uninit, utf16_to_utf8_lossy_append;
        /// Three bytes for each code unit, and for an odd last byte, are always enough;
        /// [`utf8_len_from_utf16le_lossy`](fn@utf8_len_from_utf16le_lossy) returns the exact number. `src` may have any
        /// alignment.
        utf16le => utf8 [ByteOrder::Little]:
            utf16le_to_utf8_lossy, utf16le_to_utf8_lossy_uninit, utf16le_to_utf8_lossy_append;
        /// Three bytes for each code unit, and for an odd last byte, are always enough;
        /// [`utf8_len_from_utf16be_lossy`](fn@utf8_len_from_utf16be_lossy) returns the exact number. `src` may have any
        /// alignment.
        utf16be => utf8 [ByteOrder::Big]:
            utf16be_to_utf8_lossy, utf16be_to_utf8_lossy_uninit, utf16be_to_utf8_lossy_append;
    }
}
