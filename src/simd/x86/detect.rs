//! Detection of the instruction sets of this CPU, for the x86 modules.

use core::arch::asm;
use core::sync::atomic::{AtomicU8, Ordering};

use super::arch::{__cpuid_count, _xgetbv, CpuidResult};

/// The instruction sets of this architecture, as bits.
#[derive(Clone, Copy)]
pub(crate) enum Set {
    Sse41 = 1,
    Avx2 = 2,
    Avx512 = 4,
}

/// The result of detection. Tokens are made from it, so code outside this module cannot create one that claims too
/// much.
#[derive(Clone, Copy)]
pub(crate) struct Detected(u8);

impl Detected {
    /// Set once detection has run.
    const DETECTED: u8 = 0x80;

    #[inline(always)]
    pub(crate) const fn has(self, set: Set) -> bool {
        self.0 & set as u8 != 0
    }

    /// Whether detection has run.
    #[inline(always)]
    pub(crate) const fn is_known(self) -> bool {
        self.0 & Self::DETECTED != 0
    }

    const fn with(self, set: Set, present: bool) -> Self {
        if present { Self(self.0 | set as u8) } else { self }
    }
}

/// Whether the target features of the build prove AVX-512, and with it the smaller instruction sets.
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

static CACHE: AtomicU8 = AtomicU8::new(0);

/// Returns the instruction sets that this CPU has, or none if that is not known yet. With `Set::Avx512`, also the smaller ones.
#[inline(always)]
pub(crate) fn cached() -> Detected {
    if PROVED {
        return Detected(Detected::DETECTED | Set::Avx512 as u8 | Set::Avx2 as u8 | Set::Sse41 as u8);
    }
    // Every thread computes the same value and nothing else depends on it, so no ordering is needed.
    Detected(CACHE.load(Ordering::Relaxed))
}

