//! Frequencies as tables, and the bits per ply that follow.
//!
//! Input: [`Information`]; output: `tokens.csv`, `legal_moves.csv` and `ranks.csv`, which are integers and add up,
//! and `entropy.csv`, which follows from them. A notation's bits are its entropy of order 0: for each text the binary
//! logarithm of (all plies / plies with this text). The rank code is built: a Huffman code over the ranks of
//! [`super::rank()`], whose bits are exact. Bits *held out* are those of each half of the games with the frequencies of
//! the other: what texts cost that were not counted before.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::Write;

use crate::tables::{entropy, legal_moves, ranks, tokens};

use super::Information;
use super::information::Halves;

type Table<W> = csv::Writer<W>;

/// Six bits for each square, as UCI's four characters can be packed without any other rule.
const UCI_BITS: u64 = 12;

/// The bits of a code for so many plies.
struct Bits {
    code: String,
    plies: u64,
    bits: f64,
    /// How many different symbols occur, if the bits are an estimate of their entropy from their frequencies.
    types: Option<u64>,
    /// Bits per ply of each half with the frequencies of the other.
    held_out: Option<f64>,
}

impl Bits {
    /// Of symbols that occur so often, estimated from these frequencies.
    fn estimated(code: &str, counts: &[Halves]) -> Bits {
        let (plies, bits) = order_0(counts.iter().map(|count| count.sum()));
        let types = counts.iter().filter(|count| count.sum() > 0).count() as u64;
        let code = code.to_string();
        Bits { code, plies, bits, types: Some(types), held_out: held_out(counts) }
    }

    /// Bits per ply.
    fn per_ply(&self) -> Option<f64> {
        (self.plies > 0).then(|| self.bits / self.plies as f64)
    }

    /// The plug-in estimate with what an estimate from frequencies is too small by: (types − 1) / (2 N ln 2), the
    /// correction of Miller and Madow (1955).
    fn corrected(&self) -> Option<f64> {
        let types = self.types.filter(|_| self.plies > 0)? as f64;
        let bias = (types - 1.0) / (2.0 * self.plies as f64 * std::f64::consts::LN_2);
        Some(self.per_ply()? + bias)
    }
}

/// A sum that is 0 if there are no terms: that of the standard library is -0.
pub(super) fn sum(bits: impl Iterator<Item = f64>) -> f64 {
    bits.fold(0.0, |sum, more| sum + more)
}

/// The bits of the best code that uses only the frequency of each symbol: the sum of n · log2(N / n).
pub(super) fn order_0(counts: impl Iterator<Item = u64>) -> (u64, f64) {
    let mut counts: Vec<u64> = counts.filter(|&count| count > 0).collect();
    // The same sum for the same counts, whatever their order.
    counts.sort_unstable();
    let total = counts.iter().fold(0, |sum: u64, &count| sum.saturating_add(count));
    let bits = counts.iter().map(|&n| n as f64 * (total as f64 / n as f64).log2());
    (total, sum(bits))
}

/// What is added to the frequency of every symbol of both halves (Krichevsky, Trofimov 1981): a symbol that one half
/// lacks has a code word, too.
const SMOOTHING: f64 = 0.5;

/// Bits per ply of each half with the frequencies of the other, over the plies of both: for a symbol that occurs n
/// times in the other half, of N plies and with T symbols in both halves, -log2((n + 1/2) / (N + T/2)). None if a half
/// is empty.
fn held_out(counts: &[Halves]) -> Option<f64> {
    let mut counts: Vec<[u64; 2]> = counts.iter().map(|count| count.0).collect();
    counts.retain(|count| *count != [0; 2]);
    // The same sum for the same counts, whatever their order.
    counts.sort_unstable();
    let totals = [0, 1].map(|half| counts.iter().map(|count| count[half] as f64).sum::<f64>());
    let types = counts.len() as f64;
    let bits_of = |coded: usize| {
        let all = totals[1 - coded] + SMOOTHING * types;
        let bits = |count: &[u64; 2]| {
            let frequency = count[1 - coded] as f64 + SMOOTHING;
            count[coded] as f64 * (all / frequency).log2()
        };
        sum(counts.iter().map(bits))
    };
    let is_there = totals.iter().all(|&plies| plies > 0.0);
    is_there.then(|| (bits_of(0) + bits_of(1)) / (totals[0] + totals[1]))
}

/// The bits of a Huffman code: the sum of its inner nodes. A single symbol needs none.
fn huffman(counts: impl Iterator<Item = u64>) -> u64 {
    let mut heap: BinaryHeap<Reverse<u64>> = counts.filter(|&n| n > 0).map(Reverse).collect();
    let mut bits = 0;
    while let (Some(Reverse(least)), Some(Reverse(next))) = (heap.pop(), heap.pop()) {
        let both = least.saturating_add(next);
        bits = both.saturating_add(bits);
        heap.push(Reverse(both));
    }
    bits
}

