//! Encodings: all that streams know of each, but for conversions. Each has a row of [`encodings!`], a module with its
//! characters, and a row of [`kinds!`].

#[macro_use]
mod error;
mod source;

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::scalar;
pub use error::StreamError;
pub use source::Source;

/// Makes [`Encoding`] of a table, which says of each encoding:
///
/// - its name, the byte-order mark (empty if there is none), the replacement of ill-formed text, the length of a code unit in
///   bytes, and the error of a character that it does not have;
/// - the module that knows its characters, with the arguments that its functions get after the text:
///   - `validate`: checks whole text. The error is where the first ill-formed sequence starts.
///   - `first`: the character at the start of a text that is not empty, and its length in bytes, or the error there.
///   - `incomplete_end`: the length in bytes of the incomplete character at the end, 0 if there is none.
/// - the functions that decode a whole text, strictly, and lossily with the number of replacements.
macro_rules! encodings {
    ($(
        $(#[doc = $doc:literal])*
        $(#[cfg($cfg:meta)])?
        $encoding:ident: $name:literal, $bom:literal, $replacement:literal, $unit:literal, $lacks:expr,
            $characters:ident($($argument:expr)?), $decode:path, $decode_lossy:path;
    )*) => {
        /// How text is stored as bytes.
        ///
        /// ```
        /// use fastutf::stream::Encoding;
        ///
        /// assert_eq!(Encoding::Utf16Le.to_string(), "UTF-16LE");
        /// assert_eq!(Encoding::Utf8.bom(), "\u{FEFF}".as_bytes());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Encoding {
            $(
                $(#[doc = $doc])*
                $(#[cfg($cfg)])?
                $encoding,
            )*
        }

        impl Encoding {
            /// All encodings that the features of this build have.
            ///
            /// ```
            /// use fastutf::stream::Encoding;
            ///
            /// assert!(Encoding::ALL.contains(&Encoding::Utf16Be));
            /// ```
            pub const ALL: &'static [Self] = &[$($(#[cfg($cfg)])? Self::$encoding),*];

            /// UTF-16 in the byte order of `u16` on this machine.
            pub const UTF16_NATIVE: Self = Self::utf16(ByteOrder::NATIVE);

            /// Returns the byte-order mark U+FEFF in this encoding. (In UTF-8 it is also called the signature.) Latin-1 has
            /// none: it is empty.
            ///
            /// ```
            /// assert_eq!(fastutf::stream::Encoding::Utf16Be.bom(), [0xFE, 0xFF]);
            /// ```
            #[must_use]
            pub const fn bom(self) -> &'static [u8] {
                self.properties().bom
            }

            /// Returns the name registered by IANA: `UTF-8`, `UTF-16LE`, `UTF-16BE`, `ISO-8859-1`, `UTF-32LE` or
            /// `UTF-32BE`; and `WTF-8`, which is not registered.
            ///
            /// ```
            /// assert_eq!(fastutf::stream::Encoding::Utf16Be.name(), "UTF-16BE");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                self.properties().name
            }

            /// U+FFFD or, in Latin-1, which does not have it, a question mark.
            pub(super) const fn replacement(self) -> &'static [u8] {
                self.properties().replacement
            }

            /// The length of a code unit in bytes.
            pub(super) const fn unit(self) -> usize {
                self.properties().unit
            }

            /// The error of this character, if the encoding does not have it.
            pub(super) fn lacks(self, value: u32) -> Option<StreamErrorKind> {
                (self.properties().lacks)(value)
            }

            const fn properties(self) -> &'static Properties {
                match self {
                    $(
                        $(#[cfg($cfg)])?
                        Self::$encoding => &Properties {
                            name: $name,
                            bom: $bom,
                            replacement: $replacement,
                            unit: $unit,
                            lacks: $lacks,
                        },
                    )*
                }
            }

            /// Checks whole text. The error is where the first ill-formed sequence starts; [`error_at`](Self::error_at)
            /// describes it.
            #[inline(always)]
            pub(super) fn validate(self, isa: Isa, text: &[u8]) -> Result<(), usize> {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => $characters::validate(isa, text $(, $argument)?),)*
                }
            }

            /// The character at the start of `text`, which must not be empty, and its length, or the error there. WTF-8 may
            /// have a surrogate instead.
            pub(super) fn decode_first(self, text: &[u8]) -> Result<(u32, usize), StreamError> {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => $characters::first(text $(, $argument)?),)*
                }
            }

            /// The length of the incomplete character at the end of `text`, 0 if there is none.
            #[inline(always)]
            pub(crate) fn incomplete_end(self, text: &[u8]) -> usize {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => $characters::incomplete_end(text $(, $argument)?),)*
                }
            }
        }

        /// Decoding of whole texts.
        #[cfg(feature = "alloc")]
        impl Encoding {
            #[inline(always)]
            pub(crate) fn decode(self, isa: Isa, text: &[u8]) -> Result<Cow<'_, str>, StreamError> {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => $decode(isa, text).map(Cow::from).map_err(StreamError::from),)*
                }
            }

            /// Also returns the number of replacements.
            #[inline(always)]
            pub(crate) fn decode_lossy(self, isa: Isa, text: &[u8]) -> (Cow<'_, str>, usize) {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => {
                        let (text, replacements) = $decode_lossy(isa, text);
                        (text.into(), replacements)
                    })*
                }
            }
        }
    };
}

