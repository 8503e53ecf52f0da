//! A conversion is a function, and a method of each instruction set; into a slice, into memory that is not initialised, and to
//! the end of what grows. All of these report the same and write the same. Which result is right is the business of other
//! tests.

use std::fmt::Debug;
use std::mem::MaybeUninit;

use fastutf::Isa;

use crate::common::oracle::form::Form;
use crate::common::{Filler, Rng};

/// A text in every form.
struct Text {
    str: String,
    utf8: Vec<u8>,
    utf16: Vec<u16>,
    utf16le: Vec<u8>,
    utf16be: Vec<u8>,
    #[cfg(feature = "latin1")]
    latin1: Vec<u8>,
    #[cfg(feature = "utf32")]
    utf32: Vec<u32>,
    #[cfg(feature = "utf32")]
    utf32le: Vec<u8>,
    #[cfg(feature = "utf32")]
    utf32be: Vec<u8>,
    #[cfg(feature = "mutf8")]
    wtf8: Vec<u8>,
    #[cfg(feature = "mutf8")]
    mutf8: Vec<u8>,
}

impl Text {
    /// A text of these characters, well-formed if `wrong` is `None`, which otherwise is where something is not.
    fn new(str: &str, wrong: Option<usize>) -> Self {
        let encode = |form: Form| {
            let mut bytes = form.encode(str.chars().map(u32::from));
            // No form has this, but Latin-1.
            let unit = form.unit();
            match wrong {
                Some(at) if at < bytes.len() / unit => bytes[at * unit..][..unit].fill(0xDD),
                _ => {}
            }
            bytes
        };
        Self {
            str: str.to_owned(),
            utf8: encode(Form::Utf8),
            utf16: encode(Form::Utf16).as_chunks().0.iter().map(|&unit| u16::from_ne_bytes(unit)).collect(),
            utf16le: encode(Form::Utf16Le),
            utf16be: encode(Form::Utf16Be),
            #[cfg(feature = "latin1")]
            latin1: encode(Form::Utf8),
            #[cfg(feature = "utf32")]
            utf32: encode(Form::Utf32).as_chunks().0.iter().map(|&unit| u32::from_ne_bytes(unit)).collect(),
            #[cfg(feature = "utf32")]
            utf32le: encode(Form::Utf32Le),
            #[cfg(feature = "utf32")]
            utf32be: encode(Form::Utf32Be),
            #[cfg(feature = "mutf8")]
            wtf8: encode(Form::Wtf8),
            #[cfg(feature = "mutf8")]
            mutf8: encode(Form::Mutf8),
        }
    }
}

/// Texts of each kind of characters and of some lengths, well-formed and not.
fn texts() -> Vec<Text> {
    let rng = &mut Rng::new(150);
    let mut texts = Vec::new();
    for filler in Filler::ALL {
        for len in [0, 3, 17, 40, 140, 300, 2000] {
            let text = String::from_utf8(filler.before(len)).unwrap();
            texts.extend([Text::new(&text, None), Text::new(&text, Some(rng.below(len + 1)))]);
            // In which Latin-1 and UTF-16 as well are of the least length.
            let narrow: String = text.chars().map(|c| char::from(c as u8)).collect();
            texts.push(Text::new(&narrow, None));
        }
    }
    texts
}

/// A conversion into a buffer.
type Into<'a, T, R> = &'a dyn Fn(&mut [T]) -> R;

/// Compares the functions of one conversion into a buffer.
#[track_caller]
fn compare<T: Copy + Default + PartialEq, R: PartialEq + Debug>(
    of: (Isa, &str),
    room: usize,
    written: fn(&R) -> usize,
    [method, free]: [Into<T, R>; 2],
    uninit: [Into<MaybeUninit<T>, R>; 2],
) {
    let (mut a, mut b) = (vec![T::default(); room], vec![T::default(); room]);
    let out = method(&mut a);
    assert_eq!(free(&mut b), out, "{of:?} into {room}");
    assert!(a == b, "{of:?} into {room}");
    let expected = &a[..written(&out)];
    for convert in uninit {
        let mut memory = Box::<[T]>::new_uninit_slice(room);
        assert_eq!(convert(&mut memory), out, "{of:?} into {room}");
        // SAFETY: a conversion initialises what it reports as written. If one does not, a tool that watches memory says so
        // here, and otherwise the bytes differ.
        let same = memory.iter().zip(expected).all(|(item, expected)| unsafe { item.assume_init() } == *expected);
        assert!(same, "{of:?} into {room}");
    }
}

