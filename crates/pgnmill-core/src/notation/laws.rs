//! The laws that every registered notation keeps, run over the whole registry.
//!
//! Input: [`NOTATIONS`] and the positions of `positions.rs`; output: one line per breach: law, notation, FEN, move,
//! text. A notation that lawfully breaks a law declares it in [`breach::EXCEPTIONS`]: such breaches are counted and
//! printed, and an exception that covers nothing is an error itself.
//!
//!
//! Cost: a second or two at the short depth. The number of mutants is divided among the notations, so that the time
//! does not
//! grow with the registry.

#![allow(clippy::print_stdout, reason = "tests say what they counted and what they skipped")]

mod breach;
mod broken;
mod generous;
mod lengths;
mod positions;

use std::collections::HashMap;

use pgnmill_dice::trials;
use rayon::prelude::*;

use super::{
    Check, Chosen, DecodeError, Digits, FREE_COUNT, Facts, Length, Lineage, MAIN,
    MOVE_TEXT_BYTES_MAX, MoveText, NOTATIONS, Notation, Ply, SHAPED_COUNT, Shape, UCI, find, free,
    is_same, oracle, write, write_in,
};
use crate::chess::{Move, Position, Role};
use breach::{Breach, Law, assert_kept};
use positions::Random;

/// One notation in one position, and where its breaches go.
struct Trial<'a> {
    notation: &'a dyn Notation,
    position: &'a Position,
    breaches: &'a mut Vec<Breach>,
}

impl Trial<'_> {
    fn breach(&mut self, law: Law, mv: Option<Move>, text: &[u8], detail: impl Into<String>) {
        self.breaches.push(Breach {
            law,
            notation: self.notation.info().name,
            position: *self.position,
            mv,
            text: text.to_vec(),
            detail: detail.into(),
        });
    }

    /// Length, alphabet, the characters of a text and its first one.
    fn bounded(&mut self, mv: Move, text: &MoveText) {
        let (info, bytes) = (self.notation.info(), text.as_bytes());
        let Ok(written) = std::str::from_utf8(bytes) else {
            return self.breach(Law::Bounded, Some(mv), bytes, "not UTF-8");
        };
        if written.is_empty() || bytes.len() > info.bytes_max {
            self.breach(Law::Bounded, Some(mv), bytes, format!("of {} bytes", info.bytes_max));
        }
        if text.characters_count() > info.characters_max {
            let detail = format!("of {} characters", info.characters_max);
            self.breach(Law::Bounded, Some(mv), bytes, detail);
        }
        if let Some(other) = written.chars().find(|&character| !info.alphabet.contains(character)) {
            self.breach(Law::Bounded, Some(mv), bytes, format!("{other:?} not in the alphabet"));
        }
        if info.digits == Digits::Never && bytes.first().is_some_and(u8::is_ascii_digit) {
            // `0-0` begins with a digit but can be no move number, as it goes on with a dash.
            if !bytes.starts_with(b"0-0") {
                self.breach(Law::Bounded, Some(mv), bytes, "begins with a digit");
            }
        }
        if info.digits == Digits::Lead && bytes.iter().all(u8::is_ascii_digit) {
            self.breach(Law::Bounded, Some(mv), bytes, "digits alone");
        }
    }

    /// Read and decode give the move back.
    fn reads_back(&mut self, mv: Move, check: Check, text: &[u8]) {
        match self.notation.decode(self.position, text) {
            Ok(decoded) if decoded == mv => {}
            other => self.breach(Law::RoundTrip, Some(mv), text, format!("decoded {other:?}")),
        }
        match self.notation.read(text, self.position) {
            Ok(reading)
                if reading.mv == mv
                    && reading.deviations.is_empty()
                    && reading.check_suffix.deviation(check).is_none() => {}
            other => self.breach(Law::RoundTrip, Some(mv), text, format!("read {other:?}")),
        }
    }

    /// All texts of a position: injective, bounded, canonical, read back.
    fn writing(&mut self, plies: &[Ply<'_>]) {
        let mut texts: HashMap<Vec<u8>, Move> = HashMap::with_capacity(plies.len());
        for ply in plies {
            let mut text = MoveText::default();
            self.notation.encode_ply(ply, &mut text);
            self.bounded(ply.mv(), &text);
            let detail = self.notation.length(&Facts::of(ply));
            if detail != Length::of(&text) {
                let detail = format!("not {detail:?}");
                self.breach(Law::Length, Some(ply.mv()), text.as_bytes(), detail);
            }
            self.reads_back(ply.mv(), ply.check(), text.as_bytes());
            // A new ply, whose facts are not yet computed.
            let alone = write(self.notation, self.position, ply.mv());
            let mut appended = MoveText::default();
            appended.push_bytes(b"7.");
            self.notation.encode_ply(ply, &mut appended);
            if alone.as_bytes() != text.as_bytes() || appended.as_bytes()[2..] != *text.as_bytes() {
                let detail = format!("alone {alone}, appended {appended}");
                self.breach(Law::Canonical, Some(ply.mv()), text.as_bytes(), detail);
            }
            if let Some(other) = texts.insert(text.as_bytes().to_vec(), ply.mv()) {
                let detail = format!("also {other:?}");
                self.breach(Law::Injective, Some(ply.mv()), text.as_bytes(), detail);
            }
        }
    }

    /// Holds `decode` and `read` of any bytes against the oracle's answer.
    fn answers(&mut self, text: &[u8], oracle: &HashMap<Vec<u8>, Option<Move>>, legal: &[Move]) {
        let expected = oracle.get(text).copied().flatten();
        let decoded = self.notation.decode(self.position, text);
        if decoded.ok() != expected {
            let detail = format!("decoded {decoded:?}, the oracle {expected:?}");
            self.breach(Law::Agreement, expected, text, detail);
        }
        let Ok(reading) = self.notation.read(text, self.position) else { return };
        if !legal.contains(&reading.mv) {
            self.breach(Law::Honest, Some(reading.mv), text, "read as a move that is not legal");
            return;
        }
        let check = Check::of(&self.position.play(reading.mv));
        let silent =
            reading.deviations.is_empty() && reading.check_suffix.deviation(check).is_none();
        if silent && expected != Some(reading.mv) {
            self.breach(Law::Honest, Some(reading.mv), text, "read without a deviation");
        }
    }

    /// The texts of all legal moves; `None` where moves share one. This is the oracle, once a
    /// position.
    fn oracle(&self, legal: &[Move]) -> HashMap<Vec<u8>, Option<Move>> {
        let mut texts: HashMap<Vec<u8>, Option<Move>> = HashMap::with_capacity(legal.len());
        for &mv in legal {
            let text = write(self.notation, self.position, mv).as_bytes().to_vec();
            texts.entry(text).and_modify(|found| *found = None).or_insert(Some(mv));
        }
        texts
    }
}

