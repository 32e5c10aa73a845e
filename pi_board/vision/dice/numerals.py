"""What a patch around the doubling cube shows: the network that reads its numeral, at any turn.

A patch is 48 × 48 px with the cube in the middle, its edge about 35 px long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pi_board.vision.convolutions import Floats, contrast_normalised
from pi_board.vision.dice import pips

#: Faces in the order of the network's outputs 1-6; output 0 is "no cube here".
FACES = (2, 4, 8, 16, 32, 64)
#: Edge of the cube in its patch, px (the patch is as large as a die's).
EDGE = 35
#: The numeral is read at these multiples of the size that the finder says.
SIZES = (0.82, 0.95, 1.08)
#: Read alike in all sizes with this probability, it need not be turned; nor if no numeral is as likely as that.
_CLEAR, _HARDLY = 0.97, 0.3


def numeral_patches(
    picture: pips.Image,
    to_picture: npt.NDArray,
    centre: tuple[float, float],
    edge: float,
    sizes: Sequence[float] = SIZES,
) -> npt.NDArray[np.uint8]:
    """(N, 48, 48, 3) patches of one place in all `sizes`; arguments as for `pips.cut_patch`."""
    return np.stack(
        [pips.cut_patch(picture, to_picture, centre, edge * size, out_edge=EDGE) for size in sizes]
    )


def _logits(patches: npt.NDArray[np.uint8], turns: Iterable[int]) -> Floats:
    """(turns, N, 7) of patches (N, 48, 48, 3) BGR, turned by each of `turns` quarters."""
    batch = contrast_normalised(patches)
    seen = [np.ascontiguousarray(np.rot90(batch, k, (2, 3))) for k in turns]
    logits = pips.ask(pips.network("dice_cube"), np.concatenate(seen))
    return logits.reshape(len(seen), len(patches), -1)


def read_numeral(patches: npt.NDArray[np.uint8], turns: int = 4) -> Floats:
    """(N, 7) probabilities of no cube, then `FACES`, for patches (N, 48, 48, 3) BGR."""
    return pips.softmax(_logits(patches, range(turns)).mean(0))


def read_closely(patches: npt.NDArray[np.uint8]) -> Floats:
    """(7,) as `read_numeral`, of one place in all `SIZES` (N, 48, 48, 3); what is not clear at once is turned."""
    return _closely(patches.tobytes()).copy()


@lru_cache(maxsize=8)
def _closely(picture: bytes) -> Floats:
    """`read_closely` of patches given as bytes: what is read as a die that may be the cube is then read as the cube, which may be a die."""
    patches = np.frombuffer(picture, np.uint8).reshape(-1, pips.PATCH, pips.PATCH, 3)
    upright = _logits(patches, (0,))
    p = pips.softmax(upright[0])
    alike = len(set(p.argmax(1).tolist())) == 1 and np.minimum.reduce(np.maximum.reduce(p, axis=1)) > _CLEAR
    if not alike and p.mean(0)[1:].max() > _HARDLY:
        p = pips.softmax(np.concatenate([upright, _logits(patches, range(1, 4))]).mean(0))
    return np.asarray(p.mean(0), np.float32)
