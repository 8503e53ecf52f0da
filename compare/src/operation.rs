//! The operations, and the contenders for each.
//!
//! Our conversions get exactly the room that the result needs. The peers do not check bounds, and may write past the
//! end of the result: they get all the room there is.

mod lossy;
mod stream;

use std::borrow::Cow;
use std::cell::RefCell;

use bytemuck::NoUninit;
use encoding_rs::{Encoding, UTF_16BE, mem};
use fastutf::Isa;

use crate::kind::{Filling, Giving, Making, Value};
use crate::language::Class;
use crate::limit::Limits;
use crate::ours::{Free, Ours, Whose};
use crate::race::{Contender, Role, Run};
use crate::size::Size;
use crate::windows::{Arena, Input, Windows};

pub struct Operation {
    pub name: &'static str,
    pub input: Input,
    /// Texts on which it is worth measuring.
    pub takes: fn(Class) -> bool,
    /// Whether it continues after ill-formed sequences: others stop at the first one.
    pub lossy: bool,
    /// Enters all contenders, the standard library last.
    enter: fn(&mut Field<Isa>),
    enter_free: fn(&mut Field<Free>),
}

/// The contenders in one operation on one set of windows.
pub struct Field<'a, O> {
    isa: O,
    class: Class,
    size: Size,
    /// Per cent of the text that are ill-formed.
    corrupt: f64,
    windows: &'a Windows<'a>,
    /// The output of all conversions, the same for all, so that none has an advantage.
    dst: &'a RefCell<Arena>,
    pub contenders: Vec<Contender<'a>>,
}

const OURS: &str = "fastutf";
/// Our own strict operation, in a race of lossy ones.
const STRICT: &str = "strict";

impl<'a, O: Ours> Field<'a, O> {
    fn new(
        isa: O,
        (class, size, corrupt): (Class, Size, f64),
        windows: &'a Windows<'a>,
        dst: &'a RefCell<Arena>,
    ) -> Self {
        Self { isa, class, size, corrupt, windows, dst, contenders: Vec::new() }
    }

    fn value(&mut self, name: &'static str, role: Role, operation: impl FnMut(usize) -> usize + 'a) {
        self.enter(name, role, Value(operation));
    }

    fn filling(&mut self, name: &'static str, role: Role, convert: impl FnMut(usize, &mut [u16]) -> usize + 'a) {
        self.enter(name, role, Filling { dst: self.dst, convert });
    }

    fn making<T: NoUninit>(&mut self, name: &'static str, operation: impl FnMut(usize) -> Vec<T> + 'a) {
        self.enter(name, if name == OURS { Role::Ours } else { Role::Peer }, Making(operation));
    }

    fn giving(&mut self, name: &'static str, operation: impl FnMut(usize) -> Cow<'a, str> + 'a) {
        self.enter(name, if name == OURS { Role::Ours } else { Role::Peer }, Giving(operation));
    }

    fn enter(&mut self, name: &'static str, role: Role, run: impl Run + 'a) {
        let least = match (role, name) {
            (Role::Limit, STRICT) => 64,
            // The limits are those of caches and memory. On short strings, the last few bytes of a plain loop matter
            // more.
            (Role::Limit, _) => 1 << 10,
            _ => 0,
        };
        if self.size.most() >= least {
            self.contenders.push(Contender { name, role, run: Box::new(run) });
        }
    }

    /// Enters the loop that only reads: an operation that reads all of the input cannot be faster.
    fn limited_by_reading(&mut self, input: Input) {
        let (read, windows) = (Limits::of(self.isa.isa()).read, self.windows);
        self.value("limit", Role::Limit, move |i| read(windows.input(input, i)) as usize);
    }
}

/// A list of operations, each named after the function that enters its contenders.
macro_rules! entries {
    (lossy: $lossy:literal; $($name:ident: $input:ident, $takes:ident;)*) => {
        [$(Operation {
            name: stringify!($name),
            input: Input::$input,
            takes: $takes,
            lossy: $lossy,
            enter: $name,
            enter_free: $name,
        }),*]
    };
}
use entries;

fn bytes(units: &[u16]) -> &[u8] {
    bytemuck::must_cast_slice(units)
}

