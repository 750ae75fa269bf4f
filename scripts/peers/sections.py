"""The sections: one function each, which runs commands and writes one table of rows.

In: a `Bench` with the programs and the archives. Each section is independent. `ours` builds commands of pgnmill.
"""
import collections
import csv
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

from clock import Race

HERE = pathlib.Path(__file__).resolve().parent
MB = 1_000_000


class Bench:
    """The programs, the archives and the output folders."""

    def __init__(self, book, scratch, pgnmill, peers, archives, pairs, quick, largest_mb):
        self.book, self.scratch, self.pgnmill, self.peers = book, scratch, pgnmill, peers
        self.archives, self.pairs, self.quick, self.largest_mb = archives, pairs, quick, largest_mb
        self.extract = shutil.which("pgn-extract") or shutil.which("/usr/games/pgn-extract")
        self.out = scratch / "out"
        self.out.mkdir(exist_ok=True)
        # Paths as the page names them.
        self.names = [(str(pgnmill), "pgnmill"), (str(peers), "peers"), (str(scratch), "$work"), (str(HERE), "scripts/peers")]
        self.names += [(self.extract or "pgn-extract", "pgn-extract"), (sys.executable, "python3")]
        self.names += [(f"$work/{name}", "$work/ARCHIVE") for name in archives]

    def race(self, section):
        """The race of a section."""
        return Race(self.book, section, self.names)

    def ours(self, task, path, threads):
        """A command of pgnmill; `{out}` in the task is the folder of its outputs."""
        task = task.replace("{out}", str(self.out)).split()
        return [str(self.pgnmill), *task, "--quiet", f"--threads={threads}", str(path)]

    def slice(self, name, size):
        """The games at the beginning of an archive, about `size` bytes; the whole archive if it is not larger."""
        text = self.archives[name]
        path = self.scratch / f"{name}-{size}.pgn"
        if not path.exists():
            with open(text, "rb") as whole:
                head = whole.read(size)
            end = len(head) if len(head) < size else head.rfind(b"\n[Event ") + 1
            path.write_bytes(head[:end])
        return path


VALIDATE = "validate"
UCI = "convert --to uci --keep-rejects --overwrite -o {out}/uci.pgn"
PRIORITY = "convert --to economical-priority --keep-rejects --overwrite -o {out}/priority.pgn"
PACKED = "convert --to economical-priority --keep-rejects --overwrite --level 3 -o {out}/priority.pgn.zst"
POSITIONS = "positions --overwrite"
MEASURE = "measure --overwrite -o {out}/tables"


