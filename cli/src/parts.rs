//! Divides bytes into parts that are each in one encoding, UTF-8 or UTF-16: finds out whether a text is in two encodings, and
//! where the second one begins.
//!
//! Each way to read the bytes has a cost in bits, roughly the logarithm of how unlikely text in that encoding is to have
//! these bytes, and so has each change of the encoding. The cheapest reading is taken (the algorithm of Viterbi). So a part
//! in another encoding is found if it is long enough, or odd enough in the other reading, to pay for the change.

use crate::encoding::Encoding;

/// The costs, in bits.
mod cost {
    /// To change the encoding. It is more than two or three strange characters cost, which real texts have, and as much as
    /// ten Chinese characters all of whose bytes are ASCII.
    pub const CHANGE: u32 = 40;
    /// To go on with UTF-16 in the other byte order, or shifted by one byte: whatever was ASCII is very odd then.
    pub const CHANGE_OF_ORDER: u32 = 30;
    /// To change it behind a line end, or in front of a byte-order mark: most programs append whole lines, and whole files.
    pub const CHANGE_OF_LINE: u32 = 12;

    // UTF-8.

    /// A byte of ASCII text: some 30 are frequent.
    pub const ASCII: u32 = 5;
    /// A character of 2, 3 or 4 bytes. What is none by design seldom is one.
    pub const MULTI_BYTE: [u32; 3] = [10, 12, 16];
    /// A line end in ASCII. Not too cheap, as the blocks of Gurmukhi and Malayalam start with 0A and 0D.
    pub const LINE_END: u32 = 6;
    /// LF after CR.
    pub const LF_AFTER_CR: u32 = 2;
    /// The other control characters that texts have, such as tabs: the blocks of other Indic scripts start with these.
    pub const TAB: u32 = 10;
    /// The same byte as the one before, or the same two as before: a line of hyphens, or of `=-=-`.
    pub const SAME_BYTE: u32 = 2;
    /// An ill-formed byte. Less than half a code unit of garbage in UTF-16, so that damage does not look like UTF-16.
    pub const ILL_FORMED: u32 = 11;
    /// A control character that texts do not have, such as NUL: text in UTF-16 is full of them, and UTF-8 has few.
    pub const CONTROL: u32 = 16;

    // UTF-16.

    /// A code unit that is ASCII text, or a comma or a full stop of Chinese and Japanese: some 30 are frequent, and in every
    /// script.
    pub const ASCII_UNIT: u32 = 7;
    /// The same code unit as the one before: a line of box drawings, an ellipsis. The same as for its two bytes in UTF-8.
    pub const SAME_UNIT: u32 = 2 * SAME_BYTE;
    /// A letter of the same script as the last one, and kana in Japanese: some 40 are frequent. Most hiragana are made of two
    /// bytes of printable ASCII, which cost more.
    pub const SAME_SCRIPT: u32 = 9;
    /// A character of Chinese or Korean after another. A quarter of the Chinese ones are made of two bytes of
    /// printable ASCII: to be one of those costs 2 bits, and the bytes cost 10 in ASCII.
    pub const SAME_SCRIPT_OF_MANY: u32 = 12;
    /// The first of them at the start of a part.
    pub const FIRST_OF_MANY: u32 = 14;
    /// Punctuation and symbols, which are in no script.
    pub const SYMBOL: u32 = 14;
    /// A letter of another script, or a private character.
    pub const OTHER_SCRIPT: u32 = 22;
    /// U+0D0A, which is CR LF in ASCII, unless it is where it belongs: in Malayalam.
    pub const CR_LF: u32 = 26;
    /// A surrogate pair.
    pub const PAIR: u32 = 18;
    /// A control character that texts do not have, or an unpaired surrogate.
    pub const ODD: u32 = 32;
    /// What no text has: noncharacters, U+0A0D (CR LF in ASCII), U+0A00 (LF in the other byte order). Any other reading is
    /// cheaper.
    pub const NEVER: u32 = 80;
    /// An incomplete code unit at the end: a text that is cut, and not a part of one byte.
    pub const INCOMPLETE: u32 = 24;
}

