//! UTF-8 validation and UTF-8 ↔ UTF-16 transcoding with SIMD, chosen at run time, behind a safe API.
//!
//! # Quick start
//!
//! ```
//! // UTF-8 from a socket, a file, a database: `std::str::from_utf8`, faster.
//! let text = fastutf::from_utf8(b"na\xC3\xAFve")?;
//! assert_eq!(text, "naïve");
//!
//! // UTF-16 as it comes off the wire: bytes, at any alignment.
//! assert_eq!(fastutf::from_utf16le(b"z\x00B\x01")?, "zł");
//! assert_eq!(fastutf::to_utf16le("zł"), b"z\x00B\x01");
//!
//! // An error says where and what.
//! let error = fastutf::from_utf8(b"z\xC0\xAF").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.kind()), (1, fastutf::Utf8ErrorKind::Overlong));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every operation is a free function, which uses the best instruction set of this CPU, and a method of [`Isa`], which uses
//! that one. All instruction sets give the same results, bit for bit. All functions are strict but those named `lossy`,
//! which put U+FFFD in the place of what is ill-formed, exactly where the standard library does.
//!
//! # Which function
//!
//! `…le` and `…be` stand for a function of that name for UTF-16 bytes in that order; without it, UTF-16 is `u16` in the order of
//! this machine. What takes a buffer has siblings named `_uninit` (memory that need not be initialised) and `_append` (the end
//! of a `Vec` or `String`).
//!
//! | to | use |
//! |---|---|
//! | borrow as `str`, or turn a `Vec<u8>` into a `String` | [`from_utf8`], [`from_utf8_mut`], [`string_from_utf8`] |
//! | only check | [`validate_utf8`], [`validate_utf16`] (`…le`, `…be`), [`is_ascii`] |
//! | check UTF-8 and count, in one pass | [`utf8_info`] |
//! | decode UTF-16 into a `String` | [`from_utf16`], [`from_utf16le`], [`from_utf16be`] |
//! | decode what a byte-order mark tells | [`decode`], [`decode_lossy`] |
//! | encode a `&str` as UTF-16 | [`to_utf16`], [`to_utf16le`], [`to_utf16be`]; into a buffer [`str_to_utf16`] (`…le`, `…be`) |
//! | convert UTF-8 that is still to be checked | [`utf8_to_utf16`], [`utf8_to_utf16le`], [`utf8_to_utf16be`] |
//! | convert UTF-16 into a buffer | [`utf16_to_utf8`], [`utf16le_to_utf8`], [`utf16be_to_utf8`] |
//! | decode with U+FFFD for what is ill-formed | [`from_utf8_lossy`], [`string_from_utf8_lossy`], [`from_utf16_lossy`] (`…le`, `…be`); with `_counted`, how many there are |
//! | convert with U+FFFD | [`utf8_to_utf8_lossy`], [`utf8_to_utf16_lossy`], [`utf16_to_utf8_lossy`] (`…le`, `…be`) |
//! | iterate over what is well-formed and what is not | [`utf8_chunks`] |
//! | replace unpaired surrogates in place | [`make_well_formed_utf16`] (`…le`, `…be`) |
//! | know a length beforehand | [`utf16_len_from_utf8`], [`utf8_len_from_utf16`] (`…le`, `…be`); with `_lossy`, for ill-formed text |
//! | count characters | [`count_chars_utf8`], [`count_chars_utf16`] (`…le`, `…be`) |
//! | change the byte order | [`swap_utf16_bytes`], [`swap_utf16_bytes_into`] |
//! | handle text in chunks, cut anywhere | [`stream::Validator`], [`stream::Utf8Decoder`], [`stream::Transcoder`] |
//! | read and write through `std::io` | [`io::Utf8Reader`], [`io::TranscodingReader`], [`io::TranscodingWriter`] |
//! | work with the crates `bytes` and `tokio` | modules `bytes` and `tokio`, by features of these names |
//! | choose or list instruction sets | [`Isa`] |
//!
//! # Moving from other crates
//!
//! | from | to |
//! |---|---|
//! | `std::str::from_utf8(b)` | [`from_utf8(b)`](fn@from_utf8); the error has the same `valid_up_to` and `error_len`, and a `kind` |
//! | `String::from_utf8(v)`, `String::from_utf8_lossy(b)` | [`string_from_utf8(v)`](fn@string_from_utf8), [`from_utf8_lossy(b)`](fn@from_utf8_lossy) |
//! | `String::from_utf16(u)`, `char::decode_utf16` over `chunks(2)` | [`from_utf16(u)`](fn@from_utf16), [`from_utf16le(b)`](fn@from_utf16le) |
//! | `s.encode_utf16().collect()` | [`to_utf16(s)`](fn@to_utf16) |
//! | `s.encode_utf16().flat_map(u16::to_le_bytes).collect()` | [`to_utf16le(s)`](fn@to_utf16le) |
//! | `s.chars().count()`, `s.encode_utf16().count()` | [`count_chars_utf8(s.as_bytes())`](fn@count_chars_utf8), [`utf16_len_from_utf8(s.as_bytes())`](fn@utf16_len_from_utf8) |
//! | `simdutf8::basic::from_utf8(b)`, `simdutf8::compat::from_utf8(b)` | [`from_utf8(b)`](fn@from_utf8), which has the exact error, and no slower variant for it |
//! | `simdutf8::basic::imp::…`: a validator for chunks | [`stream::Validator`] |
//! | `encoding_rs::UTF_8.decode(b)` | [`decode_lossy_counted(b, Source::DetectBom { fallback: Encoding::Utf8 })`](fn@decode_lossy_counted) |
//! | `encoding_rs::UTF_16LE.decode_without_bom_handling(b)` | [`from_utf16le_lossy(b)`](fn@from_utf16le_lossy) |
//! | `encoding_rs::mem::convert_utf8_to_utf16(b, u)`, `convert_str_to_utf16(s, u)` | [`utf8_to_utf16_lossy(b, u)`](fn@utf8_to_utf16_lossy), [`str_to_utf16(s, u)`](fn@str_to_utf16) |
//! | `encoding_rs::mem::utf8_valid_up_to(b)`, `ensure_utf16_validity(u)` | [`validate_utf8(b)`](fn@validate_utf8) and `valid_up_to`, [`make_well_formed_utf16(u)`](fn@make_well_formed_utf16) |
//! | `encoding_rs::Decoder`, `Encoder` | [`stream::Transcoder`] |
//! | `encoding_rs::Encoding::for_bom(b)` | [`Source::resolve`](stream::Source::resolve) |
//! | `simdutf::validate_utf8`, `validate_utf8_with_errors` | [`validate_utf8`] |
//! | `simdutf::convert_utf8_to_utf16le(p, n, out)`, `…_with_errors` | [`utf8_to_utf16le(b, out)`](fn@utf8_to_utf16le): it checks the room as well |
//! | `simdutf::convert_valid_utf8_to_utf16le` | [`str_to_utf16le`] |
//! | `simdutf::utf16_length_from_utf8`, `count_utf8` | [`utf16_len_from_utf8`], [`count_chars_utf8`] |
//!
//! One difference to `encoding_rs`: UTF-16 that ends with a high surrogate and an odd byte has two U+FFFD here, as in the standard
//! library, and one there.
//!
//! # Units
//!
//! Functions that take or give `u16` count **code units**; those with `le` or `be` in their name take or give UTF-16
//! as **bytes** in that order, of any alignment and any length, and count bytes. UTF-8 is always counted in bytes. Byte-order
//! marks are looked for by [`decode`] and [`stream::Transcoder`] alone: to all others, U+FEFF is a character.
//!
//! # Converting into a buffer
//!
//! Conversions validate as they go and say how much they read, how much they wrote and why they stopped
//! ([`Conversion`]). Half a character is never read or written, and the buffer past what was written is as it was.
//!
//! # Errors
//!
//! [`Utf8Error`], [`Utf16Error`], [`FromUtf8Error`] and [`stream::StreamError`] become a
//! [`std::io::Error`](https://doc.rust-lang.org/std/io/struct.Error.html) by `?`, and the first three a `StreamError`.
//!
//! # Speed
//!
//! The README has figures, what they were measured on, and where this crate is behind others. At `opt-level` 0 and z the free
//! functions use no SIMD, but what the standard library has compiled. Two lines in the program's `Cargo.toml` give debug builds
//! the kernels, too:
//!
//! ```toml
//! [profile.dev.package.fastutf]
//! opt-level = 3
//! ```
//!
//! # Rust version and features
//!
//! Rust 1.89. `std` (default): the module `io`, and errors as `io::Error`. `alloc` (by `std`): what returns or fills a `Vec` or a
//! `String`. Without them the crate is `no_std` and still detects the CPU at run time. `bytes` and `tokio` add modules of these
//! names: adapters for the crates `bytes`, `tokio` and `tokio-util`.
//!
//! On WebAssembly there is nothing to detect: the kernels are there if the build has the target feature `simd128`.
#![no_std]
#![deny(unsafe_code)] // but in the modules below that allow it: SAFETY.md
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

