//! Codes for moves that use the position, and how many bits they need.
//!
//! In: a batch of games. Out: by code the games, the plies and the bits that were written ([`Coded`]), which add up. A
//! code writes which of the legal moves was played. Starting positions and numbers of plies are not in it, and neither
//! are they in the characters of a notation. Invariants: each code can be decoded in one pass, which the tests do:
//! nothing is learnt of what is not yet decoded; integers only. Every batch begins with nothing learnt, so that the
//! bits depend on the archive alone. Cost: the estimate of all legal moves and, by far the most, `ply-context`; some
//! ten thousand instructions per ply.
//!
//! ```
//! use pgnmill_core::tasks::measure::study::Code;
//! assert_eq!(Code::find("ply-context"), Some(Code::PlyContext));
//! ```

mod choices;
mod context;
mod lichess;
mod lichess_words;
mod logistic;
mod openings;
mod places;

use std::collections::BTreeMap;

use pgnmill_state::state;

use crate::tables::legal_moves::LEGAL_MOVES_MAX;

use super::GameMoves;
use super::bits::{Bits as _, Writer};
use choices::Choices;
use context::Contexts;
use lichess::Words;
use openings::Openings;
use places::Places;

/// A code for moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// All legal moves are equally likely.
    LegalMoves,
    /// Adaptive frequencies of the move's rank among the legal ones.
    RankAdaptive,
    /// Code words of the move's place in the order of lichess.org.
    LichessHuffman,
    /// What was played in the same position before; otherwise the rank.
    OpeningRank,
    /// Probabilities in many contexts, mixed.
    PlyContext,
}

state!(enum Code {
    0 => LegalMoves, 1 => RankAdaptive, 2 => LichessHuffman, 3 => OpeningRank, 4 => PlyContext,
});

impl Code {
    /// All codes, in the order of the table.
    pub const ALL: [Code; 5] = [
        Code::LegalMoves,
        Code::RankAdaptive,
        Code::LichessHuffman,
        Code::OpeningRank,
        Code::PlyContext,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Code::LegalMoves => "legal-moves",
            Code::RankAdaptive => "rank-adaptive",
            Code::LichessHuffman => "lichess-huffman",
            Code::OpeningRank => "opening+rank",
            Code::PlyContext => "ply-context",
        }
    }

    /// The code with this name.
    pub fn find(name: &str) -> Option<Code> {
        Code::ALL.into_iter().find(|code| code.name() == name)
    }

    /// Are its symbols counted, from which an entropy follows?
    pub const fn has_symbols(self) -> bool {
        matches!(self, Code::LegalMoves | Code::RankAdaptive | Code::LichessHuffman)
    }
}

/// What a code wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CodeSize {
    /// Games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// The bits of all plies.
    pub bits: u64,
}

state!(CodeSize { games, plies, bits });

/// What every code wrote, and how often each symbol was.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coded {
    written: BTreeMap<Code, CodeSize>,
    /// By code and symbol: the number of legal moves, or the place from 1 on.
    symbols: BTreeMap<(Code, usize), u64>,
}

state!(Coded { written, symbols });

/// Adds to a sum; returns whether it fits.
fn add(sum: &mut u64, more: u64) -> bool {
    let together = sum.checked_add(more);
    *sum = together.unwrap_or(*sum);
    together.is_some()
}

impl Coded {
    /// Adds what a code wrote. Returns whether the sums fit.
    pub fn add(&mut self, code: Code, more: CodeSize) -> bool {
        let sum = self.written.entry(code).or_default();
        add(&mut sum.games, more.games)
            & add(&mut sum.plies, more.plies)
            & add(&mut sum.bits, more.bits)
    }

    /// Adds plies with a symbol. Returns whether the code can have it and the sum fits.
    pub fn add_symbol(&mut self, code: Code, symbol: usize, plies: u64) -> bool {
        code.has_symbols()
            && (1..=LEGAL_MOVES_MAX).contains(&symbol)
            && add(self.symbols.entry((code, symbol)).or_default(), plies)
    }

