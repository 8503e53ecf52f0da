//! Conversion of a piece of text from one encoding to another.

use std::ops::AddAssign;

use fastutf::stream::Transcoder;
use fastutf::{Isa, Stop};

use crate::encoding::{Encoding, Fault, count};

/// The conversion to apply to all pieces of a text.
#[derive(Clone, Copy, Debug)]
pub struct Converter {
    /// The instruction set to use.
    pub isa: Isa,
    /// The encoding to convert from.
    pub from: Encoding,
    /// The encoding to convert to.
    pub to: Encoding,
    /// Whether to replace ill-formed sequences by U+FFFD, and what Latin-1 does not have by a question mark.
    pub lossy: bool,
}

/// What is counted while text is converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How much has been replaced.
    pub replacements: u64,
    /// How many bytes of Latin-1 from 80 to 9F have become control characters in another encoding: they would be punctuation
    /// and letters in windows-1252.
    pub controls: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.replacements += other.replacements;
        self.controls += other.controls;
    }
}

/// The result of converting a piece.
#[derive(Debug)]
pub struct Done<'a> {
    /// Its text in the other encoding, up to the first fault.
    pub bytes: &'a [u8],
    /// Whether these are the bytes of the piece, up to the first fault.
    pub is_same: bool,
    /// What is worth saying about it.
    pub tally: Tally,
    /// The first fault in the piece that is not replaced, if there is one.
    pub fault: Option<Fault>,
}

impl Converter {
    /// Returns a buffer for the longest output of `len` bytes.
    pub fn room(&self, len: usize) -> Vec<u8> {
        let longest = match (self.to, self.lossy) {
            // A byte becomes at most a code unit.
            (Encoding::Utf32Le | Encoding::Utf32Be, _) => 4 * len,
            // Or U+FFFD in UTF-8.
            (_, true) => 3 * len,
            (_, false) => 2 * len,
        };
        // At the end of the text there can be two replacements.
        vec![0; longest + 8]
    }

    /// Converts a piece that ends on a character boundary, if it is well-formed.
    pub fn run<'a>(&self, piece: &'a [u8], room: &'a mut [u8]) -> Done<'a> {
        if self.from == self.to && !self.lossy {
            // Nothing is copied.
            let fault = self.from.fault(self.isa, piece);
            let valid = fault.map_or(piece.len(), |fault| fault.valid_up_to());
            return Done { bytes: &piece[..valid], is_same: true, tally: Tally::default(), fault };
        }
        let transcoder = Transcoder::new(self.from.of_stream(), self.to.of_stream()).with_isa(self.isa);
        let mut transcoder = if self.lossy { transcoder.lossy() } else { transcoder };
        let start = transcoder.convert(piece, room);
        let (mut written, mut stop) = (start.written, start.stop);
        if start.is_complete() {
            let end = transcoder.finish(&mut room[written..]);
            (written, stop) = (written + end.written, end.stop);
        }
        let fault = match stop {
            Stop::Complete => None,
            Stop::OutputFull => panic!("there is room for the longest result"),
            Stop::Invalid(error) => Some(Fault::of(error)),
        };
        let bytes = &room[..written];
        let is_same = if fault.is_some() { piece.starts_with(bytes) } else { bytes == piece };
        let controls = if self.from.is_doubted() && self.to.units() != self.from.units() {
            count(piece, |byte| matches!(byte, 0x80..=0x9F))
        } else {
            0
        };
        let tally = Tally { replacements: transcoder.replacements(), controls };
        Done { bytes, is_same, tally, fault }
    }
}
