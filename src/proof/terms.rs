//! Bytes as terms over the bytes of a text.
//!
//! A term is a number: the same term has the same number, and the number of a constant is the byte itself. All that
//! depends on a single byte of the text is a table of 256 entries for it, so terms stay small. Where a kernel asks a
//! question of a vector, the term is split at each `or`, as a disjunction is zero if and only if all its parts are. Rules
//! move `or` outwards; `rules_hold` proves each for all bytes.

// Where kernels are not followed, terms are only compared with the instructions.
#![cfg_attr(not(fastutf_on_paper), allow(dead_code))]

use core::cell::{Cell, RefCell};
use core::hash::{BuildHasherDefault, Hasher};
use core::ops::Range;
use core::panic::Location;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Mutex;
use std::vec::Vec;

/// A term by its number.
pub(crate) type Id = u32;

/// What is computed of two bytes. The last three have one operand: the second is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    And,
    Or,
    Xor,
    Add,
    Sub,
    GtI,
    AddsI,
    SubsU,
    MinU,
    MaxU,
    MinI,
    Eq,
    Shl,
    Shr,
    /// `FF` or 0 by bit 7.
    Spread,
    /// `FF` if not 0.
    NonZero,
}

impl Op {
    pub(super) fn commutes(self) -> bool {
        matches!(
            self,
            Self::And | Self::Or | Self::Xor | Self::Add | Self::MinU | Self::MaxU | Self::MinI | Self::Eq
        )
    }
}