fn bytes_mut(units: &mut [u16]) -> &mut [u8] {
    bytemuck::must_cast_slice_mut(units)
}

fn all(_: Class) -> bool {
    true
}

/// For operations that stop at once on any other text.
fn ascii(class: Class) -> bool {
    class == Class::Ascii
}

/// For operations whose speed does not depend on the text.
fn any(class: Class) -> bool {
    matches!(class, Class::Ascii | Class::Cjk)
}

impl Operation {
    /// All contenders on a text of this class, of strings of this size, of which this percentage is ill-formed. The
    /// standard library is the last.
    pub fn contenders<'a>(
        &self,
        whose: Whose,
        text: (Class, Size, f64),
        windows: &'a Windows<'a>,
        dst: &'a RefCell<Arena>,
    ) -> Vec<Contender<'a>> {
        match whose {
            Whose::Of(isa) => {
                let mut field = Field::new(isa, text, windows, dst);
                (self.enter)(&mut field);
                field.contenders
            }
            Whose::Free => {
                let mut field = Field::new(Free, text, windows, dst);
                (self.enter_free)(&mut field);
                field.contenders
            }
        }
    }

    /// Whether there is a free function: text in chunks is for methods of a value, which has its instruction set.
    pub fn is_free(&self) -> bool {
        !stream::REFUSING.iter().chain(&stream::REPLACING).any(|other| other.name == self.name)
    }
}

/// All operations.
pub fn operations() -> impl Iterator<Item = &'static Operation> {
    REFUSING.iter().chain(&lossy::OPERATIONS).chain(&stream::REFUSING).chain(&stream::REPLACING)
}

/// Some peers support only native code units: UTF-16LE on a little-endian machine. Other machines are not measured.
const REFUSING: [Operation; 16] = entries! { lossy: false;
    validate_utf8: Utf8, all;
    utf8_info: Utf8, all;
    utf8_to_utf16le: Utf8, all;
    utf16le_to_utf8: Utf16le, all;
    validate_utf16le: Utf16le, all;
    utf16_len_from_utf8: Utf8, all;
    utf8_len_from_utf16le: Utf16le, all;
    count_chars_utf8: Utf8, all;
    count_chars_utf16le: Utf16le, all;
    is_ascii: Utf8, ascii;
    swap_utf16_bytes_into: Utf16le, any;
    utf8_to_utf16be: Utf8, all;
    utf8_to_utf16: Utf8, all;
    utf16be_to_utf8: Utf16be, all;
    to_utf16: Utf8, all;
    from_utf16: Utf16le, all;
};

/// Enters a conversion of simdutf. A macro, since a function pointer would cost it a jump on every call.
#[cfg(feature = "simdutf")]
macro_rules! enter_simdutf {
    ($field:ident, $src:ident, $convert:ident to_utf16) => {
        $field.filling("simdutf", Role::Peer, move |i, dst| {
            assert!(dst.len() >= $src[i].len());
            // SAFETY: there is a code unit of room for each byte.
            2 * unsafe { simdutf::$convert($src[i].as_ptr(), $src[i].len(), dst.as_mut_ptr()) }
        });
    };
    ($field:ident, $src:ident, $convert:ident to_utf8) => {
        $field.filling("simdutf", Role::Peer, move |i, dst| {
            let dst = bytes_mut(dst);
            assert!(dst.len() >= 3 * $src[i].len());
            // SAFETY: there are three bytes of room for each code unit.
            unsafe { simdutf::$convert($src[i].as_ptr(), $src[i].len(), dst.as_mut_ptr()) }
        });
    };
}
#[cfg(not(feature = "simdutf"))]
macro_rules! enter_simdutf {
    ($($tokens:tt)*) => {};
}

