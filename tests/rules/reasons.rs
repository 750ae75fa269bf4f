//! The reasons of faults are true: every clause is parsed and checked with another program's board.
//!
//! In: random texts in positions of random games. The texts that the reader refuses as illegal, ambiguous or no
//! promotion get their words; each clause must have one of the forms below, and be true on shakmaty's board. Every form
//! must occur, so that each is checked.

#![allow(clippy::print_stdout, reason = "says how much was proved")]

use crate::common::trials;
use std::collections::BTreeMap;

use pgnmill_core::chess::Position as Ours;
use pgnmill_core::notation::{self, Notation};
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::replay::refusal;
use pgnmill_laws::dice::Dice;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Piece, Position, Rank,
    Role, Square, attacks,
};

/// Where the random games begin.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
    "1rkbbnr1/8/8/8/8/8/8/1RKBBNR1 w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/rRK5 w B - 0 1",
    "4k3/pppppppp/8/8/8/8/8/qRK3R1 w BG - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/4r3/8/8/3pP3/8/8/4K2b w - - 0 1",
];

/// A text, and what it gives of a move.
struct Claim {
    text: String,
    /// A king, a queen …; any piece if the text gives none.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    takes: bool,
    target: Square,
    castling: Option<CastlingSide>,
}

/// A text that may claim anything.
fn text(dice: &mut Dice, uci: bool) -> Claim {
    let square = |dice: &mut Dice| Square::new(dice.below(64) as u32);
    let (origin, target) = (square(dice), square(dice));
    let mut claim = Claim {
        text: String::new(),
        role: None,
        file: None,
        rank: None,
        takes: false,
        target,
        castling: None,
    };
    if uci {
        (claim.file, claim.rank) = (Some(origin.file()), Some(origin.rank()));
        let promotes = Bitboard::BACKRANKS.contains(target) && dice.below(2) == 0;
        claim.text = format!("{origin}{target}{}", if promotes { "q" } else { "" });
        return claim;
    }
    if dice.below(12) == 0 {
        let short = dice.below(2) == 0;
        claim.castling = Some(if short { CastlingSide::KingSide } else { CastlingSide::QueenSide });
        claim.text = if short { "O-O" } else { "O-O-O" }.to_string();
        return claim;
    }
    let role = Role::ALL[dice.below(6)];
    claim.role = Some(role);
    let has_letter = role != Role::Pawn || dice.below(8) == 0;
    if has_letter {
        claim.text.push(role.upper_char());
    }
    // Half of the texts disambiguate.
    let (file, rank) = match dice.below(8) {
        0 | 1 => (true, false),
        2 => (false, role != Role::Pawn),
        3 => (true, true),
        _ => (false, false),
    };
    claim.file = file.then(|| origin.file());
    claim.rank = rank.then(|| origin.rank());
    if role == Role::Pawn && file && !rank {
        // A pawn that takes comes from beside.
        let beside = i32::from(target.file()) + if dice.below(2) == 0 { 1 } else { -1 };
        claim.file = File::try_from(beside).ok().or(claim.file);
    }
    claim.text.extend(claim.file.map(File::char));
    claim.text.extend(claim.rank.map(Rank::char));
    claim.takes = dice.below(3) == 0 || role == Role::Pawn && claim.file.is_some();
    if claim.takes {
        claim.text.push('x');
    }
    claim.text.push_str(&target.to_string());
    if !has_letter && file && rank {
        // Without a letter a text of both squares may mean any piece.
        claim.role = None;
    }
    if dice.below(8) == 0 {
        claim.text.push_str("=Q");
    }
    claim
}

/// Every capture by a pawn, as SAN writes it without its promotion.
fn pawn_captures() -> impl Iterator<Item = Claim> {
    let pairs = File::ALL.into_iter().flat_map(|file| Square::ALL.map(|target| (file, target)));
    pairs.filter(|(file, target)| file.distance(target.file()) == 1).map(|(file, target)| Claim {
        text: format!("{}x{target}", file.char()),
        role: Some(Role::Pawn),
        file: Some(file),
        rank: None,
        takes: true,
        target,
        castling: None,
    })
}

