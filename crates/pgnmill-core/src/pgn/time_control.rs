//! A time control, of any form: the value of the tag pair `TimeControl`.
//!
//! In: the bytes of the value. Out: [`TimeControl`]; `None` if it is unknown (`?`, empty) or of no form. Invariant:
//! this is the one reader of time controls: columns, groups, fields and the times of plies are of it, so that what is
//! of no form here has none of them. Cost: the bytes once; nothing is allocated.
//!
//! Forms: those of the PGN standard, 9.6.1 (`-`, `40/9000`, `300`, `4500+60`, `*180`, several periods separated by
//! `:`); with an increment after any period, as clocks of DGT are set and written (`40/5400+30:1800+30`); of cutechess
//! and fastchess fractions of seconds (`40/60+0.5`), `inf`, `hg60` (a sandclock) and `5/move` (cutechess
//! `TimeControl::toString`, fastchess `TimeControl`). No time at all (`0`, `0+0`), and no moves (`0/300`), are no
//! control.
//!
//! ```
//! use pgnmill_core::pgn::{TimeControl, TimeKind};
//! let read = |text: &str| TimeControl::read(text.as_bytes());
//! let control = read("40/7200:3600+30").expect("two periods");
//! assert_eq!((control.kind, control.moves, control.periods), (TimeKind::Moves, Some(40), 2));
//! assert_eq!((control.base_ms, control.increment_ms), (Some(7_200_000), Some(0)));
//! assert_eq!(read("10+0.1").and_then(|control| control.increment_ms), Some(100));
//! assert_eq!(read("*180").map(|control| control.kind), Some(TimeKind::Sandclock));
//! assert!(read("?").is_none() && read("40/").is_none());
//! ```

use super::tag_numbers::{milliseconds, number};

/// The longest expected time of a player, in seconds, of each of the first four speeds.
const SPEED_SECONDS_MAX: [u64; 4] = [29, 179, 479, 1499];
/// The place of correspondence after these.
const CORRESPONDENCE: u32 = 5;
/// The expected number of moves of a game, for its speed.
const SPEED_MOVES: u64 = 40;
/// A time per move from which on a game is correspondence: one hour.
const CORRESPONDENCE_MOVE_MS: u64 = 3_600_000;

/// What the first period of a time control is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum TimeKind {
    /// A time for all moves: `300`, `4500+60`.
    Game,
    /// A time for so many moves: `40/9000`, `1/86400`, `5/move`.
    Moves,
    /// A sandclock: what one player takes, the other gains: `*180`, `hg180`.
    Sandclock,
    /// No limit: `-`, `inf`.
    Unlimited,
}

impl TimeKind {
    /// The names of all kinds, in their order.
    pub const NAMES: [&str; 4] = ["game", "moves", "sandclock", "unlimited"];
}

/// A time control. The numbers are of its first period; times beyond 31 bits are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// What it is.
    pub kind: TimeKind,
    /// The time in milliseconds; `None` without a limit.
    pub base_ms: Option<i32>,
    /// What a clock gains with each move, in milliseconds; `None` without a limit, and for a sandclock.
    pub increment_ms: Option<i32>,
    /// The moves for which the time is; `None` if it is for all.
    pub moves: Option<i32>,
    /// How many periods there are; 0 without a limit.
    pub periods: i32,
    /// All periods.
    all: Sums,
}

/// What all periods of a control come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sums {
    /// The times of all periods, in milliseconds.
    base_ms: u64,
    /// The first increment that is written, in milliseconds.
    written_ms: Option<u64>,
    /// The increment of all periods, if they have the same.
    common_ms: Option<u64>,
    /// Is one of them a sandclock?
    has_sandclock: bool,
    /// Is one of them a time per move?
    has_time_per_move: bool,
}

impl TimeControl {
    /// Reads a value; `None` if any of its periods is of no form.
    pub fn read(text: &[u8]) -> Option<TimeControl> {
        let text = text.trim_ascii();
        if text == b"-" || text == b"inf" {
            let (base_ms, increment_ms, moves) = (None, None, None);
            let (kind, all) = (TimeKind::Unlimited, Sums::default());
            return Some(TimeControl { kind, base_ms, increment_ms, moves, periods: 0, all });
        }
        let mut periods = text.split(|&byte| byte == b':').map(period);
        let first = periods.next()??;
        periods.try_fold(first, |sum, next| {
            let (all, next) = (sum.all, next?.all);
            let all = Sums {
                base_ms: all.base_ms + next.base_ms,
                written_ms: all.written_ms.or(next.written_ms),
                common_ms: all.common_ms.filter(|common| Some(*common) == next.common_ms),
                has_sandclock: all.has_sandclock || next.has_sandclock,
                has_time_per_move: all.has_time_per_move || next.has_time_per_move,
            };
            Some(TimeControl { periods: sum.periods + 1, all, ..sum })
        })
    }

