//! Guesses what bytes look like: UTF-8, or UTF-16 and its byte order. Only the first 64 KiB count, so that the answer
//! does not depend on how a text is read.

use fastutf::Isa;

use std::cmp::Ordering;

use crate::encoding::{Encoding, Fault, count};
use crate::number::grouped;

/// How many bytes at the start of a text are examined.
pub const SAMPLE: usize = 64 << 10;

/// Returns the encoding if the start of a text looks like UTF-16, or has the byte-order mark of UTF-32.
///
/// A byte-order mark decides; that of UTF-32LE, which a text in UTF-16LE that starts with U+0000 has too, does if the sample is
/// well-formed UTF-32LE. Without one, the first 64 KiB must be well-formed UTF-16 in one of the two byte orders,
/// without control characters except those that texts have, and at least one in 32 code units must be an ASCII
/// character or one of U+3000 to U+3002, which include the space and the full stop of Chinese and Japanese. In the
/// other order, these are characters that hardly any text has.
pub fn looks_like(isa: Isa, start: &[u8]) -> Option<Encoding> {
    let sample = &start[..start.len().min(SAMPLE)];
    if sample.starts_with(Encoding::Utf32Be.mark()) {
        return Some(Encoding::Utf32Be);
    }
    // The sample may end inside a code unit.
    if is_utf32le(isa, sample, false) {
        return Some(Encoding::Utf32Le);
    }
    let orders = [Encoding::Utf16Le, Encoding::Utf16Be];
    let is_marked = |order: &Encoding| start.starts_with(order.mark());
    orders.into_iter().find(is_marked).or_else(|| {
        let likely = orders.into_iter().filter(|&order| is_likely(isa, order, sample));
        likely.max_by_key(|&order| common(order, sample))
    })
}

/// A guessed encoding.
pub struct Guess {
    /// The encoding.
    pub encoding: Encoding,
    /// How certain the guess is, and why.
    pub evidence: String,
}

/// How many common code units are needed to guess UTF-16, and how many make the guess certain.
const ENOUGH: u64 = 4;
const MANY: u64 = 16;

/// Guesses the encoding of a text without a byte-order mark, or says why that is not possible.
///
/// UTF-8: the sample is 8-bit text ([`is_eight_bit`]), has no control characters but those of texts (U+0008 to U+000D,
/// U+001B), and is ASCII or has at least 4 bytes. UTF-16: it is no 8-bit text; it is likely ([`looks_like`]) in the byte
/// order that [`order`] says; and in this one there are at least 4 line ends, spaces, commas and full stops, and in the other at
/// most a quarter as many, or so it is with the code units that count as likely.
pub fn detect(isa: Isa, sample: &[u8], is_whole: bool) -> Result<Guess, &'static str> {
    if sample.starts_with(Encoding::Utf32Le.mark()) {
        return Err("it starts like UTF-32LE, but is not well-formed UTF-32LE");
    }
    if is_eight_bit(isa, sample, is_whole) {
        if !sample.iter().all(|&byte| is_text(byte)) {
            return Err("it contains control characters that text does not have");
        }
        // Each multi-byte character has one byte that is no continuation byte.
        let several = count(sample, |byte| byte >= 0xC0);
        return match (several, sample.len()) {
            (0, _) => Ok(Guess { encoding: Encoding::Utf8, evidence: "sure: it is ASCII".into() }),
            (_, 0..4) => Err("it is too short"),
            _ => {
                let how = if several >= ENOUGH { "sure" } else { "likely" };
                let s = if several == 1 { "" } else { "s" };
                let evidence =
                    format!("{how}: it is well-formed, with {} character{s} beyond ASCII", grouped(several));
                Ok(Guess { encoding: Encoding::Utf8, evidence })
            }
        };
    }
    let score = |order| (separators(order, sample), common(order, sample));
    let (little, big) = (Encoding::Utf16Le, Encoding::Utf16Be);
    let (order, other) = if score(little) > score(big) { (little, big) } else { (big, little) };
    let ((ends, most), (other_ends, least)) = (score(order), score(other));
    if !is_likely(isa, order, sample) {
        let is_binary = sample.contains(&0);
        return Err(if is_binary {
            "it is binary, or neither UTF-8 nor UTF-16"
        } else {
            "it is not UTF-8 and does not look like UTF-16"
        });
    }
    if most < ENOUGH {
        return Err("it is too short");
    }
    let is_clear = |many: u64, few: u64| many >= ENOUGH && few * 4 <= many;
    if !is_clear(ends, other_ends) && !is_clear(most, least) {
        return Err("it may be UTF-16 in either byte order");
    }
    let how = if most >= MANY { "sure" } else { "likely" };
    let units = grouped(sample.len() as u64 / 2);
    let evidence = format!(
        "{how}: {} of {units} code units are ASCII or CJK punctuation, {} in the other byte order",
        grouped(most),
        grouped(least)
    );
    Ok(Guess { encoding: order, evidence })
}

