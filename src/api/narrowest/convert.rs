//! Conversion to the narrowest form.

use crate::output::Output;
use alloc::{borrow::Cow, string::String, vec::Vec};

use super::Utf16Info;
use crate::api::converter::Converter;
use crate::api::into_vec;
use crate::endian::ByteOrder;
use crate::isa::Isa;
pub use crate::report::Narrowest;
#[cfg(feature = "utf32")]
pub use crate::report::NarrowestChars;
use crate::report::{Conversion, Stop, Utf8Error, Utf8Info, Utf16Error, Width, Written};

/// This many characters are converted to Latin-1 on the stack: most text that is not in Latin-1 shows it by then.
const FIRST: usize = 256;
/// Up to this many bytes of UTF-8, it is faster to ask for the form first: a conversion that stops takes as long as
/// looking at that many.
const SHORT_UTF8: usize = 128;
/// The same in code units of UTF-16.
const SHORT_UTF16: usize = 256;
/// If one of this many first units is not in Latin-1, the conversion is not tried.
const LOOKED_AT: usize = 16;

/// Converts a text to Latin-1 up to the first character that is not in it. `convert` does so from an offset on; the result
/// has at most `max` bytes. Then calls `all`, or `part` with the text before that character, and its offset.
#[inline(always)]
fn while_latin1<E: Copy, R, F: Fn(&mut Output) -> Conversion<E>>(
    max: usize,
    convert: impl Fn(usize) -> Converter<F>,
    all: impl FnOnce(Vec<u8>) -> R,
    part: impl FnOnce(&[u8], usize) -> R,
) -> R {
    let mut first = [0; FIRST];
    let out = convert(0).run_over(&mut first);
    let (first, read) = (&first[..out.written], out.read);
    match out.stop {
        Stop::Complete => return all(first.to_vec()),
        Stop::Invalid(_) => return part(first, read),
        Stop::OutputFull => {}
    }
    let mut latin1 = Vec::with_capacity(max);
    latin1.extend_from_slice(first);
    // There is room for all.
    let out = into_vec::append(&mut latin1, 0, || 0, convert(read));
    if out.is_complete() {
        latin1.shrink_to_fit();
        all(latin1)
    } else {
        part(&latin1, read + out.read)
    }
}

/// What several public operations share. Offsets are in bytes.
impl Isa {
    /// The text, if it is ASCII.
    #[inline(always)]
    fn as_ascii(self, src: &[u8]) -> Option<&str> {
        // SAFETY: ASCII is UTF-8.
        self.is_ascii(src).then(|| unsafe { core::str::from_utf8_unchecked(src) })
    }

