//! Games of the shared archives, one at a time, as pgn-reader reads them, and their own texts.
//!
//! In: an archive, plain or zstd. Out: game by game, the record it starts
//! from, the moves as pgn-reader parsed them, and the raw texts of the main line. Archives are
//! streamed, never in memory as a whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};

/// All archives below a folder, in the order of their names.
pub(crate) fn archives(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_unstable();
    let found = paths.into_iter().flat_map(|path| {
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            archives(&path)
        } else if name.ends_with(".pgn") || name.ends_with(".pgn.zst") {
            vec![path]
        } else {
            Vec::new()
        }
    });
    found.collect()
}

/// One game.
#[derive(Debug, Default)]
pub(crate) struct Game {
    /// The record of the tag pair `FEN`.
    pub(crate) fen: Option<Vec<u8>>,
    /// The moves of the main line, as pgn-reader parsed them.
    pub(crate) moves: Vec<SanPlus>,
    /// The texts of the moves in the archive; empty where the two do not pair off.
    pub(crate) texts: Vec<Vec<u8>>,
}

/// The games of one archive.
pub(crate) struct Games {
    lines: Box<dyn BufRead>,
    /// The first line of the next game, read already.
    next: Vec<u8>,
}

impl Games {
    /// Opens an archive.
    pub(crate) fn open(path: &Path) -> io::Result<Games> {
        let file = BufReader::new(File::open(path)?);
        let bytes: Box<dyn Read> = if path.extension().is_some_and(|end| end == "zst") {
            Box::new(zstd::stream::read::Decoder::with_buffer(file)?)
        } else {
            Box::new(file)
        };
        Ok(Games { lines: Box::new(BufReader::new(bytes)), next: Vec::new() })
    }

    /// The bytes of the next game: up to the first tag pair after its moves.
    fn take(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.next);
        let mut in_moves = false;
        loop {
            let start = bytes.len();
            if self.lines.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(bytes);
            }
            let line = &bytes[start..];
            if in_moves && is_tag_pair(line) {
                self.next = bytes.split_off(start);
                return Ok(bytes);
            }
            in_moves |= !is_tag_pair(line) && !line.trim_ascii().is_empty();
        }
    }
}

/// A tag pair, not a command in a comment such as `[%clk 0:15:00]`.
fn is_tag_pair(line: &[u8]) -> bool {
    matches!(line, [b'[', b'A'..=b'Z', ..]) && line.windows(2).any(|two| two == b" \"")
}

impl Iterator for Games {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        let bytes = self.take().expect("a readable archive");
        if bytes.is_empty() {
            return None;
        }
        let mut reader = Reader::new(io::Cursor::new(&bytes));
        // What pgn-reader cannot take apart is left out; there is always something to return.
        let mut game = reader.read_game(&mut Collector).ok().flatten().unwrap_or_default();
        let texts = main_line(&bytes);
        let pairs = |(mv, text): (&SanPlus, &Vec<u8>)| {
            SanPlus::from_ascii(text).is_ok_and(|parsed| parsed == *mv)
        };
        if texts.len() == game.moves.len() && game.moves.iter().zip(&texts).all(pairs) {
            game.texts = texts;
        }
        Some(game)
    }
}

/// Keeps what a [`Game`] holds.
struct Collector;

impl Visitor for Collector {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        if name == b"FEN" {
            game.fen = Some(value.as_bytes().to_vec());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.moves.push(san);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Game, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

/// The move texts of the main line: no tag pairs, comments, variations, numbers, glyphs, results.
fn main_line(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut texts, mut at, mut depth) = (Vec::new(), 0, 0usize);
    while let Some(&byte) = bytes.get(at) {
        let line_start = at == 0 || bytes[at - 1] == b'\n';
        let until =
            |end: u8| bytes[at..].iter().position(|&b| b == end).unwrap_or(bytes.len() - at);
        at += match byte {
            b'[' | b'%' if line_start => until(b'\n'),
            b';' => until(b'\n'),
            b'{' => until(b'}') + 1,
            b'(' | b')' => {
                depth = if byte == b'(' { depth + 1 } else { depth.saturating_sub(1) };
                1
            }
            _ if byte.is_ascii_whitespace() || byte == b'}' => 1,
            _ => {
                let ends = |b: &u8| b.is_ascii_whitespace() || b"(){};".contains(b);
                let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                let word = &bytes[at..at + length];
                if depth == 0 {
                    texts.extend(move_text(word).map(<[u8]>::to_vec));
                }
                length
            }
        };
    }
    texts
}

/// The move text of a word: without the number stuck to it and the suffix; nothing for a number or
/// a result.
fn move_text(word: &[u8]) -> Option<&[u8]> {
    if word == b"*" || word.starts_with(b"$") || word.starts_with(b"1/2") || word == b"1-0" {
        return None;
    }
    let number = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = match word.get(number) {
        Some(b'.') => &word[number..],
        None => return None,
        Some(_) => word,
    };
    let start = word.iter().position(|&byte| byte != b'.')?;
    let end = word.iter().position(|byte| b"!?$".contains(byte)).unwrap_or(word.len());
    (start < end && word != b"0-1").then(|| &word[start..end])
}
