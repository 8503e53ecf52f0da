//! Finds the places where a source file can be changed, and the changes.
//!
//! Each place checks at run time which change is active. So an expression `a + b` becomes
//!
//! ```text
//! (match ((a), (b)) { (a, b) => match crate::mutant::at(7) { 0 => a - b, 1 => a * b, _ => a + b } })
//! ```
//!
//! where 7 is the number of its first change. Constants are not changed, as the compiler computes them and cannot ask;
//! functions that are `const` are, but only when they run. What `macro_rules!` expands to is not changed, and what expressions in
//! macros say (`dispatch!`, `plain!`). But functions that are arguments of a macro (`operations!`) are.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, UnOp};

use crate::schemata::Place;

/// A place, with the changes that can be made there.
#[derive(Debug)]
pub struct Point {
    pub place: Place,
    pub line: usize,
    pub function: String,
    pub is_number: bool,
    /// A description of each change.
    pub changes: Vec<String>,
}

/// All places in `source`, outer ones before inner ones.
pub fn points(source: &str) -> syn::Result<Vec<Point>> {
    let mut points = found(source)?.points;
    points.sort_by_key(|point| point.place.order());
    Ok(points)
}

/// A block, or an expression that is a value and no place in memory, where code can ask which change is switched on; and whether
/// it needs no semicolon, as a block.
pub type Spot = (Range<usize>, bool);

/// All of them in `source`, outer ones before inner ones.
pub fn spots(source: &str) -> syn::Result<Vec<Spot>> {
    Ok(found(source)?.spots)
}

fn found(source: &str) -> syn::Result<Finder<'_>> {
    let (function, points, spots) = (Vec::new(), Vec::new(), Vec::new());
    let mut finder = Finder { source, function, is_const: 0, is_in_const_fn: false, points, spots };
    finder.visit_file(&syn::parse_file(source)?);
    Ok(finder)
}

struct Finder<'a> {
    source: &'a str,
    function: Vec<String>,
    /// How many constants are around this. The compiler computes them, so they cannot choose a change at run time.
    is_const: usize,
    is_in_const_fn: bool,
    points: Vec<Point>,
    spots: Vec<Spot>,
}

