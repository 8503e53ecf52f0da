//! The two byte orders of UTF-16, as types, so that kernels are written once for both.

/// A byte order of UTF-16 code units in memory.
pub(crate) trait Endian: Copy {
    /// Whether the high byte of a code unit comes first.
    const BIG: bool;

    /// Returns the code unit in these two bytes.
    #[inline(always)]
    fn unit(bytes: [u8; 2]) -> u16 {
        if Self::BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }

    /// Returns the two bytes of this code unit.
    #[inline(always)]
    fn bytes(unit: u16) -> [u8; 2] {
        if Self::BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Little;
impl Endian for Little {
    const BIG: bool = false;
}

#[derive(Clone, Copy)]
pub(crate) struct Big;
impl Endian for Big {
    const BIG: bool = true;
}

/// The byte order of a `u16` on this machine.
#[cfg(target_endian = "little")]
pub(crate) type Native = Little;
#[cfg(target_endian = "big")]
pub(crate) type Native = Big;
