//! DataFusion functions over columns of UTF-16 and of UTF-8 that may be damaged, by
//! fastutf's SIMD code, a whole column at a time.
//!
//! | function | result |
//! |---|---|
//! | `utf8_decode(bytes [, policy])` | the text of UTF-8 bytes |
//! | `utf16le_decode(bytes [, policy])`, `utf16be_decode(bytes [, policy])` | the text of UTF-16 bytes |
//! | `utf16le_encode(text)`, `utf16be_encode(text)` | UTF-16 bytes without a byte-order mark |
//! | `is_valid_utf8(bytes)`, `is_valid_utf16le(bytes)`, `is_valid_utf16be(bytes)` | whether the value is well-formed |
//! | `utf8_error(bytes)`, `utf16le_error(bytes)`, `utf16be_error(bytes)` | a struct of `offset` (bytes) and `kind` (of the error), or null if the text is well-formed; `get_field(…, 'offset')` |
//!
//! `bytes` is `Binary`, `LargeBinary` or `BinaryView`, and the result `Utf8`, `LargeUtf8` or `Utf8View`; the other way round
//! for `encode`. Null stays null. The policy is a literal that says what becomes of an ill-formed value:
//!
//! * `'error'`, the default: the query fails, with a message that has the value, the byte and the kind. It is an execution
//!   error, which no engine tries again.
//! * `'replace'`: U+FFFD stands for what is ill-formed.
//! * `'null'`: the value becomes null.
//!
//! A message can name the row only within its batch. To find all ill-formed rows, make them a column:
//! `SELECT id, utf8_error(name) FROM t WHERE NOT is_valid_utf8(name)`.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new();
//! fastutf_datafusion::register(&mut context)?;
//! // "zł" in UTF-16LE, and "caf" with half of an "é" in UTF-8.
//! let sql = "SELECT utf16le_decode(X'7A004201') AS text, utf8_decode(X'636166C3', 'replace') AS repaired,
//!                   get_field(utf8_error(X'636166C3'), 'offset') AS offset";
//! let batches = context.sql(sql).await?.collect().await?;
//! let expected = ["+------+----------+--------+",
//!                 "| text | repaired | offset |",
//!                 "+------+----------+--------+",
//!                 "| zł   | caf�     | 3      |",
//!                 "+------+----------+--------+"];
//! datafusion::assert_batches_eq!(expected, &batches);
//! # Ok(())
//! # }
//! ```
//!
//! The functions depend on `datafusion-expr`, `datafusion-common` and Arrow. The feature `files` adds tables over UTF-16
//! text files, for which it needs all of DataFusion.

#![forbid(unsafe_code)]

#[cfg(feature = "files")]
mod files;
mod functions;

pub use fastutf_arrow::{Encoding, Policy};
#[cfg(feature = "files")]
pub use files::{FileError, TextStore, register_local_files};
pub use functions::{functions, register};
