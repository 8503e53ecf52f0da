//! From pointers and lengths to slices, and from a caller's memory to the state of a stream.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;
use core::slice;

use crate::fastutf_status::{self, *};

/// What a pointer of the interface points to, and what the library calls it.
pub(crate) trait Pointee {
    type Unit: Copy;
}

/// What lengths and capacities count.
pub(crate) trait Unit: Copy {
    fn bytes(text: &[Self]) -> &[u8];
    fn room(buffer: &mut [MaybeUninit<Self>]) -> &mut [MaybeUninit<u8>];
}

impl Unit for u8 {
    #[inline(always)]
    fn bytes(text: &[u8]) -> &[u8] {
        text
    }

    #[inline(always)]
    fn room(buffer: &mut [MaybeUninit<u8>]) -> &mut [MaybeUninit<u8>] {
        buffer
    }
}

impl Unit for u16 {
    #[inline(always)]
    fn bytes(text: &[u16]) -> &[u8] {
        // SAFETY: each code unit is two bytes.
        unsafe { slice::from_raw_parts(text.as_ptr().cast(), size_of_val(text)) }
    }

    #[inline(always)]
    fn room(buffer: &mut [MaybeUninit<u16>]) -> &mut [MaybeUninit<u8>] {
        // SAFETY: each code unit is two bytes, which may be initialised one by one.
        unsafe { slice::from_raw_parts_mut(buffer.as_mut_ptr().cast(), size_of_val(buffer)) }
    }
}

impl Unit for u32 {
    #[inline(always)]
    fn bytes(text: &[u32]) -> &[u8] {
        // SAFETY: each code unit is four bytes.
        unsafe { slice::from_raw_parts(text.as_ptr().cast(), size_of_val(text)) }
    }

    #[inline(always)]
    fn room(buffer: &mut [MaybeUninit<u32>]) -> &mut [MaybeUninit<u8>] {
        // SAFETY: each code unit is four bytes, which may be initialised one by one.
        unsafe { slice::from_raw_parts_mut(buffer.as_mut_ptr().cast(), size_of_val(buffer)) }
    }
}

/// UTF-8 and Latin-1.
impl Pointee for c_char {
    type Unit = u8;
}

/// Bytes of UTF-16 and UTF-32, and of any encoding: at any alignment.
impl Pointee for c_void {
    type Unit = u8;
}

/// Code units of UTF-16.
impl Pointee for u16 {
    type Unit = u16;
}

/// Code units of UTF-32.
impl Pointee for u32 {
    type Unit = u32;
}

/// Offsets of columns.
#[cfg(feature = "columns")]
impl Pointee for i32 {
    type Unit = i32;
}

/// The same.
#[cfg(feature = "columns")]
impl Pointee for i64 {
    type Unit = i64;
}

/// Whether there can be a slice of `len` units at `at`, and `at` is not null.
#[inline(always)]
fn is_usual<T>(at: *const T, len: usize) -> bool {
    !at.is_null() && len <= isize::MAX as usize / size_of::<T>() && at.is_aligned()
}

/// What is wrong with these arguments: nothing, if it is an empty slice, be it at null or at any other address.
#[cold]
#[inline(never)]
fn unusual<T>(at: *const T, len: usize) -> Result<(), fastutf_status> {
    if len > isize::MAX as usize / size_of::<T>() {
        Err(FASTUTF_BAD_LENGTH)
    } else if len == 0 {
        Ok(())
    } else if at.is_null() {
        Err(FASTUTF_NULL)
    } else if !at.is_aligned() {
        Err(FASTUTF_UNALIGNED)
    } else {
        Ok(())
    }
}

/// The text that a caller passes.
///
/// # Safety
///
/// Unless `src` is null, there are `len` initialised units at it, which nothing changes as long as the slice is used.
#[inline(always)]
pub(crate) unsafe fn source<'a, P: Pointee>(src: *const P, len: usize) -> Result<&'a [P::Unit], fastutf_status> {
    let src = src.cast::<P::Unit>();
    if !is_usual(src, len) {
        return unusual(src, len).map(|()| &[][..]);
    }
    // SAFETY: not null, aligned and not too long; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(src, len) })
}

