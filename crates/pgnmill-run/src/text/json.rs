//! Records as JSON: a table of the fields of a type, from which it is written and read.
//!
//! In: values. Out: JSON values, and the values again; or the name of the field that is missing or has another type.
//! Invariant: what is written is read back as it was; a field that is `None` is not written. Cost: constant per field.
//!
//! ```text
//! json::record!(Outcome { clean, failed_inputs });              {"clean":true,"failed_inputs":0}
//! json::record!(Ended { outputs } with outcome);                the fields of `outcome` are beside `outputs`
//! json::records!(Step "record" { "ended" => Ended, … });        …,"record":"ended"}
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pgnmill_io::archive::SplitBase;
use serde_json::{Map, Value};

/// The fields of a record.
pub(crate) type Object = Map<String, Value>;

/// A type whose fields are those of a JSON object.
pub(crate) trait Record: Sized {
    /// Adds the fields.
    fn put(&self, object: &mut Object);

    /// The record with these fields; others are not read.
    ///
    /// # Errors
    /// The name of a field that is missing, or has another type.
    fn take(object: &Object) -> Result<Self, &'static str>;

    /// The object.
    fn object(&self) -> Object {
        let mut object = Object::new();
        self.put(&mut object);
        object
    }
}

/// A value that a field can have.
pub(crate) trait Json: Sized {
    /// The value; null is not written.
    fn value(&self) -> Value;

    /// The value again, if it is one of this type; a missing field is null.
    fn of(value: &Value) -> Option<Self>;
}

/// Adds a field to an object.
pub(crate) fn put<T: Json>(object: &mut Object, name: &'static str, field: &T) {
    let value = field.value();
    if !value.is_null() {
        object.insert(name.to_string(), value);
    }
}

/// The field of an object.
pub(crate) fn take<T: Json>(object: &Object, name: &'static str) -> Result<T, &'static str> {
    T::of(object.get(name).unwrap_or(&Value::Null)).ok_or(name)
}

/// Implements [`Record`] for a struct with these fields; those of the fields after `with` are beside the others.
macro_rules! record {
    ($type:ident { $($field:ident),* $(,)? } $(with $($part:ident),*)?) => {
        impl $crate::text::json::Record for $type {
            fn put(&self, object: &mut $crate::text::json::Object) {
                $($crate::text::json::put(object, stringify!($field), &self.$field);)*
                $($($crate::text::json::Record::put(&self.$part, object);)*)?
            }

            fn take(object: &$crate::text::json::Object) -> Result<Self, &'static str> {
                Ok($type {
                    $($field: $crate::text::json::take(object, stringify!($field))?,)*
                    $($($part: $crate::text::json::Record::take(object)?,)*)?
                })
            }
        }
    };
}
pub(crate) use record;

/// Implements [`Record`] for an enum whose variants are records: the field `tag` has the name of the variant.
macro_rules! records {
    ($type:ident $tag:literal { $($name:literal => $variant:ident),* $(,)? }) => {
        impl $crate::text::json::Record for $type {
            fn put(&self, object: &mut $crate::text::json::Object) {
                let name = match self {
                    $($type::$variant(record) => {
                        $crate::text::json::Record::put(record, object);
                        $name
                    })*
                };
                object.insert($tag.to_string(), name.into());
            }

            fn take(object: &$crate::text::json::Object) -> Result<Self, &'static str> {
                match object.get($tag).and_then(serde_json::Value::as_str) {
                    $(Some($name) => $crate::text::json::Record::take(object).map($type::$variant),)*
                    _ => Err($tag),
                }
            }
        }
    };
}
pub(crate) use records;

record!(SplitBase { text_bytes, lines, games });

impl<T: Record> Json for T {
    fn value(&self) -> Value {
        Value::Object(self.object())
    }

    fn of(value: &Value) -> Option<T> {
        T::take(value.as_object()?).ok()
    }
}

impl<T: Json> Json for Option<T> {
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::value)
    }

    fn of(value: &Value) -> Option<Option<T>> {
        if value.is_null() { Some(None) } else { T::of(value).map(Some) }
    }
}

impl<T: Json> Json for Vec<T> {
    fn value(&self) -> Value {
        self.iter().map(T::value).collect()
    }

    fn of(value: &Value) -> Option<Vec<T>> {
        value.as_array()?.iter().map(T::of).collect()
    }
}

impl<T: Json> Json for BTreeMap<String, T> {
    fn value(&self) -> Value {
        self.iter().map(|(name, value)| (name.clone(), value.value())).collect()
    }

    fn of(value: &Value) -> Option<BTreeMap<String, T>> {
        let fields = value.as_object()?.iter();
        fields.map(|(name, value)| Some((name.clone(), T::of(value)?))).collect()
    }
}

macro_rules! scalars {
    ($($type:ty: $read:expr),* $(,)?) => {$(
        impl Json for $type {
            fn value(&self) -> Value {
                self.clone().into()
            }

            fn of(value: &Value) -> Option<$type> {
                let read: fn(&Value) -> Option<$type> = $read;
                read(value)
            }
        }
    )*};
}
scalars!(
    bool: Value::as_bool,
    u64: Value::as_u64,
    usize: |value| usize::try_from(value.as_u64()?).ok(),
    String: |value| value.as_str().map(str::to_string),
);

impl Json for PathBuf {
    fn value(&self) -> Value {
        path_text(self).into()
    }

    fn of(value: &Value) -> Option<PathBuf> {
        value.as_str().map(path_of)
    }
}

/// Before the bytes of a path that is not UTF-8.
const BYTES: &str = "bytes:";

/// A path as it is, or its bytes if it is not UTF-8.
pub(crate) fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) if !text.starts_with(BYTES) => text.to_string(),
        _ => {
            let bytes = path.as_os_str().as_encoded_bytes().iter();
            BYTES.to_string() + &bytes.map(|byte| format!("{byte:02x}")).collect::<String>()
        }
    }
}

/// The path of a text of [`path_text`].
fn path_of(text: &str) -> PathBuf {
    let Some(digits) = text.strip_prefix(BYTES) else { return text.into() };
    let digits = digits.as_bytes().chunks(2);
    let bytes = digits.filter_map(|two| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok());
    let bytes: Vec<u8> = bytes.collect();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        std::ffi::OsString::from_vec(bytes).into()
    }
    #[cfg(not(unix))]
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_text_are_kept() {
        use std::os::unix::ffi::OsStrExt;
        for bytes in [b"a\xffb".as_slice(), b"bytes:ab", b"c d"] {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            assert_eq!(path_of(&path_text(path)), path);
        }
    }

    #[test]
    fn a_field_that_is_missing_or_of_another_type_is_named() {
        let base = SplitBase { text_bytes: 1, lines: 2, games: u64::MAX };
        assert_eq!(SplitBase::take(&base.object()), Ok(base));
        for name in ["text_bytes", "lines", "games"] {
            for other in [Value::Null, "1".into(), (-1).into(), vec![1].into()] {
                let mut object = base.object();
                object.insert(name.to_string(), other);
                assert_eq!(SplitBase::take(&object), Err(name));
                object.remove(name);
                assert_eq!(SplitBase::take(&object), Err(name));
            }
        }
    }
}
