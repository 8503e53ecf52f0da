//! Whose functions race for us: those of an instruction set, or the free functions.

use std::str::FromStr;

use fastutf::{Conversion, Isa, ParseIsaError, Utf8Error, Utf16Error};

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The methods of this instruction set.
    Of(Isa),
    /// The free functions, which choose it themselves.
    Free,
}

/// In place of the name of an instruction set: the free functions.
pub const FREE: &str = "free";

impl Whose {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Of(isa) => isa.name(),
            Self::Free => FREE,
        }
    }
}

impl FromStr for Whose {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name.eq_ignore_ascii_case(FREE) {
            return Ok(Self::Free);
        }
        name.parse()
            .map(Self::Of)
            .map_err(|error: ParseIsaError| format!("{error}; or {FREE}, for the free functions"))
    }
}

/// The free functions for validation and conversion, as methods.
#[derive(Clone, Copy)]
pub struct Free;

/// Declares [`Ours`]. A trait, not a branch in each call: only our own calls would have it.
macro_rules! ours {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        /// The functions of the library, from one of the two.
        pub trait Ours: Copy + 'static {
            /// The instruction set that is measured.
            fn isa(self) -> Isa;
            $(fn $name(self, $($arg: $ty),*) -> $ret;)*
        }

        impl Ours for Isa {
            fn isa(self) -> Isa {
                self
            }
            $(
                #[inline(always)]
                fn $name(self, $($arg: $ty),*) -> $ret {
                    Isa::$name(self, $($arg),*)
                }
            )*
        }

        impl Ours for Free {
            fn isa(self) -> Isa {
                Isa::best()
            }
            $(
                #[inline(always)]
                fn $name(self, $($arg: $ty),*) -> $ret {
                    fastutf::$name($($arg),*)
                }
            )*
        }
    };
}

ours! {
    fn validate_utf8(src: &[u8]) -> Result<(), Utf8Error>;
    fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Conversion<Utf8Error>;
    fn utf8_to_utf16le(src: &[u8], dst: &mut [u8]) -> Conversion<Utf8Error>;
    fn utf8_to_utf16be(src: &[u8], dst: &mut [u8]) -> Conversion<Utf8Error>;
    fn utf16le_to_utf8(src: &[u8], dst: &mut [u8]) -> Conversion<Utf16Error>;
    fn utf16be_to_utf8(src: &[u8], dst: &mut [u8]) -> Conversion<Utf16Error>;
}
