//! The table `plies`: one row per ply of the main line of a game that is accepted or repaired.

use crate::chess::Position;
use crate::notation::{Check, SAN, UCI};
use crate::pgn::engine_comments::{EvalView, FORM_NAMES};
use crate::tables::groups::{CHECKS, PHASES, ROLES, SIDES};

use super::buffer::{BOARD_BYTES, NIBBLES_BYTES};
use super::column::{Column, Requires, Set, Source};
use super::games;
use super::kind::Kind;

/// The columns of the table, in order; the notations that are requested come after `uci`.
pub(super) fn columns() -> Vec<Column> {
    let mut columns = Vec::from(games::key());
    columns.push(PLY);
    columns.extend([
        san(),
        Column { name: "uci".into(), doc: "the move in UCI".into(), ..in_notation(UCI) }
            .example("g1f3"),
    ]);
    columns.extend([CLOCK_MS, EMT_MS, EVAL_CP, EVAL_MATE, NAGS]);
    columns.extend([OUTCOME, MOVER_RATING, OPPONENT_RATING]);
    let of_engines =
        [DEPTH, SELDEPTH, NODES, TIME_MS, SPEED_NPS, TB_HITS, PV, COMMENT_FORM, EVAL_OF];
    let of_mover = [SPENT_MS, MOVER_EVAL_CP, MOVER_EVAL_BEFORE_CP, MOVER, PHASE];
    let of_game = [MATERIAL_BALANCE, GAME_INDEX];
    let of_position =
        [COMMENT, FEN, HASH, MATERIAL, LEGAL_MOVES, PIECE, CAPTURED, PROMOTION, CHECK];
    let of_notation = [Column::of_tcn().example("gv")];
    let of_tensors = [BOARD, BOARD_NIBBLES, CASTLING, EN_PASSANT, MOVE_CODE];
    let opt_in =
        of_engines.into_iter().chain(of_mover).chain(of_game).chain(of_position).chain(of_tensors);
    let opt_in = opt_in.chain(of_notation);
    columns.extend(opt_in.map(|column| column.set(Set::OptIn)));
    columns
}

/// The name of the column after which those of the notations come.
pub(super) const BEFORE_NOTATIONS: &str = "uci";

/// The move in SAN.
pub(super) fn san() -> Column {
    Column { name: "san".into(), doc: "the move in SAN, canonical".into(), ..in_notation(SAN) }
        .null("a game of Chess 99")
        .example("Nf3")
}

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
.example("3")
.of_line(|facts, buffer| {
    (0..facts.line.plies()).for_each(|ply| buffer.int16(i16::try_from(facts.number + ply).ok()));
});

const CLOCK_MS: Column = Column::new(
    "clock_ms",
    Kind::Int32,
    Source::PlayedPly(|ply, buffer| buffer.int32(ply.notes().clock)),
    "the clock of the player after the ply, from `%clk`, or `%clkc` in hundredths of a second",
)
.unit("ms")
.null("neither that can be read")
.example("178500")
.requires(Requires::Commands);

const EMT_MS: Column = Column::new(
    "emt_ms",
    Kind::Int32,
    Source::PlayedPly(|ply, buffer| buffer.int32(ply.notes().elapsed)),
    "the time that the ply took, from `%emt`",
)
.unit("ms")
.null("no `%emt` that can be read")
.example("1500")
.requires(Requires::Commands);

const EVAL_CP: Column = Column::new(
    "eval_cp",
    Kind::Int16,
    Source::PlayedPly(|ply, buffer| buffer.int16(ply.notes().centipawns())),
    "the evaluation after the ply, White's view, from `%eval`, else from a comment of an engine; beyond ±32,767 it is \
     that number",
)
.unit("hundredths of a pawn")
.null("neither that can be read, or a mate")
.example("17")
.requires(Requires::Engines);

