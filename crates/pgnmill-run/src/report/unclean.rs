//! Why a run ends with exit code 1, where its messages are not printed: one line.
//!
//! In: reasons. Out: a line on standard error. Invariant: a run of the program that does not end with 0 is never
//! silent. Cost: the length of the line.

use crate::host::Host;

/// Reasons that are named; of the others the number is.
const NAMED_MAX: usize = 3;

/// Prints the reasons; not for a caller in the same process, who has the counts.
pub(crate) fn print(reasons: &[String], host: &dyn Host) {
    if !host.takes_events() {
        host.print(&format!("pgnmill: {} (exit code 1)\n", line(reasons)));
    }
}

/// The reasons in one line.
fn line(reasons: &[String]) -> String {
    let others_count = reasons.len().saturating_sub(NAMED_MAX);
    let others = (others_count > 0).then(|| format!("and {others_count} more reasons"));
    let named = reasons.iter().take(NAMED_MAX).cloned().chain(others);
    named.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_one_short_line() {
        let reasons = |count: usize| (0..count).map(|it| it.to_string()).collect::<Vec<_>>();
        assert_eq!(line(&reasons(1)), "0");
        assert_eq!(line(&reasons(3)), "0; 1; 2");
        assert_eq!(line(&reasons(9)), "0; 1; 2; and 6 more reasons");
    }
}
