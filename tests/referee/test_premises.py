"""What an accusation rests on, asked before each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board import events as ev
from pi_board.sighting import Gate, Sighting
from tests.referee.synthetic import Story, Table

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