/// What the table says of an encoding.
struct Properties {
    name: &'static str,
    bom: &'static [u8],
    replacement: &'static [u8],
    unit: usize,
    lacks: fn(u32) -> Option<StreamErrorKind>,
}

encodings! {
    /// UTF-8.
    Utf8: "UTF-8", b"\xEF\xBB\xBF", b"\xEF\xBF\xBD", 1, nothing,
        utf8(), Isa::from_utf8, Isa::from_utf8_lossy_counted;
    /// UTF-16, the low byte of each code unit first.
    Utf16Le: "UTF-16LE", b"\xFF\xFE", b"\xFD\xFF", 2, nothing,
        utf16(ByteOrder::Little), Isa::from_utf16le, Isa::from_utf16le_lossy_counted;
    /// UTF-16, the high byte of each code unit first.
    Utf16Be: "UTF-16BE", b"\xFE\xFF", b"\xFF\xFD", 2, nothing,
        utf16(ByteOrder::Big), Isa::from_utf16be, Isa::from_utf16be_lossy_counted;
    /// Latin-1 (ISO 8859-1): U+0000 to U+00FF, each as one byte. It has no other characters, so that not all text can be
    /// converted to it.
    #[cfg(feature = "latin1")]
    Latin1: "ISO-8859-1", b"", b"?", 1, latin1::lacks,
        latin1(), latin1::decode, latin1::decode_lossy;
    /// UTF-32, the low byte of each code unit first.
    #[cfg(feature = "utf32")]
    Utf32Le: "UTF-32LE", b"\xFF\xFE\0\0", b"\xFD\xFF\0\0", 4, nothing,
        utf32(ByteOrder::Little), Isa::from_utf32le, Isa::from_utf32le_lossy_counted;
    /// UTF-32, the high byte of each code unit first.
    #[cfg(feature = "utf32")]
    Utf32Be: "UTF-32BE", b"\0\0\xFE\xFF", b"\0\0\xFF\xFD", 4, nothing,
        utf32(ByteOrder::Big), Isa::from_utf32be, Isa::from_utf32be_lossy_counted;
    /// WTF-8: UTF-8 that may also have unpaired surrogates, each as three bytes. UTF-16 becomes WTF-8 without loss, however
    /// ill-formed it is, and WTF-8 becomes the same UTF-16 again.
    #[cfg(feature = "wtf8")]
    Wtf8: "WTF-8", b"\xEF\xBB\xBF", b"\xEF\xBF\xBD", 1, nothing,
        wtf8(), Isa::from_wtf8, wtf8::decode_lossy;
}