// Layers, from the lowest to the highest. A module imports modules of its own layer and of lower ones only, and there are no
// circles: `cargo xtask layers` checks that.

// Leaves: what all others share.
#[allow(unsafe_code)]
mod buffer;
mod conversion;
mod endian;
mod error;
mod info;
mod replacement;

// Plain Rust, and the vocabulary of the kernels, where there is an instruction set to run them on.
mod scalar;
#[cfg(fastutf_simd)]
#[allow(unsafe_code)]
mod simd;

#[cfg(fastutf_simd)]
mod kernels;

#[macro_use]
mod isa;

// The public API.
#[macro_use]
#[allow(unsafe_code)]
mod api;
#[cfg(feature = "alloc")]
mod bom;
pub mod stream;

// Adapters of it.
#[cfg(feature = "bytes")]
#[allow(unsafe_code)]
pub mod bytes;
#[cfg(feature = "std")]
pub mod io;
#[cfg(feature = "tokio")]
pub mod tokio;

pub use api::*;
#[cfg(feature = "alloc")]
pub use bom::*;
pub use conversion::{Conversion, LossyConversion, Stop};
#[cfg(feature = "alloc")]
pub use error::FromUtf8Error;
pub use error::{Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};
pub use info::Utf8Info;
pub use isa::{Isa, ParseIsaError};

/// The examples of the README are tests, too.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
