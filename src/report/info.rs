//! What [`utf8_info`](fn@crate::utf8_info) finds out while it validates.

/// The lengths of a well-formed UTF-8 text and the narrowest form that holds it, which
/// [`utf8_info`](fn@crate::utf8_info) finds out while it validates the text.
///
/// ```
/// let info = fastutf::utf8_info("naïve 😀".as_bytes())?;
/// assert_eq!(info.chars, 7);
/// assert_eq!(info.utf16_len, 8);
/// assert_eq!(info.width(), fastutf::Width::Full);
/// # Ok::<(), fastutf::Utf8Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Utf8Info {
    /// The number of characters (Unicode scalar values): `chars().count()`.
    pub chars: usize,
    /// The number of code units in UTF-16: `encode_utf16().count()`.
    pub utf16_len: usize,
    ascii: bool,
    beyond_latin1: bool,
}

impl Utf8Info {
    /// Returns whether the text is ASCII: as many bytes as characters.
    ///
    /// ```
    /// assert!(fastutf::utf8_info(b"naive").unwrap().is_ascii());
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// Returns the narrowest form that holds the text.
    ///
    /// ```
    /// use fastutf::Width;
    ///
    /// let width = |text: &str| fastutf::utf8_info(text.as_bytes()).unwrap().width();
    /// assert_eq!(width("naive"), Width::Ascii);
    /// assert_eq!(width("naïve"), Width::Latin1);
    /// assert_eq!(width("5 €"), Width::Bmp);
    /// assert_eq!(width("5 😀"), Width::Full);
    /// ```
    #[must_use]
    #[inline]
    pub const fn width(&self) -> Width {
        if self.ascii {
            Width::Ascii
        } else if !self.beyond_latin1 {
            Width::Latin1
        } else if self.utf16_len == self.chars {
            Width::Bmp
        } else {
            Width::Full
        }
    }

    /// For a text of `len` bytes.
    #[inline(always)]
    pub(crate) const fn new(len: usize, counts: Counts) -> Self {
        let chars = len - counts.continuations;
        Self {
            chars,
            utf16_len: chars + (counts.from_f0 & !Counts::FROM_C4),
            ascii: counts.continuations == 0,
            beyond_latin1: counts.from_f0 >= Counts::FROM_C4,
        }
    }
}

/// The number of characters of a well-formed UTF-16 text and the narrowest form that holds it, which
/// [`utf16_info`](fn@crate::narrowest::utf16_info) finds out while it validates the text.
///
/// ```
/// let info = fastutf::narrowest::utf16_info(&fastutf::to_utf16("naïve 😀"))?;
/// assert_eq!((info.chars, info.width()), (7, fastutf::Width::Full));
/// # Ok::<(), fastutf::Utf16Error>(())
/// ```
#[cfg(feature = "latin1")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Utf16Info {
    /// The number of characters (Unicode scalar values): `char::decode_utf16(…).count()`.
    pub chars: usize,
    pub(crate) width: Width,
}

#[cfg(feature = "latin1")]
impl Utf16Info {
    /// Returns whether the text is ASCII.
    ///
    /// ```
    /// assert!(fastutf::narrowest::utf16_info(&fastutf::to_utf16("naive"))?.is_ascii());
    /// # Ok::<(), fastutf::Utf16Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_ascii(&self) -> bool {
        matches!(self.width, Width::Ascii)
    }

    /// Returns the narrowest form that holds the text.
    ///
    /// ```
    /// assert_eq!(fastutf::narrowest::utf16_info(&fastutf::to_utf16("5 €"))?.width(), fastutf::Width::Bmp);
    /// # Ok::<(), fastutf::Utf16Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn width(&self) -> Width {
        self.width
    }
}

/// What is counted in UTF-8: the bytes that make the lengths in bytes, in characters and in UTF-16 differ.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub continuations: usize,
    /// Lead bytes of 4-byte characters, and [`FROM_C4`](Self::FROM_C4) if any lead byte is of a character above U+00FF.
    /// (Two numbers are passed in registers.)
    pub from_f0: usize,
}

impl Counts {
    /// A text cannot have as many bytes.
    pub(crate) const FROM_C4: usize = 1 << (usize::BITS - 1);

    pub(crate) const fn new(continuations: usize, from_f0: usize, from_c4: bool) -> Self {
        Self { continuations, from_f0: from_f0 | (from_c4 as usize) << (usize::BITS - 1) }
    }
}

#[cfg(fastutf_simd)]
impl Counts {
    pub(crate) const ZERO: Self = Self { continuations: 0, from_f0: 0 };

    #[inline(always)]
    pub(crate) const fn add(&mut self, other: Self) {
        self.continuations += other.continuations;
        let from_c4 = self.from_f0 & Self::FROM_C4;
        self.from_f0 = self.from_f0 - from_c4 + other.from_f0;
        self.from_f0 |= from_c4;
    }

    #[inline(always)]
    pub(crate) const fn see(&mut self, from_c4: bool) {
        self.from_f0 |= (from_c4 as usize) << (usize::BITS - 1);
    }
}

/// The narrowest form that holds a text: how large its characters are.
///
/// Programs that index their strings keep each in the narrowest of two or three forms:
///
/// | | V8, JavaScriptCore, the JVM | CPython |
/// |---|---|---|
/// | `Ascii` | one byte (Latin-1) | 1 byte, also its own UTF-8 |
/// | `Latin1` | one byte (Latin-1) | 1 byte |
/// | `Bmp` | two bytes (UTF-16) | 2 bytes |
/// | `Full` | two bytes (UTF-16) | 4 bytes |
///
/// A form holds all texts of lesser ones, so the greater of two widths is that of both texts together.
///
/// ```
/// use fastutf::Width;
///
/// let width = |text: &str| fastutf::utf8_info(text.as_bytes()).unwrap().width();
/// assert_eq!(width("été").max(width("5 €")), width("été5 €"));
/// assert!(width("été") <= Width::Latin1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// All characters are up to U+007F.
    Ascii,
    /// The greatest character is from U+0080 to U+00FF: a byte for each, as in Latin-1.
    Latin1,
    /// The greatest character is from U+0100 to U+FFFF: a code unit for each, as in UTF-16 without surrogate pairs.
    Bmp,
    /// There are characters above U+FFFF: pairs of code units, or four bytes for each character.
    Full,
}

impl Width {
    /// Returns the width of a text of this one character.
    ///
    /// ```
    /// use fastutf::Width;
    ///
    /// assert_eq!(Width::of('é'), Width::Latin1);
    /// assert_eq!("5 €".chars().map(Width::of).max(), Some(Width::Bmp));
    /// ```
    #[must_use]
    #[inline]
    pub const fn of(character: char) -> Self {
        match character {
            '\0'..='\x7F' => Self::Ascii,
            '\u{80}'..='\u{FF}' => Self::Latin1,
            '\u{100}'..='\u{FFFF}' => Self::Bmp,
            _ => Self::Full,
        }
    }

    /// Returns how many bytes a character takes, if all take the same: 1, 2 or 4.
    ///
    /// ```
    /// assert_eq!(fastutf::Width::Bmp.bytes_per_char(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub const fn bytes_per_char(self) -> usize {
        match self {
            Self::Ascii | Self::Latin1 => 1,
            Self::Bmp => 2,
            Self::Full => 4,
        }
    }
}
