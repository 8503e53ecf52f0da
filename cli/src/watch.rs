//! Looks for a second encoding in the part of a text that the guess did not use. The text is [divided](divide) where
//! UTF-8 has NULs or is ill-formed, and where UTF-16 [may change](may_change).

use fastutf::Isa;

use crate::claim::Refusal;
use crate::encoding::Encoding;
use crate::error::Error;
use crate::guess::{Doubt, SAMPLE};
use crate::name::Name;
use crate::parts::{Change, divide, may_change};

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

/// How many bytes behind a boundary are needed to find it.
const BEYOND: usize = 8;

impl Watch {
    /// Returns what to look for in a text in this encoding, which may be a guess.
    pub fn new(isa: Isa, encoding: Encoding, is_guess: bool) -> Self {
        Self { isa, encoding, is_guess }
    }

    /// Returns the first place where another encoding begins in a block of text, which starts at the offset `start` of the
    /// input and on a boundary, and may be known to be well-formed.
    pub fn look(self, block: &[u8], start: u64, is_end: bool, is_well_formed: bool) -> Option<Change> {
        // UTF-16 between UTF-8 has NULs, or is ill-formed there.
        if self.encoding == Encoding::Utf8
            && memchr::memchr(0, block).is_none()
            && (is_well_formed || self.encoding.fault(self.isa, block).is_none())
        {
            return None;
        }
        let mut at = 0;
        while at < block.len() && self.is_needed() {
            let end =
                if block.len() - at > SAMPLE { self.encoding.boundary(block, at + SAMPLE) } else { block.len() };
            let (sample, is_end) = (&block[at..end], is_end && end == block.len());
            // A guess is based on the first.
            let is_known = self.is_guess && start + at as u64 == 0;
            if !is_known && may_change(self.encoding, sample, false, self.is_guess && is_end) {
                let change = divide(sample, Some(self.encoding), is_end).change;
                // The byte order that the user names is believed.
                let is_order = |change: &Change| {
                    change.from != change.to && ![change.from, change.to].contains(&Encoding::Utf8)
                };
                if let Some(change) = change.filter(|change| self.is_guess || !is_order(change)) {
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
            found = self.watch.look(&rest[..end], self.start, is_end, false);
            (looked, self.start) = (looked + end, self.start + end as u64);
        }
        self.held.drain(..looked);
        self.has_found = found.is_some();
        found
    }
}
