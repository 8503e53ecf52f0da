//! Text for measurements, generated from a seed. It resembles prose in its script, the lengths of its words and the
//! places of its punctuation, since the kernels' branches depend on these. It is the same on every machine.

use crate::Rng;

/// How to generate the text of one language.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Its name in benchmarks.
    pub name: &'static str,
    /// The letters, the most frequent first. A hyphen stands for all letters between its neighbours.
    pub letters: &'static str,
    /// The minimum and maximum number of letters in a word.
    pub word: (usize, usize),
    /// The separators between words, after a clause, and after a sentence.
    pub marks: [&'static str; 3],
    /// The tags before and after a sentence, if any.
    pub tags: &'static [[&'static str; 2]],
}

/// From the shortest characters to the longest, then mixed.
pub const LANGUAGES: [Language; 9] = [
    Language {
        name: "english",
        letters: "etaoinshrdlcumwfgypbvkjxqzETAOINSHRDL",
        word: (1, 10),
        marks: [" ", ", ", ".\n"],
        tags: &[],
    },
    Language {
        name: "french",
        letters: "esaitnrulodcpmvqféàbghjxyzkwESèçêùôîûâœÉ",
        word: (1, 11),
        marks: [" ", ", ", " ! "],
        tags: &[],
    },
    Language {
        name: "russian",
        letters: "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
        word: (1, 12),
        marks: [" ", ", ", ". "],
        tags: &[],
    },
    Language {
        name: "arabic",
        letters: "اليمونتربةعدسفهكقأحجشطصىخإذزثضغئءآؤظ",
        word: (2, 8),
        marks: [" ", "، ", ". "],
        tags: &[],
    },
    Language {
        name: "hindi",
        letters: "ािकेरसतनीमहलयोपवद्जगबंुटशैूचधखडथभआइएउअौणषओठछझफघ",
        word: (2, 8),
        marks: [" ", ", ", "। "],
        tags: &[],
    },
    Language { name: "chinese", letters: "一-鿋", word: (1, 4), marks: ["", "，", "。"], tags: &[] },
    Language { name: "korean", letters: "가-힣", word: (1, 5), marks: [" ", ", ", ". "], tags: &[] },
    Language {
        name: "emoji", letters: "😀-🙏🌀-🗿🚀-🛅🤐-🧿", word: (1, 6), marks: ["", "", "\n"], tags: &[]
    },
    Language {
        name: "html",
        letters: "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
        word: (1, 6),
        marks: [" ", ", ", ". "],
        tags: &[
            ["<p>", "</p>\n"],
            [
                "<li class=\"item\"><a href=\"/articles/2024/index.html?page=2&amp;sort=date\" rel=\"next\">",
                "</a></li>\n",
            ],
            [
                "<table class=\"sortable\">\n  <tr>\n    <td style=\"width: 50%; text-align: right\">",
                "</td>\n  </tr>\n</table>\n",
            ],
            [
                "<div id=\"content\" class=\"main wide\">\n  <h2><span class=\"title\">",
                "</span></h2>\n  <hr/>\n</div>\n\n",
            ],
            [
                "<script src=\"/static/js/application.min.js\" async></script>\n<!-- comments -->\n<blockquote>",
                "</blockquote>\n",
            ],
        ],
    },
];