/// Whether a sample is UTF-32LE by its byte-order mark: a text in UTF-16LE that starts with U+0000 has the same one, but
/// would have to go on as no text does to be well-formed UTF-32LE.
pub fn is_utf32le(isa: Isa, sample: &[u8], is_whole: bool) -> bool {
    sample.starts_with(Encoding::Utf32Le.mark()) && is_well_formed(isa, Encoding::Utf32Le, sample, is_whole)
}

/// Whether a sample, which may end inside a character unless it `is_whole`, is well-formed.
fn is_well_formed(isa: Isa, encoding: Encoding, sample: &[u8], is_whole: bool) -> bool {
    encoding.fault(isa, sample).is_none_or(|fault: Fault| fault.is_incomplete() && !is_whole)
}

/// Returns the byte order in which the sample is well-formed UTF-32, if it is so in one of them: the highest byte of a code
/// unit is always 0.
pub fn order_32(isa: Isa, sample: &[u8], is_whole: bool) -> Order {
    let is = |order| is_well_formed(isa, order, sample, is_whole);
    match (is(Encoding::Utf32Be), is(Encoding::Utf32Le)) {
        _ if sample.is_empty() => Order::Big,
        (true, false) => Order::Big,
        (false, true) => Order::Little,
        _ if is_eight_bit(isa, sample, is_whole) => Order::EightBit,
        _ => Order::Unknown,
    }
}

/// What is known of the byte order of a text without a byte-order mark that is claimed to be UTF-16 or UTF-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It is big-endian.
    Big,
    /// It is little-endian.
    Little,
    /// It looks like 8-bit text.
    EightBit,
    /// Nothing indicates it.
    Unknown,
}

/// Returns the byte order with more line ends, spaces and commas or, if they are equal, with more of the code units
/// that count for [`looks_like`]. 8-bit text has neither order.
pub fn order(isa: Isa, sample: &[u8], is_whole: bool) -> Order {
    if sample.is_empty() {
        return Order::Big;
    }
    if is_eight_bit(isa, sample, is_whole) {
        return Order::EightBit;
    }
    let score = |order| (separators(order, sample), common(order, sample));
    match score(Encoding::Utf16Be).cmp(&score(Encoding::Utf16Le)) {
        Ordering::Greater => Order::Big,
        Ordering::Less => Order::Little,
        Ordering::Equal => Order::Unknown,
    }
}

/// Whether a sample is 8-bit text rather than UTF-16: it is well-formed UTF-8 without control characters except those
/// of texts, or fewer than a third of its bytes are such control characters. (In UTF-16, half of the bytes of ASCII
/// are NUL, of Cyrillic 04, of Devanagari 09.)
fn is_eight_bit(isa: Isa, sample: &[u8], is_whole: bool) -> bool {
    let is_well_formed = is_well_formed(isa, Encoding::Utf8, sample, is_whole);
    let controls = || count(sample, |byte| byte < 0x20);
    is_well_formed && (sample.iter().all(|&byte| is_text(byte)) || 3 * controls() < sample.len() as u64)
}

