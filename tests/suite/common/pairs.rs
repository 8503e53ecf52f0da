//! Every pair of forms of text, with the functions that convert from one to the other, so that a test can call them all.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::ops::Range;

use fastutf::{Conversion, Isa, LossyConversion, Stop};

use super::hex;
use super::oracle::form::{Converted, End, Form};
use super::room::Parts;

/// A text, or room for one, as functions take it: in one of these, by the type of its code units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    u8s: Vec<u8>,
    u16s: Vec<u16>,
    u32s: Vec<u32>,
}

impl Text {
    /// Bytes, which are code units of the machine's order in forms that have them.
    pub fn new(form: Form, bytes: &[u8]) -> Self {
        let mut text = Self::default();
        match form {
            Form::Utf16 => text.u16s = units(bytes, u16::from_ne_bytes),
            Form::Utf32 => text.u32s = units(bytes, u32::from_ne_bytes),
            _ => text.u8s = bytes.to_vec(),
        }
        text
    }

    /// All of it, aligned as its units.
    pub fn view(&self) -> &[u8] {
        match (&self.u16s[..], &self.u32s[..]) {
            ([], []) => &self.u8s,
            (units @ [_, ..], _) => as_bytes(units),
            (_, units) => as_bytes(units),
        }
    }

    /// The same to write to.
    pub fn view_mut(&mut self) -> &mut [u8] {
        match (&mut self.u16s[..], &mut self.u32s[..]) {
            ([], []) => &mut self.u8s,
            // SAFETY: the bytes of numbers, and any bytes are numbers.
            (units @ [_, ..], _) => unsafe { units.align_to_mut().1 },
            // SAFETY: as above.
            (_, units) => unsafe { units.align_to_mut().1 },
        }
    }

    /// Makes this the starts of these texts, of so many bytes each, one after another.
    pub fn join(&mut self, parts: [(&Self, usize); 3]) {
        fn append<T: Copy>(all: &mut Vec<T>, more: &[T], len: usize) {
            all.extend_from_slice(&more[..more.len().min(len / size_of::<T>())]);
        }
        self.u8s.clear();
        self.u16s.clear();
        self.u32s.clear();
        for (part, len) in parts {
            append(&mut self.u8s, &part.u8s, len);
            append(&mut self.u16s, &part.u16s, len);
            append(&mut self.u32s, &part.u32s, len);
        }
    }

    /// Overwrites these bytes, so that what is found there later has been written.
    pub fn wipe(&mut self, range: &Range<usize>) {
        fn wipe<T: Copy>(all: &mut [T], range: &Range<usize>, paint: T) {
            if !all.is_empty() {
                all[range.start / size_of::<T>()..range.end / size_of::<T>()].fill(paint);
            }
        }
        wipe(&mut self.u8s, range, 0x5A);
        wipe(&mut self.u16s, range, 0x5A5A);
        wipe(&mut self.u32s, range, 0x5A5A_5A5A);
    }

    /// Whether so many bytes from `at` on are the start of `other`.
    pub fn has(&self, at: usize, other: &Self, len: usize) -> bool {
        fn same<T: PartialEq>(a: &[T], at: usize, b: &[T], len: usize) -> bool {
            let len = len / size_of::<T>();
            a.is_empty() || a[at / size_of::<T>()..][..len] == b[..len]
        }
        same(&self.u8s, at, &other.u8s, len)
            && same(&self.u16s, at, &other.u16s, len)
            && same(&self.u32s, at, &other.u32s, len)
    }
}

fn units<const N: usize, T>(bytes: &[u8], unit: fn([u8; N]) -> T) -> Vec<T> {
    let (units, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    units.iter().map(|&bytes| unit(bytes)).collect()
}

/// These bytes as code units, without a rest of less than one.
pub fn as_units<T: Copy>(bytes: &[u8]) -> &[T] {
    let whole = &bytes[..bytes.len() / size_of::<T>() * size_of::<T>()];
    // SAFETY: code units are numbers, of which any bytes are one.
    let (before, units, after) = unsafe { whole.align_to() };
    assert!(before.is_empty() && after.is_empty(), "not aligned");
    units
}

/// These code units as bytes.
pub fn as_bytes<T: Copy>(units: &[T]) -> &[u8] {
    // SAFETY: the bytes of numbers are bytes.
    unsafe { units.align_to().1 }
}

/// Bytes as code units to write to.
pub fn as_units_mut<T: Copy>(bytes: &mut [u8]) -> &mut [T] {
    let whole = bytes.len() / size_of::<T>() * size_of::<T>();
    // SAFETY: as above, and the bytes of any number are bytes.
    let (before, units, after) = unsafe { bytes[..whole].align_to_mut() };
    assert!(before.is_empty() && after.is_empty(), "not aligned");
    units
}

/// What a conversion reports; lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub end: End,
}

