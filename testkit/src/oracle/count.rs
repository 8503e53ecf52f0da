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
