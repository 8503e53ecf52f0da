//! What is at a limit, in every place of short texts: nothing here is drawn, and nothing is left out.
//!
//! A limit is what kernels compare with: the first and the last character of each length and of each form, and what is
//! ill-formed beside it. Each stands in each place of each length up to two vectors, and of each length at the end of a
//! longer block, among equal characters of each length. Every function that validates or converts its form gets this text,
//! on every instruction set. The expected result is put together from those of the parts (`common::oracle::form`).

use fastutf::Isa;

use crate::common::hex;
use crate::common::oracle::form::{Converted, End, Family, Form, Item};
use crate::common::pairs::{Convert, Pair, Report, Search, Text, pairs, searches};

/// Whether a text of so many bytes is one of those to try. The blocks of loops are of 64, 128 or 256 bytes, and of 512 for
/// UTF-32.
fn is_tried(isa: Isa, form: Form, len: usize) -> bool {
    let vector = match isa.name() {
        "avx512" => 64,
        "avx2" => 32,
        _ => 16,
    };
    let blocks = if form.unit() == 4 { &[64, 128, 256, 512][..] } else { &[64, 128, 256] };
    len <= 2 * vector || blocks.iter().any(|&block| len.abs_diff(block) < 2.max(form.unit() + 1))
}

/// The greatest length that is tried.
const MOST: usize = 520;

/// Room to spare. Kernels of AVX-512 store this much at once.
const SPARE: usize = 64;

/// Room for the result on one instruction set. The longest is of UTF-32.
const SLOT: usize = 2 * MOST + SPARE;

/// Of UTF-8, WTF-8 and modified UTF-8.
const BYTES: &[&[u8]] = &[
    // The first and the last of each length, of ASCII, of Latin-1, of a limit between surrogates and others.
    b"\0",
    b"\x7F",
    b"\xC2\x80",
    b"\xC3\xBF",
    b"\xC4\x80",
    b"\xDF\xBF",
    b"\xE0\xA0\x80",
    b"\xED\x9F\xBF",
    b"\xEE\x80\x80",
    b"\xEF\xBF\xBF",
    b"\xF0\x90\x80\x80",
    b"\xF4\x8F\xBF\xBF",
    // Below the first, or above the last of each length.
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xE0\x9F\xBF",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xED\xAF\xBF\xED\xB0\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80\x80\x80",
    b"\xF8",
    b"\xFF",
    // A continuation too many.
    b"\x80",
    b"\xBF",
    b"\xDF\xBF\x80",
    b"\xEF\xBF\xBF\xBF",
    b"\xF4\x8F\xBF\xBF\x80",
    // Cut short.
    b"\xC2",
    b"\xDF",
    b"\xE0\xA0",
    b"\xED\x9F",
    b"\xEF",
    b"\xEF\xBF",
    b"\xF0",
    b"\xF0\x90",
    b"\xF0\x90\x80",
    b"\xF4\x8F\xBF",
    // What is next to continuations.
    b"\xDF\x7F",
    b"\xDF\xC0",
    b"\xE1\x80\x7F",
    b"\xE1\x80\xC0",
    b"\xF1\x80\x80\x7F",
    b"\xF1\x80\x80\xC0",
];

/// Of UTF-16 and UTF-32.
const UNITS: &[&[u32]] = &[
    &[0],
    &[0x7F],
    &[0x80],
    &[0xFF],
    &[0x100],
    &[0x7FF],
    &[0x800],
    &[0xD7FF],
    &[0xD800],
    &[0xDFFF],
    &[0xE000],
    &[0xFFFF],
];

/// Of UTF-16 only.
const UNITS_16: &[&[u32]] = &[
    &[0xDBFF],
    &[0xDC00],
    &[0xD800, 0xDC00],
    &[0xDBFF, 0xDFFF],
    &[0xDC00, 0xDBFF],
    &[0xDBFF, 0xDBFF],
    &[0xD800, 0xDC00, 0xDC00],
    // In the other byte order these are surrogates.
    &[0xD8],
    &[0xFFDF],
];