/// The text that a caller passes, if nothing about it is unusual: [`source`] knows what to do otherwise.
///
/// # Safety
///
/// As for [`source`].
#[inline(always)]
pub(crate) unsafe fn usual<'a, P: Pointee>(src: *const P, len: usize) -> Option<&'a [P::Unit]> {
    let src = src.cast::<P::Unit>();
    // SAFETY: not null, aligned and not too long; the rest is the caller's promise.
    if is_usual(src, len) { Some(unsafe { slice::from_raw_parts(src, len) }) } else { None }
}

/// The buffer that a caller passes, which may be uninitialised.
///
/// # Safety
///
/// Unless `dst` is null, there is room for `capacity` units at it, which nothing else uses as long as the slice is used.
#[inline(always)]
pub(crate) unsafe fn destination<'a, P: Pointee>(
    dst: *mut P,
    capacity: usize,
) -> Result<&'a mut [MaybeUninit<P::Unit>], fastutf_status> {
    let dst = dst.cast::<MaybeUninit<P::Unit>>();
    if !is_usual(dst, capacity) {
        return unusual(dst, capacity).map(|()| &mut [][..]);
    }
    // SAFETY: not null, aligned and not too long; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(dst, capacity) })
}

/// A text that the caller wants changed.
///
/// # Safety
///
/// Unless `text` is null, there are `len` initialised units at it, which nothing else uses as long as the slice is used.
#[inline(always)]
pub(crate) unsafe fn in_place<'a, P: Pointee>(
    text: *mut P,
    len: usize,
) -> Result<&'a mut [P::Unit], fastutf_status> {
    let text = text.cast::<P::Unit>();
    if !is_usual(text, len) {
        return unusual(text, len).map(|()| &mut [][..]);
    }
    // SAFETY: not null, aligned and not too long; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(text, len) })
}

/// Memory that the caller wants written, with zeros in it.
///
/// # Safety
///
/// As for [`destination`].
#[cfg(feature = "columns")]
pub(crate) unsafe fn zeroed<'a>(dst: *mut u8, capacity: usize) -> Result<&'a mut [u8], fastutf_status> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { destination::<c_void>(dst.cast(), capacity)? };
    bytes.fill(MaybeUninit::new(0));
    // SAFETY: all of it is initialised now.
    Ok(unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) })
}

/// A struct of arguments.
///
/// # Safety
///
/// Unless `at` is null, it points to an initialised `T`, which nothing changes as long as it is used.
#[cfg(feature = "columns")]
pub(crate) unsafe fn one<'a, T>(at: *const T) -> Result<&'a T, fastutf_status> {
    if !is_usual(at, 1) {
        unusual(at, 1)?;
    }
    // SAFETY: not null and aligned; the rest is the caller's promise.
    Ok(unsafe { &*at })
}

/// Whether one starts inside of the other, or both at the same place.
#[inline(always)]
fn may_overlap<P: Pointee, Q: Pointee>((src, len): (*const P, usize), (dst, capacity): (*mut Q, usize)) -> bool {
    // If it is before it, the difference is huge.
    let (after, before) = (src.addr().wrapping_sub(dst.addr()), dst.addr().wrapping_sub(src.addr()));
    (after < capacity * size_of::<Q::Unit>()) | (before < len * size_of::<P::Unit>())
}

/// Whether there can be a text and a buffer at these places that have nothing in common.
pub(crate) fn apart<P: Pointee, Q: Pointee>(
    src: (*const P, usize),
    dst: (*mut Q, usize),
) -> Result<(), fastutf_status> {
    unusual(src.0.cast::<P::Unit>(), src.1)?;
    unusual(dst.0.cast::<Q::Unit>(), dst.1)?;
    if src.1 > 0 && dst.1 > 0 && may_overlap(src, dst) { Err(FASTUTF_OVERLAP) } else { Ok(()) }
}

/// Whether a text or a buffer has nothing in common with the memory of a state, which a call changes.
pub(crate) fn apart_from_state<M>(state: *mut M, bytes: (*const c_void, usize)) -> Result<(), fastutf_status> {
    apart::<c_void, c_void>(bytes, (state.cast(), size_of::<M>()))
}

/// A text and a buffer that have nothing in common.
///
/// # Safety
///
/// As for [`source`] and [`destination`]; if they overlap, that is noticed.
#[allow(clippy::type_complexity)]
pub(crate) unsafe fn both<'a, P: Pointee, Q: Pointee>(
    src: (*const P, usize),
    dst: (*mut Q, usize),
) -> Result<(&'a [P::Unit], &'a mut [MaybeUninit<Q::Unit>]), fastutf_status> {
    apart(src, dst)?;
    // SAFETY: the caller's promise; the two are apart.
    unsafe { Ok((source(src.0, src.1)?, destination(dst.0, dst.1)?)) }
}