def outputs(command):
    """Standard output and standard error of a command."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.stdout, done.stderr


def counts(bench):
    """Games and plies as each program counts them, over whole archives; python-chess over a slice."""
    rows = []
    for name, text in bench.archives.items():
        some = bench.slice(name, 2 * MB)
        for subject, path in ((name, text), (f"{name}, {some.stat().st_size} bytes", some)):
            summary = bench.out / "summary.csv"
            outputs([*bench.ours(f"validate --overwrite --summary {summary}", path, 2)])
            ours = dict(list(csv.reader(open(summary)))[1:])
            rows.append([subject, "pgnmill", ours["games"], ours["rejected"], ours["plies"], path.stat().st_size])
            games, broken, plies, _ = outputs([str(bench.peers), "suffixes", str(path)])[0].split()
            rows.append([subject, "pgn-reader + shakmaty", games, broken, plies, path.stat().st_size])
            if bench.extract:
                matched = re.search(r"(\d+) games? matched out of (\d+)", outputs([bench.extract, "-r", str(path)])[1])
                games, broken = (matched[2], int(matched[2]) - int(matched[1])) if matched else ("?", "?")
                rows.append([subject, "pgn-extract", games, broken, "", path.stat().st_size])
        games = outputs([sys.executable, str(HERE / "count.py"), str(some)])[0].split()
        if games:
            rows.append([subject, "python-chess", *games, some.stat().st_size])
    bench.book.write("counts", ["subject", "program", "games", "broken", "plies", "bytes"], rows)


def peers(bench):
    """Validation by pgnmill and by pgn-reader with shakmaty."""
    race = bench.race("peers")
    for name, text in bench.archives.items():
        plain, suffixes = ([str(bench.peers), mode, str(text)] for mode in ("plain", "suffixes"))
        ways = {"validate": bench.ours(VALIDATE, text, 1), "shakmaty": plain, "shakmaty, suffixes": suffixes}
        race.turns(name, ways, bench.pairs)
    race.close()


def python(bench):
    """python-chess on a slice."""
    if importlib.util.find_spec("chess") is None:
        print("compare-peers: skipped: python; the package chess is not installed", file=sys.stderr)
        return
    race = bench.race("python")
    for name in bench.archives:
        text = bench.slice(name, MB // 5 if bench.quick else 2 * MB)
        ways = {"validate": bench.ours(VALIDATE, text, 1)}
        ways["python-chess"] = [sys.executable, str(HERE / "count.py"), str(text)]
        race.turns(name, ways, min(bench.pairs, 3))
    race.close()


def extract(bench):
    """Debian's pgn-extract, and the commands of pgnmill that do the same."""
    if not bench.extract:
        print("compare-peers: skipped: extract; on Debian: apt-get install pgn-extract", file=sys.stderr)
        return
    race = bench.race("extract")
    for name, text in bench.archives.items():
        ways = {}
        for task, option, ours in (("-r", "-r", VALIDATE), ("-Wuci", "-Wuci", UCI), ("-Wsan", "-Wsan", PRIORITY)):
            output = [] if task == "-r" else ["-o", str(bench.out / "extract.pgn")]
            for threads in (1, 2):
                ways[f"{task}, ours, {threads}"] = bench.ours(ours, text, threads)
            ways[f"{task}, pgn-extract"] = [bench.extract, "-s", option, *output, str(text)]
        race.turns(name, ways, bench.pairs)
    race.close()


def threads(bench):
    """More threads, also more than processors."""
    race = bench.race("threads")
    for name, text in bench.archives.items():
        tasks = {"validate": VALIDATE, "convert": PRIORITY}
        ways = {f"{task}, {n}": bench.ours(command, text, n) for task, command in tasks.items() for n in (1, 2, 4, 8)}
        race.turns(name, ways, bench.pairs)
    race.close()


