//! The options of a request by name: their values as text, and back.
//!
//! In: a request; or a name and texts. Out: pairs for the journal, which compares them with those of the run that it
//! continues; words for tables and metadata; a request that is changed. Invariant: each field of a request either
//! counts for the journal or is listed as without effect: one that is neither is refused by the compiler. Cost: their
//! bytes.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Args, Command, FromArgMatches};
use pgnmill_core::tasks::measure::study::Compression;
use pgnmill_io::error::{Error, Result};

use crate::args::values::{
    COMPRESSORS, Size, compressor, errors_per_game, order, percent, seconds, size,
};
use crate::text::json::path_text;

/// What takes a pair.
pub(crate) type Take<'t> = &'t mut dyn FnMut(&'static str, String);

/// A field of a request, or several.
pub(crate) trait Options {
    /// Passes on the pairs of a field with this name that count for the journal.
    fn each(&self, name: &'static str, take: Take<'_>);

    /// Sets the option `name`, if the field `own` is it or has it.
    ///
    /// # Errors
    /// Texts that are no value of the option.
    fn set(&mut self, own: &'static str, name: &str, texts: &[OsString]) -> Option<Result<()>>;
}

/// The pairs of a request, in the order of its fields.
pub(crate) fn options_of_outputs(request: &impl Options) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    request.each("", &mut |name, value| {
        let name = if name == "condition" { "where" } else { name };
        pairs.push((format!("--{}", name.replace('_', "-")), value));
    });
    pairs
}

/// Sets an option by its name on the command line, without dashes before it.
///
/// # Errors
/// An option that the request does not have, or texts that are no value of it.
pub(crate) fn set_option(request: &mut dyn Options, name: &str, texts: &[OsString]) -> Result<()> {
    let field = if name == "where" { "condition".to_string() } else { name.replace('-', "_") };
    let missing = || Err(Error::usage(format!("there is no option --{name}")));
    request.set("", &field, texts).unwrap_or_else(missing)
}

/// A value of one option.
pub(crate) trait Value: Sized {
    /// Its text; a set, such as that of `--by`, has its names in order.
    fn text(&self, name: &str) -> String;

    /// The value of a text, or what is expected.
    fn parse(text: &OsStr) -> Result<Self, String>;

    /// The value of the texts of an option.
    fn parse_all(_: &str, texts: &[OsString]) -> Result<Self, String> {
        match texts {
            [text] => Self::parse(text),
            _ => Err("one value".to_string()),
        }
    }
}

impl<V: Value> Options for V {
    fn each(&self, name: &'static str, take: Take<'_>) {
        take(name, self.text(name));
    }

    fn set(&mut self, own: &'static str, name: &str, texts: &[OsString]) -> Option<Result<()>> {
        (own == name).then(|| {
            *self = V::parse_all(name, texts).map_err(|expected| {
                let option = if name == "condition" { "where" } else { name }.replace('_', "-");
                Error::usage(format!(
                    "--{option} takes {expected}; not {}",
                    texts.join(OsStr::new(", ")).display()
                ))
            })?;
            Ok(())
        })
    }
}

impl<V: Value> Value for Option<V> {
    fn text(&self, name: &str) -> String {
        self.as_ref().map_or_else(String::new, |value| value.text(name))
    }

    fn parse(text: &OsStr) -> Result<Option<V>, String> {
        V::parse(text).map(Some)
    }

    fn parse_all(name: &str, texts: &[OsString]) -> Result<Option<V>, String> {
        V::parse_all(name, texts).map(Some)
    }
}

/// A comma belongs to the value of a tag pair, and to a path.
fn has_commas(name: &str) -> bool {
    matches!(name, "set" | "inputs")
}

impl<V: Value> Value for Vec<V> {
    fn text(&self, name: &str) -> String {
        let mut texts: Vec<String> = self.iter().map(|value| value.text(name)).collect();
        if matches!(name, "allow" | "deny" | "by") {
            texts.sort_unstable();
            texts.dedup();
        }
        texts.join(if has_commas(name) { "\n" } else { "," })
    }

    fn parse(text: &OsStr) -> Result<Vec<V>, String> {
        let text = text.to_str().ok_or("a text in UTF-8")?;
        text.split(',').map(|text| V::parse(text.trim().as_ref())).collect()
    }

    fn parse_all(name: &str, texts: &[OsString]) -> Result<Vec<V>, String> {
        if has_commas(name) {
            return texts.iter().map(|text| V::parse(text)).collect();
        }
        texts.iter().try_fold(Vec::new(), |mut all, text| {
            all.extend(Self::parse(text)?);
            Ok(all)
        })
    }
}

impl Value for PathBuf {
    fn text(&self, _: &str) -> String {
        path_text(self)
    }

    fn parse(text: &OsStr) -> Result<PathBuf, String> {
        if text.is_empty() { Err("a path".to_string()) } else { Ok(text.into()) }
    }
}

impl Value for f64 {
    fn text(&self, _: &str) -> String {
        self.to_string()
    }

    fn parse(text: &OsStr) -> Result<f64, String> {
        seconds(&text.to_string_lossy()).map_err(ToString::to_string)
    }
}

impl Value for u32 {
    fn text(&self, _: &str) -> String {
        self.to_string()
    }

    fn parse(text: &OsStr) -> Result<u32, String> {
        let number = text.to_str().and_then(|text| text.parse().ok());
        number.ok_or_else(|| "a whole number from 0 on".to_string())
    }

    fn parse_all(name: &str, texts: &[OsString]) -> Result<u32, String> {
        let [text] = texts else { return Err("one value".to_string()) };
        let plain = text.to_string_lossy();
        match name {
            "errors" => errors_per_game(&plain).map_err(ToString::to_string),
            "min_score" => percent(&plain).map_err(ToString::to_string),
            _ => u32::parse(text),
        }
    }
}

/// Values whose text is that of `Display`, with what is expected.
macro_rules! displayed {
    ($($type:ty, $expected:expr, $parse:expr;)*) => {$(
        impl $crate::args::options::Value for $type {
            fn text(&self, _: &str) -> String {
                self.to_string()
            }

            fn parse(text: &std::ffi::OsStr) -> Result<$type, String> {
                text.to_str().and_then($parse).ok_or_else(|| $expected.to_string())
            }
        }
    )*};
}
displayed! {
    bool, "true or false", |text: &str| text.parse().ok();
    i32, "a whole number", |text: &str| text.parse().ok();
    u64, "a whole number from 0 on", |text: &str| text.parse().ok();
    usize, "a whole number from 0 on", |text: &str| text.parse().ok();
    Size, "a number of bytes such as 64MiB", |text: &str| size(text).ok().map(Size);
    String, "a text", |text: &str| Some(text.to_string());
    Compression, COMPRESSORS, |text| compressor(text).ok();
    u8, "an order, 0 to 5", |text: &str| order(text).ok();
}

/// Values that have names.
macro_rules! named {
    ($($type:ty),*) => {$(
        impl $crate::args::options::Value for $type {
            fn text(&self, _: &str) -> String {
                let value = clap::ValueEnum::to_possible_value(self);
                value.map_or_else(String::new, |value| value.get_name().to_string())
            }

            fn parse(text: &std::ffi::OsStr) -> Result<$type, String> {
                <$type as clap::ValueEnum>::from_str(&text.to_string_lossy(), false).map_err(|_| {
                    let names = <$type as clap::ValueEnum>::value_variants().iter().map(|value| value.text(""));
                    names.collect::<Vec<_>>().join(", ")
                })
            }
        }
    )*};
}

/// Declares which fields of a request count, which have no effect on the outputs, and which are no options.
macro_rules! options {
    ($type:ident: $($field:ident)*; without $($other:ident)* $(; not $($hidden:ident)*)?) => {
        impl $crate::args::options::Options for $type {
            fn each(&self, _: &'static str, take: $crate::args::options::Take<'_>) {
                let $type { $($field,)* $($other: _,)* $($($hidden: _,)*)? } = self;
                $($crate::args::options::Options::each($field, stringify!($field), &mut *take);)*
                let _ = take;
            }

            fn set(
                &mut self,
                _: &'static str,
                name: &str,
                texts: &[std::ffi::OsString],
            ) -> Option<pgnmill_io::error::Result<()>> {
                let done = None;
                $(let done = done.or_else(|| {
                    $crate::args::options::Options::set(&mut self.$field, stringify!($field), name, texts)
                });)*
                $(let done = done.or_else(|| {
                    $crate::args::options::Options::set(&mut self.$other, stringify!($other), name, texts)
                });)*
                done
            }
        }
    };
}

pub(crate) use {displayed, named, options};

/// What stands for an input, an output or a name that must be given.
const PLACEHOLDER: &str = "-";

/// The request without inputs.
///
/// # Panics
/// If a default is no value of its option, which is a mistake in the declarations that a test finds.
pub(crate) fn defaults<R: Args + FromArgMatches>() -> R {
    let command = R::augment_args(Command::new("defaults")).mut_args(|arg| {
        let is_option = arg.is_required_set() && !arg.is_positional();
        if is_option { arg.required(false).default_value(PLACEHOLDER) } else { arg }
    });
    let matches = command.try_get_matches_from(["", PLACEHOLDER]);
    let request = matches.and_then(|mut matches| R::from_arg_matches_mut(&mut matches));
    request.unwrap_or_else(|error| unreachable!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Convert, Dropped};
    use std::collections::BTreeMap;

    fn counting(change: impl FnOnce(&mut Convert)) -> BTreeMap<String, String> {
        let mut convert = Convert::new(["a.pgn"], "uci", "b.pgn");
        change(&mut convert);
        options_of_outputs(&convert).into_iter().collect()
    }

    /// The options whose values differ between the runs.
    fn differing(change: impl FnOnce(&mut Convert)) -> Vec<String> {
        let (base, other) = (counting(|_| ()), counting(change));
        assert!(base.keys().eq(other.keys()));
        base.into_iter().filter(|(name, value)| other[name] != *value).map(|it| it.0).collect()
    }

    #[test]
    fn each_option_that_decides_about_the_outputs_counts() {
        let names = || vec!["tag-quote".to_string(), "move-number-wrong".to_string()];
        assert_eq!(differing(|it| it.writing.level = Some(4)), ["--level"]);
        assert_eq!(differing(|it| it.keep_rejects = true), ["--keep-rejects"]);
        assert_eq!(differing(|it| it.to_utf8 = true), ["--to-utf8"]);
        assert_eq!(differing(|it| it.set_eco = true), ["--set-eco"]);
        assert_eq!(differing(|it| it.edits.drop = vec![Dropped::Nags]), ["--drop"]);
        assert_eq!(differing(|it| it.edits.set = vec!["Site=x".into()]), ["--set"]);
        assert_eq!(differing(|it| it.edits.remove = names()), ["--remove"]);
        assert_eq!(differing(|it| it.reading.strict = true), ["--strict"]);
        assert_eq!(differing(|it| it.reading.allow = names()), ["--allow"]);
        assert_eq!(differing(|it| it.reading.deny = names()), ["--deny"]);
        assert_eq!(differing(|it| it.reading.rules = "atomic".into()), ["--rules"]);
        assert_eq!(differing(|it| it.reading.from = "uci".into()), ["--from"]);
        let condition = || Some("ply_count > 3".to_string());
        assert_eq!(differing(|it| it.selecting.condition = condition()), ["--where"]);
        assert_eq!(differing(|it| it.reading.skip_damaged = true), ["--skip-damaged"]);
        assert_eq!(differing(|it| it.files.faults = Some("f.csv".into())), ["--faults"]);
        assert_eq!(differing(|it| it.files.notes = Some("n.csv".into())), ["--notes"]);
        assert_eq!(differing(|it| it.files.summary = Some("s.csv".into())), ["--summary"]);
    }

    #[test]
    fn sets_have_no_order_and_the_others_no_effect() {
        let without_effect = |it: &mut Convert| {
            (it.reading.threads, it.resuming.resume, it.messages.quiet) = (3, true, true);
            it.reading.inputs = vec!["other.pgn".into()];
        };
        assert_eq!(differing(without_effect), [""; 0]);
        let names = ["tag-quote".to_string(), "move-number-wrong".to_string()];
        let [first, second] = [[0, 1], [1, 0]].map(|order| {
            counting(|it| it.reading.deny = order.map(|index| names[index].clone()).to_vec())
        });
        assert_eq!(first, second);
    }

    #[test]
    fn values_have_the_texts_of_the_command_line() {
        let counting = counting(|it| {
            it.writing.level = Some(4);
            it.edits.set = vec!["A=1, 2".into(), "B=3".into()];
            it.edits.drop = vec![Dropped::Nags, Dropped::Comments];
        });
        let texts = ["--set", "--drop", "--level", "--to-utf8", "--faults", "--output"];
        let texts = texts.map(|name| counting[name].as_str());
        assert_eq!(texts, ["A=1, 2\nB=3", "nags,comments", "4", "false", "", "b.pgn"]);
    }
}
