//! What Java gets from a native method, as `GetStringUTFChars` and `NewStringUTF` have it.

use fastutf::mutf8::{from_android_mutf8, from_mutf8, to_mutf8_c_string};
use fastutf::wtf8::wtf8_from_utf16;

fn main() {
    for text in ["plain", "żółw", "a\0b", "🐢"] {
        let java = to_mutf8_c_string(text);
        println!("{text:?}: {:02X?}", java.as_bytes_with_nul());
        assert_eq!(from_mutf8(java.to_bytes()).as_deref(), Ok(text));
    }
    println!("an emoji of Android: {:?}", from_android_mutf8("a🐢".as_bytes()).unwrap());
    let half = [0x61, 0xD83D];
    println!("half of a pair: {:02X?} in WTF-8", wtf8_from_utf16(&half));
    println!("and to UTF-8: {}", from_mutf8(b"a\xED\xA0\xBD").unwrap_err());
}
