//! The truncation guard: a file that becomes shorter while it is mapped is an error, not the end of the process.
//!
//! In: the address ranges of maps; the signal SIGBUS, once [`install_truncation_guard`] was called. Out: whether a page
//! of a map was touched that lies after the end of its file. The `unsafe` code of that signal is here.
//!
//! The handler maps a page of zeros in place of the one that is missing, flags the map, and returns: the reading
//! continues with zeros, and the next check of the map is an error, which ends the run and removes its outputs. A
//! SIGBUS of any other address goes to the handler that was installed before.
//!
//! Invariants: the handler takes no lock, allocates nothing, and calls only `mmap` and `sigaction`, which are plain
//! system calls. At most [`SLOTS`](unix::SLOTS) maps are guarded at a time; the system ends the process at a missing
//! page of any other, as it does without the handler.

#[cfg(all(unix, not(miri)))]
mod unix {
    use std::ops::Range;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// The number of maps that are guarded at a time. A run maps one archive after the other.
    pub(super) const SLOTS: usize = 64;

    /// The addresses of a map; a slot is free when `begin` is 0, and reserved while `end` is.
    struct Slot {
        begin: AtomicUsize,
        end: AtomicUsize,
        broken: AtomicBool,
        /// How often it was given to a map or freed.
        changes: AtomicUsize,
    }

    impl Slot {
        /// The addresses; empty if the slot is free or reserved, or changes: between the reads of its begin and its end
        /// another thread can give it to another map. That of a map that is being read does not change.
        fn range(&self) -> Range<usize> {
            let changes = self.changes.load(Ordering::Acquire);
            let (begin, end) =
                (self.begin.load(Ordering::Acquire), self.end.load(Ordering::Acquire));
            let is_one = begin != 0 && self.changes.load(Ordering::Acquire) == changes;
            if is_one { begin..end } else { 0..0 }
        }

        /// Gives a reserved slot its end.
        fn fill(&self, end: usize) {
            self.broken.store(false, Ordering::Relaxed);
            self.changes.fetch_add(1, Ordering::AcqRel);
            self.end.store(end, Ordering::Release);
        }

        fn free(&self) {
            self.changes.fetch_add(1, Ordering::AcqRel);
            self.end.store(0, Ordering::Release);
            self.begin.store(0, Ordering::Release);
        }
    }

    /// The number of the last error of a call of the system, which a handler must leave as it was.
    struct LastError(libc::c_int);

