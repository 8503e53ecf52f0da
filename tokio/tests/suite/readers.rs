//! `TranscodingReader`: the result must be the same as that of the standard library for the whole text, and as that of
//! the reader of `fastutf::io`.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::marker::PhantomPinned;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::task::{Context, Poll, Waker};

use fastutf::Isa;
use fastutf::stream::{ByteOrder, Encoding, Source, Transcoder};
use fastutf_testkit::{Filler, Rng, hex, one_in};
use fastutf_tokio::TranscodingReader;
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, ReadBuf};

use crate::cases::{Case, Place, UNICODE, place, transcoder, up_to_one_of};
use crate::{cases, encode};

/// The results of an inner reader, call by call, up to its end.
struct Script<'a> {
    events: VecDeque<Event<'a>>,
    ended: bool,
}

#[derive(Clone, Copy, Debug)]
enum Event<'a> {
    Bytes(&'a [u8]),
    Pending,
    Fails,
}

impl<'a> Script<'a> {
    fn new(events: impl IntoIterator<Item = Event<'a>>) -> Self {
        // Reading no bytes would be the end.
        let events = events.into_iter().filter(|event| !matches!(event, Event::Bytes([])));
        Self { events: events.collect(), ended: false }
    }

    /// Pending, some bytes, pending, …, pending, end.
    fn halting(chunks: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let events = chunks.into_iter().flat_map(|chunk| [Event::Pending, Event::Bytes(chunk)]);
        Self::new(events.chain([Event::Pending]))
    }
}

