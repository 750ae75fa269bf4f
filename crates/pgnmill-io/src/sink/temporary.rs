//! Temporary files: an output is written to one before it gets its name.
//!
//! In: the path of an output. Out: a new file in the directory of the output, `NAME.pgnmill-TOKEN.part`. It is created
//! exclusively, so that no existing file is reused or truncated, and no link followed; the token is random, and the
//! same for all outputs that a run reserves together. In each directory the last file of a token is locked (`flock`)
//! until it has its name, which it gets after the others. A temporary file whose token has no lock was left by a killed
//! run: it is reported, and used only by a run that a saved state leads to it.
//!
//! Of two runs that reserve the same output at the same time one fails: each creates and locks its own file before it
//! searches for others. Because of a short lock of the directory the other one succeeds; where directories cannot be
//! locked both may fail. Dropping a temporary file removes it. Cost: one listing of the directory for all outputs that
//! are reserved together.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::error::Shown as _;
use crate::error::{Error, Result};

/// Between the name of the output and the token.
const INFIX: &str = ".pgnmill-";
/// At the end of the name.
const SUFFIX: &str = ".part";
/// Hexadecimal digits of a token.
const TOKEN_LEN: usize = 16;
/// Longer names of outputs are replaced by a number: file systems allow 255 bytes.
const NAME_BYTES_MAX: usize = 200;
/// How long a run waits for the lock of a directory, and of a file that it continues: a process that is being started
/// has the open files of its parent for a moment, and with them their locks.
const LOCK_WAIT: Duration = Duration::from_secs(1);

/// The destination of an output: an entry of a directory.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
}

impl Target {
    /// The entry that a path names. The target of a symbolic link is written, and the link stays, as with `cp` and with
    /// a shell's `>`; a dangling link is refused.
    pub(super) fn of(path: &Path) -> Result<Target> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|entry| entry.is_symlink());
        if is_link {
            let failed = |error| Error::io("follow the symbolic link", path, error);
            return Ok(Target { path: fs::canonicalize(path).map_err(failed)? });
        }
        match path.file_name() {
            Some(_) => Ok(Target { path: path.to_path_buf() }),
            None => Err(Error::usage(format!("{} is no name for a file", path.shown()))),
        }
    }

    /// The path, symbolic links at its end resolved.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The directory.
    pub(super) fn directory(&self) -> &Path {
        let parent = self.path.parent().unwrap_or(Path::new(""));
        if parent.as_os_str().is_empty() { Path::new(".") } else { parent }
    }

    /// The name in it.
    pub(super) fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    /// The prefix of the names of its temporary files.
    fn stem(&self) -> OsString {
        let name = self.name();
        if name.len() <= NAME_BYTES_MAX {
            return name.to_os_string();
        }
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        OsString::from(format!("output-{:016x}", hasher.finish()))
    }

    /// Can this be the path of one of its temporary files?
    fn has_temporary(&self, part: &Path) -> bool {
        let name = part.file_name().unwrap_or_default();
        let found = FoundFile::parse(self.directory(), name.to_os_string());
        found.is_some_and(|found| found.stem == self.stem()) && part == self.beside(name)
    }

    /// The path of a file in its directory.
    fn beside(&self, name: &OsStr) -> PathBuf {
        self.path.with_file_name(name)
    }
}

/// A file that is removed when it is dropped, unless it was published.
#[derive(Debug)]
pub(super) struct Temporary {
    target: Target,
    path: PathBuf,
    is_there: bool,
    /// A saved state refers to it: it stays when it is dropped.
    is_kept: Arc<AtomicBool>,
    /// The locked file of its token.
    lock: Arc<File>,
    /// Is that this one, and not yet written to?
    is_locked: bool,
}

