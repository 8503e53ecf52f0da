//! What every fuzz target checks: each operation, on every instruction set, against an oracle made of the standard
//! library (what the result must be) and against [`Isa::SCALAR`] (that the whole report is the same).
//!
//! Sources and destinations are allocations that end exactly where the slice does, so that AddressSanitizer sees
//! the first byte read or written past the end.

mod input;
mod lossy_utf16;
mod lossy_utf8;
mod oracle;
mod stream;

use std::fmt::Debug;

use fastutf::{Conversion, Isa, Stop, Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};

pub use input::HEADER;
use input::{Buffer, Input, Placed};
pub use lossy_utf8::lossy_utf8;
pub use lossy_utf16::lossy_utf16;
use oracle::{Fault, Outcome};
pub use stream::stream;

/// What an error says: position, length, kind.
fn utf8_fault(error: Utf8Error) -> Fault<Utf8ErrorKind> {
    Fault { valid_up_to: error.valid_up_to(), error_len: error.error_len(), kind: error.kind() }
}

fn utf16_fault(error: Utf16Error) -> Fault<Utf16ErrorKind> {
    Fault { valid_up_to: error.valid_up_to(), error_len: error.error_len(), kind: error.kind() }
}

/// What a conversion reports.
fn outcome<E: Copy, K>(out: Conversion<E>, fault: impl FnOnce(E) -> Fault<K>) -> Outcome<K> {
    let stop = match out.stop {
        Stop::Complete => Stop::Complete,
        Stop::OutputFull => Stop::OutputFull,
        Stop::Invalid(error) => Stop::Invalid(fault(error)),
    };
    Outcome { read: out.read, written: out.written, stop }
}

/// `assert_eq!` that names the operation and the instruction set.
#[track_caller]
fn same<T: PartialEq + Debug>(isa: Isa, operation: &str, found: T, expected: T) {
    assert_eq!(found, expected, "{operation} on {isa}");
}

/// Runs one input through validation of UTF-8, and the functions that make a string of it.
pub fn validate_utf8(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let expected = oracle::validate_utf8(src);
    let reference = Isa::SCALAR.validate_utf8(src);
    let (chars, units) = (oracle::count_chars_utf8(src), oracle::utf16_len_from_utf8(src));
    same(Isa::SCALAR, "validate_utf8", reference.map_err(utf8_fault), expected);
    for isa in Isa::available() {
        same(isa, "validate_utf8", isa.validate_utf8(src), reference);
        let info = isa.utf8_info(src).map(|info| (info.chars, info.utf16_len, info.is_ascii()));
        same(isa, "utf8_info", info, reference.map(|()| (chars, units, src.is_ascii())));
        same(isa, "from_utf8", isa.from_utf8(src).map(str::as_bytes), reference.map(|()| src));
        let owned = isa.string_from_utf8(src.to_vec()).map(String::into_bytes);
        same(isa, "string_from_utf8", owned.map_err(|error| error.utf8_error()), reference.map(|()| src.to_vec()));
    }
    same(Isa::best(), "free validate_utf8", fastutf::validate_utf8(src), reference);
    if let Err(error) = reference {
        assert_eq!(Err(error.to_std(src)), std::str::from_utf8(src));
    }
}

/// Runs one input through validation of UTF-16 in all three byte orders.
pub fn validate_utf16(data: &[u8]) {
    let input = Input::utf16(data);
    let (le, be, units) = (input.src.get(), input.swapped(), input.units());
    let (be, units) = (be.get(), units.get());
    let in_bytes = oracle::validate_utf16le(le);
    let in_units = oracle::validate_utf16(units);
    for isa in Isa::available() {
        same(isa, "validate_utf16le", isa.validate_utf16le(le).map_err(utf16_fault), in_bytes);
        same(isa, "validate_utf16be", isa.validate_utf16be(be).map_err(utf16_fault), in_bytes);
        same(isa, "validate_utf16", isa.validate_utf16(units).map_err(utf16_fault), in_units);
        same(isa, "as scalar", isa.validate_utf16le(le), Isa::SCALAR.validate_utf16le(le));
    }
    same(Isa::best(), "free validate_utf16", fastutf::validate_utf16(units).map_err(utf16_fault), in_units);
}

