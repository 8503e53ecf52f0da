//! BOMs: each way to treat them, and each BOM, whole or incomplete, with any cuts.

use fastutf::Isa;
use fastutf::stream::{ByteOrder, Encoding, Source, Transcoder};

use super::{Transcoded, check, cut, cuts_in_three, transcode};
use crate::common::oracle::form::Form;
use crate::common::{Rng, one_in, told};

const SOURCES: &[Source] = &[
    Source::KeepBom(Encoding::Utf8),
    Source::KeepBom(Encoding::Utf16Le),
    Source::KeepBom(Encoding::Utf16Be),
    Source::StripBom(Encoding::Utf8),
    Source::StripBom(Encoding::Utf16Le),
    Source::StripBom(Encoding::Utf16Be),
    Source::Utf16 { fallback: ByteOrder::Big },
    Source::Utf16 { fallback: ByteOrder::Little },
    Source::DetectBom { fallback: Encoding::Utf8 },
    Source::DetectBom { fallback: Encoding::Utf16Le },
    Source::DetectBom { fallback: Encoding::Utf16Be },
    #[cfg(feature = "latin1")]
    Source::KeepBom(Encoding::Latin1),
    #[cfg(feature = "latin1")]
    Source::StripBom(Encoding::Latin1),
    #[cfg(feature = "latin1")]
    Source::DetectBom { fallback: Encoding::Latin1 },
    #[cfg(feature = "utf32")]
    Source::KeepBom(Encoding::Utf32Le),
    #[cfg(feature = "utf32")]
    Source::StripBom(Encoding::Utf32Le),
    #[cfg(feature = "utf32")]
    Source::StripBom(Encoding::Utf32Be),
    #[cfg(feature = "utf32")]
    Source::Utf32 { fallback: ByteOrder::Big },
    #[cfg(feature = "utf32")]
    Source::Utf32 { fallback: ByteOrder::Little },
    #[cfg(feature = "utf32")]
    Source::DetectBom { fallback: Encoding::Utf32Be },
    #[cfg(feature = "utf32")]
    Source::DetectAnyBom { fallback: Encoding::Utf8 },
    #[cfg(feature = "utf32")]
    Source::DetectAnyBom { fallback: Encoding::Utf16Le },
    #[cfg(feature = "utf32")]
    Source::DetectAnyBom { fallback: Encoding::Utf32Le },
];

const UTF8: &[u8] = b"\xEF\xBB\xBF";
const LE: &[u8] = b"\xFF\xFE";
const BE: &[u8] = b"\xFE\xFF";

/// The encoding, and the length of the BOM.
fn resolve(source: Source, bytes: &[u8]) -> (Encoding, usize) {
    #[cfg(feature = "utf32")]
    {
        let mark = match bytes {
            [0xFF, 0xFE, 0, 0, ..] => Some(Encoding::Utf32Le),
            [0, 0, 0xFE, 0xFF, ..] => Some(Encoding::Utf32Be),
            _ => None,
        };
        match (source, mark) {
            (Source::StripBom(wanted), Some(found)) if wanted == found => return (found, 4),
            (Source::Utf32 { .. } | Source::DetectAnyBom { .. }, Some(found))
            | (Source::DetectBom { fallback: Encoding::Utf32Le | Encoding::Utf32Be }, Some(found)) => {
                return (found, 4);
            }
            (Source::Utf32 { fallback: ByteOrder::Big }, _) => return (Encoding::Utf32Be, 0),
            (Source::Utf32 { fallback: ByteOrder::Little }, _) => return (Encoding::Utf32Le, 0),
            (Source::DetectAnyBom { fallback }, _) => return resolve(Source::DetectBom { fallback }, bytes),
            _ => {}
        }
    }
    let mark = match bytes {
        [0xEF, 0xBB, 0xBF, ..] => Some((Encoding::Utf8, 3)),
        [0xFF, 0xFE, ..] => Some((Encoding::Utf16Le, 2)),
        [0xFE, 0xFF, ..] => Some((Encoding::Utf16Be, 2)),
        _ => None,
    };
    match (source, mark) {
        (Source::StripBom(wanted), Some((found, len))) if wanted == found => (found, len),
        (Source::Utf16 { .. }, Some((found, len))) if found != Encoding::Utf8 => (found, len),
        (Source::DetectBom { .. }, Some(mark)) => mark,
        (Source::KeepBom(encoding) | Source::StripBom(encoding), _) => (encoding, 0),
        (Source::Utf16 { fallback: ByteOrder::Big }, _) => (Encoding::Utf16Be, 0),
        (Source::Utf16 { fallback: ByteOrder::Little }, _) => (Encoding::Utf16Le, 0),
        (Source::DetectBom { fallback }, _) => (fallback, 0),
        (source, _) => panic!("{source:?} is new"),
    }
}