/// Tries all notations on one position; the plies are shared, as they are when games are replayed.
fn try_writing(notations: &[&dyn Notation], position: &Position) -> Vec<Breach> {
    let afters: Vec<(Move, Position)> =
        position.legal_moves().iter().map(|&mv| (mv, position.play(mv))).collect();
    let plies: Vec<Ply<'_>> =
        afters.iter().map(|(mv, after)| Ply::new(position, *mv, after, Check::of(after))).collect();
    let mut breaches = Vec::new();
    for &notation in notations {
        Trial { notation, position, breaches: &mut breaches }.writing(&plies);
    }
    breaches
}

#[test]
fn texts_are_injective_bounded_canonical_of_the_computed_length_and_read_back() {
    // Those set up by hand are the first.
    let all = positions::all();
    let (set_up, others) = all.split_at(positions::SET_UP.len());
    let positions: Vec<_> = set_up.iter().chain(others.iter().step_by(trials(45, 2, 1))).collect();
    let breaches = positions.par_iter().flat_map(|p| try_writing(NOTATIONS, p)).collect();
    let plies: usize = positions.iter().map(|position| position.legal_moves().len()).sum();
    println!("{} notations, {} positions, {plies} plies", NOTATIONS.len(), positions.len());
    let laws = [Law::Injective, Law::Bounded, Law::Length, Law::Canonical, Law::RoundTrip];
    assert_kept(&laws, breaches);
}

/// Bytes that one notation or another gives a meaning to, and some that none does.
const BYTES: &[u8] =
    b"abcdefgh12345678NBRQKPSxX-=+#O0o:./()q*9i \xce\x9f\xd0\x9e\xe2\x99\x98\x80\xff\0";

/// A text with one byte replaced, dropped or put in, or with two neighbours changed about.
fn mutants(text: &[u8], visit: &mut impl FnMut(&[u8])) {
    let mut mutant = Vec::with_capacity(text.len() + 1);
    for index in 0..=text.len() {
        let (head, tail) = text.split_at(index);
        let mut with = |bytes: &[u8], tail: &[u8]| {
            mutant.clear();
            mutant.extend_from_slice(head);
            mutant.extend_from_slice(bytes);
            mutant.extend_from_slice(tail);
            visit(&mutant);
        };
        for byte in BYTES {
            with(&[*byte], tail);
        }
        if let [first, second, rest @ ..] = tail {
            with(&[*second, *first], rest);
        }
        if let [_, rest @ ..] = tail {
            with(&[], rest);
            for byte in BYTES {
                with(&[*byte], rest);
            }
        }
    }
}

