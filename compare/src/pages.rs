//! What is made of the results of runs: charts, and the tables of a page. compare/README.md says how tables are described.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use crate::goal;
use crate::results::{Cell, Head, Results, distinct, mean, short};

const PAGE: &str = "docs/performance.md";
/// The run it shows.
const RUN: &str = "docs/results/zen4.json";
const OPERATIONS: [(&str, &str); 3] = [
    ("validate_utf8", "validate UTF-8"),
    ("utf8_to_utf16le", "UTF-8 → UTF-16LE"),
    ("utf16le_to_utf8", "UTF-16LE → UTF-8"),
];
/// The texts of the overview, by class.
const CLASSES: &str = "english ASCII json JSON french French russian Cyrillic chinese Chinese emoji emoji";
/// The bars of a chart, and their colours on white and on black.
const BARS: [(&str, &str); 5] = [
    ("fastutf", "#d55e00"),
    ("simdutf", "#2a86c8"),
    ("simdutf8", "#2f9e73"),
    ("encoding_rs", "#a06cc0"),
    ("std", "#8c8c8c"),
];

/// The page and the charts, as they should be.
pub fn files(root: &Path) -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let results = Results::read(&read(RUN)?)?;
    let cells = &results.cells;
    let mut files = vec![(root.join(PAGE), filled(&read(PAGE)?, &said(&results), cells)?)];
    let words: Vec<&str> = CLASSES.split(' ').collect();
    let classes: Vec<(&str, &str)> = words.chunks(2).map(|words| (words[0], words[1])).collect();
    let texts = distinct(cells, |cell| (&*cell.language, &*cell.language));
    let avx2 = ("avx2", "AVX2");
    for (name, isa, texts, bars) in [
        ("overview", avx2, &classes, 2),
        ("avx512", ("avx512", "AVX-512"), &texts, 5),
        ("avx2", avx2, &texts, 5),
        ("sse41", ("sse4.1", "SSE4.1"), &texts, 5),
    ] {
        let chart = chart(&results, isa, texts, bars);
        files.push((root.join(format!("docs/charts/{name}.svg")), chart));
    }
    Ok(files)
}

/// The page with its tables made anew.
fn filled(page: &str, head: &str, cells: &[Cell]) -> Result<String, String> {
    let mut parts = page.split("<!-- table: ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (what, rest) = part.split_once("-->").ok_or("a comment has no end")?;
        let (_, rest) = rest.split_once("<!-- end -->").ok_or_else(|| format!("the table {what} has no end"))?;
        let made = match what.trim() {
            "head" => head.to_owned(),
            "goals" => goal::report(cells).lines().nth(1).unwrap_or_default().replace("== ", "") + "\n",
            // On a narrow screen a table scrolls, but figures that belong together stay in one line.
            what => (table(what, cells).ok_or_else(|| format!("this describes no table: {what}"))?)
                .replace(" · ", "\u{a0}·\u{a0}")
                .replace(" at ", "\u{a0}at\u{a0}")
                .replace(" (", "\u{a0}("),
        };
        let _ = write!(out, "<!-- table: {what}-->\n\n{made}\n<!-- end -->{rest}");
    }
    Ok(out)
}

fn said(Results { head, cells }: &Results) -> String {
    let Head { commit, date, rustc, profile, cpu, rounds, .. } = head;
    let peers: Vec<String> = head.peers.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let peers = peers.join(", ");
    format!(
        "commit {commit}; {date}; {rustc}; {profile}; CPU: {cpu}; {peers}; {} cells of {rounds} rounds.\n",
        cells.len()
    )
}

/// Keys, each with the values that are meant.
type Choice<'a> = Vec<(&'a str, &'a str)>;

/// All choices of one value for each key, in `key = value: title, value; key = value`.
fn choices(description: &str) -> Option<Vec<(String, Choice<'_>)>> {
    let mut all = vec![(String::new(), Vec::new())];
    for axis in description.split(';') {
        let (key, values) = axis.split_once('=')?;
        let values = values.split(',').map(|value| value.split_once(':').unwrap_or((value, value)));
        all = all
            .iter()
            .flat_map(|(titles, choice): &(String, Choice)| {
                values.clone().map(move |(value, title)| {
                    let comma = if titles.is_empty() { "" } else { ", " };
                    (
                        format!("{titles}{comma}{}", title.trim()),
                        [&choice[..], &[(key.trim(), value.trim())]].concat(),
                    )
                })
            })
            .collect();
    }
    Some(all)
}