/// A way to read bytes: an encoding, and for UTF-16 whether code units start at odd offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    encoding: Encoding,
    phase: usize,
}

const READINGS: [Reading; 5] = [
    Reading { encoding: Encoding::Utf8, phase: 0 },
    Reading { encoding: Encoding::Utf16Le, phase: 0 },
    Reading { encoding: Encoding::Utf16Be, phase: 0 },
    Reading { encoding: Encoding::Utf16Le, phase: 1 },
    Reading { encoding: Encoding::Utf16Be, phase: 1 },
];

/// The longest step, a character of UTF-8 or a surrogate pair, in bytes.
const STEP: usize = 4;

/// Where the encoding of a text changes for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The offset of the first byte in another encoding.
    pub at: u64,
    /// The encoding before.
    pub from: Encoding,
    /// The encoding after. If it is UTF-16 both before and after, a byte may be missing or too many instead.
    pub to: Encoding,
}

/// The cheapest division of some bytes.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The encoding of the first part.
    pub first: Encoding,
    /// Where the second part starts, if there is one.
    pub change: Option<Change>,
    /// How many characters are ill-formed, or such as texts do not have.
    pub odd: u64,
}

/// The cheapest way to read the bytes up to an offset, such that a certain reading is the last.
#[derive(Clone, Copy)]
struct Path {
    cost: u32,
    parts: Parts,
    /// The script of the last letter, if it is UTF-16.
    script: Script,
    /// The last code unit, if it is UTF-16.
    unit: Option<u16>,
}

impl Change {
    /// Says what the text `is`, or seems to be.
    pub fn describe(&self, is: &str) -> String {
        let Self { at, from, to } = self;
        let (first, second) = (from.name(), to.name());
        match (from, to) {
            _ if *at == 0 => format!("it {is} {second} and not {first}"),
            (Encoding::Utf8, _) | (_, Encoding::Utf8) => {
                format!("it {is} in two encodings: {first}, and {second} from byte {at} on")
            }
            _ => format!("it {is} {first}, but from byte {at} on in the other byte order, or shifted by one byte"),
        }
    }
}

/// How unlikely it is that bytes are text in UTF-16, in bits.
pub fn cost_of(order: Encoding, bytes: &[u8]) -> u64 {
    let parts = Parts { first: order, change: None, odd: 0 };
    // Here it counts in which script it starts.
    let mut path = Path { cost: 0, parts, script: Script::Symbols, unit: None };
    let mut at = 0;
    while let Some((len, next)) = step(order, path, bytes, at) {
        (at, path) = (at + len, next);
    }
    path.cost.into()
}

/// Divides bytes, which continue unless they end the text. If `claimed`, they start in this encoding, unless there is much
/// against it.
pub fn divide(bytes: &[u8], claimed: Option<Encoding>, is_end: bool) -> Parts {
    // The cheapest paths to an offset, and to the next ones, for each reading.
    let mut paths = [[None::<Path>; READINGS.len()]; STEP + 1];
    for (path, reading) in paths[0].iter_mut().zip(READINGS) {
        let parts = Parts { first: reading.encoding, change: None, odd: 0 };
        let cost = match claimed {
            Some(encoding) if encoding != reading.encoding => cost::CHANGE,
            _ => 0,
        };
        let change = claimed.filter(|&from| from != reading.encoding);
        let change = change.map(|from| Change { at: 0, from, to: reading.encoding });
        let parts = Parts { first: claimed.unwrap_or(parts.first), change, ..parts };
        *path = (reading.phase == 0).then_some(Path { cost, parts, script: Script::None, unit: None });
    }
    let mut ends = Vec::new();
    for at in 0..=bytes.len() {
        let here = change(bytes, at, paths[0]);
        if at == bytes.len() {
            ends.extend(here.into_iter().flatten());
            break;
        }
        for (index, (path, reading)) in here.into_iter().zip(READINGS).enumerate() {
            let Some(path) = path.filter(|_| reading.encoding == Encoding::Utf8 || reading.phase == at % 2) else {
                continue;
            };
            match step(reading.encoding, path, bytes, at) {
                Some((len, path)) => {
                    let there = &mut paths[len][index];
                    if there.is_none_or(|there| path.cost < there.cost) {
                        *there = Some(path);
                    }
                }
                None => {
                    let cost = path.cost + if is_end { cost::INCOMPLETE } else { 0 };
                    ends.push(Path { cost, ..path });
                }
            }
        }
        paths.rotate_left(1);
        paths[STEP] = [None; READINGS.len()];
    }
    ends.into_iter().min_by_key(|path| path.cost).expect("all bytes can be read as UTF-8").parts
}

