//! An asynchronous writer that converts text to another encoding and passes it on.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use fastutf::Stop;
use fastutf::stream::Transcoder;
use pin_project_lite::pin_project;
use tokio::io::AsyncWrite;

use crate::DEFAULT_CAPACITY;
use crate::buffer::Buffer;

/// With this much room, a conversion makes progress or fails: 3 bytes that an earlier write has left may each become
/// U+FFFD, and then there is the next character.
const ROOM: usize = 16;

pin_project! {
    /// Takes text in one encoding and writes it in another, as converted by a [`Transcoder`]:
    /// [`io::TranscodingWriter`](fastutf::io::TranscodingWriter) for tokio.
    ///
    /// A write takes text cut anywhere, converts it into a buffer, and writes the buffer when it is full. With a
    /// strict transcoder, all text before the first ill-formed sequence is written. Then follows an error of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData) that contains the [`StreamError`](fastutf::stream::StreamError),
    /// which every later write and the end repeat. Errors of the inner writer are passed on; what the inner writer
    /// has not taken stays in the buffer and is written first next time. A flush writes everything but the start of
    /// an incomplete character.
    ///
    /// End the text with [`finish`](Self::finish) or [`try_finish`](Self::try_finish), or with `shutdown`, which also
    /// shuts down the inner writer. A writer that is dropped before that loses what is in its buffer, like tokio's
    /// `BufWriter`: writing it might have to wait.
    ///
    /// # Cancel safety
    ///
    /// A pending write has taken and converted nothing: the next one may be of other text. So methods of
    /// [`AsyncWriteExt`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncWriteExt.html) behave as tokio documents
    /// each:
    ///
    /// | method | if its future is dropped, as by `select!` |
    /// |---|---|
    /// | `write`, `flush`, `shutdown`, [`try_finish`](Self::try_finish) | nothing is lost: the next call continues |
    /// | `write_buf` | nothing is lost: `buf` still has what was not taken |
    /// | `write_all` | some of the text has been taken, and there is no way to know how much |
    /// | [`finish`](Self::finish) | the writer is dropped with it |
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf_tokio::TranscodingWriter;
    /// use tokio::io::AsyncWriteExt;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let connection = Vec::new();
    /// let to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Le);
    /// let mut writer = TranscodingWriter::new(connection, to_utf16);
    /// writer.write_all("z\u{142}".as_bytes()).await?;
    /// let connection = writer.finish().await?;
    /// assert_eq!(connection, b"z\0\x42\x01");
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    #[derive(Debug)]
    pub struct TranscodingWriter<W> {
        #[pin]
        inner: W,
        output: Output,
    }
}

/// The conversion of what was taken, up to where the inner writer gets it.
#[derive(Debug)]
struct Output {
    transcoder: Transcoder,
    /// Bytes that were converted and not written yet.
    dst: Buffer,
    /// Whether the text has ended without an error.
    finished: bool,
}

impl Output {
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

impl<W> TranscodingWriter<W> {
    /// Creates a writer that converts its input with `transcoder` and writes it to `inner`, with a buffer of 8 KB.
    pub fn new(inner: W, transcoder: Transcoder) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner, transcoder)
    }

    /// Creates a writer with a buffer of `capacity` bytes (at least 16).
    pub fn with_capacity(capacity: usize, inner: W, transcoder: Transcoder) -> Self {
        let output = Output { transcoder, dst: Buffer::new(capacity.max(ROOM)), finished: false };
        Self { inner, output }
    }

    /// Replaces ill-formed text by U+FFFD from here on, as a [`lossy`](Transcoder::lossy) transcoder does.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf_tokio::TranscodingWriter;
    /// use tokio::io::AsyncWriteExt;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be);
    /// let mut writer = TranscodingWriter::new(Vec::new(), to_utf16).lossy();
    /// writer.write_all(b"a\xFF").await?;
    /// assert_eq!(writer.finish().await?, b"\0a\xFF\xFD");
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn lossy(mut self) -> Self {
        self.output.transcoder = self.output.transcoder.lossy();
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
        &self.inner
    }

    /// Returns the inner writer, mutably. Anything written to it directly comes before what is still in the buffer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the inner writer, pinned and mutably. Anything written to it directly comes before what is still in
    /// the buffer.
    pub fn get_pin_mut(self: Pin<&mut Self>) -> Pin<&mut W> {
        self.project().inner
    }

    /// Returns the inner writer. What is in the buffer is lost.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: AsyncWrite + Unpin> TranscodingWriter<W> {
    /// Ends the text, writes everything, and returns the inner writer, flushed.
    ///
    /// # Errors
    ///
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the text is ill-formed or ends inside a character (strict
    /// transcoders only), and errors of the inner writer. The inner writer is then dropped;
    /// [`try_finish`](Self::try_finish) keeps it.
    pub async fn finish(mut self) -> io::Result<W> {
        self.try_finish().await?;
        Ok(self.inner)
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
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf_tokio::TranscodingWriter;
    /// use std::io::ErrorKind;
    /// use tokio::io::AsyncWriteExt;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be);
    /// let mut writer = TranscodingWriter::new(Vec::new(), to_utf16);
    /// writer.write_all(b"a\xE2\x82").await?;
    /// assert_eq!(writer.try_finish().await.unwrap_err().kind(), ErrorKind::InvalidData);
    /// assert_eq!(writer.get_ref(), b"\0a");
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    pub async fn try_finish(&mut self) -> io::Result<()> {
        poll_fn(|context| {
            ready!(Pin::new(&mut *self).poll_finish(context))?;
            Pin::new(&mut self.inner).poll_flush(context)
        })
        .await
    }
}

impl<W: AsyncWrite> TranscodingWriter<W> {
    /// Writes out the whole buffer.
    fn poll_write_out(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut this = self.project();
        let dst = &mut this.output.dst;
        while !dst.is_empty() {
            match ready!(this.inner.as_mut().poll_write(context, dst.filled()))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => dst.consume(written),
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Ends the text and writes everything.
    fn poll_finish(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.as_mut().poll_write_out(context))?;
            if self.as_mut().project().output.finish()? {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl<W: AsyncWrite> AsyncWrite for TranscodingWriter<W> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, src: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            if let Some(read) = self.as_mut().project().output.convert(src)? {
                return Poll::Ready(Ok(read));
            }
            ready!(self.as_mut().poll_write_out(context))?;
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_write_out(context))?;
        self.project().inner.poll_flush(context)
    }

    /// Ends the text, as [`try_finish`](TranscodingWriter::try_finish) does, and shuts down the inner writer. If the
    /// text is ill-formed, that is the error, and the inner writer is not shut down.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_finish(context))?;
        self.project().inner.poll_shutdown(context)
    }
}