/// The words that a form leaves open, if a clause has it: `{}` is one word, `{pieces}` all the rest.
fn match_form<'c>(form: &str, clause: &'c str) -> Option<Vec<&'c str>> {
    let mut found = Vec::new();
    let mut rest = clause;
    for word in form.split(' ') {
        if word == "{pieces}" {
            let behind = form.split_once("{pieces}").map_or("", |(_, behind)| behind);
            found.push(rest.strip_suffix(behind)?);
            return Some(found);
        }
        let (next, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after;
        match word.split_once("{}") {
            Some((before, behind)) => {
                found.push(next.strip_prefix(before)?.strip_suffix(behind)?);
                // `d2,` does not match `{}`.
                if found.last()?.ends_with([',', ':']) {
                    return None;
                }
            }
            None if word == next => {}
            None => return None,
        }
    }
    rest.is_empty().then_some(found)
}

/// The forms, the more special before the more general.
const FORMS: &[&str] = &[
    "is ambiguous: {pieces}",
    "comes after the end of the game: {} is {}",
    "no piece is on {}",
    "the {} on {} is {}'s own",
    "the {} on {} is {}'s",
    "a {} stands on {}, not a {}",
    "{} has no right to castle {}: king or rook has moved before",
    "{} has no {}",
    "no {} rook stands on the {} side of the king on {}",
    "no {} {} stands on file {}",
    "no {} {} stands on rank {}",
    "no {} {} stands on {}",
    "no {} {} can reach {}",
    "no {} {} on file {} can reach {}",
    "no {} {} on rank {} can reach {}",
    "no {} {} on {} can reach {}",
    "no {} {} can take on {}",
    "no {} {} on file {} can take on {}",
    "no {} {} on {} can take on {}",
    "the {} on {} is blocked by the {} on {}",
    "the {} on {} is pinned to the king on {} by the {} on {}",
    "the {} on {} leaves the king on {} in check from {pieces}",
    "taking en passant uncovers an attack on the king on {} by {pieces}",
    "the pawn on {} cannot be taken en passant: it has not just advanced two squares",
    "a pawn that takes is written with its file: {pieces}",
    "there is nothing to take on {}",
    "the king on {} is in check from {pieces}",
    "{} is attacked by {pieces}",
    "castling is blocked by {pieces}",
    "the king would pass {}, which is attacked by {pieces}",
    "the king would arrive on {}, which is attacked by {pieces}",
    "castling uncovers an attack on the king on {} by {pieces}",
    "the {} king stands on {}, where he cannot castle",
    "the pawn must become a queen, rook, bishop or knight",
    "a {} cannot promote",
    "a {} pawn promotes on rank {} only",
    "{pieces} can go there",
];

fn square(text: &str) -> Square {
    text.parse().unwrap_or_else(|_| panic!("{text} is no square"))
}

fn role(text: &str) -> Role {
    Role::ALL
        .into_iter()
        .find(|role| format!("{role:?}").eq_ignore_ascii_case(text))
        .unwrap_or_else(|| panic!("{text} is no man"))
}

fn color(text: &str) -> Color {
    match text {
        "white" | "White" => Color::White,
        "black" | "Black" => Color::Black,
        _ => panic!("{text} is no side"),
    }
}

/// A position of shakmaty's, a text refused in it, and questions about both.
struct Case<'c> {
    chess: &'c Chess,
    claim: &'c Claim,
}

