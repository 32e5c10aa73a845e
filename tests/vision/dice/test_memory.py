"""What did not change is not read again, and what did is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pi_board.vision.changes import unchanged
from pi_board.vision.dice import pips, place_reading, reading
from pi_board.vision.dice.cube import find_dice_and_cube
from pi_board.vision.dice.found import Found
from pi_board.vision.dice.memory import Memory
from pi_board.vision.dice.options import DiceOptions
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.dice.survey import survey
from tests.vision.dice.test_reading import BLACK, WHITE, board, draw_die

IN_PLAY = DiceOptions(least_confidence=0.75, least_valued=0.985)


def noisy(picture: np.ndarray, seed: int) -> np.ndarray:
    return np.clip(picture + np.random.default_rng(seed).normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


def test_a_still_picture_is_hardly_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK), (12.0, -3.0, 1.1, 3, WHITE, BLACK)])
    memory, read = Memory(), []
    run = pips.ask
    monkeypatch.setattr(pips, "ask", lambda net, batch: (read.append(len(batch)), run(net, batch))[1])
    for seed in range(4):
        assert sorted(d.value or 0 for d in find_dice(noisy(picture, seed), geometry, memory=memory)) == [
            3,
            5,
        ]
        if not seed:
            first, read[:] = sum(read), []
    assert sum(read) < first  # three more pictures together: less than the first
    for seed in range(4, 10):
        find_dice(noisy(picture, seed), geometry, memory=memory)
    assert sum(read) >= 2  # but a reading does not stand for ever


def test_dice_that_came_to_lie_are_read_once_while_the_scene_is_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    empty, geometry = board([])
    picture, _ = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK), (12.0, -3.0, 1.1, 3, WHITE, BLACK)])
    memory, read = Memory(), []
    find_dice_and_cube(empty, geometry, memory=memory)
    (first, _) = find_dice_and_cube(picture, geometry, memory=memory)
    run = pips.ask
    monkeypatch.setattr(pips, "ask", lambda net, batch: (read.append(len(batch)), run(net, batch))[1])
    (again, _) = find_dice_and_cube(picture, geometry, memory=memory, still=True)
    assert [d.value for d in again] == [d.value for d in first] and not read


def test_what_is_plainly_the_cube_is_no_open_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cube that resembles a die enough to be read as one, but not enough to be one."""
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    seen = survey(picture, geometry, (0.15, 0.07))
    (die,) = [f for f in seen.found if f.kind == "die" and f.heat > 0.3]
    cube = replace(die, kind="cube", heat=die.heat + 0.2)
    read = pips.PipReading(np.array([0.09, 0, 0, 0, 0, 0.03, 0.88], np.float32))
    asked = []
    monkeypatch.setattr(place_reading, "_read_closely", lambda *a: (asked.append(1), read)[1])
    for cubes, times in (([cube], 1), ([], 2)):
        memory = Memory()
        memory.last_look(memory.view(geometry, (0.15, 0.07)).flat(picture), seen.to_picture)
        asked.clear()
        for _ in range(2):
            place_reading.read_places(picture, seen, [die], np.zeros((1, 2)), 0.25, memory, cubes)
        assert len(asked) == times


@pytest.mark.parametrize(("chance", "times"), [(0.9, place_reading._NONE_AGAIN), (0.995, 6)])
def test_what_is_hardly_a_die_is_not_asked_for_ever(
    monkeypatch: pytest.MonkeyPatch, chance: float, times: int
) -> None:
    """Read in every picture until it has been none in some; what is a die of doubtful value goes on being read."""
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    seen = survey(picture, geometry, (0.15, 0.07))
    (die,) = [replace(f, heat=0.5) for f in seen.found if f.kind == "die" and f.heat > 0.3]
    read = pips.PipReading(np.array([1 - chance, 0, 0, 0, 0, 0.1, chance - 0.1], np.float32))
    asked = []
    monkeypatch.setattr(place_reading, "_read_closely", lambda *a: (asked.append(1), read)[1])
    memory = Memory()
    memory.last_look(memory.view(geometry, (0.15, 0.07)).flat(picture), seen.to_picture)
    memory.keep_look(replace(seen, found=[die]))
    for _ in range(6):
        place_reading.read_places(picture, seen, [die], np.zeros((1, 2)), 0.25, memory, (), 0.95)
        memory.look_again()
    assert len(asked) == times


def test_a_die_turned_where_it_lay_is_read_anew() -> None:
    memory = Memory()
    for value in (5, 3, 2, 6, 4, 1):
        picture, geometry = board([(8.0, 1.0, 0.4, value, WHITE, BLACK), (12.0, -3.0, 1.1, 3, WHITE, BLACK)])
        assert sorted(d.value or 0 for d in find_dice(picture, geometry, memory=memory)) == sorted([value, 3])


