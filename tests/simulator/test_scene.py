from __future__ import annotations

import itertools

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION
from pi_board.simulator import Scene
from pi_board.simulator.options import PACES
from pi_board.simulator.performer import Performer
from pi_board.simulator.scene import nearest, own_place
from pi_board.simulator.still import random_position
from pi_board.simulator.things import CUBE_NORMALS, DIE_NORMALS, Cup, face_axes, lying, rotation, upright


def top_face(turn, normals=DIE_NORMALS) -> int:
    """The number whose face looks most upward."""
    return max(normals, key=lambda v: float(np.asarray(turn)[2] @ np.asarray(normals[v], np.float64)))


@pytest.mark.parametrize("seed", range(20))
def test_position_lies_as_it_was_set(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene("felt" if seed % 2 else "travel", rng=rng, near="dark" if seed % 3 else "light")
    position = random_position(rng)
    scene.set_position(position)
    assert scene.position() == position
    s = scene.style
    places = [c for (kind, _), stack in scene.places.items() if kind == "point" for c in stack]
    for c in places:
        assert abs(c.x) <= s.field_width / 2 and abs(c.y) <= s.field_height / 2 + 0.1
    flat = [c for c in places if c.z == 0]
    for i, a in enumerate(flat):
        for b in flat[:i]:
            gap = np.hypot(a.x - b.x, a.y - b.y) - s.checker_diameter
            assert gap > -0.12 * s.checker_diameter, "checkers lie beside each other, not in each other"


@pytest.mark.parametrize("seed", range(8))
def test_no_two_checkers_of_a_point_lie_in_one_place(seed: int) -> None:
    """A sixth lies in the row or on it, and what comes and goes across changes nothing that lies there."""
    scene = Scene("wood", rng=np.random.default_rng(seed))
    scene.places = {}
    for _ in range(4):
        scene.put("light", ("point", 2))
    for n in range(15):
        scene.put("dark", ("point", 23))
        if n == 5:
            scene.take(("point", 2))
    for i, a in enumerate(scene.places["point", 23]):
        for b in scene.places["point", 23][:i]:
            apart = np.hypot(a.x - b.x, a.y - b.y) / scene.style.checker_diameter
            assert apart > 0.8 or abs(a.z - b.z) > 0.9 * scene.style.checker_height


@pytest.mark.parametrize("point", [3, 22])
def test_a_point_that_is_hit_and_left_again_and_again_is_filled_from_its_edge(point: int) -> None:
    scene = Scene("wood", rng=np.random.default_rng(1))
    scene.places = {}
    scene.put("light", ("point", point))
    for side, other in [("light", "dark"), ("dark", "light")] * 3:
        # The hitter is laid beside the checker that it hits; taken back, that one is laid beside the hitter.
        scene.put(other, ("point", point))
        scene.take(("point", point), side)
    for _ in range(2):
        scene.put("light", ("point", point))
    edge, style = scene.layout.point_place(point, 0)[1], scene.style
    rows = sorted(abs(edge - c.y) / style.checker_diameter for c in scene.places["point", point])
    assert rows[0] < 1.3 and rows[-1] < 4.5
    assert all(0.9 < b - a < 1.2 for a, b in itertools.pairwise(rows))


def test_own_numbering() -> None:
    assert own_place("light", 25) == ("bar", "light") and own_place("dark", 0) == ("off", "dark")
    assert own_place("light", 6) == ("point", 6) and own_place("dark", 6) == ("point", 19)


@pytest.mark.parametrize("side", ["light", "dark"])
def test_dice_lie_free_in_the_right_hand_half(side) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        scene = Scene("wood", rng=rng)
        a, b = scene.lay_die(side, 3), scene.lay_die(side, 5)
        sign = scene.layout.right_half_sign(side)
        for die in (a, b):
            assert die.x * sign > scene.style.bar_width / 2 and top_face(die.turn) == die.value
        assert np.hypot(a.x - b.x, a.y - b.y) > a.size
        for stack in scene.places.values():
            for c in stack:
                reach = np.hypot(c.x - a.x, c.y - a.y)
                assert reach > scene.style.checker_diameter / 2 + a.size * 0.55


def test_bad_throws_look_bad() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        scene = Scene("travel", rng=rng)
        leaning = scene.cocked_die("light", 4, "light")
        up = max(np.asarray(leaning.turn)[2] @ np.asarray(n) for n in DIE_NORMALS.values())
        assert leaning.cocked and 0.6 < up < 0.95 and top_face(leaning.turn) == 4
        above = scene.die_on_checker("dark", 2, "dark")
        assert above.on_checker and above.z >= scene.style.checker_height + above.size / 2 - 1e-9
        out = scene.outside_die("light", 6)
        assert abs(out.x) > scene.style.field_width / 2 and out.z < 0


def test_dice_are_dice() -> None:
    assert all(tuple(-v for v in DIE_NORMALS[n]) == DIE_NORMALS[7 - n] for n in range(1, 7))
    for faces in (DIE_NORMALS, CUBE_NORMALS):
        for value, normal in faces.items():
            turn = lying(normal, 33.0)
            assert np.allclose(turn @ turn.T, np.eye(3)) and np.linalg.det(turn) == pytest.approx(1)
            assert top_face(turn, faces) == value
    assert np.allclose(rotation((0, 0, 1), 90) @ (1, 0, 0), (0, 1, 0))


@pytest.mark.parametrize("heading", [90.0, 270.0, 33.0])
def test_print_stands_upright(heading: float) -> None:
    for normal in CUBE_NORMALS.values():
        turn = upright(normal, heading)
        right, up = (turn @ v for v in face_axes(normal))
        assert np.allclose(up[:2], (np.cos(np.radians(heading)), np.sin(np.radians(heading))))
        assert np.allclose(np.cross(right, up), (0, 0, 1)), "not mirrored"


@pytest.mark.parametrize(("value", "face"), [(1, 64), (2, 2), (64, 64), (128, 2), (256, 4)])
def test_cube_shows_its_stake(value: int, face: int) -> None:
    scene = Scene("travel")
    scene.set_cube(value, "dark" if value > 1 else None)
    assert scene.cube is not None and scene.cube.face == face
    assert top_face(scene.cube.turn, CUBE_NORMALS) == face
    assert (scene.cube.y > 5) == (value > 1), "dark sits at the far edge here"


def test_players_hear_each_word_once() -> None:
    scene = Scene("travel")
    assert scene.position() == STARTING_POSITION
    scene.tell("illegal")
    scene.tell("noise")
    assert scene.hear() == ["illegal", "noise"] and scene.hear() == []


@pytest.mark.parametrize("about", ["8-10, 13", "", "bar"], ids=["points", "a die", "the bar"])
def test_asked_to_people_move_the_cup_that_is_meant_to_where_it_hides_nothing_of_that(about: str) -> None:
    for seed in range(8):
        scene = Scene("travel", rng=np.random.default_rng(seed))
        scene.set_position(STARTING_POSITION)
        there = scene.layout.point_place(9, 4)[:2]
        scene.dice = [scene.flat_die("light", 3, there[0] + 1.0, 0.5)]
        elsewhere = Cup(*scene.layout.point_place(21, 4)[:2], radius=2.0)
        scene.clutter = [elsewhere, Cup(*there, radius=2.0)]
        hands = Performer(scene, PACES["sparse"], np.random.default_rng(seed))
        hands.about = about
        for _ in hands.make_room("light"):
            pass
        assert elsewhere in scene.clutter and len(scene.clutter) == 2, "the other one stands where it stood"
        (moved,) = (cup for cup in scene.clutter if cup is not elsewhere)
        assert nearest(moved.x, moved.y, [(d.x, d.y) for d in scene.dice]) > 4.0
