//! Games in the letters of another language, in figurines, or in digits, without a tag pair that names the notation.
//!
//! In: the movetext of a game that has a fault in SAN. Out: the notation that reads all of it. A game is tried only if
//! English fails as a text: if a token of its main line begins with a character that is no English piece letter, nor
//! `P` (a pawn in English, a knight in Dutch), or with `Kt`. A move that is illegal in English is none for another
//! language.
//!
//! The sets of letters are tried that contain all characters its tokens begin with, each set once, however many
//! languages share it. A set that reads the game in its own letters is preferred to one that needs variant spellings
//! or pawn letters (`Sf3` is a knight in German and Polish, and could be a pawn in Finnish). If the best sets read
//! different moves, or none reads all, the game keeps its fault, which names them, or the set that came furthest. A
//! game whose main line has four or five digits, 1 to 8, in the place of a move is read in the notation of digits
//! alone if it fits. Cost: one pass over the tokens, and one replay per set that contains all characters; only for
//! such games. Which sets these are is kept for the next game with the same characters ([`Candidates`]); a set is not
//! tried that reads canonical texts as one before it that has read all of the game so. Neither changes an answer, so
//! that nothing depends on which games one replayer reads.

use std::ops::Range;

use crate::chess::Move;
use crate::chess::rules::{AnyVariant, Chess99, Standard, TableRules};
use crate::notation::{Localized, NOTATIONS, Notation, Ply, Ply99, TablePly, VariantPly};
use crate::pgn::deviation::{Class, Deviation};
use crate::pgn::{Digits, TagPair, TokenKind, Tokens};

use super::counts::Counts;
use super::initials::{is_two_squares, piece_character};
use super::line::{Line, LineStack};
use super::moves::FastPath;
use super::visitor::MovetextVisitor;
use super::{GameFault, ReplayVisitor, Replayer, State};

/// A visitor that only distinguishes games with different moves.
#[derive(Default, PartialEq)]
pub(super) struct Moves {
    /// Each move with the depth of its variation.
    list: Vec<(Move, usize)>,
}

impl ReplayVisitor for Moves {
    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.list.push((ply.mv(), depth));
    }
}

impl MovetextVisitor<Standard> for Moves {
    fn play(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &Ply<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.ply(text, span, ply, depth);
        Ok(())
    }

    fn fast_path_in(
        &mut self,
        notation: &dyn Notation,
        replayer: &mut Replayer<'_>,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        depth: usize,
    ) -> usize {
        replayer.fast_movetext_in(notation, line, text, at, depth, self)
    }
}

impl MovetextVisitor<AnyVariant> for Moves {
    fn play(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &VariantPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.list.push((ply.mv(), depth));
        Ok(())
    }
}

/// No letters are foreign in its notations.
impl MovetextVisitor<Chess99> for Moves {
    fn play(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        _: &Ply99<'_>,
        _: usize,
    ) -> Result<(), Deviation> {
        Ok(())
    }
}

/// Its notations have no letters of other languages.
impl MovetextVisitor<TableRules> for Moves {
    fn play(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        _: &TablePly<'_>,
        _: usize,
    ) -> Result<(), Deviation> {
        Ok(())
    }
}

/// The characters that the piece moves of a game's main line begin with, each once.
#[derive(Debug, Default)]
struct Initials<'t> {
    found: [&'t [u8]; Initials::COUNT_MAX],
    count: usize,
    /// One of them is no English letter of a piece or a pawn.
    foreign: bool,
    /// There are more than any set of letters holds.
    too_many: bool,
    /// A token is digits that can be two squares.
    digits: bool,
}

impl<'t> Initials<'t> {
    /// Figurines of both colours are twelve, and some languages read as many more.
    const COUNT_MAX: usize = 32;

    /// Those of the tokens of `text` outside variations.
    fn of(text: &'t [u8], movetext: Range<usize>) -> Initials<'t> {
        let mut initials = Initials::default();
        let mut depth = 0usize;
        let text = &text[..movetext.end];
        let mut tokens = Tokens::new(text, movetext.start, Digits::Never);
        while let Some(token) = tokens.next() {
            match token.kind {
                TokenKind::Tag => {
                    if let Some(pair) = TagPair::read(text, token.start) {
                        tokens.go_to(pair.end);
                    }
                }
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::Move if depth == 0 => initials.add(&text[token.start..token.end]),
                TokenKind::Number if depth == 0 => {
                    initials.digits |= is_two_squares(&text[token.start..token.end]);
                }
                _ => {}
            }
        }
        initials
    }

    fn add(&mut self, token: &'t [u8]) {
        let Some(character) = piece_character(token) else { return };
        self.foreign |= !matches!(character, b"K" | b"Q" | b"R" | b"B" | b"N" | b"P");
        self.foreign |= token.starts_with(b"Kt");
        if self.found[..self.count].contains(&character) {
            return;
        }
        match self.found.get_mut(self.count) {
            Some(free) => *free = character,
            None => {
                self.too_many = true;
                return;
            }
        }
        self.count += 1;
    }

    /// Does a set of letters contain all of them?
    fn are_of(&self, letters: &Localized) -> bool {
        self.foreign
            && !self.too_many
            && self.found[..self.count].iter().all(|character| letters.has_letter_with(character))
    }
}

/// The notations to try for a game, and for which initials they are: those of the game before, mostly.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// The initials in ascending order, each before a zero; with bits for letters and digits.
    key: Vec<u8>,
    notations: Vec<&'static dyn Notation>,
}