    /// Adds what was coded elsewhere. Returns whether the sums fit.
    pub fn merge(&mut self, other: &Coded) -> bool {
        let symbols = || other.symbols.iter();
        other.written.iter().all(|(&code, &more)| self.add(code, more))
            && symbols().all(|(&(code, symbol), &plies)| self.add_symbol(code, symbol, plies))
    }

    /// What a code wrote.
    pub fn written(&self, code: Code) -> CodeSize {
        self.written.get(&code).copied().unwrap_or_default()
    }

    /// The symbols of a code, and how many plies had them.
    pub fn symbols(&self, code: Code) -> impl Iterator<Item = (usize, u64)> {
        let own = self.symbols.range((code, 0)..=(code, usize::MAX));
        own.map(|(&(_, symbol), &plies)| (symbol, plies))
    }

    /// Codes the games of a batch.
    pub fn of(games: &[GameMoves]) -> Coded {
        let mut coder = Coder::new();
        games.iter().for_each(|game| coder.game(game));
        coder.finish().0
    }
}

/// All codes, while they write a batch.
struct Coder {
    coded: Coded,
    legal_moves: Writer,
    rank: (Writer, Places),
    lichess: Words,
    opening: (Writer, Openings),
    context: (Writer, Contexts),
}

impl Coder {
    fn new() -> Coder {
        Coder {
            coded: Coded::default(),
            legal_moves: Writer::new(),
            rank: (Writer::new(), Places::new()),
            lichess: Words::default(),
            opening: (Writer::new(), Openings::new()),
            context: (Writer::new(), Contexts::new()),
        }
    }

    fn game(&mut self, game: &GameMoves) {
        let is_standard = game.has_history();
        let is_taken = |code: &Code| is_standard || *code != Code::LichessHuffman;
        let (games, plies) = (u64::from(!game.is_continued()), game.plies_count() as u64);
        for code in Code::ALL.into_iter().filter(is_taken) {
            self.coded.add(code, CodeSize { games, plies, bits: 0 });
        }
        let mut choices: Option<Choices> = None;
        game.replay(|ply| {
            let choices = choices.get_or_insert_with(|| Choices::of(ply.before()));
            let Some(place) = choices.place(ply.mv()) else { return };
            self.ply(choices, place, is_standard);
            choices.play(place);
        });
    }

    fn ply(&mut self, choices: &Choices, place: usize, is_standard: bool) {
        let count = choices.count();
        self.legal_moves.below(count, place);
        self.coded.add_symbol(Code::LegalMoves, count, 1);
        self.rank.1.code(&mut self.rank.0, count, place, &[]);
        self.coded.add_symbol(Code::RankAdaptive, place + 1, 1);
        self.opening.1.code(&mut self.opening.0, choices, place);
        self.context.1.code(&mut self.context.0, choices, place);
        if is_standard {
            let (mv, moves) = (choices.moves()[place].mv, choices.moves().iter().map(|it| it.mv));
            let place = lichess::place(choices.position(), moves, mv);
            self.lichess.write(place);
            self.coded.add_symbol(Code::LichessHuffman, place + 1, 1);
        }
    }

    /// The sums, and what each code wrote.
    fn finish(self) -> (Coded, [Vec<u8>; 5]) {
        let Coder { mut coded, legal_moves, rank, lichess, opening, context } = self;
        let (lichess, lichess_bits) = lichess.finish();
        let texts = [
            legal_moves.finish(),
            rank.0.finish(),
            lichess,
            opening.0.finish(),
            context.0.finish(),
        ];
        for (code, text) in Code::ALL.into_iter().zip(&texts) {
            let bits = match code {
                // The last byte is filled up once per game where games are stored one by one: not counted.
                Code::LichessHuffman => lichess_bits,
                _ => 8 * text.len() as u64,
            };
            coded.add(code, CodeSize { bits, ..CodeSize::default() });
        }
        (coded, texts)
    }
}

#[cfg(test)]
mod laws;
