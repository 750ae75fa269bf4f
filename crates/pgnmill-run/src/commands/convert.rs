//! `convert`: a run that writes games in another notation, to one file or to one per input.
//!
//! In: archives. Out: files. Invariant: a file has its name when it is complete and on disk. Cost: that of
//! [`pgnmill_core::tasks::convert`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::notation;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::tasks;
use pgnmill_core::tasks::convert::Form;
use pgnmill_io::archive::{Input, RecordKind};
use pgnmill_io::error::{Error, Result};

use crate::args::capabilities::Capabilities;
use crate::args::edits::EditArgs;
use crate::args::files::RunFiles;
use crate::args::messages::{Messages, SummaryArgs};
use crate::args::names::{self, find_language, find_notation, is_of_pairs};
use crate::args::options::{defaults, options};
use crate::args::output_path::{Written, is_directory};
use crate::args::reading::{Failures, GameLines, Reading};
use crate::args::resuming::Resuming;
use crate::args::selecting::Selecting;
use crate::args::splitting::Splitting;
use crate::args::values::exclusive;
use crate::args::writing::Writing;
use crate::commands::rewriting::{Target, place_of_games};
use crate::host::{Completion, Host};
use crate::outputs::destination::Resumed;
use crate::plan::{Place, Plan, Purpose, Request, is_split, refuse};
use crate::run::{Executed, execute};
use crate::text::numbers::count;
use crate::text::shell::{flag, option};

/// Writes archives in another notation.
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Whether each line is a game.
    #[command(flatten)]
    pub game_lines: GameLines,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// What becomes of inputs that cannot be read.
    #[command(flatten)]
    pub failures: Failures,
    /// The split that is read.
    #[command(flatten)]
    pub splitting: Splitting,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// How the state of the run is saved.
    #[command(flatten)]
    pub resuming: Resuming,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
    /// The notation to write (see `pgnmill notations`)
    #[arg(
        long, value_name = "NOTATION",
        value_parser = names::a_notation(), hide_possible_values = true
    )]
    pub to: String,
    /// With --to san: the piece letters of a language, such as de, as `san-LANGUAGE` in `pgnmill notations`
    #[arg(
        long, value_name = "LANGUAGE",
        value_parser = names::a_language(), hide_possible_values = true
    )]
    pub language: Option<String>,
    /// Where the games are written.
    #[command(flatten)]
    pub writing: Writing,
    /// Write the moves of the main line alone, a game a line, as --game-per-line reads them
    ///
    /// Without tag pairs, numbers, comments, variations and results. A game that begins in another position than that
    /// of --rules, or has other rules, is rejected: a line does not state it.
    #[arg(long, hide_short_help = true)]
    pub moves_only: bool,
    /// Keep rejected games in the output, unchanged
    #[arg(long)]
    pub keep_rejects: bool,
    /// Convert comments and tag values in Latin-1 or Windows-1252 to UTF-8
    #[arg(long)]
    pub to_utf8: bool,
    /// What is changed besides the moves.
    #[command(flatten)]
    pub edits: EditArgs,
    /// Set the tag pairs ECO and Opening by the positions that the moves reach (see data/openings)
    #[arg(long)]
    pub set_eco: bool,
}

options!(Convert:
    reading game_lines selecting files to language writing moves_only keep_rejects to_utf8 edits set_eco;
    without failures splitting resuming messages summary);

impl Convert {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("The moves in UCI, compressed", "pgnmill convert --to uci -o uci.pgn.zst games.pgn.zst"),
        (
            "German piece letters, to standard output",
            "pgnmill convert --to san --language de -o - games.pgn",
        ),
        ("The moves of a file of positions", "pgnmill convert --to uci -o suite.uci.epd suite.epd"),
        ("One output per input", "pgnmill convert --to long -o converted/ archives/"),
        (
            "The moves in UCI alone, a game a line",
            "pgnmill convert --to uci --moves-only -o moves.txt games.pgn",
        ),
        (
            "And back to PGN",
            "pgnmill convert --from uci --game-per-line --to san -o back.pgn moves.txt",
        ),
        (
            "Without comments and clocks, with the opening",
            "pgnmill convert --to san --drop comments,nags --set-eco -o clean.pgn games.pgn",
        ),
    ];

    /// Archives, the notation to write, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        to: &str,
        output: impl Into<PathBuf>,
    ) -> Convert {
        let mut request: Convert = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request.to = to.to_string();
        request.writing.output = output.into();
        request
    }

    /// The options that influence the text, as words of a shell.
    fn words(&self) -> Vec<String> {
        let mut words = vec![option("--to", &self.to)];
        words.extend(self.language.iter().map(|language| option("--language", language)));
        words.extend(self.edits.options());
        words.extend(flag("--moves-only", self.moves_only));
        words.extend(flag("--set-eco", self.set_eco));
        words.extend(flag("--to-utf8", self.to_utf8));
        words.extend(flag("--keep-rejects", self.keep_rejects));
        words
    }

    /// The options that go with games whose text is edited.
    fn of_texts(&self) -> [(&'static str, bool); 5] {
        [
            ("--to-utf8", self.to_utf8),
            ("--set-eco", self.set_eco),
            ("--drop", !self.edits.drop.is_empty()),
            ("--set", !self.edits.set.is_empty()),
            ("--remove", !self.edits.remove.is_empty()),
        ]
    }

    /// What is written of a game.
    ///
    /// # Errors
    /// An option that edits texts, where they are written anew.
    fn form(&self) -> Result<Form> {
        let (to, from) = (is_of_pairs(&self.to), is_of_pairs(&self.reading.from));
        let (form, option) = match () {
            () if self.moves_only => (Form::Line, "--moves-only"),
            () if to => (Form::Line, "--to tcn"),
            () if self.game_lines.game_per_line => (Form::Pgn, "--game-per-line"),
            () if from => (Form::Pgn, "--from tcn"),
            () => return Ok(Form::Edited),
        };
        let null_move = Deviation::NullMoveMainLine.name();
        if to && self.reading.allow.iter().any(|name| name == null_move) {
            return Err(Error::usage(format!(
                "--to tcn has no text for a null move: no --allow {null_move}"
            )));
        }
        let others =
            [("--keep-rejects", self.keep_rejects), ("--split", self.splitting.split.is_some())];
        match self.of_texts().iter().chain(&others).find(|(_, is_given)| *is_given) {
            None => Ok(form),
            Some((other, _)) => Err(Error::usage(format!(
                "{other} does not go with {option}: the text of a game is written anew"
            ))),
        }
    }

    /// Refuses to leave games of a split out: what is between two texts where games are missing depends on both, and a
    /// split has only one of them at its ends.
    fn refuse_dropping(&self, inputs: &[Input]) -> Result<()> {
        let keeps_all = self.keep_rejects && self.selecting.condition.is_none();
        match is_split(inputs) && !keeps_all {
            false => Ok(()),
            true => Err(Error::usage(
                "a split is converted with --keep-rejects and without --where: else the texts of two splits could run together",
            )),
        }
    }
}