kinds! {
    /// The stream is ill-formed UTF-8.
    Utf8 "utf-8": Utf8Error, Utf8ErrorKind;
    /// The stream is ill-formed UTF-16.
    Utf16 "utf-16": Utf16Error.in_bytes, Utf16ErrorKind;
    /// The stream is ill-formed UTF-32.
    #[cfg(feature = "utf32")]
    Utf32 "utf-32": Utf32Error.in_bytes, Utf32ErrorKind;
    /// The stream is ill-formed WTF-8.
    #[cfg(feature = "wtf8")]
    Wtf8 "wtf-8": Wtf8Error, Wtf8ErrorKind;
    -
    /// The stream is well-formed so far, but has this character, which is not in Latin-1, to which it is converted.
    #[cfg(feature = "latin1")]
    NotLatin1(char): "character", " is not in latin-1";
    /// The stream is well-formed WTF-8 so far, but has this surrogate, which is no character, and cannot be converted.
    #[cfg(feature = "wtf8")]
    Surrogate(u16): "unpaired surrogate", "";
}

/// The encodings of Unicode have all characters.
fn nothing(_: u32) -> Option<StreamErrorKind> {
    None
}

/// Whether there is an encoding that lacks characters. Without it, what is for those alone is not compiled.
pub(super) const HAS_PARTIAL: bool = {
    let (mut found, mut at) = (false, 0);
    while at < Encoding::ALL.len() {
        found |= Encoding::ALL[at].replacement().len() == 1;
        at += 1;
    }
    found
};

impl Encoding {
    pub(crate) const fn utf16(order: ByteOrder) -> Self {
        match order {
            ByteOrder::Little => Self::Utf16Le,
            ByteOrder::Big => Self::Utf16Be,
        }
    }

    #[cfg(feature = "utf32")]
    const fn utf32(order: ByteOrder) -> Self {
        match order {
            ByteOrder::Little => Self::Utf32Le,
            ByteOrder::Big => Self::Utf32Be,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

mod utf8 {
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

mod utf16 {
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
mod latin1 {
    use super::*;
    use crate::report::{NotLatin1Error, ToLatin1Error};

    pub(crate) fn lacks(value: u32) -> Option<StreamErrorKind> {
        char::from_u32(value).filter(|&character| u8::try_from(character).is_err()).map(StreamErrorKind::NotLatin1)
    }

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

    impl From<NotLatin1Error> for StreamError {
        /// Returns the same error, counted in bytes, as if the converted text were a stream.
        fn from(error: NotLatin1Error) -> Self {
            let error = error.in_bytes();
            let kind = StreamErrorKind::NotLatin1(error.character());
            Self::at_start(kind, error.error_len()).moved_by(error.valid_up_to() as u64)
        }
    }

    impl<E: Into<Self>> From<ToLatin1Error<E>> for StreamError {
        /// Returns the same error, counted in bytes, as if the converted text were a stream.
        fn from(error: ToLatin1Error<E>) -> Self {
            match error {
                ToLatin1Error::NotLatin1(error) => error.into(),
                ToLatin1Error::IllFormed(error) => error.into(),
            }
        }
    }
}

#[cfg(feature = "utf32")]
mod utf32 {
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
mod wtf8 {
    use super::*;
    use crate::report::{SurrogateError, ToUtf8Error};

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

    impl From<SurrogateError> for StreamError {
        /// Returns the same error, as if the converted text were a stream.
        fn from(error: SurrogateError) -> Self {
            let kind = StreamErrorKind::Surrogate(error.surrogate());
            Self::at_start(kind, 3).moved_by(error.valid_up_to() as u64)
        }
    }

    impl<E: Into<Self>> From<ToUtf8Error<E>> for StreamError {
        /// Returns the same error, as if the converted text were a stream.
        fn from(error: ToUtf8Error<E>) -> Self {
            match error {
                ToUtf8Error::Surrogate(error) => error.into(),
                ToUtf8Error::IllFormed(error) => error.into(),
            }
        }
    }
}
