//! Games in the letters of another language, in figurines, or in digits, that do not say so.
//!
//! What enters is the movetext of a game that SAN's reader gave up, or read only with pawn letters; what leaves is the
//! notation that reads all of it. A game is looked at only if a word of its main line begins with a sign that is no
//! English piece, or with `P`, which is a pawn in English and a knight in Dutch, or with `Kt`. Of the sets of letters
//! those are tried that have all the signs its words begin with, each set once, however many languages share it. A set
//! that reads the game in its own letters goes before one that needs another writer's or pawn letters (`Sf3` is a knight
//! in German and Polish, and could be a pawn in Finnish); if those that remain read different moves, or none reads all,
//! the game stays as it is, and its fault says which, or how far the set came that came furthest. A game whose main line
//! has four or five digits, 1 to 8, in a move's place is read in the notation of digits alone if it fits. Cost: a look at the game's words, and one replay for each set that has them all; only such games
//! pay it.

use std::ops::Range;

use crate::chess::{Move, Position, Role};
use crate::notation::{self, Lineage, Localized, NOTATIONS, Notation, Ply};
use crate::pgn::deviation::{Class, Deviation};
use crate::pgn::{Digits, TagPair, TokenKind, Tokens};

use super::counts::Counts;
use super::game::Line;
use super::special_tokens::{is_null_move, resignation};
use super::suffixes::is_suffix;
use super::{Game, GameFault, ReplayVisitor, Replayer, State, TagSection};

/// Hears which moves were made, and nothing else.
struct Moves {
    /// The moves, folded into a number (FNV-1a).
    digest: u64,
}

impl Moves {
    fn new() -> Moves {
        Moves { digest: 0xcbf2_9ce4_8422_2325 }
    }

