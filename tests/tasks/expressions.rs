//! Expressions that are refused: times that no day has, more regular expressions than fit; the column of an error and
//! what is below it, whatever is around it; the names that are proposed; which fields require the moves.

use pgnmill::Selection;
use pgnmill::select::{Cost, FUNCTIONS, FieldKind, fields, typed_tags};

/// A time is one of a day, in an expression as in a tag pair.
#[test]
fn times_are_those_of_a_day() {
    for hours in 0..=30 {
        for (minutes, seconds) in [(0, 0), (30, 0), (59, 59), (60, 0), (0, 60), (59, 61)] {
            let is_time = hours < 24 && minutes < 60 && seconds < 60;
            let full = format!("UTCTime == {hours:02}:{minutes:02}:{seconds:02}");
            assert_eq!(Selection::parse(&full).is_ok(), is_time, "{full}");
            let short = format!("UTCTime == {hours:02}:{minutes:02}");
            assert_eq!(Selection::parse(&short).is_ok(), hours < 24 && minutes < 60, "{short}");
        }
    }
}

/// The column of an error is that of its first character, whatever is before it; the caret is below it.
#[test]
fn columns_of_errors_are_counted_in_characters() {
    let faults = [
        "whiteelo",
        "UTCTime == 24:30",
        "White > 5",
        "month == \"x\"",
        "Date == 2024-13",
        "$",
        "mat",
    ];
    for text in
        ["b", "a", "\u{e9}", "\u{e9}\u{e9}\u{20ac}", "\u{1f600}\u{1f600}", "\u{4e2d}a\u{300}"]
    {
        for fault in faults {
            let plain = Selection::parse(fault).expect_err(fault);
            for before in
                [format!("White == \"{text}\" and "), format!("mate or '{text}' == White and ")]
            {
                let error = Selection::parse(&(before.clone() + fault)).expect_err(fault);
                let column = before.chars().count() + plain.column();
                assert_eq!(error.column(), column, "{before}{fault}: {error}");
                let line = Selection::parse(&format!("mate and # \u{e9}\n{before}{fault}"));
                let line = line.expect_err(fault);
                assert_eq!((line.line(), line.column()), (2, column), "{before}{fault}");
            }
        }
    }
}

/// The carets are below the very name that is not known, whatever is around it; and only names that are known are
/// proposed instead.
#[test]
fn unknown_names_are_shown_and_known_ones_proposed() {
    let known: Vec<&str> = fields()
        .chain(FUNCTIONS.iter().cloned())
        .map(|field| field.name.split('(').next().unwrap())
        .chain(typed_tags().map(|tag| tag.0))
        .collect();
    let (mut with, mut without) = (0, 0);
    for name in ["q", "zz", "mat", "plycount", "rating_mim", "blackelo", "zzzzzzzzzz", "q234567890"]
    {
        for before in ["", "mate or ", "White == \"\u{e9}\" and ", "mate or # \u{e9}\n not "] {
            for after in ["", " and mate", "\nor mate", " "] {
                let text = format!("{before}{name}{after}");
                let error = Selection::parse(&text).expect_err(&text);
                let said = error.to_string();
                let [_, shown, carets] = said.split('\n').collect::<Vec<_>>()[..] else {
                    panic!("{said}")
                };
                let below: String = shown
                    .chars()
                    .zip(carets.chars())
                    .filter(|&(_, caret)| caret == '^')
                    .map(|(character, _)| character)
                    .collect();
                assert_eq!(
                    (below.as_str(), carets.matches('^').count()),
                    (name, name.len()),
                    "{said}"
                );
                match error.message().split_once("; did you mean ") {
                    Some((_, proposed)) => {
                        let proposed = proposed.strip_suffix('?').expect("a question");
                        for one in proposed.split(" or ") {
                            let is_known =
                                known.contains(&one) || one.starts_with(char::is_uppercase);
                            assert!(is_known && !one.is_empty(), "{said}");
                        }
                        with += 1;
                    }
                    None => without += 1,
                }
            }
        }
    }
    assert!(with > 20 && without > 20, "{with}, {without}");
}

/// Every name with two neighbouring letters exchanged, one left out or one twice is answered with the name, as a name
/// and as a function.
#[test]
fn a_slip_in_any_name_is_answered_with_the_name() {
    let known: Vec<&str> = fields()
        .chain(FUNCTIONS.iter().cloned())
        .map(|field| field.name.split('(').next().unwrap())
        .collect();
    let mut count = 0;
    for name in &known {
        let letters: Vec<char> = name.chars().collect();
        for at in 0..letters.len() {
            let (mut exchanged, mut without, mut twice) =
                (letters.clone(), letters.clone(), letters.clone());
            exchanged.swap(at, (at + 1).min(letters.len() - 1));
            without.remove(at);
            twice.insert(at, letters[at]);
            for slip in [exchanged, without, twice] {
                let slip: String = slip.into_iter().collect();
                // Of two letters, and of a word that is another name or means one, nothing follows.
                if slip.len() < 3 || Selection::parse(&format!("{slip} is missing")).is_ok() {
                    continue;
                }
                for text in [format!("{slip}(2, 3) > 1"), format!("{slip} is missing")] {
                    let Err(error) = Selection::parse(&text) else { continue };
                    let is_other = known.contains(&slip.as_str()) || slip.starts_with('_');
                    let proposed = error.message().split_once("; did you mean ");
                    let proposed =
                        proposed.map_or("", |(_, proposed)| proposed.trim_end_matches('?'));
                    let is_named =
                        proposed.split(" or ").any(|one| one.split('(').next() == Some(name));
                    assert!(is_named || is_other, "{name}: {error}");
                    count += usize::from(is_named);
                }
            }
        }
    }
    assert!(count > 1_000, "{count}");
}

/// What is listed as a fact of the moves requires them, and nothing else does.
#[test]
fn fields_require_what_they_are_listed_with() {
    let condition = |name: &str, kind: FieldKind| match kind {
        FieldKind::Bool => name.to_string(),
        _ => format!("{name} is missing"),
    };
    let reads = |text: &str| Selection::parse(text).expect(text).reads_moves();
    let facts: Vec<(String, bool)> = fields()
        .map(|field| (condition(field.name, field.kind), field.cost == Cost::Moves))
        .collect();
    for (one, of_moves) in &facts {
        assert_eq!(reads(one), *of_moves, "{one}");
        for (other, of_moves_too) in &facts {
            let both = format!("{one} or not ({other})");
            assert_eq!(reads(&both), *of_moves || *of_moves_too, "{both}");
        }
        let keyed = Selection::parse(one).expect(one).with_keys("Event").expect("a key");
        assert_eq!(keyed.reads_moves(), *of_moves, "{one}");
    }
    assert!(!reads("White == \"a\" and Date > 2024") && !Selection::all().reads_moves());
}

/// The greatest number of regular expressions is accepted if each takes an equal part of the memory for all.
#[test]
fn as_many_regular_expressions_as_stated_fit() {
    let all = |count: usize| {
        let one = |n: usize| format!("White =~ \"{}[a-z]{{600}}\"", n % 10);
        Selection::parse(&(0..count).map(one).collect::<Vec<_>>().join(" or "))
    };
    assert!(all(256).is_ok(), "{}", all(256).unwrap_err());
    let more = all(257).unwrap_err();
    assert!(more.message().contains("more than 256"), "{more}");
}
