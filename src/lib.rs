//! UTF-8 validation and UTF-8 ↔ UTF-16 transcoding with SIMD, chosen at run time, behind a safe API.
//!
//! Every operation is a free function here, which uses the best instruction set this CPU has, and a method of
//! [`Isa`], which uses that one. All are strict but those named `lossy`, which put U+FFFD in the place of what is ill-formed, as
//! the standard library does; and all instruction sets give the same results, bit for bit.
//!
//! ```
//! let text = fastutf::from_utf16le(b"z\x00B\x01")?;
//! assert_eq!(text, "zł");
//!
//! let error = fastutf::from_utf8(b"z\xC5").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.error_len()), (1, None)); // more input could complete it
//! # Ok::<(), fastutf::Utf16Error>(())
//! ```
//!
//! # Units
//!
//! Functions that take or give `u16` count **code units**; those with `le` or `be` in their name take or give UTF-16
//! as **bytes** in that order, of any alignment and any length, and count bytes. UTF-8 is always counted in bytes. No
//! function looks at byte-order marks: U+FEFF is a character like others. (A [`stream::Transcoder`] does, if it is told to.)
//!
//! # Converting into a buffer
//!
//! Conversions validate as they go and say how much they read, how much they wrote and why they stopped
//! ([`Conversion`]). Half a character is never read or written, and the buffer past what was written is as it was.
//!
//! # Text in chunks
//!
//! The functions take all of a text. For one that comes in chunks, cut anywhere, [`stream`] has a validator, a decoder that hands
//! out `&str`, and a transcoder, and `io` readers and writers made of them.
//!
//! # Features
//!
//! `std` (default) and `alloc` for what returns or fills a `Vec` or a `String`. Without them the crate is `no_std` and
//! still detects the CPU at run time. `bytes` and `tokio` add modules of these names: adapters for the crates
//! `bytes` and `tokio-util`.
//!
//! On WebAssembly there is nothing to detect: the kernels are there if the build has the target feature `simd128`.
#![no_std]
#![deny(unsafe_code)] // but in the modules below that allow it: SAFETY.md
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

#[macro_use]
mod isa;
#[cfg(fastutf_simd)]
#[macro_use]
mod paths;
#[allow(unsafe_code)]
mod api;
#[allow(unsafe_code)]
mod buffer;
#[cfg(feature = "bytes")]
#[allow(unsafe_code)]
pub mod bytes;
mod conversion;
mod endian;
mod error;
mod huge;
mod info;
#[cfg(feature = "std")]
pub mod io;
#[allow(unsafe_code)]
mod lossy;
#[cfg(feature = "alloc")]
#[allow(unsafe_code)]
mod output;
mod scalar;
pub mod stream;
#[cfg(feature = "tokio")]
pub mod tokio;

// The kernels, where there is an instruction set to run them on.
cfg_if::cfg_if! {
    if #[cfg(fastutf_simd)] {
        mod repair;
        #[allow(unsafe_code)]
        mod simd;
        mod tables;
        mod utf16;
        mod utf16_to_utf8;
        mod utf8;
        mod utf8_to_utf16;
    }
}

pub use api::*;
pub use conversion::{Conversion, LossyConversion, Stop};
#[cfg(feature = "alloc")]
pub use error::FromUtf8Error;
pub use error::{Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};
pub use info::Utf8Info;
pub use isa::{Isa, ParseIsaError};
pub use lossy::{Utf8Chunk, Utf8Chunks};

/// The examples of the README are tests, too.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