/// Whether a byte may be in 8-bit text.
fn is_text(byte: u8) -> bool {
    byte >= 0x20 && byte != 0x7F || matches!(byte, 0x08..=0x0D | 0x1B)
}

fn is_likely(isa: Isa, order: Encoding, sample: &[u8]) -> bool {
    // The sample may end inside a pair or a code unit.
    let is_well_formed = order.fault(isa, sample).is_none_or(|fault| fault.is_incomplete());
    let units = sample.len() as u64 / 2;
    let common = common(order, sample);
    common > 0 && common * 32 >= units && is_well_formed && controls(order, sample) == 0
}

/// Counts the code units that are ASCII characters of texts, or U+3000 to U+3002.
fn common(order: Encoding, sample: &[u8]) -> u64 {
    count(sample.as_chunks().0, |bytes| {
        let unit = unit(order, bytes);
        matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D | 0x20..0x7F | 0x3000..0x3003)
    })
}

/// Counts line ends, spaces, and the commas and full stops of Chinese and Japanese.
fn separators(order: Encoding, sample: &[u8]) -> u64 {
    count(sample.as_chunks().0, |bytes| matches!(unit(order, bytes), 0x0A | 0x0D | 0x20 | 0x3000..0x3003 | 0xFF0C))
}

/// Counts the control characters that texts do not have.
fn controls(order: Encoding, sample: &[u8]) -> u64 {
    count(sample.as_chunks().0, |bytes| {
        let unit = unit(order, bytes);
        unit < 0x20 && !matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D) || unit == 0x7F
    })
}