impl Candidates {
    /// Finds the notations for these initials, in the order of the registry.
    fn find(&mut self, initials: &Initials<'_>) {
        let mut found = initials.found;
        let found = &mut found[..initials.count];
        found.sort_unstable();
        let bits =
            [u8::from(initials.foreign), u8::from(initials.too_many), u8::from(initials.digits)];
        let key = || found.iter().flat_map(|initial| initial.iter().chain(&[0])).chain(&bits);
        if key().eq(&self.key) {
            return;
        }
        self.key.clear();
        self.key.extend(key());
        self.notations.clear();
        for (index, &notation) in NOTATIONS.iter().enumerate() {
            let digits = initials.digits && notation.info().digits == Digits::Only;
            let letters = notation.localized().filter(|letters| initials.are_of(letters));
            let mut before = NOTATIONS[..index].iter().filter_map(|notation| notation.localized());
            let is_new = letters.is_some_and(|own| !before.any(|other| other.reads_like(own)));
            if is_new || digits {
                self.notations.push(notation);
            }
        }
    }
}

/// A notation that reads all of the game.
struct Fit {
    notation: &'static dyn Notation,
    moves: Moves,
    /// In its own letters, pawns without any.
    own: bool,
}

/// The results of all sets of letters that were tried.
#[derive(Default)]
struct Tried {
    /// The best reading of all of the game; the first of equals.
    best: Option<Fit>,
    /// An equally good one that reads other moves.
    rival: Option<&'static dyn Notation>,
    /// The notation that came furthest of those that did not read all of it, and its fault.
    furthest: Option<(&'static dyn Notation, GameFault)>,
}

impl Tried {
    fn add(&mut self, fit: Fit) {
        match &self.best {
            Some(best) if best.own && !fit.own => {}
            Some(best) if best.own == fit.own => {
                if best.moves != fit.moves {
                    self.rival = Some(fit.notation);
                }
            }
            _ => (self.best, self.rival) = (Some(fit), None),
        }
    }

    fn add_fault(&mut self, notation: &'static dyn Notation, fault: GameFault) {
        if self.furthest.as_ref().is_none_or(|(_, other)| other.ply < fault.ply) {
            self.furthest = Some((notation, fault));
        }
    }

