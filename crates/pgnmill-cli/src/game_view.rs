//! The output of `pgnmill explain`: a game with one span underlined, the diagram there, and the fault.
//!
//! In: a [`GameView`]. Out: text. Invariant: it fits its columns and contains no control characters, for any archive.
//! Cost: the length of the game.

use std::fmt::Write as _;
use std::ops::Range;

use pgnmill_core::chess::Color;
use pgnmill_core::chess::rules::{AnyPosition, RulesKind};
use pgnmill_core::notation::{MoveText, Notation};
use pgnmill_core::pgn::deviation::{Class, Deviation, Profile};
use pgnmill_core::replay::{GameFault, Verdict};

use super::{board_view, near_moves};
use pgnmill_run::text::terminal::{clean, clip, lines_around, wrap};

/// Lines of tag pairs that are shown, at most.
const TAG_LINES_MAX: usize = 24;

/// The underlined span and the position there.
#[derive(Default)]
pub(super) struct Focus {
    /// The underlined span of the game's text.
    pub(super) text: Option<Range<usize>>,
    /// The ply that is played there.
    pub(super) ply: u32,
    /// The position before it.
    pub(super) position: Option<AnyPosition>,
    /// The text of the move that was played, in the usual notation of the rules.
    pub(super) played: Option<MoveText>,
    /// Its depth in variations.
    pub(super) depth: usize,
    /// Is it the fault?
    pub(super) is_fault: bool,
}

/// The contents of the page.
pub(super) struct GameView<'e> {
    pub(super) archive: &'e str,
    pub(super) offset: u64,
    pub(super) number: Option<u64>,
    pub(super) text: &'e [u8],
    /// Offset of the end of the tag pairs.
    pub(super) tags: usize,
    pub(super) verdict: Verdict,
    pub(super) fault: Option<&'e GameFault>,
    pub(super) notation: &'static dyn Notation,
    pub(super) deviations: &'e [(Deviation, u64)],
    pub(super) profile: &'e Profile,
    pub(super) focus: &'e Focus,
    pub(super) figurines: bool,
    /// The width of the page.
    pub(super) columns: usize,
    /// Of a line of a file of positions: its opcodes, and the operands of each in words.
    pub(super) operations: Option<&'e [(String, String)]>,
}

/// The whole page.
pub(super) fn show(view: &GameView<'_>) -> String {
    let mut page = String::new();
    heading(view, &mut page);
    let tags_end = view.tags.min(view.text.len());
    let underlined = view.focus.text.clone();
    // A span in the tag pairs is underlined there.
    let in_tags = underlined.as_ref().is_some_and(|span| span.start < tags_end);
    if !in_tags {
        tag_pairs(&view.text[..tags_end], view.columns, &mut page);
    }
    let shown = if in_tags { 0 } else { tags_end }..view.text.len();
    page.push_str(&lines_around(view.text, shown, underlined, view.columns));
    page.push('\n');
    diagram(view, &mut page);
    explanation(view, &mut page);
    page
}

/// Adds the tag pairs, line by line, as in the archive.
fn tag_pairs(text: &[u8], columns: usize, page: &mut String) {
    let lines: Vec<&[u8]> = text
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .filter(|line| line.iter().any(|&byte| byte > b' '))
        .collect();
    for line in lines.iter().take(TAG_LINES_MAX) {
        let _ = writeln!(page, "{}", clip(&clean(line), columns));
    }
    if lines.len() > TAG_LINES_MAX {
        let _ = writeln!(page, "... {} more lines", lines.len() - TAG_LINES_MAX);
    }
    page.push('\n');
}

/// The page for a byte that belongs to no game.
pub(super) fn show_between(
    archive: &str,
    at: u64,
    text: &[u8],
    inside: usize,
    columns: usize,
) -> String {
    between(
        &format!("{}: byte {at} belongs to no game", clean(archive.as_bytes())),
        text,
        inside,
        columns,
    )
}

/// The page for a byte of a blank line or a comment in a file of positions.
pub(super) fn show_between_lines(
    archive: &str,
    at: u64,
    text: &[u8],
    inside: usize,
    columns: usize,
) -> String {
    between(
        &format!("{}: byte {at} belongs to no position", clean(archive.as_bytes())),
        text,
        inside,
        columns,
    )
}

