//! Values that are perhaps not known, and truth values as sets.
//!
//! In: values. Out: [`Truth`], the truth values that an expression can still have, so that it is decided as far as the
//! tag pairs decide it. The tables of `and`, `or` and `not` are those of SQL, element by element.

/// A value of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Known<T> {
    Value(T),
    /// Absent, `?`, or not readable.
    Missing,
    /// It depends on moves that were not read.
    Later,
}

impl<T> Known<T> {
    pub(super) fn of(value: Option<T>) -> Known<T> {
        value.map_or(Known::Missing, Known::Value)
    }

    pub(super) fn map<U>(self, map: impl FnOnce(T) -> U) -> Known<U> {
        match self {
            Known::Value(value) => Known::Value(map(value)),
            Known::Missing => Known::Missing,
            Known::Later => Known::Later,
        }
    }

    /// Both values; missing if either is.
    pub(super) fn zip<U>(self, other: Known<U>) -> Known<(T, U)> {
        match (self, other) {
            (Known::Value(one), Known::Value(other)) => Known::Value((one, other)),
            (Known::Missing, _) | (_, Known::Missing) => Known::Missing,
            _ => Known::Later,
        }
    }
}

/// The truth values that an expression can still have: a set of true, false and missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Truth(u8);

impl Truth {
    pub(super) const TRUE: Truth = Truth(1);
    pub(super) const FALSE: Truth = Truth(2);
    pub(super) const MISSING: Truth = Truth(4);
    /// Any of the three.
    pub(super) const OPEN: Truth = Truth(7);
    /// True or false.
    pub(super) const EITHER: Truth = Truth(3);

    #[inline]
    pub(super) fn of(value: Known<bool>) -> Truth {
        match value {
            Known::Value(true) => Truth::TRUE,
            Known::Value(false) => Truth::FALSE,
            Known::Missing => Truth::MISSING,
            Known::Later => Truth::OPEN,
        }
    }

    /// Is it one value?
    pub(super) fn is_decided(self) -> bool {
        self.0.count_ones() == 1
    }

    pub(super) fn can_be(self, other: Truth) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn not(self) -> Truth {
        Truth((self.0 & 1) << 1 | (self.0 & 2) >> 1 | self.0 & 4)
    }

    /// As SQL: false if either is false, else missing if either is missing.
    pub(super) fn and(self, other: Truth) -> Truth {
        let both = self.0 & other.0 & 1;
        let either_false = (self.0 | other.0) & 2;
        let known = |truth: Truth| truth.0 & 5;
        let missing = known(self) != 0 && known(other) != 0 && (self.0 | other.0) & 4 != 0;
        // Missing requires one of both to be missing, and the other not false.
        let missing =
            missing && (self.0 & 4 != 0 && other.0 & 5 != 0 || other.0 & 4 != 0 && self.0 & 5 != 0);
        Truth(both | either_false | u8::from(missing) << 2)
    }

    pub(super) fn or(self, other: Truth) -> Truth {
        self.not().and(other.not()).not()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of SQL, for all sets of values.
    #[test]
    fn sets_of_truth_values_combine_as_their_elements() {
        let elements = |set: u8| [1, 2, 4].into_iter().filter(move |bit| set & bit != 0);
        let and = |one: u8, other: u8| match (one, other) {
            (2, _) | (_, 2) => 2,
            (4, _) | (_, 4) => 4,
            _ => 1,
        };
        for one in 1..8 {
            assert_eq!(Truth(one).not().not(), Truth(one));
            for other in 1..8 {
                let pairs = elements(one).flat_map(|a| elements(other).map(move |b| (a, b)));
                let expected = pairs.fold(0, |set, (a, b)| set | and(a, b));
                assert_eq!(Truth(one).and(Truth(other)), Truth(expected), "{one} {other}");
            }
        }
        assert_eq!(Truth::TRUE.or(Truth::MISSING), Truth::TRUE);
        assert_eq!(Truth::FALSE.or(Truth::MISSING), Truth::MISSING);
    }
}
