//! Memory for an output whose length is not known in advance.
//!
//! Counting before converting reads the input twice; allocating for the worst case may take three times the memory
//! needed. Which is faster depends on the length. This is the fastest way that leaves no `Vec` longer than its
//! contents (`compare`, operations `to_utf16le` and `from_utf16le`).

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::conversion::Outcome;

/// Up to this many elements are converted on the stack and then copied to an allocation of their exact size.
const ON_STACK_UP_TO: usize = 1024;
/// Up to this many bytes, memory is allocated for the worst case and then shrunk: allocators shrink an allocation in
/// place. glibc maps fresh pages for each allocation from 128 KB on, which takes longer than counting.
const WORST_CASE_UP_TO: usize = 120 << 10;

/// Only the number of elements written.
impl Outcome for usize {
    #[inline(always)]
    fn written(&self) -> usize {
        *self
    }

    #[inline(always)]
    fn again(self, _: usize) -> Self {
        self
    }
}

/// Collects the output of `convert`: at most `max` elements, and about as many as `count` says.
#[inline(always)]
pub(crate) fn collect<T: Copy, O: Outcome>(
    max: usize,
    count: impl Fn() -> usize,
    convert: impl Fn(&mut [MaybeUninit<T>]) -> O,
) -> (Vec<T>, O) {
    if max > ON_STACK_UP_TO {
        let mut outcome = None;
        let vec = collect_long(max, &count, &mut |room| outcome.insert(convert(room)).written());
        return (vec, outcome.expect("it is called once"));
    }
    let mut short = [MaybeUninit::uninit(); ON_STACK_UP_TO];
    let outcome = convert(&mut short);
    let written = outcome.written();
    let mut vec = Vec::with_capacity(written);
    vec.spare_capacity_mut()[..written].copy_from_slice(&short[..written]);
    // SAFETY: `vec` is empty and has room for `written` elements, which have just been copied to it. A conversion
    // initialises the first `written` elements of its output.
    unsafe { vec.set_len(written) };
    (vec, outcome)
}

/// Here, the closures are called through pointers: one copy of this for each type of element.
#[inline(never)]
fn collect_long<T>(
    max: usize,
    count: &dyn Fn() -> usize,
    convert: &mut dyn FnMut(&mut [MaybeUninit<T>]) -> usize,
) -> Vec<T> {
    let room = if max <= WORST_CASE_UP_TO / size_of::<T>() { max } else { count().min(max) };
    let mut vec = Vec::with_capacity(room);
    append_long(&mut vec, room, count, convert);
    vec.shrink_to_fit();
    vec
}

/// Not inlined: with the calls in here, every caller would have to save its registers.
#[cold]
#[inline(never)]
fn reserve<T>(vec: &mut Vec<T>, max: usize, count: &dyn Fn() -> usize) {
    vec.reserve(count().min(max));
}

/// Appends the output of `convert`: at most `max` elements, and about as many as `count` says.
///
/// This is for short texts, and so is inlined.
#[inline(always)]
pub(crate) fn append<T, O: Outcome>(
    vec: &mut Vec<T>,
    max: usize,
    count: impl Fn() -> usize,
    convert: impl FnOnce(&mut [MaybeUninit<T>]) -> O,
) -> O {
    if vec.capacity() - vec.len() < max {
        reserve(vec, max, &count);
    }
    let out = convert(vec.spare_capacity_mut());
    let written = out.written();
    assert!(written <= vec.capacity() - vec.len());
    // SAFETY: there is room for `written` elements, and a conversion initialises the first `written` elements of its
    // output.
    unsafe { vec.set_len(vec.len() + written) };
    out.again(written)
}

/// Like [`append`], where the time of a call does not matter. `convert` returns the number of elements written.
#[inline(never)]
pub(crate) fn append_long<T>(
    vec: &mut Vec<T>,
    max: usize,
    count: &dyn Fn() -> usize,
    convert: &mut dyn FnMut(&mut [MaybeUninit<T>]) -> usize,
) {
    append(vec, max, count, convert);
}
