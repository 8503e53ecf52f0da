//! A writer that takes text in one encoding and passes it on in another.

use std::io::{self, Write};

use super::DEFAULT_CAPACITY;
use super::output::Output;
use crate::stream::Transcoder;

/// Takes text in one encoding and writes it in another, as the [`Transcoder`] says.
///
/// [`write`](Write::write) takes text cut anywhere, converts it into a buffer, and writes that when it is full.
/// Strict transcoders take all text before the first ill-formed sequence; then comes an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) with the [`StreamError`](crate::stream::StreamError) in it, and again at
/// each later write and at the end. Errors of the inner writer are passed on, save
/// [`Interrupted`](io::ErrorKind::Interrupted), which means another try; what it has not taken stays in the buffer and is
/// the first that is written next time. [`flush`](Write::flush) writes everything but the start of a character whose end
/// has not come.
///
/// The text must be ended by [`finish`](Self::finish) or [`try_finish`](Self::try_finish), which tell of errors. A writer
/// that is dropped before writes what it has, and ignores errors; a character whose end has not come is U+FFFD then, even
/// if the transcoder is strict.
///
/// UTF-16LE with a byte-order mark and CRLF, as some programs of Windows want it:
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
    /// Always there, until `finish` takes it.
    inner: Option<W>,
    output: Output,
    /// The inner writer is writing or flushing, or has panicked while it was: it is not to be called again.
    in_call: bool,
}

impl<W: Write> TranscodingWriter<W> {
    /// Returns a writer that writes what `transcoder` makes of its input to `inner`, with a buffer of 8 KB.
    pub fn new(inner: W, transcoder: Transcoder) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner, transcoder)
    }

    /// Returns a writer with a buffer of `capacity` bytes (16 at least).
    pub fn with_capacity(capacity: usize, inner: W, transcoder: Transcoder) -> Self {
        Self { inner: Some(inner), output: Output::new(capacity, transcoder), in_call: false }
    }

    /// Puts U+FFFD in the place of what is ill-formed, as a [`lossy`](Transcoder::lossy) transcoder does, from here on.
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

    /// Returns the transcoder: it tells how many replacements were made so far, and which encoding a byte-order mark
    /// showed.
    #[must_use]
    pub fn transcoder(&self) -> &Transcoder {
        self.output.transcoder()
    }

    /// Returns the inner writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        self.inner.as_ref().expect(INNER)
    }

    /// Returns the inner writer, to change it. What is written to it directly overtakes what is in the buffer.
    pub fn get_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect(INNER)
    }

    /// Ends the text, writes everything, and returns the inner writer, flushed.
    ///
    /// # Errors
    ///
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the text was or is now ill-formed, because it ends inside a character
    /// (strict transcoders only), and errors of the inner writer. That is dropped then; [`try_finish`](Self::try_finish)
    /// keeps it.
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.inner.take().expect(INNER))
    }

    /// Ends the text, writes everything, and flushes the inner writer. Nothing can be written afterwards.
    ///
    /// # Errors
    ///
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the text was or is now ill-formed, because it ends inside a character
    /// (strict transcoders only): all before is written, and the error repeats. Errors of the inner writer: another call
    /// goes on where this one stopped.
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

    /// Writes the buffer.
    fn write_out(&mut self) -> io::Result<()> {
        while !self.output.converted().is_empty() {
            self.in_call = true;
            let result = self.inner.as_mut().expect(INNER).write(self.output.converted());
            self.in_call = false;
            match result {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => self.output.consume(written),
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
        // What is incomplete is U+FFFD. An error that the transcoder has found stays one, and adds nothing.
        self.output.lossy();
        // There is nobody to tell.
        let _ = self.try_finish();
    }
}