/// More languages, for the races of `compare`: common mixes, and difficult ones.
pub const MORE: [Language; 8] = [
    Language {
        name: "german",
        letters: "enisratdhulcgmobwfkzvpüäSDößEAGBMKyxjq",
        word: (2, 12),
        marks: [" ", ", ", ". "],
        tags: &[],
    },
    // English in which about one character in 600 bytes is not ASCII.
    Language {
        name: "accents",
        letters: "etaoinshrdlcumwfgypbvkjxqzETAOINSHRDL",
        word: (1, 10),
        marks: [" ", ", ", ".\n"],
        tags: &[["", ""], ["", ""], ["", ""], ["", ""], ["", ""], ["", ""], ["", ""], ["The café: ", ""]],
    },
    // A message of some 70 bytes, then one emoji or none.
    Language {
        name: "chat",
        letters: "etaoinshrdlcumwfgypbvkjxqzETAOINSHRDL",
        word: (1, 10),
        marks: [" ", ", ", ""],
        tags: &[["", " 😀\n"], ["", " 🎉🎉\n"], ["👍 ", "\n"], ["", "\n"]],
    },
    Language {
        name: "json",
        letters: "esaitnrulodcpmvqféàbghjxyzkwESèçêùôîûâœÉ",
        word: (1, 11),
        marks: [" ", ", ", "."],
        tags: &[
            [
                "{\"id\": 10472, \"active\": true, \"name\": \"",
                "\", \"tags\": [\"a\", \"b\"], \"parent\": null},\n",
            ],
            ["{\"id\": 10473, \"price\": 14.90, \"size\": [120, 80, 4], \"note\": \"", "\"},\n"],
            ["{\"id\": 10474, \"url\": \"https://example.org/items/10474?lang=fr\", \"text\": \"", "\"},\n"],
        ],
    },
    Language {
        name: "hebrew",
        letters: "יוהלאמתברשנדפעקחטסגכצזםןךףץ",
        word: (2, 7),
        marks: [" ", ", ", ". "],
        tags: &[],
    },
    // With an occasional line feed or number, which breaks runs of characters of the same length; `chinese` has none.
    Language {
        name: "japanese",
        letters: "のにはをたがでてとしれさいるなもかこすあらりくまう日人年大本中国語上生ア-ンか-ん一-丯",
        word: (1, 6),
        marks: ["", "、", "。"],
        tags: &[["", ""], ["", ""], ["", "\n"], ["2024年", ""]],
    },
    // Only emoji; in `emoji`, they form words.
    Language {
        name: "pictures", letters: "😀-🙏🌀-🗿🚀-🛼🤐-🥿", word: (1, 12), marks: ["", "", ""], tags: &[]
    },
    // Characters of one to four bytes in random order, equally frequent.
    Language {
        name: "mix",
        letters: "aж一😀eñ你🚀tλ語🎉oב字🙏iع가👍nд字🐙sф中🔥hñの🌍rש文🍀",
        word: (1, 12),
        marks: ["", "", ""],
        tags: &[],
    },
];

/// One or two sentences with characters of each length, shortest first, to be repeated.
pub const SENTENCES: [(&str, &str); 4] = [
    ("ascii", "The quick brown fox jumps over the lazy dog, and nobody minds. "),
    ("russian", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
    ("chinese", "我能吞下玻璃而不伤身体。天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。"),
    ("emoji", "😀🎉👍🌍🚀🤖🦀🔥"),
];

impl Language {
    /// Text of at least `len` bytes of UTF-8, and only a little more.
    pub fn text(&self, len: usize) -> String {
        let mut rng = Rng::new(0x5EED);
        let letters = self.letters();
        let words: Vec<String> = (0..4096)
            .map(|_| (0..rng.within(self.word)).map(|_| letters[rng.seldom(letters.len())]).collect())
            .collect();
        let [space, comma, stop] = self.marks;
        let mut text = String::with_capacity(len + 1024);
        while text.len() < len {
            let [open, close] = if self.tags.is_empty() { [""; 2] } else { self.tags[rng.below(self.tags.len())] };
            text += open;
            for clause in 0..rng.within((1, 3)) {
                text += if clause == 0 { "" } else { comma };
                for word in 0..rng.within((2, 9)) {
                    text += if word == 0 { "" } else { space };
                    text += &words[rng.seldom(words.len())];
                }
            }
            text += stop;
            text += close;
        }
        text
    }

    fn letters(&self) -> Vec<char> {
        let mut letters = Vec::new();
        let mut rest = self.letters.chars().peekable();
        while let Some(first) = rest.next() {
            let last =
                if rest.next_if_eq(&'-').is_some() { rest.next().expect("a range has an end") } else { first };
            letters.extend(first..=last);
        }
        letters
    }
}

/// Cuts `text` into pieces of about `len` bytes of UTF-8, each a little shorter if a character would be cut.
pub fn pieces(text: &str, len: usize) -> Vec<&str> {
    let mut pieces = Vec::with_capacity(text.len() / len);
    let mut rest = text;
    while rest.len() >= len {
        let (piece, tail) = rest.split_at(char_boundary(rest, len));
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

/// Cuts `text` into pieces whose lengths are log-uniform from `least` to `most` bytes, each a little shorter if a
/// character would be cut (but at least one character).
pub fn random_pieces(text: &str, least: usize, most: usize) -> Vec<&str> {
    let (least, ratio) = (least as f64, most as f64 / least as f64);
    let mut rng = Rng::new(0x0CA5_CADE);
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() >= most.max(4) {
        let len = (least * ratio.powf(rng.below(1 << 20) as f64 / f64::from(1 << 20))) as usize;
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let (piece, tail) = rest.split_at(char_boundary(rest, len.max(first)));
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

/// The last character boundary up to `at`.
pub fn char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
