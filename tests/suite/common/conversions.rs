//! The one list of conversions, which other modules make what they need of.

/// Calls `$each! { $arguments (MODULE) ROWS }` for the conversions of each module. A row has the forms, each with the type of
/// its units, then three things, of which each may be `_` for none: the strict function with those into uninitialised memory and to
/// the end of a `Vec`; the lossy one with the same, and with an argument where it takes one; and that for the length, for
/// well-formed text and perhaps for text that is repaired. `given!` comes before it.
macro_rules! every_conversion {
    ($each:ident $arguments:tt) => {
        $each! { $arguments (fastutf)
            Utf8 u8 => Utf8 u8: _,
                (utf8_to_utf8_lossy utf8_to_utf8_lossy_uninit utf8_to_utf8_lossy_append), _, utf8_len_from_utf8_lossy;
            Utf8 u8 => Utf16 u16: (utf8_to_utf16 utf8_to_utf16_uninit utf8_to_utf16_append),
                (utf8_to_utf16_lossy utf8_to_utf16_lossy_uninit utf8_to_utf16_lossy_append), utf16_len_from_utf8, utf16_len_from_utf8_lossy;
            Utf8 u8 => Utf16Le u8: (utf8_to_utf16le utf8_to_utf16le_uninit utf8_to_utf16le_append),
                (utf8_to_utf16le_lossy utf8_to_utf16le_lossy_uninit utf8_to_utf16le_lossy_append), utf16_len_from_utf8, utf16_len_from_utf8_lossy;
            Utf8 u8 => Utf16Be u8: (utf8_to_utf16be utf8_to_utf16be_uninit utf8_to_utf16be_append),
                (utf8_to_utf16be_lossy utf8_to_utf16be_lossy_uninit utf8_to_utf16be_lossy_append), utf16_len_from_utf8, utf16_len_from_utf8_lossy;
            Utf16 u16 => Utf8 u8: (utf16_to_utf8 utf16_to_utf8_uninit utf16_to_utf8_append),
                (utf16_to_utf8_lossy utf16_to_utf8_lossy_uninit utf16_to_utf8_lossy_append), utf8_len_from_utf16, utf8_len_from_utf16_lossy;
            Utf16Le u8 => Utf8 u8: (utf16le_to_utf8 utf16le_to_utf8_uninit utf16le_to_utf8_append),
                (utf16le_to_utf8_lossy utf16le_to_utf8_lossy_uninit utf16le_to_utf8_lossy_append), utf8_len_from_utf16le, utf8_len_from_utf16le_lossy;
            Utf16Be u8 => Utf8 u8: (utf16be_to_utf8 utf16be_to_utf8_uninit utf16be_to_utf8_append),
                (utf16be_to_utf8_lossy utf16be_to_utf8_lossy_uninit utf16be_to_utf8_lossy_append), utf8_len_from_utf16be, utf8_len_from_utf16be_lossy;
        }
        given! { feature = "utf32", $each $arguments (fastutf::utf32)
            Utf8 u8 => Utf32 u32: (utf8_to_utf32 utf8_to_utf32_uninit utf8_to_utf32_append),
                (utf8_to_utf32_lossy utf8_to_utf32_lossy_uninit utf8_to_utf32_lossy_append), count_chars_utf8;
            Utf8 u8 => Utf32Le u8: (utf8_to_utf32le utf8_to_utf32le_uninit utf8_to_utf32le_append),
                (utf8_to_utf32le_lossy utf8_to_utf32le_lossy_uninit utf8_to_utf32le_lossy_append), count_chars_utf8;
            Utf8 u8 => Utf32Be u8: (utf8_to_utf32be utf8_to_utf32be_uninit utf8_to_utf32be_append),
                (utf8_to_utf32be_lossy utf8_to_utf32be_lossy_uninit utf8_to_utf32be_lossy_append), count_chars_utf8;
            Utf16 u16 => Utf32 u32: (utf16_to_utf32 utf16_to_utf32_uninit utf16_to_utf32_append),
                (utf16_to_utf32_lossy utf16_to_utf32_lossy_uninit utf16_to_utf32_lossy_append), count_chars_utf16;
            Utf16Le u8 => Utf32Le u8: (utf16le_to_utf32le utf16le_to_utf32le_uninit utf16le_to_utf32le_append),
                (utf16le_to_utf32le_lossy utf16le_to_utf32le_lossy_uninit utf16le_to_utf32le_lossy_append), count_chars_utf16le;
            Utf16Be u8 => Utf32Be u8: (utf16be_to_utf32be utf16be_to_utf32be_uninit utf16be_to_utf32be_append),
                (utf16be_to_utf32be_lossy utf16be_to_utf32be_lossy_uninit utf16be_to_utf32be_lossy_append), count_chars_utf16be;
            Utf32 u32 => Utf8 u8: (utf32_to_utf8 utf32_to_utf8_uninit utf32_to_utf8_append),
                (utf32_to_utf8_lossy utf32_to_utf8_lossy_uninit utf32_to_utf8_lossy_append), utf8_len_from_utf32, utf8_len_from_utf32_lossy;
            Utf32Le u8 => Utf8 u8: (utf32le_to_utf8 utf32le_to_utf8_uninit utf32le_to_utf8_append),
                (utf32le_to_utf8_lossy utf32le_to_utf8_lossy_uninit utf32le_to_utf8_lossy_append), utf8_len_from_utf32le, utf8_len_from_utf32le_lossy;
            Utf32Be u8 => Utf8 u8: (utf32be_to_utf8 utf32be_to_utf8_uninit utf32be_to_utf8_append),
                (utf32be_to_utf8_lossy utf32be_to_utf8_lossy_uninit utf32be_to_utf8_lossy_append), utf8_len_from_utf32be, utf8_len_from_utf32be_lossy;
            Utf32 u32 => Utf16 u16: (utf32_to_utf16 utf32_to_utf16_uninit utf32_to_utf16_append),
                (utf32_to_utf16_lossy utf32_to_utf16_lossy_uninit utf32_to_utf16_lossy_append), utf16_len_from_utf32, utf16_len_from_utf32_lossy;
            Utf32Le u8 => Utf16Le u8: (utf32le_to_utf16le utf32le_to_utf16le_uninit utf32le_to_utf16le_append),
                (utf32le_to_utf16le_lossy utf32le_to_utf16le_lossy_uninit utf32le_to_utf16le_lossy_append), utf16_len_from_utf32le, utf16_len_from_utf32le_lossy;
            Utf32Be u8 => Utf16Be u8: (utf32be_to_utf16be utf32be_to_utf16be_uninit utf32be_to_utf16be_append),
                (utf32be_to_utf16be_lossy utf32be_to_utf16be_lossy_uninit utf32be_to_utf16be_lossy_append), utf16_len_from_utf32be, utf16_len_from_utf32be_lossy;
        }
        given! { feature = "latin1", $each $arguments (fastutf::latin1)
            Utf8 u8 => Latin1 u8: (utf8_to_latin1 utf8_to_latin1_uninit utf8_to_latin1_append),
                (utf8_to_latin1_lossy utf8_to_latin1_lossy_uninit utf8_to_latin1_lossy_append) (b'?'), count_chars_utf8;
            Utf16 u16 => Latin1 u8: (utf16_to_latin1 utf16_to_latin1_uninit utf16_to_latin1_append),
                (utf16_to_latin1_lossy utf16_to_latin1_lossy_uninit utf16_to_latin1_lossy_append) (b'?'), count_chars_utf16;
            Utf16Le u8 => Latin1 u8: (utf16le_to_latin1 utf16le_to_latin1_uninit utf16le_to_latin1_append),
                (utf16le_to_latin1_lossy utf16le_to_latin1_lossy_uninit utf16le_to_latin1_lossy_append) (b'?'), count_chars_utf16le;
            Utf16Be u8 => Latin1 u8: (utf16be_to_latin1 utf16be_to_latin1_uninit utf16be_to_latin1_append),
                (utf16be_to_latin1_lossy utf16be_to_latin1_lossy_uninit utf16be_to_latin1_lossy_append) (b'?'), count_chars_utf16be;
            Latin1 u8 => Utf8 u8: (latin1_to_utf8 latin1_to_utf8_uninit latin1_to_utf8_append), _, utf8_len_from_latin1;
            Latin1 u8 => Utf16 u16: (latin1_to_utf16 latin1_to_utf16_uninit latin1_to_utf16_append),
                _, _;
            Latin1 u8 => Utf16Le u8: (latin1_to_utf16le latin1_to_utf16le_uninit latin1_to_utf16le_append),
                _, _;
            Latin1 u8 => Utf16Be u8: (latin1_to_utf16be latin1_to_utf16be_uninit latin1_to_utf16be_append),
                _, _;
        }
        given! { all(feature = "latin1", feature = "utf32"), $each $arguments (fastutf::utf32)
            Latin1 u8 => Utf32 u32: (latin1_to_utf32 latin1_to_utf32_uninit latin1_to_utf32_append),
                _, _;
            Latin1 u8 => Utf32Le u8: (latin1_to_utf32le latin1_to_utf32le_uninit latin1_to_utf32le_append),
                _, _;
            Latin1 u8 => Utf32Be u8: (latin1_to_utf32be latin1_to_utf32be_uninit latin1_to_utf32be_append),
                _, _;
            Utf32 u32 => Latin1 u8: (utf32_to_latin1 utf32_to_latin1_uninit utf32_to_latin1_append),
                (utf32_to_latin1_lossy utf32_to_latin1_lossy_uninit utf32_to_latin1_lossy_append) (b'?'), _;
            Utf32Le u8 => Latin1 u8: (utf32le_to_latin1 utf32le_to_latin1_uninit utf32le_to_latin1_append),
                (utf32le_to_latin1_lossy utf32le_to_latin1_lossy_uninit utf32le_to_latin1_lossy_append) (b'?'), _;
            Utf32Be u8 => Latin1 u8: (utf32be_to_latin1 utf32be_to_latin1_uninit utf32be_to_latin1_append),
                (utf32be_to_latin1_lossy utf32be_to_latin1_lossy_uninit utf32be_to_latin1_lossy_append) (b'?'), _;
        }
        given! { feature = "mutf8", $each $arguments (fastutf::wtf8)
            Utf16 u16 => Wtf8 u8: (utf16_to_wtf8 utf16_to_wtf8_uninit utf16_to_wtf8_append), _, wtf8_len_from_utf16;
            Utf16Le u8 => Wtf8 u8: (utf16le_to_wtf8 utf16le_to_wtf8_uninit utf16le_to_wtf8_append),
                _, wtf8_len_from_utf16le;
            Utf16Be u8 => Wtf8 u8: (utf16be_to_wtf8 utf16be_to_wtf8_uninit utf16be_to_wtf8_append),
                _, wtf8_len_from_utf16be;
            Wtf8 u8 => Utf16 u16: (wtf8_to_utf16 wtf8_to_utf16_uninit wtf8_to_utf16_append), _, utf16_len_from_wtf8;
            Wtf8 u8 => Utf16Le u8: (wtf8_to_utf16le wtf8_to_utf16le_uninit wtf8_to_utf16le_append),
                _, utf16_len_from_wtf8;
            Wtf8 u8 => Utf16Be u8: (wtf8_to_utf16be wtf8_to_utf16be_uninit wtf8_to_utf16be_append),
                _, utf16_len_from_wtf8;
            Wtf8 u8 => Utf8 u8: _,
                (wtf8_to_utf8_lossy wtf8_to_utf8_lossy_uninit wtf8_to_utf8_lossy_append), _;
        }
        given! { feature = "mutf8", $each $arguments (fastutf::mutf8)
            Utf8 u8 => Mutf8 u8: (utf8_to_mutf8 utf8_to_mutf8_uninit utf8_to_mutf8_append), _, mutf8_len_from_utf8;
            Utf16 u16 => Mutf8 u8: (utf16_to_mutf8 utf16_to_mutf8_uninit utf16_to_mutf8_append), _, mutf8_len_from_utf16;
            Mutf8 u8 => Utf8 u8: (mutf8_to_utf8 mutf8_to_utf8_uninit mutf8_to_utf8_append),
                (mutf8_to_utf8_lossy mutf8_to_utf8_lossy_uninit mutf8_to_utf8_lossy_append), utf8_len_from_mutf8;
            Mutf8 u8 => Utf16 u16: (mutf8_to_utf16 mutf8_to_utf16_uninit mutf8_to_utf16_append), _, utf16_len_from_mutf8;
        }
    };
}

/// The same for those of Android's modified UTF-8, which no form of the oracles is.
#[allow(unused_macros)] // without `mutf8`
macro_rules! every_conversion_of_android {
    ($each:ident $arguments:tt) => {
        $each! { $arguments (fastutf::mutf8)
            Mutf8 u8 => Utf16 u16: (android_mutf8_to_utf16 android_mutf8_to_utf16_uninit android_mutf8_to_utf16_append), _, _;
            Mutf8 u8 => Utf8 u8: (android_mutf8_to_utf8 android_mutf8_to_utf8_uninit android_mutf8_to_utf8_append),
                (android_mutf8_to_utf8_lossy android_mutf8_to_utf8_lossy_uninit android_mutf8_to_utf8_lossy_append), _;
        }
    };
}
