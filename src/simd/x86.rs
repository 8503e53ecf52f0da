//! What the three x86 pages share: which instruction sets this CPU has.

use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid, __cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// The instruction sets of this architecture, as bits.
#[derive(Clone, Copy)]
pub(crate) enum Set {
    Sse41 = 1,
    Avx2 = 2,
    Avx512 = 4,
}

/// What detection has found. Nothing outside this module can make one that says more than is true: the tokens are made
/// from it.
#[derive(Clone, Copy)]
pub(crate) struct Found(u8);

impl Found {
    /// Set once detection has run.
    const DETECTED: u8 = 0x80;

    #[inline(always)]
    pub(crate) const fn has(self, set: Set) -> bool {
        self.0 & set as u8 != 0
    }

    const fn with(self, set: Set, present: bool) -> Self {
        if present { Self(self.0 | set as u8) } else { self }
    }
}

/// Whether the build's own target features prove AVX-512, and with it the lesser instruction sets.
const PROVED: bool = cfg!(all(
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
));

/// Returns the instruction sets this CPU has; with `AVX512`, the lesser ones too. The answer is remembered.
#[inline(always)]
pub(crate) fn found() -> Found {
    static CACHE: AtomicU8 = AtomicU8::new(0);
    if PROVED {
        return Found(Set::Avx512 as u8 | Set::Avx2 as u8 | Set::Sse41 as u8);
    }
    // Every thread computes the same value and nothing else hangs on it: no ordering is needed.
    let cached = CACHE.load(Ordering::Relaxed);
    if cached & Found::DETECTED != 0 {
        return Found(cached);
    }
    #[cold]
    #[inline(never)]
    fn fill() -> Found {
        let found = detect();
        CACHE.store(found.0 | Found::DETECTED, Ordering::Relaxed);
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
///
/// A feature named in `#[target_feature]` switches on others that it implies for the compiler (`avx512f`: `fma` and
/// `f16c`, say), though no manual promises that a CPU has them too: these are asked for as well.
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
        return Found(0);
    }
    let basic = leaf(1).ecx;
    // SSE3, SSSE3, SSE4.1, POPCNT
    let sse41 = all(basic, &[0, 9, 19, 23]);
    let found = Found(0).with(Set::Sse41, sse41);
    // SSE4.2, XSAVE, OSXSAVE, AVX
    if !sse41 || highest < 7 || !all(basic, &[20, 26, 27, 28]) || leaf(0x8000_0000).eax < 0x8000_0001 {
        return found;
    }
    // SAFETY: the CPU has XSAVE and the operating system has switched it on (bits 26 and 27 above).
    let state = unsafe { enabled_state() };
    let (ymm, zmm) = (state & 0b0000_0110 == 0b0000_0110, state & 0b1110_0110 == 0b1110_0110);
    let extended = leaf7();
    // BMI1, AVX2, BMI2; LZCNT
    let avx2 = ymm && all(extended.ebx, &[3, 5, 8]) && all(leaf(0x8000_0001).ecx, &[5]);
    // FMA, F16C; F, DQ, BW, VL; VBMI, VBMI2, GFNI, BITALG
    let avx512 = avx2
        && zmm
        && all(basic, &[12, 29])
        && all(extended.ebx, &[16, 17, 30, 31])
        && all(extended.ecx, &[1, 6, 8, 12]);
    found.with(Set::Avx2, avx2).with(Set::Avx512, avx512)
}

#[cfg(test)]
mod tests {
    use std::is_x86_feature_detected;

    use super::{Set, detect, found};

    #[test]
    fn detection_agrees_with_std() {
        let sse41 = is_x86_feature_detected!("sse3")
            && is_x86_feature_detected!("sse4.1")
            && is_x86_feature_detected!("ssse3")
            && is_x86_feature_detected!("popcnt");
        let avx2 = is_x86_feature_detected!("sse4.2")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt");
        let avx512 = is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("avx512bitalg");
        for found in [detect(), found()] {
            assert_eq!(found.has(Set::Sse41), sse41);
            assert_eq!(found.has(Set::Avx2), sse41 && avx2);
            assert_eq!(found.has(Set::Avx512), sse41 && avx2 && avx512);
        }
    }
}
