//! Every public operation, and the same job with the standard library, so that `.ci/debug-speed` can count their
//! instructions. Each is a pair of functions, `OPERATION::fastutf` and `OPERATION::std`, which run once and must have
//! the same result.
//!
//! The argument is the name of a text.

use std::hint::black_box;

/// The approximate length of the text in bytes of UTF-8.
const LEN: usize = 8 << 10;
const CHUNK: usize = 4 << 10;

/// A text in all forms that operations take.
struct Text {
    valid: bool,
    /// Empty if the text is ill-formed.
    str: String,
    utf8: Vec<u8>,
    utf16: Vec<u16>,
    le: Vec<u8>,
    be: Vec<u8>,
    /// The bytes of `utf8` taken for Latin-1, in other encodings.
    of_latin1: String,
    of_latin1_utf16: Vec<u16>,
    /// The text with U+FFFD for what is ill-formed.
    chars: Vec<char>,
    utf32: Vec<u32>,
    le32: Vec<u8>,
}

impl Text {
    fn named(name: &str) -> Self {
        // A typical sentence, and damaged text, which is repeated without end.
        let (sentence, valid): (&[u8], bool) = match name {
            "ascii" => (b"The quick brown fox jumps over the lazy dog, and nobody minds.\n", true),
            "russian" => ("Съешь же ещё этих мягких французских булок, да выпей чаю.\n".as_bytes(), true),
            "chinese" => ("我能吞下玻璃而不伤身体。天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。".as_bytes(), true),
            "emoji" => ("😀🎉👍🌍🚀🤖🦀🔥\n".as_bytes(), true),
            "mix" => ("Zoë paid 20 € for a 🎂 (生日蛋糕), наконец.\n".as_bytes(), true),
            "FF" => (b"\xFF", false),
            "cut" => (b"\xE2\x82", false),
            "dense" => (b"abc\xFFdef \xE2\x82ghi\xED\xA0\x80 \xC3\xA9\xF0\x9F\x98 ", false),
            "sparse" => ("Съешь же ещё этих мягких французских булок, да выпей чаю.\n\u{1}".as_bytes(), false),
            _ => panic!("no text is called {name}"),
        };
        let mut utf8 = sentence.repeat(LEN / sentence.len());
        utf8.iter_mut().filter(|byte| **byte == 1).for_each(|byte| *byte = 0xFF);
        let mut utf16 = Vec::new();
        for chunk in utf8.utf8_chunks() {
            utf16.extend(chunk.valid().encode_utf16());
            utf16.extend(chunk.invalid().first().map(|byte| 0xD800 | u16::from(*byte) << 4));
        }
        let le = utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let be = utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let str = String::from_utf8(utf8.clone()).unwrap_or_default();
        let of_latin1: String = utf8.iter().map(|&byte| char::from(byte)).collect();
        let of_latin1_utf16 = of_latin1.encode_utf16().collect();
        let chars: Vec<char> = String::from_utf8_lossy(&utf8).chars().collect();
        let utf32: Vec<u32> = chars.iter().copied().map(u32::from).collect();
        let le32 = utf32.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        Self { valid, str, utf8, utf16, le, be, of_latin1, of_latin1_utf16, chars, utf32, le32 }
    }
}

/// Memory for results, allocated before anything is counted.
struct Room {
    bytes: Vec<u8>,
    units: Vec<u16>,
    wide: Vec<u32>,
}

/// Code that users of the standard library write.
mod idiom {
    use fastutf::Narrowest;

