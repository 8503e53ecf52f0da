//! Every form of text by its definition: a text is a list of code points, whatever form it comes in. Nothing here knows of
//! pairs of forms, so a conversion is right if it does what decoding the one and encoding the other does. Whatever the oracles and
//! the tests know of a single form is here.

/// A form of text. Forms of `u16` and `u32` are bytes here, too, in the order of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are clear")]
pub enum Form {
    Utf8,
    Utf16,
    Utf16Le,
    Utf16Be,
    Utf32,
    Utf32Le,
    Utf32Be,
    Latin1,
    Wtf8,
    Mutf8,
}

/// What forms have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Each byte is a character.
    OneByte,
    /// UTF-8 alone.
    Utf8,
    /// Like UTF-8, but with surrogates.
    Generalised,
    /// In any byte order.
    Utf16,
    /// In any byte order.
    Utf32,
}

/// A code point, or an ill-formed part, and its length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// How many bytes it takes.
    pub len: usize,
    /// The code point, unless it is ill-formed. An unpaired surrogate of UTF-16, WTF-8 or modified UTF-8 is one.
    pub point: Option<u32>,
}

/// What a conversion into a buffer of some size comes to, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// How much was read.
    pub read: usize,
    /// What was written.
    pub bytes: Vec<u8>,
    /// How many replacements are in it.
    pub replacements: usize,
    /// Why it ended.
    pub end: End,
}

/// Why a conversion ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All of the input was converted.
    Complete,
    /// The next character does not fit.
    OutputFull,
    /// What comes next is ill-formed, or the other form does not have it.
    Invalid,
}

const HIGH: std::ops::RangeInclusive<u32> = 0xD800..=0xDBFF;
const LOW: std::ops::RangeInclusive<u32> = 0xDC00..=0xDFFF;