/// Returns the same, and runs detection the first time.
#[inline(always)]
pub(crate) fn found() -> Detected {
    #[cold]
    #[inline(never)]
    fn fill() -> Detected {
        let found = if cfg!(miri) { built_for() } else { detect(&ThisCpu) };
        CACHE.store(found.0 | Detected::DETECTED, Ordering::Relaxed);
        found
    }
    let found = cached();
    if found.is_known() { found } else { fill() }
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

/// The questions that detection asks.
trait Cpu {
    /// The registers after CPUID with `leaf` in EAX and 0 in ECX.
    fn cpuid(&self, leaf: u32) -> CpuidResult;

    /// Whether LZCNT counts. Older CPUs ignore its prefix and execute BSR (SDM volume 2, LZCNT).
    fn has_lzcnt(&self) -> bool;

    /// Register 0 of XGETBV, the state that the operating system saves on a context switch, if ECX of CPUID's leaf 1 reports
    /// OSXSAVE in bit 27; and that ECX.
    fn basic(&self) -> (u32, Option<u64>);
}

struct ThisCpu;

impl Cpu for ThisCpu {
    #[inline(always)]
    #[allow(unused_unsafe)] // it is safe in newer compilers
    fn cpuid(&self, leaf: u32) -> CpuidResult {
        // SAFETY: every CPU with SSE2, for which this module is compiled (`build.rs`), has CPUID, and SGX is
        // excluded.
        unsafe { __cpuid_count(leaf, 0) }
    }

    #[inline(always)]
    fn has_lzcnt(&self) -> bool {
        let zeros: u32;
        // SAFETY: every x86 CPU executes these bytes, as LZCNT or as BSR, and both only write to a register and flags.
        unsafe { asm!("lzcnt {0:e}, {1:e}", out(reg) zeros, in(reg) 1, options(pure, nomem, nostack)) };
        // The index of the highest bit, by BSR, is 0.
        zeros == 31
    }

    #[inline(always)]
    fn basic(&self) -> (u32, Option<u64>) {
        #[target_feature(enable = "xsave")]
        fn register_0() -> u64 {
            // SAFETY: this register exists wherever XGETBV does.
            unsafe { _xgetbv(0) }
        }
        let basic = self.cpuid(1).ecx;
        // SAFETY: OSXSAVE means that the CPU has XSAVE and that it is enabled.
        (basic, all(basic, &[27]).then(|| unsafe { register_0() }))
    }
}

/// Asks the CPU (CPUID) and, for AVX, also the operating system (XGETBV): Intel SDM volume 1, sections 14.3 and 15.2.
///
/// To the compiler, a feature in `#[target_feature]` implies others (`avx512f` implies `fma` and `f16c`), though no
/// manual promises that a CPU has them. So these are checked as well.
///
/// In a virtual machine, CPUID takes about 7 µs, so it is not asked more than needed. Leaves 0 and 1 exist on every CPU
/// with SSE2. Leaf 0 says which is the greatest: firmware may limit CPUID to leaf 2 or 3, and for a leaf beyond the greatest
/// a CPU returns the data of another. Whether LZCNT counts can be tried, so its leaf is not needed.
fn detect(cpu: &impl Cpu) -> Detected {
    let (basic, state) = cpu.basic();
    // SSE3, SSSE3, SSE4.1, POPCNT
    let sse41 = all(basic, &[0, 9, 19, 23]);
    let found = Detected(0).with(Set::Sse41, sse41);
    // SSE4.2, XSAVE, AVX, and OSXSAVE.
    let (true, Some(state)) = (sse41 && all(basic, &[20, 26, 28]), state) else { return found };
    let (ymm, zmm) = (state & 0b0000_0110 == 0b0000_0110, state & 0b1110_0110 == 0b1110_0110);
    if cpu.cpuid(0).eax < 7 {
        return found;
    }
    let extended = cpu.cpuid(7);
    // BMI1, AVX2, BMI2
    let avx2 = ymm && all(extended.ebx, &[3, 5, 8]) && cpu.has_lzcnt();
    // FMA, F16C; F, DQ, BW, VL; VBMI, VBMI2, GFNI, BITALG
    let avx512 = avx2
        && zmm
        && all(basic, &[12, 29])
        && all(extended.ebx, &[16, 17, 30, 31])
        && all(extended.ecx, &[1, 6, 8, 12]);
    found.with(Set::Avx2, avx2).with(Set::Avx512, avx512)
}

/// Whether Intel made this CPU. Only speed may depend on it. Executes CPUID each time.
pub(crate) fn is_intel() -> bool {
    if cfg!(miri) {
        return false;
    }
    let name = ThisCpu.cpuid(0);
    let part = u32::from_le_bytes;
    name.ebx == part(*b"Genu") && name.edx == part(*b"ineI") && name.ecx == part(*b"ntel")
}

/// What the target features of the build prove. Miri has no CPUID, so they tell it what to run.
const fn built_for() -> Detected {
    let sse41 = cfg!(all(
        target_feature = "sse3",
        target_feature = "ssse3",
        target_feature = "sse4.1",
        target_feature = "popcnt",
    ));
    let avx2 = cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt",
    ));
    Detected(0).with(Set::Sse41, sse41).with(Set::Avx2, sse41 && avx2).with(Set::Avx512, PROVED)
}

#[cfg(test)]
mod tests {
    use std::is_x86_feature_detected;

    use super::{Cpu, CpuidResult, Detected, Set, ThisCpu, detect, found};

    /// A mock CPU. `words` are its ECX of leaf 1, EBX and ECX of leaf 7, ECX of leaf 8000_0001, and XCR0.
    #[derive(Clone, Copy)]
    struct MockCpu {
        highest: u32,
        words: [u32; 5],
    }

    impl MockCpu {
        const fn new(highest: u32, words: [u32; 5]) -> Self {
            Self { highest, words }
        }

        fn with(mut self, word: usize, value: u32) -> Self {
            self.words[word] = value;
            self
        }
    }