impl AsyncRead for Script<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        assert!(!self.ended, "read again after its end");
        assert!(buf.remaining() > 0, "read into an empty buffer");
        match self.events.pop_front() {
            None => self.ended = true,
            Some(Event::Pending) => return Poll::Pending,
            Some(Event::Fails) => return Poll::Ready(Err(io::Error::other("the line"))),
            Some(Event::Bytes(bytes)) => {
                let (now, later) = bytes.split_at(bytes.len().min(buf.remaining()));
                buf.put_slice(now);
                if !later.is_empty() {
                    self.events.push_front(Event::Bytes(later));
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// How to read from a reader.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// Into initialised memory.
    Read,
    /// Into memory that is partly filled, and partly initialised after that.
    Uninit,
    BufRead,
    /// All of them, at random.
    Mixed,
}

const WAYS: [Way; 4] = [Way::Read, Way::Uninit, Way::BufRead, Way::Mixed];

fn context() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

/// Polls once, into a new buffer. A pending call keeps nothing in the caller's buffer for the next.
fn poll_once(
    mut reader: Pin<&mut (impl AsyncBufRead + ?Sized)>,
    way: Way,
    room: usize,
    rng: &mut Rng,
) -> Poll<io::Result<Vec<u8>>> {
    let way = if way == Way::Mixed { rng.pick(&WAYS[..3]) } else { way };
    match way {
        Way::Read => {
            let mut memory = vec![0xA5; room];
            let mut buf = ReadBuf::new(&mut memory);
            let poll = reader.poll_read(&mut context(), &mut buf);
            if !matches!(poll, Poll::Ready(Ok(()))) {
                assert!(buf.filled().is_empty(), "filled the buffer, but did not return Ok");
            }
            poll.map_ok(|()| buf.filled().to_vec())
        }
        Way::Uninit => {
            let before = rng.below(4);
            let mut memory = vec![std::mem::MaybeUninit::uninit(); before + room];
            let mut buf = ReadBuf::uninit(&mut memory);
            buf.put_slice(&b"full"[..before]);
            let some = rng.below(room + 1);
            buf.initialize_unfilled_to(some);
            let poll = reader.poll_read(&mut context(), &mut buf);
            assert_eq!(buf.filled()[..before], b"full"[..before]);
            poll.map_ok(|()| buf.filled()[before..].to_vec())
        }
        _ => {
            let poll = reader.as_mut().poll_fill_buf(&mut context());
            poll.map_ok(|shown| shown[..shown.len().min(room)].to_vec()).map_ok(|shown| {
                reader.as_mut().consume(shown.len());
                shown
            })
        }
    }
}

/// Reads everything, up to the end or an error. The next call must return the same end or error. After pending, or an
/// error that is not about the text, calls again.
fn drain(
    reader: &mut (impl AsyncBufRead + Unpin),
    way: Way,
    mut room: impl FnMut(&mut Rng) -> usize,
    rng: &mut Rng,
) -> (Vec<u8>, Option<Place>) {
    let (mut all, mut ends) = (Vec::new(), Vec::new());
    while ends.len() < 2 {
        let room = room(rng);
        match poll_once(Pin::new(&mut *reader), way, room, rng) {
            Poll::Pending => {}
            Poll::Ready(Ok(bytes)) if bytes.is_empty() => ends.push(None),
            Poll::Ready(Ok(bytes)) => {
                assert!(ends.is_empty(), "text after the end");
                assert!(bytes.len() <= room);
                all.extend_from_slice(&bytes);
            }
            Poll::Ready(Err(error)) if error.to_string() == "the line" => {}
            Poll::Ready(Err(error)) => ends.push(Some(place(&error))),
        }
    }
    assert_eq!(ends[0], ends[1], "at the call after the last");
    (all, ends[0])
}

/// The same with the reader of `fastutf::io`, which has its own tests.
fn by_io(bytes: &[u8], transcoder: Transcoder) -> (Vec<u8>, Option<Place>) {
    let mut all = Vec::new();
    let result = fastutf::io::TranscodingReader::new(bytes, transcoder).read_to_end(&mut all);
    (all, result.err().as_ref().map(place))
}

#[test]
fn a_transcoding_reader_gives_the_text_in_buffers_of_every_size() {
    let mut rng = Rng::new(60);
    for case in &cases() {
        for &to in Encoding::ALL {
            for isa in Isa::available() {
                for room in (1..=64).filter(|_| rng.below(one_in(8)) == 0).collect::<Vec<usize>>() {
                    let lossy = rng.below(2) == 0;
                    let way = rng.pick(&WAYS);
                    let (capacity, step) = (up_to_one_of(&[80], &mut rng), up_to_one_of(&[3, 70], &mut rng));
                    let inner = Script::halting(case.bytes.chunks(step));
                    let mut reader =
                        TranscodingReader::with_capacity(capacity, inner, transcoder(case.from, to, lossy, isa));
                    let got = drain(&mut reader, way, |_| room, &mut rng);
                    let (text, fault, replacements) = case.converted(to, lossy);
                    let want = (text, fault);
                    assert!(
                        got == want,
                        "{way:?} {room} bytes at a time, capacity {capacity}, steps of {step}, to {to:?}, lossy {lossy}, \
                         on {isa}:\n  got {got:?}\n want {want:?}\n{:?}: {}",
                        case.from,
                        hex(&case.bytes)
                    );
                    assert_eq!(reader.transcoder().replacements(), replacements, "{case:?} on {isa}");
                }
            }
        }
    }
}

/// Every character and error, in every encoding, cut in three at any two places, and into single bytes, with a wait at each
/// cut. They are converted into any encoding, with any treatment of a BOM.
#[test]
fn input_may_be_cut_anywhere() {
    let mut rng = Rng::new(61);
    let mut cases = Vec::new();
    for text in ["", "z", "zł€😀", "\u{FEFF}€", "😀😀"] {
        cases.push(Case::utf8(text.as_bytes()));
        let units: Vec<u16> = text.encode_utf16().collect();
        for from in [Encoding::Utf16Le, Encoding::Utf16Be] {
            cases.push(Case::utf16(from, &units, None));
            cases.push(Case::utf16(from, &[&units[..], &[0xDC00, 0x7A]].concat(), None));
            cases.push(Case::utf16(from, &[&[0xD83D], &units[..]].concat(), Some(0xD8)));
            cases.push(Case::utf16(from, &[&units[..], &[0xD83D]].concat(), Some(0xDC)));
        }
        for bad in [&b"\xFF"[..], b"\xC5", b"\xF0\x9F\x98", b"\xED\xA0\x80"] {
            cases.push(Case::utf8(&[text.as_bytes(), bad].concat()));
            cases.push(Case::utf8(&[bad, text.as_bytes()].concat()));
        }
    }
    let isas: Vec<Isa> = Isa::available().collect();
    for case in &cases {
        for marked in [false, true] {
            // A BOM moves the text after it.
            let mark: &[u8] = if marked { case.from.bom() } else { &[] };
            let bytes = [mark, &case.bytes].concat();
            let starts_with_mark = bytes.starts_with(case.from.bom());
            let mut sources = vec![Source::KeepBom(case.from), Source::StripBom(case.from)];
            if starts_with_mark || case.from == Encoding::Utf8 {
                sources.push(Source::DetectBom { fallback: Encoding::Utf8 });
            }
            if case.from != Encoding::Utf8 {
                let fallback = if case.from == Encoding::Utf16Le { ByteOrder::Little } else { ByteOrder::Big };
                sources.push(Source::Utf16 { fallback });
            }
            for source in sources {
                for &to in Encoding::ALL {
                    for lossy in [false, true] {
                        let want = by_io(&bytes, transcoder(source, to, lossy, Isa::best()));
                        if !marked && !starts_with_mark {
                            let (text, fault, _) = case.converted(to, lossy);
                            assert_eq!(want, (text, fault), "the reader of io itself: {case:?}");
                        }
                        for second in 0..=bytes.len() {
                            for first in 0..=second {
                                let cut = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                                check_cut(&cut, source, to, lossy, &want, &isas, &mut rng);
                            }
                        }
                        let single: Vec<&[u8]> = bytes.chunks(1).collect();
                        check_cut(&single, source, to, lossy, &want, &isas, &mut rng);
                    }
                }
            }
        }
    }
}

fn check_cut(
    chunks: &[&[u8]],
    source: Source,
    to: Encoding,
    lossy: bool,
    want: &(Vec<u8>, Option<Place>),
    isas: &[Isa],
    rng: &mut Rng,
) {
    let (isa, way, capacity) = (rng.pick(isas), rng.pick(&WAYS), up_to_one_of(&[5, 80], rng));
    let most = rng.pick(&[1, 2, 3, 5, 64]);
    let inner = Script::halting(chunks.iter().copied());
    let mut reader = TranscodingReader::with_capacity(capacity, inner, transcoder(source, to, lossy, isa));
    let got = drain(&mut reader, way, |rng| 1 + rng.below(most), rng);
    assert!(
        got == *want,
        "{chunks:02X?}, {source:?} to {to:?}, lossy {lossy}, on {isa}, {way:?} of up to {most}, capacity {capacity}:\n  \
         got {got:02X?}\n want {want:02X?}"
    );
}

#[test]
fn ill_formed_at_every_place() {
    let mut rng = Rng::new(62);
    let isas: Vec<Isa> = Isa::available().collect();
    for filler in Filler::ALL {
        let text = String::from_utf8(filler.after(200)).unwrap();
        for (at, _) in text.char_indices() {
            let (before, after) = text.split_at(at);
            let mut cases = Vec::new();
            for bad in [&b"\xFF"[..], b"\xF0\x9F\x98", b"\xC0\xAF"] {
                cases.push(Case::utf8(&[before.as_bytes(), bad, after.as_bytes()].concat()));
            }
            for from in [Encoding::Utf16Le, Encoding::Utf16Be] {
                let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
                cases.push(Case::utf16(from, &[units(before), vec![0xDC00], units(after)].concat(), None));
            }
            for case in &cases {
                for lossy in [false, true] {
                    let to = rng.pick(Encoding::ALL);
                    let (text, fault, _) = case.converted(to, lossy);
                    let want = (text, fault);
                    let step = up_to_one_of(&[3, 70, 300], &mut rng);
                    let chunks: Vec<&[u8]> = case.bytes.chunks(step).collect();
                    check_cut(&chunks, case.from.into(), to, lossy, &want, &isas, &mut rng);
                }
            }
        }
    }
}

/// Dropping a pending future loses nothing.
#[test]
fn nothing_is_lost_with_a_future_that_is_dropped() {
    let text = "aé€😀\nłódź\r\n日本語\n";
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for isa in Isa::available() {
        for from in UNICODE {
            let bytes = encode(text, from);
            for step in 1..=7 {
                let to_utf8 = transcoder(from, Encoding::Utf8, false, isa);
                let reader = || TranscodingReader::new(Script::halting(bytes.chunks(step)), to_utf8.clone());

                let (mut one, mut all, mut dropped) = (reader(), Vec::new(), 0);
                loop {
                    let mut buf = [0; 3];
                    match pin!(one.read(&mut buf)).poll(&mut context()) {
                        Poll::Pending => dropped += 1,
                        Poll::Ready(Ok(0)) => break,
                        Poll::Ready(read) => all.extend_from_slice(&buf[..read.unwrap()]),
                    }
                }
                assert!(all == text.as_bytes(), "{from:?} in steps of {step} on {isa}: {all:X?}");
                assert!(dropped > bytes.len() / step, "{dropped} futures dropped");

                let (mut one, mut all) = (reader(), bytes::BytesMut::new());
                while match pin!(one.read_buf(&mut all)).poll(&mut context()) {
                    Poll::Pending => true,
                    Poll::Ready(read) => read.unwrap() > 0,
                } {}
                assert!(all == text.as_bytes(), "{from:?} in steps of {step} on {isa}: {all:X?}");

                let (mut lines, mut all) = (reader().lines(), Vec::new());
                loop {
                    match pin!(lines.next_line()).poll(&mut context()) {
                        Poll::Pending => {}
                        Poll::Ready(Ok(None)) => break,
                        Poll::Ready(line) => all.extend(line.unwrap()),
                    }
                }
                assert!(all.iter().eq(text.lines().collect::<Vec<_>>()), "{from:?}, {step} on {isa}: {all:?}");

                let (mut by_line, mut all) = (reader(), String::new());
                while match pin!(by_line.read_line(&mut all)).poll(&mut context()) {
                    Poll::Pending => true,
                    Poll::Ready(read) => read.unwrap() > 0,
                } {}
                assert_eq!(all, text, "{from:?} in steps of {step} on {isa}");

                let (mut whole, mut all) = (reader(), String::new());
                while pin!(whole.read_to_string(&mut all)).poll(&mut context()).map(Result::unwrap).is_pending() {}
                assert_eq!(all, text, "{from:?} in steps of {step} on {isa}");

                // The same without drops, with tokio's own loops.
                let inner = Script::new(bytes.chunks(step).map(Event::Bytes));
                let mut one = TranscodingReader::with_capacity(4, inner, to_utf8.clone());
                let mut all = String::new();
                let read = AsyncReadExt::read_to_string(&mut one, &mut all);
                assert_eq!(runtime.block_on(read).unwrap(), text.len());
                assert_eq!(all, text, "{from:?} in steps of {step} on {isa}");
            }
        }
    }
}

/// Lines and whole texts, with their lengths; what is not UTF-8, or begins inside of a character, is an error.
#[test]
fn to_a_string() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let reader = |to| TranscodingReader::new("€uro\nzł".as_bytes(), Transcoder::new(Encoding::Utf8, to));
    for is_line in [false, true] {
        let read = async |reader: &mut TranscodingReader<&[u8]>, text: &mut String| {
            if is_line { reader.read_line(text).await } else { reader.read_to_string(text).await }
        };
        runtime.block_on(async {
            let (mut text, mut one) = (String::from("before: "), reader(Encoding::Utf8));
            assert_eq!(read(&mut one, &mut text).await.unwrap(), if is_line { 7 } else { 10 });
            assert_eq!(text, if is_line { "before: €uro\n" } else { "before: €uro\nzł" });
            assert_eq!(read(&mut one, &mut text).await.unwrap(), if is_line { 3 } else { 0 });
            assert_eq!(text, "before: €uro\nzł");
            assert_eq!(read(&mut one, &mut text).await.unwrap(), 0);
            for to in [Encoding::Utf8, Encoding::Utf16Be] {
                let mut one = reader(to);
                one.read_exact(&mut [0]).await.unwrap();
                let error = read(&mut one, &mut text).await.unwrap_err();
                assert_eq!((error.kind(), &*text), (io::ErrorKind::InvalidData, "before: €uro\nzł"));
            }
        });
    }
}

#[test]
fn after_an_error_of_the_inner_reader_the_text_goes_on() {
    let text = "aé€😀\nłódź\n日本語";
    let mut rng = Rng::new(63);
    for isa in Isa::available() {
        for from in UNICODE {
            let bytes = encode(text, from);
            for at in 0..=bytes.len() {
                let inner = Script::new([Event::Bytes(&bytes[..at]), Event::Fails, Event::Bytes(&bytes[at..])]);
                let mut reader = TranscodingReader::new(inner, transcoder(from, Encoding::Utf8, false, isa));
                let mut failed = 0;
                let mut all = Vec::new();
                loop {
                    match poll_once(Pin::new(&mut reader), Way::Mixed, 5, &mut rng) {
                        Poll::Ready(Ok(read)) if read.is_empty() => break,
                        Poll::Ready(Ok(read)) => all.extend(read),
                        Poll::Ready(Err(error)) => {
                            assert_eq!(error.to_string(), "the line");
                            failed += 1;
                        }
                        Poll::Pending => {}
                    }
                }
                assert_eq!((&*all, failed), (text.as_bytes(), 1), "{from:?} at {at} on {isa}");
            }
        }
    }
}

#[test]
fn nothing_is_read_for_nothing() {
    let to_utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8);
    let mut reader = TranscodingReader::new(Script::new([Event::Bytes(b"ab\xFF")]), to_utf8);
    let mut rng = Rng::new(64);
    let mut read = |room| poll_once(Pin::new(&mut reader), Way::Read, room, &mut rng);
    assert!(matches!(read(0), Poll::Ready(Ok(read)) if read.is_empty()));
    assert!(matches!(read(9), Poll::Ready(Ok(read)) if read == b"ab"));
    assert!(matches!(read(9), Poll::Ready(Err(_))));
    assert!(matches!(read(0), Poll::Ready(Ok(read)) if read.is_empty()), "after an error");
    assert!(matches!(read(9), Poll::Ready(Err(_))));
    assert_eq!(reader.get_ref().events.len(), 0);
}

