//! UTF-8 and UTF-16 validation and transcoding with SIMD: the best instruction set is chosen at run time, behind a safe API.
//! Optional features add UTF-32, Latin-1, WTF-8 and modified UTF-8; `full` has them all.
//!
//! # Quick start
//!
//! ```
//! // UTF-8 from a socket, a file or a database: like `std::str::from_utf8`, but faster.
//! assert_eq!(fastutf::from_utf8(b"na\xC3\xAFve"), Ok("naïve"));
//!
//! // UTF-16LE as it comes off the wire: bytes, at any alignment.
//! assert_eq!(fastutf::from_utf16le(b"z\x00B\x01").as_deref(), Ok("zł"));
//! assert_eq!(fastutf::to_utf16le("zł"), b"z\x00B\x01");
//!
//! // With U+FFFD for ill-formed text, in the same places as the standard library.
//! assert_eq!(fastutf::from_utf8_lossy(b"caf\xE9!"), "caf\u{FFFD}!");
//!
//! // An error says where and what.
//! let error = fastutf::from_utf8(b"z\xC0\xAF").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.kind()), (1, fastutf::Utf8ErrorKind::Overlong));
//! ```
//!
//! # Which function
//!
//! | You want to … | Use |
//! |---|---|
//! | borrow bytes as `str` | [`from_utf8`], [`from_utf8_mut`] |
//! | turn a `Vec<u8>` into a `String` | [`string_from_utf8`], [`string_from_utf8_lossy`] |
//! | decode UTF-16 into a `String` | [`from_utf16`], [`from_utf16le`], [`from_utf16be`] |
//! | decode text whose BOM tells the encoding | [`decode`], [`decode_lossy`]; if it may be UTF-32, with `Source::DetectAnyBom` (feature `utf32`) |
//! | decode as `TextDecoder` does in browsers | [`web`] |
//! | encode a `&str` as UTF-16 | [`to_utf16`], [`to_utf16le`], [`to_utf16be`] |
//! | replace ill-formed text by U+FFFD | the function of the same name with `_lossy` |
//! | know how many replacements were made | the function with `_lossy_counted` |
//! | only validate | [`validate_utf8`], [`validate_utf16`], [`validate_utf16le`], [`validate_utf16be`], [`is_ascii`] |
//! | validate UTF-8 and learn its lengths, and the narrowest form that holds it, in one pass | [`utf8_info`] |
//! | convert into a buffer of your own | [`utf8_to_utf16`], [`utf16_to_utf8`] and so on; for a `&str` [`str_to_utf16`] |
//! | append to a `Vec` or a `String` | the function with `_append` |
//! | know the length of a result beforehand | [`utf16_len_from_utf8`], [`utf8_len_from_utf16`] |
//! | count characters | [`count_chars_utf8`], [`count_chars_utf16`] |
//! | iterate over well-formed and ill-formed parts | [`utf8_chunks`] |
//! | cut a text between characters | [`boundary`] |
//! | repair UTF-16 in place | [`make_well_formed_utf16`] |
//! | change the byte order | [`swap_utf16_bytes`], [`swap_utf16_bytes_into`], [`swap_utf16_bytes_into_uninit`] |
//! | handle text in chunks that are cut anywhere | [`stream::Validator`], [`stream::Utf8Decoder`], [`stream::Transcoder`] |
//! | read and write through `std::io` | [`io::Utf8Reader`], [`io::TranscodingReader`], [`io::TranscodingWriter`] |
//! | work with the crate `bytes` | [`bytes`][bytes-module] |
//! | read and write through tokio | the package `fastutf-tokio` |
//! | convert from or to Latin-1, strict or replacing unencodable characters by `?` | [`latin1`] |
//! | keep UTF-16 with lone surrogates as bytes, and get it back: JavaScript strings, file names on Windows | [`wtf8`] |
//! | exchange strings with Java, in native methods (JNI) or class files | [`mutf8`] |
//! | work with UTF-32, or with slices of `char`s | [`utf32`] |
//! | store text in its narrowest form, as V8, JavaScriptCore, the JVM and CPython do | [`narrowest`] |
//! | convert any form to any other | the table in `docs/forms.md`, in the package |
//! | validate or convert columns of a database | [`columns`] |
//! | convert offsets and positions, as editors and compilers need them | [`positions`] |
//! | choose or list instruction sets | [`Isa`] |
//! | replace calls of std, simdutf8, encoding_rs, simd_cesu8 or simdutf | [`moving_over`] |
//!
//! Modules that are not in your documentation belong to [features](#features-and-platforms) that were not enabled.
//!
//! # All functions
//!
//! Each function uses the best instruction set of the CPU (plain Rust in builds without optimisation). Validation, conversion,
//! counts and lengths are also methods of [`Isa`], which use that instruction set. All give the same results. The names are
//! built from these parts:
//!
//! | part | means |
//! |---|---|
//! | `from_A` | makes a `str` or a `String` of text in A |
//! | `string_from_…` | makes a `String` of a `Vec<u8>`, in the same allocation if it is well-formed |
//! | `to_B` | makes a `Vec` in B of a `&str` |
//! | `B_from_A` | makes a new value in B of text in A, where neither is a `str` |
//! | `A_to_B` | converts from A to B into a buffer of the caller; `str_to_B` takes a `&str`, which cannot be ill-formed |
//! | `le`, `be` | UTF-16 is bytes in that order, at any alignment. Without: `u16` in the byte order of this machine |
//! | `_lossy` | replaces ill-formed text by U+FFFD. Without: strict, stops with an error at the first ill-formed place |
//! | `_counted` | also returns the number of replacements |
//! | `_uninit` | the buffer may be uninitialised |
//! | `_append` | the result goes to the end of a `Vec` or `String`, which grows as needed |
//! | `_into` | the result goes to another buffer instead of in place |
//! | `_put` | (module `bytes`) the result goes to a `BufMut` |
//!
//! **Validate, decode, measure.** One column for each encoding of the input:
//!
//! | | UTF-8 | UTF-16, `u16` | UTF-16LE bytes | UTF-16BE bytes |
//! |---|---|---|---|---|
//! | validate | [`validate_utf8`], [`utf8_info`], [`is_ascii`] | [`validate_utf16`] | [`validate_utf16le`] | [`validate_utf16be`] |
//! | decode | [`from_utf8`], [`from_utf8_mut`], [`string_from_utf8`] | [`from_utf16`] | [`from_utf16le`] | [`from_utf16be`] |
//! | decode, lossy | [`from_utf8_lossy`], [`string_from_utf8_lossy`] | [`from_utf16_lossy`] | [`from_utf16le_lossy`] | [`from_utf16be_lossy`] |
//! | … and count replacements | [`from_utf8_lossy_counted`], [`string_from_utf8_lossy_counted`] | [`from_utf16_lossy_counted`] | [`from_utf16le_lossy_counted`] | [`from_utf16be_lossy_counted`] |
//! | iterate | [`utf8_chunks`] | | | |
//! | repair in place | | [`make_well_formed_utf16`] | [`make_well_formed_utf16le`] | [`make_well_formed_utf16be`] |
//! | count characters | [`count_chars_utf8`] | [`count_chars_utf16`] | [`count_chars_utf16le`] | [`count_chars_utf16be`] |
//! | length after conversion | [`utf16_len_from_utf8`] | [`utf8_len_from_utf16`] | [`utf8_len_from_utf16le`] | [`utf8_len_from_utf16be`] |
//! | … with replacements | [`utf16_len_from_utf8_lossy`], [`utf8_len_from_utf8_lossy`] | [`utf8_len_from_utf16_lossy`] | [`utf8_len_from_utf16le_lossy`] | [`utf8_len_from_utf16be_lossy`] |
//! | swap bytes | | | [`swap_utf16_bytes`], [`swap_utf16_bytes_into`], [`swap_utf16_bytes_into_uninit`] | the same |
//!
//! By BOM, for any of these encodings: [`decode`], [`decode_lossy`], [`decode_lossy_counted`].
//!
//! **Encode and convert.** One column for each place where the result goes:
//!
//! | | a slice | uninitialised memory | the end of a `Vec` or `String` | a new `Vec` |
//! |---|---|---|---|---|
//! | `&str` to UTF-16 | [`str_to_utf16`] | [`str_to_utf16_uninit`] | [`str_to_utf16_append`] | [`to_utf16`] |
//! | `&str` to UTF-16LE | [`str_to_utf16le`] | [`str_to_utf16le_uninit`] | [`str_to_utf16le_append`] | [`to_utf16le`] |
//! | `&str` to UTF-16BE | [`str_to_utf16be`] | [`str_to_utf16be_uninit`] | [`str_to_utf16be_append`] | [`to_utf16be`] |
//! | UTF-8 to UTF-16 | [`utf8_to_utf16`] | [`utf8_to_utf16_uninit`] | [`utf8_to_utf16_append`] | |
//! | UTF-8 to UTF-16LE | [`utf8_to_utf16le`] | [`utf8_to_utf16le_uninit`] | [`utf8_to_utf16le_append`] | |
//! | UTF-8 to UTF-16BE | [`utf8_to_utf16be`] | [`utf8_to_utf16be_uninit`] | [`utf8_to_utf16be_append`] | |
//! | UTF-16 to UTF-8 | [`utf16_to_utf8`] | [`utf16_to_utf8_uninit`] | [`utf16_to_utf8_append`] | |
//! | UTF-16LE to UTF-8 | [`utf16le_to_utf8`] | [`utf16le_to_utf8_uninit`] | [`utf16le_to_utf8_append`] | |
//! | UTF-16BE to UTF-8 | [`utf16be_to_utf8`] | [`utf16be_to_utf8_uninit`] | [`utf16be_to_utf8_append`] | |
//!
//! **Convert, lossy:**
//!
//! | | a slice | uninitialised memory | the end of a `Vec` or `String` |
//! |---|---|---|---|
//! | UTF-8 to UTF-8 | [`utf8_to_utf8_lossy`] | [`utf8_to_utf8_lossy_uninit`] | [`utf8_to_utf8_lossy_append`] |
//! | UTF-8 to UTF-16 | [`utf8_to_utf16_lossy`] | [`utf8_to_utf16_lossy_uninit`] | [`utf8_to_utf16_lossy_append`] |
//! | UTF-8 to UTF-16LE | [`utf8_to_utf16le_lossy`] | [`utf8_to_utf16le_lossy_uninit`] | [`utf8_to_utf16le_lossy_append`] |
//! | UTF-8 to UTF-16BE | [`utf8_to_utf16be_lossy`] | [`utf8_to_utf16be_lossy_uninit`] | [`utf8_to_utf16be_lossy_append`] |
//! | UTF-16 to UTF-8 | [`utf16_to_utf8_lossy`] | [`utf16_to_utf8_lossy_uninit`] | [`utf16_to_utf8_lossy_append`] |
//! | UTF-16LE to UTF-8 | [`utf16le_to_utf8_lossy`] | [`utf16le_to_utf8_lossy_uninit`] | [`utf16le_to_utf8_lossy_append`] |
//! | UTF-16BE to UTF-8 | [`utf16be_to_utf8_lossy`] | [`utf16be_to_utf8_lossy_uninit`] | [`utf16be_to_utf8_lossy_append`] |
//!
//! # Other encodings
//!
//! Each is a module behind a feature of the same name. Functions are named as here, and each is also a method of [`Isa`].
//!
//! | | what it has |
//! |---|---|
//! | [`latin1`] | ISO 8859-1: U+0000 to U+00FF, each as one byte |
//! | [`narrowest`], with the feature `latin1` | ASCII, Latin-1, UTF-16 or UTF-32, whichever is the narrowest that holds a text, as engines store strings |
//! | [`utf32`] | each character as its number, in a `u32` or in 4 bytes; casts between that and `char` |
//! | [`wtf8`] | UTF-16 with unpaired surrogates as bytes, without loss: JavaScript strings, file names on Windows |
//! | [`mutf8`] | modified UTF-8, as Java has it in class files and in its native interface |
//!
//! # Rules for all functions
//!
//! - **Units.** UTF-8 is counted in bytes. Functions that take or return `u16` or `u32` count code units; those with `le` or `be` in their name count
//!   bytes.
//! - **Byte-order marks.** Only [`decode`] and its relatives and [`stream::Transcoder`] look for a BOM. To all others, U+FEFF is a character.
//! - **Conversions validate** as they go, and report how much they read, how much they wrote and why they stopped: see
//!   [`Conversion`]. They never read or write part of a character. The content of the buffer beyond that is unspecified.
//! - **Errors.** [`Utf8Error`], [`Utf16Error`], `Utf32Error`, [`FromUtf8Error`] and [`stream::StreamError`] become a
//!   [`std::io::Error`](https://doc.rust-lang.org/std/io/struct.Error.html) by `?`, and the first two and [`FromUtf8Error`] become a
//!   `StreamError`.
//!
//! # Speed
//!
//! The README has a chart; `docs/performance.md` in the package has the figures, what they were measured on, and where this crate is slower
//! than others.
//!
//! A debug build (`opt-level` 0 or `"z"`) runs no SIMD, but the standard library where that has the same function compiled, and
//! plain Rust. Two lines in the program's `Cargo.toml` change that:
//!
//! ```toml
//! [profile.dev.package.fastutf]
//! opt-level = 3
//! ```
//!
//! # Stability and Rust version
//!
//! Until 1.0, a release that may stop a program from compiling, or change its results, raises the second number of the version
//! (0.1 to 0.2). The changelog says what to change. All other releases raise the third number only.
//!
//! The minimum supported Rust version is 1.89. It rises only with the second number, to a version that is then at least six months
//! old. Optional features that bring in another crate may need what that crate needs.
//!
//! These may change with any release: speed, which kernel runs, the texts of messages and of `Debug`, the size of types, the
//! content of an output beyond `written`, and how much memory a function needs while it runs. New variants are added only to
//! enums that are `#[non_exhaustive]`.
//!
//! # Features and platforms
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `std` | yes | enables `alloc`; the module `io`; errors become `io::Error` by `?` |
//! | `alloc` | by `std` | functions that return or fill a `Vec` or a `String` |
//! | `bytes` | no | enables `alloc`; the module `bytes`: `Utf8Bytes`, and conversion into any `BufMut` |
//! | `columns` | no | the module `columns`: validation and conversion of columns of strings, most of it with `alloc` only |
//! | `encodings` | no | enables the feature of every encoding: `latin1`, `mutf8`, `utf32` and `wtf8` |
//! | `full` | no | every feature that needs no other crate: all but `bytes` |
//! | `latin1` | no | the modules `latin1` and `narrowest`; functions that return or fill a `Vec` or a `String` also need `alloc` |
//! | `mutf8` | no | enables `wtf8`; the module `mutf8`; functions that return or fill a `Vec` or a `String` also need `alloc` |
//! | `positions` | no | enables `alloc`; the module `positions`: offsets in UTF-16 and in characters, lines and columns, as editors and compilers need them |
//! | `utf32` | no | the module `utf32`; functions that return or fill a `Vec` or a `String` also need `alloc`, those for Latin-1 also `latin1` |
//! | `wtf8` | no | the module `wtf8`; functions that return or fill a `Vec` or a `String` also need `alloc` |
//!
//! With `default-features = false` the crate is `no_std`. Everything else still works, streams and CPU detection included: errors implement
//! `core::error::Error`, and detection needs no operating system.
//!
//! [`Isa`] lists the instruction sets and the CPUs that have them. WebAssembly cannot detect SIMD at run time: build with
//! `-C target-feature=+simd128`. Targets without kernels (32-bit ARM, RISC-V, s390x, POWER, big-endian AArch64, …) get plain Rust.
//!
#![cfg_attr(feature = "bytes", doc = "[bytes-module]: mod@bytes")]
#![cfg_attr(not(feature = "bytes"), doc = "[bytes-module]: #features-and-platforms")]
// Where a page does not exist without all features, its links lead to the table of features.
#![cfg_attr(
    not(feature = "full"),
    doc = "[`columns`]: #features-and-platforms\n[`latin1`]: #features-and-platforms\n[`moving_over`]: #features-and-platforms\n[`mutf8`]: #features-and-platforms\n[`narrowest`]: #features-and-platforms\n[`positions`]: #features-and-platforms\n[`utf32`]: #features-and-platforms\n[`wtf8`]: #features-and-platforms"
)]
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
#[cfg(feature = "columns")]
mod borders;
#[allow(unsafe_code)]
mod buffer;
#[macro_use]
mod endian;
#[allow(unsafe_code)]
mod output;
mod parts;
mod replacement;
#[macro_use]
mod report;
#[cfg(feature = "positions")]
mod sections;

