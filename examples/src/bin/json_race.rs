//! Races the two ways from the bytes of a JSON document to its values: `cargo run --release -p fastutf-examples --bin json_race`.

use std::hint::black_box;
use std::time::Instant;

use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("documents of 256 KB; time of serde_json::from_slice / that of from_str after fastutf::from_utf8");
    println!("into a        Value  struct");
    for (name, text) in [
        ("short strings", "Ann"),
        ("English", "The quick brown fox jumps over the lazy dog. "),
        ("French", "Dès Noël où un zéphyr haï me vêt de glaçons würmiens. "),
        ("Russian", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
        ("Chinese", "视野无限广,窗外有蓝天。微风迎客,软语伴茶。"),
        ("emoji", "😀 🎉 🚀 👍🏽 ❤️ 😀 🎉 🚀 "),
    ] {
        let text = if text.len() < 20 { text.to_owned() } else { text.repeat(4) };
        let record =
            json!({ "id": 123_456, "name": text.chars().take(12).collect::<String>(), "text": text, "ok": true });
        let record_len = record.to_string().len();
        let body = serde_json::to_vec(&vec![record; (256 << 10) / record_len])?;
        println!("{name:13} {:5.2} {:5.2}", race::<Value>(&body)?, race::<Vec<Record<'_>>>(&body)?);
    }
    Ok(())
}

/// Borrows what has no escape sequence, as fast services do.
#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "fields are only filled")]
struct Record<'a> {
    id: u64,
    #[serde(borrow)]
    name: std::borrow::Cow<'a, str>,
    text: &'a str,
    ok: bool,
}

/// How many times as fast the second way is: the medians of rounds in which both have a turn.
fn race<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<f64, Box<dyn std::error::Error>> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..301 {
        let start = Instant::now();
        black_box(serde_json::from_slice::<T>(black_box(body))?);
        times[0].push(start.elapsed());
        let start = Instant::now();
        black_box(serde_json::from_str::<T>(fastutf::from_utf8(black_box(body))?)?);
        times[1].push(start.elapsed());
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    Ok(times[0][150].as_secs_f64() / times[1][150].as_secs_f64())
}
