//! What all pages share: how an intrinsic becomes a method, and an operation a kernel.

// Each page has a macro `proven!` that lets a function use the features that its token proves, and no others. What a
// page does with intrinsics is compiled a second time as such a function, which is safe and so may use no pointer either.

/// Makes trait methods out of `fn name(arguments) -> type { intrinsic(…) }`.
macro_rules! register_ops {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $(<const $n:ident: $nty:ty>)? ($($arg:ident: $ty:ty),*) -> $ret:ty { $($body:tt)* }
    )*) => {$(
        $(#[$doc])*
        #[allow(unused_unsafe)] // some need none, and none in WebAssembly
        #[inline(always)]
        fn $name $(<const $n: $nty>)? (self, $($arg: $ty),*) -> $ret {
            proven! {
                #[allow(dead_code)]
                fn needs_no_more $(<const $n: $nty>)? ($($arg: $ty),*) -> $ret { $($body)* }
            }
            // SAFETY: `self` proves every feature that these intrinsics ask for, and they ask for nothing else, as
            // `needs_no_more` compiles.
            unsafe { $($body)* }
        }
    )*};
}

/// Makes the operations of `Simd`: by the kernels for all that is `Lanes`, or by those that AVX-512 has of its own.
macro_rules! kernels {
    ($whose:ident) => {
        kernels! {
            $whose:
            fn validate_utf8(src: &[u8]) -> Result<(), Utf8Error> = utf8::validate;
            fn utf8_info(src: &[u8]) -> Result<Utf8Info, Utf8Error> = utf8::info;
            fn count_chars_utf8(src: &[u8]) -> usize = utf8::count_chars;
            fn utf16_len_from_utf8(src: &[u8]) -> usize = utf8::utf16_len;
            fn validate_utf16<E>(src: &[u8]) -> Result<(), Utf16Error> = utf16::validate;
            fn count_chars_utf16<E>(src: &[u8]) -> usize = utf16::count_chars;
            fn utf8_len_from_utf16<E>(src: &[u8]) -> usize = utf16::utf8_len;
            fn count_unpaired_utf16<E>(src: &[u8]) -> usize = utf16::count_unpaired;
            fn repair_utf16<E>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize = utf16::repair;
            fn swap_utf16_bytes(bytes: &mut [u8]) -> () = utf16::swap_bytes;
            fn swap_utf16_bytes_into(src: &[u8], dst: &mut [u8]) -> () = utf16::swap_bytes_into;
            fn utf8_to_utf16<E>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error>
                = utf8_to_utf16::convert;
            fn utf16_to_utf8<E>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error>
                = utf16_to_utf8::convert;
            fn check_utf8(src: &[u8]) -> Result<(), usize> = utf8::check;
            fn utf8_to_utf16_most<E>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize)
                = utf8_to_utf16::convert_most;
            fn convert_items<E>(src: &[u8], items: Items, dst: &mut [MaybeUninit<u8>]) -> Option<usize>
                = utf8_to_utf16::convert_items;
            fn convert_ascii<E>(src: &[u8], dst: &mut [MaybeUninit<u8>], read: usize, written: usize) -> usize
                = utf8_to_utf16::convert_ascii;
            fn bits(window: &[u8; WINDOW]) -> Bits = repair::bits;
            fn is_block_valid(view: &[u8; BEFORE + WINDOW]) -> bool = repair::is_block_valid;
        }
    };
    ($whose:ident: $(
        fn $name:ident $(<$e:ident>)? ($($arg:ident: $ty:ty),*) -> $ret:ty = $file:ident::$kernel:ident;
    )*) => {$(
        #[inline(always)]
        fn $name $(<$e: Endian>)? (self, $($arg: $ty),*) -> $ret {
            kernels!(@$whose self, $file::$kernel, ($($e)?), ($($arg: $ty),*) -> $ret)
        }
    )*};
    (@lanes $isa:ident, $file:ident::$kernel:ident, ($($e:ident)?), ($($arg:ident: $ty:ty),*) -> $ret:ty) => {
        crate::$file::$kernel::<Self $(, $e)?>($isa, $($arg),*)
    };
    (@avx512 $isa:ident, $file:ident::$kernel:ident, ($($e:ident)?), ($($arg:ident: $ty:ty),*) -> $ret:ty) => {{
        proven! {
            #[allow(dead_code)]
            fn needs_no_more $(<$e: Endian>)? ($($arg: $ty),*) -> $ret {
                crate::$file::avx512::$kernel $(::<$e>)? ($($arg),*)
            }
        }
        // SAFETY: `self` proves every feature that the kernel is compiled for, as `needs_no_more` compiles.
        unsafe { crate::$file::avx512::$kernel $(::<$e>)? ($($arg),*) }
    }};
}

/// A vector of bytes, and the bit operations every kernel uses as operators. It is only made by the methods of a
/// token, here and in the modules beside this one, so it too proves its instruction set.
macro_rules! vector {
    ($name:ident($raw:ty), $and:ident, $or:ident, $xor:ident) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name(pub(super) $raw);

        vector!(@op $name($raw), BitAnd, bitand, $and);
        vector!(@op $name($raw), BitOr, bitor, $or);
        vector!(@op $name($raw), BitXor, bitxor, $xor);
    };
    (@op $name:ident($raw:ty), $trait:ident, $method:ident, $intrinsic:ident) => {
        impl core::ops::$trait for $name {
            type Output = Self;
            #[cfg_attr(fastutf_wasm, allow(unused_unsafe))]
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                proven! {
                    #[allow(dead_code)]
                    fn needs_no_more(a: $raw, b: $raw) -> $raw { $intrinsic(a, b) }
                }
                // SAFETY: a value of this type exists, so the CPU has the instruction set, and the intrinsic asks for
                // nothing else, as `needs_no_more` compiles.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

/// Makes the collected bits of `Lanes` a number from the start, where a vector's bitmask is one instruction.
#[cfg(any(fastutf_x86, fastutf_wasm))]
macro_rules! collected_as_number {
    () => {
        type Collected = u64;
        #[inline(always)]
        fn none_collected(self) -> u64 {
            0
        }
        #[inline(always)]
        fn collect(self, before: u64, k: usize, v: Self::V) -> u64 {
            before | self.bitmask(v) << k
        }
        #[inline(always)]
        fn collected(self, all: u64) -> u64 {
            all
        }
    };
}

/// The lanes of `Lanes`, where a vector is a single one.
macro_rules! one_lane {
    () => {
        type Lane = Self;
        #[inline(always)]
        fn lane(self) -> Self {
            self
        }
        #[inline(always)]
        fn join(self, low: Self::V, _high: Self::V) -> Self::V {
            low
        }
        #[inline(always)]
        fn split(self, v: Self::V) -> [Self::V; 2] {
            [v, v]
        }
        #[inline(always)]
        fn load_lanes(self, src: &[u8], at: usize, _stride: usize) -> Self::V {
            self.load(src, at)
        }
    };
}