    /// Adds these results to SAN's fault.
    fn explain(&self, fault: &mut GameFault) {
        match (&self.best, self.rival, &self.furthest) {
            (Some(best), Some(rival), _) => {
                let (one, other) = (pieces(best.notation), pieces(rival));
                let why = "all of the game is legal, but they are not the same moves";
                fault.detail += &format!("; with {one} or {other} for king to knight {why}");
            }
            (None, _, Some((notation, further))) if further.ply > fault.ply => {
                let GameFault { ply, detail, .. } = further;
                let how = match notation.san_letters() {
                    Some(_) => format!("with {} for king to knight", pieces(*notation)),
                    None => format!("as {}", notation.info().title),
                };
                fault.detail += &format!("; {how} it goes on to ply {ply}: {detail}");
            }
            _ => {}
        }
    }
}

/// The letters of king, queen, rook, bishop and knight.
fn pieces(notation: &dyn Notation) -> String {
    let letters = notation.san_letters().unwrap_or(&[""; 6]);
    let [_, pieces @ ..] = letters;
    pieces.iter().rev().copied().collect::<Vec<_>>().join(" ")
}

impl Replayer<'_> {
    /// The notation that reads a game which SAN does not read, and the deviation that this is. `movetext`: what SAN has
    /// read. If there is one, the state is afterwards that before the movetext, in which
    /// the game was or was not `repaired`; if there is none, the state is unchanged.
    #[cold]
    pub(super) fn foreign<R: FastPath>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        movetext: Range<usize>,
        start: (&R::Position, Option<&R::Lineage>),
        repaired: bool,
    ) -> Option<(&'static dyn Notation, Deviation)>
    where
        Moves: MovetextVisitor<R>,
    {
        let fault_kind = self.state.fault.as_ref().map(|fault| fault.kind)?;
        if !is_of_token(fault_kind) {
            return None;
        }
        let allows = |kind| self.profile.class(kind) != Class::Fault;
        let mut initials = Initials::of(text, movetext.clone());
        initials.foreign &=
            allows(Deviation::PieceLetterForeign) || allows(Deviation::PieceFigurine);
        initials.digits &= allows(Deviation::NotationUndeclared);
        if (!initials.foreign || initials.too_many) && !initials.digits {
            return None;
        }
        let read = std::mem::take(&mut self.state);
        let counts = std::mem::take(&mut self.counts);
        let (line, san) = (lines.line, lines.notation);
        let tried = self.try_all(lines, &text[..movetext.end], movetext.start, start, &initials);
        // SAN with pawn letters is preferred to other letters that read no better.
        let best = tried.best.as_ref();
        let unread = fault_kind != Deviation::PawnLetter;
        let only = best.filter(|fit| tried.rival.is_none() && (fit.own || unread));
        let only = only.filter(|fit| allows(fit.notation.undeclared()));
        let Some(&Fit { notation, .. }) = only else {
            // After a fault the outer lines are not used.
            lines.restart(line, san);
            (self.state, self.counts) = (read, counts);
            self.state.fault.iter_mut().for_each(|fault| tried.explain(fault));
            return None;
        };
        // The counts of SAN are void: the game is read once more to find them.
        self.muted(lines, text, movetext.start, start, san);
        let void = std::mem::replace(&mut self.counts, counts);
        for (count, void) in self.counts.deviations.iter_mut().zip(void.deviations) {
            *count = count.saturating_sub(void);
        }
        let mut notes = read.notes;
        notes.iter_mut().for_each(|notes| notes.forget_movetext());
        self.state = State { repaired, notes, ..State::default() };
        Some((notation, notation.undeclared()))
    }

    /// Reads a game in all sets of letters that contain the initials, or in digits.
    fn try_all<R: FastPath>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        at: usize,
        start: (&R::Position, Option<&R::Lineage>),
        initials: &Initials<'_>,
    ) -> Tried
    where
        Moves: MovetextVisitor<R>,
    {
        let (mut tried, mut exact) = (Tried::default(), None::<&Localized>);
        let may_end = self.fast_path;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.find(initials);
        for &notation in &candidates.notations {
            let letters = notation.localized();
            // The other set has read canonical texts alone, and these mean the same in this one.
            if letters.zip(exact).is_some_and(|(own, other)| own.has_pieces_of(other)) {
                continue;
            }
            // Beside a set that reads the game in its own letters only another that does so counts.
            let own_alone = may_end && tried.best.as_ref().is_some_and(|best| best.own);
            (self.ends_at_fault, self.ends_at_variants) = (may_end, own_alone);
            let moves = self.muted(lines, text, at, start, notation);
            (self.ends_at_fault, self.ends_at_variants) = (false, false);
            if let Some(fault) = self.state.fault.take() {
                tried.add_fault(notation, fault);
            } else if lines.depth() == 0 {
                let met = |odd: Deviation| self.counts.deviations[odd as usize] > 0;
                let own = !met(Deviation::PawnLetter) && !met(Deviation::NotationVariant);
                if may_end && self.counts.deviations.iter().all(|&count| count == 0) {
                    exact = exact.or(letters);
                }
                tried.add(Fit { notation, moves, own });
            }
        }
        self.candidates = candidates;
        tried
    }

    /// Reads a game's movetext without delivering it; counts begin at zero. Returns its moves.
    fn muted<R: FastPath>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        at: usize,
        start: (&R::Position, Option<&R::Lineage>),
        notation: &'static dyn Notation,
    ) -> Moves
    where
        Moves: MovetextVisitor<R>,
    {
        self.state = State::default();
        self.counts = Counts::default();
        let mut moves = Moves::default();
        let mut tokens = Tokens::new(text, at, notation.info().digits);
        lines.restart(Line::new(start.0, start.1), notation);
        self.movetext(lines, &mut tokens, text, &mut moves);
        moves
    }
}

/// Can a fault be due to the letters?
fn is_of_token(kind: Deviation) -> bool {
    matches!(
        kind,
        Deviation::MoveUnreadable
            | Deviation::MoveIllegal
            | Deviation::MoveAmbiguous
            | Deviation::MovesAfterEnd
            | Deviation::PawnLetter
            | Deviation::PromotionNotAPromotion
            | Deviation::PromotionPieceMissing
    )
}
