"""GNU Backgammon's Position ID and Match ID, both ways (its manual, "A technical description of the Position/Match ID").

Position ID: 14 characters, base64 of 10 bytes: for the opponent of the player on roll and then for that player, for the points 1-24
and the bar as each sees them, as many 1-bits as checkers, then a 0; least significant bit first. It does not say who is on
roll: it is told from that player's side.

Match ID: 12 characters, base64 of 9 bytes: cube, owner, whose roll, Crawford, state, whose decision, double,
resignation, dice, length, scores, Jacoby. Player 0 (O) is dark here, player 1 (X) light, as in XGIDs.
"""

from __future__ import annotations

import base64
import binascii
import re

from pi_board.errors import InvalidPositionError
from pi_board.rules.position import Position
from pi_board.rules.side import CHECKERS, Side, opponent
from pi_board.rules.xgid import GameState, parse_xgid

#: Bits of a Match ID: name -> (offset, width).
_FIELDS = {
    "cube": (0, 4),
    "owner": (4, 2),
    "roll": (6, 1),
    "crawford": (7, 1),
    "state": (8, 3),
    "turn": (11, 1),
    "doubled": (12, 1),
    "resigned": (13, 2),
    "die 1": (15, 3),
    "die 2": (18, 3),
    "length": (21, 15),
    "score of player 0": (36, 15),
    "score of player 1": (51, 15),
    "no jacoby": (66, 1),
}
_PLAYERS: tuple[Side, Side] = ("dark", "light")
_PLAYING = 1


def to_position_id(position: Position, turn: Side = "light") -> str:
    """The Position ID of `position` with `turn` on roll."""
    value = shift = 0
    for side in (opponent(turn), turn):
        points, bar, _off = position.seen_from(side)
        for n in (*points, bar[0]):
            count = max(0, n)
            value |= ((1 << count) - 1) << shift
            shift += count + 1
    return base64.b64encode(value.to_bytes(10, "little")).decode().rstrip("=")


def from_position_id(text: str, turn: Side = "light") -> Position:
    """The position that a Position ID tells, `turn` being the side on roll; checkers not on the board are off.

    Raises InvalidPositionError: wrong length, characters, more than 15 checkers, both sides on one point.
    """
    value = int.from_bytes(_bytes("Position ID", text, 14), "little")
    slots: list[int] = []
    count = used = 0
    for bit in range(80):
        if value >> bit & 1:
            count += 1
        else:
            slots.append(count)
            count = 0
            if len(slots) == 50:
                used = bit + 1
                break
    if len(slots) < 50:
        raise InvalidPositionError(
            "Position ID: expected 25 places for each side, got fewer (too many checkers)"
        )
    if value >> used:
        raise InvalidPositionError("Position ID: expected nothing after the last place, got more checkers")
    theirs, own = slots[:25], slots[25:]
    for name, places in (("the side on roll", own), ("the other side", theirs)):
        if sum(places) > CHECKERS:
            raise InvalidPositionError(
                f"Position ID: expected at most 15 checkers of {name}, got {sum(places)}"
            )
    points = []
    for p in range(24):
        mine, other = own[p], theirs[23 - p]
        if mine and other:
            raise InvalidPositionError(f"Position ID: point {p + 1}: expected one side, got checkers of both")
        points.append(mine - other)
    return Position.from_seen(
        turn, points, [own[24], theirs[24]], [CHECKERS - sum(own), CHECKERS - sum(theirs)]
    )


def to_match_id(state: GameState) -> str:
    """The Match ID of `state`. Raises InvalidPositionError where a number does not fit the format."""
    roll = _PLAYERS.index(state.turn)
    asked = state.doubled or bool(state.resigned)
    dice = state.dice or (0, 0)
    values = {
        "cube": state.cube.bit_length() - 1,
        "owner": 3 if state.owner is None else _PLAYERS.index(state.owner),
        "roll": roll,
        "crawford": int(state.crawford),
        "state": _PLAYING,
        "turn": 1 - roll if asked else roll,
        "doubled": int(state.doubled),
        "resigned": state.resigned,
        "die 1": dice[0],
        "die 2": dice[1],
        "length": state.length,
        "score of player 0": state.score[1],
        "score of player 1": state.score[0],
        "no jacoby": int(not state.jacoby),
    }
    key = 0
    for name, (offset, width) in _FIELDS.items():
        if values[name] >> width:
            raise InvalidPositionError(
                f"Match ID: {name}: expected less than {1 << width}, got {values[name]}"
            )
        key |= values[name] << offset
    return base64.b64encode(key.to_bytes(9, "little")).decode()