#[test]
fn every_mark_however_cut() {
    let mut starts: Vec<Vec<u8>> = vec![vec![]];
    for mark in [UTF8, LE, BE] {
        starts.extend((1..=mark.len()).map(|len| mark[..len].to_vec()));
        starts.extend([UTF8, LE, BE].map(|second| [mark, second].concat()));
    }
    starts.extend([
        b"\xEF\xBB\xC0".to_vec(),
        b"\xEF\xEF\xBB\xBF".to_vec(),
        b"\xFF\xFF\xFE".to_vec(),
        b"\xFE\xFE\xFF".to_vec(),
    ]);
    starts.extend([b"a".to_vec(), b"a\xEF\xBB\xBF".to_vec(), b"\0\xFF\xFE".to_vec(), b"\xD8\x3D\xDE\0".to_vec()]);
    #[cfg(feature = "utf32")]
    for mark in [Encoding::Utf32Le, Encoding::Utf32Be].map(Encoding::bom) {
        starts.extend((1..=mark.len()).map(|len| mark[..len].to_vec()));
        starts.extend([mark, LE, BE].map(|second| [mark, second].concat()));
    }
    let ends: [&[u8]; 8] =
        [b"\0\0\0z\0", b"", b"z", b"z\0", b"\0z", b"z\xEF\xBB\xBF!", b"\xD8\x3D\xDE\0\0", b"\x3D\xD8\xDE"];
    let mut rng = Rng::new(930);
    for &source in SOURCES {
        for bytes in starts.iter().flat_map(|start| ends.map(|end| [start, end].concat())) {
            let (from, len) = resolve(source, &bytes);
            for at in cuts_in_three(bytes.len()) {
                if rng.below(one_in(10)) > 0 {
                    continue;
                }
                let chunks = cut(&bytes, &at);
                for (to, lossy) in Encoding::ALL.iter().flat_map(|&to| [(to, false), (to, true)]) {
                    let mut want = Transcoded::expected(from, &bytes[len..], to, lossy);
                    if let Some(fault) = &mut want.fault {
                        fault.at += len;
                    }
                    let size = 1 + rng.below(16);
                    for isa in Isa::available() {
                        let mut transcoder = Transcoder::new(source, to).with_isa(isa);
                        if lossy {
                            transcoder = transcoder.lossy();
                        }
                        let got = transcode(transcoder, to, &chunks, size, &want);
                        let what = || format!("{source:?} to {to}, lossy: {lossy}, {size} at a time");
                        check(got, &want, what, isa, &chunks);
                    }
                }
            }
        }
    }
}

/// The encoding is known when a BOM is complete, or when no BOM is possible any more.
#[test]
fn when_the_encoding_is_known() {
    let detect = Source::DetectBom { fallback: Encoding::Utf16Le };
    let label = Source::Utf16 { fallback: ByteOrder::Big };
    let cases: [(Source, &[u8], Option<Encoding>); 12] = [
        (Source::KeepBom(Encoding::Utf8), b"", Some(Encoding::Utf8)),
        (Source::StripBom(Encoding::Utf16Be), b"\xFE", Some(Encoding::Utf16Be)),
        (detect, b"", None),
        (detect, b"\xEF\xBB", None),
        (detect, UTF8, Some(Encoding::Utf8)),
        (detect, b"\xEF\xBC", Some(Encoding::Utf16Le)),
        (detect, b"a", Some(Encoding::Utf16Le)),
        (detect, b"\xFE", None),
        (detect, BE, Some(Encoding::Utf16Be)),
        (label, b"\xFF", None),
        (label, b"\xEF", Some(Encoding::Utf16Be)),
        (label, LE, Some(Encoding::Utf16Le)),
    ];
    for (source, bytes, want) in cases {
        for step in 1..=3 {
            let mut transcoder = Transcoder::new(source, Encoding::Utf8).lossy();
            for chunk in bytes.chunks(step) {
                assert!(transcoder.convert(chunk, &mut [0; 16]).is_complete());
            }
            assert_eq!(transcoder.encoding(), want, "{source:?}, {bytes:02X?}");
            assert!(transcoder.finish(&mut [0; 16]).is_complete());
            assert_eq!(
                transcoder.encoding(),
                Some(want.unwrap_or(resolve(source, &[]).0)),
                "{source:?}, {bytes:02X?}"
            );
        }
    }
}

#[test]
fn names_and_marks() {
    if cfg!(feature = "encodings") {
        let is_encoding = |form: &&Form| !form.is_native() && **form != Form::Mutf8;
        assert_eq!(Encoding::ALL.len(), Form::ALL.iter().filter(is_encoding).count());
    }
    for &encoding in Encoding::ALL {
        let form = told(encoding);
        assert_eq!(format!("{encoding:?}"), format!("{form:?}"));
        assert_eq!(format!("{encoding:>12}"), format!("{:>12}", encoding.name()));
        assert_eq!(encoding.bom(), form.mark());
        assert_eq!(Source::from(encoding), Source::KeepBom(encoding));
    }
}
