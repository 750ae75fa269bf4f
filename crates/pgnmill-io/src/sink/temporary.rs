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
//!
//! The files of a [series](super::series) are created one after the other; their token is locked by a file of its own.
//! A file that was closed is opened again if it is the same one: its device and inode, its owner and its length.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::error::Shown as _;
use crate::error::{Error, Result};

use super::access::{Access, is_of_user, open_file, owner, private};
use super::file_id::{FileId, id};

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
    pub(super) fn stem(&self) -> OsString {
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
    /// A file that is locked for a series, and no output: it is there as long as one of the series is.
    series: Option<Arc<Temporary>>,
    /// Which file it is, and whose: its path can come to name another.
    id: Option<FileId>,
    owner: u32,
    /// Who can read and write it when it is complete.
    access: Access,
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
            let lock = created.first().map(|first| Arc::clone(&first.lock));
            created.push(Temporary::create(target, &token, lock)?.0);
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

    /// Creates the temporary file of an output, with a token. Without the `lock` of another file of this token it is
    /// the one that is locked. Also returns the open file.
    fn create(
        target: Target,
        token: &str,
        lock: Option<Arc<File>>,
    ) -> Result<(Temporary, Arc<File>)> {
        let mut name = target.stem();
        name.push(format!("{INFIX}{token}{SUFFIX}"));
        let path = target.beside(&name);
        let failed = |error| Error::io("write", target.path(), error);
        let replaced = Access::of_replaced(target.path());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let file = match &replaced {
            Some(_) => private(&mut options).open(&path),
            None => options.open(&path),
        };
        let file = Arc::new(file.map_err(failed)?);
        let access = replaced.map_or_else(|| Access::of_new(&file), Ok).map_err(failed)?;
        let there = file.metadata().map_err(failed)?;
        let (id, owner) = (id(&path, &there), owner(&there));
        let is_locked = lock.is_none();
        // Another run that tests the lock holds it for a moment.
        if is_locked && let Err(error) = file.lock() {
            log::debug!("cannot lock {}: {error}", path.shown());
        }
        let lock = lock.unwrap_or_else(|| Arc::clone(&file));
        let (is_there, is_kept, series) = (true, Arc::default(), None);
        let temporary = Temporary {
            target,
            path,
            is_there,
            is_kept,
            lock,
            is_locked,
            series,
            id,
            owner,
            access,
        };
        Ok((temporary, file))
    }

    /// Creates the file that is locked for a series of temporary files in a directory. It gets no name.
    pub(super) fn begin_series(directory: &Path, token: &str) -> Result<Temporary> {
        let target = Target { path: directory.join(format!("lock-{token}")) };
        Temporary::create(target, token, None).map(|(locked, _)| locked)
    }

    /// Creates the temporary file of an output in a series. Also returns the open file.
    pub(super) fn create_in(
        series: &Arc<Temporary>,
        token: &str,
        target: Target,
    ) -> Result<(Temporary, Arc<File>)> {
        let lock = Arc::clone(&series.lock);
        let (mut temporary, file) = Temporary::create(target, token, Some(lock))?;
        temporary.series = Some(Arc::clone(series));
        Ok((temporary, file))
    }

    /// Releases the lock of its token: the run is ending with an error.
    pub(super) fn unlock(&self) {
        if let Err(error) = self.lock.unlock() {
            log::debug!("cannot unlock {}: {error}", self.path.shown());
        }
    }

    /// The temporary file of an earlier run of this output, which ended without removing it. `is_complete`: it has the
    /// access of the output.
    ///
    /// # Errors
    /// A path that is not that of a temporary file of this output; a file that cannot be opened, that is not the
    /// user's, or that another run is writing. Links are not followed.
    pub(super) fn adopt(output: &Path, part: &Path, is_complete: bool) -> Result<Temporary> {
        let target = Target::of(output)?;
        if !target.has_temporary(part) {
            let (part, output) = (part.shown(), output.shown());
            return Err(Error::usage(format!("{part} is not a temporary file of {output}")));
        }
        let failed = |error| Error::io("continue", part, error);
        let file = open_file(OpenOptions::new().read(true).write(true), part).map_err(failed)?;
        let access = match Access::of_replaced(target.path()) {
            Some(access) => access,
            None => new_access(&target).map_err(failed)?,
        };
        let writers = if is_complete { access.clone() } else { Access::default() };
        writers.check(&file).map_err(failed)?;
        let there = file.metadata().map_err(failed)?;
        let (id, owner) = (id(part, &there), owner(&there));
        match lock_soon(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::busy(output, part.file_name().unwrap_or_default()));
            }
            Err(error) => log::debug!("cannot lock {}: {error}", part.shown()),
        }
        let is_kept = Arc::new(AtomicBool::new(true));
        let (path, lock) = (part.to_path_buf(), Arc::new(file));
        let (is_there, is_locked, series) = (true, true, None);
        Ok(Temporary {
            target,
            path,
            is_there,
            is_kept,
            lock,
            is_locked,
            series,
            id,
            owner,
            access,
        })
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
            false => {
                let file = open_file(OpenOptions::new().write(true), &self.path)?;
                self.check(&file.metadata()?)?;
                Ok(Arc::new(file))
            }
        }
    }

    /// Opens it again, to append to what was written: this many bytes.
    ///
    /// # Errors
    /// What the path names is another file, or has another length: somebody has replaced or changed it, or the file
    /// system has lost what it accepted. Links are not followed.
    pub(super) fn reopen(&self, bytes: u64) -> io::Result<Arc<File>> {
        let file = open_file(OpenOptions::new().append(true), &self.path)?;
        let there = file.metadata()?;
        self.check(&there)?;
        if id(&self.path, &there) != self.id {
            return Err(replaced());
        }
        match there.len() {
            len if len == bytes => Ok(Arc::new(file)),
            len => Err(io::Error::other(format!(
                "its temporary file has {len} bytes, and {bytes} were written"
            ))),
        }
    }

    /// Who can read and write it when it is complete.
    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    /// Which file it is.
    pub(super) fn id(&self) -> Option<&FileId> {
        self.id.as_ref()
    }

    /// Is what the path names a file of the owner of the one that was created? Anybody can replace it in a directory
    /// that others can write. Inodes are not compared: those of some network file systems change.
    fn check(&self, there: &Metadata) -> io::Result<()> {
        match there.is_file() && owner(there) == self.owner {
            true => Ok(()),
            false => Err(replaced()),
        }
    }

    /// Gives it its name; without `overwrite` only if there is no file of this name.
    pub(super) fn publish(&mut self, overwrite: bool) -> io::Result<()> {
        self.check(&fs::symlink_metadata(&self.path)?)?;
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

/// The error of a temporary file whose path names another file.
fn replaced() -> io::Error {
    io::Error::other("its temporary file was replaced by another")
}

/// The temporary files that these outputs can have.
#[derive(Debug)]
pub struct Parts(HashSet<PathBuf>);

impl Parts {
    /// Of these outputs.
    pub fn of<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> Parts {
        let targets = outputs.into_iter().filter_map(|path| Target::of(path).ok());
        Parts(targets.map(|target| target.beside(&target.stem())).collect())
    }

    /// Can this be the path of one of them?
    pub fn contain(&self, part: &Path) -> bool {
        let name = part.file_name().unwrap_or_default().to_os_string();
        let found = FoundFile::parse(Path::new("."), name);
        found.is_some_and(|found| self.0.contains(&part.with_file_name(found.stem)))
    }
}

/// The access of a new file in the directory of an output, which a file shows that is removed again.
fn new_access(target: &Target) -> io::Result<Access> {
    let mut name = target.stem();
    name.push(format!("{INFIX}{}{SUFFIX}", token()));
    let path = target.beside(&name);
    let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Access::of_new(&file)
}

/// A random number for a run.
pub(super) fn token() -> String {
    let mut hasher = RandomState::new().build_hasher();
    std::process::id().hash(&mut hasher);
    SystemTime::now().hash(&mut hasher);
    format!("{:0width$x}", hasher.finish(), width = TOKEN_LEN)
}

/// Locks a file, or a directory, as soon as that is possible: a process that another thread is starting holds the locks
/// of this one for a moment.
///
/// # Errors
/// Those of [`File::try_lock`]; `WouldBlock` if another run holds the lock for longer than that.
pub fn lock_soon(file: &File) -> Result<(), TryLockError> {
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
pub(super) fn lock_directory(path: &Path) -> Option<File> {
    let directory = File::open(path).ok()?;
    let locked = lock_soon(&directory);
    let locked = locked.inspect_err(|error| log::debug!("cannot lock {}: {error}", path.shown()));
    locked.ok().map(|()| directory)
}

/// A temporary file in a directory, of any run.
#[derive(Debug)]
pub(super) struct FoundFile {
    path: PathBuf,
    pub(super) name: OsString,
    pub(super) stem: OsString,
    pub(super) token: String,
}

impl FoundFile {
    /// Those of a directory; none if it cannot be read.
    pub(super) fn in_directory(directory: &Path) -> Vec<FoundFile> {
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
    pub(super) fn live(
        found: &[FoundFile],
        matters: impl Fn(&FoundFile) -> bool,
    ) -> HashSet<String> {
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
    let file = open_file(OpenOptions::new().read(true), path);
    // A shared lock is possible on a file that is open for reading only, on network file systems too.
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Values by keys, such as what is in a directory, in the order in which a key was first added.
#[derive(Debug)]
pub(super) struct Groups<K, T> {
    pub(super) groups: Vec<(K, Vec<T>)>,
    places: HashMap<K, usize>,
}

impl<K: Clone + Eq + Hash, T> Groups<K, T> {
    /// No groups yet.
    pub(super) fn new() -> Groups<K, T> {
        Groups { groups: Vec::new(), places: HashMap::new() }
    }

    /// Adds a value.
    pub(super) fn add(&mut self, key: K, value: T) {
        let place = *self.places.entry(key).or_insert_with_key(|key| {
            self.groups.push((key.clone(), Vec::new()));
            self.groups.len() - 1
        });
        self.groups[place].1.push(value);
    }
}

/// A temporary file that no active run writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOver {
    /// Where it is.
    pub path: PathBuf,
    /// Its name has the token of a run; one without is of an earlier version, or of another program.
    pub has_token: bool,
}

/// Is it a file of the user, and no link?
fn is_own(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_file() && is_of_user(&there))
}

/// The temporary files of outputs that no active run writes: those of killed runs of this user. Files of earlier
/// versions without tokens, `NAME.part`, are included.
pub fn left_overs<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> Vec<LeftOver> {
    let mut left = Vec::new();
    let mut directories = Groups::new();
    let outputs = outputs.into_iter().filter(|path| *path != Path::new("-"));
    for target in outputs.filter_map(|path| Target::of(path).ok()) {
        let mut name = target.name().to_os_string();
        name.push(SUFFIX);
        let path = target.beside(&name);
        if is_own(&path) {
            left.push(LeftOver { path, has_token: false });
        }
        directories.add(target.directory().to_path_buf(), target.stem());
    }
    for (directory, stems) in directories.groups {
        let stems: HashSet<OsString> = stems.into_iter().collect();
        let mut found = FoundFile::in_directory(&directory);
        found.sort_by(|a, b| a.name.cmp(&b.name));
        let matters = |found: &FoundFile| stems.contains(&found.stem);
        let live = FoundFile::live(&found, matters);
        let is_left = |found: &FoundFile| {
            matters(found) && !live.contains(&found.token) && is_own(&found.path)
        };
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
        let adopted = |part: &Path| Temporary::adopt(&root.join("d"), part, false).map(drop);
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

    /// Keys are compared about as often as values are added, not with all others.
    #[test]
    fn groups_of_many_keys_take_no_quadratic_work() {
        thread_local!(static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });
        #[derive(Clone, Debug)]
        struct Key(usize);
        impl PartialEq for Key {
            fn eq(&self, other: &Key) -> bool {
                COMPARED.set(COMPARED.get() + 1);
                self.0 == other.0
            }
        }
        impl Eq for Key {}
        impl Hash for Key {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }
        let (count, mut found) = (4_000, Groups::new());
        for number in 0..2 * count {
            found.add(Key(number % count), number);
        }
        assert!(found.groups.len() == count && found.groups[7].1 == [7, count + 7]);
        assert!(COMPARED.get() < 4 * count, "{}", COMPARED.get());
    }

    /// What others put in the place of a temporary file gets no name.
    #[cfg(unix)]
    #[test]
    fn a_temporary_file_that_was_replaced_is_not_published() {
        use std::os::unix::fs::{chown, symlink};
        let root = scratch("temporary-replaced");
        fs::write(root.join("victim"), "secret").unwrap();
        let replace: [&dyn Fn(&Path); 3] = [
            &|part| symlink(root.join("victim"), part).unwrap(),
            &|part| fs::create_dir(part).unwrap(),
            // Root alone can give a file to somebody else.
            &|part| {
                fs::write(part, "other").unwrap();
                if chown(part, Some(12_345), None).is_err() {
                    fs::remove_file(part).unwrap();
                }
            },
        ];
        for (number, replace) in replace.iter().enumerate() {
            for overwrite in [false, true] {
                let output = root.join(format!("{number}{overwrite}"));
                let mut file = create(&output).unwrap();
                fs::remove_file(&file.path).unwrap();
                replace(&file.path);
                assert!(file.publish(overwrite).is_err(), "{number}");
                assert!(fs::symlink_metadata(&output).is_err(), "{number}");
            }
        }
        assert_eq!(fs::read_to_string(root.join("victim")).unwrap(), "secret");
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
        let adopted = Temporary::adopt(&root.join("d"), &part, false).unwrap();
        freed.join().unwrap();
        let refused =
            Temporary::adopt(&root.join("d"), &part, false).map(drop).unwrap_err().to_string();
        assert!(refused.contains("another run"), "{refused}");
        drop(adopted);
        fs::remove_dir_all(&root).unwrap();
    }
}