/// Of UTF-32 only.
const UNITS_32: &[&[u32]] = &[
    &[0x1_0000],
    &[0x10_D800],
    &[0x10_FFFF],
    &[0x11_0000],
    &[0x11_D800],
    &[0x0100_0041],
    &[0x7FFF_FFFF],
    &[0x8000_0000],
    &[0x8000_0041],
    &[0xFFFF_FFFF],
    // In the other byte order this is a character, or a surrogate.
    &[0x4100_0000],
    &[0x00D8_0000],
];

/// All limits of a form, and numbers of bytes that are no unit, which only a text in bytes can end with.
fn limits(form: Form) -> Vec<Vec<u8>> {
    let units = |limits: &[&[u32]]| {
        let of = |units: &[u32]| {
            let mut bytes = Vec::new();
            units.iter().for_each(|&unit| form.put_unit(unit, &mut bytes));
            bytes
        };
        UNITS.iter().chain(limits).map(|units| of(units)).collect::<Vec<_>>()
    };
    let mut limits = match form.family() {
        Family::Utf8 | Family::Generalised => BYTES.iter().map(|&bytes| bytes.to_vec()).collect(),
        Family::OneByte => [0, 0x7F, 0x80, 0xBF, 0xC0, 0xFF].map(|byte| vec![byte]).to_vec(),
        Family::Utf16 => units(UNITS_16),
        Family::Utf32 => units(UNITS_32),
    };
    if !form.is_native() {
        limits.extend((1..form.unit()).map(|len| vec![0xD8; len]));
    }
    limits
}

/// A character again and again.
struct Filler {
    /// How many bytes it has.
    len: usize,
    text: Text,
}

impl Filler {
    /// What `character` becomes in this form.
    fn new(form: Form, character: u32) -> Self {
        let bytes = form.encode([if form.has(character) { character } else { form.replacement() }]);
        Self { len: bytes.len(), text: Text::new(form, &bytes.repeat(MOST)) }
    }
}

/// What is known of a pair of forms and of what stands in a text.
struct Expected {
    /// Characters around the limit, in the other form.
    filler: Filler,
    /// Whether that has them.
    fits: bool,
    strict: Converted,
    lossy: Converted,
    limit: Text,
}

/// A limit in a text: between so many characters.
#[derive(Clone, Copy)]
struct Place<'a> {
    filler: &'a Filler,
    limit: &'a [u8],
    before: usize,
    after: usize,
}

impl Expected {
    fn new(from: Form, to: Form, character: u32, limit: &[u8]) -> Self {
        let items = from.items_for(to, limit);
        let lossy = to.lossy(&items, usize::MAX);
        Self {
            filler: Filler::new(to, character),
            fits: to.has(character),
            strict: to.strict(&items, usize::MAX),
            limit: Text::new(to, &lossy.bytes),
            lossy,
        }
    }

    /// What a strict conversion of the text reports, if there is room.
    fn strict(&self, Place { filler, limit, before, after }: Place) -> Report {
        let report = |read, written, end| Report { read, written, replacements: 0, end };
        let start = (before * filler.len, before * self.filler.len);
        if before > 0 && !self.fits {
            report(0, 0, End::Invalid)
        } else if self.strict.end == End::Invalid {
            report(start.0 + self.strict.read, start.1 + self.strict.bytes.len(), End::Invalid)
        } else if after > 0 && !self.fits {
            report(start.0 + limit.len(), start.1 + self.strict.bytes.len(), End::Invalid)
        } else {
            let written = (before + after) * self.filler.len + self.strict.bytes.len();
            report((before + after) * filler.len + limit.len(), written, End::Complete)
        }
    }

    /// What one that replaces reports.
    fn lossy(&self, Place { filler, limit, before, after }: Place) -> Report {
        let others = before + after;
        Report {
            read: others * filler.len + limit.len(),
            written: others * self.filler.len + self.lossy.bytes.len(),
            replacements: self.lossy.replacements + if self.fits { 0 } else { others },
            end: End::Complete,
        }
    }
}

/// A pair of forms, what is expected of it, and memory for results.
struct Conversion<'a> {
    pair: &'a Pair,
    expected: Expected,
    text: Text,
    room: Text,
}

