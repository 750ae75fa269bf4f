//! Games by their results, in parts of a whole.
//!
//! In: games that White won, drawn ones, games that Black won; a whole, such as 100 or the cells of a bar. Out: three
//! whole numbers that add up to it. Invariant: a part differs from its exact share by less than one. Cost: a few
//! divisions.
//!
//! ```
//! use pgnmill_core::tasks::positions::result_shares;
//! assert_eq!(result_shares([1, 1, 1], 100), Some([34, 33, 33]));
//! assert_eq!(result_shares([0, 0, 0], 100), None);
//! ```

/// Divides a whole in proportion to games by their results, by largest remainders; `None` if there are no games with a
/// result.
pub fn result_shares(games: [u64; 3], whole: u64) -> Option<[u64; 3]> {
    let sum: u128 = games.iter().map(|count| u128::from(*count)).sum();
    if sum == 0 {
        return None;
    }
    let exact = games.map(|count| u128::from(count) * u128::from(whole));
    let mut parts = exact.map(|part| (part / sum) as u64);
    let mut order = [0, 1, 2];
    order.sort_by_key(|&index| std::cmp::Reverse(exact[index] % sum));
    let missing = whole - parts.iter().sum::<u64>();
    order.into_iter().take(missing as usize).for_each(|index| parts[index] += 1);
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_and_near_their_share() {
        for games in [[1, 1, 1], [0, 0, 1], [7, 2, 91], [u64::MAX; 3], [999, 1, 0]] {
            for whole in [0, 1, 20, 100] {
                let parts = result_shares(games, whole).unwrap();
                assert_eq!(parts.iter().sum::<u64>(), whole);
                let sum: f64 = games.iter().map(|count| *count as f64).sum();
                for (part, count) in parts.iter().zip(games) {
                    assert!((*part as f64 - whole as f64 * count as f64 / sum).abs() < 1.0);
                }
            }
        }
        assert_eq!(result_shares([0; 3], 20), None);
    }
}
