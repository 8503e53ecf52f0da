//! Text in chunks: the result does not depend on the cuts, the sizes of the buffers or the instruction set.

use fastutf::stream::{ByteOrder, Encoding, Source, StreamError, Transcoder, Utf8Decoder, Validator};
use fastutf::web::{self, Options, TextDecoder};
use fastutf::{Isa, Stop};
use fastutf_testkit::oracle::{Fault, Kind, Whole};

use crate::input::{Choice, HEADER};
use crate::memory::{Buffer, Place, Placed};
use crate::same;
use crate::told::{converted, told, whole};

/// The decoded text, its first error, and the number of replacements.
type Decoded = (String, Option<Fault<Kind>>, u64);

/// A text in chunks.
pub struct Stream {
    pub text: Vec<u8>,
    /// The lengths of the chunks, in turn.
    lengths: [u8; 5],
    pub from: Encoding,
    source: Source,
    pub to: Encoding,
    lossy: bool,
    /// The size of each output buffer.
    pub room: usize,
}

/// Runs one input through everything that takes chunks.
pub fn stream(data: &[u8]) {
    let stream = Stream::new(data);
    let choice = Choice::of(data);
    let isa = choice.isa();
    match choice.turn(8) {
        0 => stream.validate(isa),
        1 if stream.from == Encoding::Utf8 => stream.decode(isa),
        2 => stream.append(isa),
        3 => stream.whole(isa),
        4 => stream.whole_lossy(isa),
        5 => stream.web(isa),
        _ => stream.transcode(isa),
    }
}

impl Stream {
    /// Decodes an input. It starts with [`HEADER`] bytes:
    ///
    /// - The first byte contains the encoding of the text (two bits), the encoding of the output (two), whether the
    ///   conversion is lossy, how often the text is repeated (two), and whether a BOM is put before it.
    /// - The second byte contains the size of the output buffer, and how to treat BOMs (the highest two bits).
    /// - The last byte is a [`Choice`].
    /// - The others are the lengths of the chunks, in turn. The last of these also has another bit of each encoding, and of
    ///   how to treat BOMs.
    ///
    /// Larger bytes mean smaller buffers and chunks: small ones take more time, and the byte 0 is frequent.
    pub fn new(data: &[u8]) -> Self {
        let (header, text) = data.split_at(data.len().min(HEADER));
        let [how, room, lengths @ .., _] = std::array::from_fn::<u8, HEADER, _>(|i| *header.get(i).unwrap_or(&0));
        let more = lengths[4];
        let [from, to] = [how & 3 | more << 2 & 4, how >> 2 & 3 | more << 1 & 4];
        let [from, to] = [from, to].map(|which| Encoding::ALL[usize::from(which) % Encoding::ALL.len()]);
        let mark = if how & 128 > 0 { mark(to) } else { vec![] };
        let big = matches!(from, Encoding::Utf16Be | Encoding::Utf32Be);
        let fallback = if big { ByteOrder::Big } else { ByteOrder::Little };
        Self {
            text: [&mark[..], &text.repeat(1 + usize::from(how >> 5 & 3))].concat(),
            lengths: lengths.map(|len| 255 - len),
            from,
            source: match room >> 6 | more & 4 {
                0 | 4 => Source::KeepBom(from),
                1 | 5 => Source::StripBom(from),
                2 => Source::Utf16 { fallback },
                3 => Source::DetectBom { fallback: from },
                6 => Source::Utf32 { fallback },
                _ => Source::DetectAnyBom { fallback: from },
            },
            to,
            lossy: how & 16 > 0,
            room: 4 + 4 * usize::from(63 - (room & 63)),
        }
    }

    fn validate(&self, isa: Isa) {
        let mut validator = Validator::new(self.from).with_isa(isa);
        let result = self.chunks().try_for_each(|chunk| validator.push(chunk.get()));
        let result = result.and_then(|()| validator.finish());
        let expected = fault_of(self.from, &self.text).map_or(Ok(()), Err);
        same(isa, "Validator", result.map_err(told), expected);
    }

