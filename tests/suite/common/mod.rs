//! What every test needs besides `fastutf-testkit`: a function that compares all operations on one input with the
//! oracles.

pub mod check;
#[cfg(feature = "columns")]
pub mod columns;
#[cfg(feature = "latin1")]
pub mod latin1;
#[cfg(feature = "positions")]
pub mod positions;
pub mod told;

pub use check::Checker;
pub use fastutf_testkit::{Filler, Rng, hex, one_in, one_in_emulated};
pub use fastutf_testkit::{damage, oracle};
pub use told::told;
