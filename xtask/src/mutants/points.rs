//! Finds the places where a source file can be changed, and writes the file with all of these changes at once.
//!
//! One build contains all changes. Each place checks at run time which change is active. So an expression `a + b`
//! becomes
//!
//! ```text
//! (match (a, b) { (a, b) => match crate::mutant::at(7) { 0 => a - b, 1 => a * b, _ => a + b } })
//! ```
//!
//! where 7 is the number of its first change.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, UnOp};

/// A place, with the changes that can be made there.
#[derive(Debug)]
pub struct Point {
    /// The bytes of the file that are replaced.
    range: Range<usize>,
    pub line: usize,
    pub function: String,
    kind: Kind,
    /// A description of each change.
    pub changes: Vec<String>,
}

#[derive(Debug)]
enum Kind {
    /// Both operands, the operator, and its replacements.
    Binary {
        left: Range<usize>,
        right: Range<usize>,
        op: String,
        others: Vec<&'static str>,
        compares: bool,
    },
    Lazy {
        left: Range<usize>,
        right: Range<usize>,
        and: bool,
    },
    Assign {
        place: Range<usize>,
        right: Range<usize>,
        op: String,
        others: Vec<&'static str>,
    },
    Unary {
        operand: Range<usize>,
        op: char,
    },
    Number {
        text: String,
        others: Vec<String>,
    },
    /// Values that a function may return at its start.
    Body {
        values: Vec<&'static str>,
    },
    Statement,
    /// An arm without a guard. The change adds a guard that is never true.
    Arm,
    Guard,
}

impl Point {
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Number { .. })
    }
}

/// All places in `source`, outer ones before inner ones.
pub fn points(source: &str) -> syn::Result<Vec<Point>> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { source, function: Vec::new(), is_const: 0, points: Vec::new() };
    finder.visit_file(&file);
    let mut points = finder.points;
    points.sort_by_key(|point| (point.range.start, std::cmp::Reverse(point.range.end)));
    Ok(points)
}

/// The changed file, and the range of each place in it.
pub struct Rendered {
    pub text: String,
    pub ranges: Vec<Range<usize>>,
}

/// `source` with all changes of `points`. `first` contains the number of the first change of each place.
pub fn render(source: &str, points: &[Point], first: &[Option<u32>]) -> Rendered {
    let mut rendered = Rendered { text: String::new(), ranges: vec![0..0; points.len()] };
    let mut renderer = Renderer { source, points, first, into: &mut rendered };
    renderer.part(0..source.len(), None);
    rendered
}

struct Renderer<'a> {
    source: &'a str,
    points: &'a [Point],
    /// The number of the first change of each place, or `None` if its changes do not compile.
    first: &'a [Option<u32>],
    into: &'a mut Rendered,
}