const EVAL_MATE: Column = Column::new(
    "eval_mate",
    Kind::Int16,
    Source::PlayedPly(|ply, buffer| buffer.int16(ply.notes().mate())),
    "the number of moves to a mate, negative if Black mates, from `%eval`, else from a comment of an engine, which \
     counts the ply itself, too",
)
.unit("moves")
.null("no mate in either")
.example("-3")
.requires(Requires::Engines);

/// Null unless an engine left it in a comment.
const NO_ENGINE: &str = "no comment of a form that has it";

const DEPTH: Column = Column::new(
    "depth",
    Kind::Int16,
    Source::PlayedPly(|ply, buffer| buffer.int16(ply.annotations.depth_of(ply.notes()))),
    "the depth of the search, from `%eval`, else from a comment of an engine; beyond 32,767 it is that number",
)
.unit("plies")
.null(NO_ENGINE)
.example("24")
.requires(Requires::Engines);

const SELDEPTH: Column = Column::new(
    "seldepth",
    Kind::Int16,
    Source::PlayedPly(|ply, buffer| {
        buffer.int16(ply.engine().and_then(|engine| engine.comment.seldepth));
    }),
    "the selective depth of the search, from a comment of an engine; beyond 32,767 it is that number",
)
.unit("plies")
.null(NO_ENGINE)
.example("36")
.requires(Requires::Engines);

const NODES: Column = Column::new(
    "nodes",
    Kind::Int64,
    Source::PlayedPly(|ply, buffer| {
        buffer.int64(ply.engine().and_then(|engine| engine.comment.nodes));
    }),
    "the positions that were searched, from a comment of an engine",
)
.null(NO_ENGINE)
.example("1848276209")
.requires(Requires::Engines);

const TIME_MS: Column = Column::new(
    "time_ms",
    Kind::Int32,
    Source::PlayedPly(|ply, buffer| {
        buffer.int32(ply.engine().and_then(|engine| engine.comment.time));
    }),
    "the time that the ply took, from a comment of an engine; `%emt` is in `emt_ms`",
)
.unit("ms")
.null(NO_ENGINE)
.example("34888")
.requires(Requires::Engines);

const SPEED_NPS: Column = Column::new(
    "speed_nps",
    Kind::Int64,
    Source::PlayedPly(|ply, buffer| {
        buffer.int64(ply.engine().and_then(|engine| engine.comment.speed));
    }),
    "the positions searched per second, as an engine's comment has them; they are not computed",
)
.unit("1/s")
.null(NO_ENGINE)
.example("52975900")
.requires(Requires::Engines);

const TB_HITS: Column = Column::new(
    "tb_hits",
    Kind::Int64,
    Source::PlayedPly(|ply, buffer| {
        buffer.int64(ply.engine().and_then(|engine| engine.comment.tb_hits));
    }),
    "the positions that tablebases have answered, from a comment of an engine",
)
.null(NO_ENGINE)
.example("12")
.requires(Requires::Engines);

const PV: Column = Column::new(
    "pv",
    Kind::Text,
    Source::PlayedPly(|ply, buffer| buffer.text(ply.annotations.variation_of(ply.notes()))),
    "the principal variation, from a comment of an engine, as it is written, with one space between words; its first move \
     is mostly the ply itself",
)
.null(NO_ENGINE)
.example("Nf3 Nc6 Bb5")
.requires(Requires::Variations);

const COMMENT_FORM: Column = Column::new(
    "comment_form",
    Kind::Names(&FORM_NAMES),
    Source::PlayedPly(|ply, buffer| buffer.name(ply.annotations.form_of(ply.notes()))),
    "the form that was read: `eval` for the command `%eval`, else that of an engine's comment",
)
.null("no form that is known, or one of two between which nothing in the game decides")
.example("tcec")
.requires(Requires::Engines);