    impl Cpu for MockCpu {
        fn cpuid(&self, leaf: u32) -> CpuidResult {
            // For a greater leaf, a CPU returns the data of another one, or nothing.
            assert!(leaf <= self.highest, "leaf {leaf:X}, where {:X} is the greatest", self.highest);
            let [_, ebx, ecx, ..] = self.words;
            let (eax, ebx, ecx) = match leaf {
                0 => (self.highest, 0, 0),
                7 => (0, ebx, ecx),
                _ => panic!("leaf {leaf:X} takes time, and is not needed"),
            };
            CpuidResult { eax, ebx, ecx, edx: 0 }
        }

        fn has_lzcnt(&self) -> bool {
            self.words[3] >> 5 & 1 == 1
        }

        fn basic(&self) -> (u32, Option<u64>) {
            (self.words[0], (self.words[0] >> 27 & 1 == 1).then_some(self.words[4].into()))
        }
    }

    fn best(found: Detected) -> &'static str {
        let has = [Set::Avx512, Set::Avx2, Set::Sse41].map(|set| found.has(set));
        // Each instruction set includes the smaller ones: its kernels use theirs.
        assert!(has.is_sorted(), "{has:?}");
        match has {
            [true, ..] => "avx512",
            [_, true, _] => "avx2",
            [.., true] => "sse4.1",
            _ => "scalar",
        }
    }

    const SANDY_BRIDGE: MockCpu = MockCpu::new(0xD, [0x1F9A_E3BF, 0, 0, 1, 7]);
    const HASWELL: MockCpu = MockCpu::new(0xD, [0x7FFA_FBBF, 0x0000_27AB, 0, 0x21, 7]);
    const ZEN_4: MockCpu = MockCpu::new(0x10, [0x7EF8_320B, 0xF1BF_97A9, 0x0040_5FCE, 0x75C2_37FF, 0xE7]);

    /// The words are from real CPUs.
    #[test]
    fn models() {
        for (name, cpu, expected) in [
            ("Conroe: no SSE4.1", MockCpu::new(10, [0x0000_E3BD, 0, 0, 1, 0]), "scalar"),
            ("Penryn: no POPCNT", MockCpu::new(10, [0x0008_E3FD, 0, 0, 1, 0]), "scalar"),
            ("Llano: no SSSE3", MockCpu::new(6, [0x0080_2009, 0, 0, 0x37FF, 0]), "scalar"),
            ("Nehalem", MockCpu::new(11, [0x0098_E3BD, 0, 0, 1, 0]), "sse4.1"),
            ("Sandy Bridge: no AVX2", SANDY_BRIDGE, "sse4.1"),
            ("Piledriver: no AVX2", MockCpu::new(0xD, [0x3E98_320B, 8, 0, 0x01EB_BFFF, 7]), "sse4.1"),
            ("Haswell", HASWELL, "avx2"),
            ("Excavator", MockCpu::new(0xD, [0x7ED8_320B, 0x1A9, 0, 0x2FEB_BFFF, 7]), "avx2"),
            ("Zen 1", MockCpu::new(0xD, [0x7ED8_320B, 0x209C_01A9, 0, 0x35C2_33FF, 7]), "avx2"),
            ("Skylake-X: no VBMI", MockCpu::new(0x16, [0x7FFE_FBFF, 0xD39F_FFFB, 0, 0x121, 0xE7]), "avx2"),
            ("Ice Lake", MockCpu::new(0x1B, [0x7FFA_FBBF, 0xF2BF_27EF, 0x4040_5F4E, 0x121, 0xE7]), "avx512"),
            ("Zen 4", ZEN_4, "avx512"),
        ] {
            assert_eq!(best(detect(&cpu)), expected, "{name}");
        }
    }

    /// What the operating system or firmware may disable.
    #[test]
    fn systems() {
        let without = |bit: u32| ZEN_4.with(0, ZEN_4.words[0] & !(1 << bit));
        for (name, cpu, expected) in [
            ("does not use XSAVE", without(27), "sse4.1"),
            ("does not use XSAVE, nor saves AVX registers", without(27).with(4, 0), "sse4.1"),
            ("saves no YMM registers", ZEN_4.with(4, 0b011), "sse4.1"),
            ("saves the upper halves of YMM registers only", ZEN_4.with(4, 0b101), "sse4.1"),
            ("saves ZMM registers but no YMM registers", ZEN_4.with(4, 0xE3), "sse4.1"),
            ("saves no ZMM registers", ZEN_4.with(4, 7), "avx2"),
            ("saves no mask registers", ZEN_4.with(4, 0xC7), "avx2"),
            ("saves no ZMM registers from 16 on", ZEN_4.with(4, 0x67), "avx2"),
            ("firmware limits CPUID to leaf 3", MockCpu { highest: 3, ..ZEN_4 }, "sse4.1"),
            ("firmware limits CPUID to leaf 2", MockCpu { highest: 2, ..HASWELL }, "sse4.1"),
            ("firmware limits CPUID to leaf 1", MockCpu { highest: 1, ..SANDY_BRIDGE }, "sse4.1"),
            ("CPUID ends before leaf 7", MockCpu { highest: 6, ..HASWELL }, "sse4.1"),
            ("CPUID ends with leaf 7", MockCpu { highest: 7, ..ZEN_4 }, "avx512"),
        ] {
            assert_eq!(best(detect(&cpu)), expected, "{name}");
        }
    }

    /// Clears each bit of the best CPU in turn; bits that nothing needs may all be missing at once.
    #[test]
    fn every_bit_that_is_needed_is_asked_for() {
        // Word, bit, name, and the best instruction set without it.
        let needs = [
            (0, 0, "SSE3", "scalar"),
            (0, 9, "SSSE3", "scalar"),
            (0, 12, "FMA", "avx2"),
            (0, 19, "SSE4.1", "scalar"),
            (0, 20, "SSE4.2", "sse4.1"),
            (0, 23, "POPCNT", "scalar"),
            (0, 26, "XSAVE", "sse4.1"),
            (0, 27, "OSXSAVE", "sse4.1"),
            (0, 28, "AVX", "sse4.1"),
            (0, 29, "F16C", "avx2"),
            (1, 3, "BMI1", "sse4.1"),
            (1, 5, "AVX2", "sse4.1"),
            (1, 8, "BMI2", "sse4.1"),
            (1, 16, "AVX-512 F", "avx2"),
            (1, 17, "AVX-512 DQ", "avx2"),
            (1, 30, "AVX-512 BW", "avx2"),
            (1, 31, "AVX-512 VL", "avx2"),
            (2, 1, "AVX-512 VBMI", "avx2"),
            (2, 6, "AVX-512 VBMI2", "avx2"),
            (2, 8, "GFNI", "avx2"),
            (2, 12, "AVX-512 BITALG", "avx2"),
            (3, 5, "LZCNT", "sse4.1"),
            (4, 1, "XMM state", "sse4.1"),
            (4, 2, "YMM state", "sse4.1"),
            (4, 5, "mask state", "avx2"),
            (4, 6, "ZMM state, upper halves", "avx2"),
            (4, 7, "ZMM state, 16 to 31", "avx2"),
        ];
        let mut least = MockCpu { words: [0; 5], ..ZEN_4 };
        for (word, bit, ..) in needs {
            least.words[word] |= 1 << bit;
        }
        for full in [ZEN_4, least] {
            assert_eq!(best(detect(&full)), "avx512");
            for word in 0..5 {
                for bit in 0..32 {
                    let needed = needs.iter().find(|need| (need.0, need.1) == (word, bit));
                    let (name, expected) = needed.map_or(("", "avx512"), |need| (need.2, need.3));
                    let cpu = full.with(word, full.words[word] & !(1 << bit));
                    assert_eq!(best(detect(&cpu)), expected, "without bit {bit} of word {word} {name}");
                }
            }
        }
    }

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
        let asked = if cfg!(miri) { found() } else { detect(&ThisCpu) };
        for found in [asked, found()] {
            assert_eq!(found.has(Set::Sse41), sse41);
            assert_eq!(found.has(Set::Avx2), sse41 && avx2);
            assert_eq!(found.has(Set::Avx512), sse41 && avx2 && avx512);
        }
    }
}
