//! What [`utf8_info`](fn@crate::utf8_info) counts while it validates.

/// The lengths of a well-formed UTF-8 text, which [`utf8_info`](fn@crate::utf8_info) counts while it validates the
/// text.
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
    /// The number of characters (Unicode scalar values): `chars().count()`.
    pub chars: usize,
    /// The number of code units in UTF-16: `encode_utf16().count()`.
    pub utf16_len: usize,
    ascii: bool,
}

impl Utf8Info {
    /// Returns whether the text is ASCII: as many bytes as characters.
    ///
    /// ```
    /// assert!(fastutf::utf8_info(b"naive").unwrap().is_ascii());
    /// ```
    #[must_use]
    pub const fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// For a text of `len` bytes, of which `continuations` are continuation bytes and `from_f0` start 4-byte
    /// characters.
    #[inline(always)]
    pub(crate) const fn new(len: usize, continuations: usize, from_f0: usize) -> Self {
        let chars = len - continuations;
        Self { chars, utf16_len: chars + from_f0, ascii: continuations == 0 }
    }
}
