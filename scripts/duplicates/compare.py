#!/usr/bin/env python3
"""Compares groups.csv of `pgnmill duplicates` with groups that are computed naively from the same definitions.

Usage: compare.py [--keep longest] [--same moves] [--min-plies PLIES] [--near PLIES|no] [--truth TRUTH.tsv] games.tsv groups.csv

games.tsv is what reference.py wrote of the one archive. Games of equal players, date and result are compared pair by pair. Exit
code 1 if anything differs. With the truth of plant.py: how many planted games of each kind are in the group of their original.
"""
import argparse
import collections
import csv
import itertools
import re
import sys


def read(path, delimiter):
    csv.field_size_limit(1 << 28)
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
        return list(csv.DictReader(file, delimiter=delimiter, quoting=quoting))


def exact_key(game, same, min_plies):
    """What games of one class have in common at least; None if the game has no exact duplicates."""
    players = (game["white"], game["black"])
    if not game["moves"]:
        return (game["start"], players, game["date"], game["result"], game["others"]) if all(players) else None
    is_long = len(game["moves"].split()) >= min_plies
    if not is_long and (same == "moves" or not all(players)):
        return None
    return (game["start"], game["moves"])


def is_one_name(one, other):
    """Whether every word is equal or abbreviated, and one is equal in full; words of different initials never are."""
    if one == other:
        return True
    pairs = list(zip(one.split(), other.split(), strict=False))
    is_one = all(a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in pairs)
    return len(one.split()) == len(other.split()) > 1 and is_one and any(a == b and len(a) > 1 for a, b in pairs)


def agree(one, other):
    return one == other or not one or not other


def date_parts(date):
    """Year, month and day, empty where they are not known."""
    parts = re.split("[./-]", date) if re.fullmatch(r"[0-9]{4}([./-][0-9?]+){0,2}", date) else []
    return [part if part.isdigit() else "" for part in parts + [""] * (3 - len(parts))]


def is_compatible(one, other):
    results = [game["result"].replace("*", "") for game in (one, other)]
    dates = zip(date_parts(one["date"]), date_parts(other["date"]), strict=True)
    names = all(is_one_name(one[side], other[side]) for side in ("white", "black"))
    return names and all(agree(*pair) for pair in dates) and agree(one["time"], other["time"]) and agree(*results)


def classes_of_line(games, numbers):
    """The classes of games with equal moves: what is compatible with two that contradict each other is of neither."""
    classes = collections.defaultdict(list)
    for number in numbers:
        game = games[number]
        parts = tuple(date_parts(game["date"]))
        classes[game["white"], game["black"], parts, game["time"], game["result"]].append(number)
    firsts = [members[0] for members in classes.values()]
    compatible = {a: [b for b in firsts if is_compatible(games[a], games[b])] for a in firsts}
    pairs = {a: itertools.combinations(known, 2) for a, known in compatible.items()}
    clear = {a for a in firsts if all(is_compatible(games[b], games[c]) for b, c in pairs[a])}
    joined = collections.defaultdict(list)
    for first, members in zip(firsts, classes.values(), strict=True):
        leader = min(set(compatible[first]) & clear) if first in clear else first
        joined[leader] += members
    return [sorted(members) for members in joined.values()]


class Groups:
    """Disjoint sets of games."""

    def __init__(self, games):
        self.parent = {game: game for game in games}

    def find(self, game):
        while self.parent[game] != game:
            self.parent[game] = self.parent[self.parent[game]]
            game = self.parent[game]
        return game

    def join(self, one, other):
        self.parent[self.find(one)] = self.find(other)


