//! Opens a document, applies two changes, and prints where all "TODO" are.

use fastutf::positions::Position;
use fastutf_examples::lsp_positions::{Change, Document};

fn main() {
    let text = "// żółw 🐢\r\nfn main() {}\r\n// TODO: 🐢🐢 TODO\r\n";
    let mut document = Document::open(text.into(), &["utf-16"]);
    let at = |line, column| Position { line, column };
    document.change(&[
        Change { range: Some((at(1, 11), at(1, 11))), text: "\r\n    todo!();\r\n".into() },
        Change { range: Some((at(0, 8), at(0, 10))), text: "TODO".into() },
    ]);
    println!("{}", document.text());
    let found: Vec<_> = document.text().match_indices("TODO").map(|(at, word)| at..at + word.len()).collect();
    for (start, end) in document.ranges(&found) {
        println!("{}:{} to {}:{}", start.line, start.column, end.line, end.column);
    }
}
