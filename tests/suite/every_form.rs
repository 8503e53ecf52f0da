//! A conversion is a function, and a method of each instruction set; into a slice, into memory that is not initialised, and to
//! the end of what grows. All of these report the same and write the same. Which result is right is the business of other
//! tests.

use std::fmt::Debug;
use std::mem::MaybeUninit;
use std::slice;

use fastutf::Isa;

use crate::common::oracle::form::{Family, Form};
use crate::common::pairs::{Text, as_units};
use crate::common::{Filler, Rng};

/// A text of these characters in a form, well-formed if `wrong` is `None`, which otherwise is where something is not.
fn encoded(form: Form, str: &str, wrong: Option<usize>) -> Text {
    // Any bytes are text in an encoding of one byte.
    let form_of_bytes = if form.family() == Family::OneByte { Form::Utf8 } else { form };
    let mut bytes = form_of_bytes.encode(str.chars().map(u32::from));
    // No other form has this.
    let unit = form.unit();
    match wrong {
        Some(at) if at < bytes.len() / unit => bytes[at * unit..][..unit].fill(0xDD),
        _ => {}
    }
    Text::new(form, &bytes)
}

/// Texts of each kind of characters and of some lengths, well-formed and not.
fn texts() -> Vec<(String, Option<usize>)> {
    let rng = &mut Rng::new(150);
    let mut texts = Vec::new();
    let (fillers, lens): (&[Filler], &[usize]) = if cfg!(miri) {
        (&[Filler::Ascii, Filler::Mixed], &[17, 90])
    } else {
        (&Filler::ALL, &[0, 3, 17, 40, 140, 300, 2000])
    };
    for filler in fillers {
        for &len in lens {
            let text = String::from_utf8(filler.before(len)).unwrap();
            texts.extend([(text.clone(), None), (text.clone(), Some(rng.below(len + 1)))]);
            // In which Latin-1 and UTF-16 as well are of the least length.
            texts.push((text.chars().map(|c| char::from(c as u8)).collect(), None));
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
    let expected = &a[..written(&out)];
    assert!(b[..written(&out)] == *expected, "{of:?} into {room}");
    for convert in uninit {
        let mut memory = Box::<[T]>::new_uninit_slice(room);
        assert_eq!(convert(&mut memory), out, "{of:?} into {room}");
        // SAFETY: a conversion initialises what it reports as written. If one does not, a tool that watches memory says so
        // here, and otherwise the bytes differ.
        let got = unsafe { slice::from_raw_parts(memory[..expected.len()].as_ptr().cast::<T>(), expected.len()) };
        assert!(got == expected, "{of:?} into {room}");
    }
}

/// Compares the functions of the rows of `every_conversion!`.
macro_rules! compare_forms {
    (($texts:ident) $module:tt $($from:ident $src:ty => $to:ident $dst:ty:
        $strict:tt, $lossy:tt $(($replacement:literal))?, $len:tt $(, $lossy_len:ident)?;)*) => {
        for (str, wrong) in &$texts {$(
            let text = encoded(Form::$from, str, *wrong);
            let src = as_units::<$src>(text.view());
            compare_forms!(@one $module src, $dst, $strict);
            compare_forms!(@one $module src, $dst, $lossy $(, $replacement)?);
        )*}
    };
    (@one $module:tt $src:ident, $dst:ty, _) => {};
    (
        @one ($($module:ident)::+) $src:ident, $dst:ty,
        ($name:ident $uninit:ident $append:ident) $(, $argument:literal)?
    ) => {
        for isa in Isa::available() {
            let most = 4 * $src.len() + 9;
            for room in [most, $src.len(), $src.len() / 2] {
                compare::<$dst, _>(
                    (isa, stringify!($name)),
                    room,
                    |out| out.written,
                    [
                        &|dst| isa.$name($src, $($argument,)? dst),
                        &|dst| $($module)::+::$name($src, $($argument,)? dst),
                    ],
                    [
                        &|dst| isa.$uninit($src, $($argument,)? dst),
                        &|dst| $($module)::+::$uninit($src, $($argument,)? dst),
                    ],
                );
            }
            let (mut a, mut b) = (Default::default(), Default::default());
            let out = isa.$append($src, $($argument,)? &mut a);
            assert_eq!($($module)::+::$append($src, $($argument,)? &mut b), out, "{isa}, {}", stringify!($append));
            assert_eq!(a, b, "{isa}, {}", stringify!($append));
        }
    };
}

#[test]
fn every_form_has_the_same_result() {
    let texts = texts();
    every_conversion!(compare_forms(texts));
    #[cfg(feature = "mutf8")]
    every_conversion_of_android!(compare_forms(texts));
    for (str, _) in &texts {
        let str = &str[..];
        compare_forms!(@one (fastutf) str, u16, (str_to_utf16 str_to_utf16_uninit str_to_utf16_append));
        compare_forms!(@one (fastutf) str, u8, (str_to_utf16le str_to_utf16le_uninit str_to_utf16le_append));
        compare_forms!(@one (fastutf) str, u8, (str_to_utf16be str_to_utf16be_uninit str_to_utf16be_append));
    }
}
