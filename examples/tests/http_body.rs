//! Talks to the server over a real connection, in chunks that are cut inside characters.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// Starts a server, which ends with the test program.
fn start() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, fastutf_examples::http_body::router()).await.unwrap();
        });
    });
    address
}

/// A request whose body is sent in chunks.
fn request(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    // There is no timeout: if the server waited for a body that is never completed, the test would hang.
    stream.write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
    stream
}

fn send(stream: &mut TcpStream, chunk: &[u8]) {
    let framed = [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat();
    stream.write_all(&framed).unwrap();
}

/// The status and the body of the answer.
fn answer(mut stream: TcpStream) -> (u16, String) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    (status, String::from_utf8(body).unwrap())
}

/// Sends all of the body in chunks of `len` bytes.
fn post(address: SocketAddr, body: &[u8], len: usize) -> (u16, String) {
    let mut stream = request(address);
    body.chunks(len).for_each(|chunk| send(&mut stream, chunk));
    send(&mut stream, b"");
    answer(stream)
}

#[test]
fn text_is_measured_however_it_is_cut() {
    let address = start();
    let text = "naïve zł€😀".repeat(500);
    let expected = format!("{} bytes, {} characters\n", text.len(), text.chars().count());
    for len in [1, 2, 3, 5, 1000, text.len()] {
        assert_eq!(post(address, text.as_bytes(), len), (200, expected.clone()), "{len} bytes a chunk");
    }
    assert_eq!(post(address, b"", 1), (200, "0 bytes, 0 characters\n".into()));
}

#[test]
fn ill_formed_text_is_refused_before_all_of_it_is_there() {
    let address = start();
    let bad: [(&[&[u8]], &str); 4] = [
        (&[b"na\xC3", b"\xAFve", b" \xC0\xAF"], "byte 7: overlong encoding\n"),
        (&[b"ab\xE2", b"\x82", b"!"], "byte 2: missing continuation byte\n"),
        (&[b"a", b"\x80b"], "byte 1: stray continuation byte\n"),
        (&[b"\xED", b"\xA0\x80"], "byte 0: encoded surrogate\n"),
    ];
    for (chunks, expected) in bad {
        let mut stream = request(address);
        chunks.iter().for_each(|chunk| send(&mut stream, chunk));
        // There is an answer although the body never ends.
        assert_eq!(answer(stream), (400, expected.into()), "{chunks:02X?}");
    }
}

#[test]
fn text_that_ends_inside_a_character_is_refused() {
    let address = start();
    for (body, at) in [(&b"ab\xC3"[..], 2), (b"\xF0\x9F\x98", 0), (b"z\xC5\x82\xE2\x82", 3)] {
        for len in [1, body.len()] {
            let expected = (400, format!("byte {at}: incomplete sequence at end of input\n"));
            assert_eq!(post(address, body, len), expected, "{body:02X?}, {len} bytes a chunk");
        }
    }
}