fn validate_utf8(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf8);
    field.value(OURS, Role::Ours, move |i| usize::from(isa.validate_utf8(src[i]).is_ok()));
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| usize::from(simdutf::validate_utf8(src[i])));
    // encoding_rs also calls simdutf8, except for short strings.
    match isa.isa().name() {
        "avx512" | "avx2" | "neon" | "simd128" => {
            field.value("simdutf8", Role::Peer, move |i| usize::from(simdutf8::basic::from_utf8(src[i]).is_ok()));
        }
        #[cfg(target_arch = "x86_64")]
        "sse4.1" if is_x86_feature_detected!("sse4.2") => {
            use simdutf8::basic::imp::x86::sse42::validate_utf8;
            field.value("simdutf8", Role::Peer, move |i| {
                // SAFETY: SSE 4.2 has just been detected.
                usize::from(unsafe { validate_utf8(src[i]) }.is_ok())
            });
        }
        _ => {}
    }
    // Made for short strings. From 128 bytes on it calls simdutf8, and that uses AVX2, whatever the row says.
    if field.size.most() < 128 || field.size.most() <= 256 && matches!(isa.isa().name(), "avx512" | "avx2") {
        field.value("smoothutf8", Role::Peer, move |i| usize::from(smoothutf8::verify(src[i])));
    }
    field.limited_by_reading(Input::Utf8);
    field.value("std", Role::Peer, move |i| usize::from(std::str::from_utf8(src[i]).is_ok()));
}

/// All the information as one number.
fn info(chars: usize, utf16_len: usize) -> usize {
    chars.wrapping_mul(1 << 16).wrapping_add(utf16_len)
}

fn utf8_info(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf8);
    field.value(OURS, Role::Ours, move |i| {
        isa.utf8_info(src[i]).map_or(0, |found| info(found.chars, found.utf16_len))
    });
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| {
        if !simdutf::validate_utf8(src[i]) {
            return 0;
        }
        info(simdutf::count_utf8(src[i]), simdutf::utf16_length_from_utf8(src[i]))
    });
    // Not a limit of the machine, but of ours: this shows the cost of counting.
    field.value("validate_utf8", Role::Limit, move |i| usize::from(isa.validate_utf8(src[i]).is_ok()));
    field.value("std", Role::Peer, move |i| {
        let text = as_str(src[i]);
        info(text.chars().count(), text.encode_utf16().count())
    });
}

fn validate_utf16le(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf16le);
    field.value(OURS, Role::Ours, move |i| usize::from(isa.validate_utf16le(bytes(src[i])).is_ok()));
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| usize::from(simdutf::validate_utf16le(src[i])));
    field.value("encoding_rs", Role::Peer, move |i| usize::from(mem::utf16_valid_up_to(src[i]) == src[i].len()));
    field.limited_by_reading(Input::Utf16le);
    field.value("std", Role::Peer, move |i| {
        usize::from(char::decode_utf16(src[i].iter().copied()).all(|char| char.is_ok()))
    });
}

fn is_ascii(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf8);
    field.value(OURS, Role::Ours, move |i| usize::from(isa.is_ascii(src[i])));
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| usize::from(simdutf::validate_ascii(src[i])));
    field.value("encoding_rs", Role::Peer, move |i| {
        usize::from(Encoding::ascii_valid_up_to(src[i]) == src[i].len())
    });
    field.limited_by_reading(Input::Utf8);
    field.value("std", Role::Peer, move |i| usize::from(src[i].is_ascii()));
}

fn utf16_len_from_utf8(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf8);
    field.value(OURS, Role::Ours, move |i| isa.utf16_len_from_utf8(src[i]));
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| simdutf::utf16_length_from_utf8(src[i]));
    field.limited_by_reading(Input::Utf8);
    field.value("std", Role::Peer, move |i| known_str(src[i]).encode_utf16().count());
}

fn count_chars_utf8(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf8);
    field.value(OURS, Role::Ours, move |i| isa.count_chars_utf8(src[i]));
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| simdutf::count_utf8(src[i]));
    field.limited_by_reading(Input::Utf8);
    field.value("std", Role::Peer, move |i| known_str(src[i]).chars().count());
}

fn utf8_len_from_utf16le(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf16le);
    field.value(OURS, Role::Ours, move |i| isa.utf8_len_from_utf16le(bytes(src[i])));
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| simdutf::utf8_length_from_utf16le(src[i]));
    field.limited_by_reading(Input::Utf16le);
    field.value("std", Role::Peer, move |i| {
        char::decode_utf16(src[i].iter().copied()).map(|char| char.map_or(3, char::len_utf8)).sum()
    });
}

