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
//! let mut reader = TranscodingReader::new(file, Transcoder::new(detect, Encoding::Utf8));
//! let (mut line, mut lines) = (String::new(), Vec::new());
//! while reader.read_line(&mut line)? > 0 {
//!     lines.push(line.trim_end().to_owned());
//!     line.clear(); // keeps its memory: `reader.lines()` would allocate for each line
//! }
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
    // Reads into the memory of an empty `text`. Text that is there is not passed on, as a reader could change it.
    let mut bytes = if text.is_empty() { core::mem::take(text).into_bytes() } else { Vec::new() };
    let result = reader.read_to_end(&mut bytes);
    match Isa::best().string_from_utf8(bytes) {
        // The text before another error is kept.
        Ok(read) if text.is_empty() => *text = read,
        Ok(read) => text.push_str(&read),
        Err(error) => {
            result?;
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
    }
    result
}

/// [`BufRead::read_line`] without std's validation, for readers whose `fill_buf` returns whole characters: a line is copied from
/// there. [`BufRead::lines`] calls it. `text` is unchanged if the line is not UTF-8.
fn read_line(reader: &mut impl BufRead, isa: Isa, text: &mut String) -> io::Result<usize> {
    let before = text.len();
    loop {
        let filled = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            filled => filled?,
        };
        let line = &filled[..line_len(filled)];
        match isa.from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(error) => {
                text.truncate(before);
                return Err(error.into());
            }
        }
        let (read, is_end) = (line.len(), line.last().is_none_or(|&byte| byte == b'\n'));
        reader.consume(read);
        if is_end {
            return Ok(text.len() - before);
        }
    }
}

/// The length of the first line with its end, or of all if there is none. std's search goes byte by byte at both ends.
fn line_len(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 0xFF;
    let (words, rest) = bytes.as_chunks();
    for (at, word) in words.iter().enumerate() {
        let zero = u64::from_le_bytes(*word) ^ (ONES * b'\n' as u64);
        let ends = zero.wrapping_sub(ONES) & !zero & (ONES << 7);
        if ends != 0 {
            return 8 * at + ends.trailing_zeros() as usize / 8 + 1;
        }
    }
    let end = rest.iter().position(|&byte| byte == b'\n');
    bytes.len() - rest.len() + end.map_or(rest.len(), |at| at + 1)
}
