//! Makes well-formed text ill-formed.

use crate::Rng;

/// Replaces each byte for which `hit` returns true by another one that is not ASCII.
pub fn utf8(text: &mut [u8], rng: &mut Rng, hit: impl Fn(&mut Rng) -> bool) {
    for byte in text {
        if hit(rng) {
            *byte = 0x80 + rng.below(0x80) as u8;
        }
    }
}

/// Replaces each code unit for which `hit` returns true by a surrogate.
pub fn utf16<'a>(text: impl IntoIterator<Item = &'a mut u16>, rng: &mut Rng, hit: impl Fn(&mut Rng) -> bool) {
    for unit in text {
        if hit(rng) {
            *unit = 0xD800 + rng.below(0x800) as u16;
        }
    }
}

/// Hits one in `n`, or none if `n` is 0.
pub fn one_in(n: usize) -> impl Fn(&mut Rng) -> bool {
    move |rng| n > 0 && rng.below(n) == 0
}

/// Hits this percentage.
pub fn per_cent(share: f64) -> impl Fn(&mut Rng) -> bool {
    move |rng| rng.below(1 << 20) as f64 <= share / 100.0 * f64::from(1 << 20)
}

/// Repeats `text` until it is some bytes longer than `len`, with a byte `FF` at about every `every`th byte: at the
/// first character boundary after at least `every - 1` bytes.
pub fn ff_every(text: &str, every: usize, len: usize) -> Vec<u8> {
    let (mut damaged, mut since) = (Vec::new(), 0);
    for char in text.chars().cycle() {
        damaged.extend(char.encode_utf8(&mut [0; 4]).bytes());
        since += char.len_utf8();
        if since + 1 >= every {
            damaged.push(0xFF);
            since = 0;
        }
        if damaged.len() > len + 8 {
            break;
        }
    }
    damaged
}

/// Converts to UTF-16, with an unpaired surrogate for each ill-formed sequence.
pub fn with_surrogates(text: &[u8]) -> Vec<u16> {
    let mut units = Vec::new();
    for chunk in text.utf8_chunks() {
        units.extend(chunk.valid().encode_utf16());
        units.extend(chunk.invalid().first().map(|byte| 0xD800 | u16::from(*byte) << 3));
    }
    units
}