def from_match_id(text: str, position: Position) -> GameState:
    """`position` with the match state that a Match ID tells (see `from_gnu_id` for both IDs at once).

    Raises InvalidPositionError naming the field.
    """
    key = int.from_bytes(_bytes("Match ID", text, 12), "little")
    v = {name: key >> offset & ((1 << width) - 1) for name, (offset, width) in _FIELDS.items()}
    if v["owner"] == 2:
        raise InvalidPositionError("Match ID: cube owner: expected 0, 1 or 3, got 2")
    dice = (v["die 1"], v["die 2"])
    if dice != (0, 0) and not all(1 <= d <= 6 for d in dice):
        raise InvalidPositionError(
            f"Match ID: dice: expected two numbers from 1 to 6, got {dice[0]} and {dice[1]}"
        )
    return GameState(
        position,
        cube=1 << v["cube"],
        owner=None if v["owner"] == 3 else _PLAYERS[v["owner"]],
        turn=_PLAYERS[v["roll"]],
        dice=dice if dice != (0, 0) else None,
        doubled=bool(v["doubled"]),
        score=(v["score of player 1"], v["score of player 0"]),
        length=v["length"],
        crawford=bool(v["crawford"]),
        jacoby=not v["no jacoby"] and not v["length"],
        resigned=v["resigned"],
    )


def to_gnu_id(state: GameState) -> str:
    """`Position ID:Match ID`, as GNU Backgammon's `set gnubgid` takes it."""
    return f"{to_position_id(state.position, state.turn)}:{to_match_id(state)}"


def from_gnu_id(text: str) -> GameState:
    """The state that `Position ID:Match ID` tells. Raises InvalidPositionError."""
    if not isinstance(text, str) or text.count(":") != 1:
        raise InvalidPositionError(f"GNU ID: expected Position ID:Match ID, got {text!r}")
    place, match = text.strip().split(":")
    # The Position ID is told from the side whose roll it is, also while the other one must answer a double.
    key = int.from_bytes(_bytes("Match ID", match, 12), "little")
    return from_match_id(match, from_position_id(place, _PLAYERS[key >> _FIELDS["roll"][0] & 1]))


#: An XGID or a GNU ID, told by its looks; what follows must still be read.
_XGID = re.compile(r"(?:XGID=|[-A-Oa-o]{26}(?::|$))", re.IGNORECASE)
_GNU_ID = re.compile(
    r"(?:GNU ?(?:BG)? ?ID ?[=:]? ?)?([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12}))?", re.IGNORECASE
)


def is_id(text: str) -> bool:
    """Whether `text` looks like an XGID (with or without its prefix), a GNU ID or a Position ID."""
    return bool(_XGID.match(text) or _GNU_ID.fullmatch(text))


def from_id(text: str) -> GameState:
    """The state that an XGID (with or without `XGID=`), a `Position ID:Match ID` or a Position ID alone tells; the last
    says nothing of the sides: light is on roll, money. Raises InvalidPositionError."""
    found = _GNU_ID.fullmatch(text.strip())
    if found is None or _XGID.match(text.strip()):
        return parse_xgid(text)
    if found[2] is None:
        return GameState(from_position_id(found[1]))
    return from_gnu_id(f"{found[1]}:{found[2]}")


def _bytes(name: str, text: str, length: int) -> bytes:
    if not isinstance(text, str):
        raise InvalidPositionError(f"{name}: expected a text, got {text!r}")
    text = text.strip()
    if len(text) != length:
        raise InvalidPositionError(f"{name}: expected {length} characters, got {len(text)}")
    try:
        return base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidPositionError(f"{name}: expected letters, digits, + and /, got {text!r}") from None