impl Case<'_> {
    fn us(&self) -> Color {
        self.chess.turn()
    }

    fn king(&self) -> Square {
        self.chess.board().king_of(self.us()).unwrap()
    }

    fn occupied(&self) -> Bitboard {
        self.chess.board().occupied()
    }

    fn en_passant(&self) -> Option<Square> {
        self.chess.ep_square(EnPassantMode::Always)
    }

    /// Their pieces that attack a square, were these all pieces.
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.chess.board().attacks_to(square, !self.us(), occupied) & occupied
    }

    /// `the knight on d2 and the rook on e8`, each of which must be there.
    fn men(&self, text: &str) -> Bitboard {
        let mut men = Bitboard::EMPTY;
        for man in text.split(" and ") {
            let found = match_form("the {} on {}", man).unwrap_or_else(|| panic!("{man}"));
            assert!(self.stands(found[0], found[1]), "{man}");
            men.add(square(found[1]));
        }
        men
    }

    fn stands(&self, what: &str, on: &str) -> bool {
        self.chess.board().role_at(square(on)) == Some(role(what))
    }

    /// Our pieces of a type that the text may mean.
    fn meant(&self, what: Role) -> Bitboard {
        self.chess.board().by_piece(Piece { color: self.us(), role: what })
            & self.claim.file.map_or(Bitboard::FULL, Bitboard::from_file)
            & self.claim.rank.map_or(Bitboard::FULL, Bitboard::from_rank)
    }

    /// Can a piece move there on an empty board?
    fn steps(&self, what: Role, from: Square, to: Square) -> bool {
        let piece = Piece { color: self.us(), role: what };
        attacks::attacks(from, piece, Bitboard::EMPTY).contains(to)
    }

    /// Does a pawn's advance lead there, were the board empty?
    fn advances(&self, from: Square, to: Square) -> bool {
        let (from_rank, to_rank) = (i32::from(from.rank()), i32::from(to.rank()));
        let forward = if self.us().is_white() { to_rank - from_rank } else { from_rank - to_rank };
        let home = if self.us().is_white() { Rank::Second } else { Rank::Seventh };
        from.file() == to.file() && (forward == 1 || forward == 2 && from.rank() == home)
    }

    /// The squares of our pieces with a legal move of the type and squares that the text gives.
    fn legal(&self, what: Role, within: Bitboard) -> Bitboard {
        let mut origins = Bitboard::EMPTY;
        for mv in self.chess.legal_moves() {
            let from = mv.from().unwrap();
            if mv.role() == what && mv.to() == self.claim.target && !mv.is_castle() {
                origins.add(from);
            }
        }
        origins & within
    }

    /// The squares of the king's and the rook's paths.
    fn castling_way(&self) -> (Square, Square, Bitboard) {
        let side = self.claim.castling.unwrap_or_else(|| {
            let short = self.claim.target.file() > self.king().file();
            if short { CastlingSide::KingSide } else { CastlingSide::QueenSide }
        });
        let rook = self.chess.castles().rook(self.us(), side).expect("the right is there");
        let (king_to, rook_to) = (side.king_to(self.us()), side.rook_to(self.us()));
        let ends = Bitboard::from(king_to) | Bitboard::from(rook_to);
        let way = attacks::between(self.king(), king_to) | attacks::between(rook, rook_to) | ends;
        (king_to, rook, way)
    }

    /// Checks a clause of the `form`th form, or panics.
    fn check(&self, form: &str, found: &[&str]) -> bool {
        let board = self.chess.board();
        let us = self.us();
        let mine =
            |what: &str, on: &str| self.stands(what, on) && board.color_at(square(on)) == Some(us);
        match form {
            "is ambiguous: {pieces}" => {
                let what = self.claim.role.unwrap_or(Role::Pawn);
                let origins: Bitboard = found[0].split(", ").map(square).collect();
                origins.count() > 1 && origins == self.legal(what, self.meant(what))
            }
            "comes after the end of the game: {} is {}" => {
                color(found[0]) == us
                    && match found[1] {
                        "checkmated" => self.chess.is_checkmate(),
                        _ => self.chess.is_stalemate(),
                    }
            }
            "no piece is on {}" => !self.occupied().contains(square(found[0])),
            "the {} on {} is {}'s own" => {
                mine(found[0], found[1])
                    && color(found[2]) == us
                    && square(found[1]) == self.claim.target
            }
            "the {} on {} is {}'s" => {
                self.stands(found[0], found[1])
                    && color(found[2]) == !us
                    && board.color_at(square(found[1])) == Some(!us)
            }
            "a {} stands on {}, not a {}" => {
                mine(found[0], found[1])
                    && self.claim.role == Some(role(found[2]))
                    && found[0] != found[2]
            }
            "{} has no {}" => {
                let piece = Piece { color: us, role: role(found[1]) };
                color(found[0]) == us && board.by_piece(piece).is_empty()
            }
            "no {} {} stands on file {}"
            | "no {} {} stands on rank {}"
            | "no {} {} stands on {}" => {
                let within: Bitboard = match form.rsplit(' ').nth(1) {
                    Some("file") => Bitboard::from_file(
                        File::from_char(found[2].chars().next().unwrap()).unwrap(),
                    ),
                    Some("rank") => Bitboard::from_rank(
                        Rank::from_char(found[2].chars().next().unwrap()).unwrap(),
                    ),
                    _ => Bitboard::from(square(found[2])),
                };
                let piece = Piece { color: color(found[0]), role: role(found[1]) };
                color(found[0]) == us && (board.by_piece(piece) & within).is_empty()
            }
            _ if form.contains("can reach") || form.contains("can take on") => {
                let what = role(found[1]);
                let target = square(found.last().unwrap());
                let reaches = |from: Square| {
                    let takes = form.contains("can take on")
                        || board.color_at(target) == Some(!us)
                        || self.en_passant() == Some(target);
                    if what != Role::Pawn {
                        return self.steps(what, from, target);
                    }
                    takes && self.steps(what, from, target)
                        || form.contains("can reach") && self.advances(from, target)
                };
                color(found[0]) == us
                    && target == self.claim.target
                    && !self.meant(what).into_iter().any(reaches)
            }
            _ => self.check_pieces(form, found) || self.check_castling(form, found),
        }
    }

    fn check_pieces(&self, form: &str, found: &[&str]) -> bool {
        let (board, us, target) = (self.chess.board(), self.us(), self.claim.target);
        let without = |square: Square| self.occupied().without(square);
        match form {
            "the {} on {} is blocked by the {} on {}" => {
                let (from, by) = (square(found[1]), square(found[3]));
                let what = role(found[0]);
                let leads = if what == Role::Pawn {
                    self.advances(from, target)
                } else {
                    self.steps(what, from, target)
                };
                let way = attacks::between(from, target)
                    | if what == Role::Pawn { Bitboard::from(target) } else { Bitboard::EMPTY };
                let nearer = attacks::between(from, by) & self.occupied();
                self.stands(found[0], found[1])
                    && self.stands(found[2], found[3])
                    && board.color_at(from) == Some(us)
                    && leads
                    && way.contains(by)
                    && nearer.is_empty()
            }
            "the {} on {} is pinned to the king on {} by the {} on {}" => {
                let (from, king, by) = (square(found[1]), square(found[2]), square(found[4]));
                let alone = attacks::between(king, by) & self.occupied() == Bitboard::from(from);
                self.stands(found[0], found[1])
                    && self.stands(found[3], found[4])
                    && king == self.king()
                    && alone
                    && board.color_at(by) == Some(!us)
                    && self.attackers(king, without(from)).contains(by)
                    && !attacks::ray(king, by).contains(target)
            }
            "the {} on {} leaves the king on {} in check from {pieces}" => {
                let (from, men) = (square(found[1]), self.men(found[3]));
                let after = without(from).with(target);
                let still = self.attackers(self.king(), after);
                // The pawn taken en passant is taken, too.
                let en_passant = role(found[0]) == Role::Pawn
                    && self.en_passant() == Some(target)
                    && from.file() != target.file()
                    && !self.occupied().contains(target);
                let taken = Square::from_coords(target.file(), from.rank());
                self.stands(found[0], found[1])
                    && square(found[2]) == self.king()
                    && !men.contains(target)
                    && !(en_passant && men.contains(taken))
                    && self.chess.checkers() & men == men
                    && still & men == men
            }
            "taking en passant uncovers an attack on the king on {} by {pieces}" => {
                let men = self.men(found[1]);
                let pawns = self.meant(Role::Pawn);
                square(found[0]) == self.king()
                    && pawns.into_iter().any(|from| {
                        let taken = Square::from_coords(target.file(), from.rank());
                        let after = without(from).without(taken).with(target);
                        self.steps(Role::Pawn, from, target)
                            && self.attackers(self.king(), after) & men == men
                    })
            }
            "the pawn on {} cannot be taken en passant: it has not just advanced two squares" => {
                let pawn = square(found[0]);
                board.piece_at(pawn) == Some(Piece { color: !us, role: Role::Pawn })
                    && pawn.file() == target.file()
                    && self.en_passant() != Some(target)
            }
            "a pawn that takes is written with its file: {pieces}" => {
                let takers = self.legal(Role::Pawn, Bitboard::FULL);
                let texts: Vec<&str> = found[0].split(" or ").collect();
                self.claim.file.is_none()
                    && takers.count() == texts.len()
                    && takers.into_iter().all(|from| {
                        let text = format!("{}x{target}", from.file().char());
                        from.file() != target.file() && texts.contains(&text.as_str())
                    })
            }
            "there is nothing to take on {}" => {
                square(found[0]) == target
                    && !self.occupied().contains(target)
                    && self.en_passant() != Some(target)
            }
            "{} is attacked by {pieces}" => {
                let men = self.men(found[1]);
                let attackers = self.attackers(target, without(self.king()));
                square(found[0]) == target && attackers.without(target) == men
            }
            "the pawn must become a queen, rook, bishop or knight" => {
                Bitboard::BACKRANKS.contains(target) && self.legal(Role::Pawn, Bitboard::FULL).any()
            }
            "a {} cannot promote" => {
                role(found[0]) != Role::Pawn && self.claim.text.ends_with(['Q', 'q'])
            }
            "a {} pawn promotes on rank {} only" => {
                let last = if us.is_white() { "8" } else { "1" };
                color(found[0]) == us
                    && found[1] == last
                    && target.rank().char() != last.chars().next().unwrap()
            }
            "{pieces} can go there" => {
                let others = self.men(found[0]);
                let what = board.role_at(others.first().unwrap()).unwrap();
                self.legal(what, Bitboard::FULL) == others
            }
            _ => false,
        }
    }

    fn check_castling(&self, form: &str, found: &[&str]) -> bool {
        let (board, us, king) = (self.chess.board(), self.us(), self.king());
        let rooks = board.by_piece(Piece { color: us, role: Role::Rook });
        match form {
            "{} has no right to castle {}: king or rook has moved before" => {
                let short = found[1] == "short";
                let side = if short { CastlingSide::KingSide } else { CastlingSide::QueenSide };
                color(found[0]) == us && !self.chess.castles().has(us, side)
            }
            "no {} rook stands on the {} side of the king on {}" => {
                let short = found[1] == "h";
                let beside = |rook: Square| (rook.file() > king.file()) == short;
                color(found[0]) == us
                    && square(found[2]) == king
                    && !(rooks & Bitboard::from_rank(king.rank())).into_iter().any(beside)
            }
            "the king on {} is in check from {pieces}" => {
                square(found[0]) == king && self.men(found[1]) == self.chess.checkers()
            }
            "castling is blocked by {pieces}" => {
                let (_, rook, way) = self.castling_way();
                self.men(found[0]) == way & self.occupied().without(king).without(rook)
            }
            "the king would pass {}, which is attacked by {pieces}"
            | "the king would arrive on {}, which is attacked by {pieces}" => {
                let (king_to, _, _) = self.castling_way();
                let on = square(found[0]);
                let goes_there = if form.contains("arrive") {
                    on == king_to
                } else {
                    attacks::between(king, king_to).contains(on)
                };
                goes_there
                    && self.attackers(on, self.occupied().without(king)) == self.men(found[1])
            }
            "castling uncovers an attack on the king on {} by {pieces}" => {
                let (king_to, rook, _) = self.castling_way();
                let side = if king_to.file() == File::G {
                    CastlingSide::KingSide
                } else {
                    CastlingSide::QueenSide
                };
                let after = self
                    .occupied()
                    .without(king)
                    .without(rook)
                    .with(king_to)
                    .with(side.rook_to(us));
                square(found[0]) == king_to && self.attackers(king_to, after) == self.men(found[1])
            }
            "the {} king stands on {}, where he cannot castle" => {
                color(found[0]) == us
                    && square(found[1]) == king
                    && !self.chess.castles().has_color(us)
            }
            _ => false,
        }
    }
}

