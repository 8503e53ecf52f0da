//! Macros shared by all instruction sets, which turn intrinsics into methods.

// Each module has a macro `proven!`, which lets a function use the features that its token proves, and no others.
// Code that calls intrinsics is compiled a second time as such a function. That is safe code, so it cannot use
// pointers either.
// The macros below use the `proven!` of the module that calls them, which has to stand above the call.

/// Makes trait methods from `fn name(arguments) -> type { intrinsic(…) }`.
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
            // SAFETY: `self` proves every feature that these intrinsics need, and they need nothing else, as
            // `needs_no_more` shows by compiling.
            unsafe { $($body)* }
        }
    )*};
}

/// Implements `vectorize_with` of `Simd`, where CPUs differ in their features.
#[cfg(fastutf_x86)]
macro_rules! vectorize_by_token {
    () => {
        #[inline(always)]
        fn vectorize_with<A, B, R>(self, a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R {
            proven! {
                #[inline(never)]
                fn with_features<A, B, R>(a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R {
                    kernel(a, b)
                }
            }
            // SAFETY: `self` proves that this CPU has every feature named by `proven!`, and those that they imply
            // (`detect::detect`).
            unsafe { with_features(a, b, kernel) }
        }
    };
}

/// A vector of bytes, with its bitwise operations as operators. Only methods of a token create it, in the module that calls
/// this. (AVX2's module also creates SSE4.1's: its token contains that of SSE4.1.) So a vector proves its instruction set.
macro_rules! vector {
    ($name:ident($visible:vis $raw:ty), $and:ident, $or:ident, $xor:ident) => {
        // Not `transparent`. Until functions are inlined, they pass vectors through memory. A `struct` is there already; a
        // bare vector would be copied there and back for each call: 9 % more LLVM IR.
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub(crate) struct $name($visible $raw);

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
                // SAFETY: a value of this type exists, so the CPU has the instruction set, and the intrinsic needs
                // nothing else, as `needs_no_more` shows by compiling.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

/// Implements the partial mask of `Lanes` as a number, for instruction sets where a vector's bitmask is one
/// instruction.
#[cfg(any(fastutf_x86, fastutf_wasm))]
macro_rules! mask_is_number {
    () => {
        type PartialMask = u64;
        #[inline(always)]
        fn empty_mask(self) -> u64 {
            0
        }
        #[inline(always)]
        fn add_to_mask(self, before: u64, k: usize, v: Self::V) -> u64 {
            before | self.bitmask(v) << k
        }
        #[inline(always)]
        fn finished_mask(self, all: u64) -> u64 {
            all
        }
    };
}

/// Implements the lanes of `Lanes` for vectors of a single lane.
macro_rules! single_lane {
    () => {
        type Single = Self;
        #[inline(always)]
        fn single(self) -> Self {
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
