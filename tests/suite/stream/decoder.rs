//! The decoder: its pieces together are the text, and those within a chunk borrow from the chunk.

use fastutf::Isa;
use fastutf::stream::{Encoding, Utf8Decoder};

use super::{Fault, Kind, check, cut, cuts_in_three, cuts_in_two, texts, told, whole};
use crate::common::{Rng, one_in};

/// The text, the error, and the number of replacements.
type Decoded = (String, Option<Fault<Kind>>, u64);

fn decoder(lossy: bool, isa: Isa) -> Utf8Decoder {
    if lossy { Utf8Decoder::new().lossy() } else { Utf8Decoder::new() }.with_isa(isa)
}

/// Passes `chunks` to a decoder.
fn decode(mut decoder: Utf8Decoder, chunks: &[&[u8]]) -> Result<Decoded, String> {
    let mut text = String::new();
    for chunk in chunks {
        let mut error = None;
        for (i, piece) in decoder.push(chunk).enumerate() {
            match piece {
                _ if error.is_some() => return Err(format!("{piece:?} after {error:?}")),
                Ok("") => return Err("an empty piece".into()),
                Ok(piece) => {
                    let borrowed = chunk.as_ptr_range().contains(&piece.as_ptr());
                    if !borrowed
                        && !piece.chars().all(|char| char == '\u{FFFD}')
                        && (i > 0 || piece.chars().count() > 1)
                    {
                        return Err(format!("{piece:?} is not borrowed"));
                    }
                    text.push_str(piece);
                }
                Err(found) => error = Some(found),
            }
        }
        if decoder.pending().len() > 3 {
            return Err(format!("{decoder:?}"));
        }
        if let Some(error) = error {
            // The error is final.
            let again = decoder.push(b"ab").eq([Err(error)]);
            let (offset, end) = (decoder.offset(), decoder.clone().finish());
            if !again || end != Err(error) || offset != error.offset() || !decoder.pending().is_empty() {
                return Err(format!("{error}, and then {again:?}, {end:?}, {decoder:?}"));
            }
            return Ok((text, Some(told(error)), decoder.replacements()));
        }
    }
    if decoder.offset() != chunks.concat().len() as u64 {
        return Err(format!("{decoder:?}"));
    }
    let replacements = decoder.replacements();
    match decoder.finish() {
        Ok(end) => {
            text.push_str(end);
            Ok((text, None, replacements + u64::from(end == "\u{FFFD}")))
        }
        Err(error) => Ok((text, Some(told(error)), replacements)),
    }
}

fn agree(bytes: &[u8], cuts: &[Vec<usize>], thin: usize, rng: &mut Rng) {
    let whole = whole(Encoding::Utf8, bytes);
    let strict = (whole.valid, whole.fault, 0);
    let lossy = (whole.lossy, None, whole.replacements);
    for at in cuts {
        if rng.below(thin) > 0 {
            continue;
        }
        let chunks = cut(bytes, at);
        for isa in Isa::available() {
            check(decode(decoder(false, isa), &chunks), &strict, || "strict".into(), isa, &chunks);
            check(decode(decoder(true, isa), &chunks), &lossy, || "lossy".into(), isa, &chunks);
        }
    }
}

fn utf8_texts(before: usize, after: usize, rng: &mut Rng) -> Vec<Vec<u8>> {
    let texts = texts(before, after, rng).into_iter();
    texts.filter(|(encoding, _)| *encoding == Encoding::Utf8).map(|(_, bytes)| bytes).collect()
}

#[test]
fn short_texts_cut_in_three() {
    let mut rng = Rng::new(920);
    for bytes in utf8_texts(18, 18, &mut rng) {
        agree(&bytes, &cuts_in_three(bytes.len()), one_in(10), &mut rng);
    }
}

#[test]
fn longer_texts_cut_in_two() {
    let mut rng = Rng::new(921);
    for bytes in utf8_texts(200, 100, &mut rng) {
        agree(&bytes, &cuts_in_two(bytes.len()), one_in(10), &mut rng);
    }
}

#[test]
fn long_texts() {
    let mut rng = Rng::new(922);
    for bytes in utf8_texts(4000, 4000, &mut rng) {
        let at = vec![rng.below(bytes.len() + 1)];
        agree(&bytes, &[at], 1, &mut rng);
    }
}

#[test]
fn pending() {
    for (text, isa) in
        ["\u{FF}", "\u{FFFF}", "\u{10FFFF}"].into_iter().flat_map(|t| Isa::available().map(move |isa| (t, isa)))
    {
        for (cut, lossy) in (1..text.len()).flat_map(|cut| [(cut, false), (cut, true)]) {
            let (mut decoder, bytes) = (decoder(lossy, isa), &text.as_bytes()[..cut]);
            assert!(decoder.push(&[b"a", bytes].concat()).eq([Ok("a")]));
            assert_eq!(decoder.pending(), bytes, "{isa}");
        }
    }
}