/// Rejects a text, and checks the reason. Returns the forms of its clauses.
fn refuse(chess: &Chess, chess960: bool, claim: &Claim, with: &dyn Notation) -> Vec<&'static str> {
    let fen = Fen::from_position(chess, EnPassantMode::Always).to_string();
    let (ours, _) = Ours::from_fen(fen.as_bytes()).unwrap();
    let ours = ours.with_chess960(chess960);
    let kind = match with.read(claim.text.as_bytes(), &ours) {
        Ok(_) | Err(Deviation::MoveUnreadable) => return Vec::new(),
        Err(Deviation::MoveIllegal) if !ours.has_legal_move() => Deviation::MovesAfterEnd,
        Err(kind) => kind,
    };
    let why = refusal(kind, &claim.text, with, &ours);
    let clauses = why.strip_prefix(&claim.text).unwrap();
    let clauses = clauses.trim_start_matches([':', ' ']);
    let case = Case { chess, claim };
    let mut forms = Vec::new();
    for clause in clauses.split("; ") {
        let form = FORMS.iter().find_map(|form| Some((*form, match_form(form, clause)?)));
        let Some((form, found)) = form else { panic!("`{clause}` of `{why}` has no form; {fen}") };
        assert!(case.check(form, &found), "`{clause}` ({form}) is not true: {why}; {fen}");
        forms.push(form);
    }
    forms
}

