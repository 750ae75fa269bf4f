"""Archives in gzip, bzip2 and xz, written by Python's own modules: the games of the plain text."""

import bz2
import gzip
import io
import lzma

import pgnmill
import pytest

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
