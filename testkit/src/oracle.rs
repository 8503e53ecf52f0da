//! The right answers, from the standard library and the tables of RFC 3629 and RFC 2781 alone.

mod count;
pub mod form;
mod generalised;
mod latin1;
mod lossy;
mod pairs;
mod places;
mod strict;
mod utf32;
mod whole;

pub use count::{
    count_chars_utf8, count_chars_utf16, utf8_len_from_utf16, utf16_len_from_utf8, width_of_utf8, width_of_utf16,
};
pub use generalised::{Form, FormKind, FormOracle, NotUtf8, mutf8_from_utf8};
pub use latin1::{Latin1Fault, Latin1Oracle, text_of_latin1};
pub use lossy::{LossyOutcome, LossyUtf8, LossyUtf16, Place};
pub use pairs::Converted;
pub use places::{Places, Unit};
pub use strict::{Fault, Outcome, Stopped, Utf8Kind, Utf8Oracle, Utf16Kind, Utf16Oracle, split_utf8};
pub use utf32::{Decoded, Utf32Kind};
pub use whole::{Kind, Whole};

/// These code units as bytes, in the order of `bytes`.
pub fn to_bytes(units: &[u16], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    units.iter().map(|&unit| bytes(unit)).collect::<Vec<_>>().into_flattened()
}
