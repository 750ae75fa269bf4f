//! `#[needs(…)]`: a test whose files or programs are absent is reported as ignored, with the reason.
//!
//! In: a path relative to the package, or a name and a shell command that succeeds where the test can run. Out: the
//! test, with
//! `#[ignore = "needs …"]` if the path does not exist or the command fails. This is decided when the test is compiled,
//! because the standard test harness cannot skip a test while it runs. After the path has been added, run the test with
//! `--include-ignored` or compile it again; a change of `PATH`, or of a variable that the command uses, compiles it
//! again.
//!
//! The attribute precedes `#[test]`, which reads `#[ignore]` when it is expanded:
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

use std::path::Path;
use std::process::{Command, Stdio};

use proc_macro::{Delimiter, Literal, TokenStream, TokenTree};

/// Ignores a test whose path is absent, or whose command fails. See the crate's documentation.
#[proc_macro_attribute]
pub fn needs(requirement: TokenStream, test: TokenStream) -> TokenStream {
    match expand(requirement, test) {
        Ok(items) => items,
        Err(message) => format!("compile_error!({message:?});").parse().expect("valid Rust"),
    }
}

fn expand(requirement: TokenStream, test: TokenStream) -> Result<TokenStream, &'static str> {
    const USAGE: &str = "use #[needs(\"PATH\")] or #[needs(\"NAME\", command = \"COMMAND\")]";
    if !has_attribute(&test, "test") {
        return Err("#[needs] precedes #[test]");
    }
    let tokens: Vec<TokenTree> = requirement.into_iter().collect();
    let mut items = TokenStream::new();
    let (is_met, what) = match &tokens[..] {
        [TokenTree::Literal(path)] => {
            let path = string(path).ok_or(USAGE)?;
            let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets no folder")?;
            (Path::new(&package).join(&path).exists(), path)
        }
        [TokenTree::Literal(what), TokenTree::Punct(_), rest @ ..] => {
            let [TokenTree::Ident(_), TokenTree::Punct(_), TokenTree::Literal(command), ..] = rest
            else {
                return Err(USAGE);
            };
            let command = string(command).ok_or(USAGE)?;
            for variable in variables(&command) {
                let read = format!("const _: Option<&str> = option_env!({variable:?});");
                items.extend(read.parse::<TokenStream>().expect("valid Rust"));
            }
            (succeeds(&command), string(what).ok_or(USAGE)?)
        }
        _ => return Err(USAGE),
    };
    if !is_met && !has_attribute(&test, "ignore") {
        let ignore = format!("#[ignore = {:?}]", format!("needs {what}"));
        items.extend(ignore.parse::<TokenStream>().expect("valid Rust"));
    }
    items.extend(test);
    Ok(items)
}

/// Whether the item has this attribute.
fn has_attribute(item: &TokenStream, name: &str) -> bool {
    item.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            group.stream().into_iter().next().is_some_and(|first| first.to_string() == name)
        }
        _ => false,
    })
}

/// The text of a string literal without escapes other than `\"`.
fn string(literal: &Literal) -> Option<String> {
    let text = literal.to_string();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    Some(text.replace("\\\"", "\""))
}

/// `PATH`, and the environment variables that the command uses: cargo compiles the test again when one changes.
fn variables(command: &str) -> Vec<String> {
    let name = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_uppercase() || *c == '_').collect()
    };
    let used = command.split('$').skip(1).map(name).filter(|name| !name.is_empty());
    ["PATH".to_string()].into_iter().chain(used).collect()
}

fn succeeds(command: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}
