//! Every pair of forms of text, with the functions that convert from one to the other, so that a test can call them all.

use std::ops::Range;

use fastutf::{Conversion, Isa, LossyConversion, Stop};

use super::oracle::form::{End, Form};

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

    /// All of it.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.u8s.clone();
        bytes.extend(self.u16s.iter().flat_map(|unit| unit.to_ne_bytes()));
        bytes.extend(self.u32s.iter().flat_map(|unit| unit.to_ne_bytes()));
        bytes
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

/// The code units of a function's source or destination.
pub trait Unit: Sized {
    /// All of them.
    fn of(text: &Text) -> &[Self];
    /// Room for them.
    fn room(text: &mut Text) -> &mut [Self];
}

macro_rules! unit {
    ($($unit:ty, $units:ident;)*) => {$(
        impl Unit for $unit {
            fn of(text: &Text) -> &[Self] {
                &text.$units
            }

            fn room(text: &mut Text) -> &mut [Self] {
                &mut text.$units
            }
        }
    )*};
}
unit! { u8, u8s; u16, u16s; u32, u32s; }

/// What a conversion reports; lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub end: End,
}

/// A conversion of a text into these bytes of the room.
pub type Convert = Box<dyn Fn(Isa, &Text, &mut Text, Range<usize>) -> Report>;

/// The number of code units of the result, for well-formed text that fits.
pub type Len = fn(Isa, &Text) -> usize;

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

fn run<S: Unit, D: Unit>(
    src: &Text,
    dst: &mut Text,
    room: Range<usize>,
    convert: impl FnOnce(&[S], &mut [D]) -> Report,
) -> Report {
    let room = room.start / size_of::<D>()..room.end / size_of::<D>();
    let out = convert(S::of(src), &mut D::room(dst)[room]);
    Report { read: out.read * size_of::<S>(), written: out.written * size_of::<D>(), ..out }
}

/// Reports of strict conversions.
pub fn told<E>(out: Conversion<E>) -> Report {
    let end = match out.stop {
        Stop::Complete => End::Complete,
        Stop::OutputFull => End::OutputFull,
        Stop::Invalid(_) => End::Invalid,
    };
    Report { read: out.read, written: out.written, replacements: 0, end }
}

fn told_lossy(out: LossyConversion) -> Report {
    let end = if out.is_complete() { End::Complete } else { End::OutputFull };
    Report { read: out.read, written: out.written, replacements: out.replacements, end }
}

/// A function with its name, or `_` where there is none: `strict!(u8 => u16, utf8_to_utf16)`.
macro_rules! strict {
    ($from:ty => $to:ty, _) => {
        None
    };
    ($from:ty => $to:ty, $name:ident) => {
        Some((
            stringify!($name),
            Box::new(|isa, src, dst, room| {
                run::<$from, $to>(src, dst, room, |src, dst| told(isa.$name(src, dst)))
            }),
        ))
    };
}

