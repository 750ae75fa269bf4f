"""The committed figures: what the program may weigh, and why.

In: figures.tsv (figure, value, reason of its last change) and figures measured now. Out: those that exceed the committed figure
by more than ALLOWED; the table with new figures.

Bytes are the same in every build with the same compiler. Processor time is not: on a shared machine two builds of the same
commit differ by some per cent, even as a ratio to the reference. So that the guard does not fail by chance, a committed figure
is the largest of several builds (`scripts/weigh build --runs 3`), ALLOWED comes on top of it, and `scripts/weigh check --again`
repeats a build that exceeds it and takes the smaller figure.
"""
import pathlib

TABLE = pathlib.Path(__file__).with_name("figures.tsv")
HEADER = ["figure", "value", "reason"]
ALLOWED = 0.10
# From here on downwards the table no longer guards what was gained.
OUTDATED = 0.80

# Name and what it is. Those in references are noisy and taken from several runs.
GUARDED = {
    "crate_references": "processor time of this repository's crates in the release build, in compiles of the reference",
    "dependencies_references": "processor time of all dependencies and build scripts, in compiles of the reference",
    "program_stripped_bytes": "bytes of the program without symbols",
    "program_built_bytes": "bytes of the program as built",
    "wheel_bytes": "bytes of the wheel",
}

# Those that the README states, with the machine that they were measured on.
STATED = {
    "first_command_seconds": "the README's first command in a fresh clone, dependencies fetched: wall",
    "second_command_seconds": "the README's second command after the first one: wall",
}


def minutes(table):
    """What the README states of its two commands."""
    parts = [f"{int(table[name][0]) // 60} min {int(table[name][0]) % 60:02} s" for name in STATED]
    return f"{parts[0]}, then {parts[1]} ({table['first_command_seconds'][1]})"


def is_noisy(name):
    return name.endswith("_references")


def read():
    """figure → (value as text, reason), in the order of the table; empty without a table."""
    if not TABLE.exists():
        return {}
    header, *rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    if header != HEADER or any(len(row) != len(HEADER) for row in rows):
        raise SystemExit(f"weigh: {TABLE.name} must have the columns {', '.join(HEADER)}")
    return {name: (value, reason) for name, value, reason in rows}


def write(table):
    lines = [HEADER, *([name, *entry] for name, entry in table.items())]
    TABLE.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")


def text(name, value):
    return f"{value:.1f}" if is_noisy(name) else f"{round(value):,}"


def compare(table, measured):
    """(name, committed, now, verdict) of each guarded figure; verdict: `too much`, `less`, `same`, `not measured`,
    `not committed`."""
    rows = []
    for name in GUARDED:
        committed = float(table[name][0]) if name in table else None
        now = measured.get(name)
        if now is None:
            verdict = "not measured"
        elif committed is None:
            verdict = "not committed"
        elif now > committed * (1 + ALLOWED):
            verdict = "too much"
        else:
            verdict = "less" if now < committed * OUTDATED else "same"
        rows.append((name, committed, now, verdict))
    return rows


def largest(runs):
    """The largest of each guarded figure over some runs."""
    found = {}
    for run in runs:
        for name in GUARDED:
            if run.get(name) is not None:
                found[name] = max(found.get(name, 0), run[name])
    return found


def least(runs):
    """The least of each guarded figure over some runs."""
    return {name: min(run[name] for run in runs if run.get(name) is not None) for name in largest(runs)}


def self_test():
    table = {"crate_references": ("20.0", "x"), "program_built_bytes": ("1000", "x"), "wheel_bytes": ("1000", "x")}
    measured = {"crate_references": 22.1, "program_built_bytes": 1100, "program_stripped_bytes": 5, "dependencies_references": None}
    verdicts = {name: verdict for name, _, _, verdict in compare(table, measured)}
    assert verdicts == {
        "crate_references": "too much",
        "dependencies_references": "not measured",
        "program_stripped_bytes": "not committed",
        "program_built_bytes": "same",
        "wheel_bytes": "not measured",
    }, verdicts
    assert compare(table, {"wheel_bytes": 700})[-1][3] == "less"
    assert largest([{"wheel_bytes": 1}, {"wheel_bytes": 3}, {"wheel_bytes": None}]) == {"wheel_bytes": 3}
    assert least([{"wheel_bytes": 3}, {"wheel_bytes": 1}]) == {"wheel_bytes": 1}
