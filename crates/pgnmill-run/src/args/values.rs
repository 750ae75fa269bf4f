//! Values of arguments that are neither numbers nor texts.
//!
//! In: the words of the command line. Out: what `clap` stores for them.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use pgnmill_core::tasks::measure::study::{Compression, ERRORS_PER_GAME_MAX, ORDER_MAX};
use pgnmill_io::archive::is_zstd_name;
use pgnmill_io::error::Error;
use pgnmill_io::error::Shown as _;
use pgnmill_io::sink::HAS_XZ;

/// What `select` can drop of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dropped {
    /// All comments
    Comments,
    /// The commands %clk and %emt of comments, and comments that have nothing else
    Clocks,
    /// The commands %eval of comments, and comments that have nothing else
    Evals,
    /// NAGs: $1, !, ? and so on
    Nags,
    /// Variations
    Variations,
}

/// What is expected in the place of a value that cannot be read.
pub(crate) type Expected = &'static str;

/// Reads a compressor.
pub(crate) fn compressor(text: &str) -> Result<Compression, Expected> {
    Compression::parse(text).ok_or(COMPRESSORS)
}

/// What a compressor is.
pub(crate) const COMPRESSORS: Expected = match HAS_XZ {
    true => "a compressor is zstd:LEVEL, 1 to 22, or xz:LEVEL, 0 to 9; :main may follow",
    false => "a compressor is zstd:LEVEL, 1 to 22; :main may follow",
};

/// Reads the order of a model.
pub(crate) fn order(text: &str) -> Result<u8, Expected> {
    let order = text.parse().ok().filter(|&order| usize::from(order) <= ORDER_MAX);
    order.ok_or("an order is 0 to 5")
}

/// Reads a number of errors in a game.
pub(crate) fn errors_per_game(text: &str) -> Result<u32, Expected> {
    let number = text.parse().ok().filter(|number| (1..=ERRORS_PER_GAME_MAX).contains(number));
    number.ok_or("errors of each kind in a game are 1 to 100")
}

/// Refuses options of a request that do not go together, which a caller in the same process may set. Each has its name
/// and whether it is given.
///
/// # Errors
/// If more than one is given.
pub(crate) fn exclusive(options: &[(&str, bool)]) -> pgnmill_io::error::Result<()> {
    let mut given = options.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name);
    match (given.next(), given.next()) {
        (Some(one), Some(other)) => Err(Error::usage(format!("{one} does not go with {other}"))),
        _ => Ok(()),
    }
}

/// The same for options that have no effect without another.
///
/// # Errors
/// If one of `options` is given and `with` is not.
pub(crate) fn needs(with: (&str, bool), options: &[(&str, bool)]) -> pgnmill_io::error::Result<()> {
    match options.iter().find(|(_, is_given)| *is_given && !with.1) {
        Some((name, _)) => Err(Error::usage(format!("{name} goes with {}", with.0))),
        None => Ok(()),
    }
}

/// Refuses 0 where something is counted from 1 on, which a caller in the same process may set too.
///
/// # Errors
/// If it is 0.
pub(crate) fn from_one(option: &str, number: Option<u64>) -> pgnmill_io::error::Result<()> {
    match number {
        Some(0) => Err(Error::usage(format!("{option} takes a whole number from 1 on; not 0"))),
        _ => Ok(()),
    }
}

/// The compression level of a request: that which is given, or the usual one. A caller in the same process may give any
/// number.
///
/// # Errors
/// A level that zstd does not have.
pub(crate) fn level_of(given: Option<i32>) -> pgnmill_io::error::Result<i32> {
    let level = given.unwrap_or(LEVEL);
    match LEVELS.contains(&level.into()) {
        true => Ok(level),
        false => Err(Error::usage(format!("--level takes 1 to 22; not {level}"))),
    }
}

/// The same of a run that writes text to these files: a level has no effect if none is compressed.
///
/// # Errors
/// A level that zstd does not have, or that is given for text. `output`: the file or the directory that is named.
pub(crate) fn level_of_texts(
    given: Option<i32>,
    outputs: &[PathBuf],
    output: &Path,
) -> pgnmill_io::error::Result<i32> {
    let level = level_of(given)?;
    if given.is_none() || outputs.iter().any(|path| is_zstd_name(path)) {
        return Ok(level);
    }
    let (one, output) = (outputs == [output], output.shown());
    Err(Error::usage(match one {
        true => format!("--level is the compression of a name that ends in .zst; {output} is text"),
        false => format!(
            "--level is the compression of names that end in .zst; no file in {output} has one"
        ),
    }))
}

/// The compression level of a request that gives none.
const LEVEL: i32 = 3;

/// The compression levels.
pub(crate) const LEVELS: RangeInclusive<i64> = 1..=22;

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, Expected> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or("seconds are a number from 0 on")
}

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size(pub u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A share of the games, in percent.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Share(pub f64);

impl Share {
    /// What a share is.
    pub(crate) const EXPECTED: &'static str = "a number of percent, 0 to 100";
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Share {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Share, &'static str> {
        let number = text.strip_suffix('%').unwrap_or(text).parse();
        let share = number.ok().filter(|share| (0.0..=100.0).contains(share));
        share.map(Share).ok_or(Share::EXPECTED)
    }
}

/// Reads a whole share in percent.
pub(crate) fn percent(text: &str) -> Result<u32, Expected> {
    let expected = "a whole number of percent, 0 to 100";
    let number = text.strip_suffix('%').unwrap_or(text).parse().map_err(|_| expected)?;
    if number <= 100 { Ok(number) } else { Err(expected) }
}

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Size, &'static str> {
        size(text).map(Size)
    }
}

/// Reads a number of bytes such as `64MiB`.
pub(crate) fn size_of_memory(text: &str) -> Result<Size, Expected> {
    size(text).map(Size)
}

/// Reads a number of bytes such as `64MiB`.
pub(crate) fn size(text: &str) -> Result<u64, Expected> {
    let expected =
        "a size is a number of bytes from 1 on, with KiB, MiB, GiB, kB, MB or GB if not bytes";
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit.trim() {
        "" | "B" => 1,
        "K" | "KiB" => 1 << 10,
        "M" | "MiB" => 1 << 20,
        "G" | "GiB" => 1 << 30,
        "kB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return Err(expected),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.filter(|&bytes| bytes > 0).ok_or(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let read = |text| size(text).ok();
        let texts = [
            "64MiB",
            "64M",
            "67108864",
            "3 kB",
            "1GB",
            "0",
            "",
            "M",
            "-1",
            "1e6",
            "20000000000GiB",
        ];
        let expected =
            [Some(64 << 20), Some(64 << 20), Some(64 << 20), Some(3_000), Some(1_000_000_000)];
        assert_eq!(texts.map(read)[..5], expected);
        assert!(texts.map(read)[5..].iter().all(Option::is_none));
    }
}