    impl LastError {
        fn place() -> *mut libc::c_int {
            // SAFETY: the functions have no conditions; the place is of this thread.
            #[allow(unsafe_code, reason = "see above")]
            #[cfg(any(target_os = "linux", target_os = "emscripten"))]
            return unsafe { libc::__errno_location() };
            #[allow(unsafe_code, reason = "see above")]
            #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
            return unsafe { libc::__error() };
            #[cfg(not(any(
                target_os = "linux",
                target_os = "emscripten",
                target_vendor = "apple",
                target_os = "freebsd"
            )))]
            ptr::null_mut()
        }

        fn kept() -> LastError {
            let place = LastError::place();
            // SAFETY: the place is null, or that of a number.
            #[allow(unsafe_code, reason = "see above")]
            LastError(if place.is_null() { 0 } else { unsafe { *place } })
        }
    }

    impl Drop for LastError {
        fn drop(&mut self) {
            let place = LastError::place();
            if !place.is_null() {
                // SAFETY: as above.
                #[allow(unsafe_code, reason = "see above")]
                unsafe {
                    *place = self.0;
                }
            }
        }
    }

    static MAPS: [Slot; SLOTS] = [const {
        Slot {
            begin: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            changes: AtomicUsize::new(0),
        }
    }; SLOTS];
    /// The action for SIGBUS before the handler was installed.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// A guarded range of addresses.
    #[derive(Debug)]
    pub(in crate::archive) struct GuardedRange(Option<usize>);

    impl GuardedRange {
        /// Guards a map until this value is dropped, which must be before the map is.
        pub(in crate::archive) fn new(map: &[u8]) -> GuardedRange {
            let begin = map.as_ptr().addr();
            let free = |slot: &Slot| {
                let (order, failed) = (Ordering::AcqRel, Ordering::Relaxed);
                slot.begin.compare_exchange(0, begin, order, failed).is_ok()
            };
            let slot = MAPS.iter().position(free);
            if let Some(slot) = slot {
                MAPS[slot].fill(begin + map.len());
            }
            GuardedRange(slot)
        }

        /// Was a page touched that lies after the end of the file?
        pub(in crate::archive) fn is_broken(&self) -> bool {
            self.0.is_some_and(|slot| MAPS[slot].broken.load(Ordering::Acquire))
        }
    }

    impl Drop for GuardedRange {
        fn drop(&mut self) {
            if let Some(slot) = self.0 {
                MAPS[slot].free();
            }
        }
    }

    /// See [`super::install_truncation_guard`].
    pub(in crate::archive) fn install() -> bool {
        static INSTALLED: OnceLock<bool> = OnceLock::new();
        *INSTALLED.get_or_init(|| {
            // SAFETY: both structures are plain data, for which zeros are a value; the handler has the
            // signature that SA_SIGINFO requires, and does only what a handler may.
            #[allow(unsafe_code, reason = "handling a signal is unsafe")]
            unsafe {
                let mut before: libc::sigaction = std::mem::zeroed();
                if libc::sigaction(libc::SIGBUS, ptr::null(), &mut before) != 0 {
                    return false;
                }
                // Stored before the handler can be called.
                let _ = BEFORE.set(before);
                let mut action: libc::sigaction = std::mem::zeroed();
                let handler: extern "C" fn(_, _, _) = on_bus_error;
                action.sa_sigaction = handler as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&mut action.sa_mask);
                libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) == 0
            }
        })
    }

    extern "C" fn on_bus_error(
        signal: libc::c_int,
        info: *mut libc::siginfo_t,
        _: *mut libc::c_void,
    ) {
        // SAFETY: with SA_SIGINFO the system gives a valid `info`, and for SIGBUS an address in it.
        #[allow(unsafe_code, reason = "see above")]
        let address = unsafe { (*info).si_addr() }.addr();
        let _last_error = LastError::kept();
        let found = MAPS.iter().find(|slot| slot.range().contains(&address));
        if let Some(slot) = found
            && put_zeros(address)
        {
            slot.broken.store(true, Ordering::Release);
            return;
        }
        // Another address: the access is repeated under the action of before.
        if let Some(before) = BEFORE.get() {
            // SAFETY: `before` was filled by the system.
            #[allow(unsafe_code, reason = "see above")]
            unsafe {
                libc::sigaction(signal, before, ptr::null_mut());
            }
        }
    }

    /// Maps a page of zeros at an address.
    fn put_zeros(address: usize) -> bool {
        // SAFETY: `sysconf` has no conditions. The page lies in a read-only map of this crate, to
        // which only `&[u8]` exist; it was not readable, and nothing relies on the values of its
        // bytes. The map that contains it is dropped as a whole.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(4096);
            let begin = ptr::without_provenance_mut(address / page * page);
            let how = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            libc::mmap(begin, page, libc::PROT_READ, how, -1, 0) != libc::MAP_FAILED
        }
    }

    #[cfg(test)]
    mod tests {
        use std::fs;
        use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

        /// A slot that is given to one map after the other has the range of one of them, or none.
        #[test]
        fn a_slot_has_no_range_of_two_maps() {
            let slot = super::Slot {
                begin: AtomicUsize::new(0),
                end: AtomicUsize::new(0),
                broken: AtomicBool::new(false),
                changes: AtomicUsize::new(0),
            };
            let is_ended = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for begin in [1, 1000].into_iter().cycle() {
                        slot.begin.store(begin, Ordering::Release);
                        slot.fill(begin + 10);
                        slot.free();
                        if is_ended.load(Ordering::Relaxed) {
                            return;
                        }
                    }
                });
                let ranges: Vec<_> = (0..2_000_000).map(|_| slot.range()).collect();
                is_ended.store(true, Ordering::Relaxed);
                let is_one = |range: &std::ops::Range<usize>| {
                    range.is_empty() || range.len() == 10 && [1, 1000].contains(&range.start)
                };
                assert!(ranges.iter().all(is_one), "{:?}", ranges.iter().find(|it| !is_one(it)));
            });
        }

        /// The handler calls the system, and what is read then is not the end of a call that failed before.
        #[test]
        fn a_page_that_is_missing_leaves_the_last_error() {
            assert!(super::install());
            let path = std::env::temp_dir().join(format!("pgnmill-errno-{}", std::process::id()));
            fs::write(&path, vec![b'x'; 1 << 16]).unwrap();
            let file = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
            let map = crate::archive::map::Map::new(&file).unwrap();
            file.set_len(0).unwrap();
            let before = super::LastError(77);
            drop(before);
            let byte = std::hint::black_box(map[20_000]);
            let after = std::io::Error::last_os_error().raw_os_error();
            assert_eq!((byte, after), (0, Some(77)));
            fs::remove_file(&path).unwrap();
        }

        /// A map of a file that is truncated while it is read: zeros, and the map reports it.
        #[test]
        fn a_file_that_shrinks_reads_as_zeros_and_is_reported() {
            assert!(super::install());
            let path = std::env::temp_dir().join(format!("pgnmill-guard-{}", std::process::id()));
            fs::write(&path, vec![b'x'; 1 << 20]).unwrap();
            let file = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
            let map = crate::archive::map::Map::new(&file).unwrap();
            assert_eq!(map[(1 << 20) - 1], b'x');
            assert!(map.is_whole());
            file.set_len(10_000).unwrap();
            assert_eq!((map[9_999], map[(1 << 20) - 1], map[500_000]), (b'x', 0, 0));
            assert!(!map.is_whole());
            fs::remove_file(&path).unwrap();
        }
    }
}

/// Installs a handler of SIGBUS for this process, once: from then on a mapped file that becomes shorter while it is
/// read is an error ([`ErrorKind::Shrunk`](crate::error::ErrorKind::Shrunk)) and does not end the process. To be called
/// by a program at its start, never by a library. A SIGBUS of any other cause goes to the handler that was installed
/// before.
///
/// Returns whether the system accepted the handler; true where there is no such signal.
///
/// ```
/// assert!(pgnmill_io::archive::install_truncation_guard());
/// ```
pub fn install_truncation_guard() -> bool {
    #[cfg(all(unix, not(miri)))]
    return unix::install();
    #[cfg(not(all(unix, not(miri))))]
    true
}

#[cfg(all(unix, not(miri)))]
pub(super) use unix::GuardedRange;

/// Systems without this signal.
#[cfg(not(all(unix, not(miri))))]
#[derive(Debug)]
pub(super) struct GuardedRange;

#[cfg(not(all(unix, not(miri))))]
impl GuardedRange {
    pub(super) fn new(_: &[u8]) -> GuardedRange {
        GuardedRange
    }

    pub(super) fn is_broken(&self) -> bool {
        false
    }
}
