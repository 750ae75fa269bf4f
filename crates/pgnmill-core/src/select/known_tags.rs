//! The names of tag pairs that archives have: those of the index, and others of the standard and of well-known sources.
//!
//! In: a name of an expression. Out: whether it is known. A name that is none of them may be used; a run in which no
//! game has such a pair ends with a warning. Cost: the number of names.

use crate::pgn::Tag;

/// Those without a place in the index: the PGN standard (section 9), ChessBase, Lichess, chess.com, FICS, engines'
/// tournaments, and this program.
const OTHERS: &str = "\
    WhiteUSCF BlackUSCF WhiteNA BlackNA WhiteType BlackType EventSponsor Section Stage Board SubVariation NIC \
    Mode EventRounds EventCountry EventCategory Source SourceTitle SourceVersion SourceVersionDate \
    SourceQuality WhiteTeamCountry BlackTeamCountry WhiteCountry BlackCountry GameId BroadcastName \
    BroadcastURL StudyName ChapterName ChapterURL ChapterMode Orientation WhiteClock BlackClock WhiteFed \
    BlackFed Tournament StartTime EndTime EndDate Timezone CurrentPosition ECOUrl FICSGamesDBGameNo WhiteRD \
    BlackRD WhiteIsComp BlackIsComp TerminationDetails WhiteTimeControl BlackTimeControl WhiteEngineOptions \
    BlackEngineOptions BookDepth MatchLabel HashCode TotalPlyCount Remark LiveChessVersion MoveNotation";

/// All names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    Tag::ALL.into_iter().map(Tag::name).chain(OTHERS.split_whitespace())
}

/// Is the name known?
pub(super) fn is_known(name: &str) -> bool {
    names().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        let mut all: Vec<&str> = names().collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
