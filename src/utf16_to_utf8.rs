//! UTF-16 to UTF-8.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod avx512;

use core::mem::MaybeUninit;

use crate::conversion::Conversion;
use crate::endian::Endian;
use crate::error::Utf16Error;
use crate::scalar;
use crate::simd::Lanes;

#[inline(always)]
pub(crate) fn convert<S: Lanes, E: Endian>(
    _isa: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Conversion<Utf16Error> {
    scalar::utf16_to_utf8::<E>(src, dst)
}