fn joined(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Utf8,
        Self::Utf16,
        Self::Utf16Le,
        Self::Utf16Be,
        Self::Utf32,
        Self::Utf32Le,
        Self::Utf32Be,
        Self::Latin1,
        Self::Wtf8,
        Self::Mutf8,
    ];

    /// Its name in those of functions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf8",
            Self::Utf16 => "utf16",
            Self::Utf16Le => "utf16le",
            Self::Utf16Be => "utf16be",
            Self::Utf32 => "utf32",
            Self::Utf32Le => "utf32le",
            Self::Utf32Be => "utf32be",
            Self::Latin1 => "latin1",
            Self::Wtf8 => "wtf8",
            Self::Mutf8 => "mutf8",
        }
    }

    /// The form that is an encoding of this name, as IANA has it.
    pub fn of_encoding(name: &str) -> Self {
        let name = if name == "ISO-8859-1" { "latin1".to_owned() } else { name.replace('-', "").to_lowercase() };
        let found = Self::ALL.into_iter().find(|form| form.name() == name);
        found.unwrap_or_else(|| panic!("the oracles do not know {name}"))
    }

    /// What it is like.
    pub fn family(self) -> Family {
        match self {
            Self::Utf8 => Family::Utf8,
            Self::Utf16 | Self::Utf16Le | Self::Utf16Be => Family::Utf16,
            Self::Utf32 | Self::Utf32Le | Self::Utf32Be => Family::Utf32,
            Self::Latin1 => Family::OneByte,
            Self::Wtf8 | Self::Mutf8 => Family::Generalised,
        }
    }

    /// The code point of a byte, in a form of one byte.
    fn of_byte(self, byte: u8) -> u32 {
        byte.into()
    }

    /// The byte of a code point, if such a form has it.
    fn to_byte(self, point: u32) -> Option<u8> {
        u8::try_from(point).ok()
    }

    /// The byte-order mark, if this form has the character.
    pub fn mark(self) -> Vec<u8> {
        self.encode([0xFEFF].into_iter().filter(|&mark| self.has(mark)))
    }

    /// Whether its texts are of code units in the order of this machine.
    pub fn is_native(self) -> bool {
        matches!(self, Self::Utf16 | Self::Utf32)
    }

    /// How many bytes a code unit has.
    pub fn unit(self) -> usize {
        match self.family() {
            Family::OneByte | Family::Utf8 | Family::Generalised => 1,
            Family::Utf16 => 2,
            Family::Utf32 => 4,
        }
    }

    fn is_big_endian(self) -> bool {
        matches!(self, Self::Utf16Be | Self::Utf32Be) || self.is_native() && cfg!(target_endian = "big")
    }

    /// Appends a number as a code unit.
    pub fn put_unit(self, unit: u32, to: &mut Vec<u8>) {
        let start = to.len();
        to.extend_from_slice(&unit.to_le_bytes()[..self.unit()]);
        if self.is_big_endian() {
            to[start..].reverse();
        }
    }

    /// The code units of these bytes of UTF-16, and whether an odd byte follows.
    pub fn units_16(self, bytes: &[u8]) -> (Vec<u16>, bool) {
        (self.units(bytes).into_iter().map(|unit| unit as u16).collect(), !bytes.len().is_multiple_of(2))
    }

    /// The code units of these bytes, without those left over.
    pub fn units(self, bytes: &[u8]) -> Vec<u32> {
        let number = |unit: &[u8]| {
            let mut place = [0; 4];
            place[..unit.len()].copy_from_slice(unit);
            if self.is_big_endian() {
                place[..unit.len()].reverse();
            }
            u32::from_le_bytes(place)
        };
        bytes.chunks_exact(self.unit()).map(number).collect()
    }

    /// Whether this form has a code point.
    pub fn has(self, point: u32) -> bool {
        let is_surrogate = (0xD800..=0xDFFF).contains(&point);
        match self.family() {
            Family::OneByte => self.to_byte(point).is_some(),
            Family::Utf8 | Family::Utf32 => !is_surrogate,
            Family::Utf16 | Family::Generalised => true,
        }
    }

    /// Appends a code point that this form has.
    pub fn put(self, point: u32, to: &mut Vec<u8>) {
        assert!(self.has(point));
        match self.family() {
            Family::OneByte => to.extend(self.to_byte(point)),
            Family::Utf32 => self.put_unit(point, to),
            Family::Utf16 if point < 0x1_0000 => self.put_unit(point, to),
            Family::Utf16 => {
                self.put_unit(0xD800 + ((point - 0x1_0000) >> 10), to);
                self.put_unit(0xDC00 + (point & 0x3FF), to);
            }
            Family::Generalised if self == Self::Mutf8 && point == 0 => to.extend([0xC0, 0x80]),
            Family::Generalised if self == Self::Mutf8 && point >= 0x1_0000 => {
                self.put(0xD800 + ((point - 0x1_0000) >> 10), to);
                self.put(0xDC00 + (point & 0x3FF), to);
            }
            Family::Utf8 | Family::Generalised => {
                let more = |shift: u32| 0x80 | (point >> shift & 0x3F) as u8;
                match point {
                    0..0x80 => to.push(point as u8),
                    0x80..0x800 => to.extend([0xC0 | (point >> 6) as u8, more(0)]),
                    0x800..0x1_0000 => to.extend([0xE0 | (point >> 12) as u8, more(6), more(0)]),
                    _ => to.extend([0xF0 | (point >> 18) as u8, more(12), more(6), more(0)]),
                }
            }
        }
    }

    /// A text of code points that this form has.
    pub fn encode(self, text: impl IntoIterator<Item = u32>) -> Vec<u8> {
        let mut bytes = Vec::new();
        text.into_iter().for_each(|point| self.put(point, &mut bytes));
        bytes
    }

    /// The sequence at the start of these bytes of UTF-8, WTF-8 or modified UTF-8: Table 3-7 of the Unicode Standard, with
    /// surrogates where the form has them. What is ill-formed is a maximal subpart.
    fn sequence(self, bytes: &[u8]) -> Item {
        let surrogates = self != Self::Utf8;
        let (len, second) = match bytes[0] {
            0 if self == Self::Mutf8 => return Item { len: 1, point: None },
            0..=0x7F => return Item { len: 1, point: Some(bytes[0].into()) },
            0xC0 if self == Self::Mutf8 => (2, 0x80..=0x80),
            0xC2..=0xDF => (2, 0x80..=0xBF),
            0xE0 => (3, 0xA0..=0xBF),
            0xED if !surrogates => (3, 0x80..=0x9F),
            0xE1..=0xEF => (3, 0x80..=0xBF),
            0xF0 if self != Self::Mutf8 => (4, 0x90..=0xBF),
            0xF1..=0xF3 if self != Self::Mutf8 => (4, 0x80..=0xBF),
            0xF4 if self != Self::Mutf8 => (4, 0x80..=0x8F),
            _ => return Item { len: 1, point: None },
        };
        let mut point = u32::from(bytes[0]) & (0x7F >> len);
        for at in 1..len {
            let byte = bytes.get(at).copied().unwrap_or(0);
            if !if at == 1 { second.contains(&byte) } else { (0x80..=0xBF).contains(&byte) } {
                return Item { len: at, point: None };
            }
            point = point << 6 | u32::from(byte & 0x3F);
        }
        Item { len, point: Some(point) }
    }

    /// The code points and the ill-formed parts of a text.
    pub fn items(self, bytes: &[u8]) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        match self.family() {
            Family::Utf8 | Family::Generalised => {
                let mut rest = bytes;
                while !rest.is_empty() {
                    let item = self.sequence(rest);
                    rest = &rest[item.len..];
                    let before = items.last().and_then(|item| item.point).filter(|point| HIGH.contains(point));
                    match (before, item.point.filter(|point| LOW.contains(point))) {
                        // A pair as two sequences has another form in WTF-8, and is a character in modified UTF-8.
                        (Some(_), Some(_)) if self == Self::Wtf8 => items.push(Item { point: None, ..item }),
                        (Some(high), Some(low)) => {
                            *items.last_mut().unwrap() = Item { len: 6, point: Some(joined(high, low)) };
                        }
                        _ => items.push(item),
                    }
                }
            }
            Family::OneByte => {
                items.extend(bytes.iter().map(|&byte| Item { len: 1, point: Some(self.of_byte(byte)) }));
            }
            Family::Utf16 => {
                for unit in self.units(bytes) {
                    match items.last_mut() {
                        Some(Item { len, point: Some(high) }) if HIGH.contains(high) && LOW.contains(&unit) => {
                            (*len, *high) = (4, joined(*high, unit));
                        }
                        _ => items.push(Item { len: 2, point: Some(unit) }),
                    }
                }
            }
            Family::Utf32 => {
                let point = |unit: u32| Some(unit).filter(|&unit| unit <= 0x10_FFFF && self.has(unit));
                items.extend(self.units(bytes).into_iter().map(|unit| Item { len: 4, point: point(unit) }));
            }
        }
        match bytes.len() % self.unit() {
            0 => {}
            left => items.push(Item { len: left, point: None }),
        }
        items
    }

    /// The same for a conversion to another form: only WTF-8 and modified UTF-8 keep the surrogates of UTF-16.
    pub fn items_for(self, to: Self, bytes: &[u8]) -> Vec<Item> {
        let mut items = self.items(bytes);
        if ![self, to].iter().any(|form| form.family() == Family::Generalised) {
            items
                .iter_mut()
                .for_each(|item| item.point = item.point.filter(|point| !(0xD800..=0xDFFF).contains(point)));
        }
        items
    }

    /// What stands for text that cannot be converted to this form.
    pub fn replacement(self) -> u32 {
        if self.has(0xFFFD) { 0xFFFD } else { '?'.into() }
    }

    /// Converts `items` of another form into `room` bytes of this one, up to what cannot be.
    pub fn strict(self, items: &[Item], room: usize) -> Converted {
        self.convert(items, room, false)
    }

    /// Converts `items` of another form into `room` bytes of this one, with a replacement for what cannot be.
    pub fn lossy(self, items: &[Item], room: usize) -> Converted {
        self.convert(items, room, true)
    }

    fn convert(self, items: &[Item], room: usize, lossy: bool) -> Converted {
        let mut out = Converted { read: 0, bytes: Vec::new(), replacements: 0, end: End::Complete };
        for item in items {
            let point = item.point.filter(|&point| self.has(point));
            if point.is_none() && !lossy {
                out.end = End::Invalid;
                return out;
            }
            let written = out.bytes.len();
            self.put(point.unwrap_or(self.replacement()), &mut out.bytes);
            if out.bytes.len() > room {
                out.bytes.truncate(written);
                out.end = End::OutputFull;
                return out;
            }
            out.replacements += usize::from(point.is_none());
            out.read += item.len;
        }
        out
    }
}
