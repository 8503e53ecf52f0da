//! Small servers and readers that show fastutf in its place. Each has a program to run and a test:
//!
//! ```sh
//! cargo run -p fastutf-examples --bin http_body
//! cargo run -p fastutf-examples --bin json_body
//! cargo run -p fastutf-examples --bin websocket_echo
//! cargo run -p fastutf-examples --bin nvarchar_rows
//! cargo run -p fastutf-examples --bin wide_column
//! cargo run -p fastutf-examples --bin lsp_positions
//! cargo run -p fastutf-examples --bin js_string
//! cargo run -p fastutf-examples --bin jni_strings
//! ```

pub mod http_body;
pub mod jni_strings;
pub mod js_string;
pub mod json_body;
pub mod lsp_positions;
pub mod nvarchar_rows;
pub mod websocket_echo;
pub mod wide_column;

/// The Rust programs of these pages are tests, too.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/columns.md")]
    struct Columns;

    #[doc = include_str!("../../docs/servers.md")]
    struct Servers;
}
