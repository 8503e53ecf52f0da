//! Text in chunks of [`CHUNK`] bytes, cut anywhere, next to the same text as a whole.

use encoding_rs::UTF_8;
use fastutf::stream::{Encoding, Transcoder, Utf8Decoder, Validator};

use super::{all, bytes_mut, fill, lossy, operations};

operations! { REFUSING, lossy: false;
    validator_utf8(Utf8, all): field, isa = field.isa, src = &field.windows.utf8 => {
        let validator = Validator::new(Encoding::Utf8).with_isa(isa);
        field.ours(move |i| is_valid(validator.clone(), src[i]));
        field.limit("whole", move |i| isa.validate_utf8(src[i]).is_ok());
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
        field.limit_into("whole", move |i, dst| isa.utf8_to_utf8_lossy(src[i], bytes_mut(dst)).written);
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
        field.limit_into("whole", move |i, dst| isa.utf8_to_utf16le_lossy(src[i], bytes_mut(dst)).written);
        field.peer_into("std", move |i, dst| fill(dst, lossy::pieces(src[i]).flat_map(str::encode_utf16)));
    }
}

const CHUNK: usize = 4 << 10;

fn is_valid(mut validator: Validator, text: &[u8]) -> bool {
    text.chunks(CHUNK).all(|chunk| validator.push(chunk).is_ok()) && validator.finish().is_ok()
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
