//! Values as names of files and folders.
//!
//! In: any text. Out: a short name that is valid on Unix; different texts have different names, which may differ by
//! upper and lower case only. A file system that ignores case cannot hold both, and Windows reserves some names.

use std::fmt::Write as _;

/// The longest value in the name of a folder; longer ones are cut, and end with a hash.
const VALUE_BYTES_MAX: usize = 180;

/// A value in the name of a file or folder: what Hive escapes, and all that is not ASCII, as `%` and two digits.
pub(crate) fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for &byte in value.as_bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b" _-.+,()!@&;~$".contains(&byte);
        if is_plain {
            escaped.push(char::from(byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
        if escaped.len() > VALUE_BYTES_MAX {
            // Values that begin alike keep different folders.
            let hash = fnv1a(value);
            let _ = write!(escaped, "~{hash:016x}");
            return escaped;
        }
    }
    // A name of points only is another folder.
    if escaped.bytes().all(|byte| byte == b'.') {
        escaped = escaped.replace('.', "%2E");
    }
    escaped
}

/// FNV-1a, 64 bits: a hash that is the same on all machines and in all versions.
pub(crate) fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The name of the file for these values, of which a missing one is called `missing`: the value, or several with `-`
/// between. In all but the last a `-` is escaped, so that different values have different names; at the beginning a
/// `.` is, which would hide the file.
pub fn name_of_values<'v>(missing: &str, values: &[Option<&'v str>]) -> String {
    let last = values.len().saturating_sub(1);
    let part = |(index, value): (usize, &Option<&'v str>)| {
        let name = value.map_or(missing.into(), |value| escaped_but(missing, value));
        if index < last { name.replace('-', "%2D") } else { name }
    };
    let mut name = values.iter().enumerate().map(part).collect::<Vec<_>>().join("-");
    if name.starts_with('.') {
        // A hidden file is not read of a directory.
        name.replace_range(..1, "%2E");
    }
    match values.len() {
        2.. if name.len() > VALUE_BYTES_MAX => {
            format!("{}~{:016x}", &name[..VALUE_BYTES_MAX], fnv1a(&name))
        }
        _ => name,
    }
}

/// As `escaped`; a value that is written like the name of the missing value has its first character escaped.
pub fn escaped_but(missing: &str, value: &str) -> String {
    let name = escaped(value);
    match name.as_bytes().first() {
        Some(first) if name == missing => format!("%{first:02X}{}", &name[1..]),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_escaped_as_hive_does() {
        assert_eq!(escaped("B90"), "B90");
        assert_eq!(escaped("a/b=c:d%"), "a%2Fb%3Dc%3Ad%25");
        assert_eq!(escaped("é"), "%C3%A9");
        assert_eq!(escaped(".."), "%2E%2E");
        assert_eq!(escaped_but("missing", "missing"), "%6Dissing");
        assert_eq!(escaped_but("missing", "Missing"), "Missing");
        let names = [
            (&["2024", "05"][..], "2024-05"),
            (&["1-0", "a-b"], "1%2D0-a-b"),
            (&["1", "0-a-b"], "1-0-a-b"),
            (&["missing", "missing"], "%6Dissing-%6Dissing"),
        ];
        for (values, name) in names {
            let values: Vec<_> = values.iter().map(|value| Some(*value)).collect();
            assert_eq!(name_of_values("missing", &values), name);
        }
        assert_eq!(name_of_values("missing", &[None, Some("x")]), "missing-x");
        let dots = [".hidden", "..", "...x", "%2Ehidden", "a.b."];
        let names = dots.map(|value| name_of_values("missing", &[Some(value)]));
        assert_eq!(names, ["%2Ehidden", "%2E%2E", "%2E..x", "%252Ehidden", "a.b."]);
        assert_eq!(name_of_values("missing", &[Some(".x"), Some(".y")]), "%2Ex-.y");
        let long = "x".repeat(150);
        let [one, other] = ["a", "b"]
            .map(|last| name_of_values("missing", &[Some(&long), Some(&long), Some(last)]));
        assert!(one != other && one.len() < 255, "{one}");
        let (one, other) = (escaped(&"x".repeat(5_000)), escaped(&"x".repeat(5_001)));
        assert!(one != other && one.len() < 255 && other.len() < 255);
    }
}
