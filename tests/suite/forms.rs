//! Every pair of forms of text, with the functions that convert from one to the other: what they do with all characters,
//! all pairs of bytes, and every kind of ill-formed text at every place of a block. The oracle knows no pairs, only forms.
//! `docs/forms.md` has the same table.

use fastutf::Isa;
use fastutf::stream::{Encoding, Transcoder};

use crate::common::oracle::form::{Family, Form};
use crate::common::pairs::{self, Convert, Pair, Report, Text, pairs, told};
use crate::common::room::Parts;
use crate::common::told::Report as _;
use crate::common::{Rng, one_in, one_in_emulated};

/// All of a text through a `Transcoder`.
fn through(mut transcoder: Transcoder, src: &[u8], dst: &mut [u8]) -> (Report, u64) {
    let mut out = transcoder.convert(src, dst);
    if out.is_complete() {
        let end = transcoder.finish(&mut dst[out.written..]);
        out.written += end.written;
        out.stop = end.stop;
    }
    let read = transcoder.offset() as usize - transcoder.pending().len();
    let (report, error) = told(out);
    (Report { read, replacements: transcoder.replacements() as usize, ..report }, error)
}

fn streams() -> Vec<Pair> {
    let mut all = Vec::new();
    for &from in Encoding::ALL {
        for &to in Encoding::ALL {
            let transcoder = move |isa| Transcoder::new(from, to).with_isa(isa);
            let strict: Convert = Box::new(move |isa, src, dst| through(transcoder(isa), src, dst));
            let lossy: Convert = Box::new(move |isa, src, dst| through(transcoder(isa).lossy(), src, dst));
            all.push(Pair {
                from: from.told(),
                to: to.told(),
                strict: Some(("a stream", strict)),
                lossy: Some(("a lossy stream", lossy)),
                len: None,
                lossy_len: None,
            });
        }
    }
    all
}

/// The functions and the streams.
fn all() -> Vec<Pair> {
    [pairs(), streams()].into_iter().flatten().collect()
}

/// Compares a pair with the oracle on every instruction set.
#[track_caller]
fn check(pair: &Pair, text: &[u8], room: usize) {
    let isas: Vec<_> = Isa::available().collect();
    pairs::check(pair, &isas, Text::new(pair.from, text).view(), room, &Parts::from(isas[0]));
}

/// Calls `check` with all characters that both forms have, and with all of the first, some at a time: in their order, in
/// which equal lengths stand together, and mixed.
fn with_all_characters(from: Form, to: Form, mut check: impl FnMut(&[u8])) {
    let rng = &mut Rng::new(144);
    let step = one_in_emulated().min(31) | 1;
    let mut all: Vec<u32> = (0..=0x10_FFFF).step_by(step).filter(|&point| from.has(point)).collect();
    for _ in ["in order", "mixed"] {
        let fitting: Vec<u32> = all.iter().copied().filter(|&c| to.has(c)).collect();
        let other = if fitting.len() == all.len() { &[] } else { &all[..] };
        for chunk in fitting.chunks(1000).chain(other.chunks(1000)) {
            if rng.below(one_in(20).min(200)) == 0 {
                check(&from.encode(chunk.iter().copied()));
            }
        }
        for at in (1..all.len()).rev() {
            all.swap(at, rng.below(at + 1));
        }
    }
}

#[test]
fn all_characters() {
    let rng = &mut Rng::new(145);
    for pair in all() {
        if rng.below(one_in_emulated().div_ceil(3).min(10)) > 0 {
            continue;
        }
        with_all_characters(pair.from, pair.to, |text| check(&pair, text, text.len()));
    }
}

/// Text of one kind, or of all, as far as a form has it.
fn filler(form: Form, kind: usize, len: usize, rng: &mut Rng) -> Vec<u8> {
    const KINDS: [(usize, usize); 5] =
        [(0, 0x7F), (0x80, 0xFF), (0x100, 0x7FF), (0x800, 0xD7FF), (0x1_0000, 0x10_FFFF)];
    let mut character = || {
        let (from, to) = KINDS[if kind < KINDS.len() { kind } else { rng.below(KINDS.len()) }];
        rng.within((from, to)) as u32
    };
    form.encode((0..len).map(|_| Some(character()).filter(|&c| form.has(c)).unwrap_or('é'.into())))
}
const FILLERS: usize = 6;

#[test]
fn all_pairs_of_bytes() {
    let rng = &mut Rng::new(141);
    for pair in all() {
        let mut next = 0;
        while let Ok(bytes) = u16::try_from(next) {
            next += 1 + rng.below(2 * one_in(60) - 1);
            let unit = pair.from.unit();
            let (len, kind) = (rng.below(150), rng.below(FILLERS));
            let mut text = filler(pair.from, kind, len, rng);
            text.extend(bytes.to_be_bytes());
            text.extend(filler(pair.from, kind, rng.pick(&[0, 0, 1, 9, 70]), rng));
            if pair.from.is_native() {
                text.truncate(text.len() / unit * unit);
            }
            check(&pair, &text, rng.below(2 * text.len() + 4));
        }
    }
}

