//! The tests of the suite that look at the kernels most closely for the least time: for `scripts/mutants`, which
//! compiles and runs them for each change. `cargo test` leaves this out, as the suite has it all.
#![allow(dead_code, unused_imports)] // the rest is for the suite

#[path = "suite/boundaries.rs"]
mod boundaries;
#[path = "suite/common/mod.rs"]
mod common;
#[path = "suite/drivers.rs"]
mod drivers;
