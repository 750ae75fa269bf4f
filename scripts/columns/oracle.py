"""What the tables of `pgnmill export` must contain of a game, by python-chess and by docs/columns.md.

The values of tags, commands and plies are computed here without pgnmill; recount.py compares them with the tables.
"""
import datetime
import io
import re

import chess
import chess.pgn
import chess.polyglot

TEXTS = ("Event", "Site", "White", "Black", "Result", "WhiteTitle", "BlackTitle", "ECO", "Opening", "Termination",
         "TimeControl", "Date", "Round", "Variant", "FEN")
NUMBERS = ("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff")
OUTCOMES = ("1-0", "0-1", "1/2-1/2", "*")
UTC = datetime.timezone.utc


class Builder(chess.pgn.GameBuilder):
    """Keeps what chess.pgn.Game does not: the tags that occur, the last of each name, and the result token."""

    def begin_game(self):
        super().begin_game()
        self.game.tags, self.game.token = {}, None

    def visit_header(self, name, value):
        super().visit_header(name, value)
        self.game.tags[name] = re.sub(r'\\(["\\])', r"\1", value)

    def visit_result(self, result):
        super().visit_result(result)
        self.game.token = result


def number_of(text, least=-32768, most=32767):
    if text is None or not re.fullmatch(r"[+-]?[0-9]+", text.strip()):
        return None
    return int(text) if least <= int(text) <= most else None


def date_of(text):
    match = re.fullmatch(r"([0-9]{4})[./-]([0-9]{1,9})[./-]([0-9]{1,9})", (text or "").strip())
    try:
        return datetime.date(*map(int, match.groups())) if match else None
    except (ValueError, OverflowError):
        return None