/// The replacements for an operator.
fn others(op: &BinOp) -> Option<(&'static str, Vec<&'static str>)> {
    Some(match op {
        BinOp::Add(_) | BinOp::AddAssign(_) => ("+", vec!["-", "*"]),
        BinOp::Sub(_) | BinOp::SubAssign(_) => ("-", vec!["+", "/"]),
        BinOp::Mul(_) | BinOp::MulAssign(_) => ("*", vec!["+", "/"]),
        BinOp::Div(_) | BinOp::DivAssign(_) => ("/", vec!["%", "*"]),
        BinOp::Rem(_) | BinOp::RemAssign(_) => ("%", vec!["/", "+"]),
        BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => ("&", vec!["|", "^"]),
        BinOp::BitOr(_) | BinOp::BitOrAssign(_) => ("|", vec!["&", "^"]),
        BinOp::BitXor(_) | BinOp::BitXorAssign(_) => ("^", vec!["|", "&"]),
        BinOp::Shl(_) | BinOp::ShlAssign(_) => ("<<", vec![">>"]),
        BinOp::Shr(_) | BinOp::ShrAssign(_) => (">>", vec!["<<"]),
        BinOp::Eq(_) => ("==", vec!["!="]),
        BinOp::Ne(_) => ("!=", vec!["=="]),
        BinOp::Lt(_) => ("<", vec!["<=", ">", "=="]),
        BinOp::Le(_) => ("<=", vec!["<", ">"]),
        BinOp::Gt(_) => (">", vec![">=", "<", "=="]),
        BinOp::Ge(_) => (">=", vec![">", "<"]),
        _ => return None,
    })
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Whether a pattern matches everything.
fn is_irrefutable(arm: &syn::Arm) -> bool {
    arm.guard.is_none()
        && match &arm.pat {
            syn::Pat::Wild(_) => true,
            syn::Pat::Ident(name) => {
                name.subpat.is_none() && name.ident.to_string().starts_with(|first: char| first.is_lowercase())
            }
            _ => false,
        }
}

/// Values that a function may return instead, if they compile.
fn values(returned: &syn::Type) -> Vec<String> {
    let strings = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
    let default = strings(&["Default::default()"]);
    let path = match returned {
        syn::Type::Path(path) => path.path.segments.last().unwrap(),
        syn::Type::Tuple(tuple) if tuple.elems.is_empty() => return strings(&["()"]),
        _ => return default,
    };
    let mut inner = Vec::new();
    if let syn::PathArguments::AngleBracketed(generic) = &path.arguments {
        inner.extend(generic.args.iter().map(|argument| match argument {
            syn::GenericArgument::Type(of) => values(of),
            _ => Vec::new(),
        }));
    }
    let inside = |of: &str, k: usize| {
        inner.get(k).into_iter().flatten().map(|value| format!("{of}({value})")).collect::<Vec<_>>()
    };
    match &*path.ident.to_string() {
        "bool" => strings(&["true", "false"]),
        "usize" | "u64" | "u32" | "u16" | "u8" | "i32" => strings(&["0", "1"]),
        "Option" => [strings(&["None"]), inside("Some", 0)].concat(),
        "Result" if inner.is_empty() => strings(&["Ok(())"]),
        "Result" => [inside("Ok", 0), inside("Err", 1)].concat(),
        _ => default,
    }
}

/// The arms of a `match` that chooses a change.
fn arms(others: impl IntoIterator<Item = String>) -> String {
    others.into_iter().enumerate().map(|(k, other)| format!("{k} => {other}, ")).collect()
}

fn range(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

impl Finder<'_> {
    fn add(&mut self, place: Place, changes: Vec<String>) -> Option<&mut Point> {
        if self.is_const > 0 || self.function.is_empty() {
            return None;
        }
        let line = 1 + self.source[..place.range.start].matches('\n').count();
        let function = self.function.join("::");
        self.points.push(Point { place, line, function, is_number: false, changes });
        self.points.last_mut()
    }

    /// The text of a part of the source in one line.
    fn text(&self, range: &Range<usize>) -> String {
        let words: Vec<_> = self.source[range.clone()].split_whitespace().collect();
        words.join(" ")
    }

    /// The functions in the arguments of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |k: usize, word: &str| trees.get(k).is_some_and(|tree| tree.to_string() == word);
        let mut k = 0;
        while k < trees.len() {
            let is_brace = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            if is(k, "fn")
                && let Some(len) = trees[k..].iter().position(is_brace)
                && let TokenTree::Group(body) = &trees[k + len]
                && let Ok(block) = syn::parse2::<syn::Block>(TokenTree::Group(body.clone()).into())
            {
                let arrow = (k..k + len).find(|&k| is(k, "-") && is(k + 1, ">"));
                let returned = arrow.map(|arrow| trees[arrow + 2..k + len].iter().cloned().collect());
                let returned = returned.map(|returned| syn::parse2(returned).unwrap_or(syn::parse_quote!(!)));
                let sig = (trees[k + 1].to_string(), k > 0 && is(k - 1, "const"));
                self.function(sig, &[], returned.as_ref(), &block);
                k += len;
            } else if let TokenTree::Group(group) = &trees[k] {
                self.tokens(group.stream());
            }
            k += 1;
        }
    }

    fn function(
        &mut self,
        (name, is_const): (String, bool),
        attrs: &[syn::Attribute],
        returned: Option<&syn::Type>,
        block: &syn::Block,
    ) {
        let is_in_const_fn = std::mem::replace(&mut self.is_in_const_fn, is_const);
        self.function.push(name);
        let inner = attrs.iter().rfind(|attr| matches!(attr.style, syn::AttrStyle::Inner(_)));
        let start = inner.map_or(range(&block.brace_token.span.open()), range).end;
        for value in returned.map_or_else(|| vec!["()".to_owned()], values) {
            let edits = vec![(start..start, format!("if § == 0 {{ return {value}; }} "))];
            self.add(Place { range: start..start, edits }, vec![format!("return {value}")]);
        }
        self.visit_block(block);
        self.function.pop();
        self.is_in_const_fn = is_in_const_fn;
    }

    fn item(&mut self, attrs: &[syn::Attribute], sig: &syn::Signature, block: &syn::Block) {
        let returned = match &sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, returned) => Some(&**returned),
        };
        self.function((sig.ident.to_string(), sig.constness.is_some()), attrs, returned, block);
    }

    fn spot(&mut self, spot: Option<Spot>) {
        self.spots.extend(spot.filter(|_| self.is_const == 0 && !self.is_in_const_fn));
    }

    fn number(&mut self, all: Range<usize>, others: &[&str]) {
        let text = self.text(&all);
        let others: Vec<String> = others.iter().map(|other| format!("{text} {other}")).collect();
        let changes = others.iter().map(|other| format!("number {other}")).collect();
        let edits = vec![(all.clone(), format!("(match § {{ {}_ => {text} }})", arms(others)))];
        if let Some(point) = self.add(Place { range: all, edits }, changes) {
            point.is_number = true;
        }
    }

    fn constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.is_const += 1;
        visit(self);
        self.is_const -= 1;
    }
}

