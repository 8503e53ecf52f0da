//! A writer that converts text to another encoding and passes it on.

use std::boxed::Box;
use std::io::{self, Write};
use std::vec;

use super::DEFAULT_CAPACITY;
use super::buffer::Buffer;
use crate::report::Stop;
use crate::stream::Transcoder;

/// With this much room, a conversion makes progress or fails: 3 bytes that an earlier write has left may each become
/// U+FFFD, and then there is the next character.
const ROOM: usize = 16;

/// Takes text in one encoding and writes it in another, as converted by a [`Transcoder`].
///
/// [`write`](Write::write) takes text cut anywhere, converts it into a buffer, and writes the buffer when it is full.
/// With a strict transcoder, all text before the first ill-formed sequence is written. Then follows an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData) that contains the [`StreamError`](crate::stream::StreamError),
/// which every later write and the end repeat. Errors of the inner writer are passed on, except for
/// [`Interrupted`](io::ErrorKind::Interrupted), after which it is called again. What the inner writer has not taken
/// stays in the buffer and is written first next time. [`flush`](Write::flush) writes everything but the start of an
/// incomplete character.
///
/// End the text with [`finish`](Self::finish) or [`try_finish`](Self::try_finish), which report errors. A writer that
/// is dropped before that writes what it has and ignores errors; an incomplete character then becomes U+FFFD, even if
/// the transcoder is strict.
///
/// Write UTF-16LE with a byte-order mark and CRLF, as some Windows programs expect:
///
/// ```
/// use fastutf::io::TranscodingWriter;
/// use fastutf::stream::{Encoding, Transcoder};
/// use std::io::Write;
///
/// # let file = Vec::new();
/// let mut writer = TranscodingWriter::new(file, Transcoder::new(Encoding::Utf8, Encoding::Utf16Le));
/// write!(writer, "\u{FEFF}")?;
/// for word in ["zł", "€"] {
///     write!(writer, "{word}\r\n")?;
/// }
/// let file = writer.finish()?;
/// assert_eq!(file, b"\xFF\xFEz\0\x42\x01\r\0\n\0\xAC\x20\r\0\n\0");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TranscodingWriter<W: Write> {
    /// Always `Some` until `finish` takes it.
    inner: Option<W>,
    output: Outgoing,
    /// Whether the inner writer is writing or flushing, or has panicked meanwhile: then it must not be called again.
    in_call: bool,
}

/// The conversion of what was taken, up to where the inner writer gets it.
#[derive(Debug)]
struct Outgoing {
    transcoder: Transcoder,
    /// Bytes that were converted and not written yet.
    dst: Buffer<Box<[u8]>>,
    /// Whether the text has ended without an error.
    finished: bool,
}

impl Outgoing {
    fn lossy(&mut self) {
        self.transcoder = self.transcoder.clone().lossy();
    }

    /// Converts `src`, and returns how much of it was read. Returns `None`, without reading any of it, if the
    /// converted bytes must be written first. (If any had been read, the caller would have to pass it again.)
    fn convert(&mut self, src: &[u8]) -> io::Result<Option<usize>> {
        if src.is_empty() {
            return Ok(Some(0));
        }
        if self.finished {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the text has been finished"));
        }
        if self.dst.room().len() < ROOM {
            return Ok(None);
        }
        let out = self.transcoder.convert(src, self.dst.room());
        self.dst.filled_by(out.written);
        match out.stop {
            Stop::Invalid(error) if out.read == 0 => Err(error.into()),
            _ => Ok(Some(out.read)),
        }
    }

    /// Ends the text, and returns whether all of it has been converted and written. If not, write the converted bytes
    /// and call this again; likewise after an error, which repeats.
    fn finish(&mut self) -> io::Result<bool> {
        if self.dst.is_empty() && !self.finished {
            let out = self.transcoder.finish(self.dst.room());
            self.dst.filled_by(out.written);
            match out.stop {
                Stop::Complete => self.finished = true,
                Stop::Invalid(error) if out.written == 0 => return Err(error.into()),
                Stop::OutputFull | Stop::Invalid(_) => {}
            }
        }
        Ok(self.finished && self.dst.is_empty())
    }
}