const EVAL_OF: Column = Column::new(
    "eval_of",
    Kind::Names(&VIEWS),
    Source::PlayedPly(|ply, buffer| {
        let notes = ply.notes();
        buffer.name(match (notes.eval, notes.eval_view) {
            (Some(_), EvalView::Mover) => Some(0),
            (Some(_), EvalView::White) => Some(1),
            _ => None,
        });
    }),
    "whose view the evaluation had where it was written: `mover`, `white`; `eval_cp` and `eval_mate` have White's in either \
     case",
)
.null("no evaluation, or 0 of an unknown view")
.example("white")
.requires(Requires::Engines);

/// Whose view an evaluation has.
const VIEWS: [&str; 2] = ["mover", "white"];

const NAGS: Column = Column::new(
    "nags",
    Kind::Int16List,
    Source::PlayedPly(|ply, buffer| {
        let nags = ply.annotations.nags_of(ply.notes()).iter().map(|&nag| Some(nag));
        buffer.int16_list(Some(nags));
    }),
    "numeric annotation glyphs of the ply: `$n`, and `!` `?` `!!` `??` `!?` `?!` as 1 to 6; one beyond 32,767 is left \
     out",
)
.example("[1]")
.requires(Requires::Nags);

const COMMENT: Column = Column::new(
    "comment",
    Kind::Text,
    Source::PlayedPly(|ply, buffer| buffer.text(ply.annotations.comment_of(ply.notes()))),
    "the comments of the ply without their commands, joined by one space",
)
.null("nothing is left of them")
.example("best by test")
.requires(Requires::Comments);

pub(super) const FEN: Column = Column::new(
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
     pockets, checks, or as the record of another board",
)
.example("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");

/// The position after the ply, as [`FEN`] has that before it: of lines of positions alone.
pub(super) const FEN_AFTER: Column = Column::new(
    "fen_after",
    Kind::Text,
    Source::Ply(|ply, buffer| {
        ply.fen.clear();
        ply.ply.write_fen_after(ply.fen);
        let texts = buffer.texts();
        texts.extend(ply.fen);
        texts.end_row(true);
    }),
    "the position after the ply",
);

/// The evaluation of the position before the ply, from the side to move: `ce` of lines of positions.
pub(super) const CE_BEFORE: Column =
    evaluation("ce", Source::PlayedPly(|ply, buffer| buffer.int16(ply.eval_of_position())))
        .requires(Requires::Engines);

/// The evaluation of the position after the ply, from the side to move.
pub(super) const CE_AFTER: Column =
    evaluation("ce", Source::PlayedPly(|ply, buffer| buffer.int16(ply.eval_of_next())))
        .requires(Requires::Commands);

/// The moves to the mate by the side to move before the ply: `dm` of lines of positions.
pub(super) const DM_BEFORE: Column =
    evaluation("dm", Source::PlayedPly(|ply, buffer| buffer.int16(ply.mate_of_position())))
        .requires(Requires::Engines);

/// The moves to the mate by the side to move after the ply.
pub(super) const DM_AFTER: Column =
    evaluation("dm", Source::PlayedPly(|ply, buffer| buffer.int16(ply.mate_of_next())))
        .requires(Requires::Commands);

const fn evaluation(name: &'static str, source: Source) -> Column {
    Column::new(name, Kind::Int16, source, "of the position, from the side to move")
}

const BOARD: Column = Column::new(
    "board",
    Kind::Bytes(BOARD_BYTES),
    Source::Ply(|ply, buffer| {
        let squares = ply.ply.position().map_or([0; BOARD_BYTES], Position::squares);
        buffer.bytes_row(&squares);
    }),
    "the pieces before the ply, a byte per square from a1, b1 to h8: 0 is empty, 1 to 6 White's pawn, knight, bishop, \
     rook, queen, king, 7 to 12 Black's; all 0 on other boards; in CSV and JSON a hexadecimal digit per square",
)
.example("42356324111111110000…")
.of_line(|facts, buffer| facts.line.extend_squares(buffer.all_bytes()));

