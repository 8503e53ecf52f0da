//! Memory for an output whose length is not known in advance.
//!
//! Counting before converting reads the input twice; allocating for the worst case may take three times the memory
//! needed. Which is faster depends on the length. This is the fastest way that leaves no `Vec` longer than its
//! contents (`compare`, operations `to_utf16le` and `from_utf16le`).

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::converter::Converter;
use crate::output::Output;
use crate::report::Outcome;

/// Up to this many elements are converted on the stack and then copied to an allocation of their exact size.
const ON_STACK_UP_TO: usize = 1024;
/// Up to this many bytes, memory is allocated for the worst case and then shrunk: allocators shrink an allocation in
/// place. glibc maps fresh pages for each allocation from 128 KB on, which takes longer than counting.
const WORST_CASE_UP_TO: usize = 120 << 10;

/// Collects the output of `converter`: at most `max` elements, and about as many as `count` says.
#[inline(always)]
pub(crate) fn collect<T: Copy, O: Outcome>(
    max: usize,
    count: impl Fn() -> usize,
    converter: Converter<impl Fn(&mut Output<T>) -> O>,
) -> (Vec<T>, O) {
    if max > ON_STACK_UP_TO {
        let mut outcome = None;
        // SAFETY: a converter initialises as many elements as it says.
        let vec = unsafe { collect_long(max, &count, &mut |room| outcome.insert(converter.run(room)).written()) };
        return (vec, outcome.expect("it is called once"));
    }
    let mut short = [MaybeUninit::uninit(); ON_STACK_UP_TO];
    let outcome = converter.run(Output::new(&mut short));
    let written = outcome.written();
    let mut vec = Vec::with_capacity(written);
    vec.spare_capacity_mut()[..written].copy_from_slice(&short[..written]);
    // SAFETY: `vec` is empty and has room for `written` elements, which have just been copied to it. A converter
    // initialises the first `written` elements of its output.
    unsafe { vec.set_len(written) };
    (vec, outcome)
}

/// Here, the closures are called through pointers: one copy of this for each type of element.
///
/// # Safety
///
/// As for [`append_dyn`].
#[inline(never)]
unsafe fn collect_long<T>(
    max: usize,
    count: &dyn Fn() -> usize,
    convert: &mut dyn FnMut(&mut Output<T>) -> usize,
) -> Vec<T> {
    let room = if max <= WORST_CASE_UP_TO / size_of::<T>() { max } else { count().min(max) };
    let mut vec = Vec::with_capacity(room);
    // SAFETY: the caller's promise.
    unsafe { append_dyn(&mut vec, room, count, convert) };
    vec.shrink_to_fit();
    vec
}

/// Not inlined: with the calls in here, every caller would have to save its registers.
#[cold]
#[inline(never)]
fn reserve<T>(vec: &mut Vec<T>, max: usize, count: &dyn Fn() -> usize) {
    vec.reserve(count().min(max));
}

/// Appends the output of `converter`: at most `max` elements, and about as many as `count` says.
///
/// This is for short texts, and so is inlined.
#[inline(always)]
pub(crate) fn append<T, O: Outcome>(
    vec: &mut Vec<T>,
    max: usize,
    count: impl Fn() -> usize,
    converter: Converter<impl Fn(&mut Output<T>) -> O>,
) -> O {
    if vec.capacity() - vec.len() < max {
        reserve(vec, max, &count);
    }
    let out = converter.run(Output::new(vec.spare_capacity_mut()));
    let written = out.written();
    // SAFETY: a converter initialises the first `written` elements of its output.
    unsafe { grow(vec, written) };
    out.again(written)
}

/// Makes a vector longer. Panics if there is too little capacity.
///
/// # Safety
///
/// The next `more` elements are initialised, if there is capacity for them.
#[inline(always)]
unsafe fn grow<T>(vec: &mut Vec<T>, more: usize) {
    assert!(more <= vec.capacity() - vec.len());
    // SAFETY: there is room for them, and they are initialised, as the caller says.
    unsafe { vec.set_len(vec.len() + more) };
}

/// Like [`append`], where the time of a call does not matter.
#[inline(always)]
pub(crate) fn append_long<T, O: Outcome>(
    vec: &mut Vec<T>,
    max: usize,
    count: &dyn Fn() -> usize,
    converter: Converter<impl Fn(&mut Output<T>) -> O>,
) -> O {
    let mut outcome = None;
    // SAFETY: a converter initialises as many elements as it says.
    unsafe { append_dyn(vec, max, count, &mut |room| outcome.insert(converter.run(room)).written()) };
    outcome.expect("it is called once")
}

/// Like [`append`]. `convert` returns the number of elements written.
///
/// # Safety
///
/// `convert` initialises as many elements of its output, from the start on, as it returns.
#[inline(never)]
unsafe fn append_dyn<T>(
    vec: &mut Vec<T>,
    max: usize,
    count: &dyn Fn() -> usize,
    convert: &mut dyn FnMut(&mut Output<T>) -> usize,
) {
    if vec.capacity() - vec.len() < max {
        reserve(vec, max, count);
    }
    let written = convert(Output::new(vec.spare_capacity_mut()));
    // SAFETY: the caller's promise.
    unsafe { grow(vec, written) };
}
