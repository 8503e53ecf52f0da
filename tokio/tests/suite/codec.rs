//! `TextCodec`, with input cut anywhere.

use std::io;

use bytes::BytesMut;
use fastutf::Isa;
use fastutf::bytes::Utf8Bytes;
use fastutf::stream::{ByteOrder, Encoding, Source, StreamError};
use fastutf_testkit::{Filler, Rng};
use fastutf_tokio::TextCodec;
use futures_util::{SinkExt, StreamExt, future};
use tokio_util::codec::{Decoder, Encoder, FramedRead, FramedWrite};

use crate::cases::UNICODE;
use crate::encode;

/// Passes the chunks to the codec as `FramedRead` does. Returns the text, and the offset of the error.
fn receive<'a>(mut codec: TextCodec, chunks: impl IntoIterator<Item = &'a [u8]>) -> (String, Option<u64>) {
    let (mut received, mut text) = (BytesMut::new(), String::new());
    let mut take = |item: io::Result<Option<String>>| match item {
        Ok(None) => Ok(false),
        Ok(Some(piece)) => {
            assert!(!piece.is_empty(), "an empty piece");
            text.push_str(&piece);
            Ok(true)
        }
        Err(error) => Err(offset(&error)),
    };
    let all = || {
        for chunk in chunks {
            received.extend_from_slice(chunk);
            while take(codec.decode(&mut received))? {}
            assert!(received.is_empty());
        }
        while take(codec.decode_eof(&mut received))? {}
        Ok(())
    };
    let error = all().err();
    if error.is_some() {
        // The error is final.
        assert_eq!(codec.decode(&mut BytesMut::from(&b"more"[..])).err().map(|error| offset(&error)), error);
        assert_eq!(codec.decode_eof(&mut BytesMut::new()).err().map(|error| offset(&error)), error);
    } else {
        assert_eq!(codec.decode_eof(&mut BytesMut::new()).unwrap(), None);
    }
    (text, error)
}

fn offset(error: &io::Error) -> u64 {
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    error.get_ref().unwrap().downcast_ref::<StreamError>().expect("a StreamError").offset()
}

/// Cuts the text in three at any two places. The text, its error and its replacements must be the same as without cuts.
#[track_caller]
fn check(source: Source, src: &[u8], valid: &str, error: Option<u64>, lossy: &str) {
    for isa in Isa::available() {
        let codec = TextCodec::new(source, Encoding::Utf8).with_isa(isa);
        for second in 0..=src.len() {
            for first in 0..=second {
                let chunks = [&src[..first], &src[first..second], &src[second..]];
                let about = || format!("{isa}, {source:?}, {chunks:02X?}");
                let strict = receive(codec.clone(), chunks);
                assert_eq!((strict.0.as_str(), strict.1), (valid, error), "{}", about());
                let repaired = receive(codec.clone().lossy(), chunks);
                assert_eq!((repaired.0.as_str(), repaired.1), (lossy, None), "lossy, {}", about());
            }
        }
    }
}

#[test]
fn received_text_may_be_cut_anywhere() {
    for encoding in UNICODE {
        for text in ["", "a", "zł€😀", "\u{FEFF}naïve", "😀😀"] {
            check(encoding.into(), &encode(text, encoding), text, None, text);
            let marked = [encoding.bom(), &encode(text, encoding)].concat();
            check(Source::DetectBom { fallback: Encoding::Utf8 }, &marked, text, None, text);
            check(Source::StripBom(encoding), &marked, text, None, text);
        }
    }
    check(Source::Utf16 { fallback: ByteOrder::Little }, b"z\x00B\x01", "zł", None, "zł");
}

#[test]
fn ill_formed_text_is_found_where_it_is_however_it_is_cut() {
    for src in [
        &b"z\xFF!"[..],
        b"z\xC5",
        b"z\xF0\x9F\x98",
        b"z\xF0\x9F\x98!\xC5\x82",
        b"\xED\xA0\x80",
        b"na\xC3\xAFve\xC0\xAF",
    ] {
        let error = std::str::from_utf8(src).unwrap_err().valid_up_to();
        let valid = std::str::from_utf8(&src[..error]).unwrap();
        check(Encoding::Utf8.into(), src, valid, Some(error as u64), &String::from_utf8_lossy(src));
        let marked = [Encoding::Utf8.bom(), src].concat();
        let source = Source::DetectBom { fallback: Encoding::Utf16Be };
        check(source, &marked, valid, Some(error as u64 + 3), &String::from_utf8_lossy(src));
    }
    let utf16: [(&[u8], &str, u64, &str); 5] = [
        (b"z\x00\x00\xDC!\x00", "z", 2, "z\u{FFFD}!"),
        (b"z\x00\x3D\xD8!\x00", "z", 2, "z\u{FFFD}!"),
        (b"z\x00\x3D\xD8", "z", 2, "z\u{FFFD}"),
        (b"z\x00!", "z", 2, "z\u{FFFD}"),
        (b"z\x00\x3D\xD8!", "z", 2, "z\u{FFFD}\u{FFFD}"),
    ];
    for (src, valid, error, lossy) in utf16 {
        check(Encoding::Utf16Le.into(), src, valid, Some(error), lossy);
        let marked = [b"\xFF\xFE", src].concat();
        check(Source::Utf16 { fallback: ByteOrder::Big }, &marked, valid, Some(error + 2), lossy);
    }
}

