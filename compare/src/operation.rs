//! The operations, and the contenders for each.
//!
//! Our conversions get exactly the room that the result needs. The peers do not check bounds, and may write past the
//! end of the result: they get all the room there is.

mod columns;
mod latin1;
mod lossy;
mod narrowest;
mod positions;
mod stream;
mod utf32;
mod wtf8;

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use clap::ValueEnum;
use encoding_rs::{Encoding, UTF_16BE, mem};
use fastutf::Isa;

use crate::kind::{Answer, Filling, OfRows, Output, Value};
use crate::language::Class;
use crate::ours::{Free, Ours, Whose};
use crate::race::{Contender, Role, Run};
use crate::size::Size;
use crate::windows::{Arena, Input, Pieces, Windows};

pub struct Operation {
    pub name: &'static str,
    pub input: Input,
    /// Texts on which it is worth measuring.
    pub takes: fn(Class, &str) -> bool,
    /// Whether it continues after ill-formed sequences: others stop at the first one.
    pub lossy: bool,
    /// Enters all contenders; the last one's answers are right: the standard library's, or those of a plain loop.
    enter: fn(&mut Field<Isa>),
    /// Nothing if there is no free function, or it is not raced.
    pub enter_free: Option<fn(&mut Field<Free>)>,
}

/// What to race
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// Operations on UTF-8 and UTF-16
    Core,
    /// Latin-1
    Latin1,
    /// UTF-32
    Utf32,
    /// The narrowest form of a text
    Narrowest,
    /// WTF-8 and modified UTF-8
    Wtf8,
    /// Columns of strings: windows are rows
    Columns,
    /// Offsets in UTF-16, lines and columns: one for 8 bytes of text, or so
    Positions,
    /// All of them, against an earlier build: see `cargo xtask race`
    Before,
}

impl Group {
    pub fn operations(self) -> Vec<&'static Operation> {
        match self {
            Self::Core => {
                let streams = stream::REFUSING.iter().chain(stream::REPLACING);
                FREE.iter().chain(REFUSING).chain(lossy::OPERATIONS).chain(streams).collect()
            }
            Self::Latin1 => latin1::OPERATIONS.iter().collect(),
            Self::Utf32 => utf32::OPERATIONS.iter().collect(),
            Self::Narrowest => narrowest::OPERATIONS.iter().collect(),
            Self::Wtf8 => wtf8::OPERATIONS.iter().collect(),
            Self::Columns => columns::REFUSING.iter().chain(columns::REPLACING).collect(),
            Self::Positions => positions::OPERATIONS.iter().collect(),
            Self::Before => Vec::new(),
        }
    }

    /// The languages by default.
    pub fn takes(self, language: &str) -> bool {
        let languages: &[&str] = match self {
            Self::Core => return !["latin1", "euro", "nul", "sparse"].iter().any(|it| language.starts_with(it)),
            Self::Latin1 => &["english", "accents", "latin1-1%", "latin1-30%", "latin1-100%"],
            Self::Utf32 => &["english", "french", "russian", "chinese", "emoji", "chat"],
            Self::Narrowest => &["english", "latin1-1%", "latin1-30%", "euro", "russian", "chinese", "emoji"],
            Self::Wtf8 => &["english", "french", "russian", "chinese", "chat", "emoji", "nul"],
            Self::Columns => &["english", "russian", "chinese", "mix"],
            Self::Positions => &["english", "accents", "russian", "chinese", "mix"],
            // One of each kind that kernels tell apart.
            Self::Before => &["english", "french", "latin1-30%", "russian", "chinese", "emoji", "mix"],
        };
        languages.contains(&language)
    }

    /// The sizes by default.
    pub fn sizes(self) -> &'static str {
        match self {
            Self::Core => Size::ALL,
            Self::Columns => Size::ROWS,
            Self::Positions => Size::DOCUMENTS,
            Self::Before => Size::BUILDS,
            _ => Size::FEW,
        }
    }
}

/// The contenders in one operation on one set of windows.
pub struct Field<'a, O> {
    isa: O,
    size: Size,
    /// Per cent of the text that are ill-formed.
    corrupt: f64,
    windows: &'a Windows<'a>,
    /// The output of all conversions, the same for all, so that none has an advantage.
    dst: &'a RefCell<Arena>,
    pub contenders: Vec<Contender<'a>>,
}

/// Our own strict operation, in a race of lossy ones.
const STRICT: &str = "strict";