/// All codes, the notations first.
fn codes(information: &Information) -> Vec<Bits> {
    let mut codes: Vec<Bits> = information
        .tokens()
        .map(|(name, tokens)| {
            let counts: Vec<Halves> = tokens.iter().map(|(_, plies)| *plies).collect();
            Bits::estimated(name, &counts)
        })
        .collect();
    let plies = information.legal_moves().fold(0, |sum: u64, (_, plies)| sum.saturating_add(plies));
    let of = |code: &str, bits| Bits {
        code: code.to_string(),
        plies,
        bits,
        types: None,
        held_out: None,
    };
    let choices = information.legal_moves().map(|(count, n)| n as f64 * (count as f64).log2());
    codes.push(of("uci-12-bits", UCI_BITS as f64 * plies as f64));
    codes.push(of("legal-moves", sum(choices)));
    let ranks: Vec<Halves> = information.ranks().map(|(_, plies)| plies).collect();
    codes.push(Bits { plies, ..Bits::estimated("rank-entropy", &ranks) });
    codes.push(of("rank-huffman", huffman(ranks.iter().map(|count| count.sum())) as f64));
    codes
}

/// Writes `entropy.csv`: bits by code.
///
/// # Errors
/// Those of the writer.
pub fn write_entropy<W: Write>(information: &Information, out: &mut Table<W>) -> csv::Result<()> {
    out.write_record(entropy::SCHEMA.header())?;
    for code in codes(information) {
        let decimal =
            |bits: Option<f64>| bits.map_or_else(String::new, |bits| format!("{bits:.4}"));
        let types = code.types.map_or_else(String::new, |types| types.to_string());
        let (per_ply, corrected) = (decimal(code.per_ply()), decimal(code.corrected()));
        let held_out = decimal(code.held_out);
        let Bits { code, plies, bits, .. } = code;
        out.write_record([
            code,
            plies.to_string(),
            format!("{bits:.0}"),
            per_ply,
            types,
            corrected,
            held_out,
        ])?;
    }
    Ok(())
}

/// Writes `tokens.csv`: how often each text occurs.
///
/// # Errors
/// Those of the writer.
pub fn write_tokens<W: Write>(information: &Information, out: &mut Table<W>) -> csv::Result<()> {
    out.write_record(tokens::SCHEMA.header())?;
    for (notation, tokens) in information.tokens() {
        for (token, plies) in tokens {
            let [all, first] = fields_of(plies);
            out.write_record([notation, &token, &all, &first])?;
        }
    }
    Ok(())
}

/// The fields of a row: all, and those of the first half.
fn fields_of(plies: Halves) -> [String; 2] {
    [plies.sum().to_string(), plies.0[0].to_string()]
}

/// Writes `legal_moves.csv`: how many plies had so many legal moves.
///
/// # Errors
/// Those of the writer.
pub fn write_legal_moves<W: Write>(
    information: &Information,
    out: &mut Table<W>,
) -> csv::Result<()> {
    out.write_record(legal_moves::SCHEMA.header())?;
    let mut rows = information.legal_moves();
    rows.try_for_each(|(count, plies)| out.write_record([count.to_string(), plies.to_string()]))
}

