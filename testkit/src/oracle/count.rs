//! What the counting functions promise for any input; for well-formed text, it is checked against the standard
//! library.

/// The number of bytes that are not continuation bytes.
pub fn count_chars_utf8(src: &[u8]) -> usize {
    let count = src.iter().filter(|byte| !matches!(byte, 0x80..=0xBF)).count();
    if let Ok(text) = std::str::from_utf8(src) {
        assert_eq!(count, text.chars().count());
    }
    count
}

/// The same, plus the number of bytes from `F0` on.
pub fn utf16_len_from_utf8(src: &[u8]) -> usize {
    let len = count_chars_utf8(src) + src.iter().filter(|byte| **byte >= 0xF0).count();
    if let Ok(text) = std::str::from_utf8(src) {
        assert_eq!(len, text.encode_utf16().count());
    }
    len
}

/// The number of code units that are not low surrogates.
pub fn count_chars_utf16(src: &[u16]) -> usize {
    let count = src.iter().filter(|unit| !matches!(unit, 0xDC00..=0xDFFF)).count();
    if let Ok(text) = String::from_utf16(src) {
        assert_eq!(count, text.chars().count());
    }
    count
}

/// The sum of the lengths of all code units, where a surrogate counts 2.
pub fn utf8_len_from_utf16(src: &[u16]) -> usize {
    let len = src
        .iter()
        .map(|unit| match unit {
            0..0x80 => 1,
            0x80..0x800 | 0xD800..=0xDFFF => 2,
            _ => 3,
        })
        .sum();
    if let Ok(text) = String::from_utf16(src) {
        assert_eq!(len, text.len());
    }
    len
}

/// What the greatest character of a text is below, at least: U+0080 (0), U+0100 (1), U+10000 (2), or U+110000 (3). `None`
/// for ill-formed text.
pub fn width_of_utf8(src: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(src).ok()?;
    // The lead bytes of greater characters are greater.
    let greatest = text.bytes().max().unwrap_or(0);
    let start = text.bytes().position(|byte| byte == greatest).filter(|_| greatest >= 0xC0);
    let greatest = start.map_or(char::from(greatest & 0x7F), |start| text[start..].chars().next().unwrap());
    Some(width_of_char(greatest))
}

/// The same for UTF-16.
pub fn width_of_utf16(src: &[u16]) -> Option<u8> {
    let mut greatest = '\0';
    for character in char::decode_utf16(src.iter().copied()) {
        greatest = greatest.max(character.ok()?);
    }
    Some(width_of_char(greatest))
}

fn width_of_char(character: char) -> u8 {
    match u32::from(character) {
        0..0x80 => 0,
        0x80..0x100 => 1,
        0x100..0x10000 => 2,
        _ => 3,
    }
}