impl Conversion<'_> {
    fn check(&mut self, isas: &[Isa], src: &Text, place: Place) {
        let Self { pair, expected, text, room } = self;
        let (strict, lossy) = (expected.strict(place), expected.lossy(place));
        let filler = (&expected.filler.text, expected.filler.len);
        text.join([
            (filler.0, place.before * filler.1),
            (&expected.limit, usize::MAX),
            (filler.0, place.after * filler.1),
        ]);
        let mut check = |name: &str, convert: &Convert, want: Report, len: usize| {
            let mut got = [want; 8];
            for (k, isa) in isas.iter().enumerate() {
                let at = k * SLOT;
                room.wipe(&(at..at + want.written));
                got[k] = convert(*isa, src.view(), &mut room.view_mut()[at..at + len]).0;
            }
            for (k, isa) in isas.iter().enumerate() {
                if got[k] != want || !room.has(k * SLOT, text, want.written) {
                    let bytes = hex(&room.view()[k * SLOT..][..got[k].written]);
                    let (src, text) = (hex(src.view()), hex(&text.view()[..want.written]));
                    panic!("{isa}, {name}: {src} into {len}: {:?} and {bytes}, not {want:?} and {text}", got[k]);
                }
            }
        };
        // One has room to spare, and the other has not, so that kernels come to their ends in both ways.
        let all = lossy.written;
        if let Some((name, convert)) = &pair.strict {
            check(name, convert, strict, all + SPARE);
            if pair.lossy.is_none() {
                check(name, convert, strict, all);
            }
        }
        if let Some((name, convert)) = &pair.lossy {
            check(name, convert, lossy, all);
        }
        let is_well_formed = strict.end == End::Complete;
        for (name, len) in pair.lossy_len.into_iter().chain(pair.len.filter(|_| is_well_formed)) {
            for isa in isas {
                assert_eq!(pair.to.unit() * len(*isa, src.view()), all, "{isa}, {name}: {}", hex(src.view()));
            }
        }
    }
}

/// All limits in all places, for all functions that take this form.
fn check(form: Form) {
    let available: Vec<Isa> = Isa::available().collect();
    let (pairs, searches) = (pairs(), searches());
    let pairs: Vec<&Pair> = pairs.iter().filter(|pair| pair.from == form).collect();
    let searches: Vec<&Search> = searches.iter().filter(|search| search.from == form).collect();
    let mut src = Text::default();
    for character in [b'x'.into(), 0xE9, 0x20AC, 0x1_F600].into_iter().filter(|&c| form.has(c)) {
        let filler = Filler::new(form, character);
        for limit in limits(form) {
            let expected = |to| Expected::new(form, to, character, &limit);
            let mut searches: Vec<_> = searches.iter().map(|search| (search, expected(search.to))).collect();
            let conversion = |&pair: &_| Conversion {
                pair,
                expected: expected(pair.to),
                text: Text::default(),
                room: Text::new(pair.to, &vec![0; available.len() * SLOT]),
            };
            let mut conversions: Vec<_> = pairs.iter().map(conversion).collect();
            let whole = limit.len() % form.unit() == 0;
            let limit_text = Text::new(if whole { form } else { Form::Utf8 }, &limit);
            for others in 0..(MOST - limit.len()) / filler.len {
                let len = others * filler.len + limit.len();
                let isas: Vec<Isa> = available.iter().copied().filter(|&isa| is_tried(isa, form, len)).collect();
                for before in 0..if isas.is_empty() { 0 } else { others + 1 } {
                    let after = others - before;
                    if !whole && after > 0 {
                        continue;
                    }
                    let place = Place { filler: &filler, limit: &limit, before, after };
                    src.join([
                        (&filler.text, before * filler.len),
                        (&limit_text, usize::MAX),
                        (&filler.text, after * filler.len),
                    ]);
                    for (search, expected) in &mut searches {
                        let want = expected.strict(place).read;
                        for isa in &isas {
                            let got = (search.search)(*isa, src.view());
                            assert_eq!(got, want, "{isa}, {}: {}", search.name, hex(src.view()));
                        }
                    }
                    for conversion in &mut conversions {
                        conversion.check(&isas, &src, place);
                    }
                }
            }
        }
    }
}

