//! The inside of a converting reader, whatever it reads from.

use std::boxed::Box;
use std::io;
use std::vec;

use super::MIN_CAPACITY;
use super::buffer::Buffer;
use crate::report::Stop;
use crate::stream::Transcoder;

/// Text that is added at one end and converted at the other.
#[derive(Debug)]
pub(crate) struct Input {
    transcoder: Transcoder,
    /// Bytes that were read and not converted yet.
    src: Buffer<Box<[u8]>>,
    /// Whether the input has ended.
    at_end: bool,
}

impl Input {
    pub fn new(capacity: usize, transcoder: Transcoder) -> Self {
        let src = Buffer::new(vec![0; capacity.max(MIN_CAPACITY)].into_boxed_slice());
        Self { transcoder, src, at_end: false }
    }

    pub fn transcoder(&self) -> &Transcoder {
        &self.transcoder
    }

    pub fn lossy(&mut self) {
        self.transcoder = self.transcoder.clone().lossy();
    }

    /// The buffer to read into.
    pub fn room(&mut self) -> &mut [u8] {
        self.src.room()
    }

    /// Records how much was read; 0 is the end of the text.
    pub fn filled_by(&mut self, count: usize) {
        self.src.filled_by(count);
        self.at_end = count == 0;
    }

    /// Converts into `dst`, which has at least [`MIN_CAPACITY`] bytes. Returns how many it wrote, 0 only at the end,
    /// or `None` if more must be read before anything can be written.
    pub fn convert(&mut self, dst: &mut [u8]) -> io::Result<Option<usize>> {
        while self.at_end || !self.src.is_empty() {
            let out = if self.at_end {
                self.transcoder.finish(dst)
            } else {
                let out = self.transcoder.convert(self.src.filled(), dst);
                self.src.consume(out.read);
                out
            };
            match out.stop {
                _ if out.written > 0 => return Ok(Some(out.written)),
                Stop::Invalid(error) => return Err(error.into()),
                Stop::Complete if self.at_end => return Ok(Some(0)),
                Stop::Complete | Stop::OutputFull => {}
            }
        }
        Ok(None)
    }
}
