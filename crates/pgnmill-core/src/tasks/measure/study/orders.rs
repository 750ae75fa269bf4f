//! Bits of the texts of each notation in adaptive models of order k, whose probabilities depend on the last k bytes.
//!
//! In: a batch of games. Out: by notation and order the plies, bytes and bits, which add up ([`Orders`]). The texts are
//! those that are compressed ([`super::compress`]). A byte is eight decisions; the probability of a decision is that of
//! the longest context of at most k bytes in which this decision occurred before, (n + ½) / (N + 1) of its occurrences
//! there (Krichevsky and Trofimov 1981), and ½ if there is none. Before the first byte are zeros. Invariants: the bits
//! are those that a range coder wrote, and are decoded in one pass, which the tests do; integers only; every batch
//! begins with nothing learnt, so that the bits depend on the archive alone. All orders up to the requested one are
//! coded at once. Cost: of a byte 8 look-ups per order.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;

use pgnmill_state::state;

use crate::tables::{Grid, orders};

use super::bits::{Bits, ONE, Writer};
use super::compress::Batch;
use super::information::Mix;
use super::{Studied, notations};

/// The largest order.
pub const ORDER_MAX: usize = 5;

/// How often a decision was false and true.
type Counter = [u32; 2];

/// What was learnt of a text.
#[derive(Debug)]
struct Model {
    /// How many orders there are: those below this number.
    orders: usize,
    /// By order, bytes before and decisions of this byte: the index of a counter.
    places: HashMap<u64, u32, BuildHasherDefault<Mix>>,
    counters: Vec<Counter>,
    /// The last bytes, the last one lowest.
    last: u64,
}

impl Model {
    fn new(orders: usize) -> Model {
        Model { orders, places: HashMap::default(), counters: Vec::new(), last: 0 }
    }

    /// Codes a byte and learns it: with coders of the highest orders, which all have the same byte.
    fn code<B: Bits>(&mut self, coders: &mut [B], byte: u8) -> u8 {
        let mut node = 1_u64;
        for bit in (0..8).rev() {
            let (places, likely) = self.expected(node);
            let decision = byte >> bit & 1 == 1;
            let first = self.orders.saturating_sub(coders.len());
            let coded = coders.iter_mut().zip(&likely[first..]);
            let decision = coded.fold(decision, |it, (coder, &likely)| coder.bit(likely, it));
            for &place in &places[..self.orders] {
                self.counters[place as usize][usize::from(decision)] += 1;
            }
            node = node << 1 | u64::from(decision);
        }
        self.last = self.last << 8 | node & 0xff;
        node as u8
    }

    /// The counters of the next decision, and its probability, by order.
    fn expected(&mut self, node: u64) -> ([u32; ORDER_MAX + 1], [u64; ORDER_MAX + 1]) {
        let (mut places, mut likely) = ([0; ORDER_MAX + 1], [0; ORDER_MAX + 1]);
        let mut longest = ONE / 2;
        for order in 0..self.orders {
            let context = self.last & !(u64::MAX << (8 * order));
            let key = (order as u64) << 56 | context << 8 | node;
            let next = self.counters.len() as u32;
            let place = *self.places.entry(key).or_insert(next);
            if place == next {
                self.counters.push([0; 2]);
            }
            let [no, yes] = self.counters[place as usize].map(u64::from);
            if no + yes > 0 {
                longest = ((2 * yes + 1) << 32) / (2 * (no + yes) + 2);
            }
            (places[order], likely[order]) = (place, longest);
        }
        (places, likely)
    }
}

/// The bytes that each order up to `order` makes of a text.
pub(super) fn written(text: &[u8], order: usize) -> Vec<Vec<u8>> {
    let orders = order.min(ORDER_MAX) + 1;
    let (mut model, mut writers) = (Model::new(orders), vec![Writer::new(); orders]);
    for &byte in text {
        model.code(&mut writers, byte);
    }
    writers.into_iter().map(Writer::finish).collect()
}

/// The text of this many bytes of which `order` made these.
#[cfg(test)]
pub(super) fn read(coded: &[u8], order: usize, bytes: usize) -> Vec<u8> {
    let (mut model, mut reader) = (Model::new(order + 1), [super::bits::Reader::new(coded)]);
    (0..bytes).map(|_| model.code(&mut reader, 0)).collect()
}

/// The sizes of one notation and order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Size {
    plies: u64,
    bytes: u64,
    bits: u64,
}

state!(Size { plies, bytes, bits });

/// Plies, bytes and bits, by notation and order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Orders(BTreeMap<(usize, usize), Size>);

state!(Orders = sizes);

impl Orders {
    /// Nothing coded yet, of these notations in all orders up to this one.
    pub fn new(order: usize, studied: Studied) -> Orders {
        let orders = || 0..=order.min(ORDER_MAX);
        let all = studied.iter().flat_map(|(place, _)| orders().map(move |order| (place, order)));
        Orders(all.map(|key| (key, Size::default())).collect())
    }

