//! All paths of a kernel, and all texts that take each.
//!
//! A kernel runs on a text that is not there, once for every sequence of answers to what it asks. Along such a path, an
//! answer "all 0" is a condition on the text, of at most [`VIEW`] neighbouring bytes for each term. An automaton goes through
//! all texts that meet these conditions, by classes of bytes that no term tells apart, next to the automaton of a reference.
//! So it finds out of every text on this path what the reference says, and compares that with the kernel's [`Outcome`].

use core::ops::Range;
use core::{ptr, slice};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::format;
use std::string::String;
use std::time::Instant;
use std::vec;
use std::vec::Vec;

use super::report;
use super::terms::{Arena, Bytes, Id, Map, Node, Question, eval, follow, with};

/// The number of neighbouring bytes that a term may depend on.
const VIEW: usize = 4;

/// What is well-formed, as an automaton. State 0 is ill-formed and has no way out; 1 is the state of the empty text.
pub(super) struct Reference {
    pub(super) states: u32,
    pub(super) step: fn(u32, u8) -> u32,
    /// In which states no text that goes on from there is well-formed.
    pub(super) is_lost: fn(u32) -> bool,
    /// In which states the known part of a text may begin.
    pub(super) is_border: fn(u32) -> bool,
    /// In which states a text may end.
    pub(super) is_whole: fn(u32) -> bool,
}

pub(super) const ILL_FORMED: u32 = 0;
pub(super) const EMPTY: u32 = 1;

/// What a kernel says of a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Outcome {
    /// It is well-formed.
    WellFormed,
    /// It is ill-formed, and no text that begins with these `by` bytes is well-formed; if that is `None`, it is only said of
    /// the whole text. Everything before `at` is well-formed so far.
    IllFormed { at: usize, by: Option<usize> },
    /// Everything before this place is well-formed so far.
    SoFar(usize),
    /// Everything before this place is well-formed.
    Whole(usize),
    /// No text leads here, after the last answer "not 0".
    Nowhere,
}

/// Which texts a kernel is called with.
#[derive(Clone, Copy)]
pub(super) struct Texts {
    pub(super) len: usize,
    /// Where they begin in memory, after a page's beginning.
    pub(super) address: usize,
    /// Of how many bytes it is known that they are well-formed so far. If not 0, any such text may come before.
    pub(super) known: usize,
    /// How often a path may have the answer "not 0": any number, where all paths are to be tried.
    pub(super) answers: usize,
}

impl Texts {
    pub(super) fn of(len: usize) -> Self {
        Self { len, address: 0, known: 0, answers: usize::MAX }
    }

    /// The end of a text that is well-formed so far in the first `known` of these bytes.
    pub(super) fn after(known: usize, len: usize) -> Self {
        // After so many bytes, only classes and states that belong together are left.
        assert!(known >= VIEW - 1);
        Self { known, ..Self::of(len) }
    }
}

/// Memory in which a text seems to be. Reading it ends the program: so no kernel reads a byte that a proof knows nothing of.
struct Nowhere(*mut libc::c_void);

impl Nowhere {
    const SIZE: usize = 1 << 16;

