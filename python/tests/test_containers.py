"""Archives in gzip, bzip2, xz and zip, written by Python's own modules: the games of the plain text."""

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import warnings
import zipfile

import pgnmill
import pytest
from archives import trials

CODERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.fixture(params=CODERS)
def ending(request):
    return request.param


def games(source, **options):
    return [(game.offset, game.text, game.verdict, game.fault) for game in pgnmill.open(source, **options)]


def test_games_are_those_of_the_text(ending, sources, tmp_path):
    text = sources.read_bytes()
    # Members and streams that follow each other are one text.
    stored = CODERS[ending](text[:500]) + CODERS[ending](text[500:])
    path = tmp_path / f"games.pgn.{ending}"
    path.write_bytes(stored)
    expected = games(text)
    assert expected and games(path) == expected
    assert games(stored) == expected
    assert games(io.BytesIO(stored)) == expected
    assert games(tmp_path) == expected


def test_a_run_over_a_directory_names_outputs_without_the_ending(ending, sources, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"games.pgn.{ending}").write_bytes(CODERS[ending](sources.read_bytes()))
    pgnmill.convert(tmp_path / "in", output=f"{tmp_path}/out/", to="san")
    plain = tmp_path / "plain.pgn"
    pgnmill.convert(sources, output=plain, to="san")
    assert (tmp_path / "out" / "games.pgn").read_bytes() == plain.read_bytes()


def test_a_file_that_is_cut_short_is_damaged(ending, sources, tmp_path):
    stored = CODERS[ending](sources.read_bytes())
    path = tmp_path / f"games.pgn.{ending}"
    path.write_bytes(stored[: len(stored) - 20])
    with pytest.raises(pgnmill.DamagedError, match="is damaged at stored byte"):
        games(path)
    summary = pgnmill.validate(path, skip_damaged=True).summary
    assert summary.games == summary.accepted + summary.repaired + summary.rejected


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                archive.writestr(name, data)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_of_zip_files_are_archives(method, sources, tmp_path):
    text = sources.read_bytes()
    members = [("a.pgn", text), ("f/b.pgn.gz", gzip.compress(text)), ("read.me", b"x"), ("__MACOSX/._a.pgn", b"\0"), ("a.pgn", text)]
    path = zipped(tmp_path / "x.zip", members, method)
    names = [f"{path}/a.pgn", f"{path}/f/b.pgn.gz", f"{path}/a (2).pgn"]
    assert [game.archive for game in pgnmill.open(path)] == [name for name in names for _ in range(3)]
    assert games(path) == games(text) * 3 == games(tmp_path)
    assert games(names[1]) == games(text)
    with pytest.raises(pgnmill.UsageError, match="no archive of the name"):
        games(f"{path}/c.pgn")


def test_members_that_cannot_be_read_are_named(sources, tmp_path):
    text = sources.read_bytes()
    for method, ending in ((zipfile.ZIP_BZIP2, "bz2"), (zipfile.ZIP_LZMA, "lzma")):
        path = zipped(tmp_path / f"{ending}.zip", [("a.pgn", text)], method)
        with pytest.raises(pgnmill.InputError, match="a.pgn: it is compressed otherwise than by deflate"):
            games(path)
    path = zipped(tmp_path / "secret.zip", [("a.pgn", text), ("b.pgn", text)])
    stored = bytearray(path.read_bytes())
    # The flag of encryption, in the header of the first member and in the directory.
    stored[6] |= 1
    stored[stored.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(stored)
    run = pgnmill.validate(path, keep_going=True)
    assert run.summary.games == 3 and list(run.summary.failed) == [f"{path}/a.pgn"]
    cut = tmp_path / "cut.zip"
    cut.write_bytes(zipped(tmp_path / "whole.zip", [("a.pgn", text)]).read_bytes()[:-30])
    with pytest.raises(pgnmill.Error, match="cut.zip: as a zip file"):
        games(cut)


def test_many_members_and_bombs_need_no_memory(tmp_path):
    members, megabytes = trials(2_000, 10_000, 10_000), trials(600, 1_000, 4_000)
    many = zipped(tmp_path / "many.zip", ((f"{number}.pgn", b"1. e4 *\n") for number in range(members)), zipfile.ZIP_STORED)
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.pgn", "w", force_zip64=True) as member:
        for _ in range(megabytes):
            member.write(b"\n" * 1_000_000)
        member.write(b"1. e4 *\n")
    assert bomb.stat().st_size < 2_000 * megabytes
    # The bomb is larger than the memory that is allowed.
    code = "import pgnmill, resource, sys; summary = pgnmill.validate(sys.argv[1], threads=2).summary\n" \
           "print(summary.games, summary.archives, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    for path, count in ((many, str(members)), (bomb, "1")):
        ran = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
        *counts, kilobytes = ran.stdout.split()
        assert counts == [count, count], ran.stderr
        assert int(kilobytes) < 400_000, kilobytes
