"""Loads the networks before the first picture needs them."""

from __future__ import annotations

import numpy as np

from pi_board.vision.checkers import pile_changes, stacks
from pi_board.vision.checkers import slot_network as network
from pi_board.vision.dice import pips

#: Inputs (N, C, H, W) that looks at a board come with: a plan for each is made at its first, which takes as long as running it does.
_PATCH = pips.PATCH
SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "dice_reader": ((1, 3, _PATCH, _PATCH),),
    "dice_second": ((1, 3, _PATCH, _PATCH),),
    "dice_cube": ((1, 3, _PATCH, _PATCH),),
    "dice_cocked": ((1, 5, _PATCH, _PATCH),),
}


def load_networks() -> None:
    """All that a first look at a board needs; a camera takes longer to open."""
    network.score(np.zeros((network.CANVAS_H, network.CANVAS_W, 3), np.uint8))
    strip = stacks.see_strip(np.zeros((stacks.STRIP_H, stacks.STRIP_W, 3), np.uint8), np.zeros((2, 2)))
    pile_changes.count_now(pile_changes.AcceptedPile(pile_changes.PILE, strip), strip)
    pips.network("dice_finder")  # its input is as large as the board in the picture
    for name, shapes in SHAPES.items():
        for shape in shapes:
            pips.network(name)(np.zeros(shape, np.float32))
    # numpy loads its masked arrays when they are wanted first.
    np.ma.median(np.ma.masked_array(np.zeros((2, 2)), np.zeros((2, 2), bool)))
