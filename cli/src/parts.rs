//! Divides bytes into parts that are each in one encoding, UTF-8 or UTF-16: finds out whether a text is in two encodings, and
//! where the second one begins.
//!
//! Each way to read the bytes has a cost in bits: roughly the logarithm of how unlikely these bytes are for text in that
//! encoding. Each change of the encoding has a cost, too. The cheapest reading is taken (the algorithm of Viterbi). So a
//! part in another encoding is found if it is long enough, or odd enough in the other reading, to pay for the change.

use std::mem;

use crate::encoding::Encoding;

/// The costs, in bits.
mod cost {
    /// To change the encoding. It is more than two or three strange characters cost, which real texts have, and as much as
    /// ten Chinese characters all of whose bytes are ASCII.
    pub const CHANGE: u32 = 40;
    /// To go on with UTF-16 in the other byte order: whatever was ASCII is very odd then.
    pub const CHANGE_OF_ORDER: u32 = 30;
    /// To skip a byte of UTF-16, which is one too many or belongs to one that is missing.
    pub const SHIFT: u32 = 35;
    /// To change the encoding behind a line end, or in front of a byte-order mark: most programs append whole lines, and whole files.
    pub const CHANGE_OF_LINE: u32 = 12;

    // UTF-8.

    /// A byte of ASCII text: some 30 are frequent.
    pub const ASCII: u32 = 5;
    /// A character of 2, 3 or 4 bytes. What is none by design seldom is one.
    pub const MULTI_BYTE: [u32; 3] = [10, 12, 16];
    /// A line end in ASCII, LF or CR LF. Not too cheap, as the blocks of Gurmukhi and Malayalam start with 0A and 0D.
    pub const LINE_END: u32 = 6;
    /// LF after CR.
    pub const LF_AFTER_CR: u32 = 2;
    /// The other control characters that texts have, such as tabs and CR alone: the blocks of other Indic scripts start with
    /// these.
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
    /// The first letter at the start of a part.
    pub const FIRST_OF_SCRIPT: u32 = 13;
    /// A character of Chinese or Korean after another. A quarter of the Chinese ones are made of two bytes of
    /// printable ASCII: to be one of those costs 2 bits, and the bytes cost 10 in ASCII.
    pub const SAME_SCRIPT_OF_MANY: u32 = 12;
    /// The first of them at the start of a part.
    pub const FIRST_OF_MANY: u32 = 14;
    /// Punctuation and symbols, which are in no script.
    pub const SYMBOL: u32 = 14;
    /// A letter of another script, a rare Chinese character, or a private character.
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

/// The ways to read bytes. In UTF-16, code units may start at even or at odd offsets.
const READINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

/// The longest step, a character of UTF-8 or a surrogate pair, in bytes.
const STEP: usize = 4;

/// Where the encoding of a text changes for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The offset of the first byte in another encoding.
    pub at: u64,
    /// The encoding before.
    pub from: Encoding,
    /// The encoding after. If that is the same, a byte is missing, or one is too many.
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

/// The cheapest way to read the bytes up to an offset, such that a certain reading is the last. It is small, as it is copied
/// several times for each byte.
#[derive(Clone, Copy)]
struct Path {
    cost: u32,
    /// As in [`Parts`].
    first: Encoding,
    change: Option<(u32, Encoding, Encoding)>,
    odd: u32,
    /// The script of the last letter, if it is UTF-16.
    script: Script,
    /// The last code unit, if it is UTF-16.
    unit: u16,
}

/// A noncharacter.
const NO_UNIT: u16 = 0xFFFF;

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
            _ if from == to => format!("it {is} {first}, but shifted by one byte from byte {at} on"),
            _ => format!("it {is} {first}, but from byte {at} on in the other byte order"),
        }
    }
}

/// How unlikely it is that bytes are text in UTF-16, in bits.
pub fn cost_of(order: Encoding, bytes: &[u8]) -> u64 {
    // Here it counts in which script it starts.
    let mut path = Path { script: Script::Symbols, ..Path::from(order) };
    let mut at = 0;
    while let Some((len, next)) = step(order, &path, bytes, at) {
        (at, path) = (at + len, next);
    }
    path.cost.into()
}

