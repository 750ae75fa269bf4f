//! A file with its mutants, each with a switch.
//!
//! In: the text of a file and the mutants chosen from it. Out: a text in which `crate::mutant::on(NUMBER)` selects the mutant,
//! and the span of each mutant, so that a compiler error can be attributed to its mutant. A mutant
//! inside another is nested in the other's unchanged branch.

use std::ops::Range;

use crate::find::{Candidate, Change};

/// A mutant with its number.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub number: u32,
    pub file: String,
    pub found: Candidate,
    /// The text of its span and the replacement, for the list.
    pub before: String,
    pub after: String,
}

/// The spans of a mutant in the compiled text: its own branch, and both branches.
#[derive(Clone, Debug)]
pub struct Placed {
    pub number: u32,
    pub own: Range<usize>,
    pub whole: Range<usize>,
}

/// The text with the mutants of this file, which are in order.
pub fn rewritten(source: &str, mutants: &[Mutant]) -> (String, Vec<Placed>) {
    let mut out = String::with_capacity(2 * source.len());
    let mut placed = Vec::new();
    render(source, 0..source.len(), mutants, &mut out, &mut placed);
    (out, placed)
}

fn render(
    source: &str,
    range: Range<usize>,
    mut mutants: &[Mutant],
    out: &mut String,
    placed: &mut Vec<Placed>,
) {
    let mut at = range.start;
    while let Some((mutant, rest)) = mutants.split_first() {
        let found = &mutant.found;
        out.push_str(&source[at..found.start]);
        // Mutants inside it come next in the order.
        let within = rest.iter().take_while(|other| other.found.start < found.end).count();
        let (inner, others) = rest.split_at(within);
        let start = out.len();
        let number = mutant.number;
        match &found.change {
            Change::Replace(text) => {
                out.push_str(&format!("(if crate::mutant::on({number}) {{ {text} }} else {{ "));
            }
            Change::Delete => out.push_str(&format!("if !crate::mutant::on({number}) {{ ")),
            Change::Return(text) => {
                out.push_str(&format!(" if crate::mutant::on({number}) {{ return {text}; }} "));
            }
            Change::Arm => out.push_str(&format!("if !crate::mutant::on({number}) ")),
        }
        let own = start..out.len();
        render(source, found.start..found.end, inner, out, placed);
        match found.change {
            Change::Replace(_) => out.push_str(" })"),
            Change::Delete => out.push_str(" }"),
            Change::Return(_) | Change::Arm => {}
        }
        placed.push(Placed { number, own, whole: start..out.len() });
        at = found.end;
        mutants = others;
    }
    out.push_str(&source[at..range.end]);
}

/// The module that is added to each crate: which mutant is on, by the environment. Some crates have no dependency: it calls the
/// C library, which the standard library links, and allocates nothing.
pub const SWITCH: &str = r#"//! Which mutant is on.
#![allow(unsafe_code, clippy::all, missing_docs, reason = "made by scripts/mutants, for tests only")]

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *mut c_char;
    fn atoi(text: *const c_char) -> c_int;
    fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn mmap(
        place: *mut c_void, bytes: usize, protection: c_int, flags: c_int, file: c_int, offset: i64,
    ) -> *mut c_void;
}

const READ_AND_WRITE: c_int = 2;
const PAGES_READ_AND_WRITE: c_int = 1 | 2;
const SHARED: c_int = 1;

const REACHED: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX;
static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static MAP: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

#[inline(always)]
pub(crate) fn on(number: u32) -> bool {
    let active = ACTIVE.load(Ordering::Relaxed);
    active == number || active >= REACHED && slow(number)
}

#[cold]
#[inline(never)]
fn slow(number: u32) -> bool {
    if ACTIVE.load(Ordering::Acquire) == UNKNOWN {
        read();
        return on(number);
    }
    let map = MAP.load(Ordering::Relaxed);
    if !map.is_null() {
        unsafe { map.add(number as usize).write_volatile(1) };
    }
    false
}

fn read() {
    unsafe {
        let chosen = getenv(c"PGNMILL_MUTANT".as_ptr());
        if !chosen.is_null() {
            ACTIVE.store(atoi(chosen) as u32, Ordering::Release);
            return;
        }
        let path = getenv(c"PGNMILL_REACHED".as_ptr());
        if !path.is_null() {
            let file = open(path, READ_AND_WRITE);
            let map = mmap(std::ptr::null_mut(), 1 << 16, PAGES_READ_AND_WRITE, SHARED, file, 0);
            if map.addr() != usize::MAX {
                MAP.store(map.cast(), Ordering::Relaxed);
                ACTIVE.store(REACHED, Ordering::Release);
                return;
            }
        }
        ACTIVE.store(0, Ordering::Release);
    }
}
"#;