fn count_chars_utf16le(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf16le);
    field.value(OURS, Role::Ours, move |i| isa.count_chars_utf16le(bytes(src[i])));
    #[cfg(feature = "simdutf")]
    field.value("simdutf", Role::Peer, move |i| simdutf::count_utf16le(src[i]));
    field.limited_by_reading(Input::Utf16le);
    field.value("std", Role::Peer, move |i| char::decode_utf16(src[i].iter().copied()).count());
}

fn swap_utf16_bytes_into(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf16le);
    field.filling(OURS, Role::Ours, move |i, dst| {
        isa.swap_utf16_bytes_into(bytes(src[i]), bytes_mut(&mut dst[..src[i].len()]));
        2 * src[i].len()
    });
    #[cfg(feature = "simdutf")]
    field.filling("simdutf", Role::Peer, move |i, dst| {
        let dst = &mut dst[..src[i].len()];
        // SAFETY: `dst` has the length of the source.
        unsafe { simdutf::change_endianness_utf16(src[i].as_ptr(), src[i].len(), dst.as_mut_ptr()) };
        2 * src[i].len()
    });
    field.filling("limit", Role::Limit, move |i, dst| {
        dst[..src[i].len()].copy_from_slice(src[i]);
        2 * src[i].len()
    });
    field.filling("std", Role::Peer, move |i, dst| {
        2 * dst.iter_mut().zip(src[i]).map(|(to, unit)| *to = unit.swap_bytes()).count()
    });
}

fn utf8_to_utf16le(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf8, &field.windows.utf16le);
    field.filling(OURS, Role::Ours, move |i, dst| {
        isa.utf8_to_utf16le(src[i], bytes_mut(&mut dst[..result[i].len()])).written
    });
    enter_simdutf!(field, src, convert_utf8_to_utf16le to_utf16);
    to_native_utf16_by_others(field);
}

fn utf8_to_utf16(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf8, &field.windows.utf16le);
    field.filling(OURS, Role::Ours, move |i, dst| {
        2 * isa.utf8_to_utf16(src[i], &mut dst[..result[i].len()]).written
    });
    enter_simdutf!(field, src, convert_utf8_to_utf16 to_utf16);
    to_native_utf16_by_others(field);
}

fn to_native_utf16_by_others(field: &mut Field<impl Ours>) {
    let src = &field.windows.utf8;
    field.filling("encoding_rs", Role::Peer, move |i, dst| 2 * mem::convert_utf8_to_utf16(src[i], dst));
    if field.class == Class::Ascii {
        let widen = Limits::of(field.isa.isa()).widen;
        field.filling("limit", Role::Limit, move |i, dst| {
            widen(src[i], &mut dst[..src[i].len()]);
            2 * src[i].len()
        });
    }
    field.filling("std", Role::Peer, move |i, dst| {
        2 * dst.iter_mut().zip(as_str(src[i]).encode_utf16()).map(|(to, unit)| *to = unit).count()
    });
}

fn utf8_to_utf16be(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf8, &field.windows.utf16be);
    field.filling(OURS, Role::Ours, move |i, dst| {
        isa.utf8_to_utf16be(src[i], bytes_mut(&mut dst[..result[i].len()])).written
    });
    enter_simdutf!(field, src, convert_utf8_to_utf16be to_utf16);
    field.filling("std", Role::Peer, move |i, dst| {
        2 * dst.iter_mut().zip(as_str(src[i]).encode_utf16()).map(|(to, unit)| *to = unit.to_be()).count()
    });
}

fn utf16le_to_utf8(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf16le, &field.windows.utf8);
    field.filling(OURS, Role::Ours, move |i, dst| {
        isa.utf16le_to_utf8(bytes(src[i]), &mut bytes_mut(dst)[..result[i].len()]).written
    });
    enter_simdutf!(field, src, convert_utf16le_to_utf8 to_utf8);
    field.filling("encoding_rs", Role::Peer, move |i, dst| mem::convert_utf16_to_utf8(src[i], bytes_mut(dst)));
    if field.class == Class::Ascii {
        let narrow = Limits::of(isa.isa()).narrow;
        field.filling("limit", Role::Limit, move |i, dst| {
            narrow(src[i], &mut bytes_mut(dst)[..src[i].len()]);
            src[i].len()
        });
    }
    field.filling("std", Role::Peer, move |i, dst| std_to_utf8(src[i].iter().copied(), bytes_mut(dst)));
}

