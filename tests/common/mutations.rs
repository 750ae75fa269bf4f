//! Archives of small games, mutated at random.

use super::Dice;

/// What people write, good and bad.
const GAMES: &[&str] = &[
    "[Event \"a\"]\n[Site \"b\"]\n[Date \"2001.??.??\"]\n[Round \"1\"]\n[White \"e\"]\n[Black \"f\"]\n\
     [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 1-0\n\n",
    "[Event \"a\"]\r\n[Result \"0-1\"]\r\n\r\n1. f3 e5 2. g4 Qh4# 0-1\r\n\r\n",
    "[Event \"Rated\"]\n[White \"x\"]\n\n1. d4 { [%clk 0:10:00] } d5 { [%eval 0.1] } 2. c4 (2. Nf3 Nf6 \
     (2... e6 3. g3) 3. c4) 2... dxc4 $1 3. e4!? *\n\n",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1/2-1/2\n",
    "[Event \"quotes\"]\n[White \"A \"B\" C\"]\n[Black \"D \\\"E\\\" F\"]\n\n1. 0-0 *\n\n",
    "[Event \"sixty\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. a8=Q+ Kd7 2. O-O *\n\n",
    "% escape\n[Event \"x\"] [Site \"y\"]\n; line { comment\n1. e4 {nested {comment} here} e5 --\n*\n",
    "\u{feff}[Event \"bom\"]\n[White \"M\u{fc}ller\"]\n\n1. e2e4 e7e5 2. Ng1f3 \u{bd}-\u{bd}\n\n",
    "[Event \"960\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/\
     NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. e4 O-O *\n\n",
    "[Event \"zh\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 2. N@f3 *\n\n",
    "[Event \"moves in uci\"]\n[MoveNotation \"uci\"]\n\n1. e2e4 e7e5 2. g1f3 *\n\n",
    "[Event \"no moves\"]\n[Result \"1-0\"]\n\n1-0\n\n[Event \"none at all\"]\n\n",
    "[Event “curly”]\n[Round 3]\n[Site]\nWhite \"A\"]\n[Foo bar]\n\n1.\u{a0}e4 e5\u{200b}2. Nf3 {x {y} z {w} v} Nc6 *\n\n",
    "[White Able] [Black 'B']\n[\"x\"]\n[Result \"*\"]\n\n1. e4 {x {y} Nf3, *\n\n",
    "no game at all, but text\n\n\t \n",
];

/// Several games, with line ends of any kind.
pub(crate) fn mixture(dice: &mut Dice) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..1 + dice.below(12) {
        text.extend_from_slice(GAMES[dice.below(GAMES.len())].as_bytes());
    }
    // Line ends of any kind.
    match dice.below(6) {
        0 => {
            String::from_utf8_lossy(&text).replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()
        }
        1 => String::from_utf8_lossy(&text).replace("\r\n", "\n").replace('\n', "\r").into_bytes(),
        _ => text,
    }
}

/// Changes, inserts, removes and moves bytes.
pub(crate) fn mutate(text: &mut Vec<u8>, dice: &mut Dice) {
    /// Bytes that mean something.
    const SIGNS: &[u8] = b"[]{}()\";%\\\r\n .*$!?-=+#0123456789abcdefghKQRBNO\0\xEF\xFF\xC2\xA0";
    for _ in 0..dice.below(8) {
        match dice.below(8) {
            0 if !text.is_empty() => {
                let at = dice.below(text.len());
                text[at] ^= 1 << dice.below(8);
            }
            1 if !text.is_empty() => {
                let at = dice.below(text.len());
                text[at] = SIGNS[dice.below(SIGNS.len())];
            }
            2 => {
                let gone = dice.range(text, 40);
                text.drain(gone);
            }
            3 => {
                let at = dice.below(text.len() + 1);
                let new: Vec<u8> =
                    (0..1 + dice.below(9)).map(|_| SIGNS[dice.below(SIGNS.len())]).collect();
                text.splice(at..at, new);
            }
            4 => {
                let at = dice.below(text.len() + 1);
                let new: Vec<u8> = (0..1 + dice.below(30)).map(|_| dice.roll() as u8).collect();
                text.splice(at..at, new);
            }
            5 if dice.below(4) == 0 => text.truncate(dice.below(text.len() + 1)),
            6 => {
                let moved = dice.range(text, 300);
                let piece: Vec<u8> = text.drain(moved).collect();
                let at = dice.below(text.len() + 1);
                text.splice(at..at, piece);
            }
            _ => {
                let again = dice.range(text, 100);
                let piece = text[again].to_vec();
                let at = dice.below(text.len() + 1);
                text.splice(at..at, piece);
            }
        }
    }
}

/// Frames of pieces that are cut anywhere.
pub(crate) fn compressed(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut stored = Vec::new();
    let mut at = 0;
    while at < text.len() || stored.is_empty() {
        let end = (at + 1 + dice.below(1500)).min(text.len());
        stored.extend(zstd::bulk::compress(&text[at..end], 1).unwrap());
        at = end;
    }
    stored
}
