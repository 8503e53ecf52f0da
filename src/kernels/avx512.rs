//! AVX-512's own kernels: each is in an `avx512.rs`, beside the kernel of all other instruction sets.

use super::*;
use crate::simd::x86::avx512::{Avx512, proven};

/// Implements the methods of `kernels!` by AVX-512's own kernels. These need features of AVX-512; the methods are safe
/// because the token proves these features.
macro_rules! proven_by_token {
    ($(
        $(#[$doc:meta])* $($feature:literal)*
        fn $name:ident $([$order:ident])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?
            = $module:ident::$kernel:ident $(($constant:literal))?;
    )*) => {$(
        $(#[cfg(feature = $feature)])*
        #[inline(always)]
        fn $name(self, $($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)? {
            proven! {
                #[allow(dead_code)]
                fn needs_no_more($($order: ByteOrder,)? $($arg: $ty),*) $(-> $ret)? {
                    $module::avx512::$kernel($($order,)? $($constant,)? $($arg),*)
                }
            }
            // SAFETY: `self` proves every feature that the kernel is compiled for, and it needs nothing else, as
            // `needs_no_more` shows by compiling.
            unsafe { $module::avx512::$kernel($($order,)? $($constant,)? $($arg),*) }
        }
    )*};
}

impl Avx512 {
    proven_by_token! {
        fn is_ascii_up_to_64(src: &[u8]) -> bool = validate_utf8::is_ascii_up_to_64;
    }
}

impl Kernels for Avx512 {
    kernels!(proven_by_token);

    #[cfg(feature = "positions")]
    proven_by_token! {
        fn nth_bit(bits: u64, n: usize) -> usize = masks::nth_bit;
    }

    #[inline(always)]
    fn is_ascii(self, src: &[u8]) -> bool {
        if src.len() <= 64 { self.is_ascii_up_to_64(src) } else { validate_utf8::is_ascii(self, src) }
    }
}
