"""Where the points end: told by the straight edge between them and the rim.

The rim stands above the field: from a tilted view the near one hides the last millimetres of the field, which the camera's pose
accounts for.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.board.geometry import BoardGeometry, exact_homography, transform
from pi_board.vision.board.orientation import Row
from pi_board.vision.finding.pattern import UNIT_FIELD, Floats, PointPattern, apply, unit_homographies
from pi_board.vision.finding.pattern_numbers import CURVED, ENDS
from pi_board.vision.profile import BoardProfile

Image = npt.NDArray[np.uint8]
#: Where a column is looked at across its width, share of a column from its middle.
_ACROSS = (-0.38, -0.13, 0.13, 0.38)


def rim_wall(image: Image, quad: Floats, profile: BoardProfile) -> Floats:
    """(2,) how wide the rim's inner wall is seen at the far and at the near end, as a share of the field's height;
    negative: so much of the field the rim hides."""
    try:
        geometry = BoardGeometry(profile, quad, (image.shape[1], image.shape[0]))
    except (InvalidError, np.linalg.LinAlgError, cv2.error):
        return np.zeros(2)
    _, y, z = geometry.camera_position
    half = profile.field_height / 2
    lift = profile.rim_height / max(z - profile.rim_height, 1.0)
    return np.array([half - y, half + y]) * lift / profile.field_height


def ends_of(given: Floats, quad: Floats) -> tuple[float, float]:
    """How far the far and the near side of the corners `given` (4, 2) lie outside those of `quad`, shares of its height."""
    middles = (given + np.roll(given, -1, axis=0))[[0, 2]] / 2
    far, near = transform(exact_homography(quad, UNIT_FIELD), middles)[:, 1]
    return -float(far), float(near) - 1.0


def find_ends(
    image: Image,
    quad: Floats,
    pattern: PointPattern,
    lens: RadialDistortion,
    wall: Floats,
    expected: tuple[float, float] | None = None,
) -> tuple[Floats, PointPattern, float]:
    """The quad with its far and near side moved to where the points really end. expected: so far outside, about.

    Both ends are judged together: the points of both rows have one length, so wherever one row's end is put, the
    shape of the sides says where the other must be.
    """
    width = round(ENDS.band * 12 / (1 - pattern.bar))
    beyond = int(ENDS.reach * ENDS.rows)
    to_quad = exact_homography(
        np.array(
            [[0, beyond], [width, beyond], [width, beyond + ENDS.rows], [0, beyond + ENDS.rows]], np.float64
        ),
        quad,
    )
    size = (ENDS.rows + 2 * beyond + 1, width)
    grid = (
        np.stack(np.meshgrid(np.arange(size[1]), np.arange(size[0])), axis=-1)
        .reshape(-1, 2)
        .astype(np.float64)
    )
    places = lens.bend(transform(to_quad, grid)).astype(np.float32).reshape(*size, 2)
    flat: Any = cv2.remap(
        image, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    flat = cv2.GaussianBlur(flat, (0, 0), ENDS.blur).astype(np.float32)
    columns = pattern.column_x() * width + width / 2
    hidden = np.maximum(0.0, -wall)
    votes, leans = [], []
    for row, seen_wall in zip(Row, wall, strict=True):
        evidence, straight = _end_votes(flat, columns, row, beyond)
        leans.append(straight)
        votes.append(evidence + ENDS.pair * _edge_beyond(straight.max(axis=0), float(seen_wall)))

    position = np.arange(-beyond, beyond + 1) / ENDS.rows  # outwards positive
    if expected is not None:
        votes = [
            v - 0.5 * ((position - at) / ENDS.expected) ** 2 for v, at in zip(votes, expected, strict=True)
        ]
    usual, spread = ENDS.usual_base
    # (outwards, base, log weight): a triangle's width tells where it ends, a bullet's does not.
    if pattern.power < CURVED:
        slope, even = pattern.length / (pattern.base - pattern.tip), ENDS.even
        tried = [
            (slope * (b - pattern.base), b, -0.5 * ((b - usual) / spread) ** 2 * ENDS.base_weight)
            for b in np.arange(*ENDS.bases)
        ]
    else:
        even = ENDS.curved_even * ENDS.even
        tried = [
            (out, pattern.base, -0.5 * (out / ENDS.usual_move) ** 2 * ENDS.base_weight)
            for out in np.arange(*ENDS.moves)
        ]
    outwards, bases, values = np.array(tried).T
    at = []
    for votes_of_row, cover in zip(votes, hidden, strict=True):
        off = (position - (outwards - cover)[:, None]) / even
        weighed = votes_of_row - np.minimum(0.5 * off**2 * ENDS.even_weight, ENDS.most_uneven)
        values = values + weighed.max(axis=1)
        at.append(position[weighed.argmax(axis=1)] + cover)
    best = int(values.argmax())
    base, far, near = float(bases[best]), float(at[0][best]), float(at[1][best])
    span = 1.0 + far + near
    leaning = [
        straight[:, int(np.clip(round((end - cover) * ENDS.rows) + beyond, 0, 2 * beyond))]
        for straight, end, cover in zip(leans, (far, near), hidden, strict=True)
    ]
    # Both ends lean alike, as they are parallel. (Outwards is up in one row and down in the other.)
    down = (int((leaning[0][::-1] + leaning[1]).argmax()) - ENDS.lean) / ENDS.rows
    unit = np.array(
        [[-0.5, -far - down], [0.5, -far + down], [0.5, 1 + near + down], [-0.5, 1 + near - down]]
    )
    moved = apply(unit_homographies(quad[None]), unit)[0]
    length = (pattern.length + (far + near) / 2) / span
    ends = float(np.clip(values[best] / (2 + ENDS.pair), 0, 1))
    return (
        moved,
        pattern.with_(base=base, length=float(np.clip(length, ENDS.least_length, ENDS.most_length))),
        ends,
    )


def _edge_beyond(straight: Floats, wall: float) -> Floats:
    """For every place, the straightest edge about a wall's width further out: the upper edge of the rim.

    The wall's foot is where the points end, but its upper edge is often the clearer one; they come as a pair.
    """
    if wall * ENDS.rows < ENDS.least_wall:
        return np.zeros_like(straight)
    n = len(straight)
    steps = range(
        max(2, round(ENDS.wall_low * wall * ENDS.rows)), round(ENDS.wall_high * wall * ENDS.rows) + 1
    )
    out = np.zeros(n)
    for step in steps:
        if step >= n:
            break
        out[: n - step] = np.maximum(out[: n - step], straight[step:])
    return out


def _end_votes(flat: Floats, columns: Floats, row: Row, beyond: int) -> tuple[Floats, Floats]:
    """(2 beyond + 1,) evidence that the points of a row end at that many px outwards of the presumed end, and (leans, 2 beyond + 1) how
    straight an edge lies there that leans outwards to the right by -`ENDS.lean` px and more.

    Two things make an end: a straight edge across all columns, and colours that alternate inside it but not outside.
    """
    strip = flat if row is Row.FAR else flat[::-1]
    # Row 0 of `outwards` is well inside the field; indices grow towards the rim and the table.
    inner = int(ENDS.inner * ENDS.rows)
    outwards = strip[: beyond + inner + 1][::-1]  # the presumed end has index `inner`

    def about(places: Floats) -> Floats:
        """(N, n, 3) means of five px about each of the places (N,) across."""
        around = np.clip(
            np.rint(places).astype(np.intp)[:, None] + np.arange(-2, 3), 0, outwards.shape[1] - 1
        )
        return np.asarray(outwards[:, around].mean(axis=2).transpose(1, 0, 2))

    band = about((columns[:, None] + np.array(_ACROSS) * ENDS.band).ravel())  # (48, n, 3)
    slope = np.linalg.norm(np.gradient(band, axis=1), axis=2)
    peak = (slope >= np.roll(slope, 1, 1)) & (slope >= np.roll(slope, -1, 1))
    noise = ENDS.noise + ENDS.noise_share * float(np.median(slope))
    vote = np.where(peak, slope / (slope + ENDS.noises * noise), 0.0)
    vote = cv2.GaussianBlur(vote.astype(np.float32), (0, 0), sigmaX=ENDS.vote_blur, sigmaY=0.001)
    vote = vote * ENDS.vote_gain
    n = vote.shape[1]
    lean = np.linspace(-1, 1, len(vote))
    tilts = np.arange(-ENDS.lean, ENDS.lean + 1)
    straight = np.empty((len(tilts), n))
    for tilt, out in zip(tilts, straight, strict=True):
        shifts = np.rint(tilt * lean).astype(int)
        shifted = np.take_along_axis(vote, (np.arange(n) + shifts[:, None]) % n, axis=1)
        np.mean(np.minimum(shifted, 1.0), axis=0, out=out)
    straight -= ENDS.leaning * np.abs(tilts)[:, None]
    # Alternation: neighbours in a half have different colours on the points, the same on rim and table.
    middle = about(columns)
    # (Across the bar nothing takes turns.)
    contrast = np.linalg.norm(np.delete(middle[:-1] - middle[1:], 5, axis=0), axis=2)
    usual = np.median(contrast[:, : inner // 2]) + 1e-3
    alternates = np.minimum(contrast / usual, 1.0).mean(0)
    gap, depth = 2, int(ENDS.depth * ENDS.rows)
    total = np.concatenate([[0.0], np.cumsum(alternates)])
    index = np.arange(n)

    def mean(low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]) -> Floats:
        low, high = np.clip(low, 0, n), np.clip(high, 0, n)
        return (total[high] - total[low]) / np.maximum(high - low, 1)

    drop = mean(index - gap - depth, index - gap) - mean(index + gap, index + gap + depth)
    evidence = straight.max(axis=0) + ENDS.drop * np.clip(drop, ENDS.least_drop, 1)
    here = slice(inner - beyond, inner + beyond + 1)
    return evidence[here], straight[:, here]
