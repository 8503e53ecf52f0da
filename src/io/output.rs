//! What a writer that converts has inside, whoever it writes to.

use std::boxed::Box;
use std::io;
use std::vec;

use super::buffer::Buffer;
use crate::conversion::Stop;
use crate::stream::Transcoder;

/// With so much room a conversion reads on or fails: 3 bytes that an earlier write has left may become a U+FFFD each, and
/// then there is the next character.
const ROOM: usize = 16;

/// Text that is put in at one end, and its conversion, which is taken out at the other.
#[derive(Debug)]
pub(crate) struct Output {
    transcoder: Transcoder,
    /// What was converted and not yet written.
    dst: Buffer<Box<[u8]>>,
    /// The text has ended, and that was not an error.
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

    /// What is to be written.
    pub fn converted(&self) -> &[u8] {
        self.dst.filled()
    }

    /// So much has been written.
    pub fn consume(&mut self, count: usize) {
        self.dst.consume(count);
    }

    /// Converts `src`, and returns how much of it was read; or `None`, and nothing of it has been looked at: first,
    /// what is converted must be written. (Had it been looked at, it would have to come again.)
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

    /// Ends the text, and returns whether all of it is converted and written; if not, what is converted must be
    /// written, and this be called again. So must it after an error, which repeats.
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
