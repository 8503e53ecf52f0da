//! Positions in a text.

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The offset in bytes, from 0, including a signature.
    pub byte: u64,
    /// The line, from 1; U+000A ends a line.
    pub line: u64,
    /// The column in characters (Unicode scalar values), from 1, not counting a signature.
    pub column: u64,
}
