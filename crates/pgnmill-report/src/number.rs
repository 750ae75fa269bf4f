//! Numbers as people read them.
//!
//! Input: counts and ratios; output: text: a comma at every third digit, a given number of decimals, a true minus
//! sign. Invariant: the same number gives the same text on every machine.

/// A whole number with a comma at every third digit.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A ratio with this many decimals; nothing where it is no number.
pub(super) fn decimal(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        return String::new();
    }
    let plain = format!("{:.digits$}", number.abs());
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    // Minus nothing is nothing.
    let is_zero = plain.bytes().all(|byte| byte == b'0' || byte == b'.');
    let sign = if number < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{}{rest}", whole.parse().map_or_else(|_| whole.to_string(), grouped))
}

/// A change, with a plus or a minus; neither if it is 0.
pub(super) fn signed(number: f64, digits: usize) -> String {
    let text = decimal(number, digits);
    match number > 0.0 && text.bytes().any(|byte| byte.is_ascii_digit() && byte != b'0') {
        true => format!("+{text}"),
        false => text,
    }
}

/// The amount of a change in per cent, and whether it is more or less.
pub(super) fn in_words(change: f64) -> String {
    format!("{} % {}", decimal(change.abs(), 1), if change > 0.0 { "more" } else { "less" })
}

/// One number over another; no number where there is nothing to divide by.
pub(super) fn ratio(numerator: u64, denominator: u64) -> f64 {
    match denominator {
        0 => f64::NAN,
        _ => numerator as f64 / denominator as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number has a comma before each three digits, and without them it is itself.
    #[test]
    fn separators_stand_at_every_third_digit() {
        let powers = (0..20).map(|power| 10u64.pow(power));
        for number in
            powers.flat_map(|power| [power - 1, power, power + 1, power.saturating_mul(7)])
        {
            let text = grouped(number);
            assert_eq!(text.replace(',', ""), number.to_string());
            let parts: Vec<&str> = text.split(',').collect();
            assert!((1..=3).contains(&parts[0].len()) && parts[1..].iter().all(|p| p.len() == 3));
        }
    }

    #[test]
    fn more_is_more_and_less_is_less() {
        assert_eq!(in_words(27.34), "27.3 % more");
        assert_eq!(in_words(-27.34), "27.3 % less");
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(12_345_678), "12,345,678");
        assert_eq!(decimal(1234.5, 2), "1,234.50");
        assert_eq!(decimal(-0.126, 2), "−0.13");
        assert_eq!(decimal(-0.001, 2), "0.00");
        assert_eq!(decimal(ratio(1, 0), 3), "");
        assert_eq!(signed(2.0, 1), "+2.0");
        assert_eq!(signed(-2.0, 1), "−2.0");
        assert_eq!(signed(0.01, 1), "0.0");
    }
}