def repeated(unit, path, size):
    """A file of about `size` bytes: the unit repeated, cut at a game at the end."""
    with open(path, "wb") as file:
        for _ in range(size // len(unit)):
            file.write(unit)
        rest = unit[: size % len(unit)]
        file.write(rest[: rest.rfind(b"\n[Event ") + 1])


def sizes(bench):
    """Inputs from 1 MB on, by repetition, as files; twice the largest also through a pipe."""
    race = bench.race("sizes")
    free = shutil.disk_usage(bench.scratch).free // 2
    for name in list(bench.archives)[:2] if not bench.quick else list(bench.archives)[:1]:
        unit = bench.archives[name].read_bytes()
        file, size = bench.scratch / "repeated.pgn", MB
        while size <= min(bench.largest_mb * MB, free):
            repeated(unit, file, size)
            ways = {f"validate, {n}": bench.ours(VALIDATE, file, n) for n in (1, 2)}
            race.turns(f"{name}, {file.stat().st_size}", ways, min(bench.pairs, 3) if size > 1000 * MB else bench.pairs)
            size *= 10
        file.unlink(missing_ok=True)
        times = max(1, 2 * bench.largest_mb * MB // len(unit))
        feeder = ["bash", "-c", f"for i in $(seq {times}); do cat {bench.archives[name]}; done"]
        feed = lambda: subprocess.Popen(feeder, stdout=subprocess.PIPE)
        ways = {"validate -, 2": bench.ours(VALIDATE, "-", 2)}
        race.turns(f"{name}, {times * len(unit)}", ways, 1, feed)
    race.close()


def floor(bench):
    """Lower bounds: reading, and finding line ends."""
    race = bench.race("floor")
    for name, text in bench.archives.items():
        ways = {"wc -l": ["wc", "-l", str(text)], "cat": f"cat {text} | cat >/dev/null"}
        race.turns(name, {**ways, "validate, 1": bench.ours(VALIDATE, text, 1)}, bench.pairs)
    race.close()


def halves(stored):
    """The output of pzstd as two files of whole frames: before each frame there is a skippable one with its size."""
    ends, at = [0], 0
    while at < len(stored):
        at += 12 + int.from_bytes(stored[at + 8 : at + 12], "little")
        ends.append(at)
    middle = min(ends, key=lambda end: abs(end - len(stored) // 2))
    return stored[:middle], stored[middle:]


def zst(bench):
    """Compressed archives: many frames on two threads, and one frame."""
    race = bench.race("zst")
    for name, text in bench.archives.items():
        many, one = bench.scratch / "many.pgn.zst", bench.scratch / "one.pgn.zst"
        subprocess.run(["pzstd", "-q", "-f", "-p", "2", str(text), "-o", str(many)], check=True)
        subprocess.run(["zstd", "-q", "-f", str(text), "-o", str(one)], check=True)
        parts = [bench.scratch / f"half-{i}.zst" for i in (1, 2)]
        for part, stored in zip(parts, halves(many.read_bytes())):
            part.write_bytes(stored)
        decode = " & ".join(f"zstd -dqcf {part} >/dev/null" for part in parts) + " & wait"
        ways = {
            "many frames": bench.ours(VALIDATE, many, 2),
            "decode on two": decode,
            "pzstd -d": f"pzstd -dqc -p 2 {many} >/dev/null",
            "plain": bench.ours(VALIDATE, text, 2),
            "one frame": bench.ours(VALIDATE, one, 2),
            "zstd -d": f"zstd -dqcf {one} >/dev/null",
        }
        race.turns(name, ways, bench.pairs)
    race.close()


def convert(bench):
    """Plain to plain against validate; to .zst against plain and zstd after it."""
    race = bench.race("convert")
    for name, text in bench.archives.items():
        ways = {}
        for n in (1, 2):
            ways[f"validate, {n}"] = bench.ours(VALIDATE, text, n)
            ways[f"plain, {n}"] = bench.ours(PRIORITY, text, n)
            ways[f"zst, {n}"] = bench.ours(PACKED, text, n)
        ways["zstd -3"] = f"zstd -3 --single-thread -qcf {bench.out}/priority.pgn >/dev/null"
        race.turns(name, ways, bench.pairs)
    race.close()


def measure(bench):
    """Tables of the notations against validate."""
    race = bench.race("measure")
    for name, text in bench.archives.items():
        ways = {}
        for n in (1, 2):
            ways[f"validate, {n}"] = bench.ours(VALIDATE, text, n)
            for chosen in ("main", "written", "all"):
                ways[f"{chosen}, {n}"] = bench.ours(f"{MEASURE} --notations {chosen}", text, n)
                if chosen != "all":
                    ways[f"{chosen} --by all, {n}"] = bench.ours(f"{MEASURE} --notations {chosen} --by all", text, n)
        race.turns(name, ways, bench.pairs)
    race.close()


def positions(bench):
    """The table of positions against validate, and against a table of plies that DuckDB groups; books against polyglot's."""
    race, grouped = bench.race("positions"), HERE / "group_plies.py"
    polyglot = shutil.which("polyglot") or shutil.which("/usr/games/polyglot")
    has_duckdb = importlib.util.find_spec("duckdb")
    for program, is_there in (("polyglot", polyglot), ("duckdb", has_duckdb)):
        if not is_there:
            print(f"compare-peers: left out: {program} is not installed", file=sys.stderr)
    for name, text in bench.archives.items():
        ways = {}
        for n in (1, 2):
            ways[f"validate, {n}"] = bench.ours(VALIDATE, text, n)
            ways[f"40 plies, 2 games, {n}"] = bench.ours(f"{POSITIONS} --max-ply 40 --min-games 2 -o {{out}}/p.parquet", text, n)
            ways[f"all plies, {n}"] = bench.ours(f"{POSITIONS} --max-ply 0 --memory 256MiB -o {{out}}/p.parquet", text, n)
        if has_duckdb:
            plies = bench.ours("export --overwrite --table plies --columns archive,game,ply,fen,uci -o {out}/plies.parquet", text, 2)
            group = f"{sys.executable} {grouped} {bench.out}/plies.parquet {bench.out}/grouped.parquet"
            ways["plies and DuckDB, 2"] = f"{' '.join(plies)} && {group}"
        race.turns(name, ways, bench.pairs)
        # polyglot ends at the first game that it cannot read.
        some = bench.slice(name, (1 if bench.quick else 4) * MB)
        ways = {"book, 1": bench.ours(f"{POSITIONS} --max-ply 40 --min-games 3 -o {{out}}/p.bin", some, 1)}
        if polyglot:
            options = f"-pgn {some} -bin {bench.out}/polyglot.bin -max-ply 40 -min-game 3"
            ways["book, polyglot"] = f"{polyglot} make-book {options} >/dev/null"
        race.turns(f"{name}, {some.stat().st_size} bytes", ways, bench.pairs)
    race.close()


def start(bench):
    """A file of one kilobyte, many times."""
    sources = (HERE.parent.parent / "data/sources.pgn").read_bytes()
    game = sources[: sources.rfind(b"\n[Event ", 0, 1500) + 1]
    small = bench.scratch / "small.pgn"
    small.write_bytes(game)
    race = bench.race("start")
    tasks = {"validate": VALIDATE, "convert": PRIORITY, "measure": MEASURE}
    ways = {task: bench.ours(command, small, 2) for task, command in tasks.items()}
    race.turns(f"{len(game)} bytes", ways, 4 * bench.pairs)
    race.close()


def instructions(bench):
    """Instructions by file of source, under callgrind, on slices."""
    if not shutil.which("valgrind"):
        print("compare-peers: skipped: instructions; valgrind is not installed", file=sys.stderr)
        return
    rows = []
    for name in bench.archives:
        # The difference between two slices excludes the start and the end of the program.
        spent = []
        for size in (MB // 4, (1 if bench.quick else 2) * MB):
            text, found = bench.slice(name, size), bench.scratch / "callgrind.out"
            tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={found}"]
            outputs([*tool, *bench.ours(f"validate --overwrite --summary {bench.out}/s.csv", text, 1)])
            plies = int(dict(list(csv.reader(open(bench.out / "s.csv")))[1:])["plies"])
            spent.append((plies, by_file(outputs(["callgrind_annotate", "--threshold=100", str(found)])[0])))
        (few, less), (many, more) = spent
        more.subtract(less)
        rows += [[name, stage, f"{count / (many - few):.2f}"] for stage, count in more.most_common() if count > 0]
    bench.book.write("instructions", ["subject", "stage", "per_ply"], rows)


def by_file(annotated):
    """Instructions by file of this program, or by library."""
    spent = collections.Counter()
    for line in annotated.splitlines():
        found = re.match(r"\s*([\d,]+)\s+\([ \d.]+%\)\s+(\S+?):(.*)", line)
        if found:
            spent[stage_of(found[2], found[3])] += int(found[1].replace(",", ""))
    return spent


def stage_of(path, function):
    """The file or library of a function's line."""
    for library in ("zstd", "memchr", "core", "alloc", "std", "crossbeam", "rayon"):
        if f"/{library}/src/" in path or f"/{library}-" in path:
            return f"library: {library}"
    own = re.search(r"(?:^|/)src/([\w/]+)\.rs$", path)
    if own and os.sep + "registry" + os.sep not in path:
        return own[1]
    return "library: C" if "mem" in function or "libc" in function else "library: other"


SECTIONS = [counts, peers, python, extract, threads, sizes, floor, zst, convert, measure, positions, start, instructions]
