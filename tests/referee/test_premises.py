"""What an accusation rests on, asked before each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board import events as ev
from pi_board.rules import Position
from pi_board.sighting import Gate, Sighting
from tests.referee.synthetic import Noise, Story, Table, slot_of

#: Levels of 255: of the board, of light and dark checkers, and by how much a part of the board is darker in another light.
BOARD, CHECKERS, DARKER = 120, (200, 60), (20, 60)


class Lit(Table):
    """A table whose points show what lies there; with `changes`, each part of them has become some levels darker."""

    changes = False

    def look(self, gate: Gate = Gate.SETTLED) -> Sighting:
        strips = np.full((26, 25, 3, 3), BOARD, np.uint8)
        for point, lie in zip(strips, self.checkers[:24], strict=False):
            point[: 3 * sum(lie)] = CHECKERS[0 if lie[0] else 1]
        if self.changes:
            darker = np.random.default_rng(1).integers(*DARKER, (26, 25, 1, 1))
            strips -= np.broadcast_to(darker, strips.shape).astype(np.uint8)
        return replace(super().look(gate), strips=strips)


@pytest.mark.parametrize(
    ("moves", "changes", "accused"),
    [
        (((13, 11), (13, 10), (8, 6), (8, 5)), False, True),
        # (90_00: a lesson in new light had seen two checkers of one point on two others, beside a lawful play.)
        (((13, 11), (13, 10), (8, 6), (8, 5)), True, False),
        (((13, 11), (8, 4)), True, True),
    ],
    ids=["too many", "too many, in new light", "another number, in new light"],
)
def test_in_new_light_nobody_is_accused_of_more_than_a_roll_can_change(
    moves: tuple[tuple[int, int], ...], changes: bool, accused: bool
) -> None:
    table = Lit()
    story = Story(table)
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.moves("light", (8, 5), (6, 5))
    story.lift_dice()
    story.throw(3, 2, "dark")
    story.hand()
    for move in moves:
        table.move(*move, "dark")
    table.changes = changes
    events = story.see(40) + story.lift_dice(40)
    assert any(isinstance(e, ev.PlayIllegal) for e in events) == accused


#: Dark bears off, with a last checker outside.
LATE = Position((0, 0, 0, 0, 0, 2, *[0] * 9, -1, 0, 0, -1, -2, -2, -3, -1, -5), (0, 0), (13, 0))


class Blind(Lit):
    """One on which a checker of dark's 9 point is read there when it has left, and looks gone."""

    def log_likelihood(self) -> np.ndarray:
        point = slot_of(9, "dark")
        lie, self.checkers[point] = self.checkers[point], [0, 1]
        try:
            return super().log_likelihood()
        finally:
            self.checkers[point] = lie


def test_a_point_that_looks_touched_and_reads_as_before_accuses_nobody() -> None:
    """(4008006: 9/3 1/off was read as 1/3, for a dark checker that had left a dark point was still read there. Nobody minds: it was lawful.)"""
    table = Blind(noise=Noise(trays=False))
    story = Story(table)
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    table.put(LATE)
    table.lift_dice()
    story.say(ev.SetPosition(position=LATE, side="dark"))
    story.see()
    story.throw(6, 1, "dark")
    story.hand()
    table.move(9, 3, "dark")
    table.lift(1, "dark")
    events = story.see(40) + story.lift_dice(40)
    assert not any(isinstance(e, ev.PlayIllegal) for e in events)
    assert "doubt_position" in [e.code for e in events if isinstance(e, ev.Unclear)]
    events = story.throw(6, 4, "light", looks=12)
    assert [(str(e.play), e.legal) for e in events if isinstance(e, ev.TurnEnded)] == [("9/3 1/off", True)]
