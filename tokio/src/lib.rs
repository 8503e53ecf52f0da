//! For [tokio](https://docs.rs/tokio): a reader and a writer that convert between encodings, and a codec for framed
//! connections, with fastutf's SIMD code.
//!
//! | type | implements | use |
//! |---|---|---|
//! | [`TranscodingReader`] | [`AsyncRead`](tokio::io::AsyncRead), [`AsyncBufRead`](tokio::io::AsyncBufRead) | read bytes and lines in another encoding |
//! | [`TranscodingWriter`] | [`AsyncWrite`](tokio::io::AsyncWrite) | write text in another encoding |
//! | [`TextCodec`] | `Decoder`, `Encoder` of `tokio-util` | `Stream` and `Sink` of text |
//!
//! The reader and the writer work like those of [`fastutf::io`]: their input and output may be cut anywhere, even
//! inside a character. The [`Transcoder`](fastutf::stream::Transcoder) given to them determines whether they are strict
//! or lossy, and how they treat a byte-order mark.
//!
//! Encodings are those of [`Encoding`](fastutf::stream::Encoding): UTF-8 and UTF-16, and with the features `latin1`, `utf32`
//! and `wtf8` of fastutf also Latin-1, UTF-32 and WTF-8. Enable them where your `Cargo.toml` names fastutf.
//!
//! Read the lines of a text whose byte-order mark tells whether it is UTF-8 or UTF-16:
//!
//! ```
//! use fastutf::stream::{Encoding, Source, Transcoder};
//! use fastutf_tokio::TranscodingReader;
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! # let connection = &b"\xFF\xFEo\0n\0e\0\r\0\n\0t\0w\0o\0"[..];
//! let detect = Source::DetectBom { fallback: Encoding::Utf8 };
//! let mut reader = TranscodingReader::new(connection, Transcoder::new(detect, Encoding::Utf8));
//! let mut line = String::new();
//! assert_eq!((reader.read_line(&mut line).await?, &*line), (5, "one\r\n"));
//! line.clear(); // keeps its memory
//! assert_eq!((reader.read_line(&mut line).await?, &*line), (3, "two"));
//! assert_eq!(reader.read_line(&mut line).await?, 0);
//! # Ok::<(), std::io::Error>(())
//! # }).unwrap();
//! ```
//!
//! [`read_line`](TranscodingReader::read_line) and [`read_to_string`](TranscodingReader::read_to_string) are methods of the
//! reader. tokio's methods of these names, and `lines`, have the same results. But std validates their text once more, which
//! takes several times as long as reading it.
//!
//! # Validation alone
//!
//! There is no `Utf8Reader` here. A [`TranscodingReader`] from UTF-8 to UTF-8 does the same, at the price of a copy.
//!
//! # Errors
//!
//! Ill-formed text is an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains a
//! [`StreamError`](fastutf::stream::StreamError), whose offset is in bytes from the start of the stream. It is returned
//! after all text before it, and again by every later call.

#![forbid(unsafe_code)]

mod buffer;
mod codec;
mod reader;
mod writer;

pub use codec::TextCodec;
pub use reader::TranscodingReader;
pub use writer::TranscodingWriter;

/// The size of each buffer in bytes: that of `BufReader` and `BufWriter`.
const DEFAULT_CAPACITY: usize = 8 << 10;

/// The examples of the README are tests, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