    /// The form of a text in Latin-1.
    fn of_latin1(self, latin1: Vec<u8>) -> Narrowest<'static> {
        if self.is_ascii(&latin1) {
            // SAFETY: ASCII is UTF-8.
            Narrowest::Ascii(Cow::Owned(unsafe { String::from_utf8_unchecked(latin1) }))
        } else {
            Narrowest::Latin1(latin1)
        }
    }

    /// Latin-1 as UTF-16, with room for the rest of the text if that is well-formed.
    fn widened(self, latin1: &[u8], rest: &[u8]) -> Vec<u16> {
        let mut units = Vec::with_capacity(latin1.len() + self.utf16_len_from_utf8(rest).min(rest.len()));
        self.latin1_to_utf16_append(latin1, &mut units);
        units
    }

    fn short_narrowest_from_utf8(self, info: Utf8Info, src: &[u8]) -> Narrowest<'static> {
        let to_latin1 = converter!(self.utf8_to_latin1_uninit(src));
        self.short_narrowest(info.width(), info.chars, to_latin1, || {
            let mut units = Vec::with_capacity(info.utf16_len);
            let _ = into_vec::append(&mut units, 0, || 0, converter!(self.utf8_to_utf16_uninit(src)));
            Cow::Owned(units)
        })
    }

    fn utf16_after_latin1(self, latin1: &[u8], src: &[u8], at: usize) -> Result<Vec<u16>, Utf8Error> {
        let rest = &src[at..];
        let mut units = self.widened(latin1, rest);
        match into_vec::append(&mut units, 0, || 0, converter!(self.utf8_to_utf16_uninit(rest))).stop {
            Stop::Complete => Ok(units),
            Stop::Invalid(error) => Err(error.moved_by(at)),
            Stop::OutputFull => self.validate_utf8(src).map(|()| units),
        }
    }

    fn utf16_after_latin1_lossy(self, latin1: &[u8], rest: &[u8]) -> Vec<u16> {
        let mut units = self.widened(latin1, rest);
        let out = into_vec::append(&mut units, 0, || 0, converter!(self.utf8_to_utf16_lossy_uninit(rest)));
        if !out.is_complete() {
            let _ = self.utf8_to_utf16_lossy_append(&rest[out.read..], &mut units);
        }
        units.shrink_to_fit();
        units
    }

    /// The form of a short text, when it is known which.
    #[inline(always)]
    fn short_narrowest<'a, O: Written>(
        self,
        width: Width,
        chars: usize,
        to_latin1: Converter<impl Fn(&mut Output) -> O>,
        wide: impl FnOnce() -> Cow<'a, [u16]>,
    ) -> Narrowest<'a> {
        if width > Width::Latin1 {
            return Narrowest::Utf16(wide());
        }
        let mut latin1 = Vec::with_capacity(chars);
        into_vec::append(&mut latin1, 0, || 0, to_latin1);
        if width == Width::Ascii {
            // SAFETY: ASCII is UTF-8.
            Narrowest::Ascii(Cow::Owned(unsafe { String::from_utf8_unchecked(latin1) }))
        } else {
            Narrowest::Latin1(latin1)
        }
    }

    fn narrowest_from_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> Result<Narrowest<'static>, Utf16Error> {
        let start = &src[..src.len().min(2 * LOOKED_AT)];
        if src.len() <= 2 * SHORT_UTF16 || is_wide(start.as_chunks::<2>().0, |&unit| order.unit(unit)) {
            let Utf16Info { width, chars } = self.utf16_info_bytes(order, src)?;
            let to_latin1 = converter!(self.utf16_to_latin1_bytes(order, src));
            return Ok(self.short_narrowest(width, chars, to_latin1, || Cow::Owned(units(order, src))));
        }
        while_latin1(
            src.len() / 2,
            |at| converter!(move self.utf16_to_latin1_bytes(order, &src[at..])),
            |latin1| Ok(self.of_latin1(latin1)),
            |_, at| {
                self.validate_utf16_bytes(order, &src[at..]).map_err(|error| error.moved_by(at))?;
                Ok(Narrowest::Utf16(Cow::Owned(units(order, src))))
            },
        )
    }

    fn short_narrowest_from_utf16(self, info: Utf16Info, src: &[u16]) -> Narrowest<'_> {
        let to_latin1 = converter!(self.utf16_to_latin1_uninit(src));
        self.short_narrowest(info.width(), info.chars, to_latin1, || Cow::Borrowed(src))
    }

    fn narrowest_from_utf16_bytes_lossy(self, order: ByteOrder, src: &[u8]) -> Narrowest<'static> {
        while_latin1(
            src.len().div_ceil(2),
            |at| converter!(move self.utf16_to_latin1_bytes(order, &src[at..])),
            |latin1| self.of_latin1(latin1),
            |_, at| {
                let mut units = units(order, src);
                self.make_well_formed_utf16(&mut units[at / 2..]);
                units.extend((!src.len().is_multiple_of(2)).then_some(0xFFFD));
                Narrowest::Utf16(Cow::Owned(units))
            },
        )
    }
}

/// The form of a text that has no characters above U+FFFF.
#[cfg(feature = "utf32")]
fn up_to_bmp(text: Narrowest<'_>) -> NarrowestChars<'_> {
    match text {
        Narrowest::Ascii(text) => NarrowestChars::Ascii(text),
        Narrowest::Latin1(bytes) => NarrowestChars::Latin1(bytes),
        Narrowest::Utf16(units) => NarrowestChars::Bmp(units),
    }
}

/// The form of a text of `chars` characters, some of which are above U+FFFF.
#[cfg(feature = "utf32")]
fn full<O: Written>(chars: usize, convert: Converter<impl Fn(&mut Output<char>) -> O>) -> NarrowestChars<'static> {
    let mut all = Vec::with_capacity(chars);
    into_vec::append(&mut all, 0, || 0, convert);
    NarrowestChars::Full(all)
}