/// Random games from each start, random texts in each of their positions.
#[test]
fn every_clause_is_true_on_another_board() {
    let mut dice = Dice::new(0x9E37_79B9_7F4A_7C15);
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut positions, mut refused) = (0, 0);
    let uci = notation::find("uci").unwrap();
    for round in 0..trials(9, 20, 300) {
        for start in STARTS {
            let fen: Fen = start.parse().unwrap();
            let mut chess: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
            for claim in pawn_captures() {
                let forms = refuse(&chess, false, &claim, notation::NOTATIONS[0]);
                forms.into_iter().for_each(|form| *met.entry(form).or_default() += 1);
            }
            for _ in 0..70 {
                positions += 1;
                for nth in 0..24 {
                    let claim = text(&mut dice, nth % 4 == 0);
                    let with = if nth % 4 == 0 { uci } else { notation::NOTATIONS[0] };
                    let forms = refuse(&chess, positions % 2 == 0, &claim, with);
                    refused += u32::from(!forms.is_empty());
                    forms.into_iter().for_each(|form| *met.entry(form).or_default() += 1);
                }
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Random play drifts to empty boards: the first rounds are shorter.
                if round % 3 == 0 && chess.board().occupied().count() < 8 {
                    break;
                }
                chess.play_unchecked(moves[dice.below(moves.len())]);
            }
        }
    }
    println!("{positions} positions, {refused} texts refused, {met:#?}");
    let unmet: Vec<_> = FORMS.iter().filter(|form| !met.contains_key(*form)).collect();
    assert!(unmet.is_empty(), "never claim: {unmet:#?}");
}