fn utf16be_to_utf8(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf16be, &field.windows.utf8);
    field.filling(OURS, Role::Ours, move |i, dst| {
        isa.utf16be_to_utf8(bytes(src[i]), &mut bytes_mut(dst)[..result[i].len()]).written
    });
    enter_simdutf!(field, src, convert_utf16be_to_utf8 to_utf8);
    field.filling("encoding_rs", Role::Peer, move |i, dst| {
        let mut decoder = UTF_16BE.new_decoder_without_bom_handling();
        decoder.decode_to_utf8_without_replacement(bytes(src[i]), bytes_mut(dst), true).2
    });
    field.filling("std", Role::Peer, move |i, dst| {
        std_to_utf8(src[i].iter().map(|&unit| u16::from_be(unit)), bytes_mut(dst))
    });
}

/// Our other ways to allocate race as peers: overall, the chosen one should be the fastest.
fn to_utf16(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf8);
    let filled = move |room: usize, i: usize| {
        let mut units = Vec::with_capacity(room);
        let written = isa.utf8_to_utf16_uninit(src[i], units.spare_capacity_mut()).written;
        // SAFETY: `written` units have been written.
        unsafe { units.set_len(written) };
        units
    };
    field.making(OURS, move |i| isa.to_utf16(known_str(src[i])));
    field.making("counted", move |i| filled(isa.utf16_len_from_utf8(src[i]), i));
    field.making("shrunk", move |i| {
        let mut units = filled(src[i].len(), i);
        units.shrink_to_fit();
        units
    });
    #[cfg(feature = "simdutf")]
    field.making("simdutf", move |i| {
        let mut units = Vec::with_capacity(simdutf::utf16_length_from_utf8(src[i]));
        // SAFETY: there is exactly as much room as the text needs, and `written` units of it are filled.
        unsafe {
            let written = simdutf::convert_utf8_to_utf16(src[i].as_ptr(), src[i].len(), units.as_mut_ptr());
            units.set_len(written);
        }
        units
    });
    field.making("std", move |i| known_str(src[i]).encode_utf16().collect::<Vec<u16>>());
}

fn from_utf16(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf16le);
    let filled = move |room: usize, i: usize| {
        let mut text = Vec::with_capacity(room);
        let written = isa.utf16_to_utf8_uninit(src[i], text.spare_capacity_mut()).written;
        // SAFETY: `written` bytes have been written.
        unsafe { text.set_len(written) };
        text
    };
    let valid = "windows hold valid text";
    field.making(OURS, move |i| isa.from_utf16(src[i]).expect(valid).into_bytes());
    field.making("counted", move |i| filled(isa.utf8_len_from_utf16(src[i]), i));
    field.making("shrunk", move |i| {
        let mut text = filled(3 * src[i].len(), i);
        text.shrink_to_fit();
        text
    });
    #[cfg(feature = "simdutf")]
    field.making("simdutf", move |i| {
        let mut text = Vec::with_capacity(simdutf::utf8_length_from_utf16(src[i]));
        // SAFETY: there is exactly as much room as the text needs, and `written` bytes of it are filled.
        unsafe {
            let written = simdutf::convert_utf16_to_utf8(src[i].as_ptr(), src[i].len(), text.as_mut_ptr());
            text.set_len(written);
        }
        text
    });
    field.making("std", move |i| String::from_utf16(src[i]).expect(valid).into_bytes());
}

/// UTF-8 as the standard library requires it. Validating it is part of the operation: no other contender is told that
/// it is well-formed.
fn as_str(src: &[u8]) -> &str {
    std::str::from_utf8(src).expect("windows hold valid text")
}

/// UTF-8 for operations in which no contender validates it.
fn known_str(src: &[u8]) -> &str {
    // SAFETY: windows are pieces of a `str`.
    unsafe { std::str::from_utf8_unchecked(src) }
}

fn std_to_utf8(units: impl Iterator<Item = u16>, dst: &mut [u8]) -> usize {
    let mut written = 0;
    for char in char::decode_utf16(units) {
        written += char.expect("windows hold valid text").encode_utf8(&mut dst[written..]).len();
    }
    written
}
