//! The Lichess variants, Chess 99 and the boards that are given by a table in the general movetext loop.
//!
//! In: games whose ruleset is not chess. Out: plies for the method `other_ply` of visitors. There is no fast path;
//! canonical SAN of a variant is read from the attackers of the target square, as in chess.

use crate::chess::rules::{
    AnyPosition, AnyVariant, Chess99, GameEnd, Play99, Position99, Rules, TableMove, TablePosition,
    TableRules, VariantPosition,
};
use crate::chess::{Color, Move, Position};
use crate::notation::{
    Check, CheckSuffix, Lineage, MoveText, Notation, Ply99, Reading, TablePly, VariantPly, san,
};
use crate::pgn::deviation::Deviation;

use super::moves::{FastPath, GameRuleset};
use super::obstacle::side;
use super::ruleset::Ruleset;
use super::visitor::{GameVisitor, MovetextVisitor};

impl Ruleset for AnyVariant {
    type Lineage = Lineage;
    type Ply<'a> = VariantPly<'a>;

    const NO_LINEAGE: Lineage = Lineage::initial();

    /// A game that begins as its ruleset says, if that is the array of chess.
    fn lineage_of(position: &VariantPosition) -> Option<Lineage> {
        let (board, chess) = (position.board(), Position::initial());
        let initial = position.kind().initial(false);
        let is_initial = board.castling_rooks() == initial.board().castling_rooks()
            && position.has_initial_extras();
        let mut as_chess = *board;
        as_chess.set_castling_rooks(chess.castling_rooks());
        Lineage::of(&as_chess).filter(|_| is_initial)
    }

    fn any_position(position: &VariantPosition) -> Option<AnyPosition> {
        Some(AnyPosition::Variant(*position))
    }

    fn lineage_after(lineage: &Lineage, mv: Move) -> Lineage {
        lineage.after(mv)
    }

    fn ply<'a>(
        before: &'a VariantPosition,
        mv: Move,
        after: &'a VariantPosition,
        check: Check,
        lineage: Option<&'a Lineage>,
    ) -> VariantPly<'a> {
        VariantPly::new(before, mv, after, check).with_lineage(lineage)
    }

    fn read(
        notation: &dyn Notation,
        text: &[u8],
        position: &VariantPosition,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        notation.read_variant(text, position, lineage)
    }

    fn encode(notation: &dyn Notation, ply: &VariantPly<'_>, text: &mut MoveText) {
        // A text that was read in a notation can be written in it.
        let written = notation.encode_variant(ply, text);
        debug_assert!(written.is_ok());
    }

    fn refusal(
        kind: Deviation,
        token: &str,
        _: &dyn Notation,
        position: &VariantPosition,
    ) -> String {
        refused(kind, token, Self::end(position), position.turn())
    }

    fn is_en_passant(before: &VariantPosition, after: &VariantPosition) -> bool {
        let captured = before.board().them() ^ after.board().us();
        let en_passant = before.board().en_passant_square();
        captured.has_any() && en_passant.is_some_and(|square| after.board().them().has(square))
    }
}

/// The history of a game that begins in this position.
pub(crate) fn lineage_of(position: &VariantPosition) -> Option<Lineage> {
    AnyVariant::lineage_of(position)
}

/// The position after a null move.
pub(crate) fn after_null(position: &VariantPosition) -> VariantPosition {
    // A null move that the rules forbid is no move of a game.
    AnyVariant::pass(position).unwrap_or(*position)
}

/// The canonical text of a legal move.
///
/// # Errors
/// The notation has no text for it, or requires a history that the game does not have.
pub(crate) fn write(
    notation: &dyn Notation,
    before: &VariantPosition,
    mv: Move,
    lineage: Option<&Lineage>,
) -> Result<MoveText, Deviation> {
    let after = before.play(mv);
    let ply = AnyVariant::ply(before, mv, &after, AnyVariant::check(&after), lineage);
    let mut text = MoveText::default();
    notation.encode_variant(&ply, &mut text).map(|()| text)
}

/// Why a token is no move, in general words.
fn refused(kind: Deviation, token: &str, end: Option<GameEnd>, turn: Color) -> String {
    match kind {
        Deviation::MovesAfterEnd => match end {
            Some(GameEnd::Win(winner)) => {
                format!("{token} comes after the end of the game: {} has won", side(winner))
            }
            Some(GameEnd::Unscored) => {
                format!("{token} comes after the end of the game: {} has no move", side(turn))
            }
            _ => format!("{token} comes after the end of the game, which is drawn"),
        },
        Deviation::MoveAmbiguous => format!("{token} fits several legal moves of {}", side(turn)),
        Deviation::MoveIllegal => format!("{token} fits no legal move of {}", side(turn)),
        Deviation::PromotionPieceMissing => {
            format!("{token} does not name the piece that the pawn becomes")
        }
        Deviation::PromotionNotAPromotion => format!("{token} promotes what cannot be promoted"),
        Deviation::NotationNotForBoard => {
            format!("{token} cannot be read: the notation has no texts for this board")
        }
        _ => format!("{token} cannot be read as a move"),
    }
}

