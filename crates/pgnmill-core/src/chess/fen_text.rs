//! Positions as FEN text, and boards as 64 nibbles.
//!
//! Input: a position. Output: its record in X-FEN, appended to a buffer of the caller; or the pieces alone in 32 bytes.
//! Both begin with the same table lookup: each rank becomes a word of eight bytes.
//!
//! Cost: no allocation beyond the buffer. A record takes about 800 instructions, whatever the pieces are. Its board is
//! written without a branch: a loop over the pieces takes as many instructions and more time, by its mispredictions.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! let mut text = b"start: ".to_vec();
//! Position::initial().write_fen(&mut text);
//! assert_eq!(text, b"start: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
//! assert_eq!(Position::initial().board_nibbles()[..4], [0x42, 0x35, 0x63, 0x24]);
//! ```

use super::{CastlingSide, Color, Position, Role, Square};

/// The bits of a rank as eight bytes of 0 or 1, the a-file in the lowest one.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut file = 0;
        while file < 8 {
            spread[bits] |= ((bits >> file & 1) as u64) << (8 * file);
            file += 1;
        }
        bits += 1;
    }
    spread
};

/// The text of a rank and the slash after it.
struct RankText {
    /// Where each character comes from: the file of a piece; [`SLASH`]; or `SLASH` plus the length of a run of empty
    /// squares.
    sources: [u8; 9],
    /// How many characters there are.
    length: u8,
}

/// The number of the slash, after those of the files.
const SLASH: usize = 8;

/// The texts of ranks by their occupied squares: a table instead of branches, which would be badly predicted.
static RANK_TEXTS: [RankText; 256] = {
    let mut texts = [const { RankText { sources: [0; 9], length: 0 } }; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let (mut sources, mut length, mut gap, mut file) = ([0; 9], 0, 0, 0);
        while file <= 8 {
            let is_empty = file < 8 && occupied >> file & 1 == 0;
            if is_empty {
                gap += 1;
            } else {
                if gap > 0 {
                    sources[length] = SLASH as u8 + gap;
                    length += 1;
                    gap = 0;
                }
                // The eighth "file" is the slash.
                sources[length] = file;
                length += 1;
            }
            file += 1;
        }
        texts[occupied] = RankText { sources, length: length as u8 };
        occupied += 1;
    }
    texts
};

/// The characters of the nibbles; of 15, which no piece has, the slash; and of 16 plus a number, its digit. As long as
/// an index of one byte allows, which spares the bounds check.
static CHARACTERS: [u8; 256] = {
    let mut characters = [b'?'; 256];
    let letters = b"?PNBRQK??pnbrqk/0123456789";
    let mut at = 0;
    while at < letters.len() {
        characters[at] = letters[at];
        at += 1;
    }
    characters
};

/// The castling fields of [`Position::castling_corners`], and their lengths.
static RIGHTS: [([u8; 4], usize); 16] = [
    (*b"-   ", 1),
    (*b"K   ", 1),
    (*b"Q   ", 1),
    (*b"KQ  ", 2),
    (*b"k   ", 1),
    (*b"Kk  ", 2),
    (*b"Qk  ", 2),
    (*b"KQk ", 3),
    (*b"q   ", 1),
    (*b"Kq  ", 2),
    (*b"Qq  ", 2),
    (*b"KQq ", 3),
    (*b"kq  ", 2),
    (*b"Kkq ", 3),
    (*b"Qkq ", 3),
    (*b"KQkq", 4),
];

/// Above the bytes of the longest record, a power of two: 71 of the board, ten of each counter, seven of the other
/// fields, and five spaces.
const RECORD_BYTES_MAX: usize = 128;

/// The nibbles of a rank as bytes, the a-file in the lowest one, from their bits.
#[inline(always)]
fn rank_nibbles(bits: &[u64; 4], rank: usize) -> u64 {
    let [ones, twos, fours, eights] =
        bits.map(|bits| SPREAD[usize::from((bits >> (8 * rank)) as u8)]);
    ones | twos << 1 | fours << 2 | eights << 3
}

/// A record that is being written.
struct Record {
    /// Longer than a record, so that a few bytes can be written where fewer count.
    bytes: [u8; RECORD_BYTES_MAX + 8],
    length: usize,
}

