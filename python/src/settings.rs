//! The options that all functions have in common, as settings of a run.
//!
//! In: values of Python. Out: [`Settings`]. The names of the options are those of the program.

use std::fmt::Display;
use std::fs::File;
use std::sync::Arc;

use pgnmill::columns::{PlyFilter, PlyNumbers, PositionBatches};
use pgnmill::limits::THREADS_MAX;
use pgnmill::select::{PositionSet, Share};
use pgnmill::task::{CountPositions, Rejects, Settings};
use pgnmill::{Deviation, Notation, Options, Profile, Selection, find_notation};
use pgnmill_run::Size;
use pgnmill_run::args::names::find_rules;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::error::{self, OrRaise};

/// The positions of a file that an expression names, or why there are none.
fn positions(name: &str) -> Result<PositionSet, String> {
    let failed = |error: &dyn Display| format!("{name}: {error}");
    let file = File::open(name).map_err(|error| failed(&error))?;
    PositionSet::read(file).map_err(|error| failed(&error))
}

/// Options of the functions that read games: `threads`, `where`, `from_notation`, `rules`, `strict`, `allow`,
/// `deny`, `skip_damaged`.
pub(crate) struct ReadOptions<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> ReadOptions<'_, 'py> {
    /// The settings of these options. Files are not mapped: one that becomes shorter would end the process.
    ///
    /// # Errors
    /// `UsageError` for a notation, a deviation, an expression or a number of threads that is none; `TypeError`.
    pub(crate) fn settings(&self) -> PyResult<Settings> {
        let py = self.0.py();
        let skip_damaged = self.switch("skip_damaged")?;
        let mut settings = Settings {
            rejects: Rejects::Dropped,
            profile: self.profile(py)?,
            options: Options { skip_damaged, map: false, ..Options::default() },
            ..Settings::default()
        };
        settings.threads = self.threads()?.unwrap_or(settings.threads);
        if let Some(name) = self.text("from_notation")?.filter(|name| name != "auto") {
            settings.from = Some(notation(py, &name)?);
        }
        if let Some(name) = self.text("rules")? {
            settings.rules = find_rules(&name).or_raise(py)?;
        }
        if let Some(text) = self.text("where")? {
            let selection = Selection::parse_with(&text, positions);
            let selection =
                selection.map_err(|error| error::usage(py, &format!("where: {error}")))?;
            settings.selection = Some(Arc::new(selection));
        }
        if let Some(share) = self.share("sample")? {
            let selection = settings.selection.as_deref().cloned().unwrap_or_else(Selection::all);
            settings.selection = Some(Arc::new(selection.with_share(share)));
        }
        Ok(settings)
    }

    /// What is counted of positions, and what is given: `max_ply`, `variations`, `min_games`, `sums`, `memory`.
    ///
    /// # Errors
    /// As [`ReadOptions::settings`].
    pub(crate) fn positions(&self) -> PyResult<PositionBatches> {
        let mut positions = PositionBatches::default();
        let plies_max = self.whole("max_ply", u32::MAX.into())?;
        let plies_max = plies_max.and_then(|number| u32::try_from(number).ok());
        positions.count = CountPositions {
            plies_max: match plies_max {
                Some(0) => u32::MAX,
                Some(plies) => plies,
                None => positions.count.plies_max,
            },
            variations: self.switch("variations")?,
        };
        positions.games_min = self.whole("min_games", u64::MAX)?.unwrap_or(1);
        positions.sums = self.switch("sums")?;
        if let Some(bytes) = self.memory()? {
            positions.spill.bytes_max = bytes;
        }
        Ok(positions)
    }

    /// A number of bytes, such as 1000000 or `64MiB`.
    fn memory(&self) -> PyResult<Option<usize>> {
        let Some(value) = self.value("memory")? else { return Ok(None) };
        let text = match value.is_instance_of::<PyInt>() {
            true => value.str()?.extract::<String>()?,
            false => value.extract().map_err(|_| wrong("memory", "an int or a str", &value))?,
        };
        let refused = |why: &str| error::usage(self.0.py(), &format!("memory: {why}; not {text}"));
        let size: Size = text.parse().map_err(refused)?;
        let bytes = usize::try_from(size.0).unwrap_or(usize::MAX);
        match bytes < PositionBatches::MEMORY_BYTES_MIN {
            true => Err(refused("it is 1MiB or more")),
            false => Ok(Some(bytes)),
        }
    }

