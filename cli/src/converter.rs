//! Conversion of a piece of text from one encoding to another.

use fastutf::stream::{self, Transcoder};
use fastutf::{Conversion, Isa, Stop};

use crate::encoding::{Encoding, Fault};

/// The conversion to apply to all pieces of a text.
#[derive(Clone, Copy, Debug)]
pub struct Converter {
    /// The instruction set to use.
    pub isa: Isa,
    /// The encoding to convert from.
    pub from: Encoding,
    /// The encoding to convert to.
    pub to: Encoding,
    /// Whether to replace ill-formed sequences by U+FFFD.
    pub lossy: bool,
}

/// The result of converting a piece.
#[derive(Debug)]
pub struct Done<'a> {
    /// Its text in the other encoding, up to the first fault.
    pub bytes: &'a [u8],
    /// How many U+FFFD in it replace ill-formed sequences.
    pub replacements: u64,
    /// The first fault in the piece that is not replaced, if there is one.
    pub fault: Option<Fault>,
}

impl Converter {
    /// Returns a buffer for the longest output of `len` bytes.
    pub fn room(&self, len: usize) -> Vec<u8> {
        // A byte becomes at most a code unit, or U+FFFD in UTF-8. At the end of the text there can be two of these.
        vec![0; if self.lossy { 3 * len + 6 } else { 2 * len }]
    }

    /// Converts a piece that ends on a character boundary, if it is well-formed.
    pub fn run<'a>(&self, piece: &'a [u8], room: &'a mut [u8]) -> Done<'a> {
        if !self.lossy {
            let (bytes, fault) = self.convert(piece, room);
            return Done { bytes, replacements: 0, fault };
        }
        let encoding = |encoding| match encoding {
            Encoding::Utf8 => stream::Encoding::Utf8,
            Encoding::Utf16Le => stream::Encoding::Utf16Le,
            Encoding::Utf16Be => stream::Encoding::Utf16Be,
        };
        let mut repair = Transcoder::new(encoding(self.from), encoding(self.to)).with_isa(self.isa).lossy();
        let start = repair.convert(piece, room);
        let end = repair.finish(&mut room[start.written..]);
        assert!(start.is_complete() && end.is_complete(), "there is room for the longest result");
        let bytes = &room[..start.written + end.written];
        Done { bytes, replacements: repair.replacements(), fault: None }
    }

    /// Returns the well-formed start of `piece` in the other encoding, and the fault after it, if there is one.
    fn convert<'a>(&self, piece: &'a [u8], room: &'a mut [u8]) -> (&'a [u8], Option<Fault>) {
        use Encoding::{Utf8, Utf16Be, Utf16Le};
        let isa = self.isa;
        let (written, fault) = match (self.from, self.to) {
            (Utf8, Utf8) | (Utf16Le, Utf16Le) | (Utf16Be, Utf16Be) => {
                let fault = self.from.fault(isa, piece);
                return (&piece[..fault.map_or(piece.len(), |fault| fault.valid_up_to())], fault);
            }
            (Utf16Le, Utf16Be) | (Utf16Be, Utf16Le) => {
                let fault = self.from.fault(isa, piece);
                let valid = fault.map_or(piece.len(), |fault| fault.valid_up_to());
                isa.swap_utf16_bytes_into(&piece[..valid], &mut room[..valid]);
                (valid, fault)
            }
            (Utf8, Utf16Le) => outcome(isa.utf8_to_utf16le(piece, room)),
            (Utf8, Utf16Be) => outcome(isa.utf8_to_utf16be(piece, room)),
            (Utf16Le, Utf8) => outcome(isa.utf16le_to_utf8(piece, room)),
            (Utf16Be, Utf8) => outcome(isa.utf16be_to_utf8(piece, room)),
        };
        (&room[..written], fault)
    }
}

/// How much a conversion wrote, and its fault.
fn outcome<E: Copy + Into<Fault>>(done: Conversion<E>) -> (usize, Option<Fault>) {
    assert!(!matches!(done.stop, Stop::OutputFull), "there is room for the longest result");
    (done.written, done.error().map(Into::into))
}
