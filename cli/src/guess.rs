//! Guesses the encoding of a text from its first 64 KiB, so that the answer does not depend on how the text is read.
//! Collects evidence for and against each encoding, and decides.

use fastutf::Isa;

use crate::encoding::{Encoding, Fault, count};
use crate::number::grouped;
use crate::parts::{Change, Parts, cost_of, divide, is_text, may_change};

/// How many bytes at the start of a text are examined.
pub const SAMPLE: usize = 64 << 10;

/// The byte orders of UTF-16.
const ORDERS: [Encoding; 2] = [Encoding::Utf16Le, Encoding::Utf16Be];

/// How much of each kind of evidence is needed.
mod limit {
    /// Common code units that UTF-16 and UTF-32 need: fewer can be there by accident. As many characters beyond ASCII make
    /// UTF-8 certain, as well-formed ones are seldom there by accident.
    pub const ENOUGH: u64 = 4;
    /// Common code units that make UTF-16 certain.
    pub const MANY: u64 = 16;
    /// One in so many code units is a common one: a line end or a stop is in every few lines of Chinese.
    pub const COMMON: u64 = 32;
    /// The bits by which one byte order must be more likely than the other: two letters in ASCII are.
    pub const CLEAR: u64 = 12;
    /// The bytes that decide about the byte order, if they can.
    pub const START: usize = 4096;
    /// The bytes that UTF-8 needs if it is not ASCII: fewer are too likely to be well-formed in any encoding.
    pub const SHORT: u64 = 4;
    /// Ill-formed UTF-8 is damaged UTF-8, and not another encoding, if there is at most one ill-formed sequence for
    /// this many well-formed characters beyond ASCII. In Latin-1 and the like, hardly any are well-formed.
    pub const DAMAGE: u64 = 4;
    /// Or if there is one for so many bytes: texts in other languages than English have more letters beyond ASCII.
    pub const RARE: u64 = 1024;
    /// Control characters, each with those next to it, are damage to a text if there is at most one for this many bytes:
    /// a log has some NULs after a crash; binary data has more.
    pub const CONTROLS: u64 = 256;
    /// UTF-8 with at most one ill-formed sequence or control character for so many bytes is looked at only around these.
    pub const FEW: u64 = 256;
    /// Two encodings in a file are told from binary data if there is at most one odd character for so many bytes.
    pub const ODD: u64 = 16;
    /// The bytes at the start in which there are at most so many, too.
    pub const HEAD: usize = 1024;
}

/// Returns the encoding if the start of a text looks like UTF-16 or UTF-32.
///
/// A byte-order mark decides; that of UTF-32LE, which a text in UTF-16LE that starts with U+0000 has too, does if the sample is
/// well-formed UTF-32LE. Without one, the first 64 KiB must be well-formed UTF-32 in one of the two byte orders,
/// or UTF-16, without control characters except those that texts have, and at least one in 32 code units must be an ASCII
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
    let is_marked = |order: &Encoding| start.starts_with(order.mark());
    ORDERS.into_iter().find(is_marked).or_else(|| utf32(isa, sample, false)).or_else(|| {
        let [little, big] = ORDERS.map(|order| Utf16::of(isa, order, sample).is_likely());
        let is_big = if little && big { costs(sample)[1] < costs(sample)[0] } else { big };
        (little || big).then_some(ORDERS[usize::from(is_big)])
    })
}

/// Whether the start of an input does not look like text: it has a NUL byte, more than one byte in 16 is a control
/// character that text does not have, and there is no byte-order mark of UTF-16 or UTF-32.
///
/// For `grep` and git, a single NUL byte makes a file binary. But in a log it is only what a program wrote by mistake, or
/// what a crash left, and the errors of that log would not be found. Of random bytes, and so of compressed data, one in 10
/// is such a control character; of executables, fonts and the like, more. Among 65,000 files with a NUL byte on a
/// Linux system, 99 % were above one in 16, and most of the others were text with NUL bytes in between.
pub fn is_binary(sample: &[u8]) -> bool {
    // That of UTF-32LE starts with that of UTF-16LE.
    let is_marked = [Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Be]
        .iter()
        .any(|order| sample.starts_with(order.mark()));
    // Backspaces and escape sequences are in the recordings of terminals.
    let controls = || count(sample, |byte| matches!(byte, 0..=0x07 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F));
    !is_marked && memchr::memchr(0, sample).is_some() && 16 * controls() > sample.len() as u64
}

/// A guessed encoding.
pub struct Guess {
    /// The encoding.
    pub encoding: Encoding,
    /// How certain the guess is, and why.
    pub evidence: String,
}

/// Why there is no guess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It does not look like text in an encoding that is guessed, or is too short.
    Unlike(&'static str),
    /// It is in two encodings.
    Two(Change),
}

