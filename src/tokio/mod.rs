//! For tokio: a reader and a writer that convert between encodings, and a codec for framed connections.
//!
//! | what | is | for |
//! |---|---|---|
//! | [`TranscodingReader`] | [`AsyncRead`](::tokio::io::AsyncRead), [`AsyncBufRead`](::tokio::io::AsyncBufRead) | bytes and lines in another encoding |
//! | [`TranscodingWriter`] | [`AsyncWrite`](::tokio::io::AsyncWrite) | writing text in another encoding |
//! | [`TextCodec`] | a codec of `tokio-util` | `Stream` and `Sink` of text |
//!
//! The reader and the writer are those of [`io`](crate::io), for tokio: what they read and write may be cut anywhere, also
//! inside a character. The [`Transcoder`](crate::stream::Transcoder) they are given decides whether they are strict or lossy, and what
//! becomes of a byte-order mark.
//!
//! Lines of text that may be UTF-16 or UTF-8 and tells by its byte-order mark:
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
//! There is no `Utf8Reader` here: a [`TranscodingReader`] from UTF-8 to UTF-8 does the same, at the price of a copy.
//!
//! # Errors
//!
//! Ill-formed text is an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) with a
//! [`StreamError`](crate::stream::StreamError) in it, whose offset counts from the first byte of the stream. It comes when
//! all text before it has been delivered, and again at each later call.

mod codec;
mod reader;
mod writer;

pub use codec::TextCodec;
pub use reader::TranscodingReader;
pub use writer::TranscodingWriter;
