//! English descriptive notation: files are named by the pieces that begin on them, ranks are
//! counted from the mover.
//!
//! Sources: Capablanca, "Chess Fundamentals" (1921) and the descriptions listed in
//! `../shared/spec/algebraic.md`. A move is a man, `-` and a square (`P-K4`, `N-KB3`) or `x` and a
//! man (`QNxN`); `O-O`, `O-O-O`; `e.p.`; `=Q`; `ch`, `mate`. A text says no more than is needed to
//! tell the move from all other legal ones.
//!
//! The writer takes the first text that fits no other legal move, in the order of effort. Efforts
//! of a man are
//!
//! * 0: the letter, `R`;
//! * 1: of a pawn the short name of his file, `BP`;
//! * 2: of a pawn its full name, `KBP`; of a piece, in `descriptive-sides`, his wing, `KR`;
//! * 3: the short name of his square, `R/B1`;
//! * 4: its full name, `R/KB1`;
//!
//! of an arrival square 0 (`B3`) and 1 (`KB3`), of a man taken those of a man; the effort of a text
//! is their sum, and of equal efforts the one that says more of the goal comes first. The wing of a
//! piece is that on which it began the game, so `descriptive-sides` asks for the history
//! ([`Lineage`]); without one it writes what `descriptive` writes. The slash stands for the
//! brackets of books, `R(B1)`, which in movetext would begin a variation.

use arrayvec::ArrayVec;

use crate::chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::descriptive_rivals::visit_rivals;
use super::ply::legal_among;
use super::{
    Check, Digits, Facts, Info, Length, Lineage, MoveText, Needs, Notation, Ply, Reading, Requires,
    descriptive_text,
};

/// English descriptive notation, with or without the wings of pieces.
#[derive(Debug)]
pub(super) struct Descriptive {
    info: &'static Info,
    sides: bool,
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const BASE: Info = Info {
    name: "descriptive",
    title: "English descriptive notation",
    source: "Capablanca, Chess Fundamentals, 1921; Wikipedia, Descriptive notation",
    about: "The notation of English books until the 1980s: files named by the pieces that begin on \
            them, ranks counted from the mover, the man taken named in place of its square. No \
            more is said than is needed.",
    alphabet: "PNBRQK12345678-x/=Oe.pchmat",
    characters_max: 15,
    bytes_max: 15,
    needs: Needs::Board,
    writes_check: true,
    digits: Digits::Never,
    examples: &[
        (INITIAL, "e2e4", "P-K4"),
        (INITIAL, "g1f3", "N-KB3"),
        ("4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", "RxQch"),
        ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g5f3", "N/N5-B3"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "PxPe.p."),
    ],
    exceptions: "",
};

/// Men are told apart by the squares they stand on.
pub(super) static DESCRIPTIVE: Descriptive = Descriptive { info: &BASE, sides: false };

/// Rooks, bishops and knights are told apart by the wing on which they began.
pub(super) static SIDES: Descriptive = Descriptive {
    info: &Info {
        name: "descriptive-sides",
        title: "English descriptive notation, king's and queen's pieces",
        about: "As descriptive, but where rooks, bishops or knights have to be told apart, the \
                wing on which they began the game is named first: KR, QN. In games from another \
                position it is descriptive.",
        needs: Needs::Game,
        examples: &[(INITIAL, "e2e4", "P-K4"), (INITIAL, "g1f3", "N-KB3")],
        ..BASE
    },
    sides: true,
};

/// The full names of the files.
pub(super) const FILES: [&[u8]; 8] = [b"QR", b"QN", b"QB", b"Q", b"K", b"KB", b"KN", b"KR"];

/// The squares with the same short name: on the file and on its twin of the other wing.
pub(super) fn twins(square: Square) -> Bitboard {
    let twin = match square.file() {
        3 | 4 => square.file(),
        file => 7 - file,
    };
    Bitboard::of(square) | Bitboard::of(Square::at(twin, square.rank()))
}

fn files(squares: Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::file(square.file()))
}

fn push_file(square: Square, full: bool, text: &mut MoveText) {
    let name = FILES[usize::from(square.file())];
    text.push_bytes(if full { name } else { &name[name.len() - 1..] });
}

/// A square, its rank counted from `turn`'s side.
fn push_square(square: Square, turn: Color, full: bool, text: &mut MoveText) {
    push_file(square, full, text);
    text.push(b'1' + turn.rank(square.rank()));
}

/// A man that a text names: the moving one or the one taken.
#[derive(Clone, Copy)]
pub(super) struct DescribedPiece {
    pub(super) role: Role,
    pub(super) square: Square,
    /// The men of his colour and role that began on his wing, where that can be said.
    wing: Option<Bitboard>,
    queenside: bool,
}

