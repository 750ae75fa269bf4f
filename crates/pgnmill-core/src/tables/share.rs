//! The interval of a share of independent trials.
//!
//! In: how many of `n` trials had an outcome. Out: the ends of Wilson's interval of 95 % for the probability of it
//! (E. B. Wilson, *Journal of the American Statistical Association* 22, 1927): with `p` the share and `z` the normal
//! quantile,
//!
//! ```text
//! (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)
//! ```
//!
//! It lies within 0 and 1 and contains the share, also where that is 0 or 1.
//!
//! ```
//! use pgnmill_core::tables::share::wilson_95;
//!
//! let (low, high) = wilson_95(0, 100).unwrap();
//! assert!(low == 0.0 && (0.036..0.038).contains(&high));
//! ```

use super::se::NORMAL_95;

/// The ends of the interval, as shares; none without trials. A count above `of` is taken as `of`.
pub fn wilson_95(count: u64, of: u64) -> Option<(f64, f64)> {
    if of == 0 {
        return None;
    }
    let (n, count) = (of as f64, count.min(of));
    let (share, square) = (count as f64 / n, NORMAL_95 * NORMAL_95);
    let middle = share + square / (2.0 * n);
    let half = NORMAL_95 * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let scale = 1.0 + square / n;
    // Rounding must not leave the share outside.
    let low = if count == 0 { 0.0 } else { ((middle - half) / scale).clamp(0.0, share) };
    let high = if count == of { 1.0 } else { ((middle + half) / scale).clamp(share, 1.0) };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends are where the share is 1.96 standard errors of the *end* away: the definition, solved.
    #[test]
    fn the_share_is_at_the_quantile_of_both_ends() {
        for (count, of) in [(1, 2), (1, 10), (9, 10), (50, 100), (3, 1_000), (179_285, 187_170)] {
            let share = count as f64 / of as f64;
            let (low, high) = wilson_95(count, of).unwrap();
            assert!(0.0 < low && low < share && share < high && high < 1.0);
            for end in [low, high] {
                let distance = (share - end).abs() / (end * (1.0 - end) / of as f64).sqrt();
                assert!((distance - NORMAL_95).abs() < 1e-6, "{count} of {of}: {end}, {distance}");
            }
        }
    }

    #[test]
    fn ends_are_shares_whatever_the_counts() {
        assert_eq!(wilson_95(0, 0), None);
        for of in [1, 2, 3, 10, 1 << 40, u64::MAX] {
            for count in [0, 1, of / 2, of - 1, of, u64::MAX] {
                let (low, high) = wilson_95(count, of).unwrap();
                let share = count.min(of) as f64 / of as f64;
                assert!(
                    0.0 <= low && low <= share && share <= high && high <= 1.0,
                    "{count} of {of}"
                );
            }
            assert_eq!(wilson_95(0, of).unwrap().0, 0.0);
            assert_eq!(wilson_95(of, of).unwrap().1, 1.0);
        }
    }
}
