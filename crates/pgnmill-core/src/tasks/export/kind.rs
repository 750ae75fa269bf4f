//! The kinds of columns: what their values are, in the words of the documentation.
//!
//! Invariant: in the default columns of games and plies signed integers only, no 32-bit times and no views, since Spark
//! reads neither unsigned integers nor those (see `docs/columns.md`).

use std::borrow::Cow;

/// The kind of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A text in UTF-8.
    Text,
    /// One of a few names, stored as a dictionary.
    Names(&'static [&'static str]),
    /// A number of 16 bits.
    Int16,
    /// A number of 32 bits.
    Int32,
    /// A number of 64 bits.
    Int64,
    /// A number of 16 bits without a sign: only for the table of positions.
    UInt16,
    /// A number of 64 bits without a sign: only for the table of positions.
    UInt64,
    /// A number with a fraction: only for the table of positions.
    Float64,
    /// A date, in days since 1970-01-01.
    Date,
    /// A time of day, in microseconds since midnight.
    TimeOfDay,
    /// A time of day, in seconds since midnight: only for the columns of the Hugging Face dataset.
    SecondOfDay,
    /// An instant, in milliseconds since 1970-01-01 UTC.
    Instant,
    /// A list of numbers of 16 bits, which may contain nulls.
    Int16List,
    /// A list of numbers of 32 bits, which may contain nulls.
    Int32List,
    /// So many bytes.
    Bytes(usize),
    /// Texts by names.
    TextMap,
}

impl Kind {
    /// The Arrow type, as the documentation names it.
    pub fn arrow_name(self) -> Cow<'static, str> {
        let name = match self {
            Kind::Text => "utf8",
            Kind::Names(_) => "utf8 (dictionary)",
            Kind::Int16 => "int16",
            Kind::Int32 => "int32",
            Kind::Int64 => "int64",
            Kind::UInt16 => "uint16",
            Kind::UInt64 => "uint64",
            Kind::Float64 => "double",
            Kind::Date => "date32",
            Kind::TimeOfDay => "time64[us]",
            Kind::SecondOfDay => "time32[s]",
            Kind::Instant => "timestamp[ms, UTC]",
            Kind::Int16List => "list<int16>",
            Kind::Int32List => "list<int32>",
            Kind::Bytes(bytes) => return format!("binary({bytes})").into(),
            Kind::TextMap => "map<utf8, utf8>",
        };
        name.into()
    }
}
