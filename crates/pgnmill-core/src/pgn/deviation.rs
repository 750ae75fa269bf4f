//! Deviations from canonical PGN: each has a name, is counted, and is a note, a repair or a fault.
//!
//! * A **note** is kept unchanged: so is every FEN record, whatever its form.
//! * A **repair** has one reading only; the canonical text is written instead, in tag pairs and among moves.
//! * A **fault** rejects the game: its bytes are kept separately, verbatim, and the run continues.
//!
//! A [`Profile`] decides which is which: lenient or strict, with single rules switched. Nothing is ever guessed: two
//! legal moves that fit are a fault.
//!
//! ```
//! use pgnmill_core::pgn::deviation::Class;
//! use pgnmill_core::pgn::deviation::Deviation;
//! use pgnmill_core::pgn::deviation::Profile;
//! assert_eq!(Profile::lenient().class(Deviation::CastlingZeros), Class::Repair);
//! assert_eq!(Profile::strict().class(Deviation::CastlingZeros), Class::Fault);
//! assert_eq!("castling-zeros".parse(), Ok(Deviation::CastlingZeros));
//! ```

use std::fmt;
use std::str::FromStr;

use super::copied::lossy;

/// What a deviation does to its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Kept unchanged, counted.
    Note,
    /// One reading only; the canonical text is written, counted.
    Repair,
    /// The game is rejected.
    Fault,
}

impl Class {
    /// `note`, `repair` or `fault`.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Note => "note",
            Class::Repair => "repair",
            Class::Fault => "fault",
        }
    }
}

/// One rule: its name, an example, and its class in each profile.
#[derive(Debug)]
pub struct Rule {
    /// Stable kebab-case name.
    pub name: &'static str,
    /// The class in the lenient profile.
    pub lenient: Class,
    /// The class in the strict profile.
    pub strict: Class,
    /// May a run accept it? A move that is not legal stays a fault in any case.
    pub allowable: bool,
    /// An example of the deviation.
    pub example: &'static str,
    /// Why it is a deviation: the rule and its source.
    pub source: &'static str,
}

macro_rules! class {
    (note) => {
        (Class::Note, Class::Note, true)
    };
    (note_strict) => {
        (Class::Note, Class::Fault, true)
    };
    (repair) => {
        (Class::Repair, Class::Fault, true)
    };
    (fault) => {
        (Class::Fault, Class::Fault, false)
    };
    (fault_allow) => {
        (Class::Fault, Class::Fault, true)
    };
}

macro_rules! deviations {
    ($($variant:ident $name:literal $class:ident $example:literal $source:literal)*) => {
        /// A kind of departure from canonical PGN.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "each variant's rule documents it")]
        pub enum Deviation { $($variant),* }

        /// All rules, in the order of [`Deviation`].
        pub static RULES: &[Rule] = &[$({
            let (lenient, strict, allowable) = class!($class);
            Rule { name: $name, lenient, strict, allowable, example: $example, source: $source }
        }),*];

        impl Deviation {
            /// All deviations, in order.
            pub const ALL: &[Deviation] = &[$(Deviation::$variant),*];
        }
    };
}