impl Temporary {
    /// Creates temporary files for outputs in one directory. The last file stays open, and locked, for all of them:
    /// there may be more than can be open.
    ///
    /// # Errors
    /// A file that cannot be created; an output that another run is writing.
    pub(super) fn create_all(targets: Vec<Target>) -> Result<Vec<Temporary>> {
        let Some(directory) = targets.first().map(|target| target.directory().to_path_buf()) else {
            return Ok(Vec::new());
        };
        let _exclusive = lock_directory(&directory);
        let token = token();
        let mut created: Vec<Temporary> = Vec::with_capacity(targets.len());
        for target in targets.into_iter().rev() {
            let mut name = target.stem();
            name.push(format!("{INFIX}{token}{SUFFIX}"));
            let path = target.beside(&name);
            let file = OpenOptions::new().write(true).create_new(true).open(&path);
            let file = file.map_err(|error| Error::io("write", target.path(), error))?;
            let is_locked = created.is_empty();
            let lock = match created.first() {
                Some(first) => Arc::clone(&first.lock),
                None => {
                    // Another run that tests the lock holds it for a moment.
                    if let Err(error) = file.lock() {
                        log::debug!("cannot lock {}: {error}", path.shown());
                    }
                    Arc::new(file)
                }
            };
            let is_kept = Arc::default();
            created.push(Temporary { target, path, is_there: true, is_kept, lock, is_locked });
        }
        created.reverse();
        let stems: HashSet<OsString> = created.iter().map(|file| file.target.stem()).collect();
        let found = FoundFile::in_directory(&directory);
        let live =
            FoundFile::live(&found, |found| found.token != token && stems.contains(&found.stem));
        let busy = found.iter().find(|f| live.contains(&f.token) && stems.contains(&f.stem));
        match busy {
            None => Ok(created),
            Some(busy) => {
                let mut targets = created.iter().map(|file| &file.target);
                let target = targets.find(|target| target.stem() == busy.stem);
                Err(Error::busy(target.map_or(Path::new(""), Target::path), &busy.name))
            }
        }
    }

    /// The temporary file of an earlier run of this output, which ended without removing it.
    ///
    /// # Errors
    /// A path that is not that of a temporary file of this output; a file that cannot be opened, or that another run is
    /// writing. Links are not followed.
    pub(super) fn adopt(output: &Path, part: &Path) -> Result<Temporary> {
        let target = Target::of(output)?;
        if !target.has_temporary(part) {
            let (part, output) = (part.shown(), output.shown());
            return Err(Error::usage(format!("{part} is not a temporary file of {output}")));
        }
        let file = own_file(OpenOptions::new().write(true), part);
        let file = file.map_err(|error| Error::io("continue", part, error))?;
        match lock_soon(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::busy(output, part.file_name().unwrap_or_default()));
            }
            Err(error) => log::debug!("cannot lock {}: {error}", part.shown()),
        }
        let is_kept = Arc::new(AtomicBool::new(true));
        let (path, lock) = (part.to_path_buf(), Arc::new(file));
        // What continues it has opened it for reading too.
        Ok(Temporary { target, path, is_there: true, is_kept, lock, is_locked: false })
    }

    /// The path of the temporary file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it stays when it is dropped.
    pub(super) fn is_kept(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_kept)
    }

    /// The destination.
    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Opens it for writing; the file that is locked is open already, so that an output has one descriptor.
    pub(super) fn open(&self) -> io::Result<Arc<File>> {
        match self.is_locked {
            true => Ok(Arc::clone(&self.lock)),
            false => own_file(OpenOptions::new().write(true), &self.path).map(Arc::new),
        }
    }

    /// Gives it its name; without `overwrite` only if there is no file of this name.
    pub(super) fn publish(&mut self, overwrite: bool) -> io::Result<()> {
        let target = &self.target.path;
        if overwrite {
            fs::rename(&self.path, target)?;
        } else {
            // A hard link never replaces a file, unlike a rename.
            match fs::hard_link(&self.path, target) {
                Ok(()) => drop(fs::remove_file(&self.path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                // A file system that has no hard links.
                Err(_) if fs::symlink_metadata(target).is_err() => fs::rename(&self.path, target)?,
                Err(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            }
        }
        self.is_there = false;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.is_there && !self.is_kept.load(Ordering::Relaxed) {
            // Nothing more can be done about a file that cannot be removed either.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A random number for a run.
fn token() -> String {
    let mut hasher = RandomState::new().build_hasher();
    std::process::id().hash(&mut hasher);
    SystemTime::now().hash(&mut hasher);
    format!("{:0width$x}", hasher.finish(), width = TOKEN_LEN)
}

/// Locks a file, or a directory, as soon as that is possible.
fn lock_soon(file: &File) -> Result<(), TryLockError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_WAIT => {
                std::thread::sleep(Duration::from_millis(2));
            }
            locked => return locked,
        }
    }
}

/// Locks a directory for a moment; `None` if that fails: then both of two runs may fail.
fn lock_directory(path: &Path) -> Option<File> {
    let directory = File::open(path).ok()?;
    let locked = lock_soon(&directory);
    let locked = locked.inspect_err(|error| log::debug!("cannot lock {}: {error}", path.shown()));
    locked.ok().map(|()| directory)
}

/// A temporary file in a directory, of any run.
#[derive(Debug)]
struct FoundFile {
    path: PathBuf,
    name: OsString,
    stem: OsString,
    token: String,
}

impl FoundFile {
    /// Those of a directory; none if it cannot be read.
    fn in_directory(directory: &Path) -> Vec<FoundFile> {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        entries.filter_map(|entry| FoundFile::parse(directory, entry.file_name())).collect()
    }

    fn parse(directory: &Path, name: OsString) -> Option<FoundFile> {
        let text = name.to_str().map_or_else(|| name.to_string_lossy(), Into::into);
        let (_, token) = text.strip_suffix(SUFFIX)?.rsplit_once(INFIX)?;
        let is_token = token.len() == TOKEN_LEN && token.bytes().all(|b| b.is_ascii_hexdigit());
        let token = is_token.then(|| token.to_string())?;
        let stem_len = name.len() - INFIX.len() - TOKEN_LEN - SUFFIX.len();
        let stem = prefix(&name, stem_len)?;
        let is_here = directory == Path::new(".");
        let path = if is_here { PathBuf::from(&name) } else { directory.join(&name) };
        Some(FoundFile { path, name, stem, token })
    }

    /// The tokens of active runs, of those files that matter.
    fn live(found: &[FoundFile], matters: impl Fn(&FoundFile) -> bool) -> HashSet<String> {
        let tokens: HashSet<&str> =
            found.iter().filter(|f| matters(f)).map(|f| f.token.as_str()).collect();
        let mut live = HashSet::new();
        for file in found.iter().filter(|file| tokens.contains(file.token.as_str())) {
            if !live.contains(&file.token) && is_locked(&file.path) {
                live.insert(file.token.clone());
            }
        }
        live
    }
}

/// The first bytes of a name.
fn prefix(name: &OsStr, len: usize) -> Option<OsString> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        name.as_bytes().get(..len).map(|bytes| OsStr::from_bytes(bytes).to_os_string())
    }
    #[cfg(not(unix))]
    name.to_str().and_then(|name| name.get(..len)).map(OsString::from)
}