    fn hear(&mut self, mv: Move, depth: usize) {
        let promoted = mv.promoted().map_or(0, |role: Role| role.index() + 1);
        for part in [mv.origin().index(), mv.target().index(), promoted, depth] {
            self.digest = (self.digest ^ part as u64).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl ReplayVisitor for Moves {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.hear(ply.mv(), depth);
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {}

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// The characters that the piece moves of a game's main line begin with, each once.
#[derive(Debug, Default)]
struct Signs<'t> {
    found: [&'t [u8]; Signs::COUNT_MAX],
    count: usize,
    /// One of them is no English piece letter.
    telling: bool,
    /// There are more than any set of letters holds.
    too_many: bool,
    /// A word is digits that can be two squares.
    digits: bool,
}

impl<'t> Signs<'t> {
    /// Figurines of both colours are twelve, and some languages read as many more.
    const COUNT_MAX: usize = 32;

    /// Those of the words of `text` outside variations.
    fn of(text: &'t [u8], movetext: Range<usize>) -> Signs<'t> {
        let mut signs = Signs::default();
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
                TokenKind::Move if depth == 0 => signs.add(&text[token.start..token.end]),
                TokenKind::Number if depth == 0 => {
                    signs.digits |= is_two_squares(&text[token.start..token.end]);
                }
                _ => {}
            }
        }
        signs
    }

    fn add(&mut self, word: &'t [u8]) {
        let Some(character) = piece_character(word) else { return };
        self.telling |= !matches!(character, b"K" | b"Q" | b"R" | b"B" | b"N");
        self.telling |= word.starts_with(b"Kt");
        if self.found[..self.count].contains(&character) {
            return;
        }
        match self.found.get_mut(self.count) {
            Some(place) => *place = character,
            None => {
                self.too_many = true;
                return;
            }
        }
        self.count += 1;
    }

    /// Has a set of letters all of them?
    fn are_of(&self, letters: &Localized) -> bool {
        self.telling
            && !self.too_many
            && self.found[..self.count].iter().all(|character| letters.has_letter_with(character))
    }
}

/// Four or five digits, 1 to 8: the squares of a move, and what a pawn becomes.
fn is_two_squares(word: &[u8]) -> bool {
    matches!(word.len(), 4 | 5) && word.iter().all(|byte| matches!(byte, b'1'..=b'8'))
}

/// The first character of a word, if the word can be a move only where that begins the sign of a man.
fn piece_character(word: &[u8]) -> Option<&[u8]> {
    let bytes = match *word.first()? {
        // `X` can be a capture in any letters.
        b'X' => return None,
        first if first.is_ascii_uppercase() => 1,
        first if first.is_ascii() => return None,
        0xf0.. => 4,
        0xe0.. => 3,
        _ => 2,
    };
    let is_other = is_null_move(word)
        || is_suffix(word)
        || resignation(word).is_some()
        || !notation::begins_with_piece_letter(word);
    if is_other { None } else { Some(&word[..bytes.min(word.len())]) }
}

/// A reading of the game at hand.
struct Fit {
    notation: &'static dyn Notation,
    digest: u64,
    /// In letters of its own, and pawns without any.
    own: bool,
}

/// What came of all sets of letters that were tried.
#[derive(Default)]
struct Tried {
    /// The best reading of all of the game: of those that are as good the first.
    best: Option<Fit>,
    /// One that is as good and reads other moves.
    rival: Option<&'static dyn Notation>,
    /// Who came furthest of those that did not read all of it, and the fault that was met.
    furthest: Option<(&'static dyn Notation, GameFault)>,
}

impl Tried {
    fn add(&mut self, fit: Fit) {
        match &self.best {
            Some(best) if best.own && !fit.own => {}
            Some(best) if best.own == fit.own => {
                if best.digest != fit.digest {
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

    /// What to add to SAN's fault.
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
    /// The notation that reads a game which SAN gave up, or read with pawn letters, and how to call that. `movetext` is where
    /// SAN read. The state is afterwards that of a game of whose movetext nothing was read and counted if there is one,
    /// and untouched if there is none. `repaired`: so much was known before the movetext.
    #[cold]
    pub(super) fn foreign(
        &mut self,
        text: &[u8],
        movetext: Range<usize>,
        start: &(Position, Option<Lineage>),
        repaired: bool,
    ) -> Option<(&'static dyn Notation, Deviation)> {
        let fault_kind = self.state.fault.as_ref().map(|fault| fault.kind);
        let could_be = fault_kind.map_or(self.stack.is_empty(), is_of_word);
        if !could_be {
            return None;
        }
        let allows = |kind| self.profile.class(kind) != Class::Fault;
        let mut signs = Signs::of(text, movetext.clone());
        signs.telling &= allows(Deviation::PieceLetterForeign);
        signs.digits &= allows(Deviation::NotationUndeclared);
        if (!signs.telling || signs.too_many) && !signs.digits {
            return None;
        }
        let read = std::mem::take(&mut self.state);
        let counts = std::mem::take(&mut self.counts);
        let tried = self.try_all(&text[..movetext.end], movetext.start, start, &signs);
        // What SAN reads with pawn letters goes before what other letters read no better.
        let best = tried.best.as_ref();
        let only = best.filter(|fit| tried.rival.is_none() && (fit.own || fault_kind.is_some()));
        let Some(&Fit { notation, .. }) = only else {
            // After a fault nobody asks for the stack, and else it was empty.
            self.stack.clear();
            (self.state, self.counts) = (read, counts);
            self.written_in = notation::SAN;
            self.state.fault.iter_mut().for_each(|fault| tried.explain(fault));
            return None;
        };
        // What SAN counted is void: it is read once more, to know how much that was.
        self.muted(text, movetext.start, start, notation::SAN);
        let void = std::mem::replace(&mut self.counts, counts);
        for (count, void) in self.counts.deviations.iter_mut().zip(void.deviations) {
            *count = count.saturating_sub(void);
        }
        let mut notes = read.notes;
        notes.iter_mut().for_each(|notes| notes.back_to_mark());
        self.state = State { repaired, notes, ..State::default() };
        self.stack.clear();
        self.written_in = notation;
        Some((notation, notation.undeclared()))
    }

    /// Reads a game in all sets of letters that have the signs, or in digits.
    fn try_all(
        &mut self,
        text: &[u8],
        at: usize,
        start: &(Position, Option<Lineage>),
        signs: &Signs<'_>,
    ) -> Tried {
        let mut tried = Tried::default();
        for (index, &notation) in NOTATIONS.iter().enumerate() {
            let digits = signs.digits && notation.info().digits == Digits::Only;
            let letters = notation.localized().filter(|letters| signs.are_of(letters));
            let mut before = NOTATIONS[..index].iter().filter_map(|notation| notation.localized());
            let is_new = letters.is_some_and(|own| !before.any(|other| other.reads_like(own)));
            if !is_new && !digits {
                continue;
            }
            let digest = self.muted(text, at, start, notation);
            if let Some(fault) = self.state.fault.take() {
                tried.add_fault(notation, fault);
            } else if self.stack.is_empty() {
                let met = |odd: Deviation| self.counts.deviations[odd as usize] > 0;
                let own = !met(Deviation::PawnLetter) && !met(Deviation::NotationVariant);
                tried.add(Fit { notation, digest, own });
            }
        }
        tried
    }

    /// Reads a game's movetext, telling nobody; counts begin at nothing. Returns the digest of its moves.
    fn muted(
        &mut self,
        text: &[u8],
        at: usize,
        start: &(Position, Option<Lineage>),
        notation: &'static dyn Notation,
    ) -> u64 {
        self.state = State::default();
        self.counts = Counts::default();
        self.stack.clear();
        self.written_in = notation;
        let mut moves = Moves::new();
        let mut tokens = Tokens::new(text, at, notation.info().digits);
        let mut line = Line::new(&start.0, start.1.as_ref());
        self.moves(&mut line, &mut tokens, text, notation, &mut moves);
        moves.digest
    }
}

/// A fault that other letters could mend.
fn is_of_word(kind: Deviation) -> bool {
    matches!(
        kind,
        Deviation::MoveUnreadable
            | Deviation::MoveIllegal
            | Deviation::MoveAmbiguous
            | Deviation::MovesAfterEnd
            | Deviation::PromotionNotAPromotion
            | Deviation::PromotionPieceMissing
    )
}
