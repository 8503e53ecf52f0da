//! Translates the reports of fastutf to the types of the oracles. The fuzz targets compile this file as well, since
//! the oracles do not depend on the library.

use fastutf::stream::{Encoding, StreamError, StreamErrorKind};
#[cfg(feature = "utf32")]
use fastutf::utf32::Utf32ErrorKind;
#[cfg(feature = "mutf8")]
use fastutf::wtf8::Wtf8ErrorKind;
use fastutf::{Conversion, LossyConversion, Stop, Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};
#[cfg(feature = "mutf8")]
use fastutf_testkit::oracle::FormKind;
#[cfg(feature = "utf32")]
use fastutf_testkit::oracle::Utf32Kind;
use fastutf_testkit::oracle::form::Form;
use fastutf_testkit::oracle::{
    Converted, Fault, Kind, LossyOutcome, Outcome, Stopped, Utf8Kind, Utf16Kind, Whole,
};

/// A report for which the oracles have their own type.
pub trait Report {
    type Told;
    fn told(self) -> Self::Told;
}

/// [`Report::told`] as a function: `.map_err(told)`.
pub fn told<R: Report>(report: R) -> R::Told {
    report.told()
}

impl Report for Utf8ErrorKind {
    type Told = Utf8Kind;
    fn told(self) -> Utf8Kind {
        match self {
            Self::Incomplete => Utf8Kind::Incomplete,
            Self::MissingContinuation => Utf8Kind::MissingContinuation,
            Self::StrayContinuation => Utf8Kind::StrayContinuation,
            Self::Overlong => Utf8Kind::Overlong,
            Self::Surrogate => Utf8Kind::Surrogate,
            Self::AboveMax => Utf8Kind::AboveMax,
            Self::FiveOrSixByteForm => Utf8Kind::FiveOrSixByteForm,
            Self::InvalidLead => Utf8Kind::InvalidLead,
            _ => panic!("the oracles do not know {self:?}"),
        }
    }
}

impl Report for Utf16ErrorKind {
    type Told = Utf16Kind;
    fn told(self) -> Utf16Kind {
        match self {
            Self::UnpairedHighSurrogate => Utf16Kind::UnpairedHighSurrogate,
            Self::UnpairedLowSurrogate => Utf16Kind::UnpairedLowSurrogate,
            Self::TrailingHighSurrogate => Utf16Kind::TrailingHighSurrogate,
            Self::TrailingByte => Utf16Kind::TrailingByte,
            _ => panic!("the oracles do not know {self:?}"),
        }
    }
}

#[cfg(feature = "mutf8")]
impl Report for Wtf8ErrorKind {
    type Told = FormKind;
    fn told(self) -> FormKind {
        match self {
            Self::Incomplete => FormKind::Incomplete,
            Self::MissingContinuation => FormKind::MissingContinuation,
            Self::StrayContinuation => FormKind::StrayContinuation,
            Self::Overlong => FormKind::Overlong,
            Self::SurrogatePair => FormKind::SurrogatePair,
            Self::AboveMax => FormKind::AboveMax,
            Self::FiveOrSixByteForm => FormKind::FiveOrSixByteForm,
            Self::InvalidLead => FormKind::InvalidLead,
            _ => panic!("the oracles do not know {self:?}"),
        }
    }
}

#[cfg(feature = "utf32")]
impl Report for Utf32ErrorKind {
    type Told = Utf32Kind;
    fn told(self) -> Utf32Kind {
        match self {
            Self::Surrogate => Utf32Kind::Surrogate,
            Self::AboveMax => Utf32Kind::AboveMax,
            Self::TrailingBytes => Utf32Kind::TrailingBytes,
            _ => panic!("the oracles do not know {self:?}"),
        }
    }
}

impl Report for StreamErrorKind {
    type Told = Kind;
    fn told(self) -> Kind {
        format!("{self:?}")
    }
}

impl Report for Utf8Error {
    type Told = Fault<Utf8Kind>;
    fn told(self) -> Self::Told {
        Fault { at: self.valid_up_to(), len: self.error_len(), kind: self.kind().told() }
    }
}

impl Report for Utf16Error {
    type Told = Fault<Utf16Kind>;
    fn told(self) -> Self::Told {
        Fault { at: self.valid_up_to(), len: self.error_len(), kind: self.kind().told() }
    }
}

impl Report for StreamError {
    type Told = Fault<Kind>;
    fn told(self) -> Self::Told {
        Fault { at: self.offset() as usize, len: self.error_len(), kind: self.kind().told() }
    }
}

impl<K, E: Report<Told = Fault<K>>> Report for Conversion<E> {
    type Told = Outcome<K>;
    fn told(self) -> Outcome<K> {
        let stop = match self.stop {
            Stop::Complete => Stopped::Complete,
            Stop::OutputFull => Stopped::OutputFull,
            Stop::Invalid(error) => Stopped::Invalid(error.told()),
        };
        Outcome { read: self.read, written: self.written, stop }
    }
}

impl Report for LossyConversion {
    type Told = LossyOutcome;
    fn told(self) -> LossyOutcome {
        LossyOutcome {
            read: self.read,
            written: self.written,
            replacements: self.replacements,
            complete: self.is_complete(),
        }
    }
}

impl Report for Encoding {
    type Told = Form;
    fn told(self) -> Form {
        Form::of_encoding(self.name())
    }
}

/// The right result of a conversion of a whole text.
pub fn converted(from: Encoding, bytes: &[u8], to: Encoding, lossy: Option<u8>) -> Converted {
    Converted::new(from.told(), bytes, to.told(), lossy)
}

/// The result of std for a whole text.
pub fn whole(encoding: Encoding, bytes: &[u8]) -> Whole {
    Whole::new(encoding.told(), bytes)
}