/// Whether text in UTF-8 or UTF-16 may have parts in another encoding, and should be [divided](divide), which takes a hundred
/// times as long.
pub fn may_change(encoding: Encoding, bytes: &[u8], is_start: bool, is_end: bool) -> bool {
    if encoding == Encoding::Utf8 {
        return has_part_in_utf16(bytes, is_start, is_end);
    }
    let changes = |bytes, before, is_end| {
        let parts = divide(bytes, before, is_end);
        parts.change.is_some() || parts.first != encoding
    };
    let tail = bytes.len().saturating_sub(END).next_multiple_of(2);
    is_start && changes(&bytes[..bytes.len().min(END)], None, is_end && bytes.len() <= END)
        || is_end && changes(&bytes[tail..], Some(encoding), true)
        || has_other_line_end(encoding, bytes)
}

/// How many bytes at the start and the end of a text in UTF-16 are always divided.
const END: usize = 1024;

/// How many bytes before and after something odd in UTF-8 are divided.
const AROUND: (usize, usize) = (64, 256);

/// Whether there is UTF-16 around what is ill-formed in UTF-8, or a control character that texts do not have.
fn has_part_in_utf16(bytes: &[u8], is_start: bool, is_end: bool) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let mut odd = at;
        for chunk in bytes[at..].utf8_chunks() {
            let valid = chunk.valid().as_bytes();
            let control = valid.iter().position(|&byte| !is_text(byte));
            odd += control.unwrap_or(valid.len());
            if control.is_some() || !chunk.invalid().is_empty() {
                break;
            }
        }
        if odd == bytes.len() {
            return false;
        }
        let (start, end) = (odd.saturating_sub(AROUND.0), bytes.len().min(odd + AROUND.1));
        let start = Encoding::Utf8.boundary(bytes, start);
        let before = if is_start && start == 0 { None } else { Some(Encoding::Utf8) };
        let parts = divide(&bytes[start..end], before, is_end && end == bytes.len());
        if parts.change.is_some() || parts.first != Encoding::Utf8 {
            return true;
        }
        at = end;
    }
    false
}

/// How many bytes are searched for line ends at once.
const BLOCK: usize = 256;

/// Whether there is a line end in UTF-16 that is none in this byte order: in UTF-8, behind something that is text in UTF-8, or
/// in the other byte order. UTF-8 between UTF-16 has an even number of bytes, so that its last byte, a line end, is the second
/// one of a code unit.
fn has_other_line_end(order: Encoding, bytes: &[u8]) -> bool {
    // U+0Axx are in few texts; U+xx0A, for UTF-16BE, in many.
    let is_little = order == Encoding::Utf16Le;
    let enough = if is_little { 4 } else { 12 };
    let is_text = |byte: &u8| *byte >= 0x20 && *byte != 0x7F;
    let is_behind_text = |at: usize| {
        let before = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
        let len = before.iter().rev().take(12).take_while(|byte| is_text(byte)).count();
        let text = &before[before.len() - len..];
        // It may start inside a character.
        let cut = text.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
        len >= enough && str::from_utf8(&text[cut..]).is_ok()
    };
    bytes.chunks(BLOCK).zip((0..).step_by(BLOCK)).any(|(block, start)| {
        let units = block.as_chunks().0.iter().map(|&unit| u16::from_be_bytes(unit));
        // The compiler vectorises these.
        let is_any = match is_little {
            true => units.fold(false, |any, unit| any | (unit & 0xFF == 0x0A)),
            false => {
                units.fold(false, |any, unit| any | ((unit & 0xFF == 0x0A) & (unit != 0x0A)) | (unit == 0x0A00))
            }
        };
        is_any
            && memchr::memchr_iter(b'\n', block).map(|at| start + at).any(|at| match (at % 2, is_little) {
                // U+0A00 and U+0A0D.
                (1, true) if matches!(bytes[at - 1], 0 | b'\r') => true,
                // U+0D0A, which is a letter of Malayalam.
                (1, false) if bytes[at - 1] == b'\r' => {
                    at.checked_sub(3).is_none_or(|before| bytes[before] != 0x0D)
                        && bytes.get(at + 1) != Some(&0x0D)
                }
                (1, _) => bytes[at - 1] != 0 && is_behind_text(at),
                (_, little) => !little && bytes.get(at + 1) == Some(&0),
            })
    })
}

