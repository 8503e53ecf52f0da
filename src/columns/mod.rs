//! For database engines: validation and conversion of whole columns of strings.
//!
//! A column is a buffer of values and one of offsets, maybe with a validity bitmap: see [`Column`]. An operation has the
//! result of a loop that calls the function of the same name for each row. So a row is text by itself: a character that
//! is split over the border of two rows is an error in the first of them. Null rows are never read as text, and are
//! empty in an output.
//!
//! | | UTF-8 | UTF-16LE bytes | UTF-16BE bytes |
//! |---|---|---|---|
//! | validate | [`validate_utf8`] | [`validate_utf16le`] | [`validate_utf16be`] |
//! | … in views | [`validate_utf8_views`] | | |
//! | to UTF-8 | [`utf8_to_utf8`], [`utf8_lossy`] | [`utf16le_to_utf8`] | [`utf16be_to_utf8`] |
//! | to UTF-8 views | [`utf8_to_utf8_views`] | [`utf16le_to_utf8_views`] | [`utf16be_to_utf8_views`] |
//! | to UTF-16LE bytes | [`utf8_to_utf16le`] | | |
//! | to UTF-16BE bytes | [`utf8_to_utf16be`] | | |
//! | characters of each row | [`count_chars_utf8`] | [`count_chars_utf16le`] | [`count_chars_utf16be`] |
//! | length of each row after conversion | [`utf16_len_from_utf8`] | [`utf8_len_from_utf16le`] | [`utf8_len_from_utf16be`] |
//!
//! Conversions also have a form with `_append`, which writes to the end of the caller's vectors, and one with `_into`, which
//! fills memory of a fixed size. Without the feature `alloc`, there are only `_into` and validation. A [`Policy`] says what
//! becomes of ill-formed rows. Offsets, and lengths in errors, are in bytes, for UTF-16 as well.
//!
//! ```
//! use fastutf::columns::{self, Column, Policy};
//!
//! // "zł" and "€" in UTF-16LE, as a database driver delivers them.
//! let column = Column::new(b"z\0\x42\x01\xAC\x20", &[0i32, 4, 6])?;
//! let out = columns::utf16le_to_utf8::<_, i32>(column, Policy::Error).unwrap();
//! assert_eq!(out.values, "zł€".as_bytes());
//! assert_eq!(out.offsets, [0, 3, 6]);
//! # Ok::<(), columns::LayoutError>(())
//! ```

mod append;
mod error;
mod layout;
mod layout_error;
#[allow(unsafe_code)]
mod room;
mod text;
mod validate;
mod validity;
cfg_if::cfg_if! {
    if #[cfg(feature = "alloc")] {
        mod convert;
        mod lengths;
        mod lossy;
        mod vectors;
        mod views;
    }
}

pub use append::Policy;
pub use error::RowError;
pub use layout::{Column, Offset};
pub use layout_error::{LayoutError, LayoutErrorKind};
pub use room::*;
pub use validate::*;
pub use validity::Validity;
#[cfg(feature = "alloc")]
pub use {convert::*, error::ColumnError, lengths::*, lossy::*, validity::Bitmap, vectors::Outcome, views::*};
