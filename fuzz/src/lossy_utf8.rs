//! UTF-8 with replacements, against the standard library.

use fastutf::{Isa, LossyConversion, Stop};

use crate::input::{Buffer, Input};
use crate::same;

/// How far conversions are after an item: bytes read, bytes of UTF-8 and units of UTF-16 written, replacements.
type Place = [usize; 4];

/// Where items end in `src`, by the standard library.
fn places(src: &[u8]) -> Vec<Place> {
    let [mut read, mut utf8, mut utf16, mut replacements] = [0; 4];
    let mut places = vec![[0; 4]];
    for chunk in src.utf8_chunks() {
        for c in chunk.valid().chars() {
            (read, utf8, utf16) = (read + c.len_utf8(), utf8 + c.len_utf8(), utf16 + c.len_utf16());
            places.push([read, utf8, utf16, replacements]);
        }
        if !chunk.invalid().is_empty() {
            (read, utf8, utf16) = (read + chunk.invalid().len(), utf8 + 3, utf16 + 1);
            replacements += 1;
            places.push([read, utf8, utf16, replacements]);
        }
    }
    places
}

/// The outcome in so much room, where `written` says how much of it a place takes.
fn outcome(places: &[Place], room: usize, written: impl Fn(&Place) -> usize) -> LossyConversion {
    let place = &places[places.partition_point(|place| written(place) <= room) - 1];
    let stop = if place == places.last().unwrap() { Stop::Complete } else { Stop::OutputFull };
    LossyConversion { read: place[0], written: written(place), replacements: place[3], stop }
}

/// Runs one input through all operations that replace what is ill-formed in UTF-8.
pub fn lossy_utf8(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let text = String::from_utf8_lossy(src);
    let units: Vec<u16> = text.encode_utf16().collect();
    let places = places(src);
    let replacements = places[places.len() - 1][3];
    let chunks: Vec<_> = src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid())).collect();

    for isa in Isa::available() {
        same(isa, "from_utf8_lossy", isa.from_utf8_lossy_counted(src), (text.clone(), replacements));
        let owned = isa.string_from_utf8_lossy_counted(src.to_vec());
        same(isa, "string_from_utf8_lossy", owned, (text.to_string(), replacements));
        let pieces: Vec<_> = isa.utf8_chunks(src).map(|chunk| (chunk.valid(), chunk.invalid())).collect();
        same(isa, "utf8_chunks", &pieces, &chunks);
        same(isa, "utf8_len_from_utf8_lossy", isa.utf8_len_from_utf8_lossy(src), text.len());
        same(isa, "utf16_len_from_utf8_lossy", isa.utf16_len_from_utf8_lossy(src), units.len());

        let mut appended = "~".repeat(input.dst_offset);
        let out = isa.utf8_to_utf8_lossy_append(src, &mut appended);
        same(isa, "utf8_to_utf8_lossy_append", out, outcome(&places, usize::MAX, |place| place[1]));
        same(isa, "utf8_to_utf8_lossy_append", &appended[input.dst_offset..], &text);
        let mut appended = vec![7; input.dst_offset];
        let out = isa.utf8_to_utf16_lossy_append(src, &mut appended);
        same(isa, "utf8_to_utf16_lossy_append", out, outcome(&places, usize::MAX, |place| place[2]));
        same(isa, "utf8_to_utf16_lossy_append", &appended[input.dst_offset..], &units);

        let room = input.room(text.len(), 3 * src.len());
        let expected = outcome(&places, room, |place| place[1]);
        let mut dst = Buffer::<u8>::new(input.dst_offset, room);
        same(isa, "utf8_to_utf8_lossy", isa.utf8_to_utf8_lossy(src, dst.get()), expected);
        dst.assert_holds(&text.as_bytes()[..expected.written], isa, "utf8_to_utf8_lossy");

        let room = input.room(units.len(), src.len());
        let expected = outcome(&places, room, |place| place[2]);
        let mut dst = Buffer::<u16>::new(input.dst_offset, room);
        same(isa, "utf8_to_utf16_lossy", isa.utf8_to_utf16_lossy(src, dst.get()), expected);
        dst.assert_holds(&units[..expected.written], isa, "utf8_to_utf16_lossy");
        let expected = outcome(&places, room, |place| place[2]);
        let in_bytes = LossyConversion { written: 2 * expected.written, ..expected };
        let be: Vec<u8> = units[..expected.written].iter().copied().flat_map(u16::to_be_bytes).collect();
        // An odd last byte of the buffer is of no use.
        let mut dst = Buffer::<u8>::new(input.dst_offset, 2 * room + input.odd);
        same(isa, "utf8_to_utf16be_lossy", isa.utf8_to_utf16be_lossy(src, dst.get()), in_bytes);
        dst.assert_holds(&be, isa, "utf8_to_utf16be_lossy");
    }
}
