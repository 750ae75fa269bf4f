#!/usr/bin/env python3
"""Measures archives independently: with python-chess, and with notations written again from their descriptions.

Usage: recount.py ARCHIVE.pgn... > counts.tsv

One line per count: the table, the keys, the counts, separated by tabs. The tables of pgnmill must contain the same for the
notations san, uci, economical-letters, economical-squares, economical-priority and the two with legal candidates. Only
games of ordinary chess without faults. Requires the package `chess`.
"""
import collections
import csv
import io
import pathlib
import re
import sys

import chess
import chess.pgn

OPENINGS_FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "openings"
OPENING_PLIES = 40
ROLES = ["pawn", "knight", "bishop", "rook", "queen", "king"]
COUNTS = collections.Counter()
GAMES = collections.defaultdict(set)


def square_back(square, color, steps):
    return square - 8 * steps if color == chess.WHITE else square + 8 * steps


def openings():
    """Code and name by position: placement, side to move, castling rights, en passant if it is legal."""
    found = {}
    for path in sorted(OPENINGS_FOLDER.glob("*.tsv")):
        with open(path, encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
                found[chess.pgn.read_game(io.StringIO(row["pgn"])).end().board().epd()] = row["eco"], row["name"]
    return found


OPENINGS = openings()


def opening_of(game):
    board, last = game.board(), ("unknown", "unknown")
    for _, move in zip(range(OPENING_PLIES), game.mainline_moves()):
        board.push(move)
        last = OPENINGS.get(board.epd(), last)
    return last


def code_of(board, move):
    """The square that names a move in the economical notations without letters."""
    if board.is_castling(move) and board.chess960:
        # The king's move is written as one to the rook's square.
        return move.to_square
    if board.is_castling(move):
        rank = chess.square_rank(move.from_square)
        return chess.square(7 if board.is_kingside_castling(move) else 0, rank)
    steps = {chess.ROOK: 1, chess.BISHOP: 2, chess.KNIGHT: 3}.get(move.promotion)
    if steps is None:
        return move.to_square
    straight = chess.square_file(move.from_square) == chess.square_file(move.to_square)
    return square_back(move.from_square if straight else move.to_square, board.turn, steps)


def arrivals(board, moves):
    """For each code, the pieces that have a move with it: pairs of role and square."""
    pieces = collections.defaultdict(set)
    for move in moves:
        pieces[code_of(board, move)].add((board.piece_type_at(move.from_square), move.from_square))
    return pieces


def economical(board, move, pieces, priority):
    code, mine = code_of(board, move), (board.piece_type_at(move.from_square), move.from_square)
    file, rank = chess.square_name(move.from_square)

    def is_unique(prefix):
        fits = {piece for piece in pieces[code] if prefix in ("", *chess.square_name(piece[1]), chess.square_name(piece[1]))}
        if priority:
            lightest = min(role for role, _ in fits)
            fits = {piece for piece in fits if piece[0] == lightest}
        return fits == {mine}

    prefix = next(prefix for prefix in ("", file, rank, file + rank) if is_unique(prefix))
    return prefix + chess.square_name(code)


def letters(san):
    for character in "x+#=":
        san = san.replace(character, "")
    return san


def band(value, width):
    low = value // width * width
    return f"{low}-{low + width - 1}"


def rating_of(text):
    """A rating, perhaps with a plus sign, as `pgnmill` reads it; 0 is that of a player who has none."""
    is_number = text and re.fullmatch(r"\+?[0-9]{1,9}", text.strip())
    return int(text) if is_number and 100 <= int(text) <= 4999 else None


def speed_of(control):
    if control == "-":
        return "correspondence"
    base, _, increment = control.partition("+")
    try:
        seconds = int(base) + 40 * int(increment or 0)
    except ValueError:
        return "unknown"
    for name, most in [("ultrabullet", 29), ("bullet", 179), ("blitz", 479), ("rapid", 1499)]:
        if seconds <= most:
            return name
    return "classical"


def groups_of(headers):
    white, black = (rating_of(headers.get(side + "Elo")) for side in ("White", "Black"))
    rated = white is not None and black is not None
    difference = abs(white - black) if rated else 0
    dates = [headers.get("Date", ""), headers.get("UTCDate", "")]
    date = next((date for date in dates if date[:4].isdigit() and 1400 <= int(date[:4]) <= 2100), "????.??.??")
    month = date[5:7]
    eco = headers.get("ECO", "")
    is_eco = len(eco) == 3 and eco[0] in "ABCDE" and eco[1:].isdigit()
    titles = [headers.get(side + "Title", "").strip("-?") for side in ("White", "Black")]
    return {
        "rating": band((white + black) // 2, 200) if rated else "unknown",
        "rating_difference": ("1000+" if difference >= 1000 else band(difference, 100)) if rated else "unknown",
        "speed": speed_of(headers.get("TimeControl", "?")),
        "year": date[:4] if date[0] != "?" else "unknown",
        "month": f"{date[:4]}-{month}" if month.isdigit() and 1 <= int(month) <= 12 else "unknown",
        "eco": eco if is_eco else "unknown",
        "eco_letter": eco[0] if is_eco else "unknown",
        "result": headers["Result"],
        "title": "bot" if "BOT" in titles else ["none", "one", "both"][sum(map(bool, titles))],
    }


def phase_of(board):
    pieces = sum(piece.piece_type not in (chess.PAWN, chess.KING) for piece in board.piece_map().values())
    if pieces <= 6:
        return "endgame"
    homes = [sum(board.color_at(square) == color for square in range(rank * 8, rank * 8 + 8))
             for color, rank in ((chess.WHITE, 0), (chess.BLACK, 7))]
    return "opening" if pieces > 10 and min(homes) >= 4 else "middlegame"


def kind_of(board, move):
    if board.is_castling(move):
        return "castling"
    if board.is_en_passant(move):
        return "en-passant"
    if move.promotion:
        return "promotion"
    return "capture" if board.is_capture(move) else "quiet"


def fact(name, holds, of=True):
    if of:
        COUNTS["facts", name, "of"] += 1
        COUNTS["facts", name, "count"] += bool(holds)


def study(board, move, san, legal):
    """The facts, by listing legal moves."""
    role, kind = board.piece_type_at(move.from_square), kind_of(board, move)
    origins = {other.from_square for other in legal if other.to_square == move.to_square
               and board.piece_type_at(other.from_square) == role and not board.is_castling(other)}
    castles = kind == "castling"
    fact("piece-and-square-enough", castles or len(origins) == 1)
    fact("piece-and-square-enough-for-pieces", len(origins) == 1, role != chess.PAWN and not castles)
    takes = role == chess.PAWN and board.is_capture(move)
    fact("pawn-capture-square-enough", len(origins) == 1, takes)
    files = [chess.square_file(move.from_square), chess.square_file(move.to_square)]
    fitting = {other.from_square for other in legal if board.piece_type_at(other.from_square) == chess.PAWN
               and [chess.square_file(other.from_square), chess.square_file(other.to_square)] == files}
    fact("pawn-capture-files-enough", len(fitting) == 1, takes)
    if castles:
        return "castling", "none"
    body = san.rstrip("+#").split("=")[0].replace("x", "")
    extra = body[:-2] if role == chess.PAWN else body[1:-2]
    how = "square" if len(extra) == 2 else "none" if not extra else "rank" if extra.isdigit() else "file"
    return ROLES[role - 1], how


def recount(number, game):
    board, plies, tokens = game.board(), 0, []
    groups = groups_of(game.headers)
    groups["eco_computed"], groups["opening_name"] = opening_of(game)
    for move in game.mainline_moves():
        legal = list(board.legal_moves)
        by_steps, by_law = arrivals(board, board.pseudo_legal_moves), arrivals(board, legal)
        san = board.san(move)
        texts = {
            "san": san,
            "uci": move.uci(),
            "economical-letters": letters(san),
            "economical-squares": economical(board, move, by_steps, False),
            "economical-priority": economical(board, move, by_steps, True),
            "economical-squares-legal": economical(board, move, by_law, False),
            "economical-priority-legal": economical(board, move, by_law, True),
        }
        for form in ("squares", "priority"):
            steps, law = (len(texts[f"economical-{form}{end}"]) for end in ("", "-legal"))
            fact(f"legality-shortens-{form}", law < steps)
            COUNTS["facts", f"legality-saves-{form}", "count"] += steps - law
            COUNTS["facts", f"legality-saves-{form}", "of"] += steps
        fact("square-enough", len(texts["economical-squares-legal"]) == 2)
        fact("square-enough-by-steps", len(texts["economical-squares"]) == 2)
        mover, how = study(board, move, san, legal)
        COUNTS["disambiguation", mover, how, "plies"] += 1
        of_ply = {
            "ply": str(plies + 1) if plies < 600 else "601+",
            "move": f"{plies // 20 * 10 + 1}-{plies // 20 * 10 + 10}" if plies < 600 else "301+",
            "phase": phase_of(board),
            "side": "white" if board.turn else "black",
            "role": ROLES[board.piece_type_at(move.from_square) - 1],
            "kind": kind_of(board, move),
            "check": {"+": "check", "#": "mate"}.get(san[-1], "none"),
        }
        if board.turn or not tokens:
            tokens.append(f"{board.fullmove_number}." + ("" if board.turn else ".."))
        tokens.append(san)
        for notation, text in texts.items():
            COUNTS["lengths", notation, len(text), "plies"] += 1
            COUNTS["notations", notation, "plies"] += 1
            COUNTS["notations", notation, "characters"] += len(text)
            COUNTS["games", number, notation, "characters"] += len(text)
            for key, group in (of_ply | groups).items():
                COUNTS["by_" + key, group, notation, "plies"] += 1
                COUNTS["by_" + key, group, notation, "characters"] += len(text)
                GAMES["by_" + key, group, notation].add(number)
        board.push(move)
        plies += 1
    tokens.append(game.headers["Result"])
    COUNTS["movetext", "san", "total", "characters"] += len(" ".join(tokens)) + 1
    COUNTS["movetext", "tcn", "total", "characters"] += 2 * plies + 1


def main():
    number = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as archive:
            while game := chess.pgn.read_game(archive):
                number += 1
                if game.errors:
                    sys.exit(f"{path}, game {number}: {game.errors[0]}")
                recount(number, game)
    for keys, games in GAMES.items():
        COUNTS[(*keys, "games")] = len(games)
    for keys, count in COUNTS.items():
        print(*keys, count, sep="\t")


if __name__ == "__main__":
    main()
