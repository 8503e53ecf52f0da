//! `TranscodingWriter`: the output must be the same as that of the standard library for the whole text.

use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use fastutf::Isa;
use fastutf::stream::{Encoding, Transcoder};
use fastutf_testkit::{Rng, hex, one_in};
use fastutf_tokio::TranscodingWriter;
use tokio::io::{AsyncWrite, AsyncWriteExt};

use crate::cases::{UNICODE, place, transcoder, up_to_one_of};
use crate::{cases, encode};

/// A writer that takes up to `step` bytes at every other call, and waits or fails in between.
#[derive(Debug)]
struct Slow {
    bytes: Vec<u8>,
    step: usize,
    fails: bool,
    calls: usize,
    flushed: usize,
    shut_down: bool,
}

impl Slow {
    fn new(step: usize) -> Self {
        Self { bytes: Vec::new(), step, fails: false, calls: 0, flushed: 0, shut_down: false }
    }

    fn ready(&mut self) -> Poll<io::Result<()>> {
        self.calls += 1;
        match self.calls % 2 {
            1 if self.fails => Poll::Ready(Err(io::Error::other("the line"))),
            1 => Poll::Pending,
            _ => Poll::Ready(Ok(())),
        }
    }
}

impl AsyncWrite for Slow {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, src: &[u8]) -> Poll<io::Result<usize>> {
        assert!(!src.is_empty(), "an empty write");
        self.ready().map_ok(|()| {
            let taken = src.len().min(self.step);
            self.bytes.extend_from_slice(&src[..taken]);
            taken
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.ready().map_ok(|()| self.flushed += 1)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.ready().map_ok(|()| self.shut_down = true)
    }
}

/// Makes a future, polls it once and drops it, and repeats this until one is ready and the inner writer has not failed.
macro_rules! patiently {
    ($future:expr) => {
        loop {
            match pin!($future).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Pending => {}
                Poll::Ready(Err(error)) if error.to_string() == "the line" => {}
                Poll::Ready(result) => break result,
            }
        }
    };
}

#[test]
fn a_writer_writes_the_text_through_buffers_of_every_size() {
    let mut rng = Rng::new(70);
    for case in &cases() {
        for &to in Encoding::ALL {
            for isa in Isa::available() {
                for capacity in (1..=64).filter(|_| rng.below(one_in(8)) == 0).collect::<Vec<usize>>() {
                    let lossy = rng.below(2) == 0;
                    let (piece, step) = (up_to_one_of(&[3, 80], &mut rng), up_to_one_of(&[3, 70], &mut rng));
                    let (flushes, fails, shuts) = (rng.below(2) == 0, rng.below(2) == 0, rng.below(2) == 0);
                    let context = format!(
                        "{piece} bytes at a time, capacity {capacity}, steps of {step}, flushes {flushes}, fails {fails}, \
                         shuts {shuts}, to {to:?}, lossy {lossy}, on {isa}; {:?}: {}",
                        case.from,
                        hex(&case.bytes)
                    );
                    let inner = Slow { fails, ..Slow::new(step) };
                    let mut writer =
                        TranscodingWriter::with_capacity(capacity, inner, transcoder(case.from, to, lossy, isa));
                    let (want, fault, replacements) = case.converted(to, lossy);
                    let mut rest = &case.bytes[..];
                    while !rest.is_empty() {
                        if flushes && rng.below(4) == 0 {
                            patiently!(writer.flush()).unwrap();
                        }
                        match patiently!(writer.write(&rest[..rest.len().min(piece)])) {
                            Ok(0) => panic!("nothing written: {context}"),
                            Ok(taken) => rest = &rest[taken..],
                            Err(error) => {
                                assert_eq!(Some(place(&error)), fault, "{context}");
                                let again = patiently!(writer.write(rest)).unwrap_err();
                                assert_eq!(Some(place(&again)), fault, "{context}");
                                break;
                            }
                        }
                    }
                    for time in ["first", "again"] {
                        let result =
                            if shuts { patiently!(writer.shutdown()) } else { patiently!(writer.try_finish()) };
                        assert_eq!(result.err().as_ref().map(place), fault, "{time}: {context}");
                        let got = &writer.get_ref().bytes;
                        assert!(*got == want, "{context}:\n  got {}\n want {}", hex(got), hex(&want));
                    }
                    assert_eq!(writer.transcoder().replacements(), replacements, "{context}");
                    let inner = writer.into_inner();
                    assert_eq!(inner.shut_down, shuts && fault.is_none(), "{context}");
                    assert!(shuts || fault.is_some() || inner.flushed > 0, "{context}");
                }
            }
        }
    }
}

