//! Text in chunks of any size, cut anywhere: inside a character, a surrogate pair or a byte-order mark.
//!
//! | to | use |
//! |---|---|
//! | check a stream, with an error as soon as the first bad byte arrives | [`Validator`] |
//! | get UTF-8 as `&str`, without a copy | [`Utf8Decoder`] |
//! | convert between any of the encodings, with or without a byte-order mark | [`Transcoder`] |
//! | do the same with a `Read` or a `Write` | the module `io` (feature `std`) |
//!
//! Between two chunks they keep at most 3 bytes: those of a character that the next chunk completes. The results do not
//! depend on where the chunks were cut: the text, the error and the number of replacements are those of the function
//! for the whole text. Nothing is allocated, except by the methods that fill a `Vec` or a `String`.
//!
//! # Encodings
//!
//! [`Encoding`] has UTF-8, UTF-16LE and UTF-16BE, and more with the features of its variants. Every pair works. What is an error,
//! and what a lossy transcoder puts there instead:
//!
//! | | an error | lossy |
//! |---|---|---|
//! | from UTF-8, UTF-16, UTF-32 | what is ill-formed | U+FFFD |
//! | from WTF-8 | what is ill-formed, and each surrogate | U+FFFD |
//! | from Latin-1 | nothing | |
//! | to Latin-1 | also each character above U+00FF, which the error names | `?` for all of it, or the byte of `with_latin1_replacement` |
//!
//! Unpaired surrogates are kept from UTF-16 to WTF-8 and from WTF-8 to UTF-16 or WTF-8. So UTF-16 that becomes WTF-8 and then
//! UTF-16 is the same again; pairs are joined wherever the chunks were cut.
//!
//! [`Source`] says what becomes of a byte-order mark. Only the variants `Utf32`, `DetectAnyBom`, `StripBom` and, if the fallback is
//! UTF-32, `DetectBom` look for those of UTF-32. To all others, `FF FE 00 00` is UTF-16LE and U+0000, with every set of
//! features. A mark may come in pieces of a byte.
//!
//! # From a file or a socket
//!
//! Each chunk is converted into a buffer of fixed size, in as many rounds as necessary. At the end of the input,
//! [`finish`](Transcoder::finish) reports whether a character was left incomplete.
//!
//! ```
//! use std::io::{self, Read, Write};
//!
//! use fastutf::Stop;
//! use fastutf::stream::{ByteOrder, Encoding, Source, Transcoder};
//!
//! /// Copies a text that calls itself UTF-16 as UTF-8.
//! fn copy(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
//!     let mut transcoder = Transcoder::new(Source::Utf16 { fallback: ByteOrder::Little }, Encoding::Utf8);
//!     let (mut chunk, mut buffer) = ([0; 4096], [0; 8192]);
//!     loop {
//!         let len = match input.read(&mut chunk) {
//!             Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
//!             result => result?,
//!         };
//!         let mut rest = &chunk[..len];
//!         loop {
//!             let out = match len {
//!                 0 => transcoder.finish(&mut buffer),
//!                 _ => transcoder.convert(rest, &mut buffer),
//!             };
//!             output.write_all(&buffer[..out.written])?;
//!             rest = &rest[out.read..];
//!             match out.stop {
//!                 Stop::Complete => break,
//!                 Stop::OutputFull => {} // again, with an empty buffer
//! # #[cfg(not(feature = "std"))]
//! #               Stop::Invalid(error) => return Err(io::Error::other(error)),
//! # #[cfg(feature = "std")]
//!                 Stop::Invalid(error) => return Err(error.into()),
//!             }
//!         }
//!         if len == 0 {
//!             return Ok(());
//!         }
//!     }
//! }
//!
//! // To the end of a `String`, which grows, no loop is needed.
//! let mut transcoder = Transcoder::new(Source::Utf16 { fallback: ByteOrder::Little }, Encoding::Utf8);
//! # #[cfg(feature = "alloc")] {
//! let mut text = String::new();
//! transcoder.convert_to_string(b"\xFE\xFF\0z\x01", &mut text)?;
//! transcoder.convert_to_string(b"\x42", &mut text)?;
//! transcoder.finish_to_string(&mut text)?;
//! assert_eq!(text, "zł");
//! # }
//!
//! let mut text = Vec::new();
//! copy(&b"\xFE\xFF\0z\x01\x42"[..], &mut text)?;
//! assert_eq!(text, "zł".as_bytes());
//!
//! let error = copy(&b"\xFE\xFF\0z\xDC\0"[..], &mut text).unwrap_err();
//! assert_eq!(error.to_string(), "invalid utf-16 at byte 4: unpaired low surrogate");
//! # io::Result::Ok(())
//! ```

mod convert;
mod decoder;
mod encoding;
mod pending;
#[allow(unsafe_code)]
mod transcoder;
mod validator;

pub use crate::endian::ByteOrder;
pub use decoder::{Utf8Decoder, Utf8Pieces};
use encoding::HAS_PARTIAL;
pub use encoding::{Encoding, Source, StreamError, StreamErrorKind};
pub use transcoder::Transcoder;
pub use validator::Validator;

/// Whether there is UTF-32. Without it, code for it alone is not compiled.
const HAS_UTF32: bool = cfg!(feature = "utf32");
/// Whether there is WTF-8, the only encoding that has surrogates.
const HAS_WTF8: bool = cfg!(feature = "wtf8");
