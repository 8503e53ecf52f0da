//! Memory that conversions write to.

use core::mem::MaybeUninit;
use core::ops::{Index, IndexMut};
use core::slice::SliceIndex;

use crate::buffer::CodeUnit;
use crate::parts::out_of_bounds;

/// A slice that conversions write to. Its elements may be uninitialised, or it is a buffer that is initialised and must stay so.
/// Code with an `Output` cannot tell which: it cannot read, and can write initialised values only.
///
/// It does not know how far it has been written: a conversion reports that.
#[repr(transparent)]
pub(crate) struct Output<T = u8>([MaybeUninit<T>]);

impl<T> Output<T> {
    /// Memory that may be uninitialised.
    #[inline(always)]
    pub(crate) const fn new(memory: &mut [MaybeUninit<T>]) -> &mut Self {
        // SAFETY: an `Output<T>` is a `[MaybeUninit<T>]`.
        unsafe { &mut *(core::ptr::from_mut(memory) as *mut Self) }
    }

    /// An initialised buffer.
    #[inline(always)]
    pub(crate) const fn over(buffer: &mut [T]) -> &mut Self
    where
        T: Copy,
    {
        // SAFETY: a `MaybeUninit<T>` has the layout of a `T`. No safe method writes anything uninitialised, and the others
        // forbid it.
        unsafe { &mut *(core::ptr::from_mut(buffer) as *mut Self) }
    }

    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    #[allow(dead_code)] // not every set of features needs it
    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A part, if there is one.
    #[inline(always)]
    pub(crate) fn get_mut<R: SliceIndex<[MaybeUninit<T>], Output = [MaybeUninit<T>]>>(
        &mut self,
        range: R,
    ) -> Option<&mut Self> {
        self.0.get_mut(range).map(Self::new)
    }

    /// The first `N` elements, if there are at least `N`.
    #[inline(always)]
    pub(crate) fn first_chunk_mut<const N: usize>(&mut self) -> Option<&mut Self> {
        self.get_mut(..N)
    }

    /// A part. Panics if there is none, and names this place: `index_mut`, which is `#[track_caller]`, would have a panic for each
    /// of its callers.
    #[inline(always)]
    fn part_mut<R: SliceIndex<[MaybeUninit<T>], Output = [MaybeUninit<T>]>>(&mut self, range: R) -> &mut Self {
        Self::new(&mut self.0[range])
    }

    /// The `len` elements from `at` on, if there are that many. Panics if `at` is out of bounds.
    #[inline(always)]
    pub(crate) fn part_at(&mut self, at: usize, len: usize) -> Option<&mut Self> {
        let Some(rest) = self.get_mut(at..) else { out_of_bounds() };
        rest.get_mut(..len)
    }

    /// The `len` elements from `at` on. Panics if there are fewer.
    #[inline(always)]
    pub(crate) fn expect_part(&mut self, at: usize, len: usize) -> &mut Self {
        match self.part_at(at, len) {
            Some(part) => part,
            None => out_of_bounds(),
        }
    }

    /// The `N` elements from `at` on, if there are that many. Panics if `at` is out of bounds.
    #[inline(always)]
    pub(crate) fn chunk_at<const N: usize>(&mut self, at: usize) -> Option<&mut Self> {
        self.part_at(at, N)
    }

    /// Two parts. Panics if there are fewer than `at` elements.
    #[cfg(fastutf_x86)]
    #[inline(always)]
    pub(crate) const fn split_at_mut(&mut self, at: usize) -> (&mut Self, &mut Self) {
        let (a, b) = self.0.split_at_mut(at);
        (Self::new(a), Self::new(b))
    }

    /// Arrays of `N` elements, and the elements that are left.
    #[inline(always)]
    pub(crate) const fn as_chunks_mut<const N: usize>(&mut self) -> (&mut Output<[T; N]>, &mut Self) {
        let (chunks, rest) = self.0.as_chunks_mut::<N>();
        // SAFETY: a `MaybeUninit<[T; N]>` has the layout of a `[MaybeUninit<T>; N]`, and an array that is initialised has
        // initialised elements.
        (unsafe { &mut *(core::ptr::from_mut(chunks) as *mut Output<[T; N]>) }, Self::new(rest))
    }

