//! Conversions between UTF-32 and Latin-1.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::endian::ByteOrder;
use crate::isa::{Best, Isa};
use crate::output::Output;
use crate::report::{Conversion, LossyConversion, ToLatin1Error, Utf32Error};
use crate::scalar;

two_parts! {
    pub(crate) fn latin1_to_utf32_bytes[order] -> Infallible {
        latin1_to_utf32, |src, dst, at| scalar::latin1_to_utf32(order, src, dst, at)
    }
    pub(crate) fn utf32_bytes_to_latin1[order] -> ToLatin1Error<Utf32Error> {
        utf32_to_latin1, |src, dst, at| scalar::utf32_to_latin1(order, src, dst, at)
    }
}

impl Isa {
    by_strict!(
        utf32_bytes_to_latin1_lossy[order](replacement) = utf32_bytes_to_latin1,
        scalar::replace_utf32_to_latin1
    );
}

infallible! { in "fastutf::utf32";
    inlined latin1_to_utf32_bytes, accents;
    length(isa, order, src): max src.len(), count src.len();
    {
        /// As many code units as `src` has bytes are exactly right.
        latin1 => utf32 [ByteOrder::NATIVE]: latin1_to_utf32, latin1_to_utf32_uninit, latin1_to_utf32_append;
        /// Four times the length of `src` is exactly right.
        latin1 => utf32le [ByteOrder::Little]: latin1_to_utf32le, latin1_to_utf32le_uninit, latin1_to_utf32le_append;
        /// Four times the length of `src` is exactly right.
        latin1 => utf32be [ByteOrder::Big]: latin1_to_utf32be, latin1_to_utf32be_uninit, latin1_to_utf32be_append;
    }
}

strict! { in "fastutf::utf32";
    inlined utf32_bytes_to_latin1 -> ToLatin1Error<Utf32Error>, accents;
    length(isa, order, src): max src.len() / 4, count src.len() / 4;
    {
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        utf32 => latin1 [ByteOrder::NATIVE]: utf32_to_latin1, utf32_to_latin1_uninit, utf32_to_latin1_append;
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        utf32le => latin1 [ByteOrder::Little]: utf32le_to_latin1, utf32le_to_latin1_uninit, utf32le_to_latin1_append;
        /// A character that is not in Latin-1 is an error, too. As many bytes as `src` has code units are exactly right.
        utf32be => latin1 [ByteOrder::Big]: utf32be_to_latin1, utf32be_to_latin1_uninit, utf32be_to_latin1_append;
    }
}

lossy! { in "fastutf::utf32";
    utf32_bytes_to_latin1_lossy, "`replacement` for each character that is not in Latin-1, for each ill-formed code unit, \
        and for an incomplete one at the end";
    length(isa, order, src): max src.len().div_ceil(4), count src.len().div_ceil(4), exact src.len().div_ceil(4);
    {
        /// As many bytes as `src` has code units are exactly right.
        utf32 => latin1 [ByteOrder::NATIVE] (replacement):
            utf32_to_latin1_lossy, utf32_to_latin1_lossy_uninit, utf32_to_latin1_lossy_append;
        /// As many bytes as `src` has code units are exactly right, and one for an incomplete code unit.
        utf32le => latin1 [ByteOrder::Little] (replacement):
            utf32le_to_latin1_lossy, utf32le_to_latin1_lossy_uninit, utf32le_to_latin1_lossy_append;
        /// As many bytes as `src` has code units are exactly right, and one for an incomplete code unit.
        utf32be => latin1 [ByteOrder::Big] (replacement):
            utf32be_to_latin1_lossy, utf32be_to_latin1_lossy_uninit, utf32be_to_latin1_lossy_append;
    }
}
