//! Views of the caller's texts as bytes.

/// A code unit, or a view of a column. It is not reachable from other crates.
///
/// # Safety
///
/// It is an integer or an array of integers: it has no padding, and any initialised bytes are a valid one.
pub unsafe trait CodeUnit: Copy {}

macro_rules! units {
    ($($unit:ty)*) => { $(
        // SAFETY: it is an integer.
        unsafe impl CodeUnit for $unit {}
    )* };
}
units! { u8 u16 u32 u64 u128 }

// SAFETY: an array has no padding but that of its elements.
unsafe impl<U: CodeUnit, const N: usize> CodeUnit for [U; N] {}

/// The bytes of these code units, in this machine's byte order.
#[inline(always)]
pub(crate) fn as_bytes<U: CodeUnit>(units: &[U]) -> &[u8] {
    // SAFETY: by the trait's contract, these are so many initialised bytes, without padding; `u8` needs no alignment; the
    // result borrows from `units`.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// The bytes of these code units, mutably.
#[inline(always)]
pub(crate) fn units_as_bytes_mut(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: as for `as_bytes`, and any two bytes are a valid `u16`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

/// These characters as UTF-32.
#[cfg(feature = "utf32")]
#[inline(always)]
pub(crate) const fn chars_as_units(chars: &[char]) -> &[u32] {
    // SAFETY: a `char` has the size and alignment of a `u32`, and its bits are those of its number; the result borrows
    // from `chars`.
    unsafe { core::slice::from_raw_parts(chars.as_ptr().cast(), chars.len()) }
}

/// These code units as characters.
///
/// # Safety
///
/// They must be well-formed UTF-32.
#[cfg(feature = "utf32")]
#[inline(always)]
pub(crate) const unsafe fn units_as_chars(units: &[u32]) -> &[char] {
    // SAFETY: a `char` has the size and alignment of a `u32`, and each of these is a scalar value, as the caller says;
    // the result borrows from `units`.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// The aligned words in these bytes, and the bytes before and after them: not every machine can read unaligned words.
#[inline(always)]
pub(crate) fn as_words(bytes: &[u8]) -> (&[u8], &[usize], &[u8]) {
    // SAFETY: any initialised bytes are a valid `usize`.
    unsafe { bytes.align_to() }
}
