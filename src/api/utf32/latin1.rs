//! Conversions between UTF-32 and Latin-1.

use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::{Conversion, LossyConversion, ToLatin1Error, Utf32Error};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::convert::Infallible;

infallible! { in "fastutf::utf32";
    latin1_to_utf32_bytes, accents;
    length(isa, order, src): max src.len(), count src.len();
    {
        /// As many code units as `src` has bytes are exactly right.
        [ByteOrder::NATIVE] latin1 => utf32: latin1_to_utf32, latin1_to_utf32_uninit, latin1_to_utf32_append;
        /// Four times the length of `src` is exactly right.
        [ByteOrder::Little] latin1 => utf32le: latin1_to_utf32le, latin1_to_utf32le_uninit, latin1_to_utf32le_append;
        /// Four times the length of `src` is exactly right.
        [ByteOrder::Big] latin1 => utf32be: latin1_to_utf32be, latin1_to_utf32be_uninit, latin1_to_utf32be_append;
    }
}

strict! { in "fastutf::utf32";
    utf32_bytes_to_latin1 -> ToLatin1Error<Utf32Error>, accents;
    length(isa, order, src): max src.len() / 4, count src.len() / 4;
    {
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        [ByteOrder::NATIVE] utf32 => latin1: utf32_to_latin1, utf32_to_latin1_uninit, utf32_to_latin1_append;
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        [ByteOrder::Little] utf32le => latin1: utf32le_to_latin1, utf32le_to_latin1_uninit, utf32le_to_latin1_append;
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        [ByteOrder::Big] utf32be => latin1: utf32be_to_latin1, utf32be_to_latin1_uninit, utf32be_to_latin1_append;
    }
}

lossy! { in "fastutf::utf32";
    utf32_bytes_to_latin1_lossy, "`replacement` for each character that is not in Latin-1, for each ill-formed code unit, \
        and for an incomplete one at the end";
    length(isa, order, src): max src.len().div_ceil(4), count src.len().div_ceil(4), exact src.len().div_ceil(4);
    {
        /// As many bytes as `src` has code units are exactly right.
        [ByteOrder::NATIVE] utf32 => latin1 (replacement):
            utf32_to_latin1_lossy, utf32_to_latin1_lossy_uninit, utf32_to_latin1_lossy_append;
        /// As many bytes as `src` has code units are exactly right, and one for an incomplete code unit.
        [ByteOrder::Little] utf32le => latin1 (replacement):
            utf32le_to_latin1_lossy, utf32le_to_latin1_lossy_uninit, utf32le_to_latin1_lossy_append;
        /// As many bytes as `src` has code units are exactly right, and one for an incomplete code unit.
        [ByteOrder::Big] utf32be => latin1 (replacement):
            utf32be_to_latin1_lossy, utf32be_to_latin1_lossy_uninit, utf32be_to_latin1_lossy_append;
    }
}
