//! The caller's buffers as what kernels read (bytes) and write (bytes that may be uninitialised).

use core::mem::MaybeUninit;

/// The bytes of these code units, in this machine's byte order.
#[inline(always)]
pub(crate) fn as_bytes(units: &[u16]) -> &[u8] {
    // SAFETY: a slice of n `u16` is 2 n initialised bytes, of any value, with no padding; `u8` asks for no alignment;
    // the result borrows from `units`.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// The bytes of these code units, to be changed.
#[inline(always)]
pub(crate) fn units_as_bytes_mut(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: as for `as_bytes`, and any two bytes are a `u16`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

/// The bytes of these code units, to be written.
#[inline(always)]
pub(crate) fn as_bytes_mut(units: &mut [MaybeUninit<u16>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: as for `as_bytes`, and whatever is written to a byte is fit for half of a `MaybeUninit<u16>`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

/// An initialised buffer as one that need not be.
///
/// # Safety
///
/// Only initialised values may be written to the result.
#[inline(always)]
pub(crate) unsafe fn as_uninit<T: Copy>(buffer: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`; the caller leaves every element initialised.
    unsafe { core::slice::from_raw_parts_mut(buffer.as_mut_ptr().cast(), buffer.len()) }
}

/// The words of these bytes at addresses that are fit for them, and the bytes before and after: not every machine reads
/// words anywhere.
#[inline(always)]
pub(crate) fn as_words(bytes: &[u8]) -> (&[u8], &[usize], &[u8]) {
    // SAFETY: any initialised bytes are a `usize`.
    unsafe { bytes.align_to() }
}

/// Writes `bytes` to the start of `buffer`. Panics if they do not fit.
#[inline(always)]
pub(crate) fn write(buffer: &mut [MaybeUninit<u8>], bytes: &[u8]) {
    // A copy of a known length is a move or two; arrays mapped by `MaybeUninit::new` may become one for each byte.
    buffer[..bytes.len()].copy_from_slice(as_maybe_uninit(bytes));
}

/// Initialised bytes as such that need not be.
#[inline(always)]
pub(crate) fn as_maybe_uninit(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: `MaybeUninit<u8>` has the layout of `u8`, and whatever is initialised may be read as what need not be.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// Copies `src` to `dst`, both of one length of at most 64 elements. Panics if they are not.
#[inline(always)]
pub(crate) fn copy_short<T: Copy>(src: &[T], dst: &mut [T]) {
    /// Copies by two moves of `N`, if there are that many.
    #[inline(always)]
    fn two_of<const N: usize, T: Copy>(src: &[T], dst: &mut [T]) -> bool {
        if let (Some(a), Some(b)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) {
            // Both are read before either is written: the moves need not wait for one another.
            let (a, b) = (*a, *b);
            *dst.first_chunk_mut().unwrap() = a;
            *dst.last_chunk_mut().unwrap() = b;
            return true;
        }
        false
    }
    assert!(src.len() == dst.len() && src.len() <= 64);
    let _ = two_of::<32, T>(src, dst)
        || two_of::<16, T>(src, dst)
        || two_of::<8, T>(src, dst)
        || two_of::<4, T>(src, dst)
        || two_of::<2, T>(src, dst)
        || two_of::<1, T>(src, dst);
}