    fn decode(&self, isa: Isa) {
        let mut decoder = if self.lossy { Utf8Decoder::new().lossy() } else { Utf8Decoder::new() }.with_isa(isa);
        let mut decoded = String::new();
        let result = self.chunks().try_for_each(|chunk| decoder.push_to(chunk.get(), &mut decoded));
        let replacements = decoder.replacements();
        let result = result.and_then(|()| decoder.finish()).map_err(told);
        decoded.push_str(result.as_deref().unwrap_or_default());
        let replacements = replacements + u64::from(result.as_ref().is_ok_and(|end| !end.is_empty()));
        same(isa, "Utf8Decoder", (decoded, result.err(), replacements), self.decoded(self.from, 0));
    }

    fn transcode(&self, isa: Isa) {
        let room = self.room;
        let mut transcoder = self.transcoder(isa);
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
                // But for surrogates that WTF-8 has kept.
                if !self.is_wtf8() {
                    assert_eq!(fault_of(self.to, written), None, "incomplete character on {isa}: {written:02X?}");
                }
                match out.stop {
                    Stop::Complete => break assert!(rest.is_empty(), "{} bytes not read on {isa}", rest.len()),
                    Stop::OutputFull => assert!(out.written + 4 > room, "a character would fit on {isa}: {out:?}"),
                    Stop::Invalid(found) => {
                        error = Some(found);
                        break 'text;
                    }
                }
            }
        }
        self.assert_transcoded(isa, "Transcoder", bytes, error, &transcoder);
    }

    fn append(&self, isa: Isa) {
        let mut transcoder = self.transcoder(isa);
        let mut bytes = Vec::new();
        let result = self.chunks().try_for_each(|chunk| transcoder.convert_append(chunk.get(), &mut bytes));
        let result = result.and_then(|()| transcoder.finish_append(&mut bytes));
        self.assert_transcoded(isa, "convert_append", bytes, result.err(), &transcoder);
    }

    /// The whole text at once, strictly.
    fn whole(&self, isa: Isa) {
        let (encoding, mark) = self.resolved();
        let text = converted(encoding, &self.text[mark..], Encoding::Utf8, None);
        let expected = match text.fault {
            Some(fault) => Err(Fault { at: mark + fault.at, ..fault }),
            None => Ok((String::from_utf8(text.bytes).unwrap().into(), encoding)),
        };
        same(isa, "decode", isa.decode(&self.text, self.source).map_err(told), expected);
    }

    fn whole_lossy(&self, isa: Isa) {
        let (encoding, mark) = self.resolved();
        let Whole { lossy, replacements, .. } = whole(encoding, &self.text[mark..]);
        let expected = (lossy.into(), encoding, replacements as usize);
        same(isa, "decode_lossy", isa.decode_lossy_counted(&self.text, self.source), expected);
    }

    /// As a browser, next to encoding_rs.
    fn web(&self, isa: Isa) {
        let known = match self.from {
            Encoding::Utf8 => encoding_rs::UTF_8,
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            _ => encoding_rs::UTF_16BE,
        };
        let encoding = match self.from {
            Encoding::Utf8 | Encoding::Utf16Le => self.from,
            _ => Encoding::Utf16Be,
        };
        let options = Options { fatal: !self.lossy, ignore_bom: self.source == Source::KeepBom(self.from) };
        let (text, repaired) = match options.ignore_bom {
            true => known.decode_without_bom_handling(&self.text),
            false => known.decode_with_bom_removal(&self.text),
        };
        let expected = (!options.fatal || !repaired).then_some(&*text);
        same(isa, "web::decode", web::decode(&self.text, encoding, options).ok().as_deref(), expected);
        let units = web::decode_to_utf16(&self.text, encoding, options).ok();
        same(isa, "web::decode_to_utf16", units, expected.map(|text| text.encode_utf16().collect()));
        let mut decoder = TextDecoder::new(encoding, Encoding::Utf8, options).with_isa(isa);
        let mut decoded = Vec::new();
        let result = self.chunks().try_for_each(|chunk| decoder.decode_append(chunk.get(), &mut decoded));
        let result = result.and_then(|()| decoder.finish_append(&mut decoded));
        same(isa, "web::TextDecoder", result.ok().map(|()| &decoded[..]), expected.map(str::as_bytes));
        let (text, found, _) = known.decode(&self.text);
        let by_bom = web::decode_by_bom(&self.text, encoding);
        same(isa, "web::decode_by_bom", (&*by_bom.0, by_bom.1.name()), (&*text, found.name()));
    }

    pub fn transcoder(&self, isa: Isa) -> Transcoder {
        let transcoder = Transcoder::new(self.source, self.to).with_isa(isa);
        if self.lossy { transcoder.lossy() } else { transcoder }
    }

    /// Asserts that these bytes, this error and the replacements are the right result for the whole text.
    #[track_caller]
    pub fn assert_transcoded(
        &self,
        isa: Isa,
        what: &str,
        bytes: Vec<u8>,
        error: Option<StreamError>,
        transcoder: &Transcoder,
    ) {
        let (encoding, mark) = self.resolved();
        let text = converted(encoding, &self.text[mark..], self.to, self.lossy.then_some(b'?'));
        let fault = text.fault.map(|fault| Fault { at: mark + fault.at, ..fault });
        let found = (bytes, error.map(told), transcoder.replacements());
        same(isa, what, found, (text.bytes, fault, text.replacements));
    }

    /// Whether the text is WTF-8, and so UTF-16 may not be well-formed.
    pub fn is_wtf8(&self) -> bool {
        self.resolved().0 == Encoding::Wtf8
    }

    /// The encoding of the text, and the length of the BOM that is removed.
    fn resolved(&self) -> (Encoding, usize) {
        use Encoding::*;
        let (marks, fallback) = match self.source {
            Source::StripBom(encoding) => (&[encoding][..], encoding),
            Source::Utf16 { fallback: ByteOrder::Big } => (&[Utf16Le, Utf16Be][..], Utf16Be),
            Source::Utf16 { .. } => (&[Utf16Le, Utf16Be][..], Utf16Le),
            Source::Utf32 { fallback: ByteOrder::Big } => (&[Utf32Le, Utf32Be][..], Utf32Be),
            Source::Utf32 { .. } => (&[Utf32Le, Utf32Be][..], Utf32Le),
            Source::DetectAnyBom { fallback } | Source::DetectBom { fallback: fallback @ (Utf32Le | Utf32Be) } => {
                (&[Utf32Le, Utf32Be, Utf8, Utf16Le, Utf16Be][..], fallback)
            }
            Source::DetectBom { fallback } => (&[Utf8, Utf16Le, Utf16Be][..], fallback),
            _ => (&[][..], self.from),
        };
        let found = marks.iter().find(|&&encoding| self.text.starts_with(&mark(encoding)));
        found.map_or((fallback, 0), |&encoding| (encoding, mark(encoding).len()))
    }

    /// The expected result for the text after the BOM.
    fn decoded(&self, encoding: Encoding, mark: usize) -> Decoded {
        let Whole { valid, fault, lossy, replacements } = whole(encoding, &self.text[mark..]);
        if self.lossy {
            return (lossy, None, replacements);
        }
        (valid, fault.map(|fault| Fault { at: mark + fault.at, ..fault }), 0)
    }

    pub fn chunks(&self) -> impl Iterator<Item = Placed<u8>> {
        let mut rest = &self.text[..];
        let mut turn = 0;
        std::iter::from_fn(move || {
            let len = match turn {
                // Many chunks take too much time.
                100.. => rest.len(),
                // At least one in five is not empty.
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

/// U+FEFF.
fn mark(encoding: Encoding) -> Vec<u8> {
    told(encoding).mark()
}

/// The first error of the text.
pub fn fault_of(encoding: Encoding, text: &[u8]) -> Option<Fault<Kind>> {
    Whole::fault_of(told(encoding), text)
}