impl DescribedPiece {
    fn new(
        position: &Position,
        square: Square,
        role: Role,
        lineage: Option<&Lineage>,
    ) -> DescribedPiece {
        let mut man = DescribedPiece { role, square, wing: None, queenside: false };
        if let Some(lineage) = lineage
            && matches!(role, Role::Knight | Role::Bishop | Role::Rook)
        {
            man.queenside = lineage.file(square) < 4;
            let men = position.role(role);
            let queenside = lineage.queenside(men);
            man.wing = Some(if man.queenside { queenside } else { men & !queenside });
        }
        man
    }

    /// Where a man named with this effort may stand; `None` if this one cannot be named so.
    fn squares(&self, effort: u8) -> Option<Bitboard> {
        let pawn = self.role == Role::Pawn;
        match effort {
            0 => Some(!Bitboard::EMPTY),
            1 if pawn => Some(files(twins(self.square))),
            2 if pawn => Some(Bitboard::file(self.square.file())),
            2 => self.wing,
            3 => Some(twins(self.square)),
            4 => Some(Bitboard::of(self.square)),
            _ => None,
        }
    }

    fn write(&self, effort: u8, turn: Color, text: &mut MoveText) {
        let pawn = self.role == Role::Pawn;
        match effort {
            1 | 2 if pawn => push_file(self.square, effort == 2, text),
            2 => text.push(if self.queenside { b'Q' } else { b'K' }),
            _ => {}
        }
        text.push(self.role.letter());
        if effort > 2 {
            text.push(b'/');
            push_square(self.square, turn, effort == 4, text);
        }
    }

    /// The length of what [`DescribedPiece::write`] writes.
    #[inline(always)]
    fn length(&self, effort: u8) -> u8 {
        let pawn = self.role == Role::Pawn;
        match effort {
            0 => 1,
            1 | 2 if pawn => 1 + file_length(self.square, effort == 2),
            1 | 2 => effort,
            _ => 3 + file_length(self.square, effort == 4),
        }
    }
}

/// The length of what [`push_file`] writes.
#[inline(always)]
fn file_length(square: Square, full: bool) -> u8 {
    1 + u8::from(full && !matches!(square.file(), 3 | 4))
}

/// Where a move goes: to a square, or to the man that it takes.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    Square(Square),
    Victim(DescribedPiece),
}

impl Goal {
    fn squares(&self, effort: u8) -> Option<Bitboard> {
        match (self, effort) {
            (Goal::Square(square), 0) => Some(twins(*square)),
            (Goal::Square(square), 1) => Some(Bitboard::of(*square)),
            (Goal::Square(_), _) => None,
            (Goal::Victim(man), _) => man.squares(effort),
        }
    }

    fn write(&self, effort: u8, turn: Color, text: &mut MoveText) {
        match self {
            Goal::Square(square) => {
                text.push(b'-');
                push_square(*square, turn, effort == 1, text);
            }
            Goal::Victim(man) => {
                text.push(b'x');
                man.write(effort, turn, text);
            }
        }
    }

    /// The length of what [`Goal::write`] writes.
    #[inline(always)]
    fn length(&self, effort: u8) -> u8 {
        match self {
            Goal::Square(square) => 2 + file_length(*square, effort == 1),
            Goal::Victim(man) => 1 + man.length(effort),
        }
    }
}

/// The square that names the goal of a move: of the man taken, or the arrival.
pub(super) fn goal_square(position: &Position, mv: Move) -> Square {
    position.captured_square(mv).unwrap_or(mv.target())
}

/// Writes a move without its check mark.
fn write_body(position: &Position, mv: Move, lineage: Option<&Lineage>, text: &mut MoveText) {
    if let Some(side) = mv.castling_side() {
        return text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
    }
    let (man, goal) = man_and_goal(position, mv, lineage);
    let (man_effort, goal_effort) = least_effort(position, mv, &man, &goal);
    man.write(man_effort, position.turn(), text);
    goal.write(goal_effort, position.turn(), text);
    if let Some(role) = mv.promoted() {
        text.push(b'=');
        text.push(role.letter());
    }
    if mv.kind() == MoveKind::EnPassant {
        text.push_bytes(b"e.p.");
    }
}

#[inline(always)]
fn man_and_goal(
    position: &Position,
    mv: Move,
    lineage: Option<&Lineage>,
) -> (DescribedPiece, Goal) {
    let man = DescribedPiece::new(position, mv.origin(), mv.role(), lineage);
    let goal = match position.captured_square(mv).and_then(|at| Some((at, position.role_at(at)?))) {
        Some((square, role)) => Goal::Victim(DescribedPiece::new(position, square, role, lineage)),
        None => Goal::Square(mv.target()),
    };
    (man, goal)
}

