//! Conversions as values. Unlike with a plain closure, callers may rely on the number of elements that one reports as written.

use crate::output::Output;
use crate::report::Written;

/// A conversion of a given text, as a function of its output. Whatever the output, it initialises the first
/// [`written`](Written::written) elements, and the output has as many.
///
/// Only `converter!` and tests make one.
#[derive(Clone, Copy)]
pub(crate) struct Converter<F>(F);

impl<F> Converter<F> {
    /// # Safety
    ///
    /// `convert` does what a [`Converter`] promises.
    #[inline(always)]
    pub(crate) const unsafe fn new<T, O: Written>(convert: F) -> Self
    where
        F: Fn(&mut Output<T>) -> O,
    {
        Self(convert)
    }

    /// Converts into `room`.
    #[inline(always)]
    pub(crate) fn run<T, O: Written>(&self, room: &mut Output<T>) -> O
    where
        F: Fn(&mut Output<T>) -> O,
    {
        (self.0)(room)
    }

    /// Converts into a buffer that is initialised, and stays so.
    #[allow(dead_code)] // not every set of features needs it
    #[inline(always)]
    pub(crate) fn run_over<T: Copy, O: Written>(&self, buffer: &mut [T]) -> O
    where
        F: Fn(&mut Output<T>) -> O,
    {
        self.run(Output::over(buffer))
    }

    /// Converts into `room`, and returns what was written, too.
    #[allow(dead_code)] // not every set of features needs it
    #[inline(always)]
    pub(crate) fn run_and_view<'a, T, O: Written>(&self, room: &'a mut Output<T>) -> (O, &'a mut [T])
    where
        F: Fn(&mut Output<T>) -> O,
    {
        let out = self.run(room);
        let written = out.written();
        // SAFETY: a converter initialises what it says it has written.
        (out.again(written), unsafe { room.view(written) })
    }
}

#[cfg(feature = "alloc")]
impl<F> Converter<F> {
    /// Appends to a vector. If this reports more elements than there is capacity for, panics, and leaves the vector as it was.
    #[inline(always)]
    pub(crate) fn append<T, O: Written>(&self, vec: &mut alloc::vec::Vec<T>) -> O
    where
        F: Fn(&mut Output<T>) -> O,
    {
        let out = self.run(Output::new(vec.spare_capacity_mut()));
        let written = out.written();
        assert!(written <= vec.capacity() - vec.len());
        // SAFETY: there is room for them, and a converter initialises what it says it has written.
        unsafe { vec.set_len(vec.len() + written) };
        out.again(written)
    }