deviations! {
    CastlingZeros "castling-zeros" repair "0-0, 00" "PGN 8.2.3.3: the letter O, not the digit"
    CastlingLookalike "castling-lookalike" repair "О-О with Cyrillic or Greek letters" "PGN 8.2.3.3"
    CastlingLowerCase "castling-lower-case" repair "o-o" "PGN 8.2.3.3"
    CastlingTakesRook "castling-takes-rook" repair "e1h1, Ke1xh1" "PGN 8.2.3.3; in UCI the king takes its rook in Chess960"
    CaptureColon "capture-colon" repair "B:e5, Be5:, ed:" "PGN 8.2.3.3: captures are marked x"
    CaptureMarkMissing "capture-mark-missing" repair "Be5 where a piece is taken" "PGN 8.2.3.3"
    CaptureMarkStyle "capture-mark-style" repair "x for × in Chess 99" "chess99.md 6"
    CaptureBracketed "capture-bracketed" repair "×(N) in Chess 99" "chess99.md 6"
    CaptureLetterMissing "capture-letter-missing" repair "Qe24× where a rook is captured, in Chess 99" "chess99.md 6"
    OriginShort "origin-short" repair "Bd4 in Chess 99" "chess99.md 6"
    LatePromotionInPlace "late-promotion-in-place" note "c=B in Chess 99" "chess99.md 2"
    ResignationAttached "resignation-attached" repair "Rc39# in Chess 99" "chess99.md 5"
    CaptureMarkExtra "capture-mark-extra" repair "Nxd2 on an empty square" "PGN 8.2.3.3"
    PawnCaptureShort "pawn-capture-short" repair "exd, ed5, ed" "PGN 8.2.3.3: origin file, x, square"
    CheckMarkMissing "check-mark-missing" repair "Bb5 giving check" "PGN 8.2.3.5: checking moves carry +"
    CheckMarkExtra "check-mark-extra" repair "Bb5+ giving none" "PGN 8.2.3.5"
    CheckMarkStyle "check-mark-style" repair "Bb5 followed by a dagger, ++, ch, mate, attached or not; Bb5 + and Bb5!?+; # for mere check" "PGN 8.2.3.5: + for check, # for mate"
    PromotionMark "promotion-mark" repair "e8Q, e8(Q), e8/Q, e8=q" "PGN 8.2.3.3: = and a capital letter"
    PromotionPieceMissing "promotion-piece-missing" fault_allow "e8" "FIDE 3.7.5: the choice is the player's"
    PromotionNotAPromotion "promotion-not-a-promotion" fault "Nf3=Q, e4=Q" "FIDE 3.7.5: a pawn on its last rank"
    DisambiguationExtra "disambiguation-extra" repair "Ng1f3; Nge2 when the other knight is pinned" "PGN 8.2.3.4: only where it is needed"
    LongForm "long-form" repair "e2e4, Ng1-f3, Nb1xc3" "PGN 8.2.3.4"
    PawnLetter "pawn-letter" repair "Pe4, Pexd5" "PGN 8.2.3.2: pawns carry no letter"
    DropLetter "drop-letter" repair "@e4 in SAN, P@e4 in long algebraic notation" "variants.md 6"
    PieceLetterLowerCase "piece-letter-lower-case" fault_allow "nf3" "PGN 8.2.3.2: capital letters"
    PieceLetterForeign "piece-letter-foreign" repair "Sf3 in a game whose every move fits German" "PGN 8.2.3.2: English letters"
    PieceFigurine "piece-figurine" repair "a figurine in place of the letter" "PGN 8.2.3.2"
    NotationUndeclared "notation-undeclared" repair "5254 in a game whose every move fits iccf" "no MoveNotation tag pair says so"
    EnPassantMark "en-passant-mark" repair "exd6 e.p., exd6ep" "PGN 8.2.3.3: no mark"
    NotationVariant "notation-variant" repair "Kd8 as d8 in economical-squares" "the text of another writer of the same system"
    MoveUnreadable "move-unreadable" fault "Nxbd2, R8hg8, Qxd5+=+" "PGN 8.2.3"
    MoveIllegal "move-illegal" fault "Ke3 next to the other king" "FIDE 3.1-3.10"
    MoveAmbiguous "move-ambiguous" fault "Nd2 where two knights may go there" "PGN 8.2.3.4"
    NullMove "null-move" note "--, Z0, @@@@ in a variation" "not in the standard; written by editors"
    NullMoveMainLine "null-move-main-line" fault_allow "--, Z0 in the game itself" "FIDE 1.3: no side may pass"
    MoveNumberMissing "move-number-missing" note_strict "a white move without its number" "PGN 8.2.2"
    MoveNumberWrong "move-number-wrong" note_strict "17. twice" "PGN 8.2.2"
    MoveNumberStuck "move-number-stuck" note_strict "7Nf3" "PGN 8.2.2.1: a number ends with a blank or a period"
    MoveNumberStyle "move-number-style" note_strict "1) e4" "PGN 8.2.2.1: full stops"
    NagEscaped "nag-escaped" note_strict "\\$14" "PGN 8.2.4: a dollar sign and digits"
    SuffixUnusual "suffix-unusual" note "!!!, ?!?, (=), N, TN, only move, ‼" "PGN 8.2.3.8: six suffixes"
    SuffixPunctuation "suffix-punctuation" repair "Qg5. or Bh6+," "PGN 8.2.3: no part of a move"
    VariationIllegal "variation-illegal" fault_allow "a bad move inside a variation" "PGN 8.2.5"
    VariationUnclosed "variation-unclosed" fault "( without )" "PGN 8.2.5"
    VariationUnopened "variation-unopened" fault ") without (" "PGN 8.2.5"
    VariationMisplaced "variation-misplaced" fault "( before the first move of a line" "PGN 8.2.5: it replaces the move before it"
    VariationTooDeep "variation-too-deep" fault "more than a thousand nested variations" "a limit of this program"
    CommentUnclosed "comment-unclosed" fault "{ without }" "PGN 5"
    CommentNested "comment-nested" note "{ in a comment, which ends with the first } or with its own" "PGN 5: brace comments do not nest"
    TagUnterminated "tag-unterminated" repair "[White \"Ann" "PGN 8.1.1"
    TagQuote "tag-quote" repair "[White \"A \"B\" C\"], [White “A”], [Round 3], [Site]" "PGN 7: a value is in quotes, and a quote in it is escaped"
    TagBracket "tag-bracket" repair "Round \"3\"]" "PGN 8.1.1: a tag pair is in brackets"
    TagUnreadable "tag-unreadable" fault "[\"x\"] among tag pairs" "PGN 8.1.1: a name and a value in quotes"
    TagAfterMoves "tag-after-moves" note_strict "a tag pair in the middle of the movetext" "PGN 8"
    TagDuplicate "tag-duplicate" note "two Event tag pairs" "PGN 8.1.1"
    TagsOnOneLine "tags-on-one-line" note "[White \"A\"] [Black \"B\"]" "PGN 8.1: export format, one a line"
    TagOverLines "tag-over-lines" note "[White, and \"A\"] on the next line" "PGN 8.1: export format, one a line; PGN 7: tokens are separated by any whitespace"
    TagComma "tag-comma" note "[White \"Able\"]," "PGN 8.1.1: a tag pair ends with its bracket"
    TagTooLong "tag-too-long" fault "a tag pair longer than 64 KiB" "a limit of this program; PGN 4.3 says 255 characters a line"
    RosterIncomplete "roster-incomplete" note "no Round tag pair" "PGN 8.1.1: the seven tag roster"
    ResultMissing "result-missing" note "no 1-0 at the end" "PGN 8.2.6"
    ResultMismatch "result-mismatch" note "tag 1-0, token 0-1" "PGN 8.1.1.7"
    ResultStyle "result-style" note "1/2, Resigns" "PGN 8.2.6: four results"
    ResultStuck "result-stuck" note_strict "h6*, Qf71-0" "PGN 8.2.6: the result is a token of its own"
    ResultContradictsBoard "result-contradicts-board" note "checkmate on the board, 1/2-1/2" "FIDE 5.1"
    MovesAfterEnd "moves-after-end" fault "a move after mate or stalemate" "FIDE 5.1, 5.2.1"
    GameWithoutMoves "game-without-moves" note "tag pairs and a result" "PGN 8.2"
    GameWithoutTags "game-without-tags" note "movetext alone" "PGN 8.1"
    GameTooLong "game-too-long" fault "a game of more than 16 MiB" "a limit of this program"
    LineTooLong "line-too-long" fault "a line of more than 64 KiB in a file of positions" "a limit of this program"
    EpdFieldsMissing "epd-fields-missing" fault "a line of three fields in a file of positions" "PGN 16.2.3: four fields, of FEN six"
    EpdOperationUnreadable "epd-operation-unreadable" fault "c0 \"text without end; 3bm e4; two moves of pm" "PGN 16.2.4: an opcode, operands, a semicolon"
    EpdOperationStyle "epd-operation-style" note_strict "bm e4 without its semicolon, two semicolons, bm without a move" "PGN 16.2.4: an opcode, operands, a semicolon"
    GamesRunTogether "games-run-together" repair "1-0[Event ..." "PGN 8: a blank line between games"
    GameRestarted "game-restarted" note_strict "1. Nf3 after an empty line, where the game could go on" "PGN 8.2.6: nothing ends the game before it"
    SetupWithoutFen "setup-without-fen" fault "[SetUp \"1\"] alone" "PGN 9.7.1"
    FenWithoutSetup "fen-without-setup" note "[FEN ...] alone" "PGN 9.7.2"
    FenNotUsed "fen-not-used" note_strict "[SetUp \"0\"] beside a FEN from which the moves are illegal" "PGN 9.7.1: 0 is the usual position"
    FenRightsImpossible "fen-rights-impossible" note "a castling right without its rook" "PGN 16.1.3.3"
    FenEnPassantImpossible "fen-en-passant-impossible" note "a square no pawn has passed" "PGN 16.1.3.4"
    FenFieldsMissing "fen-fields-missing" note "a FEN of fewer than six fields" "PGN 16.1.3"
    FenFieldsExtra "fen-fields-extra" note "a FEN of seven fields" "PGN 16.1.3: six fields"
    FenDigitsAdjacent "fen-digits-adjacent" note "44 for eight empty squares" "PGN 16.1.3.1: one digit for a run of empty squares"
    FenSideUpperCase "fen-side-upper-case" note "W or B to move" "PGN 16.1.3.2: w or b"
    FenRightsStyle "fen-rights-style" note "kqKQ, KK" "PGN 16.1.3.3: each right once, White's first"
    FenCountersStyle "fen-counters-style" note "a dash, 007, move 0" "PGN 16.1.3.5 and 16.1.3.6"
    FenUnreadable "fen-unreadable" fault "a FEN that is none" "PGN 16.1"
    FenNoKing "fen-no-king" fault "a side without a king, or with two" "FIDE 1.4"
    FenSideNotToMoveInCheck "fen-side-not-to-move-in-check" fault "a king that could be taken" "FIDE 3.9"
    FenPawnOnBackRank "fen-pawn-on-back-rank" fault "a pawn on the first or eighth rank" "FIDE 3.7"
    FenImpossible "fen-impossible" fault "a pawn in Racing Kings" "variants.md 2"
    VariantUnknown "variant-unknown" fault "[Variant \"Bughouse\"]" "docs/reference/variants.md lists the rulesets that are known"
    NotationUnknown "notation-unknown" fault "[MoveNotation \"klingon\"]" "a notation that the registry does not hold"
    NotationAmbiguous "notation-ambiguous" fault "[MoveNotation \"uci\"] and [MoveNotation \"san\"]" "nothing says which of them holds; two that agree are one more tag-duplicate"
    NotationNeedsInitialArray "notation-needs-initial-array" fault "a game from a FEN in stamma" "Stamma names a piece by the file on which it began the game"
    NotationNotForBoard "notation-not-for-board" fault "a game of Chess 99 in SAN" "chess99.md 6"
    MoveNotExpressible "move-not-expressible" fault "N@f3 to be written in iccf" "variants.md 6"
    GameCut "game-cut" fault "half a game beside a damaged frame" "what was stored cannot be read; no text is joined across it"
    LineCut "line-cut" fault "half a line beside a damaged frame" "what was stored cannot be read; no text is joined across it"
    FrameDamaged "frame-damaged" fault "a zstd frame that does not decode" "RFC 8878; without --skip-damaged it ends the run"
    EncodingLatin1 "encoding-latin-1" note "bytes of ISO 8859-1" "PGN 4.1"
    EncodingWindows1252 "encoding-windows-1252" note "bytes of Windows-1252" "PGN 4.1"
    EncodingMixed "encoding-mixed" note "UTF-8 beside other bytes" "PGN 4.1"
    EncodingBom "encoding-bom" note "a byte order mark" "Unicode 23.8"
    LineEndCrlf "line-end-crlf" note "carriage return and line feed" "PGN 3.2.1"
    LineEndCr "line-end-cr" note "bare carriage returns" "PGN 3.2.1"
    LineEndMixed "line-end-mixed" note "both kinds in one archive" "PGN 3.2.1"
    WhitespaceUnusual "whitespace-unusual" note "a no-break space between moves" "PGN 7: tokens are separated by blanks of ASCII"
    EscapeLine "escape-line" note "% in the first column" "PGN 6"
    BytesBetweenGames "bytes-between-games" note "text outside any game" "PGN 8"
}

