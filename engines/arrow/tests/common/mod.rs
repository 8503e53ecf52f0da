//! What the standard library says of a row.

use fastutf_arrow::Encoding;

pub const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

/// What the standard library makes of a row.
pub fn decoded(bytes: &[u8], encoding: Encoding) -> Result<String, String> {
    match encoding {
        Encoding::Utf8 => String::from_utf8(bytes.to_vec())
            .map_err(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        _ => {
            let units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|unit| match encoding {
                    Encoding::Utf16Le => u16::from_le_bytes([unit[0], unit[1]]),
                    _ => u16::from_be_bytes([unit[0], unit[1]]),
                })
                .collect();
            let odd = bytes.len() % 2 == 1;
            let mut lossy = String::from_utf16_lossy(&units);
            match String::from_utf16(&units) {
                Ok(text) if !odd => Ok(text),
                _ => {
                    // As in `String::from_utf16le_lossy`, half of a code unit is one more.
                    if odd {
                        lossy.push('\u{FFFD}');
                    }
                    Err(lossy)
                }
            }
        }
    }
}

pub fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}
