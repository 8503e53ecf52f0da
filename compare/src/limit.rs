//! The limits of the machine: reading, widening and narrowing, compiled for each instruction set.
//!
//! The loops are plain Rust, which the compiler turns into the widest vectors that the function's target features
//! allow. An operation that reads every byte cannot be faster than the loop that does nothing else.

use fastutf::Isa;

pub enum Task<'a> {
    /// Reads all bytes, and returns the bitwise or of them.
    Read(&'a [u8]),
    /// ASCII to UTF-16.
    Widen(&'a [u8], &'a mut [u16]),
    /// UTF-16 to ASCII.
    Narrow(&'a [u16], &'a mut [u8]),
}

#[inline(always)]
fn scalar(task: Task) -> u64 {
    match task {
        Task::Read(src) => {
            let (blocks, rest) = src.as_chunks::<128>();
            let mut sum = [0; 128];
            for block in blocks {
                for (sum, byte) in sum.iter_mut().zip(block) {
                    *sum |= byte;
                }
            }
            return u64::from(sum.iter().chain(rest).fold(0, |sum, byte| sum | byte));
        }
        Task::Widen(src, dst) => dst.iter_mut().zip(src).for_each(|(unit, &byte)| *unit = u16::from(byte)),
        Task::Narrow(src, dst) => dst.iter_mut().zip(src).for_each(|(byte, &unit)| *byte = unit as u8),
    }
    0
}

/// The loops, compiled with target features.
#[cfg(target_arch = "x86_64")]
macro_rules! limits {
    ($($name:ident: $features:literal)*) => {
        $(#[target_feature(enable = $features)]
        fn $name(task: Task) -> u64 {
            scalar(task)
        })*
    };
}

#[cfg(target_arch = "x86_64")]
limits! {
    avx512: "avx512f,avx512bw,avx512vl,avx512vbmi"
    avx2: "avx2"
    sse41: "ssse3,sse4.1"
}

pub fn of(isa: Isa) -> fn(Task) -> u64 {
    match isa.name() {
        // SAFETY: there is no `Isa` of this name unless the CPU has (more than) these features.
        #[cfg(target_arch = "x86_64")]
        "avx512" => |task| unsafe { avx512(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        "avx2" => |task| unsafe { avx2(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        "sse4.1" => |task| unsafe { sse41(task) },
        _ => scalar,
    }
}