def time_of(text):
    match = re.fullmatch(r"([0-9]{2}):([0-9]{2}):([0-9]{2})", (text or "").strip())
    try:
        return datetime.time(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def id_of(tags):
    """The last part of the path of a lichess.org address, without the player's side; chess.com's number of a game."""
    for name in ("Site", "Link"):
        match = re.fullmatch(r"(?:[a-z]+://)?(?:[^/?#]*[.])?(lichess[.]org|chess[.]com)(/[^?#]*)?(?:[?#].*)?",
                             tags.get(name, "").strip(), re.IGNORECASE)
        parts = [part for part in (match and match.group(2) or "").split("/") if part not in ("", "white", "black")]
        if parts and (match.group(1).lower() == "lichess.org" or parts[-1].isdigit()):
            return parts[-1]
    return None


def expected_tags(tags):
    date, time = date_of(tags.get("UTCDate")), time_of(tags.get("UTCTime"))
    control = re.fullmatch(r"([0-9]+)\+([0-9]+)", tags.get("TimeControl", "").strip())
    base, increment = (number_of(part, 0, 2**31 - 1) for part in control.groups()) if control else (None, None)
    both = date is not None and time is not None
    return {
        **{name: tags.get(name) for name in TEXTS},
        **{name: number_of(tags.get(name)) for name in NUMBERS},
        "UTCDate": date, "UTCTime": time, "game_id": id_of(tags),
        "utc_timestamp": datetime.datetime.combine(date, time, UTC) if both else None,
        "time_initial": base, "time_increment": increment, **time_control(tags.get("TimeControl", "").strip()),
    }


def time_control(text):
    """The columns of a time control of any form: those of its first period, if all periods are of a form."""
    names = ("time_kind", "time_base_ms", "time_increment_ms", "time_moves", "time_periods")
    if text in ("-", "inf"):
        return dict(zip(names, ("unlimited", None, None, None, 0)))
    time = r"([0-9]{1,9}(?:[.][0-9]*)?)"
    periods = [re.fullmatch(rf"(?:([1-9][0-9]{{0,8}})/)?{time}(?:[+]{time})?|{time}/(move)|(?:[*]|hg){time}", period)
               for period in text.split(":")]
    thousandths = lambda text: int(text.split(".")[0]) * 1000 + int(((text + ".").split(".")[1] + "000")[:3])
    short = lambda number: number if number < 2**31 else None
    values = []
    for period in periods:
        if not period:
            return dict.fromkeys(names)
        moves, base, increment, per_move, move, sandclock = period.groups()
        base, increment = thousandths(base or per_move or sandclock), thousandths(increment or "0")
        if base + increment == 0:
            return dict.fromkeys(names)
        kind = "sandclock" if sandclock else "moves" if moves or move else "game"
        moves = 1 if move else moves and int(moves)
        values.append((kind, short(base), None if sandclock else short(increment), moves, len(periods)))
    return dict(zip(names, values[0]))


def other_tags(tags):
    """The tags that have no column of their own."""
    return {name: value for name, value in tags.items() if name not in TEXTS + NUMBERS + ("UTCDate", "UTCTime")}


def milliseconds(pattern, comment):
    match = pattern.search(comment)
    if not match:
        return None
    whole, _, rest = match.group("seconds").partition(".")
    minutes = int(match.group("hours")) * 60 + int(match.group("minutes"))
    return (minutes * 60 + int(whole)) * 1000 + (int((rest + "0000")[:4]) + 5) // 10


def evaluation(node):
    """The centipawns and the moves to mate of a node, White's view, as chess.pgn reads them; one of both is None.

    An integer with a depth, `[%eval 25,18]`, is the form of ChessBase, in centipawns; chess.pgn reads it as pawns.
    """
    score = node.eval()
    if score is None:
        return None, None
    match = chess.pgn.EVAL_REGEX.search(node.comment)
    if match.group("depth") and match.group("cp") and "." not in match.group("cp"):
        return max(-32767, min(32767, int(match.group("cp")))), None
    score = score.white()
    clamped = lambda value: max(-32767, min(32767, value))
    return (None, clamped(score.mate())) if score.is_mate() else (clamped(score.score()), None)


def board_of(board):
    """The pieces in four bits per square from a1, the first square in the high bits: White 1 to 6, Black 9 to 14."""
    pieces = [board.piece_at(square) for square in chess.SQUARES]
    codes = [0 if piece is None else piece.piece_type + (0 if piece.color else 8) for piece in pieces]
    return bytes(high << 4 | low for high, low in zip(codes[::2], codes[1::2]))


def remark_of(comment):
    """What remains of a comment without commands, every space as one; None if nothing remains."""
    rest = re.sub(r"\[%[A-Za-z0-9](?:(?!\[%)[^\]])*\]", " ", comment)
    return " ".join(rest.split()) or None


def signed(key):
    return key - 2**64 if key >= 2**63 else key


def size_of_tree(game):
    """The number of moves of a game with its variations, without null moves."""
    count, waiting = 0, [game]
    while waiting:
        node = waiting.pop()
        count += sum(bool(child.move) for child in node.variations)
        waiting += node.variations
    return count


def role(piece_type):
    return chess.PIECE_NAMES[piece_type] if piece_type else None


def of_position(board, move):
    """The columns of a position that are numbers and names; of the move its code."""
    pieces = [board.piece_at(square) for square in chess.SQUARES]
    squares = bytes(piece.piece_type + 6 * (not piece.color) if piece else 0 for piece in pieces)
    material = [(piece.color, piece.piece_type) for piece in pieces if piece]
    # White first, then from the king to the pawn.
    signature = "".join(chess.Piece(role, side).symbol() for side, role in sorted(material, reverse=True))
    points = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
    large = sum(role not in (chess.PAWN, chess.KING) for _, role in material)
    home = [sum(piece is not None and piece.color == side for piece in pieces[first:first + 8])
            for side, first in ((chess.WHITE, 0), (chess.BLACK, 56))]
    rights = [board.has_kingside_castling_rights(chess.WHITE), board.has_queenside_castling_rights(chess.WHITE),
              board.has_kingside_castling_rights(chess.BLACK), board.has_queenside_castling_rights(chess.BLACK)]
    uci = board.uci(move)
    code = None
    if "@" not in uci:
        code = chess.parse_square(uci[:2]) + 64 * chess.parse_square(uci[2:4]) + 4096 * " nbrqk".find(uci[4:] or " ")
    captures = [other for other in board.legal_moves if board.is_en_passant(other)] if board.ep_square is not None else []
    return {
        "board": squares,
        "mover": "white" if board.turn else "black",
        "material": signature,
        "material_balance": sum(points[role] * (1 if side == board.turn else -1) for side, role in material),
        "phase": "endgame" if large <= 6 else "middlegame" if large <= 10 or min(home) < 4 else "opening",
        "castling": sum(1 << bit for bit, right in enumerate(rights) if right),
        "en_passant": 1 << chess.square_file(captures[0].to_square) if captures else 0,
        "move_code": code,
    }


def increment(control):
    """The increment of `base` or `base+increment` in milliseconds; "other" for the other forms."""
    match = re.fullmatch(r"\s*(\d{1,6})(?:\+(\d{1,4}))?\s*", control)
    return int(match.group(2) or 0) * 1000 if match else None if control in ("", "-", "?") else "other"


class Players:
    """What the columns of the player who moves depend on, besides the ply."""

    def __init__(self, game, outcome):
        self.ratings = {chess.WHITE: game.get("WhiteElo"), chess.BLACK: game.get("BlackElo")}
        self.score = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(outcome)
        control = game.get("TimeControl") or ""
        self.increment, self.base = increment(control), int(control.split("+")[0]) if "+" in control else None
        self.first, self.clocks, self.eval, self.mover = {}, {}, None, None

    def of_ply(self, mover, clock, spent, centipawns):
        """The values of the next ply."""
        sign = 1 if mover else -1
        follows = self.mover is not None and self.mover != mover
        self.first.setdefault(mover, clock)
        gained = self.increment
        if self.base and clock is not None and self.first[mover] == self.base * 500:
            gained = 0
        before = self.clocks.get(mover)
        if spent is None and None not in (before, clock, gained) and gained != "other":
            spent = before + gained - clock
            spent = None if spent < 0 else spent
        values = {
            "outcome": self.score and self.score * sign,
            "mover_rating": self.ratings[mover],
            "opponent_rating": self.ratings[not mover],
            "mover_eval_cp": centipawns and centipawns * sign,
            "mover_eval_before_cp": self.eval and self.eval * sign if follows else None,
            "spent_ms": "other" if gained == "other" else spent,
        }
        self.eval, self.mover, self.clocks[mover] = centipawns, mover, clock
        return values


def expected_ply(board, move, columns):
    """What a row of plies contains of the position before a move and of the move. Pushes the move."""
    expected = {"uci": board.uci(move)}
    if "fen" in columns:
        expected["fen"] = board.fen(en_passant="legal")
    if "hash" in columns and board.uci_variant == "chess":
        expected["hash"] = signed(chess.polyglot.zobrist_hash(board))
    if "board_nibbles" in columns:
        expected["board_nibbles"] = board_of(board)
    if "board" in columns:
        expected.update(of_position(board, move))
    if "legal_moves" in columns:
        expected["legal_moves"] = board.legal_moves.count()
    if "piece" in columns:
        castles = board.is_castling(move)
        captured = chess.PAWN if board.is_en_passant(move) else None if castles else board.piece_type_at(move.to_square)
        moved = move.drop or board.piece_type_at(move.from_square)
        expected.update(piece=role(moved), captured=role(captured), promotion=role(move.promotion))
    expected["san"] = board.san_and_push(move)
    expected["check"] = {"+": "check", "#": "mate"}.get(expected["san"][-1], "none")
    return expected


def read_text(text):
    """The first game of a text; None if there is none."""
    return chess.pgn.read_game(io.StringIO(text, newline=None), Visitor=Builder)


def without_empty_lines(text):
    """The first game with one empty line, that after the tags: chess.pgn ends a game at any other."""
    kept, in_moves = [], False
    for line in io.StringIO(text, newline=None):
        if in_moves and chess.pgn.TAG_REGEX.match(line):
            break
        if line.isspace():
            continue
        if not in_moves and not line.startswith(("[", "%")):
            in_moves = True
            kept.append("\n")
        kept.append(line)
    return "".join(kept)


def has_odd_tags(text):
    """Does the tag section have a line that chess.pgn does not read as one tag pair?"""
    for line in io.StringIO(text, newline=None):
        if line.isspace() or line.startswith("%"):
            continue
        if not line.startswith("["):
            return False
        if not chess.pgn.TAG_REGEX.match(line) or '"][' in "".join(line.split()):
            return True
    return False


def outcome_without_token(game, text):
    """The outcome where chess.pgn reads no result token: `1/2` at the end, which it does not read, or the tag."""
    if re.search(r"(?:^|\s)1/2\s*\Z", text):
        return "1/2-1/2"
    named = game.tags.get("Result")
    return named if named in OUTCOMES else "*"
