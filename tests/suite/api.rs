//! The API around the operations: text known to be well-formed, whole texts with a byte-order mark, and conversions
//! of errors.

use std::borrow::Cow;
use std::io;

use fastutf::stream::{ByteOrder, Encoding, Source, StreamError, StreamErrorKind, Transcoder};
use fastutf::{FromUtf8Error, Isa, Stop, Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};

use crate::common::encode;
use crate::common::{Filler, hex, one_in_emulated};

/// Texts of every kind and of lengths on either side of every block.
fn texts() -> impl Iterator<Item = String> {
    let lens = (0..=70).step_by(one_in_emulated().min(7)).chain([127, 128, 129, 200, 1000]);
    lens.flat_map(|len| Filler::ALL.map(|filler| String::from_utf8(filler.before(len)).unwrap()))
}

#[test]
fn a_str_becomes_utf16() {
    for text in texts() {
        let units: Vec<u16> = text.encode_utf16().collect();
        let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for isa in Isa::available() {
            macro_rules! check {
                ($into:ident, $append:ident, $want:expr, $paint:expr, $size:expr) => {
                    let want = &$want[..];
                    for room in [want.len(), want.len() + 40, want.len() / 2, want.len().saturating_sub(1), 0] {
                        let mut dst = vec![$paint; room + 40];
                        let out = isa.$into(&text, &mut dst[..room]);
                        let what =
                            || format!("{isa}, {} into {room}: {}", stringify!($into), hex(text.as_bytes()));
                        // As many characters as fit.
                        let mut most = (0, 0);
                        for character in text.chars() {
                            if (most.1 + character.len_utf16()) * $size > room {
                                break;
                            }
                            most = (most.0 + character.len_utf8(), most.1 + character.len_utf16());
                        }
                        assert_eq!((out.read, out.written), (most.0, most.1 * $size), "{}", what());
                        match out.stop {
                            Stop::Complete => assert_eq!(out.read, text.len(), "{}", what()),
                            Stop::OutputFull => assert!(out.read < text.len(), "{}", what()),
                        }
                        assert!(dst[..out.written] == want[..out.written], "{}", what());
                        assert!(dst[room..].iter().all(|&item| item == $paint), "{}", what());
                    }
                    let mut dst = vec![$paint];
                    assert_eq!(isa.$append(&text, &mut dst), want.len(), "{isa}: {}", hex(text.as_bytes()));
                    assert!(dst[0] == $paint && dst[1..] == *want, "{isa}: {}", hex(text.as_bytes()));
                };
            }
            check!(str_to_utf16, str_to_utf16_append, units, 0xA5A5u16, 1);
            check!(str_to_utf16le, str_to_utf16le_append, le, 0xA5u8, 2);
            check!(str_to_utf16be, str_to_utf16be_append, be, 0xA5u8, 2);
        }
    }
}

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

fn sources() -> Vec<Source> {
    let mut sources =
        vec![Source::Utf16 { fallback: ByteOrder::Little }, Source::Utf16 { fallback: ByteOrder::Big }];
    for encoding in ENCODINGS {
        sources.extend([
            Source::KeepBom(encoding),
            Source::StripBom(encoding),
            Source::DetectBom { fallback: encoding },
        ]);
    }
    sources
}

/// The result of `Transcoder`, which has its own tests, for the whole text.
fn transcoded(src: &[u8], source: Source, lossy: bool) -> (String, u64, Result<(), StreamError>) {
    let mut transcoder = Transcoder::new(source, Encoding::Utf8);
    if lossy {
        transcoder = transcoder.lossy();
    }
    let mut dst = vec![0; 3 * src.len() + 16];
    let out = transcoder.convert(src, &mut dst);
    let mut len = out.written;
    let mut result = out.valid_or_full();
    if result.is_ok() {
        let end = transcoder.finish(&mut dst[len..]);
        len += end.written;
        result = end.valid_or_full();
    }
    dst.truncate(len);
    (String::from_utf8(dst).unwrap(), transcoder.replacements(), result.map(|_| ()))
}

