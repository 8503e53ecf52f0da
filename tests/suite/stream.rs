//! Text in chunks: for any cuts, sizes of buffers and instruction set, the result must be the same as that of the
//! standard library for the whole text.

mod decoder;
mod marks;
#[cfg(feature = "alloc")]
mod random;
mod transcoder;
mod validator;

use fastutf::stream::{Encoding, StreamError, Transcoder};
use fastutf::{Conversion, Isa, Stop};

use crate::common::oracle::{Fault, Kind, Whole, to_bytes};
use crate::common::told::{encode, whole};
use crate::common::{Filler, Rng, hex, told};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

/// The pieces of `bytes` between these places.
fn cut<'a>(bytes: &'a [u8], at: &[usize]) -> Vec<&'a [u8]> {
    let ends = at.iter().copied().chain([bytes.len()]);
    ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end)..end])).collect()
}

/// Every way to cut `len` bytes in two, and in three; and into single bytes.
fn cuts_in_three(len: usize) -> Vec<Vec<usize>> {
    let three = (0..=len).flat_map(|first| (first..=len).map(move |second| vec![first, second]));
    three.chain(cuts_in_two(len)).chain([(1..len).collect()]).collect()
}

fn cuts_in_two(len: usize) -> Vec<Vec<usize>> {
    (0..=len).map(|at| vec![at]).collect()
}

/// Ill-formed and incomplete sequences of each kind, in pairs and alone, and none at all.
const UTF8_FAULTS: [&[u8]; 30] = [
    b"",
    b"\xFF",
    b"\xF8\x88\x80\x80\x80",
    b"\x80",
    b"\x80\x80\x80\x80",
    b"\xC0\xAF",
    b"\xE0\x80\x80",
    b"\xE0\x9F",
    b"\xED\xA0\x80",
    b"\xED\xBF",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80",
    b"\xC3",
    b"\xC3!",
    b"\xC3\xC3\xA9",
    b"\xE2",
    b"\xE2\x82",
    b"\xE2\x82!",
    b"\xE2\x82\xE2\x82\xAC",
    b"\xE0\xA0\xED\x9F\xF0\x90\x80",
    b"\xF0",
    b"\xF0\x9F",
    b"\xF0\x9F!",
    b"\xF0\x9F\x92",
    b"\xF0\x9F\x92!",
    b"\xF0\x9F\x92\xF0\x9F\x92\xA9",
    b"\xF4\x8F\xBF\xF4\x90",
    b"\xEF\xBB\xFF\xFE",
];

const UTF16_FAULTS: [&[u16]; 11] = [
    &[],
    &[0xDC00],
    &[0xDFFF, 0xDC00, 0xDC00],
    &[0xD83D],
    &[0xD800, 0x41],
    &[0xDBFF, 0xDBFF, 0xDFFF],
    &[0xDE00, 0xD83D],
    &[0xD83D, 0xD83D],
    &[0xD83D, 0xFFFD],
    &[0xD83D, 0xDE00, 0xDE00],
    &[0x00D8, 0x00DC, 0xD8D8, 0xDCDC],
];

/// Texts of each kind with each fault in them, at most `before` bytes from the start and, if not at its end,
/// `after` from the end.
fn texts(before: usize, after: usize, rng: &mut Rng) -> Vec<(Encoding, Vec<u8>)> {
    let mut texts = Vec::new();
    for filler in Filler::ALL {
        for fault in UTF8_FAULTS {
            let (before, after) = (rng.below(before + 1), rng.below(2) * rng.below(after + 1));
            texts.push((Encoding::Utf8, [&filler.before(before), fault, &filler.after(after)].concat()));
        }
        for fault in UTF16_FAULTS {
            let (before, after) = (rng.below(before / 2 + 1), rng.below(2) * rng.below(after / 2 + 1));
            let units = [&filler.units_before(before), fault, &filler.units_after(after)].concat();
            let half: &[u8] = rng.pick(&[b"", b"", b"\xD8", b"\xDC"]);
            texts.push((Encoding::Utf16Le, [&to_bytes(&units, u16::to_le_bytes), half].concat()));
            texts.push((Encoding::Utf16Be, [&to_bytes(&units, u16::to_be_bytes), half].concat()));
        }
    }
    texts
}

/// The result of a transcoder for a whole text.
#[derive(Debug, PartialEq)]
struct Transcoded {
    bytes: Vec<u8>,
    fault: Option<Fault<Kind>>,
    replacements: u64,
}