/// What a conversion has come to after each item of a text, and what it has written.
fn steps(to: Form, items: &[Item], lossy: bool) -> (Vec<Report>, Vec<u8>) {
    let mut steps = vec![Report { read: 0, written: 0, replacements: 0, end: End::OutputFull }];
    let (mut end, mut bytes) = (End::Complete, Vec::new());
    for item in items {
        let point = item.point.filter(|&point| to.has(point));
        if point.is_none() && !lossy {
            end = End::Invalid;
            break;
        }
        to.put(point.unwrap_or(to.replacement()), &mut bytes);
        let last = steps[steps.len() - 1];
        let replacements = last.replacements + usize::from(point.is_none());
        steps.push(Report { read: last.read + item.len, written: bytes.len(), replacements, ..last });
    }
    steps.last_mut().unwrap().end = end;
    (steps, bytes)
}

/// Long texts have to be converted in pieces, and some functions do so by way of another form. Where the room ends near a
/// border of pieces, no character is split. All borders are multiples of 256 bytes.
fn check_rooms(form: Form) {
    let isas: Vec<Isa> = Isa::available().collect();
    let (character, wrong) = match form.family() {
        Family::OneByte => (0xE9, &[][..]),
        Family::Utf16 => (0x1_F600, &[0xDC; 2][..]),
        _ => (0x1_F600, &[0xFF; 4][..form.unit()]),
    };
    for (pair, shift) in
        pairs().iter().filter(|pair| pair.from == form).flat_map(|pair| (0..7).map(move |k| (pair, k)))
    {
        // What comes before the first character may be converted by itself, and moves nothing.
        let mut src = form.encode([character]);
        src.extend(form.encode([u32::from(b'x')].repeat(shift)));
        let well_formed = src.len() + 4300;
        while src.len() < well_formed + 4300 {
            src.extend(form.encode([character]));
            // Some do something else when they have come to what is ill-formed.
            if src.len() > well_formed && src.len() % 128 < 8 {
                src.extend(wrong);
            }
        }
        for (name, convert, lossy) in
            [(&pair.strict, false), (&pair.lossy, true)].into_iter().filter_map(|(function, lossy)| {
                let (name, convert) = function.as_ref()?;
                Some((name, convert, lossy))
            })
        {
            let (steps, bytes) = steps(pair.to, &form.items_for(pair.to, &src), lossy);
            let expected = Text::new(pair.to, &bytes);
            let mut dst = Text::new(pair.to, &vec![0; bytes.len() + 64]);
            let text = Text::new(form, &src);
            for border in (256..src.len()).step_by(256) {
                let at = steps.partition_point(|step| step.read <= border) - 1;
                for room in (0..8).map(|k| (steps[at].written + k * pair.to.unit()).saturating_sub(pair.to.unit()))
                {
                    let want = steps[steps.partition_point(|step| step.written <= room) - 1];
                    for isa in &isas {
                        dst.wipe(&(0..want.written));
                        let got = convert(*isa, text.view(), &mut dst.view_mut()[..room]).0;
                        assert_eq!(got, want, "{isa}, {name}: {} into {room}", hex(&src));
                        assert!(dst.has(0, &expected, got.written), "{isa}, {name}: {} into {room}", hex(&src));
                    }
                }
            }
        }
    }
}

macro_rules! tests {
    ($($name:ident $rooms:ident $form:ident;)*) => {
        $(
        #[test]
        fn $name() {
            check(Form::$form);
        }

        #[test]
        fn $rooms() {
            check_rooms(Form::$form);
        }
    )*

        /// Those that have no tests of their own.
        #[test]
        fn other_forms() {
            for form in Form::ALL.into_iter().filter(|form| ![$(Form::$form),*].contains(form)) {
                check(form);
                check_rooms(form);
            }
        }
    };
}
tests! {
    utf8 rooms_of_utf8 Utf8;
    utf16 rooms_of_utf16 Utf16;
    utf16le rooms_of_utf16le Utf16Le;
    utf16be rooms_of_utf16be Utf16Be;
    utf32 rooms_of_utf32 Utf32;
    utf32le rooms_of_utf32le Utf32Le;
    utf32be rooms_of_utf32be Utf32Be;
    latin1 rooms_of_latin1 Latin1;
    wtf8 rooms_of_wtf8 Wtf8;
    mutf8 rooms_of_mutf8 Mutf8;
}
