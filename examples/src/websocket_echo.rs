//! A WebSocket server (RFC 6455) that echoes text, and checks it as it arrives: across fragments, and before a frame is
//! complete. Tungstenite does the handshake and parses the headers of frames.

use std::io::{self, BufReader, Cursor, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use fastutf::stream::Utf8Decoder;
use tungstenite::protocol::frame::coding::{CloseCode, Control, Data, OpCode};
use tungstenite::protocol::frame::{CloseFrame, Frame, FrameHeader};

/// The longest message that is echoed, in bytes.
const LONGEST: u64 = 1 << 20;

/// Serves one connection, until either side closes it.
///
/// # Errors
///
/// Errors of the connection, and an ill-formed request.
pub fn serve(stream: TcpStream) -> io::Result<()> {
    // `into_inner` loses no input: a client that sends something before the answer is refused.
    let stream = tungstenite::accept(stream).map_err(io::Error::other)?.into_inner();
    let mut input = BufReader::new(stream.try_clone()?);
    if let Err(end) = converse(&mut input, &mut &stream) {
        let close = match end {
            End::Lost(error) => return Err(error),
            End::Closed => None,
            End::Refused(code) => Some(CloseFrame { code, reason: "".into() }),
        };
        send(&mut &stream, Frame::close(close))?;
    }
    // Reads the rest of the client's data: if we closed the connection before, the client might not get our last frame.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let _ = io::copy(&mut input.take(LONGEST), &mut io::sink());
    Ok(())
}

/// Why a conversation ends.
enum End {
    Lost(io::Error),
    Closed,
    Refused(CloseCode),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Lost(error)
    }
}

/// Echoes message after message. It only returns when the conversation ends.
fn converse(input: &mut impl Read, output: &mut impl Write) -> Result<(), End> {
    loop {
        let (mut decoder, mut text) = (Utf8Decoder::new(), String::new());
        let mut started = false;
        loop {
            let (header, len) = read_header(input)?;
            match header.opcode {
                OpCode::Control(control) => answer(control, &header, len, input, output)?,
                OpCode::Data(Data::Binary) => return Err(End::Refused(CloseCode::Unsupported)),
                OpCode::Data(data) if (data == Data::Continue) == started => {
                    started = true;
                    // The offset counts all bytes. The length of `text` does not include an incomplete character.
                    if len > LONGEST - decoder.offset() {
                        return Err(End::Refused(CloseCode::Size));
                    }
                    read_payload(input, &header, len, |chunk| {
                        decoder.push_to(chunk, &mut text).map_err(|_| End::Refused(CloseCode::Invalid))
                    })?;
                    if header.is_final {
                        break;
                    }
                }
                OpCode::Data(_) => return Err(End::Refused(CloseCode::Protocol)),
            }
        }
        // A fragment may end inside a character, a message may not.
        decoder.finish().map_err(|_| End::Refused(CloseCode::Invalid))?;
        send(output, Frame::message(text, OpCode::Data(Data::Text), true))?;
    }
}

/// Answers a control frame, which may come between the fragments of a message.
fn answer(
    control: Control,
    header: &FrameHeader,
    len: u64,
    input: &mut impl Read,
    output: &mut impl Write,
) -> Result<(), End> {
    if !header.is_final || len > 125 {
        return Err(End::Refused(CloseCode::Protocol));
    }
    let mut payload = Vec::new();
    read_payload(input, header, len, |chunk| {
        payload.extend_from_slice(chunk);
        Ok(())
    })?;
    match control {
        Control::Ping => Ok(send(output, Frame::pong(payload))?),
        Control::Pong => Ok(()),
        // A code of 2 bytes and a reason, or nothing.
        Control::Close if payload.len() == 1 => Err(End::Refused(CloseCode::Protocol)),
        Control::Close if fastutf::from_utf8(payload.get(2..).unwrap_or_default()).is_err() => {
            Err(End::Refused(CloseCode::Invalid))
        }
        Control::Close => Err(End::Closed),
        Control::Reserved(_) => Err(End::Refused(CloseCode::Protocol)),
    }
}

/// Reads the header of a frame and the length of its payload.
fn read_header(input: &mut impl Read) -> Result<(FrameHeader, u64), End> {
    let mut bytes = Vec::with_capacity(14);
    loop {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        bytes.extend(byte);
        match FrameHeader::parse(&mut Cursor::new(&bytes)) {
            Ok(None) => {}
            // Frames of clients are masked, and no extensions were negotiated.
            Ok(Some((header, len))) if header.mask.is_some() && !(header.rsv1 | header.rsv2 | header.rsv3) => {
                return Ok((header, len));
            }
            _ => return Err(End::Refused(CloseCode::Protocol)),
        }
    }
}

/// Passes a payload to `take` in chunks, as they arrive.
fn read_payload(
    input: &mut impl Read,
    header: &FrameHeader,
    len: u64,
    mut take: impl FnMut(&[u8]) -> Result<(), End>,
) -> Result<(), End> {
    let mut mask = header.mask.into_iter().flatten().cycle();
    let mut input = input.take(len);
    let mut chunk = [0; 4096];
    while input.limit() > 0 {
        let count = match input.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        if count == 0 {
            return Err(End::Lost(io::ErrorKind::UnexpectedEof.into()));
        }
        chunk[..count].iter_mut().zip(&mut mask).for_each(|(byte, mask)| *byte ^= mask);
        take(&chunk[..count])?;
    }
    Ok(())
}

fn send(output: &mut impl Write, frame: Frame) -> io::Result<()> {
    let mut bytes = Vec::new();
    frame.format(&mut bytes).map_err(io::Error::other)?;
    output.write_all(&bytes)
}
