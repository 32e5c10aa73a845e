"""One `Showing` for every screen of the small display."""

from __future__ import annotations

from dataclasses import replace

from pi_board.output import CoachNote, Hint, HintLine
from pi_board.panel.screens import Showing
from pi_board.rules import STARTING_POSITION, Position
from pi_board.table import ClockView, Phase, TableView, VerdictColour

VIEW = TableView(
    phase=Phase.PLAY,
    position=STARTING_POSITION,
    side="light",
    dice=(3, 1),
    pips=(167, 159),
    score=(3, 1),
    names=("Anna", "Dark"),
    match_length=5,
    game=4,
    message_code="to_play",
    message_args={"side": "light", "dice": [3, 1]},
    message="Anna to play 3-1.",
    last_plays=(
        ("light", "31", "8/5 6/5"),
        ("dark", "64", "24/18 13/9"),
        ("light", "66", "24/18(2) 13/7(2)"),
        ("dark", "21", ""),
    ),
)


def _position(
    points: dict[int, int], bar: tuple[int, int] = (0, 0), off: tuple[int, int] = (0, 0)
) -> Position:
    return Position(tuple(points.get(p, 0) for p in range(1, 25)), bar, off)


MOVED = _position({1: -2, 6: 5, 8: 3, 9: 1, 12: -5, 13: 4, 17: -3, 19: -5, 24: 2})
ON_BAR = _position({1: -2, 6: 5, 8: 3, 10: 1, 12: -5, 13: 4, 17: -3, 19: -5, 24: 1}, bar=(1, 0))
BEFORE = _position({1: -2, 6: 5, 8: 3, 12: -5, 13: 5, 17: -3, 19: -5, 24: 1}, bar=(1, 0))
ILLEGAL = replace(
    VIEW,
    phase=Phase.ILLEGAL,
    verdict=VerdictColour.RED,
    message_code="illegal",
    message_args={
        "side": "light",
        "dice": [3, 1],
        "reason": "Light has a checker on the bar: it must enter before any other moves (13/10).",
        "code": "must_enter_first",
        "nearest": ["bar/24 13/10"],
        "example": [[25, 24], [13, 10]],
    },
    expected=BEFORE,
    seen=ON_BAR,
    message="Illegal: Light has a checker on the bar: it must enter before any other moves (13/10).",
)
HINT = Hint(
    "light",
    (3, 1),
    (
        HintLine("8/5 6/5", 0.159, 0.553, moves=((8, 5), (6, 5))),
        HintLine("24/23 13/10", -0.021, 0.51, 0.18, moves=((24, 23), (13, 10))),
        HintLine("24/18*/17(2) 13/12*", -0.14, 0.49, 0.3),
    ),
)
# Dark sits opposite: its board is the same one turned by half a turn.
DARK_HINT = Hint(
    "dark", (6, 6), (HintLine("24/18(2) 13/7(2)", 0.41, 0.61, moves=((24, 18), (24, 18), (13, 7), (13, 7))),)
)
PUT_BACK = replace(
    VIEW,
    phase=Phase.ROLL,
    verdict=VerdictColour.AMBER,
    message_code="put_back",
    dice=None,
    expected=STARTING_POSITION,
    seen=MOVED,
    message_args={
        "side": None,
        "count": 0,
        "reason": "",
        "changes": [{"side": "light", "from": 9, "to": 13}],
    },
    message="Expected: put a light checker from 9 back on 13.",
)
SCENES: dict[str, Showing] = {
    "set_up": Showing(
        TableView(message_code="waiting", message="Set up the starting position.", rules="international")
    ),
    "opening": Showing(
        TableView(
            phase=Phase.OPENING, message_code="opening_tie", message_args={"light": 4, "dark": 4},
            message="4-4: a tie, roll again.", score=(0, 0), match_length=7, game=1,
        )
    ),
    "roll": Showing(
        replace(VIEW, phase=Phase.ROLL, side="dark", dice=None, message_code="to_roll",
                message_args={"side": "dark"}, message="Dark to roll.")
    ),
    "play": Showing(VIEW),
    "play_with_cube": Showing(replace(VIEW, side="dark", dice=(6, 5), cube=4, cube_owner="dark", match_length=0,
                                      message_args={"side": "dark", "dice": [6, 5]}, message="Dark to play 6-5.")),
    "doubled": Showing(
        replace(VIEW, phase=Phase.DOUBLED, side="dark", dice=None, message_code="doubled",
                message_args={"side": "dark", "other": "light", "value": 2},
                message="Anna doubles to 2: Dark takes or passes.")
    ),
    "legal": Showing(replace(VIEW, phase=Phase.PLAYED, verdict=VerdictColour.GREEN, play="8/5 6/5", message_code="played",
                             message_args={"play": "8/5 6/5"}, message="8/5 6/5 is legal.")),
    "illegal": Showing(ILLEGAL),
    "throw_again": Showing(
        replace(VIEW, verdict=VerdictColour.AMBER, message_code="dice_wrong_half", message_args={"side": "light"},
                message="The dice belong in Anna's right-hand half: roll again.")
    ),
    "checker_missing": Showing(
        replace(VIEW, verdict=VerdictColour.AMBER, message_code="checker_missing", expected=STARTING_POSITION,
                message_args={"side": "dark", "count": 1, "changes": [{"side": "dark", "from": None, "to": 17}]},
                message="1 dark checker missing: put a dark checker on 17.")
    ),
    "put_back": Showing(PUT_BACK),
    "illegal_example": Showing(ILLEGAL, turned=1),
    "illegal_words": Showing(ILLEGAL, turned=2),
    "put_back_words": Showing(PUT_BACK, turned=1),
    "question": Showing(
        replace(VIEW, verdict=VerdictColour.AMBER, question="abandon?", message_code="abandon_game",
                message="The starting position is set up: abandon this game?")
    ),
    "cannot_see": Showing(
        replace(VIEW, verdict=VerdictColour.AMBER, view_blocked="dark", message_code="view_dark",
                message="Too dark to see.")
    ),
    "no_camera": Showing(
        replace(VIEW, verdict=VerdictColour.AMBER, view_blocked="no_camera", message_code="view_no_camera",
                message="No picture from the camera."),
        fault="camera",
    ),
    "hint": Showing(VIEW, hint=HINT, hint_on=STARTING_POSITION, hint_until=99.0),
    "hint_list": Showing(VIEW, hint=HINT, hint_on=STARTING_POSITION, hint_until=99.0, turned=1),
    "hint_dark": Showing(VIEW, hint=DARK_HINT, hint_on=STARTING_POSITION, hint_until=99.0),
    "no_play": Showing(replace(VIEW, message_code="no_play", message="Anna has no legal play with 3-1: lift the dice.")),
    "not_saved": Showing(VIEW, fault="record"),
    "hint_cube": Showing(VIEW, hint=Hint("light", None, (), "double, take"), hint_until=99.0),
    "coach": Showing(
        VIEW, coach=CoachNote("light", "24/23 13/10", "8/5 6/5", 0.18, "blunder"), coach_until=99.0
    ),
    "score": Showing(VIEW, page=1, page_until=99.0),
    "plays": Showing(VIEW, page=2, page_until=99.0),
    "address": Showing(VIEW, page=3, page_until=99.0, address="http://192.168.178.142:8064/P/MFRGGZDFMZTWQ2LK"),
    "no_address": Showing(VIEW, page=3, page_until=99.0),
    "clock": Showing(replace(VIEW, clock=ClockView("delay", 598, 1200, "light", True, 4))),
    "clock_roll": Showing(
        replace(VIEW, phase=Phase.ROLL, side="dark", dice=None, message_code="to_roll", message="Dark to roll.",
                message_args={"side": "dark"}, clock=ClockView("delay", 35, -3, "dark", True))
    ),
    "clock_hours": Showing(replace(VIEW, cube=2, cube_owner="dark", clock=ClockView("delay", 4205, 3600, "dark"))),
    "ask_mode": Showing(
        replace(VIEW, phase=Phase.OPENING, message_code="ask_responsible", question="?", dice=None, message="?")
    ),
    "out_of_time": Showing(
        replace(VIEW, message_code="out_of_time_loss", question="?", message_args={"side": "dark", "points": 1}, message="?")
    ),
    "over": Showing(
        replace(VIEW, phase=Phase.OVER, side="dark", dice=None, message_code="game_won",
                message_args={"side": "dark", "points": 4, "kind": "gammon"},
                message="Dark wins 4 (gammon). Set up the next game.")
    ),
}  # fmt: skip
