//! What a conversion into a caller's buffer reports: how much was read, how much was written, why it stopped.

use core::convert::Infallible;

/// The outcome of a conversion: how far it got in the input and in the output, and why it stopped there.
///
/// Counts are in the units of the slices given: code units for `u16`, bytes for `u8`. Whatever the reason, both
/// lie on a character boundary: half a character or half a surrogate pair is never read nor written, the first
/// `written` units of the output are the conversion of the first `read` units of the input, and the output past
/// `written` is as it was.
///
/// ```
/// use fastutf::Stop;
///
/// let mut dst = [0u16; 4];
/// let out = fastutf::utf8_to_utf16("smørrebrød".as_bytes(), &mut dst);
/// assert_eq!((out.read, out.written), (5, 4)); // "smør": 5 bytes, 4 code units
/// assert_eq!(out.stop, Stop::OutputFull);
///
/// let out = fastutf::utf8_to_utf16(b"ab\xFF", &mut dst);
/// assert_eq!((out.read, out.written), (2, 2));
/// assert_eq!(out.error().unwrap().valid_up_to(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
#[non_exhaustive]
pub struct Conversion<E> {
    /// How much of the input was converted.
    pub read: usize,
    /// How much of the output was written.
    pub written: usize,
    /// Why it stopped.
    pub stop: Stop<E>,
}

/// The outcome of a conversion with replacement: as [`Conversion`], and how many U+FFFD stand for what was ill-formed.
/// It cannot fail: where [`read`](Self::read) is less than the input, the output is full.
///
/// ```
/// let mut dst = [0u16; 4];
/// let out = fastutf::utf8_to_utf16_lossy(b"a\xFFb\xE2\x82", &mut dst);
/// assert_eq!((out.read, out.written, out.replacements), (5, 4, 2));
/// assert_eq!(dst, [0x61, 0xFFFD, 0x62, 0xFFFD]);
/// assert!(out.is_complete());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
#[non_exhaustive]
pub struct LossyConversion {
    /// How much of the input was converted.
    pub read: usize,
    /// How much of the output was written.
    pub written: usize,
    /// How many replacement characters are part of that.
    pub replacements: usize,
    /// Why it stopped: [`Complete`](Stop::Complete) or [`OutputFull`](Stop::OutputFull).
    pub stop: Stop<Infallible>,
}

impl LossyConversion {
    /// Returns whether all of the input was converted.
    ///
    /// ```
    /// assert!(fastutf::utf8_to_utf16_lossy(b"a\xFF", &mut [0; 2]).is_complete());
    /// assert!(!fastutf::utf8_to_utf16_lossy(b"a\xFF", &mut [0; 1]).is_complete());
    /// ```
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.stop, Stop::Complete)
    }
}

/// Why a conversion stopped.
///
/// The next character of the input decides: if it is ill-formed the reason is [`Invalid`](Self::Invalid), whether
/// or not there is room; if it is well-formed and there is no room for all of it, [`OutputFull`](Self::OutputFull).
///
/// There will be no other reason: a `match` may rely on these three, or on two of them where `E` is [`Infallible`].
///
/// ```
/// use fastutf::Stop;
///
/// let mut dst = [0u8; 8];
/// assert_eq!(fastutf::utf16_to_utf8(&[0x20AC], &mut dst).stop, Stop::Complete);
/// assert_eq!(fastutf::utf16_to_utf8(&[0x20AC], &mut dst[..2]).stop, Stop::OutputFull);
/// assert!(matches!(fastutf::utf16_to_utf8(&[0xDC00], &mut []).stop, Stop::Invalid(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop<E> {
    /// All of the input was converted.
    Complete,
    /// The next character does not fit into what is left of the output: go on from `read` with more room.
    OutputFull,
    /// The input is ill-formed from `read` on, as the error says.
    Invalid(E),
}

impl<E: Copy> Conversion<E> {
    /// Returns whether all of the input was converted.
    ///
    /// ```
    /// assert!(fastutf::utf8_to_utf16(b"ab", &mut [0; 2]).is_complete());
    /// assert!(!fastutf::utf8_to_utf16(b"ab", &mut [0; 1]).is_complete());
    /// ```
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.stop, Stop::Complete)
    }

    /// Returns the error, if the input is ill-formed.
    ///
    /// ```
    /// assert!(fastutf::utf8_to_utf16(b"ab", &mut [0; 1]).error().is_none());
    /// assert_eq!(fastutf::utf8_to_utf16(b"a\xFF", &mut [0; 9]).error().unwrap().valid_up_to(), 1);
    /// ```
    #[must_use]
    pub const fn error(&self) -> Option<E> {
        match self.stop {
            Stop::Invalid(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the error, if the input is ill-formed, as a `Result`: for `?` after a conversion that cannot lack room.
    ///
    /// It is `Ok` for [`OutputFull`](Stop::OutputFull), too: after a conversion into a buffer that may be too small, look at
    /// [`is_complete`](Self::is_complete) as well.
    ///
    /// # Errors
    ///
    /// [`error`](Self::error), if there is one.
    ///
    /// ```
    /// fn decode(packet: &[u8], text: &mut String) -> Result<(), fastutf::Utf16Error> {
    ///     fastutf::utf16le_to_utf8_append(packet, text).valid()
    /// }
    /// assert!(decode(b"z\0", &mut String::new()).is_ok());
    /// assert_eq!(decode(b"z\0\0\xDC", &mut String::new()).unwrap_err().valid_up_to(), 2);
    /// ```
    pub fn valid(self) -> Result<(), E> {
        self.error().map_or(Ok(()), Err)
    }

    /// The same outcome, told by a kernel that started `read` and `written` further on, seen from the start.
    /// `relocate` moves the error's offset.
    #[inline(always)]
    pub(crate) fn after(self, read: usize, written: usize, relocate: impl FnOnce(E) -> E) -> Self {
        Self {
            read: self.read + read,
            written: self.written + written,
            stop: match self.stop {
                Stop::Invalid(error) => Stop::Invalid(relocate(error)),
                stop => stop,
            },
        }
    }
}
