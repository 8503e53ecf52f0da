//! A buffer for the result of a conversion, around which nothing may change. Fuzz targets compile this file as well.

use std::cell::Cell;
use std::fmt::Debug;

use fastutf::{Conversion, Isa, Stop};
use fastutf_testkit::oracle::Stopped;

use super::told::{Report, told};

/// Which parts of a check run. `From<Isa>` selects all of them; a fuzz run, which must be short, selects one in `one_in`.
pub struct Parts {
    pub isa: Isa,
    pub first: usize,
    pub one_in: usize,
    pub passed: Cell<usize>,
}

impl From<Isa> for Parts {
    fn from(isa: Isa) -> Self {
        Self { isa, first: 0, one_in: 1, passed: Cell::new(0) }
    }
}

impl Parts {
    /// Whether the next part is run.
    pub fn has_next(&self) -> bool {
        let number = self.passed.replace(self.passed.get() + 1);
        number % self.one_in == self.first
    }
}

/// The element of a buffer.
pub trait Element: Copy + PartialEq + Debug {
    /// What is there before a conversion: it differs from place to place.
    fn paint(at: usize) -> Self;
}

impl Element for u8 {
    fn paint(at: usize) -> Self {
        (at % 251) as u8 ^ 0xA5
    }
}

impl Element for u32 {
    fn paint(at: usize) -> Self {
        (at as u32).wrapping_mul(0x1_0251) ^ 0xA5A5_5A5A
    }
}

impl Element for u16 {
    fn paint(at: usize) -> Self {
        (at as u16).wrapping_mul(251) ^ 0xA5A5
    }
}

/// Calls `convert`, which returns its report and the number of elements written, with a buffer of this size. Checks that
/// nothing around the buffer has changed, and returns the report and the elements.
#[track_caller]
pub fn into<T: Element, R>(room: usize, convert: impl FnOnce(&mut [T]) -> (R, usize)) -> (R, Vec<T>) {
    const AROUND: usize = 70;
    let mut all: Vec<T> = (0..room + 2 * AROUND).map(T::paint).collect();
    let (report, written) = convert(&mut all[AROUND..][..room]);
    assert!(written <= room, "{written} of {room}");
    let kept = (0..AROUND).chain(AROUND + room..all.len());
    for at in kept {
        assert_eq!(
            all[at],
            T::paint(at),
            "changed at {} of {room}, {written} written",
            at as isize - AROUND as isize
        );
    }
    (report, all[AROUND..][..written].to_vec())
}

/// Why a conversion stopped, as oracles have it.
pub fn stop<F, E: Report<Told = F>>(out: Conversion<E>) -> Stopped<F> {
    match out.stop {
        Stop::Complete => Stopped::Complete,
        Stop::OutputFull => Stopped::OutputFull,
        Stop::Invalid(error) => Stopped::Invalid(told(error)),
    }
}

/// Compares a strict and a lossy conversion to Latin-1, each into a slice and to the end of a `Vec`.
macro_rules! to_latin1 {
    ($parts:ident, $oracle:ident, $src:expr, $room:ident, $of:ident;
        $strict:ident $append:ident $lossy:ident $lossy_append:ident) => {{
        let (src, isa) = ($src, $parts.isa);
        if $parts.has_next() {
            let (out, bytes) = into($room, |dst| {
                let out = isa.$strict(src, dst);
                (out, out.written)
            });
            assert_eq!((out.read, bytes, stop(out)), $oracle.strict($room), "{} {}", stringify!($strict), $of());
        }
        if $parts.has_next() {
            let (_, bytes, expected) = $oracle.strict(usize::MAX);
            let mut appended = b"~\xFF".to_vec();
            let out = isa.$append(src, &mut appended).map_err(told);
            assert_eq!(out, expected.appended(bytes.len()), "{} {}", stringify!($append), $of());
            assert_eq!(appended[2..], bytes, "{} {}", stringify!($append), $of());
        }
        for replacement in [b'?', 0xFF] {
            if $parts.has_next() {
                let got = into($room, |dst| {
                    let out = isa.$lossy(src, replacement, dst);
                    (told(out), out.written)
                });
                assert_eq!(got, $oracle.lossy($room, replacement), "{} {}", stringify!($lossy), $of());
            }
        }
        if $parts.has_next() {
            let mut appended = b"~\xFF".to_vec();
            let out = isa.$lossy_append(src, b'?', &mut appended);
            let got = (told(out), appended[2..].to_vec());
            assert_eq!(got, $oracle.lossy(usize::MAX, b'?'), "{} {}", stringify!($lossy_append), $of());
        }
    }};
}
pub(crate) use to_latin1;
