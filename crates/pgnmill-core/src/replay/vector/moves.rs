//! The moves of a stretch of movetext as arrays: what phase A hands to phase B.
//!
//! In: windows of text (`text.rs`). Out: one array per property, so that 64 moves are written at once. Invariant: of
//! entries from [`Moves::count`] on nothing is known. Cost: some 16 kB, kept from game to game.

/// At most so many plies are decoded before they are played.
pub(super) const PLIES_MAX: usize = 1024;
/// A window has fewer moves than this.
pub(super) const WINDOW_PLIES: usize = 64;
const ENTRIES: usize = PLIES_MAX + WINDOW_PLIES;

/// In [`Moves::kind`]: the move is a capture.
pub(super) const TAKES: u8 = 0x10;
/// In [`Moves::kind`]: a byte other than whitespace follows the body of the text.
pub(super) const MARKED: u8 = 0x20;
/// In [`Moves::kind`]: not a move of the usual form.
pub(super) const SPECIAL: u8 = 0x80;

/// One property of all moves.
#[repr(C, align(64))]
pub(super) struct Column([u8; ENTRIES]);

impl Column {
    /// Entries without meaning.
    pub(super) const fn new() -> Column {
        Column([0; ENTRIES])
    }

    /// The entries of 64 plies from `index` on, which is below [`PLIES_MAX`].
    #[inline(always)]
    pub(super) fn chunk(&self, index: usize) -> &[u8; 64] {
        let rest = &self.0[index.min(PLIES_MAX)..];
        rest.first_chunk().expect("a window fits after the last ply")
    }

    /// The entry of a ply; of another one if there is none.
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> u8 {
        self.0[index & (PLIES_MAX - 1)]
    }

    /// Changes the entry of a ply.
    #[inline(always)]
    pub(super) fn set(&mut self, index: usize, byte: u8) {
        self.0[index & (PLIES_MAX - 1)] = byte;
    }

    /// The entries of the first plies.
    pub(super) fn first(&self, plies: usize) -> &[u8] {
        &self.0[..plies]
    }

    /// Room for the entries of a window from `index` on, which is at most [`PLIES_MAX`].
    #[inline(always)]
    pub(super) fn window(&mut self, index: usize) -> &mut [u8; 64] {
        let rest = &mut self.0[index.min(PLIES_MAX)..];
        rest.first_chunk_mut().expect("a window fits after the last ply")
    }
}

/// Decoded moves. The *body* of a text is what precedes its check suffix: `Nbxd2` of `Nbxd2+`.
#[repr(C)]
pub(super) struct Moves {
    /// The number of plies.
    pub(super) count: usize,
    /// The square that the body ends with; of a promotion or castling without meaning.
    pub(super) target: Column,
    /// The kind (`tables.rs`), [`TAKES`], [`MARKED`], [`SPECIAL`].
    pub(super) kind: Column,
    /// The first byte of the text.
    pub(super) first: Column,
    /// The last five bytes of the body, the last one first.
    pub(super) ends: [Column; 5],
    /// The byte after the body.
    pub(super) mark: Column,
    /// Bytes of the body.
    pub(super) bytes: Column,
    /// The place of the text in its window.
    pub(super) place: Column,
    /// The windows: where each begins in the text, and its first ply.
    windows: [(usize, usize); PLIES_MAX],
    pub(super) windows_count: usize,
}

/// The text of one move.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) first: u8,
    pub(super) ends: [u8; 5],
    pub(super) mark: u8,
    pub(super) bytes: usize,
}

impl Moves {
    /// Empty columns.
    pub(super) fn new() -> Box<Moves> {
        let column = Column::new;
        Box::new(Moves {
            count: 0,
            target: column(),
            kind: column(),
            first: column(),
            ends: [column(), column(), column(), column(), column()],
            mark: column(),
            bytes: column(),
            place: column(),
            windows: [(0, 0); PLIES_MAX],
            windows_count: 0,
        })
    }

    /// Is there no room for another window?
    pub(super) fn is_full(&self) -> bool {
        self.count > PLIES_MAX - WINDOW_PLIES
    }

    /// A window begins, with this ply. Each has a ply at least.
    #[inline(always)]
    pub(super) fn begin_window(&mut self, base: usize, ply: usize) {
        self.windows[self.windows_count & (PLIES_MAX - 1)] = (base, ply);
        self.windows_count += 1;
    }

    /// The text of a ply.
    #[inline(always)]
    pub(super) fn body(&self, index: usize) -> Body {
        let [last, second, third, fourth, fifth] = &self.ends;
        Body {
            first: self.first.at(index),
            ends: [
                last.at(index),
                second.at(index),
                third.at(index),
                fourth.at(index),
                fifth.at(index),
            ],
            mark: self.mark.at(index),
            bytes: usize::from(self.bytes.at(index)),
        }
    }

    /// Where the text of a ply begins in the text that was decoded, and its bytes with the check suffix.
    pub(super) fn span(&self, index: usize) -> (usize, usize) {
        let windows = &self.windows[..self.windows_count];
        let window = windows.partition_point(|&(_, first)| first <= index);
        let base = window.checked_sub(1).map_or(0, |window| windows[window].0);
        let bytes = usize::from(self.bytes.at(index));
        let suffix = matches!(self.mark.at(index), b'+' | b'#');
        (base + usize::from(self.place.at(index)), bytes + usize::from(suffix))
    }

    /// Adds where the texts of the first plies begin in the text that was decoded, and the bytes of each with its check
    /// suffix.
    #[inline(always)]
    pub(super) fn spans(&self, plies: usize, starts: &mut Vec<usize>, bytes: &mut Vec<u8>) {
        let windows = &self.windows[..self.windows_count];
        let ends = windows.iter().skip(1).map(|&(_, first)| first).chain([plies]);
        for (&(base, first), end) in windows.iter().zip(ends) {
            let places = self.place.0.get(first..end.min(plies)).unwrap_or_default();
            starts.extend(places.iter().map(|&place| base + usize::from(place)));
        }
        let marks = self.bytes.0[..plies].iter().zip(&self.mark.0[..plies]);
        bytes.extend(marks.map(|(&bytes, mark)| bytes + u8::from(matches!(mark, b'+' | b'#'))));
    }

    /// How many of the first `plies` plies come after the last capture or pawn move among them; all if there is none.
    pub(super) fn quiet_plies(&self, plies: usize) -> usize {
        // A capture of a piece has its `x` before the square; the texts of pawns begin with a small letter.
        let loud = |&index: &usize| {
            self.ends[2].at(index) == b'x' || self.first.at(index).is_ascii_lowercase()
        };
        (0..plies).rev().find(loud).map_or(plies, |index| plies - 1 - index)
    }
}