/// A table of `ROWS / COLUMNS / what is in a cell`.
pub fn table(description: &str, cells: &[Cell]) -> Option<String> {
    let mut parts = description.split(" / ").map(choices);
    let (rows, columns, inner) = (parts.next()??, parts.next()??, parts.next()??);
    // Which figures a cell has, if its parts have different titles.
    let legend = distinct(&inner, |part| part.0.split(',').next().unwrap_or_default()).join(" · ");
    let legend = if legend.contains(" · ") { format!(": {legend}") } else { String::new() };
    let titles = columns.iter().map(|column| format!("{}{legend}", column.0));
    let mut all = vec![iter::once(String::new()).chain(titles).collect::<Vec<_>>()];
    for (title, row) in rows {
        let told = columns.iter().map(|(_, column)| {
            let parts = inner.iter().map(|(_, part)| shown(&[&row[..], column, part].concat(), cells));
            let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
            parts.join(" · ")
        });
        all.push(iter::once(title).chain(told).collect());
    }
    Some(grid(all))
}

/// In Markdown, and as columns; without the rows that have nothing to tell.
fn grid(mut rows: Vec<Vec<String>>) -> String {
    rows.retain(|row| row[1..].iter().any(|told| !told.is_empty()));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count().max(3)).max().unwrap_or(3);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    rows.insert(1, widths.iter().map(|&width| "-".repeat(width)).collect());
    let line = |row: &Vec<String>| {
        let told = row.iter().zip(&widths).map(|(told, &width)| format!("| {told:<width$} "));
        told.chain(["|\n".to_owned()]).collect::<String>()
    };
    rows.iter().map(line).collect()
}

fn shown(choice: &[(&str, &str)], cells: &[Cell]) -> String {
    let of = |asked: &str| choice.iter().find(|(key, _)| *key == asked).map_or("", |(_, value)| value);
    let (peers, show) = (of("peer"), of("show"));
    let fits = |cell: &&Cell| {
        let is = |key, value: &str| of(key).is_empty() || of(key).split('|').any(|meant| meant == value);
        let kind = is("isa", &cell.isa) && is("operation", &cell.operation);
        kind && is("text", &cell.language) && is("size", &cell.size) && is("corrupt", &cell.corrupt.to_string())
    };
    let ratio = |cell: &Cell| match peers {
        "all" => cell.ratio_to_best(),
        _ => peers.split('|').filter_map(|peer| cell.ratio_to(peer)).min_by(f64::total_cmp),
    };
    let ratios: Vec<(f64, &Cell)> =
        cells.iter().filter(fits).filter_map(|cell| Some((ratio(cell)?, cell))).collect();
    let least = ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let most = ratios.iter().map(|ratio| ratio.0).fold(0.0, f64::max);
    let (Some((least, cell)), Some(mean)) = (least, mean(ratios.iter().map(|ratio| ratio.0))) else {
        return String::new();
    };
    match show {
        "least" => format!("{} ({})", short(mean), short(*least)),
        "spread" => format!("{} ({}–{})", short(mean), short(*least), short(most)),
        // How many are slower, and the slowest.
        "slower" if *least > 1.0 => String::new(),
        "slower" => {
            let slower = ratios.iter().filter(|(ratio, _)| *ratio <= 1.0).count();
            format!("{slower}/{}; {} at {}", ratios.len(), short(*least), cell.size.replace("..", "–"))
        }
        _ => short(mean),
    }
}

const WIDTH: f64 = 400.0;
/// Where bars start, and how long the longest is.
const START: f64 = 100.0;
const LONGEST: f64 = 204.0;

