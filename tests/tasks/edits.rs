//! `convert --drop`, `--set`, `--remove` and `--set-eco`: the moves are those of the conversion, the rest is edited.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::common::{Dice, SAMPLE, Scratch, errors_of, exit_code, here, run_in, thinned, trials};
use pgnmill_core::pgn::{Digits, TagPairs, TokenKind, Tokens, tag_section_end};
use pgnmill_core::tasks::select::Edits;

const GAME: &str = "[Event \"a \\\"b\\\"\"]\n[ECO \"A00\"]\n\n1. e4! {best [%clk 0:01:00]} 1... c5 $14 (1... e5 {x}) 2. Nf3 *\n";

fn convert(scratch: &Scratch, args: &str, input: &str) -> String {
    let words: Vec<&str> = args.split('|').chain(["-o", "-", "--overwrite", input]).collect();
    let words = [&["convert", "--quiet"], &words[..]].concat();
    let output = run_in(scratch.path(), &words, b"");
    assert_eq!(exit_code(&output), 0, "{args}: {}", errors_of(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn annotations_are_dropped_and_tag_pairs_edited() {
    let scratch = Scratch::new();
    scratch.write("g.pgn", GAME.as_bytes());
    let head = "[Event \"a \\\"b\\\"\"]\n[ECO \"A00\"]\n";
    let uci = "[MoveNotation \"uci\"]\n";
    for (args, tags, moves) in [
        ("--to|san|--drop|comments", "", "1. e4! c5 $14 (1... e5) 2. Nf3 *"),
        ("--to|uci|--drop|comments,nags,variations", uci, "1. e2e4 c7c5 2. g1f3 *"),
        ("--to|san|--drop|clocks,nags", "", "1. e4 {best} 1... c5 (1... e5 {x}) 2. Nf3 *"),
        (
            "--to|san|--set|Site=x \"y\"|--drop|comments,variations,nags",
            "[Site \"x \\\"y\\\"\"]\n",
            "1. e4 c5 2. Nf3 *",
        ),
    ] {
        let found = convert(&scratch, args, "g.pgn");
        assert_eq!(found, format!("{head}{tags}\n{moves}\n"), "{args}");
    }
    let found = convert(&scratch, "--to|san|--remove|ECO", "g.pgn");
    assert_eq!(found, GAME.replace("[ECO \"A00\"]\n", ""));
}

/// What `--drop` drops from no game is named in one line, whatever else is dropped, by every command that edits; the
/// exit code is 0. Of every set of annotations, with every one that is dropped alone, and with all.
#[test]
fn what_nothing_was_dropped_of_is_named() {
    const KINDS: [(&str, &str); 5] = [
        ("comments", "{best}"),
        ("clocks", "{[%clk 0:01:00]}"),
        ("evals", "{[%eval 0.3]}"),
        ("nags", "$1"),
        ("variations", "(1. d4)"),
    ];
    let scratch = Scratch::new();
    let commands = ["select -o o.pgn", "convert --to uci -o o.pgn", "select --split-by Event -o o"];
    let sets = (0_usize..32).flat_map(|set| (0..KINDS.len() + 1).map(move |drop| (set, drop)));
    let all = (sets.zip(commands.iter().cycle()), [(31, 5), (0, 5), (2, 5), (0, 0)]);
    let some = all.1.into_iter().flat_map(|it| commands.iter().map(move |command| (it, command)));
    for ((set, drop), command) in thinned(8, all.0).chain(some) {
        let has = |kind: usize| set >> kind & 1 == 1;
        let texts = KINDS.iter().enumerate().filter(|(kind, _)| has(*kind));
        let notes: Vec<&str> = texts.map(|(_, (_, text))| *text).collect();
        let bare = "[Event \"b\"]\n\n1. d4 d5 *\n\n";
        let text = format!("{bare}[Event \"a\"]\n\n1. e4 {} *\n\n{bare}", notes.join(" "));
        scratch.write("g.pgn", text.as_bytes());
        let dropped: Vec<usize> = (0..KINDS.len()).filter(|it| drop == 5 || drop == *it).collect();
        let names: Vec<&str> = dropped.iter().map(|kind| KINDS[*kind].0).collect();
        // A clock is in a comment.
        let is_met = |kind: &&usize| has(**kind) || **kind == 0 && (has(1) || has(2));
        let unmet = dropped.iter().filter(|kind| !is_met(kind)).map(|kind| KINDS[*kind].0);
        let unmet: Vec<&str> = unmet.collect();
        let names = names.join(",");
        let line = format!("{command} --overwrite --drop {names} g.pgn");
        let output = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
        assert_eq!(exit_code(&output), 0, "{line}: {}", errors_of(&output));
        let errors = errors_of(&output);
        let told: Vec<&str> = errors.lines().filter(|line| line.contains("dropped")).collect();
        let expected = format!(
            "pgnmill: warn: no game that was written has {}: nothing of that was dropped",
            unmet.join(" or ")
        );
        match unmet.is_empty() {
            true => assert!(told.is_empty(), "{line}: {errors}: {text}"),
            false => assert_eq!(told, [&expected], "{line}: {errors}: {text}"),
        }
        let quiet = format!("{line} -q");
        let quiet = run_in(scratch.path(), &quiet.split(' ').collect::<Vec<_>>(), b"");
        assert_eq!((exit_code(&quiet), errors_of(&quiet)), (0, String::new()), "{line}");
    }
}

#[test]
fn openings_are_set_by_the_moves() {
    let scratch = Scratch::new();
    scratch.write("g.pgn", GAME.as_bytes());
    scratch.write("none.pgn", b"[ECO \"X\"]\n\n*\n");
    for to in ["san", "uci", "economical-priority"] {
        let found = convert(&scratch, &format!("--to|{to}|--set-eco"), "g.pgn");
        assert!(found.contains("[ECO \"B27\"]\n") && !found.contains("A00"), "{found}");
        assert!(found.contains("[Opening \"Sicilian Defense\"]\n"), "{found}");
    }
    // A game whose moves reach no opening keeps its tag pairs.
    assert!(convert(&scratch, "--to|san|--set-eco", "none.pgn").contains("[ECO \"X\"]\n\n*"));
}

/// Where something was dropped before or after a line end, no blank is left before it.
/// Each game has its own opening, and what is between games stays. The first game is long enough to be read by lines.
#[test]
fn edited_games_do_not_depend_on_those_before_them() {
    let scratch = Scratch::new();
    let games = [
        "[Event \"a\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5 7. Nb3 Be7 8. O-O O-O *\n\n",
        "[Event \"b\"]\n\n*\n\n",
        "[Event \"c\"]\n[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 e5 *\n\n",
        "[Event \"d\"]\n\n1. d4 Nf6 2. c4 g6 3. Nc3 d5 4. cxd5 Nxd5 5. e4 Nxc3 6. bxc3 Bg7 *\n\n",
    ];
    scratch.write("all.pgn", games.concat().as_bytes());
    let strays = format!("stray one\n\n{}stray two\n\n{}", games[0], games[3]);
    scratch.write("strays.pgn", strays.as_bytes());
    for to in ["san", "uci", "economical-priority"] {
        let alone = games.map(|game| {
            scratch.write("one.pgn", game.as_bytes());
            convert(&scratch, &format!("--to|{to}|--set-eco"), "one.pgn")
        });
        assert_eq!(alone.each_ref().map(|game| game.contains("[ECO ")), [true, false, false, true]);
        assert!(alone[0].contains("\"B92\"") && alone[3].contains("\"D85\""), "{alone:?}");
        assert_eq!(convert(&scratch, &format!("--to|{to}|--set-eco"), "all.pgn"), alone.concat());
        for archive in ["all.pgn", "strays.pgn"] {
            let plain = convert(&scratch, &format!("--to|{to}"), archive);
            let edited = convert(&scratch, &format!("--to|{to}|--remove|Nothing"), archive);
            assert_eq!(edited, plain, "{to} {archive}");
            assert_eq!(plain.matches("stray ").count(), if archive == "all.pgn" { 0 } else { 2 });
        }
    }
}

#[test]
fn what_is_dropped_leaves_no_blank_before_a_line_end() {
    const BLANKS: &[&str] =
        &[" ", " \n", "\n", "\n ", " \n ", "\t\n\t", " \r\n", "  \n  ", " \n\t"];
    const DROPPED: &[&str] = &["{x}", "{x y} {z}", "$1", "(-- {w})", "$2 {x} (--)"];
    let mut dice = Dice::new(0x74);
    let scratch = Scratch::new();
    for _ in 0..60 {
        let mut text = "[Event \"a\"]\n\n".to_string();
        for mv in ["1. Nf3", "Nf6", "2. Ng1", "Ng8", "3. Nf3", "Nf6", "4. Ng1"] {
            let (before, after) = (dice.one(BLANKS), dice.one(BLANKS));
            text += &format!("{mv}{before}{}{after}", dice.one(DROPPED));
        }
        scratch.write("blanks.pgn", (text.clone() + "*\n").as_bytes());
        let edited = convert(&scratch, "--to|san|--drop|comments,nags,variations", "blanks.pgn");
        for end in [" \n", "\t\n", " \r", "\t\r"] {
            assert!(!edited.contains(end), "{}\n{}", text.escape_debug(), edited.escape_debug());
        }
    }
}

/// In every notation: without the annotations the archive has the same games, and an edit of edited games changes
/// nothing.
#[test]
fn edited_archives_are_read_again_in_every_notation() {
    let scratch = Scratch::new();
    let sample = here(SAMPLE).display().to_string();
    let head = ["select", "--quiet", "--head", "60", "-o", "few.pgn", &sample];
    assert_eq!(exit_code(&run_in(scratch.path(), &head, b"")), 0);
    scratch.write("g.pgn", GAME.as_bytes());
    let san = "--to|san|--drop|comments,nags,variations|--set|Event=x";
    for input in ["few.pgn", "g.pgn"] {
        let expected = convert(&scratch, san, input);
        for notation in thinned(5, pgnmill::NOTATIONS) {
            let name = notation.info().name;
            let edited = convert(&scratch, &san.replace("|san|", &format!("|{name}|")), input);
            scratch.write("edited.pgn", edited.as_bytes());
            assert_eq!(convert(&scratch, "--to|san", "edited.pgn"), expected, "{name}");
            let again =
                convert(&scratch, &san.replace("|san|", &format!("|{name}|")), "edited.pgn");
            assert_eq!(again, edited, "{name}");
        }
    }
}

#[test]
fn tag_pairs_that_decide_about_moves_are_not_edited() {
    let scratch = Scratch::new();
    scratch.write("g.pgn", GAME.as_bytes());
    for option in ["--set=FEN=x", "--remove=MoveNotation", "--set=no value", "--set=A-b=c"] {
        let args = ["convert", "--to", "san", option, "-o", "x.pgn", "g.pgn"];
        let output = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&output), 2, "{option}");
        assert!(!scratch.join("x.pgn").exists(), "{option}");
    }
}

/// The bytes that join two games do not depend on the division of the archive.
#[test]
fn joints_do_not_depend_on_the_division_of_the_archive() {
    let scratch = Scratch::new();
    let texts: [&[u8]; 3] = [
        b"2\r[t\"]1-0[t\"",
        b"[Event \"a\"]\r\n\r\n1. e4 *\r[t \"x\"] 1. d4 1-0 [Event \"b\"]\n\n1. c4 *\n",
        b"1. e4 *\r\n1. d4 * [Event \"b\"]\n\n1. c4 *\r[A \"b\"] *[B \"c\"]",
    ];
    for text in texts {
        scratch.write("plain.pgn", text);
        for command in ["select", "convert|--to|san"] {
            let output = |args: &[&str]| {
                let words: Vec<&str> = command.split('|').chain(args.iter().copied()).collect();
                run_in(scratch.path(), &words, b"").stdout
            };
            let expected = output(&["--quiet", "plain.pgn", "-o", "-"]);
            for bytes in ["1", "2", "5", "9"] {
                let cut = output(&["--quiet", "--range-bytes", bytes, "plain.pgn", "-o", "-"]);
                assert_eq!(cut.escape_ascii().to_string(), expected.escape_ascii().to_string());
            }
            for frame_bytes in [1, 2, 3, 5, 9] {
                let frames: Vec<u8> = text
                    .chunks(frame_bytes)
                    .flat_map(|frame| zstd::encode_all(frame, 1).unwrap())
                    .collect();
                scratch.write("frames.pgn.zst", &frames);
                let cut = output(&["--quiet", "frames.pgn.zst", "-o", "-"]);
                assert_eq!(cut.escape_ascii().to_string(), expected.escape_ascii().to_string());
            }
        }
    }
}

/// A tag section with a doubled pair, with what may be between the pairs.
fn sections(between: &str) -> String {
    format!(
        "[Event \"x\"]{between}\n[White \"A\"]\n[Date \"2020.01.01\"]{between}\n[White \"A2\"]\n[Black \"C\"]\n\n"
    )
}

/// What is read of a text: the tag pairs, the last of each name; the tokens of the movetext, without numbers.
fn read(text: &str) -> (BTreeMap<String, String>, Vec<(TokenKind, String)>) {
    let bytes = text.as_bytes();
    let end = tag_section_end(bytes);
    let shown = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
    let pairs = TagPairs::new(bytes, 0..end);
    let pairs = pairs.map(|pair| (shown(pair.name.clone()), shown(pair.value.clone())));
    // After an empty line: pairs after a comment are of the movetext, until that is dropped.
    let breaks = ["\r\n\r\n", "\n\n", "\r\r"].into_iter();
    let start = breaks.filter_map(|lines| text.find(lines)).min().filter(|_| end > 0).unwrap_or(0);
    let tokens = Tokens::new(bytes, start, Digits::Never);
    let tokens = tokens.filter(|token| token.kind != TokenKind::Number);
    let pairs = pairs.collect();
    (pairs, tokens.map(|token| (token.kind, shown(token.start..token.end))).collect())
}

/// The tokens without those that an edit drops, as its documentation says.
fn without_dropped(edits: &Edits, tokens: Vec<(TokenKind, String)>) -> Vec<(TokenKind, String)> {
    let (mut kept, mut depth) = (Vec::new(), 0);
    for (kind, text) in tokens {
        let was_inside = depth > 0;
        match kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            _ => {}
        }
        let is_comment = matches!(kind, TokenKind::Comment | TokenKind::LineComment);
        let mut text = text;
        let mut commands = Vec::new();
        commands.extend(edits.clocks.then_some(["clk", "emt", "timestamp"]).into_iter().flatten());
        commands.extend(edits.evals.then_some("eval"));
        let mut is_emptied = false;
        for command in commands.into_iter().filter(|_| is_comment) {
            while let Some(start) = text.find(&format!("[%{command} ")) {
                let end = start + text[start..].find(']').unwrap() + 1;
                text.replace_range(start..end, "");
                is_emptied = text.trim_matches(['{', '}', ';', ' ']).is_empty();
            }
        }
        let is_dropped = edits.variations && (was_inside || depth > 0)
            || edits.comments && is_comment
            || edits.nags && matches!(kind, TokenKind::Nag | TokenKind::Suffix)
            || is_emptied;
        if !is_dropped {
            let words: Vec<&str> = text.split_whitespace().collect();
            kept.push((kind, words.join(" ").replace("{ ", "{").replace(" }", "}")));
        }
    }
    kept
}