/// How many rules there are.
pub const RULES_COUNT: usize = Deviation::ALL.len();
const _: () = assert!(RULES_COUNT <= 128, "a DeviationSet holds 128");

impl Deviation {
    /// The rule this deviation breaks.
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// The stable name.
    pub fn name(self) -> &'static str {
        self.rule().name
    }

    /// Does it concern a whole archive, or the text between games, and not a game?
    pub fn is_of_archive(self) -> bool {
        use Deviation::*;
        matches!(
            self,
            EncodingLatin1
                | EncodingWindows1252
                | EncodingMixed
                | EncodingBom
                | LineEndCrlf
                | LineEndCr
                | LineEndMixed
                | BytesBetweenGames
                | FrameDamaged
        )
    }

    /// The deviation of a name.
    pub fn from_name(name: &str) -> Option<Deviation> {
        Deviation::ALL.iter().copied().find(|deviation| deviation.name() == name)
    }
}

/// The name: `move-illegal`. The reason why a text is no legal move is that of [`crate::replay::refusal`].
impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A fault is the error of [`crate::notation::Notation::read`].
impl std::error::Error for Deviation {}

/// No deviation has this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownDeviation;

impl fmt::Display for UnknownDeviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the name of a deviation")
    }
}

impl std::error::Error for UnknownDeviation {}

