//! The vocabularies of `--tokens`: words of the command line, and the files that they name.
//!
//! In: `FILE`, `FILE:PATTERN` or `FILE:PATTERN:DIGEST`. Out: vocabularies, with the name of the file without
//! `.tiktoken`; what tables and the journal record of them, which is the option again, so that a run with another file
//! of this name is another run. Limits: `VOCABULARY_BYTES_MAX` for a file. Cost: a read of each file.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use pgnmill_core::tasks::measure::study::{
    Pattern, VOCABULARY_BYTES_MAX, Vocabularies, Vocabulary,
};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use crate::args::options::displayed;

/// What a file of a vocabulary ends with.
const END: &str = ".tiktoken";
/// Hexadecimal digits of a digest.
const DIGEST_DIGITS: usize = 16;

/// A file of a vocabulary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VocabularyFile {
    /// Where it is.
    pub path: PathBuf,
    /// How a text is cut; `None`: by the name.
    pub pattern: Option<Pattern>,
    /// What its bytes must be.
    pub digest: Option<String>,
}

impl VocabularyFile {
    /// Reads `FILE`, `FILE:PATTERN` or `FILE:PATTERN:DIGEST`.
    ///
    /// # Errors
    /// No path.
    pub fn parse(text: &str) -> Result<VocabularyFile, &'static str> {
        let is_digest =
            |it: &str| it.len() == DIGEST_DIGITS && it.bytes().all(|byte| byte.is_ascii_hexdigit());
        let with_pattern = |text: &str| {
            let (path, pattern) = text.rsplit_once(':')?;
            Some((path.to_string(), pattern.parse::<Pattern>().ok()?))
        };
        let with_digest = text.rsplit_once(':').filter(|(_, digest)| is_digest(digest));
        let found =
            with_digest.and_then(|(text, digest)| Some((with_pattern(text)?, Some(digest))));
        let found = found.or_else(|| Some((with_pattern(text)?, None)));
        let (path, pattern, digest) = match found {
            Some(((path, pattern), digest)) => (path, Some(pattern), digest.map(str::to_lowercase)),
            None => (text.to_string(), None, None),
        };
        match path.is_empty() {
            true => Err("a vocabulary is FILE, FILE:PATTERN or FILE:PATTERN:DIGEST"),
            false => Ok(VocabularyFile { path: path.into(), pattern, digest }),
        }
    }

    /// The name of the vocabulary: that of the file without its end.
    fn name(&self) -> Result<&str> {
        let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.strip_suffix(END).unwrap_or(name);
        // A pattern, or a digest, that is none was read as a part of the name.
        if let Some((file, words)) = name.split_once(':')
            && !self.path.exists()
        {
            let patterns = Pattern::ALL.map(Pattern::name).join(", ");
            return Err(Error::usage(format!(
                "there is no file {}; behind {file} a colon and one of {patterns} may follow, and behind that another \
                 and a digest of {DIGEST_DIGITS} hexadecimal digits; {words} is neither",
                self.path.shown()
            )));
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        match !name.is_empty() && !name.starts_with('-') && name.bytes().all(is_plain) {
            true => Ok(name),
            false => Err(Error::usage(format!(
                "{}: the name of a vocabulary has letters of ASCII, digits, full stops, hyphens and underscores alone",
                self.path.shown()
            ))),
        }
    }

    fn read(&self) -> Result<Vocabulary> {
        let (name, path) = (self.name()?, &self.path);
        let (mut text, most) = (Vec::new(), VOCABULARY_BYTES_MAX + 1);
        let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut text));
        read.map_err(|error| Error::io("read", path, error))?;
        let shown = path.shown();
        if text.len() as u64 == most {
            return Err(Error::usage(format!(
                "{shown} has more than {VOCABULARY_BYTES_MAX} bytes"
            )));
        }
        let pattern = self.pattern.unwrap_or_else(|| Pattern::of_name(name));
        let read = Vocabulary::read(name, pattern, &text).map_err(|(line, fault)| {
            let line = if line > 0 { format!(", line {line}") } else { String::new() };
            Error::usage(format!("{shown}{line}: {fault}"))
        })?;
        match &self.digest {
            Some(digest) if digest != read.digest() => Err(Error::usage(format!(
                "{shown} has the digest {}, not {digest}: it is another file",
                read.digest()
            ))),
            _ => Ok(read),
        }
    }
}

/// As the command line has it.
impl fmt::Display for VocabularyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        let pattern = self.pattern.map(Pattern::name);
        pattern.into_iter().chain(self.digest.as_deref()).try_for_each(|part| write!(f, ":{part}"))
    }
}

displayed! {
    VocabularyFile, "FILE, FILE:PATTERN or FILE:PATTERN:DIGEST", |text: &str| VocabularyFile::parse(text).ok();
}

/// Reads the files.
///
/// # Errors
/// A file that cannot be read, or is no vocabulary; two of one name.
pub(super) fn read(files: &[VocabularyFile]) -> Result<Vocabularies> {
    let mut names = HashSet::new();
    for file in files {
        let name = file.name()?;
        if !names.insert(name) {
            return Err(Error::usage(format!(
                "--tokens: two vocabularies have the name {name}, which their rows have"
            )));
        }
    }
    files.iter().map(VocabularyFile::read).collect::<Result<Vec<_>>>().map(Vocabularies)
}

/// The vocabularies as the value of the option, with their digests, without the directories of the files.
pub(super) fn text(vocabularies: &Vocabularies) -> String {
    let text =
        |one: &Vocabulary| format!("{}{END}:{}:{}", one.name(), one.pattern().name(), one.digest());
    vocabularies.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn words_name_a_file_a_pattern_and_a_digest() {
        let digest = "0123456789abcdef";
        for (text, path, pattern, with_digest) in [
            ("a.tiktoken", "a.tiktoken", None, false),
            ("b/a:o200k", "b/a", Some(Pattern::O200k), false),
            ("C:x", "C:x", None, false),
            ("a:r50k:0123456789abcdef", "a", Some(Pattern::R50k), true),
            // No pattern before it, no digest: a name.
            ("a:0123456789abcdef", "a:0123456789abcdef", None, false),
            ("a:cl100k:0123", "a:cl100k:0123", None, false),
        ] {
            let file = VocabularyFile::parse(text).unwrap();
            assert_eq!(file.path, Path::new(path), "{text}");
            assert_eq!((file.pattern, file.digest.is_some()), (pattern, with_digest), "{text}");
            assert!(file.digest.as_ref().is_none_or(|it| it == digest));
            assert_eq!(file.to_string(), text);
        }
        for text in ["a:cl10k", "b/a:CL100K", "a:cl100k:0123", "a.tiktoken:gpt4"] {
            let error = VocabularyFile::parse(text).unwrap().name().unwrap_err().to_string();
            assert!(error.contains("r50k, cl100k, o200k may follow"), "{error}");
        }
        assert!(VocabularyFile::parse("").is_err() && VocabularyFile::parse(":o200k").is_err());
    }
}
