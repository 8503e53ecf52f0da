//! What operations report: errors, how far a conversion got, and what is known of a text.

/// Makes an error of a type that can be displayed: [`Debug`](core::fmt::Debug) shows what its methods return, under their
/// names, so that it does not tell how the error is stored.
macro_rules! error {
    ($name:ident: $($method:ident),*) => {
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($method), &self.$method()))*.finish()
            }
        }

        impl core::error::Error for $name {}

        #[cfg(feature = "std")]
        impl From<$name> for std::io::Error {
            /// Returns an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains this one.
            fn from(error: $name) -> Self {
                Self::new(std::io::ErrorKind::InvalidData, error)
            }
        }
    };
}

/// Makes the kinds of an error, each with its message.
macro_rules! error_kinds {
    (
        $(#[$attribute:meta])*
        $name:ident;
        $($(#[$doc:meta])* $kind:ident: $message:expr,)+
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $kind,)+
        }

        impl $name {
            pub(crate) const fn message(self) -> &'static str {
                match self {
                    $(Self::$kind => $message,)+
                }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.message())
            }
        }
    };
}

/// The error of an encoding whose code units are larger than bytes. Its offset counts either of them. The kind, the length and which
/// of them are one number, as in [`Utf8Error`]. A row has a kind, `whole` or (at the end of the input) `cut`, and the names of that
/// number: counted in bytes and, where that is possible, in code units.
macro_rules! error_in_units {
    (
        $(#[$attribute:meta])*
        $name:ident($what:ident), $kind:ident, $encoding:literal, $size:literal bytes;
        $(#[$unit_docs:meta])* unit
        $(#[$valid_up_to_docs:meta])* valid_up_to
        $(#[$error_len_docs:meta])* error_len
        $(#[$kind_docs:meta])* kind
        $(whole $one:ident: $in_bytes:ident, $in_units:ident;)+
        $(cut $cut:ident: $cut_bytes:ident $(, $cut_units:ident)?;)+
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name {
            valid_up_to: usize,
            what: $what,
        }

        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        enum $what {
            $($in_bytes, $in_units,)+
            $($cut_bytes, $($cut_units,)?)+
        }

        impl $name {
            /// `valid_up_to` is in bytes.
            pub(crate) const fn in_bytes_at(valid_up_to: usize, kind: $kind) -> Self {
                let what = match kind {
                    $($kind::$one => $what::$in_bytes,)+
                    $($kind::$cut => $what::$cut_bytes,)+
                };
                Self { valid_up_to, what }
            }

            /// The same error, counted in bytes.
            pub(crate) const fn in_bytes(self) -> Self {
                let size = if matches!(self.unit(), OffsetUnit::CodeUnits) { $size } else { 1 };
                Self::in_bytes_at(size * self.valid_up_to, self.kind())
            }

            $(#[$unit_docs])*
            #[must_use]
            pub const fn unit(&self) -> OffsetUnit {
                match self.what {
                    $($what::$in_units)|+ $($(| $what::$cut_units)?)+ => OffsetUnit::CodeUnits,
                    _ => OffsetUnit::Bytes,
                }
            }

            $(#[$valid_up_to_docs])*
            #[must_use]
            pub const fn valid_up_to(&self) -> usize {
                self.valid_up_to
            }

            $(#[$error_len_docs])*
            #[must_use]
            pub const fn error_len(&self) -> Option<usize> {
                match self.what {
                    $($what::$in_bytes)|+ => Some($size),
                    $($what::$in_units)|+ => Some(1),
                    _ => None,
                }
            }

            $(#[$kind_docs])*
            #[must_use]
            pub const fn kind(&self) -> $kind {
                match self.what {
                    $($what::$in_bytes | $what::$in_units => $kind::$one,)+
                    $($what::$cut_bytes $(| $what::$cut_units)? => $kind::$cut,)+
                }
            }
        }

        impl InUnits for $name {
            #[cold]
            #[inline(never)]
            fn in_units(self) -> Self {
                let what = match self.what {
                    $($what::$in_bytes => $what::$in_units,)+
                    $($($what::$cut_bytes => $what::$cut_units,)?)+
                    // In a slice of code units there is no other.
                    what => what,
                };
                Self { valid_up_to: self.valid_up_to / $size, what }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!("invalid ", $encoding, " at {} {}: {}"), self.unit().one(), self.valid_up_to, self.kind())
            }
        }

        error!($name: valid_up_to, error_len, kind, unit);
    };
}

/// The methods and traits of an error that is one of two.
#[allow(unused_macros)] // without `latin1` and `wtf8`
macro_rules! either {
    ($name:ident: $one:ident) => {
        impl<E: core::fmt::Display> core::fmt::Display for $name<E> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    Self::$one(error) => error.fmt(f),
                    Self::IllFormed(error) => error.fmt(f),
                }
            }
        }

        impl<E: core::fmt::Debug + core::fmt::Display> core::error::Error for $name<E> {}

        #[cfg(feature = "std")]
        impl<E: core::fmt::Debug + core::fmt::Display + Send + Sync + 'static> From<$name<E>> for std::io::Error {
            /// Returns an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains this one.
            fn from(error: $name<E>) -> Self {
                Self::new(std::io::ErrorKind::InvalidData, error)
            }
        }
    };
}

mod conversion;
mod error;
#[cfg(feature = "alloc")]
mod from_utf8_error;
#[cfg(feature = "wtf8")]
mod generalised;
mod info;
#[cfg(feature = "latin1")]
mod latin1;
#[cfg(all(feature = "alloc", feature = "latin1"))]
mod narrowest;
#[cfg(feature = "utf32")]
mod utf32;

pub use conversion::*;
pub use error::*;
#[cfg(feature = "alloc")]
pub use from_utf8_error::*;
#[cfg(feature = "wtf8")]
pub use generalised::*;
pub use info::*;
#[cfg(feature = "latin1")]
pub use latin1::*;
#[cfg(all(feature = "alloc", feature = "latin1"))]
pub use narrowest::*;
#[cfg(feature = "utf32")]
pub use utf32::*;