    /// A whole number from 0 to `most`.
    fn whole(&self, name: &str, most: u64) -> PyResult<Option<u64>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        if !value.is_instance_of::<PyInt>() || value.is_instance_of::<PyBool>() {
            return Err(wrong(name, "an int", &value));
        }
        match value.extract::<u64>() {
            Ok(number) if number <= most => Ok(Some(number)),
            _ => {
                let message = format!("{name} takes 0 to {most}; not {value}");
                Err(error::usage(self.0.py(), &message))
            }
        }
    }

    /// The plies that have a row: `plies`, `sample_plies`, `seed`.
    ///
    /// # Errors
    /// As [`ReadOptions::settings`].
    pub(crate) fn plies(&self) -> PyResult<PlyFilter> {
        let py = self.0.py();
        let refused = |name: &str, expected: &str, text: &str| {
            error::usage(py, &format!("{name} takes {expected}; not {text}"))
        };
        let numbers = match self.text("plies")? {
            None => None,
            Some(text) => Some(PlyNumbers::read(&text).ok_or_else(|| {
                refused(
                    "plies",
                    "the first and the last ply, such as 10..60, or a condition such as ply == 16",
                    &text,
                )
            })?),
        };
        let share = self.share("sample_plies")?;
        Ok(PlyFilter { numbers, share })
    }

    /// A share in percent, such as `10%`.
    fn share(&self, name: &str) -> PyResult<Option<Share>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let percent = text.strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
        let Some(percent) = percent.filter(|&percent| percent > 0.0 && percent <= 100.0) else {
            let message = format!("{name} takes a share, such as 10%; not {text}");
            return Err(error::usage(self.0.py(), &message));
        };
        let seed = self.value("seed")?.map_or(Ok(0), |seed| {
            seed.extract::<u64>().map_err(|_| wrong("seed", "an int from 0 on", &seed))
        })?;
        Ok(Some(Share::of(percent / 100.0, seed)))
    }

    /// The value of an option, unless it is absent or `None`.
    fn value(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }

    fn threads(&self) -> PyResult<Option<usize>> {
        let Some(value) = self.value("threads")? else { return Ok(None) };
        if !value.is_instance_of::<PyInt>() {
            return Err(wrong("threads", "an int or None", &value));
        }
        match value.extract::<usize>() {
            Ok(0) => Ok(None),
            Ok(threads) if threads <= THREADS_MAX => Ok(Some(threads)),
            _ => {
                let message = format!("threads takes 0 to {THREADS_MAX}; not {value}");
                Err(error::usage(self.0.py(), &message))
            }
        }
    }

    fn text(&self, name: &str) -> PyResult<Option<String>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        value.extract().map(Some).map_err(|_| wrong(name, "a str", &value))
    }

    fn switch(&self, name: &str) -> PyResult<bool> {
        let Some(value) = self.value(name)? else { return Ok(false) };
        value.extract().map_err(|_| wrong(name, "True or False", &value))
    }

    fn names(&self, name: &str) -> PyResult<Vec<String>> {
        self.value(name)?.map_or_else(|| Ok(Vec::new()), |value| words(name, &value))
    }

    fn profile(&self, py: Python<'_>) -> PyResult<Profile> {
        let mut profile =
            if self.switch("strict")? { Profile::strict() } else { Profile::lenient() };
        for name in self.names("allow")? {
            if !profile.allow(deviation(py, &name)?) {
                return Err(error::usage(py, &format!("{name} cannot be allowed")));
            }
        }
        for name in self.names("deny")? {
            let deviation = deviation(py, &name)?;
            if deviation.is_of_archive() {
                let message =
                    format!("{name} cannot be denied: it is of an archive, not of a game");
                return Err(error::usage(py, &message));
            }
            profile.deny(deviation);
        }
        Ok(profile)
    }
}

/// A `TypeError`: what an option takes.
fn wrong(name: &str, takes: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "this".into(), |kind| kind.to_string());
    PyTypeError::new_err(format!("{name} takes {takes}; not {kind}"))
}

/// The words of a text with commas, or of a list of texts, that the option `name` has.
///
/// # Errors
/// `TypeError` for anything else.
pub(crate) fn words(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_none() {
        return Ok(Vec::new());
    }
    if value.is_instance_of::<PyString>() {
        let text: String = value.extract()?;
        return Ok(text.split(',').map(|word| word.trim().to_string()).collect());
    }
    let takes = "a str or a list of str";
    let words = value.try_iter().map_err(|_| wrong(name, takes, value))?;
    words
        .map(|word| {
            let word = word?;
            word.extract().map_err(|_| wrong(name, takes, &word))
        })
        .collect()
}

/// The notation of a name.
///
/// # Errors
/// `UsageError`: there is none.
pub(crate) fn notation(py: Python<'_>, name: &str) -> PyResult<&'static dyn Notation> {
    find_notation(name).ok_or_else(|| error::usage(py, &format!("there is no notation {name}")))
}

fn deviation(py: Python<'_>, name: &str) -> PyResult<Deviation> {
    let found = Deviation::from_name(name);
    found.ok_or_else(|| error::usage(py, &format!("there is no deviation {name}")))
}