impl<'a, O: Ours> Field<'a, O> {
    fn ours<T: Answer>(&mut self, operation: impl FnMut(usize) -> T + 'a) {
        self.enter("fastutf", Role::Ours, Value(operation));
    }

    fn peer<T: Answer>(&mut self, name: &'static str, operation: impl FnMut(usize) -> T + 'a) {
        self.enter(name, Role::Peer, Value(operation));
    }

    fn limit<T: Answer>(&mut self, name: &'static str, operation: impl FnMut(usize) -> T + 'a) {
        self.enter(name, Role::Limit, Value(operation));
    }

    fn ours_into(&mut self, convert: impl FnMut(usize, &mut [u16]) -> usize + 'a) {
        self.enter("fastutf", Role::Ours, Filling { dst: self.dst, convert });
    }

    fn peer_into(&mut self, name: &'static str, convert: impl FnMut(usize, &mut [u16]) -> usize + 'a) {
        self.enter(name, Role::Peer, Filling { dst: self.dst, convert });
    }

    fn limit_into(&mut self, name: &'static str, convert: impl FnMut(usize, &mut [u16]) -> usize + 'a) {
        self.enter(name, Role::Limit, Filling { dst: self.dst, convert });
    }

    fn rows(&mut self, name: &'static str, role: Role, convert: impl FnMut(Range<usize>, &mut Output) + 'a) {
        self.enter(name, role, OfRows { convert, output: Output::default() });
    }

    fn enter(&mut self, name: &'static str, role: Role, run: impl Run + 'a) {
        let least = match name {
            STRICT => 64,
            // The limits are those of caches and memory. On short strings, the last few bytes of a plain loop matter
            // more.
            "whole" | "validate_utf8" => 1 << 10,
            _ => 0,
        };
        if self.size.most() >= least {
            self.contenders.push(Contender { name, role, run: Box::new(run) });
        }
    }
}

/// A list of operations that race only as methods of an instruction set: input, texts, and the contenders. The name of each
/// is that of the function that enters them.
macro_rules! operations {
    ($list:ident, lossy: $lossy:literal; $(
        $(#[$doc:meta])* $name:ident($input:ident, $takes:ident): $field:ident $(, $var:ident = $value:expr)* => $body:block
    )*) => {
        pub const $list: &[$crate::operation::Operation] = &[$($crate::operation::Operation {
            name: stringify!($name),
            input: $crate::windows::Input::$input,
            takes: $takes,
            lossy: $lossy,
            enter: $name,
            enter_free: None,
        }),*];
        $($(#[$doc])* fn $name($field: &mut $crate::operation::Field<fastutf::Isa>) {
            $(let $var = $value;)*
            $body
        })*
    };
}
use operations;

fn bytes(units: &[u16]) -> &[u8] {
    bytemuck::must_cast_slice(units)
}

fn bytes_mut(units: &mut [u16]) -> &mut [u8] {
    bytemuck::must_cast_slice_mut(units)
}

fn all(_: Class, _: &str) -> bool {
    true
}

/// For operations that stop at once on any other text.
fn ascii(class: Class, _: &str) -> bool {
    class == Class::Ascii
}

/// For operations whose speed does not depend on the text.
fn any(class: Class, _: &str) -> bool {
    matches!(class, Class::Ascii | Class::Cjk)
}

/// For operations on text that is in Latin-1.
fn narrow(_: Class, text: &str) -> bool {
    text.chars().all(|char| char <= '\u{FF}')
}

impl Operation {
    /// All contenders on strings of this size, of which this percentage is ill-formed.
    pub fn contenders<'a>(
        &self,
        whose: Whose,
        (size, corrupt): (Size, f64),
        windows: &'a Windows<'a>,
        dst: &'a RefCell<Arena>,
    ) -> Vec<Contender<'a>> {
        macro_rules! entered {
            ($isa:expr, $enter:expr) => {{
                let contenders = Vec::new();
                let mut field = Field { isa: $isa, size, corrupt, windows, dst, contenders };
                $enter(&mut field);
                field.contenders
            }};
        }
        match whose {
            Whose::Of(isa) => entered!(isa, self.enter),
            Whose::Free => entered!(Free, self.enter_free.expect("it races only if it has one")),
        }
    }
}

