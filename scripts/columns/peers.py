#!/usr/bin/env python3
"""Measures how fast other programs make columns of an archive.

Usage: peers.py [--games N] [--slow-games N] [--repeat R] [--only NAME,...] ARCHIVE.pgn[.zst]

Input: one archive. The text is unpacked before the clock starts, and cut at `[Event ` for those that need single
games; each peer then makes a table in memory and writes it as Parquet, zstd 3, to a temporary folder, on one thread.
python-chess and pgn2data get the first games only; the time for all games is then extrapolated by bytes of text, and
the table says so. rust_pgn_reader gets the whole archive unless --rust-games is given. Peers that are not installed
are left out.
Prints one line for each: seconds, games/s, text MB/s, seconds for the whole archive, bytes written. Medians of R
runs. Requires pyarrow; for the peers: chess and pandas, rust_pgn_reader_python_binding, pgn2data.
"""
import argparse
import io
import json
import logging
import os
import re
import statistics
import sys
import tempfile
import time

import archives
import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet as parquet

TAGS = ("Event", "Site", "White", "Black", "Result", "WhiteElo", "BlackElo", "UTCDate", "UTCTime", "ECO", "Opening",
        "Termination", "TimeControl")
SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]


def chess_games(texts):
    """Games of python-chess."""
    import chess.pgn
    handle = io.StringIO("".join(texts), newline=None)
    while game := chess.pgn.read_game(handle):
        yield game


def write(table, folder):
    path = os.path.join(folder, "table.parquet")
    parquet.write_table(table, path, compression="zstd", compression_level=3)
    return table.num_rows, os.path.getsize(path)


def write_rows(rows, folder):
    """As most programs with python-chess do: dictionaries, a data frame, a file."""
    import pandas
    return write(pyarrow.Table.from_pandas(pandas.DataFrame(rows), preserve_index=False), folder)


def python_chess_games(texts, folder):
    rows = []
    for game in chess_games(texts):
        row = {name: game.headers.get(name) for name in TAGS}
        nodes = list(game.mainline())
        clocks = [node.clock() for node in nodes]
        row["moves"] = " ".join(node.move.uci() for node in nodes)
        row["clocks"] = [None if clock is None else round(clock * 1000) for clock in clocks]
        rows.append(row)
    return write_rows(rows, folder)


def plies_of(texts, with_fen):
    for number, game in enumerate(chess_games(texts), 1):
        board = game.board()
        for ply, node in enumerate(game.mainline(), 1):
            clock, score = node.clock(), node.eval()
            row = {"game": number, "ply": ply, "uci": node.move.uci(),
                   "clock_ms": None if clock is None else round(clock * 1000),
                   "eval_cp": None if score is None else score.white().score(),
                   "eval_mate": None if score is None else score.white().mate()}
            if with_fen:
                row["fen"] = board.fen()
            row["san"] = board.san_and_push(node.move)
            yield row


def python_chess_plies(texts, folder):
    return write_rows(list(plies_of(texts, False)), folder)


def python_chess_plies_fen(texts, folder):
    return write_rows(list(plies_of(texts, True)), folder)


def uci_lists(chunk):
    """The moves of a chunk of rust_pgn_reader: one text of UCI for each game."""
    import numpy
    names = numpy.array(SQUARES)
    letters = numpy.array(["", "", "n", "b", "r", "q"])
    texts = numpy.char.add(numpy.char.add(names[chunk.from_squares], names[chunk.to_squares]),
                           letters[numpy.maximum(chunk.promotions, 0)])
    offsets = pyarrow.array(chunk.move_offsets.astype("int32"))
    moves = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(texts))
    seconds = pyarrow.array(chunk.clocks, from_pandas=True)
    clocks = compute.cast(compute.round(compute.multiply(seconds, 1000.0)), pyarrow.int32())
    return compute.binary_join(moves, " "), pyarrow.ListArray.from_arrays(offsets, clocks)


