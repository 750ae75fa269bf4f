//! A position in the bytes of a comment that advances over what it reads: digits, signs, numbers, decimals.
//!
//! In: bytes. Out: numbers; `None` where what is required does not follow. Invariant: any bytes have a result, and no
//! number overflows. Cost: each byte once; nothing is allocated.

/// Reads a value; each method advances over what it reads, and returns `None` where that is malformed.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    /// The bytes.
    pub(super) text: &'a [u8],
    /// The offset of the next one.
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// The next byte.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Advances over a byte if it is the next one.
    #[inline(always)]
    pub(super) fn accept(&mut self, byte: u8) -> bool {
        let accepted = self.peek() == Some(byte);
        self.at += usize::from(accepted);
        accepted
    }

    /// The next byte if it is a digit: its value.
    #[inline(always)]
    pub(super) fn digit(&mut self) -> Option<u32> {
        let digit = self.peek()?.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        self.at += 1;
        Some(u32::from(digit))
    }

    /// Advances over whitespace.
    #[inline(always)]
    pub(super) fn skip_whitespace(&mut self) {
        while self.peek().is_some_and(is_whitespace) {
            self.at += 1;
        }
    }

    /// Digits, at least one; numbers above `NUMBER_MAX` are read as one above it.
    #[inline(always)]
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut number = self.digit()?;
        while let Some(digit) = self.digit() {
            number = if number > NUMBER_MAX { number } else { number * 10 + digit };
        }
        Some(number)
    }

    /// Digits, at least one, as a number of 63 bits.
    #[inline(always)]
    pub(super) fn long_number(&mut self) -> Option<i64> {
        let mut number = i64::from(self.digit()?);
        while let Some(digit) = self.digit() {
            number = number.checked_mul(10)?.checked_add(i64::from(digit))?;
        }
        Some(number)
    }

    /// Seconds, perhaps with decimals, in milliseconds.
    #[inline(always)]
    pub(super) fn seconds(&mut self) -> Option<i32> {
        let seconds = u64::from(self.number()?);
        let thousandths = match self.accept(b'.') {
            // A point without a decimal after it ends a sentence.
            true if !self.peek()?.is_ascii_digit() => return None,
            true => self.decimals::<3>(),
            false => 0,
        };
        i32::try_from(seconds * 1_000 + u64::from(thousandths)).ok()
    }

    /// Decimals, perhaps none: the first `COUNT` as a number, rounded up if the next one is 5 or more.
    #[inline(always)]
    pub(super) fn decimals<const COUNT: usize>(&mut self) -> u32 {
        let mut number = 0;
        for _ in 0..COUNT {
            number = number * 10 + self.digit().unwrap_or(0);
        }
        number += u32::from(self.digit().unwrap_or(0) >= 5);
        while self.digit().is_some() {}
        number
    }

    /// Advances over a plus or a minus; returns whether it is a minus.
    #[inline(always)]
    pub(super) fn sign(&mut self) -> bool {
        let is_negative = self.accept(b'-');
        if !is_negative {
            self.accept(b'+');
        }
        is_negative
    }
}

/// Whitespace is every byte up to the space.
#[inline(always)]
pub(super) fn is_whitespace(byte: u8) -> bool {
    byte <= b' '
}

/// Above all numbers that matter: seconds of `i32::MAX` milliseconds, and the limits of evaluations. A thousand times
/// this number fits into `u32`.
pub(super) const NUMBER_MAX: u32 = 4_000_000;

/// A magnitude and its sign, clamped.
#[inline(always)]
pub(super) fn clamp(magnitude: u32, is_negative: bool) -> i16 {
    let magnitude = magnitude.min(i16::MAX as u32) as i16;
    if is_negative { -magnitude } else { magnitude }
}
