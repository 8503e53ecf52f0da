//! Text in chunks of [`CHUNK`] bytes, cut anywhere. The limit is a call to the function for whole text with each
//! piece of about that length, cut between characters: it shows the cost of keeping the state, and of completing cut
//! characters.

use encoding_rs::UTF_8;
use fastutf::Isa;
use fastutf::stream::{Encoding, Transcoder, Utf8Decoder, Validator};

use super::{Field, all, bytes_mut, fill, lossy, operations};

operations! { REFUSING, lossy: false;
    validator_utf8(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        let validator = Validator::new(Encoding::Utf8).with_isa(isa);
        field.ours(move |i| is_valid(validator.clone(), src[i]));
        let pieces = utf8_pieces(field);
        field.limit("pieces", move |i| pieces[i].iter().filter(|piece| isa.validate_utf8(piece).is_ok()).count());
        field.peer("std", move |i| std::str::from_utf8(src[i]).is_ok());
    }
}

operations! { REPLACING, lossy: true;
    /// All contenders copy the text, since the peers cannot do less.
    utf8_decoder(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        field.ours_into(move |i, dst| {
            let (mut decoder, dst, mut len) = (Utf8Decoder::new().lossy().with_isa(isa), bytes_mut(dst), 0);
            for chunk in src[i].chunks(CHUNK) {
                for piece in decoder.push(chunk) {
                    len = push(dst, len, piece.unwrap_or_default());
                }
            }
            push(dst, len, decoder.finish().unwrap_or_default())
        });
        let pieces = utf8_pieces(field);
        field.limit_into("pieces", move |i, dst| {
            in_pieces(&pieces[i], bytes_mut(dst), |piece, dst| isa.utf8_to_utf8_lossy(piece, dst).written)
        });
        // It validates with simdutf8, which uses AVX2 where available, whatever the row says.
        if matches!(isa.name(), "avx512" | "avx2") {
            field.peer_into("encoding_rs", move |i, dst| {
                let (mut decoder, dst, mut written) = (UTF_8.new_decoder_without_bom_handling(), bytes_mut(dst), 0);
                let mut chunks = src[i].chunks(CHUNK).peekable();
                while let Some(chunk) = chunks.next() {
                    let last = chunks.peek().is_none();
                    written += decoder.decode_to_utf8(chunk, &mut dst[written..], last).2;
                }
                written
            });
        }
        field.peer_into("std", move |i, dst| {
            let dst = bytes_mut(dst);
            lossy::pieces(src[i]).fold(0, |len, piece| push(dst, len, piece))
        });
    }
    stream_utf8_to_utf16le(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        let transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Le).with_isa(isa).lossy();
        field.ours_into(move |i, dst| transcode(transcoder.clone(), src[i], bytes_mut(dst)));
        let pieces = utf8_pieces(field);
        field.limit_into("pieces", move |i, dst| {
            in_pieces(&pieces[i], bytes_mut(dst), |piece, dst| isa.utf8_to_utf16le_lossy(piece, dst).written)
        });
        field.peer_into("std", move |i, dst| fill(dst, lossy::pieces(src[i]).flat_map(str::encode_utf16)));
    }
}

const CHUNK: usize = 4 << 10;

fn is_valid(mut validator: Validator, text: &[u8]) -> bool {
    text.chunks(CHUNK).all(|chunk| validator.push(chunk).is_ok()) && validator.finish().is_ok()
}

/// The pieces of each text.
fn utf8_pieces<'a>(field: &Field<'a, Isa>) -> Vec<Vec<&'a [u8]>> {
    field.windows.utf8.iter().map(|text| pieces(text)).collect()
}

/// Cuts a text where a character starts, or where it is ill-formed.
fn pieces(mut text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while text.len() > CHUNK {
        let end = (CHUNK - 3..=CHUNK).rev().find(|&end| text[end] & 0xC0 != 0x80).unwrap_or(CHUNK);
        let (piece, rest) = text.split_at(end);
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

fn in_pieces(pieces: &[&[u8]], dst: &mut [u8], convert: impl Fn(&[u8], &mut [u8]) -> usize) -> usize {
    pieces.iter().fold(0, |written, piece| written + convert(piece, &mut dst[written..]))
}

/// Returns the length of the output, which must fit.
fn transcode(mut transcoder: Transcoder, text: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for chunk in text.chunks(CHUNK) {
        written += transcoder.convert(chunk, &mut dst[written..]).written;
    }
    written + transcoder.finish(&mut dst[written..]).written
}

/// Puts a piece at the end of the text so far, and returns its new length.
fn push(dst: &mut [u8], len: usize, piece: &str) -> usize {
    dst[len..][..piece.len()].copy_from_slice(piece.as_bytes());
    len + piece.len()
}
