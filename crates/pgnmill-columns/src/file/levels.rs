//! Definition and repetition levels: where a column of Parquet has nulls, and where its lists begin.
//!
//! In: which rows and elements are not null, and where lists end. Out: one level per value, null and empty list.
//! Invariant: a list that is null has no elements. Cost: one or two numbers of 16 bits per level.

use pgnmill_core::tasks::export::Ends;

/// The levels of a column chunk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Levels {
    /// How much of the value exists: nothing, an empty list, a null in a list, all. `None` where all always exists.
    pub(super) definition: Option<Vec<i16>>,
    /// 1 for an element after the first one of its list, else 0. `None` for values that are no lists.
    pub(super) repetition: Option<Vec<i16>>,
    /// All definition levels are equal, and no list has an element.
    pub(super) is_uniform: bool,
}

impl Levels {
    /// The levels of values that are no lists; `None` if one is null and none may be.
    pub(super) fn of_values(valid: &[bool], is_nullable: bool) -> Option<Levels> {
        if !is_nullable {
            return (valid_count(valid) == valid.len()).then(Levels::default);
        }
        let definition = valid.iter().map(|&valid| i16::from(valid)).collect();
        let is_uniform = is_uniform(valid);
        Some(Levels { definition: Some(definition), repetition: None, is_uniform })
    }

    /// The levels of lists; `None` if one is null and none may be. `elements`: which elements are not null, or `None`
    /// if they never are.
    pub(super) fn of_lists(
        rows: &Ends,
        elements: Option<&[bool]>,
        is_nullable: bool,
    ) -> Option<Levels> {
        if !is_nullable && valid_count(&rows.valid) < rows.valid.len() {
            return None;
        }
        let empty = i16::from(is_nullable);
        if rows.end() == 0 {
            let definition = rows.valid.iter().map(|&valid| if valid { empty } else { 0 });
            return Some(Levels {
                definition: Some(definition.collect()),
                repetition: Some(vec![0; rows.valid.len()]),
                is_uniform: is_uniform(&rows.valid),
            });
        }
        let levels_max = rows.ends.len() + rows.end();
        let mut definition = Vec::with_capacity(levels_max);
        let mut repetition = Vec::with_capacity(levels_max);
        let mut start = 0;
        for (&end, &valid) in rows.ends.iter().zip(&rows.valid) {
            let end = end as usize;
            repetition.push(0);
            if start == end {
                definition.push(if valid { empty } else { 0 });
                continue;
            }
            repetition.resize(repetition.len() + end - start - 1, 1);
            match elements {
                None => definition.resize(repetition.len(), empty + 1),
                Some(elements) => {
                    let elements = elements[start..end].iter();
                    definition.extend(elements.map(|&valid| empty + 1 + i16::from(valid)));
                }
            }
            start = end;
        }
        let (definition, repetition) = (Some(definition), Some(repetition));
        Some(Levels { definition, repetition, is_uniform: false })
    }
}

/// Are all null, or none?
fn is_uniform(valid: &[bool]) -> bool {
    let count = valid_count(valid);
    count == 0 || count == valid.len()
}

/// How many are not null.
pub(super) fn valid_count(valid: &[bool]) -> usize {
    // As many as a byte counts: such sums are made of many bytes at once.
    let counts = valid.chunks(usize::from(u8::MAX));
    counts.map(|valid| usize::from(valid.iter().map(|&valid| u8::from(valid)).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_values(valid: &[bool]) -> (Vec<i16>, bool) {
        let levels = Levels::of_values(valid, true).unwrap();
        assert_eq!(levels.repetition, None);
        (levels.definition.unwrap(), levels.is_uniform)
    }

    /// Lists of these lengths; `None` is null.
    fn rows(lists: &[Option<usize>]) -> Ends {
        let mut rows = Ends::default();
        for list in lists {
            rows.push(rows.end() + list.unwrap_or(0), list.is_some());
        }
        rows
    }

    fn of_lists(
        lists: &[Option<usize>],
        elements: Option<&[bool]>,
        is_nullable: bool,
    ) -> (Vec<i16>, Vec<i16>, bool) {
        let levels = Levels::of_lists(&rows(lists), elements, is_nullable).unwrap();
        (levels.definition.unwrap(), levels.repetition.unwrap(), levels.is_uniform)
    }

    #[test]
    fn values_have_a_level_where_they_may_be_null() {
        assert_eq!(of_values(&[true, false, true]), (vec![1, 0, 1], false));
        assert_eq!(of_values(&[true, true]), (vec![1, 1], true));
        assert_eq!(of_values(&[false, false]), (vec![0, 0], true));
        assert_eq!(Levels::of_values(&[true, true], false), Some(Levels::default()));
    }

    /// Two elements, null, empty, one null element, two elements of which the second is null.
    #[test]
    fn lists_have_levels_for_nulls_and_empties() {
        let lists = [Some(2), None, Some(0), Some(1), Some(2)];
        let elements = [true, true, false, true, false];
        assert_eq!(
            of_lists(&lists, Some(&elements), true),
            (vec![3, 3, 0, 1, 2, 3, 2], vec![0, 1, 0, 0, 0, 0, 1], false)
        );
        let lists = [Some(0), Some(3)];
        assert_eq!(
            of_lists(&lists, Some(&[true, false, true]), false),
            (vec![0, 2, 1, 2], vec![0, 0, 1, 1], false)
        );
    }

    /// The entries of a map are never null.
    #[test]
    fn maps_have_levels_for_nulls_and_empties() {
        let maps = [None, Some(0), Some(3), Some(1)];
        assert_eq!(
            of_lists(&maps, None, true),
            (vec![0, 1, 2, 2, 2, 2], vec![0, 0, 0, 1, 1, 0], false)
        );
        assert_eq!(
            of_lists(&maps[1..], None, false),
            (vec![0, 1, 1, 1, 1], vec![0, 0, 1, 1, 0], false)
        );
    }

    #[test]
    fn lists_without_elements_are_uniform_if_they_are_alike() {
        assert_eq!(of_lists(&[None; 3], Some(&[]), true), (vec![0; 3], vec![0; 3], true));
        assert_eq!(of_lists(&[Some(0); 2], Some(&[]), true), (vec![1; 2], vec![0; 2], true));
        assert_eq!(of_lists(&[Some(0), None], Some(&[]), true), (vec![1, 0], vec![0; 2], false));
        assert_eq!(of_lists(&[Some(1); 2], None, false), (vec![1; 2], vec![0; 2], false));
    }

    #[test]
    fn a_null_that_must_not_be_has_no_level() {
        assert_eq!(Levels::of_values(&[true, false], false), None);
        assert_eq!(Levels::of_lists(&rows(&[Some(1), None]), None, false), None);
    }
}
