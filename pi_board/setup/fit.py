"""A board that a person has shown: its registration, and what the page draws over the picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.rules import STARTING_POSITION
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import COLUMNS, Orientation, Row
from pi_board.vision.board.registration import Registration
from pi_board.vision.finding.given_corners import fit_bar
from pi_board.vision.profile import BoardProfile

Image = npt.NDArray[np.uint8]
Points = list[list[float]]


def registration_by_hand(
    image: Image,
    corners: npt.NDArray[np.float64],
    bar_edges: npt.NDArray[np.float64] | None,
    profile: BoardProfile,
) -> Registration:
    """Where a person says that the board is. corners: (4, 2) px TL TR BR BL; bar_edges the same for the bar, or None
    to find the bar within the corners. Raises InvalidError for corners that are no convex quadrilateral."""
    found = fit_bar(image, corners, profile)
    if bar_edges is None:
        return found
    # The handles change only those sizes that nobody has measured.
    sizes = found.profile
    if not sizes.measured:
        across = BoardGeometry(sizes, corners, found.image_size).unproject(bar_edges)
        width = float(np.mean([across[1, 0] - across[0, 0], across[2, 0] - across[3, 0]]))
        pitch = (sizes.field_width - width) / COLUMNS
        sizes = sizes.with_sizes(
            bar_width=width, checker_diameter=sizes.checker_diameter * pitch / sizes.point_width
        )
    hand = replace(found, bar_edges=bar_edges, profile=sizes)
    hand.geometry()
    return hand


def drawing(registration: Registration, orientation: Orientation) -> dict[str, Any]:
    """What the page draws over the picture, all in its pixels: handles, outline, the axes of the twelve columns with
    the points' numbers, and rings of both sides' checkers on the starting position's points."""
    geometry = registration.geometry()
    profile = geometry.profile
    half = profile.field_height / 2
    axes, numbers = [], []
    for column in range(COLUMNS):
        x = geometry.column_x(column)
        axes.append(_px(geometry.project([[x, half], [x, half - profile.point_length]])))
        axes.append(_px(geometry.project([[x, -half], [x, profile.point_length - half]])))
        for row, y in ((Row.FAR, half + 0.9), (Row.NEAR, -half - 0.9)):
            numbers.append(
                {
                    "point": orientation.point_at(column, row),
                    "at": _px(geometry.project([[x, y]]))[0],
                }
            )
    rings = []
    for point, count in enumerate(STARTING_POSITION.points, 1):
        column, row = orientation.column_of(point)
        for index in range(abs(count)):
            x, y, z = geometry.checker_place(column, row, index)
            rings.append(
                {
                    "side": "light" if count > 0 else "dark",
                    "ring": _px(_ring(geometry, x, y, z, profile.checker_diameter)),
                }
            )
    return {
        "size": list(registration.image_size),
        "corners": _px(registration.corners),
        "bar_edges": _px(geometry.bar_edges),
        "outline": _px(geometry.outline(samples=8)),
        "axes": axes,
        "numbers": numbers,
        "rings": rings,
        "confidence": round(registration.confidence, 2),
        "how": registration.how,
    }


def _ring(geometry: BoardGeometry, x: float, y: float, z: float, diameter: float) -> npt.NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    circle = np.column_stack([x + diameter / 2 * np.cos(t), y + diameter / 2 * np.sin(t), np.full(len(t), z)])
    return geometry.project(circle)


def _px(points: npt.ArrayLike) -> Points:
    return [[round(float(a), 1), round(float(b), 1)] for a, b in np.asarray(points).reshape(-1, 2)]
