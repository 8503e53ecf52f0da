//! The printed tables.

use std::fmt::Write;

use crate::results::{Cell, Results, distinct, mean};

/// All tables, from those of all cells to the means.
pub fn tables(results: &Results) -> String {
    if results.head.counted {
        return each(results);
    }
    let mut out = String::new();
    let texts = if results.head.seeded_text { "texts made from a seed" } else { "texts from files" };
    let _ = writeln!(out, "{}; {texts}; at most {} rounds", results.head.cpu, results.head.rounds);
    out +=
        "A/B: fastutf is A times as fast as simdutf's kernel, B times as fast as the best peer; ! where below 1\n";
    for isa in distinct(&results.cells, |cell| &*cell.isa) {
        let cells: Vec<&Cell> = results.cells.iter().filter(|cell| cell.isa == isa).collect();
        for operation in distinct(cells.iter().copied(), |cell| &*cell.operation) {
            let cells: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.operation == operation).collect();
            grid(&mut out, &format!("{isa} · {operation}"), &cells);
        }
    }
    means(&mut out, results);
    out
}

/// One line per operation and text, one column per contender: instructions to the byte, or nanoseconds to the string.
pub fn each(results: &Results) -> String {
    let cells = &results.cells;
    let (what, to) =
        if results.head.counted { ("instructions", "byte of input") } else { ("nanoseconds", "string") };
    let mut out = format!(
        "{}; {what} to the {to}; B: the best peer takes B times as many as fastutf, ! where below 1\n",
        results.head.cpu
    );
    let names = distinct(cells.iter().flat_map(|cell| &cell.costs), |cost| &*cost.name);
    let _ = write!(out, "\n== {what}\n{:<8}{:<26}{:<16}{:>8}", "isa", "operation", "text", "size");
    for name in &names {
        let _ = write!(out, "{name:>13}");
    }
    let _ = writeln!(out, "{:>8}", "B");
    for cell in cells {
        let _ = write!(out, "{:<8}{:<26}{:<16}{:>8}", cell.isa, cell.operation, cell.language, cell.size);
        for &name in &names {
            let cost = cell.costs.iter().find(|cost| cost.name == name);
            let unit = if results.head.counted { cell.bytes } else { 1.0 };
            let _ = write!(out, "{:>13}", cost.map_or("-".to_owned(), |cost| format!("{:.3}", cost.min / unit)));
        }
        let _ = writeln!(out, "{:>8}", ratio(cell.ratio_to_best()));
    }
    out
}

/// One line per language, one column per size.
fn grid(out: &mut String, title: &str, cells: &[&Cell]) {
    let sizes = distinct(cells.iter().copied(), |cell| &*cell.size);
    let languages = distinct(cells.iter().copied(), |cell| &*cell.language);
    let width = languages.iter().map(|language| language.chars().count()).max().unwrap_or(0);
    let _ = write!(out, "\n== {title}\n{:<width$}", "");
    for size in &sizes {
        let _ = write!(out, "{size:>12}");
    }
    out.push('\n');
    for language in languages {
        let _ = write!(out, "{language:<width$}");
        for size in &sizes {
            let cell = cells.iter().find(|cell| cell.language == language && cell.size == *size);
            let _ = write!(out, "{:>12}", cell.map(|cell| ratios(cell)).unwrap_or_default());
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}

fn ratios(cell: &Cell) -> String {
    format!("{}/{}", ratio(cell.ratio_to("simdutf")), ratio(cell.ratio_to_best()))
}

fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => "-".to_owned(),
        Some(ratio) if ratio < 1.0 => format!("{ratio:.2}!"),
        Some(ratio) => short(ratio),
    }
}

fn means(out: &mut String, results: &Results) {
    out.push_str("\n== all cells: times as fast as each peer, as a geometric mean (the least to the most)\n");
    out.push_str("   and as the best one: the mean, how many cells are below 1, the lowest\n");
    for isa in distinct(&results.cells, |cell| &*cell.isa) {
        let cells: Vec<&Cell> = results.cells.iter().filter(|cell| cell.isa == isa).collect();
        for (operation, corrupt) in distinct(cells.iter().copied(), |cell| (&*cell.operation, cell.corrupt)) {
            let about = |cell: &&Cell| cell.operation == operation && cell.corrupt == corrupt;
            let cells: Vec<&Cell> = cells.iter().copied().filter(about).collect();
            let operation = match corrupt {
                0.0 => operation.to_owned(),
                _ => format!("{operation}~{corrupt}%"),
            };
            let _ = write!(out, "{isa:<8}{operation:<32}best {:<36}", summary(&cells));
            for name in distinct(cells.iter().flat_map(|cell| cell.others()), |cost| &*cost.name) {
                let ratios = || cells.iter().filter_map(|cell| cell.ratio_to(name));
                let (least, most) =
                    ratios().fold((f64::MAX, 0.0_f64), |(a, b), ratio| (a.min(ratio), b.max(ratio)));
                let _ = write!(out, "  {name} {} ({}–{})", ratio(mean(ratios())), short(least), short(most));
            }
            out.push('\n');
        }
    }
}

fn short(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

fn summary(cells: &[&Cell]) -> String {
    let ratios = || cells.iter().filter_map(|cell| Some((cell.ratio_to_best()?, cell)));
    let Some((lowest, cell)) = ratios().min_by(|a, b| a.0.total_cmp(&b.0)) else { return "-".to_owned() };
    let below = ratios().filter(|(ratio, _)| *ratio < 1.0).count();
    let mean = mean(ratios().map(|(ratio, _)| ratio)).unwrap_or_default();
    format!("{mean:5.2} {below:3}  {lowest:.2} {} {}", cell.language, cell.size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Class;
    use crate::results::tests::{cell, results};

    #[test]
    fn tables_tell_ratios_limits_and_means() {
        let cells = vec![
            cell("validate_utf8", Class::Cjk, "64", [2.0, 6.0, 3.0]),
            cell("validate_utf8", Class::Latin, "64", [2.0, 1.0, 40.0]),
        ];
        let text = tables(&results(cells, false));
        for part in ["3.00/1.50", "0.50!/0.50!", "best  0.87   1  0.50 latin 64  ", "simdutf 1.22 (0.50–3.00)"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn counts_are_to_the_byte() {
        let mut thrifty = cell("validate_utf8", Class::Cjk, "64", [32.0, 128.0, 64.0]);
        let mut wasteful = cell("is_ascii", Class::Ascii, "64", [80.0, 64.0, 160.0]);
        thrifty.costs.pop();
        // Not every contender has every operation.
        wasteful.costs.truncate(2);
        let cells = vec![thrifty, wasteful];
        let text = tables(&results(cells, true));
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let lines: Vec<_> = text.lines().skip(3).map(words).collect();
        assert_eq!(lines[0][4..], ["fastutf", "simdutf", "simdutf8", "B"]);
        assert_eq!(lines[1][4..], ["0.500", "2.000", "1.000", "2.00"]);
        assert_eq!(lines[2][4..], ["1.250", "1.000", "-", "0.80!"]);
        assert_eq!(lines.len(), 3);
    }
}
