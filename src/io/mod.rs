//! Adapters for [`std::io`]: a reader that validates UTF-8, and a reader and a writer that convert between encodings.
//!
//! What they read and write may be cut anywhere, even inside a character. The [`Transcoder`](crate::stream::Transcoder)
//! that they are given decides whether they are strict or lossy, and what happens to a byte-order mark. The package
//! `fastutf-tokio` has the same reader and writer for tokio's `AsyncRead` and `AsyncWrite`.
//!
//! Read the lines of a file that is UTF-16 or UTF-8, depending on its byte-order mark:
//!
//! ```
//! use fastutf::io::TranscodingReader;
//! use fastutf::stream::{Encoding, Source, Transcoder};
//! use std::io::BufRead;
//!
//! # let file = &b"\xFF\xFEo\0n\0e\0\r\0\n\0t\0w\0o\0"[..];
//! let detect = Source::DetectBom { fallback: Encoding::Utf8 };
//! let reader = TranscodingReader::new(file, Transcoder::new(detect, Encoding::Utf8));
//! let lines: Vec<String> = reader.lines().collect::<Result<_, _>>()?;
//! assert_eq!(lines, ["one", "two"]);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Errors
//!
//! Ill-formed text is an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData). It contains a
//! [`StreamError`](crate::stream::StreamError), whose offset counts from the first byte of the stream:
//!
//! ```
//! use fastutf::io::Utf8Reader;
//! use fastutf::stream::StreamError;
//! use std::io::Read;
//!
//! let error = Utf8Reader::new(&b"caf\xE9!"[..]).read_to_string(&mut String::new()).unwrap_err();
//! let error = error.get_ref().unwrap().downcast_ref::<StreamError>().unwrap();
//! assert_eq!(error.offset(), 3);
//! ```

mod buffer;
mod reader;
mod utf8;
mod writer;

use std::io::{self, BufRead, Read};
use std::string::String;
use std::vec::Vec;

pub use reader::TranscodingReader;
pub use utf8::Utf8Reader;
pub use writer::TranscodingWriter;

use crate::isa::Isa;

/// The size of each buffer in bytes: that of std's `BufReader` and `BufWriter`, so that reads and writes through them
/// and through `io::copy` need no copy.
const DEFAULT_CAPACITY: usize = 8 << 10;

/// The least room in which a conversion makes progress: a character has no more bytes.
const MIN_CAPACITY: usize = 4;

/// The default [`Read::read_to_string`] of std, with faster validation.
fn read_to_string(reader: &mut impl Read, text: &mut String) -> io::Result<usize> {
    append(text, |bytes| reader.read_to_end(bytes))
}

/// The default [`BufRead::read_line`] of std, with faster validation. [`BufRead::lines`] calls it.
fn read_line(reader: &mut impl BufRead, text: &mut String) -> io::Result<usize> {
    append(text, |bytes| reader.read_until(b'\n', bytes))
}

/// Appends what `read` appends, which must be UTF-8 by itself. The text before another error is kept.
fn append(text: &mut String, read: impl FnOnce(&mut Vec<u8>) -> io::Result<usize>) -> io::Result<usize> {
    let mut bytes = memory_of(text);
    let result = read(&mut bytes);
    match Isa::best().string_from_utf8(bytes) {
        Ok(read) => put(text, read),
        Err(error) => {
            result?;
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
    }
    result
}

/// Memory to read into what will be [`put`] to the end of `text`: its own, if it is empty. What is in it is not handed out, as a
/// reader could change it.
#[inline] // into generic functions, which are compiled elsewhere
fn memory_of(text: &mut String) -> Vec<u8> {
    if text.is_empty() { core::mem::take(text).into_bytes() } else { Vec::new() }
}

#[inline]
fn put(text: &mut String, read: String) {
    if text.is_empty() {
        *text = read;
    } else {
        text.push_str(&read);
    }
}
