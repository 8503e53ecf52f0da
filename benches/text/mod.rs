//! Text to measure with, made from a seed: prose-like in the script, in the lengths of its words and in where its
//! punctuation stands, since that is what the kernels' branches see. Equal on every machine.

/// How the text of one language is made.
pub struct Language {
    pub name: &'static str,
    /// The letters, the most frequent first. A hyphen stands for all between its neighbours.
    pub letters: &'static str,
    /// Letters to a word, from and to.
    pub word: (usize, usize),
    /// What stands between words, after a clause, after a sentence.
    pub marks: [&'static str; 3],
    /// What stands before and after a sentence, if anything.
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

impl Language {
    /// Text of at least `len` bytes of UTF-8, and hardly more.
    pub fn text(&self, len: usize) -> String {
        let mut random = Random(0x5EED);
        let letters = self.letters();
        let words: Vec<String> = (0..4096)
            .map(|_| (0..random.within(self.word)).map(|_| letters[random.seldom(letters.len())]).collect())
            .collect();
        let [space, comma, stop] = self.marks;
        let mut text = String::with_capacity(len + 1024);
        while text.len() < len {
            let [open, close] =
                if self.tags.is_empty() { [""; 2] } else { self.tags[random.below(self.tags.len())] };
            text += open;
            for clause in 0..random.within((1, 3)) {
                text += if clause == 0 { "" } else { comma };
                for word in 0..random.within((2, 9)) {
                    text += if word == 0 { "" } else { space };
                    text += &words[random.seldom(words.len())];
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

/// `text` cut into pieces of about `len` bytes of UTF-8, each a little shorter than that if a character would be cut.
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

/// `text` cut into pieces whose lengths are log-uniform from 1 to `most` bytes (one character at the least).
pub fn ragged_pieces(text: &str, most: usize) -> Vec<&str> {
    let mut random = Random(0xCA5CADE);
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() >= most.max(4) {
        let len = (most as f64).powf(random.below(1 << 20) as f64 / f64::from(1 << 20)) as usize;
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let (piece, tail) = rest.split_at(char_boundary(rest, len.max(first)));
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

/// The last place up to `at` where no character is cut.
pub fn char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(x ^ x >> 31) * bound as u128) >> 64) as usize
    }

    fn within(&mut self, (from, to): (usize, usize)) -> usize {
        from + self.below(to - from + 1)
    }

    /// Below `bound`, the lower the more often.
    fn seldom(&mut self, bound: usize) -> usize {
        self.below(bound).min(self.below(bound)).min(self.below(bound))
    }
}
