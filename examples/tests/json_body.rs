//! Talks to the server over a real connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use fastutf::stream::Encoding;
use fastutf_examples::json_body::{charset, router};

/// Starts a server, which ends with the test program.
fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            axum::serve(tokio::net::TcpListener::from_std(listener).unwrap(), router()).await.unwrap();
        });
    });
    address
}

/// The status and the body of the answer.
fn post(address: SocketAddr, content_type: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
}

#[test]
fn json_in_any_encoding_is_parsed() {
    let (address, json) = (start(), r#"{"name": "naïve", "id": 7}"#);
    let marked = [b"\xFF\xFE".to_vec(), fastutf::to_utf16le(json)].concat();
    for (content_type, body) in [
        ("application/json", json.as_bytes()),
        ("application/json; charset=UTF-8", json.as_bytes()),
        ("application/json; charset=utf-16le", &fastutf::to_utf16le(json)),
        ("application/json; charset=\"utf-16\"", &fastutf::to_utf16be(json)),
        ("application/json; charset=utf-16", &marked),
        ("application/json", &marked),
        ("application/json; q=1; charset=iso-8859-1", b"{\"name\": \"na\xEFve\", \"id\": 7}"),
    ] {
        assert_eq!(post(address, content_type, body), (200, "2 members\n".into()), "{content_type}");
    }
}

#[test]
fn errors_say_where() {
    let address = start();
    let refused = |content_type, body| {
        let (status, message) = post(address, content_type, body);
        assert_eq!(status, 400);
        message
    };
    assert_eq!(refused("application/json", b"{\"a\": \"\xC0\xAF\"}"), "byte 7: overlong encoding\n");
    assert_eq!(refused("text/json; charset=utf-16", b"\xFF\xFE\0\xDC"), "byte 2: unpaired low surrogate\n");
    assert_eq!(refused("application/json", b"[1,]"), "trailing comma at line 1 column 4\n");
    assert_eq!(post(address, "text/json; charset=koi8-r", b"[]").0, 415);
}

#[test]
fn labels() {
    assert_eq!(charset("text/plain").unwrap().resolve(b"abc").0, Encoding::Utf8);
    assert_eq!(charset("text/plain; Charset = UTF-16 ").unwrap().resolve(b"\0a").0, Encoding::Utf16Be);
    assert_eq!(charset("text/plain; charset=latin1").unwrap().resolve(b"\xFF\xFE").0, Encoding::Latin1);
    assert_eq!(charset("text/plain; charset=shift_jis"), None);
}
