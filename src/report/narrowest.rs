//! A text in the narrowest form that holds it.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

#[cfg(feature = "utf32")]
use crate::report::Width;

/// A text in the narrowest of the forms that engines keep strings in: ASCII, Latin-1 or UTF-16.
///
/// | | V8 | JavaScriptCore | the JVM |
/// |---|---|---|---|
/// | [`Ascii`](Self::Ascii), [`Latin1`](Self::Latin1) | one-byte string | 8-bit `StringImpl` | `LATIN1` |
/// | [`Utf16`](Self::Utf16) | two-byte string | 16-bit `StringImpl` | `UTF16` |
///
/// There is one form for each text: ASCII is always `Ascii`, Latin-1 that is not ASCII always `Latin1`, so two texts are
/// equal if and only if their forms are. Whatever needs no conversion is borrowed.
///
/// [`narrowest_from_utf8`](fn@crate::narrowest::narrowest_from_utf8) and its relatives make it.
///
/// ```
/// use fastutf::narrowest::{Narrowest, narrowest_from_utf8};
///
/// assert!(matches!(narrowest_from_utf8(b"naive")?, Narrowest::Ascii(text) if text == "naive"));
/// assert!(matches!(narrowest_from_utf8("naïve".as_bytes())?, Narrowest::Latin1(bytes) if bytes == b"na\xEFve"));
/// assert!(matches!(narrowest_from_utf8("5 €".as_bytes())?, Narrowest::Utf16(units) if *units == [0x35, 0x20, 0x20AC]));
/// # Ok::<(), fastutf::Utf8Error>(())
/// ```
///
/// # Into memory of your own
///
/// Engines have heaps of their own, where a string is allocated with its exact size. [`utf8_info`](fn@crate::utf8_info)
/// and [`utf16_info`](fn@crate::narrowest::utf16_info) tell the form and the size, and then the conversion to that form cannot
/// fail:
///
/// ```
/// use std::mem::MaybeUninit;
///
/// use fastutf::{Width, utf8_info, utf8_to_utf16_uninit, latin1::utf8_to_latin1_uninit};
///
/// enum New {
///     OneByte(Vec<MaybeUninit<u8>>),
///     TwoByte(Vec<MaybeUninit<u16>>),
/// }
///
/// let src = "été".as_bytes();
/// let info = utf8_info(src)?;
/// let new = if info.width() <= Width::Latin1 {
///     let mut heap = vec![MaybeUninit::uninit(); info.chars]; // the engine's allocation
///     assert!(utf8_to_latin1_uninit(src, &mut heap).is_complete());
///     New::OneByte(heap)
/// } else {
///     let mut heap = vec![MaybeUninit::uninit(); info.utf16_len];
///     assert!(utf8_to_utf16_uninit(src, &mut heap).is_complete());
///     New::TwoByte(heap)
/// };
/// assert!(matches!(new, New::OneByte(heap) if heap.len() == 3));
/// # Ok::<(), fastutf::Utf8Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Narrowest<'a> {
    /// ASCII, which is the same in Latin-1 and in UTF-8.
    Ascii(Cow<'a, str>),
    /// Latin-1 with at least one byte that is not ASCII.
    Latin1(Vec<u8>),
    /// UTF-16 with at least one character above U+00FF.
    Utf16(Cow<'a, [u16]>),
}

impl Narrowest<'_> {
    /// Returns the text as Latin-1, a byte for each character, or `None` if it has characters above U+00FF.
    ///
    /// ```
    /// let narrowest = |text: &'static str| fastutf::narrowest::narrowest_from_utf8(text.as_bytes()).unwrap();
    /// assert_eq!(narrowest("été").as_latin1(), Some(&b"\xE9t\xE9"[..]));
    /// assert_eq!(narrowest("5 €").as_latin1(), None);
    /// ```
    #[must_use]
    pub fn as_latin1(&self) -> Option<&[u8]> {
        match self {
            Self::Ascii(text) => Some(text.as_bytes()),
            Self::Latin1(bytes) => Some(bytes),
            Self::Utf16(_) => None,
        }
    }

    /// Returns the length in code units of UTF-16, which is the length in bytes of Latin-1: `length` in JavaScript and
    /// Java.
    ///
    /// ```
    /// assert_eq!(fastutf::narrowest::narrowest_from_utf8("é 😀".as_bytes())?.utf16_len(), 4);
    /// # Ok::<(), fastutf::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn utf16_len(&self) -> usize {
        match self {
            Self::Ascii(text) => text.len(),
            Self::Latin1(bytes) => bytes.len(),
            Self::Utf16(units) => units.len(),
        }
    }

    /// Makes an owned copy of borrowed data.
    ///
    /// ```
    /// let text: fastutf::narrowest::Narrowest<'static> = fastutf::narrowest::narrowest_from_utf8(&[0x61])?.into_owned();
    /// # Ok::<(), fastutf::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Narrowest<'static> {
        match self {
            Self::Ascii(text) => Narrowest::Ascii(Cow::Owned(String::from(text))),
            Self::Latin1(bytes) => Narrowest::Latin1(bytes),
            Self::Utf16(units) => Narrowest::Utf16(Cow::Owned(Vec::from(units))),
        }
    }
}

impl fmt::Debug for Narrowest<'_> {
    /// Shows the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ascii(text) => f.debug_tuple("Ascii").field(text).finish(),
            Self::Latin1(bytes) => {
                let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
                f.debug_tuple("Latin1").field(&text).finish()
            }
            Self::Utf16(units) => f.debug_tuple("Utf16").field(&String::from_utf16_lossy(units)).finish(),
        }
    }
}

