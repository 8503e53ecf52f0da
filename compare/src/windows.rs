//! The strings to work on: one text cut into windows, in each encoding, at the requested addresses.

use std::cell::OnceCell;
use std::ops::{Index, Range};

use bytemuck::must_cast_slice;

use crate::size::Size;
use fastutf_testkit::language::{pieces, random_pieces};
use fastutf_testkit::{Rng, damage};

/// The length of the text for one round: so much that no branch predictor learns it by heart.
const ROUND: usize = 1 << 20;
/// The maximum number of windows per round: with more, their addresses would take more of the cache than the windows
/// do.
const MOST_WINDOWS: usize = 1 << 16;
/// The length of the text handled at a time: it, its conversion and the lists of windows stay in the second-level
/// cache.
const PART: usize = 128 << 10;
/// The maximum number of windows handled at a time, so that a part usually ends before the system interrupts it.
const PART_WINDOWS: usize = 4096;
/// The size of a cache line.
const LINE: usize = 64;

/// Zeroed memory that starts at a cache line.
pub struct Arena {
    units: Vec<u16>,
    start: usize,
    len: usize,
}

impl Arena {
    pub fn new(bytes: usize) -> Self {
        // So many that they can be taken for code units of UTF-32, too.
        let len = bytes.div_ceil(4) * 2;
        let units = vec![0; len + LINE / 2];
        let start = units.as_ptr().align_offset(LINE);
        Self { units, start, len }
    }

    pub fn units(&self) -> &[u16] {
        &self.units[self.start..][..self.len]
    }

    pub fn units_mut(&mut self) -> &mut [u16] {
        &mut self.units[self.start..][..self.len]
    }

    pub fn bytes(&self) -> &[u8] {
        must_cast_slice(self.units())
    }
}

/// The windows of a text, contiguous in each encoding.
pub struct Copies {
    utf8: Arena,
    utf16le: Arena,
    utf16be: Arena,
    /// In bytes and in code units.
    places: Vec<(Range<usize>, Range<usize>)>,
}

/// How much text the windows of one size need if time is measured.
pub fn text_len(size: Size) -> usize {
    match size {
        // The mean length is about a quarter of the longest, or there are too few windows to matter.
        Size::Random(_, most) => ROUND.min(most / 4 * MOST_WINDOWS).max(most),
        _ => ROUND.min(size.most() * MOST_WINDOWS).max(size.most()),
    }
}

/// How much text they need if instructions are counted: no predictor matters, and emulators are slow.
pub fn counted_text_len(size: Size) -> usize {
    PART.max(size.most())
}