    /// The bytes of code units, in this machine's byte order.
    #[inline(always)]
    pub(crate) const fn as_bytes(&mut self) -> &mut Output
    where
        T: CodeUnit,
    {
        // SAFETY: a unit has no padding, and any initialised bytes are one; bytes need no alignment.
        Output::new(unsafe { core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), size_of_val(self)) })
    }

    /// Writes one element. Panics if it is out of bounds.
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, value: T) {
        self.0[at] = MaybeUninit::new(value);
    }

    /// Writes an array to the start, if there is room. Returns its length.
    #[inline(always)]
    pub(crate) fn put<const N: usize>(&mut self, values: &[T; N]) -> Option<usize>
    where
        T: Copy,
    {
        self.first_chunk_mut::<N>()?.write(values);
        Some(N)
    }

    /// Writes these values to the start, as far as there is room.
    #[inline(always)]
    pub(crate) fn assign(&mut self, values: impl Iterator<Item = T>) {
        for (to, value) in self.0.iter_mut().zip(values) {
            *to = MaybeUninit::new(value);
        }
    }

    /// Writes all of `values` to the start. Panics if they do not fit.
    #[inline(always)]
    pub(crate) fn write(&mut self, values: &[T])
    where
        T: Copy,
    {
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, and any `T` is a valid `MaybeUninit<T>`.
        let values = unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) };
        // With a constant length, this copy is one or two moves. An array mapped by `MaybeUninit::new` may become one per
        // element.
        self.0[..values.len()].copy_from_slice(values);
    }

    /// [`write`](Self::write)s, and returns what was written, in its place.
    #[inline(always)]
    pub(crate) fn write_and_view(&mut self, values: &[T]) -> &mut [T]
    where
        T: Copy,
    {
        self.write(values);
        // SAFETY: all of these have just been written.
        unsafe { self.view(values.len()) }
    }

    /// The first `len` elements. Panics if there are fewer.
    ///
    /// # Safety
    ///
    /// They must be initialised.
    #[inline(always)]
    pub(crate) unsafe fn view(&mut self, len: usize) -> &mut [T] {
        let written = &mut self.0[..len];
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, and all of these are initialised, as the caller says.
        unsafe { &mut *(core::ptr::from_mut(written) as *mut [T]) }
    }

    /// Where it starts, for stores of vectors, which write initialised values.
    #[cfg(fastutf_simd)]
    #[inline(always)]
    pub(crate) const fn as_mut_ptr(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

impl Output {
    /// Copies all of `src`. Panics if its length differs, or is over 64 bytes.
    #[inline(always)]
    pub(crate) fn copy_short(&mut self, src: &[u8]) {
        /// Copies by two overlapping moves of `N` bytes, if there are that many.
        #[inline(always)]
        fn two_of<const N: usize>(src: &[u8], dst: &mut Output) -> bool {
            if let (Some(a), Some(b)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) {
                // Both are read before either is written, so that neither move waits for the other.
                let (a, b) = (*a, *b);
                dst.write(&a);
                dst[src.len() - N..].write(&b);
                return true;
            }
            false
        }
        assert!(src.len() == self.len() && src.len() <= 64);
        let _ = two_of::<32>(src, self)
            || two_of::<16>(src, self)
            || two_of::<8>(src, self)
            || two_of::<4>(src, self)
            || two_of::<2>(src, self)
            || two_of::<1>(src, self);
    }
}

#[cfg(all(feature = "utf32", feature = "alloc"))]
impl Output<char> {
    /// Room for characters as room for UTF-32.
    ///
    /// # Safety
    ///
    /// Only well-formed UTF-32 may be written to the result.
    #[inline(always)]
    pub(crate) unsafe fn as_units(&mut self) -> &mut Output<u32> {
        // SAFETY: `char` has the size and alignment of a `u32`, and the caller writes no number that is no `char`.
        unsafe { &mut *(core::ptr::from_mut(self) as *mut Output<u32>) }
    }
}

impl<T, R: SliceIndex<[MaybeUninit<T>], Output = [MaybeUninit<T>]>> Index<R> for Output<T> {
    type Output = Self;

    #[inline(always)]
    fn index(&self, range: R) -> &Self {
        // SAFETY: as for `new`.
        unsafe { &*(core::ptr::from_ref(&self.0[range]) as *const Self) }
    }
}

impl<T, R: SliceIndex<[MaybeUninit<T>], Output = [MaybeUninit<T>]>> IndexMut<R> for Output<T> {
    #[inline(always)]
    fn index_mut(&mut self, range: R) -> &mut Self {
        self.part_mut(range)
    }
}

/// For [`core::mem::take`].
impl<T> Default for &mut Output<T> {
    #[inline(always)]
    fn default() -> Self {
        Output::new(&mut [])
    }
}

/// Memory on the stack for results that are then copied or converted. It is too large to be zeroed.
#[cfg(fastutf_simd)]
pub(crate) struct Scratch<const N: usize>([MaybeUninit<u8>; N]);

#[cfg(fastutf_simd)]
impl<const N: usize> Scratch<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self([MaybeUninit::uninit(); N])
    }

    #[inline(always)]
    pub(crate) const fn output(&mut self) -> &mut Output {
        Output::new(&mut self.0)
    }

    /// What has been written at these places.
    ///
    /// The kernel that has a `Scratch` promises that it has written them, as all kernels promise for `written` (`SAFETY.md`).
    /// Kernels have no `unsafe`, so this function cannot ask for the promise.
    #[inline(always)]
    pub(crate) fn written(&self, range: core::ops::Range<usize>) -> &[u8] {
        let written = &self.0[range];
        // SAFETY: `MaybeUninit<u8>` has the layout of `u8`, and what has been written is initialised.
        unsafe { &*(core::ptr::from_ref(written) as *const [u8]) }
    }
}