def test_dice_that_were_taken_up_or_moved_are_gone() -> None:
    memory = Memory()
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    assert len(find_dice(picture, geometry, memory=memory)) == 1
    picture, geometry = board([(-8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    assert [d.half for d in find_dice(picture, geometry, memory=memory)] == ["dark"]
    picture, geometry = board([])
    assert find_dice(picture, geometry, memory=memory) == []


def test_another_view_is_read_anew() -> None:
    memory = Memory()
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    find_dice(picture, geometry, memory=memory)
    moved = np.roll(picture, 9, axis=1)
    (die,) = find_dice(moved, geometry.with_corners(geometry.corners + np.array([9.0, 0.0])), memory=memory)
    assert die.x == pytest.approx(geometry.project([[8.0, 1.0]])[0][0] + 9, abs=3)


def test_the_lamp_alone_changes_nothing_and_one_pip_does() -> None:
    picture = np.full((48, 48, 3), 120, np.uint8)
    assert unchanged(picture, picture + np.uint8(10), 4, 6.0)
    pip = picture.copy()
    pip[20:23, 20:23] -= 40
    assert not unchanged(picture, pip, 4, 6.0)
    die = picture.copy()
    draw_die(die, 24, 24, 16, 0.2, 3, WHITE, BLACK)
    assert not unchanged(picture, die, 4, 6.0)


def test_weak_candidates_are_scenery_until_the_view_changes() -> None:
    memory = Memory()
    weak, warm = Found("cube", 50.0, 40.0, 20.0, 0.25), Found("cube", 150.0, 40.0, 20.0, 0.9)
    memory.keep_scenery([weak, warm])
    assert memory.is_scenery(Found("cube", 51.0, 40.0, 20.0, 0.3))
    assert not memory.is_scenery(Found("cube", 50.0, 40.0, 20.0, 0.9)), "something has come to lie there"
    assert not memory.is_scenery(warm)
    memory.last_look(np.zeros((20, 20, 3), np.uint8), np.eye(3))
    assert not memory.is_scenery(weak)


def test_what_changed_is_found_as_in_a_look_at_the_whole() -> None:
    memory = Memory()
    margin = (0.15, 0.07)
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    first = survey(picture, geometry, margin, memory=memory)
    picture, _ = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK), (-9.0, 3.0, 1.0, 2, WHITE, BLACK)])
    seen, whole = (
        survey(picture, geometry, margin, memory=memory),
        survey(picture, geometry, margin),
    )
    assert seen is not first
    assert len(seen.found) == len(whole.found)
    for here, there in zip(seen.found, whole.found, strict=True):
        assert (here.x, here.y, here.edge, here.heat) == pytest.approx(
            (there.x, there.y, there.edge, there.heat), abs=1e-3
        )
    assert survey(picture, geometry, margin, memory=memory) is seen


@pytest.mark.parametrize(
    ("first", "value"), [((), 3), (((12.0, -3.0, 1.1, 3, WHITE, BLACK),), None), (((8.0, 1.0, 0.4, 5, WHITE, BLACK),), None)],
    ids=["together", "the doubtful one first", "the sure one first"],
)  # fmt: skip
@pytest.mark.parametrize(("nats", "alone"), [(3.5, {5, None}), (2.5, {5})], ids=["a die", "perhaps a die"])
def test_what_is_hardly_a_die_is_one_when_it_came_with_another(
    monkeypatch: pytest.MonkeyPatch,
    first: tuple[Any, ...],
    value: int | None,
    nats: float,
    alone: set[int | None],
) -> None:
    """The three is a die by so many nats; in play a number needs 4.2, and a die 2.9."""
    both = [(8.0, 1.0, 0.4, 5, WHITE, BLACK), (12.0, -3.0, 1.1, 3, WHITE, BLACK)]
    picture, geometry = board(both)
    says = reading.evidence_of
    monkeypatch.setattr(
        reading, "evidence_of", lambda read, at: min(says(read, at), nats if read.value == 3 else 99.0)
    )
    memory = Memory()
    for seed in range(4 if first else 0):
        find_dice(noisy(board(list(first))[0], seed), geometry, memory=memory, options=IN_PLAY)
    for seed in range(4, 7):
        dice = find_dice(noisy(picture, seed), geometry, memory=memory, options=IN_PLAY)
        assert {d.value for d in dice} == ({5, value} if value else alone)
        assert all(d.confidence <= 0.89 for d in dice if d.value == 3)
    assert {d.value for d in find_dice(picture, geometry, options=IN_PLAY)} == alone