impl FromStr for Deviation {
    type Err = UnknownDeviation;

    /// Reads a stable name, such as `castling-zeros`.
    fn from_str(name: &str) -> Result<Deviation, UnknownDeviation> {
        Deviation::from_name(name).ok_or(UnknownDeviation)
    }
}

/// Text of an archive as messages and tables quote it: at most 255 bytes, then an ellipsis. A character without
/// ink is named by its code, so that no two texts look the same.
///
/// ```
/// assert_eq!(pgnmill_core::pgn::deviation::quoted("N\u{ad}f3".as_bytes()), "N<U+00AD>f3");
/// assert_eq!(pgnmill_core::pgn::deviation::quoted(b"Nf3"), "Nf3");
/// assert!(pgnmill_core::pgn::deviation::quoted(&[b'a'; 1 << 20]).len() < 300);
/// ```
pub fn quoted(text: &[u8]) -> String {
    // The standard's longest line (PGN 4.3).
    const QUOTED_BYTES_MAX: usize = 255;
    let mut words = String::new();
    for character in lossy(&text[..text.len().min(QUOTED_BYTES_MAX)]).chars() {
        if is_invisible(character) {
            words.push_str(&format!("<U+{:04X}>", u32::from(character)));
        } else {
            words.push(character);
        }
    }
    if text.len() > QUOTED_BYTES_MAX {
        words.push('…');
    }
    words
}

