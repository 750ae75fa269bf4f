//! The container of an archive: how its text is stored.
//!
//! In: nothing. Out: a kind with its name, for splits, damage and messages. Which one a file has is in `foreign.rs` and
//! `zstd_headers.rs`. Cost: none.

/// The container of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// Text as it is.
    Text,
    /// zstd frames.
    Zstd,
    /// gzip, which cannot be divided.
    Gzip,
    /// bzip2, which is not divided.
    Bzip2,
    /// xz, which is not divided.
    Xz,
}

impl Container {
    /// All containers.
    pub const ALL: [Container; 5] =
        [Container::Text, Container::Zstd, Container::Gzip, Container::Bzip2, Container::Xz];

    /// The name, as in `zstd`.
    pub fn name(self) -> &'static str {
        match self {
            Container::Text => "text",
            Container::Zstd => "zstd",
            Container::Gzip => "gzip",
            Container::Bzip2 => "bzip2",
            Container::Xz => "xz",
        }
    }
}
