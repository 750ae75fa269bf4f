//! Names of tags, compared as numbers, and the [`Tag`] of each name that has one.
//!
//! In: the bytes of a name. Out: its slot in a [`TagIndex`](super::TagIndex), if it has one. The hash table is
//! made at compile time, free of collisions. Cost: one multiplication, one load, one comparison.

use super::NOTATION_TAG;

/// What the value of a tag pair is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagKind {
    /// A text.
    Text,
    /// A number, perhaps with a sign.
    Number,
    /// A date, perhaps incomplete.
    Date,
    /// A time of day.
    Time,
}

macro_rules! tags {
    ($($tag:ident $name:literal $kind:ident,)*) => {
        /// A tag pair with a place in the index. The first seven are the roster.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Tag {
            $(#[doc = concat!("`", $name, "`")] $tag,)*
        }

        impl Tag {
            /// How many there are.
            pub const COUNT: usize = [$($name),*].len();
            /// All of them.
            pub const ALL: [Tag; Tag::COUNT] = [$(Tag::$tag),*];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $(Tag::$tag => $name,)* }
            }

            /// What its value is.
            pub const fn kind(self) -> TagKind {
                match self { $(Tag::$tag => TagKind::$kind,)* }
            }
        }
    };
}

tags! {
    Event "Event" Text,
    Site "Site" Text,
    Date "Date" Date,
    Round "Round" Text,
    White "White" Text,
    Black "Black" Text,
    Result "Result" Text,
    // Those that decide the starting position and the rules.
    Fen "FEN" Text,
    SetUp "SetUp" Text,
    Variant "Variant" Text,
    WhiteElo "WhiteElo" Number,
    BlackElo "BlackElo" Number,
    WhiteRatingDiff "WhiteRatingDiff" Number,
    BlackRatingDiff "BlackRatingDiff" Number,
    PlyCount "PlyCount" Number,
    UtcDate "UTCDate" Date,
    EventDate "EventDate" Date,
    UtcTime "UTCTime" Time,
    Time "Time" Time,
    WhiteTitle "WhiteTitle" Text,
    BlackTitle "BlackTitle" Text,
    Eco "ECO" Text,
    Opening "Opening" Text,
    Variation "Variation" Text,
    Termination "Termination" Text,
    TimeControl "TimeControl" Text,
    Link "Link" Text,
    EventType "EventType" Text,
    Annotator "Annotator" Text,
    WhiteFideId "WhiteFideId" Text,
    BlackFideId "BlackFideId" Text,
    WhiteTeam "WhiteTeam" Text,
    BlackTeam "BlackTeam" Text,
    GameStartTime "GameStartTime" Text,
    GameEndTime "GameEndTime" Text,
    GameDuration "GameDuration" Text,
    SourceDate "SourceDate" Text,
}

impl Tag {
    /// The tag of this name.
    pub fn of(name: &str) -> Option<Tag> {
        Tag::ALL.into_iter().find(|tag| tag.name() == name)
    }
}

/// Bytes of the longest name in [`Tag`].
pub(crate) const NAME_BYTES_MAX: usize = 16;

/// The first `len` bytes, 1 to [`NAME_BYTES_MAX`], as a little-endian number.
#[inline(always)]
pub(crate) fn name_number(bytes: &[u8; NAME_BYTES_MAX], len: usize) -> u128 {
    u128::from_le_bytes(*bytes) & NAME_MASKS[len]
}

/// The bits of so many bytes; a load is faster than a shift of 128 bits.
static NAME_MASKS: [u128; NAME_BYTES_MAX + 1] = {
    let mut masks = [0; NAME_BYTES_MAX + 1];
    let mut len = 1;
    while len < masks.len() {
        masks[len] = u128::MAX >> (128 - 8 * len);
        len += 1;
    }
    masks
};

/// The number of a whole name; `None` if it is longer than [`NAME_BYTES_MAX`].
#[inline(always)]
pub(crate) const fn short_name(name: &[u8]) -> Option<u128> {
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let (mut number, mut i) = (0, 0);
    while i < name.len() {
        number |= (name[i] as u128) << (8 * i);
        i += 1;
    }
    Some(number)
}

/// The number of [`NOTATION_TAG`], which is not in [`Tag`].
pub(crate) const NOTATION_NAME: u128 = match short_name(NOTATION_TAG) {
    Some(number) => number,
    None => panic!("it is short"),
};

const HASH_BITS: u32 = 8;

#[inline(always)]
const fn hash(name: u128, factor: u64) -> usize {
    let folded = name as u64 ^ ((name >> 64) as u64).rotate_left(23);
    (folded.wrapping_mul(factor) >> (64 - HASH_BITS)) as usize
}

/// The names as numbers, each at the index of its hash, with its slot.
type SlotsHash = [(u128, u8); 1 << HASH_BITS];

const fn slots_hash(factor: u64) -> Option<SlotsHash> {
    let mut table = [(0, 0); 1 << HASH_BITS];
    let mut i = 0;
    while i <= Tag::COUNT {
        // Some programs write `Setup`.
        let (name, slot) = match i {
            Tag::COUNT => (b"Setup".as_slice(), Tag::SetUp as u8),
            _ => (Tag::ALL[i].name().as_bytes(), i as u8),
        };
        if let Some(name) = short_name(name) {
            let index = hash(name, factor);
            if table[index].0 != 0 {
                return None;
            }
            table[index] = (name, slot);
        }
        i += 1;
    }
    Some(table)
}

/// The first factor with which no two hashes are equal.
const SLOTS_FACTOR: u64 = {
    let mut factor = 0x9e37_79b9_7f4a_7c15;
    while slots_hash(factor).is_none() {
        factor = factor.wrapping_mul(0x5851_f42d_4c95_7f2d);
    }
    factor
};

/// The slot of a name, if it is in [`Tag`].
#[inline(always)]
pub(crate) fn slot_of(name: u128) -> Option<usize> {
    let (known, slot) = SLOTS_HASH[hash(name, SLOTS_FACTOR)];
    (name == known).then_some(usize::from(slot))
}

/// See [`SlotsHash`].
static SLOTS_HASH: SlotsHash = match slots_hash(SLOTS_FACTOR) {
    Some(table) => table,
    None => panic!("the factor was found above"),
};

/// The slot of the name that begins at an offset of a text.
#[inline]
pub(crate) fn slot_of_name(text: &[u8], name: std::ops::Range<usize>) -> Option<usize> {
    let bytes = text.get(name.start..).and_then(|rest| rest.first_chunk());
    let short = match (bytes, name.len()) {
        (Some(bytes), 1..=NAME_BYTES_MAX) => Some(name_number(bytes, name.len())),
        _ => short_name(&text[name]),
    };
    short.and_then(slot_of)
}
