//! Where the rows of a piece of a column are after the piece has been converted as one text. The kernels find how long
//! each unit becomes, and the functions here sum that up to each border.

/// The maximum number of bytes in a piece: one word of each mask is left for the end.
pub(crate) const MAX_LEN: usize = 64 * (WORDS - 1);
/// The maximum number of rows in a piece.
pub(crate) const MAX_ROWS: usize = 2048;
/// The number of words in a mask. A power of two, so that an index needs no check.
const WORDS: usize = 256;

/// What is counted in the text before each border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
pub(crate) enum Count {
    /// Of UTF-8: characters.
    CharsUtf8,
    /// Of UTF-8: bytes in UTF-16.
    Utf16Bytes,
    /// Of UTF-16: characters.
    CharsUtf16,
    /// Of UTF-16: bytes in UTF-8.
    Utf8Bytes,
}

/// The masks of a piece, with a bit for each byte, and its borders.
pub(crate) struct Borders {
    pub count: Count,
    /// Of UTF-8: the bytes that are no continuations.
    /// Of UTF-16: one of the two bytes of each unit from U+0080 on, and the other of each from U+0800 on that is no
    /// surrogate.
    first: [u64; WORDS],
    /// Of UTF-8: the bytes from F0 on. Of UTF-16: both bytes of each low surrogate.
    second: [u64; WORDS],
    /// The number of bits before each word that count.
    before: [u32; WORDS],
    /// The borders of rows: at first their offsets in the piece, in bytes, and then what is counted before each.
    pub at: [u32; MAX_ROWS + 1],
    /// How many borders there are.
    pub len: usize,
}

impl Borders {
    pub fn new(count: Count) -> Self {
        Self { count, first: [0; WORDS], second: [0; WORDS], before: [0; WORDS], at: [0; MAX_ROWS + 1], len: 0 }
    }

    /// Sets the masks of the 64 bytes from `64 * word` on.
    #[inline(always)]
    pub fn set(&mut self, word: usize, first: u64, second: u64) {
        self.first[word % WORDS] = first;
        self.second[word % WORDS] = second;
    }

    /// Sets the masks of `src`, which is shorter than a word's bytes, after the masks before, and of the end, where no
    /// character starts. `masks` is called for 64 bytes.
    #[inline(always)]
    pub fn set_end(&mut self, word: usize, src: &[u8], masks: impl Fn(&[u8; 64]) -> (u64, u64)) {
        let mut bytes = [0; 64];
        bytes[..src.len()].copy_from_slice(src);
        let (first, second) = masks(&bytes);
        self.set(word, first, second);
    }

    /// Replaces each border by what is counted before it. Returns whether any is inside of a character, if the text is
    /// well-formed.
    #[inline(always)]
    pub fn place(&mut self, len: usize) -> bool {
        let words = len / 64 + 1;
        let mut any = 0;
        for k in 0..words {
            any |= self.second[k % WORDS];
        }
        // A loop for each, so that nothing is decided inside of it.
        match self.count {
            Count::CharsUtf8 => self.place_by(
                words,
                #[inline(always)]
                |first, _| first.count_ones(),
                #[inline(always)]
                |_, counted| counted,
                #[inline(always)]
                |first, _| !first,
            ),
            Count::Utf16Bytes if any == 0 => self.place_by(
                words,
                #[inline(always)]
                |first, _| first.count_ones(),
                #[inline(always)]
                |_, counted| 2 * counted,
                #[inline(always)]
                |first, _| !first,
            ),
            Count::Utf16Bytes => self.place_by(
                words,
                #[inline(always)]
                |first, second| first.count_ones() + second.count_ones(),
                #[inline(always)]
                |_, counted| 2 * counted,
                #[inline(always)]
                |first, _| !first,
            ),
            Count::CharsUtf16 => self.place_by(
                words,
                #[inline(always)]
                |_, second| second.count_ones(),
                #[inline(always)]
                |at, counted| (at - counted) / 2,
                #[inline(always)]
                |_, second| second,
            ),
            Count::Utf8Bytes if any == 0 => self.place_by(
                words,
                #[inline(always)]
                |first, _| first.count_ones(),
                #[inline(always)]
                |at, counted| at / 2 + counted,
                #[inline(always)]
                |_, _| 0,
            ),
            Count::Utf8Bytes => self.place_by(
                words,
                #[inline(always)]
                |first, _| first.count_ones(),
                #[inline(always)]
                |at, counted| at / 2 + counted,
                #[inline(always)]
                |_, second| second,
            ),
        }
    }

    /// `counted` counts some bits of a word of both masks. `result` makes the new border of its offset and of what is counted
    /// before it. `inside` has the bits of borders that are inside of a character.
    #[inline(always)]
    fn place_by(
        &mut self,
        words: usize,
        counted: impl Fn(u64, u64) -> u32,
        result: impl Fn(u32, u32) -> u32,
        inside: impl Fn(u64, u64) -> u64,
    ) -> bool {
        let Self { first, second, before, at, len, .. } = self;
        let mut sum = 0;
        for k in 0..words {
            before[k % WORDS] = sum;
            sum += counted(first[k % WORDS], second[k % WORDS]);
        }
        let mut any = 0;
        for border in &mut at[..*len] {
            let (word, bit) = ((*border / 64) as usize % WORDS, *border % 64);
            let below = !(u64::MAX << bit);
            let (a, b) = (first[word], second[word]);
            any |= inside(a, b) >> bit;
            *border = result(*border, before[word] + counted(a & below, b & below));
        }
        any & 1 != 0
    }
}