/// Pieces that are not taken are missing from the text. Nothing else changes.
#[test]
fn pieces_not_taken() {
    let mut rng = Rng::new(923);
    for bytes in utf8_texts(18, 18, &mut rng) {
        for at in cuts_in_two(bytes.len()) {
            let chunks = cut(&bytes, &at);
            for isa in Isa::available() {
                for lossy in [false, true] {
                    let (mut all, mut some) = (decoder(lossy, isa), decoder(lossy, isa));
                    for chunk in &chunks {
                        let pieces: Vec<_> = all.push(chunk).collect();
                        let few = rng.below(pieces.len() + 2);
                        let got: Vec<_> = some.push(chunk).take(few).collect();
                        let want: Vec<_> = pieces.into_iter().take(few).collect();
                        check(Ok(got), &want, || format!("{few} pieces, lossy: {lossy}"), isa, &chunks);
                        let state = |decoder: &Utf8Decoder| {
                            (
                                decoder.offset(),
                                decoder.pending().to_vec(),
                                decoder.replacements(),
                                decoder.clone().finish(),
                            )
                        };
                        check(Ok(state(&some)), &state(&all), || format!("after {few} pieces"), isa, &chunks);
                    }
                }
            }
        }
    }
}

#[cfg(feature = "alloc")]
#[test]
fn push_to() {
    let mut rng = Rng::new(924);
    for bytes in utf8_texts(30, 30, &mut rng) {
        let whole = whole(Encoding::Utf8, &bytes);
        let at = vec![rng.below(bytes.len() + 1)];
        let chunks = cut(&bytes, &at);
        for isa in Isa::available() {
            let (mut decoder, mut text) = (Utf8Decoder::new().with_isa(isa), String::from("!"));
            let result = chunks.iter().try_for_each(|chunk| decoder.push_to(chunk, &mut text));
            let fault = result.and_then(|()| decoder.finish().map(drop)).err().map(told);
            let want = (format!("!{}", whole.valid), whole.fault.clone());
            check(Ok((text, fault)), &want, || "push_to".into(), isa, &chunks);
        }
    }
}

#[test]
fn the_default_is_strict() {
    assert!(Utf8Decoder::default().push(b"\xFF").any(|piece| piece.is_err()));
}

/// If the caller drops or forgets the iterator of pieces, a strict decoder still reports the error later.
#[test]
fn an_error_that_nobody_looked_at_is_kept() {
    let bad: [&[&[u8]]; 5] = [
        &[b"\xFF"],
        &[b"naive\xC0\xAF, and more text than a vector holds, so that a kernel sees it"],
        &[b"a\xE2", b"\x82!"],
        &[b"a\xE2", b"\x82", b"\xAC\xFF\xE2"],
        &[b"a\xF0\x9F\x98", b"\x80\xED\xA0\x80\xE2\x82"],
    ];
    for chunks in bad {
        let want = decode(Utf8Decoder::new(), chunks).unwrap().1.expect("an error");
        for isa in Isa::available() {
            // How many pieces are taken before the iterator is dropped or forgotten.
            for (taken, forget) in [(0, false), (1, false), (0, true), (1, true), (2, true)] {
                let mut decoder = decoder(false, isa);
                for chunk in chunks {
                    let mut pieces = decoder.push(chunk);
                    pieces.by_ref().take(taken).for_each(drop);
                    if forget {
                        std::mem::forget(pieces);
                    }
                }
                let what = format!("{isa}, {taken} taken, forgotten: {forget}, of {chunks:02X?}");
                assert_eq!(decoder.offset(), want.at as u64, "{what}");
                assert!(decoder.pending().is_empty(), "{what}");
                let error = decoder.clone().finish().unwrap_err();
                assert!(decoder.push(b"ab").eq([Err(error)]), "{what}");
                assert_eq!(told(decoder.finish().unwrap_err()), want, "{what}");
            }
        }
    }
}

/// The division of a text into pieces is part of the result, so it is the same on every instruction set.
#[test]
fn pieces_are_the_same_on_every_instruction_set() {
    let sequences: [&[u8]; 5] = [b"\xFF", b"\x80", b"\xE2\x82", b"\xF0\x9F\x98", b"\xED\xA0\x80"];
    let around =
        ["", "a", "naïve", "a text that is longer than a window of 64 bytes, and then some more of it 😀"];
    for sequence in sequences {
        for count in (0..10).chain(60..70).chain([127, 128, 129, 200]) {
            for before in around {
                for after in around {
                    let run = sequence.repeat(count);
                    let text = [before.as_bytes(), &run, after.as_bytes(), &run, before.as_bytes()].concat();
                    let mut reference = decoder(true, Isa::SCALAR);
                    let want: Vec<_> = reference.push(&text).map(|piece| piece.unwrap().to_owned()).collect();
                    for isa in Isa::available() {
                        let mut decoder = decoder(true, isa);
                        let got: Vec<_> = decoder.push(&text).map(Result::unwrap).collect();
                        assert_eq!(
                            got, want,
                            "{isa}: {count} × {sequence:02X?} after {before:?}, before {after:?}"
                        );
                        assert_eq!(decoder.replacements(), reference.replacements());
                    }
                    let std: Vec<_> = want.concat().into();
                    assert!(
                        std.starts_with(String::from_utf8_lossy(&text).trim_end_matches('\u{FFFD}').as_bytes())
                    );
                }
            }
        }
    }
}