/// The same for functions that replace. Those to Latin-1 take what stands for other characters.
macro_rules! lossy {
    ($from:ty => $to:ty, _) => {
        None
    };
    ($from:ty => $to:ty, $name:ident $(, $replacement:literal)?) => {
        Some((
            stringify!($name),
            Box::new(|isa, src, dst, room| {
                run::<$from, $to>(src, dst, room, |src, dst| told_lossy(isa.$name(src, $($replacement,)? dst)))
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
        Some((stringify!($name), |isa, src| isa.$name(<$from>::of(src))))
    };
}

/// Pairs, each with the types of its units, and the functions that are strict, lossy, and for the length.
macro_rules! pairs {
    ($($from:ident $src:ty => $to:ident $dst:ty:
        $strict:tt, $lossy:tt $(($replacement:literal))?, $len:tt $(, $lossy_len:ident)?;)*) => {
        vec![$(Pair {
            from: Form::$from,
            to: Form::$to,
            strict: strict!($src => $dst, $strict),
            lossy: lossy!($src => $dst, $lossy $(, $replacement)?),
            len: len!($src, $len),
            lossy_len: len!($src, $($lossy_len)?),
        }),*]
    };
}

/// All of them.
pub fn pairs() -> Vec<Pair> {
    let all = [
        pairs! {
            Utf8 u8 => Utf8 u8: _, utf8_to_utf8_lossy, _, utf8_len_from_utf8_lossy;
            Utf8 u8 => Utf16 u16: utf8_to_utf16, utf8_to_utf16_lossy, utf16_len_from_utf8, utf16_len_from_utf8_lossy;
            Utf8 u8 => Utf16Le u8: utf8_to_utf16le, utf8_to_utf16le_lossy, utf16_len_from_utf8, utf16_len_from_utf8_lossy;
            Utf8 u8 => Utf16Be u8: utf8_to_utf16be, utf8_to_utf16be_lossy, utf16_len_from_utf8, utf16_len_from_utf8_lossy;
            Utf16 u16 => Utf8 u8: utf16_to_utf8, utf16_to_utf8_lossy, utf8_len_from_utf16, utf8_len_from_utf16_lossy;
            Utf16Le u8 => Utf8 u8: utf16le_to_utf8, utf16le_to_utf8_lossy, utf8_len_from_utf16le, utf8_len_from_utf16le_lossy;
            Utf16Be u8 => Utf8 u8: utf16be_to_utf8, utf16be_to_utf8_lossy, utf8_len_from_utf16be, utf8_len_from_utf16be_lossy;
        },
        #[cfg(feature = "utf32")]
        pairs! {
            Utf8 u8 => Utf32 u32: utf8_to_utf32, utf8_to_utf32_lossy, count_chars_utf8;
            Utf8 u8 => Utf32Le u8: utf8_to_utf32le, utf8_to_utf32le_lossy, count_chars_utf8;
            Utf8 u8 => Utf32Be u8: utf8_to_utf32be, utf8_to_utf32be_lossy, count_chars_utf8;
            Utf16 u16 => Utf32 u32: utf16_to_utf32, utf16_to_utf32_lossy, count_chars_utf16;
            Utf16Le u8 => Utf32Le u8: utf16le_to_utf32le, utf16le_to_utf32le_lossy, count_chars_utf16le;
            Utf16Be u8 => Utf32Be u8: utf16be_to_utf32be, utf16be_to_utf32be_lossy, count_chars_utf16be;
            Utf32 u32 => Utf8 u8: utf32_to_utf8, utf32_to_utf8_lossy, utf8_len_from_utf32, utf8_len_from_utf32_lossy;
            Utf32Le u8 => Utf8 u8: utf32le_to_utf8, utf32le_to_utf8_lossy, utf8_len_from_utf32le, utf8_len_from_utf32le_lossy;
            Utf32Be u8 => Utf8 u8: utf32be_to_utf8, utf32be_to_utf8_lossy, utf8_len_from_utf32be, utf8_len_from_utf32be_lossy;
            Utf32 u32 => Utf16 u16: utf32_to_utf16, utf32_to_utf16_lossy, utf16_len_from_utf32, utf16_len_from_utf32_lossy;
            Utf32Le u8 => Utf16Le u8: utf32le_to_utf16le, utf32le_to_utf16le_lossy, utf16_len_from_utf32le, utf16_len_from_utf32le_lossy;
            Utf32Be u8 => Utf16Be u8: utf32be_to_utf16be, utf32be_to_utf16be_lossy, utf16_len_from_utf32be, utf16_len_from_utf32be_lossy;
        },
        #[cfg(feature = "latin1")]
        pairs! {
            Utf8 u8 => Latin1 u8: utf8_to_latin1, utf8_to_latin1_lossy (b'?'), count_chars_utf8;
            Utf16 u16 => Latin1 u8: utf16_to_latin1, utf16_to_latin1_lossy (b'?'), count_chars_utf16;
            Utf16Le u8 => Latin1 u8: utf16le_to_latin1, utf16le_to_latin1_lossy (b'?'), count_chars_utf16le;
            Utf16Be u8 => Latin1 u8: utf16be_to_latin1, utf16be_to_latin1_lossy (b'?'), count_chars_utf16be;
            Latin1 u8 => Utf8 u8: latin1_to_utf8, _, utf8_len_from_latin1;
            Latin1 u8 => Utf16 u16: latin1_to_utf16, _, _;
            Latin1 u8 => Utf16Le u8: latin1_to_utf16le, _, _;
            Latin1 u8 => Utf16Be u8: latin1_to_utf16be, _, _;
        },
        #[cfg(all(feature = "latin1", feature = "utf32"))]
        pairs! {
            Latin1 u8 => Utf32 u32: latin1_to_utf32, _, _;
            Latin1 u8 => Utf32Le u8: latin1_to_utf32le, _, _;
            Latin1 u8 => Utf32Be u8: latin1_to_utf32be, _, _;
            Utf32 u32 => Latin1 u8: utf32_to_latin1, utf32_to_latin1_lossy (b'?'), _;
            Utf32Le u8 => Latin1 u8: utf32le_to_latin1, utf32le_to_latin1_lossy (b'?'), _;
            Utf32Be u8 => Latin1 u8: utf32be_to_latin1, utf32be_to_latin1_lossy (b'?'), _;
        },
        #[cfg(feature = "mutf8")]
        pairs! {
            Utf16 u16 => Wtf8 u8: utf16_to_wtf8, _, wtf8_len_from_utf16;
            Utf16Le u8 => Wtf8 u8: utf16le_to_wtf8, _, wtf8_len_from_utf16le;
            Utf16Be u8 => Wtf8 u8: utf16be_to_wtf8, _, wtf8_len_from_utf16be;
            Wtf8 u8 => Utf16 u16: wtf8_to_utf16, _, utf16_len_from_wtf8;
            Wtf8 u8 => Utf16Le u8: wtf8_to_utf16le, _, utf16_len_from_wtf8;
            Wtf8 u8 => Utf16Be u8: wtf8_to_utf16be, _, utf16_len_from_wtf8;
            Wtf8 u8 => Utf8 u8: _, wtf8_to_utf8_lossy, _;
            Utf8 u8 => Mutf8 u8: utf8_to_mutf8, _, mutf8_len_from_utf8;
            Utf16 u16 => Mutf8 u8: utf16_to_mutf8, _, mutf8_len_from_utf16;
            Mutf8 u8 => Utf8 u8: mutf8_to_utf8, mutf8_to_utf8_lossy, utf8_len_from_mutf8;
            Mutf8 u8 => Utf16 u16: mutf8_to_utf16, _, utf16_len_from_mutf8;
        },
    ];
    all.into_iter().flatten().collect()
}

/// A function that looks for the first part of a text that another form does not have, or that is ill-formed: it returns how
/// many bytes are before that, or all.
pub struct Search {
    pub from: Form,
    pub to: Form,
    pub name: &'static str,
    pub search: fn(Isa, &Text) -> usize,
}

macro_rules! searches {
    ($($from:ident $src:ty => $to:ident: $($name:ident)*;)*) => {
        vec![$($(Search {
            from: Form::$from,
            to: Form::$to,
            name: stringify!($name),
            search: |isa, src| {
                let src = <$src>::of(src);
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
        #[cfg(feature = "latin1")]
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
