"""Counts leaves of the tree of legal moves in Gliński's chess and in Raumschach.

In: the arguments `glinski|raumschach DEPTH [PLIES SEED]`. Out: the number of leaves at each depth from 1 to DEPTH, one a line;
with PLIES and SEED first the record and the counts of a position after so many random plies. Written from
`../shared/spec/boards.md` alone, and unlike the Rust generator: cells are names in a dictionary, a hexagonal step follows the
rule of each file, and a side is in check if its king could be captured.

Example: `python3 perft.py raumschach 2`.
"""

import random
import sys

FILES = "abcdefghikl"
TOPS = dict(zip(FILES, [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]))
ROUND = ["north", "north-east", "south-east", "south", "south-west", "north-west"]


class Hexagons:
    """The board of Gliński: a cell is a file and a rank."""

    fields = 1

    def __init__(self):
        self.cells = [(file, rank) for file in FILES for rank in range(1, TOPS[file] + 1)]

    def edge(self, cell, way):
        """The neighbour over an edge, or nothing."""
        file, rank = cell
        at = FILES.index(file)
        if way in ("north", "south"):
            found = (file, rank + (1 if way == "north" else -1))
        elif way.endswith("east"):
            if at + 1 == len(FILES):
                return None
            # From f on the next file is shorter.
            rank += 0 if way == "south-east" else 1
            found = (FILES[at + 1], rank if at < FILES.index("f") else rank - 1)
        else:
            if at == 0:
                return None
            # The reverse of the step to the east from the file before.
            rank += -1 if way == "south-west" else 0
            found = (FILES[at - 1], rank if at <= FILES.index("f") else rank + 1)
        return found if 1 <= found[1] <= TOPS[found[0]] else None

    def leaps(self, ways):
        """A step over several edges; the cells between need not exist."""

        def step(cell):
            # Cubic coordinates, in which a step may leave the board and come back.
            at, rank = FILES.index(cell[0]), cell[1]
            x, y = at, rank + max(0, at - 5)
            for way in ways:
                dx = {"north": 0, "south": 0}.get(way, 1 if way.endswith("east") else -1)
                dy = {"north": 1, "north-east": 1, "south-east": 0, "south": -1, "south-west": -1, "north-west": 0}
                x, y = x + dx, y + dy[way]
            if not 0 <= x < len(FILES):
                return None
            rank = y - max(0, x - 5)
            return (FILES[x], rank) if 1 <= rank <= TOPS[FILES[x]] else None

        return step

    def pieces(self):
        def edge(way):
            return lambda cell: self.edge(cell, way)

        edges = [edge(way) for way in ROUND]
        beside = [(ROUND[at], ROUND[(at + 1) % 6]) for at in range(6)]
        vertices = [self.leaps(pair) for pair in beside]
        knight = []
        for one, other in beside:
            knight += [self.leaps([one, one, other]), self.leaps([one, other, other])]
        return {
            "R": (edges, True),
            "B": (vertices, True),
            "Q": (edges + vertices, True),
            "K": (edges + vertices, False),
            "N": (knight, False),
        }

    def pawn(self, side):
        """Steps, captures."""
        if side == "w":
            ways = ["north"], ["north-east", "north-west"]
        else:
            ways = ["south"], ["south-east", "south-west"]
        return [[self.leaps([way]) for way in group] for group in ways]

    def starts(self, side):
        white = "b1 c2 d3 e4 f5 g4 h3 i2 k1".split()
        black = "b7 c7 d7 e7 f7 g7 h7 i7 k7".split()
        return {(name[0], int(name[1:])) for name in (white if side == "w" else black)}

    promotions = "QRBN"

    def array(self):
        board = {}
        for side, text in [
            ("w", "Kg1 Qe1 Rc1 Ri1 Nd1 Nh1 Bf1 Bf2 Bf3"),
            ("b", "Kg10 Qe10 Rc8 Ri8 Nd9 Nh9 Bf11 Bf10 Bf9"),
        ]:
            for word in text.split():
                board[(word[1], int(word[2:]))] = (side, word[0])
            for cell in self.starts(side):
                board[cell] = (side, "P")
        return board

    def name(self, cell):
        return f"{cell[0]}{cell[1]}"

    def lines(self):
        return [[[(file, rank) for rank in range(TOPS[file], 0, -1)] for file in FILES]]


class Cube:
    """The board of Raumschach: a cell is a level, a file and a rank."""

    fields = 0

    def __init__(self):
        five = range(1, 6)
        self.cells = [(level, file, rank) for level in five for file in five for rank in five]

    def by(self, level, file, rank):
        def step(cell):
            found = (cell[0] + level, cell[1] + file, cell[2] + rank)
            return found if all(1 <= it <= 5 for it in found) else None

        return step

    def pieces(self):
        unit = (-1, 0, 1)
        every = [(a, b, c) for a in unit for b in unit for c in unit if (a, b, c) != (0, 0, 0)]

        def changing(count):
            return [self.by(*way) for way in every if sum(map(abs, way)) == count]

        two = (-2, -1, 0, 1, 2)
        knight = [
            self.by(a, b, c)
            for a in two
            for b in two
            for c in two
            if sorted(map(abs, (a, b, c))) == [0, 1, 2]
        ]
        whole = changing(1) + changing(2) + changing(3)
        return {
            "R": (changing(1), True),
            "B": (changing(2), True),
            "U": (changing(3), True),
            "Q": (whole, True),
            "K": (whole, False),
            "N": (knight, False),
        }

    def pawn(self, side):
        to = 1 if side == "w" else -1
        steps = [self.by(0, 0, to), self.by(to, 0, 0)]
        # North-west, north-east, up-west, up-east, up-north.
        captures = [(0, -1, to), (0, 1, to), (to, -1, 0), (to, 1, 0), (to, 0, to)]
        return [steps, [self.by(*way) for way in captures]]

    def starts(self, side):
        return set()

    promotions = "QRBNU"

    def array(self):
        board = {}
        rows = [
            (1, 1, "RNKNR", "w"),
            (1, 2, "PPPPP", "w"),
            (2, 1, "BUQBU", "w"),
            (2, 2, "PPPPP", "w"),
            (5, 5, "RNKNR", "b"),
            (5, 4, "PPPPP", "b"),
            (4, 5, "UBQUB", "b"),
            (4, 4, "PPPPP", "b"),
        ]
        for level, rank, letters, side in rows:
            for file, letter in enumerate(letters, 1):
                board[(level, file, rank)] = (side, letter)
        return board

    def name(self, cell):
        return "ABCDE"[cell[0] - 1] + "abcde"[cell[1] - 1] + str(cell[2])

    def lines(self):
        down = range(5, 0, -1)
        return [[[(level, file, rank) for file in range(1, 6)] for rank in down] for level in down]


