"""`BoardReader` on simulated pictures; the real measure is `tests/bench/bench_vision.py`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION, Position, legal_plays
from pi_board.sighting import COUNTS, SLOTS, ZERO, DieSeen, Gate
from pi_board.simulator.things import Hand
from pi_board.vision import reader as reader_module
from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.budget import MODEL
from pi_board.vision.checkers.blind import BlindReader
from pi_board.vision.dice.cube import find_dice_and_cube
from pi_board.vision.dice.footprint import against_checkers
from pi_board.vision.gate import Obstacle
from pi_board.vision.in_play import dice as dice_module
from pi_board.vision.products import Products
from pi_board.vision.reader import BoardReader, signed_counts
from tests.vision.simulated_board import SimulatedBoard, board_without_cube, random_positions, wrong_slots

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes"


@pytest.fixture(autouse=True)
def no_dice(monkeypatch):
    """Dice and cube have tests of their own; none lie on these boards."""
    monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: ([], None))


def against(reader: BoardReader, die: DieSeen) -> DieSeen:
    checkers = reader._dice.checkers()
    assert checkers is not None and reader.geometry is not None
    return against_checkers(die, checkers, reader.geometry, reader.profile)


def reads_on(board: SimulatedBoard, reader: BoardReader, positions: list[Position]) -> None:
    """Every one of `positions` is read right when it is laid out, then learned."""
    for position in positions:
        board.scene.set_position(position)
        sighting = reader.look(board.frame())
        assert sighting.settled, (sighting.gate, sighting.note)
        assert wrong_slots(sighting.log_likelihood, position) == []
        reader.learn(position)


@pytest.mark.parametrize(
    ("style", "near", "home"),
    [("travel", "light", "right"), ("wood", "dark", "right"), ("felt", "light", "left")],
)
def test_start_and_two_more_positions(style, near, home) -> None:
    board = board_without_cube(style, near=near, home=home)
    reader = board.reader()
    sighting = reader.look(board.frame(name="first"))
    assert sighting.settled and sighting.name == "first"
    assert sighting.log_likelihood.shape == (SLOTS, COUNTS)
    assert wrong_slots(sighting.log_likelihood, STARTING_POSITION) == []
    reader.learn(STARTING_POSITION)
    reads_on(board, reader, random_positions(2, seed=11, plies=1))


def test_a_second_opinion_that_calls_the_sides_otherwise_changes_nothing(monkeypatch) -> None:
    board = board_without_cube("wood")
    reader = board.reader()
    reader.look(board.frame())
    names = BlindReader.look_again
    monkeypatch.setattr(
        BlindReader, "look_again", lambda *args, **known: names(*args, **known).with_other_names()
    )
    # (The second board is far from the first: who has learned the sides tells them wherever they lie.)
    reads_on(board, reader, random_positions(2, seed=2, plies=12))


@pytest.mark.parametrize("style", [pytest.param("travel", marks=pytest.mark.slow), "felt"])
def test_the_shadow_of_a_window_falls_on_checkers_that_were_learned_in_the_light(style) -> None:
    """Low sun: the bars of the window draw hard shadows over the board; every checker moves from light to shadow and back."""
    board = SimulatedBoard(style, light="sun", tilt=10.0, size=(1280, 720), seed=11)
    board.scene.cube = None
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    reads_on(board, reader, random_positions(5, seed=11, plies=2))


@pytest.mark.parametrize("style", ["travel", "wood", "felt"])
def test_six_in_a_row_are_checkers_and_no_hand(style) -> None:
    """A long row reaches over the middle of the board; nothing else is unusual about it."""
    board = board_without_cube(style)
    board.scene.layer_from = 6
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    light = {1: 6, 2: 2, 3: 5, 6: 2}
    dark = {16: 2, 19: 2, 20: 3, 22: 2, 23: 5, 24: 1}
    position = Position(tuple(light.get(p, 0) - dark.get(p, 0) for p in range(1, 25)), (0, 0), (0, 0))
    board.scene.set_position(position)
    sighting = reader.look(board.frame())
    assert sighting.settled, sighting.gate
    assert wrong_slots(sighting.log_likelihood, position) == []
    # Learned as a checker and not as the board: when it has gone, the bare board is nothing strange.
    reader.learn(position)
    assert reader.appearance is not None
    assert sum(d.slot == 0 for d in reader.appearance.discs) == 6
    light.update({1: 5, 8: 1})
    position = Position(tuple(light.get(p, 0) - dark.get(p, 0) for p in range(1, 25)), (0, 0), (0, 0))
    board.scene.set_position(position)
    sighting = reader.look(board.frame())
    assert sighting.settled, sighting.gate
    assert wrong_slots(sighting.log_likelihood, position) == []


@pytest.mark.parametrize("gain", [0.45, 0.7, 1.25])
def test_the_lamp_does_not_matter(gain) -> None:
    board = board_without_cube("wood", light="diffuse")
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    position = random_positions(1, seed=3, plies=2)[0]
    board.scene.set_position(position)
    board.scene.effects = replace(board.scene.effects, gain=gain)
    sighting = reader.look(board.frame())
    assert sighting.settled, (sighting.gate, sighting.note)
    assert wrong_slots(sighting.log_likelihood, position) == []


@pytest.mark.parametrize("skin", [(0.45, 0.58, 0.78), (0.12, 0.2, 0.35)])
@pytest.mark.parametrize("style", ["travel", "felt"])
def test_a_hand_is_never_settled(style, skin) -> None:
    board = board_without_cube(style)
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    for x, y, angle in ((3.0, -4.0, 90.0), (-6.0, 5.0, 270.0)):
        sighting = reader.look(board.frame((Hand(x, y, 2.0, angle, skin=skin),)))
        assert sighting.gate in (Gate.HAND, Gate.BLURRED, Gate.BLOCKED)
        assert sighting.log_likelihood is None
    assert reader.look(board.frame()).settled


def test_a_hand_is_plain_to_see_before_anything_is_read_and_the_look_after_it_is_whole(monkeypatch) -> None:
    board = board_without_cube("travel")
    reader = board.reader(motion=True)
    for _ in range(6):
        reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    read = []
    monkeypatch.setattr(
        dice_module, "find_dice_and_cube", lambda *a, **k: (read.append(k.get("still")), ([], None))[1]
    )
    hand = (Hand(3.0, -4.0, 2.0, 90.0),)
    gates = [reader.look(board.frame(hand)).gate for _ in range(6)]
    assert gates[-2:] == [Gate.HAND] * 2 and Gate.SETTLED not in gates, gates
    assert len(read) == gates.count(Gate.HAND) - 1, "the first look at the hand is spared, and only that"
    assert not read[0], (
        "the picture before showed the same, but no dice were looked for in it (2850004: two dice, taken for a hand)"
    )
    for _ in range(5):
        sighting = reader.look(board.frame())
    assert sighting.settled


@pytest.mark.parametrize(("seconds", "looks"), [(0.01, (3, 8)), (0.9, (1, 2))])
def test_dice_that_lie_beside_a_moving_hand_are_read_less_often_where_looks_are_dear(seconds, looks) -> None:
    board = board_without_cube("travel")
    reader = board.reader(motion=True)
    for _ in range(6):
        reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    assert reader.look(board.frame()).settled
    reader.budget.note("again", seconds)
    board.scene.dice = [board.scene.flat_die("dark", 4, 4.0, 2.0), board.scene.flat_die("dark", 1, 6.5, 0.5)]
    moving = [reader.look(board.frame((Hand(-6.0 + 0.7 * k, -5.0 + (k % 2), 2.0, 90.0),))) for k in range(8)]
    assert {s.gate for s in moving} <= {Gate.MOVING, Gate.HAND}
    seen = [sorted(d.value for d in s.dice) for s in moving if s.dice]
    assert all(values == [1, 4] for values in seen)
    assert looks[0] <= len(seen) <= looks[1]


def test_a_scene_that_rests_is_looked_at_less_often_where_looks_are_dear() -> None:
    looks = []
    for seconds in (0.01, 0.9):
        board = board_without_cube("travel")
        reader, frame = board.reader(motion=True), board.frame()
        for k in range(108):
            if k == 8:
                reader.learn(STARTING_POSITION)
                looks.append(0)
            assert reader.look(replace(frame, time=0.1 * k, seq=k)).settled or k < 8
            if k >= 8:
                looks[-1] += reader.effort != "none"
            reader.budget.note("again", seconds)
    assert 3 <= looks[0] <= 8 and 1 <= looks[1] <= 3, looks


@pytest.mark.parametrize("seconds", [0.01, 0.9])
def test_learning_waits_until_nobody_waits_for_a_look_where_looks_are_dear(seconds) -> None:
    board = board_without_cube("travel")
    reader, frame = board.reader(motion=True), board.frame()
    for k in range(8):
        reader.look(replace(frame, time=0.1 * k, seq=k))
        reader.budget.note("again", seconds)
    reader.learn(STARTING_POSITION)
    position = random_positions(1, seed=3, plies=1)[0]
    board.play_to(position)
    frame = board.frame()
    for k in range(8, 12):
        sighting = reader.look(replace(frame, time=0.1 * k, seq=k))
    assert sighting.settled
    before = reader.appearance.counts.copy()
    reader.learn(position)
    dear = seconds > MODEL.dear
    assert (reader.appearance.counts == before).all() == dear
    hand = board.frame((Hand(3.0, -4.0, 2.0, 90.0),))
    assert not reader.look(replace(hand, time=1.2, seq=12)).settled
    assert (reader.appearance.counts == signed_counts(position)).all()
    assert wrong_slots(sighting.log_likelihood, position) == []


def test_a_glimpse_at_a_picture_in_motion_and_a_look_share_what_the_finder_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both see the same part of the picture, so that after either only what has changed is looked at."""
    monkeypatch.setattr(dice_module, "find_dice_and_cube", find_dice_and_cube)
    board = board_without_cube("travel")
    reader = board.reader()
    frame = board.frame()
    reader.look(frame)
    reader.learn(STARTING_POSITION)
    networks: list[tuple[int, ...]] = []
    make = Products.__init__
    monkeypatch.setattr(
        Products,
        "__init__",
        lambda self, layers, shape: (networks.append(shape), make(self, layers, shape))[1],
    )
    assert reader._dice.beside_a_hand(replace(frame, time=5.0)) == ()
    board.play_to(random_positions(1, seed=5, plies=1)[0])
    assert reader.look(board.frame()).settled
    assert [shape for shape in networks if shape[0] == 3 and shape[1] > 100] == []


