//! Linker arguments of the program.
//!
//! In: the target, and the C library's version. Out: for Linux with glibc 2.36 or later, relative relocations in the packed form
//! (`DT_RELR`), a few kB in place of 24 bytes for each address in tables: 6 % of the program's bytes. An older C library would not
//! start such a program; there, and when the target is another system than this one, nothing is added.

use std::process::Command;

/// The first version of glibc whose dynamic linker reads packed relocations.
const GLIBC_MIN: (u32, u32) = (2, 36);

/// The version that `getconf` prints: `glibc 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let (host, target) = (std::env::var("HOST").ok(), std::env::var("TARGET").ok());
    let is_glibc = target.as_ref().is_some_and(|target| target.ends_with("linux-gnu"));
    if is_glibc && host == target && glibc().is_some_and(|version| version >= GLIBC_MIN) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