fn between(words: &str, text: &[u8], inside: usize, columns: usize) -> String {
    let mut page = String::new();
    wrap(&mut page, columns, "", words);
    page.push('\n');
    page.push_str(&lines_around(text, 0..text.len(), Some(inside..inside + 1), columns));
    page
}

fn heading(view: &GameView<'_>, page: &mut String) {
    let archive = clean(view.archive.as_bytes());
    let number = view.number.map_or_else(String::new, |number| format!(" {number}"));
    let (begin, end) = (view.offset, view.offset + view.text.len() as u64);
    let verdict = match (view.verdict, view.fault) {
        (Verdict::Accepted, _) => "accepted".to_string(),
        (Verdict::Repaired, _) => "repaired".to_string(),
        (Verdict::Rejected, fault) => {
            let (name, at) = fault
                .map_or(("", begin), |fault| (fault.kind.name(), begin + fault.text.start as u64));
            format!("rejected at byte {at}, {name}")
        }
    };
    let what = if view.operations.is_some() { "position" } else { "game" };
    let words = format!("{archive}: {what}{number} at bytes {begin} to {end}, {verdict}");
    wrap(page, view.columns, "", &words);
    page.push('\n');
}

fn diagram(view: &GameView<'_>, page: &mut String) {
    let focus = view.focus;
    let Some(position) = &focus.position else { return };
    let side = if position.turn() == Color::White { "White" } else { "Black" };
    let dots = if position.turn() == Color::White { "." } else { "..." };
    let mut words = match (focus.ply, view.operations) {
        (0, None) => "Before the first move".to_string(),
        (ply, None) => format!("Ply {ply}"),
        (0 | 1, Some(_)) => "The position".to_string(),
        (ply, Some(_)) => format!("Before move {ply} of the operation"),
    };
    if focus.depth > 0 {
        let _ = write!(words, " in a variation");
    }
    let _ = write!(words, ", move {}{dots} {side} to move", position.fullmove_number());
    if position.rules() != RulesKind::Chess {
        let _ = write!(words, ", {}", position.rules().title());
    }
    if let Some(played) = &focus.played {
        let _ = write!(words, " and plays {played}");
    }
    wrap(page, view.columns, "", &words);
    page.push('\n');
    board_view::draw(position, view.figurines, page);
    wrap(page, view.columns, "FEN   ", &position.to_fen());
    for (opcode, operands) in view.operations.into_iter().flatten() {
        wrap(page, view.columns, &format!("{opcode:<5} "), operands);
    }
}

/// Why the game is rejected. A comment before the fault that may have swallowed moves is named by its offset, by
/// which this command names everything.
pub(super) fn reason(view: &GameView<'_>, fault: &GameFault) -> String {
    let detail = &fault.detail;
    match fault.comment {
        None => detail.clone(),
        Some(at) => {
            let at = view.offset + at as u64;
            format!("{detail}; the comment that begins at byte {at} holds another `{{`")
        }
    }
}

/// Adds the fault, its reason, similar legal moves and advice; and the other deviations of the game.
fn explanation(view: &GameView<'_>, page: &mut String) {
    if let Some(fault) = view.fault {
        wrap(
            page,
            view.columns,
            "fault ",
            &format!("{}: {}", fault.kind.name(), fault.kind.rule().source),
        );
        wrap(page, view.columns, "why   ", &clean(reason(view, fault).as_bytes()));
        if !view.focus.is_fault {
            wrap(
                page,
                view.columns,
                "      ",
                "The fault is further on; up to there all moves are legal.",
            );
        }
        if let Some(position) = view.focus.position.filter(|_| view.focus.is_fault) {
            let token = &view.text[fault.text.clone()];
            if let Some(near) = near_moves::of(view.notation, fault.kind, token, &position) {
                wrap(page, view.columns, "near  ", &near_moves::shown(&near));
            }
        }
        wrap(page, view.columns, "do    ", &advice_of(view, fault.kind));
    }
    let others = view
        .deviations
        .iter()
        .filter(|(kind, _)| view.profile.class(*kind) != Class::Fault && !kind.is_of_archive());
    let others: Vec<String> = others
        .map(|(kind, times)| {
            let class = view.profile.class(*kind).name();
            let times = if *times > 1 { format!(" {times} times") } else { String::new() };
            format!("{}{times} ({class})", kind.name())
        })
        .collect();
    if !others.is_empty() {
        wrap(page, view.columns, "also  ", &others.join(", "));
    } else if view.fault.is_none() {
        let what = if view.operations.is_some() { "line" } else { "game" };
        wrap(page, view.columns, "also  ", &format!("nothing: the {what} is canonical"));
    }
}

