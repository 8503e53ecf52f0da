//! Looks for a second encoding in the part of a text from which its encoding was not guessed: where UTF-8 has NULs or is
//! ill-formed, and where UTF-16 has what texts do not have, it is [divided](divide).

use fastutf::Isa;

use crate::claim::Refusal;
use crate::encoding::{Encoding, count};
use crate::error::Error;
use crate::guess::{Doubt, SAMPLE};
use crate::name::Name;
use crate::parts::{Change, divide};

/// What is looked for in a text.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    isa: Isa,
    encoding: Encoding,
    /// Whether the encoding is a guess.
    pub is_guess: bool,
}

/// Returns the error for a text whose encoding is a guess.
pub fn doubt(change: Change, name: &Name) -> Error {
    let Refusal { doubt, advice, is_binary } = Refusal::of(&Doubt::Two(change), "", &[]);
    Error::Doubt { name: name.clone(), doubt, is_binary }.with_hint(advice)
}

/// Returns the warning about a text whose encoding is none.
pub fn warning(change: Change) -> String {
    format!("warning: {}", change.describe("seems to be"))
}

/// How many of this many code units are made of two bytes of printable ASCII where UTF-16 is looked at more closely: in
/// Chinese a quarter are, in UTF-8 nearly all.
const GROUP: usize = 16;
const DENSE: u64 = 12;

/// How many bytes behind a boundary are needed to find it.
const BEYOND: usize = 8;

impl Watch {
    /// Returns what to look for in a text in this encoding, which may be a guess.
    pub fn new(isa: Isa, encoding: Encoding, is_guess: bool) -> Self {
        Self { isa, encoding, is_guess }
    }

    /// Returns the first place where another encoding begins in a block of text, which starts at the offset `start` of the
    /// input and on a boundary.
    pub fn look(self, block: &[u8], start: u64, is_end: bool) -> Option<Change> {
        let mut at = 0;
        while at < block.len() && self.is_needed() {
            let end =
                if block.len() - at > SAMPLE { self.encoding.boundary(block, at + SAMPLE) } else { block.len() };
            let (sample, is_end) = (&block[at..end], is_end && end == block.len());
            // A guess is based on the first.
            let is_known = self.is_guess && start + at as u64 == 0;
            if !is_known && self.is_suspicious(sample, is_end) {
                let change = divide(sample, Some(self.encoding), is_end).change;
                if let Some(change) = change {
                    return Some(Change { at: start + at as u64 + change.at, ..change });
                }
            }
            at = end;
        }
        None
    }

    /// Whether there is anything to look for.
    fn is_needed(self) -> bool {
        match self.encoding {
            Encoding::Utf8 => self.is_guess,
            Encoding::Utf16Le | Encoding::Utf16Be => true,
            _ => false,
        }
    }

    /// Whether to look at a sample more closely.
    fn is_suspicious(self, sample: &[u8], is_end: bool) -> bool {
        let units = sample.as_chunks::<2>().0;
        match self.encoding {
            Encoding::Utf8 if self.is_guess => {
                memchr::memchr(0, sample).is_some() || self.encoding.fault(self.isa, sample).is_some()
            }
            Encoding::Utf16Le | Encoding::Utf16Be => {
                let is_printable = |byte| matches!(byte, b' '..0x7F);
                let is_dense = |units: &[[u8; 2]]| {
                    count(units, |[first, second]| is_printable(first) & is_printable(second)) >= DENSE
                };
                // U+0A0D, U+0A00 in either order of their bytes. U+0D0A is a letter of Malayalam.
                let is_never = |unit: [u8; 2]| matches!(unit, [0x0A, 0x0D] | [0x0D, 0x0A]);
                let is_swapped = match self.encoding {
                    Encoding::Utf16Le => [0, 0x0A],
                    _ => [0x0A, 0],
                };
                count(units, |unit| is_never(unit) | (unit == is_swapped)) > 0
                    || self.is_guess && is_end
                    || units.chunks(GROUP).any(is_dense)
            }
            _ => false,
        }
    }
}

/// Looks at a text that is read in order, in pieces of any size.
pub struct Watcher {
    watch: Watch,
    /// The text that is still to be looked at.
    held: Vec<u8>,
    /// Its offset in the input.
    start: u64,
    has_found: bool,
}

impl Watcher {
    /// Returns a watcher that starts at an offset of the input.
    pub fn new(watch: Watch, start: u64) -> Self {
        Self { watch, held: Vec::new(), start, has_found: false }
    }

    /// Takes the next part of the text. Returns the first place where another encoding begins, once. Text is looked at when
    /// there is a sample of it, and all of it if it `is_end`.
    pub fn pass(&mut self, text: &[u8], is_end: bool) -> Option<Change> {
        if self.has_found || !self.watch.is_needed() {
            return None;
        }
        self.held.extend_from_slice(text);
        let mut looked = 0;
        let mut found = None;
        while found.is_none()
            && (is_end && looked < self.held.len() || self.held.len() - looked >= SAMPLE + BEYOND)
        {
            let rest = &self.held[looked..];
            let end = if rest.len() <= SAMPLE { rest.len() } else { self.watch.encoding.boundary(rest, SAMPLE) };
            let is_end = is_end && end == rest.len();
            found = self.watch.look(&rest[..end], self.start, is_end);
            (looked, self.start) = (looked + end, self.start + end as u64);
        }
        self.held.drain(..looked);
        self.has_found = found.is_some();
        found
    }
}
