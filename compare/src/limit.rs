//! The limits of the machine: reading, widening and narrowing, compiled for each instruction set.
//!
//! The loops are plain Rust, which the compiler turns into the widest vectors that the function's target features
//! allow. An operation that reads every byte cannot be faster than the loop that does nothing else.

use fastutf::Isa;

#[derive(Clone, Copy)]
pub struct Limits {
    /// Reads all bytes, and returns the bitwise or of them.
    pub read: fn(&[u8]) -> u64,
    /// ASCII to UTF-16.
    pub widen: fn(&[u8], &mut [u16]),
    /// UTF-16 to ASCII.
    pub narrow: fn(&[u16], &mut [u8]),
}

#[inline(always)]
fn read(src: &[u8]) -> u64 {
    let (blocks, rest) = src.as_chunks::<128>();
    let mut sum = [0; 128];
    for block in blocks {
        for (sum, byte) in sum.iter_mut().zip(block) {
            *sum |= byte;
        }
    }
    let rest = rest.iter().fold(0, |sum, byte| sum | byte);
    u64::from(sum.iter().fold(rest, |sum, byte| sum | byte))
}

#[inline(always)]
fn widen(src: &[u8], dst: &mut [u16]) {
    dst.iter_mut().zip(src).for_each(|(unit, &byte)| *unit = u16::from(byte));
}

#[inline(always)]
fn narrow(src: &[u16], dst: &mut [u8]) {
    dst.iter_mut().zip(src).for_each(|(byte, &unit)| *byte = unit as u8);
}

/// The loops, compiled with target features, and the access to them.
#[cfg(target_arch = "x86_64")]
macro_rules! limits {
    ($($module:ident: $features:literal)*) => {
        $(
            mod $module {
                #[target_feature(enable = $features)]
                fn read(src: &[u8]) -> u64 {
                    super::read(src)
                }
                #[target_feature(enable = $features)]
                fn widen(src: &[u8], dst: &mut [u16]) {
                    super::widen(src, dst);
                }
                #[target_feature(enable = $features)]
                fn narrow(src: &[u16], dst: &mut [u8]) {
                    super::narrow(src, dst);
                }

                /// # Safety
                ///
                /// The CPU has the features.
                pub unsafe fn limits() -> super::Limits {
                    super::Limits {
                        // SAFETY: the caller guarantees the features.
                        read: |src| unsafe { read(src) },
                        // SAFETY: as above.
                        widen: |src, dst| unsafe { widen(src, dst) },
                        // SAFETY: as above.
                        narrow: |src, dst| unsafe { narrow(src, dst) },
                    }
                }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
limits! {
    avx512: "avx512f,avx512bw,avx512vl,avx512vbmi"
    avx2: "avx2"
    sse41: "ssse3,sse4.1"
}

impl Limits {
    pub fn of(isa: Isa) -> Self {
        match isa.name() {
            // SAFETY: there is no `Isa` of this name unless the CPU has (more than) these features.
            #[cfg(target_arch = "x86_64")]
            "avx512" => unsafe { avx512::limits() },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            "avx2" => unsafe { avx2::limits() },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            "sse4.1" => unsafe { sse41::limits() },
            _ => Self { read, widen, narrow },
        }
    }
}
