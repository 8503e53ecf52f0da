//! Does a call take longer where the text, or its result, ends right before memory that must not be touched?
//!
//! For each instruction set, operation and text: how many times as long a call takes if the source, or the destination,
//! ends at the end of a page and the next page is protected, compared with the middle of a page. Loads and stores of
//! part of a vector are slow in such places on many CPUs. All places take turns in one process; lengths are in bytes of
//! UTF-8. Unix only.
//! `cargo bench --bench page_ends`

#[cfg(unix)]
#[path = "../fuzz/src/memory/guarded.rs"]
mod guarded;

/// What `guarded` makes memory of.
#[cfg(unix)]
trait Element {}
#[cfg(unix)]
impl Element for u8 {}

#[cfg(not(unix))]
fn main() {
    println!("page ends are measured on Unix only");
}

#[cfg(unix)]
fn main() {
    use std::hint::black_box;
    use std::time::Instant;

    use fastutf::Isa;
    use fastutf_testkit::language::{LANGUAGES, char_boundary};

    const LENGTHS: [usize; 9] = [3, 7, 15, 24, 31, 48, 63, 100, 200];
    /// The lengths of the text and of what it becomes, at the most.
    const ROOM: usize = 1024;
    const TURNS: usize = 40;
    const CALLS: usize = 1000;
    type Operation = fn(Isa, &[u8], &mut [u8]) -> usize;
    /// Name, whether it reads UTF-8, and the operation.
    const OPERATIONS: [(&str, bool, Operation); 8] = [
        ("validate_utf8", true, |isa, src, _| isa.validate_utf8(src).is_ok().into()),
        ("utf16_len_from_utf8", true, |isa, src, _| isa.utf16_len_from_utf8(src)),
        ("utf8_to_utf16le", true, |isa, src, dst| isa.utf8_to_utf16le(src, dst).written),
        ("utf8_to_utf16le_lossy", true, |isa, src, dst| isa.utf8_to_utf16le_lossy(src, dst).written),
        ("validate_utf16le", false, |isa, src, _| isa.validate_utf16le(src).is_ok().into()),
        ("utf8_len_from_utf16le", false, |isa, src, _| isa.utf8_len_from_utf16le(src)),
        ("utf16le_to_utf8", false, |isa, src, dst| isa.utf16le_to_utf8(src, dst).written),
        ("utf16le_to_utf8_lossy", false, |isa, src, dst| isa.utf16le_to_utf8_lossy(src, dst).written),
    ];

    // A place inside of the memory, or at its end.
    let place = |len: usize, at_end: bool| if at_end { ROOM - len..ROOM } else { ROOM / 4..ROOM / 4 + len };
    let [source, result] = [guarded::guarded::<u8>(ROOM), guarded::guarded(ROOM)]
        .map(|memory| memory.last_chunk_mut::<ROOM>().expect("a page is longer"));
    println!("{:8}{:24}{:>16}{:>16}   (mean of all texts, most)", "", "", "source", "destination");
    for isa in Isa::available() {
        for (name, reads_utf8, run) in OPERATIONS {
            let mut ratios = [const { Vec::new() }; 2];
            let texts = LANGUAGES.iter().flat_map(|language| LENGTHS.map(|len| (language.text(4 * len), len)));
            for (text, len) in texts {
                let text = &text[..char_boundary(&text, len)];
                let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let (src, room) = if reads_utf8 { (text.as_bytes(), units.len()) } else { (&*units, text.len()) };
                for at_end in [false, true] {
                    source[place(src.len(), at_end)].copy_from_slice(src);
                }
                let mut least = [f64::MAX; 3];
                for _ in 0..TURNS {
                    for (least, (src_at_end, dst_at_end)) in
                        least.iter_mut().zip([(false, false), (true, false), (false, true)])
                    {
                        let src = &source[place(src.len(), src_at_end)];
                        let dst = &mut result[place(room, dst_at_end)];
                        let start = Instant::now();
                        for _ in 0..CALLS {
                            black_box(run(isa, black_box(src), black_box(&mut *dst)));
                        }
                        *least = least.min(start.elapsed().as_nanos() as f64);
                    }
                }
                let writes = name.contains("_to_");
                for (ratios, time) in ratios.iter_mut().zip(&least[1..=1 + usize::from(writes)]) {
                    ratios.push(time / least[0]);
                }
            }
            print!("{:8}{name:24}", isa.name());
            for ratios in ratios.iter().filter(|ratios| !ratios.is_empty()) {
                let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
                let most = ratios.iter().fold(0.0, |most: f64, &ratio| most.max(ratio));
                print!("{:>16}", format!("{mean:.2}, {most:.2}"));
            }
            println!();
        }
    }
}
