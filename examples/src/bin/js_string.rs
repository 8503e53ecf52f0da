//! Makes strings of request bodies, joins them, and writes the result.

use fastutf_examples::js_string::JsString;

fn main() {
    let bodies: [&[u8]; 4] = [b"GET ", "naïve ".as_bytes(), "🐢 ".as_bytes(), b"cut: \xE2\x82"];
    let mut all = JsString::from_utf8(b"");
    for body in bodies {
        let text = JsString::from_utf8(body);
        all = all.concat(&text);
        let bytes = if all.is_one_byte() { "one byte" } else { "two bytes" };
        println!("{:8} -> {} units, {bytes} each", text.to_utf8(), all.length());
    }
    // Half of the turtle.
    let half = all.substring(0..all.length() - 8);
    println!("well-formed: {}; as UTF-8, {} bytes: {}", half.is_well_formed(), half.utf8_len(), half.to_utf8());
}
