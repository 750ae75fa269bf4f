#!/usr/bin/env python3
"""Reads what engines left in comments by regular expressions and compares it with the table of plies.

Usage: engines.py ARCHIVE.pgn[.zst] PLIES.jsonl

Input: an archive, and of it the table that `pgnmill export --table plies --format jsonl` writes with the columns game,
ply, eval_cp, eval_mate, depth, seldepth, nodes, time_ms, speed_nps, tb_hits, pv, comment_form and eval_of. The games
are divided here by their tag pairs, the movetext by one regular expression; games with null moves, and those that the
table does not have (rejected ones), are left out. The forms are those of docs/columns.md, written apart from the
program. Prints the counts and the first 20 differences. Ends with 1 if there is one, or if no comment was read.
"""
import collections
import json
import re
import subprocess
import sys

NAMES = ("eval_cp", "eval_mate", "depth", "seldepth", "nodes", "time_ms", "speed_nps", "tb_hits", "pv", "comment_form",
         "eval_of")
TOKEN = re.compile(r"""\{(?P<brace>[^}]*)\} | ;(?P<line>[^\n]*) | (?P<open>\() | (?P<close>\)) | \$\d+ | \d+\.+ |
                       (?P<end>1-0|0-1|1/2-1/2|\*) | (?P<move>[A-Za-z][A-Za-z0-9=+#-]*[!?]*) | \s+ | .""", re.X)
PAWNS, PLIES = r"[+-]?\d+\.\r?\n?\d+", r"[+-]?M\d+"
CUTECHESS = re.compile(rf"(?:\((?P<pv>[^()]+)\)\s+)?(?:ERR|(?P<score>{PAWNS}|{PLIES}))?/(?P<depth>\d+)"
                       r"(?:/(?P<nodes>\d+))?\s+(?P<time>\d+(?:\.\d+)?)(?P<unit>m?s)\s*(?:,(?P<items>.*))?", re.S)
TIME_ALONE = re.compile(r"(?P<time>\d+(?:\.\d+)?)s\s*(?:,.*)?", re.S)
CENTIPAWNS = re.compile(r"(?P<score>-?M?\d+)/(?P<depth>\d+)\s+(?P<time>\d+)ms\s*")
SECONDS = re.compile(rf"(?P<score>{PAWNS}|{PLIES}|#-?\d+|-#\d+)/\r?\n?(?P<depth>\d+)"
                     r"(?:\s+(?P<time>\d+(?:\.\d+)?))?\s*(?P<expected>\([^()\s]+\))?\s*")
NODES = re.compile(rf"(?P<score>{PAWNS}|{PLIES})/(?P<depth>\d+)\s+(?P<time>\d+)\s+(?P<nodes>\d+)\s*")
ITEM = re.compile(r'(?:^|,)\s*([A-Za-z0-9]+)=("[^"]*"|[^,]*)')
TCEC_SCORE = re.compile(r"(-?)(?:(\d+\.\d+)|(M)(\d+)|(#)(\d+))")