/// What the compiler computes.
macro_rules! constants {
    ($($($visit:ident: $item:ident),*;)*) => {$($(
        fn $visit(&mut self, item: &'ast syn::$item) {
            self.constant(|finder| visit::$visit(finder, item));
        }
    )*)*};
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let is_block = match expr {
            Expr::If(_) | Expr::Match(_) => Some(true),
            Expr::Unary(unary) => (!matches!(unary.op, UnOp::Deref(_))).then_some(false),
            Expr::Assign(_) | Expr::Binary(_) | Expr::Call(_) | Expr::Macro(_) | Expr::MethodCall(_) => {
                Some(false)
            }
            _ => None,
        };
        self.spot(is_block.map(|is_block| (range(expr), is_block)));
        visit::visit_expr(self, expr);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.spot(Some((range(block), true)));
        visit::visit_block(self, block);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.item(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.item(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.item(&item.attrs, &item.sig, block);
        }
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if !item.mac.path.is_ident("macro_rules") {
            self.tokens(item.mac.tokens.clone());
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let chooses = mac.path.segments.last().is_some_and(|name| name.ident == "cfg_if");
        for tree in mac.tokens.clone().into_iter().filter(|_| chooses) {
            if let Ok(block) = syn::parse2::<syn::Block>(tree.into()) {
                block.stmts.iter().for_each(|stmt| self.visit_stmt(stmt));
            }
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_test = item.attrs.iter().any(|attr| self.text(&range(attr)).contains("cfg(test)"));
        if !is_test {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let last = |path: &syn::Path| path.segments.last().unwrap().ident.to_string();
        if item.trait_.as_ref().is_some_and(|(_, path, _)| last(path) == "Debug") {
            return;
        }
        self.function.push(if let syn::Type::Path(path) = &*item.self_ty {
            last(&path.path)
        } else {
            "_".to_owned()
        });
        visit::visit_item_impl(self, item);
        self.function.pop();
    }

    constants! {
        visit_item_const: ItemConst, visit_item_static: ItemStatic, visit_impl_item_const: ImplItemConst;
        visit_trait_item_const: TraitItemConst, visit_expr_const: ExprConst, visit_item_enum: ItemEnum;
        visit_generic_argument: GenericArgument, visit_type: Type, visit_pat: Pat;
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        self.visit_expr(&expr.expr);
        self.constant(|finder| finder.visit_expr(&expr.len));
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        let (all, left, right) = (range(expr), range(&expr.left), range(&expr.right));
        let shown = |finder: &Self, other: &str| format!("{} -> {other}", finder.text(&all));
        let add = |finder: &mut Self, first: String, between: String, last: String, changes| {
            let gap = (left.end..right.start, between);
            let edits = vec![(all.start..left.start, first), gap, (all.end..all.end, last)];
            finder.add(Place { range: all.clone(), edits }, changes);
        };
        if let BinOp::And(_) | BinOp::Or(_) = expr.op {
            if !has_let(&expr.left) && !has_let(&expr.right) {
                let (first, other) = if let BinOp::And(_) = expr.op { ("a", "||") } else { ("!a", "&&") };
                let between = format!(" {{ a => if (§ == 0) ^ {first} {{ ");
                add(self, "(match ".to_owned(), between, " } else { a } })".to_owned(), vec![shown(self, other)]);
            }
        } else if let Some((op, others)) = others(&expr.op) {
            let changes = others.iter().map(|other| shown(self, other)).collect();
            let text = self.source[range(&expr.op)].to_owned();
            if text.len() > op.len() {
                let place = &self.source[left.clone()];
                let arms = arms(others.iter().map(|other| format!("{place} {other}= b")));
                let last = format!("; match § {{ {arms}_ => {place} {op}= b }} }}");
                let edits = vec![(all.start..right.start, "{ let b = ".to_owned()), (all.end..all.end, last)];
                self.add(Place { range: all, edits }, changes);
                // The left side is written twice, so it is not changed itself.
                return self.visit_expr(&expr.right);
            }
            let compares = ["==", "!=", "<", "<=", ">", ">="].contains(&op);
            // Numbers are compared by themselves where the compiler may have to.
            let by = if compares && !self.is_in_const_fn { "&" } else { "" };
            let arms = arms(others.iter().map(|other| format!("a {other} b")));
            let last = format!(")) {{ (a, b) => match § {{ {arms}_ => a {op} b }} }})");
            add(self, format!("(match ({by}("), format!("), {by}("), last, changes);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let op = match expr.op {
            UnOp::Not(_) => '!',
            UnOp::Neg(_) => '-',
            _ => return visit::visit_expr_unary(self, expr),
        };
        let (all, operand) = (range(expr), range(&expr.expr));
        let changes = vec![format!("{} -> without {op}", self.text(&all))];
        let last = format!(" {{ a => if § == 0 {{ a }} else {{ {op}a }} }})");
        let edits = vec![(all.start..operand.start, "(match ".to_owned()), (all.end..all.end, last)];
        self.add(Place { range: all, edits }, changes);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_lit(&mut self, expr: &'ast syn::ExprLit) {
        let syn::Lit::Int(number) = &expr.lit else { return };
        let Ok(value) = number.base10_parse::<u64>() else { return };
        self.number(range(expr), if value > 0 { &["+ 1", "- 1"] } else { &["+ 1"] });
    }

    /// The use of a constant: a length, a threshold, a mask. If it is not a number, the change does not compile.
    fn visit_expr_path(&mut self, expr: &'ast syn::ExprPath) {
        let name = expr.path.segments.last().unwrap();
        let is_constant = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_';
        let is_named = range(expr).len() > 1 && name.ident.to_string().chars().all(is_constant);
        if name.arguments.is_none() && is_named {
            self.number(range(expr), &["+ 1", "- 1", "- 8"]);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        if let syn::Stmt::Expr(expr @ (Expr::MethodCall(_) | Expr::Call(_)), Some(_)) = stmt {
            let changes = vec![format!("{} -> nothing", self.text(&range(expr)))];
            self.add(Place::around(&range(stmt), "if § != 0 { ".to_owned(), " }"), changes);
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let rest = expr.arms.iter().position(is_irrefutable).unwrap_or(0);
        for (index, arm) in expr.arms.iter().enumerate() {
            let pattern = self.text(&range(&arm.pat));
            if let Some((_, guard)) = &arm.guard {
                let changes =
                    ["true", "false"].map(|to| format!("{pattern} if {} -> {to}", self.text(&range(guard))));
                let first = "(match § { 0 => true, 1 => false, _ => ".to_owned();
                self.add(Place::around(&range(guard), first, " })"), changes.into());
            } else if index < rest {
                let end = range(&arm.pat).end;
                let place = Place { range: end..end, edits: vec![(end..end, " if § != 0 ".to_owned())] };
                self.add(place, vec![format!("{pattern} => -> without this arm")]);
            }
        }
        visit::visit_expr_match(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemata::splice;

    /// Changes a source file, with the first change numbered 0. Returns the new text and the changes.
    fn changed(source: &str) -> (String, Vec<String>) {
        let points = points(source).unwrap();
        let (mut places, mut number) = (Vec::new(), 0);
        for point in &points {
            places.push((&point.place, number));
            number += point.changes.len();
        }
        let (text, _) = splice(source, &places);
        syn::parse_file(&text).expect("the changed file can be parsed");
        (text, points.into_iter().flat_map(|point| point.changes).collect())
    }

    #[test]
    fn what_is_changed() {
        let (text, changes) = changed("fn f(a: usize) -> bool { a + 1 < 2 && !g(a) }");
        assert!(text.contains("return true"), "{text}");
        assert_eq!(changes[..2], ["return true", "return false"]);
        assert!(changes.contains(&"a + 1 -> -".to_owned()), "{changes:?}");
        assert!(changes.contains(&"a + 1 < 2 -> <=".to_owned()), "{changes:?}");
        assert!(changes.contains(&"a + 1 < 2 && !g(a) -> ||".to_owned()), "{changes:?}");
        assert!(changes.contains(&"!g(a) -> without !".to_owned()), "{changes:?}");
        assert!(changes.contains(&"number 2 - 1".to_owned()), "{changes:?}");
        let (_, changes) = changed("fn f() -> V { S::WIDTH - E }");
        assert_eq!(changes[..2], ["return Default::default()", "S::WIDTH - E -> +"]);
        assert_eq!(changes[3..], ["number S::WIDTH + 1", "number S::WIDTH - 1", "number S::WIDTH - 8"]);
        let (_, changes) =
            changed("fn f(mut a: usize) { a += 2; a.g(); match a { 1 => {} 2 if a > 1 => {} _ => {} } }");
        for change in ["a += 2 -> -", "a.g() -> nothing", "1 => -> without this arm", "2 if a > 1 -> false"] {
            assert!(changes.contains(&change.to_owned()), "{change}: {changes:?}");
        }
        let (_, changes) = changed("m! { #[a] fn f(a) -> Result<Option<u8>, E> { a + 1 } }");
        assert_eq!(changes[..3], ["return Ok(None)", "return Ok(Some(0))", "return Ok(Some(1))"]);
        assert_eq!(changes[4..], ["a + 1 -> -", "a + 1 -> *", "number 1 + 1", "number 1 - 1"]);
        for outside in ["impl A for B", "fn f()"] {
            let (_, changes) =
                changed(&format!("{outside} {{ cfg_if! {{ if #[cfg(c)] {{ fn g(self) {{ a & b }} }} }} }}"));
            assert!(changes.contains(&"a & b -> |".to_owned()), "{changes:?}");
        }
    }

    #[test]
    fn what_is_not() {
        for source in [
            "const A: usize = 1 + 2;",
            "#[cfg(test)] mod tests { fn f() -> usize { 1 + 1 } }",
            "fn f() -> [u8; 4 + 4] { g::<{ 1 + 1 }>() }",
            "fn f(a: V) -> ! { if let A(b) = a && b { b } else { a } }",
        ] {
            let mut changes = changed(source).1.into_iter();
            assert!(changes.all(|change| change.starts_with("return ")), "{source}");
        }
    }
}