impl Doubt {
    /// Says why.
    pub fn why(&self) -> String {
        match self {
            Self::Unlike(why) => (*why).into(),
            Self::Two(change) => change.describe("is"),
        }
    }
}

/// What speaks for and against UTF-8.
struct Utf8 {
    /// The length of the sample.
    len: u64,
    /// Well-formed characters beyond ASCII.
    several: u64,
    /// Ill-formed sequences, and where the first is.
    ill_formed: u64,
    first_ill_formed: Option<usize>,
    /// Control characters that texts do not have; those next to each other are one. And where the first is.
    controls: u64,
    first_control: Option<usize>,
    /// Whether a third of the bytes or more are below 20.
    is_mostly_control: bool,
}

/// What speaks for and against UTF-16 in one byte order.
struct Utf16 {
    order: Encoding,
    units: u64,
    /// Code units that are ASCII characters of texts, or U+3000 to U+3002.
    common: u64,
    /// Control characters that texts do not have.
    controls: u64,
    is_well_formed: bool,
}

/// Guesses the encoding of a text without a byte-order mark, or says why that is not possible.
///
/// # Errors
///
/// Why it is not possible.
pub fn detect(isa: Isa, sample: &[u8], is_whole: bool) -> Result<Guess, Doubt> {
    if sample.starts_with(Encoding::Utf32Le.mark()) {
        return Err(Doubt::Unlike("it starts like UTF-32LE, but is not well-formed UTF-32LE"));
    }
    let utf8 = Utf8::of(isa, sample, is_whole);
    // Most texts are in UTF-8, and nothing speaks against it.
    if utf8.ill_formed == 0 && utf8.controls == 0 {
        return utf8.verdict();
    }
    if let Some(encoding) = utf32(isa, sample, is_whole) {
        let units = grouped(sample.len() as u64 / 4);
        let evidence = format!("sure: its {units} code units are well-formed, in this byte order only");
        return Ok(Guess { encoding, evidence });
    }
    let [little, big] = costs(sample);
    let utf16 = Utf16::of(isa, ORDERS[usize::from(big < little)], sample);
    let likely = if utf16.is_likely() { utf16.order } else { Encoding::Utf8 };
    let is_odd = |parts: Parts, len: usize| parts.odd * limit::ODD > len as u64;
    let parts = if likely == Encoding::Utf8 && (utf8.ill_formed + utf8.controls) * limit::FEW > utf8.len {
        // Binary data is seen by its start, as it takes long to divide all of it.
        let head = &sample[..sample.len().min(limit::HEAD)];
        if is_odd(divide(head, None, false), head.len()) {
            return Err(utf8.neither());
        }
        divide(sample, None, is_whole)
    } else if may_change(likely, sample, true, is_whole) {
        divide(sample, None, is_whole)
    } else {
        Parts { first: likely, change: None, odd: 0 }
    };
    if let Some(change) = parts.change {
        // UTF-32 that is too short to be sure, or numbers of 32 bits.
        let is_wide = |high: usize, middle: usize| {
            let units = sample.as_chunks::<4>().0;
            units.iter().all(|unit| unit[high] == 0 && unit[middle] < 3)
        };
        let is_binary = is_odd(parts, sample.len()) || is_wide(0, 1) || is_wide(3, 2);
        return Err(if is_binary { utf8.neither() } else { Doubt::Two(change) });
    }
    // Words that end with NULs may look like UTF-16.
    let is_eight_bit = utf8.ill_formed == 0 && !utf8.is_mostly_control;
    if is_eight_bit || parts.first == Encoding::Utf8 {
        return utf8.verdict();
    }
    if !utf16.is_likely() {
        return Err(utf8.neither());
    }
    if utf16.common < limit::ENOUGH {
        return Err(Doubt::Unlike("it is too short"));
    }
    if big.abs_diff(little) < limit::CLEAR {
        return Err(Doubt::Unlike("it may be UTF-16 in either byte order"));
    }
    let how = if utf16.common >= limit::MANY { "sure" } else { "likely" };
    let (common, units) = (grouped(utf16.common), grouped(utf16.units));
    let evidence = format!("{how}: {common} of {units} code units are ASCII or CJK punctuation");
    Ok(Guess { encoding: utf16.order, evidence })
}