/// Has a character no ink: a blank beyond ASCII, a control, or a format character (Unicode's general category
/// `Cf`, and the selectors of variants)?
fn is_invisible(character: char) -> bool {
    let beyond_ascii = !character.is_ascii() && character.is_whitespace();
    let is_format = matches!(
        u32::from(character),
        0xAD | 0x34F
            | 0x600..=0x605
            | 0x61C
            | 0x115F..=0x1160
            | 0x17B4..=0x17B5
            | 0x180B..=0x180F
            | 0x200B..=0x200F
            | 0x202A..=0x202E
            | 0x2060..=0x206F
            | 0x2800
            | 0x3164
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xFFA0
            | 0xFFF0..=0xFFFB
            | 0xE0000..=0xE0FFF
    );
    beyond_ascii
        || is_format
        || (character.is_control() && !matches!(character, '\t' | '\n' | '\r'))
}

/// A set of deviations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DeviationSet(u128);

impl DeviationSet {
    /// The empty set.
    pub const EMPTY: DeviationSet = DeviationSet(0);

    /// The set of this one deviation.
    pub const fn of(deviation: Deviation) -> DeviationSet {
        DeviationSet(1 << deviation as u32)
    }

    /// Is the set empty?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is the deviation in the set?
    pub const fn has(self, deviation: Deviation) -> bool {
        self.0 >> deviation as u32 & 1 != 0
    }

