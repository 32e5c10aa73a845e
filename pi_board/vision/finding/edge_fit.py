"""The pattern of points moved onto the edges of the picture: iterated least squares on corners, shape and lens."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.vision.board.distortion import K1_SPREAD, USUAL_K1, RadialDistortion
from pi_board.vision.board.geometry import exact_homography, transform
from pi_board.vision.board.jacobian import jacobian_at_once
from pi_board.vision.finding.pattern import UNIT_FIELD, Floats, PointPattern, unit_homographies
from pi_board.vision.finding.pattern_numbers import EDGES, PRIORS

#: Parameters besides the eight of the corners: bar, length, base, tip, power.
SHAPE = ("bar", "length", "base", "tip", "power")
#: Where the lens's k1 stands among the parameters.
_LENS = 8 + len(SHAPE)


def least_squares(
    smooth: Floats,
    quad: Floats,
    pattern: PointPattern,
    lens: RadialDistortion,
    priors: dict[str, tuple[float, float]],
    reaches: tuple[float, ...],
    hidden: Floats | None,
    keep: Floats | None = None,
    near_start: float = 0.0,
) -> tuple[Floats, PointPattern, RadialDistortion]:
    """Iterated closest edges: model places are moved onto the edges found along their normals.

    keep: (4, 2) px, corners to stay at (to 0.05 % of the width), as the lens shows them. near_start: to this share of the width the
    corners stay where they were; 0: they go anywhere.
    """
    theta = np.concatenate([quad.ravel(), [getattr(pattern, name) for name in SHAPE], [lens.k1]])
    start = quad.copy()
    width = float(np.linalg.norm(quad[1] - quad[0] + quad[2] - quad[3]) / 2)
    hold = EDGES.corner_hold * width
    centre = np.array(lens.centre)
    mean = np.array([priors[name][0] for name in SHAPE] + [USUAL_K1])
    spread = np.array([priors[name][1] for name in SHAPE] + [K1_SPREAD])
    steps = np.concatenate([np.full(8, EDGES.corner_step), np.full(len(mean), EDGES.shape_step)])
    for reach in reaches:
        pitch_px = width * PointPattern(*theta[8:_LENS]).pitch
        quad, pattern = theta[:8].reshape(4, 2), PointPattern(*theta[8:_LENS])
        on, along = _places(pattern, hidden)
        homography = exact_homography(UNIT_FIELD, quad)
        lens = replace(lens, k1=float(theta[_LENS]))
        place, normal = _normals(homography, lens, on, along)
        n_sides = 48 * len(EDGES.heights)
        offset, strength = _edge_offsets(
            smooth, place[:n_sides], normal[:n_sides], max(EDGES.least_reach, reach * pitch_px)
        )
        if hidden is not None:
            # Beside the end of the points runs the rim's upper edge, often the stronger one: stay close.
            near = max(EDGES.least_reach, EDGES.ends_reach * reach * pitch_px)
            ends = _edge_offsets(smooth, place[n_sides:], normal[n_sides:], near)
            offset, strength = np.concatenate([offset, ends[0]]), np.concatenate([strength, ends[1]])
        target = place + offset[:, None] * normal
        scale = max(EDGES.least_scale, EDGES.scale * reach * pitch_px)
        quiet = EDGES.quiet + EDGES.quiet_share * float(np.median(strength))
        weight = (strength / (strength + quiet)) / (1 + (offset / scale) ** 2)
        if hidden is not None:
            weight[n_sides:] *= EDGES.ends_weight
        root = np.sqrt(weight) / scale
        # The sides alone hardly tell how the ends lean: that the field is a rectangle does.
        square = EDGES.square_weights[0 if hidden is None else 1] / skew_spread(quad, lens)

        def residuals(
            t: Floats,
            lens: RadialDistortion = lens,
            target: Floats = target,
            normal: Floats = normal,
            root: Floats = root,
            square: float = square,
        ) -> Floats:
            q, k1 = t[:, :8].reshape(-1, 4, 2), t[:, _LENS, None]
            p = lens.bend(_mapped_places(q, t[:, 8:_LENS], hidden), k1)
            data = np.einsum("mni,ni->mn", p - target, normal) * root
            parts = [data, (t[:, 8:] - mean) / spread]
            if keep is not None:
                parts.append(((lens.bend(q, k1) - keep) / hold).reshape(len(t), -1))
            else:
                parts.append(square * skew_of(q, centre, lens.focal)[:, None])
            if near_start > 0.0:
                parts.append((t[:, :8] - start.ravel()) / (near_start * width))
            return np.concatenate(parts, axis=1)

        for _ in range(2):
            r, jacobian = jacobian_at_once(residuals, theta, steps)
            normal_matrix = jacobian.T @ jacobian
            normal_matrix[np.diag_indices(len(theta))] *= 1 + EDGES.damping
            theta = theta + np.linalg.solve(normal_matrix, -jacobian.T @ r)
            theta[8:] = np.clip(theta[8:], PRIORS.low, PRIORS.high)
        if (
            np.abs(theta[:8].reshape(4, 2) - start).max() > EDGES.runaway * width
            or not np.isfinite(theta).all()
        ):
            raise InvalidError("corners: expected the points of a board near them, found none")
    return theta[:8].reshape(4, 2), PointPattern(*theta[8:_LENS]), replace(lens, k1=float(theta[_LENS]))


def skew_of(quads: Floats, centre: Floats, focal: float | Floats) -> Floats:
    """(M,) cosine of the angle between a field's edges, were ideal quads (M, 4, 2) px seen by a camera of this focal length (px) that looks
    at `centre`; both may be (M, 1, ...)."""
    h = unit_homographies((quads - centre) / focal)
    a, b = h[:, :, 0], h[:, :, 1]
    return np.asarray((a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1)))


def skew_spread(quad: Floats, lens: RadialDistortion) -> float:
    """By how much `skew_of` of the right corners may differ from 0: nobody knows focal length and centre of the camera."""
    way = np.array([1.0, -1.0, 0.0, 0.0, 0.0, 0.0])[:, None, None] * EDGES.focal_spread
    aside = np.zeros((6, 1, 2))
    aside[2:, 0] = EDGES.centre_spread * lens.focal * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    seen = skew_of(np.repeat(quad[None], 6, axis=0), np.array(lens.centre) + aside, lens.focal * np.exp(way))
    return float(np.hypot(EDGES.skew, np.linalg.norm(seen[::2] - seen[1::2]) / 2))


def support_of(
    smooth: Floats, quad: Floats, pattern: PointPattern, lens: RadialDistortion
) -> tuple[float, float]:
    """(support, residual) as in `PatternFit`. smooth: (H, W, 3) float32; quad: (4, 2) px, ideal."""
    good, offset = _supported(smooth, quad, pattern, lens, None)
    residual = float(np.median(offset[good])) if good.any() else 1.0
    return float(np.clip(_above_chance(good.mean()), 0, 1)), residual


def points_beside(smooth: Floats, quad: Floats, pattern: PointPattern, lens: RadialDistortion) -> Floats:
    """(4,) 0..1: how much of a point is seen at each of `PointPattern.beside_x`, in both rows. Arguments as of `support_of`.

    A point has two sides. Rims, bars and trays have edges too, one of which often lies where a side would, so the side that is seen
    worse counts. Where the bar is too narrow for a point nothing is seen."""
    good, _ = _supported(smooth, quad, pattern, lens, pattern.beside_x())
    each = good.reshape(2, 4, 2, len(EDGES.heights)).mean(axis=3)
    seen = _above_chance(each).min(axis=2).mean(axis=0)
    if pattern.bar < EDGES.wide_bar * pattern.pitch:
        seen[1:3] = 0.0
    return np.asarray(np.clip(seen, 0, 1))


def _above_chance(share: Floats) -> Floats:
    """A share of supported places, 0 for what edges that lie anywhere would give."""
    return (share - EDGES.chance) / (1 - EDGES.chance)


def _supported(
    smooth: Floats, quad: Floats, pattern: PointPattern, lens: RadialDistortion, x: Floats | None
) -> tuple[npt.NDArray[np.bool_], Floats]:
    """(N,) whether an edge lies where a side should be, and how far off, columns. x: as of `PointPattern.sides`."""
    on, along = pattern.sides(EDGES.heights, x)
    place, normal = _normals(exact_homography(UNIT_FIELD, quad), lens, on, along)
    pitch_px = float(np.linalg.norm(quad[1] - quad[0] + quad[2] - quad[3]) / 2) * pattern.pitch
    offset, strength = _edge_offsets(smooth, place, normal, EDGES.support_reach * pitch_px)
    near = np.abs(offset) / pitch_px
    return (near < EDGES.near) & (strength > EDGES.strong), near


def _edge_offsets(smooth: Floats, places: Floats, normals: Floats, reach: float) -> tuple[Floats, Floats]:
    """((N,) px, (N,) strength): along every normal the offset of the strongest edge within reach, near ones preferred."""
    step = max(EDGES.step, reach / 16)
    offsets = np.arange(-reach - step, reach + 2 * step, step)
    sample = (places[:, None, :] + offsets[None, :, None] * normals[:, None, :]).astype(np.float32)
    seen = cv2.remap(
        smooth, sample[..., 0], sample[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    seen = seen.reshape(len(places), len(offsets), -1)
    slope = np.linalg.norm(seen[:, 2:] - seen[:, :-2], axis=2) / (2 * step)
    centre = offsets[1:-1]
    weighed = slope * np.exp(-0.5 * (centre / (EDGES.nearness * reach)) ** 2)
    at = weighed[:, 1:-1].argmax(1) + 1
    row = np.arange(len(places))
    a, b, c = slope[row, at - 1], slope[row, at], slope[row, at + 1]
    curve = a - 2 * b + c
    fine = np.where(curve < -1e-6, 0.5 * (a - c) / np.where(curve < -1e-6, curve, 1.0), 0.0)
    return centre[at] + np.clip(fine, -EDGES.refined, EDGES.refined) * step, b


def _normals(homography: Floats, lens: RadialDistortion, on: Floats, along: Floats) -> tuple[Floats, Floats]:
    place = lens.bend(transform(homography, on))
    way = lens.bend(transform(homography, along)) - place
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    return place, np.column_stack([-way[:, 1], way[:, 0]])


def _places(pattern: PointPattern, hidden: Floats | None) -> tuple[Floats, Floats]:
    """Places on the sides of the points (and on their ends, with `hidden`), and further places along them."""
    on, along = pattern.sides(EDGES.heights)
    if hidden is not None:
        end_on, end_along = pattern.ends(float(hidden[0]), float(hidden[1]))
        on, along = np.concatenate([on, end_on]), np.concatenate([along, end_along])
    return on, along


def _mapped_places(quads: Floats, shapes: Floats, hidden: Floats | None) -> Floats:
    """(M, N, 2) px of the pattern's places in quads (M, 4, 2) with shapes (M, 5); few of the shapes differ."""
    known: dict[bytes, Floats] = {}
    for shape in shapes:
        if shape.tobytes() not in known:
            pattern = PointPattern(*shape)
            sides = pattern.on_sides(EDGES.heights)
            known[shape.tobytes()] = (
                sides
                if hidden is None
                else np.concatenate([sides, pattern.on_ends(float(hidden[0]), float(hidden[1]))])
            )
    on = np.stack([known[shape.tobytes()] for shape in shapes])
    h = unit_homographies(quads)
    mapped = on @ h[:, :, :2].transpose(0, 2, 1) + h[:, None, :, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:])