impl Utf8 {
    fn of(isa: Isa, sample: &[u8], is_whole: bool) -> Self {
        // The sample may end inside a character.
        let end = if is_whole { sample.len() } else { Encoding::Utf8.complete_up_to(sample) };
        let sample = &sample[..end];
        let len = sample.len() as u64;
        let (mut ill_formed, mut first_ill_formed) = (0, None);
        // Each character beyond ASCII has one byte that is no continuation byte.
        let beyond_ascii = |text: &[u8]| count(text, |byte| byte >= 0xC0);
        let mut at = Encoding::Utf8.fault(isa, sample).map_or(end, |fault| fault.valid_up_to());
        let mut several = beyond_ascii(&sample[..at]);
        for chunk in sample[at..].utf8_chunks() {
            several += beyond_ascii(chunk.valid().as_bytes());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                ill_formed += 1;
                first_ill_formed.get_or_insert(at);
                at += chunk.invalid().len();
            }
        }
        let is_control = |&byte: &u8| !is_text(byte);
        let first_control = sample.iter().position(is_control);
        let runs = sample.chunk_by(|a, b| is_control(a) == is_control(b));
        let controls = first_control.map_or(0, |_| runs.filter(|run| is_control(&run[0])).count() as u64);
        let is_mostly_control = controls > 0 && is_mostly_control(sample);
        Self { len, several, ill_formed, first_ill_formed, controls, first_control, is_mostly_control }
    }

    /// Decides whether it is UTF-8, if it is nothing else.
    fn verdict(&self) -> Result<Guess, Doubt> {
        let Self { len, several, ill_formed, controls, .. } = *self;
        if len == 0 {
            return Ok(Guess { encoding: Encoding::Utf8, evidence: "it is empty".into() });
        }
        let is_damaged = ill_formed * limit::DAMAGE <= several || ill_formed * limit::RARE <= len;
        if ill_formed > 0 && !is_damaged || self.is_mostly_control {
            return Err(self.neither());
        }
        if controls * limit::CONTROLS > len {
            return Err(Doubt::Unlike("it contains control characters that text does not have"));
        }
        if several > 0 && len < limit::SHORT {
            return Err(Doubt::Unlike("it is too short"));
        }
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let mut why = match (several, ill_formed) {
            (0, 0) => "it is ASCII".to_owned(),
            (_, 0) => format!("it is well-formed, with {} character{} beyond ASCII", grouped(several), s(several)),
            _ => format!("{} ill-formed sequence{}", grouped(ill_formed), s(ill_formed)),
        };
        if let Some(at) = self.first_ill_formed {
            why += &format!(", the first at byte {at}");
        }
        if let Some(at) = self.first_control {
            why += &format!(", but for control characters at byte {at}");
        }
        let is_sure = ill_formed == 0 && controls == 0 && (several == 0 || several >= limit::ENOUGH);
        let how = if is_sure { "sure" } else { "likely" };
        Ok(Guess { encoding: Encoding::Utf8, evidence: format!("{how}: {why}") })
    }

    fn neither(&self) -> Doubt {
        match self.controls {
            0 => Doubt::Unlike("it is not UTF-8 and does not look like UTF-16"),
            _ => Doubt::Unlike("it is binary, or neither UTF-8 nor UTF-16"),
        }
    }
}

impl Utf16 {
    fn of(isa: Isa, order: Encoding, sample: &[u8]) -> Self {
        // The sample may end inside a pair or a code unit.
        let is_well_formed = order.fault(isa, sample).is_none_or(|fault| fault.is_incomplete());
        Self {
            order,
            units: sample.len() as u64 / 2,
            common: common(order, sample),
            controls: controls(order, sample),
            is_well_formed,
        }
    }

    fn is_likely(&self) -> bool {
        let is_common = self.common > 0 && self.common * limit::COMMON >= self.units;
        is_common && self.is_well_formed && self.controls == 0
    }
}