/// The cheapest paths to an offset, for each reading.
type Paths = [Option<Path>; READINGS.len()];

/// Divides bytes, which continue unless they end the text. If `claimed`, they start in this encoding, unless there is much
/// against it.
pub fn divide(bytes: &[u8], claimed: Option<Encoding>, is_end: bool) -> Parts {
    let first = READINGS.map(|reading| {
        let path = Path::from(claimed.unwrap_or(reading));
        Some(if path.first == reading {
            path
        } else {
            path.change(0, path.first, reading, price(path.first, reading))
        })
    });
    // Those to the next offsets, too: each at its offset modulo the number of these.
    let mut paths = [[None; READINGS.len()]; STEP + 1];
    paths[0] = first;
    let mut ends = Vec::new();
    for at in 0..=bytes.len() {
        let mut here = mem::take(&mut paths[at % (STEP + 1)]);
        // Nothing is before the start, and nothing behind the end.
        if at > 0 && at < bytes.len() {
            change(bytes, at, &mut here, &mut paths[(at + 1) % (STEP + 1)]);
        }
        for (index, path) in here.into_iter().enumerate() {
            let Some(path) = path else { continue };
            match step(READINGS[index], &path, bytes, at) {
                Some((len, next)) => offer(&mut paths[(at + len) % (STEP + 1)][index], next),
                None => {
                    let is_cut = is_end && at < bytes.len();
                    ends.push(Path { cost: path.cost + if is_cut { cost::INCOMPLETE } else { 0 }, ..path });
                }
            }
        }
    }
    let best = ends.into_iter().min_by_key(|path| path.cost).expect("all bytes can be read as UTF-8");
    let change = best.change.map(|(at, from, to)| Change { at: at.into(), from, to });
    Parts { first: best.first, change, odd: best.odd.into() }
}

/// Takes a path that is cheaper.
fn offer(there: &mut Option<Path>, path: Path) {
    if there.is_none_or(|there| path.cost < there.cost) {
        *there = Some(path);
    }
}

/// Also lets the paths to an offset go on in other readings, or with the next byte in the same.
fn change(bytes: &[u8], at: usize, here: &mut Paths, next: &mut Paths) {
    let (before, after) = bytes.split_at(at);
    let may_be_cheap = before.ends_with(b"\n") || before.ends_with(b"\n\0") || after[0] >= 0xEF;
    let least = here.iter().flatten().map(|path| path.cost).min().unwrap_or(0);
    for from in 0..READINGS.len() {
        // From others than the cheapest, it is cheaper to change from that one.
        let Some(path) = here[from] else { continue };
        if !may_be_cheap && path.cost > least + cost::CHANGE - cost::CHANGE_OF_ORDER {
            continue;
        }
        let is_behind_line = match READINGS[from] {
            Encoding::Utf16Le => before.ends_with(b"\n\0"),
            Encoding::Utf16Be => before.ends_with(b"\0\n"),
            _ => before.strip_suffix(b"\n").is_some_and(|line| {
                let last = line.iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
                str::from_utf8(&line[last..]).is_ok()
            }),
        };
        for to in 0..READINGS.len() {
            let mut cost = price(READINGS[from], READINGS[to]);
            if may_be_cheap && (is_behind_line || after.starts_with(READINGS[to].mark())) {
                cost = cost.min(cost::CHANGE_OF_LINE);
            }
            if from != to {
                // No path changes twice here, as to change to the last reading at once is cheaper.
                offer(&mut here[to], path.change(at, READINGS[from], READINGS[to], cost));
            } else if READINGS[from] != Encoding::Utf8 {
                let shifted = path.change(at, READINGS[from], READINGS[to], cost::SHIFT);
                offer(&mut next[to], Path { script: path.script, ..shifted });
            }
        }
    }
}

/// What a change of the reading costs.
fn price(from: Encoding, to: Encoding) -> u32 {
    if from == Encoding::Utf8 || to == Encoding::Utf8 { cost::CHANGE } else { cost::CHANGE_OF_ORDER }
}