#[cfg(feature = "utf32")]
impl Isa {
    /// The form of this text, whose facts are all known.
    fn chars_of_utf8(self, info: Utf8Info, src: &[u8]) -> NarrowestChars<'static> {
        if info.width() == Width::Full {
            return full(info.chars, converter!(chars: self.utf8_to_utf32_uninit(src)));
        }
        up_to_bmp(self.short_narrowest_from_utf8(info, src))
    }

    /// The same of UTF-16.
    fn chars_of_utf16<'a>(self, info: Utf16Info, src: Cow<'a, [u16]>) -> NarrowestChars<'a> {
        match info.width() {
            Width::Full => full(info.chars, converter!(chars: self.utf16_to_utf32_uninit(&src))),
            Width::Bmp => NarrowestChars::Bmp(src),
            _ => up_to_bmp(self.short_narrowest_from_utf16(info, &src).into_owned()),
        }
    }
}

/// Whether any of these units is not in Latin-1.
#[inline(always)]
fn is_wide<T>(start: &[T], unit: impl Fn(&T) -> u16) -> bool {
    let (mut all, mut at) = (0, 0);
    while at < start.len() {
        all |= unit(&start[at]);
        at += 1;
    }
    all > 0xFF
}

/// These bytes as code units, without an odd one.
fn units(order: ByteOrder, src: &[u8]) -> Vec<u16> {
    let bytes = src.as_chunks::<2>().0;
    // The compiler makes vectors of either.
    for_each_order!(order, bytes.iter().map(|&unit| order.unit(unit)).collect())
}