/// What is read after an edit is what was asked: for every pair of edits, over line ends, comments between tag pairs,
/// doubled pairs, games from a move of Black, and every kind of command. An edit of the edited text changes nothing.
#[test]
fn what_is_read_after_an_edit_is_what_was_asked() {
    let of = |set: &[(&str, &str)], remove: &[&str]| Edits {
        set: set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        remove: remove.iter().map(ToString::to_string).collect(),
        ..Edits::default()
    };
    let all = [
        Edits { comments: true, ..Edits::default() },
        Edits { clocks: true, ..Edits::default() },
        Edits { evals: true, ..Edits::default() },
        Edits { nags: true, ..Edits::default() },
        Edits { variations: true, ..Edits::default() },
        of(&[("White", "B")], &[]),
        of(&[("Site", "s"), ("White", "B")], &[]),
        of(&[], &["Date"]),
        of(&[], &["White"]),
        of(&[], &["Event", "White", "Date", "Black"]),
    ];
    let movetexts = [
        "1. e4! {a [%clk 0:01:00] b} 1... c5 $14 (1... e5 {[%eval 0.1]} 2. d4) 2. Nf3 {[%emt 0:00:01]} *",
        "1. e4 {[%clk 0:01:00][%timestamp 12]} 1... c5 {[%timestamp 7] c} 2. Nf3 {[%timestamp 1]} *",
        "{first} 1. e4 ; [%clk 1]\ne5 {[%clk 0:00:01][%eval 1.0]} {x} 2. Nf3 ({y} 2. f4 $1) 2... Nc6 1-0",
    ];
    let black = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 1\"]\n\n{why} 1... Kd7 $1 2. Rh7+ {[%emt 1]} *";
    let mut texts: Vec<String> = Vec::new();
    for between in ["", " {c}", "\n; c", " {c}\n{d}"] {
        texts.extend(movetexts.map(|movetext| format!("{}{movetext}\n\n", sections(between))));
    }
    texts.push(format!("[White \"A\"]\n[Date \"?\"]\n{black}\n"));
    let mut tried = 0;
    for text in texts {
        for line_end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', line_end);
            for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other)))
            {
                let both = Edits {
                    comments: one.comments || other.comments,
                    clocks: one.clocks || other.clocks,
                    evals: one.evals || other.evals,
                    nags: one.nags || other.nags,
                    variations: one.variations || other.variations,
                    set: [one.set.clone(), other.set.clone()].concat(),
                    remove: [one.remove.clone(), other.remove.clone()].concat(),
                    ..Edits::default()
                };
                // The command line refuses a name that is set and removed.
                if both.set.iter().any(|(name, _)| both.remove.contains(name)) {
                    continue;
                }
                tried += 1;
                check_edit(&both, &text);
            }
        }
    }
    assert!(tried > 2_000, "{tried}");
}

