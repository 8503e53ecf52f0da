//! For editors and compilers: offsets in bytes, in UTF-16 and in characters, lines and columns.
//!
//! A Rust program has offsets in bytes of UTF-8. JavaScript and source maps count UTF-16 code units. An editor asks for lines
//! and columns, in the encoding that it has agreed on in the Language Server Protocol. An [`Index`] of a text answers in
//! about the time of a cache miss, is built at about the speed of counting, and follows edits. Its size is about 2 % of
//! the text, which it does not own.
//!
//! | from | to | one | many, sorted |
//! |---|---|---|---|
//! | byte offset | offset in another unit | [`offset_in`](Index::offset_in) | [`offsets_in`](Index::offsets_in) |
//! | offset in another unit | byte offset | [`byte_offset`](Index::byte_offset) | [`byte_offsets`](Index::byte_offsets) |
//! | byte offset | line and column | [`position`](Index::position) | [`positions`](Index::positions) |
//! | line and column | byte offset | [`byte_offset_at`](Index::byte_offset_at) | |
//! | line | its range in bytes | [`line_range`](Index::line_range) | |
//!
//! ```
//! use fastutf::positions::{Index, Position, Unit};
//!
//! let text = "let s = \"😀\";\r\nlet t = s + 1;\n";
//! let index = Index::new(text);
//!
//! // A compiler's error at `s + 1`, for an editor.
//! let byte = text.find("s + 1").unwrap();
//! assert_eq!(index.position(text, byte, Unit::Utf16), Position { line: 1, column: 8 });
//!
//! // The second quotation mark: JavaScript says that it is at 11.
//! assert_eq!(index.byte_offset(text, 11, Unit::Utf16), text.rfind('"').unwrap());
//! ```
//!
//! # Rules
//!
//! - **Lines** end with `\n`, `\r\n` or `\r`, as in version 3.17 of the protocol. The last line has no end: it is empty if the text
//!   ends with a line end, or is empty. Lines and columns are counted from 0.
//! - **Inside of a character** is its start: a byte offset inside it, or a UTF-16 offset between the halves of a surrogate
//!   pair, is rounded down.
//! - **Inside of a line end** is the end of the line: a byte offset between `\r` and `\n` has the position of the `\r`.
//! - **Beyond the end** is the end. An offset beyond the end of the text is its end, and so is a line beyond the last one. A column
//!   beyond the end of a line is the end of that line, before its line end.
//! - **The text** given to a method must be the one the index was made for, after all edits. A text of another length is a panic;
//!   with another text of the same length, the results have no meaning.

mod batch;
mod edit;
mod index;

pub use crate::sections::Unit;
pub use index::Index;

/// A place in a text by line and column, both counted from 0.
///
/// ```
/// use fastutf::positions::Position;
///
/// assert!(Position { line: 1, column: 80 } < Position { line: 2, column: 0 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of line ends before it.
    pub line: usize,
    /// How far into the line it is, in a [`Unit`]. (The protocol calls it `character`.)
    pub column: usize,
}
