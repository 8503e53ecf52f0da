//! Parses the JSON that is sent to it:
//! `curl -H 'content-type: application/json; charset=utf-16le' --data-binary @FILE http://127.0.0.1:3000/`

use std::{env, io};

fn main() -> io::Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:3000".into());
    tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        println!("http://{}/", listener.local_addr()?);
        axum::serve(listener, fastutf_examples::json_body::router()).await
    })
}
