//! Whose a file is, and who can read and write it.
//!
//! In: files of an earlier run; outputs that are replaced. Out: open files that are those of this user; the access that
//! a complete output gets. Rules: a file that a run continues, reads as a state or removes belongs to the user of the
//! process, or to root, and is writable by no other user: in a directory that others can write, any of them can place a
//! file under any name. What decides is the open file, not its path, and links are not followed. What a run has not
//! completed can be read by its user alone. Cost: a system call or two per file.
//!
//! On systems without owners and modes all files are those of the user.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;

/// Bits of a mode: the group and others can write.
#[cfg(unix)]
const OTHERS_WRITE: u32 = 0o022;
/// The mode of what is not complete.
#[cfg(unix)]
const PRIVATE: u32 = 0o600;

/// Opens a file that is no link, no pipe and no device.
///
/// # Errors
/// What the system refuses; another kind of file.
pub(super) fn open_file(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let no_file = || io::Error::other("it is no file");
    // A device can do something when it is opened.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(no_file());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

/// Opens a file of the user of the process, or of root, that is writable by no other user.
///
/// # Errors
/// What the system refuses; a link, a pipe, a device; a file that is not the user's.
pub fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = open_file(options, path)?;
    Access::default().check(&file)?;
    Ok(file)
}

/// Files that are created so can be read and written by their user alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(PRIVATE);
    }
    options
}

/// The user to whom a file belongs.
pub(super) fn owner(metadata: &Metadata) -> u32 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(metadata);
    #[cfg(not(unix))]
    {
        let _ = metadata;
        0
    }
}

/// Does a file belong to the user of the process, or to root?
pub(super) fn is_of_user(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        // SAFETY: the call has no conditions.
        #[allow(unsafe_code, reason = "a call of the system that the library does not have")]
        let user = unsafe { libc::geteuid() };
        [user, 0].contains(&owner(metadata))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        true
    }
}

/// Who can read and write an output when it is complete. The default: the user alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    permissions: Option<Permissions>,
    /// The group of the file that is replaced.
    #[cfg(unix)]
    group: Option<u32>,
}

impl Access {
    /// That of the file that an output replaces, if there is one.
    pub(super) fn of_replaced(path: &Path) -> Option<Access> {
        let replaced = fs::symlink_metadata(path).ok().filter(Metadata::is_file)?;
        Some(Access {
            permissions: Some(replaced.permissions()),
            #[cfg(unix)]
            group: Some(std::os::unix::fs::MetadataExt::gid(&replaced)),
        })
    }

    /// That of a file as the system has created it; it becomes that of its user until it is complete.
    pub(super) fn of_new(file: &File) -> io::Result<Access> {
        let permissions = file.metadata()?.permissions();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            if let Err(error) = file.set_permissions(Permissions::from_mode(PRIVATE)) {
                log::debug!("a temporary file keeps its permissions: {error}");
            }
        }
        Ok(Access {
            permissions: Some(permissions),
            #[cfg(unix)]
            group: None,
        })
    }

    /// Gives it to a complete output. The group is kept if the system allows it; if not, the group that the file has
    /// gets no more than others have.
    pub(super) fn give(&self, file: &File) -> io::Result<()> {
        let Some(permissions) = self.permissions.clone() else { return Ok(()) };
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let is_of = |group| file.metadata().is_ok_and(|there| there.gid() == group);
            if let Some(group) = self.group.filter(|group| !is_of(*group))
                && let Err(error) = fchown(file, None, Some(group))
            {
                log::debug!("an output does not keep its group: {error}");
                let mode = permissions.mode();
                let of_group = mode & 0o070 & (mode << 3);
                return file.set_permissions(Permissions::from_mode(mode & !0o070 | of_group));
            }
        }
        file.set_permissions(permissions)
    }

    /// Is an open file that of the user, and writable only by users that can write what has this access?
    ///
    /// # Errors
    /// It is not; what the system refuses.
    pub(super) fn check(&self, file: &File) -> io::Result<()> {
        let there = file.metadata()?;
        if !is_of_user(&there) {
            return Err(io::Error::other("it belongs to another user"));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let given = self.permissions.as_ref().map_or(0, PermissionsExt::mode);
            if there.permissions().mode() & OTHERS_WRITE & !given != 0 {
                return Err(io::Error::other("others can write it"));
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    /// Every mode and kind of a file, and its owner.
    #[test]
    fn a_file_of_others_is_not_opened() {
        let root = std::env::temp_dir().join(format!("pgnmill-access-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let path = root.join("file");
        fs::write(&path, "text").unwrap();
        let open = |path: &Path| open_own(OpenOptions::new().read(true), path);
        for mode in (0..=0o777).filter(|mode| mode & 0o400 != 0) {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert_eq!(open(&path).is_ok(), mode & 0o022 == 0, "{mode:o}");
            // A complete output can be written by those who can write what it replaces.
            let access = Access { permissions: Some(Permissions::from_mode(mode)), group: None };
            access.check(&File::open(&path).unwrap()).unwrap();
        }
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        symlink(&path, root.join("link")).unwrap();
        for other in [&root, &root.join("link"), &root.join("none"), Path::new("/dev/null")] {
            assert!(open(other).is_err(), "{}", other.display());
        }
        // Root alone can give a file to somebody else.
        if chown(&path, Some(12_345), None).is_ok() {
            let error = open(&path).unwrap_err().to_string();
            assert!(error.contains("another user"), "{error}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