/// A write that is dropped while it waits has no effect: its text is not written, and does not make the start of a
/// character before it ill-formed.
#[test]
fn a_write_that_is_dropped_has_not_been() {
    let mut waited = 0;
    for isa in Isa::available() {
        for lossy in [false, true] {
            for to in UNICODE {
                for filled in 0..=40 {
                    let to_it = transcoder(Encoding::Utf8, to, lossy, isa);
                    let mut writer = TranscodingWriter::with_capacity(16, Slow::new(5), to_it);
                    let before = [&b"x".repeat(filled)[..], b"\xF0\x9F"].concat();
                    let mut rest = &before[..];
                    while !rest.is_empty() {
                        rest = &rest[patiently!(writer.write(rest)).unwrap()..];
                    }
                    let dropped = pin!(writer.write(b"!")).poll(&mut Context::from_waker(Waker::noop()));
                    if dropped.is_ready() {
                        // There was room in the buffer.
                        continue;
                    }
                    waited += 1;
                    assert_eq!(patiently!(writer.write(b"\x98\x80")).unwrap(), 2);
                    patiently!(writer.shutdown()).unwrap();
                    let want = encode(&("x".repeat(filled) + "\u{1F600}"), to);
                    assert_eq!(writer.transcoder().replacements(), 0, "{to:?} after {filled} on {isa}");
                    assert_eq!(writer.into_inner().bytes, want, "{to:?} after {filled} on {isa}");
                }
            }
        }
    }
    assert!(waited > 100, "{waited}");
}

#[test]
fn the_end_of_a_text_inside_a_character() {
    for isa in Isa::available() {
        let to_utf16 = transcoder(Encoding::Utf8, Encoding::Utf16Le, false, isa);
        let mut writer = TranscodingWriter::new(Slow::new(9), to_utf16);
        assert_eq!(patiently!(writer.write(b"a\xE2\x82")).unwrap(), 3);
        for _ in 0..2 {
            assert_eq!(place(&patiently!(writer.shutdown()).unwrap_err()), (1, None), "{isa}");
            assert_eq!(place(&patiently!(writer.try_finish()).unwrap_err()), (1, None), "{isa}");
        }
        assert_eq!((&*writer.get_ref().bytes, writer.get_ref().shut_down), (&b"a\0"[..], false), "{isa}");
        // A flush does not end the text, and does not report errors in it.
        patiently!(writer.flush()).unwrap();

        let mut writer =
            TranscodingWriter::new(Slow::new(1), transcoder(Encoding::Utf16Le, Encoding::Utf8, true, isa));
        assert_eq!(patiently!(writer.write(b"a\0\x3D\xD8\0")).unwrap(), 5);
        patiently!(writer.flush()).unwrap();
        assert_eq!(writer.get_ref().bytes, b"a", "{isa}");
        patiently!(writer.shutdown()).unwrap();
        assert_eq!(writer.get_ref().bytes, "a\u{FFFD}\u{FFFD}".as_bytes(), "{isa}");
        assert!(writer.get_ref().shut_down);
        assert_eq!(patiently!(writer.write(b"b")).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(patiently!(writer.write(b"")).unwrap(), 0);
    }
}

#[test]
fn a_writer_that_takes_nothing() {
    let to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Le);
    let mut memory = [0; 6];
    let mut writer = TranscodingWriter::with_capacity(16, io::Cursor::new(&mut memory[..]), to_utf16);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        writer.write_all(b"abcd").await.unwrap();
        assert_eq!(writer.flush().await.unwrap_err().kind(), ErrorKind::WriteZero);
        assert_eq!(writer.finish().await.unwrap_err().kind(), ErrorKind::WriteZero);
    });
}

#[test]
fn the_inner_writer_can_be_changed_and_taken_back() {
    let mut writer = TranscodingWriter::new(Slow::new(9), Transcoder::new(Encoding::Utf8, Encoding::Utf16Le));
    writer.get_mut().bytes.push(b'!');
    Pin::new(&mut writer).get_pin_mut().bytes.push(b'!');
    let mut writer = writer.lossy();
    assert_eq!(patiently!(writer.write(b"a\xFF")).unwrap(), 2);
    assert!(format!("{writer:?}").contains("4/8192"), "{writer:?}");
    assert_eq!(writer.transcoder().replacements(), 1);
    // `into_inner` writes nothing.
    assert_eq!(writer.into_inner().bytes, b"!!");
}

/// From one encoding into another and back, over a connection that holds a few bytes at a time.
#[test]
fn over_a_connection() {
    let text = "aé€😀\nłódź\r\n日本語".repeat(40);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for encoding in UNICODE {
        for room in [1, 2, 3, 7, 1000, 100_000] {
            let (near, far) = tokio::io::duplex(room);
            let there = Transcoder::new(Encoding::Utf8, encoding);
            let back = Transcoder::new(encoding, Encoding::Utf8);
            let mut writer = TranscodingWriter::new(near, there);
            let mut reader = fastutf_tokio::TranscodingReader::new(far, back);
            let send = async {
                writer.write_all(text.as_bytes()).await.unwrap();
                writer.shutdown().await.unwrap();
            };
            let mut all = String::new();
            let receive = tokio::io::AsyncReadExt::read_to_string(&mut reader, &mut all);
            let ((), read) = runtime.block_on(futures_util::future::join(send, receive));
            assert_eq!(read.unwrap(), text.len());
            assert!(all == text, "{encoding:?}, {room} bytes at a time");
        }
    }
}
