//! A writer that takes text in one encoding and passes it on in another.

use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::io;

use ::pin_project_lite::pin_project;
use ::tokio::io::AsyncWrite;

use crate::io::DEFAULT_CAPACITY;
use crate::io::output::Output;
use crate::stream::Transcoder;

pin_project! {
    /// Takes text in one encoding and writes it in another, as the [`Transcoder`] says:
    /// [`io::TranscodingWriter`](crate::io::TranscodingWriter) for tokio.
    ///
    /// A write takes text cut anywhere and converts it into a buffer, which is written when it is full. Strict transcoders
    /// take all text before the first ill-formed sequence; then comes an error of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData) with the [`StreamError`](crate::stream::StreamError) in it, and again at
    /// each later write and at the end. Errors of the inner writer are passed on; what it has not taken stays in the buffer
    /// and is the first that is written next time. A flush writes everything but the start of a character whose end has
    /// not come.
    ///
    /// The text must be ended by [`finish`](Self::finish) or [`try_finish`](Self::try_finish), or by `shutdown`, which
    /// shuts the inner writer down, too. A writer that is dropped before loses what is in its buffer, as tokio's
    /// `BufWriter` does: to write it would have to wait.
    ///
    /// # Cancel safety
    ///
    /// Of a write that is pending nothing has been taken, and nothing has been made of it: the next one may be of other
    /// text. So methods of [`AsyncWriteExt`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncWriteExt.html) are as tokio
    /// says of each:
    ///
    /// | method | if its future is dropped, as by `select!` |
    /// |---|---|
    /// | `write`, `flush`, `shutdown`, [`try_finish`](Self::try_finish) | nothing is lost: the next call goes on |
    /// | `write_buf` | nothing is lost: `buf` has what was not taken |
    /// | `write_all` | some of the text has been taken, and nobody knows how much |
    /// | [`finish`](Self::finish) | the writer is dropped with it |
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf::tokio::TranscodingWriter;
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

impl<W> TranscodingWriter<W> {
    /// Returns a writer that writes what `transcoder` makes of its input to `inner`, with a buffer of 8 KB.
    pub fn new(inner: W, transcoder: Transcoder) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner, transcoder)
    }

    /// Returns a writer with a buffer of `capacity` bytes (16 at least).
    pub fn with_capacity(capacity: usize, inner: W, transcoder: Transcoder) -> Self {
        Self { inner, output: Output::new(capacity, transcoder) }
    }

    /// Puts U+FFFD in the place of what is ill-formed, as a [`lossy`](Transcoder::lossy) transcoder does, from here on.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf::tokio::TranscodingWriter;
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
        &self.inner
    }

    /// Returns the inner writer, to change it. What is written to it directly overtakes what is in the buffer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the inner writer, pinned, to change it. What is written to it directly overtakes what is in the buffer.
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
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the text was or is now ill-formed, because it ends inside a character
    /// (strict transcoders only), and errors of the inner writer. That is dropped then; [`try_finish`](Self::try_finish)
    /// keeps it.
    pub async fn finish(mut self) -> io::Result<W> {
        self.try_finish().await?;
        Ok(self.inner)
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
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf::tokio::TranscodingWriter;
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
    /// Writes the buffer.
    fn poll_write_out(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut this = self.project();
        while !this.output.converted().is_empty() {
            match ready!(this.inner.as_mut().poll_write(context, this.output.converted()))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => this.output.consume(written),
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Ends the text, and writes everything.
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

    /// Ends the text, as [`try_finish`](TranscodingWriter::try_finish) does, and shuts the inner writer down. If the text
    /// is ill-formed that is the error, and the inner writer is not shut down.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_finish(context))?;
        self.project().inner.poll_shutdown(context)
    }
}
