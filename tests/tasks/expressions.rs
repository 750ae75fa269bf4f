//! Expressions that are refused: times that no day has; and the column of an error, whatever is before it.

use pgnmill::Selection;

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
        ["", "a", "\u{e9}", "\u{e9}\u{e9}\u{20ac}", "\u{1f600}\u{1f600}", "\u{4e2d}a\u{300}"]
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