    /// Adds a deviation.
    pub const fn add(&mut self, deviation: Deviation) {
        self.0 |= 1 << deviation as u32;
    }

    /// Removes a deviation.
    pub const fn remove(&mut self, deviation: Deviation) {
        self.0 &= !(1 << deviation as u32);
    }

    /// The deviations of either set.
    pub const fn union(self, other: DeviationSet) -> DeviationSet {
        DeviationSet(self.0 | other.0)
    }

    /// The deviations of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Deviation> {
        Deviation::ALL.iter().copied().filter(move |&deviation| self.has(deviation))
    }
}

/// Which deviations are notes, repairs or faults in this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    classes: [Class; RULES_COUNT],
}

impl Profile {
    /// Every text with exactly one reading is read.
    pub fn lenient() -> Profile {
        Profile { classes: std::array::from_fn(|i| RULES[i].lenient) }
    }

    /// Every text that is not canonical rejects the game.
    pub fn strict() -> Profile {
        Profile { classes: std::array::from_fn(|i| RULES[i].strict) }
    }

    /// The class of a deviation.
    #[inline]
    pub fn class(&self, deviation: Deviation) -> Class {
        self.classes[deviation as usize]
    }

    /// Makes a deviation harmless: a repair where it would be a fault. Returns whether the rule allows that.
    pub fn allow(&mut self, deviation: Deviation) -> bool {
        let rule = deviation.rule();
        if rule.allowable {
            let lenient = if rule.lenient == Class::Fault { Class::Repair } else { rule.lenient };
            self.classes[deviation as usize] = lenient;
        }
        rule.allowable
    }

    /// Sets the class of a deviation.
    pub(crate) fn set(&mut self, deviation: Deviation, class: Class) {
        self.classes[deviation as usize] = class;
    }

    /// Makes a deviation a fault.
    pub fn deny(&mut self, deviation: Deviation) {
        self.classes[deviation as usize] = Class::Fault;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_unique() {
        for (i, rule) in RULES.iter().enumerate() {
            assert!(
                rule.name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            );
            assert!(RULES[..i].iter().all(|other| other.name != rule.name), "{}", rule.name);
            assert!(!rule.example.is_empty() && !rule.source.is_empty());
            assert_eq!(rule.name.parse(), Ok(Deviation::ALL[i]));
        }
        assert_eq!("castling".parse::<Deviation>(), Err(UnknownDeviation));
    }

    #[test]
    fn an_illegal_move_stays_a_fault_whatever_is_allowed() {
        let mut profile = Profile::lenient();
        assert!(!profile.allow(Deviation::MoveIllegal));
        assert_eq!(profile.class(Deviation::MoveIllegal), Class::Fault);
        assert!(profile.allow(Deviation::VariationIllegal));
        assert_eq!(profile.class(Deviation::VariationIllegal), Class::Repair);
        profile.deny(Deviation::EscapeLine);
        assert_eq!(profile.class(Deviation::EscapeLine), Class::Fault);
    }
}
