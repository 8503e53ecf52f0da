//! Where something is in a text.

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The offset in bytes, from 0, a signature included.
    pub byte: u64,
    /// The line, from 1; U+000A ends a line.
    pub line: u64,
    /// The column in characters (Unicode scalar values), from 1; a signature is none.
    pub column: u64,
}
