//! For tokio: a reader and a writer that convert between encodings, and a codec for framed connections.
//!
//! | type | implements | use |
//! |---|---|---|
//! | [`TranscodingReader`] | [`AsyncRead`](::tokio::io::AsyncRead), [`AsyncBufRead`](::tokio::io::AsyncBufRead) | read bytes and lines in another encoding |
//! | [`TranscodingWriter`] | [`AsyncWrite`](::tokio::io::AsyncWrite) | write text in another encoding |
//! | [`TextCodec`] | `Decoder`, `Encoder` of `tokio-util` | `Stream` and `Sink` of text |
//!
//! The reader and the writer work like those of [`io`](crate::io): their input and output may be cut anywhere, even
//! inside a character. The [`Transcoder`](crate::stream::Transcoder) given to them determines whether they are strict
//! or lossy, and how they treat a byte-order mark.
//!
//! Read the lines of a text whose byte-order mark tells whether it is UTF-8 or UTF-16:
//!
//! ```
//! use fastutf::stream::{Encoding, Source, Transcoder};
//! use fastutf::tokio::TranscodingReader;
//! use tokio::io::AsyncBufReadExt;
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! # let connection = &b"\xFF\xFEo\0n\0e\0\r\0\n\0t\0w\0o\0"[..];
//! let detect = Source::DetectBom { fallback: Encoding::Utf8 };
//! let mut lines = TranscodingReader::new(connection, Transcoder::new(detect, Encoding::Utf8)).lines();
//! assert_eq!(lines.next_line().await?.as_deref(), Some("one"));
//! assert_eq!(lines.next_line().await?.as_deref(), Some("two"));
//! assert_eq!(lines.next_line().await?, None);
//! # Ok::<(), std::io::Error>(())
//! # }).unwrap();
//! ```
//!
//! # Validation alone
//!
//! There is no `Utf8Reader` here. A [`TranscodingReader`] from UTF-8 to UTF-8 does the same, at the price of a copy.
//!
//! # Errors
//!
//! Ill-formed text is an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains a
//! [`StreamError`](crate::stream::StreamError), whose offset is in bytes from the start of the stream. It is returned
//! after all text before it, and again by every later call.

mod codec;
mod reader;
mod writer;

pub use codec::TextCodec;
pub use reader::TranscodingReader;
pub use writer::TranscodingWriter;
