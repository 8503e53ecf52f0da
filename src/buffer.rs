//! Views of the caller's buffers as bytes: what kernels read is initialised, what they write need not be.

use core::mem::MaybeUninit;

/// A code unit.
///
/// # Safety
///
/// It is an integer: it has no padding, and any initialised bytes are one.
pub(crate) unsafe trait CodeUnit: Copy {}

// SAFETY: these are integers.
unsafe impl CodeUnit for u8 {}
// SAFETY: these are integers.
unsafe impl CodeUnit for u16 {}
// SAFETY: these are integers.
#[cfg(feature = "utf32")]
unsafe impl CodeUnit for u32 {}

/// The bytes of these code units, in this machine's byte order.
#[inline(always)]
pub(crate) fn as_bytes<U: CodeUnit>(units: &[U]) -> &[u8] {
    // SAFETY: by the trait's contract, these are so many initialised bytes, without padding; `u8` needs no alignment; the
    // result borrows from `units`.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// The bytes of these code units, as output.
#[inline(always)]
pub(crate) fn as_bytes_mut<U: CodeUnit>(units: &mut [MaybeUninit<U>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: as for `as_bytes`, and any byte is valid as a part of a `MaybeUninit<U>`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

/// The bytes of each of these numbers, in this machine's byte order.
#[cfg(all(feature = "columns", feature = "alloc"))]
pub(crate) fn as_arrays(numbers: &[u128]) -> &[[u8; 16]] {
    // SAFETY: a `u128` is 16 initialised bytes of any value, without padding; an array of bytes needs no alignment; the
    // result borrows from `numbers`.
    unsafe { core::slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
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

/// Room for characters as room for UTF-32.
///
/// # Safety
///
/// Only well-formed UTF-32 may be written to the result.
#[cfg(all(feature = "utf32", feature = "alloc"))]
#[inline(always)]
pub(crate) unsafe fn chars_as_units_mut(chars: &mut [MaybeUninit<char>]) -> &mut [MaybeUninit<u32>] {
    // SAFETY: `MaybeUninit<char>` has the size and alignment of a `u32`, and the caller writes no number that is no
    // `char`.
    unsafe { core::slice::from_raw_parts_mut(chars.as_mut_ptr().cast(), chars.len()) }
}

/// Views an initialised buffer as `MaybeUninit<T>`.
///
/// # Safety
///
/// Only initialised values may be written to the result.
#[inline(always)]
pub(crate) unsafe fn as_uninit<T: Copy>(buffer: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the caller keeps every element initialised.
    unsafe { core::slice::from_raw_parts_mut(buffer.as_mut_ptr().cast(), buffer.len()) }
}

/// Views memory as initialised.
///
/// # Safety
///
/// All of it must be initialised.
#[inline(always)]
pub(crate) unsafe fn as_init<T: Copy>(memory: &mut [MaybeUninit<T>]) -> &mut [T] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, and every element is initialised, as the caller says.
    unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast(), memory.len()) }
}

/// The aligned words in these bytes, and the bytes before and after them: not every machine can read unaligned words.
#[inline(always)]
pub(crate) fn as_words(bytes: &[u8]) -> (&[u8], &[usize], &[u8]) {
    // SAFETY: any initialised bytes are a valid `usize`.
    unsafe { bytes.align_to() }
}

/// Writes `bytes` to the start of `buffer`. Panics if they do not fit.
#[inline(always)]
pub(crate) fn write(buffer: &mut [MaybeUninit<u8>], bytes: &[u8]) {
    // With a constant length, this copy is one or two moves. An array mapped by `MaybeUninit::new` may become one per
    // byte.
    buffer[..bytes.len()].copy_from_slice(as_maybe_uninit(bytes));
}

/// [`write`]s, and returns what was written, in `buffer`.
#[inline(always)]
pub(crate) fn write_and_view<'a>(buffer: &'a mut [MaybeUninit<u8>], bytes: &[u8]) -> &'a mut [u8] {
    let written = &mut buffer[..bytes.len()];
    write(written, bytes);
    // SAFETY: all of these have just been written.
    unsafe { as_init(written) }
}

/// Views bytes as `MaybeUninit<u8>`.
#[inline(always)]
pub(crate) fn as_maybe_uninit(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: `MaybeUninit<u8>` has the layout of `u8`, and any initialised byte is a valid `MaybeUninit<u8>`.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// Copies `src` to `dst`. Panics if their lengths differ or are more than 64 bytes.
#[inline(always)]
pub(crate) fn copy_short(src: &[MaybeUninit<u8>], dst: &mut [MaybeUninit<u8>]) {
    /// Copies by two overlapping moves of `N` bytes, if there are that many.
    #[inline(always)]
    fn two_of<const N: usize>(src: &[MaybeUninit<u8>], dst: &mut [MaybeUninit<u8>]) -> bool {
        if let (Some(a), Some(b)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) {
            // Both are read before either is written, so that neither move waits for the other.
            let (a, b) = (*a, *b);
            *dst.first_chunk_mut().unwrap() = a;
            *dst.last_chunk_mut().unwrap() = b;
            return true;
        }
        false
    }
    assert!(src.len() == dst.len() && src.len() <= 64);
    let _ = two_of::<32>(src, dst)
        || two_of::<16>(src, dst)
        || two_of::<8>(src, dst)
        || two_of::<4>(src, dst)
        || two_of::<2>(src, dst)
        || two_of::<1>(src, dst);
}

/// [`copy_short`] over bytes that are initialised.
#[cfg(fastutf_simd)]
#[inline(always)]
pub(crate) fn copy_short_over(src: &[u8], dst: &mut [u8]) {
    // SAFETY: what is written is initialised.
    copy_short(as_maybe_uninit(src), unsafe { as_uninit(dst) });
}
