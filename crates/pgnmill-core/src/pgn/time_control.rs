//! A time control, of any form: the value of the tag pair `TimeControl`.
//!
//! In: the bytes of the value. Out: [`TimeControl`]; `None` if it is unknown (`?`, empty) or of no form. Cost: the
//! bytes once; nothing is allocated.
//!
//! Forms: those of the PGN standard, 9.6.1 (`-`, `40/9000`, `300`, `4500+60`, `*180`, several periods separated by
//! `:`); with an increment after any period, as clocks of DGT are set and written (`40/5400+30:1800+30`); of cutechess
//! and fastchess fractions of seconds (`40/60+0.5`), `inf`, `hg60` (a sandclock) and `5/move` (cutechess
//! `TimeControl::toString`, fastchess `TimeControl`).
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
}

impl TimeControl {
    /// Reads a value; `None` if any of its periods is of no form.
    pub fn read(text: &[u8]) -> Option<TimeControl> {
        let text = text.trim_ascii();
        if text == b"-" || text == b"inf" {
            let (base_ms, increment_ms, moves) = (None, None, None);
            let kind = TimeKind::Unlimited;
            return Some(TimeControl { kind, base_ms, increment_ms, moves, periods: 0 });
        }
        let mut periods = text.split(|&byte| byte == b':').map(period);
        let first = periods.next()??;
        let others = periods.try_fold(0_i32, |count, period| period.map(|_| count + 1))?;
        Some(TimeControl { periods: others + 1, ..first })
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
    let increment = plus.map_or(Some(0), |plus| milliseconds(&time[plus + 1..]))?;
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
    Some(TimeControl { kind, base_ms: of(base), increment_ms, moves, periods: 1 })
}

#[cfg(test)]
mod tests {
    use pgnmill_dice::{Dice, trials};

    use super::*;

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
            let expected = TimeControl { kind, base_ms, increment_ms, moves, periods };
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "?",
            "??",
            "x",
            "0",
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
                    expected.get_or_insert(TimeControl {
                        kind: if moves.is_some() { TimeKind::Moves } else { TimeKind::Game },
                        base_ms: Some(base as i32),
                        increment_ms: Some(increment as i32),
                        moves,
                        periods: periods as i32,
                    });
                    format!("{moves_text}{}{plus}", seconds(base))
                })
                .collect();
            let mut text = texts.join(":").into_bytes();
            assert_eq!(TimeControl::read(&text), expected, "{}", texts.join(":"));
            let at = dice.below(text.len());
            text[at] = dice.one(b"0123456789:/+*.-?x \xff");
            let _ = TimeControl::read(&text);
        }
    }
}