fn check_edit(edits: &Edits, text: &str) {
    let apply = |text: &str| {
        let edited = edits.apply(text.as_bytes(), tag_section_end(text.as_bytes()), Digits::Never);
        String::from_utf8(edited).unwrap()
    };
    let edited = apply(text);
    let what = format!("{edits:?}\n{}\n{}", text.escape_debug(), edited.escape_debug());
    let (pairs, tokens) = read(&edited);
    for (name, value) in &edits.set {
        assert_eq!(pairs.get(name), Some(value), "{what}");
    }
    // A game that would begin with a comment keeps a pair before it.
    let is_comment = |kind| matches!(kind, TokenKind::Comment | TokenKind::LineComment);
    let begins = |tokens: &[(TokenKind, String)]| {
        let first = tokens.iter().find(|(kind, _)| *kind != TokenKind::Tag);
        first.is_some_and(|(kind, _)| is_comment(*kind))
    };
    let begins = begins(&without_dropped(edits, read(text).1));
    for name in &edits.remove {
        let is_emptied = pairs.get(name).is_some_and(|value| value == "?");
        assert!(
            !pairs.contains_key(name)
                || is_emptied && (text.contains("] {c}") || text.contains("; c") || begins),
            "{name} {what}"
        );
    }
    let is_pair = |(kind, _): &(TokenKind, String)| *kind == TokenKind::Tag;
    let moves = |tokens: Vec<(TokenKind, String)>| {
        tokens.into_iter().filter(|token| !is_pair(token)).collect::<Vec<_>>()
    };
    // The number before the first move stays: it states whose move it is.
    let number = |text: &str| {
        let tokens = Tokens::new(text.as_bytes(), tag_section_end(text.as_bytes()), Digits::Never);
        let mut numbers = tokens.filter(|token| token.kind == TokenKind::Number);
        numbers.next().map(|token| text[token.start..token.end].to_string())
    };
    assert_eq!(number(&edited), number(text), "{what}");
    let nothing = Edits::default();
    let expected = moves(without_dropped(edits, read(text).1));
    assert_eq!(moves(without_dropped(&nothing, tokens)), expected, "{what}");
    assert_eq!(apply(&edited), edited, "{what}");
    // The line ends are those of the text.
    let lone = |text: &str| text.replace("\r\n", "").matches(['\r', '\n']).count();
    assert!(lone(text) > 0 || lone(&edited) == 0, "{what}");
    let sought = if text.contains("\r\n") { "\r\n" } else { "\r" };
    assert!(text.contains(sought) || !edited.contains('\r'), "{what}");
}

