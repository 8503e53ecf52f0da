//! Talks to the server over a real connection, with a client that can send single frames, and raw bytes.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tungstenite::{Message, WebSocket};

struct Client {
    socket: WebSocket<TcpStream>,
    server: JoinHandle<()>,
}

impl Client {
    /// Starts a server, and connects to it.
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        // There is no timeout: if the server waited for more, the test would hang.
        stream.set_nodelay(true).unwrap();
        let server = thread::spawn(move || {
            fastutf_examples::websocket_echo::serve(listener.accept().unwrap().0).unwrap();
        });
        let (socket, _) = tungstenite::client("ws://localhost/", stream).unwrap();
        Self { socket, server }
    }

    fn send(&mut self, opcode: Data, payload: &[u8], is_final: bool) {
        let frame = Frame::message(payload.to_vec(), OpCode::Data(opcode), is_final);
        self.socket.send(Message::Frame(frame)).unwrap();
    }

    /// Sends a message in these fragments.
    fn send_fragments(&mut self, fragments: &[&[u8]]) {
        for (at, fragment) in fragments.iter().enumerate() {
            let opcode = if at == 0 { Data::Text } else { Data::Continue };
            self.send(opcode, fragment, at + 1 == fragments.len());
        }
    }

    /// Sends bytes that the client would not send as a frame.
    fn send_raw(&mut self, bytes: &[u8]) {
        self.socket.get_mut().write_all(bytes).unwrap();
    }

    #[track_caller]
    fn expect_echo(&mut self, text: &str) {
        assert_eq!(self.socket.read().unwrap(), Message::text(text));
    }

    /// Asserts that the server closes the connection with this code, and then ends.
    #[track_caller]
    fn expect_close(mut self, code: CloseCode) {
        match self.socket.read().unwrap() {
            Message::Close(Some(frame)) => assert_eq!(frame.code, code),
            other => panic!("{other:?}"),
        }
        drop(self.socket);
        self.server.join().unwrap();
    }
}

#[test]
fn text_is_echoed_however_it_is_fragmented() {
    let mut client = Client::new();
    let text = "naïve zł€😀";
    for len in 1..=text.len() {
        client.send_fragments(&text.as_bytes().chunks(len).collect::<Vec<_>>());
        client.expect_echo(text);
    }
    client.send_fragments(&[b""]);
    client.expect_echo("");
    client.send_fragments(&[b"", b"z\xC5", b"", b"\x82", b""]);
    client.expect_echo("zł");
    // Lengths of all three kinds.
    for len in [125, 126, 65535, 65536, 1 << 20] {
        let text = "ł".repeat(len / 2) + &"z".repeat(len % 2);
        client.send_fragments(&[text.as_bytes()]);
        client.expect_echo(&text);
    }
    client.socket.close(None).unwrap();
    assert_eq!(client.socket.read().unwrap(), Message::Close(None));
    drop(client.socket);
    client.server.join().unwrap();
}

/// The server sends the close code 1007 as soon as an ill-formed byte arrives. The messages are not completed, unless
/// the error is at their end.
#[test]
fn ill_formed_text_closes_the_connection() {
    let unfinished: [&[&[u8]]; 4] =
        [&[b"ab\xFF"], &[b"na\xC3", b"\xAFve", b" \xC0"], &[b"ab\xE2", b"\x82", b"!"], &[b"\xED", b"\xA0"]];
    for fragments in unfinished {
        let mut client = Client::new();
        for (at, fragment) in fragments.iter().enumerate() {
            client.send(if at == 0 { Data::Text } else { Data::Continue }, fragment, false);
        }
        client.expect_close(CloseCode::Invalid);
    }
}

#[test]
fn a_message_that_ends_inside_a_character_closes_the_connection() {
    for fragments in [&[&b"ab\xC3"[..]][..], &[b"ab\xF0", b"\x9F", b"\x98"], &[b"ab\xF0\x9F", b""]] {
        let mut client = Client::new();
        client.send_fragments(fragments);
        client.expect_close(CloseCode::Invalid);
    }
    // The next message does not complete an incomplete character.
    let mut client = Client::new();
    client.send_fragments(&["zł".as_bytes()]);
    client.expect_echo("zł");
    client.send_fragments(&[b"z\xC5"]);
    client.expect_close(CloseCode::Invalid);
}

/// A frame announces 1000 bytes. The third one is ill-formed, and the rest never arrives.
#[test]
fn a_frame_is_refused_before_all_of_it_is_there() {
    let mut client = Client::new();
    client.send_raw(b"\x81\xFE\x03\xE8\x01\x02\x03\x04");
    client.send_raw(&[b'a' ^ 0x01, b'b' ^ 0x02, 0xFF ^ 0x03]);
    client.expect_close(CloseCode::Invalid);
}

#[test]
fn a_ping_between_fragments_is_answered() {
    let mut client = Client::new();
    client.send(Data::Text, b"z\xC5", false);
    client.socket.send(Message::Ping("are you there?".into())).unwrap();
    assert_eq!(client.socket.read().unwrap(), Message::Pong("are you there?".into()));
    client.socket.send(Message::Pong("".into())).unwrap();
    client.send(Data::Continue, b"\x82", true);
    client.expect_echo("zł");
}

/// The limit counts every byte, including those of an incomplete character. Without these, 3 bytes more would pass, and
/// the rest for the next fragment would underflow, which is a panic, or no limit at all.
#[test]
fn a_message_that_is_too_long_in_fragments_is_refused() {
    let longest = 1 << 20;
    let start = [&b"z".repeat(longest - 3)[..], b"\xF0\x9F\x98"].concat();
    let mut client = Client::new();
    client.send(Data::Text, &start, false);
    client.send(Data::Continue, b"\x80zz", true);
    client.expect_close(CloseCode::Size);

    // The longest message, with empty fragments at the end.
    let mut client = Client::new();
    let text = "z".repeat(longest - 4) + "😀";
    client.send_fragments(&[&text.as_bytes()[..longest - 1], &text.as_bytes()[longest - 1..], b"", b""]);
    client.expect_echo(&text);
}

#[test]
fn what_breaks_the_protocol_is_refused() {
    let refused: [(&[u8], CloseCode); 8] = [
        (b"\x80\x81\0\0\0\0a", CloseCode::Protocol), // continues nothing
        (b"\x01\x81\0\0\0\0a\x01\x81\0\0\0\0a", CloseCode::Protocol), // a message inside a message
        (b"\x81\x01a", CloseCode::Protocol),         // not masked
        (b"\xC1\x81\0\0\0\0a", CloseCode::Protocol), // an extension
        (b"\x09\x80\0\0\0\0", CloseCode::Protocol),  // a ping in fragments
        (b"\x82\x81\0\0\0\0a", CloseCode::Unsupported), // binary
        (b"\x88\x83\0\0\0\0\x03\xE8\xFF", CloseCode::Invalid), // a reason that is not UTF-8
        (b"\x81\xFF\0\0\0\0\0\x10\0\x01\0\0\0\0", CloseCode::Size), // longer than a megabyte
    ];
    for (bytes, code) in refused {
        let mut client = Client::new();
        client.send_raw(bytes);
        client.expect_close(code);
    }
}
