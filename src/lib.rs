//! UTF-8 validation and UTF-8 ↔ UTF-16 transcoding, as fast as the CPU allows, behind a safe API.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

#[macro_use]
mod isa;
mod api;
mod buffer;
mod conversion;
mod endian;
mod error;
mod scalar;
mod simd;
mod tables;
mod utf16;
mod utf16_to_utf8;
mod utf8;
mod utf8_to_utf16;

pub use api::*;
pub use conversion::{Conversion, Stop};
#[cfg(feature = "alloc")]
pub use error::FromUtf8Error;
pub use error::{Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};
pub use isa::{Isa, ParseIsaError};
