//! Where a source can be changed: every span of a file to which an operator applies.
//!
//! In: the text of a file. Out: its mutants in the order of the text. Left out are code that is evaluated when the program is
//! compiled (`const`, `static`, lengths of arrays), patterns, attributes, macros other than `matches!`, and tests.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Stmt};

/// How a mutant changes the text of its span.
#[derive(Clone, Debug)]
pub enum Change {
    /// An expression becomes another one.
    Replace(String),
    /// A statement is left out.
    Delete,
    /// A function returns this at once; its span is empty, after the opening brace.
    Return(String),
    /// An arm of a `match` is never taken; its span is empty, before the arrow.
    Arm,
}

/// One change of a file, before it has a number.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub line: usize,
    pub start: usize,
    pub end: usize,
    pub change: Change,
    /// The operator, for the list.
    pub operator: &'static str,
}

/// Every mutant of a file.
///
/// # Panics
/// If the text is not Rust.
pub fn candidates(source: &str) -> Vec<Candidate> {
    let file = syn::parse_file(source).expect("the package compiles");
    let mut finder = Finder { source, found: Vec::new() };
    finder.visit_file(&file);
    finder.found.sort_by_key(|found| (found.start, std::cmp::Reverse(found.end)));
    finder.found
}

struct Finder<'s> {
    source: &'s str,
    found: Vec<Candidate>,
}

impl<'s> Finder<'s> {
    fn text(&self, span: Span) -> &'s str {
        &self.source[span.byte_range()]
    }

    fn add(&mut self, span: Span, operator: &'static str, change: Change) {
        let range = span.byte_range();
        let (start, end) = match &change {
            Change::Return(_) => (range.start + 1, range.start + 1),
            Change::Arm => (range.start, range.start),
            _ => (range.start, range.end),
        };
        self.found.push(Candidate { line: span.start().line, start, end, change, operator });
    }

    fn replace(&mut self, span: Span, operator: &'static str, text: impl Into<String>) {
        self.add(span, operator, Change::Replace(text.into()));
    }

    /// A condition that is always true, and one that is never true. One with `let` in it cannot be replaced.
    fn condition(&mut self, condition: &Expr, operator: &'static str, values: &[&str]) {
        if !has_let(condition) {
            for value in values {
                self.replace(condition.span(), operator, *value);
            }
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let others: &[&str] = match binary.op {
            BinOp::Lt(_) => &["<=", ">="],
            BinOp::Le(_) => &["<", ">"],
            BinOp::Gt(_) => &[">=", "<="],
            BinOp::Ge(_) => &[">", "<"],
            BinOp::Eq(_) => &["!="],
            BinOp::Ne(_) => &["=="],
            BinOp::And(_) => &["||"],
            BinOp::Or(_) => &["&&"],
            BinOp::Add(_) => &["-"],
            BinOp::Sub(_) => &["+"],
            BinOp::Mul(_) => &["+"],
            BinOp::Div(_) => &["*"],
            BinOp::Rem(_) => &["/"],
            BinOp::BitAnd(_) | BinOp::BitXor(_) => &["|"],
            BinOp::BitOr(_) => &["&"],
            BinOp::Shl(_) => &[">>"],
            BinOp::Shr(_) => &["<<"],
            BinOp::AddAssign(_) => &["-="],
            BinOp::SubAssign(_) => &["+="],
            BinOp::MulAssign(_) | BinOp::DivAssign(_) => &["+="],
            BinOp::BitAndAssign(_) | BinOp::BitXorAssign(_) => &["|="],
            BinOp::BitOrAssign(_) => &["&="],
            BinOp::ShlAssign(_) => &[">>="],
            BinOp::ShrAssign(_) => &["<<="],
            _ => &[],
        };
        let (left, right) = (self.text(binary.left.span()), self.text(binary.right.span()));
        for other in others {
            self.replace(binary.span(), "operator", format!("{left} {other} {right}"));
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        let span = literal.span();
        match &literal.lit {
            Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let suffix = number.suffix();
                self.replace(span, "number", format!("{}{suffix}", value.wrapping_add(1)));
                if value > 1 {
                    self.replace(span, "number", format!("{}{suffix}", value - 1));
                }
            }
            Lit::Byte(byte) => {
                let other = byte.value().wrapping_add(1);
                self.replace(span, "number", format!("{other}u8"));
            }
            Lit::Bool(value) => {
                self.replace(span, "condition", if value.value { "false" } else { "true" });
            }
            _ => {}
        }
    }

    /// A method and the one that is nearest to it.
    fn method(&mut self, call: &syn::ExprMethodCall) {
        const TWINS: [(&str, &str); 13] = [
            ("min", "max"),
            ("any", "all"),
            ("is_some", "is_none"),
            ("is_ok", "is_err"),
            ("is_some_and", "is_none_or"),
            ("starts_with", "ends_with"),
            ("first", "last"),
            ("min_by_key", "max_by_key"),
            ("next", "next_back"),
            ("wrapping_add", "wrapping_sub"),
            ("saturating_add", "saturating_sub"),
            ("trailing_zeros", "leading_zeros"),
            ("position", "rposition"),
        ];
        let name = call.method.to_string();
        let twin = TWINS.iter().find_map(|&(one, other)| match name.as_str() {
            name if name == one => Some(other),
            name if name == other => Some(one),
            _ => None,
        });
        let whole = call.span().byte_range();
        let method = call.method.span().byte_range();
        if let Some(twin) = twin {
            let before = &self.source[whole.start..method.start];
            let after = &self.source[method.end..whole.end];
            self.replace(call.span(), "method", format!("{before}{twin}{after}"));
        }
        if name == "is_empty" || name.starts_with("is_") && twin.is_none() || name == "contains" {
            self.replace(call.span(), "condition", format!("!{}", self.text(call.span())));
        }
    }

    /// What a function returns without doing anything.
    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let values: Vec<String> = match &signature.output {
            syn::ReturnType::Default => vec![String::new()],
            syn::ReturnType::Type(_, kind) => {
                let text: String = self.text(kind.span()).split_whitespace().collect();
                match text.as_str() {
                    "bool" => vec!["true".into(), "false".into()],
                    "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => {
                        vec!["0".into(), "1".into()]
                    }
                    "String" => vec!["String::new()".into()],
                    "Result<()>" => vec!["Ok(())".into()],
                    text if text.starts_with("Option<") => vec!["None".into()],
                    text if text.starts_with("Vec<") => vec!["Vec::new()".into()],
                    _ => Vec::new(),
                }
            }
        };
        if !block.stmts.is_empty() {
            for value in values {
                self.add(block.brace_token.span.open(), "return", Change::Return(value));
            }
        }
    }
}