/// Notations that give both squares have the reason that UCI has for the same move.
#[test]
fn iccf_and_smith_give_the_reason_of_uci() {
    let (uci, iccf, smith) = (named("uci"), named("iccf"), named("smith"));
    let mut claim = 0;
    for fen in STARTS {
        let position = Ours::from_fen(fen.as_bytes()).unwrap().0;
        for (from, to) in (0..64u8).flat_map(|from| (0..64u8).map(move |to| (from, to))) {
            let name = |first: u8, square: u8| [first + square % 8, b'1' + square / 8];
            let step = |first| [name(first, from), name(first, to)].concat();
            let (letters, digits) =
                (String::from_utf8(step(b'a')).unwrap(), String::from_utf8(step(b'1')).unwrap());
            if !matches!(uci.read(letters.as_bytes(), &position), Err(Deviation::MoveIllegal)) {
                continue;
            }
            let why = |word: &str, notation| {
                let why = refusal(Deviation::MoveIllegal, word, notation, &position);
                why[word.len()..].to_string()
            };
            let of_uci = why(&letters, uci);
            assert_eq!(why(&digits, iccf), of_uci, "{digits} in {fen}");
            assert_eq!(why(&letters, smith), of_uci, "{letters} in {fen}");
            claim += 1;
        }
    }
    assert!(claim > 20_000, "{claim} steps");
    println!("{claim} steps");
}

fn named(name: &str) -> &'static dyn Notation {
    notation::find(name).unwrap()
}
