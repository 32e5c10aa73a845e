"""The ground between the two rows of points: it runs on across all twelve columns, and neither over the bar nor over the frame.

So a fit whose halves lie whole columns aside shows something else there in its outermost column, or in its innermost one. The edges of
points tell it from the right one badly: a bar as wide as a point, a tray's wall and a frame have parallel sides as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from pi_board.vision.board.geometry import exact_homography, transform
from pi_board.vision.finding.columns_aside import Way
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.pattern import UNIT_FIELD, Floats
from pi_board.vision.finding.pattern_fit import PatternFit


@dataclass(frozen=True, slots=True)
class GroundModel:
    """heights: where it is looked at, shares of the field's height; across: the same within a column, shares of its width. differs: levels
    (of 255, the most of three channels) by which a column shows something else than the ground; times: the same as a multiple of what
    is usual among the columns, at least `usual` levels. less: worth of no, one and two columns more that are not the ground.

    Source: 40 pictures each of `trace_rooms.py --seed 1` and 2, 60 of 1700, and the shared rooms and stills. Of 1,398 places whole columns
    aside of the right one 78 % show one or two columns more that are not the ground, 1 % show one less, none two. `less`: by eye, so that
    one column outweighs what edges and checkers said for the wrong one of 009 and 021 (.07 and .03)."""

    heights: tuple[float, ...] = (0.46, 0.48, 0.5, 0.52, 0.54)
    across: tuple[float, ...] = (-0.3, -0.15, 0.0, 0.15, 0.3)
    differs: float = 12.0
    times: float = 4.0
    usual: float = 2.0
    less: tuple[float, float, float] = (0.0, 0.1, 0.25)


GROUND = GroundModel()
#: Of the twelve columns those that a half loses when it moves a column out or in.
_INNERMOST, _OUTERMOST = (5, 6), (0, 11)


@dataclass(frozen=True, slots=True)
class Ground:
    """other: (12,) how far each column's middle is from the ground (levels); beside: (4,) the same of the places of `PointPattern.beside_x`."""

    other: Floats
    beside: Floats

    def less(self, way: Way) -> int:
        """How many columns more, -2 to 2, do not show the ground if the halves lie so many columns further out."""
        left, right = way
        lost = [o for o, out in zip(_INNERMOST, way, strict=True) if out > 0]
        lost += [o for o, out in zip(_OUTERMOST, way, strict=True) if out < 0]
        gained = [n for n, moved in enumerate((left > 0, left < 0, right < 0, right > 0)) if moved]
        stays = np.delete(self.other, lost)
        limit = max(GROUND.differs, GROUND.times * max(float(np.median(stays)), GROUND.usual))
        return int((self.beside[gained] > limit).sum() - (self.other[lost] > limit).sum())

    def worth(self, way: Way) -> float:
        """What is lost if the halves lie so many columns further out; less than nothing: won."""
        less = self.less(way)
        return float(np.sign(less)) * GROUND.less[abs(less)]


def ground_of(picture: EdgePicture, fit: PatternFit) -> Ground:
    """What a fit shows between the rows. Light that falls off evenly across the board counts as the same ground."""
    pattern, lens = fit.pattern, fit.lens
    x = np.concatenate([pattern.column_x(), pattern.beside_x()])
    places = [[(a + b * pattern.pitch, h) for b in GROUND.across for h in GROUND.heights] for a in x]
    to_picture = exact_homography(UNIT_FIELD, lens.straighten(fit.corners))
    px = lens.bend(transform(to_picture, np.array(places).reshape(-1, 2))).astype(np.float32)
    px = px.reshape(len(x), -1, 2)
    seen = cv2.remap(
        picture.smooth, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    colours = np.median(seen, axis=1)
    # The line through the twelve by the median of slopes (Theil and Sen), which dice and inlays do not bend.
    a, b = np.triu_indices(12, 1)
    slope = np.median((colours[b] - colours[a]) / (x[b] - x[a])[:, None], axis=0)
    rest = colours - slope * x[:, None]
    off = np.abs(rest - np.median(rest[:12], axis=0)).max(axis=1)
    return Ground(off[:12], off[12:])
