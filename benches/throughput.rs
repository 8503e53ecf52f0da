//! Throughput of the main operations on every instruction set, of the standard library, and of crates that also have the
//! operation, in bytes of input per second. `compare` has more operations, texts, sizes and peers.
//!
//! A benchmark's name is `operation/text/implementation`; `fastutf` is the free function, including dispatch. Lossy
//! operations get text in which one byte, or code unit, in 100 is ill-formed. Examples: `cargo bench -- '^validate_utf8/'`,
//! `cargo bench -- utf8_to_utf16le/chinese`.

use std::fmt::Display;
use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use encoding_rs::{Encoding, UTF_8, UTF_16LE, mem};
use fastutf::Isa;
use fastutf_testkit::language::{LANGUAGES, pieces};
use fastutf_testkit::{Rng, damage};

/// Too long for a branch predictor to memorise, in pieces so short that input and output stay in the second-level cache.
const LONG: usize = 1 << 20;
const PIECE: usize = 64 << 10;
/// One input in the forms that operations take.
struct Text {
    utf8: String,
    utf16: Vec<u16>,
    utf16le: Vec<u8>,
    damaged_utf8: Vec<u8>,
    damaged_utf16: Vec<u16>,
}

impl Text {
    fn new(text: &str) -> Self {
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let (mut rng, mut damaged_utf8, mut damaged_utf16) =
            (Rng::new(1), text.as_bytes().to_vec(), utf16.clone());
        damage::utf8(&mut damaged_utf8, &mut rng, damage::one_in(100));
        damage::utf16(&mut damaged_utf16, &mut rng, damage::one_in(100));
        Self {
            utf16le: utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
            utf16,
            damaged_utf8,
            damaged_utf16,
            utf8: text.to_owned(),
        }
    }

    fn bytes(&self) -> &[u8] {
        self.utf8.as_bytes()
    }
}

/// Where results go: room for that of any text, and a vector to append to.
struct Output {
    bytes: Vec<u8>,
    units: Vec<u16>,
    vec: Vec<u8>,
}

/// One operation on one set of texts.
struct Contest<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    case: &'a str,
    texts: &'a [Text],
}

impl Contest<'_, '_> {
    /// Measures an implementation; each iteration takes the next text.
    fn enter(&mut self, who: impl Display, mut operation: impl FnMut(&Text)) {
        self.group.bench_function(BenchmarkId::new(self.case, who), |bencher| {
            let mut texts = self.texts.iter().cycle();
            bencher.iter(|| operation(black_box(texts.next().expect("there is a text"))));
        });
    }
}

struct Operation {
    name: &'static str,
    run: fn(&mut Contest, &mut Output),
    reads_utf16: bool,
}

/// For each operation whether it reads UTF-16, its arguments, and how others do it.
macro_rules! operations {
    (|$text:ident, $out:ident| $(
        $name:ident utf16: $utf16:literal ($($argument:expr),*) $($who:literal: $theirs:expr;)*
    )*) => {
        $(fn $name(contest: &mut Contest, $out: &mut Output) {
            let _ = &$out; // not every operation writes
            contest.enter("fastutf", |$text| _ = black_box(fastutf::$name($($argument),*)));
            for isa in Isa::available() {
                contest.enter(isa, |$text| _ = black_box(isa.$name($($argument),*)));
            }
            $(contest.enter($who, |$text| _ = black_box($theirs));)*
        })*

        const OPERATIONS: &[Operation] = &[
            $(Operation { name: stringify!($name), run: $name, reads_utf16: $utf16 }),*
        ];
    };
}