operations! {
    /// Decodes UTF-8 into the narrowest of ASCII, Latin-1 and UTF-16: as V8, JavaScriptCore and the JVM keep strings.
    /// Borrows if `src` is ASCII.
    ///
    /// Text in Latin-1 takes one pass. At the first character above U+00FF, the text converted so far is
    /// widened. To write to memory of your own, ask [`utf8_info`](fn@crate::utf8_info) for the width and the exact length
    /// first: see [the example there](crate::report::Narrowest#into-memory-of-your-own).
    ///
    /// # Errors
    ///
    /// As [`validate_utf8`](fn@crate::validate_utf8).
    ///
    /// ```
    /// use fastutf::narrowest::{Narrowest, narrowest_from_utf8};
    ///
    /// assert!(matches!(narrowest_from_utf8("été".as_bytes()), Ok(Narrowest::Latin1(_))));
    /// assert!(matches!(narrowest_from_utf8("5 €".as_bytes()), Ok(Narrowest::Utf16(_))));
    /// assert_eq!(narrowest_from_utf8(b"ab\xFF").unwrap_err().valid_up_to(), 2);
    /// ```
    fn narrowest_from_utf8(isa, src: &[u8]) -> Result<Narrowest<'_>, Utf8Error> {
        if let Some(text) = isa.as_ascii(src) {
            return Ok(Narrowest::Ascii(Cow::Borrowed(text)));
        }
        if src.len() <= SHORT_UTF8 {
            let info = isa.utf8_info(src)?;
            return Ok(isa.short_narrowest_from_utf8(info, src));
        }
        while_latin1(
            src.len(),
            |at| converter!(move isa.utf8_to_latin1_uninit(&src[at..])),
            |latin1| Ok(Narrowest::Latin1(latin1)),
            |latin1, at| Ok(Narrowest::Utf16(Cow::Owned(isa.utf16_after_latin1(latin1, src, at)?))),
        )
    }

    /// Like [`narrowest_from_utf8`](fn@crate::narrowest::narrowest_from_utf8), with U+FFFD for each ill-formed sequence, as
    /// `TextDecoder` has it. A text with any such sequence becomes UTF-16.
    ///
    /// ```
    /// use fastutf::narrowest::Narrowest;
    ///
    /// let text = fastutf::narrowest::narrowest_from_utf8_lossy(b"\xC3\xA9\xFF");
    /// assert!(matches!(text, Narrowest::Utf16(units) if *units == [0xE9, 0xFFFD]));
    /// ```
    #[must_use]
    fn narrowest_from_utf8_lossy(isa, src: &[u8]) -> Narrowest<'_> {
        if let Some(text) = isa.as_ascii(src) {
            return Narrowest::Ascii(Cow::Borrowed(text));
        }
        if src.len() <= SHORT_UTF8 && let Ok(info) = isa.utf8_info(src) {
            return isa.short_narrowest_from_utf8(info, src);
        }
        while_latin1(
            src.len(),
            |at| converter!(move isa.utf8_to_latin1_uninit(&src[at..])),
            Narrowest::Latin1,
            |latin1, at| Narrowest::Utf16(Cow::Owned(isa.utf16_after_latin1_lossy(latin1, &src[at..]))),
        )
    }

    /// Turns UTF-16 into the narrowest of ASCII, Latin-1 and UTF-16. Borrows if that is UTF-16.
    ///
    /// # Errors
    ///
    /// As [`validate_utf16`](fn@crate::validate_utf16). For strings that may have unpaired surrogates, as JavaScript's
    /// do, [`validate_latin1_in_utf16`](fn@crate::latin1::validate_latin1_in_utf16) tells whether Latin-1 holds them.
    ///
    /// ```
    /// use fastutf::narrowest::{Narrowest, narrowest_from_utf16};
    ///
    /// assert!(matches!(narrowest_from_utf16(&[0xE9, 0x74]), Ok(Narrowest::Latin1(bytes)) if bytes == b"\xE9t"));
    /// assert!(matches!(narrowest_from_utf16(&[0x20AC]), Ok(Narrowest::Utf16(units)) if *units == [0x20AC]));
    /// assert_eq!(narrowest_from_utf16(&[0xE9, 0xDC00]).unwrap_err().valid_up_to(), 1);
    /// ```
    fn narrowest_from_utf16(isa, src: &[u16]) -> Result<Narrowest<'_>, Utf16Error> {
        if src.len() <= SHORT_UTF16 || is_wide(&src[..LOOKED_AT], |&unit| unit) {
            let info = isa.utf16_info(src)?;
            return Ok(isa.short_narrowest_from_utf16(info, src));
        }
        while_latin1(
            src.len(),
            |at| converter!(move isa.utf16_to_latin1_uninit(&src[at..])),
            |latin1| Ok(isa.of_latin1(latin1)),
            |_, at| {
                isa.validate_utf16(&src[at..]).map_err(|error| error.moved_by(at))?;
                Ok(Narrowest::Utf16(Cow::Borrowed(src)))
            },
        )
    }

    /// Like [`narrowest_from_utf16`](fn@crate::narrowest::narrowest_from_utf16), with U+FFFD for each unpaired surrogate.
    ///
    /// ```
    /// use fastutf::narrowest::Narrowest;
    ///
    /// let text = fastutf::narrowest::narrowest_from_utf16_lossy(&[0xE9, 0xDC00]);
    /// assert!(matches!(text, Narrowest::Utf16(units) if *units == [0xE9, 0xFFFD]));
    /// ```
    #[must_use]
    fn narrowest_from_utf16_lossy(isa, src: &[u16]) -> Narrowest<'_> {
        if (src.len() <= SHORT_UTF16 || is_wide(&src[..LOOKED_AT], |&unit| unit))
            && let Ok(info) = isa.utf16_info(src)
        {
            return isa.short_narrowest_from_utf16(info, src);
        }
        while_latin1(
            src.len(),
            |at| converter!(move isa.utf16_to_latin1_uninit(&src[at..])),
            |latin1| isa.of_latin1(latin1),
            |_, at| {
                if isa.validate_utf16(&src[at..]).is_ok() {
                    return Narrowest::Utf16(Cow::Borrowed(src));
                }
                let mut units = src.to_vec();
                isa.make_well_formed_utf16(&mut units[at..]);
                Narrowest::Utf16(Cow::Owned(units))
            },
        )
    }

    /// [`narrowest_from_utf16`](fn@crate::narrowest::narrowest_from_utf16) for UTF-16LE bytes, at any alignment. Never borrows.
    ///
    /// # Errors
    ///
    /// As [`validate_utf16le`](fn@crate::validate_utf16le).
    ///
    /// ```
    /// use fastutf::narrowest::Narrowest;
    ///
    /// let text = fastutf::narrowest::narrowest_from_utf16le(b"\xAC\x20")?;
    /// assert!(matches!(text, Narrowest::Utf16(units) if *units == [0x20AC]));
    /// # Ok::<(), fastutf::Utf16Error>(())
    /// ```
    fn narrowest_from_utf16le(isa, src: &[u8]) -> Result<Narrowest<'static>, Utf16Error> {
        isa.narrowest_from_utf16_bytes(ByteOrder::Little, src)
    }

    /// Like [`narrowest_from_utf16le`](fn@crate::narrowest::narrowest_from_utf16le), with U+FFFD for each unpaired surrogate and for
    /// an odd last byte.
    ///
    /// ```
    /// use fastutf::narrowest::Narrowest;
    ///
    /// let text = fastutf::narrowest::narrowest_from_utf16le_lossy(b"\xE9\x00\x74");
    /// assert!(matches!(text, Narrowest::Utf16(units) if *units == [0xE9, 0xFFFD]));
    /// ```
    #[must_use]
    fn narrowest_from_utf16le_lossy(isa, src: &[u8]) -> Narrowest<'static> {
        isa.narrowest_from_utf16_bytes_lossy(ByteOrder::Little, src)
    }

    /// [`narrowest_from_utf16`](fn@crate::narrowest::narrowest_from_utf16) for UTF-16BE bytes, at any alignment. Never borrows.
    ///
    /// # Errors
    ///
    /// As [`validate_utf16be`](fn@crate::validate_utf16be).
    ///
    /// ```
    /// use fastutf::narrowest::Narrowest;
    ///
    /// let text = fastutf::narrowest::narrowest_from_utf16be(b"\x00\xE9\x00\x74")?;
    /// assert!(matches!(text, Narrowest::Latin1(bytes) if bytes == b"\xE9t"));
    /// # Ok::<(), fastutf::Utf16Error>(())
    /// ```
    fn narrowest_from_utf16be(isa, src: &[u8]) -> Result<Narrowest<'static>, Utf16Error> {
        isa.narrowest_from_utf16_bytes(ByteOrder::Big, src)
    }

    /// Like [`narrowest_from_utf16be`](fn@crate::narrowest::narrowest_from_utf16be), with U+FFFD for each unpaired surrogate and for
    /// an odd last byte.
    ///
    /// ```
    /// use fastutf::narrowest::Narrowest;
    ///
    /// let text = fastutf::narrowest::narrowest_from_utf16be_lossy(b"\xD8\x00\x00\x74");
    /// assert!(matches!(text, Narrowest::Utf16(units) if *units == [0xFFFD, 0x74]));
    /// ```
    #[must_use]
    fn narrowest_from_utf16be_lossy(isa, src: &[u8]) -> Narrowest<'static> {
        isa.narrowest_from_utf16_bytes_lossy(ByteOrder::Big, src)
    }

    /// Decodes UTF-8 into the narrowest of ASCII, Latin-1, UCS-2 and UCS-4: as CPython keeps strings. Borrows if `src` is
    /// ASCII.
    ///
    /// This takes two passes: [`utf8_info`](fn@crate::utf8_info) validates and finds form and length; then one conversion
    /// fills an allocation of that size. If text beyond Latin-1 may be UTF-16,
    /// [`narrowest_from_utf8`](fn@crate::narrowest::narrowest_from_utf8) is faster.
    ///
    /// # Errors
    ///
    /// As [`validate_utf8`](fn@crate::validate_utf8).
    ///
    /// ```
    /// use fastutf::narrowest::{NarrowestChars, narrowest_chars_from_utf8};
    ///
    /// assert!(matches!(narrowest_chars_from_utf8("été".as_bytes()), Ok(NarrowestChars::Latin1(_))));
    /// assert!(matches!(narrowest_chars_from_utf8("5 €".as_bytes()), Ok(NarrowestChars::Bmp(_))));
    /// assert!(matches!(narrowest_chars_from_utf8("5 😀".as_bytes()), Ok(NarrowestChars::Full(_))));
    /// assert_eq!(narrowest_chars_from_utf8(b"ab\xFF").unwrap_err().valid_up_to(), 2);
    /// ```
    "utf32" fn narrowest_chars_from_utf8(isa, src: &[u8]) -> Result<NarrowestChars<'_>, Utf8Error> {
        if let Some(text) = isa.as_ascii(src) {
            return Ok(NarrowestChars::Ascii(Cow::Borrowed(text)));
        }
        let info = isa.utf8_info(src)?;
        Ok(isa.chars_of_utf8(info, src))
    }

    /// Like [`narrowest_chars_from_utf8`](fn@crate::narrowest::narrowest_chars_from_utf8), with U+FFFD for each ill-formed sequence, as
    /// `TextDecoder` has it. A text with any such sequence goes by way of UTF-16, in one or two more passes.
    ///
    /// ```
    /// use fastutf::narrowest::NarrowestChars;
    ///
    /// let text = fastutf::narrowest::narrowest_chars_from_utf8_lossy(b"\xC3\xA9\xFF");
    /// assert!(matches!(text, NarrowestChars::Bmp(units) if *units == [0xE9, 0xFFFD]));
    /// ```
    #[must_use]
    "utf32" fn narrowest_chars_from_utf8_lossy(isa, src: &[u8]) -> NarrowestChars<'_> {
        if let Some(text) = isa.as_ascii(src) {
            return NarrowestChars::Ascii(Cow::Borrowed(text));
        }
        if let Ok(info) = isa.utf8_info(src) {
            return isa.chars_of_utf8(info, src);
        }
        let mut units = Vec::new();
        let _ = isa.utf8_to_utf16_lossy_append(src, &mut units);
        isa.narrowest_chars_from_utf16_lossy(&units).into_owned()
    }

    /// Turns UTF-16 into the narrowest of ASCII, Latin-1, UCS-2 and UCS-4. Borrows if that is UCS-2.
    ///
    /// This takes two passes, as [`narrowest_chars_from_utf8`](fn@crate::narrowest::narrowest_chars_from_utf8), or one if it borrows.
    ///
    /// # Errors
    ///
    /// As [`validate_utf16`](fn@crate::validate_utf16).
    ///
    /// ```
    /// use fastutf::narrowest::{NarrowestChars, narrowest_chars_from_utf16};
    ///
    /// assert!(matches!(narrowest_chars_from_utf16(&[0x20AC]), Ok(NarrowestChars::Bmp(units)) if *units == [0x20AC]));
    /// assert!(matches!(narrowest_chars_from_utf16(&[0xD83D, 0xDE00]), Ok(NarrowestChars::Full(chars)) if chars == ['😀']));
    /// assert_eq!(narrowest_chars_from_utf16(&[0xE9, 0xDC00]).unwrap_err().valid_up_to(), 1);
    /// ```
    "utf32" fn narrowest_chars_from_utf16(isa, src: &[u16]) -> Result<NarrowestChars<'_>, Utf16Error> {
        let info = isa.utf16_info(src)?;
        Ok(isa.chars_of_utf16(info, Cow::Borrowed(src)))
    }

    /// Like [`narrowest_chars_from_utf16`](fn@crate::narrowest::narrowest_chars_from_utf16), with U+FFFD for each unpaired surrogate. A
    /// text with any takes two more passes.
    ///
    /// ```
    /// use fastutf::narrowest::NarrowestChars;
    ///
    /// let text = fastutf::narrowest::narrowest_chars_from_utf16_lossy(&[0xE9, 0xDC00]);
    /// assert!(matches!(text, NarrowestChars::Bmp(units) if *units == [0xE9, 0xFFFD]));
    /// ```
    #[must_use]
    "utf32" fn narrowest_chars_from_utf16_lossy(isa, src: &[u16]) -> NarrowestChars<'_> {
        if let Ok(info) = isa.utf16_info(src) {
            return isa.chars_of_utf16(info, Cow::Borrowed(src));
        }
        let mut units = src.to_vec();
        isa.make_well_formed_utf16(&mut units);
        // Nothing is left that is ill-formed.
        match isa.utf16_info(&units) {
            Ok(info) => isa.chars_of_utf16(info, Cow::Owned(units)),
            Err(_) => NarrowestChars::Bmp(Cow::Owned(units)),
        }
    }
}