impl<W: Write> TranscodingWriter<W> {
    /// Creates a writer that converts its input with `transcoder` and writes it to `inner`, with a buffer of 8 KB.
    pub fn new(inner: W, transcoder: Transcoder) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner, transcoder)
    }

    /// Creates a writer with a buffer of `capacity` bytes (at least 16).
    pub fn with_capacity(capacity: usize, inner: W, transcoder: Transcoder) -> Self {
        let dst = Buffer::new(vec![0; capacity.max(ROOM)].into_boxed_slice());
        Self { inner: Some(inner), output: Outgoing { transcoder, dst, finished: false }, in_call: false }
    }

    /// Replaces ill-formed text by U+FFFD from here on, as a [`lossy`](Transcoder::lossy) transcoder does.
    ///
    /// ```
    /// use fastutf::io::TranscodingWriter;
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use std::io::Write;
    ///
    /// let to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be);
    /// let mut writer = TranscodingWriter::new(Vec::new(), to_utf16).lossy();
    /// writer.write_all(b"a\xFF")?;
    /// assert_eq!(writer.finish()?, b"\0a\xFF\xFD");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn lossy(mut self) -> Self {
        self.output.lossy();
        self
    }

    /// Returns the transcoder, which knows the number of replacements so far and the encoding that a byte-order mark
    /// determined.
    #[must_use]
    pub fn transcoder(&self) -> &Transcoder {
        &self.output.transcoder
    }

    /// Returns the inner writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        self.inner.as_ref().expect(INNER)
    }

    /// Returns the inner writer, mutably. Anything written to it directly comes before what is still in the buffer.
    pub fn get_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect(INNER)
    }

    /// Ends the text, writes everything, and returns the inner writer, flushed.
    ///
    /// # Errors
    ///
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the text is ill-formed or ends inside a character (strict
    /// transcoders only), and errors of the inner writer. The inner writer is then dropped;
    /// [`try_finish`](Self::try_finish) keeps it.
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.inner.take().expect(INNER))
    }

    /// Ends the text, writes everything, and flushes the inner writer. Nothing can be written afterwards.
    ///
    /// # Errors
    ///
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the text is ill-formed or ends inside a character (strict
    /// transcoders only): all text before has been written, and another call returns the error again. Errors of the
    /// inner writer: another call continues where this one stopped.
    ///
    /// ```
    /// use fastutf::io::TranscodingWriter;
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use std::io::{ErrorKind, Write};
    ///
    /// let to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be);
    /// let mut writer = TranscodingWriter::new(Vec::new(), to_utf16);
    /// writer.write_all(b"a\xE2\x82")?;
    /// assert_eq!(writer.try_finish().unwrap_err().kind(), ErrorKind::InvalidData);
    /// assert_eq!(writer.get_ref(), b"\0a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn try_finish(&mut self) -> io::Result<()> {
        loop {
            self.write_out()?;
            if self.output.finish()? {
                return self.flush_inner();
            }
        }
    }

    /// Writes out the whole buffer.
    fn write_out(&mut self) -> io::Result<()> {
        while !self.output.dst.is_empty() {
            self.in_call = true;
            let result = self.inner.as_mut().expect(INNER).write(self.output.dst.filled());
            self.in_call = false;
            match result {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => self.output.dst.consume(written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn flush_inner(&mut self) -> io::Result<()> {
        self.in_call = true;
        let result = self.get_mut().flush();
        self.in_call = false;
        result
    }
}

const INNER: &str = "only `finish` takes it, and with it this writer";

impl<W: Write> Write for TranscodingWriter<W> {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        loop {
            if let Some(read) = self.output.convert(src)? {
                return Ok(read);
            }
            self.write_out()?;
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.flush_inner()
    }
}

impl<W: Write> Drop for TranscodingWriter<W> {
    fn drop(&mut self) {
        if self.inner.is_none() || self.in_call {
            return;
        }
        // An incomplete character becomes U+FFFD. An error that the transcoder has already found remains, and adds
        // nothing.
        self.output.lossy();
        // Errors cannot be reported here.
        let _ = self.try_finish();
    }
}