def other(side):
    return "b" if side == "w" else "w"


class Game:
    """A position with what the board needs to generate moves."""

    def __init__(self, geometry):
        self.geometry, self.kinds = geometry, geometry.pieces()
        self.board, self.side, self.passed = geometry.array(), "w", None
        self.pawns = {side: geometry.pawn(side) for side in "wb"}
        self.begun = {side: geometry.starts(side) for side in "wb"}
        self.kept = {}

    def moves(self, side):
        """Moves as (origin, target, what is captured where, promotion), whatever they do to the own king."""
        for origin, (owner, letter) in list(self.board.items()):
            if owner != side:
                continue
            if letter == "P":
                yield from self.pawn_moves(origin, side)
                continue
            for ray in self.rays(letter, origin):
                for target in ray:
                    taken = self.board.get(target)
                    if taken is None or taken[0] != side:
                        yield origin, target, target, None
                    if taken is not None:
                        break

    def rays(self, letter, origin):
        """The cells that a piece can come to on an empty board, one list for each direction."""
        known = self.kept.get((letter, origin))
        if known is None:
            steps, rides = self.kinds[letter]
            known = self.kept[letter, origin] = []
            for step in steps:
                ray, target = [], step(origin)
                while target is not None:
                    ray.append(target)
                    target = step(target) if rides else None
                known.append(ray)
        return known

    def pawn_moves(self, origin, side):
        steps, captures = self.pawns[side]
        found = []
        for step in steps:
            one = step(origin)
            if one is None or one in self.board:
                continue
            found.append((origin, one, one))
            if origin in self.begun[side]:
                two = step(one)
                if two is not None and two not in self.board:
                    found.append((origin, two, two))
        for step in captures:
            target = step(origin)
            if target is None:
                continue
            taken = self.board.get(target)
            if taken is not None and taken[0] != side:
                found.append((origin, target, target))
            elif taken is None and target == self.passed and side == self.side:
                back = self.pawns[other(side)][0][0](target)
                found.append((origin, target, back))
        for origin, target, taken in found:
            if all(step(target) is None for step in steps):
                for letter in self.geometry.promotions:
                    yield origin, target, taken, letter
            else:
                yield origin, target, taken, None

    def after(self, move):
        origin, target, taken, promotion = move
        game = Game.__new__(Game)
        game.geometry, game.kinds, game.board = self.geometry, self.kinds, dict(self.board)
        game.pawns, game.begun, game.kept = self.pawns, self.begun, self.kept
        side, letter = game.board.pop(origin)
        game.board.pop(taken, None)
        game.board[target] = (side, promotion or letter)
        game.side, game.passed = other(self.side), None
        if letter == "P" and origin in self.begun[side]:
            step = self.pawns[side][0][0]
            if step(step(origin)) == target:
                game.passed = step(origin)
        return game

    def king_hangs(self, side):
        king = next(cell for cell, piece in self.board.items() if piece == (side, "K"))
        return any(move[2] == king for move in self.moves(other(side)))

    def legal(self):
        for move in self.moves(self.side):
            game = self.after(move)
            if not game.king_hangs(self.side):
                yield game

    def leaves(self, depth):
        if depth == 0:
            return 1
        return sum(1 if depth == 1 else game.leaves(depth - 1) for game in self.legal())

    def record(self):
        levels = []
        for level in self.geometry.lines():
            lines = []
            for line in level:
                text, gap = "", 0
                for cell in line:
                    piece = self.board.get(cell)
                    if piece is None:
                        gap += 1
                        continue
                    text += (str(gap) if gap else "") + (piece[1] if piece[0] == "w" else piece[1].lower())
                    gap = 0
                lines.append(text + (str(gap) if gap else ""))
            levels.append("/".join(lines))
        passed = [self.geometry.name(self.passed) if self.passed else "-"] * self.geometry.fields
        return " ".join(["|".join(levels), self.side, *passed, "0", "1"])


def main():
    rules, depth = sys.argv[1], int(sys.argv[2])
    game = Game(Hexagons() if rules == "glinski" else Cube())
    if len(sys.argv) > 3:
        dice = random.Random(int(sys.argv[4]))
        for _ in range(int(sys.argv[3])):
            following = list(game.legal())
            if not following:
                break
            game = dice.choice(following)
        print(game.record())
    for plies in range(1, depth + 1):
        print(game.leaves(plies))


main()
