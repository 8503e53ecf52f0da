//! The integration tests, in one program: they share oracles, link once, and run side by side.
//!
//! `cargo test` runs everything, the largest loops thinned out by a fixed seed. `cargo test --release` runs them
//! whole, all in three minutes, and `cargo test --release -- --include-ignored` the few that take longer as well.
//! `tests/quick.rs` is a part of it, for changes made on purpose. No verdict hangs on time: what is counted instead is in
//! `tests/linear.rs` and `tests/alloc.rs`. Every test loops over [`fastutf::Isa::available`]; what a CPU lacks is tested elsewhere or under emulation, and
//! `isa::tested_here` says which those are. Two variables of the environment:
//!
//! - `FASTUTF_EXPECT_ISA=avx2`: fail unless that is the best instruction set here (proof that an emulated CPU works);
//! - `FASTUTF_TEST_THIN=50`: run one case in fifty of the thinned loops, and one in five of other long ones (for
//!   emulators).

mod common;

#[cfg(feature = "std")]
mod api;

#[cfg(feature = "alloc")]
mod behaviour;
mod boundaries;
#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "alloc")]
mod counting;
mod drivers;
#[cfg(feature = "alloc")]
mod errors;
mod exhaustive;
#[cfg(unix)]
mod guard_pages;
mod huge;
#[cfg(feature = "std")]
mod io;
mod isa;
#[cfg(feature = "alloc")]
mod lossy_utf16;
#[cfg(feature = "alloc")]
mod lossy_utf8;
#[cfg(feature = "alloc")]
mod properties;
mod stream;
#[cfg(feature = "tokio")]
mod tokio;
mod utf16;
