//! A request by the name of its command, whose options are set by name: for callers in another language.
//!
//! In: the name of a command, then of options, with texts. Out: a run. Invariant: no words of a command line are made
//! or parsed. Cost: that of the run.

use std::ffi::OsString;
use std::sync::Arc;

use clap::{Args, Command};
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};

use crate::args::common::Common;
use crate::args::defaults::defaults;
use crate::args::options::{Options, set_option};
use crate::commands::duplicates::args::Duplicates;
#[cfg(feature = "columns")]
use crate::commands::export::args::Export;
use crate::commands::measure::args::{Measure, Merge, Report};
use crate::commands::rewrite_args::{Convert, Select};
use crate::commands::sort::Sort;
use crate::commands::stats::Stats;
use crate::commands::validate::Validate;
use crate::host::{Completion, Host};

/// A request whose type is known when the program runs.
#[derive(Debug)]
pub struct NamedRequest {
    request: Request,
    /// The options that must be given and are not yet.
    missing: Vec<String>,
}

#[derive(Debug)]
enum Request {
    Validate(Box<Validate>),
    Stats(Box<Stats>),
    Convert(Box<Convert>),
    Select(Box<Select>),
    Sort(Box<Sort>),
    #[cfg(feature = "columns")]
    Export(Box<Export>),
    Duplicates(Box<Duplicates>),
    Measure(Box<Measure>),
    Merge(Box<Merge>),
    Report(Box<Report>),
}

/// The request of a command with its defaults, and what must be given besides the inputs.
macro_rules! with_defaults {
    ($name:ident) => {
        (Request::$name(Box::new(defaults())), required::<$name>())
    };
}

/// The same expression for each type of request.
macro_rules! each_request {
    ($value:expr, $request:ident => $does:expr) => {
        match $value {
            Request::Validate($request) => $does,
            Request::Stats($request) => $does,
            Request::Convert($request) => $does,
            Request::Select($request) => $does,
            Request::Sort($request) => $does,
            #[cfg(feature = "columns")]
            Request::Export($request) => $does,
            Request::Duplicates($request) => $does,
            Request::Measure($request) => $does,
            Request::Merge($request) => $does,
            Request::Report($request) => $does,
        }
    };
}

/// The options that must be given.
fn required<R: Args>() -> Vec<String> {
    let command = R::augment_args(Command::new("required"));
    let options = command.get_arguments().filter(|arg| arg.is_required_set());
    options.filter_map(|arg| arg.get_long().map(str::to_string)).collect()
}

impl Request {
    /// What all runs over archives have in common.
    fn common_mut(&mut self) -> Option<&mut Common> {
        Some(match self {
            Request::Validate(request) => &mut request.common,
            Request::Stats(request) => &mut request.common,
            Request::Convert(request) => &mut request.common,
            Request::Select(request) => &mut request.common,
            Request::Sort(request) => &mut request.common,
            #[cfg(feature = "columns")]
            Request::Export(request) => &mut request.common,
            Request::Duplicates(request) => &mut request.common,
            Request::Measure(request) => &mut request.common,
            Request::Merge(_) | Request::Report(_) => return None,
        })
    }
}

impl NamedRequest {
    /// The request of a command, with the defaults of the command line; `None` if there is none.
    pub fn of(command: &str) -> Option<NamedRequest> {
        let (mut request, mut missing) = match command {
            "validate" => with_defaults!(Validate),
            "stats" => with_defaults!(Stats),
            "convert" => with_defaults!(Convert),
            "select" => with_defaults!(Select),
            "sort" => with_defaults!(Sort),
            #[cfg(feature = "columns")]
            "export" => with_defaults!(Export),
            "duplicates" => with_defaults!(Duplicates),
            "measure" => with_defaults!(Measure),
            "merge" => with_defaults!(Merge),
            "report" => with_defaults!(Report),
            _ => return None,
        };
        // The defaults have something in the place of what is read.
        match &mut request {
            Request::Merge(request) => request.inputs.clear(),
            Request::Report(_) => missing.push("tables".to_string()),
            _ => request.common_mut().into_iter().for_each(|common| common.inputs.clear()),
        }
        Some(NamedRequest { request, missing })
    }

    /// Sets an option by its name on the command line, such as `keep-rejects`, whose value is then `true`. What is read
    /// has the name `inputs`; of a report `tables`.
    ///
    /// # Errors
    /// An option that the request does not have, or texts that are no value of it.
    pub fn set(&mut self, name: &str, texts: &[OsString]) -> Result<()> {
        self.missing.retain(|missing| missing != name);
        let request: &mut dyn Options = each_request!(&mut self.request, request => &mut **request);
        set_option(request, name, texts)
    }

    /// Sets the archives that are read, in place of those that `inputs` names; after the options.
    ///
    /// # Errors
    /// A request that reads no archives; a table of the run on standard output, which is that of the process.
    pub fn set_archives(&mut self, archives: Vec<Input>) -> Result<()> {
        let Some(common) = self.request.common_mut() else {
            return Err(Error::usage("the tables of measurements are read, not archives"));
        };
        common.given = Some(archives);
        common.refuse_standard_output()
    }

    /// Runs it.
    ///
    /// # Errors
    /// An option that must be given and is not; what the request cannot have; what ends the run.
    pub fn run(self, host: &Arc<dyn Host>) -> Result<Completion> {
        if let Some(name) = self.missing.first() {
            return Err(Error::usage(format!("--{name} must be given")));
        }
        each_request!(self.request, request => request.run(host))
    }
}