    /// Passes this conversion to `f`, to be called through a pointer, so that there is one copy of `f` for each type of element.
    /// It must be called. Returns its outcome, too.
    #[inline(always)]
    pub(crate) fn by_pointer<T, O: Written, R>(&self, f: impl FnOnce(ByPointer<'_, T>) -> R) -> (R, O)
    where
        F: Fn(&mut Output<T>) -> O,
    {
        let outcome = core::cell::Cell::new(None);
        let result = f(Converter(&|room| {
            let out = self.run(room);
            let written = out.written();
            outcome.set(Some(out));
            written
        }));
        (result, outcome.into_inner().expect("it is called"))
    }
}

/// A [`Converter`] called through a pointer. Its outcome is the number of elements written.
#[cfg(feature = "alloc")]
pub(crate) type ByPointer<'a, T> = Converter<&'a dyn Fn(&mut Output<T>) -> usize>;

/// The same function. With an attribute, a closure can only be an argument.
#[allow(dead_code)] // not every set of features needs it
#[inline(always)]
pub(crate) const fn of_output<T, O: Written, F: Fn(&mut Output<T>) -> O>(convert: F) -> F {
    convert
}

/// Makes a [`Converter`] of a call without its last argument, the output: `converter!(isa.utf8_to_utf16_uninit(src))`. With
/// `chars:`, the output of UTF-32 is `char`s.
///
/// Only the functions in [`trusted`] can be called.
macro_rules! converter {
    (chars: $isa:ident.$name:ident($($arg:expr),*)) => {{
        let () = $crate::api::converter::trusted::chars::$name;
        let convert = |room: &mut $crate::output::Output<_>| {
            // SAFETY: what is in `trusted::chars` writes well-formed UTF-32 only.
            #[allow(unsafe_code)]
            let room = unsafe { room.as_units() };
            $crate::isa::ToOutput($isa).$name($($arg,)* room)
        };
        converter!(@new $name, convert)
    }};
    (move $isa:ident.$name:ident($($arg:expr),*)) => {{
        let convert = move |room: &mut $crate::output::Output<_>| $crate::isa::ToOutput($isa).$name($($arg,)* room);
        converter!(@new $name, convert)
    }};
    ($isa:ident.$name:ident($($arg:expr),*)) => {{
        let convert = |room: &mut $crate::output::Output<_>| $crate::isa::ToOutput($isa).$name($($arg,)* room);
        converter!(@new $name, convert)
    }};
    (@new $name:ident, $convert:ident) => {{
        let () = $crate::api::converter::trusted::$name;
        // SAFETY: it is in `trusted`, where it says that all of these do what a `Converter` promises.
        #[allow(unsafe_code)]
        let converter = unsafe { $crate::api::converter::Converter::new($convert) };
        converter
    }};
}

/// The functions that `converter!` calls: methods of [`ToOutput`](crate::isa::ToOutput) and [`Isa`](crate::Isa).
///
/// They are safe, so the compiler does not check what they promise. Before you add one, make sure that it does what a
/// [`Converter`] promises. Tests compare all that these functions write with an oracle.
#[allow(non_upper_case_globals, dead_code)]
pub(crate) mod trusted {
    macro_rules! names {
        ($($name:ident)*) => { $(pub(crate) const $name: () = ();)* };
    }

    names! {
        latin1_to_utf8_bytes mutf8_bytes_to_utf8 repair repair_utf16_bytes swap_utf16_bytes_to
        utf16_bytes_to_utf8 utf16_bytes_to_utf8_lossy utf16_to_latin1_bytes utf16_to_latin1_uninit
        utf16_to_mutf8_uninit utf16_to_utf32_bytes utf16_to_utf32_bytes_lossy utf16_to_utf32_uninit
        utf16be_to_utf8_uninit utf16le_to_utf8_uninit utf32_bytes_to_utf16 utf32_bytes_to_utf16_lossy
        utf32_bytes_to_utf8 utf32_bytes_to_utf8_lossy utf8_bytes_to_mutf8 utf8_to_latin1_bytes
        utf8_to_latin1_bytes_lossy utf8_to_latin1_uninit utf8_to_utf16_bytes utf8_to_utf16_bytes_lossy
        utf8_to_utf16_lossy_uninit utf8_to_utf16_uninit utf8_to_utf16be_uninit utf8_to_utf16le_uninit
        utf8_to_utf32_uninit utf8_to_utf8_bytes_lossy
    }

    /// Those that write well-formed UTF-32 only.
    pub(crate) mod chars {
        names! { utf16_to_utf32_uninit utf8_to_utf32_uninit }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use core::mem::MaybeUninit;
    use std::vec::Vec;

    use super::*;
    use crate::Isa;
    use crate::api::into_vec;
    use crate::replacement::Repair;

    /// Only what was written is visible afterwards, whatever the room is, and it is what the function writes.
    #[test]
    fn what_was_written_is_what_is_seen() {
        let text = "z\u{142} \u{20AC}\u{1F600}";
        let units: Vec<u16> = text.encode_utf16().collect();
        for isa in Isa::available() {
            for room in 0..units.len() + 3 {
                let src = text.as_bytes();
                // No part of the last character, which is a pair.
                let fits = if room < units.len() { room.min(units.len() - 2) } else { units.len() };

                let mut buffer = std::vec![MaybeUninit::uninit(); room];
                let (out, seen) = converter!(isa.utf8_to_utf16_uninit(src)).run_and_view(Output::new(&mut buffer));
                assert_eq!((out.written, &*seen), (fits, &units[..fits]), "{isa}, {room}");

                let mut buffer = std::vec![0xAAAA; room];
                let out = converter!(isa.utf8_to_utf16_uninit(src)).run_over(&mut buffer);
                assert_eq!((out.written, &buffer[..fits]), (fits, &units[..fits]), "{isa}, {room}");

                let mut vec = Vec::with_capacity(room);
                let out = into_vec::append(&mut vec, 0, || 0, converter!(isa.utf8_to_utf16_uninit(src)));
                assert!(out.written == vec.len() && units.starts_with(&vec), "{isa}, {room}");
            }
        }
    }

    /// A function that reports too much makes no vector longer than its memory.
    #[test]
    #[should_panic(expected = "written <= vec.capacity() - vec.len()")]
    fn more_than_there_is_room_for() {
        let mut vec = Vec::<u8>::with_capacity(3);
        let more = vec.capacity() + 1;
        // SAFETY: it reports too much, but `append` panics before anything relies on that.
        let converter = unsafe { Converter::new(|_: &mut Output| Repair { written: more, ..Repair::default() }) };
        let _ = into_vec::append(&mut vec, 0, || 0, converter);
    }
}