/// Compares the functions of these conversions: `utf8, u16, utf8_to_utf16, utf8_to_utf16_uninit, utf8_to_utf16_append`.
macro_rules! forms {
    (
        $texts:ident, $($module:ident)::+;
        $($src:ident, $element:ident, $name:ident, $uninit:ident, $append:ident $(, $argument:literal)?;)*
    ) => {
        for text in &$texts {
            for isa in Isa::available() {
                forms!(@each $texts, text, isa, ($($module)::+); $($src, $element, $name, $uninit, $append $(, $argument)?;)*);
            }
        }
    };
    (
        @each $texts:ident, $text:ident, $isa:ident, $module:tt;
        $($src:ident, $element:ident, $name:ident, $uninit:ident, $append:ident $(, $argument:literal)?;)*
    ) => {$(
        forms!(@one $text, $isa, $module; $src, $element, $name, $uninit, $append $(, $argument)?);
    )*};
    (
        @one $text:ident, $isa:ident, ($($module:ident)::+);
        $src:ident, $element:ident, $name:ident, $uninit:ident, $append:ident $(, $argument:literal)?
    ) => {{
        let (isa, src) = ($isa, &$text.$src[..]);
        let most = 4 * src.len() + 9;
        for room in [most, src.len(), src.len() / 2] {
            compare::<$element, _>(
                (isa, stringify!($name)),
                room,
                |out| out.written,
                [
                    &|dst| isa.$name(src, $($argument,)? dst),
                    &|dst| $($module)::+::$name(src, $($argument,)? dst),
                ],
                [
                    &|dst| isa.$uninit(src, $($argument,)? dst),
                    &|dst| $($module)::+::$uninit(src, $($argument,)? dst),
                ],
            );
        }
        let (mut a, mut b) = (Default::default(), Default::default());
        let out = isa.$append(src, $($argument,)? &mut a);
        assert_eq!($($module)::+::$append(src, $($argument,)? &mut b), out, "{isa}, {}", stringify!($append));
        assert_eq!(a, b, "{isa}, {}", stringify!($append));
    }};
}

