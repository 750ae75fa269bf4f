//! Saved state: values as bytes, so that a run that was ended can go on with them.
//!
//! In: a value. Out: its bytes, little-endian, in the order of its fields; and the value again. Invariants: what is
//! loaded is what was saved; bytes that are no state of the type give `None` and never a panic; the format is that of
//! one version of the program, which the journal states. May use: nothing of the project. A type joins by `state!`.
//! Cost: one copy of the value.
//!
//! ```
//! use pgnmill_state::{Loader, State};
//! let mut bytes = Vec::new();
//! (7_u64, vec!["a".to_string()]).save(&mut bytes);
//! let loaded = <(u64, Vec<String>)>::load(&mut Loader::new(&bytes));
//! assert_eq!(loaded, Some((7, vec!["a".to_string()])));
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::hash::{BuildHasher, Hash};
use std::path::{Path, PathBuf};

/// A value that can be saved.
pub trait State: Sized {
    /// Appends the value.
    fn save(&self, out: &mut Vec<u8>);

    /// The next value; `None` if the bytes are no value of this type.
    fn load(from: &mut Loader<'_>) -> Option<Self>;

    /// Appends several values without their number.
    fn save_all(values: &[Self], out: &mut Vec<u8>) {
        values.iter().for_each(|value| value.save(out));
    }

    /// The next `count` values.
    fn load_all(from: &mut Loader<'_>, count: usize) -> Option<Vec<Self>> {
        // A value has a byte at least: a wrong number does not fill the memory.
        let mut values = Vec::with_capacity(count.min(from.rest.len()));
        for _ in 0..count {
            values.push(Self::load(from)?);
        }
        Some(values)
    }
}

/// Saved bytes that are not yet loaded.
#[derive(Clone, Copy, Debug)]
pub struct Loader<'b> {
    rest: &'b [u8],
    files: Option<&'b HashSet<PathBuf>>,
}

