//! The two byte orders of UTF-16.
//!
//! Kernels take a [`ByteOrder`] as an argument, so that one copy of their code serves both. Where a loop must not test
//! it, the caller branches on it once, and passes a constant to each of two copies (`for_each_order!`).

/// The byte order of UTF-16 without a byte-order mark.
///
/// [`Source::Utf16`](crate::stream::Source::Utf16) asks for it because the standards disagree. RFC 2781 §4.3 says
/// big-endian, and so does [`default`](Self::default); the WHATWG Encoding Standard says little-endian, which most such
/// files are. No variants will be added, so a `match` may be exhaustive.
///
/// ```
/// use fastutf::stream::ByteOrder;
///
/// assert_eq!(ByteOrder::default(), ByteOrder::Big);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The high byte first.
    #[default]
    Big,
    /// The low byte first.
    Little,
}

impl ByteOrder {
    /// That of a `u16` on this machine.
    pub(crate) const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };

    /// Big-endian or little-endian: for functions that are compiled for either.
    pub(crate) const fn of(big: bool) -> Self {
        if big { Self::Big } else { Self::Little }
    }

    /// Whether the high byte of a code unit comes first.
    #[inline(always)]
    pub(crate) const fn is_big(self) -> bool {
        matches!(self, Self::Big)
    }

    /// Returns the code unit in these two bytes.
    #[inline(always)]
    pub(crate) const fn unit(self, bytes: [u8; 2]) -> u16 {
        if self.is_big() { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }

    /// Returns the two bytes of this code unit.
    #[inline(always)]
    pub(crate) const fn bytes(self, unit: u16) -> [u8; 2] {
        if self.is_big() { unit.to_be_bytes() } else { unit.to_le_bytes() }
    }

    /// Returns the code unit of UTF-32 in these four bytes.
    #[cfg(feature = "utf32")]
    #[inline(always)]
    pub(crate) const fn unit_32(self, bytes: [u8; 4]) -> u32 {
        if self.is_big() { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    /// Returns the four bytes of this code unit of UTF-32.
    #[cfg(feature = "utf32")]
    #[inline(always)]
    pub(crate) const fn bytes_32(self, unit: u32) -> [u8; 4] {
        if self.is_big() { unit.to_be_bytes() } else { unit.to_le_bytes() }
    }
}

/// `$call` for either byte order, compiled twice: `$order` is a constant in it, so what is inlined there tests it no
/// more.
macro_rules! for_each_order {
    ($order:ident, $call:expr) => {
        match $order {
            $crate::endian::ByteOrder::Little => {
                let $order = $crate::endian::ByteOrder::Little;
                $call
            }
            $crate::endian::ByteOrder::Big => {
                let $order = $crate::endian::ByteOrder::Big;
                $call
            }
        }
    };
}
