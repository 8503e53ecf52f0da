//! The kinds of operations: what they return or write, and how it is kept from being optimised away.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hint::black_box;
use std::ops::Range;

use bytemuck::NoUninit;

use crate::race::Run;
use crate::windows::Arena;

/// What an operation returns.
pub trait Answer {
    /// As bytes, to be compared.
    fn bytes(&self) -> Vec<u8>;
}

macro_rules! answers {
    ($($ty:ty: $answer:ident => $bytes:expr;)*) => {
        $(impl Answer for $ty {
            fn bytes(&self) -> Vec<u8> {
                let $answer = self;
                $bytes
            }
        })*
    };
}

answers! {
    usize: number => number.to_le_bytes().to_vec();
    bool: yes => vec![u8::from(*yes)];
    String: text => text.as_bytes().to_vec();
    Cow<'_, str>: text => text.as_bytes().to_vec();
    Cow<'_, [u8]>: bytes => bytes.to_vec();
    // Whatever the width is: those of the same text agree.
    fastutf::narrowest::Narrowest<'_>: text => text.utf16_len().bytes();
}

impl<T: NoUninit> Answer for Vec<T> {
    fn bytes(&self) -> Vec<u8> {
        bytemuck::cast_slice(self).to_vec()
    }
}

/// An operation that returns something.
pub struct Value<F>(pub F);

impl<T: Answer, F: FnMut(usize) -> T> Run for Value<F> {
    fn run(&mut self, windows: Range<usize>) {
        for window in windows {
            black_box((self.0)(window));
        }
    }

    fn answer(&mut self, window: usize) -> Vec<u8> {
        (self.0)(window).bytes()
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

/// Where columns are written, again and again.
#[derive(Default)]
pub struct Output {
    pub values: Vec<u8>,
    pub text: String,
    pub offsets: Vec<i32>,
    pub room: Vec<u8>,
}

/// An operation on a column: the rows with these numbers.
pub struct OfRows<F> {
    pub convert: F,
    pub output: Output,
}

impl<F: FnMut(Range<usize>, &mut Output)> Run for OfRows<F> {
    fn run(&mut self, rows: Range<usize>) {
        let output = &mut self.output;
        output.values.clear();
        output.text.clear();
        output.offsets.clear();
        (self.convert)(rows, black_box(output));
    }

    fn answer(&mut self, row: usize) -> Vec<u8> {
        self.run(row..row + 1);
        let Output { values, text, offsets, room } = &self.output;
        // Whoever fills the room writes one row to its start; ends and lengths are what comes last.
        let end = offsets.last().copied().unwrap_or_default();
        let written = [&values[..], text.as_bytes(), &room[..room.len().min(end as usize)]].concat();
        [&written[..], &end.to_le_bytes()].concat()
    }
}
