//! One replay for the visitors of tests, whatever their type.
//!
//! In: a replayer, a text, a visitor. Out: what [`Replayer::replay`] gives a visitor that reads plies. Its loops are
//! large and compiled again for each type of a visitor: here they are compiled for one. Cost: an indirect call per
//! event.

use std::ops::Range;

use pgnmill_core::notation::{Notation, OtherPly, Ply};
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::replay::{Game, ReplayVisitor, Replayer, TagSection};

/// Replays all games of a text, as [`Replayer::replay`] does for a visitor that reads plies and takes no lines.
pub fn replay(replayer: &mut Replayer<'_>, text: &[u8], visitor: &mut impl ReplayVisitor) {
    replay_erased(replayer, text, visitor);
}

fn replay_erased(replayer: &mut Replayer<'_>, text: &[u8], visitor: &mut dyn AnyVisitor) {
    replayer.replay(text, &mut Erased(visitor));
}

/// [`ReplayVisitor`] without its constants, so that it can be a `dyn`.
trait AnyVisitor {
    fn begin(&mut self, text: &[u8], start: usize, tags: &TagSection, to: &'static dyn Notation);
    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize);
    fn other_ply(
        &mut self,
        text: &[u8],
        place: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation>;
    fn non_move(&mut self, text: &[u8], place: Range<usize>);
    fn long_number(&mut self, text: &[u8], place: Range<usize>);
    fn redundant_suffix(&mut self, text: &[u8], place: Range<usize>);
    fn end(&mut self, text: &[u8], game: &Game<'_>);
    fn needs_repair(&mut self, text: &[u8]) -> bool;
    fn between(&mut self, text: &[u8], place: Range<usize>);
}

/// The methods of both traits, each of which calls the other's.
macro_rules! forward {
    ($self:ident, $trait:ident, $to:expr) => {
        fn begin(&mut $self, text: &[u8], start: usize, tags: &TagSection, to: &'static dyn Notation) {
            $trait::begin($to, text, start, tags, to);
        }

        fn ply(&mut $self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
            $trait::ply($to, text, place, ply, depth);
        }

        fn other_ply(
            &mut $self,
            text: &[u8],
            place: Range<usize>,
            ply: &OtherPly<'_>,
            depth: usize,
        ) -> Result<(), Deviation> {
            $trait::other_ply($to, text, place, ply, depth)
        }

        fn non_move(&mut $self, text: &[u8], place: Range<usize>) {
            $trait::non_move($to, text, place);
        }

        fn long_number(&mut $self, text: &[u8], place: Range<usize>) {
            $trait::long_number($to, text, place);
        }

        fn redundant_suffix(&mut $self, text: &[u8], place: Range<usize>) {
            $trait::redundant_suffix($to, text, place);
        }

        fn end(&mut $self, text: &[u8], game: &Game<'_>) {
            $trait::end($to, text, game);
        }

        fn needs_repair(&mut $self, text: &[u8]) -> bool {
            $trait::needs_repair($to, text)
        }

        fn between(&mut $self, text: &[u8], place: Range<usize>) {
            $trait::between($to, text, place);
        }
    };
}

struct Erased<'v>(&'v mut dyn AnyVisitor);

impl<V: ReplayVisitor> AnyVisitor for V {
    forward!(self, ReplayVisitor, self);
}

impl ReplayVisitor for Erased<'_> {
    forward!(self, AnyVisitor, &mut *self.0);
}
