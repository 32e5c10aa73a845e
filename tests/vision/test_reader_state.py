"""What a reader keeps can be put back as one value."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from pi_board.errors import AmbiguousError
from pi_board.rules import STARTING_POSITION
from pi_board.vision.reader_state import InTheWay, LookPace, ReaderState
from tests.vision.simulated_board import SimulatedBoard


def parts(state: ReaderState) -> dict[str, object]:
    """Every name that a part holds, with what it holds; names that are unset are left out."""
    return {
        f"{part.name}.{inner.name}": getattr(held, inner.name)
        for part in fields(state)
        if hasattr(held := getattr(state, part.name), "__dataclass_fields__") and part.name != "geometry"
        for inner in fields(held)
        if hasattr(held, inner.name)
    }


def same(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Names that hold another object than before."""
    return [n for n in {**before, **after} if before.get(n) is not after.get(n)]


def test_a_copy_keeps_what_the_parts_held() -> None:
    state = SimulatedBoard("travel").reader().state
    kept = state.copied()
    before = parts(kept)
    state.picture.agreement, state.learned.confirmed, state.pace.looks = 0.1, True, 7
    state.lying.dice, state.way.saw_hand, state.lessons.expecting = [(1.0, 2.0)], True, True
    assert same(before, parts(kept)) == []
    assert isinstance(kept.way, InTheWay) and isinstance(kept.pace, LookPace)


@pytest.mark.parametrize("style", ["travel", "wood"])
def test_a_lesson_that_fails_leaves_no_trace(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The starting position is expected and lies there, but learning it afresh fails at its last step."""
    board = SimulatedBoard(style)
    reader = board.reader()
    frame = board.frame()
    sighting = reader.look(frame)
    assert sighting.settled and reader.appearance is not None
    before, look = parts(reader.state), reader.appearance.reference.copy()

    def refuse(*_: object) -> None:
        raise AmbiguousError("another board")

    monkeypatch.setattr(reader._learner, "_agreement", refuse)
    assert reader._learn_again(frame) is None
    assert same(before, parts(reader.state)) == []
    assert np.array_equal(reader.appearance.reference, look) and reader.start == STARTING_POSITION


@pytest.mark.parametrize(
    ("good", "wrong", "plainly", "learned"),
    [
        (0.95, 1, False, True),
        (0.87, 0, True, True),  # four in a window's hard shadow, and the network sees all thirty
        (0.87, 0, False, False),
        (0.87, 1, True, False),
        (0.75, 0, True, False),
    ],
)
def test_a_start_in_hard_shadows_is_learned_if_the_other_reader_sees_it(
    good: float, wrong: int, plainly: bool, learned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """(`bench_webcam.py --seed 4078000 --room mount=drawn`: nothing was refereed.)"""
    board = SimulatedBoard("travel")
    reader = board.reader()
    monkeypatch.setattr(reader._learner, "_agreement", lambda *_: (good, wrong))
    monkeypatch.setattr(reader._learner, "_plainly", lambda *_: plainly)
    reader.look(board.frame())
    assert (reader.appearance is not None) == learned
