"""The page of a comparison: docs/performance.md, written from the rows that clock.py keeps.

In: a `Book`. Out: Markdown. Nothing is measured here; a section that was not run is left out, and a goal that requires it
is listed as not run.
"""
import collections
import textwrap

GB = 1e9
NONE = "—"


def table(header, rows):
    """A table in Markdown; none without rows."""
    if not rows:
        return ""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


class Data:
    """All rows, and the facts about the archives."""

    def __init__(self, book):
        self.book = book
        self.facts = {row["fact"]: row["value"] for row in book.read("facts")}
        self.bytes = {row["archive"]: int(row["bytes"]) for row in book.read("archives")}
        self.counts = book.read("counts")
        ours = [row for row in self.counts if row["program"] == "pgnmill"]
        self.plies = {row["subject"]: int(row["plies"]) for row in ours}
        self.timed = {name: book.timed(name) for name in TIMED}

    def commands(self, section):
        """The commands of a section, as typed."""
        rows = self.book.read(f"{section}.commands")
        return "".join(f"    {row['way'] + ':':24} {row['command']}\n" for row in rows) + "\n" if rows else ""

    def rate(self, section, subject, way):
        """Nanoseconds per ply, if the plies are known, and GB per second."""
        wall = self.timed[section].median(subject, way)
        plies = self.plies.get(subject)
        return f"{wall * 1e9 / plies:.1f}" if plies else NONE, f"{self.bytes[subject] / wall / GB:.2f}"


TIMED = ["peers", "python", "extract", "threads", "sizes", "floor", "zst", "convert", "measure", "start"]


class Goal:
    """A limit that a figure must reach, or must not exceed."""

    def __init__(self, what, section, figure, limit, at_least=False, subjects=None):
        self.what, self.section, self.figure = what, section, figure
        self.limit, self.at_least, self.subjects = limit, at_least, subjects

    def rows(self, data):
        """One row per archive: the figure, the limit, met or missed."""
        runs, sign = data.timed[self.section], "≥" if self.at_least else "≤"
        subjects = [s for s in runs.subjects() if not self.subjects or any(s.startswith(name) for name in self.subjects)]
        if not subjects:
            return [[self.what, NONE, NONE, f"{sign} {self.limit}", "not run"]]
        rows = []
        for subject in subjects:
            figure = self.figure(runs, subject)
            if figure is None:
                continue
            met = figure >= self.limit if self.at_least else figure <= self.limit
            rows.append([self.what, subject, f"{figure:.2f}", f"{sign} {self.limit}", "met" if met else "**missed**"])
        return rows


def times(over, under):
    """How many times as long one command takes as another, or as several together."""
    return lambda runs, subject: runs.ratio(subject, over, under)


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
    for name, limit in (("lichess-plain", 4.5), ("masters", 4.5), ("lichess-clocks", 4), ("engines", 1)):
        figure = times("shakmaty", "validate")
        yield Goal("`validate`, one thread: times as fast as pgn-reader + shakmaty", "peers", figure, limit, True, [name])
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
            yield Goal(f"the same with `--by all` against without, threads: {n}", "measure", figure, 1.5)
    figure = lambda runs, subject: runs.median(subject, "validate", "cpu") * 1000
    yield Goal("start to result, 1 kB, ms of CPU", "start", figure, 10)
    yield Goal("MiB beyond the map, two threads", "sizes", beyond_map, 200)
    yield Goal("time per byte against the input of 100 MB", "sizes", growth, 1.1)


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
        " medians of the ratios of each turn; × is how many times as long as pgnmill's command, whose × is 1.00. Wall time unless"
        " stated, text decompressed and in the page cache, `$work` a directory on disk. pgnmill is the release build for any"
        " x86-64 and selects its instructions at run time; pgn-reader and shakmaty are built with fat LTO for this processor."
    )
    return f"""# Performance
{quick}
{opened}
{speed(data)}{closed}

Converting, measuring, compressed archives, more threads, large inputs: one section each, below. Goals, with those that were
missed: [Goals](#goals).

{textwrap.fill(method, 120, break_on_hyphens=False)}

## Machine and versions

{table(["", ""], rows)}"""


def promised(data):
    """Goals with figures, the missed ones first."""
    rows = [row for goal in goals() for row in goal.rows(data)]
    rows.sort(key=lambda row: row[-1] == "met")
    words = "Missed goals come first and stay until they are met.\n\n"
    return "\n## Goals\n\n" + words + table(["goal", "archive", "figure", "limit", ""], rows)


def counted(data):
    """Games and plies as each program counts them."""
    if not data.counts:
        return ""
    rows = [[r["subject"], r["program"], r["games"], r["broken"], r["plies"] or NONE] for r in data.counts]
    differ = []
    for subject in dict.fromkeys(row["subject"] for row in data.counts):
        for what in ("games", "plies"):
            found = {row["program"]: row[what] for row in data.counts if row["subject"] == subject and row[what]}
            if len(set(found.values())) > 1:
                differ.append(f"* {subject}: {what} " + ", ".join(f"{count} ({program})" for program, count in found.items()))
    reason = "\npython-chess treats a second blank line between tag pairs and movetext as the end of a game.\n"
    text = "The counts differ:\n\n" + "\n".join(differ) + "\n" + reason if differ else "All programs count the same games, and the same plies if they count plies.\n"
    header = ["archive", "program", "games", "broken or rejected", "plies"]
    return f"\n## Counts\n\n{table(header, rows)}\n{text}"


def against(data, section, title, ours, words=""):
    """The commands of a section beside one of pgnmill's, for each archive."""
    runs = data.timed[section]
    if not runs:
        return ""
    rows = []
    for subject in runs.subjects():
        for way in dict.fromkeys(row["way"] for row in runs.rows if row["subject"] == subject):
            base = ours(way)
            wall, peak = runs.median(subject, way), max(runs.series(subject, way, "peak_kib")) / 1024
            known = subject in data.bytes and section != "python"
            cells = data.rate(section, subject, way) if known else (NONE, NONE)
            ratios = [f"{runs.ratio(subject, way, base, what):.2f}" for what in ("wall", "cpu")]
            cpu = runs.median(subject, way, "cpu")
            rows.append([subject, way, f"{wall * 1000:.1f}", f"{cpu * 1000:.1f}", *cells, *ratios, f"{peak:.0f}"])
    header = ["archive", "command", "ms", "CPU ms", "ns per ply", "GB/s", "× wall", "× CPU", "peak MiB"]
    return f"\n## {title}\n\n{words}{data.commands(section)}{table(header, rows)}"


def sizes(data):
    """Time and memory by size."""
    runs = data.timed["sizes"]
    if not runs:
        return ""
    rows = []
    for subject in runs.subjects():
        name, size = subject.rsplit(", ", 1)
        for way in dict.fromkeys(row["way"] for row in runs.rows if row["subject"] == subject):
            wall, peak = runs.median(subject, way), max(runs.series(subject, way, "peak_kib")) / 1024
            row = [name, way, f"{int(size) / 1e6:.1f}", f"{wall:.3f}", f"{wall * 1e9 / int(size):.3f}", f"{peak:.0f}"]
            rows.append(row)
    header = ["archive, repeated", "command", "MB", "s", "ns per byte", "peak MiB"]
    words = "Pages of the map that are in memory count as the program's; workers release those that they have read. `-` is a pipe.\n\n"
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
        against(data, "start", "A file of one kilobyte", lambda way: "validate"),
        promised(data),
        instructions(data),
    ]
    return "".join(parts)