    pub fn le(bytes: &[u8]) -> impl Iterator<Item = u16> {
        bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
    }
    pub fn be(bytes: &[u8]) -> impl Iterator<Item = u16> {
        bytes.chunks_exact(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]]))
    }
    pub fn is_valid(units: impl Iterator<Item = u16>) -> bool {
        char::decode_utf16(units).all(|char| char.is_ok())
    }
    pub fn chars(units: impl Iterator<Item = u16>) -> impl Iterator<Item = char> {
        char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
    }
    pub fn encode(units: impl Iterator<Item = u16>, dst: &mut [u8]) -> usize {
        let mut written = 0;
        for char in chars(units) {
            written += char.encode_utf8(&mut dst[written..]).len();
        }
        written
    }
    pub fn encode_chars(chars: impl Iterator<Item = char>, dst: &mut [u8]) -> usize {
        let mut written = 0;
        for char in chars {
            written += char.encode_utf8(&mut dst[written..]).len();
        }
        written
    }
    /// As java.io.DataOutput has it: each unit by itself.
    pub fn mutf8(units: &[u16], dst: &mut [u8]) -> usize {
        let mut written = 0;
        for &unit in units {
            let last = 0x80 | unit as u8 & 0x3F;
            let bytes: &[u8] = match unit {
                1..=0x7F => &[unit as u8],
                0 | 0x80..=0x7FF => &[0xC0 | (unit >> 6) as u8, last],
                _ => &[0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6) as u8 & 0x3F, last],
            };
            dst[written..written + bytes.len()].copy_from_slice(bytes);
            written += bytes.len();
        }
        written
    }
    pub fn append(units: impl Iterator<Item = u16>) -> String {
        let mut text = String::from("a");
        text.extend(chars(units));
        text
    }
    pub fn units(text: &str, dst: &mut [u16]) -> usize {
        dst.iter_mut().zip(text.encode_utf16()).map(|(to, unit)| *to = unit).count()
    }
    pub fn bytes(text: &str, dst: &mut [u8], bytes: fn(u16) -> [u8; 2]) -> usize {
        let units = dst.chunks_exact_mut(2).zip(text.encode_utf16());
        2 * units.map(|(to, unit)| to.copy_from_slice(&bytes(unit))).count()
    }
    /// The number of characters and the width, as a number.
    pub fn info(units: impl Iterator<Item = u16>) -> Option<usize> {
        let (mut count, mut greatest) = (0, '\0');
        for char in char::decode_utf16(units) {
            greatest = greatest.max(char.ok()?);
            count += 1;
        }
        Some(count << 2 | fastutf::Width::of(greatest) as usize)
    }
    pub fn narrowest(text: &str) -> Narrowest<'_> {
        if text.is_ascii() {
            Narrowest::Ascii(text.into())
        } else if text.chars().all(|char| char <= '\u{FF}') {
            Narrowest::Latin1(text.chars().map(|char| char as u8).collect())
        } else {
            Narrowest::Utf16(text.encode_utf16().collect())
        }
    }
    pub fn narrowest_utf16(units: &[u16]) -> Option<Narrowest<'_>> {
        if units.iter().any(|&unit| unit > 0xFF) {
            return is_valid(units.iter().copied()).then_some(Narrowest::Utf16(units.into()));
        }
        let latin1: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        Some(if latin1.is_ascii() {
            Narrowest::Ascii(String::from_utf8(latin1).unwrap().into())
        } else {
            Narrowest::Latin1(latin1)
        })
    }
    pub fn units_lossy(src: &[u8], mut write: impl FnMut(u16)) {
        for chunk in src.utf8_chunks() {
            chunk.valid().encode_utf16().for_each(&mut write);
            if !chunk.invalid().is_empty() {
                write(0xFFFD);
            }
        }
    }
    pub fn lossy(src: &[u8], mut write: impl FnMut(&str)) {
        for chunk in src.utf8_chunks() {
            write(chunk.valid());
            if !chunk.invalid().is_empty() {
                write("\u{FFFD}");
            }
        }
    }
}

