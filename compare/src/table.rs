//! The printed tables.

use std::fmt::Write;

use crate::pages;
use crate::results::{Cell, Results, distinct, short};

/// All tables, from those of all cells to the means.
pub fn tables(results: &Results) -> String {
    if results.head.counted {
        return each(results);
    }
    let mut out = String::new();
    let _ = writeln!(out, "{}; at most {} rounds", results.head.cpu, results.head.rounds);
    out += "A · B: fastutf is A times as fast as simdutf's kernel, B times as fast as the best peer\n";
    let cells = &results.cells;
    let (texts, sizes) = (listed(cells, |cell| &cell.language), listed(cells, |cell| &cell.size));
    for (isa, operation) in distinct(&results.cells, |cell| (&*cell.isa, &*cell.operation)) {
        let of = format!("isa = {isa}; operation = {operation}; peer = simdutf, all");
        let table = pages::table(&format!("text = {texts} / size = {sizes} / {of}"), &results.cells);
        let _ = writeln!(out, "\n== {isa} · {operation}\n{}", table.unwrap_or_default());
    }
    let names = distinct(results.cells.iter().flat_map(Cell::peers), |cost| &*cost.name).join(", ");
    let (isas, operations) = (listed(cells, |cell| &cell.isa), listed(cells, |cell| &cell.operation));
    let corrupt: Vec<String> = distinct(&results.cells, |cell| cell.corrupt.to_string());
    let rows = format!("operation = {operations}; isa = {isas}; corrupt = {}", corrupt.join(", "));
    let means = pages::table(&format!("{rows} / peer = all, {names} / show = spread, slower"), &results.cells);
    out += "\n== the mean of all cells (the least–the most); how many are not above 1, and the least\n";
    out + &means.unwrap_or_default()
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

/// All values of a key, as in the description of a table.
fn listed<'a>(cells: &'a [Cell], key: impl Fn(&'a Cell) -> &'a String) -> String {
    distinct(cells, key).into_iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => "-".to_owned(),
        Some(ratio) if ratio < 1.0 => format!("{ratio:.2}!"),
        Some(ratio) => short(ratio),
    }
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
        for part in
            ["3.00 · 1.50", "0.50 · 0.50", "| 0.87 (0.50–1.50) · 1/2; 0.50 at 64 |", "| 1.22 (0.50–3.00) ·"]
        {
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
