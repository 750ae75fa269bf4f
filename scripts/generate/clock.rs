//! Time: time controls, and the time that players use.

use super::chance::Chance;

/// Seconds at the beginning and for each move. No time control: days for a move, no clock shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Control {
    /// Seconds at the beginning; 0 if there is no clock.
    pub(super) base: i32,
    /// Seconds added after each move.
    pub(super) increment: i32,
}

impl Control {
    /// The expected duration of a game, by the rule of Lichess.
    fn expected(self) -> i32 {
        self.base + 40 * self.increment
    }

    /// The name of the speed.
    pub(super) fn speed(self) -> &'static str {
        match self.expected() {
            0 => "Correspondence",
            1..30 => "UltraBullet",
            30..180 => "Bullet",
            180..480 => "Blitz",
            480..1500 => "Rapid",
            _ => "Classical",
        }
    }

    /// The value of the `TimeControl` tag.
    pub(super) fn tag(self) -> String {
        match self.base {
            0 => "-".to_string(),
            _ => format!("{}+{}", self.base, self.increment),
        }
    }
}

/// Time controls and their shares of the games, in per mille.
pub(super) const CONTROLS: &[(u64, i32, i32)] = &[
    (230, 60, 0),
    (205, 180, 0),
    (150, 300, 0),
    (130, 600, 0),
    (55, 300, 3),
    (55, 180, 2),
    (40, 120, 1),
    (32, 600, 5),
    (20, 900, 10),
    (18, 30, 0),
    (12, 480, 0),
    (10, 240, 2),
    (9, 300, 2),
    (8, 420, 5),
    (8, 1800, 0),
    (6, 15, 0),
    (5, 1800, 20),
    (7, 0, 0),
];

/// Two clocks.
#[derive(Debug)]
pub(super) struct Clocks {
    control: Control,
    left: [i32; 2],
}

impl Clocks {
    /// Both at the initial time.
    pub(super) fn new(control: Control) -> Clocks {
        Clocks { control, left: [control.base; 2] }
    }

    /// Subtracts the time for a move, the `ply`th from 0, and returns the time left; `None` if there is none. A `hard`
    /// move takes longer.
    pub(super) fn think(&mut self, ply: usize, hard: bool, chance: &mut Chance) -> Option<i32> {
        let left = &mut self.left[ply % 2];
        if self.control.base == 0 {
            return Some(0);
        }
        // The clock starts with the second move; until then nothing is used and nothing added.
        if ply < 2 {
            return Some(*left);
        }
        let share = self.control.expected() / if hard { 22 } else { 45 };
        let pace = match ply {
            0..12 => share / 4,
            12..24 => share * 2 / 3,
            _ => share,
        };
        // A player who is short of time moves at once.
        let pace = pace.min(*left / 12 + self.control.increment);
        let mut spent = chance.between(0, 2 * pace.max(1));
        if chance.per_mille(40) {
            spent += chance.between(0, 3 * pace + 1);
        }
        if *left <= 4 && self.control.increment == 0 {
            spent = i32::from(chance.per_mille(200));
        }
        if spent >= *left {
            *left = 0;
            return None;
        }
        *left += self.control.increment - spent;
        Some(*left)
    }
}

/// Seconds as `h:mm:ss`.
pub(super) fn show(seconds: i32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