#[test]
fn every_form_has_the_same_result() {
    let texts = texts();
    forms! { texts, fastutf;
        str, u16, str_to_utf16, str_to_utf16_uninit, str_to_utf16_append;
        str, u8, str_to_utf16be, str_to_utf16be_uninit, str_to_utf16be_append;
        str, u8, str_to_utf16le, str_to_utf16le_uninit, str_to_utf16le_append;
        utf16, u8, utf16_to_utf8_lossy, utf16_to_utf8_lossy_uninit, utf16_to_utf8_lossy_append;
        utf16, u8, utf16_to_utf8, utf16_to_utf8_uninit, utf16_to_utf8_append;
        utf16be, u8, utf16be_to_utf8_lossy, utf16be_to_utf8_lossy_uninit, utf16be_to_utf8_lossy_append;
        utf16be, u8, utf16be_to_utf8, utf16be_to_utf8_uninit, utf16be_to_utf8_append;
        utf16le, u8, utf16le_to_utf8_lossy, utf16le_to_utf8_lossy_uninit, utf16le_to_utf8_lossy_append;
        utf16le, u8, utf16le_to_utf8, utf16le_to_utf8_uninit, utf16le_to_utf8_append;
        utf8, u16, utf8_to_utf16_lossy, utf8_to_utf16_lossy_uninit, utf8_to_utf16_lossy_append;
        utf8, u16, utf8_to_utf16, utf8_to_utf16_uninit, utf8_to_utf16_append;
        utf8, u8, utf8_to_utf16be_lossy, utf8_to_utf16be_lossy_uninit, utf8_to_utf16be_lossy_append;
        utf8, u8, utf8_to_utf16be, utf8_to_utf16be_uninit, utf8_to_utf16be_append;
        utf8, u8, utf8_to_utf16le_lossy, utf8_to_utf16le_lossy_uninit, utf8_to_utf16le_lossy_append;
        utf8, u8, utf8_to_utf16le, utf8_to_utf16le_uninit, utf8_to_utf16le_append;
        utf8, u8, utf8_to_utf8_lossy, utf8_to_utf8_lossy_uninit, utf8_to_utf8_lossy_append;
    }
    #[cfg(feature = "latin1")]
    forms! { texts, fastutf::latin1;
        latin1, u16, latin1_to_utf16, latin1_to_utf16_uninit, latin1_to_utf16_append;
        latin1, u8, latin1_to_utf16be, latin1_to_utf16be_uninit, latin1_to_utf16be_append;
        latin1, u8, latin1_to_utf16le, latin1_to_utf16le_uninit, latin1_to_utf16le_append;
        latin1, u8, latin1_to_utf8, latin1_to_utf8_uninit, latin1_to_utf8_append;
        utf16, u8, utf16_to_latin1_lossy, utf16_to_latin1_lossy_uninit, utf16_to_latin1_lossy_append, b'?';
        utf16, u8, utf16_to_latin1, utf16_to_latin1_uninit, utf16_to_latin1_append;
        utf16be, u8, utf16be_to_latin1_lossy, utf16be_to_latin1_lossy_uninit, utf16be_to_latin1_lossy_append, b'?';
        utf16be, u8, utf16be_to_latin1, utf16be_to_latin1_uninit, utf16be_to_latin1_append;
        utf16le, u8, utf16le_to_latin1_lossy, utf16le_to_latin1_lossy_uninit, utf16le_to_latin1_lossy_append, b'?';
        utf16le, u8, utf16le_to_latin1, utf16le_to_latin1_uninit, utf16le_to_latin1_append;
        utf8, u8, utf8_to_latin1_lossy, utf8_to_latin1_lossy_uninit, utf8_to_latin1_lossy_append, b'?';
        utf8, u8, utf8_to_latin1, utf8_to_latin1_uninit, utf8_to_latin1_append;
    }
    #[cfg(all(feature = "latin1", feature = "utf32"))]
    forms! { texts, fastutf::utf32;
        latin1, u32, latin1_to_utf32, latin1_to_utf32_uninit, latin1_to_utf32_append;
        latin1, u8, latin1_to_utf32be, latin1_to_utf32be_uninit, latin1_to_utf32be_append;
        latin1, u8, latin1_to_utf32le, latin1_to_utf32le_uninit, latin1_to_utf32le_append;
        utf32, u8, utf32_to_latin1_lossy, utf32_to_latin1_lossy_uninit, utf32_to_latin1_lossy_append, b'?';
        utf32, u8, utf32_to_latin1, utf32_to_latin1_uninit, utf32_to_latin1_append;
        utf32be, u8, utf32be_to_latin1_lossy, utf32be_to_latin1_lossy_uninit, utf32be_to_latin1_lossy_append, b'?';
        utf32be, u8, utf32be_to_latin1, utf32be_to_latin1_uninit, utf32be_to_latin1_append;
        utf32le, u8, utf32le_to_latin1_lossy, utf32le_to_latin1_lossy_uninit, utf32le_to_latin1_lossy_append, b'?';
        utf32le, u8, utf32le_to_latin1, utf32le_to_latin1_uninit, utf32le_to_latin1_append;
    }
    #[cfg(feature = "utf32")]
    forms! { texts, fastutf::utf32;
        utf16, u32, utf16_to_utf32_lossy, utf16_to_utf32_lossy_uninit, utf16_to_utf32_lossy_append;
        utf16, u32, utf16_to_utf32, utf16_to_utf32_uninit, utf16_to_utf32_append;
        utf16be, u8, utf16be_to_utf32be_lossy, utf16be_to_utf32be_lossy_uninit, utf16be_to_utf32be_lossy_append;
        utf16be, u8, utf16be_to_utf32be, utf16be_to_utf32be_uninit, utf16be_to_utf32be_append;
        utf16le, u8, utf16le_to_utf32le_lossy, utf16le_to_utf32le_lossy_uninit, utf16le_to_utf32le_lossy_append;
        utf16le, u8, utf16le_to_utf32le, utf16le_to_utf32le_uninit, utf16le_to_utf32le_append;
        utf32, u16, utf32_to_utf16_lossy, utf32_to_utf16_lossy_uninit, utf32_to_utf16_lossy_append;
        utf32, u16, utf32_to_utf16, utf32_to_utf16_uninit, utf32_to_utf16_append;
        utf32, u8, utf32_to_utf8_lossy, utf32_to_utf8_lossy_uninit, utf32_to_utf8_lossy_append;
        utf32, u8, utf32_to_utf8, utf32_to_utf8_uninit, utf32_to_utf8_append;
        utf32be, u8, utf32be_to_utf16be_lossy, utf32be_to_utf16be_lossy_uninit, utf32be_to_utf16be_lossy_append;
        utf32be, u8, utf32be_to_utf16be, utf32be_to_utf16be_uninit, utf32be_to_utf16be_append;
        utf32be, u8, utf32be_to_utf8_lossy, utf32be_to_utf8_lossy_uninit, utf32be_to_utf8_lossy_append;
        utf32be, u8, utf32be_to_utf8, utf32be_to_utf8_uninit, utf32be_to_utf8_append;
        utf32le, u8, utf32le_to_utf16le_lossy, utf32le_to_utf16le_lossy_uninit, utf32le_to_utf16le_lossy_append;
        utf32le, u8, utf32le_to_utf16le, utf32le_to_utf16le_uninit, utf32le_to_utf16le_append;
        utf32le, u8, utf32le_to_utf8_lossy, utf32le_to_utf8_lossy_uninit, utf32le_to_utf8_lossy_append;
        utf32le, u8, utf32le_to_utf8, utf32le_to_utf8_uninit, utf32le_to_utf8_append;
        utf8, u32, utf8_to_utf32_lossy, utf8_to_utf32_lossy_uninit, utf8_to_utf32_lossy_append;
        utf8, u32, utf8_to_utf32, utf8_to_utf32_uninit, utf8_to_utf32_append;
        utf8, u8, utf8_to_utf32be_lossy, utf8_to_utf32be_lossy_uninit, utf8_to_utf32be_lossy_append;
        utf8, u8, utf8_to_utf32be, utf8_to_utf32be_uninit, utf8_to_utf32be_append;
        utf8, u8, utf8_to_utf32le_lossy, utf8_to_utf32le_lossy_uninit, utf8_to_utf32le_lossy_append;
        utf8, u8, utf8_to_utf32le, utf8_to_utf32le_uninit, utf8_to_utf32le_append;
    }
    #[cfg(feature = "mutf8")]
    forms! { texts, fastutf::mutf8;
        mutf8, u16, mutf8_to_utf16, mutf8_to_utf16_uninit, mutf8_to_utf16_append;
        mutf8, u8, mutf8_to_utf8_lossy, mutf8_to_utf8_lossy_uninit, mutf8_to_utf8_lossy_append;
        mutf8, u8, mutf8_to_utf8, mutf8_to_utf8_uninit, mutf8_to_utf8_append;
        mutf8, u16, android_mutf8_to_utf16, android_mutf8_to_utf16_uninit, android_mutf8_to_utf16_append;
        mutf8, u8, android_mutf8_to_utf8, android_mutf8_to_utf8_uninit, android_mutf8_to_utf8_append;
        mutf8, u8, android_mutf8_to_utf8_lossy, android_mutf8_to_utf8_lossy_uninit,
            android_mutf8_to_utf8_lossy_append;
        utf16, u8, utf16_to_mutf8, utf16_to_mutf8_uninit, utf16_to_mutf8_append;
        utf8, u8, utf8_to_mutf8, utf8_to_mutf8_uninit, utf8_to_mutf8_append;
    }
    #[cfg(feature = "mutf8")]
    forms! { texts, fastutf::wtf8;
        utf16, u8, utf16_to_wtf8, utf16_to_wtf8_uninit, utf16_to_wtf8_append;
        utf16be, u8, utf16be_to_wtf8, utf16be_to_wtf8_uninit, utf16be_to_wtf8_append;
        utf16le, u8, utf16le_to_wtf8, utf16le_to_wtf8_uninit, utf16le_to_wtf8_append;
        wtf8, u16, wtf8_to_utf16, wtf8_to_utf16_uninit, wtf8_to_utf16_append;
        wtf8, u8, wtf8_to_utf16be, wtf8_to_utf16be_uninit, wtf8_to_utf16be_append;
        wtf8, u8, wtf8_to_utf16le, wtf8_to_utf16le_uninit, wtf8_to_utf16le_append;
        wtf8, u8, wtf8_to_utf8_lossy, wtf8_to_utf8_lossy_uninit, wtf8_to_utf8_lossy_append;
    }
}