impl Copies {
    /// Replaces `corrupt` per cent of the bytes of UTF-8 by others that are not ASCII, and as many of the code units
    /// by surrogates.
    pub fn new(text: &str, size: Size, corrupt: f64) -> Self {
        let pieces = match size {
            Size::Even(len) | Size::Unaligned(len) => pieces(text, len),
            Size::Random(least, most) => random_pieces(text, least, most),
        };
        let mut rng = Rng::new(0x0DD);
        // The next free place, in each encoding.
        let (mut byte, mut unit) = (0_usize, 0_usize);
        let places: Vec<_> = pieces
            .iter()
            .map(|piece| {
                let len = piece.encode_utf16().count();
                (byte, unit) = match size {
                    // Aligned as by allocators or, where the start hardly matters, as is best for all.
                    Size::Even(len) if len < 1024 => (byte.next_multiple_of(16), unit.next_multiple_of(16 / 2)),
                    Size::Even(_) => (byte.next_multiple_of(LINE), unit.next_multiple_of(LINE / 2)),
                    // The peers need even addresses for code units.
                    Size::Unaligned(_) => (
                        byte.next_multiple_of(LINE) + 1 + rng.below(LINE - 1),
                        unit.next_multiple_of(LINE / 2) + 1 + rng.below(LINE / 2 - 1),
                    ),
                    Size::Random(..) => (byte, unit),
                };
                let place = (byte..byte + piece.len(), unit..unit + len);
                (byte, unit) = (place.0.end, place.1.end);
                place
            })
            .collect();

        let mut utf8 = Arena::new(byte);
        let mut utf16le = Arena::new(2 * unit);
        let mut utf16be = Arena::new(2 * unit);
        for (piece, (bytes, units)) in pieces.iter().zip(&places) {
            let all: &mut [u8] = bytemuck::must_cast_slice_mut(utf8.units_mut());
            all[bytes.clone()].copy_from_slice(piece.as_bytes());
            for (place, unit) in units.clone().zip(piece.encode_utf16()) {
                utf16le.units_mut()[place] = unit.to_le();
                utf16be.units_mut()[place] = unit.to_be();
            }
        }
        if corrupt > 0.0 {
            let mut rng = Rng::new(0xBAD);
            for (bytes, units) in &places {
                let utf8: &mut [u8] = bytemuck::must_cast_slice_mut(utf8.units_mut());
                damage::utf8(&mut utf8[bytes.clone()], &mut rng, damage::per_cent(corrupt));
                let (le, be) = (&mut utf16le.units_mut()[units.clone()], &mut utf16be.units_mut()[units.clone()]);
                le.iter_mut().for_each(|unit| *unit = u16::from_le(*unit));
                damage::utf16(&mut *le, &mut rng, damage::per_cent(corrupt));
                for (le, be) in le.iter_mut().zip(be) {
                    (*le, *be) = (le.to_le(), le.to_be());
                }
            }
        }
        Self { utf8, utf16le, utf16be, places }
    }

    pub fn windows(&self) -> Windows<'_> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut part_bytes = 0;
        for (index, (bytes, _)) in self.places.iter().enumerate() {
            match parts.last_mut() {
                Some(part) if part_bytes + bytes.len() <= PART && part.len() < PART_WINDOWS => {
                    part.end = index + 1
                }
                _ => {
                    parts.push(index..index + 1);
                    part_bytes = 0;
                }
            }
            part_bytes += bytes.len();
        }
        Windows {
            utf8: self.places.iter().map(|(bytes, _)| &self.utf8.bytes()[bytes.clone()]).collect(),
            utf16le: self.places.iter().map(|(_, units)| &self.utf16le.units()[units.clone()]).collect(),
            utf16be: self.places.iter().map(|(_, units)| &self.utf16be.units()[units.clone()]).collect(),
            parts,
            bytes: self.utf8.bytes(),
            units: self.utf16le.units(),
            places: &self.places,
            forms: Forms::default(),
        }
    }

    /// The room for any conversion of any window, including the writes of peers past its end.
    pub fn room(&self) -> usize {
        let most = self.places.iter().map(|(bytes, units)| (4 * bytes.len()).max(4 * units.len())).max();
        most.unwrap_or(0) + 1024
    }
}

/// Pieces of text in memory of their own, each at an address that is a multiple of 16.
pub struct Pieces<T> {
    all: Vec<T>,
    places: Vec<Range<usize>>,
}

impl<T: Copy + Default> Pieces<T> {
    pub fn new<P: AsRef<[T]>>(pieces: impl Iterator<Item = P>) -> Self {
        let (mut all, mut places) = (Vec::new(), Vec::new());
        for piece in pieces {
            all.resize(all.len().next_multiple_of(16 / size_of::<T>()), T::default());
            places.push(all.len()..all.len() + piece.as_ref().len());
            all.extend_from_slice(piece.as_ref());
        }
        Self { all, places }
    }
}

impl<T> Index<usize> for Pieces<T> {
    type Output = [T];

    fn index(&self, piece: usize) -> &[T] {
        &self.all[self.places[piece].clone()]
    }
}

/// The windows, borrowed. The bytes of a code unit are in the order of the encoding.
pub struct Windows<'a> {
    pub utf8: Vec<&'a [u8]>,
    pub utf16le: Vec<&'a [u16]>,
    pub utf16be: Vec<&'a [u16]>,
    /// Which windows are handled at a time.
    pub parts: Vec<Range<usize>>,
    /// All of the text, and where windows are in it: one right behind the other, if their lengths are random.
    pub bytes: &'a [u8],
    pub units: &'a [u16],
    pub places: &'a [(Range<usize>, Range<usize>)],
    forms: Forms,
}

