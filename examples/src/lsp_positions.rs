//! What a language server does with positions: it keeps the text of a document as `didChange` edits it, and tells where a
//! diagnostic is, in the encoding that was agreed on with the client.

use std::ops::Range;

use fastutf::positions::{Index, Position, Unit};

/// A change of `didChange`.
#[derive(Clone, Debug)]
pub struct Change {
    /// What is replaced, from a position to another; the whole text if there is no range.
    pub range: Option<(Position, Position)>,
    /// What it is replaced by.
    pub text: String,
}

/// A document that is open in an editor.
#[derive(Debug)]
pub struct Document {
    text: String,
    index: Index,
    encoding: Unit,
}

impl Document {
    /// `didOpen`. `offered` are the client's `general.positionEncodings`, in the order of its preference: the first that is known
    /// is taken, and UTF-16 if there is none, as the protocol demands.
    pub fn open(text: String, offered: &[&str]) -> Self {
        let known = [Unit::Utf8, Unit::Utf16, Unit::Utf32];
        let find = |name: &&str| known.into_iter().find(|encoding| encoding.name() == *name);
        let encoding = offered.iter().find_map(find).unwrap_or(Unit::Utf16);
        Self { index: Index::new(&text), text, encoding }
    }

    /// `didChange`: each change is one of the text after those before it.
    pub fn change(&mut self, changes: &[Change]) {
        for change in changes {
            match change.range {
                Some((start, end)) => {
                    let start = self.index.byte_offset_at(&self.text, start, self.encoding);
                    let end = self.index.byte_offset_at(&self.text, end, self.encoding).max(start);
                    self.text.replace_range(start..end, &change.text);
                    self.index.edit(start..end, &self.text);
                }
                None => {
                    self.text.clone_from(&change.text);
                    self.index = Index::new(&self.text);
                }
            }
        }
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The encoding that was agreed on.
    pub fn encoding(&self) -> Unit {
        self.encoding
    }

    /// The ranges of diagnostics, which a compiler has found in this order.
    pub fn ranges(&self, found: &[Range<usize>]) -> Vec<(Position, Position)> {
        let bytes = found.iter().flat_map(|range| [range.start, range.end]);
        let positions: Vec<Position> = self.index.positions(&self.text, bytes, self.encoding).collect();
        positions.as_chunks().0.iter().map(|&[start, end]| (start, end)).collect()
    }
}