/// A `Result` pair behind a comment is of the movetext: it does not become that of the game when the comment is dropped.
#[test]
fn a_pair_behind_a_comment_does_not_become_the_result() {
    let drops =
        [Edits { comments: true, ..Edits::default() }, Edits { clocks: true, ..Edits::default() }];
    let result = |text: &str| {
        let pairs = TagPairs::new(text.as_bytes(), 0..tag_section_end(text.as_bytes()));
        let pairs = pairs.filter(|pair| &text[pair.name.clone()] == "Result");
        pairs.last().map(|pair| text[pair.value].to_string())
    };
    for own in ["", "[Result \"*\"]\n", "[Result \"0-1\"]\n"] {
        for between in ["{c}", "; c", "{[%clk 0:00:01]}", "{c} {d}", "{c}\n{[%clk 0:00:01]}"] {
            let text = format!("[White \"A\"]\n{own}{between}\n[Result \"1-0\"]\n\n1. e4\n");
            for edits in &drops {
                let end = tag_section_end(text.as_bytes());
                let edited = edits.apply(text.as_bytes(), end, Digits::Never);
                let edited = String::from_utf8(edited).unwrap();
                assert_eq!(result(&edited), result(&text), "{edits:?} {text:?} {edited:?}");
            }
        }
    }
}