const BOARD_NIBBLES: Column = Column::new(
    "board_nibbles",
    Kind::Bytes(NIBBLES_BYTES),
    Source::Ply(|ply, buffer| {
        let nibbles = ply.ply.position().map_or([0; NIBBLES_BYTES], Position::board_nibbles);
        buffer.bytes_row(&nibbles);
    }),
    "the same in half of the bytes: four bits per square, the first square in the high bits, Black's pieces 9 to 14",
)
.example("42356324111111110000…");

const CASTLING: Column = Column::new(
    "castling",
    Kind::Int16,
    Source::Ply(|ply, buffer| {
        buffer.int16(ply.ply.position().map(|position| position.castling_bits() as i16));
    }),
    "the castling rights before the ply as bits: 1 White's on the side of the h-file, 2 on that of the a-file, 4 and 8 \
     those of Black",
)
.null("a game on another board than that of chess")
.example("15")
.of_line(|facts, buffer| buffer.int16s(facts.line.castling_bits().map(|bits| bits as i16)));

const EN_PASSANT: Column = Column::new(
    "en_passant",
    Kind::Int16,
    Source::Ply(|ply, buffer| {
        let square = ply.ply.legal_en_passant_square();
        buffer.int16(Some(square.map_or(0, |square| 1 << square.file())));
    }),
    "the file on which a capture en passant is legal before the ply, as a bit: 1 the a-file, 128 the h-file; 0 if there \
     is none",
)
.example("0")
.of_line(|facts, buffer| {
    let squares = (0..facts.line.plies()).map(|ply| facts.line.legal_en_passant_square(ply));
    buffer.int16s(squares.map(|square| square.map_or(0, |square| 1 << square.file())));
});

const MOVE_CODE: Column = Column::new(
    "move_code",
    Kind::Int16,
    Source::Ply(|ply, buffer| buffer.int16(ply.ply.move_code().map(u16::cast_signed))),
    "the move as a number, never negative: origin + 64 × target + 4,096 × promotion. Squares are those of UCI from a1, b1 \
     (0, 1) to h8 (63): castling is the king's move of two squares, in Chess960 the king takes its rook. A pawn becomes \
     nothing (0), a knight (1), bishop, rook, queen (4) or king (5)",
)
.null("a drop, or a game on another board than that of chess")
.example("1804")
.of_line(|facts, buffer| buffer.int16s(facts.line.move_codes().map(u16::cast_signed)));

const MOVER: Column = Column::new(
    "mover",
    Kind::Names(&SIDES),
    Source::Ply(|ply, buffer| buffer.name(Some(ply.ply.color().index()))),
    "the side that moves: `white`, `black`",
)
.example("white")
.of_line(|facts, buffer| buffer.names(facts.line.sides().map(|side| side.index() as u8)));

const OUTCOME: Column = Column::new(
    "outcome",
    Kind::Int16,
    Source::BySide(|players| players.outcomes),
    "the result of the game for the player who moves: 1 a win, 0 a draw, -1 a loss, so that `avg(outcome) / 2 + 0.5` is a \
     score; as `outcome` of the table `games` it is that of the token that ends the movetext",
)
.null("the result is `*`")
.example("1");

const MOVER_RATING: Column = Column::new(
    "mover_rating",
    Kind::Int16,
    Source::BySide(|players| players.ratings),
    "`WhiteElo` or `BlackElo`: the rating of the player who moves",
)
.unit("points")
.null("absent, `?`, not a number, or beyond 16 bits")
.example("2847");

const OPPONENT_RATING: Column = Column::new(
    "opponent_rating",
    Kind::Int16,
    Source::BySide(|players| [players.ratings[1], players.ratings[0]]),
    "the rating of the other player",
)
.unit("points")
.null("absent, `?`, not a number, or beyond 16 bits")
.example("2822");