/// The functions that convert UTF-8 to UTF-16 bytes in one byte order.
struct Encoder {
    order: &'static str,
    to_bytes: fn(u16) -> [u8; 2],
    convert: fn(Isa, &[u8], &mut [u8]) -> Conversion<Utf8Error>,
    append: fn(Isa, &[u8], &mut Vec<u8>) -> Conversion<Utf8Error>,
    encode: fn(Isa, &str) -> Vec<u8>,
}

const ENCODERS: [Encoder; 2] = [
    Encoder {
        order: "le",
        to_bytes: u16::to_le_bytes,
        convert: Isa::utf8_to_utf16le,
        append: Isa::utf8_to_utf16le_append,
        encode: Isa::to_utf16le,
    },
    Encoder {
        order: "be",
        to_bytes: u16::to_be_bytes,
        convert: Isa::utf8_to_utf16be,
        append: Isa::utf8_to_utf16be_append,
        encode: Isa::to_utf16be,
    },
];

/// The functions that convert UTF-16 bytes in one byte order to UTF-8.
struct Decoder {
    order: &'static str,
    convert: fn(Isa, &[u8], &mut [u8]) -> Conversion<Utf16Error>,
    append: fn(Isa, &[u8], &mut String) -> Conversion<Utf16Error>,
    decode: fn(Isa, &[u8]) -> Result<String, Utf16Error>,
}

const LITTLE: Decoder = Decoder {
    order: "le",
    convert: Isa::utf16le_to_utf8,
    append: Isa::utf16le_to_utf8_append,
    decode: Isa::from_utf16le,
};

const BIG: Decoder = Decoder {
    order: "be",
    convert: Isa::utf16be_to_utf8,
    append: Isa::utf16be_to_utf8_append,
    decode: Isa::from_utf16be,
};

/// Runs one input through conversion of UTF-8 to UTF-16 in all three byte orders, into a buffer whose size the
/// input says, and to the end of a `Vec`.
pub fn utf8_to_utf16(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let (all, all_units) = oracle::utf8_to_utf16(src, usize::MAX);
    let room = input.room(all_units.len(), src.len());
    let (expected, units) = oracle::utf8_to_utf16(src, room);

    for isa in Isa::available() {
        let mut dst = Buffer::<u16>::new(input.dst_offset, room);
        let out = isa.utf8_to_utf16(src, dst.get());
        same(isa, "utf8_to_utf16", outcome(out, utf8_fault), expected);
        dst.assert_holds(&units, isa, "utf8_to_utf16");
        same(isa, "as scalar", out, Isa::SCALAR.utf8_to_utf16(src, &mut vec![0; room]));

        let mut appended = vec![7; input.dst_offset];
        let out = isa.utf8_to_utf16_append(src, &mut appended);
        same(isa, "utf8_to_utf16_append", outcome(out, utf8_fault), all);
        same(isa, "utf8_to_utf16_append", &appended[input.dst_offset..], &all_units);
        if let Ok(text) = std::str::from_utf8(src) {
            same(isa, "to_utf16", isa.to_utf16(text), all_units.clone());
        }

        for Encoder { order, to_bytes, convert, append, encode } in ENCODERS {
            let in_bytes = |outcome: Outcome<_>| Outcome { written: 2 * outcome.written, ..outcome };
            let bytes: Vec<u8> = units.iter().copied().flat_map(to_bytes).collect();
            // An odd last byte of the buffer is of no use.
            let mut dst = Buffer::<u8>::new(input.dst_offset, 2 * room + input.odd);
            let out = convert(isa, src, dst.get());
            same(isa, order, outcome(out, utf8_fault), in_bytes(expected));
            dst.assert_holds(&bytes, isa, order);

            let all_bytes: Vec<u8> = all_units.iter().copied().flat_map(to_bytes).collect();
            let mut appended = vec![7; input.dst_offset];
            let out = append(isa, src, &mut appended);
            same(isa, order, outcome(out, utf8_fault), in_bytes(all));
            same(isa, order, &appended[input.dst_offset..], &all_bytes);
            if let Ok(text) = std::str::from_utf8(src) {
                same(isa, order, encode(isa, text), all_bytes);
            }
        }
    }
    let mut dst = vec![0; room];
    same(Isa::best(), "free", outcome(fastutf::utf8_to_utf16(src, &mut dst), utf8_fault), expected);
}

