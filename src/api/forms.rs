//! Tables of conversions between two forms of text. A row has the names of three functions: into a slice, into uninitialised
//! memory, and to the end of a `Vec` or a `String`. Bodies, documentation and examples are made here.
//!
//! [`strict`](macro@strict) conversions stop at an error, [`lossy`](macro@lossy) ones replace it, and
//! [`infallible`](macro@infallible) ones cannot meet any. (Other operations in three byte orders are in
//! [`in_orders`](macro@in_orders).) Each table has families, which share a kernel:
//!
//! ```text
//! strict! { in "fastutf::MODULE";
//!     SPEED KERNEL -> ERROR, SAMPLE;
//!     length(isa, order, src): max MAX, count COUNT;
//!     {
//!         /// How much room is enough.
//!         FROM => TO [ARGUMENTS]: NAME, NAME_uninit, NAME_append;
//!     }
//! }
//! ```
//!
//! The kernel is a method of `Isa` with the row's arguments (mostly a byte order), the input and the output, both as bytes; what
//! it reports is in bytes, too. It does what a [`Converter`](super::converter::Converter) promises of its output. `MAX` and
//! `COUNT` are lengths of the output in code units: an upper bound, and about the right number, which for text without errors is
//! enough. They may use the names in `length(…)`, where `order` is the arguments, and `src` is the input in bytes.
//!
//! `SPEED` is `inlined` if `two_parts!` has made the kernel, and otherwise `short` (see `operations!`).
//!
//! A fourth name is that of a function which returns a new `Vec`. `joined by` names a function that changes the border between the
//! appended text and the text before it.

use crate::output::Output;
use crate::replacement::Repair;
use crate::report::{Conversion, InUnits, LossyConversion, Stop};

/// How the documentation describes a form of text, and the Rust types that hold it.
macro_rules! form {
    (name utf8) => { "UTF-8" };
    (name latin1) => { "Latin-1" };
    (name utf16) => { "UTF-16" };
    (name utf16le) => { "UTF-16LE" };
    (name utf16be) => { "UTF-16BE" };
    (name utf32) => { "UTF-32" };
    (name utf32le) => { "UTF-32LE" };
    (name utf32be) => { "UTF-32BE" };
    (name wtf8) => { "WTF-8" };
    (name mutf8) => { "modified UTF-8" };
    (name android_mutf8) => { "modified UTF-8, which may have sequences of four bytes," };
    (name str) => { "a `&str`" };
    (units utf16) => { "code units" };
    (units utf32) => { "code units" };
    (units $bytes:ident) => { "bytes" };
    (unit utf16) => { u16 };
    (unit utf32) => { u32 };
    (unit $bytes:ident) => { u8 };
    (input str) => { &str };
    (input $other:ident) => { &[form!(unit $other)] };
    // The size of a code unit in elements of the type above.
    (size utf16le) => { 2 };
    (size utf16be) => { 2 };
    (size utf32le) => { 4 };
    (size utf32be) => { 4 };
    (size $other:ident) => { 1 };
    (vec_name utf8) => { "String" };
    (vec_name $other:ident) => { "Vec" };
    (vec utf8) => { String };
    (vec $other:ident) => { Vec<form!(unit $other)> };
    // SAFETY: only whole characters of well-formed UTF-8 are appended, and if anything panics, it does so before the length
    // has grown.
    (as_vec utf8 $dst:ident) => { unsafe { $dst.as_mut_vec() } };
    (as_vec $other:ident $dst:ident) => { $dst };
    (bytes str $src:ident) => { $src.as_bytes() };
    (bytes $other:ident $src:ident) => { $crate::buffer::as_bytes($src) };
    (place utf16) => { ", in code units" };
    (place utf32) => { ", in code units" };
    (place $bytes:ident) => { ", in bytes, at any alignment" };
    (all utf8) => { "*dst.as_bytes()" };
    (all $other:ident) => { "dst[..]" };
}