/// Writes `ranks.csv`: how many moves had each rank.
///
/// # Errors
/// Those of the writer.
pub fn write_ranks<W: Write>(information: &Information, out: &mut Table<W>) -> csv::Result<()> {
    out.write_record(ranks::SCHEMA.header())?;
    information.ranks().try_for_each(|(rank, plies)| {
        let [all, first] = fields_of(plies);
        out.write_record([rank.to_string(), all, first])
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::chess::Position;
    use crate::notation::{self, Check, Ply};
    use crate::tasks::measure::study::{GameMoves, rank};

    #[test]
    fn codes_of_known_frequencies() {
        assert_eq!(order_0([4, 4, 4, 4].into_iter()), (16, 32.0));
        assert_eq!(order_0([8, 4, 2, 2].into_iter()), (16, 28.0));
        assert_eq!(huffman([8, 4, 2, 2].into_iter()), 28);
        assert_eq!(huffman([5, 0, 9, 12, 13, 16, 45].into_iter()), 224);
        assert_eq!((order_0([7].into_iter()), huffman([7].into_iter())), ((7, 0.0), 0));
        assert_eq!((order_0([].into_iter()).0, huffman([].into_iter())), (0, 0));
        let of =
            |halves: &[[u64; 2]]| held_out(&halves.iter().copied().map(Halves).collect::<Vec<_>>());
        // Each half has 3 of 4 and 1 of 4: 3.5 of 5 and 1.5 of 5 in the other.
        let expected = 0.75 * (5.0_f64 / 3.5).log2() + 0.25 * (5.0_f64 / 1.5).log2();
        assert!((of(&[[3, 3], [1, 1], [0, 0]]).unwrap() - expected).abs() < 1e-12);
        // A symbol that the other half lacks.
        assert!((of(&[[1, 0], [0, 1]]).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!((of(&[[7, 0]]), of(&[])), (None, None));
        let mut out = csv::Writer::from_writer(Vec::new());
        write_entropy(&Information::default(), &mut out).unwrap();
        let table = String::from_utf8(out.into_inner().unwrap()).unwrap();
        assert!(table.lines().skip(1).all(|row| row.contains(",0,0,,")), "{table}");
        let of = |types| {
            let (code, plies, bits) = (String::new(), 1_000, 4_000.0);
            Bits { code, plies, bits, types, held_out: None }
        };
        assert_eq!(of(None).corrected(), None);
        let corrected = of(Some(101)).corrected().unwrap();
        assert!((corrected - 4.072_134_752).abs() < 1e-8, "{corrected}");
    }

    /// Counts of a walk, made anew text by text and compared with the tables.
    #[test]
    fn tables_are_those_of_a_count_by_hand() {
        let (mut position, mut game) = (Position::initial(), GameMoves::default());
        let (mut san, mut legal) = (Vec::new(), Vec::new());
        let mut ranks: BTreeMap<usize, u64> = BTreeMap::new();
        for step in 0..120usize {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[step * 7 % moves.len()];
            let after = position.play(mv);
            game.push(&Ply::new(&position, mv, &after, Check::of(&after)));
            san.push(notation::write(notation::SAN, &position, mv).to_string());
            legal.push(moves.len());
            *ranks.entry(rank(&position, mv).before + 1).or_default() += 1;
            position = after;
        }
        let mut information = Information::default();
        information.add(&game, 0);
        let plies = san.len() as u64;
        assert!(plies > 60 && game.has_history());
        assert_eq!(game.san_bytes(), san.iter().map(|text| text.len() + 1).sum::<usize>());
        let (_, tokens) = information.tokens().next().unwrap();
        assert_eq!(tokens.iter().map(|(_, plies)| plies.sum()).sum::<u64>(), plies);
        for (token, count) in &tokens {
            assert_eq!(san.iter().filter(|text| *text == token).count() as u64, count.sum());
        }
        let found = information.ranks().map(|(rank, plies)| (rank, plies.sum()));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), ranks);
        let probability =
            |text: &String| san.iter().filter(|other| *other == text).count() as f64 / plies as f64;
        let entropy: f64 = san.iter().map(|text| -probability(text).log2()).sum();
        let choices: f64 = legal.iter().map(|&count| (count as f64).log2()).sum();
        let codes = codes(&information);
        let bits = |name: &str| codes.iter().find(|bits| bits.code == name).unwrap().bits;
        assert!((bits("san") - entropy).abs() < 1e-6);
        assert!((bits("legal-moves") - choices).abs() < 1e-6);
        assert!(bits("rank-entropy") <= bits("rank-huffman"));
        assert!(bits("rank-huffman") < bits("rank-entropy") + plies as f64);
        // Texts that differ where the others differ have the same entropy.
        assert_eq!(bits("uci"), bits("iccf"));
        let mut twice = information.clone();
        twice.merge(&information);
        let mut again = Information::default();
        again.add(&game, 0);
        again.add(&game, 0);
        assert_eq!(twice, again);
        // Reading its rows gives the same counts.
        let mut read = Information::default();
        for (notation, tokens) in twice.tokens() {
            let mut rows = tokens.iter().map(|(token, plies)| (token, [plies.sum(), plies.0[0]]));
            assert!(rows.all(|(token, plies)| read.add_tokens(notation, token, plies)));
        }
        assert!(twice.legal_moves().all(|(count, plies)| read.add_legal_moves(count, plies)));
        let mut ranks = twice.ranks().map(|(rank, plies)| (rank, [plies.sum(), plies.0[0]]));
        assert!(ranks.all(|(rank, plies)| read.add_ranks(rank, plies)));
        assert_eq!(read, twice);
        assert!(!read.add_tokens("san", "", [1, 0]) && !read.add_tokens("none", "e4", [1, 0]));
        assert!(!read.add_tokens("san", "e4", [1, 2]) && !read.add_ranks(1, [1, 2]));
        assert!(!read.add_ranks(0, [1, 0]) && !read.add_legal_moves(0, 1));
    }
}