/// Runs one input through conversion of UTF-16 in all three byte orders to UTF-8, into a buffer whose size the
/// input says, and to the end of a `String`.
pub fn utf16_to_utf8(data: &[u8]) {
    let input = Input::utf16(data);
    let (le, be, units) = (input.src.get(), input.swapped(), input.units());
    let (be, units) = (be.get(), units.get());

    let (all, all_text) = oracle::utf16_to_utf8(units, usize::MAX);
    let room = input.room(all_text.len(), 3 * units.len());
    let (expected, text) = oracle::utf16_to_utf8(units, room);

    for isa in Isa::available() {
        let mut dst = Buffer::<u8>::new(input.dst_offset, room);
        let out = isa.utf16_to_utf8(units, dst.get());
        same(isa, "utf16_to_utf8", outcome(out, utf16_fault), expected);
        dst.assert_holds(text.as_bytes(), isa, "utf16_to_utf8");
        same(isa, "as scalar", out, Isa::SCALAR.utf16_to_utf8(units, &mut vec![0; room]));

        let mut appended = "~".repeat(input.dst_offset);
        let out = isa.utf16_to_utf8_append(units, &mut appended);
        same(isa, "utf16_to_utf8_append", outcome(out, utf16_fault), all);
        same(isa, "utf16_to_utf8_append", &appended[input.dst_offset..], &all_text);
        let decoded = isa.from_utf16(units).map_err(utf16_fault);
        same(isa, "from_utf16", decoded, oracle::validate_utf16(units).map(|()| all_text.clone()));

        for (src, Decoder { order, convert, append, decode }) in [(le, LITTLE), (be, BIG)] {
            let in_bytes = |outcome| oracle::in_bytes(outcome, src.len());
            let mut dst = Buffer::<u8>::new(input.dst_offset, room);
            let out = convert(isa, src, dst.get());
            same(isa, order, outcome(out, utf16_fault), in_bytes(expected));
            dst.assert_holds(text.as_bytes(), isa, order);

            let mut appended = "~".repeat(input.dst_offset);
            let out = append(isa, src, &mut appended);
            same(isa, order, outcome(out, utf16_fault), in_bytes(all));
            same(isa, order, &appended[input.dst_offset..], &all_text);
            let decoded = decode(isa, src).map_err(utf16_fault);
            same(isa, order, decoded, oracle::validate_utf16le(le).map(|()| all_text.clone()));
        }
    }
    let mut dst = vec![0; room];
    same(Isa::best(), "free", outcome(fastutf::utf16_to_utf8(units, &mut dst), utf16_fault), expected);
}

/// Runs one input, of any bytes, through the counting, predicting and swapping functions.
pub fn lengths(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let chars = oracle::count_chars_utf8(src);
    let units = oracle::utf16_len_from_utf8(src);
    for isa in Isa::available() {
        same(isa, "is_ascii", isa.is_ascii(src), src.is_ascii());
        same(isa, "count_chars_utf8", isa.count_chars_utf8(src), chars);
        same(isa, "utf16_len_from_utf8", isa.utf16_len_from_utf8(src), units);
    }

    let input = Input::utf16(data);
    let (le, be, units) = (input.src.get(), input.swapped(), input.units());
    let (be, units) = (be.get(), units.get());
    let chars = oracle::count_chars_utf16(units);
    let bytes = oracle::utf8_len_from_utf16(units);
    for isa in Isa::available() {
        same(isa, "count_chars_utf16", isa.count_chars_utf16(units), chars);
        same(isa, "count_chars_utf16le", isa.count_chars_utf16le(le), chars);
        same(isa, "count_chars_utf16be", isa.count_chars_utf16be(be), chars);
        same(isa, "utf8_len_from_utf16", isa.utf8_len_from_utf16(units), bytes);
        same(isa, "utf8_len_from_utf16le", isa.utf8_len_from_utf16le(le), bytes);
        same(isa, "utf8_len_from_utf16be", isa.utf8_len_from_utf16be(be), bytes);

        let mut in_place = Placed::new(input.dst_offset, le);
        isa.swap_utf16_bytes(in_place.get_mut());
        same(isa, "swap_utf16_bytes", in_place.get(), be);
        let mut dst = Buffer::<u8>::new(input.dst_offset, le.len());
        isa.swap_utf16_bytes_into(le, dst.get());
        dst.assert_holds(be, isa, "swap_utf16_bytes_into");
    }
}