def score_of(text):
    """Hundredths of a pawn and moves to a mate, of which one is None."""
    text = re.sub(r"\s", "", text)
    sign = -1 if "-" in text else 1
    digits = text.lstrip("+-#M").lstrip("-")
    if "M" in text:
        return None, sign * ((int(digits) + 1) // 2)
    if "#" in text:
        return None, sign * int(digits)
    whole, _, decimals = digits.partition(".")
    hundredths = int(whole) * 100 + int((decimals + "00")[:2]) if "." in text else int(digits)
    return sign * min(hundredths, 32767), None


def milliseconds(text):
    whole, _, decimals = text.partition(".")
    return int(whole) * 1000 + int((decimals + "000")[:3])


def count_of(text, factor=1):
    """A number, or None beyond 63 bits."""
    number = int(text) * factor
    return number if number < 2**63 else None


def tcec(text):
    keys = {key: value.strip() for key, value in ITEM.findall(text)}
    if "mt" not in keys:
        return None
    row = {"comment_form": "tcec", "depth": int(keys["d"])}
    written = keys.get("wv") or keys.get("ev")
    if written is not None:
        if not TCEC_SCORE.fullmatch(written):
            return None
        row["eval_cp"], row["eval_mate"] = score_of(written)
        row["eval_of"] = "white"
    fields = keys["mt"].split(":")
    row["time_ms"] = int(fields[0]) if len(fields) == 1 else sum(
        int(field) * unit for field, unit in zip(fields, (3600000, 60000, 1000)))
    for key, name in (("sd", "seldepth"), ("n", "nodes"), ("tb", "tb_hits")):
        if keys.get(key, "null") != "null":
            row[name] = count_of(keys[key]) if key != "sd" else int(keys[key])
    if "s" in keys:
        speed = re.fullmatch(r"(\d+)( kN/s)?", keys["s"])
        if not speed:
            return None
        row["speed_nps"] = count_of(speed.group(1), 1000 if speed.group(2) else 1)
    if keys.get("pv"):
        row["pv"] = " ".join(keys["pv"].split())
    return row


def cutechess(text):
    if match := TIME_ALONE.fullmatch(text):
        return {"comment_form": "cutechess", "time_ms": milliseconds(match.group("time"))}
    match = CUTECHESS.fullmatch(text)
    if not match:
        return None
    time = match.group("time")
    row = {"comment_form": "cutechess", "depth": int(match.group("depth")),
           "time_ms": milliseconds(time) if match.group("unit") == "s" else int(time)}
    if match.group("score"):
        row["mover"] = score_of(match.group("score"))
    if match.group("nodes"):
        row["nodes"] = count_of(match.group("nodes"))
    if match.group("pv"):
        row["pv"] = match.group("pv")
    items = {key: value for key, value in ITEM.findall(match.group("items") or "")}
    for key, name in (("sd", "seldepth"), ("n", "nodes"), ("nps", "speed_nps"), ("tbhits", "tb_hits")):
        if key in items:
            row[name] = count_of(items[key])
    if items.get("pv", '""') != '""':
        row["pv"] = " ".join(items["pv"].strip('"').split())
    return row


def read(text):
    """The row of a comment, White's or the mover's score apart; None if it is of no form."""
    text = text.strip()
    if re.match(r"(ev|d)=", text):
        return tcec(text)
    if re.fullmatch(r"book(, mb=.*|\s*0s)?", text, re.S):
        return {"comment_form": "book"}
    if match := CENTIPAWNS.fullmatch(text):
        return {"comment_form": "c-chess-cli", "mover": score_of(match.group("score")),
                "depth": int(match.group("depth")), "time_ms": int(match.group("time"))}
    if row := cutechess(text):
        return row
    if match := NODES.fullmatch(text):
        return {"comment_form": "banksia", "unknown": score_of(match.group("score")), "depth": int(match.group("depth")),
                "time_ms": int(match.group("time")), "nodes": count_of(match.group("nodes"))}
    if match := SECONDS.fullmatch(text):
        score, expected = match.group("score"), match.group("expected")
        row = {"depth": int(match.group("depth"))}
        if match.group("time"):
            row["time_ms"] = milliseconds(match.group("time"))
        value = score_of(score)
        if score[0] == "+" or "M" in score:
            return None if expected else {**row, "comment_form": "xboard", "mover": value}
        if "#" in score or expected or (value[0] and score[0] != "-"):
            return {**row, "comment_form": "chessbase", "white": value} if match.group("time") else None
        return {**row, "game": value}
    return None


def settled(rows, movers):
    """The rows of a game with White's evaluations."""
    style = next((row["comment_form"] for row in rows if row and row.get("comment_form") in ("xboard", "chessbase")), None)
    for row, is_white in zip(rows, movers):
        if not row:
            continue
        if "game" in row:
            row["comment_form"] = style
            row[{"xboard": "mover", "chessbase": "white", None: "unknown"}[style]] = row.pop("game")
        if "unknown" in row:
            value = row.pop("unknown")
            if value == (0, None):
                row["eval_cp"] = 0
        for name in ("mover", "white"):
            if name in row:
                centipawns, mate = row.pop(name)
                sign = -1 if name == "mover" and not is_white else 1
                row["eval_cp"] = centipawns and centipawns * sign
                row["eval_mate"] = mate and mate * sign
                row["eval_of"] = name
    return rows


def games_of(text):
    """The comments after each ply of the main line of each game, and whether White moves first."""
    for part in re.split(r"(?m)^(?=\[Event )", text)[1:]:
        tags = re.match(r"(?:\[[^\r\n]*\]\s*)*", part).group()
        fen = re.search(r'\[FEN "\S+ ([wb]) ', tags)
        plies, depth = [], 0
        for token in TOKEN.finditer(part, len(tags)):
            if token.group("open"):
                depth += 1
            elif token.group("close"):
                depth -= 1
            elif depth:
                continue
            elif token.group("end"):
                break
            elif token.group("move"):
                plies.append([])
            elif token.lastgroup in ("brace", "line") and plies:
                plies[-1].append(token.group(token.lastgroup))
        yield plies, not fen or fen.group(1) == "w"


def main(archive, table):
    if archive.endswith(".zst"):
        data = subprocess.run(["zstd", "-dc", "--long=31", archive], check=True, capture_output=True).stdout
    else:
        with open(archive, "rb") as file:
            data = file.read()
    found = collections.defaultdict(list)
    with open(table, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            found[row["game"]].append(row)
    counts, differences = collections.Counter(), []
    for number, (plies, white_begins) in enumerate(games_of(data.decode("utf-8", "replace")), 1):
        if number not in found or len(found[number]) != len(plies):
            counts["games left out"] += bool(plies)
            continue
        counts["games"] += 1
        of_ply = [next(filter(None, map(read, comments)), None) for comments in plies]
        movers = [(index % 2 == 0) == white_begins for index in range(len(plies))]
        for index, (expected, row) in enumerate(zip(settled(of_ply, movers), found[number])):
            counts["comments of " + str(row["comment_form"])] += 1
            expected = {name: (expected or {}).get(name) for name in NAMES}
            actual = {name: row[name] for name in NAMES}
            if expected != actual:
                counts["differences"] += 1
                if len(differences) < 20:
                    other = {name: (expected[name], actual[name]) for name in NAMES if expected[name] != actual[name]}
                    differences.append(f"game {number}, ply {index + 1}: {other} in {plies[index]!r:.300}")
    for name, count in sorted(counts.items()):
        print(f"{count:10} {name}")
    print(*differences, sep="\n")
    read_any = any(name.startswith("comments of") and not name.endswith("None") for name in counts)
    return 1 if counts["differences"] or not read_any else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
