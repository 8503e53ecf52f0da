//! UTF-8 to UTF-16.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod avx512;

use core::mem::MaybeUninit;

use crate::conversion::Conversion;
use crate::endian::Endian;
use crate::error::Utf8Error;
use crate::scalar;
use crate::simd::Lanes;

#[inline(always)]
pub(crate) fn convert<S: Lanes, E: Endian>(
    _isa: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Conversion<Utf8Error> {
    scalar::utf8_to_utf16::<E>(src, dst)
}
