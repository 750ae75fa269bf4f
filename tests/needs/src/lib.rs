//! `#[needs(…)]`: a test that requires more than a clone is skipped where that is absent, with a message.
//!
//! In: a path relative to the package, or a name and a shell command that succeeds where the test can run. Out: the
//! test, whose body first tests the requirement, each time that it runs: `common::needs` of the test program prints the
//! line `skipped: TEST: needs …` where it is not met. Nothing is decided when the test is compiled: a program that was
//! built beside the files passes without them, and one that was built without them reads them once they are there.
//!
//! Several requirements are several attributes:
//!
//! ```ignore
//! #[needs("../shared/corpora")]
//! #[test]
//! fn games_of_the_corpora() {}
//!
//! #[needs("python-chess", command = "python3 -c 'import chess.pgn'")]
//! #[test]
//! fn python_chess_counts_the_same() {}
//! ```

use proc_macro::{Delimiter, Group, Literal, TokenStream, TokenTree};

/// Skips a test whose path is absent, or whose command fails. See the crate's documentation.
#[proc_macro_attribute]
pub fn needs(requirement: TokenStream, test: TokenStream) -> TokenStream {
    match expand(requirement, test) {
        Ok(items) => items,
        Err(message) => format!("compile_error!({message:?});").parse().expect("valid Rust"),
    }
}

fn expand(requirement: TokenStream, test: TokenStream) -> Result<TokenStream, &'static str> {
    const USAGE: &str = "use #[needs(\"PATH\")] or #[needs(\"NAME\", command = \"COMMAND\")]";
    let tokens: Vec<TokenTree> = requirement.into_iter().collect();
    let condition = match &tokens[..] {
        [TokenTree::Literal(path)] => format!("has_path(TEST, {path})"),
        [TokenTree::Literal(what), TokenTree::Punct(_), rest @ ..] => {
            let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(command), ..] =
                rest
            else {
                return Err(USAGE);
            };
            if name.to_string() != "command" {
                return Err(USAGE);
            }
            format!("can_run(TEST, {what}, {command})")
        }
        _ => return Err(USAGE),
    };
    let mut items: Vec<TokenTree> = test.into_iter().collect();
    // Without it the function is compiled, and never run.
    let is_test =
        |item: &TokenTree| matches!(item, TokenTree::Group(group) if group.to_string() == "[test]");
    if !items.iter().any(is_test) {
        return Err("#[test] follows #[needs]");
    }
    let name = items.windows(2).find_map(|pair| match pair {
        [TokenTree::Ident(word), name] if word.to_string() == "fn" => Some(name.to_string()),
        _ => None,
    });
    let (Some(name), Some(TokenTree::Group(body))) = (name, items.pop()) else {
        return Err("#[needs] is an attribute of a function");
    };
    let test = Literal::string(&name);
    let first = format!(
        "const TEST: &str = concat!(module_path!(), \"::\", {test});
         if !crate::common::needs::{condition} {{ return; }}"
    );
    let mut inner: TokenStream = first.parse().expect("valid Rust");
    // In braces of its own, so that names of the body and of another condition do not meet.
    inner.extend([TokenTree::Group(body)]);
    items.push(TokenTree::Group(Group::new(Delimiter::Brace, inner)));
    Ok(items.into_iter().collect())
}