/// Does an active run hold this file?
fn is_locked(path: &Path) -> bool {
    let file = own_file(OpenOptions::new().read(true), path);
    // A shared lock is possible on a file that is open for reading only, on network file systems too.
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Opens a file that is no link, no pipe and no device.
fn own_file(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    options.open(path)
}

/// A temporary file that no active run writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOver {
    /// Where it is.
    pub path: PathBuf,
    /// Its name has the token of a run; one without is of an earlier version, or of another program.
    pub has_token: bool,
}

/// The temporary files of outputs that no active run writes: those of killed runs. Files of earlier versions without
/// tokens, `NAME.part`, are included.
pub fn left_overs<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> Vec<LeftOver> {
    let mut left = Vec::new();
    let mut directories: Vec<(PathBuf, HashSet<OsString>)> = Vec::new();
    let outputs = outputs.into_iter().filter(|path| *path != Path::new("-"));
    for target in outputs.filter_map(|path| Target::of(path).ok()) {
        let mut name = target.name().to_os_string();
        name.push(SUFFIX);
        let path = target.beside(&name);
        if fs::symlink_metadata(&path).is_ok() {
            left.push(LeftOver { path, has_token: false });
        }
        let at = directories.iter().position(|(directory, _)| directory == target.directory());
        let at = at.unwrap_or_else(|| {
            directories.push((target.directory().to_path_buf(), HashSet::new()));
            directories.len() - 1
        });
        directories[at].1.insert(target.stem());
    }
    for (directory, stems) in directories {
        let mut found = FoundFile::in_directory(&directory);
        found.sort_by(|a, b| a.name.cmp(&b.name));
        let matters = |found: &FoundFile| stems.contains(&found.stem);
        let live = FoundFile::live(&found, matters);
        let is_left = |found: &FoundFile| matters(found) && !live.contains(&found.token);
        let of_run = |found: FoundFile| LeftOver { path: found.path, has_token: true };
        left.extend(found.into_iter().filter(is_left).map(of_run));
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("pgnmill-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn create(path: &Path) -> Result<Temporary> {
        let mut created = Temporary::create_all(vec![Target::of(path)?])?;
        Ok(created.remove(0))
    }

    #[test]
    fn a_name_is_given_once_unless_it_may_be_replaced() {
        let root = scratch("temporary-name");
        let path = root.join("a.pgn");
        for (overwrite, there, kept) in [
            (false, None, "new"),
            (false, Some("old"), "old"),
            (true, Some("old"), "new"),
            (true, None, "new"),
        ] {
            let mut file = create(&path).unwrap();
            fs::write(&file.path, "new").unwrap();
            if let Some(there) = there {
                fs::write(&path, there).unwrap();
            }
            let given = file.publish(overwrite).map_err(|error| error.kind());
            let expected = if kept == "new" { Ok(()) } else { Err(io::ErrorKind::AlreadyExists) };
            assert_eq!(given, expected);
            drop(file);
            assert_eq!(fs::read_to_string(&path).unwrap(), kept);
            assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
            fs::remove_file(&path).unwrap();
        }
        fs::remove_dir_all(&root).unwrap();
    }

    /// All files that are reserved together are locked, not the first alone.
    #[test]
    fn what_is_reserved_is_refused_to_others_and_is_no_left_over() {
        let root = scratch("temporary-lock");
        let names = ["a.pgn", "b.pgn", "c.pgn.part", "d"];
        let paths = names.map(|name| root.join(name));
        let targets = paths.iter().map(|path| Target::of(path).unwrap()).collect();
        let mut held = Temporary::create_all(targets).unwrap();
        for path in &paths {
            let refused = create(path).unwrap_err().to_string();
            assert!(refused.contains("another run"), "{refused}");
        }
        drop(create(&root.join("e")).unwrap());
        let outputs = || paths.iter().map(PathBuf::as_path);
        assert_eq!(left_overs(outputs()), []);
        // The last one holds the lock until it has its name.
        for mut file in held.drain(..3) {
            file.publish(true).unwrap();
        }
        let refused = create(&paths[3]).unwrap_err().to_string();
        assert!(refused.contains("another run"), "{refused}");
        drop(held);
        drop(create(&paths[3]).unwrap());
        // A file of a killed run has no lock.
        let left = root.join("d.pgnmill-0123456789abcdef.part");
        fs::write(&left, "").unwrap();
        fs::write(root.join("a.pgn.part"), "").unwrap();
        for other in
            ["d.pgnmill-0123.part", "d.part.pgn", "dd.part", "e.pgnmill-0123456789abcdef.part"]
        {
            fs::write(root.join(other), "").unwrap();
        }
        let without = LeftOver { path: root.join("a.pgn.part"), has_token: false };
        let with = LeftOver { path: left.clone(), has_token: true };
        assert_eq!(left_overs(outputs()), [without, with]);
        // Only a temporary file of the output itself is continued, and no link.
        let adopted = |part: &Path| Temporary::adopt(&root.join("d"), part).map(drop);
        adopted(&left).unwrap();
        for other in ["a.pgn.part", "d", "e.pgnmill-0123456789abcdef.part"] {
            let error = adopted(&root.join(other)).unwrap_err().to_string();
            assert!(error.contains("is not a temporary file of"), "{error}");
        }
        let elsewhere = root.join("x/../d.pgnmill-0123456789abcdef.part");
        assert!(adopted(&elsewhere).is_err());
        #[cfg(unix)]
        {
            fs::remove_file(&left).unwrap();
            fs::write(root.join("victim"), "text").unwrap();
            std::os::unix::fs::symlink(root.join("victim"), &left).unwrap();
            assert!(adopted(&left).is_err());
            fs::remove_file(&left).unwrap();
        }
        fs::remove_dir_all(&root).unwrap();
    }

    /// A lock that is held for a moment, as by a process that is being started, is waited for; another one is not.
    #[test]
    fn a_lock_of_a_moment_does_not_end_a_run_that_goes_on() {
        let root = scratch("temporary-moment");
        let part = root.join("d.pgnmill-0123456789abcdef.part");
        fs::write(&part, "").unwrap();
        let held = File::open(&part).unwrap();
        held.lock().unwrap();
        let freed = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            drop(held);
        });
        let adopted = Temporary::adopt(&root.join("d"), &part).unwrap();
        freed.join().unwrap();
        let refused = Temporary::adopt(&root.join("d"), &part).map(drop).unwrap_err().to_string();
        assert!(refused.contains("another run"), "{refused}");
        drop(adopted);
        fs::remove_dir_all(&root).unwrap();
    }
}