impl Renderer<'_> {
    fn push(&mut self, text: &str) {
        self.into.text.push_str(text);
    }

    /// Writes a part of the source with all places in it, except for those up to `outer`.
    fn part(&mut self, range: Range<usize>, outer: Option<usize>) {
        let mut at = range.start;
        let mut next = outer.map_or(0, |outer| outer + 1);
        while next < self.points.len() {
            let inner = self.points[next].range.clone();
            if inner.start >= at && inner.end <= range.end && self.first[next].is_some() {
                self.push(&self.source[at..inner.start]);
                let start = self.into.text.len();
                self.point(next);
                self.into.ranges[next] = start..self.into.text.len();
                at = inner.end;
            }
            next += 1;
        }
        self.push(&self.source[at..range.end]);
    }

    fn point(&mut self, index: usize) {
        let point = &self.points[index];
        let at = format!("crate::mutant::at({})", self.first[index].unwrap());
        let arms = |others: &mut dyn Iterator<Item = String>| {
            others.enumerate().map(|(k, other)| format!("{k} => {other}, ")).collect::<String>()
        };
        match &point.kind {
            Kind::Binary { left, right, op, others, compares } => {
                let by = if *compares { "&" } else { "" };
                self.push(&format!("(match ({by}("));
                self.part(left.clone(), Some(index));
                self.push(&format!("), {by}("));
                self.part(right.clone(), Some(index));
                let arms = arms(&mut others.iter().map(|other| format!("a {other} b")));
                self.push(&format!(")) {{ (a, b) => match {at} {{ {arms}_ => a {op} b }} }})"));
            }
            Kind::Lazy { left, right, and } => {
                self.push("(match ");
                self.part(left.clone(), Some(index));
                let first = if *and { "a" } else { "!a" };
                self.push(&format!(" {{ a => if ({at} == 0) ^ {first} {{ "));
                self.part(right.clone(), Some(index));
                self.push(" } else { a } })");
            }
            Kind::Assign { place, right, op, others } => {
                let place = self.source[place.clone()].to_owned();
                self.push("{ let b = ");
                self.part(right.clone(), Some(index));
                let arms = arms(&mut others.iter().map(|other| format!("{place} {other}= b")));
                self.push(&format!("; match {at} {{ {arms}_ => {place} {op}= b }} }}"));
            }
            Kind::Unary { operand, op } => {
                self.push("(match ");
                self.part(operand.clone(), Some(index));
                self.push(&format!(" {{ a => if {at} == 0 {{ a }} else {{ {op}a }} }})"));
            }
            Kind::Number { text, others } => {
                let arms = arms(&mut others.iter().cloned());
                self.push(&format!("(match {at} {{ {arms}_ => {text} }})"));
            }
            Kind::Body { values } => {
                let arms = arms(&mut values.iter().map(|value| format!("return {value}")));
                self.push(&format!("match {at} {{ {arms}_ => {{}} }}"));
            }
            Kind::Statement => {
                self.push(&format!("if {at} != 0 {{ "));
                self.part(point.range.clone(), Some(index));
                self.push(" }");
            }
            Kind::Arm => self.push(&format!(" if {at} != 0 ")),
            Kind::Guard => {
                self.push(&format!("(match {at} {{ 0 => true, 1 => false, _ => "));
                self.part(point.range.clone(), Some(index));
                self.push(" })");
            }
        }
    }
}

struct Finder<'a> {
    source: &'a str,
    function: Vec<String>,
    /// How many constants are around this. The compiler computes them, so they cannot choose a change at run time.
    is_const: usize,
    points: Vec<Point>,
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