/// The same text in each form, for examples.
macro_rules! sample {
    (plain str) => { r#""zł""# };
    (plain utf16) => { "&[0x7A, 0x142]" };
    (plain utf16le) => { r#"b"z\0B\x01""# };
    (plain utf16be) => { r#"b"\0z\x01B""# };
    (plain utf32) => { "&[0x7A, 0x142]" };
    (plain utf32le) => { r#"b"z\0\0\0B\x01\0\0""# };
    (plain utf32be) => { r#"b"\0\0\0z\0\0\x01B""# };
    (plain $as_utf8:ident) => { r#""zł".as_bytes()"# };

    (accents latin1) => { r#"b"t\xE9""# };
    (accents utf16) => { "&[0x74, 0xE9]" };
    (accents utf16le) => { r#"b"t\0\xE9\0""# };
    (accents utf16be) => { r#"b"\0t\0\xE9""# };
    (accents utf32) => { "&[0x74, 0xE9]" };
    (accents utf32le) => { r#"b"t\0\0\0\xE9\0\0\0""# };
    (accents utf32be) => { r#"b"\0\0\0t\0\0\0\xE9""# };
    (accents $as_utf8:ident) => { r#""té".as_bytes()"# };

    (unpaired wtf8) => { r#"b"z\xED\xA0\xBD""# };
    (unpaired mutf8) => { r#"b"z\xED\xA0\xBD""# };
    (unpaired utf16) => { "&[0x7A, 0xD83D]" };
    (unpaired utf16le) => { r#"b"z\0\x3D\xD8""# };
    (unpaired utf16be) => { r#"b"\0z\xD8\x3D""# };

    (nul utf8) => { r#"b"z\0""# };
    (nul utf16) => { "&[0x7A, 0]" };
    (nul mutf8) => { r#"b"z\xC0\x80""# };

    (four_bytes utf8) => { r#""z😀".as_bytes()"# };
    (four_bytes utf16) => { "&[0x7A, 0xD83D, 0xDE00]" };
    (four_bytes android_mutf8) => { r#"b"z\xF0\x9F\x98\x80""# };

    (damaged utf8) => { r#"b"z\xFF\xC5\x82""# };
    (damaged utf16) => { "&[0x7A, 0xDC00, 0x142]" };
    (damaged utf16le) => { r#"b"z\0\0\xDCB\x01""# };
    (damaged utf16be) => { r#"b"\0z\xDC\0\x01B""# };
    (damaged utf32) => { "&[0x7A, 0xDC00, 0x142]" };
    (damaged utf32le) => { r#"b"z\0\0\0\0\xDC\0\0B\x01\0\0""# };
    (damaged utf32be) => { r#"b"\0\0\0z\0\0\xDC\0\0\0\x01B""# };
    (damaged wtf8) => { r#"b"z\xED\xA0\xBD\xC5\x82""# };
    (damaged mutf8) => { r#"b"z\xFF\xC5\x82""# };
    (damaged android_mutf8) => { r#"b"z\xFF\xC5\x82""# };
    (repaired utf16) => { "&[0x7A, 0xFFFD, 0x142]" };
    (repaired utf16le) => { r#"b"z\0\xFD\xFFB\x01""# };
    (repaired utf16be) => { r#"b"\0z\xFF\xFD\x01B""# };
    (repaired utf32) => { "&[0x7A, 0xFFFD, 0x142]" };
    (repaired utf32le) => { r#"b"z\0\0\0\xFD\xFF\0\0B\x01\0\0""# };
    (repaired utf32be) => { r#"b"\0\0\0z\0\0\xFF\xFD\0\0\x01B""# };
    // To Latin-1, a character that it does not have is replaced.
    (damaged_for latin1 $from:ident) => { sample!(foreign $from) };
    (damaged_for $to:ident $from:ident) => { sample!(damaged $from) };
    (repaired latin1) => { r#"b"5?\xE9""# };
    (repaired $as_utf8:ident) => { r#""z\u{FFFD}ł".as_bytes()"# };
    (foreign utf16) => { "&[0x35, 0x20AC, 0xE9]" };
    (foreign utf16le) => { r#"b"5\0\xAC\x20\xE9\0""# };
    (foreign utf16be) => { r#"b"\x005\x20\xAC\0\xE9""# };
    (foreign utf32) => { "&[0x35, 0x20AC, 0xE9]" };
    (foreign utf32le) => { r#"b"5\0\0\0\xAC\x20\0\0\xE9\0\0\0""# };
    (foreign utf32be) => { r#"b"\0\0\x005\0\0\x20\xAC\0\0\0\xE9""# };
    (foreign $as_utf8:ident) => { r#""5€é".as_bytes()"# };
    (argument replacement) => { ", b'?'" };
}

/// Turns what a conversion reports from bytes into units, if one of them is larger.
macro_rules! in_units {
    (strict utf16 $to:ident, $src:expr, $out:expr) => { in_units!(strict: u16, form!(unit $to), $src, $out) };
    (strict utf32 $to:ident, $src:expr, $out:expr) => { in_units!(strict: u32, form!(unit $to), $src, $out) };
    (strict $from:ident utf16, $src:expr, $out:expr) => { in_units!(strict: u8, u16, $src, $out) };
    (strict $from:ident utf32, $src:expr, $out:expr) => { in_units!(strict: u8, u32, $src, $out) };
    (strict $from:ident $to:ident, $src:expr, $out:expr) => { $out };
    (strict: $from:ty, $to:ty, $src:expr, $out:expr) => { $crate::api::forms::in_units::<$from, $to, _>($src, $out) };
    (error utf16) => { $crate::report::InUnits::in_units };
    (error utf32) => { $crate::report::InUnits::in_units };
    (error $bytes:ident) => { |error| error };
    (lossy utf16 $to:ident, $out:expr) => { in_units!(lossy: u16, form!(unit $to), $out) };
    (lossy utf32 $to:ident, $out:expr) => { in_units!(lossy: u32, form!(unit $to), $out) };
    (lossy $from:ident utf16, $out:expr) => { in_units!(lossy: u8, u16, $out) };
    (lossy $from:ident utf32, $out:expr) => { in_units!(lossy: u8, u32, $out) };
    (lossy $from:ident $to:ident, $out:expr) => { $out };
    (lossy: $from:ty, $to:ty, $out:expr) => { $crate::api::forms::lossy_in_units::<$from, $to>($out) };
}

/// The function into uninitialised memory, which the others call.
macro_rules! uninit_docs {
    ($path:literal, $outcome:literal, $name:ident, $uninit:ident, $to:ident, $arguments:expr) => {
        concat!(
            "Like [`", stringify!($name), "`](fn@", stringify!($name), "), but into memory that may be uninitialised. \
             After the call, its first [`written`](", $outcome, "::written) ", form!(units $to), " are initialised.\n\n\
             ```\n\
             let mut dst = [std::mem::MaybeUninit::uninit(); 16];\n\
             assert!(", $path, "::", stringify!($uninit), "(", $arguments, ", &mut dst).is_complete());\n\
             ```",
        )
    };
}

/// The function that appends.
#[allow(unused_macros)] // without `alloc`
macro_rules! append_docs {
    ($name:ident, $to:ident, $rest:expr) => {
        concat!(
            "Like [`", stringify!($name), "`](fn@", stringify!($name), "), but appends to a `", form!(vec_name $to),
            "`, which grows as needed. ", $rest,
        )
    };
}

/// The documentation of `joined by`, which only WTF-8 needs.
#[allow(unused_macros)] // without `wtf8`
macro_rules! join_docs {
    ($join:ident) => {
        "A high surrogate at the end of `dst` and a low one at the start of `src` become one sequence of four bytes. "
    };
}

/// The function that returns a new `Vec`.
#[allow(unused_macros)] // not every set of features needs it
macro_rules! new_docs {
    ($path:literal, $name:ident, $new:ident, $from:ident, $to:ident, $sample:ident, $errors:expr, $unwrap:expr) => {
        concat!(
            "Returns ", form!(name $from), " as ", form!(name $to), ": like [`", stringify!($name), "`](fn@", stringify!($name),
            "), but in a new `Vec`. The allocation fits the result.", $errors, "\n\n\
             ```\n\
             let dst = ", $path, "::", stringify!($new), "(", sample!($sample $from), ")", $unwrap, ";\n\
             assert_eq!(dst, *", sample!($sample $to), ");\n\
             ```",
        )
    };
}

/// Differences of strict and infallible conversions: types of results, how they are made of an outcome, and documentation.
macro_rules! differs {
    (strict validating) => { ", validating it on the way" };
    (strict reasons) => { ", and why it stopped.\n" };
    (strict errors) => { "\n\n# Errors\n\nThe first error in `src`" };
    (strict errors_of_append) => { concat!(differs!(strict errors), "; what is before it is appended.") };
    (strict errors_of_new) => { concat!(differs!(strict errors), ".") };
    (strict unwrap) => { ".unwrap()" };
    (strict result $ok:ty, $error:ty) => { Result<$ok, $error> };
    (strict appended $from:ident, $out:ident) => { $out.appended().map_err(in_units!(error $from)) };
    (strict collected $from:ident, $vec:ident, $out:ident) => { differs!(strict appended $from, $out).map(|_| $vec) };
    (infallible reasons) => {
        ".\n\n\
         There is no ill-formed input, so there are only two reasons to stop: [`Complete`](crate::Stop::Complete) and \
         [`OutputFull`](crate::Stop::OutputFull)."
    };
    (infallible result $ok:ty, $error:ty) => { $ok };
    (infallible appended $from:ident, $out:ident) => {{
        debug_assert!($out.is_complete(), "`COUNT` is too low");
        $out.written
    }};
    (infallible collected $from:ident, $vec:ident, $out:ident) => {{
        debug_assert!($out.is_complete());
        $vec
    }};
    (infallible $nothing:ident) => { "" };
}

/// Methods of `ToOutput` for any instruction set, and if they are `inlined`, for `Best` as well.
macro_rules! to_output {
    (short $($method:tt)*) => {
        impl $crate::isa::ToOutput { $($method)* }
    };
    (inlined $($method:tt)*) => {
        to_output! { short $($method)* }
        impl $crate::isa::ToOutput<$crate::isa::Best> { $($method)* }
    };
}

/// The arguments of a row: as a value, or before others of a call.
macro_rules! arguments {
    ([$($argument:expr),*]) => { ($($argument),*) };
    ([$($argument:expr),*] $isa:ident.$kernel:ident($($other:expr),*)) => { $isa.$kernel($($argument,)* $($other),*) };
}

/// The kernel of a row as a [`Converter`], as the table requires. It counts its input in bytes.
#[allow(unused_macros)] // without `alloc`
macro_rules! of_row {
    ($isa:ident.$kernel:ident [$($argument:expr),*]($input:ident) -> $unit:ty) => {{
        let convert = $crate::api::converter::of_output(
            #[inline(always)]
            move |room: &mut $crate::output::Output<$unit>| {
                let mut out = $isa.$kernel($($argument,)* $input, room.as_bytes());
                out.written /= size_of::<$unit>();
                out
            },
        );
        // SAFETY: the kernel of a row does what a `Converter` promises, in bytes; and it writes whole code units.
        #[allow(unsafe_code)]
        let converter = unsafe { $crate::api::converter::Converter::new(convert) };
        converter
    }};
}

/// Conversions that stop at the first error.
macro_rules! strict {
    ($($table:tt)*) => { conversions! { strict $($table)* } };
}

/// Conversions of text that cannot be ill-formed. They stop at the end, or where the output is full.
macro_rules! infallible {
    (in $path:literal; $(
        $speed:ident $kernel:ident, $sample:ident;
        length $names:tt: max $max:expr, count $count:expr;
        $rows:tt
    )*) => {
        conversions! { infallible in $path; $(
            $speed $kernel -> core::convert::Infallible, $sample;
            length $names: max $max, count $count;
            $rows
        )* }
    };
}

/// Both: `$mode` is the name of the table.
macro_rules! conversions {
    ($mode:ident in $path:literal; $(
        $speed:ident $kernel:ident -> $error:ty, $sample:ident;
        length($isa:ident, $order:ident, $input:ident): max $max:expr, count $count:expr;
        { $(
            $(#[$room:meta])*
            $from:ident => $to:ident $arguments:tt $(joined by $join:ident)?:
                $name:ident, $uninit:ident, $append:ident $(, $new:ident)?;
        )* }
    )*) => {
        mod $mode {
            use core::mem::MaybeUninit;

            use super::*;
            use $crate::isa::ToOutput;
            use $crate::output::Output;

            operations! { $($(
        #[doc = concat!(
            "Converts ", form!(name $from), " to ", form!(name $to), " in `dst`", differs!($mode validating), ". Reports how much \
             was read (", form!(units $from), ") and written (", form!(units $to), ")", differs!($mode reasons),
        )]
        $(#[$room])*
        #[doc = concat!(
            "\n```\n\
             let mut dst = [0; 16];\n\
             let out = ", $path, "::", stringify!($name), "(", sample!($sample $from), ", &mut dst);\n\
             assert!(out.is_complete());\n\
             assert_eq!(dst[..out.written], *", sample!($sample $to), ");\n\
             ```",
        )]
        [$speed] fn $name(isa, src: form!(input $from), dst: &mut [form!(unit $to)]) -> Conversion<$error> {
            ToOutput(isa).$uninit(src, Output::over(dst))
        }

        #[doc = uninit_docs!($path, "Conversion", $name, $uninit, $to, sample!($sample $from))]
        [$speed] fn $uninit(isa, src: form!(input $from), dst: &mut [MaybeUninit<form!(unit $to)>]) -> Conversion<$error> {
            ToOutput(isa).$uninit(src, Output::new(dst))
        }

        #[doc = append_docs!($name, $to, concat!($(join_docs!($join),)? "Returns the number of ", form!(units $to), " appended.",
            differs!($mode errors_of_append), "\n\n\
            ```\n\
            let mut dst = ", form!(vec_name $to), "::new();\n\
            let len = ", $path, "::", stringify!($append), "(", sample!($sample $from), ", &mut dst)", differs!($mode unwrap), ";\n\
            assert_eq!(len, dst.len());\n\
            assert_eq!(", form!(all $to), ", *", sample!($sample $to), ");\n\
            ```",
        ))]
        "alloc" fn $append(isa, src: form!(input $from), dst: &mut form!(vec $to)) -> differs!($mode result usize, $error) {
            #[allow(unused_variables)]
            let ($isa, $order, $input) = (isa, arguments!($arguments), form!(bytes $from src));
            let (max, count) = (form!(size $to) * $max, move || form!(size $to) * $count);
            let convert = of_row!(isa.$kernel $arguments($input) -> form!(unit $to));
            let out = $crate::api::into_vec::append(form!(as_vec $to dst), max, count, convert);
            $(let out = $join(dst, out);)?
            differs!($mode appended $from, out)
        }

        $(
        #[doc = new_docs!(
            $path, $name, $new, $from, $to, $sample, differs!($mode errors_of_new), differs!($mode unwrap)
        )]
        #[cfg(feature = "alloc")]
        #[allow(clippy::double_must_use)] // of a `Result`
        #[must_use]
        fn $new(isa, src: form!(input $from)) -> differs!($mode result form!(vec $to), $error) {
            #[allow(unused_variables)]
            let ($isa, $order, $input) = (isa, arguments!($arguments), form!(bytes $from src));
            let (max, count) = (form!(size $to) * $max, move || form!(size $to) * $count);
            let convert = of_row!(isa.$kernel $arguments($input) -> form!(unit $to));
            let (vec, out) = $crate::api::into_vec::collect(max, count, convert);
            differs!($mode collected $from, vec, out)
        }
        )?
    )*)* }

            $($(to_output! { $speed
                #[inline(always)]
                pub(crate) fn $uninit(self, src: form!(input $from), dst: &mut Output<form!(unit $to)>) -> Conversion<$error> {
                    let out = arguments!($arguments self.$kernel(form!(bytes $from src), dst.as_bytes()));
                    in_units!(strict $from $to, src.len(), out)
                }
            })*)*
        }
        pub use self::$mode::*;
    };
}

/// Conversions that replace what they cannot convert.
///
/// `COUNT` may be too low where there are replacements. Then `EXACT` is the number of code units, or more.
macro_rules! lossy {
    (in $path:literal; $(
        $kernel:ident, $with:literal;
        length($isa:ident, $order:ident, $input:ident): max $max:expr, count $count:expr, exact $exact:expr;
        { $(
            $(#[$room:meta])*
            $from:ident => $to:ident [$($argument:expr),*] $(($replacement:ident))?: $name:ident, $uninit:ident, $append:ident;
        )* }
    )*) => {
        mod lossy {
            use core::mem::MaybeUninit;

            use super::*;
            use $crate::isa::ToOutput;
            use $crate::output::Output;

            operations! { $($(
        #[doc = concat!(
            "Converts ", form!(name $from), " to ", form!(name $to), " in `dst`, with ", $with, ". Reports how much was read (",
            form!(units $from), ") and written (", form!(units $to), "), and the number of replacements.\n",
        )]
        $(#[$room])*
        #[doc = concat!(
            "\n```\n\
             let mut dst = [0; 16];\n\
             let out = ", $path, "::", stringify!($name), "(", sample!(damaged_for $to $from),
             $(sample!(argument $replacement),)? ", &mut dst);\n\
             assert_eq!(out.replacements, 1);\n\
             assert_eq!(dst[..out.written], *", sample!(repaired $to), ");\n\
             ```",
        )]
        fn $name(isa, src: &[form!(unit $from)] $(, $replacement: u8)?, dst: &mut [form!(unit $to)]) -> LossyConversion {
            ToOutput(isa).$uninit(src, $($replacement,)? Output::over(dst))
        }

        #[doc = uninit_docs!(
            $path, "LossyConversion", $name, $uninit, $to,
            concat!(sample!(damaged_for $to $from), $(sample!(argument $replacement))?)
        )]
        fn $uninit(
            isa,
            src: &[form!(unit $from)]
            $(, $replacement: u8)?,
            dst: &mut [MaybeUninit<form!(unit $to)>]
        ) -> LossyConversion {
            ToOutput(isa).$uninit(src, $($replacement,)? Output::new(dst))
        }

        #[doc = append_docs!($name, $to, concat!("The conversion is always complete.\n\n\
            ```\n\
            let mut dst = ", form!(vec_name $to), "::new();\n\
            let out = ", $path, "::", stringify!($append), "(", sample!(damaged_for $to $from),
            $(sample!(argument $replacement),)? ", &mut dst);\n\
            assert_eq!(out.replacements, 1);\n\
            assert_eq!(", form!(all $to), ", *", sample!(repaired $to), ");\n\
            ```",
        ))]
        "alloc" fn $append(
            isa,
            src: &[form!(unit $from)]
            $(, $replacement: u8)?,
            dst: &mut form!(vec $to)
        ) -> LossyConversion {
            #[allow(unused_variables)]
            let ($isa, $order) = (isa, ($($argument),*));
            let len = |len, src: &[form!(unit $from)]| {
                let $input = $crate::buffer::as_bytes(src);
                form!(size $to) * match len {
                    $crate::api::into_vec::Length::Max => $max,
                    $crate::api::into_vec::Length::Count => $count,
                    $crate::api::into_vec::Length::Exact => $exact,
                }
            };
            let convert = |src: &[form!(unit $from)], room: &mut Output<form!(unit $to)>| {
                ToOutput(isa).$uninit(src, $($replacement,)? room)
            };
            let dst = form!(as_vec $to dst);
            // SAFETY: as in `of_row!`.
            unsafe { $crate::api::into_vec::append_lossy(dst, src, &len, &convert) }
        }
    )*)* }

            impl ToOutput { $($(
                pub(crate) fn $uninit(
                    self,
                    src: &[form!(unit $from)]
                    $(, $replacement: u8)?,
                    dst: &mut Output<form!(unit $to)>
                ) -> LossyConversion {
                    let out = self.$kernel($($argument,)* $crate::buffer::as_bytes(src), $($replacement,)? dst.as_bytes());
                    in_units!(lossy $from $to, out)
                }
            )*)* }
        }
        pub use self::lossy::*;
    };
}

/// Methods of `Isa` that are a kernel, in the byte order `[order]` if there is one.
#[allow(unused_macros)] // not every set of features needs it
macro_rules! by_kernel {
    ($(
        $(#[$attribute:meta])*
        $visible:vis fn $name:ident $([$order:ident])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $kernel:ident;
    )*) => {$(
        $(#[$attribute])*
        $visible fn $name(self, $($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)? {
            dispatch!(self, $kernel $([const $order])? ($($arg),*))
        }
    )*};
}

/// The kernel of lossy conversions, made of that of strict ones and of `$replace`. That replaces the text at which the other
/// stops, and goes on at least until there is no more to replace nearby.
#[allow(unused_macros)] // without `latin1` and `utf32`
macro_rules! by_strict {
    ($lossy:ident $([$order:ident])? $(($replacement:ident))? = $strict:ident, $replace:path) => {
        #[inline(always)]
        pub(crate) fn $lossy(
            self,
            $($order: ByteOrder,)?
            src: &[u8],
            $($replacement: u8,)?
            dst: &mut Output,
        ) -> LossyConversion {
            use $crate::api::forms::{go_on, progress};
            let (done, invalid) = progress(self.$strict($($order,)? src, dst));
            if !invalid {
                return done.outcome(src.len());
            }
            go_on(
                src,
                dst,
                done,
                move |src, dst| $replace($($order,)? src, $($replacement,)? dst),
                move |src, dst| progress(self.$strict($($order,)? src, dst)),
            )
        }
    };
}

/// Operations on text in any byte order that have no output buffer. A family is three functions, for code units and for bytes in
/// either order. They share a body, documentation and examples. For code units, an error is turned `in_units`.
macro_rules! in_orders {
    (in $path:literal; $(
        $(#[$attribute:meta])*
        $([$short:ident])? |$isa:ident, $order:ident, $src:ident| -> $ret:ty $(, $in_units:path)? $body:block
        $($sample:ident $check:literal),+;
        { $units:ident: $native:ident; $le:ident: $little:ident; $be:ident: $big:ident; }
    )*) => {
        mod in_orders {
            use super::*;

            operations! { $(
        $(#[$attribute])*
        #[doc = in_orders!(docs $path, $native, $units $(, $sample $check)+)]
        $([$short])? fn $native(isa, src: &[form!(unit $units)]) -> $ret {
            let ($isa, $order, $src) = (isa, ByteOrder::NATIVE, $crate::buffer::as_bytes(src));
            $body$(.map_err($in_units))?
        }

        $(#[$attribute])*
        #[doc = in_orders!(docs $path, $little, $le $(, $sample $check)+)]
        $([$short])? fn $little(isa, src: &[u8]) -> $ret {
            let ($isa, $order, $src) = (isa, ByteOrder::Little, src);
            $body
        }

        $(#[$attribute])*
        #[doc = in_orders!(docs $path, $big, $be $(, $sample $check)+)]
        $([$short])? fn $big(isa, src: &[u8]) -> $ret {
            let ($isa, $order, $src) = (isa, ByteOrder::Big, src);
            $body
        }
            )* }
        }
        pub use in_orders::*;
    };
    (docs $path:literal, $name:ident, $form:ident $(, $sample:ident $check:literal)+) => {
        concat!(
            "\nHere, `src` is ", form!(name $form), form!(place $form), ".\n\n```\n",
            $("assert!(", $path, "::", stringify!($name), "(", sample!($sample $form), ")", $check, ");\n",)+
            "```",
        )
    };
}

/// Turns `read` and `written` from bytes into units. If the conversion is complete, `read` is known without waiting for numbers
/// that have just been stored.
#[inline(always)]
pub(crate) fn in_units<S, D, E: InUnits>(src: usize, out: Conversion<E>) -> Conversion<E> {
    let stop = match out.stop {
        Stop::Complete => {
            return Conversion { read: src, written: out.written / size_of::<D>(), stop: Stop::Complete };
        }
        Stop::Invalid(error) if size_of::<S>() > 1 => Stop::Invalid(error.in_units()),
        stop => stop,
    };
    Conversion { read: out.read / size_of::<S>(), written: out.written / size_of::<D>(), stop }
}

/// The same for a lossy conversion.
#[inline(always)]
pub(crate) fn lossy_in_units<S, D>(out: LossyConversion) -> LossyConversion {
    LossyConversion { read: out.read / size_of::<S>(), written: out.written / size_of::<D>(), ..out }
}

/// How far a strict conversion got, and whether it has stopped at an error.
#[cfg_attr(not(any(feature = "latin1", feature = "utf32")), allow(dead_code))]
#[inline(always)]
pub(crate) fn progress<E>(out: Conversion<E>) -> (Repair, bool) {
    (Repair { read: out.read, written: out.written, replacements: 0 }, matches!(out.stop, Stop::Invalid(_)))
}

/// Continues a lossy conversion from `done`, where there is an error. Goes back and forth between plain Rust, which replaces, and
/// the kernel, which stops at text to be replaced.
#[cfg_attr(not(any(feature = "latin1", feature = "utf32")), allow(dead_code))]
#[cold]
#[inline(never)]
pub(crate) fn go_on(
    src: &[u8],
    dst: &mut Output,
    mut done: Repair,
    replace: impl Fn(&[u8], &mut Output) -> Repair,
    convert: impl Fn(&[u8], &mut Output) -> (Repair, bool),
) -> LossyConversion {
    loop {
        let replaced = replace(&src[done.read..], &mut dst[done.written..]);
        done.add(replaced);
        if replaced.read == 0 {
            break;
        }
        let (converted, invalid) = convert(&src[done.read..], &mut dst[done.written..]);
        done.add(converted);
        if !invalid {
            break;
        }
    }
    done.outcome(src.len())
}
