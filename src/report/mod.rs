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
