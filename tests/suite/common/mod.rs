//! What every test needs beside the oracles and texts of `fastutf-testkit`: a way to hold one input against both.

pub mod check;
pub mod told;

pub use check::Checker;
pub use fastutf_testkit::{Filler, Rng, hex, one_in, one_in_emulated};
pub use fastutf_testkit::{damage, oracle};
pub use told::told;
