//! Texts to put errors into: with characters of one length, or mixed.

use std::sync::LazyLock;

use crate::Rng;

/// A kind of text. Kernels have a separate loop for nearly each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filler {
    /// Characters of one byte.
    Ascii,
    /// Characters of two bytes in UTF-8.
    Two,
    /// Of three bytes.
    Three,
    /// Of four bytes, which are two code units.
    Four,
    /// All lengths, at random.
    Mixed,
    /// ASCII words with a few others among them.
    Prose,
    /// Runs of 1 to 200 characters of one length, so that loops are entered and left.
    Runs,
}

impl Filler {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Ascii, Self::Two, Self::Three, Self::Four, Self::Mixed, Self::Prose, Self::Runs];
    /// The kinds with characters of one length, shortest first.
    pub const PLAIN: [Self; 4] = [Self::Ascii, Self::Two, Self::Three, Self::Four];

    /// A long text of this kind.
    fn corpus(self) -> &'static str {
        /// The length in bytes: more than 128 blocks of 256 bytes, which is how long a loop may stay in one mode.
        const LEN: usize = if cfg!(miri) { 2 << 10 } else { 80 << 10 };
        static CORPORA: LazyLock<[String; 7]> = LazyLock::new(|| Filler::ALL.map(|filler| filler.generate(LEN)));
        &CORPORA[self as usize]
    }

    fn generate(self, len: usize) -> String {
        let mut rng = Rng::new(self as u64);
        let mut text = String::new();
        let (mut run, mut bytes) = (0, 1);
        while text.len() < len {
            bytes = match self {
                Self::Ascii => 1,
                Self::Two => 2,
                Self::Three => 3,
                Self::Four => 4,
                Self::Mixed => 1 + rng.below(4),
                Self::Prose => [1, 2, 3, 4].into_iter().find(|_| rng.below(30) > 0).unwrap_or(1),
                Self::Runs if run > 0 => bytes,
                Self::Runs => {
                    run = 1 + rng.below(200);
                    1 + rng.below(4)
                }
            };
            run -= run.min(1);
            text.push(char_of(bytes, &mut rng));
        }
        text
    }

    /// `len` bytes of this text that end with its characters, padded with ASCII at the start.
    pub fn before(self, len: usize) -> Vec<u8> {
        let text = self.cut(len);
        let mut bytes = vec![b'x'; len - text.len()];
        bytes.extend_from_slice(text.as_bytes());
        bytes
    }

    /// `len` bytes of this text that start with its characters, padded with ASCII at the end.
    pub fn after(self, len: usize) -> Vec<u8> {
        let mut bytes = self.cut(len).as_bytes().to_vec();
        bytes.resize(len, b'x');
        bytes
    }

    fn cut(self, len: usize) -> &'static str {
        let corpus = self.corpus();
        &corpus[..(0..=len).rev().find(|&at| corpus.is_char_boundary(at)).unwrap()]
    }

    /// `len` code units of this text that end with its characters.
    pub fn units_before(self, len: usize) -> Vec<u16> {
        let units = self.cut_units(len);
        let mut padded = vec![u16::from(b'x'); len - units.len()];
        padded.extend(units);
        padded
    }

    /// `len` code units of this text that start with its characters.
    pub fn units_after(self, len: usize) -> Vec<u16> {
        let mut units = self.cut_units(len);
        units.resize(len, u16::from(b'x'));
        units
    }

    fn cut_units(self, len: usize) -> Vec<u16> {
        let mut units: Vec<u16> = self.corpus().encode_utf16().take(len).collect();
        assert!(units.len() == len, "the corpora are too short for {len} code units");
        if units.last().is_some_and(|unit| unit & 0xFC00 == 0xD800) {
            units.pop();
        }
        units
    }
}

/// A character of `bytes` bytes: one in four is the first or last of its kind.
pub fn char_of(bytes: usize, rng: &mut Rng) -> char {
    let (first, last) = [(0x00, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)][bytes - 1];
    loop {
        let value = match rng.below(16) {
            0 => first,
            1 => last,
            2 if bytes == 3 => 0xD7FF,
            3 if bytes == 3 => 0xE000,
            _ if bytes == 1 => 0x20 + rng.below(0x5F),
            _ => first + rng.below(last - first + 1),
        };
        if let Some(c) = char::from_u32(value as u32) {
            return c;
        }
    }
}

/// Random text of about `len` bytes, with a preference for long runs.
pub fn random_text(len: usize, rng: &mut Rng) -> String {
    let mut text = String::new();
    while text.len() < len {
        let bytes = 1 + rng.below(5) % 4;
        let run = 1 + rng.pick(&[0, 1, 5, 70, 300, 1000]);
        for _ in 0..1 + rng.below(run) {
            text.push(char_of(bytes, rng));
        }
    }
    text
}
