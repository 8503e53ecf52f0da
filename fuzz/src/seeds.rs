//! The inputs that fuzzing starts from, for every target.

use crate::HEADER;

/// Every well-formed length, every kind of error, and the last character before and the first after each limit.
const UTF8: &[&[u8]] = &[
    b"The quick brown fox",
    "żółw, Öl, ñandú, ç".as_bytes(),
    "Съешь ещё этих мягких".as_bytes(),
    "中文字符，日本語".as_bytes(),
    "한국어 텍스트".as_bytes(),
    "😀🏳️‍🌈👩‍👩‍👧".as_bytes(),
    "<p class=\"a\">été — 東京 🗼</p>".as_bytes(),
    "\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\u{D7FF}\u{E000}\u{FEFF}".as_bytes(),
    b"\xE2\x82",
    b"\xE2\x82A",
    b"\xF0\x9F\x92",
    b"\xF0\x80\x80A",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xF4\x90\x80\x80",
    b"\xC0\xAF",
    b"\xE0\x9F\xBF",
    b"\x80\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xFE\xFF",
];

/// Surrogates in every order, next to every kind of neighbour.
const UTF16: &[&[u16]] = &[
    &[0x61, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF],
    &[0xD800, 0xDC00, 0xDBFF, 0xDFFF, 0x61],
    &[0xD83D],
    &[0xD83D, 0x61],
    &[0xDE00],
    &[0xDE00, 0xD83D],
    &[0xD83D, 0xD83D, 0xDCA9],
    &[0xFEFF, 0x4E2D, 0x6587],
];

/// Each text alone, and among fillers of each length, with exact and with too little room.
pub fn seeds() -> Vec<Vec<u8>> {
    let well_formed = UTF8.iter().filter_map(|text| std::str::from_utf8(text).ok());
    let utf16 =
        UTF16.iter().map(|units| units.to_vec()).chain(well_formed.map(|text| text.encode_utf16().collect()));
    let utf16 = utf16.map(|units| units.into_iter().flat_map(u16::to_le_bytes).collect());
    let texts = UTF8.iter().map(|text| text.to_vec()).chain(utf16);
    let mut inputs = Vec::new();
    for (index, text) in texts.enumerate() {
        for filler in 0..5u8 {
            let mut input = vec![0; HEADER];
            if filler > 0 {
                input[2] = (filler - 1) << 2 | filler & 2;
                (input[3], input[4], input[5]) = (61 + filler, 130 - filler, 70);
            }
            // All operations and instruction sets in turn.
            input[7] = (index as u8) << 4 | filler << 1;
            input.extend(&text);
            inputs.push(input);
        }
    }
    inputs
}
