//! Encodings: how text is stored as bytes, and how an input's encoding is known.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

use super::{StreamError, characters};
use crate::endian::ByteOrder;
use crate::isa::Isa;

/// Makes [`Encoding`] of a table, which says of each encoding:
///
/// - its name, the byte-order mark (empty if there is none), what replaces ill-formed text, the length of a code unit in bytes,
///   and its greatest character;
/// - the module of [`characters`] that knows its characters, with the arguments that its functions get after the text;
/// - the functions that decode a whole text, strictly, and lossily with the number of replacements.
macro_rules! encodings {
    ($(
        $(#[doc = $doc:literal])*
        $(#[cfg($cfg:meta)])?
        $encoding:ident: $name:literal, $bom:literal, $replacement:literal, $unit:literal, $greatest:expr,
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

            /// The greatest character that it has.
            #[cfg(feature = "latin1")]
            pub(super) const fn greatest(self) -> char {
                self.properties().greatest
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
                            greatest: $greatest,
                        },
                    )*
                }
            }

            /// Checks whole text. The error is where the first ill-formed sequence starts; [`error_at`](Self::error_at)
            /// describes it.
            #[inline(always)]
            pub(super) fn validate(self, isa: Isa, text: &[u8]) -> Result<(), usize> {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => characters::$characters::validate(isa, text $(, $argument)?),)*
                }
            }

            /// The character at the start of `text`, which must not be empty, and its length, or the error there. WTF-8 may
            /// have a surrogate instead.
            pub(super) fn decode_first(self, text: &[u8]) -> Result<(u32, usize), StreamError> {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => characters::$characters::first(text $(, $argument)?),)*
                }
            }

            /// The length of the incomplete character at the end of `text`, 0 if there is none.
            #[inline(always)]
            pub(crate) fn incomplete_end(self, text: &[u8]) -> usize {
                match self {
                    $($(#[cfg($cfg)])? Self::$encoding => characters::$characters::incomplete_end(text $(, $argument)?),)*
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
    #[allow(dead_code)] // without Latin-1
    greatest: char,
}

encodings! {
    /// UTF-8.
    Utf8: "UTF-8", b"\xEF\xBB\xBF", b"\xEF\xBF\xBD", 1, char::MAX,
        utf8(), Isa::from_utf8, Isa::from_utf8_lossy_counted;
    /// UTF-16, the low byte of each code unit first.
    Utf16Le: "UTF-16LE", b"\xFF\xFE", b"\xFD\xFF", 2, char::MAX,
        utf16(ByteOrder::Little), Isa::from_utf16le, Isa::from_utf16le_lossy_counted;
    /// UTF-16, the high byte of each code unit first.
    Utf16Be: "UTF-16BE", b"\xFE\xFF", b"\xFF\xFD", 2, char::MAX,
        utf16(ByteOrder::Big), Isa::from_utf16be, Isa::from_utf16be_lossy_counted;
    /// Latin-1 (ISO 8859-1): U+0000 to U+00FF, each as one byte. There is no other text in it: what is converted to it may
    /// have characters that it does not have.
    #[cfg(feature = "latin1")]
    Latin1: "ISO-8859-1", b"", b"?", 1, '\u{FF}',
        latin1(), characters::latin1::decode, characters::latin1::decode_lossy;
    /// UTF-32, the low byte of each code unit first.
    #[cfg(feature = "utf32")]
    Utf32Le: "UTF-32LE", b"\xFF\xFE\0\0", b"\xFD\xFF\0\0", 4, char::MAX,
        utf32(ByteOrder::Little), Isa::from_utf32le, Isa::from_utf32le_lossy_counted;
    /// UTF-32, the high byte of each code unit first.
    #[cfg(feature = "utf32")]
    Utf32Be: "UTF-32BE", b"\0\0\xFE\xFF", b"\0\0\xFF\xFD", 4, char::MAX,
        utf32(ByteOrder::Big), Isa::from_utf32be, Isa::from_utf32be_lossy_counted;
    /// WTF-8: UTF-8 that may also have surrogates which are not in pairs, each as three bytes. UTF-16 becomes WTF-8 without a
    /// loss, however ill-formed it is, and WTF-8 becomes UTF-16 again.
    #[cfg(feature = "wtf8")]
    Wtf8: "WTF-8", b"\xEF\xBB\xBF", b"\xEF\xBF\xBD", 1, char::MAX,
        wtf8(), Isa::from_wtf8, characters::wtf8::decode_lossy;
}

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

/// What is known about the encoding of an input, and what happens to a byte-order mark at its start.
///
/// Only the first character of an input can be a byte-order mark: U+FEFF anywhere else is a character, even right after
/// a byte-order mark. Where a `Source` is expected, an [`Encoding`] alone means [`KeepBom`](Self::KeepBom).
///
/// ```
/// use fastutf::stream::{Encoding, Source, Transcoder};
///
/// let source = Source::DetectBom { fallback: Encoding::Utf8 };
/// let mut buffer = [0; 16];
/// for input in [&b"z"[..], b"\xEF\xBB\xBFz", b"\xFF\xFEz\0", b"\xFE\xFF\0z"] {
///     let out = Transcoder::new(source, Encoding::Utf8).convert(input, &mut buffer);
///     assert_eq!(buffer[..out.written], *b"z");
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// This encoding, without detection: U+FEFF at the start is a character like any other, and the byte-order mark of
    /// another encoding is whatever its bytes mean in this one. RFC 2781 §4.1 and §4.2 require this for text labelled
    /// `UTF-16BE` or `UTF-16LE`.
    KeepBom(Encoding),
    /// This encoding; U+FEFF at the start is removed. (Latin-1 has none.)
    StripBom(Encoding),
    /// Text labelled `UTF-16`: a byte-order mark determines the byte order and is removed.
    Utf16 {
        /// The byte order if there is no byte-order mark.
        fallback: ByteOrder,
    },
    /// A byte-order mark of UTF-8, UTF-16LE or UTF-16BE determines the encoding and is removed, as on the Web.
    ///
    /// The byte-order mark of UTF-32LE starts with that of UTF-16LE: `FF FE 00 00` is taken for UTF-16LE and U+0000. It is, with
    /// every set of features, so that nothing changes if another crate enables `utf32`. `DetectAnyBom` takes it for UTF-32LE,
    /// and so does this, for which only there is reason to, if `fallback` is UTF-32.
    DetectBom {
        /// The encoding if there is no byte-order mark.
        fallback: Encoding,
    },
    /// Text labelled `UTF-32`: a byte-order mark, `FF FE 00 00` or `00 00 FE FF`, determines the byte order and is removed.
    #[cfg(feature = "utf32")]
    Utf32 {
        /// The byte order if there is no byte-order mark. The Unicode Standard (D101) says big-endian.
        fallback: ByteOrder,
    },
    /// A byte-order mark of UTF-8, UTF-16 or UTF-32 determines the encoding and is removed. `FF FE 00 00` is that of UTF-32LE,
    /// not that of UTF-16LE and then U+0000, with which hardly any text starts.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source};
    ///
    /// let any = Source::DetectAnyBom { fallback: Encoding::Utf8 };
    /// assert_eq!(any.resolve(b"\xFF\xFE\0\0z\0\0\0"), (Encoding::Utf32Le, 4));
    /// assert_eq!(any.resolve(b"\xFF\xFEz\0\0\0"), (Encoding::Utf16Le, 2));
    /// ```
    #[cfg(feature = "utf32")]
    DetectAnyBom {
        /// The encoding if there is no byte-order mark.
        fallback: Encoding,
    },
}

impl Source {
    /// Returns the encoding of a text that starts with `start`, and the length in bytes of the byte-order mark to
    /// remove from it: 0 if there is none, or if it is kept.
    ///
    /// `start` must have at least 3 bytes, or 4 if this source looks for UTF-32, or be the whole text.
    ///
    /// ```
    /// use fastutf::stream::{ByteOrder, Encoding, Source};
    ///
    /// let any = Source::DetectBom { fallback: Encoding::Utf8 };
    /// assert_eq!(any.resolve(b"\xFF\xFEz\0"), (Encoding::Utf16Le, 2));
    /// assert_eq!(any.resolve(b"z"), (Encoding::Utf8, 0));
    /// assert_eq!(Source::Utf16 { fallback: ByteOrder::Big }.resolve(b"\0z"), (Encoding::Utf16Be, 0));
    /// ```
    #[must_use]
    pub fn resolve(self, start: &[u8]) -> (Encoding, usize) {
        match self.look(start).0 {
            Some(encoding) => (encoding, encoding.bom().len()),
            None => (self.fallback(), 0),
        }
    }

    /// The encoding whose byte-order mark `start` begins with, if it is one that this source looks for, and whether more bytes
    /// could make it another.
    pub(super) fn look(self, start: &[u8]) -> (Option<Encoding>, bool) {
        let (marks, mut found, mut is_possible) = (self.marks(), None, false);
        let mut at = 0;
        while at < marks.len() {
            let bom = marks[at].bom();
            if found.is_none() && start.starts_with(bom) {
                found = Some(marks[at]);
            } else if bom.starts_with(start) {
                is_possible = true;
            }
            at += 1;
        }
        (found, is_possible)
    }

    /// The encodings whose mark is looked for and removed.
    pub(super) fn marks(&self) -> &[Encoding] {
        match self {
            Self::KeepBom(_) => &[],
            Self::StripBom(encoding) => core::slice::from_ref(encoding),
            Self::Utf16 { .. } => &[Encoding::Utf16Be, Encoding::Utf16Le],
            #[cfg(feature = "utf32")]
            Self::Utf32 { .. } => &[Encoding::Utf32Be, Encoding::Utf32Le],
            #[cfg(feature = "utf32")]
            Self::DetectAnyBom { .. } | Self::DetectBom { fallback: Encoding::Utf32Le | Encoding::Utf32Be } => {
                // That of UTF-32LE starts with that of UTF-16LE.
                &[Encoding::Utf32Le, Encoding::Utf32Be, Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf16Le]
            }
            Self::DetectBom { .. } => &[Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf16Le],
        }
    }

    /// The encoding if there is no byte-order mark.
    pub(super) fn fallback(self) -> Encoding {
        match self {
            Self::KeepBom(encoding) | Self::StripBom(encoding) | Self::DetectBom { fallback: encoding } => {
                encoding
            }
            Self::Utf16 { fallback } => Encoding::utf16(fallback),
            #[cfg(feature = "utf32")]
            Self::Utf32 { fallback } => Encoding::utf32(fallback),
            #[cfg(feature = "utf32")]
            Self::DetectAnyBom { fallback } => fallback,
        }
    }
}

impl From<Encoding> for Source {
    /// [`KeepBom`](Self::KeepBom).
    fn from(encoding: Encoding) -> Self {
        Self::KeepBom(encoding)
    }
}
