"""The page of a comparison: docs/performance.md, written from the rows that clock.py keeps.

In: a `Book`. Out: Markdown. Nothing is measured here; a section that was not run is left out, and a goal that requires it
is listed as not run.
"""
import collections
import textwrap

from chart import bars

NONE = "—"


def table(header, rows, others="---:"):
    """A table in Markdown; none without rows. `others` aligns the columns after the first."""
    if not rows:
        return ""
    lines = [header, ["---"] + [others] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


class Data:
    """All rows, and the facts about the archives."""

    def __init__(self, book):
        self.book = book
        self.facts = {row["fact"]: row["value"] for row in book.read("facts")}
        self.bytes = {row["archive"]: int(row["bytes"]) for row in book.read("archives")}
        self.counts = book.read("counts")
        self.timed = {name: book.timed(name) for name in TIMED}

    def commands(self, section):
        """The commands of a section, as typed."""
        rows = self.book.read(f"{section}.commands")
        return "".join(f"    {row['way'] + ':':24} {row['command']}\n" for row in rows) + "\n" if rows else ""


TIMED = ["peers", "python", "extract", "threads", "sizes", "floor", "zst", "convert", "measure", "positions", "start"]


class Goal:
    """A limit that a figure must reach, or must not exceed."""

    def __init__(self, what, section, figure, limit, at_least=False):
        self.what, self.section, self.figure, self.at_least = what, section, figure, at_least
        # One limit for all archives, or one by name.
        self.limit = limit

    def limit_of(self, subject):
        """The limit for an archive; none if it has none."""
        if not isinstance(self.limit, dict):
            return self.limit
        return self.limit.get(subject.removesuffix(".pgn"))

    def row(self, data):
        """The goal, the limit, the figures of the archives, the missed ones in bold; and whether all are met."""
        runs, sign = data.timed[self.section], "≥" if self.at_least else "≤"
        figures, is_met = [], True
        for subject in runs.subjects():
            limit = self.limit_of(subject)
            figure = self.figure(runs, subject) if limit is not None else None
            if figure is None:
                continue
            met = figure >= limit if self.at_least else figure <= limit
            of = f" of {limit}" if isinstance(self.limit, dict) else ""
            text = f"{subject.replace('.pgn', '')} {figure:.2f}{of}"
            figures.append(text if met else f"**{text}**")
            is_met = is_met and met
        limit = sign if isinstance(self.limit, dict) else f"{sign} {self.limit}"
        return is_met and bool(figures), [self.what, limit, "; ".join(figures) or "not run"]


def times(over, under):
    """How many times as long one command takes as another, or as several together; none without one of them."""
    ways = [over, *([under] if isinstance(under, str) else under)]
    return lambda runs, subject: runs.ratio(subject, over, under) if all(runs.has(subject, way) for way in ways) else None


def beyond_map(runs, subject):
    """MiB beyond the input, which is mapped, with two threads; a pipe is not mapped. Pages that were read are released."""
    way = "validate, 2" if runs.has(subject, "validate, 2") else "validate -, 2"
    mapped = int(subject.rsplit(", ", 1)[1]) if way == "validate, 2" else 0
    return max(max(runs.series(subject, way, "peak_kib")) / 1024 - mapped / 2**20, 0)


def growth(runs, subject):
    """Time per byte, against the input of the same archive that is nearest to 100 MB; none for a pipe."""
    if not runs.has(subject, "validate, 1"):
        return None
    name, size = subject.rsplit(", ", 1)
    sizes = [int(s.rsplit(", ", 1)[1]) for s in runs.subjects() if s.startswith(f"{name}, ") and runs.has(s, "validate, 1")]
    base = min(sizes, key=lambda size: abs(size - 100_000_000))
    return runs.median(subject, "validate, 1") / int(size) / (runs.median(f"{name}, {base}", "validate, 1") / base)


def goals():
    """The goals, in order."""
    figure = times("shakmaty", "validate")
    limits = {"masters": 5.3, "lichess-plain": 5.0, "lichess-clocks": 4.4, "engines": 1.5}
    yield Goal("`validate`, one thread: times as fast as pgn-reader + shakmaty, with AVX-512", "peers", figure, limits, True)
    yield Goal("two threads: times as fast as one", "threads", times("validate, 1", "validate, 2"), 1.9, True)
    for task in ("-r", "-Wuci", "-Wsan"):
        for threads, limit in ((1, 35), (2, 65)):
            figure = times(f"{task}, pgn-extract", f"{task}, ours, {threads}")
            yield Goal(f"times as fast as pgn-extract {task}, threads: {threads}", "extract", figure, limit, True)
    figure = times("many frames", ["decode on two", "plain"])
    yield Goal("many frames, two threads: against decoding and validating separately", "zst", figure, 1.15)
    yield Goal("one frame: against `zstd -d`", "zst", times("one frame", "zstd -d"), 1.1)
    for n in (1, 2):
        figure = times(f"plain, {n}", f"validate, {n}")
        yield Goal(f"`convert`, plain to plain, against `validate`, threads: {n}", "convert", figure, 2)
    figure = lambda runs, subject: runs.ratio(subject, "zst, 2", ["plain, 2", "zstd -3"], "cpu")
    yield Goal("`convert` to .zst, two threads: CPU against plain and zstd -3 separately", "convert", figure, 1.15)
    for chosen, limit in (("main", 2.5), ("written", 5)):
        for n in (1, 2):
            figure = times(f"{chosen}, {n}", f"validate, {n}")
            yield Goal(f"`measure --notations {chosen}` against `validate`, threads: {n}", "measure", figure, limit)
            figure = times(f"{chosen} --by all, {n}", f"{chosen}, {n}")
            yield Goal(f"`measure --notations {chosen} --by all` against without, threads: {n}", "measure", figure, 1.5)
    for what, limit in (("40 plies, 2 games", 3.5), ("all plies", 12)):
        figure = times(f"{what}, 1", "validate, 1")
        yield Goal(f"`positions`, {what}, against `validate`, one thread", "positions", figure, limit)
        figure = times(f"{what}, 1", f"{what}, 2")
        yield Goal(f"`positions`, {what}: two threads as fast as one, times", "positions", figure, 1.8, True)
    figure = times("plies and DuckDB, 2", "40 plies, 2 games, 2")
    yield Goal("`positions`: times as fast as a table of plies that DuckDB groups", "positions", figure, 4, True)
    figure = times("book, polyglot", "book, 1")
    yield Goal("a book: times as fast as `polyglot make-book`", "positions", figure, 25, True)
    figure = lambda runs, subject: runs.median(subject, "validate", "cpu") * 1000
    yield Goal("start to result, 1 kB, ms of CPU", "start", figure, 10)
    yield Goal("MiB beyond the map, two threads, by bytes of input", "sizes", beyond_map, 200)
    yield Goal("time per byte against the input of 100 MB, by bytes of input", "sizes", growth, 1.1)


def turns(data):
    """How many turns each section has, at most."""
    rows = {name: data.book.read(name) for name in TIMED}
    return ", ".join(f"{name} {max(int(row['turn']) for row in rows[name])}" for name in TIMED if rows[name])


SPEED = ("<!-- speed -->", "<!-- /speed -->")
# Above this load average before the run, the machine has other work.
QUIET_LOAD = 0.5


def speed(data):
    """The main table: time to validate an archive, beside the peers. The README has it too."""
    peers, extract, two = data.timed["peers"], data.timed["extract"], data.timed["threads"]
    if not peers:
        return "Not measured: `scripts/compare-peers` runs the section `peers`.\n"
    ms = lambda runs, subject, way: f"{runs.median(subject, way) * 1000:,.0f} ms" if runs.has(subject, way) else NONE
    beside = lambda runs, subject, way, base: f"{ms(runs, subject, way)} (× {runs.ratio(subject, way, base):.1f})"
    rows = []
    for subject in peers.subjects():
        games = next((row["games"] for row in data.counts if (row["subject"], row["program"]) == (subject, "pgnmill")), None)
        row = [subject.removesuffix(".pgn"), f"{int(games):,}" if games else NONE, f"{data.bytes[subject] / 1e6:.0f} MB"]
        row += [ms(peers, subject, "validate"), ms(two, subject, "validate, 2")]
        row += [beside(peers, subject, "shakmaty", "validate")]
        measured = extract.has(subject, "-r, pgn-extract")
        rows.append([*row, beside(extract, subject, "-r, pgn-extract", "-r, ours, 1") if measured else NONE])
    header = ["archive", "games", "text", "pgnmill, 1 thread", "2 threads", "pgn-reader + shakmaty", "pgn-extract `-r`"]
    facts = data.facts
    where = ", ".join(part for part in [f"{facts['CPU(s)']} cores of {facts['Model name']}", facts["memory"], facts["kernel"]] if part)
    words = f"Time to check every move of an archive; in brackets how many times as long as pgnmill with one thread. {where}; {commit(data)}."
    return table(header, rows) + "\n" + textwrap.fill(words, 120, break_on_hyphens=False) + "\n"


def chart(data):
    """The same as a figure in SVG; none without the peers."""
    peers, extract = data.timed["peers"], data.timed["extract"]
    groups = []
    for subject in peers.subjects():
        of = [("pgnmill", 1.0), ("pgn-reader + shakmaty", peers.ratio(subject, "shakmaty", "validate"))]
        if extract.has(subject, "-r, pgn-extract"):
            of.append(("pgn-extract -r", extract.ratio(subject, "-r, pgn-extract", "-r, ours, 1")))
        groups.append((subject.removesuffix(".pgn"), of))
    return bars("Time to check every move, one thread: times as long as pgnmill", groups, "× ") if groups else None


def commit(data):
    """The commit that was measured, and whether the tree was clean and the machine quiet."""
    version, described = data.facts["pgnmill"].rsplit(", ", 1)
    clean = not described.endswith("-dirty")
    text = f"{version}, commit {described.removesuffix('-dirty')}, {data.facts['day']}"
    load = data.facts.get("load before")
    found = [] if clean else ["**with local changes**"]
    if load is None or float(load) > QUIET_LOAD:
        found.append(f"**the machine was not quiet** (load before the run: {load or 'unknown'})")
    return text + (", " + ", ".join(found) if found else f", a clean commit on a quiet machine (load before the run: {load})")


def head(data):
    """Speeds, peers and machine in one table, then the versions."""
    facts = data.facts
    quick = "\n**From a quick run over slices: these figures are not valid.**\n" if facts.get("quick") == "yes" else ""
    rows = [[key, value] for key, value in facts.items() if key not in ("quick", "pairs")]
    opened, closed = SPEED
    method = (
        "Written by `scripts/compare-peers`, which runs everything again; every figure is computed from its rows. Commands alternate,"
        f" after one turn that warms the caches. Turns: {turns(data)}. Figures are medians over the turns, ratios the"
        " medians of the ratios of each turn; × is how many times as long as the command without × above it takes. Wall time, text decompressed and in the page cache, `$work` a directory on disk. pgnmill is the release build for any"
        " x86-64 and selects its instructions at run time; pgn-reader and shakmaty are built with fat LTO for this processor."
    )
    return f"""# Performance
{quick}
{opened}
{speed(data)}{closed}

![Time to check every move, as a chart](performance.svg)

Converting, measuring, compressed archives, more threads, large inputs: one section each, below. Which goals were met and
which were missed: [Goals](#goals).

{textwrap.fill(method, 120, break_on_hyphens=False)}

Machine and versions: {"; ".join(f"{key} {value}" for key, value in rows)}.
"""


def promised(data):
    """Goals with figures, the missed ones first."""
    rows = sorted((goal.row(data) for goal in goals()), key=lambda row: row[0])
    words = "Missed figures are bold; goals with one come first, and stay until it is met.\n\n"
    return "\n## Goals\n\n" + words + table(["goal", "limit", "figures"], [row for _, row in rows], "---")


def counted(data):
    """Games and plies as all programs count them, and where they differ."""
    if not data.counts:
        return ""
    rows, differ = [], []
    for subject in dict.fromkeys(row["subject"] for row in data.counts):
        of = [row for row in data.counts if row["subject"] == subject]
        for what in ("games", "plies"):
            found = {row["program"]: row[what] for row in of if row[what]}
            if len(set(found.values())) > 1:
                differ.append(f"* {subject}: {what} " + ", ".join(f"{count} ({program})" for program, count in found.items()))
        ours = next(row for row in of if row["program"] == "pgnmill")
        counts = [f"{int(ours[what]):,}" for what in ("games", "plies", "broken")]
        rows.append([subject, *counts, ", ".join(row["program"] for row in of)])
    reason = "\npython-chess treats a second blank line between tag pairs and movetext as the end of a game.\n"
    same = "All programs count the same games, and the same plies if they count plies. `lichess-clocks` and `lichess-plain` are master games dressed as an online export, with invented names, clocks and labels: they have the form of such archives, and nothing about chess is concluded from them.\n"
    text = "The counts differ:\n\n" + "\n".join(differ) + "\n" + reason if differ else same
    header = ["archive", "games", "plies", "rejected", "counted by"]
    return f"\n## Counts\n\n{table(header, rows)}\n{text}"


def against(data, section, title, ours, words=""):
    """The commands of a section, one row each: the time of each archive, beside that of one of pgnmill's commands."""
    runs = data.timed[section]
    if not runs:
        return ""
    subjects, rows = runs.subjects(), []
    for way in dict.fromkeys(row["way"] for row in runs.rows):
        base, cells = ours(way), []
        for subject in subjects:
            if not runs.has(subject, way):
                cells.append(NONE)
                continue
            ratio = "" if way == base else f" (× {runs.ratio(subject, way, base):.2f})"
            milliseconds = runs.median(subject, way) * 1000
            cells.append(f"{milliseconds:,.{0 if milliseconds >= 100 else 1}f}{ratio}")
        peak = max(kib for subject in subjects for kib in runs.series(subject, way, "peak_kib"))
        rows.append([way, *cells, f"{peak / 1024:.0f}"])
    header = ["ms", *(subject.removesuffix(".pgn") for subject in subjects), "peak MiB"]
    return f"\n## {title}\n\n{words}{data.commands(section)}{table(header, rows)}"


def sizes(data):
    """Time and memory by size."""
    runs = data.timed["sizes"]
    if not runs:
        return ""
    rows = []
    for subject in runs.subjects():
        name, size = subject.rsplit(", ", 1)
        row = [name.removesuffix(".pgn"), f"{int(size) / 1e6:,.0f}"]
        for way in ("validate, 1", "validate, 2", "validate -, 2"):
            if runs.has(subject, way):
                wall, peak = runs.median(subject, way), max(runs.series(subject, way, "peak_kib")) / 1024
                row.append(f"{wall * 1e9 / int(size):.2f} ns, {peak:.0f} MiB")
            else:
                row.append(NONE)
        rows.append(row)
    header = ["archive, repeated", "MB", "one thread: per byte, peak", "two threads", "two threads, pipe"]
    words = "Pages of the map that are in memory count as the program's; workers release those that they have read.\n\n"
    return f"\n## Size of the input\n\n{words}{data.commands('sizes')}{table(header, rows)}"


def instructions(data):
    """Instructions by file."""
    found = data.book.read("instructions")
    if not found:
        return ""
    stages, total = collections.defaultdict(dict), collections.Counter()
    for row in found:
        stages[row["stage"]][row["subject"]] = float(row["per_ply"])
        total[row["subject"]] += float(row["per_ply"])
    names = list(total)
    order = sorted(stages, key=lambda stage: -sum(stages[stage].values()))
    rows = [["**all**", *(f"{total[name]:.0f}" for name in names)]]
    rows += [[stage, *(f"{stages[stage].get(name, 0):.1f}" for name in names)] for stage in order if max(stages[stage].values()) >= 0.5]
    words = "Instructions per ply of `validate`, one thread, by file of the source (callgrind, which has no AVX-512), of a slice minus\na smaller one; inlined lines count in their own file.\n\n"
    return f"\n## Instructions by stage\n\n{words}{table(['file', *names], rows)}"


POSITIONS_WORDS = (
    "`40 plies, 2 games`: `--max-ply 40 --min-games 2`; `all plies`: within 256 MiB, the rest in temporary files. DuckDB counts"
    " the same pairs of an exported table of all plies. Books are made of a slice.\n\n"
)


def positions_base(way):
    """What a way of the section is compared with."""
    return "book, 1" if way.startswith("book") else "validate, 2" if way.endswith(", 2") else "validate, 1"


def page(book):
    """The whole page."""
    data = Data(book)
    threads = lambda way: way.split(",")[0] + ", 1"
    after = lambda way: "validate, " + (way[-1] if way[-1] in "12" else "1")
    parts = [
        head(data),
        counted(data),
        against(data, "peers", "pgn-reader and shakmaty", lambda way: "validate", "`suffixes` compares check suffixes too, as pgnmill does.\n\n"),
        against(data, "python", "python-chess, on a slice", lambda way: "validate"),
        against(data, "extract", "pgn-extract", lambda way: way.split(",")[0] + ", ours, 1"),
        against(data, "threads", "Threads", threads, "More threads than processors must not be much slower.\n\n"),
        sizes(data),
        against(data, "floor", "Reading alone", lambda way: "validate, 1"),
        against(data, "zst", "Compressed archives", lambda way: "plain", "`decode on two`: two processes `zstd -d`, each on half of the frames.\n\n"),
        against(data, "convert", "Converting", after),
        against(data, "measure", "Measuring", after),
        against(data, "positions", "Positions and books", positions_base, POSITIONS_WORDS),
        against(data, "start", "A file of one kilobyte", lambda way: "validate"),
        promised(data),
        instructions(data),
    ]
    return "".join(parts)
