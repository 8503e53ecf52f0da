//! Conversion of whole text from any encoding to any other, or to the same.

use super::Encoding;
use crate::conversion::{Conversion, LossyConversion, Stop};
use crate::isa::Isa;

/// How many bytes are checked and then copied at a time, so that both stay in the fastest cache.
const PIECE: usize = 8 << 10;

/// A conversion: from which encoding to which, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub isa: Isa,
    pub from: Encoding,
    pub to: Encoding,
    pub lossy: bool,
}

/// How far it got. An error is at `read`; [`error_at`](Encoding::error_at) describes it.
pub(super) struct Outcome {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub stop: Stop<()>,
}

impl Task {
    /// Converts text that does not end inside a character.
    #[inline(always)]
    pub(super) fn run(self, text: &[u8], dst: &mut [u8]) -> Outcome {
        use Encoding::*;
        let isa = self.isa;
        match (self.from, self.to, self.lossy) {
            (Utf8, Utf8, true) => isa.utf8_to_utf8_lossy(text, dst).into(),
            (Utf8, Utf16Le, true) => isa.utf8_to_utf16le_lossy(text, dst).into(),
            (Utf8, Utf16Be, true) => isa.utf8_to_utf16be_lossy(text, dst).into(),
            (Utf16Le, Utf8, true) => isa.utf16le_to_utf8_lossy(text, dst).into(),
            (Utf16Be, Utf8, true) => isa.utf16be_to_utf8_lossy(text, dst).into(),
            (Utf8, Utf16Le, false) => isa.utf8_to_utf16le(text, dst).into(),
            (Utf8, Utf16Be, false) => isa.utf8_to_utf16be(text, dst).into(),
            (Utf16Le, Utf8, false) => isa.utf16le_to_utf8(text, dst).into(),
            (Utf16Be, Utf8, false) => isa.utf16be_to_utf8(text, dst).into(),
            (Utf8, Utf8, false) | (Utf16Le | Utf16Be, Utf16Le | Utf16Be, _) => self.copy(text, dst),
        }
    }

    /// Copies text that has the same length in both encodings.
    fn copy(self, text: &[u8], dst: &mut [u8]) -> Outcome {
        let (mut done, mut replacements) = (0, 0);
        loop {
            let (rest, room) = (&text[done..], &mut dst[done..]);
            let len = rest.len().min(room.len()).min(PIECE);
            let mut piece = &rest[..len];
            if len < rest.len() {
                piece = &piece[..len - self.from.incomplete_end(piece)];
            }
            if piece.is_empty() {
                // No character fits, but U+FFFD may, for half a pair at the end of the room.
                if !self.lossy || room.len() < 2 || rest.is_empty() || self.from.first(rest).is_ok() {
                    break;
                }
                piece = &rest[..2];
            }
            let result = if self.lossy { Ok(()) } else { self.from.validate(self.isa, piece) };
            let (Ok(valid) | Err(valid)) = result.map(|()| piece.len());
            let (piece, room) = (&piece[..valid], &mut room[..valid]);
            if self.from == self.to {
                room.copy_from_slice(piece);
            } else {
                self.isa.swap_utf16_bytes_into(piece, room);
            }
            if self.lossy {
                replacements += match self.to {
                    Encoding::Utf16Be => self.isa.make_well_formed_utf16be(room),
                    _ => self.isa.make_well_formed_utf16le(room),
                };
            }
            done += valid;
            if result.is_err() {
                break;
            }
        }
        let stop = match &text[done..] {
            [] => Stop::Complete,
            rest if !self.lossy && self.from.first(rest).is_err() => Stop::Invalid(()),
            _ => Stop::OutputFull,
        };
        Outcome { read: done, written: done, replacements, stop }
    }
}

impl From<LossyConversion> for Outcome {
    fn from(out: LossyConversion) -> Self {
        let stop = if out.is_complete() { Stop::Complete } else { Stop::OutputFull };
        Self { read: out.read, written: out.written, replacements: out.replacements, stop }
    }
}

impl<E> From<Conversion<E>> for Outcome {
    fn from(out: Conversion<E>) -> Self {
        let stop = match out.stop {
            Stop::Complete => Stop::Complete,
            Stop::OutputFull => Stop::OutputFull,
            Stop::Invalid(_) => Stop::Invalid(()),
        };
        Self { read: out.read, written: out.written, replacements: 0, stop }
    }
}
