//! What the three x86 pages share: which instruction sets this CPU has, and how an intrinsic becomes a method.

use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid, __cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// A set of instruction sets, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found(u8);

impl Found {
    const NOTHING: Self = Self(0);
    pub(crate) const SSE41: Self = Self(1);
    pub(crate) const AVX2: Self = Self(2);
    pub(crate) const AVX512: Self = Self(4);
    /// Set once detection has run.
    const DETECTED: Self = Self(0x80);

    pub(crate) const fn has(self, what: Self) -> bool {
        self.0 & what.0 == what.0
    }

    const fn with(self, what: Self, present: bool) -> Self {
        if present { Self(self.0 | what.0) } else { self }
    }
}

/// What the build's own target features prove.
const PROVED: Found = Found::NOTHING
    .with(Found::SSE41, cfg!(all(target_feature = "sse4.1", target_feature = "ssse3", target_feature = "popcnt")))
    .with(
        Found::AVX2,
        cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt",
        )),
    )
    .with(
        Found::AVX512,
        cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512vl",
            target_feature = "avx512dq",
            target_feature = "avx512vbmi",
            target_feature = "avx512vbmi2",
            target_feature = "avx512bitalg",
            target_feature = "gfni",
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt",
        )),
    );

/// Returns the instruction sets this CPU has; with `AVX512`, the lesser ones too. The answer is remembered.
#[inline(always)]
pub(crate) fn found() -> Found {
    static CACHE: AtomicU8 = AtomicU8::new(0);
    if PROVED.has(Found::AVX512) {
        return PROVED.with(Found::AVX2, true).with(Found::SSE41, true);
    }
    // Every thread computes the same value and nothing else hangs on it: no ordering is needed.
    let cached = Found(CACHE.load(Ordering::Relaxed));
    if cached.has(Found::DETECTED) {
        return cached;
    }
    #[cold]
    #[inline(never)]
    fn fill() -> Found {
        let found = detect().with(Found::DETECTED, true);
        CACHE.store(found.0, Ordering::Relaxed);
        found
    }
    fill()
}

const fn all(register: u32, bits: &[u32]) -> bool {
    let mut i = 0;
    while i < bits.len() {
        if register >> bits[i] & 1 == 0 {
            return false;
        }
        i += 1;
    }
    true
}

/// Asks the CPU (CPUID), and for AVX the operating system too (XGETBV): Intel SDM volume 1, sections 14.3 and 15.2.
#[allow(unused_unsafe)] // `__cpuid` is safe in newer compilers
fn detect() -> Found {
    // SAFETY: a CPU with SSE2, which this module is compiled for (`build.rs`), has CPUID, and SGX is left out.
    let leaf = |leaf| unsafe { __cpuid(leaf) };
    // SAFETY: as above.
    let leaf7 = || unsafe { __cpuid_count(7, 0) };
    #[target_feature(enable = "xsave")]
    fn enabled_state() -> u64 {
        // SAFETY: register 0 exists wherever XGETBV does, which the caller has asked for (OSXSAVE).
        unsafe { _xgetbv(0) }
    }

    let highest = leaf(0).eax;
    if highest < 1 {
        return Found::NOTHING;
    }
    let basic = leaf(1).ecx;
    // SSSE3, SSE4.1, POPCNT
    let sse41 = all(basic, &[9, 19, 23]);
    let found = Found::NOTHING.with(Found::SSE41, sse41);
    // XSAVE, OSXSAVE, AVX
    if !sse41 || highest < 7 || !all(basic, &[26, 27, 28]) || leaf(0x8000_0000).eax < 0x8000_0001 {
        return found;
    }
    // SAFETY: the CPU has XSAVE and the operating system has switched it on (bits 26 and 27 above).
    let state = unsafe { enabled_state() };
    let (ymm, zmm) = (state & 0b0000_0110 == 0b0000_0110, state & 0b1110_0110 == 0b1110_0110);
    let extended = leaf7();
    // BMI1, AVX2, BMI2; LZCNT
    let avx2 = ymm && all(extended.ebx, &[3, 5, 8]) && all(leaf(0x8000_0001).ecx, &[5]);
    // F, DQ, BW, VL; VBMI, VBMI2, GFNI, BITALG
    let avx512 = avx2 && zmm && all(extended.ebx, &[16, 17, 30, 31]) && all(extended.ecx, &[1, 6, 8, 12]);
    found.with(Found::AVX2, avx2).with(Found::AVX512, avx512)
}

/// Makes trait methods out of `fn name(arguments) -> type { intrinsic(…) }`.
macro_rules! register_ops {
    ($(fn $name:ident $(<const $n:ident: $nty:ty>)? ($($arg:ident: $ty:ty),*) -> $ret:ty { $($body:tt)* })*) => {$(
        #[inline(always)]
        fn $name $(<const $n: $nty>)? (self, $($arg: $ty),*) -> $ret {
            // SAFETY: these intrinsics work on registers only: all they ask for is the CPU feature, and that this
            // CPU has it is what the existence of `self` proves.
            unsafe { $($body)* }
        }
    )*};
}

/// A vector of bytes, and the bit operations every kernel uses as operators. It can only be made by the methods
/// of a token, so it too proves its instruction set.
macro_rules! vector {
    ($name:ident($raw:ty), $and:ident, $or:ident, $xor:ident) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name($raw);

        vector!(@op $name, BitAnd, bitand, $and);
        vector!(@op $name, BitOr, bitor, $or);
        vector!(@op $name, BitXor, bitxor, $xor);
    };
    (@op $name:ident, $trait:ident, $method:ident, $intrinsic:ident) => {
        impl core::ops::$trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: register-only; a value of this type exists, so the CPU has the instruction set.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use std::is_x86_feature_detected;

    use super::{Found, detect, found};

    #[test]
    fn detection_agrees_with_std() {
        let sse41 = is_x86_feature_detected!("sse4.1")
            && is_x86_feature_detected!("ssse3")
            && is_x86_feature_detected!("popcnt");
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("avx512bitalg");
        for found in [detect(), found()] {
            assert_eq!(found.has(Found::SSE41), sse41);
            assert_eq!(found.has(Found::AVX2), sse41 && avx2);
            assert_eq!(found.has(Found::AVX512), sse41 && avx2 && avx512);
        }
    }
}
