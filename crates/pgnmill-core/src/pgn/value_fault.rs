//! Values in games that cannot be read: of tag pairs that are to be numbers, of commands in comments, and comments of
//! engines.
//!
//! Such a value changes nothing in the verdict on a game, whose moves do not depend on it. A task that needs the value
//! has none; it reports the fault, which is counted and listed.

/// What cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ValueFault {
    /// The rating of a player: no number, or beyond 16 bits.
    Rating,
    /// The change of a rating.
    RatingDifference,
    /// A date that the calendar does not have.
    Date,
    /// A time of day.
    Time,
    /// The command `[%clk …]`.
    Clock,
    /// The command `[%emt …]`.
    Elapsed,
    /// The command `[%eval …]`.
    Eval,
    /// A comment that begins as one of an engine, and is none that is known.
    EngineComment,
}

impl ValueFault {
    /// How many kinds there are.
    pub const COUNT: usize = 8;

    /// All kinds, in the order of tables.
    pub const ALL: [ValueFault; ValueFault::COUNT] = [
        ValueFault::Rating,
        ValueFault::RatingDifference,
        ValueFault::Date,
        ValueFault::Time,
        ValueFault::Clock,
        ValueFault::Elapsed,
        ValueFault::Eval,
        ValueFault::EngineComment,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            ValueFault::Rating => "rating-unreadable",
            ValueFault::RatingDifference => "rating-difference-unreadable",
            ValueFault::Date => "date-unreadable",
            ValueFault::Time => "time-unreadable",
            ValueFault::Clock => "clock-unreadable",
            ValueFault::Elapsed => "elapsed-unreadable",
            ValueFault::Eval => "eval-unreadable",
            ValueFault::EngineComment => "engine-comment-unreadable",
        }
    }

    /// What a value must be, for a person.
    pub const fn detail(self) -> &'static str {
        match self {
            ValueFault::Rating => "a rating is a number of at most 32,767",
            ValueFault::RatingDifference => "a change of a rating is a number of at most 32,767",
            ValueFault::Date => "a date is YYYY.MM.DD, of the calendar",
            ValueFault::Time => "a time of day is HH:MM:SS",
            ValueFault::Clock => "a clock is [%clk H:MM:SS]",
            ValueFault::Elapsed => "an elapsed time is [%emt H:MM:SS], or seconds",
            ValueFault::Eval => "an evaluation is [%eval 0.31], [%eval #-3] or [%eval 0.31,22]",
            ValueFault::EngineComment => {
                "an engine's comment has one of the forms of docs/columns.md, such as +0.31/12 0.5s"
            }
        }
    }
}
