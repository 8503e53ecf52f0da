//! Strings of JavaScript against the same operations on plain vectors of code units.

use fastutf_examples::js_string::JsString;

/// The code units of a string, one by one.
fn units(string: &JsString) -> Vec<u16> {
    let units: Vec<u16> = (0..string.length()).map(|at| string.unit_at(at).unwrap()).collect();
    assert_eq!(string.unit_at(units.len()), None);
    assert_eq!(
        string.is_one_byte(),
        units.iter().all(|&unit| unit < 0x100),
        "not the narrower form: {units:04X?}"
    );
    units
}

#[test]
fn bodies_are_decoded_as_text_decoder_does() {
    let bodies: [(&[u8], &str, bool); 8] = [
        (b"", "", true),
        (b"abc", "abc", true),
        ("naïve".as_bytes(), "naïve", true),
        (b"\xEF\xBB\xBFna\xC3\xAFve", "naïve", true),
        ("\u{FEFF}\u{FEFF}€".as_bytes(), "\u{FEFF}€", false),
        ("🐢".as_bytes(), "🐢", false),
        (b"\xE9t\xE9", "\u{FFFD}t\u{FFFD}", false),
        (b"ab\xE2\x82", "ab\u{FFFD}", false),
    ];
    for (body, text, one_byte) in bodies {
        let string = JsString::from_utf8(body);
        assert_eq!(units(&string), text.encode_utf16().collect::<Vec<_>>());
        assert_eq!(
            (string.to_utf8(), string.utf8_len(), string.is_one_byte()),
            (text.into(), text.len(), one_byte)
        );
    }
}

#[test]
fn joined_and_cut_anywhere() {
    let parts: [&[u16]; 7] = [&[], &[0x61; 40], &[0xE9], &[0x20AC, 0x61], &[0xD83D, 0xDC22], &[0xD83D], &[0xDC22]];
    for first in parts {
        for second in parts {
            let joined = JsString::from_units(first).concat(&JsString::from_units(second));
            let model = [first, second].concat();
            assert_eq!(units(&joined), model);
            assert_eq!(joined, JsString::from_units(&model));
            let text = String::from_utf16_lossy(&model);
            assert_eq!((joined.to_utf8(), joined.utf8_len()), (text.clone(), text.len()));
            assert_eq!(joined.is_well_formed(), String::from_utf16(&model).is_ok());
            assert_eq!(units(&joined.to_well_formed()), text.encode_utf16().collect::<Vec<_>>());
            for start in 0..=model.len() {
                for end in start..=model.len() {
                    assert_eq!(units(&joined.substring(start..end)), model[start..end]);
                }
            }
        }
    }
}
