//! Lookup tables, computed at compile time from what their bits mean.
//!
//! A shuffle moves any byte of a lane to any place in it, by 16 *control* bytes: each says which byte comes here, and
//! 80 makes a 0. So "keep these, side by side" is one shuffle, if its controls are at hand. These tables have a row of
//! controls for every case. 8 bits name the case, so a table has 256 rows of 16 bytes, 4 KB.
//!
//! ```text
//! KEEP_WORDS[0x7B]      0111_1011: words 0, 1, 3, 4, 5 and 6 of 8
//!     00 01  02 03  06 07  08 09  0A 0B  0C 0D  80 80  80 80
//! ONE_OR_TWO[0x5A]      0101_1010: both bytes of words 1, 3, 4 and 6, only the second of the others
//!     01  02 03  05  06 07  08 09  0B  0C 0D  0F  80 80 80 80
//! ONE_TO_THREE[0xC4]    11_00_01_00, from the last unit to the first: 3, 1, 2 and 1 bytes
//!     02  07 06  0A  0C 0D 0E  80 80 80 80 80 80 80 80 80
//! ONE_TO_FOUR[0xC4]     11_00_01_00, likewise: 4, 1, 2 and 1 bytes
//!     03  06 07  0B  0C 0D 0E 0F  80 80 80 80 80 80 80 80
//! KEEP_BYTES[0x5A]      0101_1010: bytes 1, 3, 4 and 6 of 8
//!     01 03 04 06  80 80 80 80 80 80 80 80 80 80 80 80
//! ```
//!
//! The length of a row is a constant plus a multiple of the ones in its index, and most CPUs have an instruction that counts
//! these. Only for `ONE_TO_FOUR` it is not, and is stored, in `LENGTHS`.
//!
//! From UTF-8 to UTF-16 or UTF-32, the first table is needed; from UTF-16 to UTF-8, the next two; from UTF-32 to
//! UTF-8 another one, for characters above U+FFFF. So other text needs at most 8 KB of tables. All rows are computed by
//! `const fn` from the description above each; there are no literal numbers that could be wrong in one place.
//!
//! `MOVE` is not indexed by a case but by a distance. 16 bytes of it, from any place, are controls that move all bytes
//! of a lane by as many places, with zeros from the other side.
//!
//! Tables of shuffles, indexed by the places of characters, go back to Hiroshi Inoue, Hideaki Komatsu and Toshio
//! Nakatani, *Accelerating UTF-8 decoding using SIMD instructions*, 2008. simdutf is based on them as well (Daniel
//! Lemire and Wojciech Muła, *Transcoding billions of Unicode characters per second with SIMD instructions*, 2022,
//! doi:10.1002/spe.3036). With AVX-512, `vpcompressb` needs none of them.

use crate::simd::ShuffleTable;

/// A control byte that produces a 0.
const NOTHING: u8 = 0x80;

/// A row under construction.
struct Row {
    bytes: [u8; 16],
    len: usize,
}

impl Row {
    const EMPTY: Self = Self { bytes: [NOTHING; 16], len: 0 };

    const fn push(mut self, position: usize) -> Self {
        self.bytes[self.len] = position as u8;
        self.len += 1;
        self
    }
}

const fn bit(index: usize, at: usize) -> bool {
    index >> at & 1 == 1
}

/// A table: in each row is what the block pushes, which is run for each item of the row's case.
macro_rules! table {
    (|$index:ident, $row:ident| for $item:ident in 0..$count:literal $push:block) => {{
        let mut table = ShuffleTable([[NOTHING; 16]; 256]);
        let mut $index = 0;
        while $index < 256 {
            let mut $row = Row::EMPTY;
            let mut $item = 0;
            while $item < $count {
                $push
                $item += 1;
            }
            table.0[$index] = $row.bytes;
            $index += 1;
        }
        table
    }};
}

/// Keeps word `j` of 8 where bit `j` of the index is set.
pub(crate) static KEEP_WORDS: ShuffleTable = table!(|index, row| for word in 0..8 {
    if bit(index, word) {
        row = row.push(2 * word).push(2 * word + 1);
    }
});

/// Shuffle controls that shift a lane: its bytes `n - 16` to `n - 1` are at `[n..n + 16]`, with zeros for bytes
/// outside the lane.
pub(crate) static MOVE: [u8; 64] = {
    let mut table = [NOTHING; 64];
    let mut byte = 0;
    while byte < 16 {
        table[16 + byte] = byte as u8;
        byte += 1;
    }
    table
};

/// For 8 words `[lead, last]`: both bytes of word `j` where bit `j` of the index is set, otherwise only the last.
pub(crate) static ONE_OR_TWO: ShuffleTable = table!(|index, row| for word in 0..8 {
    if bit(index, word) {
        row = row.push(2 * word);
    }
    row = row.push(2 * word + 1);
});

/// For 4 double words `[b0, b1, last, lead2]`, with two bits of the index for each: `00` keeps one byte (last), `01`
/// two (lead2, last), `11` three (b0, b1, last). `10` does not occur.
pub(crate) static ONE_TO_THREE: ShuffleTable = table!(|index, row| for unit in 0..4 {
    if bit(index, 2 * unit + 1) {
        row = row.push(4 * unit).push(4 * unit + 1);
    } else if bit(index, 2 * unit) {
        row = row.push(4 * unit + 3);
    }
    row = row.push(4 * unit + 2);
});

/// For 4 double words, with two bits of the index for each: keeps as many bytes at their ends as these bits say, plus 1.
#[cfg(feature = "utf32")]
pub(crate) static ONE_TO_FOUR: ShuffleTable = table!(|index, row| for byte in 0..16 {
    if byte % 4 + (index >> (byte / 4 * 2) & 3) >= 3 {
        row = row.push(byte);
    }
});
/// The lengths of the rows of [`ONE_TO_FOUR`].
#[cfg(feature = "utf32")]
pub(crate) static LENGTHS: [u8; 256] = {
    let (mut lengths, mut index) = ([0; 256], 0);
    while index < 256 {
        lengths[index] = (4 + (index & 3) + (index >> 2 & 3) + (index >> 4 & 3) + (index >> 6)) as u8;
        index += 1;
    }
    lengths
};

/// For 8 bytes: keeps byte `j` where bit `j` of the index is set.
#[cfg(feature = "latin1")]
pub(crate) static KEEP_BYTES: ShuffleTable = table!(|index, row| for byte in 0..8 {
    if bit(index, byte) {
        row = row.push(byte);
    }
});