/// A game without a result, before a game that has no tag pairs, is ended by its `Result` pair, as the edit leaves it.
#[test]
fn what_ends_a_game_is_its_own_pair() {
    let scratch = Scratch::new();
    scratch.write("b.pgn", b"1. d4 *\n");
    for result in ["1-0", "0-1", "1/2-1/2", "*"] {
        scratch
            .write("a.pgn", format!("[White \"A\"]\n[Result \"{result}\"]\n\n1. e4\n").as_bytes());
        for (edit, expected) in [("--remove=Result", "*"), ("--drop=comments", result)] {
            let args = ["convert", "-q", "--to", "san", edit, "-o", "-", "a.pgn", "b.pgn"];
            let written = String::from_utf8(run_in(scratch.path(), &args, b"").stdout).unwrap();
            assert!(
                written.ends_with(&format!("\n\n1. e4\n{expected}\n1. d4 *\n")),
                "{edit}: {written}"
            );
        }
    }
}

/// Names go from every pair of the section, also of a section that becomes longer because a comment in it is dropped.
#[test]
fn removed_names_are_in_no_pair() {
    for between in ["\n", " {c} ", "\n{c}\n", "; c\n", " ", "\n\t"] {
        for beginning in ["", "%x\n", "{d} ", ";e\n", "\n%x\n"] {
            let text = format!("[White \"A\"]{between}[Black \"B\"]\n{beginning}1. e4 *\n");
            for remove in [&["White"][..], &["Black"], &["White", "Black"]] {
                for comments in [false, true] {
                    let remove: Vec<String> = remove.iter().map(|name| name.to_string()).collect();
                    let edits = Edits { comments, remove, ..Edits::default() };
                    let end = tag_section_end(text.as_bytes());
                    let edited = edits.apply(text.as_bytes(), end, Digits::Never);
                    let section = 0..tag_section_end(&edited);
                    for pair in TagPairs::new(&edited, section) {
                        let name = String::from_utf8_lossy(&edited[pair.name]).into_owned();
                        let is_removed = edits.remove.contains(&name);
                        let what =
                            format!("{edits:?} {text:?} {:?}", String::from_utf8_lossy(&edited));
                        assert!(!is_removed || &edited[pair.value] == b"?", "{what}");
                    }
                    assert!(edited.ends_with(b"1. e4 *\n"), "{text:?}");
                }
            }
        }
    }
}