/// The same, if nothing about them is unusual: [`both`] knows what to do otherwise.
///
/// # Safety
///
/// As for [`both`].
#[inline(always)]
#[allow(clippy::type_complexity)]
pub(crate) unsafe fn usual_both<'a, P: Pointee, Q: Pointee>(
    src: (*const P, usize),
    dst: (*mut Q, usize),
) -> Option<(&'a [P::Unit], &'a mut [MaybeUninit<Q::Unit>])> {
    let (start, room) = (src.0.cast::<P::Unit>(), dst.0.cast::<MaybeUninit<Q::Unit>>());
    if !is_usual(start, src.1) || !is_usual(room, dst.1) || may_overlap(src, dst) {
        return None;
    }
    // SAFETY: not null, aligned, not too long, and apart; the rest is the caller's promise.
    unsafe { Some((slice::from_raw_parts(start, src.1), slice::from_raw_parts_mut(room, dst.1))) }
}

/// The same number, read from memory by itself. The two numbers of a result have just been written one by one. To copy
/// them, the compiler would read them as one vector, for which they would have to reach the cache first: 15 cycles.
#[inline(always)]
pub(crate) fn by_itself(number: &usize) -> usize {
    // SAFETY: it is a reference.
    unsafe { core::ptr::read_volatile(number) }
}

/// The memory of a caller for the state of a stream: its mark, and what follows it.
pub(crate) trait State {
    /// The type that C sees, of which only size and alignment matter.
    type Memory;
    /// The first 8 bytes, so that memory that is not initialised is noticed.
    const MARK: u64;
}

/// What is in that memory.
#[repr(C)]
struct Marked<S> {
    mark: u64,
    state: S,
}

/// Both can be copied byte by byte, and fit.
const fn assert_fits<S: State>() {
    assert!(!core::mem::needs_drop::<S>());
    assert!(size_of::<Marked<S>>() <= size_of::<S::Memory>());
    assert!(align_of::<Marked<S>>() <= align_of::<S::Memory>());
}

/// Writes a state to a caller's memory.
///
/// # Safety
///
/// Unless `memory` is null, nothing else uses what is there.
pub(crate) unsafe fn initialise<S: State>(memory: *mut S::Memory, state: S) -> Result<(), fastutf_status> {
    const { assert_fits::<S>() };
    if !is_usual(memory, 1) {
        unusual(memory, 1)?;
    }
    // SAFETY: not null and aligned, and large enough, as is asserted; the rest is the caller's promise.
    unsafe { memory.cast::<Marked<S>>().write(Marked { mark: S::MARK, state }) };
    Ok(())
}

/// Where the state is in a caller's memory.
///
/// # Safety
///
/// Unless `memory` is null, [`initialise`] has written what is there, or it begins with other bytes than a mark.
#[inline(always)]
unsafe fn marked<S: State>(memory: *mut S::Memory) -> Result<*mut Marked<S>, fastutf_status> {
    const { assert_fits::<S>() };
    if !is_usual(memory, 1) {
        unusual(memory, 1)?;
    }
    // SAFETY: not null and aligned; the first 8 bytes are a number, whatever it is.
    if unsafe { memory.cast::<u64>().read() } != S::MARK {
        return Err(FASTUTF_BAD_STATE);
    }
    Ok(memory.cast())
}

/// The state in a caller's memory.
///
/// # Safety
///
/// As for [`marked`], and nothing changes it as long as it is used.
#[inline(always)]
pub(crate) unsafe fn state<'a, S: State>(memory: *const S::Memory) -> Result<&'a S, fastutf_status> {
    // SAFETY: the caller's promise. The mark says that a state is there.
    unsafe { Ok(&(*marked::<S>(memory.cast_mut())?).state) }
}

/// The state in a caller's memory, to be changed.
///
/// # Safety
///
/// As for [`marked`], and nothing else uses it as long as it is used.
#[inline(always)]
pub(crate) unsafe fn state_mut<'a, S: State>(memory: *mut S::Memory) -> Result<&'a mut S, fastutf_status> {
    // SAFETY: the caller's promise. The mark says that a state is there.
    unsafe { Ok(&mut (*marked::<S>(memory)?).state) }
}