/// A result, for comparison.
trait Sum {
    fn sum(&self) -> u64;
}
impl Sum for usize {
    fn sum(&self) -> u64 {
        *self as u64
    }
}
impl Sum for bool {
    fn sum(&self) -> u64 {
        u64::from(*self)
    }
}
impl Sum for String {
    fn sum(&self) -> u64 {
        self.as_bytes().sum()
    }
}
impl Sum for std::borrow::Cow<'_, str> {
    fn sum(&self) -> u64 {
        self.as_bytes().sum()
    }
}
impl Sum for Vec<u8> {
    fn sum(&self) -> u64 {
        self.as_slice().sum()
    }
}
impl Sum for &str {
    fn sum(&self) -> u64 {
        self.as_bytes().sum()
    }
}
impl Sum for [u8] {
    fn sum(&self) -> u64 {
        self.iter().fold(self.len() as u64, |sum, &byte| sum.rotate_left(5) ^ u64::from(byte))
    }
}
impl Sum for Vec<u16> {
    fn sum(&self) -> u64 {
        self.iter().fold(self.len() as u64, |sum, &unit| sum.rotate_left(5) ^ u64::from(unit))
    }
}
impl Sum for Vec<u32> {
    fn sum(&self) -> u64 {
        self.iter().fold(self.len() as u64, |sum, &unit| sum.rotate_left(5) ^ u64::from(unit))
    }
}
impl Sum for Vec<char> {
    fn sum(&self) -> u64 {
        self.iter().fold(self.len() as u64, |sum, &c| sum.rotate_left(5) ^ u64::from(u32::from(c)))
    }
}
impl Sum for fastutf::Narrowest<'_> {
    fn sum(&self) -> u64 {
        match self {
            Self::Ascii(text) => text.sum(),
            Self::Latin1(bytes) => bytes.sum(),
            Self::Utf16(units) => units.to_vec().sum(),
        }
    }
}
impl<T: Sum> Sum for Option<T> {
    fn sum(&self) -> u64 {
        self.as_ref().map_or(0, Sum::sum)
    }
}
impl<T: Sum, E> Sum for Result<T, E> {
    fn sum(&self) -> u64 {
        self.as_ref().map_or(0, Sum::sum)
    }
}

/// Operations for any text: `name (text, room) { ours } { std's }`. Blocks after `fill` return the length of what
/// they wrote to `room.bytes`, those after `units` to `room.units`.
macro_rules! operations {
    ($all:ident: $($name:ident($text:pat, $room:pat) $ours:block $theirs:block)*) => {
        $(
            #[allow(unused_variables, clippy::all)]
            mod $name {
                use super::*;
                #[inline(never)]
                pub fn fastutf($text: &Text, $room: &mut Room) -> impl Sum $ours
                #[inline(never)]
                pub fn std($text: &Text, $room: &mut Room) -> impl Sum $theirs
            }
        )*
        fn $all(text: &Text, room: &mut Room) {
            $({
                let mut sums = [0; 2];
                let run: [&dyn Fn(&Text, &mut Room) -> u64; 2] =
                    [&|text, room| black_box($name::fastutf(text, room)).sum(), &|text, room| black_box($name::std(text, room)).sum()];
                for (sum, run) in sums.iter_mut().zip(run) {
                    room.bytes.fill(0);
                    room.units.fill(0);
                    room.wide.fill(0);
                    *sum = run(text, room) ^ room.bytes.sum() ^ room.units.sum() ^ room.wide.sum();
                }
                assert_eq!(sums[0], sums[1], "{}: fastutf and std give different results", stringify!($name));
            })*
        }
    };
}

use fastutf::stream::{Encoding, Transcoder, Utf8Decoder, Validator};
use idiom::{be, le};

