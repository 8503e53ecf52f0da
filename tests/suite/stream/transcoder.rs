//! Every pair of encodings, strict and with replacement, into buffers of every size.

use std::mem::MaybeUninit;

use fastutf::stream::{Encoding, Source, StreamError, Transcoder};
use fastutf::{Conversion, Isa, Stop};

use super::{Transcoded, check, cut, cuts_in_three, cuts_in_two, encode, texts, transcode, whole};
use crate::common::{Rng, hex, one_in, one_in_emulated};

/// Compares the transcoder with the oracle on one text: from its encoding to all, strict and lossy, on each instruction
/// set.
fn agree(from: Encoding, bytes: &[u8], cuts: &[Vec<usize>], sizes: &[usize], thin: usize, rng: &mut Rng) {
    for &to in Encoding::ALL {
        for lossy in [false, true] {
            let want = Transcoded::expected(from, bytes, to, lossy);
            for at in cuts {
                if thin > 1 && rng.below(thin) > 0 {
                    continue;
                }
                let chunks = cut(bytes, at);
                for &size in sizes {
                    // Half of the sizes above 64 are replaced by a smaller one.
                    let size = if size > 64 && rng.below(2) == 0 { 1 + rng.below(64) } else { size };
                    for isa in Isa::available() {
                        let mut transcoder = Transcoder::new(from, to).with_isa(isa);
                        if lossy {
                            transcoder = transcoder.lossy();
                        }
                        let got = transcode(transcoder, to, &chunks, size, &want);
                        check(
                            got,
                            &want,
                            || format!("{from} to {to}, lossy: {lossy}, {size} at a time"),
                            isa,
                            &chunks,
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn short_texts_cut_in_three() {
    let mut rng = Rng::new(900);
    for (from, bytes) in texts(14, 14, &mut rng) {
        agree(from, &bytes, &cuts_in_three(bytes.len()), &[4000], one_in(20), &mut rng);
    }
}

#[test]
fn buffers_of_every_size() {
    let mut rng = Rng::new(901);
    let sizes: Vec<usize> = (1..=64).collect();
    for (from, bytes) in texts(20, 20, &mut rng) {
        agree(from, &bytes, &cuts_in_two(bytes.len()), &sizes, 8 * one_in(10), &mut rng);
    }
}

/// A high surrogate at the end of the room could be half of a pair that does not fit. If it is unpaired, its U+FFFD
/// fits.
#[test]
fn unpaired_where_the_room_ends() {
    let mut rng = Rng::new(903);
    for from in [Encoding::Utf16Le, Encoding::Utf16Be] {
        for units in [[0xD800, 0xD800, 0], [0x61, 0xD800, 0x62], [0xD800, 0xD83D, 0xDE00]] {
            let bytes: Vec<u8> = match from {
                Encoding::Utf16Be => units.into_iter().flat_map(u16::to_be_bytes).collect(),
                _ => units.into_iter().flat_map(u16::to_le_bytes).collect(),
            };
            agree(from, &bytes, &cuts_in_two(bytes.len()), &[1, 2, 3, 4, 5], 1, &mut rng);
        }
    }
}

#[test]
fn longer_texts_cut_in_two() {
    let mut rng = Rng::new(902);
    for (from, bytes) in texts(200, 100, &mut rng) {
        agree(from, &bytes, &cuts_in_two(bytes.len()), &[4000], 2 * one_in(20), &mut rng);
    }
}

/// Lengths of several pieces, each of which is checked before it is copied.
#[test]
fn long_texts() {
    let mut rng = Rng::new(903);
    for (from, bytes) in texts(50_000, 20_000, &mut rng) {
        if rng.below(one_in(20)) > 0 {
            continue;
        }
        let at = vec![rng.below(bytes.len() + 1)];
        agree(from, &bytes, &[at], &[4000], 1, &mut rng);
    }
}

/// Halves of pairs on both sides of the border of what is checked and copied at once.
#[cfg(feature = "wtf8")]
#[test]
fn surrogates_where_a_piece_ends() {
    const PIECE: usize = 8 << 10;
    // The last high surrogate, and the first low one.
    let [high, low] = [*b"\xED\xAF\xBF", *b"\xED\xB0\x80"];
    for (before, isa) in (PIECE - 6..PIECE - 1).flat_map(|before| Isa::available().map(move |isa| (before, isa))) {
        for first in [high, low] {
            for second in [high, low, *b"abc"] {
                let text = [&vec![b'x'; before][..], &first, &second, b"yz"].concat();
                let mut copy = vec![0; 2 * PIECE];
                let out = Transcoder::new(Encoding::Wtf8, Encoding::Wtf8).with_isa(isa).convert(&text, &mut copy);
                // Only a pair is ill-formed, at its second half.
                let wrong = ([first, second] == [high, low]).then_some(before + 3);
                let told = format!("{isa}, {before}: {first:x?} {second:x?}");
                assert_eq!(out.error().map(|error| error.offset() as usize), wrong, "{told}");
                assert!(copy[..out.written] == text[..wrong.unwrap_or(text.len())], "{told}");
            }
        }
    }
}

/// A pair on both sides of the border of what is converted, and then swapped, at once.
#[cfg(feature = "utf32")]
#[test]
fn pairs_where_a_piece_ends() {
    const PIECE: usize = 8 << 10;
    for (before, isa) in (PIECE / 2 - 3..PIECE / 2 + 2).flat_map(|n| Isa::available().map(move |isa| (n, isa))) {
        let text = "x".repeat(before) + "\u{1F600}yz";
        for (from, to) in [(Encoding::Utf16Le, Encoding::Utf32Be), (Encoding::Utf16Be, Encoding::Utf32Le)] {
            let (bytes, expected) = (encode(&text, from), encode(&text, to));
            let mut got = vec![0; expected.len()];
            let out = Transcoder::new(from, to).with_isa(isa).convert(&bytes, &mut got);
            assert!(out.is_complete() && got == expected, "{isa}, {before}: {from} to {to}, {out:?}");
        }
    }
}

/// A buffer of exactly the length of the result is enough: one call converts everything except an incomplete sequence.
#[test]
fn exact_room() {
    let mut rng = Rng::new(904);
    for (from, bytes) in texts(100, 100, &mut rng) {
        for &to in Encoding::ALL {
            let want = Transcoded::expected(from, &bytes, to, true).bytes;
            for isa in Isa::available() {
                let mut transcoder = Transcoder::new(from, to).with_isa(isa).lossy();
                let mut dst = vec![0; want.len()];
                let out = transcoder.convert(&bytes, &mut dst);
                let end = transcoder.finish(&mut dst[out.written..]);
                let got = (out.is_complete() && end.is_complete()).then_some(dst);
                check(got.ok_or(format!("{out:?} {end:?}")), &want, || format!("{from} to {to}"), isa, &[&bytes]);
            }
        }
    }
}

/// Appends what `convert` writes into `room` units of memory that nothing has initialised. Miri and MemorySanitizer see
/// whether that reads any, and whether any that it says it has written is not.
fn append_fresh<T>(
    dst: &mut Vec<T>,
    room: usize,
    convert: impl FnOnce(&mut [MaybeUninit<T>]) -> Conversion<StreamError>,
) -> Conversion<StreamError> {
    let mut fresh = Vec::with_capacity(room);
    let out = convert(&mut fresh.spare_capacity_mut()[..room]);
    assert!(out.written <= room);
    // SAFETY: there is room for these, and they are initialised, as it says.
    unsafe { fresh.set_len(out.written) };
    dst.append(&mut fresh);
    out
}

/// Into memory that is uninitialised, the result is the same: with each pair of encodings, and for units of UTF-16.
#[test]
fn uninitialised_memory() {
    let mut rng = Rng::new(906);
    for (from, bytes) in texts(20, 20, &mut rng) {
        if rng.below(one_in(4)) > 0 {
            continue;
        }
        let (size, room) = (1 + rng.below(40), 4 + rng.below(60));
        for &to in Encoding::ALL {
            let lossy = rng.below(2) > 0;
            let want = Transcoded::expected(from, &bytes, to, lossy);
            for isa in Isa::available() {
                let what =
                    || format!("{from} to {to}, lossy: {lossy}, {size} into {room} on {isa}: {}", hex(&bytes));
                let transcoder = Transcoder::new(from, to).with_isa(isa);
                let transcoder = if lossy { transcoder.lossy() } else { transcoder };
                let mut got = Vec::new();
                let stop = run(&bytes, size, transcoder.clone(), |transcoder, src| {
                    append_fresh(&mut got, room, |dst| match src {
                        Some(src) => transcoder.convert_uninit(src, dst),
                        None => transcoder.finish_uninit(dst),
                    })
                });
                assert_eq!((&got, stop.is_some()), (&want.bytes, want.fault.is_some()), "{}", what());

                if to == Encoding::UTF16_NATIVE {
                    let mut got = Vec::new();
                    let stop = run(&bytes, size, transcoder.clone(), |transcoder, src| {
                        append_fresh(&mut got, room, |dst| match src {
                            Some(src) => transcoder.convert_to_units_uninit(src, dst),
                            None => transcoder.finish_to_units_uninit(dst),
                        })
                    });
                    let got: Vec<u8> = got.into_iter().flat_map(u16::to_ne_bytes).collect();
                    assert_eq!((&got, stop.is_some()), (&want.bytes, want.fault.is_some()), "{}", what());
                }
                if from == Encoding::UTF16_NATIVE && bytes.len().is_multiple_of(2) {
                    let units: Vec<u16> =
                        bytes.as_chunks().0.iter().map(|&unit| u16::from_ne_bytes(unit)).collect();
                    let mut got = Vec::new();
                    let stop = run(&units, size, transcoder, |transcoder, src| {
                        append_fresh(&mut got, room, |dst| match src {
                            Some(src) => transcoder.convert_units_uninit(src, dst),
                            None => transcoder.finish_uninit(dst),
                        })
                    });
                    assert_eq!((&got, stop.is_some()), (&want.bytes, want.fault.is_some()), "{}", what());
                }
            }
        }
    }
}

/// Passes `text` to `convert` until all of it is read, `size` units at a time, and then `None`. Returns the error.
fn run<T>(
    text: &[T],
    size: usize,
    mut transcoder: Transcoder,
    mut convert: impl FnMut(&mut Transcoder, Option<&[T]>) -> Conversion<StreamError>,
) -> Option<StreamError> {
    for chunk in text.chunks(size).map(Some).chain([None]) {
        let mut rest = chunk.unwrap_or_default();
        loop {
            let out = convert(&mut transcoder, chunk.map(|_| rest));
            rest = &rest[out.read..];
            match out.stop {
                Stop::Complete => break,
                Stop::OutputFull => {}
                Stop::Invalid(error) => return Some(error),
            }
        }
    }
    None
}

/// `u16` in and out is the same as bytes in and out.
#[test]
fn native_units() {
    let mut rng = Rng::new(905);
    for (from, bytes) in texts(100, 100, &mut rng) {
        let (lossy, sizes) = (rng.below(2) > 0, [4 + rng.below(30), 4 + rng.below(30)]);
        let native = Encoding::UTF16_NATIVE;
        for isa in Isa::available() {
            let transcoder = |from, to| {
                let transcoder = Transcoder::new(from, to).with_isa(isa);
                if lossy { transcoder.lossy() } else { transcoder }
            };
            let fail = |what: &str| panic!("{what}, lossy: {lossy}, on {isa}: {}", crate::common::hex(&bytes));
            let whole = whole(from, &bytes);
            let want = Transcoded::expected(from, &bytes, native, lossy);
            let is_invalid = want.fault.is_some();
            let want: Vec<u16> =
                want.bytes.as_chunks::<2>().0.iter().map(|&unit| u16::from_ne_bytes(unit)).collect();
            let (mut to_units, mut units, mut room) = (transcoder(from, native), Vec::new(), vec![0; sizes[0]]);
            for chunk in bytes.chunks(sizes[1]) {
                let mut rest = chunk;
                while !rest.is_empty() && to_units.replacements() < u64::MAX {
                    let out = to_units.convert_to_units(rest, &mut room);
                    units.extend_from_slice(&room[..out.written]);
                    rest = &rest[out.read..];
                    if out.error().is_some() {
                        break;
                    }
                }
            }
            let out = to_units.finish_to_units(&mut room);
            units.extend_from_slice(&room[..out.written]);
            if units != want || out.error().is_some() != is_invalid {
                fail("to units");
            }
            if from != native || bytes.len() % 2 > 0 {
                continue;
            }
            let src: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|&unit| u16::from_ne_bytes(unit)).collect();
            let (mut from_units, mut text, mut room) =
                (transcoder(native, Encoding::Utf8), vec![], vec![0; sizes[0]]);
            let mut fault = None;
            for chunk in src.chunks(sizes[1]) {
                let mut rest = chunk;
                while !rest.is_empty() && fault.is_none() {
                    let out = from_units.convert_units(rest, &mut room);
                    text.extend_from_slice(&room[..out.written]);
                    rest = &rest[out.read..];
                    fault = out.error().map(super::told);
                }
            }
            let out = from_units.finish(&mut room);
            text.extend_from_slice(&room[..out.written]);
            let fault = out.error().map(super::told);
            if text != if lossy { &whole.lossy } else { &whole.valid }.as_bytes()
                || fault != whole.fault.filter(|_| !lossy)
            {
                fail("from units");
            }
        }
    }
}

#[test]
#[should_panic(expected = "this transcoder writes UTF-8, not native UTF-16")]
fn units_of_utf8() {
    let _ = Transcoder::new(Encoding::Utf8, Encoding::Utf8).convert_to_units(b"", &mut []);
}

#[test]
#[should_panic(expected = "the input of this transcoder is not native UTF-16")]
fn utf8_of_units() {
    let _ = Transcoder::new(Encoding::Utf8, Encoding::Utf8).convert_units(&[], &mut []);
}

#[test]
#[should_panic(expected = "an incomplete code unit is pending")]
fn units_after_half_a_unit() {
    let mut transcoder = Transcoder::new(Encoding::UTF16_NATIVE, Encoding::Utf8);
    assert!(transcoder.convert(b"a", &mut []).is_complete());
    let _ = transcoder.convert_units(&[0], &mut []);
}

#[cfg(feature = "alloc")]
#[test]
fn append() {
    let mut rng = Rng::new(906);
    for (from, bytes) in texts(400, 400, &mut rng).into_iter().chain(texts(50_000, 10, &mut rng).drain(..40)) {
        if rng.below(one_in_emulated().div_ceil(5).min(6)) > 0 {
            continue;
        }
        let at = vec![rng.below(bytes.len() + 1)];
        for &to in Encoding::ALL {
            for lossy in [false, true] {
                let mut want = Transcoded::expected(from, &bytes, to, lossy);
                want.bytes.insert(0, b'!');
                for isa in Isa::available() {
                    let mut transcoder = Transcoder::new(from, to).with_isa(isa);
                    if lossy {
                        transcoder = transcoder.lossy();
                    }
                    let (mut dst, mut text) = (vec![b'!'], String::from("!"));
                    let mut to_string = transcoder.clone();
                    let chunks = cut(&bytes, &at);
                    let result = chunks
                        .iter()
                        .try_for_each(|chunk| transcoder.convert_append(chunk, &mut dst))
                        .and_then(|()| transcoder.finish_append(&mut dst));
                    if to == Encoding::Utf8 {
                        let in_string = chunks
                            .iter()
                            .try_for_each(|chunk| to_string.convert_to_string(chunk, &mut text))
                            .and_then(|()| to_string.finish_to_string(&mut text));
                        assert_eq!((text.as_bytes(), in_string), (&*dst, result), "{isa}: {chunks:02x?}");
                    }
                    let got = Transcoded {
                        bytes: dst,
                        fault: result.err().map(super::told),
                        replacements: transcoder.replacements(),
                    };
                    check(Ok(got), &want, || format!("{from} to {to}, lossy: {lossy}"), isa, &chunks);
                }
            }
        }
    }
}

/// `pending` returns exactly the bytes that the next chunk must complete, wherever the last one ended.
#[test]
fn pending() {
    for &from in Encoding::ALL {
        let text = if from.bom().is_empty() { "a\u{E9}\u{FF}z" } else { "a\u{E9}\u{20AC}\u{1F600}z" };
        let bytes = encode(text, from);
        // Where characters end.
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| encode(&text[..at], from).len()).collect();
        for cut in 0..bytes.len() {
            let start = *ends.iter().rev().find(|&&end| end <= cut).unwrap();
            for isa in Isa::available() {
                let mut transcoder = Transcoder::new(from, Encoding::Utf16Le).with_isa(isa);
                let mut out = [0; 64];
                assert!(transcoder.convert(&bytes[..cut], &mut out).is_complete());
                assert_eq!(transcoder.pending(), &bytes[start..cut], "{from}, {cut} bytes, on {isa}");
                assert!(transcoder.convert(&bytes[cut..], &mut out).is_complete());
                assert_eq!(transcoder.pending(), [], "{from}, {cut} bytes, on {isa}");
            }
        }
    }
    // The start of a byte-order mark.
    let mut transcoder = Transcoder::new(Source::DetectBom { fallback: Encoding::Utf8 }, Encoding::Utf8);
    assert!(transcoder.convert(b"\xEF\xBB", &mut []).is_complete());
    assert_eq!(transcoder.pending(), b"\xEF\xBB");
}

/// What `finish` writes at most: as many bytes as its documentation says.
#[test]
fn the_most_that_finish_writes() {
    let mut most = [0; 2];
    for &from in Encoding::ALL {
        let sources = [
            Source::KeepBom(from),
            Source::StripBom(from),
            Source::DetectBom { fallback: from },
            #[cfg(feature = "utf32")]
            Source::DetectAnyBom { fallback: from },
        ];
        for (source, &to) in sources.iter().flat_map(|source| Encoding::ALL.iter().map(move |to| (source, to))) {
            for end in [&b"\0\0\xFE"[..], b"\xEF\xBB", b"\xFF", b"\0\xD8\0", b"\xD8\0\xDC", b"\xF0\x9F\x98"] {
                let mut transcoder = Transcoder::new(*source, to).lossy();
                assert!(transcoder.convert(end, &mut [0; 64]).error().is_none());
                let out = transcoder.finish(&mut [0; 64]);
                assert!(out.is_complete());
                let most = &mut most[usize::from(to.name().starts_with("UTF-32"))];
                *most = out.written.max(*most);
            }
        }
    }
    assert_eq!(most, if cfg!(feature = "utf32") { [6, 12] } else { [6, 0] });
}