/// Some peers support only native code units: UTF-16LE on a little-endian machine. Other machines are not measured.
const FREE: [Operation; 9] = [
    free("validate_utf8", Input::Utf8, validate_utf8, validate_utf8),
    free("utf8_to_utf16le", Input::Utf8, utf8_to_utf16le, utf8_to_utf16le),
    free("utf16le_to_utf8", Input::Utf16le, utf16le_to_utf8, utf16le_to_utf8),
    free("utf8_to_utf16be", Input::Utf8, utf8_to_utf16be, utf8_to_utf16be),
    free("utf8_to_utf16", Input::Utf8, utf8_to_utf16, utf8_to_utf16),
    free("utf16be_to_utf8", Input::Utf16be, utf16be_to_utf8, utf16be_to_utf8),
    free("reject_at_start", Input::Utf8, |field| reject(field, |_| 0), |field| reject(field, |_| 0)),
    free(
        "reject_at_half",
        Input::Utf8,
        |field| reject(field, |len| len / 2),
        |field| reject(field, |len| len / 2),
    ),
    free("reject_at_end", Input::Utf8, |field| reject(field, |len| len - 1), |field| reject(field, |len| len - 1)),
];

/// An operation that also races as a free function.
const fn free(
    name: &'static str,
    input: Input,
    enter: fn(&mut Field<Isa>),
    free: fn(&mut Field<Free>),
) -> Operation {
    Operation { name, input, takes: all, lossy: false, enter, enter_free: Some(free) }
}

operations! { REFUSING, lossy: false;
    utf8_info(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.utf8_info(src[i]).map_or(0, |found| info(found.chars, found.utf16_len)));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| {
            if !simdutf::validate_utf8(src[i]) {
                return 0;
            }
            info(simdutf::count_utf8(src[i]), simdutf::utf16_length_from_utf8(src[i]))
        });
        // Not a limit of the machine, but of ours: this shows the cost of counting.
        field.limit("validate_utf8", move |i| isa.validate_utf8(src[i]).is_ok());
        field.peer("std", move |i| {
            let text = as_str(src[i]);
            info(text.chars().count(), text.encode_utf16().count())
        });
    }
    validate_utf16le(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours(move |i| isa.validate_utf16le(bytes(src[i])).is_ok());
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::validate_utf16le(src[i]));
        field.peer("encoding_rs", move |i| mem::utf16_valid_up_to(src[i]) == src[i].len());
        field.peer("std", move |i| char::decode_utf16(src[i].iter().copied()).all(|char| char.is_ok()));
    }
    utf16_len_from_utf8(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.utf16_len_from_utf8(src[i]));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::utf16_length_from_utf8(src[i]));
        field.peer("std", move |i| known_str(src[i]).encode_utf16().count());
    }
    utf8_len_from_utf16le(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours(move |i| isa.utf8_len_from_utf16le(bytes(src[i])));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::utf8_length_from_utf16le(src[i]));
        field.peer("std", move |i| {
            char::decode_utf16(src[i].iter().copied()).map(|char| char.map_or(3, char::len_utf8)).sum::<usize>()
        });
    }
    count_chars_utf8(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.count_chars_utf8(src[i]));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::count_utf8(src[i]));
        field.peer("std", move |i| known_str(src[i]).chars().count());
    }
    count_chars_utf16le(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours(move |i| isa.count_chars_utf16le(bytes(src[i])));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::count_utf16le(src[i]));
        field.peer("std", move |i| char::decode_utf16(src[i].iter().copied()).count());
    }
    is_ascii(Utf8, ascii): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.is_ascii(src[i]));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| simdutf::validate_ascii(src[i]));
        field.peer("encoding_rs", move |i| Encoding::ascii_valid_up_to(src[i]) == src[i].len());
        field.peer("std", move |i| src[i].is_ascii());
    }
    swap_utf16_bytes_into(Utf16le, any): field, isa = field.isa, src = &field.windows.utf16le => {
        field.ours_into(move |i, dst| {
            isa.swap_utf16_bytes_into(bytes(src[i]), bytes_mut(&mut dst[..src[i].len()]));
            2 * src[i].len()
        });
        #[cfg(feature = "simdutf")]
        field.peer_into("simdutf", move |i, dst| {
            let dst = &mut dst[..src[i].len()];
            // SAFETY: `dst` has the length of the source.
            unsafe { simdutf::change_endianness_utf16(src[i].as_ptr(), src[i].len(), dst.as_mut_ptr()) };
            2 * src[i].len()
        });
        field.peer_into("std", move |i, dst| fill(dst, src[i].iter().map(|unit| unit.swap_bytes())));
    }
    to_utf16(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours(move |i| isa.to_utf16(known_str(src[i])));
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| {
            let mut units = Vec::with_capacity(simdutf::utf16_length_from_utf8(src[i]));
            // SAFETY: there is exactly as much room as the text needs, and `written` units of it are filled.
            unsafe {
                let written = simdutf::convert_utf8_to_utf16(src[i].as_ptr(), src[i].len(), units.as_mut_ptr());
                units.set_len(written);
            }
            units
        });
        field.peer("std", move |i| known_str(src[i]).encode_utf16().collect::<Vec<u16>>());
    }
    from_utf16(Utf16le, all): field, isa = field.isa, src = &field.windows.utf16le => {
        let valid = "windows hold valid text";
        field.ours(move |i| isa.from_utf16(src[i]).expect(valid).into_bytes());
        #[cfg(feature = "simdutf")]
        field.peer("simdutf", move |i| {
            let mut text = Vec::with_capacity(simdutf::utf8_length_from_utf16(src[i]));
            // SAFETY: there is exactly as much room as the text needs, and `written` bytes of it are filled.
            unsafe {
                let written = simdutf::convert_utf16_to_utf8(src[i].as_ptr(), src[i].len(), text.as_mut_ptr());
                text.set_len(written);
            }
            text
        });
        field.peer("std", move |i| String::from_utf16(src[i]).expect(valid).into_bytes());
    }
}

