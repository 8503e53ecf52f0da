//! Offsets, lines and columns, by a walk over all characters.

use std::ops::Range;

/// What offsets and columns are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Utf8,
    /// UTF-16 code units.
    Utf16,
    /// Characters.
    Utf32,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 3] = [Self::Utf8, Self::Utf16, Self::Utf32];

    fn len_of(self, char: char) -> usize {
        match self {
            Self::Utf8 => char.len_utf8(),
            Self::Utf16 => char.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// Where a character starts, or the end of the text.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// In each unit.
    offset: [usize; 3],
    line: usize,
    /// In each unit.
    column: [usize; 3],
}

/// Every place of a text.
#[derive(Debug)]
pub struct Places {
    /// Those of all characters and of the end.
    places: Vec<Place>,
    /// For each unit, the place that each offset belongs to.
    at: [Vec<u32>; 3],
    /// Each line without its end.
    lines: Vec<Range<usize>>,
}

impl Places {
    /// Walks through `text`.
    pub fn new(text: &str) -> Self {
        let (mut places, mut lines, mut at) = (Vec::new(), Vec::new(), [const { Vec::new() }; 3]);
        let mut here = Place::default();
        let mut start = 0;
        let mut chars = text.chars().peekable();
        loop {
            let char = chars.next();
            let number = places.len() as u32;
            // A place inside of a line end is not one: it has the position before it.
            let inside = char == Some('\n') && text[..here.offset[0]].ends_with('\r');
            let mut place = here;
            if inside {
                place.column = here.column.map(|column| column - 1);
            }
            places.push(place);
            let Some(char) = char else { break };
            for unit in Unit::ALL {
                let len = unit.len_of(char);
                at[unit as usize].extend(std::iter::repeat_n(number, len));
                here.offset[unit as usize] += len;
                here.column[unit as usize] += len;
            }
            if char == '\n' || char == '\r' && chars.peek() != Some(&'\n') {
                let end = here.offset[0] - if inside { 2 } else { 1 };
                lines.push(start..end);
                start = here.offset[0];
                here.line += 1;
                here.column = [0; 3];
            }
        }
        lines.push(start..text.len());
        at.iter_mut().for_each(|at| at.push(places.len() as u32 - 1));
        Self { places, at, lines }
    }

    fn place(&self, offset: usize, unit: Unit) -> &Place {
        let at = &self.at[unit as usize];
        &self.places[at[offset.min(at.len() - 1)] as usize]
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The offset of a byte.
    pub fn offset_in(&self, byte: usize, unit: Unit) -> usize {
        self.place(byte, Unit::Utf8).offset[unit as usize]
    }

    /// The byte at an offset.
    pub fn byte_offset(&self, offset: usize, unit: Unit) -> usize {
        self.place(offset, unit).offset[0]
    }

    /// Line and column of a byte.
    pub fn position(&self, byte: usize, unit: Unit) -> (usize, usize) {
        let place = self.place(byte, Unit::Utf8);
        (place.line, place.column[unit as usize])
    }

    /// The byte at a line and column.
    pub fn byte_offset_at(&self, (line, column): (usize, usize), unit: Unit) -> usize {
        let Some(line) = self.lines.get(line) else { return self.places[self.places.len() - 1].offset[0] };
        let offset = self.offset_in(line.start, unit).saturating_add(column);
        self.byte_offset(offset, unit).min(line.end)
    }

    /// A line without its end.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let end = self.places[self.places.len() - 1].offset[0];
        self.lines.get(line).cloned().unwrap_or(end..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An oracle that is no simpler than what it tests gets a test of its own.
    #[test]
    fn by_hand() {
        let places = Places::new("é\r\n😀\rx\n");
        assert_eq!(places.lines, [0..2, 4..8, 9..10, 11..11]);
        let positions: Vec<_> = (0..13).map(|byte| places.position(byte, Unit::Utf16)).collect();
        let expected = [(0, 0), (0, 0), (0, 1), (0, 1), (1, 0), (1, 0), (1, 0), (1, 0), (1, 2), (2, 0), (2, 1)];
        assert_eq!(positions[..11], expected);
        assert_eq!(positions[11..], [(3, 0), (3, 0)]);
        let bytes: Vec<_> = (0..10).map(|offset| places.byte_offset(offset, Unit::Utf16)).collect();
        assert_eq!(bytes, [0, 2, 3, 4, 4, 8, 9, 10, 11, 11]);
        assert_eq!(places.byte_offset_at((1, 1), Unit::Utf16), 4);
        assert_eq!(places.byte_offset_at((1, 9), Unit::Utf16), 8);
        assert_eq!(places.byte_offset_at((0, usize::MAX), Unit::Utf8), 2);
    }
}
