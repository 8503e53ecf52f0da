//! The inside of a converting writer, whatever it writes to.

use std::boxed::Box;
use std::io;
use std::vec;

use super::buffer::Buffer;
use crate::report::Stop;
use crate::stream::Transcoder;

/// With this much room, a conversion makes progress or fails: 3 bytes that an earlier write has left may each become
/// U+FFFD, and then there is the next character.
const ROOM: usize = 16;

/// Text that is added at one end, and its conversion, which is consumed at the other.
#[derive(Debug)]
pub(crate) struct Output {
    transcoder: Transcoder,
    /// Bytes that were converted and not written yet.
    dst: Buffer<Box<[u8]>>,
    /// Whether the text has ended without an error.
    finished: bool,
}

impl Output {
    pub fn new(capacity: usize, transcoder: Transcoder) -> Self {
        let dst = Buffer::new(vec![0; capacity.max(ROOM)].into_boxed_slice());
        Self { transcoder, dst, finished: false }
    }

    pub fn transcoder(&self) -> &Transcoder {
        &self.transcoder
    }

    pub fn lossy(&mut self) {
        self.transcoder = self.transcoder.clone().lossy();
    }

    /// The bytes to write.
    pub fn converted(&self) -> &[u8] {
        self.dst.filled()
    }

    /// Records how much has been written.
    pub fn consume(&mut self, count: usize) {
        self.dst.consume(count);
    }

    /// Converts `src`, and returns how much of it was read. Returns `None`, without reading any of it, if the
    /// converted bytes must be written first. (If any had been read, the caller would have to pass it again.)
    pub fn convert(&mut self, src: &[u8]) -> io::Result<Option<usize>> {
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
    pub fn finish(&mut self) -> io::Result<bool> {
        if self.converted().is_empty() && !self.finished {
            let out = self.transcoder.finish(self.dst.room());
            self.dst.filled_by(out.written);
            match out.stop {
                Stop::Complete => self.finished = true,
                Stop::Invalid(error) if out.written == 0 => return Err(error.into()),
                Stop::OutputFull | Stop::Invalid(_) => {}
            }
        }
        Ok(self.finished && self.converted().is_empty())
    }
}
