//! The lengths of the strings, and where they start.

use std::fmt;
use std::str::FromStr;

/// The longest of random lengths.
pub const RAGGED_MOST: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// About this many bytes of UTF-8, a little less if a character would be cut, at an aligned address.
    Even(usize),
    /// The same at any address, like slices of a longer text.
    Unaligned(usize),
    /// Random lengths up to [`RAGGED_MOST`], log-uniform, each right after the one before.
    Ragged,
}

impl Size {
    /// The sizes measured by default. The last takes memory and time, and is measured on few texts.
    pub const ALL: [Self; 14] = [
        Self::Even(4),
        Self::Even(8),
        Self::Even(16),
        Self::Even(32),
        Self::Even(64),
        Self::Even(100),
        Self::Even(256),
        Self::Ragged,
        Self::Even(1 << 10),
        Self::Even(4 << 10),
        Self::Unaligned(4 << 10),
        Self::Even(64 << 10),
        Self::Even(1 << 20),
        Self::Even(64 << 20),
    ];
    /// The sizes at which ill-formed text is measured by default.
    pub const CORRUPT: [Self; 3] = [Self::Even(256), Self::Even(4 << 10), Self::Even(64 << 10)];
    pub const QUICK: [Self; 4] = [Self::Even(16), Self::Ragged, Self::Even(1 << 10), Self::Even(64 << 10)];

    /// The sizes at which instructions are counted by default.
    pub const COUNTED: [Self; 1] = [Self::Even(64 << 10)];

    /// The length of the longest string in bytes.
    pub const fn most(self) -> usize {
        match self {
            Self::Even(len) | Self::Unaligned(len) => len,
            Self::Ragged => RAGGED_MOST,
        }
    }

    /// Whether the strings fit into no cache, and are too few for statistics.
    pub const fn is_huge(self) -> bool {
        self.most() > 1 << 20
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, unaligned) = match *self {
            Self::Even(len) => (len, ""),
            Self::Unaligned(len) => (len, "+odd"),
            Self::Ragged => return f.pad("1..256"),
        };
        let len = match len {
            _ if len % (1 << 20) == 0 => format!("{}M", len >> 20),
            _ if len % (1 << 10) == 0 => format!("{}K", len >> 10),
            _ => len.to_string(),
        };
        f.pad(&(len + unaligned))
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "1..256" {
            return Ok(Self::Ragged);
        }
        let (len, unaligned) = name.strip_suffix("+odd").map_or((name, false), |len| (len, true));
        let (digits, shift) = match len.strip_suffix(['k', 'K']) {
            Some(digits) => (digits, 10),
            None => len.strip_suffix(['m', 'M']).map_or((len, 0), |digits| (digits, 20)),
        };
        match digits.parse::<usize>() {
            // Four bytes hold a character of any language; more than a gigabyte would take too long.
            Ok(number) if number <= (1 << 30) >> shift && number << shift >= 4 => {
                let len = number << shift;
                Ok(if unaligned { Self::Unaligned(len) } else { Self::Even(len) })
            }
            _ => Err("a size is 4 or more bytes, as in 16, 4K, 1M, 4K+odd, or else 1..256".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for size in Size::ALL {
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        for wrong in ["", "3", "0K", "K", "-1", "4G", "4K+", "1..255", "2048M"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
