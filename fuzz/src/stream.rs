//! Text in chunks: what comes of it does not depend on the cuts, the sizes of the buffers or the instruction set.

use fastutf::stream::{Encoding, StreamError, StreamErrorKind, Transcoder, Utf8Decoder, Validator};
use fastutf::{Isa, Stop};

use crate::input::{Buffer, HEADER, Placed};
use crate::oracle::{self, Fault};
use crate::same;

/// Runs one input through everything that takes chunks. Of its first [`HEADER`] bytes, the first says in which
/// encoding the rest is, in which it is to be, and whether with replacement; the second how much room there is at
/// a time; and the others how long the chunks are, by turns.
pub fn stream(data: &[u8]) {
    let (header, text) = data.split_at(data.len().min(HEADER));
    let header: [u8; HEADER] = std::array::from_fn(|i| *header.get(i).unwrap_or(&0));
    let encodings = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];
    let from = encodings[usize::from(header[0] & 3) % 3];
    let to = encodings[usize::from(header[0] >> 2 & 3) % 3];
    let lossy = header[0] & 16 > 0;
    let room = 4 + usize::from(header[1]);
    let chunks = || chunks(text, &header[2..]);

    let fault = fault_of(from, text);
    let lossy_text = replaced(from, text);
    for isa in Isa::available() {
        let mut validator = Validator::new(from).with_isa(isa);
        let result = chunks().try_for_each(|chunk| validator.push(Placed::new(0, chunk).get()));
        let result = result.and_then(|()| validator.finish());
        same(isa, "Validator", result.map_err(fault_in_stream), fault.map_or(Ok(()), Err));

        if from == Encoding::Utf8 {
            let mut decoder = if lossy { Utf8Decoder::lossy() } else { Utf8Decoder::new() }.with_isa(isa);
            let mut decoded = String::new();
            let result = chunks().try_for_each(|chunk| decoder.push_to(Placed::new(0, chunk).get(), &mut decoded));
            let replacements = decoder.replacements();
            let result = result.and_then(|()| decoder.finish()).map_err(fault_in_stream);
            decoded.push_str(result.unwrap_or_default());
            let replacements = replacements + u64::from(result.is_ok_and(|end| !end.is_empty()));
            let (expected, error, count) = expected(text, fault, &lossy_text, lossy);
            same(isa, "Utf8Decoder", (&*decoded, result.err(), replacements), (&*expected, error, count));
        }

        let mut transcoder = Transcoder::new(from, to).with_isa(isa);
        if lossy {
            transcoder = transcoder.lossy();
        }
        let mut bytes = Vec::new();
        let mut error = None;
        'text: for chunk in chunks().map(Some).chain([None]) {
            let src = Placed::new(0, chunk.unwrap_or_default());
            let mut rest = src.get();
            loop {
                let mut dst = Buffer::<u8>::new(0, room);
                let out = match chunk {
                    Some(_) => transcoder.convert(rest, dst.get()),
                    None => transcoder.finish(dst.get()),
                };
                rest = &rest[out.read..];
                let written = dst.get()[..out.written].to_vec();
                dst.assert_holds(&written, isa, "Transcoder");
                assert_eq!(fault_of(to, &written), None, "half a character on {isa}: {written:02X?}");
                bytes.extend(written);
                match out.stop {
                    Stop::Complete => break assert!(rest.is_empty(), "left {} bytes on {isa}", rest.len()),
                    Stop::OutputFull => assert!(out.written + 4 > room, "room enough on {isa}: {out:?}"),
                    Stop::Invalid(found) => {
                        error = Some(fault_in_stream(found));
                        break 'text;
                    }
                }
            }
        }
        let valid = fault.map_or(text.len(), |fault| fault.valid_up_to);
        let (expected, count) = match lossy {
            true => (&lossy_text.0, lossy_text.1),
            false => (&replaced(from, &text[..valid]).0, 0),
        };
        let found = (bytes, error, transcoder.replacements());
        same(isa, "Transcoder", found, (encode(to, expected), fault.filter(|_| !lossy), count));
    }
}

/// What a decoder gives: text, error, number of replacements.
fn expected(
    text: &[u8],
    fault: Option<Fault<StreamErrorKind>>,
    replaced: &(String, u64),
    lossy: bool,
) -> (String, Option<Fault<StreamErrorKind>>, u64) {
    if lossy {
        return (replaced.0.clone(), None, replaced.1);
    }
    let valid = &text[..fault.map_or(text.len(), |fault| fault.valid_up_to)];
    (String::from_utf8(valid.to_vec()).unwrap(), fault, 0)
}

/// Chunks of these lengths, by turns.
fn chunks<'a>(text: &'a [u8], lengths: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = text;
    let mut turn = 0;
    std::iter::from_fn(move || {
        // One of them is not empty.
        let len = usize::from(lengths[turn % lengths.len()]).max(usize::from(turn % lengths.len() == 0));
        turn += 1;
        let (chunk, left) = rest.split_at(len.min(rest.len()));
        let more = !rest.is_empty();
        rest = left;
        more.then_some(chunk)
    })
}

fn fault_in_stream(error: StreamError) -> Fault<StreamErrorKind> {
    Fault { valid_up_to: error.offset() as usize, error_len: error.error_len(), kind: error.kind() }
}

/// UTF-16LE of UTF-16BE.
fn little(encoding: Encoding, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    if encoding == Encoding::Utf16Be {
        bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse());
    }
    bytes
}

fn fault_of(encoding: Encoding, text: &[u8]) -> Option<Fault<StreamErrorKind>> {
    fn with<K>(fault: Fault<K>, kind: fn(K) -> StreamErrorKind) -> Fault<StreamErrorKind> {
        Fault { valid_up_to: fault.valid_up_to, error_len: fault.error_len, kind: kind(fault.kind) }
    }
    match encoding {
        Encoding::Utf8 => oracle::validate_utf8(text).err().map(|fault| with(fault, StreamErrorKind::Utf8)),
        _ => {
            let fault = oracle::validate_utf16le(&little(encoding, text)).err();
            fault.map(|fault| with(fault, StreamErrorKind::Utf16))
        }
    }
}

/// The text with U+FFFD for what is ill-formed, and how many of these.
fn replaced(encoding: Encoding, text: &[u8]) -> (String, u64) {
    if encoding == Encoding::Utf8 {
        let count = text.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
        return (String::from_utf8_lossy(text).into(), count as u64);
    }
    let bytes = little(encoding, text);
    let (units, half) = bytes.as_chunks::<2>();
    let half = (!half.is_empty()).then_some('\u{FFFD}');
    let mut count = half.map_or(0, |_| 1);
    let chars = char::decode_utf16(units.iter().map(|&unit| u16::from_le_bytes(unit))).map(|char| {
        count += u64::from(char.is_err());
        char.unwrap_or('\u{FFFD}')
    });
    let text: String = chars.collect();
    (text + half.map_or("", |_| "\u{FFFD}"), count)
}

fn encode(encoding: Encoding, text: &str) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.into(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}