// Plain Rust, and the vocabulary of the kernels, where there is an instruction set to run them on.
mod scalar;
cfg_if::cfg_if! {
    if #[cfg(fastutf_simd)] {
        #[allow(unsafe_code)]
        mod simd;

        mod kernels;
    }
}

#[macro_use]
mod isa;

// Proofs about the kernels.
#[cfg(all(test, fastutf_proofs))]
#[cfg_attr(not(fastutf_simd), allow(dead_code))]
#[allow(unsafe_code)]
mod proof;

// The public API.
#[macro_use]
#[allow(unsafe_code)]
mod api;
#[cfg(feature = "alloc")]
mod bom;
pub mod boundary;
pub mod stream;
pub mod web;

// Adapters of it.
#[cfg(feature = "bytes")]
#[allow(unsafe_code)]
pub mod bytes;
#[cfg(feature = "columns")]
pub mod columns;
#[cfg(feature = "std")]
pub mod io;
#[cfg(feature = "positions")]
pub mod positions;

pub use api::*;
#[cfg(feature = "alloc")]
pub use bom::*;
pub use isa::{Isa, ParseIsaError};
#[cfg(feature = "alloc")]
pub use report::FromUtf8Error;
pub use report::{Conversion, ConversionError, LossyConversion, Stop};
pub use report::{OffsetUnit, Utf8Error, Utf8ErrorKind, Utf8Info, Utf16Error, Utf16ErrorKind, Width};

#[cfg(all(doc, feature = "full"))]
pub mod moving_over;

/// The examples of the README are tests, too.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
