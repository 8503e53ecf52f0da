//! The checks of every fuzz target: one operation on one instruction set, chosen by the input, against an oracle that
//! uses the standard library. The value and the whole report must be the same.
//!
//! Text lies in memory next to guard pages, which costs the fuzzer no time. With the feature `exact` it lies in
//! allocations that end where it does, so that AddressSanitizer detects accesses to the first byte past the end.

#[macro_use]
#[path = "../../tests/suite/common/all_conversions.rs"]
mod table;

mod columns;
mod conversions;
mod input;
mod io;
mod latin1;
mod lossy_utf16;
mod lossy_utf8;
mod memory;
#[allow(dead_code, unsafe_code)] // most of it is for the suite
#[path = "../../tests/suite/common/pairs.rs"]
mod pairs;
mod positions;
#[path = "../../tests/suite/common/room.rs"]
mod room;
mod seeds;
mod stream;
#[path = "../../tests/suite/common/told.rs"]
mod told;
mod utf32;
mod wtf8;

use std::convert::Infallible;
use std::fmt::Debug;

use fastutf::{Conversion, Isa, Stop, boundary};
use fastutf_testkit::hex;
use fastutf_testkit::oracle::{self, Outcome, Stopped, Utf8Kind, Utf8Oracle, Utf16Oracle, to_bytes};

pub use columns::columns;
pub use conversions::conversions;
pub use input::HEADER;
use input::{Choice, Input};
pub use io::io;
pub use latin1::latin1;
pub use lossy_utf8::lossy_utf8;
pub use lossy_utf16::lossy_utf16;
use memory::{Buffer, Element, Placed};
pub use positions::positions;
pub use seeds::seeds;
pub use stream::stream;
use told::told;
pub use utf32::utf32;
pub use wtf8::wtf8;

/// The report of converting a `&str`, which cannot fail.
fn str_outcome(out: Conversion<Infallible>) -> Outcome<Utf8Kind> {
    let stop = match out.stop {
        Stop::Complete => Stopped::Complete,
        Stop::OutputFull => Stopped::OutputFull,
        Stop::Invalid(never) => match never {},
    };
    Outcome { read: out.read, written: out.written, stop }
}

/// `assert_eq!` that names the operation and the instruction set.
#[track_caller]
fn same<T: PartialEq<U> + Debug, U: Debug>(isa: Isa, operation: &str, found: T, expected: U) {
    assert_eq!(found, expected, "{operation} on {isa}");
}

impl Input {
    /// Checks an operation that fills a slice of this length with the beginning of `result`, and the memory around that.
    #[track_caller]
    fn fills<T: Element, K: PartialEq + Debug>(
        &self,
        operation: &str,
        room: usize,
        expected: Outcome<K>,
        result: &[T],
        convert: impl FnOnce(&mut [T]) -> Outcome<K>,
    ) {
        let (mut dst, written) = (Buffer::new(self.dst, room), expected.written);
        same(self.choice.isa(), operation, convert(dst.get()), expected);
        dst.assert_holds(&result[..written], self.choice.isa(), operation);
    }

    /// Checks an operation that appends all of `result`.
    #[track_caller]
    fn appends<T: Element, O: PartialEq + Debug>(
        &self,
        operation: &str,
        expected: O,
        result: &[T],
        append: impl FnOnce(&mut Vec<T>) -> O,
    ) {
        let mut all = vec![T::PATTERN; self.dst.offset()];
        same(self.choice.isa(), operation, append(&mut all), expected);
        same(self.choice.isa(), operation, &all[self.dst.offset()..], result);
    }

    #[track_caller]
    fn appends_text<O: PartialEq + Debug>(
        &self,
        operation: &str,
        expected: O,
        result: &str,
        append: impl FnOnce(&mut String) -> O,
    ) {
        let mut all = "~".repeat(self.dst.offset());
        same(self.choice.isa(), operation, append(&mut all), expected);
        same(self.choice.isa(), operation, &all[self.dst.offset()..], result);
    }
}

/// A byte order.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

/// Calls the method of an instruction set for one byte order or for the other.
macro_rules! in_order {
    ($order:expr, $isa:expr, $little:ident, $big:ident, ($($argument:expr),*)) => {
        match $order {
            Order::Little => $isa.$little($($argument),*),
            Order::Big => $isa.$big($($argument),*),
        }
    };
}
use in_order;

impl Order {
    /// One in even turns, the other in odd ones.
    fn of(turn: usize) -> Self {
        [Self::Little, Self::Big][turn % 2]
    }

    /// A UTF-16LE input in this byte order, if that is another one.
    fn swapped(self, input: &Input) -> Option<Placed<u8>> {
        matches!(self, Self::Big).then(|| input.swapped())
    }

    /// These code units in bytes.
    fn bytes(self, units: &[u16]) -> Vec<u8> {
        match self {
            Self::Little => to_bytes(units, u16::to_le_bytes),
            Self::Big => to_bytes(units, u16::to_be_bytes),
        }
    }
}