/// A conversion of bytes, aligned as the units of the form, into such bytes. It also returns a number that is different for another
/// error.
pub type Convert = Box<dyn Fn(Isa, &[u8], &mut [u8]) -> (Report, u64)>;

/// The number of code units of the result, for well-formed text that fits.
pub type Len = fn(Isa, &[u8]) -> usize;

/// The functions for a pair, with their names.
pub struct Pair {
    pub from: Form,
    pub to: Form,
    pub strict: Option<(&'static str, Convert)>,
    pub lossy: Option<(&'static str, Convert)>,
    pub len: Option<(&'static str, Len)>,
    /// The same for text that is repaired.
    pub lossy_len: Option<(&'static str, Len)>,
}

fn run<S: Copy, D: Copy>(
    src: &[u8],
    dst: &mut [u8],
    convert: impl FnOnce(&[S], &mut [D]) -> (Report, u64),
) -> (Report, u64) {
    let (out, error) = convert(as_units(src), as_units_mut(dst));
    (Report { read: out.read * size_of::<S>(), written: out.written * size_of::<D>(), ..out }, error)
}

/// Reports of strict conversions.
pub fn told<E: Hash>(out: Conversion<E>) -> (Report, u64) {
    let mut error = DefaultHasher::new();
    let end = match out.stop {
        Stop::Complete => End::Complete,
        Stop::OutputFull => End::OutputFull,
        Stop::Invalid(reason) => {
            reason.hash(&mut error);
            End::Invalid
        }
    };
    (Report { read: out.read, written: out.written, replacements: 0, end }, error.finish())
}

fn told_lossy(out: LossyConversion) -> (Report, u64) {
    let end = if out.is_complete() { End::Complete } else { End::OutputFull };
    (Report { read: out.read, written: out.written, replacements: out.replacements, end }, 0)
}

/// A function with its name, or `_` where there is none: `strict!(u8 => u16, (utf8_to_utf16 …))`.
macro_rules! strict {
    ($from:ty => $to:ty, _) => {
        None
    };
    ($from:ty => $to:ty, ($name:ident $($other:ident)*)) => {
        Some((
            stringify!($name),
            Box::new(|isa, src, dst| run::<$from, $to>(src, dst, |src, dst| told(isa.$name(src, dst)))),
        ))
    };
}

/// The same for functions that replace. Those to Latin-1 take what stands for other characters.
macro_rules! lossy {
    ($from:ty => $to:ty, _) => {
        None
    };
    ($from:ty => $to:ty, ($name:ident $($other:ident)*) $(, $replacement:literal)?) => {
        Some((
            stringify!($name),
            Box::new(|isa, src, dst| {
                run::<$from, $to>(src, dst, |src, dst| told_lossy(isa.$name(src, $($replacement,)? dst)))
            }),
        ))
    };
}

/// The same for lengths: `len!(u8, utf16_len_from_utf8)`.
macro_rules! len {
    ($from:ty, $(_)?) => {
        None
    };
    ($from:ty, $name:ident) => {
        Some((stringify!($name), |isa, src| isa.$name(as_units::<$from>(src))))
    };
}

/// Adds the rows of `every_conversion!` to a list.
macro_rules! add {
    (($all:ident) $module:tt $($from:ident $src:ty => $to:ident $dst:ty:
        $strict:tt, $lossy:tt $(($replacement:literal))?, $len:tt $(, $lossy_len:ident)?;)*) => {
        $all.extend([$(Pair {
            from: Form::$from,
            to: Form::$to,
            strict: strict!($src => $dst, $strict),
            lossy: lossy!($src => $dst, $lossy $(, $replacement)?),
            len: len!($src, $len),
            lossy_len: len!($src, $($lossy_len)?),
        }),*]);
    };
}

/// All of them.
pub fn pairs() -> Vec<Pair> {
    let mut all = Vec::new();
    every_conversion!(add(all));
    all
}

/// Those that the oracles do not know. They are tested between guard pages only.
#[cfg_attr(not(unix), allow(dead_code))]
pub fn other_pairs() -> Vec<Pair> {
    #[allow(unused_mut)]
    let mut all = Vec::new();
    #[cfg(feature = "mutf8")]
    every_conversion_of_android!(add(all));
    all
}

/// What this conversion into `room` bytes comes to, and its error. Nothing around these may change.
#[track_caller]
fn converted(pair: &Pair, convert: &Convert, isa: Isa, src: &[u8], room: usize) -> (Converted, u64) {
    const AROUND: usize = 72;
    let paint: Vec<u8> = (0..room + 2 * AROUND).map(|at| (at % 251) as u8 ^ 0xA5).collect();
    let mut dst = Text::new(pair.to, &paint);
    let (out, error) = convert(isa, src, &mut dst.view_mut()[AROUND..AROUND + room]);
    let Report { read, written, replacements, end } = out;
    assert!(written <= room, "written {written} of {room}");
    let all = dst.view();
    for at in (0..AROUND).chain(AROUND + room..all.len()) {
        assert_eq!(all[at], paint[at], "changed at {at}, of which {AROUND} are before {room} bytes of room");
    }
    (Converted { read, bytes: all[AROUND..][..written].to_vec(), replacements, end }, error)
}

/// Compares a pair with the oracle on these instruction sets, on one text, aligned as its units, with this room and what is just
/// enough. Errors are compared with each other.
#[track_caller]
pub fn check(pair: &Pair, isas: &[Isa], src: &[u8], room: usize, parts: &Parts) {
    let (from, to) = (pair.from, pair.to);
    let items = from.items_for(to, src);
    let whole = to.lossy(&items, usize::MAX).bytes.len();
    let rooms = [room, whole.saturating_sub(to.unit()), whole];
    let of = |name: &str, isa: Isa, room: usize| format!("{isa}, {name}: {} into {room}", hex(src));
    for room in rooms.map(|room| room / to.unit() * to.unit()) {
        for (function, expect) in [(&pair.strict, Form::strict as fn(_, _, _) -> _), (&pair.lossy, Form::lossy)] {
            let (true, Some((name, convert))) = (parts.has_next(), function) else { continue };
            let (expected, mut first) = (expect(to, &items, room), None);
            for &isa in isas {
                let (found, error) = converted(pair, convert, isa, src, room);
                assert_eq!(found, expected, "{}", of(name, isa, room));
                assert_eq!(error, *first.get_or_insert(error), "another error: {}", of(name, isa, room));
            }
        }
    }
    let (true, Some((name, len))) = (parts.has_next(), pair.len) else { return };
    let all = to.strict(&items, usize::MAX);
    if all.end == End::Complete {
        for &isa in isas {
            assert_eq!(to.unit() * len(isa, src), all.bytes.len(), "{}", of(name, isa, 0));
        }
    }
}

/// A function that looks for the first part of a text that another form does not have, or that is ill-formed: it returns how
/// many bytes are before that, or all.
pub struct Search {
    pub from: Form,
    pub to: Form,
    pub name: &'static str,
    pub search: fn(Isa, &[u8]) -> usize,
}

macro_rules! searches {
    ($($from:ident $src:ty => $to:ident: $($name:ident)*;)*) => {
        vec![$($(Search {
            from: Form::$from,
            to: Form::$to,
            name: stringify!($name),
            search: |isa, src| {
                let src = as_units::<$src>(src);
                let end = isa.$name(src).map_or_else(|error| error.valid_up_to(), |_| src.len());
                end * size_of::<$src>()
            },
        }),*),*]
    };
}

/// What validates. The other form has all that this one may have.
pub fn searches() -> Vec<Search> {
    let all = [
        searches! {
            Utf8 u8 => Utf8: validate_utf8 utf8_info from_utf8;
            Utf16 u16 => Utf8: validate_utf16;
            Utf16Le u8 => Utf8: validate_utf16le;
            Utf16Be u8 => Utf8: validate_utf16be;
        },
        #[cfg(feature = "utf32")]
        searches! {
            Utf32 u32 => Utf8: validate_utf32 as_chars;
            Utf32Le u8 => Utf8: validate_utf32le;
            Utf32Be u8 => Utf8: validate_utf32be;
        },
        #[cfg(all(feature = "latin1", feature = "alloc"))]
        searches! {
            Utf8 u8 => Utf8: narrowest_from_utf8;
            Utf16 u16 => Utf8: utf16_info narrowest_from_utf16;
            Utf16Le u8 => Utf8: utf16le_info narrowest_from_utf16le;
            Utf16Be u8 => Utf8: utf16be_info narrowest_from_utf16be;
            Utf8 u8 => Latin1: validate_latin1_in_utf8;
            Utf16 u16 => Latin1: validate_latin1_in_utf16;
            Utf16Le u8 => Latin1: validate_latin1_in_utf16le;
            Utf16Be u8 => Latin1: validate_latin1_in_utf16be;
        },
        #[cfg(feature = "mutf8")]
        searches! {
            Wtf8 u8 => Wtf8: validate_wtf8;
            Mutf8 u8 => Mutf8: validate_mutf8;
        },
    ];
    all.into_iter().flatten().collect()
}
