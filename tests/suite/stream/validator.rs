//! The validator: its error, which it reports as soon as it reads the byte that causes it.

use fastutf::Isa;
use fastutf::stream::{Encoding, Validator};

use super::{Whole, check, cut, cuts_in_three, cuts_in_two, texts, told, whole};
use crate::common::{Rng, one_in};

/// Passes `chunks` to a validator, and returns its error.
fn validate(
    encoding: Encoding,
    isa: Isa,
    bytes: &[u8],
    chunks: &[&[u8]],
    known_at: Option<usize>,
) -> Result<Option<super::Fault<super::Kind>>, String> {
    let mut validator = Validator::new(encoding).with_isa(isa);
    let mut len = 0;
    for chunk in chunks {
        let result = validator.push(chunk);
        len += chunk.len();
        match result {
            Ok(()) => {
                if known_at.is_some_and(|at| at <= len) {
                    return Err(format!("no error after {len} bytes"));
                }
                if validator.offset() != len as u64 || validator.pending() != incomplete(encoding, &bytes[..len]) {
                    return Err(format!("after {len} bytes: {validator:?}"));
                }
            }
            Err(error) => {
                if known_at.is_none_or(|at| at > len) {
                    return Err(format!("{error} after {len} bytes"));
                }
                // The error is final.
                let again = [validator.push(b"ab"), validator.push(b""), validator.clone().finish()];
                if again != [Err(error); 3]
                    || validator.offset() != error.offset()
                    || !validator.pending().is_empty()
                {
                    return Err(format!("{error}, and then {again:?} and {validator:?}"));
                }
                return Ok(Some(told(error)));
            }
        }
    }
    Ok(validator.finish().err().map(told))
}

/// The incomplete sequence at the end of a text that is well-formed otherwise.
fn incomplete(encoding: Encoding, bytes: &[u8]) -> &[u8] {
    whole(encoding, bytes).fault.map_or(&[], |fault| &bytes[fault.at..])
}

fn agree(encoding: Encoding, bytes: &[u8], cuts: &[Vec<usize>], thin: usize, rng: &mut Rng) {
    let want = whole(encoding, bytes).fault;
    let known_at = Whole::known_at(told(encoding), bytes);
    for at in cuts {
        if rng.below(thin) > 0 {
            continue;
        }
        let chunks = cut(bytes, at);
        for isa in Isa::available() {
            let got = validate(encoding, isa, bytes, &chunks, known_at);
            check(got, &want, || format!("validating {encoding}"), isa, &chunks);
        }
    }
}

#[test]
fn short_texts_cut_in_three() {
    let mut rng = Rng::new(910);
    for (encoding, bytes) in texts(18, 18, &mut rng) {
        agree(encoding, &bytes, &cuts_in_three(bytes.len()), one_in(20), &mut rng);
    }
}

#[test]
fn longer_texts_cut_in_two() {
    let mut rng = Rng::new(911);
    for (encoding, bytes) in texts(200, 100, &mut rng) {
        agree(encoding, &bytes, &cuts_in_two(bytes.len()), one_in(20), &mut rng);
    }
}

/// Long enough for every loop of a kernel.
#[test]
fn long_texts() {
    let mut rng = Rng::new(912);
    for (encoding, bytes) in texts(4000, 4000, &mut rng) {
        let at = vec![rng.below(bytes.len() + 1)];
        agree(encoding, &bytes, &[at], one_in(3), &mut rng);
    }
}

/// Halves of pairs in chunks of their own, cut, and with empty chunks between them.
#[cfg(feature = "wtf8")]
#[test]
fn halves_of_pairs_in_chunks() {
    // The last high surrogate, and the first low one.
    let (high, low): (&[u8], &[u8]) = (b"\xED\xAF\xBF", b"\xED\xB0\x80");
    let cases: [(&[&[u8]], Option<u64>); 8] = [
        (&[high, low], Some(3)),
        (&[high, b"", low], Some(3)),
        (&[&high[..1], &high[1..], b"", &low[..2], b"", &low[2..]], Some(3)),
        (&[low, high, b"", low], Some(6)),
        (&[&low[..1], &low[1..]], None),
        (&[low, b"", &low[..2], &low[2..]], None),
        (&[high, b"", b"a", low], None),
        (&[high, high, b"", b"a", b"", low], None),
    ];
    for (chunks, expected) in cases {
        for isa in Isa::available() {
            let mut validator = Validator::new(Encoding::Wtf8).with_isa(isa);
            let error = chunks.iter().find_map(|chunk| validator.push(chunk).err()).or(validator.finish().err());
            assert_eq!(error.map(|error| error.offset()), expected, "{isa}: {chunks:x?}");
            let mut transcoder = fastutf::stream::Transcoder::new(Encoding::Wtf8, Encoding::Wtf8).with_isa(isa);
            let error = chunks.iter().find_map(|chunk| transcoder.convert(chunk, &mut [0; 20]).error());
            assert_eq!(error.map(|error| error.offset()), expected, "{isa}, converted: {chunks:x?}");
        }
    }
}