/// Rivals, each as an origin and the square that names the goal.
type Rivals = ArrayVec<(Square, Square), 512>;

/// The efforts for man and goal of the first text that fits no rival.
fn least_effort(position: &Position, mv: Move, man: &DescribedPiece, goal: &Goal) -> (u8, u8) {
    let same = match mv.role() {
        Role::Pawn => Bitboard::EMPTY,
        role => {
            let others = position.own_attackers(role, mv.target()) & !Bitboard::of(mv.origin());
            legal_among(position, role, others, mv.target())
        }
    };
    let mut rivals = Rivals::new();
    visit_rivals(position, mv, goal, same, |origin, goal| rivals.push((origin, goal)));
    if rivals.is_empty() { (0, 0) } else { effort_among(&rivals, man, goal) }
}

fn effort_among(rivals: &[(Square, Square)], man: &DescribedPiece, goal: &Goal) -> (u8, u8) {
    for effort in 1..=8u8 {
        for goal_effort in (0..=effort.min(4)).rev() {
            let (Some(origins), Some(goals)) =
                (man.squares(effort - goal_effort), goal.squares(goal_effort))
            else {
                continue;
            };
            if !rivals.iter().any(|rival| origins.has(rival.0) && goals.has(rival.1)) {
                return (effort - goal_effort, goal_effort);
            }
        }
    }
    // Both squares in full: no two moves have the same, en passant apart, which has its own mark.
    (4, if matches!(goal, Goal::Square(_)) { 1 } else { 4 })
}

/// The lengths of the texts of a move that does not castle, check marks apart: without wings, and with them where the
/// history is known. `legal_rivals` are those of [`super::Facts`].
#[inline(always)]
pub(super) fn lengths(
    position: &Position,
    mv: Move,
    legal_rivals: Bitboard,
    lineage: Option<&Lineage>,
) -> [u8; 2] {
    let (man, goal) = man_and_goal(position, mv, None);
    let same = match mv.role() {
        Role::Pawn => Bitboard::EMPTY,
        role => legal_rivals & position.role(role),
    };
    let mut rivals = Rivals::new();
    visit_rivals(position, mv, &goal, same, |origin, goal| rivals.push((origin, goal)));
    let ending =
        2 * u8::from(mv.promoted().is_some()) + 4 * u8::from(mv.kind() == MoveKind::EnPassant);
    if rivals.is_empty() {
        return [man.length(0) + goal.length(0) + ending; 2];
    }
    let length = |(man, goal): (DescribedPiece, Goal)| {
        let (man_effort, goal_effort) = effort_among(&rivals, &man, &goal);
        man.length(man_effort) + goal.length(goal_effort) + ending
    };
    let plain = length((man, goal));
    match lineage {
        None => [plain; 2],
        Some(_) => [plain, length(man_and_goal(position, mv, lineage))],
    }
}

impl Descriptive {
    fn lineage<'a>(&self, lineage: Option<&'a Lineage>) -> Option<&'a Lineage> {
        lineage.filter(|_| self.sides)
    }
}

impl Notation for Descriptive {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        write_body(ply.before(), ply.mv(), self.lineage(ply.lineage()), text);
        match ply.check() {
            Check::None => {}
            Check::Check => text.push_bytes(b"ch"),
            Check::Mate => text.push_bytes(b"mate"),
        }
    }

    fn requires(&self) -> Requires {
        Requires::Descriptive
    }

    #[inline(always)]
    fn length(&self, facts: &Facts<'_>) -> Length {
        let check_suffix = match facts.ply.check() {
            Check::None => 0,
            Check::Check => 2,
            Check::Mate => 4,
        };
        Length::ascii(
            facts.shape.castling_or(facts.descriptive[usize::from(self.sides)]) + check_suffix,
        )
    }

    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        self.read_in(text, position, None)
    }

    fn read_in(
        &self,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let lineage = self.lineage(lineage);
        let found = descriptive_text::read(text, position, lineage)?;
        let mut canonical = MoveText::default();
        write_body(position, found.mv, lineage, &mut canonical);
        let canonical = text.get(..found.body_bytes) == Some(canonical.as_bytes());
        let mut reading = Reading::of_body(found.mv, found.check_suffix, canonical);
        if found.mv.castling_side().is_some() && !found.deviations.is_empty() {
            reading.deviations = found.deviations;
        }
        Ok(reading)
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}
