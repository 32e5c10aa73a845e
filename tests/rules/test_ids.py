"""XGIDs, GNU Position IDs and Match IDs, both ways and refused with a reason."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pi_board.errors import InvalidPositionError
from pi_board.rules import (
    SIDES,
    STARTING_POSITION,
    GameState,
    Position,
    from_gnu_id,
    from_position_id,
    legal_plays,
    parse_xgid,
    to_gnu_id,
    to_match_id,
    to_position_id,
    to_xgid,
)

START = "-b----E-C---eE---c-e----B-"


def test_xgid_says_everything() -> None:
    state = parse_xgid(f"XGID={START}:2:-1:-1:62:3:1:0:7:10")
    assert state.position == STARTING_POSITION
    assert (state.cube, state.owner, state.turn, state.dice) == (4, "dark", "dark", (6, 2))
    assert (state.score, state.length, state.crawford, state.jacoby) == ((3, 1), 7, False, False)
    assert to_xgid(state) == f"XGID={START}:2:-1:-1:62:3:1:0:7:10"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("0:0:1:00:0:0:0:0:10", {"dice": None, "doubled": False, "length": 0}),
        ("0:0:1:D:0:0:0:0:10", {"doubled": True}),
        ("0:0:1:00:4:3:1:5:10", {"crawford": True, "score": (4, 3)}),
        ("0:0:1:00:0:0:1:0:10", {"jacoby": True, "beavers": False}),
        ("0:0:1:00:0:0:3:0:10", {"jacoby": True, "beavers": True}),
        ("0:0:1:00:0:0:2:0:10", {"jacoby": False, "beavers": True}),
        ("1:1:1:31:0:0:0:0:6", {"cube": 2, "owner": "light", "max_cube": 64}),
    ],
)
def test_xgid_fields(fields: str, expected: dict) -> None:
    state = parse_xgid(f"XGID={START}:{fields}")
    assert {name: getattr(state, name) for name in expected} == expected
    assert to_xgid(state) == f"XGID={START}:{fields}"


def test_xgid_without_prefix_and_tail() -> None:
    assert Position.from_xgid(START) == STARTING_POSITION
    assert Position.from_xgid(f"  {START}:0:0:1:31 ") == STARTING_POSITION
    bar = Position.from_xgid("bBC--------------------acA:0:0:1:00".replace("acA", "ac-", 1))
    assert bar.bar == (0, 2) and bar.off == (10, 9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"XGID={START[:-1]}:0:0:1:00", ["26 characters", "25"]),
        (f"XGID={START.replace('E', 'F', 1)}:0:0:1:00", ["15 checkers of X", "16"]),
        (f"XGID={START.replace('e', 'f', 1)}:0:0:1:00", ["15 checkers of O", "16"]),
        (f"XGID={START.replace('C', '?')}:0:0:1:00", ["character 9", "'?'"]),
        (f"XGID={START.replace('C', 'P')}:0:0:1:00", ["character 9"]),
        ("XGID=A" + START[1:] + ":0:0:1:00", ["O's bar"]),
        ("XGID=" + START[:-1] + "a:0:0:1:00", ["X's bar"]),
        (f"XGID={START}:x:0:1:00", ["cube", "'x'"]),
        (f"XGID={START}:0:2:1:00", ["cube owner", "'2'"]),
        (f"XGID={START}:0:0:0:00", ["turn", "'0'"]),
        (f"XGID={START}:0:0:1:71", ["dice", "'71'"]),
        (f"XGID={START}:0:0:1:B", ["beavers"]),
        (f"XGID={START}:0:0:1:00:-1", ["score of X"]),
        (f"XGID={START}:0:0:1:00:9:0:0:5:10", ["score", "below the match length 5"]),
        (f"XGID={START}:0:0:1:00:0:0:1:5:10", ["Crawford"]),
        (f"XGID={START}:0:0:1:00:0:0:2:5:10", ["rules"]),
        (f"XGID={START}:0:0:1:00:0:0:0:0:10:1", ["10 fields", "11"]),
        ("", ["26 characters", "0"]),
    ],
)
def test_bad_xgids_say_what_and_where(text: str, words: list[str]) -> None:
    with pytest.raises(InvalidPositionError) as error:
        parse_xgid(text)
    for word in words:
        assert word in str(error.value)


# As GNU Backgammon 1.07 tells them (set xgid / set gnubgid, double, resign; then show board).
GNU = [
    (f"{START}:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA:cAkAAAAAAAAE"),
    ("-BC---------------------c-:3:1:1:21:0:0:1:0:10", "BwAAsAMAAAAAAA:UwkFAAAAAAAA"),
    ("---AA-G-AB---A--a--Bcbbbe-:0:0:-1:00:0:0:0:0:10", "lD8NgQHftkMAAA:MAEAAAAAAAAE"),
    ("-DbCa-B-a---A------aaaDddA:0:0:-1:00:0:0:0:0:10", "zzEQgEfvqQAIGQ:MAEAAAAAAAAE"),
    ("a-BccBBB-BA-bC-A---c-a-b--:1:-1:1:00:2:0:0:7:10", "JgcMcEfGNosTAA:QQngAAAAEAAE"),
    ("aaAa-aD-B---dE--Ac-dA---A-:3:1:-1:00:0:0:1:0:10", "wjP4CCHgOXhAUg:EwEAAAAAAAAA"),
    ("-D----------------------c-:0:0:-1:55:5:2:0:7:10", "DwAA4AAAAAAAAA:MIH2ACAAKAAE"),
    ("---B-BCbB----D-----bbbbbcB:1:-1:1:41:0:0:1:0:10", "t20DwADMzuABYA:QQkGAAAAAAAA"),
    ("--A----------------bdbacb-:1:-1:-1:00:2:4:0:7:10", "AgAA7NobAAAAAA:AQHgAEAAEAAE"),
    ("------EBC-----a--b--ceDbbA:0:0:1:55:0:3:0:5:10", "m+8YAQDg2wGARw:cIm2ADAAAAAE"),
    ("-bFbC-E---ba---a----bbb-aA:0:0:1:D:0:0:0:5:10", "2QahATN+zgcAQA:cBGgAAAAAAAE"),
    ("-bFbC-E---ba---a----bbb-aA:0:0:-1:D:0:0:0:5:10", "fs4HAEDZBqEBMw:MBmgAAAAAAAE"),
]


@pytest.mark.parametrize(("xgid", "gnu"), GNU)
def test_gnu_ids_as_the_program_writes_them(xgid: str, gnu: str) -> None:
    state = parse_xgid(xgid)
    assert to_gnu_id(state) == gnu
    assert from_gnu_id(gnu) == state
    assert from_position_id(gnu.split(":")[0], state.turn) == state.position


def test_a_resignation_in_a_match_id() -> None:
    state = replace(parse_xgid("-bFbC-E---ba---a----bbb-aA:0:0:1:54:0:0:0:5:10"), resigned=2)
    again = from_gnu_id(to_gnu_id(state))
    assert again == state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4HPwATDgc/ABM", ["14 characters", "13"]),
        ("4HPwATDgc/AB!A", ["letters, digits"]),
        ("//////////////", ["Position ID"]),
        ("//8AAAAAAAAAAA", ["at most 15 checkers", "16"]),
        ("AAAAAAAAAAAAAQ", ["after the last place"]),
    ],
)
def test_bad_position_ids(text: str, words: list[str]) -> None:
    with pytest.raises(InvalidPositionError) as error:
        from_position_id(text)
    for word in words:
        assert word in str(error.value)


def test_both_sides_on_one_point_is_refused() -> None:
    # One checker of the other side on its 24 point, one of the side on roll on its ace point: the same place.
    bits = "0" * 23 + "10" + "0" + "10" + "0" * 24
    value = int(bits[::-1], 2)
    import base64

    text = base64.b64encode(value.to_bytes(10, "little")).decode().rstrip("=")
    with pytest.raises(InvalidPositionError, match="point 1: expected one side"):
        from_position_id(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4HPwATDgc/ABMA", ["Position ID:Match ID"]),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", ["12 characters"]),
        ("4HPwATDgc/ABMA:IAkAAAAAAAAE", ["cube owner"]),
        ("4HPwATDgc/ABMA:cIkDAAAAAAAE", ["dice"]),
    ],
)
def test_bad_match_ids(text: str, words: list[str]) -> None:
    with pytest.raises(InvalidPositionError) as error:
        from_gnu_id(text)
    for word in words:
        assert word in str(error.value)


def test_match_id_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(InvalidPositionError, match="cube"):
        to_match_id(GameState(STARTING_POSITION, cube=2**16))


def test_every_id_of_a_random_game_round_trips() -> None:
    rng = random.Random(3)
    position, side = STARTING_POSITION, "light"
    for _ in range(150):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        state = GameState(
            position,
            cube=2,
            owner=rng.choice(SIDES),
            turn=side,
            dice=dice,
            score=(1, 2),
            length=5,  # type: ignore[arg-type]
        )
        assert parse_xgid(to_xgid(state)) == state
        assert from_gnu_id(to_gnu_id(state)) == state
        for turn in SIDES:
            assert from_position_id(to_position_id(position, turn), turn) == position
        position = rng.choice(legal_plays(position, dice, side)).result  # type: ignore[arg-type]
        if 15 in position.off:
            position = STARTING_POSITION
        side = "dark" if side == "light" else "light"
