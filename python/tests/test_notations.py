"""Notations: the registry, and single moves against the shared vectors."""

import csv
import pickle
from collections import Counter

import pgnmill
import pytest
from archives import SPEC, spec

INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_examples_of_every_notation_hold():
    names = [notation.name for notation in pgnmill.notations()]
    assert len(names) == len(set(names)) > 60
    for notation in pgnmill.notations():
        assert pgnmill.notation(notation.name) == notation
        assert pickle.loads(pickle.dumps(notation)) == notation
        assert notation.examples
        for fen, uci, text in notation.examples:
            if notation.needs == "the game" and fen != INITIAL:
                continue
            assert pgnmill.encode(fen, uci, notation.name) == text
            assert pgnmill.decode(fen, text, notation.name, strict=True) == uci
            assert len(text) <= notation.characters_max
            assert len(text.encode()) <= notation.bytes_max
            assert set(text) <= set(notation.alphabet)


def is_of_chess(row):
    """Not a position with pieces in hand, or of a board of another size."""
    board = row["fen"].split(" ")[0]
    return board.count("/") == 7 and "[" not in board and row.get("rules", "chess") in ("chess", "chess960")


@pytest.mark.parametrize("name", ["vectors.tsv", "vectors-variants.tsv"])
def test_shared_vectors_hold_both_ways(name):
    known = {notation.name: notation for notation in pgnmill.notations()}
    held, later = Counter(), Counter()
    with spec(name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            notation = known.get(row["notation"])
            if notation is None or not is_of_chess(row) or notation.needs == "the game":
                later[row["notation"]] += 1
                continue
            fen, uci, text = row["fen"], row["uci"], row["text"]
            # Books wrote some texts in another form, which is read and not written.
            if row["note"] != "read only" and not set(text) & set(" ()"):
                assert pgnmill.encode(fen, uci, notation.name) == text, row
            read = pgnmill.decode(fen, text, notation.name)
            assert pgnmill.encode(fen, read, "uci") == pgnmill.encode(fen, uci, "uci"), row
            held[notation.name] += 1
    print(f"{sum(held.values())} rows of {SPEC / name} hold, {sum(later.values())} are of other rules or notations")
    assert name != "vectors.tsv" or sum(held.values()) > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonsense", "e2e4", "san"), "nonsense"),
        (("8/8/8/8/8/8/8/8 w - - 0 1", "e2e4", "san"), "not a legal position"),
        ((INITIAL, "e2e5", "san"), "e2e5"),
        ((INITIAL, "", "san"), "UCI"),
        ((INITIAL, "e2e4", "klingon"), "klingon"),
    ],
)
def test_what_cannot_be_written_is_named(arguments, message):
    with pytest.raises(pgnmill.UsageError, match=message):
        pgnmill.encode(*arguments)


def test_what_cannot_be_read_is_named():
    for text in ("", "e5", "Zz9", "x" * 100_000, "\0", "é"):
        with pytest.raises(pgnmill.UsageError):
            pgnmill.decode(INITIAL, text, "san")
    with pytest.raises(ValueError):
        pgnmill.notation("klingon")
    for arguments in [(None, "e2e4", "san"), (INITIAL, 4, "san"), (INITIAL, "e2e4", None)]:
        with pytest.raises(TypeError):
            pgnmill.encode(*arguments)


def test_every_legal_move_is_written_and_read():
    chess = pytest.importorskip("chess")
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    board = chess.Board(fen)
    for notation in pgnmill.notations():
        if notation.needs == "the game":
            continue
        texts = {move.uci(): pgnmill.encode(fen, move.uci(), notation.name) for move in board.legal_moves}
        assert len(set(texts.values())) == len(texts)
        for uci, text in texts.items():
            assert pgnmill.decode(fen, text, notation.name, strict=True) == uci
    assert all(pgnmill.encode(fen, m.uci(), "san") == board.san(m) for m in board.legal_moves)