/// The byte order in which the sample is UTF-32, if it is in one of them and looks like text.
fn utf32(isa: Isa, sample: &[u8], is_whole: bool) -> Option<Encoding> {
    let order = match order_32(isa, sample, is_whole) {
        Order::Little => Encoding::Utf32Le,
        Order::Big => Encoding::Utf32Be,
        _ => return None,
    };
    let units = sample.as_chunks().0;
    let unit =
        |bytes| if order == Encoding::Utf32Le { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    let common = count(units, |bytes| u16::try_from(unit(bytes)).is_ok_and(is_common));
    let controls = count(units, |bytes| u16::try_from(unit(bytes)).is_ok_and(is_control));
    let is_likely = common >= limit::ENOUGH && common * limit::COMMON >= units.len() as u64 && controls == 0;
    is_likely.then_some(order)
}

/// Whether a sample is UTF-32LE by its byte-order mark. A text in UTF-16LE that starts with U+0000 has the same mark,
/// but the rest of it is hardly ever well-formed UTF-32LE.
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

/// Returns the byte order in which the sample is far more likely to be text. 8-bit text has neither order.
pub fn order(isa: Isa, sample: &[u8], is_whole: bool) -> Order {
    if sample.is_empty() {
        return Order::Big;
    }
    if is_eight_bit(isa, sample, is_whole) {
        return Order::EightBit;
    }
    let [little, big] = costs(sample);
    match (big + limit::CLEAR <= little, little + limit::CLEAR <= big) {
        (true, _) => Order::Big,
        (_, true) => Order::Little,
        _ => Order::Unknown,
    }
}

/// How unlikely it is that a sample is text in each of the [`ORDERS`], in bits; or that its start is, if that decides.
fn costs(sample: &[u8]) -> [u64; 2] {
    let start = ORDERS.map(|order| cost_of(order, &sample[..sample.len().min(limit::START)]));
    let is_clear = start[0].abs_diff(start[1]) >= limit::CLEAR;
    if is_clear || sample.len() <= limit::START { start } else { ORDERS.map(|order| cost_of(order, sample)) }
}

/// Whether a sample is 8-bit text rather than UTF-16: it is well-formed UTF-8 without control characters except those
/// of texts, or fewer than a third of its bytes are such control characters. (In UTF-16, half of the bytes of ASCII
/// are NUL, of Cyrillic 04, of Devanagari 09.)
fn is_eight_bit(isa: Isa, sample: &[u8], is_whole: bool) -> bool {
    let is_well_formed = is_well_formed(isa, Encoding::Utf8, sample, is_whole);
    is_well_formed && (sample.iter().all(|&byte| is_text(byte)) || !is_mostly_control(sample))
}

/// Whether a third of the bytes or more are control characters.
fn is_mostly_control(sample: &[u8]) -> bool {
    3 * count(sample, |byte| byte < 0x20) >= sample.len() as u64
}

/// Counts the code units that are ASCII characters of texts, or U+3000 to U+3002.
fn common(order: Encoding, sample: &[u8]) -> u64 {
    count(sample.as_chunks().0, |bytes| is_common(unit(order, bytes)))
}

fn is_common(unit: u16) -> bool {
    matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D | 0x20..0x7F | 0x3000..0x3003)
}

/// Counts the control characters that texts do not have.
fn controls(order: Encoding, sample: &[u8]) -> u64 {
    count(sample.as_chunks().0, |bytes| is_control(unit(order, bytes)))
}

fn is_control(unit: u16) -> bool {
    unit < 0x20 && !matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D) || unit == 0x7F
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
    fn detected(bytes: &[u8]) -> Result<(Encoding, String), String> {
        let guess = detect(Isa::best(), bytes, true).map_err(|doubt| doubt.why())?;
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
                        detect(Isa::best(), &bytes[..len], false)
                            .map_err(|doubt| (text, len, bytes.len(), doubt))
                            .map(|g| g.encoding)
                            .unwrap(),
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

    /// A second encoding begins where it begins, in all scripts, however long what comes before and after it is.
    #[test]
    fn borders() {
        let lines = [
            "Hello, world!",
            "Добрый день, мир!",
            "नमस्ते, दुनिया!",
            "你好，世界！今天天气很好。",
            "안녕하세요, 여러분!",
        ];
        let pairs = ENCODINGS.into_iter().flat_map(|from| ENCODINGS.map(|to| (from, to)));
        for (from, to) in pairs.filter(|(from, to)| from != to) {
            for (first, second) in lines.iter().flat_map(|first| lines.map(|second| (first, second))) {
                for (before, after, end) in [(1, 1, "\n"), (1, 9, "\r\n"), (9, 1, "\n"), (9, 9, "\r\n")] {
                    let head = encode(&format!("{first}{end}").repeat(before), from);
                    let tail = encode(&format!("{second}{end}").repeat(after), to);
                    let expected = Doubt::Two(Change { at: head.len() as u64, from, to });
                    let found = detect(Isa::best(), &[head, tail].concat(), true).err();
                    assert_eq!(found, Some(expected), "{first}, {second}, {before}, {after}");
                }
            }
        }
    }

    /// UTF-8 is recognised wherever it is damaged, and where that is is said.
    #[test]
    fn damage() {
        let text = "Every human being, tout être humain, каждый человек, 人人。\n".repeat(1000);
        for near in (0..SAMPLE - 100).step_by(509) {
            let at = (near..).find(|&at| text.as_bytes()[at] == b' ').unwrap();
            let mut bytes = text.as_bytes()[..SAMPLE].to_vec();
            bytes[at] = 0xFF;
            let guess = detect(Isa::best(), &bytes, false).map(|guess| (guess.encoding, guess.evidence));
            let evidence = format!("likely: 1 ill-formed sequence, the first at byte {at}");
            assert_eq!(guess, Ok((Encoding::Utf8, evidence)));
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
            (vec![], Ok((Encoding::Utf8, "it is empty".into()))),
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
            assert_eq!(detected(&bytes), expected.map_err(String::from), "{bytes:02X?}");
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
            // A digit, or an ideographic space.
            (b"\x30\x00", Order::Unknown),
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
