"""Runs: the same files and counts as the program, which is run here as a process of its own."""

import csv
import inspect
import io
import logging
import os
import pathlib
import pickle
import subprocess
import sys

import pgnmill
import pytest
from archives import trials
from pgnmill import _native

DATA = pathlib.Path(__file__).parents[2] / "data"
SAMPLE = DATA.parent / "tests" / "generated" / "lichess-sample.pgn.zst"
SOURCES = DATA / "sources.pgn"
GAMES = b'[Event "a"]\n\n1. e4 e5 *\n\n[Event "b"]\n\n1. e5 *\n\n[Event "c"]\n\n1. d4 {x} d5 1-0\n\n'
# Why a keyword has no option of its own, or an option no keyword.
OTHERS = {"source", "measured", "tables", "progress"}
# The program alone shows what a run would do.
LEFT_OUT = {"progress", "no_progress", "name", "log", "color", "dry_run", "verbose"}
# Tables of positions have a function of their own.
OF_POSITIONS = {"min_games", "sums", "only", "min_score", "uniform", "level", "threads"}


@pytest.fixture(autouse=True)
def in_a_directory_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def archives(tmp_path):
    """Copies, so that outputs beside them are of this test, and one with faults."""
    paths = [tmp_path / "in" / name for name in ("sample.pgn.zst", "sources.pgn", "faulty.pgn")]
    paths[0].parent.mkdir()
    for path, data in zip(paths, (SAMPLE.read_bytes(), SOURCES.read_bytes(), GAMES)):
        path.write_bytes(data)
    return paths


def program(*words):
    """The program, in a process: its exit code, standard output and standard error."""
    code = "import sys; from pgnmill._run_main import main; sys.exit(main())"
    ran = subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True)
    return ran.returncode, ran.stdout, ran.stderr.decode()


def rows_of(path):
    return list(csv.DictReader(io.StringIO(pathlib.Path(path).read_text())))


