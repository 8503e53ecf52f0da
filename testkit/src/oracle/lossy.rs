use super::to_bytes;

/// What a lossy conversion reports, in the units of its input and of its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`fastutf::LossyConversion` documents them")]
pub struct LossyOutcome {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub complete: bool,
}

/// How far a conversion of UTF-8 has got after some characters and replacements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bytes of input.
    pub read: usize,
    /// Bytes of UTF-8 written.
    pub utf8: usize,
    /// Code units written.
    pub utf16: usize,
    /// How many ill-formed sequences were replaced by U+FFFD.
    pub replacements: usize,
}

/// The std result for possibly ill-formed UTF-8, with U+FFFD for ill-formed sequences.
#[derive(Clone, Debug)]
pub struct LossyUtf8 {
    /// The text in UTF-8.
    pub text: String,
    /// The text in UTF-16.
    pub units: Vec<u16>,
    /// After every character and replacement, and at the start.
    places: Vec<Place>,
}

impl LossyUtf8 {
    /// Computes it with std.
    pub fn new(src: &[u8]) -> Self {
        let text = String::from_utf8_lossy(src).into_owned();
        let mut at = Place::default();
        let mut places = vec![at];
        for chunk in src.utf8_chunks() {
            for c in chunk.valid().chars() {
                at.read += c.len_utf8();
                at.utf8 += c.len_utf8();
                at.utf16 += c.len_utf16();
                places.push(at);
            }
            if !chunk.invalid().is_empty() {
                at.read += chunk.invalid().len();
                at.utf8 += 3;
                at.utf16 += 1;
                at.replacements += 1;
                places.push(at);
            }
        }
        Self { units: text.encode_utf16().collect(), text, places }
    }

    /// The place where a complete conversion ends.
    pub fn end(&self) -> Place {
        self.places[self.places.len() - 1]
    }

    /// The outcome with this much room, in units of `written`.
    pub fn outcome(&self, room: usize, written: impl Fn(&Place) -> usize) -> LossyOutcome {
        let place = self.places[self.places.partition_point(|place| written(place) <= room) - 1];
        LossyOutcome {
            read: place.read,
            written: written(&place),
            replacements: place.replacements,
            complete: place == self.end(),
        }
    }

    /// The text in UTF-16, as bytes in this order.
    pub fn utf16_bytes(&self, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        to_bytes(&self.units, order)
    }
}

/// A character of the result, how many code units it replaces, and whether it is a replacement.
#[derive(Clone, Debug)]
struct Piece {
    character: char,
    units: usize,
    replaced: bool,
}

/// The std result for code units, which an odd byte may follow, with U+FFFD for ill-formed ones.
#[derive(Clone, Debug)]
pub struct LossyUtf16 {
    pieces: Vec<Piece>,
    /// The text in UTF-8.
    pub text: String,
    /// The text in UTF-16, without the odd byte.
    pub well_formed: Vec<u16>,
    /// How many ill-formed places became U+FFFD, including the odd byte.
    pub replacements: usize,
}

impl LossyUtf16 {
    /// `odd` is whether an odd byte follows `units`.
    pub fn new(units: &[u16], odd: bool) -> Self {
        let decoded = char::decode_utf16(units.iter().copied()).map(|decoded| match decoded {
            Ok(character) => Piece { character, units: character.len_utf16(), replaced: false },
            Err(_) => Piece { character: char::REPLACEMENT_CHARACTER, units: 1, replaced: true },
        });
        let mut pieces: Vec<Piece> = decoded.collect();
        let mut well_formed = vec![0; units.len()];
        let mut at = 0;
        for piece in &pieces {
            piece.character.encode_utf16(&mut well_formed[at..at + piece.units]);
            at += piece.units;
        }
        if odd {
            pieces.push(Piece { character: char::REPLACEMENT_CHARACTER, units: 0, replaced: true });
        }
        let text: String = pieces.iter().map(|piece| piece.character).collect();
        if !odd {
            assert_eq!(text, String::from_utf16_lossy(units));
        }
        let replacements = pieces.iter().filter(|piece| piece.replaced).count();
        Self { pieces, text, well_formed, replacements }
    }

    /// The report of a conversion of `len` bytes, or units of `size` bytes, into `room` bytes.
    pub fn outcome(&self, len: usize, size: usize, room: usize) -> LossyOutcome {
        let mut out = LossyOutcome { read: 0, written: 0, replacements: 0, complete: false };
        for piece in &self.pieces {
            if room - out.written < piece.character.len_utf8() {
                return out;
            }
            // The odd byte has no code unit.
            out.read += if piece.units == 0 { 1 } else { 2 * piece.units / size };
            out.written += piece.character.len_utf8();
            out.replacements += usize::from(piece.replaced);
        }
        assert_eq!(out.read, len);
        LossyOutcome { complete: true, ..out }
    }
}
