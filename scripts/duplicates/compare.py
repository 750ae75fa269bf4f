#!/usr/bin/env python3
"""Compares groups.csv of `pgnmill duplicates` with groups that are computed naively from the same definitions.

Usage: compare.py [--keep longest] [--same moves-and-players] [--near PLIES|no] [--truth TRUTH.tsv] games.tsv groups.csv

games.tsv is what reference.py wrote of the one archive. Games of equal players, date and result are compared pair by pair. Exit
code 1 if anything differs. With the truth of plant.py: how many planted games of each kind are in the group of their original.
"""
import argparse
import collections
import csv
import itertools
import sys


def read(path, delimiter):
    csv.field_size_limit(1 << 28)
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
        return list(csv.DictReader(file, delimiter=delimiter, quoting=quoting))


def exact_key(game, same):
    players = (game["white"], game["black"])
    if not game["moves"]:
        return (game["start"], players, game["date"], game["result"], game["others"]) if all(players) else None
    return (game["start"], game["moves"], players if same == "moves-and-players" else None)


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


def groups_of(games, same, near):
    """The classes of exact duplicates, the pairs of near ones, and the groups."""
    groups, classes = Groups(games), collections.defaultdict(list)
    for number, game in games.items():
        key = exact_key(game, same)
        classes[key if key else number].append(number)
    for members in classes.values():
        for member in members[1:]:
            groups.join(members[0], member)
    by_key = collections.defaultdict(list)
    for number, game in games.items():
        if near and game["white"] and game["black"] and game["date"] and game["moves"]:
            by_key[game["start"], game["white"], game["black"], game["date"], game["result"]].append(number)
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
    parser.add_argument("--same", default="moves")
    parser.add_argument("--near", default="1")
    parser.add_argument("--truth")
    parser.add_argument("games")
    parser.add_argument("groups")
    args = parser.parse_args()
    near = 0 if args.near == "no" else int(args.near)
    games = {int(game["game"]): game for game in read(args.games, "\t")}
    classes, pairs, groups = groups_of(games, args.same, near)
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