/// Also lets the paths to an offset go on in other readings.
fn change(bytes: &[u8], at: usize, paths: [Option<Path>; READINGS.len()]) -> [Option<Path>; READINGS.len()] {
    let mut changed = paths;
    // Nothing is before the start, and nothing after the end.
    if at == 0 || at == bytes.len() {
        return changed;
    }
    for (from, path) in READINGS.into_iter().zip(paths) {
        let Some(path) = path else { continue };
        let is_behind_line = match from.encoding {
            Encoding::Utf16Le => bytes[..at].ends_with(b"\n\0"),
            Encoding::Utf16Be => bytes[..at].ends_with(b"\0\n"),
            _ => bytes[at - 1] == b'\n' && (at == 1 || bytes[at - 2].is_ascii()),
        };
        for (to, there) in READINGS.into_iter().zip(&mut changed) {
            if from == to || to.encoding != Encoding::Utf8 && to.phase != at % 2 {
                continue;
            }
            let is_cheap = is_behind_line || bytes[at..].starts_with(to.encoding.mark());
            let is_order = from.encoding != Encoding::Utf8 && to.encoding != Encoding::Utf8;
            let cost = match (is_cheap, is_order) {
                (true, _) => cost::CHANGE_OF_LINE,
                (_, true) => cost::CHANGE_OF_ORDER,
                _ => cost::CHANGE,
            };
            let cost = path.cost + cost;
            if there.is_none_or(|there| cost < there.cost) {
                let change =
                    path.parts.change.unwrap_or(Change { at: at as u64, from: from.encoding, to: to.encoding });
                let parts = Parts { change: Some(change), ..path.parts };
                *there = Some(Path { cost, parts, script: Script::None, unit: None });
            }
        }
    }
    changed
}

