//! The integration tests, in one program: they share oracles, link once, and run in parallel.
//!
//! `cargo test` runs everything, with the largest loops thinned out by a fixed seed. `cargo test --release` runs them
//! whole, in three minutes in total, and `cargo test --release -- --include-ignored` also the few that take longer.
//! No result depends on time: `tests/linear.rs` and `tests/alloc.rs` count instead. Every test loops over
//! [`fastutf::Isa::available`]. Instruction sets that a CPU lacks are tested elsewhere or under emulation, and
//! `isa::tested_here` prints which ones are tested. Environment variables:
//!
//! - `FASTUTF_EXPECT_ISA=avx2`: fail unless this is the best instruction set here (to prove that an emulated CPU
//!   works);
//! - `FASTUTF_TEST_THIN=50`: run one case in fifty of the thinned loops, and one in five of other long ones (for
//!   emulators). By default 5, or 1 with `--release`;
//! - `FASTUTF_TEST_SEED=7`: draw other random texts.

#[macro_use]
mod common;

#[cfg(feature = "std")]
mod api;

#[cfg(feature = "alloc")]
mod behaviour;
mod boundaries;
mod boundary;
#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "columns")]
mod columns;
#[cfg(feature = "alloc")]
mod counting;
mod drivers;
#[cfg(feature = "alloc")]
mod errors;
#[cfg(feature = "alloc")]
mod every_form;
mod exhaustive;
#[cfg(feature = "alloc")]
mod forms;
#[cfg(unix)]
mod guard_pages;
mod huge;
#[cfg(feature = "std")]
mod io;
mod isa;
#[cfg(all(feature = "latin1", feature = "alloc"))]
mod latin1;
#[cfg(feature = "alloc")]
mod limits;
#[cfg(feature = "alloc")]
mod lossy_utf16;
#[cfg(feature = "alloc")]
mod lossy_utf8;
#[cfg(all(feature = "latin1", feature = "alloc"))]
mod narrowest;
#[cfg(feature = "positions")]
mod positions;
#[cfg(feature = "alloc")]
mod properties;
mod stream;
mod utf16;
#[cfg(all(feature = "utf32", feature = "alloc"))]
mod utf32;
#[cfg(feature = "alloc")]
mod web;
#[cfg(all(feature = "mutf8", feature = "alloc"))]
mod wtf8;
