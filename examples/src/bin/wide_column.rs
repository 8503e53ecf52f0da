//! Converts a fetched column with a null and an unpaired surrogate: strictly, with U+FFFD, and with a null instead.

use fastutf::columns::Policy;
use fastutf_examples::wide_column::{NULL, to_utf8};

fn main() {
    const WIDTH: usize = 12;
    let mut block = vec![0xAA; 4 * WIDTH];
    let rows =
        [fastutf::to_utf16le("Łódź"), fastutf::to_utf16le("x"), vec![0x3D, 0xD8], fastutf::to_utf16le("Zoë 😀")];
    for (room, row) in block.chunks_exact_mut(WIDTH).zip(&rows) {
        room[..row.len()].copy_from_slice(row);
    }
    let indicators = [8, NULL, 2, 12];
    for policy in [Policy::Error, Policy::Replace, Policy::Null] {
        match to_utf8(&block, WIDTH, &indicators, policy) {
            Ok((text, validity)) => {
                println!("{:?} {:?} {validity:?}", String::from_utf8_lossy(&text.values), text.offsets);
            }
            Err(error) => println!("{error}"),
        }
    }
}
