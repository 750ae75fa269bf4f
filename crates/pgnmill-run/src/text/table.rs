//! A table for a terminal: aligned columns that fit its width, or a block of lines per row where they do not.
//!
//! In: a header, rows of texts, a width. Out: lines. Invariant: no line is wider than the terminal, and no text is left
//! out: cells are broken at spaces. A table in which a word would be broken is a block of lines per row, where words
//! are broken that are wider than the terminal. Cost: the length of the texts.
//!
//! ```text
//! notation  title                    example
//! san       Standard Algebraic       Nf3
//!           Notation
//! ```

use crate::host::{Ink, Screen};
use crate::text::terminal::{clean, lines_of, width};

/// The space between columns.
const GAP: usize = 2;
/// A column that is narrower than this, and than its texts, cannot be read.
const COLUMN_MIN: usize = 12;

/// The table as lines of at most `columns` columns.
pub(crate) fn render(
    header: &[&str],
    rows: &[Vec<String>],
    columns: usize,
    screen: Screen,
) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| clean(cell.as_bytes())).collect()).collect();
    let natural: Vec<usize> = (0..header.len())
        .map(|at| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell));
            cells.chain([width(header[at])]).max().unwrap_or(0)
        })
        .collect();
    let longest: Vec<usize> = (0..header.len())
        .map(|at| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(String::as_str);
            let words = cells.chain([header[at]]).flat_map(str::split_whitespace);
            words.map(width).max().unwrap_or(0)
        })
        .collect();
    match shared(&natural, &longest, columns) {
        Some(widths) => aligned(header, &rows, &widths, screen),
        None => blocks(header, &rows, columns, screen),
    }
}

/// The widths of the columns: narrow ones keep theirs, wide ones share the rest, and none is narrower than its longest
/// word. `None` if there is too little room.
fn shared(natural: &[usize], longest: &[usize], columns: usize) -> Option<Vec<usize>> {
    let mut room = columns.checked_sub(GAP * natural.len().saturating_sub(1))?;
    // What the words of the columns need that have no width yet.
    let mut words: usize = longest.iter().sum();
    let mut order: Vec<usize> = (0..natural.len()).collect();
    order.sort_by_key(|&at| natural[at]);
    let mut widths = vec![0; natural.len()];
    for (done, &at) in order.iter().enumerate() {
        words -= longest[at];
        let share = (room / (natural.len() - done)).min(room.checked_sub(words)?);
        widths[at] = natural[at].min(share.max(longest[at]));
        if widths[at] < natural[at].min(COLUMN_MIN) {
            return None;
        }
        room = room.checked_sub(widths[at])?;
    }
    Some(widths)
}

fn aligned(header: &[&str], rows: &[Vec<String>], widths: &[usize], screen: Screen) -> String {
    let mut text = String::new();
    let header: Vec<String> = header.iter().map(ToString::to_string).collect();
    for (index, row) in std::iter::once(&header).chain(rows).enumerate() {
        let cells: Vec<Vec<String>> =
            row.iter().zip(widths).map(|(cell, &width)| lines_of(cell, width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line_index in 0..height {
            let (mut line, mut space) = (String::new(), 0);
            for (at, (lines, &column)) in cells.iter().zip(widths).enumerate() {
                let cell = lines.get(line_index).map_or("", String::as_str);
                if !cell.is_empty() {
                    line.push_str(&" ".repeat(space));
                    let is_name = index == 0 || at == 0;
                    line.push_str(&if is_name {
                        screen.paint(Ink::Bold, cell)
                    } else {
                        cell.into()
                    });
                    space = 0;
                }
                space += column + GAP - width(cell);
            }
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// A block per row: its first text, then the others, each after the name of its column.
fn blocks(header: &[&str], rows: &[Vec<String>], columns: usize, screen: Screen) -> String {
    let mut text = String::new();
    for row in rows {
        for (at, (name, cell)) in header.iter().zip(row).enumerate() {
            if at == 0 {
                for line in lines_of(cell, columns) {
                    text += &screen.paint(Ink::Bold, &line);
                    text.push('\n');
                }
            } else if !cell.is_empty() {
                let lines =
                    lines_of(&format!("{name}: {cell}"), columns.saturating_sub(GAP).max(1));
                lines.iter().for_each(|line| text += &format!("{}{line}\n", " ".repeat(GAP)));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        vec![
            row(["san", "Standard Algebraic Notation, as PGN has it", "Nf3"]),
            row(["uci", "Universal Chess Interface", "g1f3"]),
            row(["x\u{1b}", &"long".repeat(40), ""]),
        ]
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_text_is_lost() {
        for columns in 6..=200 {
            let text = render(&["name", "title", "example"], &rows(), columns, Screen::default());
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}:\n{text}");
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
            let letters: String = text.split_whitespace().collect();
            assert_eq!(letters.matches("long").count(), 40, "{columns}:\n{text}");
            assert_eq!(letters.matches("g1f3").count(), 1, "{columns}:\n{text}");
        }
    }

    /// Letters of other scripts, wide ones among them, have the layout of as many columns of ASCII.
    #[test]
    fn the_layout_is_that_of_the_widths_of_the_letters() {
        let cells = [
            ["\u{fc}ber", "\u{43b}\u{430}\u{434}\u{44c}\u{44f} a1", "e4"],
            ["\u{68cb}\u{76e4}", "b", "\u{2654}e1"],
        ];
        let ascii = |text: &str| {
            text.split(' ').map(|word| "x".repeat(width(word))).collect::<Vec<_>>().join(" ")
        };
        let rows: Vec<Vec<String>> = cells.map(|row| row.map(String::from).to_vec()).into();
        let plain: Vec<Vec<String>> = cells.map(|row| row.map(ascii).to_vec()).into();
        for columns in 6..=60 {
            let of = |rows: &[Vec<String>]| {
                let text = render(&["xxxx", "xxxx", "xxxx"], rows, columns, Screen::default());
                text.lines().map(ascii).collect::<Vec<_>>()
            };
            assert_eq!(of(&rows), of(&plain), "{columns}");
        }
    }

    /// A name can be copied from the screen as long as the screen is as wide as the name.
    #[test]
    fn no_word_is_broken_that_fits() {
        let rows: Vec<Vec<String>> =
            [["capture-mark-missing", "Be5 where a piece is taken", "PGN 8.2.3.3: captures"]]
                .map(|row| row.map(String::from).to_vec())
                .into();
        for columns in 20..=120 {
            let text = render(&["name", "example", "source"], &rows, columns, Screen::default());
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}:\n{text}");
            for word in rows[0].iter().flat_map(|cell| cell.split(' ')) {
                assert!(text.contains(word), "{columns}: {word}\n{text}");
            }
        }
    }

    #[test]
    fn columns_are_aligned() {
        let text = render(&["name", "title", "example"], &rows()[..2], 40, Screen::default());
        let expected = "\
            name  title                      example\n\
            san   Standard Algebraic         Nf3\n\
            \u{20}     Notation, as PGN has it\n\
            uci   Universal Chess Interface  g1f3\n";
        assert_eq!(text, expected);
    }
}
