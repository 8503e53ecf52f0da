//! What is wrong with WTF-8 and modified UTF-8, and with surrogates where there can be none.

use core::fmt;

use crate::report::{InUnits, Utf8ErrorKind};

/// The error of an encoding: a position, and the kind and the length in one number, as in [`Utf8Error`](crate::Utf8Error).
macro_rules! error_of {
    (
        $(#[$attribute:meta])*
        $name:ident, $kind:ident, $encoding:literal,
        $(#[$example_valid_up_to:meta])* valid_up_to,
        $(#[$example_error_len:meta])* error_len,
        $(#[$example_kind:meta])* kind
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name {
            valid_up_to: usize,
            kind: $kind,
            /// 0 if more bytes could complete the sequence.
            len: u8,
        }

        impl $name {
            pub(crate) const fn new(valid_up_to: usize, len: u8, kind: $kind) -> Self {
                Self { valid_up_to, kind, len }
            }

            /// Returns the offset of the ill-formed sequence: the length of the longest well-formed part at the start.
            ///
            $(#[$example_valid_up_to])*
            #[must_use]
            pub const fn valid_up_to(&self) -> usize {
                self.valid_up_to
            }

            /// Returns how many bytes to skip to resume after the ill-formed sequence (1 to 3), or `None` if the input
            /// ends inside a sequence that more bytes could complete.
            ///
            $(#[$example_error_len])*
            #[must_use]
            pub const fn error_len(&self) -> Option<usize> {
                match self.len {
                    0 => None,
                    len => Some(len as usize),
                }
            }

            /// Returns the kind of the error.
            ///
            $(#[$example_kind])*
            #[must_use]
            pub const fn kind(&self) -> $kind {
                self.kind
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("invalid ", $encoding, " at byte {}: {}"), self.valid_up_to, self.kind)
            }
        }

        error!($name: valid_up_to, error_len, kind);

        impl ToUtf8Error<$name> {
            /// Returns the offset of the surrogate or of the ill-formed sequence. Everything before it can become UTF-8.
            ///
            /// ```
            /// let error = fastutf::wtf8::from_wtf8(b"ab\xED\xA0\xBD").unwrap_err();
            /// assert_eq!(error.valid_up_to(), 2);
            /// ```
            #[must_use]
            pub const fn valid_up_to(&self) -> usize {
                match self {
                    Self::Surrogate(error) => error.valid_up_to(),
                    Self::IllFormed(error) => error.valid_up_to(),
                }
            }
        }
    };
}

error_of! {
    /// The first ill-formed sequence of WTF-8: its position, its length, and its kind.
    ///
    /// An unpaired surrogate is well-formed there. Everything else that is ill-formed in UTF-8 is an error, and so is a surrogate
    /// pair as two sequences: the error is at its second half.
    ///
    /// ```
    /// use fastutf::wtf8::{Wtf8ErrorKind, validate_wtf8};
    ///
    /// let error = validate_wtf8(b"a\xED\xA0\xBD\xED\xB8\x80").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.error_len()), (4, Some(3)));
    /// assert_eq!(error.kind(), Wtf8ErrorKind::SurrogatePair);
    /// assert_eq!(error.to_string(), "invalid wtf-8 at byte 4: surrogate pair as two sequences");
    /// ```
    Wtf8Error, Wtf8ErrorKind, "wtf-8",
    /// ```
    /// assert_eq!(fastutf::wtf8::validate_wtf8(b"\xED\xA0\xBD\xFF").unwrap_err().valid_up_to(), 3);
    /// ```
    valid_up_to,
    /// ```
    /// let error_len = |src: &[u8]| fastutf::wtf8::validate_wtf8(src).unwrap_err().error_len();
    /// assert_eq!(error_len(b"\xED\xA0!"), Some(2));
    /// assert_eq!(error_len(b"\xED\xA0"), None);
    /// ```
    error_len,
    /// ```
    /// use fastutf::wtf8::{Wtf8ErrorKind, validate_wtf8};
    ///
    /// assert_eq!(validate_wtf8(b"\xC0\x80").unwrap_err().kind(), Wtf8ErrorKind::Overlong);
    /// ```
    kind
}

error_of! {
    /// The first ill-formed sequence of modified UTF-8: its position, its length, and its kind.
    ///
    /// ```
    /// use fastutf::mutf8::{Mutf8ErrorKind, validate_mutf8};
    ///
    /// let error = validate_mutf8("a😀".as_bytes()).unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.error_len()), (1, Some(1)));
    /// assert_eq!(error.kind(), Mutf8ErrorKind::FourByteForm);
    /// assert_eq!(error.to_string(), "invalid modified utf-8 at byte 1: sequence of 4 bytes");
    /// ```
    Mutf8Error, Mutf8ErrorKind, "modified utf-8",
    /// ```
    /// assert_eq!(fastutf::mutf8::validate_mutf8(b"\xC0\x80\0").unwrap_err().valid_up_to(), 2);
    /// ```
    valid_up_to,
    /// ```
    /// let error_len = |src: &[u8]| fastutf::mutf8::validate_mutf8(src).unwrap_err().error_len();
    /// assert_eq!(error_len(b"\xC0\x81"), Some(1));
    /// assert_eq!(error_len(b"\xC0"), None);
    /// ```
    error_len,
    /// ```
    /// use fastutf::mutf8::{Mutf8ErrorKind, validate_mutf8};
    ///
    /// assert_eq!(validate_mutf8(b"\0").unwrap_err().kind(), Mutf8ErrorKind::Nul);
    /// ```
    kind
}

error_kinds! {
    /// Why a byte sequence is ill-formed WTF-8.
    ///
    /// ```
    /// use fastutf::wtf8::{Wtf8ErrorKind, validate_wtf8};
    ///
    /// let kind = |bytes: &[u8]| validate_wtf8(bytes).unwrap_err().kind();
    /// assert_eq!(kind(b"\xED\xA0"), Wtf8ErrorKind::Incomplete);
    /// assert_eq!(kind(b"\xED\xA0\xBD\xED\xB8\x80"), Wtf8ErrorKind::SurrogatePair);
    /// assert_eq!(kind(b"\xFF"), Wtf8ErrorKind::InvalidLead);
    /// ```
    Wtf8ErrorKind;

    /// The input ends inside a sequence that more bytes could complete.
    Incomplete: Utf8ErrorKind::Incomplete.message(),
    /// A lead byte is followed by fewer continuation bytes than it requires.
    MissingContinuation: Utf8ErrorKind::MissingContinuation.message(),
    /// A continuation byte (`80`–`BF`) where a sequence must start.
    StrayContinuation: Utf8ErrorKind::StrayContinuation.message(),
    /// The sequence is longer than necessary: `C0`, `C1`, `E0 80`–`9F`, `F0 80`–`8F`.
    Overlong: Utf8ErrorKind::Overlong.message(),
    /// A low surrogate (`ED B0`–`BF`) right after a high one (`ED A0`–`AF`). In WTF-8, the two are one sequence of 4 bytes.
    SurrogatePair: "surrogate pair as two sequences",
    /// The sequence encodes a value above U+10FFFF: `F4 90`–`BF`, `F5`–`F7`.
    AboveMax: Utf8ErrorKind::AboveMax.message(),
    /// `F8`–`FD`: the lead byte of a 5- or 6-byte sequence.
    FiveOrSixByteForm: Utf8ErrorKind::FiveOrSixByteForm.message(),
    /// `FE`, `FF`.
    InvalidLead: Utf8ErrorKind::InvalidLead.message(),
}

error_kinds! {
    /// Why a byte sequence is ill-formed modified UTF-8.
    ///
    /// ```
    /// use fastutf::mutf8::{Mutf8ErrorKind, validate_mutf8};
    ///
    /// let kind = |bytes: &[u8]| validate_mutf8(bytes).unwrap_err().kind();
    /// assert_eq!(kind(b"a\0"), Mutf8ErrorKind::Nul);
    /// assert_eq!(kind(b"\xC0\xAF"), Mutf8ErrorKind::Overlong);
    /// assert_eq!(kind(b"\xF0\x9F\x98\x80"), Mutf8ErrorKind::FourByteForm);
    /// ```
    Mutf8ErrorKind;

    /// The input ends inside a sequence that more bytes could complete.
    Incomplete: Utf8ErrorKind::Incomplete.message(),
    /// A lead byte is followed by fewer continuation bytes than it requires.
    MissingContinuation: Utf8ErrorKind::MissingContinuation.message(),
    /// A continuation byte (`80`–`BF`) where a sequence must start.
    StrayContinuation: Utf8ErrorKind::StrayContinuation.message(),
    /// The sequence is longer than necessary, and not `C0 80`: `C0 81`–`BF`, `C1`, `E0 80`–`9F`, and `F0 80`–`8F` where sequences of
    /// 4 bytes are accepted.
    Overlong: Utf8ErrorKind::Overlong.message(),
    /// A byte `00`. Modified UTF-8 has U+0000 as `C0 80`.
    Nul: "NUL as one byte",
    /// `F0`–`F7`: the lead byte of 4 bytes. Modified UTF-8 has a character above U+FFFF as two surrogates of 3 bytes each. Only
    /// where these sequences are rejected.
    FourByteForm: "sequence of 4 bytes",
    /// The sequence encodes a value above U+10FFFF: `F4 90`–`BF`, `F5`–`F7`. Only where sequences of 4 bytes are accepted.
    AboveMax: Utf8ErrorKind::AboveMax.message(),
    /// `F8`–`FD`: the lead byte of a 5- or 6-byte sequence.
    FiveOrSixByteForm: Utf8ErrorKind::FiveOrSixByteForm.message(),
    /// `FE`, `FF`.
    InvalidLead: Utf8ErrorKind::InvalidLead.message(),
}

/// The first surrogate that keeps a text from being UTF-8, and where it is.
///
/// ```
/// use fastutf::wtf8::{ToUtf8Error, from_wtf8};
///
/// let Err(ToUtf8Error::Surrogate(error)) = from_wtf8(b"ab\xED\xA0\xBD") else { unreachable!() };
/// assert_eq!((error.valid_up_to(), error.error_len(), error.surrogate()), (2, 3, 0xD83D));
/// assert_eq!(error.to_string(), "unpaired surrogate U+D83D at byte 2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SurrogateError {
    valid_up_to: usize,
    surrogate: u16,
}

impl SurrogateError {
    pub(crate) const fn new(valid_up_to: usize, surrogate: u16) -> Self {
        Self { valid_up_to, surrogate }
    }

    /// Returns the offset of the surrogate, in bytes. Everything before it can become UTF-8.
    #[must_use]
    pub const fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// Returns the length of a surrogate, how far to skip to resume after it: 3.
    #[must_use]
    pub const fn error_len(&self) -> usize {
        3
    }

    /// Returns the surrogate: `D800` to `DFFF`.
    #[must_use]
    pub const fn surrogate(&self) -> u16 {
        self.surrogate
    }
}

impl fmt::Display for SurrogateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unpaired surrogate U+{:04X} at byte {}", self.surrogate, self.valid_up_to)
    }
}

error!(SurrogateError: valid_up_to, error_len, surrogate);

/// Why WTF-8 or modified UTF-8 cannot become UTF-8, and where: the first unpaired surrogate or ill-formed sequence. The error of
/// the latter is `E`: [`Wtf8Error`](crate::wtf8::Wtf8Error) or [`Mutf8Error`](crate::mutf8::Mutf8Error).
///
/// ```
/// use fastutf::wtf8::{ToUtf8Error, Wtf8ErrorKind, from_wtf8};
///
/// let error = |src| from_wtf8(src).unwrap_err();
/// assert!(matches!(error(b"a\xED\xA0\xBD\xFF"), ToUtf8Error::Surrogate(error) if error.valid_up_to() == 1));
/// assert!(matches!(error(b"a\xFF\xED\xA0\xBD"), ToUtf8Error::IllFormed(error) if error.kind() == Wtf8ErrorKind::InvalidLead));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToUtf8Error<E> {
    /// An unpaired surrogate.
    Surrogate(SurrogateError),
    /// An ill-formed sequence.
    IllFormed(E),
}

either!(ToUtf8Error: Surrogate);

impl InUnits for Wtf8Error {}

impl InUnits for Mutf8Error {}
