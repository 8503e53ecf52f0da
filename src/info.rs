//! What one pass over UTF-8 finds out besides that it is valid.

/// The lengths of a valid UTF-8 text, as [`utf8_info`](fn@crate::utf8_info) finds them while it validates it.
///
/// ```
/// let info = fastutf::utf8_info("naïve 😀".as_bytes())?;
/// assert_eq!(info.chars, 7);
/// assert_eq!(info.utf16_len, 8);
/// assert!(!info.is_ascii());
/// # Ok::<(), fastutf::Utf8Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Utf8Info {
    /// How many characters (Unicode scalar values) it has: `chars().count()`.
    pub chars: usize,
    /// How many code units it is in UTF-16: `encode_utf16().count()`.
    pub utf16_len: usize,
    ascii: bool,
}

impl Utf8Info {
    /// Returns whether all of it is ASCII: as many bytes as characters.
    ///
    /// ```
    /// assert!(fastutf::utf8_info(b"naive").unwrap().is_ascii());
    /// ```
    #[must_use]
    pub const fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// Of a text of `len` bytes, of which so many are continuations and so many start a character of 4 bytes.
    #[inline(always)]
    pub(crate) const fn new(len: usize, continuations: usize, from_f0: usize) -> Self {
        let chars = len - continuations;
        Self { chars, utf16_len: chars + from_f0, ascii: continuations == 0 }
    }
}