/// The input of an operation.
#[derive(Clone, Copy)]
pub enum Input {
    Utf8,
    Utf16le,
    Utf16be,
    Latin1,
    Utf32,
    Wtf8,
    Mutf8,
}

impl<'a> Windows<'a> {
    pub fn len(&self) -> usize {
        self.utf8.len()
    }

    pub fn input(&self, input: Input, window: usize) -> &[u8] {
        match input {
            Input::Utf8 => self.utf8[window],
            Input::Utf16le => must_cast_slice(self.utf16le[window]),
            Input::Utf16be => must_cast_slice(self.utf16be[window]),
            Input::Latin1 => &self.latin1()[window],
            Input::Utf32 => must_cast_slice(&self.chars()[window]),
            Input::Wtf8 => &self.wtf8()[window],
            Input::Mutf8 => &self.mutf8()[window],
        }
    }

    fn strs(&self) -> impl Iterator<Item = &'a str> {
        self.utf8.iter().map(|text| std::str::from_utf8(text).unwrap_or_default())
    }

    fn units(&self) -> impl Iterator<Item = &'a [u16]> {
        self.utf16le.iter().copied()
    }
}

/// The text in other forms, each made when it is first needed.
macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident: $element:ty = $source:ident($text:ident) $form:expr;)*) => {
        #[derive(Default)]
        struct Forms {
            $($name: OnceCell<Pieces<$element>>,)*
        }

        impl Windows<'_> {
            $($(#[$doc])* pub fn $name(&self) -> &Pieces<$element> {
                self.forms.$name.get_or_init(|| Pieces::new(self.$source().map(|$text| $form)))
            })*
        }
    };
}

forms! {
    /// In Latin-1, if the text is well-formed; of other characters the lowest byte.
    latin1: u8 = strs(text) text.chars().map(|char| char as u8).collect::<Vec<_>>();
    chars: char = strs(text) text.chars().collect::<Vec<_>>();
    /// The UTF-16 with its unpaired surrogates, in two forms, or with replacements for them.
    wtf8: u8 = units(units) fastutf::wtf8::wtf8_from_utf16(units);
    mutf8: u8 = units(units) fastutf::mutf8::mutf8_from_utf16(units);
    replaced: u8 = units(units) String::from_utf16_lossy(units).into_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Profile;

    #[test]
    fn windows_hold_the_text_where_they_should() {
        for profile in Profile::seeded() {
            for size in Size::list("4,16,256,1..256,1K,4K,4K+odd,64K") {
                let copies = Copies::new(&profile.text(4 * size.most()), size, 0.0);
                let windows = copies.windows();
                let case = format!("{} {size}", profile.name());
                let mut next = 0;
                for part in &windows.parts {
                    assert_eq!(part.start, next, "{case}");
                    next = part.end;
                }
                assert_eq!(next, windows.len(), "{case}");
                for (index, &utf8) in windows.utf8.iter().enumerate() {
                    let text = std::str::from_utf8(utf8).expect("no character is cut");
                    assert!(!text.is_empty() && text.len() <= size.most(), "{case}");
                    let units: Vec<u16> = text.encode_utf16().collect();
                    let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                    let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                    assert_eq!(windows.input(Input::Utf16le, index), le, "{case}");
                    assert_eq!(windows.input(Input::Utf16be, index), be, "{case}");
                    match size {
                        Size::Even(len) => {
                            assert!(text.len() + 4 > len, "{case}");
                            assert_eq!(utf8.as_ptr().addr() % if len < 1024 { 16 } else { LINE }, 0, "{case}");
                        }
                        Size::Unaligned(_) => assert_ne!(utf8.as_ptr().addr() % LINE, 0, "{case}"),
                        Size::Random(least, _) => assert!(text.len() + 4 > least, "{case}"),
                    }
                }
            }
        }
    }
}
