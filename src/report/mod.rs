//! What operations report: errors, how far a conversion got, and what is known of a text.

mod conversion;
mod error;
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
#[cfg(feature = "wtf8")]
pub use generalised::*;
pub use info::*;
#[cfg(feature = "latin1")]
pub use latin1::*;
#[cfg(all(feature = "alloc", feature = "latin1"))]
pub use narrowest::*;
#[cfg(feature = "utf32")]
pub use utf32::*;
