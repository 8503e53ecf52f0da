//! A document in an editor and the server's copy of it, after many changes.

use fastutf::positions::{Position, Unit};
use fastutf_examples::lsp_positions::{Change, Document};

/// The editor's side: lines of UTF-16, as in JavaScript.
struct Editor {
    lines: Vec<Vec<u16>>,
}

impl Editor {
    fn new(text: &str) -> Self {
        Self { lines: text.split('\n').map(|line| line.encode_utf16().collect()).collect() }
    }

    /// Replaces what is between two positions, and tells the server.
    fn replace(&mut self, (start, end): (Position, Position), text: &str) -> Change {
        let mut lines = Self::new(text).lines;
        let mut first = self.lines[start.line][..start.column].to_vec();
        first.append(&mut lines[0]);
        lines[0] = first;
        let rest = self.lines[end.line][end.column..].to_vec();
        lines.last_mut().unwrap().extend(rest);
        self.lines.splice(start.line..=end.line, lines);
        Change { range: Some((start, end)), text: text.into() }
    }

    fn text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| String::from_utf16(line).unwrap()).collect();
        lines.join("\n")
    }
}

#[test]
fn the_server_follows_the_editor() {
    let text = "let żółw = \"🐢\";\nfn f() {}\n".repeat(400);
    let mut editor = Editor::new(&text);
    let mut server = Document::open(text, &["utf-7", "utf-16", "utf-8"]);
    assert_eq!(server.encoding(), Unit::Utf16);
    for step in 0..400 {
        let line = step * 7 % (editor.lines.len() - 2);
        let place = |line: usize, k: usize| {
            let units = &editor.lines[line];
            let column = [0, 3, 5][k % 3].min(units.len());
            // Not between the halves of a turtle.
            let inside = units.get(column).is_some_and(|unit| unit & 0xFC00 == 0xDC00);
            Position { line, column: column - usize::from(inside) }
        };
        let range = (place(line, step), place(line + step % 3, step + 1));
        let range = if range.0 <= range.1 { range } else { (range.1, range.0) };
        let new = ["", "x", "é\n", "🐢", "\n\n", "漢字漢字漢字\nlet s = 1;\n"][step % 6];
        let change = editor.replace(range, new);
        server.change(&[change]);
        assert_eq!(server.text(), editor.text(), "step {step}");
    }

    // Where the server says that a word is, the editor finds it.
    let found: Vec<_> = server.text().match_indices("let").map(|(at, word)| at..at + word.len()).collect();
    assert!(found.len() > 20);
    for (start, end) in server.ranges(&found) {
        let line = &editor.lines[start.line];
        assert_eq!(start.line, end.line);
        assert_eq!(String::from_utf16(&line[start.column..end.column]).unwrap(), "let");
    }
}

#[test]
fn whole_texts_and_encodings() {
    let mut server = Document::open("a".into(), &["utf-32"]);
    assert_eq!(server.encoding(), Unit::Utf32);
    server.change(&[Change { range: None, text: "🐢x".into() }]);
    let x = |column| (Position { line: 0, column }, Position { line: 0, column: column + 1 });
    assert_eq!(server.ranges(std::slice::from_ref(&(4..5))), [x(1)]);
    assert_eq!(Document::open("🐢x".into(), &["utf-8"]).ranges(std::slice::from_ref(&(4..5))), [x(4)]);
    assert_eq!(Document::open("🐢x".into(), &[]).ranges(std::slice::from_ref(&(4..5))), [x(2)]);
    // A range that ends beyond the line ends with it.
    let far = Position { line: 0, column: 100 };
    server.change(&[Change { range: Some((Position { line: 0, column: 1 }, far)), text: "\r\n".into() }]);
    assert_eq!(server.text(), "🐢\r\n");
}