/// Runs one input through validation of UTF-8, and the functions that return a string.
pub fn validate_utf8(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let expected = Utf8Oracle::new(src).result();
    let isa = input.choice.isa();
    match input.choice.turn(7) {
        0 => same(isa, "validate_utf8", isa.validate_utf8(src).map_err(told), expected),
        1 => {
            let (chars, units) = (oracle::count_chars_utf8(src), oracle::utf16_len_from_utf8(src));
            let info = isa.utf8_info(src);
            let info = info.map(|info| (info.chars, info.utf16_len, info.is_ascii(), info.width() as u8));
            let width = oracle::width_of_utf8(src).unwrap_or_default();
            let expected = expected.map(|()| (chars, units, src.is_ascii(), width));
            same(isa, "utf8_info", info.map_err(told), expected);
        }
        2 => {
            let text = isa.from_utf8(src).map(str::as_bytes);
            same(isa, "from_utf8", text.map_err(told), expected.map(|()| src));
        }
        3 => {
            let owned = isa.string_from_utf8(src.to_vec()).map(String::into_bytes);
            let owned = owned.map_err(|error| told(error.utf8_error()));
            same(isa, "string_from_utf8", owned, expected.map(|()| src.to_vec()));
        }
        4 => {
            let mut copy = Placed::copy(input.dst, src);
            let text = isa.from_utf8_mut(copy.get_mut()).map(|text| text.as_bytes());
            same(isa, "from_utf8_mut", text.map_err(told), expected.map(|()| src));
        }
        5 => {
            // Cut anywhere between characters, the parts have the replacements of the whole.
            let cuts = [boundary::complete_utf8(src), boundary::floor_utf8(src, input.drawn() % (src.len() + 1))];
            for cut in cuts {
                let parts = [&src[..cut], &src[cut..]].map(String::from_utf8_lossy);
                assert_eq!(parts.concat(), String::from_utf8_lossy(src), "cut at {cut}");
            }
        }
        _ => {
            let result = isa.validate_utf8(src);
            same(isa, "as scalar", result, Isa::SCALAR.validate_utf8(src));
            same(
                isa,
                "revalidate_with_std",
                result.map_err(|error| error.revalidate_with_std(src)),
                std::str::from_utf8(src).map(drop),
            );
            same(Isa::best(), "free validate_utf8", fastutf::validate_utf8(src), result);
        }
    }
}

/// Runs one input through validation of UTF-16 in all three byte orders.
pub fn validate_utf16(data: &[u8]) {
    let input = Input::utf16(data);
    let (le, units) = (input.src.get(), input.units());
    let units = units.get();
    let in_units = Utf16Oracle::new(units, false).result(1);
    let in_bytes = Utf16Oracle::new(units, le.len() % 2 == 1).result(2);
    let isa = input.choice.isa();
    match input.choice.turn(4) {
        0 => same(isa, "validate_utf16", isa.validate_utf16(units).map_err(told), in_units),
        1 => same(isa, "validate_utf16le", isa.validate_utf16le(le).map_err(told), in_bytes),
        2 => {
            let be = input.swapped();
            same(isa, "validate_utf16be", isa.validate_utf16be(be.get()).map_err(told), in_bytes);
        }
        _ => {
            same(isa, "as scalar", isa.validate_utf16le(le), Isa::SCALAR.validate_utf16le(le));
            let free = fastutf::validate_utf16(units).map_err(told);
            same(Isa::best(), "free validate_utf16", free, in_units);
        }
    }
}

/// Runs one input through conversion of UTF-8 to UTF-16 in all three byte orders, to the end of a `Vec`, and of a `&str` into
/// a buffer whose size depends on the input.
pub fn utf8_to_utf16(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let oracle = Utf8Oracle::new(src);
    let valid = Utf8Oracle { fault: None, ..oracle.clone() };
    let (units, all) = (&oracle.units[..], oracle.outcome(usize::MAX));
    let room = input.room(units.len(), src.len());
    let isa = input.choice.isa();
    match input.choice.turn(12) {
        0 => input.appends("utf8_to_utf16_append", all.appended(), units, |dst| {
            isa.utf8_to_utf16_append(src, dst).map_err(told)
        }),
        1 => same(isa, "to_utf16", &isa.to_utf16(oracle.valid)[..], units),
        2 => {
            let convert = |dst: &mut [u16]| str_outcome(isa.str_to_utf16(oracle.valid, dst));
            input.fills("str_to_utf16", room, valid.outcome(room), units, convert);
        }
        3 => {
            let append = |all: &mut Vec<u16>| isa.str_to_utf16_append(oracle.valid, all);
            input.appends("str_to_utf16_append", units.len(), units, append);
        }
        turn => {
            let order = Order::of(turn);
            let name = ["utf8_to_utf16le", "utf8_to_utf16be"][turn % 2];
            let bytes = order.bytes(units);
            // An odd last byte of the buffer is not used.
            let odd_room = 2 * room + input.odd;
            match turn / 2 {
                2 => input.appends(name, all.written_in_bytes().appended(), &bytes, |dst| {
                    in_order!(order, isa, utf8_to_utf16le_append, utf8_to_utf16be_append, (src, dst)).map_err(told)
                }),
                3 => input.fills(name, odd_room, valid.outcome(room).written_in_bytes(), &bytes, |dst| {
                    str_outcome(in_order!(order, isa, str_to_utf16le, str_to_utf16be, (oracle.valid, dst)))
                }),
                4 => input.appends(name, bytes.len(), &bytes, |all| {
                    in_order!(order, isa, str_to_utf16le_append, str_to_utf16be_append, (oracle.valid, all))
                }),
                _ => same(isa, name, in_order!(order, isa, to_utf16le, to_utf16be, (oracle.valid)), bytes),
            }
        }
    }
}