/// Enters a conversion of simdutf into so many code units at the most for each one of the source. A macro, since a
/// function pointer would cost it a jump on every call.
#[cfg(feature = "simdutf")]
macro_rules! enter_simdutf {
    ($field:ident, |$i:ident| $src:expr, $convert:ident, $unit:ty, $most:literal) => {
        $field.peer_into("simdutf", move |$i, dst| {
            let (src, dst): (&[_], &mut [$unit]) = ($src, bytemuck::cast_slice_mut(dst));
            assert!(dst.len() >= $most * src.len());
            // SAFETY: there is enough room.
            size_of::<$unit>() * unsafe { simdutf::$convert(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
        });
    };
}
#[cfg(not(feature = "simdutf"))]
macro_rules! enter_simdutf {
    ($($tokens:tt)*) => {};
}
use enter_simdutf;

fn validate_utf8(field: &mut Field<impl Ours>) {
    let (isa, src) = (field.isa, &field.windows.utf8);
    field.ours(move |i| isa.validate_utf8(src[i]).is_ok());
    #[cfg(feature = "simdutf")]
    field.peer("simdutf", move |i| simdutf::validate_utf8(src[i]));
    // encoding_rs also calls simdutf8, except for short strings.
    match isa.isa().name() {
        "avx512" | "avx2" | "neon" | "simd128" => {
            field.peer("simdutf8", move |i| simdutf8::basic::from_utf8(src[i]).is_ok());
        }
        #[cfg(target_arch = "x86_64")]
        "sse4.1" if is_x86_feature_detected!("sse4.2") => {
            use simdutf8::basic::imp::x86::sse42::validate_utf8;
            field.peer("simdutf8", move |i| {
                // SAFETY: SSE 4.2 has just been detected.
                unsafe { validate_utf8(src[i]) }.is_ok()
            });
        }
        _ => {}
    }
    // Made for short strings. From 128 bytes on it calls simdutf8, and that uses AVX2, whatever the row says.
    if field.size.most() < 128 || field.size.most() <= 256 && matches!(isa.isa().name(), "avx512" | "avx2") {
        field.peer("smoothutf8", move |i| smoothutf8::verify(src[i]));
    }
    field.peer("std", move |i| std::str::from_utf8(src[i]).is_ok());
}

/// Validation of text with one byte that no UTF-8 has, at this place, and where it is.
fn reject(field: &mut Field<impl Ours>, place: fn(usize) -> usize) {
    let spoiled = |text: &&[u8]| [&text[..place(text.len())], b"\xFF", &text[place(text.len()) + 1..]].concat();
    let (isa, src) = (field.isa, Rc::new(Pieces::new(field.windows.utf8.iter().map(spoiled))));
    macro_rules! enter {
        ($enter:ident($($name:literal)?): $validate:expr) => {{
            let src = Rc::clone(&src);
            field.$enter($($name,)? move |i| $validate(&src[i]).map_or_else(|error| error.valid_up_to(), |_| usize::MAX));
        }};
    }
    enter!(ours(): |src| isa.validate_utf8(src));
    #[cfg(feature = "simdutf")]
    field.peer("simdutf", {
        let src = Rc::clone(&src);
        move |i| simdutf::validate_utf8_with_errors(&src[i]).count
    });
    enter!(peer("simdutf8"): simdutf8::compat::from_utf8);
    enter!(peer("std"): std::str::from_utf8);
}

/// All the information as one number.
fn info(chars: usize, utf16_len: usize) -> usize {
    chars.wrapping_mul(1 << 16).wrapping_add(utf16_len)
}

fn utf8_to_utf16le(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf8, &field.windows.utf16le);
    field.ours_into(move |i, dst| isa.utf8_to_utf16le(src[i], bytes_mut(&mut dst[..result[i].len()])).written);
    enter_simdutf!(field, |i| src[i], convert_utf8_to_utf16le, u16, 1);
    to_native_utf16_by_others(field);
}

fn utf8_to_utf16(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf8, &field.windows.utf16le);
    field.ours_into(move |i, dst| 2 * isa.utf8_to_utf16(src[i], &mut dst[..result[i].len()]).written);
    enter_simdutf!(field, |i| src[i], convert_utf8_to_utf16, u16, 1);
    to_native_utf16_by_others(field);
}

