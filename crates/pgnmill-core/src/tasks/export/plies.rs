//! The table `plies`: one row per ply of the main line of a game that is accepted or repaired.

use crate::notation::{Check, SAN, UCI};
use crate::tables::groups::{CHECKS, ROLES};

use super::column::{Column, Requires, Set, Source};
use super::games;
use super::kind::Kind;

/// The columns of the table, in order; the notations that are requested come after `uci`.
pub(super) fn columns() -> Vec<Column> {
    let mut columns = Vec::from(games::key());
    columns.push(PLY);
    columns.extend([
        Column { name: "san".into(), doc: "the move in SAN, canonical".into(), ..in_notation(SAN) }
            .null("a game of Chess 99")
            .example("Nf3"),
        Column { name: "uci".into(), doc: "the move in UCI".into(), ..in_notation(UCI) }
            .example("g1f3"),
    ]);
    columns.extend([CLOCK_MS, EMT_MS, EVAL_CP, EVAL_MATE, NAGS]);
    let of_position = [COMMENT, FEN, BOARD, HASH, LEGAL_MOVES, PIECE, CAPTURED, PROMOTION, CHECK];
    columns.extend(of_position.map(|column| column.set(Set::OptIn)));
    columns
}

/// The name of the column after which those of the notations come.
pub(super) const BEFORE_NOTATIONS: &str = "uci";

fn in_notation(notation: &'static dyn crate::notation::Notation) -> Column {
    Column::new("", Kind::Text, Source::Moves(notation), "")
}

const PLY: Column = Column::new(
    "ply",
    Kind::Int16,
    Source::Ply(|ply, buffer| buffer.int16(i16::try_from(ply.number).ok())),
    "the number of the ply in its game, from 1",
)
.null("beyond 32,767, which no game under the laws of FIDE reaches (9.6.2)")
.example("3");

const CLOCK_MS: Column = Column::new(
    "clock_ms",
    Kind::Int32,
    Source::PlyNotes(|_, notes, buffer| buffer.int32(notes.clock)),
    "the clock of the player after the ply, from `%clk`",
)
.unit("ms")
.null("no `%clk` that can be read")
.example("178500")
.requires(Requires::Commands);

const EMT_MS: Column = Column::new(
    "emt_ms",
    Kind::Int32,
    Source::PlyNotes(|_, notes, buffer| buffer.int32(notes.elapsed)),
    "the time that the ply took, from `%emt`",
)
.unit("ms")
.null("no `%emt` that can be read")
.example("1500")
.requires(Requires::Commands);

const EVAL_CP: Column = Column::new(
    "eval_cp",
    Kind::Int16,
    Source::PlyNotes(|_, notes, buffer| buffer.int16(notes.centipawns())),
    "the evaluation after the ply, White's view, from `%eval`; beyond ±32,767 it is that number",
)
.unit("hundredths of a pawn")
.null("no `%eval` that can be read, or a mate")
.example("17")
.requires(Requires::Commands);

const EVAL_MATE: Column = Column::new(
    "eval_mate",
    Kind::Int16,
    Source::PlyNotes(|_, notes, buffer| buffer.int16(notes.mate())),
    "the number of moves to a mate after the ply, negative if Black mates, from `%eval`",
)
.unit("moves")
.null("no mate in `%eval`")
.example("-3")
.requires(Requires::Commands);

const NAGS: Column = Column::new(
    "nags",
    Kind::Int16List,
    Source::PlyNotes(|annotations, notes, buffer| {
        let nags = annotations.nags_of(notes).iter().map(|&nag| Some(nag));
        buffer.int16_list(Some(nags));
    }),
    "numeric annotation glyphs of the ply: `$n`, and `!` `?` `!!` `??` `!?` `?!` as 1 to 6; one beyond 32,767 is left \
     out",
)
.example("[1]")
.requires(Requires::Comments);

const COMMENT: Column = Column::new(
    "comment",
    Kind::Text,
    Source::PlyNotes(|annotations, notes, buffer| buffer.text(annotations.comment_of(notes))),
    "the comments of the ply without their commands, joined by one space",
)
.null("nothing is left of them")
.example("best by test")
.requires(Requires::Comments);

const FEN: Column = Column::new(
    "fen",
    Kind::Text,
    Source::Ply(|ply, buffer| {
        ply.fen.clear();
        ply.ply.write_fen(ply.fen);
        let texts = buffer.texts();
        texts.extend(ply.fen);
        texts.end_row(true);
    }),
    "the position before the ply, with an en passant square only where such a capture is legal; in other rulesets with \
     pockets, checks, or as the record of Chess 99",
)
.example("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");

const BOARD: Column = Column::new(
    "board",
    Kind::Board,
    Source::Ply(|ply, buffer| buffer.board(&ply.ply.board_nibbles().unwrap_or_default())),
    "the pieces before the ply, four bits per square from a1, b1 to h8, the first square in the high bits: 0 is empty, \
     1 to 6 White's pawn, knight, bishop, rook, queen, king, 9 to 14 Black's; all 0 in Chess 99",
)
.example("42356324111111110000…");

const HASH: Column = Column::new(
    "hash",
    Kind::Int64,
    Source::Ply(|ply, buffer| {
        buffer.int64(ply.ply.polyglot_key().map(u64::cast_signed));
    }),
    "the key of the position before the ply, as in Polyglot's opening books: the same 64 bits, with a sign",
)
.null("a ruleset other than chess and Chess960")
.example("5060803636482931868");

const LEGAL_MOVES: Column = Column::new(
    "legal_moves",
    Kind::Int16,
    Source::Ply(|ply, buffer| {
        buffer.int16(i16::try_from(ply.ply.legal_moves_count()).ok());
    }),
    "legal moves before the ply; no position of chess has more than 218",
)
.unit("moves")
.example("20");

const PIECE: Column = Column::new(
    "piece",
    Kind::Names(&ROLES),
    Source::Ply(|ply, buffer| buffer.name(ply.ply.role().map(|role| role.index()))),
    "the piece that moves or is dropped; castling is a move of the king",
)
.null("a paladin of Chess 99")
.example("knight");

const CAPTURED: Column = Column::new(
    "captured",
    Kind::Names(&ROLES),
    Source::Ply(|ply, buffer| {
        buffer.name(ply.ply.captured_role().map(|role| role.index()));
    }),
    "the piece that is captured",
)
.null("no capture, or a paladin of Chess 99")
.example("pawn");

const PROMOTION: Column = Column::new(
    "promotion",
    Kind::Names(&ROLES),
    Source::Ply(|ply, buffer| buffer.name(ply.ply.promoted().map(|role| role.index()))),
    "the piece that a pawn becomes",
)
.null("no promotion")
.example("queen");

const CHECK: Column = Column::new(
    "check",
    Kind::Names(&CHECKS),
    Source::Ply(|ply, buffer| {
        buffer.name(Some(match ply.ply.check() {
            Check::None => 0,
            Check::Check => 1,
            Check::Mate => 2,
        }));
    }),
    "`none`, `check` or `mate`, as SAN has its suffix: in other rulesets `mate` is any win by the move, with or without an attack on a king",
)
.example("none");