/// Runs one input through conversion of UTF-16 in all three byte orders to UTF-8, to the end of a `String`.
pub fn utf16_to_utf8(data: &[u8]) {
    let input = Input::utf16(data);
    let (le, units) = (input.src.get(), input.units());
    let units = units.get();
    let oracle = Utf16Oracle::new(units, false);
    let text = &oracle.text[..];
    let isa = input.choice.isa();
    match input.choice.turn(6) {
        0 => {
            let append = |all: &mut String| isa.utf16_to_utf8_append(units, all).map_err(told);
            input.appends_text("utf16_to_utf8_append", oracle.outcome(usize::MAX, 1).appended(), text, append);
        }
        1 => {
            let decoded = isa.from_utf16(units).map_err(told);
            same(isa, "from_utf16", decoded.as_deref(), oracle.result(1).as_ref().map(|()| text));
        }
        turn => {
            let order = Order::of(turn);
            let name = ["utf16le_to_utf8", "utf16be_to_utf8"][turn % 2];
            let swapped = order.swapped(&input);
            let src = swapped.as_ref().map_or(le, Placed::get);
            let oracle = Utf16Oracle::new(units, src.len() % 2 == 1);
            match turn / 2 {
                1 => input.appends_text(name, oracle.outcome(usize::MAX, 2).appended(), text, |all| {
                    in_order!(order, isa, utf16le_to_utf8_append, utf16be_to_utf8_append, (src, all)).map_err(told)
                }),
                _ => {
                    let decoded = in_order!(order, isa, from_utf16le, from_utf16be, (src)).map_err(told);
                    same(isa, name, decoded.as_deref(), oracle.result(2).as_ref().map(|()| text));
                }
            }
        }
    }
}

/// Runs one input, of any bytes, through the counting, predicting and swapping functions.
pub fn lengths(data: &[u8]) {
    match Choice::of(data).turn(11) {
        turn @ 0..3 => lengths_utf8(&Input::utf8(data), turn),
        turn => lengths_utf16(&Input::utf16(data), turn),
    }
}

fn lengths_utf8(input: &Input, turn: usize) {
    let src = input.src.get();
    let isa = input.choice.isa();
    match turn {
        0 => same(isa, "is_ascii", isa.is_ascii(src), src.is_ascii()),
        1 => same(isa, "count_chars_utf8", isa.count_chars_utf8(src), oracle::count_chars_utf8(src)),
        _ => same(isa, "utf16_len_from_utf8", isa.utf16_len_from_utf8(src), oracle::utf16_len_from_utf8(src)),
    }
}

fn lengths_utf16(input: &Input, turn: usize) {
    let (le, be, units) = (input.src.get(), input.swapped(), input.units());
    let (be, units) = (be.get(), units.get());
    let chars = || oracle::count_chars_utf16(units);
    let bytes = || oracle::utf8_len_from_utf16(units);
    let isa = input.choice.isa();
    match turn {
        3 => same(isa, "count_chars_utf16", isa.count_chars_utf16(units), chars()),
        4 => same(isa, "count_chars_utf16le", isa.count_chars_utf16le(le), chars()),
        5 => same(isa, "count_chars_utf16be", isa.count_chars_utf16be(be), chars()),
        6 => same(isa, "utf8_len_from_utf16", isa.utf8_len_from_utf16(units), bytes()),
        7 => same(isa, "utf8_len_from_utf16le", isa.utf8_len_from_utf16le(le), bytes()),
        8 => same(isa, "utf8_len_from_utf16be", isa.utf8_len_from_utf16be(be), bytes()),
        9 => {
            let mut in_place = Buffer::<u8>::new(input.dst, le.len());
            in_place.get().copy_from_slice(le);
            isa.swap_utf16_bytes(in_place.get());
            in_place.assert_holds(be, isa, "swap_utf16_bytes");
        }
        _ => {
            let mut dst = Buffer::<u8>::new(input.dst, le.len());
            isa.swap_utf16_bytes_into(le, dst.get());
            dst.assert_holds(be, isa, "swap_utf16_bytes_into");
        }
    }
}