def files_of(directory):
    """The files of a directory, without journals, which only the program keeps."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(pathlib.Path(directory).rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


@pytest.mark.parametrize(
    "name",
    ["validate", "stats", "convert", "select", "sort", "export", "measure", "duplicates", "merge", "report",
     "explain", "explore", "write_positions", "merge_positions"],
)
def test_every_option_of_the_program_is_a_keyword(name):
    command = {"write_positions": "positions", "merge_positions": "merge"}.get(name, name)
    options = {row[0]: row for row in _native.options_of(command)}
    parameters = inspect.signature(getattr(pgnmill, name)).parameters
    keywords = {key: it for key, it in parameters.items() if it.kind is it.KEYWORD_ONLY}
    # The format of what is printed; that of a table is a keyword.
    formats = set() if name in ("export", "write_positions", "merge_positions") else {"format"}
    left_out = LEFT_OUT | formats | (OF_POSITIONS if name == "merge" else set())
    assert set(keywords) - OTHERS == set(options) - left_out
    doc = inspect.getdoc(getattr(pgnmill, name))
    for key, parameter in keywords.items():
        assert key in doc, key
        if key in options:
            takes_value, is_list = options[key][1], options[key][2]
            if not takes_value:
                assert parameter.default is False, key
            elif is_list:
                assert parameter.default == (), key


@pytest.mark.parametrize("command", ["validate", "select", "export"])
def test_the_summary_is_that_of_the_program(command, archives):
    ending = {"validate": None, "select": "pgn", "export": "parquet"}[command]
    output = [] if ending is None else ["-o", f"program.{ending}"]
    code, _, errors = program(command, *archives, "--summary", "p.csv", "--faults", "f.csv", *output)
    assert code == (0 if command == "select" else 1), errors
    keywords = {} if ending is None else {"output": f"library.{ending}"}
    run = getattr(pgnmill, command)(archives, summary="l.csv", **keywords)
    assert rows_of("p.csv") == rows_of("l.csv")
    assert {row["key"]: row["value"] for row in rows_of("p.csv")} == dict(run.summary)
    assert run.faults.to_csv() == pathlib.Path("f.csv").read_bytes()
    assert run.is_clean == (code == 0)
    games = run.summary.accepted + run.summary.repaired + run.summary.rejected
    assert run.summary.games == games + run.summary.not_selected + run.summary.selected
    if output:
        assert pathlib.Path(f"program.{ending}").read_bytes() == run.output.read_bytes()


def test_the_text_and_the_warnings_are_those_of_the_program(archives, caplog):
    words = ["convert", *archives, "--to", "uci", "-o", "p.pgn", "--progress", "none"]
    errors = program(*words)[2]
    with caplog.at_level(logging.WARNING, logger="pgnmill"):
        run = pgnmill.convert(archives, to="uci", output="l.pgn")
    # The second line states seconds.
    lines = [line for line in errors.splitlines() if not line.startswith("pgnmill: ")]
    # A caller knows what it has written.
    assert lines.pop() == "wrote p.pgn (28.4 MB)"
    assert len(lines) == len(run.text.splitlines())
    assert lines[0] == run.text.splitlines()[0] and lines[2:] == run.text.splitlines()[2:]
    warned = [line.removeprefix("pgnmill: warn: ") for line in errors.splitlines() if "warn: " in line]
    assert warned == list(run.warnings) == [record.message for record in caplog.records]
    assert not pgnmill.convert(archives, to="uci", output="q.pgn", quiet=True).warnings


def test_conversions_write_the_files_of_the_program(archives):
    edits = ["--set", "Event=new", "--drop", "comments", "--keep-rejects", "--set-eco"]
    assert program("convert", *archives, "--to", "uci", "-o", "p/", *edits)[0] == 1
    keywords = {"set": {"Event": "new"}, "drop": "comments", "keep_rejects": True, "set_eco": True}
    run = pgnmill.convert(archives, to="uci", output="l/", **keywords)
    assert files_of("p") == files_of("l") and len(files_of("l")) == 3
    assert run.data is None and run.output == pathlib.Path("l")
    data = pgnmill.convert(archives[1], to="uci", **keywords).data
    assert data == files_of("l")["sources.pgn"]


def test_selections_write_the_files_of_the_program(archives):
    where = 'rating_min >= 1500 and Result != "1/2-1/2"'
    for words, keywords in [
        ((), {}),
        (("--head", "7"), {"head": 7}),
        (("--sample", "5", "--seed", "3"), {"sample": 5, "seed": 3}),
        (("--sample", "5%"), {"sample": "5%"}),
    ]:
        program("select", *archives, "--where", where, "-o", "p.pgn", "--overwrite", *words)
        run = pgnmill.select(archives, where=where, **keywords)
        assert run.data == pathlib.Path("p.pgn").read_bytes()
        assert run.summary.selected == run.data.count(b"[Event ")
    program("select", SAMPLE, "--split-by", "Result", "-o", "p")
    pgnmill.select(SAMPLE, split_by="Result", output="l")
    assert files_of("p") == files_of("l") and len(files_of("l")) >= 2
    program("select", SAMPLE, "--games-per-file", "7", "-o", "p7")
    pgnmill.select(SAMPLE, games_per_file=7, output="l7")
    assert files_of("p7") == files_of("l7") and len(files_of("l7")) >= 2


def test_exports_write_the_files_of_the_program(archives):
    words = ["--table", "plies", "--columns", "ply,san", "--notation", "uci", "--format", "csv"]
    program("export", *archives, "-o", "p.csv", *words)
    run = pgnmill.export(archives, table="plies", columns="ply,san", notation=["uci"], format="csv")
    assert run.data == pathlib.Path("p.csv").read_bytes()


def test_measurements_write_the_tables_of_the_program(archives, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    sample = trials("5%", "50%", "50%")
    words = ["--by", "ply,result", "--per-game", "--entropy", "--compress", "zstd:1:main", "--errors=2", "--writing"]
    words += ["--cluster", "game,event", "--codes", "--order", "1", "--sample", sample]
    program("measure", *archives, "-o", "p", *words)
    keywords = {"by": ["ply", "result"], "per_game": True, "entropy": True, "compress": "zstd:1:main"}
    keywords |= {"errors": 2, "writing": True, "cluster": ["game", "event"], "codes": True, "order": 1, "sample": sample}
    written = pgnmill.measure(archives, output="l", **keywords)
    assert files_of("p") == files_of("l")
    in_memory = pgnmill.measure(archives, **keywords)
    assert {name: table.to_csv() for name, table in written.tables.items()} == {
        name: table.to_csv() for name, table in in_memory.tables.items()
    }
    facts = {row["key"]: row["value"] for row in in_memory.tables["summary"].rows()}
    assert dict(in_memory.summary) == dict(written.summary) == facts
    # A directory is added once; two results with the same tables are two measurements.
    with pytest.raises(pgnmill.UsageError, match="the same directory"):
        pgnmill.merge(["p", "p"])
    program("merge", "p", "l", "-o", "pm")
    for measured in (["p", "l"], [in_memory, written]):
        merged = pgnmill.merge(measured)
        assert {f"{name}.csv": table.to_csv() for name, table in merged.tables.items()} == files_of("pm")
    program("report", "p", "-o", "p.html")
    assert pgnmill.report(in_memory).text.encode() == pathlib.Path("p.html").read_bytes()
    program("report", "p", "-o", "p.md")
    assert pgnmill.report("l", output="l.md").text is None
    assert pathlib.Path("l.md").read_bytes() == pathlib.Path("p.md").read_bytes()
    program("report", "p", "-o", "-", "--figures", "pf")
    assert pgnmill.report(in_memory, figures="lf").text.encode() == pathlib.Path("p.html").read_bytes()
    assert files_of("lf") == files_of("pf")
    assert "notations.svg" in files_of("lf")
    # A table of positions is an opening explorer.
    program("positions", *archives, "-o", "t.parquet")
    words = ["--position", "1. e4", "--depth", "3", "--share", "0.5", "--from", "san", "--rules", "chess"]
    assert program("report", "t.parquet", *words, "-o", "t.html")[0] == 0
    page = pgnmill.report("t.parquet", position="1. e4", depth=3, share=0.5, from_notation="san", rules="chess")
    assert page.text.encode() == pathlib.Path("t.html").read_bytes()
    with pytest.raises(pgnmill.UsageError, match="1 to 40"):
        pgnmill.report("t.parquet", depth=41)
    with pytest.raises(TypeError, match="share"):
        pgnmill.report("t.parquet", share="1")


def test_duplicates_are_those_of_the_program(archives):
    twice = pathlib.Path("twice.pgn")
    twice.write_bytes(archives[1].read_bytes() * 2)
    words = ["--keep", "longest", "--removed", "--near", "3"]
    program("duplicates", *archives, twice, "-o", "p", *words)
    keywords = {"keep": "longest", "removed": True, "near": 3}
    run = pgnmill.duplicates([*archives, twice], output="l", **keywords)
    assert files_of("p") == files_of("l")
    memory = pgnmill.duplicates([*archives, twice], **keywords)
    assert memory.kept == files_of("p")["kept.pgn"] and memory.removed == files_of("p")["duplicates.pgn"]
    assert memory.groups.rows() == run.groups.rows() != []
    assert dict(memory.summary) == {row["key"]: row["value"] for row in rows_of("p/summary.csv")}


def test_explanations_are_those_of_the_program(archives):
    for words, keywords in [(("--game", "2"), {"game": 2}), (("--at", "30"), {"at": 30})]:
        code, shown, _ = program("explain", archives[2], *words)
        explained = pgnmill.explain(archives[2], **keywords)
        assert (explained.text.encode(), explained.is_valid) == (shown, code == 0)


@pytest.mark.parametrize("kind", ["bytes", "bytearray", "memoryview", "file", "BytesIO", "path", "list"])
def test_sources_of_every_kind_have_the_same_games(kind):
    data = SAMPLE.read_bytes()
    expected = pgnmill.validate(str(SAMPLE)).summary
    with open(SAMPLE, "rb") as file:
        source = {
            "bytes": data,
            "bytearray": bytearray(data),
            "memoryview": memoryview(data),
            "file": file,
            "BytesIO": io.BytesIO(data),
            "path": SAMPLE,
            "list": [SAMPLE],
        }[kind]
        assert dict(pgnmill.validate(source).summary) == dict(expected)


def test_tables_have_rows_and_types():
    faults = pgnmill.validate(GAMES).faults
    row = faults.rows()[0]
    assert (row["game"], row["ply"], row["kind"], row["archive"]) == (2, 1, "move-illegal", "<bytes>")
    assert len(faults) == 1 and faults.columns == list(row)
    again = pickle.loads(pickle.dumps(faults))
    assert again.rows() == faults.rows()
    pyarrow = pytest.importorskip("pyarrow")
    for _ in range(2):
        table = pyarrow.table(faults)
        assert table.to_pylist() == faults.rows()
        assert table.schema == pyarrow.schema(faults)
    for name, table in pgnmill.measure(SOURCES, per_game=True, by="all").tables.items():
        assert pyarrow.table(table).to_pylist() == table.rows(), name


def test_progress_is_reported_on_the_calling_thread(archives):
    import threading

    steps, threads = [], set()

    def step(progress):
        steps.append(progress)
        threads.add(threading.get_ident())

    run = pgnmill.validate(archives, progress=step)
    assert threads == {threading.get_ident()}
    ends = [step for step in steps if step.event == "input"]
    assert [pathlib.Path(step.name).name for step in ends] == [path.name for path in archives]
    assert sum(step.games for step in ends) == run.summary.games == steps[-1].games
    assert steps[-1].event == "end" and steps[-1].inputs == 3
    games = [step.games for step in steps if step.event == "progress"]
    assert games == sorted(games)


def test_tqdm_shows_the_progress(capfd):
    pytest.importorskip("tqdm")
    pgnmill.validate(SAMPLE, progress=True)
    assert "games" in capfd.readouterr().err
    pgnmill.validate(SAMPLE)
    assert capfd.readouterr() == ("", "")


def test_the_program_is_a_console_script():
    assert program("--version")[1].startswith(b"pgnmill ")
    assert program("notations", "uci")[1].startswith(b"uci: ")
    code, _, errors = program("validate", "missing.pgn")
    assert code == 2 and errors.startswith("pgnmill: cannot open missing.pgn")
    assert program("convert", SOURCES, "--to", "uci", "-q", "-o", "-")[1] == (
        pgnmill.convert(SOURCES, to="uci").data
    )


def test_runs_print_nothing(capfd, archives):
    logging.getLogger("pgnmill").addHandler(logging.NullHandler())
    pgnmill.validate(archives)
    pgnmill.convert(archives, to="uci")
    pgnmill.explain(GAMES, game=1)
    pgnmill.report(pgnmill.measure(GAMES))
    assert capfd.readouterr() == ("", "")
    assert os.listdir() == ["in"]


def test_statistics_are_added_and_shown() -> None:
    one, other = pgnmill.stats(SAMPLE), pgnmill.stats(GAMES)
    both = pgnmill.stats([SAMPLE, GAMES])
    merged = pgnmill.merge([one, other])
    assert merged.tables["stats"].to_csv() == both.values_table.to_csv()
    assert pgnmill.merge([merged, one]).tables["stats"].to_csv() == pgnmill.merge([one, other, one]).tables["stats"].to_csv()
    page = pgnmill.report(both).text
    assert "What is in the archives" in page and page == pgnmill.report(merged).text


def test_a_game_a_line_is_written_and_read():
    games = b'[Event "a"]\n\n1. e4 {x} e5 2. Nf3 1-0\n\n[Event "b"]\n\n1. d4 (1. c4) d5 *\n'
    pgnmill.convert(games, to="uci", output="lines.txt", moves_only=True)
    assert pathlib.Path("lines.txt").read_text() == "e2e4 e7e5 g1f3\nd2d4 d7d5\n"
    run = pgnmill.validate("lines.txt", from_notation="uci", game_per_line=True)
    assert (run.summary.accepted, run.summary.plies) == (2, 5)
    pgnmill.convert("lines.txt", to="tcn", output="lines.tcn", from_notation="uci", game_per_line=True)
    assert pathlib.Path("lines.tcn").read_text() == "mC0Kgv\nlBZJ\n"
    pgnmill.convert("lines.tcn", to="san", output="back.pgn", from_notation="tcn")
    moves = [game.san() for game in pgnmill.open("back.pgn")]
    assert moves == [["e4", "e5", "Nf3"], ["d4", "d5"]]
    with pytest.raises(pgnmill.UsageError, match="where does not go with game_per_line"):
        pgnmill.validate("lines.txt", game_per_line=True, where="ply_count > 1")
    found = pgnmill.explain(b"mC0K\nmC0C\n", game=2, from_notation="tcn")
    assert "rejected at byte 7" in found.text.splitlines()[0]
