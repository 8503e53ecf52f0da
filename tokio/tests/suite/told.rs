//! The library's encodings as those of the oracles.

use fastutf::stream::Encoding;
use fastutf_testkit::oracle::form::Form;
use fastutf_testkit::oracle::{Converted, Whole};

pub fn told(encoding: Encoding) -> Form {
    Form::of_encoding(encoding.name())
}

/// The right result of a conversion of a whole text.
pub fn converted(from: Encoding, bytes: &[u8], to: Encoding, lossy: Option<u8>) -> Converted {
    Converted::new(told(from), bytes, told(to), lossy)
}

/// The result of std for a whole text.
pub fn whole(encoding: Encoding, bytes: &[u8]) -> Whole {
    Whole::new(told(encoding), bytes)
}