impl Record {
    /// Writes bytes, of which the first `count` count.
    #[inline(always)]
    fn push<const WRITTEN: usize>(&mut self, bytes: [u8; WRITTEN], count: usize) {
        // The remainder spares the bounds check; no record is so long.
        self.bytes[self.length % RECORD_BYTES_MAX..][..WRITTEN].copy_from_slice(&bytes);
        self.length += count;
    }

    /// The eight ranks with slashes between them.
    #[inline(always)]
    fn push_board(&mut self, bits: &[u64; 4]) {
        // The sources of `RankText`; the codes of pieces change with each rank.
        let mut sources = [0u8; 256];
        sources[SLASH..][..9].copy_from_slice(&[15, 17, 18, 19, 20, 21, 22, 23, 24]);
        let [ones, twos, fours, _] = bits;
        let occupied = ones | twos | fours;
        for rank in (0..8).rev() {
            sources[..8].copy_from_slice(&rank_nibbles(bits, rank).to_le_bytes());
            let text = &RANK_TEXTS[usize::from((occupied >> (8 * rank)) as u8)];
            let character = |&source: &u8| CHARACTERS[usize::from(sources[usize::from(source)])];
            self.push(text.sources.each_ref().map(character), usize::from(text.length));
        }
        self.length -= 1;
    }

    /// A number without leading zeros.
    #[inline(always)]
    fn push_number(&mut self, number: u32) {
        match number {
            0..10 => self.push([b'0' + number as u8], 1),
            10..100 => self.push([b'0' + (number / 10) as u8, b'0' + (number % 10) as u8], 2),
            _ => self.push_long_number(number),
        }
    }

    #[cold]
    fn push_long_number(&mut self, number: u32) {
        let mut power = 1_000_000_000;
        while power > 0 {
            if number >= power {
                self.push([b'0' + (number / power % 10) as u8], 1);
            }
            power /= 10;
        }
    }
}

impl Position {
    /// The FEN record, in X-FEN: castling rights are `KQkq`, or the letter of a file where the rook is not the
    /// outermost one; an en passant square is written only if a pawn can legally capture there, as Lichess and
    /// python-chess do, so that equal positions have equal records. (PGN standard 16.1.3.4 writes the square after
    /// every double step.)
    ///
    /// ```
    /// use pgnmill_core::chess::Position;
    /// let text = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    /// let (position, _) = Position::from_fen(text.as_bytes())?;
    /// assert_eq!(position.to_fen(), text.replace("e6", "-"));
    /// # Ok::<(), pgnmill_core::chess::FenError>(())
    /// ```
    pub fn to_fen(&self) -> String {
        let mut text = Vec::with_capacity(RECORD_BYTES_MAX);
        self.write_fen(&mut text);
        text.into_iter().map(char::from).collect()
    }

    /// Appends the record of [`Position::to_fen`] to `out`.
    pub fn write_fen(&self, out: &mut Vec<u8>) {
        self.write_fen_with(out, self.legal_en_passant_square());
    }

    /// Appends the FEN record to `out`, with `en_passant` as its en passant square whatever the position's is: for a
    /// caller that has [`Position::legal_en_passant_square`], or requires [`Position::en_passant_square`].
    pub fn write_fen_with(&self, out: &mut Vec<u8>, en_passant: Option<Square>) {
        let record = self.record(en_passant);
        out.extend_from_slice(&record.bytes[..record.length % RECORD_BYTES_MAX]);
    }

    /// The 64 squares from a1, b1 to h8, a nibble each: byte `n` has square `2n` in its high nibble and `2n + 1` in its
    /// low one, so that the bytes as hexadecimal digits are the squares in order. 0 is empty; 1 to 6 are White's pawn,
    /// knight, bishop, rook, queen and king; 9 to 14 the same of Black.
    pub fn board_nibbles(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let bits = self.nibble_bits();
        for (rank, bytes) in bytes.chunks_exact_mut(4).enumerate() {
            let nibbles = rank_nibbles(&bits, rank);
            // Pairs in every second byte, then without the bytes between.
            let pairs = (nibbles << 4 | nibbles >> 8) & 0x00ff_00ff_00ff_00ff;
            let pairs = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
            bytes.copy_from_slice(&((pairs | pairs >> 16) as u32).to_le_bytes());
        }
        bytes
    }

