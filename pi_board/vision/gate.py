"""The gate: may this frame be read at all? Cheap tests come first, and each reason for "no" has a `Gate` value of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame
from pi_board.sighting import Gate
from pi_board.vision.board.canvas import CHECKER_AREA, Canvas
from pi_board.vision.checkers.patches import medians
from pi_board.vision.options import VisionOptions
from pi_board.vision.steady import SteadyView

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Width of the small picture on which motion and light are judged, px.
SMALL = 160
#: Least contrast (standard deviation, 8-bit levels) of a picture that shows anything.
FLAT = 6.0
#: Largest change (8-bit levels, over 3 x 3 small pixels) between two pictures of the same untouched scene.
SAME = 7.0
#: What covers less than this of field and rim (checker areas) lies beside the board.
TOUCHES = 0.2
#: Pieces nearer than this, canvas px, are one thing.
LINK = 9
#: A small pixel moves when it changes by more than this (8-bit levels), and by more than so many times the picture's median change,
#: which is its noise. The next is `VisionOptions.motion_level`'s unit: pixels in a thousand.
MOVES, MOVES_NOISES, PER_MILLE = 9.0, 8.0, 1000.0
#: So many times as much may differ from one picture to the next where one is put back, for edges between two pixels are smeared. Source:
#: `tests/vision/test_steady.py`, swaying by 3 px of 960: 1.3 times.
PUT_BACK = 2.0
#: Small pixels at the edges that are not asked whether something moves.
EDGE = 2
#: 8-bit level above which a small pixel is overexposed; a camera's clipped white, less JPEG's ripple.
CLIPPED = 251
#: The rim that is watched is at least so wide, in checker diameters: a hand on a narrow rim must still be seen as coming in.
LEAST_RIM = 0.35


class FrameGate:
    """Motion and light, on a small copy of the picture. Keeps the last one; needs no knowledge of the board."""

    def __init__(self, options: VisionOptions) -> None:
        self.options = options
        self._moved_at = self._swayed_at = 0.0
        #: Two small pictures that were compared, and the share of them that has moved. (Of a camera that hangs still, those that are read are
        #: those that came.)
        self._compared: tuple[Floats, Floats, float] | None = None
        self.reset()

    def reset(self) -> None:
        """Forget the last frame."""
        self._before: Floats | None = None
        self._read: Floats | None = None
        # As the last one came, which may sway: the picture until it is read, and the small one.
        self._came: npt.NDArray[np.uint8] | None = None
        self._raw: Floats | None = None
        self._view, self._rests = SteadyView(), False
        # Whether the last picture but one and the last one were put back.
        self._put_back = False, False

    def steadied(self, frame: Frame) -> Frame:
        """`frame` as it would be if its camera had not swayed since the scene was last at rest."""
        if not self.options.motion:
            return frame
        small = shrunk(frame.image)
        before, self._raw, self._came = self._raw, small, frame.image
        self._put_back = self._put_back[1], False
        differs = before is None or before.shape != small.shape or self._differs(before, small)
        if differs:
            self._swayed_at, self._rests = frame.time, False
        if differs or frame.time - self._swayed_at < self.options.still_seconds:
            steadied = self._view.steadied(frame)
            self._put_back = self._put_back[0], steadied is not frame
            return steadied
        # (What has been at rest for longer looks no different.)
        if not self._rests:
            self._rests = True
            self._view.rests(frame.image)
        return frame

    def was_read(self) -> None:
        """The last checked frame has been read in full."""
        self._read = self._before

    def unchanged(self) -> bool:
        """The last checked frame shows what the last fully read one showed, down to a turned die."""
        if self._read is None or self._before is None or self._read.shape != self._before.shape:
            return False
        change = self._before - self._read
        change -= _middle(change)
        change = np.abs(cv2.blur(change, (3, 3)))
        return float(np.maximum.reduce(change, axis=None)) < SAME

    def check(self, frame: Frame, board: tuple[slice, slice] | None = None) -> Gate | None:
        """Why not to read `frame`, or None. board: rows and columns of the picture that show the board, if known."""
        small = shrunk(frame.image) if self._raw is None or self._came is not frame.image else self._raw
        # (Nobody else's picture is kept for it.)
        self._came = None
        part = small
        if board is not None:
            scale = small.shape[1] / frame.image.shape[1]
            rows, columns = (
                slice(int(s.start * scale), max(int(s.stop * scale), int(s.start * scale) + 4)) for s in board
            )
            part = small[rows, columns]
        moving = self._moving(small, frame.time, rested=frame.rested > 0)
        level = float(part.mean())
        if level < self.options.dark_level and float(np.percentile(part, 98)) < 5 * self.options.dark_level:
            return Gate.DARK
        if np.count_nonzero(part > CLIPPED) > self.options.bright_share * part.size:
            return Gate.OVEREXPOSED
        if _spread(part) < FLAT:
            return Gate.BLOCKED
        return Gate.MOVING if moving else None

    def _moving(self, small: Floats, time: float, *, rested: bool = False) -> bool:
        """rested: the scene is known to be at rest, so that no time needs to pass without motion."""
        before, self._before = self._before, small
        if not self.options.motion:
            return False
        if before is None or before.shape != small.shape:
            self._moved_at = time
            return self.options.still_seconds > 0
        if self._differs(before, small, PUT_BACK if any(self._put_back) else 1.0):
            self._moved_at = time
            return self.options.still_seconds > 0
        if rested:
            self._moved_at = min(self._moved_at, time - self.options.still_seconds)
            return False
        return time - self._moved_at < self.options.still_seconds

    def _differs(self, before: Floats, small: Floats, tolerance: float = 1.0) -> bool:
        """Whether something has moved from one small picture to the next. tolerance: times as much may have changed all the same."""
        known = self._compared
        if known is None or known[0] is not before or known[1] is not small:
            # (What comes in at the edge of a picture that has been put back is not in the one before.)
            change = small[EDGE:-EDGE, EDGE:-EDGE] - before[EDGE:-EDGE, EDGE:-EDGE]
            change -= _middle(change)  # A lamp or the exposure changes all pixels alike.
            change = np.abs(change)
            noise = _middle(change)
            share = np.count_nonzero(change > max(MOVES, MOVES_NOISES * noise)) / change.size
            known = self._compared = before, small, share
        return PER_MILLE * known[2] > tolerance * self.options.motion_level


def _middle(values: Floats) -> float:
    """The median. (numpy's own takes 25 calls.)"""
    return float(medians(values.reshape(1, -1).copy())[0])


def _spread(values: Floats) -> float:
    """The standard deviation."""
    return float(cv2.meanStdDev(values)[1][0, 0])


def shrunk(image: npt.NDArray[np.uint8]) -> Floats:
    """(h, SMALL) float32 green channel of a (H, W, 3) picture, area-averaged."""
    step = max(1, image.shape[1] // (2 * SMALL))
    green = np.ascontiguousarray(image[::step, ::step, 1])
    size = (SMALL, max(4, round(SMALL * image.shape[0] / image.shape[1])))
    return cv2.resize(green, size, interpolation=cv2.INTER_AREA).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something in view that neither board, checkers, dice nor cube explain. area: in checker areas, over board
    and rim. enters: it comes in over the rim, as an arm does. mask: (H, W) canvas pixels. whole: the mask with
    its thin edges, such as a cup's rim.
    """

    area: float
    enters: bool
    mask: Mask
    whole: Mask


def zone(canvas: Canvas) -> Mask:
    """(H, W) the field and its rim, where only checkers, dice and cube belong. A tray is not part of it."""
    p = canvas.profile
    mask = np.zeros((canvas.height, canvas.width), bool)
    band = min(max(p.rim_width, LEAST_RIM * p.checker_diameter), canvas.margin)
    left = 0.0 if p.trays in ("left", "both") else band
    right = 0.0 if p.trays in ("right", "both") else band
    half_w, half_h = p.field_width / 2, p.field_height / 2
    mask[canvas.rectangle(-half_w - left, -half_h - band, half_w + right, half_h + band)] = True
    return mask & canvas.inside


def obstacle(strange: Mask, watch: Mask, canvas: Canvas) -> Obstacle | None:
    """The largest of the `obstacles`, None when there is none."""
    return next(iter(obstacles(strange, watch, canvas)), None)


def obstacles(strange: Mask, watch: Mask, canvas: Canvas, more: Mask | None = None) -> list[Obstacle]:
    """The things over the board whose pixels nothing explains, largest first.

    strange: (H, W) unexplained pixels. watch: (H, W) where nothing unexplained belongs. A thing that reaches in from the table counts
    with its whole visible area: a few fingertips on the rim are part of a hand. more: (H, W) pixels that belong to a thing if they
    touch it.
    """
    odd: npt.NDArray[Any] = (strange & canvas.inside).astype(np.uint8)
    odd = cv2.morphologyEx(odd, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    edges = odd
    odd = cv2.morphologyEx(odd, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    if not odd.any():
        return []
    # A brown hand over a brown rim is seen in pieces, so join pieces that lie close together.
    joined = cv2.morphologyEx(
        odd, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (LINK, LINK))
    )
    n, labels = cv2.connectedComponents(joined)
    if n <= 1:
        return []
    labels[odd == 0] = 0
    over = np.bincount(labels[watch], minlength=n) / CHECKER_AREA
    area = np.bincount(labels.ravel(), minlength=n) / CHECKER_AREA
    counted = np.where(over >= TOUCHES, area, 0.0)
    counted[0] = 0.0
    found = []
    _, pieces = cv2.connectedComponents(
        edges if more is None else edges | (more & canvas.inside).astype(np.uint8)
    )
    for i in np.argsort(-counted, kind="stable"):
        if counted[i] <= 0:
            break
        mask = labels == i
        found.append(
            Obstacle(
                float(counted[i]),
                bool((mask & ~canvas.field).any()),
                mask,
                np.isin(pieces, np.unique(pieces[mask])),
            )
        )
    return found