/// Tag pairs separate games: where they are removed, each game keeps what it begins with, and its verdict.
#[test]
fn games_keep_their_beginnings_without_their_tag_pairs() {
    const BEGINNINGS: &[&str] = &[
        "",
        "{intro}\n",
        "{intro} {more}\n",
        "; a line\n",
        "% an escape\n",
        "{an {inner} comment} ",
        "{ an unclosed comment ",
        "$3 ",
        "! ",
        "(1. a3) ",
        "\u{feff}{intro}",
        "  {intro}\n",
        "\n\n; a line\n",
    ];
    const ENDS: &[&str] =
        &[" *\n\n", " 1-0\n\n", "\n\n", " 1-0 {outro}\n\n", " (1. c4\n\n", " 1-0", " {open\n\n"];
    const PAIRS: &[&str] = &[
        "[Event \"e\"]\n[White \"w\"]\n\n",
        "[White \"w\"]\n\n",
        "\n[Event \"e\"]\n",
        "[Event \"e\"] ",
        "[Event \"e\"]\n [White \"w\"]\n%c\n\n",
        "[Event \"e\"]\n\t[White \"w\"]\n\n",
        "[White \"w\"]\u{b}[Event \"e\"]\n\n",
    ];
    let mut dice = Dice::new(0x00ED_17ED);
    let mut games = 0;
    for _ in 0..trials(24, 80, 3_000) {
        let scratch = Scratch::new();
        let mut text = String::new();
        for _ in 0..1 + dice.below(5) {
            let pick = |dice: &mut Dice, from: &[&'static str]| from[dice.below(from.len())];
            text += pick(&mut dice, PAIRS);
            text += pick(&mut dice, BEGINNINGS);
            text += "1. e4 e5";
            text += pick(&mut dice, ENDS);
        }
        scratch.write("a.pgn", text.as_bytes());
        let read = |name: &str| -> (String, String) {
            let rows = [
                "export",
                "-q",
                "--format",
                "jsonl",
                "--columns",
                "game,movetext,outcome",
                "-o",
                "-",
                name,
            ];
            let rows = run_in(scratch.path(), &rows, b"");
            let counts = ["validate", "-q", "--format", "csv", name];
            let counts = run_in(scratch.path(), &counts, b"");
            let counts = String::from_utf8(counts.stdout).unwrap();
            let rejected = counts.lines().find(|line| line.starts_with("rejected,"));
            // A game without a result gets one where nothing else would end it.
            let rows =
                String::from_utf8(rows.stdout).unwrap().replace("\\n", " ").replace("\\u000b", " ");
            let rows =
                rows.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
            let rows = rows
                .replace(":\" ", ":\"")
                .replace(" {}\"", "\"")
                .replace(" *\"", "\"")
                .replace(" \"", "\"");
            (rows, rejected.unwrap().to_string())
        };
        let before = read("a.pgn");
        let names = ["Event,White", "White", "Event"][dice.below(3)];
        for command in ["select", "convert --to san --keep-rejects"] {
            let args: Vec<&str> = command.split(' ').collect();
            let args =
                [&args[..], &["-q", "--overwrite", "--remove", names, "-o", "b.pgn", "a.pgn"]]
                    .concat();
            let output = run_in(scratch.path(), &args, b"");
            assert!(exit_code(&output) < 2, "{text:?}: {}", errors_of(&output));
            let edited = String::from_utf8(std::fs::read(scratch.join("b.pgn")).unwrap()).unwrap();
            assert_eq!(read("b.pgn"), before, "{command}\n{text:?}\n{edited:?}");
        }
        games += before.0.lines().count();
    }
    assert!(games > trials(20, 50, 50), "{games}");
}
