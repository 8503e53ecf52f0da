//! The outcome of a conversion into a caller's buffer: how much was read and written, and why it stopped.

use core::convert::Infallible;
use core::fmt;

/// The outcome of a conversion: how far it got in the input and in the output, and why it stopped there.
///
/// Counts are in the units of the slices: code units for `u16`, bytes for `u8`. Whatever the reason for stopping,
/// both counts end at a character boundary: a character or surrogate pair is never split. The first `written` units
/// of the output are the conversion of the first `read` units of the input. The output beyond `written` is
/// initialised if it was, but unspecified: a conversion may use it as room.
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
    /// How much of the input was converted, in its units.
    pub read: usize,
    /// How much was written to the output, in its units.
    pub written: usize,
    /// Why it stopped.
    pub stop: Stop<E>,
}

/// The outcome of a lossy conversion: like [`Conversion`], with the number of replacements. It cannot fail: if
/// [`read`](Self::read) is less than the length of the input, the output is full.
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
    /// How much of the input was converted, in its units.
    pub read: usize,
    /// How much was written to the output, in its units.
    pub written: usize,
    /// The number of replacement characters in the first `written` units of the output.
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
/// The next character of the input decides: if it is ill-formed, the reason is [`Invalid`](Self::Invalid), even if
/// the output is full; if it is well-formed but does not fit, [`OutputFull`](Self::OutputFull).
///
/// No variant will be added: a `match` may rely on these three, or on the first two if `E` is [`Infallible`].
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
    /// The next character does not fit into the rest of the output. Continue from `read` with more room.
    OutputFull,
    /// The input is ill-formed from `read` on; the error says how.
    Invalid(E),
}

impl<E> Stop<E> {
    /// The same reason, with another error.
    #[inline(always)]
    pub(crate) fn map<F>(self, error: impl FnOnce(E) -> F) -> Stop<F> {
        match self {
            Self::Complete => Stop::Complete,
            Self::OutputFull => Stop::OutputFull,
            Self::Invalid(invalid) => Stop::Invalid(error(invalid)),
        }
    }
}

/// Why a conversion has not converted all of its input: what [`Conversion::complete`] returns.
///
/// ```
/// fn encode(text: &str, packet: &mut [u8]) -> std::io::Result<usize> {
///     Ok(fastutf::utf8_to_utf16le(text.as_bytes(), packet).complete()?)
/// }
/// assert_eq!(encode("zł", &mut [0; 4]).unwrap(), 4);
/// let error = encode("zł", &mut [0; 3]).unwrap_err();
/// assert_eq!(error.kind(), std::io::ErrorKind::WriteZero);
/// assert_eq!(error.to_string(), "the output is full (read: 1, written: 2)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConversionError<E> {
    /// The next character does not fit into the rest of the output.
    OutputFull {
        /// How much of the input was converted, in its units.
        read: usize,
        /// How much was written to the output, in its units.
        written: usize,
    },
    /// The input is ill-formed; the error says where, and how.
    Invalid(E),
}

impl<E: fmt::Display> fmt::Display for ConversionError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutputFull { read, written } => {
                write!(f, "the output is full (read: {read}, written: {written})")
            }
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for ConversionError<E> {}

#[cfg(feature = "std")]
impl<E: Into<std::io::Error>> From<ConversionError<E>> for std::io::Error {
    /// Returns an error of the kind [`WriteZero`](std::io::ErrorKind::WriteZero) if the output is full, and otherwise that of
    /// the input.
    fn from(error: ConversionError<E>) -> Self {
        match error {
            ConversionError::OutputFull { read, written } => {
                let full: ConversionError<Infallible> = ConversionError::OutputFull { read, written };
                Self::new(std::io::ErrorKind::WriteZero, full)
            }
            ConversionError::Invalid(error) => error.into(),
        }
    }
}

/// How far a kernel has got, in bytes. Both counts end at a character boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) read: usize,
    pub(crate) written: usize,
}

impl Reached {
    pub(crate) const START: Self = Self { read: 0, written: 0 };

    /// After `count` characters of `from` bytes in the input and `to` in the output.
    #[cfg(feature = "utf32")]
    #[inline(always)]
    pub(crate) const fn after(count: usize, from: usize, to: usize) -> Self {
        Self { read: from * count, written: to * count }
    }

