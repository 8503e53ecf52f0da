//! Memory for an output whose length is known only when it is there.
//!
//! To count first and then convert reads the input twice; to allocate for the worst case may ask for three times
//! what is needed. Which of them is faster depends on the length: what is done here is the fastest of all that leaves
//! no `Vec` longer than its contents (`compare`, operations `to_utf16le` and `from_utf16le`).

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::conversion::{Conversion, LossyConversion, Stop};
use crate::replacement::Repair;

/// Elements that are converted on the stack, and copied from there to where they just fit.
const ON_STACK_UP_TO: usize = 1024;
/// Bytes that are allocated for the worst case, and given back as far as they were not needed: allocators take the end of
/// an allocation back where it is. glibc maps fresh pages for each allocation from 128 KB on, which takes longer
/// than to count.
const WORST_CASE_UP_TO: usize = 120 << 10;

/// What a conversion tells.
pub(crate) trait Outcome {
    /// How many elements of the output are written.
    fn written(&self) -> usize;

    /// The same again; `written` is what [`written`](Self::written) has returned.
    ///
    /// A conversion leaves its outcome in memory, number by number. A copy of that reads two at once, for which CPUs wait
    /// until both have reached the cache: as long as the conversion of 20 characters takes. So it is put together from
    /// numbers in registers, where it says no more than they do.
    fn again(self, written: usize) -> Self;
}

impl<E> Outcome for Conversion<E> {
    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }

    #[inline(always)]
    fn again(self, written: usize) -> Self {
        match self.stop {
            Stop::Complete => Self { read: self.read, written, stop: Stop::Complete },
            _ => self,
        }
    }
}

impl Outcome for LossyConversion {
    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }

    #[inline(always)]
    fn again(self, written: usize) -> Self {
        match self.stop {
            Stop::Complete => {
                Self { read: self.read, written, replacements: self.replacements, stop: Stop::Complete }
            }
            _ => self,
        }
    }
}

impl Outcome for Repair {
    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }

    #[inline(always)]
    fn again(self, _: usize) -> Self {
        self
    }
}

/// The output of `convert`, which is at most `max` elements, and about as many as `count` says.
#[inline(always)]
pub(crate) fn collect<T: Copy, O: Outcome>(
    max: usize,
    count: impl FnOnce() -> usize,
    convert: impl FnOnce(&mut [MaybeUninit<T>]) -> O,
) -> (Vec<T>, O) {
    let mut short = [MaybeUninit::uninit(); ON_STACK_UP_TO];
    let mut vec = Vec::new();
    let is_short = max <= ON_STACK_UP_TO;
    if !is_short {
        vec.reserve_exact(if max <= WORST_CASE_UP_TO / size_of::<T>() { max } else { count().min(max) });
    }
    let out = convert(if is_short { &mut short } else { vec.spare_capacity_mut() });
    if is_short {
        vec = Vec::with_capacity(out.written());
        vec.spare_capacity_mut()[..out.written()].copy_from_slice(&short[..out.written()]);
    }
    assert!(out.written() <= vec.capacity());
    // SAFETY: `vec` is empty and has room for so many. A conversion initialises the first `written` elements of what
    // it is given: the spare capacity, or the array that was copied to it.
    unsafe { vec.set_len(out.written()) };
    vec.shrink_to_fit();
    (vec, out)
}

/// A function of its own: what it calls would have all others save their registers.
#[cold]
#[inline(never)]
fn reserve<T>(vec: &mut Vec<T>, count: impl FnOnce() -> usize) {
    vec.reserve(count());
}

/// Appends the output of `convert`, which is at most `max` elements, and about as many as `count` says.
#[inline(always)]
pub(crate) fn append<T, O: Outcome>(
    vec: &mut Vec<T>,
    max: usize,
    count: impl FnOnce() -> usize,
    convert: impl FnOnce(&mut [MaybeUninit<T>]) -> O,
) -> O {
    if vec.capacity() - vec.len() < max {
        reserve(vec, || count().min(max));
    }
    let out = convert(vec.spare_capacity_mut());
    let written = out.written();
    assert!(written <= vec.capacity() - vec.len());
    // SAFETY: there is room for so many, and a conversion initialises the first `written` elements of what it is given.
    unsafe { vec.set_len(vec.len() + written) };
    out.again(written)
}