operations! { strict:
    validate_utf8(text, room) { fastutf::validate_utf8(&text.utf8).is_ok() } { std::str::from_utf8(&text.utf8).is_ok() }
    from_utf8(text, room) { fastutf::from_utf8(&text.utf8).unwrap().len() } { std::str::from_utf8(&text.utf8).unwrap().len() }
    from_utf8_mut(text, room) {
        room.bytes[..text.utf8.len()].copy_from_slice(&text.utf8);
        fastutf::from_utf8_mut(&mut room.bytes[..text.utf8.len()]).unwrap().len()
    } {
        room.bytes[..text.utf8.len()].copy_from_slice(&text.utf8);
        std::str::from_utf8_mut(&mut room.bytes[..text.utf8.len()]).unwrap().len()
    }
    string_from_utf8(text, room) { fastutf::string_from_utf8(text.utf8.clone()).ok() } { String::from_utf8(text.utf8.clone()).ok() }
    utf8_info(text, room) {
        let info = fastutf::utf8_info(&text.utf8).unwrap();
        [info.chars, info.utf16_len].iter().sum::<usize>()
    } {
        let text = std::str::from_utf8(&text.utf8).unwrap();
        [text.chars().count(), text.encode_utf16().count()].iter().sum::<usize>()
    }
    // Any bytes are Latin-1.
    latin1_to_utf8(text, room) { fastutf::latin1_to_utf8(&text.utf8, &mut room.bytes).written } { idiom::encode_chars(text.utf8.iter().map(|&byte| char::from(byte)), &mut room.bytes) }
    from_latin1(text, room) { fastutf::from_latin1(&text.utf8) } { text.utf8.iter().map(|&byte| char::from(byte)).collect::<String>() }
    utf8_len_from_latin1(text, room) { fastutf::utf8_len_from_latin1(&text.utf8) } { text.utf8.iter().map(|byte| 1 + usize::from(byte >> 7)).sum::<usize>() }
    latin1_to_utf16(text, room) { fastutf::latin1_to_utf16(&text.utf8, &mut room.units).written } { room.units.iter_mut().zip(&text.utf8).map(|(unit, &byte)| *unit = u16::from(byte)).count() }
    latin1_to_utf16le(text, room) { fastutf::latin1_to_utf16le(&text.utf8, &mut room.bytes).written } { 2 * room.bytes.chunks_exact_mut(2).zip(&text.utf8).map(|(to, &byte)| to.copy_from_slice(&u16::from(byte).to_le_bytes())).count() }
    to_latin1(text, room) { fastutf::to_latin1(&text.of_latin1).is_ok() } { text.of_latin1.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>().is_some() }
    to_latin1_lossy(text, room) { fastutf::to_latin1_lossy(&text.str, b'?').into_owned() } { text.str.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect::<Vec<u8>>() }
    utf8_to_latin1_lossy(text, room) { fastutf::utf8_to_latin1_lossy(&text.utf8, b'?', &mut room.bytes).written } {
        let text = std::str::from_utf8(&text.utf8).unwrap();
        room.bytes.iter_mut().zip(text.chars()).map(|(to, c)| *to = u8::try_from(c).unwrap_or(b'?')).count()
    }
    utf16_to_latin1_lossy(text, room) { fastutf::utf16_to_latin1_lossy(&text.utf16, b'?', &mut room.bytes).written } {
        room.bytes.iter_mut().zip(idiom::chars(text.utf16.iter().copied())).map(|(to, c)| *to = u8::try_from(c).unwrap_or(b'?')).count()
    }
    validate_latin1_in_utf8(text, room) { fastutf::validate_latin1_in_utf8(text.of_latin1.as_bytes()).is_ok() } { std::str::from_utf8(text.of_latin1.as_bytes()).unwrap().chars().all(|c| c <= '\u{FF}') }
    validate_latin1_in_utf16(text, room) { fastutf::validate_latin1_in_utf16(&text.of_latin1_utf16).is_ok() } { text.of_latin1_utf16.iter().all(|&unit| unit <= 0xFF) }
    utf16_info(text, room) { fastutf::utf16_info(&text.utf16).map(|info| info.chars << 2 | info.width() as usize) } { idiom::info(text.utf16.iter().copied()) }
    utf16be_info(text, room) { fastutf::utf16be_info(&text.be).map(|info| info.chars << 2 | info.width() as usize) } { idiom::info(be(&text.be)) }
    utf16_info_latin1(text, room) { fastutf::utf16_info(&text.of_latin1_utf16).map(|info| info.chars << 2 | info.width() as usize) } { idiom::info(text.of_latin1_utf16.iter().copied()) }
    narrowest_from_utf8(text, room) { fastutf::narrowest_from_utf8(&text.utf8) } { std::str::from_utf8(&text.utf8).map(idiom::narrowest) }
    narrowest_from_utf8_latin1(text, room) { fastutf::narrowest_from_utf8(text.of_latin1.as_bytes()) } { std::str::from_utf8(text.of_latin1.as_bytes()).map(idiom::narrowest) }
    narrowest_from_utf16(text, room) { fastutf::narrowest_from_utf16(&text.utf16) } { idiom::narrowest_utf16(&text.utf16) }
    narrowest_from_utf16_latin1(text, room) { fastutf::narrowest_from_utf16(&text.of_latin1_utf16) } { idiom::narrowest_utf16(&text.of_latin1_utf16) }
    narrowest_from_utf16le(text, room) { fastutf::narrowest_from_utf16le(&text.le) } { idiom::narrowest_utf16(&le(&text.le).collect::<Vec<_>>()).map(fastutf::Narrowest::into_owned) }
    utf16_to_wtf8(text, room) { fastutf::wtf8::utf16_to_wtf8(&text.utf16, &mut room.bytes).written } { idiom::encode_chars(idiom::chars(text.utf16.iter().copied()), &mut room.bytes) }
    validate_wtf8(text, room) { fastutf::wtf8::validate_wtf8(&text.utf8).is_ok() } { std::str::from_utf8(&text.utf8).is_ok() }
    utf16_to_mutf8(text, room) { fastutf::mutf8::utf16_to_mutf8(&text.utf16, &mut room.bytes).written } { idiom::mutf8(&text.utf16, &mut room.bytes) }
    mutf8_len_from_utf8(text, room) { fastutf::mutf8::mutf8_len_from_utf8(&text.utf8) } { text.utf8.iter().map(|&byte| 1 + usize::from(byte == 0) + 2 * usize::from(byte >= 0xF0)).sum::<usize>() }
    validate_utf32(text, room) { fastutf::validate_utf32(&text.utf32).is_ok() } { text.utf32.iter().all(|&unit| char::from_u32(unit).is_some()) }
    validate_utf32le(text, room) { fastutf::validate_utf32le(&text.le32).is_ok() } { text.le32.chunks_exact(4).all(|unit| char::from_u32(u32::from_le_bytes(unit.try_into().unwrap())).is_some()) }
    utf8_to_utf32(text, room) { fastutf::utf8_to_utf32(&text.utf8, &mut room.wide).written } {
        let text = std::str::from_utf8(&text.utf8).unwrap();
        room.wide.iter_mut().zip(text.chars()).map(|(to, c)| *to = u32::from(c)).count()
    }
    to_utf32(text, room) { fastutf::to_utf32(&text.str) } { text.str.chars().map(u32::from).collect::<Vec<u32>>() }
    to_chars(text, room) { fastutf::to_chars(&text.str) } { text.str.chars().collect::<Vec<char>>() }
    from_chars(text, room) { fastutf::from_chars(&text.chars) } { text.chars.iter().collect::<String>() }
    from_utf32(text, room) { fastutf::from_utf32(&text.utf32).ok() } { text.utf32.iter().map(|&unit| char::from_u32(unit)).collect::<Option<String>>() }
    utf32_to_utf8(text, room) { fastutf::utf32_to_utf8(&text.utf32, &mut room.bytes).written } { idiom::encode_chars(text.utf32.iter().map(|&unit| char::from_u32(unit).unwrap()), &mut room.bytes) }
    utf16_to_utf32(text, room) { fastutf::utf16_to_utf32(&text.utf16, &mut room.wide).written } {
        room.wide.iter_mut().zip(char::decode_utf16(text.utf16.iter().copied())).map(|(to, c)| *to = u32::from(c.unwrap())).count()
    }
    utf32_to_utf16(text, room) { fastutf::utf32_to_utf16(&text.utf32, &mut room.units).written } {
        let mut written = 0;
        for &unit in &text.utf32 {
            written += char::from_u32(unit).unwrap().encode_utf16(&mut room.units[written..]).len();
        }
        written
    }
    utf8_len_from_utf32(text, room) { fastutf::utf8_len_from_utf32(&text.utf32) } { text.chars.iter().map(|c| c.len_utf8()).sum::<usize>() }
    utf16_len_from_utf32(text, room) { fastutf::utf16_len_from_utf32(&text.utf32) } { text.chars.iter().map(|c| c.len_utf16()).sum::<usize>() }
    latin1_to_utf32(text, room) { fastutf::latin1_to_utf32(&text.utf8, &mut room.wide).written } { room.wide.iter_mut().zip(&text.utf8).map(|(unit, &byte)| *unit = u32::from(byte)).count() }
    is_ascii(text, room) { fastutf::is_ascii(&text.utf8) } { text.utf8.is_ascii() }
    count_chars_utf8(text, room) { fastutf::count_chars_utf8(&text.utf8) } { text.str.chars().count() }
    utf16_len_from_utf8(text, room) { fastutf::utf16_len_from_utf8(&text.utf8) } { text.str.encode_utf16().count() }
    validate_utf16(text, room) { fastutf::validate_utf16(&text.utf16).is_ok() } { idiom::is_valid(text.utf16.iter().copied()) }
    validate_utf16le(text, room) { fastutf::validate_utf16le(&text.le).is_ok() } { idiom::is_valid(le(&text.le)) }
    validate_utf16be(text, room) { fastutf::validate_utf16be(&text.be).is_ok() } { idiom::is_valid(be(&text.be)) }
    from_utf16(text, room) { fastutf::from_utf16(&text.utf16) } { String::from_utf16(&text.utf16) }
    from_utf16le(text, room) { fastutf::from_utf16le(&text.le) } { String::from_utf16(&le(&text.le).collect::<Vec<_>>()) }
    from_utf16be(text, room) { fastutf::from_utf16be(&text.be) } { String::from_utf16(&be(&text.be).collect::<Vec<_>>()) }
    to_utf16(text, room) { fastutf::to_utf16(&text.str) } { text.str.encode_utf16().collect::<Vec<u16>>() }
    to_utf16le(text, room) { fastutf::to_utf16le(&text.str) } { text.str.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>() }
    to_utf16be(text, room) { fastutf::to_utf16be(&text.str) } { text.str.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>() }
    utf8_to_utf16(text, room) { fastutf::utf8_to_utf16(&text.utf8, &mut room.units).written } { idiom::units(std::str::from_utf8(&text.utf8).unwrap(), &mut room.units) }
    utf8_to_utf16_append(text, room) {
        let mut units = vec![0x61];
        fastutf::utf8_to_utf16_append(&text.utf8, &mut units).valid().unwrap();
        units
    } {
        let mut units = vec![0x61];
        units.extend(std::str::from_utf8(&text.utf8).unwrap().encode_utf16());
        units
    }
    utf8_to_utf16le(text, room) { fastutf::utf8_to_utf16le(&text.utf8, &mut room.bytes).written } { idiom::bytes(std::str::from_utf8(&text.utf8).unwrap(), &mut room.bytes, u16::to_le_bytes) }
    utf8_to_utf16be(text, room) { fastutf::utf8_to_utf16be(&text.utf8, &mut room.bytes).written } { idiom::bytes(std::str::from_utf8(&text.utf8).unwrap(), &mut room.bytes, u16::to_be_bytes) }
    utf16_to_utf8(text, room) { fastutf::utf16_to_utf8(&text.utf16, &mut room.bytes).written } { idiom::encode(text.utf16.iter().copied(), &mut room.bytes) }
    utf16le_to_utf8(text, room) { fastutf::utf16le_to_utf8(&text.le, &mut room.bytes).written } { idiom::encode(le(&text.le), &mut room.bytes) }
    utf16be_to_utf8(text, room) { fastutf::utf16be_to_utf8(&text.be, &mut room.bytes).written } { idiom::encode(be(&text.be), &mut room.bytes) }
    utf16_to_utf8_append(text, room) {
        let mut all = String::from("a");
        fastutf::utf16_to_utf8_append(&text.utf16, &mut all).valid().unwrap();
        all
    } { idiom::append(text.utf16.iter().copied()) }
    utf16le_to_utf8_append(text, room) {
        let mut all = String::from("a");
        fastutf::utf16le_to_utf8_append(&text.le, &mut all).valid().unwrap();
        all
    } { idiom::append(le(&text.le)) }
    validator_utf8(text, room) {
        let mut validator = Validator::new(Encoding::Utf8);
        text.utf8.chunks(CHUNK).all(|chunk| validator.push(chunk).is_ok()) && validator.finish().is_ok()
    } { std::str::from_utf8(&text.utf8).is_ok() }
    validator_utf16le(text, room) {
        let mut validator = Validator::new(Encoding::Utf16Le);
        text.le.chunks(CHUNK).all(|chunk| validator.push(chunk).is_ok()) && validator.finish().is_ok()
    } { idiom::is_valid(le(&text.le)) }
}