#[test]
fn a_large_read_is_converted_where_it_is_wanted() {
    let mut rng = Rng::new(65);
    for isa in Isa::available() {
        let src = [b'x'; 64];
        let reader = || {
            let to_utf16 = transcoder(Encoding::Utf8, Encoding::Utf16Le, false, isa);
            TranscodingReader::with_capacity(64, &src[..], to_utf16)
        };
        // More than a buffer of 64 bytes holds.
        let read = poll_once(Pin::new(&mut reader()), Way::Read, 128, &mut rng);
        assert!(matches!(read, Poll::Ready(Ok(read)) if read.len() == 128), "{isa}");
        // The reader does not initialise memory that it does not fill.
        let mut memory = [std::mem::MaybeUninit::uninit(); 1 << 12];
        let mut buf = ReadBuf::uninit(&mut memory);
        assert!(Pin::new(&mut reader()).poll_read(&mut context(), &mut buf).is_ready());
        assert_eq!((buf.filled().len(), buf.initialized().len()), (64, 64), "{isa}");
    }
}

/// An inner reader that replaces the buffer it was given by another one causes a panic: the original buffer does not
/// contain what it has read.
#[test]
#[should_panic = "the inner reader has filled another buffer"]
fn a_lie_of_the_inner_reader() {
    struct Liar;
    /// Keeps the memory reachable, so that leak detectors do not report it.
    static OTHER: AtomicPtr<[u8; 9]> = AtomicPtr::new(std::ptr::null_mut());
    impl AsyncRead for Liar {
        fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
            let other = Box::leak(Box::new([b'x'; 9]));
            std::hint::black_box(&OTHER).store(other, Ordering::Relaxed);
            *buf = ReadBuf::new(other);
            buf.advance(9);
            Poll::Ready(Ok(()))
        }
    }
    let to_utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8);
    let mut reader = TranscodingReader::new(Liar, to_utf8);
    let _ = poll_once(Pin::new(&mut reader), Way::BufRead, 9, &mut Rng::new(66));
}