def test_whether_the_board_has_moved_is_not_asked_after_a_play_but_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = board_without_cube("travel")
    reader = board.reader()
    reader.look(board.frame())
    asked: list[int] = []
    compare = BumpWatch.compare
    monkeypatch.setattr(BumpWatch, "compare", lambda *a: (asked.append(1), compare(*a))[1])
    board.play_to(random_positions(1, seed=5, plies=1)[0])
    assert reader.look(board.frame()).settled and not asked
    for _ in range(reader_module.REFRESH_EVERY):
        assert reader.look(board.frame()).settled
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("spoil", "gate"),
    [
        (lambda im: np.zeros_like(im), Gate.DARK),
        (lambda im: np.full_like(im, 255), Gate.OVEREXPOSED),
        (lambda im: cv2.GaussianBlur(im, (0, 0), 9), Gate.BLURRED),
        (lambda im: np.full_like(im, 90), Gate.BLOCKED),
    ],
)
def test_spoiled_pictures_are_named(spoil, gate) -> None:
    board = board_without_cube("travel")
    reader = board.reader()
    frame = board.frame()
    reader.look(frame)
    sighting = reader.look(Frame(spoil(frame.image), 1.0, 9))
    assert sighting.gate is gate
    assert sighting.log_likelihood is None


def test_another_position_than_the_expected_start_is_not_learned() -> None:
    board = board_without_cube("travel")
    position = random_positions(1, seed=5, plies=12)[0]
    board.scene.set_position(position)
    reader = board.reader()
    sighting = reader.look(board.frame())
    assert sighting.settled and not sighting.log_likelihood.any() and sighting.note
    # Told which position it is (a game that goes on), it learns from that.
    reader.learn(position)
    sighting = reader.look(board.frame())
    assert sighting.settled
    assert wrong_slots(sighting.log_likelihood, position) == []
    assert isinstance(position, Position)


