//! A slow reading: how many games a text holds, found without any code of the program.
//!
//! In: the text of an archive. Out: the number of its games. A line that opens a tag pair begins a section, unless the
//! line before it that is not blank opens or closes one too; an `Event` after a blank line always does. In a section a
//! result outside comments and variations ends a game, and what looks like a move or a number begins the next.

/// The games of a text.
pub(crate) fn games(text: &[u8]) -> u64 {
    sections(text).iter().map(|section| games_of_section(section)).sum()
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_+#=:-".contains(&byte)
}

/// The tag name, if the line opens a tag pair.
fn opened(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
    let len = rest.iter().take_while(|&&byte| is_name(byte)).count();
    let (name, rest) = rest.split_at(len);
    (len > 0 && rest.trim_ascii_start().starts_with(b"\"")).then_some(name)
}

fn closes(line: &[u8]) -> bool {
    let body = line.trim_ascii_end().strip_suffix(b"]");
    body.is_some_and(|body| body.trim_ascii_end().ends_with(b"\""))
}

/// The lines, with their ends: LF, CR LF or CR.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in 0..text.len() {
        let ends = text[at] == b'\n' || text[at] == b'\r' && text.get(at + 1) != Some(&b'\n');
        if ends {
            lines.push(&text[start..=at]);
            start = at + 1;
        }
    }
    lines.push(&text[start..]);
    lines
}

fn sections(text: &[u8]) -> Vec<Vec<u8>> {
    let mut sections = vec![Vec::new()];
    // Whether the last line that was not blank was of a tag pair, and whether a blank line came since.
    let (mut tag_before, mut blank) = (false, false);
    for line in lines(text) {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let words = line.trim_ascii();
        match opened(line) {
            Some(name) => {
                if !tag_before || name == b"Event" && blank {
                    sections.push(Vec::new());
                }
                (tag_before, blank) = (true, false);
            }
            None if words.is_empty() => blank = true,
            None if matches!(line.first(), Some(b'%' | b';')) => {}
            None => (tag_before, blank) = (closes(line), false),
        }
        sections.last_mut().unwrap().extend_from_slice(line);
    }
    sections
}

/// Where the tag pair that the text begins with ends; one that is never closed ends with its line.
fn tag_end(text: &[u8]) -> Option<usize> {
    opened(text)?;
    let quote = text.iter().position(|&byte| byte == b'"')?;
    let mut at = quote + 1;
    while at < text.len() && !matches!(text[at], b'"' | b'\n' | b'\r') {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    let rest = text.get(at + 1..).unwrap_or_default();
    let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if text.get(at) == Some(&b'"') && rest.get(blanks) == Some(&b']') {
        return Some(at + 1 + blanks + 1);
    }
    let line = text[quote..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    Some(line.map_or(text.len(), |len| quote + len))
}

fn begins_game(word: &[u8]) -> bool {
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let castles = word.windows(3).any(|three| three == b"O-O");
    word[0].is_ascii_digit()
        || is_result(word)
        || word.len() <= 10 && (castles || word.windows(2).any(square))
}

fn is_result(word: &[u8]) -> bool {
    [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].contains(&word)
}

fn games_of_section(section: &[u8]) -> u64 {
    let mut at = 0;
    let blanks = |at: usize| section[at..].iter().take_while(|&&byte| byte <= b' ').count();
    let mut in_game = false;
    while let Some(len) = tag_end(&section[at + blanks(at)..]) {
        at += blanks(at) + len;
        in_game = true;
    }
    let find = |at: usize, ends: &[u8]| {
        let found = section[at..].iter().position(|byte| ends.contains(byte));
        found.map_or(section.len(), |len| at + len + 1)
    };
    let (mut games, mut depth) = (0, 0u32);
    while at < section.len() {
        let first_of_line = at == 0 || matches!(section[at - 1], b'\n' | b'\r');
        match section[at] {
            b'{' => at = find(at, b"}"),
            b';' => at = find(at, b"\r\n"),
            b'%' if first_of_line => at = find(at, b"\r\n"),
            b'(' => (at, depth) = (at + 1, depth + 1),
            b')' => (at, depth) = (at + 1, depth.saturating_sub(1)),
            b'}' => at += 1,
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"{}();".contains(byte);
                let len = section[at..].iter().position(is_end).unwrap_or(section.len() - at);
                let word = &section[at..at + len];
                at += len;
                in_game |= word[0] != b'$' && begins_game(word);
                if depth == 0 && is_result(word) {
                    games += 1;
                    in_game = false;
                }
            }
        }
    }
    games + u64::from(in_game)
}
