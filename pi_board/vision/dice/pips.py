"""What a patch around one die shows: the network that counts pips, and its confidence.

A patch is 48 × 48 px with the die in the middle, its edge about 16 px long. The network sees it in several turns
(pips count the same from every side); the mean of the turns is steadier than any one of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.convolutions import SLANT_GAIN, Floats, Network, contrast_normalised
from pi_board.vision.dice.place_numbers import LOST_PIP

Image = npt.NDArray[np.uint8]

#: Side of a patch and edge of the die in it, px.
PATCH, EDGE = 48, 16
#: Contrast stretching: 8-bit levels kept free below and above a die's own, and the least range that is spread, or noise would be.
#: Chosen by eye on dark dice.
_FREE, _LEAST_RANGE = 4.0, 12.0
#: The most that `glance` may correct a place: right, down (edges of the die), log of its size. What it was trained with.
_MOST_OFF = (0.6, 0.6, 0.45)


@dataclass(frozen=True, slots=True)
class PipReading:
    """What the network says of one patch.

    probabilities: (7,) of no die here, then 1-6 pips.
    """

    probabilities: Floats

    @property
    def die(self) -> float:
        """Probability that there is a die at all."""
        return float(1.0 - self.probabilities[0])

    @property
    def chances(self) -> tuple[float, ...]:
        """Probabilities of 1 to 6 pips, given that it is a die."""
        return tuple((self.probabilities[1:] / max(1e-9, self.die)).tolist())

    def chances_at(self, size: float) -> tuple[float, ...]:
        """`chances` of a die whose edge is `size` px long: of a small one a pip may not be seen at all, however sure the network is."""
        falls = (LOST_PIP.large - size) / (LOST_PIP.large - LOST_PIP.small)
        lost = LOST_PIP.chance * min(1.0, max(0.0, falls))
        known = self.chances
        chances = list(known)
        for seen, really in LOST_PIP.mistaken:
            chances[seen - 1] -= lost * known[seen - 1]
            chances[really - 1] += lost * known[seen - 1]
        return tuple(chances)

    @property
    def value(self) -> int:
        """The likeliest pip count 1-6."""
        return int(self.probabilities[1:].argmax()) + 1

    @property
    def confidence(self) -> float:
        """Probability of `value`, given that it is a die. (In few calls: it is asked of every place in every look.)"""
        given = float(1.0 - self.probabilities[0])
        return float(np.maximum.reduce(self.probabilities[1:]) / (given if given > 1e-9 else 1e-9))


@lru_cache(maxsize=8)
def network(name: str) -> Network:
    """The shipped network of this name, loaded once."""
    return Network.shipped(name)


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    """Along the last axis."""
    z = logits / temperature
    z = np.exp(z - np.maximum.reduce(z, axis=-1, keepdims=True))
    return z / np.add.reduce(z, axis=-1, keepdims=True)


def ask(net: Network, patches: Floats) -> Floats:
    """(N, K) outputs of a reader for (N, C, H, W)."""
    return net(patches).reshape(len(patches), -1)


def stretched(patch: Image) -> Image:
    """The patch with the contrast of its middle spread over the whole range: faint pips of a dark die come up."""
    quarter = patch.shape[0] // 4
    middle = patch[quarter:-quarter, quarter:-quarter]
    low, high = np.percentile(middle, (1, 99))
    low, high = low - _FREE, max(high, low + _LEAST_RANGE) + _FREE
    return np.clip((patch.astype(np.float32) - low) * (255.0 / (high - low)), 0, 255).astype(np.uint8)


def pip_logits(patches: npt.NDArray[np.uint8], turns: Sequence[int], reader: str = "dice_reader") -> Floats:
    """(turns, N, 7) logits of patches (N, 48, 48, 3) BGR, seen turned by each of `turns` quarters (4-7: mirrored as well).

    reader: "dice_reader", or "dice_second": a wider one, also trained with smears, with shadows across the die and with small dice of path-traced
    rooms, for a second opinion."""
    batch = contrast_normalised(patches)
    if tuple(turns) == (0,):
        return ask(network(reader), batch)[None, :, :7]
    seen = []
    for turn in turns:
        turned = np.rot90(batch, turn % 4, (2, 3))
        seen.append(turned[:, :, :, ::-1] if turn > 3 else turned)
    stacked = np.concatenate([np.ascontiguousarray(b) for b in seen])
    return ask(network(reader), stacked).reshape(len(seen), len(patches), -1)[:, :, :7]


def read_pips(
    patches: npt.NDArray[np.uint8], *, turns: int = 2, temperature: float = 1.0
) -> list[PipReading]:
    """Read patches (N, 48, 48, 3) BGR, each seen in `turns` (1 to 8) turns: whether it is a die by the one reader, which value by the
    wider one, which was shown dice only."""
    if not len(patches):
        return []
    none = softmax(pip_logits(patches, range(turns)).mean(0), temperature)[:, :1]
    given = softmax(pip_logits(patches, range(turns), "dice_second").mean(0)[:, 1:], temperature)
    return [PipReading(p) for p in np.concatenate([none, given * (1 - none)], 1)]


def glance(patches: npt.NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """What (N, 48, 48, 3) BGR patches show at first sight: (N, 7) probabilities, and (N, 3) where the top face really is: right and
    down of the middle (edges of the die), and the log of how much larger than cut."""
    out = ask(network("dice_reader"), contrast_normalised(patches))
    return softmax(out[:, :7]), np.minimum(np.maximum(out[:, 7:10], np.negative(_MOST_OFF)), _MOST_OFF)


def read_cocked(patches: npt.NDArray[np.uint8], slants: npt.NDArray) -> Floats:
    """(N, 2) probabilities of cocked (leaning or on a checker) and of lying on a checker.

    patches (N, 48, 48, 3) BGR, rectified and turned so that the camera stands to the right. slants (N,): horizontal way from the
    die to the camera over the camera's height: so much of the right side must show if it lies flat, and nothing of the others.
    """
    colours = contrast_normalised(patches)
    slant = np.broadcast_to(
        np.asarray(slants, np.float32)[:, None, None, None] * SLANT_GAIN, (len(patches), 1, PATCH, PATCH)
    )
    planes = np.concatenate([slant, np.zeros_like(slant)], 1)
    seen = [np.concatenate([c, planes], 1).astype(np.float32) for c in (colours, colours[:, :, ::-1])]
    logits = ask(network("dice_cocked"), np.concatenate(seen)).reshape(2, len(patches), 2).mean(0)
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def cut_patch(
    image: Image,
    to_image: npt.NDArray,
    centre: Sequence[float],
    edge: float,
    out: int = PATCH,
    out_edge: float = EDGE,
    right: tuple[float, float] = (1.0, 0.0),
) -> Image:
    """Patch (out, out, 3) around `centre` of a plane, `edge` plane units → `out_edge` px; its x axis points along `right`, a unit
    vector of the plane.

    to_image: (3, 3) homography plane → picture. Shrinks without aliasing when the picture is finer than the patch.
    """
    x, y = float(centre[0]), float(centre[1])
    # (Compared and not asked for the least and the most: half a dozen patches a die are cut.)
    finer = round(_scale_at(to_image, x, y, edge) / out_edge)
    finer = 1 if finer < 1 else 8 if finer > 8 else finer
    half, unit = (out * finer - 1) / 2, edge / out_edge / finer
    (cos, sin) = (right[0] * unit, right[1] * unit)
    patch_to_plane = np.array(
        [[cos, -sin, x - half * (cos - sin)], [sin, cos, y - half * (sin + cos)], [0.0, 0.0, 1.0]]
    )
    patch: Image = cv2.warpPerspective(  # type: ignore[assignment]
        image,
        to_image @ patch_to_plane,
        (out * finer, out * finer),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if finer > 1:
        patch = cv2.resize(patch, (out, out), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return patch


def _scale_at(to_image: npt.NDArray, x: float, y: float, edge: float) -> float:
    """Edge in px of a square of `edge` plane units at (x, y), as `cut_patch`. (In plain numbers: numpy needs 30 calls for it.)"""
    (a, b, c), (d, e, f), (g, h, i) = to_image.tolist()
    right, down = x + edge, y + edge
    w = g * x + h * y + i
    px, py = (a * x + b * y + c) / w, (d * x + e * y + f) / w
    w = g * right + h * y + i
    qx, qy = (a * right + b * y + c) / w, (d * right + e * y + f) / w
    w = g * x + h * down + i
    rx, ry = (a * x + b * down + c) / w, (d * x + e * down + f) / w
    area = (qx - px) * (ry - py) - (rx - px) * (qy - py)
    return math.sqrt(area if area > 0 else -area)
