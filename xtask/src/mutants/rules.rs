//! Which changes make no result wrong: the rules in `xtask/equivalent.txt`, whose first lines say how they are written.

use anyhow::Context as _;

use super::Change;

/// Some changes of some functions.
#[derive(Debug)]
pub struct Rule {
    /// The parts of paths, and the functions.
    within: Vec<String>,
    functions: Vec<String>,
    /// What is changed, and to what.
    pub old: String,
    pub new: String,
}

pub fn rules(text: &str) -> anyhow::Result<Vec<Rule>> {
    let mut rules = Vec::new();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '=']));
    for line in lines.flat_map(|line| line.split(" ;; ")) {
        let (head, changes) = line.split_once(": ").with_context(|| format!("no function: {line}"))?;
        let (within, functions) =
            head.split(' ').map(str::to_owned).partition::<Vec<_>, _>(|word| word.contains('/'));
        for change in changes.split("; ") {
            let (old, news) = change.rsplit_once("-> ").unwrap_or(("", change));
            let is_many =
                news.split(' ').all(|new| matches!(new, "true" | "false") || !new.contains(char::is_alphabetic));
            for new in if is_many && !old.is_empty() { news.split(' ').collect() } else { vec![news] } {
                let [old, new] = [old, new].map(str::to_owned);
                rules.push(Rule { within: within.clone(), functions: functions.clone(), old, new });
            }
        }
    }
    Ok(rules)
}

impl Rule {
    pub fn covers(&self, change: &Change) -> bool {
        (self.within.is_empty() || self.within.iter().any(|part| change.path.contains(&**part)))
            && self.functions.contains(&change.function)
            && change
                .what
                .strip_suffix(&self.new)
                .is_some_and(|old| is_like(&self.old, old.strip_suffix("-> ").unwrap_or(old)))
    }
}

/// Whether a text is like a pattern, in which `…` stands for any text.
fn is_like(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('…') else { return pattern == text };
    let Some(text) = text.strip_prefix(first) else { return false };
    (0..=text.len()).any(|at| text.is_char_boundary(at) && is_like(rest, &text[at..]))
}

#[test]
fn what_a_rule_covers() {
    let rules =
        rules("= Why.\n/avx512 f A::g: a < b -> <= !=; return 0; s(…) -> nothing\nf: 0 => -> without this arm")
            .unwrap();
    let covers = |path: &str, function: &str, what: &str| {
        let [path, function, what] = [path, function, what].map(str::to_owned);
        let change = Change { path, line: 0, function, what, place: 0 };
        rules.iter().filter(|rule| rule.covers(&change)).count()
    };
    for what in ["a < b -> <=", "a < b -> !=", "return 0", "s() -> nothing", "s(a, b) -> nothing"] {
        assert_eq!((covers("k/avx512.rs", "A::g", what), covers("k/mod.rs", "f", what)), (1, 0), "{what}");
    }
    assert_eq!(covers("k/mod.rs", "f", "0 => -> without this arm"), 1);
    for what in ["a < b -> >", "return 1", "-a < b -> <="] {
        assert_eq!(covers("k/avx512.rs", "f", what), 0, "{what}");
    }
}