impl Finder<'_> {
    fn range(of: &impl Spanned) -> Range<usize> {
        of.span().byte_range()
    }

    fn add(&mut self, range: Range<usize>, kind: Kind, changes: Vec<String>) {
        if self.is_const > 0 || self.function.is_empty() {
            return;
        }
        let line = 1 + self.source[..range.start].matches('\n').count();
        let function = self.function.join("::");
        self.points.push(Point { range, line, function, kind, changes });
    }

    /// The text of a part of the source in one line.
    fn text(&self, range: &Range<usize>) -> String {
        let words: Vec<_> = self.source[range.clone()].split_whitespace().collect();
        words.join(" ")
    }

    fn body(&mut self, output: &syn::ReturnType, block: &syn::Block) {
        let values = match output {
            syn::ReturnType::Default => vec!["()"],
            syn::ReturnType::Type(_, returned) => match self.text(&Self::range(returned)).as_str() {
                "bool" => vec!["true", "false"],
                "usize" | "u64" | "u32" | "u16" | "u8" | "i32" => vec!["0", "1"],
                text if text.starts_with("Option<") => vec!["None"],
                "Result<(), usize>" => vec!["Ok(())", "Err(0)"],
                text if text.starts_with("Result<(),") => vec!["Ok(())"],
                _ => return,
            },
        };
        let start = Self::range(&block.brace_token.span.open()).end;
        let changes = values.iter().map(|value| format!("return {value}")).collect();
        self.add(start..start, Kind::Body { values }, changes);
    }

    fn function(&mut self, sig: &syn::Signature, visit: impl FnOnce(&mut Self)) {
        let is_const = usize::from(sig.constness.is_some());
        self.is_const += is_const;
        self.function.push(sig.ident.to_string());
        visit(self);
        self.function.pop();
        self.is_const -= is_const;
    }

    fn constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.is_const += 1;
        visit(self);
        self.is_const -= 1;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, |finder| {
            finder.body(&item.sig.output, &item.block);
            finder.visit_block(&item.block);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, |finder| {
            finder.body(&item.sig.output, &item.block);
            finder.visit_block(&item.block);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, |finder| {
                finder.body(&item.sig.output, block);
                finder.visit_block(block);
            });
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_test = item.attrs.iter().any(|attr| self.text(&Self::range(attr)).contains("cfg(test)"));
        if !is_test {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let shown =
            item.trait_.as_ref().is_some_and(|(_, path, _)| path.segments.last().unwrap().ident == "Debug");
        if shown {
            return;
        }
        let name = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().unwrap().ident.to_string(),
            _ => String::from("_"),
        };
        self.function.push(name);
        visit::visit_item_impl(self, item);
        self.function.pop();
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(|finder| visit::visit_item_const(finder, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(|finder| visit::visit_item_static(finder, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(|finder| visit::visit_impl_item_const(finder, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.constant(|finder| visit::visit_trait_item_const(finder, item));
    }

    fn visit_expr_const(&mut self, expr: &'ast syn::ExprConst) {
        self.constant(|finder| visit::visit_expr_const(finder, expr));
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.constant(|finder| visit::visit_generic_argument(finder, argument));
    }

    fn visit_type(&mut self, of: &'ast syn::Type) {
        self.constant(|finder| visit::visit_type(finder, of));
    }

    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        self.constant(|finder| visit::visit_pat(finder, pat));
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        self.visit_expr(&expr.expr);
        self.constant(|finder| finder.visit_expr(&expr.len));
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        let (range, left, right) = (Self::range(expr), Self::range(&expr.left), Self::range(&expr.right));
        let is_let = has_let(&expr.left) || has_let(&expr.right);
        let shown = |finder: &Self, other: &str| format!("{} -> {other}", finder.text(&range));
        match &expr.op {
            BinOp::And(_) | BinOp::Or(_) if is_let => {}
            op @ (BinOp::And(_) | BinOp::Or(_)) => {
                let and = matches!(op, BinOp::And(_));
                let changes = vec![shown(self, if and { "||" } else { "&&" })];
                self.add(range.clone(), Kind::Lazy { left, right, and }, changes);
            }
            op => {
                if let Some((op_text, others)) = others(op) {
                    let changes = others.iter().map(|other| shown(self, other)).collect();
                    let op = op_text.to_owned();
                    let kind = match &expr.op {
                        BinOp::Eq(_)
                        | BinOp::Ne(_)
                        | BinOp::Lt(_)
                        | BinOp::Le(_)
                        | BinOp::Gt(_)
                        | BinOp::Ge(_) => Kind::Binary { left, right, op, others, compares: true },
                        BinOp::Add(_)
                        | BinOp::Sub(_)
                        | BinOp::Mul(_)
                        | BinOp::Div(_)
                        | BinOp::Rem(_)
                        | BinOp::BitAnd(_)
                        | BinOp::BitOr(_)
                        | BinOp::BitXor(_)
                        | BinOp::Shl(_)
                        | BinOp::Shr(_) => Kind::Binary { left, right, op, others, compares: false },
                        _ => {
                            self.add(range.clone(), Kind::Assign { place: left, right, op, others }, changes);
                            // The left side is written twice, so it is not changed itself.
                            return self.visit_expr(&expr.right);
                        }
                    };
                    self.add(range.clone(), kind, changes);
                }
            }
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let op = match expr.op {
            UnOp::Not(_) => '!',
            UnOp::Neg(_) => '-',
            _ => return visit::visit_expr_unary(self, expr),
        };
        let range = Self::range(expr);
        let changes = vec![format!("{} -> without {op}", self.text(&range))];
        self.add(range, Kind::Unary { operand: Self::range(&expr.expr), op }, changes);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_lit(&mut self, expr: &'ast syn::ExprLit) {
        let syn::Lit::Int(number) = &expr.lit else { return };
        let Ok(value) = number.base10_parse::<u64>() else { return };
        let text = number.to_string();
        let mut others = vec![format!("{text} + 1")];
        if value > 0 {
            others.push(format!("{text} - 1"));
        }
        let changes = others.iter().map(|other| format!("number {other}")).collect();
        self.add(Self::range(expr), Kind::Number { text, others }, changes);
    }

    /// The use of a constant: a length, a threshold, a mask. If it is not a number, the change does not compile.
    fn visit_expr_path(&mut self, expr: &'ast syn::ExprPath) {
        let name = expr.path.segments.last().unwrap();
        let text = self.text(&Self::range(expr));
        let is_constant = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_';
        if name.arguments.is_none() && text.len() > 1 && name.ident.to_string().chars().all(is_constant) {
            let others = ["+ 1", "- 1", "- 8"].map(|change| format!("{text} {change}")).to_vec();
            let changes = others.iter().map(|other| format!("number {other}")).collect();
            self.add(Self::range(expr), Kind::Number { text, others }, changes);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        if let syn::Stmt::Expr(expr @ (Expr::MethodCall(_) | Expr::Call(_)), Some(_)) = stmt {
            let range = Self::range(stmt);
            let changes = vec![format!("{} -> nothing", self.text(&Self::range(expr)))];
            self.add(range, Kind::Statement, changes);
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let rest = expr.arms.iter().position(is_irrefutable).unwrap_or(0);
        for (index, arm) in expr.arms.iter().enumerate() {
            let pattern = self.text(&Self::range(&arm.pat));
            if let Some((_, guard)) = &arm.guard {
                let text = self.text(&Self::range(guard));
                let changes = ["true", "false"].map(|to| format!("{pattern} if {text} -> {to}"));
                self.add(Self::range(guard), Kind::Guard, changes.into());
            } else if index < rest {
                let end = Self::range(&arm.pat).end;
                self.add(end..end, Kind::Arm, vec![format!("{pattern} => -> without this arm")]);
            }
        }
        visit::visit_expr_match(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes a source file, with the first change numbered 0. Returns the new text and the changes.
    fn changed(source: &str) -> (String, Vec<String>) {
        let points = points(source).unwrap();
        let mut number = 0;
        let first: Vec<_> = points
            .iter()
            .map(|point| {
                let first = number;
                number += u32::try_from(point.changes.len()).unwrap();
                Some(first)
            })
            .collect();
        let changes = points.iter().flat_map(|point| point.changes.clone()).collect();
        let text = render(source, &points, &first).text;
        syn::parse_file(&text).expect("the changed file can be parsed");
        (text, changes)
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
        assert_eq!(changes[2..], ["number S::WIDTH + 1", "number S::WIDTH - 1", "number S::WIDTH - 8"]);
        let (_, changes) =
            changed("fn f(mut a: usize) { a += 2; a.g(); match a { 1 => {} 2 if a > 1 => {} _ => {} } }");
        for change in ["a += 2 -> -", "a.g() -> nothing", "1 => -> without this arm", "2 if a > 1 -> false"] {
            assert!(changes.contains(&change.to_owned()), "{change}: {changes:?}");
        }
    }

    #[test]
    fn what_is_not() {
        for source in [
            "const A: usize = 1 + 2;",
            "const fn f(a: usize) -> usize { a + 1 }",
            "#[cfg(test)] mod tests { fn f() -> usize { 1 + 1 } }",
            "fn f() -> [u8; 4 + 4] { g::<{ 1 + 1 }>() }",
            "fn f(a: V) -> V { if let A(b) = a && b { b } else { a } }",
        ] {
            assert_eq!(changed(source).1, [""; 0], "{source}");
        }
    }
}
