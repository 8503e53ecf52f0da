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

use crate::common::encode;
use crate::common::oracle::form::Family;
use crate::common::oracle::{Converted, Fault, Kind, Whole, to_bytes};
use crate::common::told::whole;
use crate::common::{Filler, Rng, hex, told};

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
    #[cfg(feature = "latin1")]
    texts.extend(latin1_texts(before, after, rng));
    #[cfg(feature = "utf32")]
    texts.extend(utf32_texts(before, after, rng));
    #[cfg(feature = "mutf8")]
    texts.extend(wtf8_texts(before, after, rng));
    texts
}

/// Texts of each kind in WTF-8, with each fault.
#[cfg(feature = "mutf8")]
fn wtf8_texts(before: usize, after: usize, rng: &mut Rng) -> Vec<(Encoding, Vec<u8>)> {
    const FAULTS: [&[u8]; 14] = [
        b"\xED\xA0\xBD",
        b"\xED\xB8\x80",
        b"\xED\xB8\x80\xED\xA0\xBD",
        b"\xED\xA0\xBD\xED\xA0\xBD\xED\xA0\xBD",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xA0\xBD\xED\xB8\x80\xED\xB8\x80",
        b"\xED\xA0\xBD\xED\xA0\xBD\xED\xBF\xBF",
        b"\xED\xA0",
        b"\xED\xA0!\xED\xB8\x80",
        b"\xED\xA0\xED\xB8\x80",
        b"\xED\xA0\xBD\xED\xB8",
        b"\xED\xA0\xBDz\xED\xB8\x80",
        b"\xED\xA0\xBD\xFF\xED\xB8\x80",
        b"\xED\xA0\xBD\xED\x9F\xBF\xEE\x80\x80\xF0\x9F\x98\x80",
    ];
    let mut texts = Vec::new();
    for filler in Filler::ALL {
        for fault in FAULTS.into_iter().chain(UTF8_FAULTS) {
            let (before, after) = (rng.below(before + 1), rng.below(2) * rng.below(after + 1));
            texts.push((Encoding::Wtf8, [&filler.before(before), fault, &filler.after(after)].concat()));
        }
    }
    texts
}

/// Texts of each kind in UTF-32, with each fault.
#[cfg(feature = "utf32")]
fn utf32_texts(before: usize, after: usize, rng: &mut Rng) -> Vec<(Encoding, Vec<u8>)> {
    const FAULTS: [&[u32]; 8] = [
        &[],
        &[0xD800],
        &[0xDFFF, 0xDC00],
        &[0xD83D, 0xDE00],
        &[0x11_0000],
        &[0xFFFF_FFFF, 0x41],
        &[0x41_0000, 0x0041_0000],
        &[0xD7FF, 0xE000, 0x10_FFFF],
    ];
    let mut texts = Vec::new();
    for filler in Filler::ALL {
        for fault in FAULTS {
            let text = |len| String::from_utf8(filler.after(len)).unwrap();
            let (before, after) = (text(rng.below(before / 2 + 1)), text(rng.below(2) * rng.below(after / 2 + 1)));
            let units = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
            let units = [&units(&before), fault, &units(&after)].concat();
            let rest: &[u8] = rng.pick(&[b"", b"", b"\0", b"\xFF\xFE\0"]);
            let bytes = |order: fn(u32) -> [u8; 4]| units.iter().flat_map(|&unit| order(unit)).collect::<Vec<_>>();
            texts.push((Encoding::Utf32Le, [&bytes(u32::to_le_bytes)[..], rest].concat()));
            texts.push((Encoding::Utf32Be, [&bytes(u32::to_be_bytes)[..], rest].concat()));
        }
    }
    texts
}