impl Request for Convert {
    const NAME: &'static str = "convert";
    type Task = tasks::Convert;

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            game_lines: Some(self.game_lines),
            splitting: Some(&self.splitting),
            resuming: Some(&self.resuming),
            format: self.summary.format,
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn check_positions(&self) -> Option<Result<()>> {
        let moves_only = ("--moves-only", self.moves_only);
        let to = ("--to tcn", is_of_pairs(&self.to));
        Some(refuse(&[&self.of_texts()[..], &[moves_only, to]].concat()))
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn apart(&self) -> Option<&Path> {
        Some(&*self.writing.output).filter(|output| is_directory(output))
    }

    fn check(&self) -> Result<()> {
        exclusive(&[
            ("--keep-rejects", self.keep_rejects),
            ("--rejects", self.files.rejects.is_some()),
        ])
    }

    fn purpose(&self, inputs: &[Input], _: &dyn Host) -> Result<(Purpose, tasks::Convert)> {
        let to = match &self.language {
            None => match notation::find_of_games(&self.to) {
                Some(to) => to,
                None => find_notation(&self.to)?,
            },
            Some(language) if self.to == notation::SAN.info().name => find_language(language)?,
            Some(_) => return Err(Error::usage("--language goes with --to san")),
        };
        let edits = self.edits.edits()?;
        let (form, to_utf8, sets_opening) = (self.form()?, self.to_utf8, self.set_eco);
        let task = tasks::Convert { to, to_utf8, edits, sets_opening, form };
        self.refuse_dropping(inputs)?;
        let purpose = Purpose {
            place: match (form, place_of_games(&self.writing)) {
                (Form::Line, Place::PerInput { directory, flat, .. }) => {
                    let ending = if to.is_of_pairs() { "tcn" } else { "txt" };
                    Place::PerInput { directory, flat, ending: Some(ending.to_string()) }
                }
                (Form::Pgn, Place::PerInput { directory, flat, .. }) => {
                    Place::PerInput { directory, flat, ending: Some("pgn".to_string()) }
                }
                (_, place) => place,
            },
            written: Some(if form == Form::Line { Written::GameLines } else { Written::Games }),
            is_text: true,
            level: self.writing.level,
            keep_rejects: self.keep_rejects,
            words: self.words(),
            ..Purpose::default()
        };
        Ok((purpose, task))
    }

    fn execute(self, plan: Plan, task: tasks::Convert, host: &Arc<dyn Host>) -> Result<Completion> {
        let target =
            |plan: &Plan, resumed: Option<Resumed<'_, '_>>| Target::begin(plan, resumed, &**host);
        let mut done = match execute(plan, &task, target, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        done.publish()?;
        // Of a run that was continued, the first part is not known; of a split, not the rest.
        if !self.messages.quiet && !done.plan.resumes() && done.plan.inputs.ledger.is_none() {
            self.edits.warn_of_unmet(&task.edits, &**host);
        }
        let rejected = done.counted().counts.rejected;
        let kept = self.files.rejects.is_some() || self.keep_rejects;
        if rejected > 0 && !kept && !self.messages.quiet {
            let keeps = match (done.plan.records(), task.form) {
                (RecordKind::GameLines, _) => "--faults FILE lists them",
                (_, Form::Edited) => "--rejects FILE or --keep-rejects keeps their text",
                (_, Form::Line | Form::Pgn) => "--rejects FILE keeps their text",
            };
            host.warn(format_args!(
                "{} not in the output; {keeps}",
                match done.plan.records() {
                    RecordKind::Games | RecordKind::GameLines =>
                        count(rejected, "rejected game is", "rejected games are"),
                    RecordKind::Lines => {
                        count(rejected, "rejected position is", "rejected positions are")
                    }
                }
            ));
        }
        Ok(done.completion())
    }
}