def groups_of(games, same, min_plies, near):
    """The classes of exact duplicates, the pairs of near ones, and the groups."""
    groups, lines = Groups(games), collections.defaultdict(list)
    for number, game in games.items():
        key = exact_key(game, same, min_plies)
        lines[key if key else number].append(number)
    if same == "moves":
        classes = dict(enumerate(lines.values()))
    else:
        classes = dict(enumerate(members for line in lines.values() for members in classes_of_line(games, line)))
    for members in classes.values():
        for member in members[1:]:
            groups.join(members[0], member)
    by_key = collections.defaultdict(list)
    for number, game in games.items():
        if near and game["white"] and game["black"] and game["date"] and game["moves"]:
            key = [game[name] for name in ("start", "white", "black", "date", "time", "result")]
            by_key[tuple(key)].append(number)
    pairs = set()
    for members in by_key.values():
        for one, other in itertools.combinations(members, 2):
            lines = sorted((games[number]["moves"].split() for number in (one, other)), key=len)
            if len(lines[0]) >= near and lines[1][: len(lines[0])] == lines[0]:
                groups.join(one, other)
                pairs |= {(one, other), (other, one)}
    return classes, pairs, groups


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", default="first")
    parser.add_argument("--same", default="moves-and-players")
    parser.add_argument("--min-plies", type=int, default=20)
    parser.add_argument("--near", default="20")
    parser.add_argument("--truth")
    parser.add_argument("games")
    parser.add_argument("groups")
    args = parser.parse_args()
    near = 0 if args.near == "no" else int(args.near)
    games = {int(game["game"]): game for game in read(args.games, "\t")}
    classes, pairs, groups = groups_of(games, args.same, args.min_plies, near)
    first_of = {member: members[0] for members in classes.values() for member in members}
    expected = collections.defaultdict(list)
    for number in games:
        expected[groups.find(number)].append(number)
    expected = [members for members in expected.values() if len(members) > 1]
    expected.sort(key=lambda members: members[0])
    rows = read(args.groups, ",")
    faults = []
    found = collections.defaultdict(list)
    for row in rows:
        found[int(row["group"])].append(int(row["game"]))
    if list(found) != list(range(1, len(found) + 1)):
        faults.append("the groups are not numbered in order")
    if list(found.values()) != expected:
        ours, theirs = set(map(tuple, found.values())), set(map(tuple, expected))
        faults.append(f"groups of pgnmill only: {sorted(ours - theirs)[:5]}, of the reference only: {sorted(theirs - ours)[:5]}")
    plies = {number: len(game["moves"].split()) for number, game in games.items()}
    kept_of = {}
    for members in expected:
        kept = members[0] if args.keep == "first" else max(members, key=lambda member: (plies[member], -member))
        kept_of.update(dict.fromkeys(members, kept))
    counts = collections.Counter()
    # A class is linked where one of its games is a near duplicate of a game of the other class.
    linked = {(first_of[one], first_of[other]) for one, other in pairs}
    for row in rows:
        game, of = int(row["game"]), int(row["of_game"] or 0)
        counts[row["kind"]] += 1
        is_first = game == first_of.get(game)
        kind = "kept" if game == kept_of.get(game) else "near" if is_first else "exact"
        if row["kind"] != kind:
            faults.append(f"game {game} is {kind}, not {row['kind']}")
        is_of = {"kept": of == 0, "exact": of == first_of.get(game), "near": (game, of) in linked}
        if not is_of[kind]:
            faults.append(f"game {game}, which is {kind}, does not duplicate {of}")
        if int(row["plies"]) != plies.get(game):
            faults.append(f"game {game} has {plies.get(game)} plies, not {row['plies']}")
    print(f"{len(games)} games, {len(expected)} groups, {dict(counts)}: {len(faults)} differences")
    for fault in faults[:20]:
        print(fault)
    if args.truth:
        group_of = {game: group for group, members in found.items() for game in members}
        truth = collections.defaultdict(collections.Counter)
        for row in read(args.truth, "\t"):
            same = group_of.get(int(row["game"]), -1) == group_of.get(int(row["of"]), -2)
            truth[row["kind"]]["in the group" if same else "not"] += 1
        for kind, numbers in truth.items():
            print(f"{kind}: {numbers['in the group']} in the group of their original, {numbers['not']} not")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