/// Texts that are in Latin-1, and some that are but for a character or an ill-formed sequence, in each encoding.
#[cfg(feature = "latin1")]
fn latin1_texts(before: usize, after: usize, rng: &mut Rng) -> Vec<(Encoding, Vec<u8>)> {
    let mut texts = Vec::new();
    for from in Encoding::ALL {
        let unfit = ["", "", "\u{100}", "\u{7FF}", "\u{20AC}", "\u{FF41}", "\u{FFFD}", "\u{1F600}"];
        let fitting = |text: &str| encode(&text.replace(|c: char| !told(*from).has(c.into()), ""), *from);
        let unfit = unfit.map(fitting);
        let ill_formed: [&[u8]; 3] = [b"\xFF\xDC", b"\xDC\xDC", b"\xC3"];
        for middle in unfit.into_iter().chain(ill_formed.map(<[u8]>::to_vec)) {
            let ascii = rng.below(3) * 8;
            let mut draw = |len: usize| {
                let text = (0..len)
                    .map(|_| char::from([rng.below(0x80), rng.below(0x100)][rng.below(ascii + 1).min(1)] as u8));
                fitting(&text.collect::<String>())
            };
            let mut text = draw(before);
            text.extend(&middle);
            text.extend(draw(after / 2));
            texts.push((*from, text));
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
    fn expected(from: Encoding, bytes: &[u8], to: Encoding, lossy: bool) -> Self {
        let Converted { bytes, fault, replacements } =
            Converted::new(told(from), bytes, told(to), lossy.then_some(b'?'));
        Self { bytes, fault, replacements }
    }
}

/// The number of bytes after a transcoder's buffer that must stay unchanged.
const GUARD: usize = 8;

/// The value of these bytes.
const PATTERN: u8 = 0xA5;

/// The length of the character at the start of a text.
fn char_len(encoding: Encoding, text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    Some(match told(encoding).family() {
        Family::Utf8 | Family::Generalised => {
            [1, 2, 3, 4][usize::from(first >= 0x80) + usize::from(first >= 0xE0) + usize::from(first >= 0xF0)]
        }
        Family::OneByte => 1,
        Family::Utf32 => 4,
        Family::Utf16 => {
            // Where WTF-8 comes from, a surrogate may also be by itself.
            let units = told(encoding).units_16(&text[..text.len().min(4)]).0;
            2 * char::decode_utf16(units).next()?.map_or(1, char::len_utf16)
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
    // But for surrogates that WTF-8 has kept.
    let is_whole = whole(to, &want.bytes).fault.is_none();
    let mut take = |out: Conversion<StreamError>, room: usize, buffer: &mut [u8]| {
        let after = &buffer[room..][..GUARD];
        if after.iter().any(|&byte| byte != PATTERN) {
            return Err(format!("{out:?} into {room} bytes changed bytes after these"));
        }
        let new = &buffer[..out.written];
        if is_whole && whole(to, new).fault.is_some() {
            return Err(format!("{out:?} wrote an incomplete character: {}", hex(new)));
        }
        bytes.extend_from_slice(new);
        let next = want.bytes.get(bytes.len()..).and_then(|rest| char_len(to, rest));
        if out.stop == Stop::OutputFull && next.is_none_or(|next| room >= out.written + next) {
            return Err(format!("{out:?} into {room} bytes: the next character would fit"));
        }
        // Another call may have less room.
        buffer[..room].fill(PATTERN);
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

/// A whole text at once is the same as in chunks.
#[cfg(feature = "alloc")]
#[test]
fn whole_texts() {
    let mut rng = Rng::new(890);
    for (from, bytes) in texts(60, 60, &mut rng) {
        let Transcoded { bytes: text, fault, .. } = Transcoded::expected(from, &bytes, Encoding::Utf8, false);
        let lossy = Transcoded::expected(from, &bytes, Encoding::Utf8, true);
        for isa in Isa::available() {
            let got = isa.decode(&bytes, from).map_err(told);
            let want = fault.clone().map_or(Ok((String::from_utf8(text.clone()).unwrap().into(), from)), Err);
            assert_eq!(got, want, "{from} on {isa}: {}", hex(&bytes));
            let (got, encoding, replacements) = isa.decode_lossy_counted(&bytes, from);
            let got = (got.as_bytes(), encoding, replacements as u64);
            assert_eq!(got, (&lossy.bytes[..], from, lossy.replacements), "{from} on {isa}: {}", hex(&bytes));
        }
    }
}

/// The errors of functions for whole texts become those of streams, counted in bytes, and say the same.
#[cfg(all(feature = "latin1", feature = "utf32", feature = "mutf8", feature = "alloc"))]
#[test]
fn errors_of_whole_texts() {
    let utf16: Vec<u16> = "aé€".encode_utf16().collect();
    let cases: [(StreamError, u64, Option<usize>, &str); 9] = [
        (
            fastutf::latin1::to_latin1("aé€").unwrap_err().into(),
            3,
            Some(3),
            "character U+20AC at byte 3 is not in latin-1",
        ),
        (
            fastutf::latin1::validate_latin1_in_utf16(&utf16).unwrap_err().into(),
            4,
            Some(2),
            "character U+20AC at byte 4 is not in latin-1",
        ),
        (
            fastutf::latin1::validate_latin1_in_utf16(&[0x61, 0xDC00]).unwrap_err().into(),
            2,
            Some(2),
            "invalid utf-16 at byte 2: unpaired low surrogate",
        ),
        (
            fastutf::utf32::utf32_to_latin1(&[0x61, 0x1_F600], &mut [0; 2]).error().unwrap().into(),
            4,
            Some(4),
            "character U+1F600 at byte 4 is not in latin-1",
        ),
        (
            fastutf::utf32::validate_utf32(&[0x61, 0xD800]).unwrap_err().into(),
            4,
            Some(4),
            "invalid utf-32 at byte 4: surrogate",
        ),
        (
            fastutf::utf32::validate_utf32le(b"a\0\0\0b").unwrap_err().into(),
            4,
            None,
            "invalid utf-32 at byte 4: incomplete code unit at end of input",
        ),
        (
            fastutf::wtf8::validate_wtf8(b"\xED\xA0\xBD\xED\xB8\x80").unwrap_err().into(),
            3,
            Some(3),
            "invalid wtf-8 at byte 3: surrogate pair as two sequences",
        ),
        (
            fastutf::wtf8::from_wtf8(b"a\xED\xA0\xBD").unwrap_err().into(),
            1,
            Some(3),
            "unpaired surrogate U+D83D at byte 1",
        ),
        (
            fastutf::wtf8::from_wtf8(b"a\xFF").unwrap_err().into(),
            1,
            Some(1),
            "invalid wtf-8 at byte 1: invalid lead byte",
        ),
    ];
    for (error, offset, len, message) in cases {
        assert_eq!((error.offset(), error.error_len(), &*error.to_string()), (offset, len, message));
    }
}

/// What replaces a character in Latin-1 may be any byte, wherever the text is cut.
#[cfg(feature = "latin1")]
#[test]
fn replacements_in_latin1() {
    let text = "é€😀\u{FFFD}z".as_bytes();
    for cut in 0..=text.len() {
        let mut transcoder =
            Transcoder::new(Encoding::Utf8, Encoding::Latin1).lossy().with_latin1_replacement(0xBF);
        let (mut dst, mut written) = ([0; 8], 0);
        for chunk in [&text[..cut], &text[cut..], b"\xE2"] {
            written += transcoder.convert(chunk, &mut dst[written..]).written;
        }
        written += transcoder.finish(&mut dst[written..]).written;
        assert_eq!((&dst[..written], transcoder.replacements()), (&b"\xE9\xBF\xBF\xBFz\xBF"[..], 4), "{cut}");
    }
}
