//! Echoes text over WebSockets, for any client: `ws://127.0.0.1:9001/`

use std::net::TcpListener;
use std::{env, io, thread};

fn main() -> io::Result<()> {
    let listener = TcpListener::bind(env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9001".into()))?;
    println!("ws://{}/", listener.local_addr()?);
    for stream in listener.incoming() {
        let stream = stream?;
        thread::spawn(move || {
            if let Err(error) = fastutf_examples::websocket_echo::serve(stream) {
                eprintln!("{error}");
            }
        });
    }
    Ok(())
}
