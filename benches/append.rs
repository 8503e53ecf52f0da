//! Short texts appended to a growing buffer, compared with the same conversion into a fixed buffer, in nanoseconds per
//! text.
//!
//! All contestants take turns in one process, so that a disturbance affects all of them. Prints the fastest turn and
//! the median of each. Lengths are in characters; a range means random lengths.
//! `cargo bench --bench append`

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::Instant;

use bytes::BytesMut;
use fastutf::bytes as into;
use fastutf_testkit::Rng;

const TEXTS: usize = 2000;
const TURNS: usize = 60;
/// The room for each text.
const ROOM: usize = 256;

type Racer<'a> = (&'static str, Box<dyn FnMut(&[Vec<u8>]) -> usize + 'a>);

/// Lets each of `racers` convert all of `texts`, in turns.
fn race(name: &str, texts: &[Vec<u8>], mut racers: Vec<Racer>) {
    let mut times = vec![Vec::new(); racers.len()];
    for _ in 0..TURNS {
        for ((_, run), times) in racers.iter_mut().zip(&mut times) {
            // The first run fills the caches.
            run(texts);
            let start = Instant::now();
            black_box(run(black_box(texts)));
            times.push(start.elapsed().as_nanos() as f64 / texts.len() as f64);
        }
    }
    print!("{name:30}");
    for ((who, _), times) in racers.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        print!("  {who} {:.1}/{:.1}", times[0], times[TURNS / 2]);
    }
    println!();
}

fn racer<'a>(name: &'static str, mut convert: impl FnMut(&[u8]) -> usize + 'a) -> Racer<'a> {
    (name, Box::new(move |texts| texts.iter().map(|text| convert(text)).sum()))
}

fn to_utf16le(name: &str, texts: &[Vec<u8>]) {
    let (mut buffer, mut lossy_buffer) = ([MaybeUninit::uninit(); ROOM], [MaybeUninit::uninit(); ROOM]);
    let (mut vec, mut lossy_vec) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
    let (mut put_vec, mut put_bytes) = (Vec::with_capacity(ROOM), BytesMut::with_capacity(ROOM));
    let racers = vec![
        racer("uninit", |text| fastutf::utf8_to_utf16le_uninit(text, &mut buffer).written),
        racer("append", |text| {
            vec.clear();
            fastutf::utf8_to_utf16le_append(text, &mut vec).written
        }),
        racer("put_vec", |text| {
            put_vec.clear();
            into::utf8_to_utf16le_put(text, &mut put_vec).written
        }),
        racer("put_bytes", |text| {
            put_bytes.clear();
            into::utf8_to_utf16le_put(text, &mut put_bytes).written
        }),
        racer("append_grown", |text| fastutf::utf8_to_utf16le_append(text, black_box(&mut Vec::new())).written),
        racer("put_grown", |text| into::utf8_to_utf16le_put(text, black_box(&mut Vec::new())).written),
        racer("lossy_uninit", |text| fastutf::utf8_to_utf16le_lossy_uninit(text, &mut lossy_buffer).written),
        racer("lossy_append", |text| {
            lossy_vec.clear();
            fastutf::utf8_to_utf16le_lossy_append(text, &mut lossy_vec).written
        }),
    ];
    race(name, texts, racers);
}

fn from_utf16le(name: &str, texts: &[Vec<u8>]) {
    let (mut buffer, mut lossy_buffer) = ([MaybeUninit::uninit(); ROOM], [MaybeUninit::uninit(); ROOM]);
    let (mut string, mut lossy_string) = (String::with_capacity(ROOM), String::with_capacity(ROOM));
    let (mut put_vec, mut put_bytes) = (Vec::with_capacity(ROOM), BytesMut::with_capacity(ROOM));
    let racers = vec![
        racer("uninit", |text| fastutf::utf16le_to_utf8_uninit(text, &mut buffer).written),
        racer("append", |text| {
            string.clear();
            fastutf::utf16le_to_utf8_append(text, &mut string).written
        }),
        racer("put_vec", |text| {
            put_vec.clear();
            into::utf16le_to_utf8_put(text, &mut put_vec).written
        }),
        racer("put_bytes", |text| {
            put_bytes.clear();
            into::utf16le_to_utf8_put(text, &mut put_bytes).written
        }),
        racer("append_grown", |text| fastutf::utf16le_to_utf8_append(text, black_box(&mut String::new())).written),
        racer("put_grown", |text| into::utf16le_to_utf8_put(text, black_box(&mut Vec::new())).written),
        racer("lossy_uninit", |text| fastutf::utf16le_to_utf8_lossy_uninit(text, &mut lossy_buffer).written),
        racer("lossy_append", |text| {
            lossy_string.clear();
            fastutf::utf16le_to_utf8_lossy_append(text, &mut lossy_string).written
        }),
    ];
    race(name, texts, racers);
}

fn main() {
    let mut rng = Rng::new(1);
    for (language, letters) in [("ascii", "abcdefgh"), ("french", "abcdéfgh"), ("russian", "абвгдежз")] {
        let letters: Vec<char> = letters.chars().collect();
        for (lengths, least, most) in [("20", 20, 20), ("1-40", 1, 40)] {
            let mut text = || -> String {
                let len = rng.within((least, most));
                (0..len).map(|_| rng.pick(&letters)).collect()
            };
            let texts: Vec<String> = (0..TEXTS).map(|_| text()).collect();
            let utf8: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
            to_utf16le(&format!("utf8_to_utf16le {language} {lengths}"), &utf8);
            let utf16le: Vec<Vec<u8>> =
                texts.iter().map(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()).collect();
            from_utf16le(&format!("utf16le_to_utf8 {language} {lengths}"), &utf16le);
        }
    }
}