const SPENT_MS: Column = Column::new(
    "spent_ms",
    Kind::Int32,
    Source::PlayedPly(|ply, buffer| buffer.int32(ply.spent())),
    "the time that the ply took: chess.com's `%timestamp`; else `%emt`; else the clock of the player after the ply two \
     plies earlier, and the increment, less the clock after the ply. The increment is that of `TimeControl`; a player of \
     Lichess whose first clock is half of the time (berserk) has none",
)
.unit("ms")
.null(
    "without `%timestamp` and `%emt`: the first ply of a player, a clock that is missing or gained more than the \
     increment, a time control without one increment for all periods",
)
.example("3500")
.requires(Requires::Commands);

const PHASE: Column = Column::new(
    "phase",
    Kind::Names(&PHASES),
    Source::Ply(|ply, buffer| buffer.name(ply.ply.position().map(Position::phase))),
    "`opening`, `middlegame`, `endgame`: of the position before the ply, as `measure --by phase` groups",
)
.null("a game on another board than that of chess")
.example("opening");

const MOVER_EVAL_CP: Column = Column::new(
    "mover_eval_cp",
    Kind::Int16,
    Source::PlayedPly(|ply, buffer| buffer.int16(ply.eval())),
    "`eval_cp` from the side of the player who moves",
)
.unit("hundredths of a pawn")
.null("no evaluation, or a mate")
.example("17")
.requires(Requires::Engines);

const MOVER_EVAL_BEFORE_CP: Column = Column::new(
    "mover_eval_before_cp",
    Kind::Int16,
    Source::PlayedPly(|ply, buffer| buffer.int16(ply.eval_before())),
    "the evaluation before the ply, which is that after the ply before it, from the side of the player who moves: its \
     difference to `mover_eval_cp` is what the move lost",
)
.unit("hundredths of a pawn")
.null("the first ply, no evaluation of the ply before, or a mate")
.example("-17")
.requires(Requires::Engines);

const MATERIAL_BALANCE: Column = Column::new(
    "material_balance",
    Kind::Int16,
    Source::Ply(|ply, buffer| {
        let mover = ply.ply.color();
        let points = |color| ply.ply.position().map(|position| position.points(color) as i16);
        buffer.int16(points(mover).zip(points(mover.other())).map(|(own, other)| own - other));
    }),
    "the points of the mover's pieces on the board before the ply less those of the other side: pawn 1, knight and bishop \
     3, rook 5, queen 9",
)
.unit("pawns")
.null("a game on another board than that of chess")
.example("0");

const MATERIAL: Column = Column::new(
    "material",
    Kind::Text,
    Source::Ply(|ply, buffer| {
        let texts = buffer.texts();
        let position = ply.ply.position();
        position.into_iter().for_each(|position| position.write_material(&mut texts.bytes));
        texts.end_row(position.is_some());
    }),
    "the pieces on the board before the ply, such as `KRPkr`: in the order KQRBNP, White in capital letters, as \
     `final_material` of `--where`",
)
.null("a game on another board than that of chess")
.example("KQRRBBNNPPPPPPPPkqrrbbnnpppppppp");

const GAME_INDEX: Column = Column::new(
    "game_index",
    Kind::Int64,
    Source::GameIndex,
    "the index of the game, from 0, among the games of the file, those without a row included: the row of the game in the \
     table `games` that the same command writes",
)
.example("0");

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
.null("a piece that chess does not have, such as a paladin")
.example("knight");

const CAPTURED: Column = Column::new(
    "captured",
    Kind::Names(&ROLES),
    Source::Ply(|ply, buffer| {
        buffer.name(ply.ply.captured_role().map(|role| role.index()));
    }),
    "the piece that is captured",
)
.null("no capture, or a piece that chess does not have")
.example("pawn");

const PROMOTION: Column = Column::new(
    "promotion",
    Kind::Names(&ROLES),
    Source::Ply(|ply, buffer| buffer.name(ply.ply.promoted().map(|role| role.index()))),
    "the piece that a pawn becomes",
)
.null("no promotion, or to a piece that chess does not have")
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
