//! The lengths of the strings, and where they start.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// About this many bytes of UTF-8, a little less if a character would be cut, at an aligned address.
    Even(usize),
    /// The same at any address, like slices of a longer text.
    Unaligned(usize),
    /// Random lengths between these two, log-uniform, each string right after the one before.
    Random(usize, usize),
}

impl Size {
    /// The sizes measured by default. The last takes memory and time, and is measured on few texts.
    pub const ALL: &str = "4,8,16,32,64,100,256,1..256,1K,4K,4K+odd,64K,1M,64M";
    pub const QUICK: &str = "16,1..256,1K,64K";
    /// The sizes at which ill-formed text is measured by default.
    pub const CORRUPT: &str = "256,4K,64K,5..30,60..250";
    /// The sizes of optional features' operations.
    pub const FEW: &str = "4,8,16,64,256,1..64,1..256,4K,64K,1M";
    /// The lengths of the rows of columns, and of texts in which positions are looked up.
    pub const ROWS: &str = "5..30,60..250";
    pub const DOCUMENTS: &str = "4K,100K,4M";
    /// The size at which instructions are counted by default.
    pub const COUNTED: &str = "64K";
    /// The sizes at which two builds of the library are compared.
    pub const BUILDS: &str = "1..32,33..256,256..4K,4K..64K,1M";

    /// The sizes of a list.
    pub fn list(names: &str) -> Vec<Self> {
        names.split(',').map(|name| name.parse().expect("it is a size")).collect()
    }

    /// The length of the longest string in bytes.
    pub const fn most(self) -> usize {
        match self {
            Self::Even(len) | Self::Unaligned(len) | Self::Random(_, len) => len,
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
        } else {
            len(name).map(Self::Even)
        };
        match size {
            Some(Self::Random(least, most)) if least >= most => None,
            size => size.filter(|size| size.most() >= 4),
        }
        .ok_or_else(|| {
            "a size is 4 or more bytes, as in 16, 4K, 1M, 4K+odd, or else a range: 1..256, 4K..64K".into()
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
        for list in [Size::ALL, Size::BUILDS] {
            let names: Vec<String> = Size::list(list).iter().map(Size::to_string).collect();
            assert_eq!(names.join(","), list);
        }
        for wrong in ["", "3", "0K", "K", "-1", "4G", "4K+", "1..2", "8..8", "9..8", "0..8", "1..8+odd", "2048M"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