    fn new() -> Self {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: asks for memory where there is none yet.
        let map = unsafe { libc::mmap(ptr::null_mut(), Self::SIZE, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(map, libc::MAP_FAILED);
        Self(map)
    }

    fn text(&self, texts: Texts) -> &[u8] {
        assert!(texts.address + texts.len <= Self::SIZE);
        // SAFETY: not by the letter: no byte of it can be read. Kernels on paper use only its address and its length, and a
        // kernel that does not is stopped by the operating system, which is the purpose.
        unsafe { slice::from_raw_parts(self.0.cast::<u8>().add(texts.address), texts.len) }
    }
}

impl Drop for Nowhere {
    fn drop(&mut self) {
        // SAFETY: what `new` has asked for; `text` has lent it only as long as `self` exists.
        unsafe { libc::munmap(self.0, Self::SIZE) };
    }
}

/// Which forms are 0 at a place, which of them are not all 0, as sets of windows, and whether the byte is known.
type Condition = (u32, u32, bool);

/// Whether the decisive question is met.
fn is_met(state: u32) -> bool {
    state % 2 == 1
}

/// A set of windows of [`VIEW`] classes, a bit for each.
type Windows = Vec<u64>;

/// A term with places relative to its last one, by its number: the same everywhere in the text.
type Form = usize;

pub(super) struct Proof {
    reference: Reference,
    nowhere: Nowhere,
    /// The tables seen, one byte of each class, and the class of each byte.
    tables: BTreeSet<u32>,
    bytes: Vec<u8>,
    classes: Vec<u32>,
    forms: BTreeMap<Vec<u32>, Form>,
    /// For each form a term of this form, and the place of the last byte in it.
    examples: Vec<(Id, usize)>,
    form_of: Map<Id, (usize, Form)>,
    /// In which windows a form is not 0, in which windows any of some forms is not 0.
    not_zero: Map<Form, Windows>,
    joined: BTreeMap<Vec<Form>, usize>,
    joined_windows: Vec<Windows>,
    /// Sets of states, by their numbers, and what comes after each.
    sets: BTreeMap<Vec<u32>, usize>,
    all_sets: Vec<Vec<u32>>,
    steps: Map<(u32, u32, u32, bool), usize>,
    /// The states before, and the bytes that lead on, by the numbers of two sets and the condition.
    steps_back: Map<(usize, usize, Condition), (usize, Bytes)>,
    /// What was asked by the paths of the last call of `all_paths`, by places and forms.
    asked: HashSet<(usize, Form)>,
    /// The number of paths so far.
    pub(super) paths: usize,
}

impl Proof {
    pub(super) fn new(reference: Reference) -> Self {
        let mut proof = Self {
            reference,
            nowhere: Nowhere::new(),
            tables: BTreeSet::new(),
            bytes: Vec::new(),
            classes: Vec::new(),
            forms: BTreeMap::new(),
            examples: Vec::new(),
            form_of: Map::default(),
            not_zero: Map::default(),
            joined: BTreeMap::new(),
            joined_windows: Vec::new(),
            sets: BTreeMap::new(),
            all_sets: Vec::new(),
            steps: Map::default(),
            steps_back: Map::default(),
            asked: HashSet::new(),
            paths: 0,
        };
        proof.classify();
        proof
    }

    /// Proves something, and prints a row with the number of paths.
    pub(super) fn reported(mut self, kernel: &str, isa: &str, how: &str, prove: impl FnOnce(&mut Self)) {
        let started = Instant::now();
        prove(&mut self);
        report(kernel, isa, how, format_args!("{} paths", self.paths), started);
    }

    /// Follows all paths of `kernel` through these texts, and panics with a text of which it is not right.
    pub(super) fn all_paths(&mut self, name: &str, texts: Texts, kernel: impl Fn(&[u8]) -> Outcome) {
        self.each_path(texts, kernel, |proof, questions, outcome| {
            if let Err(wrong) = proof.check(texts, questions, outcome) {
                panic!("{name}, {} bytes: {outcome:?}, but {wrong}", texts.len);
            }
        });
    }

    /// Calls `kernel` with these texts, and with these answers to its questions.
    pub(super) fn follow<R>(
        &self,
        texts: Texts,
        script: Vec<bool>,
        kernel: impl Fn(&[u8]) -> R,
    ) -> (R, Vec<Question>) {
        let text = self.nowhere.text(texts);
        let start = text.as_ptr().addr();
        follow(start..start + texts.len, script, || kernel(text))
    }

    /// Calls `see` with what `kernel` asks, and with what it returns, for each path.
    pub(super) fn each_path<R>(
        &mut self,
        texts: Texts,
        kernel: impl Fn(&[u8]) -> R,
        mut see: impl FnMut(&mut Self, &[Question], R),
    ) {
        self.asked.clear();
        let mut script = Vec::new();
        loop {
            let (result, questions) = self.follow(texts, script, &kernel);
            self.paths += 1;
            for id in questions.iter().flat_map(|(terms, _)| terms) {
                let seen = self.form(*id);
                self.asked.insert(seen);
            }
            see(self, &questions, result);
            // The next path: the last "all 0" becomes "not 0".
            script = questions.into_iter().map(|(_, answer)| answer).collect();
            loop {
                while script.pop_if(|answer| *answer).is_some() {}
                match script.last_mut() {
                    None => return,
                    Some(last) => *last = true,
                }
                if script.iter().filter(|answer| **answer).count() <= texts.answers {
                    break;
                }
            }
        }
    }

    /// What was asked about the bytes at these places, counted from `start`.
    pub(super) fn asked_in(&self, places: Range<usize>, start: usize) -> BTreeSet<(usize, Form)> {
        let within = self.asked.iter().filter(|(place, _)| places.contains(place));
        within.map(|&(place, form)| (place + 1000 - start, form)).collect()
    }

    /// The place of the last byte that a term depends on, and its form.
    fn form(&mut self, id: Id) -> (usize, Form) {
        if let Some(&known) = self.form_of.get(&id) {
            return known;
        }
        let (mut places, mut tables) = (BTreeSet::new(), BTreeSet::new());
        visit(id, &mut |node| {
            if let Node::Of(table, place) = node {
                places.insert(place as usize);
                tables.insert(table);
            }
        });
        let (first, last) = (*places.first().unwrap(), *places.last().unwrap());
        assert!(last - first < VIEW, "a question about bytes as far apart as {first} and {last}");
        if !self.tables.is_superset(&tables) {
            self.tables.extend(tables);
            self.classify();
        }
        let key = shape(id, last as u32);
        let next = self.examples.len();
        let form = *self.forms.entry(key).or_insert(next);
        if form == next {
            self.examples.push((id, last));
        }
        self.form_of.insert(id, (last, form));
        (last, form)
    }

    /// Bytes are of one class if no table, and not the reference, tells them apart.
    fn classify(&mut self) {
        let mut classes = BTreeMap::new();
        (self.bytes, self.classes) = (Vec::new(), Vec::new());
        for byte in 0..=255 {
            let steps = (0..self.reference.states).map(|state| (self.reference.step)(state, byte));
            let mut key: Vec<u32> = steps.collect();
            with(|arena| key.extend(self.tables.iter().map(|&table| u32::from(arena.entry(table, byte)))));
            let next = classes.len() as u32;
            let class = *classes.entry(key).or_insert(next);
            self.classes.push(class);
            if class == next {
                self.bytes.push(byte);
            }
        }
        self.not_zero.clear();
        self.joined.clear();
        // Of no forms, none is not 0.
        self.joined_windows = vec![vec![0; self.bytes.len().pow(VIEW as u32).div_ceil(64)]];
        self.sets.clear();
        self.all_sets.clear();
        self.steps.clear();
        self.steps_back.clear();
    }

    /// The number of the set of windows in which any of these forms is not 0.
    fn join(&mut self, mut forms: Vec<Form>) -> u32 {
        if forms.is_empty() {
            return 0;
        }
        forms.sort_unstable();
        forms.dedup();
        if let Some(&id) = self.joined.get(&forms) {
            return id as u32;
        }
        let k = self.bytes.len();
        let windows = k.pow(VIEW as u32);
        let mut all = vec![0; windows.div_ceil(64)];
        for form in &forms {
            let ones = self.not_zero.entry(*form).or_insert_with(|| {
                let (id, last) = self.examples[*form];
                let mut ones = vec![0; windows.div_ceil(64)];
                with(|arena| {
                    for n in 0..windows {
                        let window = [n / (k * k * k), n / (k * k) % k, n / k % k, n % k];
                        let byte = |place: u32| self.bytes[window[place as usize + VIEW - 1 - last]];
                        ones[n / 64] |= u64::from(value(arena, id, &byte) != 0) << (n % 64);
                    }
                });
                ones
            });
            all.iter_mut().zip(ones).for_each(|(all, one)| *all |= *one);
        }
        self.joined_windows.push(all);
        self.joined.insert(forms, self.joined_windows.len() - 1);
        self.joined_windows.len() as u32 - 1
    }

    fn set(&mut self, mut states: Vec<u32>) -> usize {
        states.sort_unstable();
        states.dedup();
        let next = self.all_sets.len();
        let id = *self.sets.entry(states.clone()).or_insert(next);
        if id == next {
            self.all_sets.push(states);
        }
        id
    }

    /// A state of the product: the last three classes, the state of the reference, and whether the last "not 0" is met.
    fn state(&self, classes: u32, reference: u32, met: bool) -> u32 {
        (classes * self.reference.states + reference) * 2 + u32::from(met)
    }

    fn reference_of(&self, state: u32) -> u32 {
        state / 2 % self.reference.states
    }

    /// The state after a byte, unless this is not on the path: if `zero` is not 0, or if it is known to be well-formed.
    fn next(&self, state: u32, class: u32, (zero, other, known): Condition) -> Option<u32> {
        let k = self.bytes.len() as u32;
        let window = (state / 2 / self.reference.states * k + class) as usize;
        let has = |set: u32| self.joined_windows[set as usize][window / 64] >> (window % 64) & 1 == 1;
        let reference = (self.reference.step)(self.reference_of(state), self.bytes[class as usize]);
        let is_elsewhere = has(zero) || known && reference == ILL_FORMED;
        (!is_elsewhere).then(|| self.state(window as u32 % (k * k * k), reference, state % 2 == 1 || has(other)))
    }

    /// Checks one path. The error says what is not so, and of which text.
    pub(super) fn check(&mut self, texts: Texts, questions: &[Question], outcome: Outcome) -> Result<(), String> {
        // One of the answers "not 0", most likely the last, is what decided that a text is ill-formed.
        let is_decided = matches!(outcome, Outcome::IllFormed { .. } | Outcome::Nowhere);
        let answers = (0..questions.len()).rev().filter(|&k| is_decided && questions[k].1);
        let mut result = None;
        for decisive in answers {
            let by_this = self.check_by(texts, questions, outcome, Some(decisive));
            if by_this.is_ok() {
                return by_this;
            }
            result = result.or(Some(by_this));
        }
        result.unwrap_or_else(|| self.check_by(texts, questions, outcome, None))
    }

    fn check_by(
        &mut self,
        texts: Texts,
        questions: &[Question],
        outcome: Outcome,
        decisive: Option<usize>,
    ) -> Result<(), String> {
        // The last place that the decisive question is about.
        let asked = decisive.and_then(|k| questions[k].0.iter().map(|&id| self.form(id).0).max());
        let (sets, conditions) = self.walk(texts, questions, decisive);
        let find = |place: usize, is_wrong: &dyn Fn(u32) -> bool, what: &str| {
            let state = self.all_sets[sets[place]].iter().copied().find(|&state| is_wrong(state));
            let Some(state) = state else { return Ok(()) };
            Err(format!("{what} in {:02X?}", self.text(state, place, &sets, &conditions)))
        };
        let is_ill = |state: u32| self.reference_of(state) == ILL_FORMED;
        let is_whole = |state: u32| (self.reference.is_whole)(self.reference_of(state));
        match outcome {
            Outcome::WellFormed => find(texts.len, &|state| !is_whole(state), "it is not"),
            Outcome::SoFar(at) => find(at, &is_ill, "it is ill-formed before"),
            Outcome::Whole(at) => find(at, &|state| !is_whole(state), "it is not before"),
            Outcome::Nowhere => find(texts.len, &is_met, "a text leads here"),
            Outcome::IllFormed { at, by } => {
                find(at, &is_ill, "it is ill-formed before")?;
                match by {
                    Some(by) if asked.is_some_and(|last| last >= by) => {
                        Err(format!("it has asked about more than {by}"))
                    }
                    Some(by) => find(
                        by,
                        &|state| is_met(state) && !(self.reference.is_lost)(self.reference_of(state)),
                        "it may be well-formed",
                    ),
                    None => find(texts.len, &|state| is_met(state) && is_whole(state), "it is well-formed"),
                }
            }
        }
    }

    /// The states that the texts of a path may be in at each place, and its conditions. The question `decisive` is one of
    /// them, though its answer was "not 0".
    fn walk(
        &mut self,
        texts: Texts,
        questions: &[Question],
        decisive: Option<usize>,
    ) -> (Vec<usize>, Vec<Condition>) {
        let mut zero = vec![Vec::new(); texts.len];
        let mut other = vec![Vec::new(); texts.len];
        for (k, (terms, answer)) in questions.iter().enumerate() {
            for &id in terms {
                let (place, form) = self.form(id);
                if !answer {
                    zero[place].push(form);
                } else if decisive == Some(k) {
                    other[place].push(form);
                }
            }
        }
        let start = if texts.known == 0 {
            vec![self.state(0, EMPTY, decisive.is_none())]
        } else {
            // Any classes and any state.
            let all = (0..(self.bytes.len() as u32).pow(VIEW as u32 - 1)).flat_map(|classes| {
                let states = 1..self.reference.states;
                states.filter(|&state| (self.reference.is_border)(state)).map(move |state| (classes, state))
            });
            all.map(|(classes, reference)| self.state(classes, reference, decisive.is_none())).collect()
        };
        let (mut sets, mut conditions) = (vec![self.set(start)], Vec::new());
        for (place, (zero, other)) in zero.into_iter().zip(other).enumerate() {
            let condition = (self.join(zero), self.join(other), place < texts.known);
            let from = *sets.last().unwrap();
            let key = (from as u32, condition.0, condition.1, condition.2);
            let to = match self.steps.get(&key) {
                Some(&to) => to,
                None => {
                    let mut to = Vec::new();
                    for &state in &self.all_sets[from] {
                        to.extend(
                            (0..self.bytes.len() as u32).filter_map(|class| self.next(state, class, condition)),
                        );
                    }
                    let to = self.set(to);
                    self.steps.insert(key, to);
                    to
                }
            };
            sets.push(to);
            conditions.push(condition);
        }
        (sets, conditions)
    }

    /// The states in which a text on this path may end, if a well-formed text may begin with it or, if `whole`, if it is
    /// well-formed.
    fn good(&self, set: usize, whole: bool) -> Vec<u32> {
        let is_good = |reference| {
            if whole { (self.reference.is_whole)(reference) } else { !(self.reference.is_lost)(reference) }
        };
        let states = self.all_sets[set].iter().copied();
        states.filter(|&state| is_met(state) && is_good(self.reference_of(state))).collect()
    }

    /// Whether there is a good text on this path for which the answer to the question `decisive` is "not 0".
    pub(super) fn has_texts(
        &mut self,
        texts: Texts,
        questions: &[Question],
        decisive: usize,
        whole: bool,
    ) -> bool {
        let (sets, _) = self.walk(texts, questions, Some(decisive));
        !self.good(sets[texts.len], whole).is_empty()
    }

    /// The bytes that there may be at each place of a good text on this path.
    pub(super) fn bytes_on_path(&mut self, texts: Texts, questions: &[Question], whole: bool) -> Vec<Bytes> {
        let (sets, conditions) = self.walk(texts, questions, None);
        let good = self.good(sets[texts.len], whole);
        let (mut good, mut bytes) = (self.set(good), vec![[false; 256]; texts.len]);
        for place in (0..texts.len).rev() {
            let key = (sets[place], good, conditions[place]);
            if !self.steps_back.contains_key(&key) {
                let (mut before, mut classes) = (Vec::new(), vec![false; self.bytes.len()]);
                for &state in &self.all_sets[key.0] {
                    let mut leads_on = false;
                    for (class, seen) in classes.iter_mut().enumerate() {
                        let next = self.next(state, class as u32, key.2);
                        if next.is_some_and(|next| self.all_sets[good].binary_search(&next).is_ok()) {
                            (leads_on, *seen) = (true, true);
                        }
                    }
                    before.extend(leads_on.then_some(state));
                }
                let step = (self.set(before), core::array::from_fn(|byte| classes[self.classes[byte] as usize]));
                self.steps_back.insert(key, step);
            }
            (good, bytes[place]) = self.steps_back[&key];
        }
        bytes
    }

    /// A text that leads to this state.
    fn text(&self, mut state: u32, place: usize, sets: &[usize], conditions: &[Condition]) -> Vec<u8> {
        let mut text = Vec::new();
        for place in (0..place).rev() {
            let classes = 0..self.bytes.len() as u32;
            let mut all = self.all_sets[sets[place]]
                .iter()
                .flat_map(|&from| classes.clone().map(move |class| (from, class)));
            let leads = |&(from, class): &(u32, u32)| self.next(from, class, conditions[place]) == Some(state);
            let (from, class) = all.find(leads).expect("a state comes from another");
            text.push(self.bytes[class as usize]);
            state = from;
        }
        text.reverse();
        text
    }
}

/// Calls `see` with a term, and all in it.
fn visit(id: Id, see: &mut impl FnMut(Node)) {
    let node = with(|arena| arena.get(id));
    see(node);
    if let Node::Byte(_, a, b) = node {
        visit(a, see);
        visit(b, see);
    }
}

/// A term with places counted back from the last one. The operands of a commutative operation have no order.
fn shape(id: Id, last: u32) -> Vec<u32> {
    match with(|arena| arena.get(id)) {
        Node::Const(byte) => vec![0, byte.into()],
        Node::Of(table, place) => vec![1, table, last - place],
        Node::Byte(op, a, b) => {
            let mut operands = [shape(a, last), shape(b, last)];
            if op.commutes() {
                operands.sort();
            }
            [vec![2, op as u32], operands.concat()].concat()
        }
        Node::Wide(..) | Node::Unknown(_) => panic!("a question about what is not known"),
    }
}

/// The value of a term in a text with these bytes.
fn value(arena: &Arena, id: Id, byte: &impl Fn(u32) -> u8) -> u8 {
    match arena.get(id) {
        Node::Const(byte) => byte,
        Node::Of(table, place) => arena.entry(table, byte(place)),
        Node::Byte(op, a, b) => eval(op, value(arena, a, byte), value(arena, b, byte)),
        Node::Wide(..) | Node::Unknown(_) => unreachable!("`form` has refused it"),
    }
}