operations! { |text, out|
    validate_utf8 utf16: false (text.bytes())
        "std": std::str::from_utf8(text.bytes()).is_ok();
        "simdutf8": simdutf8::basic::from_utf8(text.bytes()).is_ok();
        "simdutf8-compat": simdutf8::compat::from_utf8(text.bytes()).is_ok();
        "encoding_rs": Encoding::utf8_valid_up_to(text.bytes());
    utf8_info utf16: false (text.bytes())
        "std": (text.utf8.chars().count(), text.utf8.encode_utf16().count());
    is_ascii utf16: false (text.bytes())
        "std": text.utf8.is_ascii();
        "encoding_rs": mem::is_ascii(text.bytes());
    validate_utf16 utf16: true (&text.utf16)
        "std": char::decode_utf16(text.utf16.iter().copied()).all(|char| char.is_ok());
        "encoding_rs": mem::utf16_valid_up_to(&text.utf16);
    count_chars_utf8 utf16: false (text.bytes())
        "std": text.utf8.chars().count();
    utf16_len_from_utf8 utf16: false (text.bytes())
        "std": text.utf8.encode_utf16().count();
    utf8_len_from_utf16 utf16: true (&text.utf16)
        "std": char::decode_utf16(text.utf16.iter().copied()).flatten().map(char::len_utf8).sum::<usize>();
    utf8_to_utf16le utf16: false (text.bytes(), &mut out.bytes)
        "std": to_utf16le(&text.utf8, &mut out.bytes);
        // In native byte order, which is the same on a little-endian machine.
        "encoding_rs": mem::convert_utf8_to_utf16_without_replacement(text.bytes(), &mut out.units);
    utf8_to_utf16le_append utf16: false (text.bytes(), { out.vec.clear(); &mut out.vec })
        "std": { out.vec.clear(); out.vec.extend(text.utf8.encode_utf16().flat_map(u16::to_le_bytes)) };
    to_utf16 utf16: false (&text.utf8)
        "std": text.utf8.encode_utf16().collect::<Vec<u16>>();
    utf16le_to_utf8 utf16: true (&text.utf16le, &mut out.bytes)
        "std": to_utf8(&text.utf16, &mut out.bytes);
        "encoding_rs": {
            let mut decoder = UTF_16LE.new_decoder_without_bom_handling();
            decoder.decode_to_utf8_without_replacement(&text.utf16le, &mut out.bytes, true)
        };
    from_utf16 utf16: true (&text.utf16)
        "std": String::from_utf16(&text.utf16);
    from_utf8_lossy utf16: false (&text.damaged_utf8)
        "std": String::from_utf8_lossy(&text.damaged_utf8).len();
        "encoding_rs": UTF_8.decode_without_bom_handling(&text.damaged_utf8).0.len();
    utf8_to_utf16_lossy utf16: false (&text.damaged_utf8, &mut out.units)
        "encoding_rs": mem::convert_utf8_to_utf16(&text.damaged_utf8, &mut out.units);
    from_utf16_lossy utf16: true (&text.damaged_utf16)
        "std": String::from_utf16_lossy(&text.damaged_utf16);
    utf16_to_utf8_lossy utf16: true (&text.damaged_utf16, &mut out.bytes)
        "encoding_rs": mem::convert_utf16_to_utf8(&text.damaged_utf16, &mut out.bytes);
}

fn to_utf16le(text: &str, dst: &mut [u8]) -> usize {
    let out = dst.as_chunks_mut::<2>().0.iter_mut();
    out.zip(text.encode_utf16()).map(|(out, unit)| *out = unit.to_le_bytes()).count()
}

fn to_utf8(units: &[u16], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for char in char::decode_utf16(units.iter().copied()) {
        written += char.expect("valid").encode_utf8(&mut dst[written..]).len();
    }
    written
}

/// A name, and the texts.
type Case = (String, Vec<Text>);

/// Measures one operation on several sets of texts.
fn measure(criterion: &mut Criterion, operation: &Operation, cases: &[Case]) {
    let room = 4 * PIECE;
    let mut out = Output { bytes: vec![0; room], units: vec![0; room], vec: Vec::with_capacity(room) };
    let mut group = criterion.benchmark_group(operation.name);
    for (case, texts) in cases {
        let bytes = |text: &Text| if operation.reads_utf16 { text.utf16le.len() } else { text.utf8.len() };
        let bytes: usize = texts.iter().map(bytes).sum();
        group.throughput(Throughput::Bytes((bytes / texts.len()) as u64));
        (operation.run)(&mut Contest { group: &mut group, case, texts }, &mut out);
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(250))
        .nresamples(1000)
        .without_plots()
        .configure_from_args();

    let texts = |text: &str| pieces(text, PIECE).into_iter().map(Text::new).collect();
    let cases = LANGUAGES.iter().map(|language| (language.name.to_owned(), texts(&language.text(LONG))));
    let cases: Vec<Case> = cases.collect();
    for operation in OPERATIONS {
        measure(&mut criterion, operation, &cases);
    }
    criterion.final_summary();
}
