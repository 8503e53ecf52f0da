//! The kinds of operations: what they return or write, and how it is kept from being optimised away.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hint::black_box;
use std::ops::Range;

use bytemuck::NoUninit;

use crate::race::Run;
use crate::windows::Arena;

/// An operation that returns a value.
pub struct Value<F>(pub F);

impl<F: FnMut(usize) -> usize> Run for Value<F> {
    fn run(&mut self, windows: Range<usize>) {
        for window in windows {
            black_box(self.0(window));
        }
    }

    fn answer(&mut self, window: usize) -> Vec<u8> {
        self.0(window).to_le_bytes().to_vec()
    }
}

/// An operation that fills memory, and returns the number of bytes.
pub struct Filling<'a, F> {
    pub dst: &'a RefCell<Arena>,
    pub convert: F,
}

impl<F: FnMut(usize, &mut [u16]) -> usize> Run for Filling<'_, F> {
    fn run(&mut self, windows: Range<usize>) {
        let mut dst = self.dst.borrow_mut();
        let dst = dst.units_mut();
        for window in windows {
            black_box((self.convert)(window, black_box(&mut *dst)));
        }
    }

    fn answer(&mut self, window: usize) -> Vec<u8> {
        let written = (self.convert)(window, self.dst.borrow_mut().units_mut());
        self.dst.borrow().bytes()[..written].to_vec()
    }
}

/// An operation that allocates its result.
pub struct Making<F>(pub F);

impl<T: NoUninit, F: FnMut(usize) -> Vec<T>> Run for Making<F> {
    fn run(&mut self, windows: Range<usize>) {
        for window in windows {
            black_box((self.0)(black_box(window)));
        }
    }

    fn answer(&mut self, window: usize) -> Vec<u8> {
        bytemuck::cast_slice(&(self.0)(window)).to_vec()
    }
}

/// An operation that returns text, owned or borrowed.
pub struct Giving<F>(pub F);

impl<'a, F: FnMut(usize) -> Cow<'a, str>> Run for Giving<F> {
    fn run(&mut self, windows: Range<usize>) {
        for window in windows {
            black_box((self.0)(black_box(window)));
        }
    }

    fn answer(&mut self, window: usize) -> Vec<u8> {
        (self.0)(window).as_bytes().to_vec()
    }
}