pub(crate) fn eval(op: Op, a: u8, b: u8) -> u8 {
    let (x, y) = (a as i8, b as i8);
    let all = |yes| if yes { 0xFF } else { 0 };
    match op {
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::GtI => all(x > y),
        Op::AddsI => x.saturating_add(y) as u8,
        Op::SubsU => a.saturating_sub(b),
        Op::MinU => a.min(b),
        Op::MaxU => a.max(b),
        Op::MinI => x.min(y) as u8,
        Op::Eq => all(a == b),
        Op::Shl => a.checked_shl(b.into()).unwrap_or(0),
        Op::Shr => a.checked_shr(b.into()).unwrap_or(0),
        Op::Spread => all(a >= 0x80),
        Op::NonZero => all(a != 0),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    Const(u8),
    /// A byte of the text, by its place, looked up in a table, by its number.
    Of(u32, u32),
    Byte(Op, Id, Id),
    /// Byte `k` of a sum of two numbers of 64 bits: of bytes, or of such sums by their lowest bytes. No question may depend on
    /// it. Only AVX-512 has such numbers.
    Wide(Id, Id, u8),
    /// Not known: part of the result of an operation on words. No question may depend on it.
    Unknown(u32),
}

/// A hash that costs little.
#[derive(Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// What a kernel asked: whether any of these terms is not 0, and the answer it got.
pub(super) type Question = (BTreeSet<Id>, bool);

/// The table of the byte itself. Those before it are the constants.
const IDENTITY: u32 = 256;

pub(crate) struct Arena {
    nodes: Vec<Node>,
    ids: Map<Node, Id>,
    /// For each term, the bits that may be set.
    may: Vec<u8>,
    tables: Vec<[u8; 256]>,
    table_ids: Map<[u8; 256], u32>,
    built: Map<(Op, Id, Id), Id>,
    unknown: u32,
    /// The answers to the first questions. To the others it is "all are 0".
    script: Vec<bool>,
    log: Vec<Question>,
    zeros: HashSet<Id>,
    /// Whether a question of `ask_any` was answered by "not 0".
    found: bool,
    /// For each place, the bytes that are counted there. If `None`, no number may depend on the text.
    counted: Option<Vec<Bytes>>,
}

/// A set of bytes.
pub(super) type Bytes = [bool; 256];

/// What a byte at a place adds to the number of such bytes: 40 bits that have no pattern.
pub(super) fn weight(place: usize, byte: usize) -> u64 {
    let mix = |n: u64, by: u64| (n ^ n >> 29).wrapping_mul(by);
    let n = mix((place << 8 | byte) as u64 + 1, 0x9E37_79B9_7F4A_7C15);
    mix(mix(n, 0xBF58_476D_1CE4_E5B9), 0x94D0_49BB_1331_11EB) >> 24
}

std::thread_local! {
    static ARENA: RefCell<Arena> = RefCell::new(Arena::new());
    /// Where the text claims to be in memory.
    static TEXT: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

pub(super) fn with<R>(f: impl FnOnce(&mut Arena) -> R) -> R {
    ARENA.with_borrow_mut(f)
}

/// Calls `kernel` with a text in this place, of which only the addresses are used, and with these answers to its questions.
/// Returns what it has asked, too.
pub(super) fn follow<R>(text: Range<usize>, script: Vec<bool>, kernel: impl FnOnce() -> R) -> (R, Vec<Question>) {
    with(|arena| {
        arena.script = script;
        arena.log.clear();
        arena.zeros.clear();
        arena.found = false;
    });
    TEXT.set((text.start, text.end));
    let result = kernel();
    TEXT.set((0, 0));
    (result, with(|arena| core::mem::take(&mut arena.log)))
}

/// Calls a function with these bytes to count: a number of bytes is the sum of their weights, and of others 0.
pub(super) fn counting<R>(bytes: Vec<Bytes>, f: impl FnOnce() -> R) -> R {
    let before = with(|arena| arena.counted.replace(bytes));
    let result = f();
    with(|arena| arena.counted = before);
    result
}

/// The place in the text of what is at an address, if it is in the text.
fn place(address: usize) -> Option<u32> {
    let (start, end) = TEXT.get();
    (start..end).contains(&address).then(|| (address - start) as u32)
}

/// An answer about a few bytes, of which each has a part.
pub(crate) trait Answer: Copy + PartialEq + core::fmt::Debug {
    fn to_byte(self) -> u8;
    /// The answer for the sum of all parts, at most 255.
    fn of_all(sum: u8) -> Self;
    fn on_paper(arena: &mut Arena, parts: &[Id]) -> Self;
}

impl Answer for bool {
    fn to_byte(self) -> u8 {
        self.into()
    }
    fn of_all(sum: u8) -> Self {
        sum != 0
    }
    fn on_paper(arena: &mut Arena, parts: &[Id]) -> Self {
        arena.ask(parts.iter().copied())
    }
}

impl Answer for usize {
    fn to_byte(self) -> u8 {
        self.try_into().unwrap()
    }
    fn of_all(sum: u8) -> Self {
        sum.into()
    }
    fn on_paper(arena: &mut Arena, parts: &[Id]) -> Self {
        arena.number(parts) as Self
    }
}

/// Where a kernel asks, and the answers to each byte alone.
type Asked = (&'static Location<'static>, Vec<[u8; 256]>);

/// What a kernel asks a few bytes without a vector (`plain!`): the bytes themselves or, in a proof, the script. `ask` must
/// be a disjunction of what it asks each byte, or a sum, which is checked for all bytes.
#[track_caller]
pub(crate) fn plain<A: Answer, const N: usize>(bytes: &[u8; N], ask: impl Fn(&[u8; N]) -> A) -> A {
    static CHECKED: Mutex<BTreeSet<Asked>> = Mutex::new(BTreeSet::new());
    let Some(place) = place(bytes.as_ptr().addr()) else { return ask(bytes) };
    let alone = |k: usize, byte: usize| {
        let mut bytes = [0; N];
        bytes[k] = byte as u8;
        ask(&bytes)
    };
    let parts: Vec<[u8; 256]> = (0..N).map(|k| core::array::from_fn(|byte| alone(k, byte).to_byte())).collect();
    let (here, mut checked) = (Location::caller(), CHECKED.lock().unwrap());
    if !checked.contains(&(here, parts.clone())) {
        for n in 0..1u32 << (8 * N) {
            let bytes: [u8; N] = core::array::from_fn(|k| (n >> (8 * k)) as u8);
            let all = (0..N).map(|k| parts[k][usize::from(bytes[k])]).sum();
            assert_eq!(ask(&bytes), A::of_all(all), "neither a disjunction nor a sum: {bytes:02X?}");
        }
        checked.insert((here, parts.clone()));
    }
    drop(checked);
    with(|arena| {
        let tables: Vec<u32> = parts.into_iter().map(|part| arena.table(part)).collect();
        let ids: Vec<Id> = tables.into_iter().zip(place..).map(|(table, place)| arena.of(table, place)).collect();
        A::on_paper(arena, &ids)
    })
}

impl Arena {
    fn new() -> Self {
        let mut arena = Self {
            nodes: Vec::new(),
            ids: Map::default(),
            may: Vec::new(),
            tables: Vec::new(),
            table_ids: Map::default(),
            built: Map::default(),
            unknown: 0,
            script: Vec::new(),
            log: Vec::new(),
            zeros: HashSet::new(),
            found: false,
            counted: None,
        };
        for byte in 0..=255 {
            assert_eq!(arena.node(Node::Const(byte)), u32::from(byte));
            assert_eq!(arena.table([byte; 256]), u32::from(byte));
        }
        assert_eq!(arena.table(core::array::from_fn(|byte| byte as u8)), IDENTITY);
        arena
    }

    pub(super) fn get(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    pub(super) fn entry(&self, table: u32, byte: u8) -> u8 {
        self.tables[table as usize][usize::from(byte)]
    }

    fn node(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let may = match node {
            Node::Const(byte) => byte,
            Node::Of(table, _) => self.tables[table as usize].iter().fold(0, |all, byte| all | byte),
            Node::Byte(Op::And, a, b) => self.may[a as usize] & self.may[b as usize],
            Node::Byte(Op::Or | Op::Xor, a, b) => self.may[a as usize] | self.may[b as usize],
            Node::Byte(op @ (Op::Shl | Op::Shr), a, by @ 0..8) => eval(op, self.may[a as usize], by as u8),
            _ => 0xFF,
        };
        let id = if may == 0 && node != Node::Const(0) { 0 } else { self.nodes.len() as Id };
        if id > 0 || node == Node::Const(0) {
            self.nodes.push(node);
            self.may.push(may);
        }
        self.ids.insert(node, id);
        id
    }

    fn table(&mut self, table: [u8; 256]) -> u32 {
        let next = self.tables.len() as u32;
        let id = *self.table_ids.entry(table).or_insert(next);
        if id == next {
            self.tables.push(table);
        }
        id
    }

    /// What a table has for the byte at a place.
    fn of(&mut self, table: u32, place: u32) -> Id {
        if table < IDENTITY { table } else { self.node(Node::Of(table, place)) }
    }

    pub(super) fn unknown(&mut self) -> Id {
        self.unknown += 1;
        self.node(Node::Unknown(self.unknown))
    }

    pub(super) fn constant(id: Id) -> Option<u8> {
        u8::try_from(id).ok()
    }

    /// The bits that may be set in a term.
    pub(super) fn may(&self, id: Id) -> u8 {
        self.may[id as usize]
    }

    pub(super) fn byte(&mut self, op: Op, a: Id, b: Id) -> Id {
        if let (Some(a), Some(b)) = (Self::constant(a), Self::constant(b)) {
            return eval(op, a, b).into();
        }
        let (a, b) = if op.commutes() && a > b { (b, a) } else { (a, b) };
        if let Some(&id) = self.built.get(&(op, a, b)) {
            return id;
        }
        let id = self.build(op, a, b);
        self.built.insert((op, a, b), id);
        id
    }

    fn build(&mut self, op: Op, a: Id, b: Id) -> Id {
        let table_of = |node: Node| match node {
            Node::Const(byte) => Some((byte.into(), None)),
            Node::Of(table, place) => Some((table, Some(place))),
            _ => None,
        };
        let (left, right) = (self.get(a), self.get(b));
        if let (Some((one, p)), Some((two, q))) = (table_of(left), table_of(right))
            && (p == q || p.is_none() || q.is_none())
        {
            let table = core::array::from_fn(|k| eval(op, self.entry(one, k as u8), self.entry(two, k as u8)));
            let table = self.table(table);
            return self.of(table, p.or(q).unwrap_or(0));
        }
        // Of commutative operations, a constant is the left operand.
        match (op, left, right) {
            (Op::Or | Op::Xor, Node::Const(0), _) => b,
            (Op::Or | Op::And | Op::MinU | Op::MaxU | Op::MinI, ..) if a == b => a,
            (Op::And, Node::Const(mask), _) if self.may(b) & !mask == 0 => b,
            (Op::And, Node::Const(_), Node::Byte(inner @ (Op::Or | Op::Xor), p, q)) => {
                self.distribute(inner, p, q, |arena, part| arena.byte(op, a, part))
            }
            (Op::And, Node::Const(0x80), Node::Byte(Op::MaxU, p, q)) => {
                self.distribute(Op::Or, p, q, |arena, part| arena.byte(op, a, part))
            }
            (Op::And, Node::Const(mask), Node::Byte(Op::MinU, p, q))
                if mask.leading_ones() == mask.count_ones() =>
            {
                self.distribute(Op::MinU, p, q, |arena, part| arena.byte(op, a, part))
            }
            (Op::Eq, Node::Const(0), Node::Byte(Op::MinU, p, q)) => {
                self.distribute(Op::Or, p, q, |arena, part| arena.byte(op, a, part))
            }
            (Op::NonZero | Op::Spread, Node::Byte(Op::Or, p, q), _) => {
                self.distribute(Op::Or, p, q, |arena, part| arena.byte(op, part, 0))
            }
            (Op::SubsU, Node::Byte(Op::MaxU, p, q), Node::Const(_)) => {
                self.distribute(Op::MaxU, p, q, |arena, part| arena.byte(op, part, b))
            }
            (Op::GtI, Node::Const(_), Node::Byte(Op::MinI, p, q)) => {
                self.distribute(Op::Or, p, q, |arena, part| arena.byte(op, a, part))
            }
            _ => self.node(Node::Byte(op, a, b)),
        }
    }

    fn distribute(&mut self, outer: Op, p: Id, q: Id, inner: impl Fn(&mut Self, Id) -> Id) -> Id {
        let (p, q) = (inner(self, p), inner(self, q));
        self.byte(outer, p, q)
    }

    /// The entry of a table of at most 256 bytes that a term selects.
    pub(super) fn lookup(&mut self, entries: impl Fn(u8) -> u8, index: Id) -> Id {
        match self.get(index) {
            Node::Const(index) => entries(index).into(),
            Node::Of(table, place) => {
                let table = core::array::from_fn(|k| entries(self.entry(table, k as u8)));
                let table = self.table(table);
                self.of(table, place)
            }
            other => panic!("a lookup by more than one byte of the text: {other:?}"),
        }
    }

    /// Bytes as one little-endian number, shifted by so many bits, to the left if positive.
    pub(super) fn shift(&mut self, bytes: &[Id], by: i32) -> Vec<Id> {
        let (whole, bits) = (by.div_euclid(8), by.rem_euclid(8));
        let at = |k: i32| usize::try_from(k).ok().and_then(|k| bytes.get(k)).copied().unwrap_or(0);
        let all = (0..bytes.len() as i32).map(|k| {
            let upper = self.byte(Op::Shl, at(k - whole), bits as Id);
            let lower = self.byte(Op::Shr, at(k - whole - 1), 8 - bits as Id);
            self.byte(Op::Or, upper, lower)
        });
        all.collect()
    }

    /// The terms, each of one byte of the text, whose sum a term is. Returns the maximum of that, which fits a byte.
    fn addends(&mut self, id: Id, into: &mut Vec<Id>) -> u32 {
        let most = match self.get(id) {
            Node::Byte(Op::Add, a, b) => self.addends(a, into) + self.addends(b, into),
            // What is subtracted is `FF`, so 1 is added.
            Node::Byte(Op::Sub, a, b) if a != 0 => {
                let b = self.byte(Op::Sub, 0, b);
                self.addends(a, into) + self.addends(b, into)
            }
            // A nibble of a sum is the sum of the nibbles, if the lower ones do not overflow.
            Node::Byte(op, a, b) if (op, a) == (Op::And, 0x0F) || (op, b) == (Op::Shr, 4) => {
                let (mut all, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
                self.addends(if op == Op::And { b } else { a }, &mut all);
                let (mut lower, mut upper) = (0, 0);
                for part in all {
                    let [l, h] = [self.byte(Op::And, 0x0F, part), self.byte(Op::Shr, part, 4)];
                    lower += self.addends(l, &mut low);
                    upper += self.addends(h, &mut high);
                }
                assert!(lower <= 0x0F, "a count that may overflow a nibble");
                into.extend(if op == Op::And { low } else { high });
                if op == Op::And { lower } else { upper }
            }
            node => {
                into.push(id);
                match node {
                    Node::Const(byte) => byte.into(),
                    Node::Of(table, _) => self.tables[table as usize].iter().copied().max().unwrap().into(),
                    _ => panic!("a count of what is no sum: {node:?}"),
                }
            }
        };
        assert!(most <= 0xFF, "a count that may overflow a byte");
        most
    }

    /// A number of 64 bits that does not depend on the text.
    fn wide_constant(number: [Id; 8]) -> Option<u64> {
        number.iter().rev().try_fold(0, |all, &id| Some(all << 8 | u64::from(Self::constant(id)?)))
    }

    /// The lowest byte of a number of 64 bits. Panics if that is neither a byte nor a sum.
    fn lowest(&self, number: [Id; 8]) -> Id {
        let is_so = match self.get(number[0]) {
            Node::Wide(a, b, _) => (0..8).all(|k| self.get(number[k]) == Node::Wide(a, b, k as u8)),
            _ => number[1..] == [0; 7],
        };
        assert!(is_so, "a number of 64 bits that is no sum of bytes");
        number[0]
    }

    /// The sum of two numbers of 64 bits.
    pub(super) fn wide_sum(&mut self, a: [Id; 8], b: [Id; 8]) -> [Id; 8] {
        if let (Some(a), Some(b)) = (Self::wide_constant(a), Self::wide_constant(b)) {
            return a.wrapping_add(b).to_le_bytes().map(Id::from);
        }
        let (a, b) = (self.lowest(a), self.lowest(b));
        core::array::from_fn(|k| self.node(Node::Wide(a, b, k as u8)))
    }

    /// The same as [`number`](Self::number), of one number of 64 bits.
    pub(super) fn wide_number(&mut self, number: [Id; 8]) -> u64 {
        Self::wide_constant(number).unwrap_or_else(|| self.number(&[self.lowest(number)]))
    }

    /// A kernel's number that is the sum of these terms: for bytes of the text, that of their weights.
    pub(super) fn number(&mut self, ids: &[Id]) -> u64 {
        let is_constant = ids.iter().all(|&id| Self::constant(id).is_some());
        assert!(is_constant || self.counted.is_some(), "a number that depends on the text");
        let (mut parts, mut wide) = (Vec::new(), ids.to_vec());
        while let Some(id) = wide.pop() {
            match self.get(id) {
                Node::Wide(a, b, 0) => wide.extend([a, b]),
                _ => _ = self.addends(id, &mut parts),
            }
        }
        let of =
            |table: u32, place: usize, byte: usize| u64::from(self.entry(table, byte as u8)) * weight(place, byte);
        let value = |part: Id| match self.get(part) {
            Node::Of(table, place) => {
                let counted =
                    self.counted.as_ref().and_then(|bytes| bytes.get(place as usize)).unwrap_or(&[false; 256]);
                (0..256).filter(|&byte| counted[byte]).map(|byte| of(table, place as usize, byte)).sum()
            }
            Node::Const(byte) => byte.into(),
            _ => 0,
        };
        parts.into_iter().map(value).sum()
    }

    /// Splits a term into terms that are all 0 if and only if it is.
    fn split(&self, id: Id, into: &mut BTreeSet<Id>) {
        match self.get(id) {
            Node::Const(0) => {}
            Node::Byte(Op::Or, a, b) => {
                self.split(a, into);
                self.split(b, into);
            }
            _ => _ = into.insert(id),
        }
    }

    /// Whether any of these is not 0.
    pub(super) fn ask(&mut self, ids: impl IntoIterator<Item = Id>) -> bool {
        let mut terms = BTreeSet::new();
        for id in ids {
            self.split(id, &mut terms);
        }
        if terms.iter().any(|&id| Self::constant(id).is_some()) {
            return true;
        }
        // What is known to be 0 need not be asked.
        terms.retain(|id| !self.zeros.contains(id));
        if terms.is_empty() {
            return false;
        }
        let answer = self.script.get(self.log.len()).copied().unwrap_or(false);
        if !answer {
            self.zeros.extend(&terms);
        }
        self.log.push((terms, answer));
        answer
    }

    /// The same where only the disjunction of all these answers matters. After the first "not 0", no more is asked.
    pub(super) fn ask_any(&mut self, ids: &[Id]) -> bool {
        let asked = self.log.len();
        let answer = self.found || self.ask(ids.iter().copied());
        self.found |= answer && self.log.len() > asked;
        answer
    }

    /// 0 if this term is known to be 0, by what was asked before.
    pub(super) fn known(&self, id: Id) -> Id {
        if self.zeros.contains(&id) { 0 } else { id }
    }

    /// `FF` if the byte at this place is above another.
    pub(super) fn above(&mut self, byte: u8, place: usize) -> Id {
        let here = self.of(IDENTITY, place as u32);
        let above = self.byte(Op::SubsU, here, byte.into());
        // Not the difference, which would tell all bytes apart.
        self.byte(Op::NonZero, above, 0)
    }

    /// The bytes of a slice: terms if they are in the text.
    pub(super) fn load(&mut self, bytes: &[u8], into: &mut [Id]) {
        let Some(first) = place(bytes.as_ptr().addr()) else {
            return into.iter_mut().zip(bytes).for_each(|(id, &byte)| *id = byte.into());
        };
        for (k, id) in into.iter_mut().enumerate().take(bytes.len()) {
            *id = self.of(IDENTITY, first + k as u32);
        }
    }
}

/// The rules by which terms are simplified hold for all bytes.
#[test]
fn rules_hold() {
    let (e, one_in) = (eval, super::one_in(1));
    for n in (0..=0xFF_FFFFu32).step_by(one_in) {
        let [a, b, c, _] = n.to_le_bytes();
        let mask = !(0xFF_u8 >> (c % 8));
        assert_eq!(mask.leading_ones(), mask.count_ones());
        let same = [
            [a & (b | c), a & b | a & c],
            [a & (b ^ c), (a & b) ^ (a & c)],
            [0x80 & e(Op::MaxU, a, b), 0x80 & a | 0x80 & b],
            [mask & e(Op::MinU, a, b), e(Op::MinU, mask & a, mask & b)],
            [e(Op::Eq, 0, e(Op::MinU, a, b)), e(Op::Eq, 0, a) | e(Op::Eq, 0, b)],
            [e(Op::NonZero, a | b, 0), e(Op::NonZero, a, 0) | e(Op::NonZero, b, 0)],
            [e(Op::Spread, a | b, 0), e(Op::Spread, a, 0) | e(Op::Spread, b, 0)],
            [e(Op::SubsU, e(Op::MaxU, a, b), c), e(Op::MaxU, e(Op::SubsU, a, c), e(Op::SubsU, b, c))],
            [e(Op::GtI, c, e(Op::MinI, a, b)), e(Op::GtI, c, a) | e(Op::GtI, c, b)],
        ];
        let differs = same.iter().position(|[left, right]| left != right);
        assert!(differs.is_none(), "rule {differs:?} for {a:02X} {b:02X} {c:02X}");
    }
    for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
        for op in [Op::And, Op::Or, Op::Xor, Op::Add, Op::MinU, Op::MaxU, Op::MinI, Op::Eq] {
            assert_eq!(eval(op, a, b), eval(op, b, a), "{op:?} commutes");
        }
        for op in [Op::And, Op::Or, Op::MinU, Op::MaxU, Op::MinI] {
            assert_eq!(eval(op, a, a), a, "{op:?} of a byte and itself");
        }
    }
}