/// The length of each string is bounded, even if more text has arrived.
#[test]
fn much_text_is_received_in_pieces() {
    let text = String::from_utf8(Filler::Runs.before(80 << 10)).unwrap();
    for encoding in UNICODE {
        let mut codec = TextCodec::new(encoding, Encoding::Utf8);
        let mut received = BytesMut::from(&encode(&text, encoding)[..]);
        let mut all = String::new();
        while let Some(piece) = codec.decode(&mut received).unwrap() {
            assert!(piece.len() <= 3 * (8 << 10) / 2, "{} bytes at once", piece.len());
            all.push_str(&piece);
        }
        assert!(all == text, "{encoding:?}");
        assert_eq!(codec.transcoder().offset(), encode(&text, encoding).len() as u64);
    }
    let mut codec = TextCodec::new(Encoding::Utf8, Encoding::Utf8).lossy();
    let piece = codec.decode(&mut BytesMut::from(&[0xFF; 100_000][..])).unwrap().unwrap();
    assert_eq!(piece, "\u{FFFD}".repeat(8 << 10));
    assert_eq!(codec.transcoder().replacements(), 8 << 10);
}

#[test]
fn sent_text_is_what_std_makes_of_it() {
    let long = String::from_utf8(Filler::Mixed.before(70 << 10)).unwrap();
    for encoding in UNICODE {
        let mut codec = TextCodec::new(Encoding::Utf8, encoding);
        let mut sent = BytesMut::from(&b"before"[..]);
        codec.encode("zł", &mut sent).unwrap();
        codec.encode("", &mut sent).unwrap();
        codec.encode(long.clone(), &mut sent).unwrap();
        codec.encode(Utf8Bytes::from("\u{FEFF}😀"), &mut sent).unwrap();
        let expected = encode(&format!("zł{long}\u{FEFF}😀"), encoding);
        assert!(sent.strip_prefix(b"before") == Some(&expected), "{encoding:?}");
    }
}

/// Over a connection that holds a few bytes at a time, in every encoding.
#[test]
fn over_a_connection() {
    let text = String::from_utf8(Filler::Mixed.before(5000)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut rng = Rng::new(50);
    for encoding in UNICODE {
        for room in [1, 2, 3, 7, 1000, 100_000] {
            let (near, far) = tokio::io::duplex(room);
            let codec = TextCodec::new(Source::StripBom(encoding), encoding);
            let (mut writer, mut reader) = (FramedWrite::new(near, codec.clone()), FramedRead::new(far, codec));
            let cut = (0..rng.below(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let send = async {
                for part in ["\u{FEFF}", &text[..cut], &text[cut..]] {
                    writer.send(part).await.unwrap();
                }
                drop(writer);
            };
            let receive = async {
                let mut all = String::new();
                while let Some(piece) = reader.next().await {
                    all.push_str(&piece.unwrap());
                }
                all
            };
            let ((), all) = runtime.block_on(future::join(send, receive));
            assert!(all == text, "{encoding:?}, {room} bytes at a time");
        }
    }
}

/// If a connection ends inside a character, there is one error, and then the end.
#[test]
fn a_connection_that_ends_inside_a_character() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut reader = FramedRead::new(&b"z\xF0\x9F"[..], TextCodec::new(Encoding::Utf8, Encoding::Utf8));
        assert_eq!(reader.next().await.unwrap().unwrap(), "z");
        assert_eq!(offset(&reader.next().await.unwrap().unwrap_err()), 1);
        assert!(reader.next().await.is_none());
        assert!(reader.next().await.is_none());
    });
}

/// Text that the other side cannot have is an error, and nothing of it is sent, or is replaced.
#[test]
fn other_encodings_are_sent() {
    let mut sent = BytesMut::new();
    let mut codec = TextCodec::new(Encoding::Latin1, Encoding::Latin1);
    codec.encode("café", &mut sent).unwrap();
    assert_eq!(offset(&codec.encode("5 €", &mut sent).unwrap_err()), 2);
    assert_eq!(&sent[..], b"caf\xE9");
    codec.lossy().encode("5 €", &mut sent).unwrap();
    assert_eq!(&sent[..], b"caf\xE95 ?");
    sent.clear();
    TextCodec::new(Encoding::Utf32Le, Encoding::Utf32Le).encode("zł", &mut sent).unwrap();
    assert_eq!(&sent[..], encode("zł", Encoding::Utf32Le));
}