/// Mutates texts of one notation in one position until `limit` mutants were tried; returns how
/// many.
fn try_mutants(
    notation: &dyn Notation,
    position: &Position,
    limit: usize,
    breaches: &mut Vec<Breach>,
) -> usize {
    let legal = position.legal_moves();
    let mut trial = Trial { notation, position, breaches };
    let oracle = trial.oracle(&legal);
    let mut texts: Vec<&Vec<u8>> = oracle.keys().collect();
    texts.sort_unstable();
    let mut random = Random::seeded(limit as u64 + position.fullmove_number() as u64);
    let mut tried = 0;
    while tried < limit && !texts.is_empty() {
        let text = texts.swap_remove(random.below(texts.len()));
        trial.answers(text, &oracle, &legal);
        if oracle::decode(notation, text, position) != oracle[text].ok_or(DecodeError::Ambiguous) {
            trial.breach(Law::Agreement, None, text, "the oracle contradicts itself");
        }
        mutants(text, &mut |mutant| {
            trial.answers(mutant, &oracle, &legal);
            tried += 1;
        });
    }
    tried
}

#[test]
fn decoders_agree_with_the_oracle_on_every_mutant() {
    let mutants_count: usize = trials(60_000, 700_000, 100_000_000);
    // Those set up by hand, and others spread over the list.
    let all = positions::all();
    let (set_up, others) = all.split_at(positions::SET_UP.len());
    let others = others.iter().step_by(others.len() / trials(20, 100, 200));
    let positions: Vec<&Position> = set_up.iter().chain(others).collect();
    let limit = mutants_count / (positions.len() * NOTATIONS.len());
    let (breaches, tried) = positions
        .par_iter()
        .map(|position| {
            let (mut breaches, mut tried) = (Vec::new(), 0);
            for &notation in NOTATIONS {
                tried += try_mutants(notation, position, limit, &mut breaches);
            }
            (breaches, tried)
        })
        .reduce(
            || (Vec::new(), 0),
            |(mut breaches, tried), (more, count)| {
                breaches.extend(more);
                (breaches, tried + count)
            },
        );
    println!("{tried} mutants in {} positions", positions.len());
    assert_kept(&[Law::Agreement, Law::Honest], breaches);
}

#[test]
fn any_bytes_are_answered() {
    let mut random = Random::seeded(960);
    let mut breaches = Vec::new();
    for position in positions::all().iter().step_by(150) {
        let legal = position.legal_moves();
        for &notation in NOTATIONS {
            let mut trial = Trial { notation, position, breaches: &mut breaches };
            let (oracle, alphabet) = (trial.oracle(&legal), notation.info().alphabet.as_bytes());
            for round in 0..120 {
                let length = random.below(if round % 10 == 0 { 200 } else { 9 });
                let bytes: Vec<u8> = (0..length)
                    .map(|_| match random.below(3) {
                        0 => random.below(256) as u8,
                        1 => BYTES[random.below(BYTES.len())],
                        _ => alphabet[random.below(alphabet.len())],
                    })
                    .collect();
                trial.answers(&bytes, &oracle, &legal);
            }
        }
    }
    assert_kept(&[], breaches);
}

#[test]
fn examples_of_the_sources_hold() {
    let uci = UCI;
    let mut breaches = Vec::new();
    for &notation in NOTATIONS {
        for &(fen, coordinates, text) in notation.info().examples {
            let position = positions::read(fen);
            let mv = uci.read(coordinates.as_bytes(), &position).expect("a legal move").mv;
            let check = Check::of(&position.play(mv));
            let written = write(notation, &position, mv);
            let mut trial = Trial { notation, position: &position, breaches: &mut breaches };
            if written.as_bytes() != text.as_bytes() {
                trial.breach(Law::Faithful, Some(mv), text.as_bytes(), format!("not {written}"));
            }
            trial.reads_back(mv, check, text.as_bytes());
        }
    }
    assert_kept(&[Law::Faithful], breaches);
}

#[test]
fn every_notation_is_described() {
    for (index, notation) in NOTATIONS.iter().enumerate() {
        let info = notation.info();
        let kebab = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(info.name.bytes().all(kebab) && !info.name.is_empty(), "{}", info.name);
        assert!(NOTATIONS[..index].iter().all(|other| other.info().name != info.name));
        assert!(find(info.name).is_some_and(|found| found.info().name == info.name));
        for words in [info.title, info.source, info.about] {
            assert!(!words.trim().is_empty() && words.trim() == words, "{}", info.name);
        }
        assert!(!info.examples.is_empty(), "{} shows no example", info.name);
        assert!(info.characters_max <= info.bytes_max, "{}", info.name);
        assert!(info.bytes_max <= MOVE_TEXT_BYTES_MAX, "{}", info.name);
        let unfit = |c: char| c.is_whitespace() || c.is_control() || "{}()[];".contains(c);
        assert!(!info.alphabet.contains(unfit), "{}: {}", info.name, info.alphabet);
        let mut alphabet: Vec<char> = info.alphabet.chars().collect();
        alphabet.sort_unstable();
        assert!(alphabet.windows(2).all(|pair| pair[0] != pair[1]), "{}", info.name);
    }
}
