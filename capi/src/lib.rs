//! The C interface of fastutf: `include/fastutf.h` is made from the items of this crate, with their comments. See
//! `docs/c.md`.
//!
//! Every function checks its arguments, calls one function of the library, and turns the outcome into a `struct`. All
//! `unsafe` that does something is in `memory`, where pointers become slices, and in `panic`.
#![cfg_attr(not(test), no_std)]
// These are the names that C sees.
#![allow(non_camel_case_types)]
// The comment in the header says what the caller promises: that pointers are what they seem.
#![allow(clippy::missing_safety_doc)]

#[cfg(test)]
extern crate std;

mod isa;
mod memory;
mod operations;
#[cfg(not(test))]
mod panic;
mod stream;
#[cfg(test)]
mod tests;
mod types;

// Last in the header.
#[cfg(feature = "columns")]
mod columns;

#[cfg(feature = "columns")]
pub use columns::*;
pub use isa::*;
pub use operations::*;
pub use stream::*;
pub use types::*;
