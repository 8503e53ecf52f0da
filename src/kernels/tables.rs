//! Lookup tables, computed at compile time from what their bits mean.

use crate::simd::ShuffleTable;

/// A control byte that makes a 0.
const NOTHING: u8 = 0x80;

/// A row's bytes so far.
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

/// Keeps word `j` of 8 where bit `j` of the index is set, its bytes swapped for big-endian output.
const fn keep_words(big_endian: bool) -> ShuffleTable {
    let mut table = ShuffleTable([[NOTHING; 16]; 256]);
    let mut index = 0;
    while index < 256 {
        let mut row = Row::EMPTY;
        let mut word = 0;
        while word < 8 {
            if bit(index, word) {
                let (first, second) = if big_endian { (1, 0) } else { (0, 1) };
                row = row.push(2 * word + first).push(2 * word + second);
            }
            word += 1;
        }
        table.0[index] = row.bytes;
        index += 1;
    }
    table
}

pub(crate) static KEEP_WORDS_LE: ShuffleTable = keep_words(false);
pub(crate) static KEEP_WORDS_BE: ShuffleTable = keep_words(true);

/// Shuffle controls that move the bytes of a lane: its bytes `n - 16` to `n - 1` are at `[n..n + 16]`, with zeros for those
/// that it does not have.
pub(crate) static MOVE: [u8; 64] = {
    let mut table = [NOTHING; 64];
    let mut byte = 0;
    while byte < 16 {
        table[16 + byte] = byte as u8;
        byte += 1;
    }
    table
};

/// For 8 words `[lead, last]`: both bytes of word `j` where bit `j` of the index is set, else only the last.
pub(crate) static ONE_OR_TWO: ShuffleTable = {
    let mut table = ShuffleTable([[NOTHING; 16]; 256]);
    let mut index = 0;
    while index < 256 {
        let mut row = Row::EMPTY;
        let mut word = 0;
        while word < 8 {
            if bit(index, word) {
                row = row.push(2 * word);
            }
            row = row.push(2 * word + 1);
            word += 1;
        }
        table.0[index] = row.bytes;
        index += 1;
    }
    table
};

/// For 4 double words `[b0, b1, last, lead2]`, by two bits of the index each: `00` one byte (last), `01` two
/// (lead2, last), `11` three (b0, b1, last). `10` does not occur.
pub(crate) static ONE_TO_THREE: ShuffleTable = {
    let mut table = ShuffleTable([[NOTHING; 16]; 256]);
    let mut index = 0;
    while index < 256 {
        let mut row = Row::EMPTY;
        let mut unit = 0;
        while unit < 4 {
            if bit(index, 2 * unit + 1) {
                row = row.push(4 * unit).push(4 * unit + 1);
            } else if bit(index, 2 * unit) {
                row = row.push(4 * unit + 3);
            }
            row = row.push(4 * unit + 2);
            unit += 1;
        }
        table.0[index] = row.bytes;
        index += 1;
    }
    table
};