impl FastPath for AnyVariant {
    fn has_fast_path(notation: &dyn Notation) -> bool {
        notation.is_san()
    }

    fn read_canonical(token: &[u8], position: &VariantPosition) -> Option<(Move, CheckSuffix)> {
        san::read_canonical(token, position)
    }
}

impl Ruleset for Chess99 {
    type Lineage = ();
    type Ply<'a> = Ply99<'a>;

    const NO_LINEAGE: () = ();

    fn any_position(position: &Position99) -> Option<AnyPosition> {
        Some(AnyPosition::Chess99(*position))
    }

    fn lineage_after((): &(), _: Play99) {}

    fn ply<'a>(
        before: &'a Position99,
        play: Play99,
        after: &'a Position99,
        _: Check,
        _: Option<&'a ()>,
    ) -> Ply99<'a> {
        Ply99::new(before, play, after)
    }

    fn read(
        notation: &dyn Notation,
        text: &[u8],
        position: &Position99,
        _: Option<&()>,
    ) -> Result<Reading<Play99>, Deviation> {
        notation.read_99(text, position)
    }

    fn encode(notation: &dyn Notation, ply: &Ply99<'_>, text: &mut MoveText) {
        let written = notation.encode_99(ply, text);
        debug_assert!(written.is_ok());
    }

    fn refusal(kind: Deviation, token: &str, _: &dyn Notation, position: &Position99) -> String {
        refused(kind, token, Self::end(position), position.turn())
    }

    /// `!` and `+` belong to a play, and so does a bracket that is attached to it; a resignation does not.
    fn token_end(text: &[u8], start: usize, mut end: usize) -> usize {
        if end > start + 1 && text[end - 1] == b'#' {
            return end - 1;
        }
        let rest = &text[end..];
        let is_bracketed = |len: usize| match rest.get(..len) {
            Some([b'(', inner @ .., b')']) => inner.iter().all(|byte| b"KQPRBN*".contains(byte)),
            _ => false,
        };
        if let Some(len) = [3, 4].into_iter().find(|&len| is_bracketed(len)) {
            end += len;
        }
        for suffix in [b'!', b'+'] {
            if text.get(end) == Some(&suffix) && text[end - 1] != suffix {
                end += 1;
            }
        }
        end
    }

    const RESULTS_MAY_STICK: bool = false;

    fn resigned(token: &[u8], position: &Position99) -> Option<Position99> {
        (token == b"#").then(|| position.resign())
    }

    const EITHER_SIDE_BEGINS: bool = true;

    fn with_black_first(position: &Position99) -> Option<Position99> {
        position.with_black_first()
    }

    /// The suffixes of its notations are read as parts of the texts.
    fn check(_: &Position99) -> Check {
        Check::None
    }
}

impl FastPath for Chess99 {}

impl Ruleset for TableRules {
    type Lineage = ();
    type Ply<'a> = TablePly<'a>;

    const NO_LINEAGE: () = ();

    fn any_position(position: &TablePosition) -> Option<AnyPosition> {
        Some(AnyPosition::Table(*position))
    }

    fn lineage_after((): &(), _: TableMove) {}

    fn ply<'a>(
        before: &'a TablePosition,
        mv: TableMove,
        after: &'a TablePosition,
        check: Check,
        _: Option<&'a ()>,
    ) -> TablePly<'a> {
        TablePly::new(before, mv, after, check)
    }

    fn read(
        notation: &dyn Notation,
        text: &[u8],
        position: &TablePosition,
        _: Option<&()>,
    ) -> Result<Reading<TableMove>, Deviation> {
        notation.read_table(text, position)
    }

    fn encode(notation: &dyn Notation, ply: &TablePly<'_>, text: &mut MoveText) {
        let written = notation.encode_table(ply, text);
        debug_assert!(written.is_ok());
    }

    fn refusal(kind: Deviation, token: &str, _: &dyn Notation, position: &TablePosition) -> String {
        refused(kind, token, Self::end(position), position.turn())
    }

    const HAS_LANGUAGES: bool = false;

    fn check(after: &TablePosition) -> Check {
        match Self::in_check(after) {
            false => Check::None,
            true if after.has_legal_move() => Check::Check,
            true => Check::Mate,
        }
    }

    fn is_en_passant(before: &TablePosition, after: &TablePosition) -> bool {
        let vacated = before.passer().zip(before.passed());
        vacated.is_some_and(|(passer, passed)| {
            after.is_vacant(passer) && before.is_vacant(passed) && !after.is_vacant(passed)
        })
    }
}

impl FastPath for TableRules {}

impl GameRuleset for TableRules {
    fn movetext_visitor(visitor: &mut dyn GameVisitor) -> &mut dyn MovetextVisitor<Self> {
        visitor
    }
}

impl GameRuleset for AnyVariant {
    fn movetext_visitor(visitor: &mut dyn GameVisitor) -> &mut dyn MovetextVisitor<Self> {
        visitor
    }
}

impl GameRuleset for Chess99 {
    fn movetext_visitor(visitor: &mut dyn GameVisitor) -> &mut dyn MovetextVisitor<Self> {
        visitor
    }
}
