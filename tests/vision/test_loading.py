"""What a look needs is loaded beforehand."""

from __future__ import annotations

from pi_board.vision.checkers import stacks
from pi_board.vision.dice import pips
from pi_board.vision.loading import SHAPES, load_networks


def test_every_plan_is_ready() -> None:
    load_networks()
    for name, shapes in SHAPES.items():
        assert {shape[1:] for shape in shapes} <= pips.network(name).planned()
    assert stacks.shipped_trunk().planned()