    /// The time of each player and the increment in whole seconds, of the form `180+2` alone: one period for all moves
    /// with a written increment. `None` for every other form, and for fractions of seconds.
    pub fn base_and_increment(&self) -> Option<(i32, i32)> {
        let increment =
            self.all.written_ms.filter(|_| self.kind == TimeKind::Game && self.periods == 1)?;
        let seconds =
            |ms: u64| if ms.is_multiple_of(1_000) { i32::try_from(ms / 1_000).ok() } else { None };
        Some((seconds(self.all.base_ms)?, seconds(increment)?))
    }

    /// The increment per move in milliseconds, where all periods have the same: 0 without one. `None` for a sandclock,
    /// a time per move, without a limit, and beyond 31 bits.
    pub fn common_increment_ms(&self) -> Option<i32> {
        let is_of_clock = !self.all.has_sandclock && !self.all.has_time_per_move;
        self.all.common_ms.filter(|_| is_of_clock).and_then(|ms| i32::try_from(ms).ok())
    }

    /// The speed by its place: that of Lichess, of the base time and 40 times the increment. Of several periods the
    /// base times are added and the first increment that is written counts. A time per move counts 40 times; from an
    /// hour on, and without a limit, it is correspondence. `None` for a sandclock.
    pub(crate) fn speed(&self) -> Option<u32> {
        let all = self.all;
        if all.has_sandclock {
            return None;
        }
        let (base, increment) = match (self.kind, self.moves) {
            (TimeKind::Unlimited, _) => return Some(CORRESPONDENCE),
            (_, Some(1)) if all.base_ms >= CORRESPONDENCE_MOVE_MS => return Some(CORRESPONDENCE),
            (_, Some(1)) => {
                let of_move = self.base_ms.map_or(all.base_ms, |ms| ms.unsigned_abs().into());
                (all.base_ms - of_move, of_move + all.written_ms.unwrap_or(0))
            }
            _ => (all.base_ms, all.written_ms.unwrap_or(0)),
        };
        let seconds = (base + SPEED_MOVES * increment) / 1_000;
        Some(SPEED_SECONDS_MAX.iter().filter(|&&most| seconds > most).count() as u32)
    }
}

/// One period, as a control of its own.
fn period(text: &[u8]) -> Option<TimeControl> {
    let text = text.trim_ascii();
    let slash = text.iter().position(|&byte| byte == b'/');
    let (moves, time) = match slash {
        Some(slash) if text[slash + 1..].trim_ascii() == b"move" => (Some(1), &text[..slash]),
        Some(slash) => {
            let moves = number(text[..slash].trim_ascii()).filter(|&moves| moves > 0)?;
            (Some(moves as i32), text[slash + 1..].trim_ascii_start())
        }
        None => (None, text),
    };
    let sandclock = time.strip_prefix(b"*").or_else(|| time.strip_prefix(b"hg"));
    let time = sandclock.unwrap_or(time);
    let plus = time.iter().position(|&byte| byte == b'+');
    let base = milliseconds(&time[..plus.unwrap_or(time.len())])?;
    let written = match plus {
        Some(plus) => Some(milliseconds(&time[plus + 1..])?),
        None => None,
    };
    let increment = written.unwrap_or(0);
    let is_sandclock = sandclock.is_some();
    // No time at all is no control, and a sandclock has neither moves nor an increment.
    if base + increment == 0 || is_sandclock && (moves.is_some() || plus.is_some()) {
        return None;
    }
    let kind = match moves {
        _ if is_sandclock => TimeKind::Sandclock,
        Some(_) => TimeKind::Moves,
        None => TimeKind::Game,
    };
    let of = |ms: u64| i32::try_from(ms).ok();
    let increment_ms = if is_sandclock { None } else { of(increment) };
    let all = Sums {
        base_ms: base,
        written_ms: written,
        common_ms: Some(increment),
        has_sandclock: is_sandclock,
        has_time_per_move: moves == Some(1),
    };
    Some(TimeControl { kind, base_ms: of(base), increment_ms, moves, periods: 1, all })
}

#[cfg(test)]
mod tests {
    use pgnmill_dice::{Dice, trials};

    use super::*;

    /// Kind, time, increment, moves and periods.
    type Numbers = (TimeKind, Option<i32>, Option<i32>, Option<i32>, i32);

    fn numbers(text: &[u8]) -> Option<Numbers> {
        let it = TimeControl::read(text)?;
        Some((it.kind, it.base_ms, it.increment_ms, it.moves, it.periods))
    }

    fn read(text: &str) -> Option<TimeControl> {
        TimeControl::read(text.as_bytes())
    }