    /// What a batch takes.
    pub fn of(batch: &Batch, order: usize, studied: Studied) -> Orders {
        let mut orders = Orders::default();
        let mut text = Vec::new();
        for (place, notation) in studied.iter() {
            let plies = batch.write(notation, &mut text);
            for (order, coded) in written(&text, order).into_iter().enumerate() {
                let (bytes, bits) = (text.len() as u64, 8 * coded.len() as u64);
                orders.0.insert((place, order), Size { plies, bytes, bits });
            }
        }
        orders
    }

    /// Has the other the same notations and orders?
    pub fn is_like(&self, other: &Orders) -> bool {
        self.0.keys().eq(other.0.keys())
    }

    /// Adds what another batch takes.
    pub fn merge(&mut self, other: &Orders) {
        for (key, more) in &other.0 {
            let size = self.0.entry(*key).or_default();
            size.plies += more.plies;
            size.bytes += more.bytes;
            size.bits += more.bits;
        }
    }

    /// The table.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(&orders::SCHEMA);
        for (&(place, order), size) in &self.0 {
            let name = notations()[place].info().name;
            grid.push(&[name, &order.to_string()], &[size.plies, size.bytes, size.bits]);
        }
        grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_dice::Dice;

    /// Texts of a few bytes, in which the same bytes follow each other often, and of any.
    fn texts() -> Vec<Vec<u8>> {
        let mut dice = Dice::new(3);
        let mut texts = vec![Vec::new(), b"e4 e5 Nf3 Nc6\n".repeat(40), vec![0; 50]];
        for _ in 0..12 {
            let words = [&b"e4 "[..], b"Nf3 ", b"\n", b"\xe2\x99\x98", b"\0", b"\xff"];
            let any = |dice: &mut Dice| words[dice.below(words.len())];
            let count = dice.below(300);
            texts.push((0..count).flat_map(|_| any(&mut dice).to_vec()).collect());
            texts.push((0..count).map(|_| dice.below(256) as u8).collect());
        }
        texts
    }

    #[test]
    fn a_text_is_read_again_from_the_bytes_of_each_order() {
        for text in texts() {
            for (order, bytes) in written(&text, ORDER_MAX).into_iter().enumerate() {
                assert_eq!(read(&bytes, order, text.len()), text, "{order}");
                // The same as if no other order were coded.
                assert_eq!(written(&text, order).last(), Some(&bytes));
            }
        }
    }

    /// A byte that follows from the one k places before it costs a bit in all orders but those of k and more.
    #[test]
    fn an_order_uses_as_many_bytes_as_it_has() {
        let mut dice = Dice::new(4);
        for distance in 1..=ORDER_MAX {
            let between = &b"abcd"[..distance - 1];
            let pairs = (0..2_000).map(|_| [*b"PR", *b"QS"][dice.below(2)]);
            let text: Vec<u8> =
                pairs.flat_map(|[one, other]| [&[one], between, &[other, b'x']].concat()).collect();
            for (order, bytes) in written(&text, ORDER_MAX).into_iter().enumerate().skip(1) {
                // The first of a pair costs a bit in any order.
                let bits = if order < distance { 4_000 } else { 2_000 };
                assert!((8 * bytes.len()).abs_diff(bits) < 1_000, "{distance} {order}");
            }
        }
    }

    /// The length is that of the probabilities, computed naively: from all earlier occurrences of each context.
    #[test]
    fn bits_are_those_of_the_probabilities() {
        for text in texts().iter().filter(|text| text.len() < 400) {
            let padded = [&[0; ORDER_MAX], &text[..]].concat();
            for (order, bytes) in written(text, ORDER_MAX).into_iter().enumerate() {
                let mut ideal = 0.0;
                for at in ORDER_MAX..padded.len() {
                    for bit in (0..8).rev() {
                        let same = |order: usize, before: usize| {
                            padded[before - order..before] == padded[at - order..at]
                                && padded[before] >> bit >> 1 == padded[at] >> bit >> 1
                        };
                        let counted = |order: usize| {
                            let met = (ORDER_MAX..at).filter(|&before| same(order, before));
                            let ones = met.clone().filter(|&it| padded[it] >> bit & 1 == 1);
                            (ones.count() as f64, met.count() as f64)
                        };
                        let longest = (0..=order).rev().map(counted).find(|met| met.1 > 0.0);
                        let (ones, all) = longest.unwrap_or((0.0, 0.0));
                        let one = (ones + 0.5) / (all + 1.0);
                        let is_one = padded[at] >> bit & 1 == 1;
                        ideal -= if is_one { one } else { 1.0 - one }.log2();
                    }
                }
                let bits = 8.0 * bytes.len() as f64;
                assert!((bits - ideal).abs() < 66.0 + ideal / 1_000.0, "{order}: {bits} {ideal}");
            }
        }
    }
}
