//! Text in chunks: what comes of it does not depend on the cuts, the sizes of the buffers or the instruction set.

use fastutf::stream::{Encoding, StreamError, StreamErrorKind, Transcoder, Utf8Decoder, Validator};
use fastutf::{Isa, Stop};

use crate::input::{Choice, HEADER};
use crate::memory::{Buffer, Place, Placed};
use crate::oracle::{self, Fault};
use crate::{Order, in_order, same};

/// Text that comes in chunks.
struct Stream {
    text: Vec<u8>,
    /// The lengths of the chunks, by turns.
    lengths: [u8; 5],
    from: Encoding,
    to: Encoding,
    lossy: bool,
    /// How much room there is at a time.
    room: usize,
    /// The first error there is.
    fault: Option<Fault<StreamErrorKind>>,
}

/// Runs one input through everything that takes chunks. Of its first [`HEADER`] bytes, the first says in which
/// encoding the rest is, in which it is to be, whether with replacement, and how often it is repeated; the second how
/// much room there is at a time; the last is a [`Choice`]; and the others say how long the chunks are, by turns.
pub fn stream(data: &[u8]) {
    let (header, text) = data.split_at(data.len().min(HEADER));
    let [how, room, lengths @ .., _] = std::array::from_fn::<u8, HEADER, _>(|i| *header.get(i).unwrap_or(&0));
    let encodings = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];
    let from = encodings[usize::from(how & 3) % 3];
    let text = text.repeat(1 + usize::from(how >> 5 & 3));
    let stream = Stream {
        lengths,
        from,
        to: encodings[usize::from(how >> 2 & 3) % 3],
        lossy: how & 16 > 0,
        room: 4 + usize::from(room),
        fault: fault_of(from, &text),
        text,
    };
    let choice = Choice::of(data);
    let isa = choice.isa();
    match choice.turn(4) {
        0 => stream.validate(isa),
        1 if from == Encoding::Utf8 => stream.decode(isa),
        _ => stream.transcode(isa),
    }
}

impl Stream {
    fn validate(&self, isa: Isa) {
        let mut validator = Validator::new(self.from).with_isa(isa);
        let result = self.chunks().try_for_each(|chunk| validator.push(chunk.get()));
        let result = result.and_then(|()| validator.finish());
        same(isa, "Validator", result.map_err(fault_in_stream), self.fault.map_or(Ok(()), Err));
    }

    fn decode(&self, isa: Isa) {
        let mut decoder = if self.lossy { Utf8Decoder::lossy() } else { Utf8Decoder::new() }.with_isa(isa);
        let mut decoded = String::new();
        let result = self.chunks().try_for_each(|chunk| decoder.push_to(chunk.get(), &mut decoded));
        let replacements = decoder.replacements();
        let result = result.and_then(|()| decoder.finish()).map_err(fault_in_stream);
        decoded.push_str(result.unwrap_or_default());
        let replacements = replacements + u64::from(result.is_ok_and(|end| !end.is_empty()));
        let (expected, error, count) = self.expected();
        same(isa, "Utf8Decoder", (&*decoded, result.err(), replacements), (&*expected, error, count));
    }

    fn transcode(&self, isa: Isa) {
        let room = self.room;
        let mut transcoder = Transcoder::new(self.from, self.to).with_isa(isa);
        if self.lossy {
            transcoder = transcoder.lossy();
        }
        let mut dst = Buffer::<u8>::new(Place(0), room);
        let mut bytes = Vec::new();
        let mut error = None;
        'text: for chunk in self.chunks().map(Some).chain([None]) {
            let mut rest = chunk.as_ref().map_or(&[][..], Placed::get);
            loop {
                let out = match chunk {
                    Some(_) => transcoder.convert(rest, dst.get()),
                    None => transcoder.finish(dst.get()),
                };
                rest = &rest[out.read..];
                let before = bytes.len();
                bytes.extend_from_slice(&dst.get()[..out.written]);
                let written = &bytes[before..];
                dst.assert_holds(written, isa, "Transcoder");
                assert_eq!(fault_of(self.to, written), None, "half a character on {isa}: {written:02X?}");
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
        let (text, fault, count) = self.expected();
        let found = (bytes, error, transcoder.replacements());
        same(isa, "Transcoder", found, (encode(self.to, &text), fault, count));
    }

    /// What a decoder gives: text, error, number of replacements.
    fn expected(&self) -> (String, Option<Fault<StreamErrorKind>>, u64) {
        if self.lossy {
            let (text, count) = replaced(self.from, &self.text);
            return (text, None, count);
        }
        let valid = &self.text[..self.fault.map_or(self.text.len(), |fault| fault.valid_up_to)];
        (replaced(self.from, valid).0, self.fault, 0)
    }

    fn chunks(&self) -> impl Iterator<Item = Placed<u8>> {
        let mut rest = &self.text[..];
        let mut turn = 0;
        std::iter::from_fn(move || {
            let len = match turn {
                // Time goes with the number of chunks.
                100.. => rest.len(),
                // One of them is not empty.
                _ => usize::from(self.lengths[turn % 5]).max(usize::from(turn % 5 == 0)),
            };
            turn += 1;
            let (chunk, left) = rest.split_at(len.min(rest.len()));
            let more = !rest.is_empty();
            rest = left;
            more.then(|| Placed::copy(Place(0), chunk))
        })
    }
}

fn fault_in_stream(error: StreamError) -> Fault<StreamErrorKind> {
    Fault { valid_up_to: error.offset() as usize, error_len: error.error_len(), kind: error.kind() }
}

/// The code units of UTF-16, without an odd last byte.
fn units(encoding: Encoding, text: &[u8]) -> Vec<u16> {
    let pairs = text.as_chunks::<2>().0.iter();
    match encoding {
        Encoding::Utf16Be => pairs.map(|&pair| u16::from_be_bytes(pair)).collect(),
        _ => pairs.map(|&pair| u16::from_le_bytes(pair)).collect(),
    }
}

fn fault_of(encoding: Encoding, text: &[u8]) -> Option<Fault<StreamErrorKind>> {
    fn with<K>(fault: Fault<K>, kind: fn(K) -> StreamErrorKind) -> Fault<StreamErrorKind> {
        Fault { valid_up_to: fault.valid_up_to, error_len: fault.error_len, kind: kind(fault.kind) }
    }
    match encoding {
        Encoding::Utf8 => oracle::validate_utf8(text).err().map(|fault| with(fault, StreamErrorKind::Utf8)),
        _ => {
            let validity = oracle::validate_utf16(&units(encoding, text));
            let fault = oracle::validity_in_bytes(validity, text.len()).err();
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
    let half = (text.len() % 2 == 1).then_some('\u{FFFD}');
    let mut count = u64::from(half.is_some());
    let chars = char::decode_utf16(units(encoding, text)).map(|char| {
        count += u64::from(char.is_err());
        char.unwrap_or('\u{FFFD}')
    });
    (chars.chain(half).collect(), count)
}

fn encode(encoding: Encoding, text: &str) -> Vec<u8> {
    let units = || text.encode_utf16().collect::<Vec<_>>();
    match encoding {
        Encoding::Utf8 => text.into(),
        Encoding::Utf16Le => in_order(&units(), Order::Little),
        Encoding::Utf16Be => in_order(&units(), Order::Big),
    }
}
