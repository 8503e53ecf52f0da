//! What every test needs besides the oracles and texts of `fastutf-testkit`: a way to check one input against both.

pub mod check;
pub mod told;

pub use check::Checker;
pub use fastutf_testkit::{Filler, Rng, hex, one_in, one_in_emulated};
pub use fastutf_testkit::{damage, oracle};
pub use told::told;
