//! The lengths of the strings, and where they start.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// About this many bytes of UTF-8, a little less if a character would be cut, at an aligned address.
    Even(usize),
    /// The same at any address, like slices of a longer text.
    Unaligned(usize),
    /// The same where each string ends at the end of a page.
    PageEnd(usize),
    /// Random lengths between these two, log-uniform, each string right after the one before.
    Random(usize, usize),
}

impl Size {
    /// Short strings of any length.
    const SHORT: Self = Self::Random(1, 256);
    /// The sizes measured by default. The last takes memory and time, and is measured on few texts.
    pub const ALL: [Self; 14] = [
        Self::Even(4),
        Self::Even(8),
        Self::Even(16),
        Self::Even(32),
        Self::Even(64),
        Self::Even(100),
        Self::Even(256),
        Self::SHORT,
        Self::Even(1 << 10),
        Self::Even(4 << 10),
        Self::Unaligned(4 << 10),
        Self::Even(64 << 10),
        Self::Even(1 << 20),
        Self::Even(64 << 20),
    ];
    /// The sizes at which ill-formed text is measured by default.
    pub const CORRUPT: [Self; 5] =
        [Self::Even(256), Self::Even(4 << 10), Self::Even(64 << 10), Self::ROWS[0], Self::ROWS[1]];
    pub const QUICK: [Self; 4] = [Self::Even(16), Self::SHORT, Self::Even(1 << 10), Self::Even(64 << 10)];

    /// The sizes of optional features' operations.
    pub const FEW: [Self; 10] = [
        Self::Even(4),
        Self::Even(8),
        Self::Even(16),
        Self::Even(64),
        Self::Even(256),
        Self::Random(1, 64),
        Self::SHORT,
        Self::Even(4 << 10),
        Self::Even(64 << 10),
        Self::Even(1 << 20),
    ];
    /// The lengths of the rows of columns, and of texts in which positions are looked up.
    pub const ROWS: [Self; 2] = [Self::Random(5, 30), Self::Random(60, 250)];
    pub const DOCUMENTS: [Self; 3] = [Self::Even(4 << 10), Self::Even(100 << 10), Self::Even(4 << 20)];

    /// The sizes at which instructions are counted by default.
    pub const COUNTED: [Self; 1] = [Self::Even(64 << 10)];

    /// The sizes at which two builds of the library are compared.
    pub const BUILDS: [Self; 5] = [
        Self::Random(1, 32),
        Self::Random(33, 256),
        Self::Random(256, 4 << 10),
        Self::Random(4 << 10, 64 << 10),
        Self::Even(1 << 20),
    ];

    /// For tests.
    #[cfg(test)]
    pub const PAGE_ENDS: [Self; 2] = [Self::PageEnd(31), Self::PageEnd(2048)];

    /// The length of the longest string in bytes.
    pub const fn most(self) -> usize {
        match self {
            Self::Even(len) | Self::Unaligned(len) | Self::PageEnd(len) | Self::Random(_, len) => len,
        }
    }

    /// Whether the strings fit into no cache, and are too few for statistics.
    pub const fn is_huge(self) -> bool {
        self.most() > 1 << 20
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match *self {
            Self::Even(len) => short(len),
            Self::Unaligned(len) => short(len) + "+odd",
            Self::PageEnd(len) => short(len) + "+page",
            Self::Random(least, most) => format!("{}..{}", short(least), short(most)),
        })
    }
}

fn short(len: usize) -> String {
    match len {
        _ if len.is_multiple_of(1 << 20) => format!("{}M", len >> 20),
        _ if len.is_multiple_of(1 << 10) => format!("{}K", len >> 10),
        _ => len.to_string(),
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        // Four bytes hold a character of any language.
        let size = if let Some((least, most)) = name.split_once("..") {
            len(least).zip(len(most)).map(|(least, most)| Self::Random(least, most))
        } else if let Some(name) = name.strip_suffix("+odd") {
            len(name).map(Self::Unaligned)
        } else if let Some(name) = name.strip_suffix("+page") {
            len(name).map(Self::PageEnd)
        } else {
            len(name).map(Self::Even)
        };
        match size {
            Some(Self::Random(least, most)) if least >= most => None,
            // UTF-16 has to fit into a page.
            Some(Self::PageEnd(len)) if len > 2048 => None,
            size => size.filter(|size| size.most() >= 4),
        }
        .ok_or_else(|| {
            "a size is 4 or more bytes, as in 16, 4K, 1M, 4K+odd, 16+page (up to 2K), or else a range: 1..256, 4K..64K"
                .into()
        })
    }
}

fn len(name: &str) -> Option<usize> {
    let (digits, shift) = match name.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 10),
        None => name.strip_suffix(['m', 'M']).map_or((name, 0), |digits| (digits, 20)),
    };
    let number: usize = digits.parse().ok()?;
    // More than a gigabyte would take too long.
    (1..=(1 << 30) >> shift).contains(&number).then_some(number << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for size in Size::ALL.into_iter().chain(Size::BUILDS).chain(Size::PAGE_ENDS) {
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        for wrong in
            ["", "3", "0K", "K", "-1", "4G", "4K+", "1..2", "8..8", "9..8", "4K+page", "0..8", "1..8+odd", "2048M"]
        {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
