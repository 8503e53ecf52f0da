//! The library's encodings as those of the oracles.

use fastutf::stream::Encoding;
use fastutf_testkit::oracle::{self, Converted, Whole};

pub const ENCODINGS: &[Encoding] = &[
    Encoding::Utf8,
    Encoding::Utf16Le,
    Encoding::Utf16Be,
    Encoding::Latin1,
    Encoding::Utf32Le,
    Encoding::Utf32Be,
    Encoding::Wtf8,
];

pub fn told(encoding: Encoding) -> oracle::Encoding {
    match encoding {
        Encoding::Utf8 => oracle::Encoding::Utf8,
        Encoding::Utf16Le => oracle::Encoding::Utf16Le,
        Encoding::Utf16Be => oracle::Encoding::Utf16Be,
        Encoding::Latin1 => oracle::Encoding::Latin1,
        Encoding::Utf32Le => oracle::Encoding::Utf32Le,
        Encoding::Utf32Be => oracle::Encoding::Utf32Be,
        Encoding::Wtf8 => oracle::Encoding::Wtf8,
        _ => panic!("the oracles do not know {encoding:?}"),
    }
}

/// The right result of a conversion of a whole text.
pub fn converted(from: Encoding, bytes: &[u8], to: Encoding, lossy: Option<u8>) -> Converted {
    Converted::new(told(from), bytes, told(to), lossy)
}

/// The result of std for a whole text.
pub fn whole(encoding: Encoding, bytes: &[u8]) -> Whole {
    Whole::new(told(encoding), bytes)
}
