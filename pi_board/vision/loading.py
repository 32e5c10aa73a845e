"""Loads the networks before the first picture needs them."""

from __future__ import annotations

from pi_board.vision import network, pips, stacks

#: Readers of dice and cube, in the order in which a first look asks for them.
READERS = ("dice_finder", "dice_reader", "dice_second", "dice_cube", "dice_cocked")


def load_networks() -> None:
    """All that a first look at a board needs; a camera takes longer to open."""
    for name in READERS:
        pips.network(name)
    network.shipped_trunk()
    stacks.shipped_trunk()
