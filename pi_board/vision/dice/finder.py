"""The small network that marks what may be dice or the cube in the rectified field: of a photo, or again and again in play."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.changes import STILL, area_of, differences, in_pixels, parts_of
from pi_board.vision.dice import pips
from pi_board.vision.products import Products

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

#: Side of a cell of the answer, px.
CELL = 4
#: Mean and standard deviation (8-bit levels) by which the training pictures were standardised.
_MEAN, _SPREAD = 110.0, 60.0
#: Blocks (2 CELL) around a changed one that are looked at anew with it: there the change is fainter. And the share of the picture from
#: which on the whole is, which costs no more then.
_AROUND, _MOST = 1, 0.3


def answers(flat: Image) -> Floats:
    """(H / CELL, W / CELL, 6) of (H, W, 3) uint8: logits of die and cube, right, down, log edge, and one that is not used."""
    return pips.network("dice_finder").of_picture(_standardised(flat))


class KeptFinder:
    """`answers` of picture after picture of one camera; only what has changed is looked at anew."""

    def __init__(self) -> None:
        self._network: Products | None = None
        #: Blocks (2 CELL) of the picture that the answers rest on.
        self._rests_on: Image

    def answers(self, flat: Image, small: Image) -> tuple[Floats, Image]:
        """((H / CELL, W / CELL, 6), (H / 2 CELL, W / 2 CELL, 3) blocks of what they rest on: each spot as it was when it was looked at
        last). small: the blocks of `flat` (H, W, 3)."""
        network, parts = self._network, None
        if network is None or self._rests_on.shape != small.shape:
            network = self._network = Products(pips.network("dice_finder").layers, (3, *flat.shape[:2]))
        else:
            parts = parts_of(differences(self._rests_on, small) >= STILL, _AROUND)
        if parts is None or area_of(parts) > _MOST * small[..., 0].size:
            network.picture[...] = _standardised(flat)
            network.run()
            self._rests_on = small
        else:
            rests_on = self._rests_on = self._rests_on.copy()
            for part in parts:
                rests_on[part] = small[part]
            parts = [in_pixels(part, 2 * CELL, flat.shape) for part in parts]
            for part in parts:
                network.picture[part] = _standardised(flat[part])
            network.renew(parts)
        return network.says.copy(), self._rests_on


def _standardised(flat: Image) -> npt.NDArray[Any]:
    picture = flat.astype(np.float32)
    picture -= np.float32(_MEAN)
    picture *= np.float32(1 / _SPREAD)
    return picture