/// Reads the next character. Returns its length and the path to its end; none if it is not complete.
fn step(encoding: Encoding, path: Path, bytes: &[u8], at: usize) -> Option<(usize, Path)> {
    if encoding == Encoding::Utf8 {
        let (len, cost, is_odd) = utf8(bytes, at);
        let parts = Parts { odd: path.parts.odd + u64::from(is_odd), ..path.parts };
        return Some((len, Path { cost: path.cost + cost, parts, ..path }));
    }
    let unit = |at: usize| {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if encoding == Encoding::Utf16Be { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let this = unit(at)?;
    let is_pair = this & 0xFC00 == 0xD800 && unit(at + 2).is_none_or(|next| next & 0xFC00 == 0xDC00);
    let script = Script::of(this);
    let cost = match script {
        _ if is_pair => cost::PAIR,
        _ if path.unit == Some(this) && script != Script::Never => cost::SAME_UNIT,
        Script::Ascii | Script::Stop => cost::ASCII_UNIT,
        Script::Tab => cost::TAB,
        Script::Symbols => cost::SYMBOL,
        Script::Other(_) if this == 0x0D0A && script != path.script => cost::CR_LF,
        Script::Odd => cost::ODD,
        Script::Never => cost::NEVER,
        Script::Han if script == path.script && (0x3040..0x3100).contains(&this) => cost::SAME_SCRIPT,
        Script::Han | Script::Hangul if path.script == Script::None => cost::FIRST_OF_MANY,
        Script::Han | Script::Hangul if script == path.script => cost::SAME_SCRIPT_OF_MANY,
        _ if script == path.script => cost::SAME_SCRIPT,
        _ => cost::OTHER_SCRIPT,
    };
    let is_odd = !is_pair && matches!(script, Script::Private | Script::Odd | Script::Never);
    let is_letter = matches!(script, Script::Han | Script::Hangul | Script::Other(_));
    let path = Path {
        cost: path.cost + cost,
        parts: Parts { odd: path.parts.odd + u64::from(is_odd), ..path.parts },
        script: match path.script {
            _ if is_letter => script,
            Script::None => script,
            last => last,
        },
        unit: Some(this),
    };
    // A pair that is cut is not complete.
    let len = if is_pair { 4 } else { 2 };
    (at + len <= bytes.len()).then_some((len, path))
}

/// The length, the cost and the oddity of the next character in UTF-8.
fn utf8(bytes: &[u8], at: usize) -> (usize, u32, bool) {
    let byte = bytes[at];
    let before = &bytes[at.saturating_sub(3)..=at];
    let is_same = matches!(*before, [.., a, b] if a == b) || matches!(*before, [a, b, c, d] if a == c && b == d);
    match byte {
        0x80.. => {
            let len = byte.leading_ones() as usize;
            let character = bytes[at..].get(..len).filter(|_| (2..=4).contains(&len));
            match character.map(str::from_utf8) {
                Some(Ok(_)) => (len, cost::MULTI_BYTE[len - 2], false),
                _ => (1, if is_same { cost::SAME_BYTE } else { cost::ILL_FORMED }, true),
            }
        }
        _ if is_same => (1, cost::SAME_BYTE, !is_text(byte)),
        b' '..=b'~' => (1, cost::ASCII, false),
        b'\n' if at > 0 && bytes[at - 1] == b'\r' => (1, cost::LF_AFTER_CR, false),
        b'\n' | b'\r' => (1, cost::LINE_END, false),
        _ if is_text(byte) => (1, cost::TAB, false),
        _ => (1, cost::CONTROL, true),
    }
}

/// Whether a byte of ASCII may be in text.
pub fn is_text(byte: u8) -> bool {
    byte >= 0x20 && byte != 0x7F || matches!(byte, 0x08..=0x0D | 0x1B)
}

/// What code units are in, as far as it matters which of them are next to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    /// Nothing yet.
    None,
    /// Those of ASCII that texts have.
    Ascii,
    /// Tabs and the like.
    Tab,
    /// The frequent punctuation of Chinese and Japanese.
    Stop,
    /// Punctuation and symbols, which are next to all scripts.
    Symbols,
    /// Chinese and Japanese.
    Han,
    /// Korean.
    Hangul,
    /// Others, by their first block of 256.
    Other(u16),
    /// None: a private character.
    Private,
    /// What hardly any text has.
    Odd,
    /// What no text has.
    Never,
}

impl Script {
    fn of(unit: u16) -> Self {
        match unit {
            0x0A00 | 0x0A0D | 0xFFFE.. | 0xFDD0..=0xFDEF => Self::Never,
            0x0A | 0x0D | 0x20..0x7F => Self::Ascii,
            0..0x80 if is_text(unit as u8) => Self::Tab,
            0x3000..0x3003 | 0xFF0C | 0xFF01 | 0xFF1A | 0xFF1B | 0xFF1F => Self::Stop,
            0..0xA0 => Self::Odd,
            // The Latin blocks, with the letters of phonetics.
            0xC0..0x2B0 | 0x1E00..0x1F00 => Self::Other(0),
            0xA0..0xC0 | 0x2B0..0x370 | 0x2000..0x2E80 | 0xFE00..0xFE70 | 0xFEFF | 0xFFF0.. => Self::Symbols,
            0x2E80..0xA000 | 0xF900..0xFB00 | 0xFF00..0xFFF0 => Self::Han,
            0xAC00..0xD800 => Self::Hangul,
            0xD800..0xE000 => Self::Odd,
            0xE000..0xF900 => Self::Private,
            // Ethiopic, and Canadian syllables.
            0x1200..0x13A0 => Self::Other(0x12),
            0x1400..0x1680 => Self::Other(0x14),
            // Polytonic Greek.
            0x1F00..0x2000 => Self::Other(3),
            // Additions to Cyrillic, and forms of Arabic.
            0x500..0x530 => Self::Other(4),
            0x750..0x780 | 0x8A0..0x900 | 0xFB50..0xFE00 | 0xFE70..0xFEFF => Self::Other(6),
            _ => Self::Other(unit >> 8),
        }
    }
}
