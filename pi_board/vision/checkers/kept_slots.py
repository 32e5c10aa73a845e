"""What the slot network says of canvas after canvas of one board: layer by layer only what has changed is worked out anew.

A play changes one cell in twenty. What depends on it is worked out anew, and what the board as a whole adds between the layers stays
as it was where it would hardly be another; the rest of what was said before holds.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.vision.changes import STILL, Part, area_of, blocks, differences, in_pixels, parts_of
from pi_board.vision.checkers.slot_network import (
    CANVAS_H,
    CANVAS_W,
    STRIDE,
    Floats,
    Scores,
    load_weights,
    moments,
    normalised,
    said,
    shipped_trunk,
)
from pi_board.vision.layers import relu
from pi_board.vision.products import Products

Image = npt.NDArray[np.uint8]

#: Cells around a changed one that are looked at anew with it: there the change is fainter. And the share of the canvas from which on the
#: whole is, which costs no more then.
_AROUND, _MOST = 2, 0.3
#: Levels by which mean and spread may differ from those of the canvas that is kept; how often only parts are looked at before the whole is.
_SAME_LIGHT, _MOST_TIMES = 1.5, 5
#: What the whole board adds stays while none of it would be another by so much (features; their spread is about 1). Looked at again and
#: again a board that rests differs by .01 to .03 (three simulated sets; by more in one look of ten where the camera is noisy); with this
#: bound what is said of a point differs from a look at the whole by less than 1.5 nats. (With .06, which the weights before kept within
#: that, it was 1.9 with these; a play on a simulated board takes as long with either.)
_SAME_CONTEXT = 0.03
#: Rows and columns of all cells.
_ALL = slice(0, CANVAS_H // STRIDE), slice(0, CANVAS_W // STRIDE)


class KeptSlots:
    """`slot_network.score` of canvas after canvas."""

    def __init__(self) -> None:
        #: The three chains of the trunk, each with what its layers said.
        self._chains: list[Products] = []
        #: (78, 88, 3) the cells of the canvas as they were when they were looked at last; the light it was normalised with.
        self._cells: Image
        self._light = 0.0, 0.0
        #: What the whole board adds before the second and the third chain; and how often only parts have been looked at since.
        self._contexts: list[Floats] = []
        self.times = 0

    def score(self, canvas: Image, cells: Image | None = None) -> Scores:
        """canvas: (312, 352, 3) uint8 BGR; cells: its `blocks` of `STRIDE`, where they are known."""
        light, cells = moments(canvas), blocks(canvas, STRIDE) if cells is None else cells
        parts = self._parts(cells, light) if self._chains else None
        if parts:
            self._see_parts(canvas, cells, parts)
        else:
            self._see(canvas, cells, light)
        return said(relu(self._chains[2].says), load_weights())

    def _parts(self, cells: Image, light: tuple[float, float]) -> list[Part] | None:
        """Rows and columns of cells that take in all that changed; None when the whole should be looked at."""
        if (
            self.times >= _MOST_TIMES
            or max(abs(a - b) for a, b in zip(light, self._light, strict=True)) > _SAME_LIGHT
        ):
            return None
        parts = parts_of(differences(self._cells, cells) >= STILL, _AROUND)
        return parts if area_of(parts) <= _MOST * cells[..., 0].size else None

    def _see(self, canvas: Image, cells: Image, light: tuple[float, float]) -> None:
        trunk = shipped_trunk()
        if not self._chains:
            sizes = [(3, *canvas.shape[:2])] + 2 * [
                (trunk.parts[1].layers[0].weights.shape[1], *cells.shape[:2])
            ]
            self._chains = [
                Products(part.layers, size) for part, size in zip(trunk.parts, sizes, strict=True)
            ]
        self._cells, self._light, self._contexts, self.times = cells, light, [], 0
        x = normalised(canvas, light)
        for i, chain in enumerate(self._chains):
            if i:
                self._contexts.append(trunk.context(i - 1, x))
                x = x + self._contexts[-1]
            chain.picture[...] = x
            chain.run()
            x = chain.says

    def _see_parts(self, canvas: Image, cells: Image, parts: list[Part]) -> None:
        self._cells, self.times = self._cells.copy(), self.times + 1
        near, second, third = self._chains
        pixels = []
        for part in parts:
            self._cells[part] = cells[part]
            at = in_pixels(part, STRIDE, canvas.shape)
            near.picture[at] = normalised(canvas[at], self._light)
            pixels.append(at)
        parts = near.renew(pixels)
        for i, (before, chain) in enumerate(((near, second), (second, third))):
            context = shipped_trunk().context(i, before.says)
            if np.maximum.reduce(np.abs(context - self._contexts[i]), axis=None) > _SAME_CONTEXT:
                self._contexts[i] = context
                parts = [_ALL]
            for part in parts:
                np.add(before.says[part], self._contexts[i], out=chain.picture[part])
            parts = chain.renew(parts)