fn to_native_utf16_by_others(field: &mut Field<impl Ours>) {
    let src = &field.windows.utf8;
    field.peer_into("encoding_rs", move |i, dst| 2 * mem::convert_utf8_to_utf16(src[i], dst));
    field.peer_into("std", move |i, dst| fill(dst, as_str(src[i]).encode_utf16()));
}

fn utf8_to_utf16be(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf8, &field.windows.utf16be);
    field.ours_into(move |i, dst| isa.utf8_to_utf16be(src[i], bytes_mut(&mut dst[..result[i].len()])).written);
    enter_simdutf!(field, |i| src[i], convert_utf8_to_utf16be, u16, 1);
    field.peer_into("std", move |i, dst| fill(dst, as_str(src[i]).encode_utf16().map(u16::to_be)));
}

fn utf16le_to_utf8(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf16le, &field.windows.utf8);
    field.ours_into(move |i, dst| {
        isa.utf16le_to_utf8(bytes(src[i]), &mut bytes_mut(dst)[..result[i].len()]).written
    });
    enter_simdutf!(field, |i| src[i], convert_utf16le_to_utf8, u8, 3);
    field.peer_into("encoding_rs", move |i, dst| mem::convert_utf16_to_utf8(src[i], bytes_mut(dst)));
    field.peer_into("std", move |i, dst| encode(decoded(src[i].iter().copied()), bytes_mut(dst)));
}

fn utf16be_to_utf8(field: &mut Field<impl Ours>) {
    let (isa, src, result) = (field.isa, &field.windows.utf16be, &field.windows.utf8);
    field.ours_into(move |i, dst| {
        isa.utf16be_to_utf8(bytes(src[i]), &mut bytes_mut(dst)[..result[i].len()]).written
    });
    enter_simdutf!(field, |i| src[i], convert_utf16be_to_utf8, u8, 3);
    field.peer_into("encoding_rs", move |i, dst| {
        let mut decoder = UTF_16BE.new_decoder_without_bom_handling();
        decoder.decode_to_utf8_without_replacement(bytes(src[i]), bytes_mut(dst), true).2
    });
    field.peer_into("std", move |i, dst| {
        encode(decoded(src[i].iter().map(|&unit| u16::from_be(unit))), bytes_mut(dst))
    });
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

/// Writes characters, and returns the number of bytes.
fn encode(chars: impl Iterator<Item = char>, dst: &mut [u8]) -> usize {
    let mut written = 0;
    for char in chars {
        written += char.encode_utf8(&mut dst[written..]).len();
    }
    written
}

/// Writes code units, and returns the number of bytes.
fn fill<T>(dst: &mut [T], units: impl Iterator<Item = T>) -> usize {
    size_of::<T>() * dst.iter_mut().zip(units).map(|(to, unit)| *to = unit).count()
}

/// The characters of well-formed UTF-16.
fn decoded(units: impl Iterator<Item = u16>) -> impl Iterator<Item = char> {
    char::decode_utf16(units).map(|char| char.expect("windows hold valid text"))
}