/// Advice on a fault, of a game or of a line.
pub(super) fn advice_of(view: &GameView<'_>, kind: Deviation) -> String {
    let is_last = |span: &Range<usize>| span.end >= view.text.trim_ascii_end().len();
    let fault = view.focus.text.clone().and_then(|span| view.text.get(span));
    let is_chess = view.focus.position.is_some_and(|position| position.rules() == RulesKind::Chess);
    match view.operations {
        None if kind == Deviation::MoveUnreadable && is_chess && fault.is_some_and(is_drop) => {
            let drop = "A drop is a move of Crazyhouse: give the game [Variant \"Crazyhouse\"], or the run --rules crazyhouse.";
            format!("{drop} {}", UNTIL.trim_start())
        }
        None if kind == Deviation::MoveUnreadable
            && view.focus.text.as_ref().is_some_and(is_last) =>
        {
            let cut = "The text ends with this word, without a result: if the archive is cut short, get it whole.";
            format!("{cut} {}", advice(kind))
        }
        None => advice(kind),
        Some(_) => advice(kind).replace("keeps the game apart", "keeps the line apart"),
    }
}

/// Is it a drop, such as `N@f3` or `@d4`?
fn is_drop(text: &[u8]) -> bool {
    let placed = match text {
        [b'P' | b'N' | b'B' | b'R' | b'Q', rest @ ..] => rest,
        _ => text,
    };
    matches!(placed, [b'@', b'a'..=b'h', b'1'..=b'8', ..])
}

const UNTIL: &str = " Until then --rejects FILE keeps the game apart, --keep-rejects in its place.";

/// Advice on a fault of a game.
fn advice(kind: Deviation) -> String {
    use Deviation::*;
    let first = match kind {
        MoveIllegal | MovesAfterEnd => {
            "Compare with another source: this move or one before it is not what was played."
        }
        MoveAmbiguous => "Add the file or the rank of the piece that is meant.",
        MoveUnreadable | PieceLetterForeign | PieceFigurine => {
            "Correct the word; if the game is in another notation, name it with --from."
        }
        PromotionPieceMissing => "Add the piece, as in e8=Q.",
        PromotionNotAPromotion => "Take the promotion away, or correct the move.",
        VariationUnclosed | VariationUnopened | VariationMisplaced => "Set the bracket right.",
        CommentUnclosed => "Close the comment with a brace.",
        SetupWithoutFen => "Add the FEN tag pair, or take SetUp away.",
        VariantUnknown => "Leave the game out: its rules are not known here.",
        MoveNotExpressible | NotationNotForBoard => "Write the game in another notation.",
        NotationUnknown => "Correct the MoveNotation tag pair, or name a notation with --from.",
        EpdFieldsMissing => "Write four fields and operations, or the six fields of FEN.",
        GameTooLong | LineTooLong | TagTooLong | VariationTooDeep => {
            "Shorten it: this is a limit of pgnmill."
        }
        _ => "Correct the text.",
    };
    let mut words = first.to_string();
    if kind.rule().allowable {
        let _ = write!(words, " --allow {} lets it pass.", kind.name());
    }
    words.push_str(UNTIL);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_run::text::terminal::COLUMNS;

    #[test]
    fn every_piece_of_advice_fits_its_columns() {
        for &kind in Deviation::ALL {
            let mut page = String::new();
            wrap(&mut page, COLUMNS, "do    ", &advice(kind));
            assert!(page.lines().all(|line| line.chars().count() <= COLUMNS), "{page}");
        }
    }
}
