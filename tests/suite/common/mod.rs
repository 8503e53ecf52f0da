//! What every test needs besides `fastutf-testkit`: a function that compares all operations on one input with the
//! oracles.

/// Calls `$each!` if the library has the feature.
macro_rules! given {
    ($feature:meta, $each:ident $($rows:tt)*) => {
        #[cfg($feature)]
        $each! { $($rows)* }
    };
}

#[macro_use]
mod conversions;

#[cfg(feature = "std")]
pub mod cases;
pub mod check;
#[cfg(feature = "columns")]
pub mod columns;
#[cfg(feature = "latin1")]
pub mod latin1;
#[cfg(all(feature = "latin1", feature = "alloc"))]
pub mod narrowest;
#[cfg(all(feature = "latin1", feature = "utf32", feature = "alloc"))]
pub mod narrowest_chars;
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
pub mod pairs;
#[cfg(feature = "positions")]
pub mod positions;
#[cfg(any(feature = "latin1", feature = "utf32", feature = "mutf8"))]
pub mod room;
pub mod told;
#[cfg(feature = "utf32")]
pub mod utf32;
#[cfg(all(feature = "latin1", feature = "utf32"))]
pub mod utf32_latin1;
#[cfg(all(feature = "mutf8", feature = "alloc"))]
pub mod wtf8;

pub use check::Checker;
pub use fastutf_testkit::{Filler, Rng, hex, one_in, one_in_emulated};
pub use fastutf_testkit::{damage, oracle};
pub use told::told;

/// Encodes the text.
pub fn encode(text: &str, encoding: fastutf::stream::Encoding) -> Vec<u8> {
    told(encoding).encode(text.chars().map(u32::from))
}