impl Path {
    /// The start of a text in this encoding.
    fn from(first: Encoding) -> Self {
        Self { cost: 0, first, change: None, odd: 0, script: Script::None, unit: NO_UNIT }
    }

    /// Returns the path that goes on in another reading.
    fn change(self, at: usize, from: Encoding, to: Encoding, cost: u32) -> Self {
        let change = self.change.or(Some((at as u32, from, to)));
        Self { cost: self.cost + cost, change, script: Script::None, unit: NO_UNIT, ..self }
    }
}

/// Reads the next character. Returns its length and the path to its end; none if it is not complete.
fn step(encoding: Encoding, path: &Path, bytes: &[u8], at: usize) -> Option<(usize, Path)> {
    if encoding == Encoding::Utf8 {
        let (len, cost, is_odd) = utf8(bytes, at)?;
        return Some((len, Path { cost: path.cost + cost, odd: path.odd + u32::from(is_odd), ..*path }));
    }
    let unit = |at: usize| {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if encoding == Encoding::Utf16Be { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let this = unit(at)?;
    let is_pair = this & 0xFC00 == 0xD800 && unit(at + 2).is_none_or(|next| next & 0xFC00 == 0xDC00);
    // A pair that is cut is not complete.
    let len = if is_pair { 4 } else { 2 };
    if at + len > bytes.len() {
        return None;
    }
    let script = Script::of(this);
    let cost = match script {
        _ if is_pair => cost::PAIR,
        _ if path.unit == this && script != Script::Never => cost::SAME_UNIT,
        Script::Ascii | Script::Stop => cost::ASCII_UNIT,
        Script::Tab => cost::TAB,
        Script::Symbols => cost::SYMBOL,
        Script::Other(_) if this == 0x0D0A && script != path.script => cost::CR_LF,
        Script::Odd => cost::ODD,
        Script::Never => cost::NEVER,
        // Rare Chinese characters: what Cyrillic text is that is shifted by one byte.
        Script::Han if (0x3400..0x4DC0).contains(&this) => cost::OTHER_SCRIPT,
        Script::Han if script == path.script && (0x3040..0x3100).contains(&this) => cost::SAME_SCRIPT,
        Script::Han | Script::Hangul if path.script == Script::None => cost::FIRST_OF_MANY,
        Script::Han | Script::Hangul if script == path.script => cost::SAME_SCRIPT_OF_MANY,
        _ if script == path.script => cost::SAME_SCRIPT,
        Script::Other(_) if path.script == Script::None => cost::FIRST_OF_SCRIPT,
        _ => cost::OTHER_SCRIPT,
    };
    let is_odd = !is_pair && matches!(script, Script::Private | Script::Odd | Script::Never);
    let is_letter = matches!(script, Script::Han | Script::Hangul | Script::Other(_));
    let path = Path {
        cost: path.cost + cost,
        odd: path.odd + u32::from(is_odd),
        script: match path.script {
            _ if is_letter => script,
            Script::None => script,
            last => last,
        },
        unit: this,
        ..*path
    };
    Some((len, path))
}

/// The length, the cost and the oddity of the next character in UTF-8; none at the end.
fn utf8(bytes: &[u8], at: usize) -> Option<(usize, u32, bool)> {
    let byte = *bytes.get(at)?;
    let before = &bytes[at.saturating_sub(3)..=at];
    let is_same = matches!(*before, [.., a, b] if a == b) || matches!(*before, [a, b, c, d] if a == c && b == d);
    Some(match byte {
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
        b'\r' if bytes.get(at + 1) != Some(&b'\n') => (1, cost::TAB, false),
        b'\n' | b'\r' => (1, cost::LINE_END, false),
        _ if is_text(byte) => (1, cost::TAB, false),
        _ => (1, cost::CONTROL, true),
    })
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
    Other(u8),
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
            0x0A | 0x0D | 0x20..0x7F => Self::Ascii,
            0x0A00 | 0x0A0D | 0xFFFE.. | 0xFDD0..=0xFDEF => Self::Never,
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
            _ => Self::Other((unit >> 8) as u8),
        }
    }
}