    /// The 64 squares from a1, b1 to h8, a byte each: 0 is empty; 1 to 6 are White's pawn, knight, bishop, rook, queen
    /// and king; 7 to 12 the same of Black.
    ///
    /// ```
    /// use pgnmill_core::chess::Position;
    /// let squares = Position::initial().squares();
    /// assert_eq!((&squares[..8], &squares[56..]), (&[4, 2, 3, 5, 6, 3, 2, 4][..], &[10, 8, 9, 11, 12, 9, 8, 10][..]));
    /// ```
    #[inline]
    pub fn squares(&self) -> [u8; 64] {
        let bits = self.nibble_bits();
        let mut squares = [0; 64];
        for (rank, squares) in squares.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let nibbles = rank_nibbles(&bits, rank);
            // Black's nibbles are 8 more than White's; here 6.
            let black = nibbles & 0x0808_0808_0808_0808;
            *squares = (nibbles - (black >> 2)).to_le_bytes();
        }
        squares
    }

    /// The bits of the nibbles of [`Position::board_nibbles`], lowest bit first.
    #[inline(always)]
    fn nibble_bits(&self) -> [u64; 4] {
        let role = |role| self.role(role).0;
        let (knights, bishops, rooks) = (role(Role::Knight), role(Role::Bishop), role(Role::Rook));
        let (queens, kings) = (role(Role::Queen), role(Role::King));
        let ones = role(Role::Pawn) | bishops | queens;
        [ones, knights | bishops | kings, rooks | queens | kings, self.color(Color::Black).0]
    }

    #[inline(always)]
    fn record(&self, en_passant: Option<Square>) -> Record {
        let mut record = Record { bytes: [0; RECORD_BYTES_MAX + 8], length: 0 };
        record.push_board(&self.nibble_bits());
        record.push([b' ', if self.turn() == Color::White { b'w' } else { b'b' }, b' '], 3);
        match self.castling_corners() {
            Some(corners) => {
                let (letters, length) = RIGHTS[corners & 15];
                record.push(letters, length);
            }
            None => self.push_rights(&mut record),
        }
        match en_passant {
            Some(square) => record.push([b' ', square.file_letter(), square.rank_digit(), b' '], 4),
            None => record.push(*b" - ", 3),
        }
        record.push_number(self.halfmove_clock());
        record.push([b' '], 1);
        record.push_number(self.fullmove_number());
        record
    }

    /// The castling field if a right belongs to a rook that is not in a corner.
    #[cold]
    fn push_rights(&self, record: &mut Record) {
        for color in [Color::White, Color::Black] {
            for side in [CastlingSide::Short, CastlingSide::Long] {
                let Some(rook) = self.castling_rook(color, side) else { continue };
                let letter = match side {
                    _ if self.outermost_rook(color, side) != Some(rook) => rook.file_letter(),
                    CastlingSide::Short => b'k',
                    CastlingSide::Long => b'q',
                };
                let white = color == Color::White;
                record.push([if white { letter.to_ascii_uppercase() } else { letter }], 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pgnmill_dice::Dice;

    use super::*;

    /// The record, square by square and field by field.
    fn plain_record(position: &Position) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                let square = Square::at(file, rank);
                let Some(role) = position.role_at(square) else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    text += &gap.to_string();
                    gap = 0;
                }
                let letter = char::from(role.letter());
                let white = position.color(Color::White).has(square);
                text.push(if white { letter } else { letter.to_ascii_lowercase() });
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text += if position.turn() == Color::White { " w " } else { " b " };
        text += &plain_rights(position);
        match position.legal_en_passant_square() {
            Some(square) => text += &format!(" {square}"),
            None => text += " -",
        }
        text + &format!(" {} {}", position.halfmove_clock(), position.fullmove_number())
    }

    fn plain_rights(position: &Position) -> String {
        let mut text = String::new();
        for color in [Color::White, Color::Black] {
            for side in [CastlingSide::Short, CastlingSide::Long] {
                let Some(rook) = position.castling_rook(color, side) else { continue };
                let letter = if position.outermost_rook(color, side) == Some(rook) {
                    if side == CastlingSide::Short { b'K' } else { b'Q' }
                } else {
                    rook.file_letter().to_ascii_uppercase()
                };
                let black = color == Color::Black;
                text.push(if black { letter.to_ascii_lowercase() } else { letter } as char);
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// All texts of a position against the plain ones; returns its record.
    fn check(position: &Position) -> String {
        let expected = plain_record(position);
        assert_eq!(position.to_fen(), expected);
        let mut out = b"x".to_vec();
        position.write_fen(&mut out);
        position.write_fen_with(&mut out, Some(Square::at(2, 5)));
        position.write_fen_with(&mut out, None);
        let fields: Vec<&str> = expected.split(' ').collect();
        let with = |square: &str| {
            [fields[0], fields[1], fields[2], square, fields[4], fields[5]].join(" ")
        };
        let all = ["x", &expected, &with("c6"), &with("-")].concat();
        assert_eq!(String::from_utf8(out), Ok(all));
        check_nibbles(position);
        expected
    }

    fn check_nibbles(position: &Position) {
        let nibbles = position.board_nibbles();
        for number in 0..64 {
            let square = Square::new(number);
            let byte = nibbles[usize::from(number) / 2];
            let nibble = if number % 2 == 0 { byte >> 4 } else { byte & 15 };
            let color = position.color_at(square).map_or(0, |color| 8 * color.index());
            let role = position.role_at(square).map_or(0, |role| role.index() + 1);
            assert_eq!(usize::from(nibble), color + role, "{position:?} {square}");
        }
    }

    #[test]
    fn games_have_the_records_that_the_plain_way_writes() {
        let mut dice = Dice::new(1);
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
            "bqrnkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQRNKRNB w KQkq - 98 98",
            "rk2r2r/pppppppp/8/8/8/8/PPPPPPPP/R2RK1R1 b DGae - 7 999999999",
        ];
        let mut captures = 0;
        for game in 0..400 {
            let start = starts[game % starts.len()];
            let mut position = Position::from_fen(start.as_bytes()).expect("a position").0;
            for _ in 0..200 {
                let record = check(&position);
                captures += usize::from(record.split(' ').nth(3) != Some("-"));
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[dice.below(moves.len())]);
            }
        }
        assert!(captures > 100, "{captures}");
    }

    #[test]
    fn crowded_and_empty_boards_have_the_records_that_the_plain_way_writes() {
        let mut dice = Dice::new(2);
        let mut read = 0;
        let mut with_file_letters = 0;
        for _ in 0..60_000 {
            let share = dice.below(100);
            let mut board = [b'1'; 64];
            for square in &mut board {
                if dice.below(100) < share {
                    *square = dice.one(b"NBRRQPnbrrqp");
                }
            }
            board[dice.below(8)] = b'k';
            board[56 + dice.below(8)] = b'K';
            let ranks: Vec<&str> =
                board.chunks(8).map(|rank| str::from_utf8(rank).unwrap()).collect();
            let record = format!(
                "{} {} {} - {} {}",
                ranks.join("/"),
                dice.one(&["w", "b"]),
                dice.one(&[
                    "-",
                    "KQkq",
                    "Kq",
                    "ABCDEFGHabcdefgh",
                    "HhAa",
                    "GBgb",
                    "CFcf",
                    "k",
                    "Q"
                ]),
                dice.roll() as u32 >> dice.below(32),
                dice.roll() as u32 >> dice.below(32),
            );
            // Most boards have an attacked king, or pawns on back ranks.
            if let Ok((position, _)) = Position::from_fen(record.as_bytes()) {
                read += 1;
                let written = check(&position);
                let rights = written.split(' ').nth(2).unwrap_or_default();
                with_file_letters += usize::from(rights.contains(|c: char| !"KQkq-".contains(c)));
            }
        }
        assert!(read > 3_000 && with_file_letters > 50, "{read} {with_file_letters}");
    }

    #[test]
    fn the_longest_record_fits() {
        let board = "rnbqkbnr/pppppppp/rnbqrbnr/pppppppp/PPPPPPPP/RNBQRBNR/PPPPPPPP/RNBQKBNR";
        let record = format!("{board} w KQkq - 1000000000 1000000000");
        let (position, _) = Position::from_fen(record.as_bytes()).expect("a position");
        let mut out = Vec::new();
        position.write_fen_with(&mut out, Some(Square::at(4, 5)));
        assert_eq!(String::from_utf8(out), Ok(record.replace(" - ", " e6 ")));
    }

    #[test]
    fn hexadecimal_nibbles_are_the_squares_in_order() {
        let text: String =
            Position::initial().board_nibbles().iter().map(|byte| format!("{byte:02x}")).collect();
        let empty = "0".repeat(32);
        assert_eq!(text, ["4235632411111111", &empty, "99999999cabdebac"].concat());
    }
}