def test_reset_forgets() -> None:
    board = board_without_cube("travel")
    reader = board.reader()
    reader.look(board.frame())
    reader.reset()
    assert reader.appearance is None
    reader.learn(STARTING_POSITION)  # nothing seen yet: nothing to learn from
    assert reader.appearance is None
    assert wrong_slots(reader.look(board.frame()).log_likelihood, STARTING_POSITION) == []


@pytest.mark.parametrize(
    ("seen", "slot", "cocked"),
    [
        pytest.param(None, 5, False, id="no dice"),
        pytest.param((None, 0.0), 5, False, id="a checker's rings, taken for a die"),
        pytest.param((None, 0.6), 5, False, id="a die that can't be read, elsewhere"),
        pytest.param((4, 0.0), 5, False, id="a die upon a checker, elsewhere"),
        pytest.param((None, 0.6), 16, True, id="a die that can't be read beside it"),
        pytest.param((4, 0.0), 16, True, id="a die where the checker was"),
    ],
)
def test_a_die_lies_flat_where_a_checker_was_before_it_was_moved_away(
    seen: tuple[int | None, float] | None, slot: int, cocked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The play was seen but not accepted yet: what counts is the last look, and beside dice what stood there when none lay there. (The rings
    of a dark checker were taken for a die in every look, and a roll that lay where a checker had been for a cocked one: `bench campaign
    --seed 1920012 --slow 15`.)"""
    board = board_without_cube("wood")
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    if seen is not None:
        other = next(d for d in reader.appearance.discs if d.slot == slot)
        x, y = reader.canvas.cm([(other.x + seen[1] * CHECKER_PX, other.y)])[0]
        x, y = reader.geometry.project([[x, y, reader.profile.checker_height]])[0]
        there = DieSeen(seen[0], 0.96, float(x), float(y), 20.0, "light")
        monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: ([there], None))
    disc = next(d for d in reader.appearance.discs if d.slot == 16)  # dark's three on 17
    points = list(STARTING_POSITION.points)
    points[16], points[18], points[11] = 0, -6, -7
    board.scene.set_position(Position(tuple(points), (0, 0), (0, 0)))
    x, y = reader.canvas.cm([(disc.x, disc.y)])[0]
    top = reader.geometry.project([[x, y, 0.8 * reader.profile.die_size]])[0]
    die = DieSeen(3, 0.99, float(top[0]), float(top[1]), 20.0, "light")
    assert against(reader, die).cocked
    frame = board.frame()
    if seen is not None and seen[0] is not None:
        # (A real one: what looks like the other checkers is none.)
        corners = [(round(there.x + d), round(there.y + d)) for d in (-9, 9)]
        cv2.rectangle(frame.image, *corners, (40, 160, 40), -1)
    assert reader.look(frame).settled
    assert against(reader, die).cocked == cocked


def test_only_what_lies_where_the_cube_lay_is_taken_for_it(monkeypatch) -> None:
    """A cube between checkers that are pushed against it may not be known: it is no obstacle while it is found nowhere else."""
    board = SimulatedBoard("travel")
    monkeypatch.undo()  # the real cube
    reader = board.reader()
    reader.look(board.frame())
    assert reader.state.picture.cube is not None and reader.state.picture.cube.place == "center"
    lay = reader.state.lying.cube
    rows, columns = np.nonzero(lay)
    there = np.zeros_like(lay)
    there[rows.min() : rows.max(), columns.min() : columns.max()] = True
    elsewhere = np.roll(there, 3 * int(np.ptp(rows)), axis=0)
    cube = reader.state.picture.cube
    cases = [
        (there, False, None, True),
        (elsewhere, False, None, False),
        (there, True, None, False),
        (there, False, cube, False),
    ]
    for mask, enters, seen, expected in cases:
        reader.state.picture.cube = seen
        assert reader._dice.is_the_cube(Obstacle(1.5, enters, mask, mask)) is expected


@pytest.mark.slow
@pytest.mark.skipif(not SCENES.is_dir(), reason=f"no shared data at {SCENES}")
@pytest.mark.parametrize("sequence", ["game_dev", "game_wood"])
def test_game_sequences(sequence, monkeypatch) -> None:
    """Photo-real games from the first picture to the last, with real dice finding: no hand read, every settled position right
    (a point that holds both colours is no position)."""
    monkeypatch.undo()
    from tests.bench import bench_vision

    result = bench_vision.run_sequence(SCENES / sequence)
    assert result.hands_read == 0
    assert result.right + result.mixed == result.settled
    assert result.slots[0] >= 0.995 * result.slots[1]


@pytest.mark.parametrize("style", ["travel", "wood"])
def test_a_die_on_a_checker_is_cocked_and_one_beside_it_is_not(style) -> None:
    board = board_without_cube(style)
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    disc = reader.appearance.discs[0]
    reach = 0.5 * reader.profile.checker_diameter + 0.5 * reader.profile.die_size
    middle = reader.canvas.cm([(disc.x, disc.y)])[0]
    height = reader.profile.checker_height + reader.profile.die_size
    above = reader.geometry.project([[middle[0], middle[1], height]])[0]
    on_top = against(reader, DieSeen(3, 0.99, float(above[0]), float(above[1]), 20.0, "light"))
    assert on_top.cocked and on_top.on_checker
    sign = -1.0 if middle[1] > 0 else 1.0
    last = max(
        (d for d in reader.appearance.discs if d.slot == disc.slot),
        key=lambda d: sign * reader.canvas.cm([(d.x, d.y)])[0][1],
    )
    foot = reader.canvas.cm([(last.x, last.y)])[0]
    beside = reader.geometry.project([[foot[0], foot[1] + sign * reach, 0.8 * reader.profile.die_size]])[0]
    flat = DieSeen(3, 0.99, float(beside[0]), float(beside[1]), 20.0, "light")
    assert not against(reader, flat).cocked


@pytest.mark.parametrize(("known", "learned"), [("before", True), ("all", True), ("other", False)])
def test_a_reader_that_comes_into_the_middle_of_a_game_learns_from_what_may_lie_there(
    known: str, learned: bool
) -> None:
    """After a power cut nobody sets up the starting position again. What the game cannot have come to is not learned."""
    board = SimulatedBoard("wood", seed=3, light="window")
    before = random_positions(1, seed=5)[0]
    after = legal_plays(before, (6, 4), "light")[0].result
    may_show = {
        "before": [before],
        "all": [STARTING_POSITION, *(p.result for p in legal_plays(before, (6, 4), "light"))],
        "other": [],
    }[known]
    board.play_to(before if known == "before" else after)
    reader = board.reader(motion=True)
    reader.go_on(may_show)
    seen = [reader.look(board.frame()) for _ in range(16)]
    assert (reader.appearance is not None) == learned
    if learned:
        lies = before if known == "before" else after
        assert seen[-1].settled and not wrong_slots(seen[-1].log_likelihood, lies)


@pytest.mark.parametrize(("style", "light"), [("travel", (0,)), ("wood", (0, 2))])
def test_a_reader_that_comes_in_at_the_end_learns_from_the_few_checkers_that_are_left(
    style: str, light: tuple[int, ...]
) -> None:
    """One or two of light's and two of dark's; then one of dark's is borne off."""
    points = [0] * 24
    for place in light:
        points[place] += 1
    points[23], points[21] = -1, -1
    last = Position(tuple(points), (0, 0), (15 - len(light), 13))
    board = SimulatedBoard(style, seed=3, light="window")
    board.play_to(last)
    reader = board.reader(motion=True)
    reader.go_on([last])
    for _ in range(8):
        reader.look(board.frame())
    assert reader.appearance is not None
    points[21] = 0
    board.play_to(Position(tuple(points), (0, 0), (15 - len(light), 14)))
    seen = [reader.look(board.frame()) for _ in range(10)]
    table = seen[-1].log_likelihood[:24]
    assert seen[-1].settled
    assert (table.argmax(axis=1) - ZERO == np.array(points)).all()