/// The inner reader need not be `Unpin` if the adapter is pinned.
#[test]
fn a_reader_that_must_not_move() {
    struct Fixed<R>(R, PhantomPinned);
    impl<R: AsyncRead + Unpin> AsyncRead for Fixed<R> {
        fn poll_read(
            self: Pin<&mut Self>,
            context: &mut Context<'_>,
            buf: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            // SAFETY: nothing is moved out of `self`, and the field is `Unpin`.
            Pin::new(unsafe { &mut self.get_unchecked_mut().0 }).poll_read(context, buf)
        }
    }
    let to_utf8 = Transcoder::new(Encoding::Utf16Be, Encoding::Utf8);
    let inner = Fixed(Script::halting([&b"\0z\x01"[..], b"\x42"]), PhantomPinned);
    let mut reader = pin!(TranscodingReader::new(inner, to_utf8));
    assert!(!reader.get_ref().0.ended);
    let (all, fault) = drain(&mut reader, Way::Mixed, |_| 1, &mut Rng::new(67));
    assert_eq!((&*all, fault), ("zł".as_bytes(), None));
    assert!(reader.as_mut().get_pin_mut().0.ended);
}

#[test]
fn the_inner_reader_can_be_changed_and_taken_back() {
    let mut reader = TranscodingReader::new(&b"ab"[..], Transcoder::new(Encoding::Utf16Be, Encoding::Utf8));
    *reader.get_mut() = b"\0c\xDC\0";
    let mut reader = reader.lossy();
    let mut rng = Rng::new(68);
    let shown = poll_once(Pin::new(&mut reader), Way::BufRead, 1, &mut rng);
    assert!(matches!(shown, Poll::Ready(Ok(shown)) if shown == b"c"));
    let shown = format!("{reader:?}");
    assert!(shown.contains("3/8192"), "{shown}");
    Pin::new(&mut reader).consume(usize::MAX);
    let (all, fault) = drain(&mut reader, Way::Mixed, |_| 9, &mut rng);
    assert_eq!((&*all, fault), (&b""[..], None));
    assert_eq!(reader.transcoder().replacements(), 1);
    assert_eq!(reader.into_inner(), b"");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000 / one_in(10) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes, partly text, in chunks of any size, into buffers of any size: the same result as all of them at once.
    #[test]
    fn any_bytes_in_any_chunks(
        parts in vec(prop_oneof![".{0,9}".prop_map(String::into_bytes), vec(any::<u8>(), 0..9)], 0..12),
        (from, to) in (0..3usize, 0..3usize),
        (mark, lossy) in (0..4u8, any::<bool>()),
        sizes in vec(1..20usize, 1..9),
        capacity in 1..40usize,
        seed in any::<u64>(),
    ) {
        let (bytes, from, to) = (parts.concat(), Encoding::ALL[from], Encoding::ALL[to]);
        let source = match mark {
            0 => Source::KeepBom(from),
            1 => Source::StripBom(from),
            2 => Source::Utf16 { fallback: ByteOrder::Big },
            _ => Source::DetectBom { fallback: from },
        };
        let whole = || transcoder(source, to, lossy, Isa::SCALAR);
        let mut want = Vec::new();
        let mut once = whole();
        let result = once.convert_append(&bytes, &mut want).and_then(|()| once.finish_append(&mut want));
        let want = (want, result.err().map(|error| (error.offset(), error.error_len())));

        let (mut chunks, mut rest) = (Vec::new(), &bytes[..]);
        for size in sizes.iter().cycle() {
            let (chunk, after) = rest.split_at(rest.len().min(*size));
            chunks.push(chunk);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        let mut rng = Rng::new(seed);
        for isa in Isa::available() {
            let inner = Script::halting(chunks.iter().copied());
            let mut reader = TranscodingReader::with_capacity(capacity, inner, whole().with_isa(isa));
            let got = drain(&mut reader, Way::Mixed, |rng| up_to_one_of(&[4, 64], rng), &mut rng);
            prop_assert!(got == want, "on {isa}: got {got:02X?}, want {want:02X?}");
            prop_assert_eq!(reader.transcoder().replacements(), once.replacements());
            prop_assert_eq!(reader.transcoder().encoding(), once.encoding());
        }
        prop_assert_eq!(by_io(&bytes, whole()), want);
    }
}