/// `true` if the condition binds a name.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// `true` if the item is compiled for tests only.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => {
            let text: String = list.tokens.to_string();
            // Code for other processors or systems cannot be tested here either.
            list.path.is_ident("cfg") && (text.starts_with("test") || text.starts_with("not"))
        }
        syn::Meta::NameValue(_) => false,
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        _: &'ast syn::AngleBracketedGenericArguments,
    ) {
    }

    // Patterns hold constants only; a parameter's too.
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() && !is_for_tests(&item.attrs) {
            self.body(&item.sig, &item.block);
            self.visit_block(&item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() && !is_for_tests(&item.attrs) {
            self.body(&item.sig, &item.block);
            self.visit_block(&item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.body(&item.sig, block);
            self.visit_block(block);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(inner, Some(_)) = stmt {
            let is_compound = matches!(inner, Expr::Binary(_));
            if is_compound || matches!(inner, Expr::Assign(_) | Expr::MethodCall(_) | Expr::Call(_))
            {
                self.add(stmt.span(), "statement", Change::Delete);
            }
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !has_let(&Expr::Binary(binary.clone())) {
            self.binary(binary);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, syn::UnOp::Not(_) | syn::UnOp::Neg(_)) {
            self.replace(unary.span(), "negation", self.text(unary.expr.span()));
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        self.literal(literal);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_if(&mut self, choice: &'ast syn::ExprIf) {
        self.condition(&choice.cond, "condition", &["true", "false"]);
        visit::visit_expr_if(self, choice);
    }

    fn visit_expr_while(&mut self, looped: &'ast syn::ExprWhile) {
        self.condition(&looped.cond, "condition", &["false"]);
        visit::visit_expr_while(self, looped);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard, "guard", &["false", "true"]);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        // If the last arm matches everything, the others may be left out.
        if let Some((last, others)) = choice.arms.split_last()
            && last.guard.is_none()
            && matches!(last.pat, syn::Pat::Wild(_))
        {
            for arm in others.iter().filter(|arm| arm.guard.is_none()) {
                self.add(arm.fat_arrow_token.span(), "arm", Change::Arm);
            }
        }
        visit::visit_expr_match(self, choice);
    }

    fn visit_expr_macro(&mut self, called: &'ast syn::ExprMacro) {
        if called.mac.path.is_ident("matches") {
            self.replace(called.span(), "condition", format!("!{}", self.text(called.span())));
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        // The amount of memory that is reserved in advance changes nothing.
        if !self.text(call.func.span()).contains("with_capacity") {
            visit::visit_expr_call(self, call);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method != "reserve" && call.method != "expect" {
            self.method(call);
            visit::visit_expr_method_call(self, call);
        }
    }
}