impl<'b> Loader<'b> {
    /// Loads from the first of these bytes on.
    pub fn new(bytes: &'b [u8]) -> Loader<'b> {
        Loader { rest: bytes, files: None }
    }

    /// This loader; the state may continue these files alone.
    #[must_use]
    pub fn with_files(self, files: &'b HashSet<PathBuf>) -> Loader<'b> {
        Loader { files: Some(files), ..self }
    }

    /// May the state continue this file?
    pub fn may_continue(&self, file: &Path) -> bool {
        self.files.is_none_or(|files| files.contains(file))
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    /// The next value.
    pub fn value<T: State>(&mut self) -> Option<T> {
        T::load(self)
    }

    /// The number of bytes that are not yet loaded.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Is everything loaded?
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Implements [`State`] for a struct with these fields, all of them; for one with a single field without a name; or for
/// an enum with these variants, all of them, each with its number and its fields, or a value.
///
/// ```
/// use pgnmill_state::state;
/// enum Place { Begin, At(u64), Within { begin: u64, end: u64 } }
/// state!(enum Place { 0 => Begin, 1 => At(at), 2 => Within { begin, end } });
/// struct Sums(Vec<u64>);
/// state!(Sums = sums);
/// ```
#[macro_export]
macro_rules! state {
    (enum $type:ty { $(
        $number:literal => $variant:ident $(($value:ident))? $({ $($field:ident),* })?
    ),* $(,)? }) => {
        impl $crate::State for $type {
            fn save(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $(($value))? $({ $($field),* })? => {
                        out.push($number);
                        $($crate::State::save($value, out);)?
                        $($($crate::State::save($field, out);)*)?
                    })*
                }
            }

            fn load(from: &mut $crate::Loader<'_>) -> Option<Self> {
                match from.value::<u8>()? {
                    $($number => {
                        $(let $value = from.value()?;)?
                        $($(let $field = from.value()?;)*)?
                        Some(Self::$variant $(($value))? $({ $($field),* })?)
                    })*
                    _ => None,
                }
            }
        }
    };
    ($type:ty = $value:ident) => {
        impl $crate::State for $type {
            fn save(&self, out: &mut Vec<u8>) {
                let Self($value) = self;
                $crate::State::save($value, out);
            }

            fn load(from: &mut $crate::Loader<'_>) -> Option<Self> {
                from.value().map(Self)
            }
        }
    };
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::State for $type {
            fn save(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($crate::State::save($field, out);)*
            }

            fn load(from: &mut $crate::Loader<'_>) -> Option<Self> {
                $(let $field = from.value()?;)*
                Some(Self { $($field),* })
            }
        }
    };
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl State for $type {
            #[inline]
            fn save(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn load(from: &mut Loader<'_>) -> Option<$type> {
                let bytes = from.bytes(size_of::<$type>())?;
                Some(<$type>::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    )*};
}
numbers!(u16, u32, u64, u128, i16, i32, i64, f64);

impl State for u8 {
    fn save(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn load(from: &mut Loader<'_>) -> Option<u8> {
        Some(from.bytes(1)?[0])
    }

    fn save_all(values: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(values);
    }

    fn load_all(from: &mut Loader<'_>, count: usize) -> Option<Vec<u8>> {
        from.bytes(count).map(<[u8]>::to_vec)
    }
}

impl State for usize {
    fn save(&self, out: &mut Vec<u8>) {
        (*self as u64).save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<usize> {
        usize::try_from(from.value::<u64>()?).ok()
    }
}

impl State for bool {
    fn save(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn load(from: &mut Loader<'_>) -> Option<bool> {
        match from.value::<u8>()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl State for String {
    fn save(&self, out: &mut Vec<u8>) {
        self.len().save(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn load(from: &mut Loader<'_>) -> Option<String> {
        String::from_utf8(from.value()?).ok()
    }
}

impl State for PathBuf {
    fn save(&self, out: &mut Vec<u8>) {
        let bytes = self.as_os_str().as_encoded_bytes();
        bytes.len().save(out);
        out.extend_from_slice(bytes);
    }

    fn load(from: &mut Loader<'_>) -> Option<PathBuf> {
        let bytes: Vec<u8> = from.value()?;
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStringExt;
            Some(OsString::from_vec(bytes).into())
        }
        #[cfg(not(unix))]
        String::from_utf8(bytes).ok().map(|text| OsString::from(text).into())
    }
}

impl<T: State> State for Vec<T> {
    fn save(&self, out: &mut Vec<u8>) {
        self.len().save(out);
        T::save_all(self, out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Vec<T>> {
        let count = from.value()?;
        T::load_all(from, count)
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn save(&self, out: &mut Vec<u8>) {
        T::save_all(self, out);
    }

    fn load(from: &mut Loader<'_>) -> Option<[T; N]> {
        T::load_all(from, N)?.try_into().ok()
    }
}

impl<T: State> State for Option<T> {
    fn save(&self, out: &mut Vec<u8>) {
        self.is_some().save(out);
        self.iter().for_each(|value| value.save(out));
    }

    fn load(from: &mut Loader<'_>) -> Option<Option<T>> {
        Some(if from.value()? { Some(from.value()?) } else { None })
    }
}

impl<T: State> State for Box<T> {
    fn save(&self, out: &mut Vec<u8>) {
        (**self).save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Box<T>> {
        from.value().map(Box::new)
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
        self.1.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<(A, B)> {
        Some((from.value()?, from.value()?))
    }
}

impl<K: State + Ord, V: State> State for BTreeMap<K, V> {
    fn save(&self, out: &mut Vec<u8>) {
        self.len().save(out);
        for (key, value) in self {
            key.save(out);
            value.save(out);
        }
    }

    fn load(from: &mut Loader<'_>) -> Option<BTreeMap<K, V>> {
        // `from_iter` would compile a sort for each type of map.
        let mut map = BTreeMap::new();
        map.extend(from.value::<Vec<(K, V)>>()?);
        Some(map)
    }
}

impl<T: State + Ord> State for BTreeSet<T> {
    fn save(&self, out: &mut Vec<u8>) {
        self.len().save(out);
        self.iter().for_each(|value| value.save(out));
    }

    fn load(from: &mut Loader<'_>) -> Option<BTreeSet<T>> {
        let mut set = BTreeSet::new();
        set.extend(from.value::<Vec<T>>()?);
        Some(set)
    }
}

impl<K: State + Eq + Hash, V: State, S: BuildHasher + Default> State for HashMap<K, V, S> {
    fn save(&self, out: &mut Vec<u8>) {
        self.len().save(out);
        for (key, value) in self {
            key.save(out);
            value.save(out);
        }
    }

    fn load(from: &mut Loader<'_>) -> Option<HashMap<K, V, S>> {
        from.value::<Vec<(K, V)>>().map(HashMap::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Debug)]
    struct Example {
        numbers: Vec<(u64, i16)>,
        name: Option<String>,
        rows: BTreeMap<String, Box<[u64; 3]>>,
        flags: [bool; 2],
        path: PathBuf,
    }
    state!(Example { numbers, name, rows, flags, path });

    #[test]
    fn what_is_loaded_is_what_was_saved_and_other_bytes_are_refused() {
        let example = Example {
            numbers: vec![(u64::MAX, -1), (0, i16::MIN)],
            name: Some("é".to_string()),
            rows: BTreeMap::from([("a".to_string(), Box::new([1, 2, 3]))]),
            flags: [true, false],
            path: "x/y".into(),
        };
        let mut bytes = Vec::new();
        example.save(&mut bytes);
        let mut from = Loader::new(&bytes);
        assert_eq!(from.value(), Some(example));
        assert!(from.is_empty());
        for len in 0..bytes.len() {
            assert_eq!(Loader::new(&bytes[..len]).value::<Example>(), None);
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            // No panic, and no memory beyond the bytes.
            let _ = Loader::new(&changed).value::<Example>();
        }
    }
}