impl Transcoded {
    fn expected(whole: &Whole, to: Encoding, lossy: bool) -> Self {
        match lossy {
            true => Self { bytes: encode(&whole.lossy, to), fault: None, replacements: whole.replacements },
            false => Self { bytes: encode(&whole.valid, to), fault: whole.fault, replacements: 0 },
        }
    }
}

/// The number of bytes after a transcoder's buffer that must stay unchanged.
const GUARD: usize = 8;

/// The value of the bytes of a buffer before anything is written.
const PATTERN: u8 = 0xA5;

/// The length of the character at the start of a text.
fn char_len(encoding: Encoding, text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    Some(match encoding {
        Encoding::Utf8 => {
            [1, 2, 3, 4][usize::from(first >= 0x80) + usize::from(first >= 0xE0) + usize::from(first >= 0xF0)]
        }
        _ => {
            if told(encoding).units(&text[..2]).0[0] & 0xF800 == 0xD800 {
                4
            } else {
                2
            }
        }
    })
}

/// Passes `chunks` to a transcoder, with `size` bytes of room at a time, or 4 bytes for a character that does not fit
/// into them. `want` is the expected result. It is also used to check that a buffer reported as full is full.
fn transcode(
    mut transcoder: Transcoder,
    to: Encoding,
    chunks: &[&[u8]],
    size: usize,
    want: &Transcoded,
) -> Result<Transcoded, String> {
    let mut buffer = [PATTERN; 4096 + GUARD];
    let mut bytes = Vec::new();
    let mut read = 0;
    let mut room = size;
    let mut take = |out: Conversion<StreamError>, room: usize, buffer: &mut [u8]| {
        let (new, rest) = buffer.split_at_mut(out.written);
        if rest[..room - out.written + GUARD].iter().any(|&byte| byte != PATTERN) {
            return Err(format!("{out:?} into {room} bytes changed bytes that it does not report"));
        }
        if whole(to, new).fault.is_some() {
            return Err(format!("{out:?} wrote an incomplete character: {}", hex(new)));
        }
        bytes.extend_from_slice(new);
        let next = want.bytes.get(bytes.len()..).and_then(|rest| char_len(to, rest));
        if out.stop == Stop::OutputFull && next.is_none_or(|next| room >= out.written + next) {
            return Err(format!("{out:?} into {room} bytes: the next character would fit"));
        }
        new.fill(PATTERN);
        Ok(())
    };
    let mut fault_found = None;
    'text: for chunk in chunks.iter().map(Some).chain([None]) {
        let mut rest: &[u8] = chunk.copied().unwrap_or_default();
        loop {
            let dst = &mut buffer[..room];
            let out = if chunk.is_some() { transcoder.convert(rest, dst) } else { transcoder.finish(dst) };
            take(out, room, &mut buffer)?;
            (rest, read) = (&rest[out.read..], read + out.read);
            if out.error().is_none() && transcoder.offset() != read as u64 || transcoder.pending().len() > 3 {
                return Err(format!("{out:?}: read {read}, but {transcoder:?}"));
            }
            match out.stop {
                Stop::Complete if rest.is_empty() => break,
                Stop::Complete => return Err(format!("{out:?}: {} bytes not read", rest.len())),
                Stop::OutputFull => room = if out.written == 0 { 4.max(size) } else { size },
                Stop::Invalid(error) => {
                    fault_found = Some(told(error));
                    // The error is final.
                    let again = [transcoder.convert(b"ab", &mut buffer), transcoder.finish(&mut buffer)];
                    let nothing = |out: Conversion<_>| (out.read, out.written, out.error()) == (0, 0, Some(error));
                    if !again.into_iter().all(nothing) || transcoder.offset() != error.offset() {
                        return Err(format!("{error:?}, and then {again:?} and {transcoder:?}"));
                    }
                    break 'text;
                }
            }
        }
    }
    Ok(Transcoded { bytes, fault: fault_found, replacements: transcoder.replacements() })
}

/// Panics unless `got` is `Ok(want)`.
fn check<T: PartialEq + std::fmt::Debug>(
    got: Result<T, String>,
    want: &T,
    what: impl Fn() -> String,
    isa: Isa,
    chunks: &[&[u8]],
) {
    if got.as_ref() != Ok(want) {
        let chunks: Vec<String> = chunks.iter().map(|chunk| hex(chunk)).collect();
        panic!("{} on {isa}:\n  got {got:X?}\n want {want:X?}\nchunks: {}", what(), chunks.join("| "));
    }
}
