//! Memory for an output whose length is not known in advance.
//!
//! Counting before converting reads the input twice; allocating for the worst case may take three times the memory
//! needed. Which is faster depends on the length. This is the fastest way that leaves no `Vec` longer than its
//! contents (`compare`, operations `to_utf16le` and `from_utf16le`).

// The other functions that allocate take these from here, so that they need one import with a condition.
#[allow(unused_imports)] // C strings are for `mutf8`
pub(crate) use alloc::{borrow::Cow, ffi::CString, string::String, vec::Vec};
use core::mem::MaybeUninit;

use super::converter::{ByPointer, Converter};
use crate::output::Output;
use crate::replacement::Repair;
pub(crate) use crate::replacement::WINDOW;
use crate::report::{LossyConversion, Written};

/// Up to this many elements are converted on the stack and then copied to an allocation of their exact size.
const ON_STACK_UP_TO: usize = 1024;
/// Up to this many bytes, memory is allocated for the worst case and then shrunk, which allocators do in place. From
/// 128 KB on, glibc maps fresh pages for each allocation, which takes longer than counting.
const WORST_CASE_UP_TO: usize = 120 << 10;

/// Room for `len` bytes and some replacements: otherwise, a single replacement would double the capacity.
pub(crate) const fn repaired_room(len: usize) -> usize {
    len + len / 16 + 4 * WINDOW
}

/// A closure that counts, to be called through a pointer. A `dyn Fn` would be compiled twice more, as `FnMut` and `FnOnce`.
pub(crate) trait Counting {
    fn count(&self) -> usize;
}

impl<F: Fn() -> usize> Counting for F {
    #[inline]
    fn count(&self) -> usize {
        self()
    }
}

/// Collects the output of `converter`: at most `max` elements, and about as many as `count` says.
#[inline(always)]
pub(crate) fn collect<T: Copy, O: Written>(
    max: usize,
    count: impl Fn() -> usize,
    converter: Converter<impl Fn(&mut Output<T>) -> O>,
) -> (Vec<T>, O) {
    if max > ON_STACK_UP_TO {
        return converter.by_pointer(|converter| collect_long(max, &count, converter));
    }
    let mut short = [MaybeUninit::uninit(); ON_STACK_UP_TO];
    let (outcome, written) = converter.run_and_view(Output::new(&mut short));
    (written.to_vec(), outcome)
}

/// Here, the closures are called through pointers: one copy of this for each type of element.
#[inline(never)]
fn collect_long<T>(max: usize, count: &dyn Counting, converter: ByPointer<'_, T>) -> Vec<T> {
    let room = if max <= WORST_CASE_UP_TO / size_of::<T>() { max } else { count.count().min(max) };
    let mut vec = Vec::with_capacity(room);
    append_by_pointer(&mut vec, room, count, converter);
    vec.shrink_to_fit();
    vec
}

/// Not inlined: with the calls in here, every caller would have to save its registers.
#[cold]
#[inline(never)]
fn reserve<T>(vec: &mut Vec<T>, max: usize, count: &dyn Counting) {
    vec.reserve(count.count().min(max));
}

/// Appends the output of `converter`: at most `max` elements, and about as many as `count` says.
///
/// This is for short texts, and so is inlined.
#[inline(always)]
pub(crate) fn append<T, O: Written>(
    vec: &mut Vec<T>,
    max: usize,
    count: impl Fn() -> usize,
    converter: Converter<impl Fn(&mut Output<T>) -> O>,
) -> O {
    if vec.capacity() - vec.len() < max {
        reserve(vec, max, &count);
    }
    converter.append(vec)
}

/// Like [`append`], where the time of a call does not matter.
#[inline(always)]
pub(crate) fn append_long<T, O: Written>(
    vec: &mut Vec<T>,
    max: usize,
    count: &dyn Counting,
    converter: Converter<impl Fn(&mut Output<T>) -> O>,
) -> O {
    converter.by_pointer(|converter| append_by_pointer(vec, max, count, converter)).1
}

#[inline(never)]
fn append_by_pointer<T>(vec: &mut Vec<T>, max: usize, count: &dyn Counting, converter: ByPointer<'_, T>) {
    append(vec, max, || count.count(), converter);
}

/// The length of an output, as a table has it.
#[derive(Clone, Copy)]
pub(crate) enum Length {
    Max,
    Count,
    Exact,
}

/// A lossy conversion into memory.
type Convert<'a, S, D> = dyn Fn(&[S], &mut Output<D>) -> LossyConversion + 'a;

/// Appends all of `src` with replacements. If `count` was too low, makes room for the exact number.
///
/// The closures are called through pointers, so there is one copy of this for each pair of types.
///
/// # Safety
///
/// `convert` does what a [`Converter`] promises.
pub(crate) unsafe fn append_lossy<S, D>(
    dst: &mut Vec<D>,
    src: &[S],
    len: &dyn Fn(Length, &[S]) -> usize,
    convert: &Convert<'_, S, D>,
) -> LossyConversion {
    let (mut done, mut count) = (Repair::default(), Length::Count);
    loop {
        let rest = &src[done.read..];
        // SAFETY: the caller's promise.
        let converter = unsafe { Converter::new(|room: &mut Output<D>| convert(rest, room)) };
        let out = append(dst, len(Length::Max, rest), || len(count, rest), converter);
        done.add(out.into());
        if out.is_complete() {
            return done.outcome(src.len());
        }
        count = Length::Exact;
    }
}