    #[test]
    fn every_form_has_its_numbers() {
        use TimeKind::{Game, Moves, Sandclock, Unlimited};
        for (text, kind, base_ms, increment_ms, moves, periods) in [
            ("-", Unlimited, None, None, None, 0),
            ("inf", Unlimited, None, None, None, 0),
            ("40/9000", Moves, Some(9_000_000), Some(0), Some(40), 1),
            ("300", Game, Some(300_000), Some(0), None, 1),
            (" 4500+60 ", Game, Some(4_500_000), Some(60_000), None, 1),
            ("0+1", Game, Some(0), Some(1_000), None, 1),
            ("*180", Sandclock, Some(180_000), None, None, 1),
            ("hg60.5", Sandclock, Some(60_500), None, None, 1),
            ("40/7200:3600", Moves, Some(7_200_000), Some(0), Some(40), 2),
            ("40/7200:20/3600:900+30", Moves, Some(7_200_000), Some(0), Some(40), 3),
            ("40/5400+30:1800+30", Moves, Some(5_400_000), Some(30_000), Some(40), 2),
            ("5400+30:1800", Game, Some(5_400_000), Some(30_000), None, 2),
            ("40/60+0.5", Moves, Some(60_000), Some(500), Some(40), 1),
            ("4.653+0.047", Game, Some(4_653), Some(47), None, 1),
            ("5/move", Moves, Some(5_000), Some(0), Some(1), 1),
            ("0.1/move", Moves, Some(100), Some(0), Some(1), 1),
            ("1/86400", Moves, Some(86_400_000), Some(0), Some(1), 1),
            ("1/2592000", Moves, None, Some(0), Some(1), 1),
            ("999999999", Game, None, Some(0), None, 1),
        ] {
            let expected = (kind, base_ms, increment_ms, moves, periods);
            assert_eq!(numbers(text.as_bytes()), Some(expected), "{text}");
        }
        for text in [
            "",
            "?",
            "??",
            "x",
            "0",
            "0+0",
            "40/",
            "/300",
            "0/300",
            "40/0",
            "300+",
            "+5",
            "300+x",
            "300:",
            ":300",
            "40/300:x",
            "*",
            "*0",
            "*180+2",
            "40/*180",
            "-300",
            "300-",
            "1e3",
            "5/moves",
            "move",
            "/move",
            "3+2+1",
            "40/40/300",
            "9999999999",
            "blitz",
            "5 min",
            "--",
            "- -",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn printed_controls_are_read_back_and_any_bytes_have_a_result() {
        let mut dice = Dice::new(961);
        let seconds = |ms: u64| match ms % 1_000 {
            0 => (ms / 1_000).to_string(),
            part => format!("{}.{part:03}", ms / 1_000),
        };
        for _ in 0..trials(3_000, 30_000, 300_000) {
            let mut expected = None;
            let periods = 1 + dice.below(4);
            let texts: Vec<String> = (0..periods)
                .map(|_| {
                    let base = 1 + dice.below(7_200_000) as u64;
                    let increment =
                        if dice.below(2) == 0 { 0 } else { 1 + dice.below(60_000) as u64 };
                    let moves = (dice.below(2) == 0).then(|| 1 + dice.below(99) as i32);
                    let moves_text = moves.map_or(String::new(), |moves| format!("{moves}/"));
                    let plus = if increment > 0 {
                        format!("+{}", seconds(increment))
                    } else {
                        String::new()
                    };
                    expected.get_or_insert((
                        if moves.is_some() { TimeKind::Moves } else { TimeKind::Game },
                        Some(base as i32),
                        Some(increment as i32),
                        moves,
                        periods as i32,
                    ));
                    format!("{moves_text}{}{plus}", seconds(base))
                })
                .collect();
            let mut text = texts.join(":").into_bytes();
            assert_eq!(numbers(&text), expected, "{}", texts.join(":"));
            let at = dice.below(text.len());
            text[at] = dice.one(b"0123456789:/+*.-?x \xff");
            let _ = TimeControl::read(&text);
        }
    }

    /// What follows from a control: the form in seconds, the increment of all periods, the speed.
    #[test]
    fn one_reading_has_all_that_follows() {
        for (text, seconds, increment, speed) in [
            ("180+2", Some((180, 2)), Some(2_000), Some(2)),
            ("180 + 2", Some((180, 2)), Some(2_000), Some(2)),
            ("0+1", Some((0, 1)), Some(1_000), Some(1)),
            ("999999999+0", Some((999_999_999, 0)), Some(0), Some(4)),
            ("600", None, Some(0), Some(3)),
            ("10+0.1", None, Some(100), Some(0)),
            ("40/7200:20/3600", None, Some(0), Some(4)),
            ("40/5400+30:1800+30", None, Some(30_000), Some(4)),
            ("5400+30:1800", None, None, Some(4)),
            ("60:60+3", None, None, Some(2)),
            ("40/0+5", None, Some(5_000), Some(2)),
            ("5/move", None, None, Some(2)),
            ("1/5", None, None, Some(2)),
            ("0.1/move", None, None, Some(0)),
            ("40/7200:5/move", None, None, Some(4)),
            ("5/move:300", None, None, Some(3)),
            ("1/86400", None, None, Some(5)),
            ("1/3600", None, None, Some(5)),
            ("-", None, None, Some(5)),
            ("inf", None, None, Some(5)),
            ("*180", None, None, None),
            ("300:*60", None, None, None),
        ] {
            let it = read(text).unwrap_or_else(|| panic!("{text}"));
            let found = (it.base_and_increment(), it.common_increment_ms(), it.speed());
            assert_eq!(found, (seconds, increment, speed), "{text}");
        }
    }
}