/// Every kind of mark before every kind of text, for every source: the same as in a stream.
#[test]
fn whole_texts_are_decoded_as_streams_are() {
    let marks = [
        Encoding::Utf8.bom(),
        Encoding::Utf16Le.bom(),
        Encoding::Utf16Be.bom(),
        b"",
        b"\xEF\xBB",
        b"\xFE",
        b"\xFF",
    ];
    let bodies: Vec<Vec<u8>> = ["", "z", "zł", "a\u{FEFF}b", "é€😀 and more than sixteen bytes of text"]
        .into_iter()
        .flat_map(|text| ENCODINGS.map(|encoding| encode(text, encoding)))
        .chain([b"a\xFFb".to_vec(), b"\x3D\xD8".to_vec(), b"\xD8\x3D\0a".to_vec(), b"abc\xE2\x82".to_vec()])
        .collect();
    for mark in marks {
        for body in &bodies {
            let src = [mark, body].concat();
            for source in sources() {
                for isa in Isa::available() {
                    let what = format!("{isa}, {source:?}: {}", hex(&src));
                    let (want, _, result) = transcoded(&src, source, false);
                    match isa.decode(&src, source) {
                        Ok((text, encoding)) => {
                            assert_eq!((&*text, Ok(())), (&*want, result), "{what}");
                            assert_eq!(encoding, source.resolve(&src).0, "{what}");
                            assert_eq!(matches!(text, Cow::Borrowed(_)), encoding == Encoding::Utf8, "{what}");
                        }
                        Err(error) => assert_eq!(Err(error), result, "{what}"),
                    }
                    // A high surrogate and an odd byte at the end of UTF-16 are treated as in a stream.
                    let (want, replacements, _) = transcoded(&src, source, true);
                    let (text, encoding, count) = isa.decode_lossy_counted(&src, source);
                    assert_eq!((&*text, count as u64), (&*want, replacements), "{what}");
                    assert_eq!(isa.decode_lossy(&src, source), (text, encoding), "{what}");
                }
            }
        }
    }
}

/// A function with `?` for every pair of errors that a program may have in one place.
#[test]
fn errors_become_others() {
    fn utf8_to_io() -> io::Result<()> {
        Ok(fastutf::validate_utf8(b"ab\xFF")?)
    }
    fn utf16_to_io() -> io::Result<()> {
        Ok(fastutf::validate_utf16(&[0xDC00])?)
    }
    fn from_utf8_to_io() -> io::Result<String> {
        Ok(fastutf::string_from_utf8(b"ab\xFF".to_vec())?)
    }
    fn from_utf8_to_utf8() -> Result<String, Utf8Error> {
        Ok(fastutf::string_from_utf8(b"ab\xFF".to_vec())?)
    }
    fn utf8_to_stream() -> Result<(), StreamError> {
        Ok(fastutf::validate_utf8(b"ab\xE2\x82")?)
    }
    fn units_to_stream() -> Result<(), StreamError> {
        Ok(fastutf::validate_utf16(&[0x61, 0x62, 0x63, 0xDC00])?)
    }
    fn bytes_to_stream() -> Result<(), StreamError> {
        Ok(fastutf::validate_utf16le(b"a\0\0\xDC")?)
    }
    fn from_utf8_to_stream() -> Result<String, StreamError> {
        Ok(fastutf::string_from_utf8(b"ab\xFF".to_vec())?)
    }

    let utf8 = fastutf::validate_utf8(b"ab\xFF").unwrap_err();
    for error in [utf8_to_io().unwrap_err(), from_utf8_to_io().unwrap_err()] {
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(error.to_string(), utf8.to_string());
        assert_eq!(error.downcast::<Utf8Error>().ok(), Some(utf8));
    }
    let error = utf16_to_io().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert_eq!(error.downcast::<Utf16Error>().unwrap().kind(), Utf16ErrorKind::UnpairedLowSurrogate);
    assert_eq!(from_utf8_to_utf8(), Err(utf8));

    let parts = |error: StreamError| (error.offset(), error.error_len(), error.kind());
    let incomplete = StreamErrorKind::Utf8(Utf8ErrorKind::Incomplete);
    assert_eq!(parts(utf8_to_stream().unwrap_err()), (2, None, incomplete));
    let low = StreamErrorKind::Utf16(Utf16ErrorKind::UnpairedLowSurrogate);
    assert_eq!(parts(units_to_stream().unwrap_err()), (6, Some(2), low), "offsets of streams are in bytes");
    #[cfg(feature = "utf32")]
    {
        let error = StreamError::from(fastutf::utf32::validate_utf32(&[0x61, 0x62, 0x63, 0xDC00]).unwrap_err());
        assert_eq!((error.offset(), error.error_len()), (12, Some(4)));
        let error = StreamError::from(fastutf::utf32::validate_utf32be(b"\0\0\0a\0\0\xDC\0").unwrap_err());
        assert_eq!((error.offset(), error.error_len()), (4, Some(4)));
    }
    #[cfg(feature = "latin1")]
    {
        let error =
            StreamError::from(fastutf::latin1::validate_latin1_in_utf16(&[0x61, 0x62, 0x63, 0x100]).unwrap_err());
        assert_eq!((error.offset(), error.error_len()), (6, Some(2)));
        let error = StreamError::from(fastutf::latin1::validate_latin1_in_utf16le(b"a\0\0\x01").unwrap_err());
        assert_eq!((error.offset(), error.error_len()), (2, Some(2)));
    }
    #[cfg(all(feature = "latin1", feature = "utf32"))]
    {
        let error = fastutf::utf32::utf32_to_latin1(&[0x61, 0x62, 0x63, 0x100], &mut [0; 4]).error().unwrap();
        let error = StreamError::from(error);
        assert_eq!((error.offset(), error.error_len()), (12, Some(4)));
    }
    assert_eq!(parts(bytes_to_stream().unwrap_err()), (2, Some(2), low));
    let lead = StreamErrorKind::Utf8(Utf8ErrorKind::InvalidLead);
    assert_eq!(parts(from_utf8_to_stream().unwrap_err()), (2, Some(1), lead));
}

