//! Student's t: how many standard errors the ends of an interval of 95 % are from its middle.
//!
//! Input: degrees of freedom, which need not be whole; output: the quantile of 97.5 %. Invariant: it falls with the
//! degrees, towards that of the normal distribution. Up to 30 degrees it is tabulated (Abramowitz and Stegun, table
//! 26.10), at the whole number below; beyond, it is the expansion 26.7.5 of the same book, which is exact to three
//! decimals there.

use pgnmill_core::tables::se::NORMAL_95;

/// The quantiles of 97.5 % for 1, 2, ... 30 degrees of freedom.
const TABULATED: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The quantile; none below one degree of freedom, where nothing follows from a sample.
pub(super) fn quantile_95(degrees: f64) -> Option<f64> {
    if degrees.is_nan() || degrees < 1.0 {
        return None;
    }
    if let Some(&tabulated) = TABULATED.get(degrees as usize - 1) {
        return Some(tabulated);
    }
    let z = NORMAL_95;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    Some(z + first / degrees + second / degrees.powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of the distribution between both ends, by the trapezoidal rule.
    fn covered(degrees: f64, end: f64) -> f64 {
        let density = |t: f64| (1.0 + t * t / degrees).powf(-(degrees + 1.0) / 2.0);
        // With t = tan(a) the tails end.
        let integral = |to: f64| {
            let steps = 20_000;
            let part = to.atan() / f64::from(steps);
            let at = |step: f64| {
                let angle = part * step;
                density(angle.tan()) / angle.cos().powi(2)
            };
            (0..steps).map(|step| part * at(f64::from(step) + 0.5)).sum::<f64>()
        };
        integral(end) / integral(f64::MAX)
    }

    #[test]
    fn ninety_five_per_cent_are_between_the_ends() {
        for degrees in [1.0, 2.0, 3.0, 5.0, 17.0, 30.0, 31.0, 49.5, 185.0, 5_000.0] {
            let end = quantile_95(degrees).unwrap();
            let share = covered(degrees, end);
            assert!((share - 0.95).abs() < 2e-4, "{degrees}: {end} {share}");
        }
    }

    #[test]
    fn it_falls_towards_the_normal_distribution() {
        let all: Vec<f64> = (1..400).map(|d| quantile_95(f64::from(d)).unwrap()).collect();
        assert!(all.windows(2).all(|pair| pair[0] > pair[1]), "{all:?}");
        assert!((quantile_95(1e9).unwrap() - NORMAL_95).abs() < 1e-6);
        // Between whole numbers the interval is not too short.
        assert_eq!(quantile_95(5.9), quantile_95(5.0));
        assert_eq!([quantile_95(0.5), quantile_95(f64::NAN)], [None, None]);
    }
}