operations! { lossy:
    narrowest_from_utf8_lossy(text, room) { fastutf::narrowest_from_utf8_lossy(&text.utf8).into_owned() } { idiom::narrowest(&String::from_utf8_lossy(&text.utf8)).into_owned() }
    narrowest_from_utf16_lossy(text, room) { fastutf::narrowest_from_utf16_lossy(&text.utf16).into_owned() } { idiom::narrowest(&String::from_utf16_lossy(&text.utf16)).into_owned() }
    narrowest_from_utf16be_lossy(text, room) { fastutf::narrowest_from_utf16be_lossy(&text.be) } { idiom::narrowest(&String::from_utf16_lossy(&be(&text.be).collect::<Vec<_>>())).into_owned() }
    from_utf8_lossy(text, room) { fastutf::from_utf8_lossy(&text.utf8).into_owned() } { String::from_utf8_lossy(&text.utf8).into_owned() }
    string_from_utf8_lossy(text, room) { fastutf::string_from_utf8_lossy(text.utf8.clone()) } { String::from_utf8_lossy(&text.utf8).into_owned() }
    utf8_to_utf8_lossy(text, room) { fastutf::utf8_to_utf8_lossy(&text.utf8, &mut room.bytes).written } {
        let (dst, mut written) = (&mut room.bytes, 0);
        idiom::lossy(&text.utf8, |piece| {
            dst[written..written + piece.len()].copy_from_slice(piece.as_bytes());
            written += piece.len();
        });
        written
    }
    utf8_to_utf8_lossy_append(text, room) {
        let mut all = String::from("a");
        let _ = fastutf::utf8_to_utf8_lossy_append(&text.utf8, &mut all);
        all
    } {
        let mut all = String::from("a");
        idiom::lossy(&text.utf8, |piece| all.push_str(piece));
        all
    }
    utf8_chunks(text, room) {
        let mut len = 0;
        for chunk in fastutf::utf8_chunks(&text.utf8) {
            len += chunk.valid().len() + 5 * chunk.invalid().len();
        }
        len
    } {
        let mut len = 0;
        for chunk in text.utf8.utf8_chunks() {
            len += chunk.valid().len() + 5 * chunk.invalid().len();
        }
        len
    }
    utf8_to_utf16_lossy(text, room) { fastutf::utf8_to_utf16_lossy(&text.utf8, &mut room.units).written } {
        let (dst, mut written) = (&mut room.units, 0);
        idiom::units_lossy(&text.utf8, |unit| {
            dst[written] = unit;
            written += 1;
        });
        written
    }
    utf8_to_utf16le_lossy(text, room) { fastutf::utf8_to_utf16le_lossy(&text.utf8, &mut room.bytes).written } {
        let (dst, mut written) = (&mut room.bytes, 0);
        idiom::units_lossy(&text.utf8, |unit| {
            dst[written..written + 2].copy_from_slice(&unit.to_le_bytes());
            written += 2;
        });
        written
    }
    utf8_to_utf16_lossy_append(text, room) {
        let mut all = vec![0x61];
        let _ = fastutf::utf8_to_utf16_lossy_append(&text.utf8, &mut all);
        all
    } {
        let mut all = vec![0x61];
        idiom::units_lossy(&text.utf8, |unit| all.push(unit));
        all
    }
    utf8_len_from_utf8_lossy(text, room) { fastutf::utf8_len_from_utf8_lossy(&text.utf8) } {
        let mut len = 0;
        idiom::lossy(&text.utf8, |piece| len += piece.len());
        len
    }
    utf16_len_from_utf8_lossy(text, room) { fastutf::utf16_len_from_utf8_lossy(&text.utf8) } {
        let mut len = 0;
        idiom::units_lossy(&text.utf8, |_| len += 1);
        len
    }
    from_utf16_lossy(text, room) { fastutf::from_utf16_lossy(&text.utf16) } { String::from_utf16_lossy(&text.utf16) }
    from_utf16le_lossy(text, room) { fastutf::from_utf16le_lossy(&text.le) } { String::from_utf16_lossy(&le(&text.le).collect::<Vec<_>>()) }
    from_utf16be_lossy(text, room) { fastutf::from_utf16be_lossy(&text.be) } { String::from_utf16_lossy(&be(&text.be).collect::<Vec<_>>()) }
    utf16_to_utf8_lossy(text, room) { fastutf::utf16_to_utf8_lossy(&text.utf16, &mut room.bytes).written } { idiom::encode(text.utf16.iter().copied(), &mut room.bytes) }
    utf16le_to_utf8_lossy(text, room) { fastutf::utf16le_to_utf8_lossy(&text.le, &mut room.bytes).written } { idiom::encode(le(&text.le), &mut room.bytes) }
    utf16be_to_utf8_lossy(text, room) { fastutf::utf16be_to_utf8_lossy(&text.be, &mut room.bytes).written } { idiom::encode(be(&text.be), &mut room.bytes) }
    utf16_to_utf8_lossy_append(text, room) {
        let mut all = String::from("a");
        let _ = fastutf::utf16_to_utf8_lossy_append(&text.utf16, &mut all);
        all
    } { idiom::append(text.utf16.iter().copied()) }
    utf8_len_from_utf16_lossy(text, room) { fastutf::utf8_len_from_utf16_lossy(&text.utf16) } {
        idiom::chars(text.utf16.iter().copied()).map(char::len_utf8).sum::<usize>()
    }
    utf8_len_from_utf16(text, room) { fastutf::utf8_len_from_utf16(&text.utf16) * usize::from(text.valid) } {
        idiom::chars(text.utf16.iter().copied()).map(char::len_utf8).sum::<usize>() * usize::from(text.valid)
    }
    utf8_len_from_utf16be(text, room) { fastutf::utf8_len_from_utf16be(&text.be) * usize::from(text.valid) } {
        idiom::chars(be(&text.be)).map(char::len_utf8).sum::<usize>() * usize::from(text.valid)
    }
    count_chars_utf16(text, room) { fastutf::count_chars_utf16(&text.utf16) * usize::from(text.valid) } {
        char::decode_utf16(text.utf16.iter().copied()).count() * usize::from(text.valid)
    }
    count_chars_utf16le(text, room) { fastutf::count_chars_utf16le(&text.le) * usize::from(text.valid) } {
        char::decode_utf16(le(&text.le)).count() * usize::from(text.valid)
    }
    swap_utf16_bytes(text, room) { fastutf::swap_utf16_bytes(&mut room.bytes[..LEN]) } {
        room.bytes[..LEN].chunks_exact_mut(2).for_each(|unit| unit.swap(0, 1))
    }
    swap_utf16_bytes_into(text, room) { fastutf::swap_utf16_bytes_into(&text.le, &mut room.bytes[..text.le.len()]) } {
        for (to, from) in room.bytes.chunks_exact_mut(2).zip(text.le.chunks_exact(2)) {
            to.copy_from_slice(&[from[1], from[0]]);
        }
    }
    make_well_formed_utf16(text, room) {
        let units = &mut room.units[..text.utf16.len()];
        units.copy_from_slice(&text.utf16);
        fastutf::make_well_formed_utf16(units);
    } {
        let units = &mut room.units[..text.utf16.len()];
        for (to, char) in units.iter_mut().zip(idiom::chars(text.utf16.iter().copied()).flat_map(|char| {
            let mut units = [0; 2];
            let len = char.encode_utf16(&mut units).len();
            units.into_iter().take(len)
        })) {
            *to = char;
        }
    }
    utf8_decoder(text, room) {
        let (mut decoder, mut all) = (Utf8Decoder::new().lossy(), String::new());
        for chunk in text.utf8.chunks(CHUNK) {
            for piece in decoder.push(chunk) {
                all.push_str(piece.unwrap_or_default());
            }
        }
        all.push_str(decoder.finish().unwrap_or_default());
        all
    } {
        let mut all = String::new();
        idiom::lossy(&text.utf8, |piece| all.push_str(piece));
        all
    }
    transcoder_utf8_to_utf16le(text, room) {
        let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Le).lossy();
        let mut written = 0;
        for chunk in text.utf8.chunks(CHUNK) {
            written += transcoder.convert(chunk, &mut room.bytes[written..]).written;
        }
        written + transcoder.finish(&mut room.bytes[written..]).written
    } {
        let (dst, mut written) = (&mut room.bytes, 0);
        idiom::units_lossy(&text.utf8, |unit| {
            dst[written..written + 2].copy_from_slice(&unit.to_le_bytes());
            written += 2;
        });
        written
    }
    transcoder_utf16le_to_utf8(text, room) {
        let mut transcoder = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8).lossy();
        let mut written = 0;
        for chunk in text.le.chunks(CHUNK) {
            written += transcoder.convert(chunk, &mut room.bytes[written..]).written;
        }
        written + transcoder.finish(&mut room.bytes[written..]).written
    } { idiom::encode(le(&text.le), &mut room.bytes) }
}

impl Sum for () {
    fn sum(&self) -> u64 {
        0
    }
}

fn main() {
    let name = std::env::args().nth(1).expect("the name of a text");
    let text = Text::named(&name);
    let mut room = Room { bytes: vec![0; 4 * LEN], units: vec![0; 4 * LEN], wide: vec![0; 4 * LEN] };
    if text.valid {
        strict(&text, &mut room);
    }
    lossy(&text, &mut room);
}