/// A text in the narrowest form that has as many bytes for one character as for any other: what CPython keeps strings in.
///
/// | | CPython | bytes for each character |
/// |---|---|---|
/// | [`Ascii`](Self::Ascii) | `PyUnicode_1BYTE_KIND`, compact ASCII | 1 |
/// | [`Latin1`](Self::Latin1) | `PyUnicode_1BYTE_KIND` | 1 |
/// | [`Bmp`](Self::Bmp) | `PyUnicode_2BYTE_KIND` (UCS-2) | 2 |
/// | [`Full`](Self::Full) | `PyUnicode_4BYTE_KIND` (UCS-4) | 4 |
///
/// So finding a character by its index takes constant time. As with [`Narrowest`], which has UTF-16 for all that is not Latin-1, there is one
/// form for each text, and what needs no conversion is borrowed.
///
/// [`narrowest_chars_from_utf8`](fn@crate::narrowest::narrowest_chars_from_utf8) and its relatives make it. To write to memory of your own,
/// ask [`utf8_info`](fn@crate::utf8_info) or [`utf16_info`](fn@crate::narrowest::utf16_info) for the width and for `chars`, and then call the
/// conversion to that form, which cannot fail: [as with `Narrowest`](crate::report::Narrowest#into-memory-of-your-own), and
/// [`utf8_to_utf32`](fn@crate::utf32::utf8_to_utf32) or [`utf16_to_utf32`](fn@crate::utf32::utf16_to_utf32) for [`Width::Full`].
///
/// ```
/// use fastutf::narrowest::{NarrowestChars, narrowest_chars_from_utf8};
///
/// let text = narrowest_chars_from_utf8("a 😀!".as_bytes())?;
/// assert!(matches!(&text, NarrowestChars::Full(chars) if *chars == ['a', ' ', '😀', '!']));
/// assert_eq!(text.get(3), Some('!'));
/// # Ok::<(), fastutf::Utf8Error>(())
/// ```
#[cfg(feature = "utf32")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum NarrowestChars<'a> {
    /// ASCII, which is the same in Latin-1 and in UTF-8.
    Ascii(Cow<'a, str>),
    /// Latin-1 with at least one character that is not ASCII.
    Latin1(Vec<u8>),
    /// A `u16` for each character, which is no surrogate. At least one is above U+00FF.
    Bmp(Cow<'a, [u16]>),
    /// A `char` for each character; at least one is above U+FFFF.
    /// [`chars_as_utf32`](crate::utf32::chars_as_utf32) returns them as `u32`.
    Full(Vec<char>),
}

#[cfg(feature = "utf32")]
impl NarrowestChars<'_> {
    /// Returns the number of characters.
    ///
    /// ```
    /// assert_eq!(fastutf::narrowest::narrowest_chars_from_utf8("é 😀".as_bytes())?.len(), 3);
    /// # Ok::<(), fastutf::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Ascii(text) => text.len(),
            Self::Latin1(bytes) => bytes.len(),
            Self::Bmp(units) => units.len(),
            Self::Full(chars) => chars.len(),
        }
    }

    /// Returns whether there are no characters.
    ///
    /// ```
    /// assert!(fastutf::narrowest::narrowest_chars_from_utf8(b"")?.is_empty());
    /// # Ok::<(), fastutf::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns which form this is.
    ///
    /// ```
    /// assert_eq!(fastutf::narrowest::narrowest_chars_from_utf8("5 €".as_bytes())?.width(), fastutf::Width::Bmp);
    /// # Ok::<(), fastutf::Utf8Error>(())
    /// ```
    #[must_use]
    pub const fn width(&self) -> Width {
        match self {
            Self::Ascii(_) => Width::Ascii,
            Self::Latin1(_) => Width::Latin1,
            Self::Bmp(_) => Width::Bmp,
            Self::Full(_) => Width::Full,
        }
    }

    /// Returns the character at this index, if the text is as long. This takes the same time for every index.
    ///
    /// ```
    /// let text = fastutf::narrowest::narrowest_chars_from_utf8("5 €".as_bytes())?;
    /// assert_eq!((text.get(2), text.get(3)), (Some('€'), None));
    /// # Ok::<(), fastutf::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<char> {
        match self {
            Self::Ascii(text) => text.as_bytes().get(index).copied().map(char::from),
            Self::Latin1(bytes) => bytes.get(index).copied().map(char::from),
            Self::Bmp(units) => char::from_u32(u32::from(*units.get(index)?)),
            Self::Full(chars) => chars.get(index).copied(),
        }
    }

    /// Makes an owned copy of borrowed data.
    ///
    /// ```
    /// let text: fastutf::narrowest::NarrowestChars<'static> = fastutf::narrowest::narrowest_chars_from_utf8(&[0x61])?.into_owned();
    /// # Ok::<(), fastutf::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> NarrowestChars<'static> {
        match self {
            Self::Ascii(text) => NarrowestChars::Ascii(Cow::Owned(String::from(text))),
            Self::Latin1(bytes) => NarrowestChars::Latin1(bytes),
            Self::Bmp(units) => NarrowestChars::Bmp(Cow::Owned(Vec::from(units))),
            Self::Full(chars) => NarrowestChars::Full(chars),
        }
    }
}

#[cfg(feature = "utf32")]
impl fmt::Debug for NarrowestChars<'_> {
    /// Shows the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Ascii(_) => "Ascii",
            Self::Latin1(_) => "Latin1",
            Self::Bmp(_) => "Bmp",
            Self::Full(_) => "Full",
        };
        let text: String = (0..self.len()).filter_map(|index| self.get(index)).collect();
        f.debug_tuple(name).field(&text).finish()
    }
}