/// Horizontal bars, from 0: for each text as long as the speed, compared with the fastest on that text.
fn chart(results: &Results, (isa, shown): (&str, &str), texts: &[(&str, &str)], most_bars: usize) -> String {
    let (mut y, mut body) = (0.0, String::new());
    let line = |y: &mut f64, height: f64, text: &str| {
        *y += height;
        format!("<text x='6' y='{y}'>{text}</text>\n")
    };
    body +=
        &line(&mut y, 16.0, &format!("<tspan class='b'>GB of input per second, {shown}, texts of 64 KB</tspan>"));
    body += &line(&mut y, 15.0, "Linear. Each text has its own scale: its fastest has full length.");
    for (operation, title) in OPERATIONS {
        let about = |cell: &&Cell| cell.isa == isa && cell.operation == operation && cell.size == "64K";
        let cells: Vec<&Cell> = results.cells.iter().filter(about).collect();
        body += &line(&mut y, 24.0, &format!("<tspan class='b'>{title}</tspan>"));
        y += 6.0;
        for (text, class) in texts {
            let Some(cell) = cells.iter().find(|cell| cell.language == *text) else { continue };
            let bars = BARS.iter().filter_map(|(name, colour)| Some((cell.speed(name)?, *name, *colour)));
            let mut bars: Vec<_> = bars.collect();
            // Ours, then the fastest peers.
            if let [_, peers @ ..] = &mut bars[..] {
                peers.sort_by(|a, b| b.0.total_cmp(&a.0));
            }
            bars.truncate(most_bars);
            let most = bars.iter().map(|bar| bar.0).fold(0.0, f64::max);
            let _ = writeln!(body, "<text x='6' y='{}'>{class}</text>", y + 9.0);
            for (speed, name, colour) in bars {
                let width = LONGEST * speed / most;
                let _ =
                    writeln!(body, "<rect x='{START}' y='{y}' width='{width:.1}' height='10' fill='{colour}'/>");
                let (x, speed) = (START + width + 4.0, short(speed));
                let _ = writeln!(body, "<text x='{x:.1}' y='{}'>{speed} {name}</text>", y + 9.0);
                y += 11.0;
            }
            y += 7.0;
        }
    }
    let Head { date, cpu, rustc, .. } = &results.head;
    let rustc = rustc.split(" (").next().unwrap_or_default();
    let peers = results.head.peers.iter().filter(|(name, _)| BARS.iter().any(|(bar, _)| bar == name));
    let peers: Vec<String> = peers.map(|(name, version)| format!("{name} {version}")).collect();
    for text in [format!("{date}, {cpu}"), format!("{rustc}; crates: {}", peers.join(", "))] {
        body += &line(&mut y, 14.0, &text);
    }
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{0}' viewBox='0 0 {WIDTH} {0}'>\n<style>\n\
         text {{ font: 11px sans-serif; fill: #1f2328 }} .b {{ font-weight: bold }} .page {{ fill: #ffffff }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #e6edf3 }} .page {{ fill: #0d1117 }} }}\n\
         </style>\n<rect class='page' width='100%' height='100%'/>\n{body}</svg>\n",
        y + 8.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Class;
    use crate::results::tests::cell;

    #[test]
    fn pages_and_charts_agree_with_the_results() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (path, made) in files(&root).expect("the page has tables") {
            let there = fs::read_to_string(&path).unwrap_or_default();
            assert!(there == made, "{}: not of the results; compare/README.md has the command", path.display());
        }
    }

    #[test]
    fn tables_are_as_described() {
        let cells = [
            cell("validate_utf8", Class::Cjk, "64", [2.0, 6.0, 3.0]),
            cell("validate_utf8", Class::Latin, "64", [2.0, 1.0, 40.0]),
        ];
        let made = |description| table(description, &cells);
        let expected = "|     | 64 bytes: all · simdutf |\n| --- | ----------------------- |\n| CJK | 1.50 · 3.00             |\n";
        let description = "text = cjk: CJK, none / size = 64: 64 bytes / peer = all, simdutf; show = mean";
        assert_eq!(made(description).as_deref(), Some(expected));
        let slower = made("isa = avx2 / size = 64|1K / peer = simdutf; show = slower");
        assert!(slower.expect("it is one").ends_with("| avx2 | 1/2; 0.50 at 64 |\n"));
    }
}