/// Every kind of ill-formed text.
fn faults(form: Form) -> Vec<Vec<u8>> {
    let units = |units: &[u32]| {
        let mut bytes = Vec::new();
        units.iter().for_each(|&unit| form.put_unit(unit, &mut bytes));
        bytes
    };
    match form.family() {
        Family::OneByte => vec![],
        Family::Utf8 => [
            &b"\x80"[..],
            b"\xBF\xBF",
            b"\xC0\x80",
            b"\xC1\xBF",
            b"\xC3",
            b"\xDF",
            b"\xE0\x9F\xBF",
            b"\xE2\x82",
            b"\xE2",
            b"\xED\xA0\x80",
            b"\xED\xBF\xBF",
            b"\xF0\x8F\xBF\xBF",
            b"\xF0\x9F\x98",
            b"\xF0\x9F",
            b"\xF0",
            b"\xF4\x90\x80\x80",
            b"\xF5\x80\x80\x80",
            b"\xF8\x88\x80\x80\x80",
            b"\xFE",
            b"\xFF",
        ]
        .map(<[u8]>::to_vec)
        .to_vec(),
        Family::Generalised => [
            &b"\x80"[..],
            b"\xC0\xAF",
            b"\xC1\x80",
            b"\xDF",
            b"\xE0\x9F\xBF",
            b"\xE2\x82",
            b"\xED\xA0",
            b"\xED",
            b"\xED\xA0\xBD\xED\xB8\x80",
            b"\xED\xB0\x80\xED\xA0\x80",
            b"\xF0\x9F\x98\x80",
            b"\xF0\x8F\xBF\xBF",
            b"\xF4\x90\x80\x80",
            b"\xF0\x9F\x98",
            b"\xF8",
            b"\xFF",
            b"\0",
            b"\xC0\x80",
            b"\xC0",
        ]
        .map(<[u8]>::to_vec)
        .to_vec(),
        Family::Utf16 => [&[0xD800][..], &[0xDBFF], &[0xDC00], &[0xDFFF], &[0xDC00, 0xD800], &[0xD83D, 0xD83D]]
            .map(units)
            .to_vec(),
        Family::Utf32 => [
            0xD800,
            0xDBFF,
            0xDC00,
            0xDFFF,
            0x11_0000,
            0x7FFF_FFFF,
            0x8000_0000,
            0x8000_0041,
            0xFFFF_FFFF,
            0x0100_0041,
        ]
        .map(|unit| units(&[unit]))
        .to_vec(),
    }
}

#[test]
fn every_fault_at_every_place() {
    let rng = &mut Rng::new(142);
    for pair in all() {
        let mut faults = faults(pair.from);
        // What the other form does not have.
        let missing = [0x100, 0xFFFF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x1_0000, 0x10_FFFF];
        let missing = missing.into_iter().filter(|&c| pair.from.has(c) && !pair.to.has(c));
        faults.extend(missing.map(|point| pair.from.encode([point])));
        for fault in faults {
            for at in 0..=140 {
                for kind in 0..FILLERS {
                    if rng.below(one_in(8)) > 0 {
                        continue;
                    }
                    let mut text = filler(pair.from, kind, at, rng);
                    text.extend(&fault);
                    text.extend(filler(pair.from, kind, rng.pick(&[0, 1, 17, 80]), rng));
                    if !pair.from.is_native() && rng.below(3) == 0 {
                        text.extend(&b"\0\0\0"[..rng.below(4)]);
                    }
                    check(&pair, &text, rng.below(2 * text.len() + 4));
                }
            }
        }
    }
}

/// The page says which pairs have a function or a stream, and by which rules functions are named.
#[test]
fn the_table_of_the_documentation_is_this_one() {
    let page = include_str!("../../docs/forms.md");
    let pairs = pairs();
    let is_encoding = |form| Encoding::ALL.iter().any(|encoding| encoding.told() == form);
    for from in Form::ALL {
        let mut row = format!("| `{}_…` |", from.name());
        for to in Form::ALL {
            let (mut cell, names) = (String::new(), (from.name(), to.name()));
            if let Some(pair) = pairs.iter().find(|pair| (pair.from, pair.to) == (from, to)) {
                if let Some((function, _)) = pair.strict {
                    assert_eq!(function, format!("{}_to_{}", names.0, names.1));
                    cell += "S";
                }
                if let Some((function, _)) = pair.lossy {
                    assert_eq!(function, format!("{}_to_{}_lossy", names.0, names.1));
                    cell += "L";
                }
                if let Some((function, _)) = pair.len {
                    let is_count = matches!(to.family(), Family::Utf32 | Family::OneByte);
                    let to = names.1.trim_end_matches("le").trim_end_matches("be");
                    let count = format!("count_chars_{}", names.0);
                    assert_eq!(function, if is_count { count } else { format!("{to}_len_from_{}", names.0) });
                }
            }
            if is_encoding(from) && is_encoding(to) {
                cell += "C";
            }
            row += &format!(" {cell} |").replace("  ", " ");
        }
        assert!(page.lines().any(|line| line == row), "docs/forms.md lacks this row:\n{row}");
    }
}