    #[allow(dead_code)] // not every architecture needs it
    #[inline(always)]
    pub(crate) const fn advance(&mut self, read: usize, written: usize) {
        self.read += read;
        self.written += written;
    }
}

impl<E: Copy> Conversion<E> {
    /// The outcome for an empty input.
    pub(crate) const NOTHING: Self = Self { read: 0, written: 0, stop: Stop::Complete };

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

    /// Returns how much was written, if all of the input was converted.
    ///
    /// # Errors
    ///
    /// The input is ill-formed, or the output is full.
    ///
    /// ```
    /// use fastutf::ConversionError;
    ///
    /// let mut dst = [0; 2];
    /// assert_eq!(fastutf::utf8_to_utf16(b"ab", &mut dst).complete(), Ok(2));
    ///
    /// let error = fastutf::utf8_to_utf16(b"abc", &mut dst).complete().unwrap_err();
    /// assert_eq!(error, ConversionError::OutputFull { read: 2, written: 2 });
    ///
    /// let error = fastutf::utf8_to_utf16(b"a\xFF", &mut dst).complete().unwrap_err();
    /// assert_eq!(error.to_string(), "invalid utf-8 at byte 1: invalid lead byte");
    /// ```
    pub fn complete(self) -> Result<usize, ConversionError<E>> {
        match self.stop {
            Stop::Complete => Ok(self.written),
            Stop::OutputFull => Err(ConversionError::OutputFull { read: self.read, written: self.written }),
            Stop::Invalid(error) => Err(ConversionError::Invalid(error)),
        }
    }

    /// Returns how much was written, if what was converted is well-formed: all of the input, or as much of it as there was
    /// room for. To convert in parts, continue from [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// [`error`](Self::error), if there is one.
    ///
    /// ```
    /// let mut dst = [0; 2];
    /// assert_eq!(fastutf::utf8_to_utf16(b"abc", &mut dst).valid_or_full(), Ok(2));
    /// assert!(fastutf::utf8_to_utf16(b"a\xFFc", &mut dst).valid_or_full().is_err());
    /// ```
    pub fn valid_or_full(self) -> Result<usize, E> {
        match self.error() {
            Some(error) => Err(error),
            None => Ok(self.written),
        }
    }

    /// How much was written to a vector or a string, which cannot be full.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn appended(self) -> Result<usize, E> {
        match self.stop {
            Stop::Invalid(error) => Err(error),
            Stop::Complete => Ok(self.written),
            Stop::OutputFull => unreachable!("there is room for all of the output"),
        }
    }

    /// Rebases the outcome of a conversion that started at `read` in the input and `written` in the output, so that
    /// it counts from the start. `relocate` moves the error's offset.
    #[allow(dead_code)] // not every set of features needs it
    #[inline(always)]
    pub(crate) fn after(self, read: usize, written: usize, relocate: impl FnOnce(E) -> E) -> Self {
        Self { read: self.read + read, written: self.written + written, stop: self.stop.map(relocate) }
    }
}

/// What the outcomes of conversions have in common.
pub(crate) trait Written: Copy {
    /// The number of elements written.
    fn written(&self) -> usize;

    /// A copy of the outcome; `written` is what [`written`](Self::written) has returned.
    ///
    /// A conversion stores its outcome in memory, one number at a time. A plain copy would load two numbers at once,
    /// which stalls until both stores have reached the cache: as long as converting 20 characters takes. So where the
    /// outcome says no more than values that are in registers, it is rebuilt from these.
    #[cfg_attr(not(any(feature = "alloc", feature = "columns")), allow(dead_code))]
    #[inline(always)]
    fn again(&self, _written: usize) -> Self {
        *self
    }
}

impl<E: Copy> Written for Conversion<E> {
    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }

    #[inline(always)]
    fn again(&self, written: usize) -> Self {
        match self.stop {
            Stop::Complete => Self { read: self.read, written, stop: Stop::Complete },
            _ => *self,
        }
    }
}

impl Written for usize {
    #[inline(always)]
    fn written(&self) -> usize {
        *self
    }
}

impl Written for LossyConversion {
    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }

    #[inline(always)]
    fn again(&self, written: usize) -> Self {
        match self.stop {
            Stop::Complete => {
                Self { read: self.read, written, replacements: self.replacements, stop: Stop::Complete }
            }
            _ => *self,
        }
    }
}
