//! Instruction sets, as numbers.

use core::ffi::{CStr, c_char};

use utf::Isa;

use crate::fastutf_status;

/// An instruction set. All give the same results. The functions whose names end in `_with_isa` take one; the others use
/// the best that the CPU has.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum fastutf_isa {
    /// The best that this CPU has, whichever that is.
    FASTUTF_ISA_BEST = 0,
    /// No SIMD. Every CPU has it.
    FASTUTF_ISA_SCALAR = 1,
    /// SSE4.1, SSSE3 and POPCNT.
    FASTUTF_ISA_SSE41 = 2,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT.
    FASTUTF_ISA_AVX2 = 3,
    /// AVX-512 F, BW, VL, DQ, VBMI, VBMI2 and BITALG, and GFNI.
    FASTUTF_ISA_AVX512 = 4,
    /// NEON, on little-endian AArch64.
    FASTUTF_ISA_NEON = 32,
    /// simd128, on WebAssembly.
    FASTUTF_ISA_SIMD128 = 64,
}
use fastutf_isa::*;

/// The numbers, each with the name that the library and C have for it.
const NAMES: [(fastutf_isa, &CStr); 6] = [
    (FASTUTF_ISA_SCALAR, c"scalar"),
    (FASTUTF_ISA_SSE41, c"sse4.1"),
    (FASTUTF_ISA_AVX2, c"avx2"),
    (FASTUTF_ISA_AVX512, c"avx512"),
    (FASTUTF_ISA_NEON, c"neon"),
    (FASTUTF_ISA_SIMD128, c"simd128"),
];

fn number(isa: Isa) -> fastutf_isa {
    let name = isa.name().as_bytes();
    NAMES.iter().find(|(_, known)| known.to_bytes() == name).map_or(FASTUTF_ISA_SCALAR, |(number, _)| *number)
}

/// The instruction set that a caller asks for.
pub(crate) fn isa(wanted: u8) -> Result<Isa, fastutf_status> {
    if wanted == FASTUTF_ISA_BEST as u8 {
        return Ok(Isa::best());
    }
    Isa::available().find(|isa| number(*isa) as u8 == wanted).ok_or(fastutf_status::FASTUTF_BAD_ISA)
}

/// Returns the instruction set that functions without `_with_isa` use.
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_isa_best() -> fastutf_isa {
    number(Isa::best())
}

/// Returns the instruction set number `index` of this CPU, the best one first; `FASTUTF_ISA_BEST`, which is 0, beyond the
/// last.
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_isa_at(index: usize) -> fastutf_isa {
    Isa::available().nth(index).map_or(FASTUTF_ISA_BEST, number)
}

/// Returns the name of a `fastutf_isa`: "avx512", "avx2", "sse4.1", "neon", "simd128" or "scalar". For
/// `FASTUTF_ISA_BEST`, that is the name of the best one. Returns a null pointer if there is no such instruction set.
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_isa_name(isa: u8) -> *const c_char {
    let wanted = if isa == FASTUTF_ISA_BEST as u8 { fastutf_isa_best() as u8 } else { isa };
    NAMES.iter().find(|(number, _)| *number as u8 == wanted).map_or(core::ptr::null(), |(_, name)| name.as_ptr())
}
