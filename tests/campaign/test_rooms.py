"""One seed is one room, and the rooms differ in everything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi_board.campaign.rooms import MISHAPS, draw_room, fixed_from
from pi_board.errors import InvalidSettingsError
from pi_board.rules import RULE_SETS
from pi_board.simulator import FAULTS, STYLES
from pi_board.simulator.light import PRESETS


def test_one_seed_is_one_room() -> None:
    assert draw_room(7) == draw_room(7) != draw_room(8)


def test_everything_is_drawn() -> None:
    rooms = [draw_room(seed) for seed in range(400)]
    tables = [r.table for r in rooms]
    assert {t.style for t in tables} == set(STYLES)
    assert {t.rules for t in tables} == set(RULE_SETS)
    assert {t.light for t in tables} == set(PRESETS)
    assert {(t.near, t.home) for t in tables} == {
        (n, h) for n in ("light", "dark") for h in ("right", "left")
    }
    assert {t.pace for t in tables} == {"natural", "brisk", "sparse"}
    assert {t.fps for t in tables} >= {2.0, 10.0} and max(t.fps for t in tables) == 10
    assert {f for t in tables for _, f in t.faults} == {*MISHAPS, "cup_moved", "cup_lifted"} <= set(FAULTS)
    assert 0.2 < sum(r.profile == "generic" for r in rooms) / len(rooms) < 0.4
    assert 0.25 < sum(t.mount != "usual" for t in tables) / len(rooms) < 0.45
    assert 0.2 < sum(t.arm != "stiff" for t in tables) / len(rooms) < 0.4
    assert 0.2 < sum(t.sky != "steady" for t in tables) / len(rooms) < 0.4
    assert min(t.blur for t in tables) < 0.3 < 1.5 < max(t.blur for t in tables) <= 2.5
    house = [r for r in rooms if r.house]
    assert 0.1 < len(house) / len(rooms) < 0.3
    for room in house:
        assert all(getattr(room.rules, name) == value for name, value in room.house)
        assert room.simulator.rules == room.rules


def test_what_is_fixed_changes_nothing_else() -> None:
    fixed = fixed_from(["fps=3", "style=wood", "faults=3:cup,9:lamp", "told_home=left"])
    free, room = draw_room(11), draw_room(11, fixed)
    assert (room.table.fps, room.table.style, room.told_home) == (3.0, "wood", "left")
    assert room.table.faults == ((3, "cup"), (9, "lamp"))
    assert (room.table.light, room.table.noise, room.table.seed) == (free.table.light, free.table.noise, 11)


def test_a_set_may_be_drawn_as_well() -> None:
    fixed = fixed_from(["style=drawn"])
    free, room = draw_room(11), draw_room(11, fixed)
    assert (room.table.style, room.profile) == ("drawn-11", "generic")
    assert (room.table.light, room.table.faults) == (free.table.light, free.table.faults)
    assert draw_room(12, fixed).table.style == "drawn-12"


@pytest.mark.parametrize(("name", "plain"), [("mount", "usual"), ("arm", "stiff"), ("sky", "steady")])
def test_the_camera_may_hang_anyhow_on_any_arm_under_any_sky(name: str, plain: str) -> None:
    free, room = draw_room(11), draw_room(11, fixed_from([f"{name}=drawn"]))
    assert getattr(room.table, name) == "drawn-11"
    assert room.table == replace(free.table, **{name: "drawn-11"})
    assert getattr(draw_room(11, fixed_from([f"{name}={plain}"])).table, name) == plain


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fps", "NAME=VALUE"),
        ("seed=3", "NAME one of"),
        ("fps=fast", "expected float"),
        ("faults=x:cup", "expected tuple"),
        ("rules=mine", "expected one of"),
    ],
)
def test_wrong_fixed_values(text: str, says: str) -> None:
    with pytest.raises(InvalidSettingsError, match=says):
        fixed_from([text])