/// What `{:?}` prints is what the methods return.
#[test]
fn what_a_conversion_comes_to() {
    use fastutf::ConversionError;

    let convert = |src: &[u8]| fastutf::utf8_to_utf16(src, &mut [0; 2]);
    assert_eq!((convert(b"").complete(), convert("éa".as_bytes()).complete()), (Ok(0), Ok(2)));
    let full = convert("éab".as_bytes()).complete().unwrap_err();
    assert_eq!(full, ConversionError::OutputFull { read: 3, written: 2 });
    assert_eq!(full.to_string(), "the output is full (read: 3, written: 2)");
    let error = convert(b"ab\xFF").complete().unwrap_err();
    assert_eq!(error, ConversionError::Invalid(convert(b"ab\xFF").error().unwrap()));
    assert_eq!(error.to_string(), "invalid utf-8 at byte 2: invalid lead byte");
    assert_eq!(convert(b"abc").valid_or_full(), Ok(2));
    assert!(convert(b"a\xFFc").valid_or_full().is_err());
    let [full, error] = [full, error].map(io::Error::from);
    assert_eq!((full.kind(), error.kind()), (io::ErrorKind::WriteZero, io::ErrorKind::InvalidData));
    assert_eq!(full.to_string(), "the output is full (read: 3, written: 2)");
}

#[test]
fn debug_shows_what_the_methods_return() {
    let error = fastutf::validate_utf8(b"a\xE2").unwrap_err();
    assert_eq!(format!("{error:?}"), "Utf8Error { valid_up_to: 1, error_len: None, kind: Incomplete }");
    let error = fastutf::validate_utf8(b"a\xE2\x82!").unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Utf8Error { valid_up_to: 1, error_len: Some(2), kind: MissingContinuation }"
    );
    let error: FromUtf8Error = fastutf::string_from_utf8(b"\xFC".to_vec()).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "FromUtf8Error { bytes: [252], error: Utf8Error { valid_up_to: 0, error_len: Some(1), kind: FiveOrSixByteForm } }"
    );
    let error = fastutf::validate_utf16(&[0x61, 0xD800]).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Utf16Error { valid_up_to: 1, error_len: None, kind: TrailingHighSurrogate, unit: CodeUnits }"
    );
    let error = fastutf::validate_utf16le(b"a\0\0\xDC").unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Utf16Error { valid_up_to: 2, error_len: Some(2), kind: UnpairedLowSurrogate, unit: Bytes }"
    );
    assert_eq!(
        format!("{:?}", StreamError::from(error)),
        "StreamError { offset: 2, error_len: Some(2), kind: Utf16(UnpairedLowSurrogate) }"
    );
}

/// Every public type is `Send` and `Sync`.
#[test]
fn types_are_send_and_sync() {
    use fastutf::io::{TranscodingReader, TranscodingWriter, Utf8Reader};
    use fastutf::stream::{Utf8Decoder, Utf8Pieces, Validator};

    fn check<T: Send + Sync + Unpin + std::panic::UnwindSafe>() {}
    check::<(Isa, fastutf::ParseIsaError, fastutf::Utf8Info, Stop<Utf8Error>)>();
    check::<(fastutf::Conversion<Utf8Error>, fastutf::LossyConversion, Utf8Error, Utf16Error, FromUtf8Error)>();
    check::<(fastutf::Utf8Chunk, fastutf::Utf8Chunks)>();
    check::<(Encoding, ByteOrder, Source, StreamError, StreamErrorKind, Transcoder, Utf8Decoder, Validator)>();
    check::<(TranscodingReader<&[u8]>, TranscodingWriter<Vec<u8>>, Utf8Reader<&[u8]>)>();
    // This one mutably borrows its decoder, so it is not `UnwindSafe`.
    fn send_sync<T: Send + Sync + Unpin>() {}
    send_sync::<Utf8Pieces>();
}