def rust_pgn_reader_games(texts, folder):
    import rust_pgn_reader_python_binding as reader
    parsed = reader.parse_games(pyarrow.chunked_array([pyarrow.array(texts)]), num_threads=1)
    tables = []
    for chunk in parsed.chunks:
        headers = chunk.headers
        columns = {name: pyarrow.array([tags.get(name) for tags in headers], pyarrow.string()) for name in TAGS}
        moves, clocks = uci_lists(chunk)
        tables.append(pyarrow.table({**columns, "moves": moves, "clocks": clocks}))
    return write(pyarrow.concat_tables(tables), folder)


def pgn2data(texts, folder):
    from converter.pgn_data import PGNData
    source = os.path.join(folder, "source.pgn")
    with open(source, "w", encoding="utf-8") as file:
        file.write("".join(texts))
    PGNData([source], os.path.join(folder, "out")).export()
    files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".csv")]
    return sum(1 for name in files for _ in open(name, encoding="utf-8")) - len(files), sum(map(os.path.getsize, files))


PEERS = {
    # Name, function, how many games it gets.
    "python-chess-games": (python_chess_games, "games"),
    "python-chess-plies": (python_chess_plies, "games"),
    "python-chess-plies-fen": (python_chess_plies_fen, "games"),
    "rust-pgn-reader-games": (rust_pgn_reader_games, "rust_games"),
    "pgn2data": (pgn2data, "slow_games"),
}


def measure(run, texts, repeat):
    """The median of the times, the rows and the bytes that were written. The first run imports and is not counted."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        run(texts[:1], folder)
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            rows, size = run(texts, folder)
            times.append(time.perf_counter() - begun)
    return statistics.median(times), rows, size


def same_moves(texts):
    """How many games of a sample have the same moves by rust_pgn_reader and python-chess."""
    with tempfile.TemporaryDirectory() as folder:
        tables = []
        for run in (python_chess_games, rust_pgn_reader_games):
            run(texts, folder)
            tables.append(parquet.read_table(os.path.join(folder, "table.parquet")))
    pairs = list(zip(*(table.column("moves").to_pylist() for table in tables)))
    return sum(one == other for one, other in pairs), len(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive")
    parser.add_argument("--games", type=int, default=1000, help="games for python-chess")
    parser.add_argument("--slow-games", type=int, default=20, help="games for pgn2data")
    parser.add_argument("--rust-games", type=int, default=10**9)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--only", default=",".join(PEERS))
    parser.add_argument("--json", action="store_true", help="one line of JSON for each peer")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    text = archives.bytes_of(given.archive).decode("utf-8", errors="replace")
    cuts = [match.start() for match in re.finditer(r"^\[Event ", text, re.MULTILINE)] + [len(text)]
    texts = [text[begin:end] for begin, end in zip(cuts, cuts[1:])]
    whole = len(text.encode())
    print(f"{given.archive}: {len(texts)} games, {whole / 1e6:.1f} MB of text; "
          f"Python {sys.version.split()[0]}, pyarrow {pyarrow.__version__}")
    for name in given.only.split(","):
        run, option = PEERS[name]
        some = texts[:getattr(given, option)]
        size = sum(len(one.encode()) for one in some)
        try:
            seconds, rows, written = measure(run, some, given.repeat)
        except ImportError as error:
            print(f"{name}: left out, {error}")
            continue
        result = {"peer": name, "games": len(some), "rows": rows, "seconds": round(seconds, 3),
                  "games_per_second": round(len(some) / seconds),
                  "text_mb_per_second": round(size / 1e6 / seconds, 2),
                  "seconds_for_all": round(seconds * whole / size, 1), "extrapolated": len(some) < len(texts),
                  "bytes": written}
        text = "  ".join(f"{key} {value}" for key, value in result.items())
        print(json.dumps(result) if given.json else text, flush=True)
    if "rust-pgn-reader-games" in given.only:
        print("rust_pgn_reader and python-chess: the same moves in {} of {} games".format(*same_moves(texts[:200])))


if __name__ == "__main__":
    main()