fn unit(order: Encoding, bytes: [u8; 2]) -> u16 {
    if order == Encoding::Utf16Be { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(text: &str, order: Encoding) -> Vec<u8> {
        match order {
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => text.into(),
        }
    }

    /// The guess for a whole text, with its certainty, or why there is none.
    fn detected(bytes: &[u8]) -> Result<(Encoding, String), &'static str> {
        let guess = detect(Isa::best(), bytes, true)?;
        Ok((guess.encoding, guess.evidence.split(':').next().unwrap().to_owned()))
    }

    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

    /// Texts in many scripts are guessed correctly, including their byte order.
    #[test]
    fn texts() {
        for text in [
            "Hello, world! This is a text.\r\n",
            "Zażółć gęślą jaźń, zażółć gęślą jaźń",
            "Съешь же ещё этих мягких французских булок",
            "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，\n并应以兄弟关系的精神相对待。一、二、三、开。",
            "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता",
            "எல்லா மனிதர்களும் சுதந்திரமாகவே பிறக்கின்றனர்",
            "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、",
            "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
            "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
            "😀 😂 🙏 🎉 🚀 👍\n",
        ] {
            for encoding in ENCODINGS {
                let bytes = encode(&text.repeat(9), encoding);
                assert_eq!(detected(&bytes), Ok((encoding, "sure".into())), "{text}");
                // Cut anywhere, as at the end of the sample.
                for len in bytes.len() - 8..bytes.len() {
                    assert_eq!(
                        detect(Isa::best(), &bytes[..len], false).ok().unwrap().encoding,
                        encoding,
                        "{text}"
                    );
                }
                let expected = match encoding {
                    Encoding::Utf16Le => Order::Little,
                    Encoding::Utf16Be => Order::Big,
                    _ => Order::EightBit,
                };
                assert_eq!(order(Isa::best(), &bytes, true), expected, "{text}");
            }
        }
    }

    /// Text that is short or ambiguous is not guessed; the least sufficient text is.
    #[test]
    fn doubts() {
        let (le, be) = (Encoding::Utf16Le, Encoding::Utf16Be);
        let long = "蝶鯨".repeat(100);
        for (bytes, expected) in [
            (encode("abc", le), Err("it is too short")),
            (encode("abc", be), Err("it is too short")),
            (encode("abcd", le), Ok((le, "likely".into()))),
            (encode("abcd", be), Ok((be, "likely".into()))),
            (b"\xC3\xA9!".to_vec(), Err("it is too short")),
            ("é!!".into(), Ok((Encoding::Utf8, "likely".into()))),
            ("a".into(), Ok((Encoding::Utf8, "sure".into()))),
            (vec![], Ok((Encoding::Utf8, "sure".into()))),
            (b"caf\xE9 au lait\n".to_vec(), Err("it is not UTF-8 and does not look like UTF-16")),
            // Without a line end, a space or a full stop, nothing decides; one in 32 would.
            (encode(&long, be), Err("it is not UTF-8 and does not look like UTF-16")),
            (b"one\0two\0three\0".to_vec(), Err("it contains control characters that text does not have")),
            (
                b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0".to_vec(),
                Err("it is binary, or neither UTF-8 nor UTF-16"),
            ),
            (
                encode("\u{FEFF}abcdefgh", le).into_iter().flat_map(|byte| [byte, 0]).collect(),
                Err("it is binary, or neither UTF-8 nor UTF-16"),
            ),
            (b"\xFF\xFE\0\0a\0b\0c\0".to_vec(), Err("it starts like UTF-32LE, but is not well-formed UTF-32LE")),
            // As many spaces in one order as U+2000 in the other.
            (encode(" \u{2000}", le).repeat(9), Err("it may be UTF-16 in either byte order")),
        ] {
            assert_eq!(detected(&bytes), expected, "{bytes:02X?}");
        }
    }

    /// Text that is claimed to be UTF-32, or has its byte-order mark.
    #[test]
    fn utf32() {
        let isa = Isa::best();
        for (bytes, expected) in [
            (&b"h\0\0\0i\0\0\0"[..], Order::Little),
            (b"\0\0\0h\0\0\0i", Order::Big),
            (b"hello\n", Order::EightBit),
            (b"\0\0\0\0", Order::Unknown),
            (b"\0\x01\x01\0", Order::Unknown),
            (b"\0h\0i", Order::Unknown),
            (b"", Order::Big),
        ] {
            assert_eq!(order_32(isa, bytes, true), expected, "{bytes:02X?}");
        }
        for (bytes, expected) in [
            (&b"\xFF\xFE\0\0a\0\0\0"[..], Some(Encoding::Utf32Le)),
            (b"\xFF\xFE\0\0", Some(Encoding::Utf32Le)),
            (b"\xFF\xFE\0\0a\0b\0", Some(Encoding::Utf16Le)),
            (b"\xFF\xFEa\0", Some(Encoding::Utf16Le)),
            (b"\0\0\xFE\xFF\0\0\0a", Some(Encoding::Utf32Be)),
            (b"\xFE\xFF\0a", Some(Encoding::Utf16Be)),
        ] {
            assert_eq!(looks_like(isa, bytes), expected, "{bytes:02X?}");
        }
        assert!(is_utf32le(isa, b"\xFF\xFE\0\0a\0", false) && !is_utf32le(isa, b"\xFF\xFE\0\0a\0", true));
    }

    /// Text that is claimed to be UTF-16.
    #[test]
    fn orders() {
        for (bytes, expected) in [
            (&b"h\0i\0"[..], Order::Little),
            (b"\0h\0i", Order::Big),
            (b"hello\n", Order::EightBit),
            (b"one\0two\0three\0", Order::EightBit),
            // U+8776 U+9BE8, or U+7687 U+E89B.
            (b"\x87\x76\x9B\xE8", Order::Unknown),
            (b"caf\xE9", Order::Unknown),
            // U+4E00, the most frequent Chinese character, is a letter in the other order; a line end counts more.
            (b"\x4E\x00\x4E\x00\x4E\x8C\x00\x0A", Order::Big),
            (b"\x00\x4E\x00\x4E\x8C\x4E\x0A\x00", Order::Little),
            (b"", Order::Big),
        ] {
            assert_eq!(order(Isa::best(), bytes, true), expected, "{bytes:02X?}");
        }
    }
}
